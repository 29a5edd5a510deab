//! What a frame tree holds.

use alloc::vec::Vec;
use core::mem::take;

use super::kinds::Kinds;
use super::order::curve::ahead::Ahead;
use super::order::curve::{Curve, Grid};
use super::order::degradation::Degradation;
use super::order::least_ids::LeastIds;
use super::order::levels::Levels;
use super::still::Still;
use super::sweep::Sweep;
use crate::geometry::Scalar;
use crate::kernel::LANES;
use crate::memory::clone_by_field;
use crate::storage::{Boxes, NONE, make_room};

/// Boxes in spatial order, sixteen to a pack, under a tree of hulls. The order is kept from frame to frame as long as
/// it is good: most frames refit, some also sort a part again.
///
/// In the manual: `docs/structures/frame-tree.md`.
///
/// - **Best for:** every scene and data set that was measured: whole frames, all pairs, and most queries.
///   Every frame, call [`update_all`](crate::Index::update_all), then [`pairs`](crate::Index::pairs). Sizes may be
///   mixed, crowds clustered, boxes long and thin, and boxes may coincide.
/// - **Avoid for:** boxes that are spread evenly and jump one by one, each followed by a small query. There, a
///   [`LooseGrid`](crate::structures::LooseGrid) takes less time. Without `maintain`, answers stay exact, but all pairs take up to
///   three times as long.
/// - **Order of answers**, in this version: pack by pack along the curve. Pairs: by groups of sixteen packs, those
///   within a pack first. If many boxes do not meet because of their layers, `maintain` puts those with equal layers
///   side by side within each sixteen groups. If most boxes are [fixed](crate::Mobility::Fixed), those come after all
///   others: frames leave them out, and events compare none with each other; all pairs take up to a quarter longer.
/// - **Cost:**
///   - `insert`: logarithmic on average. A box in the tail is sorted again whenever its run doubles. As a `Vec` that
///     grows copies everything, one call sorts everything whenever a fifth of the boxes is new or has strayed: 2 ms for
///     100,000 boxes.
///   - `remove`: the hulls above the box. One call closes all holes each time that they outnumber boxes; the first after
///     a sort or a compaction numbers all boxes.
///   - `update`: the hulls above the box, or an insert if it strays from its pack; the first after a sort or a
///     compaction numbers all boxes.
///   - `query`: the packs whose hulls are touched, sixteen at once.
///   - `pairs`: the packs whose hulls touch, sixteen boxes at once. Each call clears 13 KB of lists before it begins: with a
///     handful of boxes, that takes longer than the pairs.
///   - `query_first` and its relatives: the nearest packs. If many boxes are equally near, those with the lowest ids.
///   - `maintain`: all boxes once, or after single changes all packs; once sorting has become worth its cost, a part of
///     all boxes is sorted in each of the next frames, or all at once if they have jumped or have layers.
/// - **Memory:** 37 to 48 bytes per box (`f32`): 16 for the box, 16 for its copy in spatial order, 4 for its index in
///   that order, 1.3 for hulls; 4 once single boxes have been updated or removed; 6 if boxes have layers and some do not
///   meet. Besides, 16 are kept for sorting.
///
/// # How it works
///
/// **Sorting.** Boxes are put in the order in which a Hilbert curve visits their centers, by a radix sort of their places
/// on it. It passes a grid whose cells have the shape of the median box, so long thin boxes are divided across their
/// short side. Boxes that have been sorted before are read in the old order, from their copies there: neighbors are near
/// in memory. Where boxes crowd, they are sorted on a finer grid. Sixteen consecutive boxes are a *pack*: their copies are contiguous,
/// so a rectangle is compared with all of them at once. The hulls of sixteen packs are contiguous, too, and so on up
/// to the root.
///
/// **A frame.** `maintain` copies every box to its slot and computes the hulls on the way. The order stays, because
/// boxes that were neighbors in the last frame mostly still are. As they drift apart, hulls grow and finding pairs
/// costs more. This extra cost is added up frame by frame, and when the sum approaches the cost of sorting, boxes are
/// sorted: one window of the order in each frame, or everything step by step, so that no frame is late. The tree checks a
/// sample of packs first, so a frame in which everything has jumped sorts at once. In this way it adapts: a world at rest is
/// never sorted, one that jumps is sorted every frame, and one that drifts is swept once in a while.
///
/// **Order and hulls determine speed, never answers.** Queries see boxes and hulls, and those are exact. Between
/// `update` and `maintain`, hulls fit what is below them. A box that is new, or strays from its pack, goes to the
/// *tail*: runs of 64, 128, 256, … boxes, each sorted separately, so that comparing one with all other boxes costs as
/// much as a few packs. When the tail has grown to a fifth of all, everything is sorted.
///
/// **Pairs.** Two packs are compared if their hulls touch. In each, sixteen comparisons at once find the boxes that
/// touch the other's hull. The boxes of the pack with fewer of them are then compared with the other pack, one box
/// against sixteen at once. The work is done in stages, each writing a list for the next. Lists are written without
/// branches, because a mispredicted one costs as much as four such comparisons.
///
/// ```
/// use core::ops::ControlFlow;
/// use quadrille::{Aabb, FrameTree, Index};
///
/// let mut boxes = vec![Aabb::<f32>::from_center([0.0, 0.0], [1.0, 1.0]); 3];
/// let mut index = Index::<FrameTree>::from_boxes(&boxes)?;
/// for frame in 1..=3 {
///     for (k, bounds) in (0_u8..).zip(&mut boxes) {
///         *bounds = bounds.with_offset([f32::from(k), 0.0]);
///     }
///     index.update_all(&boxes)?;
///     let mut pairs = 0;
///     let _ = index.pairs_visit(|_, _| {
///         pairs += 1;
///         ControlFlow::<()>::Continue(())
///     });
///     assert_eq!(pairs, [3, 2, 0][frame - 1]);
/// }
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
pub struct FrameTree<S = f32> {
    /// Ids by slot; [`NONE`] in holes and in the padding of the last pack.
    pub(super) order: Vec<u32>,
    /// For each slot of a group parted by kind, the place of its id along the curve, counted within the group.
    pub(super) places: Vec<u16>,
    /// How many slots there are.
    pub(super) used: usize,
    pub(super) holes: usize,
    #[cfg_attr(feature = "serde", serde(with = "super::order::levels::as_boxes"))]
    pub(super) levels: Levels<S>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) least_ids: LeastIds,
    pub(super) degradation: Degradation,
    #[cfg_attr(feature = "serde", serde(with = "super::kinds::as_list"))]
    pub(super) kinds: Kinds,
    /// Unions of layers hold those of all boxes, and more if boxes have come and gone one by one.
    pub(super) are_layers_read: bool,
    /// Every slot holds the box of its id and every hull is the smallest, as they are after single changes.
    pub(super) is_fit: bool,
    /// The grid of the last sort.
    pub(super) grid: Option<Grid>,
    pub(super) sweep: Sweep,
    /// The order that comes next, while it is being made.
    pub(super) ahead: Ahead,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) curve: Curve,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) still: Still,
    /// Slots by id; valid if `is_numbered`.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) slots: Vec<u32>,
    /// Set from the first single update or removal until slots change.
    pub(super) is_numbered: bool,
    /// The id of the last single update.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) last_updated: u32,
}

