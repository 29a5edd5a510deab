//! Hulls of packs, hulls of sixteen hulls, and so on up: what questions walk through.

use alloc::vec::Vec;

use arrayvec::ArrayVec;

use crate::error::Corruption;
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, LANES, Lanes};
use crate::question::Question;
use crate::storage::{Agreement, Layers, Unions, bytes_of};

/// Sixteen hulls by columns. 256 bytes for `f32` and `i32`; missing ones are empty.
#[derive(Clone, Copy, Debug)]
struct Sixteen<S>([[S; LANES]; 4]);

impl<S: Scalar> Sixteen<S> {
    const EMPTY: Self = Self([[S::HIGHEST; LANES], [S::HIGHEST; LANES], [S::LOWEST; LANES], [S::LOWEST; LANES]]);

    #[inline(always)]
    fn get(&self, lane: usize) -> Aabb<S> {
        let [min_x, min_y, max_x, max_y] = self.0.each_ref().map(|column| column[lane]);
        Aabb::new([min_x, min_y], [max_x, max_y])
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, hull: &Aabb<S>) {
        for (column, value) in self.0.iter_mut().zip(<[S; 4]>::from(*hull)) {
            column[lane] = value;
        }
    }

    fn hull(&self) -> Aabb<S> {
        let [min_x, min_y, max_x, max_y] = &self.0;
        let least = |column: &[S; LANES]| column.iter().fold(S::HIGHEST, |least, &value| least.lesser(value));
        let greatest = |column: &[S; LANES]| column.iter().fold(S::LOWEST, |most, &value| most.greater(value));
        Aabb::new([least(min_x), least(min_y)], [greatest(max_x), greatest(max_y)])
    }
}

/// No tree is higher: 16^8 packs are more than there are boxes.
pub(super) const MAX_LEVELS: usize = 8;

/// A tree of hulls, sixteen to a node, without pointers: node `k` of a level holds the hulls of the nodes 16 k to 16 k + 15 of
/// the level below. The lowest level holds the hulls of packs; the highest is a single node. The packed R-tree of I. Kamel and
/// C. Faloutsos, *On packing R-trees*, 1993, with the order of our cells in place of the Hilbert curve.
#[derive(Clone, Debug)]
pub(super) struct Hulls<S> {
    /// Lowest first.
    levels: [Vec<Sixteen<S>>; MAX_LEVELS],
    height: usize,
    packs: usize,
    /// For each level the unions of layers of its nodes' children.
    unions: [Unions; MAX_LEVELS],
}

impl<S> Default for Hulls<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> Hulls<S> {
    pub(super) const fn new() -> Self {
        Self {
            levels: [const { Vec::new() }; MAX_LEVELS],
            height: 0,
            packs: 0,
            unions: [const { Unions::new() }; MAX_LEVELS],
        }
    }
}

impl<S: Scalar> Hulls<S> {
    pub(super) fn clear(&mut self) {
        self.levels.iter_mut().for_each(Vec::clear);
        (self.height, self.packs) = (0, 0);
        self.unions.iter_mut().for_each(|unions| unions.reset(false, 0));
    }

    /// Makes room for this many packs.
    pub(super) fn reserve(&mut self, packs: usize) {
        let mut nodes = packs;
        for level in &mut self.levels {
            nodes = nodes.div_ceil(LANES);
            level.reserve_exact(nodes.saturating_sub(level.len()));
            if nodes <= 1 {
                break;
            }
        }
    }

    /// How many levels there are.
    pub(super) fn height(&self) -> usize {
        self.height
    }

    /// How many nodes there are on the lowest level: groups of up to sixteen packs.
    pub(super) fn groups(&self) -> usize {
        self.levels[0].len()
    }

    /// How many nodes there are on all levels.
    pub(super) fn nodes(&self) -> usize {
        self.levels.iter().map(Vec::len).sum()
    }

    /// Adds the hull of one more pack, to the lowest level only.
    #[inline]
    pub(super) fn push(&mut self, hull: &Aabb<S>) {
        let (node, lane) = (self.packs / LANES, self.packs % LANES);
        if node == self.levels[0].len() {
            self.levels[0].push(Sixteen::EMPTY);
        }
        self.levels[0][node].set(lane, hull);
        self.packs += 1;
    }

