//! The errors and their messages.

use std::fmt;

/// Why there is no advice. [`Display`](fmt::Display) says what was wrong, with the values.
#[derive(Clone, Debug, PartialEq)]
pub struct Error(pub(crate) String);

impl From<quadrille::Error> for Error {
    fn from(error: quadrille::Error) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
