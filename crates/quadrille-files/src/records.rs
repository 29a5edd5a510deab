//! What every reader of a format does: moves from row to row and reads cells of the current row.

use std::borrow::Cow;
use std::fmt::{Debug, Display};

use quadrille::Aabb;

use crate::columns::Columns;
use crate::error::Error;
use crate::hull::{Geometry, Hull};
use crate::system::System;
use crate::{numbers, text_geometry, wkb};

/// A file as a table.
pub(crate) trait Records: Send {
    /// Names of the columns.
    fn columns(&self) -> &Columns;

    /// The columns that make the box of a row because the format says so, whatever they are called: one of geometries,
    /// two of points, four of corners. Empty if names decide.
    fn own_shape(&self) -> &[usize] {
        if self.is_of_features() { &[0] } else { &[] }
    }

    /// Whether rows are features: a geometry of the format's own, and properties.
    fn is_of_features(&self) -> bool {
        false
    }

    /// The coordinate system of the format's own geometries, if the file names it.
    fn system(&self) -> Option<&System> {
        None
    }

    /// The columns whose cells will be read; a reader may leave out all others.
    fn choose(&mut self, _: &[usize]) -> Result<(), Error> {
        Ok(())
    }

    /// Whether the box that they make is that around a geometry in another column.
    fn has_covering(&self) -> bool {
        false
    }

    /// Goes to the next row; `false` at the end.
    fn next_row(&mut self) -> Result<bool, Error>;

    /// Whether the row that could not be read merely has too many or too few fields, so that reading can go on.
    fn is_ragged(&self) -> bool {
        false
    }

    /// A cell of the row.
    fn cell(&self, column: usize) -> Cell<'_>;

    /// The number in a cell of the row, or why it is not a number.
    fn number(&self, column: usize) -> Result<f64, Cow<'static, str>> {
        match self.cell(column) {
            Cell::Text(text) => numbers::number(&text),
            Cell::Missing => Err(Cow::Borrowed("is missing")),
            other => other.number().ok_or(numbers::NO_NUMBER),
        }
        .and_then(numbers::finite)
    }

    /// The row, for messages; empty if it has no words.
    fn row_in_words(&self) -> String {
        String::new()
    }

    /// Why a column that a user has named is missing, if not all columns are available.
    fn error_without_column(&self) -> Option<Error> {
        None
    }

    /// Why the format's own geometries are not read, if there are any.
    fn error_without_shape(&self) -> Option<Error> {
        None
    }

    /// The line in which the columns are named.
    fn line_of_columns(&self) -> Option<u64> {
        None
    }

    /// Something is wrong in this row.
    fn error(&self, what: &dyn Display) -> Error;

    /// What the format is, after the last row: `text with commas`.
    fn format(&self) -> String;

    /// Comment lines.
    fn comments(&self) -> u64 {
        0
    }
}

/// A value of a table.
pub(crate) enum Cell<'a> {
    /// There is none: null.
    Missing,
    /// As the file has it, or as people write what it is.
    Text(Cow<'a, [u8]>),
    Number(f64),
    Float(f32),
    Whole(i128),
    /// Bytes that are not text: WKB geometries, or something unknown.
    Bytes(&'a [u8]),
    Geometry(&'a dyn Geometry),
    /// A value that its type or its encoding forbids: what is wrong.
    Bad(&'a str),
}

impl<'a> Cell<'a> {
    pub(crate) fn text_of(text: &'a str) -> Self {
        Self::Text(text.as_bytes().into())
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Float(number) => Some(f64::from(*number)),
            // Casts: coordinates of more than 53 bits are not to be had.
            Self::Whole(number) => Some(*number as f64),
            _ => None,
        }
    }

    /// The value as text: numbers with as few digits as tell them apart from others of their type, bytes in hexadecimal
    /// digits. Or what is wrong with it.
    pub(crate) fn into_text(self) -> Result<Cow<'a, [u8]>, String> {
        Ok(match self {
            Self::Missing => Cow::Borrowed(b""),
            Self::Text(text) => text,
            Self::Number(number) => number.to_string().into_bytes().into(),
            Self::Float(number) => number.to_string().into_bytes().into(),
            Self::Whole(number) => number.to_string().into_bytes().into(),
            Self::Bytes(bytes) if std::str::from_utf8(bytes).is_ok() => bytes.into(),
            Self::Bytes(bytes) => wkb::hex(bytes).into_bytes().into(),
            Self::Geometry(_) => return Err("is a geometry, and no text".into()),
            Self::Bad(what) => return Err(what.into()),
        })
    }

    /// The box of the geometry that the value is; `None` if it is empty.
    pub(crate) fn bounds(self, hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String> {
        match self {
            Self::Geometry(geometry) => geometry.bounds(hull),
            Self::Bytes(bytes) => wkb::bounds(bytes, hull),
            Self::Text(text) => text_geometry::bounds(&text, hull),
            Self::Missing => Ok(None),
            Self::Bad(what) => Err(what.into()),
            Self::Number(_) | Self::Float(_) | Self::Whole(_) => Err("is a number, and no geometry".into()),
        }
    }

    /// Whether there is no value: null, or what people write for it: nothing, `NULL`, `NA`, `N/A`, `None`, `\N`.
    pub(crate) fn is_missing(&self) -> bool {
        match self {
            Self::Missing => true,
            Self::Text(text) => numbers::is_missing(text),
            _ => false,
        }
    }

    /// Whether there is no number where numbers are expected: programs write `NaN` and `NaT`, spreadsheets `#N/A`, people `-`.
    pub(crate) fn is_no_number(&self) -> bool {
        match self {
            Self::Number(number) => number.is_nan(),
            Self::Float(number) => number.is_nan(),
            Self::Text(text) => numbers::is_no_number(text),
            _ => self.is_missing(),
        }
    }
}

impl Debug for Cell<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Cell")
    }
}
