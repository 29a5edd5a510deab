//! Queries whose answers have an order.

use core::fmt::Debug;

use super::Query;
use crate::forward;
use crate::geometry::{Aabb, Scalar, Sweep};
use crate::storage::Layers;

/// A query whose answers have an order: the nearest first, the first hit first.
///
/// [`Index::query_first`](crate::Index::query_first) and its relatives answer it for every structure, by branch and
/// bound: they do not look at anything that cannot beat what they have found.
#[diagnostic::on_unimplemented(
    message = "the answers of `{Self}` have no order",
    label = "ask `Near::point(point)` or `Near::aabb(rectangle)` for the nearest, `Sweep::ray(..)` for the first hit",
    note = "`Near` and `Sweep`, their references, and `OnLayers` or `Filtered` around them have an order"
)]
pub trait Ranked<S: Scalar>: Query<S> {
    /// What answers are ordered by, lowest first. Never NaN or otherwise unordered.
    type Rank: Copy + PartialOrd + Debug;

    /// The rank of an accepted box, or a lower bound for a cell that is reached. Every accepted box must have a point
    /// within the [bounds](Query::bounds) such that every cell containing that point ranks no higher than the box.
    /// `None` only for what is not accepted or reached.
    fn rank(&self, bounds: &Aabb<S>) -> Option<Self::Rank>;

    /// The rank of a box if it is an answer: [`accepts`](Query::accepts) and [`rank`](Self::rank) in one. A query
    /// for which both are the same work does it once.
    #[inline]
    fn answer(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> Option<Self::Rank> {
        self.accepts(id, bounds, layers).then(|| self.rank(bounds)).flatten()
    }

    /// Where the lowest ranks are.
    fn origin(&self) -> Aabb<S>;

    /// Every accepted box with a rank up to `last` intersects these bounds, and has a point [as above](Self::rank) in
    /// them.
    fn bounds_up_to(&self, last: &Self::Rank) -> Aabb<S>;

    /// If ranks are distances from the [origin](Self::origin): the square of this one, which may be rounded to the
    /// nearest `f64`. This affects speed only: `None` is always correct.
    #[inline]
    fn square(&self, rank: &Self::Rank) -> Option<f64> {
        let _ = rank;
        None
    }

    /// Is the rank of every box its distance from the [origin](Self::origin)? This affects speed only: `false` is always
    /// correct.
    #[inline]
    fn is_by_distance(&self) -> bool {
        false
    }

    /// If ranks are first contacts of something that moves: its motion. This affects speed only: `None` is always
    /// correct.
    #[inline]
    fn sweep(&self) -> Option<Sweep<S>> {
        None
    }

    /// If ranks are first contacts of the [sweep](Self::sweep): the time of this one, which may be rounded to the
    /// nearest `f64`.
    #[inline]
    fn time(&self, rank: &Self::Rank) -> Option<f64> {
        let _ = rank;
        None
    }
}

impl<S: Scalar, Q: Ranked<S>> Ranked<S> for &Q {
    type Rank = Q::Rank;

    forward!(Ranked<S>, |query| **query);

    #[inline]
    fn answer(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> Option<Q::Rank> {
        (**self).answer(id, bounds, layers)
    }
}

/// A query that accepts less the more it has found: branch and bound.
pub trait Narrowing<S: Scalar>: Query<S> {
    /// What answers are ordered by, lowest first.
    type Rank: Copy + PartialOrd;

    /// A lower bound on the ranks in a hull that is reached; `None` if nothing in it can be an answer any more.
    fn rank(&self, hull: &Aabb<S>) -> Option<Self::Rank>;

    /// Can a box that ranks no lower than this still be an answer if its id is no lower than `least`?
    fn is_wanted(&self, rank: &Self::Rank, least: u32) -> bool;

    /// Where the lowest ranks are.
    fn origin(&self) -> Aabb<S>;

    /// Everything that can still be an answer intersects this.
    fn window(&self) -> Aabb<S>;

    /// The square of a distance from the origin beyond which nothing can be an answer, rounded to the nearest `f64`; `None` if
    /// there is no such distance yet.
    fn square(&self) -> Option<f64>;

    /// How many answers are requested, if they are the nearest to the origin of all boxes that are admitted; `None` if more than
    /// the distance of a box decides.
    fn nearest(&self) -> Option<usize>;

    /// The motion by whose first contacts boxes are ranked, if they are.
    fn sweep(&self) -> Option<Sweep<S>>;

    /// The time of a first contact after which nothing can be an answer, rounded to the nearest `f64`; `None` if there is no
    /// such time yet.
    fn time(&self) -> Option<f64>;
}

/// An answer with its rank. Hits are equal if their ids and ranks are equal: the id determines the thing.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Hit<R, N = u32, T = ()> {
    /// The box: its id or handle.
    pub id: N,
    /// Its distance, its first contact, …
    pub rank: R,
    /// The payload of the box, if the query ran in a [`Space`](crate::Space).
    pub thing: T,
}

impl<R: PartialEq, N: PartialEq, T, U> PartialEq<Hit<R, N, U>> for Hit<R, N, T> {
    fn eq(&self, other: &Hit<R, N, U>) -> bool {
        self.id == other.id && self.rank == other.rank
    }
}

impl<R: Copy> Hit<R> {
    pub(crate) const fn new(id: u32, rank: R) -> Self {
        Self { id, rank, thing: () }
    }
}
