//! The boxes by slot and the hulls above them, sixteen to a node, level by level.

use alloc::vec::Vec;
use core::array;
use core::ops::Range;

use crate::error::Corruption;
use crate::executor::{Executor, Serial};
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, Kernel, LANES, Lanes};
use crate::memory::clone_by_field;
use crate::storage::{Boxes, Layers, Unions, add_bytes, bytes_of, make_room};

/// Sixteen boxes by columns, four cache lines for `f32` and `i32`. Missing ones are empty.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(in super::super) struct Sixteen<S>([[S; LANES]; 4]);

impl<S: Scalar> Sixteen<S> {
    pub(in super::super) const EMPTY: Self =
        Self([[S::HIGHEST; LANES], [S::HIGHEST; LANES], [S::LOWEST; LANES], [S::LOWEST; LANES]]);

    #[inline(always)]
    pub(in super::super) fn get(&self, lane: usize) -> Aabb<S> {
        let [min_x, min_y, max_x, max_y] = &self.0;
        Aabb::new([min_x[lane], min_y[lane]], [max_x[lane], max_y[lane]])
    }

    #[inline(always)]
    pub(in super::super) fn set(&mut self, lane: usize, bounds: &Aabb<S>) {
        for (column, value) in self.0.iter_mut().zip(<[S; 4]>::from(*bounds)) {
            column[lane] = value;
        }
    }

    #[inline(always)]
    pub(in super::super) fn lanes(&self) -> Lanes<'_, S> {
        let [min_x, min_y, max_x, max_y] = &self.0;
        [min_x, min_y, max_x, max_y]
    }

    /// Copies the boxes of the first `count` ids, and returns their hull.
    #[inline(always)]
    pub(in super::super) fn fill<K: Kernel>(
        &mut self,
        kernel: K,
        boxes: &[Aabb<S>],
        ids: &[u32; LANES],
        count: usize,
    ) -> Aabb<S> {
        if count == 0 {
            *self = Self::EMPTY;
            return Aabb::EMPTY;
        }
        let [min_x, min_y, max_x, max_y] = &mut self.0;
        let [least, greatest] = kernel.gather(boxes, ids, count, [min_x, min_y, max_x, max_y]);
        for lane in count..LANES {
            self.set(lane, &Aabb::EMPTY);
        }
        Aabb::new([least[0], least[1]], [greatest[2], greatest[3]])
    }

    /// Not inlined: loops over nodes would contain it, which takes as long.
    #[inline(never)]
    fn hull(&self) -> Aabb<S> {
        let [min_x, min_y, max_x, max_y] = &self.0;
        let least = |column| folded(column, S::lesser);
        let greatest = |column| folded(column, S::greater);
        Aabb::new([least(min_x), least(min_y)], [greatest(max_x), greatest(max_y)])
    }
}

/// Sets the number of nodes of a level. Not inlined: there are nine levels, most of them without nodes.
#[inline(never)]
fn resize<S: Scalar>(level: &mut Vec<Sixteen<S>>, nodes: usize, executor: &impl Executor) {
    make_room(level, nodes);
    executor.resize(level, nodes, Sixteen::EMPTY);
}

/// Reduces sixteen numbers to one: the first half against the second, side by side, and so on.
#[inline(always)]
fn folded<S: Copy>(column: &[S; LANES], pick: impl Fn(S, S) -> S) -> S {
    let eight: [S; 8] = array::from_fn(|lane| pick(column[lane], column[lane + 8]));
    let [a, b, c, d]: [S; 4] = array::from_fn(|lane| pick(eight[lane], eight[lane + 4]));
    pick(pick(a, c), pick(b, d))
}

/// May a hull become smaller when something below it moves? Only if that was at an edge of the hull and moves away from
/// it.
#[inline(always)]
fn may_shrink<S: Scalar>(hull: &Aabb<S>, old: &Aabb<S>, now: &Aabb<S>) -> bool {
    let leaves = |axis: usize| {
        (old.min[axis] <= hull.min[axis]) & (hull.min[axis] < now.min[axis])
            | (hull.max[axis] <= old.max[axis]) & (now.max[axis] < hull.max[axis])
    };
    leaves(0) | leaves(1)
}

/// The bytes of a cache line, on most machines.
const LINE: usize = 64;

/// The greatest height of a tree: 16^9 slots are more than there are boxes.
pub(in super::super) const MAX_LEVELS: usize = 9;

