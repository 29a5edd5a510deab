//! JSON: GeoJSON (RFC 7946) in one document, in a sequence of them (RFC 8142) or one feature a line; and objects, one a
//! line or in an array, whose members are columns.
//!
//! A collection of plain features is read in one pass (`plain.rs`). In anything else, each object is located first and
//! then read by itself, so that an error can name the feature's number and line.

mod plain;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display};
use std::ops::Range;

use quadrille::Aabb;
use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use self::plain::{Feature, Next};
use super::{Format, OGR};
use crate::columns::Columns;
use crate::error::{Error, quote};
use crate::geojson_geometry::{self, Plain, without_place};
use crate::hull::{self, Hull};
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

/// A document or a feature whose parts are not read yet.
#[derive(Deserialize)]
struct Object<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    features: Option<Vec<&'a RawValue>>,
    #[serde(borrow, default)]
    geometry: Option<&'a RawValue>,
    #[serde(borrow, default)]
    properties: Option<&'a RawValue>,
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    crs: Option<serde_json::Value>,
    /// Of Esri's documents.
    #[serde(rename = "geometryType", borrow, default)]
    esri: Option<&'a RawValue>,
    /// What JSON-FG has if there is no geometry in WGS 84.
    #[serde(borrow, default)]
    place: Option<&'a RawValue>,
}

/// What an object of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Feature,
    Geometry,
    /// Not GeoJSON: its members are columns.
    Plain,
}

const GEOMETRIES: [&str; 7] =
    ["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection"];

impl Object<'_> {
    fn kind(&self) -> Kind {
        match self.name().as_deref() {
            Some("Feature") => Kind::Feature,
            Some(name) if GEOMETRIES.contains(&name) => Kind::Geometry,
            _ => Kind::Plain,
        }
    }

    fn is_called(&self, name: &str) -> bool {
        self.name().as_deref() == Some(name)
    }

    /// The coordinate system that it names, or its geometry.
    fn system(&self) -> Option<System> {
        let geometry = || self.geometry.map(RawValue::get).filter(|geometry| geometry.contains("\"crs\""));
        let of_geometry = || serde_json::from_str::<Object<'_>>(geometry()?).ok()?.crs;
        self.crs.clone().or_else(of_geometry).as_ref().map(System::of_member)
    }

    /// The coordinate system of its coordinates, WGS 84 if it names none. `None` if it has no coordinates.
    fn own_system(&self) -> Option<System> {
        self.has_place().then(|| self.system().unwrap_or_else(System::wgs84))
    }

    /// Whether it is a geometry, or a feature that has one.
    fn has_place(&self) -> bool {
        match self.kind() {
            Kind::Feature => self.geometry.is_some(),
            kind => kind == Kind::Geometry,
        }
    }

    /// Its type, if that is a text.
    fn name(&self) -> Option<String> {
        serde_json::from_str(self.kind?.get()).ok()
    }
}

/// Where each feature, geometry or object is, and what they are.
struct Objects {
    ranges: Vec<Range<usize>>,
    /// Whether they are features or geometries: all of them or none.
    is_geo: bool,
    system: System,
    /// That of features that name none.
    unsaid: System,
}

/// How far plain features have been read.
#[derive(Clone, Copy)]
struct Ahead {
    first: usize,
    next: usize,
}

struct Json {
    name: String,
    text: String,
    objects: Objects,
    /// While all features are plain, their ranges are not computed.
    ahead: Option<Ahead>,
    columns: OnceCell<Columns>,
    /// Objects that have been read.
    read: usize,
    /// The columns that were chosen.
    chosen: Vec<usize>,
    /// Those of members, by their names.
    members: HashMap<String, usize>,
    /// Where in the text the cells of the row are, by column.
    cells: Vec<Option<Range<usize>>>,
    /// The geometry of the row.
    geometry: Own,
    /// Where the row begins in the text.
    row: usize,
}

/// The geometry of a row.
enum Own {
    Missing,
    Plain(Plain),
    /// Where it is.
    Text(Range<usize>),
}

/// The column of geometries.
const GEOMETRY: &str = "geometry";

