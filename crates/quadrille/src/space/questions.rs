//! What can be asked of a space: what can be asked of its index, about the boxes themselves, answered with handles.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::{Handle, Space};
use crate::error::Error;
use crate::geometry::{Aabb, Scalar};
#[cfg(doc)]
use crate::index::Index;
use crate::index::{Impact, NearestPair, Register, View};
use crate::question::{Answers, Filtered, Hit, Overlaps, Question, Ranked, Work};
use crate::structure::{Part, Structure};

/// # Questions
impl<T, I: Structure> Space<T, I> {
    /// The things whose boxes `question` accepts, each once, lazily.
    pub fn query<Q: Question<I::Scalar>>(&self, question: Q) -> impl Iterator<Item = (Handle, &T)> {
        self.index.query(self.view().exactly(question)).map(|id| self.at(id))
    }

    /// Calls `visit` for each thing whose box `question` accepts, until it breaks.
    pub fn query_visit<Q: Question<I::Scalar>, B>(
        &self,
        question: Q,
        mut visit: impl FnMut(Handle, &T) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.index.query_visit(self.view().exactly(question), |id| {
            let (handle, thing) = self.at(id);
            visit(handle, thing)
        })
    }

    /// The things that are a [pair](Self::pairs) with one, each once, lazily; none if the handle is stale. See [`Index::neighbours`].
    pub fn neighbours(&self, handle: Handle) -> impl Iterator<Item = (Handle, &T)> {
        let is_other = move |other| other != handle.slot && self.index.meet(handle.slot, other);
        self.query(Filtered(Overlaps(self.bounds(handle).unwrap_or(Aabb::EMPTY)), is_other))
    }

    /// How many things have a box that `question` accepts.
    pub fn query_count<Q: Question<I::Scalar>>(&self, question: Q) -> usize {
        self.index.query_count(self.view().exactly(question))
    }

    /// All pairs of things whose boxes overlap, each once, the lower id first, lazily.
    pub fn pairs(&self) -> impl Iterator<Item = ((Handle, &T), (Handle, &T))> {
        self.index.pairs().filter(|&(a, b)| self.touch(a, b)).map(|(a, b)| (self.at(a), self.at(b)))
    }

    /// Calls `visit` for each pair of things whose boxes overlap, the lower id first, until it breaks.
    pub fn pairs_visit<B>(&self, visit: impl FnMut((Handle, &T), (Handle, &T)) -> ControlFlow<B>) -> ControlFlow<B> {
        self.pairs_part_visit(Part::WHOLE, visit)
    }

    /// Calls `visit` for each pair in one part of [`pairs`](Self::pairs), until it breaks: see
    /// [`Index::pairs_part_visit`](crate::Index::pairs_part_visit).
    pub fn pairs_part_visit<B>(
        &self,
        part: Part,
        mut visit: impl FnMut((Handle, &T), (Handle, &T)) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.index.pairs_part_visit(part, |a, b| {
            if self.touch(a, b) { visit(self.at(a), self.at(b)) } else { ControlFlow::Continue(()) }
        })
    }

    /// How many pairs of things have overlapping boxes.
    #[must_use]
    pub fn pairs_count(&self) -> usize {
        self.pairs().count()
    }

    /// All pairs of a thing here and a thing in `other` whose boxes overlap, each once, in the order of ids here, lazily.
    pub fn pairs_with<'a, U, J: Structure<Scalar = I::Scalar>>(
        &'a self,
        other: &'a Space<U, J>,
    ) -> impl Iterator<Item = ((Handle, &'a T), (Handle, &'a U))> {
        self.iter()
            .flat_map(move |(handle, thing)| self.partners_in(other, handle).map(move |found| ((handle, thing), found)))
    }

    /// The things in `other` that are a pair with one here.
    pub(crate) fn partners_in<'a, U, J: Structure<Scalar = I::Scalar>>(
        &self,
        other: &'a Space<U, J>,
        handle: Handle,
    ) -> impl Iterator<Item = (Handle, &'a U)> + use<'a, T, I, U, J> {
        let asked = self.bounds(handle).map(|bounds| self.index.partners(handle.slot, bounds));
        asked.into_iter().flat_map(|asked| other.query(asked))
    }

    /// `true` if the boxes of two ids overlap, not just the fat ones.
    pub(super) fn touch(&self, a: u32, b: u32) -> bool {
        self.exact(a).zip(self.exact(b)).is_some_and(|(a, b)| self.index.touch(&a, &b))
    }

    fn view(&self) -> View<'_, I, Handles<'_, T, I>> {
        View { index: &self.index, register: Handles(self) }
    }

    /// The box itself where its fat box is seen, perhaps moved by whole worlds. Where moving rounds it stays within.
    #[inline]
    pub(super) fn exact_in(&self, id: u32, seen: &Aabb<I::Scalar>) -> Aabb<I::Scalar> {
        let Some((exact, fat)) = self.fat.exact(id).zip(self.index.get(id)) else { return *seen };
        let way = [0, 1].map(|axis| seen.min[axis].minus(fat.min[axis]));
        if fat == *seen { exact } else { exact.with_offset(way).intersection(seen).unwrap_or(*seen) }
    }
}

