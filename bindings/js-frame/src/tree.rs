//! Boxes under ids, arranged in packs of sixteen along a Hilbert curve, under a tree of hulls.
//!
//! A whole frame puts the new boxes into the places of the old ones, until hulls have grown so much that sorting pays. A
//! box that is moved stays where it is if its pack's hull holds it; else it goes to the end, as new ones do, where hulls
//! are wide. Once there are many of those, the next query sorts.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::mem::swap;
use core::ops::ControlFlow::{self, Continue};

use quadrille::internals::bits;
use quadrille::{Aabb, Layers};

use crate::curve;
use crate::pack::{LANES, Pack};

/// In place of an id or a slot.
const NONE: u32 = u32::MAX;

/// How much longer the edges of all packs' hulls become before boxes are sorted. Less: more frames sort. More: hulls
/// overlap more, and walks take longer.
const WORN: f32 = 1.25;

/// Up to this many changes, and up to this many times the root of the number of boxes, the next query need not sort.
/// Fewer: more sorting. More: every query looks at more boxes at the end.
const FEW: [usize; 2] = [64, 4];

/// Boxes are large, and lie in packs of their own, if they are this many times as large as boxes are on average. Less:
/// boxes of much the same size are far apart in the order. More: single large ones widen many hulls.
const LARGE: f32 = 4.0;

#[derive(Debug)]
pub(crate) struct Tree {
    /// By id; [`Aabb::EMPTY`] where an id is free.
    boxes: Vec<Aabb<f32>>,
    free: Vec<u32>,
    /// By id; empty while no box has been given any.
    pub(crate) layers: Vec<Layers>,
    /// Ids by slot: slot `k` is lane `k % 16` of pack `k / 16`.
    pub(crate) order: Vec<u32>,
    /// Slots by id.
    slots: Vec<u32>,
    /// The packs, then hulls of packs, hulls of sixteen of those, … up to the root.
    pub(crate) levels: Vec<Vec<Pack>>,
    /// Boxes that came to the end of the order, or left it, since it was sorted.
    changes: usize,
    /// Must boxes be sorted before the next query?
    is_stale: bool,
    /// The edges of all packs' hulls when they were sorted.
    edges: f32,
    /// Memory to use again.
    keys: [Vec<u64>; 2],
    near: BinaryHeap<Reverse<(u64, u64)>>,
}

impl Tree {
    pub(crate) const fn new() -> Self {
        Self {
            boxes: Vec::new(),
            free: Vec::new(),
            layers: Vec::new(),
            order: Vec::new(),
            slots: Vec::new(),
            levels: Vec::new(),
            changes: 0,
            is_stale: true,
            edges: 0.0,
            keys: [Vec::new(), Vec::new()],
            near: BinaryHeap::new(),
        }
    }

    /// Ids are below this.
    pub(crate) fn slots(&self) -> usize {
        self.boxes.len()
    }

    pub(crate) fn len(&self) -> usize {
        self.boxes.len() - self.free.len()
    }

