//! Boxes under ids, arranged in packs of sixteen along a Hilbert curve, under a tree of hulls.
//!
//! A whole frame puts the new boxes into the places of the old ones, until hulls have grown so much that sorting pays.
//! Boxes that have jumped out of their packs go to the end, in the order of the curve. A box that is moved by itself stays
//! where it is if its pack's hull holds it; else it goes to the end, as new ones do, where hulls are wide. Once there are
//! many of those, they are sorted, or all.

use alloc::vec::Vec;
use core::mem::{replace, swap};
use core::ops::ControlFlow::{self, Continue};

use quadrille::internals::bits;
use quadrille::{Aabb, Layers};

use crate::curve;
use crate::near::Near;
use crate::pack::{LANE, LANES, Pack};

/// In place of an id or a slot.
const NONE: u32 = u32::MAX;

/// How much longer the edges of all packs' hulls become before boxes are sorted. Less: more frames sort. More: hulls
/// overlap more, and walks take longer.
const WORN: f32 = 1.25;

/// Up to this many changes, and up to this many times the root of the number of boxes, boxes at the end need no sorting.
/// Fewer: more sorting. More: every query looks at more boxes at the end.
const FEW: [usize; 2] = [64, 4];

/// If the edges of a pack's hull become this many times as long within a frame, boxes that have left it go to the end. Less:
/// packs are looked through in vain. More: wide hulls stay.
const GROWN: f32 = 2.0;

/// If more than one box in this many jumps, all are sorted. More: more frames sort. Fewer: packs are looked through in vain.
const MANY: usize = 16;

/// Boxes are sorted if there is more than one hole for this many of them. Fewer: packs are less full. More: more frames sort.
const MOST_HOLES: usize = 4;

/// Boxes are large, and lie in packs of their own, if they are this many times as large as boxes are on average. Less:
/// boxes of much the same size are far apart in the order. More: single large ones widen many hulls.
const LARGE: f32 = 4.0;

#[derive(Debug, Default)]
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
    /// How many places were taken when it was sorted.
    sorted: usize,
    /// Need boxes not be sorted before the next query?
    is_settled: bool,
    /// The edges of all packs' hulls when they were sorted.
    edges: f32,
    /// Memory to use again.
    hulls: Vec<Aabb<f32>>,
    strays: Vec<u32>,
    keys: [Vec<u64>; 2],
}

