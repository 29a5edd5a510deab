//! Scenes in which little moves: which contacts begin and end.

use quadrille::Aabb;
use quadrille_scenes::Scene;

use crate::conditions::{Conditions, SEED, boxes_of};
use crate::contenders::EVENTS;
use crate::outcome::Outcome;
use crate::race::{WARM_UP, round_alike, runners};
use crate::tally::Tally;

/// Some of the boxes, always the same, move in every frame; events.
pub fn events(on: &Conditions) -> Outcome {
    let mut scene = Scene::new(on.scene, on.n, SEED);
    let mut runners = runners(EVENTS, on, &boxes_of(&scene));
    let mut answers = 0;
    for _ in 0..WARM_UP + on.frames {
        scene.step();
        let changes: Vec<(u32, Aabb)> = (0..).zip(scene.boxes()).step_by(on.one_in).collect();
        // One that reports no events is here for its time alone.
        let found = round_alike(&mut runners, None, |runner, events: &mut [Tally; 2]| {
            runner.lap(on.clock, on.budget, |contender| contender.frame(&changes, events))
        });
        answers = found.map_or(answers, |[began, ended]| began.count + ended.count);
    }
    Outcome::of("box", &runners, on.n, answers as f64)
}
