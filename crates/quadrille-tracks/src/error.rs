//! Errors in the input.

use std::fmt;

/// Something is wrong with a fix or an option; the message names the value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    kind: Kind,
    message: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// The fix at this position.
    Fix(usize),
    Memory,
    Stopped,
    Other,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { kind: Kind::Other, message: message.into() }
    }

    /// A number of a fix that cannot be used.
    pub(crate) fn in_fix(position: usize, what: fmt::Arguments<'_>) -> Self {
        Self { kind: Kind::Fix(position), message: format!("fix {position}: {what}") }
    }

    /// A number that an option cannot have.
    pub(crate) fn option(what: &str, value: f64, rule: &str) -> Self {
        Self::new(format!("{what} is {value}; {rule}"))
    }

    pub(crate) fn too_many(fixes: usize) -> Self {
        Self::new(format!("there are {fixes} fixes; at most {} can be taken", u32::MAX))
    }

    pub(crate) fn no_memory(what: &str, count: usize) -> Self {
        Self { kind: Kind::Memory, message: format!("there is no memory for {count} {what}") }
    }

    pub(crate) fn stopped() -> Self {
        Self { kind: Kind::Stopped, message: "the search was stopped".into() }
    }

    /// Has memory run out?
    #[must_use]
    pub fn is_memory(&self) -> bool {
        self.kind == Kind::Memory
    }

    /// Did the caller stop the search?
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.kind == Kind::Stopped
    }

    /// The position of the fix in question, counted from 0, if the error is about one.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        match self.kind {
            Kind::Fix(position) => Some(position),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
