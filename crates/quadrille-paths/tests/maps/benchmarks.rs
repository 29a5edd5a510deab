//! Every published length, and the competition's trace.

use std::fs;

use crate::common::data;
use quadrille_paths::benchmark::{Method, replay, run};
use quadrille_paths::movingai::{Patch, Scenario, TileMap, Trace};
use quadrille_paths::{CostRule, PathMap};

/// Map, queries, and how many of them have no path.
const FILES: [(&str, usize, usize); 11] = [
    ("64room_000", 2030, 0),
    ("Berlin_1_256", 910, 0),
    ("London_2_1024", 3840, 0),
    ("Paris_1_512", 1900, 0),
    ("TheFrozenSea", 3700, 0),
    ("arena", 160, 0),
    ("arena2", 929, 0),
    ("den312d", 320, 0),
    ("maze512-32-0", 5760, 0),
    ("random512-10-0", 1670, 0),
    ("rmtst01", 470, 2),
];

#[test]
fn every_published_length_is_found_and_walked() {
    let Some(folder) = data() else { return };
    for (name, queries, unsolvable) in FILES {
        let read = |extension: &str| fs::read(folder.join(format!("{name}.{extension}"))).unwrap();
        let grid = TileMap::parse(name, &read("map")).unwrap().ground().unwrap();
        let scenario = Scenario::parse(name, &read("map.scen")).unwrap();
        scenario.check(&grid).unwrap();
        let map = PathMap::new(grid, CostRule::Octile);
        let exact = run(&map, scenario.queries(), Method::Exact);
        assert_eq!(exact.mismatches, [], "{name}");
        assert_eq!(
            (exact.queries, exact.solved, exact.unsolvable),
            (queries, queries - unsolvable, unsolvable),
            "{name}"
        );
        let plain = run(&map, scenario.queries().iter().step_by(199), Method::AStar);
        assert_eq!(plain.mismatches, [], "{name}");
        assert!(plain.queries > 0);
    }
}

#[test]
fn the_dynamic_trace_matches_every_cost() {
    let Some(folder) = data() else { return };
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    let trace = read("gppc_dynamic_dao_arena2.scen");
    assert_eq!(Trace::patch_file("trace", &trace).unwrap(), "dao_arena2.patch");
    let patches = Patch::parse_all("patch", &read("gppc_dynamic_dao_arena2.patch")).unwrap();
    let trace = Trace::parse("trace", &trace, &patches).unwrap();
    for method in [Method::Exact, Method::AStar] {
        let report = replay(&mut trace.open_map().unwrap(), trace.commands(), &patches, method);
        assert_eq!(report.mismatches, []);
        assert_eq!((report.queries, report.patches), (2000, 439));
    }
}

#[test]
fn every_map_file_is_ground_or_wall_as_counted() {
    let Some(folder) = data() else { return };
    for (name, free) in [("arena", 2_054), ("arena2", 24_311), ("TheFrozenSea", 754_304), ("Paris_1_512", 196_672)] {
        let grid =
            TileMap::parse(name, &fs::read(folder.join(format!("{name}.map"))).unwrap()).unwrap().ground().unwrap();
        assert_eq!(grid.count_free(), free, "{name}");
    }
}
