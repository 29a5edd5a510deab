//! `maintain`: one pass along all cells that brings order, copies and hulls to date.

use alloc::vec::Vec;
use core::mem::take;

use arrayvec::ArrayVec;

use super::cells::{Cell, Leaf, MAX_DEPTH, halves};
use super::columns::{SPILT, Spread, Stretch, take_first};
use super::hulls::Hulls;
use super::plots::{MOST_PLOTS, Plot};
use super::{Coming, FrameTree, STRAY, Scale, id_of};
use crate::crew::{Crew, STRETCH};
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, Kernel, LANES, Task};
use crate::storage::{Boxes, NONE};

/// Room is made for packs of this many boxes. Fewer: memory that is never used.
const FEWEST: usize = 9;

/// A cell with more boxes than a pack has lanes is divided into parts of about this many: room for three more before it has to be
/// divided again. Fewer: more packs to compare. More: more dividing.
const PART: usize = 13;

/// Two cells side by side with at most this many slots together are merged. Fewer: emptier packs, for cells divide in two when they are
/// full and would stay small for long (12 gives 9.5 boxes a pack after 140 frames, 15 gives 10.4). Sixteen: with the next box they divide again.
const MERGED: u32 = 15;

/// Boxes are announced to the cache this many slots before they are fetched: they lie scattered, and a machine looks ahead by itself no
/// farther than ten boxes or so. With 500,000 boxes an update took 26 ns a box without and 14 with; with 100,000 there is
/// hardly a difference (measured 2026-11-20).
const AHEAD: usize = 64;

/// Of the empty slots behind the last plot so many are kept, as there are in snapshots of version 1.
const KEPT: usize = 3;

/// What a plot has to be passed over with.
///
/// The order is rewritten in place: the old entries of the plot are at the end of its slots, behind at least as many slots as there are
/// boxes to come and [`SPILT`] more. Each of these boxes will be entered once; so writing never catches up with reading, even if sixteen
/// entries are written at a time.
struct Job<'a, S> {
    boxes: &'a Boxes<S>,
    scale: &'a Scale<S>,
    plot: &'a mut Plot<S>,
    region: Aabb<S>,
    depth: u8,
    /// The slots of the plot, until the pass is over counted from its first one.
    order: &'a mut [u32],
    columns: Stretch<'a, S>,
    /// The number of the plot's first cell, counted through all plots.
    first_cell: u32,
    /// The boxes that belong to cells of this plot and of later ones from now on, in the order of cells, and behind them [`Coming::LAST`].
    coming: &'a [Coming],
}

/// What comes of a plot, or of several in a row.
struct Laid<S> {
    packs: Vec<u32>,
    hulls: Hulls<S>,
    runaways: Vec<Coming>,
}

impl<S> Default for Laid<S> {
    fn default() -> Self {
        Self { packs: Vec::new(), hulls: Hulls::new(), runaways: Vec::new() }
    }
}

impl<S: Scalar> Laid<S> {
    fn join(&mut self, next: Self) {
        self.packs.extend(next.packs);
        next.hulls.level(0).for_each(|hull| self.hulls.push(&hull));
        self.runaways.extend(next.runaways);
    }
}

impl<S: Scalar> FrameTree<S> {
    /// Passes over all plots.
    pub(super) fn pass(&mut self, boxes: &Boxes<S>, crew: &impl Crew) {
        self.call_strays(boxes, crew);
        let first_cells = self.plots.first_cells();
        let lengths = self.make_room(&first_cells);
        let mut laid =
            Laid { packs: take(&mut self.packs), hulls: take(&mut self.hulls), runaways: take(&mut self.runaways) };
        laid.packs.clear();
        laid.hulls.clear();
        self.forget_numbers();
        let mut jobs = ArrayVec::<_, MOST_PLOTS>::new();
        let (mut order, mut columns, coming) = (&mut self.order[..], self.columns.whole(), &self.coming[..]);
        let (scale, mut first) = (&self.scale, 0);
        self.plots.visit_mut(&mut |plot, region, depth| {
            let length = lengths[jobs.len()];
            plot.first = first;
            first += length;
            let (order, columns) = (take_first(&mut order, length), columns.take(length));
            let first_cell = first_cells[jobs.len()];
            let coming = &coming[coming.partition_point(|one| one.cell() < first_cell)..];
            jobs.push(Job { boxes, scale, plot, region, depth, order, columns, first_cell, coming });
        });
        crew.share(jobs, &mut laid, |job, laid| Pass::new(job, laid).run(), Laid::join);
        Laid { packs: self.packs, hulls: self.hulls, runaways: self.runaways } = laid;
        self.settled = first - (SPILT - KEPT);
        self.order.truncate(self.settled);
        self.coming.clear();
        self.append_runaways(boxes);
        self.packs.push(u32::try_from(self.order.len()).expect("slots are fewer than 2^31"));
        self.hulls.raise();
        if boxes.has_layers() {
            self.tighten_layers(boxes);
        }
    }

