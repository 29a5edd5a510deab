//! How boxes enter and leave the leaves they touch, and how leaves split and merge.

use super::super::tree::{NodeCell, TreeNode, Walk};
use super::{BRANCH, EMPTY_LEAF, Quadtree, Subdivision, TightNode};
use crate::geometry::{Aabb, Scalar};
use crate::kernel::bits;
use crate::query::Overlaps;
use crate::storage::Boxes;

/// A box in more leaves than this is wide. More: giants cost more memory and longer updates. Fewer: more boxes are
/// compared with every query. 64 leaves are 8 × 8, a box eight times as large as the spacing.
const MOST_LEAVES: usize = 64;

/// No split while there are more listings than this many times the boxes (plus room for small sets).
const MOST_LISTINGS_PER_BOX: usize = 8;
const SPARE_LISTINGS: usize = 1024;

/// No leaf splits while there are more listings than this for the number of boxes.
pub(super) fn most_listings(boxes: usize) -> usize {
    MOST_LISTINGS_PER_BOX * boxes + SPARE_LISTINGS
}

/// Do all boxes have a point in common? Then every two are a pair, so no split spares a comparison, and they are
/// cheaper to move in one large leaf than from one small leaf to the next.
pub(super) fn is_heap<'a, S: Scalar>(mut boxes: impl Iterator<Item = &'a Aabb<S>>) -> bool {
    boxes.try_fold(Aabb::EVERYTHING, |common, bounds| common.intersection(bounds)).is_some()
}

impl<S: Scalar> Quadtree<S> {
    /// Does a box touch this many leaves? `here` is a node that encloses it.
    pub(super) fn is_wide(&self, bounds: &Aabb<S>, here: NodeCell<S>) -> bool {
        let nodes = Walk::from(&self.nodes, self.world.bounds(), here, Overlaps(*bounds));
        let leaves = nodes.filter(|here| self.nodes.get(here.node).children().is_none());
        leaves.take(MOST_LEAVES + 1).count() > MOST_LEAVES
    }

    /// Lists a box, or counts it among the wide ones.
    pub(super) fn link(&mut self, boxes: &Boxes<S>, id: u32) {
        let bounds = *boxes.at(id);
        if self.is_wide(&bounds, self.root().enclosing(&self.nodes, &bounds)) {
            self.wide.insert(id);
        } else {
            self.relist(boxes, &self.root(), id, None, Some(&bounds));
        }
    }

    pub(super) fn unlink(&mut self, boxes: &Boxes<S>, id: u32, bounds: &Aabb<S>) {
        if !self.wide.remove(id) {
            self.relist(boxes, &self.root(), id, Some(bounds), None);
        }
    }

    /// Updates the lists below `here` for a box that was `old` and is `new`; `None` means that it was not, or is no
    /// longer, there. Both, if given, touch the node. Leaves that both touch stay as they are.
    pub(super) fn relist(
        &mut self,
        boxes: &Boxes<S>,
        here: &NodeCell<S>,
        id: u32,
        old: Option<&Aabb<S>>,
        new: Option<&Aabb<S>>,
    ) {
        if new.is_some() {
            self.nodes.layers_mut().widen(here.node, boxes.layers(id));
        }
        if let Some(first) = self.nodes.get(here.node).children() {
            let touched = |bounds: Option<&Aabb<S>>| bounds.map_or(0, |bounds| here.cell.children_touching(bounds));
            let (was, is) = (touched(old), touched(new));
            for k in bits((was | is).into()) {
                let (old, new) = (old.filter(|_| was >> k & 1 != 0), new.filter(|_| is >> k & 1 != 0));
                self.relist(boxes, &here.child(first, k), id, old, new);
            }
            return;
        }
        let node = self.nodes.get_mut(here.node);
        match (old, new) {
            (Some(_), None) => {
                let listed = self.lists.take(&mut node.first, id);
                debug_assert!(listed, "box {id} is not listed in leaf {}", here.node);
                node.count -= 1;
            }
            (None, Some(_)) => {
                self.lists.push(&mut node.first, id);
                node.count += 1;
                self.split_if_crowded(boxes, here);
            }
            _ => {}
        }
    }

    /// `true` if the old and the new box touch the same leaves below `here`: then there is nothing to do, and most
    /// updates end here.
    pub(super) fn stays(&self, here: &NodeCell<S>, old: &Aabb<S>, new: &Aabb<S>) -> bool {
        let Some(first) = self.nodes.get(here.node).children() else { return true };
        let touched = here.cell.children_touching(old);
        touched == here.cell.children_touching(new)
            && bits(touched.into()).all(|k| self.stays(&here.child(first, k), old, new))
    }

