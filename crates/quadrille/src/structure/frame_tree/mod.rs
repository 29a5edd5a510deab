//! The frame tree: boxes kept in spatial order from frame to frame, sixteen to a pack, under a tree of hulls.

mod cells;
mod columns;
mod hulls;
mod pairs;
mod pass;
mod plots;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::fit::Fit;
use super::{Node, NodeKind, Part, Stats, Structure};
use crate::crew::{Alone, Crew};
use crate::error::{Corruption, Error};
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, LANES};
use crate::question::Question;
use crate::storage::{Boxes, Layers, NONE, add_bytes, bytes_of};
use columns::Columns;
use hulls::Hulls;
use pairs::Pairs;
use plots::Plots;

/// Boxes in spatial order, up to sixteen to a pack, with a tree of hulls above; the order is last frame's, mended.
///
/// - **Best at:** everything moves and all pairs are wanted, every frame: call [`update_all`](crate::Index::update_all), then
///   [`pairs_visit`](crate::Index::pairs_visit). Sizes may be mixed, crowds clustered, boxes long and thin, and piles coincide.
/// - **Ruined by:** many single changes without `maintain` in between. Boxes that move far widen the hulls of their packs, and
///   new ones form packs in the order in which they come.
/// - **Order of answers:** pack by pack along the cells. Pairs: group by group of sixteen packs; those within a pack first.
/// - **Cost:** `maintain`: every box once, a few nanoseconds each, and a little sorting for the few that leave their cell
///   (one in seventy on the scene `uniform`). `update`: a search for its pack; the first after a `maintain` also writes down the slot of every id. `insert`: constant on average.
///   `remove`: as `update`.
/// - **Memory:** 42 to 47 bytes a box (`f32`): the box 16, its copy in spatial order 16, its place in that order 4, hulls and cells 6 or
///   more, the more the emptier packs are; and 4 more once single boxes have been updated or removed.
///
/// # How it works
///
/// **Cells.** The plane is divided by a binary tree of lines, each put at the median of the boxes that were there at the time,
/// across the axis along which they spread more *in units of their own size*: squares are divided into squares, and of long thin boxes
/// only the short side is divided. A cell owns the boxes whose lower corner is in it. A cell with more than sixteen is divided, two
/// neighbours that have room in one are merged. Boxes lie in *slots*, one array of ids in the order of cells; a *pack* is up to sixteen slots in
/// a row, and each cell is one. The cells have an order, in which each begins near where the one before ends.
///
/// **One pass a frame.** `maintain` walks along the cells, fetches the boxes of each in the order of last frame, copies them side by
/// side, and takes the hull on the way. Nothing is sorted, for the order is already there. A box that is no longer in its cell
/// stays in its pack for this frame, whose hull is widened to hold it, and moves over in the next; if it has gone far, it joins others of its
/// kind at the end, which are sorted, packed and moved over in the same way.
///
/// **Plots.** The uppermost lines divide the plane into up to 64 plots with cells, slots and boxes of their own. A pass goes over them one
/// after the other, or by several threads at once: what comes of it is the same, for a plot knows beforehand how many slots it may need.
/// So a few slots between plots, sixteen or more, stay empty.
///
/// **Packs and hulls.** What questions see is only packs and hulls, and those are taken from the boxes themselves: order and cells
/// decide about speed, never about answers. Between `update` and `maintain` hulls are widened and nothing else is done.
///
/// **Pairs.** Two packs meet if their hulls do. Of each of the two, the boxes that touch the hull of the other are found with sixteen
/// comparisons at once; those of the pack with fewer are then compared with the other pack, one box against sixteen at once. Work is done in stages of
/// dozens of packs, each writing a list for the next, because lists are written without a branch, and a branch that is guessed wrong
/// costs as much as four such comparisons.
///
/// Measured beside its siblings, by operation and scene: [which structure for me?](https://github.com/quadrille-rs/quadrille/blob/main/docs/choosing.md)
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
pub struct FrameTree<S = f32> {
    plots: Plots<S>,
    /// Ids by slot: the slots of all plots in their order, then a tail of what is in no cell yet.
    ///
    /// ```text
    /// 0 ‖ id        in its cell
    /// 1 ‖ id        a stray: in a slot of the cell that it has left, or in the tail
    /// 111…1 (NONE)  removed, or between two plots
    /// ```
    order: Vec<u32>,
    /// How many slots belong to plots or lie between them.
    settled: usize,
    #[cfg_attr(feature = "serde", serde(skip))]
    columns: Columns<S>,
    /// The first slot of each pack, and behind the last one the number of slots. A slot between plots is in no pack, or is the last of one.
    packs: Vec<u32>,
    #[cfg_attr(feature = "serde", serde(with = "hulls::as_boxes"))]
    hulls: Hulls<S>,
    /// Strays, at the beginning of a pass.
    #[cfg_attr(feature = "serde", serde(skip))]
    coming: Vec<Coming>,
    /// Those that are found to have gone too far to linger, during a pass.
    #[cfg_attr(feature = "serde", serde(skip))]
    runaways: Vec<Coming>,
    /// Slots by id, if boxes are numbered.
    #[cfg_attr(feature = "serde", serde(skip))]
    slots: Vec<u32>,
    /// They are once a single box has been updated or removed, until the next pass.
    is_numbered: bool,
    /// What counts as one unit along each axis when it comes to dividing cells, and as near when it comes to leaving them.
    scale: Scale<S>,
}

