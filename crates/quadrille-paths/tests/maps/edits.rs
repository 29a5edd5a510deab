//! Random programs of edits and queries against plain A* on a grid of their own.

#[path = "common/program.rs"]
mod program;
#[path = "common/weighted_program.rs"]
mod weighted_program;

use crate::common::{self, RULES, noise, random_cell, random_grid, relaxed};
use program::{Program, Step};
use proptest::prelude::*;
use quadrille_paths::{
    AStar, Cell, CellRect, CostRule, FlowField, Grid, Length, PathMap, PathQueue, PathWatch, Scratch,
};

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
    // Different ones in every run, or those of PROPTEST_RNG_SEED.
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_answer_equals_plain_astar_after_any_edits(program in program()) {
        for rule in RULES {
            program.check(rule);
        }
    }
}

fn weighted_step(width: u32, height: u32) -> impl Strategy<Value = weighted_program::Step> {
    use weighted_program::{KINDS, Step};
    let cell = move || (0..width, 0..height).prop_map(|(x, y)| Cell::new(x, y));
    let rect = (cell(), 1..9_u32, 1..9_u32).prop_map(|(cell, w, h)| CellRect::new(cell.x, cell.y, w, h));
    prop_oneof![
        3 => (rect, 0..KINDS).prop_map(|(rect, kind)| Step::Fill(rect, kind)),
        4 => (cell(), 0..KINDS).prop_map(|(cell, kind)| Step::Fill(CellRect::new(cell.x, cell.y, 1, 1), kind)),
        1 => cell().prop_map(Step::Lead),
        16 => (cell(), cell()).prop_map(|(from, to)| Step::Ask(from, to)),
    ]
}

