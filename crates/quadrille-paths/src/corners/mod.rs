//! The corners of a map with links between them: a graph that contains a shortest path between any two cells, and that
//! stays correct under edits.
//!
//! Block-based jump point search scans the map repeatedly. Here the results of these scans are stored: for each corner
//! and each direction in which a shortest path may leave it (see [`turns`](crate::walks::turns)), the corners that can
//! be reached (see [`jump`](crate::walks::jump)) and the length of the diagonal. A search reads them instead of the
//! map.
//!
//! An edit invalidates only scans that saw it. The lengths of the diagonals tell which, after one scan around the edit
//! (see [`views`](crate::corners::views)). These are marked as stale, together with the range of diagonal steps
//! affected. The first search that reaches a stale corner rescans those steps and stores the result for all later
//! searches, on any thread. The next edit, or [`Corners::settle`], moves the results to the other links. So an edit
//! never costs later searches more than a search without stored scans pays for the same corners.
//!
//! On a small map, finding out which scans saw an edit takes longer than a search that scans for itself. So if there
//! are few searches between edits, everything becomes stale, and searches store nothing until there are more of them.
//!
//! Taut paths read nothing that is stored here. If only these are searched for between edits, finding out which scans
//! saw an edit is left until the first edit after a search of another kind. Until then, such searches use scans of their
//! own: the first that reaches a corner makes it, for all later ones and for that edit to store.
//!
//! | file | what it knows |
//! |---|---|
//! | this one | all corners and links |
//! | `link` | one link, and the links of a corner for a search |
//! | `upkeep` | what edits do to them |
//! | `stored` | where links are, and how gaps among them are closed |
//! | `stale` | corners whose links may be out of date, and their new scans |
//! | `tiles` | corners by tile, and which of them an edit can affect |
//! | `views` | from where an edited rectangle is seen |
//! | `validate` | checks of everything that is stored |

mod link;
mod stale;
mod stored;
mod tiles;
mod upkeep;
mod validate;
mod views;

pub(crate) use link::{Exits, Link};
pub(crate) use stale::Found;

use std::sync::OnceLock;

use crate::grid::Grid;
use crate::grid::bitmap::Bitmap;
use crate::grid::cell::{Cell, CellRect, Direction};
use crate::grid::cost::CostRule;
use crate::grid::fixed::Fixed;
use crate::landmarks::corners::{CornerLandmarks, GoalRange};
use crate::landmarks::growing::Growing;
use crate::walks::jump::{Changed, Walks};
use crate::walks::turns::{Directions, Turns, turns};
use link::UpTo;
use stale::{Scanned, Stale, Visited};
use tiles::{TILE, Tile};
use upkeep::{FEW_SEARCHES, RESTLESS};

/// The number of a cell that is not a corner.
const NONE: u32 = u32::MAX;

/// When a map is made, room is left for one more corner or link per this many: without it the first edit moves all of
/// them, which takes 8 ms on 1024 x 1024 cells of noise; with it that happens after some twenty edits of 3,000 cells.
/// More room takes more memory.
const SPARE: usize = 32;

/// With this many links, or corners, moving all of them in one go takes a millisecond or more. Smaller in tests, so
/// that it happens there.
const MANY_LINKS: usize = if cfg!(test) { 256 } else { 1 << 19 };
const MANY_CORNERS: usize = MANY_LINKS / 8;

/// How many steps of diagonals are scanned per cell when a map is made. On most maps that is enough for all corners;
/// where they are few and see across a large map, the rest is left to searches. Smaller in tests, so that it happens
/// there.
const MOST_STEPS_A_CELL: usize = if cfg!(test) { 1 } else { 4 };

/// How many cells a landmark's sweep visits while a search examines a corner.
const CELLS_A_CORNER: usize = 16;

/// How many steps of diagonals are scanned around a goal at a time, and how many corners suffice to tell how far it is
/// from landmarks.
const STRIDE: u16 = 4;
const ENOUGH: usize = 8;

/// A set of quadrants, one bit each: north-east, south-east, south-west, north-west. Each includes the straight
/// direction clockwise of it.
type Quadrants = u8;

