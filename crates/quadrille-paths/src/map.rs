//! map
use crate::cell::Cell;
use crate::corners::Corners;
use crate::cost::CostRule;
use crate::grid::Grid;
use crate::path::Path;
use crate::search::{Scratch, Search};

/// map
#[derive(Clone, Debug)]
pub struct PathMap {
    pub grid: Grid,
    rule: CostRule,
    corners: Corners,
}
impl PathMap {
    pub fn new(grid: Grid, rule: CostRule) -> Self {
        let corners = Corners::new(&grid, rule);
        Self { grid, rule, corners }
    }
    pub fn path(&self, from: Cell, to: Cell, scratch: &mut Scratch) -> Option<Path> {
        Search::path(&self.grid, &self.corners, self.rule, (from,to), scratch)
    }
    pub fn bytes(&self) -> usize {
        self.grid.bytes() + self.corners.bytes()
    }
    pub fn debug(&self) -> String { format!("{}", self.corners.count()) }
}
