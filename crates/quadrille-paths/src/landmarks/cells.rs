//! Lower bounds of costs by landmarks: A. Goldberg and C. Harrelson, *Computing the Shortest Path: A\* Search Meets Graph Theory*, 2005.
//!
//! A landmark is a cell far out on the map. If it costs more to go there from a cell than from the goal, then going from the cell to the goal
//! costs at least the difference: otherwise the way through the goal would be cheaper. The landmark behind the goal gives the best bound, so
//! they stand all around the map. Such bounds know walls and heavy ground; a straight line does not.
//!
//! Bounds stay right while costs only rise, since a way that costs more is no better. An edit that may make some way cheaper voids them all.
//!
//! Making a landmark costs as much as a flow field. So one is made when the searches since the last one was made, or voided, have done that
//! much work. Edits before each search then cost nothing extra, a map without edits pays for each landmark once, and the total is never more
//! than twice the best.

use crate::grid::cell::{Cell, CellRect};
use crate::grid::fixed::Fixed;

/// How many landmarks there are at most; their costs take twice as many bytes a cell.
const MOST: usize = 16;

/// A cell from which there is no way to a landmark, or none known.
const NONE: u16 = u16::MAX;

/// How many cells a flow field settles in the time in which a search expands one.
const FIELD_CELLS: u64 = 4;

/// What it costs from each cell to each landmark, rounded down to whole units.
pub(crate) type Costs = [u16; MOST];

/// The landmarks of a map.
#[derive(Clone, Debug, Default)]
pub(crate) struct Landmarks {
    /// A unit is two to the power of this: the largest cost then fits 16 bits.
    shift: u32,
    /// By cell, row by row; none without landmarks.
    costs: Vec<Costs>,
    /// How many landmarks have been made.
    count: usize,
    /// Cells that searches have expanded and that have not been spent on landmarks.
    work: u64,
}

impl Landmarks {
    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        (self.count, self.work) = (0, 0);
        self.costs.clear();
    }

    /// Counts the cells that a search has expanded.
    pub(crate) fn note_work(&mut self, expanded: u64) {
        self.work = self.work.saturating_add(expanded);
    }

    /// The place around the map near which to make the next landmark, if its time has come.
    pub(crate) fn next_target(&self, bounds: CellRect) -> Option<Cell> {
        let cells = u64::from(bounds.width) * u64::from(bounds.height);
        (self.count < MOST && self.work * FIELD_CELLS >= cells).then(|| border_cell(bounds, self.count, MOST))
    }

    /// Adds a landmark, given what it costs to go there from each cell.
    pub(crate) fn add(&mut self, costs: &[Fixed]) {
        if self.count == 0 {
            // From a place to another around the map it may cost twice as much as from the first: beyond that, bounds are weaker.
            let most = costs.iter().filter(|cost| **cost != Fixed::MAX).max().copied().unwrap_or(Fixed::ZERO);
            self.shift = (most + most).bits().saturating_sub(u16::BITS);
            self.costs.resize(costs.len(), [NONE; MOST]);
        }
        for (row, cost) in self.costs.iter_mut().zip(costs) {
            row[self.count] = if *cost == Fixed::MAX { NONE } else { cost.in_units(self.shift).min(NONE - 1) };
        }
        (self.count, self.work) = (self.count + 1, 0);
    }

    /// What it costs from a cell to each landmark.
    #[inline]
    pub(crate) fn costs(&self, cell: usize) -> Costs {
        self.costs.get(cell).copied().unwrap_or([NONE; MOST])
    }

    /// Whether there was a way from a cell to every landmark when that was made; else a cell that is free may not have been.
    pub(crate) fn is_known(&self, cell: usize) -> bool {
        self.costs.get(cell).is_none_or(|costs| !costs[..self.count].contains(&NONE))
    }

    /// What it costs at least from a cell to a goal with these costs.
    #[inline]
    pub(crate) fn bound(&self, cell: usize, goal: &Costs) -> Fixed {
        let Some(costs) = self.costs.get(cell) else { return Fixed::ZERO };
        let apart = costs.iter().zip(goal).fold(0, |most: u16, (cost, goal)| most.max(cost.saturating_sub(*goal)));
        // Both were rounded down.
        Fixed::of_units(apart.saturating_sub(1), self.shift)
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.costs.capacity() * size_of::<Costs>()
    }
}

/// One of the places around a map, the first few of them far apart; `most`, how many there are, is a power of two from 4 on.
pub(crate) fn border_cell(bounds: CellRect, number: usize, most: usize) -> Cell {
    let (right, bottom) = (bounds.width - 1, bounds.height - 1);
    // The bits of the number the other way round: of 16, 0, 8, 4, 12, 2 and so on.
    let at = (number as u32).reverse_bits() >> (u32::BITS - most.ilog2());
    let a_side = most as u32 / 4;
    let (side, along) = (at / a_side, at % a_side);
    let part = |length: u32| length / a_side * along;
    match side {
        0 => Cell::new(part(right), 0),
        1 => Cell::new(right, part(bottom)),
        2 => Cell::new(right - part(right), bottom),
        _ => Cell::new(0, bottom - part(bottom)),
    }
}
