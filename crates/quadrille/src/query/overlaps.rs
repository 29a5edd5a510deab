//! Boxes that overlap a rectangle or contain a point.

use super::{Near, Query};
use crate::geometry::{Aabb, Scalar};
use crate::storage::Layers;

/// The boxes that share a point with a rectangle: the overlap test. Touching counts.
///
/// ```
/// use quadrille::structures::Quadtree;
/// use quadrille::{Aabb, Index, Overlaps};
///
/// let index = Index::<Quadtree>::from_boxes(&[[0.0, 0.0, 2.0, 2.0], [5.0, 5.0, 6.0, 6.0]].map(Aabb::from))?;
/// let camera = Aabb::new([2.0, 1.0], [4.0, 4.0]);
/// assert_eq!(index.query(Overlaps(camera)).collect::<Vec<_>>(), [0], "they touch at x = 2");
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlaps<S = f32>(pub Aabb<S>);

impl<S: Scalar> Query<S> for Overlaps<S> {
    #[inline]
    fn bounds(&self) -> Aabb<S> {
        self.0
    }

    #[inline]
    fn covers(&self, hull: &Aabb<S>) -> bool {
        self.0.contains(hull)
    }

    #[inline]
    fn circle(&self) -> Option<Near<S>> {
        Some(Near::aabb(self.0).within(0.0))
    }

    #[inline]
    fn admits_all(&self) -> bool {
        true
    }

    #[inline]
    fn accepts(&self, _id: u32, bounds: &Aabb<S>, _layers: Layers) -> bool {
        self.0.intersects(bounds)
    }
}

/// The boxes that contain a point, given as any type that converts into `[S; 2]`. Edges and corners count, so a box of
/// zero size is found at its own position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct At<P = [f32; 2]>(pub P);

impl<S: Scalar, P: Into<[S; 2]> + Copy> Query<S> for At<P> {
    #[inline]
    fn bounds(&self) -> Aabb<S> {
        Aabb::from_point(self.0)
    }

    #[inline]
    fn circle(&self) -> Option<Near<S>> {
        Some(Near::point(self.0).within(0.0))
    }

    #[inline]
    fn admits_all(&self) -> bool {
        true
    }

    #[inline]
    fn accepts(&self, _id: u32, bounds: &Aabb<S>, _layers: Layers) -> bool {
        bounds.contains_point(self.0)
    }
}
