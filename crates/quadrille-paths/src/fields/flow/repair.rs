//! How a field is brought up to date after edits: cells whose length no longer follows from any neighbor lose it,
//! nearest to the goals first, and the search continues from what is left around them and around the edit (G.
//! Ramalingam and T. Reps, *An Incremental Algorithm for a Generalization of the Shortest-Path Problem*, 1996).

use super::FlowField;
use super::links::Ends;
use crate::grid::{CellRect, Fixed, Lengths, Stamp};
use crate::map::{Link, LinkError, PathMap, TerrainMap};

/// If more than one cell in this many has changed, making a field from scratch takes no longer than a repair.
const WORTH_A_SWEEP: usize = 32;
/// The same for a field with weights or links, which takes longer to make.
const WORTH_A_SEARCH: usize = 4;

impl FlowField {
    /// Brings the field up to date with its map after edits. Returns whether the map has changed.
    ///
    /// The cost depends on how many cells have changed their length: for a door, a small part of making the field. If
    /// there are many, or if the field covers only a small part of the map, it is made from scratch. After more edits than
    /// 256 or one for 32 cells, only the 32-cell tiles in which they lie are known. Weights stay as they were.
    ///
    /// On another map, a clone included, it is made from scratch for the same goals and cells. If that is impossible,
    /// because it has the weights of some terrain, or links that together would be too long, no cell has a length.
    pub fn repair(&mut self, map: &PathMap) -> bool {
        self.repair_within(map, usize::MAX)
    }

    /// The same, or the beginning of it: a repair that takes longer than visiting `cells` is given up, and the field begun
    /// anew.
    pub(super) fn repair_within(&mut self, map: &PathMap, cells: usize) -> bool {
        let is_changed = self.stamp != map.stamp();
        if !is_changed {
            return false;
        }
        let can_move = self.weights.is_empty() && LinkError::check(&self.links.links, map.grid()).is_ok();
        if can_move || self.stamp.is_same_map(map.stamp()) && !self.is_void() {
            let edits = self.worth_mending(map.edits().since(self.stamp), cells);
            self.show(map, edits.as_deref());
            self.catch_up(Some(map), edits, cells);
        } else {
            self.void(map.stamp());
        }
        true
    }

    /// The same for a [weighted](Self::weighted) field, whose weights follow the terrain. One that is not weighted
    /// stays as it is.
    ///
    /// On another map no cell has a length if it is too large for the weights.
    pub fn repair_weighted(&mut self, map: &TerrainMap) -> bool {
        self.repair_weighted_within(map, usize::MAX)
    }

    /// As [`repair_within`](Self::repair_within).
    pub(super) fn repair_weighted_within(&mut self, map: &TerrainMap, cells: usize) -> bool {
        let Some(weighting) = self.weighting.as_mut().filter(|weighting| weighting.stamp != map.stamp()) else {
            return false;
        };
        let (agent, by_kind) = (weighting.agent, weighting.by_kind);
        let then = core::mem::replace(&mut weighting.stamp, map.stamp());
        if !then.is_same_map(map.stamp()) {
            let starts: Vec<_> = self.goals.iter().copied().zip(self.starts.iter().copied()).collect();
            match Self::blank_weighted(map, (agent, &by_kind), &starts, self.wanted) {
                Ok(blank) => {
                    *self = blank;
                    self.make(map.paths(agent), cells);
                }
                Err(_) => self.void(self.stamp),
            }
            return true;
        }
        let (edits, paths) = (map.edits_since(then, agent), map.paths(agent));
        let parts = map.parts(agent, edits.as_deref());
        let edits = self.worth_mending(edits, cells);
        if let Some(paths) = paths {
            self.show(paths, edits.as_deref());
        } else {
            for &part in &parts {
                let can_stand = map.can_stand_in(agent, part);
                part.cells().for_each(|cell| self.grid.set(cell, can_stand(cell)));
            }
            self.stamp = map.stamp();
        }
        map.renew_weights((agent, &by_kind), &self.grid, &parts, &mut self.weights);
        self.catch_up(paths, edits, cells);
        true
    }

    /// Clears all lengths: there can be no such field on this map, however that is edited.
    fn void(&mut self, stamp: Stamp) {
        (self.stamp, self.asked, self.is_complete) = (stamp, CellRect::default(), false);
        self.lengths = Lengths::default();
        if let Some(weighting) = &mut self.weighting {
            weighting.stamp = Stamp::default();
        }
    }

    /// Whether its lengths were cleared.
    fn is_void(&self) -> bool {
        self.lengths.len() < self.grid.count()
    }

    /// Copies the cells of a map: those within some rectangles, or all.
    fn show(&mut self, map: &PathMap, edits: Option<&[CellRect]>) {
        match edits {
            Some(edits) => {
                let cells = edits.iter().flat_map(|edit| edit.cells());
                cells.for_each(|cell| self.grid.set(cell, map.grid().is_free(cell)));
            }
            None => self.grid = map.grid().clone(),
        }
        (self.rule, self.stamp) = (map.rule(), map.stamp());
    }

