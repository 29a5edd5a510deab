//! Random programs of edits and questions against plain A* on a grid of their own.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod common;
#[path = "common/program.rs"]
mod program;

use common::RULES;
use program::{Program, Step};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use quadrille_paths::{Cell, CellRect};

fn step(width: u32, height: u32) -> impl Strategy<Value = Step> {
    let cell = move || (0..width, 0..height).prop_map(|(x, y)| Cell::new(x, y));
    let rect = move || {
        (cell(), 1..=width.min(9), 1..=height.min(9)).prop_map(|(cell, w, h)| CellRect::new(cell.x, cell.y, w, h))
    };
    prop_oneof![
        4 => (cell(), any::<bool>()).prop_map(|(cell, free)| Step::Set(cell, free)),
        2 => (rect(), any::<bool>()).prop_map(|(rect, free)| Step::Fill(rect, free)),
        1 => (rect(), any::<u64>()).prop_map(|(rect, seed)| Step::Sprinkle(rect, seed)),
        1 => Just(Step::Maintain),
        1 => cell().prop_map(Step::Lead),
        8 => (cell(), cell()).prop_map(|(from, to)| Step::Ask(from, to)),
    ]
}

fn program() -> impl Strategy<Value = Program> {
    (
        prop_oneof![3 => 1..80_u32, 1 => 120..300_u32],
        prop_oneof![3 => 1..40_u32, 1 => 60..150_u32],
        any::<u64>(),
        0..5_u64,
    )
        .prop_flat_map(|(width, height, seed, walls)| {
            prop::collection::vec(step(width, height), 1..60).prop_map(move |steps| Program {
                width,
                height,
                seed,
                walls,
                steps,
            })
        })
}

proptest! {
    // The same cases in every run.
    #![proptest_config(ProptestConfig { cases: 200, rng_seed: RngSeed::Fixed(3), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_answer_equals_plain_astar_after_any_edits(program in program()) {
        for rule in RULES {
            program.check(rule);
        }
    }
}
