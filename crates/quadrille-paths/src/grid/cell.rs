//! Cells, rectangles of cells, and the eight directions between neighbors.

use core::fmt;

/// A cell of a map: column `x` from the left, row `y` from the top, both from 0.
// In this order in memory, which the package for C reads.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Cell {
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
}

impl Cell {
    /// The cell in column `x` and row `y`.
    #[must_use]
    pub const fn new(x: u32, y: u32) -> Self {
        Self { x, y }
    }

    /// The neighbor in a direction; `None` if a coordinate would leave `u32`.
    #[must_use]
    pub fn step(self, direction: Direction) -> Option<Self> {
        let (dx, dy) = direction.delta();
        Some(Self::new(self.x.checked_add_signed(dx)?, self.y.checked_add_signed(dy)?))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "({}, {})", self.x, self.y)
    }
}

/// A rectangle of cells: `width` columns from `x`, `height` rows from `y`. A zero side makes it empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct CellRect {
    /// First column.
    pub x: u32,
    /// First row.
    pub y: u32,
    /// Number of columns.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
}

impl CellRect {
    /// The rectangle of `width` x `height` cells whose top left cell is (`x`, `y`).
    #[must_use]
    pub const fn new(x: u32, y: u32, width: u32, height: u32) -> Self {
        Self { x, y, width, height }
    }

    /// Whether it contains no cell.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// The number of its cells.
    pub(crate) const fn count(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// The index of a cell in arrays that hold a value for each cell of the rectangle, row by row.
    ///
    /// # Panics
    /// Panics if the cell is not on the map and overflow is checked; without that check, the index is meaningless.
    ///
    /// ```
    /// use quadrille_paths::{Cell, CellRect, CostRule, Grid, PathMap};
    ///
    /// let mut map = PathMap::new(Grid::open(9, 9)?, CostRule::Octile);
    /// let (door, free) = (CellRect::new(4, 3, 2, 2), [false, true, false, true]);
    /// map.edit(door, |cell| free[door.index(cell)]);
    /// assert!(!map.grid().is_free(Cell::new(4, 4)) && map.grid().is_free(Cell::new(5, 4)));
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn index(&self, cell: Cell) -> usize {
        (cell.y - self.y) as usize * self.width as usize + (cell.x - self.x) as usize
    }

    /// The cell at an [`index`](Self::index).
    #[inline]
    pub(crate) const fn cell(&self, index: u32) -> Cell {
        Cell::new(self.x + index % self.width, self.y + index / self.width)
    }

    /// Whether `cell` lies in it.
    #[must_use]
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.x >= self.x && cell.y >= self.y && cell.x - self.x < self.width && cell.y - self.y < self.height
    }

    /// A rectangle of one cell.
    pub(crate) const fn one(cell: Cell) -> Self {
        Self::new(cell.x, cell.y, 1, 1)
    }

    /// The smallest rectangle that holds these cells, if there are any.
    pub(crate) fn holding(cells: impl Iterator<Item = Cell>) -> Option<Self> {
        cells.map(Self::one).reduce(|all, cell| all.around(&cell))
    }

    /// Its cell nearest to another: none has fewer columns or rows in between.
    #[inline]
    pub(crate) fn nearest(&self, cell: Cell) -> Cell {
        let last = |first: u32, count: u32| (first + count).saturating_sub(1);
        let (right, bottom) = (last(self.x, self.width), last(self.y, self.height));
        Cell::new(cell.x.max(self.x).min(right), cell.y.max(self.y).min(bottom))
    }

    /// Whether it and another have a cell in common.
    #[must_use]
    pub const fn intersects(&self, other: &Self) -> bool {
        self.x < other.x.saturating_add(other.width)
            && other.x < self.x.saturating_add(self.width)
            && self.y < other.y.saturating_add(other.height)
            && other.y < self.y.saturating_add(self.height)
    }

    /// The part of it on a map of `width` x `height` cells, possibly empty.
    #[must_use]
    pub fn clamped(&self, width: u32, height: u32) -> Self {
        let (x, y) = (self.x.min(width), self.y.min(height));
        let right = self.x.saturating_add(self.width).min(width);
        let bottom = self.y.saturating_add(self.height).min(height);
        Self::new(x, y, right - x, bottom - y)
    }

    /// The cells in both, possibly none.
    pub(crate) fn common(&self, other: &Self) -> Self {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let end = |start: u32, length: u32| start.saturating_add(length);
        let right = end(self.x, self.width).min(end(other.x, other.width));
        let bottom = end(self.y, self.height).min(end(other.y, other.height));
        Self::new(x, y, right.saturating_sub(x), bottom.saturating_sub(y))
    }

