//! Tables in delimited text: columns by name or number, rows one at a time.

use std::borrow::Cow;
use std::fmt::{Debug, Write};
use std::io;
use std::path::Path;

use crate::columns::Columns;
use crate::dialect::{self, Dialect};
use crate::error::{Error, quote};
use crate::fields::Fields;
use crate::format::Format;
use crate::source::{Bytes, Source};
use crate::text_geometry;

/// A table in a file of delimited text, read row by row in memory of constant size.
///
/// Separator, quotes, line ends, decimal commas and packing (gzip, zstd) are found out. The first row is a header if
/// none of its fields is a number or a geometry; else a comment right before it may be one, if it has as many fields. Blank lines are no rows; neither are lines that begin with `#`, unless they have as
/// many fields as the others ([`comments`](Self::comments) counts them).
///
/// ```
/// use quadrille_files::{Source, Table};
///
/// let text = "id;lon;lat\nA;8,5;47,25\n";
/// let mut table = Table::from_source(Source::from_reader("example", text.as_bytes())?)?;
/// let lon = table.find(&["x", "lon", "longitude"]).expect("there is one");
/// while let Some(row) = table.next_row()? {
///     assert_eq!((row.text(0).as_ref(), row.number(lon)?, row.line()), ("A", 8.5, 2));
/// }
/// # Ok::<(), quadrille_files::Error>(())
/// ```
pub struct Table {
    name: String,
    dialect: Dialect,
    columns: Columns,
    /// What messages call the columns.
    labels: Vec<String>,
    fields: Fields<Bytes>,
    /// Whether `fields` holds a row that has not been returned yet.
    is_ahead: bool,
    comments: u64,
    /// The fields of the last comment before the first row.
    before: Vec<String>,
}

