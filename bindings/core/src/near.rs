//! Pairs of two sets on the earth, or of one, that are near each other.

use std::ops::ControlFlow;

use quadrille::{FrameTree, Index, PairsInParts};
use quadrille_shapes::globe::{Globe, NearPoints};

use crate::call::{Call, Column, check_room_for_boxes};
use crate::error::Error;
use crate::neighbors::Lists;
use crate::queries::{Answers, pairs_that};

/// Pairs of one of the first set, which has this many, and another that are no farther apart than `most` meters, in order.
pub(crate) fn near_pairs(globe: &Globe<'_>, rows: usize, most: f64, call: Call<'_>) -> Result<Vec<(u32, u32)>, Error> {
    match globe.near_points(most) {
        Some(points) => near_points(&points, rows, call),
        None => near_boxes(globe, most, call),
    }
}

fn near_points(points: &NearPoints<'_>, rows: usize, call: Call<'_>) -> Result<Vec<(u32, u32)>, Error> {
    let (boxes, others) = points.boxes();
    check_room_for_boxes(2 * boxes.len() + others.map_or(0, <[_]>::len))?;
    let candidates = match others {
        None => PairsInParts::within(boxes, 0.0)?,
        Some(others) => PairsInParts::between(boxes, others)?,
    };
    let found = pairs_that(&candidates, boxes.len(), call, usize::MAX, &|a, b| points.are_near(a, b))?;
    let mut pairs = found.unwrap_or_default();
    pairs.iter_mut().for_each(|pair| *pair = points.numbers(pair.0, pair.1));
    let Answers { counts, ids, .. } = Lists { pairs: &pairs, is_both: false }.of(0..rows, &call.pulse())?;
    pairs.clear();
    let (mut ids, rows) = (ids.into_iter(), (0..).zip(counts));
    rows.for_each(|(row, count)| pairs.extend(ids.by_ref().take(count as usize).map(|id| (row, id))));
    pairs.dedup();
    Ok(pairs)
}

fn near_boxes(globe: &Globe<'_>, most: f64, call: Call<'_>) -> Result<Vec<(u32, u32)>, Error> {
    let index = Index::<FrameTree<f64>>::from_boxes(&globe.boxes_to_ask())?;
    let pulse = call.pulse();
    let mut pairs = Column::beside(index.len(), &pulse);
    let walk = globe.visit_within(&index, most, |i, others| {
        let pushed = others.iter().try_for_each(|j| pairs.push((i, *j)));
        pushed.and_then(|()| pulse.beat()).map_or_else(ControlFlow::Break, ControlFlow::Continue)
    });
    walk.break_value().map_or_else(|| Ok(pairs.into_answers()), Err)
}
