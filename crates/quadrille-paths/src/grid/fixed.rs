//! Lengths as single integers from which the counts can be recovered.
//!
//! With `R` odd and near `√2 · 2^32`, the number of `s` straight and `d` diagonal steps is `s · 2^32 + d · R`. Its
//! lower half is that of `d · R`, and odd numbers have an inverse modulo 2^32, so `d` follows, and then `s`. Numbers
//! are ordered as lengths are, unless they are so close that the error of `R`, less than one per diagonal step, may
//! have swapped them; then the counts decide.

use core::cmp::Ordering;
use core::ops::Add;

use crate::grid::cell::Direction;
use crate::grid::cost::Length;

/// A length, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fixed(u64);

/// √2 · 2^32 = 6,074,000,999.95, made odd.
const ROOT: u64 = 6_074_000_999;
/// The inverse of its lower half modulo 2^32: each step doubles the number of right bits (K. Hensel's lifting).
const INVERSE: u32 = {
    let root = ROOT as u32;
    let (mut inverse, mut step) = (root, 0);
    while step < 5 {
        inverse = inverse.wrapping_mul(2_u32.wrapping_sub(root.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
};

impl Fixed {
    pub(crate) const ZERO: Self = Self(0);
    /// Longer than every path.
    pub(crate) const MAX: Self = Self(u64::MAX);

    /// The number, and the length of a number.
    #[inline]
    pub(crate) const fn to_bits(self) -> u64 {
        self.0
    }

    #[inline]
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The length of a step, `weight` times.
    #[inline]
    pub(crate) const fn of_step(direction: Direction, weight: u32) -> Self {
        Self(if direction.is_diagonal() { ROOT } else { 1 << 32 } * weight as u64)
    }

    /// The whole part.
    #[inline]
    pub(crate) const fn bucket(self) -> u64 {
        self.0 >> 32
    }

    /// `self - other` in units of 2^`unit`, rounded down; 0 if `self` is shorter. Paths have at most 2^28 steps, whose
    /// numbers are off by less than 2^-4.
    #[inline]
    pub(crate) const fn above(self, other: Self, unit: i32) -> u64 {
        self.0.saturating_sub(other.0) >> (32 + unit)
    }

    /// The number's bit length.
    pub(crate) const fn bits(self) -> u32 {
        u64::BITS - self.0.leading_zeros()
    }

    /// The length in units of two to this power, saturated.
    pub(crate) fn in_units(self, shift: u32) -> u16 {
        u16::try_from(self.0 >> shift).unwrap_or(u16::MAX)
    }

    /// The same rounded up.
    pub(crate) fn in_units_up(self, shift: u32) -> u16 {
        Self(self.0.saturating_add((1 << shift) - 1)).in_units(shift)
    }

    /// A number of units. Only a bound: its `length()` has no meaning.
    #[inline]
    pub(crate) const fn of_units(count: u16, shift: u32) -> Self {
        Self((count as u64) << shift)
    }

    /// The length as such a number.
    #[inline]
    pub(crate) const fn of(length: Length) -> Self {
        Self(((length.straight as u64) << 32) + length.diagonal as u64 * ROOT)
    }

    /// The counts.
    pub(crate) const fn length(self) -> Length {
        let diagonal = (self.0 as u32).wrapping_mul(INVERSE);
        let straight = self.0.wrapping_sub(diagonal as u64 * ROOT) >> 32;
        Length { straight: straight as u32, diagonal }
    }
}

impl Add for Fixed {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Ord for Fixed {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        // The error is below one for each step, and there are no more steps than the length has whole parts.
        let difference = self.0.abs_diff(other.0);
        if difference == 0 || difference > self.0.max(other.0) >> 32 {
            self.0.cmp(&other.0)
        } else {
            self.length().cmp(&other.length())
        }
    }
}

impl PartialOrd for Fixed {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_can_be_had_back_and_decide_the_order() {
        let fixed = Fixed::of;
        // Convergents of the root of two come closest: 1,855,077,841 / 1,311,738,121 is the last that fits.
        let mut lengths = vec![Length::ZERO, Length { straight: 1 << 30, diagonal: 1 << 30 }];
        let (mut straight, mut diagonal) = (1_u32, 1_u32);
        while straight < 1 << 30 {
            lengths.push(Length { straight, diagonal: 0 });
            lengths.push(Length { straight: 0, diagonal });
            lengths.push(Length { straight: straight / 2, diagonal: diagonal / 3 });
            (straight, diagonal) = (straight + 2 * diagonal, straight + diagonal);
        }
        for a in &lengths {
            assert_eq!(fixed(*a).length(), *a);
            for b in &lengths {
                assert_eq!(fixed(*a).cmp(&fixed(*b)), a.cmp(b), "{a:?} {b:?}");
            }
        }
    }
}
