//! Which corner is in which cell, by cell, by number and by tile, and which of them may see an edited rectangle.

use core::ops::Range;

use super::link::Corner;
use super::tuning::shrink;
use super::views::{Bands, DELTAS, Target, Views, along};
use crate::grid::{Cell, CellRect, Grid};

/// The number of a cell that is not a corner.
pub(super) const NONE: u32 = u32::MAX;

/// Side of a tile, in cells. Corners are numbered tile by tile, so that a search reads memory that is close together.
pub(super) const TILE: u32 = 32;

/// All corners.
#[derive(Clone, Debug)]
pub(super) struct CornerCells {
    /// The number of the corner in each cell, row by row.
    pub(super) numbers: Vec<u32>,
    /// The cells of the corners by number, column and row; void if the number is free.
    ///
    /// Stored separately: a search reads the cells of more corners than it expands, and at four bytes each they stay in
    /// the fastest caches.
    cells: Vec<[u16; 2]>,
    /// The corners by number; void if the number is free.
    pub(super) corners: Vec<Corner>,
    /// The numbers of removed corners: free ones may be given away, the last freed first; dead ones were removed by edits
    /// that have not been matched with links yet.
    free: Vec<u32>,
    dead: Vec<u32>,
    /// Row by row.
    pub(super) tiles: Vec<Tile>,
    /// Tiles per row.
    tile_columns: u32,
    /// By row of tiles and quadrant, an upper bound on the length of all diagonals.
    longest: Vec<[u16; 4]>,
}

/// Corners of one tile.
#[derive(Clone, Debug, Default)]
pub(super) struct Tile {
    pub(super) corners: Vec<u32>,
    /// By quadrant, an upper bound on the length of their diagonals.
    pub(super) longest: [u16; 4],
}

fn note(longest: &mut [u16; 4], diagonals: [u16; 4]) {
    longest.iter_mut().zip(diagonals).for_each(|(longest, diagonal)| *longest = diagonal.max(*longest));
}

impl CornerCells {
    /// Those of a map, on which no corner has been found yet.
    pub(super) fn new(grid: &Grid) -> Self {
        let tile_columns = grid.width().div_ceil(TILE);
        Self {
            numbers: vec![NONE; grid.count()],
            cells: Vec::new(),
            corners: Vec::new(),
            free: Vec::new(),
            dead: Vec::new(),
            tiles: vec![Tile::default(); tile_columns as usize * grid.height().div_ceil(TILE) as usize],
            tile_columns,
            longest: vec![[0; 4]; grid.height().div_ceil(TILE) as usize],
        }
    }

    /// Releases memory.
    pub(super) fn shrink(&mut self) {
        shrink(&mut self.corners);
        shrink(&mut self.cells);
        self.tiles.iter_mut().for_each(|tile| tile.corners.shrink_to_fit());
    }

    /// How many corners there are.
    pub(super) fn count(&self) -> usize {
        self.corners.len() - self.free.len() - self.dead.len()
    }

    #[inline]
    pub(super) fn cell(&self, number: u32) -> Cell {
        let [x, y] = self.cells[number as usize];
        Cell::new(u32::from(x), u32::from(y))
    }

    /// By number, the cell of the corner that has it.
    pub(super) fn in_use(&self, grid: &Grid) -> impl Iterator<Item = Option<Cell>> {
        let is_of = |number: u32, cell: &Cell| self.numbers[grid.index(*cell)] == number;
        (0..self.cells.len() as u32).map(move |number| Some(self.cell(number)).filter(|cell| is_of(number, cell)))
    }

