//! Sorting: ids in the order in which a Hilbert curve visits their boxes.

pub(in super::super) mod ahead;
#[cfg(test)]
mod tests;
mod window;

use alloc::vec::Vec;
use core::array;
use core::mem::take;
use core::ops::Range;

use super::levels::Sixteen;
use crate::error::Corruption;
use crate::executor::Executor;
use crate::geometry::{Aabb, Scalar, both};
use crate::kernel::{self, Kernel, LANES, Lanes, Task};
use crate::memory::clone_nothing;
use crate::radix::{sort_keys, sort_numbers};
use crate::random::Random;
use crate::storage::{Boxes, NONE, add_bytes, bytes_of, make_room};

/// Bits of a place along each axis: a place on the curve has twice as many.
const BITS: u32 = u32::BITS / 2;

/// Boxes in one place, more than this, are sorted among themselves. Fewer: more sorting. More: packs of the same place
/// that overlap.
const CROWD: usize = LANES;

/// Boxes are first sorted by this many more bits than number them. More: more to sort by. Fewer: more boxes in a cell.
const SPARE: u32 = 2;

/// Several threads sort parts of the curve with about this many boxes, if boxes are spread evenly. More: threads finish
/// at different times. Fewer: more lists to put together.
const PART: usize = 4096;

/// The most parts, as bits.
const PARTS: u32 = 8;

/// This many packs are sampled to see how far all boxes spread. More: it takes longer. Fewer: more boxes are beyond the grid.
const SAMPLE: usize = 1024;

/// A grid no longer covers boxes that are beyond it by this share of its side. More: many of them are in one place at
/// its border. Less: whole sorts that windows would spare.
const BEYOND: f64 = 1.0 / 16.0;

/// Boxes no longer fill a grid if they take less than this share of its side: hulls have shrunk with the world, so they
/// do not tell how much the order has degraded. More: whole sorts for little. Less: hulls are larger before.
const FILLED: f64 = 0.7;

/// Numbers that are computed at once.
const FOUR: usize = 4;

/// A square grid over the centers of some boxes, 65,536 places wide. Its cells have the shape of a box.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in super::super) struct Grid {
    low: [f64; 2],
    /// Places per unit of length.
    scale: [f64; 2],
}

impl Grid {
    /// `None` if all centers coincide.
    fn new([low, high]: [[f64; 2]; 2], size: [f64; 2]) -> Option<Self> {
        let spread = both(|axis| (high[axis] - low[axis]) / size[axis]);
        let longest = spread[0].max(spread[1]).min(f64::MAX);
        let scale = size.map(|size| (f64::from(1 << BITS) / longest / size).min(f64::MAX));
        (longest > 0.0).then_some(Self { low, scale })
    }

    /// Are the boxes in these packs still inside, or nearly? Judged by a sample.
    pub(in super::super) fn covers<S: Scalar>(&self, packs: &[Sixteen<S>]) -> bool {
        let [low, high] = self.shares(packs);
        low.iter().all(|&low| low >= -BEYOND) && high.iter().all(|&high| high <= 1.0 + BEYOND)
    }

    /// Do the boxes in these packs still fill it? Judged by a sample.
    pub(in super::super) fn is_filled_by<S: Scalar>(&self, packs: &[Sixteen<S>]) -> bool {
        let [low, high] = self.shares(packs);
        (high[0] - low[0]).max(high[1] - low[1]) >= FILLED
    }

    /// The corners of a sample of boxes, as shares of the grid's side.
    fn shares<S: Scalar>(&self, packs: &[Sixteen<S>]) -> [[f64; 2]; 2] {
        let share = |corner: [f64; 2], axis| (corner[axis] - self.low[axis]) * self.scale[axis] / f64::from(1 << BITS);
        spread_of_packs(packs).map(|corner| both(|axis| share(corner, axis)))
    }

    /// Where in the grid the middle of a box is, along one axis.
    ///
    /// Rounds by adding a number so large that no fraction is left, which the compiler can vectorize.
    #[inline(always)]
    fn place<S: Scalar>(&self, axis: usize, min: S, max: S) -> u32 {
        const WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;
        const LAST: f64 = ((1 << BITS) - 1) as f64;
        let place = (middle(min, max) - self.low[axis]) * self.scale[axis] - 0.5;
        let place = if place > 0.0 { place } else { 0.0 };
        ((if place < LAST { place } else { LAST }) + WHOLE).to_bits() as u32
    }

