//! Cells by plots, so that several threads can pass over them at once.

use alloc::vec::Vec;
use core::ops::Range;

use arrayvec::ArrayVec;

use super::Coming;
use super::cells::{Branch, Cell, Cells, Leaf, halves};
use crate::error::Corruption;
use crate::geometry::{Aabb, Scalar};
use crate::storage::{Boxes, add_bytes, bytes_of};

/// At most this many lines lie above a plot, so there are at most 64. More: threads wait less for each other. Fewer: less to begin and
/// to end, and fewer slots that stay empty between plots.
const LINES: u8 = 6;

/// The most plots there are.
pub(super) const MOST_PLOTS: usize = 1 << LINES;

/// Fewer slots are not divided into plots: to hand work to another thread takes as long as to pass over some hundred boxes.
const SLOTS: usize = 1024;

/// Boxes located at the same time. Fewer: more waiting. More: there is nothing left to wait for.
const ABREAST: usize = 8;

/// Cells that one thread passes over.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Plot<S> {
    pub(super) cells: Cells<S>,
    /// The first slot of the first cell.
    pub(super) first: usize,
    /// How many slots the cells own, one after the other.
    pub(super) slots: usize,
}

/// All cells: a few lines, and what lies between these. Drawn when the tree is built, when the plots are alike; from then on each lives for itself.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Plots<S> {
    /// A tree of lines whose leaves stand for plots: they have the plot's number, and no slots of their own.
    lines: Cells<S>,
    plots: Vec<Plot<S>>,
}

impl<S: Scalar> Plots<S> {
    /// One plot of a single cell.
    pub(super) fn new() -> Self {
        let mut plots = Self { lines: Cells::new(), plots: Vec::new() };
        plots.clear(0);
        plots
    }

    /// One plot of a single cell with the first `slots` slots.
    #[expect(clippy::cast_possible_truncation, reason = "slots are fewer than 2^31")]
    pub(super) fn clear(&mut self, slots: usize) {
        self.lines.clear();
        let mut only = self.plots.drain(..).next().map_or_else(Cells::new, |plot| plot.cells);
        only.clear();
        only.set_leaf(0, Leaf { slots: slots as u32, number: 0 });
        self.plots.push(Plot { cells: only, first: 0, slots });
    }

    /// Divides a single plot by the uppermost lines of its cells.
    pub(super) fn divide(&mut self) {
        let Some(Plot { cells, slots, .. }) = self.plots.pop() else { return };
        let lines = (slots / SLOTS).checked_ilog2().map_or(0, |lines| lines.min(LINES.into()));
        self.cut(&cells, 0, 0, lines);
        let mut first = 0;
        for plot in &mut self.plots {
            plot.first = first;
            first += plot.slots;
        }
    }

    /// Makes plots of what is below a node, and the lines that divide them what is below node `at` of `self.lines`.
    #[expect(clippy::cast_possible_truncation, reason = "plots are few")]
    fn cut(&mut self, cells: &Cells<S>, node: u32, at: u32, lines: u32) {
        match cells.get(node) {
            Cell::Branch(Branch { axis, split, upper_first, first }) if lines > 0 => {
                let branch = self.lines.divide(at, axis, split, upper_first);
                self.cut(cells, first, branch.first, lines - 1);
                self.cut(cells, first + 1, branch.first + 1, lines - 1);
            }
            _ => {
                self.lines.set_leaf(at, Leaf { slots: 0, number: self.plots.len() as u32 });
                let (cells, slots) = cells.subtree(node);
                self.plots.push(Plot { cells, first: 0, slots });
            }
        }
    }

    /// The number of the first cell of each plot: cells are numbered from plot to plot.
    pub(super) fn first_cells(&self) -> ArrayVec<u32, MOST_PLOTS> {
        let mut end = 0;
        let first_cell = |plot: &Plot<S>| {
            end += plot.cells.leaves();
            end - plot.cells.leaves()
        };
        self.plots.iter().map(first_cell).collect()
    }

