//! Pairs, events and queries.

use std::ffi::c_void;
use std::ptr::null_mut;

use super::super::memory::{column, teller, wanted};
use super::super::types::{Boxes, Ids, Pairs, Rows, Visit};
use super::super::{call, with};
use super::scalar::with_rows;
use crate::boxes::{AnyBoxes, each};
use crate::status::{Fault, Status};

/// All pairs of boxes that overlap and whose layers meet, each once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_pairs(boxes: Boxes, pairs: *mut Pairs) -> Status {
    // SAFETY: passed on.
    unsafe { pairs_apart(boxes, pairs, null_mut(), |any| each!(any, boxes => boxes.pairs())) }
}

/// All pairs of a box of these and a box of the others that overlap and whose layers meet. Both have coordinates of the
/// same type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_pairs_with(boxes: Boxes, others: Boxes, pairs: *mut Pairs) -> Status {
    let find =
        |any: &mut AnyBoxes| each!(any, here => with_others(boxes, others, |others| here.pairs_with(others.expect()?)));
    // SAFETY: passed on.
    unsafe { pairs_apart(boxes, pairs, null_mut(), find) }
}

/// All pairs of boxes that are no farther apart than `distance` and whose layers meet, each once. `distances` is as
/// long as `pairs`; each may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_pairs_within(
    boxes: Boxes,
    distance: f64,
    pairs: *mut Pairs,
    distances: *mut f64,
) -> Status {
    // SAFETY: passed on.
    unsafe { pairs_apart(boxes, pairs, distances, |any| each!(any, boxes => boxes.pairs_within(None, distance))) }
}

/// The same for a box of these and a box of the others. Both have coordinates of the same type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_pairs_with_within(
    boxes: Boxes,
    others: Boxes,
    distance: f64,
    pairs: *mut Pairs,
    distances: *mut f64,
) -> Status {
    let find = |any: &mut AnyBoxes| each!(any, here => with_others(boxes, others, |others| here.pairs_within(Some(others.expect()?), distance)));
    // SAFETY: passed on.
    unsafe { pairs_apart(boxes, pairs, distances, find) }
}

/// Works with other boxes than these.
fn with_others(
    boxes: Boxes,
    others: Boxes,
    work: impl FnOnce(&mut AnyBoxes) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if boxes.bits == others.bits {
        return Err(Fault::value("`others` are these boxes: a call without others finds the pairs within one set"));
    }
    with(others, work)
}

/// A call that finds pairs, and perhaps how far apart they are.
///
/// # Safety
/// As [`wanted`] and [`Wanted::beside`].
unsafe fn pairs_apart(
    boxes: Boxes,
    pairs: *mut Pairs,
    distances: *mut f64,
    find: impl FnOnce(&mut AnyBoxes) -> Result<(), Fault>,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let pairs = unsafe { wanted(pairs, "pairs") }?;
        // SAFETY: passed on.
        let distances = unsafe { pairs.beside("pairs", distances, "distances") }?;
        with(boxes, |any| {
            // Pairs that are found without distances keep none, not those of an earlier call.
            each!(&mut *any, boxes => boxes.found.answers.distances.clear());
            find(any)?;
            let found = any.found();
            pairs.write(&found.pairs)?;
            distances.write(&found.answers.distances);
            Ok(())
        })
    })
}

/// Calls `visit` with the two ids of each pair of boxes that overlap and whose layers meet, until it returns 0. Nothing
/// is kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_visit_pairs(boxes: Boxes, visit: Visit, context: *mut c_void) -> Status {
    call(|| {
        // SAFETY: passed on.
        let mut tell = unsafe { teller(visit, context) }?;
        with(boxes, |any| {
            each!(any, boxes => boxes.visit_pairs(&mut tell));
            Ok(())
        })
    })
}

/// Calls `visit` with the number of a row and the id of each box on at least one of the layers that overlaps it, row by
/// row, until it returns 0. Nothing is kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_visit(
    boxes: Boxes,
    rows: Rows,
    layers: u32,
    visit: Visit,
    context: *mut c_void,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let mut tell = teller(visit, context)?;
        with_rows!(boxes, rows, |boxes, rows| boxes.visit(rows, layers, &mut tell))
    })
}

