//! The loose/tight double grid: boxes in the cell of their center, cells found through a second grid.

mod lattices;
mod listing;

use alloc::vec::Vec;
use core::iter;
use core::ops::{ControlFlow, Range};

use self::lattices::{Lattices, is_wide};
use super::extent::Extent;
use super::fit::{Fit, check_cell, check_world};
use super::part::slice;
use super::{Node, NodeKind, Part, Stats, Structure};
use crate::error::{Corruption, Error};
use crate::executor::Executor;
use crate::geometry::{Aabb, Scalar, Span};
use crate::query::{Query, is_answer_in};
use crate::setters::setters;
use crate::storage::{BitPyramid, Boxes, Heads, Homes, IdSet, Lists, NONE, Unions, add_bytes, bytes_of, tails};

/// Two grids. Every box lives in the one *loose* cell that holds its center. Every loose cell has the hull of its boxes
/// and is listed in the *tight* cells that the hull covers.
///
/// In the manual: `docs/structures/loose-grid.md`.
///
/// - **Best for:** boxes that are spread evenly and jump one by one, each followed by a small query.
/// - **Avoid for:** huge boxes spread evenly among small ones; crowds in a corner of an almost empty world. Use
///   [`FrameTree`](crate::FrameTree) instead.
/// - **Order of answers**, in this version: wide cells first (see below), then tight cells row by row, south to north
///   and west to east. Loose cells listed last come first, and within each the newest box. Pairs likewise, by the tight
///   cell that holds the lower corner of the intersection of two hulls.
/// - **Cost:** `insert`: constant, plus the tight cells by which the hull grows. `remove`: a short list, plus the tight
///   cells if the cell becomes empty. `update`: a few comparisons while the center stays in its cell, otherwise a
///   remove and an insert. `query`: the tight cells touched, and the loose cells listed there. `pairs`: the loose cells
///   whose hulls touch. `maintain`: the loose cells in which a box has left or shrunk.
/// - **Memory:** 33 to 45 bytes per box (`f32`): 16 for the box, 4 for its home, 5 to 10 for its list entry, 20
///   for each loose cell, and 5 to 10 (rarely more) for each listing of one.
///
/// **Exact.** The loose grid only decides where a center goes; queries look at hulls alone. Hulls grow immediately and
/// shrink in [`maintain`](crate::Index::maintain). A loose cell without boxes has no hull and is in no list. A hull and
/// a query that share a point share a tight cell, because all columns come from one monotone function. And each loose
/// cell is looked at only in the tight cell that holds the lower corner of the intersection of hull and query.
///
/// **Bounded.** A loose cell whose hull covers more than 64 tight cells goes to a list of *wide* cells, which every
/// query scans. So memory stays within a fixed multiple of the number of cells, whatever the input.
///
/// The idea is from part 5 of D. E.'s answer on *efficient quadtrees*, Stack Overflow, question 41946007 (2018).
/// Differences: each answer comes once without a search, the whole grown hull is listed, and the two resolutions are
/// set separately.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
pub struct LooseGrid<S = f32> {
    options: LooseGridOptions<S>,
    fit: Fit,
    lattices: Lattices,
    /// Loose cells row by row.
    cells: Vec<LooseCell<S>>,
    /// Homes are loose cells.
    homes: Homes,
    /// Tight cells: lists of loose cells in `lists`.
    tight: Heads,
    lists: Lists,
    /// Loose cells whose hulls cover too many tight cells.
    wide: IdSet,
    /// Loose cells whose hulls may be larger than needed.
    slack: BitPyramid,
    /// By loose cell.
    layers: Unions,
    #[cfg_attr(feature = "serde", serde(skip))]
    extent: Extent<S>,
}

/// Options of [`LooseGrid`]: begin with the defaults and set those you choose.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LooseGridOptions<S = f32> {
    /// Where most centers will be; `None` follows the data. Boxes elsewhere are stored and found too, but
    /// crowd into the cells at the border.
    pub world: Option<Aabb<S>>,
    /// Width and height of the loose cells, which hold boxes. `None` follows the data: as large as the median box, or
    /// larger if that would make more than an eighth as many cells as boxes. A given size (of tight cells too) is kept
    /// up to 65,536 cells and 16 more per box; beyond that, cells are made larger.
    pub loose_cell: Option<[S; 2]>,
    /// Width and height of the tight cells, which find loose ones. `None`: as large as a loose cell with median boxes.
    /// Smaller: more listings. Larger: more loose cells are searched without a hit.
    pub tight_cell: Option<[S; 2]>,
}

