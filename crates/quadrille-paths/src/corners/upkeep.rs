//! What edits do to corners and links.

use super::stale::Found;
use super::views::Views;
use super::{Corner, Corners, MANY_CORNERS, NONE};
use crate::grid::Grid;
use crate::grid::cell::{Cell, CellRect};

/// The most stale corners that an edit of one cell scans: some tens of microseconds.
pub(super) const A_FEW: usize = 64;

/// On a small map, this many searches between two edits are too few for their scans to be worth storing.
pub(super) const FEW_SEARCHES: usize = 2;

/// The most cells of a small map: on larger ones scans are longer, and finding which of them an edit affects is better
/// than doing without stored scans.
const SMALL: usize = 1 << 14;

/// Nothing is stored any more after this many consecutive edits with few searches between them, provided there was at
/// least one such edit per `FORGOTTEN` corners: forgetting that many takes some microseconds. Making a map counts as an
/// edit.
pub(super) const RESTLESS: usize = 2;
const FORGOTTEN: usize = 256;

/// After this many consecutive edits with only taut searches between them, finding out which scans saw an edit is left
/// for later, for at most `MOST_LEFT` edits: if there are more, everything becomes stale.
const TAUT_ONLY: usize = 2;
const MOST_LEFT: usize = 32;

impl Corners {
    /// Brings everything up to date after cells in a rectangle on the map have changed. Links are only marked as stale.
    pub(crate) fn update(&mut self, grid: &Grid, rect: CellRect) {
        self.edits += 1;
        let (searches, is_taut) = self.visited.take_searches();
        self.restless = if searches <= FEW_SEARCHES { self.restless + 1 } else { 0 };
        self.taut_only = if searches > 0 { 0 } else { self.taut_only + usize::from(is_taut) };
        self.settle();
        if searches > 0 {
            self.catch_up(grid);
        }
        self.scanned.take();
        self.landmarks.update(grid, rect, self.landmark_cost());
        self.growing.take_if(|growing| !growing.outlasts(grid, rect));
        self.update_columns(grid, rect);
        self.update_cells(grid, rect.widened(1, 1).clamped(grid.width(), grid.height()));
        if self.is_restless() {
            self.left.clear();
            return self.forget();
        }
        if self.taut_only >= TAUT_ONLY {
            self.last_unseen = self.edits;
            if self.left.len() <= MOST_LEFT {
                self.left.push(rect);
            }
            return;
        }
        self.expire_seen(grid, rect);
        if self.leaving.is_empty() && self.are_many_dead() {
            self.leaving = core::mem::take(&mut self.dead);
            self.holding = self.stale.iter().map(|stale| stale.number).collect();
        }
        self.free_numbers(grid, A_FEW.max(rect.width as usize * rect.height as usize / 2));
    }

    /// Whether it is time to reuse numbers: where there are many corners, before room for new ones runs out, because
    /// making room moves all of them.
    fn are_many_dead(&self) -> bool {
        let (dead, room) = (self.dead.len(), self.corners.capacity() - self.corners.len() + self.free.len());
        let is_room_short = self.count() > MANY_CORNERS && dead > room;
        dead > self.count() / 8 + 256 || is_room_short && dead > self.count() / 64
    }

    /// Marks the scans that saw cells in a rectangle as stale.
    fn expire_seen(&mut self, grid: &Grid, rect: CellRect) {
        self.is_all_stale = false;
        let views = Views::of(&self.walks(grid), grid, rect);
        for quadrant in 0..4 {
            self.expire_quadrant(quadrant, &views);
        }
    }

    /// Marks the scans as stale that saw the edits for which this was left for later. The map may have changed since: a
    /// scan sees the first of the cells that have changed in its path, and that is enough. Then stores what searches have
    /// scanned since.
    pub(crate) fn catch_up(&mut self, grid: &Grid) {
        let (left, scanned) = (core::mem::take(&mut self.left), self.scanned.take());
        if left.len() > MOST_LEFT {
            self.forget();
        } else {
            left.into_iter().for_each(|rect| self.expire_seen(grid, rect));
        }
        if let Some(scanned) = scanned {
            self.keep(scanned);
        }
    }

    /// Whether the map is small, and there are so few searches between edits that storing what they find does not pay.
    fn is_restless(&self) -> bool {
        // Unit tests are about what is stored.
        let is_small = self.numbers.len() <= SMALL && !cfg!(test);
        is_small && self.restless >= RESTLESS && self.restless * FORGOTTEN >= self.count()
    }

