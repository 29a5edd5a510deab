//! Shapefiles: *ESRI Shapefile Technical Description*, 1998.
//!
//! After a header of 100 bytes come records: number and length (big-endian), type, and the shape's box or, for points,
//! the position (little-endian). All positions are read only if shapes are kept, and on the globe, where a wide box may
//! cross the antimeridian. Where each row's record is, is in an index beside the file (`.shx`), the columns are in a table
//! (`.dbf`), what encodes them and the coordinate system in texts (`.cpg`, `.prj`).

mod places;

use std::fmt::Display;
use std::io;

use quadrille::Aabb;
use quadrille_shapes::Part;

use self::places::{Places, places};
use super::Format;
use crate::attributes::Attributes;
use crate::columns::Columns;
use crate::error::Error;
use crate::hull::{Geometry, Hull, placed};
use crate::records::{Cell, Records};
use crate::rings;
use crate::source::{Source, beside};
use crate::system::System;

pub(super) const FORMAT: Format =
    Format { name: "shapefile", is: |beginning| beginning.starts_with(b"\x00\x00\x27\x0A"), open };

struct Shapefile {
    name: String,
    places: Places,
    columns: Columns,
    /// The table beside it, or why there is none.
    attributes: Result<Attributes, Error>,
    /// Whether a column of the table is needed.
    has_attributes: bool,
    system: Option<System>,
    read: u64,
    record: Option<Record>,
}

fn open(source: Source) -> Result<Box<dyn Records>, Error> {
    let name = source.name.clone();
    let attributes = match &source.path {
        Some(path) => Attributes::beside(path),
        None => Err(Error::in_file(
            &name,
            "columns are in the .dbf file, which is only found beside a .shp file that is not packed",
        )),
    };
    let own = std::iter::once("geometry".to_owned());
    let names = attributes.as_ref().map_or(&[][..], |attributes| attributes.columns().names());
    let columns = Columns::new(own.chain(names.iter().cloned()).collect());
    let system = source.path.as_ref().and_then(|path| {
        let text = std::fs::read(beside(path, "prj")?).ok()?;
        System::of_text(&String::from_utf8_lossy(&text[..text.len().min(1 << 16)]))
    });
    let places = places(source).map_err(|error| Error::in_file(&name, error))?;
    Ok(Box::new(Shapefile { name, places, columns, attributes, has_attributes: false, system, read: 0, record: None }))
}

