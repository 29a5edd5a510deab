//! Bounding boxes of GeoJSON geometries (RFC 7946).

use std::{iter, slice};

use geojson::{Geometry, GeometryValue, Position};
use quadrille::Aabb;
use quadrille_shapes::Part;

use crate::error::shortened;
use crate::hull::{self, Geometry as _, Hull};

/// The bounding box of a geometry as text; `None` if it is empty or null. Altitudes are ignored.
pub(crate) fn bounds(text: &str, hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String> {
    let geometry: Option<Geometry> = serde_json::from_str(text).map_err(|error| without_place(&error))?;
    geometry.map_or(Ok(None), |geometry| geometry.bounds(hull))
}

/// The parser counts lines from where it started.
pub(crate) fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    shortened(message.rfind(" at line ").map_or(&message, |end| &message[..end]))
}

impl hull::Geometry for Geometry {
    fn bounds(&self, mut hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String> {
        extend(&mut hull, &self.value)?;
        hull.finish()
    }
}

fn extend(hull: &mut Hull<'_>, value: &GeometryValue) -> Result<(), String> {
    match value {
        GeometryValue::Point { coordinates } => add(hull, Part::Point, slice::from_ref(coordinates)),
        GeometryValue::MultiPoint { coordinates } => {
            coordinates.iter().try_for_each(|position| add(hull, Part::Point, slice::from_ref(position)))
        }
        GeometryValue::LineString { coordinates } => add(hull, Part::Line, coordinates),
        GeometryValue::MultiLineString { coordinates } => {
            coordinates.iter().try_for_each(|line| add(hull, Part::Line, line))
        }
        GeometryValue::Polygon { coordinates } => add_polygon(hull, coordinates),
        GeometryValue::MultiPolygon { coordinates } => {
            coordinates.iter().try_for_each(|polygon| add_polygon(hull, polygon))
        }
        GeometryValue::GeometryCollection { geometries } => {
            hull.begin_collection();
            geometries.iter().try_for_each(|geometry| extend(hull, &geometry.value))
        }
    }
}

fn add_polygon(hull: &mut Hull<'_>, rings: &[Vec<Position>]) -> Result<(), String> {
    let parts = iter::once(Part::Shell).chain(iter::repeat(Part::Hole));
    rings.iter().zip(parts).try_for_each(|(ring, part)| add(hull, part, ring))
}

fn add(hull: &mut Hull<'_>, part: Part, positions: &[Position]) -> Result<(), String> {
    hull.begin_part(part);
    positions.iter().try_for_each(|position| match *position.as_slice() {
        [x, y, ..] => {
            hull.add(x, y);
            Ok(())
        }
        ref short => Err(format!("the position {short:?} has fewer than two coordinates")),
    })
}
