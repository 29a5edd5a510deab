//! The corners of a map with links between them: a graph that contains a shortest path between any two cells, and that
//! stays correct under edits.
//!
//! Block-based jump point search scans the map repeatedly. Here the results of these scans are stored: for each corner
//! and each direction in which a shortest path may leave it (see [`turns`](crate::walks::turns)), the corners that can
//! be reached (see [`jump`](crate::walks::jump)) and the length of the diagonal. A search reads them instead of the
//! map.
//!
//! An edit invalidates only scans that saw it. The lengths of the diagonals show which, after one scan around the edit
//! (see [`views`]). Their quadrants are marked as stale, together with the diagonal steps affected. The first search that
//! takes a direction in a stale quadrant rescans those steps and stores the result for all later searches, on any thread. The
//! next edit, or [`Corners::settle`], moves the results to the other links. So an edit never costs later searches more than a
//! search without stored scans pays for the same corners.
//!
//! On a small map, finding out which scans saw an edit takes longer than a search that scans for itself; and taut
//! searches read nothing that is stored here. [`policy`] says what an edit does then.
//!
//! Each file imports only files below it:
//!
//! | file | contents |
//! |---|---|
//! | `validate` | checks of everything that is stored |
//! | this one | all of them together: what a search reads, and what an edit does |
//! | `scan` | how the map is scanned out of a corner, afresh or again |
//! | `stale` | which scans may be out of date, and what searches have found instead |
//! | `store` | where links are stored, and how gaps among them are closed |
//! | `cells` | which corner is where, and which of them may see an edited rectangle |
//! | `backlog` | edits left for later, and the scans of searches meanwhile |
//! | `policy` | what an edit does about scans that may have seen it |
//! | `views` | from where an edited rectangle is seen |
//! | `link` | one corner, its links, and what a scan finds |
//! | `tuning` | how much is done at a time |

mod backlog;
mod cells;
mod link;
mod policy;
mod scan;
mod stale;
mod store;
#[cfg(test)]
mod tests;
mod tuning;
mod validate;
mod views;

use link::{ALL, Found, Quadrants, quadrants};
pub(crate) use link::{Exits, Link};

use crate::grid::{Bitmap, Cell, CellRect, CostRule, Direction, Fixed, Grid};
use crate::landmarks::{CornerLandmarks, GoalRange};
use crate::walks::{Changed, Directions, Turns, Walks, turns};
use backlog::Backlog;
use cells::{CornerCells, NONE, TILE};
use policy::{Do, EditPolicy, Searches};
use scan::Scanner;
use stale::StaleScans;
use store::LinkStore;
use tuning::Tuning;
use views::Views;

/// How many cells a landmark's sweep visits while a search examines a corner.
const CELLS_A_CORNER: usize = 16;

/// How many steps of diagonals are scanned around a goal at a time, and how many corners suffice to tell how far it is
/// from landmarks.
const STRIDE: u16 = 4;
const ENOUGH: usize = 8;

/// All corners and links.
#[derive(Clone, Debug)]
pub(crate) struct Corners {
    rule: CostRule,
    turns: &'static Turns,
    tuning: Tuning,
    /// Walls by columns; the grid has them by rows.
    columns: Bitmap,
    cells: CornerCells,
    links: LinkStore,
    stale: StaleScans,
    backlog: Backlog,
    policy: EditPolicy,
    /// How many searches there were since the last edit.
    pub(crate) searches: Searches,
    pub(crate) landmarks: CornerLandmarks,
}

/// What searches read.
impl Corners {
    /// Every corner's number is smaller than this.
    pub(crate) fn count_numbers(&self) -> usize {
        self.cells.corners.len()
    }

    /// How many corners there are.
    pub(crate) fn count(&self) -> usize {
        self.cells.count()
    }

    /// How many corners there are in and around a rectangle.
    pub(crate) fn count_near(&self, rect: CellRect) -> usize {
        self.cells.count_near(rect)
    }

