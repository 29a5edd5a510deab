//! The boxes by slot and the hulls above them, sixteen to a node, level by level.

use alloc::vec::Vec;
use core::array;
use core::ops::Range;

use arrayvec::ArrayVec;

use crate::error::Corruption;
use crate::executor::{Executor, Serial};
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, Apart, Baseline, Kernel, LANES, Lanes};
use crate::query::Query;
use crate::storage::{Boxes, Layers, Unions, bytes_of, make_room};

/// Sixteen boxes by columns, four cache lines for `f32` and `i32`. Missing ones are empty.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Sixteen<S>([[S; LANES]; 4]);

impl<S: Scalar> Sixteen<S> {
    pub(super) const EMPTY: Self =
        Self([[S::HIGHEST; LANES], [S::HIGHEST; LANES], [S::LOWEST; LANES], [S::LOWEST; LANES]]);

    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> Aabb<S> {
        let [min_x, min_y, max_x, max_y] = &self.0;
        Aabb::new([min_x[lane], min_y[lane]], [max_x[lane], max_y[lane]])
    }

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, bounds: &Aabb<S>) {
        for (column, value) in self.0.iter_mut().zip(<[S; 4]>::from(*bounds)) {
            column[lane] = value;
        }
    }

    #[inline(always)]
    pub(super) fn lanes(&self) -> Lanes<'_, S> {
        let [min_x, min_y, max_x, max_y] = &self.0;
        [min_x, min_y, max_x, max_y]
    }

    /// Copies the boxes of the first `count` ids, at least one, and returns their hull.
    #[inline(always)]
    pub(super) fn fill<K: Kernel>(
        &mut self,
        kernel: K,
        boxes: &[Aabb<S>],
        ids: &[u32; LANES],
        count: usize,
    ) -> Aabb<S> {
        let [min_x, min_y, max_x, max_y] = &mut self.0;
        let [least, greatest] = kernel.gather(boxes, ids, count, [min_x, min_y, max_x, max_y]);
        for lane in count..LANES {
            self.set(lane, &Aabb::EMPTY);
        }
        Aabb::new([least[0], least[1]], [greatest[2], greatest[3]])
    }

    fn hull(&self) -> Aabb<S> {
        let [min_x, min_y, max_x, max_y] = &self.0;
        let least = |column| folded(column, S::lesser);
        let greatest = |column| folded(column, S::greater);
        Aabb::new([least(min_x), least(min_y)], [greatest(max_x), greatest(max_y)])
    }
}

/// One of sixteen numbers, the first half with the second, and so on: side by side.
#[inline(always)]
fn folded<S: Copy>(column: &[S; LANES], pick: impl Fn(S, S) -> S) -> S {
    let eight: [S; 8] = array::from_fn(|lane| pick(column[lane], column[lane + 8]));
    let [a, b, c, d]: [S; 4] = array::from_fn(|lane| pick(eight[lane], eight[lane + 4]));
    pick(pick(a, c), pick(b, d))
}

/// The bytes of a cache line, on most machines.
const LINE: usize = 64;

/// The greatest height of a tree: 16^9 slots are more than there are boxes.
pub(super) const MAX_LEVELS: usize = 9;

/// A tree without pointers: child `k` of a level is in node `k / 16` of that level, and is the hull of node `k` of the
/// level below. The children of the lowest level are the boxes themselves, by slot; its nodes are the packs. The
/// highest level is a single node.
///
/// The packed R-tree of I. Kamel and C. Faloutsos, *On packing R-trees*, 1993.
#[derive(Clone, Debug)]
pub(super) struct Levels<S> {
    /// Lowest first.
    levels: [Vec<Sixteen<S>>; MAX_LEVELS],
    /// How many levels there are: none, or two or more.
    height: usize,
    /// For each level but the lowest the unions of layers of its children.
    unions: [Unions; MAX_LEVELS],
}

impl<S> Default for Levels<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> Levels<S> {
    pub(super) const fn new() -> Self {
        Self { levels: [const { Vec::new() }; MAX_LEVELS], height: 0, unions: [const { Unions::new() }; MAX_LEVELS] }
    }
}