/// The quadrant of a direction.
const fn quadrant(direction: Direction) -> usize {
    (direction as usize + 7) % 8 / 2
}

/// One corner: 32 bytes, two per cache line, because searches are memory-bound.
#[derive(Clone, Copy, Debug, Default)]
struct Corner {
    /// Where its links start, in the space given by the highest bit; while stale, the number of its [`Stale`].
    first_link: u32,
    /// By direction, how many links there are in this one and those before it; the last is the total.
    links_up_to: [u16; 8],
    /// By quadrant, how many steps along the diagonal are legal.
    diagonals: [u16; 4],
    /// Quadrants whose stored links may be out of date.
    stale: Quadrants,
    walls: u8,
}

const _: () = assert!(size_of::<Corner>() == 32);

/// All corners and links.
#[derive(Clone, Debug)]
pub(crate) struct Corners {
    rule: CostRule,
    turns: &'static Turns,
    /// Walls by columns; the grid has them by rows.
    columns: Bitmap,
    /// The number of the corner in each cell, row by row.
    numbers: Vec<u32>,
    /// The cells of the corners by number, column and row; void where a number is free.
    ///
    /// Stored separately: a search reads the cells of more corners than it expands, and at four bytes each they stay in
    /// the fastest caches.
    cells: Vec<[u16; 2]>,
    /// The corners by number; void where a number is free.
    corners: Vec<Corner>,
    /// How many edits there were, and by corner the last one that may have changed it or what its scans see.
    edits: u64,
    changed: Vec<u64>,
    /// Numbers to be reused, the last freed first.
    free: Vec<u32>,
    /// Removed corners that stale links may still refer to.
    dead: Vec<u32>,
    /// Those of them whose numbers become free once all corners that were stale at a certain time have been rescanned,
    /// and which of these corners are left. What became stale later had no links to them.
    leaving: Vec<u32>,
    holding: Vec<u32>,
    /// The links of all corners, in the order in which they were stored, with gaps where they have become stale: in one
    /// of two spaces; while gaps are being closed, those of the tiles before the next one are in the other space.
    links: [Vec<Link>; 2],
    space: usize,
    next_tile: usize,
    /// How many of the links belong to a corner; the others are gaps.
    live_links: usize,
    /// All corners that are stale.
    stale: Vec<Stale>,
    visited: Visited,
    /// How many consecutive edits had few searches between them.
    restless: usize,
    /// Whether all corners are stale in all directions, and none has been rescanned: then edits need not find out which
    /// of them they affect. And the last edit that did not.
    is_all_stale: bool,
    last_unseen: u64,
    /// How many consecutive edits had only taut searches between them; and where the edits were that have not been matched
    /// with scans yet, at most `MOST_LEFT` + 1.
    taut_only: usize,
    left: Vec<CellRect>,
    /// The scans of searches since, once there was one.
    scanned: OnceLock<Scanned>,
    /// Row by row.
    tiles: Vec<Tile>,
    /// Tiles per row.
    tile_columns: u32,
    landmarks: CornerLandmarks,
    /// The next landmark, once it has been begun.
    growing: Option<Growing>,
}

impl Corners {
    /// Finds all corners and all links.
    pub(crate) fn new(grid: &Grid, rule: CostRule) -> Self {
        let tile_columns = grid.width().div_ceil(TILE);
        let mut corners = Self {
            rule,
            turns: turns(rule),
            columns: Bitmap::filled(grid.height(), grid.width()),
            numbers: vec![NONE; grid.count()],
            cells: Vec::new(),
            corners: Vec::new(),
            edits: 0,
            changed: Vec::new(),
            free: Vec::new(),
            dead: Vec::new(),
            leaving: Vec::new(),
            holding: Vec::new(),
            links: [const { Vec::new() }; 2],
            space: 0,
            next_tile: usize::MAX,
            live_links: 0,
            stale: Vec::new(),
            visited: Visited::default(),
            restless: RESTLESS - 1,
            is_all_stale: false,
            last_unseen: 0,
            taut_only: 0,
            left: Vec::new(),
            scanned: OnceLock::new(),
            tiles: vec![Tile::default(); tile_columns as usize * grid.height().div_ceil(TILE) as usize],
            tile_columns,
            landmarks: CornerLandmarks::default(),
            growing: None,
        };
        for tile in grid.bounds().tiles(TILE) {
            corners.update_columns(grid, tile);
            corners.update_cells(grid, tile);
        }
        // All are new and so stale, which would suffice; but a map is queried more often than it is made.
        let all: Vec<u32> = (0..corners.corners.len() as u32).rev().collect();
        corners.renew(grid, &all, MOST_STEPS_A_CELL * grid.count());
        corners.shrink();
        corners
    }