impl Table {
    /// Opens a file, or standard input for the name `-`.
    ///
    /// # Errors
    /// If it cannot be read, or is no text: says what it is.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::from_source(Source::open(path)?)
    }

    /// The table in an opened file.
    ///
    /// # Errors
    /// If it cannot be read, or is no text: says what it is.
    pub fn from_source(source: Source) -> Result<Self, Error> {
        match source.format {
            Format::Text => {}
            Format::Foreign(what, remedy) => {
                return Err(Error::in_file(source.name, format_args!("this is {what}; {remedy}")));
            }
            other => {
                return Err(Error::in_file(
                    source.name,
                    format_args!("this is {}, and no table of text", other.name()),
                ));
            }
        }
        let name = source.name.clone();
        let dialect = Dialect::of(&source.sample);
        let fields = Fields::new(source.into_bytes(), dialect.separator);
        let mut table = Self {
            name,
            dialect,
            columns: Columns::default(),
            labels: Vec::new(),
            fields,
            is_ahead: false,
            comments: 0,
            before: Vec::new(),
        };
        if table.read()? {
            table.begin();
        }
        Ok(table)
    }

    /// Takes the first row for the header, or for the first of the data.
    fn begin(&mut self) {
        let all = 0..self.fields.len();
        let is_value = |column| self.number(column).is_some() || text_geometry::is_one(self.fields.get(column));
        self.is_ahead = all.clone().any(is_value);
        self.columns = match (self.is_ahead, std::mem::take(&mut self.before)) {
            (false, _) => Columns::new(all.clone().map(|column| self.text(column).into_owned()).collect()),
            (true, names) if names.len() == all.len() => {
                self.comments -= 1;
                Columns::guessed(names)
            }
            (true, _) => Columns::without_names(all.len()),
        };
        self.labels = all.map(|column| self.columns.name(column)).collect();
    }

    /// The file's name for messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How rows are written.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Names of the columns; none if the file has no header.
    #[must_use]
    pub fn header(&self) -> &[String] {
        self.columns.names()
    }

    /// Columns of each row; 0 if there are no rows and no header.
    #[must_use]
    pub fn width(&self) -> usize {
        self.labels.len()
    }

    /// Lines that began with `#` and were no rows, so far.
    #[must_use]
    pub const fn comments(&self) -> u64 {
        self.comments
    }

    /// The position of the first of these names that the header has. Only letters and digits count, and capitals do not
    /// matter: `x_min` finds `X Min`.
    #[must_use]
    pub fn find(&self, names: &[&str]) -> Option<usize> {
        self.columns.find(names)
    }

    /// The position of a column that a user has named, or numbered from 1.
    ///
    /// # Errors
    /// If there is none: lists those there are.
    pub fn column(&self, wanted: &str) -> Result<usize, Error> {
        self.columns.column(wanted).map_err(|what| self.in_first_row(what))
    }

    /// Something is wrong with the header, or with the first row where there is none.
    pub(crate) fn in_first_row(&self, what: String) -> Error {
        Error::in_line(&self.name, self.fields.line().max(1), what)
    }

    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }

    /// What messages call a column from now on: of use where there is no header.
    pub fn label(&mut self, column: usize, label: &str) {
        self.labels[column] = label.into();
    }

    /// The next row; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read on, or the row has more or fewer fields than the first.
    pub fn next_row(&mut self) -> Result<Option<Row<'_>>, Error> {
        if !std::mem::take(&mut self.is_ahead) && !self.read()? {
            return Ok(None);
        }
        if self.fields.len() != self.width() {
            let (found, row) = (Columns::without_names(self.fields.len()).count(), self.row_in_words());
            let what = format!("{found}, expected {}: {row}", self.width());
            return Err(Error::in_line(&self.name, self.fields.line(), what));
        }
        Ok(Some(Row { table: self }))
    }

    /// Whether the row that was read last has more or fewer fields than the first.
    pub(crate) fn is_ragged(&self) -> bool {
        self.fields.len() > 0 && self.fields.len() != self.width()
    }

    /// Reads rows until one is no comment.
    fn read(&mut self) -> Result<bool, Error> {
        loop {
            let is_row = self.fields.read().map_err(|error| self.unreadable(&error))?;
            let is_comment = is_row && self.fields.is_comment() && self.fields.len() != self.width().max(1);
            let is_comment = is_comment || (is_row && self.width() == 0 && self.fields.is_comment());
            if !is_comment {
                return Ok(is_row);
            }
            self.comments += 1;
            if self.width() == 0 {
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

    fn unreadable(&self, error: &io::Error) -> Error {
        Error::in_line(&self.name, self.fields.line(), error)
    }

    fn text(&self, column: usize) -> Cow<'_, str> {
        String::from_utf8_lossy(self.fields.get(column))
    }

    fn number(&self, column: usize) -> Option<f64> {
        let field = self.fields.get(column);
        if self.dialect.has_decimal_commas && field.contains(&b',') {
            return dialect::number(
                &field.iter().map(|byte| if *byte == b',' { b'.' } else { *byte }).collect::<Vec<_>>(),
            );
        }
        dialect::number(field)
    }

    fn row_in_words(&self) -> String {
        // A message shows no more than a hundred characters of it.
        let fields: Vec<_> = (0..self.fields.len().min(50)).map(|column| self.text(column)).collect();
        quote(fields.join(",").as_bytes())
    }
}

impl Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, dialect, columns, .. } = self;
        f.debug_struct("Table")
            .field("name", name)
            .field("dialect", dialect)
            .field("header", &columns.names())
            .finish_non_exhaustive()
    }
}

/// A row of a table.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    table: &'a Table,
}

