//! Shapefiles: *ESRI Shapefile Technical Description*, 1998.
//!
//! After a header of 100 bytes come records: number and length (big-endian), type, and the box of the shape or, of
//! points, its place (little-endian). Positions are looked at only on the globe, where a wide box may cross the antimeridian. The columns
//! are in the table beside it (`.dbf`), the system of the coordinates in the text beside it (`.prj`).

use std::fmt::Display;
use std::io::{self, Read};

use quadrille::Aabb;
use quadrille_shapes::Part;

use super::Format;
use crate::attributes::Attributes;
use crate::columns::Columns;
use crate::error::Error;
use crate::hull::{Geometry, Hull};
use crate::records::{Cell, Records};
use crate::source::{Bytes, Source};
use crate::system::System;

pub(super) const FORMAT: Format = Format { name: "shapefile", is: |beginning| beginning.starts_with(b"\x00\x00\x27\x0A"), open };

struct Shapefile {
    name: String,
    bytes: Bytes,
    columns: Columns,
    /// The table beside it, or why there is none.
    attributes: Result<Attributes, Error>,
    /// Whether something of the table was asked for.
    has_attributes: bool,
    system: Option<System>,
    read: u64,
    record: Option<Record>,
}

fn open(source: Source) -> Result<Box<dyn Records>, Error> {
    let name = source.name.clone();
    let attributes = match &source.path {
        Some(path) => Attributes::beside(path),
        None => Err(Error::in_file(&name, "columns are in the .dbf file, which is only found beside a .shp file that is not packed")),
    };
    let own = std::iter::once("geometry".to_owned());
    let names = attributes.as_ref().map_or(&[][..], |attributes| attributes.columns().names());
    let columns = Columns::new(own.chain(names.iter().cloned()).collect());
    let system = source.path.as_ref().and_then(|path| {
        let text = ["prj", "PRJ"].into_iter().find_map(|ending| std::fs::read(path.with_extension(ending)).ok())?;
        System::of_text(&String::from_utf8_lossy(&text[..text.len().min(1 << 16)]))
    });
    let mut bytes = source.into_bytes();
    skip(&mut bytes, 100).map_err(|error| Error::in_file(&name, error))?;
    Ok(Box::new(Shapefile { name, bytes, columns, attributes, has_attributes: false, system, read: 0, record: None }))
}

impl Records for Shapefile {
    fn columns(&self) -> &Columns {
        &self.columns
    }

    fn own_shape(&self) -> &[usize] {
        &[0]
    }

    fn is_of_features(&self) -> bool {
        true
    }

    fn system(&self) -> Option<&System> {
        self.system.as_ref()
    }

    fn error_without_column(&self) -> Option<Error> {
        self.attributes.as_ref().err().cloned()
    }

    fn choose(&mut self, columns: &[usize]) -> Result<(), Error> {
        self.has_attributes = columns.iter().any(|column| *column > 0);
        let mut of_attributes = columns.iter().filter_map(|column| column.checked_sub(1));
        match &self.attributes {
            Ok(attributes) => of_attributes.try_for_each(|column| attributes.check(column)),
            Err(_) => Ok(()),
        }
    }

    fn next_row(&mut self) -> Result<bool, Error> {
        self.read += 1;
        self.record = record(&mut self.bytes).map_err(|error| self.error(&error))?;
        match (&self.record, &mut self.attributes) {
            (Some(_), Ok(attributes)) if self.has_attributes => attributes.next_row().map(|()| true),
            (record, _) => Ok(record.is_some()),
        }
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        match (column.checked_sub(1), &self.record, &self.attributes) {
            (None, Some(record), _) if record.bounds.is_some() => Cell::Geometry(record),
            (Some(column), _, Ok(attributes)) => Cell::Text(attributes.text(column).into()),
            _ => Cell::Missing,
        }
    }

    fn error(&self, what: &dyn Display) -> Error {
        Error::in_file(&self.name, format_args!("shape {} (from 0): {what}", self.read.saturating_sub(1)))
    }

    fn format(&self) -> String {
        FORMAT.name.into()
    }
}

/// A shape.
struct Record {
    kind: u32,
    /// As the file has it; none: nothing.
    bounds: Option<Aabb<f64>>,
    /// What comes after the box.
    rest: Vec<u8>,
}

