//! What you can ask about the exact boxes, where the index holds fat ones.

use super::BroadPhase;
use super::margin::FatBoxes;
use crate::ask::{ExactBoxes, Ids, View, faces};
use crate::geometry::Aabb;
use crate::index::Index;
use crate::structure::Structure;

faces! {
    impl [I: Structure] BroadPhase<I>;
    item u32; name u32; thing ();
    one id: u32 => |_all| Some(id);
    other [J: Structure<Scalar = I::Scalar>] BroadPhase<J>; item u32; name u32;
    par [];
}

impl<I: Structure> BroadPhase<I> {
    /// The exact boxes.
    pub(crate) fn exact(&self) -> Exact<'_, I> {
        Exact(&self.index, &self.fat)
    }

    pub(crate) fn view(&self) -> View<'_, I, Ids<Exact<'_, I>>> {
        self.exact().view()
    }
}

/// Exact boxes.
pub(crate) struct Exact<'a, I: Structure>(pub(super) &'a Index<I>, pub(super) &'a FatBoxes<I::Scalar>);

impl<I: Structure> Clone for Exact<'_, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Structure> Copy for Exact<'_, I> {}

impl<'a, I: Structure> Exact<'a, I> {
    pub(crate) fn view(self) -> View<'a, I, Ids<Self>> {
        self.0.view_by(Ids(self))
    }
}

impl<I: Structure> ExactBoxes<I::Scalar> for Exact<'_, I> {
    #[inline]
    fn is_exact(self) -> bool {
        self.1.is_empty()
    }

    #[inline]
    fn exact(self, id: u32, seen: &Aabb<I::Scalar>) -> Aabb<I::Scalar> {
        // The index's box is looked up only where it differs, because that is a cache miss.
        if self.1.is_empty() { *seen } else { self.1.exact_in(id, seen, self.0.get(id)) }
    }
}
