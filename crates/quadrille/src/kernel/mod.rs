//! Sixteen boxes at once: the only loops worth writing per instruction set.
//!
//! Boxes are stored by columns (structure of arrays), sixteen numbers per column, so an edge is compared with whole
//! registers. The answer is one bit for each of the sixteen.
//!
//! The loops are written once, in [`Kernel`], over any [`Vector`]: numbers that fit in a register, which can be filled
//! and compared. The code for each instruction set is little more than the names of its instructions. A single number
//! is a vector too, the portable one. The tests check the others against it and against [`Aabb::intersects`].
//! `RUSTFLAGS="--cfg quadrille_portable"` leaves only the portable one, so that any test can be run with either.
//!
//! All pairs of 100,000 boxes of the scene `uniform`, nanoseconds a box:
//!
//! | | portable | four at once | eight at once |
//! |---|--:|--:|--:|
//! | x86-64, AMD EPYC 9005, 2026-11-20 | 18.7 | 10.8 (SSE2) | 8.7 (AVX2) |
//! | WebAssembly in node 20, Intel Xeon (Sapphire Rapids), 2026-11-22 | 29.6 | 15.0 (simd128) | |
//!
//! For `f64`, four at once with AVX2 reduced all pairs of points within a distance from 24.5 ns a point to 16.3 (100,000
//! points, AMD EPYC, 2026-11-26). Two at once in WebAssembly reduced pairs of two sets of 20,000 and 5,000 boxes from 0.75
//! ms to 0.43 (node 20, AMD EPYC, 2026-11-28).
//!
//! With NEON a frame takes 30 % fewer instructions than without, in a pile 21 % fewer (counted by an emulator; time
//! could not be measured). AVX-512, with sixteen numbers in one register, was tried too: 9.6, no gain, because most of
//! the time goes to what follows a comparison. Therefore that part is here too: with AVX2, pairs are extracted from a
//! mask eight at once. In a pile, with sixteen pairs per box, that and comparing side by side reduced all pairs from 41
//! ns to 34; gathering boxes sixteen at once takes 7 % off `update_all` (2026-11-22, the same Xeon).

#[macro_use]
mod vector;

// The file of this machine, or else the empty `machine.rs`. `Usual` and `Widest` are vectors of `f32`, `UsualF64` and
// `WidestF64` of `f64`, and `Best` is a kernel that the machine may lack: see `Compare`.
#[cfg_attr(all(target_arch = "x86_64", target_feature = "sse2", not(quadrille_portable)), path = "x86_64.rs")]
#[cfg_attr(all(target_arch = "aarch64", target_feature = "neon", not(quadrille_portable)), path = "neon.rs")]
#[cfg_attr(all(target_arch = "wasm32", target_feature = "simd128", not(quadrille_portable)), path = "simd128.rs")]
mod machine;
#[cfg(test)]
mod tests;

pub(crate) use self::vector::Limits;
use self::vector::Vector;
use crate::geometry::{Aabb, Reach, Scalar};

/// Boxes compared at once. Also the size of a pack and the number of children per node in structures built on this.
pub(crate) const LANES: usize = 16;

/// Sixteen boxes by columns: lower x, lower y, upper x, upper y.
pub(crate) type Lanes<'a, S> = [&'a [S; LANES]; 4];

/// Boxes compared side by side at once.
pub(crate) const HALF: usize = LANES / 2;

/// Places for sixteen boxes by columns.
pub(crate) type Sixteen<'a, S> = [&'a mut [S; LANES]; 4];

/// The lowest `count` bits.
#[inline(always)]
pub(crate) fn lowest(count: usize) -> u32 {
    debug_assert!(count <= LANES, "{count}");
    (1 << count) - 1
}

/// The positions of the bits that are set, lowest first.
#[inline(always)]
pub fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let bit = mask.trailing_zeros() as usize;
        let is_set = mask != 0;
        mask &= mask.wrapping_sub(1);
        is_set.then_some(bit)
    })
}

/// Prefetches an element that will be needed soon. Nothing happens if there is no such element, or if prefetching is
/// not available.
#[inline(always)]
pub(crate) fn prefetch<T>(all: &[T], at: usize) {
    machine::prefetch(all.as_ptr().wrapping_add(at));
    // An element of more than 16 bytes may span two cache lines.
    if size_of::<T>() > 16 {
        machine::prefetch(all.as_ptr().wrapping_add(at).cast::<u8>().wrapping_add(size_of::<T>() - 1));
    }
}

