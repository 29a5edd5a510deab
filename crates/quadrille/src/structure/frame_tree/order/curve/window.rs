//! Sorting a part of the order: the boxes between two places on the curve.

use alloc::vec::Vec;
use core::ops::Range;

use arrayvec::ArrayVec;

use super::{BLOCK, BLOCK_CELLS, BLOCKS, Curve, Grid, Keyed, PLACE, level_of};
use crate::error::Corruption;
use crate::geometry::{Aabb, Scalar};
use crate::kernel::LANES;
use crate::radix::sort_by_bits;
use crate::storage::{Boxes, NONE, make_room};

/// Boxes are prefetched this many slots ahead.
const AHEAD: usize = 32;

/// This many boxes are looked for on the curve together.
const AT_ONCE: usize = 4;

/// This many boxes decide where the next window begins. More: more of its first boxes count as boxes of the window before it.
/// Fewer: the first few may all have left.
const SAMPLE: usize = LANES * LANES;

/// The inverse of [`BLOCKS`]: for each turn and each cell of a block, where the cell is along the curve.
///
/// ```text
/// turn (2)   place along the curve (6)
/// ```
const PLACES: [[u8; BLOCK_CELLS]; 4] = {
    let mut places = [[0; BLOCK_CELLS]; 4];
    let mut at = 0;
    while at < 4 * BLOCK_CELLS {
        let code = BLOCKS[at / BLOCK_CELLS][at % BLOCK_CELLS];
        places[at / BLOCK_CELLS][code as usize % BLOCK_CELLS] =
            code & !(BLOCK_CELLS as u8 - 1) | (at % BLOCK_CELLS) as u8;
        at += 1;
    }
    places
};

impl Grid {
    /// Where on the curve the middles of some boxes are: the same order in which a sort visits them, in 32 bits. Several
    /// at once, because each step down a square waits for the one before it.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the upper bits are meant")]
    pub(in super::super::super) fn along<S: Scalar, const N: usize>(&self, bounds: [&Aabb<S>; N]) -> [u32; N] {
        let (places, bits) = (bounds.map(|bounds| self.place(bounds)), level_of(self.sides) + PLACE);
        // In a square around this one, twice as long, the curve begins mirrored.
        let more = (BLOCK - bits % BLOCK) % BLOCK;
        let (mut shift, mut turns, mut along) = (bits + more, [more as usize % 2; N], [0_u64; N]);
        while shift > 0 {
            shift -= BLOCK;
            for ((place, turn), along) in places.iter().zip(&mut turns).zip(&mut along) {
                let [x, y] = place.map(|at| at >> shift & ((1 << BLOCK) - 1));
                let code = PLACES[*turn][(y << BLOCK | x) as usize] as usize;
                (*turn, *along) = (code / BLOCK_CELLS, *along << (2 * BLOCK) | (code % BLOCK_CELLS) as u64);
            }
        }
        along.map(|along| (along >> (2 * bits).saturating_sub(u32::BITS)) as u32)
    }

    /// Where on the curve a run of boxes begins, but for one in sixteen, which may have left.
    pub(in super::super::super) fn beginning<S: Scalar>(&self, boxes: &Boxes<S>, run: &[u32]) -> u32 {
        let listed = run.iter().filter(|&&id| id != NONE).take(SAMPLE);
        let mut places: ArrayVec<u32, SAMPLE> = listed.flat_map(|&id| self.along([boxes.at(id)])).collect();
        places.sort_unstable();
        places.get(places.len() / LANES).copied().unwrap_or(u32::MAX)
    }

    pub(in super::super::super) fn validate(&self) -> Result<(), Corruption> {
        let is_sound = self.sides.iter().all(|side| (1..1 << 24).contains(side))
            && self.low.iter().chain(&self.scale).all(|number| number.is_finite());
        Corruption::unless(is_sound, || "a grid without cells".into())
    }
}

impl Curve {
    /// Puts into a window, in order, what belongs there of its boxes and of those in the tail, which begins at a slot:
    /// the boxes that are on the curve from one place up to another. The others go into the tail. If there is no room
    /// for all, the window ends earlier on the curve. Returns where, and the slot at which the next one begins.
    pub(in super::super::super) fn sort_window<S: Scalar>(
        &mut self,
        grid: &Grid,
        boxes: &Boxes<S>,
        order: &mut Vec<u32>,
        (slots, places): (Range<usize>, Range<u32>),
        tail: usize,
    ) -> (u32, usize) {
        self.locate(grid, boxes, [&order[slots.clone()], &order[tail..]], order.len());
        let first = self.boxes.partition_point(|one| one.key() < places.start);
        let end = self.boxes.partition_point(|one| one.key() < places.end).clamp(first, first + slots.len());
        order.truncate(tail);
        make_room(order, tail + self.boxes.len());
        order.extend(self.boxes[..first].iter().chain(&self.boxes[end..]).map(|one| one.id()));
        order[slots.clone()].fill(NONE);
        let next_slot = (slots.start + end - first).next_multiple_of(LANES);
        order[slots].iter_mut().zip(&self.boxes[first..end]).for_each(|(id, one)| *id = one.id());
        let reached = self.boxes.get(end).map_or(places.end, |next| places.end.min(next.key())).max(places.start);
        (reached, next_slot)
    }

    /// The same for the last window, which ends at the tail, and becomes as long as need be. Returns where the tail begins
    /// now.
    pub(in super::super::super) fn sort_last_window<S: Scalar>(
        &mut self,
        grid: &Grid,
        boxes: &Boxes<S>,
        order: &mut Vec<u32>,
        (slot, place): (usize, u32),
    ) -> usize {
        self.locate(grid, boxes, [&order[slot..], &[]], order.len());
        let (waiting, rest) = self.boxes.split_at(self.boxes.partition_point(|one| one.key() < place));
        order.truncate(slot);
        order.extend(rest.iter().map(|one| one.id()));
        let tail = order.len().next_multiple_of(LANES);
        if !waiting.is_empty() {
            order.resize(tail, NONE);
            order.extend(waiting.iter().map(|one| one.id()));
        }
        tail
    }

    /// Lists some of all boxes in the order of the curve. Makes room for a window of a fourth and a tail of an eighth, so
    /// that no later window needs more.
    fn locate<S: Scalar>(&mut self, grid: &Grid, boxes: &Boxes<S>, lists: [&[u32]; 2], all: usize) {
        let Self { boxes: listed, desk, .. } = self;
        listed.clear();
        let len = lists.iter().map(|ids| ids.len()).sum::<usize>().max(all / 4 + all / 8);
        make_room(listed, len);
        listed.extend(lists.into_iter().flatten().filter(|&&id| id != NONE).map(|&id| Keyed::new(0, id)));
        for at in (0..listed.len()).step_by(AT_ONCE) {
            listed.iter().skip(at + AHEAD).take(AT_ONCE).for_each(|soon| boxes.prefetch(soon.id()));
            if let Some(some) = listed[at..].first_chunk_mut::<AT_ONCE>() {
                let along = grid.along(some.map(|one| boxes.at(one.id())));
                *some = core::array::from_fn(|k| Keyed::new(along[k], some[k].id()));
            } else {
                listed[at..]
                    .iter_mut()
                    .for_each(|one| *one = Keyed::new(grid.along([boxes.at(one.id())])[0], one.id()));
            }
        }
        make_room(&mut desk.crowd, len);
        // For the tail, which is sorted next.
        make_room(&mut desk.boxes, all / 8);
        sort_by_bits(listed, &mut desk.crowd, u32::BITS..2 * u32::BITS, |one| one.0);
    }
}
