//! Errors of the caller, with the row and the value.

use std::fmt;

/// Which kind of mistake: languages have an exception for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A value that cannot be taken: NaN, an inverted box, a negative distance.
    Value,
    /// An id that is not in use.
    Id,
}

/// A refused call. Nothing has changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

impl Error {
    /// A value that cannot be taken.
    #[cold]
    pub fn value(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Value, message: message.into() }
    }

    /// The id in a row of a list is not in use.
    #[cold]
    pub(crate) fn id(row: usize, id: i64, places: usize) -> Self {
        let message = format!("row {row}: no box has the id {id} (ids in use are below {places})");
        Self { kind: ErrorKind::Id, message }
    }

    /// The kind of mistake.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<quadrille::Error> for Error {
    #[cold]
    fn from(error: quadrille::Error) -> Self {
        Self::value(error.to_string())
    }
}
