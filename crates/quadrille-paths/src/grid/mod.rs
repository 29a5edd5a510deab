//! Which cells of a map are free: one bit per cell.
//!
//! | file | contents |
//! |---|---|
//! | this one | which cells are free |
//! | `cell` | cells, rectangles of them, directions |
//! | `bitmap` | bits in rows, scanned 64 at a time |
//! | `cost` | which steps are legal, and how long paths are |
//! | `fixed` | lengths as one number |
//! | `lengths` | such lengths by cell |
//! | `components` | which cells can reach each other |
//! | `unions` | numbers in sets that join |
//! | `connected` | a grid with what reaches what, kept up to date |
//! | `edits` | when each tile was edited last |
//! | `patches` | lists of cells, by what is updated together |
//! | `fault` | what a check of a map found |

mod bitmap;
mod cell;
mod components;
mod connected;
mod cost;
mod edits;
mod fault;
mod fixed;
mod lengths;
mod patches;
mod unions;

pub(crate) use bitmap::{Bitmap, WallEnd};
pub use cell::{Cell, CellRect, Direction};
pub(crate) use components::Components;
pub(crate) use connected::ConnectedGrid;
pub use cost::{CostRule, Length};
pub(crate) use edits::{Edits, Stamp};
pub use fault::Corruption;
pub(crate) use fixed::Fixed;
pub(crate) use lengths::Lengths;
pub(crate) use patches::{by_patch, patches};

use core::fmt;
use core::ops::Range;

/// A map of free and blocked cells, one bit each. Everything off the map counts as blocked.
#[derive(Clone, Debug)]
pub struct Grid {
    width: u32,
    height: u32,
    /// A bit is set if its cell is blocked.
    walls: Bitmap,
}

impl Grid {
    /// The largest width and height: some coordinates are stored in 16 bits.
    pub const MAX_SIDE: u32 = 65_000;
    /// The largest number of cells: corners are numbered in 28 bits.
    pub const MAX_CELLS: u64 = 1 << 28;

    /// A map without a free cell.
    ///
    /// # Errors
    /// Returns an error if a side exceeds [`MAX_SIDE`](Self::MAX_SIDE), or the map [`MAX_CELLS`](Self::MAX_CELLS) cells.
    pub fn blocked(width: u32, height: u32) -> Result<Self, GridError> {
        Self::check_size(width, height)?;
        Ok(Self { width, height, walls: Bitmap::filled(width, height) })
    }

    /// Returns an error if a map of this size would be too large.
    pub(crate) fn check_size(width: u32, height: u32) -> Result<(), GridError> {
        let is_too_large = width.max(height) > Self::MAX_SIDE || u64::from(width) * u64::from(height) > Self::MAX_CELLS;
        if is_too_large { Err(GridError::TooLarge { width, height }) } else { Ok(()) }
    }

    /// A map of free cells only.
    ///
    /// # Errors
    /// Returns an error if a side exceeds [`MAX_SIDE`](Self::MAX_SIDE), or the map [`MAX_CELLS`](Self::MAX_CELLS) cells.
    pub fn open(width: u32, height: u32) -> Result<Self, GridError> {
        let mut grid = Self::blocked(width, height)?;
        grid.fill(CellRect::new(0, 0, width, height), true);
        Ok(grid)
    }

    /// A map whose free cells are those for which `is_free` is true; called row by row.
    ///
    /// # Errors
    /// Returns an error if a side exceeds [`MAX_SIDE`](Self::MAX_SIDE), or the map [`MAX_CELLS`](Self::MAX_CELLS) cells.
    pub fn from_fn(width: u32, height: u32, mut is_free: impl FnMut(Cell) -> bool) -> Result<Self, GridError> {
        let mut grid = Self::blocked(width, height)?;
        for cell in CellRect::new(0, 0, width, height).cells() {
            if is_free(cell) {
                grid.set(cell, true);
            }
        }
        Ok(grid)
    }

    /// A rectangle of it, which must lie on the map, as a map.
    pub(crate) fn part(&self, rect: CellRect) -> Self {
        let walls = self.walls.part((rect.x, rect.y), rect.width, rect.height);
        Self { width: rect.width, height: rect.height, walls }
    }

