//! Files of any format as tables: columns by name or number, rows one at a time.

use std::borrow::Cow;
use std::fmt::Debug;
use std::path::Path;

use quadrille::Aabb;

use crate::columns::Columns;
use crate::error::{Error, quote};
use crate::formats;
use crate::guard::guarded;
use crate::hull::Hull;
use crate::records::{Cell, Records};
use crate::source::Source;
use crate::system::System;
use crate::text;

/// The table in a file of any format, read row by row.
///
/// For delimited text, it finds out separator, quotes, line ends, decimal commas and encoding, and whether the first
/// row is a header (unless [told](Source::with_header)). Blank lines are skipped; so are lines that begin with `#`,
/// unless they have as many fields as the others.
///
/// ```
/// use quadrille_files::{Source, Table};
///
/// let text = "id;lon;lat\nA;8,5;47,25\n";
/// let mut table = Table::from_source(Source::from_reader("example", text.as_bytes())?)?;
/// let lon = table.find(&["x", "lon", "longitude"]).expect("there is one");
/// while let Some(row) = table.next_row()? {
///     assert_eq!((row.text(0)?.as_ref(), row.number(lon)?), ("A", 8.5));
/// }
/// # Ok::<(), quadrille_files::Error>(())
/// ```
pub struct Table {
    name: String,
    pub(crate) records: Box<dyn Records>,
    /// What messages call columns, if not by their names.
    labels: Vec<(usize, String)>,
    /// Whether a text was UTF-8 beyond ASCII, and whether one was not.
    encodings: std::cell::Cell<[bool; 2]>,
}

impl Table {
    /// Opens a file, or standard input for the name `-`.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or its format is not supported. The message names the format.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::from_source(Source::open(path)?)
    }

    /// The table in an opened file.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or its format is not supported. The message names the format.
    pub fn from_source(source: Source) -> Result<Self, Error> {
        let name = source.name.clone();
        let records = guarded(|| formats::open(source)).map_err(|what| Error::in_file(&name, what))??;
        Ok(Self { name, records, labels: Vec::new(), encodings: Default::default() })
    }

    /// The file's name in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The format, judging by what has been read so far: `text with commas, header`.
    #[must_use]
    pub fn format(&self) -> String {
        self.records.format()
            + match self.encodings.get() {
                [_, false] => "",
                [false, true] => ", Windows-1252",
                [true, true] => ", some texts UTF-8, some Windows-1252",
            }
    }

    /// The names of the columns; empty if the file has no header.
    #[must_use]
    pub fn header(&self) -> &[String] {
        self.columns().names()
    }

    /// Whether there are rows, but no header. Features have names, which are not looked for.
    pub(crate) fn is_without_names(&self) -> bool {
        !self.records.is_of_features() && self.header().is_empty()
    }

    /// How many columns each row has; 0 if there are no rows and no header.
    #[must_use]
    pub fn width(&self) -> usize {
        self.columns().width()
    }

    /// How many comment lines there were so far.
    #[must_use]
    pub fn comments(&self) -> u64 {
        self.records.comments()
    }

    /// The coordinate system of geometries, if the file names one or its format prescribes one.
    #[must_use]
    pub fn system(&self) -> Option<&System> {
        self.records.system()
    }

    /// The position of the first of these names that is in the header. Only letters and digits count, regardless of
    /// case: `x_min` finds `X Min`.
    #[must_use]
    pub fn find(&self, names: &[&str]) -> Option<usize> {
        self.columns().find(names)
    }

    /// The position of a column that a user gave by name, or by number from 1.
    ///
    /// # Errors
    /// Returns an error if there is no such column. The message lists the existing ones.
    pub fn column(&self, wanted: &str) -> Result<usize, Error> {
        let missing = |what| self.records.error_without_column().unwrap_or_else(|| self.in_first_row(what));
        self.columns().column(wanted).map_err(missing)
    }

    /// Something is wrong with the columns, before the first row.
    pub(crate) fn in_first_row(&self, what: impl std::fmt::Display) -> Error {
        match self.records.line_of_columns() {
            Some(line) => Error::in_line(&self.name, line, what),
            None => Error::in_file(&self.name, what),
        }
    }

    pub(crate) fn columns(&self) -> &Columns {
        self.records.columns()
    }

    /// Chooses the columns whose cells can be read. Call it before the first row.
    ///
    /// # Errors
    /// Returns an error if a column is of a type that is not read.
    pub fn choose(&mut self, columns: &[usize]) -> Result<(), Error> {
        let Self { name, records, .. } = self;
        guarded(|| records.choose(columns)).map_err(|what| Error::in_file(name, what))?
    }

    /// Sets the name of a column in messages; useful if there is no header.
    pub fn label(&mut self, column: usize, label: &str) {
        self.labels.push((column, label.into()));
    }

    /// The next row; `None` at the end.
    ///
    /// # Errors
    /// Returns an error if reading fails, or if the row has more or fewer fields than the first.
    pub fn next_row(&mut self) -> Result<Option<Row<'_>>, Error> {
        let Self { name, records, .. } = self;
        let is_row = guarded(|| records.next_row()).map_err(|what| Error::in_file(name, what))??;
        Ok(is_row.then_some(Row { table: self }))
    }
}

