//! The quadtree with boxes at every level: each in the smallest node that encloses it.
//!
//! # The picture
//!
//! A branch, the middle lines along which its four children meet, and seven boxes:
//!
//! ```text
//! ┌─────────┬─────────┐   a, b     on the vertical line: list 0 of the branch (b is on both lines)
//! │  e      a         │   c, d     on the horizontal line only: list 1 of the branch
//! │       f │         │   e, f, g  enclosed by a child: list 0 of that leaf
//! │    g    │         │
//! ├────c────b────d────┤   reach    how far a and b extend to the sides of the vertical line, c and d of the horizontal
//! │         │         │            one; a query beyond it skips the list
//! │         │         │   divided  if there are many, both lines become binary trees of segments: b holds the middle of
//! └─────────┴─────────┘            its line and is in the whole line, a, c and d are in halves of theirs
//! ```
//!
//! # Words
//!
//! | word | is |
//! |---|---|
//! | line | the vertical or horizontal middle line of a branch, on which boxes lie that no child encloses |
//! | list | boxes of a node: of a leaf all in list 0, of a branch by line |
//! | reach | how far the boxes of a list extend to the sides of their line |
//! | divided | of lines: with enough boxes to be stored in segments |
//! | segment | a part of a divided line, halved like the plane: its boxes hold its middle |
//! | home | where a box is listed: a list of a node, or a segment |
//! | sink | what a box can do if a child, or a half of a segment, encloses it |
//!
//! # Files, in reading order
//!
//! | file | what |
//! |---|---|
//! | `mod.rs` | the structure: queries, pairs, single changes |
//! | `node.rs` | a node and its lists, and homes |
//! | `lines.rs` | divided lines |
//! | `below.rs` | what is below a node where a box is |
//! | `linking.rs` | adding and removing one box; crowded parts are divided |
//! | `load.rs` | the whole tree in one pass |
//! | `merging.rs` | `maintain`: what is nearly empty is merged |
//! | `validate.rs` | all checks |

mod below;
mod lines;
mod linking;
mod load;
mod merging;
mod node;
mod validate;

use core::ops::ControlFlow;

use self::below::Below;
use self::lines::Lines;
use self::node::{Home, LineNode, list_across, listed, listed_layers};
use super::extent::Extent;
use super::fit::World;
use super::tree::{self, NodeCell, TreeNode, TreeOptions, Walk};
use super::{Node, NodeKind, Part, Stats, Structure};
use crate::error::{Corruption, Error};
use crate::executor::Executor;
use crate::geometry::{Aabb, Scalar};
use crate::query::{Overlaps, Query, is_answer};
use crate::storage::{Blocks, Boxes, Homes, NONE, add_bytes, tails};

/// A quadtree in which a box lives in the smallest node that encloses it.
///
/// In the manual: `docs/structures/enclosing-quadtree.md`.
///
/// - **Best for:** seeing how it works: each box is listed once, however large; in every scene measured, another is faster.
/// - **Avoid for:** all pairs, every frame. Every box searches the nodes below it separately; in what was measured,
///   [`FrameTree`](crate::FrameTree) is 8 to 36 times as fast.
/// - **Order of answers**, in this version: node by node, parents before children, children in Morton order. Within a
///   node, the boxes on its vertical middle line come first, then those on the horizontal one only. On each line newest
///   first, and on crowded lines segment by segment.
/// - **Cost:** `insert`: one descent. `remove`: a short list. `update`: a few comparisons while the box stays in its
///   node, otherwise a remove and an insert. `query`: the nodes touched, down from the root. `pairs`: the nodes that
///   each box touches. `maintain`: all nodes, and the boxes on middle lines.
/// - **Memory:** 31 to 49 bytes per box (`f32`): 16 for the box, 4 for its home, 5 to 10 for its list entry, 48
///   for each node.
///
/// **Lines.** A small box on a middle line of a large node cannot sink. A query that passes through the node should not
/// have to look at all such boxes. So a branch keeps those on its vertical line apart from those on its horizontal
/// line, and keeps how far both reach to either side of the line: a query beside the line skips them. Lines with very
/// many boxes are halved repeatedly, as the plane is quartered, so that a query also skips what is elsewhere along the
/// line.
///
/// A leaf splits when it holds more than [`capacity`](TreeOptions::capacity) boxes and enough of them, more
/// than half the capacity, can sink. `maintain` merges four leaves into their parent if all five together hold at
/// most half the capacity. It works from the bottom up, so one pass collapses an emptied tree.
///
/// The idea is the MX-CIF quadtree: G. Kedem, *The quad-CIF tree: a data structure for hierarchical on-line
/// algorithms*, 1982. This one follows P. Vigier's *Quadtree and collision detection*, 2019, in storing boxes at every
/// level. Differences: cells that cover the whole plane, closed boxes, merging also when inner nodes become empty,
/// pairs pruned by cell, binary trees for crowded lines only.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
pub struct EnclosingQuadtree<S = f32> {
    options: TreeOptions<S>,
    world: World<S>,
    nodes: Blocks<LineNode<S>>,
    lines: Lines<S>,
    homes: Homes,
    #[cfg_attr(feature = "serde", serde(skip))]
    extent: Extent<S>,
}

