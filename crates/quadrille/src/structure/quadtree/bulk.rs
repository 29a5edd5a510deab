//! How the whole tree is built at once.

use alloc::vec::Vec;

use super::super::bulk::{Entry, along_curve};
use super::super::tree::Place;
use super::listing::most_listings;
use super::{BRANCH, EMPTY_LEAF, Quadtree, Subdivision, TightNode};
use crate::geometry::{Aabb, Scalar};
use crate::storage::Boxes;

/// Boxes this many times as large as the middle box and as the mean distance of boxes come last, one by one: they may be wide, which is
/// known only when there are leaves.
const LARGE: f64 = 8.0;

impl<S: Scalar> Quadtree<S> {
    /// Lists all boxes in an empty tree.
    pub(super) fn load(&mut self, boxes: &Boxes<S>) {
        let mut entries = along_curve(boxes, &self.world.bounds());
        if let Subdivision::Fixed(_) = self.options.subdivision {
            // The leaves are there, and any box may be wide.
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
        let mut listings = entries.len();
        self.load_below(boxes, &self.root(), &mut entries, 0, &mut listings);
        large.into_iter().for_each(|id| self.link(boxes, id));
    }

    /// Lists the entries from `from` on below `place`. `listings`: how many there are, in the whole tree, when this is done.
    fn load_below(
        &mut self,
        boxes: &Boxes<S>,
        place: &Place<S>,
        entries: &mut Vec<Entry<S>>,
        from: usize,
        listings: &mut usize,
    ) {
        for one in &entries[from..] {
            self.nodes.layers_mut().widen(place.node, boxes.layers(one.id));
        }
        let Some(first) = self.split_entries(boxes, place, &entries[from..], listings) else {
            return self.fill(place, &entries[from..]);
        };
        let end = entries.len();
        for k in 0..4 {
            for at in from..end {
                let one = entries[at];
                if place.cell.children_touching(&one.bounds) >> k & 1 != 0 {
                    entries.push(one);
                }
            }
            if entries.len() > end {
                self.load_below(boxes, &place.child(first, k), entries, end, listings);
                entries.truncate(end);
            }
        }
    }

    /// Makes a leaf a branch if its entries are too many and are separated by that; returns its first child.
    fn split_entries(
        &mut self,
        boxes: &Boxes<S>,
        place: &Place<S>,
        entries: &[Entry<S>],
        listings: &mut usize,
    ) -> Option<u32> {
        let Subdivision::Adaptive { capacity, max_depth } = self.options.subdivision else { return None };
        let is_allowed = entries.len() > capacity as usize
            && place.depth < max_depth
            && place.cell.divides()
            && *listings <= most_listings(boxes.len());
        if !is_allowed || !Self::separates(place, entries.iter().map(|one| &one.bounds)) {
            return None;
        }
        let listed = entries.iter().map(|one| place.cell.children_touching(&one.bounds).count_ones() as usize);
        *listings = *listings + listed.sum::<usize>() - entries.len();
        let first = self.nodes.alloc(EMPTY_LEAF);
        *self.nodes.get_mut(place.node) = TightNode { first, count: BRANCH };
        Some(first)
    }

    /// The last of the entries comes first, as if they had come one by one.
    #[expect(clippy::cast_possible_truncation, reason = "a leaf lists a box once, and ids are below 2^31")]
    fn fill(&mut self, place: &Place<S>, entries: &[Entry<S>]) {
        let leaf = self.nodes.get_mut(place.node);
        entries.iter().for_each(|one| self.lists.push(&mut leaf.first, one.id));
        leaf.count += entries.len() as u32;
    }
}
