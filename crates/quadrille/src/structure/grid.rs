//! The uniform grid: boxes in the cell of their lower corner.

use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use super::extent::Extent;
use super::fit::{Fit, check_cell, check_world, most_cells};
use super::{Node, NodeKind, Part, Stats, Structure};
use crate::error::{Corruption, Error};
use crate::executor::Executor;
use crate::geometry::{Aabb, Lattice, Scalar, Span};
use crate::query::{Query, is_answer};
use crate::setters::setters;
use crate::storage::{Boxes, Heads, Homes, Layers, Occupied, Unions, add_bytes, tails};

/// A uniform grid (a dense relative of the spatial hash) in which every box is listed in one cell only, that of its
/// lower corner, with coarser grids above it for larger boxes.
///
/// In the manual: `docs/structures/grid.md`.
///
/// - **Best for:** boxes of similar size, spread evenly, of which a few move at a time: the cheapest single update.
/// - **Avoid for:** crowds in a corner of an almost empty world: all cells have one size. Use [`FrameTree`](crate::FrameTree)
///   instead. Widely varying sizes cost each query a few more cells for every factor of four.
/// - **Order of answers**, in this version: the finest level first. Within a level row by row, south to north, and west
///   to east in a row; newest first within a cell. Pairs: by the first box of each in that order; the second comes from
///   its own cell, the next one, the next row, then the finer levels.
/// - **Cost:** `insert`: constant. `remove`: a short list. `update`: a few comparisons while the lower corner stays in
///   its cell, otherwise a remove and an insert. `query`: the cells touched, plus one row and one column on each level
///   of sizes. `pairs`: the boxes of each cell, of its neighbors, and of the finer cells touched. `maintain`: all rows.
/// - **Memory:** 31 to 37 bytes per box (`f32`): 16 for the box, 4 for its home, 5 to 10 for its list entry, and 4
///   bytes and 1 to 2 bits for each cell, of which there is about one for every four boxes.
///
/// **Levels.** A box goes to the finest level on which it covers at most two columns and two rows. Each level has cells
/// four times as wide and high as the one below; the last is a single cell. So every finite box fits on some level,
/// memory does not depend on sizes, and a query looks at the columns and rows that it covers plus one column and one
/// row before them: nothing that reaches it can begin elsewhere. All columns come from one monotone function, so
/// answers are exact however numbers round. Boxes outside the world belong to border cells.
///
/// Cells of 4 bytes, and rows that exist only while in use, follow part 2 of D. E.'s answer on *efficient quadtrees*, Stack
/// Overflow, question 41946007 (2018), refined in its parts 6 and 7. Levels by size: the hierarchical grid of C.
/// Ericson, *Real-Time Collision Detection*, 2005, section 7.2.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
pub struct Grid<S = f32> {
    options: GridOptions<S>,
    fit: Fit,
    /// Columns and rows of the finest level; those of the others are groups of these.
    lattice: Lattice,
    levels: Vec<Level>,
    /// Homes are numbers of cells, counted through all levels.
    homes: Homes,
    /// By the same numbers.
    layers: Unions,
    #[cfg_attr(feature = "serde", serde(skip))]
    extent: Extent<S>,
}

/// Options of [`Grid`]: begin with the defaults and set those you choose.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct GridOptions<S = f32> {
    /// Where most boxes will be; `None` follows the data. Boxes elsewhere are stored and found too, but crowd
    /// into the cells at the border.
    pub world: Option<Aabb<S>>,
    /// Width and height of the smallest cells. `None` follows the data: twice the median box, or larger if that would
    /// make more than a quarter as many cells as boxes. A given size is kept up to 65,536 cells and 16 more per box;
    /// beyond that, cells are made larger.
    pub cell: Option<[S; 2]>,
}

setters!(GridOptions<S> {
    with_world => world: impl Into<Option<Aabb<S>>> = None,
    with_cell => cell: impl Into<Option<[S; 2]>> = None,
});

impl<S: Scalar> GridOptions<S> {
    fn check(&self) -> Result<(), Error> {
        check_world(self.world)?;
        check_cell("cell", self.cell)
    }
}

/// Boxes per fitted cell. Less: more cells to visit. More: longer lists to compare.
const BOXES_PER_CELL: f64 = 4.0;

/// Minimum width of a fitted cell, in median boxes. Less: more boxes have points in two or even three columns. More:
/// longer lists.
const BOXES_PER_SIDE: f64 = 2.0;

/// Cells of a level are 2^2 times as wide and high as those of the level below. Less: more levels to look at. More:
/// boxes may be smaller relative to their cells, and lists longer.
const LEVEL_SHIFT: u32 = 2;

