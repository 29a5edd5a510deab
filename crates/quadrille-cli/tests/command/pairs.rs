//! `quadrille pairs` on small files: formats, figures, and every kind of bad input.

use std::process::Stdio;

use crate::room::Room;

/// Boxes 0 and 1 overlap, 1 and 2 touch at a corner, 3 is alone.
const BOXES: &str = "0,0,2,2\n1,1,3,3\n3,3,4,4\n8,8,9,9\n";

#[test]
fn pairs_of_a_file_are_counted_and_written_sorted() {
    let room = Room::new("pairs-of-a-file").with("a.csv", BOXES);
    let figures = room.json(&["pairs", "a.csv", "--out", "pairs.csv"]);
    assert_eq!(figures["boxes"], 4);
    assert!(figures["boxes2"].is_null());
    assert_eq!(figures["pairs"], 2);
    assert_eq!((&figures["index"], &figures["query"]), (&"frame-tree".into(), &"overlap".into()));
    for phase in ["read", "build", "pairs"] {
        assert!(figures["ms"][phase].as_f64().unwrap() >= 0.0, "{phase}");
    }
    assert_eq!(room.read("pairs.csv"), b"a,b\n0,1\n1,2\n");
    assert_eq!(room.files(), ["a.csv", "pairs.csv"]);
}

#[test]
fn a_limit_that_leaves_out_pairs_is_told() {
    let room = Room::new("pairs-limit").with("a.csv", BOXES.repeat(10));
    let all = room.json(&["pairs", "a.csv"]);
    assert_eq!((&all["pairs"], &all["limited"]), (&380.into(), &false.into()));
    for way in [&[][..], &["--unsorted"], &["--memory", "32M"]] {
        for (limit, is_limited) in [("2", true), ("379", true), ("380", false), ("381", false)] {
            let arguments = [&["pairs", "a.csv", "--out", "p.csv", "--limit", limit], way].concat();
            let figures = room.json(&arguments);
            let written = room.read("p.csv").split(|byte| *byte == b'\n').count() - 2;
            assert_eq!(
                (&figures["pairs"], &figures["limited"]),
                (&written.into(), &is_limited.into()),
                "{limit} {way:?}"
            );
            assert_eq!(written, limit.parse::<usize>().unwrap().min(380));
            assert_eq!(room.good(&arguments).contains("--limit leaves out the others"), is_limited, "{limit} {way:?}");
        }
    }
}

#[test]
fn no_record_has_a_name_twice() {
    let room = Room::new("pairs-names").with("a.csv", "x,y,name\n1,1,a\n1,1,c\n");
    for keep in ["name,name", "x,name,x"] {
        for format in ["csv", "ndjson"] {
            let arguments = ["pairs", "a.csv", "--columns", "x,y", "--keep", keep, "--out", "-", "--format", format];
            room.bad(&arguments, &["two columns", "a_"]);
        }
    }
    assert!(
        room.good(&["pairs", "a.csv", "a.csv", "--keep", "x", "--keep2", "x", "--out", "-"]).starts_with("a,b,a_x,b_x")
    );
}

#[test]
fn pairs_of_two_files_are_told_in_the_order_of_the_files() {
    let room = Room::new("pairs-of-two-files").with("many.csv", BOXES).with("one.csv", "2,2,3,3\n");
    assert_eq!(room.good(&["pairs", "many.csv", "one.csv", "--out", "-"]), "a,b\n0,0\n1,0\n2,0\n");
    assert_eq!(room.good(&["pairs", "one.csv", "many.csv", "--out", "-"]), "a,b\n0,0\n0,1\n0,2\n");
    let figures = room.json(&["pairs", "many.csv", "one.csv"]);
    assert_eq!((&figures["boxes"], &figures["boxes2"], &figures["pairs"]), (&4.into(), &1.into(), &3.into()));
}

