//! Bounding boxes of geometries in binary (WKB): *OpenGIS Simple Features, Part 1* (OGC 06-103r4, 2011), PostGIS's EWKB
//! too.
//!
//! A geometry is the order of its bytes (0: big-endian first), its type, a number of parts, then the parts. No part is
//! allocated by its length, so lengths that are not true run into the end of the bytes.

use quadrille::Aabb;
use quadrille_shapes::Part;

use crate::hull::Hull;

/// The bounding box of a geometry; `None` if it is empty.
pub(crate) fn bounds(bytes: &[u8], hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String> {
    let mut reader = Reader { rest: bytes, is_little_endian: true, hull };
    reader.geometry(0)?;
    reader.hull.finish()
}

/// Bytes in hexadecimal digits, as geometries are written in text.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

/// The deepest nesting of collections that is read. Real files have at most two levels.
const DEEPEST: u32 = 32;

struct Reader<'a> {
    rest: &'a [u8],
    is_little_endian: bool,
    hull: Hull<'a>,
}

impl Reader<'_> {
    fn geometry(&mut self, depth: u32) -> Result<(), String> {
        if depth > DEEPEST {
            return Err("is no good WKB: collections in collections, too many of them".into());
        }
        self.is_little_endian = self.take::<1>()? != [0];
        let code = self.number()?;
        // PostGIS marks what is there by high bits, ISO by thousands.
        let (has_z, has_m, has_system) = (code & 1 << 31 != 0, code & 1 << 30 != 0, code & 1 << 29 != 0);
        let plain = code & 0x0fff_ffff;
        let dimensions =
            2 + u32::from(has_z) + u32::from(has_m) + [0, 1, 1, 2].get(plain as usize / 1000).copied().unwrap_or(0);
        if has_system {
            let system = self.number()?;
            self.hull.name_system(system);
        }
        match plain % 1000 {
            1 => {
                self.hull.begin_part(Part::Point);
                self.position(dimensions)
            }
            2 => self.positions(dimensions, Part::Line),
            3 => {
                let mut part = Part::Shell;
                self.repeat(|reader| reader.positions(dimensions, std::mem::replace(&mut part, Part::Hole)))
            }
            4..=6 => self.repeat(|reader| reader.geometry(depth + 1)),
            7 => {
                self.hull.begin_collection();
                self.repeat(|reader| reader.geometry(depth + 1))
            }
            other => Err(format!(
                "is WKB of type {other}, which is not read: curves and surfaces are to be made straight first"
            )),
        }
    }

    fn positions(&mut self, dimensions: u32, part: Part) -> Result<(), String> {
        self.hull.begin_part(part);
        self.repeat(|reader| reader.position(dimensions))
    }

    fn repeat(&mut self, mut part: impl FnMut(&mut Self) -> Result<(), String>) -> Result<(), String> {
        (0..self.number()?).try_for_each(|_| part(self))
    }

    /// A point without a place, which is how an empty one is written, is NaN.
    fn position(&mut self, dimensions: u32) -> Result<(), String> {
        let point = [self.float()?, self.float()?];
        (2..dimensions).try_for_each(|_| self.float().map(drop))?;
        if point.iter().all(|number| number.is_nan()) {
            self.hull.add_nothing();
        } else {
            self.hull.add(point[0], point[1]);
        }
        Ok(())
    }

    fn number(&mut self) -> Result<u32, String> {
        let bytes = self.take()?;
        Ok(if self.is_little_endian { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    }

    fn float(&mut self) -> Result<f64, String> {
        let bytes = self.take()?;
        Ok(if self.is_little_endian { f64::from_le_bytes(bytes) } else { f64::from_be_bytes(bytes) })
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or("is no good WKB: it ends too soon")?;
        self.rest = rest;
        Ok(*bytes)
    }
}