impl<S: Scalar> EnclosingQuadtree<S> {
    fn root(&self) -> NodeCell<S> {
        NodeCell::root(&self.world.bounds())
    }

    fn walk<Q: Query<S>>(&self, query: Q) -> Walk<'_, S, LineNode<S>, Q> {
        Walk::from(&self.nodes, self.world.bounds(), self.root(), query)
    }

    /// The boxes of both lists.
    #[inline]
    fn lists(&self, [one, other]: [u32; 2]) -> impl Iterator<Item = u32> + Clone {
        self.homes.list(one).chain(self.homes.list(other))
    }

    /// All boxes listed at a node.
    fn listed(&self, node: &LineNode<S>) -> impl Iterator<Item = u32> + Clone + use<'_, S> {
        listed(&self.lines, &self.homes, node)
    }

    /// The boxes of a node that may intersect `bounds`.
    #[inline]
    fn near(&self, node: &LineNode<S>, bounds: Aabb<S>) -> impl Iterator<Item = u32> {
        let segments = node.lines_near(&bounds).flat_map(move |line| self.lines.touching(line, &bounds));
        let listed = segments.flat_map(|segment| self.homes.list(self.lines.get(segment).head));
        self.lists(node.heads_near(&bounds)).chain(listed)
    }

    /// The boxes on the lines of a node that a box of a segment may intersect, except those of the segment itself:
    /// those of its parts, and, for a box on the vertical line, also those on the horizontal line. None if there is no
    /// segment.
    #[inline]
    fn beside(&self, node: &LineNode<S>, segment: u32, bounds: Aabb<S>) -> impl Iterator<Item = u32> {
        let parts = (segment != NONE).then(|| self.lines.touching(segment, &bounds).skip(1));
        let is_vertical = segment != NONE && self.lines.get(segment).owner % 2 == 0;
        let horizontal =
            node.lines_near(&bounds).filter(move |&line| is_vertical && self.lines.get(line).owner % 2 == 1);
        let across = horizontal.flat_map(move |line| self.lines.touching(line, &bounds));
        let segments = parts.into_iter().flatten().chain(across);
        segments.flat_map(|segment| self.homes.list(self.lines.get(segment).head))
    }

    /// Each box of a branch with those after it in the same node, then with all boxes below that it touches.
    fn branch_pairs(&self, boxes: &Boxes<S>, node: &LineNode<S>) -> impl Iterator<Item = (u32, u32)> {
        let plain = tails(self.lists(node.undivided_heads())).map(|(a, rest)| (a, rest, NONE));
        let lines = node.lines().into_iter().flatten();
        let segments = lines.flat_map(|line| self.lines.touching(line, &Aabb::EVERYTHING));
        let divided = segments.flat_map(move |segment| {
            tails(self.lists([self.lines.get(segment).head, NONE])).map(move |(a, rest)| (a, rest, segment))
        });
        plain.chain(divided).flat_map(move |(a, rest, segment)| {
            let bounds = *boxes.at(a);
            let below = Below::new(&self.nodes, node, boxes, a).flat_map(move |node| self.near(node, bounds));
            boxes.pairs_of(a, rest.chain(self.beside(node, segment, bounds)).chain(below))
        })
    }

    /// The smallest existing node, from `here` down, that encloses the box, and the list there.
    fn home_of(&self, bounds: &Aabb<S>, here: NodeCell<S>) -> (NodeCell<S>, usize) {
        let here = here.enclosing(&self.nodes, bounds);
        let is_branch = self.nodes.get(here.node).children().is_some();
        (here, if is_branch { list_across(here.cell.children_touching(bounds)) } else { 0 })
    }

    /// The home of a box that belongs in one of a node's lists.
    fn home_in(&self, node: u32, list: usize, bounds: &Aabb<S>) -> Home {
        match self.nodes.get(node).lines() {
            None => Home::List { node, list },
            Some(lines) => Home::Segment(self.lines.enclosing(lines[list], bounds)),
        }
    }

    /// A tree without boxes.
    fn reset(&mut self, keeps_layers: bool) {
        self.nodes.reset(LineNode::leaf(self.root().cell), keeps_layers);
        self.lines.clear();
        self.homes.clear();
    }
}

impl<S: Scalar> Structure for EnclosingQuadtree<S> {
    const NAME: &'static str = "enclosing-quadtree";
    type Scalar = S;
    type Options = TreeOptions<S>;
    type Askers = super::FrameTree<S>;
    type Compiler = crate::compiled::Caller;

    fn new(options: Self::Options) -> Result<Self, Error> {
        options.check()?;
        let world = World::new(options.world);
        let root = LineNode::leaf(NodeCell::root(&world.bounds()).cell);
        Ok(Self {
            options,
            world,
            nodes: Blocks::new(root),
            lines: Lines::new(),
            homes: Homes::new(),
            extent: Extent::default(),
        })
    }

    fn options(&self) -> Self::Options {
        self.options
    }

    fn build_with(&mut self, boxes: &Boxes<S>, _executor: &impl Executor) {
        self.extent = Extent::of(boxes);
        self.load_all(boxes);
    }