/// A tree without pointers: child `k` of a level is in node `k / 16` of that level, and is the hull of node `k` of the
/// level below. The children of the lowest level are the boxes themselves, by slot; its nodes are the packs. The
/// highest level is a single node.
///
/// The packed R-tree of I. Kamel and C. Faloutsos, *On packing R-trees*, 1993.
#[derive(Debug)]
pub(in super::super) struct Levels<S> {
    /// Lowest first.
    levels: [Vec<Sixteen<S>>; MAX_LEVELS],
    /// How many levels there are: none, or two or more.
    height: usize,
    /// For each level but the lowest the unions of layers of its children.
    unions: [Unions; MAX_LEVELS],
}

clone_by_field!([S: Clone] Levels<S> { levels, height, unions });

impl<S> Default for Levels<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> Levels<S> {
    pub(in super::super) const fn new() -> Self {
        Self { levels: [const { Vec::new() }; MAX_LEVELS], height: 0, unions: [const { Unions::new() }; MAX_LEVELS] }
    }
}

impl<S: Scalar> Levels<S> {
    pub(in super::super) fn clear(&mut self) {
        self.resize(0, &Serial);
        self.unions.iter_mut().for_each(|unions| unions.reset(false, 0));
    }

    /// Sets the number of packs. New nodes are empty.
    pub(in super::super) fn resize(&mut self, packs: usize, executor: &impl Executor) {
        let (mut nodes, mut height) = (packs, 0);
        for level in &mut self.levels {
            resize(level, nodes, executor);
            height += usize::from(nodes > 0);
            nodes = if nodes > 1 || height == 1 { nodes.div_ceil(LANES) } else { 0 };
        }
        self.height = height;
    }

    /// Makes room for this many packs.
    pub(in super::super) fn reserve(&mut self, packs: usize) {
        let mut nodes = packs;
        for level in &mut self.levels {
            make_room(level, nodes);
            nodes = if nodes > 1 { nodes.div_ceil(LANES) } else { 0 };
        }
    }

    pub(in super::super) fn height(&self) -> usize {
        self.height
    }

    pub(in super::super) fn packs(&self) -> usize {
        self.levels[0].len()
    }

    /// How many nodes there are above the packs: groups of up to sixteen.
    pub(in super::super) fn groups(&self) -> usize {
        self.levels[1].len()
    }

    /// How many nodes there are on all levels.
    pub(in super::super) fn nodes(&self) -> usize {
        self.levels.iter().map(Vec::len).sum()
    }

    /// The packs and the groups, to be filled.
    pub(in super::super) fn lowest_mut(&mut self) -> (&mut [Sixteen<S>], &mut [Sixteen<S>]) {
        let (packs, groups) = self.levels.split_at_mut(1);
        (&mut packs[0], &mut groups[0])
    }

    /// Computes all hulls above those of the packs.
    pub(in super::super) fn raise(&mut self) {
        (2..self.height).for_each(|level| self.raise_to(level));
    }

    // Not inlined into those that raise one level or several.
    #[inline(never)]
    fn raise_to(&mut self, level: usize) {
        let (below, above) = self.levels.split_at_mut(level);
        for (node, children) in above[0].iter_mut().zip(below[level - 1].chunks(LANES)) {
            *node = Sixteen::EMPTY;
            for (lane, child) in children.iter().enumerate() {
                node.set(lane, &child.hull());
            }
        }
    }

    /// Links the last pack, which is new, into the tree. If there is a new level, the unions of layers must be
    /// recomputed.
    pub(in super::super) fn link_last(&mut self) {
        let top = self.height - 1;
        if top > 1 && self.levels[top][0].hull() == Aabb::EMPTY {
            self.raise_to(top);
        }
        (1..self.height).for_each(|level| self.unions[level].set_len(self.levels[level - 1].len()));
    }

    /// Puts a box into a slot that is empty.
    pub(in super::super) fn place(&mut self, slot: usize, bounds: &Aabb<S>, layers: Layers) {
        self.set(slot, bounds);
        self.widen_layers(slot / LANES, layers);
    }

    /// Exchanges two boxes of a pack.
    pub(in super::super) fn swap(&mut self, pack: usize, one: usize, other: usize) {
        self.levels[0][pack].0.iter_mut().for_each(|column| column.swap(one, other));
    }

    /// Moves a box in its slot if the hull of its pack stays as it is.
    #[inline]
    pub(in super::super) fn move_within(&mut self, slot: usize, old: &Aabb<S>, now: &Aabb<S>) -> bool {
        let (pack, lane) = (slot / LANES, slot % LANES);
        let hull = self.get(1, pack);
        let stays = !may_shrink(&hull, old, now) & hull.contains(now);
        if stays {
            self.levels[0][pack].set(lane, now);
        }
        stays
    }

