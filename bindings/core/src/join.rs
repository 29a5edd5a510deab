//! Pairs of arrays in one call, without keeping an index.

use quadrille::structures::{AnyOptions, AnyStructure};
use quadrille::{Aabb, Index, PairsInParts, Scalar};

use crate::call::{Call, check_room_for_boxes, room};
use crate::error::Error;
use crate::queries::{Answers, pairs_in, pairs_that};
use crate::rows::{Rows, check_distance, check_stored};

/// Pairs of rows, and how far apart those of each are.
pub type Apart = (Vec<(u32, u32)>, Vec<f64>);

/// All pairs of rows that overlap, each once, as (lower row, higher row).
///
/// # Errors
/// Returns an error if a row is NaN, infinite or inverted; if memory runs out or the call is stopped.
pub fn pairs<S: Scalar>(rows: Rows<'_, S>, call: Call<'_>) -> Result<Vec<(u32, u32)>, Error> {
    check_stored(rows)?;
    pairs_in(&index_of(&rows.to_boxes()?)?, call)
}

/// The rows of `there` that overlap each row of `here`.
///
/// # Errors
/// Returns an error if a row is NaN, infinite or inverted (the message begins with the name of its array), if memory
/// runs out or the call is stopped.
pub fn pairs_between<S: Scalar>(here: Rows<'_, S>, there: Rows<'_, S>, call: Call<'_>) -> Result<Answers, Error> {
    check_both(here, there)?;
    let (a, b) = (here.to_boxes()?, there.to_boxes()?);
    check_room_for_boxes(a.len() + b.len())?;
    by_row(&PairsInParts::between(&a, &b)?, [a.len(), b.len()], call)
}

/// All pairs of rows that are no farther apart than `distance`, each once, as (lower row, higher row), and how far apart
/// they are, if `are_measured`.
///
/// # Errors
/// Returns an error if a row is NaN, infinite or inverted, or the distance is negative or NaN; if memory runs out or
/// the call is stopped.
pub fn within<S: Scalar>(rows: Rows<'_, S>, distance: f64, are_measured: bool, call: Call<'_>) -> Result<Apart, Error> {
    check_stored(rows)?;
    check_distance(distance)?;
    check_room_for_boxes(rows.len())?;
    let near = PairsInParts::within(&rows.to_boxes()?, distance)?;
    let found = pairs_that(&near, rows.len(), call, usize::MAX, &|_, _| true)?.unwrap_or_default();
    let measured = if are_measured { &found[..] } else { &[] };
    let mut distances = room(measured.len())?;
    distances.extend(measured.iter().map(|&(a, b)| rows.get(a as usize).distance(&rows.get(b as usize))));
    Ok((found, distances))
}

/// The rows of `there` that are no farther than `distance` from each row of `here`, and how far away they are, if
/// `are_measured`.
///
/// # Errors
/// Returns an error if a row is NaN, infinite or inverted (the message begins with the name of its array), if the
/// distance is negative or NaN, if memory runs out or the call is stopped.
pub fn within_between<S: Scalar>(
    here: Rows<'_, S>,
    there: Rows<'_, S>,
    distance: f64,
    are_measured: bool,
    call: Call<'_>,
) -> Result<Answers, Error> {
    check_both(here, there)?;
    check_distance(distance)?;
    check_room_for_boxes(here.len() + there.len())?;
    let near = PairsInParts::between_within(&here.to_boxes()?, &there.to_boxes()?, distance)?;
    let mut found = by_row(&near, [here.len(), there.len()], call)?;
    if are_measured {
        found.distances = found.distances_by(0, &|a, b| here.get(a).distance(&there.get(b)))?;
    }
    Ok(found)
}

/// The pairs of two sets of boxes, row by row of the first.
fn by_row<S: Scalar>(pairs: &PairsInParts<S>, [rows, others]: [usize; 2], call: Call<'_>) -> Result<Answers, Error> {
    let found = pairs_that(pairs, rows.max(others), call, usize::MAX, &|_, _| true)?;
    Answers::by_row(rows, &found.unwrap_or_default())
}

fn check_both<S: Scalar>(here: Rows<'_, S>, there: Rows<'_, S>) -> Result<(), Error> {
    for (name, rows) in [("a", here), ("b", there)] {
        check_stored(rows).map_err(|error| Error::value(format!("{name}, {error}")))?;
    }
    Ok(())
}

/// An index whose ids are the rows.
pub(crate) fn index_of<S: Scalar>(boxes: &[Aabb<S>]) -> Result<Index<AnyStructure<S>>, Error> {
    check_room_for_boxes(boxes.len())?;
    Ok(Index::with_boxes(AnyOptions::FrameTree, boxes)?)
}
