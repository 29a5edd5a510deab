//! What `quadrille pairs` answers: distances, nearest, inside; and how it writes.

use std::process::Stdio;

use crate::room::{Room, shared};

/// Four boxes in a row, one unit apart, and one around the first two.
const ROW: &str = "name,xmin,ymin,xmax,ymax\na,0,0,1,1\nb,2,0,3,1\nc,4,0,5,1\nd,9,0,9,1\n\"all, of it\",-1,-1,4,2\n";
const POINTS: &str = "id;x;y\np;0,5;0,5\nq;2;0\nr;100;0\n";

fn room(name: &str) -> Room {
    Room::new(name).with("row.csv", ROW).with("points.csv", POINTS)
}

#[test]
fn within_counts_what_is_at_the_distance() {
    let room = room("joins-within");
    let within = |distance| room.good(&["pairs", "row.csv", "--within", distance, "--out", "-"]);
    assert_eq!(within("0"), "a,b,distance\n0,4,0\n1,4,0\n2,4,0\n");
    assert_eq!(within("1"), "a,b,distance\n0,1,1\n0,4,0\n1,2,1\n1,4,0\n2,4,0\n");
    assert_eq!(within("0.999"), within("0"));
    let two = room.good(&["pairs", "points.csv", "row.csv", "--within", "1.5", "--out", "-"]);
    assert_eq!(two, "a,b,distance\n0,0,0\n0,1,1.5\n0,4,0\n1,0,1\n1,1,0\n1,4,0\n");
    let swapped = room.good(&["pairs", "row.csv", "points.csv", "--within", "1.5", "--count"]);
    assert_eq!(swapped, "6\n");
}

#[test]
fn nearest_are_sorted_by_distance_then_row() {
    let room = room("joins-nearest");
    let nearest = |arguments: &[&str]| room.good(&[&["pairs", "row.csv", "--out", "-"], arguments].concat());
    let expected = "a,b,distance\n0,4,0\n0,1,1\n1,4,0\n1,0,1\n2,4,0\n2,1,1\n3,2,4\n3,4,5\n4,0,0\n4,1,0\n";
    assert_eq!(nearest(&["--nearest", "2"]), expected);
    assert_eq!(nearest(&["--nearest", "1", "--max", "4"]), "a,b,distance\n0,4,0\n1,4,0\n2,4,0\n3,2,4\n4,0,0\n");
    let two =
        room.good(&["pairs", "points.csv", "row.csv", "--nearest", "1", "--out", "-", "--ids", "id", "--ids2", "name"]);
    assert_eq!(two, "a,b,distance\np,a,0\nq,b,0\nr,d,91\n");
}

/// The cases of the same name in the Python package's tests.
#[test]
fn distances_at_the_ends_of_the_range_are_compared_exactly() {
    let within = [
        ("0,0\n9e-171,9e-171", [("1e-170", 0), ("1.3e-170", 1)]),
        ("0,0\n1e200,1e200", [("1e200", 0), ("1.42e200", 1)]),
        ("0,0\n3e200,4e200", [("4.9e200", 0), ("5e200", 1)]),
        ("0,0\n3e-200,4e-200", [("4.9e-200", 0), ("5e-200", 1)]),
        ("-1.7e308,0\n0,0", [("1.6e308", 0), ("1.7e308", 1)]),
    ];
    for (points, cases) in within {
        let room = Room::new("joins-ends").with("points.csv", format!("x,y\n{points}\n"));
        for (distance, pairs) in cases {
            let count = room.good(&["pairs", "points.csv", "--within", distance, "--count"]);
            assert_eq!(count, format!("{pairs}\n"), "{points} within {distance}");
            let two = room.good(&["pairs", "points.csv", "points.csv", "--within", distance, "--count"]);
            assert_eq!(two, format!("{}\n", 2 + 2 * pairs), "{points} with themselves within {distance}");
        }
    }
    for unit in ["1e-200", "1e-160", "1", "1e160", "1e300"] {
        let room =
            Room::new("joins-ends-nearest").with("points.csv", format!("x,y\n0,0\n2{0},0\n1{0},0\n", &unit[1..]));
        let nearest = room.good(&["pairs", "points.csv", "--nearest", "1", "--out", "-"]);
        let pairs: Vec<_> = nearest.lines().skip(1).map(|line| &line[..3]).collect();
        assert_eq!(pairs, ["0,2", "1,2", "2,0"], "{unit}");
    }
}

