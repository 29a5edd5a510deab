//! Convex polygons: sight cones, light volumes, the view of a rotated camera.

use core::fmt;

use arrayvec::ArrayVec;

use super::{Aabb, Scalar, Wide, both};

/// A convex polygon, edges included, with 1 to 16 corners. One corner is a point, two are a segment. Corners may
/// coincide.
///
/// In the manual: `docs/cookbook/asking.md#sight-cone-with-line-of-sight`.
///
/// ```
/// use quadrille::structures::Quadtree;
/// use quadrille::{Aabb, ConvexPolygon, Index};
///
/// let boxes = [[4.0, 1.0, 5.0, 2.0], [4.0, 4.5, 5.0, 6.0], [9.0, 0.0, 9.5, 0.5]].map(Aabb::from);
/// let index = Index::<Quadtree>::from_boxes(&boxes)?;
/// let sight = ConvexPolygon::wedge([0.0, 0.0], [8.0, 2.0], 0.5)?;
/// assert_eq!(index.query(&sight).collect::<Vec<_>>(), [0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Overlap test by separating axes: S. Gottschalk, M. C. Lin, D. Manocha, *OBBTree*, 1996. In the plane, these axes are
/// the normals of all edges of both shapes. The axes of the box come first. After that only the intersection of the two
/// bounds is considered, so that numbers stay small however large the box is.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPolygon<S: Scalar = f32> {
    /// Counter-clockwise (if y points up).
    corners: ArrayVec<[S; 2], MOST_CORNERS>,
    bounds: Aabb<S>,
}

/// A query carries its polygon with it, and is copied now and then.
const MOST_CORNERS: usize = 16;

impl<S: Scalar> ConvexPolygon<S> {
    /// The polygon with these corners, clockwise or counter-clockwise.
    ///
    /// # Errors
    /// Returns an error if there is no corner or more than 16; if one is NaN or infinite; if width times height exceeds
    /// the range of numbers; or if the polygon is not convex or crosses itself. Float corners may be off by one part in
    /// 2^48, so that rounding does not break straight edges.
    pub fn new(corners: &[[S; 2]]) -> Result<Self, PolygonError> {
        if !(1..=MOST_CORNERS).contains(&corners.len()) {
            return Err(PolygonError::Corners(corners.len()));
        }
        if let Some(bad) = corners.iter().position(|corner| !corner.iter().all(|part| part.is_finite())) {
            return Err(PolygonError::NotFinite(bad));
        }
        let bounds = Aabb::from_points(corners.iter().copied());
        let [width, height] = both(|axis| bounds.max[axis].to_f64() - bounds.min[axis].to_f64());
        // The largest number computed.
        if !(4.0 * width * height).is_finite() {
            return Err(PolygonError::TooLarge);
        }
        let mut polygon = Self { corners: corners.iter().copied().collect(), bounds };
        if !polygon.is_counter_clockwise() {
            polygon.corners.reverse();
            if !polygon.is_counter_clockwise() {
                return Err(PolygonError::NotConvex);
            }
        }
        Ok(polygon)
    }

    /// The region seen from `apex` along `axis`, up to the length of `axis`, and `spread` to each side: the tangent of
    /// half the viewing angle (1 is 45°, so the whole angle is below 180°). A triangle: its far side is straight. For
    /// integers, corners are rounded.
    ///
    /// # Errors
    /// Returns an error if a number is NaN or infinite, `spread` is negative, or a corner is beyond the range of numbers.
    pub fn wedge(apex: impl Into<[S; 2]>, axis: impl Into<[S; 2]>, spread: f64) -> Result<Self, PolygonError> {
        let (apex, axis) = (apex.into(), axis.into());
        if !(spread >= 0.0 && spread.is_finite()) {
            return Err(PolygonError::Spread);
        }
        let ([x, y], [right, up]) = (apex.map(S::to_f64), axis.map(S::to_f64));
        let corner = |side: f64| [x + (right - side * up), y + (up + side * right)];
        let corners = [[x, y], corner(-spread), corner(spread)];
        // A number beyond the range would be the last of it, and the wedge another one.
        let [lowest, highest] = [S::LOWEST, S::HIGHEST].map(|end| end.finite().to_f64());
        let is_within = |corner: &[f64; 2]| corner.iter().all(|part| (lowest..=highest).contains(part));
        match corners.iter().position(|corner| !is_within(corner)) {
            Some(bad) => Err(PolygonError::NotFinite(bad)),
            None => Self::new(&corners.map(|corner| corner.map(S::from_f64))),
        }
    }

