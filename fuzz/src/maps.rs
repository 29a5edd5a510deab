//! Maps and paths: parsers on any bytes, and programs of edits and queries.
//!
//! Targets `map_file`, `scen_file`, `patch_file` and `trace_file` for the parsers, `map_edits` and `terrain_edits` for
//! programs. The parsers get farther from a file that is right: `QUADRILLE_TARGET=map_file cargo +nightly fuzz run any
//! fuzz/corpus/map_file fuzz/seeds/map_file`.

#[path = "../../crates/quadrille-paths/tests/maps/common/mod.rs"]
mod common;
#[path = "../../crates/quadrille-paths/tests/maps/common/program.rs"]
mod program;
#[path = "../../crates/quadrille-paths/tests/maps/common/weighted_program.rs"]
mod weighted_program;

use program::{Program, Step};
use quadrille_paths::benchmark::{Method, replay, run};
use quadrille_paths::movingai::{Patch, Scenario, TileMap, Trace};
use quadrille_paths::{Cell, CellRect, CostRule, Grid, PathMap};

/// Cells of the largest map on which paths are searched for: a file of a few bytes can declare a map of millions.
const LARGEST: u32 = 2048;

/// Reads a map; one that is read has the tiles that it states, and makes a sound map of paths.
///
/// # Panics
/// If it does not.
pub fn map_file(bytes: &[u8]) {
    let Ok(tiles) = TileMap::parse("map", bytes) else { return };
    let ground = tiles.ground().expect("a parsed map is not too large");
    let is_ground = |cell| tiles.tile(cell).is_some_and(|tile| b".GS".contains(&tile));
    assert_eq!((ground.width(), ground.height()), (tiles.width(), tiles.height()));
    assert!(ground.bounds().cells().all(|cell| ground.is_free(cell) == is_ground(cell)));
    if is_small(&ground) {
        PathMap::new(ground, CostRule::Octile).validate().expect("a map just made is sound");
    }
}

/// Reads a scenario, and runs its queries on an open map of the size that they state.
///
/// # Panics
/// If the two methods do not find the same lengths.
pub fn scen_file(bytes: &[u8]) {
    let Ok(scenario) = Scenario::parse("scen", bytes) else { return };
    let grid = Grid::open(OPEN_SIDE, OPEN_SIDE).expect("a small map");
    if scenario.check(&grid).is_ok() {
        let map = PathMap::new(grid, CostRule::Octile);
        let [exact, plain] = [Method::Exact, Method::AStar].map(|method| run(&map, scenario.queries(), method));
        assert_eq!(exact.mismatches, plain.mismatches);
    }
}

/// Side of the open map that scenarios are checked with.
const OPEN_SIDE: u32 = 9;

/// Reads a file of patches, and applies each to a map at a corner, where it reaches beyond the edge.
///
/// # Panics
/// If the map is not sound after that.
pub fn patch_file(bytes: &[u8]) {
    let Ok(patches) = Patch::parse_all("patch", bytes) else { return };
    let mut map = PathMap::new(Grid::open(OPEN_SIDE, OPEN_SIDE).expect("a small map"), CostRule::Octile);
    for patch in patches.iter().take(MOST_PATCHES) {
        patch.apply(&mut map, Cell::new(OPEN_SIDE / 2, OPEN_SIDE / 2));
        map.validate().expect("a map is sound after an edit");
    }
}

/// Patches of a file that are laid, and steps of a program that are run: more would find nothing else, only later.
const MOST_PATCHES: usize = 64;
const MOST_STEPS: usize = 64;

/// Reads a trace for patches of one, two by three and five by one cells, and replays it if its map is small.
///
/// # Panics
/// If the two methods do not find the same lengths.
pub fn trace_file(bytes: &[u8]) {
    const PATCHES: &[u8] =
        b"type patch\npatches 3\npatch 0\nheight 1\nwidth 1\nmap\n@\npatch 1\nheight 3\nwidth 2\nmap\n\
        @.\n@@\n.@\npatch 2\nheight 1\nwidth 5\nmap\n.....\n";
    let patches = Patch::parse_all("patch", PATCHES).expect("patches as the format says");
    let _ = Trace::patch_file("trace", bytes);
    let Ok(trace) = Trace::parse("trace", bytes, &patches) else { return };
    if u64::from(trace.width()) * u64::from(trace.height()) > u64::from(LARGEST) {
        return;
    }
    let [exact, plain] = [Method::Exact, Method::AStar].map(|method| {
        let mut map = trace.open_map().expect("a small map");
        replay(&mut map, trace.commands(), &patches, method)
    });
    assert_eq!(exact.mismatches, plain.mismatches);
}

