//! Boxes within a distance.

use core::cmp::Ordering;

use super::{Query, Ranked};
use crate::geometry::{Aabb, Reach, Scalar, Square, Wide, apart};
use crate::kernel::Apart;
use crate::storage::Layers;

/// The boxes within a distance of a point or a box: `Near::point(center).within(radius)` is a **circle**.
/// [`query_first`](crate::Index::query_first) finds the nearest box,
/// [`query_first_few`](crate::Index::query_first_few) the k nearest neighbors.
///
/// In the manual: `docs/cookbook/asking.md#the-nearest-enemy`.
///
/// The distance is between the nearest points of the two, and zero if they overlap. A box at exactly the distance
/// counts. Squared distances are compared, in [`Wide`]; if squares of `f64` would underflow or overflow, the distances
/// themselves. Without [`within`](Self::within) there is no limit: every box is an answer; use that for
/// answers in order of distance.
///
/// A NaN, infinite or inverted target finds nothing, and so does a NaN or negative distance.
///
/// ```
/// use quadrille::structures::Quadtree;
/// use quadrille::{Aabb, Index, Near};
///
/// let index = Index::<Quadtree<i32>>::from_boxes(&[[3, 4, 9, 9], [4, 4, 9, 9], [-2, 0, -1, 0]].map(Aabb::from))?;
/// let circle = Near::point([0, 0]).within(5);
/// assert_eq!(index.query_count(circle), 2, "the corner at (3, 4) touches the circle");
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near<S: Scalar = f32> {
    target: Aabb<S>,
    /// The greatest distance.
    most: f64,
    /// The same, to be compared with.
    reach: Reach<S>,
}

impl<S: Scalar> Near<S> {
    /// All boxes, by their distance from a point.
    #[must_use]
    pub fn point(point: impl Into<[S; 2]>) -> Self {
        Self::aabb(Aabb::from_point(point))
    }

    /// All boxes, by their distance from a box.
    #[must_use]
    pub fn aabb(target: Aabb<S>) -> Self {
        Self { target, most: f64::INFINITY, reach: Reach::All }.if_valid()
    }

    /// Nothing is near an invalid box.
    fn if_valid(self) -> Self {
        if self.target.is_valid() { self } else { Self { most: -1.0, reach: Reach::up_to(-1.0), ..self } }
    }

    /// Limits the query to boxes at most `distance` away. Takes a number of any type, because distances between integer
    /// coordinates need not be integers.
    #[must_use]
    pub fn within(self, distance: impl Into<f64>) -> Self {
        let most = distance.into();
        Self { most, reach: Reach::up_to(most), ..self }.if_valid()
    }

    /// The same distance, measured from a target moved by `offset`. Beyond the range of floats, nothing is near.
    #[must_use]
    pub fn with_offset(&self, offset: impl Into<[S; 2]>) -> Self {
        Self { target: self.target.with_offset(offset), ..*self }.if_valid()
    }

    /// What the distance is measured from.
    #[must_use]
    pub fn target(&self) -> Aabb<S> {
        self.target
    }

    /// Must boxes touch the target?
    #[inline]
    pub(crate) fn is_touching(&self) -> bool {
        self.most == 0.0 && matches!(self.reach, Reach::UpTo { .. })
    }

    /// For comparing many boxes at once; `None` if all are near, or the greatest distance is so great or so small that
    /// its square is no number.
    pub(crate) fn apart(&self) -> Option<Apart<S>> {
        Apart::within(self.reach)
    }

    /// The square of the greatest distance, or a greater number.
    pub(crate) fn greatest_square(&self) -> f64 {
        self.reach.square().unwrap_or(f64::INFINITY)
    }

    /// The distance to a box, or `None` if it is too far away.
    ///
    /// Rounded or not, the distance grows with the distance on either axis, and a box is exactly as far away as its
    /// nearest point, to the last bit. So the cell that holds this point is reached whenever the box is accepted.
    #[must_use]
    #[inline]
    pub fn distance(&self, bounds: &Aabb<S>) -> Option<Distance<S>> {
        self.reach.holds(&self.target, bounds).then(|| Distance { square: apart(&self.target, bounds) })
    }
}

impl<S: Scalar> Query<S> for Near<S> {
    #[inline]
    fn bounds(&self) -> Aabb<S> {
        match self.reach {
            Reach::All => Aabb::EVERYTHING,
            Reach::UpTo { .. } => self.target.within_reach(S::Wide::outward(self.most)),
            Reach::Nothing => Aabb::EMPTY,
        }
    }

    fn extent(&self) -> Aabb<S> {
        self.target
    }

