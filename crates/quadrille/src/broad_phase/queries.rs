//! What you can ask about the exact boxes, where the index holds fat ones.

use alloc::vec::Vec;

use super::BroadPhase;
use super::margin::FatBoxes;
use crate::ask::{ExactBoxes, Ids, Impact, View, faces};
use crate::error::Error;
use crate::geometry::Aabb;
use crate::index::{Index, motion_of};
use crate::query::{Hit, Ranked};
use crate::structure::Structure;

faces! {
    impl [I: Structure] BroadPhase<I>;
    item u32; name u32; thing ();
    one id: u32 => |_all| Some(id);
    other [J: Structure<Scalar = I::Scalar>] BroadPhase<J>; item u32; name u32;
    par [];
}

/// # Queries with your own buffers
impl<I: Structure> BroadPhase<I> {
    /// Fills `hits` with the first `most` answers, in order: see [`Index::query_first_few`].
    ///
    /// ```
    /// use quadrille::{Aabb, BroadPhase, FrameTree, Near};
    ///
    /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([4.0, 0.0], [5.0, 1.0]), Aabb::new([9.0, 0.0], [9.5, 1.0])];
    /// let all = BroadPhase::<FrameTree>::with_boxes(Default::default(), &boxes)?;
    /// let mut nearest = Vec::new();
    /// all.query_first_few(Near::point([6.0, 0.5]), 2, &mut nearest);
    /// assert_eq!(nearest.iter().map(|hit| hit.id).collect::<Vec<_>>(), [1, 2]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    #[doc(alias = "knn")]
    pub fn query_first_few<Q: Ranked<I::Scalar>>(&self, query: Q, most: usize, hits: &mut Vec<Hit<Q::Rank>>) {
        self.view().first_into(&query, most, hits, core::convert::identity);
    }

    /// All pairs of boxes that touch while each moves along `motions[id]`: see [`Index::impacts`].
    ///
    /// # Errors
    /// As there.
    pub fn impacts(&self, motions: &[[I::Scalar; 2]], impacts: &mut Vec<Impact<I::Scalar>>) -> Result<(), Error> {
        self.view().impacts(motion_of(motions), impacts)
    }

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