/// Runs the program in a fuzzer's input: width, height, seed, share of walls and rule, then steps of [`STEP_BYTES`]
/// bytes; what is left over is ignored.
///
/// # Panics
/// If an answer is not that of plain A*, a repaired field or a watch says something else, or `validate` finds a fault.
pub fn map_edits(bytes: &[u8]) {
    let [width, height, seed, walls, rule, steps @ ..] = bytes else { return };
    let (width, height) = (u32::from(*width) % 70 + 1, u32::from(*height) % 24 + 1);
    let steps = steps.as_chunks::<STEP_BYTES>().0.iter().take(MOST_STEPS);
    let steps = steps.map(|bytes| step(bytes, width, height)).collect();
    let program = Program { width, height, seed: u64::from(*seed), walls: u64::from(*walls) % 6, steps };
    program.check(common::RULES[usize::from(*rule) % common::RULES.len()]);
}

/// Runs the program in a fuzzer's input on weighted terrain: width, height, seed, sides of patches and agent, three
/// weights, rule and when the map gets a class, then steps of [`STEP_BYTES`] bytes; what is left over is ignored.
///
/// # Panics
/// If an answer is not the least cost, a repaired field or a watch says something else, or a path is not legal.
pub fn terrain_edits(bytes: &[u8]) {
    let [width, height, seed, sides, a, b, c, rule, steps @ ..] = bytes else { return };
    let (width, height) = (u32::from(*width) % 40 + 1, u32::from(*height) % 24 + 1);
    let steps = steps.as_chunks::<STEP_BYTES>().0.iter().take(2 * MOST_STEPS);
    let program = weighted_program::Program {
        width,
        height,
        seed: u64::from(*seed),
        patch: u32::from(*sides) % 8 + 1,
        size: u32::from(*sides) / 8 % 3 + 1,
        weights: [a, b, c].map(|weight| u32::from(*weight) % 12),
        class_at: usize::from(*rule) / common::RULES.len(),
        steps: steps.map(|bytes| weighted_step(bytes, width, height)).collect(),
    };
    program.check(common::RULES[usize::from(*rule) % common::RULES.len()]);
}

fn weighted_step(bytes: &[u8; STEP_BYTES], width: u32, height: u32) -> weighted_program::Step {
    let [what, x, y, u, v] = bytes.map(u32::from);
    let cell = Cell::new(x % width, y % height);
    let kind = bytes[0] / 8 % weighted_program::KINDS;
    match what % 8 {
        0 => weighted_program::Step::Fill(CellRect::new(cell.x, cell.y, 1, 1), kind),
        1 => weighted_program::Step::Fill(CellRect::new(cell.x, cell.y, u % 9 + 1, v % 9 + 1), kind),
        2 => weighted_program::Step::Lead(cell),
        _ => weighted_program::Step::Ask(cell, Cell::new(u % width, v % height)),
    }
}

/// Bytes of a step: what to do, two numbers for a cell, two for another or for the sides of a rectangle.
const STEP_BYTES: usize = 5;

fn step(bytes: &[u8; STEP_BYTES], width: u32, height: u32) -> Step {
    let [what, x, y, u, v] = bytes.map(u32::from);
    let cell = Cell::new(x % width, y % height);
    // Not cut off at the map's edge: that is for the map to do.
    let rect = CellRect::new(cell.x, cell.y, u % 9 + 1, v % 9 + 1);
    let free = what & 0x80 != 0;
    match what % 8 {
        0 | 1 => Step::Set(cell, free),
        2 => Step::Fill(rect, free),
        3 => Step::Sprinkle(rect, u64::from(what)),
        4 if free => Step::Lead(cell),
        4 => Step::Maintain,
        _ => Step::Ask(cell, Cell::new(u % width, v % height)),
    }
}

fn is_small(grid: &Grid) -> bool {
    u64::from(grid.width()) * u64::from(grid.height()) <= u64::from(LARGEST)
}