fn open(source: Source) -> Result<Box<dyn Records>, Error> {
    let (name, mut bytes) = source.read_all(FORMAT.name)?;
    // Separators between documents count as blanks.
    bytes.iter_mut().filter(|byte| **byte == b'\x1E').for_each(|byte| *byte = b' ');
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
        Error::in_line(&name, line as u64, "it is not UTF-8")
    })?;
    let text = if NO_NUMBERS.iter().any(|(word, _)| text.contains(word)) { with_quotes(&text) } else { text };
    let mut json = Json {
        name,
        text,
        objects: Objects { ranges: Vec::new(), is_geo: true, system: System::wgs84(), unsaid: System::wgs84() },
        ahead: None,
        columns: OnceCell::new(),
        read: 0,
        chosen: Vec::new(),
        members: HashMap::new(),
        cells: Vec::new(),
        geometry: Own::Missing,
        row: 0,
    };
    match plain::begin(&json.text) {
        Some((first, system)) => {
            json.ahead = Some(Ahead { first, next: first });
            json.objects.system = system.as_ref().map_or_else(System::wgs84, System::of_member);
            json.objects.unsaid = json.objects.system.clone();
        }
        None => json.objects = json.find_objects()?,
    }
    let is_table = !json.objects.is_geo && !json.objects.ranges.is_empty();
    if is_table && json.columns().width() == 0 {
        return Err(Error::in_file(
            &json.name,
            "it is JSON, but neither features nor objects with members that could be columns",
        ));
    }
    Ok(Box::new(json))
}

impl Json {
    /// Finds the features or objects of all documents.
    fn find_objects(&self) -> Result<Objects, Error> {
        let (mut ranges, mut is_geo, mut system, mut unsaid) = (Vec::new(), None, None, None);
        for document in serde_json::Deserializer::from_str(&self.text).into_iter::<&RawValue>() {
            let document = document.map_err(|error| self.fault(&self.text, &error, ""))?.get();
            if document.starts_with('[') {
                let all: Vec<&RawValue> = self.parse(document, "")?;
                ranges.extend(all.iter().map(|object| self.range(object.get())));
                is_geo = is_geo.or(all.first().map(|first| is_geo_object(first.get())));
                let own = if is_geo == Some(true) { system_of(&all) } else { None };
                if let Some(own) = own {
                    self.agree(system.get_or_insert_with(|| own.clone()), &own, document, "")?;
                }
                continue;
            }
            let object: Object<'_> = self.parse(document, "")?;
            let is_collection = object.is_called("FeatureCollection");
            let said = object.crs.as_ref().filter(|_| is_collection).map(System::of_member);
            let own = match &object.features {
                Some(features) if is_collection => said.clone().or_else(|| system_of(features)),
                _ => object.own_system(),
            };
            if let Some(own) = own {
                self.agree(system.get_or_insert_with(|| own.clone()), &own, document, "")?;
            }
            unsaid = unsaid.or(said);
            match &object.features {
                _ if object.is_called("Topology") => return Err(self.is_other("TopoJSON")),
                Some(_) if object.esri.is_some() => return Err(self.is_other("Esri JSON")),
                Some(features) if is_collection => {
                    ranges.extend(features.iter().map(|feature| self.range(feature.get())));
                    is_geo = Some(true);
                }
                None if is_collection => {
                    let what = "the FeatureCollection has no \"features\"";
                    return Err(Error::in_line(&self.name, self.line(document), what));
                }
                _ => {
                    ranges.push(self.range(document));
                    is_geo = is_geo.or(Some(object.kind() != Kind::Plain));
                }
            }
        }
        let [system, unsaid] = [system, unsaid].map(|system| system.unwrap_or_else(System::wgs84));
        Ok(Objects { ranges, is_geo: is_geo.unwrap_or(true), system, unsaid })
    }

    /// It is JSON of another kind.
    fn is_other(&self, kind: &str) -> Error {
        Error::in_file(&self.name, format_args!("this is {kind}; {OGR}"))
    }

    /// Refuses a feature whose only geometry is that of JSON-FG.
    fn check_place(&self, feature: &str, has_geometry: bool, place: Option<&RawValue>) -> Result<(), Error> {
        if has_geometry || place.is_none() {
            return Ok(());
        }
        let what = format_args!("{}has no \"geometry\", but a \"place\" of JSON-FG; {OGR}", self.location());
        Err(Error::in_line(&self.name, self.line(feature), what))
    }

    /// Refuses a part that is in another system than what came before it.
    fn agree(&self, before: &System, own: &System, part: &str, location: &str) -> Result<(), Error> {
        if own.is_same(before) {
            return Ok(());
        }
        let what = format_args!("{location}its coordinates are in {own}, but those before it in {before}");
        Err(Error::in_line(&self.name, self.line(part), what))
    }