    /// Builds all levels above the lowest.
    pub(super) fn raise(&mut self) {
        self.height = usize::from(self.packs > 0);
        while self.height > 0 && self.levels[self.height - 1].len() > 1 {
            let (below, above) = self.levels.split_at_mut(self.height);
            let (below, above) = (&below[self.height - 1], &mut above[0]);
            above.clear();
            above.extend(below.chunks(LANES).map(|children| {
                let mut node = Sixteen::EMPTY;
                for (lane, child) in children.iter().enumerate() {
                    node.set(lane, &child.hull());
                }
                node
            }));
            self.height += 1;
        }
    }

    /// Adds the hull and the layers of one more pack to all levels. `true` if there is a new level, which has no unions of layers yet.
    #[must_use]
    pub(super) fn append(&mut self, hull: &Aabb<S>, layers: Layers) -> bool {
        self.push(hull);
        let mut at = (self.packs - 1) / LANES;
        for level in 1..self.height {
            if at / LANES == self.levels[level].len() {
                self.levels[level].push(Sixteen::EMPTY);
            }
            let widened = self.get(level, at).union(hull);
            self.levels[level][at / LANES].set(at % LANES, &widened);
            at /= LANES;
        }
        for level in 0..self.height {
            let children = self.children(level);
            self.unions[level].set_len(children);
        }
        self.widen_layers(self.packs - 1, layers);
        let is_raised = self.height == 0 || self.levels[self.height - 1].len() > 1;
        if is_raised {
            self.raise();
        }
        is_raised
    }

    /// Keeps exact unions of layers from now on, given those of packs, or none.
    pub(super) fn unite(&mut self, is_kept: bool, own: impl Fn(usize) -> Layers) {
        for level in 0..MAX_LEVELS {
            let children = if level < self.height { self.children(level) } else { 0 };
            self.unions[level].reset(is_kept, children);
        }
        if is_kept {
            (0..self.packs).for_each(|pack| self.widen_layers(pack, own(pack)));
        }
    }

    /// Lets the union of a pack, and all unions above, grow by the layers of a box.
    #[expect(clippy::cast_possible_truncation, reason = "packs are fewer than 2^31")]
    pub(super) fn widen_layers(&mut self, pack: usize, layers: Layers) {
        let mut at = pack;
        for unions in &mut self.unions[..self.height] {
            unions.widen(at as u32, layers);
            at /= LANES;
        }
    }

    /// `false` if nothing in child `a` of a level meets anything in child `b` of another.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "packs are fewer than 2^31")]
    pub(super) fn may_meet(&self, a: (usize, usize), b: (usize, usize), agreement: Agreement) -> bool {
        let layers = |(level, at): (usize, usize)| self.unions[level].get(at as u32);
        !self.unions[0].is_kept() || layers(a).meets(layers(b), agreement)
    }

    /// All hulls of a level, in order.
    pub(super) fn level(&self, level: usize) -> impl Iterator<Item = Aabb<S>> {
        self.levels[level]
            .iter()
            .enumerate()
            .flat_map(move |(at, node)| (0..self.present(level, at).count_ones() as usize).map(|lane| node.get(lane)))
    }

    /// Lets the hull of a pack, and all hulls above, grow around `bounds`.
    pub(super) fn widen(&mut self, pack: usize, bounds: &Aabb<S>) {
        let mut at = pack;
        for level in &mut self.levels[..self.height] {
            let (node, lane) = (at / LANES, at % LANES);
            let hull = level[node].get(lane);
            if hull.contains(bounds) {
                return;
            }
            level[node].set(lane, &hull.union(bounds));
            at = node;
        }
    }

    /// The hull of all packs; [`Aabb::EMPTY`] if there are none.
    pub(super) fn hull(&self) -> Aabb<S> {
        self.levels[..self.height].last().map_or(Aabb::EMPTY, |level| level[0].hull())
    }

    /// Child `at` of its level.
    #[inline(always)]
    pub(super) fn get(&self, level: usize, at: usize) -> Aabb<S> {
        self.levels[level][at / LANES].get(at % LANES)
    }