impl<S: Scalar> Levels<S> {
    pub(super) fn clear(&mut self) {
        self.resize(0, &Serial);
        self.unions.iter_mut().for_each(|unions| unions.reset(false, 0));
    }

    /// Makes these the packs. New nodes are empty.
    pub(super) fn resize(&mut self, packs: usize, executor: &impl Executor) {
        let (mut nodes, mut height) = (packs, 0);
        for level in &mut self.levels {
            make_room(level, nodes);
            executor.resize(level, nodes, Sixteen::EMPTY);
            height += usize::from(nodes > 0);
            nodes = if nodes > 1 || height == 1 { nodes.div_ceil(LANES) } else { 0 };
        }
        self.height = height;
    }

    /// Makes room for this many packs.
    pub(super) fn reserve(&mut self, packs: usize) {
        let mut nodes = packs;
        for level in &mut self.levels {
            make_room(level, nodes);
            nodes = if nodes > 1 { nodes.div_ceil(LANES) } else { 0 };
        }
    }

    pub(super) fn height(&self) -> usize {
        self.height
    }

    pub(super) fn packs(&self) -> usize {
        self.levels[0].len()
    }

    /// How many nodes there are above the packs: groups of up to sixteen.
    pub(super) fn groups(&self) -> usize {
        self.levels[1].len()
    }

    /// How many nodes there are on all levels.
    pub(super) fn nodes(&self) -> usize {
        self.levels.iter().map(Vec::len).sum()
    }

    /// The packs and the groups, to be filled.
    pub(super) fn lowest_mut(&mut self) -> (&mut [Sixteen<S>], &mut [Sixteen<S>]) {
        let (packs, groups) = self.levels.split_at_mut(1);
        (&mut packs[0], &mut groups[0])
    }

    /// Computes all hulls above those of the packs.
    pub(super) fn raise(&mut self) {
        (2..self.height).for_each(|level| self.raise_to(level));
    }

    fn raise_to(&mut self, level: usize) {
        let (below, above) = self.levels.split_at_mut(level);
        for (node, children) in above[0].iter_mut().zip(below[level - 1].chunks(LANES)) {
            *node = Sixteen::EMPTY;
            for (lane, child) in children.iter().enumerate() {
                node.set(lane, &child.hull());
            }
        }
    }

    /// Makes the last pack, which is new, part of the tree. If there is a new level, the unions of layers must be
    /// recomputed.
    pub(super) fn link_last(&mut self) {
        let top = self.height - 1;
        if top > 1 && self.levels[top][0].hull() == Aabb::EMPTY {
            self.raise_to(top);
        }
        (1..self.height).for_each(|level| self.unions[level].set_len(self.levels[level - 1].len()));
    }

    /// Puts a box into a slot that is empty.
    pub(super) fn place(&mut self, slot: usize, bounds: &Aabb<S>, layers: Layers) {
        self.set(slot, bounds);
        self.widen_layers(slot / LANES, layers);
    }

    /// Puts a box into a slot, or [`Aabb::EMPTY`] for none. All hulls above fit.
    pub(super) fn set(&mut self, slot: usize, bounds: &Aabb<S>) {
        let (mut at, mut now) = (slot, *bounds);
        for level in 0..self.height {
            let (node, lane) = (at / LANES, at % LANES);
            let old = self.levels[level][node].get(lane);
            self.levels[level][node].set(lane, &now);
            if level + 1 == self.height {
                return;
            }
            let hull = self.get(level + 1, node);
            let is_inside = hull.min[0] < old.min[0]
                && hull.min[1] < old.min[1]
                && old.max[0] < hull.max[0]
                && old.max[1] < hull.max[1];
            now = if is_inside || old == Aabb::EMPTY { hull.union(&now) } else { self.levels[level][node].hull() };
            if now == hull {
                return;
            }
            at = node;
        }
    }

    /// Sets the hull of a pack, but none above.
    pub(super) fn set_hull(&mut self, pack: usize, hull: &Aabb<S>) {
        self.levels[1][pack / LANES].set(pack % LANES, hull);
    }

