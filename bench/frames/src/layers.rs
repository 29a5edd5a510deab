//! Whole frames of boxes with layers.

use quadrille::{Agreement, FrameTree, Index, Layers};

use crate::conditions::{Conditions, boxes_of};
use crate::contenders::{LAYERED, LAYERED_APART};
use crate::outcome::Outcome;
use crate::race::{WARM_UP, round_alike, runners};
use crate::tally::Tally;

/// Two kinds that meet themselves and each other: layers prune nothing. They change in every frame.
pub fn kinds(on: &Conditions) -> Outcome {
    layered(on, true, |place, frame| Layers { own: 1 << ((place + frame) % 2), mask: 3 })
}

/// Nine in ten are bullets, which meet the others alone. Layers change in every frame.
pub fn bullets(on: &Conditions) -> Outcome {
    layered(on, true, |place, frame| bullet(place + frame))
}

/// The same, with layers that stay as they are.
pub fn stay(on: &Conditions) -> Outcome {
    layered(on, true, |place, _| bullet(place))
}

/// Pairs alone, of bullets and others.
pub fn pairs(on: &Conditions) -> Outcome {
    layered(on, false, |place, _| bullet(place))
}

fn bullet(number: usize) -> Layers {
    if number.is_multiple_of(10) { Layers { own: 2, mask: 1 } } else { Layers { own: 1, mask: 2 } }
}

fn layered(on: &Conditions, with_update: bool, of: fn(usize, usize) -> Layers) -> Outcome {
    let mut scene = on.scene();
    let first = boxes_of(&scene);
    let mut runners = runners(LAYERED, on, &first);
    runners.retain(|runner| !with_update || runner.name != LAYERED_APART);
    let mut reference = Index::<FrameTree>::from_boxes(&first).expect("scenes are valid");
    let mut answers = 0;
    for frame in 0..WARM_UP + on.frames {
        scene.step();
        let boxes = boxes_of(&scene);
        let layers: Vec<Layers> = (0..on.n).map(|place| of(place, frame)).collect();
        reference.update_all(&boxes).expect("scenes are valid");
        let mut expected = Tally::default();
        let meet = |(a, b): &(u32, u32)| layers[*a as usize].meets(layers[*b as usize], Agreement::Both);
        reference.pairs().filter(meet).for_each(|(a, b)| expected.pair(a, b));
        answers = expected.count;
        round_alike(&mut runners, Some(expected), |runner, pairs| {
            if !with_update {
                runner.beside_the_clock(|contender| contender.update(&boxes, &layers));
            }
            runner.lap(on.clock, on.budget, |contender| {
                if with_update {
                    contender.update(&boxes, &layers);
                }
                contender.pairs(pairs);
            })
        });
    }
    Outcome::of("box", &runners, on.n, answers as f64)
}