    /// Adds a corner; returns its number. The caller says what surrounds it.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are fewer corners than cells, and fewer cells than 2^32"
    )]
    pub(super) fn add(&mut self, grid: &Grid, cell: Cell) -> u32 {
        let number = self.free.pop().unwrap_or(self.corners.len() as u32);
        if number as usize == self.corners.len() {
            self.corners.push(Corner::default());
            self.cells.push([0; 2]);
        }
        self.cells[number as usize] = [cell.x as u16, cell.y as u16];
        self.numbers[grid.index(cell)] = number;
        let tile = self.tile(cell);
        self.tiles[tile].corners.push(number);
        number
    }

    /// Removes a corner; its number is dead.
    pub(super) fn remove(&mut self, grid: &Grid, cell: Cell, number: u32) {
        self.corners[number as usize] = Corner::default();
        let tile = self.tile(cell);
        self.tiles[tile].corners.retain(|other| *other != number);
        self.numbers[grid.index(cell)] = NONE;
        self.dead.push(number);
    }

    /// Frees the numbers of removed corners, because no link to them will be read any more.
    pub(super) fn free_dead(&mut self) {
        self.free.append(&mut self.dead);
    }

    pub(super) fn tile(&self, cell: Cell) -> usize {
        (cell.y / TILE * self.tile_columns + cell.x / TILE) as usize
    }

    /// How many corners there are in the tiles that a rectangle touches.
    pub(super) fn count_near(&self, rect: CellRect) -> usize {
        let tiles = |first: u32, count: u32| first / TILE..(first + count).div_ceil(TILE);
        let rows = tiles(rect.y, rect.height).map(|row| row * self.tile_columns);
        let near = rows.flat_map(|row| tiles(rect.x, rect.width).map(move |column| (row + column) as usize));
        near.map(|tile| self.tiles[tile].corners.len()).sum()
    }

    /// Updates the longest diagonals of a corner's tile.
    pub(super) fn note_diagonals(&mut self, number: u32) {
        let (tile, diagonals) = (self.tile(self.cell(number)), self.corners[number as usize].diagonals);
        note(&mut self.tiles[tile].longest, diagonals);
        note(&mut self.longest[tile / self.tile_columns as usize], diagonals);
    }

    /// Visits the corners of a tile, and recomputes its longest diagonals; returns how many corners there are.
    pub(super) fn renew_tile(&mut self, index: usize, mut visit: impl FnMut(&mut Corner)) -> usize {
        let tile = &mut self.tiles[index];
        tile.longest = [0; 4];
        for index in 0..tile.corners.len() {
            let corner = &mut self.corners[tile.corners[index] as usize];
            visit(corner);
            note(&mut tile.longest, corner.diagonals);
        }
        let (count, columns) = (tile.corners.len(), self.tile_columns as usize);
        if (index + 1) % columns == 0 {
            let row = &self.tiles[index + 1 - columns..=index];
            self.longest[index / columns] =
                [0, 1, 2, 3].map(|quadrant| row.iter().map(|tile| tile.longest[quadrant]).max().unwrap_or(0));
        }
        count
    }

    /// Visits all corners.
    pub(super) fn each(&mut self, mut visit: impl FnMut(u32, &mut Corner)) {
        let numbers = self.tiles.iter().flat_map(|tile| &tile.corners);
        numbers.for_each(|number| visit(*number, &mut self.corners[*number as usize]));
    }

    /// Lists the corners whose scans of one quadrant may have looked at a rectangle, with the first and last steps of the
    /// diagonal from which they may have, along rows and along columns.
    pub(super) fn list_seeing(&self, views: &Views, quadrant: usize, seeing: &mut Vec<(u32, [Option<[u16; 2]>; 2])>) {
        let ((dx, dy), targets) = (DELTAS[quadrant], views.targets(quadrant));
        let bands = Bands::of(&targets);
        let [diagonal, straight] = [1, 2].map(|turn| 1_u8.rotate_left(2 * quadrant as u32 + turn));
        for (row, longest) in (0..).zip(&self.longest) {
            let longest = i32::from(longest[quadrant]) + 1;
            let (rows, tile_columns) = (along(dy, cells_of(row)), self.tile_columns);
            // On most maps, rows and columns alone rule out all but a few tiles.
            let near = targets.map(|target| near_tiles(along(dx, target.columns_from(rows, longest)), tile_columns));
            for column in joined(near) {
                let tile = &self.tiles[(row * tile_columns + column) as usize];
                let (columns, last) = (along(dx, cells_of(column)), i32::from(tile.longest[quadrant]) + 1);
                let is_reached = |target: &Target| target.is_reached(columns, rows, last);
                if tile.corners.is_empty() || !targets.iter().any(is_reached) {
                    continue;
                }
                for &number in &tile.corners {
                    let (cell, corner) = (self.cell(number), &self.corners[number as usize]);
                    let (x, y) = (dx * cell.x as i32, dy * cell.y as i32);
                    // In about half of the quadrants there is no diagonal, but at most a walk from the corner itself.
                    let may_see = if corner.exits & diagonal != 0 {
                        bands.are_met((x, y), i32::from(corner.diagonals[quadrant]) + 1)
                    } else {
                        corner.exits & straight != 0 && targets[quadrant % 2].is_reached((x, x), (y, y), 0)
                    };
                    if may_see {
                        let steps = views.steps(cell, quadrant, corner.scanned(quadrant));
                        seeing.extend(steps.iter().any(Option::is_some).then_some((number, steps)));
                    }
                }
            }
        }
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let listed: usize = self.tiles.iter().map(|tile| tile.corners.capacity()).sum();
        size_of::<u32>() * (self.numbers.capacity() + self.free.capacity() + self.dead.capacity() + listed)
            + size_of::<[u16; 2]>() * self.cells.capacity()
            + size_of::<Corner>() * self.corners.capacity()
            + size_of_val(&self.tiles[..])
    }
}

/// The first and the last of the cells of a tile by its column or row.
const fn cells_of(tile: u32) -> (i32, i32) {
    ((tile * TILE) as i32, (tile * TILE + TILE) as i32 - 1)
}

/// Which of `count` tiles of a row have a cell in a range of columns.
fn near_tiles((first, last): (i32, i32), count: u32) -> Range<u32> {
    let tile = |cell: i32| cell.max(0) as u32 / TILE;
    if first > last || last < 0 { 0..0 } else { tile(first)..count.min(tile(last) + 1) }
}

/// What is in one of two ranges or in both.
fn joined([a, b]: [Range<u32>; 2]) -> impl Iterator<Item = u32> {
    let (a, b) = if a.start <= b.start { (a, b) } else { (b, a) };
    let rest = b.start.max(a.end)..b.end;
    a.chain(rest)
}
