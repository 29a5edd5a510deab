//! Calls about boxes.

use std::ffi::{c_char, c_void};
use std::ptr::null;

use quadrille::{Layers as OwnAndMask, StructureKind};
use quadrille_bindings as core;

use super::memory::{
    list, out, read_ids, rows, teller, text, write, write_beside, write_each, write_ids, write_pairs, write_pairs_apart,
};
use super::types::{Boxes, Bytes, Ids, Kept, Layers, Pair, Pairs, Rows, Visit};
use super::{ALL_BOXES, BOXES, F32, F64, I32, call};
use crate::boxes::{AnyBoxes, Boxes as BoxesOf, Coordinate, each};
use crate::status::{Fault, Status, remember};

/// A call about boxes.
pub(super) fn with(boxes: Boxes, work: impl FnOnce(&mut AnyBoxes) -> Result<(), Fault>) -> Status {
    call(|| ALL_BOXES.with(BOXES, boxes.bits, work))
}

/// A call about boxes and rows of the caller's.
///
/// # Safety
/// As [`Rows::numbers`].
unsafe fn with_rows(boxes: Boxes, given: Rows, work: impl Work) -> Status {
    /// # Safety
    /// As [`Rows::numbers`].
    unsafe fn typed<S: Coordinate>(boxes: Boxes, given: Rows, work: impl Work) -> Result<(), Fault> {
        // SAFETY: passed on.
        let numbers = unsafe { given.numbers::<S>("rows") }?;
        ALL_BOXES.with(BOXES, boxes.bits, |any| work.work(any.expect::<S>()?, rows(&numbers, given.numbers)))
    }
    // SAFETY: passed on.
    call(|| unsafe {
        match given.scalar {
            F32 => typed::<f32>(boxes, given, work),
            F64 => typed::<f64>(boxes, given, work),
            I32 => typed::<i32>(boxes, given, work),
            _ => Err(no_scalar(given.scalar)),
        }
    })
}

#[cold]
fn no_scalar(number: u32) -> Fault {
    Fault::new(Status::Scalar, format!("no type of coordinates has the number {number}"))
}

/// Work on boxes and rows of any scalar: a generic closure.
trait Work {
    fn work<S: Coordinate>(self, boxes: &mut BoxesOf<S>, rows: core::Rows<'_, S>) -> Result<(), Fault>;
}

macro_rules! work {
    (|$boxes:ident, $rows:ident $(, $name:ident: $type:ty)*| $body:expr) => {{
        struct Done { $($name: $type,)* }
        impl Work for Done {
            fn work<S: Coordinate>(self, $boxes: &mut BoxesOf<S>, $rows: core::Rows<'_, S>) -> Result<(), Fault> {
                let Self { $($name,)* } = self;
                $body
            }
        }
        Done { $($name,)* }
    }};
}

/// The name of a structure, by its number from 0; null after the last.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_structure_name(number: usize) -> *const c_char {
    // All names in one text, each with a zero at its end.
    static NAMES: std::sync::LazyLock<Vec<std::ffi::CString>> = std::sync::LazyLock::new(|| {
        StructureKind::ALL.iter().filter_map(|kind| std::ffi::CString::new(kind.name()).ok()).collect()
    });
    NAMES.get(number).map_or(null(), |name| name.as_ptr())
}

/// Makes boxes whose ids are their row numbers, in the structure with this name: "frame-tree", unless you have a reason
/// for another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_new(structure: *const c_char, rows: Rows, boxes: *mut Boxes) -> Status {
    /// # Safety
    /// As [`Rows::numbers`].
    unsafe fn typed<S: Coordinate>(structure: &str, given: Rows) -> Result<AnyBoxes, Fault> {
        // SAFETY: passed on.
        let numbers = unsafe { given.numbers::<S>("rows") }?;
        Ok(S::any(BoxesOf::new(structure, self::rows(&numbers, given.numbers))?))
    }
    // SAFETY: passed on.
    call(|| unsafe {
        let (structure, boxes) = (text(structure, "structure")?, out(boxes, "boxes")?);
        let made = match rows.scalar {
            F32 => typed::<f32>(structure, rows),
            F64 => typed::<f64>(structure, rows),
            I32 => typed::<i32>(structure, rows),
            number => Err(no_scalar(number)),
        }?;
        boxes.bits = ALL_BOXES.add(BOXES, made)?;
        Ok(())
    })
}

