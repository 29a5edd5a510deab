//! The table of a shapefile (`.dbf`, dBASE III): columns of text with fixed widths, one row per shape.
//!
//! Fields are kept as text, so that `007` and `1.50` stay as they are. What encodes them is in a text beside the table
//! (`.cpg`), if there is one, or in a byte of its header.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader};
use std::ops::Range;
use std::path::Path;

use encoding_rs::{Encoding, UTF_8};

use crate::columns::Columns;
use crate::error::{Error, quote};
use crate::source::{beside, fill};

/// Bytes of the header, and of a column's description.
const BLOCK: usize = 32;

/// The columns, read row by row.
pub(crate) struct Attributes {
    name: String,
    bytes: BufReader<File>,
    encoding: Encoded,
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
        let encoding = Encoded::beside(shapes);
        let read = File::open(path).and_then(|file| Self::read(name.clone(), BufReader::new(file), encoding));
        read.map_err(|error| Error::in_file(&name, error))
    }

    /// Reads the header.
    fn read(name: String, mut bytes: BufReader<File>, mut encoding: Encoded) -> io::Result<Self> {
        let mut header = [0; BLOCK];
        fill(&mut bytes, &mut header)?;
        if let Encoded::Usually(page) = &mut encoding {
            *page = code_page(header[29]);
        }
        let [.., a, b, c, d] = *header.first_chunk::<8>().unwrap_or(&[0; 8]);
        let rows = u32::from_le_bytes([a, b, c, d]);
        let (all, row) = (u16::from_le_bytes([header[8], header[9]]), u16::from_le_bytes([header[10], header[11]]));
        let mut rest =
            vec![0; usize::from(all).checked_sub(BLOCK).ok_or_else(|| io::Error::other("its header is too short"))?];
        fill(&mut bytes, &mut rest)?;
        let (mut names, mut fields) = (Vec::new(), Vec::new());
        // The first byte marks deleted rows, whose shapes are still there.
        let mut end = 1;
        for column in rest.chunks_exact(BLOCK).take_while(|column| column[0] != b'\r') {
            let own = column[..11].split(|byte| *byte == 0).next().unwrap_or_default();
            let own = encoding.decode(own).unwrap_or_else(|_| own.into());
            names.push(String::from_utf8_lossy(&own).trim().to_owned());
            // Long texts have the higher byte of their length where numbers have that of decimals.
            let higher = if column[11] == b'C' { usize::from(column[17]) << 8 } else { 0 };
            let start = end;
            end += usize::from(column[16]) + higher;
            fields.push((column[11], start..end));
        }
        if end > usize::from(row) {
            return Err(io::Error::other("its columns are wider than its rows"));
        }
        let (columns, row) = (Columns::new(names), vec![0; row.into()]);
        Ok(Self { name, bytes, encoding, columns, fields, row, rows, left: rows })
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

    /// Goes to the row of the next shape, and returns whether it was deleted.
    pub(crate) fn next_row(&mut self) -> Result<bool, Error> {
        let number = self.rows - self.left;
        let bad = |what: String| Error::in_file(&self.name, what);
        self.left = self.left.checked_sub(1).ok_or_else(|| bad(format!("{number} rows, fewer than shapes")))?;
        fill(&mut self.bytes, &mut self.row).map_err(|error| bad(format!("row {number} (from 0): {error}")))?;
        Ok(self.row.first() == Some(&b'*'))
    }

    /// The text of a column in this row, or what is wrong with it.
    pub(crate) fn text(&self, column: usize) -> Result<Cow<'_, [u8]>, &str> {
        let (kind, range) = &self.fields[column];
        let bytes = &self.row[range.clone()];
        let is_overflowing = bytes.iter().all(|byte| *byte == b'*');
        let is_no_date = *kind == b'D' && bytes.iter().all(|byte| *byte == b'0');
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        self.encoding.decode(if is_overflowing || is_no_date { &[] } else { bytes[..end].trim_ascii() })
    }
}

/// What encodes the texts of a table.
enum Encoded {
    /// UTF-8, even if nobody says so; what is not is of the code page that the header names, if that is known.
    Usually(Option<&'static Encoding>),
    By(&'static Encoding),
    /// By what is not known: what to say of a text that is not ASCII.
    Unknown(String),
}

impl Encoded {
    /// As the text beside a shapefile says.
    fn beside(shapes: &Path) -> Self {
        let Some(path) = beside(shapes, "cpg") else { return Self::Usually(None) };
        let text = std::fs::read(&path).unwrap_or_default();
        let label = String::from_utf8_lossy(text.trim_ascii());
        match encoding(&label) {
            _ if label.is_empty() => Self::Usually(None),
            Some(encoding) if encoding == UTF_8 => Self::Usually(None),
            Some(encoding) => Self::By(encoding),
            None => {
                let (label, path) = (quote(label.as_bytes()), path.display());
                Self::Unknown(format!("is in {label} by {path}, which is not known: write UTF-8 or 1252 there"))
            }
        }
    }

    /// A text in UTF-8; as it is if only its bytes can say what encodes it. Or what is wrong with it.
    fn decode<'a>(&'a self, text: &'a [u8]) -> Result<Cow<'a, [u8]>, &'a str> {
        match self {
            Self::Unknown(what) if !text.is_ascii() => Err(what),
            Self::By(encoding) if !text.is_ascii() => {
                let decoded = encoding.decode_without_bom_handling_and_without_replacement(text);
                Ok(decoded.ok_or("is not in the encoding that the .cpg file names")?.into_owned().into_bytes().into())
            }
            Self::Usually(Some(page)) if std::str::from_utf8(text).is_err() => {
                Ok(page.decode_without_bom_handling(text).0.into_owned().into_bytes().into())
            }
            _ => Ok(text.into()),
        }
    }
}

/// The encoding of a language driver, as dBASE, FoxPro and ArcGIS number them; `None` for those that are like Windows-1252
/// or cannot be read.
fn code_page(driver: u8) -> Option<&'static Encoding> {
    encoding(match driver {
        0x13 | 0x7B => "932",
        0x26 | 0x65 => "866",
        0x4D | 0x7A => "936",
        0x4E | 0x79 => "949",
        0x4F | 0x78 => "950",
        0x50 | 0x7C => "874",
        0x7D => "1255",
        0x7E => "1256",
        0xC8 => "1250",
        0xC9 => "1251",
        0xCA => "1254",
        0xCB => "1253",
        0xCC => "1257",
        _ => return None,
    })
}

/// An encoding by its name on the web, or by the number of a code page or of a part of ISO 8859, as programs write them:
/// `1252`, `ANSI 1252`, `88591`, `ISO 8859-1`. All are like ASCII up to 127.
fn encoding(label: &str) -> Option<&'static Encoding> {
    let number = label.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let other = match (number, number.strip_prefix("8859")) {
        (_, Some(part)) => format!("iso-8859-{}", part.trim_start_matches(['-', '_'])),
        ("932", _) => "shift_jis".into(),
        ("936", _) => "gbk".into(),
        ("950", _) => "big5".into(),
        ("65001", _) => "utf-8".into(),
        (number, _) => format!("windows-{number}"),
    };
    let known = |label: &str| Encoding::for_label_no_replacement(label.as_bytes());
    known(label).or_else(|| known(&other)).filter(|encoding| encoding.is_ascii_compatible())
}
