//! What is below a node where a box is.

use arrayvec::ArrayVec;

use super::node::LineNode;
use crate::geometry::{Aabb, Scalar};
use crate::storage::{Agreement, Blocks, Boxes, Layers};
use crate::structure::tree::{MAX_DEPTH, TreeNode};

/// The nodes below one of its own that a box touches, and under which it may meet something: parents before children,
/// children in Morton order.
///
/// All pairs make one of these for every box of a branch. A [`Walk`](crate::structure::tree::Walk) would visit the same
/// nodes, but it keeps the cell of every level, and an iterator around it, of 3,840 bytes, is moved for every box. Here
/// nodes store their cells.
#[derive(Clone, Debug)]
pub(super) struct Below<'a, S> {
    nodes: &'a Blocks<LineNode<S>>,
    bounds: Aabb<S>,
    layers: Layers,
    agreement: Agreement,
    /// For each level, the first of four children, and which of them are still to be visited.
    levels: ArrayVec<(u32, u8), { MAX_DEPTH as usize }>,
}

impl<'a, S: Scalar> Below<'a, S> {
    /// Below `node`, where box `id` is listed.
    #[inline]
    pub(super) fn new(nodes: &'a Blocks<LineNode<S>>, node: &LineNode<S>, boxes: &Boxes<S>, id: u32) -> Self {
        let (bounds, layers, agreement) = (*boxes.at(id), boxes.layers(id), boxes.agreement());
        let mut below = Self { nodes, bounds, layers, agreement, levels: ArrayVec::new() };
        below.descend(node);
        below
    }

    #[inline]
    fn descend(&mut self, node: &LineNode<S>) {
        if let Some(first) = node.children() {
            self.levels.push((first, node.cell.children_touching(&self.bounds)));
        }
    }
}

impl<'a, S: Scalar> Iterator for Below<'a, S> {
    type Item = &'a LineNode<S>;

    #[inline]
    fn next(&mut self) -> Option<&'a LineNode<S>> {
        loop {
            let (first, todo) = self.levels.last_mut()?;
            if *todo == 0 {
                self.levels.pop();
                continue;
            }
            let number = *first + todo.trailing_zeros();
            *todo &= *todo - 1;
            if self.nodes.are_wanted(number, |layers| self.layers.meets(layers, self.agreement)) {
                let node = self.nodes.get(number);
                self.descend(node);
                return Some(node);
            }
        }
    }
}