/// Restores boxes, whose coordinates have this type, from the bytes of `quadrille_boxes_snapshot`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_restore(
    scalar: u32,
    bytes: *const u8,
    count: usize,
    boxes: *mut Boxes,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (bytes, boxes) = (list(bytes, count, "bytes")?, out(boxes, "boxes")?);
        let made = match scalar {
            F32 => f32::any(BoxesOf::from_bytes(bytes)?),
            F64 => f64::any(BoxesOf::from_bytes(bytes)?),
            I32 => i32::any(BoxesOf::from_bytes(bytes)?),
            number => return Err(no_scalar(number)),
        };
        boxes.bits = ALL_BOXES.add(BOXES, made)?;
        Ok(())
    })
}

/// Frees boxes, and what they keep.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_boxes_free(boxes: Boxes) -> Status {
    call(|| ALL_BOXES.free(BOXES, boxes.bits))
}

/// Replaces all boxes, for example once a frame: from now on there are exactly these, and their ids are their row
/// numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_update(boxes: Boxes, rows: Rows) -> Status {
    // SAFETY: passed on.
    unsafe { with_rows(boxes, rows, work!(|boxes, rows| Ok(boxes.all.update(rows, None)?))) }
}

/// Updates the boxes with these ids, one for each row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_move(boxes: Boxes, ids: *const u32, count: usize, rows: Rows) -> Status {
    // SAFETY: passed on.
    match unsafe { read_ids(ids, count) } {
        Ok(ids) => {
            let work = work!(|boxes, rows, ids: Vec<i64>| Ok(boxes.all.set(&ids, rows)?));
            // SAFETY: passed on.
            unsafe { with_rows(boxes, rows, work) }
        }
        Err(fault) => remember(fault),
    }
}

/// Adds boxes; `ids` takes the id of each row, and may be null. Freed ids are given out again. If they do not fit, the
/// boxes are added anyway, and their ids are kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_insert(boxes: Boxes, rows: Rows, ids: *mut Ids) -> Status {
    let work = work!(|boxes, rows, ids: *mut Ids| {
        boxes.insert(rows)?;
        // SAFETY: passed on.
        unsafe { write_ids(&boxes.found.answers.ids, ids) }
    });
    // SAFETY: passed on.
    unsafe { with_rows(boxes, rows, work) }
}

/// Removes the boxes with these ids, which must all be different.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_remove(boxes: Boxes, ids: *const u32, count: usize) -> Status {
    call(|| {
        // SAFETY: passed on.
        let ids = unsafe { read_ids(ids, count) }?;
        ALL_BOXES.with(BOXES, boxes.bits, |any| Ok(each!(any, boxes => boxes.all.remove(&ids))?))
    })
}

/// Sets the layers of the boxes with these ids. New boxes are on all layers and meet all.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_set_layers(
    boxes: Boxes,
    ids: *const u32,
    layers: *const Layers,
    count: usize,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (ids, layers) = unsafe { (read_ids(ids, count)?, list(layers, count, "layers")?) };
        let layers: Vec<_> = layers.iter().map(|both| OwnAndMask::new(both.own, both.mask)).collect();
        ALL_BOXES.with(BOXES, boxes.bits, |any| Ok(each!(any, boxes => boxes.all.set_layers(&ids, &layers))?))
    })
}

/// Writes the layers of the boxes with these ids; the memory must hold as many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_layers(
    boxes: Boxes,
    ids: *const u32,
    count: usize,
    layers: *mut Layers,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let ids = unsafe { read_ids(ids, count) }?;
        ALL_BOXES.with(BOXES, boxes.bits, |any| {
            let found = each!(any, boxes => boxes.all.layers(&ids))?;
            let found: Vec<_> = found.iter().map(|both| Layers { own: both.own, mask: both.mask }).collect();
            // SAFETY: passed on.
            unsafe { write(&found, layers, count, &mut 0) }
        })
    })
}

/// How many threads `_pairs`, `_pairs_with`, `_query`, `_within`, `_nearest` and `_cast` of these boxes use from now
/// on: one unless this is called, one per core if it is 0. Answers and their order stay the same.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_boxes_set_threads(boxes: Boxes, threads: usize) -> Status {
    with(boxes, |any| each!(any, boxes => boxes.set_threads(threads)))
}

/// The name of the structure that the boxes are in. The text is never freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_structure(boxes: Boxes, name: *mut *const c_char) -> Status {
    with(boxes, |any| {
        let kind = each!(any, boxes => boxes.all.kind());
        let number = StructureKind::ALL.iter().position(|one| *one == kind).unwrap_or(usize::MAX);
        // SAFETY: passed on.
        *unsafe { out(name, "name") }? = quadrille_structure_name(number);
        Ok(())
    })
}

