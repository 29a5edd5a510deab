//! Sorting: ids in the order in which a Hilbert curve visits their boxes.

#[cfg(test)]
mod tests;
mod window;

use alloc::vec::Vec;
use core::array;
use core::mem::take;

use super::levels::Sixteen;
use crate::executor::Executor;
use crate::geometry::{Aabb, Scalar, both, sqrt_above};
use crate::kernel::{self, Kernel, LANES, Lanes, Task};
use crate::memory::clone_nothing;
use crate::storage::{Boxes, NONE, add_bytes, bytes_of, make_room};

/// A grid has one cell for this many boxes. Fewer: more cells to walk. More: less order.
const PER_CELL: f64 = 2.0;

/// A cell with more boxes than this is crowded, and its boxes are sorted among themselves. Fewer: more sorting. More:
/// packs of the same cell that overlap.
const CROWD: u32 = 32;

/// A crowd larger than this gets its own grid at once: a block would leave too many boxes in a cell.
const LARGE: u32 = 2048;

/// A grid is made for at most this many cells. One that is only two cells wide may get slightly more than twice as
/// many, whose numbers must fit in a key.
const MAX_CELLS: f64 = ((1 << (u32::BITS - 2 * PLACE - 1)) - 16) as f64;

/// Bits for a place within a cell, along each axis.
pub(in super::super) const PLACE: u32 = 2 * BLOCK;

/// A block has two to the power of this many cells per side.
const BLOCK: u32 = 3;

/// For several threads, a grid is divided into squares of at least about this many boxes. Fewer: more to list. More:
/// threads finish at different times.
const PER_SQUARE: usize = 4096;

/// The most squares. More: longer lists of where each begins in each chunk of slots.
const MAX_SQUARES: usize = 256;

/// Boxes are put into squares in about this many chunks of slots, each within the limits of [`CHUNK_SIZES`]. More
/// chunks: more pieces of each square. Fewer: many threads have nothing to do.
const CHUNKS: usize = 64;
const CHUNK_SIZES: [usize; 2] = [2048, 16_384];

/// Squares are sorted in no more jobs than this: each needs memory of its own.
const MAX_JOBS: usize = 64;

/// This many packs are sampled to see how far all boxes spread. More: it takes longer. Fewer: more boxes are beyond the grid.
const SAMPLE: usize = 1024;

/// Numbers that are computed at once.
const FOUR: usize = 4;

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
/// Quarters 0 to 3 repeat the whole curve: mirrored along the rising diagonal, unchanged, unchanged, and mirrored along
/// the falling one. Two turns combine by exclusive or.
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

/// Unpacks a cell of a block.
const fn cell_of(code: u8) -> (u32, u32, Turn) {
    let side = (1 << BLOCK) - 1;
    ((code & side) as u32, (code >> BLOCK & side) as u32, Turn(code >> (2 * BLOCK)))
}

/// A grid over the centers of some boxes. Its cells have about the shape of a box.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in super::super) struct Grid {
    low: [f64; 2],
    /// Places per unit of length.
    scale: [f64; 2],
    /// Cells along each axis.
    sides: [u32; 2],
}

impl Grid {
    /// `None` if all centers coincide.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cells are few")]
    fn new([low, high]: [[f64; 2]; 2], size: [f64; 2], boxes: usize) -> Option<Self> {
        let spread = both(|axis| (high[axis] - low[axis]) / size[axis]);
        let longest = spread[0].max(spread[1]);
        if longest <= 0.0 {
            return None;
        }
        let cells = (boxes as f64 / PER_CELL).clamp(4.0, MAX_CELLS);
        let side = sqrt_above(spread[0] * spread[1] / cells).max(longest / cells);
        let sides = spread.map(|spread| (spread / side) as u32 + 1);
        let scale = both(|axis| f64::from(sides[axis] << PLACE) / (high[axis] - low[axis]).max(f64::MIN_POSITIVE));
        Some(Self { low, scale: scale.map(|scale| scale.min(f64::MAX)), sides })
    }

