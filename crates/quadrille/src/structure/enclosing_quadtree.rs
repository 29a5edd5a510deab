//! The quadtree with boxes at every level: each in the smallest node that encloses it.

use core::ops::ControlFlow;

use super::fit::World;
use super::tree::{self, Place, TreeNode, Walk};
use super::{Node, NodeKind, Part, Stats, Structure};
use crate::error::{Corruption, Error};
use crate::geometry::{Aabb, Scalar};
use crate::question::{Overlaps, Question, is_answer, partners};
use crate::storage::{Blocks, Boxes, Layers, Links, NONE, add_bytes, tails};

/// A quadtree in which a box lives in the smallest node that encloses it.
///
/// - **Best at:** sets of very mixed sizes, giants among dwarfs: every box is listed once, however large.
/// - **Ruined by:** many small boxes on the middle lines of large nodes: they cannot sink, and every question that passes looks
///   at them. [`LooseQuadtree`](crate::LooseQuadtree) has no such lines.
/// - **Order of answers:** node by node, parents before children, children in Morton order; last arrived first within a node.
/// - **Cost:** `insert`, `update`: one descent. `remove`: constant. `maintain`: all nodes, no boxes.
/// - **Memory:** about 35 bytes a box (`f32`): the box 16, its links 12, nodes 12 each.
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
pub struct EnclosingQuadtree<S = f32> {
    options: EnclosingQuadtreeOptions<S>,
    world: World<S>,
    nodes: Blocks<ListNode>,
    links: Links,
}

/// Options of [`EnclosingQuadtree`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EnclosingQuadtreeOptions<S = f32> {
    /// Where most boxes will be; `None` follows the data. Boxes elsewhere are held and found all the same, but crowd together
    /// in the nodes at the border.
    pub world: Option<Aabb<S>>,
    /// Boxes in a leaf before it splits (1 to 4096; usually 8 to 32). Fewer: more nodes. More: longer lists to compare.
    pub capacity: u32,
    /// Steps from the root to the deepest leaf allowed (0 to 24).
    pub max_depth: u8,
}

impl<S> Default for EnclosingQuadtreeOptions<S> {
    fn default() -> Self {
        Self { world: None, capacity: 16, max_depth: 16 }
    }
}

impl<S: Scalar> EnclosingQuadtreeOptions<S> {
    fn check(&self) -> Result<(), Error> {
        tree::check_options(self.world, self.capacity, self.max_depth)
    }
}

/// A node with a list of its own, and perhaps children.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct ListNode {
    /// The first of four children; [`NONE`] for a leaf.
    first: u32,
    /// The first box of the list; [`NONE`] if it is empty.
    head: u32,
    /// Boxes in the list.
    count: u32,
}

const EMPTY_LEAF: ListNode = ListNode { first: NONE, head: NONE, count: 0 };
const _: () = assert!(size_of::<ListNode>() == 12);

impl TreeNode for ListNode {
    #[inline]
    fn children(&self) -> Option<u32> {
        (self.first != NONE).then_some(self.first)
    }
}

/// The union of the layers of a node's own boxes.
fn listed_layers<S: Scalar>(links: &Links, boxes: &Boxes<S>, node: &ListNode) -> Layers {
    links.list(node.head).fold(Layers::NONE, |union, id| union.union(boxes.layers(id)))
}

impl<S: Scalar> EnclosingQuadtree<S> {
    fn root(&self) -> Place<S> {
        Place::root(&self.world.bounds())
    }

