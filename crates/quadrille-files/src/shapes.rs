//! Boxes and points in files.

use std::ops::{ControlFlow, Deref, DerefMut};
use std::path::Path;

use quadrille::Aabb;

use crate::error::Error;
use crate::format::Format;
use crate::layout::Layout;
use crate::source::Source;
use crate::table::Table;
use crate::{flatgeobuf_features, geojson_features, shapefile_records};

/// What to read of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Columns of coordinates, by name or by number from 1: one of geometries, two of points, three of circles, four
    /// of boxes. None: those that the header tells.
    pub columns: Vec<String>,
    /// Columns (properties of GeoJSON features) whose texts are kept.
    pub keep: Vec<String>,
}

/// The boxes of a file, one a row or feature.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    /// The file, as messages call it.
    pub name: String,
    /// What it is: `CSV (commas)`, `GeoJSON`.
    pub format: String,
    /// What was taken as what: `points from lon, lat`.
    pub taken: String,
    /// Whether every box is a point, because its columns are those of points.
    pub is_points: bool,
    /// The boxes, in the file's order.
    pub boxes: Vec<Aabb<f64>>,
    /// The rows of the boxes, if some rows had none; else rows are numbered on as boxes are.
    rows: Option<Vec<u32>>,
    /// The row of the first box, where rows are numbered on.
    first_row: u32,
    /// Rows that have been read, with a box or without.
    read: u64,
    /// Rows without a box: a null geometry, or empty fields.
    pub skipped: u64,
    /// Lines that were comments.
    pub comments: u64,
    /// What was kept, in the order of [`Choice::keep`].
    pub kept: Vec<Texts>,
}

impl Shapes {
    /// Reads a file, or standard input for the name `-`.
    ///
    /// # Errors
    /// If it cannot be read, is of a kind that is not read (it says which), has no such columns, or a row is no good:
    /// names the file, the line or feature, and the value.
    pub fn read(path: &Path, choice: &Choice) -> Result<Self, Error> {
        Self::from_source(Source::open(path)?, choice)
    }

    /// The same of an opened file.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn from_source(source: Source, choice: &Choice) -> Result<Self, Error> {
        Self::in_batches(source, choice, usize::MAX, &mut |_| ControlFlow::Continue(()))
    }

    /// Reads a file, or standard input for the name `-`, a batch of rows at a time: `take` is lent each batch until it breaks. Returned are
    /// name, format and counts, without boxes.
    ///
    /// A batch takes the memory of `most` boxes. So does a column of a Parquet file; texts, FlatGeobuf and shapefiles take no more. GeoJSON is
    /// read whole, and refused if it has more than `most_bytes`; so is Parquet that comes packed or by standard input.
    ///
    /// # Errors
    /// As [`read`](Self::read), also if `take` breaks.
    pub fn read_in_batches(
        path: &Path,
        choice: &Choice,
        most: usize,
        most_bytes: u64,
        take: &mut dyn FnMut(&Self) -> ControlFlow<()>,
    ) -> Result<Self, Error> {
        let mut source = Source::open(path)?;
        source.most_bytes = most_bytes;
        let mut rest = Self::in_batches(source, choice, most, take)?;
        if take(&rest).is_break() {
            return Err(Error::in_file(rest.name, STOPPED));
        }
        rest.forget_batch();
        Ok(rest)
    }

    fn in_batches(
        source: Source,
        choice: &Choice,
        most: usize,
        take: &mut dyn FnMut(&Self) -> ControlFlow<()>,
    ) -> Result<Self, Error> {
        let kept = choice.keep.iter().map(|name| Texts { name: name.clone(), ..Texts::default() }).collect();
        let shapes = Self { name: source.name.clone(), kept, ..Self::default() };
        let mut rows = Rows { shapes, most, take };
        match source.format() {
            Format::GeoJson => geojson_features::read(source, &mut rows)?,
            Format::FlatGeobuf => flatgeobuf_features::read(source, &mut rows)?,
            Format::Shapefile => shapefile_records::read(source, &mut rows)?,
            Format::Parquet => read_parquet(source, &mut rows, choice)?,
            _ => rows.read_table(Table::from_source(source)?, choice)?,
        }
        Ok(rows.shapes)
    }

    /// The number of the row (or feature) of a box, from 0; the header, blank lines and comments are not counted.
    #[must_use]
    pub fn row(&self, number: u32) -> u32 {
        self.rows.as_ref().map_or(self.first_row + number, |rows| rows[number as usize])
    }

    /// The number of the row that is read next.
    pub(crate) const fn next_row(&self) -> u64 {
        self.read
    }

    /// Forgets the boxes and texts that have been taken away, and keeps their memory.
    fn forget_batch(&mut self) {
        self.boxes.clear();
        self.rows = None;
        // It has been checked that there are not more.
        self.first_row = u32::try_from(self.read).unwrap_or(u32::MAX);
        self.kept.iter_mut().for_each(Texts::clear);
    }
}

