//! A query restricted to some layers.

use super::{Query, Ranked};
use crate::forward;
use crate::geometry::{Aabb, Scalar};
use crate::storage::{Agreement, Layers};

/// A query that finds only boxes on some layers, whatever their masks say: a query is not a collision. Nodes keep the
/// union of the layers below them, so the search skips whole subtrees without such boxes.
///
/// Until [`Index::set_layers`](crate::Index::set_layers) is called, every box is on all layers.
///
/// ```
/// use quadrille::structures::Quadtree;
/// use quadrille::{Aabb, Index, Layers, Near, OnLayers};
///
/// const GUARDS: u32 = 1;
/// const WALLS: u32 = 2;
/// let mut index = Index::<Quadtree>::from_boxes(&[[1.0; 4], [5.0; 4]].map(Aabb::from))?;
/// index.set_layers(0, Layers::new(GUARDS, WALLS))?;
/// index.set_layers(1, Layers::new(WALLS, 0))?;
/// let wall = index.query_first(OnLayers::new(Near::point([0.0, 0.0]), WALLS));
/// assert_eq!(wall.unwrap().id, 1);
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OnLayers<Q> {
    query: Q,
    layers: Layers,
    agreement: Agreement,
}

impl<Q> OnLayers<Q> {
    /// Finds boxes that are on at least one of these layers, one bit each.
    #[must_use]
    pub const fn new(query: Q, layers: u32) -> Self {
        // A box on no layer is never found: only the box's own layers count.
        Self::with_agreement(query, Layers::new(0, layers), Agreement::Either)
    }

    /// Finds boxes that would form a pair with a box on `layers`, by this agreement.
    #[must_use]
    pub const fn with_agreement(query: Q, layers: Layers, agreement: Agreement) -> Self {
        Self { query, layers, agreement }
    }
}

impl<S: Scalar, Q: Query<S>> Query<S> for OnLayers<Q> {
    forward!(Query<S>, |on_layers| on_layers.query, except wants, admits, accepts);

    #[inline]
    fn wants(&self, layers: Layers) -> bool {
        self.layers.meets(layers, self.agreement) && self.query.wants(layers)
    }

    #[inline]
    fn admits(&self, id: u32, layers: Layers) -> bool {
        self.layers.meets(layers, self.agreement) && self.query.admits(id, layers)
    }

    #[inline]
    fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool {
        self.layers.meets(layers, self.agreement) && self.query.accepts(id, bounds, layers)
    }
}

impl<S: Scalar, Q: Ranked<S>> Ranked<S> for OnLayers<Q> {
    type Rank = Q::Rank;

    forward!(Ranked<S>, |on_layers| on_layers.query);
}
