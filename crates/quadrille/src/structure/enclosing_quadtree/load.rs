//! How the whole tree is built in one pass.

use alloc::vec::Vec;
use core::ops::Range;

use super::node::list_across;
use super::{EnclosingQuadtree, TreeOptions};
use crate::geometry::Scalar;
use crate::storage::Boxes;
use crate::structure::bulk::{Entry, along_curve, deal};
use crate::structure::tree::NodeCell;

impl<S: Scalar> EnclosingQuadtree<S> {
    /// Lists all boxes in a new tree, its world fitted to them.
    pub(super) fn load_all(&mut self, boxes: &Boxes<S>) {
        self.world.refit(boxes);
        self.reset(boxes.has_layers());
        let mut entries = along_curve(boxes, &self.world.bounds());
        self.homes.reserve(entries.len());
        let all = 0..entries.len();
        self.load(boxes, &self.root(), &mut entries, all, &mut Vec::new());
    }

    /// Puts a range of entries that belong there below a node of an empty tree; `masks` is scratch memory.
    fn load(
        &mut self,
        boxes: &Boxes<S>,
        here: &NodeCell<S>,
        entries: &mut Vec<Entry<S>>,
        range: Range<usize>,
        masks: &mut Vec<u8>,
    ) {
        let TreeOptions { capacity, max_depth, .. } = self.options;
        let own = &entries[range.clone()];
        let can_split = own.len() > capacity as usize && here.depth < max_depth && here.cell.divides();
        masks.clear();
        if can_split {
            masks.extend(own.iter().map(|one| here.cell.children_touching(&one.bounds)));
        }
        if 2 * masks.iter().filter(|mask| mask.is_power_of_two()).count() <= capacity as usize {
            return own.iter().for_each(|one| self.link(boxes, one.id, (*here, 0)));
        }
        let (first, _) = self.divide(here);
        for (one, mask) in own.iter().zip(masks.iter_mut()).filter(|(_, mask)| !mask.is_power_of_two()) {
            self.link(boxes, one.id, (*here, list_across(*mask)));
            *mask = 0;
        }
        let end = entries.len();
        let starts = deal(entries, range, masks);
        for k in 0..4 {
            self.load(boxes, &here.child(first, k), entries, starts[k]..starts[k + 1], masks);
        }
        entries.truncate(end);
    }
}
