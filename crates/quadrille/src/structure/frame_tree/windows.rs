//! Sorting a part in each frame, so that none of them takes much longer than the others.
//!
//! A sort takes as long as a frame or two. So where boxes drift, one frame in twenty would be late, and all pairs would
//! come in another order at once. Instead, the sorted packs are divided into *windows*, and each frame sorts the next
//! one. A sweep over all of them takes as many frames as boxes took to drift apart, sixteen at most; what would be
//! sorted in fewer than four is sorted at once.
//!
//! ```text
//! sorted    fresh     now        stale                        tail
//! ════════╪═════════╪══════════╪══════════╪═══════════════╪═══════
//!                   └ reached  └ where the next one begins
//! ```
//!
//! A window gets the boxes whose places on the curve are between the end of the window before it and the beginning of
//! the next one. Others have left it: they wait in the tail, which is one sorted run, until it is the turn of their own
//! window. Those that left backward wait for the next sweep. Where all drift, one box in two hundred is on its way.
//!
//! A window ends at the same slot as before. Boxes that find no room go on to the next one, and the last one takes them
//! all. If boxes have left a window, the next one begins earlier.
//!
//! If they have left the grid, by which places are numbered, or fill only a part of it, or if so many change windows that
//! the tail becomes long, as where the world turns, everything is sorted by another grid: in the course of the next frames
//! (`order/curve/ahead.rs`), or at once if the order does not last as long.

use core::ops::Range;

use super::order::curve::Grid;
use super::order::degradation::{DEGRADED, LONGEST, PATIENCE, SORTING};
use super::refit::Packs;
use super::sweep::{Sweep, WINDOWS};
use super::tree::FrameTree;
use crate::executor::{Executor, Serial};
use crate::geometry::Scalar;
use crate::kernel::LANES;
use crate::storage::Boxes;
use crate::structure::Structure;

/// The fewest packs of a window. Fewer: small sets are sorted in parts, each of which takes no time worth saving.
const PACKS: usize = 64;

/// The fewest windows: what drifts so fast that it would be sorted in fewer frames is sorted at once.
const FEWEST: usize = 4;

/// Everything is sorted in the course of some frames if it was not sorted for this many. More: late frames where boxes are
/// fast. Fewer: orders that are old when they come.
const RARELY: u32 = 8;

/// The tail may have a box for this many sorted ones. More: everything is sorted at once sooner.
const TAIL: usize = 8;

/// A sweep is given up if more than one box in this many is on its way. More: it is given up where boxes drift. Fewer: they
/// are sorted again and again.
const WAITING: usize = 24;

/// Once in this many frames, is the world still as large as when everything was sorted? More: hulls are larger where it
/// shrinks. Fewer: a sample of boxes is looked at for nothing.
const LOOK: u32 = 16;

impl<S: Scalar> FrameTree<S> {
    /// May some boxes be sorted without all others?
    pub(super) fn can_be_parted(&self, boxes: &Boxes<S>) -> bool {
        let (sorted, all) = (self.sorted_packs(), self.order.len() / LANES);
        !boxes.has_layers()
            && self.places.is_empty()
            && self.still.groups().is_empty()
            && self.grid.is_some()
            && all - sorted <= sorted / TAIL
    }

    /// In how many windows all boxes would be sorted now; one where they cannot be sorted in parts.
    fn windows(&self, boxes: &Boxes<S>) -> usize {
        let windows = (self.sweep.age as usize).min(self.sorted_packs() / PACKS).min(WINDOWS);
        if windows >= FEWEST && self.can_be_parted(boxes) { windows } else { 1 }
    }

    /// The degradation at which everything is sorted at once.
    pub(super) fn limit(&self, boxes: &Boxes<S>) -> f64 {
        if self.windows(boxes) > 1 { PATIENCE } else { SORTING }
    }