impl Geometry for Record {
    fn bounds(&self, mut hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String> {
        let Some(bounds) = self.bounds else { return Ok(None) };
        if hull.is_keeping() {
            if !matches!(self.kind, 1 | 11 | 21) {
                return Err("is of a shapefile, of which only points and boxes are read; `ogr2ogr -f FlatGeobuf` makes a file whose \
                            shapes are"
                    .into());
            }
            hull.begin_part(Part::Point);
            hull.add(bounds.min[0], bounds.min[1]);
            return hull.finish();
        }
        if hull.is_on_globe() && bounds.max[0] - bounds.min[0] > 180.0 {
            return positions(&self.rest, self.kind, hull).ok_or("has fewer positions than it says")?.finish();
        }
        bounds.check().map(Some).map_err(|error| error.to_string())
    }
}

/// The next record; `None` at the end of the file.
fn record(bytes: &mut impl Read) -> io::Result<Option<Record>> {
    // The number of the record.
    match io::copy(&mut bytes.by_ref().take(4), &mut io::sink())? {
        0 => return Ok(None),
        4 => {}
        _ => return Err(io::ErrorKind::UnexpectedEof.into()),
    }
    let length = 2 * u64::from(u32::from_be_bytes(number(bytes)?));
    let kind = u32::from_le_bytes(number(bytes)?);
    let numbers = match kind {
        0 => 0,
        1 | 11 | 21 => 2,
        3 | 5 | 8 | 13 | 15 | 18 | 23 | 25 | 28 | 31 => 4,
        other => return Err(invalid(format!("there is no type {other}"))),
    };
    let mut all = [0.0; 4];
    for one in &mut all[..numbers] {
        *one = f64::from_le_bytes(number(bytes)?);
    }
    let read = 4 + 8 * numbers as u64;
    let left = length.checked_sub(read).ok_or_else(|| invalid(format!("a record of {length} bytes is too short")))?;
    let [a, b, c, d] = all;
    let bounds = match numbers {
        0 => None,
        2 => Some(Aabb::new([a, b], [a, b])),
        _ => Some(Aabb::new([a, b], [c, d])),
    };
    // Only these may cross the antimeridian.
    let is_wide = numbers == 4 && c - a > 180.0;
    let mut rest = Vec::new();
    if is_wide {
        bytes.by_ref().take(left).read_to_end(&mut rest)?;
    }
    skip(bytes, left - rest.len() as u64)?;
    Ok(Some(Record { kind, bounds, rest }))
}

/// Adds the positions after the box of a shape; `None` if they are not all there.
fn positions<'a>(mut rest: &[u8], kind: u32, mut hull: Hull<'a>) -> Option<Hull<'a>> {
    let mut count = || {
        let (number, after) = rest.split_first_chunk()?;
        rest = after;
        usize::try_from(u32::from_le_bytes(*number)).ok()
    };
    let are_points = matches!(kind, 8 | 18 | 28);
    let parts = if are_points { 0 } else { count()? };
    let points = count()?;
    // Of a patch, each part has a type.
    let before = parts.checked_mul(if kind == 31 { 8 } else { 4 })?;
    let (starts, rest) = rest.split_at_checked(before)?;
    // In order, as the description demands; what is not only makes a box wider.
    let mut starts =
        starts[..4 * parts].chunks_exact(4).map(|start| start.try_into().map_or(0, u32::from_le_bytes)).peekable();
    for (number, point) in (0..).zip(rest.get(..points.checked_mul(16)?)?.chunks_exact(16)) {
        if are_points || starts.next_if_eq(&number).is_some() {
            hull.begin_part(Part::Line);
        }
        let [x, y] = [&point[..8], &point[8..]].map(|half| half.try_into().map_or(f64::NAN, f64::from_le_bytes));
        hull.add(x, y);
    }
    Some(hull)
}

fn number<const N: usize>(bytes: &mut impl Read) -> io::Result<[u8; N]> {
    let mut number = [0; N];
    bytes.read_exact(&mut number)?;
    Ok(number)
}

fn skip(bytes: &mut impl Read, count: u64) -> io::Result<()> {
    let skipped = io::copy(&mut bytes.by_ref().take(count), &mut io::sink())?;
    if skipped == count { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
