//! Rows of Parquet files, with cells as the schema describes them.

use std::fmt::Display;

use bytes::Bytes;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};

use super::bounded::{Checked, Held};
use super::geo::Geo;
use super::values::{Meaning, int96};
use crate::columns::Columns;
use crate::error::{Error, quote, shortened};
use crate::records::{Cell, Records};
use crate::source::Source;
use crate::system::System;

/// Rows of a column held at a time: a mebibyte of numbers.
const BATCH: usize = 1 << 16;

struct Rows {
    name: String,
    file: Box<dyn FileReader>,
    columns: Columns,
    geo: Option<Geo>,
    /// The columns that are read.
    chosen: Vec<usize>,
    /// The next group of rows.
    group: usize,
    /// The chosen columns of this group, and its rows that have not been read.
    open: Vec<Column>,
    left: usize,
    /// The chosen cells of some rows, how many rows these are, and the next row.
    cells: Vec<Cells>,
    count: usize,
    next: usize,
    /// Rows read so far.
    read: u64,
}

/// Reads the schema.
pub(super) fn open(mut source: Source) -> Result<Box<dyn Records>, Error> {
    let (name, has_geometries) = (source.name.clone(), source.has_geometries);
    let held = match source.file.take() {
        Some(file) => Held::File(file),
        None => Held::Bytes(Bytes::from(source.read_all(super::FORMAT.name)?.1)),
    };
    held.check_footer().map_err(|what| Error::in_file(&name, what))?;
    let file = SerializedFileReader::new(held).map_err(|error| Error::in_file(&name, shortened(&error.to_string())))?;
    let metadata = file.metadata().file_metadata();
    let columns = metadata.schema_descr().columns().iter().map(|column| column.path().parts().join("."));
    let columns = Columns::new(columns.collect());
    let geo = Geo::of(metadata, &columns, has_geometries);
    Ok(Box::new(Rows {
        name,
        file: Box::new(file),
        columns,
        geo,
        chosen: Vec::new(),
        group: 0,
        open: Vec::new(),
        left: 0,
        cells: Vec::new(),
        count: 0,
        next: 0,
        read: 0,
    }))
}

impl Rows {
    /// Reads the cells of some more rows; `false` at the end.
    fn read_batch(&mut self) -> Result<bool, String> {
        while self.left == 0 {
            if self.group == self.file.num_row_groups() {
                return Ok(false);
            }
            let group = self.file.get_row_group(self.group).map_err(|error| shortened(&error.to_string()))?;
            self.group += 1;
            let rows = group.metadata().num_rows();
            self.left = usize::try_from(rows).map_err(|_| format!("a group of {rows} rows"))?;
            let open = |column: &usize| Column::open(group.as_ref(), *column, &self.columns);
            self.open = self.chosen.iter().map(open).collect::<Result<_, _>>()?;
        }
        (self.next, self.count) = (0, self.left.min(BATCH));
        self.left -= self.count;
        let count = self.count;
        let next = |column: &mut Column| column.next(count).map_err(|error| shortened(&error.to_string()));
        self.cells = self.open.iter_mut().map(next).collect::<Result<_, _>>()?;
        Ok(true)
    }
}

impl Records for Rows {
    fn columns(&self) -> &Columns {
        &self.columns
    }

    fn own_shape(&self) -> &[usize] {
        self.geo.as_ref().map_or(&[], |geo| &geo.shape)
    }

    fn error_without_shape(&self) -> Option<Error> {
        let encoding = self.geo.as_ref()?.foreign.as_ref()?;
        let what = format_args!(
            "its geometries are written as GeoArrow's {}, which is not read; WKB is (geopandas: geometry_encoding=\"WKB\")",
            quote(encoding.as_bytes())
        );
        Some(Error::in_file(&self.name, what))
    }

    fn has_covering(&self) -> bool {
        self.geo.as_ref().is_some_and(|geo| geo.is_covering)
    }

    fn system(&self) -> Option<&System> {
        self.geo.as_ref()?.system.as_ref()
    }

    fn choose(&mut self, columns: &[usize]) -> Result<(), Error> {
        self.chosen = columns.to_vec();
        self.chosen.sort_unstable();
        self.chosen.dedup();
        Ok(())
    }

    fn next_row(&mut self) -> Result<bool, Error> {
        if self.next == self.count && !self.read_batch().map_err(|what| Error::in_file(&self.name, what))? {
            return Ok(false);
        }
        self.next += 1;
        self.read += 1;
        Ok(true)
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        let cells = self.chosen.binary_search(&column).ok().and_then(|at| self.cells.get(at));
        cells.map_or(Cell::Missing, |cells| cells.get(self.next.saturating_sub(1)))
    }

    fn error(&self, what: &dyn Display) -> Error {
        Error::in_file(&self.name, format_args!("row {} (from 0): {what}", self.read.saturating_sub(1)))
    }

    fn format(&self) -> String {
        if self.geo.is_some() { "GeoParquet" } else { "Parquet" }.into()
    }
}

/// A column in one group of rows, being read.
struct Column {
    reader: ColumnReader,
    meaning: Meaning,
    /// The level of definition of a cell that has a value.
    most: i16,
}

