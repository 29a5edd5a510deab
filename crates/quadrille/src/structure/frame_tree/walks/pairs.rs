//! All pairs, within a set or between two, in batches.

use arrayvec::ArrayVec;
use core::ops::{ControlFlow, Range};

use super::super::kinds::Kinds;
use super::super::order::levels::{Levels, MAX_LEVELS};
use super::super::tree::FrameTree;
use crate::geometry::{Aabb, Scalar, both};
use crate::kernel::{self, HALF, Kernel, LANES, Lanes, Task, Test};
use crate::storage::{Agreement, Boxes, NONE};

/// Pairs of packs joined in one batch. More: a longer list, which must fit in the L1 cache (16 bytes each). Fewer: more
/// loop starts and ends, each a mispredicted branch.
const BATCH: usize = 32;

/// Between two sets, the boxes of a pack may look for packs one by one if the whole pack meets at least this many.
const MANY: u32 = 4;

/// They do if they are at most this many thirds of those packs. More: a box finds most of them anyway, and looking is
/// wasted. Fewer: wide packs are compared with many that lie between their boxes.
const THIRDS: u32 = 2;

/// Between two sets, packs of the second are prefetched if it has more than these. Fewer: they are in a second-level
/// cache already, and prefetching costs a fifteenth. More: they come from memory one after the other.
const FAR: usize = 1 << 14;

/// Pairs of packs that two groups can add to the list at a time.
const MAX_MET: usize = LANES * LANES;

/// Pairs of ids written in one go. More: the L1 cache must hold them in addition to the lists.
const ROOM: usize = 512;

/// Room for all pairs of two packs, and for what is written beyond them without a branch.
const MAX_CROSSING: usize = LANES * LANES + LANES;

/// Between two sets, ids and packs of the second carry this bit, which no id or pack number uses: so the lesser of two
/// numbers is that of the first set.
pub(in super::super) const BETWEEN: u32 = 1 << 31;

/// Within one set, no bit is needed.
pub(in super::super) const WITHIN: u32 = 0;

/// Two packs, and which boxes of each touch the hull of the other. There are no more rows than columns.
#[derive(Clone, Copy, Debug, Default)]
struct Crossing {
    rows: u32,
    columns: u32,
    row_pack: u32,
    column_pack: u32,
    /// Which of the sets the rows are from.
    row_set: usize,
}

/// Boxes of a pack, each of which may touch some packs of a group in the other set.
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    rows: u32,
    packs: u32,
    row_pack: u32,
    group: u32,
    /// Which of the sets the rows are from.
    row_set: usize,
}

/// One of the sets.
#[derive(Debug)]
pub(in super::super) struct Set<'t, 'b, S> {
    pub(in super::super) tree: &'t FrameTree<S>,
    pub(in super::super) boxes: &'b Boxes<S>,
}

impl<S> Clone for Set<'_, '_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Set<'_, '_, S> {}

/// A list that one stage writes and the next one reads.
#[derive(Debug)]
struct Stage<T, const N: usize> {
    list: [T; N],
    len: usize,
    /// How many elements have been read.
    read: usize,
}

impl<T: Copy, const N: usize> Stage<T, N> {
    fn new(nothing: T) -> Self {
        Self { list: [nothing; N], len: 0, read: 0 }
    }

    #[inline(always)]
    fn is_read(&self) -> bool {
        self.read == self.len
    }

    /// From now on the list consists of its first `len` elements, none of which has been read.
    #[inline(always)]
    fn begin(&mut self, len: usize) {
        (self.len, self.read) = (len, 0);
    }

    /// Room for `M` elements from place `at` on.
    #[inline(always)]
    fn room<const M: usize>(&mut self, at: usize) -> &mut [T; M] {
        (&mut self.list[at..at + M]).try_into().expect("as many as were cut out")
    }
}

