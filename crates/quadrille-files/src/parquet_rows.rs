//! Boxes in Parquet files: columns of coordinates, GeoParquet's column of boxes, or its geometries (WKB).

use bytes::Bytes;
use parquet::basic::Type;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use quadrille::Aabb;
use serde::Deserialize;

use crate::columns::Columns;
use crate::error::{Error, shortened};
use crate::layout::Layout;
use crate::shapes::{Choice, Rows};
use crate::source::Source;
use crate::wkb;

/// Rows of a column that are held at once: a mebibyte of numbers.
const BATCH: usize = 1 << 16;

/// Reads a box from each row.
pub(crate) fn read(mut source: Source, shapes: &mut Rows<'_>, choice: &Choice) -> Result<(), Error> {
    let name = source.name.clone();
    let in_file = |error: ParquetError| Error::in_file(&name, shortened(&error.to_string()));
    let file: Box<dyn FileReader> = match source.file.take() {
        Some(file) => Box::new(SerializedFileReader::new(file).map_err(in_file)?),
        None => Box::new(SerializedFileReader::new(Bytes::from(source.read_all()?.1)).map_err(in_file)?),
    };
    let schema = file.metadata().file_metadata().schema_descr();
    let columns = Columns::new(schema.columns().iter().map(|column| column.path().parts().join(".")).collect());
    let geo = geo_columns(file.as_ref());
    let wanted = if choice.columns.is_empty() { geo.as_deref().unwrap_or_default() } else { &choice.columns };
    let layout = Layout::of(&columns, &Choice { columns: wanted.to_vec(), ..choice.clone() })
        .map_err(|what| Error::in_file(&name, what))?;
    let keep = choice.keep.iter().map(|name| columns.column(name)).collect::<Result<Vec<_>, _>>();
    let keep = keep.map_err(|what| Error::in_file(&name, what))?;
    for group in 0..file.num_row_groups() {
        let group = file.get_row_group(group).map_err(in_file)?;
        let in_file = |what: String| Error::in_file(&name, what);
        let open = |column: &usize| Column::open(group.as_ref(), *column, &columns).map_err(in_file);
        let mut coordinates = layout.columns().iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let mut kept = keep.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let mut left = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        while left > 0 {
            let count = left.min(BATCH);
            left -= count;
            let next = |column: &mut Column| column.next(count).map_err(|error| in_file(shortened(&error.to_string())));
            let coordinates = coordinates.iter_mut().map(next).collect::<Result<Vec<_>, _>>()?;
            let kept = kept.iter_mut().map(next).collect::<Result<Vec<_>, _>>()?;
            for row in 0..count {
                let number = shapes.next_row();
                let bad = |what: String| Error::in_file(&name, format_args!("row {number} (from 0): {what}"));
                let bounds = bounds(&layout, &columns, &coordinates, row).map_err(bad)?;
                shapes.push(bounds).map_err(bad)?;
                if bounds.is_some() {
                    shapes.kept.iter_mut().zip(&kept).for_each(|(texts, cells)| texts.push(&cells.text(row)));
                }
            }
        }
    }
    shapes.format = if geo.is_some() { "GeoParquet" } else { "Parquet" }.into();
    shapes.taken = layout.to_string();
    shapes.is_points = layout.is_points();
    Ok(())
}

fn bounds(layout: &Layout, columns: &Columns, cells: &[Cells], row: usize) -> Result<Option<Aabb<f64>>, String> {
    if cells.iter().all(|cells| cells.is_null(row)) {
        return Ok(None);
    }
    let column = |at: usize| &columns.names()[layout.columns()[at]];
    if let ([Cells::Bytes(geometries)], true) = (cells, layout.is_geometry()) {
        let found = wkb::bounds(geometries[row].as_deref().unwrap_or_default(), layout.hull());
        return found.map_err(|what| format!("{} {what}", column(0)));
    }
    let mut numbers = [0.0; 4];
    for (at, (number, cells)) in numbers.iter_mut().zip(cells).enumerate() {
        *number = cells.number(row).ok_or_else(|| format!("{} {:?} is not a number", column(at), cells.text(row)))?;
    }
    layout
        .of_numbers(numbers)
        .map(Some)
        .map_err(|(at, what)| at.map_or(what.clone(), |at| format!("{} {what}", column(at))))
}