    /// The sixteen hulls of a node.
    #[inline(always)]
    pub(super) fn lanes(&self, level: usize, node: usize) -> Lanes<'_, S> {
        self.levels[level][node].0.each_ref()
    }

    /// A bit for each child that a node has.
    #[inline(always)]
    pub(super) fn present(&self, level: usize, node: usize) -> u32 {
        kernel::lowest((self.children(level) - node * LANES).min(LANES))
    }

    /// How many children the nodes of a level have together.
    #[inline(always)]
    fn children(&self, level: usize) -> usize {
        if level == 0 { self.packs } else { self.levels[level - 1].len() }
    }

    /// All packs whose hull the question reaches, in order.
    pub(super) fn packs<Q: Question<S>>(&self, question: Q) -> Packs<'_, S, Q> {
        let mut packs = Packs { hulls: self, bounds: question.bounds(), question, stack: ArrayVec::new() };
        if self.height > 0 {
            packs.enter(self.height - 1, 0);
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

    /// There is a hull for each pack, empty or a box that could be stored, and every hull holds the hulls below it.
    pub(super) fn validate(&self, packs: usize) -> Result<(), Corruption> {
        let nodes = packs.div_ceil(LANES);
        Corruption::unless(self.packs == packs && self.levels[0].len() == nodes, || {
            alloc::format!("{} hulls for {packs} packs", self.packs)
        })?;
        let is_sound = (1..self.height).all(|level| {
            let below = &self.levels[level - 1];
            below.iter().enumerate().all(|(at, node)| {
                let hull = node.hull();
                hull == Aabb::EMPTY || self.get(level, at).contains(&hull)
            })
        });
        let is_box = |hull: Aabb<S>| hull == Aabb::EMPTY || hull.is_valid();
        Corruption::unless(is_sound && (packs == 0 || self.level(0).all(is_box)), || {
            "a hull is no box, or sticks out of the hull above it".into()
        })
    }

    /// No union of layers lacks anything.
    pub(super) fn validate_layers(&self, is_kept: bool, own: impl Fn(usize) -> Layers) -> Result<(), Corruption> {
        let mut exact = self.clone();
        exact.unite(is_kept, own);
        let is_sound = self.unions.iter().zip(&exact.unions).all(|(unions, exact)| unions.cover(exact));
        Corruption::unless(is_sound, || "a union of layers lacks some that are below its hull".into())
    }
}

/// Serialised are the hulls of packs alone; those above follow from them.
#[cfg(feature = "serde")]
pub(super) mod as_boxes {
    use alloc::vec::Vec;

    use serde::{Deserializer, Serializer};

    use super::Hulls;
    use crate::geometry::{Aabb, Scalar};
    use crate::interop::serde::hulls as boxes;

    pub(crate) fn serialize<S: Scalar, F: Serializer>(hulls: &Hulls<S>, format: F) -> Result<F::Ok, F::Error> {
        boxes::serialize(&hulls.level(0).collect::<Vec<Aabb<S>>>(), format)
    }

    pub(crate) fn deserialize<'de, S: Scalar, F: Deserializer<'de>>(format: F) -> Result<Hulls<S>, F::Error> {
        let mut hulls = Hulls::new();
        boxes::deserialize(format)?.iter().for_each(|hull| hulls.push(hull));
        hulls.raise();
        Ok(hulls)
    }
}

/// See [`Hulls::packs`]. The stack holds one level each: a node and its children still to visit.
pub(super) struct Packs<'a, S, Q> {
    hulls: &'a Hulls<S>,
    bounds: Aabb<S>,
    question: Q,
    stack: ArrayVec<(u32, u32), MAX_LEVELS>,
}

impl<S: Scalar, Q: Question<S>> Packs<'_, S, Q> {
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer nodes than boxes, and those are below 2^31")]
    fn enter(&mut self, level: usize, node: usize) {
        let touching = kernel::touching(&self.hulls.lanes(level, node), &self.bounds);
        self.stack.push((node as u32, touching & self.hulls.present(level, node)));
    }
}

impl<S: Scalar, Q: Question<S>> Iterator for Packs<'_, S, Q> {
    type Item = usize;

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "packs are fewer than 2^31")]
    fn next(&mut self) -> Option<usize> {
        loop {
            let level = self.hulls.height - self.stack.len();
            let (node, todo) = self.stack.last_mut()?;
            if *todo == 0 {
                self.stack.pop();
                continue;
            }
            let child = *node as usize * LANES + todo.trailing_zeros() as usize;
            *todo &= *todo - 1;
            let hull = self.hulls.get(level, child);
            let is_wanted = self.hulls.unions[level].are_wanted(child as u32, |layers| self.question.wants(layers));
            if !hull.is_ordered() || !is_wanted || !self.question.reaches(&hull) {
                continue;
            }
            if level == 0 {
                return Some(child);
            }
            self.enter(level - 1, child);
        }
    }
}