    /// Lists all strays by the cells they belong to now.
    fn call_strays(&mut self, boxes: &Boxes<S>, crew: &impl Crew) {
        let plots = &self.plots;
        self.coming.clear();
        crew.share(
            self.order.chunks(STRETCH),
            &mut self.coming,
            |order, coming| {
                let first = coming.len();
                kernel::dispatch(Strays(order, coming));
                plots.locate(boxes, &mut coming[first..]);
            },
            Vec::extend,
        );
        self.coming.sort_unstable();
        self.coming.push(Coming::LAST);
    }

    /// Gives each plot as many slots as it may need and moves what is there to the end of them. Returns how many slots each has.
    fn make_room(&mut self, first_cells: &[u32]) -> ArrayVec<usize, MOST_PLOTS> {
        let mut coming = &self.coming[..];
        let mut lengths = ArrayVec::new();
        // Where the old entries of each plot are, how many, and where they will be.
        let mut moves = ArrayVec::<_, MOST_PLOTS>::new();
        let mut end = 0;
        let end_of_cells = first_cells.iter().skip(1).copied().chain([u32::MAX]);
        for (plot, next) in self.plots.iter_mut().zip(end_of_cells) {
            let here = coming.partition_point(|one| one.cell() < next);
            coming = &coming[here..];
            plot.cells.reserve((plot.slots + here) / FEWEST + 1);
            lengths.push(plot.slots + here + SPILT);
            end += plot.slots + here + SPILT;
            moves.push((plot.first, plot.slots, end - plot.slots));
        }
        self.reserve_for(end);
        self.order.resize(end.max(self.settled), NONE);
        let mut move_to = |&(from, count, to)| self.order.copy_within(from..from + count, to);
        moves.iter().filter(|(from, _, to)| to < from).for_each(&mut move_to);
        moves.iter().rev().filter(|(from, _, to)| to > from).for_each(&mut move_to);
        self.order.truncate(end);
        lengths
    }

    /// Makes room for a pass. Vectors that double when they are full would hold up to twice what is needed; these hold what boxes need
    /// that move at random: packs of eight on average, and one stray among sixteen.
    fn reserve_for(&mut self, slots: usize) {
        let packs = slots / FEWEST + 1;
        if self.order.capacity() < slots {
            self.order.reserve_exact(slots + slots / 16 - self.order.len());
        }
        self.columns.reserve(slots);
        self.packs.reserve_exact((packs + 1).saturating_sub(self.packs.len()));
        self.hulls.reserve(packs);
    }

    /// Packs those that have gone too far to linger behind all others, in the order of the cells they belong to.
    #[expect(clippy::cast_possible_truncation, reason = "slots are fewer than 2^31")]
    fn append_runaways(&mut self, boxes: &Boxes<S>) {
        self.plots.locate(boxes, &mut self.runaways);
        self.runaways.sort_unstable();
        self.columns.reserve(self.order.len() + self.runaways.len());
        for pack in self.runaways.chunks(LANES) {
            let first = self.order.len();
            let mut ids = [NONE; LANES];
            ids.iter_mut().zip(pack).for_each(|(id, runaway)| *id = runaway.id() | STRAY);
            self.order.extend(&ids[..pack.len()]);
            self.packs.push(first as u32);
            let columns = &mut self.columns.whole();
            let spread = kernel::dispatch(Fill { boxes, ids: &ids, columns, slot: first, len: pack.len() });
            self.hulls.push(&spread.hull());
        }
        self.runaways.clear();
    }
}

/// The task of copying boxes: see [`Stretch::fill`].
struct Fill<'a, 's, S> {
    boxes: &'a Boxes<S>,
    ids: &'a [u32],
    columns: &'a mut Stretch<'s, S>,
    slot: usize,
    len: usize,
}

impl<S: Scalar> Task for Fill<'_, '_, S> {
    type Output = Spread<S>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Spread<S> {
        self.columns.fill(kernel, self.boxes, self.slot, self.ids, self.len)
    }
}