/// Boxes themselves, and handles.
struct Handles<'a, T, I: Structure>(&'a Space<T, I>);

impl<T, I: Structure> Clone for Handles<'_, T, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, I: Structure> Copy for Handles<'_, T, I> {}

impl<T, I: Structure> Register<I::Scalar> for Handles<'_, T, I> {
    type Name = Handle;

    #[inline]
    fn exact(&self, id: u32, seen: &Aabb<I::Scalar>) -> Aabb<I::Scalar> {
        self.0.exact_in(id, seen)
    }

    fn name(&self, id: u32) -> Handle {
        self.0.at(id).0
    }
}

/// # Questions in order
///
/// Least rank first, and lower id first where ranks are equal; the same for every structure. Handles lead to the things.
impl<T, I: Structure> Space<T, I> {
    /// The first answer: the nearest thing, the first one hit. `None` if there is none. See [`Index::query_first`].
    #[doc(alias = "nearest")]
    #[doc(alias = "cast")]
    #[doc(alias = "raycast")]
    pub fn query_first<Q: Ranked<I::Scalar>>(&self, question: Q) -> Option<Hit<Q::Rank, Handle>> {
        self.view().first(&question)
    }

    /// Fills `hits` with the first `most` answers, in order: see [`Index::query_first_into`].
    #[doc(alias = "knn")]
    pub fn query_first_into<Q: Ranked<I::Scalar>>(
        &self,
        question: Q,
        most: usize,
        hits: &mut Vec<Hit<Q::Rank, Handle>>,
    ) {
        self.view().first_into(&question, most, hits);
    }

    /// All answers in order, lazily: see [`Index::query_in_order`].
    pub fn query_in_order<Q: Ranked<I::Scalar>>(&self, question: Q) -> impl Iterator<Item = Hit<Q::Rank, Handle>> {
        self.view().in_order(question)
    }

    /// Asks many questions at once and puts the answers into `answers`, question by question: see [`Index::query_many`].
    pub fn query_many<Q: Question<I::Scalar>>(&self, questions: &[Q], answers: &mut Answers<Handle>) {
        self.view().many(questions, answers);
    }

    /// How many nodes and boxes must be looked at to answer `question`.
    pub fn query_work<Q: Question<I::Scalar>>(&self, question: Q) -> Work {
        self.index.query_work(self.view().exactly(question))
    }

    /// The two things whose boxes are nearest to each other: see [`Index::nearest_pair`].
    #[must_use]
    pub fn nearest_pair(&self) -> Option<NearestPair<I::Scalar, Handle>> {
        self.view().nearest_pair()
    }

    /// The thing here and the thing in `other` whose boxes are nearest to each other: see [`Index::nearest_pair_with`].
    #[must_use]
    pub fn nearest_pair_with<U, J: Structure<Scalar = I::Scalar>>(
        &self,
        other: &Space<U, J>,
    ) -> Option<NearestPair<I::Scalar, Handle>> {
        self.view().nearest_pair_with(&other.view())
    }

    /// All pairs of things whose boxes touch during a step in which each thing moves along `motions[handle.id()]`: see
    /// [`Index::impacts_into`].
    ///
    /// # Errors
    /// If a motion is NaN or leads out of the numbers: names its position. In a [world that wraps](crate::Periodic), if a way is longer
    /// than the world.
    pub fn impacts_into(
        &self,
        motions: &[[I::Scalar; 2]],
        impacts: &mut Vec<Impact<I::Scalar, Handle>>,
    ) -> Result<(), Error> {
        self.view().impacts_into(motions, impacts)
    }
}