/// Cells of one size.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Level {
    heads: Heads,
    /// Cells are 2^`shift` columns wide and as many rows high.
    shift: u32,
    /// The number of the first cell.
    first: u32,
    /// How many boxes are listed here. Queries skip empty levels.
    population: usize,
}

impl Level {
    /// The levels over a lattice, finest first, up to the one with a single cell.
    // Casts: cells are bounded to a few million.
    fn all(lattice: &Lattice) -> Vec<Self> {
        let (mut levels, mut shift, mut first) = (Vec::new(), 0, 0);
        loop {
            let last = lattice.everything().coarser(shift).hi;
            let level = Self { heads: Heads::new(last), shift, first, population: 0 };
            first += level.heads.limit() as u32;
            levels.push(level);
            if last == [0, 0] {
                return levels;
            }
            shift += LEVEL_SHIFT;
        }
    }

    #[inline]
    // Casts: cells are bounded to a few million.
    fn number(&self, cell: [u32; 2]) -> u32 {
        self.first + self.heads.number(cell) as u32
    }

    /// The occupied cells among these numbers.
    fn numbered(&self, numbers: &Range<usize>) -> Occupied<'_> {
        let here = |number: usize| number.saturating_sub(self.first as usize).min(self.heads.limit());
        self.heads.numbered(here(numbers.start)..here(numbers.end))
    }

    /// The cells in which a box of this level must begin to have a point in `span`, which is in cells of the finest
    /// level.
    #[inline]
    fn reach(&self, span: &Span) -> Span {
        let Span { lo, hi } = span.coarser(self.shift);
        Span { lo: lo.map(|at| at.saturating_sub(1)), hi }
    }

    /// The span, on the finest level, that encloses all boxes listed in some cells.
    #[inline]
    fn covered(&self, cells: &Span) -> Span {
        Span { lo: cells.lo, hi: cells.hi.map(|at| at + 1) }.finer(self.shift)
    }
}

impl<S: Scalar> Grid<S> {
    /// What the boxes look like and the lattice that suits them, if the options do not decide.
    fn plan(options: &GridOptions<S>, fit: Fit, boxes: usize) -> (Fit, Lattice) {
        let fit = fit.with_world(options.world);
        let (least, most) = match options.cell {
            Some(cell) => (cell.map(S::to_f64), most_cells(boxes)),
            None => (fit.size.map(|side| side * BOXES_PER_SIDE), boxes as f64 / BOXES_PER_CELL),
        };
        (fit, Lattice::new(&fit.world::<S>(), least, most))
    }

    /// The rectangle of a span of cells of a level. At the border of the world it ends with the finest cells.
    fn rectangle(&self, level: &Level, cells: Span) -> Aabb<S> {
        let last = self.lattice.everything().hi;
        let Span { lo, hi } = cells.finer(level.shift);
        self.lattice.rectangle(&Span { lo, hi: [hi[0].min(last[0]), hi[1].min(last[1])] })
    }

    /// The level of a box, as a position in `levels`, and its cell there.
    #[inline]
    fn locate(&self, bounds: &Aabb<S>) -> (usize, [u32; 2]) {
        let (mut level, mut span) = (0, self.lattice.span(bounds));
        while span.hi[0] - span.lo[0] > 1 || span.hi[1] - span.lo[1] > 1 {
            (level, span) = (level + 1, span.coarser(LEVEL_SHIFT));
        }
        (level, span.lo)
    }

    fn link(&mut self, id: u32, bounds: &Aabb<S>, layers: Layers) {
        let (level, cell) = self.locate(bounds);
        let level = &mut self.levels[level];
        let home = level.number(cell);
        level.heads.change(cell, |head| self.homes.push(head, home, id));
        level.population += 1;
        self.layers.widen(home, layers);
    }

    fn unlink(&mut self, id: u32, bounds: &Aabb<S>) {
        let (level, cell) = self.locate(bounds);
        let level = &mut self.levels[level];
        debug_assert_eq!(self.homes.of(id), level.number(cell), "box {id} was {bounds:?}");
        level.heads.change(cell, |head| self.homes.take(head, id));
        level.population -= 1;
    }