/// The task of passing over a plot: see [`Pass::walk`].
struct Walk<'p, 'a, 'l, S>(&'p mut Pass<'a, 'l, S>);

impl<S: Scalar> Task for Walk<'_, '_, '_, S> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        self.0.walk(kernel);
    }
}

/// The task of listing strays.
struct Strays<'a>(&'a [u32], &'a mut Vec<Coming>);

impl Task for Strays<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self(order, coming) = self;
        for chunk in order.chunks(LANES) {
            let mut ids = [NONE; LANES];
            ids[..chunk.len()].copy_from_slice(chunk);
            let mut marks = kernel.marks(&ids) & kernel::lowest(chunk.len());
            while marks != 0 {
                let entry = chunk[marks.trailing_zeros() as usize];
                marks &= marks - 1;
                if entry != NONE {
                    coming.push(Coming::new(0, id_of(entry)));
                }
            }
        }
    }
}

/// A line above the cell at hand.
struct Line<S> {
    node: u32,
    /// The second of the two nodes beside it, and the region of that.
    second: u32,
    region: Aabb<S>,
    /// How many slots are on the first side, once that has been done.
    slots: Option<u32>,
}

/// A pass over a plot under way.
struct Pass<'a, 'l, S> {
    job: Job<'a, S>,
    laid: &'l mut Laid<S>,
    /// Where the old order is read next.
    read: usize,
    /// Where the new one is written next.
    written: usize,
    /// How many of the boxes to come have been entered.
    entered: usize,
    /// How many cells have been numbered.
    cells: u32,
    /// The lower corner of the cell before.
    last: [S; 2],
}

impl<'a, 'l, S: Scalar> Pass<'a, 'l, S> {
    fn new(job: Job<'a, S>, laid: &'l mut Laid<S>) -> Self {
        let (read, last) = (job.order.len() - job.plot.slots, job.region.min);
        Self { job, laid, read, written: 0, entered: 0, cells: 0, last }
    }

    fn run(mut self) {
        kernel::dispatch(Walk(&mut self));
        self.job.plot.slots = self.written;
        self.job.order[self.written..].fill(NONE);
        self.job.columns.vacate(self.written);
    }

    /// Does all cells of the plot.
    ///
    /// Down to the first cell that is not divided, and up from there until there is another side to go down to: a recursion by hand, so that all of
    /// it is compiled for the machine at hand.
    #[inline(always)]
    fn walk<K: Kernel>(&mut self, kernel: K) {
        let mut lines = ArrayVec::<Line<S>, { MAX_DEPTH as usize }>::new();
        let (mut node, mut region) = (0, self.job.region);
        loop {
            let leaf = loop {
                match self.job.plot.cells.get(node) {
                    Cell::Leaf(leaf) => break leaf,
                    Cell::Branch(branch) => {
                        let [first, second] = halves(&region, &branch);
                        lines.push(Line { node, second: branch.first + 1, region: second, slots: None });
                        (node, region) = (branch.first, first);
                    }
                }
            };
            let mut slots = self.pass_cell(kernel, node, leaf, &region, lines.len());
            loop {
                let Some(line) = lines.last_mut() else { return };
                let Some(in_first) = line.slots else {
                    line.slots = Some(slots);
                    (node, region) = (line.second, line.region);
                    break;
                };
                slots = self.merge(line.node, in_first + slots);
                lines.pop();
            }
        }
    }

    /// Does a cell. Returns how many slots it owns now, or more than [`MERGED`] if it has been divided.
    #[inline(always)]
    fn pass_cell<K: Kernel>(&mut self, kernel: K, node: u32, leaf: Leaf, region: &Aabb<S>, lines: usize) -> u32 {
        let (mut len, mut spread) = self.enter(kernel, leaf);
        if len > 0 && !region.contains(&Aabb::new(spread.low(), spread.high())) {
            let entered = len;
            len = self.dismiss(kernel, entered, region);
            if len < entered {
                spread = self.fill(len);
            }
        }
        if len > LANES {
            self.settle_many(node, len, &spread, self.job.depth + lines as u8)
        } else {
            self.settle(node, len, &spread)
        }
    }

    /// Makes a cell of what was divided by a line if there is little on both sides together. Returns how many slots these are.
    #[inline(always)]
    fn merge(&mut self, node: u32, slots: u32) -> u32 {
        if slots <= MERGED {
            self.cells -= 1;
            self.job.plot.cells.merge(node, Leaf { slots, number: self.cells - 1 });
        }
        slots
    }

