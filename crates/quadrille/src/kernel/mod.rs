//! Sixteen boxes at once: the only loops that are worth writing for the machine.
//!
//! Boxes stand in columns, sixteen numbers a column, so that a comparison with one edge is a comparison of whole
//! registers. The answer is a bit for each of the sixteen.
//!
//! The portable code is the reference; what is written for a machine is held against it in the tests below, and
//! `RUSTFLAGS="--cfg quadrille_portable"` leaves nothing else, so that any test can be run with either. Measured 2026-11-20 on
//! an AMD EPYC 9005, all pairs of 100,000 boxes of the scene `uniform`, nanoseconds a box: portable 18.7, SSE2 10.8, AVX2 8.7.
//! AVX-512 was tried too, sixteen numbers in one register: 9.6, no gain, for most of the time goes to what follows a comparison. Hence
//! what follows is here too: pairs are drawn from a mask eight at once. In a pile, where there are sixteen a box, that and comparing side by
//! side took all pairs from 41 ns to 34; gathering boxes sixteen at once takes 7 % off `update_all` (2026-11-22, an Intel Xeon of
//! the Sapphire Rapids kind).

#[cfg(all(target_arch = "x86_64", not(quadrille_portable)))]
mod x86_64;

use crate::geometry::{Aabb, Scalar};

/// Boxes compared at once. Also the size of a pack and the number of children of a node in structures built on this.
pub(crate) const LANES: usize = 16;

/// Sixteen boxes by columns: lower x, lower y, upper x, upper y.
pub(crate) type Lanes<'a, S> = [&'a [S; LANES]; 4];

/// Boxes compared side by side at once.
pub(crate) const HALF: usize = LANES / 2;

/// Places for sixteen boxes by columns.
pub(crate) type Sixteen<'a, S> = [&'a mut [S; LANES]; 4];

/// Eight boxes by columns.
pub(crate) type Half<'a, S> = [&'a [S; HALF]; 4];

/// Bit `k` is set if box `k` of the sixteen shares a point with `bounds`. Touching counts.
#[inline(always)]
pub(crate) fn touching<S: Scalar>(lanes: &Lanes<'_, S>, bounds: &Aabb<S>) -> u32 {
    S::touching((*bounds).into(), lanes)
}

/// The lowest `count` bits.
#[inline(always)]
pub(crate) fn lowest(count: usize) -> u32 {
    debug_assert!(count <= LANES, "{count}");
    (1 << count) - 1
}

/// Asks for an element to be brought into the cache because it will be needed soon. Nothing happens if there is no such element, or where
/// that cannot be asked.
#[inline(always)]
pub(crate) fn prefetch<T>(all: &[T], at: usize) {
    #[cfg(all(target_arch = "x86_64", not(quadrille_portable)))]
    x86_64::prefetch(all.as_ptr().wrapping_add(at));
    #[cfg(not(all(target_arch = "x86_64", not(quadrille_portable))))]
    let _ = (all, at);
}

/// Comparison with the instructions that every machine of its kind has.
#[inline(always)]
fn touching_portable<S: Copy + PartialOrd>([low_x, low_y, high_x, high_y]: [S; 4], lanes: &Lanes<'_, S>) -> u32 {
    let [min_x, min_y, max_x, max_y] = lanes;
    let mut mask = 0;
    for k in 0..LANES {
        // `&` instead of `&&`, and no branch anywhere: this is what lets a compiler compare several at once.
        let touches = (min_x[k] <= high_x) & (max_x[k] >= low_x) & (min_y[k] <= high_y) & (max_y[k] >= low_y);
        mask |= u32::from(touches) << k;
    }
    mask
}

/// Comparison side by side with the instructions that every machine of its kind has.
#[inline(always)]
fn abreast_portable<S: Copy + PartialOrd>(ones: &Half<'_, S>, others: &Half<'_, S>) -> u32 {
    let [min_x, min_y, max_x, max_y] = ones;
    let [low_x, low_y, high_x, high_y] = others;
    let mut mask = 0;
    for k in 0..HALF {
        let in_x = (min_x[k] <= high_x[k]) & (max_x[k] >= low_x[k]);
        let in_y = (min_y[k] <= high_y[k]) & (max_y[k] >= low_y[k]);
        mask |= u32::from(in_x & in_y) << k;
    }
    mask
}

/// See [`Kernel::gather`].
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
            let id = ids[(first + k).min(count - 1)] & NUMBER;
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

/// All bits but the top one.
const NUMBER: u32 = u32::MAX >> 1;

