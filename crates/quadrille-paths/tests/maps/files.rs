//! The parsers: what they accept, and how they report the rest.

use proptest::prelude::*;
use quadrille_paths::benchmark::{Method, run};
use quadrille_paths::movingai::{Command, Patch, Scenario, TileMap, Trace};
use quadrille_paths::{Cell, CostRule, Grid, PathMap};

const MAP: &str = "type octile\nheight 2\nwidth 3\nmap\n.@G\nSWT\n";
const SCEN: &str = "version 1\n0\ta map.map\t3\t2\t0\t0\t0\t1\t1\n\n5 m 3 2 2 0 0 1 0\n";
const PATCHES: &str =
    "type patch\npatches 2\npatch 0\nheight 1\nwidth 2\nmap\n@.\npatch 1\nheight 2\nwidth 1\nmap\n@\n@\n";
const TRACE: &str =
    "version 2\nheight 3\nwidth 4\ncost 1 octile\npatch a.patch\ncommands\nP 1 0 2 2\nQ 1 0 0 3 2 4.2426\n";

#[test]
fn maps_are_read_with_either_line_end_and_order_of_sides() {
    let turned = MAP.replace("height 2\nwidth 3", "width 3\nheight 2");
    for text in [MAP.to_owned(), MAP.replace('\n', "\r\n"), MAP.trim_end().to_owned(), turned] {
        let map = TileMap::parse("m", text.as_bytes()).unwrap();
        assert_eq!((map.width(), map.height()), (3, 2));
        let free: Vec<Cell> =
            map.ground().unwrap().bounds().cells().filter(|cell| map.ground().unwrap().is_free(*cell)).collect();
        assert_eq!(free, [Cell::new(0, 0), Cell::new(2, 0), Cell::new(0, 1)]);
        assert_eq!(map.grid(|tile| tile == b'W').unwrap().count_free(), 1);
        assert_eq!((map.tile(Cell::new(2, 1)), map.tile(Cell::new(3, 0))), (Some(b'T'), None));
    }
}

#[test]
fn scenarios_are_read_and_checked_against_a_map() {
    let scenario = Scenario::parse("s", SCEN.as_bytes()).unwrap();
    let [first, second] = scenario.queries() else { panic!("two queries") };
    assert_eq!((first.bucket, first.from, first.to, first.line), (0, Cell::new(0, 0), Cell::new(0, 1), 2));
    assert_eq!(first.shortest.unwrap().length, 1.0);
    assert_eq!((second.shortest, second.line), (None, 4));
    scenario.check(&Grid::open(3, 2).unwrap()).unwrap();
    let error = scenario.check(&Grid::open(3, 3).unwrap()).unwrap_err().to_string();
    assert_eq!(error, "s:2: a query for a map of 3 x 2 cells, but the map has 3 x 3");
    for end in [first.from, first.to] {
        let blocked = Grid::from_fn(3, 2, |cell| cell != end).unwrap();
        assert!(first.has_blocked_end(&blocked) && !second.has_blocked_end(&blocked));
    }
    assert!(!first.has_blocked_end(&Grid::open(3, 2).unwrap()));
}

#[test]
fn traces_are_read_with_their_patches() {
    let patches = Patch::parse_all("p", PATCHES.as_bytes()).unwrap();
    let trace = Trace::parse("t", TRACE.as_bytes(), &patches).unwrap();
    assert_eq!((trace.width(), trace.height()), (4, 3));
    assert_eq!(trace.commands()[0], Command::Patch { patch: 0, at: Cell::new(2, 2) });
    let mut map = PathMap::new(Grid::open(4, 3).unwrap(), CostRule::Octile);
    assert!(patches[0].apply(&mut map, Cell::new(3, 2)), "what hangs over the edge is cut off");
    assert!(!map.grid().is_free(Cell::new(3, 2)));
    assert_eq!(map.grid().count_free(), 11);
    let freed: Vec<Cell> =
        map.grid().bounds().cells().filter(|cell| patches[0].is_free(*cell, Cell::new(1, 2))).collect();
    assert_eq!(freed, [Cell::new(2, 2)], "nothing beside the patch");
}

