//! The functions that C calls, and all `unsafe`: memory of the caller is read before a thing is looked up, and written
//! after it has answered. What C passes is checked as far as it can be: handles against the table, pointers for null
//! and alignment, lengths against what memory can hold, numbers of types and shapes against those there are. That a
//! pointer leads to as much memory as its length says is the caller's to hold.
#![expect(unsafe_code, reason = "the border to C")]
#![expect(clippy::missing_safety_doc, reason = "the same for all, and told at the top of the header")]

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{copy_nonoverlapping, null};
use std::slice::from_raw_parts;

use quadrille::{Layers as OwnAndMask, StructureKind};
use quadrille_bindings as core;
use quadrille_paths::PathWatch;

use crate::boxes::{AnyBoxes, Boxes as BoxesOf, Coordinate, each};
use crate::maps::Map as MapOf;
use crate::status::{Fault, Status, last_text, remember};
use crate::table::Table;

/// Coordinates are `float`.
pub const F32: u32 = 0;
/// Coordinates are `double`.
pub const F64: u32 = 1;
/// Coordinates are `int32_t`.
pub const I32: u32 = 2;

/// In place of an id where there is no answer.
pub const NONE: u32 = 0xffff_ffff;

/// All layers.
pub const ALL_LAYERS: u32 = 0xffff_ffff;

const BOXES: u32 = 1;
static ALL_BOXES: Table<AnyBoxes> = Table::new();
const MAP: u32 = 2;
static ALL_MAPS: Table<MapOf> = Table::new();
const WATCH: u32 = 3;
static ALL_WATCHES: Table<PathWatch> = Table::new();

/// Boxes under ids. Zeroed, it is the handle of nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Boxes {
    /// Not to be looked into.
    bits: u64,
}

/// Rows of coordinates in memory of the caller, which may be parts of greater structs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Rows {
    /// The first number of the first row.
    first: *const c_void,
    /// How many rows there are.
    count: usize,
    /// Bytes from one row to the next; 0 if they follow each other closely.
    stride: usize,
    /// The type of the numbers: `QUADRILLE_F32`, `QUADRILLE_F64` or `QUADRILLE_I32`.
    scalar: u32,
    /// 4 for boxes (xmin, ymin, xmax, ymax), 2 for points (x, y).
    numbers: u32,
}

/// Two boxes: of one set, the lower id first; of two sets, that of the first set first.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pair {
    /// The id of one.
    a: u32,
    /// The id of the other.
    b: u32,
}

/// Room for ids in memory of the caller.
#[repr(C)]
pub struct Ids {
    /// The first.
    data: *mut u32,
    /// How many fit.
    room: usize,
    /// Set by calls: how many there are, which may be more than fit.
    count: usize,
}

/// Room for pairs in memory of the caller.
#[repr(C)]
pub struct Pairs {
    /// The first.
    data: *mut Pair,
    /// How many fit.
    room: usize,
    /// Set by calls: how many there are, which may be more than fit.
    count: usize,
}

/// Room for bytes in memory of the caller.
#[repr(C)]
pub struct Bytes {
    /// The first.
    data: *mut u8,
    /// How many fit.
    room: usize,
    /// Set by calls: how many there are, which may be more than fit.
    count: usize,
}

/// The layers a box is on, and those it wants to meet. Two boxes meet if each is on a layer that the other wants to
/// meet.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Layers {
    /// The layers it is on, a bit each.
    own: u32,
    /// The layers it wants to meet.
    mask: u32,
}

/// The answers that a handle keeps until the next call with it. Pointers to none are not to be followed.
#[repr(C)]
pub struct Kept {
    /// Ids that were found: query by query, or row by row.
    ids: *const u32,
    /// How many ids there are.
    id_count: usize,
    /// How many answers each query has.
    counts: *const u32,
    /// How many queries there were.
    query_count: usize,
    /// How far away each answer is, or the time of a first contact.
    distances: *const f64,
    /// How many distances there are: as many as ids, or none if they were not asked.
    distance_count: usize,
    /// For casts, the side that is hit: x and y for each id.
    normals: *const i8,
    /// Pairs that were found.
    pairs: *const Pair,
    /// How many pairs there are.
    pair_count: usize,
    /// Pairs that began.
    began: *const Pair,
    /// How many pairs began.
    began_count: usize,
    /// Pairs that ended.
    ended: *const Pair,
    /// How many pairs ended.
    ended_count: usize,
}

