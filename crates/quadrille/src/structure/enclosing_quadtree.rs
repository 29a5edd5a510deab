//! The quadtree with boxes at every level: each in the smallest node that encloses it.

use core::ops::ControlFlow;

use super::fit::World;
use super::tree::{self, Place, TreeNode, Walk};
use super::{Node, NodeKind, Part, Stats, Structure};
use crate::error::{Corruption, Error};
use crate::geometry::{Aabb, Cell, Scalar};
use crate::question::{Overlaps, Question, is_answer, partners};
use crate::storage::{Blocks, Boxes, Homes, Layers, NONE, add_bytes, tails};

/// A quadtree in which a box lives in the smallest node that encloses it.
///
/// - **Best at:** sets of very mixed sizes, giants among dwarfs: every box is listed once, however large.
/// - **Ruined by:** giants among many boxes on the same middle line, which widen what questions must look through.
///   [`LooseQuadtree`](crate::LooseQuadtree) has no such lines.
/// - **Order of answers:** node by node, parents before children, children in Morton order; within a node first the boxes on its
///   vertical middle line, then those on the horizontal one only; last arrived first on each.
/// - **Cost:** `insert`: one descent. `update`: a few comparisons while the box stays in its node, else a descent. `remove`: the
///   length of a list. `maintain`: all nodes, and the boxes on middle lines.
/// - **Memory:** about 40 bytes a box (`f32`): the box 16, its home 4, its place in a list 5 to 10, nodes 48 each.
///
/// **Lines.** A small box on a middle line of a large node cannot sink. So that not every question which passes has to look at
/// all of them, a branch keeps those on its vertical line apart from those on its horizontal line, and knows how far either
/// reach to the sides of the line: a question that lies beside the line passes them by.
///
/// A leaf splits when it holds more than [`capacity`](EnclosingQuadtreeOptions::capacity) boxes of which at least half the capacity
/// can sink. `maintain` merges four leaves into their parent where all five hold at most half the capacity together, from the
/// bottom up, so that one pass collapses an emptied tree.
///
/// The idea is the MX-CIF quadtree: G. Kedem, *The quad-CIF tree: a data structure for hierarchical on-line algorithms*, 1982. This
/// one follows P. Vigier's *Quadtree and collision detection*, 2019, in storing at every level. Departures: whole-plane cells,
/// closed boxes, merging also where inner nodes empty, pairs pruned by cell.
///
/// Measured beside its siblings, by operation and scene: [which structure for me?](https://github.com/quadrille-rs/quadrille/blob/main/docs/choosing.md)
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
pub struct EnclosingQuadtree<S = f32> {
    options: EnclosingQuadtreeOptions<S>,
    world: World<S>,
    nodes: Blocks<LineNode<S>>,
    homes: Homes,
}

/// Options of [`EnclosingQuadtree`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EnclosingQuadtreeOptions<S = f32> {
    /// Where most boxes will be; `None` follows the data. Boxes elsewhere are held and found all the same, but crowd together
    /// in the nodes at the border.
    pub world: Option<Aabb<S>>,
    /// Boxes in a leaf before it splits (1 to 4096; usually 16 to 64). Fewer: more nodes. More: longer lists to compare.
    pub capacity: u32,
    /// Steps from the root to the deepest leaf allowed (0 to 24).
    pub max_depth: u8,
}

impl<S> Default for EnclosingQuadtreeOptions<S> {
    fn default() -> Self {
        Self { world: None, capacity: 32, max_depth: 16 }
    }
}

impl<S: Scalar> EnclosingQuadtreeOptions<S> {
    fn check(&self) -> Result<(), Error> {
        tree::check_options(self.world, self.capacity, self.max_depth)
    }
}

/// A node with boxes of its own, and perhaps children. 48 bytes for `f32` and `i32`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
struct LineNode<S> {
    /// The first of four children; [`NONE`] for a leaf.
    first: u32,
    /// Boxes in both lists.
    count: u32,
    /// Branch: the boxes on the vertical middle line, and those on the horizontal one only. Leaf: all boxes, and none.
    heads: [u32; 2],
    /// Branch: how far the boxes of the first list reach on x, and those of the second on y; the middle line is always
    /// within. Grows at once; larger than needed until the next `maintain`.
    reach: Aabb<S>,
    /// A way down finds it anyhow; here it is for those who come by way of a box.
    cell: Cell<S>,
}

const _: () = assert!(size_of::<LineNode<f32>>() == 48);

/// The list, 0 or 1, in a branch for a box that touches several children.
#[inline]
fn list_across(touched: u8) -> usize {
    const WEST: u8 = 0b0101;
    const EAST: u8 = 0b1010;
    usize::from(touched & WEST == 0 || touched & EAST == 0)
}

