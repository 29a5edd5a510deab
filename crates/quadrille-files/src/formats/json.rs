//! JSON: GeoJSON (RFC 7946) in one document, in a sequence of them (RFC 8142) or one feature a line; and objects, one a
//! line or in an array, whose members are columns.
//!
//! Nothing of a feature is kept but its place in the text. A feature is read alone, so that a fault can be told by the
//! feature's number and line.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display};
use std::ops::Range;

use geojson::Geometry;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::Format;
use crate::columns::Columns;
use crate::error::Error;
use crate::geojson_geometry::without_place;
use crate::records::{Cell, Records};
use crate::source::Source;
use crate::system::System;

pub(super) const FORMAT: Format = Format { name: "JSON", is, open };

fn is(beginning: &[u8]) -> bool {
    let text = beginning.trim_ascii_start();
    // Features one a line may be separated by this (RFC 8142).
    let text = text.strip_prefix(b"\x1E").unwrap_or(text).trim_ascii_start();
    match text {
        [b'{', ..] => true,
        [b'[', rest @ ..] => matches!(rest.trim_ascii_start(), [b'{' | b']', ..]),
        _ => false,
    }
}

/// A document or a feature of which the parts are not read yet.
#[derive(Deserialize)]
struct Object<'a> {
    #[serde(rename = "type", borrow, default)]
    kind: Option<Name<'a>>,
    #[serde(borrow)]
    features: Option<Vec<&'a RawValue>>,
    #[serde(borrow, default)]
    geometry: Option<&'a RawValue>,
    #[serde(borrow, default)]
    properties: Option<&'a RawValue>,
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    crs: Option<serde_json::Value>,
}

/// A text, or something else.
#[derive(Deserialize)]
#[serde(untagged)]
enum Name<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Other(IgnoredAny),
}

/// What an object of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Feature,
    Geometry,
    /// No GeoJSON: its members are columns.
    Plain,
}

const GEOMETRIES: [&str; 7] =
    ["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection"];

impl Object<'_> {
    fn kind(&self) -> Kind {
        match &self.kind {
            Some(Name::Text(kind)) if kind == "Feature" => Kind::Feature,
            Some(Name::Text(kind)) if GEOMETRIES.contains(&kind.as_ref()) => Kind::Geometry,
            _ => Kind::Plain,
        }
    }

    fn is_called(&self, name: &str) -> bool {
        matches!(&self.kind, Some(Name::Text(kind)) if kind == name)
    }
}

struct Json {
    name: String,
    text: String,
    /// Where each feature, geometry or object is.
    objects: Vec<Range<usize>>,
    /// Whether these are features or geometries. All are, or none.
    is_geo: bool,
    system: System,
    columns: OnceCell<Columns>,
    /// Objects that have been read.
    read: usize,
    /// The columns that were chosen.
    chosen: Vec<usize>,
    /// Where in the text the cells of the row are, by column.
    cells: Vec<Option<Range<usize>>>,
    /// Texts that have escapes in the file, by column.
    texts: Vec<Option<String>>,
    /// The geometry of the row.
    geometry: Option<Geometry>,
}

/// The column of geometries.
const GEOMETRY: &str = "geometry";

fn open(source: Source) -> Result<Box<dyn Records>, Error> {
    let (name, mut bytes) = source.read_all(FORMAT.name)?;
    // What may stand between documents is a blank for us.
    bytes.iter_mut().filter(|byte| **byte == b'\x1E').for_each(|byte| *byte = b' ');
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
        Error::in_line(&name, line as u64, "it is not UTF-8")
    })?;
    let mut json = Json {
        name,
        text,
        objects: Vec::new(),
        is_geo: true,
        system: System::wgs84(),
        columns: OnceCell::new(),
        read: 0,
        chosen: Vec::new(),
        cells: Vec::new(),
        texts: Vec::new(),
        geometry: None,
    };
    json.find_objects()?;
    if !json.is_geo && !json.objects.is_empty() && json.columns().width() == 0 {
        return Err(Error::in_file(&json.name, "it is JSON, but neither features nor objects with members that could be columns"));
    }
    Ok(Box::new(json))
}

