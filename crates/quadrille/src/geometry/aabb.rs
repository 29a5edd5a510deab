//! The axis-aligned bounding box (AABB), and the one place that defines the boundary convention.

use core::fmt;

use super::{Scalar, both};

/// An axis-aligned bounding box with **closed edges**: the edges belong to the box.
///
/// In the manual: `docs/concepts.md#closed-edges`.
///
/// - Touching is overlapping: boxes that share only an edge or a corner intersect.
/// - A box of zero size is a point or a segment. It contains itself and intersects what it touches.
/// - A box is valid if `min <= max` on both axes and all four numbers are finite. The fields are public, so you can
///   build an invalid box. Structures reject it ([`check`](Self::check)), and a query with an inverted or NaN box finds
///   nothing.
///
/// x points right; y points whichever way you like. A box takes 16 bytes for `f32` and `i32`, 32 for `f64`. Points and
/// vectors may have any type that converts into `[S; 2]`: arrays, pairs, and the types of glam, mint, nalgebra and
/// others.
///
/// ```
/// use quadrille::Aabb;
///
/// let a = Aabb::new([0.0, 0.0], [2.0, 1.0]);
/// let b = Aabb::from_center([3.0, 0.5], [1.0, 0.5]);
/// assert!(a.intersects(&b), "they touch at x = 2");
/// assert_eq!(a.union(&b), Aabb::new([0.0, 0.0], [4.0, 1.0]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
// Four numbers in this order: the kernel for x86-64 relies on it.
#[repr(C)]
pub struct Aabb<S = f32> {
    /// The corner with the lower x and the lower y.
    pub min: [S; 2],
    /// The corner with the upper x and the upper y.
    pub max: [S; 2],
}

impl<S: Default> Default for Aabb<S> {
    /// The box of zero size at the origin: the default of each number. It is valid, and an index stores it; the box
    /// without a point is [`EMPTY`](Self::EMPTY).
    fn default() -> Self {
        Self { min: Default::default(), max: Default::default() }
    }
}

impl<S: Scalar> Aabb<S> {
    /// The box without points, and the identity element of [`union`](Self::union). Not valid. It intersects no box that
    /// is smaller than the whole range of numbers.
    pub const EMPTY: Self = Self { min: [S::HIGHEST; 2], max: [S::LOWEST; 2] };

    /// The box that encloses every valid box. For floats its corners are infinite, so you can query with it but not store
    /// it.
    pub const EVERYTHING: Self = Self { min: [S::LOWEST; 2], max: [S::HIGHEST; 2] };

    /// The box from corner `min` to corner `max`, unchecked. In constants write `Aabb { min, max }`.
    #[must_use]
    #[inline]
    pub fn new(min: impl Into<[S; 2]>, max: impl Into<[S; 2]>) -> Self {
        Self { min: min.into(), max: max.into() }
    }

    /// The box of zero size at `point`.
    #[must_use]
    #[inline]
    pub fn from_point(point: impl Into<[S; 2]>) -> Self {
        let point = point.into();
        Self { min: point, max: point }
    }

    /// The box around `center` that extends by `half` (x and y) to each side. Saturates for integers.
    #[must_use]
    #[inline]
    pub fn from_center(center: impl Into<[S; 2]>, half: impl Into<[S; 2]>) -> Self {
        let (center, half) = (center.into(), half.into());
        Self {
            min: [center[0].minus(half[0]), center[1].minus(half[1])],
            max: [center[0].plus(half[0]), center[1].plus(half[1])],
        }
    }

    /// The smallest box that encloses two opposite corners, given in any order.
    #[must_use]
    #[inline]
    pub fn from_corners(a: impl Into<[S; 2]>, b: impl Into<[S; 2]>) -> Self {
        let (a, b) = (a.into(), b.into());
        // In this order, NaN of either corner is in the box, which is then invalid.
        Self { min: [a[0].lesser(b[0]), a[1].lesser(b[1])], max: [b[0].greater(a[0]), b[1].greater(a[1])] }
    }

    /// The box with lower corner `min` and the given width and height. Saturates for integers.
    #[must_use]
    #[inline]
    pub fn from_size(min: impl Into<[S; 2]>, size: impl Into<[S; 2]>) -> Self {
        let (min, [width, height]) = (min.into(), size.into());
        Self { min, max: [min[0].plus(width), min[1].plus(height)] }
    }

    /// The smallest box that encloses all of `points`; [`EMPTY`](Self::EMPTY) if there are none.
    #[must_use]
    pub fn from_points<P: Into<[S; 2]>>(points: impl IntoIterator<Item = P>) -> Self {
        points.into_iter().fold(Self::EMPTY, |all, point| all.union(&Self::from_point(point)))
    }