/// The home of boxes in one of the two lists of a node.
#[inline]
fn home(node: u32, list: usize) -> u32 {
    2 * node + u32::from(list == 1)
}

impl<S: Scalar> LineNode<S> {
    fn leaf(cell: Cell<S>) -> Self {
        Self { first: NONE, count: 0, heads: [NONE; 2], reach: Aabb::from_point(cell.mid()), cell }
    }

    /// `true` if a box in this list of the node certainly belongs there. Boxes at the world's edge may belong all the same.
    #[inline]
    fn keeps(&self, list: usize, bounds: &Aabb<S>) -> bool {
        let touched = self.cell.children_touching(bounds);
        self.cell.encloses(bounds)
            && (self.first == NONE || (!touched.is_power_of_two() && list_across(touched) == list))
    }

    #[inline]
    fn widen(&mut self, list: usize, bounds: &Aabb<S>) {
        let reach = &mut self.reach;
        reach.min[list] = reach.min[list].lesser(bounds.min[list]);
        reach.max[list] = reach.max[list].greater(bounds.max[list]);
    }

    /// The heads of the lists in which something may intersect `bounds`; [`NONE`] for the others.
    #[inline]
    fn heads_near(&self, bounds: &Aabb<S>) -> [u32; 2] {
        [0, 1].map(|axis| {
            let is_near = (self.reach.min[axis] <= bounds.max[axis]) & (bounds.min[axis] <= self.reach.max[axis]);
            if is_near | (self.first == NONE) { self.heads[axis] } else { NONE }
        })
    }
}

impl<S: Scalar> TreeNode for LineNode<S> {
    #[inline]
    fn children(&self) -> Option<u32> {
        (self.first != NONE).then_some(self.first)
    }
}

/// The union of the layers of a node's own boxes.
fn listed_layers<S: Scalar>(homes: &Homes, boxes: &Boxes<S>, node: &LineNode<S>) -> Layers {
    let ids = node.heads.into_iter().flat_map(|head| homes.list(head));
    ids.fold(Layers::NONE, |union, id| union.union(boxes.layers(id)))
}

impl<S: Scalar> EnclosingQuadtree<S> {
    fn root(&self) -> Place<S> {
        Place::root(&self.world.bounds())
    }