    /// Puts a box into a slot, or [`Aabb::EMPTY`] for none, and refits all hulls above.
    pub(in super::super) fn set(&mut self, slot: usize, bounds: &Aabb<S>) {
        let (mut at, mut now) = (slot, *bounds);
        for level in 0..self.height {
            let (node, lane) = (at / LANES, at % LANES);
            let old = self.levels[level][node].get(lane);
            self.levels[level][node].set(lane, &now);
            if level + 1 == self.height {
                return;
            }
            let hull = self.get(level + 1, node);
            now = if may_shrink(&hull, &old, &now) { self.levels[level][node].hull() } else { hull.union(&now) };
            if now == hull {
                return;
            }
            at = node;
        }
    }

    /// Sets the hull of a pack, but none above.
    pub(in super::super) fn set_hull(&mut self, pack: usize, hull: &Aabb<S>) {
        self.levels[1][pack / LANES].set(pack % LANES, hull);
    }

    /// The nodes above some packs, level by level, from the groups up.
    fn above(&self, packs: &Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> + use<S> {
        let (mut first, mut end) = (packs.start, packs.end);
        (2..self.height).map(move |level| {
            (first, end) = (first / LANES, end.div_ceil(LANES));
            (level, first..end)
        })
    }

    /// Computes the hulls above those of some packs.
    pub(in super::super) fn raise_some(&mut self, packs: &Range<usize>) {
        for (level, nodes) in self.above(packs) {
            for node in nodes {
                let hull = self.levels[level - 1][node].hull();
                self.levels[level][node / LANES].set(node % LANES, &hull);
            }
        }
    }

    /// Makes the unions of layers of some packs, and of the nodes above them, exact if any are kept.
    pub(in super::super) fn unite_some(&mut self, packs: Range<usize>, own: &mut dyn FnMut(usize) -> Layers) {
        if !self.unions[1].is_kept() {
            return;
        }
        packs.clone().for_each(|pack| self.unions[1].set(pack as u32, own(pack)));
        for (level, nodes) in self.above(&packs) {
            for node in nodes {
                let children = node * LANES..((node + 1) * LANES).min(self.levels[level - 2].len());
                let union = children.fold(Layers::NONE, |union, child| union.union(self.layers(level - 1, child)));
                self.unions[level].set(node as u32, union);
            }
        }
    }

    /// Keeps exact unions of layers from now on, given those of packs, or none.
    pub(in super::super) fn unite(&mut self, is_kept: bool, own: &mut dyn FnMut(usize) -> Layers) {
        for level in 1..MAX_LEVELS {
            let children = if level < self.height { self.levels[level - 1].len() } else { 0 };
            self.unions[level].reset(is_kept, children);
        }
        if is_kept {
            self.unite_some(0..self.packs(), own);
        }
    }

    /// Adds the layers of a box to the union of its pack and to all unions above.
    pub(in super::super) fn widen_layers(&mut self, pack: usize, layers: Layers) {
        let mut at = pack;
        for unions in &mut self.unions[1..self.height] {
            unions.widen(at as u32, layers);
            at /= LANES;
        }
    }

    /// The union of the layers of everything in child `at` of a level above the boxes; [`Layers::ALL`] if none are
    /// kept.
    #[inline(always)]
    pub(in super::super) fn layers(&self, level: usize, at: usize) -> Layers {
        self.unions[level].get(at as u32)
    }

    /// The hull of a group.
    #[inline(always)]
    pub(in super::super) fn group(&self, group: usize) -> Aabb<S> {
        if self.height > 2 { self.get(2, group) } else { self.hull() }
    }

    /// `false` if nothing in child `at` of a level above the packs is wanted.
    #[inline(always)]
    pub(in super::super) fn are_wanted(&self, level: usize, at: usize, wants: impl FnOnce(Layers) -> bool) -> bool {
        self.unions[level].are_wanted(at as u32, wants)
    }

    /// The hull of everything; [`Aabb::EMPTY`] if there is nothing.
    pub(in super::super) fn hull(&self) -> Aabb<S> {
        self.levels[..self.height].last().map_or(Aabb::EMPTY, |level| level[0].hull())
    }

    /// Child `at` of its level.
    #[inline(always)]
    pub(in super::super) fn get(&self, level: usize, at: usize) -> Aabb<S> {
        self.levels[level][at / LANES].get(at % LANES)
    }

    /// The sixteen children of a node.
    #[inline(always)]
    pub(in super::super) fn lanes(&self, level: usize, node: usize) -> Lanes<'_, S> {
        self.levels[level][node].lanes()
    }

    /// The packs below child `at` of a level above the packs.
    #[inline]
    pub(in super::super) fn packs_below(&self, level: usize, at: usize) -> Range<usize> {
        let width = LANES.pow(level as u32 - 1);
        at * width..((at + 1) * width).min(self.packs())
    }

    /// The nodes of a level.
    #[inline(always)]
    pub(in super::super) fn level(&self, level: usize) -> &[Sixteen<S>] {
        &self.levels[level]
    }

