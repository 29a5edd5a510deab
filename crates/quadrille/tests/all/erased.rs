//! Queries behind a reference to a trait object, so that every structure is compiled for one type of query a
//! scalar and not for each of them: a tenth of the time to build.

use std::fmt::Debug;

use quadrille::{Aabb, Layers, Query, Ranked, Scalar, forward};

/// [`Query`] without `Clone`.
pub(crate) trait Ask<S: Scalar> {
    fn bounds(&self) -> Aabb<S>;
    fn extent(&self) -> Aabb<S>;
    fn reaches(&self, cell: &Aabb<S>) -> bool;
    fn wants(&self, layers: Layers) -> bool;
    fn covers(&self, hull: &Aabb<S>) -> bool;
    fn admits(&self, id: u32, layers: Layers) -> bool;
    fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool;
}

impl<S: Scalar, Q: Query<S>> Ask<S> for Q {
    fn bounds(&self) -> Aabb<S> {
        Query::bounds(self)
    }
    fn extent(&self) -> Aabb<S> {
        Query::extent(self)
    }
    fn reaches(&self, cell: &Aabb<S>) -> bool {
        Query::reaches(self, cell)
    }
    fn wants(&self, layers: Layers) -> bool {
        Query::wants(self, layers)
    }
    fn covers(&self, hull: &Aabb<S>) -> bool {
        Query::covers(self, hull)
    }
    fn admits(&self, id: u32, layers: Layers) -> bool {
        Query::admits(self, id, layers)
    }
    fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool {
        Query::accepts(self, id, bounds, layers)
    }
}

/// [`Ranked`] without `Clone`.
pub(crate) trait Rank<S: Scalar, R>: Ask<S> {
    fn rank(&self, bounds: &Aabb<S>) -> Option<R>;
    fn origin(&self) -> Aabb<S>;
    fn bounds_up_to(&self, last: &R) -> Aabb<S>;
    fn square(&self, rank: &R) -> Option<f64>;
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
    fn square(&self, rank: &Q::Rank) -> Option<f64> {
        Ranked::square(self, rank)
    }
}

/// Any query.
pub(crate) struct Asked<'a, A: ?Sized>(&'a A);

impl<A: ?Sized> Clone for Asked<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: ?Sized> Copy for Asked<'_, A> {}

/// Any query.
pub(crate) fn asked<S: Scalar, Q: Query<S>>(query: &Q) -> Asked<'_, dyn Ask<S> + '_> {
    Asked(query)
}

/// Any query with ranks of type `R`.
pub(crate) fn ranked<S: Scalar, Q: Ranked<S>>(query: &Q) -> Asked<'_, dyn Rank<S, Q::Rank> + '_> {
    Asked(query)
}

impl<S: Scalar> Query<S> for Asked<'_, dyn Ask<S> + '_> {
    forward!(Query<S>, |asked| asked.0);
}

impl<S: Scalar, R> Query<S> for Asked<'_, dyn Rank<S, R> + '_> {
    forward!(Query<S>, |asked| asked.0);
}

impl<S: Scalar, R: Copy + PartialOrd + Debug> Ranked<S> for Asked<'_, dyn Rank<S, R> + '_> {
    type Rank = R;

    forward!(Ranked<S>, |asked| asked.0);
}
