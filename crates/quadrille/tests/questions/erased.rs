//! Questions behind a reference to a trait object, so that every structure is compiled for one type of question a
//! scalar and not for each of them: a tenth of the time to build.

use std::fmt::Debug;

use quadrille::{Aabb, Layers, Question, Ranked, Scalar, forward};

/// [`Question`] without `Clone`.
pub(crate) trait Ask<S: Scalar> {
    fn bounds(&self) -> Aabb<S>;
    fn extent(&self) -> Aabb<S>;
    fn reaches(&self, cell: &Aabb<S>) -> bool;
    fn wants(&self, layers: Layers) -> bool;
    fn covers(&self, hull: &Aabb<S>) -> bool;
    fn admits(&self, id: u32, layers: Layers) -> bool;
    fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool;
}

impl<S: Scalar, Q: Question<S>> Ask<S> for Q {
    fn bounds(&self) -> Aabb<S> {
        Question::bounds(self)
    }
    fn extent(&self) -> Aabb<S> {
        Question::extent(self)
    }
    fn reaches(&self, cell: &Aabb<S>) -> bool {
        Question::reaches(self, cell)
    }
    fn wants(&self, layers: Layers) -> bool {
        Question::wants(self, layers)
    }
    fn covers(&self, hull: &Aabb<S>) -> bool {
        Question::covers(self, hull)
    }
    fn admits(&self, id: u32, layers: Layers) -> bool {
        Question::admits(self, id, layers)
    }
    fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool {
        Question::accepts(self, id, bounds, layers)
    }
}

/// [`Ranked`] without `Clone`.
pub(crate) trait Rank<S: Scalar, R>: Ask<S> {
    fn rank(&self, bounds: &Aabb<S>) -> Option<R>;
    fn origin(&self) -> Aabb<S>;
    fn bounds_up_to(&self, last: &R) -> Aabb<S>;
}

impl<S: Scalar, Q: Ranked<S>> Rank<S, Q::Rank> for Q {
    fn rank(&self, bounds: &Aabb<S>) -> Option<Q::Rank> {
        Ranked::rank(self, bounds)
    }
    fn origin(&self) -> Aabb<S> {
        Ranked::origin(self)
    }
    fn bounds_up_to(&self, last: &Q::Rank) -> Aabb<S> {
        Ranked::bounds_up_to(self, last)
    }
}

/// Any question.
pub(crate) struct Asked<'a, A: ?Sized>(&'a A);

impl<A: ?Sized> Clone for Asked<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: ?Sized> Copy for Asked<'_, A> {}

/// Any question.
pub(crate) fn asked<S: Scalar, Q: Question<S>>(question: &Q) -> Asked<'_, dyn Ask<S> + '_> {
    Asked(question)
}

/// Any question with ranks of type `R`.
pub(crate) fn ranked<S: Scalar, Q: Ranked<S>>(question: &Q) -> Asked<'_, dyn Rank<S, Q::Rank> + '_> {
    Asked(question)
}

impl<S: Scalar> Question<S> for Asked<'_, dyn Ask<S> + '_> {
    forward!(Question<S>, |asked| asked.0);
}

impl<S: Scalar, R> Question<S> for Asked<'_, dyn Rank<S, R> + '_> {
    forward!(Question<S>, |asked| asked.0);
}

impl<S: Scalar, R: Copy + PartialOrd + Debug> Ranked<S> for Asked<'_, dyn Rank<S, R> + '_> {
    type Rank = R;

    forward!(Ranked<S>, |asked| asked.0);
}
