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

    /// Squared distances, as the kernel rounds them.
    type Squares: Copy;

    /// The squares of the distances between the boxes in each place.
    fn squares(ones: [Self; 4], others: [Self; 4]) -> Self::Squares
    where
        S: Scalar;

    /// Bit `k` is set if square `k` is up to a limit.
    fn up_to(squares: Self::Squares, limit: f64) -> u32;

    /// Writes the squares to a list, from place `at` on.
    fn store(squares: Self::Squares, list: &mut [f64; LANES], at: usize);

    /// See [`Kernel::are_valid`](super::Kernel::are_valid).
    #[inline(always)]
    fn are_valid(_: K, boxes: &[Aabb<S>]) -> bool
    where
        S: Scalar,
    {
        // Without a branch, because almost always all are valid.
        boxes.iter().fold(true, |valid, bounds| valid & bounds.is_valid())
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

/// What a register of `f32` or `f64` computes, by the names of a machine's instructions, which may be `unsafe`. The sign of
/// each place becomes a bit of `mask`.
#[allow(unused_macros, reason = "only machines with registers use it")]
macro_rules! computes {
    ($scalar:ty, $kernel:ty, $($unsafe:ident)?;
     $splat:path, $le:expr, $and:path, $mask:path; $sub:path, $max:path, $add:path, $mul:path) => {
        #[inline(always)]
        fn splat(_: $kernel, number: $scalar) -> Self {
            Self($($unsafe)? { $splat(number) })
        }

        #[inline(always)]
        fn meet([min_x, min_y, max_x, max_y]: [Self; 4], [low_x, low_y, high_x, high_y]: [Self; 4]) -> u32 {
            $($unsafe)? {
                let in_x = $and($le(min_x.0, high_x.0), $le(low_x.0, max_x.0));
                let in_y = $and($le(min_y.0, high_y.0), $le(low_y.0, max_y.0));
                $mask($and(in_x, in_y)) as u32
            }
        }

        type Squares = Self;

        #[inline(always)]
        fn squares([min_x, min_y, max_x, max_y]: [Self; 4], [low_x, low_y, high_x, high_y]: [Self; 4]) -> Self {
            $($unsafe)? {
                let x = $max($sub(low_x.0, max_x.0), $sub(min_x.0, high_x.0));
                let y = $max($sub(low_y.0, max_y.0), $sub(min_y.0, high_y.0));
                let (x, y) = ($max(x, $splat(0.0)), $max(y, $splat(0.0)));
                Self($add($mul(x, x), $mul(y, y)))
            }
        }

        // A limit may be rounded: the slack is wider.
        #[inline(always)]
        fn up_to(squares: Self, limit: f64) -> u32 {
            $($unsafe)? { $mask($le(squares.0, $splat(limit as $scalar))) as u32 }
        }
    };
}

/// Distances are compared with slightly more than the limit: several times what rounding may add to a square of 24
/// bits. For squares that underflow, the smallest normal number is added to that.
pub(super) const SLACK: f64 = 1.0 + 1.0 / (1_u64 << 20) as f64;

/// An upper bound on a rounded square that is at most `square`.
#[inline(always)]
pub(super) fn most<S: Scalar>(square: f64) -> f64 {
    square * SLACK + S::SQUARES[0]
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
pub(crate) struct Limits([f64; 2]);

impl Limits {
    pub(crate) fn new<S: Scalar>(square: f64) -> Self {
        let [least, greatest] = S::SQUARES;
        Self([square.min(greatest / 4.0) / SLACK - least, most::<S>(square)])
    }

    /// `true` if no number of this range is beyond the limit.
    pub(crate) fn is_beyond(self, greatest: f64) -> bool {
        self.0[1] >= greatest
    }

    /// Bits of the places whose squares are surely within the limit, and of those where they may be. The second include
    /// the first.
    #[inline(always)]
    pub(super) fn hold<K, S: Scalar, V: Vector<K, S>>(self, squares: V::Squares) -> [u32; 2] {
        let [sure, possible] = self.0;
        [V::up_to(squares, sure), V::up_to(squares, possible)]
    }
}

/// Which of the first eight boxes pass a test with the ones `distance` places on.
#[inline(always)]
pub(super) fn passes_at<K: Copy, S: Scalar, V: Vector<K, S>, T: Test<S>>(
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
    if masks[0] == masks[1] {
        return masks[0];
    }
    judged(masks, move |lane| test.passes(&nth(lanes, lane), &nth(lanes, lane + distance)))
}

/// Which boxes pass a test, given those that surely and those that perhaps do: compared numbers are too near the limit to
/// tell.
#[cold]
#[inline(never)]
pub(super) fn judged([sure, possible]: [u32; 2], passes: impl Fn(usize) -> bool) -> u32 {
    super::bits(possible & !sure).filter(|lane| passes(*lane)).fold(sure, |mask, lane| mask | 1 << lane)
}

/// Box `lane` of sixteen.
pub(super) fn nth<S: Copy>(lanes: &Lanes<'_, S>, lane: usize) -> Aabb<S> {
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

    type Squares = f64;

    #[inline(always)]
    fn squares(ones: [Self; 4], others: [Self; 4]) -> f64
    where
        S: Scalar,
    {
        let [min_x, min_y, max_x, max_y] = ones;
        let [low_x, low_y, high_x, high_y] = others;
        let (x, y) = (gap(low_x, high_x, min_x, max_x), gap(low_y, high_y, min_y, max_y));
        x * x + y * y
    }

    #[inline(always)]
    fn up_to(square: f64, limit: f64) -> u32 {
        u32::from(square <= limit)
    }

    #[inline(always)]
    fn store(square: f64, list: &mut [f64; LANES], at: usize) {
        list[at] = square;
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