    /// Is there time to sort everything in the course of some frames, if hulls go on growing by this much in each?
    pub(super) fn can_wait(&self, grown: f64) -> bool {
        self.sweep.age >= RARELY
            && self.grid.is_some()
            && self.sorted_packs() >= FEWEST * PACKS
            && (self.ahead.is_begun() || grown < DEGRADED)
            && !self.degradation.exceeds(LONGEST, f64::from(self.ahead.steps_left()) * grown)
    }

    /// The order is no longer worth its cost, whatever hulls say.
    fn give_up(&mut self) {
        if self.can_wait(0.0) { self.ahead.begin() } else { self.degradation.give_up() }
    }

    /// Boxes come or go: if another order was being made, everything is sorted at once instead.
    pub(super) fn abandon(&mut self) {
        if self.ahead.is_begun() {
            self.ahead.clear();
            self.degradation.give_up();
        }
    }

    /// How much hulls have grown because of boxes that have jumped since the next order was begun.
    fn strays_since(&self, boxes: &Boxes<S>) -> f64 {
        let [without, with_strays] = self.guess(boxes);
        if self.ahead.have_strayed(self.order.len()) { f64::INFINITY } else { with_strays - without }
    }

    /// Takes a step to another order.
    fn go_ahead(&mut self, boxes: &Boxes<S>, executor: &impl Executor) -> Packs {
        let strays = if self.ahead.is_nearly_done() { self.strays_since(boxes) } else { 0.0 };
        let Self { curve, ahead, grid, levels, degradation, order, .. } = self;
        let now = (boxes, levels.level(0), degradation.size());
        let Some(grid) = curve.go_ahead(ahead, *grid, now, order) else { return Packs::Same };
        self.grid = Some(grid);
        self.degradation.measure(boxes);
        self.adopt(boxes, executor);
        if !self.may_have_strays(boxes, strays) {
            return Packs::Sorted;
        }
        self.refit(boxes, Packs::Sorted, executor);
        self.send_strays(boxes, &(0..self.levels.packs()));
        Packs::Same
    }

    pub(super) fn sorted_packs(&self) -> usize {
        self.degradation.sorted().min(self.used / LANES)
    }

    /// Sorts the next window if boxes have drifted apart, or if a sweep has begun. Hulls are those of before.
    pub(super) fn sweep(&mut self, boxes: &Boxes<S>, executor: &impl Executor) -> Packs {
        if self.ahead.is_begun() {
            return self.go_ahead(boxes, executor);
        }
        if self.sweep.age == 1 {
            // For those on their way: now, because a later frame would be late.
            Structure::reserve(self, self.used / TAIL);
        }
        if self.sweep.age % LOOK == 0 && self.grid.is_some_and(|grid| !grid.is_filled_by(self.levels.level(0))) {
            self.give_up();
        }
        let windows = self.windows(boxes);
        let Some(grid) = self.grid.filter(|_| windows > 1) else {
            (self.sweep.windows, self.sweep.done) = (0, 0);
            return Packs::Same;
        };
        if self.sweep.done == self.sweep.windows {
            if !self.degradation.pays_for_sweeping() {
                return Packs::Same;
            }
            if !grid.covers(self.levels.level(0)) {
                self.give_up();
                return Packs::Same;
            }
            self.sweep = Sweep { windows, done: 0, reached: 0, slot: 0, ..self.sweep };
        }
        if self.sweep.waiting > self.used / WAITING && self.can_wait(0.0) {
            self.ahead.begin();
            return Packs::Same;
        }
        let packs = self.sort_window(&grid, boxes);
        self.sweep.done += 1;
        if self.sweep.done == self.sweep.windows {
            // On average, windows were sorted this many frames ago.
            self.sweep.age = (self.sweep.windows / 2) as u32;
            self.degradation.begin_again();
        }
        Packs::Window { first: packs.start, end: packs.end }
    }

