//! The three number types a structure can be built over.

use core::fmt::{Debug, Display};

use super::{AnySquare, Square, Wide};
use crate::compiled::Compiled;

/// A coordinate: `f32`, `f64` or `i32`. Sealed: exactness is proved for these three types only.
///
/// `f32` is the default everywhere. `f64` is for maps and files, `i32` for grids and lockstep games. All arithmetic in
/// the library is safe over the whole range: midpoints never overflow, sizes are computed in `f64`, and distances,
/// times and sides in [`Wide`].
pub trait Scalar:
    Copy
    + PartialEq
    + PartialOrd
    + Debug
    + Display
    + Default
    + Into<f64>
    + Send
    + Sync
    + sealed::Sealed
    + Compiled<Self>
    + 'static
{
    /// Wide enough for differences, products and sums.
    type Wide: Wide + From<Self>;
    /// The square of a distance, to be compared.
    type Square: Square<Side = Self::Wide>;

    /// The name of the type in Rust.
    const NAME: &'static str;
    /// Zero.
    const ZERO: Self;
    /// Not greater than any valid coordinate: −∞ for floats, `i32::MIN` for integers.
    const LOWEST: Self;
    /// Not less than any valid coordinate: +∞ for floats, `i32::MAX` for integers.
    const HIGHEST: Self;

    /// A number halfway between `self` and `other` (`self <= other`), never outside them and never overflowing.
    /// Integers round toward −∞.
    fn midpoint(self, other: Self) -> Self;

    /// `true` unless the number is NaN or infinite. Always `true` for integers.
    fn is_finite(self) -> bool;

    /// The same number as `f64`. Exact for all three types.
    #[inline]
    fn to_f64(self) -> f64 {
        self.into()
    }

    /// The same number, widened for arithmetic.
    #[inline]
    fn wide(self) -> Self::Wide {
        Self::Wide::from(self)
    }

    /// The nearest number of this type, saturating at the finite ends of the range; integers round to nearest.
    fn from_f64(value: f64) -> Self;

    /// A number not less than `value` (which is not negative) and barely greater; [`HIGHEST`](Self::HIGHEST) if there
    /// is none.
    fn at_least(value: f64) -> Self;

    /// The smallest number not less than `self + by`; [`HIGHEST`](Self::HIGHEST) if there is none. `by` may exceed
    /// the range of the type.
    fn up_by(self, by: f64) -> Self;

    /// The greatest number not greater than `self - by`; [`LOWEST`](Self::LOWEST) if there is none.
    fn down_by(self, by: f64) -> Self;

    /// The nearest number on an even lattice on which all sums and differences of numbers up to `reach` are exact.
    /// Floats are rounded to a multiple of about `reach` / 2^24 (`f32`) or 2^51 (`f64`); all integers are on it.
    fn snapped(self, reach: f64) -> Self;

    /// The nearest number that is finite.
    #[inline]
    fn finite(self) -> Self {
        Self::from_f64(self.to_f64())
    }

    /// The greatest number less than this one, which is not the lowest.
    fn before(self) -> Self;

    /// `self + other`, saturating for integers, rounded to nearest for floats.
    fn plus(self, other: Self) -> Self;

    /// `self - other`, saturating for integers, rounded to nearest for floats.
    fn minus(self, other: Self) -> Self;

    /// The lesser of two numbers; `self` if they are equal.
    #[inline]
    fn lesser(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// The greater of two numbers; `self` if they are equal.
    #[inline]
    fn greater(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

mod sealed {
    /// What the crate's features additionally need from a scalar.
    #[cfg(not(feature = "serde"))]
    pub trait Sealed: crate::kernel::Compare {}
    #[cfg(feature = "serde")]
    pub trait Sealed: crate::kernel::Compare + serde::Serialize + serde::de::DeserializeOwned {}

    impl Sealed for f32 {}
    impl Sealed for f64 {}
    impl Sealed for i32 {}
}

macro_rules! float_scalar {
    ($float:ident, $bits:literal bits, $square:ty) => {
        impl Scalar for $float {
            type Wide = f64;
            type Square = $square;

            const NAME: &'static str = stringify!($float);
            const ZERO: Self = 0.0;
            const LOWEST: Self = $float::NEG_INFINITY;
            const HIGHEST: Self = $float::INFINITY;

            #[inline]
            fn midpoint(self, other: Self) -> Self {
                // The sum is rounded once and halving is exact, so the middle lies between. (`midpoint` of the standard
                // library goes through a wider type, or through more branches; trees need it at every level.)
                let sum = self + other;
                if sum.abs() < $float::INFINITY { sum * 0.5 } else { self * 0.5 + other * 0.5 }
            }

            #[inline]
            fn is_finite(self) -> bool {
                $float::is_finite(self)
            }

            #[inline]
            fn at_least(value: f64) -> Self {
                // Rounding to nearest errs by half a step at most; this adds a whole one.
                value as $float * (1.0 + $float::EPSILON) + $float::MIN_POSITIVE
            }

            #[inline]
            fn from_f64(value: f64) -> Self {
                (value as $float).clamp($float::MIN, $float::MAX)
            }

            #[inline]
            fn up_by(self, by: f64) -> Self {
                let (sum, rest) = sum_and_rest(self.into(), by);
                let rounded = sum as $float;
                // The number, or the next one.
                if is_short(rounded.into(), sum, rest) { -(-rounded).before() } else { rounded }
            }

            #[inline]
            fn down_by(self, by: f64) -> Self {
                -(-self).up_by(by)
            }

            fn snapped(self, reach: f64) -> Self {
                // A power of two above `reach`, made of its exponent, over one: what is rounded to whole numbers of
                // steps by adding a number beyond which there are no parts of steps.
                let step = f64::from_bits(reach.min(f64::MAX).to_bits() >> 52 << 52) / (1_u64 << ($bits - 1)) as f64;
                // Long steps are counted in eighths, because that number must not be infinite.
                let scale = if step > 1.0 { 0.125 } else { 1.0 };
                let far = 1.5 * (1_u64 << 52) as f64 * (step * scale);
                (((f64::from(self) * scale + far) - far) / scale) as $float
            }

            #[inline]
            fn before(self) -> Self {
                // Bits of floats ascend with their distance from zero.
                if self > 0.0 {
                    Self::from_bits(self.to_bits() - 1)
                } else {
                    -Self::from_bits(self.abs().to_bits() + 1)
                }
            }

            #[inline]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline]
            fn minus(self, other: Self) -> Self {
                self - other
            }
        }
    };
}

/// A sum, and what it lacks: the two together are exact (D. E. Knuth, *The Art of Computer Programming*, 1997, 4.2.2).
#[inline]
fn sum_and_rest(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// Is a number less than a sum with a rest?
#[inline]
fn is_short(number: f64, sum: f64, rest: f64) -> bool {
    number < sum || (number == sum && rest > 0.0)
}

float_scalar!(f32, 24 bits, f64);
float_scalar!(f64, 51 bits, AnySquare);

impl Scalar for i32 {
    type Wide = i128;
    type Square = i128;

    const NAME: &'static str = "i32";
    const ZERO: Self = 0;
    const LOWEST: Self = i32::MIN;
    const HIGHEST: Self = i32::MAX;

    #[inline]
    fn midpoint(self, other: Self) -> Self {
        ((i64::from(self) + i64::from(other)) >> 1) as i32
    }

    #[inline]
    fn is_finite(self) -> bool {
        true
    }

    #[inline]
    fn at_least(value: f64) -> Self {
        (value as i32).saturating_add(1)
    }

    #[inline]
    fn from_f64(value: f64) -> Self {
        // `as` truncates and saturates; half a step away from zero first makes that rounding.
        (value + 0.5_f64.copysign(value)) as i32
    }

    #[inline]
    fn up_by(self, by: f64) -> Self {
        let (sum, rest) = sum_and_rest(self.into(), by);
        let rounded = sum as i32;
        rounded.saturating_add(is_short(rounded.into(), sum, rest).into())
    }

    #[inline]
    fn down_by(self, by: f64) -> Self {
        let (sum, rest) = sum_and_rest(-f64::from(self), by);
        let rounded = -sum as i32;
        rounded.saturating_sub(is_short(-f64::from(rounded), sum, rest).into())
    }

    fn snapped(self, _reach: f64) -> Self {
        self
    }

    #[inline]
    fn before(self) -> Self {
        self.saturating_sub(1)
    }

    #[inline]
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        self.saturating_sub(other)
    }
}

#[cfg(test)]
mod tests {
    use super::Scalar;

    #[test]
    fn integer_middles_round_down_and_never_overflow() {
        assert_eq!(Scalar::midpoint(i32::MIN, i32::MAX), -1);
        assert_eq!(Scalar::midpoint(-3, 0), -2);
        assert_eq!(Scalar::midpoint(i32::MAX - 1, i32::MAX), i32::MAX - 1);
        assert_eq!(Scalar::midpoint(i32::MIN, i32::MIN), i32::MIN);
    }

    #[test]
    fn float_middles_lie_between_and_never_overflow() {
        assert_eq!(Scalar::midpoint(f32::MIN, f32::MAX), 0.0);
        assert_eq!(Scalar::midpoint(f32::MAX, f32::MAX), f32::MAX);
        assert_eq!(Scalar::midpoint(f64::MIN, f64::MAX), 0.0);
        let (a, b) = (1.0_f32, 1.0_f32.next_up());
        let middle = Scalar::midpoint(a, b);
        assert!(middle == a || middle == b);
        let tiny = f32::from_bits(1);
        assert_eq!(Scalar::midpoint(tiny, tiny), tiny);
    }

    #[test]
    fn on_the_lattice_sums_are_exact() {
        for k in 0..1000 {
            let (a, b) = ((k as f32 * 0.37 - 185.0).snapped(1000.0), (k as f32 * 0.0013).snapped(1000.0));
            assert_eq!((a + 700.0) - 700.0, a);
            assert_eq!((a - b) + b, a);
            assert!((a - (k as f32 * 0.37 - 185.0)).abs() < 0.000_2 && a.snapped(1000.0) == a);
        }
        assert_eq!((7.snapped(5.0), f32::MAX.snapped(1e38)), (7, f32::MAX));
        for reach in [1e307, 9e307, f64::MAX, f64::INFINITY] {
            let (a, b) = (1.234_567_890_123_456_7e306_f64.snapped(reach), 9.876_543_210_987_654e305_f64.snapped(reach));
            assert_eq!((a + 1.25e307.snapped(reach)) - 1.25e307.snapped(reach), a, "{reach}");
            assert_eq!((a - b) + b, a, "{reach}");
            assert!((a / 1.234_567_890_123_456_7e306 - 1.0).abs() < 1e-13 && a.snapped(reach) == a, "{reach}");
        }
    }

    #[test]
    fn ways_reach_as_far_as_they_are_long_and_no_farther_than_needed() {
        assert_eq!((i32::MIN.up_by(4e9), i32::MAX.down_by(4e9)), (1_852_516_352, -1_852_516_353));
        assert_eq!((5.up_by(f64::INFINITY), i32::MIN.down_by(1.0), 5.up_by(2.0)), (i32::MAX, i32::MIN, 7));
        assert_eq!(((-7).up_by(0.5), (-7).down_by(0.5), 7.up_by(0.5), 7.down_by(0.5)), (-6, -8, 8, 6));
        assert_eq!((1.0_f32.up_by(1e-20), 1.0_f64.up_by(1e-200)), (1.0 + f32::EPSILON, 1.0 + f64::EPSILON));
        assert_eq!((1.0_f32.down_by(1e-20), 1.0_f64.down_by(1e-200)), (1.0_f32.before(), 1.0_f64.before()));
        assert_eq!((1.0_f32.up_by(2.0), 1.0_f64.down_by(3.0), 0.0_f32.up_by(0.0)), (3.0, -2.0, 0.0));
        assert_eq!(1.0_f32.up_by(f64::EPSILON / 4.0), 1.0 + f32::EPSILON, "too little even for `f64`");
        assert_eq!((2_000_000_000.up_by(1e-9), (-2_000_000_000).down_by(1e-9)), (2_000_000_001, -2_000_000_001));
        assert_eq!((f64::MAX.up_by(1.0), f32::MIN.down_by(1e300)), (f64::INFINITY, f32::NEG_INFINITY));
        assert_eq!((f32::MAX.up_by(0.0), f64::MAX.up_by(f64::INFINITY)), (f32::MAX, f64::INFINITY));
    }

    #[test]
    fn from_f64_saturates_and_rounds() {
        assert_eq!(<i32 as Scalar>::from_f64(1e300), i32::MAX);
        assert_eq!(<i32 as Scalar>::from_f64(-1e300), i32::MIN);
        assert_eq!(<i32 as Scalar>::from_f64(2.5), 3);
        assert_eq!(<i32 as Scalar>::from_f64(-2.5), -3);
        assert_eq!(<f32 as Scalar>::from_f64(1e300), f32::MAX);
        assert_eq!(<i32 as Scalar>::plus(i32::MAX, 1), i32::MAX);
        assert_eq!(<i32 as Scalar>::minus(i32::MIN, 1), i32::MIN);
    }
}