impl Records for Shapefile {
    fn columns(&self) -> &Columns {
        &self.columns
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

    /// A row that was deleted has no number, as elsewhere.
    fn next_row(&mut self) -> Result<bool, Error> {
        self.read += 1;
        loop {
            let content = self.places.next().map(|content| Record::of(&content?)).transpose();
            self.record = content.map_err(|error| self.error(&error))?;
            if self.record.is_none() || !self.is_deleted()? {
                return Ok(self.record.is_some());
            }
        }
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        match (column.checked_sub(1), &self.record, &self.attributes) {
            (None, Some(record), _) if record.bounds.is_some() => Cell::Geometry(record),
            (Some(column), _, Ok(attributes)) => attributes.text(column).map_or_else(Cell::Bad, Cell::Text),
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

impl Shapefile {
    /// Goes to the row of the shape in the table, which says whether it was deleted. A bad table matters only if a column is
    /// needed.
    fn is_deleted(&mut self) -> Result<bool, Error> {
        match self.attributes.as_mut().map(Attributes::next_row) {
            Ok(Err(error)) if self.has_attributes => Err(error),
            row => Ok(matches!(row, Ok(Ok(true)))),
        }
    }
}

/// A shape.
struct Record {
    kind: u32,
    /// As in the file; `None` if there is none.
    bounds: Option<Aabb<f64>>,
    /// What comes after the box.
    rest: Vec<u8>,
}

impl Geometry for Record {
    fn bounds(&self, mut hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String> {
        let Some(bounds) = self.bounds else { return Ok(None) };
        if IS_POINT.contains(&self.kind) {
            hull.add_part(Part::Point, [bounds.min]);
            return hull.finish();
        }
        let is_wide = bounds.max[0] - bounds.min[0] > 180.0;
        if hull.is_keeping() || hull.is_on_globe() && is_wide {
            self.add_positions(&mut hull)?;
            return hull.finish();
        }
        let bounds = bounds.check().map_err(|error| error.to_string())?;
        placed(bounds, hull.is_on_globe()).map(Some)
    }
}

const IS_POINT: [u32; 3] = [1, 11, 21];
/// Several points, without parts.
const ARE_POINTS: [u32; 3] = [8, 18, 28];
const ARE_AREAS: [u32; 3] = [5, 15, 25];

impl Record {
    fn of(content: &[u8]) -> io::Result<Self> {
        let too_short = || io::Error::other(format!("a record of {} bytes is too short", content.len()));
        let (kind, rest) = content.split_first_chunk().ok_or_else(too_short)?;
        let kind = u32::from_le_bytes(*kind);
        let count = match kind {
            0 => 0,
            _ if IS_POINT.contains(&kind) => 2,
            3 | 5 | 8 | 13 | 15 | 18 | 23 | 25 | 28 | 31 => 4,
            other => return Err(io::Error::other(format!("there is no type {other}"))),
        };
        let (numbers, rest) = rest.split_at_checked(8 * count).ok_or_else(too_short)?;
        let numbers: Vec<f64> = numbers.chunks_exact(8).map(coordinate).collect();
        let bounds = match numbers[..] {
            [x, y] => Some(Aabb::new([x, y], [x, y])),
            [a, b, c, d] => Some(Aabb::new([a, b], [c, d])),
            _ => None,
        };
        Ok(Self { kind, bounds, rest: rest.into() })
    }

    fn add_positions(&self, hull: &mut Hull<'_>) -> Result<(), String> {
        if hull.is_keeping() && self.kind == 31 {
            return Err("is a surface in space (a multipatch), which is not read".into());
        }
        let (starts, positions) =
            parts_and_positions(&self.rest, self.kind).ok_or("has fewer positions than it says")?;
        if ARE_POINTS.contains(&self.kind) {
            positions.into_iter().for_each(|point| hull.add_part(Part::Point, [point]));
            return Ok(());
        }
        // In order, as the specification demands.
        let ends = starts.iter().copied().skip(1).chain([positions.len()]);
        let parts = starts.iter().zip(ends).map(|(start, end)| positions.get(*start..end));
        let parts = parts.collect::<Option<Vec<_>>>().ok_or("has parts that are not in order")?;
        if hull.is_keeping() && ARE_AREAS.contains(&self.kind) {
            rings::in_polygons(&parts).iter().for_each(|(part, ring)| hull.add_part(*part, ring.iter().copied()));
        } else {
            parts.iter().for_each(|line| hull.add_part(Part::Line, line.iter().copied()));
        }
        Ok(())
    }
}

/// Numbers of positions where parts begin, and the positions after the box of a shape; `None` if they are not all
/// there.
fn parts_and_positions(mut rest: &[u8], kind: u32) -> Option<(Vec<usize>, Vec<[f64; 2]>)> {
    let mut count = || {
        let (number, after) = rest.split_first_chunk()?;
        rest = after;
        usize::try_from(u32::from_le_bytes(*number)).ok()
    };
    let parts = if ARE_POINTS.contains(&kind) { 0 } else { count()? };
    let points = count()?;
    // Of a patch, each part has a type.
    let before = parts.checked_mul(if kind == 31 { 8 } else { 4 })?;
    let (starts, rest) = rest.split_at_checked(before)?;
    let starts =
        starts[..4 * parts].chunks_exact(4).map(|start| start.try_into().map_or(0, u32::from_le_bytes) as usize);
    let positions = rest.get(..points.checked_mul(16)?)?.chunks_exact(16);
    Some((starts.collect(), positions.map(|point| [coordinate(&point[..8]), coordinate(&point[8..])]).collect()))
}

fn coordinate(bytes: &[u8]) -> f64 {
    bytes.try_into().map_or(f64::NAN, f64::from_le_bytes)
}
