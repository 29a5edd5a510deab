//! Where the records of a shapefile are.
//!
//! The index (`.shx`) beside the file says where each row's record begins. Programs that edit a file append a shape that
//! has grown and leave the old record where it is, so only the index says which records count, and in what order.
//! Without it, records must be numbered as the rows are.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::iter;

use crate::source::{Bytes, Source, beside, fill};

/// Bytes of the header of either file.
const HEADER: u64 = 100;
/// Bytes before a record's content: its number and its length.
const HEAD: u64 = 8;

/// The contents of the records of a shapefile, in the order of its rows.
pub(super) type Places = Box<dyn Iterator<Item = io::Result<Vec<u8>>> + Send>;

pub(super) fn places(source: Source) -> io::Result<Places> {
    Ok(match source.path.as_deref().and_then(|path| Some((path, beside(path, "shx")?))) {
        Some((path, index)) => {
            let mut places = Indexed::new(File::open(path)?, File::open(index)?)?;
            Box::new(iter::from_fn(move || places.next().transpose()))
        }
        None => {
            let mut places = InOrder::new(source.into_bytes())?;
            Box::new(iter::from_fn(move || places.next().transpose()))
        }
    })
}

struct Indexed {
    shapes: BufReader<File>,
    index: BufReader<File>,
    /// Where `shapes` is.
    at: u64,
    row: u32,
    rows: u64,
}

impl Indexed {
    fn new(shapes: File, index: File) -> io::Result<Self> {
        let mut index = BufReader::new(index);
        let length = length(&mut index).map_err(|error| of_index(&error))?;
        Ok(Self { shapes: BufReader::new(shapes), index, at: 0, row: 0, rows: (length - HEADER) / 8 })
    }

    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        if u64::from(self.row) == self.rows {
            return Ok(None);
        }
        let [a, b, c, d, e, f, g, h] = number::<8>(&mut self.index).map_err(|error| of_index(&error))?;
        let [place, long] = [[a, b, c, d], [e, f, g, h]].map(|words| 2 * u64::from(u32::from_be_bytes(words)));
        // What is near is in the buffer.
        self.shapes.seek_relative(place as i64 - self.at as i64)?;
        let (number, content) = record(&mut self.shapes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => io::Error::other(format!(
                "the file ends before its record at byte {place} does, which its index (.shx) names"
            )),
            _ => error,
        })?;
        let follows = place >= self.at;
        self.at = place + HEAD + content.len() as u64;
        self.row += 1;
        // Some programs count from 0, or not at all; then it is at least as long as the index says, if that says it.
        let is_as_long = follows && [0, content.len() as u64].contains(&long);
        if place >= HEADER && (is_as_long || number == self.row) {
            return Ok(Some(content));
        }
        Err(of_index(&io::Error::other(format!("at byte {place} is record {number} instead of {}", self.row))))
    }
}

struct InOrder {
    shapes: Bytes,
    /// Where `shapes` is.
    at: u64,
    /// Where it ends.
    end: u64,
    row: u32,
    /// The number of the first record.
    first: Option<u32>,
}

impl InOrder {
    fn new(mut shapes: Bytes) -> io::Result<Self> {
        let end = length(&mut shapes)?;
        Ok(Self { shapes, at: HEADER, end, row: 0, first: None })
    }

    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        if self.at >= self.end {
            // Some programs write a few bytes more.
            let more = io::copy(&mut self.shapes.by_ref().take(HEAD), &mut io::sink())?;
            let what = || {
                io::Error::other(format!("it goes on after byte {}, where it ends by its header; {REMEDY}", self.end))
            };
            return if more < HEAD { Ok(None) } else { Err(what()) };
        }
        let (number, content) = record(&mut self.shapes)?;
        let first = *self.first.get_or_insert(number);
        if first > 1 || number != first + self.row {
            let expected = first.min(1) + self.row;
            return Err(io::Error::other(format!("it is record {number} instead of {expected}; {REMEDY}")));
        }
        self.at += HEAD + content.len() as u64;
        self.row += 1;
        Ok(Some(content))
    }
}

const REMEDY: &str =
    "the .shx file, which says where each row's record is, is only found beside a .shp file that is not packed";

/// The length of a file, in bytes, as its header has it.
fn length(bytes: &mut impl Read) -> io::Result<u64> {
    let header: [u8; HEADER as usize] = number(bytes)?;
    let length = 2 * u64::from(u32::from_be_bytes([header[24], header[25], header[26], header[27]]));
    if length >= HEADER {
        Ok(length)
    } else {
        Err(io::Error::other(format!("its header says that it has {length} bytes")))
    }
}

/// A record's number and content.
fn record(bytes: &mut impl Read) -> io::Result<(u32, Vec<u8>)> {
    let (count, words) = (u32::from_be_bytes(number(bytes)?), u32::from_be_bytes(number(bytes)?));
    let mut content = Vec::new();
    let length = 2 * u64::from(words);
    if bytes.take(length).read_to_end(&mut content)? as u64 == length {
        Ok((count, content))
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

fn number<const N: usize>(bytes: &mut impl Read) -> io::Result<[u8; N]> {
    let mut number = [0; N];
    fill(bytes, &mut number)?;
    Ok(number)
}

fn of_index(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("its index (.shx): {error}"))
}
