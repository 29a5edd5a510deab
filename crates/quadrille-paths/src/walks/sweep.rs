//! Shortest lengths from some cells to all cells of a map, filled in a run at a time.
//!
//! E. Dijkstra's search settles one cell after the other. But shortest paths turn only at corners (see
//! [`turns`](crate::walks::turns)), and between two corners a search only counts: so only corners are opened, and the
//! cells on a walk from one to the next are filled in a loop, a row, column or diagonal at a time. N. Sturtevant and S.
//! Rabin call a search without duplicate paths *canonical Dijkstra* (*Canonical Orderings on Grids*, IJCAI 2016);
//! filling its runs ahead of the order of lengths is this project's departure.
//!
//! A run may write lengths that a shorter path lowers later. It ends at a wall, at a corner, which it opens, and at a
//! cell that is already nearer, or as near by a last step in the same direction: whatever reached that cell continues
//! from there. So when nothing is open, every length is that of a shortest path.
//!
//! A run may also end anywhere else, if the cell is opened: so a sweep can stop after some cells, and go on later. And a
//! cell to which a link leads is opened when a run comes by; when its turn comes, the search goes on from the link's
//! other end too.

use crate::grid::{Cell, CostRule, Direction, Fixed, Grid, Lengths};
use crate::open_list::OpenList;
use crate::walks::jump::{Walks, ahead};
use crate::walks::turns::{Directions, Turns, turns};

/// A search from cell to cell can end sooner than a sweep, but takes some eight times as long per cell. So it may visit
/// one cell in this many, which takes half as long as a sweep, before a sweep replaces it. With a larger share, looking
/// for a part could take much longer than looking for everything; with a smaller one, searches that would soon end are
/// given up.
const SEARCHED: usize = 16;

/// How many cells a search may visit before a sweep of this many cells replaces it.
pub(crate) const fn most_searched(cells: usize) -> usize {
    cells / SEARCHED
}

/// In an open item: the number of its cell, above it the direction of the last step to it, counted from 1; 0 for a
/// start, 9 for the end of a link.
const CELL: u32 = (1 << ARRIVAL_SHIFT) - 1;
const ARRIVAL_SHIFT: u32 = 28;
const LINK_END: u32 = 9;

const _: () = assert!(Grid::MAX_CELLS <= 1 << ARRIVAL_SHIFT);

/// Ways into cells that are no steps.
pub(crate) trait Links {
    /// Whether one leads to a cell.
    fn lead_to(&self, index: usize) -> bool;

    /// Where those that lead to a cell begin, and what they cost.
    fn into(&self, index: usize) -> impl Iterator<Item = (usize, Fixed)>;
}

/// None.
impl Links for () {
    #[inline]
    fn lead_to(&self, _: usize) -> bool {
        false
    }

    fn into(&self, _: usize) -> impl Iterator<Item = (usize, Fixed)> {
        core::iter::empty()
    }
}

/// How far a sweep has come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Swept {
    /// By cell, row by row.
    pub(crate) lengths: Lengths,
    /// By cell, the directions in which shortest paths arrive; under the Manhattan rule a diagonal one stands for the
    /// step along its row.
    pub(crate) arrivals: Vec<Directions>,
    open: OpenList,
}

impl Swept {
    /// Nothing is reached yet; `lengths` are empty.
    pub(crate) fn new(lengths: Lengths) -> Self {
        Self { arrivals: vec![0; lengths.len()], lengths, open: OpenList::default() }
    }

    /// Begins in a free cell as well, with a length.
    pub(crate) fn begin(&mut self, index: usize, length: Fixed) {
        self.lengths.set(index, self.lengths.get(index).min(length));
        self.open.push(length, index as u32);
    }

    /// Fills in the lengths of shortest paths to all cells, or stops after some more than `most`; returns whether all are
    /// known.
    pub(crate) fn go_on(&mut self, grid: &Grid, walks: Walks<'_>, links: &impl Links, most: usize) -> bool {
        let (lengths, arrivals) = (self.lengths.lent(), &mut self.arrivals[..]);
        let turns = turns(walks.rule);
        let mut sweep = Sweep { grid, walks, turns, links, lengths, arrivals, open: &mut self.open, left: most };
        while sweep.left > 0 {
            let Some((bucket, item)) = sweep.open.pop() else { return true };
            sweep.go_on(bucket, item);
        }
        false
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.lengths.bytes() + self.arrivals.capacity() + self.open.bytes()
    }
}

/// A search that writes the length of a shortest path into every cell.
struct Sweep<'a, L> {
    grid: &'a Grid,
    walks: Walks<'a>,
    turns: &'static Turns,
    links: &'a L,
    lengths: Lengths<&'a mut [u64]>,
    arrivals: &'a mut [Directions],
    open: &'a mut OpenList,
    /// How many cells may still be visited.
    left: usize,
}