/// A map of free and blocked cells, which finds shortest paths while it is edited. Zeroed, it is the handle of nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Map {
    /// Not to be looked into.
    bits: u64,
}

/// A path that tells when an edit of its map has broken it. Zeroed, it is the handle of nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Watch {
    /// Not to be looked into.
    bits: u64,
}

/// A cell of a map.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Cell {
    /// The column, from 0 on.
    x: u32,
    /// The row, from 0 on.
    y: u32,
}

/// Room for cells in memory of the caller.
#[repr(C)]
pub struct Cells {
    /// The first.
    data: *mut Cell,
    /// How many fit.
    room: usize,
    /// Set by calls: how many there are, which may be more than fit.
    count: usize,
}

/// The paths that a map keeps until the next call with it. Pointers to none are not to be followed.
#[repr(C)]
pub struct KeptPaths {
    /// The cells of all paths, one path after the other.
    cells: *const Cell,
    /// How many cells there are.
    cell_count: usize,
    /// How many cells each path has; none where there is no path.
    counts: *const u32,
    /// How long each path is; infinite where there is none.
    lengths: *const f64,
    /// How many paths were asked for.
    path_count: usize,
}

// ---- memory of the caller ----

/// Something that is not null.
fn given<T>(pointer: *const T, name: &str) -> Result<*const T, Fault> {
    if pointer.is_null() {
        return Err(Fault::new(Status::Null, format!("`{name}` is null")));
    }
    if !pointer.is_aligned() {
        return Err(Fault::value(format!("`{name}` is not aligned as its type is")));
    }
    Ok(pointer)
}

/// A list of the caller's; empty, its pointer does not count.
///
/// # Safety
/// Where not null, `first` leads to `count` values that nothing writes to during the call.
unsafe fn list<'a, T>(first: *const T, count: usize, name: &str) -> Result<&'a [T], Fault> {
    if count == 0 {
        return Ok(&[]);
    }
    check_length(count, size_of::<T>(), name)?;
    // SAFETY: not null, aligned, not longer than memory can be; the rest the caller holds.
    Ok(unsafe { from_raw_parts(given(first, name)?, count) })
}

fn check_length(count: usize, bytes: usize, name: &str) -> Result<(), Fault> {
    match count.checked_mul(bytes) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(()),
        _ => Err(Fault::value(format!("`{name}` cannot have a length of {count}"))),
    }
}

/// Text of the caller's.
///
/// # Safety
/// Where not null, it ends with a zero and nothing writes to it during the call.
unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str, Fault> {
    // SAFETY: not null; the rest the caller holds.
    let text = unsafe { CStr::from_ptr(given(text, name)?) };
    text.to_str().map_err(|_| Fault::value(format!("`{name}` is not UTF-8")))
}

/// Where an answer goes.
///
/// # Safety
/// Where not null, `place` leads to a value of that type that nothing else looks at during the call.
unsafe fn place<'a, T>(place: *mut T, name: &str) -> Result<&'a mut T, Fault> {
    given(place, name)?;
    // SAFETY: not null, aligned; the rest the caller holds.
    Ok(unsafe { &mut *place })
}

/// Writes all of `found` into the caller's memory, if it fits; what there is, in any case.
///
/// # Safety
/// Where not null, `data` leads to memory for `room` values.
unsafe fn write<T: Copy>(found: &[T], data: *mut T, room: usize, count: &mut usize) -> Result<(), Fault> {
    *count = found.len();
    if found.len() > room {
        let told = format!("there are {} answers and room for {room}; they are kept", found.len());
        return Err(Fault::new(Status::Room, told));
    }
    if !found.is_empty() {
        given(data.cast_const(), "data")?;
        // SAFETY: not null, aligned, with room for all; `found` is the library's own memory.
        unsafe { copy_nonoverlapping(found.as_ptr(), data, found.len()) };
    }
    Ok(())
}

/// The same where null says that the kept answers are enough.
///
/// # Safety
/// As [`write`] and [`place`].
unsafe fn write_ids(found: &[u32], ids: *mut Ids) -> Result<(), Fault> {
    if ids.is_null() {
        return Ok(());
    }
    // SAFETY: passed on.
    unsafe {
        let Ids { data, room, count } = place(ids, "ids")?;
        write(found, *data, *room, count)
    }
}