/// All pairs of overlapping boxes, by groups of sixteen packs: first the pairs within each pack of the group, then
/// those between its packs and others of the same group or a later one.
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
/// - Loops are not nested. They run one after the other, as stages, each of which writes a list for the next:
///
///   ```text
///   begin, meet ──► met ──► join ──► crossings ──► write_across ──► pairs ──► the caller
///         └───────────────► hits ────────────────► write_within ──────┘
///   ```
///
///   An element is always written to its list, and the length then grows by 0 or 1, so no branch has to guess whether
///   there was a hit. The last stage that has something to do runs first, so lists stay as short as a first-level
///   cache.
/// - Within a pack, boxes lie in a ring, and those a fixed distance apart are compared, eight such pairs at once, one
///   distance after another. Halfway around, every pair has been compared once.
/// - Of two packs, the one in which fewer boxes touch the other's hull goes box by box, each compared with sixteen at
///   once.
/// - Pairs of ids are extracted from masks eight at once.
///
/// Between two sets, `g` is a group of the first, `h` is any group of the second, and there is nothing to report within
/// a pack. Of `g` and `h`, the one with fewer packs that touch the other takes the part of `g`: its packs are wider.
/// If few boxes of a wide pack touch `h`, they look for the packs there one by one, a stage between `met` and
/// `crossings`.
#[derive(Debug)]
pub(crate) struct Pairs<'t, 'b, S, T, const MARK: u32> {
    /// Which boxes form a pair.
    test: T,
    /// The same set twice, or two sets: the second is where later groups are looked for.
    sets: [Set<'t, 'b, S>; 2],
    /// Does the second set lie in memory rather than in a cache?
    is_far: bool,
    agreement: Agreement,
    /// Are there boxes that do not meet?
    is_pruned: bool,
    /// The kinds by which pairs are left out before they are written.
    kinds: Option<&'t Kinds>,
    /// Groups that are told from the others: see [`apart_from`](Self::apart_from).
    still: Range<usize>,
    /// The group at hand.
    group: usize,
    /// The groups still to begin with.
    groups: Range<usize>,
    /// Nodes of the second tree, above its groups, with the children still to visit for the group at hand; first of all one
    /// whose only child is the root.
    later: ArrayVec<(u32, u32), MAX_LEVELS>,
    /// Pairs of packs.
    met: Stage<[u32; 2], { BATCH + MAX_MET + LANES }>,
    /// Between two sets: boxes of wide packs, which are compared with the hulls of packs one by one.
    spreads: Stage<Spread, { BATCH + LANES }>,
    crossings: Stage<Crossing, { BATCH + LANES }>,
    /// Overlaps within packs: the pack in the upper half, and the rest as [the kernel](Kernel::within) says.
    hits: Stage<u64, { LANES * LANES }>,
    pairs: Stage<[u32; 2], ROOM>,
    /// Are boxes of the second set named by their slots, instead of ids?
    are_slots: bool,
    /// Must pairs be checked once more for layers?
    has_layers: bool,
    /// Must pairs be checked once more: for layers, or because a box may form a pair with the empty boxes in holes?
    is_sifted: bool,
}

impl<'t, 'b, S: Scalar, T: Test<S>> Pairs<'t, 'b, S, T, WITHIN> {
    /// The pairs of these groups, each with itself and with all later ones.
    pub(in super::super) fn of(test: T, tree: &'t FrameTree<S>, boxes: &'b Boxes<S>, groups: Range<usize>) -> Self {
        Self::new(test, [Set { tree, boxes }; 2], groups)
    }
}

impl<'t, 'b, S: Scalar, T: Test<S>, const MARK: u32> Pairs<'t, 'b, S, T, MARK> {
    /// The pairs of these groups of the first set. The agreement of the first set decides.
    pub(in super::super) fn new(test: T, sets: [Set<'t, 'b, S>; 2], groups: Range<usize>) -> Self {
        let agreement = sets[0].boxes.agreement();
        let [one, other] = both(|set| &sets[set].tree.kinds);
        let are_known = sets.iter().all(|set| !set.boxes.has_layers() || set.tree.kinds.are_known(agreement));
        let is_pruned = sets.iter().any(|set| set.boxes.has_layers()) && !(are_known && one.all_meet(other, agreement));
        let kinds = (MARK == WITHIN && is_pruned && are_known).then_some(one);
        let has_layers = is_pruned && kinds.is_none();
        Self {
            test,
            sets,
            is_far: sets[1].tree.levels.packs() > FAR,
            agreement,
            is_pruned,
            kinds,
            still: 0..0,
            group: 0,
            groups,
            later: ArrayVec::new(),
            met: Stage::new([0; 2]),
            spreads: Stage::new(Spread::default()),
            crossings: Stage::new(Crossing::default()),
            hits: Stage::new(0),
            pairs: Stage::new([0; 2]),
            are_slots: false,
            has_layers,
            is_sifted: has_layers || sets.iter().any(|set| test.may_pass_empty(&set.tree.levels.hull())),
        }
    }

