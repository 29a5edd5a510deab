//! `quadrille bench`: figures, files, and every kind of bad input. Which structure wins is a matter of time, and not
//! tested.

use crate::room::Room;
use quadrille::structures::StructureKind;
use quadrille_scenes::{Motion, SceneKind};
use serde_json::Value;

/// Boxes 0 and 1 overlap, 1 and 2 touch at a corner, 3 is alone.
const BOXES: &str = "0,0,2,2\n1,1,3,3\n3,3,4,4\n8,8,9,9\n";

/// Checks what holds for every run, and returns the rows.
fn rows(figures: &Value, operations: &[&str]) -> Vec<Value> {
    let rows = figures["rows"].as_array().unwrap().clone();
    for row in &rows {
        let of_operations: f64 = operations.iter().map(|name| row["ms"][name].as_f64().unwrap()).sum();
        assert!((of_operations - row["ms"]["total"].as_f64().unwrap()).abs() < 1e-9, "{row}");
        assert!(row["ratio"].as_f64().unwrap() >= 1.0 && row["bytes"].as_u64().unwrap() > 0, "{row}");
    }
    for kind in StructureKind::ALL {
        assert!(rows.iter().any(|row| row["index"] == kind.name()), "{kind}");
    }
    for field in ["index", "ms", "ratio", "bytes"] {
        assert_eq!(figures["best"][field], rows[0][field], "{field}");
    }
    assert!(figures["best"]["code"].as_str().unwrap().starts_with("Index::<"));
    rows
}

#[test]
fn every_scene_is_measured() {
    let room = Room::new("bench-scenes");
    for scene in SceneKind::ALL {
        let name = scene.name();
        let figures = room.json(&["bench", "--scene", name, "--agents", "200", "--steps", "2", "--seed", "3"]);
        assert_eq!((&figures["scene"], &figures["seed"]), (&name.into(), &3.into()));
        assert_eq!((&figures["boxes"], &figures["steps"], &figures["file"]), (&200.into(), &2.into(), &Value::Null));
        rows(&figures, &["update", "pairs", "query", "nearest", "cast"]);
    }
}

#[test]
fn only_the_operations_that_matter_are_measured() {
    let figures = Room::new("bench-ops").json(&["bench", "--agents", "50", "--steps", "1", "--ops", "cast,update"]);
    for row in rows(&figures, &["update", "cast"]) {
        assert!(row["ms"]["pairs"].is_null() && row["ms"]["query"].is_null() && row["ms"]["nearest"].is_null());
    }
}

#[test]
fn first_frames_and_boxes_that_jump_are_measured() {
    let room = Room::new("bench-motion");
    for motion in Motion::ALL {
        let asked =
            ["bench", "--motion", motion.name(), "--agents", "200", "--steps", "2", "--ops", "first,update,pairs"];
        let figures = room.json(&asked);
        assert_eq!((&figures["scene"], &figures["motion"]), (&"uniform".into(), &motion.name().into()));
        rows(&figures, &["first", "update", "pairs"]);
    }
    room.bad(&["bench", "--motion", "jump"], &["jump", "jumps"]);
}

#[test]
fn boxes_of_a_file_do_not_move() {
    let room = Room::new("bench-file").with("a.csv", BOXES).with("b.csv", "lon,lat\n1,2\n3,4\n").with("none.csv", "");
    let figures = room.json(&["bench", "--boxes", "a.csv", "--steps", "2"]);
    assert_eq!((&figures["file"], &figures["boxes"]), (&"a.csv".into(), &4.into()));
    assert!(figures["scene"].is_null() && figures["seed"].is_null());
    for row in rows(&figures, &["pairs", "query", "nearest", "cast"]) {
        assert!(row["ms"]["update"].is_null());
    }
    assert!(figures["best"]["code"].as_str().unwrap().contains("<f64>>::"), "files hold 64-bit numbers");
    assert_eq!(room.json(&["bench", "--boxes", "b.csv", "--columns", "lat,lon", "--steps", "1"])["boxes"], 2);
    assert_eq!(room.json(&["bench", "--boxes", "none.csv", "--steps", "1"])["boxes"], 0);
}

#[test]
fn the_table_is_for_people() {
    let room = Room::new("bench-table");
    let table = room.good(&["bench", "--agents", "300", "--steps", "1"]);
    for word in
        ["uniform, seed 1", "300", "ratio", "total", "nearest", "loose-grid", "1.00", "The fastest:", "Index::<"]
    {
        assert!(table.contains(word), "{word:?} is not in:\n{table}");
    }
    let output = room.run(&["bench", "--agents", "10", "--steps", "1", "--json", "a.json"]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "no progress bar without a terminal");
    assert_eq!(room.files(), ["a.json"]);
}

#[test]
fn bad_arguments_are_told_in_one_line() {
    let room = Room::new("bench-bad-arguments").with("a.csv", BOXES).with("bad.csv", "0,0,1,one\n");
    room.bad(&["bench", "--scene", "clusterd"], &["clusterd", "'clustered'"]);
    room.bad(&["bench", "--agents", "0"], &["'0'", "--agents"]);
    room.bad(&["bench", "--agents", "1000001"], &["1000001", "1000000"]);
    room.bad(&["bench", "--agents", "-5"], &["'-5'", "--agents"]);
    room.bad(&["bench", "--steps", "0"], &["'0'", "--steps"]);
    room.bad(&["bench", "--ops", "pairs,closest"], &["closest", "nearest"]);
    room.bad(&["bench", "--ops", ""], &["--ops"]);
    room.bad(&["bench", "--boxes", "a.csv", "--ops", "update"], &["--ops update", "do not move"]);
    room.bad(&["bench", "--boxes", "a.csv", "--scene", "mixed"], &["--boxes", "--scene"]);
    room.bad(&["bench", "--boxes", "a.csv", "--agents", "5"], &["--boxes", "--agents"]);
    room.bad(&["bench", "--columns", "x,y"], &["--boxes"]);
    room.bad(&["bench", "a.csv"], &["use --boxes a.csv"]);
    room.bad(&["bench", "--agents", "5", "--columns", "x,y"], &["--agents", "--columns"]);
    room.bad(&["bench", "--scene", "mixed", "--header", "no"], &["--scene", "--header"]);
    room.bad(&["bench", "--boxes", "a.csv", "--columns", "x"], &["a.csv", "line 1", "\"x\""]);
    room.bad(&["bench", "--boxes", "missing.csv"], &["missing.csv", "No such file"]);
    room.bad(&["bench", "--boxes", "bad.csv", "--json", "a.json"], &["bad.csv", "line 1", "\"one\""]);
    // Reported before long work, not after it.
    room.bad(&["bench", "--agents", "1000000", "--json", "no/such/place"], &["no/such/place", "cannot be written"]);
}
