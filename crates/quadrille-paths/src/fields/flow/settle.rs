//! How the lengths of a field are found: by E. Dijkstra's search from the goals, or, if all cells of a map cost the
//! same and many are requested, by a sweep over its corners.
//!
//! A search can end when the last requested cell is settled, but takes longer per cell. So if that would visit a large
//! part of the map, or turns out to, a sweep replaces it: a field for a few cells never takes much longer than one for
//! all of them.

use super::FlowField;
use super::links::{Ends, Open};
use crate::grid::cell::Direction;
use crate::grid::fixed::Fixed;
use crate::grid::lengths::Lengths;
use crate::map::PathMap;
use crate::map::links::Link;
use crate::walks::sweep::{Swept, most_searched};

impl FlowField {
    /// Makes the field from scratch. Faster with the map of its cells, if there is one.
    pub(super) fn make(&mut self, map: Option<&PathMap>) {
        self.asked = self.wanted.clamped(self.grid.width(), self.grid.height());
        self.links = Ends::new(core::mem::take(&mut self.links.links), &self.grid);
        self.sources = self.sources_on_map();
        self.open.clear();
        self.is_complete = self.asked == self.grid.bounds() || !self.links.links.is_empty() || !self.search(map);
        if self.is_complete {
            self.lengths.renew(self.grid.count());
            self.settle_all(map);
        }
    }

    /// Whether all steps cost the same.
    pub(super) fn is_plain(&self) -> bool {
        self.weights.is_empty()
    }

    /// Settles the requested cells, from the goals outward; returns whether that was less work than settling all.
    fn search(&mut self, map: Option<&PathMap>) -> bool {
        let most = if self.is_plain() { most_searched(self.grid.count()) } else { usize::MAX };
        let missing = map.map_or_else(|| self.count_free(), |map| self.count_connected(map));
        if missing > most {
            return false;
        }
        self.lengths = Lengths::none(self.grid.count());
        self.open_goals();
        let is_done = self.grow_until(missing, most);
        self.open.clear();
        is_done
    }

    /// Settles all cells.
    fn settle_all(&mut self, map: Option<&PathMap>) {
        if let Some(map) = map.filter(|_| self.is_plain()) {
            return self.sweep(map);
        }
        self.open_goals();
        self.grow(usize::MAX);
    }

    /// Finds the lengths of all cells from corner to corner.
    fn sweep(&mut self, map: &PathMap) {
        let mut swept = Swept::new(core::mem::take(&mut self.lengths));
        for (item, start) in &self.sources {
            if self.grid.is_free(self.grid.cell(*item)) {
                swept.begin(*item as usize, *start);
            }
        }
        if self.links.exits.is_empty() {
            swept.go_on(&self.grid, map.walks(), &(), usize::MAX);
        } else {
            swept.go_on(&self.grid, map.walks(), &Open(&self.links, &self.grid), usize::MAX);
        }
        self.lengths = swept.lengths;
    }

    /// How many requested cells are connected to a goal.
    fn count_connected(&self, map: &PathMap) -> usize {
        let components = map.components();
        let labels = self.goals.iter().filter_map(|goal| components.label(*goal));
        let mut labels: Vec<u64> = labels.map(u64::from).collect();
        labels.sort_unstable();
        labels.dedup();
        labels.into_iter().map(|label| components.count_cells(label as u32, self.asked) as usize).sum()
    }

    /// An upper bound on the number of requested cells connected to a goal.
    fn count_free(&self) -> usize {
        self.asked.cells().filter(|cell| self.grid.is_free(*cell)).count()
    }

    pub(super) fn open_goals(&mut self) {
        for source in 0..self.sources.len() {
            let (item, start) = self.sources[source];
            if self.grid.is_free(self.grid.cell(item)) {
                self.relax(item, start);
            }
        }
    }

    /// The goals on the map by index, each with the least length with which it begins.
    fn sources_on_map(&self) -> Vec<(u32, Fixed)> {
        let goals = self.goals.iter().zip(&self.starts).filter(|(goal, _)| self.grid.contains(**goal));
        let mut sources: Vec<u64> =
            goals.map(|(goal, steps)| (self.grid.index(*goal) as u64) << 16 | u64::from(*steps)).collect();
        sources.sort_unstable();
        sources.dedup_by_key(|source| *source >> 16);
        let start = |steps: u16| Fixed::of_step(Direction::North, steps.into());
        sources.into_iter().map(|source| ((source >> 16) as u32, start(source as u16))).collect()
    }

    /// Settles cells in the order of their lengths. A cell that was opened twice in its bucket is settled twice, to no
    /// effect. Returns false if it has settled `most` and others are left.
    pub(super) fn grow(&mut self, mut most: usize) -> bool {
        while let Some((bucket, item)) = self.open.pop() {
            let here = self.lengths.get(item as usize);
            // If the cell was opened again with a shorter length, it has been settled since.
            if here.bucket() == bucket {
                if most == 0 {
                    return false;
                }
                most -= 1;
                self.relax_neighbors(item, here);
            }
        }
        true
    }

    /// The same, until a number of requested cells are settled.
    fn grow_until(&mut self, mut missing: usize, mut most: usize) -> bool {
        let mut is_settled = vec![false; self.lengths.len()];
        while missing > 0 {
            let Some((_, item)) = self.open.pop() else { return true };
            if most == 0 {
                return false;
            }
            if !core::mem::replace(&mut is_settled[item as usize], true) {
                most -= 1;
                missing -= usize::from(self.asked.contains(self.grid.cell(item)));
                self.relax_neighbors(item, self.lengths.get(item as usize));
            }
        }
        true
    }

    #[inline]
    fn relax_neighbors(&mut self, item: u32, here: Fixed) {
        let weight = self.weights.get(item as usize).copied().unwrap_or(1);
        for direction in self.legal_directions(self.grid.cell(item)) {
            let next = self.beside(item, direction);
            self.relax(next, here + Fixed::of_step(direction, weight));
        }
        for place in Ends::at(&self.links.exits, item) {
            let Link { from, steps, .. } = self.links.links[self.links.exits[place].1];
            if self.grid.is_free(from) {
                self.relax(self.grid.index(from) as u32, here + Fixed::of_step(Direction::North, steps.into()));
            }
        }
    }

    #[inline]
    pub(super) fn relax(&mut self, item: u32, length: Fixed) {
        if length < self.lengths.get(item as usize) {
            self.lengths.set(item as usize, length);
            self.open.push(length, item);
        }
    }
}
