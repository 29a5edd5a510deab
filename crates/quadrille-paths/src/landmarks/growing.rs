//! A landmark in the making: a sweep that goes on for a while in each frame.
//!
//! It sees the map as it was when the sweep began. Walls built since only lengthen paths, so the lengths remain lower
//! bounds, as those of a finished landmark do; a cell freed since voids them.

use crate::grid::{Bitmap, Cell, CellRect, CostRule, Fixed, Grid, Lengths};
use crate::walks::{Swept, Walks};

/// The map, and how far the sweep has come.
#[derive(Clone, Debug)]
pub(crate) struct Growing {
    grid: Grid,
    columns: Bitmap,
    swept: Swept,
}

impl Growing {
    /// Begins at a free cell of a map.
    pub(crate) fn new(grid: &Grid, columns: &Bitmap, cell: Cell) -> Self {
        let mut swept = Swept::new(Lengths::none(grid.count()));
        swept.begin(grid.index(cell), Fixed::ZERO);
        Self { grid: grid.clone(), columns: columns.clone(), swept }
    }

    /// Visits about this many more cells; returns whether all lengths are known.
    pub(crate) fn go_on(&mut self, rule: CostRule, most: usize) -> bool {
        let walks = Walks { rule, rows: self.grid.walls(), columns: &self.columns };
        self.swept.go_on(&self.grid, walks, &(), most)
    }

    /// The map as it was.
    pub(crate) const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The length from the landmark to a cell.
    pub(crate) fn length(&self, cell: Cell) -> Fixed {
        self.swept.lengths.get(self.grid.index(cell))
    }

    /// Whether all cells of a changed rectangle that are free now were free then.
    pub(crate) fn outlasts(&self, now: &Grid, changed: CellRect) -> bool {
        changed.cells().all(|cell| !now.is_free(cell) || self.grid.is_free(cell))
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.grid.bytes() + self.columns.bytes() + self.swept.bytes()
    }
}
