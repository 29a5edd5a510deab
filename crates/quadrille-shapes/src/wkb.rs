//! Geometries in binary (WKB): *OpenGIS Simple Features, Part 1* (OGC 06-103r4, 2011), PostGIS's EWKB too.
//!
//! A geometry is the order of its bytes (0: big-endian first), its type, a number of parts, then the parts. Nothing is
//! allocated by a stated length, so a false length only runs into the end of the bytes.

use crate::geometries::{Geometries, Part};

/// Receives a geometry part by part as it is read.
pub trait Taker {
    /// The geometry is a collection.
    fn collection(&mut self);

    /// A part begins.
    fn part(&mut self, part: Part);

    /// A point of the part. Two that are NaN are an empty point.
    fn vertex(&mut self, x: f64, y: f64);

    /// The geometry names its coordinate system by EPSG number; 0 is none.
    fn system(&mut self, _number: u32) {}
}

impl Taker for Geometries {
    fn collection(&mut self) {
        self.collection();
    }

    fn part(&mut self, part: Part) {
        self.part(part);
    }

    fn vertex(&mut self, x: f64, y: f64) {
        self.vertex(x, y);
    }
}

/// Passes the parts of a geometry to `taker`. Heights and measures are left out.
///
/// # Errors
/// If it cannot be read: says why. Some parts may have been passed on by then.
pub fn read_wkb(bytes: &[u8], taker: &mut impl Taker) -> Result<(), String> {
    Reader { rest: bytes, is_little_endian: true, taker }.geometry(0)
}

impl Geometries {
    /// Adds a geometry in well-known binary, and returns whether there was anything in it. Empty or rejected geometries
    /// get no number.
    ///
    /// # Errors
    /// If it cannot be read, or is invalid: see [`finish`](Self::finish).
    pub fn push_wkb(&mut self, bytes: &[u8]) -> Result<bool, String> {
        // A point as most write it, of which there may be millions.
        if let Some((&[1, 1, 0, 0, 0], point)) = bytes.split_first_chunk() {
            if let Some((x, y)) = point.split_first_chunk().and_then(|(x, rest)| Some((x, rest.first_chunk()?))) {
                return self
                    .push_point([x, y].map(|number| f64::from_le_bytes(*number)))
                    .map_err(|fault| fault.to_string());
            }
        }
        let read = read_wkb(bytes, self);
        if read.is_err() {
            self.discard();
        }
        read?;
        self.finish().map_err(|fault| fault.to_string())
    }
}

/// The deepest nesting of collections that is read. Real files have at most two levels.
const DEEPEST: u32 = 32;

struct Reader<'a, T> {
    rest: &'a [u8],
    is_little_endian: bool,
    taker: &'a mut T,
}

impl<T: Taker> Reader<'_, T> {
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
            self.taker.system(system);
        }
        match plain % 1000 {
            1 => {
                self.taker.part(Part::Point);
                self.position(dimensions)
            }
            2 => self.positions(dimensions, Part::Line),
            3 => {
                let mut part = Part::Shell;
                self.repeat(|reader| reader.positions(dimensions, std::mem::replace(&mut part, Part::Hole)))
            }
            4..=6 => self.repeat(|reader| reader.geometry(depth + 1)),
            7 => {
                self.taker.collection();
                self.repeat(|reader| reader.geometry(depth + 1))
            }
            other => Err(format!(
                "is WKB of type {other}, which is not read: curves and surfaces are to be made straight first"
            )),
        }
    }

    fn positions(&mut self, dimensions: u32, part: Part) -> Result<(), String> {
        self.taker.part(part);
        self.repeat(|reader| reader.position(dimensions))
    }

    fn repeat(&mut self, mut part: impl FnMut(&mut Self) -> Result<(), String>) -> Result<(), String> {
        (0..self.number()?).try_for_each(|_| part(self))
    }

    /// An empty point is written as NaN.
    fn position(&mut self, dimensions: u32) -> Result<(), String> {
        let point = [self.float()?, self.float()?];
        (2..dimensions).try_for_each(|_| self.float().map(drop))?;
        self.taker.vertex(point[0], point[1]);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_alike_in_either_order_of_bytes() {
        for point in [[1.5, -2.0], [-0.0, 0.0], [f64::NAN; 2], [f64::NAN, 1.0], [f64::INFINITY, 0.0], [1e-320, 1e300]] {
            let little = [&[1, 1, 0, 0, 0][..], &point.map(f64::to_le_bytes).concat()].concat();
            let big = [&[0, 0, 0, 0, 1][..], &point.map(f64::to_be_bytes).concat()].concat();
            let read = |bytes: &[u8]| {
                let mut all = Geometries::new();
                let mut written = Vec::new();
                let pushed = all.push_wkb(bytes);
                (0..all.len() as u32).for_each(|number| all.write_bytes(number, &mut written));
                (pushed, written)
            };
            assert_eq!(read(&little), read(&big), "{point:?}");
            assert_eq!(read(&little[..20]), read(&big[..20]), "cut off");
        }
    }
}