    /// Within a set, without these groups. Between a set and itself, the pairs of one box in these groups and one in
    /// others.
    pub(in super::super) fn apart_from(self, still: Range<usize>) -> Self {
        Self { still, ..self }
    }

    /// The same pairs in the same order as the iterator.
    #[inline]
    pub(crate) fn visit<B>(mut self, mut visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        loop {
            for &[a, b] in &self.pairs.list[self.pairs.read..self.pairs.len] {
                visit(a, b & !MARK)?;
            }
            if !self.refill() {
                return ControlFlow::Continue(());
            }
        }
    }

    /// The same pairs in the same order, each with the box in the second set, which the walk has just read.
    #[inline]
    pub(crate) fn visit_boxes<B>(
        mut self,
        mut visit: impl FnMut(u32, u32, Aabb<S>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.are_slots = true;
        let tree = self.sets[1].tree;
        self.visit(|a, slot| visit(a, tree.order[slot as usize], tree.levels.get(0, slot as usize)))
    }

    /// The same pairs in the same order, some hundred at a time, the lower id of each first.
    #[inline]
    pub(crate) fn visit_lists(mut self, mut visit: impl FnMut(&[[u32; 2]])) {
        while self.refill() {
            visit(&self.pairs.list[..self.pairs.len]);
        }
    }

    /// Finds more pairs. `false` if there are none. Not inlined: it is large, and called once for hundreds of pairs. Where there
    /// is one instruction set, each loop over pairs would have a copy.
    #[inline(never)]
    fn refill(&mut self) -> bool {
        kernel::dispatch(Refill(self))
    }

    #[inline(always)]
    fn refill_by<K: Kernel>(&mut self, kernel: K) -> bool {
        self.pairs.begin(0);
        while self.pairs.len == 0 {
            if MARK == WITHIN && !self.hits.is_read() {
                self.write_within(kernel);
            } else if !self.crossings.is_read() {
                self.write_across(kernel);
            } else if !self.met.is_read() {
                self.join(kernel);
            } else if MARK == BETWEEN && !self.spreads.is_read() {
                self.spread(kernel);
            } else if !self.meet(kernel) {
                let Some(group) = self.groups.next() else { return false };
                if !self.still.contains(&group) {
                    self.group = group;
                    self.begin(kernel);
                }
            }
            if self.is_sifted {
                self.sift();
            }
        }
        true
    }

    /// Writes out pairs within packs, as many as there is room for.
    #[inline(always)]
    fn write_within<K: Kernel>(&mut self, kernel: K) {
        let (mut ready, mut read) = (0, self.hits.read);
        while read < self.hits.len && ready + HALF <= ROOM {
            let (pack, mut hit) = ((self.hits.list[read] >> 32) as usize, self.hits.list[read] as u32);
            if let Some(kinds) = self.kinds {
                hit = kinds.sifted(pack, hit);
            }
            kernel.pair_up(self.sets[0].tree.pack(pack), hit, self.pairs.room(ready));
            ready += (hit & 0xFF).count_ones() as usize;
            read += 1;
        }
        self.hits.read = read;
        self.pairs.begin(ready);
    }

    /// Writes out pairs across packs, as many as there is room for.
    #[inline(always)]
    fn write_across<K: Kernel>(&mut self, kernel: K) {
        let mut ready = 0;
        while !self.crossings.is_read() && ready + MAX_CROSSING <= ROOM {
            let Crossing { mut rows, columns, row_pack, column_pack, row_set } =
                self.crossings.list[self.crossings.read];
            self.crossings.read += 1;
            let [row_tree, column_tree] = self.levels_of(row_set);
            let boxes = &row_tree.level(0)[row_pack as usize];
            let lanes = column_tree.lanes(0, column_pack as usize);
            let ones = self.names(row_set, row_pack as usize);
            let others = self.names(1 - row_set, column_pack as usize);
            let mixed = self.kinds.filter(|kinds| kinds.are_mixed(row_pack as usize, column_pack as usize));
            while rows != 0 {
                let one = rows.trailing_zeros() as usize % LANES;
                rows &= rows - 1;
                let mut mask = kernel.passing(&self.test, &lanes, &boxes.get(one)) & columns;
                if let Some(kinds) = mixed {
                    mask &= kinds.partners((row_pack as usize, one), column_pack as usize);
                }
                kernel.pair_with(ones[one], &others, mask, self.pairs.room(ready));
                ready += mask.count_ones() as usize;
            }
        }
        self.pairs.begin(ready);
    }

    /// Removes pairs whose layers do not meet, and pairs with a removed box, from what was written.
    fn sift(&mut self) {
        let mut kept = 0;
        for at in 0..self.pairs.len {
            let [low, high] = self.pairs.list[at];
            self.pairs.list[kept] = [low, high];
            let [one, other] = both(|set| self.sets[set].boxes);
            let is_slot = self.are_slots && high != NONE;
            let id = if is_slot { self.sets[1].tree.order[(high & !MARK) as usize] } else { high };
            let meet = || one.layers(low).meets(other.layers(id & !MARK), self.agreement);
            kept += usize::from(id != NONE && (!self.has_layers || meet()));
        }
        self.pairs.begin(kept);
    }

    /// Begins with a group: hits within its packs, pairs of its packs, and where to look for other groups.
    #[inline(always)]
    fn begin<K: Kernel>(&mut self, kernel: K) {
        self.met.begin(0);
        self.spreads.begin(0);
        if MARK == WITHIN {
            self.begin_within(kernel);
        }
        // Above the root, so that only `next_later` enters nodes. Within a set, the only group has no others.
        let least = if MARK == WITHIN { 2 } else { 0 };
        if self.sets[1].tree.levels.height() > least {
            self.later.push((0, 1));
        }
    }

    #[inline(always)]
    fn begin_within<K: Kernel>(&mut self, kernel: K) {
        let levels = &self.sets[0].tree.levels;
        let packs = levels.present(1, self.group).count_ones() as usize;
        self.join_within(kernel, self.group * LANES..self.group * LANES + packs);
        let (lanes, ids) = (levels.lanes(1, self.group), packs_of(self.group, WITHIN));
        for lane in 0..packs {
            let pack = self.group * LANES + lane;
            let later = self.with_partners(pack, self.group, kernel::lowest(packs) & (!1 << lane));
            if later != 0 {
                let reached = self.reached(kernel, &lanes, &levels.get(1, pack));
                self.list(kernel, 0, pack, &ids, reached & later);
            }
        }
    }

    /// Notes which children of a node are, or lead to, other groups that touch the one at hand.
    #[inline(always)]
    fn enter<K: Kernel>(&mut self, kernel: K, level: usize, node: usize) {
        let [own, levels] = both(|set| &self.sets[set].tree.levels);
        let reached = self.reached(kernel, &levels.lanes(level, node), &own.group(self.group));
        let reached = reached & levels.present(level, node);
        // The first child that is later than the group, or leads to such. Between two sets, none is too early.
        let first = match level {
            _ if MARK == BETWEEN => 0,
            2 => self.group + 1,
            _ => self.group >> (4 * (level - 2)),
        };
        let before = |child: usize| kernel::lowest(child.saturating_sub(node * LANES).min(LANES));
        let still = before(self.still.end) & !before(self.still.start);
        let others = match level {
            2 if MARK == WITHIN => !still,
            2 if !self.still.is_empty() => still,
            _ => u32::MAX,
        };
        self.later.push((node as u32, reached & !before(first) & others));
    }

    /// The next of the other groups.
    #[inline(always)]
    fn next_later<K: Kernel>(&mut self, kernel: K) -> Option<usize> {
        loop {
            let [own, levels] = both(|set| &self.sets[set].tree.levels);
            let level = levels.height() + 1 - self.later.len();
            let (node, todo) = self.later.last_mut()?;
            if *todo == 0 {
                self.later.pop();
                continue;
            }
            let child = *node as usize * LANES + todo.trailing_zeros() as usize;
            *todo &= *todo - 1;
            let may_meet = || own.layers(2, self.group).meets(levels.layers(level, child), self.agreement);
            if self.is_pruned && level < levels.height() && !may_meet() {
                continue;
            }
            if level == 2 {
                return Some(child);
            }
            self.enter(kernel, level - 1, child);
        }
    }

    /// Lists pairs of packs of the group at hand and others. `false` if there are no more.
    #[inline(always)]
    fn meet<K: Kernel>(&mut self, kernel: K) -> bool {
        self.met.begin(0);
        self.spreads.begin(0);
        while self.met.len < BATCH && self.spreads.len < BATCH {
            let Some(other) = self.next_later(kernel) else { break };
            self.meet_group(kernel, other);
        }
        self.met.len + self.spreads.len > 0
    }

    #[inline(always)]
    fn meet_group<K: Kernel>(&mut self, kernel: K, other: usize) {
        let rows = self.touching(kernel, 0, self.group, other);
        if MARK == WITHIN {
            return self.meet_packs(kernel, 0, [self.group, other], rows);
        }
        // The set with fewer packs here has wider ones. They are compared with the others.
        let others = self.touching(kernel, 1, other, self.group);
        let fewer = usize::from(others.count_ones() < rows.count_ones());
        let groups = [self.group, other];
        self.meet_packs(kernel, fewer, [groups[fewer], groups[1 - fewer]], [rows, others][fewer]);
    }

    /// The hulls of one set, and those of the other.
    #[inline(always)]
    fn levels_of(&self, set: usize) -> [&'t Levels<S>; 2] {
        [set, 1 - set].map(|set| &self.sets[set % 2].tree.levels)
    }

    /// The packs of a group in one set that touch a group of the other.
    #[inline(always)]
    fn touching<K: Kernel>(&self, kernel: K, set: usize, group: usize, other: usize) -> u32 {
        let [own, levels] = self.levels_of(set);
        self.reached(kernel, &own.lanes(1, group), &levels.group(other)) & own.present(1, group)
    }

    /// Compares some packs of a group in one set with those of a group in the other.
    #[inline(always)]
    fn meet_packs<K: Kernel>(&mut self, kernel: K, set: usize, [group, other]: [usize; 2], mut rows: u32) {
        let [own, levels] = self.levels_of(set);
        let ids = packs_of(other, if set == 0 { MARK } else { WITHIN });
        while rows != 0 {
            let pack = group * LANES + rows.trailing_zeros() as usize;
            rows &= rows - 1;
            let others = self.with_partners(pack, other, levels.present(1, other));
            if others == 0 {
                continue;
            }
            let reached = self.reached(kernel, &levels.lanes(1, other), &own.get(1, pack)) & others;
            if MARK == WITHIN || !self.may_spread(kernel, set, [pack, other], reached) {
                self.list(kernel, set, pack, &ids, reached);
            }
        }
    }

    /// Lists the boxes of a pack that touch a group of the other set, if they are few beside the packs there that the
    /// pack meets.
    #[inline(always)]
    fn may_spread<K: Kernel>(&mut self, kernel: K, set: usize, [pack, group]: [usize; 2], packs: u32) -> bool {
        if packs.count_ones() < MANY || self.is_pruned {
            return false;
        }
        let [own, levels] = self.levels_of(set);
        let rows = self.reached(kernel, &own.lanes(0, pack), &levels.group(group));
        if 3 * rows.count_ones() > THIRDS * packs.count_ones() {
            return false;
        }
        let spread = Spread { rows, packs, row_pack: pack as u32, group: group as u32, row_set: set };
        self.spreads.list[self.spreads.len] = spread;
        self.spreads.len += 1;
        true
    }

    /// Crossings of single boxes with the packs that they touch, as many as there is room for.
    #[inline(always)]
    fn spread<K: Kernel>(&mut self, kernel: K) {
        let mut crossed = 0;
        while !self.spreads.is_read() && crossed < BATCH {
            let Spread { rows, packs, row_pack, group, row_set } = self.spreads.list[self.spreads.read];
            if rows == 0 {
                self.spreads.read += 1;
                continue;
            }
            self.spreads.list[self.spreads.read].rows = rows & (rows - 1);
            let trees = self.levels_of(row_set);
            let bounds = trees[0].level(0)[row_pack as usize].get(rows.trailing_zeros() as usize % LANES);
            let mut reached = self.reached(kernel, &trees[1].lanes(1, group as usize), &bounds) & packs;
            while reached != 0 {
                self.prefetch(1 - row_set % 2, group as usize * LANES + reached.trailing_zeros() as usize);
                self.crossings.list[crossed] = Crossing {
                    rows: rows & rows.wrapping_neg(),
                    columns: kernel::lowest(LANES),
                    row_pack,
                    column_pack: group * LANES as u32 + reached.trailing_zeros(),
                    row_set,
                };
                crossed += 1;
                reached &= reached - 1;
            }
        }
        self.crossings.begin(crossed);
    }

    /// What the boxes of a pack are called in pairs.
    #[inline(always)]
    fn names(&self, set: usize, pack: usize) -> [u32; LANES] {
        let mark = if set == 1 { MARK } else { WITHIN };
        if MARK == BETWEEN && set == 1 && self.are_slots {
            return packs_of(pack, mark);
        }
        let mut names = *self.sets[set % 2].tree.pack(pack);
        names.iter_mut().for_each(|id| *id |= mark);
        names
    }

    /// Prefetches the boxes and the ids of a pack.
    #[inline(always)]
    fn prefetch(&self, set: usize, pack: usize) {
        let tree = self.sets[set].tree;
        tree.levels.prefetch(pack);
        kernel::prefetch(&tree.order, pack * LANES);
        kernel::prefetch(&tree.order, pack * LANES + LANES - 1);
    }

    /// Bits of boxes or hulls that may form a pair with what is in this hull, or lead to one that does.
    #[inline(always)]
    fn reached<K: Kernel>(&self, kernel: K, lanes: &Lanes<'_, S>, hull: &Aabb<S>) -> u32 {
        let [_, reached] = kernel.compare(&self.test, lanes, hull);
        reached
    }

    /// Of some packs of a group, those that hold a partner of some box in another pack, as far as is known.
    #[inline(always)]
    fn with_partners(&self, pack: usize, group: usize, packs: u32) -> u32 {
        match self.kinds {
            Some(kinds) => packs & kinds.packs_with_partners(pack, group),
            None => packs,
        }
    }

    /// Lists a pack with the packs in the mask: those of another group, or later ones of its own.
    #[inline(always)]
    fn list<K: Kernel>(&mut self, kernel: K, set: usize, pack: usize, packs: &[u32; LANES], mask: u32) {
        let first = self.met.len;
        kernel.pair_with(pack as u32 | if set == 1 { MARK } else { WITHIN }, packs, mask, self.met.room(first));
        self.met.len += mask.count_ones() as usize;
        if MARK == BETWEEN && self.is_far {
            self.met.list[first..self.met.len].iter().for_each(|&[_, b]| self.prefetch(1, (b & !MARK) as usize));
        }
        if self.is_pruned && self.kinds.is_none() {
            self.sift_met(first);
        }
    }

    /// Removes pairs whose layers do not meet from what was listed from `first` on.
    fn sift_met(&mut self, first: usize) {
        let mut kept = first;
        for at in first..self.met.len {
            let [a, b] = self.met.list[at];
            self.met.list[kept] = [a, b];
            let [one, other] = both(|set| &self.sets[set].tree.levels);
            let union = one.layers(1, a as usize);
            kept += usize::from(union.meets(other.layers(1, (b & !MARK) as usize), self.agreement));
        }
        self.met.len = kept;
    }

    /// Hits within packs.
    #[inline(always)]
    fn join_within<K: Kernel>(&mut self, kernel: K, packs: Range<usize>) {
        let mut found = 0;
        for pack in packs {
            if self.kinds.is_some_and(|kinds| !kinds.meet_within(pack)) {
                continue;
            }
            let lanes = self.sets[0].tree.levels.lanes(0, pack);
            found += kernel.within(&self.test, &lanes, (pack as u64) << 32, self.hits.room(found));
        }
        self.hits.begin(found);
    }

    /// Crossings of up to [`BATCH`] pairs of packs.
    #[inline(always)]
    fn join<K: Kernel>(&mut self, kernel: K) {
        let end = self.met.len.min(self.met.read + BATCH);
        let mut crossed = 0;
        for &[a, b] in &self.met.list[self.met.read..end] {
            let crossing = self.cross(kernel, a, b & !MARK);
            self.crossings.list[crossed] = crossing;
            crossed += usize::from((crossing.rows != 0) & (crossing.columns != 0));
        }
        self.met.read = end;
        self.crossings.begin(crossed);
    }

    #[inline(always)]
    fn cross<K: Kernel>(&self, kernel: K, a: u32, b: u32) -> Crossing {
        let [one, other] = both(|set| &self.sets[set].tree.levels);
        let in_a = self.reached(kernel, &one.lanes(0, a as usize), &other.get(1, b as usize));
        let in_b = self.reached(kernel, &other.lanes(0, b as usize), &one.get(1, a as usize));
        let (in_a, in_b) = match self.kinds.filter(|kinds| kinds.are_mixed(a as usize, b as usize)) {
            Some(kinds) => [(in_a, a, b), (in_b, b, a)]
                .map(|(some, pack, other)| some & kinds.with_partners(pack as usize, other as usize))
                .into(),
            None => (in_a, in_b),
        };
        // Chosen by index instead of a branch: which has fewer cannot be predicted.
        let sides = [(a, in_a), (b, in_b)];
        let fewer = usize::from(in_b.count_ones() < in_a.count_ones());
        let ((row_pack, rows), (column_pack, columns)) = (sides[fewer], sides[1 - fewer]);
        Crossing { rows, columns, row_pack, column_pack, row_set: fewer }
    }
}

/// The packs of a group, or the slots of a pack, marked.
#[inline(always)]
fn packs_of(group: usize, mark: u32) -> [u32; LANES] {
    core::array::from_fn(|lane| (group * LANES + lane) as u32 | mark)
}

/// The task of finding more hits.
struct Refill<'p, 't, 'b, S, T, const MARK: u32>(&'p mut Pairs<'t, 'b, S, T, MARK>);

