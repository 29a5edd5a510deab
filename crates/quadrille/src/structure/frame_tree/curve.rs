//! Sorting: ids in the order in which a Hilbert curve visits their boxes.

#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::mem::take;

use crate::geometry::{Aabb, Scalar, sqrt_above};
use crate::kernel::{self, Kernel, LANES, Task};
use crate::storage::{Boxes, NONE, add_bytes, bytes_of, make_room};

/// A grid has one cell for this many boxes. Fewer: more cells to walk. More: less order.
const PER_CELL: f64 = 2.0;

/// A cell with more boxes than this is crowded, and its boxes are sorted among themselves. Fewer: more sorting. More:
/// packs of the same cell that overlap.
const CROWD: u32 = 32;

/// A crowd larger than this gets its own grid at once: a block would leave too many boxes in a cell.
const LARGE: u32 = 2048;

/// A grid is made for at most this many cells. It may get twice as many and a few more where it is only two cells wide,
/// and their numbers must fit in a key.
const MOST_CELLS: f64 = ((1 << (u32::BITS - 2 * PLACE - 1)) - 16) as f64;

/// Bits for a place within a cell, along each axis.
const PLACE: u32 = 2 * BLOCK;

/// A block has two to the power of this many cells per side.
const BLOCK: u32 = 3;

/// Cells in a block.
const BLOCK_CELLS: usize = 1 << (2 * BLOCK);

/// How the curve lies in a square. It begins in one corner and ends in an adjacent one.
///
/// ```text
/// 0  as drawn       1 -- 2      1  mirrored along the rising diagonal
///                   |    |      2  turned by half a circle
///                   0    3      3  mirrored along the falling diagonal
/// ```
///
/// In the quarters 0 to 3 it lies, compared with the whole, mirrored along the rising diagonal, the same, the same, and
/// mirrored along the falling one. Two turns make the one that is their exclusive or.
#[derive(Clone, Copy, Debug)]
struct Turn(u8);

impl Turn {
    /// Quarter `k` along the curve: is it to the right, is it above, and how does the curve lie in it?
    const fn quarter(self, k: usize) -> (u32, u32, Self) {
        let [x, y] = [[0, 0], [0, 1], [1, 1], [1, 0]][k];
        let (x, y) = if self.0 & 1 == 0 { (x, y) } else { (y, x) };
        let flip = self.0 as u32 >> 1;
        (x ^ flip, y ^ flip, Self(self.0 ^ [1, 0, 0, 3][k]))
    }
}

/// The cells of a block along the curve, for each turn of it.
///
/// ```text
/// turn (2)   y (3)   x (3)
/// ```
const BLOCKS: [[u8; BLOCK_CELLS]; 4] = {
    let mut blocks = [[0; BLOCK_CELLS]; 4];
    let mut at = 0;
    while at < 4 * BLOCK_CELLS {
        let (mut turn, mut x, mut y, mut level) = (Turn((at / BLOCK_CELLS) as u8), 0, 0, BLOCK);
        while level > 0 {
            level -= 1;
            let (right, up, next) = turn.quarter(at >> (2 * level) & 3);
            (x, y, turn) = (x | right << level, y | up << level, next);
        }
        blocks[at / BLOCK_CELLS][at % BLOCK_CELLS] = turn.0 << (2 * BLOCK) | (y << BLOCK | x) as u8;
        at += 1;
    }
    blocks
};

/// Takes a cell of a block apart.
const fn cell_of(code: u8) -> (u32, u32, Turn) {
    let side = (1 << BLOCK) - 1;
    ((code & side) as u32, (code >> BLOCK & side) as u32, Turn(code >> (2 * BLOCK)))
}

/// A grid over the centers of some boxes. Its cells have about the shape of a box.
#[derive(Clone, Copy, Debug)]
struct Grid {
    low: [f64; 2],
    /// Places in a unit of length.
    scale: [f64; 2],
    /// Cells along each axis.
    sides: [u32; 2],
}