setters!(LooseGridOptions<S> {
    with_world => world: impl Into<Option<Aabb<S>>> = None,
    with_loose_cell => loose_cell: impl Into<Option<[S; 2]>> = None,
    with_tight_cell => tight_cell: impl Into<Option<[S; 2]>> = None,
});

impl<S: Scalar> LooseGridOptions<S> {
    fn check(&self) -> Result<(), Error> {
        check_world(self.world)?;
        check_cell("loose_cell", self.loose_cell)?;
        check_cell("tight_cell", self.tight_cell)
    }
}

/// The list of a loose cell. 20 bytes for `f32` and `i32`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
struct LooseCell<S> {
    /// Encloses all boxes of the list; larger than needed until the next `maintain`, but empty as soon as there are
    /// none.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::hull"))]
    hull: Aabb<S>,
    head: u32,
}

const _: () = assert!(size_of::<LooseCell<f32>>() == 20);

impl<S: Scalar> LooseCell<S> {
    const EMPTY: Self = Self { hull: Aabb::EMPTY, head: NONE };
}

impl<S: Scalar> LooseGrid<S> {
    #[inline]
    fn list(&self, cell: u32) -> impl Iterator<Item = u32> + Clone {
        self.homes.list(self.cells[cell as usize].head)
    }

    #[inline]
    fn hull(&self, cell: u32) -> &Aabb<S> {
        &self.cells[cell as usize].hull
    }

    /// The smallest hull of a loose cell.
    fn union(&self, boxes: &Boxes<S>, cell: u32) -> Aabb<S> {
        Aabb::from_boxes(self.list(cell).map(|id| boxes.at(id)))
    }

    /// The loose cells, except wide ones, whose hulls intersect `bounds`, each once.
    #[inline]
    fn listed_cells(&self, bounds: Aabb<S>) -> impl Iterator<Item = u32> {
        self.tight.in_span(self.lattices.tight.span(&bounds)).flat_map(move |(at, head)| {
            self.lists.list(head).filter(move |&cell| {
                let hull = self.hull(cell);
                hull.intersects(&bounds) && self.lattices.meet_in(at, hull.min, bounds.min)
            })
        })
    }

    /// Pairs of loose cells whose hulls intersect, at least one of them wide, each once; also each wide cell with
    /// itself.
    fn wide_cell_pairs(&self, positions: Range<usize>) -> impl Iterator<Item = (u32, u32)> {
        slice(tails(self.wide.as_slice().iter().copied()), positions).flat_map(move |(a, rest)| {
            let hull = *self.hull(a);
            let wide = iter::once(a).chain(rest).filter(move |&b| hull.intersects(self.hull(b)));
            wide.chain(self.listed_cells(hull)).map(move |b| (a, b))
        })
    }

    /// Pairs of loose cells whose hulls intersect, neither of them wide, each once; also each cell with itself.
    fn listed_cell_pairs(&self, numbers: Range<usize>) -> impl Iterator<Item = (u32, u32)> {
        self.tight.numbered(numbers).flat_map(move |(at, head)| {
            tails(self.lists.list(head)).flat_map(move |(a, rest)| {
                let hull = *self.hull(a);
                let others = iter::once(a).chain(rest).filter(move |&b| {
                    let other = self.hull(b);
                    hull.intersects(other) && self.lattices.meet_in(at, hull.min, other.min)
                });
                others.map(move |b| (a, b))
            })
        })
    }

    /// Checks the boxes and the hull of a loose cell.
    fn validate_cell(&self, boxes: &Boxes<S>, number: u32) -> Result<(), Corruption> {
        let LooseCell { hull, head } = self.cells[number as usize];
        for id in self.list(number) {
            let is_right = self.lattices.loose_cell(boxes.at(id)) == number;
            Corruption::unless(is_right, || alloc::format!("box {id} is listed in loose cell {number} and not there"))?;
        }
        let needed = self.union(boxes, number);
        let is_slack = self.slack.contains(number as usize) && head != NONE;
        Corruption::unless(hull == needed || (is_slack && hull.is_valid() && hull.contains(&needed)), || {
            alloc::format!("the hull of loose cell {number} is {hull:?} and should be {needed:?}")
        })
    }
}

impl<S: Scalar> Structure for LooseGrid<S> {
    const NAME: &'static str = "loose-grid";
    type Scalar = S;
    type Options = LooseGridOptions<S>;
    type Askers = super::FrameTree<S>;
    type Compiler = crate::compiled::Caller;