    fn fits(&self, boxes: &Boxes<S>) -> bool {
        self.world.fits(boxes)
    }

    fn insert(&mut self, boxes: &Boxes<S>, id: u32) {
        self.extent.widen(boxes.at(id));
        self.link(boxes, id, self.home_of(boxes.at(id), self.root()));
    }

    fn remove(&mut self, boxes: &Boxes<S>, id: u32) {
        self.extent.loosen(boxes.at(id));
        self.unlink(id);
    }

    fn update(&mut self, boxes: &Boxes<S>, id: u32, old: Aabb<S>) {
        self.extent.loosen(&old);
        self.extent.widen(boxes.at(id));
        let (old, bounds) = (Home::decode(self.homes.of(id)), boxes.at(id));
        if let Home::List { node, list } = old {
            let node = self.nodes.get_mut(node);
            if node.keeps(list, bounds) {
                return node.widen(list, bounds);
            }
        }
        let (here, list) = self.home_of(bounds, self.root());
        if self.home_in(here.node, list, bounds) == old {
            self.nodes.get_mut(here.node).widen(list, bounds);
        } else {
            self.unlink(id);
            self.link(boxes, id, (here, list));
        }
    }

    fn set_layers(&mut self, boxes: &Boxes<S>, id: u32) {
        let (here, _) = self.home_of(boxes.at(id), self.root());
        self.widen_layers(boxes, id, here.node);
    }

    fn clear(&mut self) {
        self.extent = Extent::default();
        self.reset(false);
    }

    fn reserve(&mut self, additional: usize) {
        self.homes.reserve(additional);
    }

    fn maintain_with(&mut self, boxes: &Boxes<S>, _executor: &impl Executor) {
        self.extent.tighten(boxes);
        self.merge(boxes, 0, self.options.capacity / 2);
        if self.nodes.keeps_layers() {
            tree::tighten_layers(&mut self.nodes, 0, &|node| listed_layers((&self.lines, &self.homes), boxes, node));
        }
    }

    fn restore(&mut self, boxes: &Boxes<S>) {
        self.extent = Extent::of(boxes);
    }

    fn hull(&self) -> Option<&Aabb<S>> {
        Some(self.extent.hull())
    }

    fn search<Q: Query<S>>(&self, boxes: &Boxes<S>, query: Q) -> impl Iterator<Item = u32> {
        let bounds = query.bounds();
        let is_near = self.extent.hull().intersects(&bounds);
        self.walk(query.clone()).take_while(move |_| is_near).flat_map(move |here| {
            let query = query.clone();
            let ids = self.near(self.nodes.get(here.node), bounds);
            ids.filter(move |&id| is_answer(&query, boxes, id))
        })
    }

    fn search_pairs(&self, boxes: &Boxes<S>, part: Part) -> impl Iterator<Item = (u32, u32)> {
        part.of(self.walk(Overlaps(Aabb::EVERYTHING)), self.nodes.len()).flat_map(move |here| {
            let node = self.nodes.get(here.node);
            let (leaf, branch) = if node.first == NONE { (node.heads[0], None) } else { (NONE, Some(node)) };
            let leaf = tails(self.homes.list(leaf)).flat_map(move |(a, rest)| boxes.pairs_of(a, rest));
            leaf.chain(branch.into_iter().flat_map(move |node| self.branch_pairs(boxes, node)))
        })
    }

    fn visit_lists<B>(
        &self,
        _boxes: &Boxes<S>,
        mut visit: impl FnMut(Node<S>, &mut dyn Iterator<Item = u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.walk(Overlaps(Aabb::EVERYTHING)).try_for_each(|here| {
            let node = self.nodes.get(here.node);
            let kind = if node.first == NONE { NodeKind::Leaf } else { NodeKind::Branch };
            let population = node.count as usize;
            let depth = here.depth.into();
            visit(Node { bounds: here.cell.to_aabb(), depth, population, kind }, &mut self.listed(node))
        })
    }

    fn stats(&self, boxes: &Boxes<S>) -> Stats {
        let mut stats = Stats { nodes: self.nodes.len(), listed: boxes.len(), ..Stats::default() };
        for here in self.walk(Overlaps(Aabb::EVERYTHING)) {
            let node = self.nodes.get(here.node);
            stats.depth = stats.depth.max(here.depth.into());
            stats.leaves += usize::from(node.first == NONE);
            let longest = match node.lines() {
                None => node.count,
                Some(lines) => {
                    let segments = lines.into_iter().flat_map(|line| self.lines.touching(line, &Aabb::EVERYTHING));
                    segments.map(|segment| self.lines.get(segment).count).max().unwrap_or(0)
                }
            };
            stats.longest_list = stats.longest_list.max(longest as usize);
        }
        [stats.bytes_used, stats.bytes_reserved] =
            add_bytes([self.nodes.bytes(), self.lines.bytes(), self.homes.bytes()]);
        stats
    }

    fn validate(&self, boxes: &Boxes<S>) -> Result<(), Corruption> {
        self.extent.validate(boxes)?;
        self.validate_all(boxes)
    }
}
