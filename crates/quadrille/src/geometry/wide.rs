//! Numbers wide enough for arithmetic on coordinates.

use core::cmp::Ordering;
use core::fmt::Debug;
use core::ops::{Add, Mul, Neg, Sub};

/// The type for differences of coordinates, their products and sums: `f64` for floats, `i128` for `i32`.
///
/// | scalar | exact | otherwise |
/// |---|---|---|
/// | `i32` | always: a squared distance takes 66 bits, a cross product 68 | |
/// | `f32` | products of differences that fit 26 bits, such as integers up to 2^25 | rounded as `f64` is: errors of one part in 2^53 |
/// | `f64` | likewise | likewise; squares above 1e308 are infinite and below 1e-308 vanish, so that distances above 1e154 are all equal, and so are those below 1e-162 |
///
/// Rounding never makes structures disagree: one function decides each query for all of them.
pub trait Wide:
    Copy
    + PartialOrd
    + Debug
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + sealed::Sealed
    + 'static
{
    /// A quotient of two such numbers, for comparison.
    type Ratio: Ratio;
    /// Zero.
    const ZERO: Self;

    /// `self / divisor`, where `divisor` is not zero. For integers, both must fit in 64 bits, as sums of a few
    /// coordinates do.
    fn over(self, divisor: Self) -> Self::Ratio;

    /// The nearest `f64`.
    fn to_f64(self) -> f64;

    /// Can the difference between this coordinate and another exceed the range of numbers? Never for integers.
    fn is_far(self) -> bool;

    /// Half of a number, exact if it or another [is far](Self::is_far).
    #[must_use]
    fn half(self) -> Self;

    /// A bound on the error of a result of this size after a few roundings: one part in 2^48, or zero for integers.
    fn slack(self) -> Self;

    /// The lesser of two numbers.
    #[inline]
    fn lesser(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// The greater of two numbers.
    #[inline]
    fn greater(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    /// The number without its sign.
    #[inline]
    fn magnitude(self) -> Self {
        if self < Self::ZERO { -self } else { self }
    }
}

/// A quotient: `f64` for floats, an exact [`Fraction`] for integers.
pub trait Ratio: Copy + PartialOrd + Debug + Send + Sync + 'static {
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// Minus one.
    const MINUS_ONE: Self;

    /// The nearest `f64`.
    fn to_f64(self) -> f64;
}

impl Wide for f64 {
    type Ratio = f64;
    const ZERO: Self = 0.0;

    #[inline]
    fn over(self, divisor: Self) -> f64 {
        self / divisor
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline]
    fn is_far(self) -> bool {
        // Less is rounded away in the sum with the greatest number.
        self.abs() > f64::MAX * f64::EPSILON / 4.0
    }

    #[inline]
    fn half(self) -> Self {
        self * 0.5
    }

    #[inline]
    fn slack(self) -> Self {
        self * (1.0 / (1_u64 << 48) as f64)
    }
}

impl Ratio for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const MINUS_ONE: Self = -1.0;

    #[inline]
    fn to_f64(self) -> f64 {
        self
    }
}

impl Wide for i128 {
    type Ratio = Fraction;
    const ZERO: Self = 0;

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "sums of a few coordinates of 32 bits")]
    fn over(self, divisor: Self) -> Fraction {
        let sign = if divisor < 0 { -1 } else { 1 };
        Fraction { numerator: (sign * self) as i64, denominator: (sign * divisor) as i64 }
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self as f64
    }

    #[inline]
    fn is_far(self) -> bool {
        false
    }

    #[inline]
    fn half(self) -> Self {
        self / 2
    }

    #[inline]
    fn slack(self) -> Self {
        0
    }
}

/// An exact quotient of two integers. Compared by cross-multiplication in 128 bits; 2/4 equals 1/2.
#[derive(Clone, Copy, Debug)]
pub struct Fraction {
    numerator: i64,
    /// Positive.
    denominator: i64,
}

impl Ratio for Fraction {
    const ZERO: Self = Self { numerator: 0, denominator: 1 };
    const ONE: Self = Self { numerator: 1, denominator: 1 };
    const MINUS_ONE: Self = Self { numerator: -1, denominator: 1 };

    #[inline]
    fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl PartialOrd for Fraction {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
        product(self.numerator, other.denominator).partial_cmp(&product(other.numerator, self.denominator))
    }
}

impl PartialEq for Fraction {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f64 {}
    impl Sealed for i128 {}
}

/// A number not less than the square root of `square`, and greater by less than one part in a million. Never zero, so
/// that what rounds to nothing is still within reach. (`core` has no square root.)
///
/// Newton's iteration from a guess with half the exponent. From the first step on it stays above the root, and each
/// step doubles the number of correct digits: 3 %, 0.05 %, 1e-7, 1e-14.
pub(crate) fn sqrt_above(square: f64) -> f64 {
    let square = square.max(f64::MIN_POSITIVE);
    if square == f64::INFINITY {
        return square;
    }
    let guess = f64::from_bits((square.to_bits() >> 1) + (1023_u64 << 51));
    (0..4).fold(guess, |root, _| root.midpoint(square / root)) * (1.0 + 1e-7)
}

/// The square root, off by at most one step of the type, and exact where the root is.
///
/// Two more steps of Newton's iteration after [`sqrt_above`] remove its error.
pub(crate) fn sqrt(square: f64) -> f64 {
    // Scaled by a power of four, so that nothing is too small.
    const SCALE: f64 = (1_u64 << 54) as f64;
    if square <= 0.0 || square == f64::INFINITY {
        square
    } else if square < 1e-290 {
        sqrt(square * SCALE * SCALE) / SCALE
    } else {
        (0..2).fold(sqrt_above(square), |root, _| root.midpoint(square / root))
    }
}

#[cfg(test)]
mod tests {
    use super::{Fraction, Ratio, Wide, sqrt, sqrt_above};

    #[test]
    fn square_roots_are_exact_where_they_can_be() {
        for root in (0..20_000).map(f64::from) {
            assert_eq!(sqrt(root * root), root);
        }
        for square in (1..2000_u32).map(|k| f64::from(k).powi(40) * 1e-100).chain([5e-324, 1e-310, f64::MAX, 0.0]) {
            let (root, best) = (sqrt(square), square.sqrt());
            assert!(root.to_bits().abs_diff(best.to_bits()) <= 1, "{square}: {root}, not {best}");
        }
        assert_eq!(sqrt(f64::INFINITY), f64::INFINITY);
    }

    #[test]
    fn fractions_are_compared_exactly() {
        let huge = i128::from(u32::MAX);
        assert_eq!(2.over(4), 1.over(2));
        assert_eq!((-2).over(4), 1.over(-2));
        assert!((huge - 1).over(huge) < Fraction::ONE, "although both are near 1");
        assert!((huge - 2).over(huge - 1) < (huge - 1).over(huge));
        assert!((-1).over(huge) < Fraction::ZERO);
    }

    #[test]
    fn roots_are_above_and_near() {
        for square in [2.0, 1.0, 4.0, 1e300, 1e-300, 3.7e9, f64::MAX, f64::MIN_POSITIVE] {
            let root = sqrt_above(square);
            assert!(root >= square.sqrt() && root <= square.sqrt() * 1.000_001, "{square}: {root}");
        }
        assert!(sqrt_above(0.0) > 0.0 && sqrt_above(f64::INFINITY) == f64::INFINITY);
    }
}
