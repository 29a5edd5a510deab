//! What `quadrille pairs` reads: headers, dialects, packings, geometries; and what it refuses by name.

use std::io::Write;
use std::process::Stdio;

use crate::room::{Room, shared};

/// Three boxes in the columns of a header, the first two of which overlap; and what the report says of them.
const HEADERS: [(&str, &str, &str); 22] = [
    ("xmin,ymin,xmax,ymax", "0,0,2,2\n1,1,3,3\n8,8,9,9\n", "corners from xmin, ymin, xmax, ymax"),
    ("id,minx,miny,maxx,maxy", "a,0,0,2,2\nb,1,1,3,3\nc,8,8,9,9\n", "corners from minx, miny, maxx, maxy"),
    ("west,south,east,north", "0,0,2,2\n1,1,3,3\n8,8,9,9\n", "corners from west, south, east, north"),
    ("left,top,right,bottom", "0,0,2,2\n1,1,3,3\n8,8,9,9\n", "corners from left, bottom, right, top"),
    ("top,left,bottom,right", "2,0,0,2\n3,1,1,3\n9,8,8,9\n", "corners from left, bottom, right, top"),
    ("x1,y1,x2,y2", "0,0,2,2\n1,1,3,3\n8,8,9,9\n", "corners from x1, y1, x2, y2"),
    ("X_Min,Y_Min,X_Max,Y_Max", "0,0,2,2\n1,1,3,3\n8,8,9,9\n", "corners from X_Min, Y_Min, X_Max, Y_Max"),
    ("x,y,width,height", "0,0,2,2\n1,1,2,2\n8,8,1,1\n", "lower corners and sizes from x, y, width, height"),
    ("x,y,w,h", "0,0,2,2\n1,1,2,2\n8,8,1,1\n", "lower corners and sizes from x, y, w, h"),
    ("cx,cy,w,h", "1,1,2,2\n2,2,2,2\n8,8,1,1\n", "centers and sizes from cx, cy, w, h"),
    ("x,y,radius", "1,1,1\n2,2,1\n8,8,1\n", "centers and radii from x, y, radius"),
    ("x,y,r", "1,1,1\n2,2,1\n8,8,1\n", "centers and radii from x, y, r"),
    ("cx,cy,r", "1,1,1\n2,2,1\n8,8,1\n", "centers and radii from cx, cy, r"),
    ("lon,lat,radius", "1,1,1\n2,2,1\n8,8,1\n", "centers and radii from lon, lat, radius"),
    ("Easting,Northing,Radius", "1,1,1\n2,2,1\n8,8,1\n", "centers and radii from Easting, Northing, Radius"),
    ("x,y,z,r,g,b", "1,1,5,9,9,9\n1,1,5,9,9,9\n8,8,5,9,9,9\n", "points from x, y"),
    (
        "LATITUDE,LONGITUDE,X_COORDINATE,Y_COORDINATE",
        "9,9,1,1\n8,8,1,1\n9,9,8,8\n",
        "points from X_COORDINATE, Y_COORDINATE",
    ),
    ("x,y", "1,1\n1,1\n8,8\n", "points from x, y"),
    ("name,lon,lat", "a,1,1\nb,1,1\nc,8,8\n", "points from lon, lat"),
    ("latitude,longitude", "1,1\n1,1\n8,8\n", "points from longitude, latitude"),
    ("stop_id,stop_lat,stop_lon", "a,1,1\nb,1,1\nc,8,8\n", "points from stop_lon, stop_lat"),
    ("Easting,Northing", "1,1\n1,1\n8,8\n", "points from Easting, Northing"),
];

#[test]
fn headers_that_people_write_are_known_and_told() {
    for (header, rows, told) in HEADERS {
        let room = Room::new("formats-headers").with("a.csv", format!("{header}\n{rows}"));
        assert_eq!(room.good(&["pairs", "a.csv", "--out", "-"]), "a,b\n0,1\n", "{header}");
        let figures = room.json(&["pairs", "a.csv"]);
        assert_eq!(figures["taken"], told);
        assert!(room.good(&["pairs", "a.csv"]).contains(told), "{header}");
    }
}