/// See [`Kernel::pair_up`].
#[inline(always)]
pub(crate) fn pair_up(ones: &[u32; HALF], others: &[u32; HALF], mut mask: u32, pairs: &mut [[u32; 2]; HALF]) {
    for pair in pairs {
        if mask == 0 {
            break;
        }
        let set = mask.trailing_zeros() as usize % HALF;
        let (one, other) = (ones[set] & NUMBER, others[set] & NUMBER);
        *pair = [one.min(other), one.max(other)];
        mask &= mask - 1;
    }
}

/// Numbers that can be compared sixteen at a time: what [`Scalar`] is sealed with.
pub trait Compare: Copy + PartialOrd {
    /// See [`touching`].
    #[inline(always)]
    fn touching(bounds: [Self; 4], lanes: &Lanes<'_, Self>) -> u32 {
        touching_portable(bounds, lanes)
    }

    /// The same with wider registers, for use in a [`Task`].
    #[cfg(all(target_arch = "x86_64", not(quadrille_portable)))]
    #[inline(always)]
    fn touching_avx2(_: x86_64::Avx2, bounds: [Self; 4], lanes: &Lanes<'_, Self>) -> u32 {
        Self::touching(bounds, lanes)
    }

    /// See [`Kernel::abreast`].
    #[inline(always)]
    fn abreast(ones: &Half<'_, Self>, others: &Half<'_, Self>) -> u32 {
        abreast_portable(ones, others)
    }

    /// The same with wider registers, for use in a [`Task`].
    #[cfg(all(target_arch = "x86_64", not(quadrille_portable)))]
    #[inline(always)]
    fn abreast_avx2(_: x86_64::Avx2, ones: &Half<'_, Self>, others: &Half<'_, Self>) -> u32 {
        Self::abreast(ones, others)
    }

    /// See [`Kernel::gather`].
    #[cfg(all(target_arch = "x86_64", not(quadrille_portable)))]
    #[inline(always)]
    fn gather_avx2(
        _: x86_64::Avx2,
        boxes: &[Aabb<Self>],
        ids: &[u32; LANES],
        count: usize,
        columns: Sixteen<'_, Self>,
    ) -> [[Self; 4]; 2]
    where
        Self: Scalar,
    {
        gather_portable(boxes, ids, count, columns)
    }
}

impl Compare for f64 {}
impl Compare for i32 {}

#[cfg(not(all(target_arch = "x86_64", not(quadrille_portable))))]
impl Compare for f32 {}

/// A set of instructions to compare with.
pub(crate) trait Kernel: Copy {
    /// See [`touching`].
    fn touching<S: Scalar>(self, lanes: &Lanes<'_, S>, bounds: &Aabb<S>) -> u32;

    /// Bit `k` is set if box `k` of the one eight shares a point with box `k` of the other. Touching counts.
    fn abreast<S: Scalar>(self, ones: &Half<'_, S>, others: &Half<'_, S>) -> u32;

    /// For each bit `k` that is set in a mask of eight, in order, `ones[k]` and `others[k]` without their top bits, the lesser of the two
    /// first. What is in the places behind these pairs does not matter, before and after.
    fn pair_up(self, ones: &[u32; HALF], others: &[u32; HALF], mask: u32, pairs: &mut [[u32; 2]; HALF]);

    /// A bit for each of sixteen numbers whose top bit is set.
    fn marks(self, numbers: &[u32; LANES]) -> u32;

    /// Copies the boxes of the first `count` of sixteen ids, at least one, into columns, and returns the least and the greatest of each of
    /// their four numbers. The top bits of ids do not count. The last box is repeated behind `count`.
    fn gather<S: Scalar>(
        self,
        boxes: &[Aabb<S>],
        ids: &[u32; LANES],
        count: usize,
        columns: Sixteen<'_, S>,
    ) -> [[S; 4]; 2];
}

/// The instructions that every machine of its kind has.
#[derive(Clone, Copy, Debug)]
struct Baseline;

impl Kernel for Baseline {
    #[inline(always)]
    fn touching<S: Scalar>(self, lanes: &Lanes<'_, S>, bounds: &Aabb<S>) -> u32 {
        touching(lanes, bounds)
    }

    #[inline(always)]
    fn abreast<S: Scalar>(self, ones: &Half<'_, S>, others: &Half<'_, S>) -> u32 {
        S::abreast(ones, others)
    }

    #[inline(always)]
    fn pair_up(self, ones: &[u32; HALF], others: &[u32; HALF], mask: u32, pairs: &mut [[u32; 2]; HALF]) {
        pair_up(ones, others, mask, pairs);
    }

