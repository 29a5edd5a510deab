//! Errors in files.

use std::fmt::{self, Display};

/// What is wrong with a file, in one line: its name, the location, and the value found there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    file: String,
    line: Option<u64>,
    what: String,
}

impl Error {
    /// An error about a file as a whole.
    pub fn in_file(file: impl Display, what: impl Display) -> Self {
        Self { file: file.to_string(), line: None, what: what.to_string() }
    }

    /// Something is wrong in a line, counted from 1.
    pub(crate) fn in_line(file: impl Display, line: u64, what: impl Display) -> Self {
        Self { file: file.to_string(), line: Some(line), what: what.to_string() }
    }

    /// The line, counted from 1, if it is known.
    #[must_use]
    pub const fn line(&self) -> Option<u64> {
        self.line
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}: line {line}: {}", self.file, self.what),
            None => write!(f, "{}: {}", self.file, self.what),
        }
    }
}

impl std::error::Error for Error {}

/// A value from a file, for a message: in quotes, on one line, shortened if it is long.
#[must_use]
pub fn quote(value: &[u8]) -> String {
    const MAX_LETTERS: usize = 100;
    let text = String::from_utf8_lossy(&value[..value.len().min(4 * MAX_LETTERS)]);
    match text.char_indices().nth(MAX_LETTERS) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None if value.len() > 4 * MAX_LETTERS => format!("{text:?}…"),
        None => format!("{text:?}"),
    }
}
/// A library's message, shortened in the middle, because it may quote a value of any length.
pub(crate) fn shortened(message: &str) -> String {
    const BEGINNING: usize = 150;
    const END: usize = 100;
    let count = message.chars().count();
    if count <= BEGINNING + END {
        return message.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'");
    }
    let beginning: String = message.chars().take(BEGINNING).collect();
    let end: String = message.chars().skip(count - END).collect();
    shortened(&beginning) + " … " + &shortened(&end)
}