    /// Splits a leaf that holds too many, if that is allowed and separates them.
    fn split_if_crowded(&mut self, boxes: &Boxes<S>, here: &NodeCell<S>) {
        let Subdivision::Adaptive { capacity, .. } = self.options.subdivision else { return };
        let count = self.nodes.get(here.node).count;
        // A crowd that did not separate is checked again only when it has doubled, so that piles stay cheap to build,
        // and in `maintain`, because its boxes may have moved apart.
        if count == capacity + 1 || count.is_power_of_two() {
            self.split_if_separable(boxes, here);
        }
    }

    fn split_if_separable(&mut self, boxes: &Boxes<S>, here: &NodeCell<S>) {
        let Subdivision::Adaptive { capacity, max_depth } = self.options.subdivision else { return };
        let leaf = *self.nodes.get(here.node);
        let is_allowed =
            here.depth < max_depth && here.cell.divides() && self.lists.len() <= most_listings(boxes.len());
        if leaf.count > capacity && is_allowed && self.separates(boxes, here, &leaf) {
            self.split(boxes, here);
        }
    }

    /// A split is worth it if a box goes into fewer than two children on average. Boxes that are large compared with
    /// the cell, or coincide with others that are, would only be listed more often. Nor is it worth it for a
    /// [heap](is_heap).
    fn separates(&self, boxes: &Boxes<S>, here: &NodeCell<S>, leaf: &TightNode) -> bool {
        let listed = || self.lists.list(leaf.first).map(|id| boxes.at(id));
        let listings: u32 = listed().map(|bounds| here.cell.children_touching(bounds).count_ones()).sum();
        listings < 2 * leaf.count && !is_heap(listed())
    }

    fn split(&mut self, boxes: &Boxes<S>, here: &NodeCell<S>) {
        let first = self.nodes.alloc(EMPTY_LEAF);
        let mut list = core::mem::replace(self.nodes.get_mut(here.node), TightNode { first, count: BRANCH }).first;
        while let Some(id) = self.lists.pop(&mut list) {
            self.relist(boxes, here, id, None, Some(boxes.at(id)));
        }
    }

    /// Divides an empty leaf until the leaves are `depth` steps from the root, or cells divide no further.
    fn divide(&mut self, here: &NodeCell<S>, depth: u8) {
        if here.depth < depth && here.cell.divides() {
            let first = self.nodes.alloc(EMPTY_LEAF);
            *self.nodes.get_mut(here.node) = TightNode { first, count: BRANCH };
            for k in bits(here.cell.children_touching(&Aabb::EVERYTHING).into()) {
                self.divide(&here.child(first, k), depth);
            }
        }
    }

    /// A tree without boxes.
    pub(super) fn reset(&mut self, keeps_layers: bool) {
        self.nodes.reset(EMPTY_LEAF, keeps_layers);
        self.lists.clear();
        self.wide.clear();
        if let Subdivision::Fixed(depth) = self.options.subdivision {
            self.divide(&self.root(), depth);
        }
    }

    /// Merges four sibling leaves wherever they hold at most `most` boxes together, from the leaves upward, and splits
    /// leaves whose boxes have moved apart.
    pub(super) fn merge(&mut self, boxes: &Boxes<S>, here: &NodeCell<S>, most: u32) {
        let Some(first) = self.nodes.get(here.node).children() else {
            return self.split_if_separable(boxes, here);
        };
        for k in 0..4 {
            self.merge(boxes, &here.child(first, k), most);
        }
        let children = [0, 1, 2, 3].map(|k| *self.nodes.get(first + k));
        if children.iter().any(|child| child.count == BRANCH) {
            return;
        }
        let listings: u32 = children.iter().map(|child| child.count).sum();
        // A box is in up to four of the lists, so this many listings certainly mean more than `most` boxes.
        if listings > 4 * most {
            return;
        }
        let mut merged = EMPTY_LEAF;
        for (k, child) in children.iter().enumerate() {
            let cell = here.cell.child(k);
            for id in self.lists.list(child.first) {
                merged.count += u32::from(cell.starts_before(boxes.at(id).min, here.cell.lo));
            }
        }
        if merged.count > most {
            return;
        }
        for (k, mut node) in children.into_iter().enumerate() {
            let cell = here.cell.child(k);
            while let Some(id) = self.lists.pop(&mut node.first) {
                if cell.starts_before(boxes.at(id).min, here.cell.lo) {
                    self.lists.push(&mut merged.first, id);
                }
            }
        }
        self.nodes.free(first);
        *self.nodes.get_mut(here.node) = merged;
    }
}
