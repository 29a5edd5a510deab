//! Statistics of a region quadtree, and its consistency check.

use super::census::Census;
use super::frame::area;
use super::leaves::Record;
use super::objects::{Entry, in_codes};
use super::rule::Rule;
use super::shape::Shape;
use super::tree::RegionQuadtree;
use crate::error::Corruption;
use crate::storage::add_bytes;

/// Statistics of a [`RegionQuadtree`], from [`stats`](RegionQuadtree::stats).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RegionStats {
    /// Cells of the map.
    pub cells: u64,
    /// Cells that hold at least one object.
    pub occupied: usize,
    /// Objects.
    pub objects: usize,
    /// Leaves and branches.
    pub nodes: usize,
    /// Leaves.
    pub leaves: usize,
    /// Steps from the root to the deepest leaf.
    pub depth: usize,
    /// Bytes of leaves and pages in use.
    pub bytes_used: usize,
    /// Bytes that leaves and pages hold from the allocator.
    pub bytes_reserved: usize,
    /// Bytes of the objects with their places. The ordered set that holds them adds a fifth after a build, and up to
    /// about as much again after many changes; it does not report this.
    pub object_bytes: usize,
}

impl<T: Copy + Ord, R: Rule> RegionQuadtree<T, R> {
    /// Counts and byte sizes. Walks all nodes.
    #[must_use]
    pub fn stats(&self) -> RegionStats {
        let Shape { frame, pages, leaves, .. } = &self.shape;
        let [bytes_used, bytes_reserved] = add_bytes([pages.bytes(), leaves.bytes()]);
        RegionStats {
            cells: area(frame.map()),
            occupied: self.leaves().map(|leaf| leaf.occupied as usize).sum(),
            objects: self.len(),
            nodes: self.nodes().count(),
            leaves: self.leaf_count(),
            depth: self.leaves().map(|leaf| leaf.depth as usize).max().unwrap_or(0),
            bytes_used,
            bytes_reserved,
            object_bytes: self.len() * size_of::<Entry<T>>(),
        }
    }

    /// Checks that the leaves tile the map, that every cell leads to its leaf, that all counts are right and that no
    /// slot or page is lost. Returns the statistics.
    ///
    /// # Errors
    /// Returns an error that says which parts contradict each other. This is always a bug in this library: please report it.
    #[inline]
    pub fn validate(&self) -> Result<RegionStats, Corruption> {
        let Shape { frame, pages, leaves, .. } = &self.shape;
        let (mut found, mut cells, mut objects) = (0, 0, 0);
        for leaf in self.shape.leaves_in(frame.map()) {
            let Record { quad, counts, .. } = *leaves.get(leaf);
            let (span, rect) = (frame.codes(quad), frame.cells(quad));
            let census = Census::new(in_codes(&self.objects, span.clone()).map(Entry::code));
            let right = census.whole().counts(&span, area(rect));
            Corruption::unless(counts == right, || alloc::format!("leaf {rect:?} has {right:?}, not {counts:?}"))?;
            Corruption::unless(pages.is_set(quad, leaf), || alloc::format!("not all of {rect:?} leads to its leaf"))?;
            found += 1;
            cells += area(rect);
            objects += counts.objects as usize;
        }
        let sums = (found, cells, objects);
        let right = (leaves.len(), area(frame.map()), self.len());
        Corruption::unless(sums == right, || {
            alloc::format!("(leaves, cells, objects) are {right:?}, but in the leaves {sums:?}")
        })?;
        leaves.validate()?;
        pages.validate()?;
        Ok(self.stats())
    }
}
