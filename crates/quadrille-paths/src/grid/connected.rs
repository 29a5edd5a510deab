//! A grid with its connected components.

use crate::grid::Grid;
use crate::grid::cell::{Cell, CellRect};
use crate::grid::components::Components;
use crate::grid::cost::CostRule;
use crate::grid::fault::Corruption;

/// Free and blocked cells, and the components that steps connect.
#[derive(Clone, Debug)]
pub(crate) struct ConnectedGrid {
    grid: Grid,
    rule: CostRule,
    components: Components,
}

impl ConnectedGrid {
    pub(crate) fn new(grid: Grid, rule: CostRule) -> Self {
        let components = Components::new(&grid, rule);
        Self { grid, rule, components }
    }

    /// The cells.
    pub(crate) const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Which steps are legal.
    pub(crate) const fn rule(&self) -> CostRule {
        self.rule
    }

    /// The component labels.
    pub(crate) const fn components(&self) -> &Components {
        &self.components
    }

    /// Whether there is a path. Takes two binary searches.
    pub(crate) fn is_reachable(&self, from: Cell, to: Cell) -> bool {
        self.components.label(from).is_some_and(|label| self.components.label(to) == Some(label))
    }

    /// Frees those cells of a rectangle for which `is_free` is true and blocks the others; cells off the map are
    /// ignored. Returns the rectangle around what that changed.
    pub(crate) fn edit(&mut self, rect: CellRect, is_free: &mut dyn FnMut(Cell) -> bool) -> Option<CellRect> {
        if (rect.width, rect.height) == (1, 1) {
            let cell = Cell::new(rect.x, rect.y);
            let is_changed = self.grid.contains(cell) && self.grid.is_free(cell) != is_free(cell);
            return is_changed.then(|| self.flip(&[cell]))?;
        }
        let changed = self.changed(rect, is_free);
        self.flip(&changed)
    }

    /// The cells of a rectangle, row by row, that would change if exactly those were free for which `is_free` is true.
    pub(crate) fn changed(&self, rect: CellRect, is_free: &mut dyn FnMut(Cell) -> bool) -> Vec<Cell> {
        let rect = rect.clamped(self.grid.width(), self.grid.height());
        // Room for a building at once: a vector that grows moves five times first.
        let mut changed = Vec::with_capacity(rect.count().min(128));
        changed.extend(rect.cells().filter(|cell| self.grid.is_free(*cell) != is_free(*cell)));
        changed
    }

    /// Frees those of some cells that are blocked and blocks the others; they come row by row. Returns the rectangle
    /// around them.
    pub(crate) fn flip(&mut self, cells: &[Cell]) -> Option<CellRect> {
        let bounds = CellRect::holding(cells.iter().copied())?;
        let is_any_blocked = cells.iter().any(|cell| self.grid.is_free(*cell));
        for cell in cells {
            self.grid.set(*cell, !self.grid.is_free(*cell));
        }
        self.components.update(&self.grid, bounds, is_any_blocked);
        Some(bounds)
    }

    /// Compares the components with what follows from the cells.
    pub(crate) fn validate(&self) -> Result<(), Corruption> {
        self.components.validate(&self.grid, self.rule)
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.grid.bytes() + self.components.bytes()
    }
}