    /// Sorts a window, and then the tail. Returns the packs of the window.
    fn sort_window(&mut self, grid: &Grid, boxes: &Boxes<S>) -> Range<usize> {
        let (sorted, Sweep { windows, done, reached, slot, .. }) = (self.sorted_packs(), self.sweep);
        let mut to = (done + 1) * sorted / windows;
        // Removals may have left fewer packs.
        let slot = slot.min(to * LANES);
        let (slots, mut tail) = (slot..to * LANES, sorted * LANES);
        if done + 1 == windows {
            tail = self.curve.sort_last_window(grid, (boxes, self.levels.level(0)), &mut self.order, (slot, reached));
            to = tail / LANES;
        } else {
            (self.sweep.reached, self.sweep.slot) =
                self.curve.sort_window(grid, (boxes, self.levels.level(0)), &mut self.order, (slots, reached), tail);
        }
        self.degradation.keep_sorted(tail / LANES);
        self.sort_waiting(boxes, tail);
        self.read_slots(slot..to * LANES);
        slot / LANES..to
    }

    /// Sorts all that is listed from a slot on, on its way to its windows. Hulls are those of before.
    pub(super) fn sort_waiting(&mut self, boxes: &Boxes<S>, tail: usize) {
        self.are_layers_read = false;
        self.used = self.order.len();
        (self.holes, self.sweep.waiting) = (self.used - boxes.len(), self.used.saturating_sub(tail));
        self.make_whole(&Serial);
        self.sort_slots(boxes, tail.min(self.order.len())..self.order.len());
    }
}

#[cfg(test)]
pub(super) mod tests {
    use alloc::vec::Vec;

    use crate::Index;
    use crate::geometry::Aabb;
    use crate::random::Random;
    use crate::storage::NONE;
    use crate::structure::FrameTree;
    use crate::structure::frame_tree::order::curve::ahead::STEPS;
    use crate::structures::BruteForce;

    const WIDTH: usize = 400;

    /// Boxes that drift, each on its own way, and return from the other side.
    struct Drift {
        boxes: Vec<Aabb>,
        speeds: Vec<[f32; 2]>,
    }

    impl Drift {
        fn new(count: usize, random: &mut Random) -> Self {
            let mut some = |below: usize| random.below(below * 8) as f32 / 8.0;
            let boxes = (0..count).map(|_| Aabb::from_center([some(WIDTH), some(WIDTH)], [3.0, 3.0])).collect();
            let speeds = (0..count).map(|_| [some(2) - 1.0, some(2) - 1.0].map(|speed| speed / 8.0)).collect();
            Self { boxes, speeds }
        }

        fn step(&mut self) {
            let width = WIDTH as f32;
            for (bounds, speed) in self.boxes.iter_mut().zip(&self.speeds) {
                let center = [0, 1].map(|axis| (bounds.min[axis] + bounds.max[axis]) / 2.0);
                let moved = [0, 1].map(|axis| (center[axis] + speed[axis]).rem_euclid(width));
                *bounds = Aabb::from_center(moved, [3.0, 3.0]);
            }
        }
    }

    /// What turns a world by a third of a degree.
    const TURN: [f32; 2] = [0.999_987_5, 0.005];

    fn slots(index: &Index) -> Vec<u32> {
        index.view().structure.order.clone()
    }

    pub(in super::super) fn sorted_pairs(pairs: impl Iterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        pairs
    }

    /// Was everything sorted in the last frame?
    pub(in super::super) fn was_sorted(index: &Index) -> bool {
        let sweep = index.view().structure.sweep;
        sweep.age == 0 && sweep.windows == 0
    }

    /// Is what is sorted in the course of some frames sorted in the next one?
    pub(in super::super) fn is_nearly_sorted(index: &Index) -> bool {
        index.view().structure.ahead.is_nearly_done()
    }

