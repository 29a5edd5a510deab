//! The predicates, as conditions on a matrix.

use quadrille::Aabb;

use crate::fault::Fault;
use crate::geometries::Geometries;
use crate::intersection_matrix::Matrix;
use crate::intersects::do_intersect;
use crate::point_location::Location::{Boundary, Exterior, Interior};
use crate::rectangle_test::{Outline, are_areas_apart};
use crate::relate::relate_until;

/// A relation between two geometries, as OGC's *Simple Features* define it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// They have a point in common.
    Intersects,
    /// They have no point in common.
    Disjoint,
    /// The first contains the second: nothing of the second is outside, and their interiors meet. Edges do not contain
    /// what lies on them only.
    Contains,
    /// The second contains the first.
    Within,
    /// No point of the second is outside the first.
    Covers,
    /// No point of the first is outside the second.
    CoveredBy,
    /// They meet, but their interiors do not.
    Touches,
    /// A part of the first, of lower dimension than both, lies in the second, and a part does not; of two lines: they
    /// cross at points.
    Crosses,
    /// They have the same dimension, so has their intersection, and each has points outside the other.
    Overlaps,
    /// They are the same points.
    Equals,
}

quadrille::names!(Predicate, UnknownPredicate, "predicate":
    Intersects "intersects",
    Disjoint "disjoint",
    Contains "contains",
    Within "within",
    Covers "covers",
    CoveredBy "covered-by",
    Touches "touches",
    Crosses "crosses",
    Overlaps "overlaps",
    Equals "equals",
);

impl Predicate {
    /// Whether the answer may change with the order of the two.
    #[must_use]
    pub fn is_directed(self) -> bool {
        matches!(self, Self::Contains | Self::Within | Self::Covers | Self::CoveredBy)
    }

    /// Whether it can hold for geometries with these boxes. `Disjoint` always can.
    #[must_use]
    pub fn is_possible(self, a: &Aabb<f64>, b: &Aabb<f64>) -> bool {
        match self {
            Self::Disjoint => true,
            Self::Contains | Self::Covers => a.contains(b),
            Self::Within | Self::CoveredBy => b.contains(a),
            Self::Equals => a == b,
            _ => a.intersects(b),
        }
    }

    /// Checks whether this predicate supports all of these geometries: see [`holds`](Self::holds).
    ///
    /// # Errors
    /// Returns an error that names the first that it does not support.
    pub fn check(self, all: &Geometries) -> Result<(), Fault> {
        match self {
            Self::Intersects | Self::Disjoint => Ok(()),
            _ => (0..all.len() as u32).try_for_each(|number| all.dimension(number).map(drop)),
        }
    }

    /// Whether it holds between geometry `i` of `a` and geometry `j` of `b`.
    ///
    /// # Errors
    /// Returns an error if one is a collection of several kinds of parts, or of several polygons: those support
    /// [`Intersects`](Self::Intersects) and [`Disjoint`](Self::Disjoint) only.
    ///
    /// # Panics
    /// Panics if there is no such number.
    pub fn holds(self, a: &Geometries, i: u32, b: &Geometries, j: u32) -> Result<bool, Fault> {
        match self {
            Self::Intersects => return Ok(do_intersect(a, i, b, j)),
            Self::Disjoint => return Ok(!do_intersect(a, i, b, j)),
            _ => {}
        }
        let dimensions = [a.dimension(i)?, b.dimension(j)?];
        let known = self.by_dimensions(dimensions).or_else(|| self.by_boxes(a, i, b, j, dimensions));
        if let Some(known) = known {
            return Ok(known);
        }
        let matrix = relate_until(a, i, b, j, dimensions, |matrix| self.is_decided(matrix, dimensions));
        Ok(self.is_true_of(&matrix, dimensions))
    }

