//! Where loose and tight cells are.

use super::super::fit::{Fit, most_cells};
use super::LooseGridOptions;
use crate::geometry::{Aabb, Lattice, Scalar, Span, both};

/// Boxes for each fitted loose cell. Fewer: more hulls to compare, and more boxes leave their cell. More: more boxes to
/// compare. Of 4, 8 and 16, whole frames of 100,000 boxes took 94, 77 and 76 ns a box on the scene `uniform`, 165, 233
/// and 367 on `clustered` (2026-11-22).
const BOXES_PER_CELL: f64 = 8.0;

/// Minimum width of a fitted loose cell, in median boxes. Less: hulls are hardly smaller than with fewer, larger cells.
const BOXES_PER_SIDE: f64 = 1.0;

/// A hull that covers more tight cells than this makes its loose cell wide. More: giants cost more memory and longer
/// updates. Fewer: more hulls are compared with every query. 64 are 8 × 8, a hull eight times as large as usual.
const MOST_TIGHT: u64 = 64;

/// The columns and rows of both grids.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Lattices {
    pub(super) loose: Lattice,
    pub(super) tight: Lattice,
}

impl Lattices {
    /// What the boxes look like and the lattices that suit them, if the options do not decide.
    pub(super) fn plan<S: Scalar>(options: &LooseGridOptions<S>, fit: Fit, boxes: usize) -> (Fit, Self) {
        let fit = fit.with_world(options.world);
        let world = fit.world::<S>();
        let loose = match options.loose_cell {
            Some(cell) => Lattice::new(&world, cell.map(S::to_f64), most_cells(boxes)),
            None => {
                let least = fit.size.map(|side| side * BOXES_PER_SIDE);
                Lattice::new(&world, least, boxes as f64 / BOXES_PER_CELL)
            }
        };
        let tight = match options.tight_cell {
            Some(cell) => Lattice::new(&world, cell.map(S::to_f64), most_cells(boxes)),
            None => {
                let least = both(|axis| loose.cell()[axis] + fit.size[axis]);
                Lattice::new(&world, least, loose.everything().len() as f64)
            }
        };
        (fit, Self { loose, tight })
    }

    /// The loose cell of a box: that of its center.
    #[inline]
    pub(super) fn loose_cell<S: Scalar>(&self, bounds: &Aabb<S>) -> u32 {
        let [column, row] = self.loose.at(bounds.center());
        row * self.loose_columns() + column
    }

    fn loose_columns(&self) -> u32 {
        self.loose.everything().hi[0] + 1
    }

    pub(super) fn loose_cells(&self) -> usize {
        self.loose.everything().len() as usize
    }

    /// The tight cells that a hull covers.
    #[inline]
    pub(super) fn covered<S: Scalar>(&self, hull: &Aabb<S>) -> Span {
        if hull.is_ordered() { self.tight.span(hull) } else { Span::EMPTY }
    }

    /// **The once-only rule**: a loose cell is looked at only in the tight cell that holds the lower corner of what its
    /// hull and the query have in common; `a` and `b` are the lower corners of the two.
    #[inline]
    pub(super) fn meet_in<S: Scalar>(&self, cell: [u32; 2], a: [S; 2], b: [S; 2]) -> bool {
        self.tight.at([a[0].greater(b[0]), a[1].greater(b[1])]) == cell
    }
}

/// Does a hull that covers these tight cells make its loose cell wide?
pub(super) fn is_wide(covered: &Span) -> bool {
    !covered.is_empty() && covered.len() > MOST_TIGHT
}