impl Json {
    /// Finds the features or objects of all documents.
    fn find_objects(&mut self) -> Result<(), Error> {
        let (mut objects, mut is_geo, mut system) = (Vec::new(), None, None);
        for document in serde_json::Deserializer::from_str(&self.text).into_iter::<&RawValue>() {
            let document = document.map_err(|error| self.fault(&self.text, &error, ""))?.get();
            if document.starts_with('[') {
                let all: Vec<&RawValue> = self.parse(document, "")?;
                objects.extend(all.iter().map(|object| self.range(object.get())));
                is_geo = is_geo.or(all.first().map(|first| self.is_geo(first.get())));
                continue;
            }
            let object: Object<'_> = self.parse(document, "")?;
            system = system.or_else(|| named_system(object.crs.as_ref()?));
            match &object.features {
                _ if object.is_called("Topology") => {
                    let what = "this is TopoJSON; `ogr2ogr -f GeoJSON out.geojson IN` makes one that can be read";
                    return Err(Error::in_file(&self.name, what));
                }
                Some(features) if object.is_called("FeatureCollection") => {
                    objects.extend(features.iter().map(|feature| self.range(feature.get())));
                    is_geo = Some(true);
                }
                None if object.is_called("FeatureCollection") => {
                    let what = "the FeatureCollection has no \"features\"";
                    return Err(Error::in_line(&self.name, self.line(document), what));
                }
                _ => {
                    objects.push(self.range(document));
                    is_geo = is_geo.or(Some(object.kind() != Kind::Plain));
                }
            }
        }
        self.objects = objects;
        self.is_geo = is_geo.unwrap_or(true);
        self.system = system.unwrap_or_else(System::wgs84);
        Ok(())
    }

    /// Whether an object is a feature or a geometry; what cannot be read is reported with its row.
    fn is_geo(&self, object: &str) -> bool {
        serde_json::from_str::<Object<'_>>(object).is_ok_and(|object| object.kind() != Kind::Plain)
    }

    /// The names of all members of all objects, or of the properties of all features, in the order in which they come.
    fn find_columns(&self) -> Columns {
        let mut names: Vec<String> = if self.is_geo { vec![GEOMETRY.into()] } else { Vec::new() };
        let mut known: HashSet<String> = names.iter().cloned().collect();
        for range in &self.objects {
            // What cannot be read is reported with its row.
            let Ok(Names(own)) = self.names_of(&self.text[range.clone()]) else { continue };
            for name in own {
                if known.insert(name.clone()) {
                    names.push(name);
                }
            }
        }
        Columns::new(names)
    }

    /// The names of an object's members, or of a feature's properties, to which its `id` belongs.
    fn names_of(&self, object: &str) -> serde_json::Result<Names> {
        if !self.is_geo {
            return serde_json::from_str(object);
        }
        let object: Object<'_> = serde_json::from_str(object)?;
        let Names(mut names) = object.properties.map_or_else(|| Ok(Names::default()), |all| serde_json::from_str(all.get()))?;
        names.extend(object.id.map(|_| "id".into()));
        Ok(Names(names))
    }

    /// Finds the chosen cells of an object.
    fn read_object(&mut self, range: Range<usize>) -> Result<(), Error> {
        let text = &self.text[range];
        let place = self.place();
        let mut cells = vec![None; self.cells.len()];
        let (mut geometry, mut members) = (None, Some(text));
        let properties = || self.chosen.iter().copied().filter(|column| !(self.is_geo && *column == 0));
        if self.is_geo {
            let object: Object<'_> = self.parse(text, &place)?;
            let own = if object.kind() == Kind::Feature { object.geometry.map(RawValue::get) } else { Some(text) };
            if self.chosen.contains(&0) {
                geometry = own.map(|own| self.parse::<Option<Geometry>>(own, &place)).transpose()?.flatten();
            }
            members = object.properties.map(RawValue::get);
            for column in properties().filter(|column| self.columns().names()[*column] == "id") {
                cells[column] = object.id.map(|id| self.range(id.get()));
            }
        }
        if let (Some(members), true) = (members, properties().next().is_some()) {
            let members: Option<HashMap<String, &RawValue>> = self.parse(members, &place)?;
            for column in properties() {
                let member = members.as_ref().and_then(|members| members.get(&self.columns().names()[column]));
                cells[column] = member.map(|member| self.range(member.get())).or(cells[column].take());
            }
        }
        let unescaped = |range: &Option<Range<usize>>| {
            let raw = &self.text[range.clone()?];
            serde_json::from_str(raw).ok().filter(|_| raw.starts_with('"') && raw.contains('\\'))
        };
        (self.texts, self.geometry) = (cells.iter().map(unescaped).collect(), geometry);
        self.cells = cells;
        Ok(())
    }

