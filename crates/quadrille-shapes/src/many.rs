//! Many points in polygons: pairs wait until there are many, and are decided polygon by polygon. The edges of a polygon
//! that several points are asked of are arranged by height: in slabs, each with all edges that reach into it.

use std::ops::{ControlFlow, Range};

use quadrille::Aabb;

use crate::geometries::{Geometries, Part};
use crate::locate::{Location, cross_edge};
use crate::predicate::Predicate;
use crate::segment::Place;

/// Pairs that wait at most: eight mebibytes.
const MOST: usize = 1 << 20;
/// Edges of a slab, about, and how often an edge may be listed, on average.
const EDGES_PER_SLAB: usize = 8;
const MOST_ENTRIES: usize = 4;
/// Edges for which it pays to be arranged, for each point that is asked about.
const EDGES_PER_POINT: usize = 16;

/// Pairs of a point and a polygon whose boxes meet, which are decided many at once.
#[derive(Debug)]
pub struct PointsInPolygons<'a> {
    polygons: &'a Geometries,
    points: &'a Geometries,
    predicate: Predicate,
    /// Whether the points are the first set.
    is_swapped: bool,
    /// A polygon, and a point.
    waiting: Vec<(u32, u32)>,
    slabs: Slabs,
}

impl<'a> PointsInPolygons<'a> {
    /// None unless where a point is in a polygon tells whether the predicate holds.
    #[must_use]
    pub fn new(a: &'a Geometries, b: &'a Geometries, predicate: Predicate) -> Option<Self> {
        let is_swapped = match predicate {
            Predicate::Contains | Predicate::Covers => false,
            Predicate::Within | Predicate::CoveredBy => true,
            // What the first ones are, most are.
            Predicate::Intersects | Predicate::Touches => !a.is_empty() && a.kinds(0).is_points(),
            _ => return None,
        };
        let (polygons, points) = if is_swapped { (b, a) } else { (a, b) };
        Some(Self { polygons, points, predicate, is_swapped, waiting: Vec::new(), slabs: Slabs::default() })
    }

    /// Takes a pair, given the boxes of the two, if it is one of a point and a polygon.
    pub fn takes(&mut self, i: u32, j: u32, [a, b]: [&Aabb<f64>; 2]) -> bool {
        let (polygon, point, around) = if self.is_swapped { (j, i, a) } else { (i, j, b) };
        let is_taken = around.min == around.max
            && self.points.kinds(point).is_points()
            && self.polygons.kinds(polygon).is_proper_polygon();
        if is_taken {
            self.waiting.push((polygon, point));
        }
        is_taken
    }