/// A hit among sixteen boxes (see [`Kernel::within`]) without the pairs that `keep` rejects.
#[inline(always)]
pub(crate) fn sifted(hit: u32, keep: impl Fn(usize, usize) -> bool) -> u32 {
    let (distance, first) = ((hit >> 8 & 0xFF) as usize, (hit >> 13 & 8) as usize);
    bits(hit & 0xFF).fold(hit, |kept, bit| {
        let one = first + bit;
        kept & !(u32::from(!keep(one, (one + distance) % LANES)) << bit)
    })
}

/// Numbers that can be compared several at a time: the trait that seals [`Scalar`].
pub trait Compare: Copy + PartialOrd {
    /// For the instructions that every machine of its kind has.
    type Usual: Vector<Baseline, Self>;
    /// For the best instructions that a machine of its kind may have.
    type Widest: Vector<machine::Best, Self>;
    /// The least and the greatest square that keeps full precision when computed several at once.
    const SQUARES: [f64; 2] = [f64::MIN_POSITIVE, f64::MAX];

    /// The difference, rounded once or twice; infinite beyond the range of `f32`.
    fn roughly_minus(self, other: Self) -> f32;
}

impl Compare for f32 {
    type Usual = machine::Usual;
    type Widest = machine::Widest;
    const SQUARES: [f64; 2] = [f32::MIN_POSITIVE as f64, f32::MAX as f64];

    #[inline(always)]
    fn roughly_minus(self, other: Self) -> f32 {
        self - other
    }
}

impl Compare for f64 {
    type Usual = machine::UsualF64;
    type Widest = machine::WidestF64;

    #[inline(always)]
    // Casts: infinite is what the caller expects.
    fn roughly_minus(self, other: Self) -> f32 {
        (self - other) as f32
    }
}

impl Compare for i32 {
    type Usual = Self;
    type Widest = Self;

    #[inline(always)]
    fn roughly_minus(self, other: Self) -> f32 {
        (f64::from(self) - f64::from(other)) as f32
    }
}

/// A set of instructions to compare with.
pub(crate) trait Kernel: Copy {
    /// What numbers are compared in.
    type Numbers<S: Scalar>: Vector<Self, S>;

    /// Bit `k` is set if box `k` of the sixteen shares a point with `bounds`. Touching counts.
    #[inline(always)]
    fn touching<S: Scalar>(self, lanes: &Lanes<'_, S>, bounds: &Aabb<S>) -> u32 {
        let [_, mask] = self.compare(&Overlap, lanes, bounds);
        mask
    }

    /// Bit `k` is set if box `k` of the sixteen passes a test with `bounds`.
    #[inline(always)]
    fn passing<S: Scalar, T: Test<S>>(self, test: &T, lanes: &Lanes<'_, S>, bounds: &Aabb<S>) -> u32 {
        let masks = self.compare(test, lanes, bounds);
        if masks[0] == masks[1] {
            return masks[0];
        }
        vector::judged(masks, move |lane| test.passes(&vector::nth(lanes, lane), bounds))
    }

    /// Bits of boxes that surely, and that perhaps, pass a test with `bounds`.
    #[inline(always)]
    fn compare<S: Scalar, T: Test<S>>(self, test: &T, lanes: &Lanes<'_, S>, bounds: &Aabb<S>) -> [u32; 2] {
        let bounds: [Self::Numbers<S>; 4] = vector::splat(self, (*bounds).into());
        let mut masks = [0; 2];
        for step in 0..LANES / Self::Numbers::<S>::WIDTH {
            let at = step * Self::Numbers::<S>::WIDTH;
            let [sure, possible] = test.compare(self, vector::load(self, lanes, at), bounds);
            masks = [masks[0] | sure << at, masks[1] | possible << at];
        }
        masks
    }

    /// Bit `k` is set if the square of the distance between box `k` of the sixteen and `origin` is at most `square`. It
    /// may be set if that is greater by less than one part in 100,000, or if neither is in the range of the numbers. A
    /// square may be rounded to the nearest `f64`.
    ///
    /// Writes the squares of all sixteen distances, with errors no larger than that.
    #[inline(always)]
    fn near<S: Scalar>(self, lanes: &Lanes<'_, S>, origin: &Aabb<S>, square: f64, squares: &mut [f64; LANES]) -> u32 {
        let (most, origin) = (vector::most::<S>(square), (*origin).into());
        let origin: [Self::Numbers<S>; 4] = vector::splat(self, origin);
        let mut mask = 0;
        for step in 0..LANES / Self::Numbers::<S>::WIDTH {
            let at = step * Self::Numbers::<S>::WIDTH;
            let found = Self::Numbers::squares(vector::load(self, lanes, at), origin);
            Self::Numbers::store(found, squares, at);
            mask |= Self::Numbers::up_to(found, most) << at;
        }
        mask
    }