impl<L: Links> Sweep<'_, L> {
    /// Fills the runs that continue from an open cell, unless a shorter path has reached it since.
    fn go_on(&mut self, bucket: u64, item: u32) {
        let (index, arrival) = ((item & CELL) as usize, item >> ARRIVAL_SHIFT);
        let length = self.lengths.get(index);
        let is_run = arrival > 0 && arrival != LINK_END;
        let is_void = is_run && self.arrivals[index] >> (arrival - 1) & 1 == 0;
        if is_void || length.bucket() != bucket {
            return;
        }
        self.left = self.left.saturating_sub(1);
        if !is_run && self.links.lead_to(index) {
            self.take_links(index, length);
        }
        let cell = self.grid.cell(index as u32);
        let directions = match arrival {
            0 => Directions::MAX,
            LINK_END => 0,
            _ => self.turns[usize::from(self.grid.walls_around(cell))][arrival as usize - 1],
        };
        for direction in Direction::of(directions) {
            if direction.is_diagonal() {
                self.lay_quadrant(cell, length, direction);
            } else {
                self.lay_straight(cell, length, direction);
            }
        }
    }

    /// Goes on from where the links into a cell begin.
    fn take_links(&mut self, index: usize, length: Fixed) {
        for (from, cost) in self.links.into(index) {
            if length + cost < self.lengths.get(from) {
                self.lengths.set(from, length + cost);
                self.arrivals[from] = 0;
                self.open.push(length + cost, from as u32);
            }
        }
    }

    /// A walk along the diagonal (Manhattan: along the row), and one straight on along row and column from each of its
    /// steps.
    fn lay_quadrant(&mut self, from: Cell, mut length: Fixed, direction: Direction) {
        let (dx, dy) = direction.delta();
        let (along_row, along_column) = (Direction::toward(dx, 0), Direction::toward(0, dy));
        let is_manhattan = self.walks.rule == CostRule::Manhattan;
        let step = if is_manhattan { along_row } else { direction };
        let mut here = from;
        let (stride, mut index) = (self.grid.stride(step) as isize, self.grid.index(from));
        loop {
            (index, length) = (index.wrapping_add_signed(stride), length + Fixed::of_step(step, 1));
            if self.is_passed(index, length) || !self.walks.can_step(here, dx, dy) {
                return;
            }
            here = ahead(here, step, 1);
            if !self.comes_to(index, length, direction) {
                return;
            }
            self.left = self.left.saturating_sub(1);
            if self.left == 0 || self.walks.stops_at(here, direction) {
                return self.open_run(index, length, direction);
            }
            if !is_manhattan {
                self.lay_straight(here, length, along_row);
            }
            self.lay_straight(here, length, along_column);
        }
    }

    /// A walk along a row or a column, up to a wall or a corner.
    fn lay_straight(&mut self, from: Cell, mut length: Fixed, direction: Direction) {
        let (stride, mut index) = (self.grid.stride(direction) as isize, self.grid.index(from));
        if self.is_passed(index.wrapping_add_signed(stride), length + Fixed::of_step(direction, 1)) {
            return;
        }
        let (steps, is_corner) = self.walks.walk(from, direction);
        self.left = self.left.saturating_sub(steps);
        for _ in 0..steps - usize::from(!is_corner) {
            (index, length) = (index.wrapping_add_signed(stride), length + Fixed::of_step(direction, 1));
            if !self.comes_to(index, length, direction) {
                return;
            }
        }
        if is_corner {
            self.open_run(index, length, direction);
        }
    }

    /// Records a path to a cell; returns whether it is a shortest one so far, and the first with its last step.
    #[inline]
    fn comes_to(&mut self, index: usize, length: Fixed, direction: Direction) -> bool {
        let (known, arrivals, bit) = (self.lengths.get(index), &mut self.arrivals[index], 1 << direction as u8);
        let is_shorter = length < known;
        if is_shorter {
            self.lengths.set(index, length);
            *arrivals = bit;
            if self.links.lead_to(index) {
                self.open.push(length, index as u32 | LINK_END << ARRIVAL_SHIFT);
            }
        }
        let is_new = is_shorter || length == known && *arrivals & bit == 0;
        *arrivals |= if is_new { bit } else { 0 };
        is_new
    }

    /// Whether a cell is already nearer: among many walls, most runs end this way. Beyond the map's edge this reads
    /// another cell, or none, and no run leads there.
    #[inline]
    fn is_passed(&self, index: usize, length: Fixed) -> bool {
        index < self.lengths.len() && self.lengths.get(index) < length
    }

    /// Opens a cell at which a run ends.
    fn open_run(&mut self, index: usize, length: Fixed, direction: Direction) {
        self.open.push(length, index as u32 | (direction as u32 + 1) << ARRIVAL_SHIFT);
    }
}