/// The same for pairs.
///
/// # Safety
/// As [`write`] and [`place`].
unsafe fn write_pairs(found: &[[u32; 2]], pairs: *mut Pairs) -> Result<(), Fault> {
    if pairs.is_null() {
        return Ok(());
    }
    // SAFETY: passed on; a `Pair` is two numbers in a row.
    unsafe {
        let Pairs { data, room, count } = place(pairs, "pairs")?;
        write(found, data.cast(), *room, count)
    }
}

/// A column beside ids: as long as they are, which [`write_ids`] has found to fit.
///
/// # Safety
/// Where not null, `data` leads to memory for as many values as fit into `ids`.
unsafe fn write_beside<T: Copy>(found: &[T], ids: *const Ids, data: *mut T, name: &str) -> Result<(), Fault> {
    if !data.is_null() && ids.is_null() {
        return Err(Fault::new(Status::Null, format!("`{name}` is as long as `ids`, which is null")));
    }
    // SAFETY: as long as the ids, which fit; passed on.
    unsafe { write_each(found, data, name) }
}

/// Writes a column with one value for each row of what was asked.
///
/// # Safety
/// Where not null, `data` leads to memory for as many values as there were rows.
unsafe fn write_each<T: Copy>(found: &[T], data: *mut T, name: &str) -> Result<(), Fault> {
    if data.is_null() {
        return Ok(());
    }
    given(data.cast_const(), name)?;
    // SAFETY: not null, aligned; the caller holds the length.
    unsafe { copy_nonoverlapping(found.as_ptr(), data, found.len()) };
    Ok(())
}

impl Rows {
    fn check_scalar<S: Coordinate>(&self, name: &str) -> Result<(), Fault> {
        if self.scalar == S::NUMBER {
            return Ok(());
        }
        let told = format!("`{name}` has numbers of type {}, these boxes have {}", self.scalar, S::NUMBER);
        Err(Fault::new(Status::Scalar, told))
    }

    /// All numbers, row after row: in place, if the rows follow each other closely.
    ///
    /// # Safety
    /// `first` leads to as many rows at such distances, that nothing writes to during the call.
    unsafe fn numbers<'a, S: Coordinate>(self, name: &str) -> Result<Cow<'a, [S]>, Fault> {
        if self.numbers != 2 && self.numbers != 4 {
            return Err(Fault::value(format!("`{name}` has rows of {} numbers, not 2 or 4", self.numbers)));
        }
        self.check_scalar::<S>(name)?;
        let (width, first) = (self.numbers as usize, self.first.cast::<S>());
        let bytes = width * size_of::<S>();
        let stride = if self.stride == 0 { bytes } else { self.stride };
        if stride < bytes || stride % align_of::<S>() != 0 {
            let told =
                format!("`{name}` has a row of {bytes} bytes every {stride} bytes, which is too few or not aligned");
            return Err(Fault::value(told));
        }
        if self.count == 0 {
            return Ok(Cow::Borrowed(&[]));
        }
        check_length(self.count, stride, name)?;
        given(first, name)?;
        if stride == bytes {
            // SAFETY: passed on.
            return unsafe { list(first, self.count * width, name) }.map(Cow::Borrowed);
        }
        let mut all = core::room(self.count * width)?;
        for row in 0..self.count {
            // SAFETY: the row lies where the caller says that rows are, and is aligned as the first is.
            all.extend_from_slice(unsafe { from_raw_parts(first.byte_add(row * stride), width) });
        }
        Ok(Cow::Owned(all))
    }
}

/// Numbers as the rows they are.
fn rows<S>(numbers: &[S], width: u32) -> core::Rows<'_, S> {
    if width == 2 { core::Rows::Points(numbers) } else { core::Rows::Boxes(numbers) }
}

/// Ids as the library below takes them.
///
/// # Safety
/// As [`list`].
unsafe fn read_ids(ids: *const u32, count: usize) -> Result<Vec<i64>, Fault> {
    // SAFETY: passed on.
    let ids = unsafe { list(ids, count, "ids") }?;
    let mut all = core::room(count)?;
    all.extend(ids.iter().map(|&id| i64::from(id)));
    Ok(all)
}

