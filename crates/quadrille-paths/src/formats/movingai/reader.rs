//! Reading a file line by line, with errors that say where and what is wrong.

use std::borrow::Cow;
use std::fmt;

use crate::grid::{Cell, Grid};

/// What is wrong with a file: its name, the line, and the value that was found there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    file: String,
    line: usize,
    what: String,
}

impl ParseError {
    /// The line, counted from 1; one past the last if the file ends too soon.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.file, self.line, self.what)
    }
}

impl std::error::Error for ParseError {}

/// A file that is read line by line.
#[derive(Clone, Debug)]
pub(super) struct Reader<'a> {
    file: &'a str,
    /// What has not been read.
    pub(super) rest: &'a [u8],
    /// The number of the line read last.
    line: usize,
}

impl<'a> Reader<'a> {
    /// Without a byte order mark, which editors may write.
    pub(super) fn new(file: &'a str, bytes: &'a [u8]) -> Self {
        Self { file, rest: bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes), line: 0 }
    }

    /// The same file, after the given line.
    pub(super) const fn at(self, line: usize) -> Self {
        Self { line, ..self }
    }

    /// An error in the line read last.
    pub(super) fn error(&self, what: impl Into<String>) -> ParseError {
        ParseError { file: self.file.to_owned(), line: self.line, what: what.into() }
    }

    /// The number of the line read last.
    pub(super) const fn line(&self) -> usize {
        self.line
    }

    /// The next line without its end, which may be `\n` or `\r\n`; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.line += 1;
        let end = self.rest.iter().position(|byte| *byte == b'\n').unwrap_or(self.rest.len());
        let line = &self.rest[..end];
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// The next line that is not blank, as text.
    pub(super) fn next_text(&mut self) -> Option<Cow<'a, str>> {
        loop {
            let line = self.next()?;
            if !line.trim_ascii().is_empty() {
                return Some(String::from_utf8_lossy(line.trim_ascii()));
            }
        }
    }

    /// The next line, which must exist.
    pub(super) fn expect(&mut self, what: &str) -> Result<&'a [u8], ParseError> {
        self.next().ok_or_else(|| {
            self.line += 1;
            self.error(format!("the file ends where {what} should be"))
        })
    }

    /// The rest of the next line after a keyword.
    pub(super) fn keyword(&mut self, keyword: &str) -> Result<Cow<'a, str>, ParseError> {
        let line = self.expect(&format!("\"{keyword}\""))?.trim_ascii();
        match line.strip_prefix(keyword.as_bytes()) {
            Some(value) if value.first().is_none_or(u8::is_ascii_whitespace) => {
                Ok(String::from_utf8_lossy(value.trim_ascii()))
            }
            _ => Err(self.error(format!("expected \"{keyword}\", found {}", quoted(line)))),
        }
    }

    /// The line `type KIND`.
    pub(super) fn kind(&mut self, kind: &str) -> Result<(), ParseError> {
        let found = self.keyword("type")?;
        let told = || self.error(format!("expected type {kind:?}, found {}", quoted(found.as_bytes())));
        if found == kind { Ok(()) } else { Err(told()) }
    }

    /// The lines `height H` and `width W`, in either order, as width and height.
    pub(super) fn size(&mut self) -> Result<(u32, u32), ParseError> {
        let is_width_first = self.rest.trim_ascii_start().starts_with(b"width");
        let names = if is_width_first { ["width", "height"] } else { ["height", "width"] };
        let [first, second] = [self.keyword_number(names[0])?, self.keyword_number(names[1])?];
        let (width, height) = if is_width_first { (first, second) } else { (second, first) };
        Grid::check_size(width, height).map_err(|error| self.error(error.to_string()))?;
        Ok((width, height))
    }

    /// The number in the next line after a keyword.
    pub(super) fn keyword_number(&mut self, keyword: &str) -> Result<u32, ParseError> {
        let value = self.keyword(keyword)?;
        self.number(keyword, &value)
    }

    /// The rows of a map or patch.
    pub(super) fn tiles(&mut self, width: u32, height: u32) -> Result<Vec<u8>, ParseError> {
        self.keyword("map")?;
        let mut tiles = Vec::new();
        for row in 0..height {
            let line = self.expect(&format!("row {row} of {height}"))?;
            if line.len() != width as usize {
                return Err(self.error(format!("row {row} has {} characters, not {width}", line.len())));
            }
            if let Some(column) = line.iter().position(|tile| !b".GS@OTW".contains(tile)) {
                let tile = quoted(&line[column..=column]);
                return Err(self.error(format!("unknown character {tile} in column {column} of row {row}")));
            }
            tiles.extend_from_slice(line);
        }
        Ok(tiles)
    }

    /// Reads a whole number.
    pub(super) fn number(&self, name: &str, text: &str) -> Result<u32, ParseError> {
        let (most, found) = (u32::MAX, quoted(text.as_bytes()));
        text.parse().map_err(|_| self.error(format!("{name} should be a whole number up to {most}, found {found}")))
    }

    /// Reads two numbers as a cell of a map of this size.
    pub(super) fn cell(&self, name: &str, x: &str, y: &str, (width, height): (u32, u32)) -> Result<Cell, ParseError> {
        let cell = Cell::new(self.number(name, x)?, self.number(name, y)?);
        if cell.x < width && cell.y < height {
            return Ok(cell);
        }
        Err(self.error(format!("{name} {cell} is off the map of {width} x {height} cells")))
    }

    /// Fails unless only blank lines are left.
    pub(super) fn finish(&mut self) -> Result<(), ParseError> {
        match self.next_text() {
            None => Ok(()),
            Some(line) => Err(self.error(format!("expected the end, found {}", quoted(line.as_bytes())))),
        }
    }
}

/// A value for a message: quoted, and shortened if it is long.
pub(super) fn quoted(bytes: &[u8]) -> String {
    const MAX_QUOTED: usize = 40;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_QUOTED)]);
    format!("{text:?}{}", if bytes.len() > MAX_QUOTED { "..." } else { "" })
}