/// The mark of a slot whose box belongs elsewhere.
const STRAY: u32 = 1 << 31;

/// The id in a slot that is in use.
#[inline(always)]
const fn id_of(entry: u32) -> u32 {
    entry & !STRAY
}

/// A box on its way to another cell: the number of that cell, counted through all plots, and the id, in one number that is sorted without a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Coming(u64);

impl Coming {
    /// Behind all others, in no cell.
    const LAST: Self = Self(u64::MAX);

    fn new(cell: u32, id: u32) -> Self {
        Self(u64::from(cell) << 32 | u64::from(id))
    }

    #[inline(always)]
    fn cell(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the lower half is meant")]
    fn id(self) -> u32 {
        self.0 as u32
    }
}

/// Lengths that follow the boxes.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Scale<S> {
    /// The middle width and height of boxes, never zero.
    size: [f64; 2],
    /// How far out of its cell a box may linger: the middle size or the mean distance of boxes, whichever is greater.
    near: [S; 2],
    /// For how many boxes this was measured.
    boxes: usize,
    /// Passes until it is measured again.
    passes: u32,
}

/// The scale is measured anew once in this many passes: measuring costs as much as passing over a thousand boxes, and sizes
/// change slowly.
const PASSES: u32 = 64;

impl<S: Scalar> Scale<S> {
    fn of(boxes: &Boxes<S>) -> Self {
        let fit = Fit::of(boxes);
        let least = f64::max(fit.size[0], fit.size[1]) / 1e9;
        let size = fit.size.map(|size| size.max(if least > 0.0 { least } else { 1.0 }));
        let rows = root(boxes.len());
        let near =
            [0, 1].map(|axis| S::from_f64(((fit.world[1][axis] - fit.world[0][axis]) / rows).max(fit.size[axis])));
        Self { size, near, boxes: boxes.len(), passes: PASSES }
    }

    fn validate(&self) -> Result<(), Corruption> {
        let is_length = self.size.iter().all(|size| *size > 0.0) && self.near.iter().all(|near| *near >= S::ZERO);
        Corruption::unless(is_length && (1..=PASSES).contains(&self.passes), || alloc::format!("{self:?} is no scale"))
    }
}

/// A power of two near the square root: there is no root without the standard library, and this need not be exact.
fn root(n: usize) -> f64 {
    f64::from(1_u32 << (n.max(1).ilog2() / 2))
}

/// Behind this many slots plus a quarter of the settled ones, an insertion does a pass itself: so the tail stays a small part of
/// all and a box inserted costs a constant number of passes over a box.
const TAIL: usize = 64;

impl<S: Scalar> FrameTree<S> {
    /// The first slot of a pack and how many it has; the last pack of a plot takes in empty ones from behind it.
    #[inline(always)]
    fn pack(&self, pack: usize) -> (u32, usize) {
        let &[first, end] = self.packs[pack..].first_chunk().expect("behind the last pack there is an end");
        (first, (end - first).min(LANES as u32) as usize)
    }

