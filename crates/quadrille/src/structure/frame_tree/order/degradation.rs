//! When to sort: rent or buy.
//!
//! Keeping an order costs more with every frame, because hulls grow and more packs meet. Sorting costs a fixed amount,
//! once. Paying the growing cost until it has added up to the price of sorting, and sorting then, costs at most twice as
//! much as the best plan, if an older order is never better than a newer one. If the cost grows evenly, as it does when
//! boxes drift, it is optimal. (A. Karlin, M. Manasse, L. Rudolph, D. Sleator, *Competitive snoopy caching*, 1988.)

use alloc::vec::Vec;

use crate::error::Corruption;
use crate::geometry::{Aabb, Scalar};
use crate::kernel::LANES;
use crate::memory::clone_by_field;
use crate::storage::{Boxes, NONE, bytes_of, make_room};
use crate::structure::fit::Fit;

/// The cost of sorting, in units of the cost of finding the pairs between packs right after a sort. More: sorted less
/// often. From 1 to 5, whole frames of `uniform` and `clustered` take the same time within a tenth (2026-11-22).
pub(in super::super) const SORTING: f64 = 2.0;

/// Boxes that are sorted in parts begin to be at this sum: while they are, it grows further. More: hulls cost more.
/// Fewer: sorted more often.
const SWEEPING: f64 = 1.0;

/// They are sorted at once after all if the sum reaches this: hulls have grown faster than the parts were sorted.
pub(in super::super) const PATIENCE: f64 = 6.0;

/// What is sorted in the course of some frames is sorted at once if the sum would reach this before. More: hulls cost more.
/// Less: frames are late where a world breathes.
pub(in super::super) const LONGEST: f64 = 12.0;

/// Nor is there time if hulls cost this much more now. More: where all boxes rush apart, half of all frames take a step.
pub(in super::super) const DEGRADED: f64 = 0.5;

/// A box strays if the hull of its pack would cost more than this many times what it cost when boxes were sorted. More:
/// pairs cost more between two sorts. Less: more boxes go to the tail.
pub(in super::super) const MAX_GROWTH: f32 = 4.0;

/// Degradation is added up in whole numbers, this many to a unit: so the order of addition does not matter.
const ONE: f32 = 65_536.0;

/// The cost of a hull: how many boxes of median size it would touch if they tiled the plane. A large hull meets many
/// packs.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Cost {
    /// One over the median size of boxes.
    scale: [f64; 2],
}

impl Cost {
    #[inline(always)]
    pub(in super::super) fn of<S: Scalar>(self, hull: &Aabb<S>) -> f32 {
        let length = |axis: usize| (hull.max[axis].to_f64() - hull.min[axis].to_f64()) * self.scale[axis] + 1.0;
        ((length(0) * length(1)) as f32).min(f32::MAX)
    }
}

/// How much the cost of a hull has grown since boxes were sorted, as a factor of at most `cap`.
#[inline(always)]
#[expect(clippy::cast_sign_loss, reason = "between 0 and the number of packs")]
pub(in super::super) fn growth(baseline: f32, now: f32, cap: f32) -> u64 {
    ((now / baseline).min(cap) * ONE) as u64
}

/// The mean degradation of some packs, given their summed [`growth`].
pub(in super::super) fn mean(grown: u64, packs: usize) -> f64 {
    (grown as f64 / f64::from(ONE) / packs.max(1) as f64 - 1.0).max(0.0)
}

/// What the order has cost since the last sort, beyond its cost right after it.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in super::super) struct Degradation {
    /// The median width and height of boxes when they were sorted, never zero.
    size: [f64; 2],
    /// The cost of each pack when it was sorted; for one of the tail, the harmonic mean of all.
    baselines: Vec<f32>,
    mean_baseline: f32,
    /// How many packs were sorted.
    sorted: usize,
    /// The sum over frames of the mean over sorted packs, and of the runs in the tail.
    sum: f64,
}

clone_by_field!([] Degradation { size, baselines, mean_baseline, sorted, sum });

impl Degradation {
    pub(in super::super) const fn new() -> Self {
        Self { size: [1.0; 2], baselines: Vec::new(), mean_baseline: 1.0, sorted: 0, sum: 0.0 }
    }

    /// All packs are gone. Memory is kept.
    pub(in super::super) fn clear(&mut self) {
        let mut baselines = core::mem::take(&mut self.baselines);
        baselines.clear();
        *self = Self { baselines, ..Self::new() };
    }

    /// Measures the boxes that are to be sorted.
    pub(in super::super) fn measure<S: Scalar>(&mut self, boxes: &Boxes<S>) {
        let size = Fit::of(boxes).size;
        let least = f64::max(size[0], size[1]).min(f64::MAX) / 1e9;
        self.size = size.map(|size| size.clamp(if least > 0.0 { least } else { 1.0 }, f64::MAX));
    }

    pub(in super::super) fn size(&self) -> [f64; 2] {
        self.size
    }

