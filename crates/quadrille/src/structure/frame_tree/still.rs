//! Which boxes are fixed, and which groups of a frame tree hold no others: see `walls.rs`.

use alloc::vec::Vec;
use core::ops::Range;

use super::order::levels::Levels;
use crate::error::Corruption;
use crate::geometry::{Aabb, Scalar};
use crate::kernel::LANES;
use crate::memory::clone_by_field;
use crate::storage::{Boxes, NONE, bytes_of, make_room};

/// Slots of a group.
pub(super) const GROUP: usize = LANES * LANES;

/// Everything is sorted once one box in this many, and besides some that can always wait, is fixed and lies among those
/// that move. More: boxes at rest are copied and compared for longer. Fewer: sorted more often while walls are built.
const ASTRAY: usize = 8;
const WAITING: usize = 2 * GROUP;

/// Which boxes are fixed, and which groups hold no others.
#[derive(Debug, Default)]
pub(super) struct Still {
    /// By id; ids beyond are not fixed.
    fixed: Vec<bool>,
    pub(super) count: usize,
    /// Groups that hold fixed boxes only, and how many they hold.
    pub(super) groups: Range<usize>,
    pub(super) held: usize,
    /// No other groups do, as far as boxes were sorted.
    pub(super) is_known: bool,
    /// A fixed box has been moved in a whole frame.
    moved: bool,
    /// Memory to use again.
    pub(super) spare: Vec<u32>,
}

clone_by_field!([] Still { fixed, count, groups, held, is_known, moved, spare });

impl Still {
    pub(super) fn is_fixed(&self, id: u32) -> bool {
        self.fixed.get(id as usize).copied().unwrap_or(false)
    }

    /// Notes whether a box is fixed. `false` if that was known.
    pub(super) fn set(&mut self, id: u32, is_fixed: bool) -> bool {
        if self.is_fixed(id) == is_fixed {
            return false;
        }
        let id = id as usize;
        make_room(&mut self.fixed, id + 1);
        self.fixed.resize(self.fixed.len().max(id + 1), false);
        self.fixed[id] = is_fixed;
        self.count = if is_fixed { self.count + 1 } else { self.count - 1 };
        true
    }

    /// The box of an id is gone.
    pub(super) fn forget(&mut self, id: u32) {
        self.set(id, false);
    }

    /// A box leaves a group. That before those at rest may now be one of them.
    pub(super) fn leave(&mut self, group: usize) {
        self.held -= usize::from(self.groups.contains(&group));
        self.is_known &= group + 1 != self.groups.start;
    }

    /// Slots have changed: no group is known to be at rest.
    pub(super) fn lose(&mut self) {
        (self.groups, self.held, self.is_known) = (0..0, 0, false);
    }

    /// All boxes go.
    pub(super) fn clear(&mut self) {
        self.fixed.clear();
        (self.count, self.moved) = (0, false);
        self.lose();
    }

    /// The groups that hold fixed boxes only.
    pub(super) fn groups(&self) -> Range<usize> {
        self.groups.clone()
    }

    /// The packs whose boxes are where they were at the last refit.
    pub(super) fn packs_at_rest(&self) -> Range<usize> {
        if self.moved { 0..0 } else { self.groups.start * LANES..self.groups.end * LANES }
    }

    /// All boxes have been copied to their slots.
    pub(super) fn settle(&mut self) {
        self.moved = false;
    }

    /// Notes whether a frame, which is about to replace all boxes, moves a fixed one. If it is not known which groups are
    /// at rest, some may be found before boxes are copied.
    pub(super) fn note_frame<S: Scalar>(&mut self, boxes: &Boxes<S>, now: &[Aabb<S>]) {
        if self.moved || (self.is_known && self.groups.is_empty()) {
            return;
        }
        let all = self.fixed.iter().zip(boxes.all()).zip(now);
        self.moved = all.fold(false, |moved, ((is_fixed, old), new)| moved | (is_fixed & old.differs(new)));
    }

    /// Are most boxes fixed?
    pub(super) fn are_most(&self, boxes: usize) -> bool {
        2 * self.count > boxes
    }

    /// Do many fixed boxes lie among those that move? Of those that are `parted` together, all may.
    pub(super) fn are_astray(&self, boxes: usize, parted: usize) -> bool {
        self.are_most(boxes) && self.count > self.held + boxes / ASTRAY + WAITING + parted
    }

    pub(super) fn bytes(&self) -> [usize; 2] {
        bytes_of(&self.fixed)
    }

    /// Groups at rest hold fixed boxes only, and are there.
    pub(super) fn validate<S: Scalar>(&self, order: &[u32], levels: &Levels<S>) -> Result<(), Corruption> {
        let is_whole = self.groups.end <= levels.groups() && self.groups.end * GROUP <= order.len();
        let is_sound = is_whole && self.groups.clone().all(|group| self.is_at_rest(order, group));
        Corruption::unless(is_sound, || "a box that moves is among fixed ones".into())
    }

    pub(super) fn is_at_rest(&self, order: &[u32], group: usize) -> bool {
        order[group * GROUP..][..GROUP].iter().all(|&id| id == NONE || self.is_fixed(id))
    }
}