    /// The ids in the lanes of a mask.
    #[inline]
    fn ids(&self, first: u32, mut mask: u32) -> impl Iterator<Item = (u32, u32)> {
        core::iter::from_fn(move || {
            let slot = first + mask.trailing_zeros();
            let entry = (mask != 0).then(|| self.order[slot as usize])?;
            mask &= mask - 1;
            Some((slot, entry))
        })
        .filter(|&(_, entry)| entry != NONE)
        .map(|(slot, entry)| (slot, id_of(entry)))
    }

    /// Every slot in use with its id.
    fn listed(&self) -> impl Iterator<Item = (usize, u32)> {
        self.order.iter().enumerate().filter(|&(_, &entry)| entry != NONE).map(|(slot, &entry)| (slot, id_of(entry)))
    }

    /// The slot of an id. Numbers all boxes if that has not been done since the last pass.
    fn slot(&mut self, boxes: &Boxes<S>, id: u32) -> u32 {
        if !self.is_numbered {
            self.number(boxes);
        }
        self.slots[id as usize]
    }

    #[expect(clippy::cast_possible_truncation, reason = "slots are fewer than 2^31")]
    fn number(&mut self, boxes: &Boxes<S>) {
        let mut slots = core::mem::take(&mut self.slots);
        slots.resize(boxes.places(), NONE);
        for (slot, id) in self.listed() {
            if let Some(place) = slots.get_mut(id as usize) {
                *place = slot as u32;
            }
        }
        (self.slots, self.is_numbered) = (slots, true);
    }

    fn forget_numbers(&mut self) {
        self.slots.clear();
        self.is_numbered = false;
    }

    /// The union of the layers of the boxes in a pack.
    fn listed_layers(&self, boxes: &Boxes<S>, pack: usize) -> Layers {
        let (first, count) = self.pack(pack);
        let listed = self.ids(first, kernel::lowest(count));
        listed.fold(Layers::NONE, |union, (_, id)| union.union(boxes.layers(id)))
    }

    /// Brings the unions of layers down to what is there.
    fn tighten_layers(&mut self, boxes: &Boxes<S>) {
        let mut hulls = core::mem::take(&mut self.hulls);
        hulls.unite(boxes.has_layers(), |pack| self.listed_layers(boxes, pack));
        self.hulls = hulls;
    }

    /// Adds a box to the tail: to the last pack if that is in the tail and has room, else to a new one.
    #[expect(clippy::cast_possible_truncation, reason = "slots are fewer than 2^31")]
    fn append(&mut self, boxes: &Boxes<S>, id: u32) {
        let bounds = boxes.at(id);
        let slot = self.order.len() as u32;
        self.order.push(id | STRAY);
        self.columns.reserve_one(slot as usize);
        self.columns.set(slot, bounds);
        let last = self.packs.len().wrapping_sub(2);
        let has_room = self
            .packs
            .get(last)
            .is_some_and(|&first| first as usize >= self.settled && ((slot - first) as usize) < LANES);
        if has_room {
            self.packs[last + 1] = slot + 1;
            self.hulls.widen(last, bounds);
            self.hulls.widen_layers(last, boxes.layers(id));
        } else {
            if self.packs.is_empty() {
                self.packs.push(0);
            }
            self.packs.push(slot + 1);
            if self.hulls.append(bounds, boxes.layers(id)) {
                self.tighten_layers(boxes);
            }
        }
    }
}

impl<S: Scalar> Structure for FrameTree<S> {
    const NAME: &'static str = "frame-tree";
    type Scalar = S;
    type Options = ();

    fn new((): ()) -> Result<Self, Error> {
        Ok(Self {
            plots: Plots::new(),
            order: Vec::new(),
            settled: 0,
            columns: Columns::new(),
            packs: Vec::new(),
            hulls: Hulls::new(),
            coming: Vec::new(),
            runaways: Vec::new(),
            slots: Vec::new(),
            is_numbered: false,
            scale: Scale::of(&Boxes::new()),
        })
    }

    fn options(&self) {}

