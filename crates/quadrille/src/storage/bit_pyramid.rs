//! A set of small numbers that is fast to walk however sparse it is.

use alloc::vec::Vec;

use super::{add_bytes, bytes_of};
use crate::error::Corruption;

/// A bit for each number below a fixed limit, and above every 64 bits one bit that says whether any of them is set,
/// and so on up to a single word. Finding the next member from anywhere reads a word or two a level, and there are at
/// most six levels.
///
/// ```text
/// level 1                             0 1 0 1         one bit for each word below that is not zero
/// level 0      00000000 00010010 00000000 10000000    one bit for each number (words of 64, not 8)
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct BitPyramid {
    /// The bits themselves first, the single word last.
    levels: Vec<Vec<u64>>,
}

impl BitPyramid {
    /// The empty set of numbers below `limit`.
    pub(crate) fn new(limit: usize) -> Self {
        Self { levels: Self::lengths(limit).map(|words| alloc::vec![0; words]).collect() }
    }

    /// How many words each level has.
    fn lengths(limit: usize) -> impl Iterator<Item = usize> {
        let words = limit.div_ceil(64).max(1);
        core::iter::successors(Some(words), |&words| (words > 1).then(|| words.div_ceil(64)))
    }

    pub(crate) fn clear(&mut self) {
        self.levels.iter_mut().for_each(|level| level.fill(0));
    }

    #[inline]
    pub(crate) fn contains(&self, at: usize) -> bool {
        self.levels[0][at / 64] >> (at % 64) & 1 != 0
    }

    #[inline]
    pub(crate) fn insert(&mut self, mut at: usize) {
        for level in &mut self.levels {
            let word = &mut level[at / 64];
            let was = core::mem::replace(word, *word | 1 << (at % 64));
            if was != 0 {
                return;
            }
            at /= 64;
        }
    }

    #[inline]
    pub(crate) fn remove(&mut self, mut at: usize) {
        for level in &mut self.levels {
            let word = &mut level[at / 64];
            *word &= !(1 << (at % 64));
            if *word != 0 {
                return;
            }
            at /= 64;
        }
    }

    /// The least member that is not less than `from`.
    #[inline]
    pub(crate) fn next(&self, from: usize) -> Option<usize> {
        let mut at = from;
        for (height, level) in self.levels.iter().enumerate() {
            let rest = level.get(at / 64)? & (!0 << (at % 64));
            if rest != 0 {
                at = at / 64 * 64 + rest.trailing_zeros() as usize;
                let below = self.levels[..height].iter().rev();
                return Some(below.fold(at, |at, level| at * 64 + level[at].trailing_zeros() as usize));
            }
            at = at / 64 + 1;
        }
        None
    }

    /// The upper bits that are set, as (height, position): one of height `h` at `at` says that there is a member from
    /// `at` · 64^`h` on, among that many numbers. The lowest height, 1, first.
    pub(crate) fn upper(&self) -> impl Iterator<Item = (u32, usize)> {
        (0..).zip(&self.levels).skip(1).flat_map(|(height, level)| {
            let positions = move |(word, bits): (usize, &u64)| {
                let bits = *bits;
                (0..64).filter(move |bit| bits >> bit & 1 != 0).map(move |bit| word * 64 + bit)
            };
            level.iter().enumerate().flat_map(positions).map(move |at| (height, at))
        })
    }

    pub(crate) fn bytes(&self) -> [usize; 2] {
        add_bytes(self.levels.iter().map(bytes_of))
    }

    /// There are the levels that numbers below `limit` need, and every upper bit says the truth about the word below
    /// it.
    #[inline]
    pub(crate) fn validate(&self, limit: usize) -> Result<(), Corruption> {
        Corruption::unless(self.levels.iter().map(Vec::len).eq(Self::lengths(limit)), || {
            alloc::format!("levels of a set of numbers below {limit} have other lengths")
        })?;
        for pair in self.levels.windows(2) {
            // Bits with no word below them are as wrong as those that lie about one.
            let bits = |words: &[u64]| (0..).zip(words).fold(0, |bits, (at, &word)| bits | u64::from(word != 0) << at);
            for (at, (&upper, words)) in pair[1].iter().zip(pair[0].chunks(64)).enumerate() {
                Corruption::unless(upper == bits(words), || {
                    alloc::format!("word {at} is {upper:#x} above words that make it {:#x}", bits(words))
                })?;
            }
        }
        Corruption::unless(self.next(limit).is_none(), || alloc::format!("a number in the set is not below {limit}"))
    }
}

#[cfg(test)]
mod tests {
    use super::BitPyramid;
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    fn members(bits: &BitPyramid) -> Vec<usize> {
        core::iter::successors(bits.next(0), |&at| bits.next(at + 1)).collect()
    }

    #[test]
    fn next_finds_what_a_sorted_set_finds() {
        for limit in [1, 63, 64, 65, 4096, 4097, 300_000] {
            let (mut bits, mut set, mut random) =
                (BitPyramid::new(limit), BTreeSet::new(), fastrand::Rng::with_seed(1));
            for _ in 0..400 {
                let at = random.usize(..limit);
                if random.bool() {
                    bits.insert(at);
                    set.insert(at);
                } else {
                    bits.remove(at);
                    set.remove(&at);
                }
                let from = random.usize(..limit);
                assert_eq!(bits.next(from), set.range(from..).next().copied());
                assert_eq!(bits.contains(at), set.contains(&at));
            }
            assert_eq!(members(&bits), set.into_iter().collect::<Vec<_>>());
            assert_eq!(bits.next(limit), None);
            bits.validate(limit).unwrap();
            bits.clear();
            assert_eq!(bits.next(0), None);
            bits.validate(limit).unwrap();
        }
    }

    #[test]
    fn upper_bits_tell_where_members_are() {
        let mut bits = BitPyramid::new(300_000);
        for member in [0, 1, 130, 299_999] {
            bits.insert(member);
        }
        let upper: Vec<_> = bits.upper().collect();
        assert_eq!(upper, [(1, 0), (1, 2), (1, 4_687), (2, 0), (2, 73), (3, 0), (3, 1)]);
    }

    #[test]
    fn validation_finds_upper_bits_that_lie_or_have_no_word_below_them() {
        for (level, bit) in [(1, 0), (2, 63), (3, 1), (3, 5)] {
            let mut bits = BitPyramid::new(300_000);
            bits.levels[level][0] ^= 1 << bit;
            assert!(bits.validate(300_000).is_err(), "bit {bit} of level {level}");
        }
    }

    #[test]
    fn removing_what_is_not_there_changes_nothing() {
        let mut bits = BitPyramid::new(1000);
        bits.insert(777);
        bits.remove(3);
        bits.remove(778);
        assert_eq!(members(&bits), [777]);
        bits.validate(1000).unwrap();
    }

    #[test]
    fn the_empty_range_has_no_members() {
        let bits = BitPyramid::new(0);
        assert_eq!(bits.next(0), None);
        assert_eq!(bits.next(usize::MAX), None);
    }
}
