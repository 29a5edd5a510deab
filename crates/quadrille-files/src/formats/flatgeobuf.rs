//! FlatGeobuf: a header, perhaps an index, and features, each with its length before it.
//!
//! Lengths in the file may be false: neither reads nor allocations ever exceed the length of the file.

use std::fmt::Display;
use std::io::{self, Read};
use std::ops::Range;

use flatgeobuf::packed_r_tree::PackedRTree;
use flatgeobuf::{ColumnType, Feature, GeometryType, Header};
use quadrille::Aabb;
use quadrille_shapes::{Part, Taker};

use super::Format;
use crate::columns::Columns;
use crate::error::{Error, shortened};
use crate::hull::{Geometry, Hull};
use crate::records::{Cell, Records};
use crate::source::{Bytes, Source, skip};
use crate::system::System;

pub(super) const FORMAT: Format =
    Format { name: "FlatGeobuf", is: |beginning| beginning.starts_with(b"fgb\x03fgb"), open };

/// Bytes before the header's length.
const MAGIC: u64 = 8;

/// The longest header that is read.
const MAX_HEADER: u32 = 10 << 20;

struct FlatGeobuf {
    name: String,
    bytes: Bytes,
    kind: GeometryType,
    columns: Columns,
    /// The types of all columns except that of geometries.
    types: Vec<ColumnType>,
    system: Option<System>,
    /// Features that the header announces; `None` if it does not say.
    promised: Option<u64>,
    read: u64,
    /// A feature, with its length.
    feature: Vec<u8>,
    chosen: Vec<usize>,
    /// Where in the feature the value of each column is, except that of geometries.
    values: Vec<Option<Range<usize>>>,
    /// The geometry, if the feature has one.
    positions: Option<Positions>,
}

fn open(source: Source) -> Result<Box<dyn Records>, Error> {
    let name = source.name.clone();
    let mut bytes = source.into_bytes();
    let in_file = |what: &dyn Display| Error::in_file(&name, shortened(&what.to_string()));
    skip(&mut bytes, MAGIC).map_err(|error| in_file(&error))?;
    let mut buffer = Vec::new();
    match read_sized(&mut bytes, &mut buffer, MAX_HEADER).map_err(|error| in_file(&error))? {
        true => {}
        false => return Err(in_file(&"it ends before its header")),
    }
    let header = flatgeobuf::size_prefixed_root_as_header(&buffer).map_err(|error| in_file(&error))?;
    let names = header.columns().into_iter().flatten().map(|column| column.name().to_owned());
    let columns = Columns::new(std::iter::once("geometry".to_owned()).chain(names).collect());
    let types: Vec<_> = header.columns().into_iter().flatten().map(|column| column.type_()).collect();
    let damaged = || in_file(&format_args!("its header is damaged: it announces {} features", header.features_count()));
    let index = index_size(&header).ok_or_else(damaged)?;
    let (kind, system) = (header.geometry_type(), system(&header));
    let promised = Some(header.features_count()).filter(|count| *count > 0);
    skip(&mut bytes, index).map_err(|error| in_file(&format_args!("its index: {error}")))?;
    Ok(Box::new(FlatGeobuf {
        values: vec![None; types.len()],
        name,
        bytes,
        kind,
        columns,
        types,
        system,
        promised,
        read: 0,
        feature: Vec::new(),
        chosen: Vec::new(),
        positions: None,
    }))
}

/// Bytes of the index; `None` if there are more features than any file has.
fn index_size(header: &Header<'_>) -> Option<u64> {
    let (count, node) = (header.features_count(), header.index_node_size());
    if count > 1 << 40 || node == 1 {
        return None;
    }
    match usize::try_from(count).ok()? {
        count if count > 0 && node > 0 => Some(PackedRTree::index_size(count, node) as u64),
        _ => Some(0),
    }
}