    /// The smallest box that encloses all of `boxes`; [`EMPTY`](Self::EMPTY) if there are none.
    #[must_use]
    pub fn from_boxes<'a>(boxes: impl IntoIterator<Item = &'a Self>) -> Self {
        boxes.into_iter().fold(Self::EMPTY, |all, one| all.union(one))
    }

    /// The part of a box that is nearest to this one.
    pub(crate) fn nearest_in(&self, other: &Self) -> Self {
        let clamped = |edges: [S; 2]| both(|axis| edges[axis].greater(other.min[axis]).lesser(other.max[axis]));
        Self { min: clamped(self.min), max: clamped(self.max) }
    }

    /// The same box moved by `offset`. Saturates for integers.
    #[must_use]
    #[inline]
    pub fn with_offset(&self, offset: impl Into<[S; 2]>) -> Self {
        let offset = offset.into();
        Self {
            min: [self.min[0].plus(offset[0]), self.min[1].plus(offset[1])],
            max: [self.max[0].plus(offset[0]), self.max[1].plus(offset[1])],
        }
    }

    /// The same box grown by `margin` on every side. Saturates for integers. A negative margin shrinks the box and may
    /// invert it.
    #[must_use]
    #[inline]
    pub fn with_margin(&self, margin: S) -> Self {
        Self {
            min: [self.min[0].minus(margin), self.min[1].minus(margin)],
            max: [self.max[0].plus(margin), self.max[1].plus(margin)],
        }
    }

    /// The smallest box that encloses everything within `distance` of this one on both axes, however far that is.
    pub(crate) fn within_reach(&self, distance: f64) -> Self {
        Self { min: both(|axis| self.min[axis].down_by(distance)), max: both(|axis| self.max[axis].up_by(distance)) }
    }

    /// The point of the box nearest to `point`: `point` itself if it lies in the box.
    #[must_use]
    #[inline]
    pub fn nearest_point(&self, point: impl Into<[S; 2]>) -> [S; 2] {
        let point = point.into();
        both(|axis| point[axis].greater(self.min[axis]).lesser(self.max[axis]))
    }

    /// The four corners in Morton order: lower left, lower right, upper left, upper right, if y points up.
    #[must_use]
    #[inline]
    pub fn corners(&self) -> [[S; 2]; 4] {
        let Self { min: [west, south], max: [east, north] } = *self;
        [[west, south], [east, south], [west, north], [east, north]]
    }

    /// The center of the box. Never overflows; integers round toward −∞.
    #[must_use]
    #[inline]
    pub fn center(&self) -> [S; 2] {
        [self.min[0].midpoint(self.max[0]), self.min[1].midpoint(self.max[1])]
    }

    /// Width and height. Saturates for integers. Infinite for floats if it exceeds their range.
    #[must_use]
    #[inline]
    pub fn size(&self) -> [S; 2] {
        [self.max[0].minus(self.min[0]), self.max[1].minus(self.min[1])]
    }

    /// The width of the box: see [`size`](Self::size).
    #[must_use]
    #[inline]
    pub fn width(&self) -> S {
        self.size()[0]
    }

    /// The height of the box: see [`size`](Self::size).
    #[must_use]
    #[inline]
    pub fn height(&self) -> S {
        self.size()[1]
    }

    /// Width times height as `f64`, which is finite for every valid `f32` and `i32` box.
    #[must_use]
    #[inline]
    pub fn area(&self) -> f64 {
        (self.max[0].to_f64() - self.min[0].to_f64()) * (self.max[1].to_f64() - self.min[1].to_f64())
    }

    /// `true` if the two boxes share a point. Touching counts.
    #[must_use]
    #[inline]
    pub fn intersects(&self, other: &Self) -> bool {
        all([
            self.min[0] <= other.max[0],
            other.min[0] <= self.max[0],
            self.min[1] <= other.max[1],
            other.min[1] <= self.max[1],
        ])
    }

    /// `true` if `other` lies entirely within this box. Equal edges count, so every valid box contains itself.
    #[must_use]
    #[inline]
    pub fn contains(&self, other: &Self) -> bool {
        all([
            self.min[0] <= other.min[0],
            other.max[0] <= self.max[0],
            self.min[1] <= other.min[1],
            other.max[1] <= self.max[1],
        ])
    }

    /// `true` if the point lies in the box or on its edge.
    #[must_use]
    #[inline]
    pub fn contains_point(&self, point: impl Into<[S; 2]>) -> bool {
        self.contains(&Self::from_point(point))
    }

    /// The smallest box that encloses both.
    #[must_use]
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: [self.min[0].lesser(other.min[0]), self.min[1].lesser(other.min[1])],
            max: [self.max[0].greater(other.max[0]), self.max[1].greater(other.max[1])],
        }
    }

    /// The intersection of the two boxes, or `None` if they share no point. For boxes that merely touch, it has zero
    /// width or height.
    #[must_use]
    #[inline]
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        self.intersects(other).then(|| Self {
            min: [self.min[0].greater(other.min[0]), self.min[1].greater(other.min[1])],
            max: [self.max[0].lesser(other.max[0]), self.max[1].lesser(other.max[1])],
        })
    }

    /// `true` if `min <= max` on both axes. Infinite edges are allowed: this is what a *query* needs.
    #[must_use]
    #[inline]
    pub fn is_ordered(&self) -> bool {
        (self.min[0] <= self.max[0]) & (self.min[1] <= self.max[1])
    }

    /// Whether two boxes differ, without a branch.
    #[inline(always)]
    pub(crate) fn differs(&self, other: &Self) -> bool {
        ((self.min[0] != other.min[0]) | (self.min[1] != other.min[1]))
            | ((self.max[0] != other.max[0]) | (self.max[1] != other.max[1]))
    }

    /// `true` if the box can be stored: all numbers finite and `min <= max` on both axes.
    #[must_use]
    #[inline]
    pub fn is_valid(&self) -> bool {
        self.is_ordered()
            & self.min[0].is_finite()
            & self.min[1].is_finite()
            & self.max[0].is_finite()
            & self.max[1].is_finite()
    }

    /// Returns the box if it can be stored.
    ///
    /// # Errors
    /// Returns an error that names the axis and the value that is NaN or infinite, or both values if `min > max`.
    #[inline]
    pub fn check(self) -> Result<Self, BoundsError> {
        if self.is_valid() { Ok(self) } else { Err(BoundsError::find(&self)) }
    }
}

