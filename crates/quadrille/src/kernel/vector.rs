//! Numbers side by side in one register, and the twin of every such register: a single number.

use super::{HALF, LANES, Lanes, Sixteen, Test};
use crate::geometry::{Aabb, Scalar};

/// Numbers that are compared at once with the instructions of a kernel. There are values of `K` only if the machine
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

    /// Bits of the places whose two boxes have a squared distance surely within the [limit](Limits), and of those where
    /// it may be. The second include the first.
    fn are_near(kernel: K, ones: [Self; 4], others: [Self; 4], limits: Limits) -> [u32; 2]
    where
        S: Scalar;

    /// See [`Kernel::near`](super::Kernel::near).
    #[inline(always)]
    fn near(_: K, lanes: &Lanes<'_, S>, origin: &Aabb<S>, square: f64, squares: &mut [f64; LANES]) -> u32
    where
        K: Copy,
        S: Scalar,
    {
        let (most, [min_x, min_y, max_x, max_y]) = (most(square), *lanes);
        let mut mask = 0;
        for lane in 0..LANES {
            let x = gap(origin.min[0], origin.max[0], min_x[lane], max_x[lane]);
            let y = gap(origin.min[1], origin.max[1], min_y[lane], max_y[lane]);
            squares[lane] = x * x + y * y;
            mask |= u32::from(squares[lane] <= most) << lane;
        }
        mask
    }

    /// See [`Kernel::are_valid`](super::Kernel::are_valid).
    #[inline(always)]
    fn are_valid(_: K, boxes: &[Aabb<S>]) -> bool
    where
        S: Scalar,
    {
        // Without a branch, because almost always all are valid.
        boxes.iter().fold(true, |valid, bounds| valid & bounds.is_valid())
    }

    /// See [`Kernel::within`](super::Kernel::within).
    #[inline(always)]
    fn within<T: Test<S>>(kernel: K, test: &T, lanes: &Lanes<'_, S>, base: u64, hits: &mut [u64; LANES]) -> usize
    where
        K: Copy,
        S: Scalar,
    {
        // The last eight, followed by the first eight.
        let mut turned = [[S::ZERO; LANES]; 4];
        for (turned, column) in turned.iter_mut().zip(lanes) {
            turned[..HALF].copy_from_slice(&column[HALF..]);
            turned[HALF..].copy_from_slice(&column[..HALF]);
        }
        let (mut word, mut found) = (base, 0);
        for distance in 1..=HALF {
            word += 1 << 8;
            let mask = passes_at::<K, S, Self, T>(kernel, test, lanes, distance);
            hits[found % LANES] = word | u64::from(mask);
            found += usize::from(mask != 0);
        }
        let turned = [&turned[0], &turned[1], &turned[2], &turned[3]];
        word = base | 1 << 16;
        for distance in 1..HALF {
            word += 1 << 8;
            let mask = passes_at::<K, S, Self, T>(kernel, test, &turned, distance);
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

/// Distances are compared with slightly more than the limit: several times what rounding may add to a square of 24
/// bits. For squares that underflow, the smallest normal number is added to that.
pub(super) const SLACK: f64 = 1.0 + 1.0 / (1_u64 << 20) as f64;

/// An upper bound on a rounded square of `f64` that is at most `square`.
#[inline(always)]
pub(super) fn most(square: f64) -> f64 {
    square * SLACK + f64::MIN_POSITIVE
}

/// How far two intervals are apart.
#[inline(always)]
fn gap<S: Scalar>(low: S, high: S, min: S, max: S) -> f64 {
    let (before, after) = (low.to_f64() - max.to_f64(), min.to_f64() - high.to_f64());
    let gap = if before > after { before } else { after };
    if gap > 0.0 { gap } else { 0.0 }
}

/// A squared distance to compare rounded squares with: those up to the first number are surely within the limit, those
/// above the second are not.
#[derive(Clone, Copy, Debug)]
pub struct Limits([f64; 2]);

impl Limits {
    pub(crate) fn new(square: f64) -> Self {
        let sure = square.min(f64::MAX / 4.0) / SLACK - f64::MIN_POSITIVE;
        Self([sure, most(square)])
    }

    /// `true` if no number of this range is beyond the limit.
    pub(crate) fn is_beyond(self, greatest: f64) -> bool {
        self.0[1] >= greatest
    }

    /// For squares of `f64`.
    #[inline(always)]
    pub fn wide(self) -> [f64; 2] {
        self.0
    }

    /// For squares of `f32`. Those that underflow may be off by the smallest normal number.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the slack is wider")]
    pub fn narrow(self) -> [f32; 2] {
        let [sure, possible] = self.0.map(|limit| limit as f32);
        [sure.min(f32::MAX / 4.0) - f32::MIN_POSITIVE, possible + f32::MIN_POSITIVE]
    }
}

/// Which of the first eight boxes pass a test with the ones `distance` places on.
#[inline(always)]
fn passes_at<K: Copy, S: Scalar, V: Vector<K, S>, T: Test<S>>(
    kernel: K,
    test: &T,
    lanes: &Lanes<'_, S>,
    distance: usize,
) -> u32 {
    let mut masks = [0; 2];
    for step in 0..HALF / V::WIDTH {
        let at = step * V::WIDTH;
        let ones: [V; 4] = load(kernel, lanes, at);
        let [sure, possible] = test.compare(kernel, ones, load(kernel, lanes, at + distance));
        masks = [masks[0] | sure << at, masks[1] | possible << at];
    }
    if masks[0] == masks[1] { masks[0] } else { judged_at(test, lanes, distance, masks) }
}

/// The same if compared numbers are too near the limit to tell.
#[cold]
#[inline(never)]
fn judged_at<S: Scalar, T: Test<S>>(
    test: &T,
    lanes: &Lanes<'_, S>,
    distance: usize,
    [sure, possible]: [u32; 2],
) -> u32 {
    let passes = |lane: &usize| test.passes(&nth(lanes, *lane), &nth(lanes, *lane + distance));
    super::bits(possible & !sure).filter(passes).fold(sure, |mask, lane| mask | 1 << lane)
}

/// Which of sixteen boxes pass a test with another, given those that surely and those that perhaps do.
#[cold]
#[inline(never)]
pub(super) fn judged<S: Scalar, T: Test<S>>(
    test: &T,
    lanes: &Lanes<'_, S>,
    bounds: &Aabb<S>,
    [sure, possible]: [u32; 2],
) -> u32 {
    let passes = |lane: &usize| test.passes(&nth(lanes, *lane), bounds);
    super::bits(possible & !sure).filter(passes).fold(sure, |mask, lane| mask | 1 << lane)
}

/// Box `lane` of sixteen.
fn nth<S: Copy>(lanes: &Lanes<'_, S>, lane: usize) -> Aabb<S> {
    let [min_x, min_y, max_x, max_y] = lanes;
    Aabb { min: [min_x[lane], min_y[lane]], max: [max_x[lane], max_y[lane]] }
}

/// This many numbers of a column, starting at `at`. Compiled to nothing if position and length are constants.
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

    #[inline(always)]
    fn are_near(_: K, ones: [Self; 4], others: [Self; 4], limits: Limits) -> [u32; 2]
    where
        S: Scalar,
    {
        let [min_x, min_y, max_x, max_y] = ones;
        let [low_x, low_y, high_x, high_y] = others;
        let (x, y) = (gap(low_x, high_x, min_x, max_x), gap(low_y, high_y, min_y, max_y));
        let square = x * x + y * y;
        limits.0.map(|limit| u32::from(square <= limit))
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