impl Grid {
    /// `None` if all centers coincide.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cells are few")]
    fn new([low, high]: [[f64; 2]; 2], size: [f64; 2], boxes: usize) -> Option<Self> {
        let spread = [0, 1].map(|axis| (high[axis] - low[axis]) / size[axis]);
        let longest = spread[0].max(spread[1]);
        if longest <= 0.0 {
            return None;
        }
        let cells = (boxes as f64 / PER_CELL).clamp(4.0, MOST_CELLS);
        let side = sqrt_above(spread[0] * spread[1] / cells).max(longest / cells);
        let sides = spread.map(|spread| (spread / side) as u32 + 1);
        let scale =
            [0, 1].map(|axis| f64::from(sides[axis] << PLACE) / (high[axis] - low[axis]).max(f64::MIN_POSITIVE));
        Some(Self { low, scale: scale.map(|scale| scale.min(f64::MAX)), sides })
    }

    /// How many cells there are.
    fn cells(&self) -> usize {
        self.sides[0] as usize * self.sides[1] as usize
    }

    /// The key of a box: its cell, counted row by row, and where in the cell its middle is.
    ///
    /// ```text
    /// cell (20)   y (6)   x (6)
    /// ```
    ///
    /// Free places come after all cells. Numbers are made whole by adding a number beyond which there are no fractions,
    /// so that the compiler can vectorize it.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the lower bits are meant")]
    fn key<S: Scalar>(&self, bounds: &Aabb<S>) -> u32 {
        const WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;
        let middle = middle(bounds);
        let [x, y] = [0, 1].map(|axis| {
            let place = (middle[axis] - self.low[axis]) * self.scale[axis] - 0.5;
            let last = f64::from((self.sides[axis] << PLACE) - 1);
            ((if place < last { place } else { last }) + WHOLE).to_bits() as u32
        });
        let cell = (y >> PLACE) * self.sides[0] + (x >> PLACE);
        let inner = (1 << PLACE) - 1;
        let key = cell << (2 * PLACE) | (y & inner) << PLACE | (x & inner);
        if bounds.is_ordered() { key } else { (self.sides[0] * self.sides[1]) << (2 * PLACE) }
    }
}

/// Half the center of a box, so that no sum or difference of two is infinite.
#[inline(always)]
fn middle<S: Scalar>(bounds: &Aabb<S>) -> [f64; 2] {
    [0, 1].map(|axis| bounds.min[axis].to_f64() * 0.25 + bounds.max[axis].to_f64() * 0.25)
}

/// Slots whose boxes have yet to be sorted among themselves.
#[derive(Clone, Copy, Debug)]
struct Crowd {
    first: u32,
    len: u32,
    turn: Turn,
    /// How many more times the keys can divide the crowd by a block: twice at first, by three of the six bits each
    /// time.
    digits: u8,
}

/// Sorts boxes, and keeps the memory for it.
///
/// A grid is laid over the boxes, with a cell for every other box, and boxes are counted by cell. A walk through the
/// cells along the curve turns these counts into positions in the order, and boxes are written to their positions: a
/// counting sort, without comparisons, in two passes over the boxes and two over the keys.
///
/// Where boxes crowd, a cell has more than a pack or two. Such a crowd is sorted in the same way by the positions
/// within the cell that the keys store, eight by eight of them, and twice if need be. A crowd that remains after that,
/// or is very large, gets its own grid. Within a crowd, the curve continues as it lies in its cell. So however boxes
/// are distributed, each takes about the same work, once for every six binary digits by which they lie closer together
/// than average.
///
/// D. Hilbert, *Ueber die stetige Abbildung einer Linie auf ein Flaechenstueck*, 1891; as an order for packing, Kamel
/// and Faloutsos, 1993.
#[derive(Clone, Debug, Default)]
pub(super) struct Curve {
    /// By id.
    keys: Vec<u32>,
    /// How many boxes each cell has, and later where the next of them goes.
    cells: Vec<u32>,
    crowds: Vec<Crowd>,
    /// A crowd as it was.
    ids: Vec<u32>,
}

