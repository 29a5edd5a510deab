//! Scenes in which little moves: which contacts begin and end.

use quadrille::Aabb;
use quadrille_scenes::Scene;

use crate::conditions::{Conditions, SEED, boxes_of};
use crate::contenders::{EVENTS, Entry, Events, WALLS, movers};
use crate::outcome::Outcome;
use crate::race::{WARM_UP, round_alike, runners};
use crate::tally::Tally;

/// Some of the boxes, always the same, move in every frame; events.
pub fn events(on: &Conditions) -> Outcome {
    race(on, EVENTS, (on.n, on.one_in))
}

/// Most boxes are walls, which never move, and all others move in every frame; events.
pub fn walls(on: &Conditions) -> Outcome {
    race(on, WALLS, (movers(on.n), 1))
}

/// Of the first boxes, one in several moves.
fn race(on: &Conditions, entries: &[Entry<dyn Events>], (first, one_in): (usize, usize)) -> Outcome {
    let mut scene = Scene::new(on.scene, on.n, SEED);
    let mut runners = runners(entries, on, &boxes_of(&scene));
    let mut answers = 0;
    for _ in 0..WARM_UP + on.frames {
        scene.step();
        let changes: Vec<(u32, Aabb)> = (0..).zip(scene.boxes()).take(first).step_by(one_in).collect();
        // One that reports no events is here for its time alone.
        let found = round_alike(&mut runners, None, |runner, events: &mut [Tally; 2]| {
            runner.lap(on.clock, on.budget, |contender| contender.frame(&changes, events))
        });
        answers = found.map_or(answers, |[began, ended]| began.count + ended.count);
    }
    Outcome::of("box", &runners, on.n, answers as f64)
}
