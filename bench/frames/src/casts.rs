//! Rays, segments and moving boxes: what is hit first.

use quadrille::Aabb;
use quadrille_scenes::{Random, Scene};

use crate::conditions::{Conditions, SEED, boxes_of};
use crate::contenders::{CASTS, Cast, Casts};
use crate::outcome::Outcome;
use crate::race::{Runner, WARM_UP, round, runners};

/// Casts in a lap.
const ASKED: usize = 1000;

/// How long segments and motions are, in widths of the world.
const LONG: f32 = 0.1;

/// Most contenders compute in 24 bits, so a box that is only grazed may be hit or not: so many casts may have other
/// times.
const MOST_OTHERS: usize = 5;

/// Are two times the same, up to rounding?
fn is_alike(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= 1e-4 * one.max(1.0),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Rays from anywhere in the world.
pub fn rays(on: &Conditions) -> Outcome {
    casts(on, |_| true, |origin, way, _| Cast::Ray { origin, direction: way })
}

/// Segments from anywhere in the world.
pub fn segments(on: &Conditions) -> Outcome {
    casts(on, |_| true, |from, way, _| Cast::Segment { from, to: [from[0] + way[0], from[1] + way[1]] })
}

/// Boxes like others of the scene, from anywhere in the world.
pub fn swept(on: &Conditions) -> Outcome {
    let swept = |place, motion, one: &Aabb| Cast::Swept {
        start: Aabb::from_center(place, one.size().map(|side| side / 2.0)),
        motion,
    };
    // obvhs has no moving boxes.
    casts(on, |name| !name.contains("obvhs"), swept)
}

/// A thousand casts a lap, made of a place in the world, a way of one length in any direction, and a box of the scene.
fn casts(on: &Conditions, takes_part: fn(&str) -> bool, cast: impl Fn([f32; 2], [f32; 2], &Aabb) -> Cast) -> Outcome {
    let scene = Scene::new(on.scene, on.n, SEED);
    let (boxes, world, mut random) = (boxes_of(&scene), scene.world(), Random::new(SEED));
    let mut runners = runners(CASTS, on, &boxes);
    runners.retain(|runner| takes_part(runner.name));
    let (reference, mut hits) = ((CASTS[0].make)(&boxes), 0);
    for _ in 0..WARM_UP + on.frames {
        let mut made = || {
            let place = [0, 1].map(|axis| world.min[axis] + random.unit() * world.size()[axis]);
            let way = loop {
                let way = [random.unit() - 0.5, random.unit() - 0.5];
                let length = (way[0] * way[0] + way[1] * way[1]).sqrt();
                if (0.1..0.5).contains(&length) {
                    break way.map(|part| part / length * LONG * world.size()[0]);
                }
            };
            cast(place, way, &boxes[(random.unit() * boxes.len() as f32) as usize % boxes.len()])
        };
        let asked: Vec<Cast> = (0..ASKED).map(|_| made()).collect();
        let expected: Vec<Option<f64>> = asked.iter().map(|cast| reference.first(cast)).collect();
        let lap = |runner: &mut Runner<dyn Casts>, times: &mut Vec<Option<f64>>| {
            times.reserve(ASKED);
            runner.lap(on.clock, on.budget, |contender| times.extend(asked.iter().map(|cast| contender.first(cast))))
        };
        round(&mut runners, lap, |runner, times| {
            let others = times.iter().zip(&expected).filter(|(one, other)| !is_alike(**one, **other)).count();
            if others > MOST_OTHERS {
                runner.disqualify(format!("hits others in {others} of {ASKED} casts"));
            }
        });
        hits += expected.iter().flatten().count();
    }
    Outcome::of("query", &runners, ASKED, hits as f64 / (WARM_UP + on.frames) as f64)
}
