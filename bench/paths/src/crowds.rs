//! What crowds need: flow fields, weighted terrain, taut paths, large maps, frames.

use std::error::Error;
use std::path::Path;

use quadrille_advise::Clock;
use quadrille_paths::{
    AStar, AgentClass, Cell, CellRect, CostRule, FlowField, Grid, PathMap, Scratch, TerrainMap, TerrainSet,
    WeightedPaths, smooth,
};

use crate::crowd::{self, Doors};
use crate::maps::{self, Draw, Map};
use crate::times::Times;

/// Rows of each published file that are run.
const ROWS: usize = 60;
/// How often the same is done; the least of the times counts.
const ROUNDS: usize = 3;
/// Cells that are changed, and fields repaired after each.
const EDITS: u32 = 60;
/// How often weighted queries are run before they are timed, so that searches have made all landmarks.
const UNTIL_LANDMARKS: usize = 20;
/// Landmarks on the large map.
const LANDMARKS: usize = 32;
/// Side of the patches that turn one map into another, and how many queries there are in between.
const PATCH: u32 = 12;
const QUERIES: usize = 2200;
/// How long agents walk.
const SECONDS: u32 = 20;

/// Microseconds that each query takes, the least of some rounds.
fn timed<Q>(queries: &[Q], mut ask: impl FnMut(&Q)) -> Times {
    let mut times = Times::unknown(queries.len());
    for _ in 0..ROUNDS {
        for (at, query) in queries.iter().enumerate() {
            let clock = Clock::start();
            ask(query);
            times.least(at, clock.ms() * 1e3);
        }
    }
    times
}

/// Microseconds that something takes after, or for, each of some changes, which are not timed themselves.
fn timed_after<S>(state: &mut S, mut change: impl FnMut(&mut S, &mut Draw), mut act: impl FnMut(&mut S)) -> Times {
    let mut random = Draw::new(5);
    let times = (0..EDITS).map(|_| {
        change(state, &mut random);
        let clock = Clock::start();
        act(state);
        clock.ms() * 1e3
    });
    Times(times.collect())
}

/// Frees or blocks a cell.
fn toggle(paths: &mut PathMap, cell: Cell) {
    paths.set(cell, !paths.grid().is_free(cell));
}

pub fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    let published = maps::published(folder, ROWS)?;
    for map in published.iter().filter(|map| map.grid.width() >= 200) {
        println!("\n{}", map.name);
        fields(map);
        weighted(map)?;
        taut(map);
        if map.name.starts_with("Berlin") {
            large(map)?;
        }
    }
    let find = |name: &str| published.iter().find(|map| map.name.starts_with(name)).map(|map| &map.grid);
    if let (Some(from), Some(to)) = (find("London"), find("TheFrozenSea")) {
        changing(from, to);
    }
    for map in &maps::made(ROWS)? {
        println!("\n{}", map.name);
        fields(map);
    }
    for doors in [Doors::Spread, Doors::AtOnce] {
        let clock = Clock::start();
        let frames = Times(crowd::walk(SECONDS, doors, &mut || clock.ms())?.times);
        let slow = frames.0.iter().filter(|ms| **ms > 4.0).count();
        println!(
            "\n1000 agents, 64 doors a second, {doors:?}: a frame takes {:.2} ms, p99 {:.2}, at most {:.2}; {slow} of {} above 4",
            frames.mean(),
            frames.at(99),
            frames.at(100),
            frames.0.len()
        );
    }
    Ok(())
}

/// A flow field over all of a map, beside the plainest search, and repaired after changes of one cell.
fn fields(map: &Map) {
    let paths = PathMap::new(map.grid.clone(), CostRule::Octile);
    let goals: Vec<Cell> = map.queries.iter().step_by(9).map(|(_, to)| *to).collect();
    let bounds = map.grid.bounds();
    let ours = timed(&goals, |goal| drop(FlowField::new(&paths, *goal, bounds)));
    let plain = timed(&goals, |goal| drop(plain_field(&map.grid, *goal)));
    let field = FlowField::new(&paths, goals[0], bounds);
    let repairs = timed_after(
        &mut (paths, field),
        |(paths, _), random| toggle(paths, random.cell(&map.grid)),
        |(paths, field)| {
            field.repair(paths);
        },
    );
    println!(
        "  field: {:.2} ms, plain {:.2}, ratio {:.2}; repaired in {:.1} us, at most {:.1}",
        ours.mean() / 1e3,
        plain.mean() / 1e3,
        ours.mean() / plain.mean(),
        repairs.mean(),
        repairs.at(100)
    );
}

