//! How far apart two boxes are, and whether that is near enough.
//!
//! Distances are compared by their [squares](Square).

use core::cmp::Ordering;

use super::square::sum_of_squares;
use super::{Aabb, Scalar, Square, Wide, both};

/// How far apart two boxes are on each axis; zero if they overlap. Infinite only if no `f64` is as large.
#[inline]
fn gaps<S: Scalar>(a: &Aabb<S>, b: &Aabb<S>) -> [S::Wide; 2] {
    both(|axis| {
        let before = a.min[axis].wide() - b.max[axis].wide();
        let after = b.min[axis].wide() - a.max[axis].wide();
        before.greater(after).greater(S::Wide::ZERO)
    })
}

/// How far apart two boxes are, to be compared.
#[inline]
pub(crate) fn apart<S: Scalar>(a: &Aabb<S>, b: &Aabb<S>) -> S::Square {
    S::Square::of(gaps(a, b))
}

/// Which distances count: those up to a greatest one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reach<S: Scalar> {
    /// All.
    All,
    /// Those whose square is at most `most`. Gaps are multiplied by a scale before they are squared, so that squares
    /// have all digits where the limit is.
    UpTo { scale: f64, most: S::Wide },
    /// None.
    Nothing,
}

impl<S: Scalar> Reach<S> {
    /// Distances up to `most` count; none if that is negative or NaN.
    pub(crate) fn up_to(most: f64) -> Self {
        if !matches!(most.partial_cmp(&0.0), Some(Ordering::Equal | Ordering::Greater)) {
            return Self::Nothing;
        }
        let scale = S::Wide::scale_for(most);
        S::Wide::square_of(most * scale).map_or(Self::All, |most| Self::UpTo { scale, most })
    }

    /// The square of the greatest distance that counts, as [`apart`] gives it; `None` if there is none, or squares are
    /// scaled.
    pub(crate) fn square(&self) -> Option<f64> {
        match *self {
            Self::UpTo { scale, most } => (scale == 1.0).then(|| Wide::to_f64(most)),
            Self::All | Self::Nothing => None,
        }
    }

    /// Does the distance of two boxes count?
    #[inline]
    pub(crate) fn holds(&self, a: &Aabb<S>, b: &Aabb<S>) -> bool {
        match *self {
            Self::All => true,
            Self::UpTo { scale, most } => sum_of_squares(gaps(a, b).map(|gap| gap.scaled(scale))) <= most,
            Self::Nothing => false,
        }
    }
}

impl<S: Scalar> Aabb<S> {
    /// The distance between the nearest points of two boxes; zero if they touch. Right up to a few parts in 2^53,
    /// however small or large: infinite only beyond the range of `f64`.
    ///
    /// ```
    /// use quadrille::Aabb;
    ///
    /// let house = Aabb::new([0.0, 0.0], [4.0, 4.0]);
    /// assert_eq!(house.distance(&Aabb::from_point([7.0, 8.0])), 5.0);
    /// assert_eq!(house.distance(&Aabb::from_point([4.0, 3.0])), 0.0);
    /// ```
    #[must_use]
    pub fn distance(&self, other: &Self) -> f64 {
        S::Wide::diagonal(gaps(self, other))
    }

    /// The square of the [distance](Self::distance): exact for `i32` up to 2^53, and rounded as `f64` is. Squares below
    /// 1e-308 vanish, and those above 1e308 are infinite.
    #[must_use]
    pub fn distance_squared(&self, other: &Self) -> f64 {
        apart(self, other).to_f64()
    }

