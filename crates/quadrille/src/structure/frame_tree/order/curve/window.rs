//! Sorting a part of the order: the boxes between two places on the curve.

use alloc::vec::Vec;
use core::ops::Range;

use super::{Curve, Grid, id_of, key_of};
use crate::geometry::Scalar;
use crate::kernel::LANES;
use crate::radix::sort_numbers;
use crate::storage::{Boxes, NONE, make_room};
use crate::structure::frame_tree::order::levels::Sixteen;

/// This many packs decide where the next window begins. More: more of its first boxes count as boxes of the window before it.
/// Fewer: the first few may all have left.
const SAMPLE: usize = LANES;

impl Curve {
    /// Puts into a window, in order, what belongs there of its boxes and of those in the tail, which begins at a slot:
    /// the boxes that are on the curve from a place up to where the next window begins. The others go into the tail. If
    /// there is no room for all, the window ends earlier on the curve. Returns where, and the slot at which the next one
    /// begins.
    pub(in super::super::super) fn sort_window<S: Scalar>(
        &mut self,
        grid: &Grid,
        (boxes, packs): (&Boxes<S>, &[Sixteen<S>]),
        order: &mut Vec<u32>,
        (slots, place): (Range<usize>, u32),
        tail: usize,
    ) -> (u32, usize) {
        let next = self.beginning(grid, (boxes, packs), order, slots.end..tail).max(place);
        self.locate(grid, (boxes, packs), order, [slots.clone(), tail..order.len()]);
        let first = self.list.partition_point(|&one| key_of(one) < place);
        let end = self.list.partition_point(|&one| key_of(one) < next).clamp(first, first + slots.len());
        order.truncate(tail);
        make_room(order, tail + self.list.len());
        order.extend(self.list[..first].iter().chain(&self.list[end..]).map(|&one| id_of(one)));
        order[slots.clone()].fill(NONE);
        let next_slot = (slots.start + end - first).next_multiple_of(LANES);
        order[slots].iter_mut().zip(&self.list[first..end]).for_each(|(id, one)| *id = id_of(*one));
        let reached = self.list.get(end).map_or(next, |&one| next.min(key_of(one))).max(place);
        (reached, next_slot)
    }

    /// The same for the last window, which ends at the tail, and becomes as long as need be. Returns where the tail begins
    /// now.
    pub(in super::super::super) fn sort_last_window<S: Scalar>(
        &mut self,
        grid: &Grid,
        (boxes, packs): (&Boxes<S>, &[Sixteen<S>]),
        order: &mut Vec<u32>,
        (slot, place): (usize, u32),
    ) -> usize {
        self.locate(grid, (boxes, packs), order, [slot..order.len(), 0..0]);
        let (waiting, rest) = self.list.split_at(self.list.partition_point(|&one| key_of(one) < place));
        order.truncate(slot);
        order.extend(rest.iter().map(|&one| id_of(one)));
        let tail = order.len().next_multiple_of(LANES);
        if !waiting.is_empty() {
            order.resize(tail, NONE);
            order.extend(waiting.iter().map(|&one| id_of(one)));
        }
        tail
    }

    /// Where on the curve a run of boxes begins, but for one in sixteen, which may have left.
    fn beginning<S: Scalar>(
        &mut self,
        grid: &Grid,
        (boxes, packs): (&Boxes<S>, &[Sixteen<S>]),
        order: &[u32],
        run: Range<usize>,
    ) -> u32 {
        self.locate(grid, (boxes, packs), order, [run.start..run.end.min(run.start + SAMPLE * LANES), 0..0]);
        self.list.get(self.list.len() / LANES).map_or(u32::MAX, |&one| key_of(one))
    }

    /// Lists the boxes in some slots in the order of the curve. Makes room for a window of a fourth and a tail of an
    /// eighth, so that no later window needs more.
    fn locate<S: Scalar>(
        &mut self,
        grid: &Grid,
        (boxes, packs): (&Boxes<S>, &[Sixteen<S>]),
        order: &[u32],
        slots: [Range<usize>; 2],
    ) {
        let Self { list, spare, .. } = self;
        list.clear();
        let len = slots.iter().map(Range::len).sum::<usize>().max(order.len() / 4 + order.len() / 8) + LANES;
        make_room(list, len);
        make_room(spare, len);
        for slots in slots {
            grid.locate(boxes, Some(&packs[slots.start / LANES..]), &order[slots], list);
        }
        sort_numbers(list, spare, u32::BITS..u64::BITS);
    }
}