    /// Releases memory, except what some edits need: otherwise the first edit would move everything to get it.
    fn shrink(&mut self) {
        let with_spare = |len: usize| len + len / SPARE;
        self.corners.shrink_to(with_spare(self.corners.len()));
        self.cells.shrink_to(with_spare(self.cells.len()));
        self.changed.shrink_to(with_spare(self.changed.len()));
        self.links[0].shrink_to(with_spare(self.links[0].len()));
        self.tiles.iter_mut().for_each(|tile| tile.corners.shrink_to_fit());
    }

    /// Every corner's number is smaller than this.
    pub(crate) fn count_numbers(&self) -> usize {
        self.corners.len()
    }

    /// How many corners there are.
    pub(crate) fn count(&self) -> usize {
        self.corners.len() - self.free.len() - self.dead.len() - self.leaving.len()
    }

    /// The cell of a corner.
    #[inline]
    pub(crate) fn cell(&self, number: u32) -> Cell {
        let [x, y] = self.cells[number as usize];
        Cell::new(u32::from(x), u32::from(y))
    }

    /// The directions out of a corner that a shortest path may take after these last steps.
    #[inline]
    pub(crate) fn directions_on(&self, number: u32, arrivals: Directions) -> Directions {
        let turns = &self.turns[usize::from(self.corners[number as usize].walls)];
        Direction::places(arrivals).fold(0, |directions, arrival| directions | turns[arrival])
    }

