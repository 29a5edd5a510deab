//! Data of rows that is too large to stay in memory, as bytes on disk, to be read back row by row in any order.
//!
//! ```text
//! bytes: those of one row behind those of another
//! index: entry of row 0 │ entry of row 1 │ …        an entry: where they begin, how many there are, their checksum; 16 bytes
//! ```

use std::fs::File;
use std::io;
use std::path::PathBuf;

use crate::spill::{nameless, read_at, write_at};
use crate::{Error, Settings};

/// Bytes of an entry of the index.
const ENTRY: usize = 16;
/// How many bytes are buffered before they are written.
const WAITING: usize = 1 << 16;

/// Bytes on disk by row number.
#[derive(Debug)]
pub struct Shelf {
    bytes: Stream,
    index: Stream,
    folder: PathBuf,
}

impl Shelf {
    /// An empty shelf.
    ///
    /// # Errors
    /// Returns an error if no file can be made in the folder of the settings.
    pub fn new(settings: &Settings) -> Result<Self, Error> {
        let stream = || nameless(&settings.folder).map(|file| Stream { file, written: 0, waiting: Vec::new() });
        Ok(Self { bytes: stream()?, index: stream()?, folder: settings.folder.clone() })
    }

    /// Adds the bytes of a row. Rows must come in ascending order; rows that are left out have none.
    ///
    /// # Errors
    /// Returns an error if the disk is full.
    ///
    /// # Panics
    /// Panics if a row comes after a later one, or has four gigabytes or more.
    pub fn push(&mut self, row: u32, bytes: &[u8]) -> Result<(), Error> {
        assert!(u64::from(row) >= self.rows(), "row {row} comes after row {}", self.rows());
        let length = u32::try_from(bytes.len()).expect("bytes of a row can be counted");
        let mut entry = [0; ENTRY];
        entry[..8].copy_from_slice(&self.bytes.len().to_le_bytes());
        entry[8..12].copy_from_slice(&length.to_le_bytes());
        entry[12..].copy_from_slice(&crc32fast::hash(bytes).to_le_bytes());
        let taken = (self.rows()..u64::from(row))
            .try_for_each(|_| self.index.push(&[0; ENTRY]))
            .and_then(|()| self.index.push(&entry))
            .and_then(|()| self.bytes.push(bytes));
        taken.map_err(|error| Error::in_folder(&self.folder, &error))
    }

    /// Writes what is still buffered. Call it before reading.
    ///
    /// # Errors
    /// Returns an error if the disk is full.
    pub fn flush(&mut self) -> Result<(), Error> {
        let flushed = self.index.flush().and_then(|()| self.bytes.flush());
        flushed.map_err(|error| Error::in_folder(&self.folder, &error))
    }

    /// Replaces the contents of `to` by the bytes of a row, and returns whether there are any.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or has changed.
    pub fn read(&self, row: u32, to: &mut Vec<u8>) -> Result<bool, Error> {
        to.clear();
        if u64::from(row) >= self.rows() {
            return Ok(false);
        }
        self.read_from_disk(row, to).map_err(|error| Error::in_folder(&self.folder, &error))?;
        Ok(!to.is_empty())
    }

    /// Bytes of disk.
    #[must_use]
    pub fn disk(&self) -> u64 {
        self.bytes.len() + self.index.len()
    }

    /// One more than the last row, which may be the last `u32`.
    fn rows(&self) -> u64 {
        self.index.len() / ENTRY as u64
    }

    fn read_from_disk(&self, row: u32, to: &mut Vec<u8>) -> io::Result<()> {
        let mut entry = [0; ENTRY];
        read_at(&self.index.file, &mut entry, u64::from(row) * ENTRY as u64)?;
        let [a, b, c, d, e, f, g, h, rest @ ..] = entry;
        let [length, checksum] =
            [[0, 1, 2, 3], [4, 5, 6, 7]].map(|at| u32::from_le_bytes(at.map(|at: usize| rest[at])));
        to.resize(length as usize, 0);
        read_at(&self.bytes.file, to, u64::from_le_bytes([a, b, c, d, e, f, g, h]))?;
        if length > 0 && crc32fast::hash(to) != checksum {
            let damaged = format!("damaged: checksum mismatch in the bytes of row {row}");
            return Err(io::Error::new(io::ErrorKind::InvalidData, damaged));
        }
        Ok(())
    }
}

/// A file that is only appended to.
#[derive(Debug)]
struct Stream {
    file: File,
    written: u64,
    waiting: Vec<u8>,
}

impl Stream {
    fn len(&self) -> u64 {
        self.written + self.waiting.len() as u64
    }

    fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() < WAITING { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> io::Result<()> {
        write_at(&self.file, &self.waiting, self.written)?;
        self.written = self.len();
        self.waiting.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled() -> Shelf {
        let settings = Settings::new(32 << 20, std::env::temp_dir()).expect("that is enough");
        let mut shelf = Shelf::new(&settings).expect("the folder can be written");
        // More than is buffered, and rows without bytes between them.
        (0..9_000).for_each(|row| shelf.push(3 * row, &row.to_le_bytes().repeat(5)).expect("there is room"));
        shelf.flush().expect("there is room");
        shelf
    }

    #[test]
    fn rows_are_read_in_any_order() {
        let (shelf, mut bytes) = (filled(), vec![7]);
        for row in [26_997, 0, 3, 26_997] {
            assert_eq!(shelf.read(row, &mut bytes), Ok(true));
            assert_eq!(bytes, (row / 3).to_le_bytes().repeat(5));
        }
        for row in [1, 26_998, u32::MAX] {
            assert_eq!(shelf.read(row, &mut bytes), Ok(false));
            assert!(bytes.is_empty());
        }
        assert_eq!(shelf.disk(), 9_000 * 20 + 26_998 * 16);
    }

    /// The entries of all rows before it are a hole in the file.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_last_row_is_read_too() {
        let (mut shelf, mut bytes) = (filled(), Vec::new());
        shelf.index.written = u64::from(u32::MAX) * ENTRY as u64;
        shelf.push(u32::MAX, b"last").expect("there is room");
        shelf.flush().expect("there is room");
        assert_eq!(shelf.read(u32::MAX, &mut bytes), Ok(true));
        assert_eq!(bytes, b"last");
        assert_eq!(shelf.read(u32::MAX - 1, &mut bytes), Ok(false));
        assert_eq!(shelf.read(3, &mut bytes), Ok(true));
    }

    #[test]
    fn damage_is_an_error_that_names_the_row() {
        let shelf = filled();
        write_at(&shelf.bytes.file, &[9], 20).expect("there is room");
        let damaged = shelf.read(3, &mut Vec::new()).expect_err("it is damaged").to_string();
        assert!(damaged.contains("temporary file: damaged: checksum mismatch in the bytes of row 3"), "{damaged}");
        assert_eq!(shelf.read(6, &mut Vec::new()), Ok(true));
        shelf.bytes.file.set_len(50).expect("it can be cut");
        assert!(shelf.read(6, &mut Vec::new()).is_err());
    }
}
