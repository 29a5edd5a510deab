//! A query about boxes other than those in the structure.

use super::Resolver;
use crate::geometry::{Aabb, Scalar};
use crate::question::Question;
use crate::storage::Layers;

/// A query that is asked about the boxes in a structure and answered for the exact boxes within them.
#[derive(Clone)]
pub(super) struct OnExactBoxes<Q, R>(pub(super) Q, pub(super) R);

impl<S: Scalar, Q: Question<S>, R: Resolver<S>> Question<S> for OnExactBoxes<Q, R> {
    #[inline]
    fn bounds(&self) -> Aabb<S> {
        self.0.bounds()
    }

    fn extent(&self) -> Aabb<S> {
        self.0.extent()
    }

    #[inline]
    fn reaches(&self, cell: &Aabb<S>) -> bool {
        self.0.reaches(cell)
    }

    #[inline]
    fn wants(&self, layers: Layers) -> bool {
        self.0.wants(layers)
    }

    #[inline]
    fn accepts(&self, id: u32, seen: &Aabb<S>, layers: Layers) -> bool {
        self.0.accepts(id, &self.1.exact(id, seen), layers)
    }
}