    /// Whether a predicate holds, if dimensions decide that.
    fn by_dimensions(self, [a, b]: [u8; 2]) -> Option<bool> {
        let never = match self {
            Self::Crosses => a == b && a != 1,
            Self::Overlaps | Self::Equals => a != b,
            Self::Contains | Self::Covers => a < b,
            Self::Within | Self::CoveredBy => a > b,
            Self::Touches => a == 0 && b == 0,
            Self::Intersects | Self::Disjoint => false,
        };
        never.then_some(false)
    }

    /// Whether a predicate holds, if boxes decide that.
    fn by_boxes(self, a: &Geometries, i: u32, b: &Geometries, j: u32, dimensions: [u8; 2]) -> Option<bool> {
        let [one, other] = [Outline::of(a, i), Outline::of(b, j)];
        let are_boxes = one.is_box && other.is_box;
        let do_interiors = !are_areas_apart(&one.bounds, &other.bounds);
        match self {
            Self::Covers => one.covers(&other),
            Self::CoveredBy => other.covers(&one),
            Self::Contains => one.contains(&other, dimensions[1]),
            Self::Within => other.contains(&one, dimensions[0]),
            // Areas whose boxes share only an edge can at most touch.
            Self::Touches if dimensions == [2; 2] && !do_interiors => Some(do_intersect(a, i, b, j)),
            Self::Touches => are_boxes.then_some(false),
            Self::Overlaps if dimensions == [2; 2] && !do_interiors => Some(false),
            Self::Overlaps => {
                let do_overlap = || one.covers(&other) != Some(true) && other.covers(&one) != Some(true);
                are_boxes.then(do_overlap)
            }
            Self::Equals => (are_boxes || one.bounds != other.bounds).then(|| one.bounds == other.bounds),
            Self::Intersects | Self::Disjoint | Self::Crosses => None,
        }
    }

    fn is_true_of(self, matrix: &Matrix, [a, b]: [u8; 2]) -> bool {
        let has = |a, b| matrix.has(a, b);
        let inside = has(Interior, Interior);
        let meets = inside || has(Interior, Boundary) || has(Boundary, Interior) || has(Boundary, Boundary);
        let (first_is_outside, second_is_outside) = outside(matrix);
        let have_own = has(Interior, Exterior) && has(Exterior, Interior);
        match self {
            Self::Intersects => meets,
            Self::Disjoint => !meets,
            Self::Contains => inside && !second_is_outside,
            Self::Within => inside && !first_is_outside,
            Self::Covers => meets && !second_is_outside,
            Self::CoveredBy => meets && !first_is_outside,
            Self::Touches => meets && !inside,
            Self::Crosses if a < b => inside && has(Interior, Exterior),
            Self::Crosses if a > b => inside && has(Exterior, Interior),
            Self::Crosses => a == 1 && matrix.get(Interior, Interior) == 0,
            Self::Overlaps if a != b => false,
            Self::Overlaps if a == 1 => matrix.get(Interior, Interior) == 1 && have_own,
            Self::Overlaps => inside && have_own,
            Self::Equals => a == b && inside && !first_is_outside && !second_is_outside,
        }
    }

    /// Whether the answer is settled, whatever else is noted.
    fn is_decided(self, matrix: &Matrix, dimensions: [u8; 2]) -> bool {
        let (first_is_outside, second_is_outside) = outside(matrix);
        match self {
            Self::Intersects | Self::Disjoint => false,
            Self::Contains | Self::Covers => second_is_outside,
            Self::Within | Self::CoveredBy => first_is_outside,
            Self::Equals => first_is_outside || second_is_outside,
            Self::Touches => matrix.has(Interior, Interior),
            Self::Crosses if dimensions == [1; 2] => matrix.get(Interior, Interior) == 1,
            Self::Crosses | Self::Overlaps => self.is_true_of(matrix, dimensions),
        }
    }
}

/// Whether there is something of the first outside the second, and of the second outside the first.
fn outside(matrix: &Matrix) -> (bool, bool) {
    let has = |a, b| matrix.has(a, b);
    (has(Interior, Exterior) || has(Boundary, Exterior), has(Exterior, Interior) || has(Exterior, Boundary))
}
