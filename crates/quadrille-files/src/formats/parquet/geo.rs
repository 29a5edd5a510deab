//! What GeoParquet 1.1 says about a file's columns, and Parquet's own types of geometries.

use std::collections::HashMap;

use parquet::basic::{LogicalType, Type};
use parquet::file::metadata::FileMetaData;
use serde::Deserialize;
use serde_json::Value;

use crate::columns::Columns;
use crate::system::System;

/// Where the geometries of a file are.
pub(super) struct Geo {
    /// One column of geometries, two of points, or four of corners.
    pub(super) shape: Vec<usize>,
    /// Whether these are corners of boxes around geometries in another column.
    pub(super) is_covering: bool,
    pub(super) system: Option<System>,
    /// How geometries are written, if that is not read: then there is no shape.
    pub(super) foreign: Option<String>,
}

/// GeoArrow's encodings besides points: lists of numbers in columns of their own.
const NESTED: [&str; 5] = ["linestring", "polygon", "multipoint", "multilinestring", "multipolygon"];

#[derive(Deserialize)]
struct Metadata {
    primary_column: String,
    columns: HashMap<String, Column>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Column {
    encoding: String,
    geometry_types: Vec<String>,
    covering: Option<Covering>,
    /// Missing means longitude and latitude; null means unknown.
    #[serde(deserialize_with = "even_null")]
    crs: Option<Value>,
    /// `planar`, the default, or `spherical`.
    edges: Option<String>,
}

#[derive(Deserialize)]
struct Covering {
    bbox: Bbox,
}

#[derive(Deserialize)]
struct Bbox {
    xmin: Vec<String>,
    ymin: Vec<String>,
    xmax: Vec<String>,
    ymax: Vec<String>,
}

fn even_null<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl Geo {
    /// `has_geometries`: keep the geometries themselves, not boxes around them.
    pub(super) fn of(file: &FileMetaData, columns: &Columns, has_geometries: bool) -> Option<Self> {
        let metadata = file.key_value_metadata().and_then(|entries| {
            let text = entries.iter().find(|entry| entry.key == "geo")?.value.as_ref()?;
            serde_json::from_str::<Metadata>(text).ok()
        });
        match metadata {
            Some(mut metadata) => {
                let mut column = metadata.columns.remove(&metadata.primary_column).unwrap_or_default();
                column.covering = column.covering.filter(|_| !has_geometries);
                Self::of_column(&metadata.primary_column, column, file, columns)
            }
            None => Self::of_schema(file),
        }
    }

    /// Boxes in numbers of 32 bits are rounded outward. Shapes remain candidates, but points become boxes.
    fn of_column(name: &str, column: Column, file: &FileMetaData, columns: &Columns) -> Option<Self> {
        let find = |name: &String| columns.names().iter().position(|own| own == name);
        let schema = file.schema_descr();
        let is_exact = |column: &usize| schema.column(*column).physical_type() == Type::DOUBLE;
        // No types listed: there may be any.
        let kinds = &column.geometry_types;
        let may_be_points = kinds.is_empty() || kinds.iter().any(|kind| kind.contains("Point"));
        let boxes = column.covering.and_then(|Covering { bbox }| {
            let paths = [bbox.xmin, bbox.ymin, bbox.xmax, bbox.ymax];
            paths.iter().map(|path| find(&path.join("."))).collect::<Option<Vec<_>>>()
        });
        let boxes = boxes.filter(|boxes| boxes.iter().all(is_exact) || !may_be_points);
        let is_covering = boxes.is_some();
        let is_nested = NESTED.contains(&column.encoding.as_str()) && !is_covering;
        let shape = match (boxes, column.encoding.as_str()) {
            (Some(boxes), _) => boxes,
            (None, _) if is_nested => Vec::new(),
            (None, "point") => vec![find(&format!("{name}.x"))?, find(&format!("{name}.y"))?],
            (None, _) => vec![find(&name.to_owned())?],
        };
        let system = match column.crs {
            None => Some(System::wgs84()),
            Some(Value::Null) => None,
            Some(Value::String(text)) => Some(of_text(&text, file)),
            Some(crs) => Some(System::of_json(&crs)),
        };
        let is_planar = column.edges.as_deref().is_none_or(|edges| edges == "planar");
        let system = if is_planar { system } else { Some(System::with_geodesic_edges(system)) };
        Some(Self { shape, is_covering, system, foreign: is_nested.then_some(column.encoding) })
    }

    /// The first column of Parquet's own types of geometries.
    fn of_schema(file: &FileMetaData) -> Option<Self> {
        let columns = file.schema_descr().columns().iter().enumerate();
        columns.into_iter().find_map(|(number, column)| {
            let named =
                |crs: &Option<String>| Some(crs.as_deref().map_or_else(System::wgs84, |text| of_text(text, file)));
            let system = match column.logical_type_ref()? {
                LogicalType::Geometry { crs } => named(crs),
                LogicalType::Geography { crs, .. } => Some(System::with_geodesic_edges(named(crs))),
                _ => return None,
            };
            Some(Self { shape: vec![number], is_covering: false, system, foreign: None })
        })
    }
}

/// A system in a text: a code, well-known text, PROJJSON, or `projjson:KEY`, which is elsewhere in the file.
fn of_text(text: &str, file: &FileMetaData) -> System {
    let entry = |key: &str| file.key_value_metadata()?.iter().find(|entry| entry.key == key)?.value.clone();
    let elsewhere = text.strip_prefix("projjson:").and_then(entry);
    let text = elsewhere.as_deref().unwrap_or(text);
    match serde_json::from_str(text) {
        Ok(json @ Value::Object(_)) => System::of_json(&json),
        _ => System::of_text(text).unwrap_or_else(|| System::of_code(text)),
    }
}
