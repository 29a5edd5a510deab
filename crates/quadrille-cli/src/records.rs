//! Writing records: CSV with a header, JSON objects one a line, or Parquet.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, Write};

use clap::ValueEnum;
use quadrille_files::NamedKind;
#[cfg(feature = "parquet")]
use quadrille_files::ParquetWriter;

use crate::failure::Failure;
use crate::output::Target;

/// How records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A header, then one line per record
    Csv,
    /// One JSON object per line
    Ndjson,
    /// Parquet: compressed columns; needs a build with the feature `parquet`
    Parquet,
}

impl Format {
    /// The requested format, or that of the file name's extension. If it has none, an error also names the other way to
    /// choose, if there is one.
    ///
    /// # Errors
    /// Returns an error if this build does not write it, or the extension belongs to another format.
    pub(crate) fn of(asked: Option<Self>, target: &Target, other_way: &str) -> Result<Self, Failure> {
        let ending = match target {
            Target::File(path) => path.extension().and_then(OsStr::to_str).unwrap_or_default(),
            Target::Stdout => "",
        };
        let ending = ending.to_ascii_lowercase();
        let format = match (asked, ending.as_str()) {
            (Some(format), _) => format,
            (None, "ndjson" | "jsonl") => Self::Ndjson,
            (None, "parquet") => Self::Parquet,
            (None, other) if FOREIGN.contains(&other) => {
                let what = "is not supported: use .csv, .ndjson or .parquet";
                return Err(Failure::Bad(format!("--out: .{other} {what}{other_way}")));
            }
            (None, _) => Self::Csv,
        };
        if format == Self::Parquet && cfg!(not(feature = "parquet")) {
            let remedy = "`cargo install --path crates/quadrille-cli --features parquet` installs one that does";
            return Err(Failure::Bad(format!("this build cannot write Parquet; {remedy}")));
        }
        Ok(format)
    }
}

/// Extensions that people might expect.
const FOREIGN: [&str; 14] =
    ["gz", "zst", "bz2", "xz", "zip", "json", "geojson", "tsv", "fgb", "shp", "gpkg", "xlsx", "arrow", "feather"];

/// The output.
type File<'a> = &'a mut (dyn Write + Send);

/// A file of records with the same names of fields.
pub(crate) struct Records<'a> {
    writer: Writer<'a>,
    columns: &'a [NamedKind],
    /// The digits of a number; the memory is reused.
    digits: Vec<u8>,
}

enum Writer<'a> {
    Csv(Box<csv::Writer<File<'a>>>),
    Ndjson(File<'a>),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetWriter<File<'a>>>),
}

impl<'a> Records<'a> {
    /// Begins a file, with a header if the format has one.
    pub(crate) fn new(file: File<'a>, format: Format, columns: &'a [NamedKind]) -> io::Result<Self> {
        let mut records = Self::without_header(file, format, columns)?;
        if let Writer::Csv(csv) = &mut records.writer {
            csv.write_record(columns.iter().map(|(name, _)| name)).map_err(plain)?;
        }
        Ok(records)
    }

    /// Begins a part of a file.
    pub(crate) fn without_header(file: File<'a>, format: Format, columns: &'a [NamedKind]) -> io::Result<Self> {
        let writer = match format {
            Format::Csv => Writer::Csv(Box::new(csv::Writer::from_writer(file))),
            Format::Ndjson => Writer::Ndjson(file),
            #[cfg(feature = "parquet")]
            Format::Parquet => Writer::Parquet(Box::new(ParquetWriter::new(file, columns)?)),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => return Err(io::ErrorKind::Unsupported.into()),
        };
        Ok(Self { writer, columns, digits: Vec::new() })
    }

    /// How many columns there are.
    pub(crate) fn width(&self) -> usize {
        self.columns.len()
    }

    /// Begins a record. All its columns must be written, in order, and its end.
    pub(crate) fn record(&mut self) -> Record<'_, 'a> {
        Record { records: self, at: 0 }
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        match self.writer {
            Writer::Csv(mut csv) => csv.flush(),
            Writer::Ndjson(file) => file.flush(),
            #[cfg(feature = "parquet")]
            Writer::Parquet(parquet) => parquet.finish(),
        }
    }
}

/// A record being written.
pub(crate) struct Record<'s, 'a> {
    records: &'s mut Records<'a>,
    /// How many columns have been written.
    at: usize,
}

impl Record<'_, '_> {
    /// Writes a whole number.
    pub(crate) fn row(&mut self, row: u32) -> io::Result<()> {
        #[cfg(feature = "parquet")]
        if let Writer::Parquet(parquet) = &mut self.records.writer {
            parquet.whole(row.into());
            return Ok(());
        }
        self.digits(row)
    }

    pub(crate) fn number(&mut self, number: f64) -> io::Result<()> {
        self.number_as(number, number)
    }

    /// Writes a number in a notation of its own. JSON has no infinity: one is null there.
    pub(crate) fn number_as(&mut self, number: f64, shown: impl Display) -> io::Result<()> {
        #[cfg(feature = "parquet")]
        if let Writer::Parquet(parquet) = &mut self.records.writer {
            parquet.number(number);
            return Ok(());
        }
        if !number.is_finite() && matches!(self.records.writer, Writer::Ndjson(_)) {
            return self.digits("null");
        }
        self.digits(shown)
    }

    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.name()?;
        match &mut self.records.writer {
            Writer::Csv(csv) => csv.write_field(text).map_err(plain),
            Writer::Ndjson(file) => Ok(serde_json::to_writer(file, text)?),
            #[cfg(feature = "parquet")]
            Writer::Parquet(parquet) => {
                parquet.text(text);
                Ok(())
            }
        }
    }

    fn digits(&mut self, number: impl Display) -> io::Result<()> {
        self.name()?;
        let Records { writer, digits, .. } = &mut *self.records;
        digits.clear();
        write!(digits, "{number}")?;
        match writer {
            Writer::Csv(csv) => csv.write_field(digits).map_err(plain),
            Writer::Ndjson(file) => file.write_all(digits),
            #[cfg(feature = "parquet")]
            Writer::Parquet(_) => Ok(()),
        }
    }

    /// In JSON, every value has its name.
    fn name(&mut self) -> io::Result<()> {
        let Records { writer, columns, .. } = &mut *self.records;
        if let (Writer::Ndjson(file), Some((name, _))) = (writer, columns.get(self.at)) {
            file.write_all(if self.at == 0 { b"{" } else { b"," })?;
            serde_json::to_writer(&mut *file, name)?;
            file.write_all(b":")?;
        }
        self.at += 1;
        Ok(())
    }

    pub(crate) fn end(self) -> io::Result<()> {
        match &mut self.records.writer {
            Writer::Csv(csv) => csv.write_record(None::<&[u8]>).map_err(plain),
            Writer::Ndjson(file) => file.write_all(b"}\n"),
            #[cfg(feature = "parquet")]
            Writer::Parquet(parquet) => Ok(parquet.end_row()?),
        }
    }
}

/// The error of the file itself: a closed pipe must not be hidden.
fn plain(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
