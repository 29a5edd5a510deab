//! How boxes enter and leave loose cells, and how loose cells are listed in the tight cells that their hulls cover.

use super::lattices::is_wide;
use super::{LooseCell, LooseGrid};
use crate::geometry::{Aabb, Scalar, Span};
use crate::storage::{BitPyramid, Boxes, Heads, Layers, NONE};

impl<S: Scalar> LooseGrid<S> {
    /// Empties the grid, without memory of the former lattices.
    pub(super) fn reset(&mut self, keeps_layers: bool) {
        self.cells.clear();
        self.cells.resize(self.lattices.loose_cells(), LooseCell::EMPTY);
        self.homes.clear();
        self.tight = Heads::new(self.lattices.tight.everything().hi);
        self.lists.clear();
        self.wide.clear();
        self.slack = BitPyramid::new(self.cells.len());
        self.layers.reset(keeps_layers, self.cells.len());
    }

    /// Gives a loose cell another hull and updates the lists of tight cells that only one of the two hulls covers.
    pub(super) fn set_hull(&mut self, cell: u32, hull: Aabb<S>) {
        let old = core::mem::replace(&mut self.cells[cell as usize].hull, hull);
        let (was, is) = (self.lattices.covered(&old), self.lattices.covered(&hull));
        if was == is {
            return;
        }
        match (is_wide(&was), is_wide(&is)) {
            (false, true) => {
                self.wide.reserve(self.cells.len());
                self.wide.insert(cell);
            }
            (true, false) => {
                self.wide.remove(cell);
            }
            _ => {}
        }
        let listed = |covered: Span| if is_wide(&covered) { Span::EMPTY } else { covered };
        let (was, is) = (listed(was), listed(is));
        for at in is.cells().filter(|&at| !was.contains(at)) {
            self.tight.change(at, |head| self.lists.push(head, cell));
        }
        for at in was.cells().filter(|&at| !is.contains(at)) {
            let taken = self.tight.change(at, |head| self.lists.take(head, cell));
            debug_assert!(taken, "loose cell {cell} is not listed in tight cell {at:?}");
        }
    }

    #[inline]
    pub(super) fn grow(&mut self, cell: u32, bounds: &Aabb<S>) {
        let hull = &self.cells[cell as usize].hull;
        if !hull.contains(bounds) {
            self.set_hull(cell, hull.union(bounds));
        }
    }

    /// After a box in a loose cell was `old`: if that reached the edge of the hull, the hull may be too large now.
    #[inline]
    pub(super) fn loosen(&mut self, cell: u32, old: &Aabb<S>) {
        let hull = &self.cells[cell as usize].hull;
        let is_inner = |axis: usize| (hull.min[axis] < old.min[axis]) & (old.max[axis] < hull.max[axis]);
        if !(is_inner(0) & is_inner(1)) {
            self.slack.insert(cell as usize);
        }
    }

    pub(super) fn push(&mut self, cell: u32, id: u32, layers: Layers) {
        self.layers.widen(cell, layers);
        self.homes.push(&mut self.cells[cell as usize].head, cell, id);
    }

    pub(super) fn link(&mut self, boxes: &Boxes<S>, cell: u32, id: u32) {
        self.push(cell, id, boxes.layers(id));
        self.grow(cell, boxes.at(id));
    }

    pub(super) fn unlink(&mut self, id: u32, bounds: &Aabb<S>) {
        let cell = self.homes.of(id);
        let head = &mut self.cells[cell as usize].head;
        self.homes.take(head, id);
        if *head == NONE {
            self.set_hull(cell, Aabb::EMPTY);
        } else {
            self.loosen(cell, bounds);
        }
    }
}
