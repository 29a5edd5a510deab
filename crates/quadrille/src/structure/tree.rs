//! What the quadtrees share: options, limits, and the walk from the root to whatever a query touches.

use arrayvec::ArrayVec;

use super::fit::check_world;
use crate::error::{Corruption, Error};
use crate::geometry::{Aabb, Cell, Scalar};
use crate::query::Query;
use crate::setters::setters;
use crate::storage::{Blocks, Layers};

/// The depth limit of every tree. 24 halvings divide a world of 10,000 km into cells of 60 cm. A walk's stack grows
/// with the depth (32 bytes per level for `f32`).
pub(crate) const MAX_DEPTH: u8 = 24;

/// Options of [`EnclosingQuadtree`](crate::structures::EnclosingQuadtree) and
/// [`LooseQuadtree`](crate::structures::LooseQuadtree): begin with the defaults and set those you choose.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct TreeOptions<S = f32> {
    /// Where most boxes will be; `None` follows the data. Boxes elsewhere are stored and found too, but crowd
    /// into the nodes at the border.
    pub world: Option<Aabb<S>>,
    /// Boxes in a leaf before it splits (1 to 4096, usually 16 to 64). Fewer: more nodes, and in a `LooseQuadtree` boxes
    /// leave their leaves more often: there, 32 makes a frame 1.3 to 2 times as fast as 8. More: longer
    /// lists to compare.
    pub capacity: u32,
    /// Steps from the root to the deepest leaf allowed (0 to 24).
    pub max_depth: u8,
}

setters!(TreeOptions<S> {
    with_world => world: impl Into<Option<Aabb<S>>> = None,
    with_capacity => capacity: u32 = 32,
    with_max_depth => max_depth: u8 = 16,
});

impl<S: Scalar> TreeOptions<S> {
    pub(crate) fn check(&self) -> Result<(), Error> {
        check_options(self.world, self.capacity, self.max_depth)
    }
}

/// The rules that all trees' options share.
pub(crate) fn check_options<S: Scalar>(world: Option<Aabb<S>>, capacity: u32, max_depth: u8) -> Result<(), Error> {
    check_world(world)?;
    if !(1..=4096).contains(&capacity) {
        return Err(Error::option("capacity", capacity, "a leaf holds 1 to 4096 boxes before it splits"));
    }
    if max_depth > MAX_DEPTH {
        return Err(Error::option("max_depth", max_depth, "a tree is at most 24 levels deep"));
    }
    Ok(())
}

/// A node of a quadtree, as a walk sees it.
pub(crate) trait TreeNode: Copy {
    /// The first of its four children, if it has any.
    fn children(&self) -> Option<u32>;
}

/// Shrinks the unions of layers in and below `node` to what is there. `own` is the union of the node's own list.
pub(crate) fn tighten_layers<N: TreeNode>(nodes: &mut Blocks<N>, node: u32, own: &impl Fn(&N) -> Layers) -> Layers {
    let mut union = own(nodes.get(node));
    for child in nodes.get(node).children().into_iter().flat_map(|first| first..first + 4) {
        union = union.union(tighten_layers(nodes, child, own));
    }
    nodes.layers_mut().set(node, union);
    union
}

/// Every union of layers is complete.
pub(crate) fn validate_layers<N: TreeNode>(nodes: &Blocks<N>, own: impl Fn(&N) -> Layers) -> Result<(), Corruption> {
    let mut exact = nodes.clone();
    tighten_layers(&mut exact, 0, &own);
    let is_sound = (*nodes).clone().layers_mut().cover(exact.layers_mut());
    Corruption::unless(is_sound, || "a union of layers lacks some that are below its node".into())
}

/// A node together with what is known only on the way to it. Nodes do not store their rectangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeCell<S> {
    pub(crate) node: u32,
    pub(crate) depth: u8,
    pub(crate) cell: Cell<S>,
}

impl<S: Scalar> NodeCell<S> {
    pub(crate) fn root(world: &Aabb<S>) -> Self {
        Self { node: 0, depth: 0, cell: Cell::from_world(world) }
    }

    /// Child `k` of this node, whose children start at node `first`.
    #[inline]
    pub(crate) fn child(&self, first: u32, k: usize) -> Self {
        Self { node: first + k as u32, depth: self.depth + 1, cell: self.cell.child(k) }
    }

