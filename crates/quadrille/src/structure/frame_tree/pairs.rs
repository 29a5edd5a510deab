//! All pairs, in batches.

use arrayvec::ArrayVec;
use core::ops::{ControlFlow, Range};

use super::columns::View;
use super::hulls::MAX_LEVELS;
use super::{FrameTree, id_of};
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, HALF, Kernel, LANES, Task};
use crate::storage::{Boxes, NONE};

/// Pairs of packs joined in one batch. More: a longer list, which the first-level cache must hold (16 bytes each). Fewer: more beginnings and
/// ends of loops, each a branch guessed wrong.
const BATCH: usize = 32;

/// Pairs of packs that two groups can add to the list at once.
const MOST_MET: usize = LANES * LANES;

/// Pairs of ids written out in one go. More: the first-level cache must hold them besides the lists.
const ROOM: usize = 512;

/// Pairs that two packs can have, and places that may be written over behind them.
const MOST_CROSSING: usize = LANES * LANES + LANES;

/// Two packs, and which boxes of each touch the hull of the other. There are no more rows than columns.
#[derive(Clone, Copy, Debug, Default)]
struct Crossing {
    rows: u32,
    columns: u32,
    first_row: u32,
    first_column: u32,
}

/// All pairs of overlapping boxes. Group by group of sixteen packs: first the pairs within each of its packs, then those between
/// its packs and others, the other pack being of the same group or a later one.
///
/// The plain algorithm:
///
/// ```text
/// for each group g
///     for each pack a of g: for each box k of a: report the boxes of a after k that overlap k
///     for each group h from g on whose hull touches that of g
///         for each pack a of g that touches the hull of h
///             for each pack b of h that touches the hull of a, after a if h = g
///                 for each box k of a that touches the hull of b
///                     report the boxes of b that overlap k
/// ```
///
/// Departures:
///
/// - Loops do not run inside each other but one after the other, and leave lists: hits within the packs of a group, pairs (a, b) of packs,
///   [`BATCH`] of them at a time with the boxes of each that touch the hull of the other, and pairs of ids. An element is always written to
///   its list, and the length then grows by nought or one, so no branch has to guess whether there was a hit.
/// - Within a pack, boxes that are so many slots apart are compared, eight such pairs at once, for one distance after the other: so no two
///   are compared twice.
/// - Of two packs, the boxes that are compared one by one, each with sixteen at once, are those of the pack of which fewer touch the hull of the other.
/// - Pairs are drawn from masks eight at once.
#[derive(Debug)]
pub(super) struct Pairs<'t, 'b, S> {
    tree: &'t FrameTree<S>,
    boxes: &'b Boxes<S>,
    /// The group at hand.
    group: usize,
    /// The groups still to begin with.
    groups: Range<usize>,
    /// Nodes above the groups with the children still to visit, for the groups after the one at hand.
    later: ArrayVec<(u32, u32), MAX_LEVELS>,
    /// Pairs of packs still to join, from `joined` on.
    met: [[u32; 2]; BATCH + MOST_MET + LANES],
    listed: usize,
    joined: usize,
    /// What came of the batch joined last, of which those from `left` on are still to be written out.
    crossings: [Crossing; BATCH + 1],
    crossed: usize,
    left: usize,
    /// Overlaps within the packs of a group, of which those from `written` on are still to be written out: the slot of the first of eight boxes, a
    /// distance, and a mask, bit `k` of which is set if box `k` of the eight overlaps the one as many slots behind it.
    ///
    /// ```text
    /// slot (32)   0 (16)   distance (8)   mask (8)
    /// ```
    hits: [u64; 2 * LANES * LANES],
    found: usize,
    written: usize,
    pairs: [[u32; 2]; ROOM],
    /// Pairs written out, and how many of them have been reported.
    ready: usize,
    reported: usize,
    /// Must pairs be looked at once more? Only then: if boxes have layers, or one covers the whole range of numbers, for that touches the
    /// empty box in the slot of a removed one.
    is_sifted: bool,
}