    /// The number of the corner in a cell on the map.
    pub(crate) fn number(&self, grid: &Grid, cell: Cell) -> Option<u32> {
        Some(self.cells.numbers[grid.index(cell)]).filter(|number| *number != NONE)
    }

    /// The cell of a corner.
    #[inline]
    pub(crate) fn cell(&self, number: u32) -> Cell {
        self.cells.cell(number)
    }

    /// The directions out of a corner that a shortest path may take after these last steps.
    #[inline]
    pub(crate) fn directions_on(&self, number: u32, arrivals: Directions) -> Directions {
        let turns = &self.turns[usize::from(self.cells.corners[number as usize].walls)];
        Direction::places(arrivals).fold(0, |directions, arrival| directions | turns[arrival])
    }

    /// The directions out of a corner with their links.
    #[inline(always)]
    pub(crate) fn exits(&self, grid: &Grid, number: u32, directions: Directions) -> Exits<'_> {
        let corner = &self.cells.corners[number as usize];
        if !self.backlog.edits.is_empty() {
            self.backlog.found(number, self.count_numbers(), || self.scan_all(grid, number)).exits()
        } else {
            let stale = corner.stale & quadrants(directions);
            if stale == 0 { corner.exits(self.links.of(corner)) } else { self.found(grid, number, stale).exits() }
        }
    }

    /// Whether searches are to scan for themselves and store nothing.
    #[inline]
    pub(crate) fn are_scanned(&self) -> bool {
        self.stale.are_all && self.searches.seen().are_few()
    }

    /// Whether a corner has existed, and its scans have seen no change, since the given number of edits.
    pub(crate) fn is_as_after(&self, edits: u64, number: u32) -> bool {
        self.stale.is_as_after(edits, number)
    }

    /// What walks read.
    pub(crate) fn walks<'a>(&'a self, grid: &'a Grid) -> Walks<'a> {
        Walks { rule: self.rule, rows: grid.walls(), columns: &self.columns }
    }

    fn scanner<'a>(&'a self, grid: &'a Grid) -> Scanner<'a> {
        Scanner { grid, walks: self.walks(grid), cells: &self.cells }
    }

    /// Scans all directions out of a corner, whatever is stored.
    #[cold]
    fn scan_all(&self, grid: &Grid, number: u32) -> Found {
        let mut found = Found::default();
        self.scanner(grid).scan(number, self.cells.corners[number as usize].exits, &mut found);
        found
    }

    /// What some stale quadrants of a corner lead to.
    #[cold]
    fn found(&self, grid: &Grid, number: u32, asked: Quadrants) -> &Found {
        self.stale.found(number, asked, |quadrants| {
            let mut found = Found::for_links(self.cells.corners[number as usize].count());
            self.rescan_into(grid, number, quadrants, &mut found);
            found
        })
    }

    /// Scans some stale quadrants of a corner again.
    fn rescan_into(&self, grid: &Grid, number: u32, quadrants: Quadrants, found: &mut Found) {
        let corner = &self.cells.corners[number as usize];
        let (stale, links) = (self.stale.get(number), self.links.of(corner));
        let is_link = |link: &Link, quadrant| self.stale.is_link_of(stale, link, quadrant);
        self.scanner(grid).rescan(stale, (quadrants, links), is_link, found);
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.columns.bytes()
            + self.cells.bytes()
            + self.links.bytes()
            + self.stale.bytes()
            + self.backlog.bytes()
            + self.landmarks.bytes()
    }
}

/// What edits do.
impl Corners {
    /// Finds all corners and all links.
    pub(crate) fn new(grid: &Grid, rule: CostRule) -> Self {
        Self::tuned(grid, rule, Tuning::USUAL)
    }

