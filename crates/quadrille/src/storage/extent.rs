//! A hull of all boxes: nothing beside it is searched, however many boxes one cell holds.

use crate::error::Corruption;
use crate::geometry::{Aabb, Scalar};

/// A box around all boxes: the smallest one after [`tighten`](Self::tighten), and larger than needed after boxes have
/// moved. Snapshots omit it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent<S> {
    pub(super) hull: Aabb<S>,
    /// Something at its edge has gone or moved.
    is_loose: bool,
}

impl<S: Scalar> Extent<S> {
    /// Of the boxes of all slots, of which free ones hold the empty box.
    pub(super) fn of(boxes: &[Aabb<S>]) -> Self {
        Self { hull: Aabb::from_boxes(boxes), is_loose: false }
    }

    /// A slot gets another box.
    #[inline]
    pub(super) fn replace(&mut self, old: &Aabb<S>, now: &Aabb<S>) {
        let is_inner = |axis: usize| (self.hull.min[axis] < old.min[axis]) & (old.max[axis] < self.hull.max[axis]);
        self.is_loose |= !(is_inner(0) & is_inner(1));
        self.hull = self.hull.union(now);
    }

    /// Makes the hull as small as possible.
    pub(super) fn tighten(&mut self, boxes: &[Aabb<S>]) {
        if self.is_loose {
            *self = Self::of(boxes);
        }
    }

    /// Every box lies in the hull.
    pub(super) fn validate(&self, mut boxes: impl Iterator<Item = (u32, Aabb<S>)>) -> Result<(), Corruption> {
        let is_sound = boxes.all(|(_, bounds)| self.hull.contains(&bounds));
        Corruption::unless(is_sound, || alloc::format!("boxes stick out of {:?}", self.hull))
    }
}
