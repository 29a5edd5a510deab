//! What searches from cell to cell need from a map.

use crate::grid::Grid;
use crate::grid::cell::{Cell, CellRect, Direction};

/// Where one can stand.
pub(crate) trait Walkable {
    /// The whole map.
    fn bounds(&self) -> CellRect;

    /// Whether one can stand in a cell; nobody can off the map.
    fn is_free(&self, cell: Cell) -> bool;

    /// The walls around a cell on the map: bit `i` is set if nobody can stand in the neighbor in direction
    /// `Direction::ALL[i]`.
    fn walls_around(&self, cell: Cell) -> u8;
}

impl Walkable for Grid {
    #[inline]
    fn bounds(&self) -> CellRect {
        Self::bounds(self)
    }

    #[inline]
    fn is_free(&self, cell: Cell) -> bool {
        Self::is_free(self, cell)
    }

    #[inline]
    fn walls_around(&self, cell: Cell) -> u8 {
        Self::walls_around(self, cell)
    }
}

/// A map that is not stored: each cell is computed.
#[derive(Clone, Copy)]
pub(crate) struct Asked<F> {
    bounds: CellRect,
    is_free: F,
}

impl<F: Fn(Cell) -> bool> Asked<F> {
    /// A map whose free cells are those for which `is_free` is true; cells off the map are blocked.
    pub(crate) const fn new(bounds: CellRect, is_free: F) -> Self {
        Self { bounds, is_free }
    }
}

impl<F: Fn(Cell) -> bool> Walkable for Asked<F> {
    fn bounds(&self) -> CellRect {
        self.bounds
    }

    fn is_free(&self, cell: Cell) -> bool {
        (self.is_free)(cell)
    }

    fn walls_around(&self, cell: Cell) -> u8 {
        let is_wall = |direction: &Direction| !cell.step(*direction).is_some_and(&self.is_free);
        Direction::ALL
            .iter()
            .filter(|direction| is_wall(direction))
            .fold(0, |walls, direction| walls | 1 << *direction as u8)
    }
}
