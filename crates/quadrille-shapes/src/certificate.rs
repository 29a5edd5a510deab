//! What dimensions and boxes tell for certain, so that no edge is looked at.
//!
//! A rectangle is its box: it covers what its box covers.

use quadrille::Aabb;

use crate::geometries::Geometries;
use crate::meet::do_intersect;
use crate::predicate::Predicate;

/// Whether a predicate holds, if dimensions tell.
pub(crate) fn by_dimensions(predicate: Predicate, [a, b]: [u8; 2]) -> Option<bool> {
    let never = match predicate {
        Predicate::Crosses => a == b && a != 1,
        Predicate::Overlaps | Predicate::Equals => a != b,
        Predicate::Contains | Predicate::Covers => a < b,
        Predicate::Within | Predicate::CoveredBy => a > b,
        Predicate::Touches => a == 0 && b == 0,
        Predicate::Intersects | Predicate::Disjoint => false,
    };
    never.then_some(false)
}

/// One of two geometries.
#[derive(Clone, Copy, Debug)]
struct Side {
    bounds: Aabb<f64>,
    is_box: bool,
}

impl Side {
    fn of(all: &Geometries, number: u32) -> Self {
        Self { bounds: all.bounds(number), is_box: all.kinds(number).is_box() }
    }

    /// Whether it covers all that is in a box; if it is no rectangle, that is not known.
    fn covers(&self, other: &Self) -> Option<bool> {
        let may_cover = self.bounds.contains(&other.bounds);
        (self.is_box || !may_cover).then_some(may_cover)
    }
}

/// Whether two geometries intersect, if boxes tell.
pub(crate) fn do_meet(a: &Geometries, i: u32, b: &Geometries, j: u32) -> Option<bool> {
    let [a, b] = [Side::of(a, i), Side::of(b, j)];
    let do_boxes = a.bounds.intersects(&b.bounds);
    let is_covered = a.covers(&b) == Some(true) || b.covers(&a) == Some(true);
    (!do_boxes || is_covered || a.is_box && b.is_box).then_some(do_boxes)
}

/// Whether a predicate holds, if boxes tell.
pub(crate) fn by_boxes(
    predicate: Predicate,
    a: &Geometries,
    i: u32,
    b: &Geometries,
    j: u32,
    dimensions: [u8; 2],
) -> Option<bool> {
    let [one, other] = [Side::of(a, i), Side::of(b, j)];
    let are_boxes = one.is_box && other.is_box;
    let do_interiors = !are_areas_apart(&one.bounds, &other.bounds);
    match predicate {
        Predicate::Covers => one.covers(&other),
        Predicate::CoveredBy => other.covers(&one),
        Predicate::Contains => contains(&one, &other, dimensions[1]),
        Predicate::Within => contains(&other, &one, dimensions[0]),
        // Areas whose boxes have but an edge in common cannot do more than touch.
        Predicate::Touches if dimensions == [2; 2] && !do_interiors => Some(do_intersect(a, i, b, j)),
        Predicate::Touches => are_boxes.then_some(false),
        Predicate::Overlaps if dimensions == [2; 2] && !do_interiors => Some(false),
        Predicate::Overlaps => {
            let do_overlap = || one.covers(&other) != Some(true) && other.covers(&one) != Some(true);
            are_boxes.then(do_overlap)
        }
        Predicate::Equals => (are_boxes || one.bounds != other.bounds).then(|| one.bounds == other.bounds),
        Predicate::Intersects | Predicate::Disjoint | Predicate::Crosses => None,
    }
}

/// What lies on the edge only is covered, but not contained.
fn contains(one: &Side, other: &Side, dimension: u8) -> Option<bool> {
    let ([west, south], [east, north]) = (one.bounds.min, one.bounds.max);
    let Aabb { min, max } = other.bounds;
    let is_off_edge = west < min[0] && south < min[1] && max[0] < east && max[1] < north;
    one.covers(other).filter(|covers| !covers || dimension == 2 || is_off_edge)
}

/// Whether boxes have no area in common.
fn are_areas_apart(a: &Aabb<f64>, b: &Aabb<f64>) -> bool {
    (0..2).any(|axis| a.max[axis] <= b.min[axis] || b.max[axis] <= a.min[axis])
}
