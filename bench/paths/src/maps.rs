//! The maps: published ones from a folder, and the worst cases made here.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use quadrille::internals::Random;
use quadrille_paths::movingai::{Patch, Scenario, TileMap, Trace};
use quadrille_paths::{Cell, CostRule, Grid, GridError, PathMap};

/// A map and the queries on it.
pub struct Map {
    pub name: String,
    pub grid: Grid,
    pub queries: Vec<(Cell, Cell)>,
}

/// A trace of changes and queries.
pub struct Recording {
    pub name: String,
    pub trace: Trace,
    pub patches: Vec<Patch>,
}

/// Each `NAME.map` with its `NAME.map.scen` in a folder, by name, with at most `rows` queries spread evenly over the
/// file.
pub fn published(folder: &Path, rows: usize) -> Result<Vec<Map>, Box<dyn Error>> {
    scenarios(folder)?
        .into_iter()
        .filter(|scen| scen.with_extension("").is_file())
        .map(|scen| read(&scen, rows))
        .collect()
}

/// Each trace in a folder, a `.scen` without a map of its name but with a `.patch`.
pub fn recordings(folder: &Path) -> Result<Vec<Recording>, Box<dyn Error>> {
    let traces = scenarios(folder)?.into_iter().filter(|scen| scen.with_extension("patch").is_file());
    let read = |file: PathBuf| {
        let patch_file = file.with_extension("patch");
        let patches = Patch::parse_all(&patch_file.display().to_string(), &fs::read(&patch_file)?)?;
        let trace = Trace::parse(&file.display().to_string(), &fs::read(&file)?, &patches)?;
        Ok(Recording { name: name(&file), trace, patches })
    };
    traces.map(read).collect()
}

fn scenarios(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut files: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "scen"));
    files.sort();
    Ok(files)
}

fn read(scen: &Path, rows: usize) -> Result<Map, Box<dyn Error>> {
    let file = scen.with_extension("");
    let grid = TileMap::parse(&file.display().to_string(), &fs::read(&file)?)?.ground()?;
    let scenario = Scenario::parse(&scen.display().to_string(), &fs::read(scen)?)?;
    scenario.check(&grid)?;
    let every = scenario.queries().len().div_ceil(rows).max(1);
    let queries = scenario.queries().iter().step_by(every).filter(|query| !query.has_blocked_end(&grid));
    let queries = queries.map(|query| (query.from, query.to)).collect();
    Ok(Map { name: name(&file), grid, queries })
}

fn name(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The side of the maps made here.
const SIDE: u32 = 512;

/// Noise and a maze, in which no leaf, corner or jump saves anything much.
pub fn made(rows: usize) -> Result<Vec<Map>, GridError> {
    let maps = [("noise 20%", noise(SIDE, 20)?), ("noise 40%", noise(SIDE, 40)?), ("maze, width 1", maze()?)];
    Ok(maps.map(|(name, grid)| Map { name: name.into(), queries: queries(&grid, rows), grid }).into())
}

/// Random pairs of cells with a path between them.
fn queries(grid: &Grid, rows: usize) -> Vec<(Cell, Cell)> {
    let (map, mut random) = (PathMap::new(grid.clone(), CostRule::Octile), Draw::new(7));
    let pairs = std::iter::repeat_with(|| (random.cell(grid), random.cell(grid)));
    pairs.filter(|(from, to)| map.is_reachable(*from, *to)).take(rows).collect()
}

/// A map with this percentage of its cells blocked.
pub fn noise(side: u32, percent: u32) -> Result<Grid, GridError> {
    let mut random = Draw::new(u64::from(percent));
    Grid::from_fn(side, side, |_| random.below(100) >= percent)
}

/// A maze without loops, its corridors one cell wide: a random walk that steps back where it is stuck.
fn maze() -> Result<Grid, GridError> {
    let mut random = Draw::new(1);
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

/// What a seed draws. The maps that results are measured on follow from it.
pub struct Draw(Random);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    pub fn below(&mut self, bound: u32) -> u32 {
        (self.0.bits() % u64::from(bound)) as u32
    }

    pub fn cell(&mut self, grid: &Grid) -> Cell {
        Cell::new(self.below(grid.width()), self.below(grid.height()))
    }
}
