//! A structure chosen by name at run time.

use core::fmt;
use core::ops::ControlFlow;
use core::str::FromStr;

use alloc::string::String;

use super::{
    BruteForce, EnclosingQuadtree, EnclosingQuadtreeOptions, FrameTree, Grid, GridOptions, LooseGrid, LooseGridOptions,
    LooseQuadtree, LooseQuadtreeOptions, Node, Part, Quadtree, QuadtreeOptions, Stats, Structure,
};
use crate::error::{Corruption, Error};
use crate::executor::Executor;
use crate::geometry::{Aabb, Scalar};
use crate::question::Question;
use crate::storage::Boxes;

/// The structures by name.
///
/// In the manual: `docs/choosing.md`.
///
/// ```
/// use quadrille::{AnyStructure, Index, StructureKind};
///
/// let kind: StructureKind = "quadtree".parse()?;
/// let index = Index::<AnyStructure>::new(kind.into()).expect("default options are valid");
/// assert_eq!(index.options().kind(), kind);
/// # Ok::<(), quadrille::UnknownStructure>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum StructureKind {
    /// [`BruteForce`], the oracle.
    BruteForce,
    /// [`Quadtree`], boxes in every leaf they touch.
    Quadtree,
    /// [`EnclosingQuadtree`], boxes in the smallest node that encloses them.
    EnclosingQuadtree,
    /// [`LooseQuadtree`], boxes in the leaf of their center.
    LooseQuadtree,
    /// [`Grid`], boxes in the cell of their lower corner.
    Grid,
    /// [`LooseGrid`], boxes in the cell of their center, cells found through a second grid.
    LooseGrid,
    /// [`FrameTree`], boxes in last frame's order, sixteen to a pack.
    FrameTree,
}

impl StructureKind {
    /// All of them, the oracle first.
    pub const ALL: &[Self] = &[
        Self::BruteForce,
        Self::Quadtree,
        Self::EnclosingQuadtree,
        Self::LooseQuadtree,
        Self::Grid,
        Self::LooseGrid,
        Self::FrameTree,
    ];

    /// The name used by the command.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BruteForce => <BruteForce as Structure>::NAME,
            Self::Quadtree => <Quadtree as Structure>::NAME,
            Self::EnclosingQuadtree => <EnclosingQuadtree as Structure>::NAME,
            Self::LooseQuadtree => <LooseQuadtree as Structure>::NAME,
            Self::Grid => <Grid as Structure>::NAME,
            Self::LooseGrid => <LooseGrid as Structure>::NAME,
            Self::FrameTree => <FrameTree as Structure>::NAME,
        }
    }
}

impl fmt::Display for StructureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for StructureKind {
    type Err = UnknownStructure;

    fn from_str(name: &str) -> Result<Self, UnknownStructure> {
        let known = Self::ALL.iter().copied().find(|kind| kind.name() == name);
        known.ok_or_else(|| UnknownStructure(name.into()))
    }
}

/// A name that no structure has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownStructure(String);

impl fmt::Display for UnknownStructure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no structure is named `{}`; there are:", self.0)?;
        StructureKind::ALL.iter().try_for_each(|kind| write!(f, " {kind}"))
    }
}

impl core::error::Error for UnknownStructure {}

/// Options of one of the structures. They determine which one an [`AnyStructure`] is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant is the structure of that name")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AnyOptions<S = f32> {
    BruteForce,
    Quadtree(QuadtreeOptions<S>),
    EnclosingQuadtree(EnclosingQuadtreeOptions<S>),
    LooseQuadtree(LooseQuadtreeOptions<S>),
    Grid(GridOptions<S>),
    LooseGrid(LooseGridOptions<S>),
    FrameTree,
}

impl<S> AnyOptions<S> {
    /// The structure that these options are for.
    #[must_use]
    pub const fn kind(&self) -> StructureKind {
        match self {
            Self::BruteForce => StructureKind::BruteForce,
            Self::Quadtree(_) => StructureKind::Quadtree,
            Self::EnclosingQuadtree(_) => StructureKind::EnclosingQuadtree,
            Self::LooseQuadtree(_) => StructureKind::LooseQuadtree,
            Self::Grid(_) => StructureKind::Grid,
            Self::LooseGrid(_) => StructureKind::LooseGrid,
            Self::FrameTree => StructureKind::FrameTree,
        }
    }
}

impl<S> From<StructureKind> for AnyOptions<S> {
    /// The default options of that structure.
    fn from(kind: StructureKind) -> Self {
        match kind {
            StructureKind::BruteForce => Self::BruteForce,
            StructureKind::Quadtree => Self::Quadtree(QuadtreeOptions::default()),
            StructureKind::EnclosingQuadtree => Self::EnclosingQuadtree(EnclosingQuadtreeOptions::default()),
            StructureKind::LooseQuadtree => Self::LooseQuadtree(LooseQuadtreeOptions::default()),
            StructureKind::Grid => Self::Grid(GridOptions::default()),
            StructureKind::LooseGrid => Self::LooseGrid(LooseGridOptions::default()),
            StructureKind::FrameTree => Self::FrameTree,
        }
    }
}

