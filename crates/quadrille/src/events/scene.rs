//! What a step reads: boxes, and all that decides about their contacts.

use crate::arranged::Arranged;
use crate::ask::{Ids, View};
use crate::geometry::Aabb;
use crate::storage::{IdSet, Layers};
use crate::structure::Structure;

/// All of a box that decides about its contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: crate::geometry::Scalar"))]
pub(super) struct Body<S> {
    pub(super) bounds: Aabb<S>,
    pub(super) layers: Layers,
    pub(super) is_fixed: bool,
}

/// What a step reads: boxes, and which of them are fixed.
#[derive(Debug)]
pub struct Scene<'a, I: Structure> {
    pub(super) all: &'a Arranged<I>,
    pub(super) fixed: &'a IdSet,
}

impl<I: Structure> Clone for Scene<'_, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Structure> Copy for Scene<'_, I> {}

impl<'a, I: Structure> Scene<'a, I> {
    pub(super) fn view(self) -> View<'a, I, Ids> {
        self.all.view()
    }

    /// What an id is now, if it is in use.
    #[inline]
    pub(super) fn body(self, id: u32) -> Option<Body<I::Scalar>> {
        self.all.boxes.get(id).map(|bounds| self.body_in(id, bounds))
    }

    /// What an id is, whose box this is.
    #[inline]
    pub(super) fn body_in(self, id: u32, bounds: Aabb<I::Scalar>) -> Body<I::Scalar> {
        Body { bounds, layers: self.all.boxes.layers(id), is_fixed: self.fixed.contains(id) }
    }

    /// Do two bodies have a contact?
    #[inline]
    pub(super) fn meet(self, one: &Option<Body<I::Scalar>>, other: &Option<Body<I::Scalar>>) -> bool {
        let (Some(one), Some(other)) = (one, other) else { return false };
        self.all.structure.touch(&one.bounds, &other.bounds)
            && !(one.is_fixed && other.is_fixed)
            && one.layers.meets(other.layers, self.all.boxes.agreement())
    }
}
