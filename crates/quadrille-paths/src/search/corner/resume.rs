//! Searches that are suspended, and resumed unless an edit affects them.

use super::{Goal, Node, Scratch, Search};
use crate::corners::{Corners, Link};
use crate::grid::{Cell, CostRule, Grid};

/// What a suspended search depends on, besides the corners that it has reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Footing {
    /// The corners that the start sees, and how far its diagonals go.
    seen: Vec<(Link, Cell)>,
    diagonals: Vec<u16>,
    goals: Vec<[u32; 4]>,
    landmarks_removed: u64,
}

impl<'a> Search<'a> {
    /// The last search that was started with this scratch, on the same, unchanged map. If its landmarks have been
    /// dropped since, it continues without their bounds.
    pub(crate) const fn resume(grid: &'a Grid, corners: &'a Corners, rule: CostRule, scratch: &'a mut Scratch) -> Self {
        Self { grid, corners, rule, known: None, scratch }
    }

    /// What it depends on now. Costs a scan of the map from the start.
    pub(crate) fn footing(&self) -> Footing {
        let (walks, mut seen) = (self.corners.walks(self.grid), Vec::new());
        let diagonals = self.rule.first_directions().map(|direction| {
            walks.go(self.scratch.start, direction, |cell, arrival| {
                if let Some(number) = self.corners.number(self.grid, cell) {
                    seen.push((Link::new(number, arrival), cell));
                }
            })
        });
        Footing {
            diagonals: diagonals.collect(),
            seen,
            goals: self.scratch.goals.all().iter().map(|goal| Goal::new(&walks, goal.cell).free).collect(),
            landmarks_removed: self.corners.landmarks.removed(),
        }
    }

    /// Prepares to resume after edits, if none after this many of them affects it: no corner that it has opened has
    /// changed, nor has what it depends on. Otherwise, or if that is not known, returns false.
    pub(crate) fn outlasts(&mut self, edits: u64, then: &Footing) -> bool {
        let is_whole = self.scratch.reached.iter().all(|number| self.corners.is_as_after(edits, *number));
        let can_go_on = !self.scratch.has_scanned && is_whole && self.footing() == *then;
        // There may be new corners.
        let numbers = self.corners.count_numbers().max(self.scratch.nodes.len());
        self.scratch.nodes.resize(numbers, Node::default());
        can_go_on
    }
}