impl Curve {
    /// Lists the ids of all boxes in order. Cells get the shape of a box of this size.
    #[expect(clippy::cast_possible_truncation, reason = "ids are below 2^31")]
    pub(super) fn sort<S: Scalar>(&mut self, boxes: &Boxes<S>, size: [f64; 2], order: &mut Vec<u32>) {
        let all = boxes.all();
        order.clear();
        let Some(grid) = Grid::new(kernel::dispatch(Spread(all.iter())), size, boxes.len()) else {
            order.extend(boxes.iter().map(|(id, _)| id));
            return;
        };
        make_room(order, all.len() + LANES);
        order.resize(all.len(), 0);
        self.make_room(all.len());
        kernel::dispatch(Locate { all, grid, keys: &mut self.keys });
        self.begin(&grid);
        self.keys.iter().for_each(|key| self.cells[(key >> (2 * PLACE)) as usize] += 1);
        self.walk(&grid, Crowd { first: 0, len: all.len() as u32, turn: Turn(0), digits: 2 });
        for (id, key) in (0..).zip(&self.keys) {
            let slot = &mut self.cells[(key >> (2 * PLACE)) as usize];
            order[*slot as usize] = id;
            *slot += 1;
        }
        order.truncate(boxes.len());
        self.sort_crowds(all, size, order);
    }

    /// Puts the ids of a run in order, those that are [`NONE`] last.
    #[expect(clippy::cast_possible_truncation, reason = "slots are fewer than 2^31")]
    pub(super) fn sort_run<S: Scalar>(&mut self, boxes: &Boxes<S>, size: [f64; 2], run: &mut [u32]) {
        let mut len = 0;
        for at in 0..run.len() {
            if run[at] != NONE {
                run.swap(at, len);
                len += 1;
            }
        }
        self.make_room(boxes.places().max(self.keys.len()));
        self.crowds.push(Crowd { first: 0, len: len as u32, turn: Turn(0), digits: 0 });
        self.sort_crowds(boxes.all(), size, &mut run[..len]);
    }

    /// Nothing else of this grid grows later, except through much larger cells.
    fn make_room(&mut self, places: usize) {
        make_room(&mut self.keys, places);
        self.keys.resize(places, 0);
        make_room(&mut self.crowds, places / CROWD as usize);
        make_room(&mut self.ids, places.min(LARGE as usize));
    }

    fn sort_crowds<S: Scalar>(&mut self, all: &[Aabb<S>], size: [f64; 2], order: &mut [u32]) {
        while let Some(crowd) = self.crowds.pop() {
            let run = &mut order[crowd.first as usize..][..crowd.len as usize];
            self.ids.clear();
            self.ids.extend_from_slice(run);
            if crowd.digits > 0 && crowd.len <= LARGE {
                self.sort_by_block(crowd, run);
            } else {
                self.sort_by_grid(all, size, crowd, run);
            }
        }
    }

    /// Sorts a crowd by the next three bits of its boxes' positions.
    fn sort_by_block(&mut self, crowd: Crowd, run: &mut [u32]) {
        let shift = BLOCK * u32::from(crowd.digits - 1);
        let cell = |key: u32| {
            let side = (1 << BLOCK) - 1;
            ((key >> (PLACE + shift) & side) << BLOCK | (key >> shift & side)) as usize
        };
        let mut slots = [0; BLOCK_CELLS];
        self.ids.iter().for_each(|&id| slots[cell(self.keys[id as usize])] += 1);
        let mut end = 0;
        for &code in &BLOCKS[crowd.turn.0 as usize] {
            let (x, y, turn) = cell_of(code);
            let slot = &mut slots[(y << BLOCK | x) as usize];
            let len = *slot;
            *slot = end;
            if len > CROWD {
                self.crowds.push(Crowd { first: crowd.first + end, len, turn, digits: crowd.digits - 1 });
            }
            end += len;
        }
        for &id in &self.ids {
            let slot = &mut slots[cell(self.keys[id as usize])];
            run[*slot as usize] = id;
            *slot += 1;
        }
    }

    /// Sorts a crowd with its own grid.
    fn sort_by_grid<S: Scalar>(&mut self, all: &[Aabb<S>], size: [f64; 2], crowd: Crowd, run: &mut [u32]) {
        let boxes = self.ids.iter().map(|&id| &all[id as usize]);
        let Some(grid) = Grid::new(kernel::dispatch(Spread(boxes)), size, run.len()) else { return };
        self.begin(&grid);
        for &id in &self.ids {
            let key = grid.key(&all[id as usize]);
            self.keys[id as usize] = key;
            self.cells[(key >> (2 * PLACE)) as usize] += 1;
        }
        self.walk(&grid, crowd);
        for &id in &self.ids {
            let slot = &mut self.cells[(self.keys[id as usize] >> (2 * PLACE)) as usize];
            run[(*slot - crowd.first) as usize] = id;
            *slot += 1;
        }
    }