    /// A pass over a single cell that holds all boxes.
    fn build(&mut self, boxes: &Boxes<S>) {
        self.clear();
        self.scale = Scale::of(boxes);
        self.order.reserve_exact(boxes.len());
        self.order.extend(boxes.iter().map(|(id, _)| id));
        self.settled = self.order.len();
        self.plots.clear(self.settled);
        self.pass(boxes, &Alone);
        self.plots.divide();
    }

    fn fits(&self, boxes: &Boxes<S>) -> bool {
        boxes.len() / 4 <= self.scale.boxes.max(LANES)
    }

    fn insert(&mut self, boxes: &Boxes<S>, id: u32) {
        if self.is_numbered {
            self.slots.resize(boxes.places(), NONE);
            self.slots[id as usize] = u32::try_from(self.order.len()).expect("slots are fewer than 2^31");
        }
        self.append(boxes, id);
        if self.order.len() - self.settled > self.settled / 4 + TAIL {
            self.maintain(boxes);
        }
    }

    fn remove(&mut self, boxes: &Boxes<S>, id: u32) {
        let slot = self.slot(boxes, id);
        self.order[slot as usize] = NONE;
        self.slots[id as usize] = NONE;
        self.columns.set(slot, &Aabb::EMPTY);
    }

    fn update(&mut self, boxes: &Boxes<S>, id: u32, _old: Aabb<S>) {
        let slot = self.slot(boxes, id);
        let pack = self.packs.partition_point(|&first| first <= slot) - 1;
        self.columns.set(slot, boxes.at(id));
        self.hulls.widen(pack, boxes.at(id));
    }

    /// Nothing to do: `maintain` fetches every box anyway.
    fn update_all(&mut self, boxes: &mut Boxes<S>, now: &[Aabb<S>], crew: &impl Crew) {
        boxes.set_first(now, crew);
    }

    fn clear(&mut self) {
        self.plots.clear(0);
        self.order.clear();
        self.settled = 0;
        self.packs.clear();
        self.hulls.clear();
        self.forget_numbers();
    }

    fn reserve(&mut self, additional: usize) {
        self.order.reserve(additional);
        self.columns.reserve(self.order.len() + additional);
    }

    fn maintain(&mut self, boxes: &Boxes<S>) {
        self.maintain_with(boxes, &Alone);
    }

    fn maintain_with(&mut self, boxes: &Boxes<S>, crew: &impl Crew) {
        self.scale.passes -= 1;
        if self.scale.passes == 0 {
            self.scale = Scale::of(boxes);
        }
        self.pass(boxes, crew);
    }

    fn restore(&mut self, boxes: &Boxes<S>) {
        self.columns.reserve(self.order.len());
        for (slot, &entry) in (0..).zip(&self.order) {
            self.columns.set(slot, &boxes.get(id_of(entry)).unwrap_or(Aabb::EMPTY));
        }
        if self.is_numbered {
            self.number(boxes);
        }
        if self.validate_packs().is_ok() && self.listed().all(|(_, id)| (id as usize) < boxes.places()) {
            self.tighten_layers(boxes);
        }
    }

    fn search<Q: Question<S>>(&self, boxes: &Boxes<S>, question: Q) -> impl Iterator<Item = u32> {
        let bounds = question.bounds();
        self.hulls.packs(question.clone()).flat_map(move |pack| {
            let question = question.clone();
            let (first, count) = self.pack(pack);
            let mask = kernel::touching(&self.columns.lanes(first), &bounds) & kernel::lowest(count);
            let accepted =
                move |&(slot, id): &(u32, u32)| question.accepts(id, &self.columns.get(slot), boxes.layers(id));
            self.ids(first, mask).filter(accepted).map(|(_, id)| id)
        })
    }

    fn search_pairs(&self, boxes: &Boxes<S>, part: Part) -> impl Iterator<Item = (u32, u32)> {
        Pairs::of(self, boxes, part.range(self.hulls.groups()))
    }

    fn visit_pairs<B>(
        &self,
        boxes: &Boxes<S>,
        part: Part,
        visit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        Pairs::of(self, boxes, part.range(self.hulls.groups())).visit(visit)
    }