    /// The key of a box: where on the curve its middle is.
    #[cfg(test)]
    pub(in super::super) fn along<S: Scalar>(&self, bounds: &Aabb<S>) -> u32 {
        let [x, y] = both(|axis| self.place(axis, bounds.min[axis], bounds.max[axis]));
        along(x, y)
    }

    /// The keys of sixteen boxes: where on the curve their middles are.
    #[inline(always)]
    fn keys<S: Scalar>(&self, [min_x, min_y, max_x, max_y]: Lanes<'_, S>) -> [u32; LANES] {
        let (mut x, mut y) = ([0; LANES], [0; LANES]);
        for at in (0..LANES).step_by(FOUR) {
            let four_x: [u32; FOUR] = array::from_fn(|k| self.place(0, min_x[at + k], max_x[at + k]));
            let four_y: [u32; FOUR] = array::from_fn(|k| self.place(1, min_y[at + k], max_y[at + k]));
            x[at..at + FOUR].copy_from_slice(&four_x);
            y[at..at + FOUR].copy_from_slice(&four_y);
        }
        // Not `from_fn`, which the compiler would not vectorize.
        let mut keys = [0; LANES];
        for ((key, x), y) in keys.iter_mut().zip(x).zip(y) {
            *key = along(x, y);
        }
        keys
    }

    /// Appends the boxes of some packs, or else those with some ids, to a list, with their keys. Holes are left out.
    fn locate<S: Scalar>(&self, boxes: &Boxes<S>, packs: Option<&[Sixteen<S>]>, ids: &[u32], list: &mut Vec<u64>) {
        // One pack more: its holes are written and go again.
        make_room(list, list.len() + ids.len() + LANES);
        kernel::dispatch(Locate { grid: self, boxes: boxes.all(), packs, ids, list });
    }

    pub(in super::super) fn validate(&self) -> Result<(), Corruption> {
        let is_sound = self.low.iter().chain(&self.scale).all(|number| number.is_finite());
        Corruption::unless(is_sound, || "a grid without cells".into())
    }
}

/// Half the middle between two edges, so that no sum or difference of two is infinite.
#[inline(always)]
fn middle<S: Scalar>(min: S, max: S) -> f64 {
    min.to_f64() * 0.25 + max.to_f64() * 0.25
}

/// Where a Hilbert curve through a square comes to a place, for all levels of squares at once.
///
/// Two bits of `x` and `y` say in which quarter of its square a place is, and how the curve lies in that quarter:
/// mirrored along one of the diagonals, along both, or as it is. `a` and `b` say that for each level, and then, by
/// doubling, for all levels down to it; `c` and `d` gather where that leads to. ("rawrunprotected", *2D Hilbert curves
/// in O(1)*; also in flatbush.)
#[inline(always)]
fn along(x: u32, y: u32) -> u32 {
    const ALL: u32 = (1 << BITS) - 1;
    let (a, b, c, d) = (x ^ y, ALL ^ x ^ y, ALL ^ (x | y), x & (ALL ^ y));
    let (mut a, mut b, mut c, mut d) = (a | b >> 1, a >> 1 ^ a, c >> 1 ^ b & d >> 1 ^ c, a & c >> 1 ^ d >> 1 ^ d);
    for shift in [2, 4, 8] {
        (c, d) = (c ^ a & c >> shift ^ b & d >> shift, d ^ b & c >> shift ^ (a ^ b) & d >> shift);
        (a, b) = (a & a >> shift ^ b & b >> shift, a & b >> shift ^ b & (a ^ b) >> shift);
    }
    let (a, b, low) = (c ^ c >> 1, d ^ d >> 1, x ^ y);
    // The bits of both, one of each in turn.
    let mut both = (b | ALL ^ (low | a)) << BITS | low;
    for (shift, upper) in [(8, 0x0000_FF00), (4, 0x00F0_00F0), (2, 0x0C0C_0C0C), (1, 0x2222_2222)] {
        let differ = (both ^ both >> shift) & upper;
        both ^= differ ^ differ << shift;
    }
    both
}

/// A box that is sorted: in the upper half its key, in the lower half its id.
#[inline(always)]
fn keyed(key: u32, id: u32) -> u64 {
    u64::from(key) << u32::BITS | u64::from(id)
}