    /// `true` if all boxes can be stored: see [`Aabb::is_valid`].
    #[inline(always)]
    fn are_valid<S: Scalar>(self, boxes: &[Aabb<S>]) -> bool {
        Self::Numbers::are_valid(self, boxes)
    }

    /// Compares sixteen boxes with each other. They lie in a ring, in which no pair is more than eight places apart.
    /// For each distance at which some of the first or of the last eight pass a test with the boxes that far ahead,
    /// writes a hit. Returns how many hits there are.
    ///
    /// ```text
    /// base (32)   0 (15)   last eight? (1)   distance (8)   mask (8)
    /// ```
    #[inline(always)]
    fn within<S: Scalar, T: Test<S>>(
        self,
        test: &T,
        lanes: &Lanes<'_, S>,
        base: u64,
        hits: &mut [u64; LANES],
    ) -> usize {
        // The last eight, followed by the first eight.
        let mut turned = [[S::ZERO; LANES]; 4];
        for (turned, column) in turned.iter_mut().zip(lanes) {
            turned[..HALF].copy_from_slice(&column[HALF..]);
            turned[HALF..].copy_from_slice(&column[..HALF]);
        }
        let (mut word, mut found) = (base, 0);
        for distance in 1..=HALF {
            word += 1 << 8;
            let mask = vector::passes_at::<Self, S, Self::Numbers<S>, T>(self, test, lanes, distance);
            hits[found % LANES] = word | u64::from(mask);
            found += usize::from(mask != 0);
        }
        let turned = [&turned[0], &turned[1], &turned[2], &turned[3]];
        word = base | 1 << 16;
        for distance in 1..HALF {
            word += 1 << 8;
            let mask = vector::passes_at::<Self, S, Self::Numbers<S>, T>(self, test, &turned, distance);
            hits[found % LANES] = word | u64::from(mask);
            found += usize::from(mask != 0);
        }
        found
    }

    /// The pairs of a hit among sixteen numbers, the lesser of the two first. The places after these pairs may hold
    /// anything, before and after.
    #[inline(always)]
    fn pair_up(self, numbers: &[u32; LANES], hit: u32, pairs: &mut [[u32; 2]; HALF]) {
        let (mut mask, distance, first) = (hit & 0xFF, hit >> 8 & 0xFF, hit >> 13 & 8);
        for pair in pairs {
            if mask == 0 {
                break;
            }
            let set = first + mask.trailing_zeros();
            let (one, other) = (numbers[set as usize % LANES], numbers[(set + distance) as usize % LANES]);
            *pair = [one.min(other), one.max(other)];
            mask &= mask - 1;
        }
    }

    /// For each bit set in a mask of sixteen, in order, writes a pair of `one` and the other number in that place, the
    /// lesser first.
    #[inline(always)]
    fn pair_with(self, one: u32, others: &[u32; LANES], mut mask: u32, pairs: &mut [[u32; 2]; LANES]) {
        for pair in pairs {
            if mask == 0 {
                break;
            }
            let other = others[mask.trailing_zeros() as usize % LANES];
            *pair = [one.min(other), one.max(other)];
            mask &= mask - 1;
        }
    }

    /// A bit for each of sixteen numbers whose top bit is set.
    #[inline(always)]
    fn marks(self, numbers: &[u32; LANES]) -> u32 {
        (0..LANES).fold(0, |marks, lane| marks | numbers[lane] >> 31 << lane)
    }

    /// Copies the boxes of the first `count` of sixteen ids, at least one, into columns, and returns the minimum and
    /// maximum of each of their four numbers. The last box is repeated after `count`.
    #[inline(always)]
    fn gather<S: Scalar>(
        self,
        boxes: &[Aabb<S>],
        ids: &[u32; LANES],
        count: usize,
        columns: Sixteen<'_, S>,
    ) -> [[S; 4]; 2] {
        Self::Numbers::gather(self, boxes, ids, count, columns)
    }

    /// Runs a task compiled for these instructions.
    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
}

/// Whether two boxes form a pair. Everything that has a kernel as an argument is `#[inline(always)]`.
pub(crate) trait Test<S: Scalar>: Copy {
    /// Bits of boxes that surely, and that perhaps, pass with the box in the same place of the others.
    fn compare<K: Copy, V: Vector<K, S>>(&self, kernel: K, ones: [V; 4], others: [V; 4]) -> [u32; 2];

