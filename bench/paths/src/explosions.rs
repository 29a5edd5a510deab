//! An explosion: 3,000 cells change, and 500 units find a new path, in one frame.

use std::error::Error;
use std::path::Path;

use quadrille_advise::Clock;
use quadrille_paths::{AStar, Cell, CellRect, CostRule, Grid, PathMap, Scratch};

use crate::block_jps::BlockJps;
use crate::maps::{self, Draw, Map};
use crate::times::Times;

const UNITS: usize = 500;
const FRAMES: usize = 20;
/// How often the same frames are played; the least of each counts.
const ROUNDS: usize = 3;
/// The sides of the noise, and from how many columns on published maps are taken.
const SIDE: u32 = 1024;
const LARGE: u32 = 700;
/// The rubble, and of a hundred of its cells how many stay free where it is like noise.
const RUBBLE: (u32, u32) = (60, 50);
const GAPS: u32 = 60;
/// How far units and goals are from its corner at most, in rows and in columns.
const NEAR: u32 = 100;
/// How many goals there are, if units share them.
const PLACES: usize = 5;

/// What happens in one frame.
struct Frame {
    rect: CellRect,
    free: Vec<bool>,
    ends: Vec<(Cell, Cell)>,
}

/// Where the units go.
#[derive(Clone, Copy, PartialEq)]
enum Goals {
    Own,
    Few,
}

pub fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut all = maps::published(folder, 1)?;
    all.retain(|map| map.grid.width() >= LARGE);
    for percent in [5, 20] {
        all.push(Map { name: format!("noise {percent}%"), grid: maps::noise(SIDE, percent)?, queries: Vec::new() });
    }
    println!(
        "map,rubble,goals,mean_ms,most_ms,edit_mean_ms,edit_most_ms,jps_mean_ms,jps_most_ms,astar_mean_ms,cells,without"
    );
    for map in &all {
        for (is_solid, goals) in [(true, Goals::Own), (false, Goals::Own), (true, Goals::Few), (false, Goals::Few)] {
            play(map, is_solid, goals);
        }
    }
    Ok(())
}

/// Of each frame, the least time over the rounds.
fn play(map: &Map, is_solid: bool, goals: Goals) {
    let frames = frames(&map.grid, is_solid, goals);
    let [mut ours, mut edits, mut jps, mut plain] = [(); 4].map(|()| Times::unknown(frames.len()));
    let (mut cells, mut found) = (0, 0);
    for round in 0..ROUNDS {
        let (mut paths, mut scratch) = (PathMap::new(map.grid.clone(), CostRule::Octile), Scratch::new());
        let (mut rival, mut astar) = (BlockJps::new(&map.grid), AStar::new());
        for (index, frame) in frames.iter().enumerate() {
            let is_free = |cell: Cell| frame.free[frame.rect.index(cell)];
            let clock = Clock::start();
            paths.edit(frame.rect, is_free);
            edits.least(index, clock.ms());
            let laid = paths.paths(&frame.ends, &mut scratch);
            ours.least(index, clock.ms());
            let clock = Clock::start();
            frame.rect.cells().for_each(|cell| rival.set(cell, is_free(cell)));
            for (from, to) in frame.ends.iter().filter(|(from, to)| paths.is_reachable(*from, *to)) {
                std::hint::black_box(rival.turns(*from, *to));
            }
            jps.least(index, clock.ms());
            if round == 0 {
                cells += laid.iter().flatten().map(|path| path.cells().len()).sum::<usize>();
                found += laid.iter().flatten().count();
                plain.least(index, check(&paths, &mut astar, frame, &laid));
            }
        }
    }
    println!(
        "{},{},{},{:.1},{:.1},{:.2},{:.2},{:.1},{:.1},{:.1},{},{}",
        map.name,
        if is_solid { "solid" } else { "noisy" },
        if goals == Goals::Few { "few" } else { "own" },
        ours.mean(),
        ours.at(100),
        edits.mean(),
        edits.at(100),
        jps.mean(),
        jps.at(100),
        plain.mean(),
        cells / found.max(1),
        UNITS * FRAMES - found,
    );
}

/// Compares the paths of a frame with those of plain A*, and returns how many milliseconds that takes to find them.
fn check(paths: &PathMap, astar: &mut AStar, frame: &Frame, laid: &[Option<quadrille_paths::Path>]) -> f64 {
    let clock = Clock::start();
    let mut plainly = |&(from, to): &(Cell, Cell)| {
        paths.is_reachable(from, to).then(|| astar.path(paths.grid(), CostRule::Octile, from, to)).flatten()
    };
    let plainly: Vec<_> = frame.ends.iter().map(&mut plainly).collect();
    let ms = clock.ms();
    for ((ours, plain), (from, to)) in laid.iter().zip(plainly).zip(&frame.ends) {
        // Those said to be out of reach were not timed.
        let plain = plain.or_else(|| astar.path(paths.grid(), CostRule::Octile, *from, *to));
        let length = |path: &Option<quadrille_paths::Path>| path.as_ref().map(quadrille_paths::Path::length);
        assert_eq!(length(ours), length(&plain));
        assert!(ours.as_ref().is_none_or(|path| path.validate(paths.grid(), CostRule::Octile).is_ok()));
    }
    ms
}

fn frames(grid: &Grid, is_solid: bool, goals: Goals) -> Vec<Frame> {
    let (mut map, mut random) = (PathMap::new(grid.clone(), CostRule::Octile), Draw::new(5));
    let frames = (0..FRAMES).map(|_| {
        let mut corner = |length: u32| length / 5 + random.below(length * 3 / 5);
        let (x, y) = (corner(grid.width()), corner(grid.height()));
        let rect = CellRect::new(x, y, RUBBLE.0, RUBBLE.1).clamped(grid.width(), grid.height());
        let mut near = || loop {
            let mut along = |at: u32, length: u32| (at + random.below(2 * NEAR)).saturating_sub(NEAR).min(length - 1);
            let cell = Cell::new(along(x, grid.width()), along(y, grid.height()));
            if map.grid().is_free(cell) {
                break cell;
            }
        };
        let places: Vec<Cell> = (0..PLACES).map(|_| near()).collect();
        let mut ends = Vec::new();
        for tries in 0.. {
            let to = if goals == Goals::Few { places[tries % PLACES] } else { near() };
            let pair = (near(), to);
            if map.is_reachable(pair.0, pair.1) || tries > 100_000 {
                ends.push(pair);
            }
            if ends.len() == UNITS {
                break;
            }
        }
        let free: Vec<bool> = rect.cells().map(|_| !is_solid && random.below(100) < GAPS).collect();
        map.edit(rect, |cell| free[rect.index(cell)]);
        Frame { rect, free, ends }
    });
    frames.collect()
}