    /// Enters and copies the boxes of a cell: those that were there already and those that come. Returns how many.
    #[inline(always)]
    fn enter<K: Kernel>(&mut self, kernel: K, leaf: Leaf) -> (usize, Spread<S>) {
        self.look_ahead();
        let mut end = self.written + self.keep(kernel, leaf.slots as usize);
        let cell = self.job.first_cell + leaf.number;
        loop {
            // Written in any case, for whether a box comes cannot be guessed; that one more comes is rare.
            let coming = self.job.coming[self.entered];
            self.job.order[end] = coming.id();
            end += usize::from(coming.cell() == cell);
            self.entered += usize::from(coming.cell() == cell);
            if self.job.coming[self.entered].cell() != cell {
                break;
            }
        }
        let Job { boxes, order, columns, .. } = &mut self.job;
        let len = end - self.written;
        (len, columns.fill(kernel, boxes, self.written, &order[self.written..], len))
    }

    /// Announces boxes that will be entered soon.
    #[inline(always)]
    fn look_ahead(&self) {
        if let Some(soon) = self.job.order.get(self.read + AHEAD..).and_then(|rest| rest.first_chunk::<LANES>()) {
            soon.iter().for_each(|&entry| self.job.boxes.prefetch(id_of(entry)));
        }
    }

    /// Enters those of a cell that are not strays. Returns how many.
    #[inline(always)]
    fn keep<K: Kernel>(&mut self, kernel: K, slots: usize) -> usize {
        let (order, from) = (&mut self.job.order[..], self.read);
        self.read += slots;
        if let Some(&entries) = order[from..].first_chunk().filter(|_| slots <= LANES) {
            let strays = kernel.marks(&entries) & kernel::lowest(slots);
            let kept: &mut [u32; LANES] = (&mut order[self.written..self.written + LANES]).try_into().expect("sixteen");
            if strays == 0 {
                *kept = entries;
            } else {
                kernel.select(&entries, kernel::lowest(slots) & !strays, kept);
            }
            return slots - strays.count_ones() as usize;
        }
        let mut end = self.written;
        for read in from..from + slots {
            let entry = order[read];
            order[end] = entry;
            end += usize::from(entry & STRAY == 0);
        }
        end - self.written
    }

    /// Copies the boxes that have been entered.
    fn fill(&mut self, len: usize) -> Spread<S> {
        let Job { boxes, order, columns, .. } = &mut self.job;
        kernel::dispatch(Fill { boxes, ids: &order[self.written..], columns, slot: self.written, len })
    }

    /// Marks or takes out those of `len` boxes that are no longer in their cell. Returns how many are left, marked ones included.
    #[inline(always)]
    fn dismiss<K: Kernel>(&mut self, kernel: K, len: usize, region: &Aabb<S>) -> usize {
        let margin = self.job.scale.near;
        let near = Aabb::new(
            [region.min[0].minus(margin[0]), region.min[1].minus(margin[1])],
            [region.max[0].plus(margin[0]), region.max[1].plus(margin[1])],
        );
        for first in (self.written..self.written + len).step_by(LANES) {
            let corners = self.job.columns.corners(first);
            let there = kernel::lowest((self.written + len - first).min(LANES));
            if !kernel.touching(&corners, &near) & there != 0 {
                return self.let_run(len, region, &near);
            }
            let mut out = !kernel.touching(&corners, region) & there;
            while out != 0 {
                self.job.order[first + out.trailing_zeros() as usize] |= STRAY;
                out &= out - 1;
            }
        }
        len
    }

    /// The same if there are some that have gone too far to linger.
    #[cold]
    fn let_run(&mut self, len: usize, region: &Aabb<S>, near: &Aabb<S>) -> usize {
        let mut end = self.written;
        for slot in self.written..self.written + len {
            let id = id_of(self.job.order[slot]);
            let corner = self.job.boxes.at(id).min;
            if near.contains_point(corner) {
                self.job.order[end] = if region.contains_point(corner) { id } else { id | STRAY };
                end += 1;
            } else {
                self.laid.runaways.push(Coming::new(0, id));
            }
        }
        end - self.written
    }

    /// Adds a pack that begins at a slot of the plot.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "slots are fewer than 2^31")]
    fn lay(&mut self, slot: usize, spread: &Spread<S>) {
        self.laid.packs.push((self.job.plot.first + slot) as u32);
        self.laid.hulls.push(&spread.hull());
    }

