//! Heads of lists, one for each cell of a grid.

use alloc::vec::Vec;
use core::ops::Range;

use super::{BitPyramid, NONE, add_bytes, bytes_of};
use crate::error::Corruption;
use crate::geometry::Span;

/// A table with the list head of each cell of a grid, 4 bytes each, and an occupancy pyramid above it, 1 to 2 bits per
/// cell, which leads any walk past empty cells, empty ends of rows and empty rows at the same cost.
///
/// Only rows in use exist. They are stored side by side in any order. An empty row is released in
/// [`free_rows`](Self::free_rows), and the last one moves into its place.
///
/// ```text
/// row          0     1     2     3
/// blocks       NONE  1     NONE  0        where the heads of the row are
/// owners       3     1                    whose heads are there
/// heads        ├ row 3 ┤├ row 1 ┤
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Heads {
    columns: usize,
    /// A cell's number is its row, shifted by this much, plus its column: rows begin at multiples of a power of two, so
    /// that converting back needs no division.
    shift: u32,
    occupied: BitPyramid,
    blocks: Vec<u32>,
    owners: Vec<u32>,
    heads: Vec<u32>,
}

/// Memory for this many heads (4 KB) is kept: rows of a few wandering huge boxes come and go without allocating.
const KEPT: usize = 1024;

impl Heads {
    /// Empty lists for all cells up to the last column and row.
    pub(crate) fn new([last_column, last_row]: [u32; 2]) -> Self {
        let (columns, rows) = (last_column as usize + 1, last_row as usize + 1);
        let shift = columns.next_power_of_two().trailing_zeros();
        Self {
            columns,
            shift,
            occupied: BitPyramid::new(rows << shift),
            blocks: alloc::vec![NONE; rows],
            owners: Vec::with_capacity(rows),
            heads: Vec::with_capacity(KEPT.min(columns * rows)),
        }
    }

    /// Empties all lists; memory is kept.
    pub(crate) fn clear(&mut self) {
        self.occupied.clear();
        self.blocks.fill(NONE);
        self.owners.clear();
        self.heads.clear();
    }

    /// The parts of the grid that the pyramid marks as occupied, with their height above the cells. Each is a
    /// rectangle, because rows begin at multiples of a power of two: 64^height cells of a row, or as many whole rows.
    pub(crate) fn pyramid(&self) -> impl Iterator<Item = (u32, Span)> {
        self.occupied.upper().map(|(height, at)| {
            let width = 1_usize << (6 * height);
            let last = (at * width + width).min(self.limit()) - 1;
            let (lo, hi) = (self.cell(at * width), self.cell(last));
            let hi_column = hi[0].min(self.cell(self.columns - 1)[0]);
            (height, Span { lo, hi: [hi_column, hi[1]] })
        })
    }

    /// Numbers of cells are below this.
    pub(crate) fn limit(&self) -> usize {
        self.blocks.len() << self.shift
    }

    /// The number of a cell. Ascends column by column, then row by row, also beyond the last column.
    #[inline]
    pub(crate) fn number(&self, [column, row]: [u32; 2]) -> usize {
        ((row as usize) << self.shift) + column as usize
    }

    #[inline]
    // Casts: columns and rows are counted in u32.
    fn cell(&self, number: usize) -> [u32; 2] {
        [(number & ((1 << self.shift) - 1)) as u32, (number >> self.shift) as u32]
    }

    /// The head of a list; [`NONE`] if it is empty.
    #[inline]
    pub(crate) fn get(&self, [column, row]: [u32; 2]) -> u32 {
        self.row(row).get(column as usize).copied().unwrap_or(NONE)
    }

    /// The heads of the four neighbors of a cell with higher numbers: east, north-west, north, north-east. [`NONE`]
    /// if there is no cell.
    #[inline]
    pub(crate) fn later(&self, [column, row]: [u32; 2]) -> [u32; 4] {
        let (own, north, column) = (self.row(row), self.row(row + 1), column as usize);
        let at = |row: &[u32], column: usize| row.get(column).copied().unwrap_or(NONE);
        [at(own, column + 1), at(north, column.wrapping_sub(1)), at(north, column), at(north, column + 1)]
    }

