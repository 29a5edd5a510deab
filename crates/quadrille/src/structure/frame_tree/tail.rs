//! The tail: boxes that came since the last sort, in sorted runs.
//!
//! Sixteen boxes inserted one after the other may be anywhere, so a pack of them would meet every other pack, and the
//! pairs of n boxes would cost n squared. Therefore the tail consists of runs, and each run is sorted along the curve
//! by itself: its packs are as tight as those of a set of that size. The slots of the tail, counted in the shortest
//! runs, are a binary number, and there is a run for each of its ones, the longest first. When the last of them is
//! full, it is sorted together with those that it completes, as adding one to a binary number carries. So a box is
//! sorted once for each doubling, however many there are, and where runs begin need not be stored. (J. Bentley, J.
//! Saxe, *Decomposable searching problems I: static-to-dynamic transformation*, 1980.)
//!
//! ```text
//! sorted packs                     tail of 11 shortest runs = 1011
//! ═══════════════════════════════  ════════ 8 ════════╪═ 2 ═╪ 1 ╪ not yet sorted
//! ```

use core::ops::Range;

use super::still::GROUP;
use super::tree::FrameTree;
use crate::executor::Serial;
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, LANES};
use crate::storage::{Boxes, NONE, make_room};

/// Slots of the shortest run. More: more packs whose boxes lie anywhere. Fewer: more sorting.
const RUN: usize = 4 * LANES;

/// An insertion sorts everything when the tail exceeds this many packs plus a quarter of the sorted ones. So the tail
/// stays a small part of the whole, and these sorts cost a constant number of sorted boxes per insertion.
const TAIL: usize = 4;

/// A removal closes all holes when there are this many more of them than boxes. So a removal costs a constant number of
/// copied boxes.
const HOLES: usize = 4 * LANES;

/// How many updates ahead memory is prefetched. From 4 on, a million updates in order take 0.6 of the time.
const AHEAD: u32 = 8;

/// Longer steps are taken for jumps, after which nothing is known about the next one.
const LONGEST_STEP: u32 = 256;

impl<S: Scalar> FrameTree<S> {
    /// Puts a box into the tail.
    pub(super) fn append(&mut self, boxes: &Boxes<S>, id: u32) {
        let slot = self.next_slot();
        if self.is_numbered {
            make_room(&mut self.slots, boxes.slots());
            self.slots.resize(boxes.slots(), NONE);
            self.slots[id as usize] = u32::try_from(slot).expect("slots are fewer than 2^31");
        }
        let height = self.levels.height();
        if slot == self.order.len() {
            self.make_whole(&Serial);
            self.levels.link_last();
            self.kinds.resize(self.levels.packs());
        }
        if slot / LANES < self.degradation.sorted() {
            // The last pack was not full when boxes were sorted. Now it belongs to the tail.
            self.degradation.keep_sorted(slot / LANES);
        }
        self.order[slot] = id;
        self.least_ids.enter(slot, id);
        self.levels.place(slot, boxes.at(id), boxes.layers(id));
        self.kinds.set(slot, Some(boxes.layers(id)));
        self.loosen_layers(boxes);
        if self.levels.height() > height {
            self.tighten_layers(boxes);
        }
        self.settle(boxes);
    }

    /// Moves a box that changes the hull of its pack, or that goes to the tail.
    #[inline(never)]
    pub(super) fn move_out(&mut self, boxes: &Boxes<S>, id: u32, slot: usize) {
        if self.strays(slot, boxes.at(id)) {
            self.vacate(boxes, slot);
            self.append(boxes, id);
        } else {
            self.levels.set(slot, boxes.at(id));
        }
    }

    /// Prefetches where a box is.
    #[inline(always)]
    pub(crate) fn prefetch_slot(&self, id: u32) {
        kernel::prefetch(&self.slots, id as usize);
    }

    /// If ids are updated in equal steps, such as one after the other, prefetches what a later update writes. Boxes with
    /// successive ids lie anywhere, so each update would wait for memory.
    #[inline(always)]
    pub(super) fn prefetch_ahead(&mut self, id: u32) {
        let step = id.wrapping_sub(self.last_updated);
        self.last_updated = id;
        if step > LONGEST_STEP {
            return;
        }
        self.prefetch_place(id + AHEAD * step);
    }

