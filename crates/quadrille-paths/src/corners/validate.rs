//! Checks of everything that is stored about corners.

use super::link::Link;
use super::stale::{Found, Stale};
use super::tiles::Tile;
use super::{Corner, Corners, quadrant};
use crate::grid::Grid;
use crate::grid::cell::Direction;
use crate::grid::fault::Corruption;
use crate::walks::turns::exits;

impl Corners {
    /// Compares bits, numbers and links with the cells of the map.
    pub(crate) fn validate(&self, grid: &Grid) -> Result<(), Corruption> {
        if !self.left.is_empty() {
            let mut whole = self.clone();
            whole.catch_up(grid);
            return whole.validate(grid);
        }
        let mut count = 0;
        for cell in grid.bounds().cells() {
            let walls = grid.walls_around(cell);
            let is_corner = grid.is_free(cell) && self.rule.is_corner(walls);
            let number = self.number(grid, cell);
            let is_right = self.columns.get(cell.y as usize + 1, cell.x as usize + 1) != grid.is_free(cell)
                && number.is_some() == is_corner
                && number.is_none_or(|number| {
                    self.cell(number) == cell
                        && self.corners[number as usize].walls == walls
                        && self.tiles[self.tile(cell)].corners.contains(&number)
                });
            Corruption::unless(is_right, || format!("cell {cell}: bits or corner are not as its walls say"))?;
            count += usize::from(is_corner);
        }
        let listed: usize = self.tiles.iter().map(|tile| tile.corners.len()).sum();
        Corruption::unless(count == self.count() && count == listed, || {
            format!("{} corners and {listed} in tiles, not {count}", self.count())
        })?;
        let live: usize = self.corners.iter().map(Corner::count).sum();
        Corruption::unless(live == self.live_links, || format!("{} links counted, not {live}", self.live_links))?;
        let is_listed = |(slot, stale): (usize, &Stale)| {
            let corner = &self.corners[stale.number as usize];
            corner.stale != 0 && corner.first_link as usize == slot
        };
        let stale = self.corners.iter().filter(|corner| corner.stale != 0).count();
        let are_listed = stale == self.stale.len() && self.stale.iter().enumerate().all(is_listed);
        Corruption::unless(are_listed, || format!("{stale} stale corners, not {}", self.stale.len()))?;
        let corners = self.tiles.iter().flat_map(|tile| tile.corners.iter().map(move |number| (tile, *number)));
        corners.into_iter().try_for_each(|(tile, number)| self.validate_corner(grid, tile, number))
    }

    /// Checks a corner's links that are not stale against a fresh scan.
    fn validate_corner(&self, grid: &Grid, tile: &Tile, number: u32) -> Result<(), Corruption> {
        let (corner, cell) = (&self.corners[number as usize], self.cell(number));
        let expected = self.found_again(grid, number);
        let found = Some(corner).filter(|corner| corner.stale != 0);
        let found = found.and_then(|corner| self.stale[corner.first_link as usize].found.get());
        let fault = |what: &str| format!("corner {number} at {cell}: {what}, not {expected:?}");
        if let Some(found) = found {
            let is_right = (&found.links, found.links_up_to, found.diagonals)
                == (&expected.links, expected.links_up_to, expected.diagonals);
            Corruption::unless(is_right, || fault(&format!("{found:?}")))?;
        }
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            let quadrant = quadrant(direction);
            if corner.stale >> quadrant & 1 == 1 {
                continue;
            }
            let start = if index == 0 { 0 } else { expected.links_up_to[index - 1] } as usize;
            let links = &expected.links[start..expected.links_up_to[index] as usize];
            let stored = self.stored(corner, index);
            let diagonal = corner.diagonals[quadrant];
            let is_right =
                stored == links && diagonal == expected.diagonals[quadrant] && diagonal <= tile.longest[quadrant];
            Corruption::unless(is_right, || fault(&format!("{stored:?} and {corner:?}")))?;
        }
        Ok(())
    }

    /// A fresh scan of a corner that ignores what is stored.
    fn found_again(&self, grid: &Grid, number: u32) -> Found {
        let (walks, from, mut found) = (self.walks(grid), self.cell(number), Found::default());
        let exits = exits(self.turns, self.corners[number as usize].walls);
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            if exits >> index & 1 == 1 {
                let diagonal = walks.go(from, direction, |cell, arrival| {
                    found.links.push(Link::new(self.numbers[grid.index(cell)], arrival));
                });
                found.note(direction, diagonal);
            }
            found.links_up_to[index] = found.links.len() as u32;
        }
        found
    }
}