    /// After the first frames, no frame sorts everything, and each gives only a part of all slots to other boxes.
    #[test]
    fn no_frame_sorts_everything_where_boxes_drift() {
        let mut drift = Drift::new(6000, &mut Random::new(3));
        let mut index = <Index>::from_boxes(&drift.boxes).expect("valid boxes");
        let (mut last, mut frames_that_sort) = (slots(&index), 0);
        for frame in 0..150 {
            drift.step();
            index.update_all(&drift.boxes).expect("valid boxes");
            assert!(!was_sorted(&index), "frame {frame}");
            let now = slots(&index);
            let others = last.iter().zip(&now).filter(|(one, other)| one != other).count();
            assert!(3 * others < now.len(), "{others} slots in frame {frame}");
            frames_that_sort += usize::from(others > 0);
            last = now;
            if frame % 10 == 0 {
                index.validate().expect("a sound tree");
                let FrameTree { used, holes, .. } = index.view().structure;
                assert!(used - holes == 6000 && *holes < 600, "{holes} holes");
            }
        }
        assert!(frames_that_sort > 30, "{frames_that_sort} frames");
        let brute = Index::<BruteForce>::from_boxes(&drift.boxes).expect("valid boxes");
        assert_eq!(sorted_pairs(index.pairs()), sorted_pairs(brute.pairs()));
    }

    /// A world that turns, grows or shrinks: a complex number says how in each frame.
    struct World {
        boxes: Vec<Aabb>,
        step: [f32; 2],
        now: [f32; 2],
    }

    impl World {
        fn new(step: [f32; 2]) -> Self {
            Self { boxes: Drift::new(6000, &mut Random::new(7)).boxes, step, now: [1.0, 0.0] }
        }

        /// The boxes of the next frame.
        fn step(&mut self) -> Vec<Aabb> {
            let times = |[x, y]: [f32; 2], [re, im]: [f32; 2]| [x * re - y * im, x * im + y * re];
            self.now = times(self.now, self.step);
            let place = |bounds: &Aabb| times(bounds.min.map(|at| at - WIDTH as f32 / 2.0), self.now);
            let size = 3.0 * (self.now[0] * self.now[0] + self.now[1] * self.now[1]).sqrt();
            self.boxes.iter().map(|bounds| Aabb::from_center(place(bounds), [size; 2])).collect()
        }
    }

    /// No frame sorts everything at once: what is sorted in the course of several takes a step in each, and hulls stay small.
    #[test]
    fn no_frame_sorts_everything_where_the_world_turns_or_breathes() {
        for (step, jumping) in [(TURN, 0), ([0.988, 0.0], 0), ([1.012, 0.0], 0), (TURN, 3)] {
            let (mut world, mut random) = (World::new(step), Random::new(3));
            let mut index = <Index>::from_boxes(&world.boxes).expect("valid boxes");
            let mut orders = 0;
            for frame in 0..140 {
                for _ in 0..jumping {
                    let [one, other] = [6000; 2].map(|count| random.below(count));
                    world.boxes.swap(one, other);
                }
                let boxes = world.step();
                let (next, is_in_time) = (index.view().structure.ahead.next, is_nearly_sorted(&index));
                index.update_all(&boxes).expect("valid boxes");
                let is_late = was_sorted(&index) && !is_in_time;
                assert!(!is_late || jumping > 0, "everything is sorted at once in frame {frame} of {step:?}");
                let then = index.view().structure.ahead.next;
                assert!(is_in_time || then <= next.max(1) + 1, "step {next}, then {then} in frame {frame} of {step:?}");
                orders += usize::from(is_in_time);
                let times = hulls(&index) / hulls(&Index::from_boxes(&boxes).expect("valid boxes"));
                assert!(times < 1.7, "hulls {times} times as large as after a sort, in frame {frame} of {step:?}");
                if frame % 7 == 0 {
                    index.validate().expect("a sound tree");
                    let brute = Index::<BruteForce>::from_boxes(&boxes).expect("valid boxes");
                    assert_eq!(sorted_pairs(index.pairs()), sorted_pairs(brute.pairs()), "frame {frame}");
                }
            }
            assert!(orders > 0, "{step:?}");
        }
    }