fn system(header: &Header<'_>) -> Option<System> {
    let crs = header.crs()?;
    let code = (crs.code() > 0).then(|| format!("{}:{}", crs.org().unwrap_or("EPSG"), crs.code()));
    match (crs.wkt().and_then(System::of_text), code) {
        (Some(system), Some(code)) => Some(system.called(&code)),
        (None, Some(code)) => Some(System::of_code(&code)),
        (system, None) => system,
    }
}

/// Reads a length (32 bits, little-endian) and as many bytes after it; fails if there are fewer. `false` at the end of
/// the file.
fn read_sized(bytes: &mut impl Read, buffer: &mut Vec<u8>, longest: u32) -> io::Result<bool> {
    buffer.clear();
    match bytes.by_ref().take(4).read_to_end(buffer)? {
        0 => return Ok(false),
        4 => {}
        _ => return Err(io::ErrorKind::UnexpectedEof.into()),
    }
    let length = u32::from_le_bytes([buffer[0], buffer[1], buffer[2], buffer[3]]);
    if length > longest {
        return Err(io::Error::other(format!("a length of {length} bytes, expected {longest} at most")));
    }
    let found = bytes.by_ref().take(length.into()).read_to_end(buffer)?;
    if found as u64 == u64::from(length) {
        Ok(true)
    } else {
        Err(io::Error::other(format!("a length of {length} bytes, but the file has only {found}")))
    }
}

impl FlatGeobuf {
    /// Reads the next feature into the memory of the last; `false` at the end.
    fn read_feature(&mut self) -> Result<bool, String> {
        if let Some(count) = self.promised.filter(|count| self.read >= *count) {
            return match self.bytes.read(&mut [0]).map_err(|error| error.to_string())? {
                0 => Ok(false),
                _ => Err(format!("the file goes on, though its header announces {count} features")),
            };
        }
        let is_there = read_sized(&mut self.bytes, &mut self.feature, u32::MAX).map_err(|error| error.to_string())?;
        match self.promised {
            Some(count) if !is_there => Err(format!("the file is truncated: its header announces {count} features")),
            _ => Ok(is_there),
        }
    }

    fn read_cells(&mut self) -> Result<(), String> {
        let feature =
            flatgeobuf::size_prefixed_root_as_feature(&self.feature).map_err(|error| shortened(&error.to_string()))?;
        let has_geometry = self.chosen.contains(&0);
        let mut positions = self.positions.take().unwrap_or_default();
        self.positions = feature.geometry().filter(|_| has_geometry).map(|geometry| {
            // One kind for all features, or each has its own.
            let kind = if self.kind == GeometryType::Unknown { geometry.type_() } else { self.kind };
            positions.read(&geometry, kind);
            positions
        });
        if self.chosen.iter().any(|column| *column > 0) {
            self.values = values(&feature, &self.types, &self.feature).ok_or("its properties are damaged")?;
        }
        Ok(())
    }
}

/// Where the values of a feature are. Each follows the number of its column, and texts their length; `None` if they do
/// not fit.
fn values(feature: &Feature<'_>, types: &[ColumnType], all: &[u8]) -> Option<Vec<Option<Range<usize>>>> {
    let mut values = vec![None; types.len()];
    let properties = feature.properties().map(|properties| properties.bytes()).unwrap_or_default();
    let offset = (properties.as_ptr() as usize)
        .checked_sub(all.as_ptr() as usize)
        .filter(|_| !properties.is_empty())
        .unwrap_or(0);
    let mut rest = properties;
    // Some programs write a byte too many.
    while rest.len() > 1 {
        let (column, after) = rest.split_first_chunk()?;
        let column = usize::from(u16::from_le_bytes(*column));
        let (length, after) = match *types.get(column)? {
            ColumnType::Byte | ColumnType::UByte | ColumnType::Bool => (1, after),
            ColumnType::Short | ColumnType::UShort => (2, after),
            ColumnType::Int | ColumnType::UInt | ColumnType::Float => (4, after),
            ColumnType::Long | ColumnType::ULong | ColumnType::Double => (8, after),
            ColumnType::String | ColumnType::Json | ColumnType::DateTime | ColumnType::Binary => {
                let (length, after) = after.split_first_chunk()?;
                (usize::try_from(u32::from_le_bytes(*length)).ok()?, after)
            }
            _ => return None,
        };
        let start = offset + properties.len() - after.len();
        rest = after.get(length..)?;
        values[column] = Some(start..start + length);
    }
    Some(values)
}

