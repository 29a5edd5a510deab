//! The built-in maps: made from a name and a seed, so that a shared view needs no file.

use quadrille_paths::{Cell, CellRect, Grid, GridError};
use quadrille_scenes::{Random, city};

/// Cells on each side of a built-in map but the city. A power of two, so that the leaves of its region tree are
/// squares.
pub const SIDE: u32 = 128;

/// The built-in maps by name. Each line says what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum MapKind {
    /// Rooms in rows with one or two doors in each wall. Close a door and watch agents turn back.
    #[default]
    Rooms,
    /// A maze without loops: each opened wall makes a short cut, each closed passage divides the map.
    Maze,
    /// Caves with round walls: the region tree at its busiest.
    Caves,
    /// An empty field to draw on, one leaf.
    Field,
    /// A city of a million cells: 1,024 houses, each with a yard and a door that opens and closes by itself.
    City,
}

impl MapKind {
    /// The map of a seed: [`SIDE`] × [`SIDE`] cells, or the city, which is the same for all seeds.
    ///
    /// # Errors
    /// Never returns an error: the sides are legal.
    pub fn grid(self, seed: u64) -> Result<Grid, GridError> {
        let mut random = Random::new(seed);
        match self {
            Self::Rooms => rooms(&mut random),
            Self::Maze => maze(&mut random),
            Self::Caves => caves(&mut random),
            Self::Field => Grid::open(SIDE, SIDE),
            Self::City => Grid::from_fn(city::SIDE, city::SIDE, |cell| city::is_free([cell.x, cell.y])),
        }
    }

    /// The doors that open and close by themselves.
    pub fn doors(self) -> Vec<Cell> {
        let houses = CellRect::new(0, 0, city::HOUSES, city::HOUSES).cells();
        let door = |house: Cell| {
            let [x, y] = city::door([house.x, house.y]);
            Cell::new(x, y)
        };
        if self == Self::City { houses.map(door).collect() } else { Vec::new() }
    }
}

quadrille::names!(MapKind, UnknownMap, "map":
    Rooms "rooms", Maze "maze", Caves "caves", Field "field", City "city",
);

/// From one wall of a room to the next, in cells. It divides [`SIDE`], so that walls lie on the lines of the tree.
const ROOM: u32 = 16;
/// Width of a door, in cells.
const DOOR: u32 = 3;

/// Rooms side by side. The wall of a room is its first row and first column; each has a door, and one in three a
/// second.
fn rooms(random: &mut Random) -> Result<Grid, GridError> {
    let mut grid = Grid::from_fn(SIDE, SIDE, |cell| cell.x % ROOM != 0 && cell.y % ROOM != 0)?;
    for room in CellRect::new(0, 0, SIDE / ROOM, SIDE / ROOM).cells() {
        let (x, y) = (room.x * ROOM, room.y * ROOM);
        let doors = if random.below(3) == 0 { 2 } else { 1 };
        for _ in 0..doors {
            let [along_x, along_y] = [x, y].map(|at| at + 1 + random.below(ROOM - DOOR));
            let (west, north) = (CellRect::new(x, along_y, 1, DOOR), CellRect::new(along_x, y, DOOR, 1));
            // The outer wall has no door: its cell is blocked again.
            grid.fill(west, x > 0);
            grid.fill(north, y > 0);
        }
    }
    Ok(grid)
}

/// From one passage of the maze to the next, in cells: three of passage, one of wall.
const PITCH: u32 = 4;