    /// The names of all members of all objects, or of the properties of all features, in the order in which they come.
    fn find_columns(&self) -> Columns {
        let mut names: Vec<String> = if self.objects.is_geo { vec![GEOMETRY.into()] } else { Vec::new() };
        let mut known: HashSet<String> = names.iter().cloned().collect();
        let mut add = |own: serde_json::Result<Vec<String>>| {
            // What cannot be read is reported with its row.
            for name in own.unwrap_or_default() {
                if known.insert(name.clone()) {
                    names.push(name);
                }
            }
        };
        let Some(Ahead { first, .. }) = self.ahead else {
            self.objects.ranges.iter().for_each(|range| add(self.names_of(&self.text[range.clone()])));
            return Columns::new(names);
        };
        let are_plain = plain::visit(&self.text, first, |feature| {
            add(self.names_of_feature(feature));
        });
        if are_plain.is_none() {
            // So is what keeps objects from being found.
            let ranges = self.find_objects().map_or_else(|_| Vec::new(), |objects| objects.ranges);
            ranges.iter().for_each(|range| add(self.names_of(&self.text[range.clone()])));
        }
        Columns::new(names)
    }

    /// The names of an object's members, or of a feature's properties, to which its `id` belongs.
    fn names_of(&self, object: &str) -> serde_json::Result<Vec<String>> {
        if self.objects.is_geo { self.names_of_feature(&serde_json::from_str(object)?) } else { self.names_in(object) }
    }

    fn names_of_feature(&self, feature: &Object<'_>) -> serde_json::Result<Vec<String>> {
        let mut names = feature.properties.map_or_else(|| Ok(Vec::new()), |all| self.names_in(all.get()))?;
        names.extend(feature.id.map(|_| "id".into()));
        Ok(names)
    }

    /// The names of an object's members, in their order.
    fn names_in(&self, object: &str) -> serde_json::Result<Vec<String>> {
        let mut names = Vec::new();
        let note = |name: &str| {
            names.push(name.to_owned());
            None
        };
        Members { json: self, cells: &mut [], column: note }.read(object)?;
        Ok(names)
    }

    /// Reads the next feature if it is plain, and returns whether there was one.
    fn read_plain(&mut self, ahead: Ahead) -> Result<Option<bool>, Error> {
        let start = match plain::next(&self.text, ahead.next, self.read == 0) {
            Some(Next::At(start)) => start,
            Some(Next::End) => return Ok(Some(false)),
            None => return Ok(None),
        };
        let Some((feature, end)) = plain::read::<Feature<'_>>(&self.text, start).filter(|(one, _)| one.is_one()) else {
            let Some((object, end)) = plain::read::<&RawValue>(&self.text, start) else { return Ok(None) };
            let range = self.range(object.get());
            self.ahead = Some(Ahead { next: end, ..ahead });
            return self.read_object(range).map(|()| Some(true));
        };
        self.check_place(&self.text[start..], feature.geometry.is_some(), feature.place)?;
        let [properties, id] = [feature.properties, feature.id].map(|part| part.map(|part| self.range(part.get())));
        self.geometry = match feature.geometry {
            Some(geometry) if self.chosen.contains(&0) => Own::Plain(geometry),
            _ => Own::Missing,
        };
        (self.row, self.ahead) = (start, Some(Ahead { next: end, ..ahead }));
        self.find_cells(properties, id.as_ref())?;
        Ok(Some(true))
    }

    /// Not all features are plain: find all of them.
    fn leave_plain(&mut self) -> Result<(), Error> {
        let objects = self.find_objects()?;
        if objects.system != self.objects.system {
            return Err(Error::in_file(&self.name, "the system of the coordinates is named after the features"));
        }
        (self.objects, self.ahead) = (objects, None);
        Ok(())
    }

    /// Reads an object.
    fn read_object(&mut self, range: Range<usize>) -> Result<(), Error> {
        self.row = range.start;
        let text = &self.text[range.clone()];
        if !self.objects.is_geo {
            return self.find_cells(Some(range), None);
        }
        let location = self.location();
        let object: Object<'_> = self.parse(text, &location)?;
        let own = if object.kind() == Kind::Feature { object.geometry.map(RawValue::get) } else { Some(text) };
        self.check_place(text, own.is_some(), object.place)?;
        if own.is_some() {
            let Objects { system, unsaid, .. } = &self.objects;
            self.agree(system, object.system().as_ref().unwrap_or(unsaid), text, &location)?;
        }
        let [properties, id] = [object.properties, object.id].map(|part| part.map(|part| self.range(part.get())));
        self.geometry = match own {
            Some(own) if self.chosen.contains(&0) => Own::Text(self.range(own)),
            _ => Own::Missing,
        };
        self.find_cells(properties, id.as_ref())
    }

    /// Finds the chosen cells of a row among its members, or the properties and the id of a feature.
    fn find_cells(&mut self, members: Option<Range<usize>>, id: Option<&Range<usize>>) -> Result<(), Error> {
        let mut cells = std::mem::take(&mut self.cells);
        cells.fill(None);
        if let (Some(range), false) = (members, self.members.is_empty()) {
            let object = &self.text[range];
            let column = |name: &str| self.members.get(name).copied();
            let found = Members { json: self, cells: &mut cells, column }.read(object);
            found.map_err(|error| self.fault(object, &error, &self.location()))?;
        }
        if let (Some(id), Some(column)) = (id, self.members.get("id")) {
            cells[*column].get_or_insert_with(|| id.clone());
        }
        self.cells = cells;
        Ok(())
    }

    fn location(&self) -> String {
        let what = if self.objects.is_geo { "feature" } else { "row" };
        format!("{what} {} (from 0): ", self.read)
    }

    fn parse<'a, T: Deserialize<'a>>(&self, part: &'a str, location: &str) -> Result<T, Error> {
        serde_json::from_str(part).map_err(|error| self.fault(part, &error, location))
    }

    /// What a parser says about a part of the text, with the line in the file.
    fn fault(&self, part: &str, error: &serde_json::Error, location: &str) -> Error {
        let line = self.line(part) + (error.line() as u64).saturating_sub(1);
        Error::in_line(&self.name, line, format_args!("{location}{}", without_place(error)))
    }

    /// Where a part of the text is.
    fn range(&self, part: &str) -> Range<usize> {
        plain::range(&self.text, part)
    }

    /// The line that a part of the text begins in.
    fn line(&self, part: &str) -> u64 {
        let before = &self.text.as_bytes()[..self.range(part).start];
        1 + before.iter().filter(|byte| **byte == b'\n').count() as u64
    }
}

