//! Delimited text: CSV, TSV and the like.

use std::borrow::Cow;
use std::fmt::Display;
use std::io;

use super::Format;
use crate::columns::Columns;
use crate::dialect::Dialect;
use crate::error::{Error, quote};
use crate::fields::Fields;
use crate::records::{Cell, Records};
use crate::source::{Bytes, Source};
use crate::{dialect, numbers, text, text_geometry};

pub(super) const FORMAT: Format = Format { name: "text", is: |_| true, open };

struct Delimited {
    name: String,
    dialect: Dialect,
    columns: Columns,
    /// The column of geometries if there is no header.
    geometry: Option<usize>,
    fields: Fields<Bytes>,
    /// Whether `fields` holds a row that has not been returned yet.
    is_ahead: bool,
    /// Whether the last row was read, and has other than as many fields as there are columns.
    is_ragged: bool,
    /// Whether the first row was data.
    has_no_header: bool,
    comments: u64,
    /// The fields of the last comment before the first row.
    before: Vec<String>,
    /// The encoding of the whole file, if it was decoded.
    encoding: Option<&'static str>,
}

fn open(source: Source) -> Result<Box<dyn Records>, Error> {
    let (dialect, header, encoding) = (Dialect::of(&source.sample), source.header, source.encoding);
    let mut table = Delimited {
        name: source.name.clone(),
        fields: Fields::new(source.into_bytes(), dialect.separator),
        dialect,
        columns: Columns::default(),
        geometry: None,
        is_ahead: false,
        is_ragged: false,
        has_no_header: false,
        comments: 0,
        before: Vec::new(),
        encoding,
    };
    if table.read()? {
        table.begin(header);
    }
    Ok(Box::new(table))
}

impl Delimited {
    /// Takes the first row for the header, or for the first of the data.
    fn begin(&mut self, header: Option<bool>) {
        let all = 0..self.fields.len();
        let first: Vec<_> = all.clone().map(|column| self.fields.get(column).to_vec()).collect();
        self.is_ahead = !header.unwrap_or_else(|| self.dialect.is_header(&first));
        self.columns = match (self.is_ahead, std::mem::take(&mut self.before)) {
            (false, _) if dialect::counts_from_0(&first) => Columns::without_names(all.len()),
            (false, _) => {
                let unnamed = std::iter::repeat_n(String::new(), self.dialect.is_short.into());
                Columns::new(unnamed.chain(all.map(|column| self.text(column).into_owned())).collect())
            }
            (true, names) if names.len() == all.len() && header.is_none() => {
                self.comments -= 1;
                Columns::guessed(names)
            }
            (true, _) => {
                self.has_no_header = true;
                Columns::without_names(all.len() - usize::from(self.dialect.ends_with_separator(&first)))
            }
        };
        if self.has_no_header {
            self.geometry = first.iter().position(|field| text_geometry::is_one(field));
        }
    }

    /// Reads rows until one is not a comment.
    fn read(&mut self) -> Result<bool, Error> {
        loop {
            let is_row = self.fields.read().map_err(|error| self.unreadable(&error))?;
            let width = self.columns.width();
            let is_comment = is_row && self.fields.is_comment() && (width == 0 || self.fields.len() != width);
            if !is_comment {
                return Ok(is_row);
            }
            // Before the first row, it may be a header, in which names may have two lines.
            if width > 0 && self.fields.goes_on_in_quotes() {
                return Err(self.error(&"a quote in a comment is not closed in its line"));
            }
            self.comments += 1;
            if width == 0 {
                self.before = self.names_in_comment();
            }
        }
    }

    /// The fields of a comment without its mark: `# x y` has two.
    fn names_in_comment(&self) -> Vec<String> {
        let mut names: Vec<String> = (0..self.fields.len()).map(|column| self.text(column).into_owned()).collect();
        if let Some(first) = names.first_mut() {
            *first = first.trim_start_matches('#').trim_start().into();
        }
        if names.first().is_some_and(String::is_empty) {
            names.remove(0);
        }
        names
    }

    /// Whether the row has a field for each column; one more may be empty, after a last separator.
    fn is_as_wide_as_others(&self) -> bool {
        let (count, width) = (self.fields.len(), self.columns.width());
        count == width || (count == width + 1 && self.fields.get(width).is_empty())
    }

    fn text(&self, column: usize) -> Cow<'_, str> {
        text::decoded(self.fields.get(column).into()).0
    }

    fn unreadable(&self, error: &io::Error) -> Error {
        Error::in_line(&self.name, self.fields.line(), error)
    }
}

impl Records for Delimited {
    fn columns(&self) -> &Columns {
        &self.columns
    }

    fn own_shape(&self) -> &[usize] {
        self.geometry.as_slice()
    }

    fn next_row(&mut self) -> Result<bool, Error> {
        self.is_ragged = false;
        if !std::mem::take(&mut self.is_ahead) && !self.read()? {
            return Ok(false);
        }
        self.is_ragged = !self.is_as_wide_as_others();
        if !self.is_ragged {
            return Ok(true);
        }
        let found = Columns::without_names(self.fields.len()).count();
        let what = format_args!("{found}, expected {}: {}", self.columns.width(), self.row_in_words());
        Err(Error::in_line(&self.name, self.fields.line(), what))
    }

    fn is_ragged(&self) -> bool {
        self.is_ragged
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        Cell::Text(self.fields.get(column).into())
    }

    fn number(&self, column: usize) -> Result<f64, Cow<'static, str>> {
        let field = self.fields.get(column);
        let number = if self.dialect.is_special(column, field) {
            self.dialect.number(column, field)
        } else {
            numbers::number(field)
        };
        number.and_then(numbers::finite)
    }

    fn row_in_words(&self) -> String {
        // A message shows no more than a hundred characters of it.
        let fields: Vec<_> = (0..self.fields.len().min(50)).map(|column| self.text(column)).collect();
        quote(fields.join(",").as_bytes())
    }

    fn line_of_columns(&self) -> Option<u64> {
        Some(self.fields.line().max(1))
    }

    fn error(&self, what: &dyn Display) -> Error {
        Error::in_line(&self.name, self.fields.line(), what)
    }

    fn format(&self) -> String {
        let header = match self.columns.width() {
            0 => "",
            _ if self.has_no_header => ", no header",
            _ if self.columns.is_guessed() => ", header in a comment",
            _ if self.columns.names().is_empty() => ", header of numbers",
            _ if self.dialect.is_short => ", header without a name for the first column",
            _ => ", header",
        };
        let encoding = self.encoding.map(|name| format!(", {name}")).unwrap_or_default();
        format!("{}{header}{encoding}", self.dialect)
    }

    fn comments(&self) -> u64 {
        self.comments
    }
}