    /// The same polygon, moved by `offset`. It overlaps nothing beyond the range of numbers, or if numbers are so
    /// sparse that its rounded corners no longer form a convex polygon.
    #[must_use]
    pub fn with_offset(&self, offset: impl Into<[S; 2]>) -> Self {
        let offset = offset.into();
        let corners: ArrayVec<_, MOST_CORNERS> =
            self.corners.iter().map(|corner| both(|axis| corner[axis].plus(offset[axis]))).collect();
        let nothing = Self { corners: self.corners.clone(), bounds: Aabb::EMPTY };
        // Integers beyond the range would be the last of it, and the polygon another one.
        let is_within = (0..2).all(|axis| {
            let moved = |edge: S| edge.wide() + offset[axis].wide();
            S::LOWEST.wide() <= moved(self.bounds.min[axis]) && moved(self.bounds.max[axis]) <= S::HIGHEST.wide()
        });
        if self.bounds.is_ordered() && is_within { Self::new(&corners).unwrap_or(nothing) } else { nothing }
    }

    /// The corners, counter-clockwise if y points up.
    #[must_use]
    pub fn corners(&self) -> &[[S; 2]] {
        &self.corners
    }

    /// The smallest box that encloses the polygon.
    #[must_use]
    #[inline]
    pub fn bounds(&self) -> Aabb<S> {
        self.bounds
    }

    /// `true` if the polygon and the box share a point. Touching counts.
    #[must_use]
    #[inline]
    pub fn intersects(&self, bounds: &Aabb<S>) -> bool {
        self.overlaps(bounds, |_| S::Wide::ZERO)
    }

    /// [`intersects`](Self::intersects), but also true if rounding may have denied it: for cells. If a box is
    /// accepted, any axis that still separates it is off by rounding only. Its nearest point is then off by less than
    /// twice as much, so the cell with that point is reached.
    #[inline]
    pub(crate) fn may_intersect(&self, bounds: &Aabb<S>) -> bool {
        self.overlaps(bounds, Wide::slack)
    }

    /// Is there a point of the box on the inner side of each edge, within `tolerance` of the largest product?
    fn overlaps(&self, bounds: &Aabb<S>, tolerance: impl Fn(S::Wide) -> S::Wide) -> bool {
        let Some(shared) = self.bounds.intersection(bounds) else { return false };
        let way = self.ways();
        let size = way(self.bounds.min, self.bounds.max);
        self.edges().all(|(from, to)| {
            let edge = way(from, to);
            // The corner that is farthest to the left of the edge, seen along it.
            let x = if edge[1] < S::Wide::ZERO { shared.max[0] } else { shared.min[0] };
            let y = if edge[0] > S::Wide::ZERO { shared.max[1] } else { shared.min[1] };
            left_of(edge, way(from, [x, y])) >= -tolerance(largest(edge, size))
        })
    }

    fn edges(&self) -> impl Iterator<Item = ([S; 2], [S; 2])> {
        let next = self.corners.iter().cycle().skip(1);
        self.corners.iter().copied().zip(next.copied())
    }