/// A maze by depth-first search: from the last position with an unvisited neighbor, a passage is dug to one of these.
fn maze(random: &mut Random) -> Result<Grid, GridError> {
    let side = SIDE / PITCH;
    let mut grid = Grid::from_fn(SIDE, SIDE, |cell| cell.x % PITCH != 0 && cell.y % PITCH != 0)?;
    let mut is_visited = vec![false; (side * side) as usize];
    let mut way = vec![Cell::new(0, 0)];
    is_visited[0] = true;
    while let Some(&here) = way.last() {
        let beside = [(1, 0), (-1, 0), (0, 1), (0, -1)].map(|(dx, dy)| {
            let place = Cell::new(here.x.checked_add_signed(dx)?, here.y.checked_add_signed(dy)?);
            (place.x < side && place.y < side && !is_visited[(place.y * side + place.x) as usize]).then_some(place)
        });
        let open: Vec<Cell> = beside.into_iter().flatten().collect();
        let Some(&next) = open.get(random.below(open.len() as u32) as usize) else {
            way.pop();
            continue;
        };
        is_visited[(next.y * side + next.x) as usize] = true;
        dig(&mut grid, here, next);
        way.push(next);
    }
    Ok(grid)
}

/// Opens the wall between two adjacent positions: it belongs to the one farther right or down.
fn dig(grid: &mut Grid, a: Cell, b: Cell) {
    let (x, y) = (a.x.max(b.x) * PITCH, a.y.max(b.y) * PITCH);
    let wall = if a.y == b.y { CellRect::new(x, y + 1, 1, PITCH - 1) } else { CellRect::new(x + 1, y, PITCH - 1, 1) };
    grid.fill(wall, true);
}

/// How many of a hundred cells of the noise that caves grow from are walls. Above 48 caves close, below 42 walls melt
/// away.
const NOISE_PERCENT: u32 = 45;

/// Caves by a cellular automaton: in noise, every cell becomes what most of the nine cells around it are, five times
/// over (L. Johnson, G. Yannakakis and J. Togelius, *Cellular automata for real-time generation of infinite cave
/// levels*, 2010).
fn caves(random: &mut Random) -> Result<Grid, GridError> {
    let mut grid = Grid::from_fn(SIDE, SIDE, |_| random.below(100) >= NOISE_PERCENT)?;
    for _ in 0..5 {
        let before = grid.clone();
        grid = Grid::from_fn(SIDE, SIDE, |cell| free_around(&before, cell) >= 5)?;
    }
    Ok(grid)
}

/// How many of the cell and its eight neighbors are free; what lies off the map is not.
fn free_around(grid: &Grid, cell: Cell) -> usize {
    let near = |at: u32| at.saturating_sub(1)..=at + 1;
    near(cell.y).flat_map(|y| near(cell.x).map(move |x| Cell::new(x, y))).filter(|cell| grid.is_free(*cell)).count()
}

#[cfg(test)]
mod tests {
    use quadrille_paths::{CostRule, PathMap};

    use super::*;

    #[test]
    fn every_map_has_a_name_and_room_to_walk() {
        for &kind in MapKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            let grid = kind.grid(1).expect("a legal side");
            assert!(grid.count_free() > u64::from(grid.width() * grid.height() / 3), "{kind}: {}", grid.count_free());
        }
        assert!("moon".parse::<MapKind>().is_err_and(|error| error.to_string().contains("`moon`")));
    }

    #[test]
    fn rooms_and_mazes_are_one_piece() {
        for kind in [MapKind::Rooms, MapKind::Maze] {
            for seed in 0..5 {
                let map = PathMap::new(kind.grid(seed).expect("a legal side"), CostRule::Octile);
                let from = Cell::new(2, 2);
                let strays = map.grid().bounds().cells().filter(|cell| map.grid().is_free(*cell));
                assert_eq!(strays.filter(|cell| !map.is_reachable(from, *cell)).count(), 0, "{kind}, seed {seed}");
            }
        }
    }

    #[test]
    fn a_seed_is_a_map() {
        let cells = |kind: MapKind, seed| {
            let grid = kind.grid(seed).expect("a legal side");
            grid.bounds().cells().map(|cell| grid.is_free(cell)).collect::<Vec<_>>()
        };
        for kind in [MapKind::Rooms, MapKind::Maze, MapKind::Caves] {
            assert_eq!(cells(kind, 3), cells(kind, 3));
            assert_ne!(cells(kind, 3), cells(kind, 4));
        }
    }
}
