//! Boxes by slot, each coordinate in a column of its own.

use alloc::vec::Vec;

use crate::geometry::{Aabb, Scalar};
use crate::kernel::{Kernel, LANES, Lanes, Window};
use crate::storage::{Boxes, bytes_of};

/// Boxes in the order of slots: all lower x, then all lower y, upper x and upper y, in one vector.
///
/// Any [`WINDOW`] of neighbours can be looked at, wherever it begins; behind the last slot there is room for that.
#[derive(Clone, Debug)]
pub(super) struct Columns<S> {
    all: Vec<S>,
    stride: usize,
}

/// So many slots, wherever they begin, can be looked at together.
pub(super) const WINDOW: usize = 2 * LANES;

/// Coordinates in a memory page of 4 KiB.
const PAGE: usize = 1024;

/// Columns begin this far apart within a page. Were they to begin at the same place, the four streams of numbers would compete
/// for the same few lines of the cache: filling 500,000 slots then takes up to three times as long (measured 2026-11-20).
const STAGGER: usize = 272;

impl<S: Scalar> Default for Columns<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Scalar> Columns<S> {
    pub(super) const fn new() -> Self {
        Self { all: Vec::new(), stride: 0 }
    }

    /// Makes room for `slots` slots. What is there is kept.
    pub(super) fn reserve(&mut self, slots: usize) {
        let needed = slots + WINDOW;
        if needed <= self.stride {
            return;
        }
        let stride =
            if needed <= PAGE { needed.next_multiple_of(LANES) } else { needed.next_multiple_of(PAGE) + STAGGER };
        let mut all = Vec::with_capacity(4 * stride);
        for column in 0..4 {
            all.extend_from_slice(&self.all[column * self.stride..(column + 1) * self.stride]);
            all.resize((column + 1) * stride, S::ZERO);
        }
        (self.all, self.stride) = (all, stride);
    }

    /// Makes room for one slot more, and for as many again in advance.
    pub(super) fn reserve_one(&mut self, slots: usize) {
        if slots + 1 + WINDOW > self.stride {
            self.reserve(2 * slots + LANES);
        }
    }

    /// All slots, to be looked at.
    #[inline(always)]
    pub(super) fn view(&self) -> View<'_, S> {
        let column = |number: usize| &self.all[number * self.stride..][..self.stride];
        View([column(0), column(1), column(2), column(3)])
    }

    #[inline(always)]
    pub(super) fn get(&self, slot: u32) -> Aabb<S> {
        self.view().get(slot)
    }

    pub(super) fn set(&mut self, slot: u32, bounds: &Aabb<S>) {
        for (column, value) in <[S; 4]>::from(*bounds).into_iter().enumerate() {
            self.all[column * self.stride + slot as usize] = value;
        }
    }

    /// The sixteen slots from `slot` on.
    #[inline(always)]
    pub(super) fn lanes(&self, slot: u32) -> Lanes<'_, S> {
        self.view().lanes(slot)
    }

    /// All slots, to be filled.
    pub(super) fn whole(&mut self) -> Stretch<'_, S> {
        let (lower, upper) = self.all.split_at_mut(2 * self.stride);
        let ((min_x, min_y), (max_x, max_y)) = (lower.split_at_mut(self.stride), upper.split_at_mut(self.stride));
        Stretch([min_x, min_y, max_x, max_y])
    }

    /// Bytes of the first `slots` slots, and bytes held.
    pub(super) fn bytes(&self, slots: usize) -> [usize; 2] {
        [4 * slots * size_of::<S>(), bytes_of(&self.all)[1]]
    }
}

/// Columns of the same length. Who takes them in front of a loop has one bound to check for all four in it, if the compiler sees that they are
/// alike: not through [`array::map`], which it may compile as a function of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a, S>([&'a [S]; 4]);

impl<'a, S: Scalar> View<'a, S> {
    #[inline(always)]
    pub(super) fn get(&self, slot: u32) -> Aabb<S> {
        let [min_x, min_y, max_x, max_y] = self.0;
        let slot = slot as usize;
        Aabb::new([min_x[slot], min_y[slot]], [max_x[slot], max_y[slot]])
    }

