//! The queries of a space: those of its index, with handles and things as answers.

use super::{Slot, Space, at};
use crate::ask::{Resolver, View, faces};
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
    pub(super) fn view(&self) -> View<'_, I, Things<'_, T>> {
        self.boxes.view_by(Things(&self.slots))
    }
}

/// Handles and things.
pub(super) struct Things<'a, T>(&'a [Slot<T>]);

impl<T> Clone for Things<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Things<'_, T> {}

impl<'a, T> Resolver for Things<'a, T> {
    type Item = (Handle, &'a T);
    type Name = Handle;
    type Thing = &'a T;

    #[inline]
    fn item(self, id: u32) -> (Handle, &'a T) {
        at(self.0, id)
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
