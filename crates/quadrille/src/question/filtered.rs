//! A query restricted to some of the boxes.

use core::fmt;

use super::{Question, Ranked};
use crate::geometry::{Aabb, Scalar};
use crate::storage::Layers;

/// A query restricted to the ids that pass a predicate: `Filtered(question, |id| id != own)` excludes one box.
///
/// In the manual: `docs/cookbook/asking.md#the-nearest-enemy`.
///
/// ```
/// use quadrille::{Aabb, Filtered, Index, Near, Quadtree};
///
/// let index = Index::<Quadtree>::from_boxes(&[[0.0; 4], [3.0; 4], [9.0; 4]].map(Aabb::from))?;
/// let own = 1;
/// let other = index.query_first(Filtered(Near::aabb(index.get(own).unwrap()), |id| id != own)).unwrap();
/// assert_eq!(other.id, 0);
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Filtered<Q, F>(pub Q, pub F);

impl<S: Scalar, Q: Question<S>, F: Fn(u32) -> bool + Clone> Question<S> for Filtered<Q, F> {
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
    fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool {
        self.0.accepts(id, bounds, layers) && self.1(id)
    }
}

impl<S: Scalar, Q: Ranked<S>, F: Fn(u32) -> bool + Clone> Ranked<S> for Filtered<Q, F> {
    type Rank = Q::Rank;

    #[inline]
    fn rank(&self, bounds: &Aabb<S>) -> Option<Q::Rank> {
        self.0.rank(bounds)
    }

    fn origin(&self) -> Aabb<S> {
        self.0.origin()
    }

    fn bounds_up_to(&self, last: &Q::Rank) -> Aabb<S> {
        self.0.bounds_up_to(last)
    }
}

impl<Q: fmt::Debug, F> fmt::Debug for Filtered<Q, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Filtered").field(&self.0).finish_non_exhaustive()
    }
}
