//! The contenders, each used as its authors show it.

use crate::block_jps::BlockJps;
use grid_pathfinding::PathingGrid;
use grid_util::grid::ValueGrid;
use grid_util::point::Point;
use hierarchical_pathfinding::prelude::{MooreNeighborhood, PathCache, PathCacheConfig};
use quadrille_paths::{AStar, Cell, CellRect, CostRule, Direction, Grid, Path, PathMap, Scratch};

/// Something that finds paths on a map of cells that can be changed.
pub trait Contender {
    /// The cells of a path, both ends included; none if there is no path.
    fn path(&mut self, from: Cell, to: Cell) -> Vec<Cell>;

    /// Frees and blocks the cells of a rectangle on the map.
    fn edit(&mut self, rect: CellRect, is_free: &dyn Fn(Cell) -> bool);

    /// Does the work that edits have left for later: once before the next query.
    fn settle(&mut self) {}
}

/// An entry of the race.
#[derive(Clone, Copy)]
pub struct Entry {
    pub name: &'static str,
    /// The rule that its steps obey.
    pub rule: CostRule,
    pub make: Make,
}

/// All entries; the first is the measure of the others.
pub static ENTRIES: [Entry; 9] = [
    entry("plain A*", CostRule::Octile, plain),
    entry("quadrille", CostRule::Octile, Quadrille::boxed),
    entry("block JPS", CostRule::Octile, |grid, _| Box::new(BlockJps::new(grid))),
    entry("pathfinding", CostRule::Octile, |grid, _| Box::new(OverCells { grid: grid.clone(), search: generic })),
    entry("plain A*, cutting", CostRule::OctileCutting, plain),
    entry("quadrille, cutting", CostRule::OctileCutting, Quadrille::boxed),
    entry("grid_pathfinding", CostRule::OctileCutting, |grid, _| Jumping::boxed(grid)),
    entry("hierarchical, fast", CostRule::OctileCutting, |grid, _| {
        Clusters::boxed(grid, PathCacheConfig::HIGH_PERFORMANCE)
    }),
    entry("hierarchical, small", CostRule::OctileCutting, |grid, _| Clusters::boxed(grid, PathCacheConfig::LOW_MEM)),
];

/// The first ones, this many, are quick enough for every row of every file: plain A*, quadrille and block JPS, under one rule.
pub const OF_ALL_ROWS: usize = 3;

pub type Make = fn(&Grid, CostRule) -> Box<dyn Contender>;

const fn entry(name: &'static str, rule: CostRule, make: Make) -> Entry {
    Entry { name, rule, make }
}

/// A search that knows only which cells are free.
struct OverCells<F> {
    grid: Grid,
    search: F,
}

impl<F: FnMut(&Grid, Cell, Cell) -> Vec<Cell>> Contender for OverCells<F> {
    fn path(&mut self, from: Cell, to: Cell) -> Vec<Cell> {
        (self.search)(&self.grid, from, to)
    }

    fn edit(&mut self, rect: CellRect, is_free: &dyn Fn(Cell) -> bool) {
        rect.cells().for_each(|cell| self.grid.set(cell, is_free(cell)));
    }
}

fn cells(path: Option<Path>) -> Vec<Cell> {
    path.map_or(Vec::new(), |path| path.cells().to_vec())
}

/// Plain A* of `quadrille-paths`: bits, buckets and whole numbers.
fn plain(grid: &Grid, rule: CostRule) -> Box<dyn Contender> {
    let mut astar = AStar::new();
    let search = move |grid: &Grid, from, to| cells(astar.path(grid, rule, from, to));
    Box::new(OverCells { grid: grid.clone(), search })
}

struct Quadrille {
    map: PathMap,
    scratch: Scratch,
}

impl Quadrille {
    fn boxed(grid: &Grid, rule: CostRule) -> Box<dyn Contender> {
        Box::new(Self { map: PathMap::new(grid.clone(), rule), scratch: Scratch::new() })
    }
}

impl Contender for Quadrille {
    fn path(&mut self, from: Cell, to: Cell) -> Vec<Cell> {
        cells(self.map.path(from, to, &mut self.scratch))
    }

    fn edit(&mut self, rect: CellRect, is_free: &dyn Fn(Cell) -> bool) {
        self.map.edit(rect, is_free);
    }

    fn settle(&mut self) {
        self.map.maintain();
    }
}

impl Contender for BlockJps {
    fn path(&mut self, from: Cell, to: Cell) -> Vec<Cell> {
        let turns = self.turns(from, to);
        let mut cells: Vec<Cell> = turns.first().copied().into_iter().collect();
        for pair in turns.windows(2) {
            lay(&mut cells, pair[0], pair[1]);
        }
        cells
    }

    fn edit(&mut self, rect: CellRect, is_free: &dyn Fn(Cell) -> bool) {
        rect.cells().for_each(|cell| self.set(cell, is_free(cell)));
    }
}

