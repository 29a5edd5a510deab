//! Calls for boxes: how they are made, changed and read.
//!
//! | file | what it is for |
//! |---|---|
//! | this one | boxes and their ids |
//! | `queries.rs` | pairs, events and queries |
//! | `best.rs` | non-maximum suppression and decluttering |
//! | `scalar.rs` | calls whose scalar is chosen by a number |

mod best;
mod queries;
mod scalar;

pub use self::best::*;
pub use self::queries::*;

use std::ffi::{c_char, c_void};
use std::ptr::null;

use self::scalar::{by_scalar, with_rows};
use super::memory::{Target, full_column, list, out, read_ids, room, rows, text, wanted};
use super::types::{Boxes, Bytes, Ids, Kept, Layers, Pair, Rows};
use super::{answer, call, free, keep, on, with};
use crate::boxes::{AnyBoxes, Boxes as BoxesOf, Coordinate, each};
use crate::status::Status;
use quadrille::structures::StructureKind;
use quadrille::{Aabb, Layers as OwnAndMask};

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
    // SAFETY: passed on.
    call(|| unsafe {
        let (structure, boxes) = (text(structure, "structure")?, out(boxes, "boxes")?);
        let made = by_scalar!(rows.scalar, S => {
            let numbers = rows.numbers::<S>("rows")?;
            BoxesOf::new(structure, self::rows(&numbers, rows.numbers)).map(S::any)
        })?;
        keep(made, boxes)
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
        let made = by_scalar!(scalar, S => BoxesOf::from_bytes(bytes).map(S::any))?;
        keep(made, boxes)
    })
}

/// Frees boxes and the answers that they keep.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_boxes_free(boxes: Boxes) -> Status {
    free(boxes)
}

/// Replaces all boxes, for example once a frame: from now on there are exactly these, and their ids are their row
/// numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_update(boxes: Boxes, rows: Rows) -> Status {
    // SAFETY: passed on.
    call(|| unsafe { with_rows!(boxes, rows, |boxes, rows| Ok(boxes.all.update(rows, None)?)) })
}

/// Updates the boxes with these ids, one for each row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_move(boxes: Boxes, ids: *const u32, count: usize, rows: Rows) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let ids = read_ids(ids, count)?;
        with_rows!(boxes, rows, |boxes, rows| Ok(boxes.all.set(&ids, rows)?))
    })
}

/// Adds boxes; `ids` receives the id of each row, and may be null. Freed ids are reused. If they do not fit, the boxes
/// are added anyway, and their ids are kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_insert(boxes: Boxes, rows: Rows, ids: *mut Ids) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let ids = wanted(ids, "ids")?;
        with_rows!(boxes, rows, |boxes, rows| {
            boxes.insert(rows)?;
            ids.write(&boxes.found.answers.ids)
        })
    })
}

/// Removes the boxes with these ids, which must all be different.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_remove(boxes: Boxes, ids: *const u32, count: usize) -> Status {
    call(|| {
        // SAFETY: passed on.
        let ids = unsafe { read_ids(ids, count) }?;
        with(boxes, |any| Ok(each!(any, boxes => boxes.all.remove(&ids))?))
    })
}

/// Sets the layers of the boxes with these ids. New boxes are on all layers and collide with all.
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
        with(boxes, |any| Ok(each!(any, boxes => boxes.all.set_layers(&ids, &layers))?))
    })
}

/// Writes the layers of the boxes with these ids; the memory must have room for as many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_layers(
    boxes: Boxes,
    ids: *const u32,
    count: usize,
    layers: *mut Layers,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (ids, layers) = unsafe { (read_ids(ids, count)?, full_column(layers, count > 0, "layers")?) };
        with(boxes, |any| {
            let found = each!(any, boxes => boxes.all.layers(&ids))?;
            let found: Vec<_> = found.iter().map(|both| Layers { own: both.own, mask: both.mask }).collect();
            layers.write(&found);
            Ok(())
        })
    })
}

