//! The functions that C calls, and all `unsafe`: memory of the caller is read before a thing is looked up, and written
//! after it has answered. What C passes is checked where possible: handles against the table, pointers for null
//! and alignment, lengths against what memory can hold, numbers of types and shapes against those there are. That a
//! pointer leads to as much memory as its length says is the caller's to hold.
#![expect(unsafe_code, reason = "the border to C")]
#![expect(clippy::missing_safety_doc, reason = "the same for all, and told at the top of the header")]

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{copy_nonoverlapping, null};
use std::slice::from_raw_parts;

use quadrille::{Layers as OwnAndMask, StructureKind};
use quadrille_bindings as core;
use quadrille_paths::{AgentClass, PathWatch};
use quadrille_tracks as tracks;

use crate::boxes::{AnyBoxes, Boxes as BoxesOf, Coordinate, each};
use crate::maps::{Found as PathsFound, Map as MapOf};
use crate::queue::Queue as QueueOf;
use crate::status::{Fault, Status, last_text, remember};
use crate::table::Table;
use crate::terrain::Terrain as TerrainOf;

/// Coordinates are `float`.
pub const F32: u32 = 0;
/// Coordinates are `double`.
pub const F64: u32 = 1;
/// Coordinates are `int32_t`.
pub const I32: u32 = 2;

/// Stands for an id where there is no answer.
pub const NONE: u32 = 0xffff_ffff;

/// All layers.
pub const ALL_LAYERS: u32 = 0xffff_ffff;

const BOXES: u32 = 1;
static ALL_BOXES: Table<AnyBoxes> = Table::new();
const MAP: u32 = 2;
static ALL_MAPS: Table<MapOf> = Table::new();
const WATCH: u32 = 3;
static ALL_WATCHES: Table<PathWatch> = Table::new();
const TERRAIN: u32 = 4;
static ALL_TERRAIN: Table<TerrainOf> = Table::new();
const SHAPES: u32 = 5;
static ALL_SHAPES: Table<ShapesOf> = Table::new();
const TRACKS: u32 = 6;
static ALL_TRACKS: Table<TracksOf> = Table::new();
const QUEUE: u32 = 7;
static ALL_QUEUES: Table<QueueOf> = Table::new();

/// Shapes, and what was last found among them.
#[derive(Default)]
struct ShapesOf {
    all: core::Shapes,
    pairs: Vec<[u32; 2]>,
    distances: Vec<f64>,
}

/// Tracks, and the encounters that were last found.
struct TracksOf {
    all: tracks::Tracks,
    has_heights: bool,
    found: Vec<Encounter>,
}

/// Boxes under ids. All zeros are a handle to nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Boxes {
    /// Private.
    bits: u64,
}

/// Rows of coordinates in the caller's memory, which may be parts of larger structs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Rows {
    /// The first number of the first row.
    first: *const c_void,
    /// How many rows there are.
    count: usize,
    /// Bytes from one row to the next; 0 if rows are contiguous.
    stride: usize,
    /// The type of the numbers: `QUADRILLE_F32`, `QUADRILLE_F64` or `QUADRILLE_I32`.
    scalar: u32,
    /// 4 for boxes (xmin, ymin, xmax, ymax), 2 for points (x, y).
    numbers: u32,
}

/// Two boxes. In one set, the lower id comes first; in two sets, the id of the first set.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pair {
    /// The id of one.
    a: u32,
    /// The id of the other.
    b: u32,
}

/// Room for ids in the caller's memory.
#[repr(C)]
pub struct Ids {
    /// The first.
    data: *mut u32,
    /// How many fit.
    room: usize,
    /// Set by calls: how many there are, which may be more than fit.
    count: usize,
}

/// Room for pairs in the caller's memory.
#[repr(C)]
pub struct Pairs {
    /// The first.
    data: *mut Pair,
    /// How many fit.
    room: usize,
    /// Set by calls: how many there are, which may be more than fit.
    count: usize,
}

/// Room for bytes in the caller's memory.
#[repr(C)]
pub struct Bytes {
    /// The first.
    data: *mut u8,
    /// How many fit.
    room: usize,
    /// Set by calls: how many there are, which may be more than fit.
    count: usize,
}

/// The layers that a box is on, and those that it collides with. Two boxes form a pair if each is on a layer of the
/// other's mask.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Layers {
    /// The layers it is on, a bit each.
    own: u32,
    /// The layers it collides with.
    mask: u32,
}

/// The answers that a handle keeps until the next call with it. A pointer whose count is 0 must not be followed.
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
    /// How many distances there are: one per id or pair, or none if distances were not asked for.
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

/// A map of free and blocked cells, which finds shortest paths while it is edited. All zeros are a handle to nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Map {
    /// Private.
    bits: u64,
}

/// A path that notices when an edit of its map breaks it. All zeros are a handle to nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Watch {
    /// Private.
    bits: u64,
}

/// Requests for paths, which are answered within a budget. All zeros are a handle to nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Queue {
    /// Private.
    bits: u64,
}

