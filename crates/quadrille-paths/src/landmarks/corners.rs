//! Lower bounds of lengths by landmarks, for searches from corner to corner on large maps.
//!
//! The idea and its source are those of [`cells`](crate::landmarks::cells). Here a path is as long in one direction as
//! in the other, so a landmark behind the start is as good as one behind the goal. Lengths are stored only for corners,
//! a few percent of the cells.
//!
//! The goal is not a corner. But its distance from each corner that it sees is known, and that bounds its distance from
//! each landmark from below and above.
//!
//! Walls built after a landmark was made only lengthen paths, so its bounds remain valid. If a cell that was a wall
//! when a landmark was made becomes free, all are voided; a door that was open then may close and open any number of
//! times. A corner that appears later has no bound.

use super::growing::Growing;
use super::table::{NONE, Table};
use super::upkeep::{Advice, Upkeep};
use crate::grid::{Bitmap, Cell, CellRect, CostRule, Fixed, Grid};

/// The most landmarks; they take twice as many bytes per corner.
pub(crate) const MAX_LANDMARKS: usize = 32;

/// How many landmarks are evaluated by one instruction. Most maps have a few, and evaluating missing ones would take as
/// long as everything else.
const LANES: usize = 8;

/// By landmark, a length in whole units.
type Row = [u16; MAX_LANDMARKS];

/// How far the corners of a map are from its landmarks.
#[derive(Clone, Debug, Default)]
pub(crate) struct CornerLandmarks {
    /// By number of the corner. A corner with unknown lengths has a row of [`NONE`].
    table: Table<MAX_LANDMARKS>,
    /// How often all were dropped.
    removed: u64,
    /// The free cells when the last landmark was begun: a subset of those when the others were.
    free: Option<Grid>,
    /// The next landmark, once it has been begun.
    growing: Option<Growing>,
    /// When they are made and dropped, unless they were requested.
    upkeep: Upkeep,
    is_asked_for: bool,
}

/// How far a goal, or any of several, is from each landmark, at least and at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GoalRange {
    least: Row,
    most: Row,
}

impl Default for GoalRange {
    fn default() -> Self {
        Self { least: [0; MAX_LANDMARKS], most: [NONE; MAX_LANDMARKS] }
    }
}

impl GoalRange {
    /// That of the goals of both.
    pub(crate) fn with(mut self, other: Self) -> Self {
        self.least.iter_mut().zip(other.least).for_each(|(least, other)| *least = other.min(*least));
        self.most.iter_mut().zip(other.most).for_each(|(most, other)| *most = other.max(*most));
        self
    }
}

impl CornerLandmarks {
    pub(crate) const fn count(&self) -> usize {
        self.table.count
    }

    /// How often all were dropped.
    pub(crate) const fn removed(&self) -> u64 {
        self.removed
    }

    /// Begins to make a free cell a landmark, of which there must be fewer than [`MAX_LANDMARKS`].
    pub(crate) fn begin(&mut self, grid: &Grid, columns: &Bitmap, cell: Cell) {
        self.growing = Some(Growing::new(grid, columns, cell));
    }

    /// Whether a landmark has been begun and is not finished.
    pub(crate) const fn is_begun(&self) -> bool {
        self.growing.is_some()
    }

    /// Goes on making a landmark, with a visit to about this many more cells. `corners` are the cells of all corners by
    /// number.
    pub(crate) fn go_on(&mut self, rule: CostRule, most: usize, corners: impl Iterator<Item = Option<Cell>>) {
        let Some(done) = self.growing.take_if(|growing| growing.go_on(rule, most)) else { return };
        let length = |cell: Option<Cell>| {
            cell.filter(|cell| done.grid().is_free(*cell)).map_or(Fixed::MAX, |cell| done.length(cell))
        };
        self.add(done.grid(), &corners.map(length).collect::<Vec<_>>());
    }

    /// Adds a landmark, given how far each corner is from it; [`Fixed::MAX`] if there is no path.
    fn add(&mut self, grid: &Grid, lengths: &[Fixed]) {
        // The first is in a corner of the map. If others are farther from some cell, their bounds there are weaker.
        self.table.add(lengths.iter().copied(), 0);
        let count = self.table.count;
        for row in self.table.rows.iter_mut().filter(|row| row[..count].contains(&NONE)) {
            *row = [NONE; MAX_LANDMARKS];
        }
        self.free = Some(grid.clone());
    }

