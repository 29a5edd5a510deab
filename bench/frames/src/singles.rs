//! Single changes, each followed by a query about where it was, and no call for the whole frame: lap after lap, for
//! as long as the task runs.

use quadrille::Aabb;
use quadrille_scenes::Scene;

use crate::conditions::{Conditions, SEED, boxes_of};
use crate::contenders::{SINGLES, Singles};
use crate::outcome::Outcome;
use crate::race::{WARM_UP, round_alike, runners};
use crate::tally::Tally;

/// In a lap, one box in this many changes, and at least one.
const ONE_IN: usize = 20;

/// From lap to lap, a box goes to the place of another one, this much farther along the list. One more than this is a
/// prime, so boxes of one lap, which are `ONE_IN` apart, come to other places than those of the lap before.
const FARTHER: usize = 7918;

/// Boxes move as in their scene.
pub fn little(on: &Conditions) -> Outcome {
    singles(on, true, |contender, place, old, new| contender.update(place, old, new))
}

/// Boxes move anywhere.
pub fn far(on: &Conditions) -> Outcome {
    singles(on, false, |contender, place, old, new| contender.update(place, old, new))
}

/// Boxes are removed, and others inserted anywhere.
pub fn renewed(on: &Conditions) -> Outcome {
    singles(on, false, |contender, place, old, new| contender.renew(place, old, new))
}

fn singles(on: &Conditions, is_near: bool, change: impl Fn(&mut dyn Singles, u32, &Aabb, &Aabb)) -> Outcome {
    let mut scene = on.scene();
    let mut boxes = boxes_of(&scene);
    let others = boxes_of(&Scene::new(on.scene, on.n, SEED + 1));
    let mut runners = runners(SINGLES, on, &boxes);
    let (mut answers, mut number) = (0, 0);
    for lap in 0..WARM_UP + on.frames {
        scene.step();
        let now = boxes_of(&scene);
        let places = (lap % ONE_IN.min(on.n)..on.n).step_by(ONE_IN);
        let changes: Vec<(u32, Aabb, Aabb)> = places
            .map(|place| {
                let new = if is_near { now[place] } else { others[(place + FARTHER * lap) % on.n] };
                (place as u32, boxes[place], new)
            })
            .collect();
        changes.iter().for_each(|&(place, _, new)| boxes[place as usize] = new);
        number = changes.len();
        let found = round_alike(&mut runners, None, |runner, found: &mut Tally| {
            runner.lap(on.clock, on.budget, |contender| {
                for (place, old, new) in &changes {
                    change(contender, *place, old, new);
                    contender.overlapping(old, found);
                }
            })
        });
        answers = found.map_or(answers, |found| found.count);
    }
    Outcome::of("change", &runners, number, answers as f64)
}