/// The requests that a queue has answered. They hold until the next call with it. A pointer whose count is 0 must not be
/// followed.
#[repr(C)]
pub struct Answered {
    /// The numbers of the requests.
    requests: *const u64,
    /// How many cells the path of each has; none where there is no path.
    counts: *const u32,
    /// How many requests were answered.
    count: usize,
    /// The cells of all paths, one path after the other.
    cells: *const Cell,
    /// How many cells there are.
    cell_count: usize,
}

/// A way from one cell to another in this direction: a door, a ladder, a ferry, a portal.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Link {
    /// Where it begins.
    from: Cell,
    /// Where it ends.
    to: Cell,
    /// What it costs, in straight steps; 65535 at most.
    steps: u32,
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

/// Room for cells in the caller's memory.
#[repr(C)]
pub struct Cells {
    /// The first.
    data: *mut Cell,
    /// How many fit.
    room: usize,
    /// Set by calls: how many there are, which may be more than fit.
    count: usize,
}

/// The paths that a map or terrain keeps until the next call with it. A pointer whose count is 0 must not be followed.
#[repr(C)]
pub struct KeptPaths {
    /// The cells of all paths, one path after the other.
    cells: *const Cell,
    /// How many cells there are.
    cell_count: usize,
    /// How many cells each path has; none where there is no path.
    counts: *const u32,
    /// How long each path is, or what it costs; infinite where there is none.
    lengths: *const f64,
    /// How many paths were asked for.
    path_count: usize,
    /// What each cell that can be reached costs, one per cell, after `quadrille_map_reach`.
    costs: *const f64,
    /// Where a taut path turns: x and y each.
    points: *const f64,
    /// How many points there are.
    point_count: usize,
    /// Which links lead from each path to the next, after a linked path.
    links: *const u32,
    /// How many links there are.
    link_count: usize,
}

/// Terrain on which agents of several classes walk. All zeros are a handle to nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Terrain {
    /// Private.
    bits: u64,
}

/// A class of agents.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Agents {
    /// The kinds of terrain on which they walk, a bit each; kinds from 64 on are walls for all.
    walkable: u64,
    /// They cover squares of this many cells a side, and are where the first of these is.
    size: u32,
}

/// Points, lines and polygons by rows. All zeros are a handle to nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Shapes {
    /// Private.
    bits: u64,
}

/// A geometry as well-known binary in the caller's memory; null for a row without one.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Wkb {
    /// The first byte.
    bytes: *const u8,
    /// How many there are.
    count: usize,
}

/// Tracks of ships, aircraft, animals or people. All zeros are a handle to nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Tracks {
    /// Private.
    bits: u64,
}

/// Where things were, and when: columns of equal length, rows in any order.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Fixes {
    /// How many rows there are.
    count: usize,
    /// The number of the track.
    track: *const u32,
    /// When.
    time: *const f64,
    /// Where: x, or degrees of longitude.
    x: *const f64,
    /// Where: y, or degrees of latitude.
    y: *const f64,
    /// Heights; null if they do not matter.
    z: *const f64,
}

/// How fixes become tracks. Zeroed, it is a plane without limits.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrackRules {
    /// Not 0 where x and y are degrees on the globe; then distances are in meters and times in seconds.
    is_globe: u32,
    /// A track does not exist between two fixes that are farther apart in time than this; 0 for no limit.
    max_gap: f64,
    /// Fixes that could only be reached faster than this are left out; 0 for no limit.
    max_speed: f64,
}

/// What counts as an encounter.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct EncounterLimits {
    /// How far apart two tracks may be.
    within: f64,
    /// How far apart their heights may be, where there are heights.
    vertical: f64,
    /// How long it must last; 0 if an instant is enough.
    lasting: f64,
    /// Encounters of the same two with no more time than this between them are one.
    gap: f64,
}

/// A longest time over which two tracks are near each other.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Encounter {
    /// The number of one track.
    a: u32,
    /// The number of the other.
    b: u32,
    /// When it begins.
    start: f64,
    /// When it ends.
    end: f64,
    /// When they are closest.
    closest_time: f64,
    /// How close they are then.
    closest_distance: f64,
    /// How far apart their heights are then; NaN where heights do not matter.
    closest_vertical: f64,
}

/// Room for encounters in the caller's memory.
#[repr(C)]
pub struct Encounters {
    /// The first.
    data: *mut Encounter,
    /// How many fit.
    room: usize,
    /// Set by calls: how many there are, which may be more than fit.
    count: usize,
}

/// Called with the caller's own `context` and an answer; 0 ends the call. It must return: a jump or an exception out
/// of it is undefined. While it runs, the handle that is asked is busy.
pub type Visit = Option<unsafe extern "C" fn(context: *mut c_void, a: u32, b: u32) -> c_int>;

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
        let told = format!("there are {} answers and room for {room}", found.len());
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
    // SAFETY: passed on; a `Pair` is two contiguous numbers.
    unsafe {
        let Pairs { data, room, count } = place(pairs, "pairs")?;
        write(found, data.cast(), *room, count)
    }
}

