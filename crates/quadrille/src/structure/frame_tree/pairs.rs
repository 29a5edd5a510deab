//! All pairs, in batches.

use arrayvec::ArrayVec;
use core::ops::{ControlFlow, Range};

use super::columns::View;
use super::hulls::MAX_LEVELS;
use super::{FrameTree, id_of};
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, HALF, Kernel, LANES, Task};
use crate::storage::{Boxes, NONE};

/// Pairs of packs joined in one batch. More: longer lists, which the first-level cache must hold (12 bytes a hit, up to 32 hits a pair of
/// packs). Fewer: more beginnings and ends of loops, each a branch guessed wrong.
const BATCH: usize = 32;

/// Pairs of packs that two groups can add to the list at once.
const MOST_MET: usize = LANES * LANES;

/// Pairs of ids written out in one go. More: the first-level cache must hold them besides the hits.
const ROOM: usize = 512;

/// Overlapping boxes: for each bit of a mask of eight a box and another one.
///
/// Across packs, the one box is always that in slot `one`, and the other that in slot `other` + bit. Within a pack, the one is in slot
/// `one` + bit.
#[derive(Clone, Copy, Debug, Default)]
struct Hit {
    one: u32,
    other: u32,
    mask: u32,
}

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
/// Departures: the two innermost loops run for a [`BATCH`] of pairs (a, b) at a time, one loop after the other, and leave lists
/// instead of running each other; an element is always written to its list and the length then grows by nought or one, so no branch has
/// to guess whether there was a hit. And the boxes that are compared one by one are those of the pack of which fewer touch the hull of the other.
/// Within a pack, boxes that are `k` slots apart are compared, eight such pairs at once, for one `k` after the other: so no two are
/// compared twice. And what is reported are lists of ids, which are drawn from the masks eight at once.
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
    met: [[u32; 2]; BATCH + MOST_MET + HALF],
    listed: usize,
    joined: usize,
    hits: [Hit; 2 * LANES * BATCH + 1],
    /// Are these hits within packs?
    within: bool,
    /// Hits found, and how many of them have been written out.
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
            met: [[0; 2]; BATCH + MOST_MET + HALF],
            listed: 0,
            joined: 0,
            hits: [Hit::default(); 2 * LANES * BATCH + 1],
            within: false,
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
                if self.within {
                    self.write::<K, true>(kernel);
                } else {
                    self.write::<K, false>(kernel);
                }
            } else {
                (self.found, self.written) = (0, 0);
                if self.joined < self.listed {
                    self.join(kernel);
                } else if !self.meet(kernel) {
                    let Some(group) = self.groups.next() else { return false };
                    self.group = group;
                    self.begin(kernel);
                }
            }
        }
        true
    }

    /// Writes out the pairs of hits, as many as there is room for.
    #[inline(always)]
    fn write<K: Kernel, const WITHIN: bool>(&mut self, kernel: K) {
        let order = &self.tree.order[..];
        let (mut ready, mut written) = (0, self.written);
        while written < self.found && ready + HALF <= ROOM {
            let Hit { one, other, mask } = self.hits[written];
            let pairs = (&mut self.pairs[ready..ready + HALF]).try_into().expect("eight");
            match (eight(order, one), eight(order, other)) {
                (Some(ones), Some(others)) if WITHIN => kernel.pair_up(ones, others, mask, pairs),
                (_, Some(others)) if !WITHIN => kernel.pair_up(&[order[one as usize]; HALF], others, mask, pairs),
                _ => pair_up_last(order, [one, other], WITHIN, mask, pairs),
            }
            ready += mask.count_ones() as usize;
            written += 1;
        }
        (self.ready, self.written) = (ready, written);
        if self.is_sifted {
            self.sift();
        }
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
        self.within = true;
        let packs = tree.hulls.present(0, self.group).count_ones() as usize;
        for pack in self.group * LANES..self.group * LANES + packs {
            self.join_within(kernel, pack);
        }
        (self.listed, self.joined) = (0, 0);
        let lanes = tree.hulls.lanes(0, self.group);
        for lane in 0..packs {
            let pack = self.group * LANES + lane;
            let touching = kernel.touching(&lanes, &tree.hulls.get(0, pack)) & kernel::lowest(packs);
            self.list(kernel, pack, self.group, touching & (!1 << lane));
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
        let mut rows =
            kernel.touching(&hulls.lanes(0, self.group), &hulls.get(1, other)) & hulls.present(0, self.group);
        while rows != 0 {
            let pack = self.group * LANES + rows.trailing_zeros() as usize;
            rows &= rows - 1;
            let touching = kernel.touching(&hulls.lanes(0, other), &hulls.get(0, pack));
            self.list(kernel, pack, other, touching & hulls.present(0, other));
        }
    }

    /// Lists a pack with those of another group, or later ones of its own, that are in the mask.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "packs are fewer than 2^31")]
    fn list<K: Kernel>(&mut self, kernel: K, pack: usize, group: usize, mask: u32) {
        let first = self.listed;
        for half in [0, HALF] {
            let others = core::array::from_fn(|lane| (group * LANES + half + lane) as u32);
            let mask = mask >> half & kernel::lowest(HALF);
            let met = (&mut self.met[self.listed..self.listed + HALF]).try_into().expect("eight");
            kernel.pair_up(&[pack as u32; HALF], &others, mask, met);
            self.listed += mask.count_ones() as usize;
        }
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
    fn join_within<K: Kernel>(&mut self, kernel: K, pack: usize) {
        let tree = self.tree;
        let (first, count) = tree.pack(pack);
        let window = tree.columns.view().window(first);
        let eight = |from: usize| window.map(|column| column[from..from + HALF].try_into().expect("eight"));
        let (lower, upper) =
            (eight(0).map(|column: &[S; HALF]| *column), eight(HALF).map(|column: &[S; HALF]| *column));
        let (lower, upper) = (lower.each_ref(), upper.each_ref());
        let mut found = self.found;
        for apart in 1..count.saturating_sub(HALF) {
            let mask = kernel.abreast(&upper, &eight(HALF + apart)) & kernel::lowest(count - HALF - apart);
            self.hits[found] = Hit { one: first + HALF as u32, other: first + (HALF + apart) as u32, mask };
            found += usize::from(mask != 0);
        }
        for apart in 1..count {
            let mask = kernel.abreast(&lower, &eight(apart)) & kernel::lowest(count - apart);
            self.hits[found] = Hit { one: first, other: first + apart as u32, mask };
            found += usize::from(mask != 0);
        }
        self.found = found;
    }

    /// Hits between the packs of up to [`BATCH`] pairs.
    #[inline(always)]
    fn join<K: Kernel>(&mut self, kernel: K) {
        let tree = self.tree;
        self.within = false;
        let columns = tree.columns.view();
        let mut crossings = [Crossing::default(); BATCH + 1];
        let mut crossed = 0;
        let end = self.listed.min(self.joined + BATCH);
        for &[a, b] in &self.met[self.joined..end] {
            let crossing = self.cross(kernel, &columns, a as usize, b as usize);
            crossings[crossed] = crossing;
            crossed += usize::from((crossing.rows != 0) & (crossing.columns != 0));
        }
        self.joined = end;
        let mut found = self.found;
        for crossing in &crossings[..crossed] {
            let lanes = columns.lanes(crossing.first_column);
            let mut rows = crossing.rows;
            while rows != 0 {
                let one = crossing.first_row + rows.trailing_zeros();
                rows &= rows - 1;
                let mask = kernel.touching(&lanes, &columns.get(one)) & crossing.columns;
                for (other, mask) in [(0, mask & kernel::lowest(HALF)), (HALF as u32, mask >> HALF)] {
                    self.hits[found] = Hit { one, other: crossing.first_column + other, mask };
                    found += usize::from(mask != 0);
                }
            }
        }
        self.found = found;
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

/// The eight slots from `first` on, if they exist.
#[inline(always)]
fn eight(order: &[u32], first: u32) -> Option<&[u32; HALF]> {
    order.get(first as usize..first as usize + HALF)?.try_into().ok()
}

/// [`Kernel::pair_up`] near the last slot, behind which nothing can be read.
#[cold]
#[inline(never)]
fn pair_up_last(order: &[u32], [one, other]: [u32; 2], within: bool, mask: u32, pairs: &mut [[u32; 2]; HALF]) {
    let entry = |slot: usize| order.get(slot).copied().unwrap_or(NONE);
    let eight = |first: u32, step: usize| core::array::from_fn(|lane| entry(first as usize + step * lane));
    kernel::pair_up(&eight(one, usize::from(within)), &eight(other, 1), mask, pairs);
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
