//! A query about boxes other than those in the structure.

use super::ExactBoxes;
use crate::forward;
use crate::geometry::{Aabb, Scalar, Sweep};
use crate::query::{Narrowing, Near, Query};
use crate::storage::Layers;

/// A query that a structure runs on its own boxes, and that decides by the exact boxes within them. A hull that it
/// covers holds the boxes of the structure, so it holds the exact ones.
#[derive(Clone)]
pub(super) struct OnExactBoxes<Q, E>(pub(super) Q, pub(super) E);

impl<S: Scalar, Q: Query<S>, E: ExactBoxes<S>> Query<S> for OnExactBoxes<Q, E> {
    forward!(Query<S>, |asked| asked.0, except circle, accepts);

    /// Exact boxes may be farther away than those of the structure.
    #[inline]
    fn circle(&self) -> Option<Near<S>> {
        self.0.circle().filter(|_| self.1.is_exact())
    }

    #[inline]
    fn accepts(&self, id: u32, seen: &Aabb<S>, layers: Layers) -> bool {
        self.0.accepts(id, &self.1.exact(id, seen), layers)
    }
}

impl<S: Scalar, Q: Narrowing<S>, E: ExactBoxes<S>> Narrowing<S> for OnExactBoxes<Q, E> {
    type Rank = Q::Rank;

    #[inline]
    fn rank(&self, hull: &Aabb<S>) -> Option<Q::Rank> {
        self.0.rank(hull)
    }

    #[inline]
    fn is_wanted(&self, rank: &Q::Rank, least: u32) -> bool {
        self.0.is_wanted(rank, least)
    }

    fn origin(&self) -> Aabb<S> {
        self.0.origin()
    }

    #[inline]
    fn window(&self) -> Aabb<S> {
        self.0.window()
    }

    #[inline]
    fn square(&self) -> Option<f64> {
        self.0.square()
    }

    fn sweep(&self) -> Option<Sweep<S>> {
        self.0.sweep()
    }

    #[inline]
    fn time(&self) -> Option<f64> {
        self.0.time()
    }

    fn nearest(&self) -> Option<usize> {
        self.0.nearest().filter(|_| self.1.is_exact())
    }
}
