//! Sorting along a Hilbert curve, and by whole numbers.

use alloc::vec::Vec;
use core::ops::Range;

use quadrille::internals::sort_by_bits;
use quadrille::{Aabb, Scalar};

/// Sorts by some bits, with memory to use again. Compiled once for all that is sorted.
#[inline(never)]
pub(crate) fn sort(keys: &mut Vec<u64>, spare: &mut Vec<u64>, bits: Range<u32>) {
    sort_by_bits(keys, spare, bits, |&key| key);
}

/// Where on the curve a point is that lies in `world`, in the upper half; a number in the lower.
pub(crate) fn key(world: &Aabb<f32>, at: [f32; 2], number: u32) -> u64 {
    let [mut x, mut y] = [0, 1].map(|axis| {
        let [lo, hi, at] = [world.min[axis], world.max[axis], at[axis]].map(Scalar::to_f64);
        // Zero where there is no width to divide by.
        u32::from(((at - lo) / (hi - lo) * 65_536.0) as u16)
    });
    let mut key = 0;
    for bit in (0..16).rev() {
        let [right, upper] = [x, y].map(|place| place >> bit & 1);
        key = key << 2 | (3 * right) ^ upper;
        // Masks instead of branches, which would be guessed wrong.
        let turns = upper.wrapping_sub(1);
        let flips = turns & right.wrapping_neg();
        let swaps = turns & (x ^ y);
        (x, y) = (x ^ swaps ^ flips, y ^ swaps ^ flips);
    }
    u64::from(key) << 32 | u64::from(number)
}
