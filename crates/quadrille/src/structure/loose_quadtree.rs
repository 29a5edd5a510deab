//! The loose quadtree: boxes filed by their centers, nodes that grow around them.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::bulk::{CURVE_DEPTH, Entry, along_curve};
use super::fit::World;
use super::tree::{self, MAX_DEPTH, NodeCell, TreeNode, TreeOptions};
use super::{Node, NodeKind, Part, Stats, Structure};
use crate::error::{Corruption, Error};
use crate::executor::Executor;
use crate::geometry::{Aabb, Scalar};
use crate::query::{Overlaps, Query, is_answer_in, partners};
use crate::storage::{Blocks, Boxes, Homes, Layers, NONE, add_bytes, tails};

/// A quadtree in which a box is listed in the single leaf that holds its center, and every node keeps the hull of its
/// boxes.
///
/// In the manual: `docs/structures/loose-quadtree.md`.
///
/// - **Best for:** boxes that move, if it must be a quadtree: the fastest of the three there, behind `FrameTree`.
/// - **Avoid for:** huge boxes spread evenly among small ones: they inflate nodes, so queries visit them needlessly.
/// - **Order of answers**, in this version: leaf by leaf in Morton order, newest first within a leaf.
/// - **Cost:** `insert`: one descent. `remove`: a short list. `update`: constant within the hull of the leaf, otherwise
///   a remove and an insert. `query`: the nodes whose hulls are touched. `pairs`: the nodes whose hulls touch.
///   `maintain`: all nodes and boxes.
/// - **Memory:** 30 to 42 bytes per box (`f32`): 16 for the box, 4 for its home, 5 to 10 for its list entry, 20
///   for each node.
///
/// Cells only decide where a new box goes. Queries look at hulls alone, and a box stays in its leaf while it moves
/// within the hull. Hulls grow immediately, along the path. They shrink in [`maintain`](crate::Index::maintain), which
/// also merges four leaves that together hold at most half the [`capacity`](TreeOptions::capacity). Until then
/// answers are exact, only slower. A pile of boxes around one point is not split, however large it is.
///
/// Loose nodes: T. Ulrich, *Loose octrees*, Game Programming Gems, 2000. Hulls that fit their boxes, instead of cells
/// of twice the size, follow part 4 of D. E.'s answer on *efficient quadtrees*, Stack Overflow, question 41946007
/// (2018).
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
pub struct LooseQuadtree<S = f32> {
    options: TreeOptions<S>,
    world: World<S>,
    nodes: Blocks<HullNode<S>>,
    homes: Homes,
}

/// A hull, and either a list of boxes or four children. 20 bytes for `f32` and `i32`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
struct HullNode<S> {
    /// Encloses every box below this node; larger than needed until the next `maintain`.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::hull"))]
    hull: Aabb<S>,
    /// ```text
    /// 0…            leaf: the first box of the list
    /// 1…            branch: the first of four children, without the top bit
    /// 111…1 (NONE)  leaf: the list is empty
    /// ```
    link: u32,
}

const BRANCH_BIT: u32 = 1 << 31;
const _: () = assert!(size_of::<HullNode<f32>>() == 20);

impl<S: Scalar> HullNode<S> {
    const EMPTY_LEAF: Self = Self { hull: Aabb::EMPTY, link: NONE };
}

impl<S: Scalar> TreeNode for HullNode<S> {
    #[inline]
    fn children(&self) -> Option<u32> {
        (self.link & BRANCH_BIT != 0 && self.link != NONE).then_some(self.link & !BRANCH_BIT)
    }
}

/// Is a box at least half as wide and as high as a hull that encloses it? Then it contains the hull's center, and a
/// leaf of nothing but such boxes is a pile: every two of them are a pair. No split saves a comparison among them, and
/// they are cheaper to move in one large leaf than between small ones. When a smaller box arrives that is one too many,
/// the leaf splits.
fn spans_half<S: Scalar>(bounds: &Aabb<S>, hull: &Aabb<S>) -> bool {
    let side = |aabb: &Aabb<S>, axis: usize| aabb.max[axis].to_f64() - aabb.min[axis].to_f64();
    (0..2).all(|axis| 2.0 * side(bounds, axis) >= side(hull, axis))
}