/// E. Dijkstra's search with buckets, 181 for each straight step of 128 and lengths of 32 bits, which are not exact;
/// bytes for walls.
fn plain_field(grid: &Grid, goal: Cell) -> Vec<u32> {
    let width = grid.width() as usize + 2;
    let mut free = vec![false; width * (grid.height() as usize + 2)];
    for cell in grid.bounds().cells() {
        free[(cell.y as usize + 1) * width + cell.x as usize + 1] = grid.is_free(cell);
    }
    let mut lengths = vec![u32::MAX; free.len()];
    let start = (goal.y as usize + 1) * width + goal.x as usize + 1;
    lengths[start] = 0;
    let mut buckets: [Vec<u32>; 4] = [vec![start as u32], vec![], vec![], vec![]];
    let mut empty = 0;
    let mut bucket = 0;
    while empty < buckets.len() {
        let Some(item) = buckets[bucket % 4].pop() else {
            (bucket, empty) = (bucket + 1, empty + 1);
            continue;
        };
        empty = 0;
        let (item, here) = (item as usize, lengths[item as usize]);
        if here as usize / 128 != bucket {
            continue;
        }
        let [north, east, south, west] = [item - width, item + 1, item + width, item - 1];
        let mut relax = |next: usize, is_legal: bool, step: u32| {
            if is_legal && free[next] && here + step < lengths[next] {
                lengths[next] = here + step;
                buckets[(here + step) as usize / 128 % 4].push(next as u32);
            }
        };
        [north, east, south, west].into_iter().for_each(|next| relax(next, true, 128));
        relax(north - 1, free[north] && free[west], 181);
        relax(north + 1, free[north] && free[east], 181);
        relax(south - 1, free[south] && free[west], 181);
        relax(south + 1, free[south] && free[east], 181);
    }
    lengths
}

/// Three kinds of ground in patches.
fn kind(cell: Cell) -> u8 {
    let patch = Draw::new(u64::from(cell.x / 24) << 32 | u64::from(cell.y / 24)).below(6);
    [0, 0, 0, 1, 1, 2][patch as usize]
}

/// Cheapest paths over three kinds of ground that cost 1, 2 and 4, beside plain A*.
fn weighted(map: &Map) -> Result<(), Box<dyn Error>> {
    let walker = AgentClass { size: 1, walkable: TerrainSet::of(&[0, 1, 2]) };
    let terrain = |cell: Cell| if map.grid.is_free(cell) { kind(cell) } else { u8::MAX };
    let terrain = TerrainMap::new((map.grid.width(), map.grid.height()), terrain, CostRule::Octile, &[walker])?;
    let mut weights = [1; TerrainSet::KINDS as usize];
    (weights[1], weights[2]) = (2, 4);
    let clock = Clock::start();
    let mut paths = WeightedPaths::new(&terrain, walker, &weights)?;
    let build = clock.ms();
    let mut fresh = paths.clone();
    let queries = &map.queries[map.queries.len() / 2..];
    let mut astar = AStar::new();
    for (from, to) in queries {
        let cost = |(_, cost): (quadrille_paths::Path, quadrille_paths::Length)| cost;
        let plain = terrain.cheapest_path(walker, &weights, (*from, *to), &mut astar)?.map(cost);
        assert_eq!(paths.path(&terrain, *from, *to).map(cost), plain);
    }
    let clock = Clock::start();
    queries.iter().for_each(|(from, to)| drop(fresh.path(&terrain, *from, *to)));
    let first = clock.ms() * 1e3 / queries.len() as f64;
    for _ in 0..UNTIL_LANDMARKS {
        queries.iter().for_each(|(from, to)| drop(paths.path(&terrain, *from, *to)));
    }
    let ours = timed(queries, |(from, to)| drop(paths.path(&terrain, *from, *to)));
    let plain = timed(queries, |ends| drop(terrain.cheapest_path(walker, &weights, *ends, &mut astar)));
    let megabytes = paths.bytes() >> 20;
    let repairs = timed_after(
        &mut (terrain, paths),
        |(terrain, _), random| {
            terrain.set(random.cell(&map.grid), kind(random.cell(&map.grid)));
        },
        |(terrain, paths)| {
            paths.repair(terrain);
        },
    );
    println!(
        "  weighted: {:.0} us, at first {first:.0}, plain A* {:.0}, ratio {:.1}; made in {build:.0} ms, {megabytes} MB; repaired in {:.0} us, at most {:.0}",
        ours.mean(),
        plain.mean(),
        plain.mean() / ours.mean(),
        repairs.mean(),
        repairs.at(100)
    );
    Ok(())
}

/// The length of straight lines from the center of each cell to that of the next.
fn straight_length(cells: &[Cell]) -> f64 {
    let line = |pair: &[Cell]| f64::from(pair[0].x.abs_diff(pair[1].x)).hypot(f64::from(pair[0].y.abs_diff(pair[1].y)));
    cells.windows(2).map(line).sum()
}

/// Taut paths, and how much longer smoothed ones are.
fn taut(map: &Map) {
    let (paths, mut scratch) = (PathMap::new(map.grid.clone(), CostRule::Octile), Scratch::new());
    let ours = timed(&map.queries, |(from, to)| drop(paths.taut_path(*from, *to, &mut scratch)));
    let excess = map.queries.iter().filter(|(from, to)| from != to).filter_map(|(from, to)| {
        let smoothed = smooth(&paths.path(*from, *to, &mut scratch)?, &map.grid, CostRule::Octile);
        let taut = paths.taut_path(*from, *to, &mut scratch)?;
        Some(100.0 * (straight_length(&smoothed) / taut.length() - 1.0))
    });
    let excess = Times(excess.collect());
    println!(
        "  taut: {:.0} us, p99 {:.0}; smoothed ones are {:.2} % longer, at most {:.1}",
        ours.mean(),
        ours.at(99),
        excess.mean(),
        excess.at(100)
    );
}

