//! A path given by the cells at which it turns around walls.

use crate::grid::{Cell, CostRule, Length};
use crate::path::Path;
use crate::walks::ahead;

/// Start, corners, goal: between two consecutive ones, the path is as long as without walls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Waypoints {
    cells: Vec<Cell>,
    length: Length,
}

impl Waypoints {
    pub(crate) const fn new(cells: Vec<Cell>, length: Length) -> Self {
        Self { cells, length }
    }

    /// The cells, from the start to the goal; one if they are the same.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The length of the path.
    #[must_use]
    pub const fn length(&self) -> Length {
        self.length
    }

    /// The whole path, under the rule of the map that it was found on: between waypoints diagonal steps first, then
    /// straight ones.
    #[must_use]
    pub fn lay(&self, rule: CostRule) -> Path {
        let mut cells = Vec::with_capacity(self.length.steps() as usize + 1);
        cells.extend(self.cells.first());
        for pair in self.cells.windows(2) {
            for (direction, steps) in rule.legs(pair[0], pair[1]) {
                let from = cells.last().copied().unwrap_or_default();
                cells.extend((0..steps).map(|step| ahead(from, direction, step as usize + 1)));
            }
        }
        Path::new(cells, self.length)
    }
}