// ---- calls ----

/// Panics end here.
fn call(work: impl FnOnce() -> Result<(), Fault>) -> Status {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => Status::Ok,
        Ok(Err(fault)) => remember(fault),
        Err(_) => remember(Fault::new(Status::Panic, "the call failed inside the library: please report this")),
    }
}

/// A call about boxes.
fn with(boxes: Boxes, work: impl FnOnce(&mut AnyBoxes) -> Result<(), Fault>) -> Status {
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

/// What is done with boxes and rows of any scalar: a closure that is generic.
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

/// The version of the library, as in "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_version() -> *const c_char {
    const { concat!(env!("CARGO_PKG_VERSION"), "\0") }.as_ptr().cast()
}

/// What was wrong with the last call on this thread that was not `QUADRILLE_STATUS_OK`: text that stays until the next
/// such call.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_error_text() -> *const c_char {
    last_text()
}

/// The names of structures, one after the other from 0 on; null behind the last.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_structure_name(number: usize) -> *const c_char {
    // One text of all names, each with a zero at its end.
    static NAMES: std::sync::LazyLock<Vec<std::ffi::CString>> = std::sync::LazyLock::new(|| {
        StructureKind::ALL.iter().filter_map(|kind| std::ffi::CString::new(kind.name()).ok()).collect()
    });
    NAMES.get(number).map_or(null(), |name| name.as_ptr())
}

/// Makes boxes whose ids are their rows, in the structure with this name: "frame-tree" unless there are reasons for
/// another one.
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
        let (structure, boxes) = (text(structure, "structure")?, place(boxes, "boxes")?);
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

/// Makes boxes again from the bytes of `quadrille_boxes_snapshot`, whose coordinates have this type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_restore(
    scalar: u32,
    bytes: *const u8,
    count: usize,
    boxes: *mut Boxes,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (bytes, boxes) = (list(bytes, count, "bytes")?, place(boxes, "boxes")?);
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

/// A whole frame: from now on there are exactly these boxes, whose ids are their rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_update(boxes: Boxes, rows: Rows) -> Status {
    // SAFETY: passed on.
    unsafe { with_rows(boxes, rows, work!(|boxes, rows| Ok(boxes.all.update(rows, None)?))) }
}

/// Gives the boxes with these ids, one for each row, new places and sizes.
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
/// boxes are added all the same, and their ids are kept.
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

/// Gives the boxes with these ids layers. New boxes are on all layers and meet all.
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

/// Does the work that single changes put off; answers are right without it.
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
        *unsafe { place(count, "count") }? = each!(any, boxes => boxes.all.index().len());
        Ok(())
    })
}

/// All ids in use, ascending.
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

/// The boxes with these ids: four numbers each, of the type `scalar`, into memory for as many.
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
            if any.number() != scalar {
                return Err(Fault::new(
                    Status::Scalar,
                    format!("the coordinates of these boxes are of type {}", any.number()),
                ));
            }
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

/// All pairs of a box of these and a box of the others that overlap and whose layers meet. The coordinates are of one
/// type.
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

/// Which pairs began and ended since the last call of this; at the first, all there are began. Sorted. Each may be
/// null.
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

