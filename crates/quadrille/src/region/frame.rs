//! The map as a square whose side is a power of two, and the positions of nodes in it.
//!
//! A map of `n` cells per side is halved `depth` times, until no part is longer than one cell. Part `q` of the `2^d`
//! parts at depth `d` owns the whole numbers in `[q·n / 2^d, (q + 1)·n / 2^d)`. Three facts follow:
//!
//! - cell `x` is in part `⌊x·2^d / n⌋`, so the part at full depth determines all others: its leading bits are the path
//!   down;
//! - part `q` begins with cell `⌈q·n / 2^d⌉`;
//! - a half without a cell occurs only if the whole is one cell wide, so a node has four or two children, never one
//!   or three. (Two whole numbers in one half make it longer than one, and then the other half holds at least one as
//!   well.)
//!
//! So the tree is an ordinary quadtree over the square `2^depth × 2^depth` in which some columns and rows have no cell.
//!
//! The rule is that of hit9's *quadtree-hpp* (2023), which finds a node by its depth and its place there.

use core::ops::Range;

use crate::error::{Cause, Error};
use crate::{Aabb, morton};

/// Longest side of a map, in cells. A Morton code then has 58 bits, and no product below exceeds 2^58 except in `part`.
const MAX_SIDE: u32 = (1 << 29) - 1;

/// The place of a node: column and row among the `2^depth × 2^depth` quads of its depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Quad {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) depth: u8,
}

impl Quad {
    pub(super) const ROOT: Self = Self { x: 0, y: 0, depth: 0 };

    /// The children in Morton order. Those without a cell are among them.
    pub(super) fn children(self) -> [Self; 4] {
        let child = |k: u32| Self { x: 2 * self.x + (k & 1), y: 2 * self.y + (k >> 1), depth: self.depth + 1 };
        [0, 1, 2, 3].map(child)
    }

    /// Which child of its parent this is.
    fn number(self) -> usize {
        ((self.x & 1) | ((self.y & 1) << 1)) as usize
    }

    pub(super) fn parent(self) -> Option<Self> {
        self.depth.checked_sub(1).map(|depth| self.ancestor(depth))
    }

    /// The quad at `depth`, not deeper than this one, that contains this one.
    #[inline]
    pub(super) fn ancestor(self, depth: u8) -> Self {
        let levels = self.depth - depth;
        Self { x: self.x >> levels, y: self.y >> levels, depth }
    }

    /// The depth of the smallest quad that contains both.
    pub(super) fn common_depth(self, other: Self) -> u8 {
        let depth = self.depth.min(other.depth);
        let (a, b) = (self.ancestor(depth), other.ancestor(depth));
        let differing = (a.x ^ b.x) | (a.y ^ b.y);
        depth - (u32::BITS - differing.leading_zeros()) as u8
    }
}

/// One axis of the map.
#[derive(Clone, Copy, Debug)]
struct Axis {
    cells: u32,
    /// `⌈2^(63 + bits) / cells⌉`, where `bits` is the least with `cells <= 2^bits`.
    scale: u64,
    /// Shifts a cell up to one bit above full depth, so that the upper half of the scaled product is the answer.
    shift: u8,
}

impl Axis {
    fn new(cells: u32, depth: u8) -> Self {
        let bits = bits_for(cells);
        let scale = (1_u128 << (63 + bits)).div_ceil(u128::from(cells)) as u64;
        Self { cells, scale, shift: depth - bits + 1 }
    }

    /// `⌊cell·2^depth / cells⌋`, by a multiplication. The scale is too large by less than one, so the product is too
    /// large by less than 2^30 of 2^64. The true quotient is at least `1 / cells`, more than 2^-29, below the next
    /// whole number.
    #[inline]
    fn part(&self, cell: u32) -> u32 {
        ((u128::from(u64::from(cell) << self.shift) * u128::from(self.scale)) >> 64) as u32
    }

    /// The first cell of part `q`, which is the end of part `q - 1`.
    #[inline]
    fn first_cell(&self, q: u32, depth: u8) -> i32 {
        ((u64::from(q) * u64::from(self.cells) + (1 << depth) - 1) >> depth) as i32
    }
}