clone_by_field!([S: Clone] FrameTree<S> {
    order, places, used, holes, levels, least_ids, degradation, kinds, are_layers_read, is_fit, grid, sweep, ahead, curve, still, slots, is_numbered,
    last_updated
});

/// The ids of a pack.
#[inline(always)]
pub(super) fn of(order: &[u32], pack: usize) -> &[u32; LANES] {
    order[pack * LANES..][..LANES].try_into().expect("packs are whole")
}

impl<S: Scalar> FrameTree<S> {
    /// The ids of a pack.
    #[inline(always)]
    pub(super) fn pack(&self, pack: usize) -> &[u32; LANES] {
        of(&self.order, pack)
    }

    /// The least id below a child of a level above the boxes.
    #[inline]
    pub(super) fn least_id(&self, level: usize, at: usize) -> u32 {
        self.least_ids.below(&self.order, level, at)
    }

    /// Every slot in use with its id.
    pub(super) fn listed(&self) -> impl Iterator<Item = (usize, u32)> {
        self.order.iter().copied().enumerate().filter(|&(_, id)| id != NONE)
    }

    /// The slot of an id. Numbers all boxes if slots have changed since the last time.
    #[inline]
    pub(super) fn slot(&mut self, boxes: &Boxes<S>, id: u32) -> usize {
        if !self.is_numbered {
            self.number(boxes);
        }
        self.slots[id as usize] as usize
    }

    #[cold]
    pub(super) fn number(&mut self, boxes: &Boxes<S>) {
        let mut slots = take(&mut self.slots);
        slots.clear();
        make_room(&mut slots, boxes.slots());
        slots.resize(boxes.slots(), NONE);
        for (slot, id) in self.listed() {
            if let Some(place) = slots.get_mut(id as usize) {
                *place = slot as u32;
            }
        }
        (self.slots, self.is_numbered) = (slots, true);
    }
}
