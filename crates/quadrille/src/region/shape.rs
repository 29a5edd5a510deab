//! The shape of the tree: which leaves there are and where. Knows counts, but no objects and no rule.

use alloc::vec::Vec;
use core::iter::FusedIterator;

use super::frame::{Frame, Quad, Window};
use super::leaves::{Counts, Leaf, LeafChange, Leaves, Record};
use super::pages::Pages;
use crate::Aabb;
use crate::structure::{Node, NodeKind};

/// See the [module](self).
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) frame: Frame,
    pub(super) pages: Pages,
    pub(super) leaves: Leaves,
    /// What happened to the leaves, if someone is watching.
    pub(super) changes: Option<Vec<LeafChange>>,
}

impl Shape {
    /// No leaves yet: the caller plants them.
    pub(super) fn new(frame: Frame) -> Self {
        Self { frame, pages: Pages::new(frame.depth), leaves: Leaves::default(), changes: None }
    }

    /// The leaf at a quad of full depth that has a cell.
    #[inline]
    pub(super) fn leaf_at(&self, quad: Quad) -> u32 {
        self.pages.find(quad).leaf
    }

    /// The leaf at the first cell of a quad that has one.
    fn first_leaf(&self, quad: Quad) -> Option<u32> {
        let cell = self.frame.rect(quad)?.min;
        Some(self.leaf_at(self.frame.quad(cell)?))
    }

    #[inline]
    pub(super) fn view(&self, leaf: u32) -> Leaf {
        self.view_at(leaf, self.leaves.get(leaf).quad)
    }

    /// A leaf whose place is known. Inlined, so it reads no more of the leaf than the caller uses.
    #[inline]
    pub(super) fn view_at(&self, leaf: u32, quad: Quad) -> Leaf {
        let Counts { objects, occupied } = self.leaves.get(leaf).counts;
        let rect = self.frame.cells(quad);
        Leaf { id: self.leaves.id(leaf), rect, depth: u32::from(quad.depth), objects, occupied }
    }

    /// Adds a leaf where there is none, or after all were [uprooted](Self::uproot).
    pub(super) fn plant(&mut self, quad: Quad, counts: Counts) {
        let leaf = self.leaves.insert(quad, counts);
        self.pages.set(quad, leaf);
        self.note(LeafChange::Created, leaf);
    }

    /// Removes all leaves in a quad, in Morton order. The pages still name them until something is planted.
    pub(super) fn uproot(&mut self, quad: Quad) {
        let Some(window) = self.frame.window(self.frame.cells(quad)) else { return };
        let mut next = Some(window.first);
        while let Some(quad) = next {
            let leaf = self.leaf_at(quad);
            self.note(LeafChange::Removed, leaf);
            next = self.frame.next(self.leaves.get(leaf).quad, &window);
            self.leaves.remove(leaf);
        }
    }

    /// Frees the memory that building allocated in advance.
    pub(super) fn shrink_to_fit(&mut self) {
        self.pages.shrink_to_fit();
        self.leaves.shrink_to_fit();
    }

    fn note(&mut self, change: fn(Leaf) -> LeafChange, leaf: u32) {
        let leaf = self.view(leaf);
        if let Some(changes) = &mut self.changes {
            changes.push(change(leaf));
        }
    }

    /// The parent of a quad and what it counts: the quad's own counts and those of its siblings, if they are leaves.
    pub(super) fn with_siblings(&self, quad: Quad, counts: Counts) -> Option<(Quad, Counts)> {
        let parent = quad.parent()?;
        let mut siblings = parent.children().into_iter().filter(|&child| child != quad);
        let counts = siblings.try_fold(counts, |sum, sibling| match self.first_leaf(sibling) {
            None => Some(sum),
            Some(leaf) => {
                let record = self.leaves.get(leaf);
                (record.quad == sibling).then(|| sum.plus(record.counts))
            }
        })?;
        Some((parent, counts))
    }

    pub(super) fn leaves_in(&self, rect: Aabb<i32>) -> LeavesIn<'_> {
        let window = self.frame.window(rect);
        LeavesIn { shape: self, rest: window.map(|window| (window.first, window)) }
    }

    /// All nodes, each before its children. Before a leaf come those of its ancestors that it does not share with the
    /// previous leaf.
    pub(super) fn nodes(&self) -> impl Iterator<Item = Node<i32>> + '_ {
        let mut last: Option<Quad> = None;
        self.leaves_in(self.frame.map()).flat_map(move |leaf| {
            let quad = self.leaves.get(leaf).quad;
            let first_new = last.replace(quad).map_or(0, |last| last.common_depth(quad) + 1);
            (first_new..=quad.depth).map(move |depth| self.node(leaf, depth))
        })
    }

    /// The smallest node that holds two quads of full depth that have a cell.
    pub(super) fn covering(&self, a: Quad, b: Quad) -> Node<i32> {
        let leaf = self.leaf_at(a);
        self.node(leaf, self.leaves.get(leaf).quad.depth.min(a.common_depth(b)))
    }

    /// The ancestor of a leaf, or the leaf itself, at `depth`.
    fn node(&self, leaf: u32, depth: u8) -> Node<i32> {
        let Record { quad, counts, .. } = *self.leaves.get(leaf);
        let (kind, population) =
            if depth == quad.depth { (NodeKind::Leaf, counts.objects as usize) } else { (NodeKind::Branch, 0) };
        Node { bounds: self.frame.cells(quad.ancestor(depth)), depth: u32::from(depth), population, kind }
    }
}

/// The leaves that share a cell with a rectangle, in Morton order.
#[derive(Clone, Debug)]
pub(super) struct LeavesIn<'a> {
    shape: &'a Shape,
    /// The first cell of the next leaf, and the window that contains them all.
    rest: Option<(Quad, Window)>,
}

impl Iterator for LeavesIn<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (quad, window) = self.rest.take()?;
        let found = self.shape.pages.find(quad);
        let next = self.shape.frame.next(quad.ancestor(found.depth), &window);
        self.rest = next.map(|next| (next, window));
        Some(found.leaf)
    }
}

impl FusedIterator for LeavesIn<'_> {}