#[test]
fn on_the_earth_degrees_go_before_other_coordinates() {
    let rows = "1,4000000,8,47\n2,5000000,8,47\n";
    for header in ["X,Y,lon,lat", "cx,cy,longitude,latitude", "Easting,Northing,LONG,LAT"] {
        let room = Room::new("formats-degrees").with("a.csv", format!("{header}\n{rows}"));
        let near = ["pairs", "a.csv", "--within", "1m", "--metric", "geodesic"];
        assert_eq!(room.json(&near)["pairs"], 1, "{header}");
        let [x, y, lon, lat] = header.split(',').collect::<Vec<_>>()[..] else { unreachable!() };
        assert_eq!(room.json(&near)["taken"], format!("points from {lon}, {lat}"));
        assert_eq!(room.json(&["pairs", "a.csv"])["taken"], format!("points from {x}, {y}"));
    }
    // Boxes in degrees are more than their centers, and a radius has no unit.
    let room = Room::new("formats-degrees-boxes")
        .with("a.csv", "lon,lat,west,south,east,north\n8,47,7,46,9,48\n")
        .with("r.csv", "lon,lat,radius\n8,47,1\n8,49,1\n");
    fn near<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
        [&["pairs"], arguments, &["--within", "1m", "--metric", "geodesic"]].concat()
    }
    assert_eq!(room.json(&near(&["a.csv"]))["taken"], "corners from west, south, east, north");
    room.bad(
        &near(&["r.csv"]),
        &["r.csv: line 1: radius may be in degrees or in meters: --columns lon,lat takes points"],
    );
    assert_eq!(room.json(&near(&["r.csv", "--columns", "lon,lat,radius"]))["pairs"], 1);
    assert_eq!(room.json(&near(&["r.csv", "--columns", "lon,lat"]))["pairs"], 0);
}

#[test]
fn columns_are_chosen_by_number_too() {
    let room = Room::new("formats-numbers").with("a.txt", "7 a 0 0 2 2\n7 b 1 1 3 3\n7 c 8 8 9 9\n");
    room.bad(&["pairs", "a.txt"], &["a.txt", "line 1", "6 columns without a header", "--columns 2,3"]);
    assert_eq!(room.good(&["pairs", "a.txt", "--columns", "3,4,5,6", "--out", "-"]), "a,b\n0,1\n");
    let figures = room.json(&["pairs", "a.txt", "--columns", "5,6"]);
    assert_eq!((&figures["taken"], &figures["pairs"]), (&"points from column 5, column 6".into(), &0.into()));
}

#[test]
fn negative_sizes_are_refused() {
    let room = Room::new("formats-sizes").with("a.csv", "x,y,width,height\n0,0,2,2\n1,1,2,-2\n");
    room.bad(&["pairs", "a.csv"], &["a.csv", "line 3", "height \"-2\" is negative"]);
}

#[test]
fn geometries_stand_in_a_column() {
    let wkt = "name;wkt\na;POLYGON ((0 0, 2 0, 2 2, 0 0))\nb;SRID=4326;LINESTRING (1 1, 3 3)\n";
    let wkt = wkt.replace("SRID=4326;", "") + "c;POINT EMPTY\nd;MULTIPOINT ((9 9), (8 8))\ne;POINT Z (2 2 7)\n";
    let hex = "geom\n010100000000000000000000400000000000000040\n000000000140000000000000004000000000000000\n";
    let json = "geometry\n\"{\"\"type\"\":\"\"Point\"\",\"\"coordinates\"\":[1,1]}\"\n\"{\"\"type\"\":\"\"Point\"\",\"\"coordinates\"\":[1,1]}\"\n";
    let room = Room::new("formats-wkt").with("a.csv", wkt).with("hex.csv", hex).with("json.csv", json);
    assert_eq!(room.good(&["pairs", "a.csv", "--out", "-"]), "a,b\n0,1\n0,4\n1,4\n");
    assert_eq!(room.json(&["pairs", "a.csv"])["skipped"], 1, "the empty point");
    assert_eq!(room.good(&["pairs", "hex.csv", "--out", "-"]), "a,b\n0,1\n");
    assert_eq!(room.good(&["pairs", "json.csv", "--out", "-"]), "a,b\n0,1\n");
    for bad in ["POLYGON ((0 0, 1 1", "CIRCLE (1 1)", "01FF", "0102", "{\"type\":7}", "POINT (1 NaN)"] {
        let quoted = bad.replace('"', "\"\"");
        let room = Room::new("formats-wkt-bad").with("a.csv", format!("wkt\nPOINT (1 1)\n\"{quoted}\"\n"));
        room.bad(&["pairs", "a.csv"], &["a.csv: line 3: wkt"]);
    }
}

