//! Divides a sequence, so that several threads can produce it.

use core::ops::Range;

/// One of several consecutive parts of a sequence, all of about the same length. Threads that share a [search for
/// pairs](super::Structure::search_pairs) each get one from the structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    number: usize,
    of: usize,
}

impl Part {
    /// The only part: everything.
    pub const WHOLE: Self = Self { number: 0, of: 1 };

    /// Part `number` of `of`.
    pub(crate) const fn new(number: usize, of: usize) -> Self {
        Self { number, of }
    }

    /// All of `of` parts, in order.
    pub fn all(of: usize) -> impl ExactSizeIterator<Item = Self> {
        (0..of).map(move |number| Self { number, of })
    }

    /// `true` if no part follows.
    pub(crate) fn is_last(self) -> bool {
        self.number + 1 == self.of
    }

    /// Which elements of a sequence of this length belong to the part. The ranges of all parts follow each other
    /// without a gap.
    pub(crate) fn range(self, length: usize) -> Range<usize> {
        let start = |number: usize| (number as u128 * length as u128 / self.of as u128) as usize;
        start(self.number)..start(self.number + 1)
    }

    /// Which elements of each of two sequences belong to the part, if the second sequence follows the first.
    pub(crate) fn ranges(self, [first, second]: [usize; 2]) -> [Range<usize>; 2] {
        let Range { start, end } = self.range(first + second);
        [start.min(first)..end.min(first), start.saturating_sub(first)..end.saturating_sub(first)]
    }

    /// The elements that belong to the part, from a sequence of at most `length` elements.
    #[inline]
    pub(crate) fn of<T>(self, sequence: impl Iterator<Item = T>, length: usize) -> impl Iterator<Item = T> {
        slice(sequence, self.range(length))
    }
}

/// The elements of a sequence at these positions.
#[inline]
pub(super) fn slice<T>(sequence: impl Iterator<Item = T>, positions: Range<usize>) -> impl Iterator<Item = T> {
    sequence.skip(positions.start).take(positions.len())
}

#[cfg(test)]
mod tests {
    use super::Part;
    use alloc::vec::Vec;

    #[test]
    fn parts_follow_each_other_and_are_all() {
        for length in [0, 1, 2, 7, 64, 1000] {
            for of in [1, 2, 3, 7, 64, 65, 1001] {
                let parts: Vec<usize> = Part::all(of).flat_map(|part| part.of(0..length, length)).collect();
                assert!(parts.into_iter().eq(0..length), "{of} parts of {length}");
                let two: Vec<usize> = Part::all(of)
                    .flat_map(|part| {
                        let [first, second] = part.ranges([5, length]);
                        first.chain(second.map(|at| 5 + at))
                    })
                    .collect();
                assert!(two.into_iter().eq(0..5 + length), "{of} parts of 5 and {length}");
                assert!(Part::all(of).all(|part| part.range(length).len() <= length / of + 1));
            }
        }
        assert_eq!(Part::WHOLE.range(usize::MAX), 0..usize::MAX);
    }

    #[test]
    fn the_last_part_is_the_last_of_all() {
        for of in 1..5 {
            let last: Vec<bool> = Part::all(of).map(Part::is_last).collect();
            assert!(last.iter().enumerate().all(|(number, &is_last)| is_last == (number + 1 == of)), "{last:?}");
        }
    }
}