#[test]
fn the_report_goes_to_standard_error_when_standard_output_is_taken() {
    let room = Room::new("pairs-report").with("a.csv", BOXES);
    assert!(room.good(&["pairs", "a.csv"]).contains("pairs  2"));
    let output = room.run(&["pairs", "a.csv", "--json", "-"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("pairs  2"));
    assert!(output.stdout.starts_with(b"{") && output.stdout.ends_with(b"}\n"));
}

#[test]
fn csv_is_read_in_many_forms() {
    let same = [
        ("header", "xmin,ymin,xmax,ymax\n0,0,2,2\n1,1,3,3\n"),
        ("other order, more columns, capitals", "name,YMAX,YMIN,XMAX,XMIN\na,2,0,2,0\nb,3,1,3,1\n"),
        ("blank lines and spaces", "\n\n 0, 0, 2, 2\n   \n1,1,3,3\n\n"),
        ("semicolons", "0;0;2;2\n1;1;3;3\n"),
        ("tabs", "0\t0\t2\t2\n1\t1\t3\t3\n"),
        ("byte order mark, other line ends, no last one", "\u{FEFF}0,0,2,2\r\n1,1,3,3"),
        ("exponents and quotes", "0,\"0\",2e0,+2\n1,1,3.,30e-1\n"),
    ];
    for (form, text) in same {
        let room = Room::new("pairs-csv-forms").with("a.csv", text);
        assert_eq!(room.good(&["pairs", "a.csv", "--out", "-"]), "a,b\n0,1\n", "{form}");
    }
}

#[test]
fn points_are_boxes_without_size_and_touch_themselves() {
    let room = Room::new("pairs-points").with("a.csv", "5,5\n1,2\n5,5\n").with("b.csv", "x,y\n5,5\n").with("e.csv", "");
    assert_eq!(room.good(&["pairs", "a.csv", "--out", "-"]), "a,b\n0,2\n");
    assert_eq!(room.good(&["pairs", "a.csv", "b.csv", "--out", "-"]), "a,b\n0,0\n2,0\n");
}

#[test]
fn columns_are_chosen_by_name() {
    let text = "id,latitude,longitude,note\na,1,2,x\nb,1,2,\nc,2,1,y\n";
    let room = Room::new("pairs-columns").with("a.csv", text);
    assert!(room.good(&["pairs", "a.csv"]).contains("points from longitude, latitude"));
    assert_eq!(room.good(&["pairs", "a.csv", "--columns", "longitude,latitude", "--out", "-"]), "a,b\n0,1\n");
    let room = room.with("b.csv", "top,right,bottom,left\n2,2,0,0\n3,3,1,1\n");
    assert_eq!(room.good(&["pairs", "b.csv", "--columns", "left,bottom,right,top", "--out", "-"]), "a,b\n0,1\n");
}

#[test]
fn a_file_without_rows_has_no_boxes() {
    for text in ["", "\n\n", "xmin,ymin,xmax,ymax\n", "{\"type\":\"FeatureCollection\",\"features\":[]}"] {
        let room = Room::new("pairs-empty").with("a.csv", text).with("b.csv", BOXES);
        let figures = room.json(&["pairs", "a.csv"]);
        assert_eq!((&figures["boxes"], &figures["pairs"]), (&0.into(), &0.into()), "{text:?}");
        assert_eq!(room.json(&["pairs", "a.csv", "b.csv"])["pairs"], 0, "{text:?}");
        assert_eq!(room.json(&["pairs", "b.csv", "a.csv"])["pairs"], 0, "{text:?}");
    }
}

#[test]
fn coordinates_are_64_bit_numbers() {
    // These two differ, and so do not touch; as 32-bit numbers they would be one.
    let room = Room::new("pairs-precision").with("a.csv", "100000000.1,0\n100000000.2,0\n");
    assert_eq!(room.json(&["pairs", "a.csv"])["pairs"], 0);
}

#[test]
fn of_geojson_features_shapes_count_or_bounding_boxes() {
    let features = [
        r#"{"type":"Feature","properties":{"a":[1,2]},"geometry":{"type":"Point","coordinates":[2,2,99]}}"#,
        r#"{"type":"Feature","properties":null,"geometry":{"type":"LineString","coordinates":[[0,3],[2,1]]}}"#,
        r#"{"type":"Feature","properties":null,"geometry":{"type":"Polygon","coordinates":[[[5,5],[6,5],[5,6],[5,5]]]}}"#,
        r#"{"type":"Feature","properties":null,"geometry":{"type":"GeometryCollection","geometries":[
            {"type":"MultiPoint","coordinates":[[7,7],[6,6]]}]}}"#,
    ];
    let text = format!(r#"{{"bbox":[0,0,1,1],"features":[{}],"type":"FeatureCollection"}}"#, features.join(","));
    let room = Room::new("pairs-geojson").with("a.json", text).with("one.json", features[1]).with("b.csv", "0,1\n");
    for (files, pairs) in
        [(&["a.json"][..], "0,1\n2,3\n"), (&["a.json", "b.csv"], "1,0\n"), (&["one.json", "b.csv"], "0,0\n")]
    {
        let asked = [&["pairs", "--out", "-"], files].concat();
        assert_eq!(room.good(&[&asked[..], &["--boxes"]].concat()), format!("a,b\n{pairs}"));
        assert_eq!(room.good(&asked), "a,b\n", "{files:?}");
    }
}

