//! Bounding boxes in the main file of a shapefile (`.shp`): *ESRI Shapefile Technical Description*, 1998.
//!
//! After a header of 100 bytes come records: number and length (big-endian), type, and the box of the shape or, of
//! points, its place (little-endian). Nothing else of a record is looked at. The table beside it (`.dbf`) is not read.

use std::io::{self, Read};

use quadrille::Aabb;

use crate::error::Error;
use crate::shapes::Rows;
use crate::source::Source;

/// Reads the bounding box of each shape.
pub(crate) fn read(source: Source, shapes: &mut Rows<'_>) -> Result<(), Error> {
    let name = source.name.clone();
    if let Some(column) = shapes.kept.first() {
        let what = "is in the .dbf file, which is not read; `ogr2ogr -f GeoJSON out.geojson IN` joins them";
        return Err(Error::in_file(name, format_args!("column {:?} {what}", column.name)));
    }
    let mut bytes = source.into_bytes();
    skip(&mut bytes, 100).map_err(|error| Error::in_file(&name, error))?;
    loop {
        let shape = shapes.next_row();
        let bad = |what: &dyn std::fmt::Display| Error::in_file(&name, format_args!("shape {shape} (from 0): {what}"));
        let Some(bounds) = record(&mut bytes).map_err(|error| bad(&error))? else { break };
        let bounds = bounds.map(Aabb::check).transpose().map_err(|error| bad(&error))?;
        shapes.push(bounds).map_err(|what| bad(&what))?;
    }
    shapes.format = "shapefile".into();
    shapes.taken = "bounding boxes of shapes".into();
    Ok(())
}

/// The box of the next record, if the shape has one; `None` at the end of the file.
fn record(bytes: &mut impl Read) -> io::Result<Option<Option<Aabb<f64>>>> {
    // The number of the record.
    match io::copy(&mut bytes.by_ref().take(4), &mut io::sink())? {
        0 => return Ok(None),
        4 => {}
        _ => return Err(io::ErrorKind::UnexpectedEof.into()),
    }
    let mut length = [0; 4];
    bytes.read_exact(&mut length)?;
    let length = 2 * u64::from(u32::from_be_bytes(length));
    let mut kind = [0; 4];
    bytes.read_exact(&mut kind)?;
    let numbers = match u32::from_le_bytes(kind) {
        0 => 0,
        1 | 11 | 21 => 2,
        3 | 5 | 8 | 13 | 15 | 18 | 23 | 25 | 28 | 31 => 4,
        other => return Err(invalid(format!("there is no type {other}"))),
    };
    let mut all = [0.0; 4];
    for number in &mut all[..numbers] {
        let mut float = [0; 8];
        bytes.read_exact(&mut float)?;
        *number = f64::from_le_bytes(float);
    }
    let read = 4 + 8 * numbers as u64;
    skip(bytes, length.checked_sub(read).ok_or_else(|| invalid(format!("a record of {length} bytes is too short")))?)?;
    let [a, b, c, d] = all;
    Ok(Some(match numbers {
        0 => None,
        2 => Some(Aabb::new([a, b], [a, b])),
        _ => Some(Aabb::new([a, b], [c, d])),
    }))
}

fn skip(bytes: &mut impl Read, count: u64) -> io::Result<()> {
    let skipped = io::copy(&mut bytes.by_ref().take(count), &mut io::sink())?;
    if skipped == count { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