#[test]
fn errors_name_file_line_and_value() {
    let map = |from: &str, to: &str| TileMap::parse("f", MAP.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
    assert_eq!(map("octile", "hex"), "f:1: expected type \"octile\", found \"hex\"");
    assert_eq!(map("height 2", "height two"), "f:2: height should be a whole number up to 4294967295, found \"two\"");
    assert_eq!(
        map("width 3", "width 4900000000"),
        "f:3: width should be a whole number up to 4294967295, found \"4900000000\""
    );
    assert_eq!(map("height 2", "depth 2"), "f:2: expected \"height\", found \"depth 2\"");
    assert_eq!(map("height 2", "width 2"), "f:3: expected \"height\", found \"width 3\"");
    assert_eq!(map("width 3", "height 3"), "f:3: expected \"width\", found \"height 3\"");
    assert_eq!(
        map("width 3", "width 70000"),
        "f:3: a map of 70000 x 2 cells, but sides go to 65000 and the number of cells to 268435456"
    );
    assert_eq!(map(".@G", ".@G."), "f:5: row 0 has 4 characters, not 3");
    assert_eq!(map("SWT", "SxT"), "f:6: unknown character \"x\" in column 1 of row 1");
    assert_eq!(map("SWT\n", ""), "f:6: the file ends where row 1 of 2 should be");
    assert_eq!(map("SWT\n", "SWT\n\nmore"), "f:8: expected the end, found \"more\"");

    let scen =
        |from: &str, to: &str| Scenario::parse("f", SCEN.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
    assert_eq!(scen("version 1", "version 3"), "f:1: expected version 1, found \"3\"");
    assert_eq!(scen("5 m 3 2 2 0", "5 m 3 2 3 0"), "f:4: the start (3, 0) is off the map of 3 x 2 cells");
    assert_eq!(scen("5 m 3", "5"), "f:4: expected nine fields, found 7: \"5 2 2 0 0 1 0\"");
    assert_eq!(scen("\t1\n", "\tfar\n"), "f:2: expected a length or -1, found \"far\"");
    assert_eq!(scen("\t1\n", "\tnan\n"), "f:2: expected a length or -1, found \"nan\"");

    let patches = Patch::parse_all("p", PATCHES.as_bytes()).unwrap();
    let trace = |from: &str, to: &str| {
        Trace::parse("f", TRACE.replacen(from, to, 1).as_bytes(), &patches).unwrap_err().to_string()
    };
    assert_eq!(trace("1 octile", "2 octile"), "f:4: expected \"1 octile\" after cost, found \"2 octile\"");
    assert_eq!(trace("P 1 0", "P 1 2"), "f:7: patch 2 of 2 patches");
    assert_eq!(trace("P 1 0 2 2", "P 1 0 3 2"), "f:7: patch 0 of 2 x 1 cells at (3, 2) leaves the map");
    assert_eq!(trace("Q 1", "R 1"), "f:8: expected a command, found \"R 1 0 0 3 2 4.2426\"");
    let patch =
        |from: &str, to: &str| Patch::parse_all("f", PATCHES.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
    assert_eq!(patch("patch 1", "patch 7"), "f:8: expected patch 1, found 7");
    assert_eq!(patch("patches 2", "patches 3"), "f:14: the file ends where \"patch\" should be");
}

#[test]
fn printed_lengths_match_within_their_digits() {
    let published = |text: &str| {
        let scen = format!("version 1\n0 m 9 9 0 0 0 1 {text}\n");
        Scenario::parse("s", scen.as_bytes()).unwrap().queries()[0].shortest.unwrap()
    };
    let length = |straight, diagonal| quadrille_paths::Length { straight, diagonal };
    assert!(published("3.82843").matches(length(1, 2)));
    assert!(!published("3.82841").matches(length(1, 2)));
    assert!(published("4").matches(length(4, 0)));
    assert!(!published("4").matches(length(4, 1)) && !published("4.00001").matches(length(4, 0)));
    assert!(published("135.764").matches(length(0, 96)), "as printed with a short root of two");
    assert!(published("135.76450198781714").matches(length(0, 96)));
    assert!(!published("135.766").matches(length(0, 96)));
}

#[test]
fn a_byte_order_mark_changes_nothing() {
    let marked = |text: &str| format!("\u{feff}{text}");
    assert_eq!(TileMap::parse("f", marked(MAP).as_bytes()), TileMap::parse("f", MAP.as_bytes()));
    let scen = "version 1.0\n0 m 9 9 0 0 0 1 42\n";
    assert_eq!(Scenario::parse("f", marked(scen).as_bytes()), Scenario::parse("f", scen.as_bytes()));
}

/// Whether a path of this many steps is what a row says in a file whose other row has this length.
fn matches_beside(other: &str, text: &str, (straight, diagonal): (u32, u32)) -> bool {
    let scen = format!("version 1\n0 m 9 9 0 0 0 1 {text}\n0 m 9 9 0 0 0 1 {other}\n");
    let published = Scenario::parse("s", scen.as_bytes()).unwrap().queries()[0].shortest.unwrap();
    published.matches(quadrille_paths::Length { straight, diagonal })
}

#[test]
fn a_file_with_two_decimals_is_right_to_half_a_hundredth() {
    // 67 + 42 * sqrt(2) = 126.39697, 41 + 30 * sqrt(2) = 83.42641
    assert!(matches_beside("9.00", "126.40", (67, 42)) && matches_beside("9.00", "83.43", (41, 30)));
    assert!(!matches_beside("9.00", "126.41", (67, 42)) && !matches_beside("9.00", "126.39", (67, 42)));
    assert!(matches_beside("83.4264", "126.397", (67, 42)), "printed by a stream: six digits");
    assert!(!matches_beside("83.4264", "126.4", (67, 42)), "a stream would have said 126.397");
    assert!(matches_beside("1", "42", (42, 0)) && !matches_beside("1", "42", (40, 1)));
}

#[test]
fn no_path_is_printed_as_minus_one_or_nought() {
    for (text, is_without) in [("-1", true), ("-1.0", true), ("0", true), ("3", false)] {
        let scen = format!("version 1\n0 m 9 9 0 0 3 0 {text}\n");
        let query = Scenario::parse("s", scen.as_bytes()).unwrap().queries()[0];
        assert_eq!(query.shortest.is_none(), is_without, "{text}");
        let patches = Patch::parse_all("p", PATCHES.as_bytes()).unwrap();
        let trace = TRACE.replacen("4.2426", text, 1);
        assert!(Trace::parse("t", trace.as_bytes(), &patches).is_ok(), "{text}");
    }
    for text in ["-2", "-0.5", "-inf"] {
        let scen = format!("version 1\n0 m 9 9 0 0 3 0 {text}\n");
        let error = Scenario::parse("s", scen.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, format!("s:2: expected a length or -1, found \"{text}\""));
    }
}

#[test]
fn rows_with_a_blocked_end_are_counted_and_the_rest_is_run() {
    let scen = b"version 1\n0 m 3 1 0 0 2 0 2\n0 m 3 1 1 0 2 0 1\n0 m 3 1 0 0 1 0 1\n0 m 3 1 1 0 1 0 -1\n";
    let scenario = Scenario::parse("s", scen).unwrap();
    let grid = |row: &str| Grid::from_fn(3, 1, |cell| row.as_bytes()[cell.x as usize] == b'.').unwrap();
    for method in [Method::Exact, Method::AStar] {
        let map = PathMap::new(grid(".@."), CostRule::Octile);
        let report = run(&map, scenario.queries(), method);
        assert_eq!((report.queries, report.solved, report.unsolvable), (4, 0, 2));
        assert_eq!(report.blocked.iter().map(|query| query.line).collect::<Vec<_>>(), [3, 4]);
        assert_eq!(report.mismatches.len(), 1, "the first has a path only without the wall");
        assert_eq!(report.times.len(), 2);
    }
}

proptest! {
    #[test]
    fn no_bytes_make_a_parser_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0..200_usize, at in 0..200_usize) {
        let spoilt = |text: &str| {
            let mut spoilt = text.as_bytes()[..cut.min(text.len())].to_vec();
            let at = at.min(spoilt.len());
            spoilt.splice(at..(at + bytes.len() / 20).min(spoilt.len()), bytes.iter().copied().take(bytes.len() / 10));
            spoilt
        };
        let patches = Patch::parse_all("p", PATCHES.as_bytes()).unwrap();
        for text in [MAP, SCEN, PATCHES, TRACE, ""] {
            for bytes in [spoilt(text), bytes.clone()] {
                if let Ok(map) = TileMap::parse("f", &bytes) {
                    prop_assert_eq!(map.ground().unwrap().width(), map.width());
                }
                let _ = Scenario::parse("f", &bytes);
                let _ = Patch::parse_all("f", &bytes);
                let _ = Trace::patch_file("f", &bytes);
                let _ = Trace::parse("f", &bytes, &patches);
            }
        }
    }
}

#[cfg(feature = "serde")]
mod saved {
    use quadrille_paths::{
        AgentClass, Cell, CostRule, Grid, Link, LinkedPath, Path, PathMap, Scratch, TautPath, TerrainMap, TerrainSet,
        Waypoints,
    };
    use serde::{Serialize, de::DeserializeOwned};

    fn copy<T: Serialize + DeserializeOwned>(thing: &T) -> T {
        serde_json::from_str(&serde_json::to_string(thing).unwrap()).unwrap()
    }

    #[test]
    fn maps_and_paths_are_read_as_they_were_written() {
        let grid = Grid::from_fn(7, 4, |cell| (cell.x * 3 + cell.y) % 5 > 0).unwrap();
        let (mut scratch, from, to) = (Scratch::new(), Cell::new(1, 0), Cell::new(6, 3));
        for rule in [CostRule::Octile, CostRule::OctileCutting, CostRule::OctileOneSide, CostRule::Manhattan] {
            let map = PathMap::new(grid.clone(), rule);
            let read = copy(&map);
            assert_eq!(read.rule(), rule);
            assert!(grid.bounds().cells().all(|cell| read.grid().is_free(cell) == grid.is_free(cell)));
            let path = map.path(from, to, &mut scratch);
            assert_eq!(read.path(from, to, &mut scratch), path);
            assert_eq!(copy(&path), path);
            assert_eq!(copy(&map.waypoints(from, to, &mut scratch)), map.waypoints(from, to, &mut scratch));
            assert_eq!(copy(&map.taut_path(from, to, &mut scratch)), map.taut_path(from, to, &mut scratch));
            let links = [Link { from, to, steps: 3 }];
            assert_eq!(copy(&links), links);
            let linked = map.linked_path(from, to, &links, &mut scratch);
            assert_eq!(copy(&linked), linked);
        }
        let classes = [AgentClass { size: 2, walkable: TerrainSet::of(&[1, 63]) }];
        let terrain = TerrainMap::new((3, 2), |cell| cell.x as u8, CostRule::Manhattan, &classes).unwrap();
        let read = copy(&terrain);
        assert!(terrain.bounds().cells().all(|cell| read.terrain(cell) == terrain.terrain(cell)));
        assert_eq!((read.rule(), read.classes().collect::<Vec<_>>()), (CostRule::Manhattan, classes.to_vec()));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        fn told<T: DeserializeOwned>(json: &str) -> String {
            serde_json::from_str::<T>(json).err().unwrap().to_string()
        }
        assert!(told::<Grid>(r#"{"width": 2, "rows": ["..", "."]}"#).contains("row 1 has 1 cells, not 2"));
        assert!(told::<Grid>(r#"{"width": 2, "rows": [".x"]}"#).contains("row 0: 'x' is neither"));
        assert!(told::<Grid>(r#"{"width": 99999, "rows": []}"#).contains("99999"));
        assert!(told::<CostRule>(r#""octagon""#).contains("octagon"));
        assert!(told::<TerrainSet>("[64]").contains("terrain 64"));
        assert!(told::<Path>(r#"{"cells": [[0, 0], [2, 0]], "length": [2, 0]}"#).contains("not neighbors"));
        assert!(
            told::<Path>(r#"{"cells": [[0, 0], [1, 0]], "length": [2, 0]}"#).contains("stated to be 2 long and is 1")
        );
        assert!(
            told::<TerrainMap>(r#"{"width": 2, "height": 2, "rule": "octile", "classes": [], "terrain": [0]}"#)
                .contains("1 cells of terrain on a map of 2 x 2")
        );
        assert!(serde_json::from_str::<Waypoints>(r#"{"cells": [[0, 0]], "length": [0, 0]}"#).is_ok());
    }

    fn refused<T: DeserializeOwned>(json: &str, part: &str) {
        let told = serde_json::from_str::<T>(json).err().unwrap().to_string();
        assert!(told.contains(part), "{told}");
    }

    #[test]
    fn a_few_bytes_do_not_stand_for_gigabytes() {
        refused::<Waypoints>(r#"{"cells": [[0, 0]], "length": [4294967295, 4294967295]}"#, "and are 0");
        refused::<Waypoints>(r#"{"cells": [[0, 0], [4294967295, 7]], "length": [4294967288, 7]}"#, "(4294967295, 7)");
        refused::<Waypoints>(r#"{"cells": [[0, 0], [3, 0]], "length": [2, 0]}"#, "stated to be 2 long and are 3");
        refused::<Waypoints>(r#"{"cells": [], "length": [0, 0]}"#, "without a cell");
        let there_and_back = vec![[[0, 0], [64_999, 64_999]]; 5_000].concat();
        let json = format!(r#"{{"cells": {there_and_back:?}, "length": [0, 649925001]}}"#);
        refused::<Waypoints>(&json, "stated");
        refused::<Path>(r#"{"cells": [], "length": [0, 0]}"#, "without a cell");
        refused::<Path>(r#"{"cells": [[65000, 0]], "length": [0, 0]}"#, "(65000, 0)");
        let kinds: Vec<String> = (0..10_000_u64)
            .map(|set| {
                let kinds: Vec<u64> = (0..14).filter(|kind| set >> kind & 1 == 1).collect();
                format!(r#"{{"size": 1, "walkable": {kinds:?}}}"#)
            })
            .collect();
        let terrain = vec![0; 4_000];
        let with_classes = |classes: &[String]| {
            let classes = classes.join(",");
            format!(
                r#"{{"width": 40, "height": 100, "rule": "octile", "classes": [{classes}], "terrain": {terrain:?}}}"#
            )
        };
        refused::<TerrainMap>(&with_classes(&kinds), "10000 classes of agents, but a map has 256 at most");
        let alike = with_classes(&vec![kinds[3].clone(); 10_000]);
        assert_eq!(serde_json::from_str::<TerrainMap>(&alike).unwrap().classes().count(), 1);
    }

    #[test]
    fn paths_that_no_map_has_are_refused() {
        refused::<TautPath>(r#"{"points": [], "length": -5}"#, "without a point");
        refused::<TautPath>(r#"{"points": [[0.5, 0.5], [3.5, 4.5]], "length": 4.9}"#, "stated to be 4.9 long and is 5");
        refused::<TautPath>(r#"{"points": [[0.5, 0.5], [3.5, 65001]], "length": 4}"#, "(3.5, 65001)");
        refused::<TautPath>(r#"{"points": [[-0.5, 0.5]], "length": 0}"#, "(-0.5, 0.5)");
        let leg = r#"{"cells": [[0, 0], [1, 0]], "length": [1, 0]}"#;
        let linked = |legs: &str, taken: &str, length: &str| {
            format!(r#"{{"legs": [{legs}], "taken": {taken}, "length": {length}}}"#)
        };
        refused::<LinkedPath>(&linked(leg, "[77]", "[1, 0]"), "1 legs with 1 links");
        refused::<LinkedPath>(&linked(leg, "[]", "[2, 0]"), "stated to be 2 long and is 1 without its 0 links");
        refused::<LinkedPath>(&linked(&[leg, leg].join(","), "[0]", "[1, 0]"), "is 2 without its 1 links");
        refused::<LinkedPath>(&linked(&[leg, leg].join(","), "[0]", "[65538, 0]"), "is 2 without its 1 links");
        refused::<LinkedPath>(&linked(&[leg, leg].join(","), "[0]", "[9, 1]"), "is 2 without its 1 links");
        refused::<LinkedPath>(&linked(&[leg, leg, leg].join(","), "[4, 4]", "[9, 0]"), "link 4 is taken twice");
        assert!(serde_json::from_str::<LinkedPath>(&linked(&[leg, leg].join(","), "[0]", "[65537, 0]")).is_ok());
    }
}
