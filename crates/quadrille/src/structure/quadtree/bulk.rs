//! How the whole tree is built in one pass.

use alloc::vec::Vec;
use core::ops::Range;

use super::super::bulk::{Entry, along_curve, deal};
use super::super::tree::NodeCell;
use super::listing::{is_heap, most_listings};
use super::{BRANCH, EMPTY_LEAF, Quadtree, Subdivision, TightNode};
use crate::geometry::{Aabb, Scalar};
use crate::storage::Boxes;

/// Boxes this many times as large as the median box and as the mean distance between boxes come last, one by one: they
/// may be wide, which is known only once there are leaves.
const LARGE: f64 = 8.0;

/// Boxes on their way down.
struct Dealer<S> {
    /// The entries of the nodes on the way down: those of a node, followed by those of its children.
    entries: Vec<Entry<S>>,
    /// One for each entry of the current node.
    masks: Vec<u8>,
    /// How many listings there will be in the whole tree if no further leaf is split.
    listings: usize,
}

impl<S: Scalar> Quadtree<S> {
    /// Lists all boxes in an empty tree.
    pub(super) fn load(&mut self, boxes: &Boxes<S>) {
        let mut entries = along_curve(boxes, &self.world.bounds());
        if let Subdivision::Fixed(_) = self.options.subdivision {
            // The leaves exist already, and any box may be wide.
            return entries.into_iter().for_each(|one| self.link(boxes, one.id));
        }
        self.lists.reserve(entries.len());
        let usual = self.world.usual_size(boxes);
        let is_large = |bounds: &Aabb<S>| {
            (0..2).any(|axis| bounds.max[axis].to_f64() - bounds.min[axis].to_f64() > LARGE * usual[axis])
        };
        let mut large = Vec::new();
        entries.retain(|one| {
            let stays = !is_large(&one.bounds);
            if !stays {
                large.push(one.id);
            }
            stays
        });
        let (end, mut dealer) = (entries.len(), Dealer { entries, masks: Vec::new(), listings: 0 });
        dealer.listings = end;
        self.load_below(boxes, &self.root(), 0..end, &mut dealer);
        large.into_iter().for_each(|id| self.link(boxes, id));
    }

    /// Lists a range of entries below `here`.
    fn load_below(&mut self, boxes: &Boxes<S>, here: &NodeCell<S>, range: Range<usize>, dealer: &mut Dealer<S>) {
        if self.nodes.keeps_layers() {
            for one in &dealer.entries[range.clone()] {
                self.nodes.layers_mut().widen(here.node, boxes.layers(one.id));
            }
        }
        let Some(first) = self.split_entries(boxes, here, range.clone(), dealer) else {
            return self.fill(here, &dealer.entries[range]);
        };
        let end = dealer.entries.len();
        let starts = deal(&mut dealer.entries, range, &dealer.masks);
        for k in 0..4 {
            if starts[k] < starts[k + 1] {
                self.load_below(boxes, &here.child(first, k), starts[k]..starts[k + 1], dealer);
            }
        }
        dealer.entries.truncate(end);
    }

    /// Turns a leaf into a branch if it has too many entries and that separates them; returns its first child. The
    /// masks say which of the children each entry touches.
    fn split_entries(
        &mut self,
        boxes: &Boxes<S>,
        here: &NodeCell<S>,
        range: Range<usize>,
        dealer: &mut Dealer<S>,
    ) -> Option<u32> {
        let Subdivision::Adaptive { capacity, max_depth } = self.options.subdivision else { return None };
        let is_allowed = range.len() > capacity as usize
            && here.depth < max_depth
            && here.cell.divides()
            && dealer.listings <= most_listings(boxes.len());
        if !is_allowed {
            return None;
        }
        let own = &dealer.entries[range];
        dealer.masks.clear();
        dealer.masks.extend(own.iter().map(|one| here.cell.children_touching(&one.bounds)));
        let listed = dealer.masks.iter().map(|mask| mask.count_ones() as usize).sum::<usize>();
        if listed >= 2 * own.len() || is_heap(own.iter().map(|one| &one.bounds)) {
            return None;
        }
        dealer.listings = dealer.listings + listed - own.len();
        let first = self.nodes.alloc(EMPTY_LEAF);
        *self.nodes.get_mut(here.node) = TightNode { first, count: BRANCH };
        Some(first)
    }

    /// The last of the entries comes first, as if they had been inserted one by one.
    // Casts: a leaf lists a box once, and ids are below 2^31.
    fn fill(&mut self, here: &NodeCell<S>, entries: &[Entry<S>]) {
        let leaf = self.nodes.get_mut(here.node);
        entries.iter().for_each(|one| self.lists.push(&mut leaf.first, one.id));
        leaf.count += entries.len() as u32;
    }
}