#[test]
fn bad_csv_is_told_with_file_line_and_value() {
    let cases: &[(&str, &[&str])] = &[
        ("0,0,1,1\n\n0,0,one,1\n", &["line 3", "xmax", "\"one\""]),
        ("xmin,ymin,xmax,ymax\n0,0,,1\n", &["line 2", "xmax", "\"\""]),
        ("0,0,1,1\n0,NaN,1,1\n", &["line 2", "NaN", "y"]),
        ("0,0,1,1\n0,0,inf,1\n", &["line 2", "inf", "x"]),
        ("0,0,1,1\n0,0,1e999,1\n", &["line 2", "1e999"]),
        ("1,2\n3,4\nnan,6\n", &["line 3", "x \"nan\""]),
        ("5,0,2,1\n", &["line 1", "inverted", "5", "2"]),
        ("0,0,1,1\n\n  \n0,0,1\n", &["line 4", "3 columns, expected 4"]),
        ("0,0,1,1\n0,0,1,1,1\n", &["line 2", "5 columns, expected 4"]),
        ("1,2,3\n", &["line 1", "3 columns", "expected xmin,ymin,xmax,ymax or x,y"]),
        (
            "a,b,c,d\n0,0,1,1\n",
            &["line 1", "no usable columns (such as xmin,ymin,xmax,ymax or x,y)", "a,b,c,d", "--columns"],
        ),
        ("x,0,2,2\n", &["line 1", "xmin", "\"x\""]),
        ("x,y,y\n1,2,3\n", &["line 1", "columns 2 and 3 both have the name \"y\"", "number"]),
        ("xmin,ymin,xmin,xmax,ymax\n0,0,5,1,1\n", &["line 1", "columns 1 and 3", "\"xmin\""]),
        ("0,0,1,1\n\"a\nb\",0,1,1\n0,0,1,1\n", &["line 2", "\"a\\nb\""]),
        ("0,0,1,1\n\u{fffd},0,1,1\n", &["line 2", "not a number"]),
    ];
    for (text, told) in cases {
        let room = Room::new("pairs-bad-csv").with("bad.csv", text);
        room.bad(&["pairs", "bad.csv", "--out", "pairs.csv"], &[told, &["bad.csv: "][..]].concat());
    }
}

