//! Errors of the caller, with the row and the value, and calls that could not be completed.

use std::fmt;

/// Which kind of mistake: languages have an exception for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// An invalid value: NaN, an inverted box, a negative distance.
    Value,
    /// An id that is not in use, or a cell that is not on its map.
    Id,
    /// There is not enough memory.
    Memory,
    /// The caller wanted the call to stop.
    Stopped,
}

/// A rejected call. Nothing has changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

impl Error {
    /// An invalid value.
    #[cold]
    pub fn value(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Value, message: message.into() }
    }

    /// An id that is not in use, or a cell that is not on its map.
    #[cold]
    pub(crate) fn unknown(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Id, message: message.into() }
    }

    /// The id in a row of a list is not in use.
    #[cold]
    pub(crate) fn id(row: usize, id: i64, slots: usize) -> Self {
        Self::unknown(format!("row {row}: no box has the id {id} (ids in use are below {slots})"))
    }

    /// There is not enough memory.
    #[cold]
    pub fn no_memory(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Memory, message: message.into() }
    }

    /// There are more answers than memory holds.
    #[cold]
    pub(crate) fn memory(answers: usize) -> Self {
        Self::no_memory(format!("there is no memory for more than {answers} answers"))
    }

    /// There are more boxes than memory holds.
    #[cold]
    pub(crate) fn memory_for_boxes(boxes: usize) -> Self {
        Self::no_memory(format!("there is no memory for an index of {boxes} boxes"))
    }

    /// The caller wanted the call to stop.
    #[cold]
    pub fn stopped() -> Self {
        Self { kind: ErrorKind::Stopped, message: "the call was stopped".into() }
    }

    /// The same mistake in an argument of this name.
    #[must_use]
    pub fn of(self, name: &str) -> Self {
        Self { message: format!("{name}: {}", self.message), ..self }
    }

    /// The kind of mistake.
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

impl From<quadrille::snapshot::SnapshotError> for Error {
    #[cold]
    fn from(error: quadrille::snapshot::SnapshotError) -> Self {
        Self::value(error.to_string())
    }
}
