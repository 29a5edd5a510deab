//! The tight quadtree: boxes listed in every leaf they touch.

mod bulk;
mod listing;

use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use super::extent::Extent;
use super::fit::World;
use super::part::slice;
use super::tree::{self, NodeCell, TreeNode, Walk};
use super::{Node, NodeKind, Part, Stats, Structure};
use crate::error::{Corruption, Error};
use crate::executor::Executor;
use crate::geometry::{Aabb, Scalar};
use crate::query::{Overlaps, Query, is_answer};
use crate::setters::setters;
use crate::storage::{Blocks, Boxes, IdSet, Layers, Lists, NONE, add_bytes, tails};

/// A quadtree whose leaves list every box they touch.
///
/// In the manual: `docs/structures/quadtree.md`.
///
/// - **Best for:** areas side by side that rarely move, and casts among them; elsewhere second to `FrameTree` at best.
/// - **Avoid for:** many boxes much larger than the spacing: each is listed many times. Use [`FrameTree`](crate::FrameTree)
///   instead.
/// - **Order of answers**, in this version: wide boxes first (see below), then leaf by leaf in Morton order, newest
///   first within a leaf.
/// - **Cost:** `insert`: one descent and the lists touched. `remove`: one descent and the lists touched. `update`: one
///   descent; the lists too if the box changes leaves. `query`: the leaves touched. `pairs`: the boxes of each leaf,
///   squared. `maintain`: all nodes.
/// - **Memory:** 28 to 34 bytes per box (`f32`): 16 for the box, 5 to 10 for each listing, 8 for each node.
///
/// Nodes are 8 bytes, four siblings side by side. Their rectangles are never stored. A leaf that would hold more than
/// [`capacity`](Subdivision::Adaptive) boxes splits if that separates them. `maintain` merges four leaves that together
/// hold at most half the capacity.
///
/// **Bounded.** A box that touches more than 64 leaves goes to a list of *wide* boxes, which every query scans. And no
/// leaf splits once boxes are listed in eight leaves on average. So memory stays within a fixed multiple of the number
/// of boxes, whatever the input.
///
/// The layout follows the *efficient quadtree* in an answer by D. E. ("Dragon Energy") on Stack Overflow, question
/// 41946007 (2018). Differences: exact in the caller's numbers, cells that cover the whole plane, no marks during
/// queries, `maintain` merges every level.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
pub struct Quadtree<S = f32> {
    options: QuadtreeOptions<S>,
    world: World<S>,
    nodes: Blocks<TightNode>,
    lists: Lists,
    wide: IdSet,
    #[cfg_attr(feature = "serde", serde(skip))]
    extent: Extent<S>,
}

/// Options of [`Quadtree`]: begin with the defaults and set those you choose.
///
/// ```
/// use quadrille::structures::{Quadtree, QuadtreeOptions, Subdivision};
/// use quadrille::{Aabb, Index};
///
/// let world = Some(Aabb::new([0.0, 0.0], [100.0, 100.0]));
/// let options = QuadtreeOptions::default().with_world(world).with_subdivision(Subdivision::Fixed(3));
/// let index = Index::<Quadtree>::new(options)?;
/// assert_eq!(index.stats().leaves, 64);
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct QuadtreeOptions<S = f32> {
    /// Where most boxes will be; `None` follows the data. Boxes elsewhere are stored and found too, but crowd
    /// into the leaves at the border.
    pub world: Option<Aabb<S>>,
    /// How leaves form.
    pub subdivision: Subdivision,
}

/// How the leaves of a [`Quadtree`] form.
///
/// In the manual: `docs/structures/quadtree.md#fixed-subdivision`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Subdivision {
    /// A leaf splits when it holds more than `capacity` boxes and is fewer than `max_depth` steps from the root.
    /// `capacity` is 1 to 4096, usually 8 to 32: fewer means more nodes and listings, more means longer lists to
    /// compare. `max_depth` is 0 to 24.
    Adaptive {
        /// Boxes in a leaf before it splits.
        capacity: u32,
        /// Steps from the root to the deepest leaf allowed.
        max_depth: u8,
    },
    /// The world is divided this many times (0 to 10) up front, into 4^depth leaves that never split or merge.
    Fixed(u8),
}

setters!(QuadtreeOptions<S> {
    with_world => world: impl Into<Option<Aabb<S>>> = None,
    with_subdivision => subdivision: Subdivision = Subdivision::Adaptive { capacity: 16, max_depth: 16 },
});

impl<S: Scalar> QuadtreeOptions<S> {
    fn check(&self) -> Result<(), Error> {
        let capacity = match self.subdivision {
            Subdivision::Adaptive { capacity, .. } => capacity,
            Subdivision::Fixed(depth) if depth > MAX_FIXED_DEPTH => {
                return Err(Error::option("subdivision", depth, "a fixed subdivision is at most 10 levels deep"));
            }
            Subdivision::Fixed(_) => 1,
        };
        tree::check_options(self.world, capacity, self.max_depth())
    }

