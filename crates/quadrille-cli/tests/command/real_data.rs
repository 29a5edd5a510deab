//! `quadrille pairs` on boxes of real things. Skipped aloud where the data is absent.

use std::path::PathBuf;

use crate::room::{Room, shared};

/// Files, how many boxes they hold, and how many pairs there are.
const KNOWN: [(&[&str], &[usize], usize); 4] = [
    (&["boulder_buildings_bbox.csv"], &[13_491], 2_598),
    (&["tiger_primaryroads_boxes.csv"], &[13_361], 67_510),
    (&["tiger_zcta510_boxes.csv"], &[33_155], 116_356),
    (&["tiger_primaryroads_boxes.csv", "tiger_zcta510_boxes.csv"], &[13_361, 33_155], 87_184),
];

fn data(file: &str) -> Option<PathBuf> {
    shared(&format!("boxes/{file}"))
}

#[test]
fn the_known_pairs_are_found() {
    let room = Room::new("real-data");
    for (files, boxes, pairs) in KNOWN {
        let Some(paths) = files.iter().map(|file| data(file)).collect::<Option<Vec<_>>>() else { continue };
        let files: Vec<_> = paths.iter().map(|path| path.to_str().unwrap()).collect();
        let figures = room.json(&[&["pairs"], &files[..]].concat());
        assert_eq!(figures["pairs"], pairs, "{files:?}");
        assert_eq!(figures["boxes"], boxes[0], "{files:?}");
        assert_eq!(figures["boxes2"].as_u64(), boxes.get(1).map(|&boxes| boxes as u64), "{files:?}");
    }
}

#[test]
fn columns_and_features_of_real_files_are_read() {
    let room = Room::new("real-data-formats");
    if let Some(airports) = data("us_airports.csv") {
        let figures = room.json(&["pairs", airports.to_str().unwrap(), "--columns", "longitude,latitude"]);
        assert_eq!(figures["boxes"], 3_376);
    }
    if let Some(quakes) = data("usgs_earthquakes_week.geojson") {
        assert_eq!(room.json(&["pairs", quakes.to_str().unwrap()])["boxes"], 1_707);
    }
}

#[test]
fn columns_of_two_files_are_their_own() {
    let room = Room::new("real-data-two");
    let (Some(airports), Some(zones)) = (data("us_airports.csv"), data("tiger_zcta510_boxes.csv")) else { return };
    let (airports, zones) = (airports.to_str().unwrap(), zones.to_str().unwrap());
    let one = room.json(&["pairs", airports, zones, "--inside"]);
    let other = room
        .json(&["pairs", zones, airports, "--contains", "--columns", "1,2,3,4", "--columns2", "longitude,latitude"]);
    assert_eq!((&one["taken"], &one["pairs"]), (&"points from longitude, latitude".into(), &other["pairs"]));
    assert!(one["pairs"].as_u64().unwrap() > 3_000, "{one}");
}