    /// The nodes of each level above, from the one of groups on, that lead to some packs.
    fn above(&self, packs: &Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> + use<S> {
        let (mut first, mut end) = (packs.start, packs.end);
        (2..self.height).map(move |level| {
            (first, end) = (first / LANES, end.div_ceil(LANES));
            (level, first..end)
        })
    }

    /// Computes the hulls above those of some packs.
    pub(super) fn raise_some(&mut self, packs: &Range<usize>) {
        for (level, nodes) in self.above(packs) {
            for node in nodes {
                let hull = self.levels[level - 1][node].hull();
                self.levels[level][node / LANES].set(node % LANES, &hull);
            }
        }
    }

    /// Shrinks the unions of layers of some packs, and of what is above them, if any are kept.
    #[expect(clippy::cast_possible_truncation, reason = "packs are fewer than 2^31")]
    pub(super) fn unite_some(&mut self, packs: Range<usize>, mut own: impl FnMut(usize) -> Layers) {
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
    pub(super) fn unite(&mut self, is_kept: bool, own: impl FnMut(usize) -> Layers) {
        for level in 1..MAX_LEVELS {
            let children = if level < self.height { self.levels[level - 1].len() } else { 0 };
            self.unions[level].reset(is_kept, children);
        }
        if is_kept {
            self.unite_some(0..self.packs(), own);
        }
    }

    /// Lets the union of a pack, and all unions above, grow by the layers of a box.
    #[expect(clippy::cast_possible_truncation, reason = "packs are fewer than 2^31")]
    pub(super) fn widen_layers(&mut self, pack: usize, layers: Layers) {
        let mut at = pack;
        for unions in &mut self.unions[1..self.height] {
            unions.widen(at as u32, layers);
            at /= LANES;
        }
    }

    /// The union of the layers of everything in child `at` of a level above the boxes; [`Layers::ALL`] if none are
    /// kept.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "packs are fewer than 2^31")]
    pub(super) fn layers(&self, level: usize, at: usize) -> Layers {
        self.unions[level].get(at as u32)
    }

    /// The hull of a group.
    #[inline(always)]
    pub(super) fn group(&self, group: usize) -> Aabb<S> {
        if self.height > 2 { self.get(2, group) } else { self.hull() }
    }

    /// `false` if nothing in child `at` of a level above the packs is wanted.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "packs are fewer than 2^31")]
    pub(super) fn are_wanted(&self, level: usize, at: usize, wants: impl FnOnce(Layers) -> bool) -> bool {
        self.unions[level].are_wanted(at as u32, wants)
    }

    /// The hull of everything; [`Aabb::EMPTY`] if there is nothing.
    pub(super) fn hull(&self) -> Aabb<S> {
        self.levels[..self.height].last().map_or(Aabb::EMPTY, |level| level[0].hull())
    }

    /// Child `at` of its level.
    #[inline(always)]
    pub(super) fn get(&self, level: usize, at: usize) -> Aabb<S> {
        self.levels[level][at / LANES].get(at % LANES)
    }

    /// The sixteen children of a node.
    #[inline(always)]
    pub(super) fn lanes(&self, level: usize, node: usize) -> Lanes<'_, S> {
        self.levels[level][node].lanes()
    }

    /// The packs below child `at` of a level above the packs.
    #[inline]
    fn packs_below(&self, level: usize, at: usize) -> Range<usize> {
        let width = LANES.pow(level as u32 - 1);
        at * width..((at + 1) * width).min(self.packs())
    }

    /// The nodes of a level.
    #[inline(always)]
    pub(super) fn level(&self, level: usize) -> &[Sixteen<S>] {
        &self.levels[level]
    }

    /// Prefetches a pack, if there is one of that number.
    #[inline(always)]
    pub(super) fn prefetch(&self, pack: usize) {
        let Some(boxes) = self.levels[0].get(pack) else { return };
        for column in boxes.lanes() {
            for line in (0..LANES).step_by(LINE / size_of::<S>()) {
                kernel::prefetch(column, line);
            }
        }
    }

    /// A bit for each child that a node above the packs has.
    #[inline(always)]
    pub(super) fn present(&self, level: usize, node: usize) -> u32 {
        kernel::lowest((self.levels[level - 1].len() - node * LANES).min(LANES))
    }

    /// The children of a level above the packs, in order.
    pub(super) fn hulls(&self, level: usize) -> impl Iterator<Item = Aabb<S>> {
        (0..self.levels[level - 1].len()).map(move |at| self.get(level, at))
    }

    /// All packs whose hull the query reaches, in order; runs of packs where it covers a hull above them.
    pub(super) fn search<Q: Query<S>>(&self, query: Q) -> Packs<'_, S, Q> {
        let mut packs = Packs { levels: self, shape: Shape::of(&query), query, stack: ArrayVec::new() };
        if self.height > 0 {
            packs.enter(Baseline, self.height - 1, 0);
        }
        packs
    }