    fn max_depth(&self) -> u8 {
        match self.subdivision {
            Subdivision::Adaptive { max_depth, .. } | Subdivision::Fixed(max_depth) => max_depth,
        }
    }
}

/// A leaf with its list, or a branch with its children. 8 bytes: the compact node this structure is known for.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct TightNode {
    /// Branch: the first of four children. Leaf: the head of its list.
    first: u32,
    /// Leaf: boxes in the list. Branch: [`BRANCH`].
    count: u32,
}

/// A leaf with boxes, as a query reaches it.
struct Leaf<S> {
    here: NodeCell<S>,
    /// The head of its list.
    first: u32,
    /// Has the query rejected any node on the way here?
    has_pruned: bool,
}

const BRANCH: u32 = u32::MAX;
const EMPTY_LEAF: TightNode = TightNode { first: NONE, count: 0 };
const _: () = assert!(size_of::<TightNode>() == 8);

/// Deepest fixed subdivision: 4^10 leaves are 11 MB of nodes.
const MAX_FIXED_DEPTH: u8 = 10;

impl TreeNode for TightNode {
    #[inline]
    fn children(&self) -> Option<u32> {
        (self.count == BRANCH).then_some(self.first)
    }
}

/// The union of the layers of a leaf's boxes; a branch has none.
fn listed_layers<S: Scalar>(lists: &Lists, boxes: &Boxes<S>, node: &TightNode) -> Layers {
    let head = if node.count == BRANCH { NONE } else { node.first };
    lists.list(head).fold(Layers::NONE, |union, id| union.union(boxes.layers(id)))
}

impl<S: Scalar> Quadtree<S> {
    fn root(&self) -> NodeCell<S> {
        NodeCell::root(&self.world.bounds())
    }

    /// All nodes that touch `bounds`.
    fn walk<Q: Query<S>>(&self, query: Q) -> Walk<'_, S, TightNode, Q> {
        Walk::from(&self.nodes, self.world.bounds(), self.root(), query)
    }

    /// All leaves with boxes that the query touches, in Morton order. The walk begins at the smallest node that
    /// encloses the query's bounds. Down to there is a single path, and each step costs one comparison of the
    /// bounds.
    #[inline]
    fn leaves<Q: Query<S>>(&self, query: Q) -> impl Iterator<Item = Leaf<S>> {
        let start = self.root().enclosing(&self.nodes, &query.bounds());
        let mut walk = Walk::from(&self.nodes, self.world.bounds(), start, query);
        core::iter::from_fn(move || {
            loop {
                let here = walk.next()?;
                let TightNode { first, count } = *self.nodes.get(here.node);
                if count != BRANCH && count > 0 {
                    return Some(Leaf { here, first, has_pruned: walk.has_pruned() });
                }
            }
        })
    }

    /// `true` if `leaf` is the first in Morton order, among those that touch `shared`, that the query reaches.
    #[cold]
    fn is_first<Q: Query<S>>(&self, query: Q, shared: Aabb<S>, leaf: u32) -> bool {
        let mut nodes = self.walk(query).within(shared);
        nodes.find(|here| self.nodes.get(here.node).children().is_none()).is_some_and(|here| here.node == leaf)
    }

    /// Pairs in which at least one box is wide: each wide box with the wide ones after it, then with all boxes that are
    /// not wide.
    fn wide_pairs(&self, boxes: &Boxes<S>, positions: Range<usize>) -> impl Iterator<Item = (u32, u32)> {
        let wide = self.wide.as_slice();
        slice(wide.iter().enumerate(), positions).flat_map(move |(i, &a)| {
            let narrow = boxes.iter().map(|(b, _)| b).filter(|&b| !self.wide.contains(b));
            boxes.pairs_of(a, wide[i + 1..].iter().copied().chain(narrow))
        })
    }

    fn listed_pairs(&self, boxes: &Boxes<S>, positions: Range<usize>) -> impl Iterator<Item = (u32, u32)> {
        // A leaf has no pairs if not even all its layers together meet.
        let may_meet = move |leaf: &Leaf<S>| {
            self.nodes.are_wanted(leaf.here.node, |layers| layers.meets(layers, boxes.agreement()))
        };
        slice(self.leaves(Overlaps(Aabb::EVERYTHING)), positions).filter(may_meet).flat_map(
            move |Leaf { here, first: list, .. }| {
                let world = self.world.bounds().min;
                tails(self.lists.list(list)).flat_map(move |(a, rest)| {
                    let first = *boxes.at(a);
                    // Clamped to the world's corner, every corner lies at or above the lower edge of the leaf it
                    // belongs to.
                    let corner = [first.min[0].greater(world[0]), first.min[1].greater(world[1])];
                    rest.filter(move |&b| {
                        let second = boxes.at(b);
                        (first.intersects(second) & here.cell.starts_before(corner, second.min)) & boxes.meet(a, b)
                    })
                    .map(move |b| (a.min(b), a.max(b)))
                })
            },
        )
    }
}