    /// Where in the grid the middle of a box is, along each axis: its cell, and in the lowest six bits its place there.
    ///
    /// Rounds by adding a number so large that no fraction is left, which the compiler can vectorize.
    #[inline(always)]
    fn place<S: Scalar>(&self, bounds: &Aabb<S>) -> [u32; 2] {
        both(|axis| self.place_along(axis, bounds.min[axis], bounds.max[axis]))
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the lower bits are meant")]
    fn place_along<S: Scalar>(&self, axis: usize, min: S, max: S) -> u32 {
        const WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;
        let place = (middle(min, max) - self.low[axis]) * self.scale[axis] - 0.5;
        let last = f64::from((self.sides[axis] << PLACE) - 1);
        let place = if place > 0.0 { place } else { 0.0 };
        ((if place < last { place } else { last }) + WHOLE).to_bits() as u32
    }

    /// The key of a box: its cell, counted row by row, and where in the cell its middle is.
    #[inline(always)]
    fn key(&self, at: [u32; 2]) -> u32 {
        key_of((at[1] >> PLACE) * self.sides[0] + (at[0] >> PLACE), at)
    }

    /// The keys of the boxes in a pack. Holes come after all cells.
    #[inline(always)]
    fn keys<S: Scalar>(&self, [min_x, min_y, max_x, max_y]: Lanes<'_, S>, keys: &mut [u32; LANES]) {
        let last = (self.sides[0] * self.sides[1]) << (2 * PLACE);
        for at in (0..LANES).step_by(FOUR) {
            let x: [u32; FOUR] = array::from_fn(|k| self.place_along(0, min_x[at + k], max_x[at + k]));
            let y: [u32; FOUR] = array::from_fn(|k| self.place_along(1, min_y[at + k], max_y[at + k]));
            let own: [u32; FOUR] = array::from_fn(|k| self.key([x[k], y[k]]));
            keys[at..at + FOUR].copy_from_slice(&array::from_fn::<u32, FOUR, _>(|k| {
                if min_x[at + k] <= max_x[at + k] { own[k] } else { last }
            }));
        }
    }
}

/// Half the middle between two edges, so that no sum or difference of two is infinite.
#[inline(always)]
fn middle<S: Scalar>(min: S, max: S) -> f64 {
    min.to_f64() * 0.25 + max.to_f64() * 0.25
}

/// A box that is sorted: in the upper half its key, in the lower half its id.
///
/// ```text
/// cell (20)   y (6)   x (6)   id (32)
/// ```
#[derive(Clone, Copy, Debug, Default)]
struct Keyed(u64);

impl Keyed {
    #[inline(always)]
    fn new(key: u32, id: u32) -> Self {
        Self(u64::from(key) << 32 | u64::from(id))
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the lower half is meant")]
    fn id(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    fn key(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline(always)]
    fn cell(self) -> usize {
        (self.key() >> (2 * PLACE)) as usize
    }
}

/// A grid in squares of cells, so that each of them can be sorted by itself.
#[derive(Clone, Copy, Debug)]
struct Squares {
    grid: Grid,
    /// A square has two to the power of this many cells per side, or fewer at the upper ends of the grid.
    level: u32,
    /// Squares along each axis.
    sides: [u32; 2],
}

impl Squares {
    /// For this many boxes.
    fn new(grid: Grid, boxes: usize) -> Self {
        let most = (boxes / PER_SQUARE).clamp(1, MAX_SQUARES);
        let of = |level: u32| Self { grid, level, sides: grid.sides.map(|side| ((side - 1) >> level) + 1) };
        let mut squares = of(BLOCK);
        while squares.count() > most {
            squares = of(squares.level + 1);
        }
        squares
    }

    fn count(&self) -> usize {
        self.sides[0] as usize * self.sides[1] as usize
    }

    /// The number of a square, counted row by row, and the key of a box in it: its cell, counted in the same way, and
    /// where in the cell its middle is. Free places come after all squares.
    #[inline(always)]
    fn locate<S: Scalar>(&self, bounds: &Aabb<S>) -> (u32, u32) {
        let at = self.grid.place(bounds);
        let cell = at.map(|at| at >> PLACE);
        let inner = cell.map(|cell| cell & ((1 << self.level) - 1));
        let square = cell.map(|cell| cell >> self.level);
        let width = (self.grid.sides[0] - (cell[0] - inner[0])).min(1 << self.level);
        let number = square[1] * self.sides[0] + square[0];
        let key = key_of(inner[1] * width + inner[0], at);
        (if bounds.is_ordered() { number } else { self.sides[0] * self.sides[1] }, key)
    }

    /// Shows the squares along the curve: their numbers, their cells along each axis, and how the curve lies in them.
    fn visit(&self, mut visit: impl FnMut(u32, [u32; 2], Turn)) {
        let level = level_of(self.grid.sides).max(self.level);
        along(self.grid.sides, [level, self.level], [0, 0], Turn(0), &mut |[x, y], turn| {
            let sides = [self.grid.sides[0] - x, self.grid.sides[1] - y].map(|rest| rest.min(1 << self.level));
            visit((y >> self.level) * self.sides[0] + (x >> self.level), sides, turn);
        });
    }
}

/// The level of the smallest square around a grid, at least that of a block.
fn level_of(sides: [u32; 2]) -> u32 {
    sides[0].max(sides[1]).next_power_of_two().ilog2().max(BLOCK)
}

/// Visits, along the curve, the squares of level `last` in a square of level `level` that lie on a grid.
fn along(
    sides: [u32; 2],
    [level, last]: [u32; 2],
    [x, y]: [u32; 2],
    turn: Turn,
    visit: &mut impl FnMut([u32; 2], Turn),
) {
    if x >= sides[0] || y >= sides[1] {
        return;
    }
    if level == last {
        return visit([x, y], turn);
    }
    let half = level - 1;
    for k in 0..4 {
        let (right, up, turn) = turn.quarter(k);
        along(sides, [half, last], [x | right << half, y | up << half], turn, visit);
    }
}

/// The key of a place in a cell.
#[inline(always)]
fn key_of(cell: u32, [x, y]: [u32; 2]) -> u32 {
    let inner = (1 << PLACE) - 1;
    cell << (2 * PLACE) | (y & inner) << PLACE | (x & inner)
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
/// counting sort, without comparisons, in one pass over the boxes and two over the keys.
///
/// Boxes are read from the packs, in the order that they have had so far: where it is nearly right, one box is counted
/// and written beside the one before it. So they are sorted by where they were when they were copied there, which is
/// the last frame. A sample of the packs shows how far they spread; what is beyond is in a cell at the border.
///
/// Where boxes crowd, a cell holds more than a pack or two. Such a crowd is sorted the same way, by the positions
/// within the cell that the keys store: eight by eight of them, and twice if need be. A crowd that remains after that,
/// or is very large, gets its own grid. Within a crowd, the curve continues as it lies in its cell. So however boxes
/// are distributed, each takes about the same work, once for every six binary digits by which they lie closer together
/// than average.
///
/// Several threads divide the grid into squares of several thousand boxes. Boxes are first put into squares, one
/// chunk of slots at a time, and then each square is sorted by itself. That is one more pass, and the same order.
///
/// D. Hilbert, *Ueber die stetige Abbildung einer Linie auf ein Flaechenstueck*, 1891; as an order for packing, Kamel
/// and Faloutsos, 1993.
#[derive(Debug, Default)]
pub(in super::super) struct Curve {
    /// By slot.
    keys: Vec<u32>,
    /// Slots in order.
    sorted: Vec<u32>,
    /// For several threads: slots chunk by chunk, and within a chunk by square.
    boxes: Vec<Keyed>,
    /// For several threads: where in `boxes` each square begins in each chunk, and where the last one ends.
    starts: Vec<u32>,
    /// For several threads: the squares along the curve.
    squares: Vec<Square>,
    desk: Desk,
}

clone_nothing!([] Curve);

/// A square of a grid, and how many boxes it has.
#[derive(Clone, Copy, Debug)]
struct Square {
    number: u32,
    /// Two to the power of this many cells per side, unless it is cut off: `sides` says how many it has.
    level: u32,
    sides: [u32; 2],
    /// How the curve lies in it.
    turn: Turn,
    len: u32,
}

/// Squares that follow each other, and their part of the order.
struct Job<'a> {
    squares: &'a [Square],
    run: &'a mut [u32],
}

/// What a sort reads: boxes by number, which is a slot or an id.
#[derive(Clone, Copy)]
struct Source<'a, F> {
    at: F,
    /// How many boxes there are.
    count: usize,
    /// The size of a box that has the shape of a cell.
    size: [f64; 2],
    /// By slot.
    keys: &'a [u32],
}

impl Curve {
    /// Puts all boxes in order, given the packs they were last copied to and their ids. Holes go. Cells get the shape of
    /// a box of this size. Returns the grid, if there is one.
    pub(in super::super) fn sort<S: Scalar, E: Executor>(
        &mut self,
        boxes: &Boxes<S>,
        size: [f64; 2],
        packs: &[Sixteen<S>],
        order: &mut Vec<u32>,
        executor: &E,
    ) -> Option<Grid> {
        let Some(grid) = Grid::new(spread_of(packs), size, boxes.len()) else {
            order.retain(|&id| id != NONE);
            return None;
        };
        // All of both is written below.
        for list in [&mut self.keys, &mut self.sorted] {
            make_room(list, order.len());
            executor.resize(list, order.len(), 0);
        }
        if E::IS_ALONE {
            self.sort_at_once((boxes, order), packs, size, grid);
        } else {
            self.sort_by_squares((boxes, order), packs, size, (Squares::new(grid, boxes.len()), executor));
        }
        self.sorted.truncate(boxes.len());
        self.sorted.iter_mut().for_each(|slot| *slot = order[*slot as usize]);
        order.clear();
        order.extend_from_slice(&self.sorted);
        Some(grid)
    }

