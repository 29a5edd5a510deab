//! Boxes around runs of consecutive things: sixteen of them, sixteen such runs, and so on up to all.
//!
//! If neighbors in the row are neighbors in the plane, that is a tree. Only the boxes are stored, level by level from
//! the bottom: 2 bytes for each thing.

use std::ops::Range;

use quadrille::Aabb;

/// Things in a run of level 0, and runs in each run above.
pub(crate) const FAN: usize = 16;

/// The boxes around runs of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs<'a> {
    /// Things in the row.
    pub(crate) count: usize,
    /// Around all of them.
    pub(crate) bounds: &'a Aabb<f64>,
    /// Boxes of all runs but the whole row, level by level.
    hulls: &'a [Aabb<f64>],
    /// The level of the whole row.
    top: u32,
}

/// Some consecutive things.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    level: u32,
    /// Its number in its level.
    number: usize,
}

/// Things in a run of a level, if it is not the last.
fn width(level: u32) -> usize {
    FAN.saturating_pow(level + 1)
}

/// The level of the whole row.
fn top(count: usize) -> u32 {
    (0..).find(|level| count <= width(*level)).unwrap_or_default()
}

/// Things in each run right below the whole row, if it is not the last; one if the whole row is a run of level 0.
pub(crate) fn width_below_top(count: usize) -> usize {
    top(count).checked_sub(1).map_or(1, width)
}

/// How many boxes a row stores.
pub(crate) fn count_of_hulls(count: usize) -> usize {
    (0..top(count)).map(|level| count.div_ceil(width(level))).sum()
}

/// Adds the boxes that a row stores, given what is around some of its things.
pub(crate) fn push_hulls(count: usize, hulls: &mut Vec<Aabb<f64>>, around: impl Fn(Range<usize>) -> Aabb<f64>) {
    for level in 0..top(count) {
        let runs = (0..count).step_by(width(level));
        hulls.extend(runs.map(|first| around(first..(first + width(level)).min(count))));
    }
}

impl<'a> Runs<'a> {
    pub(crate) fn new(count: usize, bounds: &'a Aabb<f64>, hulls: &'a [Aabb<f64>]) -> Self {
        Self { count, bounds, hulls, top: top(count) }
    }

    pub(crate) fn whole(&self) -> Run {
        Run { level: self.top, number: 0 }
    }

    pub(crate) fn hull(&self, run: Run) -> &'a Aabb<f64> {
        if run.level == self.top {
            return self.bounds;
        }
        let below: usize = (0..run.level).map(|level| self.count.div_ceil(width(level))).sum();
        &self.hulls[below + run.number]
    }

    /// The numbers of the things in a run.
    pub(crate) fn within(&self, run: Run) -> Range<usize> {
        let first = run.number * width(run.level);
        first..(first + width(run.level)).min(self.count)
    }

    /// The runs that make up a run; none on level 0.
    pub(crate) fn children(&self, run: Run) -> impl Iterator<Item = Run> + use<> {
        let level = run.level.checked_sub(1);
        let count = level.map_or(0, |level| self.within(run).len().div_ceil(width(level)));
        (0..count).map(move |child| Run { level: run.level - 1, number: run.number * FAN + child })
    }
}

impl Run {
    pub(crate) fn is_leaf(self) -> bool {
        self.level == 0
    }

    /// Whether to divide it before the other.
    pub(crate) fn is_above(self, other: Self) -> bool {
        self.level > other.level || self.level == other.level && self.level > 0
    }
}
