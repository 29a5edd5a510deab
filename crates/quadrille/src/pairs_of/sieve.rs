//! A grid of bits that shows, without a search, which boxes are certainly far from all of a few.
//!
//! If one set has many more boxes than the other, most of these are near none of the few, and putting them in order
//! would take nearly all of the time. Each cell of a coarse grid has a bit that says whether one of the few boxes,
//! grown by the distance, touches it; so one look shows that a box is near none.
//!
//! ```text
//! . . . . . . .      cells that the few touch: #
//! . # # . . . .      Around the grid, one cell on each side represents everything beyond it.
//! . # # . . # .
//! . . . . . . .
//! ```
//!
//! Turning a coordinate into a cell never reverses an order, however it is rounded. So boxes that overlap share a cell.

use alloc::vec::Vec;

use crate::geometry::{Aabb, Scalar, both, sqrt_above};
use crate::kernel::{self, AreValid, Kernel, Task};
use crate::random::Random;

/// How many times as many boxes the larger set must have. Fewer: marking the cells costs more than it may save.
const RATIO: usize = 8;

/// Cells across a box of the few, on average. More: finer, but slower to mark.
const ACROSS: f64 = 2.0;

/// Cells for each of the few, if that is fewer. More: finer for points, but slower to clear.
const CELLS: f64 = 64.0;

/// Cells along a side, at most. More: finer, but what is looked up must fit in a fast cache.
const MOST: f64 = 1024.0;

/// Bits in a word.
const WORD: u32 = u64::BITS;

/// A box that reaches across more rows than this, or more columns than a word has bits, may be near: finding out would
/// take too long.
const HIGHEST: u32 = 4;

/// How many of the many are tried, and the most of them that may be near.
const TRIED: u64 = 512;
const MOST_NEAR: usize = 320;

/// Cells that a few boxes touch.
#[derive(Debug)]
struct Sieve {
    /// For each edge of a box the lowest that the few have along its axis, halved,
    low: [f64; 4],
    /// cells in a unit of length,
    scale: [f64; 4],
    /// and the cell beyond all others.
    last: [f64; 4],
    /// Words per row, and one more, so that what begins in one may be read on into the next.
    stride: usize,
    bits: Vec<u64>,
}

/// The positions of those of `many` that may be no farther than `margin` from one of `few`; `None` if finding out does
/// not pay, or if a box is invalid.
pub(super) fn sift<S: Scalar>(few: &[Aabb<S>], margin: f64, many: &[Aabb<S>]) -> Option<Vec<u32>> {
    if few.is_empty() || many.len() / RATIO < few.len() {
        return None;
    }
    if !(kernel::dispatch(AreValid(few)) && kernel::dispatch(AreValid(many))) {
        return None;
    }
    let sieve = Sieve::over(few, margin);
    let place = |number| ((u128::from(Random::at(number)) * many.len() as u128) >> u64::BITS) as usize;
    let near = (0..TRIED).filter(|&number| sieve.is_marked(sieve.cells(&many[place(number)]))).count();
    (near <= MOST_NEAR).then(|| kernel::dispatch(Sift { sieve: &sieve, many }))
}

/// Half of a coordinate, so that no difference of two is infinite.
#[inline(always)]
fn half<S: Scalar>(at: S) -> f64 {
    at.to_f64() * 0.5
}

