//! A padded bitmap of walls, scanned 64 cells at a time.
//!
//! One bit per cell in 64-bit words, line after line, with a border of set bits one cell wide, so that neither scans
//! nor accesses to neighbors need to test for the map's edge. Positions are *padded*: the columns and lines of
//! cells count from 1. A second bitmap with rows and columns exchanged makes vertical scans as cheap as horizontal ones.
//! Block-wise scanning follows D. Harabor and A. Grastien, *Improving Jump Point Search*, ICAPS 2014.

/// Bits per word.
const WORD: usize = u64::BITS as usize;

/// Lines of bits with a border; every bit starts out set.
#[derive(Clone, Debug)]
pub(crate) struct Bitmap {
    words: Vec<u64>,
    /// By word, whether it or the word at the same place in the line before or after has a bit set. If not, no walk
    /// stops there: on open ground, scans skip 64 words at a time.
    busy: Vec<u64>,
    /// Words per line.
    stride: usize,
}

/// The cell beside a wall at which a walk along it stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WallEnd {
    /// At the first cell behind the wall's end.
    Behind,
    /// At the last cell beside the wall.
    Beside,
    /// At the last cell before the wall's start: where a walk the other way stops [`Behind`](Self::Behind) it.
    Before,
    /// At the first cell beside the wall: where a walk the other way stops [`Beside`](Self::Beside) it.
    Start,
}

impl WallEnd {
    /// The same cells for a walk the other way.
    pub(crate) const fn reversed(self) -> Self {
        match self {
            Self::Behind => Self::Before,
            Self::Beside => Self::Start,
            Self::Before => Self::Behind,
            Self::Start => Self::Beside,
        }
    }

    /// Set where a walk toward higher bits stops beside these walls; the first bit and the last mean nothing. Without a
    /// branch, because walks are short.
    #[inline]
    const fn bits(self, walls: u64) -> u64 {
        let (turn, flip) = match self {
            Self::Behind => (1, 0),
            Self::Beside => (63, u64::MAX),
            Self::Before => (63, 0),
            Self::Start => (1, u64::MAX),
        };
        (walls.rotate_left(turn) ^ flip) & !(walls ^ flip)
    }
}

impl Bitmap {
    /// A bitmap of `lines` x `columns` cells, not counting the border, with all bits set.
    pub(crate) fn filled(columns: u32, lines: u32) -> Self {
        let stride = (columns as usize + 2).div_ceil(WORD);
        // An extra word before and after the lines: scans read both neighbors of the word they are in.
        let count = stride * (lines as usize + 2) + 2;
        Self { words: vec![u64::MAX; count], busy: vec![u64::MAX; count.div_ceil(WORD)], stride }
    }

    /// The bits of a rectangle of `lines` x `columns` cells, of which the first is in this column and line, counted
    /// without the border; with a border of its own.
    pub(crate) fn part(&self, (column, line): (u32, u32), columns: u32, lines: u32) -> Self {
        let mut part = Self::filled(columns, lines);
        for at in 1..=lines as usize {
            for word in 0..part.stride {
                let bits = self.from(column as usize + word * WORD, line as usize + at);
                let (before, end) = (u64::from(word == 0), columns as usize + 1 - word * WORD);
                let after = if end < WORD { u64::MAX << end } else { 0 };
                part.words[1 + at * part.stride + word] = bits | before | after;
            }
        }
        let is_set = |index: usize| part.words.get(index).is_some_and(|word| *word != 0);
        for index in 0..part.words.len() {
            let is_busy = is_set(index.wrapping_sub(part.stride)) || is_set(index) || is_set(index + part.stride);
            part.busy[index / WORD] &= !(u64::from(!is_busy) << (index % WORD));
        }
        part
    }

    /// The words of one padded line.
    pub(crate) fn line(&self, line: usize) -> &[u64] {
        &self.words[1 + line * self.stride..][..self.stride]
    }

    /// Whether the bit is set.
    #[inline]
    pub(crate) fn get(&self, column: usize, line: usize) -> bool {
        let (index, shift) = self.locate(column, line);
        self.words[index] >> shift & 1 == 1
    }

    /// Three bits of a line: the column before this one lowest, then this one, then the one after.
    #[inline]
    pub(crate) fn three(&self, column: usize, line: usize) -> u64 {
        self.from(column - 1, line) & 0b111
    }

    /// Sets or clears one bit.
    #[inline]
    pub(crate) fn set(&mut self, column: usize, line: usize, bit: bool) {
        let (index, shift) = self.locate(column, line);
        let word = &mut self.words[index];
        let was = *word;
        *word = was & !(1 << shift) | u64::from(bit) << shift;
        if (was == 0) != (*word == 0) {
            self.note_busy(index);
        }
    }

