//! Reading boxes: one from each row of a table.

use std::ops::ControlFlow;
use std::path::Path;

use crate::error::Error;
use crate::layout::Layout;
use crate::shapes::{Choice, Rows, STOPPED, Shapes};
use crate::source::Source;
use crate::table::Table;

impl Shapes {
    /// Reads a file, or standard input for the name `-`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, has an unsupported format, lacks such columns, or has an
    /// invalid row. The message names the file, the format or the line or feature, and the value.
    pub fn read(path: &Path, choice: &Choice) -> Result<Self, Error> {
        Self::from_source(Source::open(path)?, choice)
    }

    /// The same for an opened file.
    ///
    /// # Errors
    /// Returns the same errors as [`read`](Self::read).
    pub fn from_source(source: Source, choice: &Choice) -> Result<Self, Error> {
        Self::in_batches(source, choice, usize::MAX, &mut |_| ControlFlow::Continue(()))
    }

    /// Reads a file, or standard input for the name `-`, one batch of rows at a time: `take` borrows each batch, and
    /// may break. Returns name, format and counts, without boxes.
    ///
    /// A batch takes the memory of `most` boxes and of four times as many positions of geometries. Each column of a
    /// Parquet file takes as much again; text, FlatGeobuf and shapefiles take no more than that. GeoJSON is read whole,
    /// and refused if it is longer than `most_bytes`; so is Parquet that is compressed or comes from standard input.
    ///
    /// # Errors
    /// Returns the same errors as [`read`](Self::read), also if `take` breaks.
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
        let mut source = source.with_header(choice.header);
        source.has_geometries = choice.has_geometries;
        read_table(Table::from_source(source)?, &mut rows, choice)?;
        Ok(rows.into_shapes())
    }
}

fn read_table(mut table: Table, rows: &mut Rows<'_>, choice: &Choice) -> Result<(), Error> {
    if let (Some(error), true) = (table.error_without_shape(), choice.columns.is_empty()) {
        return Err(error);
    }
    let layout = Layout::of(&table, choice).map_err(|what| table.in_first_row(what))?;
    let is_own = !layout.columns().is_empty() && layout.columns() == table.own_shape();
    rows.system = table.system().filter(|_| is_own).cloned();
    if let (Some(system), true) = (&rows.system, choice.is_on_globe) {
        system.check_globe().map_err(|what| Error::in_file(table.name(), what))?;
    }
    let keep = choice.keep.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
    if table.is_without_names() {
        layout.labels().for_each(|(column, label)| table.label(column, label));
    }
    table.choose(&[layout.columns(), &keep].concat())?;
    rows.is_geometries = layout.is_geometries();
    if choice.has_geometries && rows.is_geometries {
        rows.keep_geometries();
    }
    let may_skip = choice.skips_invalid && rows.is_geometries;
    while let Some(row) = table.next_row()? {
        rows.hand_on_if_full().map_err(|what| row.error_of_all(what))?;
        let bounds = match layout.bounds(&row, rows.geometries.as_mut()) {
            Err(_) if may_skip => {
                rows.push_invalid().map_err(|what| row.error_of_all(what))?;
                continue;
            }
            bounds => bounds?,
        };
        rows.push(bounds).map_err(|what| row.error_of_all(what))?;
        if bounds.is_some() {
            for (texts, column) in rows.kept.iter_mut().zip(&keep) {
                texts.push(&row.text(*column)?);
            }
        }
    }
    rows.format = table.format();
    rows.taken = layout.to_string();
    rows.is_points = layout.is_points();
    rows.comments = table.comments();
    Ok(())
}