    /// The boxes that `bounds`, of a box that begins in a cell of level `at`, may intersect: those in the surrounding
    /// cells that come after its own, whose heads are `later`, and those of all finer levels.
    ///
    /// On its own level a box meets only boxes that begin in the same cell or in one of the eight around it, and four
    /// of those have met it already. It meets boxes to the east and north only if it has points there itself.
    ///
    /// ```text
    /// row + 1    1  2  3      later[1..=3]
    /// row        ·  a  0      later[0]; the rest of its own list is not part of this
    ///            ·  ·  ·      these have met a already
    /// ```
    ///
    /// Large boxes look for small ones and not the other way around, because a large box intersects most of what begins
    /// in the small cells under it. So a few huge boxes among many small ones cost what they find, and the small ones
    /// cost nothing extra.
    #[inline]
    fn partners(
        &self,
        boxes: &Boxes<S>,
        at: usize,
        cell: [u32; 2],
        later: [u32; 4],
        id: u32,
    ) -> impl Iterator<Item = u32> {
        let (span, layers, agreement) = (self.lattice.span(boxes.at(id)), boxes.layers(id), boxes.agreement());
        let hi = span.coarser(self.levels[at].shift).hi;
        let (east, north) = (hi[0] > cell[0], hi[1] > cell[1]);
        let met = later.into_iter().zip([east, north, north, east & north]).filter(|&(_, is_met)| is_met);
        let finer = self.levels[..at].iter().filter(|level| level.population > 0);
        let below = finer.flat_map(move |level| {
            let cells = level.heads.in_span(level.reach(&span));
            cells.filter(move |&(cell, _)| layers.meets(self.layers.get(level.number(cell)), agreement))
        });
        met.map(|(head, _)| head).chain(below.map(|(_, head)| head)).flat_map(|head| self.homes.list(head))
    }

    /// The levels are those that the lattice requires (see [`Level::all`]), and each is sound.
    fn validate_levels(&self) -> Result<(), Corruption> {
        Corruption::unless(self.lattice.is_sound(), || alloc::format!("no lattice: {:?}", self.lattice))?;
        let (mut shift, mut first, mut last) = (0, 0, [u32::MAX; 2]);
        for (at, level) in self.levels.iter().enumerate() {
            Corruption::unless(last != [0, 0] && level.shift == shift && level.first as usize == first, || {
                alloc::format!("level {at} has shift {} and begins with cell {}", level.shift, level.first)
            })?;
            last = self.lattice.everything().coarser(shift).hi;
            level.heads.validate(last)?;
            (shift, first) = (shift + LEVEL_SHIFT, first + level.heads.limit());
        }
        Corruption::unless(last == [0, 0], || "the last level has several cells".into())
    }
}

impl<S: Scalar> Structure for Grid<S> {
    const NAME: &'static str = "grid";
    type Scalar = S;
    type Options = GridOptions<S>;
    type Askers = super::FrameTree<S>;
    type Compiler = crate::compiled::Caller;

    fn new(options: Self::Options) -> Result<Self, Error> {
        options.check()?;
        let (fit, lattice) = Self::plan(&options, Fit::of(&Boxes::<S>::new()), 0);
        let (levels, homes, layers) = (Level::all(&lattice), Homes::new(), Unions::new());
        Ok(Self { options, fit, lattice, levels, homes, layers, extent: Extent::default() })
    }

    fn options(&self) -> Self::Options {
        self.options
    }

    fn build_with(&mut self, boxes: &Boxes<S>, _executor: &impl Executor) {
        (self.fit, self.lattice) = Self::plan(&self.options, Fit::of(boxes), boxes.len());
        self.levels = Level::all(&self.lattice);
        self.homes.clear();
        self.extent = Extent::of(boxes);
        self.layers.reset(boxes.has_layers(), self.levels.iter().map(|level| level.heads.limit()).sum());
        boxes.iter().for_each(|(id, bounds)| self.link(id, &bounds, boxes.layers(id)));
    }

    fn fits(&self, boxes: &Boxes<S>) -> bool {
        Fit::still(boxes, |now| {
            let (fit, lattice) = Self::plan(&self.options, now, boxes.len());
            self.fit.world_fits(&fit) && self.lattice.resembles(&lattice)
        })
    }

    fn insert(&mut self, boxes: &Boxes<S>, id: u32) {
        self.extent.widen(boxes.at(id));
        self.link(id, boxes.at(id), boxes.layers(id));
    }

    fn remove(&mut self, boxes: &Boxes<S>, id: u32) {
        self.extent.loosen(boxes.at(id));
        self.unlink(id, boxes.at(id));
    }

    #[inline]
    fn update(&mut self, boxes: &Boxes<S>, id: u32, old: Aabb<S>) {
        let new = boxes.at(id);
        self.extent.loosen(&old);
        self.extent.widen(new);
        let (level, cell) = self.locate(new);
        if self.homes.of(id) != self.levels[level].number(cell) {
            self.unlink(id, &old);
            self.link(id, new, boxes.layers(id));
        }
    }

    fn set_layers(&mut self, boxes: &Boxes<S>, id: u32) {
        self.layers.widen(self.homes.of(id), boxes.layers(id));
    }

    fn clear(&mut self) {
        for level in &mut self.levels {
            level.heads.clear();
            level.population = 0;
        }
        self.homes.clear();
        self.extent = Extent::default();
        self.layers.reset(false, 0);
    }

