//! A hull of all boxes of a structure: nothing beside it is searched, however many boxes one cell holds.

use crate::error::Corruption;
use crate::geometry::{Aabb, Scalar};
use crate::storage::Boxes;

/// A box around all boxes: the smallest one after [`tighten`](Self::tighten), and larger than needed after boxes have
/// moved. Snapshots omit it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent<S> {
    hull: Aabb<S>,
    /// Something at its edge has gone or moved.
    is_loose: bool,
}

impl<S: Scalar> Default for Extent<S> {
    fn default() -> Self {
        Self { hull: Aabb::EMPTY, is_loose: false }
    }
}

impl<S: Scalar> Extent<S> {
    pub(super) fn of(boxes: &Boxes<S>) -> Self {
        // Free slots hold the empty box.
        Self { hull: Aabb::from_boxes(boxes.all()), is_loose: false }
    }

    pub(super) fn hull(&self) -> &Aabb<S> {
        &self.hull
    }

    /// A box comes.
    #[inline]
    pub(super) fn widen(&mut self, bounds: &Aabb<S>) {
        if !self.hull.contains(bounds) {
            self.hull = self.hull.union(bounds);
        }
    }

    /// A box that was `old` goes.
    #[inline]
    pub(super) fn loosen(&mut self, old: &Aabb<S>) {
        let is_inner = |axis: usize| (self.hull.min[axis] < old.min[axis]) & (old.max[axis] < self.hull.max[axis]);
        self.is_loose |= !(is_inner(0) & is_inner(1));
    }

    /// Every box lies in the hull.
    pub(super) fn validate(&self, boxes: &Boxes<S>) -> Result<(), Corruption> {
        let is_sound = boxes.iter().all(|(_, bounds)| self.hull.contains(&bounds));
        Corruption::unless(is_sound, || alloc::format!("boxes stick out of {:?}", self.hull))
    }

    /// Makes the hull as small as possible.
    pub(super) fn tighten(&mut self, boxes: &Boxes<S>) {
        if self.is_loose {
            *self = Self::of(boxes);
        }
    }
}