#[inline(always)]
fn id_of(one: u64) -> u32 {
    one as u32
}

#[inline(always)]
fn key_of(one: u64) -> u32 {
    (one >> u32::BITS) as u32
}

/// Sorts boxes, and keeps the memory for it.
///
/// A grid is laid over the boxes, and each gets a key, its place along a Hilbert curve through the grid. A radix sort
/// puts the keys in order.
///
/// Boxes are read from the packs, if there are any, in the order that they have had so far: where it is nearly right,
/// one box is written beside the one before it. So they are sorted by where they were when they were copied there, which
/// is the last frame. A sample of the packs shows how far they spread; what is beyond is in a place at the border.
///
/// Where so many boxes crowd that they share a place, they are sorted again, with a grid of their own. So however boxes
/// are distributed, each takes about the same work, once for every sixteen binary digits by which they lie closer
/// together than all do.
///
/// Several threads divide the boxes into chunks, put each of these in the order of parts of the curve, and then sort the
/// parts. That is one more pass, and the same order.
///
/// D. Hilbert, *Ueber die stetige Abbildung einer Linie auf ein Flaechenstueck*, 1891; as an order for packing, Kamel
/// and Faloutsos, 1993.
#[derive(Debug, Default)]
pub(in super::super) struct Curve {
    /// Boxes with their keys.
    list: Vec<u64>,
    spare: Vec<u64>,
    /// Slots whose boxes have yet to be sorted among themselves.
    crowds: Vec<Range<usize>>,
}

clone_nothing!([] Curve);

impl Curve {
    /// Puts all boxes in order, given the packs they were last copied to, if they are of use, and their ids. Holes go.
    /// Cells get the shape of a box of this size. Returns the grid, if there is one.
    pub(in super::super) fn sort<S: Scalar, E: Executor>(
        &mut self,
        boxes: &Boxes<S>,
        size: [f64; 2],
        packs: Option<&[Sixteen<S>]>,
        order: &mut Vec<u32>,
        executor: &E,
    ) -> Option<Grid> {
        let Some(grid) = Grid::new(spread_of(boxes, packs, order), size) else {
            order.retain(|&id| id != NONE);
            return None;
        };
        if E::IS_ALONE {
            self.list_all(&grid, boxes, packs, order);
            order.truncate(boxes.len());
            self.sort_list(boxes, size, order);
        } else {
            self.sort_by_parts((boxes, size), (grid, packs), order, executor);
        }
        Some(grid)
    }

    /// Lists all boxes with their keys.
    fn list_all<S: Scalar>(&mut self, grid: &Grid, boxes: &Boxes<S>, packs: Option<&[Sixteen<S>]>, ids: &[u32]) {
        self.list.clear();
        grid.locate(boxes, packs, ids, &mut self.list);
    }

    fn sort_by_parts<S: Scalar>(
        &mut self,
        (boxes, size): (&Boxes<S>, [f64; 2]),
        (grid, packs): (Grid, Option<&[Sixteen<S>]>),
        order: &mut Vec<u32>,
        executor: &impl Executor,
    ) {
        let bits = (boxes.len() / PART).max(2).ilog2().min(PARTS);
        let shift = u64::BITS - bits;
        let divide = |(number, ids): (usize, &[u32]), chunks: &mut Vec<Vec<u64>>| {
            let mut list = Vec::new();
            let packs = packs.map(|packs| &packs[number * PART / LANES..]);
            grid.locate(boxes, packs, ids, &mut list);
            sort_numbers(&mut list, &mut Vec::new(), shift..u64::BITS);
            chunks.push(list);
        };
        let mut chunks = Vec::new();
        executor.share(order.chunks(PART).enumerate(), &mut chunks, divide, Vec::extend);
        let piece = |chunk: &Vec<u64>, part: u64| {
            let [first, end] = both(|k| chunk.partition_point(|one| one >> shift < part + k as u64));
            first..end
        };
        order.truncate(boxes.len());
        let mut rest = &mut order[..];
        let parts = (0..1 << bits).map(|part| {
            let len = chunks.iter().map(|chunk| piece(chunk, part).len()).sum();
            let (own, after) = take(&mut rest).split_at_mut(len);
            rest = after;
            (part, own)
        });
        let sort = |(part, own): (u64, &mut [u32]), curve: &mut Self| {
            curve.list.clear();
            make_room(&mut curve.list, own.len());
            chunks.iter().for_each(|chunk| curve.list.extend_from_slice(&chunk[piece(chunk, part)]));
            curve.sort_list(boxes, size, own);
        };
        executor.share(parts, self, sort, |_, _| ());
    }

