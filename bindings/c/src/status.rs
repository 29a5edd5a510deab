//! Codes of errors, and the text of the last one on each thread.

use std::cell::Cell;
use std::ffi::c_char;

use quadrille_bindings::{Error, ErrorKind};

/// The result of a call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// A pointer that must not be null is null.
    Null = 1,
    /// An invalid handle: it was never issued, has been freed, or is of another kind.
    Handle = 2,
    /// Another call with the same handle has not returned yet.
    Busy = 3,
    /// An invalid value: NaN, an inverted box, a negative distance, an unknown name, a wrong length.
    Value = 4,
    /// An id that is not in use, or a cell that is not on its map.
    Id = 5,
    /// Coordinates of another type than the handle's.
    Scalar = 6,
    /// There is not enough memory.
    Memory = 7,
    /// A buffer is too small. Its `count` says how much is needed, nothing was written into it, and the answers are
    /// kept, unless the function says that nothing is.
    Room = 8,
    /// An earlier call with this handle failed inside the library: free it and make a new one.
    Broken = 9,
    /// The call failed inside the library, which is a bug in the library.
    Panic = 10,
}

/// Why a call was refused.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) status: Status,
    message: String,
}

impl Fault {
    #[cold]
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    #[cold]
    pub(crate) fn value(message: impl Into<String>) -> Self {
        Self::new(Status::Value, message)
    }

    #[cold]
    pub(crate) fn of_tracks(error: &quadrille_tracks::Error) -> Self {
        let status = if error.is_memory() { Status::Memory } else { Status::Value };
        Self::new(status, error.to_string())
    }
}

impl From<Error> for Fault {
    #[cold]
    fn from(error: Error) -> Self {
        let status = match error.kind() {
            ErrorKind::Value => Status::Value,
            ErrorKind::Id => Status::Id,
            ErrorKind::Memory => Status::Memory,
            // No call here can be stopped.
            ErrorKind::Stopped => Status::Panic,
        };
        Self::new(status, error.to_string())
    }
}

/// How long the text of an error can be, with the zero at its end: bytes. Longer ones are cut.
const MAX_BYTES: usize = 1024;

thread_local! {
    /// It stays in place, so that a pointer to it never dangles while the thread lives: after another error it points to
    /// that error's text. It has no destructor, so it lives as long as the thread's memory.
    static TEXT: [Cell<u8>; MAX_BYTES] = const { [const { Cell::new(0) }; MAX_BYTES] };
}

/// Keeps the text of an error until the next one on this thread.
pub(crate) fn remember(fault: Fault) -> Status {
    let mut end = fault.message.len().min(MAX_BYTES - 1);
    while !fault.message.is_char_boundary(end) {
        end -= 1;
    }
    TEXT.with(|text| {
        // A zero would end the text for its reader.
        let bytes = fault.message[..end].bytes().map(|byte| if byte == 0 { b'?' } else { byte }).chain([0]);
        text.iter().zip(bytes).for_each(|(place, byte)| place.set(byte));
    });
    fault.status
}

/// Where the text of the last error on this thread begins.
pub(crate) fn last_text() -> *const c_char {
    TEXT.with(|text| text.as_ptr().cast())
}