    /// The smallest node from here down that encloses the box, which touches this node.
    #[inline]
    pub(crate) fn enclosing<N: TreeNode>(mut self, nodes: &Blocks<N>, bounds: &Aabb<S>) -> Self {
        while let Some(first) = nodes.get(self.node).children() {
            let Some(k) = self.cell.child_enclosing(bounds) else { break };
            self = self.child(first, k);
        }
        self
    }
}

/// All nodes, including those with cells that contain no number, which no query touches. For trees whose blocks are
/// valid.
pub(crate) fn all_nodes<'a, S: Scalar, N: TreeNode>(
    nodes: &'a Blocks<N>,
    world: &Aabb<S>,
) -> impl Iterator<Item = NodeCell<S>> + Clone + use<'a, S, N> {
    let mut stack = alloc::vec![NodeCell::root(world)];
    core::iter::from_fn(move || {
        let here = stack.pop()?;
        // Not a `flat_map`: its compiled code reads its position before it checks that there is one, which is harmless,
        // but Valgrind reports it.
        if let Some(first) = nodes.get(here.node).children() {
            stack.extend((0..4).map(|k| here.child(first, k)));
        }
        Some(here)
    })
}

/// All nodes that a query touches, parents before children, children in Morton order.
///
/// Each stack entry holds one level: the parent, its first child, and the children still to visit.
#[derive(Clone, Debug)]
pub(crate) struct Walk<'a, S, N, Q> {
    nodes: &'a Blocks<N>,
    world: Aabb<S>,
    bounds: Aabb<S>,
    query: Q,
    root: Option<NodeCell<S>>,
    has_pruned: bool,
    stack: ArrayVec<Level<S>, { MAX_DEPTH as usize }>,
}

#[derive(Clone, Copy, Debug)]
struct Level<S> {
    parent: NodeCell<S>,
    first: u32,
    todo: u8,
}

impl<'a, S: Scalar, N: TreeNode, Q: Query<S>> Walk<'a, S, N, Q> {
    /// Starts at `here`, which comes first if the query reaches it.
    pub(crate) fn from(nodes: &'a Blocks<N>, world: Aabb<S>, here: NodeCell<S>, query: Q) -> Self {
        let bounds = query.bounds();
        Self { nodes, world, bounds, query, root: Some(here), has_pruned: false, stack: ArrayVec::new() }
    }

    /// The same walk, restricted to nodes that touch `bounds`, which lie within the query's bounds.
    pub(crate) fn within(self, bounds: Aabb<S>) -> Self {
        Self { bounds, ..self }
    }

    /// `true` once the query has rejected a node within its bounds.
    #[inline]
    pub(crate) fn has_pruned(&self) -> bool {
        self.has_pruned
    }

    /// The cell as the query should see it, with outer edges at infinity.
    #[inline]
    fn extended(&self, cell: &Cell<S>) -> Aabb<S> {
        let mut extended = cell.to_aabb();
        for axis in 0..2 {
            if cell.lo[axis] <= self.world.min[axis] {
                extended.min[axis] = S::LOWEST;
            }
            if cell.hi[axis] >= self.world.max[axis] {
                extended.max[axis] = S::HIGHEST;
            }
        }
        extended
    }

    /// Stores the children of a node that is about to be returned.
    #[inline]
    fn descend(&mut self, here: &NodeCell<S>) {
        if let Some(first) = self.nodes.get(here.node).children() {
            let todo = here.cell.children_touching(&self.bounds);
            self.stack.push(Level { parent: *here, first, todo });
        }
    }
}

impl<S: Scalar, N: TreeNode, Q: Query<S>> Iterator for Walk<'_, S, N, Q> {
    type Item = NodeCell<S>;

    #[inline]
    fn next(&mut self) -> Option<NodeCell<S>> {
        loop {
            let here = match self.root.take() {
                Some(root) => root,
                None => {
                    let level = self.stack.last_mut()?;
                    if level.todo == 0 {
                        self.stack.pop();
                        continue;
                    }
                    let k = level.todo.trailing_zeros() as usize;
                    level.todo &= level.todo - 1;
                    level.parent.child(level.first, k)
                }
            };
            let is_wanted = self.nodes.are_wanted(here.node, |layers| self.query.wants(layers));
            if is_wanted && self.query.reaches(&self.extended(&here.cell)) {
                self.descend(&here);
                return Some(here);
            }
            self.has_pruned = true;
        }
    }
}
