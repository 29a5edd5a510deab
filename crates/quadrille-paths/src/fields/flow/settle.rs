//! How the lengths of a field are found: by E. Dijkstra's search from the goals, or, if all cells of a map cost the
//! same and many are requested, by a sweep over its corners.
//!
//! A search can end when the last requested cell is settled, but takes longer per cell. So if that would visit a large
//! part of the map, or turns out to, a sweep replaces it: a field for a few cells never takes much longer than one for
//! all of them.

use super::FlowField;
use super::links::{Ends, Open};
use crate::grid::{Bitmap, Direction, Fixed, Lengths};
use crate::map::{Link, PathMap};
use crate::walks::{Swept, Walks, most_searched};

/// What is left to do before a field is made.
#[derive(Clone, Debug, Default)]
pub(super) enum Rest {
    #[default]
    Nothing,
    /// The requested cells.
    Part(Part),
    /// All cells; not begun.
    All,
    /// All cells, one after the other.
    Settling,
    /// All cells, from corner to corner.
    Sweeping(Swept),
}

/// A search for the lengths of requested cells.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// How many of them are not settled.
    missing: usize,
    /// How many cells may be settled before it is given up.
    left: usize,
    is_settled: Vec<bool>,
}

impl FlowField {
    /// Makes the field from scratch, or visits about this many cells. Faster with the map of its cells, if there is one.
    pub(super) fn make(&mut self, map: Option<&PathMap>, cells: usize) {
        self.begin_anew(map);
        self.go_on(map.map(|map| map.walks().columns), cells);
    }

    /// Begins to make the field from scratch.
    pub(super) fn begin_anew(&mut self, map: Option<&PathMap>) {
        self.asked = self.wanted.clamped(self.grid.width(), self.grid.height());
        self.links = Ends::new(core::mem::take(&mut self.links.links), &self.grid);
        self.sources = self.sources_on_map();
        self.open.clear();
        self.is_complete = self.asked == self.grid.bounds() || !self.links.links.is_empty();
        self.rest = if self.is_complete { Rest::All } else { self.part(map) };
    }

    /// Goes on for about this many cells, without the columns of the map one by one; returns whether nothing is left.
    pub(super) fn go_on(&mut self, columns: Option<&Bitmap>, mut most: usize) -> bool {
        let is_at_once = most == usize::MAX;
        while !self.is_made() && most > 0 {
            self.rest = match core::mem::take(&mut self.rest) {
                Rest::Nothing => Rest::Nothing,
                Rest::Part(part) => self.settle_part(part, &mut most),
                Rest::All => self.all(columns.is_some(), is_at_once),
                Rest::Settling if self.grow(&mut most) => Rest::Nothing,
                Rest::Settling => Rest::Settling,
                Rest::Sweeping(swept) => self.sweep(swept, columns, &mut most),
            };
        }
        self.is_made()
    }

    /// Whether nothing is left.
    pub(super) const fn is_made(&self) -> bool {
        matches!(self.rest, Rest::Nothing)
    }

    /// Whether all steps cost the same.
    pub(super) fn is_plain(&self) -> bool {
        self.weights.is_empty()
    }

    /// Begins with the requested cells, unless that is more work than all of them.
    fn part(&mut self, map: Option<&PathMap>) -> Rest {
        let left = if self.is_plain() { most_searched(self.grid.count()) } else { usize::MAX };
        let missing = map.map_or_else(|| self.count_free(), |map| self.count_connected(map));
        if missing > left {
            self.is_complete = true;
            return Rest::All;
        }
        self.lengths = Lengths::none(self.grid.count());
        self.open_goals();
        Rest::Part(Part { missing, left, is_settled: vec![false; self.grid.count()] })
    }

    /// Begins with all cells.
    fn all(&mut self, has_columns: bool, is_at_once: bool) -> Rest {
        if is_at_once {
            self.lengths.renew(self.grid.count());
        } else {
            self.lengths = Lengths::none(self.grid.count());
        }
        if !self.is_plain() || !has_columns {
            self.open_goals();
            return Rest::Settling;
        }
        let mut swept = Swept::new(core::mem::take(&mut self.lengths));
        for (item, start) in &self.sources {
            if self.grid.is_free(self.grid.cell(*item)) {
                swept.begin(*item as usize, *start);
            }
        }
        Rest::Sweeping(swept)
    }

    /// Goes on with a sweep from corner to corner.
    fn sweep(&mut self, mut swept: Swept, columns: Option<&Bitmap>, most: &mut usize) -> Rest {
        let Some(columns) = columns else { return Rest::All };
        let walks = Walks { rule: self.rule, rows: self.grid.walls(), columns };
        let is_done = if self.links.exits.is_empty() {
            swept.go_on(&self.grid, walks, &(), *most)
        } else {
            swept.go_on(&self.grid, walks, &Open(&self.links, &self.grid), *most)
        };
        *most = 0;
        if !is_done {
            return Rest::Sweeping(swept);
        }
        self.lengths = swept.lengths;
        Rest::Nothing
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
    pub(super) fn grow(&mut self, most: &mut usize) -> bool {
        while let Some((bucket, item)) = self.open.pop() {
            let here = self.lengths.get(item as usize);
            // If the cell was opened again with a shorter length, it has been settled since.
            if here.bucket() == bucket {
                if *most == 0 {
                    self.open.push_to(bucket, item);
                    return false;
                }
                *most -= 1;
                self.relax_neighbors(item, here);
            }
        }
        true
    }

    /// The same, until a number of requested cells are settled. If it turns out to be more work than all of them, these
    /// are what is left.
    fn settle_part(&mut self, mut part: Part, most: &mut usize) -> Rest {
        while part.missing > 0 && *most > 0 {
            let Some((_, item)) = self.open.pop() else { return Rest::Nothing };
            if part.left == 0 {
                self.open.clear();
                self.is_complete = true;
                return Rest::All;
            }
            if !core::mem::replace(&mut part.is_settled[item as usize], true) {
                *most -= 1;
                part.left -= 1;
                part.missing -= usize::from(self.asked.contains(self.grid.cell(item)));
                self.relax_neighbors(item, self.lengths.get(item as usize));
            }
        }
        if part.missing > 0 {
            return Rest::Part(part);
        }
        self.open.clear();
        Rest::Nothing
    }

    #[inline]
    fn relax_neighbors(&mut self, item: u32, here: Fixed) {
        let weight = self.weights.get(item as usize).copied().unwrap_or(1);
        // Not `Grid::steps`, with which a field on weighted terrain executes a thirtieth more instructions.
        for direction in Direction::of(self.rule.legal_steps(self.grid.walls_around(self.grid.cell(item)))) {
            let next = item.wrapping_add_signed(self.grid.stride(direction));
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
