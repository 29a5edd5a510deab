//! Checks of a whole tree, which may be forged.

use super::EnclosingQuadtree;
use super::lines::Segment;
use super::node::{Home, LineNode, list_across, listed_layers};
use crate::error::Corruption;
use crate::geometry::{Aabb, Scalar};
use crate::storage::{Boxes, NONE};
use crate::structure::tree::{self, NodeCell, TreeNode};

impl<S: Scalar> EnclosingQuadtree<S> {
    /// Checks everything, in such an order that no walk follows a number that has not been checked.
    pub(super) fn validate_all(&self, boxes: &Boxes<S>) -> Result<(), Corruption> {
        self.options.check()?;
        self.world.validate(self.options.world)?;
        self.nodes.validate(LineNode::children, self.options.max_depth)?;
        let nodes = || tree::all_nodes(&self.nodes, &self.world.bounds());
        self.validate_lines()?;
        let lists = |here: NodeCell<S>| {
            let node = self.nodes.get(here.node);
            let plain = node.undivided_heads();
            let lines = node.lines().into_iter().flatten();
            let segments = lines.flat_map(|line| self.lines.touching(line, &Aabb::EVERYTHING));
            let divided = segments.map(|segment| (Home::Segment(segment).code(), self.lines.get(segment).head));
            [0, 1].map(|list| (Home::List { node: here.node, list }.code(), plain[list])).into_iter().chain(divided)
        };
        self.homes.validate(boxes, nodes().flat_map(lists))?;
        nodes().try_for_each(|here| self.validate_node(boxes, &here))?;
        for (id, bounds) in boxes.iter() {
            let (here, list) = self.home_of(&bounds, self.root());
            let (is, should) = (self.homes.of(id), self.home_in(here.node, list, &bounds).code());
            Corruption::unless(is == should, || alloc::format!("box {id} lives in list {is} instead of {should}"))?;
        }
        tree::validate_layers(&self.nodes, |node| listed_layers((&self.lines, &self.homes), boxes, node))
    }

    /// Checks a node that a walk has reached; its lists are sound.
    fn validate_node(&self, boxes: &Boxes<S>, here: &NodeCell<S>) -> Result<(), Corruption> {
        let (number, node) = (here.node, self.nodes.get(here.node));
        let count = self.listed(node).count();
        Corruption::unless(count == node.count as usize, || {
            alloc::format!("node {number} counts {} boxes and lists {count}", node.count)
        })?;
        Corruption::unless(node.cell == here.cell, || {
            alloc::format!("node {number} has cell {:?}, which should be {:?}", node.cell, here.cell)
        })?;
        let reaches = |list: usize, bounds: &Aabb<S>| {
            node.reach.min[list] <= bounds.min[list] && bounds.max[list] <= node.reach.max[list]
        };
        let list = |bounds: &Aabb<S>| list_across(node.cell.children_touching(bounds));
        Corruption::unless(node.reach.contains(&Aabb::from_point(node.cell.mid())), || {
            alloc::format!("node {number} reaches {:?}, not even its middle", node.reach)
        })?;
        let is_wide = node.first == NONE || self.listed(node).map(|id| boxes.at(id)).all(|one| reaches(list(one), one));
        Corruption::unless(is_wide, || alloc::format!("node {number} reaches {:?}, and a box more", node.reach))?;
        let segments = node.lines().into_iter().flatten();
        for segment in segments.flat_map(|line| self.lines.touching(line, &Aabb::EVERYTHING)) {
            let segment = self.lines.get(segment);
            let count = self.homes.list(segment.head).count();
            Corruption::unless(count == segment.count as usize, || {
                alloc::format!("a segment of a line of node {number} counts {} boxes and lists {count}", segment.count)
            })?;
        }
        Ok(())
    }

    /// The lines of branches contain every segment that is in use exactly once.
    fn validate_lines(&self) -> Result<(), Corruption> {
        let mut seen = self.lines.none_seen();
        for here in tree::all_nodes(&self.nodes, &self.world.bounds()) {
            let node = self.nodes.get(here.node);
            let Some(lines @ [first, _]) = node.lines() else { continue };
            let are_lines = node.first != NONE && node.heads == LineNode::<S>::divided(first) && first % 2 == 0;
            Corruption::unless(are_lines, || alloc::format!("node {} has no lines {lines:?}", here.node))?;
            for (list, line) in lines.into_iter().enumerate() {
                self.lines.trace(
                    line,
                    &Segment::line(Home::List { node: here.node, list }.code(), &here.cell),
                    &mut seen,
                )?;
            }
        }
        self.lines.validate_free(seen)
    }
}

#[cfg(test)]
mod tests {
    use crate::geometry::Aabb;
    use crate::storage::Boxes;
    use crate::structure::{EnclosingQuadtree, Structure};

    #[test]
    fn a_reach_that_is_no_number_is_not_sound() {
        let mut tree = EnclosingQuadtree::<f32>::new(Default::default()).expect("defaults are valid");
        let mut boxes = Boxes::new();
        boxes.insert(Aabb::from_point([1.0; 2])).expect("there is room");
        tree.build(&boxes);
        tree.validate(&boxes).expect("a sound tree");
        tree.nodes.get_mut(tree.root().node).reach = Aabb::from_point([f32::NAN; 2]);
        assert!(tree.validate(&boxes).is_err());
    }
}
