//! `quadrille path` on published maps. Skipped aloud where the data is absent.

use crate::room::{Room, shared};

fn data(file: &str) -> Option<String> {
    shared(&format!("paths/{file}")).map(|path| path.to_str().unwrap().to_owned())
}

#[test]
fn every_row_of_published_maps_is_found_again() {
    let room = Room::new("real-maps");
    for (name, rows, unsolvable) in [("arena", 160, 0), ("den312d", 320, 0), ("rmtst01", 470, 2)] {
        let Some(map) = data(&format!("{name}.map")) else { continue };
        for method in ["exact", "astar"] {
            let scen = format!("{map}.scen");
            let figures = room.json(&["path", &map, "--scen", &scen, "--method", method]);
            let counts = ["rows", "solved", "unsolvable", "mismatched"].map(|field| figures[field].as_u64().unwrap());
            assert_eq!(counts, [rows, rows - unsolvable, unsolvable, 0], "{name} {method}");
        }
    }
}

#[test]
fn the_dynamic_trace_matches_every_length() {
    let Some(trace) = data("gppc_dynamic_dao_arena2.scen") else { return };
    let room = Room::new("real-trace");
    let figures = room.json(&["path", "--trace", &trace]);
    assert_eq!((&figures["rows"], &figures["mismatched"]), (&2000.into(), &0.into()));
    assert_eq!(figures["patches"]["count"], 439);
    let figures = room.json(&["path", "--trace", &trace, "--method", "astar", "--limit", "300"]);
    assert_eq!((&figures["rows"], &figures["mismatched"]), (&300.into(), &0.into()));
}

#[test]
fn a_published_row_is_found_alone_and_drawn() {
    let Some(map) = data("arena.map") else { return };
    let room = Room::new("real-row");
    let figures = room.json(&["path", &map, "--from", "1,7", "--to", "47,46", "--png", "arena.png"]);
    assert!((figures["length"].as_f64().unwrap() - 62.1543).abs() < 1e-4);
    assert_eq!(room.files(), ["arena.png"]);
}