impl<'a> Row<'a> {
    /// A field as written in the file, without blanks around it.
    #[must_use]
    pub fn bytes(&self, column: usize) -> &'a [u8] {
        self.table.fields.get(column)
    }

    /// A field as text. What is no UTF-8 in it becomes `U+FFFD`.
    #[must_use]
    pub fn text(&self, column: usize) -> Cow<'a, str> {
        self.table.text(column)
    }

    /// A field as a finite number.
    ///
    /// # Errors
    /// If it is none: names the file, the line, the column and the value.
    pub fn number(&self, column: usize) -> Result<f64, Error> {
        match self.table.number(column) {
            Some(number) if number.is_finite() => Ok(number),
            Some(_) => Err(self.error(column, "is not a finite number")),
            None => Err(self.error(column, "is not a number")),
        }
    }

    /// Whether a field says that there is no value: it is empty, `NULL`, `NA`, `N/A`, `None` or `\N`.
    #[must_use]
    pub fn is_missing(&self, column: usize) -> bool {
        let missing = ["", "null", "na", "n/a", "none", "\\n"];
        let field = self.bytes(column);
        field.len() <= 4 && missing.iter().any(|word| field.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// The line in which the row begins, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.table.fields.line()
    }

    /// Something is wrong with a field: names the file, the line, the column and the value.
    pub fn error(&self, column: usize, what: impl std::fmt::Display) -> Error {
        let mut words = self.table.labels[column].clone();
        let _ = write!(words, " {} {what}", quote(self.bytes(column)));
        Error::in_line(&self.table.name, self.line(), words)
    }

    /// Something is wrong with the whole row: names the file, the line and the row.
    pub fn error_of_all(&self, what: impl std::fmt::Display) -> Error {
        Error::in_line(&self.table.name, self.line(), format_args!("{what}: {}", self.table.row_in_words()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(bytes: impl Into<Vec<u8>>) -> Result<Table, Error> {
        Table::from_source(Source::from_reader("f", std::io::Cursor::new(bytes.into()))?)
    }

    /// All rows, fields between bars.
    fn rows(mut table: Table) -> Vec<String> {
        let mut rows = Vec::new();
        while let Some(row) = table.next_row().unwrap() {
            let fields = (0..row.table.width()).map(|column| row.text(column).into_owned());
            rows.push(fields.collect::<Vec<_>>().join("|"));
        }
        rows
    }

    #[test]
    fn dialects_are_found_out() {
        let same = [
            ("commas", "id,x,y\na,1.5,2\nb,3,4\n".into()),
            ("semicolons", "id;x;y\na;1.5;2\nb;3;4\n".to_owned()),
            ("semicolons, decimal commas", "id;x;y\na;1,5;2\nb;3;4\n".into()),
            ("tabs", "id\tx\ty\na\t1.5\t2\nb\t3\t4\n".into()),
            ("tabs, decimal commas", "id\tx\ty\na\t1,5\t2\nb\t3\t4\n".into()),
            ("bars", "id|x|y\na|1.5|2\nb|3|4".into()),
            ("blanks", "id   x y\n a 1.5  2\nb 3\t4\n".into()),
            ("commas", "\u{feff}# made by hand\r\n\r\n\"id\" , x,y\r\n\"a\",1.5,2\r\n# half\r\nb,3,4\r\n\r\n".into()),
            ("commas", "id,x,y\ra,1.5,2\rb,3,4\r".into()),
            ("semicolons, decimal commas", "\u{feff}sep=;\r\nid;x;y\r\na;1,5;2\r\nb;3;4\r\n".into()),
            ("commas", "# made by hand\n# id,x,y\na,1.5,2\nb,3,4\n".into()),
            ("blanks", "# id x y\na 1.5 2\nb 3 4\n".into()),
        ];
        for (dialect, text) in same {
            let mut table = table(text.as_str()).unwrap();
            assert_eq!((table.dialect().to_string().as_str(), table.header().join("|").as_str()), (dialect, "id|x|y"));
            let mut read = Vec::new();
            while let Some(row) = table.next_row().unwrap() {
                read.push((row.text(0).into_owned(), row.number(1).unwrap(), row.number(2).unwrap()));
            }
            assert_eq!(read, [("a".into(), 1.5, 2.0), ("b".into(), 3.0, 4.0)], "{text:?}");
        }
    }

    #[test]
    fn a_geometry_is_no_header() {
        for text in [
            "POINT(1 2)\nPOINT(3 4)\n",
            "a;LineString Z (1 2 3, 4 5 6)\n",
            "0101000000000000000000F03F0000000000000040\n",
        ] {
            let table = table(text).unwrap();
            assert_eq!((table.header().len(), rows(table).len()), (0, text.lines().count()), "{text}");
        }
        assert_eq!(table("point,geometry (WKT)\n1,2\n").unwrap().header(), ["point", "geometry (WKT)"]);
    }

    #[test]
    fn packed_text_is_unpacked_however_often() {
        use flate2::{Compression, write::GzEncoder};
        use std::io::Write as _;
        let packed = |bytes: &[u8]| {
            let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
            packer.write_all(bytes).unwrap();
            packer.finish().unwrap()
        };
        let two_members = [packed(b"x,y\n1,2\n"), packed(b"3,4\n")].concat();
        assert_eq!(rows(table(two_members.clone()).unwrap()), ["1|2", "3|4"]);
        assert_eq!(rows(table(packed(&two_members)).unwrap()), ["1|2", "3|4"]);
        let zstd = |bytes: &[u8]| ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest);
        assert_eq!(rows(table([zstd(b"x,y\n1,2\n"), zstd(b"3,4\n")].concat()).unwrap()), ["1|2", "3|4"]);
        let cut = &two_members[..two_members.len() - 12];
        assert!(table(cut).is_err() || std::panic::catch_unwind(|| rows(table(cut).unwrap())).is_err());
    }

    #[test]
    fn files_that_are_no_text_are_named() {
        for (bytes, what) in [
            (&b"SQLite format 3\0more"[..], "GeoPackage"),
            (b"PAR1abcd", "Parquet"),
            (b"{\"type\":", "GeoJSON"),
            (b"a\0b", "binary"),
            (b"[ {\"x\": 1}]", "JSON array"),
            (b"\xff\xfea\0", "UTF-16"),
        ] {
            let error = table(bytes).unwrap_err().to_string();
            assert!(error.starts_with("f: this is ") && error.contains(what), "{error}");
        }
    }

    #[test]
    fn columns_are_found_by_name_and_number() {
        let table = table("ID, X Min ,x_max,v\na,1,2,b\n").unwrap();
        assert_eq!(table.header(), ["ID", "X Min", "x_max", "v"]);
        assert_eq!(
            (table.find(&["left", "xmin"]), table.find(&["XMAX"]), table.find(&["y"])),
            (Some(1), Some(2), None)
        );
        assert_eq!((table.column("id"), table.column("2"), table.column("4")), (Ok(0), Ok(1), Ok(3)));
        for wrong in ["y", "0", "5", "-1"] {
            let error = table.column(wrong).unwrap_err().to_string();
            assert!(error.contains(&format!("{wrong:?}")) && error.contains("ID,X Min,x_max,v"), "{error}");
        }
    }

    #[test]
    fn comments_are_rows_if_they_have_their_width() {
        let mut table = table("# a, b, c\nname,v\n#1,2\n# no\nx,3\n").unwrap();
        let mut names = Vec::new();
        while let Some(row) = table.next_row().unwrap() {
            names.push(row.text(0).into_owned());
        }
        assert_eq!((names, table.comments()), (vec!["#1".to_owned(), "x".into()], 2));
    }

    #[test]
    fn faults_are_told_with_line_column_and_value() {
        let mut table = table("x,y\n\n1,one\n1,2,3\n").unwrap();
        let row = table.next_row().unwrap().unwrap();
        assert_eq!(row.number(1).unwrap_err().to_string(), "f: line 3: y \"one\" is not a number");
        assert_eq!(table.next_row().unwrap_err().to_string(), "f: line 4: 3 columns, expected 2: \"1,2,3\"");
        assert!(table.next_row().unwrap().is_none());
    }
}