/// The contacts that have begun and ended since the last call of this function, sorted; in the first call, all current
/// contacts begin. Each may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_events(boxes: Boxes, began: *mut Pairs, ended: *mut Pairs) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (began, ended) = unsafe { (wanted(began, "began")?, wanted(ended, "ended")?) };
        with(boxes, |any| {
            each!(any, boxes => boxes.events()?);
            let found = any.found();
            // Both report how much room they need.
            let first = began.write(&found.began);
            ended.write(&found.ended).and(first)
        })
    })
}

/// Boxes on at least one of the layers that overlap each of the rows. `counts` receives how many each row has; both it
/// and `ids` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_query(
    boxes: Boxes,
    rows: Rows,
    layers: u32,
    counts: *mut u32,
    ids: *mut Ids,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (ids, counts) = (wanted(ids, "ids")?, column(counts, "counts")?);
        with_rows!(boxes, rows, |boxes, rows| {
            boxes.query(rows, layers)?;
            let found = &boxes.found.answers;
            ids.write(&found.ids)?;
            counts.write(&found.counts);
            Ok(())
        })
    })
}

/// Boxes on at least one of the layers that are no farther than `distance` from each of the rows. `distances` is as
/// long as `ids`; each may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_within(
    boxes: Boxes,
    rows: Rows,
    distance: f64,
    layers: u32,
    counts: *mut u32,
    ids: *mut Ids,
    distances: *mut f64,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let ids = wanted(ids, "ids")?;
        let (distances, counts) = (ids.beside("ids", distances, "distances")?, column(counts, "counts")?);
        with_rows!(boxes, rows, |boxes, rows| {
            boxes.within(rows, distance, layers)?;
            let found = &boxes.found.answers;
            ids.write(&found.ids)?;
            distances.write(&found.distances);
            counts.write(&found.counts);
            Ok(())
        })
    })
}

/// The boxes on at least one of the layers that are nearest to each of the rows: `most` ids for each, the nearest
/// first, `QUADRILLE_NONE` where there are fewer no farther than `distance`, which may be infinite. `distances` is as
/// long as `ids`; each may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_nearest(
    boxes: Boxes,
    rows: Rows,
    most: usize,
    distance: f64,
    layers: u32,
    ids: *mut Ids,
    distances: *mut f64,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let ids = wanted(ids, "ids")?;
        let apart = ids.beside("ids", distances, "distances")?;
        with_rows!(boxes, rows, |boxes, rows| {
            boxes.nearest(rows, most, distance, layers)?;
            ids.write(&boxes.found.answers.ids)?;
            apart.write(&boxes.found.answers.distances);
            Ok(())
        })
    })
}

/// The first box on at least one of the layers that each row hits along its direction (a row of two numbers), up to
/// `latest` times the direction; if none, `QUADRILLE_NONE` and infinity. `times` is as long as `ids`, `normals` twice
/// as long: the side that is hit, x and y. Each may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_cast(
    boxes: Boxes,
    rows: Rows,
    directions: Rows,
    latest: f64,
    layers: u32,
    ids: *mut Ids,
    times: *mut f64,
    normals: *mut i8,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let ids = wanted(ids, "ids")?;
        let (times, normals) = (ids.beside("ids", times, "times")?, ids.beside("ids", normals.cast(), "normals")?);
        with_rows!(boxes, rows, |boxes, rows| {
            if directions.numbers != 2 {
                return Err(Fault::value(format!("`directions` has rows of {} numbers, not 2", directions.numbers)));
            }
            boxes.cast(rows, &directions.numbers::<S>("directions")?, latest, layers)?;
            let found = &boxes.found;
            ids.write(&found.answers.ids)?;
            times.write(&found.answers.distances);
            normals.write(&found.normals);
            Ok(())
        })
    })
}