    /// Records for a word and those beside it on other lines whether walks may stop there.
    #[cold]
    fn note_busy(&mut self, index: usize) {
        for index in [index - self.stride, index, index + self.stride] {
            let around = [index.checked_sub(self.stride), Some(index), Some(index + self.stride)];
            let is_set = |index: usize| self.words.get(index).is_some_and(|word| *word != 0);
            let is_busy = around.into_iter().flatten().any(is_set);
            let bits = &mut self.busy[index / WORD];
            *bits = *bits & !(1 << (index % WORD)) | u64::from(is_busy) << (index % WORD);
        }
    }

    /// The first busy word from this one on. There always is one: the word with the border at the end of the line.
    fn next_busy(&self, index: usize) -> usize {
        let mut at = index / WORD;
        let mut bits = self.busy[at] & u64::MAX << (index % WORD);
        while bits == 0 {
            at += 1;
            bits = self.busy[at];
        }
        at * WORD + bits.trailing_zeros() as usize
    }

    /// The last busy word up to this one.
    fn last_busy(&self, index: usize) -> usize {
        let mut at = index / WORD;
        let mut bits = self.busy[at] & u64::MAX >> (WORD - 1 - index % WORD);
        while bits == 0 {
            at -= 1;
            bits = self.busy[at];
        }
        at * WORD + WORD - 1 - bits.leading_zeros() as usize
    }

    /// The column at or after this one from which to continue if nothing causes a stop before the next busy word: two
    /// columns before that word, because a stop may lie one column before its cause.
    #[inline]
    fn skip_ahead(&self, column: usize, line: usize) -> usize {
        let (index, _) = self.locate(column, line);
        column.max((self.next_busy(index) * WORD - (1 + line * self.stride) * WORD).saturating_sub(2))
    }

    /// The same backward.
    #[inline]
    fn skip_behind(&self, column: usize, line: usize) -> usize {
        let (index, _) = self.locate(column, line);
        column.min((self.last_busy(index) - 1 - line * self.stride) * WORD + WORD + 1)
    }

    /// How many steps forward from here to the next set bit; at least 1.
    #[inline]
    pub(crate) fn ahead(&self, column: usize, line: usize) -> usize {
        let mut steps = 1;
        loop {
            let block = self.from(column + steps, line);
            if block != 0 {
                return steps + block.trailing_zeros() as usize;
            }
            steps = self.skip_ahead(column + steps + WORD, line) - column;
        }
    }

    /// How many steps backward from here to the next set bit; at least 1. Not for the border itself.
    #[inline]
    pub(crate) fn behind(&self, column: usize, line: usize) -> usize {
        let mut steps = 1;
        loop {
            let block = self.up_to(column - steps, line);
            if block != 0 {
                return steps + block.leading_zeros() as usize;
            }
            steps = column - self.skip_behind(column - steps - WORD, line);
        }
    }

    /// How many steps forward, at least 1, to where a walk ends: at a set bit, or where a wall on either side ends
    /// (true).
    #[inline]
    pub(crate) fn walk_ahead(&self, column: usize, line: usize, end: WallEnd) -> (usize, bool) {
        // Most walks end in the word in which they start.
        let (index, shift) = self.locate(column, line);
        let word = |index: usize| self.words[index] >> shift;
        let (above, here, below) = (word(index - self.stride), word(index), word(index + self.stride));
        let stops = (here | end.bits(above) | end.bits(below)) & (u64::MAX >> 1 >> shift & !1);
        if stops != 0 {
            let first = stops.trailing_zeros();
            return (first as usize, here >> first & 1 == 0);
        }
        self.walk_far_ahead(column, line, end)
    }

    #[inline(never)]
    fn walk_far_ahead(&self, column: usize, line: usize, end: WallEnd) -> (usize, bool) {
        let (start, mut column) = (column, column);
        loop {
            // Bit i is i steps ahead. Bit 0 is done, and bit 63 may depend on the next word.
            let here = self.from(column, line);
            let beside = end.bits(self.from(column, line - 1)) | end.bits(self.from(column, line + 1));
            let stops = (here | beside) & (u64::MAX >> 1 & !1);
            if stops != 0 {
                let first = stops.trailing_zeros();
                return (column - start + first as usize, here >> first & 1 == 0);
            }
            column = self.skip_ahead(column + WORD - 2, line);
        }
    }