/// The union of the layers of a leaf's boxes; a branch has none.
fn listed_layers<S: Scalar>(homes: &Homes, boxes: &Boxes<S>, node: &HullNode<S>) -> Layers {
    let head = if node.children().is_some() { NONE } else { node.link };
    homes.list(head).fold(Layers::NONE, |union, id| union.union(boxes.layers(id)))
}

/// All leaves with boxes that a query touches, in Morton order; branches too if requested.
struct HullWalk<'a, S, Q> {
    nodes: &'a Blocks<HullNode<S>>,
    bounds: Aabb<S>,
    query: Q,
    start: bool,
    stack: ArrayVec<(u32, u8), { MAX_DEPTH as usize }>,
}

impl<S: Scalar, Q: Query<S>> HullWalk<'_, S, Q> {
    #[inline]
    fn enters(&self, node: u32) -> bool {
        let hull = &self.nodes.get(node).hull;
        // A node without boxes has no hull, but a query about everything would still enter it.
        hull.is_ordered()
            && self.bounds.intersects(hull)
            && self.nodes.are_wanted(node, |layers| self.query.wants(layers))
            && self.query.reaches(hull)
    }
}

/// A node number and its depth.
type Step = (u32, usize);

impl<S: Scalar, Q: Query<S>> Iterator for HullWalk<'_, S, Q> {
    type Item = Step;

    #[inline]
    fn next(&mut self) -> Option<Step> {
        let node = if core::mem::take(&mut self.start) {
            self.enters(0).then_some(0)?
        } else {
            while self.stack.last()?.1 == 0 {
                self.stack.pop();
            }
            let (first, todo) = self.stack.last_mut()?;
            let k = todo.trailing_zeros();
            *todo &= *todo - 1;
            *first + k
        };
        let depth = self.stack.len();
        if let Some(first) = self.nodes.get(node).children() {
            let enters = |k: u32| u8::from(self.enters(first + k)) << k;
            self.stack.push((first, enters(0) | enters(1) | enters(2) | enters(3)));
        }
        Some((node, depth))
    }
}

