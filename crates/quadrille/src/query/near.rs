//! Boxes within a distance.

use core::cmp::Ordering;

use super::{Query, Ranked};
use crate::geometry::{Aabb, Reach, Scalar, Wide, gaps, sqrt, sqrt_above, squared};
use crate::storage::Layers;

/// The boxes within a distance of a point or a box: `Near::point(center).within(radius)` is a **circle**.
/// [`query_first`](crate::Index::query_first) finds the nearest box,
/// [`query_first_into`](crate::Index::query_first_into) the k nearest neighbors.
///
/// In the manual: `docs/cookbook/asking.md#the-nearest-enemy`.
///
/// The distance is between the nearest points of the two, and zero if they overlap. A box at exactly the distance
/// counts. Squared distances are compared, in [`Wide`]; a limit is compared as well where squares of `f64` would vanish
/// or be infinite. Without [`within`](Self::within) everything is near, which is
/// useful for answers in order of distance.
///
/// A NaN or inverted target finds nothing. Neither does a NaN or negative distance.
///
/// ```
/// use quadrille::{Aabb, Index, Near, Quadtree};
///
/// let index = Index::<Quadtree<i32>>::from_boxes(&[[3, 4, 9, 9], [4, 4, 9, 9], [-2, 0, -1, 0]].map(Aabb::from))?;
/// let circle = Near::point([0, 0]).within(5);
/// assert_eq!(index.query_count(circle), 2, "the corner at (3, 4) touches the circle");
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near<S: Scalar = f32> {
    target: Aabb<S>,
    /// All boxes that are near enough intersect these bounds.
    bounds: Aabb<S>,
    reach: Reach<S>,
}

impl<S: Scalar> Near<S> {
    /// Near a point.
    #[must_use]
    pub fn point(point: impl Into<[S; 2]>) -> Self {
        Self::aabb(Aabb::from_point(point))
    }

    /// Near a box.
    #[must_use]
    pub fn aabb(target: Aabb<S>) -> Self {
        if target.is_valid() {
            Self { target, bounds: Aabb::EVERYTHING, reach: Reach::ALL }
        } else {
            Self { target, bounds: Aabb::EMPTY, reach: Reach::ALL }.never()
        }
    }

    /// Nothing is near. Empty bounds alone would not do: the box that is everything intersects them.
    fn never(self) -> Self {
        Self { bounds: Aabb::EMPTY, reach: Reach::up_to(-1.0), ..self }
    }

    /// Limits the query to boxes at most `distance` away: a number of any type, for a distance between integers
    /// need not be one.
    #[must_use]
    pub fn within(self, distance: impl Into<f64>) -> Self {
        let distance = distance.into();
        if !(self.target.is_valid() && distance >= 0.0) {
            return self.never();
        }
        Self { bounds: self.target.within_reach(S::Wide::outward(distance)), reach: Reach::up_to(distance), ..self }
    }

    /// The same distance, measured from a target moved by `offset`. Beyond the range of floats, nothing is near.
    #[must_use]
    pub fn with_offset(&self, offset: impl Into<[S; 2]>) -> Self {
        let offset = offset.into();
        let moved = Self { target: self.target.with_offset(offset), bounds: self.bounds.with_offset(offset), ..*self };
        if moved.target.is_valid() { moved } else { moved.never() }
    }

    /// Limits the query to boxes no farther away than something else is.
    pub(crate) fn within_distance(self, distance: Distance<S>) -> Self {
        Self { bounds: self.bounds_up_to(&distance), reach: Reach::up_to_square(distance.squared), ..self }
    }

    /// What the distance is measured from.
    #[must_use]
    pub fn target(&self) -> Aabb<S> {
        self.target
    }

    /// The distance to a box, or `None` if it is too far away.
    ///
    /// Rounded or not, the distance grows with the distance on either axis, and a box is exactly as far away as its
    /// nearest point, to the last bit. So the cell that holds this point is reached whenever the box is accepted.
    #[must_use]
    #[inline]
    pub fn distance(&self, bounds: &Aabb<S>) -> Option<Distance<S>> {
        let gaps = gaps(&self.target, bounds);
        let is_near = self.reach.holds(gaps) && self.bounds.intersects(bounds);
        is_near.then(|| Distance { squared: squared(gaps) })
    }
}

impl<S: Scalar> Query<S> for Near<S> {
    #[inline]
    fn bounds(&self) -> Aabb<S> {
        self.bounds
    }

    fn extent(&self) -> Aabb<S> {
        self.target
    }

    #[inline]
    fn reaches(&self, cell: &Aabb<S>) -> bool {
        self.distance(cell).is_some()
    }

    #[inline]
    fn accepts(&self, _id: u32, bounds: &Aabb<S>, _layers: Layers) -> bool {
        self.distance(bounds).is_some()
    }
}

impl<S: Scalar> Ranked<S> for Near<S> {
    type Rank = Distance<S>;

    #[inline]
    fn rank(&self, bounds: &Aabb<S>) -> Option<Distance<S>> {
        self.distance(bounds)
    }

    #[inline]
    fn answer(&self, _id: u32, bounds: &Aabb<S>, _layers: Layers) -> Option<Distance<S>> {
        self.distance(bounds)
    }

    fn origin(&self) -> Aabb<S> {
        self.target
    }

    fn bounds_up_to(&self, last: &Distance<S>) -> Aabb<S> {
        let reach = self.target.within_reach(sqrt_above(last.squared()));
        reach.intersection(&self.bounds).unwrap_or(Aabb::EMPTY)
    }

    #[inline]
    fn square(&self, rank: &Distance<S>) -> Option<f64> {
        Some(rank.squared())
    }
}

/// How far apart two boxes are. Compared exactly for `i32`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance<S: Scalar = f32> {
    squared: S::Wide,
}

impl<S: Scalar> Distance<S> {
    /// The distance, in units of the world. Off by at most one step of `f64`.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        sqrt(self.squared())
    }

    /// The squared distance, rounded to the nearest `f64`.
    #[must_use]
    pub fn squared(&self) -> f64 {
        self.squared.to_f64()
    }
}

impl<S: Scalar> PartialOrd for Distance<S> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.squared.partial_cmp(&other.squared)
    }
}