/// Sets how many threads `_pairs`, `_pairs_with`, `_query`, `_within`, `_nearest` and `_cast` of these boxes use from
/// now on: one by default, one per core if it is 0. Answers and their order stay the same.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_boxes_set_threads(boxes: Boxes, threads: usize) -> Status {
    on(boxes, |any| each!(any, boxes => boxes.set_threads(threads)))
}

/// The name of the structure that the boxes are in. The text is never freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_structure(boxes: Boxes, name: *mut *const c_char) -> Status {
    let ask = |any: &mut AnyBoxes| {
        let kind = each!(any, boxes => boxes.all.kind());
        let number = StructureKind::ALL.iter().position(|one| *one == kind).unwrap_or(usize::MAX);
        Ok(quadrille_structure_name(number))
    };
    // SAFETY: passed on.
    unsafe { answer(boxes, name, "name", ask) }
}

/// The bounds of all nodes or cells of the structure, for drawing: four numbers each, of the type `scalar`. `room` is
/// how many nodes fit, `count` receives how many there are. Nothing is kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_nodes(
    boxes: Boxes,
    scalar: u32,
    numbers: *mut c_void,
    room: usize,
    count: *mut usize,
) -> Status {
    // SAFETY: four numbers a box without padding; passed on.
    call(|| unsafe {
        by_scalar!(scalar, S => {
            let nodes = Target::<Aabb<S>>::new(numbers.cast(), room, count, "numbers")?;
            with(boxes, |any| nodes.write(&any.expect::<S>()?.nodes()?))
        })
    })
}

/// Does the work that single changes postpone. Answers are correct without it, but may take longer.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_boxes_maintain(boxes: Boxes) -> Status {
    on(boxes, |any| {
        each!(any, boxes => boxes.all.maintain());
        Ok(())
    })
}

/// How many boxes there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_count(boxes: Boxes, count: *mut usize) -> Status {
    // SAFETY: passed on.
    unsafe { answer(boxes, count, "count", |any| Ok(each!(any, boxes => boxes.all.index().len()))) }
}

/// All ids in use, in ascending order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_ids(boxes: Boxes, ids: *mut Ids) -> Status {
    call(|| {
        // SAFETY: passed on.
        let ids = unsafe { wanted(ids, "ids") }?;
        with(boxes, |any| {
            each!(any, boxes => boxes.ids());
            ids.write(&any.found().answers.ids)
        })
    })
}

/// Writes the boxes with these ids: four numbers each, of the type `scalar`; the memory must have room for as many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_get(
    boxes: Boxes,
    ids: *const u32,
    count: usize,
    scalar: u32,
    numbers: *mut c_void,
) -> Status {
    // SAFETY: four numbers a box without padding; passed on.
    call(|| unsafe {
        let ids = read_ids(ids, count)?;
        by_scalar!(scalar, S => {
            let numbers = full_column::<Aabb<S>>(numbers.cast(), count > 0, "numbers")?;
            with(boxes, |any| {
                numbers.write(&any.expect::<S>()?.all.boxes(&ids)?);
                Ok(())
            })
        })
    })
}

/// The boxes as bytes, with their state for events.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_snapshot(boxes: Boxes, bytes: *mut Bytes) -> Status {
    call(|| {
        // SAFETY: passed on.
        let bytes = unsafe { room(bytes, "bytes") }?;
        with(boxes, |any| {
            each!(any, boxes => boxes.snapshot())?;
            bytes.write(&any.found().bytes)
        })
    })
}

/// The answers that the boxes keep until the next call with them other than this one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_kept(boxes: Boxes, kept: *mut Kept) -> Status {
    let ask = |any: &mut AnyBoxes| {
        let found = any.found();
        let pairs = |all: &[[u32; 2]]| (all.as_ptr().cast::<Pair>(), all.len());
        let (answers, [all, began, ended]) =
            (&found.answers, [&found.pairs, &found.began, &found.ended].map(|all| pairs(all)));
        Ok(Kept {
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
        })
    };
    // SAFETY: passed on.
    unsafe { answer(boxes, kept, "kept", ask) }
}