    pub(in super::super) fn sorted(&self) -> usize {
        self.sorted
    }

    /// Only this many of the first packs are still in order.
    pub(in super::super) fn keep_sorted(&mut self, sorted: usize) {
        self.sorted = sorted;
    }

    /// Holes will be closed: each pack has the baseline of the one from which its first box comes.
    pub(in super::super) fn close_up(&mut self, order: &[u32]) {
        let (mut kept, sorted) = (0, self.sorted * LANES);
        for slot in (0..order.len().min(sorted)).filter(|&slot| order[slot] != NONE) {
            if kept % LANES == 0 {
                self.baselines[kept / LANES] = self.baselines[slot / LANES];
            }
            kept += 1;
        }
        self.sorted = kept / LANES;
    }

    /// These are the packs now.
    pub(in super::super) fn resize(&mut self, packs: usize) {
        make_room(&mut self.baselines, packs);
        self.baselines.resize(packs, self.mean_baseline);
    }

    /// What a refit needs: the measure of cost, a cap on growth (a pack meets no more than all others), and the
    /// baseline of each pack.
    pub(in super::super) fn measures(&mut self) -> (Cost, f32, &mut [f32]) {
        (self.cost(), self.baselines.len() as f32, &mut self.baselines)
    }

    fn cost(&self) -> Cost {
        Cost { scale: self.size.map(|size| 1.0 / size) }
    }

    /// How much the cost of a pack has grown, if this is its hull.
    pub(in super::super) fn growth_of<S: Scalar>(&self, pack: usize, hull: &Aabb<S>) -> u64 {
        let baseline = self.baselines[pack];
        growth(baseline, if hull.is_ordered() { self.cost().of(hull) } else { baseline }, self.baselines.len() as f32)
    }

    /// The cost of the hull of a pack; of none, the least.
    pub(in super::super) fn cost_of<S: Scalar>(&self, hull: &Aabb<S>) -> f32 {
        if hull.is_ordered() { self.cost().of(hull) } else { 1.0 }
    }

    /// Would a pack with this hull meet many more others than when it was sorted?
    pub(in super::super) fn is_overgrown<S: Scalar>(&self, pack: usize, hull: &Aabb<S>) -> bool {
        self.cost_of(hull) > MAX_GROWTH * self.baselines[pack]
    }

    /// This is the hull of a pack that has just been sorted.
    pub(in super::super) fn renew<S: Scalar>(&mut self, pack: usize, hull: &Aabb<S>) {
        self.baselines[pack] = self.cost_of(hull);
    }

    /// Adds the growth of sorted packs that a refit has found, or begins again if boxes have just been sorted.
    pub(in super::super) fn add(&mut self, grown: u64, is_sorted: bool) {
        if is_sorted {
            (self.sorted, self.sum) = (self.baselines.len(), 0.0);
            // The harmonic mean, so that a single pack with an outlier does not allow huge hulls in the tail.
            let shares: f32 = self.baselines.iter().map(|cost| 1.0 / cost).sum();
            self.mean_baseline = (self.baselines.len() as f32 / shares.max(f32::MIN_POSITIVE)).clamp(1.0, f32::MAX);
        } else {
            self.sum += mean(grown, self.sorted.min(self.baselines.len()));
        }
    }

    /// Adds the cost of the runs in the tail: the packs of each meet about as many others as all packs did right after
    /// a sort, whatever hulls were like then.
    pub(in super::super) fn add_runs(&mut self, runs: u32) {
        self.sum += f64::from(runs);
    }

    /// The order is no longer worth its cost, whatever hulls say: any limit is exceeded.
    pub(in super::super) fn give_up(&mut self) {
        self.sum = f64::MAX;
    }

    /// Has it, with this much more, passed a limit?
    pub(in super::super) fn exceeds(&self, limit: f64, more: f64) -> bool {
        self.sum + more > limit
    }

    /// Has it reached the cost at which a sweep begins?
    pub(in super::super) fn pays_for_sweeping(&self) -> bool {
        self.exceeds(SWEEPING, 0.0)
    }

    /// All packs have been sorted, one part after the other.
    pub(in super::super) fn begin_again(&mut self) {
        self.sum = 0.0;
    }

    pub(in super::super) fn bytes(&self) -> [usize; 2] {
        bytes_of(&self.baselines)
    }

    pub(in super::super) fn validate(&self, packs: usize) -> Result<(), Corruption> {
        let is_cost = |cost: &f32| *cost >= 1.0 && cost.is_finite();
        let is_sound = self.size.iter().all(|size| *size > 0.0 && size.is_finite())
            && self.baselines.len() == packs
            && self.baselines.iter().chain([&self.mean_baseline]).all(is_cost)
            && self.sorted < usize::MAX / 2 / LANES
            && self.sum >= 0.0;
        Corruption::unless(is_sound, || "what hulls cost when boxes were sorted is no measure".into())
    }
}