    /// The directions out of a corner with their links.
    #[inline(always)]
    pub(crate) fn exits(&self, grid: &Grid, number: u32) -> Exits<'_> {
        let corner = &self.corners[number as usize];
        if !self.left.is_empty() {
            self.scanned(grid, number).exits()
        } else if corner.stale == 0 {
            let links = self.links_from(corner.first_link, corner.count());
            Exits { links, links_up_to: UpTo::Stored(&corner.links_up_to), diagonals: &corner.diagonals }
        } else {
            let stale = &self.stale[corner.first_link as usize];
            let found = stale.found.get_or_init(|| self.look_again(grid, number));
            found.exits()
        }
    }

    /// Records a search.
    #[inline]
    pub(crate) fn note_begin(&self) {
        self.visited.note();
    }

    /// Records a search for a taut path.
    pub(crate) fn note_taut(&self) {
        self.visited.note_taut();
    }

    /// Whether searches are to scan for themselves and store nothing.
    #[inline]
    pub(crate) fn are_scanned(&self) -> bool {
        self.is_all_stale && self.visited.searches() <= FEW_SEARCHES
    }

    /// What walks read.
    pub(crate) fn walks<'a>(&'a self, grid: &'a Grid) -> Walks<'a> {
        Walks { rule: self.rule, rows: grid.walls(), columns: &self.columns }
    }

    /// Whether a corner has existed, and its scans have seen no change, since the given number of edits.
    pub(crate) fn is_as_after(&self, edits: u64, number: u32) -> bool {
        self.changed[number as usize] <= edits && self.last_unseen <= edits
    }

    /// How often landmarks have been removed.
    pub(crate) const fn landmarks_removed(&self) -> u64 {
        self.landmarks.removed()
    }

    /// The number of the corner in a cell on the map.
    pub(crate) fn number(&self, grid: &Grid, cell: Cell) -> Option<u32> {
        Some(self.numbers[grid.index(cell)]).filter(|number| *number != NONE)
    }

    /// How many landmarks there are.
    pub(crate) const fn landmarks(&self) -> usize {
        self.landmarks.count()
    }

    /// Records how many corners a search for one goal has examined.
    #[inline]
    pub(crate) fn note_search(&self, corners: u64, has_asked: bool) {
        self.landmarks.note_search(corners, has_asked);
    }

    /// Records that landmarks were requested.
    pub(crate) const fn ask_for_landmarks(&mut self) {
        self.landmarks.ask_for();
    }

    /// Whether one more landmark would speed up searches. Drops all of them if they do not pay.
    pub(crate) fn is_time_for_a_landmark(&mut self) -> bool {
        self.landmarks.is_time_for_one(self.landmark_cost())
    }

    /// The approximate cost of a landmark, in corners that a search could examine in that time: a visit to all cells,
    /// and a length for each corner.
    fn landmark_cost(&self) -> usize {
        self.numbers.len() / CELLS_A_CORNER + self.count() / 2
    }

    /// How far goals are from each landmark, for a search that is to use them.
    pub(crate) fn asked(&self, grid: &Grid, from: Cell, goals: impl Iterator<Item = Cell>) -> Option<GoalRange> {
        let mut goals = goals.peekable();
        let is_use = self.landmarks.are_to_be_asked(from, *goals.peek()?);
        is_use.then(|| goals.map(|goal| self.range(grid, goal)).reduce(GoalRange::with)).flatten()
    }

    /// Begins to make a free cell a landmark.
    pub(crate) fn begin_landmark(&mut self, grid: &Grid, cell: Cell) {
        self.growing = Some(Growing::new(grid, &self.columns, cell));
    }

    /// Whether a landmark has been begun and is not finished.
    pub(crate) const fn is_landmark_begun(&self) -> bool {
        self.growing.is_some()
    }

    /// Goes on making a landmark, for about as long as examining this many corners takes.
    pub(crate) fn go_on_with_landmark(&mut self, grid: &Grid, corners: usize) {
        let (rule, most) = (self.rule, corners.saturating_mul(CELLS_A_CORNER));
        let Some(done) = self.growing.take_if(|growing| growing.go_on(rule, most)) else { return };
        let is_live = |cell: &Cell| grid.contains(*cell) && done.grid().is_free(*cell);
        let length = |number| {
            let cell = Some(self.cell(number)).filter(is_live);
            cell.filter(|cell| self.number(grid, *cell) == Some(number)).map_or(Fixed::MAX, |cell| done.length(cell))
        };
        let lengths: Vec<Fixed> = (0..self.corners.len() as u32).map(length).collect();
        self.landmarks.add(done.grid(), &lengths);
    }

    /// How far a goal is from each landmark, judged by a few corners near it: scanning everything that it sees would
    /// cost as much as half a search.
    fn range(&self, grid: &Grid, goal: Cell) -> GoalRange {
        let (walks, mut seen) = (self.walks(grid), vec![goal]);
        let mut open: Vec<Direction> = self.rule.first_directions().collect();
        for first in (0..u16::MAX - STRIDE).step_by(STRIDE.into()) {
            let changed = Changed { first: first + 1, last: first + STRIDE, diagonal: u16::MAX };
            open.retain(|direction| walks.go_again(goal, *direction, changed, |cell, _| seen.push(cell)).1);
            if open.is_empty() || seen.len() > ENOUGH {
                break;
            }
        }
        let number = |cell: Cell| Some((self.number(grid, cell)?, Fixed::of(self.rule.distance(cell, goal))));
        self.landmarks.range(seen.into_iter().filter_map(number))
    }

    /// Landmark lower bound on the distance from a corner to a goal.
    #[inline]
    pub(crate) fn bound(&self, number: u32, goal: &GoalRange) -> Fixed {
        self.landmarks.bound(number, goal)
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let scanned = self.scanned.get().into_iter().flatten();
        let found = self.stale.iter().map(|stale| &stale.found).chain(scanned).filter_map(OnceLock::get);
        let found: usize = found.map(|found| size_of::<Found>() + found.bytes()).sum();
        let listed: usize = self.tiles.iter().map(|tile| tile.corners.capacity()).sum();
        self.columns.bytes()
            + size_of::<u32>() * (self.numbers.capacity() + self.free.capacity() + self.dead.capacity() + listed)
            + size_of::<u32>() * (self.leaving.capacity() + self.holding.capacity())
            + size_of::<[u16; 2]>() * self.cells.capacity()
            + size_of::<Corner>() * self.corners.capacity()
            + size_of::<u64>() * self.changed.capacity()
            + size_of::<Link>() * self.links.iter().map(Vec::capacity).sum::<usize>()
            + size_of::<Stale>() * self.stale.capacity()
            + size_of::<CellRect>() * self.left.capacity()
            + size_of::<OnceLock<Box<Found>>>() * self.scanned.get().map_or(0, Vec::len)
            + size_of_val(&self.tiles[..])
            + self.landmarks.bytes()
            + self.growing.as_ref().map_or(0, Growing::bytes)
            + found
    }
}

