//! The frame tree: boxes in spatial order, sixteen to a pack, under a tree of hulls.
//!
//! # The picture
//!
//! Twenty boxes, drawn with four to a pack instead of sixteen:
//!
//! ```text
//! level 2                         [          root          ]
//! level 1            [    hull    |    hull    |    hull    ]          each is the hull of the node below it
//! level 0     [b b b b] [b b b b] [b b b b] [b b b b] [b b . .]         packs: copies of the boxes, by columns
//! order        7 2 9 4   1 8 0 3   …                   6 5 - -          their ids
//!              slot 0 1 2 …                            └ tail: inserted since the last sort
//! ```
//!
//! # Words
//!
//! | word | is |
//! |---|---|
//! | order | the ids of all boxes in the order in which the curve visited them at the last sort |
//! | slot | a position in the order; slot `k` is lane `k % 16` of pack `k / 16` |
//! | hole | a slot whose box has been removed; a pack's holes are its last slots |
//! | tail | the slots after the sorted ones, for boxes inserted or moved far since |
//! | run | a part of the tail that is sorted in itself |
//! | pack | sixteen slots and the copies of their boxes, by columns |
//! | hull | the smallest box around a pack, or around sixteen hulls |
//! | group | sixteen packs whose hulls are stored side by side |
//! | kind | all boxes with the same layers |
//! | parted | sixteen groups in which boxes of a kind are adjacent |
//! | curve | the Hilbert curve along which boxes are sorted |
//! | key | where a box is on the grid under the curve |
//! | degradation | how much more hulls cost than right after the last sort, added up frame by frame |
//!
//! # Files, in reading order
//!
//! | file | what |
//! |---|---|
//! | `tree.rs` | what a tree holds |
//! | `mod.rs` | the structure itself: when it sorts, single changes, queries |
//! | `refit.rs` | what every frame does |
//! | `sweep.rs` | how far it has come that is sorted a part at a time |
//! | `windows.rs` | sorting a part in each frame |
//! | `strays.rs` | boxes that jump while others drift |
//! | `tail.rs` | single boxes that are inserted, or stray from their pack |
//! | `parted.rs` | boxes of a kind side by side |
//! | `still.rs` | which boxes are fixed, and which groups hold no others |
//! | `walls.rs` | fixed boxes behind all others |
//! | `kinds.rs` | which boxes meet, if they have layers |
//! | `order/` | the order and its hulls; nothing here depends on queries |
//! | `order/levels.rs` | packs and hulls: how they are stored and widened |
//! | `order/degradation.rs` | when to sort: the decision that every frame makes |
//! | `order/curve.rs` | how to sort: the first hard loop |
//! | `order/curve/ahead.rs` | sorting everything in the course of some frames |
//! | `order/least_ids.rs` | which of those that rank alike comes first |
//! | `walks/` | ways through a tree |
//! | `walks/walk.rs` | from the root to the packs that a query reaches |
//! | `walks/search.rs` | the answers to a query |
//! | `walks/pairs.rs` | all pairs: the second hard loop |
//! | `walks/sought.rs` | what walks to the first answers need of a query, behind a pointer |
//! | `walks/narrow.rs` | the first answers to a query, nearest hulls first |
//! | `walks/descent.rs` | the same for what is nearest |
//! | `walks/casting.rs` | the same for rays and moving boxes |
//! | `walks/keys.rs` | sixteen distances: which is the least? |
//! | `walks/found.rs` | the answers found so far |
//! | `walks/in_order.rs` | all answers in order, one at a time |
//!
//! Imports go down: `order/`, then `kinds.rs`, `tree.rs`, the rest of a tree's life beside `walks/`, and `mod.rs` on top.

#![expect(
    clippy::cast_possible_truncation,
    reason = "slots are fewer than 2^31, of keys and masks a part is meant, and what is estimated may be rough"
)]

mod kinds;
mod order;
mod parted;
mod refit;
mod still;
mod strays;
mod sweep;
mod tail;
mod tree;
mod walks;
mod walls;
mod windows;

