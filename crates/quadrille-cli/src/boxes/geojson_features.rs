//! Bounding boxes of GeoJSON features.

use geojson::{Feature, Geometry, GeometryValue, Position};
use quadrille::Aabb;
use serde::Deserialize;
use serde_json::value::RawValue;

/// A document whose features are not read yet: each is read alone, so that a fault can be told by the feature's number, and
/// nothing but its box is kept.
#[derive(Deserialize)]
struct Document<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(borrow)]
    features: Option<Vec<&'a RawValue>>,
}

/// Reads the bounding box of each feature of a collection, of a single feature, or of a single geometry. Altitudes are left
/// out of account.
pub(super) fn read(text: &[u8]) -> Result<Vec<Aabb<f64>>, String> {
    let text = std::str::from_utf8(text).map_err(|error| error.to_string())?;
    let document: Document<'_> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match (document.kind, document.features) {
        ("FeatureCollection", Some(features)) => {
            let numbered = features.iter().enumerate();
            let boxes = numbered.map(|(number, feature)| {
                feature_bounds(feature.get()).map_err(|what| format!("feature {number} (from 0): {what}"))
            });
            boxes.collect()
        }
        ("FeatureCollection", None) => Err("the FeatureCollection has no \"features\"".into()),
        ("Feature", _) => Ok(vec![feature_bounds(text)?]),
        _ => {
            let geometry: Geometry = serde_json::from_str(text).map_err(|error| error.to_string())?;
            Ok(vec![bounds(&geometry)?])
        }
    }
}

fn feature_bounds(text: &str) -> Result<Aabb<f64>, String> {
    let feature: Feature = serde_json::from_str(text).map_err(|error| error.to_string())?;
    bounds(&feature.geometry.ok_or("it has no geometry")?)
}

fn bounds(geometry: &Geometry) -> Result<Aabb<f64>, String> {
    let all =
        positions(&geometry.value).into_iter().try_fold(Aabb::EMPTY, |all, position| match *position.as_slice() {
            [x, y, ..] => Ok(all.union(&Aabb::from_point([x, y]))),
            ref short => Err(format!("the position {short:?} has fewer than two coordinates")),
        })?;
    if all.is_ordered() { all.check().map_err(|error| error.to_string()) } else { Err("it has no coordinates".into()) }
}

fn positions(value: &GeometryValue) -> Vec<&Position> {
    match value {
        GeometryValue::Point { coordinates } => vec![coordinates],
        GeometryValue::MultiPoint { coordinates } | GeometryValue::LineString { coordinates } => {
            coordinates.iter().collect()
        }
        GeometryValue::MultiLineString { coordinates } | GeometryValue::Polygon { coordinates } => {
            coordinates.iter().flatten().collect()
        }
        GeometryValue::MultiPolygon { coordinates } => coordinates.iter().flatten().flatten().collect(),
        GeometryValue::GeometryCollection { geometries } => {
            geometries.iter().flat_map(|geometry| positions(&geometry.value)).collect()
        }
    }
}