/// The same for cells.
///
/// # Safety
/// As [`write`] and [`place`].
unsafe fn write_cells(found: &[[u32; 2]], cells: *mut Cells) -> Result<(), Fault> {
    if cells.is_null() {
        return Ok(());
    }
    // SAFETY: passed on; a `Cell` is two contiguous numbers.
    unsafe {
        let Cells { data, room, count } = place(cells, "cells")?;
        write(found, data.cast(), *room, count)
    }
}

/// Pairs, and a column as long as they are.
///
/// # Safety
/// As [`write_pairs`]; where not null, `distances` leads to memory for as many values as fit into `pairs`.
unsafe fn write_pairs_apart(
    found: &[[u32; 2]],
    apart: &[f64],
    pairs: *mut Pairs,
    distances: *mut f64,
) -> Result<(), Fault> {
    if !distances.is_null() && pairs.is_null() {
        return Err(Fault::new(Status::Null, "`distances` is as long as `pairs`, which is null"));
    }
    // SAFETY: as long as the pairs, which fit; passed on.
    unsafe {
        write_pairs(found, pairs)?;
        write_each(apart, distances, "distances")
    }
}

/// What tells a function of the caller's of an answer.
///
/// # Safety
/// The function may be called with that context.
unsafe fn teller(visit: Visit, context: *mut c_void) -> Result<impl FnMut(u32, u32) -> ControlFlow<()>, Fault> {
    let visit = visit.ok_or_else(|| Fault::new(Status::Null, "`visit` is null"))?;
    // SAFETY: the caller holds it.
    Ok(
        move |a, b| {
            if unsafe { visit(context, a, b) } == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    )
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

/// What was wrong with the last call on this thread that failed: text that is valid until the next call that fails.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_error_text() -> *const c_char {
    last_text()
}

/// The name of a structure, by its number from 0; null after the last.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_structure_name(number: usize) -> *const c_char {
    // One text of all names, each with a zero at its end.
    static NAMES: std::sync::LazyLock<Vec<std::ffi::CString>> = std::sync::LazyLock::new(|| {
        StructureKind::ALL.iter().filter_map(|kind| std::ffi::CString::new(kind.name()).ok()).collect()
    });
    NAMES.get(number).map_or(null(), |name| name.as_ptr())
}

/// Makes boxes whose ids are their rows, in the structure with this name: "frame-tree", unless you have a reason for
/// another.
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

/// Replaces all boxes, as once a frame: from now on there are exactly these, and their ids are their rows.
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
        *unsafe { place(name, "name") }? = quadrille_structure_name(number);
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
        let count = unsafe { place(count, "count") }?;
        each!(any, boxes => {
            // SAFETY: four numbers a box without padding; passed on.
            unsafe { write(&boxes.nodes(), numbers.cast(), room, count) }
        })
    })
}

/// Does the work that single changes postpone; answers are right without it.
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

/// The same of a box of these and a box of the others. The coordinates are of one type.
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

/// What [`core::suppress`] and [`core::declutter`] do with boxes and how good each is.
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
        let Ids { data, room, count } = place(ids, "ids")?;
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
unsafe fn read_free<'a>(free: *const u8, width: u32, height: u32, name: &str) -> Result<&'a [u8], Fault> {
    let cells = u64::from(width) * u64::from(height);
    let cells = usize::try_from(cells).map_err(|_| Fault::value(format!("{cells} cells are too many")))?;
    // SAFETY: passed on.
    unsafe { list(free, cells, name) }
}

/// Makes a map of `width` times `height` cells, which lie in `free` row by row: all but 0 are free. The rule says which
/// steps there are and what they cost: "octile", unless you have a reason for another.
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
        let made = MapOf::new(read_free(free, width, height, "free")?, width, height, rule)?;
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
        let free = unsafe { read_free(free, width, height, "free") }?;
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
/// Where there is none that is no longer than `most`, which is infinite where that does not matter, it has no cells and
/// an infinite length; or, unless `partial` is 0, it leads as near to the goal as can be reached. `counts` and
/// `lengths` take one value for each path, and may be null as `cells` may.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_paths(
    map: Map,
    starts: *const Cell,
    goals: *const Cell,
    count: usize,
    partial: u8,
    most: f64,
    counts: *mut u32,
    lengths: *mut f64,
    cells: *mut Cells,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (starts, goals) = unsafe { (read_cells(starts, count, "starts")?, read_cells(goals, count, "goals")?) };
        ALL_MAPS.with(MAP, map.bits, |map| {
            map.paths([&starts, &goals], partial != 0, most)?;
            // SAFETY: passed on; a `Cell` is two contiguous numbers.
            unsafe {
                write_cells(&map.found.cells, cells)?;
                write_each(&map.found.lengths, lengths, "lengths")?;
                write_each(&map.found.counts, counts, "counts")
            }
        })
    })
}

