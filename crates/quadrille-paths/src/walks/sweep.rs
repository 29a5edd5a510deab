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

use crate::grid::Grid;
use crate::grid::cell::{Cell, Direction};
use crate::grid::cost::CostRule;
use crate::grid::fixed::Fixed;
use crate::grid::lengths::Lengths;
use crate::open_list::OpenList;
use crate::walks::jump::{Walks, ahead};
use crate::walks::turns::{Directions, Turns, turns};

/// In an open item: the number of its cell, above it the direction of the last step to it, counted from 1; 0 for a
/// goal.
const CELL: u32 = (1 << ARRIVAL_SHIFT) - 1;
const ARRIVAL_SHIFT: u32 = 28;

const _: () = assert!(Grid::MAX_CELLS <= 1 << ARRIVAL_SHIFT);

/// A search that writes the length of a shortest path into every cell.
pub(crate) struct Sweep<'a> {
    grid: &'a Grid,
    walks: Walks<'a>,
    turns: &'static Turns,
    /// By cell, row by row.
    lengths: Lengths<&'a mut [u64]>,
    /// By cell, the directions in which shortest paths arrive.
    arrivals: Vec<Directions>,
    open: OpenList,
}

impl<'a> Sweep<'a> {
    /// Fills in the lengths of shortest paths from free cells, each of which begins with a length, to all others;
    /// `lengths` is empty at first.
    pub(crate) fn lay(
        grid: &'a Grid,
        walks: Walks<'a>,
        starts: impl Iterator<Item = (Cell, Fixed)>,
        lengths: &'a mut Lengths,
    ) {
        let (arrivals, lengths) = (vec![0; lengths.len()], lengths.lent());
        let mut sweep = Self { grid, walks, turns: turns(walks.rule), lengths, arrivals, open: OpenList::default() };
        for (start, length) in starts {
            let index = sweep.grid.index(start);
            sweep.lengths.set(index, sweep.lengths.get(index).min(length));
            sweep.open.push(length, index as u32);
        }
        while let Some((bucket, item)) = sweep.open.pop() {
            sweep.go_on(bucket, item);
        }
    }

    /// Fills the runs that continue from an open cell, unless a shorter path has reached it since.
    fn go_on(&mut self, bucket: u64, item: u32) {
        let (index, arrival) = ((item & CELL) as usize, item >> ARRIVAL_SHIFT);
        let length = self.lengths.get(index);
        let is_void = arrival > 0 && self.arrivals[index] >> (arrival - 1) & 1 == 0;
        if is_void || length.bucket() != bucket {
            return;
        }
        let cell = self.grid.cell(index as u32);
        let directions = if arrival == 0 {
            Directions::MAX
        } else {
            self.turns[usize::from(self.grid.walls_around(cell))][arrival as usize - 1]
        };
        for direction in Direction::of(directions) {
            if direction.is_diagonal() {
                self.lay_quadrant(cell, length, direction);
            } else {
                self.lay_straight(cell, length, direction);
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
            if self.walks.stops_at(here, direction) {
                return self.open_corner(index, length, direction);
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
        for _ in 0..steps - usize::from(!is_corner) {
            (index, length) = (index.wrapping_add_signed(stride), length + Fixed::of_step(direction, 1));
            if !self.comes_to(index, length, direction) {
                return;
            }
        }
        if is_corner {
            self.open_corner(index, length, direction);
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

    fn open_corner(&mut self, index: usize, length: Fixed, direction: Direction) {
        self.open.push(length, index as u32 | (direction as u32 + 1) << ARRIVAL_SHIFT);
    }
}