#[test]
fn geometries_that_name_their_system_are_in_one() {
    let hex = |srid: u32| format!("0101000020{:08x}00000000000000400000000000000040", srid.swap_bytes());
    let text = |srid: u32| format!("SRID={srid};POINT (2 2)");
    let (degrees, zone) = (text(4326), text(25832));
    let file = |rows: &[&str]| format!("id\twkt\n{}", rows.iter().map(|row| format!("a\t{row}\n")).collect::<String>());
    let room = Room::new("formats-srid")
        .with("degrees.csv", file(&[&degrees, "POINT (2 2)", "SRID=0;POINT (2 2)", &hex(4326)]))
        .with("zone.csv", file(&[&hex(25832), "POINT (2 2)", &zone]))
        .with("none.csv", file(&["POINT (2 2)"]))
        .with("next.csv", file(&[&text(25833)]))
        .with("datum.csv", file(&[&text(4269)]))
        .with("mixed.csv", file(&["POINT (9 9)", &zone, "POINT (2 2)", &degrees]))
        .with("zones.csv", file(&[&zone, &hex(25833)]))
        .with("a.json", r#"{"type":"Point","coordinates":[2,2]}"#);
    assert_eq!(room.json(&["pairs", "degrees.csv"])["system"], "EPSG:4326");
    assert!(room.good(&["pairs", "zone.csv"]).contains("; coordinates in EPSG:25832"));
    let alike = [["degrees.csv", "a.json"], ["none.csv", "zone.csv"], ["none.csv", "a.json"], ["datum.csv", "a.json"]];
    for files in alike {
        assert!(room.good(&[&["pairs"], &files[..], &["--count"]].concat()) != "0\n", "{files:?}");
    }
    let (lines, alike) =
        (["mixed.csv: line 5: wkt", "zones.csv: line 3: wkt"], ["others of the file are in EPSG:25832"]);
    for more in [&[][..], &["--skip-invalid"], &["--boxes"], &["--memory", "48M"]] {
        let pairs = |files: &[&'static str]| [&["pairs"], files, more].concat();
        room.bad(&pairs(&["mixed.csv"]), &[&lines[..1], &["is in EPSG:4326"], &alike].concat());
        room.bad(&pairs(&["zones.csv"]), &[&lines[1..], &["is in EPSG:25833"], &alike].concat());
        for files in [["degrees.csv", "zone.csv"], ["zone.csv", "a.json"]] {
            room.bad(&pairs(&files), &["zone.csv", "EPSG:25832", "EPSG:4326"]);
        }
        room.bad(&pairs(&["zone.csv", "next.csv"]), &["zone.csv are in EPSG:25832", "next.csv in EPSG:25833"]);
    }
}

#[test]
fn rows_without_geometry_are_counted_and_keep_their_numbers() {
    let csv = "id,x,y\na,1,1\nb,,\nc,1,1\nd,NULL,NULL\ne,1,1\n";
    let null = r#"{"type":"Feature","properties":{"id":"b"},"geometry":null}"#;
    let point = |id| {
        format!(
            r#"{{"type":"Feature","properties":{{"id":"{id}"}},"geometry":{{"type":"Point","coordinates":[1,1]}}}}"#
        )
    };
    let empty = r#"{"type":"Feature","properties":null,"geometry":{"type":"LineString","coordinates":[]}}"#;
    let lines = [point("a"), null.into(), point("c"), empty.into(), point("e")];
    let collection = format!("{{\"type\":\"FeatureCollection\",\"features\":[{}]}}", lines.join(",\n"));
    let separated = lines.clone().map(|line| format!("\u{1e}{line}\n")).concat();
    let room = Room::new("formats-null")
        .with("csv", csv)
        .with("collection", collection)
        .with("lines", lines.join("\n"))
        .with("rs", separated);
    for file in ["csv", "collection", "lines", "rs"] {
        assert_eq!(room.good(&["pairs", file, "--out", "-"]), "a,b\n0,2\n0,4\n2,4\n", "{file}");
        assert_eq!(room.good(&["pairs", file, "--out", "-", "--ids", "id"]), "a,b\na,c\na,e\nc,e\n", "{file}");
        let figures = room.json(&["pairs", file]);
        assert_eq!((&figures["boxes"], &figures["skipped"]), (&3.into(), &2.into()), "{file}");
        assert!(room.good(&["pairs", file]).contains("2 rows without geometry skipped"), "{file}");
    }
}

#[test]
fn geometries_that_cannot_be_read_are_left_out_if_asked() {
    let feature = |geometry: &str| format!(r#"{{"type":"Feature","properties":null,"geometry":{geometry}}}"#);
    let features = [
        r#"{"type":"Point","coordinates":[]}"#,
        r#"{"type":"Point","coordinates":[1,1,null]}"#,
        r#"{"type":"Point","coordinates":[1]}"#,
        r#"{"type":"Curve","coordinates":[[1,1],[2,2]]}"#,
        r#"{"type":"Point","coordinates":[1,1]}"#,
    ];
    let lines = features.map(|geometry| feature(geometry) + "\n").concat();
    let room = Room::new("formats-skip").with("a", lines);
    room.bad(&["pairs", "a"], &["line 3: feature 2", "a position has only one coordinate, 1"]);
    assert_eq!(room.good(&["pairs", "a", "--skip-invalid", "--out", "-"]), "a,b\n1,4\n");
    let figures = room.json(&["pairs", "a", "--skip-invalid"]);
    assert_eq!((&figures["boxes"], &figures["skipped"], &figures["invalid"]), (&2.into(), &1.into(), &2.into()));
}

#[test]
fn faults_in_geojson_are_told_with_the_line_of_the_file() {
    let feature = |text: &str| format!("{{\"type\":\"FeatureCollection\",\n\"features\":[\n{text}\n]}}");
    let long = "x".repeat(3_000_000);
    let cases: &[(String, &[&str])] = &[
        (
            feature(
                "\n\n{\"type\":\"Feature\",\"properties\":null,\n\"geometry\":{\"type\":\"Point\",\n\"coordinates\":[0,true]}}",
            ),
            &["line 7", "feature 0"],
        ),
        (
            feature("{\"type\":\"Feature\",\"geometry\":{\"type\":\"\\u001b[31m\\n\",\"coordinates\":[0,0]}}"),
            &["line 3", "there is no type", "u{1b}"],
        ),
        (
            feature(&format!("{{\"type\":\"Feature\",\"geometry\":{{\"type\":\"{long}\"}}}}")),
            &["line 3", "there is no type", "…"],
        ),
        ("{\"type\":\"Topology\"}".into(), &["TopoJSON", "ogr2ogr"]),
        ("{\"type\":\"Point\",\"coordinates\":[0,0]}\n{\"type\":\"Point\"\n\"coordinates\":[0,0]}".into(), &["line 3"]),
    ];
    for (text, told) in cases {
        let room = Room::new("formats-geojson-bad").with("a", text);
        room.bad(&["pairs", "a"], told);
        assert!(room.run(&["pairs", "a"]).stderr.len() < 1_000);
    }
    let room = Room::new("formats-geojson-latin").with("a", b"{\"type\":\n\"\xe4\"}");
    room.bad(&["pairs", "a"], &["line 2", "UTF-8"]);
    let escaped = r#"{"type":"Feature\u0043ollection","features":[{"type":"Featur\u0065","geometry":{"type":"Point","coordinates":[1,1]}}]}"#;
    assert_eq!(room.with("b", escaped).json(&["pairs", "b"])["boxes"], 1);
}

#[test]
fn standard_input_is_a_file() {
    let room = Room::new("formats-stdin").with("a.csv", "1,1\n");
    let mut command = room.command(&["pairs", "a.csv", "-", "--out", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"x y\n1 1\n2 2\n1 1\n").unwrap();
    assert_eq!(child.wait_with_output().unwrap().stdout, b"a,b\n0,0\n0,2\n");
}

#[test]
fn a_quote_that_is_not_closed_hides_no_rows() {
    let comment = "id,x,y,name\n1,0,0,a\n#3,\"x\n2,5,5,d\n3,5,5,\"e\"\n";
    let closed = "id,x,y,name\n1,0,0,a\n# 3 \"x\n#3,\"x\"\n\"# so\nit is\"\n2,0,0,\"b\nc\"";
    let room = Room::new("formats-quotes")
        .with("q.csv", "id,x,y,name\n1,0,0,\"abc\n2,5,5,d\n3,5,5,e\n")
        .with("comment.csv", comment)
        .with("closed.csv", closed);
    room.bad(&["pairs", "q.csv"], &["q.csv: line 2: a quote is not closed"]);
    room.bad(&["pairs", "comment.csv"], &["comment.csv: line 3: a quote in a comment is not closed in its line"]);
    assert_eq!(room.good(&["pairs", "closed.csv", "--ids", "id", "--out", "-"]), "a,b\n1,2\n");
}

/// By every name, only one of two files can be standard input.
#[cfg(target_os = "linux")]
#[test]
fn standard_input_has_several_names() {
    let names = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
    let room = Room::new("formats-stdin-names").with("a.csv", "1,1\n1,1\n");
    for (name, other) in names.into_iter().zip(names.into_iter().cycle().skip(1)) {
        room.bad(&["pairs", name, other], &["only one file can be standard input"]);
        room.bad(&["pairs", name, name], &["only one file can be standard input"]);
        room.bad(&["pairs", name], &["standard input: it is empty"]);
        room.bad(&["view", name, "--boxes"], &["the viewer cannot read standard input"]);
        let input = std::fs::File::open(room.path("a.csv")).unwrap();
        let output = room.command(&["pairs", name, "--out", "-"]).stdin(input).output().unwrap();
        assert_eq!(output.stdout, b"a,b\n0,1\n", "{name}");
    }
}

#[test]
fn what_is_not_read_is_named() {
    for (bytes, told) in [
        (&b"SQLite format 3\0"[..], &["GeoPackage", "ogr2ogr"][..]),
        (b"PK\x03\x04", &["ZIP"]),
        (b"fgb\x02fgb\0\0", &["FlatGeobuf of version 2", "ogr2ogr"]),
        (b"\x1f\x8bnonsense", &["a: "]),
        (b"<?xml version=", &["KML"]),
        (b"\0\0\0", &["binary data"]),
        (b"\x03\x7c\x01\x01\0\0\0\0\x41\0", &[".dbf", "name the .shp"]),
    ] {
        Room::new("formats-foreign").with("a", bytes).bad(&["pairs", "a"], &[told, &["a: "][..]].concat());
    }
}

/// Two points at one place and a third, in each format that is text.
#[test]
fn json_of_any_kind_is_a_table() {
    let lines = "{\"id\":\"a\\u0041\",\"x\":1,\"y\":1.50}\n{\"y\":1.5,\"x\":\"1\",\"id\":7}\n{\"id\":null,\"x\":null,\"y\":null}\n{\"x\":9,\"y\":9}\n";
    let array = format!("[{}]", lines.trim_end().replace('\n', ","));
    let geometry = "{\"id\":\"aA\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,1]}}\n{\"id\":7,\"geometry\":\"POINT(1 1)\"}\n{\"id\":1,\"geometry\":null}\n{\"geometry\":\"POINT(9 9)\"}\n";
    let room = Room::new("formats-json").with("lines", lines).with("array", array).with("geometry", geometry);
    for file in ["lines", "array", "geometry"] {
        assert_eq!(room.good(&["pairs", file, "--out", "-", "--ids", "id"]), "a,b\naA,7\n", "{file}");
        let figures = room.json(&["pairs", file]);
        assert_eq!(
            (&figures["boxes"], &figures["skipped"], &figures["format"]),
            (&3.into(), &1.into(), &"JSON".into())
        );
    }
    assert_eq!(room.good(&["pairs", "lines", "--out", "-", "--keep", "y"]), "a,b,a_y,b_y\n0,1,1.50,1.5\n");
    let room =
        room.with("bad", "{\"x\":1,\"y\":1}\n{\"x\":1,\"y\":\"one\"}\n").with("empty", "[]").with("nothing", "{}");
    room.bad(&["pairs", "bad"], &["bad: line 2: row 1 (from 0): y \"one\" is not a number"]);
    assert_eq!(room.json(&["pairs", "empty"])["boxes"], 0);
    room.bad(&["pairs", "nothing"], &["neither features nor objects"]);
}

#[test]
fn columns_are_chosen_of_features_too() {
    let feature = |x: u32| {
        format!(
            r#"{{"type":"Feature","properties":{{"lon":{x},"lat":2}},"geometry":{{"type":"Point","coordinates":[0,0]}}}}"#
        )
    };
    let room = Room::new("formats-features").with("a", [feature(1), feature(5)].join("\n"));
    assert_eq!(room.json(&["pairs", "a"])["pairs"], 1);
    let chosen = room.json(&["pairs", "a", "--columns", "lon,lat"]);
    assert_eq!(
        (&chosen["pairs"], &chosen["taken"], &chosen["system"]),
        (&0.into(), &"points from lon, lat".into(), &serde_json::Value::Null)
    );
    assert_eq!(room.json(&["pairs", "a", "--columns", "geometry"])["pairs"], 1);
    room.bad(&["pairs", "a", "--columns", "lon,height"], &["no column \"height\" among \"geometry,lon,lat\""]);
}

#[test]
fn systems_that_are_no_degrees_are_told_and_refused_on_the_globe() {
    let collection = |crs: &str| {
        format!(
            r#"{{"type":"FeatureCollection",{crs}"features":[{{"type":"Feature","properties":null,"geometry":{{"type":"Point","coordinates":[8,47]}}}}]}}"#
        )
    };
    let named = |name: &str| collection(&format!(r#""crs":{{"type":"name","properties":{{"name":"{name}"}}}},"#));
    let room = Room::new("formats-systems")
        .with("plain", collection(""))
        .with("crs84", named("urn:ogc:def:crs:OGC:1.3:CRS84"))
        .with("utm", named("urn:ogc:def:crs:EPSG::25832"));
    for file in ["plain", "crs84"] {
        room.good(&["pairs", file, "--within", "1km", "--metric", "geodesic"]);
        assert!(!room.good(&["pairs", file]).contains("coordinates in"));
    }
    assert!(room.good(&["pairs", "utm"]).contains("coordinates in EPSG:25832"));
    assert_eq!(room.json(&["pairs", "utm"])["system"], "EPSG:25832");
    room.bad(
        &["pairs", "utm", "--within", "1km", "--metric", "geodesic"],
        &["utm: ", "EPSG:25832", "ogr2ogr -t_srs EPSG:4326"],
    );
    let room = room
        .with("ewkt", "mmsi,t,wkt\n1,0,SRID=25832;POINT(8 47)\n")
        .with("ewkb", "mmsi,t,wkt\n1,0,0101000020110F000000000000000020400000000000804740\n")
        .with(
            "degrees",
            "wkt\nSRID=4326;POINT(8 47)\nSRID=0;POINT(8 47)\n0101000020E610000000000000000020400000000000804740\n",
        );
    let globe = ["--within", "1km", "--metric", "geodesic"];
    assert_eq!(room.json(&[&["pairs", "degrees"], &globe[..]].concat())["pairs"], 3);
    for (file, code) in [("ewkt", "EPSG:25832"), ("ewkb", "EPSG:3857")] {
        room.good(&["pairs", file]);
        room.bad(&[&["pairs", file], &globe[..]].concat(), &["line 2: wkt", "names a system", code]);
        room.good(&["near", file, "--within", "1"]);
        room.bad(&["near", file, "--within", "1km", "--units", "degrees"], &["line 2: wkt", "names a system", code]);
    }
    let two = ["coordinates of ewkt are in EPSG:25832, and those of ewkb are in EPSG:3857"];
    room.bad(&["near", "ewkt", "ewkb", "--within", "1"], &two);
    room.bad(&["pairs", "utm", "plain"], &["coordinates of utm are in EPSG:25832", "of plain in EPSG:4326"]);
}

#[test]
fn a_header_is_told_where_it_is_not_seen() {
    let room = Room::new("formats-header").with("a.csv", "0,1,2,3\n0,1,2,3\n");
    assert!(room.good(&["pairs", "a.csv"]).contains("text with commas, header"));
    for (answer, boxes, told) in [("yes", 1, ", header"), ("no", 2, ", no header")] {
        assert_eq!(room.json(&["pairs", "a.csv", "--columns", "1,2,3,4", "--header", answer])["boxes"], boxes);
        assert!(room.good(&["pairs", "a.csv", "--columns", "1,2,3,4", "--header", answer]).contains(told));
    }
    assert_eq!(room.json(&["pairs", "a.csv", "a.csv", "--header", "no", "--header2", "no"])["boxes2"], 2);
    room.bad(&["pairs", "a.csv", "--header", "maybe"], &["maybe", "expected yes or no"]);
}

#[test]
fn a_pipe_that_brings_nothing_is_an_error() {
    let room = Room::new("formats-pipe");
    room.bad(&["pairs", "-"], &["standard input: it is empty", "pipe"]);
}

/// Files on which readers once gave up, or tried to allocate gigabytes.
#[test]
fn damaged_files_are_refused_in_one_line() {
    for file in ["fgb-keep.fgb", "fgb-length.fgb", "rle.parquet", "thrift1b.parquet", "thrift2.parquet"] {
        let Some(path) = shared(&format!("damaged/{file}")) else { continue };
        if file.ends_with("parquet") && !cfg!(feature = "parquet") {
            continue;
        }
        // What is damaged must be read: the columns that are kept, or those of boxes.
        let options: &[&str] = match file {
            "fgb-keep.fgb" => &["--keep", "NAME,STATE", "--out", "o.csv"],
            "rle.parquet" => &["--boxes"],
            _ => &[],
        };
        Room::new("formats-damaged").bad(&[&["pairs", path.to_str().unwrap()], options].concat(), &[file]);
    }
}

#[cfg(feature = "parquet")]
#[test]
fn decimals_of_other_programs_are_scaled() {
    for (file, within, pairs) in
        [("dec2.parquet", "1.5", "a,b,distance\n0,1,1\n"), ("pl_dec.parquet", "1", "a,b,distance\n0,1,1\n")]
    {
        let Some(path) = shared(&format!("damaged/{file}")) else { continue };
        let printed =
            Room::new("formats-decimals").good(&["pairs", path.to_str().unwrap(), "--within", within, "--out", "-"]);
        assert_eq!(printed, pairs, "{file}");
    }
}