    /// Number of columns.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Number of rows.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// The whole map.
    #[must_use]
    pub const fn bounds(&self) -> CellRect {
        CellRect::new(0, 0, self.width, self.height)
    }

    /// The number of cells.
    pub(crate) const fn count(&self) -> usize {
        self.bounds().count()
    }

    /// The index of a cell on the map in arrays that hold a value for each cell, row by row.
    #[inline]
    pub(crate) const fn index(&self, cell: Cell) -> usize {
        self.bounds().index(cell)
    }

    /// The cell at an [`index`](Self::index).
    #[inline]
    pub(crate) const fn cell(&self, index: u32) -> Cell {
        self.bounds().cell(index)
    }

    /// The legal steps out of a cell with this index, and the index to which each leads. A step is legal in both
    /// directions or in neither.
    #[inline]
    pub(crate) fn steps(
        &self,
        cell: Cell,
        index: u32,
        rule: CostRule,
    ) -> impl Iterator<Item = (Direction, u32)> + use<> {
        let width = self.width as i32;
        Direction::of(rule.legal_steps(self.walls_around(cell))).map(move |direction| {
            let (dx, dy) = direction.delta();
            (direction, index.wrapping_add_signed(dx + dy * width))
        })
    }

    /// From the index of a cell to that of the next one in a direction.
    #[inline]
    pub(crate) const fn stride(&self, direction: Direction) -> i32 {
        let (dx, dy) = direction.delta();
        dx + dy * self.width as i32
    }

    /// Whether the cell lies on the map.
    #[must_use]
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// Whether the cell is free; no cell off the map is.
    #[must_use]
    #[inline]
    pub fn is_free(&self, cell: Cell) -> bool {
        self.contains(cell) && !self.walls.get(cell.x as usize + 1, cell.y as usize + 1)
    }

    /// Number of free cells.
    #[must_use]
    pub fn count_free(&self) -> u64 {
        (1..=self.height as usize)
            .flat_map(|line| self.walls.line(line))
            .map(|word| u64::from(word.count_zeros()))
            .sum()
    }

    /// The maximal runs of free cells within a row of the map that begin in some columns, from left to right, each with
    /// the column after its end.
    // Casts: a map's side fits 16 bits.
    pub(crate) fn free_runs(&self, y: u32, columns: Range<u32>) -> impl Iterator<Item = (u32, u32)> {
        let (line, border) = (y as usize + 1, columns.end as usize + 1);
        let mut column = columns.start as usize + 1;
        core::iter::from_fn(move || {
            let start = self.walls.next_clear(column, line).filter(|start| *start < border)?;
            column = start + self.walls.ahead(start, line);
            Some((start as u32 - 1, column as u32 - 1))
        })
    }

    /// The cells where an agent of `size` x `size` cells can stand: those from which that many columns to the right and
    /// rows down, it included, are free.
    ///
    /// An agent's position is its top left cell. It can take the steps that are legal on the resulting map, under every
    /// rule: the cells it sweeps are under it before or after a straight step, or at one of the two cells beside a diagonal
    /// one. The clearance of a cell follows from those to its right and below; D. Harabor and A. Botea, *Hierarchical
    /// Path Planning for Multi-Size Agents in Heterogeneous Environments*, 2008.
    #[must_use]
    pub fn with_clearance(&self, size: u32) -> Self {
        let mut cleared = self.clone();
        let mut below = vec![0_u32; self.width as usize + 1];
        for y in (0..self.height).rev() {
            let mut diagonal = 0;
            for x in (0..self.width).rev() {
                let (cell, column) = (Cell::new(x, y), x as usize);
                let clearance =
                    if self.is_free(cell) { 1 + below[column].min(below[column + 1]).min(diagonal) } else { 0 };
                diagonal = core::mem::replace(&mut below[column], clearance);
                cleared.set(cell, clearance >= size.max(1));
            }
        }
        cleared
    }

    /// Frees or blocks one cell; does nothing off the map.
    pub fn set(&mut self, cell: Cell, free: bool) {
        if self.contains(cell) {
            self.walls.set(cell.x as usize + 1, cell.y as usize + 1, !free);
        }
    }