/// Lays the cells from one turn to the next: diagonal steps first.
fn lay(cells: &mut Vec<Cell>, mut from: Cell, to: Cell) {
    let toward = |from: u32, to: u32| (to > from) as i32 - (to < from) as i32;
    while from != to {
        let (dx, dy) = (toward(from.x, to.x), toward(from.y, to.y));
        from = Cell::new(from.x.wrapping_add_signed(dx), from.y.wrapping_add_signed(dy));
        cells.push(from);
    }
}

/// A step's cost in whole numbers, as the crate wants costs to be: the root of two to nine digits.
fn cost(is_diagonal: bool) -> u64 {
    if is_diagonal { 1_414_213_562 } else { 1_000_000_000 }
}

/// `pathfinding`: A* over whatever a closure calls neighbors, with hash maps.
fn generic(grid: &Grid, from: Cell, to: Cell) -> Vec<Cell> {
    let steps = |cell: &Cell| {
        let cell = *cell;
        let legal = Direction::ALL.into_iter().filter(move |way| grid.can_step(cell, *way, CostRule::Octile));
        legal.filter_map(move |way| Some((cell.step(way)?, cost(way.is_diagonal()))))
    };
    let estimate = |cell: &Cell| {
        let length = CostRule::Octile.distance(*cell, to);
        u64::from(length.straight) * cost(false) + u64::from(length.diagonal) * cost(true)
    };
    pathfinding::prelude::astar(&from, steps, estimate, |cell| *cell == to).map_or(Vec::new(), |(cells, _)| cells)
}

/// `grid_pathfinding`: jump point search, with component labels. Without its *improved pruning*, which is slower here.
struct Jumping {
    grid: PathingGrid,
}

impl Jumping {
    fn boxed(walls: &Grid) -> Box<dyn Contender> {
        let mut grid = PathingGrid::new(walls.width() as usize, walls.height() as usize, true);
        grid.improved_pruning = false;
        for cell in walls.bounds().cells() {
            grid.grid.set(cell.x as i32, cell.y as i32, !walls.is_free(cell));
        }
        grid.initialize();
        grid.generate_components();
        Box::new(Self { grid })
    }
}

impl Contender for Jumping {
    fn path(&mut self, from: Cell, to: Cell) -> Vec<Cell> {
        let point = |cell: Cell| Point::new(cell.x as i32, cell.y as i32);
        let points = self.grid.get_path_single_goal(point(from), point(to), false).unwrap_or_default();
        points.into_iter().map(|point| Cell::new(point.x as u32, point.y as u32)).collect()
    }

    fn edit(&mut self, rect: CellRect, is_free: &dyn Fn(Cell) -> bool) {
        for cell in rect.cells() {
            let (x, y, is_blocked) = (cell.x as i32, cell.y as i32, !is_free(cell));
            if self.grid.get(x, y) != is_blocked {
                self.grid.set(x, y, is_blocked);
            }
        }
    }

    fn settle(&mut self) {
        self.grid.update();
    }
}

/// `hierarchical_pathfinding`: near-optimal paths over clusters. Each step costs 1, diagonal or not.
struct Clusters {
    grid: Grid,
    cache: PathCache<MooreNeighborhood>,
    changed: Vec<(usize, usize)>,
}

/// What entering a cell costs; negative for walls.
fn toll(grid: &Grid) -> impl Fn((usize, usize)) -> isize + Sync {
    |(x, y)| if grid.is_free(Cell::new(x as u32, y as u32)) { 1 } else { -1 }
}

impl Clusters {
    fn boxed(grid: &Grid, config: PathCacheConfig) -> Box<dyn Contender> {
        let size = (grid.width() as usize, grid.height() as usize);
        let cache = PathCache::new(size, toll(grid), MooreNeighborhood::new(size.0, size.1), config);
        Box::new(Self { grid: grid.clone(), cache, changed: Vec::new() })
    }
}

impl Contender for Clusters {
    fn path(&mut self, from: Cell, to: Cell) -> Vec<Cell> {
        let place = |cell: Cell| (cell.x as usize, cell.y as usize);
        let Some(path) = self.cache.find_path(place(from), place(to), toll(&self.grid)) else { return Vec::new() };
        let rest = path.resolve(toll(&self.grid)).into_iter().map(|(x, y)| Cell::new(x as u32, y as u32));
        // It leaves out the start, and gives a path of one cell as that cell.
        std::iter::once(from).chain(rest.filter(|_| from != to)).collect()
    }

    fn edit(&mut self, rect: CellRect, is_free: &dyn Fn(Cell) -> bool) {
        for cell in rect.cells().filter(|cell| self.grid.is_free(*cell) != is_free(*cell)) {
            self.changed.push((cell.x as usize, cell.y as usize));
        }
        rect.cells().for_each(|cell| self.grid.set(cell, is_free(cell)));
    }

    fn settle(&mut self) {
        self.cache.tiles_changed(&std::mem::take(&mut self.changed), toll(&self.grid));
    }
}