impl Column {
    fn open(group: &dyn RowGroupReader, column: usize, columns: &Columns) -> Result<Self, String> {
        let name = &columns.names()[column];
        let descriptor = group.metadata().column(column).column_descr_ptr();
        if descriptor.max_rep_level() > 0 {
            return Err(format!("column {name:?} has lists of values"));
        }
        let meaning =
            Meaning::of(&descriptor).map_err(|kind| format!("column {name:?} is of type {kind}, which is not read"))?;
        let pages = group.get_column_page_reader(column).map_err(|error| shortened(&error.to_string()))?;
        let pages = Checked::new(pages, &descriptor, group.metadata().num_rows());
        let reader = get_column_reader(descriptor.clone(), Box::new(pages));
        Ok(Self { reader, meaning, most: descriptor.max_def_level() })
    }

    /// The cells of the next rows.
    fn next(&mut self, rows: usize) -> Result<Cells, ParquetError> {
        let (most, meaning) = (self.most, self.meaning);
        match &mut self.reader {
            ColumnReader::DoubleColumnReader(reader) => cells(reader, rows, most, |number| number).map(Cells::Numbers),
            ColumnReader::FloatColumnReader(reader) => cells(reader, rows, most, |number| number).map(Cells::Floats),
            ColumnReader::BoolColumnReader(reader) => {
                cells(reader, rows, most, |is| Ok(is.to_string())).map(Cells::Texts)
            }
            ColumnReader::Int96ColumnReader(reader) => cells(reader, rows, most, |time| int96(&time)).map(Cells::Texts),
            ColumnReader::Int32ColumnReader(reader) => match meaning {
                Meaning::Unsigned => {
                    cells(reader, rows, most, |number| u64::from(u32::from_ne_bytes(number.to_ne_bytes())))
                        .map(Cells::Unsigned)
                }
                _ => cells(reader, rows, most, i64::from).map(|cells| Cells::of_numbers(cells, meaning)),
            },
            ColumnReader::Int64ColumnReader(reader) => match meaning {
                Meaning::Unsigned => {
                    cells(reader, rows, most, |number| u64::from_ne_bytes(number.to_ne_bytes())).map(Cells::Unsigned)
                }
                _ => cells(reader, rows, most, |number| number).map(|cells| Cells::of_numbers(cells, meaning)),
            },
            ColumnReader::ByteArrayColumnReader(reader) => {
                cells(reader, rows, most, |bytes: ByteArray| bytes.data().to_vec())
                    .map(|cells| Cells::of_bytes(cells, meaning))
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                cells(reader, rows, most, |bytes: FixedLenByteArray| bytes.data().to_vec())
                    .map(|cells| Cells::of_bytes(cells, meaning))
            }
        }
    }
}

/// The cells of a column in some rows.
enum Cells {
    Numbers(Vec<Option<f64>>),
    Floats(Vec<Option<f32>>),
    Whole(Vec<Option<i64>>),
    Unsigned(Vec<Option<u64>>),
    /// Texts, or what is wrong with the value.
    Texts(Vec<Option<Result<String, String>>>),
    Bytes(Vec<Option<Vec<u8>>>),
}

impl Cells {
    fn of_numbers(cells: Vec<Option<i64>>, meaning: Meaning) -> Self {
        if meaning.text_of_number(0).is_none() {
            return Self::Whole(cells);
        }
        Self::Texts(cells.into_iter().map(|cell| cell.and_then(|number| meaning.text_of_number(number))).collect())
    }

    fn of_bytes(cells: Vec<Option<Vec<u8>>>, meaning: Meaning) -> Self {
        if meaning == Meaning::Half {
            let half =
                |bytes: Vec<u8>| bytes.try_into().map_or(f32::NAN, |bytes| half::f16::from_le_bytes(bytes).to_f32());
            return Self::Floats(cells.into_iter().map(|cell| cell.map(half)).collect());
        }
        if meaning.text_of_bytes(&[]).is_none() {
            return Self::Bytes(cells);
        }
        Self::Texts(cells.into_iter().map(|cell| cell.and_then(|bytes| meaning.text_of_bytes(&bytes))).collect())
    }

    fn get(&self, row: usize) -> Cell<'_> {
        match self {
            Self::Numbers(cells) => cells[row].map(Cell::Number),
            Self::Floats(cells) => cells[row].map(Cell::Float),
            Self::Whole(cells) => cells[row].map(|number| Cell::Whole(number.into())),
            Self::Unsigned(cells) => cells[row].map(|number| Cell::Whole(number.into())),
            Self::Texts(cells) => cells[row].as_ref().map(|text| match text {
                Ok(text) => Cell::text_of(text),
                Err(what) => Cell::Bad(what),
            }),
            Self::Bytes(cells) => cells[row].as_ref().map(|bytes| Cell::Bytes(bytes)),
        }
        .unwrap_or(Cell::Missing)
    }
}

/// The next cells of a column; one whose level of definition is not the highest has no value.
fn cells<T: DataType, V>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    most: i16,
    value: impl Fn(T::T) -> V,
) -> Result<Vec<Option<V>>, ParquetError> {
    let (mut cells, mut levels, mut values) = (Vec::new(), Vec::new(), Vec::new());
    while cells.len() < rows {
        levels.clear();
        values.clear();
        let (records, ..) = reader.read_records(rows - cells.len(), Some(&mut levels), None, &mut values)?;
        if records == 0 {
            return Err(ParquetError::EOF("a column has fewer rows than its group".into()));
        }
        let mut values = values.drain(..).map(&value);
        if most == 0 {
            cells.extend(values.map(Some));
        } else {
            cells.extend(levels.iter().map(|level| if *level == most { values.next() } else { None }));
        }
    }
    Ok(cells)
}
