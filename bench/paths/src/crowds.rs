//! What crowds need: flow fields, weighted terrain, taut paths.

use std::error::Error;
use std::path::Path;

use quadrille_advise::Clock;
use quadrille_paths::{
    AStar, AgentClass, Cell, CostRule, FlowField, Grid, PathMap, Scratch, TerrainMap, TerrainSet, WeightedPaths, smooth,
};

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

pub fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    println!(
        "map,field_ms,dijkstra_ms,field_ratio,repaired_us,repaired_max_us,weighted_ms,first_ms,astar_ms,weighted_gain,weighted_repaired_us,\
         weighted_repaired_max_us,taut_us,taut_p99_us,smoothed_longer_percent,smoothed_longer_most_percent"
    );
    for map in maps::published(folder, ROWS)?.iter().filter(|map| map.grid.width() >= 200) {
        println!("{:?},{},{},{}", map.name, fields(map), weighted(map)?, taut(map));
    }
    for map in &maps::made(ROWS)? {
        println!("{:?},{}{}", map.name, fields(map), ",".repeat(10));
    }
    Ok(())
}

/// A flow field over all of a map, beside the plainest search, and repaired after changes of one cell.
fn fields(map: &Map) -> String {
    let paths = PathMap::new(map.grid.clone(), CostRule::Octile);
    let goals: Vec<Cell> = map.queries.iter().step_by(9).map(|(_, to)| *to).collect();
    let bounds = map.grid.bounds();
    let ours = timed(&goals, |goal| drop(FlowField::new(&paths, *goal, bounds)));
    let plain = timed(&goals, |goal| drop(plain_field(&map.grid, *goal)));
    goals.iter().for_each(|goal| check_field(&paths, &FlowField::new(&paths, *goal, bounds), *goal));
    let field = FlowField::new(&paths, goals[0], bounds);
    let mut state = (paths, field);
    let repairs = timed_after(
        &mut state,
        |(paths, _), random| {
            let cell = random.cell(&map.grid);
            paths.set(cell, !paths.grid().is_free(cell));
        },
        |(paths, field)| {
            field.repair(paths);
        },
    );
    check_field(&state.0, &state.1, goals[0]);
    format!(
        "{:.2},{:.2},{:.2},{:.1},{:.1}",
        ours.mean() / 1e3,
        plain.mean() / 1e3,
        ours.mean() / plain.mean(),
        repairs.mean(),
        repairs.at(100)
    )
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

/// Ends the bench unless the lengths of a field are those of the plain search, but for what that rounds.
fn check_field(paths: &PathMap, field: &FlowField, goal: Cell) {
    let plain = plain_field(paths.grid(), goal);
    let width = paths.grid().width() as usize + 2;
    for cell in paths.grid().bounds().cells() {
        let plain = plain[(cell.y as usize + 1) * width + cell.x as usize + 1];
        let is_right = match field.length(cell) {
            None => plain == u32::MAX,
            Some(length) => (length.as_f64() - f64::from(plain) / 128.0).abs() <= 2e-4 * length.as_f64(),
        };
        assert!(is_right, "{cell} is {:?} from {goal}, and {plain} / 128 by the plain search", field.length(cell));
    }
}

/// Three kinds of ground in patches.
fn kind(cell: Cell) -> u8 {
    let patch = Draw::new(u64::from(cell.x / 24) << 32 | u64::from(cell.y / 24)).below(6);
    [0, 0, 0, 1, 1, 2][patch as usize]
}

/// Cheapest paths over three kinds of ground that cost 1, 2 and 4, beside plain A*.
fn weighted(map: &Map) -> Result<String, Box<dyn Error>> {
    let walker = AgentClass { size: 1, walkable: TerrainSet::of(&[0, 1, 2]) };
    let terrain = |cell: Cell| if map.grid.is_free(cell) { kind(cell) } else { u8::MAX };
    let terrain = TerrainMap::new((map.grid.width(), map.grid.height()), terrain, CostRule::Octile, &[walker])?;
    let mut weights = [1; TerrainSet::KINDS as usize];
    (weights[1], weights[2]) = (2, 4);
    let mut paths = WeightedPaths::new(&terrain, walker, &weights)?;
    let mut fresh = paths.clone();
    let queries = &map.queries[map.queries.len() / 2..];
    let mut astar = AStar::new();
    let mut check = |terrain: &TerrainMap, paths: &mut WeightedPaths| {
        for (from, to) in queries {
            let cost = |(_, cost): (quadrille_paths::Path, quadrille_paths::Length)| cost;
            let plain = terrain.cheapest_path(walker, &weights, (*from, *to), &mut astar)?.map(cost);
            assert_eq!(paths.path(terrain, *from, *to).map(cost), plain);
        }
        Ok::<_, Box<dyn Error>>(())
    };
    check(&terrain, &mut paths)?;
    let clock = Clock::start();
    queries.iter().for_each(|(from, to)| drop(fresh.path(&terrain, *from, *to)));
    let first = clock.ms() / queries.len() as f64;
    for _ in 0..UNTIL_LANDMARKS {
        queries.iter().for_each(|(from, to)| drop(paths.path(&terrain, *from, *to)));
    }
    let ours = timed(queries, |(from, to)| drop(paths.path(&terrain, *from, *to)));
    let mut plain = AStar::new();
    let plain = timed(queries, |ends| drop(terrain.cheapest_path(walker, &weights, *ends, &mut plain)));
    let mut state = (terrain, paths);
    let repairs = timed_after(
        &mut state,
        |(terrain, _), random| {
            terrain.set(random.cell(&map.grid), kind(random.cell(&map.grid)));
        },
        |(terrain, paths)| {
            paths.repair(terrain);
        },
    );
    check(&state.0, &mut state.1)?;
    Ok(format!(
        "{:.2},{first:.1},{:.1},{:.1},{:.0},{:.0}",
        ours.mean() / 1e3,
        plain.mean() / 1e3,
        plain.mean() / ours.mean(),
        repairs.mean(),
        repairs.at(100)
    ))
}

/// The length of straight lines from the center of each cell to that of the next.
fn straight_length(cells: &[Cell]) -> f64 {
    let line = |pair: &[Cell]| f64::from(pair[0].x.abs_diff(pair[1].x)).hypot(f64::from(pair[0].y.abs_diff(pair[1].y)));
    cells.windows(2).map(line).sum()
}

/// Taut paths, and how much longer smoothed ones are.
fn taut(map: &Map) -> String {
    let (paths, mut scratch) = (PathMap::new(map.grid.clone(), CostRule::Octile), Scratch::new());
    let ours = timed(&map.queries, |(from, to)| drop(paths.taut_path(*from, *to, &mut scratch)));
    let excess = map.queries.iter().filter(|(from, to)| from != to).filter_map(|(from, to)| {
        let smoothed = smooth(&paths.path(*from, *to, &mut scratch)?, &map.grid, CostRule::Octile);
        let taut = paths.taut_path(*from, *to, &mut scratch).expect("there is a path");
        let excess = 100.0 * (straight_length(&smoothed) / taut.length() - 1.0);
        assert!(excess > -1e-9, "a smoothed path from {from} to {to} is shorter than the taut one");
        Some(excess)
    });
    let excess = Times(excess.collect());
    format!("{:.1},{:.1},{:.1},{:.1}", ours.mean(), ours.at(99), excess.mean(), excess.at(100))
}
