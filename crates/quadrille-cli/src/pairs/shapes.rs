//! Pairs of geometries: candidates by their boxes, then decided exactly.

use std::borrow::Cow;
use std::ops::ControlFlow;

use quadrille::{Aabb, AnyStructure, Index};
use quadrille_files::Shapes;
use quadrille_shapes::{
    Fault, Geometries, Nearest, PointsInPolygons, Predicate, Wanted, distance, in_common, is_within,
};

use super::Sets;
use super::query::Query;
use crate::failure::Failure;

/// The geometries, and what is to hold between them.
#[derive(Clone, Debug)]
pub(super) struct Refined<'a> {
    /// The boxes of both sets; of a single set, twice.
    boxes: [&'a [Aabb<f64>]; 2],
    first: Cow<'a, Geometries>,
    /// `None` if there is only one set.
    second: Option<Cow<'a, Geometries>>,
}

/// What is done with each pair.
type Visit<'a, B> = &'a mut dyn FnMut(u32, u32) -> ControlFlow<B>;

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

    /// Two sets that have been checked.
    pub(super) fn between(all: [&'a Geometries; 2], boxes: [&'a [Aabb<f64>]; 2]) -> Self {
        let [first, second] = all.map(Cow::Borrowed);
        Self { boxes, first, second: Some(second) }
    }

    /// Hands on the pairs for which the predicate holds. `boxes` visits those whose boxes overlap.
    pub(super) fn visit<B>(
        &self,
        predicate: Predicate,
        boxes: impl FnOnce(Visit<'_, B>) -> ControlFlow<B>,
        visit: Visit<'_, B>,
    ) -> ControlFlow<B> {
        if predicate == Predicate::Disjoint {
            return self.visit_others(boxes, visit);
        }
        let mut many = self.second.as_ref().and_then(|second| PointsInPolygons::new(&self.first, second, predicate));
        boxes(&mut |a, b| {
            if let Some(many) = &mut many {
                let boxes = self.boxes(a, b);
                if predicate.is_possible(boxes[0], boxes[1]) && many.takes(a, b, boxes) {
                    return if many.is_full() { many.decide(&mut *visit) } else { ControlFlow::Continue(()) };
                }
            }
            if self.holds(predicate, a, b) {
                visit(a, b)?;
            }
            // Within one set, a pair comes once, and may be one in either order.
            if self.second.is_none() && predicate.is_directed() && self.holds(predicate, b, a) {
                visit(b, a)?;
            }
            ControlFlow::Continue(())
        })?;
        many.map_or(ControlFlow::Continue(()), |mut many| many.decide(visit))
    }

    /// Hands on all pairs but those that intersect.
    fn visit_others<B>(
        &self,
        boxes: impl FnOnce(Visit<'_, B>) -> ControlFlow<B>,
        visit: Visit<'_, B>,
    ) -> ControlFlow<B> {
        let mut met = Vec::new();
        self.visit(Predicate::Intersects, boxes, &mut |a, b| {
            met.push((a, b));
            ControlFlow::Continue(())
        })?;
        met.sort_unstable();
        let mut met = met.into_iter().peekable();
        (0..self.first.len() as u32).try_for_each(|a| {
            let others = if self.second.is_none() { a + 1 } else { 0 }..self.other().len() as u32;
            others.map(|b| (a, b)).filter(|pair| met.next_if_eq(pair).is_none()).try_for_each(|(a, b)| visit(a, b))
        })
    }

    fn holds(&self, predicate: Predicate, a: u32, b: u32) -> bool {
        let [box_a, box_b] = self.boxes(a, b);
        // All have been checked.
        predicate.is_possible(box_a, box_b) && predicate.holds(&self.first, a, self.other(), b).unwrap_or(false)
    }

    pub(super) fn are_within(&self, a: u32, b: u32, most: f64) -> bool {
        is_within(&self.first, a, self.other(), b, most)
    }

    pub(super) fn distance(&self, a: u32, b: u32) -> f64 {
        distance(&self.first, a, self.other(), b)
    }

    /// The area or length that two have in common.
    pub(super) fn in_common(&self, a: u32, b: u32) -> f64 {
        // All have been checked.
        in_common(&self.first, a, self.other(), b).unwrap_or(f64::NAN)
    }

    /// The nearest of each, in order.
    pub(super) fn visit_nearest<B>(
        &self,
        (count, most): (usize, f64),
        asked: &Index<AnyStructure<f64>>,
        visit: Visit<'_, B>,
    ) -> ControlFlow<B> {
        let wanted = Wanted { count, most, has_ties: false, but_itself: self.second.is_none() };
        Nearest::new(self.other(), asked)
            .to_each(&self.first, wanted, |a, found| found.iter().try_for_each(|(b, _)| visit(a, *b)))
    }

    fn other(&self) -> &Geometries {
        self.second.as_ref().unwrap_or(&self.first)
    }

    fn boxes(&self, a: u32, b: u32) -> [&'a Aabb<f64>; 2] {
        [&self.boxes[0][a as usize], &self.boxes[1][b as usize]]
    }
}

/// The geometries of a file, or its boxes as such.
fn geometries(query: Query, is_measured: bool, shapes: &Shapes) -> Result<Cow<'_, Geometries>, Failure> {
    let bad = |fault: Fault| Failure::Bad(format!("{}: {fault}; --boxes compares bounding boxes", shapes.name));
    let Some(all) = &shapes.geometries else {
        return Geometries::from_boxes(&shapes.boxes).map(Cow::Owned).map_err(bad);
    };
    check(query, is_measured, all).map_err(bad)?;
    Ok(Cow::Borrowed(all))
}

/// Checks that the predicate supports all geometries; names the first that it does not.
pub(super) fn check(query: Query, is_measured: bool, all: &Geometries) -> Result<(), Fault> {
    // Geometries can be measured if the other predicates support them.
    let measured = is_measured.then_some(Predicate::Overlaps);
    query.predicate().into_iter().chain(measured).try_for_each(|predicate| predicate.check(all))
}