impl<'t, 'b, S: Scalar> Pairs<'t, 'b, S> {
    /// The pairs of these groups, each with itself and with all later ones.
    pub(super) fn of(tree: &'t FrameTree<S>, boxes: &'b Boxes<S>, groups: Range<usize>) -> Self {
        Self {
            tree,
            boxes,
            group: 0,
            groups,
            later: ArrayVec::new(),
            met: [[0; 2]; BATCH + MOST_MET + LANES],
            listed: 0,
            joined: 0,
            crossings: [Crossing::default(); BATCH + 1],
            crossed: 0,
            left: 0,
            hits: [0; 2 * LANES * LANES],
            found: 0,
            written: 0,
            pairs: [[0; 2]; ROOM],
            ready: 0,
            reported: 0,
            is_sifted: boxes.has_layers() || tree.hulls.hull() == Aabb::EVERYTHING,
        }
    }

    /// The same pairs in the same order as the iterator.
    #[inline]
    pub(super) fn visit<B>(mut self, mut visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        while self.refill() {
            for &[a, b] in &self.pairs[..self.ready] {
                visit(a, b)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Finds more pairs. `false` if there are none.
    fn refill(&mut self) -> bool {
        kernel::dispatch(Refill(self))
    }

    #[inline(always)]
    fn refill_by<K: Kernel>(&mut self, kernel: K) -> bool {
        (self.ready, self.reported) = (0, 0);
        while self.ready == 0 {
            if self.written < self.found {
                self.write_within(kernel);
            } else if self.left < self.crossed {
                self.write_across(kernel);
            } else if self.joined < self.listed {
                self.join(kernel);
            } else if !self.meet(kernel) {
                let Some(group) = self.groups.next() else { return false };
                self.group = group;
                self.begin(kernel);
            }
            if self.is_sifted {
                self.sift();
            }
        }
        true
    }

    /// Writes out pairs within packs, as many as there is room for.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "parts of a number are meant")]
    fn write_within<K: Kernel>(&mut self, kernel: K) {
        let order = &self.tree.order[..];
        let (mut ready, mut written) = (0, self.written);
        while written < self.found && ready + HALF <= ROOM {
            let hit = self.hits[written];
            let (slot, distance, mask) = ((hit >> 32) as usize, (hit as u32 >> 8) as usize, hit as u32 & 0xFF);
            let pairs = (&mut self.pairs[ready..ready + HALF]).try_into().expect("eight");
            match (entries(order, slot), entries(order, slot + distance)) {
                (Some(ones), Some(others)) => kernel.pair_up(ones, others, mask, pairs),
                _ => kernel.pair_up(&last_entries(order, slot), &last_entries(order, slot + distance), mask, pairs),
            }
            ready += mask.count_ones() as usize;
            written += 1;
        }
        (self.ready, self.written) = (ready, written);
    }

    /// Writes out pairs across packs, as many as there is room for.
    #[inline(always)]
    fn write_across<K: Kernel>(&mut self, kernel: K) {
        let (order, columns) = (&self.tree.order[..], self.tree.columns.view());
        let mut ready = 0;
        while self.left < self.crossed && ready + MOST_CROSSING <= ROOM {
            let Crossing { mut rows, columns: wanted, first_row, first_column } = self.crossings[self.left];
            self.left += 1;
            let lanes = columns.lanes(first_column);
            let last;
            let others = match entries(order, first_column as usize) {
                Some(others) => others,
                None => {
                    last = last_entries(order, first_column as usize);
                    &last
                }
            };
            while rows != 0 {
                let one = first_row + rows.trailing_zeros();
                rows &= rows - 1;
                let mask = kernel.touching(&lanes, &columns.get(one)) & wanted;
                let pairs = (&mut self.pairs[ready..ready + LANES]).try_into().expect("sixteen");
                kernel.pair_with(id_of(order[one as usize]), others, mask, pairs);
                ready += mask.count_ones() as usize;
            }
        }
        self.ready = ready;
    }

    /// Takes out of what was written whose layers do not meet, and pairs with a removed box.
    fn sift(&mut self) {
        let mut kept = 0;
        for at in 0..self.ready {
            let [low, high] = self.pairs[at];
            self.pairs[kept] = [low, high];
            kept += usize::from(high != id_of(NONE) && self.boxes.meet(low, high));
        }
        self.ready = kept;
    }

    /// Begins with a group: hits within its packs, pairs of its packs, and where to look for later groups.
    #[inline(always)]
    fn begin<K: Kernel>(&mut self, kernel: K) {
        let tree = self.tree;
        let packs = tree.hulls.present(0, self.group).count_ones() as usize;
        let columns = tree.columns.view();
        (self.found, self.written) = (0, 0);
        for pack in self.group * LANES..self.group * LANES + packs {
            self.join_within(kernel, &columns, pack);
        }
        (self.listed, self.joined) = (0, 0);
        let (lanes, ids) = (tree.hulls.lanes(0, self.group), packs_of(self.group));
        for lane in 0..packs {
            let pack = self.group * LANES + lane;
            let touching = kernel.touching(&lanes, &tree.hulls.get(0, pack)) & kernel::lowest(packs);
            self.list(kernel, pack, &ids, touching & (!1 << lane));
        }
        if tree.hulls.height() > 1 {
            self.enter(kernel, tree.hulls.height() - 1, 0);
        }
    }

    /// Notes which children of a node are, or lead to, later groups that touch the one at hand.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer nodes than boxes, and those are below 2^31")]
    fn enter<K: Kernel>(&mut self, kernel: K, level: usize, node: usize) {
        let hulls = &self.tree.hulls;
        let touching =
            kernel.touching(&hulls.lanes(level, node), &hulls.get(1, self.group)) & hulls.present(level, node);
        // The first child that is later than the group, or leads to such.
        let first = if level == 1 { self.group + 1 } else { self.group >> (4 * (level - 1)) };
        let earlier = kernel::lowest(first.saturating_sub(node * LANES).min(LANES));
        self.later.push((node as u32, touching & !earlier));
    }

    /// The next of the later groups.
    #[inline(always)]
    fn next_later<K: Kernel>(&mut self, kernel: K) -> Option<usize> {
        loop {
            let level = self.tree.hulls.height() - self.later.len();
            let (node, todo) = self.later.last_mut()?;
            if *todo == 0 {
                self.later.pop();
                continue;
            }
            let child = *node as usize * LANES + todo.trailing_zeros() as usize;
            *todo &= *todo - 1;
            if !self.tree.hulls.may_meet((1, self.group), (level, child), self.boxes.agreement()) {
                continue;
            }
            if level == 1 {
                return Some(child);
            }
            self.enter(kernel, level - 1, child);
        }
    }

    /// Lists pairs of packs of the group at hand and later ones. `false` if there are no more.
    #[inline(always)]
    fn meet<K: Kernel>(&mut self, kernel: K) -> bool {
        (self.listed, self.joined) = (0, 0);
        while self.listed < BATCH {
            let Some(other) = self.next_later(kernel) else { break };
            self.meet_group(kernel, other);
        }
        self.listed > 0
    }

    #[inline(always)]
    fn meet_group<K: Kernel>(&mut self, kernel: K, other: usize) {
        let hulls = &self.tree.hulls;
        let ids = packs_of(other);
        let mut rows =
            kernel.touching(&hulls.lanes(0, self.group), &hulls.get(1, other)) & hulls.present(0, self.group);
        while rows != 0 {
            let pack = self.group * LANES + rows.trailing_zeros() as usize;
            rows &= rows - 1;
            let touching = kernel.touching(&hulls.lanes(0, other), &hulls.get(0, pack));
            self.list(kernel, pack, &ids, touching & hulls.present(0, other));
        }
    }

    /// Lists a pack with those of another group, or later ones of its own, that are in the mask.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "packs are fewer than 2^31")]
    fn list<K: Kernel>(&mut self, kernel: K, pack: usize, packs: &[u32; LANES], mask: u32) {
        let first = self.listed;
        let met = (&mut self.met[first..first + LANES]).try_into().expect("sixteen");
        kernel.pair_with(pack as u32, packs, mask, met);
        self.listed += mask.count_ones() as usize;
        if self.boxes.has_layers() {
            self.sift_met(first);
        }
    }

    /// Takes out of what was listed from `first` on whose layers do not meet.
    fn sift_met(&mut self, first: usize) {
        let mut kept = first;
        for at in first..self.listed {
            let [a, b] = self.met[at];
            self.met[kept] = [a, b];
            kept += usize::from(self.tree.hulls.may_meet((0, a as usize), (0, b as usize), self.boxes.agreement()));
        }
        self.listed = kept;
    }

    /// Hits within a pack: of boxes that are next to each other, then of those two slots apart, and so on.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "sixteen at most")]
    fn join_within<K: Kernel>(&mut self, kernel: K, columns: &View<'_, S>, pack: usize) {
        let (first, count) = self.tree.pack(pack);
        let mut found = self.found;
        for half in [HALF, 0] {
            let (count, first) = (count.saturating_sub(half), first + half as u32);
            let hits = (&mut self.hits[found..found + LANES]).try_into().expect("sixteen");
            found += kernel.within(&columns.window(first), count, u64::from(first) << 32, hits);
        }
        self.found = found;
    }

    /// Crossings of up to [`BATCH`] pairs of packs.
    #[inline(always)]
    fn join<K: Kernel>(&mut self, kernel: K) {
        let columns = self.tree.columns.view();
        let end = self.listed.min(self.joined + BATCH);
        let mut crossed = 0;
        for &[a, b] in &self.met[self.joined..end] {
            let crossing = self.cross(kernel, &columns, a as usize, b as usize);
            self.crossings[crossed] = crossing;
            crossed += usize::from((crossing.rows != 0) & (crossing.columns != 0));
        }
        (self.joined, self.crossed, self.left) = (end, crossed, 0);
    }

    #[inline(always)]
    fn cross<K: Kernel>(&self, kernel: K, columns: &View<'_, S>, a: usize, b: usize) -> Crossing {
        let tree = self.tree;
        let ((first_a, count_a), (first_b, count_b)) = (tree.pack(a), tree.pack(b));
        let in_a = kernel.touching(&columns.lanes(first_a), &tree.hulls.get(0, b)) & kernel::lowest(count_a);
        let in_b = kernel.touching(&columns.lanes(first_b), &tree.hulls.get(0, a)) & kernel::lowest(count_b);
        // Chosen by number: which has fewer cannot be guessed.
        let sides = [(first_a, in_a), (first_b, in_b)];
        let fewer = usize::from(in_b.count_ones() < in_a.count_ones());
        let ((first_row, rows), (first_column, columns)) = (sides[fewer], sides[1 - fewer]);
        Crossing { rows, columns, first_row, first_column }
    }
}

/// The packs of a group.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "packs are fewer than 2^31")]
fn packs_of(group: usize) -> [u32; LANES] {
    core::array::from_fn(|lane| (group * LANES + lane) as u32)
}

/// What is in the slots from `first` on, if there are so many.
#[inline(always)]
fn entries<const N: usize>(order: &[u32], first: usize) -> Option<&[u32; N]> {
    order.get(first..first + N)?.try_into().ok()
}

/// The same near the last slot, behind which nothing can be read.
#[cold]
#[inline(never)]
fn last_entries<const N: usize>(order: &[u32], first: usize) -> [u32; N] {
    core::array::from_fn(|lane| order.get(first + lane).copied().unwrap_or(NONE))
}

/// The task of finding more hits.
struct Refill<'p, 't, 'b, S>(&'p mut Pairs<'t, 'b, S>);

impl<S: Scalar> Task for Refill<'_, '_, '_, S> {
    type Output = bool;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> bool {
        self.0.refill_by(kernel)
    }
}

impl<S: Scalar> Iterator for Pairs<'_, '_, S> {
    type Item = (u32, u32);

    #[inline]
    fn next(&mut self) -> Option<(u32, u32)> {
        if self.reported == self.ready && !self.refill() {
            return None;
        }
        let [a, b] = self.pairs[self.reported];
        self.reported += 1;
        Some((a, b))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use crate::{Aabb, FrameTree, Index};

    /// In the slot of a removed box is the empty box, and of integers one box touches even that: the one that covers them all.
    #[test]
    fn no_removed_box_is_in_a_pair() {
        let point = |at: i32| Aabb::from_point([1000 * at, -at]);
        let boxes: Vec<Aabb<i32>> = core::iter::once(Aabb::EVERYTHING).chain((1..100).map(point)).collect();
        let mut index = Index::<FrameTree<i32>>::from_boxes(&boxes).expect("valid boxes");
        (1..100).filter(|id| id % 3 == 0).for_each(|id| assert!(index.remove(id).is_some()));
        let mut pairs: Vec<(u32, u32)> = index.pairs().collect();
        pairs.sort_unstable();
        let expected = (1..100).filter(|id| id % 3 != 0).map(|id| (0, id));
        assert!(pairs.into_iter().eq(expected), "the box that covers everything is in a pair with each of the others");
    }
}
