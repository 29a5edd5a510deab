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
/// | `f64` | likewise | likewise. Squares above 1e308 are infinite and below 1e-308 vanish: if distances are beyond 1e154 or below 1e-145, ranks compare the distances, and limits scaled squares |
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

    /// `self / divisor`; `divisor` must not be zero. For integers, both must fit in 64 bits, as sums of a few
    /// coordinates do.
    fn over(self, divisor: Self) -> Self::Ratio;

    /// The nearest `f64`.
    fn to_f64(self) -> f64;

    /// Can the difference between this coordinate and another exceed the range of numbers? Never for integers.
    fn is_far(self) -> bool;

    /// Half of a number, exact if it or another [is far](Self::is_far).
    fn half(self) -> Self;

    /// The product with a power of two from [`scale_for`](Self::scale_for).
    fn scaled(self, by: f64) -> Self;

    /// What distances are multiplied by before their squares are compared with that of this one, which is not
    /// negative: one, unless squares would be rounded to zero or to infinity.
    fn scale_for(distance: f64) -> f64;

    /// The greatest square whose root is at most `distance`, which is not negative; `None` if there is none.
    fn square_of(distance: f64) -> Option<Self>;

    /// The length of a vector with these sides, which are not negative.
    fn diagonal(sides: [Self; 2]) -> f64;

    /// Not less than any distance that, with all roundings, is found to be at most `distance`.
    fn outward(distance: f64) -> f64;

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
    fn scaled(self, by: f64) -> Self {
        self * by
    }

    fn scale_for(distance: f64) -> f64 {
        let square = distance * distance;
        if square < LEAST_SQUARE {
            SCALE
        } else if square < f64::INFINITY {
            1.0
        } else {
            1.0 / SCALE
        }
    }

    fn square_of(distance: f64) -> Option<Self> {
        (distance < f64::INFINITY).then_some(distance * distance)
    }

    fn diagonal([x, y]: [Self; 2]) -> f64 {
        let scale = Self::scale_for(x + y);
        let (x, y) = (x * scale, y * scale);
        sqrt(x * x + y * y) / scale
    }

    fn outward(distance: f64) -> f64 {
        distance + distance.slack()
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
    // Casts: sums of a few coordinates of 32 bits.
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
    fn scaled(self, _by: f64) -> Self {
        self
    }

    fn scale_for(_distance: f64) -> f64 {
        1.0
    }

    fn square_of(distance: f64) -> Option<Self> {
        whole_square(distance)
    }

    fn diagonal([x, y]: [Self; 2]) -> f64 {
        sqrt((x * x + y * y).to_f64())
    }

    fn outward(distance: f64) -> f64 {
        distance
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

/// From this square on, `f64` holds squares and their sums with all digits; below, they fade into zero.
pub(super) const LEAST_SQUARE: f64 = 1e-290;

/// 2^600: brings distances whose squares are below [`LEAST_SQUARE`] to where squares are exact, and one over it those
/// beyond 1e154.
const SCALE: f64 = f64::from_bits((600 + 1023) << 52);

/// The whole part of the square of a distance; `None` if no two `i32` are that far apart.
// Casts: below 2^86.
fn whole_square(distance: f64) -> Option<i128> {
    // No two `i32` are 2^33 apart.
    if distance >= (1_u64 << 33) as f64 {
        return None;
    }
    if distance < 1.0 {
        return Some(0);
    }
    // From 1 to 2^33 every `f64` is a whole number of 2^-53: a + b / 2^53. Its square is aa + 2ab / 2^53 + bb / 2^106,
    // rounded down.
    const PART: i128 = (1 << 53) - 1;
    let number = (distance * (1_u64 << 53) as f64) as i128;
    let (a, b) = (number >> 53, number & PART);
    let twice = 2 * a * b;
    let carried = ((twice & PART) + ((b * b) >> 53)) >> 53;
    Some(a * a + (twice >> 53) + carried)
}

/// A number not less than the square root of `square`, and greater by less than one part in a million. Never zero, so
/// that what rounds to nothing is still within reach.
#[cfg(feature = "std")]
pub(crate) fn sqrt_above(square: f64) -> f64 {
    square.max(f64::MIN_POSITIVE).sqrt() * (1.0 + 1e-7)
}

/// The same without a square root.
///
/// Newton's iteration from a guess with half the exponent. From the first step on it stays above the root, and each
/// step doubles the number of correct digits: 3 %, 0.05 %, 1e-7, 1e-14.
#[cfg(not(feature = "std"))]
pub(crate) fn sqrt_above(square: f64) -> f64 {
    let square = square.max(f64::MIN_POSITIVE);
    if square == f64::INFINITY {
        return square;
    }
    let guess = f64::from_bits((square.to_bits() >> 1) + (1023_u64 << 51));
    (0..4).fold(guess, |root, _| root.midpoint(square / root)) * (1.0 + 1e-7)
}

/// The square root, correctly rounded: with the standard library, the processor's own.
pub(super) fn sqrt(square: f64) -> f64 {
    #[cfg(feature = "std")]
    return square.sqrt();
    #[cfg(not(feature = "std"))]
    return portable_sqrt(square);
}

/// The root of the mantissa as a whole number, with two more bits than a float has, of which the last says whether
/// anything is left: enough to round by.
#[cfg(any(test, not(feature = "std")))]
// Casts: the root has 55 bits.
fn portable_sqrt(square: f64) -> f64 {
    // Scaled by a power of four, so that every mantissa is whole.
    const SCALE: f64 = (1_u64 << 54) as f64;
    if square <= 0.0 || square == f64::INFINITY {
        return square;
    }
    if square < f64::MIN_POSITIVE {
        return portable_sqrt(square * SCALE * SCALE) / SCALE;
    }
    let (exponent, mantissa) = ((square.to_bits() >> 52) + 1, square.to_bits() & ((1 << 52) - 1) | 1 << 52);
    let wide = u128::from(mantissa) << (56 + exponent % 2);
    let root = wide.isqrt();
    let rounded = (root | u128::from(root * root != wide)) as u64 as f64;
    rounded * f64::from_bits((1023 + exponent / 2 - 538 - 28) << 52)
}

#[cfg(test)]
mod tests {
    use super::{Fraction, Ratio, Wide, portable_sqrt, sqrt_above, whole_square};

    #[test]
    fn square_roots_are_those_of_the_processor() {
        for root in (0..20_000).map(f64::from) {
            assert_eq!(portable_sqrt(root * root), root);
        }
        let ends = [5e-324, 1e-310, 1e-290, f64::MAX, 0.0, f64::INFINITY];
        let powers = (1..2000_u32).map(|k| f64::from(k).powi(40) * 1e-100);
        let scattered = (0..100_000_u64).map(|k| f64::from_bits(k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 1));
        for square in powers.chain(ends).chain(scattered.filter(|square| square.is_finite())) {
            assert_eq!(portable_sqrt(square), square.sqrt(), "of {square}");
        }
    }

    #[test]
    fn squares_of_whole_numbers_are_exact() {
        for n in [0_i64, 1, 2, 3, 65_535, (1 << 32) - 1, (1 << 33) - 1] {
            assert_eq!(whole_square(n as f64), Some(i128::from(n) * i128::from(n)), "{n}");
        }
        for n in [1_i64, 2, 3, 65_535] {
            let squared = i128::from(n) * i128::from(n);
            assert_eq!(whole_square((n as f64).next_up()), Some(squared), "just above {n}");
            assert_eq!(whole_square((n as f64).next_down()), Some(squared - 1), "just below {n}");
        }
        assert_eq!(whole_square(2.5), Some(6));
        assert_eq!(whole_square(2.0_f64.sqrt()), Some(2), "the nearest f64 to the root of two is above it");
        assert_eq!(whole_square(3.0_f64.sqrt()), Some(2), "the nearest f64 to the root of three is below it");
        assert_eq!(whole_square(1e300), None);
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
