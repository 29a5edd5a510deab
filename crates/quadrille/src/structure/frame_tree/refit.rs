//! Refitting: boxes have moved, the order stays.

use core::ops::Range;

use super::order::degradation::{self, Cost};
use super::order::levels::Sixteen;
use super::tree::FrameTree;
use crate::executor::Executor;
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, Kernel, LANES, Task};
use crate::storage::{Boxes, NONE};

/// Packs per job for several threads, whole groups. More: with 100,000 boxes, many threads have nothing to do. Fewer:
/// the first boxes of a job, which are not prefetched, weigh more.
const JOB: usize = 256;

/// Boxes are prefetched this many slots ahead: they are scattered, and the CPU by itself looks ahead no farther than
/// about ten boxes. With 500,000 boxes this saves 12 ns per box.
const AHEAD: usize = 64;

/// What has become of packs since the last refit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Packs {
    /// Boxes are in the same packs, except single ones.
    Same,
    /// All boxes have been sorted.
    Sorted,
    /// Those of some packs have been sorted.
    Window { first: usize, end: usize },
    /// Boxes have changed packs within their group, and before that, hulls cost this many times what they did right
    /// after the last sort.
    Parted(f32),
}

impl<S: Scalar> FrameTree<S> {
    /// Copies all boxes to their slots and computes the hulls. Sums up how much worse the hulls
    /// are than right after the last sort.
    pub(super) fn refit<E: Executor>(&mut self, boxes: &Boxes<S>, since: Packs, executor: &E) {
        let (packs, groups) = self.levels.lowest_mut();
        let job = if E::IS_ALONE { (groups.len() * LANES).max(LANES) } else { JOB };
        let sorted = self.degradation.sorted();
        let still = if matches!(since, Packs::Same) { self.still.packs_at_rest() } else { 0..0 };
        let fresh = match since {
            Packs::Same | Packs::Parted(_) => 0..0,
            Packs::Sorted => 0..packs.len(),
            Packs::Window { first, end } => first..end,
        };
        let (cost, cap, baselines) = self.degradation.measures();
        let jobs = (self.order.chunks(job * LANES).zip(baselines.chunks_mut(job)))
            .zip(packs.chunks_mut(job).zip(groups.chunks_mut(job / LANES)))
            .zip(0..)
            .map(|(((order, baselines), (packs, groups)), number): (_, usize)| Refit {
                sorted: sorted.saturating_sub(number * job),
                still: still.start.saturating_sub(number * job)..still.end.saturating_sub(number * job),
                fresh: fresh.start.saturating_sub(number * job)..fresh.end.saturating_sub(number * job),
                boxes,
                order,
                packs,
                groups,
                baselines,
                cost,
                cap,
                parted: if let Packs::Parted(grown) = since { Some(grown) } else { None },
            });
        let mut grown = 0;
        executor.share(jobs, &mut grown, |job, grown| *grown += kernel::dispatch(job), |grown, more| *grown += more);
        self.levels.raise();
        self.still.settle();
        self.is_fit = true;
        let is_sorted = matches!(since, Packs::Sorted);
        if !is_sorted && self.may_have_strays(boxes, degradation::mean(grown, self.sorted_packs())) {
            self.send_strays(boxes, &fresh);
            grown = self.growth();
        }
        self.degradation.add(grown, is_sorted);
    }

    /// The degradation that a refit would add, if all hulls fit.
    pub(super) fn growth(&self) -> u64 {
        let hulls = self.levels.hulls(1).enumerate().take(self.degradation.sorted());
        hulls.map(|(pack, hull)| self.degradation.growth_of(pack, &hull)).sum()
    }
}

impl<S: Scalar> FrameTree<S> {
    /// Copies the boxes of some packs, holes last, to their slots, and computes the hulls above them.
    #[inline(never)]
    pub(super) fn refit_some(&mut self, boxes: &Boxes<S>, packs: Range<usize>) {
        for pack in packs.clone() {
            let ids = *self.pack(pack);
            let count = ids.iter().filter(|&&id| id != NONE).count();
            let node = &mut self.levels.lowest_mut().0[pack];
            let hull = kernel::dispatch(Fill { pack: node, boxes: boxes.all(), ids: &ids, count });
            self.levels.set_hull(pack, &hull);
        }
        self.levels.raise_some(&packs);
    }
}

/// The task of filling a pack: see [`Sixteen::fill`].
struct Fill<'a, S> {
    pack: &'a mut Sixteen<S>,
    boxes: &'a [Aabb<S>],
    ids: &'a [u32; LANES],
    count: usize,
}

impl<S: Scalar> Task for Fill<'_, S> {
    type Output = Aabb<S>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Aabb<S> {
        self.pack.fill(kernel, self.boxes, self.ids, self.count)
    }
}

/// The task of refitting some packs, whole groups of them. Returns the sum of the growth of those that were sorted.
struct Refit<'a, S> {
    /// This many of the first packs, or all if there are fewer.
    sorted: usize,
    /// These packs are as they were.
    still: Range<usize>,
    /// These have been sorted.
    fresh: Range<usize>,
    boxes: &'a Boxes<S>,
    order: &'a [u32],
    packs: &'a mut [Sixteen<S>],
    groups: &'a mut [Sixteen<S>],
    baselines: &'a mut [f32],
    cost: Cost,
    cap: f32,
    /// If boxes have been parted: how much hulls had grown before.
    parted: Option<f32>,
}

impl<S: Scalar> Task for Refit<'_, S> {
    type Output = u64;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> u64 {
        let Self { sorted, still, fresh, boxes, order, packs, groups, baselines, cost, cap, parted } = self;
        let mut grown = 0;
        for (at, (pack, ids)) in packs.iter_mut().zip(order.chunks_exact(LANES)).enumerate() {
            if still.contains(&at) {
                let hull = groups[at / LANES].get(at % LANES);
                let now = if hull.is_ordered() { cost.of(&hull) } else { baselines[at] };
                grown += if at < sorted { degradation::growth(baselines[at], now, cap) } else { 0 };
                continue;
            }
            if let Some(soon) = order.get(at * LANES + AHEAD..).and_then(|rest| rest.first_chunk::<LANES>()) {
                soon.iter().for_each(|&id| boxes.prefetch(id));
            }
            let ids: &[u32; LANES] = ids.try_into().expect("packs are whole");
            let count = LANES - kernel.marks(ids).count_ones() as usize;
            let hull = pack.fill(kernel, boxes.all(), ids, count);
            if at % LANES == 0 {
                groups[at / LANES] = Sixteen::EMPTY;
            }
            groups[at / LANES].set(at % LANES, &hull);
            let now = if count > 0 { cost.of(&hull) } else { baselines[at] };
            if fresh.contains(&at) {
                baselines[at] = now;
            } else if let Some(grown) = parted {
                baselines[at] = (now / grown).max(1.0);
            }
            grown += if at < sorted { degradation::growth(baselines[at], now, cap) } else { 0 };
        }
        grown
    }
}
