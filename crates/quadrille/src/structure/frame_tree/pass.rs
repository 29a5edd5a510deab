//! `maintain`: one pass along all cells that brings order, copies and hulls to date.

use super::cells::{Cell, Leaf, MAX_DEPTH, Region};
use super::columns::Spread;
use super::{Coming, FrameTree, STRAY, id_of};
use crate::geometry::Scalar;
use crate::kernel::LANES;
use crate::storage::{Boxes, NONE};

/// A cell with more boxes than a pack has lanes is divided into parts of about this many: room for four more before it has to be
/// divided again. Fewer: more packs to compare. More: more dividing.
const PART: usize = 12;

/// Two cells side by side with at most this many slots together are merged. Fewer: emptier packs, for cells divide in two when they are
/// full and would stay small for long (8 gives 8.4 boxes a pack after 200 frames, 12 gives 9.5). More than sixteen: they divide again at once.
const MERGED: u32 = 12;

/// Boxes are announced to the cache this many slots before they are fetched: they lie scattered, and a machine looks ahead by itself no
/// farther than ten boxes or so. With 500,000 boxes an update took 26 ns a box without and 14 with; with 100,000 there is
/// hardly a difference (measured 2026-11-20).
const AHEAD: usize = 64;

/// A pass under way.
///
/// The order is rewritten in place. Old entries have first been moved up by as many slots as there are boxes to come, each of
/// which will be entered once; so writing never catches up with reading.
struct Pass<'a, S> {
    boxes: &'a Boxes<S>,
    tree: &'a mut FrameTree<S>,
    /// Where the old order is read next.
    read: usize,
    /// Where the new one is written next.
    written: usize,
    /// How many of the boxes to come have been entered.
    entered: usize,
    /// How many cells have been numbered.
    cells: u32,
    /// The lower corner of the cell before.
    last: [S; 2],
}

impl<S: Scalar> FrameTree<S> {
    pub(super) fn pass(&mut self, boxes: &Boxes<S>) {
        self.call_strays(boxes);
        let read = self.coming.len();
        self.reserve_for(self.settled + read);
        self.order.resize(self.settled + read, NONE);
        self.order.copy_within(0..self.settled, read);
        self.packs.clear();
        self.hulls.clear();
        self.forget_numbers();
        let mut pass = Pass { boxes, tree: self, read, written: 0, entered: 0, cells: 0, last: [S::LOWEST; 2] };
        pass.walk(0, &Region::EVERYTHING, 0);
        self.settled = pass.written;
        self.coming.clear();
        self.order.truncate(self.settled);
        self.append_runaways(boxes);
        self.packs.push(u32::try_from(self.order.len()).expect("slots are fewer than 2^31"));
        self.hulls.raise();
        if boxes.has_layers() {
            self.tighten_layers(boxes);
        }
    }

    /// Makes room for a pass. Vectors that double when they are full would hold up to twice what is needed; these hold what boxes need
    /// that move at random: packs of eight on average, and one stray among sixteen.
    fn reserve_for(&mut self, slots: usize) {
        let packs = slots / 8 + 1;
        if self.order.capacity() < slots {
            self.order.reserve_exact(slots + slots / 16 - self.order.len());
        }
        self.columns.reserve(slots);
        self.packs.reserve_exact((packs + 1).saturating_sub(self.packs.len()));
        self.hulls.reserve(packs);
        self.cells.reserve(packs);
    }

    /// Lists all strays by the cells they belong to now.
    fn call_strays(&mut self, boxes: &Boxes<S>) {
        let strays = self.order.iter().filter(|&&entry| entry & STRAY != 0 && entry != NONE).map(|&entry| id_of(entry));
        self.coming.clear();
        self.coming.extend(strays.map(|id| Coming { cell: self.cells.locate(boxes.at(id).min), id }));
        self.coming.sort_unstable();
    }

