//! Boxes that overlap a rectangle or lie under a point.

use super::Question;
use crate::geometry::{Aabb, Scalar};

/// The boxes that share a point with a rectangle. Touching counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlaps<S = f32>(pub Aabb<S>);

impl<S: Scalar> Question<S> for Overlaps<S> {
    #[inline]
    fn bounds(&self) -> Aabb<S> {
        self.0
    }

    #[inline]
    fn accepts(&self, _id: u32, bounds: &Aabb<S>) -> bool {
        self.0.intersects(bounds)
    }
}

/// The boxes under a point. Edges and corners count, so a box of zero size is found at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct At<S = f32>(pub [S; 2]);

impl<S: Scalar> Question<S> for At<S> {
    #[inline]
    fn bounds(&self) -> Aabb<S> {
        Aabb::from_point(self.0)
    }

    #[inline]
    fn accepts(&self, _id: u32, bounds: &Aabb<S>) -> bool {
        bounds.contains_point(self.0)
    }
}