    #[expect(clippy::cast_possible_truncation, reason = "slots are fewer than 2^31")]
    fn sort_at_once<S: Scalar>(
        &mut self,
        (boxes, ids): (&Boxes<S>, &[u32]),
        packs: &[Sixteen<S>],
        size: [f64; 2],
        grid: Grid,
    ) {
        let Self { keys, sorted, desk, .. } = self;
        kernel::dispatch(Locate { packs, grid, keys });
        let whole = Square { number: 0, level: level_of(grid.sides), sides: grid.sides, turn: Turn(0), len: 0 };
        let slots = (0..keys.len() as u32).zip(&*keys).map(|(slot, &key)| Keyed::new(key, slot));
        let source = Source { at: |slot| *boxes.at(ids[slot as usize]), count: boxes.len(), size, keys };
        desk.sort_square(&source, &whole, slots, sorted);
    }

    fn sort_by_squares<S: Scalar>(
        &mut self,
        (all, ids): (&Boxes<S>, &[u32]),
        packs: &[Sixteen<S>],
        size: [f64; 2],
        (squares, executor): (Squares, &impl Executor),
    ) {
        self.divide(packs, squares, executor);
        self.list(&squares);
        let Self { keys, boxes, starts, squares: listed, sorted, desk } = self;
        let (boxes, starts, row) = (&*boxes, &*starts, squares.count() + 1);
        let source = Source { at: |slot: u32| *all.at(ids[slot as usize]), count: all.len(), size, keys: &*keys };
        let sort = |Job { squares, mut run }: Job<'_>, desk: &mut Desk| {
            for square in squares {
                let (own, rest) = run.split_at_mut(square.len as usize);
                let at = square.number as usize;
                let pieces = starts.chunks(row).map(|row| &boxes[row[at] as usize..row[at + 1] as usize]);
                desk.sort_square(&source, square, pieces.flatten().copied(), own);
                run = rest;
            }
        };
        executor.share(jobs(listed, sorted), desk, sort, |_, _| ());
    }