    pub(crate) fn get(&self, id: u32) -> Option<Aabb<f32>> {
        self.boxes.get(id as usize).copied().filter(Aabb::is_ordered)
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.boxes).filter(|(_, bounds)| bounds.is_ordered()).map(|(id, _)| id)
    }

    pub(crate) fn layers(&self, id: u32) -> Layers {
        self.layers.get(id as usize).copied().unwrap_or_default()
    }

    pub(crate) fn set_layers(&mut self, id: u32, layers: Layers) {
        self.layers.resize(self.boxes.len(), Layers::ALL);
        self.layers[id as usize] = layers;
    }

    /// From now on there are these boxes, all of which are valid; their ids are their places. The old ones come back.
    pub(crate) fn set_all(&mut self, boxes: &mut Vec<Aabb<f32>>) {
        self.is_stale |= boxes.len() != self.len() || self.boxes.len() != self.len();
        swap(&mut self.boxes, boxes);
        self.free.clear();
        if !self.layers.is_empty() {
            self.layers.resize(self.boxes.len(), Layers::ALL);
        }
        if !self.is_stale {
            self.is_stale = self.refit() > WORN * self.edges;
        }
    }

    /// Adds a valid box.
    pub(crate) fn insert(&mut self, bounds: Aabb<f32>) -> u32 {
        let id = self.free.pop().unwrap_or(self.boxes.len() as u32);
        if id as usize == self.boxes.len() {
            self.boxes.push(Aabb::EMPTY);
            self.slots.push(NONE);
            if !self.layers.is_empty() {
                self.layers.push(Layers::ALL);
            }
        }
        self.boxes[id as usize] = bounds;
        self.append(id);
        id
    }

    /// Gives a box in use another place.
    pub(crate) fn set(&mut self, id: u32, bounds: Aabb<f32>) {
        self.boxes[id as usize] = bounds;
        if self.is_stale {
            return;
        }
        let slot = self.slots[id as usize] as usize;
        if self.levels.get(1).is_none_or(|hulls| hull(hulls, slot / LANES).contains(&bounds)) {
            self.levels[0][slot / LANES].set(slot, bounds);
        } else {
            self.vacate(id);
            self.append(id);
        }
    }

    /// Removes a box in use.
    pub(crate) fn remove(&mut self, id: u32) {
        self.vacate(id);
        self.boxes[id as usize] = Aabb::EMPTY;
        self.free.push(id);
        if let Some(layers) = self.layers.get_mut(id as usize) {
            *layers = Layers::ALL;
        }
    }

    /// Takes a box out of its slot.
    fn vacate(&mut self, id: u32) {
        self.count_change();
        if self.is_stale {
            return;
        }
        let slot = self.slots[id as usize] as usize;
        self.order[slot] = NONE;
        self.levels[0][slot / LANES].set(slot, Pack::NOTHING);
    }

    /// Puts a box behind all others.
    fn append(&mut self, id: u32) {
        self.count_change();
        if self.is_stale {
            return;
        }
        let (slot, bounds) = (self.order.len(), self.boxes[id as usize]);
        self.order.push(id);
        self.slots[id as usize] = slot as u32;
        let (mut at, mut level) = (slot, 0);
        loop {
            if level == self.levels.len() {
                self.levels.push(Vec::from([Pack::of_hulls(&self.levels[level - 1])]));
            }
            let packs = &mut self.levels[level];
            if at / LANES == packs.len() {
                packs.push(Pack::EMPTY);
            }
            let old = hull(packs, at);
            packs[at / LANES].set(at, if old.is_ordered() { old.union(&bounds) } else { bounds });
            if packs.len() == 1 {
                break;
            }
            (at, level) = (at / LANES, level + 1);
        }
    }

    fn count_change(&mut self) {
        if !self.is_stale {
            self.changes += 1;
            let roots = self.changes / FEW[1];
            self.is_stale = self.changes > FEW[0] && roots * roots > self.boxes.len();
        }
    }

    /// Sorts before the next query.
    pub(crate) fn wear(&mut self) {
        self.is_stale |= self.changes > 0;
    }

    /// Sorts, if that has been put off.
    pub(crate) fn settle(&mut self) {
        if !self.is_stale {
            return;
        }
        let Self { boxes, order, keys: [keys, spare], .. } = self;
        let in_use = (0..).zip(&*boxes).filter(|(_, bounds)| bounds.is_ordered());
        let large = LARGE * in_use.clone().map(|(_, bounds)| edges(bounds)).sum::<f32>() / boxes.len() as f32;
        order.clear();
        let world = Aabb::from_points(in_use.clone().map(|(_, bounds)| bounds.center()));
        for are_large in [false, true] {
            let some = in_use.clone().filter(|(_, bounds)| (edges(bounds) > large) == are_large);
            keys.clear();
            keys.extend(some.map(|(id, bounds)| curve::key(&world, bounds.center(), id)));
            curve::sort(keys, spare, 32..64);
            order.extend(keys.iter().map(|&key| key as u32));
        }
        self.slots.resize(self.boxes.len(), NONE);
        for (slot, &id) in (0..).zip(&self.order) {
            self.slots[id as usize] = slot;
        }
        (self.changes, self.is_stale) = (0, false);
        self.edges = self.refit();
    }

    /// Copies all boxes into their places and computes all hulls. Returns the length of the edges of the packs' hulls.
    fn refit(&mut self) -> f32 {
        let Self { boxes, order, levels, .. } = self;
        if levels.is_empty() {
            levels.push(Vec::new());
        }
        levels[0].resize(order.len().div_ceil(LANES), Pack::EMPTY);
        for (pack, ids) in levels[0].iter_mut().zip(order.chunks(LANES)) {
            *pack =
                Pack::of(|lane| ids.get(lane).and_then(|&id| boxes.get(id as usize)).copied().unwrap_or(Pack::NOTHING));
        }
        let mut top = 0;
        while levels[top].len() > 1 {
            if levels.len() == top + 1 {
                levels.push(Vec::new());
            }
            let (below, above) = levels.split_at_mut(top + 1);
            above[0].clear();
            above[0].extend(below[top].chunks(LANES).map(Pack::of_hulls));
            top += 1;
        }
        levels.truncate(top + 1);
        let packs = levels.get(1).map_or(0, |_| levels[0].len());
        (0..packs).map(|pack| edges(&hull(&levels[1], pack))).sum()
    }

    /// Visits the nodes of a level, the lowest of which are packs, from `from` on, whose hulls share a point with `bounds`.
    /// `node` is where the walk is. Boxes must be settled.
    pub(crate) fn walk(
        &self,
        [level, node]: [usize; 2],
        [lowest, from]: [usize; 2],
        bounds: &Aabb<f32>,
        visit: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if level <= lowest {
            return visit(node);
        }
        let first = (from >> (4 * (level - lowest - 1))).saturating_sub(node * LANES).min(LANES);
        let reached = self.levels[level][node].touching(bounds) & !0 << first;
        bits(reached).try_for_each(|lane| self.walk([level - 1, node * LANES + lane], [lowest, from], bounds, visit))
    }

    /// Visits the boxes that share a point with `bounds`. Boxes must be settled.
    pub(crate) fn search(&self, bounds: &Aabb<f32>, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.levels[0].is_empty() {
            return Continue(());
        }
        self.walk([self.levels.len() - 1, 0], [0, 0], bounds, &mut |pack| {
            bits(self.levels[0][pack].touching(bounds)).try_for_each(|lane| visit(self.order[pack * LANES + lane]))
        })
    }

    /// Visits the boxes on layers that are `seen` with the squares of their distances from a point, up to `most`: the
    /// nearest first; of equal distances, the lower id. Boxes must be settled. If only `one` is wanted, what is farther
    /// than another box is left out.
    pub(crate) fn nearest(
        &mut self,
        point: [f32; 2],
        (mut most, one): (f64, bool),
        seen: Option<u32>,
        visit: &mut dyn FnMut(u32, f64) -> ControlFlow<()>,
    ) {
        /// Marks ids among nodes, which come before boxes as far away as they are.
        const BOX: u64 = 1 << 63;
        let (point, mut near) = (Aabb::from_point(point), core::mem::take(&mut self.near));
        near.clear();
        near.extend((!self.levels[0].is_empty()).then_some(Reverse((0, (self.levels.len() as u64 - 1) << 32))));
        while let Some(Reverse((square, what))) = near.pop() {
            if what & BOX != 0 {
                if visit(what as u32, f64::from_bits(square)).is_break() {
                    break;
                }
                continue;
            }
            let (level, node) = ((what >> 32) as usize, what as u32 as usize);
            for lane in 0..LANES {
                let (at, bounds) = (node * LANES + lane, self.levels[level][node].get(lane));
                let square = bounds.distance_squared(&point);
                if !bounds.is_ordered() || square > most {
                    continue;
                }
                let mut what = (level as u64).wrapping_sub(1) << 32 | at as u64;
                if level == 0 {
                    let id = self.order[at];
                    if !self.is_seen(id, seen) {
                        continue;
                    }
                    what = BOX | u64::from(id);
                    most = if one { square } else { most };
                }
                near.push(Reverse((square.to_bits(), what)));
            }
        }
        self.near = near;
    }

    /// Is a box on one of these layers, if any are given?
    pub(crate) fn is_seen(&self, id: u32, seen: Option<u32>) -> bool {
        seen.is_none_or(|seen| seen & self.layers(id).own != 0)
    }
}

/// What is in a place of a level.
pub(crate) fn hull(packs: &[Pack], at: usize) -> Aabb<f32> {
    packs[at / LANES].get(at)
}

/// How long a box is and how high, together.
fn edges(bounds: &Aabb<f32>) -> f32 {
    bounds.max[0] - bounds.min[0] + bounds.max[1] - bounds.min[1]
}
