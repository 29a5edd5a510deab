//! Pairs of geometries: candidates by their boxes, then decided exactly.

use std::borrow::Cow;

use quadrille::Aabb;
use quadrille_files::Shapes;
use quadrille_shapes::{Fault, Geometries, Joiner, Predicate, Relation, Side, distance, in_common};

use super::Sets;
use super::query::Query;
use crate::failure::Failure;

/// The geometries of one or two sets.
#[derive(Clone, Debug)]
pub(super) struct Refined<'a> {
    /// The boxes of both sets; of a single set, twice.
    boxes: [&'a [Aabb<f64>]; 2],
    first: Cow<'a, Geometries>,
    /// `None` if there is only one set.
    second: Option<Cow<'a, Geometries>>,
}

impl<'a> Refined<'a> {
    /// `None` if there are only boxes or points, which their boxes describe, and nothing is to be measured. Fails if a
    /// geometry does not support the query.
    pub(super) fn of(query: Query, is_measured: bool, sets: Sets<'a>) -> Result<Option<Self>, Failure> {
        let both = [Some(sets.first), sets.second];
        let have_geometries = both.iter().flatten().any(|shapes| shapes.geometries.is_some());
        let are_boxes = !have_geometries || both.into_iter().flatten().all(Shapes::has_only_points);
        if are_boxes && !is_measured && !matches!(query, Query::Shapes(_)) {
            return Ok(None);
        }
        let [first, second] =
            both.map(|shapes| shapes.map(|shapes| geometries(query, is_measured, shapes)).transpose());
        let boxes = [sets.first, sets.other()].map(|shapes| shapes.boxes.as_slice());
        Ok(first?.zip(Some(second?)).map(|(first, second)| Self { boxes, first, second }))
    }

    /// Decides candidates.
    pub(super) fn joiner(&self, relation: Relation) -> Joiner<'_> {
        let first = Side { all: &self.first, boxes: self.boxes[0] };
        let second = self.second.as_ref().map(|second| Side { all: second, boxes: self.boxes[1] });
        Joiner::new(first, second, relation)
    }

    pub(super) fn distance(&self, a: u32, b: u32) -> f64 {
        distance(&self.first, a, self.other(), b)
    }

    /// The area or length that two have in common.
    pub(super) fn in_common(&self, a: u32, b: u32) -> f64 {
        // All have been checked.
        in_common(&self.first, a, self.other(), b).unwrap_or(f64::NAN)
    }

    pub(super) fn first(&self) -> &Geometries {
        &self.first
    }

    /// The second set, or the only one.
    pub(super) fn other(&self) -> &Geometries {
        self.second.as_ref().unwrap_or(&self.first)
    }
}

/// The geometries of a file, or its boxes as such.
fn geometries(query: Query, is_measured: bool, shapes: &Shapes) -> Result<Cow<'_, Geometries>, Failure> {
    let bad = |fault| refused(shapes, fault);
    let Some(all) = &shapes.geometries else {
        return Geometries::from_boxes(&shapes.boxes).map(Cow::Owned).map_err(bad);
    };
    check(query, is_measured, all).map_err(bad)?;
    Ok(Cow::Borrowed(all))
}

/// A refusal that names the file and the row: geometries are numbered without those rows that have none.
pub(super) fn refused(shapes: &Shapes, fault: Fault) -> Failure {
    let fault = if let Fault::Mixed(number) = fault { Fault::Mixed(shapes.row(number)) } else { fault };
    Failure::Bad(format!("{}: {fault}; --boxes compares bounding boxes", shapes.name))
}

/// Checks that the predicate supports all geometries; names the first that it does not.
pub(super) fn check(query: Query, is_measured: bool, all: &Geometries) -> Result<(), Fault> {
    // Geometries can be measured if the other predicates support them.
    let measured = is_measured.then_some(Predicate::Overlaps);
    query.predicate().into_iter().chain(measured).try_for_each(|predicate| predicate.check(all))
}