    pub(super) fn bytes(&self) -> [usize; 2] {
        self.levels
            .iter()
            .map(bytes_of)
            .chain(self.unions.iter().map(Unions::bytes))
            .fold([0; 2], |[used, held], bytes| [used + bytes[0], held + bytes[1]])
    }

    /// There are this many packs, and every hull is empty or a box that could be stored, and holds what is below it.
    pub(super) fn validate(&self, packs: usize) -> Result<(), Corruption> {
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
    #[cfg(test)]
    pub(super) fn fit(&self) -> bool {
        (1..self.height)
            .all(|level| self.hulls(level).zip(&self.levels[level - 1]).all(|(hull, node)| hull == node.hull()))
    }

    /// Every union of layers is complete.
    pub(super) fn validate_layers(&self, is_kept: bool, own: impl Fn(usize) -> Layers) -> Result<(), Corruption> {
        let mut exact = self.clone();
        exact.unite(is_kept, own);
        let is_sound = self.unions.iter().zip(&exact.unions).all(|(unions, exact)| unions.cover(exact));
        Corruption::unless(is_sound, || "a union of layers lacks some that are below its hull".into())
    }

    /// Fills in the boxes and all hulls but those of packs.
    pub(super) fn restore(&mut self, boxes: &Boxes<S>, order: &[u32]) {
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
pub(super) mod as_boxes {
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

/// A pack that a query reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touched {
    pub(super) pack: u32,
    /// Its boxes that may be answers,
    pub(super) lanes: u32,
    /// and those of them that are, if the query [admits](Query::admits) them. [`ALL`] if it covers the hull.
    pub(super) sure: u32,
}

/// The boxes of a pack.
pub(super) const ALL: u32 = (1 << LANES) - 1;

/// Packs of one node.
pub(super) type Reached = ArrayVec<Touched, LANES>;

/// What boxes and hulls are compared with, sixteen at once.
#[derive(Clone, Copy, Debug)]
enum Shape<S: Scalar> {
    /// The bounds of the query.
    Bounds(Aabb<S>),
    /// The query is a rectangle.
    Rectangle(Aabb<S>),
    /// The query is a circle: what it is around, and how near boxes must be.
    Circle(Aabb<S>, Apart<S>),
}

impl<S: Scalar> Shape<S> {
    #[inline]
    fn of<Q: Query<S>>(query: &Q) -> Self {
        let shape = query.circle().and_then(|near| {
            if near.is_touching() {
                return Some(Self::Rectangle(near.target()));
            }
            Some(Self::Circle(near.target(), near.apart()?))
        });
        shape.unwrap_or_else(|| Self::Bounds(query.bounds()))
    }

    /// Bits of those that are answers if the query [admits](Query::admits) them, and of those that may be answers.
    ///
    /// Inlined into what is compiled for a kernel. WebAssembly has one kernel, and a copy per query weighs more than calls.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn compare<K: Kernel>(&self, kernel: K, lanes: &Lanes<'_, S>) -> [u32; 2] {
        match self {
            Self::Bounds(bounds) => [0, kernel.touching(lanes, bounds)],
            Self::Rectangle(bounds) => [kernel.touching(lanes, bounds); 2],
            Self::Circle(target, apart) => kernel.compare(apart, lanes, target),
        }
    }

    /// Bits of hulls in which everything is an answer that the query [admits](Query::admits), as far as is known. A
    /// hull that is turned inside out is as far away as its farthest point.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn covered<K: Kernel>(&self, kernel: K, [min_x, min_y, max_x, max_y]: Lanes<'_, S>) -> u32 {
        match self {
            Self::Bounds(_) | Self::Rectangle(_) => 0,
            Self::Circle(target, apart) => {
                let [sure, _] = kernel.compare(apart, &[max_x, max_y, min_x, min_y], target);
                sure
            }
        }
    }
}

/// A circle that touches this many hulls of a node is not compared with their farthest points: it seldom covers one.
const FEW: u32 = 4;

/// See [`Levels::search`].
pub(super) struct Packs<'a, S: Scalar, Q> {
    levels: &'a Levels<S>,
    shape: Shape<S>,
    query: Q,
    stack: ArrayVec<Todo, MAX_LEVELS>,
}