/// The geometry of the row.
impl hull::Geometry for Json {
    fn bounds(&self, hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String> {
        match &self.geometry {
            Own::Missing => Ok(None),
            Own::Plain(plain) => plain.bounds(hull),
            Own::Text(range) => geojson_geometry::bounds(&self.text[range.clone()], hull),
        }
    }
}

impl Records for Json {
    fn columns(&self) -> &Columns {
        self.columns.get_or_init(|| self.find_columns())
    }

    fn is_of_features(&self) -> bool {
        self.objects.is_geo
    }

    fn system(&self) -> Option<&System> {
        self.objects.is_geo.then_some(&self.objects.system)
    }

    fn error_without_column(&self) -> Option<Error> {
        self.ahead.and_then(|_| self.find_objects().err())
    }

    fn choose(&mut self, columns: &[usize]) -> Result<(), Error> {
        let members = columns.iter().filter(|column| !(self.objects.is_geo && **column == 0));
        self.members = members.map(|column| (self.columns().names()[*column].clone(), *column)).collect();
        self.chosen = columns.to_vec();
        let most = columns.iter().max().map_or(0, |most| most + 1);
        self.cells = vec![None; most];
        Ok(())
    }

    fn next_row(&mut self) -> Result<bool, Error> {
        if let Some(ahead) = self.ahead {
            if let Some(is_row) = self.read_plain(ahead)? {
                self.read += usize::from(is_row);
                return Ok(is_row);
            }
            self.leave_plain()?;
        }
        let Some(range) = self.objects.ranges.get(self.read).cloned() else { return Ok(false) };
        self.read_object(range)?;
        self.read += 1;
        Ok(true)
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        if self.objects.is_geo && column == 0 {
            return match self.geometry {
                Own::Missing => Cell::Missing,
                _ => Cell::Geometry(self),
            };
        }
        match self.cells.get(column).cloned().flatten().map(|range| &self.text[range]) {
            None | Some("null") => Cell::Missing,
            Some(raw) => match unescaped(raw) {
                Some(text) => Cell::Text(text.into_bytes().into()),
                None => Cell::text_of(raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')).unwrap_or(raw)),
            },
        }
    }

    fn error(&self, what: &dyn Display) -> Error {
        let row = self.read.saturating_sub(1);
        let location = if self.objects.is_geo { "feature" } else { "row" };
        let geometry = if let Own::Text(range) = &self.geometry { Some(&self.text[range.clone()]) } else { None };
        let fault = geometry.and_then(|text| Some(self.line(text) + geojson_geometry::line_of_fault(text)?));
        let line = fault.unwrap_or_else(|| self.line(&self.text[self.row..]));
        Error::in_line(&self.name, line, format_args!("{location} {row} (from 0): {what}"))
    }

    fn format(&self) -> String {
        if self.objects.is_geo { "GeoJSON" } else { "JSON" }.into()
    }
}

/// What Python writes where a number is missing or infinite, which is no JSON; and a text of the same length.
const NO_NUMBERS: [(&str, &str); 3] = [("-Infinity", "\"-inf\"   "), ("Infinity", "\"inf\"   "), ("NaN", "\"\" ")];

/// The same with such words, outside of texts, as texts.
fn with_quotes(text: &str) -> String {
    let (mut quoted, mut is_text) = (String::with_capacity(text.len()), false);
    for part in text.split_inclusive('"') {
        match NO_NUMBERS.iter().any(|(word, _)| !is_text && part.contains(word)) {
            true => quoted += &NO_NUMBERS.iter().fold(part.to_owned(), |part, (word, text)| part.replace(word, text)),
            false => quoted += part,
        }
        let escapes = part.trim_end_matches('"').bytes().rev().take_while(|byte| *byte == b'\\').count();
        is_text ^= escapes % 2 == 0;
    }
    quoted
}

/// Whether an object is a feature or a geometry; errors are reported later, with the row.
fn is_geo_object(object: &str) -> bool {
    serde_json::from_str::<Object<'_>>(object).is_ok_and(|object| object.kind() != Kind::Plain)
}

/// The coordinate system of the first of these features that has a geometry.
fn system_of(features: &[&RawValue]) -> Option<System> {
    let mut objects = features.iter().filter_map(|feature| serde_json::from_str::<Object<'_>>(feature.get()).ok());
    objects.find_map(|object| object.own_system())
}

/// Unescapes a text.
fn unescaped(raw: &str) -> Option<String> {
    (raw.starts_with('"') && raw.contains('\\')).then(|| serde_json::from_str(raw).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use crate::{Choice, Shapes, Source};

    const FEATURES: &str = r#"{ "type": "FeatureCollection", "name": "all", "features": [
{ "type": "Feature", "id": 7, "properties": { "name": "a\"b", "n": 1.50 }, "geometry": { "type": "Point", "coordinates": [1.5, -2, 9] } },
{ "type": "Feature", "properties": { "name": null }, "geometry": { "coordinates": [[0,1],[2,3.25e1]], "type": "LineString" } },
{ "type": "Feature", "properties": null, "geometry": { "type": "MultiPoint", "coordinates": [] }, "bbox": [0,0,1,1] },
{ "geometry": { "type": "Polygon", "coordinates": [[[0,0],[9,0],[0,9],[0,0]],[[1,1],[2,1],[1,2],[1,1]]] }, "properties": { "id": "x", "name": "c" }, "type": "Feature" },
{ "type": "Feature", "properties": { "name": "é" }, "geometry": null, "id": null },
{ "type": "Feature", "properties": { "name": [1, {"a": 2}] }, "geometry": { "type": "MultiPolygon", "coordinates": [[[[0,0],[1,0],[0,1],[0,0]]], [[[5,5],[6,5],[5,6],[5,5]]]] } },
{ "type": "Feature", "properties": { "name": "d" }, "geometry": { "type": "MultiLineString", "coordinates": [[[0,0],[1,1]],[[0.1234567890123456789,2],[3,1]]] } },
{ "type": "Feature", "properties": { "name": "e" }, "geometry": { "type": "GeometryCollection", "geometries": [ { "type": "Point", "coordinates": [4, 5] } ] } }
] }
"#;

    /// The contents of a file, or why it cannot be read.
    fn read(text: &str, keep: &[&str]) -> Result<String, String> {
        let source = Source::from_reader("f", std::io::Cursor::new(text.as_bytes().to_vec())).unwrap();
        let keep = keep.iter().map(|name| (*name).to_owned()).collect();
        let choice = Choice { keep, has_geometries: true, ..Choice::default() };
        let all = Shapes::from_source(source, &choice).map_err(|error| error.to_string())?;
        let geometries = all.geometries.as_ref().unwrap();
        let parts: Vec<_> =
            (0..geometries.len() as u32).map(|number| geometries.parts(number).collect::<Vec<_>>()).collect();
        Ok(format!("{:?} {:?} {} {parts:?} {:?}", all.system, all.boxes, all.skipped, all.kept))
    }

    /// An id of the collection is not plain, so the complete parser reads everything.
    fn not_plain(text: &str) -> String {
        text.replacen('{', "{\"id\":0,", 1)
    }

    #[test]
    fn plain_features_are_read_as_others_are() {
        for keep in [&[][..], &["name"], &["id", "name"], &["n"]] {
            assert_eq!(read(FEATURES, keep), read(&not_plain(FEATURES), keep));
            assert!(read(FEATURES, keep).is_ok());
        }
        let utm =
            FEATURES.replacen("\"name\": \"all\"", r#""crs":{"type":"name","properties":{"name":"EPSG:25832"}}"#, 1);
        assert_eq!(read(&utm, &[]), read(&not_plain(&utm), &[]));
        assert!(read(&utm, &[]).unwrap().contains("25832"));
        let after =
            FEATURES.trim_end().trim_end_matches('}').to_owned() + r#","crs":{"properties":{"name":"EPSG:25832"}}}"#;
        assert!(read(&after, &[]).unwrap().contains("25832"));
        let hidden = after.replace("\"crs\"", "\"\\u0063rs\"");
        assert!(read(&hidden, &[]).unwrap_err().contains("after the features"));
    }

    #[test]
    fn numbers_that_are_none_are_read_as_python_writes_them() {
        let text =
            FEATURES.replace("1.50", "NaN").replace("\"name\": null", r#""n": -Infinity, "name": "NaN\\\"NaN\\\\""#);
        for text in [text.clone(), not_plain(&text)] {
            let read = read(&text, &["n", "name"]).unwrap();
            assert!(read.contains(r#"text: "-inf","#) && read.contains(r#"text: "a\"bNaN\\\"NaN\\\\c"#), "{read}");
        }
        let rows =
            |text: &'static str| Shapes::from_source(Source::from_reader("f", text.as_bytes())?, &Choice::default());
        let rows = |text| rows(text).map(|all| (all.boxes.len(), all.skipped)).map_err(|error| error.to_string());
        assert_eq!(rows("[{\"x\":1,\"y\":2},{\"x\":NaN,\"y\": NaN }]"), Ok((1, 1)));
        for text in [FEATURES.replace("1.5,", "NaN,"), not_plain(FEATURES).replace("1.5,", "NaN,")] {
            let refused = read(&text, &[]).unwrap_err();
            assert!(refused.contains("feature 0 (from 0): geometry") && refused.contains(": NaN or"), "{refused}");
        }
        for missing in ["", ",\"y\":null"] {
            let refused = read(&format!("[{{\"x\":1,\"y\":2}},{{\"x\":1{missing}}}]"), &[]).unwrap_err();
            assert_eq!(refused, "f: line 1: row 1 (from 0): y is missing");
        }
        let refused = rows("{\"x\":1,\"y\":2}\n{\"x\":Infinity,\"y\":2}").unwrap_err();
        assert_eq!(refused, "f: line 2: row 1 (from 0): x \"inf\" is not a finite number");
        assert!(rows("[{\"x\":aNaN,\"y\":2}]").is_err() && rows("NaN").is_err());
    }

    #[test]
    fn json_of_other_kinds_is_refused() {
        let feature = |geometry: &str| {
            let place = r#"{"type":"Point","coordinates":[2600000,1200000]}"#;
            format!(r#"{{"type":"Feature","properties":{{"n":1}},"geometry":{geometry},"place":{place},"id":1}}"#)
        };
        let point = feature(r#"{"type":"Point","coordinates":[8,47]}"#);
        let of_features = |other: &str| format!("{{\"type\":\"FeatureCollection\",\"features\":[{point},\n{other}]}}");
        let fg = of_features(&feature("null"));
        for (text, what) in [
            (
                r#"{"geometryType":"esriGeometryPoint","features":[{"attributes":{"n":1},"geometry":{"x":8,"y":47}}]}"#,
                "f: this is Esri JSON; `ogr2ogr",
            ),
            (r#"{"type":"Topology","objects":{},"arcs":[]}"#, "f: this is TopoJSON; `ogr2ogr"),
            (&fg, "f: line 2: feature 1 (from 0): has no \"geometry\", but a \"place\" of JSON-FG; `ogr2ogr"),
            (
                &not_plain(&fg),
                "f: line 2: feature 1 (from 0): has no \"geometry\", but a \"place\" of JSON-FG; `ogr2ogr",
            ),
        ] {
            let refused = read(text, &[]).unwrap_err();
            assert!(refused.starts_with(what), "{refused}");
        }
        assert!(read(&of_features(&point), &[]).is_ok());
    }

    #[test]
    fn a_member_that_is_there_twice_is_refused() {
        let table = |text: &'static str, column: &str| {
            let mut table =
                crate::table::Table::from_source(Source::from_reader("f", text.as_bytes()).unwrap()).unwrap();
            let column = table.columns().names().iter().position(|name| name == column).unwrap();
            table.choose(&[column]).unwrap();
            let mut read = Vec::new();
            while let Some(row) = table.next_row().map_err(|error| error.to_string())? {
                read.push(row.number(column).unwrap());
            }
            Ok::<_, String>(read)
        };
        let twice = "[{\"x\":1,\"y\":2},\n{\"x\":1,\n\"y\":2,\"\\u0078\":5}]";
        assert_eq!(table(twice, "x").unwrap_err(), "f: line 3: row 1 (from 0): \"x\" is there twice");
        // Others are not read.
        assert_eq!(table(twice, "y"), Ok(vec![2.0; 2]));
        let features = FEATURES.replacen("\"id\": \"x\"", "\"id\": \"x\", \"id\": 5", 1);
        for text in [features.clone(), not_plain(&features)] {
            assert_eq!(read(&text, &["id"]).unwrap_err(), "f: line 5: feature 3 (from 0): \"id\" is there twice");
            assert!(read(&text, &["name"]).is_ok());
        }
    }

    #[test]
    fn systems_are_named_in_several_ways() {
        let told = |crs: &str| {
            let collection = format!(r#"{{"type":"FeatureCollection","crs":{crs},"features":[]}}"#);
            let systems = [collection.clone(), not_plain(&collection)].map(|text| {
                let source = Source::from_reader("f", std::io::Cursor::new(text.into_bytes())).unwrap();
                let all = Shapes::from_source(source, &Choice::default()).unwrap();
                all.system.map(|system| (system.to_string(), system.is_degrees()))
            });
            assert_eq!(systems[0], systems[1]);
            systems[0].clone().unwrap()
        };
        for (crs, name, is_degrees) in [
            ("null", "EPSG:4326", true),
            (r#"{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}"#, "OGC:CRS84", true),
            (
                r#"{"type":"link","properties":{"href":"http://www.opengis.net/def/crs/EPSG/0/2056"}}"#,
                "EPSG:2056",
                false,
            ),
            (r#"{"type":"EPSG","properties":{"code":2056}}"#, "EPSG:2056", false),
            (r#"{"type":"EPSG","properties":{"code":"4326"}}"#, "EPSG:4326", true),
            (r#"{"type":"EPSG","properties":{"code":"EPSG:4326"}}"#, "EPSG:4326", true),
            (r#"{"type":"OGC","properties":{"urn":"urn:ogc:def:crs:EPSG::2056"}}"#, "EPSG:2056", false),
            (r#"{"type":"url","properties":{"url":"http://www.opengis.net/def/crs/EPSG/0/4326"}}"#, "EPSG:4326", true),
            (r#""EPSG:2056""#, "EPSG:2056", false),
            (r#""EPSG:4326""#, "EPSG:4326", true),
            (r#"{"type":"other"}"#, r#"{"type":"other"}"#, false),
            (r#"{"properties":{"a":"EPSG:4326"}}"#, r#"{"properties":{"a":"EPSG:4326"}}"#, false),
            ("{}", "{}", false),
            ("2056", "2056", false),
        ] {
            assert_eq!(told(crs), (name.to_owned(), is_degrees), "{crs}");
        }
    }

    #[test]
    fn all_documents_have_one_system() {
        let collection = |crs: &str| {
            format!(
                r#"{{"type":"FeatureCollection",{crs}"features":[{{"type":"Feature","properties":null,"geometry":{{"type":"Point","coordinates":[8,47]}}}}]}}"#
            )
        };
        let named = |code: &str| collection(&format!(r#""crs":{{"type":"name","properties":{{"name":"{code}"}}}},"#));
        let read = |documents: &[String]| read(&documents.join("\n"), &[]);
        for one in [[collection(""), named("OGC:CRS84")], [named("EPSG:2056"), named("urn:ogc:def:crs:EPSG::2056")]] {
            assert!(read(&one).is_ok());
        }
        for (documents, line) in [
            ([collection(""), named("EPSG:2056"), named("EPSG:2056")], 2),
            ([named("EPSG:2056"), named("EPSG:2056"), collection("")], 3),
            ([named("EPSG:2056"), named("EPSG:25832"), named("EPSG:2056")], 2),
        ] {
            let refused = read(&documents).unwrap_err();
            assert!(refused.starts_with(&format!("f: line {line}: its coordinates are in EPSG:")), "{refused}");
        }
        // Members of this name are columns of tables.
        let rows = "{\"x\":1,\"y\":2,\"crs\":\"a\"}\n{\"x\":1,\"y\":2,\"crs\":\"b\"}\n";
        assert!(Shapes::from_source(Source::from_reader("f", rows.as_bytes()).unwrap(), &Choice::default()).is_ok());
    }

    #[test]
    fn features_and_geometries_are_in_the_system_of_the_file() {
        let crs = |code: &str| match code {
            "" => String::new(),
            code => format!(r#""crs":{{"type":"name","properties":{{"name":"{code}"}}}},"#),
        };
        let feature = |[own, of_geometry, of_part]: [&str; 3]| {
            let part = format!(r#"{{"type":"Point",{}"coordinates":[8,47]}}"#, crs(of_part));
            let geometry = format!(r#"{{"type":"GeometryCollection",{}"geometries":[{part}]}}"#, crs(of_geometry));
            format!(r#"{{"type":"Feature",{}"properties":{{"crs":"a"}},"geometry":{geometry}}}"#, crs(own))
        };
        let (web, plain) = ("EPSG:3857", feature([""; 3]));
        let nowhere = r#"{"type":"Feature","properties":{"crs":"a"},"geometry":null}"#.to_owned();
        let [own, inner, part] = [[web, "", ""], ["", web, ""], ["", "", web]].map(feature);
        let array = |[one, other]: [&String; 2]| format!("[{one},\n{other}]");
        let lines = |[one, other]: [&String; 2]| format!("{one}\n{other}");
        let collection = |top: &str, features: [&String; 2]| {
            format!(r#"{{"type":"FeatureCollection",{}"features":{}}}"#, crs(top), array(features))
        };
        // PostGIS names the systems of geometries, unless they are WGS 84.
        for good in
            [[&own, &own], [&own, &inner], [&inner, &own], [&inner, &inner], [&nowhere, &inner], [&inner, &nowhere]]
        {
            for text in [collection("", good), collection(web, good), lines(good), array(good)] {
                assert!(read(&text, &[]).unwrap().contains(web), "{text}");
            }
        }
        for good in [[&plain, &plain], [&plain, &part], [&part, &inner], [&inner, &plain]] {
            assert!(read(&collection(web, good), &[]).unwrap().contains(web));
        }
        let degrees = ["OGC:CRS84", "EPSG:4326"].map(|code| feature([code, "", code]));
        assert!(read(&collection("", [&degrees[0], &degrees[1]]), &[]).is_ok_and(|read| read.contains("CRS84")));
        assert!(read(&collection("", [&plain, &degrees[1]]), &[]).is_ok_and(|read| read.contains("EPSG:4326")));
        let named = |text: String| {
            let refused = read(&text, &[]).unwrap_err();
            assert!(refused.starts_with("f: line 2: ") && refused.contains(web), "{text}: {refused}");
        };
        for bad in [[&plain, &own], [&plain, &inner], [&plain, &part], [&own, &plain], [&inner, &plain]] {
            [collection("", bad), lines(bad), array(bad)].into_iter().for_each(named);
        }
        [&own, &inner, &part].into_iter().for_each(|other| named(collection("EPSG:2056", [&plain, other])));
    }

    #[test]
    fn a_fault_is_told_alike_whether_features_are_plain_or_not() {
        let mut random = fastrand::Rng::with_seed(3);
        let (mut good, mut bad) = (0, 0);
        for _ in 0..20_000 {
            let mut bytes = FEATURES.as_bytes().to_vec();
            let first = FEATURES.find('[').unwrap();
            for _ in 0..random.usize(1..3) {
                let at = random.usize(first..bytes.len());
                match random.u8(..3) {
                    0 => bytes[at] = *random.choice(b"{}[],:\"\\ 019.-eEutnf").unwrap(),
                    1 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, *random.choice(b"{}[],:\"\\ 019.-eEu\ntnf").unwrap()),
                }
            }
            let Ok(text) = String::from_utf8(bytes) else { continue };
            let keep: &[&str] = if random.bool() { &[] } else { &["name", "id"] };
            match (read(&text, keep), read(&not_plain(&text), keep)) {
                (Ok(plain), Ok(other)) => {
                    assert_eq!(plain, other, "{text}");
                    good += 1;
                }
                // Reading the whole document first finds faults of the document earlier.
                (Err(plain), Err(other)) => {
                    assert!(plain == other || !other.contains("feature "), "{plain}\n{other}\n{text}");
                    bad += 1;
                }
                (plain, other) => panic!("{plain:?}\n{other:?}\n{text}"),
            }
        }
        assert!(good > 2_000 && bad > 2_000, "{good} {bad}");
    }
}

/// Finds the members of an object that have a column.
struct Members<'a, F> {
    json: &'a Json,
    cells: &'a mut [Option<Range<usize>>],
    /// The column of a member, by its name.
    column: F,
}

impl<F: FnMut(&str) -> Option<usize>> Members<'_, F> {
    fn read(self, object: &str) -> serde_json::Result<()> {
        serde_json::Deserializer::from_str(object).deserialize_any(self)
    }
}

/// The name of a member, copied only if it is escaped.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de, F: FnMut(&str) -> Option<usize>> Visitor<'de> for Members<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<M: MapAccess<'de>>(mut self, mut members: M) -> Result<(), M::Error> {
        while let Some(Name(name)) = members.next_key()? {
            let Some(column) = (self.column)(&name) else {
                members.next_value::<IgnoredAny>()?;
                continue;
            };
            // Nobody could tell which of them is meant.
            if self.cells[column].is_some() {
                return Err(M::Error::custom(format_args!("{} is there twice", quote(name.as_bytes()))));
            }
            self.cells[column] = Some(self.json.range(members.next_value::<&RawValue>()?.get()));
        }
        Ok(())
    }
}
