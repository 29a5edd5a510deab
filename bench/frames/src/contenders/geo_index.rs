//! `geo_index::rtree`: a packed Hilbert R-tree in one buffer, for rectangles that stay; and the first frame.

use geo_index::rtree::sort::HilbertSort;
use geo_index::rtree::{RTree, RTreeBuilder, RTreeIndex};
use quadrille::Aabb;

use super::Search;
use crate::tally::Tally;

pub fn new(boxes: &[Aabb]) -> RTree<f32> {
    let mut builder = RTreeBuilder::<f32>::new(boxes.len() as u32);
    for aabb in boxes {
        builder.add(aabb.min[0], aabb.min[1], aabb.max[0], aabb.max[1]);
    }
    builder.finish::<HilbertSort>()
}

impl Search for RTree<f32> {
    fn search(&self, asked: &Aabb, found: impl FnMut(u32)) {
        RTreeIndex::search(self, asked.min[0], asked.min[1], asked.max[0], asked.max[1]).into_iter().for_each(found);
    }
}

/// Two trees, walked at once.
pub fn join([one, other]: &[RTree<f32>; 2], pairs: &mut Tally) {
    one.intersection_candidates_with_other_tree(other).for_each(|(a, b)| pairs.across(a, b));
}

/// Built every frame and queried once per box.
pub fn first(boxes: &[Aabb], pairs: &mut Tally) {
    new(boxes).pairs_by_queries(boxes, pairs);
}