impl<S: Scalar> LooseQuadtree<S> {
    fn walk<Q: Query<S>>(&self, query: Q) -> HullWalk<'_, S, Q> {
        let bounds = query.bounds();
        HullWalk { nodes: &self.nodes, bounds, query, start: true, stack: ArrayVec::new() }
    }

    fn leaves<Q: Query<S>>(&self, query: Q) -> impl Iterator<Item = u32> {
        self.walk(query).map(|(node, _)| node).filter(|&node| self.nodes.get(node).children().is_none())
    }

    fn list(&self, leaf: u32) -> impl Iterator<Item = u32> + Clone {
        self.homes.list(self.nodes.get(leaf).link)
    }

    /// The leaf whose cell holds the center of the box. Every hull and union of layers on the way there, from `here`
    /// on, grows around the box.
    fn descend(&mut self, boxes: &Boxes<S>, id: u32, mut here: NodeCell<S>) -> NodeCell<S> {
        let bounds = boxes.at(id);
        let center = bounds.center();
        loop {
            self.nodes.layers_mut().widen(here.node, boxes.layers(id));
            let node = self.nodes.get_mut(here.node);
            if !node.hull.contains(bounds) {
                node.hull = node.hull.union(bounds);
            }
            let Some(first) = node.children() else { return here };
            here = here.child(first, here.cell.child_at(center));
        }
    }

    fn link(&mut self, boxes: &Boxes<S>, id: u32, leaf: &NodeCell<S>) {
        self.homes.push(&mut self.nodes.get_mut(leaf.node).link, leaf.node, id);
        let is_heap = spans_half(boxes.at(id), &self.nodes.get(leaf.node).hull);
        let capacity = self.options.capacity as usize;
        if self.can_split(leaf) && !is_heap && self.list(leaf.node).nth(capacity).is_some() {
            self.split(boxes, leaf);
        }
    }

    fn can_split(&self, leaf: &NodeCell<S>) -> bool {
        leaf.depth < self.options.max_depth && leaf.cell.divides()
    }

    /// Brings a listed box to the leaf of its center, and widens everything on the way.
    fn settle(&mut self, boxes: &Boxes<S>, id: u32) {
        let leaf = self.descend(boxes, id, NodeCell::root(&self.world.bounds()));
        if leaf.node != self.homes.of(id) {
            self.unlink(id);
            self.link(boxes, id, &leaf);
        }
    }

    /// Puts all boxes below a node of an empty tree. They are sorted along the curve, so those of each child are
    /// consecutive. Rounding on a middle line may put a box into the neighboring child, which is harmless because
    /// queries look at hulls alone.
    fn load(&mut self, boxes: &Boxes<S>, here: &NodeCell<S>, entries: &[Entry<S>]) {
        let hull = Aabb::from_boxes(entries.iter().map(|one| &one.bounds));
        self.nodes.get_mut(here.node).hull = hull;
        for one in entries {
            self.nodes.layers_mut().widen(here.node, boxes.layers(one.id));
        }
        let TreeOptions { capacity, max_depth, .. } = self.options;
        let can_split =
            here.depth < max_depth.min(CURVE_DEPTH) && here.cell.divides() && entries.len() > capacity as usize;
        if !can_split || entries.iter().all(|one| spans_half(&one.bounds, &hull)) {
            let link = &mut self.nodes.get_mut(here.node).link;
            return entries.iter().for_each(|one| self.homes.push(link, here.node, one.id));
        }
        let first = self.nodes.alloc(HullNode::EMPTY_LEAF);
        self.nodes.get_mut(here.node).link = first | BRANCH_BIT;
        let mut rest = entries;
        for k in 0..4 {
            let count = rest.partition_point(|one| here.cell.child_at(one.bounds.center()) <= k);
            let (own, others) = rest.split_at(if k == 3 { rest.len() } else { count });
            if !own.is_empty() {
                self.load(boxes, &here.child(first, k), own);
            }
            rest = others;
        }
    }

    /// A tree without boxes.
    fn reset(&mut self, keeps_layers: bool) {
        self.nodes.reset(HullNode::EMPTY_LEAF, keeps_layers);
        self.homes.clear();
    }

    fn unlink(&mut self, id: u32) {
        let leaf = self.nodes.get_mut(self.homes.of(id));
        self.homes.take(&mut leaf.link, id);
    }

    fn split(&mut self, boxes: &Boxes<S>, here: &NodeCell<S>) {
        let first = self.nodes.alloc(HullNode::EMPTY_LEAF);
        let mut list = core::mem::replace(&mut self.nodes.get_mut(here.node).link, first | BRANCH_BIT);
        while let Some(id) = self.homes.pop(&mut list) {
            let leaf = self.descend(boxes, id, *here);
            self.link(boxes, id, &leaf);
        }
    }

    /// Shrinks the hulls of a node and everything below it, merges small leaves, splits those whose boxes have moved
    /// apart, and returns how many boxes the node holds if it is now a leaf.
    fn tighten(&mut self, boxes: &Boxes<S>, here: &NodeCell<S>) -> Option<usize> {
        let node = here.node;
        let Some(first) = self.nodes.get(node).children() else {
            let (mut hull, mut count) = (Aabb::EMPTY, 0);
            for id in self.list(node) {
                hull = hull.union(boxes.at(id));
                count += 1;
            }
            self.nodes.get_mut(node).hull = hull;
            let is_apart = || self.list(node).any(|id| !spans_half(boxes.at(id), &hull));
            if self.can_split(here) && count > self.options.capacity as usize && is_apart() {
                self.split(boxes, here);
                return None;
            }
            return Some(count);
        };
        let counts = [0, 1, 2, 3].map(|k| self.tighten(boxes, &here.child(first, k)));
        let hulls = [0, 1, 2, 3].map(|k| self.nodes.get(first + k).hull);
        self.nodes.get_mut(node).hull = Aabb::from_boxes(&hulls);
        let total = counts.into_iter().sum::<Option<usize>>()?;
        if total > self.options.capacity as usize / 2 {
            return None;
        }
        self.merge(node, first);
        Some(total)
    }

    /// Turns a branch with four leaves into a leaf.
    fn merge(&mut self, node: u32, first: u32) {
        let mut head = NONE;
        for k in 0..4 {
            let mut list = self.nodes.get(first + k).link;
            while let Some(id) = self.homes.pop(&mut list) {
                self.homes.push(&mut head, node, id);
            }
        }
        self.nodes.get_mut(node).link = head;
        self.nodes.free(first);
    }

    /// The pairs of a part. `partners` finds the boxes that may form a pair with one of a leaf.
    fn pairs_among<Q: Query<S>>(
        &self,
        boxes: &Boxes<S>,
        part: Part,
        partners: impl Fn(u32) -> Q,
    ) -> impl Iterator<Item = (u32, u32)> {
        let leaves = part.of(self.leaves(Overlaps(Aabb::EVERYTHING)), self.nodes.leaves());
        leaves.flat_map(move |leaf| self.leaf_pairs(boxes, leaf, partners(leaf)))
    }

    /// The boxes of leaf `a` against each other, then against those of every leaf with a higher number that `partners`
    /// finds. So every two leaves meet once.
    fn leaf_pairs<Q: Query<S>>(&self, boxes: &Boxes<S>, a: u32, partners: Q) -> impl Iterator<Item = (u32, u32)> {
        let own = tails(self.list(a));
        let others = self.leaves(partners).filter(move |&b| a < b).flat_map(move |b| {
            let hull = self.nodes.get(b).hull;
            self.list(a).filter(move |&id| hull.intersects(boxes.at(id))).map(move |id| (id, self.list(b)))
        });
        own.chain(others).flat_map(move |(id, partners)| boxes.pairs_of(id, partners))
    }

    /// Adds all leaves in and below `node`, with the heads of their lists, to `found`.
    fn lists_below(&self, node: u32, found: &mut Vec<(u32, u32)>) {
        let HullNode { link, .. } = *self.nodes.get(node);
        match self.nodes.get(node).children() {
            Some(first) => (first..first + 4).for_each(|child| self.lists_below(child, found)),
            None => found.push((node, link)),
        }
    }

    /// Checks hulls in and below `node`.
    fn validate_node(&self, boxes: &Boxes<S>, node: u32) -> Result<(), Corruption> {
        let hull = self.nodes.get(node).hull;
        Corruption::unless(hull == Aabb::EMPTY || hull.is_valid(), || alloc::format!("node {node} has hull {hull:?}"))?;
        let inside = |what: &str, inner: &Aabb<S>| {
            Corruption::unless(*inner == Aabb::EMPTY || hull.contains(inner), || {
                alloc::format!("{what} {inner:?} sticks out of the hull {hull:?} of node {node}")
            })
        };
        let Some(first) = self.nodes.get(node).children() else {
            return self.list(node).try_for_each(|id| inside("a box", boxes.at(id)));
        };
        (first..first + 4).try_for_each(|child| {
            inside("the hull", &self.nodes.get(child).hull)?;
            self.validate_node(boxes, child)
        })
    }
}

