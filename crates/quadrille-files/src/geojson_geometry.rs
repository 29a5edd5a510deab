//! GeoJSON geometries (RFC 7946).
//!
//! An empty position is an empty point, as programs write one. Whatever follows the first two numbers of a position, such
//! as a height that is null, is left out.

use std::borrow::Cow;
use std::fmt;

use quadrille::Aabb;
use quadrille_shapes::{Part, Taker};
use serde::de::{Error, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::error::{quote, shortened};
use crate::hull::Hull;
use crate::system::System;

/// The deepest nesting of collections that is read. Real files have at most two levels.
const MAX_DEPTH: u32 = 32;

/// The bounding box of a geometry as text; `None` if it is empty.
pub(crate) fn bounds(text: &str, mut hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String> {
    add(&mut hull, text, 0).map_err(|fault| fault.what)?;
    hull.finish()
}

/// How many lines after the first one of a text its fault is, if there is one in one place.
pub(crate) fn line_of_fault(text: &str) -> Option<u64> {
    add(&mut Hull::new(false), text, 0).err().map(|fault| fault.line_in(text))
}

/// What is wrong, in which part of the text, and how many lines after its first one.
struct Fault<'a> {
    what: String,
    part: &'a str,
    line: usize,
}

impl<'a> Fault<'a> {
    fn new(part: &'a str, what: impl Into<String>) -> Self {
        Self { what: what.into(), part, line: 0 }
    }

    fn line_in(&self, text: &str) -> u64 {
        let before = (self.part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let before = text.bytes().take(before).filter(|byte| *byte == b'\n').count();
        (before + self.line) as u64
    }
}

/// The parser counts lines from where it started, and got an empty text for each NaN.
pub(crate) fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let message = shortened(message.rfind(" at line ").map_or(&message, |end| &message[..end]));
    message.replace("string \"\"", "NaN or an empty string")
}

/// A geometry whose parts are not read yet.
#[derive(Deserialize)]
struct Geometry<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    coordinates: Option<&'a RawValue>,
    #[serde(borrow)]
    geometries: Option<Vec<&'a RawValue>>,
    /// As before RFC 7946; PostGIS writes it.
    crs: Option<serde_json::Value>,
}

/// A geometry other than a collection, by its coordinates.
#[derive(Deserialize)]
#[serde(tag = "type", content = "coordinates")]
pub(crate) enum Plain {
    Point(Position),
    MultiPoint(Vec<Position>),
    LineString(Vec<Position>),
    MultiLineString(Vec<Vec<Position>>),
    Polygon(Vec<Vec<Position>>),
    MultiPolygon(Vec<Vec<Vec<Position>>>),
}

impl Plain {
    /// The coordinates of a geometry of this type; `None` if there is no such type.
    fn of(kind: &str, coordinates: &str) -> Option<serde_json::Result<Self>> {
        Some(match kind {
            "Point" => serde_json::from_str(coordinates).map(Self::Point),
            "MultiPoint" => serde_json::from_str(coordinates).map(Self::MultiPoint),
            "LineString" => serde_json::from_str(coordinates).map(Self::LineString),
            "MultiLineString" => serde_json::from_str(coordinates).map(Self::MultiLineString),
            "Polygon" => serde_json::from_str(coordinates).map(Self::Polygon),
            "MultiPolygon" => serde_json::from_str(coordinates).map(Self::MultiPolygon),
            _ => return None,
        })
    }

    /// The bounding box; `None` if it is empty.
    pub(crate) fn bounds(&self, mut hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String> {
        self.add(&mut hull);
        hull.finish()
    }

    fn add(&self, hull: &mut Hull<'_>) {
        match self {
            Self::Point(point) => hull.add_part(Part::Point, [point.0]),
            Self::MultiPoint(points) => points.iter().for_each(|point| hull.add_part(Part::Point, [point.0])),
            Self::LineString(line) => add_part(hull, Part::Line, line),
            Self::MultiLineString(lines) => lines.iter().for_each(|line| add_part(hull, Part::Line, line)),
            Self::Polygon(rings) => add_polygon(hull, rings),
            Self::MultiPolygon(polygons) => polygons.iter().for_each(|rings| add_polygon(hull, rings)),
        }
    }
}

fn fault<'a>(text: &'a str, error: &serde_json::Error) -> Fault<'a> {
    let what = format!("is not a GeoJSON geometry: {}", without_place(error));
    Fault { line: error.line().saturating_sub(1), ..Fault::new(text, what) }
}

