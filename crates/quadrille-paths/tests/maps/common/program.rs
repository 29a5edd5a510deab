//! Programs of edits and queries on a map, run beside plain A* on a grid of their own.

use quadrille_paths::{AStar, Cell, CellRect, CostRule, FlowField, Path, PathMap, PathWatch, Scratch};

use super::common::{is_free, random_grid};

/// One line of a program.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Set(Cell, bool),
    Fill(CellRect, bool),
    Sprinkle(CellRect, u64),
    Maintain,
    Ask(Cell, Cell),
    /// Make a field toward a cell, which from then on is repaired before each use.
    Lead(Cell),
}

/// A random map, and the steps applied to it.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) seed: u64,
    /// How many eighths of the cells are blocked at first.
    pub(crate) walls: u64,
    pub(crate) steps: Vec<Step>,
}

impl Program {
    /// Runs it; panics where an answer is not that of plain A*, a path is not legal, or `validate` finds a fault.
    pub(crate) fn check(&self, rule: CostRule) {
        let mut oracle = random_grid(self.width, self.height, self.seed, self.walls);
        let mut map = PathMap::new(oracle.clone(), rule);
        let (mut scratch, mut astar) = (Scratch::new(), AStar::new());
        let (mut field, mut watched) =
            (FlowField::to_nearest(&map, &[], map.grid().bounds()), None::<(Path, PathWatch)>);
        for step in &self.steps {
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
                Step::Lead(goal) => field = FlowField::new(&map, goal, map.grid().bounds()),
                Step::Ask(from, to) => {
                    let expected = astar.path(&oracle, rule, from, to);
                    let found = map.path(from, to, &mut scratch);
                    assert_eq!(map.is_reachable(from, to), expected.is_some(), "{from} {to}");
                    let length = |path: &Option<Path>| path.as_ref().map(Path::length);
                    assert_eq!(length(&found), length(&expected), "{rule:?} {from} {to}");
                    field.repair(&map);
                    let led = field.goals().first().and_then(|goal| astar.path(&oracle, rule, from, *goal));
                    assert_eq!(field.length(from), length(&led), "{rule:?} the field from {from}");
                    if let Some((path, watch)) = &mut watched {
                        assert_eq!(
                            watch.check(&map).is_none(),
                            path.validate(&oracle, rule).is_ok(),
                            "{rule:?} the watch"
                        );
                    }
                    watched = None;
                    if let Some(path) = found {
                        path.validate(&oracle, rule).unwrap();
                        assert_eq!((path.cells().first(), path.cells().last()), (Some(&from), Some(&to)));
                        watched = Some((path.clone(), PathWatch::new(&map, &path)));
                    }
                }
            }
        }
    }
}
