//! What `quadrille pairs --predicate` answers: true shapes, from every format that has them.

use crate::room::Room;

/// A square with a hole, a triangle whose box holds it all, a line along the square's edge.
const ZONES: &str = "name,wkt\nsquare,\"POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 1 3, 3 3, 3 1, 1 1))\"\n\
                     triangle,\"POLYGON ((-9 -9, 9 -9, -9 9, -9 -9))\"\nline,\"LINESTRING Z (4 1 7, 4 2 7)\"\nnothing,POLYGON EMPTY\n";
/// In the hole, in the square, at its corner, in the triangle only, nowhere.
const POINTS: &str = "x,y\n2,2\n0.5,0.5\n4,4\n-5,-5\n8,8\n";

fn room(name: &str) -> Room {
    Room::new(name).with("zones.csv", ZONES).with("points.csv", POINTS)
}

#[test]
fn predicates_are_asked_of_true_shapes() {
    let room = room("shapes-predicates");
    let pairs = |files: &[&str], predicate: &str| {
        room.good(&[&["pairs"], files, &["--predicate", predicate, "--out", "-"]].concat())
    };
    let (one, two) = (["zones.csv"], ["zones.csv", "points.csv"]);
    assert_eq!(pairs(&two, "contains"), "a,b\n0,1\n1,3\n");
    assert_eq!(pairs(&two, "intersects"), "a,b\n0,1\n0,2\n1,3\n");
    assert_eq!(pairs(&two, "touches"), "a,b\n0,2\n");
    assert_eq!(pairs(&["points.csv", "zones.csv"], "within"), "a,b\n1,0\n3,1\n");
    assert_eq!(pairs(&one, "intersects"), "a,b\n0,1\n0,2\n");
    assert_eq!(pairs(&one, "touches"), "a,b\n0,1\n0,2\n");
    assert_eq!(pairs(&one, "overlaps"), "a,b\n");
    assert_eq!(pairs(&one, "disjoint"), "a,b\n1,2\n");
    // In either order.
    assert_eq!(pairs(&one, "covers"), "a,b\n0,2\n");
    assert_eq!(pairs(&one, "covered-by"), "a,b\n2,0\n");
    // The line lies on the edge, so it is not contained.
    assert_eq!(pairs(&one, "contains"), "a,b\n");
    assert_eq!(room.good(&["pairs", "zones.csv", "points.csv", "--predicate", "contains", "--count"]), "2\n");
}