impl<S> Default for AnyOptions<S> {
    fn default() -> Self {
        StructureKind::Quadtree.into()
    }
}

/// One of the structures, chosen at run time: `Index<AnyStructure>`. Gives exactly the answers of the structure inside.
///
/// In the manual: `docs/cookbook/data.md#choose-the-structure-at-run-time`.
///
/// A closed enum costs one branch per call. A trait object would have to box an iterator for every question.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant is the structure of that name")]
#[allow(
    clippy::large_enum_variant,
    reason = "there is one for each index, beside megabytes of boxes; sizes vary with features"
)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
pub enum AnyStructure<S = f32> {
    BruteForce(BruteForce<S>),
    Quadtree(Quadtree<S>),
    EnclosingQuadtree(EnclosingQuadtree<S>),
    LooseQuadtree(LooseQuadtree<S>),
    Grid(Grid<S>),
    LooseGrid(LooseGrid<S>),
    FrameTree(FrameTree<S>),
}

/// `each!(any, one => expression)`: the expression with `one` as the structure inside.
macro_rules! each {
    ($any:expr, $one:ident => $result:expr) => {
        match $any {
            AnyStructure::BruteForce($one) => $result,
            AnyStructure::Quadtree($one) => $result,
            AnyStructure::EnclosingQuadtree($one) => $result,
            AnyStructure::LooseQuadtree($one) => $result,
            AnyStructure::Grid($one) => $result,
            AnyStructure::LooseGrid($one) => $result,
            AnyStructure::FrameTree($one) => $result,
        }
    };
}

/// The iterator of one of the structures.
enum AnyIter<A, B, C, D, E, F, G> {
    BruteForce(A),
    Quadtree(B),
    EnclosingQuadtree(C),
    LooseQuadtree(D),
    Grid(E),
    LooseGrid(F),
    FrameTree(G),
}

impl<T, A, B, C, D, E, F, G> Iterator for AnyIter<A, B, C, D, E, F, G>
where
    A: Iterator<Item = T>,
    B: Iterator<Item = T>,
    C: Iterator<Item = T>,
    D: Iterator<Item = T>,
    E: Iterator<Item = T>,
    F: Iterator<Item = T>,
    G: Iterator<Item = T>,
{
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        match self {
            Self::BruteForce(iter) => iter.next(),
            Self::Quadtree(iter) => iter.next(),
            Self::EnclosingQuadtree(iter) => iter.next(),
            Self::LooseQuadtree(iter) => iter.next(),
            Self::Grid(iter) => iter.next(),
            Self::LooseGrid(iter) => iter.next(),
            Self::FrameTree(iter) => iter.next(),
        }
    }

    #[inline]
    fn fold<R, H: FnMut(R, T) -> R>(self, start: R, fold: H) -> R {
        match self {
            Self::BruteForce(iter) => iter.fold(start, fold),
            Self::Quadtree(iter) => iter.fold(start, fold),
            Self::EnclosingQuadtree(iter) => iter.fold(start, fold),
            Self::LooseQuadtree(iter) => iter.fold(start, fold),
            Self::Grid(iter) => iter.fold(start, fold),
            Self::LooseGrid(iter) => iter.fold(start, fold),
            Self::FrameTree(iter) => iter.fold(start, fold),
        }
    }
}

impl<S: Scalar> Structure for AnyStructure<S> {
    const NAME: &'static str = "any";
    type Scalar = S;
    type Options = AnyOptions<S>;

    fn new(options: Self::Options) -> Result<Self, Error> {
        Ok(match options {
            AnyOptions::BruteForce => Self::BruteForce(BruteForce::new(())?),
            AnyOptions::Quadtree(options) => Self::Quadtree(Quadtree::new(options)?),
            AnyOptions::EnclosingQuadtree(options) => Self::EnclosingQuadtree(EnclosingQuadtree::new(options)?),
            AnyOptions::LooseQuadtree(options) => Self::LooseQuadtree(LooseQuadtree::new(options)?),
            AnyOptions::Grid(options) => Self::Grid(Grid::new(options)?),
            AnyOptions::LooseGrid(options) => Self::LooseGrid(LooseGrid::new(options)?),
            AnyOptions::FrameTree => Self::FrameTree(FrameTree::new(())?),
        })
    }