    /// Puts the slots of each chunk into squares.
    fn divide<S: Scalar>(&mut self, packs: &[Sixteen<S>], squares: Squares, executor: &impl Executor) {
        let (row, slots) = (squares.count() + 1, self.keys.len());
        make_room(&mut self.boxes, slots);
        executor.resize(&mut self.boxes, slots, Keyed::default());
        self.starts.clear();
        let chunk = (slots / CHUNKS).clamp(CHUNK_SIZES[0], CHUNK_SIZES[1]).next_multiple_of(LANES);
        self.starts.resize(slots.div_ceil(chunk) * row, 0);
        let boxes = self.boxes.chunks_mut(chunk).zip(self.starts.chunks_mut(row));
        let chunks = boxes.zip(self.keys.chunks_mut(chunk).zip(packs.chunks(chunk / LANES)));
        let divide = |(number, ((boxes, starts), (keys, packs))): (usize, _), desk: &mut Desk| {
            let numbers = &mut desk.cells;
            kernel::dispatch(Divide { packs, first: number * chunk, squares, keys, numbers, starts, boxes });
        };
        executor.share(chunks.enumerate(), &mut self.desk, divide, |_, _| ());
    }

    /// Lists the squares along the curve.
    fn list(&mut self, squares: &Squares) {
        let Self { starts, squares: list, .. } = self;
        list.clear();
        squares.visit(|number, sides, turn| {
            let rows = starts.chunks(squares.count() + 1);
            let len = rows.map(|row| row[number as usize + 1] - row[number as usize]).sum();
            list.push(Square { number, level: squares.level, sides, turn, len });
        });
    }