impl<S: Scalar> Structure for Quadtree<S> {
    const NAME: &'static str = "quadtree";
    type Scalar = S;
    type Options = QuadtreeOptions<S>;
    type Askers = super::FrameTree<S>;
    type Compiler = crate::compiled::Caller;

    fn new(options: Self::Options) -> Result<Self, Error> {
        options.check()?;
        let mut tree = Self {
            options,
            world: World::new(options.world),
            nodes: Blocks::new(EMPTY_LEAF),
            lists: Lists::new(),
            wide: IdSet::new(),
            extent: Extent::default(),
        };
        tree.reset(false);
        Ok(tree)
    }

    fn options(&self) -> Self::Options {
        self.options
    }

    fn build_with(&mut self, boxes: &Boxes<S>, _executor: &impl Executor) {
        self.world.refit(boxes);
        self.reset(boxes.has_layers());
        self.extent = Extent::of(boxes);
        self.load(boxes);
    }

    fn fits(&self, boxes: &Boxes<S>) -> bool {
        self.world.fits(boxes)
    }

    fn insert(&mut self, boxes: &Boxes<S>, id: u32) {
        self.extent.widen(boxes.at(id));
        self.link(boxes, id);
    }

    fn remove(&mut self, boxes: &Boxes<S>, id: u32) {
        self.extent.loosen(boxes.at(id));
        self.unlink(boxes, id, boxes.at(id));
    }

    fn update(&mut self, boxes: &Boxes<S>, id: u32, old: Aabb<S>) {
        let new = boxes.at(id);
        self.extent.loosen(&old);
        self.extent.widen(new);
        if !self.wide.contains(id) {
            // Above this node nothing changes.
            let here = self.root().enclosing(&self.nodes, &old.union(new));
            if self.stays(&here, &old, new) {
                return;
            }
            if !self.is_wide(new, here) {
                return self.relist(boxes, &here, id, Some(&old), Some(new));
            }
        }
        self.unlink(boxes, id, &old);
        self.link(boxes, id);
    }

    fn set_layers(&mut self, boxes: &Boxes<S>, id: u32) {
        if !self.wide.contains(id) {
            let bounds = boxes.at(id);
            self.relist(boxes, &self.root(), id, Some(bounds), Some(bounds));
        }
    }

    fn clear(&mut self) {
        self.extent = Extent::default();
        self.reset(false);
    }

    fn reserve(&mut self, additional: usize) {
        self.lists.reserve(additional);
    }

    fn maintain_with(&mut self, boxes: &Boxes<S>, _executor: &impl Executor) {
        self.extent.tighten(boxes);
        if let Subdivision::Adaptive { capacity, .. } = self.options.subdivision {
            self.merge(boxes, &self.root(), capacity / 2);
        }
        if self.nodes.keeps_layers() {
            tree::tighten_layers(&mut self.nodes, 0, &|node| listed_layers(&self.lists, boxes, node));
        }
    }

    fn restore(&mut self, boxes: &Boxes<S>) {
        self.extent = Extent::of(boxes);
    }

    fn hull(&self) -> Option<&Aabb<S>> {
        Some(self.extent.hull())
    }

    /// **Each box once.** A box listed in several leaves is reported by the first of them, in Morton order, that the
    /// query visits.
    ///
    /// 1. Let `shared` be the intersection of the box and the bounds. All visited leaves that list the box touch
    ///    `shared`, and the first of these in Morton order holds its lower corner. While the query has rejected
    ///    nothing, that leaf has been visited if the walk is past it. So a leaf reports the box if it holds the corner:
    ///    two comparisons decide.
    /// 2. Once something has been rejected, the corner's leaf may have been rejected too. Then a leaf that does not
    ///    hold the corner walks down again, along `shared` only, to see whether it is the first leaf that the query
    ///    reaches.
    /// 3. A query may reach less and less while it runs. What is reached now was reached before, so the first
    ///    visited leaf of a box always finds itself first in step 2: nothing is lost. A later leaf may find itself
    ///    first as well, and then the box is offered to `accepts` again. That is why [`Query`] asks shrinking
    ///    queries to reject what they have already taken.
    #[inline]
    fn search<Q: Query<S>>(&self, boxes: &Boxes<S>, query: Q) -> impl Iterator<Item = u32> {
        let limits = query.bounds();
        let world = self.world.bounds().min;
        let corner = [limits.min[0].greater(world[0]), limits.min[1].greater(world[1])];
        let wide = self.wide.as_slice().iter().copied();
        let asked = query.clone();
        let is_near = self.extent.hull().intersects(&limits);
        let leaves = self.leaves(query.clone()).take_while(move |_| is_near);
        let listed = leaves.flat_map(move |Leaf { here, first, has_pruned }| {
            let query = query.clone();
            self.lists.list(first).filter(move |&id| {
                let bounds = boxes.at(id);
                let holds_corner = here.cell.starts_before(bounds.min, corner);
                (holds_corner || has_pruned)
                    && is_answer(&query, boxes, id)
                    && (holds_corner
                        || limits.intersection(bounds).is_some_and(|shared| self.is_first(&query, shared, here.node)))
            })
        });
        wide.filter(move |&id| is_answer(&asked, boxes, id)).chain(listed)
    }