    fn walk<Q: Question<S>>(&self, question: Q) -> Walk<'_, S, ListNode, Q> {
        Walk::from(&self.nodes, self.world.bounds(), self.root(), question)
    }

    fn list(&self, node: u32) -> impl Iterator<Item = u32> + Clone {
        self.links.list(self.nodes.get(node).head)
    }

    /// The smallest existing node that encloses the box, from `place` downwards.
    fn home_of(&self, bounds: &Aabb<S>, mut place: Place<S>) -> Place<S> {
        while let Some(first) = self.nodes.get(place.node).children() {
            let touched = place.cell.children_touching(bounds);
            if !touched.is_power_of_two() {
                break;
            }
            place = place.child(first, touched.trailing_zeros() as usize);
        }
        place
    }

    fn link(&mut self, boxes: &Boxes<S>, id: u32, home: &Place<S>) {
        let node = self.nodes.get_mut(home.node);
        self.links.push(&mut node.head, home.node, id);
        node.count += 1;
        if self.nodes.keeps_layers() {
            self.widen_layers(boxes, id, home.node);
        }
        self.split_if_crowded(boxes, home);
    }

    /// Widens the unions of layers on the way to the home of a box.
    fn widen_layers(&mut self, boxes: &Boxes<S>, id: u32, home: u32) {
        let mut place = self.root();
        loop {
            self.nodes.layers_mut().widen(place.node, boxes.layers(id));
            let Some(first) = self.nodes.get(place.node).children().filter(|_| place.node != home) else { return };
            place = place.child(first, place.cell.children_touching(boxes.at(id)).trailing_zeros() as usize);
        }
    }

    /// A tree without boxes.
    fn reset(&mut self, keeps_layers: bool) {
        self.nodes.reset(EMPTY_LEAF, keeps_layers);
        self.links.clear();
    }

    fn unlink(&mut self, id: u32) {
        let node = self.nodes.get_mut(self.links.home(id));
        self.links.unlink(&mut node.head, id);
        node.count -= 1;
    }

    /// Splits a leaf that holds too many, if enough of them can sink.
    fn split_if_crowded(&mut self, boxes: &Boxes<S>, place: &Place<S>) {
        let EnclosingQuadtreeOptions { capacity, max_depth, .. } = self.options;
        let leaf = *self.nodes.get(place.node);
        // A crowd that could not sink is asked again only when it has doubled.
        let is_due = leaf.count == capacity + 1 || (leaf.count > capacity && leaf.count.is_power_of_two());
        if leaf.first != NONE || !is_due || place.depth == max_depth || !place.cell.divides() {
            return;
        }
        let sinks = |id: &u32| place.cell.children_touching(boxes.at(*id)).is_power_of_two();
        if 2 * self.list(place.node).filter(sinks).count() > capacity as usize {
            self.split(boxes, place);
        }
    }

    fn split(&mut self, boxes: &Boxes<S>, place: &Place<S>) {
        let first = self.nodes.alloc(EMPTY_LEAF);
        let node = self.nodes.get_mut(place.node);
        let mut next = core::mem::replace(node, ListNode { first, ..EMPTY_LEAF }).head;
        while next != NONE {
            let id = next;
            next = self.links.detach(id);
            let home = self.home_of(boxes.at(id), *place);
            self.link(boxes, id, &home);
        }
    }

    /// Merges four leaves into their parent wherever the five hold at most `most` boxes together, from the bottom up.
    fn merge(&mut self, node: u32, most: u32) {
        let Some(first) = self.nodes.get(node).children() else { return };
        (first..first + 4).for_each(|child| self.merge(child, most));
        let children = [0, 1, 2, 3].map(|k| *self.nodes.get(first + k));
        let total = self.nodes.get(node).count + children.iter().map(|child| child.count).sum::<u32>();
        if total > most || children.iter().any(|child| child.first != NONE) {
            return;
        }
        let parent = self.nodes.get_mut(node);
        (parent.first, parent.count) = (NONE, total);
        for child in children {
            let mut next = child.head;
            while next != NONE {
                let id = next;
                next = self.links.detach(id);
                self.links.push(&mut parent.head, node, id);
            }
        }
        self.nodes.free(first);
    }
}

impl<S: Scalar> Structure for EnclosingQuadtree<S> {
    const NAME: &'static str = "enclosing-quadtree";
    type Scalar = S;
    type Options = EnclosingQuadtreeOptions<S>;