    /// The sixteen slots from `slot` on.
    #[inline(always)]
    pub(super) fn lanes(&self, slot: u32) -> Lanes<'a, S> {
        self.several(slot)
    }

    /// The slots from `slot` on.
    #[inline(always)]
    pub(super) fn window(&self, slot: u32) -> Window<'a, S> {
        self.several(slot)
    }

    #[inline(always)]
    fn several<const N: usize>(&self, slot: u32) -> [&'a [S; N]; 4] {
        let [min_x, min_y, max_x, max_y] = self.0;
        let several =
            |column: &'a [S]| column[slot as usize..slot as usize + N].try_into().expect("as many as asked for");
        [several(min_x), several(min_y), several(max_x), several(max_y)]
    }
}

/// Slots in a row, numbered from 0, which one thread fills while others fill theirs.
#[derive(Debug)]
pub(super) struct Stretch<'a, S>([&'a mut [S]; 4]);

/// Takes the first `count` elements off a slice and returns them.
pub(super) fn take_first<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (first, rest) = core::mem::take(slice).split_at_mut(count);
    *slice = rest;
    first
}

/// So many slots behind the last one may be written over when boxes are copied.
pub(super) const SPILT: usize = LANES;

impl<'a, S: Scalar> Stretch<'a, S> {
    /// Takes the first `slots` slots away and returns them.
    pub(super) fn take(&mut self, slots: usize) -> Self {
        Self(self.0.each_mut().map(|column| take_first(column, slots)))
    }

    /// Empties the slots from `slot` on, up to sixteen.
    pub(super) fn vacate(&mut self, slot: usize) {
        for (column, value) in self.0.iter_mut().zip(<[S; 4]>::from(Aabb::EMPTY)) {
            column[slot..].iter_mut().take(LANES).for_each(|number| *number = value);
        }
    }

    /// The lower corners of the sixteen slots from `slot` on, as boxes without extent.
    #[inline(always)]
    pub(super) fn corners(&self, slot: usize) -> Lanes<'_, S> {
        let [min_x, min_y, ..] = &self.0;
        let (x, y) = (min_x[slot..].first_chunk().expect("sixteen"), min_y[slot..].first_chunk().expect("sixteen"));
        [x, y, x, y]
    }

    /// Copies the boxes of the first `len` of `ids` into the slots from `slot` on, and returns how far they spread.
    ///
    /// Sixteen at a time: up to [`SPILT`] slots behind must not hold anything yet, and there are as many more ids, whatever they are.
    #[inline(always)]
    pub(super) fn fill<K: Kernel>(
        &mut self,
        kernel: K,
        boxes: &Boxes<S>,
        slot: usize,
        ids: &[u32],
        len: usize,
    ) -> Spread<S> {
        let mut spread = Spread::EMPTY;
        for at in (0..len).step_by(LANES) {
            let [min_x, min_y, max_x, max_y] = &mut self.0;
            let range = slot + at..slot + at + LANES;
            let columns = [
                (&mut min_x[range.clone()]).try_into().expect("sixteen"),
                (&mut min_y[range.clone()]).try_into().expect("sixteen"),
                (&mut max_x[range.clone()]).try_into().expect("sixteen"),
                (&mut max_y[range]).try_into().expect("sixteen"),
            ];
            let ids = ids[at..at + LANES].try_into().expect("sixteen");
            let [least, greatest] = kernel.gather(boxes.all(), ids, (len - at).min(LANES), columns);
            let more = Spread { least, greatest };
            if at == 0 {
                spread = more;
            } else {
                spread.widen(&more);
            }
        }
        spread
    }
}

/// The least and the greatest of each of the four numbers of some boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spread<S> {
    least: [S; 4],
    greatest: [S; 4],
}

impl<S: Scalar> Spread<S> {
    pub(super) const EMPTY: Self = Self { least: [S::HIGHEST; 4], greatest: [S::LOWEST; 4] };

    #[inline(always)]
    fn widen(&mut self, other: &Self) {
        for number in 0..4 {
            self.least[number] = self.least[number].lesser(other.least[number]);
            self.greatest[number] = self.greatest[number].greater(other.greatest[number]);
        }
    }

    /// The smallest box around all.
    #[inline(always)]
    pub(super) fn hull(&self) -> Aabb<S> {
        Aabb::new([self.least[0], self.least[1]], [self.greatest[2], self.greatest[3]])
    }

    /// The least lower x and the least lower y: cells go by lower corners.
    #[inline(always)]
    pub(super) fn low(&self) -> [S; 2] {
        [self.least[0], self.least[1]]
    }

    /// The greatest lower x and the greatest lower y.
    #[inline(always)]
    pub(super) fn high(&self) -> [S; 2] {
        [self.greatest[0], self.greatest[1]]
    }
}