    /// Frees or blocks the part of a rectangle that lies on the map.
    pub fn fill(&mut self, rect: CellRect, free: bool) {
        for cell in rect.clamped(self.width, self.height).cells() {
            self.set(cell, free);
        }
    }

    /// Whether the step from a cell on the map is legal: its end is free, and for a diagonal step the cells beside it
    /// are as the rule requires.
    #[must_use]
    #[inline]
    pub fn can_step(&self, from: Cell, direction: Direction, rule: CostRule) -> bool {
        self.contains(from) && rule.legal_steps(self.walls_around(from)) >> direction as u8 & 1 == 1
    }

    /// The walls around a cell on the map: bit `i` is set if the neighbor in direction `Direction::ALL[i]` is blocked.
    #[inline]
    pub(crate) fn walls_around(&self, cell: Cell) -> u8 {
        let (x, y) = (cell.x as usize + 1, cell.y as usize + 1);
        ring([y - 1, y, y + 1].map(|line| self.walls.three(x, line)))
    }

    /// The cells of a row on the map in some columns, whether they are free, and the walls around them.
    pub(crate) fn with_walls(&self, y: u32, columns: Range<u32>) -> impl Iterator<Item = (Cell, bool, u8)> {
        // Of 64 bits, the first and the last serve only as neighbors.
        const BLOCK: u32 = u64::BITS - 2;
        let blocks = columns.clone().step_by(BLOCK as usize);
        blocks.flat_map(move |first| {
            let (column, line) = (first as usize, y as usize + 1);
            let lines = [line - 1, line, line + 1].map(|line| self.walls.from(column, line));
            (0..BLOCK.min(columns.end - first)).map(move |offset| {
                let lines = lines.map(|line| line >> offset & 0b111);
                (Cell::new(first + offset, y), lines[1] & 0b010 == 0, ring(lines))
            })
        })
    }

    /// The walls: a bit is set if its cell is blocked.
    pub(crate) const fn walls(&self) -> &Bitmap {
        &self.walls
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.walls.bytes()
    }
}

/// The walls around a cell, clockwise from north, by three bits of the rows above, beside and below, the west lowest.
#[inline]
const fn ring([above, beside, below]: [u64; 3]) -> u8 {
    // The row above gives bits 0, 1 and 7, the row below 3, 4 and 5 the other way round.
    let east = above >> 1 | (beside >> 2) << 2;
    let south = (below >> 2) << 3 | (below >> 1 & 1) << 4 | (below & 1) << 5;
    (east | south | (beside & 1) << 6 | (above & 1) << 7) as u8
}

/// Why a map cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GridError {
    /// A side is longer than [`Grid::MAX_SIDE`], or there are more cells than [`Grid::MAX_CELLS`].
    TooLarge {
        /// Requested columns.
        width: u32,
        /// Requested rows.
        height: u32,
    },
    /// More classes of agents than [`TerrainMap::MAX_CLASSES`](crate::TerrainMap::MAX_CLASSES).
    TooManyClasses {
        /// Requested classes, equal ones counted once.
        count: usize,
    },
    /// A weight times the number of cells exceeds the 31 bits of a cost.
    TooHeavy {
        /// The weight.
        weight: u32,
        /// Number of cells.
        cells: u64,
    },
}

impl GridError {
    /// The largest number of classes of agents.
    pub(crate) const MAX_CLASSES: usize = 256;

    /// The largest product of weight and number of cells.
    pub(crate) const MAX_COST: u64 = (1 << 31) - 1;
}

impl fmt::Display for GridError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { width, height } => {
                let (side, cells) = (Grid::MAX_SIDE, Grid::MAX_CELLS);
                write!(
                    out,
                    "a map of {width} x {height} cells, but sides go to {side} and the number of cells to {cells}"
                )
            }
            Self::TooManyClasses { count } => {
                write!(out, "{count} classes of agents, but a map has {} at most", Self::MAX_CLASSES)
            }
            Self::TooHeavy { weight, cells } => {
                write!(out, "a weight of {weight} on a map of {cells} cells: their product is above {}", Self::MAX_COST)
            }
        }
    }
}

impl core::error::Error for GridError {}
