//! Bounding boxes in the main file of a shapefile (`.shp`): *ESRI Shapefile Technical Description*, 1998.
//!
//! After a header of 100 bytes come records: number and length (big-endian), type, and the box of the shape or, of
//! points, its place (little-endian). Positions are looked at only on the globe, where a wide box may cross the antimeridian. What is kept
//! of rows is in the table beside it.

use std::io::{self, Read};

use quadrille::Aabb;

use crate::attributes::Attributes;
use crate::error::Error;
use crate::hull::Hull;
use crate::shapes::Rows;
use crate::source::Source;

/// Reads the bounding box of each shape.
pub(crate) fn read(source: Source, shapes: &mut Rows<'_>) -> Result<(), Error> {
    let name = source.name.clone();
    let mut attributes = attributes(&source, shapes)?;
    let mut bytes = source.into_bytes();
    skip(&mut bytes, 100).map_err(|error| Error::in_file(&name, error))?;
    loop {
        let shape = shapes.next_row();
        let bad = |what: &dyn std::fmt::Display| Error::in_file(&name, format_args!("shape {shape} (from 0): {what}"));
        let hull = shapes.is_on_globe().then(|| shapes.hull());
        let Some(bounds) = record(&mut bytes, hull).map_err(|error| bad(&error))? else { break };
        let bounds = bounds.map(Aabb::check).transpose().map_err(|error| bad(&error))?;
        shapes.push(bounds).map_err(|what| bad(&what))?;
        if let Some(attributes) = &mut attributes {
            attributes.next_row()?;
            if bounds.is_some() {
                shapes.kept.iter_mut().zip(attributes.texts()).for_each(|(kept, text)| kept.push(&text));
            }
        }
    }
    shapes.format = "shapefile".into();
    shapes.taken = "bounding boxes of shapes".into();
    Ok(())
}

/// The table, if something of it is to be kept.
fn attributes(source: &Source, shapes: &Rows<'_>) -> Result<Option<Attributes>, Error> {
    let Some(first) = shapes.kept.first() else { return Ok(None) };
    let Some(path) = &source.path else {
        let what = "is in the .dbf file, which is only found beside a .shp file that is not packed";
        return Err(Error::in_file(&source.name, format_args!("column {:?} {what}", first.name)));
    };
    let wanted: Vec<_> = shapes.kept.iter().map(|texts| texts.name.as_str()).collect();
    Attributes::beside(path, &wanted).map(Some)
}

/// The box of the next record, if the shape has one; `None` at the end of the file.
fn record(bytes: &mut impl Read, hull: Option<Hull>) -> io::Result<Option<Option<Aabb<f64>>>> {
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
    if let (Some(hull), 4, true) = (hull, numbers, c - a > 180.0) {
        let mut rest = Vec::new();
        bytes.by_ref().take(left).read_to_end(&mut rest)?;
        let found = if rest.len() as u64 == left { positions(&rest, kind, hull) } else { None };
        return found
            .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
            .and_then(|hull| hull.finish().map_err(invalid))
            .map(Some);
    }
    skip(bytes, left)?;
    Ok(Some(match numbers {
        0 => None,
        2 => Some(Aabb::new([a, b], [a, b])),
        _ => Some(Aabb::new([a, b], [c, d])),
    }))
}

/// Adds the positions after the box of a shape; `None` if they are not all there.
fn positions(mut rest: &[u8], kind: u32, mut hull: Hull) -> Option<Hull> {
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
            hull.begin_part();
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