    #[inline(always)]
    fn marks(self, numbers: &[u32; LANES]) -> u32 {
        (0..LANES).fold(0, |marks, lane| marks | numbers[lane] >> 31 << lane)
    }

    #[inline(always)]
    fn gather<S: Scalar>(
        self,
        boxes: &[Aabb<S>],
        ids: &[u32; LANES],
        count: usize,
        columns: Sixteen<'_, S>,
    ) -> [[S; 4]; 2] {
        gather_portable(boxes, ids, count, columns)
    }
}

/// Work that is compiled once for each set of instructions. All that it calls with the kernel in hand must be `#[inline(always)]`, and
/// no closure: only what is inlined is compiled anew.
pub(crate) trait Task {
    type Output;

    fn run<K: Kernel>(self, kernel: K) -> Self::Output;
}

/// Runs a task with the best instructions that this machine has.
#[inline]
pub(crate) fn dispatch<T: Task>(task: T) -> T::Output {
    #[cfg(all(target_arch = "x86_64", not(quadrille_portable)))]
    if let Some(avx2) = x86_64::Avx2::detect() {
        return avx2.run(task);
    }
    task.run(Baseline)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares a box with sixteen.
    struct Touching<'a, S>([S; 4], Lanes<'a, S>);

    impl<S: Scalar> Task for Touching<'_, S> {
        type Output = u32;

