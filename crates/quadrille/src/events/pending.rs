//! What has changed since the last step.

use alloc::vec::Vec;

use super::scene::Body;
use crate::error::Corruption;
use crate::geometry::Scalar;
use crate::memory::clone_by_field;
use crate::storage::Marked;

/// Ids that have changed since the last step, with what was there then; once there are too many, only that.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
pub(super) struct Pending<S> {
    ids: Marked,
    /// For each of them, in the same order: what it was at the last step, if it was in use.
    before: Vec<Option<Body<S>>>,
    /// Too many have changed to note each.
    pub(super) is_many: bool,
    /// Ids of boxes that have been removed. They may be in use again.
    pub(super) gone: Marked,
}

clone_by_field!([S: Scalar] Pending<S> { ids, before, is_many, gone });

impl<S: Scalar> Pending<S> {
    /// Everything is new.
    pub(super) const fn everything() -> Self {
        Self { ids: Marked::new(), before: Vec::new(), is_many: true, gone: Marked::new() }
    }

    /// Notes that an id is about to change, and what it was before. More than `most` are too many.
    #[inline]
    pub(super) fn note(&mut self, id: u32, most: impl FnOnce() -> usize, before: impl FnOnce() -> Option<Body<S>>) {
        if self.is_many || self.ids.contains(id) {
            return;
        }
        if self.before.len() >= most() {
            return self.note_all();
        }
        self.ids.push(id);
        self.before.push(before());
    }

    /// Notes that all may have changed.
    pub(super) fn note_all(&mut self) {
        self.forget_changes();
        self.is_many = true;
    }

    fn forget_changes(&mut self) {
        self.ids.clear();
        self.before.clear();
    }

    /// Nothing has changed.
    pub(super) fn clear(&mut self) {
        self.forget_changes();
        self.gone.clear();
        self.is_many = false;
    }

    #[inline]
    pub(super) fn has_changed(&self, id: u32) -> bool {
        self.ids.contains(id)
    }

    /// The ids that have changed, and what they were at the last step; none if they are many.
    pub(super) fn changed(&self) -> impl Iterator<Item = (u32, Option<Body<S>>)> {
        self.ids.as_slice().iter().copied().zip(self.before.iter().copied())
    }

    pub(super) fn validate(&self) -> Result<(), Corruption> {
        self.ids.validate()?;
        self.gone.validate()?;
        let are_known = self.before.len() == self.ids.as_slice().len() && (!self.is_many || self.before.is_empty());
        Corruption::unless(are_known, || "boxes that have changed are not known".into())
    }
}