    /// Do these two pass? Decides if numbers compared at once cannot.
    fn passes(&self, one: &Aabb<S>, other: &Aabb<S>) -> bool;

    /// Could a box in this hull pass with [`Aabb::EMPTY`]?
    fn may_pass_empty(&self, hull: &Aabb<S>) -> bool;
}

/// They share a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overlap;

impl<S: Scalar> Test<S> for Overlap {
    #[inline(always)]
    fn compare<K: Copy, V: Vector<K, S>>(&self, _: K, ones: [V; 4], others: [V; 4]) -> [u32; 2] {
        [V::meet(ones, others); 2]
    }

    fn passes(&self, one: &Aabb<S>, other: &Aabb<S>) -> bool {
        one.intersects(other)
    }

    fn may_pass_empty(&self, hull: &Aabb<S>) -> bool {
        hull.intersects(&Aabb::EMPTY)
    }
}

/// They are no farther apart than a distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Apart<S: Scalar> {
    limits: Limits,
    reach: Reach<S>,
}

impl<S: Scalar> Apart<S> {
    /// By a distance that counts; `None` if its square is no plain number.
    pub(crate) fn within(reach: Reach<S>) -> Option<Self> {
        reach.square().map(|square| Self { limits: Limits::new::<S>(square), reach })
    }

    /// By a distance that is not negative.
    pub(crate) fn up_to(distance: f64) -> Self {
        Self { limits: Limits::new::<S>(distance * distance), reach: Reach::up_to(distance) }
    }
}

impl<S: Scalar> Test<S> for Apart<S> {
    #[inline(always)]
    fn compare<K: Copy, V: Vector<K, S>>(&self, _: K, ones: [V; 4], others: [V; 4]) -> [u32; 2] {
        self.limits.hold::<K, S, V>(V::squares(ones, others))
    }

    #[inline]
    fn passes(&self, one: &Aabb<S>, other: &Aabb<S>) -> bool {
        self.reach.holds(one, other)
    }

    /// With floats, the empty box is infinitely far away: out of reach, unless squares are infinite anyway.
    fn may_pass_empty(&self, hull: &Aabb<S>) -> bool {
        self.reach.holds(hull, &Aabb::EMPTY) || self.limits.is_beyond(f64::from(f32::MAX))
    }
}

/// The instructions that every machine of its kind has.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Kernel for Baseline {
    type Numbers<S: Scalar> = S::Usual;
}

/// [`Kernel::touching`] outside of a [`Task`].
#[inline(always)]
pub(crate) fn touching<S: Scalar>(lanes: &Lanes<'_, S>, bounds: &Aabb<S>) -> u32 {
    Baseline.touching(lanes, bounds)
}

/// [`Kernel::near`] outside of a [`Task`].
#[inline(always)]
pub(crate) fn near<S: Scalar>(lanes: &Lanes<'_, S>, origin: &Aabb<S>, square: f64, squares: &mut [f64; LANES]) -> u32 {
    Baseline.near(lanes, origin, square, squares)
}

/// An upper bound on what [`near`] writes for a square of at most `square`: infinite, if that is beyond the range of
/// the numbers.
#[inline(always)]
pub(crate) fn reach<S: Scalar>(square: f64) -> f64 {
    let [least, most] = S::SQUARES;
    let reach = square * vector::SLACK + least;
    if reach > most { f64::INFINITY } else { reach }
}

/// The task of checking whether all boxes are valid: see [`Kernel::are_valid`].
#[derive(Clone, Copy)]
pub(crate) struct AreValid<'a, S>(pub(crate) &'a [Aabb<S>]);

impl<S: Scalar> Task for AreValid<'_, S> {
    type Output = bool;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> bool {
        kernel.are_valid(self.0)
    }
}

/// Work that is compiled once for each instruction set. Everything it calls with the kernel must be `#[inline(always)]`
/// and not a closure: only inlined code is compiled for the wider machine.
pub(crate) trait Task {
    type Output;

    fn run<K: Kernel>(self, kernel: K) -> Self::Output;
}

/// Runs a task with the best instructions that this machine has.
#[inline]
pub(crate) fn dispatch<T: Task>(task: T) -> T::Output {
    match machine::best() {
        Some(best) => best.run(task),
        None => usual(task),
    }
}

/// Not inlined if there may be a better kernel: a call of that one would save the registers that this one needs.
#[cfg_attr(target_arch = "x86_64", inline(never))]
#[cfg_attr(not(target_arch = "x86_64"), inline)]
fn usual<T: Task>(task: T) -> T::Output {
    Baseline.run(task)
}