    /// The edits, unless making the field, or visiting this many cells, takes no longer than mending what they have changed.
    fn worth_mending(&self, edits: Option<Vec<CellRect>>, cells: usize) -> Option<Vec<CellRect>> {
        // All cells that a repair begins with.
        let near = |edits: &[CellRect]| edits.iter().map(|edit| edit.widened(1, 1).count()).sum::<usize>();
        edits.filter(|edits| self.is_complete && near(edits) <= self.most_mended(cells))
    }

    fn most_mended(&self, cells: usize) -> usize {
        cells.min(self.lengths.len() / if self.is_plain() { WORTH_A_SWEEP } else { WORTH_A_SEARCH })
    }

    /// Brings the lengths up to date after edits within some rectangles that are worth mending, or others.
    fn catch_up(&mut self, map: Option<&PathMap>, edits: Option<Vec<CellRect>>, cells: usize) {
        if !edits.is_some_and(|edits| self.mend(&edits, self.most_mended(cells))) {
            self.make(map, cells);
        }
    }

    /// Updates the lengths that edits have changed; gives up and returns false if there are more than `most` of them.
    fn mend(&mut self, edits: &[CellRect], most: usize) -> bool {
        let near = self.near(edits);
        let Some(lost) = self.lose(&near, most) else { return false };
        for &item in lost.iter().chain(&near) {
            let length = self.lengths.get(item as usize);
            if length == Fixed::MAX {
                self.reopen(item);
            } else if self.grid.is_free(self.grid.cell(item)) {
                // Steps from here may have become legal.
                self.open.push(length, item);
            }
        }
        self.open_goals();
        self.grow(&mut { most })
    }

    /// The cells of some edits, and those beside them.
    fn near(&self, edits: &[CellRect]) -> Vec<u32> {
        let around = |edit: &CellRect| edit.widened(1, 1).clamped(self.grid.width(), self.grid.height()).cells();
        edits.iter().flat_map(around).map(|cell| self.grid.index(cell) as u32).collect()
    }

    /// Clears the length of each cell whose path to a goal the edits around `near` have broken, and returns these cells;
    /// `None` if there are more than `most`.
    fn lose(&mut self, near: &[u32], most: usize) -> Option<Vec<u32>> {
        let mut lost = Vec::new();
        for &item in near {
            let length = self.lengths.get(item as usize);
            if length != Fixed::MAX {
                self.open.push(length, item);
            }
        }
        while let Some((_, item)) = self.open.pop() {
            let (cell, here) = (self.grid.cell(item), self.lengths.get(item as usize));
            if here == Fixed::MAX || self.grid.is_free(cell) && (self.is_source(item) || self.step(cell).is_some()) {
                continue;
            }
            self.lengths.set(item as usize, Fixed::MAX);
            lost.push(item);
            if lost.len() > most {
                return None;
            }
            // Paths through this cell are longer than its own. Steps that an edit made illegal lead to cells opened
            // above.
            for (_, next) in self.grid.steps(cell, item, self.rule) {
                self.doubt(next, here);
            }
            for place in Ends::at(&self.links.exits, item) {
                let Link { from, .. } = self.links.links[self.links.exits[place].1];
                self.doubt(self.grid.index(from) as u32, here);
            }
        }
        Some(lost)
    }

    /// Opens a cell if its path may have led through one that has lost a shorter length.
    fn doubt(&mut self, item: u32, lost: Fixed) {
        let length = self.lengths.get(item as usize);
        if length != Fixed::MAX && lost < length {
            self.open.push(length, item);
        }
    }

    /// Gives a free cell the shortest length that its neighbors and links allow.
    fn reopen(&mut self, item: u32) {
        let cell = self.grid.cell(item);
        if !self.grid.is_free(cell) {
            return;
        }
        let by_step = self.grid.steps(cell, item, self.rule).filter_map(|step| self.length_beside(step));
        let by_link = self.links.entered_at(item).filter_map(|link| self.length_by(link));
        if let Some(length) = by_step.chain(by_link).min() {
            self.relax(item, length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Cell, CostRule, Grid};

    #[test]
    fn a_repair_after_a_small_edit_copies_no_other_cells() {
        let mut map = PathMap::new(Grid::open(90, 70).unwrap(), CostRule::Octile);
        let mut field = FlowField::new(&map, Cell::new(9, 9), map.grid().bounds());
        let kept = field.grid.walls().line(1).as_ptr();
        map.set(Cell::new(40, 30), false);
        assert!(field.repair(&map));
        assert!(field.grid.walls().line(1).as_ptr() == kept && !field.grid.is_free(Cell::new(40, 30)));
    }
}
