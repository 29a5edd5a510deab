//! What a step reads: boxes, and all that decides about their contacts.

use super::margin::FatBoxes;
use super::queries::Exact;
use crate::ask::{ExactBoxes, Ids, View};
use crate::geometry::Aabb;
use crate::index::Index;
use crate::storage::{IdSet, Layers};
use crate::structure::Structure;

/// All of a box that decides about its contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: crate::geometry::Scalar"))]
pub(super) struct Body<S> {
    pub(super) bounds: Aabb<S>,
    layers: Layers,
    pub(super) is_fixed: bool,
}

/// What a step reads: boxes, and which of them are fixed.
pub(super) struct Scene<'a, I: Structure> {
    /// The fat boxes.
    pub(super) index: &'a Index<I>,
    pub(super) exact: Exact<'a, I::Scalar>,
    pub(super) fixed: &'a IdSet,
}

impl<I: Structure> Clone for Scene<'_, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Structure> Copy for Scene<'_, I> {}

impl<'a, I: Structure> Scene<'a, I> {
    pub(super) fn new(index: &'a Index<I>, fat: &'a FatBoxes<I::Scalar>, fixed: &'a IdSet) -> Self {
        Self { index, exact: Exact::new(index, fat), fixed }
    }

    pub(super) fn view(self) -> View<'a, I, Ids<Exact<'a, I::Scalar>>> {
        self.index.view_by(Ids(self.exact))
    }

    /// The exact box of an id, if it is in use.
    #[inline]
    pub(super) fn bounds(self, id: u32) -> Option<Aabb<I::Scalar>> {
        self.index.get(id).map(|fat| self.exact.exact(id, &fat))
    }

    /// What an id is now, if it is in use.
    #[inline]
    pub(super) fn body(self, id: u32) -> Option<Body<I::Scalar>> {
        let layers = self.index.view().boxes.layers(id);
        Some(Body { bounds: self.bounds(id)?, layers, is_fixed: self.fixed.contains(id) })
    }

    /// Do two bodies have a contact?
    #[inline]
    pub(super) fn meet(self, one: Option<Body<I::Scalar>>, other: Option<Body<I::Scalar>>) -> bool {
        one.zip(other).is_some_and(|(one, other)| {
            !(one.is_fixed && other.is_fixed)
                && self.index.touch(&one.bounds, &other.bounds)
                && one.layers.meets(other.layers, self.index.agreement())
        })
    }
}
