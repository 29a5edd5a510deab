//! Lines and rings as chains of edges, with boxes around runs of them.
//!
//! Neighbors along a chain are neighbors in the plane, so nothing has to be sorted: a run of level 0 is sixteen
//! consecutive edges, a run of level 1 is sixteen such runs, and so on up to the whole chain. Only the boxes of runs
//! are kept: 2 bytes an edge.

use std::ops::Range;

use quadrille::Aabb;

use crate::segment::Point;

/// Edges in a run of level 0, and runs in each run above.
pub(crate) const FAN: usize = 16;

/// A line or ring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain<'a> {
    /// One more than the edges.
    pub(crate) points: &'a [Point],
    pub(crate) bounds: &'a Aabb<f64>,
    /// Boxes of all runs but the whole chain, level by level.
    hulls: &'a [Aabb<f64>],
    /// The level of the whole chain.
    top: u32,
}

/// Consecutive edges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    level: u32,
    /// Its number in its level.
    number: usize,
}

/// Edges of a run of a level, if it is not the last.
fn width(level: u32) -> usize {
    FAN.saturating_pow(level + 1)
}

/// The level of the whole chain.
fn top(edges: usize) -> u32 {
    (0..).find(|level| edges <= width(*level)).unwrap_or_default()
}

/// How many boxes a chain stores.
pub(crate) fn count_of_hulls(edges: usize) -> usize {
    (0..top(edges)).map(|level| edges.div_ceil(width(level))).sum()
}

/// The box around points.
pub(crate) fn hull(points: &[Point]) -> Aabb<f64> {
    Aabb::from_points(points.iter().copied())
}

/// Adds the boxes that a chain stores.
pub(crate) fn push_hulls(points: &[Point], hulls: &mut Vec<Aabb<f64>>) {
    let edges = points.len() - 1;
    for level in 0..top(edges) {
        let runs = (0..edges).step_by(width(level));
        hulls.extend(runs.map(|first| hull(&points[first..=(first + width(level)).min(edges)])));
    }
}

impl<'a> Chain<'a> {
    /// At least one edge. An edge without length is a point.
    pub(crate) fn new(points: &'a [Point], bounds: &'a Aabb<f64>, hulls: &'a [Aabb<f64>]) -> Self {
        Self { points, bounds, hulls, top: top(points.len() - 1) }
    }

    pub(crate) fn whole(&self) -> Run {
        Run { level: self.top, number: 0 }
    }

    pub(crate) fn edge(&self, number: usize) -> [Point; 2] {
        [self.points[number], self.points[number + 1]]
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.points.first() == self.points.last()
    }

    /// Whether another edge begins where this one ends.
    pub(crate) fn goes_on_after(&self, edge: usize) -> bool {
        edge + 1 < self.count() || self.is_closed()
    }

    /// The edge that ends where this one begins.
    pub(crate) fn before(&self, edge: usize) -> Option<usize> {
        edge.checked_sub(1).or_else(|| self.is_closed().then(|| self.count() - 1))
    }

    fn count(&self) -> usize {
        self.points.len() - 1
    }

    pub(crate) fn hull(&self, run: Run) -> &'a Aabb<f64> {
        if run.level == self.top {
            return self.bounds;
        }
        let below: usize = (0..run.level).map(|level| self.count().div_ceil(width(level))).sum();
        &self.hulls[below + run.number]
    }

    /// The numbers of a run's edges.
    pub(crate) fn edges(&self, run: Run) -> Range<usize> {
        let first = run.number * width(run.level);
        first..(first + width(run.level)).min(self.count())
    }

    /// The runs that make up a run; none on level 0.
    pub(crate) fn children(&self, run: Run) -> impl Iterator<Item = Run> + use<> {
        let level = run.level.checked_sub(1);
        let count = level.map_or(0, |level| self.edges(run).len().div_ceil(width(level)));
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