    /// The same backward. Not for the border itself.
    #[inline]
    pub(crate) fn walk_behind(&self, column: usize, line: usize, end: WallEnd) -> (usize, bool) {
        let ((index, shift), end) = (self.locate(column, line), end.reversed());
        let word = |index: usize| self.words[index] << (WORD - 1 - shift);
        let (above, here, below) = (word(index - self.stride), word(index), word(index + self.stride));
        let stops = (here | end.bits(above) | end.bits(below)) & (u64::MAX << 1 << (WORD - 1 - shift) & u64::MAX >> 1);
        if stops != 0 {
            let first = stops.leading_zeros();
            return (first as usize, here << first >> (WORD - 1) == 0);
        }
        self.walk_far_behind(column, line, end)
    }

    #[inline(never)]
    fn walk_far_behind(&self, column: usize, line: usize, end: WallEnd) -> (usize, bool) {
        let (start, mut column) = (column, column);
        loop {
            let here = self.up_to(column, line);
            let beside = end.bits(self.up_to(column, line - 1)) | end.bits(self.up_to(column, line + 1));
            let stops = (here | beside) & (u64::MAX >> 1 & !1);
            if stops != 0 {
                let first = stops.leading_zeros();
                return (start - column + first as usize, here << first >> (WORD - 1) == 0);
            }
            column = self.skip_behind(column + 2 - WORD, line);
        }
    }

    /// Whether all bits of a line from one column to another are clear, and another line has the same bits, up to one
    /// column farther on either side. Not from the border itself.
    #[inline]
    pub(crate) fn is_clear_and_like(&self, mut first: usize, last: usize, line: usize, other: usize) -> bool {
        // The lowest bit is that of the column before.
        let differ = |column: usize| {
            let here = self.from(column - 1, line);
            (here ^ self.from(column - 1, other), here & !1)
        };
        while last - first >= WORD - 2 {
            let (differs, set) = differ(first);
            if differs | set != 0 {
                return false;
            }
            first += WORD - 2;
        }
        let (differs, set) = differ(first);
        let beyond = WORD - 1 - (last - first);
        differs << (beyond - 2) == 0 && set << (beyond - 1) == 0
    }

    /// Whether all bits of a line from one column to another are clear.
    #[inline]
    pub(crate) fn is_clear(&self, mut first: usize, last: usize, line: usize) -> bool {
        while last - first >= WORD {
            if self.from(first, line) != 0 {
                return false;
            }
            first += WORD;
        }
        self.from(first, line) << (WORD - 1 - (last - first)) == 0
    }

    /// The first clear bit of a line at or after a column.
    pub(crate) fn next_clear(&self, column: usize, line: usize) -> Option<usize> {
        let near = !self.from(column, line);
        if near != 0 && (column + near.trailing_zeros() as usize) < self.stride * WORD {
            return Some(column + near.trailing_zeros() as usize);
        }
        let clear = |index: usize, from: usize| !self.line(line)[index] & (u64::MAX << from);
        let first = column / WORD;
        let mut words =
            (first..self.stride).map(|index| (index, clear(index, if index == first { column % WORD } else { 0 })));
        words.find(|(_, clear)| *clear != 0).map(|(index, clear)| index * WORD + clear.trailing_zeros() as usize)
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        (self.words.capacity() + self.busy.capacity()) * size_of::<u64>()
    }

    /// 64 bits of a line, this column's lowest.
    #[inline]
    pub(crate) fn from(&self, column: usize, line: usize) -> u64 {
        let (index, shift) = self.locate(column, line);
        self.words[index] >> shift | self.words[index + 1] << 1 << (WORD - 1 - shift)
    }

    /// 64 bits of a line, this column's highest.
    #[inline]
    fn up_to(&self, column: usize, line: usize) -> u64 {
        let (index, shift) = self.locate(column, line);
        self.words[index] << (WORD - 1 - shift) | self.words[index - 1] >> 1 >> shift
    }

