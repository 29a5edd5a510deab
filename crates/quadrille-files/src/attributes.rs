//! The table of a shapefile (`.dbf`, dBASE III): columns of text with fixed widths, one row per shape.
//!
//! Fields are kept as text, so that `007` and `1.50` stay as they are.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::Path;

use crate::columns::Columns;
use crate::error::Error;
use crate::source::beside;

/// Bytes of the header, and of a column's description.
const BLOCK: usize = 32;

/// The columns, read row by row.
pub(crate) struct Attributes {
    name: String,
    bytes: BufReader<File>,
    columns: Columns,
    /// A letter for the type of each column, and where it is in a row.
    fields: Vec<(u8, Range<usize>)>,
    row: Vec<u8>,
    rows: u32,
    left: u32,
}

impl Attributes {
    /// The table beside a shapefile's main file.
    pub(crate) fn beside(shapes: &Path) -> Result<Self, Error> {
        let path = beside(shapes, "dbf").unwrap_or_else(|| shapes.with_extension("dbf"));
        let name = path.display().to_string();
        let read = File::open(path).and_then(|file| Self::read(name.clone(), BufReader::new(file)));
        read.map_err(|error| Error::in_file(&name, error))
    }

    /// Reads the header.
    fn read(name: String, mut bytes: BufReader<File>) -> io::Result<Self> {
        let mut header = [0; BLOCK];
        bytes.read_exact(&mut header)?;
        let [.., a, b, c, d] = *header.first_chunk::<8>().unwrap_or(&[0; 8]);
        let rows = u32::from_le_bytes([a, b, c, d]);
        let (all, row) = (u16::from_le_bytes([header[8], header[9]]), u16::from_le_bytes([header[10], header[11]]));
        let mut rest = vec![0; usize::from(all).checked_sub(BLOCK).ok_or_else(|| invalid("its header is too short"))?];
        bytes.read_exact(&mut rest)?;
        let (mut names, mut fields) = (Vec::new(), Vec::new());
        // The first byte marks deleted rows, whose shapes are still there.
        let mut end = 1;
        for column in rest.chunks_exact(BLOCK).take_while(|column| column[0] != b'\r') {
            let own = column[..11].split(|byte| *byte == 0).next().unwrap_or_default();
            names.push(String::from_utf8_lossy(own).trim().to_owned());
            // Long texts have the higher byte of their length where numbers have that of decimals.
            let higher = if column[11] == b'C' { usize::from(column[17]) << 8 } else { 0 };
            let start = end;
            end += usize::from(column[16]) + higher;
            fields.push((column[11], start..end));
        }
        if end > usize::from(row) {
            return Err(invalid("its columns are wider than its rows"));
        }
        let (columns, row) = (Columns::new(names), vec![0; row.into()]);
        Ok(Self { name, bytes, columns, fields, row, rows, left: rows })
    }

    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Whether a column can be read.
    pub(crate) fn check(&self, column: usize) -> Result<(), Error> {
        let (kind, _) = &self.fields[column];
        if b"CDFLN".contains(kind) {
            return Ok(());
        }
        let (name, kind) = (self.columns.name(column), char::from(*kind));
        let what = format_args!("column {name:?} is of type {kind:?}, which is not read: it is no text in the file");
        Err(Error::in_file(&self.name, what))
    }

    /// Goes to the row of the next shape.
    pub(crate) fn next_row(&mut self) -> Result<(), Error> {
        let number = self.rows - self.left;
        let bad = |what: String| Error::in_file(&self.name, what);
        self.left = self.left.checked_sub(1).ok_or_else(|| bad(format!("{number} rows, fewer than shapes")))?;
        self.bytes.read_exact(&mut self.row).map_err(|error| bad(format!("row {number} (from 0): {error}")))
    }

    /// The text of a column in this row.
    pub(crate) fn text(&self, column: usize) -> &[u8] {
        let (kind, range) = &self.fields[column];
        let bytes = &self.row[range.clone()];
        let is_overflowing = bytes.iter().all(|byte| *byte == b'*');
        let is_no_date = *kind == b'D' && bytes.iter().all(|byte| *byte == b'0');
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        if is_overflowing || is_no_date { &[] } else { bytes[..end].trim_ascii() }
    }
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