/// One map turned into another of its size, patch by patch in random order, and paths in between: as the competition's
/// largest trace.
fn changing(before: &Grid, after: &Grid) {
    let (mut map, mut random) = (PathMap::new(before.clone(), CostRule::Octile), Draw::new(9));
    let side = before.width().div_ceil(PATCH);
    let patch = |cell: Cell| CellRect::new(cell.x * PATCH, cell.y * PATCH, PATCH, PATCH);
    let mut patches: Vec<CellRect> = CellRect::new(0, 0, side, side).cells().map(patch).collect();
    for end in (1..patches.len()).rev() {
        patches.swap(end, random.below(end as u32 + 1) as usize);
    }
    let (mut edits, mut queries, mut scratch) = (0.0, Vec::new(), Scratch::new());
    let mut hopeless = 0;
    for (index, patch) in patches.iter().enumerate() {
        let clock = Clock::start();
        map.edit(*patch, |cell| after.is_free(cell));
        edits += clock.ms();
        let is_asked = index * QUERIES / patches.len() != (index + 1) * QUERIES / patches.len();
        let Some(ends) = is_asked.then(|| ends(&map, &mut random, queries.len() % 11 == 0)) else { continue };
        let clock = Clock::start();
        map.maintain();
        edits += clock.ms();
        let clock = Clock::start();
        let path = map.path(ends.0, ends.1, &mut scratch);
        queries.push(clock.ms());
        hopeless += usize::from(path.is_none());
    }
    let sum: f64 = queries.iter().sum();
    println!(
        "\n{} patches of {PATCH} x {PATCH} cells turn one map into another, {} queries, {hopeless} without a path: {:.0} ms, edits {edits:.0}, paths {sum:.0}",
        patches.len(),
        queries.len(),
        edits + sum
    );
}

/// Two free cells, with a path between them or without, if there are such.
fn ends(map: &PathMap, random: &mut Draw, is_hopeless: bool) -> (Cell, Cell) {
    let mut ends = (Cell::default(), Cell::default());
    for _ in 0..10_000 {
        ends = (random.cell(map.grid()), random.cell(map.grid()));
        let are_free = map.grid().is_free(ends.0) && map.grid().is_free(ends.1);
        if are_free && map.is_reachable(ends.0, ends.1) != is_hopeless {
            break;
        }
    }
    ends
}

/// A map of 4096 x 4096 cells, the same city sixteen times each way.
fn large(map: &Map) -> Result<(), Box<dyn Error>> {
    let (width, height) = (map.grid.width(), map.grid.height());
    let grid = Grid::from_fn(4096, 4096, |cell| map.grid.is_free(Cell::new(cell.x % width, cell.y % height)))?;
    let clock = Clock::start();
    let mut paths = PathMap::new(grid, CostRule::Octile);
    let build = clock.ms();
    let mut random = Draw::new(3);
    let pairs = std::iter::repeat_with(|| (random.cell(paths.grid()), random.cell(paths.grid())));
    let queries: Vec<_> = pairs.filter(|(from, to)| paths.is_reachable(*from, *to)).take(200).collect();
    let mut scratch = Scratch::new();
    let without = timed(&queries, |(from, to)| drop(paths.path(*from, *to, &mut scratch)));
    let ask = |paths: &PathMap, scratch: &mut Scratch| -> Vec<_> {
        queries.iter().map(|(from, to)| paths.path(*from, *to, scratch).map(|path| path.length())).collect()
    };
    let lengths = ask(&paths, &mut scratch);
    let clock = Clock::start();
    paths.add_landmarks(LANDMARKS);
    let landmarks = clock.ms();
    assert_eq!(ask(&paths, &mut scratch), lengths);
    let ours = timed(&queries, |(from, to)| drop(paths.path(*from, *to, &mut scratch)));
    let bytes = paths.bytes() + scratch.bytes();
    let edits = timed_after(
        &mut (paths, Cell::default()),
        |(paths, cell), random| *cell = random.cell(paths.grid()),
        |(paths, cell)| toggle(paths, *cell),
    );
    println!(
        "  4096 x 4096: {:.0} us, p99 {:.0}, without landmarks {:.0}, {:.0}; these made in {landmarks:.0} ms, all else in {build:.0} ms, {:.1} bytes a cell; a changed cell {:.0} us, at most {:.0}",
        ours.mean(),
        ours.at(99),
        without.mean(),
        without.at(99),
        bytes as f64 / 4096.0 / 4096.0,
        edits.mean(),
        edits.at(100)
    );
    Ok(())
}