fn kept_paths(found: &PathsFound) -> KeptPaths {
    KeptPaths {
        cells: found.cells.as_ptr().cast(),
        cell_count: found.cells.len(),
        counts: found.counts.as_ptr(),
        lengths: found.lengths.as_ptr(),
        path_count: found.counts.len(),
        costs: found.costs.as_ptr(),
        points: found.points.as_ptr().cast(),
        point_count: found.points.len(),
        links: found.links.as_ptr(),
        link_count: found.links.len(),
    }
}

/// The paths that the map keeps until the next call with it other than this one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_kept(map: Map, kept: *mut KeptPaths) -> Status {
    call(|| {
        ALL_MAPS.with(MAP, map.bits, |map| {
            // SAFETY: passed on.
            *unsafe { place(kept, "kept") }? = kept_paths(&map.found);
            Ok(())
        })
    })
}

/// A shortest path that may take links. `length` takes how long it is, infinite where there is none. `kept` takes its
/// legs, which the map keeps as paths until the next call with it: `links` are the places of the links between one leg
/// and the next.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_linked_path(
    map: Map,
    start: Cell,
    goal: Cell,
    links: *const Link,
    count: usize,
    length: *mut f64,
    kept: *mut KeptPaths,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (links, length, kept) =
            unsafe { (list(links, count, "links")?, place(length, "length")?, place(kept, "kept")?) };
        let numbers = link_numbers(links)?;
        ALL_MAPS.with(MAP, map.bits, |map| {
            *length = map.linked_path([start.x, start.y].map(i64::from), [goal.x, goal.y].map(i64::from), &numbers)?;
            *kept = kept_paths(&map.found);
            Ok(())
        })
    })
}

/// Links, five numbers each.
fn link_numbers(links: &[Link]) -> Result<Vec<i64>, Fault> {
    let mut numbers = core::room(5 * links.len())?;
    numbers
        .extend(links.iter().flat_map(|Link { from, to, steps }| [from.x, from.y, to.x, to.y, *steps].map(i64::from)));
    Ok(numbers)
}

/// How many columns and rows the map has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_size(map: Map, width: *mut u32, height: *mut u32) -> Status {
    call(|| {
        ALL_MAPS.with(MAP, map.bits, |map| {
            // SAFETY: passed on.
            let (width, height) = unsafe { (place(width, "width")?, place(height, "height")?) };
            (*width, *height) = (map.size().width, map.size().height);
            Ok(())
        })
    })
}

/// Reads the rectangle of `width` times `height` cells from a cell on into memory for as many bytes, row by row: 1
/// where free, else 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_get(map: Map, from: Cell, width: u32, height: u32, free: *mut u8) -> Status {
    call(|| {
        ALL_MAPS.with(MAP, map.bits, |map| {
            let found = map.cells([from.x, from.y].map(i64::from), [width, height])?;
            // SAFETY: passed on.
            unsafe { write(&found, free, found.len(), &mut 0) }
        })
    })
}

/// The shortest way in any direction from the middle of a cell to that of another, around corners of walls: `points`
/// takes the places where it begins, turns and ends, x and y each, as rows of two numbers; cell (x, y) is the square
/// from (x, y) to (x + 1, y + 1). `room` is how many points fit, `count` takes how many there are. Where there is no
/// way, there are none, and `length` is infinite. `points` may be null if `room` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_taut_path(
    map: Map,
    start: Cell,
    goal: Cell,
    points: *mut f64,
    room: usize,
    count: *mut usize,
    length: *mut f64,
) -> Status {
    call(|| {
        ALL_MAPS.with(MAP, map.bits, |map| {
            // SAFETY: passed on; a point is two contiguous numbers.
            let (count, length) = unsafe { (place(count, "count")?, place(length, "length")?) };
            *length = map.taut_path([start.x, start.y].map(i64::from), [goal.x, goal.y].map(i64::from))?;
            // SAFETY: as above.
            unsafe { write(&map.found.points, points.cast(), room, count) }
        })
    })
}

/// All cells that can be reached from one at a cost of at most `budget`, row by row, and what each costs. `costs` is as
/// long as `cells`; each may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_reach(
    map: Map,
    from: Cell,
    budget: f64,
    cells: *mut Cells,
    costs: *mut f64,
) -> Status {
    call(|| {
        ALL_MAPS.with(MAP, map.bits, |map| {
            map.reach([from.x, from.y].map(i64::from), budget)?;
            // SAFETY: passed on.
            unsafe {
                write_cells(&map.found.cells, cells)?;
                if !costs.is_null() && cells.is_null() {
                    return Err(Fault::new(Status::Null, "`costs` is as long as `cells`, which is null"));
                }
                write_each(&map.found.costs, costs, "costs")
            }
        })
    })
}