    /// Boxes that go, come and jump between any two steps to another order.
    #[test]
    fn answers_are_right_whatever_changes_while_an_order_is_made() {
        for (step, change) in (1..=STEPS).flat_map(|step| (0..3).map(move |change| (step, change))) {
            let mut world = World::new(TURN);
            let mut index = <Index>::from_boxes(&world.boxes).expect("valid boxes");
            while index.view().structure.ahead.next <= step && !is_nearly_sorted(&index) {
                index.update_all(&world.step()).expect("valid boxes");
            }
            for id in (0..900).step_by(3) {
                match change {
                    0 => assert!(index.remove(id).is_some()),
                    1 => {
                        let old = index.remove(id).expect("in use");
                        assert_eq!(index.insert(old.with_offset([90.0, 50.0])), Ok(id));
                    }
                    _ => {
                        let old = index.get(id).expect("in use");
                        index.update(id, old.with_offset([90.0, 50.0])).expect("in use");
                    }
                }
            }
            for frame in 0..9 {
                let boxes = world.step();
                index.update_all(&boxes).expect("valid boxes");
                index.validate().expect("a sound tree");
                let brute = Index::<BruteForce>::from_boxes(&boxes).expect("valid boxes");
                let meet = brute.pairs().filter(|&(one, other)| index.contains(one) && index.contains(other));
                assert_eq!(
                    sorted_pairs(index.pairs()),
                    sorted_pairs(meet),
                    "frame {frame}, step {step}, change {change}"
                );
            }
        }
    }

    /// Single changes, boxes that come and go, whole frames and jumps, all between windows.
    #[test]
    fn answers_are_right_whatever_changes_during_a_sweep() {
        let mut random = Random::new(5);
        let mut drift = Drift::new(5500, &mut random);
        let mut index = <Index>::from_boxes(&drift.boxes).expect("valid boxes");
        let mut in_a_sweep = 0;
        for frame in 0..120 {
            drift.step();
            if frame % 3 == 0 {
                for (id, &bounds) in (0..).zip(&drift.boxes) {
                    index.update(id, bounds).expect("in use");
                }
            } else if frame % 37 == 0 {
                drift.boxes.reverse();
                index.update_all(&drift.boxes).expect("valid boxes");
            } else {
                index.update_all(&drift.boxes).expect("valid boxes");
            }
            if frame % 29 == 28 {
                (0..2500).for_each(|id| assert!(index.remove(id).is_some()));
                index.maintain();
                index.validate().expect("a sound tree");
                (0..2500).rev().for_each(|id: u32| assert_eq!(index.insert(drift.boxes[id as usize]), Ok(id)));
            }
            for _ in 0..frame % 4 {
                let id = random.below(drift.boxes.len()) as u32;
                assert!(index.remove(id).is_some());
                assert_eq!(index.insert(drift.boxes[id as usize]), Ok(id));
            }
            index.maintain();
            let sweep = index.view().structure.sweep;
            in_a_sweep += usize::from(sweep.done < sweep.windows);
            index.validate().expect("a sound tree");
            if frame % 8 == 0 {
                let brute = Index::<BruteForce>::from_boxes(&drift.boxes).expect("valid boxes");
                assert_eq!(sorted_pairs(index.pairs()), sorted_pairs(brute.pairs()), "frame {frame}");
            }
        }
        assert!(in_a_sweep > 10, "{in_a_sweep} frames");
    }

    /// The sum of how wide and high the hulls of all packs are.
    pub(in super::super) fn hulls(index: &Index) -> f32 {
        let levels = &index.view().structure.levels;
        let hulls = (0..levels.packs()).map(|pack| levels.get(1, pack)).filter(Aabb::is_ordered);
        hulls.map(|hull| hull.max[0] - hull.min[0] + hull.max[1] - hull.min[1]).sum()
    }

