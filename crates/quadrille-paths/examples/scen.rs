//! Runs the benchmark files of a folder with both methods and prints a table.
//!
//! ```text
//! cargo run --release -p quadrille-paths --example scen -- FOLDER [EVERY]
//! ```
//!
//! Each `NAME.map` with its `NAME.map.scen` is one row, each trace (a `.scen` of version 2) another. The exact method answers
//! all queries; plain A* answers one in EVERY (20), and the exact method is measured against it on the same ones. The last rows
//! are made here: noise and a maze, in which no leaf, corner or jump saves anything much; lengths are those of plain A*.

#![expect(clippy::print_stdout, reason = "a table for people")]

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use quadrille_paths::benchmark::{Method, Report, replay, run};
use quadrille_paths::movingai::{Patch, Scenario, TileMap, Trace};
use quadrille_paths::{AStar, Cell, CellRect, CostRule, Grid, GridError, PathMap, Scratch};

/// The heads of the columns: times in microseconds unless said; then what one changed cell costs at once and with
/// maintenance, and how long it takes to learn that there is no path.
const HEADER: &str = "map               rows  bad  mean us      p50      p99      max   A* mean  ratio   expand   A* exp \
                      build ms     MB   edit +maint  no path";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("the folder with the .map and .scen files?")?;
    let every: usize = arguments.next().map_or(Ok(20), |every| every.parse())?;
    println!("{HEADER}");
    let mut files: Vec<_> =
        fs::read_dir(&folder)?.collect::<Result<Vec<_>, _>>()?.iter().map(fs::DirEntry::path).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "scen")) {
        let map = file.with_extension("");
        if map.is_file() { scenario(&map, file, every)? } else { trace(file)? }
    }
    made("noise 20%", &noise(20)?)?;
    made("noise 40%", &noise(40)?)?;
    made("maze, width 1", &maze()?)?;
    Ok(())
}

/// One row of the table for a map and its scenario.
fn scenario(map: &Path, scen: &Path, every: usize) -> Result<(), Box<dyn Error>> {
    let tiles = TileMap::parse(&map.display().to_string(), &fs::read(map)?)?;
    let scenario = Scenario::parse(&scen.display().to_string(), &fs::read(scen)?)?;
    let grid = tiles.ground()?;
    scenario.check(&grid)?;
    let start = Instant::now();
    let map_of_paths = PathMap::new(grid, CostRule::Octile);
    let build = start.elapsed();
    let exact = run(&map_of_paths, scenario.queries(), Method::Exact);
    let sample = || scenario.queries().iter().step_by(every.max(1));
    let plain = run(&map_of_paths, sample(), Method::AStar);
    let beside = run(&map_of_paths, sample(), Method::Exact);
    let name = map.file_stem().unwrap_or_default().to_string_lossy();
    print_row(&name, &exact, &plain, &beside);
    print_map(map_of_paths, build);
    print_mismatches(&exact);
    Ok(())
}

/// One row of the table for a trace; A* answers all queries here, for each needs its map.
fn trace(file: &Path) -> Result<(), Box<dyn Error>> {
    let (name, bytes) = (file.display().to_string(), fs::read(file)?);
    let patch_file = file.with_extension("patch");
    let patches = Patch::parse_all(&patch_file.display().to_string(), &fs::read(&patch_file)?)?;
    let trace = Trace::parse(&name, &bytes, &patches)?;
    let run = |method| -> Result<Report, GridError> {
        Ok(replay(&mut trace.open_map()?, trace.commands(), &patches, method))
    };
    let (exact, plain) = (run(Method::Exact)?, run(Method::AStar)?);
    print_row("dynamic trace", &exact, &plain, &exact);
    let total = exact.times.iter().sum::<Duration>() + exact.patch_time;
    println!(
        "  total {:.1} ms, of it {} patches {:.1} ms",
        total.as_secs_f64() * 1e3,
        exact.patches,
        exact.patch_time.as_secs_f64() * 1e3
    );
    print_mismatches(&exact);
    Ok(())
}

/// One row of the table for a map made here.
fn made(name: &str, grid: &Grid) -> Result<(), Box<dyn Error>> {
    let mut random = Random(7);
    let start = Instant::now();
    let map = PathMap::new(grid.clone(), CostRule::Octile);
    let build = start.elapsed();
    let (mut astar, mut rows) = (AStar::new(), String::from("version 1\n"));
    for _ in 0..200 {
        let (from, to) = (random.cell(SIDE, SIDE), random.cell(SIDE, SIDE));
        let path = if map.is_reachable(from, to) { astar.path(grid, CostRule::Octile, from, to) } else { None };
        let length = path.map_or(0.0, |path| path.length().as_f64());
        writeln!(rows, "0 {name} {SIDE} {SIDE} {} {} {} {} {length}", from.x, from.y, to.x, to.y)?;
    }
    let scenario = Scenario::parse(name, rows.as_bytes())?;
    let solvable = || scenario.queries().iter().filter(|query| query.shortest.is_some());
    let (exact, plain) = (run(&map, solvable(), Method::Exact), run(&map, solvable(), Method::AStar));
    print_row(name, &exact, &plain, &exact);
    print_map(map, build);
    print_mismatches(&exact);
    Ok(())
}

