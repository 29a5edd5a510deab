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
    assert!(report.contains("2 by their true shapes: contains"), "{report}");
    let figures = String::from_utf8(room.read("figures.json")).unwrap();
    assert!(figures.contains(r#""question": "contains""#) && figures.contains(r#""compared": "shapes""#), "{figures}");
    room.good(&["pairs", "zones.csv", "points.csv", "--contains", "--json", "figures.json"]);
    let figures = String::from_utf8(room.read("figures.json")).unwrap();
    assert!(figures.contains(r#""compared": "boxes""#), "{figures}");
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
    room.bad(&asked("zones.csv", "near"), &["there is no predicate 'near'", "covered-by"]);
    room.bad(&[&asked("zones.csv", "within")[..], &["--memory", "1G"]].concat(), &["--memory"]);
}
