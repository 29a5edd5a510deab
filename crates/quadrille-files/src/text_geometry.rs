//! Bounding boxes of geometries in text: WKT, hexadecimal WKB, GeoJSON.

use quadrille::Aabb;

use crate::hull::Hull;
use crate::{geojson_geometry, wkb, wkt};

/// The bounding box of a geometry; `None` if it is empty.
pub(crate) fn bounds(text: &[u8], hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String> {
    let text = std::str::from_utf8(text).map_err(|_| "is not a geometry: it is not UTF-8")?.trim();
    match (hex_digits(text), text.starts_with('{')) {
        (Some(digits), _) => wkb::bounds(&unhex(digits)?, hull),
        (None, true) => geojson_geometry::bounds(text, hull),
        (None, false) => wkt::bounds(text, hull),
    }
}

/// Whether a field looks like one, and is not the name of a column.
pub(crate) fn is_one(field: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(field) else { return false };
    let is_hex = text.len() > 20 && hex_digits(text).is_some();
    let (kind, inside) = text.split_once('(').unwrap_or((text, ""));
    let mut words = kind.split(|character: char| character.is_whitespace() || character == ';');
    // `tin (ppm)` is the name of a column.
    let inside = inside.trim_start_matches(|character: char| !character.is_alphanumeric());
    let inside = &inside[..inside.find(|character: char| !character.is_alphabetic()).unwrap_or(inside.len())];
    let is_inside = ["", "EMPTY", "NAN"].iter().any(|word| inside.eq_ignore_ascii_case(word)) || wkt::is_kind(inside);
    let is_empty = kind.trim_end().to_ascii_uppercase().ends_with(" EMPTY");
    is_hex || (is_empty || kind.len() < text.len() && is_inside) && words.any(wkt::is_kind)
}

/// The digits of hexadecimal WKB, as libraries write it, or databases: PostgreSQL `\x01…`, SQL Server and MySQL `0x01…`.
fn hex_digits(text: &str) -> Option<&str> {
    let digits = ["\\x", "\\X", "0x", "0X"].iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(text);
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(digits)
}

fn unhex(text: &str) -> Result<Vec<u8>, String> {
    let digits = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok().filter(|_| pair.len() == 2);
    digits.map(byte).collect::<Option<Vec<_>>>().ok_or_else(|| "is not WKB in hexadecimal digits".into())
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
            assert_eq!(found.is_ok(), count < 33, "{found:?}");
        }
    }

    #[test]
    fn hexadecimal_digits_are_read_as_databases_print_them() {
        let digits = "0101000000000000000000f03f0000000000000040";
        for prefix in ["", "\\x", "\\X", "0x", "0X"] {
            let text = format!("{prefix}{digits}");
            assert_eq!(bounds(text.as_bytes(), Hull::new(false)), Ok(Some(Aabb::from_point([1.0, 2.0]))), "{text}");
            assert!(is_one(text.as_bytes()));
            assert!(bounds(&text.as_bytes()[..text.len() - 1], Hull::new(false)).is_err());
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