    /// Puts the ids of a run in order, those that are [`NONE`] last.
    #[expect(clippy::cast_possible_truncation, reason = "slots are fewer than 2^31")]
    pub(in super::super) fn sort_run<S: Scalar>(&mut self, boxes: &Boxes<S>, size: [f64; 2], run: &mut [u32]) {
        let mut len = 0;
        for at in 0..run.len() {
            if run[at] != NONE {
                run.swap(at, len);
                len += 1;
            }
        }
        let desk = &mut self.desk;
        desk.crowds.push(Crowd { first: 0, len: len as u32, turn: Turn(0), digits: 0 });
        desk.sort_crowds(&Source { at: |id| *boxes.at(id), count: len, size, keys: &[] }, run);
    }

    /// No memory is in use between two sorts; it is only kept.
    pub(in super::super) fn bytes(&self) -> [usize; 2] {
        let Self { keys, sorted, boxes, starts, squares, desk } = self;
        let Desk { cells, crowds, boxes: crowded, crowd } = desk;
        let of_desk = add_bytes([bytes_of(cells), bytes_of(crowds), bytes_of(crowded), bytes_of(crowd)]);
        let held = [bytes_of(keys), bytes_of(sorted), bytes_of(boxes), bytes_of(starts), bytes_of(squares), of_desk];
        [0, add_bytes(held)[1]]
    }
}

/// Squares one after the other, in jobs of about the same number of boxes. Each job needs memory of its own.
fn jobs<'a>(mut squares: &'a [Square], mut run: &'a mut [u32]) -> impl Iterator<Item = Job<'a>> {
    let least = (run.len() / MAX_JOBS).max(PER_SQUARE);
    core::iter::from_fn(move || {
        let (mut count, mut len) = (0, 0);
        while count < squares.len() && len < least {
            len += squares[count].len as usize;
            count += 1;
        }
        let (first, rest) = squares.split_at(count);
        let (own, after) = take(&mut run).split_at_mut(len);
        (squares, run) = (rest, after);
        (count > 0).then_some(Job { squares: first, run: own })
    })
}

/// Working memory of a sort.
#[derive(Debug, Default)]
struct Desk {
    /// How many boxes each cell has, and later where the next of them goes.
    cells: Vec<u32>,
    crowds: Vec<Crowd>,
    /// The boxes of a crowded cell.
    boxes: Vec<Keyed>,
    /// A copy of a crowd among them, to sort from.
    crowd: Vec<Keyed>,
}

impl Desk {
    /// Writes the numbers of the boxes in a square in order.
    #[expect(clippy::cast_possible_truncation, reason = "slots are fewer than 2^31")]
    fn sort_square<S: Scalar, F: Fn(u32) -> Aabb<S>>(
        &mut self,
        source: &Source<'_, F>,
        square: &Square,
        boxes: impl Iterator<Item = Keyed> + Clone,
        run: &mut [u32],
    ) {
        self.begin(square.sides);
        boxes.clone().for_each(|one| self.cells[one.cell()] += 1);
        let crowd = Crowd { first: 0, len: source.count as u32, turn: square.turn, digits: 2 };
        self.walk(square.level, square.sides, crowd);
        boxes.for_each(|one| {
            let slot = &mut self.cells[one.cell()];
            run[*slot as usize] = one.id();
            *slot += 1;
        });
        self.sort_crowds(source, run);
    }