#[test]
fn formats_hold_the_same_shapes() {
    let geojson = r#"{"type":"FeatureCollection","features":[
        {"type":"Feature","properties":{},"geometry":{"type":"MultiPolygon","coordinates":[[[[0,0],[4,0],[4,4],[0,4],[0,0]],[[1,1],[1,3],[3,3],[3,1],[1,1]]]]}},
        {"type":"Feature","properties":{},"geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[-5,-5]}]}}]}"#;
    // POINT (0.5 0.5), and the square without its hole, big-endian.
    let wkb = "wkb\n0101000000000000000000e03f000000000000e03f\n0000000003000000010000000500000000000000000000000000000000\
               40100000000000000000000000000000401000000000000040100000000000000000000000000000401000000000000000000000000000000000000000000000\n";
    let room = room("shapes-formats").with("zones.geojson", geojson).with("wkb.csv", wkb);
    let pairs = |other, predicate| room.good(&["pairs", "zones.csv", other, "--predicate", predicate, "--out", "-"]);
    assert_eq!(pairs("zones.geojson", "equals"), "a,b\n0,0\n");
    assert_eq!(pairs("zones.geojson", "contains"), "a,b\n0,0\n1,1\n");
    assert_eq!(pairs("wkb.csv", "contains"), "a,b\n0,0\n");
    assert_eq!(pairs("wkb.csv", "within"), "a,b\n0,1\n");
}

#[test]
fn reports_say_that_shapes_were_compared() {
    let room = room("shapes-report");
    let report = room.good(&["pairs", "zones.csv", "points.csv", "--predicate", "contains", "--json", "figures.json"]);
    assert!(report.contains("2 for which contains holds, by true shapes"), "{report}");
    std::fs::write(room.path("wkt.csv"), "wkt\nPOINT (1 1)\nPOINT (1 1)\n").unwrap();
    let report = room.good(&["pairs", "wkt.csv"]);
    assert!(report.contains("1 that overlap\n"), "{report}");
    let figures = String::from_utf8(room.read("figures.json")).unwrap();
    assert!(figures.contains(r#""query": "contains""#) && figures.contains(r#""compared": "shapes""#), "{figures}");
    for (options, compared, edges, words) in [
        (
            &[][..],
            "shapes",
            r#""straight""#,
            ["3 shapes in zones.csv", "shapes of wkt", "3 with the second inside the first, by true shapes"],
        ),
        (
            &["--boxes"],
            "boxes",
            "null",
            ["3 boxes in zones.csv", "bounding boxes of wkt", "8 with the second inside the first, by bounding boxes"],
        ),
    ] {
        let asked = [&["pairs", "zones.csv", "points.csv", "--contains", "--json", "figures.json"], options].concat();
        let report = room.good(&asked);
        words.iter().for_each(|words| assert!(report.contains(words), "{words}: {report}"));
        let figures = String::from_utf8(room.read("figures.json")).unwrap();
        assert!(figures.contains(&format!(r#""compared": "{compared}""#)), "{figures}");
        assert!(figures.contains(&format!(r#""edges": {edges}"#)), "{figures}");
    }
}

#[test]
fn figures_tell_a_predicate_from_a_distance_of_the_same_name() {
    let room = room("shapes-figures");
    for (options, query, predicate) in [
        (&["--within", "1"][..], "within", "null"),
        (&["--predicate", "within"], "within", r#""within""#),
        (&["--contains"], "contains", r#""covers""#),
        (&["--predicate", "contains"], "contains", r#""contains""#),
        (&["--inside"], "inside", r#""covered-by""#),
        (&[], "overlap", r#""intersects""#),
        (&["--nearest", "1"], "nearest", "null"),
        (&["--predicate", "within", "--memory", "1G"], "within", r#""within""#),
    ] {
        room.good(&[&["pairs", "zones.csv", "points.csv", "--json", "figures.json"], options].concat());
        let figures = String::from_utf8(room.read("figures.json")).unwrap();
        for field in [format!(r#""query": "{query}""#), format!(r#""predicate": {predicate},"#)] {
            assert!(figures.contains(&field), "{options:?}, {field}: {figures}");
        }
    }
}

#[test]
fn bad_shapes_are_refused_by_line_and_reason() {
    let room = room("shapes-bad")
        .with("open.csv", "wkt\nPOINT (1 1)\n\"POLYGON ((0 0, 1 0, 1 1, 0 1))\"\n")
        .with("mixed.csv", "wkt\n\"GEOMETRYCOLLECTION (POINT (1 1), LINESTRING (0 0, 1 1))\"\n");
    let asked = |file, predicate| ["pairs", file, "points.csv", "--predicate", predicate];
    room.bad(&asked("open.csv", "within"), &["open.csv", "line 3", "not closed: it begins at 0 0 and ends at 0 1"]);
    room.bad(&asked("mixed.csv", "within"), &["mixed.csv", "geometry 0 (from 0)", "intersects"]);
    assert_eq!(room.good(&[&asked("mixed.csv", "intersects")[..], &["--count"]].concat()), "1\n");
    room.bad(&asked("zones.csv", "near"), &["no predicate is named `near`", "covered-by"]);
    room.bad(&[&asked("zones.csv", "within")[..], &["--boxes"]].concat(), &["--boxes"]);
    room.bad(&["pairs", "mixed.csv", "points.csv", "--contains"], &["mixed.csv", "geometry 0 (from 0)", "--boxes"]);
    // The row is named, though the one before it has no geometry.
    let room = room.with("later.wkt", "POINT EMPTY\nGEOMETRYCOLLECTION (POINT (1 1), LINESTRING (0 0, 1 1))\n");
    room.bad(&["pairs", "later.wkt", "--contains"], &["later.wkt", "geometry 1 (from 0)", "--boxes"]);
}

#[test]
fn every_query_is_about_true_shapes_unless_boxes_are_chosen() {
    let room = room("shapes-queries");
    let pairs = |options: &[&str]| room.good(&[&["pairs"], options, &["--out", "-"]].concat());
    assert_eq!(pairs(&["zones.csv", "points.csv"]), "a,b\n0,1\n0,2\n1,3\n");
    assert_eq!(pairs(&["zones.csv", "points.csv", "--boxes", "--limit", "5"]), "a,b\n0,0\n0,1\n0,2\n1,0\n1,1\n");
    // The line lies on the square's edge, which belongs to it.
    assert_eq!(pairs(&["zones.csv", "--inside"]), "a,b\n2,0\n");
    assert_eq!(pairs(&["points.csv", "zones.csv", "--inside"]), "a,b\n1,0\n2,0\n3,1\n");
    assert_eq!(pairs(&["points.csv", "zones.csv", "--inside", "--boxes", "--limit", "2"]), "a,b\n0,0\n0,1\n");
    // From the hole to its edge, and from the triangle's slanted side.
    assert_eq!(pairs(&["points.csv", "zones.csv", "--within", "1", "--limit", "2"]), "a,b,distance\n0,0,1\n1,0,0\n");
    let nearest = "a,b,distance\n0,0,1\n1,0,0\n2,0,0\n3,1,0\n4,0,5.656854249492381\n";
    assert_eq!(pairs(&["points.csv", "zones.csv", "--nearest", "1"]), nearest);
    assert_eq!(
        pairs(&["points.csv", "zones.csv", "--nearest", "1", "--max", "0.5"]),
        "a,b,distance\n1,0,0\n2,0,0\n3,1,0\n"
    );
    assert_eq!(pairs(&["zones.csv", "--nearest", "1"]), "a,b,distance\n0,1,0\n1,0,0\n2,0,0\n");
}

#[test]
fn beyond_memory_it_is_said_what_was_compared() {
    let room = room("shapes-boxes");
    let beyond = ["pairs", "zones.csv", "points.csv", "--memory", "1G"];
    assert_eq!(room.good(&[&beyond[..], &["--count"]].concat()), "3\n");
    let report = room.good(&beyond);
    assert!(report.contains("shapes of wkt") && report.contains("that overlap, by true shapes"), "{report}");
    assert_eq!(room.good(&[&beyond[..], &["--boxes", "--count"]].concat()), "8\n");
    let report = room.good(&[&beyond[..], &["--boxes"]].concat());
    assert!(report.contains("bounding boxes of wkt") && report.contains("by bounding boxes"), "{report}");
}

#[test]
fn well_known_text_is_read_one_geometry_a_line() {
    let bare = "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))\nPOINT (9 9)\nLINESTRING (1 1, 2 2)\n";
    let named = bare.lines().zip(7..).map(|(line, id)| format!("{id}\t{line}\n")).collect::<String>();
    let room = room("shapes-wkt").with("bare.wkt", bare).with("named.wkt", &named);
    for file in ["bare.wkt", "named.wkt"] {
        assert_eq!(room.good(&["pairs", file, "--contains", "--out", "-"]), "a,b\n0,2\n", "{file}");
    }
    assert_eq!(room.good(&["pairs", "named.wkt", "--contains", "--ids", "1", "--out", "-"]), "a,b\n7,9\n");
    for (file, words) in [
        ("bare.wkt", "(well-known text, one geometry a line, no header)"),
        ("named.wkt", "(text with tabs, no header)"),
    ] {
        let report = room.good(&["pairs", file]);
        assert!(report.contains(words), "{report}");
    }
}

#[test]
fn bad_geometries_are_left_out_and_counted_if_that_is_asked_for() {
    let rows = "wkt\nPOINT (1 1)\n\"POLYGON ((0 0, 1 0, 1 1))\"\nPOINT EMPTY\nLINESTRING (0 0)\n\"LINESTRING (nan 0, 1 1)\"\nPOLYGON ((\n\
                \"POLYGON Z ((0 0 1, 3 0 1, 3 3 1, 1 1 1, 0 3 1, 0 0 1))\"\n010100\n\"POLYGON ((0 0, 2 0, 1 0, 2 0, 2 2, 2 2, 0 2, 0 0))\"\n";
    let room = room("shapes-skip").with("bad.csv", rows);
    room.bad(&["pairs", "bad.csv"], &["bad.csv", "line 3", "ring"]);
    let found = room.good(&["pairs", "bad.csv", "--skip-invalid", "--out", "-", "--json", "figures.json"]);
    assert_eq!(found, "a,b\n0,6\n0,8\n6,8\n");
    let figures = String::from_utf8(room.read("figures.json")).unwrap();
    for part in [r#""boxes": 3"#, r#""skipped": 1"#, r#""invalid": 5"#] {
        assert!(figures.contains(part), "{part}: {figures}");
    }
    assert!(room.good(&["pairs", "bad.csv", "--skip-invalid"]).contains("5 rows with a bad geometry left out"));
}

/// A record of a shapefile's main file: its type, and what follows.
fn record(kind: u32, rest: &[u8]) -> Vec<u8> {
    let length = (4 + rest.len()) as u32 / 2;
    [&1_u32.to_be_bytes()[..], &length.to_be_bytes(), &kind.to_le_bytes(), rest].concat()
}

fn floats(all: impl IntoIterator<Item = f64>) -> Vec<u8> {
    all.into_iter().flat_map(f64::to_le_bytes).collect()
}

/// Parts of a line or polygon.
fn parts(kind: u32, parts: &[&[[f64; 2]]]) -> Vec<u8> {
    let all = parts.concat();
    let least = |axis: usize| all.iter().map(|place| place[axis]).fold(f64::INFINITY, f64::min);
    let most = |axis: usize| all.iter().map(|place| place[axis]).fold(f64::NEG_INFINITY, f64::max);
    let starts = parts.iter().scan(0, |start, part| Some(std::mem::replace(start, *start + part.len() as u32)));
    let counts = [parts.len() as u32, all.len() as u32].into_iter().chain(starts).flat_map(u32::to_le_bytes);
    let rest = [floats([least(0), least(1), most(0), most(1)]), counts.collect(), floats(all.concat())].concat();
    record(kind, &rest)
}

/// Clockwise, as shells of shapefiles are, or the other way.
fn square(side: f64, is_shell: bool) -> [[f64; 2]; 5] {
    let mut ring = [[-side, -side], [-side, side], [side, side], [side, -side], [-side, -side]];
    if !is_shell {
        ring.reverse();
    }
    ring
}

/// A shapefile of these records, which get their numbers.
fn shapefile(records: &[Vec<u8>]) -> Vec<u8> {
    let numbered =
        (1_u32..).zip(records).flat_map(|(number, record)| [&number.to_be_bytes()[..], &record[4..]].concat());
    let mut file = vec![0; 100];
    file[..4].copy_from_slice(&[0, 0, 0x27, 0x0a]);
    file.extend(numbered);
    let length = (file.len() / 2) as u32;
    file[24..28].copy_from_slice(&length.to_be_bytes());
    file
}

#[test]
fn shapefiles_hold_points_lines_and_polygons_whose_holes_come_in_any_order() {
    // From the outside: a shell, its hole, an island in that, and a hole in the island; holes first.
    let nested = [square(2.0, true), square(1.0, false), square(4.0, true), square(3.0, false)];
    let nested: Vec<&[[f64; 2]]> = [1, 3, 0, 2].map(|number| &nested[number][..]).to_vec();
    let box_and_count =
        [floats([5.0, 5.0, 6.0, 6.0]), 2_u32.to_le_bytes().to_vec(), floats([5.0, 5.0, 6.0, 6.0])].concat();
    let zones = [parts(5, &nested), record(0, &[]), parts(3, &[&[[0.0, 9.0], [9.0, 0.0]]]), record(8, &box_and_count)];
    let wrong_way = square(7.0, false);
    let surface = parts(31, &[&square(1.0, true)]);
    let points = "x,y\n0,0\n1.5,0\n2.5,0\n3.5,0\n4.5,4.5\n6,6\n";
    let mut room = room("shapes-shapefile").with("zones.shp", shapefile(&zones)).with("places.csv", points);
    room = room.with("wrong.shp", shapefile(&[parts(5, &[&wrong_way])]));
    room = room.with("surface.shp", shapefile(&[surface]));
    let pairs = |file| room.good(&["pairs", file, "places.csv", "--contains", "--out", "-"]);
    assert_eq!(pairs("zones.shp"), "a,b\n0,1\n0,3\n2,4\n3,5\n");
    assert_eq!(pairs("wrong.shp"), "a,b\n0,0\n0,1\n0,2\n0,3\n0,4\n0,5\n");
    room.bad(&["pairs", "surface.shp", "places.csv"], &["surface.shp: shape 0 (from 0)", "multipatch"]);
}

#[test]
fn what_two_have_in_common_is_measured() {
    let floods =
        "name,wkt\nflood,\"POLYGON ((3 2, 6 2, 6 5, 3 5, 3 2))\"\nroad,\"LINESTRING (0 2, 9 2)\"\ncorner,POINT (4 4)\n";
    let room =
        room("shapes-measure").with("floods.csv", floods).with("boxes.csv", "xmin,ymin,xmax,ymax\n0,0,4,4\n3,2,6,5\n");
    let pairs = |options: &[&str]| room.good(&[&["pairs"], options, &["--measure", "--out", "-"]].concat());
    // The square's hole is dry; its edge is on the road's line, and the line along its edge is met in a point of the
    // road.
    let found =
        "a,b,measure,b_name\nsquare,0,2,flood\nsquare,1,2,road\nsquare,2,0,corner\nline,0,0,flood\nline,1,0,road\n";
    let all = pairs(&["zones.csv", "floods.csv", "--ids", "name", "--keep2", "name"]);
    assert_eq!(all, found);
    assert_eq!(pairs(&["boxes.csv"]), "a,b,measure\n0,1,2\n");
    assert_eq!(pairs(&["boxes.csv", "--within", "9"]), "a,b,distance,measure\n0,1,0,2\n");
    // The area of each.
    assert_eq!(pairs(&["zones.csv", "zones.csv", "--predicate", "equals"]), "a,b,measure\n0,0,12\n1,1,162\n2,2,1\n");
    let room = room.with("mixed.csv", "wkt\n\"GEOMETRYCOLLECTION (POINT (1 1), LINESTRING (0 0, 1 1))\"\n");
    room.bad(&["pairs", "mixed.csv", "--measure", "--out", "-"], &["mixed.csv", "geometry 0 (from 0)"]);
    room.bad(&["pairs", "boxes.csv", "--measure", "--boxes", "--out", "-"], &["--measure", "--boxes"]);
    let geodesic = ["pairs", "boxes.csv", "--within", "9", "--metric", "geodesic", "--measure", "--out", "-"];
    room.bad(&geodesic, &["--measure is for the plane"]);
}

#[test]
fn on_the_globe_places_are_compared_with_true_shapes() {
    let room = room("shapes-globe")
        .with("far.csv", "lon,lat\n5,51\n")
        .with("edge.csv", "wkt\n\"LINESTRING (0 50, 10 50)\"\n")
        .with("hole.csv", "xmin,ymin,xmax,ymax\n1.5,1.5,2,2\n4,3,5,3\n");
    let pairs = |options: &[&str]| room.good(&[&["pairs"], options, &["--metric", "geodesic", "--out", "-"]].concat());
    // In the hole, 1 degree from its western and southern edge; (8, 8) is beyond the slanted side of the triangle.
    let distances = |csv: String| -> Vec<(String, f64)> {
        let parts = |line: &str| line.rsplit_once(',').map(|(pair, far)| (pair.to_string(), far.parse().unwrap()));
        csv.lines().skip(1).filter_map(parts).collect()
    };
    let same = |found: Vec<(String, f64)>, expected: &[(&str, f64)]| {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for ((pair, far), (expected_pair, expected)) in found.iter().zip(expected) {
            assert!(pair == expected_pair && (far - expected).abs() <= 0.05, "{found:?}");
        }
    };
    let nearest = &[("0,0", 110_575.065), ("1,0", 0.0), ("2,0", 0.0), ("3,1", 0.0)];
    same(distances(pairs(&["points.csv", "zones.csv", "--nearest", "1", "--max", "500km"])), nearest);
    let within = &[("0,0", 110_575.065), ("0,1", 0.0), ("0,2", 0.0), ("1,1", 78_449.488), ("1,3", 0.0)];
    let found = distances(pairs(&["zones.csv", "points.csv", "--within", "111km"]));
    same(found, within);
    // A parallel is not the shortest way.
    same(distances(pairs(&["far.csv", "edge.csv", "--within", "200km"])), &[("0,0", 111_238.681)]);
    let geodesic = distances(pairs(&["far.csv", "edge.csv", "--within", "200km", "--edges", "geodesic"]));
    assert!(geodesic[0].1 < 100_000.0, "{geodesic:?}");
    for edges in ["straight", "geodesic"] {
        let asked = ["pairs", "far.csv", "edge.csv", "--within", "200km", "--metric", "geodesic", "--edges", edges];
        let figures = room.good(&[&asked[..], &["--json", "-"]].concat());
        assert!(figures.contains(&format!(r#""edges": "{edges}""#)), "{figures}");
    }
    let report = room.good(&["pairs", "points.csv", "zones.csv", "--within", "1km", "--metric", "geodesic"]);
    assert!(report.contains("by true shapes"), "{report}");
    let report = room.good(&["pairs", "points.csv", "zones.csv", "--within", "1km", "--metric", "geodesic", "--boxes"]);
    assert!(report.contains("by bounding boxes"), "{report}");
    // Lines and polygons with each other, with boxes, and within one file; the square's hole is empty.
    let from_hole = &[("0,1", 0.0), ("0,2", 0.0)];
    same(distances(pairs(&["zones.csv", "--within", "0"])), from_hole);
    same(distances(pairs(&["zones.csv", "hole.csv", "--nearest", "1", "--max", "50km"])), &[("0,1", 0.0)]);
    let near = distances(pairs(&["hole.csv", "zones.csv", "--nearest", "1"]));
    same(near, &[("0,0", 55_287.406), ("1,0", 0.0)]);
    let report = room.good(&["pairs", "hole.csv", "zones.csv", "--within", "1km", "--metric", "geodesic"]);
    assert!(report.contains("2 boxes in hole.csv") && report.contains("3 shapes in zones.csv"), "{report}");
    let report = room.good(&["pairs", "points.csv", "--columns", "x,y", "--within", "1km", "--metric", "geodesic"]);
    assert!(report.contains("5 points in points.csv") && !report.contains(", by "), "{report}");
    room.bad(
        &["pairs", "points.csv", "zones.csv", "--within", "1", "--edges", "geodesic"],
        &["--edges is for --metric geodesic"],
    );
}

/// Points, lines and polygons all over the globe, across the antimeridian and near the poles, too: rows of WKT.
fn all_over_the_globe(random: &mut fastrand::Rng, count: usize, are_points: bool) -> String {
    let mut rows = String::from("wkt\n");
    for number in 0..count {
        let [x, y] = [random.f64() * 360.0 - 180.0, random.f64() * 176.0 - 88.0];
        let wide = [0.01, 1.0, 20.0][number % 3];
        let mut corner = |turn: f64| {
            let (sin, cos) = turn.sin_cos();
            let far = wide * (0.2 + 0.8 * random.f64());
            let longitude = x + far * cos;
            format!("{} {}", longitude - (longitude / 360.0).round() * 360.0, (y + far * sin).clamp(-89.0, 89.0))
        };
        let corners = [0.0, 1.5, 3.0, 4.5].map(&mut corner);
        rows += &match number / 3 % 3 {
            _ if are_points => format!("\"POINT({x} {y})\"\n"),
            0 => format!("\"POINT({})\"\n", corners[0]),
            1 => format!("\"LINESTRING({}, {}, {})\"\n", corners[0], corners[1], corners[2]),
            _ => format!("\"POLYGON(({}, {}))\"\n", corners.join(", "), corners[0]),
        };
    }
    rows
}

#[test]
fn the_nearest_on_the_globe_are_the_least_of_all_distances() {
    const NEAREST: usize = 5;
    let mut random = fastrand::Rng::with_seed(12);
    let room = Room::new("shapes-globe-nearest")
        .with("points.csv", all_over_the_globe(&mut random, 40, true))
        .with("more.csv", all_over_the_globe(&mut random, 60, true))
        .with("shapes.csv", all_over_the_globe(&mut random, 54, false));
    for (first, second, edges) in [
        ("points.csv", "more.csv", "straight"),
        ("points.csv", "shapes.csv", "straight"),
        ("points.csv", "shapes.csv", "geodesic"),
    ] {
        let asked = |what: &[&str]| -> Vec<(usize, usize, f64)> {
            let globe = ["pairs", first, second, "--metric", "geodesic", "--edges", edges, "--out", "-"];
            let csv = room.good(&[&globe, what].concat());
            let row = |line: &str| {
                let mut parts = line.split(',');
                let [a, b] = [(); 2].map(|()| parts.next().unwrap().parse().unwrap());
                (a, b, parts.next().unwrap().parse().unwrap())
            };
            csv.lines().skip(1).map(row).collect()
        };
        // No place is farther from another: all pairs.
        let all = asked(&["--within", "21000km"]);
        let nearest = asked(&["--nearest", &NEAREST.to_string()]);
        let count = all.iter().map(|(a, ..)| a + 1).max().unwrap();
        assert_eq!(nearest.len(), count * NEAREST, "{first} {second} {edges}");
        for a in 0..count {
            let of = |pairs: &[(usize, usize, f64)]| {
                let mut of: Vec<_> = pairs.iter().filter(|pair| pair.0 == a).map(|(_, b, far)| (*far, *b)).collect();
                of.sort_by(|one, other| one.0.total_cmp(&other.0));
                of
            };
            let (brute, found) = (of(&all), of(&nearest));
            for (expected, (far, b)) in brute.iter().zip(&found) {
                let own = brute.iter().find(|(_, other)| other == b).unwrap().0;
                let error = if (9.9e6..1.02e7).contains(far) { 0.2 } else { 2e-3 };
                assert!((far - expected.0).abs() < error && (far - own).abs() < error, "{first} {second} {edges} {a}");
            }
        }
    }
}