/// Whether blocking a rectangle would close the way from one of `count` starts to a goal: `first` takes the place of
/// the first that can reach it and could no longer, `count` if there is none. Nothing is built.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_would_close(
    map: Map,
    from: Cell,
    width: u32,
    height: u32,
    starts: *const Cell,
    count: usize,
    goal: Cell,
    first: *mut usize,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (starts, first) = unsafe { (read_cells(starts, count, "starts")?, place(first, "first")?) };
        let (rect, goal) = (([from.x, from.y].map(i64::from), [width, height]), [goal.x, goal.y].map(i64::from));
        *first = ALL_MAPS.with(MAP, map.bits, |map| map.would_close(rect, &starts, goal))?.unwrap_or(count);
        Ok(())
    })
}

/// The free cell nearest to one, measured without walls; of those from which `connected_to` can be reached, unless that
/// is null. `found` takes 1, or 0 if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_map_nearest_free(
    map: Map,
    cell: Cell,
    connected_to: *const Cell,
    found: *mut u8,
    free: *mut Cell,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (found, free) = unsafe { (place(found, "found")?, place(free, "free")?) };
        let to = if connected_to.is_null() {
            None
        } else {
            // SAFETY: passed on.
            unsafe { list(connected_to, 1, "connected_to") }?.first().map(|to| [to.x, to.y].map(i64::from))
        };
        let cell = [cell.x, cell.y].map(i64::from);
        let nearest = ALL_MAPS.with(MAP, map.bits, |map| map.nearest_free(cell, to))?;
        *found = u8::from(nearest.is_some());
        if let Some([x, y]) = nearest {
            *free = Cell { x, y };
        }
        Ok(())
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

/// Watches a path on a map; the path is all of its cells.
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

// ---- queues ----

/// Makes a queue of requests for paths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_queue_new(queue: *mut Queue) -> Status {
    call(|| {
        // SAFETY: passed on.
        unsafe { place(queue, "queue") }?.bits = ALL_QUEUES.add(QUEUE, QueueOf::default())?;
        Ok(())
    })
}

/// Frees a queue, and forgets its requests.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_queue_free(queue: Queue) -> Status {
    call(|| ALL_QUEUES.free(QUEUE, queue.bits))
}

/// Asks for a path; `request` takes the number of the request. Those of a higher priority are answered first, those of
/// the same in the order in which they were asked. Cells that are not on the map cannot be reached.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_queue_push(
    queue: Queue,
    start: Cell,
    goal: Cell,
    priority: i32,
    request: *mut u64,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let request = unsafe { place(request, "request") }?;
        let ends = [[start.x, start.y].map(i64::from), [goal.x, goal.y].map(i64::from)];
        *request = ALL_QUEUES.with(QUEUE, queue.bits, |queue| queue.push(ends, priority))?;
        Ok(())
    })
}

/// Takes a request back. `was_waiting` takes 1, or 0 if it had been answered or was never asked; it may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_queue_cancel(queue: Queue, request: u64, was_waiting: *mut u8) -> Status {
    call(|| {
        let found = ALL_QUEUES.with(QUEUE, queue.bits, |queue| Ok(queue.cancel(request)))?;
        // SAFETY: one value; passed on.
        unsafe { write_each(&[u8::from(found)], was_waiting, "was_waiting") }
    })
}

/// How many requests are waiting.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_queue_waiting(queue: Queue, count: *mut usize) -> Status {
    call(|| {
        // SAFETY: passed on.
        let count = unsafe { place(count, "count") }?;
        *count = ALL_QUEUES.with(QUEUE, queue.bits, |queue| Ok(queue.waiting()))?;
        Ok(())
    })
}

/// Answers requests until none is left, or this many corners of walls have been looked at: the same on every machine. A
/// search that did not fit goes on in the next call, if no edit of the map has come too near.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_queue_run(queue: Queue, map: Map, corners: u64, answered: *mut Answered) -> Status {
    // SAFETY: passed on.
    unsafe {
        run(queue, map, answered, |queue, map| {
            queue.run(map.map(), corners);
            Ok(())
        })
    }
}

/// The same until this much time has passed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_queue_run_for(
    queue: Queue,
    map: Map,
    seconds: f64,
    answered: *mut Answered,
) -> Status {
    // SAFETY: passed on.
    unsafe { run(queue, map, answered, |queue, map| queue.run_for(map.map(), seconds)) }
}

/// # Safety
/// As [`place`].
unsafe fn run(
    queue: Queue,
    map: Map,
    answered: *mut Answered,
    work: impl FnOnce(&mut QueueOf, &MapOf) -> Result<(), Fault>,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let answered = unsafe { place(answered, "answered") }?;
        *answered = ALL_MAPS.with(MAP, map.bits, |map| {
            ALL_QUEUES.with(QUEUE, queue.bits, |queue| {
                work(queue, map)?;
                Ok(Answered {
                    requests: queue.numbers.as_ptr(),
                    counts: queue.counts.as_ptr(),
                    count: queue.numbers.len(),
                    cells: queue.cells.as_ptr().cast(),
                    cell_count: queue.cells.len(),
                })
            })
        })?;
        Ok(())
    })
}

// ---- terrain ----

