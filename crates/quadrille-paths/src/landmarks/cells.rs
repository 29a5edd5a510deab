//! Lower bounds of costs by landmarks: A. Goldberg and C. Harrelson, *Computing the Shortest Path: A\* Search Meets
//! Graph Theory*, 2005.
//!
//! A landmark is a cell far out on the map. If it costs more to go there from a cell than from the goal, then going
//! from the cell to the goal costs at least the difference: otherwise the way through the goal would be cheaper. The
//! landmark behind the goal gives the best bound, so they stand all around the map. Such bounds know walls and heavy
//! ground; a straight line does not.
//!
//! Bounds stay right while costs only rise, since a way that costs more is no better. An edit that may make some way
//! cheaper voids them all.
//!
//! Making a landmark costs as much as a flow field. So one is made when the searches since the last one was made, or
//! voided, have done that much work. Edits before each search then cost nothing extra, a map without edits pays for
//! each landmark once, and the total is never more than twice the best.

use super::border::border_cell;
use super::table::{NONE, Table};
use crate::grid::cell::{Cell, CellRect};
use crate::grid::fixed::Fixed;

/// How many landmarks there are at most; their costs take twice as many bytes a cell.
const MOST: usize = 16;

/// How many cells a flow field settles in the time in which a search expands one.
const FIELD_CELLS: u64 = 4;

/// What it costs from each cell to each landmark, rounded down to whole units.
pub(crate) type Costs = [u16; MOST];

/// The landmarks of a map.
#[derive(Clone, Debug, Default)]
pub(crate) struct Landmarks {
    /// By index of the cell.
    table: Table<MOST>,
    /// Cells that searches have expanded and that have not been spent on landmarks.
    work: u64,
}

impl Landmarks {
    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.work = 0;
        self.table.clear();
    }

    /// Counts the cells that a search has expanded.
    pub(crate) fn note_work(&mut self, expanded: u64) {
        self.work = self.work.saturating_add(expanded);
    }

    /// The cell at the map's edge near which to make the next landmark, if its time has come.
    pub(crate) fn next_target(&self, bounds: CellRect) -> Option<Cell> {
        let cells = u64::from(bounds.width) * u64::from(bounds.height);
        (self.table.count < MOST && self.work * FIELD_CELLS >= cells)
            .then(|| border_cell(bounds, self.table.count, MOST))
    }

    /// Adds a landmark, given what it costs to go there from each cell.
    pub(crate) fn add(&mut self, costs: impl ExactSizeIterator<Item = Fixed> + Clone) {
        // From a cell to another around the map it may cost twice as much as from the first: one bit.
        self.table.add(costs, 1);
        self.work = 0;
    }

    /// What it costs from a cell to each landmark.
    #[inline]
    pub(crate) fn costs(&self, cell: usize) -> Costs {
        self.table.row(cell).copied().unwrap_or([NONE; MOST])
    }

    /// Whether the cell reached every landmark when they were made; if not, it may have been a wall.
    pub(crate) fn is_known(&self, cell: usize) -> bool {
        self.table.row(cell).is_none_or(|costs| !costs[..self.table.count].contains(&NONE))
    }

    /// What it costs at least from a cell to a goal with these costs.
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
