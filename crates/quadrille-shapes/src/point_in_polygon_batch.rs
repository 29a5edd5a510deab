//! Many points in polygons: pairs are collected until there are many, and then decided polygon by polygon. A polygon's
//! points are arranged in rows by height, and each edge is compared only with the rows that it crosses.

use std::ops::{ControlFlow, Range};

use quadrille::Aabb;

use crate::batch::has_room;
use crate::geometries::{Geometries, Part};
use crate::point_location::{Location, cross_edge};
use crate::predicate::Predicate;
use crate::segment_intersection::Point;

/// The most waiting pairs: eight mebibytes.
const MAX_WAITING: usize = 1 << 20;
/// Points per row, on average. More: edges are compared with points they do not reach. Fewer: empty rows.
const POINTS_PER_ROW: usize = 2;
/// Edges per point up to which visiting every edge pays. With more edges, each point searches for those near it.
const EDGES_PER_POINT: usize = 16;
/// The most comparisons with edges per point, on average. If many edges span the whole height, most are far from the
/// point, and a search for the near ones is faster.
const MAX_EDGES: usize = 256;

/// Batch point-in-polygon over candidate pairs. Without memory for that it takes none, and the caller decides each pair by
/// itself.
#[derive(Debug)]
pub(crate) struct PointsInPolygons<'a> {
    polygons: &'a Geometries,
    points: &'a Geometries,
    predicate: Predicate,
    /// Whether the points are the first set.
    is_swapped: bool,
    /// A polygon, and a point.
    waiting: Vec<(u32, u32)>,
    /// The points of those pairs, grouped by polygon, with as much room as they need.
    sorted: Vec<u32>,
    /// Where the group of each polygon ends.
    ends: Vec<usize>,
    rows: Rows,
}

impl<'a> PointsInPolygons<'a> {
    /// `None` if the predicate depends on more than where a point is in a polygon, or without memory.
    pub(crate) fn new(a: &'a Geometries, b: &'a Geometries, predicate: Predicate) -> Option<Self> {
        let is_swapped = match predicate {
            Predicate::Contains | Predicate::Covers => false,
            Predicate::Within | Predicate::CoveredBy => true,
            // Most are of the kind of the first ones.
            Predicate::Intersects | Predicate::Touches => !a.is_empty() && a.kinds(0).is_points(),
            _ => return None,
        };
        let (polygons, points) = if is_swapped { (b, a) } else { (a, b) };
        let (mut ends, waiting, sorted) = (Vec::new(), Vec::new(), Vec::new());
        ends.try_reserve_exact(polygons.len()).ok()?;
        Some(Self { polygons, points, predicate, is_swapped, waiting, sorted, ends, rows: Rows::default() })
    }

    /// Takes a pair if it is a point and a polygon, given both boxes; returns whether it did.
    pub(crate) fn takes(&mut self, i: u32, j: u32, [a, b]: [&Aabb<f64>; 2]) -> bool {
        let (polygon, point, around) = if self.is_swapped { (j, i, a) } else { (i, j, b) };
        let is_taken = around.min == around.max
            && self.points.kinds(point).is_points()
            && self.polygons.kinds(polygon).is_proper_polygon()
            && self.has_room();
        if is_taken {
            self.waiting.push((polygon, point));
        }
        is_taken
    }

    /// Whether there is memory for one more pair, and to sort all of them.
    fn has_room(&mut self) -> bool {
        let all = self.waiting.len() + 1;
        has_room(&mut self.waiting, 1) && has_room(&mut self.sorted, all)
    }

    /// Whether enough pairs are waiting to be decided.
    pub(crate) fn is_full(&self) -> bool {
        self.waiting.len() >= MAX_WAITING
    }

    /// Decides all waiting pairs, and visits those for which the predicate holds.
    pub(crate) fn decide<B>(&mut self, mut visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        self.sort_by_polygon();
        self.waiting.clear();
        let (ends, sorted, mut first) = (std::mem::take(&mut self.ends), std::mem::take(&mut self.sorted), 0);
        for (polygon, end) in (0..).zip(&ends) {
            let asked = &sorted[std::mem::replace(&mut first, *end)..*end];
            if !asked.is_empty() {
                self.decide_polygon(polygon, asked, &mut visit)?;
            }
        }
        (self.ends, self.sorted) = (ends, sorted);
        self.sorted.clear();
        ControlFlow::Continue(())
    }

    /// The points of all pairs, grouped by polygon, and where each group ends.
    fn sort_by_polygon(&mut self) {
        let Self { polygons, waiting, sorted, ends, .. } = self;
        ends.clear();
        ends.resize(polygons.len(), 0);
        waiting.iter().for_each(|(polygon, _)| ends[*polygon as usize] += 1);
        let mut sum = 0;
        ends.iter_mut().for_each(|count| sum += std::mem::replace(count, sum));
        sorted.resize(waiting.len(), 0);
        for (polygon, point) in waiting {
            let next = &mut ends[*polygon as usize];
            sorted[*next] = *point;
            *next += 1;
        }
    }

