//! A query restricted to some of the boxes.

use core::fmt;

use super::{Query, Ranked};
use crate::forward;
use crate::geometry::{Aabb, Scalar};
use crate::storage::Layers;

/// A query restricted to the ids that pass a predicate: `Filtered(query, |id| id != own)` excludes one box.
///
/// In the manual: `docs/cookbook/asking.md#the-nearest-enemy`.
///
/// ```
/// use quadrille::structures::Quadtree;
/// use quadrille::{Aabb, Filtered, Index, Near};
///
/// let index = Index::<Quadtree>::from_boxes(&[[0.0; 4], [3.0; 4], [9.0; 4]].map(Aabb::from))?;
/// let own = 1;
/// let other = index.query_first(Filtered(Near::aabb(index.get(own).unwrap()), |id| id != own)).unwrap();
/// assert_eq!(other.id, 0);
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Filtered<Q, F>(pub Q, pub F);

impl<S: Scalar, Q: Query<S>, F: Fn(u32) -> bool + Clone> Query<S> for Filtered<Q, F> {
    forward!(Query<S>, |filtered| filtered.0, except admits, accepts);

    #[inline]
    fn admits(&self, id: u32, layers: Layers) -> bool {
        self.0.admits(id, layers) && self.1(id)
    }

    #[inline]
    fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool {
        self.0.accepts(id, bounds, layers) && self.1(id)
    }
}

impl<S: Scalar, Q: Ranked<S>, F: Fn(u32) -> bool + Clone> Ranked<S> for Filtered<Q, F> {
    type Rank = Q::Rank;

    forward!(Ranked<S>, |filtered| filtered.0);
}

impl<Q: fmt::Debug, F> fmt::Debug for Filtered<Q, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Filtered").field(&self.0).finish_non_exhaustive()
    }
}