impl<S: Scalar> Structure for LooseQuadtree<S> {
    const NAME: &'static str = "loose-quadtree";
    type Scalar = S;
    type Options = TreeOptions<S>;
    type Askers = super::FrameTree<S>;
    type Compiler = crate::compiled::Caller;

    fn new(options: Self::Options) -> Result<Self, Error> {
        options.check()?;
        Ok(Self {
            options,
            world: World::new(options.world),
            nodes: Blocks::new(HullNode::EMPTY_LEAF),
            homes: Homes::new(),
        })
    }

    fn options(&self) -> Self::Options {
        self.options
    }

    fn build_with(&mut self, boxes: &Boxes<S>, _executor: &impl Executor) {
        self.world.refit(boxes);
        self.reset(boxes.has_layers());
        let entries = along_curve(boxes, &self.world.bounds());
        self.homes.reserve(entries.len());
        self.load(boxes, &NodeCell::root(&self.world.bounds()), &entries);
    }

    fn fits(&self, boxes: &Boxes<S>) -> bool {
        self.world.fits(boxes)
    }

    fn insert(&mut self, boxes: &Boxes<S>, id: u32) {
        let leaf = self.descend(boxes, id, NodeCell::root(&self.world.bounds()));
        self.link(boxes, id, &leaf);
    }