/// What is left of a level on the way down: a node, its children still to visit, and those that are known to be covered.
struct Todo {
    node: u32,
    children: u32,
    covered: u32,
}

impl<S: Scalar, Q: Query<S>> Packs<'_, S, Q> {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer nodes than boxes, and those are below 2^31")]
    fn enter<K: Kernel>(&mut self, kernel: K, level: usize, node: usize) {
        let lanes = self.levels.lanes(level, node);
        let [_, touching] = self.shape.compare(kernel, &lanes);
        let children = touching & self.levels.present(level, node);
        let covered = if children.count_ones() > FEW { self.shape.covered(kernel, lanes) } else { 0 };
        self.stack.push(Todo { node: node as u32, children, covered });
    }

    /// Does the query reach a child of a level, and if so, does it cover its hull?
    #[inline(always)]
    fn reaches(&self, level: usize, child: usize, is_covered: bool) -> Option<bool> {
        if !self.levels.are_wanted(level, child, |layers| self.query.wants(layers)) {
            return None;
        }
        if let Shape::Circle(..) = self.shape {
            return Some(is_covered);
        }
        let hull = self.levels.get(level, child);
        (hull.is_ordered() && self.query.reaches(&hull)).then(|| self.query.covers(&hull))
    }

    /// Where layers are kept, whole hulls below may not be wanted.
    #[inline(always)]
    fn are_all_reached(&self, level: usize, is_covered: bool) -> bool {
        is_covered && !self.levels.unions[level].is_kept()
    }

    /// The next packs: some whose hull the query reaches, with the boxes in them that may be answers; or all below a
    /// hull that it covers.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "packs are fewer than 2^31")]
    pub(super) fn advance<K: Kernel>(&mut self, kernel: K, reached: &mut Reached) -> Option<Range<usize>> {
        loop {
            let level = self.levels.height - self.stack.len();
            let Todo { node, children, covered } = self.stack.last_mut()?;
            let (first, mut left, covered) = (*node as usize * LANES, *children, *covered);
            if level == 1 {
                self.stack.pop();
                while left != 0 {
                    let lane = left.trailing_zeros() as usize % LANES;
                    left &= left - 1;
                    let pack = first + lane;
                    let Some(is_covered) = self.reaches(1, pack, covered >> lane & 1 != 0) else { continue };
                    let [sure, lanes] =
                        if is_covered { [ALL; 2] } else { self.shape.compare(kernel, &self.levels.lanes(0, pack)) };
                    if lanes != 0 {
                        reached.push(Touched { pack: pack as u32, lanes, sure });
                    }
                }
                if !reached.is_empty() {
                    return Some(0..0);
                }
                continue;
            }
            if left == 0 {
                self.stack.pop();
                continue;
            }
            let lane = left.trailing_zeros() as usize % LANES;
            *children &= *children - 1;
            let child = first + lane;
            match self.reaches(level, child, covered >> lane & 1 != 0) {
                Some(is_covered) if self.are_all_reached(level, is_covered) => {
                    return Some(self.levels.packs_below(level, child));
                }
                Some(_) => self.enter(kernel, level - 1, child),
                None => {}
            }
        }
    }
}