        #[inline(always)]
        fn run<K: Kernel>(self, kernel: K) -> u32 {
            kernel.touching(&self.1, &self.0.into())
        }
    }

    /// Compares eight boxes with eight.
    struct Abreast<'a, S>(Half<'a, S>, Half<'a, S>);

    impl<S: Scalar> Task for Abreast<'_, S> {
        type Output = u32;

        #[inline(always)]
        fn run<K: Kernel>(self, kernel: K) -> u32 {
            kernel.abreast(&self.0, &self.1)
        }
    }

    /// Draws pairs from a mask.
    struct PairUp<'a>(&'a [u32; HALF], &'a [u32; HALF], u32);

    impl Task for PairUp<'_> {
        type Output = [[u32; 2]; HALF];

        #[inline(always)]
        fn run<K: Kernel>(self, kernel: K) -> [[u32; 2]; HALF] {
            let mut pairs = [[0; 2]; HALF];
            kernel.pair_up(self.0, self.1, self.2, &mut pairs);
            pairs
        }
    }

    /// Copies boxes into columns; with them, what the copies spread over.
    struct Gather<'a, S>(&'a [Aabb<S>], &'a [u32; LANES], usize);

    impl<S: Scalar> Task for Gather<'_, S> {
        type Output = ([[S; LANES]; 4], [[S; 4]; 2]);

        #[inline(always)]
        fn run<K: Kernel>(self, kernel: K) -> Self::Output {
            let mut columns = [[S::ZERO; LANES]; 4];
            let spread = kernel.gather(self.0, self.1, self.2, columns.each_mut());
            (columns, spread)
        }
    }

    /// Looks for marks.
    struct Marks<'a>(&'a [u32; LANES]);

    impl Task for Marks<'_> {
        type Output = u32;

        #[inline(always)]
        fn run<K: Kernel>(self, kernel: K) -> u32 {
            kernel.marks(self.0)
        }
    }

    fn all_kernels_gather_the_same<S: Scalar>() {
        let number = |seed: usize| S::from_f64(((seed * 7919) % 1009) as f64 - 500.0);
        let boxes: alloc::vec::Vec<Aabb<S>> = (0..40)
            .map(|at| Aabb::new([number(4 * at), number(4 * at + 1)], [number(4 * at + 2), number(4 * at + 3)]))
            .collect();
        for step in 1..40_u32 {
            let ids: [u32; LANES] =
                core::array::from_fn(|lane| (lane as u32 * step % 40) | ((lane as u32 & step & 1) << 31));
            assert_eq!(dispatch(Marks(&ids)), Baseline.marks(&ids));
            assert!((0..LANES).all(|lane| Baseline.marks(&ids) >> lane & 1 == ids[lane] >> 31));
            for count in 1..=LANES {
                // Nothing is read through ids behind the last one.
                let known = |lane: usize| if lane < count { ids[lane] } else { u32::MAX };
                let known: [u32; LANES] = core::array::from_fn(known);
                let copied = |lane: usize| boxes[(ids[lane.min(count - 1)] & NUMBER) as usize];
                let numbers: [[S; 4]; LANES] = core::array::from_fn(|lane| copied(lane).into());
                let columns = [0, 1, 2, 3].map(|number| numbers.map(|numbers| numbers[number]));
                let least = columns.map(|column| column.into_iter().reduce(S::lesser).expect("sixteen"));
                let greatest = columns.map(|column| column.into_iter().reduce(S::greater).expect("sixteen"));
                assert_eq!(dispatch(Gather(&boxes, &known, count)), (columns, [least, greatest]), "{step} {count}");
                assert_eq!(Gather(&boxes, &known, count).run(Baseline), (columns, [least, greatest]), "{step} {count}");
            }
        }
    }

    #[test]
    fn all_kernels_gather_the_same_boxes() {
        all_kernels_gather_the_same::<f32>();
        all_kernels_gather_the_same::<f64>();
        all_kernels_gather_the_same::<i32>();
    }

    #[test]
    #[should_panic]
    fn no_kernel_gathers_a_box_that_does_not_exist() {
        let ids = core::array::from_fn(|lane| if lane == 11 { 2 } else { 1 });
        let boxes = [Aabb::<f32>::from_point([0.0; 2]); 2];
        core::hint::black_box(dispatch(Gather(&boxes, &ids, LANES)));
    }

    fn all_kernels_agree<S: Scalar>(values: &[S]) {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            values[(state >> 33) as usize % values.len()]
        };
        let (mut seen, mut seen_abreast) = (0, 0);
        for _ in 0..20_000 {
            let columns: [[S; LANES]; 4] = core::array::from_fn(|_| core::array::from_fn(|_| next()));
            let bounds = [(); 4].map(|()| next());
            let lanes = columns.each_ref();
            let expected = touching_portable(bounds, &lanes);
            assert_eq!(Baseline.touching(&lanes, &bounds.into()), expected, "{bounds:?} {columns:?}");
            assert_eq!(dispatch(Touching(bounds, lanes)), expected, "{bounds:?} {columns:?}");
            seen |= expected;
            let others: [[S; LANES]; 4] = core::array::from_fn(|_| core::array::from_fn(|_| next()));
            let halves =
                |columns: &[[S; LANES]; 4]| columns.map(|column| *column.first_chunk::<HALF>().expect("eight"));
            let (ones, others) = (halves(&columns), halves(&others));
            let (ones, others) = (ones.each_ref(), others.each_ref());
            let expected = abreast_portable(&ones, &others);
            assert_eq!(Baseline.abreast(&ones, &others), expected, "{ones:?} {others:?}");
            assert_eq!(dispatch(Abreast(ones, others)), expected, "{ones:?} {others:?}");
            seen_abreast |= expected;
        }
        assert_eq!(seen, lowest(LANES), "every lane was touched at least once");
        assert_eq!(seen_abreast, lowest(HALF), "every lane was touched at least once");
    }

    #[test]
    fn all_kernels_draw_the_same_pairs() {
        let marked = 1 << 31;
        let ones = [7, marked | 6, NUMBER, 4, u32::MAX, 2, 1, 0];
        let others = [marked, 6, 5, marked | 40, 30, 20, u32::MAX - 1, marked | 1];
        for mask in 0..1 << HALF {
            let set = (0..HALF).filter(|lane| mask >> lane & 1 != 0);
            let expected: alloc::vec::Vec<[u32; 2]> = set
                .map(|lane| [ones[lane] & NUMBER, others[lane] & NUMBER])
                .map(|[one, other]| [one.min(other), one.max(other)])
                .collect();
            let mut pairs = [[0; 2]; HALF];
            pair_up(&ones, &others, mask, &mut pairs);
            assert_eq!(pairs[..expected.len()], expected, "{mask:b}");
            assert_eq!(dispatch(PairUp(&ones, &others, mask))[..expected.len()], expected, "{mask:b}");
        }
    }

    #[test]
    fn all_kernels_agree_on_floats() {
        all_kernels_agree(&[
            0.0_f32,
            -0.0,
            1.0,
            1.0_f32.next_up(),
            -1.0,
            1e-45,
            f32::MAX,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ]);
        all_kernels_agree(&[
            0.0_f64,
            -0.0,
            1.0,
            1.0_f64.next_up(),
            -1.0,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ]);
    }

    #[test]
    fn all_kernels_agree_on_integers() {
        all_kernels_agree(&[0, 1, -1, 2, i32::MAX, i32::MAX - 1, i32::MIN, i32::MIN + 1]);
    }
}
