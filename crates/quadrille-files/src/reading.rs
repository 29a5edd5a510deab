//! Reading boxes: the reader for each format, and tables of text.

use std::ops::ControlFlow;
use std::path::Path;

use crate::error::Error;
use crate::format::Format;
use crate::layout::Layout;
#[cfg(feature = "parquet")]
use crate::parquet_rows::read as read_parquet;
use crate::shapes::{Choice, Rows, STOPPED, Shapes};
use crate::source::Source;
use crate::table::Table;
use crate::{flatgeobuf_features, geojson_features, shapefile_records};

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
        let mut rows = Rows::new(&source.name, choice, most, take);
        match source.format() {
            Format::GeoJson => geojson_features::read(source, &mut rows)?,
            Format::FlatGeobuf => flatgeobuf_features::read(source, &mut rows)?,
            Format::Shapefile => shapefile_records::read(source, &mut rows)?,
            Format::Parquet => read_parquet(source, &mut rows, choice)?,
            _ => read_table(Table::from_source(source)?, &mut rows, choice)?,
        }
        Ok(rows.into_shapes())
    }
}

fn read_table(mut table: Table, rows: &mut Rows<'_>, choice: &Choice) -> Result<(), Error> {
    let layout = Layout::of(table.columns(), choice).map_err(|what| table.in_first_row(what))?;
    if table.header().is_empty() {
        layout.labels().for_each(|(column, label)| table.label(column, label));
    }
    let keep = choice.keep.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
    while let Some(row) = table.next_row()? {
        let bounds = layout.bounds(&row)?;
        rows.push(bounds).map_err(|what| row.error_of_all(what))?;
        if bounds.is_some() {
            let texts = rows.kept.iter_mut().zip(&keep);
            texts.for_each(|(texts, column)| texts.push(&row.text(*column)));
        }
    }
    rows.format = format!("text with {}", table.dialect());
    rows.taken = layout.to_string();
    rows.is_points = layout.is_points();
    rows.comments = table.comments();
    Ok(())
}

/// This build has no reader of it, which takes long to compile.
#[cfg(not(feature = "parquet"))]
fn read_parquet(source: Source, _: &mut Rows<'_>, _: &Choice) -> Result<(), Error> {
    let remedy = "`cargo install --path crates/quadrille-cli --features parquet` installs one that does";
    Err(Error::in_file(source.name, format_args!("this is Parquet, which this build does not read; {remedy}")))
}
