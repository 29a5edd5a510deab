//! Hulls of packs, hulls of sixteen hulls, and so on up: what questions walk through.

use alloc::vec::Vec;

use arrayvec::ArrayVec;

use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, LANES, Lanes};
use crate::question::Question;
use crate::storage::bytes_of;

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
}

impl<S: Scalar> Hulls<S> {
    pub(super) const fn new() -> Self {
        Self { levels: [const { Vec::new() }; MAX_LEVELS], height: 0, packs: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.levels.iter_mut().for_each(Vec::clear);
        (self.height, self.packs) = (0, 0);
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

    /// Adds the hull of one more pack to all levels.
    pub(super) fn append(&mut self, hull: &Aabb<S>) {
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
        if self.height == 0 || self.levels[self.height - 1].len() > 1 {
            self.raise();
        }
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
        let children = if level == 0 { self.packs } else { self.levels[level - 1].len() };
        kernel::lowest((children - node * LANES).min(LANES))
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
        self.levels.iter().map(bytes_of).fold([0; 2], |[used, held], bytes| [used + bytes[0], held + bytes[1]])
    }

    /// `true` if every hull holds the hulls below it.
    pub(super) fn is_sound(&self) -> bool {
        (1..self.height).all(|level| {
            let below = &self.levels[level - 1];
            below.iter().enumerate().all(|(at, node)| {
                let hull = node.hull();
                hull == Aabb::EMPTY || self.get(level, at).contains(&hull)
            })
        })
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
            if !hull.is_ordered() || !self.question.reaches(&hull) {
                continue;
            }
            if level == 0 {
                return Some(child);
            }
            self.enter(level - 1, child);
        }
    }
}