impl Tree {
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
        self.is_settled &= boxes.len() == self.len() && self.boxes.len() == self.len();
        swap(&mut self.boxes, boxes);
        self.free.clear();
        if !self.layers.is_empty() {
            self.layers.resize(self.boxes.len(), Layers::ALL);
        }
        if self.is_settled {
            let is_worn = self.refit() > WORN * self.edges;
            let holes = self.order.len() + self.strays.len() - self.boxes.len();
            self.is_settled = !is_worn && holes <= self.boxes.len() / MOST_HOLES;
            if self.is_settled {
                self.admit_strays();
            }
        }
    }

    /// Puts boxes that have left their packs behind all others, in the order of the curve.
    fn admit_strays(&mut self) {
        let Self { boxes, strays, hulls, keys: [keys, spare], .. } = self;
        let Some(world) = hulls.first() else { return };
        keys.clear();
        keys.extend(strays.drain(..).map(u64::from));
        curve::sort_ids(keys, spare, boxes, world);
        for at in 0..self.keys[0].len() {
            self.place(self.keys[0][at] as u32);
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
        if !self.is_settled {
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
        if !self.is_settled {
            return;
        }
        let slot = self.slots[id as usize] as usize;
        self.order[slot] = NONE;
        self.levels[0][slot / LANES].set(slot, Pack::NOTHING);
    }

    /// Puts a box behind all others, and counts that.
    fn append(&mut self, id: u32) {
        self.count_change();
        self.place(id);
    }

    /// Puts a box behind all others.
    fn place(&mut self, id: u32) {
        if !self.is_settled {
            return;
        }
        let (slot, bounds) = (self.order.len(), self.boxes[id as usize]);
        self.order.push(id);
        self.slots[id as usize] = slot as u32;
        let (mut at, mut level) = (slot, 0);
        loop {
            if level == self.levels.len() {
                let mut root = Pack::EMPTY;
                self.levels[level - 1].iter().zip(0..).for_each(|(pack, lane)| root.set(lane, pack.hull()));
                self.levels.push(Vec::from([root]));
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
        self.changes += 1;
        let roots = self.changes / FEW[1];
        if self.is_settled && self.changes > FEW[0] && roots * roots > self.boxes.len() {
            self.tidy();
        }
    }

    /// Sorts before the next query.
    pub(crate) fn wear(&mut self) {
        self.is_settled &= self.changes == 0 && self.order.len() <= self.sorted;
    }

    /// Sorts, if that has been put off.
    pub(crate) fn settle(&mut self) {
        if self.is_settled {
            return;
        }
        self.order.clear();
        self.strays.clear();
        self.strays.extend((0..).zip(&self.boxes).filter(|(_, bounds)| bounds.is_ordered()).map(|(id, _)| id));
        self.slots.resize(self.boxes.len(), NONE);
        self.is_settled = true;
        self.edges = self.arrange();
        self.sorted = self.order.len();
    }

    /// Sorts boxes at the end again, unless so many places are free that all need sorting.
    fn tidy(&mut self) {
        self.is_settled = self.order.len() <= self.len() + self.len() / MOST_HOLES;
        if self.is_settled {
            self.strays.extend(self.order.drain(self.sorted..).filter(|&id| id != NONE));
            self.arrange();
        }
    }

    /// Puts strays behind all others, in the order of the curve, the large ones last. Returns the length of the edges of the
    /// packs' hulls.
    fn arrange(&mut self) -> f32 {
        let Self { boxes, order, strays, slots, keys: [keys, spare], .. } = self;
        let bounds = |&id: &u32| boxes[id as usize];
        let large = LARGE * strays.iter().map(|id| edges(&bounds(id))).sum::<f32>() / strays.len() as f32;
        let world = Aabb::from_points(strays.iter().map(|id| bounds(id).center()));
        for are_large in [false, true] {
            keys.clear();
            let some = strays.iter().filter(|id| (edges(&bounds(id)) > large) == are_large);
            keys.extend(some.map(|&id| u64::from(id)));
            curve::sort_ids(keys, spare, boxes, &world);
            for &key in &*keys {
                slots[key as u32 as usize] = order.len() as u32;
                order.push(key as u32);
            }
        }
        strays.clear();
        self.changes = 0;
        // Hulls of before say nothing about those of now.
        self.levels.truncate(1);
        self.refit()
    }

    /// Copies all boxes into their places and computes all hulls. Returns the length of the edges of the packs' hulls.
    fn refit(&mut self) -> f32 {
        let Self { boxes, order, levels, hulls, strays, .. } = self;
        let (mut level, mut places, mut length) = (0, order.len(), 0.0);
        loop {
            if level == levels.len() {
                levels.push(Vec::new());
            }
            let (packs, before) = levels[level..].split_at_mut(1);
            let packs = &mut packs[0];
            packs.resize(places.div_ceil(LANES), Pack::EMPTY);
            hulls.resize(hulls.len().max(packs.len()), Aabb::EMPTY);
            for (pack, at) in packs.iter_mut().zip(0..) {
                let slots = at * LANES..places.min((at + 1) * LANES);
                // Hulls take the places of those that they are hulls of.
                hulls[at] = if level == 0 {
                    let ids = &order[slots.clone()];
                    pack.fill(|lane| ids.get(lane).and_then(|&id| boxes.get(id as usize)).copied())
                } else {
                    let below = &hulls[slots.clone()];
                    pack.fill(|lane| below.get(lane).copied())
                };
                // If many boxes jump, all are sorted.
                let is_calm = level == 0 && strays.len() < boxes.len() / MANY;
                let before = before.first().filter(|_| is_calm).map(|hulls| hull(hulls, at));
                if let Some(before) = before.filter(|before| edges(&hulls[at]) > GROWN * edges(before)) {
                    leave(pack, &mut order[slots], strays, |bounds| bounds.is_ordered() && !bounds.intersects(&before));
                    hulls[at] = pack.hull();
                }
            }
            (level, places) = (level + 1, packs.len());
            if places <= 1 {
                break;
            }
            if level == 1 {
                length = hulls[..places].iter().map(|hull| edges(hull).max(0.0)).sum();
            }
        }
        levels.truncate(level);
        length
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

    /// Visits the packs with boxes that share a point with `bounds`: ids, and a bit for each of those. Boxes must be settled.
    pub(crate) fn search(
        &self,
        bounds: &Aabb<f32>,
        visit: &mut dyn FnMut(&[u32], u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.order.is_empty() {
            return Continue(());
        }
        self.walk([self.levels.len() - 1, 0], [0, 0], bounds, &mut |pack| {
            visit(&self.order[pack * LANES..], self.levels[0][pack].touching(bounds))
        })
    }

    /// Finds the boxes on layers that are `seen` that are nearest to a point. Boxes must be settled.
    pub(crate) fn nearest(&self, point: [f32; 2], seen: Option<u32>, near: &mut Near) {
        if !self.order.is_empty() {
            self.near([self.levels.len() - 1, 0], point, seen, near);
        }
    }

    /// The same below a node: first below the nearest hull.
    fn near(&self, [level, node]: [usize; 2], point: [f32; 2], seen: Option<u32>, near: &mut Near) {
        let mut keys = self.levels[level][node].keys(point);
        loop {
            let least = keys.into_iter().fold(u32::MAX, u32::min);
            if least > near.reach {
                return;
            }
            keys = keys.map(|key| if key == least { u32::MAX } else { key });
            let at = node * LANES + (least & LANE) as usize;
            if level > 0 {
                self.near([level - 1, at], point, seen, near);
            } else if self.is_seen(self.order[at], seen) {
                let square = self.levels[0][node].get(at).distance_squared(&Aabb::from_point(point));
                near.offer(square, self.order[at]);
            }
        }
    }

    /// Is a box on one of these layers, if any are given?
    pub(crate) fn is_seen(&self, id: u32, seen: Option<u32>) -> bool {
        seen.is_none_or(|seen| seen & self.layers(id).own != 0)
    }
}

/// Takes some of its boxes out of a pack.
fn leave(pack: &mut Pack, ids: &mut [u32], strays: &mut Vec<u32>, does: impl Fn(&Aabb<f32>) -> bool) {
    for (lane, id) in ids.iter_mut().enumerate() {
        if does(&pack.get(lane)) {
            strays.push(replace(id, NONE));
            pack.set(lane, Pack::NOTHING);
        }
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