    fn decide_polygon<B>(
        &mut self,
        polygon: u32,
        asked: &[u32],
        mut visit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Self { polygons, points, predicate, is_swapped, rows, .. } = self;
        let mut tell = |point, location| {
            let (i, j) = if *is_swapped { (point, polygon) } else { (polygon, point) };
            if predicate.is_told_by(location) { visit(i, j) } else { ControlFlow::Continue(()) }
        };
        if polygons.count_edges(polygon) <= asked.len() * EDGES_PER_POINT {
            let bounds = polygons.bounds(polygon);
            if rows.arrange(points, asked, [bounds.min[1], bounds.max[1]]) && rows.compare(polygons, polygon) {
                return rows.points.iter().try_for_each(|point| tell(point.number, point.location()));
            }
        }
        asked.iter().try_for_each(|point| tell(*point, polygons.locate_in_areas(polygon, points.points(*point)[0])))
    }
}

impl Predicate {
    /// Whether it holds between a polygon and a point at this location, in either order.
    fn is_told_by(self, location: Location) -> bool {
        match self {
            Self::Contains | Self::Within => location == Location::Interior,
            Self::Touches => location == Location::Boundary,
            _ => location != Location::Exterior,
        }
    }
}

/// Points to locate in one geometry of one polygon or several.
#[derive(Debug, Default)]
struct Rows {
    low: f64,
    /// Rows per unit of height.
    per: f64,
    /// The first point of each row, and of none.
    firsts: Vec<usize>,
    /// Grouped by row.
    points: Vec<Asked>,
}

#[derive(Clone, Copy, Debug)]
struct Asked {
    point: Point,
    number: u32,
    /// The last polygon with an edge to the right.
    polygon: u32,
    /// Whether that has an odd number of them.
    is_odd: bool,
    is_on_edge: bool,
}

impl Rows {
    /// Arranges points between two heights; `false` if there is no memory for that.
    fn arrange(&mut self, points: &Geometries, numbers: &[u32], [low, high]: [f64; 2]) -> bool {
        self.low = low;
        let rows = numbers.len().div_ceil(POINTS_PER_ROW);
        self.per = Some(rows as f64 / (high - low)).filter(|per| per.is_finite()).unwrap_or_default();
        self.firsts.clear();
        self.points.clear();
        if !has_room(&mut self.firsts, rows + 1) || !has_room(&mut self.points, numbers.len()) {
            return false;
        }
        self.firsts.resize(rows + 1, 0);
        let none = Asked { point: [0.0; 2], number: 0, polygon: 0, is_odd: false, is_on_edge: false };
        self.points.resize(numbers.len(), none);
        for number in numbers {
            let row = self.row(points.points(*number)[0][1]);
            self.firsts[row] += 1;
        }
        let mut sum = 0;
        self.firsts.iter_mut().for_each(|count| sum += std::mem::replace(count, sum));
        for number in numbers {
            let point = points.points(*number)[0];
            let row = self.row(point[1]);
            self.points[self.firsts[row]] = Asked { point, number: *number, ..none };
            self.firsts[row] += 1;
        }
        // Each entry is now where the next row begins.
        self.firsts.rotate_right(1);
        self.firsts[0] = 0;
        true
    }

    /// The row of a height: never decreasing with the height.
    fn row(&self, y: f64) -> usize {
        (((y - self.low) * self.per) as usize).min(self.firsts.len() - 2)
    }

    /// The points in some rows.
    fn between(&self, one: usize, other: usize) -> Range<usize> {
        self.firsts[one.min(other)]..self.firsts[one.max(other) + 1]
    }

    /// Compares the points with all edges of a geometry; `false` if that would take too long.
    fn compare(&mut self, all: &Geometries, number: u32) -> bool {
        let (mut polygon, mut left) = (0, MAX_EDGES * self.points.len());
        for (ring, part) in all.chains(number) {
            polygon += u32::from(part == Part::Shell);
            let [lowest, highest] = [ring.bounds.min, ring.bounds.max].map(|corner| self.row(corner[1]));
            if self.between(lowest, highest).is_empty() {
                continue;
            }
            let mut before = self.row(ring.points[0][1]);
            for ends in ring.points.windows(2) {
                let row = self.row(ends[1][1]);
                let near = self.between(std::mem::replace(&mut before, row), row);
                if near.len() > left {
                    return false;
                }
                left -= near.len();
                let right = ends[0][0].max(ends[1][0]);
                let near = self.points[near].iter_mut().filter(|point| point.point[0] <= right);
                near.for_each(|point| point.compare([ends[0], ends[1]], polygon));
            }
        }
        true
    }
}

impl Asked {
    /// Polygons come in order: once a point is in one, the others do not matter.
    fn compare(&mut self, edge: [Point; 2], polygon: u32) {
        let is_known = self.is_on_edge || self.is_odd && self.polygon != polygon;
        if !is_known {
            self.polygon = polygon;
            self.is_on_edge = cross_edge(edge, self.point, &mut self.is_odd).is_break();
        }
    }

    /// Where it is, once it has been compared with all edges: see [`Geometries::locate_in_areas`].
    fn location(&self) -> Location {
        match self {
            Self { is_on_edge: true, .. } => Location::Boundary,
            Self { is_odd: true, .. } => Location::Interior,
            _ => Location::Exterior,
        }
    }
}