/// The bounds of all nodes or cells of the structure, for drawing: four numbers each, of the type `scalar`. `room` is
/// how many nodes fit, `count` takes how many there are. Nothing is kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_nodes(
    boxes: Boxes,
    scalar: u32,
    numbers: *mut c_void,
    room: usize,
    count: *mut usize,
) -> Status {
    with(boxes, |any| {
        any.check_number(scalar)?;
        // SAFETY: passed on.
        let count = unsafe { out(count, "count") }?;
        each!(any, boxes => {
            // SAFETY: four numbers a box without padding; passed on.
            unsafe { write(&boxes.nodes(), numbers.cast(), room, count) }
        })
    })
}

/// Does the work that single changes postpone. Answers are right without it, but may take longer.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_boxes_maintain(boxes: Boxes) -> Status {
    with(boxes, |any| {
        each!(any, boxes => boxes.all.maintain());
        Ok(())
    })
}

/// How many boxes there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_count(boxes: Boxes, count: *mut usize) -> Status {
    with(boxes, |any| {
        // SAFETY: passed on.
        *unsafe { out(count, "count") }? = each!(any, boxes => boxes.all.index().len());
        Ok(())
    })
}

/// All ids in use, in ascending order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_ids(boxes: Boxes, ids: *mut Ids) -> Status {
    with(boxes, |any| {
        let found = each!(any, boxes => {
            boxes.ids();
            &boxes.found
        });
        // SAFETY: passed on.
        unsafe { write_ids(&found.answers.ids, ids) }
    })
}

/// Writes the boxes with these ids: four numbers each, of the type `scalar`; the memory must hold as many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_get(
    boxes: Boxes,
    ids: *const u32,
    count: usize,
    scalar: u32,
    numbers: *mut c_void,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let ids = unsafe { read_ids(ids, count) }?;
        ALL_BOXES.with(BOXES, boxes.bits, |any| {
            any.check_number(scalar)?;
            each!(any, boxes => {
                let found = boxes.all.boxes(&ids)?;
                // SAFETY: four numbers a box without padding; passed on.
                unsafe { write(&found, numbers.cast(), count, &mut 0) }
            })
        })
    })
}

/// All pairs of boxes that overlap and whose layers meet, each once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_pairs(boxes: Boxes, pairs: *mut Pairs) -> Status {
    with(boxes, |any| {
        let found = each!(any, boxes => {
            boxes.pairs()?;
            &boxes.found
        });
        // SAFETY: passed on.
        unsafe { write_pairs(&found.pairs, pairs) }
    })
}

/// All pairs of a box of these and a box of the others that overlap and whose layers meet. Both have coordinates of the
/// same type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_pairs_with(boxes: Boxes, others: Boxes, pairs: *mut Pairs) -> Status {
    with(boxes, |any| {
        let found = each!(any, boxes => {
            ALL_BOXES.with(BOXES, others.bits, |others| boxes.pairs_with(others.expect()?))?;
            &boxes.found
        });
        // SAFETY: passed on.
        unsafe { write_pairs(&found.pairs, pairs) }
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
    with(boxes, |any| {
        let found = each!(any, boxes => {
            boxes.pairs_within(None, distance)?;
            &boxes.found
        });
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
    with(boxes, |any| {
        let found = each!(any, boxes => {
            ALL_BOXES.with(BOXES, others.bits, |others| boxes.pairs_within(Some(others.expect()?), distance))?;
            &boxes.found
        });
        // SAFETY: passed on.
        unsafe { write_pairs_apart(&found.pairs, &found.answers.distances, pairs, distances) }
    })
}

/// Calls `visit` with the two ids of each pair of boxes that overlap and whose layers meet, until it returns 0. Nothing
/// is kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_visit_pairs(boxes: Boxes, visit: Visit, context: *mut c_void) -> Status {
    with(boxes, |any| {
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

/// The pairs that began and ended since the last call of this function, sorted; at the first call, all pairs begin.
/// Each may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_events(boxes: Boxes, began: *mut Pairs, ended: *mut Pairs) -> Status {
    with(boxes, |any| {
        let found = each!(any, boxes => {
            boxes.events();
            &boxes.found
        });
        // SAFETY: passed on. Both tell how much room they need.
        unsafe {
            let first = write_pairs(&found.began, began);
            write_pairs(&found.ended, ended).and(first)
        }
    })
}

/// Boxes on at least one of the layers that overlap each of the rows. `counts` takes how many each row has, and may be
/// null as `ids` may.
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
            write_ids(&boxes.found.answers.ids, ids)?;
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
                write_ids(&found.ids, ids)?;
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
            write_ids(&found.ids, ids)?;
            write_beside(&found.distances, ids, distances, "distances")
        }
    });
    // SAFETY: passed on.
    unsafe { with_rows(boxes, rows, work) }
}