use alloc::vec::Vec;
use arrayvec::ArrayVec;
use core::iter::FusedIterator;
use core::ops::{ControlFlow, Range};

use super::{Node, NodeKind, Part, Stats, Structure};
use crate::error::{Corruption, Error};
use crate::executor::{Executor, Serial};
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{LANES, Overlap, Test};
use crate::query::{Hit, Narrowing, Query, Ranked};
use crate::storage::{Boxes, NONE, add_bytes, bytes_of, make_room};
use kinds::Kinds;
use order::curve::Curve;
use order::curve::ahead::Ahead;
use order::degradation::{self, Degradation};
use order::least_ids::LeastIds;
use order::levels::Levels;
use refit::Packs;
use still::Still;
use sweep::Sweep;
pub use tree::FrameTree;
use tree::of;
pub(crate) use walks::casting::Casting;
pub(crate) use walks::descent::Descent;
pub(crate) use walks::found::{Exactly, Roughly};
use walks::in_order::InOrder;
pub(crate) use walks::narrow::InReach;
use walks::pairs::{BETWEEN, Pairs, Set, WITHIN};
use walks::search::Search;
pub(crate) use walks::walk::Advance;

/// `maintain` closes holes once more than one slot in this many is a hole. More: packs are copied and parted by kind in
/// more frames. Fewer: packs have fewer boxes.
const FEW_HOLES: usize = 16;

/// How many packs are sampled before all are refitted.
const SAMPLE: usize = 64;

/// Everything is sorted if more than one pack in this many has strays. More: it is sorted sooner. Fewer: more is sorted twice.
const STRAYING: usize = 8;

impl<S: Scalar> FrameTree<S> {
    /// How many groups of another tree are within the hull of all boxes here, if groups fill theirs evenly; NaN if it has no
    /// area.
    pub(crate) fn groups_reached(&self, other: &Self) -> f64 {
        let [own, all] = [self, other].map(|tree| tree.levels.hull());
        let share = own.intersection(&all).map_or(0.0, |common| common.area() / all.area());
        share * other.levels.groups() as f64
    }

