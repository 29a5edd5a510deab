//! Reading boxes: one from each row of a table.

use std::ops::ControlFlow;
use std::path::Path;

use quadrille_shapes::Geometries;

use crate::error::Error;
use crate::layout::Layout;
use crate::shapes::{Choice, STOPPED, Shapes};
use crate::source::Source;
use crate::system::System;
use crate::table::{Row, Table};

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
        let mut rows = Self::of_file(&source.name, &choice.keep);
        let mut source = source.with_header(choice.header);
        source.has_geometries = choice.has_geometries;
        rows.read_table(Table::from_source(source)?, choice, most, take)?;
        Ok(rows)
    }

    fn read_table(
        &mut self,
        mut table: Table,
        choice: &Choice,
        most: usize,
        take: &mut dyn FnMut(&Self) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let (layout, keep) = self.choose_columns(&mut table, choice)?;
        self.is_geometries = layout.is_geometries();
        self.geometries = (choice.has_geometries && self.is_geometries).then(Geometries::new);
        while let Some(row) = table.next_row()? {
            // Between rows, all texts of the last one are kept, and nothing of the next one.
            if self.is_full(most) {
                if take(self).is_break() {
                    return Err(row.error_of_all(STOPPED));
                }
                self.forget_batch();
            }
            self.read_row(&row, &layout, &keep, choice.skips_invalid)?;
        }
        self.format = table.format();
        self.taken = layout.to_string();
        self.is_points = layout.is_points();
        self.comments = table.comments();
        Ok(())
    }

    /// The columns of boxes and those to keep, the only ones to be read; and in which system the table says that they are.
    fn choose_columns(&mut self, table: &mut Table, choice: &Choice) -> Result<(Layout, Vec<usize>), Error> {
        if let (Some(error), true) = (table.records.error_without_shape(), choice.columns.is_empty()) {
            return Err(error);
        }
        let layout = Layout::of(table, choice).map_err(|what| table.in_first_row(what))?;
        let is_own = !layout.columns().is_empty() && layout.columns() == table.records.own_shape();
        self.system = table.system().filter(|_| is_own).cloned();
        if let (Some(system), true) = (&self.system, choice.is_on_globe) {
            system.check_globe().map_err(|what| Error::in_file(table.name(), what))?;
        }
        let keep = choice.keep.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
        if table.is_without_names() {
            layout.labels().for_each(|(column, label)| table.label(column, label));
        }
        table.choose(&[layout.columns(), &keep].concat())?;
        Ok((layout, keep))
    }

    /// Takes the box of a row, its geometry and the texts to keep; what is invalid is only counted if it `may_skip`.
    fn read_row(&mut self, row: &Row<'_>, layout: &Layout, keep: &[usize], may_skip: bool) -> Result<(), Error> {
        let mut named = None;
        let bounds = match layout.bounds(row, self.geometries.as_mut(), &mut named) {
            Err(_) if may_skip => return self.push_invalid().map_err(|what| row.error_of_all(what)),
            bounds => bounds?,
        };
        System::agree(&mut self.system, named).map_err(|what| row.error(layout.columns()[0], what))?;
        self.push(bounds).map_err(|what| row.error_of_all(what))?;
        if bounds.is_some() {
            for (texts, column) in self.kept.iter_mut().zip(keep) {
                texts.push(&row.text(*column)?);
            }
        }
        Ok(())
    }
}
