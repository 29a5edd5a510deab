//! The table of a shapefile (`.dbf`, dBASE III): columns of text with fixed widths, one row per shape.
//!
//! A field is kept as text, so that neither `007` nor `1.50` changes.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::columns::Columns;
use crate::error::Error;

/// Bytes of the header and of what describes a column.
const BLOCK: usize = 32;

/// Some columns, read row by row.
pub(crate) struct Attributes {
    name: String,
    bytes: BufReader<File>,
    row: Vec<u8>,
    /// Where in a row the wanted columns are.
    fields: Vec<Range<usize>>,
    rows: u32,
    left: u32,
}

impl Attributes {
    /// The table beside a shapefile's main file.
    pub(crate) fn beside(shapes: &Path, wanted: &[&str]) -> Result<Self, Error> {
        let path = ["dbf", "DBF"].map(|ending| shapes.with_extension(ending));
        let path: &PathBuf = path.iter().find(|path| path.exists()).unwrap_or(&path[0]);
        let name = path.display().to_string();
        let in_file = |what: &dyn std::fmt::Display| Error::in_file(&name, what);
        let mut bytes = BufReader::new(File::open(path).map_err(|error| in_file(&error))?);
        let header = Header::read(&mut bytes).map_err(|error| in_file(&error))?;
        let fields = wanted.iter().map(|wanted| header.field(wanted)).collect::<Result<_, _>>();
        let fields = fields.map_err(|what| in_file(&what))?;
        Ok(Self { name, bytes, row: vec![0; header.row], fields, rows: header.rows, left: header.rows })
    }

    /// Goes to the row of the next shape.
    pub(crate) fn next_row(&mut self) -> Result<(), Error> {
        let number = self.rows - self.left;
        let bad = |what: String| Error::in_file(&self.name, what);
        self.left = self.left.checked_sub(1).ok_or_else(|| bad(format!("{number} rows, fewer than shapes")))?;
        self.bytes.read_exact(&mut self.row).map_err(|error| bad(format!("row {number} (from 0): {error}")))
    }

    /// The texts of the wanted columns in this row, in UTF-8 if they are that, else in Latin-1.
    pub(crate) fn texts(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.fields.iter().map(|field| {
            let bytes = &self.row[field.clone()];
            let is_overflowing = bytes.iter().all(|byte| *byte == b'*');
            let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
            let bytes = if is_overflowing { &[] } else { bytes[..end].trim_ascii() };
            match std::str::from_utf8(bytes) {
                Ok(text) => text.into(),
                Err(_) => bytes.iter().copied().map(char::from).collect::<String>().into(),
            }
        })
    }
}

struct Header {
    rows: u32,
    /// Bytes of a row.
    row: usize,
    columns: Columns,
    /// A letter for the type of each column, and where it is.
    fields: Vec<(u8, Range<usize>)>,
}

impl Header {
    fn read(bytes: &mut impl Read) -> io::Result<Self> {
        let mut header = [0; BLOCK];
        bytes.read_exact(&mut header)?;
        let [.., a, b, c, d] = *header.first_chunk::<8>().unwrap_or(&[0; 8]);
        let rows = u32::from_le_bytes([a, b, c, d]);
        let (all, row) = (u16::from_le_bytes([header[8], header[9]]), u16::from_le_bytes([header[10], header[11]]));
        let mut rest = vec![0; usize::from(all).checked_sub(BLOCK).ok_or_else(|| invalid("its header is too short"))?];
        bytes.read_exact(&mut rest)?;
        let (mut names, mut fields) = (Vec::new(), Vec::new());
        // The first byte of a row says whether it was deleted. Its shape was not.
        let mut end = 1;
        for column in rest.chunks_exact(BLOCK).take_while(|column| column[0] != b'\r') {
            let name = column[..11].split(|byte| *byte == 0).next().unwrap_or_default();
            names.push(String::from_utf8_lossy(name).trim().to_owned());
            // Long texts have the higher byte of their length where numbers have that of decimals.
            let higher = if column[11] == b'C' { usize::from(column[17]) << 8 } else { 0 };
            let start = end;
            end += usize::from(column[16]) + higher;
            fields.push((column[11], start..end));
        }
        if end > usize::from(row) {
            return Err(invalid("its columns are wider than its rows"));
        }
        Ok(Self { rows, row: row.into(), columns: Columns::new(names), fields })
    }

    fn field(&self, wanted: &str) -> Result<Range<usize>, String> {
        let column = self.columns.column(wanted)?;
        let (kind, field) = &self.fields[column];
        if b"CDFLN".contains(kind) {
            return Ok(field.clone());
        }
        let name = self.columns.name(column);
        Err(format!("column {name:?} is of type {:?}, which is not read: it is no text in the file", char::from(*kind)))
    }
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
