//! The first frame: new boxes, all their pairs, nothing kept.

use quadrille::{FrameTree, Index};

use crate::conditions::{Conditions, boxes_of};
use crate::contenders::{BUILD, Entry, FIRST, Frames};
use crate::outcome::{Outcome, agree, expected};
use crate::race::{WARM_UP, runners};
use crate::tally::Tally;

/// Building and all pairs.
pub fn first(on: &Conditions) -> Outcome {
    from_nothing("first", on, FIRST, true)
}

/// Building alone.
pub fn build(on: &Conditions) -> Outcome {
    from_nothing("build", on, BUILD, false)
}

fn from_nothing(task: &'static str, on: &Conditions, entries: &[Entry<dyn Frames>], with_pairs: bool) -> Outcome {
    let mut scene = on.scene();
    let mut runners = runners(entries, on, &[]);
    let (mut answers, mut number) = (0, 0);
    for frame in 0..WARM_UP + on.frames {
        let mut boxes = boxes_of(&scene);
        on.variation.order.apply(&mut boxes, &scene.world());
        number = boxes.len();
        let reference = Index::<FrameTree>::from_boxes(&boxes).expect("scenes are valid");
        let expected = if with_pairs { expected(&reference, &boxes) } else { Default::default() };
        drop(reference);
        answers = expected[0].count;
        let next = usize::from(frame > 0 && runners.len() > 1);
        runners.rotate_left(next);
        for runner in &mut runners {
            let mut pairs = Tally::default();
            if runner.lap(on.clock, on.budget, |contender| contender.frame(&boxes, &mut pairs)).is_some() {
                agree(runner.name, runner.touching, pairs, expected);
            }
        }
        scene.step();
    }
    let figures = runners.iter().map(|runner| runner.figures(number)).collect();
    Outcome { task, unit: "box", answers: answers as f64 / number as f64, figures }
}
