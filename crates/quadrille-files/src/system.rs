//! Coordinate reference systems that files name.

use std::fmt;

use crate::columns::plain;
use crate::epsg;
use serde_json::Value;

/// Usual names of WGS 84 in degrees, as [`plain`] spells them.
const NAMES_OF_WGS84: [&str; 5] = ["wgs84", "wgs1984", "gcswgs1984", "crs84", "worldgeodeticsystem1984"];

/// The name of a system without a name.
#[cfg(any(test, feature = "parquet"))]
const NAMELESS: &str = "a system without a name";

/// The coordinate system of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    name: String,
    is_degrees: bool,
    has_geodesic_edges: bool,
}

impl System {
    /// Edges are straight in coordinates, as almost all files have them.
    fn new(name: &str, is_degrees: bool) -> Self {
        Self { name: shown(name), is_degrees, has_geodesic_edges: false }
    }

    /// Longitude and latitude on WGS 84.
    pub(crate) fn wgs84() -> Self {
        Self::new("EPSG:4326", true)
    }

    /// Whether coordinates in both are the same, as far as names tell.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self == other || self.is_usual() && other.is_usual()
    }

    /// Whether coordinates in both differ, as far as is known: one system may have a code here and a name there.
    pub(crate) fn differs(&self, other: &Self) -> bool {
        let are_codes = [self, other].iter().all(|system| system.name.starts_with("EPSG:"));
        let zones = self.utm_zone().zip(other.utm_zone());
        self.is_degrees != other.is_degrees
            || are_codes && self.name != other.name
            || zones.is_some_and(|(own, other)| own != other)
    }

    /// The zone and hemisphere of a projected system, as far as its code or name tells: `(32, 'n')`.
    fn utm_zone(&self) -> Option<(u32, char)> {
        let name = plain(&self.name);
        if let Some(code) = name.strip_prefix("epsg").and_then(|code| code.parse::<u32>().ok()) {
            let series = [(25_800, 'n'), (26_900, 'n'), (32_600, 'n'), (32_700, 's')];
            let zones = series.map(|(first, half)| (code.wrapping_sub(first), half));
            return zones.into_iter().find(|(zone, _)| (1..=60).contains(zone));
        }
        let (_, zone) = name.split_once("utmzone")?;
        let (zone, half) = zone.split_at(zone.find(['n', 's'])?);
        Some((zone.parse().ok()?, half.chars().next()?))
    }

    /// Whether places in both are not comparable, as far as is known. Degrees of two systems are meters apart at most.
    #[must_use]
    pub fn is_apart(&self, other: &Self) -> bool {
        self.differs(other) && !(self.is_degrees && other.is_degrees)
    }

    /// Takes the system that a row names for that of its file, unless others are in another one.
    pub(crate) fn agree(of_file: &mut Option<Self>, named: Option<Self>) -> Result<(), String> {
        match (&of_file, named) {
            (Some(others), Some(own)) if own.differs(others) => {
                Err(format!("is in {own}, but others of the file are in {others}"))
            }
            (None, named) => {
                *of_file = named;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Whether coordinates are degrees of longitude and latitude.
    #[must_use]
    pub const fn is_degrees(&self) -> bool {
        self.is_degrees
    }

    /// Whether edges of lines and polygons are shortest paths on the earth instead of straight lines in degrees.
    #[must_use]
    pub const fn has_geodesic_edges(&self) -> bool {
        self.has_geodesic_edges
    }

    /// Whether it is that of GPS and GeoJSON, which need not be mentioned.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        ["EPSG:4326", "OGC:CRS84", "WGS 84", "GCS_WGS_1984", "WGS 84 (CRS84)"].contains(&self.name.as_str())
    }

    /// A code of a registry as programs write it: `EPSG:25832`, `urn:ogc:def:crs:OGC:1.3:CRS84`,
    /// `http://www.opengis.net/def/crs/EPSG/0/4326`, `http://www.opengis.net/gml/srs/epsg.xml#4326`, `srid:4326`; or a
    /// usual name of WGS 84.
    pub(crate) fn of_code(code: &str) -> Self {
        let parts: Vec<_> = code.split([':', '/', '#', ',', '&']).filter(|part| !part.is_empty()).collect();
        let has =
            |names: &[&str]| parts.iter().position(|part| names.iter().any(|name| part.eq_ignore_ascii_case(name)));
        if let Some(at) = has(&["EPSG", "epsg.xml", "srid"]) {
            // Of a system made of several, the first one counts. The number of the version may be before its own.
            let own = parts[at + 1..].split(|part| part.eq_ignore_ascii_case("EPSG")).next().unwrap_or_default();
            let number = own.iter().rev().find_map(|part| part.split('+').next()?.parse::<u32>().ok());
            let Some(number) = number else { return Self::new(code, false) };
            return Self::new(&format!("EPSG:{number}"), epsg::is_in_degrees(number));
        }
        let last = parts.last().copied().unwrap_or_default();
        if ["CRS84", "CRS84h"].iter().any(|name| last.eq_ignore_ascii_case(name)) {
            return Self::new(&format!("OGC:{last}"), true);
        }
        // `urn:ogc:def:crs:ESRI::102003`
        let named = has(&["crs"]).map(|at| at + 1).filter(|at| at + 1 < parts.len());
        if let Some(at) = named.or_else(|| has(&["OGC", "ESRI", "IAU"])) {
            return Self::new(&format!("{}:{last}", parts[at].to_ascii_uppercase()), false);
        }
        Self::new(code, NAMES_OF_WGS84.contains(&plain(code).as_str()))
    }

    /// Well-known text, as in a `.prj` file; `None` if it is something else.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        let plain = text.to_ascii_uppercase();
        let has = |words: &[&str]| words.iter().any(|word| plain.contains(word));
        if !has(&["CS[", "CRS["]) {
            return None;
        }
        let is_projected = has(&["PROJCS[", "PROJCRS[", "GEOCCS[", "LOCAL_CS[", "ENGCRS[", "CS[CARTESIAN"]);
        // The meridian of a system in grads may be in degrees.
        let axes = plain.find("CS[ELLIPSOIDAL").map_or(&plain[..], |at| &plain[at..]);
        let is_degrees = !is_projected && has(&["GEOGCS[", "GEOGCRS[", "GEODCRS["]) && axes.contains("\"DEGREE");
        Some(Self::new(text.split('"').nth(1).unwrap_or(text), is_degrees))
    }

    /// The same, by the code of a registry.
    pub(crate) fn called(self, code: &str) -> Self {
        Self { name: shown(code), ..self }
    }

    /// What the member `crs` of GeoJSON names, as before RFC 7946 and in its drafts. What is not understood is a system that
    /// nobody knows.
    pub(crate) fn of_member(crs: &Value) -> Self {
        let property = |name: &str| crs.get("properties")?.get(name);
        let named = ["name", "href", "urn", "url"].iter().find_map(|name| property(name)?.as_str());
        let code = || property("code").map(text_of);
        match crs.as_str().or(named).map(String::from).or_else(code) {
            Some(code) if code.bytes().all(|byte| byte.is_ascii_digit()) => Self::of_code(&format!("EPSG:{code}")),
            Some(code) => Self::of_code(&code),
            None => Self::new(&crs.to_string(), false),
        }
    }

    /// PROJJSON, as in GeoParquet.
    #[cfg(any(test, feature = "parquet"))]
    pub(crate) fn of_json(json: &Value) -> Self {
        let code = |id: &Value| Some(format!("{}:{}", id.get("authority")?.as_str()?, text_of(id.get("code")?)));
        let name = json.get("id").and_then(code).or_else(|| json.get("name")?.as_str().map(String::from));
        let inner = json.get("source_crs").or_else(|| json.get("components")?.get(0)).unwrap_or(json);
        let is_geographic = inner.get("type").and_then(Value::as_str) == Some("GeographicCRS");
        Self::new(name.as_deref().unwrap_or(NAMELESS), is_geographic && has_axes_of_degrees(inner))
    }

    /// Edges are geodesics, so coordinates are on the earth even if the system is unknown.
    #[cfg(feature = "parquet")]
    pub(crate) fn with_geodesic_edges(system: Option<Self>) -> Self {
        Self { has_geodesic_edges: true, ..system.unwrap_or_else(|| Self::new(NAMELESS, true)) }
    }

    /// Says what is wrong, and what to do, if coordinates are not degrees.
    pub(crate) fn check_globe(&self) -> Result<(), String> {
        if self.is_degrees {
            return Ok(());
        }
        let remedy = "`ogr2ogr -t_srs EPSG:4326 -f GeoJSON out.geojson IN` makes them so";
        Err(format!("its coordinates are in {self}, not in degrees of longitude and latitude; {remedy}"))
    }
}

