//! How much work a query took.

use core::cell::Cell;

use super::{Query, Ranked};
use crate::forward;
use crate::geometry::{Aabb, Scalar};
use crate::storage::Layers;

/// The work done to answer a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Work {
    /// Nodes or cells whose rectangle was compared with the query.
    pub nodes: usize,
    /// Boxes compared with the query; a box listed in several places may count several times.
    pub boxes: usize,
    /// Boxes that were accepted and reported.
    pub found: usize,
}

/// A query that counts the calls of its methods. Pass it by reference and read [`work`](Self::work) afterward.
#[derive(Clone, Debug)]
pub struct Counted<Q> {
    query: Q,
    nodes: Cell<usize>,
    boxes: Cell<usize>,
}

impl<Q> Counted<Q> {
    /// Wraps a query, with all counts at zero.
    pub const fn new(query: Q) -> Self {
        Self { query, nodes: Cell::new(0), boxes: Cell::new(0) }
    }

    /// The counts so far. The caller, who sees the answers, fills in `found`.
    #[must_use]
    pub fn work(&self) -> Work {
        Work { nodes: self.nodes.get(), boxes: self.boxes.get(), found: 0 }
    }
}

impl<S: Scalar, Q: Query<S>> Query<S> for Counted<Q> {
    forward!(Query<S>, |counted| counted.query, except reaches, circle, accepts);

    fn reaches(&self, cell: &Aabb<S>) -> bool {
        self.nodes.set(self.nodes.get() + 1);
        self.query.reaches(cell)
    }

    fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool {
        self.boxes.set(self.boxes.get() + 1);
        self.query.accepts(id, bounds, layers)
    }
}

impl<S: Scalar, Q: Ranked<S>> Ranked<S> for Counted<Q> {
    type Rank = Q::Rank;

    forward!(Ranked<S>, |counted| counted.query);
}
