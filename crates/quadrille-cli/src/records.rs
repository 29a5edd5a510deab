//! Writing records: CSV with a header, or JSON objects one a line.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, Write};

use clap::ValueEnum;

use crate::output::Target;

/// How records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A header and a line a record
    Csv,
    /// A JSON object a line
    Ndjson,
}

impl Format {
    /// What the ending of the file's name says.
    pub(crate) fn of(target: &Target) -> Self {
        let Target::File(path) = target else { return Self::Csv };
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        if ["ndjson", "jsonl"].iter().any(|known| ending.eq_ignore_ascii_case(known)) {
            Self::Ndjson
        } else {
            Self::Csv
        }
    }
}

/// A file of records with the same names of fields.
pub(crate) struct Records<'a> {
    writer: Writer<'a>,
    names: Vec<String>,
    /// The digits of a number, kept for their memory.
    digits: Vec<u8>,
}

enum Writer<'a> {
    Csv(Box<csv::Writer<&'a mut dyn Write>>),
    Ndjson(&'a mut dyn Write),
}

impl<'a> Records<'a> {
    /// Writes the header, if the format has one.
    pub(crate) fn new(file: &'a mut dyn Write, format: Format, names: Vec<String>) -> io::Result<Self> {
        let mut writer = match format {
            Format::Csv => Writer::Csv(Box::new(csv::Writer::from_writer(file))),
            Format::Ndjson => Writer::Ndjson(file),
        };
        if let Writer::Csv(csv) = &mut writer {
            csv.write_record(&names).map_err(plain)?;
        }
        Ok(Self { writer, names, digits: Vec::new() })
    }

    /// Begins a record: its fields follow in the order of the names.
    pub(crate) fn record(&mut self) -> Record<'_, 'a> {
        let Self { writer, names, digits } = self;
        Record { writer, names: names.iter(), is_first: true, digits }
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        match self.writer {
            Writer::Csv(mut csv) => csv.flush(),
            Writer::Ndjson(file) => file.flush(),
        }
    }
}

/// A record being written.
pub(crate) struct Record<'w, 'a> {
    writer: &'w mut Writer<'a>,
    names: std::slice::Iter<'w, String>,
    is_first: bool,
    digits: &'w mut Vec<u8>,
}

impl Record<'_, '_> {
    pub(crate) fn number(&mut self, number: impl Display) -> io::Result<()> {
        self.name()?;
        match self.writer {
            Writer::Csv(csv) => {
                self.digits.clear();
                write!(self.digits, "{number}")?;
                csv.write_field(&self.digits).map_err(plain)
            }
            Writer::Ndjson(file) => write!(file, "{number}"),
        }
    }

    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.name()?;
        match self.writer {
            Writer::Csv(csv) => csv.write_field(text).map_err(plain),
            Writer::Ndjson(file) => Ok(serde_json::to_writer(file, text)?),
        }
    }

    /// In JSON, every value has its name.
    fn name(&mut self) -> io::Result<()> {
        let (name, is_first) = (self.names.next(), std::mem::take(&mut self.is_first));
        if let (Writer::Ndjson(file), Some(name)) = (&mut self.writer, name) {
            file.write_all(if is_first { b"{" } else { b"," })?;
            serde_json::to_writer(&mut *file, name)?;
            file.write_all(b":")?;
        }
        Ok(())
    }

    pub(crate) fn end(self) -> io::Result<()> {
        match self.writer {
            Writer::Csv(csv) => csv.write_record(None::<&[u8]>).map_err(plain),
            Writer::Ndjson(file) => file.write_all(b"}\n"),
        }
    }
}

/// What went wrong with the file itself: that a pipe is closed must not be hidden.
fn plain(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