    /// Puts the ids of a run in order, those that are [`NONE`] last.
    pub(in super::super) fn sort_run<S: Scalar>(&mut self, boxes: &Boxes<S>, size: [f64; 2], run: &mut [u32]) {
        let mut len = 0;
        for at in 0..run.len() {
            if run[at] != NONE {
                run.swap(at, len);
                len += 1;
            }
        }
        self.crowds.push(0..len);
        self.sort_crowds(boxes, size, run);
    }

    /// Sorts the list and writes its ids: first by as many bits as tell boxes apart if they are spread evenly, and where
    /// that leaves crowds, by all.
    fn sort_list<S: Scalar>(&mut self, boxes: &Boxes<S>, size: [f64; 2], ids: &mut [u32]) {
        let Self { list, spare, crowds } = self;
        let shift = u64::BITS - (boxes.len().max(2).ilog2() + SPARE).min(u32::BITS);
        sort_numbers(list, spare, shift..u64::BITS);
        for_each_crowd(shift, list, |first, crowd| {
            crowd.sort_unstable();
            for_each_crowd(u32::BITS, crowd, |at, place| crowds.push(first + at..first + at + place.len()));
        });
        self.write_list(boxes, size, ids);
    }

    /// Writes the ids of the list, and sorts crowds among themselves.
    fn write_list<S: Scalar>(&mut self, boxes: &Boxes<S>, size: [f64; 2], ids: &mut [u32]) {
        self.list.iter().zip(&mut *ids).for_each(|(&one, id)| *id = id_of(one));
        self.sort_crowds(boxes, size, ids);
    }

    fn sort_crowds<S: Scalar>(&mut self, boxes: &Boxes<S>, size: [f64; 2], ids: &mut [u32]) {
        while let Some(crowd) = self.crowds.pop() {
            let (first, crowd) = (crowd.start, &ids[crowd]);
            let spread = kernel::dispatch(Spread(crowd.iter().map(|&id| *boxes.at(id))));
            let Some(grid) = Grid::new(spread, size) else { continue };
            self.list.clear();
            grid.locate(boxes, None, crowd, &mut self.list);
            sort_keys(&mut self.list, &mut self.spare);
            self.list.iter().zip(&mut ids[first..]).for_each(|(&one, id)| *id = id_of(one));
            let Self { list, crowds, .. } = self;
            let all = list.len();
            for_each_crowd(u32::BITS, list, |at, place| {
                // If all are in one place, the grid has reached the resolution of numbers.
                if place.len() < all {
                    crowds.push(first + at..first + at + place.len());
                }
            });
        }
    }

    /// No memory is in use between two sorts; it is only kept.
    pub(in super::super) fn bytes(&self) -> [usize; 2] {
        let Self { list, spare, crowds } = self;
        [0, add_bytes([bytes_of(list), bytes_of(spare), bytes_of(crowds)])[1]]
    }
}

/// Visits all crowds of a list whose upper bits are in order: those with equal ones, and where they begin.
fn for_each_crowd(shift: u32, list: &mut [u64], mut visit: impl FnMut(usize, &mut [u64])) {
    let is_crowd = |(one, other): (&u64, &u64)| one >> shift == other >> shift;
    let next = |list: &[u64], at: usize| list[at..].iter().zip(list.get(at + CROWD..)?).position(is_crowd);
    let mut at = 0;
    while let Some(others) = next(list, at) {
        at += others;
        let upper = list[at] >> shift;
        let len = list[at..].partition_point(|one| one >> shift == upper);
        visit(at, &mut list[at..at + len]);
        at += len;
    }
}

/// How far the middles of some boxes spread: of a sample of the packs, or else of those with some of these ids.
fn spread_of<S: Scalar>(boxes: &Boxes<S>, packs: Option<&[Sixteen<S>]>, ids: &[u32]) -> [[f64; 2]; 2] {
    if let Some(packs) = packs {
        return spread_of_packs(packs);
    }
    let some = sample(ids.len().div_ceil(LANES)).flat_map(|pack| ids[pack * LANES..].iter().take(LANES));
    kernel::dispatch(Spread(some.filter(|&&id| id != NONE).map(|&id| *boxes.at(id))))
}