    #[inline]
    fn reaches(&self, cell: &Aabb<S>) -> bool {
        self.distance(cell).is_some()
    }

    /// Is the farthest point of the hull near enough? Every box in the hull is at least as near, rounded or not: on
    /// either axis, the point's distance is computed from an edge that is no nearer. Without a limit everything is near.
    #[inline]
    fn covers(&self, hull: &Aabb<S>) -> bool {
        let farthest = Aabb { min: hull.max, max: hull.min };
        self.reach.holds(&self.target, &farthest)
    }

    #[inline]
    fn circle(&self) -> Option<Self> {
        Some(*self)
    }

    #[inline]
    fn admits_all(&self) -> bool {
        true
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
        let reach = self.target.within_reach(last.square.root_above());
        reach.intersection(&self.bounds()).unwrap_or(Aabb::EMPTY)
    }

    #[inline]
    fn square(&self, rank: &Distance<S>) -> Option<f64> {
        rank.square.plain()
    }

    #[inline]
    fn is_by_distance(&self) -> bool {
        true
    }
}

/// How far apart two boxes are. Compared exactly for `i32`, and for floats whatever their size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance<S: Scalar = f32> {
    square: S::Square,
}

impl<S: Scalar> Distance<S> {
    /// The distance, in units of the world. Off by at most one step of `f64`.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.square.root()
    }

    /// The distance as a coordinate: rounded to the nearest number of the scalar, the largest one if none is so large.
    #[must_use]
    pub fn to_scalar(&self) -> S {
        S::from_f64(self.to_f64())
    }

    /// The squared distance, rounded to the nearest `f64`.
    #[must_use]
    pub fn squared(&self) -> f64 {
        self.square.to_f64()
    }
}

impl<S: Scalar> PartialOrd for Distance<S> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.square.partial_cmp(&other.square)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::Near;
    use crate::structures::{BruteForce, Quadtree};
    use crate::{Aabb, FrameTree, Index, Structure};

    /// The boxes at these distances from the origin, the nearest first, and how far they are.
    fn in_order<I: Structure<Scalar = f64>>(distances: &[f64]) -> [Vec<(u32, f64)>; 3] {
        let boxes: Vec<_> = distances.iter().map(|&x| Aabb::from_point([x, -x])).collect();
        let (index, near) = (Index::<I>::from_boxes(&boxes).expect("points"), Near::point([0.0, 0.0]));
        let (mut first, mut many) = (Vec::new(), crate::Answers::new());
        index.query_first_few(near, distances.len(), &mut first);
        index.query_first_many(&[near], distances.len(), &mut many);
        let told = |hit: &crate::Hit<super::Distance<f64>>| (hit.id, hit.rank.to_f64());
        [
            first.iter().map(told).collect(),
            many.of(0).iter().map(told).collect(),
            index.query_in_order(near).map(|hit| told(&hit)).collect(),
        ]
    }

    #[test]
    fn distances_are_coordinates_of_the_index() {
        let point = Aabb::from_point([3, 1]);
        let far =
            |to: [i32; 2]| super::Distance::<i32> { square: crate::geometry::apart(&point, &Aabb::from_point(to)) };
        assert_eq!([[0, 5], [2, 0], [3, 1], [i32::MIN, 1]].map(|to| far(to).to_scalar()), [5, 1, 0, i32::MAX]);
        let index = Index::<FrameTree>::from_boxes(&[Aabb::from_point([0.3, 0.0])]).expect("a point");
        let hit = index.query_first(Near::point([0.1, 0.0])).expect("there is one");
        assert_eq!(hit.rank.to_scalar(), (f64::from(0.3_f32) - f64::from(0.1_f32)) as f32);
    }

    #[test]
    fn the_nearest_come_first_where_squares_vanish_or_are_infinite() {
        for unit in [f64::from_bits(1), 1e-310, 1e-200, 1e-165, 1e-150, 1.0, 1e150, 1e160, 1e300] {
            let distances: Vec<f64> = (0..60).map(|k| f64::from((k * 37) % 60) * unit).collect();
            let mut sorted: Vec<(u32, f64)> = (0..)
                .zip(&distances)
                .map(|(id, &x)| (id, Aabb::from_point([x, x]).distance(&[0.0; 4].into())))
                .collect();
            sorted.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            for found in [in_order::<FrameTree<f64>>, in_order::<Quadtree<f64>>, in_order::<BruteForce<f64>>] {
                for found in found(&distances) {
                    assert_eq!(found, sorted, "{unit}");
                }
            }
        }
    }
}
