//! What you can ask a space: everything you can ask its index, but about the exact boxes, answered with handles and
//! things.

use super::Space;
use crate::ask::{ByName, Naming, Resolver, View, faces};
use crate::broad_phase::Exact;
use crate::storage::Handle;
use crate::structure::Structure;

faces! {
    impl [T, I: Structure] Space<T, I>;
    item (Handle, &'a T); name Handle; thing &'a T;
    one handle: Handle => |space| space.contains(handle).then_some(handle.slot);
    other [U, J: Structure<Scalar = I::Scalar>] Space<U, J>; item (Handle, &'a U); name Handle;
    par [T: Sync];
}

impl<T, I: Structure> Space<T, I> {
    pub(super) fn view(&self) -> View<'_, I, Things<'_, T, I>> {
        self.index().view_by(Things(self))
    }
}

/// Exact boxes, handles and things.
pub(super) struct Things<'a, T, I: Structure>(&'a Space<T, I>);

impl<T, I: Structure> Clone for Things<'_, T, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, I: Structure> Copy for Things<'_, T, I> {}

impl<'a, T, I: Structure> Resolver<I::Scalar> for Things<'a, T, I> {
    type Exact = Exact<'a, I::Scalar>;
    type Order = ();
    type Item = (Handle, &'a T);
    type Name = Handle;
    type Thing = &'a T;

    #[inline]
    fn exact_boxes(self) -> Exact<'a, I::Scalar> {
        self.0.boxes.exact()
    }

    #[inline]
    fn order(self) {}

    fn naming(self) -> impl Naming<Name = Handle> {
        ByName(move |id| self.name(id))
    }

    #[inline]
    fn item(self, id: u32) -> (Handle, &'a T) {
        self.0.at(id)
    }

    #[inline]
    fn name(self, id: u32) -> Handle {
        self.0.at(id).0
    }

    #[inline]
    fn thing(self, id: u32) -> &'a T {
        self.0.at(id).1
    }
}
