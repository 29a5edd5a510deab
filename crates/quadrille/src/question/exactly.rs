//! A question about other boxes than the structure holds.

use super::Question;
use crate::geometry::{Aabb, Scalar};
use crate::storage::Layers;

/// A question asked of the boxes that a structure holds, and answered about others that lie within them: `Exactly(question, exact)`,
/// where `exact(id, seen)` is the box itself, given the one that the structure sees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exactly<Q, E>(pub(crate) Q, pub(crate) E);

impl<S: Scalar, Q: Question<S>, E: Fn(u32, &Aabb<S>) -> Aabb<S> + Clone> Question<S> for Exactly<Q, E> {
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
        self.0.accepts(id, &(self.1)(id, seen), layers)
    }
}
