//! The errors.

use std::fmt;
use std::io;
use std::path::Path;

/// What went wrong, in one line with the place and the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl Error {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }

    /// A temporary file in `folder` cannot be written or read.
    pub(crate) fn in_folder(folder: &Path, error: &io::Error) -> Self {
        Self(format!("{}: temporary file: {error}", folder.display()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