    /// Marks everything as stale, unless it is already. No link to a removed corner is left.
    fn forget(&mut self) {
        if !self.is_all_stale {
            for tile in 0..self.tiles.len() {
                for index in 0..self.tiles[tile].corners.len() {
                    self.expire_all(self.tiles[tile].corners[index]);
                }
            }
        }
        (self.is_all_stale, self.last_unseen) = (true, self.edits);
        self.free.append(&mut self.dead);
        self.free.append(&mut self.leaving);
        self.holding.clear();
    }

    /// Scans some of the stale corners that keep numbers from being reused: a few at each edit, so that none takes
    /// long.
    fn free_numbers(&mut self, grid: &Grid, most: usize) {
        let rest = self.holding.len().saturating_sub(most);
        let holding = self.holding.split_off(rest);
        self.renew(grid, &holding, usize::MAX);
        if self.holding.is_empty() {
            self.free.append(&mut self.leaving);
        }
    }

    /// Scans those corners of some that are stale, until this many diagonal steps have been scanned.
    pub(super) fn renew(&mut self, grid: &Grid, numbers: &[u32], most: usize) {
        let (mut found, mut steps) = (Found::default(), 0);
        for &number in numbers {
            if steps <= most && self.corners[number as usize].stale != 0 {
                self.look(grid, number, &mut found);
                self.store(number, &found);
                steps += found.diagonals.iter().map(|steps| usize::from(*steps)).sum::<usize>();
            }
        }
        self.close_gaps_if_many(numbers.len());
    }

    /// Moves what searches have found at stale corners to the other links.
    pub(crate) fn settle(&mut self) {
        let visited = self.visited.take();
        self.is_all_stale &= visited.is_empty();
        for &number in &visited {
            let Some(corner) = self.corners.get(number as usize).filter(|corner| corner.stale != 0) else { continue };
            let slot = corner.first_link as usize;
            if let Some(found) = self.stale[slot].found.take() {
                self.store(number, &found);
            }
        }
        self.close_gaps_if_many(visited.len());
    }

    /// Updates the walls by column in a rectangle on the map.
    pub(super) fn update_columns(&mut self, grid: &Grid, rect: CellRect) {
        for cell in rect.cells() {
            self.columns.set(cell.y as usize + 1, cell.x as usize + 1, !grid.is_free(cell));
        }
    }

    /// Updates the corners in a rectangle on the map. One that is new, or whose surrounding walls have changed, is stale.
    pub(super) fn update_cells(&mut self, grid: &Grid, rect: CellRect) {
        for y in rect.y..rect.y + rect.height {
            for (cell, is_free, walls) in grid.with_walls(y, rect.x..rect.x + rect.width) {
                let is_corner = is_free && self.rule.is_corner(walls);
                match (self.numbers[grid.index(cell)], is_corner) {
                    (NONE, false) => {}
                    (NONE, true) => self.add(grid, cell, walls),
                    (number, true) if self.corners[number as usize].walls == walls => {}
                    (number, true) => {
                        self.corners[number as usize].walls = walls;
                        self.expire_all(number);
                    }
                    (number, false) => self.remove(grid, cell, number),
                }
            }
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are fewer corners than cells, and fewer cells than 2^32"
    )]
    fn add(&mut self, grid: &Grid, cell: Cell, walls: u8) {
        let number = self.free.pop().unwrap_or(self.corners.len() as u32);
        if number as usize == self.corners.len() {
            self.corners.push(Corner::default());
            self.changed.push(0);
            self.cells.push([0; 2]);
        }
        self.corners[number as usize].walls = walls;
        self.landmarks.forget(number);
        self.cells[number as usize] = [cell.x as u16, cell.y as u16];
        self.numbers[grid.index(cell)] = number;
        let tile = self.tile(cell);
        self.tiles[tile].corners.push(number);
        self.expire_all(number);
    }

    fn remove(&mut self, grid: &Grid, cell: Cell, number: u32) {
        let corner = core::mem::take(&mut self.corners[number as usize]);
        self.live_links -= corner.count();
        if corner.stale != 0 {
            self.forget_stale(corner.first_link);
        }
        let tile = self.tile(cell);
        self.tiles[tile].corners.retain(|other| *other != number);
        self.numbers[grid.index(cell)] = NONE;
        self.changed[number as usize] = self.edits;
        self.dead.push(number);
    }
}
