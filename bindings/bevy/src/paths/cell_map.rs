//! A map of cells that are free or blocked, somewhere in the world.

use std::fmt;
use std::ops::{Deref, DerefMut};

use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use quadrille_paths::{Cell, CellRect, CostRule, Grid, GridError, PathMap};

use super::requests::Requests;

/// A map of cells, as a component of any entity. It dereferences to its [`PathMap`], and also has the place of its
/// cells.
///
/// The first row of cells is the lowest: row 0 begins at the corner, and rows go up as y does. Change it through
/// [`PathMap::set`], [`PathMap::fill`] and [`PathMap::edit`]; routes on it are then checked in the same frame.
#[derive(Component, Debug)]
#[require(Requests)]
pub struct CellMap {
    map: PathMap,
    /// Where cell (0, 0) begins.
    corner: Vec2,
    /// Width and height of a cell.
    size: Vec2,
}

impl CellMap {
    /// Cells of size 1 from the origin on.
    pub fn new(grid: Grid, rule: CostRule) -> Self {
        Self { map: PathMap::new(grid, rule), corner: Vec2::ZERO, size: Vec2::ONE }
    }

    /// Makes a map from which cells are free, row by row. Steps go in eight directions, diagonally only past free
    /// cells.
    ///
    /// # Errors
    /// Returns an error if the number of cells is not a multiple of the width, or the map is too large.
    pub fn from_free(width: u32, free: &[bool]) -> Result<Self, CellMapError> {
        Self::from_tiles(width, free, |&is_free| is_free)
    }

    /// The same from tiles of any kind.
    ///
    /// # Errors
    /// Returns an error if the number of tiles is not a multiple of the width, or the map is too large.
    pub fn from_tiles<T>(width: u32, tiles: &[T], mut is_free: impl FnMut(&T) -> bool) -> Result<Self, CellMapError> {
        let uneven = CellMapError(Kind::Uneven { tiles: tiles.len(), width });
        let rows = tiles.len().checked_div(width as usize).filter(|rows| rows * width as usize == tiles.len());
        let height = u32::try_from(rows.ok_or(uneven)?).map_err(|_| uneven)?;
        let all = CellRect::new(0, 0, width, height);
        let grid = Grid::from_fn(width, height, |cell| is_free(&tiles[all.index(cell)]));
        Ok(Self::new(grid.map_err(|fault| CellMapError(Kind::Grid(fault)))?, CostRule::Octile))
    }

    /// Places its cells: cell (0, 0) begins at `corner`, and each is as large as `size`.
    #[must_use]
    pub fn placed(self, corner: Vec2, size: Vec2) -> Self {
        Self { corner, size, ..self }
    }

    /// The cell at a point, if there is one on the map.
    pub fn cell_at(&self, point: Vec2) -> Option<Cell> {
        let at = ((point - self.corner) / self.size).floor();
        let is_inside = |at: f32, count: u32| at >= 0.0 && at < count as f32;
        let is_on_map = is_inside(at.x, self.grid().width()) && is_inside(at.y, self.grid().height());
        is_on_map.then(|| Cell::new(at.x as u32, at.y as u32))
    }

    /// The center of a cell.
    pub fn center(&self, cell: Cell) -> Vec2 {
        self.corner + self.size * (Vec2::new(cell.x as f32, cell.y as f32) + 0.5)
    }
}

impl Deref for CellMap {
    type Target = PathMap;

    fn deref(&self) -> &PathMap {
        &self.map
    }
}

impl DerefMut for CellMap {
    fn deref_mut(&mut self) -> &mut PathMap {
        &mut self.map
    }
}

/// Why there can be no such map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellMapError(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Uneven { tiles: usize, width: u32 },
    Grid(GridError),
}

impl fmt::Display for CellMapError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Uneven { tiles, width } => write!(out, "{tiles} tiles do not make rows of {width}"),
            Kind::Grid(fault) => fault.fmt(out),
        }
    }
}

impl std::error::Error for CellMapError {}
