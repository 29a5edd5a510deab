//! What C declares: handles, rows, answers, and the memory that takes them.

use std::ffi::{c_int, c_void};

/// Boxes under ids. A handle of all zeros refers to nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Boxes {
    /// Private.
    pub(super) bits: u64,
}

/// Rows of coordinates in the caller's memory, which may be parts of larger structs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Rows {
    /// The first number of the first row.
    pub(super) first: *const c_void,
    /// How many rows there are.
    pub(super) count: usize,
    /// Bytes from one row to the next; 0 if rows are contiguous.
    pub(super) stride: usize,
    /// The type of the numbers: `QUADRILLE_F32`, `QUADRILLE_F64` or `QUADRILLE_I32`.
    pub(super) scalar: u32,
    /// 4 for boxes (xmin, ymin, xmax, ymax), 2 for points (x, y).
    pub(super) numbers: u32,
}

/// Two boxes. Within one set, the lower id comes first; between two sets, the id from the first set.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pair {
    /// The id of one.
    pub(super) a: u32,
    /// The id of the other.
    pub(super) b: u32,
}

/// Room for ids in the caller's memory.
#[repr(C)]
pub struct Ids {
    /// The first.
    pub(super) data: *mut u32,
    /// How many fit.
    pub(super) room: usize,
    /// Set by calls: how many there are, which may be more than fit.
    pub(super) count: usize,
}

/// Room for pairs in the caller's memory.
#[repr(C)]
pub struct Pairs {
    /// The first.
    pub(super) data: *mut Pair,
    /// How many fit.
    pub(super) room: usize,
    /// Set by calls: how many there are, which may be more than fit.
    pub(super) count: usize,
}

/// Room for bytes in the caller's memory.
#[repr(C)]
pub struct Bytes {
    /// The first.
    pub(super) data: *mut u8,
    /// How many fit.
    pub(super) room: usize,
    /// Set by calls: how many there are, which may be more than fit.
    pub(super) count: usize,
}

/// The layers that a box is on, and those that it collides with. Two boxes form a pair if each is on a layer in the
/// other's mask.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Layers {
    /// The layers it is on, one bit each.
    pub(super) own: u32,
    /// The layers it collides with.
    pub(super) mask: u32,
}

/// The answers that a handle keeps until the next call with it. A pointer whose count is 0 must not be followed.
#[repr(C)]
pub struct Kept {
    /// Ids that were found: query by query, or row by row.
    pub(super) ids: *const u32,
    /// How many ids there are.
    pub(super) id_count: usize,
    /// How many answers each query has.
    pub(super) counts: *const u32,
    /// How many queries there were.
    pub(super) query_count: usize,
    /// The distance of each answer, or the time of first contact.
    pub(super) distances: *const f64,
    /// How many distances there are: one per id or pair, or none if none were requested.
    pub(super) distance_count: usize,
    /// For casts, the side that was hit: x and y for each id.
    pub(super) normals: *const i8,
    /// Pairs that were found.
    pub(super) pairs: *const Pair,
    /// How many pairs there are.
    pub(super) pair_count: usize,
    /// Contacts that began.
    pub(super) began: *const Pair,
    /// How many contacts began.
    pub(super) began_count: usize,
    /// Contacts that ended.
    pub(super) ended: *const Pair,
    /// How many contacts ended.
    pub(super) ended_count: usize,
}

/// A map of free and blocked cells, or of kinds of terrain, that finds shortest paths and can be edited. A handle of all
/// zeros refers to nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Map {
    /// Private.
    pub(super) bits: u64,
}

/// A flow or a reach of a map that is computed in slices, for a budget per frame. A handle of all zeros refers to nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Growing {
    /// Private.
    pub(super) bits: u64,
}

/// A path that is watched: edits of its map may break it. A handle of all zeros refers to nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Watch {
    /// Private.
    pub(super) bits: u64,
}

/// Requests for paths that are answered within a budget. A handle of all zeros refers to nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Queue {
    /// Private.
    pub(super) bits: u64,
}

/// The requests that a queue has answered. They are valid until the next call with it. A pointer whose count is 0 must
/// not be followed.
#[repr(C)]
pub struct Answered {
    /// The numbers of the requests.
    pub(super) requests: *const u64,
    /// How many cells the path of each has; none where there is no path.
    pub(super) counts: *const u32,
    /// How many requests were answered.
    pub(super) count: usize,
    /// The cells of all paths, one path after the other.
    pub(super) cells: *const Cell,
    /// How many cells there are.
    pub(super) cell_count: usize,
}

/// A connection from one cell to another, in this direction only: a door, a ladder, a ferry, a portal.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Link {
    /// Where it begins.
    pub(super) from: Cell,
    /// Where it ends.
    pub(super) to: Cell,
    /// What it costs, in straight steps; 65535 at most.
    pub(super) steps: u32,
}