#[test]
fn bad_geojson_is_told_with_file_feature_and_value() {
    let collection = |features: &str| format!(r#"{{"type":"FeatureCollection","features":[{features}]}}"#);
    let point = r#"{"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[0,0]}},"#;
    let feature =
        |geometry: &str| collection(&format!(r#"{point}{{"type":"Feature","properties":null,"geometry":{geometry}}}"#));
    let cases: &[(String, &[&str])] = &[
        ("{\"type\":\n\"Feature".into(), &["line 2"]),
        ("{}".into(), &["neither features nor objects"]),
        (r#"{"type":"Nonsense"}"#.into(), &["among \"type\""]),
        (r#"{"type":"FeatureCollection"}"#.into(), &["features"]),
        (feature(r#"{"type":"LineString","coordinates":[[0,0],[7]]}"#), &["feature 1", "only one coordinate, 7"]),
        (feature(r#"{"type":"Point","coordinates":[0,"east"]}"#), &["feature 1", "east"]),
        (feature(r#"{"type":"Point","coordinates":[0,1e999]}"#), &["number out of range"]),
        (collection(&format!("{point}7")), &["feature 1", "7"]),
    ];
    for (text, told) in cases {
        let room = Room::new("pairs-bad-geojson").with("bad.json", text);
        room.bad(&["pairs", "bad.json", "--out", "pairs.csv"], &[told, &["bad.json: "][..]].concat());
    }
}

#[test]
fn bad_arguments_are_told_in_one_line() {
    let room = Room::new("pairs-bad-arguments").with("a.csv", BOXES).with("head.csv", "lon,lat\n1,2\n");
    room.bad(&["pairs"], &["FILE"]);
    room.bad(&["pairs", "missing.csv"], &["missing.csv", "No such file"]);
    room.bad(&["pairs", "a.csv", "missing.csv"], &["missing.csv"]);
    room.bad(&["pairs", "."], &[". ", "directory"].map(str::trim));
    room.bad(&["pairs", "head.csv", "--columns", "lon,latitude"], &["head.csv", "line 1", "\"latitude\"", "lon,lat"]);
    room.bad(&["pairs", "a.csv", "--columns", "x,y"], &["a.csv", "line 1", "header"]);
    room.bad(&["pairs", "a.csv", "--columns", "1,2,3,4,1"], &["--columns names 5 columns"]);
    room.bad(&["pairs", "a.csv", "--columns", "1,5"], &["a.csv", "line 1", "\"5\"", "4 columns"]);
    room.bad(&["pairs", "a.csv", "--columns2", "1,2"], &["FILE2"]);
    room.bad(&["pairs", "a.csv", "--within", "-1"], &["--within", "'-1'"]);
    room.bad(&["pairs", "a.csv", "--within", "5km"], &["--within", "--metric geodesic"]);
    room.bad(&["pairs", "a.csv", "--within", "5km", "--inside"], &["--within", "--inside"]);
    room.bad(&["pairs", "a.csv", "--metric", "geodesic"], &["--within", "--nearest"]);
    room.bad(&["pairs", "a.csv", "--max", "5"], &["--nearest"]);
    for query in [&["--within", "1"][..], &["--inside"], &["--predicate", "touches"], &["--unsorted", "--out", "-"]] {
        room.bad(&[&["pairs", "a.csv", "--max", "5"], query].concat(), &["--max", query[0], "cannot be used with"]);
    }
    room.bad(&["pairs", "a.csv", "--count", "--measure"], &["--count", "--measure"]);
    room.bad(&["pairs", "a.csv", "--temp", ".", "--ids", "1", "--out", "-"], &["--temp", "--ids"]);
    room.bad(&["pairs", "a.csv", "--unsorted"], &["--out"]);
    room.bad(&["pairs", "-", "-"], &["standard input"]);
    room.bad(&["pairs", "head.csv", "--out", "p.csv", "--ids", "name"], &["head.csv", "\"name\"", "lon,lat"]);
    room.bad(&["pairs", "a.csv", "--out", "no/such/place.csv"], &["no/such/place.csv", "cannot be written"]);
    room.bad(&["pairs", "a.csv", "--json", "."], &["cannot be written", "directory"]);
    room.bad(&["pairs", "a.csv", "--json", "-", "--out", "-"], &["standard output"]);
}

#[test]
fn nothing_is_written_when_the_second_result_cannot_be() {
    let room = Room::new("pairs-all-or-nothing").with("a.csv", BOXES);
    room.bad(&["pairs", "a.csv", "--out", "pairs.csv", "--json", "no/such/place.json"], &["no/such/place.json"]);
}

#[test]
fn an_existing_file_is_replaced_whole_and_kept_on_failure() {
    let room =
        Room::new("pairs-replace").with("a.csv", BOXES).with("out.csv", "x".repeat(1000)).with("bad.csv", "1,2,3\n");
    room.bad(&["pairs", "bad.csv", "--out", "out.csv"], &["bad.csv"]);
    assert_eq!(room.read("out.csv").len(), 1000);
    room.good(&["pairs", "a.csv", "--out", "out.csv"]);
    assert_eq!(room.read("out.csv"), b"a,b\n0,1\n1,2\n");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    // All 79,800 pairs of 400 equal points are far more than a pipe holds.
    let room = Room::new("pairs-closed-pipe").with("a.csv", "1,1\n".repeat(400));
    let mut command = room.command(&["pairs", "a.csv", "--out", "-"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
#[cfg(target_os = "linux")]
fn on_a_terminal_results_do_not_stand_behind_what_is_being_done() {
    // It runs a command in a terminal of its own.
    let Ok(script) = std::process::Command::new("script").arg("--version").output() else { return };
    assert!(script.status.success());
    let fixes = "id,t,x,y\na,0,0,0\nb,0,0,0\n";
    let room = Room::new("pairs-terminal").with("a.csv", "1,1\n1,1\n").with("fixes.csv", fixes);
    let rows = [&["a,b", "0,1"], &["a,b", "0,1"], &["a,b,start", "a,b,0"]];
    for (line, rows) in ["pairs a.csv", "pairs a.csv --memory 64M", "near fixes.csv --within 1"].iter().zip(rows) {
        let line = format!("{} {line} --out -", env!("CARGO_BIN_EXE_quadrille"));
        let mut command = std::process::Command::new("script");
        let command = command.current_dir(room.path("")).args(["-qec", &line, "/dev/null"]).stdin(Stdio::null());
        let shown = String::from_utf8(command.output().unwrap().stdout).unwrap();
        for row in rows {
            let at = shown.find(&format!("\x1b[2K{row}")).or_else(|| shown.find(&format!("\n{row}")));
            assert!(at.is_some(), "{line}: {row} in {shown:?}");
        }
    }
}