    fn tuned(grid: &Grid, rule: CostRule, tuning: Tuning) -> Self {
        let mut corners = Self {
            rule,
            turns: turns(rule),
            tuning,
            columns: Bitmap::filled(grid.height(), grid.width()),
            cells: CornerCells::new(grid),
            links: LinkStore::default(),
            stale: StaleScans::default(),
            backlog: Backlog::default(),
            policy: EditPolicy::new(grid.count() <= tuning.max_small),
            searches: Searches::default(),
            landmarks: CornerLandmarks::default(),
        };
        for tile in grid.bounds().tiles(TILE) {
            corners.update_columns(grid, tile);
            corners.update_cells(grid, tile);
        }
        corners.scan_many(grid, tuning.steps_per_cell * grid.count());
        // Not all of it: otherwise the first edit would move everything to get some more.
        corners.cells.shrink();
        corners.links.shrink();
        corners.stale.shrink();
        corners
    }

    /// Scans corners, all of which are new and so stale, until this many diagonal steps have been scanned. Leaving all of
    /// them to searches would suffice; but a map is queried more often than it is made.
    fn scan_many(&mut self, grid: &Grid, max_steps: usize) {
        let (mut found, mut steps) = (Found::default(), 0);
        for number in (0..self.count_numbers() as u32).rev() {
            if steps > max_steps {
                break;
            }
            self.rescan_into(grid, number, ALL, &mut found);
            self.store(number, &found);
            steps += found.diagonals.iter().map(|steps| usize::from(*steps)).sum::<usize>();
        }
    }

    /// Brings everything up to date after cells in some rectangles on the map have changed, each of which counts as an
    /// edit. Links are only marked as stale.
    pub(crate) fn update(&mut self, grid: &Grid, rects: &[CellRect]) {
        let seen = self.searches.take();
        self.stale.begin_edits(rects.len());
        self.settle();
        if seen.count > 0 {
            self.catch_up(grid);
        }
        self.backlog.drop_scans();
        for rect in rects {
            self.landmarks.update(grid, *rect, self.landmark_cost());
            self.update_columns(grid, *rect);
            self.update_cells(grid, rect.widened(1, 1).clamped(grid.width(), grid.height()));
        }
        match self.policy.after_edit(seen, self.count()) {
            Do::Expire => self.expire_seen(grid, rects),
            Do::Forget => self.forget(),
            Do::Leave => {
                self.backlog.edits.extend_from_slice(rects);
                self.stale.note_all_changed();
            }
        }
    }

    /// Moves what searches have found at stale corners to the other links.
    pub(crate) fn settle(&mut self) {
        let found = self.stale.take_found();
        found.iter().for_each(|(number, found)| self.store(*number, found));
        self.close_gaps(found.len());
    }

    /// Marks the scans as stale that saw edits in the backlog, and stores what searches have scanned meanwhile. The map
    /// may have changed since such an edit: a scan sees the first changed cell in its path, and that is enough.
    pub(crate) fn catch_up(&mut self, grid: &Grid) {
        if self.backlog.edits.is_empty() {
            return;
        }
        let backlog = core::mem::take(&mut self.backlog);
        self.expire_seen(grid, &backlog.edits);
        let mut stored = 0;
        for (number, found) in backlog.into_found() {
            if self.cells.corners[number as usize].stale != 0 {
                self.store(number, &found);
                stored += 1;
            }
        }
        if stored > 0 {
            self.close_gaps(stored);
        }
    }

    /// Marks the scans that saw cells in some rectangles as stale.
    fn expire_seen(&mut self, grid: &Grid, rects: &[CellRect]) {
        let mut seeing = Vec::with_capacity(64);
        for rect in rects {
            self.stale.are_all = false;
            let views = Views::of(&self.walks(grid), grid, *rect);
            for quadrant in 0..4 {
                self.cells.list_seeing(&views, quadrant, &mut seeing);
                for (number, steps) in seeing.drain(..) {
                    let corner = &mut self.cells.corners[number as usize];
                    let stale = self.stale.expire(number, corner, 1 << quadrant);
                    steps.into_iter().flatten().for_each(|steps| stale.add(quadrant as u8, steps));
                }
            }
        }
        self.cells.free_dead();
    }