    /// The smallest rectangle around it and another.
    pub(crate) fn around(&self, other: &Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let right = (self.x + self.width).max(other.x + other.width);
        let bottom = (self.y + self.height).max(other.y + other.height);
        Self::new(x, y, right - x, bottom - y)
    }

    /// It, widened by `before` columns and rows to the left and above and by `after` to the right and below, but not
    /// below zero.
    pub(crate) fn widened(&self, before: u32, after: u32) -> Self {
        let (x, y) = (self.x.saturating_sub(before), self.y.saturating_sub(before));
        let width = (self.x - x).saturating_add(self.width).saturating_add(after);
        let height = (self.y - y).saturating_add(self.height).saturating_add(after);
        Self::new(x, y, width, height)
    }

    /// Its cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let columns = self.x..self.x.saturating_add(self.width);
        let rows = self.y..self.y.saturating_add(self.height);
        rows.flat_map(move |y| columns.clone().map(move |x| Cell::new(x, y)))
    }

    /// The squares of `side` x `side` cells into which it divides, row by row; the last ones may be smaller.
    pub(crate) fn tiles(self, side: u32) -> impl Iterator<Item = Self> {
        let starts = move |start: u32, length: u32| {
            (0..length).step_by(side as usize).map(move |at| (start + at, side.min(length - at)))
        };
        starts(self.y, self.height).flat_map(move |(y, height)| {
            starts(self.x, self.width).map(move |(x, width)| Self::new(x, y, width, height))
        })
    }
}

/// One of the eight directions, clockwise from north; north is up, toward row 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Up.
    North,
    /// Up and right.
    NorthEast,
    /// Right.
    East,
    /// Down and right.
    SouthEast,
    /// Down.
    South,
    /// Down and left.
    SouthWest,
    /// Left.
    West,
    /// Up and left.
    NorthWest,
}

use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};

impl Direction {
    /// All eight, clockwise from north.
    pub const ALL: [Self; 8] = [North, NorthEast, East, SouthEast, South, SouthWest, West, NorthWest];

    /// The directions in a set of bits, in the order of [`ALL`](Self::ALL).
    #[inline]
    pub(crate) fn of(bits: u8) -> impl Iterator<Item = Self> {
        Self::places(bits).map(|place| Self::ALL[place])
    }

    /// The indices in [`ALL`](Self::ALL) of the directions in a set of bits: for tables, in which [`of`](Self::of) would
    /// look up each direction first. And the places of any other bits.
    #[inline]
    pub(crate) fn places(mut bits: u8) -> impl Iterator<Item = usize> {
        core::iter::from_fn(move || {
            (bits != 0).then(|| {
                let place = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                place
            })
        })
    }

    /// Change of column and row by one step.
    #[must_use]
    pub const fn delta(self) -> (i32, i32) {
        match self {
            North => (0, -1),
            NorthEast => (1, -1),
            East => (1, 0),
            SouthEast => (1, 1),
            South => (0, 1),
            SouthWest => (-1, 1),
            West => (-1, 0),
            NorthWest => (-1, -1),
        }
    }

    /// The direction of a change of column and row by -1, 0 or 1 each, not both 0.
    pub(crate) const fn toward(dx: i32, dy: i32) -> Self {
        match (dx, dy) {
            (0, ..0) => North,
            (0, _) => South,
            (1.., ..0) => NorthEast,
            (1.., 0) => East,
            (1.., _) => SouthEast,
            (_, ..0) => NorthWest,
            (_, 0) => West,
            (_, _) => SouthWest,
        }
    }

    /// The direction of the single step between two cells; `None` if they are not neighbors.
    #[must_use]
    pub fn between(from: Cell, to: Cell) -> Option<Self> {
        let step = |from: u32, to: u32| match i64::from(to) - i64::from(from) {
            change @ -1..=1 => Some(change as i32),
            _ => None,
        };
        let (dx, dy) = (step(from.x, to.x)?, step(from.y, to.y)?);
        ((dx, dy) != (0, 0)).then(|| Self::toward(dx, dy))
    }

    /// Whether a step in this direction changes both column and row.
    #[must_use]
    pub const fn is_diagonal(self) -> bool {
        self as u8 & 1 == 1
    }

    /// The direction `eighths` of a full turn clockwise of this one.
    #[must_use]
    pub const fn turned(self, eighths: usize) -> Self {
        Self::ALL[(self as usize + eighths) & 7]
    }
}