    fn sort_crowds<S: Scalar, F: Fn(u32) -> Aabb<S>>(&mut self, source: &Source<'_, F>, run: &mut [u32]) {
        let mut boxes = take(&mut self.boxes);
        while let Some(whole) = self.crowds.pop() {
            let others = self.crowds.len();
            let ids = &mut run[whole.first as usize..][..whole.len as usize];
            let key = |at: u32| source.keys.get(at as usize).copied().unwrap_or(0);
            boxes.clear();
            boxes.extend(ids.iter().map(|&at| Keyed::new(key(at), at)));
            self.crowds.push(Crowd { first: 0, ..whole });
            while self.crowds.len() > others {
                let Some(crowd) = self.crowds.pop() else { break };
                let run = &mut boxes[crowd.first as usize..][..crowd.len as usize];
                self.crowd.clear();
                self.crowd.extend_from_slice(run);
                if crowd.digits > 0 && crowd.len <= LARGE {
                    self.sort_by_block(crowd, run);
                } else {
                    self.sort_by_grid(source, crowd, run);
                }
            }
            boxes.iter().zip(ids).for_each(|(one, id)| *id = one.id());
        }
        self.boxes = boxes;
    }

    /// Sorts a crowd by the next three bits of its boxes' positions.
    fn sort_by_block(&mut self, crowd: Crowd, run: &mut [Keyed]) {
        let shift = BLOCK * u32::from(crowd.digits - 1);
        let cell = |one: Keyed| {
            let (key, side) = (one.key(), (1 << BLOCK) - 1);
            ((key >> (PLACE + shift) & side) << BLOCK | (key >> shift & side)) as usize
        };
        let mut slots = [0; BLOCK_CELLS];
        self.crowd.iter().for_each(|&one| slots[cell(one)] += 1);
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
        for &one in &self.crowd {
            let slot = &mut slots[cell(one)];
            run[*slot as usize] = one;
            *slot += 1;
        }
    }

    /// Sorts a crowd with its own grid.
    fn sort_by_grid<S: Scalar, F: Fn(u32) -> Aabb<S>>(
        &mut self,
        source: &Source<'_, F>,
        crowd: Crowd,
        run: &mut [Keyed],
    ) {
        let boxes = self.crowd.iter().map(|one| (source.at)(one.id()));
        let Some(grid) = Grid::new(kernel::dispatch(Spread(boxes)), source.size, run.len()) else { return };
        self.begin(grid.sides);
        for one in &mut self.crowd {
            *one = Keyed::new(grid.key(grid.place(&(source.at)(one.id()))), one.id());
            self.cells[one.cell()] += 1;
        }
        self.walk(level_of(grid.sides), grid.sides, crowd);
        for &one in &self.crowd {
            let slot = &mut self.cells[one.cell()];
            run[(*slot - crowd.first) as usize] = one;
            *slot += 1;
        }
    }

    /// No box has been counted; free places come after the cells.
    fn begin(&mut self, [width, height]: [u32; 2]) {
        let cells = width as usize * height as usize + 1;
        self.cells.clear();
        make_room(&mut self.cells, cells);
        self.cells.resize(cells, 0);
    }

