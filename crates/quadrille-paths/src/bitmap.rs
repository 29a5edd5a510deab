//! A padded bitmap whose set bits stop a scan, 64 cells at a time.
//!
//! One bit per cell in 64-bit words, line after line, with a border of set bits one cell wide, so that no scan and
//! no look at a neighbour needs a test for the map's edge. Positions are *padded* ones: cell (x, y) lies at
//! column x + 1 of line y + 1. A second bitmap with rows and columns exchanged makes vertical scans as cheap as horizontal
//! ones. Block-wise scanning follows D. Harabor and A. Grastien, *Improving Jump Point Search*, ICAPS 2014.

/// Bits per word.
const WORD: usize = u64::BITS as usize;

/// Lines of bits with a border; every bit starts out set.
#[derive(Clone, Debug)]
pub(crate) struct Bitmap {
    words: Vec<u64>,
    /// Words per line.
    stride: usize,
}

impl Bitmap {
    /// A bitmap of `lines` x `columns` cells, not counting the border, with all bits set.
    pub(crate) fn filled(columns: u32, lines: u32) -> Self {
        let stride = (columns as usize + 2).div_ceil(WORD);
        // One word more than the lines need: a scan looks into the word after the one it starts in.
        Self { words: vec![u64::MAX; stride * (lines as usize + 2) + 1], stride }
    }

    /// The words of one padded line.
    pub(crate) fn line(&self, line: usize) -> &[u64] {
        &self.words[line * self.stride..][..self.stride]
    }

    /// Whether the bit is set.
    #[inline]
    pub(crate) fn get(&self, column: usize, line: usize) -> bool {
        self.words[line * self.stride + column / WORD] >> (column % WORD) & 1 == 1
    }

    /// Three bits of a line: the column before this one lowest, then this one, then the one after.
    #[inline]
    pub(crate) fn three(&self, column: usize, line: usize) -> u64 {
        let (index, shift) = self.locate(column - 1, line);
        (self.words[index] >> shift | self.words[index + 1] << 1 << (WORD - 1 - shift)) & 0b111
    }

    /// Sets or clears one bit.
    #[inline]
    pub(crate) fn set(&mut self, column: usize, line: usize, bit: bool) {
        let word = &mut self.words[line * self.stride + column / WORD];
        *word = *word & !(1 << (column % WORD)) | u64::from(bit) << (column % WORD);
    }

    /// How many steps forward from here to the next set bit; at least 1.
    #[inline]
    pub(crate) fn ahead(&self, column: usize, line: usize) -> usize {
        let mut steps = 1;
        loop {
            let (index, shift) = self.locate(column + steps, line);
            let block = self.words[index] >> shift | self.words[index + 1] << 1 << (WORD - 1 - shift);
            if block != 0 {
                return steps + block.trailing_zeros() as usize;
            }
            steps += WORD;
        }
    }

    /// How many steps backward from here to the next set bit; at least 1. Not for the border itself.
    #[inline]
    pub(crate) fn behind(&self, column: usize, line: usize) -> usize {
        let mut steps = 1;
        loop {
            let (index, shift) = self.locate(column - steps, line);
            let block = self.words[index] << (WORD - 1 - shift) | self.words[index - 1] >> 1 >> shift;
            if block != 0 {
                return steps + block.leading_zeros() as usize;
            }
            steps += WORD;
        }
    }

    /// The first clear bit of a line from a column on.
    pub(crate) fn next_clear(&self, column: usize, line: usize) -> Option<usize> {
        let clear = |index: usize, from: usize| !self.line(line)[index] & (u64::MAX << from);
        let first = column / WORD;
        let mut words =
            (first..self.stride).map(|index| (index, clear(index, if index == first { column % WORD } else { 0 })));
        words.find(|(_, clear)| *clear != 0).map(|(index, clear)| index * WORD + clear.trailing_zeros() as usize)
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    const fn locate(&self, column: usize, line: usize) -> (usize, usize) {
        (line * self.stride + column / WORD, column % WORD)
    }
}
