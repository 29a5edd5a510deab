//! Boxes that lie entirely within a rectangle.

use super::Query;
use crate::geometry::{Aabb, Scalar};
use crate::storage::Layers;

/// The boxes that lie entirely within a rectangle. Equal edges count, so a rectangle finds the box that equals it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inside<S = f32>(pub Aabb<S>);

impl<S: Scalar> Query<S> for Inside<S> {
    #[inline]
    fn bounds(&self) -> Aabb<S> {
        self.0
    }

    #[inline]
    fn covers(&self, hull: &Aabb<S>) -> bool {
        self.0.contains(hull)
    }

    #[inline]
    fn admits_all(&self) -> bool {
        true
    }

    #[inline]
    fn accepts(&self, _id: u32, bounds: &Aabb<S>, _layers: Layers) -> bool {
        self.0.contains(bounds)
    }
}