impl Sieve {
    /// Marks the cells.
    // Casts: a side has few cells.
    fn over<S: Scalar>(few: &[Aabb<S>], margin: f64) -> Self {
        let grown = few.iter().map(|one| one.grown(margin));
        let (mut hull, mut sizes) = (Aabb::EMPTY, [0.0; 2]);
        for one in grown.clone() {
            hull = hull.union(&one);
            let [low, high] = [one.min, one.max].map(|corner| corner.map(half));
            sizes = both(|axis| sizes[axis] + (high[axis] - low[axis]) / few.len() as f64);
        }
        let [low, high] = [hull.min, hull.max].map(|corner| corner.map(half));
        let most = sqrt_above(few.len() as f64 * CELLS).min(MOST);
        let spread = both(|axis| high[axis] - low[axis]);
        let sides = both(|axis| {
            let side = ACROSS * spread[axis] / sizes[axis];
            // Not a number if all few are points in one place.
            f64::from(if side < most { side as u32 } else { most as u32 }.max(1))
        });
        // A little less than all, so that the uppermost edges are in the last cell, and not beyond.
        let scale = both(|axis| (sides[axis] * (1.0 - 1e-5) / spread[axis].max(f64::MIN_POSITIVE)).min(f64::MAX));
        let [columns, rows] = sides.map(|side| side as usize + 2);
        let stride = columns.div_ceil(WORD as usize) + 1;
        let edges = |[x, y]: [f64; 2]| [x, y, x, y];
        let (low, scale, last) = (edges(low), edges(scale), edges(sides.map(|side| side + 1.0)));
        let mut sieve = Self { low, scale, last, stride, bits: alloc::vec![0; stride * rows] };
        grown.for_each(|one| sieve.mark(&one));
        sieve
    }

    /// The first cell of a box along each axis, and the last.
    ///
    /// Numbers are made whole by adding a number beyond which there are no fractions, so that the compiler can
    /// vectorize it.
    #[inline(always)]
    fn cells<S: Scalar>(&self, bounds: &Aabb<S>) -> [u32; 4] {
        const WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;
        // The lowest edges are in the first cell, and not before it.
        const FIRST: f64 = 0.5 + 1e-6;
        let edges = <[S; 4]>::from(*bounds).map(half);
        [0, 1, 2, 3].map(|edge| {
            let cell = (edges[edge] - self.low[edge]) * self.scale[edge] + FIRST;
            let cell = if cell < self.last[edge] { cell } else { self.last[edge] };
            ((if cell > 0.0 { cell } else { 0.0 }) + WHOLE).to_bits() as u32
        })
    }

    fn mark<S: Scalar>(&mut self, bounds: &Aabb<S>) {
        let [left, low, right, high] = self.cells(bounds);
        for row in low..=high {
            let words = &mut self.bits[row as usize * self.stride..][..self.stride];
            let (first, last) = ((left / WORD) as usize, (right / WORD) as usize);
            let (from, to) = (u64::MAX << (left % WORD), u64::MAX >> (WORD - 1 - right % WORD));
            if first == last {
                words[first] |= from & to;
            } else {
                words[first] |= from;
                words[first + 1..last].fill(u64::MAX);
                words[last] |= to;
            }
        }
    }

    /// Could a box in these cells be near one of the few?
    #[inline(always)]
    fn is_marked(&self, [left, low, right, high]: [u32; 4]) -> bool {
        if right - left >= WORD || high - low >= HIGHEST {
            return true;
        }
        let (word, bit) = ((left / WORD) as usize, left % WORD);
        let row = |row: u32| {
            let at = row as usize * self.stride + word;
            self.bits[at] >> bit | (self.bits[at + 1] << 1) << (WORD - 1 - bit)
        };
        // Most boxes are in one row or two.
        let near = (low + 1..high).fold(row(low) | row(high), |near, between| near | row(between));
        near & (u64::MAX >> (WORD - 1 - (right - left))) != 0
    }
}

/// The task of finding those that may be near.
struct Sift<'a, S> {
    sieve: &'a Sieve,
    many: &'a [Aabb<S>],
}