    /// All pairs of a box here and a box in another set, or one part of them: by groups of sixteen packs here, and for
    /// each of them by the groups there that it touches.
    pub(crate) fn pairs_between<'a, T: Test<S>>(
        &'a self,
        test: T,
        boxes: &'a Boxes<S>,
        (other, other_boxes): (&'a Self, &'a Boxes<S>),
        part: Part,
    ) -> Pairs<'a, 'a, S, T, BETWEEN> {
        let sets = [Set { tree: self, boxes }, Set { tree: other, boxes: other_boxes }];
        Pairs::new(test, sets, part.range(self.levels.groups()))
    }

    /// All answers in order, lazily.
    pub(crate) fn in_order<'a, Q: Ranked<S>>(
        &'a self,
        boxes: &'a Boxes<S>,
        query: Q,
    ) -> impl FusedIterator<Item = Hit<Q::Rank>> + use<'a, S, Q> {
        InOrder::new(self, boxes, query)
    }

    /// All pairs within the set that pass a test, or one part of them.
    pub(crate) fn pairs_by<'t, 'b, T: Test<S>>(
        &'t self,
        test: T,
        boxes: &'b Boxes<S>,
        part: Part,
    ) -> Pairs<'t, 'b, S, T, WITHIN> {
        Pairs::of(test, self, boxes, part.range(self.levels.groups()))
    }

    /// Sorts all boxes by where they were when they were copied to their slots, or else by where they are, and drops the
    /// old order.
    fn sort(&mut self, boxes: &Boxes<S>, are_copied: bool, executor: &impl Executor) {
        if !are_copied {
            self.order.clear();
            make_room(&mut self.order, boxes.len() + LANES);
            if boxes.len() == boxes.slots() {
                self.order.extend((0..).take(boxes.len()));
            } else {
                self.order.extend(boxes.iter().map(|(id, _)| id));
            }
            self.order.resize(boxes.len().next_multiple_of(LANES), NONE);
        }
        self.degradation.measure(boxes);
        let Self { curve, degradation, levels, order, .. } = self;
        let packs = are_copied.then(|| levels.level(0));
        self.grid = curve.sort(boxes, degradation.size(), packs, order, executor);
        self.adopt(boxes, executor);
        self.refit(boxes, Packs::Sorted, executor);
        self.find_still();
    }

    /// All boxes are in another order: prepares everything for a refit.
    fn adopt(&mut self, boxes: &Boxes<S>, executor: &impl Executor) {
        self.ahead.clear();
        self.sweep = Sweep::default();
        (self.used, self.holes, self.is_numbered) = (self.order.len(), 0, false);
        self.are_layers_read = false;
        self.put_fixed_last();
        self.make_whole(executor);
        self.places.clear();
        self.part(boxes, self.used);
        self.least_ids.read(&self.order, 0..self.used);
    }

    /// All pairs but those of two boxes in groups that hold fixed boxes only, in any order.
    pub(crate) fn visit_contacts<B>(
        &self,
        boxes: &Boxes<S>,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let still = self.still.groups();
        self.pairs_by(Overlap, boxes, Part::WHOLE).apart_from(still.clone()).visit(&mut visit)?;
        if still.is_empty() {
            return ControlFlow::Continue(());
        }
        self.pairs_between(Overlap, boxes, (self, boxes), Part::WHOLE).apart_from(still).visit(visit)
    }

    /// What a refit would add to the degradation, estimated.
    fn guess(&self, boxes: &Boxes<S>) -> [f64; 2] {
        if self.is_fit || self.used / LANES < SAMPLE { [0.0; 2] } else { self.sample(boxes) }
    }

    /// The mean growth of a sample of the sorted packs: without those that have grown most, if strays can leave these, and
    /// of all.
    fn sample(&self, boxes: &Boxes<S>) -> [f64; 2] {
        let all = self.degradation.sorted().min(self.used / LANES);
        let (packs, step) = (all.min(SAMPLE), (all / SAMPLE).max(1));
        let ids = |pack: usize| self.pack(pack).iter().filter(|&&id| id != NONE);
        let hull = |pack: usize| ids(pack).fold(Aabb::EMPTY, |hull, &id| hull.union(boxes.at(id)));
        let grown = (0..packs).map(|k| self.degradation.growth_of(k * step, &hull(k * step)));
        let mut grown: ArrayVec<u64, SAMPLE> = grown.collect();
        grown.sort_unstable();
        let without = packs - if self.can_be_parted(boxes) { packs / STRAYING } else { 0 };
        [without, packs].map(|packs| degradation::mean(grown[..packs].iter().sum(), packs))
    }

    /// Removes the holes and pads the last pack.
    fn close_up(&mut self) {
        if self.holes > 0 {
            self.still.lose();
            self.mix();
            self.degradation.close_up(&self.order);
            self.sweep.close_up(&self.order);
            self.order.retain(|&id| id != NONE);
            (self.used, self.holes, self.is_numbered) = (self.order.len(), 0, false);
            (self.are_layers_read, self.is_fit) = (false, false);
            self.make_whole(&Serial);
            self.least_ids.read(&self.order, 0..self.used);
        }
    }

    fn make_whole(&mut self, executor: &impl Executor) {
        let packs = self.used.div_ceil(LANES);
        make_room(&mut self.order, packs * LANES);
        self.order.resize(packs * LANES, NONE);
        self.levels.resize(packs, executor);
        self.degradation.resize(packs);
    }

    /// Closes holes, parts boxes again or sorts a window if need be, and refits.
    fn keep_order(&mut self, boxes: &Boxes<S>, executor: &impl Executor) {
        // A window that boxes have left has holes, until they are where the next one begins.
        let are_holes_due = self.holes > (self.used / FEW_HOLES).saturating_add(self.sweep.waiting);
        if are_holes_due {
            self.close_up();
        }
        // With holes, boxes are parted only once the holes are closed or everything is sorted.
        let is_due = self.holes == 0 && !self.are_layers_read(boxes);
        let packs = match is_due {
            true => self.part_again(boxes),
            // Packs, from which windows are sorted, are as they were before.
            false if are_holes_due => Packs::Same,
            false => self.sweep(boxes, executor),
        };
        if self.is_fit && matches!(packs, Packs::Same) {
            self.degradation.add(self.growth(), false);
        } else {
            self.refit(boxes, packs, executor);
        }
    }

    /// Makes the unions of layers of some packs, and of the nodes above them, exact.
    fn tighten_some_layers(&mut self, boxes: &Boxes<S>, packs: Range<usize>) {
        let Self { levels, kinds, order, .. } = self;
        levels.unite_some(packs, &mut |pack| kinds.read(boxes, pack, of(order, pack)));
    }

    /// Are the unions of layers those of these boxes, or wider?
    fn are_layers_read(&self, boxes: &Boxes<S>) -> bool {
        self.are_layers_read && self.kinds.are_of(boxes)
    }

    /// A box was inserted or removed. If there were too many kinds, all layers are read again: some may be gone.
    fn loosen_layers(&mut self, boxes: &Boxes<S>) {
        self.are_layers_read &= !boxes.has_layers() || self.kinds.are_known(boxes.agreement());
    }

    /// Makes all unions of layers exact.
    fn tighten_layers(&mut self, boxes: &Boxes<S>) {
        self.are_layers_read = true;
        let Self { levels, kinds, order, .. } = self;
        kinds.begin(boxes, levels.packs());
        levels.unite(boxes.has_layers(), &mut |pack| kinds.read_first(boxes, pack, of(order, pack)));
    }
}

