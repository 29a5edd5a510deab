//! The functions that C calls, and all `unsafe`: the caller's memory is read before a handle is looked up, and written
//! after the call has its answer. What C passes is checked if that is possible: handles against the table, pointers
//! for null and alignment, lengths against what memory can hold, numbers of types and shapes against the known ones.
//! The caller guarantees that a pointer leads to as much memory as its length says.
//!
//! | file | what it is for |
//! |---|---|
//! | `mod.rs` | the tables of handles, the numbers of types, and that no panic gets out |
//! | `types.rs` | what C declares |
//! | `memory.rs` | the caller's memory |
//! | `boxes.rs`, `maps.rs`, `queues.rs`, `shapes.rs`, `tracks.rs` | the calls |
#![expect(unsafe_code, reason = "the border to C")]
#![expect(clippy::missing_safety_doc, reason = "the same for all, and said at the top of the header")]

mod boxes;
mod maps;
mod memory;
mod queues;
mod shapes;
mod tracks;
mod types;

pub use self::boxes::*;
pub use self::maps::*;
pub use self::queues::*;
pub use self::shapes::*;
pub use self::tracks::*;
pub use self::types::*;

use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

use quadrille_paths::PathWatch;

use self::memory::out;
use self::queues::QueueOf;
use self::shapes::ShapesOf;
use self::tracks::TracksOf;
use crate::boxes::AnyBoxes;
use crate::growing::Growing as GrowingOf;
use crate::maps::Map as MapOf;
use crate::status::{Fault, Status, last_text, remember};
use crate::table::Table;

/// Coordinates are `float`.
pub const F32: u32 = 0;
/// Coordinates are `double`.
pub const F64: u32 = 1;
/// Coordinates are `int32_t`.
pub const I32: u32 = 2;

/// In place of an id if there is no answer.
pub const NONE: u32 = 0xffff_ffff;

/// All layers. A query for them finds all boxes, even those on none.
pub const ALL_LAYERS: u32 = 0xffff_ffff;

/// A handle, and the table of the things that it refers to.
trait Handle: Copy {
    type Thing: 'static;
    fn table() -> &'static Table<Self::Thing>;
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! handles {
    ($($handle:ident: $thing:ty = $kind:expr;)*) => {
        $(impl Handle for $handle {
            type Thing = $thing;

            fn table() -> &'static Table<$thing> {
                static TABLE: Table<$thing> = Table::new($kind);
                &TABLE
            }

            fn of(bits: u64) -> Self {
                Self { bits }
            }

            fn bits(self) -> u64 {
                self.bits
            }
        })*
    };
}

handles! {
    Boxes: AnyBoxes = 1;
    Map: MapOf = 2;
    Watch: PathWatch = 3;
    Shapes: ShapesOf = 5;
    Tracks: TracksOf = 6;
    Queue: QueueOf = 7;
    Growing: GrowingOf = 8;
}

/// Keeps a thing, and writes its handle.
fn keep<H: Handle>(thing: H::Thing, handle: &mut H) -> Result<(), Fault> {
    *handle = H::of(H::table().add(thing)?);
    Ok(())
}

/// Works with the thing that a handle refers to.
fn with<H: Handle, R>(handle: H, work: impl FnOnce(&mut H::Thing) -> Result<R, Fault>) -> Result<R, Fault> {
    H::table().with(handle.bits(), work)
}

/// Turns panics into a status.
fn call(work: impl FnOnce() -> Result<(), Fault>) -> Status {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => Status::Ok,
        Ok(Err(fault)) => remember(fault),
        Err(_) => remember(Fault::new(Status::Panic, "the call failed inside the library: please report this")),
    }
}

/// A call for the thing that a handle refers to.
fn on<H: Handle>(handle: H, work: impl FnOnce(&mut H::Thing) -> Result<(), Fault>) -> Status {
    call(|| with(handle, work))
}

/// The same with one answer, which is written to `to`.
///
/// # Safety
/// As [`out`].
unsafe fn answer<H: Handle, T>(
    handle: H,
    to: *mut T,
    name: &str,
    ask: impl FnOnce(&mut H::Thing) -> Result<T, Fault>,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let to = unsafe { out(to, name) }?;
        *to = with(handle, ask)?;
        Ok(())
    })
}

/// Frees the thing that a handle refers to.
fn free<H: Handle>(handle: H) -> Status {
    call(|| H::table().free(handle.bits()))
}

/// The version of the library, as in "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_version() -> *const c_char {
    const { concat!(env!("CARGO_PKG_VERSION"), "\0") }.as_ptr().cast()
}

/// The error of the last failed call on this thread, as text of at most 1023 bytes. Its memory is that of the thread: the
/// next error overwrites it.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_error_text() -> *const c_char {
    last_text()
}

/// An error unless as many values are given as expected: for wrappers, which know lengths that no other call is told.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_check_length(given: u64, expected: u64) -> Status {
    let told = || Fault::value(format!("{given} values are given where {expected} are expected"));
    call(|| if given == expected { Ok(()) } else { Err(told()) })
}
