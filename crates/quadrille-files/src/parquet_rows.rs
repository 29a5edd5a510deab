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
use crate::shapes::{Choice, Shapes};
use crate::source::Source;
use crate::wkb;

/// Reads a box from each row.
pub(crate) fn read(source: Source, shapes: &mut Shapes, choice: &Choice) -> Result<(), Error> {
    let (name, bytes) = source.read_all()?;
    let in_file = |error: ParquetError| Error::in_file(&name, shortened(&error.to_string()));
    let file = SerializedFileReader::new(Bytes::from(bytes)).map_err(in_file)?;
    let schema = file.metadata().file_metadata().schema_descr();
    let columns = Columns::new(schema.columns().iter().map(|column| column.path().parts().join(".")).collect());
    let geo = geo_columns(&file);
    let wanted = if choice.columns.is_empty() { geo.as_deref().unwrap_or_default() } else { &choice.columns };
    let layout = Layout::of(&columns, wanted).map_err(|what| Error::in_file(&name, what))?;
    let keep = choice.keep.iter().map(|name| columns.column(name)).collect::<Result<Vec<_>, _>>();
    let keep = keep.map_err(|what| Error::in_file(&name, what))?;
    for group in 0..file.num_row_groups() {
        let group = file.get_row_group(group).map_err(in_file)?;
        let read =
            |column: &usize| Cells::read(group.as_ref(), *column, &columns).map_err(|what| Error::in_file(&name, what));
        let coordinates = layout.columns().iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let kept = keep.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        for row in 0..usize::try_from(group.metadata().num_rows()).unwrap_or(0) {
            let number = shapes.boxes.len() as u64 + shapes.skipped;
            let bad = |what: String| Error::in_file(&name, format_args!("row {number} (from 0): {what}"));
            let bounds = bounds(&layout, &columns, &coordinates, row).map_err(bad)?;
            shapes.push(bounds).map_err(bad)?;
            if bounds.is_some() {
                shapes.kept.iter_mut().zip(&kept).for_each(|(texts, cells)| texts.push(&cells.text(row)));
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
        let found = wkb::bounds(geometries[row].as_deref().unwrap_or_default());
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
fn geo_columns(file: &SerializedFileReader<Bytes>) -> Option<Vec<String>> {
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

/// The cells of a column in one group of rows.
enum Cells {
    Numbers(Vec<Option<f64>>),
    Whole(Vec<Option<i64>>),
    Bytes(Vec<Option<Vec<u8>>>),
}

impl Cells {
    fn read(group: &dyn RowGroupReader, column: usize, columns: &Columns) -> Result<Self, String> {
        let name = &columns.names()[column];
        let descriptor = group.metadata().column(column).column_descr_ptr();
        if descriptor.max_rep_level() > 0 {
            return Err(format!("column {name:?} has lists of values"));
        }
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let most = descriptor.max_def_level();
        let reader = group.get_column_reader(column).map_err(|error| shortened(&error.to_string()))?;
        let cells = match reader {
            ColumnReader::DoubleColumnReader(reader) => all(reader, rows, most, |number| number).map(Self::Numbers),
            ColumnReader::FloatColumnReader(reader) => all(reader, rows, most, f64::from).map(Self::Numbers),
            ColumnReader::Int32ColumnReader(reader) => all(reader, rows, most, i64::from).map(Self::Whole),
            ColumnReader::Int64ColumnReader(reader) => all(reader, rows, most, |number| number).map(Self::Whole),
            ColumnReader::BoolColumnReader(reader) => all(reader, rows, most, i64::from).map(Self::Whole),
            ColumnReader::ByteArrayColumnReader(reader) => {
                all(reader, rows, most, |bytes: ByteArray| bytes.data().to_vec()).map(Self::Bytes)
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                all(reader, rows, most, |bytes: FixedLenByteArray| bytes.data().to_vec()).map(Self::Bytes)
            }
            ColumnReader::Int96ColumnReader(_) => {
                return Err(format!("column {name:?} is of type {}, which is not read", Type::INT96));
            }
        };
        cells.map_err(|error| shortened(&error.to_string()))
    }

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

/// All cells of a column; one whose level of definition is not the highest has no value.
fn all<T: DataType, V>(
    mut reader: ColumnReaderImpl<T>,
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