    fn new(options: Self::Options) -> Result<Self, Error> {
        options.check()?;
        let (fit, lattices) = Lattices::plan(&options, Fit::of(&Boxes::<S>::new()), 0);
        let mut grid = Self {
            options,
            fit,
            lattices,
            cells: Vec::new(),
            homes: Homes::new(),
            tight: Heads::new([0, 0]),
            lists: Lists::new(),
            wide: IdSet::new(),
            slack: BitPyramid::new(0),
            layers: Unions::new(),
            extent: Extent::default(),
        };
        grid.reset(false);
        Ok(grid)
    }

    fn options(&self) -> Self::Options {
        self.options
    }

    fn build_with(&mut self, boxes: &Boxes<S>, _executor: &impl Executor) {
        (self.fit, self.lattices) = Lattices::plan(&self.options, Fit::of(boxes), boxes.len());
        self.reset(boxes.has_layers());
        self.extent = Extent::of(boxes);
        for (id, bounds) in boxes.iter() {
            self.push(self.lattices.loose_cell(&bounds), id, boxes.layers(id));
        }
        // Only now, so that each cell is listed once, and not again with every box that makes its hull grow.
        for cell in (0..).take(self.cells.len()) {
            self.set_hull(cell, self.union(boxes, cell));
        }
        // The number of listings varies as boxes move. With some spare room, a steady frame allocates nothing.
        self.lists.reserve(self.lists.len() / 4);
    }

    fn fits(&self, boxes: &Boxes<S>) -> bool {
        Fit::still(boxes, |now| {
            let (fit, lattices) = Lattices::plan(&self.options, now, boxes.len());
            self.fit.world_fits(&fit)
                && self.lattices.loose.resembles(&lattices.loose)
                && self.lattices.tight.resembles(&lattices.tight)
        })
    }

    fn insert(&mut self, boxes: &Boxes<S>, id: u32) {
        self.extent.widen(boxes.at(id));
        self.link(boxes, self.lattices.loose_cell(boxes.at(id)), id);
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
        let cell = self.lattices.loose_cell(new);
        if self.homes.of(id) == cell {
            self.loosen(cell, &old);
            self.grow(cell, new);
        } else {
            self.unlink(id, &old);
            self.link(boxes, cell, id);
        }
    }

    fn set_layers(&mut self, boxes: &Boxes<S>, id: u32) {
        self.layers.widen(self.homes.of(id), boxes.layers(id));
    }

    fn clear(&mut self) {
        self.cells.fill(LooseCell::EMPTY);
        self.homes.clear();
        self.tight.clear();
        self.lists.clear();
        self.wide.clear();
        self.slack.clear();
        self.extent = Extent::default();
        self.layers.reset(false, 0);
    }

    fn reserve(&mut self, additional: usize) {
        self.homes.reserve(additional);
    }

    // Casts: cells are bounded to a few million.
    fn maintain_with(&mut self, boxes: &Boxes<S>, _executor: &impl Executor) {
        self.extent.tighten(boxes);
        let mut next = self.slack.next(0);
        while let Some(cell) = next {
            self.set_hull(cell as u32, self.union(boxes, cell as u32));
            next = self.slack.next(cell + 1);
        }
        self.slack.clear();
        self.tight.free_rows();
        self.layers.refill(boxes, |id| self.homes.of(id));
    }

    fn restore(&mut self, boxes: &Boxes<S>) {
        self.extent = Extent::of(boxes);
    }

    fn hull(&self) -> Option<&Aabb<S>> {
        Some(self.extent.hull())
    }

    fn search<Q: Query<S>>(&self, boxes: &Boxes<S>, query: Q) -> impl Iterator<Item = u32> {
        let bounds = query.bounds();
        let asked = query.clone();
        let wide = self.wide.as_slice().iter().copied().filter(move |&cell| self.hull(cell).intersects(&bounds));
        // A query tests hulls only. If it could reject tight cells, a loose cell could be lost: it is looked at in one
        // tight cell only, and the point that counts may be in another.
        wide.chain(self.listed_cells(bounds))
            .filter(move |&cell| {
                self.layers.are_wanted(cell, |layers| query.wants(layers)) && query.reaches(self.hull(cell))
            })
            .flat_map(move |cell| {
                let asked = asked.clone();
                let is_covered = asked.covers(self.hull(cell));
                self.list(cell).filter(move |&id| is_answer_in(&asked, is_covered, boxes, id))
            })
    }

