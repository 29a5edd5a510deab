//! What you can ask a space: everything you can ask its index, but about the exact boxes, answered with handles and
//! things.

use alloc::vec::Vec;

use super::Space;
use crate::ask::{Impact, Resolver, View, faces};
use crate::broad_phase::Exact;
use crate::error::Error;
use crate::index::motion_of;
use crate::query::{Hit, Id, Ranked};
use crate::storage::Handle;
use crate::structure::Structure;

faces! {
    impl [T, I: Structure] Space<T, I>;
    item (Handle, &'a T); name Handle; thing &'a T;
    one handle: Handle => |space| space.contains(handle).then_some(handle.slot);
    other [U, J: Structure<Scalar = I::Scalar>] Space<U, J>; item (Handle, &'a U); name Handle;
    par [T: Sync];
}

/// # Queries with your own buffers
impl<T, I: Structure> Space<T, I> {
    /// Fills `hits` with the first `most` answers, in order: see
    /// [`Index::query_first_few`](crate::Index::query_first_few). The handles give access to the things.
    ///
    /// ```
    /// use quadrille::{Aabb, Near, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// for (x, name) in [(0.0, "cat"), (4.0, "dog"), (9.0, "mouse")] {
    ///     space.insert(Aabb::new([x, 0.0], [x + 1.0, 1.0]), name)?;
    /// }
    /// let mut nearest = Vec::new();
    /// space.query_first_few(Near::point([6.0, 0.5]), 2, &mut nearest);
    /// assert_eq!(nearest.iter().map(|hit| space[hit.id]).collect::<Vec<_>>(), ["dog", "mouse"]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    #[doc(alias = "knn")]
    pub fn query_first_few<Q: Ranked<I::Scalar>>(&self, query: Q, most: usize, hits: &mut Vec<Hit<Q::Rank, Handle>>) {
        self.view().first_into(&query, most, hits, |id| self.at(id).0);
    }

    /// All pairs of things whose boxes touch during a step in which each thing moves along `motions[handle.id()]`: see
    /// [`Index::impacts`](crate::Index::impacts).
    ///
    /// # Errors
    /// If a motion is NaN or leads beyond the range of numbers: names its position. In a [world that
    /// wraps](crate::Periodic), if a path is longer than the world.
    pub fn impacts(
        &self,
        motions: &[[I::Scalar; 2]],
        impacts: &mut Vec<Impact<I::Scalar, Handle>>,
    ) -> Result<(), Error> {
        self.view().impacts(motion_of(motions), impacts)
    }

    pub(super) fn view(&self) -> View<'_, I, Things<'_, T, I>> {
        self.index().view_by(Things(self))
    }
}

impl Id for Handle {
    #[inline]
    fn id(self) -> u32 {
        self.slot
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
    type Exact = Exact<'a, I>;
    type Order = ();
    type Item = (Handle, &'a T);
    type Name = Handle;
    type Thing = &'a T;

    #[inline]
    fn exact_boxes(self) -> Exact<'a, I> {
        self.0.boxes.exact()
    }

    #[inline]
    fn order(self) {}

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
