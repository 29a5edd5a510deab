//! What you can ask about the exact boxes, where the index holds fat ones.

use super::BroadPhase;
use super::margin::FatBoxes;
use crate::ask::{ExactBoxes, Ids, View, faces};
use crate::geometry::{Aabb, Scalar};
use crate::index::Index;
use crate::storage::Boxes;
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
    pub(crate) fn exact(&self) -> Exact<'_, I::Scalar> {
        Exact::new(&self.index, &self.fat)
    }

    pub(crate) fn view(&self) -> View<'_, I, Ids<Exact<'_, I::Scalar>>> {
        self.index.view_by(Ids(self.exact()))
    }
}

/// Exact boxes. The type does not name the structure, so queries are compiled once for a structure used by its own
/// type, within [`AnyStructure`](crate::AnyStructure) and in a world that wraps.
#[derive(Clone, Copy)]
pub(crate) struct Exact<'a, S>(&'a Boxes<S>, &'a FatBoxes<S>);

impl<'a, S: Scalar> Exact<'a, S> {
    pub(super) fn new<I: Structure<Scalar = S>>(index: &'a Index<I>, fat: &'a FatBoxes<S>) -> Self {
        Self(index.view().boxes, fat)
    }
}

impl<S: Scalar> ExactBoxes<S> for Exact<'_, S> {
    #[inline]
    fn is_exact(self) -> bool {
        self.1.is_empty()
    }

    #[inline]
    fn exact(self, id: u32, seen: &Aabb<S>) -> Aabb<S> {
        // The index's box is looked up only where it differs, because that is a cache miss.
        if self.1.is_empty() { *seen } else { self.1.exact_in(id, seen, self.0.get(id)) }
    }
}