/// The side of the maps made here.
const SIDE: u32 = 512;

/// A map with so many of a hundred cells blocked.
fn noise(percent: u32) -> Result<Grid, GridError> {
    let mut random = Random(u64::from(percent));
    Grid::from_fn(SIDE, SIDE, |_| random.below(100) >= percent)
}

/// A maze without loops, its corridors one cell wide: a random walk that steps back where it is stuck.
fn maze() -> Result<Grid, GridError> {
    let mut random = Random(1);
    let mut grid = Grid::blocked(SIDE, SIDE)?;
    let mut trail = vec![Cell::new(0, 0)];
    grid.set(trail[0], true);
    while let Some(&here) = trail.last() {
        let rooms = [(2, 0), (-2, 0), (0, 2), (0, -2)].into_iter().filter_map(|(dx, dy)| {
            let room = Cell::new(here.x.checked_add_signed(dx)?, here.y.checked_add_signed(dy)?);
            (grid.contains(room) && !grid.is_free(room)).then_some(room)
        });
        let rooms: Vec<Cell> = rooms.collect();
        let Some(&room) = rooms.get(random.below(rooms.len().max(1) as u32) as usize) else {
            trail.pop();
            continue;
        };
        grid.set(Cell::new(u32::midpoint(here.x, room.x), u32::midpoint(here.y, room.y)), true);
        grid.set(room, true);
        trail.push(room);
    }
    Ok(grid)
}

/// A small generator of numbers that look random: SplitMix64 (G. Steele, D. Lea and C. Flood, 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % u64::from(bound)) as u32
    }

    fn cell(&mut self, width: u32, height: u32) -> Cell {
        Cell::new(self.below(width), self.below(height))
    }
}

fn print_row(name: &str, exact: &Report, plain: &Report, beside: &Report) {
    let (us, astar) = (exact.summary(), plain.summary());
    print!(
        "{name:16} {:>5} {:>4} {:>8.1} {:>8.1} {:>8.1} {:>8.1}",
        exact.queries,
        exact.mismatches.len() + plain.mismatches.len(),
        us.mean,
        us.p50,
        us.p99,
        us.max
    );
    print!("  {:>8.1} {:>6.1}", astar.mean, astar.mean / beside.summary().mean);
    print!("  {:>7} {:>8}", exact.expanded / exact.queries.max(1) as u64, plain.expanded / plain.queries.max(1) as u64);
}

/// The rest of a row: what the map costs to build, to keep and to change.
fn print_map(mut map: PathMap, build: Duration) {
    const EDITS: u32 = 500;
    let (mut random, mut scratch) = (Random(3), Scratch::new());
    let (mut edit, mut maintain, mut refuse) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    print!(" {:>8.1} {:>6.1}", build.as_secs_f64() * 1e3, map.bytes() as f64 / 1e6);
    for _ in 0..EDITS {
        let cell = random.cell(map.grid().width(), map.grid().height());
        // Change it and change it back.
        for free in [!map.grid().is_free(cell), map.grid().is_free(cell)] {
            let start = Instant::now();
            map.set(cell, free);
            edit += start.elapsed();
            map.maintain();
            maintain += start.elapsed();
        }
    }
    let island = Cell::new(map.grid().width() / 2, map.grid().height() / 2);
    map.fill(CellRect::new(island.x - 1, island.y - 1, 3, 3), false);
    map.set(island, true);
    for _ in 0..EDITS {
        let from = random.cell(map.grid().width(), map.grid().height());
        let start = Instant::now();
        let path = map.path(from, island, &mut scratch);
        refuse += start.elapsed();
        assert!(path.is_none() || from == island);
    }
    let mean = |time: Duration, count: u32| time.as_secs_f64() * 1e6 / f64::from(count);
    println!(" {:>6.1} {:>6.1} {:>8.2}", mean(edit, 2 * EDITS), mean(maintain, 2 * EDITS), mean(refuse, EDITS));
}

fn print_mismatches(report: &Report) {
    for mismatch in report.mismatches.iter().take(3) {
        println!("    {mismatch:?}");
    }
}
