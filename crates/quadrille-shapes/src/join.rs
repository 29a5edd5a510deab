//! All pairs of two sets: a join of boxes, and then the edges of each pair.

use std::ops::ControlFlow;

use quadrille::{Aabb, PairsInParts, Part};

use crate::distance::{is_within, reach_of_boxes};
use crate::fault::Fault;
use crate::geometries::Geometries;
use crate::kept::has_room;
use crate::many::PointsInPolygons;
use crate::predicate::Predicate;

/// All pairs of a geometry of `a` and one of `b` for which a predicate holds, by their numbers, in no particular order.
///
/// # Errors
/// If the predicate does not support one of them (see [`Predicate::holds`]), or if memory runs out.
pub fn join(a: &Geometries, b: &Geometries, predicate: Predicate) -> Result<Vec<(u32, u32)>, Fault> {
    join_while(a, b, predicate, &mut || true)
}

/// The same, until `may_go_on`, which is called for each pair of boxes, returns `false`.
///
/// # Errors
/// As [`join`], and [`Fault::Stopped`].
pub fn join_while(
    a: &Geometries,
    b: &Geometries,
    predicate: Predicate,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<(u32, u32)>, Fault> {
    if predicate == Predicate::Disjoint {
        return disjoint(a, b, may_go_on);
    }
    let [of_a, of_b] = [a, b].map(Geometries::boxes);
    let (mut pairs, mut many) = (Vec::new(), PointsInPolygons::new(a, b, predicate));
    let found = visit_near(&of_a, &of_b, None, &mut |i, j| {
        if !may_go_on() {
            return ControlFlow::Break(Fault::Stopped);
        }
        let boxes = [&of_a[i as usize], &of_b[j as usize]];
        if !predicate.is_possible(boxes[0], boxes[1]) {
            return ControlFlow::Continue(());
        }
        if let Some(many) = &mut many {
            if many.takes(i, j, boxes) {
                let is_full = many.is_full();
                return if is_full { many.decide(|i, j| add(&mut pairs, (i, j))) } else { ControlFlow::Continue(()) };
            }
        }
        match predicate.holds(a, i, b, j) {
            Ok(true) => add(&mut pairs, (i, j)),
            Ok(false) => ControlFlow::Continue(()),
            Err(fault) => ControlFlow::Break(fault),
        }
    })?;
    let found = match (found, &mut many) {
        (ControlFlow::Continue(()), Some(many)) => many.decide(|i, j| add(&mut pairs, (i, j))),
        (found, _) => found,
    };
    found.break_value().map_or(Ok(pairs), Err)
}

/// All pairs that are no farther apart than `most`.
///
/// # Errors
/// If memory runs out.
pub fn join_within(a: &Geometries, b: &Geometries, most: f64) -> Result<Vec<(u32, u32)>, Fault> {
    join_within_while(a, b, most, &mut || true)
}

/// The same, until `may_go_on`, which is called for each pair of boxes, returns `false`.
///
/// # Errors
/// As [`join_within`], and [`Fault::Stopped`].
pub fn join_within_while(
    a: &Geometries,
    b: &Geometries,
    most: f64,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<(u32, u32)>, Fault> {
    if most.is_nan() || most < 0.0 {
        return Ok(Vec::new());
    }
    let [of_a, of_b] = [a, b].map(Geometries::boxes);
    let mut pairs = Vec::new();
    let found = visit_near(&of_a, &of_b, Some(reach_of_boxes(most)), &mut |i, j| {
        if !may_go_on() {
            return ControlFlow::Break(Fault::Stopped);
        }
        if is_within(a, i, b, j, most) { add(&mut pairs, (i, j)) } else { ControlFlow::Continue(()) }
    })?;
    found.break_value().map_or(Ok(pairs), Err)
}

/// Visits the pairs of boxes that overlap, or are no farther apart than a distance, by number.
fn visit_near(
    of_a: &[Aabb<f64>],
    of_b: &[Aabb<f64>],
    within: Option<f64>,
    visit: &mut dyn FnMut(u32, u32) -> ControlFlow<Fault>,
) -> Result<ControlFlow<Fault>, Fault> {
    let pairs = match within {
        Some(most) => PairsInParts::between_within(of_a, of_b, most),
        None => PairsInParts::between(of_a, of_b),
    };
    Ok(pairs.map_err(|_| Fault::Memory)?.part_visit(Part::WHOLE, visit))
}

/// All pairs but those that intersect.
fn disjoint(a: &Geometries, b: &Geometries, may_go_on: &mut dyn FnMut() -> bool) -> Result<Vec<(u32, u32)>, Fault> {
    let mut met = join_while(a, b, Predicate::Intersects, may_go_on)?;
    met.sort_unstable();
    let (mut met, mut pairs) = (met.into_iter().peekable(), Vec::new());
    let done = (0..a.len() as u32).try_for_each(|i| {
        if !may_go_on() {
            return ControlFlow::Break(Fault::Stopped);
        }
        let row = (0..b.len() as u32).map(|j| (i, j));
        row.filter(|pair| met.next_if_eq(pair).is_none()).try_for_each(|pair| add(&mut pairs, pair))
    });
    done.break_value().map_or(Ok(pairs), Err)
}

/// Adds a pair, if there is memory for it and for the work on the next ones.
fn add(pairs: &mut Vec<(u32, u32)>, pair: (u32, u32)) -> ControlFlow<Fault> {
    if !has_room(pairs, 1) {
        return ControlFlow::Break(Fault::Memory);
    }
    pairs.push(pair);
    ControlFlow::Continue(())
}

impl Geometries {
    /// The boxes of all geometries.
    #[must_use]
    pub fn boxes(&self) -> Vec<Aabb<f64>> {
        (0..self.len() as u32).map(|number| self.bounds(number)).collect()
    }
}