    /// Makes the boxes that have been entered, no more than a pack holds, a cell. Returns how many they are.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "slots are fewer than 2^31")]
    fn settle(&mut self, node: u32, len: usize, spread: &Spread<S>) -> u32 {
        self.job.plot.cells.set_leaf(node, Leaf { slots: len as u32, number: self.cells });
        self.cells += 1;
        if len > 0 {
            self.lay(self.written, spread);
            self.last = spread.low();
        }
        self.written += len;
        len as u32
    }

    /// Divides the boxes that have been entered, more than a pack holds, or packs them if they cannot be divided. Returns how many they
    /// are: too many to be merged with others.
    #[cold]
    #[expect(clippy::cast_possible_truncation, reason = "slots are fewer than 2^31")]
    fn settle_many(&mut self, node: u32, len: usize, spread: &Spread<S>, depth: u8) -> u32 {
        match self.line(len, spread).filter(|_| depth < MAX_DEPTH) {
            Some((axis, split)) => self.divide(node, len, axis, split, depth),
            None => {
                self.job.plot.cells.set_leaf(node, Leaf { slots: len as u32, number: self.cells });
                self.cells += 1;
                self.pack_crowd(len);
                self.last = spread.low();
                self.written += len;
            }
        }
        len as u32
    }

    /// Packs a cell of more boxes than fit in a pack and than can be divided.
    fn pack_crowd(&mut self, len: usize) {
        for first in (self.written..self.written + len).step_by(LANES) {
            let len = (self.written + len - first).min(LANES);
            let Job { boxes, order, columns, .. } = &mut self.job;
            let spread = kernel::dispatch(Fill { boxes, ids: &order[first..], columns, slot: first, len });
            self.lay(first, &spread);
        }
    }

    /// The line that divides the boxes that have been entered best, or `None` if their lower corners coincide.
    ///
    /// Across the axis along which they spread more, in units of their own size, so that the parts get the shape of the boxes; and at the
    /// median, or rather at the multiple of a part next to it: halving until at most sixteen are left would leave eight or fifteen
    /// in all packs alike, depending on how many boxes there are.
    fn line(&mut self, len: usize, spread: &Spread<S>) -> Option<(usize, S)> {
        let [wide, high] =
            [0, 1].map(|axis| (spread.high()[axis].to_f64() - spread.low()[axis].to_f64()) / self.job.scale.size[axis]);
        if wide == 0.0 && high == 0.0 {
            return None;
        }
        let axis = usize::from(high > wide);
        let boxes = self.job.boxes;
        let corner = |&entry: &u32| boxes.at(id_of(entry)).min[axis];
        let by_corner = |a: &u32, b: &u32| {
            let by_corner = corner(a).partial_cmp(&corner(b)).expect("boxes are finite");
            by_corner.then(id_of(*a).cmp(&id_of(*b)))
        };
        let ids = &mut self.job.order[self.written..self.written + len];
        let parts = len.div_ceil(PART);
        let (_, median, _) = ids.select_nth_unstable_by(len * (parts / 2) / parts, by_corner);
        let (median, lowest, highest) = (corner(median), spread.low()[axis], spread.high()[axis]);
        // Something must be below the line and something not: the lowest corner cannot be the first above it.
        let first_above = if median > lowest {
            median
        } else {
            ids.iter().map(corner).filter(|&corner| corner > lowest).fold(highest, S::lesser)
        };
        let last_below = ids.iter().map(corner).filter(|&corner| corner < first_above).fold(lowest, S::greater);
        // Half way, so that no box stands on the line and leaves its cell with its first step.
        let between = last_below.midpoint(first_above);
        Some((axis, if between > last_below { between } else { first_above }))
    }

    /// Divides the boxes that have been entered by a line, and settles both sides: first the one nearer to the cell before.
    fn divide(&mut self, node: u32, len: usize, axis: usize, split: S, depth: u8) {
        let upper_first = self.last[axis] >= split;
        let ids = &mut self.job.order[self.written..self.written + len];
        let mut first = 0;
        for at in 0..len {
            if (self.job.boxes.at(id_of(ids[at])).min[axis] >= split) == upper_first {
                ids.swap(at, first);
                first += 1;
            }
        }
        let branch = self.job.plot.cells.divide(node, axis, split, upper_first);
        for (node, len) in [(branch.first, first), (branch.first + 1, len - first)] {
            let spread = self.fill(len);
            if len > LANES {
                self.settle_many(node, len, &spread, depth + 1);
            } else {
                self.settle(node, len, &spread);
            }
        }
    }
}