    fn walk<Q: Question<S>>(&self, question: Q) -> Walk<'_, S, LineNode<S>, Q> {
        Walk::from(&self.nodes, self.world.bounds(), self.root(), question)
    }

    /// The boxes of both lists.
    #[inline]
    fn lists(&self, [one, other]: [u32; 2]) -> impl Iterator<Item = u32> + Clone {
        self.homes.list(one).chain(self.homes.list(other))
    }

    /// The smallest existing node that encloses the box, from `place` downwards, and the list there.
    fn home_of(&self, bounds: &Aabb<S>, place: Place<S>) -> (Place<S>, usize) {
        let place = place.enclosing(&self.nodes, bounds);
        let is_branch = self.nodes.get(place.node).children().is_some();
        (place, if is_branch { list_across(place.cell.children_touching(bounds)) } else { 0 })
    }

    fn link(&mut self, boxes: &Boxes<S>, id: u32, (place, list): (Place<S>, usize)) {
        let node = self.nodes.get_mut(place.node);
        self.homes.push(&mut node.heads[list], home(place.node, list), id);
        node.widen(list, boxes.at(id));
        node.count += 1;
        if self.nodes.keeps_layers() {
            self.widen_layers(boxes, id, place.node);
        }
        self.split_if_crowded(boxes, &place);
    }

    /// Widens the unions of layers on the way to the node in which a box lives.
    fn widen_layers(&mut self, boxes: &Boxes<S>, id: u32, node: u32) {
        let mut place = self.root();
        loop {
            self.nodes.layers_mut().widen(place.node, boxes.layers(id));
            let Some(first) = self.nodes.get(place.node).children().filter(|_| place.node != node) else { return };
            place = place.child(first, place.cell.children_touching(boxes.at(id)).trailing_zeros() as usize);
        }
    }

    /// A tree without boxes.
    fn reset(&mut self, keeps_layers: bool) {
        self.nodes.reset(LineNode::leaf(self.root().cell), keeps_layers);
        self.homes.clear();
    }

    fn unlink(&mut self, id: u32) {
        let home = self.homes.of(id);
        let node = self.nodes.get_mut(home / 2);
        self.homes.take(&mut node.heads[home as usize % 2], id);
        node.count -= 1;
    }

    /// Splits a leaf that holds too many, if enough of them can sink.
    fn split_if_crowded(&mut self, boxes: &Boxes<S>, place: &Place<S>) {
        let EnclosingQuadtreeOptions { capacity, max_depth, .. } = self.options;
        let leaf = self.nodes.get(place.node);
        // A crowd that could not sink is asked again only when it has doubled.
        let is_due = leaf.count == capacity + 1 || (leaf.count > capacity && leaf.count.is_power_of_two());
        if leaf.first != NONE || !is_due || place.depth == max_depth || !place.cell.divides() {
            return;
        }
        let sinks = |id: &u32| place.cell.children_touching(boxes.at(*id)).is_power_of_two();
        if 2 * self.lists(leaf.heads).filter(sinks).count() > capacity as usize {
            self.split(boxes, place);
        }
    }

    fn split(&mut self, boxes: &Boxes<S>, place: &Place<S>) {
        let branch = LineNode::leaf(place.cell);
        let first = self.nodes.alloc(branch);
        for k in 0..4 {
            let child = place.child(first, k);
            *self.nodes.get_mut(child.node) = LineNode::leaf(child.cell);
        }
        let leaf = core::mem::replace(self.nodes.get_mut(place.node), LineNode { first, ..branch });
        let [mut list, _] = leaf.heads;
        while let Some(id) = self.homes.pop(&mut list) {
            self.link(boxes, id, self.home_of(boxes.at(id), *place));
        }
    }

    /// Merges four leaves into their parent wherever the five hold at most `most` boxes together, from the bottom up, and
    /// brings the reach of the other branches down to what is there.
    fn tidy(&mut self, boxes: &Boxes<S>, node: u32, most: u32) {
        let Some(first) = self.nodes.get(node).children() else { return };
        (first..first + 4).for_each(|child| self.tidy(boxes, child, most));
        let children = [0, 1, 2, 3].map(|k| *self.nodes.get(first + k));
        let total = self.nodes.get(node).count + children.iter().map(|child| child.count).sum::<u32>();
        if total > most || children.iter().any(|child| child.first != NONE) {
            return self.tighten(boxes, node);
        }
        let parent = self.nodes.get_mut(node);
        (parent.first, parent.count) = (NONE, total);
        let line = core::mem::replace(&mut parent.heads[1], NONE);
        for mut list in [line].into_iter().chain(children.map(|child| child.heads[0])) {
            while let Some(id) = self.homes.pop(&mut list) {
                self.homes.push(&mut parent.heads[0], home(node, 0), id);
            }
        }
        self.nodes.free(first);
    }

    fn tighten(&mut self, boxes: &Boxes<S>, node: u32) {
        let node = self.nodes.get_mut(node);
        node.reach = Aabb::from_point(node.cell.mid());
        for list in 0..2 {
            self.homes.list(node.heads[list]).for_each(|id| node.widen(list, boxes.at(id)));
        }
    }

    /// Checks a node that a walk has come to; its lists are sound.
    fn validate_node(&self, boxes: &Boxes<S>, place: &Place<S>) -> Result<(), Corruption> {
        let (number, node) = (place.node, self.nodes.get(place.node));
        let count = self.lists(node.heads).count();
        Corruption::unless(count == node.count as usize, || {
            alloc::format!("node {number} counts {} boxes and lists {count}", node.count)
        })?;
        Corruption::unless(node.cell == place.cell, || {
            alloc::format!("node {number} has cell {:?}, which should be {:?}", node.cell, place.cell)
        })?;
        let reaches = |list: usize, bounds: &Aabb<S>| {
            node.reach.min[list] <= bounds.min[list] && bounds.max[list] <= node.reach.max[list]
        };
        for (list, head) in node.heads.into_iter().enumerate() {
            let is_wide = node.first == NONE || self.homes.list(head).all(|id| reaches(list, boxes.at(id)));
            Corruption::unless(is_wide, || alloc::format!("node {number} reaches {:?}, and a box more", node.reach))?;
        }
        Ok(())
    }
}

impl<S: Scalar> Structure for EnclosingQuadtree<S> {
    const NAME: &'static str = "enclosing-quadtree";
    type Scalar = S;
    type Options = EnclosingQuadtreeOptions<S>;

    fn new(options: Self::Options) -> Result<Self, Error> {
        options.check()?;
        let world = World::new(options.world);
        let root = LineNode::leaf(Place::root(&world.bounds()).cell);
        Ok(Self { options, world, nodes: Blocks::new(root), homes: Homes::new() })
    }

    fn options(&self) -> Self::Options {
        self.options
    }

    fn build(&mut self, boxes: &Boxes<S>) {
        self.world.refit(boxes);
        self.reset(boxes.has_layers());
        for id in tree::morton_order(boxes, self.world.bounds()) {
            self.insert(boxes, id);
        }
    }

    fn fits(&self, boxes: &Boxes<S>) -> bool {
        self.world.fits(boxes)
    }

    fn insert(&mut self, boxes: &Boxes<S>, id: u32) {
        self.link(boxes, id, self.home_of(boxes.at(id), self.root()));
    }

