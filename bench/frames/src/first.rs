//! The first frame: new boxes, all their pairs, nothing kept.

use quadrille::{FrameTree, Index};

use crate::conditions::{Conditions, boxes_of};
use crate::contenders::{BUILD, EntrantAnew, FIRST, Frames};
use crate::outcome::{Outcome, agree, expected};
use crate::race::{Runner, WARM_UP, round, runners, with_entrants};

/// Building and all pairs.
pub fn first(on: &Conditions) -> Outcome {
    let anew = |one| Box::new(EntrantAnew(one)) as Box<dyn Frames>;
    from_nothing(on, with_entrants(FIRST, on, &[], |_| true, anew), true)
}

/// Building alone.
pub fn build(on: &Conditions) -> Outcome {
    from_nothing(on, runners(BUILD, on, &[]), false)
}

fn from_nothing(on: &Conditions, mut runners: Vec<Runner<dyn Frames>>, with_pairs: bool) -> Outcome {
    let mut scene = on.scene();
    let (mut answers, mut number) = (0, 0);
    for _ in 0..WARM_UP + on.frames {
        let boxes = boxes_of(&scene);
        number = boxes.len();
        let reference = Index::<FrameTree>::from_boxes(&boxes).expect("scenes are valid");
        let expected = if with_pairs { expected(&reference, &boxes) } else { Default::default() };
        drop(reference);
        answers = expected[0].count;
        round(
            &mut runners,
            |runner, pairs| runner.lap(on.clock, on.budget, |contender| contender.frame(&boxes, pairs)),
            |runner, pairs| agree(runner, pairs, expected),
        );
        scene.step();
    }
    Outcome::of("box", &runners, number, answers as f64)
}