/// What a file is read into: all rows, or a batch at a time, which somebody takes away.
pub(crate) struct Rows<'a> {
    shapes: Shapes,
    /// Boxes of a batch.
    most: usize,
    take: &'a mut dyn FnMut(&Shapes) -> ControlFlow<()>,
}

impl Deref for Rows<'_> {
    type Target = Shapes;

    fn deref(&self) -> &Shapes {
        &self.shapes
    }
}

impl DerefMut for Rows<'_> {
    fn deref_mut(&mut self) -> &mut Shapes {
        &mut self.shapes
    }
}

impl Rows<'_> {
    fn read_table(&mut self, mut table: Table, choice: &Choice) -> Result<(), Error> {
        let layout = Layout::of(table.columns(), &choice.columns).map_err(|what| table.in_first_row(what))?;
        if table.header().is_empty() {
            layout.labels().for_each(|(column, label)| table.label(column, label));
        }
        let keep = choice.keep.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
        while let Some(row) = table.next_row()? {
            let bounds = layout.bounds(&row)?;
            self.push(bounds).map_err(|what| row.error_of_all(what))?;
            if bounds.is_some() {
                let texts = self.kept.iter_mut().zip(&keep);
                texts.for_each(|(texts, column)| texts.push(&row.text(*column)));
            }
        }
        self.format = format!("text with {}", table.dialect());
        self.taken = layout.to_string();
        self.is_points = layout.is_points();
        self.comments = table.comments();
        Ok(())
    }

    /// Takes the next row: its box, or that it has none.
    pub(crate) fn push(&mut self, bounds: Option<Aabb<f64>>) -> Result<(), String> {
        const TOO_MANY: &str = "there are more than four billion rows";
        // Here all texts of the last row are kept.
        if self.boxes.len() == self.most {
            if (self.take)(&self.shapes).is_break() {
                return Err(STOPPED.into());
            }
            self.shapes.forget_batch();
        }
        let shapes = &mut self.shapes;
        let row = u32::try_from(shapes.read).map_err(|_| TOO_MANY)?;
        shapes.read += 1;
        let Some(bounds) = bounds else {
            shapes.skipped += 1;
            shapes.rows.get_or_insert_with(|| (shapes.first_row..row).collect());
            return Ok(());
        };
        let count = shapes.boxes.len();
        if count == shapes.boxes.capacity() {
            shapes.boxes.try_reserve(1).map_err(|_| format!("there is no memory for more than {count} boxes"))?;
        }
        shapes.boxes.push(bounds);
        if let Some(rows) = &mut shapes.rows {
            rows.push(row);
        }
        Ok(())
    }
}

/// What is said when nobody takes rows any more. Whoever broke knows why.
const STOPPED: &str = "reading was stopped";

#[cfg(feature = "parquet")]
use crate::parquet_rows::read as read_parquet;

/// This build has no reader of it, which takes long to compile.
#[cfg(not(feature = "parquet"))]
fn read_parquet(source: Source, _: &mut Rows<'_>, _: &Choice) -> Result<(), Error> {
    let remedy = "`cargo install --path crates/quadrille-cli --features parquet` installs one that does";
    Err(Error::in_file(source.name, format_args!("this is Parquet, which this build does not read; {remedy}")))
}

/// The texts of one column, of all rows that have a box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// The column's name, as it was asked for.
    pub name: String,
    text: String,
    ends: Vec<usize>,
    /// Whether any row has the column, where rows need not have the same ones.
    pub(crate) is_known: bool,
}

impl Texts {
    /// The text of a row, by the number of its box.
    #[must_use]
    pub fn get(&self, number: u32) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[number]]
    }

    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }
}
