//! What you can ask a space: everything you can ask its index, but about the exact boxes, answered with handles and
//! things.

use super::{Slot, Space, at};
use crate::ask::{ByName, Naming, Resolver, View, faces};
use crate::broad_phase::Exact;
use crate::geometry::Scalar;
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
    pub(super) fn view(&self) -> View<'_, I, Things<'_, T, I::Scalar>> {
        self.index().view_by(self.things())
    }

    pub(super) fn things(&self) -> Things<'_, T, I::Scalar> {
        Things { boxes: self.boxes.exact(), slots: &self.slots }
    }
}

/// Exact boxes, handles and things.
pub(super) struct Things<'a, T, S> {
    boxes: Exact<'a, S>,
    slots: &'a [Slot<T>],
}

impl<T, S: Copy> Clone for Things<'_, T, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, S: Copy> Copy for Things<'_, T, S> {}

impl<'a, T, S: Scalar> Resolver<S> for Things<'a, T, S> {
    type Exact = Exact<'a, S>;
    type Order = ();
    type Item = (Handle, &'a T);
    type Name = Handle;
    type Thing = &'a T;

    #[inline]
    fn exact_boxes(self) -> Exact<'a, S> {
        self.boxes
    }

    #[inline]
    fn order(self) {}

    fn naming(self) -> impl Naming<Name = Handle> {
        ByName(move |id| self.name(id), |handle: Handle| Some(handle.slot))
    }

    #[inline]
    fn item(self, id: u32) -> (Handle, &'a T) {
        at(self.slots, id)
    }

    #[inline]
    fn name(self, id: u32) -> Handle {
        self.item(id).0
    }

    #[inline]
    fn thing(self, id: u32) -> &'a T {
        self.item(id).1
    }
}
