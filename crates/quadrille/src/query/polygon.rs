//! Boxes that overlap a convex polygon.

use super::Query;
use crate::geometry::{Aabb, ConvexPolygon, Scalar};
use crate::storage::Layers;

/// The boxes that share a point with the polygon. Touching counts. Pass it by reference: a polygon takes up to 300 bytes.
impl<S: Scalar> Query<S> for ConvexPolygon<S> {
    #[inline]
    fn bounds(&self) -> Aabb<S> {
        self.bounds()
    }

    #[inline]
    fn reaches(&self, cell: &Aabb<S>) -> bool {
        self.may_intersect(cell)
    }

    #[inline]
    fn admits_all(&self) -> bool {
        true
    }

    #[inline]
    fn accepts(&self, _id: u32, bounds: &Aabb<S>, _layers: Layers) -> bool {
        self.intersects(bounds)
    }
}