    /// Walks the cells in a square of a level along the curve and turns counts of boxes into the slots at which they
    /// begin.
    fn walk(&mut self, level: u32, sides: [u32; 2], crowd: Crowd) {
        let (cells, crowds) = (&mut self.cells[..], &mut self.crowds);
        let mut walk = Walk { sides, cells, crowds, all: crowd.len, end: crowd.first };
        along(sides, [level, BLOCK], [0, 0], crowd.turn, &mut |at, turn| walk.block(at, turn));
        *walk.cells.last_mut().expect("there are cells") = walk.end;
    }
}

/// A walk through the cells of a grid.
struct Walk<'a> {
    sides: [u32; 2],
    cells: &'a mut [u32],
    crowds: &'a mut Vec<Crowd>,
    /// How many boxes there are in all cells, or in those of all squares.
    all: u32,
    /// The slot after those of the cells visited so far.
    end: u32,
}

impl Walk<'_> {
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

/// How far the middles of all boxes spread, or of those in a sample of the packs. Others are in cells at the border.
fn spread_of<S: Scalar>(packs: &[Sixteen<S>]) -> [[f64; 2]; 2] {
    let some = packs.iter().step_by(packs.len().div_ceil(SAMPLE).max(1));
    kernel::dispatch(Spread(some.flat_map(Sixteen::boxes)))
}

/// The task of finding how far the middles of some boxes spread.
struct Spread<I>(I);

impl<S: Scalar, I: Iterator<Item = Aabb<S>>> Task for Spread<I> {
    type Output = [[f64; 2]; 2];

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) -> [[f64; 2]; 2] {
        // The greatest ones negated: four numbers that are compared at once.
        let mut least = [f64::INFINITY; 4];
        for bounds in self.0 {
            // In free places this is NaN, and so not less; for integers it is 0, which does no harm.
            let [x, y] = both(|axis| middle(bounds.min[axis], bounds.max[axis]));
            let now = [x, y, -x, -y];
            least = array::from_fn(|at| least[at].lesser(now[at]));
        }
        let [low_x, low_y, high_x, high_y] = least;
        [[low_x, low_y], [-high_x, -high_y]]
    }
}

/// The task of finding the keys of all boxes.
struct Locate<'a, S> {
    packs: &'a [Sixteen<S>],
    grid: Grid,
    keys: &'a mut [u32],
}

impl<S: Scalar> Task for Locate<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) {
        for (keys, pack) in self.keys.chunks_exact_mut(LANES).zip(self.packs) {
            self.grid.keys(pack.lanes(), keys.try_into().expect("packs are whole"));
        }
    }
}

/// The task of putting the boxes of a chunk into squares. Their order stays.
struct Divide<'a, S> {
    packs: &'a [Sixteen<S>],
    /// The slot of the first.
    first: usize,
    squares: Squares,
    keys: &'a mut [u32],
    /// Room for the number of each box's square.
    numbers: &'a mut Vec<u32>,
    starts: &'a mut [u32],
    boxes: &'a mut [Keyed],
}

impl<S: Scalar> Task for Divide<'_, S> {
    type Output = ();

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "slots are fewer than 2^31")]
    fn run<K: Kernel>(self, _: K) {
        let Self { packs, first, squares, keys, numbers, starts, boxes } = self;
        numbers.clear();
        numbers.resize(keys.len(), 0);
        let bounds = packs.iter().flat_map(Sixteen::boxes);
        for ((number, key), bounds) in numbers.iter_mut().zip(keys.iter_mut()).zip(bounds) {
            (*number, *key) = squares.locate(&bounds);
        }
        numbers.iter().for_each(|number| starts[*number as usize] += 1);
        let (mut next, mut end) = ([0; MAX_SQUARES + 1], 0);
        for (next, start) in next.iter_mut().zip(starts) {
            let len = *start;
            (*next, *start) = (end, first as u32 + end);
            end += len;
        }
        for ((slot, number), key) in (first as u32..).zip(numbers).zip(keys) {
            let place = &mut next[*number as usize];
            boxes[*place as usize] = Keyed::new(*key, slot);
            *place += 1;
        }
    }
}