    /// Prefetches the pack in which a box is.
    #[inline(always)]
    pub(crate) fn prefetch_place(&self, id: u32) {
        if let Some(&slot) = self.slots.get(id as usize) {
            self.levels.prefetch(slot as usize / LANES);
            self.levels.prefetch_hull(slot as usize / LANES);
        }
    }

    /// The slot for a new box: a hole of the last pack, or after all others.
    fn next_slot(&mut self) -> usize {
        let (pack, lane) = (self.used / LANES, self.used % LANES);
        let slot = if lane == 0 { self.used } else { pack * LANES + self.boxes_in(pack) };
        if slot == self.used {
            self.used += 1;
        } else {
            self.holes -= 1;
        }
        slot
    }

    /// How many boxes a pack has. Holes come after them.
    fn boxes_in(&self, pack: usize) -> usize {
        // Numbers as wide as ids, so that the compiler compares several at once.
        self.pack(pack).iter().map(|&id| u32::from(id != NONE)).sum::<u32>() as usize
    }

    /// Takes a box out of its slot, to which the last box of its pack moves.
    pub(super) fn vacate(&mut self, boxes: &Boxes<S>, slot: usize) {
        let pack = slot / LANES;
        let last = pack * LANES + self.boxes_in(pack) - 1;
        if slot != last {
            let id = self.order[last];
            self.order[slot] = id;
            if self.is_numbered {
                self.slots[id as usize] = slot as u32;
            }
            self.levels.swap(pack, slot % LANES, last % LANES);
            self.kinds.set(slot, Some(boxes.layers(id)));
            if last < self.places.len() {
                self.places.swap(slot, last);
            }
        }
        self.order[last] = NONE;
        self.levels.set(last, &Aabb::EMPTY);
        self.kinds.set(last, None);
        self.loosen_layers(boxes);
        self.still.leave(slot / GROUP);
        self.holes += 1;
    }

    /// Closes all holes if they outnumber boxes, so that no walk looks at many more packs than boxes need. Boxes must
    /// be numbered, and stay so.
    pub(super) fn thin_out(&mut self, boxes: &Boxes<S>) {
        if self.holes > self.used - self.holes + HOLES {
            self.close_up();
            let packs = self.part_again(boxes);
            self.is_numbered = true;
            self.number_again(0..self.used);
            self.refit(boxes, packs, &Serial);
            self.tighten_layers(boxes);
        }
    }

    /// Sorts everything if the tail has become too long, or else the runs that the last box has completed.
    fn settle(&mut self, boxes: &Boxes<S>) {
        if self.levels.packs() > self.degradation.sorted() + self.degradation.sorted() / 4 + TAIL {
            self.sort(boxes, true, &Serial);
            return self.tighten_layers(boxes);
        }
        let tail = self.tail();
        if tail > 0 && tail % RUN == 0 {
            let completed = RUN << (tail / RUN).trailing_zeros();
            self.sort_run(boxes, self.used - completed..self.used);
        }
    }

    /// Slots after the packs that were sorted last time.
    fn tail(&self) -> usize {
        self.used.saturating_sub(self.degradation.sorted() * LANES)
    }

    /// How many runs there are, but for boxes on their way to their windows.
    pub(super) fn runs(&self) -> u32 {
        (self.tail().saturating_sub(self.sweep.waiting) / RUN).count_ones()
    }

    /// Does a box stray so far from its pack that the hull would meet many more others? Boxes about to be sorted never
    /// do.
    pub(super) fn strays(&self, slot: usize, bounds: &Aabb<S>) -> bool {
        let (pack, sorted) = (slot / LANES, self.used - self.tail() % RUN);
        let hull = self.levels.get(1, pack);
        slot < sorted && !hull.contains(bounds) && self.degradation.is_overgrown(pack, &hull.union(bounds))
    }