fn add<'a>(hull: &mut Hull<'_>, text: &'a str, depth: u32) -> Result<(), Fault<'a>> {
    if depth > MAX_DEPTH {
        return Err(Fault::new(text, "is not valid GeoJSON: collections in collections, too many of them"));
    }
    let geometry: Geometry<'a> = serde_json::from_str(text).map_err(|error| fault(text, &error))?;
    if let Some(crs) = &geometry.crs {
        hull.in_system(System::of_member(crs));
    }
    // What is missing is null.
    let coordinates = geometry.coordinates.map_or("null", RawValue::get);
    match Plain::of(&geometry.kind, coordinates) {
        Some(_) if geometry.coordinates.is_none() => {
            Err(Fault::new(text, format!("is a {} without coordinates", geometry.kind)))
        }
        Some(plain) => plain.map(|plain| plain.add(hull)).map_err(|error| fault(coordinates, &error)),
        None if geometry.kind == "GeometryCollection" => {
            hull.collection();
            let missing = || Fault::new(text, "is a GeometryCollection without geometries");
            geometry.geometries.ok_or_else(missing)?.iter().try_for_each(|one| add(hull, one.get(), depth + 1))
        }
        None => {
            let what = format!("is not a GeoJSON geometry: there is no type {}", quote(geometry.kind.as_bytes()));
            Err(Fault::new(text, what))
        }
    }
}

fn add_polygon(hull: &mut Hull<'_>, rings: &[Vec<Position>]) {
    let parts = std::iter::once(Part::Shell).chain(std::iter::repeat(Part::Hole));
    rings.iter().zip(parts).for_each(|(ring, part)| add_part(hull, part, ring));
}

fn add_part(hull: &mut Hull<'_>, part: Part, positions: &[Position]) {
    hull.add_part(part, positions.iter().map(|position| position.0));
}

/// NaN, NaN if it is empty.
pub(crate) struct Position([f64; 2]);

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Numbers;
        impl<'de> Visitor<'de> for Numbers {
            type Value = Position;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a position")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Position, A::Error> {
                let Some(x) = numbers.next_element()? else { return Ok(Position([f64::NAN; 2])) };
                let only = || A::Error::custom(format_args!("a position has only one coordinate, {x}"));
                let y = numbers.next_element()?.ok_or_else(only)?;
                while numbers.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Position([x, y]))
            }
        }
        deserializer.deserialize_seq(Numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_positions_and_heights_that_are_null_are_read() {
        let at = |x: f64, y: f64| Ok(Some(Aabb::from_point([x, y])));
        for (text, expected) in [
            (r#"{"type":"Point","coordinates":[1,2]}"#, at(1.0, 2.0)),
            (r#"{"type":"Point","coordinates":[1,2,null]}"#, at(1.0, 2.0)),
            (r#"{"coordinates":[1,2.0e0,3,4,5],"type":"Point","bbox":null}"#, at(1.0, 2.0)),
            (r#"{"type":"Point","coordinates":[]}"#, Ok(None)),
            (r#"{"type":"MultiPoint","coordinates":[[],[1,2,null]]}"#, at(1.0, 2.0)),
            (r#"{"type":"LineString","coordinates":[]}"#, Ok(None)),
            (r#"{"type":"LineString","coordinates":[[1,2,null],[1,2,null]]}"#, at(1.0, 2.0)),
            (r#"{"type":"MultiPolygon","coordinates":[]}"#, Ok(None)),
            (r#"{"type":"MultiPolygon","coordinates":[[],[[]]]}"#, Ok(None)),
            (r#"{"type":"GeometryCollection","geometries":[]}"#, Ok(None)),
            (
                r#"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[]},{"type":"Point","coordinates":[1,2]}]}"#,
                at(1.0, 2.0),
            ),
        ] {
            assert_eq!(bounds(text, Hull::new(false)), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_geometry_is_told() {
        let deep = r#"{"type":"GeometryCollection","geometries":["#.repeat(100_000) + &"]}".repeat(100_000);
        for (text, what) in [
            (r#"{"type":"Point","coordinates":[1]}"#, "a position has only one coordinate, 1"),
            (r#"{"type":"Point","coordinates":[null,2]}"#, "invalid type: null"),
            (r#"{"type":"Point","coordinates":null}"#, "a Point without coordinates"),
            (r#"{"type":"Point"}"#, "a Point without coordinates"),
            (r#"{"type":"Point","coordinates":[[1,2]]}"#, "invalid type: sequence"),
            (r#"{"type":"LineString","coordinates":[[1,2],[]]}"#, "NaN"),
            (r#"{"type":"Curve","coordinates":[]}"#, "there is no type \"Curve\""),
            (r#"{"coordinates":[]}"#, "missing field `type`"),
            (r#"{"type":"GeometryCollection"}"#, "without geometries"),
            (
                r#"{"type":"GeometryCollection","crs":"EPSG:2056","geometries":[{"type":"Point","coordinates":[1,2],"crs":"EPSG:4326"}]}"#,
                "has parts in different systems",
            ),
            (&deep, "too many of them"),
        ] {
            let refused = bounds(text, Hull::new(false)).unwrap_err();
            assert!(refused.contains(what), "{refused}");
        }
    }
}