    fn search_pairs(&self, boxes: &Boxes<S>, part: Part) -> impl Iterator<Item = (u32, u32)> {
        let agreement = boxes.agreement();
        let meet = move |first, second| self.layers.get(first).meets(self.layers.get(second), agreement);
        let [wide, tight] = part.ranges([self.wide.len(), self.tight.limit()]);
        let cells = self.wide_cell_pairs(wide).chain(self.listed_cell_pairs(tight));
        cells.filter(move |&(first, second)| meet(first, second)).flat_map(move |(first, second)| {
            let hull = *self.hull(second);
            let reaching = tails(self.list(first)).filter(move |&(a, _)| hull.intersects(boxes.at(a)));
            reaching
                .flat_map(move |(a, rest)| boxes.pairs_of(a, if first == second { rest } else { self.list(second) }))
        })
    }

    fn visit_lists<B>(
        &self,
        _boxes: &Boxes<S>,
        mut visit: impl FnMut(Node<S>, &mut dyn Iterator<Item = u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.tight.iter().try_for_each(|(at, _)| {
            let bounds = self.lattices.tight.rectangle(&Span { lo: at, hi: at });
            visit(Node { bounds, depth: 0, population: 0, kind: NodeKind::Cell }, &mut iter::empty())
        })?;
        (0..).zip(&self.cells).filter(|(_, cell)| cell.head != NONE).try_for_each(|(number, cell)| {
            let population = self.list(number).count();
            visit(Node { bounds: cell.hull, depth: 0, population, kind: NodeKind::Hull }, &mut self.list(number))
        })
    }

    fn visit_pyramid<B>(&self, mut visit: impl FnMut(u32, Aabb<S>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.tight.pyramid().try_for_each(|(height, span)| visit(height, self.lattices.tight.rectangle(&span)))
    }

    fn stats(&self, _boxes: &Boxes<S>) -> Stats {
        let lists = || (0..).take(self.cells.len()).map(|cell| self.list(cell).count());
        let [bytes_used, bytes_reserved] = add_bytes([
            bytes_of(&self.cells),
            self.homes.bytes(),
            self.tight.bytes(),
            self.lists.bytes(),
            self.wide.bytes(),
            self.slack.bytes(),
            self.layers.bytes(),
        ]);
        Stats {
            nodes: self.cells.len() + self.tight.cells(),
            leaves: self.cells.len(),
            listed: lists().sum(),
            longest_list: lists().max().unwrap_or(0),
            bytes_used,
            bytes_reserved,
            ..Stats::default()
        }
    }

    fn validate(&self, boxes: &Boxes<S>) -> Result<(), Corruption> {
        self.options.check()?;
        let Lattices { loose, tight } = &self.lattices;
        Corruption::unless(
            loose.is_sound() && tight.is_sound() && self.cells.len() == self.lattices.loose_cells(),
            || alloc::format!("{} loose cells for {:?}", self.cells.len(), self.lattices),
        )?;
        self.tight.validate(tight.everything().hi)?;
        self.extent.validate(boxes)?;
        self.slack.validate(self.cells.len())?;
        self.wide.validate()?;
        self.lists.validate(self.tight.iter().map(|(_, head)| head))?;
        self.homes.validate(boxes, (0..).zip(&self.cells).map(|(number, cell)| (number, cell.head)))?;
        let (mut wide, mut expected) = (0, Vec::new());
        for (number, cell) in (0..).zip(&self.cells) {
            self.validate_cell(boxes, number)?;
            let covered = self.lattices.covered(&cell.hull);
            let is_wide = is_wide(&covered);
            Corruption::unless(is_wide == self.wide.contains(number), || {
                alloc::format!("loose cell {number} covers {covered:?}; counted as wide: {}", !is_wide)
            })?;
            if is_wide {
                wide += 1;
            } else {
                expected.extend(covered.cells().map(|at| (at, number)));
            }
            Corruption::unless(expected.len() <= self.lists.len(), || {
                alloc::format!("{} listings of loose cells, {} needed", self.lists.len(), expected.len())
            })?;
        }
        self.layers.validate_len(self.cells.len())?;
        self.layers.validate(boxes, |id| self.homes.of(id))?;
        Corruption::unless(wide == self.wide.len(), || alloc::format!("{wide} wide cells, {} kept", self.wide.len()))?;
        let tight = self.tight.iter();
        let listed = tight.flat_map(|(at, head)| self.lists.list(head).map(move |cell| (at, cell))).collect();
        Corruption::unless_same("listed (tight cell, loose cell)", listed, expected)
    }
}