    /// Boxes have changed places among these slots.
    fn number_again(&mut self, slots: Range<usize>) {
        let listed = (slots.start as u32..).zip(&self.order[slots]).filter(|&(_, &id)| id != NONE);
        listed.for_each(|(slot, &id)| self.slots[id as usize] = slot);
    }

    /// Reads again what is known of slots among which boxes have changed places, but for their hulls.
    pub(super) fn read_slots(&mut self, slots: Range<usize>) {
        self.least_ids.read(&self.order, slots.clone());
        if self.is_numbered {
            self.number_again(slots);
        }
    }

    /// Sorts whole packs among themselves, holes last. Hulls are those of before.
    pub(super) fn sort_slots(&mut self, boxes: &Boxes<S>, slots: Range<usize>) {
        self.curve.sort_run(boxes, self.degradation.size(), &mut self.order[slots.clone()]);
        self.read_slots(slots);
    }

    /// The same, and the hulls above them are computed.
    fn sort_run(&mut self, boxes: &Boxes<S>, run: Range<usize>) {
        self.sort_slots(boxes, run.clone());
        let packs = run.start / LANES..run.end / LANES;
        self.refit_some(boxes, packs.clone());
        self.tighten_some_layers(boxes, packs);
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::HOLES;
    use crate::geometry::Aabb;
    use crate::query::{Counted, Overlaps};
    use crate::storage::Boxes;
    use crate::structure::{FrameTree, Structure};

    /// Boxes that come, go, stray and stay leave every hull as tight as it can be, so that none stays large for good.
    #[test]
    fn hulls_fit_after_every_single_change() {
        let place = |k: u32| {
            let min = [k.wrapping_mul(2_654_435_761) >> 22, k.wrapping_mul(2_246_822_519) >> 22].map(|at| at as f32);
            Aabb::new(min, min.map(|edge| edge + (k % 5) as f32))
        };
        let mut boxes = Boxes::new();
        let mut tree = FrameTree::<f32>::new(()).expect("no options");
        let mut ids: Vec<u32> = Vec::new();
        for k in 0..3000 {
            if k % 3 == 2 {
                let id = ids.swap_remove((k as usize * 7919) % ids.len());
                tree.remove(&boxes, id);
                boxes.remove(id);
            } else {
                let id = boxes.insert(place(k)).expect("there is room");
                tree.insert(&boxes, id);
                ids.push(id);
            }
            let id = ids[(k as usize * 104_729) % ids.len()];
            let old = *boxes.at(id);
            boxes.set(id, if k % 2 == 0 { place(k + 5000) } else { old.with_offset([1.0, -1.0]) });
            tree.update(&boxes, id, old);
            assert!(tree.levels.fit(), "after {k} changes");
        }
        tree.validate(&boxes).expect("a sound tree");
    }

    /// A field of boxes, 71 in a row, and its tree.
    fn field(count: u16) -> (Boxes<f32>, FrameTree) {
        let mut boxes = Boxes::new();
        for k in 0..count {
            let min = [f32::from(k % 71), f32::from(k / 71)];
            boxes.insert(Aabb::new(min, min.map(|edge| edge + 1.0))).expect("there is room");
        }
        let mut tree = FrameTree::<f32>::new(()).expect("no options");
        tree.build(&boxes);
        (boxes, tree)
    }

    /// After single changes, `maintain` copies no box, and adds up what it would after copying all. Holes are closed
    /// when they are many.
    #[test]
    fn maintain_leaves_boxes_where_single_changes_have_put_them() {
        let (mut boxes, mut tree) = field(5000);
        let remove = |tree: &mut FrameTree, boxes: &mut Boxes<f32>, ids: core::ops::Range<u32>| {
            for id in ids.map(|k| k * 7919 % 5000) {
                tree.remove(boxes, id);
                boxes.remove(id);
            }
        };
        remove(&mut tree, &mut boxes, 0..200);
        for id in (200..1200).map(|k| k * 7919 % 5000) {
            let old = *boxes.at(id);
            boxes.set(id, old.with_offset([0.75, -0.5]));
            tree.update(&boxes, id, old);
        }
        let before = tree.clone();
        let mut copied = tree.clone();
        copied.is_fit = false;
        [&mut tree, &mut copied].into_iter().for_each(|tree| tree.maintain(&boxes));
        assert_eq!((&tree.order, tree.holes), (&before.order, before.holes));
        assert_eq!(alloc::format!("{:?}", tree.degradation), alloc::format!("{:?}", copied.degradation));
        assert_ne!(alloc::format!("{:?}", tree.degradation), alloc::format!("{:?}", before.degradation));
        tree.validate(&boxes).expect("a sound tree");
        remove(&mut tree, &mut boxes, 1200..1400);
        tree.maintain(&boxes);
        assert_eq!(tree.holes, 0);
        tree.validate(&boxes).expect("a sound tree");
    }

    /// A few boxes that come and lie anywhere do not let `maintain` sort everything in every frame.
    #[test]
    fn a_few_new_boxes_do_not_let_everything_be_sorted() {
        let (mut boxes, mut tree) = field(5000);
        for k in 0..40_u16 {
            let min = [f32::from(k * 29 % 71), f32::from(k * 31 % 67)];
            let id = boxes.insert(Aabb::new(min, min.map(|edge| edge + 1.0))).expect("there is room");
            tree.insert(&boxes, id);
        }
        let order = tree.order.clone();
        (0..10).for_each(|_| tree.maintain(&boxes));
        assert_eq!(tree.order, order);
    }

    /// However many boxes go, one by one and wherever they lie, hardly more packs are left than boxes need, and no box
    /// is copied more than once for each one that goes.
    #[test]
    fn holes_do_not_outnumber_boxes() {
        let (mut boxes, mut tree) = field(5000);
        let mut copied = 0;
        for gone in 1..=5000_u32 {
            let id = gone * 7919 % 5000;
            let used = tree.used;
            tree.remove(&boxes, id);
            boxes.remove(id);
            copied += if tree.used < used { tree.used } else { 0 };
            assert!(tree.used <= 2 * boxes.len() + HOLES, "{} slots for {} boxes", tree.used, boxes.len());
            assert!(copied <= gone as usize, "{copied} copies for {gone} boxes that went");
            if gone % 500 == 0 || tree.used < used {
                tree.validate(&boxes).expect("a sound tree");
            }
        }
    }

    /// One box far from all others, in a pack with some of them when all were sorted, does not let the hulls of the
    /// tail grow: boxes that move about without `maintain` are found in hardly more packs than after it.
    #[test]
    fn an_outlier_does_not_let_the_tail_grow() {
        let place = |k: u32| {
            let mixed =
                (k.wrapping_mul(2_654_435_761) ^ k.wrapping_mul(2_654_435_761) >> 15).wrapping_mul(2_246_822_519);
            let min = [mixed >> 24, mixed >> 16 & 0xFF].map(|at| at as f32);
            Aabb::new(min, min.map(|edge| edge + 1.0))
        };
        let mut boxes = Boxes::new();
        for k in 0..8000 {
            boxes.insert(if k == 77 { place(k).with_offset([1e7, 1e7]) } else { place(k) }).expect("there is room");
        }
        let mut tree = FrameTree::<f32>::new(()).expect("no options");
        tree.build(&boxes);
        // The first round brings a tenth of them to the tail; in the others, the same ones move about there.
        for (round, id) in (1..=6).flat_map(|round| (0..800).map(move |id| (round, id))).filter(|&(_, id)| id != 77) {
            let old = *boxes.at(id);
            boxes.set(id, place(id + 8000 * round));
            tree.update(&boxes, id, old);
        }
        let hulls = |tree: &FrameTree| -> usize {
            let looked_at = |k: u32| {
                let query = Counted::new(Overlaps(place(k)));
                tree.search(&boxes, &query).for_each(drop);
                query.work().nodes
            };
            (0..100).map(looked_at).sum()
        };
        let degraded = hulls(&tree);
        tree.maintain(&boxes);
        let maintained = hulls(&tree);
        assert!(degraded <= 8 * maintained, "{degraded} hulls, and {maintained} after `maintain`");
    }
}