    /// The heads of a row; none if it is not in use or beyond the last.
    #[inline]
    fn row(&self, row: u32) -> &[u32] {
        match self.blocks.get(row as usize) {
            Some(&block) if block != NONE => &self.heads[block as usize * self.columns..][..self.columns],
            _ => &[],
        }
    }

    /// Lets `change` put something into a list or take something out.
    #[inline]
    pub(crate) fn change<R>(&mut self, cell: [u32; 2], change: impl FnOnce(&mut u32) -> R) -> R {
        let number = self.number(cell);
        let [column, row] = cell;
        if self.blocks[row as usize] == NONE {
            self.add_row(row);
        }
        let head = &mut self.heads[self.blocks[row as usize] as usize * self.columns + column as usize];
        let was = *head;
        let result = change(head);
        match (was, *head) {
            (NONE, NONE) => {}
            (NONE, _) => self.occupied.insert(number),
            (_, NONE) => self.occupied.remove(number),
            _ => {}
        }
        result
    }

    fn add_row(&mut self, row: u32) {
        self.blocks[row as usize] = self.owners.len() as u32;
        self.owners.push(row);
        self.heads.resize(self.owners.len() * self.columns, NONE);
    }

    /// Releases the empty rows, and memory once three quarters of it are unused.
    pub(crate) fn free_rows(&mut self) {
        for block in (0..self.owners.len()).rev() {
            if self.row_is_empty(self.owners[block]) {
                self.free_row(block);
            }
        }
        if self.heads.len() < self.heads.capacity() / 4 {
            self.heads.shrink_to(KEPT.max(2 * self.heads.len()));
        }
    }

    fn row_is_empty(&self, row: u32) -> bool {
        self.occupied.next(self.number([0, row])).is_none_or(|number| number >= self.number([0, row + 1]))
    }

    fn free_row(&mut self, block: usize) {
        self.blocks[self.owners.swap_remove(block) as usize] = NONE;
        let last = self.owners.len();
        if let Some(&moved) = self.owners.get(block) {
            self.blocks[moved as usize] = block as u32;
            self.heads.copy_within(last * self.columns.., block * self.columns);
        }
        self.heads.truncate(last * self.columns);
    }

    /// The cells of a span whose lists are not empty, with their heads, row by row.
    #[inline]
    pub(crate) fn in_span(&self, span: Span) -> Occupied<'_> {
        Occupied { heads: self, span, at: self.number(span.lo), end: self.number(span.hi) + 1 }
    }

    /// All cells whose lists are not empty, with their heads, row by row.
    pub(crate) fn iter(&self) -> Occupied<'_> {
        self.numbered(0..self.limit())
    }

    /// The cells with these numbers whose lists are not empty, with their heads, row by row.
    pub(crate) fn numbered(&self, numbers: Range<usize>) -> Occupied<'_> {
        let span = Span { lo: [0; 2], hi: self.cell(self.limit() - 1) };
        Occupied { heads: self, span, at: numbers.start, end: numbers.end }
    }

    /// Cells that exist: those of rows in use.
    pub(crate) fn cells(&self) -> usize {
        self.heads.len()
    }

    pub(crate) fn bytes(&self) -> [usize; 2] {
        add_bytes([self.occupied.bytes(), bytes_of(&self.blocks), bytes_of(&self.owners), bytes_of(&self.heads)])
    }

    /// All cells up to the last column and row exist, rows and blocks refer to each other, and exactly the cells with
    /// non-empty lists are marked as occupied. Terminates without a panic, whatever the table says.
    #[inline]
    pub(crate) fn validate(&self, [last_column, last_row]: [u32; 2]) -> Result<(), Corruption> {
        let (columns, rows) = (last_column as usize + 1, last_row as usize + 1);
        let shift = columns.next_power_of_two().trailing_zeros();
        Corruption::unless((self.columns, self.shift, self.blocks.len()) == (columns, shift, rows), || {
            alloc::format!("{} columns and {} rows of {columns} and {rows}", self.columns, self.blocks.len())
        })?;
        self.occupied.validate(self.limit())?;
        let in_use = self.blocks.iter().filter(|&&block| block != NONE).count();
        Corruption::unless(in_use == self.owners.len() && self.heads.len() == in_use * self.columns, || {
            alloc::format!("{in_use} rows in use, {} blocks, {} heads", self.owners.len(), self.heads.len())
        })?;
        let mut marked = 0;
        for (block, &row) in (0..).zip(&self.owners) {
            Corruption::unless(self.blocks.get(row as usize) == Some(&block), || {
                alloc::format!("block {block} is of row {row}, which has block {:?}", self.blocks.get(row as usize))
            })?;
            for (column, &head) in (0..).zip(&self.heads[block as usize * self.columns..][..self.columns]) {
                let mark = self.occupied.contains(self.number([column, row]));
                marked += usize::from(mark);
                Corruption::unless(mark == (head != NONE), || {
                    alloc::format!("the list of column {column}, row {row} begins with {head}; occupied: {mark}")
                })?;
            }
        }
        let marks = core::iter::successors(self.occupied.next(0), |&at| self.occupied.next(at + 1)).count();
        Corruption::unless(marks == marked, || alloc::format!("{marks} cells occupied, {marked} in rows in use"))
    }
}