/// The boxes that are nearest to each of the rows: `most` ids for each, the nearest first, `QUADRILLE_NONE` where there
/// are fewer no farther than `distance`, which may be infinite. `distances` is as long as `ids`; each may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_nearest(
    boxes: Boxes,
    rows: Rows,
    most: usize,
    distance: f64,
    ids: *mut Ids,
    distances: *mut f64,
) -> Status {
    let work = work!(|boxes, rows, most: usize, distance: f64, ids: *mut Ids, distances: *mut f64| {
        boxes.nearest(rows, most, distance)?;
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

/// The first box that each row hits on its way along its direction (a row of two numbers), up to `latest` times the
/// direction; else `QUADRILLE_NONE` and infinite. `times` is as long as `ids`, `normals` twice as long: the side that
/// is hit, x and y. Each may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_cast(
    boxes: Boxes,
    rows: Rows,
    directions: Rows,
    latest: f64,
    ids: *mut Ids,
    times: *mut f64,
    normals: *mut i8,
) -> Status {
    type Out = (*mut Ids, *mut f64, *mut i8);
    let out: Out = (ids, times, normals);
    let work = work!(|boxes, rows, directions: Rows, latest: f64, out: Out| {
        if directions.numbers != 2 {
            return Err(Fault::value(format!("`directions` has rows of {} numbers, not 2", directions.numbers)));
        }
        let (ids, times, normals) = out;
        // SAFETY: passed on.
        unsafe {
            boxes.cast(rows, &directions.numbers::<S>("directions")?, latest)?;
            let found = &boxes.found;
            write_ids(&found.answers.ids, ids)?;
            write_beside(&found.answers.distances, ids, times, "times")?;
            write_beside(&found.normals, ids, normals.cast(), "normals")
        }
    });
    // SAFETY: passed on.
    unsafe { with_rows(boxes, rows, work) }
}

/// All of the boxes as bytes, with what is remembered for events.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_boxes_snapshot(boxes: Boxes, bytes: *mut Bytes) -> Status {
    with(boxes, |any| {
        let found = each!(any, boxes => {
            boxes.snapshot()?;
            &boxes.found
        });
        // SAFETY: passed on.
        unsafe {
            let Bytes { data, room, count } = place(bytes, "bytes")?;
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
        *unsafe { place(kept, "kept") }? = Kept {
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

// ---- maps ----

/// Cells as the library below takes them.
///
/// # Safety
/// As [`list`].
unsafe fn read_cells(cells: *const Cell, count: usize, name: &str) -> Result<Vec<i64>, Fault> {
    // SAFETY: passed on.
    let cells = unsafe { list(cells, count, name) }?;
    let mut all = core::room(2 * count)?;
    all.extend(cells.iter().flat_map(|cell| [i64::from(cell.x), i64::from(cell.y)]));
    Ok(all)
}

/// Rows of bytes, one for each cell.
///
/// # Safety
/// As [`list`].
unsafe fn read_free<'a>(free: *const u8, width: u32, height: u32) -> Result<&'a [u8], Fault> {
    let cells = u64::from(width) * u64::from(height);
    let cells = usize::try_from(cells).map_err(|_| Fault::value(format!("{cells} cells are too many")))?;
    // SAFETY: passed on.
    unsafe { list(free, cells, "free") }
}

/// Makes a map of `width` times `height` cells, which lie in `free` row by row: all but 0 are free. The rule says which
/// steps there are and what they cost: "octile" unless there are reasons for another one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_new(
    free: *const u8,
    width: u32,
    height: u32,
    rule: *const c_char,
    map: *mut Map,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (rule, map) = (text(rule, "rule")?, place(map, "map")?);
        let made = MapOf::new(read_free(free, width, height)?, width, height, rule)?;
        map.bits = ALL_MAPS.add(MAP, made)?;
        Ok(())
    })
}

/// Frees a map, and what it keeps.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_map_free(map: Map) -> Status {
    call(|| ALL_MAPS.free(MAP, map.bits))
}

/// Frees cells, or blocks them if `free` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_set(map: Map, cells: *const Cell, count: usize, free: u8) -> Status {
    call(|| {
        // SAFETY: passed on.
        let cells = unsafe { read_cells(cells, count, "cells") }?;
        ALL_MAPS.with(MAP, map.bits, |map| map.set(&cells, free != 0))
    })
}

/// Replaces the rectangle of `width` times `height` cells from a cell on; they lie in `free` row by row: all but 0 are
/// free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_edit(map: Map, from: Cell, width: u32, height: u32, free: *const u8) -> Status {
    call(|| {
        // SAFETY: passed on.
        let free = unsafe { read_free(free, width, height) }?;
        let from = [from.x, from.y].map(i64::from);
        ALL_MAPS.with(MAP, map.bits, |map| map.edit(from, [width, height], free))
    })
}

/// A number that changes with every edit that changes a cell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_version(map: Map, version: *mut u64) -> Status {
    call(|| {
        ALL_MAPS.with(MAP, map.bits, |map| {
            // SAFETY: passed on.
            *unsafe { place(version, "version") }? = map.version();
            Ok(())
        })
    })
}