    fn search_pairs(&self, boxes: &Boxes<S>, part: Part) -> impl Iterator<Item = (u32, u32)> {
        let [wide, leaves] = part.ranges([self.wide.len(), self.nodes.leaves()]);
        self.wide_pairs(boxes, wide).chain(self.listed_pairs(boxes, leaves))
    }

    /// The wide boxes come last, as a node of their own.
    fn visit_lists<B>(
        &self,
        boxes: &Boxes<S>,
        mut visit: impl FnMut(Node<S>, &mut dyn Iterator<Item = u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.walk(Overlaps(Aabb::EVERYTHING)).try_for_each(|here| {
            let node = self.nodes.get(here.node);
            let (kind, population, head) = match node.count {
                BRANCH => (NodeKind::Branch, 0, NONE),
                count => (NodeKind::Leaf, count as usize, node.first),
            };
            let node = Node { bounds: here.cell.to_aabb(), depth: here.depth.into(), population, kind };
            visit(node, &mut self.lists.list(head))
        })?;
        let wide = self.wide.as_slice();
        let bounds = Aabb::from_boxes(wide.iter().map(|&id| boxes.at(id)));
        if wide.is_empty() {
            return ControlFlow::Continue(());
        }
        visit(Node { bounds, depth: 0, population: wide.len(), kind: NodeKind::Hull }, &mut wide.iter().copied())
    }

    fn stats(&self, _boxes: &Boxes<S>) -> Stats {
        let mut stats =
            Stats { nodes: self.nodes.len(), listed: self.lists.len() + self.wide.len(), ..Stats::default() };
        for here in self.walk(Overlaps(Aabb::EVERYTHING)) {
            stats.depth = stats.depth.max(here.depth.into());
            let count = self.nodes.get(here.node).count;
            if count != BRANCH {
                stats.leaves += 1;
                stats.longest_list = stats.longest_list.max(count as usize);
            }
        }
        [stats.bytes_used, stats.bytes_reserved] =
            add_bytes([self.nodes.bytes(), self.lists.bytes(), self.wide.bytes()]);
        stats
    }

    fn validate(&self, boxes: &Boxes<S>) -> Result<(), Corruption> {
        self.options.check()?;
        self.world.validate(self.options.world)?;
        self.extent.validate(boxes)?;
        self.wide.validate()?;
        self.nodes.validate(TightNode::children, self.options.max_depth())?;
        let leaves = || {
            let nodes = tree::all_nodes(&self.nodes, &self.world.bounds());
            nodes.map(|here| (here.node, *self.nodes.get(here.node))).filter(|(_, node)| node.count != BRANCH)
        };
        self.lists.validate(leaves().map(|(_, leaf)| leaf.first))?;
        let mut listed = Vec::new();
        for (node, leaf) in leaves() {
            let before = listed.len();
            listed.extend(self.lists.list(leaf.first).map(|id| (id, node)));
            Corruption::unless(listed.len() - before == leaf.count as usize, || {
                alloc::format!("leaf {node} counts {} boxes and lists {}", leaf.count, listed.len() - before)
            })?;
        }
        // Every box is listed once in each leaf it touches, and nowhere else.
        let narrow = boxes.iter().filter(|&(id, _)| !self.wide.contains(id));
        let expected: Vec<(u32, u32)> = narrow
            .flat_map(|(id, bounds)| self.walk(Overlaps(bounds)).map(move |here| (id, here.node)))
            .filter(|&(_, node)| self.nodes.get(node).children().is_none())
            .take(listed.len() + 1)
            .collect();
        Corruption::unless_same("listed (box, leaf)", listed, expected)?;
        let wide = self.wide.as_slice();
        Corruption::unless(wide.iter().all(|&id| boxes.get(id).is_some()), || "a wide box is gone".into())?;
        tree::validate_layers(&self.nodes, |node| listed_layers(&self.lists, boxes, node))
    }
}
