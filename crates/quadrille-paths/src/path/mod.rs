//! A path: its cells, one step apart, and its length.
//!
//! | file | contents |
//! |---|---|
//! | this one | a path, cell by cell |
//! | `waypoints` | a path, turn by turn |
//! | `smooth` | straight lines in place of steps |

mod smooth;
mod waypoints;

pub use smooth::{first_wall, is_line_free, smooth};
pub use waypoints::Waypoints;

use core::fmt;

use crate::grid::{Cell, CostRule, Direction, Grid, Length};

/// Cells from start to goal, both included, each a legal step from the one before, and the total length.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    cells: Vec<Cell>,
    length: Length,
}

impl Path {
    pub(crate) const fn new(cells: Vec<Cell>, length: Length) -> Self {
        Self { cells, length }
    }

    /// The path along these cells, each a neighbor of the one before, such as a path that was saved as cells.
    /// [`validate`](Self::validate) checks whether a map allows it.
    ///
    /// # Errors
    /// Returns an error that names the first two consecutive cells that are not neighbors.
    ///
    /// ```
    /// use quadrille_paths::{Cell, Path};
    ///
    /// let cells = [(3, 5), (4, 5), (5, 6)].map(|(x, y)| Cell::new(x, y));
    /// assert_eq!(Path::of_cells(cells.to_vec()).unwrap().length().diagonal, 1);
    /// assert_eq!(Path::of_cells(vec![cells[0], cells[2]]), Err((cells[0], cells[2])));
    /// ```
    pub fn of_cells(cells: Vec<Cell>) -> Result<Self, (Cell, Cell)> {
        // Several steps at a time: nothing ends the loop.
        let apart = |pair: &[Cell]| (pair[0].x.abs_diff(pair[1].x), pair[0].y.abs_diff(pair[1].y));
        let (are_steps, diagonal) = cells
            .windows(2)
            .map(apart)
            .fold((true, 0), |(are_steps, diagonal), (dx, dy)| (are_steps & (dx | dy == 1), diagonal + (dx & dy & 1)));
        if !are_steps {
            let mut steps = cells.windows(2).map(|pair| (pair[0], pair[1]));
            steps.try_for_each(|(from, to)| Direction::between(from, to).map(drop).ok_or((from, to)))?;
        }
        let length = Length { straight: cells.len().saturating_sub(1) as u32 - diagonal, diagonal };
        Ok(Self { cells, length })
    }

    /// The cells, first to last.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The length, as counted steps.
    #[must_use]
    pub const fn length(&self) -> Length {
        self.length
    }

    /// The same cells from the last to the first.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.cells.reverse();
        self
    }

    /// The first cell, every cell where the direction changes, and the last.
    pub fn turns(&self) -> impl Iterator<Item = Cell> {
        let is_turn = |at: &usize| {
            let cells = &self.cells;
            *at == 0 || *at + 1 == cells.len() || {
                Direction::between(cells[at - 1], cells[*at]) != Direction::between(cells[*at], cells[at + 1])
            }
        };
        (0..self.cells.len()).filter(is_turn).map(|at| self.cells[at])
    }

    /// Walks the path on a map, step by step.
    ///
    /// # Errors
    /// Returns an error that names the first blocked cell, the first illegal step, or a stated length that differs from that of the steps.
    pub fn validate(&self, grid: &Grid, rule: CostRule) -> Result<(), PathFault> {
        if let Some(cell) = self.cells.first().filter(|cell| !grid.is_free(**cell)) {
            return Err(PathFault::Blocked(*cell));
        }
        let mut walked = Length::ZERO;
        for step in self.cells.windows(2) {
            let (from, to) = (step[0], step[1]);
            match Direction::between(from, to) {
                Some(direction) if grid.can_step(from, direction, rule) => walked = walked + rule.distance(from, to),
                _ => return Err(PathFault::IllegalStep { from, to }),
            }
        }
        if walked == self.length { Ok(()) } else { Err(PathFault::Length { stated: self.length, walked }) }
    }
}

/// What is wrong with a path on a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathFault {
    /// The first cell is blocked or off the map.
    Blocked(Cell),
    /// Two consecutive cells are not one legal step apart.
    IllegalStep {
        /// Where the step starts.
        from: Cell,
        /// Where it ends.
        to: Cell,
    },
    /// The steps add up to another length than the path states.
    Length {
        /// The length in the path.
        stated: Length,
        /// The length of its steps.
        walked: Length,
    },
}

impl fmt::Display for PathFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blocked(cell) => write!(out, "the first cell {cell} is not free"),
            Self::IllegalStep { from, to } => write!(out, "the step from {from} to {to} is not legal"),
            Self::Length { stated, walked } => write!(out, "the length is stated as {stated} and walked as {walked}"),
        }
    }
}

impl core::error::Error for PathFault {}