/// The least `bits` with `side <= 2^bits`.
fn bits_for(side: u32) -> u8 {
    side.next_power_of_two().trailing_zeros() as u8
}

/// The map's sides, and the conversion between cells and quads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    axes: [Axis; 2],
    /// Where every quad has at most one cell: at most 29.
    pub(super) depth: u8,
}

impl Frame {
    pub(super) fn new(width: u32, height: u32) -> Result<Self, Error> {
        let size = [width, height];
        if !size.iter().all(|side| (1..=MAX_SIDE).contains(side)) {
            let size = alloc::format!("{width} x {height}");
            return Err(Error::option("size", size, "each side of a map has 1 to 2^29 - 1 cells"));
        }
        let depth = bits_for(width.max(height));
        Ok(Self { axes: size.map(|cells| Axis::new(cells, depth)), depth })
    }

    pub(super) fn size(&self) -> [u32; 2] {
        self.axes.map(|axis| axis.cells)
    }

    /// All cells.
    pub(super) fn map(&self) -> Aabb<i32> {
        Aabb::new([0, 0], self.axes.map(|axis| axis.cells as i32 - 1))
    }

    /// The quad of full depth that holds the cell; `None` off the map.
    #[inline]
    pub(super) fn quad(&self, cell: [i32; 2]) -> Option<Quad> {
        // A negative coordinate becomes a huge one.
        let [x, y] = cell.map(|c| c as u32);
        let [columns, rows] = &self.axes;
        (x < columns.cells && y < rows.cells).then(|| Quad { x: columns.part(x), y: rows.part(y), depth: self.depth })
    }

    /// The quad of full depth that holds the cell, or an error saying that the cell is not on the map.
    pub(super) fn checked_quad(&self, cell: [i32; 2]) -> Result<Quad, Error> {
        self.quad(cell).ok_or_else(|| Cause::OffMap { cell, size: self.size() }.into())
    }

    /// The cells of a quad; inverted if it has none.
    #[inline]
    pub(super) fn cells(&self, quad: Quad) -> Aabb<i32> {
        let [end_x, end_y] = self.first_cell(Quad { x: quad.x + 1, y: quad.y + 1, ..quad });
        Aabb::new(self.first_cell(quad), [end_x - 1, end_y - 1])
    }

    /// The cells of a quad; `None` if it has none.
    pub(super) fn rect(&self, quad: Quad) -> Option<Aabb<i32>> {
        let cells = self.cells(quad);
        cells.is_ordered().then_some(cells)
    }

    /// The Morton codes, at full depth, of the cells of a quad.
    pub(super) fn codes(&self, quad: Quad) -> Range<u64> {
        let code = morton::encode(quad.x, quad.y);
        let shift = 2 * (self.depth - quad.depth);
        code << shift..(code + 1) << shift
    }

    /// The quad of full depth that has this code.
    pub(super) fn quad_of_code(&self, code: u64) -> Quad {
        let (x, y) = morton::decode(code);
        Quad { x, y, depth: self.depth }
    }

    /// The first cell of a quad that has one; the only one at full depth.
    #[inline]
    pub(super) fn first_cell(&self, quad: Quad) -> [i32; 2] {
        let [columns, rows] = &self.axes;
        [columns.first_cell(quad.x, quad.depth), rows.first_cell(quad.y, quad.depth)]
    }

    /// What a walk over the cells of `rect` needs; `None` if none of them is on the map or the rectangle is inverted.
    pub(super) fn window(&self, rect: Aabb<i32>) -> Option<Window> {
        let rect = if rect.is_ordered() { rect.intersection(&self.map())? } else { return None };
        let (first, last) = (self.quad(rect.min)?, self.quad(rect.max)?);
        Some(Window { rect, first, last, depth: first.common_depth(last) })
    }