fn spread_of_packs<S: Scalar>(packs: &[Sixteen<S>]) -> [[f64; 2]; 2] {
    let [low, high] = kernel::dispatch(SpreadOfPacks(packs));
    let fold = |some: [f64; FOUR], lesser: fn(f64, f64) -> f64| some.into_iter().fold(some[0], lesser);
    [low.map(|some| fold(some, f64::lesser)), high.map(|some| fold(some, f64::greater))]
}

/// About as many of the packs as a sample has: one of each range of them, at a scrambled position within it, so that no
/// period in the order misleads it, such as that of rows one after another.
fn sample(packs: usize) -> impl Iterator<Item = usize> {
    let step = packs.div_ceil(SAMPLE).max(1);
    let position = move |range: usize| (Random::at(range as u64) % step as u64) as usize;
    (0..packs.div_ceil(step)).map(move |range| (range * step + position(range)).min(packs - 1))
}

/// The task of finding how far the middles of some boxes spread.
struct Spread<I>(I);

impl<S: Scalar, I: Iterator<Item = Aabb<S>>> Task for Spread<I> {
    type Output = [[f64; 2]; 2];

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) -> [[f64; 2]; 2] {
        // The greatest ones negated: four numbers that are compared at once.
        let mut least = [f64::INFINITY; 4];
        for bounds in self.0 {
            let [x, y] = both(|axis| middle(bounds.min[axis], bounds.max[axis]));
            let now = [x, y, -x, -y];
            least = array::from_fn(|at| least[at].lesser(now[at]));
        }
        let [low_x, low_y, high_x, high_y] = least;
        [[low_x, low_y], [-high_x, -high_y]]
    }
}

/// The same for a sample of packs, four boxes side by side.
struct SpreadOfPacks<'a, S>(&'a [Sixteen<S>]);

impl<S: Scalar> Task for SpreadOfPacks<'_, S> {
    type Output = [[[f64; FOUR]; 2]; 2];

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) -> Self::Output {
        let (mut low, mut high) = ([[f64::INFINITY; FOUR]; 2], [[f64::NEG_INFINITY; FOUR]; 2]);
        for pack in sample(self.0.len()) {
            let [min_x, min_y, max_x, max_y] = self.0[pack].lanes();
            for (axis, min, max) in [(0, min_x, max_x), (1, min_y, max_y)] {
                for at in (0..LANES).step_by(FOUR) {
                    // Neither less nor greater than anything if there is no box.
                    let four: [f64; FOUR] = array::from_fn(|k| match min[at + k] <= max[at + k] {
                        true => middle(min[at + k], max[at + k]),
                        false => f64::NAN,
                    });
                    low[axis] = array::from_fn(|k| low[axis][k].lesser(four[k]));
                    high[axis] = array::from_fn(|k| high[axis][k].greater(four[k]));
                }
            }
        }
        [low, high]
    }
}

/// The task of appending the boxes of some packs, or else those with some ids, to a list, which has room.
struct Locate<'a, S> {
    grid: &'a Grid,
    boxes: &'a [Aabb<S>],
    packs: Option<&'a [Sixteen<S>]>,
    ids: &'a [u32],
    list: &'a mut Vec<u64>,
}

impl<S: Scalar> Task for Locate<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let (mut copied, mut padded) = (Sixteen::EMPTY, [NONE; LANES]);
        for (at, some) in self.ids.chunks(LANES).enumerate() {
            let ids = some.first_chunk().unwrap_or_else(|| {
                padded[..some.len()].copy_from_slice(some);
                &padded
            });
            // Holes come last.
            let count = LANES - kernel.marks(ids).count_ones() as usize;
            if count == 0 {
                continue;
            }
            let pack = match self.packs {
                Some(packs) => &packs[at],
                None => {
                    copied.fill(kernel, self.boxes, ids, count);
                    &copied
                }
            };
            let keys = self.grid.keys(pack.lanes());
            let mut all = [0; LANES];
            for ((one, key), id) in all.iter_mut().zip(keys).zip(ids) {
                *one = keyed(key, *id);
            }
            let len = self.list.len() + count;
            // All are written, so that it is known how many.
            self.list.extend_from_slice(&all);
            self.list.truncate(len);
        }
    }
}