fn weighted_program() -> impl Strategy<Value = weighted_program::Program> {
    let sides = (1..40_u32, 1..24_u32);
    let sizes = (1..9_u32, 1..4_u32);
    (sides, any::<u64>(), sizes, [0..6_u32, 0..6, 0..6], 0..60_usize).prop_flat_map(
        |((width, height), seed, (patch, size), weights, class_at)| {
            let steps = prop::collection::vec(weighted_step(width, height), 1..60);
            steps.prop_map(move |steps| weighted_program::Program {
                width,
                height,
                seed,
                patch,
                size,
                weights,
                class_at,
                steps,
            })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_answer_on_weighted_terrain_is_the_least_cost_after_any_edits(program in weighted_program()) {
        for rule in RULES {
            program.check(rule);
        }
    }
}

/// A map of few cells with everything that follows its edits: one field for each goal, and watches on the paths from
/// one cell.
struct Tiny {
    map: PathMap,
    fields: Vec<FlowField>,
    watches: Vec<(quadrille_paths::Path, PathWatch)>,
    scratch: Scratch,
    edits: u32,
}

impl Tiny {
    fn new(width: u32, height: u32, rule: CostRule) -> Self {
        let map = PathMap::new(Grid::blocked(width, height).unwrap(), rule);
        let bounds = map.grid().bounds();
        let fields = bounds.cells().map(|goal| FlowField::new(&map, goal, bounds)).collect();
        Self { map, fields, watches: Vec::new(), scratch: Scratch::new(), edits: 0 }
    }

    /// Flips a cell, and checks everything; only every few of the starts.
    fn flip(&mut self, number: u32, each: u32) {
        let (width, rule) = (self.map.grid().width(), self.map.rule());
        let cell = Cell::new(number % width, number / width);
        assert!(self.map.set(cell, !self.map.grid().is_free(cell)));
        self.edits += 1;
        if self.edits % 7 == 0 {
            self.map.maintain();
        }
        self.map.validate().unwrap();
        for field in &mut self.fields {
            field.repair(&self.map);
        }
        for (path, watch) in &mut self.watches {
            assert_eq!(watch.check(&self.map), first_fault(self.map.grid(), rule, path.cells()), "{path:?}");
        }
        self.watches.clear();
        let is_asked = |place: u32| (place + self.edits) % each == 0;
        let cells: Vec<Cell> = self.map.grid().bounds().cells().collect();
        for (place, from) in (0..).zip(&cells).filter(|(place, _)| is_asked(*place)) {
            let expected = lengths_from(self.map.grid(), rule, *from);
            for ((to, expected), field) in cells.iter().zip(expected).zip(&self.fields) {
                let path = self.map.path(*from, *to, &mut self.scratch);
                assert_eq!(path.as_ref().map(quadrille_paths::Path::length), expected, "{rule:?} {from} {to} {self:?}");
                assert_eq!(field.length(*from), expected, "{rule:?} the field from {from} to {to} {self:?}");
                let Some(path) = path else { continue };
                assert_eq!(first_fault(self.map.grid(), rule, path.cells()), None, "{rule:?} {path:?}");
                assert_eq!((path.cells().first(), path.cells().last()), (Some(from), Some(to)));
                if place % 4 == self.edits % 4 {
                    self.watches.push((path.clone(), PathWatch::new(&self.map, &path)));
                }
            }
        }
    }
}

/// The map in rows.
impl core::fmt::Debug for Tiny {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let grid = self.map.grid();
        for y in 0..grid.height() {
            let row = (0..grid.width()).map(|x| if grid.is_free(Cell::new(x, y)) { '.' } else { '#' });
            writeln!(out, "{}", row.collect::<String>())?;
        }
        Ok(())
    }
}

/// The rules, written independently: the end is free, and so are enough of the cells beside a diagonal step.
fn is_legal(grid: &Grid, rule: CostRule, from: Cell, to: Cell) -> bool {
    let beside = [Cell::new(from.x, to.y), Cell::new(to.x, from.y)];
    let free = beside.iter().filter(|cell| grid.is_free(**cell)).count();
    let is_diagonal = from.x != to.x && from.y != to.y;
    let needed = match rule {
        CostRule::Octile => 2,
        CostRule::OctileOneSide => 1,
        CostRule::OctileCutting => 0,
        CostRule::Manhattan => 3,
    };
    grid.is_free(from) && grid.is_free(to) && (!is_diagonal || free >= needed)
}

/// The cell after which the first step of a path is illegal, or the first cell, if it is blocked.
fn first_fault(grid: &Grid, rule: CostRule, cells: &[Cell]) -> Option<Cell> {
    let broken = cells.windows(2).find(|pair| !is_legal(grid, rule, pair[0], pair[1]));
    if grid.is_free(cells[0]) { broken.map(|pair| pair[0]) } else { Some(cells[0]) }
}

/// Of every cell, the least length from one.
fn lengths_from(grid: &Grid, rule: CostRule, from: Cell) -> Vec<Option<Length>> {
    relaxed(grid, from, |cell, _, next| {
        let is_straight = u32::from(cell.x == next.x || cell.y == next.y);
        is_legal(grid, rule, cell, next).then_some(Length { straight: is_straight, diagonal: 1 - is_straight })
    })
}

/// All maps of three by three cells, and every edit of one cell from one map to another, in both directions.
#[test]
fn every_edit_of_every_map_of_nine_cells_leaves_everything_exact() {
    for rule in RULES {
        let mut tiny = Tiny::new(3, 3, rule);
        // From map to map by one cell each, in the order of Gray's code.
        for step in 1..=512_u32 {
            let gray = (step - 1) ^ (step - 1) >> 1;
            for number in (0..9).filter(|number| gray >> number & 1 == 0) {
                tiny.flip(number, 1);
                tiny.flip(number, 3);
            }
            if step < 512 {
                tiny.flip(step.trailing_zeros(), 3);
            }
        }
        assert_eq!(tiny.edits, 2 * 9 * 256 + 511);
    }
}

/// All maps of four by three cells, from each to the next by one edit.
#[test]
fn every_map_of_twelve_cells_is_exact_after_an_edit() {
    for rule in RULES {
        let mut tiny = Tiny::new(4, 3, rule);
        (1..4096_u32).for_each(|step| tiny.flip(step.trailing_zeros(), 4));
    }
}

#[test]
fn paths_are_exact_where_edits_have_few_searches_between_them_and_where_they_have_many() {
    let (mut astar, mut scratch, mut kept, mut stored) = (AStar::new(), Scratch::new(), 0, 0);
    for (rule, seed) in RULES.into_iter().flat_map(|rule| (0..10).map(move |seed| (rule, seed))) {
        let mut map = PathMap::new(random_grid(57, 43, seed, 1 + seed % 3), rule);
        let (mut queue, mut asked) = (PathQueue::new(), Vec::new());
        for step in 0..160_u32 {
            let at = |what: u32| random_cell(map.grid(), seed, 16 * step + what);
            let (cell, ends) = (at(0), [1, 3, 5, 7, 9, 11].map(|what| (at(what), at(what + 1))));
            if noise(cell, 3) % 4 > 0 {
                map.set(cell, !map.grid().is_free(cell));
            } else {
                map.edit(CellRect::new(cell.x, cell.y, 4, 3), |cell| noise(cell, u64::from(step)) % 3 > 0);
            }
            let (before, mut expanded) = (map.bytes(), 0);
            // In turn: some edits with none to two searches each, and some with up to six.
            let searches = noise(cell, 5) as usize % if step / 20 % 2 == 0 { 3 } else { 7 };
            for (from, to) in ends.into_iter().take(searches) {
                let shortest = astar.path(map.grid(), rule, from, to).map(|path| path.length());
                let path = map.path(from, to, &mut scratch);
                assert_eq!(
                    path.as_ref().map(quadrille_paths::Path::length),
                    shortest,
                    "{rule:?} {seed} {step}: {from} {to}"
                );
                assert!(path.is_none_or(|path| path.validate(map.grid(), rule).is_ok()), "{rule:?} {seed} {step}");
                expanded += scratch.expanded();
                if noise(from, 7) % 8 == 0 {
                    map.maintain();
                }
            }
            // Searches that examine this many corners would reach one that has to be rescanned.
            if step / 20 % 2 == 0 && expanded > 100 {
                (kept, stored) =
                    (kept + usize::from(map.bytes() == before), stored + usize::from(map.bytes() > before));
            }
            if step % 5 == 0 {
                map.validate().unwrap();
                asked.push((queue.push(ends[5].0, ends[5].1), ends[5]));
            }
            queue.run(&map, 3, |ticket, path| {
                let (_, (from, to)) = asked[asked.iter().position(|(asked, _)| *asked == ticket).unwrap()];
                let shortest = astar.path(map.grid(), rule, from, to);
                assert_eq!(
                    path.map(|path| path.length()),
                    shortest.map(|path| path.length()),
                    "{rule:?} {seed} {step}"
                );
            });
        }
    }
    assert!(kept > 4 * stored, "{kept} {stored}");
}
