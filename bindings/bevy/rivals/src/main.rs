//! bevy_quadrille beside other spatial indexes for Bevy: `cargo run --release`.
//!
//! In every frame all entities move, the index follows them, and each asks a question. Contenders take turns, frame by
//! frame, on one thread, and should find the same: who does not is named. Those for Bevy 0.16 run with that Bevy, in the
//! same process; what a frame costs there without any index is in the table too. Times are CPU time of the thread: lower
//! quartile, in milliseconds.

mod ours;
mod sparse_grid;
mod world;

use std::time::Duration;

use bevy_rivals_scene::{Lap, Question, Run, Scene};

const FRAMES: usize = 20;
const WARM_UP: usize = 3;

fn contenders(scene: &Scene, question: Question) -> Vec<(&'static str, Run)> {
    let all = [
        ("bevy_quadrille", Some(ours::run(scene, question))),
        ("bevy_sparse_grid_2d", sparse_grid::run(scene, question)),
        ("bevy_spatial", bevy_0_16_rivals::spatial(scene, question)),
        ("bevy_quadtree", bevy_0_16_rivals::quadtree(scene, question)),
        ("Bevy 0.19 alone", Some(world::run(world::app(scene, || ())))),
        ("Bevy 0.16 alone", Some(bevy_0_16_rivals::alone(scene))),
    ];
    all.into_iter().filter_map(|(name, run)| Some((name, run?))).collect()
}

fn lower_quartile(laps: &[Lap], time: impl Fn(&Lap) -> Duration) -> f64 {
    let mut times: Vec<Duration> = laps.iter().map(time).collect();
    times.sort();
    times[times.len() / 4].as_secs_f64() * 1000.0
}

fn measure(count: u32, question: Question) {
    let mut contenders = contenders(&Scene::new(count), question);
    let mut laps = vec![Vec::new(); contenders.len()];
    for frame in 0..WARM_UP + FRAMES {
        for ((_, run), laps) in contenders.iter_mut().zip(&mut laps) {
            let lap = run();
            if frame >= WARM_UP {
                laps.push(lap);
            }
        }
    }
    let found = |laps: &[Lap]| laps.iter().map(|lap| lap.found).sum::<u64>();
    let expected = found(&laps[0]);
    for ((name, _), own) in contenders.iter().zip(&laps) {
        let found = found(own);
        if found != expected && !name.ends_with("alone") {
            eprintln!("{question}, {count}: {name} finds {found}, not {expected}");
        }
        let (frame, asking) = (lower_quartile(own, |lap| lap.frame), lower_quartile(own, |lap| lap.asking));
        println!("{question},{count},{name},{frame:.3},{asking:.3},{found}");
    }
}

fn main() {
    println!("question,entities,index,frame_ms,asking_ms,found");
    for question in [Question::Near, Question::Nearest, Question::Overlapping] {
        [1_000, 10_000, 50_000].into_iter().for_each(|count| measure(count, question));
    }
}