/// A cell of a map.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Cell {
    /// The column, starting at 0.
    pub(super) x: u32,
    /// The row, starting at 0.
    pub(super) y: u32,
}

impl Cell {
    /// The column and the row, as maps take them.
    pub(super) fn xy(self) -> [u32; 2] {
        [self.x, self.y]
    }
}

/// Room for cells in the caller's memory.
#[repr(C)]
pub struct Cells {
    /// The first.
    pub(super) data: *mut Cell,
    /// How many fit.
    pub(super) room: usize,
    /// Set by calls: how many there are, which may be more than fit.
    pub(super) count: usize,
}

/// The paths that a map keeps until the next call with it. A pointer whose count is 0 must not be followed.
#[repr(C)]
pub struct KeptPaths {
    /// The cells of all paths, one path after the other.
    pub(super) cells: *const Cell,
    /// How many cells there are.
    pub(super) cell_count: usize,
    /// How many cells each path has; none where there is no path.
    pub(super) counts: *const u32,
    /// The length of each path, or its cost; infinite where there is none.
    pub(super) lengths: *const f64,
    /// How many paths were requested.
    pub(super) path_count: usize,
    /// The cost to reach each cell, after `quadrille_map_reach`.
    pub(super) costs: *const f64,
    /// The turns of a taut path, x and y of each.
    pub(super) points: *const f64,
    /// How many points there are.
    pub(super) point_count: usize,
    /// Which links lead from each path to the next, after a linked path.
    pub(super) links: *const u32,
    /// How many links there are.
    pub(super) link_count: usize,
}

/// Agents that walk on terrain.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Agents {
    /// The kinds of terrain on which they walk, one bit each; kinds from 64 up are walls for all.
    pub(super) walkable: u64,
    /// They cover a square of this many cells per side; their position is its first cell.
    pub(super) size: u32,
    /// What entering a cell costs by kind of terrain, 64 numbers; null if all are 1. Calls that count no costs do not
    /// read them.
    pub(super) weights: *const u32,
}

/// Points, lines and polygons by row. A handle of all zeros refers to nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Shapes {
    /// Private.
    pub(super) bits: u64,
}

/// A geometry as well-known binary in the caller's memory; null for a row without one.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Wkb {
    /// The first byte.
    pub(super) bytes: *const u8,
    /// How many there are.
    pub(super) count: usize,
}

/// Tracks of ships, aircraft, animals or people. A handle of all zeros refers to nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Tracks {
    /// Private.
    pub(super) bits: u64,
}

/// Positions with times: columns of equal length, rows in any order.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Fixes {
    /// How many rows there are.
    pub(super) count: usize,
    /// The numbers of the tracks.
    pub(super) track: *const u32,
    /// The times.
    pub(super) time: *const f64,
    /// x, or degrees of longitude.
    pub(super) x: *const f64,
    /// y, or degrees of latitude.
    pub(super) y: *const f64,
    /// Heights; null if they do not matter.
    pub(super) z: *const f64,
}

/// How fixes become tracks. All zeros mean a plane without limits.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrackRules {
    /// Not 0 if x and y are degrees on the globe; then distances are in meters and times in seconds.
    pub(super) is_globe: u32,
    /// A track is interrupted between two fixes farther apart in time than this; 0 for no limit.
    pub(super) max_gap: f64,
    /// Fixes that require a speed above this are left out; 0 for no limit.
    pub(super) max_speed: f64,
}

/// What counts as an encounter.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct EncounterLimits {
    /// The greatest distance between two tracks.
    pub(super) within: f64,
    /// The greatest difference in height, if there are heights.
    pub(super) vertical: f64,
    /// The shortest duration; 0 if an instant is enough.
    pub(super) lasting: f64,
    /// Encounters of the same two tracks with no more time than this between them count as one.
    pub(super) gap: f64,
}

/// A maximal time interval in which two tracks are near each other.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Encounter {
    /// The number of one track.
    pub(super) a: u32,
    /// The number of the other.
    pub(super) b: u32,
    /// When it begins.
    pub(super) start: f64,
    /// When it ends.
    pub(super) end: f64,
    /// When they are closest.
    pub(super) closest_time: f64,
    /// Their distance at that time.
    pub(super) closest_distance: f64,
    /// Their difference in height at that time; NaN if heights do not matter.
    pub(super) closest_vertical: f64,
}

/// Room for encounters in the caller's memory.
#[repr(C)]
pub struct Encounters {
    /// The first.
    pub(super) data: *mut Encounter,
    /// How many fit.
    pub(super) room: usize,
    /// Set by calls: how many there are, which may be more than fit.
    pub(super) count: usize,
}

/// Called with the caller's own `context` and an answer; returning 0 ends the call. It must return: leaving it by a
/// jump or an exception is undefined behavior. While it runs, the handle is busy.
pub type Visit = Option<unsafe extern "C" fn(context: *mut c_void, a: u32, b: u32) -> c_int>;
