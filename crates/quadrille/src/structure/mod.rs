//! Floor 3: the structures, one file or folder each. The docs of each are its manual.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | the trait `Structure` |
//! | `brute_force.rs` | a list: the oracle |
//! | `quadtree/` | boxes in every leaf they touch |
//! | `enclosing_quadtree/` | boxes in the smallest node that encloses them |
//! | `loose_quadtree.rs` | boxes in the node of their center, nodes with hulls |
//! | `grid.rs` | one cell size; boxes in the cell of their lower corner, by size |
//! | `loose_grid/` | loose cells with hulls, found through a second grid |
//! | `frame_tree/` | packs of sixteen along a curve, under a tree of hulls |
//! | `periodic.rs` | any of them, in a world that wraps |
//! | `any.rs` | one of them, chosen by name |
//! | `tree.rs` | what quadtrees share: options, limits and the walk |
//! | `bulk.rs` | bulk loading of trees |
//! | `fit.rs` | worlds and cell sizes fitted to boxes |
//! | `extent.rs` | a hull of all boxes: nothing beside it is searched |
//! | `part.rs` | a part of all pairs, for threads |

mod any;
mod brute_force;
mod bulk;
mod enclosing_quadtree;
mod extent;
mod fit;
mod frame_tree;
mod grid;
mod loose_grid;
mod loose_quadtree;
mod part;
mod periodic;
mod quadtree;
mod tree;

pub use any::{AnyOptions, AnyStructure, StructureKind, UnknownStructure};
pub use brute_force::BruteForce;
pub use enclosing_quadtree::EnclosingQuadtree;
pub use frame_tree::FrameTree;
pub(crate) use frame_tree::{Advance, Casting, Descent, Exactly, InReach, Roughly};
pub use grid::{Grid, GridOptions};
pub use loose_grid::{LooseGrid, LooseGridOptions};
pub use loose_quadtree::LooseQuadtree;
pub use part::Part;
pub use periodic::{Periodic, PeriodicOptions};
pub use quadtree::{Quadtree, QuadtreeOptions, Subdivision};
pub use tree::TreeOptions;

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::fmt::Debug;
use core::ops::ControlFlow;

use crate::compiled::Compiler;
use crate::error::{Corruption, Error};
use crate::executor::{Executor, Serial};
use crate::geometry::{Aabb, Scalar};
use crate::query::{Narrowing, Query};
use crate::storage::Boxes;

/// Arranges boxes so that queries are cheap: the part of an [`Index`](crate::Index) that varies.
///
/// The index owns the boxes, checks input, hands out ids and offers every form of every query. A structure only
/// keeps ids in order. You name a structure as a type parameter (`Index<Quadtree>`) and never call it. Every method
/// takes the boxes. `boxes` always holds the state after the call, except in
/// [`remove`](Self::remove). Only this crate can implement the trait, so any release may add methods.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name a structure",
    label = "not a structure",
    note = "name a structure and, unless they are `f32`, its numbers: `Index<Quadtree>`, `Space<T, Quadtree<f64>>`"
)]
pub trait Structure: sealed::Sealed + Clone + Debug + Send + Sync {
    /// The name used by the command and in snapshots: lowercase letters and hyphens.
    const NAME: &'static str;
    /// For a structure around another one, the name of the inner one.
    const AROUND: Option<&'static str> = None;
    /// Does [`narrow`](Self::narrow) always show all? Then no other search for what is first is compiled.
    const NARROWS: bool = false;
    /// The number type of the coordinates.
    type Scalar: Scalar;
    /// What you can choose at construction.
    type Options: Clone + Debug + Default;
    /// Arranges a few boxes that are to be joined with those of this structure: a [`FrameTree`], in the same world.
    type Askers: Structure<Scalar = Self::Scalar>;
    /// Decides where what is heavy in it is compiled.
    #[doc(hidden)]
    type Compiler: Compiler<Self>;

    /// An empty structure.
    ///
    /// # Errors
    /// Returns an error that names the option, its value and the rule it breaks.
    fn new(options: Self::Options) -> Result<Self, Error>;

    /// The options given at construction.
    fn options(&self) -> Self::Options;

    /// The options of [`Askers`](Self::Askers).
    fn askers(&self) -> <Self::Askers as Structure>::Options {
        Default::default()
    }

    /// A valid box in the form in which it is stored: unchanged, except in a [world that wraps](Periodic), where it
    /// moves by the whole worlds that bring its lower corner into the world.
    ///
    /// # Errors
    /// Returns an error if the box does not fit in the world.
    fn admit(&self, bounds: Aabb<Self::Scalar>) -> Result<Aabb<Self::Scalar>, Error> {
        Ok(bounds)
    }