/// Makes terrain of `width` times `height` cells, whose kinds lie in `kinds` row by row, with a map for each of these
/// classes of agents. Rules are those of `quadrille_map_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_new(
    kinds: *const u8,
    width: u32,
    height: u32,
    rule: *const c_char,
    classes: *const Agents,
    count: usize,
    terrain: *mut Terrain,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (rule, terrain) = (text(rule, "rule")?, place(terrain, "terrain")?);
        let classes: Vec<AgentClass> = list(classes, count, "classes")?.iter().map(class_of).collect();
        let made = TerrainOf::new(read_free(kinds, width, height, "kinds")?, [width, height], rule, &classes)?;
        terrain.bits = ALL_TERRAIN.add(TERRAIN, made)?;
        Ok(())
    })
}

fn class_of(agents: &Agents) -> AgentClass {
    core::class_of(agents.size, agents.walkable)
}

/// Frees terrain, and what it keeps.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_terrain_free(terrain: Terrain) -> Status {
    call(|| ALL_TERRAIN.free(TERRAIN, terrain.bits))
}

/// Makes cells terrain of some kind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_set(terrain: Terrain, cells: *const Cell, count: usize, kind: u8) -> Status {
    call(|| {
        // SAFETY: passed on.
        let cells = unsafe { read_cells(cells, count, "cells") }?;
        ALL_TERRAIN.with(TERRAIN, terrain.bits, |terrain| terrain.set(&cells, kind))
    })
}

/// Replaces the rectangle of `width` times `height` cells from a cell on, whose kinds lie in `kinds` row by row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_edit(
    terrain: Terrain,
    from: Cell,
    width: u32,
    height: u32,
    kinds: *const u8,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let kinds = unsafe { read_free(kinds, width, height, "kinds") }?;
        let from = [from.x, from.y].map(i64::from);
        ALL_TERRAIN.with(TERRAIN, terrain.bits, |terrain| terrain.edit(from, [width, height], kinds))
    })
}

/// A number that changes with every edit that changes a cell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_version(terrain: Terrain, version: *mut u64) -> Status {
    call(|| {
        ALL_TERRAIN.with(TERRAIN, terrain.bits, |terrain| {
            // SAFETY: passed on.
            *unsafe { place(version, "version") }? = terrain.version();
            Ok(())
        })
    })
}

/// A cheapest path from each of `count` starts to the goal in the same place, for agents of a class: entering a cell
/// costs what the step costs times the weight of the heaviest terrain then under the agent. `weights` are 64 numbers,
/// by kind; null if all are 1. Agents need not be of a class that has a map, but then it takes longer. `counts` and
/// `costs` take one value for each path, and may be null as `cells` may.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_paths(
    terrain: Terrain,
    agents: Agents,
    weights: *const u32,
    starts: *const Cell,
    goals: *const Cell,
    count: usize,
    counts: *mut u32,
    costs: *mut f64,
    cells: *mut Cells,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (starts, goals) = unsafe { (read_cells(starts, count, "starts")?, read_cells(goals, count, "goals")?) };
        // SAFETY: passed on.
        let by_kind = unsafe { read_weights(weights) }?;
        ALL_TERRAIN.with(TERRAIN, terrain.bits, |terrain| {
            terrain.paths(class_of(&agents), &by_kind, [&starts, &goals])?;
            // SAFETY: passed on.
            unsafe {
                write_cells(&terrain.found.cells, cells)?;
                write_each(&terrain.found.lengths, costs, "costs")?;
                write_each(&terrain.found.counts, counts, "counts")
            }
        })
    })
}

/// Weights by kind; null if all are 1.
///
/// # Safety
/// `weights` points to 64 numbers, or is null.
unsafe fn read_weights(weights: *const u32) -> Result<core::Weights, Fault> {
    let mut by_kind = [1; 64];
    if !weights.is_null() {
        // SAFETY: passed on.
        by_kind.copy_from_slice(unsafe { list(weights, 64, "weights") }?);
    }
    Ok(by_kind)
}

/// A cheapest path that may take links, for agents of a class that has a map. The steps of a link cost as much as on
/// ground of weight 1. `weights` are as for `quadrille_terrain_paths`, the rest as for `quadrille_map_linked_path`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_linked_path(
    terrain: Terrain,
    agents: Agents,
    weights: *const u32,
    start: Cell,
    goal: Cell,
    links: *const Link,
    count: usize,
    cost: *mut f64,
    kept: *mut KeptPaths,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (links, cost, kept) = unsafe { (list(links, count, "links")?, place(cost, "cost")?, place(kept, "kept")?) };
        // SAFETY: passed on.
        let (by_kind, numbers) = (unsafe { read_weights(weights) }?, link_numbers(links)?);
        let ends = [start, goal].map(|cell| [cell.x, cell.y].map(i64::from));
        ALL_TERRAIN.with(TERRAIN, terrain.bits, |terrain| {
            *cost = terrain.linked_path(class_of(&agents), &by_kind, ends, &numbers)?;
            *kept = kept_paths(&terrain.found);
            Ok(())
        })
    })
}