    /// The way from one point of the polygon to another, longer by a power of two on an axis that is so short that products
    /// would vanish.
    fn ways(&self) -> impl Fn([S; 2], [S; 2]) -> [S::Wide; 2] + use<S> {
        let size = both(|axis| self.bounds.max[axis].to_f64() - self.bounds.min[axis].to_f64());
        let scale = both(|axis| S::Wide::scale_for(size[axis] * size[1 - axis].max(1.0)).max(1.0));
        move |from, to| both(|axis| (to[axis].wide() - from[axis].wide()).scaled(scale[axis]))
    }

    /// Every corner lies to the left of every edge, or on its line. Stricter than checking turns: a star would pass
    /// that.
    fn is_counter_clockwise(&self) -> bool {
        let way = self.ways();
        let size = way(self.bounds.min, self.bounds.max);
        self.edges().all(|(from, to)| {
            let edge = way(from, to);
            let slack = largest(edge, size).slack();
            self.corners.iter().all(|&corner| left_of(edge, way(from, corner)) >= -slack)
        })
    }
}

/// How far the end of a way lies to the left of an edge that begins where it does, times the length of the edge.
#[inline]
fn left_of<W: Wide>([dx, dy]: [W; 2], [x, y]: [W; 2]) -> W {
    dx * y - dy * x
}

/// The largest product of an edge of a polygon of this size.
#[inline]
fn largest<W: Wide>([dx, dy]: [W; 2], [width, height]: [W; 2]) -> W {
    dx.magnitude() * height + dy.magnitude() * width
}

/// Why corners do not form a convex polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolygonError {
    /// There are none or too many. Holds the number of corners.
    Corners(usize),
    /// The corner at this position is NaN, infinite, or beyond the range of numbers.
    NotFinite(usize),
    /// The corners do not go around once, always turning the same way.
    NotConvex,
    /// The spread of a wedge is NaN, infinite or negative.
    Spread,
    /// The area of the polygon's bounds exceeds the range of numbers; possible only for `f64`.
    TooLarge,
}

impl fmt::Display for PolygonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Corners(count) => write!(f, "a polygon has 1 to {MOST_CORNERS} corners, not {count}"),
            Self::NotFinite(position) => write!(f, "corner {position} of the polygon is not finite, or out of range"),
            Self::NotConvex => f.write_str("the polygon is not convex"),
            Self::TooLarge => f.write_str("the polygon is too large: width times height must be below 4e307"),
            Self::Spread => f.write_str("the spread of a wedge must be finite and not negative"),
        }
    }
}

impl core::error::Error for PolygonError {}

#[cfg(test)]
mod tests {
    use super::{Aabb, ConvexPolygon};

    #[test]
    fn polygons_of_any_size_overlap_alike() {
        let corners = [[0, 0], [7, 2], [9, 8], [3, 9]];
        let exact = ConvexPolygon::new(&corners).expect("convex");
        let [least, tiny, small, large] = [f64::from_bits(1), 2_f64.powi(-990), 2_f64.powi(-530), 2_f64.powi(900)];
        for unit in [[1.0; 2], [small; 2], [tiny, 1.0], [least, tiny], [least; 2], [large, least], [tiny, large]] {
            let at = |point: [i32; 2]| [0, 1].map(|axis| f64::from(point[axis]) * unit[axis]);
            let polygon = ConvexPolygon::new(&corners.map(at)).expect("convex");
            for (k, side) in (0..121).flat_map(|k| [0, 1, 3].map(|side| (k, side))) {
                let (min, max) = ([k % 11, k / 11], [k % 11 + side, k / 11 + side]);
                let is_met = polygon.intersects(&Aabb::new(at(min), at(max)));
                assert_eq!(is_met, exact.intersects(&Aabb::new(min, max)), "{min:?} to {max:?} by {unit:?}");
            }
            assert!(ConvexPolygon::new(&[[0, 0], [4, 0], [1, 1], [0, 4]].map(at)).is_err(), "{unit:?}");
        }
    }
}