    /// Packs those that have gone too far to linger behind all others, in the order of the cells they belong to.
    #[expect(clippy::cast_possible_truncation, reason = "slots are fewer than 2^31")]
    fn append_runaways(&mut self, boxes: &Boxes<S>) {
        for runaway in &mut self.runaways {
            runaway.cell = self.cells.locate(boxes.at(runaway.id).min);
        }
        self.runaways.sort_unstable();
        for pack in self.runaways.chunks(LANES) {
            let first = self.order.len();
            self.order.extend(pack.iter().map(|runaway| runaway.id | STRAY));
            self.packs.push(first as u32);
            self.hulls.push(&self.columns.fill(boxes, first, &self.order[first..]).hull());
        }
        self.runaways.clear();
    }
}

impl<S: Scalar> Pass<'_, S> {
    /// Does all cells below a node. Returns how many slots it owns if it is, or has become, a leaf.
    fn walk(&mut self, node: u32, region: &Region<S>, depth: u8) -> Option<u32> {
        match self.tree.cells.get(node) {
            Cell::Leaf(leaf) => {
                let mut len = self.collect(leaf);
                let mut spread = self.fill(len);
                if len > 0 && !region.holds(spread.low(), spread.high()) {
                    len = self.dismiss(len, region);
                    spread = self.fill(len);
                }
                self.settle(node, len, &spread, depth)
            }
            Cell::Branch(branch) => {
                let [first, second] = region.divide(&branch);
                let in_first = self.walk(branch.first, &first, depth + 1);
                let in_second = self.walk(branch.first + 1, &second, depth + 1);
                let slots = in_first? + in_second?;
                (slots <= MERGED).then(|| {
                    self.cells -= 1;
                    self.tree.cells.merge(node, Leaf { slots, number: self.cells - 1 });
                    slots
                })
            }
        }
    }

    /// Enters the boxes of a cell: those that were there already and those that come. Returns how many.
    #[inline(always)]
    fn collect(&mut self, leaf: Leaf) -> usize {
        let order = &mut self.tree.order[..];
        let mut end = self.written;
        for read in self.read..self.read + leaf.slots as usize {
            if let Some(&later) = order.get(read + AHEAD) {
                self.boxes.prefetch(id_of(later));
            }
            let entry = order[read];
            order[end] = entry;
            end += usize::from(entry & STRAY == 0);
        }
        self.read += leaf.slots as usize;
        while let Some(coming) = self.tree.coming.get(self.entered).filter(|coming| coming.cell == leaf.number) {
            order[end] = coming.id;
            end += 1;
            self.entered += 1;
        }
        end - self.written
    }

    /// Copies the boxes that have been entered.
    #[inline(always)]
    fn fill(&mut self, len: usize) -> Spread<S> {
        let ids = &self.tree.order[self.written..self.written + len];
        self.tree.columns.fill(self.boxes, self.written, ids)
    }

    /// Marks or takes out those of `len` boxes that are no longer in their cell. Returns how many are left, marked ones included.
    #[cold]
    fn dismiss(&mut self, len: usize, region: &Region<S>) -> usize {
        let near = region.with_margin(self.tree.scale.near);
        let mut end = self.written;
        for slot in self.written..self.written + len {
            let id = self.tree.order[slot];
            let corner = self.boxes.at(id).min;
            if region.holds(corner, corner) {
                self.tree.order[end] = id;
                end += 1;
            } else if near.holds(corner, corner) {
                self.tree.order[end] = id | STRAY;
                end += 1;
            } else {
                self.tree.runaways.push(Coming { cell: 0, id });
            }
        }
        end - self.written
    }

    /// Makes the boxes that have been entered a cell, or divides them if they are too many. Returns their number if it is a cell.
    #[expect(clippy::cast_possible_truncation, reason = "slots are fewer than 2^31")]
    fn settle(&mut self, node: u32, len: usize, spread: &Spread<S>, depth: u8) -> Option<u32> {
        if len > LANES && depth < MAX_DEPTH {
            if let Some((axis, split)) = self.line(len, spread) {
                self.divide(node, len, axis, split, depth);
                return None;
            }
        }
        self.tree.cells.set_leaf(node, Leaf { slots: len as u32, number: self.cells });
        self.cells += 1;
        if len > LANES {
            self.pack_crowd(len);
        } else if len > 0 {
            self.tree.packs.push(self.written as u32);
            self.tree.hulls.push(&spread.hull());
        }
        if len > 0 {
            self.last = spread.low();
        }
        self.written += len;
        Some(len as u32)
    }

    /// Packs a cell of more boxes than fit in a pack and than can be divided.
    #[expect(clippy::cast_possible_truncation, reason = "slots are fewer than 2^31")]
    fn pack_crowd(&mut self, len: usize) {
        for first in (self.written..self.written + len).step_by(LANES) {
            let end = (self.written + len).min(first + LANES);
            let spread = self.tree.columns.fill(self.boxes, first, &self.tree.order[first..end]);
            self.tree.packs.push(first as u32);
            self.tree.hulls.push(&spread.hull());
        }
    }

    /// The line that divides the boxes that have been entered best, or `None` if their lower corners coincide.
    ///
    /// Across the axis along which they spread more, in units of their own size, so that the parts get the shape of the boxes; and at the
    /// median, or rather at the multiple of a part next to it: halving until at most sixteen are left would leave eight or fifteen
    /// in all packs alike, depending on how many boxes there are.
    fn line(&mut self, len: usize, spread: &Spread<S>) -> Option<(usize, S)> {
        let [wide, high] = [0, 1]
            .map(|axis| (spread.high()[axis].to_f64() - spread.low()[axis].to_f64()) / self.tree.scale.size[axis]);
        if wide == 0.0 && high == 0.0 {
            return None;
        }
        let axis = usize::from(high > wide);
        let boxes = self.boxes;
        let corner = |&entry: &u32| boxes.at(id_of(entry)).min[axis];
        let by_corner = |a: &u32, b: &u32| {
            let by_corner = corner(a).partial_cmp(&corner(b)).expect("boxes are finite");
            by_corner.then(id_of(*a).cmp(&id_of(*b)))
        };
        let ids = &mut self.tree.order[self.written..self.written + len];
        let parts = len.div_ceil(PART);
        let (_, median, _) = ids.select_nth_unstable_by(len * (parts / 2) / parts, by_corner);
        let (median, lowest, highest) = (corner(median), spread.low()[axis], spread.high()[axis]);
        // Something must be below the line and something not: the lowest corner cannot be the first above it.
        let first_above = if median > lowest {
            median
        } else {
            ids.iter().map(corner).filter(|&corner| corner > lowest).fold(highest, S::lesser)
        };
        let last_below = ids.iter().map(corner).filter(|&corner| corner < first_above).fold(lowest, S::greater);
        // Half way, so that no box stands on the line and leaves its cell with its first step.
        let between = last_below.midpoint(first_above);
        Some((axis, if between > last_below { between } else { first_above }))
    }

    /// Divides the boxes that have been entered by a line, and settles both sides: first the one nearer to the cell before.
    fn divide(&mut self, node: u32, len: usize, axis: usize, split: S, depth: u8) {
        let upper_first = self.last[axis] >= split;
        let ids = &mut self.tree.order[self.written..self.written + len];
        let mut first = 0;
        for at in 0..len {
            if (self.boxes.at(id_of(ids[at])).min[axis] >= split) == upper_first {
                ids.swap(at, first);
                first += 1;
            }
        }
        let branch = self.tree.cells.divide(node, axis, split, upper_first);
        for (node, len) in [(branch.first, first), (branch.first + 1, len - first)] {
            let spread = self.fill(len);
            self.settle(node, len, &spread, depth + 1);
        }
    }
}
