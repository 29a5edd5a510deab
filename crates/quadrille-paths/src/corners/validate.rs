//! Checks of everything that is stored about corners.

use super::Corners;
use super::cells::Tile;
use super::link::{Corner, quadrant};
use super::stale::Stale;
use crate::grid::{Corruption, Direction, Grid};

impl Corners {
    /// Compares bits, numbers and links with the cells of the map.
    pub(crate) fn validate(&self, grid: &Grid) -> Result<(), Corruption> {
        if !self.backlog.edits.is_empty() {
            let mut whole = self.clone();
            whole.catch_up(grid);
            return whole.validate(grid);
        }
        let (cells, corners, mut count) = (&self.cells, &self.cells.corners, 0);
        for cell in grid.bounds().cells() {
            let walls = grid.walls_around(cell);
            let is_corner = grid.is_free(cell) && self.rule.is_corner(walls);
            let number = self.number(grid, cell);
            let is_right = self.columns.get(cell.y as usize + 1, cell.x as usize + 1) != grid.is_free(cell)
                && number.is_some() == is_corner
                && number.is_none_or(|number| {
                    self.cell(number) == cell
                        && corners[number as usize].walls == walls
                        && cells.tiles[cells.tile(cell)].corners.contains(&number)
                });
            Corruption::unless(is_right, || format!("cell {cell}: bits or corner are not as its walls say"))?;
            count += usize::from(is_corner);
        }
        let listed: usize = cells.tiles.iter().map(|tile| tile.corners.len()).sum();
        Corruption::unless(count == self.count() && count == listed, || {
            format!("{} corners and {listed} in tiles, not {count}", self.count())
        })?;
        let live: usize = corners.iter().map(Corner::count).sum();
        Corruption::unless(live == self.links.live, || format!("{} links counted, not {live}", self.links.live))?;
        let (list, stale) = (&self.stale.list, corners.iter().filter(|corner| corner.stale != 0).count());
        let is_listed = |stale: &Stale| {
            corners[stale.number as usize].stale != 0 && core::ptr::eq(self.stale.get(stale.number), stale)
        };
        let are_listed = stale == list.len() && list.iter().all(is_listed);
        Corruption::unless(are_listed, || format!("{stale} stale corners, not {}", list.len()))?;
        let mut corners = cells.tiles.iter().flat_map(|tile| tile.corners.iter().map(move |number| (tile, *number)));
        corners.try_for_each(|(tile, number)| self.validate_corner(grid, tile, number))
    }

    /// Checks a corner's links that are not stale against a fresh scan.
    fn validate_corner(&self, grid: &Grid, tile: &Tile, number: u32) -> Result<(), Corruption> {
        let (corner, cell) = (&self.cells.corners[number as usize], self.cell(number));
        let expected = self.scan_all(grid, number);
        let fault = |what: &str| format!("corner {number} at {cell}: {what}, not {expected:?}");
        let stored = corner.exits(self.links.of(corner));
        let found = Some(number).filter(|_| corner.stale != 0).and_then(|number| self.stale.found_before(number));
        let found = found.map(|found| (found.exits(), corner.stale & !found.renewed));
        for (exits, stale) in found.into_iter().chain([(stored, corner.stale)]) {
            let is_right = Direction::ALL.into_iter().filter(|direction| stale >> quadrant(*direction) & 1 == 0).all(
                |direction| {
                    exits.links(direction) == expected.exits().links(direction)
                        && exits.diagonal(direction) == expected.exits().diagonal(direction)
                },
            );
            Corruption::unless(is_right, || fault(&format!("{exits:?}")))?;
        }
        let is_long = |quadrant: &usize| {
            corner.stale >> quadrant & 1 == 0 && corner.diagonals[*quadrant] > tile.longest[*quadrant]
        };
        Corruption::unless(!(0..4).any(|quadrant| is_long(&quadrant)), || fault(&format!("{:?}", tile.longest)))
    }
}