/// What GeoParquet 1.1 says about its columns: where the boxes are, else the geometries.
fn geo_columns(file: &dyn FileReader) -> Option<Vec<String>> {
    #[derive(Deserialize)]
    struct Geo {
        primary_column: String,
        columns: std::collections::HashMap<String, Column>,
    }
    #[derive(Deserialize)]
    struct Column {
        covering: Option<Covering>,
    }
    #[derive(Deserialize)]
    struct Covering {
        bbox: Bbox,
    }
    #[derive(Deserialize)]
    struct Bbox {
        xmin: Vec<String>,
        ymin: Vec<String>,
        xmax: Vec<String>,
        ymax: Vec<String>,
    }
    let entries = file.metadata().file_metadata().key_value_metadata()?;
    let text = entries.iter().find(|entry| entry.key == "geo")?.value.as_ref()?;
    let mut geo: Geo = serde_json::from_str(text).ok()?;
    let covering = geo.columns.remove(&geo.primary_column).and_then(|column| column.covering);
    Some(match covering {
        Some(Covering { bbox }) => [bbox.xmin, bbox.ymin, bbox.xmax, bbox.ymax].map(|path| path.join(".")).to_vec(),
        None => vec![geo.primary_column],
    })
}

/// A column in one group of rows, being read.
struct Column {
    reader: ColumnReader,
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
        if descriptor.physical_type() == Type::INT96 {
            return Err(format!("column {name:?} is of type {}, which is not read", Type::INT96));
        }
        let reader = group.get_column_reader(column).map_err(|error| shortened(&error.to_string()))?;
        Ok(Self { reader, most: descriptor.max_def_level() })
    }

    /// The cells of the next rows.
    fn next(&mut self, rows: usize) -> Result<Cells, ParquetError> {
        let most = self.most;
        match &mut self.reader {
            ColumnReader::DoubleColumnReader(reader) => cells(reader, rows, most, |number| number).map(Cells::Numbers),
            ColumnReader::FloatColumnReader(reader) => cells(reader, rows, most, f64::from).map(Cells::Numbers),
            ColumnReader::Int32ColumnReader(reader) => cells(reader, rows, most, i64::from).map(Cells::Whole),
            ColumnReader::Int64ColumnReader(reader) => cells(reader, rows, most, |number| number).map(Cells::Whole),
            ColumnReader::BoolColumnReader(reader) => cells(reader, rows, most, i64::from).map(Cells::Whole),
            ColumnReader::ByteArrayColumnReader(reader) => {
                cells(reader, rows, most, |bytes: ByteArray| bytes.data().to_vec()).map(Cells::Bytes)
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                cells(reader, rows, most, |bytes: FixedLenByteArray| bytes.data().to_vec()).map(Cells::Bytes)
            }
            ColumnReader::Int96ColumnReader(_) => Err(ParquetError::NYI("columns of type INT96".into())),
        }
    }
}

/// The cells of a column in some rows.
enum Cells {
    Numbers(Vec<Option<f64>>),
    Whole(Vec<Option<i64>>),
    Bytes(Vec<Option<Vec<u8>>>),
}

impl Cells {
    fn is_null(&self, row: usize) -> bool {
        match self {
            Self::Numbers(cells) => cells[row].is_none(),
            Self::Whole(cells) => cells[row].is_none(),
            Self::Bytes(cells) => cells[row].is_none(),
        }
    }

    fn number(&self, row: usize) -> Option<f64> {
        match self {
            Self::Numbers(cells) => cells[row],
            #[expect(clippy::cast_precision_loss, reason = "coordinates of more than 53 bits are not to be had")]
            Self::Whole(cells) => cells[row].map(|number| number as f64),
            Self::Bytes(_) => None,
        }
    }

    fn text(&self, row: usize) -> String {
        match self {
            Self::Numbers(cells) => cells[row].map(|number| number.to_string()),
            Self::Whole(cells) => cells[row].map(|number| number.to_string()),
            Self::Bytes(cells) => cells[row].as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned()),
        }
        .unwrap_or_default()
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
