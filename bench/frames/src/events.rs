//! Scenes in which little moves: which pairs start and stop overlapping.

use quadrille::Aabb;
use quadrille_scenes::Scene;

use crate::conditions::{Conditions, SEED, boxes_of};
use crate::contenders::{EVENTS, Entry, Events, WALLS, movers};
use crate::outcome::Outcome;
use crate::race::{WARM_UP, runners};
use crate::tally::Tally;

/// Some of the boxes, always the same, move in every frame; events.
pub fn events(on: &Conditions) -> Outcome {
    race("events", on, EVENTS, (on.n, on.one_in))
}

/// Most boxes are walls, which never move, and all others move in every frame; events.
pub fn walls(on: &Conditions) -> Outcome {
    race("events-walls", on, WALLS, (movers(on.n), 1))
}

/// Of the first boxes, one in so many moves.
fn race(
    task: &'static str,
    on: &Conditions,
    entries: &[Entry<dyn Events>],
    (first, one_in): (usize, usize),
) -> Outcome {
    let mut scene = Scene::new(on.scene, on.n, SEED);
    let mut runners = runners(entries, on, &boxes_of(&scene));
    let mut answers = 0;
    for frame in 0..WARM_UP + on.frames {
        scene.step();
        let changes: Vec<(u32, Aabb)> = (0..).zip(scene.boxes()).take(first).step_by(one_in).collect();
        let next = usize::from(frame > 0 && runners.len() > 1);
        runners.rotate_left(next);
        let mut expected = None;
        for runner in &mut runners {
            let mut events = [Tally::default(); 2];
            let lap = runner.lap(on.clock, on.budget, |contender| contender.frame(&changes, &mut events));
            // One that reports no events is here for its time alone.
            if lap.is_some() && runner.touching {
                assert_eq!(*expected.get_or_insert(events), events, "{} reports other events", runner.name);
                answers = events[0].count + events[1].count;
            }
        }
    }
    let figures = runners.iter().map(|runner| runner.figures(on.n)).collect();
    Outcome { task, unit: "box", answers: answers as f64 / on.n as f64, figures }
}