impl Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let header = self.header();
        f.debug_struct("Table").field("name", &self.name).field("header", &header).finish_non_exhaustive()
    }
}

/// A row of a table.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    table: &'a Table,
}

impl<'a> Row<'a> {
    /// A value as it is in the file (delimited text without surrounding blanks), or as people would write it.
    ///
    /// # Errors
    /// Returns an error if its type forbids it.
    pub fn bytes(&self, column: usize) -> Result<Cow<'a, [u8]>, Error> {
        self.table.records.cell(column).into_text().map_err(|what| self.error_in(column, what))
    }

    /// A value as text; bytes that are not UTF-8 are read as Windows-1252.
    ///
    /// # Errors
    /// Returns an error if its type forbids it.
    pub fn text(&self, column: usize) -> Result<Cow<'a, str>, Error> {
        let (text, is_old) = text::decoded(self.bytes(column)?);
        let [was_new, was_old] = self.table.encodings.get();
        self.table.encodings.set([was_new || !is_old && !text.is_ascii(), was_old || is_old]);
        Ok(text)
    }

    /// A value as a finite number.
    ///
    /// # Errors
    /// Returns an error if it is not one. The message names the file, the place, the column and the value.
    pub fn number(&self, column: usize) -> Result<f64, Error> {
        self.table.records.number(column).map_err(|what| self.error(column, what))
    }

    /// The box of a geometry; `None` if it is empty.
    pub(crate) fn bounds(&self, column: usize, hull: Hull<'_>) -> Result<Option<Aabb<f64>>, Error> {
        self.table.records.cell(column).bounds(hull).map_err(|what| self.error(column, what))
    }

    /// Whether the value is missing: null, empty, `NULL`, `NA`, `N/A`, `None` or `\N`.
    #[must_use]
    pub fn is_missing(&self, column: usize) -> bool {
        self.table.records.cell(column).is_missing()
    }

    /// Whether there is no number: the value is missing, or what stands for that among numbers: `NaN`, `#N/A`, `-`.
    #[must_use]
    pub(crate) fn is_no_number(&self, column: usize) -> bool {
        self.table.records.cell(column).is_no_number()
    }

    /// An error about a value, which names the file, the place, the column and the value.
    pub fn error(&self, column: usize, what: impl std::fmt::Display) -> Error {
        match self.table.records.cell(column) {
            Cell::Missing | Cell::Geometry(_) => self.error_in(column, what),
            Cell::Bad(bad) => self.error_in(column, bad),
            cell => {
                let text = cell.into_text().unwrap_or_default();
                self.error_in(column, format_args!("{} {what}", quote(&text)))
            }
        }
    }

    /// Something is wrong with a value that cannot be shown.
    fn error_in(&self, column: usize, what: impl std::fmt::Display) -> Error {
        let label = self.table.labels.iter().find(|(labelled, _)| *labelled == column);
        let label = label.map_or_else(|| self.table.columns().name(column), |(_, label)| label.clone());
        self.table.records.error(&format_args!("{label} {what}"))
    }

    /// An error about a whole row, which names the file, the place and the row.
    pub(crate) fn error_of_all(&self, what: impl std::fmt::Display) -> Error {
        match self.table.records.row_in_words() {
            row if row.is_empty() => self.table.records.error(&what),
            row => self.table.records.error(&format_args!("{what}: {row}")),
        }
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
            let fields = (0..row.table.width()).map(|column| row.text(column).unwrap().into_owned());
            rows.push(fields.collect::<Vec<_>>().join("|"));
        }
        rows
    }

    /// A text that ends with a line break, and the same without it.
    fn with_and_without_end(text: &str) -> [&str; 2] {
        [text, text.trim_end_matches('\n')]
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
            // As R and pandas write it.
            ("blanks", "\"id\" \"x\" \"y\"\n\"a\" 1.5 2\n\"b\" \"3\" 4\n".into()),
            ("blanks", "\"id\" x y\n\"a\" 1.5 2\nb 3 4\n".into()),
            ("blanks, decimal commas", "id x y\n\"a\" 1,5 2\nb 3 4\n".into()),
        ];
        for (dialect, text) in same {
            let mut table = table(text.as_str()).unwrap();
            let header = if text.contains("# id") { "header in a comment" } else { "header" };
            assert_eq!(table.format(), format!("text with {dialect}, {header}"));
            assert_eq!(table.header().join("|"), "id|x|y");
            let mut read = Vec::new();
            while let Some(row) = table.next_row().unwrap() {
                read.push((row.text(0).unwrap().into_owned(), row.number(1).unwrap(), row.number(2).unwrap()));
            }
            assert_eq!(read, [("a".into(), 1.5, 2.0), ("b".into(), 3.0, 4.0)], "{text:?}");
        }
    }

    #[test]
    fn single_blanks_may_be_between_empty_fields() {
        let text = " id x y\n0 a 1.5 2\n1 \"b\nc\" 3 4\n2  5 \n";
        let table = table(text).unwrap();
        assert_eq!((table.header().join("|"), table.format()), ("|id|x|y".into(), "text with blanks, header".into()));
        assert_eq!(rows(table), ["0|a|1.5|2", "1|b\nc|3|4", "2||5|"]);
    }

    #[test]
    fn names_of_rows_need_no_name_of_their_own() {
        let told = ", header without a name for the first column";
        for (separator, words) in [(",", "commas"), ("\t", "tabs"), (";", "semicolons"), (" ", "blanks")] {
            let text = ["\"x\" \"note\"", "\"a\" 1.5 2", "\"b\" 3 \"4\"", ""].join("\n").replace(' ', separator);
            let table = table(text).unwrap();
            assert_eq!(
                (table.header().join("|").as_str(), table.format()),
                ("|x|note", format!("text with {words}{told}"))
            );
            assert_eq!(rows(table), ["a|1.5|2", "b|3|4"]);
        }
        // A name may be missing anywhere; numbers are no names; and a separator may end each row.
        for text in ["x y\na 1 2\nb 3 4\n", "\"x\" y\na 1 2\n"] {
            let mut table = table(text).unwrap();
            assert_eq!(table.header(), ["x", "y"]);
            assert_eq!(table.next_row().unwrap_err().to_string(), "f: line 2: 3 columns, expected 2: \"a,1,2\"");
        }
        for refused in ["x,y\n1,2,3\n", "\"1\",\"2\"\n\"3\",4,5\n", "\"x\",\"y\"\n\"a\",1,2\n\"b\",1\n"] {
            let mut table = table(refused).unwrap();
            assert!(
                std::iter::from_fn(|| table.next_row().map(|row| row.map(drop)).transpose()).any(|row| row.is_err())
            );
        }
        assert_eq!(rows(table("\"x\",\"y\"\n\"1\",2,\n\"3\",4,\n").unwrap()), ["1|2", "3|4"]);
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
        for header in ["point,geometry (WKT)", "tin (ppm),point (no.)", "POINT,triangle (m2)"] {
            assert_eq!(table(format!("{header}\n1,2\n")).unwrap().header().join(","), header);
        }
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
        let comment = |kind: u8, length: u32| {
            [&[0x50 + kind, 0x2A, 0x4D, 0x18][..], &length.to_le_bytes(), &vec![b'x'; length as usize]].concat()
        };
        for length in [0, 1, 9, 200_000] {
            let [before, between, another, after] = [0, 7, 15, 3].map(|kind| comment(kind, length));
            let all = [before, zstd(b"x,y\n1,2\n"), between, another, zstd(b"3,4\n"), after].concat();
            assert_eq!(rows(table(all.clone()).unwrap()), ["1|2", "3|4"], "{length}");
            assert!(table(&all[..all.len() - 1]).is_err(), "{length}");
        }
        let mut damaged =
            ruzstd::encoding::compress_to_vec(&b"x,y\n1,2\n"[..], ruzstd::encoding::CompressionLevel::Uncompressed);
        assert_eq!(rows(table(damaged.clone()).unwrap()), ["1|2"]);
        let at = damaged.windows(3).position(|bytes| bytes == b"1,2").unwrap();
        damaged[at] = b'7';
        assert_eq!(table(damaged).unwrap_err().to_string(), "f: its checksum is wrong: it is damaged");
        let mut random = fastrand::Rng::with_seed(1);
        let long = zstd(&std::iter::repeat_with(|| random.u8(..)).take(300_000).collect::<Vec<_>>());
        for end in (4..long.len()).step_by(999) {
            let source = Source::from_reader("f", std::io::Cursor::new(long[..end].to_vec()));
            let error = source.and_then(|source| source.read_all("it")).unwrap_err().to_string();
            assert_eq!(error, "f: unexpected end of file", "{end}");
        }
        let cut = &two_members[..two_members.len() - 12];
        assert!(table(cut).is_err() || std::panic::catch_unwind(|| rows(table(cut).unwrap())).is_err());
    }

    #[test]
    fn packings_of_packings_end() {
        use flate2::{Compression, write::GzEncoder};
        use std::io::Write as _;
        let mut bytes = b"x,y\n1,2\n".to_vec();
        for packings in 1..12 {
            let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
            packer.write_all(&bytes).unwrap();
            bytes = packer.finish().unwrap();
            match table(bytes.clone()) {
                Ok(table) => assert_eq!((rows(table), packings < 9), (vec!["1|2".to_owned()], true)),
                Err(error) => {
                    assert!(packings > 8 && error.to_string().contains("packed more than 8 times"), "{error}");
                }
            }
        }
    }

    #[test]
    fn files_that_are_not_read_are_named() {
        let index = [&b"\x00\x00\x27\x0A"[..], &[0; 96], &[0, 0, 0, 50, 0, 0, 0, 4]].concat();
        for (bytes, what) in [
            (&b"SQLite format 3\0more"[..], "GeoPackage"),
            (b"a\0b", "binary"),
            (b"\xFF\xFE\0\0x\0\0\0", "UTF-32"),
            (b"\0\0\xFE\xFF\0\0\0x", "UTF-32"),
            (&index, "name the .shp"),
            (b"\x03\x7c\x01\x01\0\0\0\0\x41\0", "name the .shp"),
        ] {
            let error = table(bytes).unwrap_err().to_string();
            assert!(error.starts_with("f: this is ") && error.contains(what), "{error}");
        }
    }

    #[test]
    fn headers_are_told_from_rows() {
        let no = ", no header";
        for (text, header, count, told) in [
            // As pandas writes a table without names.
            ("0,1,2,3\n5,6,7,8\n", "", 1, ", header of numbers"),
            (",0,1,2,3\n0,5,6,7,8\n1,5,6,7,8\n", "", 2, ", header of numbers"),
            ("0,1\n0.5,1.0\n2.5,1.5\n", "", 2, ", header of numbers"),
            // Points.
            ("0,1\n2,3\n", "", 2, no),
            ("0,1\n", "", 1, no),
            ("0,0,2,2\n1,1,3,3\n", "", 2, no),
            // Years.
            ("name,2010,2020,x,y\nBern,1,2,7.4,46.9\n", "name|2010|2020|x|y", 1, ", header"),
            ("name,2010,x,y\nBern,NA,7.4,46.9\nBasel,1,-,-\n", "name|2010|x|y", 2, ", header"),
            ("a,1,2\nb,3,4\n", "", 2, no),
            ("a,1.5,x\n5,2,3\n", "", 2, no),
            ("A1,0,0\n7,1,1\n", "", 2, no),
            ("x,y\n", "x|y", 0, ", header"),
        ] {
            for text in with_and_without_end(text) {
                let table = table(text).unwrap();
                assert_eq!(
                    (table.header().join("|").as_str(), table.format().ends_with(told)),
                    (header, true),
                    "{text}"
                );
                assert_eq!(rows(table).len(), count, "{text}");
            }
        }
        for (is_header, count) in [(true, 1), (false, 2)] {
            for text in ["0,1,2,3\n5,6,7,8\n", "a,b,c,d\n5,6,7,8\n"] {
                let source = Source::from_reader("f", text.as_bytes()).unwrap().with_header(Some(is_header));
                let table = Table::from_source(source).unwrap();
                assert_eq!(rows(table).len(), count, "{text}");
            }
        }
    }

    #[test]
    fn a_quoted_nothing_is_a_row() {
        assert_eq!(
            rows(table("geometry\nPOINT (1 1)\n\"\"\n\n  \nPOINT (1 1)\n").unwrap()),
            ["POINT (1 1)", "", "POINT (1 1)"]
        );
    }

    #[test]
    fn a_separator_may_end_each_row() {
        assert_eq!(rows(table("x,y\n1,2,\n3,4,\n").unwrap()), ["1|2", "3|4"]);
        assert_eq!(rows(table("1;2;\n3;4;\n").unwrap()), ["1|2", "3|4"]);
        assert_eq!(table("1;2;\n3;4;5\n").unwrap().width(), 3);
        assert!(table("x,y\n1,2,3\n").unwrap().next_row().is_err());
        assert!(table("x,y\n1,2,,\n").unwrap().next_row().is_err());
    }

    #[test]
    fn commas_in_numbers_are_told_apart() {
        let ambiguous = "or a thousand times as much";
        for (text, expected) in [
            ("x;y\n1,5;2\n", Ok(1.5)),
            ("x;date\n1,5;24.12\n", Ok(1.5)),
            ("x;y\n1,234;2,5\n", Ok(1.234)),
            ("x;y\n0,234;2\n", Ok(0.234)),
            ("x\ty\n1,234.5\t2\n", Ok(1234.5)),
            ("x\ty\n-1,234\t2\n1,234,567\t3\n", Ok(-1234.0)),
            ("x\ty\n1,234\t2\n12.5\t3\n", Ok(1234.0)),
            ("x\ty\n1,234\t2\n", Err(ambiguous)),
            ("x;y\n1,234;24.12\n", Err(ambiguous)),
            ("x,y\n\"1,5\",2\n", Ok(1.5)),
            ("x,y\n\"1,234,567\",2\n", Ok(1_234_567.0)),
            ("x;y\n1,,5;2\n", Err("is not a number")),
            ("x;y\n1.234,5;2\n", Ok(1_234.5)),
            ("x\ty\n-1.234.567,25\t2\n", Ok(-1_234_567.25)),
            ("x;y\n1.234;2\n2.345,5;3\n", Ok(1_234.0)),
            ("x;y\n12;2\n2.345,5;3\n", Ok(12.0)),
            ("x;y\n1,5;2\n2.345,5;3\n", Ok(1.5)),
            ("x,y\n\"1.234,5\",2\n", Ok(1_234.5)),
            ("x;y\n24.12;2\n2.345,5;3\n", Err("is not a number")),
            ("x;y\n1.234;2.345,5\n", Err("or a thousand times as much")),
            ("x;y\n1.234;3\n1,5;2\n", Err("or a thousand times as much")),
            ("x;y\n24.12;2.345,5\n", Ok(24.12)),
            ("x;y\n1.2345,5;2\n", Err("is not a number")),
            ("x;y\n1.234;1,5\n0;2,5\n", Err(ambiguous)),
            ("x;y\n0.234;1,5\n", Ok(0.234)),
            ("x;y\n2;1,5\n", Ok(2.0)),
            // Another number has a decimal point.
            ("x,y,price\n8.541,47.376,\"12,50\"\n8.5,47,\"3,00\"\n", Ok(8.541)),
        ] {
            for text in with_and_without_end(text) {
                let mut table = table(text).unwrap();
                let number = table.next_row().unwrap().unwrap().number(0);
                match expected {
                    Ok(expected) => assert_eq!(number, Ok(expected), "{text}"),
                    Err(what) => assert!(number.unwrap_err().to_string().contains(what), "{text}"),
                }
            }
        }
        // Also after the rows that are examined.
        for (point, column) in [("1.234;2", 0), ("1,5;1.234", 1)] {
            let text = format!("x;y\n{}{point}\n", "1,5;2\n".repeat(60));
            let mut table = table(text).unwrap();
            for _ in 0..60 {
                assert_eq!(table.next_row().unwrap().unwrap().number(column), Ok([1.5, 2.0][column]));
            }
            let refused = table.next_row().unwrap().unwrap().number(column).unwrap_err().to_string();
            assert!(refused.starts_with("f: line 62: ") && refused.contains(ambiguous), "{refused}");
        }
    }

    #[test]
    fn texts_of_other_encodings_are_decoded_and_said() {
        let latin = b"name,x,y\nM\xfcnchen,1,2\n";
        let mut read = table(latin).unwrap();
        assert_eq!(read.next_row().unwrap().unwrap().text(0).unwrap(), "München");
        assert_eq!(read.format(), "text with commas, header, Windows-1252");
        let mut mixed = table([latin, "Genève,3,4\n".as_bytes()].concat()).unwrap();
        for name in ["München", "Genève"] {
            assert_eq!(mixed.next_row().unwrap().unwrap().text(0).unwrap(), name);
        }
        assert_eq!(mixed.format(), "text with commas, header, some texts UTF-8, some Windows-1252");
        for (is_big, mark) in [(false, "\u{feff}"), (true, "\u{feff}"), (false, ""), (true, "")] {
            let text = format!("{mark}name,x,y\nMünchen,1,2\n");
            let units = text.encode_utf16();
            let bytes: Vec<u8> =
                units.flat_map(|unit| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect();
            let read = table(bytes).unwrap();
            assert_eq!(
                (read.header()[0].as_str(), read.format().as_str()),
                ("name", "text with commas, header, UTF-16")
            );
            assert_eq!(rows(read), ["München|1|2"]);
        }
    }

    #[test]
    fn geometries_stand_one_a_line() {
        for text in [
            "LINESTRING (0 0, 1 1)\nPOLYGON ((0 0, 1 1, 2 2, 0 0))\n",
            "wkt\nLINESTRING (0 0, 1 1)\nPOINT (1 2)\n",
            "SRID=4326;LINESTRING (0 0, 1 1)\nPOINT (1 2)\n",
            "\"LINESTRING (0 0, 1 1, 1 0)\"\n\"LINESTRING (0 0, 1 1, 0 1)\"\n",
            "a\tLINESTRING (0 0, 1 1)\nb\tPOINT (1 2)\n",
        ] {
            let (mut table, hull) = (table(text).unwrap(), || crate::hull::Hull::new(false));
            let column = table.width() - 1;
            let row = table.next_row().unwrap().unwrap();
            assert_eq!(row.bounds(column, hull()).unwrap(), Some(Aabb::new([0.0, 0.0], [1.0, 1.0])), "{text}");
            assert!(table.next_row().unwrap().is_some());
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
    fn a_name_of_two_columns_names_none() {
        let table = table("name,x,name,X\na,1,2,b\n").unwrap();
        let error = table.column("name").unwrap_err().to_string();
        assert!(error.ends_with("columns 1 and 3 both have the name \"name\"; choose one by its number"), "{error}");
        assert!(table.column("NAME").is_err());
        assert_eq!((table.column("3"), table.column("x"), table.column("X")), (Ok(2), Ok(1), Ok(3)));
    }

    #[test]
    fn comments_are_rows_if_they_have_their_width() {
        let mut table = table("# a, b, c\nname,v\n#1,2\n# no\nx,3\n").unwrap();
        let mut names = Vec::new();
        while let Some(row) = table.next_row().unwrap() {
            names.push(row.text(0).unwrap().into_owned());
        }
        assert_eq!((names, table.comments()), (vec!["#1".to_owned(), "x".into()], 2));
        let mut table = self::table("name;2020;v\n#1;1;1,5\n#2;2;3\n").unwrap();
        assert_eq!(table.next_row().unwrap().unwrap().number(2), Ok(1.5));
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
