//! What `maintain` does: nearly empty parts are merged, from the bottom up.

use super::EnclosingQuadtree;
use super::node::{Home, list_across};
use crate::geometry::{Aabb, Scalar};
use crate::storage::{Boxes, NONE};
use crate::structure::tree::TreeNode;

impl<S: Scalar> EnclosingQuadtree<S> {
    /// Merges four leaves into their parent wherever the five together hold at most `most` boxes, from the bottom up,
    /// and shrinks the reach of the other branches to what is there.
    pub(super) fn merge(&mut self, boxes: &Boxes<S>, node: u32, most: u32) {
        let Some(first) = self.nodes.get(node).children() else { return };
        (first..first + 4).for_each(|child| self.merge(boxes, child, most));
        let children = [0, 1, 2, 3].map(|k| *self.nodes.get(first + k));
        let total = self.nodes.get(node).count + children.iter().map(|child| child.count).sum::<u32>();
        if self.nodes.get(node).count <= self.options.capacity {
            self.undivide_lines(node);
        }
        if total > most || children.iter().any(|child| child.first != NONE) {
            if let Some(lines) = self.nodes.get(node).lines() {
                lines.into_iter().for_each(|line| self.merge_segments(line, self.options.capacity / 2));
            }
            return self.shrink_reach(boxes, node);
        }
        let parent = self.nodes.get_mut(node);
        (parent.first, parent.count) = (NONE, total);
        let line = core::mem::replace(&mut parent.heads[1], NONE);
        for mut list in [line].into_iter().chain(children.map(|child| child.heads[0])) {
            while let Some(id) = self.homes.pop(&mut list) {
                self.homes.push(&mut parent.heads[0], Home::List { node, list: 0 }.code(), id);
            }
        }
        self.nodes.free(first);
    }

    /// Shrinks the reach of a branch to that of the boxes on its lines.
    fn shrink_reach(&mut self, boxes: &Boxes<S>, number: u32) {
        let mut node = *self.nodes.get(number);
        node.reach = Aabb::from_point(node.cell.mid());
        for id in self.listed(&node) {
            let bounds = boxes.at(id);
            node.widen(list_across(node.cell.children_touching(bounds)), bounds);
        }
        *self.nodes.get_mut(number) = node;
    }

    /// Turns the lines of a branch back into plain lists.
    fn undivide_lines(&mut self, node: u32) {
        let Some(lines) = self.nodes.get(node).lines() else { return };
        let mut heads = [NONE; 2];
        for list in 0..2 {
            self.move_all(lines[list], &mut heads[list], Home::List { node, list }.code());
        }
        self.lines.free(lines[0]);
        self.nodes.get_mut(node).heads = heads;
    }

    /// Joins the halves of segments wherever the three together hold at most `most` boxes, from the smallest up.
    fn merge_segments(&mut self, segment: u32, most: u32) {
        let Some(halves) = self.lines.halves(segment) else { return };
        halves.into_iter().for_each(|half| self.merge_segments(half, most));
        let parts = [segment, halves[0], halves[1]];
        let total: u32 = parts.into_iter().map(|part| self.lines.get(part).count).sum();
        if total > most || halves.into_iter().any(|half| self.lines.halves(half).is_some()) {
            return;
        }
        let mut head = self.lines.get(segment).head;
        halves.into_iter().for_each(|half| self.move_all(half, &mut head, Home::Segment(segment).code()));
        self.lines.join(segment);
        let whole = self.lines.get_mut(segment);
        (whole.head, whole.count) = (head, total);
    }

    /// Moves all boxes of a segment and its parts into a list.
    fn move_all(&mut self, segment: u32, head: &mut u32, home: u32) {
        if let Some(halves) = self.lines.halves(segment) {
            halves.into_iter().for_each(|half| self.move_all(half, head, home));
            self.lines.join(segment);
        }
        let whole = self.lines.get_mut(segment);
        let mut list = core::mem::replace(&mut whole.head, NONE);
        whole.count = 0;
        while let Some(id) = self.homes.pop(&mut list) {
            self.homes.push(head, home, id);
        }
    }
}
