//! Pairs, events and queries.

use std::ffi::c_void;

use super::super::memory::{teller, write_beside, write_each, write_if_wanted, write_pairs_apart};
use super::super::types::{Boxes, Ids, Pairs, Rows, Visit};
use super::super::{on, with};
use super::scalar::{with_rows, work};
use crate::boxes::each;
use crate::status::{Fault, Status};

/// All pairs of boxes that overlap and whose layers meet, each once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_pairs(boxes: Boxes, pairs: *mut Pairs) -> Status {
    on(boxes, |any| {
        each!(any, boxes => boxes.pairs())?;
        let found = any.found();
        // SAFETY: passed on.
        unsafe { write_if_wanted(&found.pairs, pairs, "pairs") }
    })
}

/// All pairs of a box of these and a box of the others that overlap and whose layers meet. Both have coordinates of the
/// same type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_pairs_with(boxes: Boxes, others: Boxes, pairs: *mut Pairs) -> Status {
    on(boxes, |any| {
        each!(any, boxes => with(others, |others| boxes.pairs_with(others.expect()?)))?;
        let found = any.found();
        // SAFETY: passed on.
        unsafe { write_if_wanted(&found.pairs, pairs, "pairs") }
    })
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
    on(boxes, |any| {
        each!(any, boxes => boxes.pairs_within(None, distance))?;
        let found = any.found();
        // SAFETY: passed on.
        unsafe { write_pairs_apart(&found.pairs, &found.answers.distances, pairs, distances) }
    })
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
    on(boxes, |any| {
        each!(any, boxes => with(others, |others| boxes.pairs_within(Some(others.expect()?), distance)))?;
        let found = any.found();
        // SAFETY: passed on.
        unsafe { write_pairs_apart(&found.pairs, &found.answers.distances, pairs, distances) }
    })
}

/// Calls `visit` with the two ids of each pair of boxes that overlap and whose layers meet, until it returns 0. Nothing
/// is kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_visit_pairs(boxes: Boxes, visit: Visit, context: *mut c_void) -> Status {
    on(boxes, |any| {
        // SAFETY: passed on.
        let mut tell = unsafe { teller(visit, context) }?;
        each!(any, boxes => boxes.visit_pairs(&mut tell));
        Ok(())
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
    let work = work!(|boxes, rows, layers: u32, visit: Visit, context: *mut c_void| {
        // SAFETY: passed on.
        boxes.visit(rows, layers, &mut unsafe { teller(visit, context) }?)
    });
    // SAFETY: passed on.
    unsafe { with_rows(boxes, rows, work) }
}

/// The pairs that began and ended since the last call of this function, sorted; in the first call, all pairs begin.
/// Each may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_events(boxes: Boxes, began: *mut Pairs, ended: *mut Pairs) -> Status {
    on(boxes, |any| {
        each!(any, boxes => boxes.events());
        let found = any.found();
        // SAFETY: passed on. Both tell how much room they need.
        unsafe {
            let first = write_if_wanted(&found.began, began, "began");
            write_if_wanted(&found.ended, ended, "ended").and(first)
        }
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
    let work = work!(|boxes, rows, layers: u32, counts: *mut u32, ids: *mut Ids| {
        boxes.query(rows, layers)?;
        // SAFETY: passed on.
        unsafe {
            write_if_wanted(&boxes.found.answers.ids, ids, "ids")?;
            write_each(&boxes.found.answers.counts, counts, "counts")
        }
    });
    // SAFETY: passed on.
    unsafe { with_rows(boxes, rows, work) }
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
    let work =
        work!(|boxes, rows, distance: f64, layers: u32, counts: *mut u32, ids: *mut Ids, distances: *mut f64| {
            boxes.within(rows, distance, layers)?;
            let found = &boxes.found.answers;
            // SAFETY: passed on.
            unsafe {
                write_if_wanted(&found.ids, ids, "ids")?;
                write_beside(&found.distances, ids, distances, "distances")?;
                write_each(&found.counts, counts, "counts")
            }
        });
    // SAFETY: passed on.
    unsafe { with_rows(boxes, rows, work) }
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
    let work = work!(|boxes, rows, most: usize, distance: f64, layers: u32, ids: *mut Ids, distances: *mut f64| {
        boxes.nearest(rows, most, distance, layers)?;
        let found = &boxes.found.answers;
        // SAFETY: passed on.
        unsafe {
            write_if_wanted(&found.ids, ids, "ids")?;
            write_beside(&found.distances, ids, distances, "distances")
        }
    });
    // SAFETY: passed on.
    unsafe { with_rows(boxes, rows, work) }
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
    type Out = (*mut Ids, *mut f64, *mut i8);
    let out: Out = (ids, times, normals);
    let work = work!(|boxes, rows, directions: Rows, latest: f64, layers: u32, out: Out| {
        if directions.numbers != 2 {
            return Err(Fault::value(format!("`directions` has rows of {} numbers, not 2", directions.numbers)));
        }
        let (ids, times, normals) = out;
        // SAFETY: passed on.
        unsafe {
            boxes.cast(rows, &directions.numbers::<S>("directions")?, latest, layers)?;
            let found = &boxes.found;
            write_if_wanted(&found.answers.ids, ids, "ids")?;
            write_beside(&found.answers.distances, ids, times, "times")?;
            write_beside(&found.normals, ids, normals.cast(), "normals")
        }
    });
    // SAFETY: passed on.
    unsafe { with_rows(boxes, rows, work) }
}