impl<S: Scalar> Task for Sift<'_, S> {
    type Output = Vec<u32>;

    /// A position is always written, and kept if its box may be near: what comes next cannot be guessed.
    #[inline(always)]
    fn run<K: Kernel>(self, _: K) -> Vec<u32> {
        const ROOM: usize = 256;
        let (mut near, mut positions) = (Vec::new(), 0..);
        let (mut cells, mut found) = ([[0; 4]; ROOM], [0; ROOM]);
        for some in self.many.chunks(ROOM) {
            for (cells, bounds) in cells.iter_mut().zip(some) {
                *cells = self.sieve.cells(bounds);
            }
            let mut len = 0;
            for (&cells, position) in cells[..some.len()].iter().zip(&mut positions) {
                found[len % ROOM] = position;
                len += usize::from(self.sieve.is_marked(cells));
            }
            near.extend_from_slice(&found[..len]);
        }
        near
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::sift;
    use crate::geometry::{Aabb, Scalar};
    use crate::random::Random;

    /// `count` boxes, at most `wide` in width and height, with corners on a lattice.
    fn crowd<S: Scalar>(random: &mut Random, count: usize, wide: usize, number: impl Fn(usize) -> S) -> Vec<Aabb<S>> {
        let mut some = || {
            let (x, y) = (random.below(1000), random.below(1000));
            let (width, height) = (random.below(wide + 1), random.below(wide + 1));
            Aabb::new([number(x), number(y)], [number(x + width), number(y + height)])
        };
        (0..count).map(|_| some()).collect()
    }

    /// Whatever numbers are like, what is left out is far from all; and if it pays, much is.
    fn leaves_out_what_is_far<S: Scalar>(number: impl Fn(usize) -> S + Copy, unit: f64) {
        let mut random = Random::new(51);
        let (mut left_out, mut tried) = (0, 0);
        for round in 0..120 {
            let few = crowd(&mut random, 1 + round % 9, [0, 20, 1000][round % 3], number);
            let many = crowd(&mut random, 300, [0, 3, 30, 300][round / 2 % 4], number);
            let margin = [0.0, 1.0, 40.0][round / 3 % 3] * unit;
            let near = |one: &Aabb<S>| few.iter().any(|other| one.distance(other) <= margin);
            tried += many.len();
            let Some(staying) = sift(&few, margin, &many) else { continue };
            assert!(staying.is_sorted_by(|a, b| a < b) && staying.iter().all(|&number| (number as usize) < many.len()));
            for (position, one) in (0..).zip(&many) {
                assert!(!near(one) || staying.binary_search(&position).is_ok(), "{one:?} {few:?} {margin}");
            }
            left_out += many.len() - staying.len();
        }
        assert!(left_out > tried / 4, "{left_out} of {tried}");
    }

    #[test]
    fn what_is_left_out_is_far_from_all() {
        leaves_out_what_is_far(|at| at as f32, 1.0);
        leaves_out_what_is_far(|at| at as f32 * 0.1 - 30.0, 0.1);
        leaves_out_what_is_far(|at| at as f32 + 16_777_216.0, 1.0);
        leaves_out_what_is_far(|at| at as f64 * 1e-3 - 1e12, 1e-3);
        leaves_out_what_is_far(|at| (at as f64 - 500.0) * 1e305, 1e305);
        leaves_out_what_is_far(|at| at as f64 * f64::MIN_POSITIVE, f64::MIN_POSITIVE);
        leaves_out_what_is_far(|at| at as i32 - 500, 1.0);
        leaves_out_what_is_far(|at| (at as i32 - 1000) * 1_000_000, 1e6);
    }

    #[test]
    fn what_it_cannot_do_is_left_to_the_search() {
        let many = [Aabb::from_point([1.0, 1.0]); 100];
        for few in [
            &[] as &[Aabb<f64>],
            &[Aabb::from_point([1.0, 1.0]); 3],
            &[Aabb::from_point([9.0, 9.0]); 13],
            &[Aabb::new([0.0, 0.0], [9.0, 9.0])],
            &[Aabb::new([-1e308; 2], [1e308; 2])],
        ] {
            assert_eq!(sift(few, 0.0, &many), None, "{few:?}");
        }
        assert_eq!(sift(&[Aabb::from_point([9.0, 9.0])], f64::INFINITY, &many), None);
        let apart = [Aabb::from_point([0.0, 0.0]), Aabb::from_point([1e308, 1e-320])];
        assert_eq!(sift(&apart, 0.0, &many), Some(Vec::new()));
        assert_eq!(sift(&apart, 1.0, &many), None);
        for few in [&[Aabb::new([5.0; 2], [6.0; 2]), Aabb::new([50.0; 2], [60.0; 2])], &[Aabb::from_point([5.0; 2]); 2]]
        {
            assert_eq!(sift(few, 1.0, &many), Some(Vec::new()), "{few:?}");
        }
    }
}
