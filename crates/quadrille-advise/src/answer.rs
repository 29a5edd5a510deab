//! A checksum of answers that does not depend on their order.

use std::fmt;

use quadrille::internals::mix;

/// How many answers there were, and a sum over scrambled answers: equal for equal sets of answers, and hardly ever
/// for others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    count: u64,
    checksum: u64,
}

impl Answer {
    /// Adds a pair, or a query's number and one of its answers.
    #[inline]
    pub(crate) fn add(&mut self, a: u32, b: u32) {
        self.count += 1;
        self.checksum = self.checksum.wrapping_add(mix((u64::from(a) << 32) | u64::from(b)));
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} answers, checksum {:016x}", self.count, self.checksum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(pairs: &[(u32, u32)]) -> Answer {
        let mut answer = Answer::default();
        pairs.iter().for_each(|&(a, b)| answer.add(a, b));
        answer
    }

    #[test]
    fn the_order_does_not_matter_and_all_else_does() {
        let expected = answer(&[(0, 1), (2, 3), (0, 3)]);
        assert_eq!(answer(&[(0, 3), (0, 1), (2, 3)]), expected);
        for other in [&[(0, 1), (2, 3), (3, 0)][..], &[(0, 1), (2, 3)], &[(0, 1), (2, 3), (2, 3)]] {
            assert_ne!(answer(other), expected, "{other:?}");
        }
    }
}
