//! Finds false lengths in a Parquet file before memory is allocated for them.
//!
//! The Parquet library trusts the file. So what it is given is checked first: ranges in the file, the lists in its
//! footer, and the number of values in a page.

use std::fs::File;
use std::io::Read;

use bytes::Bytes;
use parquet::basic::{Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use parquet::schema::types::ColumnDescriptor;

/// The source of a file.
pub(super) enum Held {
    File(File),
    Bytes(Bytes),
}

impl Length for Held {
    fn len(&self) -> u64 {
        match self {
            Self::File(file) => Length::len(file),
            Self::Bytes(bytes) => Length::len(bytes),
        }
    }
}

impl ChunkReader for Held {
    type T = Box<dyn Read + Send>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(match self {
            Self::File(file) => Box::new(file.get_read(start)?),
            Self::Bytes(bytes) => Box::new(bytes.get_read(start)?),
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let all = Length::len(self);
        if start.checked_add(length as u64).is_none_or(|end| end > all) {
            return Err(ParquetError::EOF(format!(
                "{length} bytes from byte {start}, where the file has {all} in all"
            )));
        }
        match self {
            Self::File(file) => file.get_bytes(start, length),
            Self::Bytes(bytes) => bytes.get_bytes(start, length),
        }
    }
}

impl Held {
    /// Checks that the lists of the footer have no more elements than the footer has bytes.
    pub(super) fn check_footer(&self) -> std::result::Result<(), String> {
        const TAIL: usize = 8;
        let plain = |error: ParquetError| error.to_string();
        let end = Length::len(self).checked_sub(TAIL as u64).ok_or("it is too short for Parquet")?;
        let tail = self.get_bytes(end, TAIL).map_err(plain)?;
        let length = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
        let start =
            end.checked_sub(length).ok_or_else(|| format!("its footer has {length} bytes, more than the file"))?;
        let footer =
            self.get_bytes(start, usize::try_from(length).map_err(|error| error.to_string())?).map_err(plain)?;
        // The library rejects an encrypted footer.
        let is_plain = tail.ends_with(b"PAR1");
        let mut thrift = Thrift { rest: &footer };
        if is_plain { thrift.fields(0).ok_or_else(|| "its footer is damaged".into()) } else { Ok(()) }
    }
}

/// Skips values of Thrift's compact protocol; `None` if it is malformed.
struct Thrift<'a> {
    rest: &'a [u8],
}

/// The deepest nesting; that of Parquet's footer is less than ten.
const MAX_DEPTH: u32 = 64;

impl Thrift<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.rest = self.rest.get(count..)?;
        Some(())
    }

    /// A struct.
    fn fields(&mut self, depth: u32) -> Option<()> {
        loop {
            let head = self.byte()?;
            let kind = head & 0x0F;
            if kind == 0 {
                return Some(());
            }
            // The field's number follows if it is not given as a difference from the last.
            if head >> 4 == 0 {
                self.number()?;
            }
            // True and false are separate types.
            if kind > 2 {
                self.value(kind, depth + 1)?;
            }
        }
    }

    fn value(&mut self, kind: u8, depth: u32) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        match kind {
            1..=3 => self.skip(1),
            4..=6 => self.number().map(drop),
            7 => self.skip(8),
            8 => {
                let length = self.number()?;
                self.skip(usize::try_from(length).ok()?)
            }
            9 => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.number()? } else { u64::from(head >> 4) };
                // Each element takes at least a byte.
                (count <= self.rest.len() as u64).then_some(())?;
                (0..count).try_for_each(|_| self.value(head & 0x0F, depth + 1))
            }
            12 => self.fields(depth),
            // Parquet has neither sets nor maps.
            _ => None,
        }
    }
}

/// The pages of a column, whose numbers of values are checked.
pub(super) struct Checked {
    pages: Box<dyn PageReader>,
    /// The fewest bits that a value of a dictionary takes.
    least_bits: u64,
    /// Rows of the group.
    rows: u64,
    has_levels: bool,
}

impl Checked {
    pub(super) fn new(pages: Box<dyn PageReader>, column: &ColumnDescriptor, rows: i64) -> Self {
        let least_bits = match column.physical_type() {
            Type::BOOLEAN => 1,
            Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 32,
            Type::INT64 | Type::DOUBLE => 64,
            Type::INT96 => 96,
            Type::FIXED_LEN_BYTE_ARRAY => 8 * u64::try_from(column.type_length()).unwrap_or(0).max(1),
        };
        Self { pages, least_bits, rows: rows.try_into().unwrap_or(0), has_levels: column.max_def_level() > 0 }
    }

    fn check(&self, page: &Page) -> Result<()> {
        let most = match page {
            Page::DictionaryPage { buf, .. } => 8 * buf.len() as u64 / self.least_bits,
            _ => self.rows,
        };
        let promised = u64::from(page.num_values()).max(self.deltas(page));
        if promised <= most {
            return Ok(());
        }
        Err(ParquetError::General(format!("a page claims {promised} values but can hold at most {most}")))
    }

    /// The number of values that differences of lengths claim; 0 if there are no such differences.
    fn deltas(&self, page: &Page) -> u64 {
        let is_delta = matches!(
            page.encoding(),
            Encoding::DELTA_BINARY_PACKED | Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY
        );
        let values = match page {
            Page::DataPage { buf, .. } if self.has_levels => buf
                .first_chunk()
                .and_then(|length| buf.get(4_usize.checked_add(usize::try_from(u32::from_le_bytes(*length)).ok()?)?..)),
            Page::DataPage { buf, .. } => Some(&buf[..]),
            Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
                let levels =
                    def_levels_byte_len.checked_add(*rep_levels_byte_len).and_then(|sum| usize::try_from(sum).ok());
                levels.and_then(|levels| buf.get(levels..))
            }
            Page::DictionaryPage { .. } => None,
        };
        let mut thrift = Thrift { rest: values.filter(|_| is_delta).unwrap_or_default() };
        // The size of a block, its parts, then the number of values.
        thrift.number().and_then(|_| thrift.number()).and_then(|_| thrift.number()).unwrap_or(0)
    }
}

impl Iterator for Checked {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Checked {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        page.as_ref().map_or(Ok(()), |page| self.check(page))?;
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}