impl Corner {
    /// The number of stored links.
    fn count(&self) -> usize {
        usize::from(self.links_up_to[7])
    }
}

#[cfg(test)]
mod tests {
    use super::stored::MOST_LINKS;
    use super::upkeep::A_FEW;
    use super::*;
    use crate::grid::lengths::Lengths;
    use crate::walks::sweep::Swept;

    /// A pseudo-random bit for a cell and a seed.
    fn is_free(cell: Cell, seed: u32, eighths: u32) -> bool {
        let mixed = (cell.x * 0x9e37 + cell.y * 0x85eb + seed * 0xc2b3).wrapping_mul(0x27d4_eb2f);
        (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 13 & 7 >= eighths
    }

    #[test]
    fn after_each_edit_what_is_not_stale_is_right_and_so_is_what_is_found_again() {
        let (mut most_stale, mut too_many) = (0, 0);
        for (seed, rule) in (0..9).flat_map(|seed| {
            [CostRule::Octile, CostRule::OctileCutting, CostRule::OctileOneSide, CostRule::Manhattan]
                .map(|rule| (seed, rule))
        }) {
            let random = |step: u32, what: u32, below: u32| {
                let mixed = (step * 0x9e37 + what * 0x85eb + seed * 0xc2b3).wrapping_mul(0x27d4_eb2f);
                ((mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 13) % below
            };
            let is_free = |cell| is_free(cell, seed, 1) || seed % 3 > 0 && is_free(cell, 9, 1);
            let mut grid = Grid::from_fn(83, 49, is_free).unwrap();
            let mut corners = Corners::new(&grid, rule);
            for step in 0..100 {
                let is_single = random(step, 5, 4) > 0;
                let [width, height] = if is_single { [1, 1] } else { [random(step, 3, 6) + 1, random(step, 4, 5) + 1] };
                let rect = CellRect::new(random(step, 1, 83), random(step, 2, 49), width, height).clamped(83, 49);
                rect.cells().for_each(|cell| grid.set(cell, !grid.is_free(cell)));
                corners.update(&grid, rect);
                most_stale = most_stale.max(corners.stale.len());
                for number in 0..corners.count_numbers() as u32 {
                    // Some are reached by the next search, some later, some never.
                    if random(step, number, 3) == 0 && corners.corners[number as usize].stale != 0 {
                        too_many += usize::from(corners.exits(&grid, number).links.len() > MOST_LINKS);
                    }
                }
                corners.validate(&grid).unwrap_or_else(|fault| panic!("{rule:?} {seed} {step} {rect:?}: {fault}"));
                if random(step, 6, 8) == 0 {
                    corners.settle();
                    corners.validate(&grid).unwrap_or_else(|fault| panic!("{rule:?} {seed} {step} settled: {fault}"));
                }
            }
        }
        assert!(most_stale > 50 && too_many > 30, "{most_stale} {too_many}");
    }

    #[test]
    fn a_large_map_with_few_walls_leaves_scans_to_searches() {
        for rule in [CostRule::Octile, CostRule::Manhattan] {
            let grid = Grid::from_fn(600, 500, |cell| cell.x % 40 != 7 || cell.y % 30 != 5).unwrap();
            let mut corners = Corners::new(&grid, rule);
            // One that has been scanned is stored, or has too many links for that.
            let is_new = |corners: &Corners, stale: &Stale| corners.changed[stale.number as usize] == 0;
            let left = |corners: &Corners| corners.stale.iter().filter(|stale| is_new(corners, stale)).count();
            let at_first = left(&corners);
            assert!(at_first > 0 && at_first < corners.count(), "{rule:?}: {at_first} of {}", corners.count());
            for number in 0..corners.count_numbers() as u32 {
                corners.exits(&grid, number);
            }
            corners.settle();
            assert_eq!(left(&corners), 0, "{rule:?}");
            corners.validate(&grid).unwrap();
        }
    }

    #[test]
    fn no_edit_scans_many_corners_and_numbers_are_used_again() {
        for rule in [CostRule::Octile, CostRule::OctileCutting] {
            let (width, height) = (120, 90);
            let mut grid = Grid::open(width, height).unwrap();
            let mut corners = Corners::new(&grid, rule);
            let mut most = 0;
            for step in 0..3 * width * height {
                // Each cell, in an order without one, is blocked, freed, and blocked.
                let number = step * 7_919 % (width * height);
                let cell = Cell::new(number % width, number / width);
                grid.set(cell, step / (width * height) == 1);
                let before = corners.stale.len();
                corners.update(&grid, CellRect::new(cell.x, cell.y, 1, 1));
                assert!(
                    before <= corners.stale.len() + A_FEW + 9,
                    "{rule:?} {step}: {before}, {}",
                    corners.stale.len()
                );
                most = most.max(corners.count());
                if step % 2_003 == 0 {
                    corners.validate(&grid).unwrap_or_else(|fault| panic!("{rule:?} {step}: {fault}"));
                }
            }
            let numbers = corners.count_numbers();
            assert!(numbers < 2 * most + 2_000, "{rule:?}: {numbers} numbers for {most} corners");
        }
    }

    #[test]
    fn landmarks_bound_every_path_from_below_while_walls_come_and_go() {
        let mut tight = 0;
        for (seed, rule) in (0..4).flat_map(|seed| [CostRule::Octile, CostRule::OctileCutting].map(|rule| (seed, rule)))
        {
            let (width, height) = (113, 71);
            let grid = Grid::from_fn(width, height, |cell| is_free(cell, seed, 1)).unwrap();
            let (mut now, mut corners) = (grid.clone(), Corners::new(&grid, rule));
            let random = |step: u32, what: u32, below: u32| {
                let mixed = (step * 0x9e37 + what * 0x85eb + seed * 0xc2b3).wrapping_mul(0x27d4_eb2f);
                ((mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 13) % below
            };
            let cells = (0..100).map(|index| Cell::new(random(index, 8, width), random(index, 9, height)));
            for cell in cells.filter(|cell| grid.is_free(*cell)).take(6) {
                corners.begin_landmark(&grid, cell);
                while corners.is_landmark_begun() {
                    corners.go_on_with_landmark(&grid, 1 + seed as usize);
                }
            }
            for step in 0..150 {
                let rect = CellRect::new(random(step, 1, width), random(step, 2, height), 12, 9).clamped(width, height);
                // Walls, and then what was free before.
                rect.cells().for_each(|cell| now.set(cell, step % 3 == 0 && grid.is_free(cell)));
                corners.update(&now, rect);
                if step % 15 < 13 {
                    continue;
                }
                let goal = Cell::new(random(step, 3, width), random(step, 4, height));
                let mut swept = Swept::new(Lengths::none((width * height) as usize));
                if now.is_free(goal) {
                    swept.begin(now.index(goal), Fixed::ZERO);
                }
                swept.go_on(&now, corners.walks(&now), &(), usize::MAX);
                let lengths = swept.lengths;
                let range = corners.range(&now, goal);
                for cell in now.bounds().cells() {
                    let Some(number) = corners.number(&now, cell) else { continue };
                    let (bound, length) = (corners.bound(number, &range), lengths.get(now.index(cell)));
                    assert!(
                        !now.is_free(goal) || bound <= length,
                        "{rule:?} {seed} {step}: {cell} {goal} {bound:?} {length:?}"
                    );
                    tight += usize::from(bound.above(Fixed::of(rule.distance(cell, goal)), 0) > 0);
                }
            }
            assert_eq!(corners.landmarks(), 6);
        }
        assert!(tight > 5_000, "{tight}");
    }
}