    /// The quad of full depth with the first cell of the window after `quad` in Morton order. This turns a lookup into
    /// a walk without a stack.
    ///
    /// From the quad upward, the later siblings are tried. The first one that shares a cell with the window gives the
    /// answer: the lower corner of the shared part, because a Morton code grows with either coordinate. (The *BIGMIN*
    /// of H. Tropf and H. Herzog, *Multidimensional range search in dynamically balanced trees*, 1981, answers the same
    /// query on bits.)
    pub(super) fn next(&self, mut quad: Quad, window: &Window) -> Option<Quad> {
        while let Some(parent) = quad.parent().filter(|parent| parent.depth >= window.depth) {
            let later = parent.children().into_iter().skip(quad.number() + 1);
            let mut shared = later.filter_map(|sibling| self.rect(sibling)?.intersection(&window.rect));
            if let Some(shared) = shared.next() {
                return self.quad(shared.min);
            }
            quad = parent;
        }
        None
    }
}

/// How many cells a non-inverted rectangle has.
pub(super) fn area(rect: Aabb<i32>) -> u64 {
    let side = |axis: usize| u64::from(rect.max[axis].abs_diff(rect.min[axis])) + 1;
    side(0) * side(1)
}

/// A rectangle of cells on the map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) rect: Aabb<i32>,
    /// The quads of full depth with its first and its last cell in Morton order.
    pub(super) first: Quad,
    pub(super) last: Quad,
    /// Depth of the smallest quad that holds it.
    depth: u8,
}

#[cfg(test)]
mod tests {
    use super::{Axis, Frame, MAX_SIDE, bits_for};
    use std::vec::Vec;

    /// Sides at which rounding could go wrong: around powers of two, and the ends.
    fn sides() -> impl Iterator<Item = u32> {
        let around = (0..29).flat_map(|bits| [(1_u32 << bits).saturating_sub(1), 1 << bits, (1 << bits) + 1]);
        around.chain([3, 5, 7, 100, 1000, 99_999, MAX_SIDE / 3, MAX_SIDE - 1, MAX_SIDE]).filter(|&side| side > 0)
    }

    #[test]
    fn the_part_of_a_cell_is_the_quotient() {
        for side in sides() {
            for depth in bits_for(side)..=29 {
                let axis = Axis::new(side, depth);
                let cells: Vec<u32> =
                    (0..300).flat_map(|i| [i, side / 2 + i, (side / 7) * (i % 7), side - 1 - i % side]).collect();
                for cell in cells.into_iter().filter(|&cell| cell < side) {
                    let quotient = (u64::from(cell) << depth) / u64::from(side);
                    assert_eq!(u64::from(axis.part(cell)), quotient, "cell {cell} of {side}, depth {depth}");
                    assert_eq!(axis.first_cell(axis.part(cell), depth), cell as i32);
                }
            }
        }
    }

    #[test]
    fn parts_begin_where_the_last_ended() {
        for side in sides() {
            let depth = bits_for(side);
            let axis = Axis::new(side, depth);
            for level in 0..=depth {
                assert_eq!((axis.first_cell(0, level), axis.first_cell(1 << level, level)), (0, side as i32));
                for q in (0..1 << level).step_by(1 << level.saturating_sub(5)) {
                    let (first, end) = (axis.first_cell(q, level), axis.first_cell(q + 1, level));
                    let part = |cell: i32| axis.part(cell as u32) >> (depth - level);
                    assert!((first..end).take(3).chain((first..end).last()).all(|cell| part(cell) == q));
                }
            }
        }
    }

    #[test]
    fn quads_of_full_depth_hold_one_cell_or_none() {
        for (width, height) in [(1, 1), (1, 9), (7, 6), (24, 3), (33, 31)] {
            let frame = Frame::new(width, height).unwrap();
            let mut cells = 0;
            for code in 0..1_u64 << (2 * frame.depth) {
                if let Some(rect) = frame.rect(frame.quad_of_code(code)) {
                    assert_eq!((rect.min, frame.quad(rect.min)), (rect.max, Some(frame.quad_of_code(code))));
                    cells += 1;
                }
            }
            assert_eq!(cells, width * height);
        }
    }
}
