//! Figures about a region quadtree, and the proof that it is whole.

use super::census::Census;
use super::error::{Fault, RegionError};
use super::frame::area;
use super::leaves::Record;
use super::objects::Entry;
use super::rule::Rule;
use super::shape::Shape;
use super::tree::RegionQuadtree;

/// Figures about a [`RegionQuadtree`], from [`stats`](RegionQuadtree::stats).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RegionStats {
    /// Leaves and inner nodes.
    pub nodes: usize,
    /// Leaves.
    pub leaves: usize,
    /// Depth of the deepest leaf; 0 if the whole map is one.
    pub depth: u8,
    /// Objects.
    pub objects: usize,
    /// Cells that hold at least one object.
    pub occupied: usize,
    /// Memory of leaves and look-up table on the heap, with what is kept for later use.
    pub tree_bytes: usize,
    /// Memory of the objects alone, without what the ordered set that holds them adds: between a tenth, built at once, and
    /// about as much again.
    pub object_bytes: usize,
}

impl RegionStats {
    /// Memory of the tree for each node.
    #[must_use]
    pub fn bytes_per_node(&self) -> f64 {
        self.tree_bytes as f64 / self.nodes as f64
    }
}

impl<T: Copy + Ord, R: Rule> RegionQuadtree<T, R> {
    /// Counts everything. O(nodes).
    pub fn stats(&self) -> RegionStats {
        RegionStats {
            nodes: self.nodes().count(),
            leaves: self.leaf_count(),
            depth: self.leaves().map(|leaf| leaf.depth).max().unwrap_or(0),
            objects: self.len(),
            occupied: self.leaves().map(|leaf| leaf.occupied as usize).sum(),
            tree_bytes: self.shape.pages.bytes() + self.shape.leaves.bytes(),
            object_bytes: self.objects.bytes(),
        }
    }

    /// Checks that the leaves tile the map, that each cell leads to its leaf, that all counts are right and that no
    /// slot was lost. For tests; O(nodes + objects).
    ///
    /// # Errors
    /// The first thing found wrong, with the number it should be and the number it is.
    pub fn validate(&self) -> Result<(), RegionError> {
        let Shape { frame, pages, leaves, .. } = &self.shape;
        let (mut count, mut cells, mut objects) = (0_u64, 0, 0_u64);
        for leaf in self.shape.leaves_in(frame.map()) {
            let Record { quad, counts, .. } = *leaves.get(leaf);
            let (span, rect) = (frame.codes(quad), frame.cells(quad));
            let census = Census::new(self.objects.range(span.clone()).map(Entry::code));
            let right = census.whole().counts(&span, area(rect));
            equal("objects counted in a leaf", right.objects, counts.objects)?;
            equal("occupied cells counted in a leaf", right.occupied, counts.occupied)?;
            equal("all slots of a leaf's square lead to it", true, pages.is_set(quad, leaf))?;
            count += 1;
            cells += area(rect);
            objects += u64::from(counts.objects);
        }
        let [pages_used, pages_there] = pages.count();
        equal("cells in leaves", area(frame.map()), cells)?;
        equal("objects in leaves", self.len() as u64, objects)?;
        equal("live leaves", leaves.len() as u64, count)?;
        equal("pages in use", pages_there as u64, pages_used as u64)
    }
}

fn equal<N: Into<u64>>(what: &'static str, right: N, found: N) -> Result<(), RegionError> {
    let (right, found) = (right.into(), found.into());
    if right == found { Ok(()) } else { Err(RegionError(Fault::Corrupt { what, right, found })) }
}