/// A value of a column of this type.
fn value(kind: ColumnType, bytes: &[u8]) -> Option<Cell<'_>> {
    Some(match kind {
        ColumnType::Bool => Cell::text_of(if *bytes.first()? == 0 { "false" } else { "true" }),
        ColumnType::Byte => Cell::Whole(i8::from_le_bytes(bytes.try_into().ok()?).into()),
        ColumnType::UByte => Cell::Whole(u8::from_le_bytes(bytes.try_into().ok()?).into()),
        ColumnType::Short => Cell::Whole(i16::from_le_bytes(bytes.try_into().ok()?).into()),
        ColumnType::UShort => Cell::Whole(u16::from_le_bytes(bytes.try_into().ok()?).into()),
        ColumnType::Int => Cell::Whole(i32::from_le_bytes(bytes.try_into().ok()?).into()),
        ColumnType::UInt => Cell::Whole(u32::from_le_bytes(bytes.try_into().ok()?).into()),
        ColumnType::Long => Cell::Whole(i64::from_le_bytes(bytes.try_into().ok()?).into()),
        ColumnType::ULong => Cell::Whole(u64::from_le_bytes(bytes.try_into().ok()?).into()),
        ColumnType::Float => Cell::Float(f32::from_le_bytes(bytes.try_into().ok()?)),
        ColumnType::Double => Cell::Number(f64::from_le_bytes(bytes.try_into().ok()?)),
        ColumnType::Binary => Cell::Bytes(bytes),
        _ => Cell::Text(bytes.into()),
    })
}

impl Records for FlatGeobuf {
    fn columns(&self) -> &Columns {
        &self.columns
    }

    fn is_of_features(&self) -> bool {
        true
    }

    fn system(&self) -> Option<&System> {
        self.system.as_ref()
    }

    fn choose(&mut self, columns: &[usize]) -> Result<(), Error> {
        self.chosen = columns.to_vec();
        Ok(())
    }

    fn next_row(&mut self) -> Result<bool, Error> {
        let is_there = self.read_feature().and_then(|is_there| match is_there {
            true => self.read_cells().map(|()| true),
            false => Ok(false),
        });
        self.read += 1;
        is_there.map_err(|what| self.error(&what))
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        let Some(column) = column.checked_sub(1) else {
            return self.positions.as_ref().map_or(Cell::Missing, |positions| Cell::Geometry(positions));
        };
        let bytes = self.values[column].clone().map(|range| &self.feature[range]);
        bytes.and_then(|bytes| value(self.types[column], bytes)).unwrap_or(Cell::Missing)
    }

    fn error(&self, what: &dyn Display) -> Error {
        Error::in_file(&self.name, format_args!("feature {} (from 0): {what}", self.read.saturating_sub(1)))
    }

    fn format(&self) -> String {
        FORMAT.name.into()
    }
}

/// The positions of a geometry.
#[derive(Default)]
struct Positions {
    all: Vec<[f64; 2]>,
    /// Where lines, rings and points begin, and what they are.
    parts: Vec<(usize, Part)>,
    is_collection: bool,
    /// Why it cannot be read.
    fault: Option<String>,
}

impl Positions {
    /// Reads a geometry into the memory of the last.
    fn read(&mut self, geometry: &flatgeobuf::Geometry<'_>, kind: GeometryType) {
        self.all.clear();
        self.parts.clear();
        self.is_collection = false;
        self.fault = self.add(geometry, kind).err();
    }

