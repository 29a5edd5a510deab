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
/// Surfaces of polygons or triangles (types 15 and 16) are passed on as collections of polygons.
///
/// # Errors
/// Returns an error if it cannot be read, is a curve, or bytes are left over. The message says why. Some parts may have been passed
/// on by then.
pub fn read_wkb(bytes: &[u8], taker: &mut impl Taker) -> Result<(), String> {
    let mut reader = Reader { rest: bytes, is_little_endian: true, taker };
    let read = reader.geometry(0).and_then(|()| match reader.rest.len() {
        0 => Ok(()),
        left => Err(format!("is not valid WKB: {left} bytes are left over")),
    });
    read.map_err(|what| foreign(bytes).map_or(what, String::from))
}

/// Which program's format wraps the WKB of a geometry, if any, and what to do.
fn foreign(bytes: &[u8]) -> Option<&'static str> {
    match *bytes {
        [b'G', b'P', ..] => Some("is a geometry in GeoPackage's format, not WKB: select ST_AsBinary(geom)"),
        [0, 0 | 1, .., 0xFE] if bytes.get(38) == Some(&0x7C) => {
            Some("is a geometry in SpatiaLite's format, not WKB: select AsBinary(geom)")
        }
        // Four bytes for the coordinate system, then WKB.
        [_, _, _, _, 1, 1..=7, 0, 0, 0, ..] => {
            Some("is a geometry in MySQL's format, not WKB: select ST_AsBinary(geom)")
        }
        _ => None,
    }
}

impl Geometries {
    /// Adds a geometry in well-known binary, and returns whether there was anything in it. Empty or rejected geometries
    /// get no number.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or is invalid: see [`finish`](Self::finish).
    pub fn push_wkb(&mut self, bytes: &[u8]) -> Result<bool, String> {
        // A point as most programs write it: there may be millions.
        if let Some(([1, 1, 0, 0, 0], point)) = bytes.split_first_chunk() {
            let numbers = point.split_first_chunk().and_then(|(x, rest)| Some((x, rest.split_first_chunk()?)));
            if let Some((&x, (&y, []))) = numbers {
                return self.push_point([x, y].map(f64::from_le_bytes)).map_err(|fault| fault.to_string());
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

/// Types that are not read, from number 8 on.
const CURVES: [&str; 7] =
    ["CircularString", "CompoundCurve", "CurvePolygon", "MultiCurve", "MultiSurface", "Curve", "Surface"];

/// The deepest nesting of collections that is read. Real files have at most two levels.
const MAX_DEPTH: u32 = 32;

struct Reader<'a, T> {
    rest: &'a [u8],
    is_little_endian: bool,
    taker: &'a mut T,
}

impl<T: Taker> Reader<'_, T> {
    fn geometry(&mut self, depth: u32) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err("is not valid WKB: collections in collections, too many of them".into());
        }
        self.is_little_endian = match self.take()? {
            [0] => false,
            [1] => true,
            [other] => return Err(format!("is not valid WKB: {other} where the order of bytes is expected, 0 or 1")),
        };
        let code = self.number()?;
        // PostGIS marks what is there by high bits, ISO by thousands.
        let (has_z, has_m, has_system) = (code & 1 << 31 != 0, code & 1 << 30 != 0, code & 1 << 29 != 0);
        let plain = code & 0x0fff_ffff;
        let of_iso = [0, 1, 1, 2].get(plain as usize / 1000);
        let of_iso = of_iso.ok_or_else(|| format!("is not valid WKB: there is no type {plain}"))?;
        let dimensions = 2 + u32::from(has_z) + u32::from(has_m) + of_iso;
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
            // A triangle is a polygon.
            3 | 17 => {
                let mut part = Part::Shell;
                self.repeat(|reader| reader.positions(dimensions, std::mem::replace(&mut part, Part::Hole)))
            }
            4..=6 => self.repeat(|reader| reader.geometry(depth + 1)),
            // A surface folds, so that seen from above its faces may overlap.
            7 | 15 | 16 => {
                self.taker.collection();
                self.repeat(|reader| reader.geometry(depth + 1))
            }
            other => Err(match other.checked_sub(8).and_then(|number| CURVES.get(number as usize)) {
                Some(name) => format!("is a {name}, which is not read: make curves straight first"),
                None => format!("is not valid WKB: there is no type {plain}"),
            }),
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
        let (bytes, rest) = self.rest.split_first_chunk().ok_or("is not valid WKB: it ends too soon")?;
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

    fn hex(digits: &str) -> Vec<u8> {
        digits
            .as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect()
    }

    #[test]
    fn bytes_that_are_left_over_are_refused() {
        let point = hex("0101000000000000000000f03f0000000000000040");
        let line = hex("01020000000200000000000000000000000000000000000000000000000000f03f000000000000f03f");
        for good in [point, line] {
            assert_eq!(Geometries::new().push_wkb(&good), Ok(true));
            for more in 1..20 {
                let bytes = [&good[..], &[0, 1].repeat(10)[..more]].concat();
                let what = Geometries::new().push_wkb(&bytes).unwrap_err();
                assert_eq!(what, format!("is not valid WKB: {more} bytes are left over"));
            }
        }
    }

    #[test]
    fn what_is_no_wkb_is_named() {
        let box_and_mark = "00".repeat(32) + "7c";
        for (digits, what) in [
            ("000000000101000000000000000000f03f0000000000000040", "MySQL's"),
            ("e61000000101000000000000000000f03f0000000000000040", "MySQL's"),
            ("0000000001020000000000000000000000000000000000000000000000000000f03f", "MySQL's"),
            ("47500001e610000001010000000000000000000000f03f0000000000000040", "GeoPackage's"),
            (&format!("0001e6100000{box_and_mark}01000000000000000000f03f0000000000000040fe"), "SpatiaLite's"),
            ("0201000000000000000000f03f0000000000000040", "2 where the order of bytes"),
            ("0108000000", "is a CircularString, which"),
            ("01f3030000", "is a MultiCurve, which"),
            ("010e000000", "is a Surface, which"),
            ("0112000000", "there is no type 18"),
            ("01a10f0000", "there is no type 4001"),
            ("0100000000", "there is no type 0"),
        ] {
            let refused = Geometries::new().push_wkb(&hex(digits)).unwrap_err();
            assert!(refused.contains(what), "{refused}");
        }
    }

    #[test]
    fn triangles_and_surfaces_of_them_are_polygons() {
        let corners = [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 0.0_f64]].as_flattened().to_vec();
        let numbers: Vec<u8> = corners.iter().flat_map(|number| number.to_le_bytes()).collect();
        let ring = [&[1, 0, 0, 0, 4, 0, 0, 0], numbers.as_slice()].concat();
        let triangle = [&[1, 17, 0, 0, 0], ring.as_slice()].concat();
        let of = |number: u8, face: u8| [&[1, number, 0, 0, 0, 1, 0, 0, 0, 1, face, 0, 0, 0], ring.as_slice()].concat();
        for bytes in [triangle, of(16, 17), of(15, 3), of(6, 3)] {
            let mut all = Geometries::new();
            assert_eq!(all.push_wkb(&bytes), Ok(true));
            let parts: Vec<_> = all.parts(0).map(|(part, points)| (part, points.len())).collect();
            assert_eq!(parts, [(Part::Shell, 4)]);
        }
    }
}
