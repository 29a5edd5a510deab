//! Writing pairs: a record each, of two names, a distance if there is one, and what was kept of either side.

use std::ffi::OsStr;
use std::io::{self, Write};

use clap::ValueEnum;
use quadrille_files::{Shapes, Texts};

use super::Sets;
use super::finder::Measure;
use crate::output::Target;

/// How records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A header and a line a pair
    Csv,
    /// A JSON object a line
    Ndjson,
}

impl Format {
    /// What the ending of the file's name says.
    pub(super) fn of(target: &Target) -> Self {
        let Target::File(path) = target else { return Self::Csv };
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        if ["ndjson", "jsonl"].iter().any(|known| ending.eq_ignore_ascii_case(known)) {
            Self::Ndjson
        } else {
            Self::Csv
        }
    }
}

/// One side of the pairs.
#[derive(Debug)]
struct Side<'a> {
    shapes: &'a Shapes,
    ids: Option<&'a Texts>,
    kept: &'a [Texts],
}

impl<'a> Side<'a> {
    fn new(shapes: &'a Shapes, has_ids: bool) -> Self {
        let (ids, kept) = shapes.kept.split_at(usize::from(has_ids));
        Self { shapes, ids: ids.first(), kept }
    }
}

/// A file of pairs.
pub(super) struct Records<'a> {
    writer: Writer<'a>,
    sides: [Side<'a>; 2],
    distance: Option<Measure>,
    names: Vec<String>,
    digits: Vec<u8>,
}

enum Writer<'a> {
    Csv(Box<csv::Writer<&'a mut dyn Write>>),
    Ndjson(&'a mut dyn Write),
}

impl<'a> Records<'a> {
    /// Writes the header, if the format has one.
    pub(super) fn new(
        file: &'a mut dyn Write,
        format: Format,
        sets: Sets<'a>,
        has_ids: [bool; 2],
        distance: Option<Measure>,
    ) -> io::Result<Self> {
        let sides = [Side::new(sets.first, has_ids[0]), Side::new(sets.other(), has_ids[1])];
        let kept = |side: usize, prefix: &str| {
            sides[side].kept.iter().map(|texts| format!("{prefix}_{}", texts.name)).collect::<Vec<_>>()
        };
        let names = [vec!["a".into(), "b".into()], distance.map(|_| "distance".into()).into_iter().collect()];
        let names = [names.concat(), kept(0, "a"), kept(1, "b")].concat();
        let mut writer = match format {
            Format::Csv => Writer::Csv(Box::new(csv::Writer::from_writer(file))),
            Format::Ndjson => Writer::Ndjson(file),
        };
        if let Writer::Csv(csv) = &mut writer {
            csv.write_record(&names).map_err(plain)?;
        }
        Ok(Self { writer, sides, distance, names, digits: Vec::new() })
    }

    /// Writes a pair, by the numbers of its boxes.
    pub(super) fn write(&mut self, a: u32, b: u32) -> io::Result<()> {
        let Self { writer, sides, distance, names, digits } = self;
        let numbers = [a, b];
        let mut record = Record { writer, names: names.iter(), is_first: true, digits };
        for (side, number) in sides.iter().zip(numbers) {
            match side.ids {
                Some(ids) => record.text(ids.get(number))?,
                None => record.number(side.shapes.row(number))?,
            }
        }
        if let Some(distance) = distance {
            let [first, second] = [0, 1].map(|side| &sides[side].shapes.boxes[numbers[side] as usize]);
            record.number(distance(first, second))?;
        }
        for (side, number) in sides.iter().zip(numbers) {
            side.kept.iter().try_for_each(|texts| record.text(texts.get(number)))?;
        }
        record.end()
    }

    pub(super) fn finish(self) -> io::Result<()> {
        match self.writer {
            Writer::Csv(mut csv) => csv.flush(),
            Writer::Ndjson(file) => file.flush(),
        }
    }
}

/// A record being written.
struct Record<'w, 'a> {
    writer: &'w mut Writer<'a>,
    names: std::slice::Iter<'w, String>,
    is_first: bool,
    /// The digits of a number, kept for their memory.
    digits: &'w mut Vec<u8>,
}

impl Record<'_, '_> {
    fn number(&mut self, number: impl std::fmt::Display) -> io::Result<()> {
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

    fn text(&mut self, text: &str) -> io::Result<()> {
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

    fn end(self) -> io::Result<()> {
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