    /// Records how many corners a search for one goal has examined.
    #[inline]
    pub(crate) fn note_search(&self, corners: u64, has_asked: bool) {
        self.upkeep.note(corners, has_asked);
    }

    /// Whether a search between these ends is to use them.
    pub(crate) const fn are_to_be_asked(&self, from: Cell, to: Cell) -> bool {
        self.count() > 0 && (self.is_asked_for || self.upkeep.may_ask(from, to))
    }

    /// Records that landmarks were requested: they are kept until an edit voids them.
    pub(crate) const fn ask_for(&mut self) {
        self.is_asked_for = true;
    }

    /// Whether it is time for the next landmark. Drops all of them if they do not pay.
    pub(crate) fn is_time_for_one(&mut self, cost: usize) -> bool {
        let advice = if self.is_asked_for { Advice::Keep } else { self.upkeep.advice(self.count(), cost) };
        if advice == Advice::Forget {
            self.remove();
        }
        self.count() < MAX_LANDMARKS && advice == Advice::Add
    }

    fn remove(&mut self) {
        let upkeep = core::mem::take(&mut self.upkeep);
        *self = Self { removed: self.removed + 1, upkeep, growing: self.growing.take(), ..Self::default() };
    }

    /// Drops all of them if one of these cells has become free that was not when landmarks were made, and likewise the
    /// one that is being made. A landmark takes as long as examining `cost` corners.
    pub(crate) fn update(&mut self, grid: &Grid, changed: CellRect, cost: usize) {
        let is_new = |free: &Grid| changed.cells().any(|cell| grid.is_free(cell) && !free.is_free(cell));
        if self.free.as_ref().is_some_and(is_new) {
            self.upkeep.forget(self.count(), cost);
            self.remove();
        }
        self.growing.take_if(|growing| !growing.outlasts(grid, changed));
    }

    /// Forgets what is known about a corner, whose number now belongs to another one.
    pub(crate) fn forget(&mut self, corner: u32) {
        if let Some(row) = self.table.rows.get_mut(corner as usize) {
            *row = [NONE; MAX_LANDMARKS];
        }
    }

    /// How far a goal is from the landmarks, given the corners that it sees and how far these are from it.
    pub(crate) fn range(&self, seen: impl Iterator<Item = (u32, Fixed)>) -> GoalRange {
        let mut range = GoalRange::default();
        for (corner, length) in seen {
            let Some(row) = self.row(corner) else { continue };
            let apart = length.in_units_up(self.table.shift);
            for (landmark, length) in row[..self.table.count].iter().enumerate() {
                let (least, most) = (&mut range.least[landmark], &mut range.most[landmark]);
                *least = length.saturating_sub(apart).max(*least);
                // Lengths were rounded down.
                *most = length.saturating_add(1).saturating_add(apart).min(*most);
            }
        }
        range
    }

    /// A lower bound on the distance from a corner to a goal.
    #[inline]
    pub(crate) fn bound(&self, corner: u32, goal: &GoalRange) -> Fixed {
        let Some(row) = self.row(corner) else { return Fixed::ZERO };
        let mut bounds = [0; LANES];
        for first in (0..self.count()).step_by(LANES) {
            let lanes = |row: &Row| -> [u16; LANES] { core::array::from_fn(|lane| row[first + lane]) };
            let (lengths, least, most) = (lanes(row), lanes(&goal.least), lanes(&goal.most));
            for (lane, bound) in bounds.iter_mut().enumerate() {
                let (length, least, most) = (lengths[lane], least[lane], most[lane]);
                // Because lengths were rounded down, the second is one less.
                let apart = length.saturating_sub(most).max(least.saturating_sub(length).saturating_sub(1));
                *bound = apart.max(*bound);
            }
        }
        Fixed::of_units(bounds.into_iter().fold(0, u16::max), self.table.shift)
    }

    #[inline]
    fn row(&self, corner: u32) -> Option<&Row> {
        self.table.row(corner as usize).filter(|row| row[0] != NONE)
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let growing = self.growing.as_ref().map_or(0, Growing::bytes);
        self.table.bytes() + self.free.as_ref().map_or(0, Grid::bytes) + growing
    }
}
