//! Lower bounds of costs by landmarks: A. Goldberg and C. Harrelson, *Computing the Shortest Path: A\* Search Meets
//! Graph Theory*, 2005.
//!
//! A landmark is a cell far out on the map. If it costs more to go there from a cell than from the goal, then going
//! from the cell to the goal costs at least the difference: otherwise the path through the goal would be cheaper. A
//! landmark behind the goal gives the best bound, so they are placed all around the map. Such bounds take walls and
//! heavy ground into account; a straight line does not.
//!
//! Bounds stay valid while costs only rise, since a path that costs more is no better. An edit that may make some path
//! cheaper voids them all.
//!
//! Making a landmark costs as much as a flow field. So one is made when the searches since the last one was made, or
//! voided, have done that much work. Edits before each search then cost nothing extra, a map without edits pays for
//! each landmark once, and the total is never more than twice the optimum.

use super::border::border_cell;
use super::table::{NONE, Table};
use crate::grid::{Cell, CellRect, Fixed};

/// The most landmarks; their costs take twice as many bytes per cell.
const MAX_LANDMARKS: usize = 16;

/// How many cells a flow field settles in the time in which a search expands one.
const FIELD_CELLS: u64 = 4;

/// The cost from each cell to each landmark, rounded down to whole units.
pub(crate) type Costs = [u16; MAX_LANDMARKS];

/// The landmarks of a map.
#[derive(Clone, Debug, Default)]
pub(crate) struct Landmarks {
    /// By index of the cell.
    table: Table<MAX_LANDMARKS>,
    /// Cells that searches have expanded and that have not been spent on landmarks.
    work: u64,
}

impl Landmarks {
    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.work = 0;
        self.table.clear();
    }

    /// Adds the cells that a search has expanded.
    pub(crate) fn note_work(&mut self, expanded: u64) {
        self.work = self.work.saturating_add(expanded);
    }

    /// The cell at the map's edge near which to make the next landmark, if its time has come.
    pub(crate) fn next_target(&self, bounds: CellRect) -> Option<Cell> {
        let cells = u64::from(bounds.width) * u64::from(bounds.height);
        (self.table.count < MAX_LANDMARKS && self.work * FIELD_CELLS >= cells)
            .then(|| border_cell(bounds, self.table.count, MAX_LANDMARKS))
    }

    /// Adds a landmark, given the cost from each cell.
    pub(crate) fn add(&mut self, costs: impl ExactSizeIterator<Item = Fixed> + Clone) {
        // Costs from one side of the map to the other may be twice as large as from the first landmark: one bit.
        self.table.add(costs, 1);
        self.work = 0;
    }

    /// The cost from a cell to each landmark.
    #[inline]
    pub(crate) fn costs(&self, cell: usize) -> Costs {
        self.table.row(cell).copied().unwrap_or([NONE; MAX_LANDMARKS])
    }

    /// Whether every landmark could be reached from the cell when they were made; if not, it may have been a wall.
    pub(crate) fn is_known(&self, cell: usize) -> bool {
        self.table.row(cell).is_none_or(|costs| !costs[..self.table.count].contains(&NONE))
    }

    /// A lower bound on the cost from a cell to a goal with these costs.
    #[inline]
    pub(crate) fn bound(&self, cell: usize, goal: &Costs) -> Fixed {
        let Some(costs) = self.table.row(cell) else { return Fixed::ZERO };
        let apart = costs.iter().zip(goal).fold(0, |most: u16, (cost, goal)| most.max(cost.saturating_sub(*goal)));
        // Both were rounded down.
        Fixed::of_units(apart.saturating_sub(1), self.table.shift)
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.table.bytes()
    }
}