    /// Many valid boxes in the form in which they are stored.
    ///
    /// # Errors
    /// Returns an error if a box does not fit in the world. The message names its position.
    fn admit_all<'a>(&self, boxes: &'a [Aabb<Self::Scalar>]) -> Result<Cow<'a, [Aabb<Self::Scalar>]>, Error> {
        Ok(Cow::Borrowed(boxes))
    }

    /// The offsets by which boxes are moved before a query sees them, one search per offset. A single zero offset,
    /// except in a [world that wraps](Periodic).
    #[inline]
    fn offsets<Q: Query<Self::Scalar>>(&self, query: &Q) -> impl Iterator<Item = [Self::Scalar; 2]> {
        let _ = query;
        core::iter::once([Self::Scalar::ZERO; 2])
    }

    /// Do two boxes in the form in which they are stored share a point? They may have gone from the structure.
    fn touch(&self, a: &Aabb<Self::Scalar>, b: &Aabb<Self::Scalar>) -> bool {
        a.intersects(b)
    }

    /// Drops everything and arranges all boxes again. Fits the world and cells to them if the options leave that open.
    fn build(&mut self, boxes: &Boxes<Self::Scalar>) {
        self.build_with(boxes, &Serial);
    }

    /// The same on several threads, if the structure can divide the work. The result does not depend on the threads.
    fn build_with(&mut self, boxes: &Boxes<Self::Scalar>, executor: &impl Executor);

    /// `false` if the world or cells are fitted to the data and suit these boxes badly: the index will then call
    /// `build`. Costs about the same for any number of boxes.
    fn fits(&self, boxes: &Boxes<Self::Scalar>) -> bool;

    /// Box `id` is new.
    fn insert(&mut self, boxes: &Boxes<Self::Scalar>, id: u32);

    /// Box `id` is about to go; `boxes` still holds it.
    fn remove(&mut self, boxes: &Boxes<Self::Scalar>, id: u32);

    /// Box `id` was `old` until now.
    fn update(&mut self, boxes: &Boxes<Self::Scalar>, id: u32, old: Aabb<Self::Scalar>);

    /// The boxes with the lowest ids become `now`; [`maintain`](Self::maintain) follows immediately. Free slots stay
    /// empty.
    fn update_all(&mut self, boxes: &mut Boxes<Self::Scalar>, now: &[Aabb<Self::Scalar>], _executor: &impl Executor) {
        for (id, &bounds) in (0..).zip(now) {
            let old = *boxes.at(id);
            if bounds != old {
                boxes.set(id, bounds);
                self.update(boxes, id, old);
            }
        }
    }

    /// The layers of box `id` have changed, and `boxes` holds the new ones: the box stays where it is, and every union
    /// of layers around it grows by these.
    fn set_layers(&mut self, boxes: &Boxes<Self::Scalar>, id: u32);

    /// All boxes are gone. Memory is kept.
    fn clear(&mut self);

    /// Expect this many more boxes.
    fn reserve(&mut self, additional: usize);

    /// Does deferred work: merging, shrinking, freeing, sorting.
    fn maintain(&mut self, boxes: &Boxes<Self::Scalar>) {
        self.maintain_with(boxes, &Serial);
    }

    /// The same on several threads, if the structure can divide the work. The result does not depend on the threads.
    fn maintain_with(&mut self, boxes: &Boxes<Self::Scalar>, executor: &impl Executor);

    /// Fills in what a snapshot omits because it follows from the rest. Runs before [`validate`](Self::validate), so it
    /// may rely on nothing except that `boxes` is sound.
    fn restore(&mut self, boxes: &Boxes<Self::Scalar>) {
        let _ = boxes;
    }

    /// A box around all boxes, if it is known: where to begin when looking from afar.
    fn hull(&self) -> Option<&Aabb<Self::Scalar>> {
        None
    }

    /// The ids of all accepted boxes, each once. The query's bounds are ordered.
    fn search<Q: Query<Self::Scalar>>(&self, boxes: &Boxes<Self::Scalar>, query: Q) -> impl Iterator<Item = u32>;

    /// Shows the query all boxes that it may yet accept, those first that are likely to narrow it. `false` if the
    /// structure has no better order than that of [`search`](Self::search): nothing has been shown then.
    fn narrow<Q: Narrowing<Self::Scalar>>(&self, boxes: &Boxes<Self::Scalar>, query: &Q) -> bool {
        let _ = (boxes, query);
        false
    }

    /// All pairs of overlapping boxes whose layers meet, each once, as (lower id, higher id); or one part of them. All
    /// parts, one after another, give all pairs in the same order. Each takes about the same time if boxes are
    /// spread evenly.
    fn search_pairs(&self, boxes: &Boxes<Self::Scalar>, part: Part) -> impl Iterator<Item = (u32, u32)>;

    /// [`search`](Self::search) with a visitor that may stop it. Same ids, same order.
    #[inline]
    fn visit<Q: Query<Self::Scalar>, B>(
        &self,
        boxes: &Boxes<Self::Scalar>,
        query: Q,
        visit: impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.search(boxes, query).try_for_each(visit)
    }

    /// Adds the names of what [`search`](Self::search) finds. Same ids, same order.
    #[inline]
    fn collect<Q: Query<Self::Scalar>, N>(
        &self,
        boxes: &Boxes<Self::Scalar>,
        query: Q,
        name: impl Fn(u32) -> N,
        names: &mut Vec<N>,
    ) {
        // Not by `for_each`: a fold moves the state of the search into each part of it, which few answers do not repay.
        let ControlFlow::Continue(()) = self.visit(boxes, query, |id| {
            names.push(name(id));
            ControlFlow::<Infallible>::Continue(())
        });
    }

    /// Notes that a box is fixed, or no longer: then it moves in few frames, and has no contacts with others that are.
    fn set_fixed(&mut self, _boxes: &Boxes<Self::Scalar>, _id: u32, _is_fixed: bool) {}

    /// [`search_pairs`](Self::search_pairs) with a visitor that may stop it. Same pairs, same order.
    #[inline]
    fn visit_pairs<B>(
        &self,
        boxes: &Boxes<Self::Scalar>,
        part: Part,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.search_pairs(boxes, part).try_for_each(|(a, b)| visit(a, b))
    }

    /// The frame tree that it is, if it is one: the pairs between two of those are found by walking both together.
    #[inline]
    fn as_frame_tree(&self) -> Option<&FrameTree<Self::Scalar>> {
        None
    }

    /// Visits every node or cell with the boxes listed in that node, in the order of answers.
    fn visit_lists<B>(
        &self,
        boxes: &Boxes<Self::Scalar>,
        visit: impl FnMut(Node<Self::Scalar>, &mut dyn Iterator<Item = u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Visits the non-empty rectangles above its cells, as (height, rectangle); nothing if the structure does not keep
    /// them.
    fn visit_pyramid<B>(&self, visit: impl FnMut(u32, Aabb<Self::Scalar>) -> ControlFlow<B>) -> ControlFlow<B> {
        let _ = visit;
        ControlFlow::Continue(())
    }

    /// Counts and byte sizes, excluding those of `boxes`.
    fn stats(&self, boxes: &Boxes<Self::Scalar>) -> Stats;

    /// Walks every link, count, bound and free list.
    ///
    /// # Errors
    /// Returns an error that says which parts contradict each other. This is a bug in this library, unless the structure
    /// came from elsewhere. In that case the check may rely on nothing except that `boxes` is sound, and must not follow a link before
    /// checking it.
    fn validate(&self, boxes: &Boxes<Self::Scalar>) -> Result<(), Corruption>;
}

/// Keeps [`Structure`] to this crate.
mod sealed {
    pub trait Sealed {}

    macro_rules! seal {
        (; $($module:ident $name:ident $(($options:ident: $type:ident))?, $what:literal;)*) => {
            $(impl<S: super::Scalar> Sealed for super::$name<S> {})*
        };
    }

    crate::structures!(seal!);
    impl<S: super::Scalar> Sealed for super::AnyStructure<S> {}
    impl<I: super::Structure> Sealed for super::Periodic<I> {}
}

/// One node or cell of a structure, for drawing and teaching.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Node<S = f32> {
    /// Its rectangle. Border cells of trees and grids end at the world's edge here, although they also hold what lies
    /// beyond.
    pub bounds: Aabb<S>,
    /// Steps from the root; 0 for grids.
    pub depth: u32,
    /// Boxes listed in this node itself.
    pub population: usize,
    /// What kind of node it is.
    pub kind: NodeKind,
}

/// What a [`Node`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum NodeKind {
    /// A tree node with four children.
    Branch,
    /// A tree node without children.
    Leaf,
    /// A grid cell whose rectangle is fixed.
    Cell,
    /// A cell or node whose rectangle is the hull of its boxes.
    Hull,
}

/// Statistics of a structure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stats {
    /// Boxes stored.
    pub boxes: usize,
    /// Nodes or cells that exist, branches included.
    pub nodes: usize,
    /// Nodes or cells that can list boxes and have no children.
    pub leaves: usize,
    /// Steps from the root to the deepest node.
    pub depth: usize,
    /// Entries in all lists; equal to `boxes` if each box is listed once.
    pub listed: usize,
    /// Boxes in the longest list.
    pub longest_list: usize,
    /// Bytes in use, the boxes themselves included.
    pub bytes_used: usize,
    /// Bytes held from the allocator, the boxes themselves included.
    pub bytes_reserved: usize,
}