    /// No box has been counted; the free places come after the cells.
    fn begin(&mut self, grid: &Grid) {
        self.cells.clear();
        make_room(&mut self.cells, grid.cells() + 1);
        self.cells.resize(grid.cells() + 1, 0);
    }

    /// Walks the cells along the curve and turns counts of boxes into the slots at which they begin.
    fn walk(&mut self, grid: &Grid, crowd: Crowd) {
        let level = grid.sides[0].max(grid.sides[1]).next_power_of_two().ilog2().max(BLOCK);
        let mut walk = Walk {
            sides: grid.sides,
            cells: take(&mut self.cells),
            crowds: take(&mut self.crowds),
            all: crowd.len,
            end: crowd.first,
        };
        walk.square(level, [0, 0], crowd.turn);
        *walk.cells.last_mut().expect("there are cells") = walk.end;
        (self.cells, self.crowds) = (walk.cells, walk.crowds);
    }

    /// None is in use between two sorts.
    pub(super) fn bytes(&self) -> [usize; 2] {
        let held = [bytes_of(&self.keys), bytes_of(&self.cells), bytes_of(&self.crowds), bytes_of(&self.ids)];
        [0, add_bytes(held)[1]]
    }
}

/// A walk through the cells of a grid.
struct Walk {
    sides: [u32; 2],
    cells: Vec<u32>,
    crowds: Vec<Crowd>,
    /// How many boxes there are in all cells.
    all: u32,
    /// The slot behind the cells that have been passed.
    end: u32,
}

impl Walk {
    /// A square of two to the power of `level` cells a side.
    fn square(&mut self, level: u32, [x, y]: [u32; 2], turn: Turn) {
        if x >= self.sides[0] || y >= self.sides[1] {
            return;
        }
        if level == BLOCK {
            return self.block([x, y], turn);
        }
        let half = level - 1;
        for k in 0..4 {
            let (right, up, turn) = turn.quarter(k);
            self.square(half, [x | right << half, y | up << half], turn);
        }
    }

    fn block(&mut self, [left, low]: [u32; 2], turn: Turn) {
        let rest = [self.sides[0] - left, self.sides[1] - low];
        let cells = &mut self.cells[(low * self.sides[0] + left) as usize..];
        for &code in &BLOCKS[turn.0 as usize] {
            let (x, y, turn) = cell_of(code);
            if (x < rest[0]) & (y < rest[1]) {
                let cell = &mut cells[(y * self.sides[0] + x) as usize];
                let len = *cell;
                *cell = self.end;
                // A grid that cannot separate its boxes has reached the resolution of the numbers.
                if len > CROWD && len < self.all {
                    self.crowds.push(Crowd { first: self.end, len, turn, digits: 2 });
                }
                self.end += len;
            }
        }
    }
}

/// The task of finding how far the middles of some boxes spread.
struct Spread<I>(I);

impl<'a, S: Scalar, I: Iterator<Item = &'a Aabb<S>>> Task for Spread<I> {
    type Output = [[f64; 2]; 2];

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) -> [[f64; 2]; 2] {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for bounds in self.0 {
            // Not a number, and so neither less nor greater, in free places; of integers it is 0, which does no harm.
            let middle = middle(bounds);
            for axis in 0..2 {
                low[axis] = if middle[axis] < low[axis] { middle[axis] } else { low[axis] };
                high[axis] = if middle[axis] > high[axis] { middle[axis] } else { high[axis] };
            }
        }
        [low, high]
    }
}

/// The task of finding the keys of all boxes.
struct Locate<'a, S> {
    all: &'a [Aabb<S>],
    grid: Grid,
    keys: &'a mut [u32],
}

impl<S: Scalar> Task for Locate<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) {
        for (key, bounds) in self.keys.iter_mut().zip(self.all) {
            *key = self.grid.key(bounds);
        }
    }
}