impl<S: Scalar> Structure for FrameTree<S> {
    const NAME: &'static str = "frame-tree";
    const NARROWS: bool = true;
    type Scalar = S;
    type Options = ();
    type Askers = Self;
    type Compiler = S;

    fn new((): ()) -> Result<Self, Error> {
        Ok(Self {
            order: Vec::new(),
            places: Vec::new(),
            used: 0,
            holes: 0,
            levels: Levels::new(),
            least_ids: LeastIds::default(),
            kinds: Kinds::default(),
            are_layers_read: false,
            is_fit: true,
            degradation: Degradation::new(),
            grid: None,
            sweep: Sweep::default(),
            ahead: Ahead::default(),
            curve: Curve::default(),
            still: Still::default(),
            slots: Vec::new(),
            is_numbered: false,
            last_updated: 0,
        })
    }

    fn options(&self) {}

    fn build_with(&mut self, boxes: &Boxes<S>, executor: &impl Executor) {
        let still = core::mem::take(&mut self.still);
        self.clear();
        self.still = still;
        self.sort(boxes, false, executor);
        self.tighten_layers(boxes);
    }

    /// `maintain` decides by itself.
    fn fits(&self, _boxes: &Boxes<S>) -> bool {
        true
    }

    fn insert(&mut self, boxes: &Boxes<S>, id: u32) {
        self.abandon();
        self.append(boxes, id);
    }

    fn remove(&mut self, boxes: &Boxes<S>, id: u32) {
        self.abandon();
        let slot = self.slot(boxes, id);
        self.slots[id as usize] = NONE;
        self.still.forget(id);
        self.vacate(boxes, slot);
        self.thin_out(boxes);
    }

    #[inline]
    fn update(&mut self, boxes: &Boxes<S>, id: u32, old: Aabb<S>) {
        let slot = self.slot(boxes, id);
        self.prefetch_ahead(id);
        if !self.levels.move_within(slot, &old, boxes.at(id)) {
            self.move_out(boxes, id, slot);
        }
    }

    fn set_layers(&mut self, boxes: &Boxes<S>, id: u32) {
        let slot = self.slot(boxes, id);
        self.levels.widen_layers(slot / LANES, boxes.layers(id));
        self.kinds.set(slot, Some(boxes.layers(id)));
        self.are_layers_read = false;
    }

    fn set_fixed(&mut self, boxes: &Boxes<S>, id: u32, is_fixed: bool) {
        self.fix(boxes, id, is_fixed);
    }

