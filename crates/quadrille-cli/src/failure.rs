//! How a run can end early.

use std::error::Error;
use std::fmt::{self, Display};
use std::io;
use std::path::Path;

/// Why a run ended early. Names and values in it may be as they are in files: they are made
/// [harmless](crate::text::one_line) when the failure is shown.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments or the input are wrong: one line for people, exit code 2.
    Bad(String),
    /// An answer differs from the published one: one line for people, exit code 1.
    Mismatch(String),
    /// The reader of our output is gone, as after `| head`. Not an error.
    ClosedPipe,
}

impl Failure {
    /// Something is wrong with a file.
    pub(crate) fn in_file(path: &Path, what: impl Display) -> Self {
        let name = if path.as_os_str().is_empty() { "\"\"".into() } else { path.display().to_string() };
        Self::Bad(format!("{name}: {what}"))
    }
}

impl From<io::Error> for Failure {
    /// Standard output or standard error cannot be written, unless it holds a failure. A file's errors are reported [with
    /// its name](Self::in_file).
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => error.downcast().unwrap_or_else(|error| Self::Bad(format!("standard output: {error}"))),
        }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bad(what) | Self::Mismatch(what) => f.write_str(what),
            Self::ClosedPipe => f.write_str("its reader is gone"),
        }
    }
}

impl Error for Failure {}

/// Errors whose messages name the file and what is wrong.
macro_rules! told {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::Bad(error.to_string())
            }
        })*
    };
}

told!(quadrille::Error);
#[cfg(feature = "full")]
told!(quadrille_files::Error, quadrille_paths::movingai::ParseError, quadrille_scale::Error, quadrille_tracks::Error);
