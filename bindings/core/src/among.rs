//! Which boxes a query finds.

use quadrille::{Aabb, Layers, Query, Ranked, Scalar, forward};

/// A query of all boxes, or of those on at least one of some layers: one type for both, so that each query is compiled
/// once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Among<Q> {
    query: Q,
    layers: Option<u32>,
}

impl<Q> Among<Q> {
    pub(crate) const fn new(query: Q, layers: Option<u32>) -> Self {
        Self { query, layers }
    }

    #[inline]
    fn sees(&self, layers: Layers) -> bool {
        self.layers.is_none_or(|seen| seen & layers.own != 0)
    }
}

impl<S: Scalar, Q: Query<S>> Query<S> for Among<Q> {
    forward!(Query<S>, |among| among.query, except wants, admits, accepts);

    #[inline]
    fn wants(&self, layers: Layers) -> bool {
        self.sees(layers) && self.query.wants(layers)
    }

    #[inline]
    fn admits(&self, id: u32, layers: Layers) -> bool {
        self.sees(layers) && self.query.admits(id, layers)
    }

    #[inline]
    fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool {
        self.sees(layers) && self.query.accepts(id, bounds, layers)
    }
}

impl<S: Scalar, Q: Ranked<S>> Ranked<S> for Among<Q> {
    type Rank = Q::Rank;

    forward!(Ranked<S>, |among| among.query);

    #[inline]
    fn answer(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> Option<Q::Rank> {
        if self.sees(layers) { self.query.answer(id, bounds, layers) } else { None }
    }
}