/// `true` if all four hold. They are added up, which costs less than one mispredicted branch: of `&` before a branch, the
/// compiler makes a branch for each.
#[inline]
fn all([a, b, c, d]: [bool; 4]) -> bool {
    u8::from(a) + u8::from(b) + u8::from(c) + u8::from(d) == 4
}

impl<S> From<[S; 4]> for Aabb<S> {
    /// `[min x, min y, max x, max y]`, the order of most files.
    fn from([min_x, min_y, max_x, max_y]: [S; 4]) -> Self {
        Self { min: [min_x, min_y], max: [max_x, max_y] }
    }
}

impl<S> From<Aabb<S>> for [S; 4] {
    fn from(Aabb { min: [min_x, min_y], max: [max_x, max_y] }: Aabb<S>) -> Self {
        [min_x, min_y, max_x, max_y]
    }
}

impl<S> From<[[S; 2]; 2]> for Aabb<S> {
    fn from([min, max]: [[S; 2]; 2]) -> Self {
        Self { min, max }
    }
}

impl<S> From<Aabb<S>> for [[S; 2]; 2] {
    fn from(aabb: Aabb<S>) -> Self {
        [aabb.min, aabb.max]
    }
}

impl<S> From<((S, S), (S, S))> for Aabb<S> {
    fn from((min, max): ((S, S), (S, S))) -> Self {
        Self { min: min.into(), max: max.into() }
    }
}

impl<S> From<Aabb<S>> for ((S, S), (S, S)) {
    fn from(aabb: Aabb<S>) -> Self {
        (aabb.min.into(), aabb.max.into())
    }
}

/// Why a box cannot be stored. The message names the axis and the value.
#[derive(Clone, Copy, PartialEq)]
pub struct BoundsError {
    what: &'static str,
    axis: char,
    min: f64,
    max: f64,
}

impl BoundsError {
    #[cold]
    fn find<S: Scalar>(bounds: &Aabb<S>) -> Self {
        let bad = |is_good: fn(S, S) -> bool| (0..2).find(|&axis| !is_good(bounds.min[axis], bounds.max[axis]));
        // What a query may be comes last: infinite.
        let axis = bad(|min, max| min <= max).or_else(|| bad(|min, max| min.is_finite() && max.is_finite()));
        let axis = axis.unwrap_or(0);
        let [min, max] = [bounds.min[axis], bounds.max[axis]].map(Scalar::to_f64);
        Self { what: "box", axis: ['x', 'y'][axis], min, max }
    }

    /// The same error, about something other than a box that is stored.
    pub(crate) fn of(self, what: &'static str) -> Self {
        Self { what, ..self }
    }
}

impl fmt::Display for BoundsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, axis, min, max } = self;
        let side = |is: fn(f64) -> bool| [("min", *min), ("max", *max)].into_iter().find(|&(_, value)| is(value));
        if let Some((side, _)) = side(f64::is_nan) {
            return write!(f, "{side} {axis} of the {what} is NaN");
        }
        match side(f64::is_infinite) {
            Some((side, value)) if min <= max => write!(f, "{side} {axis} of the {what} is not finite: {value}"),
            _ => write!(f, "the {what} is inverted: min {axis} = {min} is greater than max {axis} = {max}"),
        }
    }
}

impl fmt::Debug for BoundsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BoundsError({self})")
    }
}

impl core::error::Error for BoundsError {}
