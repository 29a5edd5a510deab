//! What boxes alone decide, without reading any edge.
//!
//! A rectangle equals its box, so it covers whatever its box covers.

use quadrille::Aabb;

use crate::geometries::Geometries;

/// What is known about a geometry without its edges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline {
    pub(crate) bounds: Aabb<f64>,
    pub(crate) is_box: bool,
}

impl Outline {
    pub(crate) fn of(all: &Geometries, number: u32) -> Self {
        Self { bounds: all.bounds(number), is_box: all.kinds(number).is_box }
    }

    /// Whether it covers everything in a box; `None`, unknown, if it is not a rectangle.
    pub(crate) fn covers(&self, other: &Self) -> Option<bool> {
        let may_cover = self.bounds.contains(&other.bounds);
        (self.is_box || !may_cover).then_some(may_cover)
    }

    /// Whether it contains a geometry of a dimension: what lies only on the edge is covered, but not contained.
    pub(crate) fn contains(&self, other: &Self, dimension: u8) -> Option<bool> {
        let ([west, south], [east, north]) = (self.bounds.min, self.bounds.max);
        let Aabb { min, max } = other.bounds;
        let is_off_edge = west < min[0] && south < min[1] && max[0] < east && max[1] < north;
        self.covers(other).filter(|covers| !covers || dimension == 2 || is_off_edge)
    }
}

/// Whether two geometries intersect, if their boxes decide.
pub(crate) fn do_meet(a: &Geometries, i: u32, b: &Geometries, j: u32) -> Option<bool> {
    let [a, b] = [Outline::of(a, i), Outline::of(b, j)];
    let do_boxes = a.bounds.intersects(&b.bounds);
    let is_covered = a.covers(&b) == Some(true) || b.covers(&a) == Some(true);
    (!do_boxes || is_covered || a.is_box && b.is_box).then_some(do_boxes)
}

/// Whether boxes have no area in common.
pub(crate) fn are_areas_apart(a: &Aabb<f64>, b: &Aabb<f64>) -> bool {
    (0..2).any(|axis| a.max[axis] <= b.min[axis] || b.max[axis] <= a.min[axis])
}
