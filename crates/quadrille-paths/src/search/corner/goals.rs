//! The goals of a search: one, or many in groups of neighbors.
//!
//! A search for the nearest of many goals needs for each corner a lower bound on the distance to all of them, and those
//! that the corner sees. So goals are divided into groups, by halves, along the longer side of the rectangle around
//! them. The bound is the least distance to one of these rectangles, and a group is looked into only if some cell of its
//! rectangle could be seen. Up to [`MAX_GROUPS`] goals have a group each, and the bound is then the distance to the
//! nearest.

use core::ops::Range;

use crate::grid::{Cell, CellRect, CostRule, Direction, Length};
use crate::walks::{Changed, Walks};

/// The most groups; a power of two. Each costs some two nanoseconds per corner; fewer make bounds weaker.
const MAX_GROUPS: usize = 64;

/// A goal, and how many steps are free north, east, south and west of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub(super) cell: Cell,
    pub(super) free: [u32; 4],
}

/// Goals with the rectangle around them.
#[derive(Clone, Debug)]
struct Group {
    bounds: CellRect,
    goals: Range<usize>,
}

/// All goals of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Goals {
    all: Vec<Goal>,
    groups: Vec<Group>,
}

impl Goals {
    /// Replaces them.
    pub(super) fn set(&mut self, walks: &Walks<'_>, cells: &[Cell]) {
        self.all.clear();
        self.all.extend(cells.iter().map(|cell| Goal::new(walks, *cell)));
        self.groups.clear();
        if cells.len() > 1 {
            self.divide(0..cells.len(), MAX_GROUPS);
        }
    }

    /// Divides some of them into at most this many groups.
    fn divide(&mut self, goals: Range<usize>, most: usize) {
        let some = &mut self.all[goals.clone()];
        let bounds = CellRect::holding(some.iter().map(|goal| goal.cell)).unwrap_or_default();
        if most == 1 || some.len() == 1 {
            return self.groups.push(Group { bounds, goals });
        }
        let (half, is_wide) = (some.len() / 2, bounds.width > bounds.height);
        some.select_nth_unstable_by_key(half, |goal| if is_wide { goal.cell.x } else { goal.cell.y });
        self.divide(goals.start..goals.start + half, most / 2);
        self.divide(goals.start + half..goals.end, most / 2);
    }

    pub(super) fn all(&self) -> &[Goal] {
        &self.all
    }

    /// The goal, if there is only one.
    #[inline]
    pub(super) fn only(&self) -> Option<Goal> {
        if let [goal] = *self.all { Some(goal) } else { None }
    }

    /// A lower bound on the distance to the nearest.
    #[inline]
    pub(super) fn estimate(&self, rule: CostRule, cell: Cell) -> Length {
        match &*self.all {
            [goal] => rule.distance(cell, goal.cell),
            _ => {
                let distances = self.groups.iter().map(|group| rule.distance(cell, group.bounds.nearest(cell)));
                distances.min().unwrap_or(Length::ZERO)
            }
        }
    }

    /// Those of many that may be seen from a cell from which this many diagonal steps are legal.
    #[inline]
    pub(super) fn ahead(&self, rule: CostRule, cell: Cell, diagonal: u32) -> impl Iterator<Item = &Goal> {
        let may_be_seen =
            move |group: &&Group| u32::from(Changed::steps(rule, cell, group.bounds.nearest(cell))) <= diagonal;
        self.groups.iter().filter(may_be_seen).flat_map(|group| &self.all[group.goals.clone()])
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<Goal>() + self.groups.capacity() * size_of::<Group>()
    }
}

impl Goal {
    pub(super) fn new(walks: &Walks<'_>, cell: Cell) -> Self {
        let free = [0, 2, 4, 6].map(|direction: usize| walks.free_steps(cell, Direction::ALL[direction]));
        Self { cell, free }
    }

    /// Whether the canonical path to the goal is free, given how many of its diagonal steps are; that is asked for last.
    #[inline]
    pub(super) fn is_ahead(&self, rule: CostRule, cell: Cell, diagonal: impl FnOnce() -> u32) -> bool {
        let (dx, dy) = (self.cell.x as i32 - cell.x as i32, self.cell.y as i32 - cell.y as i32);
        let (width, height) = (dx.unsigned_abs(), dy.unsigned_abs());
        // If the goal lies north of the cell, what matters is what is free to the south of the goal, and so on.
        let vertical = |steps: u32| steps <= self.free[if dy < 0 { 2 } else { 0 }];
        let horizontal = |steps: u32| steps <= self.free[if dx > 0 { 3 } else { 1 }];
        let (steps, is_rest_free) = match rule {
            CostRule::Manhattan => (width, vertical(height)),
            _ if width > height => (height, horizontal(width - height)),
            _ => (width, vertical(height - width)),
        };
        is_rest_free && steps <= diagonal()
    }
}
