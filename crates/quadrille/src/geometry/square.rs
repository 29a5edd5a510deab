//! Squares of distances, to be compared.
//!
//! Distances are compared by their squares. Those of `f64` vanish below 1e-162 and are infinite above 1e154, so that
//! boxes of `f64` have squares of their own, [`AnySquare`].

use core::fmt::Debug;

use super::Wide;
use super::wide::{LEAST_SQUARE, sqrt, sqrt_above};

/// The square of a distance between boxes: of two of them, the lesser is that of the lesser distance.
pub trait Square: Copy + PartialOrd + Debug + Send + Sync + sealed::Sealed + 'static {
    /// How far apart boxes are on an axis.
    type Side: Wide;

    /// The sum of two squares: monotone in both sides, rounded or not. No side is negative.
    fn of(sides: [Self::Side; 2]) -> Self;

    /// The nearest `f64`.
    fn to_f64(self) -> f64;

    /// The distance.
    fn root(self) -> f64;

    /// A number not less than the distance, and barely greater. Never zero.
    fn root_above(self) -> f64;

    /// The nearest `f64`, if there is one that is as many digits long.
    fn plain(self) -> Option<f64>;
}

mod sealed {
    pub trait Sealed {}
    impl<W: super::Wide> Sealed for W {}
    impl Sealed for super::AnySquare {}
}

#[inline]
pub(super) fn sum_of_squares<W: Wide>([x, y]: [W; 2]) -> W {
    x * x + y * y
}

/// Between boxes of `f32`, of which the squares of the least and the greatest distances have all digits; and of `i32`,
/// exact.
impl<W: Wide> Square for W {
    type Side = W;

    #[inline]
    fn of(sides: [W; 2]) -> Self {
        sum_of_squares(sides)
    }

    #[inline]
    fn to_f64(self) -> f64 {
        Wide::to_f64(self)
    }

    fn root(self) -> f64 {
        sqrt(Wide::to_f64(self))
    }

    fn root_above(self) -> f64 {
        sqrt_above(Wide::to_f64(self))
    }

    #[inline]
    fn plain(self) -> Option<f64> {
        Some(Wide::to_f64(self))
    }
}

/// Between boxes of `f64`, whatever their distance: the bits of a number, which are in the order of numbers.
///
/// | distance | bits of | plus |
/// |---|---|---|
/// | below 1e-145, where squares lose digits | the distance | 0 |
/// | from there to 1e154 | its square | 2^62 |
/// | above, where squares are infinite | the distance | 2^63 |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AnySquare(u64);

/// What is added to the bits of squares. Those of short distances are below 2^61.1.
const OF_SQUARES: u64 = 1 << 62;

/// What is added to the bits of long distances. Squares with the above are below 2^63.6, and these above 2^63.8.
const OF_LONG: u64 = 1 << 63;

impl AnySquare {
    /// For sides whose square underflows or overflows.
    #[cold]
    fn beyond([x, y]: [f64; 2], is_short: bool) -> Self {
        // NaN is as far as can be.
        let distance = f64::diagonal([x, y]).min(f64::INFINITY).to_bits();
        Self(distance + if is_short { 0 } else { OF_LONG })
    }

    /// The square, or else the distance.
    #[inline]
    fn square_or_distance(self) -> Result<f64, f64> {
        if self.0 < OF_SQUARES {
            Err(f64::from_bits(self.0))
        } else if self.0 <= OF_SQUARES + f64::MAX.to_bits() {
            Ok(f64::from_bits(self.0 - OF_SQUARES))
        } else {
            Err(f64::from_bits(self.0 - OF_LONG))
        }
    }
}

impl Square for AnySquare {
    type Side = f64;

    #[inline]
    fn of(sides: [f64; 2]) -> Self {
        let square = sum_of_squares(sides);
        let is_none = sides[0] + sides[1] == 0.0;
        if is_none | (LEAST_SQUARE..f64::INFINITY).contains(&square) {
            // Both are common: no branch.
            Self(if is_none { 0 } else { square.to_bits() + OF_SQUARES })
        } else {
            Self::beyond(sides, square < LEAST_SQUARE)
        }
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self.square_or_distance().unwrap_or_else(|distance| distance * distance)
    }

    fn root(self) -> f64 {
        self.square_or_distance().map_or_else(|distance| distance, sqrt)
    }

    fn root_above(self) -> f64 {
        // The least number is far below what is rounded away in the sum with any other.
        self.square_or_distance().map_or_else(|distance| f64::outward(distance).max(f64::MIN_POSITIVE), sqrt_above)
    }

    #[inline]
    fn plain(self) -> Option<f64> {
        let none_apart = (self == Self(0)).then_some(0.0);
        self.square_or_distance().ok().or(none_apart)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{AnySquare, Square};

    /// From the least number there is to the greatest, with those around where squares change their form.
    fn sides() -> Vec<f64> {
        let powers = (1..2047).map(|exponent| f64::from_bits(exponent << 52));
        let around = [1e-290_f64.sqrt(), 1e-145, f64::MAX.sqrt(), 1e154];
        let steps = around.into_iter().flat_map(|at| (0..64_u64).map(move |k| f64::from_bits(at.to_bits() + k - 32)));
        let least = (0..64).map(f64::from_bits);
        least.chain(powers).chain(steps).chain([f64::MAX, f64::INFINITY]).collect()
    }

    #[test]
    fn squares_of_any_size_are_in_the_order_of_distances() {
        let mut sides = sides();
        sides.sort_by(f64::total_cmp);
        sides.dedup();
        for two in sides.windows(2) {
            let [one, other] = [two[0], two[1]].map(|side| AnySquare::of([side, 0.0]));
            assert!(one <= other, "{two:?}");
            // Squares of numbers that differ by their last digit may be equal.
            assert!(one < other || two[0].to_bits() + 1 == two[1].to_bits(), "{two:?}");
            for [x, y] in [[two[0], two[0]], [two[0], two[1]], [two[1], two[1]]] {
                assert!(AnySquare::of([x, y]) >= one && AnySquare::of([y, x]) == AnySquare::of([x, y]), "{x} {y}");
            }
        }
    }

    #[test]
    fn squares_of_any_size_have_roots() {
        for side in sides() {
            let square = AnySquare::of([0.0, side]);
            assert_eq!(square.root(), side);
            assert!(square.root_above() >= side && square.root_above() > 0.0, "{side}");
            assert_eq!(square.to_f64(), side * side);
            assert!(square.plain().is_none_or(|plain| plain == side * side), "{side}");
        }
        assert!(AnySquare::of([f64::NAN, 0.0]) >= AnySquare::of([f64::INFINITY, 0.0]));
    }
}