    fn options(&self) -> Self::Options {
        match self {
            Self::BruteForce(_) => AnyOptions::BruteForce,
            Self::Quadtree(one) => AnyOptions::Quadtree(one.options()),
            Self::EnclosingQuadtree(one) => AnyOptions::EnclosingQuadtree(one.options()),
            Self::LooseQuadtree(one) => AnyOptions::LooseQuadtree(one.options()),
            Self::Grid(one) => AnyOptions::Grid(one.options()),
            Self::LooseGrid(one) => AnyOptions::LooseGrid(one.options()),
            Self::FrameTree(_) => AnyOptions::FrameTree,
        }
    }

    fn build(&mut self, boxes: &Boxes<S>) {
        each!(self, one => one.build(boxes));
    }

    fn fits(&self, boxes: &Boxes<S>) -> bool {
        each!(self, one => one.fits(boxes))
    }

    fn insert(&mut self, boxes: &Boxes<S>, id: u32) {
        each!(self, one => one.insert(boxes, id));
    }

    fn remove(&mut self, boxes: &Boxes<S>, id: u32) {
        each!(self, one => one.remove(boxes, id));
    }

    fn update(&mut self, boxes: &Boxes<S>, id: u32, old: Aabb<S>) {
        each!(self, one => one.update(boxes, id, old));
    }

    fn update_all(&mut self, boxes: &mut Boxes<S>, now: &[Aabb<S>], executor: &impl Executor) {
        each!(self, one => one.update_all(boxes, now, executor));
    }

    fn clear(&mut self) {
        each!(self, one => one.clear());
    }

    fn reserve(&mut self, additional: usize) {
        each!(self, one => one.reserve(additional));
    }

    fn maintain(&mut self, boxes: &Boxes<S>) {
        each!(self, one => one.maintain(boxes));
    }

    fn maintain_with(&mut self, boxes: &Boxes<S>, executor: &impl Executor) {
        each!(self, one => one.maintain_with(boxes, executor));
    }

    fn restore(&mut self, boxes: &Boxes<S>) {
        each!(self, one => one.restore(boxes));
    }

    fn search<Q: Question<S>>(&self, boxes: &Boxes<S>, question: Q) -> impl Iterator<Item = u32> {
        match self {
            Self::BruteForce(one) => AnyIter::BruteForce(one.search(boxes, question)),
            Self::Quadtree(one) => AnyIter::Quadtree(one.search(boxes, question)),
            Self::EnclosingQuadtree(one) => AnyIter::EnclosingQuadtree(one.search(boxes, question)),
            Self::LooseQuadtree(one) => AnyIter::LooseQuadtree(one.search(boxes, question)),
            Self::Grid(one) => AnyIter::Grid(one.search(boxes, question)),
            Self::LooseGrid(one) => AnyIter::LooseGrid(one.search(boxes, question)),
            Self::FrameTree(one) => AnyIter::FrameTree(one.search(boxes, question)),
        }
    }

    fn search_pairs(&self, boxes: &Boxes<S>, part: Part) -> impl Iterator<Item = (u32, u32)> {
        match self {
            Self::BruteForce(one) => AnyIter::BruteForce(one.search_pairs(boxes, part)),
            Self::Quadtree(one) => AnyIter::Quadtree(one.search_pairs(boxes, part)),
            Self::EnclosingQuadtree(one) => AnyIter::EnclosingQuadtree(one.search_pairs(boxes, part)),
            Self::LooseQuadtree(one) => AnyIter::LooseQuadtree(one.search_pairs(boxes, part)),
            Self::Grid(one) => AnyIter::Grid(one.search_pairs(boxes, part)),
            Self::LooseGrid(one) => AnyIter::LooseGrid(one.search_pairs(boxes, part)),
            Self::FrameTree(one) => AnyIter::FrameTree(one.search_pairs(boxes, part)),
        }
    }

    fn visit<Q: Question<S>, B>(
        &self,
        boxes: &Boxes<S>,
        question: Q,
        visit: impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        each!(self, one => one.visit(boxes, question, visit))
    }

    fn visit_pairs<B>(
        &self,
        boxes: &Boxes<S>,
        part: Part,
        visit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        each!(self, one => one.visit_pairs(boxes, part, visit))
    }

    fn visit_lists<B>(
        &self,
        boxes: &Boxes<S>,
        visit: impl FnMut(Node<S>, &mut dyn Iterator<Item = u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        each!(self, one => one.visit_lists(boxes, visit))
    }

    fn visit_pyramid<B>(&self, visit: impl FnMut(u32, Aabb<S>) -> ControlFlow<B>) -> ControlFlow<B> {
        each!(self, one => one.visit_pyramid(visit))
    }

    fn stats(&self, boxes: &Boxes<S>) -> Stats {
        each!(self, one => one.stats(boxes))
    }

    fn validate(&self, boxes: &Boxes<S>) -> Result<(), Corruption> {
        each!(self, one => one.validate(boxes))
    }
}
