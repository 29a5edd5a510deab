//! All pairs, in batches.

use arrayvec::ArrayVec;
use core::ops::{ControlFlow, Range};

use super::hulls::MAX_LEVELS;
use super::{FrameTree, id_of};
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, Kernel, LANES, Task};
use crate::storage::{Boxes, NONE};

/// Pairs of packs joined in one batch. More: longer lists, which the first-level cache must hold (12 bytes a hit, up to sixteen hits a pair
/// of packs). Fewer: more beginnings and ends of loops, each a branch guessed wrong.
const BATCH: usize = 64;

/// Pairs of packs that two groups can add to the list at once.
const MOST_MET: usize = LANES * LANES;

/// A box, and which of the boxes in a pack overlap it.
#[derive(Clone, Copy, Debug, Default)]
struct Hit {
    slot: u32,
    /// The first slot of the pack.
    first: u32,
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
    met: ArrayVec<(u32, u32), { BATCH + MOST_MET }>,
    joined: usize,
    hits: [Hit; LANES * BATCH + 1],
    /// Hits found, and how many of them have been reported.
    found: usize,
    reported: usize,
}

impl<'t, 'b, S: Scalar> Pairs<'t, 'b, S> {
    /// The pairs of these groups, each with itself and with all later ones.
    pub(super) fn of(tree: &'t FrameTree<S>, boxes: &'b Boxes<S>, groups: Range<usize>) -> Self {
        let (later, met) = (ArrayVec::new(), ArrayVec::new());
        let hits = [Hit::default(); LANES * BATCH + 1];
        Self { tree, boxes, group: 0, groups, later, met, joined: 0, hits, found: 0, reported: 0 }
    }

