//! Random programs of edits and questions against plain A* on a grid of their own.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod common;

use common::{RULES, is_free, random_grid};
use proptest::prelude::*;
use quadrille_paths::{AStar, Cell, CellRect, CostRule, Path, PathMap, Scratch};

#[derive(Clone, Debug)]
enum Step {
    Set(Cell, bool),
    Fill(CellRect, bool),
    Sprinkle(CellRect, u64),
    Maintain,
    Ask(Cell, Cell),
}

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
        8 => (cell(), cell()).prop_map(|(from, to)| Step::Ask(from, to)),
    ]
}

#[derive(Clone, Debug)]
struct Program {
    width: u32,
    height: u32,
    seed: u64,
    walls: u64,
    steps: Vec<Step>,
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

fn check(program: &Program, rule: CostRule) {
    let mut oracle = random_grid(program.width, program.height, program.seed, program.walls);
    let mut map = PathMap::new(oracle.clone(), rule);
    let (mut scratch, mut astar) = (Scratch::new(), AStar::new());
    for step in &program.steps {
        map.validate().unwrap();
        match *step {
            Step::Set(cell, free) => {
                map.set(cell, free);
                oracle.set(cell, free);
            }
            Step::Fill(rect, free) => {
                map.fill(rect, free);
                oracle.fill(rect, free);
            }
            Step::Sprinkle(rect, seed) => {
                map.edit(rect, |cell| is_free(cell, seed, 3));
                for cell in rect.cells() {
                    oracle.set(cell, is_free(cell, seed, 3));
                }
            }
            Step::Maintain => map.maintain(),
            Step::Ask(from, to) => {
                let expected = astar.path(&oracle, rule, from, to);
                let found = map.path(from, to, &mut scratch);
                assert_eq!(map.is_reachable(from, to), expected.is_some(), "{from} {to}");
                let length = |path: &Option<Path>| path.as_ref().map(Path::length);
                assert_eq!(length(&found), length(&expected), "{rule:?} {from} {to}");
                if let Some(path) = found {
                    path.validate(&oracle, rule).unwrap();
                    assert_eq!((path.cells().first(), path.cells().last()), (Some(&from), Some(&to)));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_answer_equals_plain_astar_after_any_edits(program in program()) {
        for rule in RULES {
            check(&program, rule);
        }
    }
}
