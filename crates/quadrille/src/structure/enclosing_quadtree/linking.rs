//! Adding and removing one box: crowded leaves split, crowded lines are divided, crowded segments are halved.

use super::lines::Segment;
use super::node::{Home, LineNode};
use super::{EnclosingQuadtree, TreeOptions};
use crate::geometry::Scalar;
use crate::storage::{Boxes, NONE};
use crate::structure::tree::{NodeCell, TreeNode};

/// Lines are divided in two once both together hold this many times the capacity of a leaf. Less: more small segments.
/// More: longer lists.
const CROWDED: u32 = 4;

/// A crowd that could not be divided is checked again only after it has doubled.
fn is_due(count: u32, capacity: u32) -> bool {
    count == capacity + 1 || (count > capacity && count.is_power_of_two())
}

impl<S: Scalar> EnclosingQuadtree<S> {
    /// Adds a box to a list of a node, or to the line there.
    pub(super) fn link(&mut self, boxes: &Boxes<S>, id: u32, (here, list): (NodeCell<S>, usize)) {
        let node = self.nodes.get_mut(here.node);
        node.widen(list, boxes.at(id));
        node.count += 1;
        match node.lines() {
            None => self.homes.push(&mut node.heads[list], Home::List { node: here.node, list }.code(), id),
            Some(lines) => self.link_to_line(boxes, id, lines[list]),
        }
        if self.nodes.keeps_layers() {
            self.widen_layers(boxes, id, here.node);
        }
        self.split_if_crowded(boxes, &here);
    }

    /// Widens the unions of layers on the way to the node in which a box lives.
    pub(super) fn widen_layers(&mut self, boxes: &Boxes<S>, id: u32, node: u32) {
        let mut here = self.root();
        loop {
            self.nodes.layers_mut().widen(here.node, boxes.layers(id));
            let Some(first) = self.nodes.get(here.node).children().filter(|_| here.node != node) else { return };
            here = here.child(first, here.cell.children_touching(boxes.at(id)).trailing_zeros() as usize);
        }
    }

    /// Takes a box out of its list.
    pub(super) fn unlink(&mut self, id: u32) {
        let node = match Home::decode(self.homes.of(id)) {
            Home::List { node, list } => {
                self.homes.take(&mut self.nodes.get_mut(node).heads[list], id);
                node
            }
            Home::Segment(segment) => {
                let segment = self.lines.get_mut(segment);
                self.homes.take(&mut segment.head, id);
                segment.count -= 1;
                segment.owner / 2
            }
        };
        self.nodes.get_mut(node).count -= 1;
    }

    /// Puts a box into the smallest segment of a line that encloses it. Halves the segment if it holds too many boxes
    /// and enough of them can sink.
    fn link_to_line(&mut self, boxes: &Boxes<S>, id: u32, line: u32) {
        let at = self.lines.enclosing(line, boxes.at(id));
        let segment = self.lines.get_mut(at);
        self.homes.push(&mut segment.head, Home::Segment(at).code(), id);
        segment.count += 1;
        let (segment, capacity) = (*segment, self.options.capacity);
        if !is_due(segment.count, capacity) || !self.lines.may_halve(at) {
            return;
        }
        let sinks = |&id: &u32| segment.half(boxes.at(id)).is_some();
        if 2 * self.homes.list(segment.head).filter(sinks).count() > capacity as usize {
            let mut list = self.lines.halve(at);
            while let Some(id) = self.homes.pop(&mut list) {
                self.link_to_line(boxes, id, at);
            }
        }
    }

    /// Splits a leaf that holds too many, if enough of them can sink.
    fn split_if_crowded(&mut self, boxes: &Boxes<S>, here: &NodeCell<S>) {
        let TreeOptions { capacity, max_depth, .. } = self.options;
        let leaf = self.nodes.get(here.node);
        if leaf.first != NONE {
            if is_due(leaf.count, CROWDED * capacity) && leaf.lines().is_none() {
                self.divide_lines(boxes, here);
            }
            return;
        }
        if !is_due(leaf.count, capacity) || here.depth == max_depth || !here.cell.divides() {
            return;
        }
        let sinks = |id: &u32| here.cell.children_touching(boxes.at(*id)).is_power_of_two();
        if 2 * self.lists(leaf.heads).filter(sinks).count() > capacity as usize {
            self.split(boxes, here);
        }
    }

    /// Turns a leaf into a branch, and lists its boxes again.
    fn split(&mut self, boxes: &Boxes<S>, here: &NodeCell<S>) {
        let (_, mut list) = self.divide(here);
        while let Some(id) = self.homes.pop(&mut list) {
            self.link(boxes, id, self.home_of(boxes.at(id), *here));
        }
    }

    /// Turns a leaf into a branch without boxes; returns its first child and its former list.
    pub(super) fn divide(&mut self, here: &NodeCell<S>) -> (u32, u32) {
        let branch = LineNode::leaf(here.cell);
        let first = self.nodes.alloc(branch);
        for k in 0..4 {
            let child = here.child(first, k);
            *self.nodes.get_mut(child.node) = LineNode::leaf(child.cell);
        }
        let leaf = core::mem::replace(self.nodes.get_mut(here.node), LineNode { first, ..branch });
        (first, leaf.heads[0])
    }

    /// Divides the lines of a branch.
    fn divide_lines(&mut self, boxes: &Boxes<S>, here: &NodeCell<S>) {
        let lines = [0, 1].map(|list| Segment::line(Home::List { node: here.node, list }.code(), &here.cell));
        let first = self.lines.alloc(lines);
        let node = self.nodes.get_mut(here.node);
        let lists = core::mem::replace(&mut node.heads, LineNode::<S>::divided(first));
        for (mut list, line) in lists.into_iter().zip(first..) {
            while let Some(id) = self.homes.pop(&mut list) {
                self.link_to_line(boxes, id, line);
            }
        }
    }
}