    /// The box grown by `margin` on every side, rounded outward, and by one part in 2^48 of the margin more: two boxes
    /// overlap when both are grown if they are no farther apart than twice the margin. What can be stored stays so: no
    /// edge moves beyond the range of numbers.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        let all = self.within_reach(S::Wide::outward(margin));
        let finite = Self { min: [S::LOWEST.finite(); 2], max: [S::HIGHEST.finite(); 2] };
        all.intersection(&finite).unwrap_or(all)
    }

    /// The smallest box of another number type that encloses this one: the same if the numbers can be the same, and
    /// rounded outward if they cannot. Edges beyond the range of the type are the last of that range, for floats
    /// infinite. A box with NaN becomes [`EMPTY`](Self::EMPTY), which cannot be stored either.
    ///
    /// ```
    /// use quadrille::Aabb;
    ///
    /// let exact = Aabb::<f64>::new([0.1, -2.5], [0.3, 7.0]);
    /// let cells: Aabb<i32> = exact.cast();
    /// assert_eq!(cells, Aabb::new([0, -3], [1, 7]));
    /// assert!(exact.cast::<f32>().cast().contains(&exact));
    /// ```
    #[must_use]
    pub fn cast<T: Scalar>(&self) -> Aabb<T> {
        let [min, max] = [self.min, self.max].map(|corner| corner.map(S::to_f64));
        if min.iter().chain(&max).any(|edge| edge.is_nan()) {
            return Aabb::EMPTY;
        }
        Aabb { min: min.map(|edge| T::ZERO.down_by(-edge)), max: max.map(|edge| T::ZERO.up_by(edge)) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Aabb, Reach};

    #[test]
    fn distances_are_compared_where_squares_vanish_or_are_infinite() {
        for unit in [f64::from_bits(16), f64::MIN_POSITIVE, 1e-181, 1e-145, 1e-144, 1.0, 1e154, 1e301] {
            let unit = f64::from_bits(unit.to_bits() >> 4 << 4);
            let [here, there] = [[0.0, 0.0], [3.0 * unit, 4.0 * unit]].map(Aabb::from_point);
            let far = 5.0 * unit;
            assert_eq!(here.distance(&there), far, "{unit}");
            assert!(
                Reach::<f64>::up_to(far).holds(&here, &there)
                    && !Reach::<f64>::up_to(far.next_down()).holds(&here, &there),
                "{unit}"
            );
            assert!(
                Reach::<f64>::up_to(f64::INFINITY).holds(&here, &there)
                    && !Reach::<f64>::up_to(-0.5).holds(&here, &there)
            );
        }
    }

    #[test]
    fn casts_enclose_and_are_the_same_where_they_can_be() {
        let ends = Aabb::<f64>::new([-1e300, -0.5], [0.1, 1e300]);
        let narrow = ends.cast::<f32>();
        assert_eq!(narrow, Aabb::new([f32::NEG_INFINITY, -0.5], [0.1_f32, f32::INFINITY]));
        assert_eq!(ends.cast::<i32>(), Aabb::new([i32::MIN, -1], [1, i32::MAX]));
        let far = Aabb::new([i32::MIN, 16_777_217], [16_777_217, i32::MAX]);
        assert_eq!(far.cast::<f64>().cast::<i32>(), far);
        assert_eq!(far.cast::<f32>(), Aabb::new([-2_147_483_648.0, 16_777_216.0], [16_777_218.0, 2_147_483_648.0]));
        assert_eq!(Aabb::<f32>::EMPTY.cast::<f64>(), Aabb::EMPTY);
        assert_eq!(Aabb::<f64>::EVERYTHING.cast::<f32>(), Aabb::EVERYTHING);
    }

    #[test]
    fn what_is_near_overlaps_when_it_has_grown_and_can_still_be_stored() {
        // Numbers of very different sizes, so that sums are rounded.
        let edges = [0.0, 1e-9, 0.1, 0.3, 7.7, 1e4, 3.3e7, -2e9_f64];
        for (a, b) in edges.iter().flat_map(|a| edges.map(|b| (*a, b))) {
            let [a, b] = [a, b].map(|x| Aabb::from_point([x as f32, 1.0]));
            let half = a.distance(&b) / 2.0;
            assert!(a.grown(half).intersects(&b.grown(half)) && a.grown(half).is_valid(), "{a:?} {b:?}");
        }
        assert!(Aabb::<f32>::new([f32::MIN; 2], [f32::MAX; 2]).grown(f64::INFINITY).is_valid());
        assert_eq!(Aabb::new([1, 2], [3, 4]).grown(2.0), Aabb::new([-1, 0], [5, 6]));
        assert_eq!(Aabb::new([1.5, 2.5], [3.5, 4.5]).grown(0.0), Aabb::new([1.5, 2.5], [3.5, 4.5]));
    }
}