    fn place(&self) -> String {
        let what = if self.is_geo { "feature" } else { "row" };
        format!("{what} {} (from 0): ", self.read)
    }

    fn parse<'a, T: Deserialize<'a>>(&self, part: &'a str, place: &str) -> Result<T, Error> {
        serde_json::from_str(part).map_err(|error| self.fault(part, &error, place))
    }

    /// What a parser says about a part of the text, with the line in the file.
    fn fault(&self, part: &str, error: &serde_json::Error, place: &str) -> Error {
        let line = self.line(part) + (error.line() as u64).saturating_sub(1);
        Error::in_line(&self.name, line, format_args!("{place}{}", without_place(error)))
    }

    /// Where a part of the text is.
    fn range(&self, part: &str) -> Range<usize> {
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize).min(self.text.len());
        start..(start + part.len()).min(self.text.len())
    }

    /// The line that a part of the text begins in.
    fn line(&self, part: &str) -> u64 {
        let before = &self.text.as_bytes()[..self.range(part).start];
        1 + before.iter().filter(|byte| **byte == b'\n').count() as u64
    }
}

/// The system that the member `crs` of GeoJSON before RFC 7946 names.
fn named_system(crs: &serde_json::Value) -> Option<System> {
    crs.get("properties")?.get("name")?.as_str().map(System::of_code)
}

impl Records for Json {
    fn columns(&self) -> &Columns {
        self.columns.get_or_init(|| self.find_columns())
    }

    fn own_shape(&self) -> &[usize] {
        if self.is_geo { &[0] } else { &[] }
    }

    fn is_of_features(&self) -> bool {
        self.is_geo
    }

    fn system(&self) -> Option<&System> {
        self.is_geo.then_some(&self.system)
    }

    fn choose(&mut self, columns: &[usize]) -> Result<(), Error> {
        self.chosen = columns.to_vec();
        let most = columns.iter().max().map_or(0, |most| most + 1);
        self.cells = vec![None; most];
        self.texts = vec![None; most];
        Ok(())
    }

    fn next_row(&mut self) -> Result<bool, Error> {
        let Some(range) = self.objects.get(self.read).cloned() else { return Ok(false) };
        self.read_object(range)?;
        self.read += 1;
        Ok(true)
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        if self.is_geo && column == 0 {
            return self.geometry.as_ref().map_or(Cell::Missing, |geometry| Cell::Geometry(geometry));
        }
        let (Some(Some(range)), Some(text)) = (self.cells.get(column), self.texts.get(column)) else {
            return Cell::Missing;
        };
        match (&self.text[range.clone()], text) {
            (_, Some(text)) => Cell::text_of(text),
            ("null", _) => Cell::Missing,
            (raw, None) => Cell::text_of(raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')).unwrap_or(raw)),
        }
    }

    fn error(&self, what: &dyn Display) -> Error {
        let row = self.read.saturating_sub(1);
        let place = if self.is_geo { "feature" } else { "row" };
        let line = self.objects.get(row).map_or(1, |range| self.line(&self.text[range.clone()]));
        Error::in_line(&self.name, line, format_args!("{place} {row} (from 0): {what}"))
    }

    fn format(&self) -> String {
        if self.is_geo { "GeoJSON" } else { "JSON" }.into()
    }
}

/// The names of an object's members, in their order.
#[derive(Default)]
struct Names(Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Names;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_unit<E>(self) -> Result<Names, E> {
                Ok(Names::default())
            }

            fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<Names, M::Error> {
                let mut names = Vec::new();
                while let Some((name, IgnoredAny)) = members.next_entry()? {
                    names.push(name);
                }
                Ok(Names(names))
            }
        }
        deserializer.deserialize_any(Members)
    }
}
