//! The queries of a region quadtree.

use core::iter::FusedIterator;

use super::leaves::{Leaf, LeafId};
use super::objects::{Entry, ObjectsIn};
use super::rule::Rule;
use super::tree::RegionQuadtree;
use crate::Aabb;
use crate::structure::Node;

impl<T: Copy + Ord, R: Rule> RegionQuadtree<T, R> {
    /// Cells from west to east.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.shape.frame.size()[0]
    }

    /// Cells from north to south.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.shape.frame.size()[1]
    }

    /// Number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// `true` if there is no object.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of leaves, never 0.
    #[must_use]
    pub fn leaf_count(&self) -> usize {
        self.shape.leaves.len()
    }

    /// `true` if the object is in the cell.
    #[must_use]
    pub fn contains(&self, cell: [i32; 2], object: T) -> bool {
        let code = |quad| self.shape.frame.codes(quad).start;
        self.shape.frame.quad(cell).is_some_and(|quad| self.objects.contains(&Entry::new(code(quad), object)))
    }

    /// All objects with their cells, in Morton order.
    pub fn iter(&self) -> impl FusedIterator<Item = ([i32; 2], T)> + '_ {
        self.objects_in(self.shape.frame.map())
    }

    /// The objects in a rectangle with their cells, in Morton order. Empty if the rectangle is inverted or off the map.
    /// O(log n) for each span of Morton codes that leaves the rectangle; there are at most about as many spans as cells
    /// on its border.
    pub fn objects_in(&self, rect: Aabb<i32>) -> impl FusedIterator<Item = ([i32; 2], T)> + '_ {
        ObjectsIn::new(&self.objects, &self.shape.frame, rect)
    }

    /// The leaf that holds a cell; `None` off the map.
    #[must_use]
    #[inline]
    pub fn leaf_at(&self, cell: [i32; 2]) -> Option<Leaf> {
        let quad = self.shape.frame.quad(cell)?;
        let found = self.shape.pages.find(quad);
        Some(self.shape.view_at(found.leaf, quad.ancestor(found.depth)))
    }

    /// The leaf with this id; `None` if it no longer exists.
    #[must_use]
    pub fn leaf(&self, id: LeafId) -> Option<Leaf> {
        self.shape.leaves.find(id).map(|leaf| self.shape.view(leaf))
    }

    /// All leaves, in Morton order.
    pub fn leaves(&self) -> impl FusedIterator<Item = Leaf> + '_ {
        self.leaves_in(self.shape.frame.map())
    }

    /// The leaves that share a cell with a rectangle, in Morton order. Empty if the rectangle is inverted or off the
    /// map.
    pub fn leaves_in(&self, rect: Aabb<i32>) -> impl FusedIterator<Item = Leaf> + '_ {
        self.shape.leaves_in(rect).map(|leaf| self.shape.view(leaf))
    }

    /// The smallest node that holds both cells, and therefore the rectangle with these opposite corners. `None` if one
    /// of them is off the map.
    #[must_use]
    pub fn covering(&self, a: [i32; 2], b: [i32; 2]) -> Option<Node<i32>> {
        let frame = &self.shape.frame;
        Some(self.shape.covering(frame.quad(a)?, frame.quad(b)?))
    }

    /// All nodes, each before its children, children in Morton order: for drawing and teaching. The bounds of a node are
    /// its first and its last cell.
    pub fn nodes(&self) -> impl Iterator<Item = Node<i32>> + '_ {
        self.shape.nodes()
    }
}
