//! Scenes in which little moves: which pairs start and stop overlapping.

use quadrille::Aabb;
use quadrille_scenes::Scene;

use crate::conditions::{Conditions, SEED, boxes_of};
use crate::contenders::EVENTS;
use crate::outcome::Outcome;
use crate::race::{WARM_UP, runners};
use crate::tally::Tally;

/// Some of the boxes, always the same, move in every frame; events.
pub fn events(on: &Conditions) -> Outcome {
    let mut scene = Scene::new(on.scene, on.n, SEED);
    let first = boxes_of(&scene);
    let mut runners = runners(EVENTS, on, &first);
    let mut answers = 0;
    for frame in 0..WARM_UP + on.frames {
        scene.step();
        let changes: Vec<(u32, Aabb)> = (0..).zip(scene.boxes()).step_by(on.one_in).collect();
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
    Outcome { task: "events", unit: "box", answers: answers as f64 / on.n as f64, figures }
}
