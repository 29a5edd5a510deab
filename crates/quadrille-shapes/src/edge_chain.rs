//! Lines and rings as chains of edges, with boxes around [runs](crate::runs) of them.
//!
//! Neighbors along a chain are neighbors in the plane, so nothing has to be sorted.

use std::cmp::Ordering;
use std::ops::Range;

use quadrille::Aabb;

use crate::runs::{self, Run, Runs};
use crate::segment_intersection::Point;

/// A line or ring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain<'a> {
    /// One more than the edges.
    pub(crate) points: &'a [Point],
    pub(crate) bounds: &'a Aabb<f64>,
    pub(crate) runs: Runs<'a>,
}

/// The box around points.
pub(crate) fn hull(points: &[Point]) -> Aabb<f64> {
    Aabb::from_points(points.iter().copied())
}

/// Adds the boxes that a chain stores.
pub(crate) fn push_hulls(points: &[Point], hulls: &mut Vec<Aabb<f64>>) {
    runs::push_hulls(points.len() - 1, hulls, |edges| hull(&points[edges.start..=edges.end]));
}

/// The boundary of lines: points where an odd number of them end.
pub(crate) fn boundary<'a>(lines: impl Iterator<Item = Chain<'a>>) -> Vec<Point> {
    let open = lines.filter(|line| !line.is_closed());
    let mut ends: Vec<Point> = open.flat_map(|line| [line.points[0], line.points[line.points.len() - 1]]).collect();
    ends.sort_unstable_by(order);
    ends.chunk_by(|a, b| a == b).filter(|same| same.len() % 2 == 1).map(|same| same[0]).collect()
}

/// From west to east, and from south to north.
pub(crate) fn order(a: &Point, b: &Point) -> Ordering {
    a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
}

impl<'a> Chain<'a> {
    /// At least one edge. An edge without length is a point.
    pub(crate) fn new(points: &'a [Point], bounds: &'a Aabb<f64>, hulls: &'a [Aabb<f64>]) -> Self {
        Self { points, bounds, runs: Runs::new(points.len() - 1, bounds, hulls) }
    }

    pub(crate) fn whole(&self) -> Run {
        self.runs.whole()
    }

    pub(crate) fn hull(&self, run: Run) -> &'a Aabb<f64> {
        self.runs.hull(run)
    }

    /// The numbers of a run's edges.
    pub(crate) fn edges(&self, run: Run) -> Range<usize> {
        self.runs.within(run)
    }

    pub(crate) fn children(&self, run: Run) -> impl Iterator<Item = Run> + use<> {
        self.runs.children(run)
    }

    pub(crate) fn edge(&self, number: usize) -> [Point; 2] {
        [self.points[number], self.points[number + 1]]
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.points.first() == self.points.last()
    }

    /// Whether another edge begins where this one ends.
    pub(crate) fn goes_on_after(&self, edge: usize) -> bool {
        edge + 1 < self.runs.count || self.is_closed()
    }

    /// The edge that ends where this one begins.
    pub(crate) fn before(&self, edge: usize) -> Option<usize> {
        edge.checked_sub(1).or_else(|| self.is_closed().then(|| self.runs.count - 1))
    }
}