    const fn locate(&self, column: usize, line: usize) -> (usize, usize) {
        (1 + line * self.stride + column / WORD, column % WORD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The walk by its definition, one step at a time.
    fn walk(
        is_set: impl Fn(usize, usize) -> bool,
        (column, line): (usize, usize),
        forward: bool,
        end: WallEnd,
    ) -> (usize, bool) {
        let step = |from: usize, steps: usize| if forward { from + steps } else { from - steps };
        (1..)
            .find_map(|steps| {
                let here = step(column, steps);
                let is_end = |side: usize| match end {
                    WallEnd::Behind => is_set(step(column, steps - 1), side) && !is_set(here, side),
                    WallEnd::Beside => is_set(here, side) && !is_set(step(here, 1), side),
                    WallEnd::Before => !is_set(here, side) && is_set(step(here, 1), side),
                    WallEnd::Start => is_set(here, side) && !is_set(step(column, steps - 1), side),
                };
                if is_set(here, line) {
                    return Some((steps, false));
                }
                (is_end(line - 1) || is_end(line + 1)).then_some((steps, true))
            })
            .unwrap()
    }

    #[test]
    fn walks_end_where_a_wall_is_or_ends() {
        let mut jumps = 0;
        for (seed, walls) in (0..12_u64).flat_map(|seed| [0, 3, 100, 200, 4_000].map(|walls| (seed, walls))) {
            let random = |x: u32, y: u32| {
                let mixed = (u64::from(x) << 9 | u64::from(y)).wrapping_add(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (mixed ^ mixed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40
            };
            // Wide enough for some words without a wall, and for more than 64 of them.
            let (width, height) = if seed < 4 { (9_000, 3) } else { (190, 7) };
            let mut bits = Bitmap::filled(width, height);
            for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
                bits.set(x as usize + 1, y as usize + 1, random(x, y) % 10_000 < walls);
            }
            // A whole run is cleared; the first cell of a word is set again in one line, and the last cell of another
            // word in the next line.
            for (x, y) in (301..width.min(5_000)).flat_map(|x| (0..height).map(move |y| (x, y))) {
                bits.set(x as usize + 1, y as usize + 1, walls > 0 && [(3_327, 0), (3_902, 1)].contains(&(x, y)));
            }
            let is_set = |column: usize, line: usize| {
                column == 0 || line == 0 || column > width as usize || line > height as usize || bits.get(column, line)
            };
            let columns = (1..=width as usize).step_by(if width > 200 { 211 } else { 1 });
            for at in columns.flat_map(|column| (1..=height as usize).map(move |line| (column, line))) {
                for end in [WallEnd::Behind, WallEnd::Beside, WallEnd::Before, WallEnd::Start] {
                    assert_eq!(bits.walk_ahead(at.0, at.1, end), walk(is_set, at, true, end), "{seed} {at:?} {end:?}");
                    assert_eq!(
                        bits.walk_behind(at.0, at.1, end),
                        walk(is_set, at, false, end),
                        "{seed} {at:?} {end:?}"
                    );
                    jumps += usize::from(bits.walk_ahead(at.0, at.1, end).1);
                }
            }
        }
        assert!(jumps > 10_000, "{jumps}");
    }

    #[test]
    fn a_part_has_the_bits_of_its_cells_and_a_border() {
        let (width, height) = (300, 9);
        let mut bits = Bitmap::filled(width, height);
        for (x, y) in (0..width as usize).flat_map(|x| (0..height as usize).map(move |y| (x, y))) {
            bits.set(x + 1, y + 1, x * x % 71 == y || x / 90 == 1);
        }
        for (column, columns) in (0..230).flat_map(|column| [1, 2, 61, 62, 63, 64, 70].map(|columns| (column, columns)))
        {
            let (line, lines) = (column % 5, 1 + column % 4);
            let mut expected = Bitmap::filled(columns, lines);
            for (x, y) in (1..=columns as usize).flat_map(|x| (1..=lines as usize).map(move |y| (x, y))) {
                expected.set(x, y, bits.get(x + column as usize, y + line as usize));
            }
            let part = bits.part((column, line), columns, lines);
            assert!(part.words == expected.words && part.busy == expected.busy, "{column} {columns} {line} {lines}");
        }
    }

    #[test]
    fn a_line_is_clear_and_like_another_as_far_as_asked() {
        let (width, mut alike) = (200, 0);
        let mut bits = Bitmap::filled(width, 2);
        for x in 0..width as usize {
            (1..3).for_each(|line| bits.set(x + 1, line, [17, 50, 51, 190].contains(&x) || x == 120 && line == 2));
        }
        for (first, last) in (1..=200).flat_map(|first| (first..=200).map(move |last| (first, last))) {
            let is_clear = (first..=last).all(|column| !bits.get(column, 1));
            let expected = is_clear && (first - 1..=last + 1).all(|column| bits.get(column, 1) == bits.get(column, 2));
            assert_eq!(bits.is_clear_and_like(first, last, 1, 2), expected, "{first} {last}");
            assert_eq!(first > last || bits.is_clear(first, last, 1), is_clear, "{first} {last}");
            alike += usize::from(expected);
        }
        assert!(alike > 3_000, "{alike}");
    }
}