    /// Prefetches a pack, if there is one of that number.
    #[inline(always)]
    pub(in super::super) fn prefetch(&self, pack: usize) {
        let Some(boxes) = self.levels[0].get(pack) else { return };
        for column in boxes.lanes() {
            for line in (0..LANES).step_by(LINE / size_of::<S>()) {
                kernel::prefetch(column, line);
            }
        }
    }

    /// Prefetches the hull of a pack, if there is one of that number.
    #[inline(always)]
    pub(in super::super) fn prefetch_hull(&self, pack: usize) {
        let Some(hulls) = self.levels[1].get(pack / LANES) else { return };
        hulls.lanes().into_iter().for_each(|column| kernel::prefetch(column, pack % LANES));
    }

    /// Are unions of layers kept for a level?
    #[inline]
    pub(in super::super) fn has_unions(&self, level: usize) -> bool {
        self.unions[level].is_kept()
    }

    /// A bit for each child that a node above the packs has.
    #[inline(always)]
    pub(in super::super) fn present(&self, level: usize, node: usize) -> u32 {
        kernel::lowest((self.levels[level - 1].len() - node * LANES).min(LANES))
    }

    /// The children of a level above the packs, in order.
    pub(in super::super) fn hulls(&self, level: usize) -> impl Iterator<Item = Aabb<S>> {
        (0..self.levels[level - 1].len()).map(move |at| self.get(level, at))
    }

    pub(in super::super) fn bytes(&self) -> [usize; 2] {
        add_bytes(self.levels.iter().map(bytes_of).chain(self.unions.iter().map(Unions::bytes)))
    }

    /// There are this many packs, and every hull is empty or a box that could be stored, and holds what is below it.
    pub(in super::super) fn validate(&self, packs: usize) -> Result<(), Corruption> {
        Corruption::unless(self.packs() == packs, || alloc::format!("hulls of {} packs of {packs}", self.packs()))?;
        let is_sound = (1..self.height).all(|level| {
            self.hulls(level).zip(&self.levels[level - 1]).all(|(hull, node)| {
                let inner = node.hull();
                (hull == Aabb::EMPTY || hull.is_valid()) && (inner == Aabb::EMPTY || hull.contains(&inner))
            })
        });
        Corruption::unless(is_sound, || "a hull is no box, or something sticks out of it".into())
    }

    /// `true` if every hull is the smallest around what is below it.
    pub(in super::super) fn fit(&self) -> bool {
        (1..self.height)
            .all(|level| self.hulls(level).zip(&self.levels[level - 1]).all(|(hull, node)| hull == node.hull()))
    }

    /// Every union of layers is complete.
    pub(in super::super) fn validate_layers(
        &self,
        is_kept: bool,
        own: &mut dyn FnMut(usize) -> Layers,
    ) -> Result<(), Corruption> {
        let mut exact = self.clone();
        exact.unite(is_kept, own);
        let is_sound = self.unions.iter().zip(&exact.unions).all(|(unions, exact)| unions.cover(exact));
        Corruption::unless(is_sound, || "a union of layers lacks some that are below its hull".into())
    }

    /// Fills in the boxes and all hulls but those of packs.
    pub(in super::super) fn restore(&mut self, boxes: &Boxes<S>, order: &[u32]) {
        for (pack, ids) in self.levels[0].iter_mut().zip(order.chunks(LANES)) {
            for (lane, &id) in ids.iter().enumerate() {
                pack.set(lane, &boxes.get(id).unwrap_or(Aabb::EMPTY));
            }
        }
        self.raise();
    }
}

/// Only the hulls of packs are serialized. Boxes are found by their ids, and the hulls above follow.
#[cfg(feature = "serde")]
pub(in super::super) mod as_boxes {
    use alloc::vec::Vec;

    use serde::{Deserializer, Serializer};

    use super::Levels;
    use crate::executor::Serial;
    use crate::geometry::{Aabb, Scalar};
    use crate::kernel::LANES;
    use crate::serial::hulls as boxes;

    pub(crate) fn serialize<S: Scalar, F: Serializer>(levels: &Levels<S>, format: F) -> Result<F::Ok, F::Error> {
        boxes::serialize(&levels.hulls(1).collect::<Vec<Aabb<S>>>(), format)
    }

    pub(crate) fn deserialize<'de, S: Scalar, F: Deserializer<'de>>(format: F) -> Result<Levels<S>, F::Error> {
        let hulls = boxes::deserialize(format)?;
        let mut levels = Levels::new();
        levels.resize(hulls.len(), &Serial);
        for (pack, hull) in hulls.iter().enumerate() {
            levels.levels[1][pack / LANES].set(pack % LANES, hull);
        }
        Ok(levels)
    }
}
