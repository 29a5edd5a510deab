//! The functions that C calls, and all `unsafe`: the caller's memory is read before a handle is looked up, and written
//! after the call has its answer. What C passes is checked where that is possible: handles against the table, pointers
//! for null and alignment, lengths against what memory can hold, numbers of types and shapes against the known ones.
//! That a pointer leads to as much memory as its length says is the caller's obligation.
//!
//! | file | what it knows |
//! |---|---|
//! | `mod.rs` | the tables of handles, the numbers of types, and that no panic gets out |
//! | `types.rs` | what C declares |
//! | `memory.rs` | the caller's memory |
//! | `boxes.rs`, `maps.rs`, `queues.rs`, `terrain.rs`, `shapes.rs`, `tracks.rs` | the calls |
#![expect(unsafe_code, reason = "the border to C")]
#![expect(clippy::missing_safety_doc, reason = "the same for all, and told at the top of the header")]

mod boxes;
mod maps;
mod memory;
mod queues;
mod shapes;
mod terrain;
mod tracks;
mod types;

pub use self::boxes::*;
pub use self::maps::*;
pub use self::queues::*;
pub use self::shapes::*;
pub use self::terrain::*;
pub use self::tracks::*;
pub use self::types::*;

use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

use quadrille_paths::PathWatch;

use self::memory::out;
use self::shapes::ShapesOf;
use self::tracks::TracksOf;
use crate::boxes::AnyBoxes;
use crate::maps::Map as MapOf;
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

/// Takes the place of an id where there is no answer.
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

/// Turns panics into a status.
fn call(work: impl FnOnce() -> Result<(), Fault>) -> Status {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => Status::Ok,
        Ok(Err(fault)) => remember(fault),
        Err(_) => remember(Fault::new(Status::Panic, "the call failed inside the library: please report this")),
    }
}

/// A call with one answer, which is written to `to`.
///
/// # Safety
/// As [`out`].
unsafe fn answer<T>(to: *mut T, name: &str, ask: impl FnOnce() -> Result<T, Fault>) -> Status {
    call(|| {
        // SAFETY: passed on.
        let to = unsafe { out(to, name) }?;
        *to = ask()?;
        Ok(())
    })
}

/// The version of the library, as in "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_version() -> *const c_char {
    const { concat!(env!("CARGO_PKG_VERSION"), "\0") }.as_ptr().cast()
}

/// The error of the last failed call on this thread, as text that is valid until the next one fails.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_error_text() -> *const c_char {
    last_text()
}