    fn remove(&mut self, _boxes: &Boxes<S>, id: u32) {
        self.unlink(id);
    }

    fn update(&mut self, boxes: &Boxes<S>, id: u32, _old: Aabb<S>) {
        let (old, bounds) = (self.homes.of(id), boxes.at(id));
        let (node, list) = (self.nodes.get_mut(old / 2), old as usize % 2);
        if node.keeps(list, bounds) {
            return node.widen(list, bounds);
        }
        let (place, list) = self.home_of(bounds, self.root());
        if home(place.node, list) == old {
            self.nodes.get_mut(place.node).widen(list, bounds);
        } else {
            self.unlink(id);
            self.link(boxes, id, (place, list));
        }
    }

    fn clear(&mut self) {
        self.reset(false);
    }

    fn reserve(&mut self, additional: usize) {
        self.homes.reserve(additional);
    }

    fn maintain(&mut self, boxes: &Boxes<S>) {
        self.tidy(boxes, 0, self.options.capacity / 2);
        if self.nodes.keeps_layers() {
            tree::tighten_layers(&mut self.nodes, 0, &|node| listed_layers(&self.homes, boxes, node));
        }
    }

    fn search<Q: Question<S>>(&self, boxes: &Boxes<S>, question: Q) -> impl Iterator<Item = u32> {
        let bounds = question.bounds();
        self.walk(question.clone()).flat_map(move |place| {
            let question = question.clone();
            let ids = self.lists(self.nodes.get(place.node).heads_near(&bounds));
            ids.filter(move |&id| is_answer(&question, boxes, id))
        })
    }

    /// Each box of a node with those after it in the same node, then with all boxes below that it touches.
    fn search_pairs(&self, boxes: &Boxes<S>, part: Part) -> impl Iterator<Item = (u32, u32)> {
        part.of(self.walk(Overlaps(Aabb::EVERYTHING)), self.nodes.len()).flat_map(move |place| {
            let node = self.nodes.get(place.node);
            tails(self.lists(node.heads)).flat_map(move |(a, rest)| {
                let bounds = *boxes.at(a);
                let below = node.children().map(|_| {
                    Walk::below(&self.nodes, self.world.bounds(), place, partners(boxes, bounds, boxes.layers(a)))
                });
                let below = below.into_iter().flatten();
                rest.chain(below.flat_map(move |place| self.lists(self.nodes.get(place.node).heads_near(&bounds))))
                    .filter(move |&b| bounds.intersects(boxes.at(b)) & boxes.meet(a, b))
                    .map(move |b| (a.min(b), a.max(b)))
            })
        })
    }

    fn visit_lists<B>(
        &self,
        _boxes: &Boxes<S>,
        mut visit: impl FnMut(Node<S>, &mut dyn Iterator<Item = u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.walk(Overlaps(Aabb::EVERYTHING)).try_for_each(|place| {
            let node = self.nodes.get(place.node);
            let kind = if node.first == NONE { NodeKind::Leaf } else { NodeKind::Branch };
            let population = node.count as usize;
            let depth = place.depth.into();
            visit(Node { bounds: place.cell.to_aabb(), depth, population, kind }, &mut self.lists(node.heads))
        })
    }

    fn stats(&self, boxes: &Boxes<S>) -> Stats {
        let mut stats = Stats { nodes: self.nodes.len(), listed: boxes.len(), ..Stats::default() };
        for place in self.walk(Overlaps(Aabb::EVERYTHING)) {
            let node = self.nodes.get(place.node);
            stats.depth = stats.depth.max(place.depth.into());
            stats.leaves += usize::from(node.first == NONE);
            stats.longest_list = stats.longest_list.max(node.count as usize);
        }
        [stats.bytes_used, stats.bytes_reserved] = add_bytes([self.nodes.bytes(), self.homes.bytes()]);
        stats
    }

    fn validate(&self, boxes: &Boxes<S>) -> Result<(), Corruption> {
        self.options.check()?;
        self.world.validate(self.options.world)?;
        self.nodes.validate(LineNode::children, self.options.max_depth)?;
        let places = || tree::all_places(&self.nodes, &self.world.bounds());
        let lists = |place: Place<S>| {
            let heads = self.nodes.get(place.node).heads;
            [0, 1].map(|list| (home(place.node, list), heads[list]))
        };
        self.homes.validate(boxes, places().flat_map(lists))?;
        places().try_for_each(|place| self.validate_node(boxes, &place))?;
        for (id, bounds) in boxes.iter() {
            let (place, list) = self.home_of(&bounds, self.root());
            let (is, should) = (self.homes.of(id), home(place.node, list));
            Corruption::unless(is == should, || alloc::format!("box {id} lives in list {is} instead of {should}"))?;
        }
        tree::validate_layers(&self.nodes, |node| listed_layers(&self.homes, boxes, node))
    }
}