/// Whether there is a path: 1, or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_is_reachable(map: Map, start: Cell, goal: Cell, answer: *mut u8) -> Status {
    call(|| {
        ALL_MAPS.with(MAP, map.bits, |map| {
            let is_reachable = map.is_reachable([start.x, start.y].map(i64::from), [goal.x, goal.y].map(i64::from))?;
            // SAFETY: passed on.
            *unsafe { place(answer, "answer") }? = u8::from(is_reachable);
            Ok(())
        })
    })
}

/// A shortest path from each of `count` starts to the goal in the same place: all of its cells, start and goal too.
/// Where there is none, it has no cells and an infinite length; or, unless `partial` is 0, it leads as near to the goal
/// as can be reached. `counts` and `lengths` take one value for each path, and may be null as `cells` may.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_paths(
    map: Map,
    starts: *const Cell,
    goals: *const Cell,
    count: usize,
    partial: u8,
    counts: *mut u32,
    lengths: *mut f64,
    cells: *mut Cells,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (starts, goals) = unsafe { (read_cells(starts, count, "starts")?, read_cells(goals, count, "goals")?) };
        ALL_MAPS.with(MAP, map.bits, |map| {
            map.paths(&starts, &goals, partial != 0)?;
            // SAFETY: passed on; a `Cell` is two numbers in a row.
            unsafe {
                if !cells.is_null() {
                    let Cells { data, room, count } = place(cells, "cells")?;
                    write(&map.found.cells, data.cast(), *room, count)?;
                }
                write_each(&map.found.lengths, lengths, "lengths")?;
                write_each(&map.found.counts, counts, "counts")
            }
        })
    })
}

/// The paths that the map keeps until the next call with it other than this one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_kept(map: Map, kept: *mut KeptPaths) -> Status {
    call(|| {
        ALL_MAPS.with(MAP, map.bits, |map| {
            let found = &map.found;
            // SAFETY: passed on.
            *unsafe { place(kept, "kept") }? = KeptPaths {
                cells: found.cells.as_ptr().cast(),
                cell_count: found.cells.len(),
                counts: found.counts.as_ptr(),
                lengths: found.lengths.as_ptr(),
                path_count: found.counts.len(),
            };
            Ok(())
        })
    })
}

/// The way to the nearest of some goals from everywhere: for each cell of the map, row by row, how long it is, infinite
/// where there is none, and the next step, x and y, zeros at goals and where there is none. `cells` is how many cells
/// the caller's memory is for, which is how many the map has. `lengths` and `steps` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_flow(
    map: Map,
    goals: *const Cell,
    count: usize,
    cells: usize,
    lengths: *mut f64,
    steps: *mut i8,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let goals = unsafe { read_cells(goals, count, "goals") }?;
        ALL_MAPS.with(MAP, map.bits, |map| {
            let size = map.size();
            if cells as u64 != u64::from(size.width) * u64::from(size.height) {
                return Err(Fault::value(format!("there is memory for {cells} cells, {size} has others")));
            }
            let flow = map.flow(&goals)?;
            // SAFETY: as many as the map has cells; passed on.
            unsafe {
                write_each(&flow.lengths, lengths, "lengths")?;
                write_each(&flow.steps, steps.cast(), "steps")
            }
        })
    })
}

/// Watches a path on a map, given by all of its cells.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_watch_new(map: Map, cells: *const Cell, count: usize, watch: *mut Watch) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (cells, watch) = unsafe { (read_cells(cells, count, "cells")?, place(watch, "watch")?) };
        watch.bits = ALL_WATCHES.add(WATCH, ALL_MAPS.with(MAP, map.bits, |map| map.watch(&cells))?)?;
        Ok(())
    })
}

/// Stops watching.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_watch_free(watch: Watch) -> Status {
    call(|| ALL_WATCHES.free(WATCH, watch.bits))
}

/// Whether edits of the map have broken the path: 1, and `last` is the last cell that can be reached on it, or 0. A
/// broken path stays broken.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_watch_check(watch: Watch, map: Map, is_broken: *mut u8, last: *mut Cell) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (is_broken, last) = unsafe { (place(is_broken, "is_broken")?, place(last, "last")?) };
        let found =
            ALL_MAPS.with(MAP, map.bits, |map| ALL_WATCHES.with(WATCH, watch.bits, |watch| Ok(map.check(watch))))?;
        *is_broken = u8::from(found.is_some());
        if let Some([x, y]) = found {
            *last = Cell { x, y };
        }
        Ok(())
    })
}