/// As `quadrille_map_would_close`, for a class of agents that has a map, if a rectangle became terrain of some kind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_would_close(
    terrain: Terrain,
    agents: Agents,
    from: Cell,
    width: u32,
    height: u32,
    kind: u8,
    starts: *const Cell,
    count: usize,
    goal: Cell,
    first: *mut usize,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (starts, first) = unsafe { (read_cells(starts, count, "starts")?, place(first, "first")?) };
        let change = ([from.x, from.y].map(i64::from), [width, height], kind);
        let goal = [goal.x, goal.y].map(i64::from);
        let closed = ALL_TERRAIN
            .with(TERRAIN, terrain.bits, |terrain| terrain.would_close(class_of(&agents), change, &starts, goal))?;
        *first = closed.unwrap_or(count);
        Ok(())
    })
}

/// The paths that the terrain keeps until the next call with it other than this one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_terrain_kept(terrain: Terrain, kept: *mut KeptPaths) -> Status {
    call(|| {
        ALL_TERRAIN.with(TERRAIN, terrain.bits, |terrain| {
            // SAFETY: passed on.
            *unsafe { place(kept, "kept") }? = kept_paths(&terrain.found);
            Ok(())
        })
    })
}

// ---- shapes ----

/// Reads geometries, one for each row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_shapes_new(rows: *const Wkb, count: usize, shapes: *mut Shapes) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (rows, shapes) = (list(rows, count, "rows")?, place(shapes, "shapes")?);
        let mut made = ShapesOf::default();
        for row in rows {
            let wkb = if row.bytes.is_null() { None } else { Some(list(row.bytes, row.count, "bytes")?) };
            made.all.push(wkb)?;
        }
        shapes.bits = ALL_SHAPES.add(SHAPES, made)?;
        Ok(())
    })
}

/// Frees shapes, and what they keep.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_shapes_free(shapes: Shapes) -> Status {
    call(|| ALL_SHAPES.free(SHAPES, shapes.bits))
}

/// A call about shapes and others, which may be the same.
fn with_shapes(
    shapes: Shapes,
    others: Shapes,
    find: impl FnOnce(&core::Shapes, &core::Shapes) -> Result<core::Apart, Fault>,
    write: impl FnOnce(&ShapesOf) -> Result<(), Fault>,
) -> Status {
    call(|| {
        ALL_SHAPES.with(SHAPES, shapes.bits, |here| {
            let (pairs, distances) = if others.bits == shapes.bits {
                find(&here.all, &here.all)?
            } else {
                ALL_SHAPES.with(SHAPES, others.bits, |others| find(&here.all, &others.all))?
            };
            here.pairs = pairs.into_iter().map(|(a, b)| [a, b]).collect();
            here.distances = distances;
            write(here)
        })
    })
}

/// Pairs without distances: there are as many as there are pairs, for whoever reads them.
fn at_no_distance(pairs: Result<Vec<(u32, u32)>, core::Error>) -> Result<core::Apart, Fault> {
    let pairs = pairs?;
    let distances = vec![0.0; pairs.len()];
    Ok((pairs, distances))
}

/// All pairs of a row of these and a row of the others, which may be the same, for which a predicate holds, in order:
/// "intersects", "contains", "within", "touches", "crosses", "overlaps", "covers", "covered_by", "equals", "disjoint",
/// "contains_properly", as the OGC defines them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_shapes_join(
    shapes: Shapes,
    others: Shapes,
    predicate: *const c_char,
    pairs: *mut Pairs,
) -> Status {
    // SAFETY: passed on.
    match unsafe { text(predicate, "predicate") } {
        Ok(predicate) => with_shapes(
            shapes,
            others,
            |a, b| at_no_distance(a.join(b, predicate, core::Call::default())),
            // SAFETY: passed on.
            |found| unsafe { write_pairs(&found.pairs, pairs) },
        ),
        Err(fault) => remember(fault),
    }
}

/// All pairs of a row of these and a row of the others, which may be the same, that are no farther apart than
/// `distance`, in order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_shapes_join_within(
    shapes: Shapes,
    others: Shapes,
    distance: f64,
    pairs: *mut Pairs,
) -> Status {
    let find = |a: &core::Shapes, b: &core::Shapes| {
        core::check_distance(distance)?;
        at_no_distance(a.join_within(b, distance, core::Metric::Plane, core::Call::default()))
    };
    // SAFETY: passed on.
    with_shapes(shapes, others, find, |found| unsafe { write_pairs(&found.pairs, pairs) })
}

