//! Corners by tile: an edit looks only at tiles from which it may be seen.

use core::ops::{Range, RangeInclusive};

use super::Corners;
use super::views::Views;
use crate::grid::cell::{Cell, CellRect};

/// Side of a tile, in cells. Corners are numbered tile by tile, so that a search reads memory that lies close together.
pub(super) const TILE: u32 = 32;

/// Corners of one tile.
#[derive(Clone, Debug, Default)]
pub(super) struct Tile {
    pub(super) corners: Vec<u32>,
    /// By quadrant, an upper bound on the length of their diagonals.
    pub(super) longest: [u16; 4],
}

impl Corners {
    pub(super) fn tile(&self, cell: Cell) -> usize {
        (cell.y / TILE * self.tile_columns + cell.x / TILE) as usize
    }

    /// How many corners there are in the tiles that a rectangle touches.
    pub(crate) fn count_near(&self, rect: CellRect) -> usize {
        let tiles = |first: u32, count: u32| first / TILE..(first + count).div_ceil(TILE);
        let rows = tiles(rect.y, rect.height).map(|row| row * self.tile_columns);
        let near = rows.flat_map(|row| tiles(rect.x, rect.width).map(move |column| (row + column) as usize));
        near.map(|tile| self.tiles[tile].corners.len()).sum()
    }

    /// Marks scans of one quadrant that saw changed cells as stale.
    pub(super) fn expire_quadrant(&mut self, quadrant: usize, views: &Views) {
        let longest = self.tiles.iter().map(|tile| tile.longest[quadrant]).max().unwrap_or(0);
        // On most maps, rows and columns alone rule out all but a few tiles.
        let [rows, columns] = views.reach(self.rule, quadrant, longest);
        let (tile_columns, tile_rows) = (self.tile_columns, self.tiles.len() as u32 / self.tile_columns.max(1));
        let (near_rows, near_columns) = (near_tiles(&rows, tile_rows), near_tiles(&columns, tile_columns));
        for row in 0..tile_rows {
            for column in if near_rows.contains(&row) { 0..tile_columns } else { near_columns.clone() } {
                let tile = (row * tile_columns + column) as usize;
                let cells = CellRect::new(column * TILE, row * TILE, TILE, TILE);
                if views.are_seen(self.rule, cells, quadrant, self.tiles[tile].longest[quadrant]) {
                    self.expire_in(tile, quadrant, views);
                }
            }
        }
    }

    /// The same for the corners of one tile.
    fn expire_in(&mut self, tile: usize, quadrant: usize, views: &Views) {
        for index in 0..self.tiles[tile].corners.len() {
            let number = self.tiles[tile].corners[index];
            let diagonal = self.corners[number as usize].diagonals[quadrant];
            if let Some(steps) = views.steps(self.rule, self.cell(number), quadrant, diagonal) {
                self.expire(number, quadrant, steps);
            }
        }
    }

    /// Updates the longest diagonals of a corner's tile.
    pub(super) fn note_diagonals(&mut self, number: u32) {
        let (tile, diagonals) = (self.tile(self.cell(number)), self.corners[number as usize].diagonals);
        for (longest, diagonal) in self.tiles[tile].longest.iter_mut().zip(diagonals) {
            *longest = diagonal.max(*longest);
        }
    }
}

/// Which of `count` tiles in a row, or column, have a cell in a range.
fn near_tiles(range: &RangeInclusive<i32>, count: u32) -> Range<u32> {
    let tile = |cell: i32| cell.max(0) as u32 / TILE;
    if range.is_empty() || *range.end() < 0 { 0..0 } else { tile(*range.start())..count.min(tile(*range.end()) + 1) }
}