/// Whether the two axes on the earth are in degrees, as they are if nothing is said, and not in grads or such.
#[cfg(any(test, feature = "parquet"))]
fn has_axes_of_degrees(system: &Value) -> bool {
    let axes = system.get("coordinate_system").and_then(|all| all.get("axis")?.as_array());
    let mut units = axes.into_iter().flatten().take(2).filter_map(|axis| axis.get("unit"));
    units.all(|unit| match unit.get("conversion_factor").and_then(Value::as_f64) {
        // In radians, with as many digits as programs write.
        Some(factor) => (factor.to_degrees() - 1.0).abs() < 1e-9,
        None => unit.get("name").unwrap_or(unit).as_str() == Some("degree"),
    })
}

/// A code may be a number or a text.
fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

/// A name of a file for people: on one line, not too long.
fn shown(name: &str) -> String {
    name.chars().filter(|character| !character.is_control()).take(60).collect()
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_may_have_a_code_and_a_name() {
        let agree = |of_file: &str, named: &str| {
            let mut system = Some(System::of_code(of_file));
            System::agree(&mut system, Some(System::of_code(named)))
        };
        for (of_file, named) in [
            ("EPSG:25832", "srid:25832"),
            ("EPSG:4326", "OGC:CRS84"),
            ("WGS 84", "EPSG:4326"),
            ("ETRS89 / UTM zone 32N", "EPSG:25832"),
        ] {
            assert_eq!(agree(of_file, named), Ok(()));
        }
        for (of_file, named) in [("EPSG:25832", "EPSG:25833"), ("EPSG:4326", "EPSG:4269"), ("WGS 84", "EPSG:25832")] {
            assert_eq!(agree(of_file, named), Err(format!("is in {named}, but others of the file are in {of_file}")));
        }
    }

    #[test]
    fn zones_are_told_from_each_other_by_code_or_name() {
        let names = [
            "EPSG:25832", "EPSG:32632", "WGS 84 / UTM zone 32N", "ETRS_1989_UTM_Zone_32N",
            "NAD83 / UTM zone 32N + height",
        ];
        let others = ["EPSG:25833", "EPSG:32633", "EPSG:32732", "WGS_1984_UTM_Zone_32S", "ETRS89 / UTM zone 33N (N-E)"];
        for name in names {
            for other in others {
                assert!(System::of_code(name).is_apart(&System::of_code(other)), "{name} {other}");
            }
            for other in names.iter().chain(&["Gotham", "UTM", "UTM zone", "EPSG:2056"]) {
                let are_codes = name.starts_with("EPSG") && other.starts_with("EPSG");
                assert!(are_codes || !System::of_code(other).is_apart(&System::of_code(name)), "{name} {other}");
            }
        }
        let fourth =
            ["EPSG:32604", "WGS 84 / UTM zone 4N + EGM96 height", "NAD_1983_UTM_Zone_4N", "UTM zone 04, Northern"];
        for name in fourth {
            let system = System::of_code(name);
            assert!(fourth.iter().all(|other| !system.is_apart(&System::of_code(other))), "{name}");
            assert!(system.is_apart(&System::of_code("WGS_1984_UTM_Zone_5N")), "{name}");
        }
    }

    #[test]
    fn systems_of_degrees_are_told_from_others() {
        let codes = [
            ("EPSG:4326", "EPSG:4326", true),
            ("urn:ogc:def:crs:OGC:1.3:CRS84", "OGC:CRS84", true),
            ("urn:ogc:def:crs:EPSG::25832", "EPSG:25832", false),
            ("http://www.opengis.net/def/crs/EPSG/0/4269", "EPSG:4269", true),
            ("EPSG:3857", "EPSG:3857", false),
            ("urn:ogc:def:crs:EPSG:9.9.1:4326", "EPSG:4326", true),
            ("urn:x-ogc:def:crs:EPSG:4326", "EPSG:4326", true),
            ("urn:ogc:def:crs,crs:EPSG::4326", "EPSG:4326", true),
            ("urn:ogc:def:crs,crs:EPSG::4326,crs:EPSG::5773", "EPSG:4326", true),
            (
                "http://www.opengis.net/def/crs-compound?1=http://www.opengis.net/def/crs/EPSG/0/4326&2=http://www.opengis.net/def/crs/EPSG/0/3855",
                "EPSG:4326",
                true,
            ),
            ("http://www.opengis.net/gml/srs/epsg.xml#4326", "EPSG:4326", true),
            ("http://www.opengis.net/gml/srs/epsg.xml#25832", "EPSG:25832", false),
            ("http://spatialreference.org/ref/epsg/25832/proj4/", "EPSG:25832", false),
            ("epsg:4326+5773", "EPSG:4326", true),
            ("srid:4326", "EPSG:4326", true),
            ("srid:5070", "EPSG:5070", false),
            ("http://www.opengis.net/def/crs/OGC/1.3/CRS84", "OGC:CRS84", true),
            ("OGC:CRS27", "OGC:CRS27", false),
            ("ESRI:102100", "ESRI:102100", false),
            ("urn:ogc:def:crs:ESRI::102003", "ESRI:102003", false),
            ("urn:ogc:def:crs:IAU::30100", "IAU:30100", false),
            ("urn:ogc:def:crs:OGC::CRS27", "OGC:CRS27", false),
            ("WGS 84", "WGS 84", true),
            ("WGS84", "WGS84", true),
            ("GCS_WGS_1984", "GCS_WGS_1984", true),
            ("WGS 84 / UTM zone 32N", "WGS 84 / UTM zone 32N", false),
            ("EPSG:", "EPSG:", false),
            // Projected, geocentric, vertical, and in grads.
            ("EPSG:4647", "EPSG:4647", false),
            ("EPSG:4491", "EPSG:4491", false),
            ("EPSG:4978", "EPSG:4978", false),
            ("EPSG:4087", "EPSG:4087", false),
            ("EPSG:4807", "EPSG:4807", false),
            ("EPSG:5773", "EPSG:5773", false),
            ("EPSG:99999", "EPSG:99999", false),
            ("EPSG:3819", "EPSG:3819", true),
            ("EPSG:4979", "EPSG:4979", true),
            ("EPSG:8246", "EPSG:8246", true),
            ("EPSG:9057", "EPSG:9057", true),
            ("EPSG:5365", "EPSG:5365", true),
            ("EPSG:6349", "EPSG:6349", true),
            ("Gotham\n", "Gotham", false),
        ];
        for (code, name, is_degrees) in codes {
            assert_eq!(System::of_code(code), System::new(name, is_degrees));
        }
        let geographic =
            r#"GEOGCS["GCS_North_American_1983",DATUM["D",SPHEROID["S",6378137,298]],UNIT["Degree",0.0174]]"#;
        let projected = format!(r#"PROJCS["ETRS_1989_UTM_Zone_32N",{geographic},UNIT["Meter",1.0]]"#);
        assert_eq!(System::of_text(geographic).map(|system| system.is_degrees), Some(true));
        assert_eq!(System::of_text(&projected), Some(System::new("ETRS_1989_UTM_Zone_32N", false)));
        assert_eq!(System::of_text("nonsense"), None);
        // WKT 2, with the meridian in degrees.
        let with_axes = |kind: &str, unit: &str| {
            let text = format!(r#"{kind}["x",PRIMEM["Paris",2.3,ANGLEUNIT["degree",0.0174]],CS[{unit},0.0157]]]"#);
            System::of_text(&text).unwrap().is_degrees
        };
        assert!(with_axes("GEOGCRS", r#"ellipsoidal,2],AXIS["Lat",north,ANGLEUNIT["degree""#));
        assert!(!with_axes("GEOGCRS", r#"ellipsoidal,2],AXIS["Lat",north,ANGLEUNIT["grad""#));
        assert!(!with_axes("GEODCRS", r#"Cartesian,3],AXIS["X",geocentricX,LENGTHUNIT["metre""#));
        let json = serde_json::json!({"type": "ProjectedCRS", "name": "x", "id": {"authority": "EPSG", "code": 2056}});
        assert_eq!(System::of_json(&json), System::new("EPSG:2056", false));
        let json = serde_json::json!({"type": "CompoundCRS", "name": "x", "components": [{"type": "GeographicCRS"}]});
        assert_eq!(System::of_json(&json), System::new("x", true));
        let with_axes = |units: &[Value]| {
            let axes: Vec<Value> = units.iter().map(|unit| serde_json::json!({"name": "a", "unit": unit})).collect();
            let own = serde_json::json!({"subtype": "ellipsoidal", "axis": axes});
            System::of_json(&serde_json::json!({"type": "GeographicCRS", "name": "x", "coordinate_system": own}))
        };
        let unit = |name: &str, factor: f64| serde_json::json!({"type": "AngularUnit", "name": name, "conversion_factor": factor});
        let degrees =
            [serde_json::json!("degree"), unit("degree", 0.017_453_292_519_943_3), unit("Grad", 0.017_453_292_52)];
        for degree in &degrees {
            let height = serde_json::json!("metre");
            assert!(with_axes(&[degree.clone(), degree.clone(), height]).is_degrees, "{degree}");
        }
        let grad = unit("grad", 0.015_707_963_267_949);
        for other in [grad, unit("degree", 1.0), serde_json::json!("metre"), serde_json::json!({"name": "grad"})] {
            let system = with_axes(&[other.clone(), other.clone()]);
            assert!(system.check_globe().is_err_and(|what| what.contains("in x, not in degrees")), "{other}");
            assert!(!with_axes(&[degrees[0].clone(), other]).is_degrees);
        }
        assert!(System::wgs84().is_usual() && System::of_code("OGC:CRS84").is_usual());
    }
}