/// The first box on at least one of the layers that each row hits on its way along its direction (a row of two
/// numbers), up to `latest` times the direction; else `QUADRILLE_NONE` and infinite. `times` is as long as `ids`,
/// `normals` twice as long: the side that is hit, x and y. Each may be null.
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
            write_ids(&found.answers.ids, ids)?;
            write_beside(&found.answers.distances, ids, times, "times")?;
            write_beside(&found.normals, ids, normals.cast(), "normals")
        }
    });
    // SAFETY: passed on.
    unsafe { with_rows(boxes, rows, work) }
}

/// The boxes as bytes, with what is remembered for events.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_snapshot(boxes: Boxes, bytes: *mut Bytes) -> Status {
    with(boxes, |any| {
        let found = each!(any, boxes => {
            boxes.snapshot()?;
            &boxes.found
        });
        // SAFETY: passed on.
        unsafe {
            let Bytes { data, room, count } = out(bytes, "bytes")?;
            write(&found.bytes, *data, *room, count)
        }
    })
}

/// The answers that the boxes keep until the next call with them other than this one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_kept(boxes: Boxes, kept: *mut Kept) -> Status {
    with(boxes, |any| {
        let found = each!(any, boxes => &boxes.found);
        let pairs = |all: &[[u32; 2]]| (all.as_ptr().cast::<Pair>(), all.len());
        let (answers, [all, began, ended]) =
            (&found.answers, [&found.pairs, &found.began, &found.ended].map(|all| pairs(all)));
        // SAFETY: passed on.
        *unsafe { out(kept, "kept") }? = Kept {
            ids: answers.ids.as_ptr(),
            id_count: answers.ids.len(),
            counts: answers.counts.as_ptr(),
            query_count: answers.counts.len(),
            distances: answers.distances.as_ptr(),
            distance_count: answers.distances.len(),
            normals: if found.normals.is_empty() { null() } else { found.normals.as_ptr().cast() },
            pairs: all.0,
            pair_count: all.1,
            began: began.0,
            began_count: began.1,
            ended: ended.0,
            ended_count: ended.1,
        };
        Ok(())
    })
}

/// [`core::suppress`] or [`core::declutter`], applied to boxes and their scores.
///
/// # Safety
/// As [`Rows::numbers`] and [`list`].
unsafe fn best<S: Coordinate>(given: Rows, worth: *const f64, iou: Option<f64>) -> Result<Vec<u32>, Fault> {
    if given.numbers != 4 {
        return Err(Fault::value(format!("`rows` has rows of {} numbers, not 4", given.numbers)));
    }
    // SAFETY: passed on.
    let (boxes, worth) = unsafe { (given.numbers::<S>("rows")?, list(worth, given.count, "worth")?) };
    Ok(match iou {
        Some(iou) => core::suppress(&boxes, worth, iou, core::Call::default()),
        None => core::declutter(&boxes, worth, core::Call::default()),
    }?)
}

/// # Safety
/// As [`best`] and [`write_ids`].
unsafe fn write_best(rows: Rows, worth: *const f64, iou: Option<f64>, ids: *mut Ids) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let found = match rows.scalar {
            F32 => best::<f32>(rows, worth, iou),
            F64 => best::<f64>(rows, worth, iou),
            I32 => best::<i32>(rows, worth, iou),
            number => Err(no_scalar(number)),
        }?;
        let Ids { data, room, count } = out(ids, "ids")?;
        write(&found, *data, *room, count)
    })
}

/// Non-maximum suppression: the rows that remain if, from the highest score down, each box removes all whose
/// intersection over union with it is more than `iou`. The best first; of equal scores the lower row. There are no more
/// than there are rows; nothing is kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_suppress(rows: Rows, scores: *const f64, iou: f64, ids: *mut Ids) -> Status {
    // SAFETY: passed on.
    unsafe { write_best(rows, scores, Some(iou), ids) }
}

/// The rows that remain if, from the highest priority down, each box removes all that touch it: labels that do not
/// cover each other. The most important first; of equal priorities the lower row. Nothing is kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_declutter(rows: Rows, priorities: *const f64, ids: *mut Ids) -> Status {
    // SAFETY: passed on.
    unsafe { write_best(rows, priorities, None, ids) }
}
