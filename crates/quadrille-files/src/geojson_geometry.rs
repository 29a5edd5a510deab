//! Bounding boxes of geometries of GeoJSON (RFC 7946).

use std::slice;

use geojson::{Geometry, GeometryValue, Position};
use quadrille::Aabb;

use crate::error::shortened;
use crate::hull::{self, Geometry as _, Hull};

/// The bounding box of a geometry as text; `None` if it is empty or null. Altitudes are left out of account.
pub(crate) fn bounds(text: &str, hull: Hull) -> Result<Option<Aabb<f64>>, String> {
    let geometry: Option<Geometry> = serde_json::from_str(text).map_err(|error| without_place(&error))?;
    geometry.map_or(Ok(None), |geometry| geometry.bounds(hull))
}

/// The parser counts lines from where it began.
pub(crate) fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    shortened(message.rfind(" at line ").map_or(&message, |end| &message[..end]))
}

impl hull::Geometry for Geometry {
    fn bounds(&self, mut hull: Hull) -> Result<Option<Aabb<f64>>, String> {
        extend(&mut hull, &self.value)?;
        hull.finish()
    }
}

fn extend(hull: &mut Hull, value: &GeometryValue) -> Result<(), String> {
    let mut add = |part: &[Position]| {
        hull.begin_part();
        part.iter().try_for_each(|position| match *position.as_slice() {
            [x, y, ..] => {
                hull.add(x, y);
                Ok(())
            }
            ref short => Err(format!("the position {short:?} has fewer than two coordinates")),
        })
    };
    match value {
        GeometryValue::Point { coordinates } => add(slice::from_ref(coordinates)),
        GeometryValue::MultiPoint { coordinates } => coordinates.iter().map(slice::from_ref).try_for_each(add),
        GeometryValue::LineString { coordinates } => add(coordinates),
        GeometryValue::MultiLineString { coordinates } | GeometryValue::Polygon { coordinates } => {
            coordinates.iter().try_for_each(|line| add(line))
        }
        GeometryValue::MultiPolygon { coordinates } => coordinates.iter().flatten().try_for_each(|ring| add(ring)),
        GeometryValue::GeometryCollection { geometries } => {
            geometries.iter().try_for_each(|geometry| extend(hull, &geometry.value))
        }
    }
}
