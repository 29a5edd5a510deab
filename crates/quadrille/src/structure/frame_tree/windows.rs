//! Sorting a part in each frame, so that none of them takes much longer than the others.
//!
//! A sort takes as long as a frame or two. So where boxes drift, one frame in twenty would be late, and all pairs would
//! come in another order at once. Instead, the sorted packs are divided into *windows*, and each frame sorts the next
//! one. A sweep over all of them takes as many frames as boxes took to drift apart: what moves fast is sorted in few
//! windows, or at once.
//!
//! ```text
//! sorted    fresh     now        stale                        tail
//! ════════╪═════════╪══════════╪══════════╪═══════════════╪═══════
//!                   └ reached  └ where the next one begins
//! ```
//!
//! A window gets the boxes whose places on the curve are between the end of the window before it and the beginning of
//! the next one. Others have left it: they wait in the tail, which is one sorted run, until it is the turn of their own
//! window. Those that left backward wait for the next sweep. Where all drift, one box in two hundred is on its way.
//!
//! A window has no more slots than before. Boxes that find no room go on to the next one, and the last one takes them
//! all. Windows that boxes have left have holes at their end.

use core::ops::Range;

use super::order::curve::Grid;
use super::order::degradation::{PATIENCE, SORTING};
use super::refit::Packs;
use super::sweep::{Sweep, WINDOWS};
use super::tree::{FrameTree, LayersRead};
use crate::executor::Serial;
use crate::geometry::Scalar;
use crate::kernel::LANES;
use crate::storage::Boxes;

/// The fewest packs of a window. Fewer: small sets are sorted in parts, each of which takes no time worth saving.
const PACKS: usize = 32;

/// The tail may have a box for this many sorted ones. More: everything is sorted at once sooner.
const TAIL: usize = 8;

impl<S: Scalar> FrameTree<S> {
    /// In how many windows all boxes would be sorted now; one where they cannot be sorted in parts.
    fn windows(&self, boxes: &Boxes<S>) -> usize {
        let (sorted, all) = (self.sorted_packs(), self.order.len() / LANES);
        let can_be_parted = !boxes.has_layers()
            && self.places.is_empty()
            && self.still.groups().is_empty()
            && self.grid.is_some()
            && all - sorted <= sorted / TAIL;
        if can_be_parted { (self.sweep.age as usize).min(sorted / PACKS).clamp(1, WINDOWS) } else { 1 }
    }

    /// The degradation at which everything is sorted at once.
    pub(super) fn limit(&self, boxes: &Boxes<S>) -> f64 {
        if self.windows(boxes) > 1 { PATIENCE } else { SORTING }
    }

    fn sorted_packs(&self) -> usize {
        self.degradation.sorted().min(self.used / LANES)
    }

    /// Sorts the next window if boxes have drifted apart, or if a sweep has begun. Hulls are those of before.
    pub(super) fn sweep(&mut self, boxes: &Boxes<S>) -> Packs {
        let windows = self.windows(boxes);
        let Some(grid) = self.grid.filter(|_| windows > 1) else {
            (self.sweep.windows, self.sweep.done) = (0, 0);
            return Packs::Same;
        };
        if self.sweep.done == self.sweep.windows {
            if !self.degradation.pays_for_sweeping() {
                return Packs::Same;
            }
            (self.sweep.windows, self.sweep.done, self.sweep.reached) = (windows, 0, 0);
        }
        let packs = self.sort_window(&grid, boxes);
        self.sweep.done += 1;
        if self.sweep.done == self.sweep.windows {
            self.sweep.age = 0;
            self.degradation.begin_again();
        }
        if self.is_fit {
            self.refit_window(boxes, packs);
            return Packs::Same;
        }
        Packs::Window { first: packs.start, end: packs.end }
    }

    /// Sorts a window, and then the tail. Returns the packs of the window.
    fn sort_window(&mut self, grid: &Grid, boxes: &Boxes<S>) -> Range<usize> {
        let (sorted, Sweep { windows, done, reached, .. }) = (self.sorted_packs(), self.sweep);
        let [from, mut to] = [done, done + 1].map(|at| at * sorted / windows);
        let (slots, mut tail) = (from * LANES..to * LANES, sorted * LANES);
        if done + 1 == windows {
            tail = self.curve.sort_last_window(grid, boxes, &mut self.order, (slots.start, reached));
            to = tail / LANES;
        } else {
            let places = reached..grid.beginning(boxes, &self.order[slots.end..tail]).max(reached);
            self.sweep.reached = self.curve.sort_window(grid, boxes, &mut self.order, (slots, places), tail);
        }
        self.degradation.keep_sorted(tail / LANES);
        self.layers = LayersRead::No;
        self.used = self.order.len();
        (self.holes, self.sweep.waiting) = (self.used - boxes.len(), self.used.saturating_sub(tail));
        self.make_whole(&Serial);
        let tail = tail.min(self.order.len())..self.order.len();
        self.curve.sort_run(boxes, self.degradation.size(), &mut self.order[tail.clone()]);
        for slots in [from * LANES..to * LANES, tail] {
            self.least_ids.read(&self.order, slots.clone());
            if self.is_numbered {
                self.number_again(slots);
            }
        }
        from..to
    }

    /// Copies the boxes of a window and of the tail to their slots, and computes the hulls above them.
    fn refit_window(&mut self, boxes: &Boxes<S>, window: Range<usize>) {
        let tail = self.degradation.sorted()..self.levels.packs();
        self.refit_some(boxes, window.clone());
        self.refit_some(boxes, tail);
        self.levels.trim();
        self.levels.raise();
        self.degradation.renew(window, &self.levels);
    }
}
