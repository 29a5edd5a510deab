//! One path: found, printed, drawn.

use std::path::Path as File;
use std::time::Duration;

use indicatif::{BinaryBytes, HumanCount};
use quadrille_paths::{AStar, Cell, Grid, Length, Path, PathMap, Scratch, TautPath};
use serde::Serialize;

use super::{FindPath, Search, map_file, picture};
use crate::clock::{ms, timed, us};
use crate::failure::Failure;
use crate::{output, table, text};

/// What `--json` writes: see docs/cli-json.md.
#[derive(Debug, Serialize)]
struct Figures {
    length: Option<f64>,
    straight: Option<u32>,
    diagonal: Option<u32>,
    taut: Option<Taut>,
    us: f64,
    expanded: u64,
    build_ms: f64,
    bytes: usize,
}

/// The shortest path in any direction, if requested.
#[derive(Debug, Serialize)]
struct Taut {
    length: f64,
    points: Vec<[f64; 2]>,
    us: f64,
}

pub(super) fn run(asked: &FindPath, file: &File, from: Cell, to: Cell) -> Result<(), Failure> {
    let ground = map_file::read(file)?;
    let grid = if asked.agent_size == 1 { ground.clone() } else { ground.with_clearance(asked.agent_size) };
    for (option, cell) in [("--from", from), ("--to", to)] {
        if let Some(what) = problem(&ground, &grid, cell, asked.agent_size) {
            return Err(Failure::in_file(file, format_args!("{option} {},{} {what}", cell.x, cell.y)));
        }
    }
    let (build, map) = timed(|| PathMap::new(grid, asked.cost));
    let (time, path, expanded) = find(&map, asked.method, from, to);

    let taut = asked.smooth.then(|| tighten(&map, from, to)).flatten();

    let length = path.as_ref().map(Path::length);
    let figures = Figures {
        length: length.map(Length::as_f64),
        straight: length.map(|length| length.straight),
        diagonal: length.map(|length| length.diagonal),
        taut,
        us: us(time),
        expanded,
        build_ms: ms(build),
        bytes: map.bytes(),
    };
    if let Some(png) = &asked.png {
        let line = match (&figures.taut, path) {
            (Some(taut), _) => taut.points.clone(),
            (None, Some(path)) => path.turns().map(picture::middle).collect(),
            (None, None) => Vec::new(),
        };
        let picture = picture::draw(&ground, &line, Some([from, to]), asked.agent_size)?;
        png.write(|file| quadrille_draw::write_png(&picture, file))?;
    }
    let report = report(asked, file, &ground, &figures);
    output::report(&report, &figures, &asked.json, &[&asked.png, &asked.json])
}

/// Why an agent cannot be in a cell.
fn problem(ground: &Grid, grid: &Grid, cell: Cell, size: u32) -> Option<String> {
    if !ground.contains(cell) {
        Some(format!("is off the map of {} x {} cells", ground.width(), ground.height()))
    } else if !ground.is_free(cell) {
        Some("is a wall".into())
    } else if !grid.is_free(cell) {
        Some(format!("has no room for an agent of {size} x {size} cells, to the right and down"))
    } else {
        None
    }
}

/// The path, and the time and nodes it took to find. Searches twice and reports the second, when the working memory has
/// grown to the map, as it has for all but the first of many queries.
fn find(map: &PathMap, method: Search, from: Cell, to: Cell) -> (Duration, Option<Path>, u64) {
    let (mut scratch, mut astar) = (Scratch::new(), AStar::new());
    let mut ask = || match method {
        Search::Exact => (map.path(from, to, &mut scratch), scratch.expanded()),
        Search::Astar => (astar.path(map.grid(), map.rule(), from, to), astar.expanded()),
    };
    ask();
    let (time, (path, expanded)) = timed(ask);
    (time, path, expanded)
}

/// The taut path and the time it took to find, once working memory has grown.
fn tighten(map: &PathMap, from: Cell, to: Cell) -> Option<Taut> {
    let mut scratch = Scratch::new();
    let mut ask = || map.taut_path(from, to, &mut scratch);
    ask();
    let (time, path) = timed(ask);
    path.map(|path: TautPath| Taut { length: path.length(), points: path.points().to_vec(), us: us(time) })
}

fn report(asked: &FindPath, file: &File, ground: &Grid, figures: &Figures) -> String {
    let (width, height, free) = (ground.width(), ground.height(), HumanCount(ground.count_free()));
    let path = match figures {
        Figures { length: Some(length), straight: Some(straight), diagonal: Some(diagonal), .. } => {
            let (straight, diagonal) = (u64::from(*straight), u64::from(*diagonal));
            let steps = text::count(straight + diagonal, "step");
            format!("{length:.3} long, {steps}: {} straight, {} diagonal", HumanCount(straight), HumanCount(diagonal))
        }
        _ => "none: the goal cannot be reached".into(),
    };
    let taut = figures.taut.as_ref().map(|taut| {
        let bends = text::count(taut.points.len().saturating_sub(2) as u64, "bend");
        ("taut", format!("{:.3} long, {bends}, {:.1} µs", taut.length, taut.us))
    });
    let facts = [
        ("map", format!("{}, {width} x {height} cells, {free} free", file.display())),
        ("path", path),
        ("time", format!("{:.1} µs, {} expanded", figures.us, text::count(figures.expanded, asked.method.node()))),
        ("build", format!("{:.1} ms, {}", figures.build_ms, BinaryBytes(figures.bytes as u64))),
    ];
    let [map, path, time, build] = facts;
    table::facts([map, path].into_iter().chain(taut).chain([time, build]))
}