    /// Worlds that grow beyond the grid by which they were sorted, or shrink within it, slowly and fast.
    #[test]
    fn boxes_that_are_not_where_the_grid_is_are_sorted_by_another() {
        for grows in [1.03_f32, 1.06, 1.08, 1.14, 0.97, 0.9, 0.8] {
            let mut drift = Drift::new(6000, &mut Random::new(7));
            let mut index = <Index>::from_boxes(&drift.boxes).expect("valid boxes");
            for frame in 0..60 {
                drift.step();
                let scale = grows.powi(frame.min(if grows > 1.0 { 16 } else { 40 }));
                let middle = |bounds: &Aabb| [0, 1].map(|axis| (bounds.min[axis] + 3.0) * scale);
                let grown = drift.boxes.iter().map(|bounds| Aabb::from_center(middle(bounds), [0.003; 2]));
                let boxes: Vec<_> = grown.collect();
                index.update_all(&boxes).expect("valid boxes");
                let times = hulls(&index) / hulls(&Index::from_boxes(&boxes).expect("valid boxes"));
                let most = if grows > 1.0 { 1.6 } else { 2.0 };
                assert!(times < most, "{times} times as large as after a sort, in frame {frame} of {grows}");
            }
            index.validate().expect("a sound tree");
        }
    }

    /// A sort and a window put boxes in the same order: a window that is sorted where nothing has moved stays as it is.
    #[test]
    fn places_along_the_curve_are_those_of_a_sort() {
        for (count, wide) in [(700, 1.0), (3000, 1.0), (3000, 30.0), (5000, 0.01), (40_000, 3.0)] {
            let mut random = Random::new(count as u64);
            let mut some = |scale: f32| random.below(1 << 20) as f32 * scale;
            let boxes: Vec<Aabb> = (0..count).map(|_| Aabb::from_center([some(wide), some(1.0)], [9.0; 2])).collect();
            let index = <Index>::from_boxes(&boxes).expect("valid boxes");
            let FrameTree { grid, order, .. } = index.view().structure;
            let grid = grid.expect("boxes in many places");
            let listed = order.iter().filter(|&&id| id != NONE);
            let places: Vec<u32> = listed.map(|&id| grid.along(&boxes[id as usize])).collect();
            // Boxes of a cell that is not crowded are in any order.
            let cell = |place: u32| place >> (30 - (count as u32).ilog2());
            assert!(places.is_sorted_by_key(|&place| cell(place)), "{count} boxes, {wide} times as wide");
        }
    }

    /// What is cloned, or written and read, goes on as the original does.
    #[cfg(feature = "snapshot")]
    #[test]
    fn what_is_sorted_in_parts_goes_on_where_it_was() {
        let mut drift = Drift::new(6000, &mut Random::new(7));
        let drifts = || {
            drift.step();
            drift.boxes.clone()
        };
        goes_on(drifts, |tree| tree.sweep.done > 0);
        for step in 1..=STEPS {
            let mut world = World::new(TURN);
            goes_on(|| world.step(), |tree| tree.ahead.next == step);
        }
    }

    #[cfg(feature = "snapshot")]
    fn goes_on(mut step: impl FnMut() -> Vec<Aabb>, is_there: impl Fn(&FrameTree) -> bool) {
        let mut index = <Index>::from_boxes(&step()).expect("valid boxes");
        let arrives = (0..100).any(|_| {
            index.update_all(&step()).expect("valid boxes");
            is_there(index.view().structure)
        });
        assert!(arrives, "nothing has begun");
        let bytes = index.to_bytes().expect("ours");
        let mut others = [index.clone(), <Index>::from_bytes(&bytes).expect("just written")];
        for frame in 0..40 {
            let boxes = step();
            index.update_all(&boxes).expect("valid boxes");
            for other in &mut others {
                other.update_all(&boxes).expect("valid boxes");
                assert!(index.pairs().eq(other.pairs()), "frame {frame}");
            }
        }
    }
}