    /// `maintain` does the rest.
    fn update_all(&mut self, boxes: &mut Boxes<S>, now: &[Aabb<S>], executor: &impl Executor) {
        self.is_fit = false;
        self.still.note_frame(boxes, now);
        boxes.set_first(now, executor);
    }

    fn clear(&mut self) {
        self.order.clear();
        self.places.clear();
        (self.used, self.holes, self.is_numbered) = (0, 0, false);
        self.levels.clear();
        self.still.clear();
        self.least_ids.read(&[], 0..0);
        (self.kinds, self.are_layers_read, self.is_fit) = (Kinds::default(), false, true);
        self.degradation.clear();
        (self.grid, self.sweep) = (None, Sweep::default());
        self.ahead.clear();
    }

    fn reserve(&mut self, additional: usize) {
        self.order.reserve((self.used + additional).next_multiple_of(LANES) - self.order.len());
        self.levels.reserve((self.used + additional).div_ceil(LANES));
    }

    fn maintain_with(&mut self, boxes: &Boxes<S>, executor: &impl Executor) {
        self.find_still();
        self.sweep.note_frame();
        let limit = self.limit(boxes) * if self.places.is_empty() { 1.0 } else { self.kinds.price() };
        let [grown, with_strays] = self.guess(boxes);
        let are_astray = self.still.are_astray(boxes.len(), self.places.len().min(parted::GROUP));
        let is_due = are_astray || self.ahead.is_begun() || self.degradation.exceeds(limit, grown);
        let can_wait = !are_astray && self.can_wait(grown);
        // Copies are of this frame after single changes; of few boxes, all are copied again.
        let is_fresh = self.is_fit || self.used < SAMPLE * LANES;
        if is_due && !can_wait {
            // If boxes have jumped, their old positions are useless.
            self.sort(boxes, grown <= limit, executor);
            if grown <= limit && self.may_have_strays(boxes, with_strays) {
                self.send_strays(boxes, &(0..self.levels.packs()));
            }
        } else {
            if is_due {
                self.ahead.begin();
            }
            self.keep_order(boxes, executor);
            self.degradation.add_runs(self.runs());
            if is_fresh && !self.can_wait(0.0) && self.degradation.exceeds(limit, 0.0) {
                self.sort(boxes, true, executor);
            }
        }
        self.find_still();
        if !self.are_layers_read(boxes) {
            self.tighten_layers(boxes);
        }
    }

    fn restore(&mut self, boxes: &Boxes<S>) {
        if self.order.len() == self.levels.packs() * LANES {
            self.levels.restore(boxes, &self.order);
            self.is_fit &= self.levels.fit();
            let Self { levels, kinds, order, .. } = self;
            kinds.restore(levels.packs());
            levels.unite(boxes.has_layers(), &mut |pack| kinds.read(boxes, pack, of(order, pack)));
        }
        self.least_ids.read(&self.order, 0..self.order.len());
        if self.is_numbered {
            self.number(boxes);
        }
    }

    fn search<Q: Query<S>>(&self, boxes: &Boxes<S>, query: Q) -> impl Iterator<Item = u32> {
        Search::new(self, boxes, query)
    }

    fn visit<Q: Query<S>, B>(
        &self,
        boxes: &Boxes<S>,
        query: Q,
        visit: impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        Search::new(self, boxes, query).visit(visit)
    }

    fn collect<Q: Query<S>, N>(&self, boxes: &Boxes<S>, query: Q, name: impl Fn(u32) -> N, names: &mut Vec<N>) {
        Search::new(self, boxes, query).collect_into(name, names);
    }

    fn narrow<Q: Narrowing<S>>(&self, boxes: &Boxes<S>, query: &Q) -> bool {
        self.narrow_down(boxes, query);
        true
    }

    fn search_pairs(&self, boxes: &Boxes<S>, part: Part) -> impl Iterator<Item = (u32, u32)> {
        self.pairs_by(Overlap, boxes, part)
    }

    fn visit_pairs<B>(
        &self,
        boxes: &Boxes<S>,
        part: Part,
        visit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.pairs_by(Overlap, boxes, part).visit(visit)
    }