    /// Notes the cells that boxes are in. Several go down step by step together, for each step waits for memory.
    pub(super) fn locate(&self, boxes: &Boxes<S>, coming: &mut [Coming]) {
        let first_cells = self.first_cells();
        for abreast in coming.chunks_mut(ABREAST) {
            let mut points = [[S::ZERO; 2]; ABREAST];
            points.iter_mut().zip(&*abreast).for_each(|(point, coming)| *point = boxes.at(coming.id()).min);
            let lines = descend(&points, [&self.lines; ABREAST]);
            let plots = lines.map(|leaf| self.lines.number(leaf));
            let cells = plots.map(|plot| &self.plots[plot as usize].cells);
            let leaves = descend(&points, cells);
            for (lane, coming) in abreast.iter_mut().enumerate() {
                let cell = first_cells[plots[lane] as usize] + cells[lane].number(leaves[lane]);
                *coming = Coming::new(cell, coming.id());
            }
        }
    }

    /// The slots between plots, and those behind the last one up to `end`.
    pub(super) fn gaps(&self, end: usize) -> impl Iterator<Item = Range<usize>> {
        let ends = self.plots.iter().map(|plot| plot.first + plot.slots);
        let firsts = self.plots.iter().map(|plot| plot.first);
        core::iter::once(0).chain(ends).zip(firsts.chain([end])).map(|(from, to)| from..to)
    }

    /// All plots, in the order of their slots.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Plot<S>> {
        self.plots.iter_mut()
    }

    /// Calls `visit` for each plot in order, with its region and the number of lines above it.
    pub(super) fn visit_mut<'a>(&'a mut self, visit: &mut impl FnMut(&'a mut Plot<S>, Aabb<S>, u8)) {
        visit_below(&self.lines, 0, &Aabb::EVERYTHING, 0, &mut self.plots.iter_mut(), visit);
    }

    pub(super) fn bytes(&self) -> [usize; 2] {
        let cells = self.plots.iter().map(|plot| plot.cells.bytes());
        let cells = cells.fold([0; 2], |sum, bytes| add_bytes([sum, bytes]));
        add_bytes([cells, self.lines.bytes(), bytes_of(&self.plots)])
    }

    /// Every plot is below exactly one line, and plots own slots below `settled`, one after the other.
    pub(super) fn validate(&self, settled: usize) -> Result<(), Corruption> {
        let plots = self.lines.validate(0)? as usize;
        Corruption::unless(plots == self.plots.len() && plots <= MOST_PLOTS, || {
            alloc::format!("the lines part {plots} plots, and there are {}", self.plots.len())
        })?;
        let mut end = 0;
        for Plot { cells, first, slots } in &self.plots {
            cells.validate(*slots)?;
            let is_next = *first >= end && *slots <= settled && *first <= settled - slots;
            Corruption::unless(is_next, || alloc::format!("a plot has {slots} slots from {first} on"))?;
            end = first + slots;
        }
        Ok(())
    }
}

/// The leaves that points are in, each in a tree of its own.
#[inline(always)]
fn descend<S: Scalar>(points: &[[S; 2]; ABREAST], trees: [&Cells<S>; ABREAST]) -> [u32; ABREAST] {
    let mut nodes = [0; ABREAST];
    loop {
        let mut are_leaves = true;
        for ((node, tree), point) in nodes.iter_mut().zip(trees).zip(points) {
            let below = tree.toward(*node, point);
            are_leaves &= below == *node;
            *node = below;
        }
        if are_leaves {
            return nodes;
        }
    }
}

fn visit_below<'a, S: Scalar>(
    lines: &Cells<S>,
    node: u32,
    region: &Aabb<S>,
    depth: u8,
    plots: &mut core::slice::IterMut<'a, Plot<S>>,
    visit: &mut impl FnMut(&'a mut Plot<S>, Aabb<S>, u8),
) {
    match lines.get(node) {
        Cell::Leaf(_) => plots.next().into_iter().for_each(|plot| visit(plot, *region, depth)),
        Cell::Branch(branch) => {
            for (node, region) in (branch.first..).zip(halves(region, &branch)) {
                visit_below(lines, node, &region, depth + 1, plots, visit);
            }
        }
    }
}