/// Of each row of these, the `most` rows of the others that are nearest, none farther than `distance`, which may be
/// infinite: the nearest first. If `most` is 0, all that no other is nearer than. `exclusive`, if not 0, leaves out
/// what is equal, which is the row itself where the others are the same. `distances` is as long as `pairs`; each may be
/// null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_shapes_nearest(
    shapes: Shapes,
    others: Shapes,
    most: usize,
    distance: f64,
    exclusive: u8,
    pairs: *mut Pairs,
    distances: *mut f64,
) -> Status {
    let find = |a: &core::Shapes, b: &core::Shapes| {
        core::check_distance(distance)?;
        Ok(a.nearest(
            b,
            ((most != 0).then_some(most), distance),
            exclusive != 0,
            core::Metric::Plane,
            core::Call::default(),
        )?)
    };
    // SAFETY: passed on.
    with_shapes(shapes, others, find, |found| unsafe {
        write_pairs_apart(&found.pairs, &found.distances, pairs, distances)
    })
}

/// How far apart a row of these and a row of the others, which may be the same, are; infinite if one has no geometry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_shapes_distance(
    shapes: Shapes,
    row: u32,
    others: Shapes,
    other_row: u32,
    distance: *mut f64,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let distance = unsafe { place(distance, "distance") }?;
        *distance = ALL_SHAPES.with(SHAPES, shapes.bits, |here| {
            if others.bits == shapes.bits {
                return Ok(here.all.distance(row, &here.all, other_row)?);
            }
            ALL_SHAPES.with(SHAPES, others.bits, |others| Ok(here.all.distance(row, &others.all, other_row)?))
        })?;
        Ok(())
    })
}

/// The answers that the shapes keep until the next call with them other than this one: pairs, and after
/// `quadrille_shapes_nearest` how far apart they are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_shapes_kept(
    shapes: Shapes,
    pairs: *mut *const Pair,
    distances: *mut *const f64,
    count: *mut usize,
) -> Status {
    call(|| {
        ALL_SHAPES.with(SHAPES, shapes.bits, |here| {
            // SAFETY: passed on.
            unsafe {
                *place(pairs, "pairs")? = here.pairs.as_ptr().cast();
                *place(distances, "distances")? = here.distances.as_ptr();
                *place(count, "count")? = here.pairs.len();
            }
            Ok(())
        })
    })
}

// ---- tracks ----

/// Makes tracks of fixes. Between two fixes a track moves straight and at constant speed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_tracks_new(fixes: Fixes, rules: TrackRules, made: *mut Tracks) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (count, made) = (fixes.count, place(made, "made")?);
        let columns = tracks::Fixes {
            track: list(fixes.track, count, "track")?,
            time: list(fixes.time, count, "time")?,
            x: list(fixes.x, count, "x")?,
            y: list(fixes.y, count, "y")?,
            z: if fixes.z.is_null() { None } else { Some(list(fixes.z, count, "z")?) },
        };
        let units = if rules.is_globe == 0 { tracks::Units::Plane } else { tracks::Units::Degrees };
        let limit = |limit: f64| (limit != 0.0).then_some(limit);
        let rules = tracks::Rules { units, max_gap: limit(rules.max_gap), max_speed: limit(rules.max_speed) };
        let all = tracks::Tracks::new(&columns, &rules).map_err(|error| Fault::of_tracks(&error))?;
        made.bits = ALL_TRACKS.add(TRACKS, TracksOf { all, has_heights: !fixes.z.is_null(), found: Vec::new() })?;
        Ok(())
    })
}

/// Frees tracks, and what they keep.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_tracks_free(tracks: Tracks) -> Status {
    call(|| ALL_TRACKS.free(TRACKS, tracks.bits))
}

/// All encounters of two tracks, by when they begin. `found` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_tracks_encounters(
    tracks: Tracks,
    limits: EncounterLimits,
    found: *mut Encounters,
) -> Status {
    call(|| {
        ALL_TRACKS.with(TRACKS, tracks.bits, |tracks| {
            let EncounterLimits { within, vertical, lasting, gap } = limits;
            let limits =
                self::tracks::Limits { within, vertical: tracks.has_heights.then_some(vertical), lasting, gap };
            let met = tracks.all.encounters(&limits).map_err(|error| Fault::of_tracks(&error))?;
            tracks.found = met.encounters.iter().map(encounter).collect();
            if found.is_null() {
                return Ok(());
            }
            // SAFETY: passed on.
            unsafe {
                let Encounters { data, room, count } = place(found, "found")?;
                write(&tracks.found, *data, *room, count)
            }
        })
    })
}

fn encounter(met: &tracks::Encounter) -> Encounter {
    Encounter {
        a: met.a,
        b: met.b,
        start: met.start,
        end: met.end,
        closest_time: met.closest_time,
        closest_distance: met.closest_distance,
        closest_vertical: met.closest_vertical.unwrap_or(f64::NAN),
    }
}

/// The encounters that the tracks keep until the next call with them other than this one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_tracks_kept(
    tracks: Tracks,
    found: *mut *const Encounter,
    count: *mut usize,
) -> Status {
    call(|| {
        ALL_TRACKS.with(TRACKS, tracks.bits, |tracks| {
            // SAFETY: passed on.
            unsafe {
                *place(found, "found")? = tracks.found.as_ptr();
                *place(count, "count")? = tracks.found.len();
            }
            Ok(())
        })
    })
}