/// Iterator over the occupied cells of a span.
#[derive(Clone, Debug)]
pub(crate) struct Occupied<'a> {
    heads: &'a Heads,
    span: Span,
    /// The number of the next cell to look at, and the one after the last.
    at: usize,
    end: usize,
}

impl Iterator for Occupied<'_> {
    type Item = ([u32; 2], u32);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        // In an empty span the first cell comes after the last one, or all columns are left of the first.
        while self.at < self.end {
            let number = self.heads.occupied.next(self.at).filter(|&number| number < self.end)?;
            let [column, row] = self.heads.cell(number);
            if column < self.span.lo[0] {
                self.at = self.heads.number([self.span.lo[0], row]);
            } else if column > self.span.hi[0] {
                self.at = self.heads.number([self.span.lo[0], row + 1]);
            } else {
                self.at = number + 1;
                return Some(([column, row], self.heads.get([column, row])));
            }
        }
        None
    }
}

impl Occupied<'_> {
    /// Those of them that are wanted and that `reaches` lets pass. It tests each wanted cell and, after rejecting one,
    /// the next one in the row, the next two, four and so on; cells rejected together are skipped.
    ///
    /// The last two cells of a row are only tested one by one: at the border of the world they may be unbounded.
    pub(crate) fn galloping(
        mut self,
        is_wanted: impl Fn([u32; 2]) -> bool,
        reaches: impl Fn(&Span) -> bool,
    ) -> impl Iterator<Item = ([u32; 2], u32)> {
        core::iter::from_fn(move || {
            loop {
                let (cell, head) = self.by_ref().find(|&(cell, _)| is_wanted(cell))?;
                if reaches(&Span { lo: cell, hi: cell }) {
                    return Some((cell, head));
                }
                self.gallop(cell, &reaches);
            }
        })
    }

    /// Skips cells after one in its row, as long as `reaches` rejects them.
    fn gallop(&mut self, [mut column, row]: [u32; 2], reaches: &impl Fn(&Span) -> bool) {
        let last = self.span.hi[0].saturating_sub(2);
        let mut width = 1;
        while column < last {
            let next = (column + width).min(last);
            if reaches(&Span { lo: [column + 1, row], hi: [next, row] }) {
                break;
            }
            (column, width) = (next, 2 * width);
        }
        self.at = self.at.max(self.heads.number([column + 1, row]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn validate(heads: &Heads) {
        let [columns, rows] = [heads.columns, heads.blocks.len()].map(|count| u32::try_from(count).unwrap());
        heads.validate([columns - 1, rows - 1]).unwrap();
    }

    fn set(heads: &mut Heads, cell: [u32; 2], value: u32) {
        heads.change(cell, |head| *head = value);
        validate(heads);
    }

    #[test]
    fn a_span_is_walked_row_by_row_past_what_is_empty() {
        for last in [[0, 0], [99, 0], [0, 99], [63, 40], [64, 40], [130, 70]] {
            let mut heads = Heads::new(last);
            let everything = Span { lo: [0, 0], hi: last };
            for (at, cell) in everything.cells().enumerate().filter(|(at, _)| at % 7 == 0 && at / 300 % 2 == 0) {
                heads.change(cell, |head| *head = at as u32);
            }
            validate(&heads);
            assert_eq!(heads.iter().count(), heads.in_span(everything).count());
            for lo in [[0, 0], [3, 7], [60, 1], last] {
                for hi in [[0, 0], [3, 7], [64, 30], last] {
                    let span = Span { lo, hi: [0, 1].map(|axis| last[axis].min(hi[axis])) };
                    let expected = span.cells().map(|cell| (cell, heads.get(cell))).filter(|&(_, head)| head != NONE);
                    assert!(heads.in_span(span).eq(expected), "{last:?} {span:?}");
                }
            }
            assert_eq!(heads.in_span(Span::EMPTY).count(), 0);
        }
    }

    #[test]
    fn galloping_passes_over_what_is_not_reached_and_over_nothing_else() {
        let last = [99, 50];
        let mut heads = Heads::new(last);
        let everything = Span { lo: [0, 0], hi: last };
        for (at, cell) in everything.cells().enumerate().filter(|(at, _)| at % 11 != 0) {
            heads.change(cell, |head| *head = at as u32);
        }
        for (middle, radius) in [([50, 25], 20), ([-300, 25], 310), ([20, -400], 405), ([99, 50], 3), ([7, 7], 500)] {
            let is_near = |cell: [u32; 2]| {
                [0, 1].map(|axis| (i64::from(cell[axis]) - middle[axis]).pow(2)).iter().sum::<i64>() < radius * radius
            };
            let asked = core::cell::Cell::new(0);
            let reaches = |cells: &Span| {
                asked.set(asked.get() + 1);
                cells.cells().any(is_near)
            };
            for span in [everything, Span { lo: [3, 1], hi: [98, 49] }, Span { lo: [5, 5], hi: [6, 30] }, Span::EMPTY] {
                let expected = heads.in_span(span).filter(|&(cell, _)| is_near(cell));
                assert!(heads.in_span(span).galloping(|_| true, reaches).eq(expected), "{middle:?} {radius} {span:?}");
            }
            asked.set(0);
            let found = heads.in_span(everything).galloping(|_| true, reaches).count();
            assert!(asked.get() < 3 * found + 51 * 20, "{middle:?} {radius}: {} times for {found}", asked.get());
        }
    }

    #[test]
    fn later_neighbors_are_those_with_higher_numbers() {
        let mut heads = Heads::new([3, 2]);
        for cell in (Span { lo: [0, 0], hi: [3, 2] }).cells() {
            set(&mut heads, cell, 10 * cell[1] + cell[0]);
        }
        assert_eq!(heads.later([1, 1]), [12, 20, 21, 22]);
        assert_eq!(heads.later([0, 0]), [1, NONE, 10, 11], "nothing is west of the first column");
        assert_eq!(heads.later([3, 1]), [NONE, 22, 23, NONE], "nor east of the last");
        assert_eq!(heads.later([2, 2]), [23, NONE, NONE, NONE]);
        assert_eq!(Heads::new([3, 2]).later([1, 1]), [NONE; 4], "rows that do not exist");
    }

    #[test]
    fn rows_come_and_go_with_what_they_list() {
        let mut heads = Heads::new([999, 9]);
        assert_eq!(heads.cells(), 0);
        for row in 0..10 {
            set(&mut heads, [3, row], 10 * row);
        }
        assert_eq!(heads.cells(), 10_000);
        for row in [0, 1, 3, 4, 6, 8, 9] {
            set(&mut heads, [3, row], NONE);
        }
        heads.free_rows();
        validate(&heads);
        assert_eq!(heads.cells(), 3000);
        set(&mut heads, [3, 7], NONE);
        heads.free_rows();
        validate(&heads);
        assert_eq!(heads.cells(), 2000);
        assert!(heads.iter().eq([([3, 2], 20), ([3, 5], 50)]));
        set(&mut heads, [3, 2], NONE);
        set(&mut heads, [3, 5], NONE);
        heads.free_rows();
        validate(&heads);
        assert_eq!((heads.cells(), heads.heads.capacity()), (0, KEPT), "memory is given back");
        set(&mut heads, [999, 9], 1);
        heads.clear();
        validate(&heads);
        assert_eq!(heads.iter().count(), 0);
    }
}