    /// Whether so many wait that they are to be decided.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.waiting.len() >= MOST
    }

    /// Hands on the pairs for which the predicate holds, of all that wait.
    pub fn decide<B>(&mut self, mut visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        let Self { polygons, points, predicate, is_swapped, waiting, slabs } = self;
        let (ends, sorted) = by_polygon(waiting, polygons.len());
        waiting.clear();
        let mut first = 0;
        for (polygon, end) in (0..).zip(ends) {
            let asked = &sorted[std::mem::replace(&mut first, end)..end];
            if asked.is_empty() {
                continue;
            }
            let is_arranged = slabs.arrange(polygons, polygon, asked.len() * EDGES_PER_POINT);
            for point in asked.iter().copied() {
                let place = points.points(point)[0];
                let location = if is_arranged { slabs.locate(place) } else { polygons.locate_in_areas(polygon, place) };
                if predicate.is_told_by(location) {
                    let (i, j) = if *is_swapped { (point, polygon) } else { (polygon, point) };
                    visit(i, j)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// The points of all pairs, those of a polygon side by side; and where those of each polygon end.
fn by_polygon(pairs: &[(u32, u32)], polygons: usize) -> (Vec<usize>, Vec<u32>) {
    let mut ends = vec![0; polygons];
    pairs.iter().for_each(|(polygon, _)| ends[*polygon as usize] += 1);
    let mut sum = 0;
    ends.iter_mut().for_each(|count| sum += std::mem::replace(count, sum));
    let mut sorted = vec![0; pairs.len()];
    for (polygon, point) in pairs {
        let next = &mut ends[*polygon as usize];
        sorted[*next] = *point;
        *next += 1;
    }
    (ends, sorted)
}

impl Predicate {
    /// Whether it holds between a polygon and a point there, in either order, if it can.
    fn is_told_by(self, location: Location) -> bool {
        match self {
            Self::Contains | Self::Within => location == Location::Interior,
            Self::Touches => location == Location::Boundary,
            _ => location != Location::Exterior,
        }
    }
}

/// The edges of a polygon, or of several in one.
#[derive(Debug, Default)]
struct Slabs {
    low: f64,
    /// Slabs per unit of height.
    per: f64,
    /// The first edge of each slab, and of none.
    firsts: Vec<usize>,
    /// The slabs of each edge.
    ranges: Vec<Range<u32>>,
    /// Those of a slab side by side, in the order of polygons.
    edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    ends: [Place; 2],
    polygon: u32,
}

impl Slabs {
    /// Arranges the edges of a geometry, unless it has more than these: then nothing is done.
    fn arrange(&mut self, all: &Geometries, number: u32, most: usize) -> bool {
        let count: usize = all.chains(number).map(|(ring, _)| ring.places.len() - 1).sum();
        if count > most {
            return false;
        }
        let [low, high] = [all.bounds(number).min[1], all.bounds(number).max[1]];
        self.low = low;
        let mut slabs = count / EDGES_PER_SLAB + 1;
        loop {
            self.per = Some(slabs as f64 / (high - low)).filter(|per| per.is_finite()).unwrap_or_default();
            self.firsts.clear();
            self.firsts.resize(slabs + 1, 0);
            self.ranges.clear();
            for (ring, _) in all.chains(number) {
                for ends in ring.places.windows(2) {
                    let range = self.slabs_of(ends);
                    self.firsts[range.start as usize..range.end as usize].iter_mut().for_each(|count| *count += 1);
                    self.ranges.push(range);
                }
            }
            // Edges that go up and down all the way are in many.
            if self.firsts.iter().sum::<usize>() <= MOST_ENTRIES * count || slabs == 1 {
                break;
            }
            slabs = slabs.div_ceil(2);
        }
        let mut sum = 0;
        self.firsts.iter_mut().for_each(|count| sum += std::mem::replace(count, sum));
        self.edges.clear();
        self.edges.resize(sum, Edge { ends: [[0.0; 2]; 2], polygon: 0 });
        let (mut ranges, mut polygon) = (self.ranges.iter(), 0);
        for (ring, part) in all.chains(number) {
            polygon += u32::from(part == Part::Shell);
            for (ends, range) in ring.places.windows(2).zip(&mut ranges) {
                for next in &mut self.firsts[range.start as usize..range.end as usize] {
                    self.edges[*next] = Edge { ends: [ends[0], ends[1]], polygon };
                    *next += 1;
                }
            }
        }
        // Each is now where the next begins.
        self.firsts.rotate_right(1);
        self.firsts[0] = 0;
        true
    }

    /// The slabs that an edge reaches into.
    fn slabs_of(&self, ends: &[Place]) -> Range<u32> {
        let (from, to) = (self.slab(ends[0][1]) as u32, self.slab(ends[1][1]) as u32);
        from.min(to)..from.max(to) + 1
    }

    /// The slab of a height: of what is higher, none that is lower.
    fn slab(&self, y: f64) -> usize {
        (((y - self.low) * self.per) as usize).min(self.firsts.len() - 2)
    }

    /// Where a place is: see [`Geometries::locate_in_areas`].
    fn locate(&self, place: Place) -> Location {
        let slab = self.slab(place[1]);
        let (mut is_odd, mut polygon) = (false, 0);
        for edge in &self.edges[self.firsts[slab]..self.firsts[slab + 1]] {
            if edge.polygon != polygon {
                // Each polygon by itself.
                if is_odd {
                    break;
                }
                polygon = edge.polygon;
            }
            if cross_edge(edge.ends, place, &mut is_odd).is_break() {
                return Location::Boundary;
            }
        }
        if is_odd { Location::Interior } else { Location::Exterior }
    }
}