#[test]
fn inside_and_contains_have_a_direction() {
    let room = room("joins-inside").with("same.csv", "0,0,1,1\n0,0,1,1\n");
    assert_eq!(room.good(&["pairs", "row.csv", "--inside", "--out", "-"]), "a,b\n0,4\n1,4\n");
    assert_eq!(room.good(&["pairs", "row.csv", "--contains", "--out", "-"]), "a,b\n4,0\n4,1\n");
    assert_eq!(room.good(&["pairs", "same.csv", "--inside", "--out", "-"]), "a,b\n0,1\n1,0\n");
    assert_eq!(room.good(&["pairs", "points.csv", "row.csv", "--inside", "--out", "-"]), "a,b\n0,0\n0,4\n1,1\n1,4\n");
    assert_eq!(room.good(&["pairs", "row.csv", "points.csv", "--contains", "--count"]), "4\n");
    assert_eq!(room.good(&["pairs", "row.csv", "points.csv", "--inside", "--count"]), "0\n");
}

#[test]
fn names_and_columns_are_written_instead_of_numbers() {
    let room = room("joins-ids");
    let arguments =
        ["pairs", "row.csv", "points.csv", "--contains", "--ids", "name", "--keep", "xmin,ymax", "--keep2", "id"];
    let csv = room.good(&[&arguments[..], &["--out", "-"]].concat());
    assert_eq!(csv, "a,b,a_xmin,a_ymax,b_id\na,0,0,1,p\nb,1,2,1,q\n\"all, of it\",0,-1,2,p\n\"all, of it\",1,-1,2,q\n");
    room.good(&[&arguments[..], &["--out", "p.ndjson", "--limit", "3"]].concat());
    let lines = String::from_utf8(room.read("p.ndjson")).unwrap();
    assert_eq!(lines.lines().nth(2), Some(r#"{"a":"all, of it","b":0,"a_xmin":"-1","a_ymax":"2","b_id":"p"}"#));
    assert_eq!(lines.lines().count(), 3);
    let far = room
        .good(&["pairs", "points.csv", "row.csv", "--within", "1", "--out", "-", "--format", "ndjson", "--limit", "1"]);
    assert_eq!(far, "{\"a\":0,\"b\":0,\"distance\":0}\n");
}

#[test]
fn what_people_write_is_read_and_no_ending_is_a_lie() {
    let room = Room::new("joins-people")
        .with("excel.csv", "sep=;\r\nid;Longitude_deg;Latitude_deg\r\na;8,5;47,25\r\nb;8,5;47,25\r\n")
        .with("comment.csv", "# made by hand\n# lon,lat,name\n1,2,a\n1,2,b\n")
        .with("points.txt", "POINT(1 2)\nPOINT(1 2)\n");
    for (file, more) in [("excel.csv", "--ids=id"), ("comment.csv", "--ids=name")] {
        assert_eq!(room.good(&["pairs", file, more, "--out", "-"]), "a,b\na,b\n");
    }
    // The first of them is no header.
    assert_eq!(room.good(&["pairs", "points.txt", "--columns", "1", "--out", "-"]), "a,b\n0,1\n");
    for name in ["pairs.csv.gz", "pairs.GeoJSON"] {
        room.bad(&["pairs", "excel.csv", "--out", name], &["--out", "is not supported", "--format"]);
    }
    room.good(&["pairs", "excel.csv", "--out", "pairs.tsv", "--format", "csv"]);
}

#[test]
fn unsorted_pairs_are_the_same_and_come_at_once() {
    let room = Room::new("joins-unsorted").with("a.csv", "1,1\n".repeat(300));
    let sorted = room.good(&["pairs", "a.csv", "--out", "-"]);
    let unsorted = room.good(&["pairs", "a.csv", "--out", "-", "--unsorted"]);
    let mut lines: Vec<_> = unsorted.lines().skip(1).collect();
    lines.sort_by_cached_key(|line| line.split(',').map(|number| number.parse::<u32>().unwrap()).collect::<Vec<_>>());
    assert!(sorted.lines().skip(1).eq(lines));
    assert_eq!(room.good(&["pairs", "a.csv", "--out", "-", "--unsorted", "--limit", "7"]).lines().count(), 8);
    // Of 800 million pairs, a reader takes none: this ends as soon as the pipe is full.
    let room = room.with("many.csv", "1,1\n".repeat(40_000));
    let mut child =
        room.command(&["pairs", "many.csv", "--out", "-", "--unsorted"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn geodesic_distances_are_metres_and_know_the_antimeridian() {
    let points = "name,lon,lat\nFiji,179.99,-17\nTonga,-179.99,-17\nsouth,0,-89.99\npole,180,-89.99\n";
    let room = Room::new("joins-geodesic").with("a.csv", points).with("bad.csv", "x,y\n0,0\n500,95\n");
    let near = room.good(&["pairs", "a.csv", "--within", "3km", "--metric", "geodesic", "--ids", "name", "--out", "-"]);
    let rows: Vec<Vec<&str>> = near.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.iter().map(|row| (row[0], row[1])).collect::<Vec<_>>(), [("Fiji", "Tonga"), ("south", "pole")]);
    let metres: Vec<f64> = rows.iter().map(|row| row[2].parse().unwrap()).collect();
    // 0.02 degrees along the parallel, and along the meridian through the pole.
    assert!((metres[0] - 2129.6).abs() < 1.0 && (metres[1] - 2233.9).abs() < 1.0, "{metres:?}");
    let nearest = room.good(&["pairs", "a.csv", "--nearest", "1", "--metric", "geodesic", "--out", "-"]);
    let pairs: Vec<&str> = nearest.lines().skip(1).map(|line| &line[..3]).collect();
    assert_eq!(pairs, ["0,1", "1,0", "2,3", "3,2"]);
    // A country that was cut in two at the antimeridian has what lies in it, and nothing on the other side of the
    // earth.
    let ring = |west: i32, east: i32| format!("[[[{west},-20],[{east},-20],[{east},-10],[{west},-10],[{west},-20]]]");
    let cut = format!(r#"{{"type":"MultiPolygon","coordinates":[{},{}]}}"#, ring(175, 180), ring(-180, -178));
    let room =
        room.with("cut.json", cut).with("b.csv", "name,lon,lat\nSuva,178.4,-18.1\nTaveuni,-179.9,-16.8\nLagos,3,-15\n");
    let asked = ["pairs", "b.csv", "cut.json", "--within", "0", "--metric", "geodesic", "--ids", "name", "--out", "-"];
    assert_eq!(room.good(&asked), "a,b,distance\nSuva,0,0\nTaveuni,0,0\n");
    // On the plane, its box goes around the earth.
    assert_eq!(room.good(&["pairs", "b.csv", "cut.json", "--count", "--boxes"]), "3\n");
    assert_eq!(room.good(&["pairs", "b.csv", "cut.json", "--count"]), "2\n");
    room.bad(&["pairs", "bad.csv", "--within", "5", "--metric", "geodesic"], &["bad.csv", "line 3", "95", "pole"]);
    let swapped = ["pairs", "a.csv", "--columns", "lat,lon", "--within", "5"];
    room.good(&swapped);
    room.bad(&[&swapped[..], &["--metric", "geodesic"]].concat(), &["lat is to be x, which is the longitude"]);
}

/// Squares side by side: meridians and parallels at random numbers, with two decimals, six, or all.
fn tiles(random: &mut fastrand::Rng, west: f64, count: usize) -> Vec<[f64; 4]> {
    let digits = [1e2, 1e6, 1e14][random.usize(..3)];
    let mut lines = |from: f64, step: f64| {
        let line = |number: usize| ((from + (number as f64 + random.f64() / 2.0) * step) * digits).round() / digits;
        (0..=count).map(line).collect::<Vec<f64>>()
    };
    let (meridians, parallels) = (lines(west, 0.7), lines(-3.0, 0.9));
    let sides = |lines: &[f64]| lines.windows(2).map(|ends| [ends[0], ends[1]]).collect::<Vec<_>>();
    let tile =
        |[west, east]: [f64; 2]| sides(&parallels).into_iter().map(move |[south, north]| [west, south, east, north]);
    sides(&meridians).into_iter().flat_map(tile).collect()
}

#[test]
fn geometries_that_touch_touch_on_the_earth_wherever_they_are() {
    let mut random = fastrand::Rng::with_seed(8);
    for west in [-179.99, -100.1, -1.3, 13.49, 172.0] {
        let tiles = tiles(&mut random, west, 7);
        let ring = |[west, south, east, north]: [f64; 4]| {
            [[west, south], [east, south], [east, north], [west, north], [west, south]]
        };
        let json = |tile| format!(r#"{{"type":"Polygon","coordinates":[{:?}]}}"#, ring(tile));
        let wkt = |tile| {
            let ring = ring(tile).map(|[x, y]| format!("{x} {y}")).join(",");
            format!("\"POLYGON (({ring}))\"\n")
        };
        let hex = |tile| {
            let numbers = ring(tile).into_iter().flatten().flat_map(f64::to_le_bytes);
            let bytes = [1, 3, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0].into_iter().chain(numbers);
            bytes.map(|byte: u8| format!("{byte:02x}")).collect::<String>() + "\n"
        };
        let corners = |[west, south, east, north]: [f64; 4]| format!("{west},{south},{east},{north}\n");
        let points = |[west, south, ..]: [f64; 4]| format!(r#"{{"type":"Point","coordinates":[{west},{south}]}}"#);
        let room = Room::new("joins-tiles")
            .with("a.json", tiles.iter().copied().map(json).collect::<Vec<_>>().join("\n"))
            .with("wkt.csv", format!("wkt\n{}", tiles.iter().copied().map(wkt).collect::<String>()))
            .with("wkb.csv", format!("wkb\n{}", tiles.iter().copied().map(hex).collect::<String>()))
            .with("corners.csv", tiles.iter().copied().map(corners).collect::<String>())
            .with("points.json", tiles.iter().copied().map(points).collect::<Vec<_>>().join("\n"));
        // Each of 7 x 7 touches its eight neighbors.
        let touching = room.good(&["pairs", "corners.csv", "--count"]);
        assert_eq!(touching, "156\n");
        for file in ["a.json", "wkt.csv", "wkb.csv", "corners.csv"] {
            let count = |distance| room.good(&["pairs", file, "--within", distance, "--metric", "geodesic", "--count"]);
            assert_eq!([count("0"), count("0.001m")], [touching.clone(), touching.clone()], "{file} at {west}");
        }
        let corner = ["pairs", "points.json", "a.json", "--within", "0", "--metric", "geodesic", "--count"];
        // Lower left corners: of four tiles, of two at the lower and left edges, of one in the corner.
        assert_eq!(room.good(&corner), format!("{}\n", 36 * 4 + 12 * 2 + 1), "points at {west}");
        let nearest =
            room.good(&["pairs", "points.json", "a.json", "--nearest", "1", "--metric", "geodesic", "--out", "-"]);
        assert!(nearest.lines().skip(1).all(|line| line.ends_with(",0")), "{nearest}");
    }
}

#[test]
fn longitudes_may_go_around_from_any_meridian() {
    // Across Greenwich from 350 degrees on, and from the far east across the antimeridian to Europe.
    let room = Room::new("joins-around")
        .with("a.csv", "wkt\n\"LINESTRING (350 0, 10 1)\"\n\"LINESTRING (170 0, -100 1, 20 0)\"\n")
        .with("b.csv", "lon,lat\n5,0.5\n-5,0.5\n355,0.5\n-120,0.5\n90,0.5\n169.9,0.5\n")
        .with("wide.csv", "xmin,ymin,xmax,ymax\n-10,0,351,1\n")
        .with("far.csv", "lon,lat\n361,0\n");
    let within = |file| ["pairs", file, "b.csv", "--within", "0", "--metric", "geodesic", "--boxes", "--out", "-"];
    let both = "a,b,distance\n0,0,0\n0,1,0\n0,2,0\n1,0,0\n1,1,0\n1,2,0\n1,3,0\n";
    assert_eq!(room.good(&within("a.csv")), both);
    room.bad(&within("wide.csv"), &["wide.csv: line 2: is not on the earth: 351 is not a longitude"]);
    room.bad(&within("far.csv"), &["far.csv: line 2: is not on the earth: 361 is not a longitude"]);
}

#[test]
fn what_is_not_on_the_earth_is_left_out_on_request() {
    let room = Room::new("joins-off-earth")
        .with("p.csv", "lon,lat\n8,47\n8,91\n8,north\n8,47\n")
        .with("g.csv", "wkt\nPOINT (8 47)\nPOINT (8 91)\nLINESTRING (8 47\n\"LINESTRING (8 47, 8 47)\"\n");
    for (file, more, told) in [
        (
            "p.csv",
            &["--within", "0"][..],
            "p.csv: line 3: is not on the earth: latitude 91 is beyond a pole; --metric geodesic needs degrees",
        ),
        (
            "p.csv",
            &["--nearest", "1", "--max", "0", "--memory", "64M"],
            "p.csv: line 3: is not on the earth: latitude 91",
        ),
        ("g.csv", &["--within", "0"], "g.csv: line 3: wkt \"POINT (8 91)\" is not on the earth: latitude 91"),
    ] {
        let pairs = [&["pairs", file, "--metric", "geodesic"], more].concat();
        room.bad(&pairs, &[told]);
        let pairs = [&pairs[..], &["--skip-invalid", "--out", "-"]].concat();
        let found = room.good(&pairs);
        assert!(found.starts_with("a,b,distance\n0,3,0\n"), "{found}");
    }
}

#[test]
fn the_nearest_station_may_be_a_feature() {
    let (Some(airports), Some(quakes)) =
        (shared("boxes/us_airports.csv"), shared("boxes/usgs_earthquakes_week.geojson"))
    else {
        return;
    };
    let (airports, quakes) = (airports.to_str().unwrap(), quakes.to_str().unwrap());
    let room = Room::new("joins-features");
    let nearest = ["--nearest", "1", "--metric", "geodesic", "--count"];
    assert_eq!(room.good(&[&["pairs", airports, quakes][..], &nearest].concat()), "3376\n");
    assert_eq!(room.good(&[&["pairs", quakes, airports][..], &nearest].concat()), "1707\n");
    assert!(room.json(&["pairs", quakes, "--within", "5km", "--metric", "geodesic"])["pairs"].as_u64() > Some(100));
}

#[test]
fn distances_beyond_the_numbers_are_null_in_json() {
    let room = Room::new("joins-infinite").with("a.csv", "x,y\n-1.7e308,0\n1.7e308,0\n");
    let nearest = |format| room.good(&["pairs", "a.csv", "--nearest", "1", "--out", "-", "--format", format]);
    assert_eq!(nearest("ndjson"), "{\"a\":0,\"b\":1,\"distance\":null}\n{\"a\":1,\"b\":0,\"distance\":null}\n");
    assert_eq!(nearest("csv"), "a,b,distance\n0,1,inf\n1,0,inf\n");
}

#[test]
fn the_nearest_on_the_earth_are_found_by_a_tree_of_their_own() {
    let room = Room::new("joins-index").with("a.csv", "lon,lat\n8,47\n8,47.1\n");
    let asked = ["pairs", "a.csv", "--nearest", "1", "--metric", "geodesic"];
    assert_eq!(room.json(&asked)["index"], "tree of degrees");
    assert_eq!(room.json(&["pairs", "a.csv", "--within", "20km", "--metric", "geodesic"])["index"], "frame-tree");
}

#[test]
fn a_file_given_twice_is_a_second_set_as_a_copy_of_it_is() {
    let room = room("joins-twice").with("copy.csv", ROW);
    let options: [&[&str]; 7] = [
        &["--inside"],
        &["--within", "1"],
        &["--nearest", "2"],
        &["--keep", "name", "--keep2", "name"],
        &["--keep2", "name"],
        &["--ids", "name", "--ids2", "name"],
        &["--columns2", "xmin,ymin"],
    ];
    for options in options {
        let pairs = |second| room.good(&[&["pairs", "row.csv", second, "--out", "-"], options].concat());
        assert_eq!(pairs("row.csv"), pairs("copy.csv"), "{options:?}");
        assert!(pairs("row.csv").lines().count() > 5, "{options:?}");
    }
}