impl<S: Scalar, T: Test<S>, const MARK: u32> Task for Refill<'_, '_, '_, S, T, MARK> {
    type Output = bool;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> bool {
        self.0.refill_by(kernel)
    }
}

impl<S: Scalar, T: Test<S>, const MARK: u32> Iterator for Pairs<'_, '_, S, T, MARK> {
    type Item = (u32, u32);

    #[inline]
    fn next(&mut self) -> Option<(u32, u32)> {
        if self.pairs.is_read() && !self.refill() {
            return None;
        }
        let [a, b] = self.pairs.list[self.pairs.read];
        self.pairs.read += 1;
        Some((a, b & !MARK))
    }

    /// What `for_each`, `count` and `collect` go through: list by list, without a check before each pair whether the
    /// list has ended.
    #[inline]
    fn fold<A, F: FnMut(A, (u32, u32)) -> A>(mut self, first: A, mut add: F) -> A {
        let mut sum = first;
        loop {
            for &[a, b] in &self.pairs.list[self.pairs.read..self.pairs.len] {
                sum = add(sum, (a, b & !MARK));
            }
            if !self.refill() {
                return sum;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use crate::{Aabb, Events, FrameTree, Index};

    /// Nor is one of the empty boxes beside those that have changed, which fill no whole pack.
    #[test]
    fn what_pads_a_pack_is_in_no_contact() {
        let point = |at: i32| Aabb::from_point([1000 * at, -at]);
        let boxes: Vec<Aabb<i32>> = core::iter::once(Aabb::EVERYTHING).chain((1..200).map(point)).collect();
        let mut index = Index::<FrameTree<i32>>::from_boxes(&boxes).expect("valid boxes");
        let mut events = Events::default();
        index.step_events(&mut events);
        for id in 1..4 {
            index.update(id, point(1 - id as i32)).expect("in use");
        }
        index.step_events(&mut events);
        assert_eq!(events, Events::default());
    }

    /// The slot of a removed box holds the empty box, and with integers one box touches even that: the one that covers
    /// everything.
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