    /// The same pairs in the same order as the iterator.
    #[inline]
    pub(super) fn visit<B>(mut self, mut visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        while self.refill() {
            for hit in &self.hits[..self.found] {
                let mut mask = hit.mask;
                // No hit is empty, and most are of a single bit.
                loop {
                    if let Some((a, b)) = self.pair(hit, mask) {
                        visit(a, b)?;
                    }
                    mask &= mask - 1;
                    if mask == 0 {
                        break;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The ids of a box and of the first one in the mask; `None` if one of them has been removed or their layers do not meet.
    #[inline(always)]
    fn pair(&self, hit: &Hit, mask: u32) -> Option<(u32, u32)> {
        let order = &self.tree.order;
        let (a, b) = (order[hit.slot as usize], order[(hit.first + mask.trailing_zeros()) as usize]);
        let (low, high) = (id_of(a).min(id_of(b)), id_of(a).max(id_of(b)));
        // Only a box that covers the whole range of integers touches the empty box in the slot of a removed one.
        (a != NONE && b != NONE && self.boxes.meet(low, high)).then_some((low, high))
    }

    /// Finds more hits. `false` if there are none.
    fn refill(&mut self) -> bool {
        kernel::dispatch(Refill(self))
    }

    #[inline(always)]
    fn refill_by<K: Kernel>(&mut self, kernel: K) -> bool {
        (self.found, self.reported) = (0, 0);
        while self.found == 0 {
            if self.joined < self.met.len() {
                self.join(kernel);
            } else if !self.meet(kernel) {
                let Some(group) = self.groups.next() else { return false };
                self.group = group;
                self.begin(kernel);
            }
        }
        true
    }

    /// Begins with a group: hits within its packs, pairs of its packs, and where to look for later groups.
    #[inline(always)]
    fn begin<K: Kernel>(&mut self, kernel: K) {
        let tree = self.tree;
        let packs = tree.hulls.present(0, self.group).count_ones() as usize;
        for pack in self.group * LANES..self.group * LANES + packs {
            self.join_within(kernel, pack);
        }
        self.met.clear();
        self.joined = 0;
        let lanes = tree.hulls.lanes(0, self.group);
        for lane in 0..packs {
            let pack = self.group * LANES + lane;
            let touching = kernel.touching(&lanes, &tree.hulls.get(0, pack)) & kernel::lowest(packs);
            self.list(pack, self.group, touching & (!1 << lane));
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
        self.met.clear();
        self.joined = 0;
        while self.met.len() < BATCH {
            let Some(other) = self.next_later(kernel) else { break };
            self.meet_group(kernel, other);
        }
        !self.met.is_empty()
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
            self.list(pack, other, touching & hulls.present(0, other));
        }
    }

    /// Lists a pack with those of another group that are in the mask.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "packs are fewer than 2^31")]
    fn list(&mut self, pack: usize, group: usize, mut mask: u32) {
        while mask != 0 {
            let other = group * LANES + mask.trailing_zeros() as usize;
            mask &= mask - 1;
            if self.tree.hulls.may_meet((0, pack), (0, other), self.boxes.agreement()) {
                self.met.push((pack as u32, other as u32));
            }
        }
    }

    /// Hits within a pack: for each box those after it.
    #[inline(always)]
    fn join_within<K: Kernel>(&mut self, kernel: K, pack: usize) {
        let tree = self.tree;
        let (first, count) = tree.pack(pack);
        let lanes = tree.columns.lanes(first);
        let mut found = self.found;
        for lane in 0..count.min(LANES) {
            let [min_x, min_y, max_x, max_y] = [lanes[0][lane], lanes[1][lane], lanes[2][lane], lanes[3][lane]];
            let touching = kernel.touching(&lanes, &Aabb::new([min_x, min_y], [max_x, max_y]));
            let mask = touching & kernel::lowest(count) & (!1 << lane);
            self.hits[found] = Hit { slot: first + lane as u32, first, mask };
            found += usize::from(mask != 0);
        }
        self.found = found;
    }

    /// Hits between the packs of up to [`BATCH`] pairs.
    #[inline(always)]
    fn join<K: Kernel>(&mut self, kernel: K) {
        let tree = self.tree;
        let mut crossings = [Crossing::default(); BATCH + 1];
        let mut crossed = 0;
        let end = self.met.len().min(self.joined + BATCH);
        for &(a, b) in &self.met[self.joined..end] {
            let crossing = self.cross(kernel, a as usize, b as usize);
            crossings[crossed] = crossing;
            crossed += usize::from((crossing.rows != 0) & (crossing.columns != 0));
        }
        self.joined = end;
        let mut found = self.found;
        for crossing in &crossings[..crossed] {
            let lanes = tree.columns.lanes(crossing.first_column);
            let mut rows = crossing.rows;
            while rows != 0 {
                let slot = crossing.first_row + rows.trailing_zeros();
                rows &= rows - 1;
                let mask = kernel.touching(&lanes, &tree.columns.get(slot)) & crossing.columns;
                self.hits[found] = Hit { slot, first: crossing.first_column, mask };
                found += usize::from(mask != 0);
            }
        }
        self.found = found;
    }

    #[inline(always)]
    fn cross<K: Kernel>(&self, kernel: K, a: usize, b: usize) -> Crossing {
        let tree = self.tree;
        let (first_a, in_a) = tree.touching(kernel, a, &tree.hulls.get(0, b));
        let (first_b, in_b) = tree.touching(kernel, b, &tree.hulls.get(0, a));
        if in_a.count_ones() <= in_b.count_ones() {
            Crossing { rows: in_a, columns: in_b, first_row: first_a, first_column: first_b }
        } else {
            Crossing { rows: in_b, columns: in_a, first_row: first_b, first_column: first_a }
        }
    }
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

impl<S: Scalar> FrameTree<S> {
    /// The first slot of a pack, and which of its boxes touch `bounds`.
    #[inline(always)]
    fn touching<K: Kernel>(&self, kernel: K, pack: usize, bounds: &Aabb<S>) -> (u32, u32) {
        let (first, count) = self.pack(pack);
        (first, kernel.touching(&self.columns.lanes(first), bounds) & kernel::lowest(count))
    }
}

impl<S: Scalar> Iterator for Pairs<'_, '_, S> {
    type Item = (u32, u32);

    #[inline]
    fn next(&mut self) -> Option<(u32, u32)> {
        loop {
            if self.reported == self.found && !self.refill() {
                return None;
            }
            let hit = self.hits[self.reported];
            let pair = self.pair(&hit, hit.mask);
            self.hits[self.reported].mask &= hit.mask - 1;
            self.reported += usize::from(self.hits[self.reported].mask == 0);
            if pair.is_some() {
                return pair;
            }
        }
    }
}