    fn reserve(&mut self, additional: usize) {
        self.homes.reserve(additional);
    }

    fn maintain_with(&mut self, boxes: &Boxes<S>, _executor: &impl Executor) {
        self.extent.tighten(boxes);
        self.layers.refill(boxes, |id| self.homes.of(id));
        self.levels.iter_mut().for_each(|level| level.heads.free_rows());
    }

    fn restore(&mut self, boxes: &Boxes<S>) {
        self.extent = Extent::of(boxes);
    }

    fn hull(&self) -> Option<&Aabb<S>> {
        Some(self.extent.hull())
    }

    fn search<Q: Query<S>>(&self, boxes: &Boxes<S>, query: Q) -> impl Iterator<Item = u32> {
        let span = self.lattice.span(&query.bounds());
        let asked = query.clone();
        let is_near = self.extent.hull().intersects(&query.bounds());
        let levels = self.levels.iter().filter(move |level| is_near && level.population > 0);
        let cells = levels.flat_map(move |level| {
            // A query may reject not just some cells, but everything that boxes beginning there can cover.
            let (query, asked) = (query.clone(), query.clone());
            let cells = level.heads.in_span(level.reach(&span));
            cells.galloping(
                move |cell| self.layers.are_wanted(level.number(cell), |layers| query.wants(layers)),
                move |cells| asked.reaches(&self.lattice.hull(&level.covered(cells))),
            )
        });
        cells.flat_map(|(_, head)| self.homes.list(head)).filter(move |&id| is_answer(&asked, boxes, id))
    }

    fn search_pairs(&self, boxes: &Boxes<S>, part: Part) -> impl Iterator<Item = (u32, u32)> {
        let cells = self.levels.iter().map(|level| level.heads.limit()).sum();
        let numbers = part.range(cells);
        self.levels.iter().enumerate().flat_map(move |(at, level)| {
            level.numbered(&numbers).flat_map(move |(cell, head)| {
                let later = level.heads.later(cell);
                tails(self.homes.list(head))
                    .flat_map(move |(a, rest)| boxes.pairs_of(a, rest.chain(self.partners(boxes, at, cell, later, a))))
            })
        })
    }

    fn visit_lists<B>(
        &self,
        _boxes: &Boxes<S>,
        mut visit: impl FnMut(Node<S>, &mut dyn Iterator<Item = u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.levels.iter().try_for_each(|level| {
            level.heads.iter().try_for_each(|(cell, head)| {
                let population = self.homes.list(head).count();
                let bounds = self.rectangle(level, Span { lo: cell, hi: cell });
                visit(Node { bounds, depth: 0, population, kind: NodeKind::Cell }, &mut self.homes.list(head))
            })
        })
    }

    fn visit_pyramid<B>(&self, mut visit: impl FnMut(u32, Aabb<S>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.levels.iter().try_for_each(|level| {
            level.heads.pyramid().try_for_each(|(height, span)| visit(height, self.rectangle(level, span)))
        })
    }

    fn stats(&self, _boxes: &Boxes<S>) -> Stats {
        let mut stats = Stats::default();
        for level in &self.levels {
            stats.nodes += level.heads.cells();
            stats.listed += level.population;
            for (_, head) in level.heads.iter() {
                stats.longest_list = stats.longest_list.max(self.homes.list(head).count());
            }
        }
        let cells = self.levels.iter().map(|level| level.heads.bytes());
        let [bytes_used, bytes_reserved] = add_bytes(cells.chain([self.homes.bytes(), self.layers.bytes()]));
        Stats { leaves: stats.nodes, bytes_used, bytes_reserved, ..stats }
    }

    fn validate(&self, boxes: &Boxes<S>) -> Result<(), Corruption> {
        self.options.check()?;
        self.extent.validate(boxes)?;
        self.validate_levels()?;
        let cells =
            self.levels.iter().flat_map(|level| level.heads.iter().map(|(cell, head)| (level.number(cell), head)));
        self.homes.validate(boxes, cells)?;
        for (at, level) in self.levels.iter().enumerate() {
            let mut listed = 0;
            for (cell, head) in level.heads.iter() {
                for id in self.homes.list(head) {
                    listed += 1;
                    Corruption::unless(self.locate(boxes.at(id)) == (at, cell), || {
                        alloc::format!("box {id}, {:?}, is listed in cell {cell:?} of level {at}", boxes.at(id))
                    })?;
                }
            }
            Corruption::unless(level.population == listed, || {
                alloc::format!("level {at} counts {} boxes and lists {listed}", level.population)
            })?;
        }
        self.layers.validate_len(self.levels.iter().map(|level| level.heads.limit()).sum())?;
        self.layers.validate(boxes, |id| self.homes.of(id))
    }
}
