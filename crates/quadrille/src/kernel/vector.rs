//! Numbers side by side in one register, and the twin of every such register: a single number.

use super::{HALF, LANES, Lanes, Sixteen};
use crate::geometry::{Aabb, Scalar};

/// Numbers that are compared at once with the instructions of a kernel. There are values of `K` only where the machine
/// has those, so making a vector requires one.
pub trait Vector<K, S>: Copy {
    /// How many numbers: a power of two, [`HALF`](super::HALF) at most.
    const WIDTH: usize;

    /// The same number everywhere.
    fn splat(kernel: K, number: S) -> Self;

    /// The numbers of a column from place `at` on.
    fn load(kernel: K, column: &[S], at: usize) -> Self;

    /// Bit `k` is set if box `k` of the ones shares a point with box `k` of the others. Both are by columns: lower x,
    /// lower y, upper x, upper y.
    fn meet(ones: [Self; 4], others: [Self; 4]) -> u32;

    /// See [`Kernel::near`](super::Kernel::near).
    #[inline(always)]
    fn near(_: K, lanes: &Lanes<'_, S>, origin: &Aabb<S>, square: f64) -> u32
    where
        K: Copy,
        S: Scalar,
    {
        let (most, [min_x, min_y, max_x, max_y]) = (square * SLACK + f64::MIN_POSITIVE, *lanes);
        let mut mask = 0;
        for lane in 0..LANES {
            let x = gap(origin.min[0], origin.max[0], min_x[lane], max_x[lane]);
            let y = gap(origin.min[1], origin.max[1], min_y[lane], max_y[lane]);
            mask |= u32::from(x * x + y * y <= most) << lane;
        }
        mask
    }

    /// See [`Kernel::are_valid`](super::Kernel::are_valid).
    #[inline(always)]
    fn are_valid(_: K, boxes: &[Aabb<S>]) -> bool
    where
        S: Scalar,
    {
        // Without a branch, for almost always all are.
        boxes.iter().fold(true, |valid, bounds| valid & bounds.is_valid())
    }

    /// See [`Kernel::within`](super::Kernel::within).
    #[inline(always)]
    fn within(kernel: K, lanes: &Lanes<'_, S>, base: u64, hits: &mut [u64; LANES]) -> usize
    where
        K: Copy,
        S: Scalar,
    {
        // The last eight, and behind them the first again.
        let mut turned = [[S::ZERO; LANES]; 4];
        for (turned, column) in turned.iter_mut().zip(lanes) {
            turned[..HALF].copy_from_slice(&column[HALF..]);
            turned[HALF..].copy_from_slice(&column[..HALF]);
        }
        let (mut word, mut found) = (base, 0);
        for distance in 1..=HALF {
            word += 1 << 8;
            let mask = meet_at::<K, S, Self>(kernel, lanes, distance);
            hits[found % LANES] = word | u64::from(mask);
            found += usize::from(mask != 0);
        }
        let turned = [&turned[0], &turned[1], &turned[2], &turned[3]];
        word = base | 1 << 16;
        for distance in 1..HALF {
            word += 1 << 8;
            let mask = meet_at::<K, S, Self>(kernel, &turned, distance);
            hits[found % LANES] = word | u64::from(mask);
            found += usize::from(mask != 0);
        }
        found
    }

    /// See [`Kernel::gather`](super::Kernel::gather).
    #[inline(always)]
    fn gather(_: K, boxes: &[Aabb<S>], ids: &[u32; LANES], count: usize, columns: Sixteen<'_, S>) -> [[S; 4]; 2]
    where
        S: Scalar,
    {
        gather_portable(boxes, ids, count, columns)
    }
}

/// Distances are compared with a little more than is asked for: what rounding may add to a square of 24 bits, several
/// times over. Where squares vanish, the least number that has all its bits is added to that.
pub(super) const SLACK: f64 = 1.0 + 1.0 / (1_u64 << 20) as f64;

/// How far two intervals are apart.
#[inline(always)]
fn gap<S: Scalar>(low: S, high: S, min: S, max: S) -> f64 {
    let (before, after) = (low.to_f64() - max.to_f64(), min.to_f64() - high.to_f64());
    let gap = if before > after { before } else { after };
    if gap > 0.0 { gap } else { 0.0 }
}

/// Which of the first eight boxes share a point with the ones that many places on.
#[inline(always)]
fn meet_at<K: Copy, S: Scalar, V: Vector<K, S>>(kernel: K, lanes: &Lanes<'_, S>, distance: usize) -> u32 {
    let mut mask = 0;
    for step in 0..HALF / V::WIDTH {
        let at = step * V::WIDTH;
        let others: [V; 4] = load(kernel, lanes, at + distance);
        mask |= V::meet(load(kernel, lanes, at), others) << at;
    }
    mask
}

/// So many numbers of a column from place `at` on. Compiled to nothing where place and length are known.
#[inline(always)]
pub(super) fn part<S, const N: usize>(column: &[S], at: usize) -> &[S; N] {
    column[at..at + N].try_into().expect("as many as were cut out")
}

/// Boxes of four columns from place `at` on. No closures: their bodies would not be compiled for the kernel.
#[inline(always)]
pub(super) fn load<K: Copy, S, V: Vector<K, S>, const N: usize>(
    kernel: K,
    columns: &[&[S; N]; 4],
    at: usize,
) -> [V; 4] {
    let [min_x, min_y, max_x, max_y] = *columns;
    [V::load(kernel, min_x, at), V::load(kernel, min_y, at), V::load(kernel, max_x, at), V::load(kernel, max_y, at)]
}

/// A box in every place.
#[inline(always)]
pub(super) fn splat<K: Copy, S, V: Vector<K, S>>(kernel: K, [min_x, min_y, max_x, max_y]: [S; 4]) -> [V; 4] {
    [V::splat(kernel, min_x), V::splat(kernel, min_y), V::splat(kernel, max_x), V::splat(kernel, max_y)]
}

/// The twin: one number at a time, with no more than the language has.
impl<K, S: Copy + PartialOrd> Vector<K, S> for S {
    const WIDTH: usize = 1;

    #[inline(always)]
    fn splat(_: K, number: S) -> Self {
        number
    }

    #[inline(always)]
    fn load(_: K, column: &[S], at: usize) -> Self {
        let [number] = *part(column, at);
        number
    }

    #[inline(always)]
    fn meet(ones: [Self; 4], others: [Self; 4]) -> u32 {
        let [min_x, min_y, max_x, max_y] = ones;
        let [low_x, low_y, high_x, high_y] = others;
        // `&` instead of `&&`, and no branch anywhere: this is what lets a compiler compare several at once.
        u32::from((min_x <= high_x) & (max_x >= low_x) & (min_y <= high_y) & (max_y >= low_y))
    }
}

#[inline(always)]
fn gather_portable<S: Scalar>(
    boxes: &[Aabb<S>],
    ids: &[u32; LANES],
    count: usize,
    columns: Sixteen<'_, S>,
) -> [[S; 4]; 2] {
    let [min_x, min_y, max_x, max_y] = columns;
    // Of each eight, the first four and the others by themselves.
    let (mut least, mut greatest) = ([[S::HIGHEST; 4]; 2], [[S::LOWEST; 4]; 2]);
    for first in (0..LANES).step_by(4) {
        let four: [[S; 4]; 4] = [0, 1, 2, 3].map(|k| {
            let id = ids[(first + k).min(count - 1)];
            boxes[id as usize].into()
        });
        let (least, greatest) = (&mut least[first / 4 % 2], &mut greatest[first / 4 % 2]);
        for numbers in &four {
            *least = merged(least, numbers, S::lesser);
            *greatest = merged(greatest, numbers, S::greater);
        }
        min_x[first..first + 4].copy_from_slice(&four.map(|numbers| numbers[0]));
        min_y[first..first + 4].copy_from_slice(&four.map(|numbers| numbers[1]));
        max_x[first..first + 4].copy_from_slice(&four.map(|numbers| numbers[2]));
        max_y[first..first + 4].copy_from_slice(&four.map(|numbers| numbers[3]));
    }
    [merged(&least[0], &least[1], S::lesser), merged(&greatest[0], &greatest[1], S::greater)]
}

#[inline(always)]
fn merged<S: Scalar>(a: &[S; 4], b: &[S; 4], merge: impl Fn(S, S) -> S) -> [S; 4] {
    [0, 1, 2, 3].map(|number| merge(a[number], b[number]))
}
