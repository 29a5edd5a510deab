//! Where a point is in a geometry.

use std::ops::ControlFlow;

use quadrille::Aabb;

use crate::edge_chain::Chain;
use crate::geometries::{Geometries, Part};
use crate::runs::Run;
use crate::segment_intersection::{Point, is_on, side};

/// Where a point is, as DE-9IM has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    Interior,
    Boundary,
    Exterior,
}

impl Geometries {
    /// Where a point is in a geometry: in its polygons, on its lines, at its points.
    pub(crate) fn locate(&self, number: u32, point: Point) -> Location {
        if self.kinds(number).areas {
            match self.locate_in_areas(number, point) {
                Location::Exterior => {}
                location => return location,
            }
        }
        self.locate_on_lines(number, point)
    }

    /// Where a point is in the polygons of a geometry.
    pub(crate) fn locate_in_areas(&self, number: u32, point: Point) -> Location {
        let mut is_odd = false;
        // A ring around the point is one of these, and so are its holes.
        for (ring, part) in self.chains_where(number, |bounds| bounds.contains_point(point)) {
            // Each polygon separately, because those of a collection may overlap.
            if part == Part::Shell && is_odd {
                break;
            }
            if part != Part::Line && cross(&ring, ring.whole(), point, &mut is_odd).is_break() {
                return Location::Boundary;
            }
        }
        if is_odd { Location::Interior } else { Location::Exterior }
    }

    fn locate_on_lines(&self, number: u32, point: Point) -> Location {
        let (mut is_met, mut ends) = (self.points_in(number, Aabb::from_point(point)).next().is_some(), 0);
        if !self.kinds(number).lines {
            return if is_met { Location::Interior } else { Location::Exterior };
        }
        for (line, part) in self.chains_where(number, |bounds| bounds.contains_point(point)) {
            if part == Part::Line {
                is_met |= is_on_chain(&line, line.whole(), point);
                ends +=
                    usize::from(line.points.first() == Some(&point)) + usize::from(line.points.last() == Some(&point));
            }
        }
        match (is_met, ends % 2) {
            (false, _) => Location::Exterior,
            (true, 0) => Location::Interior,
            (true, _) => Location::Boundary,
        }
    }
}

/// Whether a point lies on a chain.
pub(crate) fn is_on_chain(chain: &Chain<'_>, run: Run, point: Point) -> bool {
    chain.hull(run).contains_point(point)
        && if run.is_leaf() {
            chain.edges(run).any(|edge| is_on(point, chain.edge(edge)))
        } else {
            chain.children(run).any(|child| is_on_chain(chain, child, point))
        }
}

/// Counts the edges of a run that a ray to the right crosses, as odd or even; breaks if the point is on one of them.
///
/// An edge is crossed if one of its ends is above the ray and the other is not. So for a run entirely to the right,
/// only its two ends count, however often it goes up and down.
fn cross(ring: &Chain<'_>, run: Run, point: Point, is_odd: &mut bool) -> ControlFlow<()> {
    let ([x, y], hull) = (point, ring.hull(run));
    if hull.max[0] < x || hull.max[1] < y || hull.min[1] > y {
        return ControlFlow::Continue(());
    }
    let edges = ring.edges(run);
    if hull.min[0] > x {
        *is_odd ^= (ring.points[edges.start][1] > y) != (ring.points[edges.end][1] > y);
        return ControlFlow::Continue(());
    }
    if !run.is_leaf() {
        return ring.children(run).try_for_each(|child| cross(ring, child, point, is_odd));
    }
    edges.map(|edge| ring.edge(edge)).try_for_each(|edge| cross_edge(edge, point, is_odd))
}

/// Whether such a ray crosses an edge; breaks if the point is on it.
#[inline]
pub(crate) fn cross_edge([a, b]: [Point; 2], point: Point, is_odd: &mut bool) -> ControlFlow<()> {
    let [x, y] = point;
    if (a[1] > y) == (b[1] > y) {
        // Only a level edge, or one that ends here, can hold the point.
        let is_level = a[1] == y && b[1] == y && a[0].min(b[0]) <= x && x <= a[0].max(b[0]);
        if is_level || a == point || b == point {
            return ControlFlow::Break(());
        }
    } else if a[0] > x && b[0] > x {
        *is_odd = !*is_odd;
    } else if a[0] >= x || b[0] >= x {
        let side = side(a, b, point);
        if side == 0.0 {
            return ControlFlow::Break(());
        }
        *is_odd ^= (side > 0.0) == (b[1] > a[1]);
    }
    ControlFlow::Continue(())
}