    /// Hulls of hulls from the top down, level by level, then those of packs.
    fn visit_lists<B>(
        &self,
        _boxes: &Boxes<S>,
        mut visit: impl FnMut(Node<S>, &mut dyn Iterator<Item = u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        (0..).zip((0..self.hulls.height()).rev()).try_for_each(|(depth, level)| {
            self.hulls.level(level).enumerate().filter(|(_, hull)| hull.is_ordered()).try_for_each(|(at, bounds)| {
                if level > 0 {
                    let node = Node { bounds, depth, population: 0, kind: NodeKind::Branch };
                    return visit(node, &mut core::iter::empty());
                }
                let (first, count) = self.pack(at);
                let listed = || self.ids(first, kernel::lowest(count)).map(|(_, id)| id);
                let node = Node { bounds, depth, population: listed().count(), kind: NodeKind::Hull };
                visit(node, &mut listed())
            })
        })
    }

    fn stats(&self, boxes: &Boxes<S>) -> Stats {
        let packs = self.packs.len().saturating_sub(1);
        let mut stats =
            Stats { leaves: packs, nodes: packs + self.hulls.nodes(), listed: boxes.len(), ..Stats::default() };
        stats.depth = self.hulls.height();
        stats.longest_list = (0..packs).map(|pack| self.pack(pack).1).max().unwrap_or(0);
        [stats.bytes_used, stats.bytes_reserved] = add_bytes([
            self.plots.bytes(),
            bytes_of(&self.order),
            self.columns.bytes(self.order.len()),
            bytes_of(&self.packs),
            self.hulls.bytes(),
            bytes_of(&self.coming),
            bytes_of(&self.runaways),
            bytes_of(&self.slots),
        ]);
        stats
    }

    fn validate(&self, boxes: &Boxes<S>) -> Result<(), Corruption> {
        self.scale.validate()?;
        Corruption::unless(self.settled <= self.order.len(), || alloc::format!("{} slots are settled", self.settled))?;
        self.plots.validate(self.settled)?;
        let mut listed: Vec<u32> = self.listed().map(|(_, id)| id).collect();
        listed.sort_unstable();
        let stored = boxes.iter().map(|(id, _)| id);
        Corruption::unless(stored.eq(listed), || "boxes are lost, or listed more than once".into())?;
        for (slot, id) in self.listed() {
            let copy = self.columns.get(slot as u32);
            Corruption::unless(copy == *boxes.at(id), || alloc::format!("box {id} is copied as {copy:?}"))?;
            let numbered = !self.is_numbered || self.slots[id as usize] as usize == slot;
            Corruption::unless(numbered, || alloc::format!("box {id} is not in slot {}", self.slots[id as usize]))?;
        }
        let mut gaps = self.plots.gaps(self.order.len());
        let is_astray =
            |gap| self.order.get(gap).is_some_and(|gap: &[u32]| gap.iter().all(|&entry| entry & STRAY != 0));
        Corruption::unless(gaps.all(is_astray), || "a box outside the plots is not marked as a stray".into())?;
        self.validate_packs()?;
        self.hulls.validate_layers(boxes.has_layers(), |pack| self.listed_layers(boxes, pack))
    }
}

impl<S: Scalar> FrameTree<S> {
    /// Packs follow each other, no box is between them, and every hull holds what is below it.
    fn validate_packs(&self) -> Result<(), Corruption> {
        let end = self.packs.last().map_or(0, |&end| end as usize);
        Corruption::unless(end == self.order.len(), || alloc::format!("packs end at {end} of {}", self.order.len()))?;
        let is_ascending = self.packs.windows(2).all(|ends| ends[0] < ends[1]);
        Corruption::unless(is_ascending, || "a pack ends before it begins".into())?;
        self.hulls.validate(self.packs.len().saturating_sub(1))?;
        let mut packed = 0;
        for pack in 0..self.packs.len().saturating_sub(1) {
            let (first, count) = self.pack(pack);
            let hull = self.hulls.get(0, pack);
            packed += self.ids(first, kernel::lowest(count)).count();
            let held = self.ids(first, kernel::lowest(count)).all(|(slot, _)| hull.contains(&self.columns.get(slot)));
            Corruption::unless(held, || alloc::format!("a box sticks out of the hull {hull:?} of pack {pack}"))?;
        }
        Corruption::unless(packed == self.listed().count(), || alloc::format!("the packs hold {packed} boxes"))
    }
}