    #[inline]
    fn as_frame_tree(&self) -> Option<&Self> {
        Some(self)
    }

    /// Hulls of hulls from the top down, level by level, then those of packs.
    fn visit_lists<B>(
        &self,
        _boxes: &Boxes<S>,
        mut visit: impl FnMut(Node<S>, &mut dyn Iterator<Item = u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        (0..).zip((1..self.levels.height()).rev()).try_for_each(|(depth, level)| {
            self.levels.hulls(level).enumerate().filter(|(_, hull)| hull.is_ordered()).try_for_each(|(at, bounds)| {
                if level > 1 {
                    let node = Node { bounds, depth, population: 0, kind: NodeKind::Branch };
                    return visit(node, &mut core::iter::empty());
                }
                let listed = || self.pack(at).iter().copied().filter(|&id| id != NONE);
                let node = Node { bounds, depth, population: listed().count(), kind: NodeKind::Hull };
                visit(node, &mut listed())
            })
        })
    }

    fn stats(&self, boxes: &Boxes<S>) -> Stats {
        let packs = self.levels.packs();
        let mut stats = Stats { leaves: packs, nodes: self.levels.nodes(), listed: boxes.len(), ..Stats::default() };
        stats.depth = self.levels.height().saturating_sub(1);
        let in_pack = |pack| self.pack(pack).iter().filter(|&&id| id != NONE).count();
        stats.longest_list = (0..packs).map(in_pack).max().unwrap_or(0);
        [stats.bytes_used, stats.bytes_reserved] = add_bytes([
            bytes_of(&self.order),
            bytes_of(&self.places),
            self.levels.bytes(),
            self.least_ids.bytes(),
            self.kinds.bytes(),
            self.degradation.bytes(),
            self.curve.bytes(),
            self.ahead.bytes(),
            self.still.bytes(),
            if self.is_numbered { bytes_of(&self.slots) } else { [0, bytes_of(&self.slots)[1]] },
        ]);
        stats
    }

    fn validate(&self, boxes: &Boxes<S>) -> Result<(), Corruption> {
        let packs = self.order.len() / LANES;
        let is_whole = self.used.checked_next_multiple_of(LANES) == Some(self.order.len())
            && self.order[self.used..].iter().all(|&id| id == NONE)
            && self.used.checked_sub(self.holes) == Some(boxes.len());
        Corruption::unless(is_whole, || alloc::format!("{} slots, {} holes", self.used, self.holes))?;
        self.degradation.validate(packs)?;
        self.validate_places()?;
        self.levels.validate(packs)?;
        self.least_ids.validate(&self.order)?;
        let mut listed: Vec<u32> = self.listed().map(|(_, id)| id).collect();
        listed.sort_unstable();
        let stored = boxes.iter().map(|(id, _)| id);
        Corruption::unless(stored.clone().eq(listed), || "boxes are lost, or listed more than once".into())?;
        let are_last = self.order.chunks(LANES).all(|ids| ids.is_sorted_by_key(|&id| id == NONE));
        Corruption::unless(are_last, || "a hole before a box of the same pack".into())?;
        for (slot, &id) in self.order.iter().enumerate() {
            let (copy, bounds) = (self.levels.get(0, slot), boxes.get(id).unwrap_or(Aabb::EMPTY));
            Corruption::unless(copy == bounds, || alloc::format!("box {id} is copied as {copy:?}"))?;
            let of_id = self.slots.get(id as usize).copied().unwrap_or(NONE);
            let is_numbered = !self.is_numbered || id == NONE || of_id as usize == slot;
            Corruption::unless(is_numbered, || alloc::format!("box {id} is not in slot {of_id}"))?;
        }
        self.grid.map_or(Ok(()), |grid| grid.validate())?;
        self.sweep.validate()?;
        self.ahead.validate(stored)?;
        self.still.validate(&self.order, &self.levels)?;
        self.kinds.validate(boxes, &self.order, &self.levels)?;
        self.levels.validate_layers(boxes.has_layers(), &mut |pack| kinds::union(boxes, self.pack(pack)))
    }
}
