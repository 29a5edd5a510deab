//! The history of edits of a map, for anything that depends on cells that may have changed.

use std::collections::VecDeque;

use crate::grid::cell::{Cell, CellRect};
use crate::shared::Unique;

/// How many edits are compared one by one with each of many things, and how many are remembered at least.
const COMPARED: usize = 256;

/// At most one edit is remembered for so many cells. Of more, only tiles are known; most of them then, as a rule.
const CELLS_AN_EDIT: usize = 32;

/// Side of the tiles for which the last edit is remembered, in cells.
const TILE: u32 = 32;

/// A map at one time: whatever was computed from it remains valid as long as its stamp is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// The [`Unique`] number of the map.
    map: u64,
    /// How many edits it has seen.
    version: u64,
}

impl Stamp {
    /// The number of edits so far.
    pub(crate) const fn version(self) -> u64 {
        self.version
    }

    /// Whether both are of one map.
    pub(crate) const fn is_same_map(self, other: Self) -> bool {
        self.map == other.map
    }
}

/// Where a map was edited, and when.
#[derive(Clone, Debug)]
pub(crate) struct Edits {
    width: u32,
    height: u32,
    map: Unique,
    version: u64,
    /// Where the last of them changed something, oldest first.
    recent: VecDeque<CellRect>,
    /// By tile, row by row, the version after the last edit in it or one cell beside it.
    tiles: Vec<u64>,
}

impl Edits {
    pub(crate) fn new(width: u32, height: u32) -> Self {
        let tiles = vec![0; width.div_ceil(TILE) as usize * height.div_ceil(TILE) as usize];
        Self { width, height, map: Unique::default(), version: 0, recent: VecDeque::new(), tiles }
    }

    /// The map as it is.
    pub(crate) const fn stamp(&self) -> Stamp {
        Stamp { map: self.map.number(), version: self.version }
    }

    /// Remembers that cells in a rectangle on the map have changed.
    pub(crate) fn note(&mut self, rect: CellRect) {
        self.version += 1;
        if self.recent.len() == COMPARED.max(self.cell_count() / CELLS_AN_EDIT) {
            self.recent.pop_front();
        }
        self.recent.push_back(rect);
        // Whether a diagonal step is legal depends on cells beside it.
        for tile in self.tiles_in(rect.widened(1, 1)) {
            self.tiles[tile as usize] = self.version;
        }
    }

    /// Rectangles that contain all cells changed since then: of the edits or, if there were too many, or they have more cells
    /// together than the map, of the tiles that they touched. `None` on another map.
    pub(crate) fn since(&self, then: Stamp) -> Option<Vec<CellRect>> {
        let missed = self.version.checked_sub(then.version).filter(|_| self.stamp().is_same_map(then))?;
        let edits = self.last(missed, usize::MAX).map(Iterator::collect::<Vec<CellRect>>);
        let edits = edits.filter(|edits| edits.iter().map(CellRect::count).sum::<usize>() <= self.cell_count());
        let tiles = || self.tiles_since(then.version, CellRect::new(0, 0, self.width, self.height)).collect();
        Some(edits.unwrap_or_else(tiles))
    }

    /// Whether one of these rectangles satisfies a condition, which it does not if it lies outside `within`.
    pub(crate) fn is_any_since(&self, version: u64, within: CellRect, is_one: impl Fn(CellRect) -> bool) -> bool {
        match self.last(self.version - version, COMPARED) {
            Some(mut edits) => edits.any(is_one),
            None => self.tiles_since(version, within).any(is_one),
        }
    }

    /// Where the last edits changed something, unless these are more than `most` or than are remembered.
    fn last(&self, edits: u64, most: usize) -> Option<impl Iterator<Item = CellRect>> {
        let count = usize::try_from(edits).ok().filter(|count| *count <= most.min(self.recent.len()))?;
        Some(self.recent.iter().rev().take(count).copied())
    }

    /// The tiles that lie at least partly in a rectangle and were touched since a version.
    fn tiles_since(&self, version: u64, within: CellRect) -> impl Iterator<Item = CellRect> {
        let columns = self.width.div_ceil(TILE);
        let touched = self.tiles_in(within).filter(move |tile| self.tiles[*tile as usize] > version);
        touched.map(move |tile| {
            CellRect::new(tile % columns * TILE, tile / columns * TILE, TILE, TILE).clamped(self.width, self.height)
        })
    }

    /// The tiles that lie at least partly in a rectangle.
    fn tiles_in(&self, rect: CellRect) -> impl Iterator<Item = u32> + use<> {
        let (rect, columns) = (rect.clamped(self.width, self.height), self.width.div_ceil(TILE));
        let tiles = |first: u32, count: u32| first / TILE..(first + count).div_ceil(TILE);
        let across = if rect.is_empty() { 0..0 } else { tiles(rect.x, rect.width) };
        tiles(rect.y, rect.height).flat_map(move |row| across.clone().map(move |column| row * columns + column))
    }

    /// How many cells the map has.
    pub(crate) const fn cell_count(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// The tile of a cell on the map.
    pub(crate) const fn tile(&self, cell: Cell) -> u32 {
        cell.y / TILE * self.width.div_ceil(TILE) + cell.x / TILE
    }

    /// The cells of a tile, those at its end perhaps off the map.
    pub(crate) const fn cells(&self, tile: u32) -> CellRect {
        let columns = self.width.div_ceil(TILE);
        CellRect::new(tile % columns * TILE, tile / columns * TILE, TILE, TILE)
    }

    /// The version after the last edit that touched a tile.
    pub(crate) fn last_in(&self, tile: u32) -> u64 {
        self.tiles.get(tile as usize).copied().unwrap_or(self.version)
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.recent.capacity() * size_of::<CellRect>() + self.tiles.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::{CellRect, Edits};

    #[test]
    fn edits_have_no_more_cells_together_than_the_map() {
        let (mut edits, door) = (Edits::new(100, 70), CellRect::new(3, 4, 1, 1));
        let then = edits.stamp();
        edits.note(door);
        assert_eq!(edits.since(then), Some(vec![door]));
        for count in 2..300 {
            edits.note(CellRect::new(0, 0, 100, 70));
            let cells: usize = edits.since(then).expect("the same map").iter().map(CellRect::count).sum();
            assert_eq!(cells, 7000, "after {count} edits");
        }
    }
}
