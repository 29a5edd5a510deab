//! Bounding boxes of GeoJSON features (RFC 7946): in one document, or in a sequence of them (RFC 8142, or one per line).
//!
//! Nothing of a feature is kept but its box and what was asked for. A feature is read alone, so that a fault can be
//! told by the feature's number and line.

use std::borrow::Cow;
use std::slice;

use geojson::{Geometry, GeometryValue, Position};
use quadrille::Aabb;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::{Error, shortened};
use crate::hull::Hull;
use crate::shapes::Rows;
use crate::source::Source;

/// A document or a feature of which the parts are not read yet.
#[derive(Deserialize)]
struct Object<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    features: Option<Vec<&'a RawValue>>,
    #[serde(borrow, default)]
    geometry: Option<&'a RawValue>,
    #[serde(borrow, default)]
    properties: Option<&'a RawValue>,
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
}

/// Reads the bounding box of each feature, or of a geometry alone. Altitudes are left out of account.
pub(crate) fn read(source: Source, shapes: &mut Rows<'_>) -> Result<(), Error> {
    let (name, mut bytes) = source.read_all()?;
    // What may stand between documents is a blank for us.
    bytes.iter_mut().filter(|byte| **byte == b'\x1E').for_each(|byte| *byte = b' ');
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        Error::in_line(&name, line as u64, "it is not UTF-8")
    })?;
    let file = File { name: &name, text };
    let documents = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    for document in documents {
        let document = document.map_err(|error| file.fault(text, &error, ""))?.get();
        let object: Object<'_> = file.parse(document, "")?;
        match (object.kind.as_ref(), &object.features) {
            ("FeatureCollection", Some(features)) => {
                features.iter().try_for_each(|feature| file.feature(feature.get(), None, shapes))?;
            }
            ("FeatureCollection", None) => {
                return Err(file.error(document, "the FeatureCollection has no \"features\""));
            }
            ("Topology", _) => {
                return Err(Error::in_file(
                    &name,
                    "this is TopoJSON; `ogr2ogr -f GeoJSON out.geojson IN` makes one that can be read",
                ));
            }
            _ => file.feature(document, Some(object), shapes)?,
        }
    }
    if let (Some(unknown), false) = (shapes.kept.iter().find(|texts| !texts.is_known), shapes.boxes.is_empty()) {
        return Err(Error::in_file(&name, format_args!("no feature has the property {:?}", unknown.name)));
    }
    shapes.format = "GeoJSON".into();
    shapes.taken = "bounding boxes of features".into();
    Ok(())
}

/// The bounding box of a geometry as text; `None` if it is empty or null.
pub(crate) fn geometry_bounds(text: &str, hull: Hull) -> Result<Option<Aabb<f64>>, String> {
    let geometry: Option<Geometry> = serde_json::from_str(text).map_err(|error| without_place(&error))?;
    geometry.map_or(Ok(None), |geometry| bounds(&geometry, hull))
}

struct File<'a> {
    name: &'a str,
    text: &'a str,
}

impl<'a> File<'a> {
    /// Reads a feature or a geometry, which is parsed already if it is a document of its own.
    fn feature(&self, text: &'a str, object: Option<Object<'a>>, shapes: &mut Rows<'_>) -> Result<(), Error> {
        let number = shapes.next_row();
        let place = format!("feature {number} (from 0): ");
        let object = object.map_or_else(|| self.parse(text, &place), Ok)?;
        let geometry = if object.kind == "Feature" { object.geometry.map(RawValue::get) } else { Some(text) };
        let bounds = match geometry {
            None => None,
            Some(geometry) => {
                let parsed: Geometry = self.parse(geometry, &place)?;
                bounds(&parsed, shapes.hull()).map_err(|what| self.error(geometry, &format!("{place}{what}")))?
            }
        };
        shapes.push(bounds).map_err(|what| self.error(text, &what))?;
        if bounds.is_some() && !shapes.kept.is_empty() {
            self.keep(&object, &place, shapes)?;
        }
        Ok(())
    }

    /// Keeps properties as text; `id` is also the feature's own.
    fn keep(&self, object: &Object<'a>, place: &str, shapes: &mut Rows<'_>) -> Result<(), Error> {
        let all: Option<serde_json::Map<String, serde_json::Value>> =
            object.properties.map(|properties| self.parse(properties.get(), place)).transpose()?;
        let id = object.id.map(|id| self.parse::<serde_json::Value>(id.get(), place)).transpose()?;
        for texts in &mut shapes.kept {
            let own = all.as_ref().and_then(|all| all.get(&texts.name));
            let own = own.or_else(|| id.as_ref().filter(|_| texts.name == "id"));
            texts.is_known |= own.is_some();
            match own {
                None | Some(serde_json::Value::Null) => texts.push(""),
                Some(serde_json::Value::String(text)) => texts.push(text),
                Some(other) => texts.push(&other.to_string()),
            }
        }
        Ok(())
    }

    fn parse<T: Deserialize<'a>>(&self, part: &'a str, place: &str) -> Result<T, Error> {
        serde_json::from_str(part).map_err(|error| self.fault(part, &error, place))
    }

    /// What a parser says about a part of the text, with the line in the file.
    fn fault(&self, part: &str, error: &serde_json::Error, place: &str) -> Error {
        let line = self.line(part) + (error.line() as u64).saturating_sub(1);
        Error::in_line(self.name, line, format_args!("{place}{}", without_place(error)))
    }

    fn error(&self, part: &str, what: &str) -> Error {
        Error::in_line(self.name, self.line(part), what)
    }

    /// The line that a part of the text begins in.
    fn line(&self, part: &str) -> u64 {
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let before = &self.text.as_bytes()[..start.min(self.text.len())];
        1 + before.iter().filter(|byte| **byte == b'\n').count() as u64
    }
}

/// The parser counts lines from where it began.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    shortened(message.rfind(" at line ").map_or(&message, |end| &message[..end]))
}

fn bounds(geometry: &Geometry, mut hull: Hull) -> Result<Option<Aabb<f64>>, String> {
    extend(&mut hull, &geometry.value)?;
    hull.finish()
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
