//! Answers in order, for ids: the faces of [`View`](super::view::View).

use alloc::vec::Vec;

use super::Index;
use super::view::{Impact, NearestPair};
use crate::error::Error;
use crate::question::{Hit, Ranked};
use crate::structure::Structure;

/// # Questions in order
///
/// Least rank first, and lower id first where ranks are equal; the same for every structure.
impl<I: Structure> Index<I> {
    /// The first answer: the nearest box, the first one hit. `None` if there is none.
    ///
    /// ```
    /// use quadrille::{Aabb, Index, Near, Quadtree, Sweep};
    ///
    /// let boxes = [[1.0, 1.0, 2.0, 2.0], [4.0, 0.0, 5.0, 9.0], [8.0, 0.0, 9.0, 9.0]].map(Aabb::from);
    /// let index = Index::<Quadtree>::from_boxes(&boxes)?;
    ///
    /// let nearest = index.query_first(Near::point([7.0, 3.0])).unwrap();
    /// assert_eq!((nearest.id, nearest.rank.squared()), (2, 1.0));
    ///
    /// let hit = index.query_first(Sweep::segment([0.0, 4.0], [10.0, 4.0])).unwrap();
    /// assert_eq!((hit.id, hit.rank.time(), hit.rank.normal()), (1, 0.4, [-1, 0]));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    #[doc(alias = "nearest")]
    #[doc(alias = "cast")]
    #[doc(alias = "raycast")]
    pub fn query_first<Q: Ranked<I::Scalar>>(&self, question: Q) -> Option<Hit<Q::Rank>> {
        self.view().first(&question)
    }

    /// Fills `hits` with the first `most` answers, in order; what was there before is dropped. With room enough in
    /// `hits`, nothing is allocated. `usize::MAX` gives all answers; zero none.
    #[doc(alias = "knn")]
    pub fn query_first_into<Q: Ranked<I::Scalar>>(&self, question: Q, most: usize, hits: &mut Vec<Hit<Q::Rank>>) {
        self.view().first_into(&question, most, hits);
    }

    /// All answers in order, lazily. Allocates a buffer, and asks again for four times as many whenever that is used up: take what
    /// you need, or [`query_first_into`](Self::query_first_into) if you know how many.
    pub fn query_in_order<Q: Ranked<I::Scalar>>(&self, question: Q) -> impl Iterator<Item = Hit<Q::Rank>> {
        self.view().in_order(question)
    }
}

/// # Pairs by distance and time
///
/// Boxes whose [layers](Self::set_layers) do not meet are no pair.
impl<I: Structure> Index<I> {
    /// The two boxes that are nearest to each other; of several such pairs the one with the lowest ids. `None` if there are fewer
    /// than two boxes. Costs one nearest question a box, within the least distance so far.
    #[must_use]
    pub fn nearest_pair(&self) -> Option<NearestPair<I::Scalar>> {
        self.view().nearest_pair()
    }

    /// The box here and the box in `other` that are nearest to each other; of several such pairs the one with the lowest ids, `a` before
    /// `b`. `None` if one of the sets is empty. Ask the smaller set about the larger one.
    #[must_use]
    pub fn nearest_pair_with<J: Structure<Scalar = I::Scalar>>(
        &self,
        other: &Index<J>,
    ) -> Option<NearestPair<I::Scalar>> {
        self.view().nearest_pair_with(&other.view())
    }

    /// All pairs of boxes that touch during a step in which box `id` moves along `motions[id]` (and stays where it is if there is no such
    /// entry), into `impacts`, in order of first touch, then of ids. No speed is too high: what is compared is the whole way of both.
    ///
    /// Builds an index of the ways, which is what it costs.
    ///
    /// # Errors
    /// If a motion is NaN or leads out of the numbers: names its position. In a [world that wraps](crate::Periodic), if a way is longer than the world.
    pub fn impacts_into(&self, motions: &[[I::Scalar; 2]], impacts: &mut Vec<Impact<I::Scalar>>) -> Result<(), Error> {
        self.view().impacts_into(motions, impacts)
    }
}
