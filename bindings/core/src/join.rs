//! Pairs of arrays in one call, without keeping an index.

use quadrille::{Aabb, AnyOptions, AnyStructure, Index};

use crate::error::Error;
use crate::number::Number;
use crate::questions::{Answers, pairs_in, query};
use crate::rows::{Rows, check_distance, check_stored};
use crate::threads::Threads;

/// All pairs of rows that overlap, each once, as (lower row, higher row).
///
/// # Errors
/// If a row is NaN, infinite or inverted.
pub fn pairs<S: Number>(rows: Rows<'_, S>, threads: Threads) -> Result<Vec<(u32, u32)>, Error> {
    check_stored(rows)?;
    Ok(pairs_in(&index_of(&rows.to_boxes())?, threads))
}

/// The rows of `there` that overlap each row of `here`.
///
/// # Errors
/// If a row is NaN, infinite or inverted; the message begins with the name of its array.
pub fn pairs_between<S: Number>(here: Rows<'_, S>, there: Rows<'_, S>, threads: Threads) -> Result<Answers, Error> {
    for (name, rows) in [("a", here), ("b", there)] {
        check_stored(rows).map_err(|error| Error::value(format!("{name}, {error}")))?;
    }
    query(&index_of(&there.to_boxes())?, here, threads)
}

/// All pairs of rows that are no farther apart than `distance`, each once, as (lower row, higher row), and how far apart they are.
///
/// Two boxes that are that near overlap if each is grown by half of it. So the pairs of grown boxes are looked at, and the boxes
/// themselves decide.
///
/// # Errors
/// If a row is NaN, infinite or inverted, or the distance is negative or NaN.
#[expect(clippy::type_complexity, reason = "two columns")]
pub fn within<S: Number>(
    rows: Rows<'_, S>,
    distance: f64,
    threads: Threads,
) -> Result<(Vec<(u32, u32)>, Vec<f64>), Error> {
    check_stored(rows)?;
    check_distance(distance)?;
    let boxes = rows.to_boxes();
    let grown: Vec<Aabb<S>> = boxes.iter().map(|bounds| S::grown_by_half(bounds, distance)).collect();
    let limit = S::limit(distance);
    let mut found = pairs_in(&index_of(&grown)?, threads);
    let mut distances = Vec::with_capacity(found.len());
    found.retain(|&(a, b)| {
        let near = limit.distance(&boxes[a as usize], &boxes[b as usize]);
        distances.extend(near);
        near.is_some()
    });
    Ok((found, distances))
}

/// An index whose ids are the rows.
pub(crate) fn index_of<S: Number>(boxes: &[Aabb<S>]) -> Result<Index<AnyStructure<S>>, Error> {
    Ok(Index::with_boxes(AnyOptions::FrameTree, boxes)?)
}