    fn remove(&mut self, _boxes: &Boxes<S>, id: u32) {
        self.unlink(id);
    }

    fn update(&mut self, boxes: &Boxes<S>, id: u32, _old: Aabb<S>) {
        if !self.nodes.get(self.homes.of(id)).hull.contains(boxes.at(id)) {
            self.settle(boxes, id);
        }
    }

    fn set_layers(&mut self, boxes: &Boxes<S>, id: u32) {
        self.settle(boxes, id);
    }

    fn clear(&mut self) {
        self.reset(false);
    }

    fn reserve(&mut self, additional: usize) {
        self.homes.reserve(additional);
    }

    fn maintain_with(&mut self, boxes: &Boxes<S>, _executor: &impl Executor) {
        self.tighten(boxes, &NodeCell::root(&self.world.bounds()));
        if self.nodes.keeps_layers() {
            tree::tighten_layers(&mut self.nodes, 0, &|node| listed_layers(&self.homes, boxes, node));
        }
    }

    fn search<Q: Query<S>>(&self, boxes: &Boxes<S>, query: Q) -> impl Iterator<Item = u32> {
        self.leaves(query.clone()).flat_map(move |leaf| {
            let query = query.clone();
            let is_covered = query.covers(&self.nodes.get(leaf).hull);
            self.list(leaf).filter(move |&id| is_answer_in(&query, is_covered, boxes, id))
        })
    }

    fn search_pairs(&self, boxes: &Boxes<S>, part: Part) -> impl Iterator<Item = (u32, u32)> {
        // Without layers the smaller query saves a fifth of the time.
        let hull = |leaf| self.nodes.get(leaf).hull;
        let is_layered = self.nodes.keeps_layers();
        let plain = (!is_layered).then(|| self.pairs_among(boxes, part, move |leaf| Overlaps(hull(leaf))));
        let layered = is_layered
            .then(|| self.pairs_among(boxes, part, move |leaf| partners(boxes, hull(leaf), self.nodes.layers(leaf))));
        plain.into_iter().flatten().chain(layered.into_iter().flatten())
    }

    /// Nodes without boxes have no rectangle and are left out.
    fn visit_lists<B>(
        &self,
        _boxes: &Boxes<S>,
        mut visit: impl FnMut(Node<S>, &mut dyn Iterator<Item = u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.walk(Overlaps(Aabb::EVERYTHING)).try_for_each(|(node, depth)| {
            let HullNode { hull: bounds, .. } = *self.nodes.get(node);
            let is_branch = self.nodes.get(node).children().is_some();
            let (kind, head) =
                if is_branch { (NodeKind::Branch, NONE) } else { (NodeKind::Hull, self.nodes.get(node).link) };
            let (depth, population) = (u32::try_from(depth).unwrap_or(u32::MAX), self.homes.list(head).count());
            visit(Node { bounds, depth, population, kind }, &mut self.homes.list(head))
        })
    }

    fn stats(&self, boxes: &Boxes<S>) -> Stats {
        let mut stats =
            Stats { nodes: self.nodes.len(), leaves: self.nodes.leaves(), listed: boxes.len(), ..Stats::default() };
        for (node, depth) in self.walk(Overlaps(Aabb::EVERYTHING)) {
            stats.depth = stats.depth.max(depth);
            if self.nodes.get(node).children().is_none() {
                stats.longest_list = stats.longest_list.max(self.list(node).count());
            }
        }
        [stats.bytes_used, stats.bytes_reserved] = add_bytes([self.nodes.bytes(), self.homes.bytes()]);
        stats
    }

    fn validate(&self, boxes: &Boxes<S>) -> Result<(), Corruption> {
        self.options.check()?;
        self.world.validate(self.options.world)?;
        self.nodes.validate(HullNode::children, self.options.max_depth)?;
        let mut lists = Vec::new();
        self.lists_below(0, &mut lists);
        self.homes.validate(boxes, lists.into_iter())?;
        self.validate_node(boxes, 0)?;
        tree::validate_layers(&self.nodes, |node| listed_layers(&self.homes, boxes, node))
    }
}
