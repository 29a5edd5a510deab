//! Bounding boxes of geometries in text: WKT, hexadecimal WKB, GeoJSON.

use std::slice;
use std::str::FromStr;

use quadrille::Aabb;
use quadrille_shapes::Part;
use wkt::Wkt;
use wkt::types::{Coord, Polygon};

use crate::error::shortened;
use crate::hull::Hull;
use crate::{geojson_geometry, wkb};

/// The bounding box of a geometry; `None` if it is empty.
pub(crate) fn bounds(text: &[u8], hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String> {
    let text = std::str::from_utf8(text).map_err(|_| "is no geometry: it is not UTF-8")?.trim();
    match text.as_bytes() {
        [b'{', ..] => geojson_geometry::bounds(text, hull),
        [b'0', b'0' | b'1', ..] => wkb::bounds(&unhex(text)?, hull),
        _ => of_wkt(text, hull),
    }
}

/// Whether a field looks like one, and is not the name of a column.
pub(crate) fn is_one(field: &[u8]) -> bool {
    const KINDS: [&str; 7] =
        ["POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION"];
    let is_hex = field.len() > 20 && field.iter().all(u8::is_ascii_hexdigit);
    let is_empty = field.trim_ascii().to_ascii_uppercase().ends_with(b" EMPTY");
    let end = if is_empty { field.len() } else { 0 };
    let open = field.iter().position(|byte| *byte == b'(').unwrap_or(end);
    let mut words = field[..open].split(|byte| byte.is_ascii_whitespace() || *byte == b';');
    is_hex || words.any(|word| KINDS.iter().any(|kind| word.eq_ignore_ascii_case(kind.as_bytes())))
}

/// With or without PostGIS's `SRID=4326;` before it.
fn of_wkt(text: &str, mut hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String> {
    let text = match text.split_once(';') {
        Some((system, rest)) if system.to_ascii_uppercase().starts_with("SRID=") => {
            hull.name_system(system[5..].trim().parse().unwrap_or(0));
            rest
        }
        _ => text,
    };
    if deepest(text) > DEEPEST {
        return Err("is no good WKT: collections in collections, too many of them".into());
    }
    let geometry = Wkt::<f64>::from_str(text).map_err(|error| format!("is no WKT: {}", shortened(error)))?;
    extend(&mut hull, &geometry);
    hull.finish()
}

/// The deepest nesting of parentheses that is read. Real geometries have at most four.
const DEEPEST: usize = 64;

fn deepest(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn extend(hull: &mut Hull<'_>, geometry: &Wkt<f64>) {
    let mut add = |part: Part, coords: &[Coord<f64>]| {
        hull.begin_part(part);
        coords.iter().for_each(|coord| hull.add(coord.x, coord.y));
    };
    let mut add_polygon = |polygon: &Polygon<f64>| {
        let parts = std::iter::once(Part::Shell).chain(std::iter::repeat(Part::Hole));
        polygon.rings().iter().zip(parts).for_each(|(ring, part)| add(part, ring.coords()));
    };
    match geometry {
        Wkt::Point(point) => add(Part::Point, point.coord().map_or(&[], slice::from_ref)),
        Wkt::LineString(line) => add(Part::Line, line.coords()),
        Wkt::Polygon(polygon) => add_polygon(polygon),
        Wkt::MultiPoint(points) => {
            points.points().iter().for_each(|point| add(Part::Point, point.coord().map_or(&[], slice::from_ref)));
        }
        Wkt::MultiLineString(lines) => lines.line_strings().iter().for_each(|line| add(Part::Line, line.coords())),
        Wkt::MultiPolygon(polygons) => polygons.polygons().iter().for_each(add_polygon),
        Wkt::GeometryCollection(collection) => {
            hull.begin_collection();
            collection.geometries().iter().for_each(|one| extend(hull, one));
        }
    }
}

fn unhex(text: &str) -> Result<Vec<u8>, String> {
    let digits = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok().filter(|_| pair.len() == 2);
    digits.map(byte).collect::<Option<Vec<_>>>().ok_or_else(|| "is no WKB in hexadecimal digits".into())
}

#[cfg(test)]
mod tests {
    use quadrille_shapes::{Geometries, Predicate, in_common, join, join_within, relate};

    use super::*;

    #[test]
    fn nesting_without_end_is_refused() {
        for count in [1, 30, 100_000] {
            let text = "GEOMETRYCOLLECTION(".repeat(count) + "POINT(1 2)" + &")".repeat(count);
            let found = bounds(text.as_bytes(), Hull::new(false));
            assert_eq!(found.is_ok(), count < 64, "{found:?}");
        }
    }

    const SEEDS: [&str; 9] = [
        "POINT (1 2)",
        "POINT EMPTY",
        "LINESTRING (0 0, 4 4, 4 0)",
        "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 1 3, 3 3, 3 1, 1 1))",
        "MULTIPOINT ((0 0), (1 1), (0.5 0.5))",
        "MULTILINESTRING ((0 4, 4 0), (1 1, 3 1))",
        "MULTIPOLYGON (((4 0, 6 0, 6 4, 4 4, 4 0)), ((1 1, 3 1, 2 3, 1 1)))",
        "GEOMETRYCOLLECTION (POINT (1 1), POLYGON Z ((0 0 1, 2 0 1, 1 1 1, 0 0 1)))",
        "SRID=4326;LINESTRING M (1e-9 0 7, 3 -3.25 7, 1.5e300 2 NaN)",
    ];

    /// A character is left out, put in or changed, or a part is repeated or left out.
    fn mutated(text: &str, random: &mut fastrand::Rng) -> Vec<u8> {
        const SIGNS: &[u8] = b"0123456789.,-+eE ()();ZMNa\0\xff";
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..random.usize(1..3) {
            let (from, to) = (random.usize(..=bytes.len()), random.usize(..=bytes.len()));
            let (from, to) = (from.min(to), from.max(to));
            let sign = SIGNS[random.usize(..SIGNS.len())];
            match random.u8(..5) {
                0 => bytes.insert(from, sign),
                1 if from < bytes.len() => drop(bytes.remove(from)),
                2 if from < bytes.len() => bytes[from] = sign,
                3 => drop(bytes.splice(to..to, bytes[from..to].to_vec())),
                _ => drop(bytes.drain(from..to)),
            }
        }
        bytes
    }

    /// Reads mutated texts, ten of which are joined with each other; returns how many were geometries.
    fn read_mutated(count: usize) -> usize {
        let (mut random, mut read) = (fastrand::Rng::with_seed(41), 0);
        let mut all = Geometries::new();
        for _ in 0..count / 10 {
            all.clear();
            for _ in 0..10 {
                let text = mutated(SEEDS[random.usize(..SEEDS.len())], &mut random);
                match bounds(&text, Hull::new(false).keeping(Some(&mut all))) {
                    Ok(_) => {}
                    Err(what) => {
                        assert!(!what.is_empty() && what.len() < 1000 && !what.contains('\n'), "{what:?}");
                        all.discard();
                    }
                }
            }
            read += all.len();
            for &predicate in Predicate::ALL {
                let _ = join(&all, &all, predicate);
            }
            for (i, j) in join_within(&all, &all, 1.0).unwrap() {
                let _ = (relate(&all, i, &all, j), in_common(&all, i, &all, j));
            }
        }
        read
    }

    #[test]
    fn nothing_crashes_whatever_text_is_read() {
        let read = read_mutated(2_000);
        assert!(read > 100, "{read}");
    }

    #[test]
    #[ignore = "takes minutes"]
    fn nothing_crashes_on_a_million_mutated_texts() {
        println!("{} of a million were geometries", read_mutated(1_000_000));
    }
}