    /// Marks everything as stale, unless it is already. No link to a removed corner is left.
    fn forget(&mut self) {
        if !self.stale.are_all {
            self.cells.each(|number, corner| self.stale.expire_whole(number, corner, ALL));
            self.stale.are_all = true;
        }
        self.stale.note_all_changed();
        self.backlog = Backlog::default();
        self.cells.free_dead();
    }

    /// Stores fresh links of a stale corner, if there are not too many.
    fn store(&mut self, number: u32, found: &Found) {
        let corner = &mut self.cells.corners[number as usize];
        if self.links.store(corner, found, &self.tuning) {
            self.stale.renew(number, corner, found.renewed);
            self.stale.are_all = false;
            self.cells.note_diagonals(number);
        } else {
            self.stale.expire_for_good(number, corner);
        }
    }

    fn close_gaps(&mut self, stored: usize) {
        self.links.close_gaps(&mut self.cells, stored, &self.tuning);
    }

    /// Updates the walls by column in a rectangle on the map.
    fn update_columns(&mut self, grid: &Grid, rect: CellRect) {
        for cell in rect.cells() {
            self.columns.set(cell.y as usize + 1, cell.x as usize + 1, !grid.is_free(cell));
        }
    }

    /// Updates the corners in a rectangle on the map. One that is new, or whose surrounding walls have changed, is stale.
    fn update_cells(&mut self, grid: &Grid, rect: CellRect) {
        for y in rect.y..rect.y + rect.height {
            for (cell, is_free, walls) in grid.with_walls(y, rect.x..rect.x + rect.width) {
                let is_corner = is_free && self.rule.is_corner(walls);
                match (self.cells.numbers[grid.index(cell)], is_corner) {
                    (NONE, false) => {}
                    (NONE, true) => {
                        let number = self.cells.add(grid, cell);
                        self.cells.corners[number as usize].surround(self.turns, walls);
                        self.landmarks.forget(number);
                        self.stale.add(number, &mut self.cells.corners[number as usize]);
                    }
                    (number, true) => {
                        let corner = &mut self.cells.corners[number as usize];
                        if corner.walls != walls {
                            corner.surround(self.turns, walls);
                            self.stale.expire_whole(number, corner, ALL);
                        }
                    }
                    (number, false) => {
                        let corner = &mut self.cells.corners[number as usize];
                        self.links.remove(corner);
                        self.stale.remove(number, corner);
                        self.cells.remove(grid, cell, number);
                    }
                }
            }
        }
    }
}

/// Landmarks.
impl Corners {
    /// Whether one more landmark would speed up searches. Drops all of them if they do not pay.
    pub(crate) fn is_time_for_a_landmark(&mut self) -> bool {
        self.landmarks.is_time_for_one(self.landmark_cost())
    }

    /// The approximate cost of a landmark, in corners that a search could examine in that time: a visit to all cells,
    /// and a length for each corner.
    fn landmark_cost(&self) -> usize {
        self.cells.numbers.len() / CELLS_A_CORNER + self.count() / 2
    }

    /// Begins to make a free cell a landmark.
    pub(crate) fn begin_landmark(&mut self, grid: &Grid, cell: Cell) {
        self.landmarks.begin(grid, &self.columns, cell);
    }

    /// Goes on making a landmark, for about as long as examining this many corners takes.
    pub(crate) fn go_on_with_landmark(&mut self, grid: &Grid, corners: usize) {
        self.landmarks.go_on(self.rule, corners.saturating_mul(CELLS_A_CORNER), self.cells.in_use(grid));
    }

    /// How far goals are from each landmark, for a search that is to use them.
    pub(crate) fn asked(&self, grid: &Grid, from: Cell, goals: impl Iterator<Item = Cell>) -> Option<GoalRange> {
        let mut goals = goals.peekable();
        let is_use = self.landmarks.are_to_be_asked(from, *goals.peek()?);
        is_use.then(|| goals.map(|goal| self.range(grid, goal)).reduce(GoalRange::with)).flatten()
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
}