    fn add(&mut self, geometry: &flatgeobuf::Geometry<'_>, kind: GeometryType) -> Result<(), String> {
        match kind {
            GeometryType::Point | GeometryType::MultiPoint => self.add_points(geometry),
            GeometryType::LineString | GeometryType::MultiLineString => self.add_chains(geometry, [Part::Line; 2]),
            GeometryType::Polygon | GeometryType::Triangle => self.add_chains(geometry, [Part::Shell, Part::Hole]),
            GeometryType::TIN => {
                self.is_collection = true;
                self.add_chains(geometry, [Part::Shell; 2])
            }
            GeometryType::MultiPolygon => self.add_parts(geometry, Some(GeometryType::Polygon)),
            // A surface folds, so that seen from above its faces may overlap.
            GeometryType::PolyhedralSurface => {
                self.is_collection = true;
                self.add_parts(geometry, Some(GeometryType::Polygon))
            }
            GeometryType::GeometryCollection => {
                self.is_collection = true;
                self.add_parts(geometry, None)
            }
            other => Err(match other.variant_name().filter(|_| other != GeometryType::Unknown) {
                Some(name) => format!("is a {name}, which is not read: make curves straight first"),
                None => format!("is damaged: there is no type {}", other.0),
            }),
        }
    }

    /// Adds parts of one kind, or of their own.
    fn add_parts(&mut self, geometry: &flatgeobuf::Geometry<'_>, kind: Option<GeometryType>) -> Result<(), String> {
        if geometry.parts().is_none() && geometry.xy().is_some() {
            return Err("is damaged: it has positions, but no parts".into());
        }
        geometry.parts().into_iter().flatten().try_for_each(|part| self.add(&part, kind.unwrap_or(part.type_())))
    }

    /// Adds each position as a point.
    fn add_points(&mut self, geometry: &flatgeobuf::Geometry<'_>) -> Result<(), String> {
        let own = self.add_positions(geometry)?;
        self.parts.extend(own.map(|number| (number, Part::Point)));
        Ok(())
    }

    /// Adds lines or rings: what the first is, and what the others are.
    fn add_chains(&mut self, geometry: &flatgeobuf::Geometry<'_>, [first, others]: [Part; 2]) -> Result<(), String> {
        let own = self.add_positions(geometry)?;
        // One alone needs no end.
        let several = geometry.ends().filter(|ends| ends.len() > 1);
        let ends = || several.into_iter().flatten().map(|end| own.start + end as usize);
        if several.is_some() && (!ends().is_sorted() || ends().next_back() != Some(own.end)) {
            return Err("is damaged: its parts do not end where its positions do".into());
        }
        let starts = std::iter::once(own.start).chain(ends()).take_while(|start| *start < own.end);
        self.parts.extend(starts.zip(std::iter::once(first).chain(std::iter::repeat(others))));
        Ok(())
    }

    /// Adds the positions alone, and returns their numbers.
    fn add_positions(&mut self, geometry: &flatgeobuf::Geometry<'_>) -> Result<Range<usize>, String> {
        let first = self.all.len();
        if let Some(numbers) = geometry.xy() {
            if numbers.len() % 2 > 0 {
                return Err("is damaged: a position has only one coordinate".into());
            }
            self.all.extend((0..numbers.len()).step_by(2).map(|at| [numbers.get(at), numbers.get(at + 1)]));
        }
        Ok(first..self.all.len())
    }
}

impl Geometry for Positions {
    fn bounds(&self, mut hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        if self.is_collection {
            hull.collection();
        }
        let ends = self.parts.iter().skip(1).map(|(start, _)| *start).chain([self.all.len()]);
        for ((start, part), end) in self.parts.iter().zip(ends) {
            hull.add_part(*part, self.all[*start..end].iter().copied());
        }
        hull.finish()
    }
}