    fn new(options: Self::Options) -> Result<Self, Error> {
        options.check()?;
        Ok(Self { options, world: World::new(options.world), nodes: Blocks::new(EMPTY_LEAF), links: Links::new() })
    }

    fn options(&self) -> Self::Options {
        self.options
    }

    fn build(&mut self, boxes: &Boxes<S>) {
        self.world.refit(boxes);
        self.reset(boxes.has_layers());
        for id in tree::morton_order(boxes, self.world.bounds()) {
            self.place(boxes, id);
        }
    }

    fn suits(&self, boxes: &Boxes<S>) -> bool {
        self.world.suits(boxes)
    }

    fn place(&mut self, boxes: &Boxes<S>, id: u32) {
        let home = self.home_of(boxes.at(id), self.root());
        self.link(boxes, id, &home);
    }

    fn displace(&mut self, _boxes: &Boxes<S>, id: u32) {
        self.unlink(id);
    }

    fn shift(&mut self, boxes: &Boxes<S>, id: u32, _old: Aabb<S>) {
        let home = self.home_of(boxes.at(id), self.root());
        if home.node != self.links.home(id) {
            self.unlink(id);
            self.link(boxes, id, &home);
        }
    }

    fn clear(&mut self) {
        self.reset(false);
    }

    fn reserve(&mut self, additional: usize) {
        self.links.reserve(additional);
    }

    fn maintain(&mut self, boxes: &Boxes<S>) {
        self.merge(0, self.options.capacity / 2);
        if self.nodes.keeps_layers() {
            tree::tighten_layers(&mut self.nodes, 0, &|node| listed_layers(&self.links, boxes, node));
        }
    }

    fn search<Q: Question<S>>(&self, boxes: &Boxes<S>, question: Q) -> impl Iterator<Item = u32> {
        self.walk(question.clone()).flat_map(move |place| {
            let question = question.clone();
            self.list(place.node).filter(move |&id| is_answer(&question, boxes, id))
        })
    }

    /// Each box of a node with those after it in the same list, then with all boxes below that it touches.
    fn search_pairs(&self, boxes: &Boxes<S>, part: Part) -> impl Iterator<Item = (u32, u32)> {
        part.of(self.walk(Overlaps(Aabb::EVERYTHING)), self.nodes.len()).flat_map(move |place| {
            tails(self.list(place.node)).flat_map(move |(a, rest)| {
                let bounds = *boxes.at(a);
                let below =
                    Walk::below(&self.nodes, self.world.bounds(), place, partners(boxes, bounds, boxes.layers(a)));
                rest.chain(below.flat_map(|place| self.list(place.node)))
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
            visit(Node { bounds: place.cell.to_aabb(), depth, population, kind }, &mut self.list(place.node))
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
        [stats.bytes_used, stats.bytes_reserved] = add_bytes([self.nodes.bytes(), self.links.bytes()]);
        stats
    }

    fn validate(&self, boxes: &Boxes<S>) -> Result<(), Corruption> {
        self.options.check()?;
        self.world.validate(self.options.world)?;
        self.nodes.validate(ListNode::children, self.options.max_depth)?;
        let mut listed = 0;
        for place in self.walk(Overlaps(Aabb::EVERYTHING)) {
            let node = self.nodes.get(place.node);
            let count = self.links.validate(node.head, place.node)?;
            Corruption::unless(count == node.count as usize, || {
                alloc::format!("node {} counts {} boxes and lists {count}", place.node, node.count)
            })?;
            listed += count;
        }
        for (id, bounds) in boxes.iter() {
            let (home, right) = (self.links.home(id), self.home_of(&bounds, self.root()).node);
            Corruption::unless(home == right, || alloc::format!("box {id} lives in node {home} instead of {right}"))?;
        }
        self.links.validate_count(listed, boxes.len())?;
        tree::validate_layers(&self.nodes, |node| listed_layers(&self.links, boxes, node))
    }
}
