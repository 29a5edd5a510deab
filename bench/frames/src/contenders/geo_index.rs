//! `geo_index::rtree`: a packed Hilbert R-tree in one buffer, for rectangles that stay.

use geo_index::rtree::sort::HilbertSort;
use geo_index::rtree::{RTree, RTreeBuilder, RTreeIndex};
use quadrille::Aabb;

use super::Questions;
use crate::tally::Tally;

pub fn questions(boxes: &[Aabb]) -> Box<dyn Questions> {
    let mut builder = RTreeBuilder::<f32>::new(boxes.len() as u32);
    for aabb in boxes {
        builder.add(aabb.min[0], aabb.min[1], aabb.max[0], aabb.max[1]);
    }
    Box::new(builder.finish::<HilbertSort>())
}

impl Questions for RTree<f32> {
    fn overlapping(&self, asked: &Aabb, found: &mut Tally) {
        self.search(asked.min[0], asked.min[1], asked.max[0], asked.max[1]).into_iter().for_each(|id| found.one(id));
    }
}
