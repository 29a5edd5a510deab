//! What was found, in two numbers that do not depend on the order.

/// A count and a sum of scrambled pairs.
///
/// It is kept while the clock runs, so it must be cheap, for all contenders alike: one multiplication, half a
/// nanosecond a pair. The two numbers of 64 bits, each an id under the same mask, are multiplied, which does not care
/// for their order, and the halves of the product are folded by exclusive or. Sums of products alone would agree
/// whenever two sets agree in the sums of their ids and of their products; the fold is linear in neither, so wrong sets
/// agree by chance alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub count: u64,
    sum: u64,
}

impl Tally {
    /// What two have found.
    pub fn plus(self, other: Self) -> Self {
        Self { count: self.count + other.count, sum: self.sum.wrapping_add(other.sum) }
    }

    /// A pair, in either order.
    #[inline(always)]
    pub fn pair(&mut self, a: u32, b: u32) {
        /// The fraction of the golden ratio: bits without a pattern.
        const MASK: u64 = 0x9E37_79B9_7F4A_7C15;
        let [a, b] = [a, b].map(|id| u128::from(u64::from(id) ^ MASK));
        let product = a * b;
        self.count += 1;
        self.sum = self.sum.wrapping_add(product as u64 ^ (product >> 64) as u64);
    }

    /// A pair that is found from both of its boxes: `b` by a query for `a`.
    #[inline(always)]
    pub fn once(&mut self, a: u32, b: u32) {
        if b > a {
            self.pair(a, b);
        }
    }

    /// A pair of one from each of two sets, the first set's first.
    #[inline(always)]
    pub fn across(&mut self, a: u32, b: u32) {
        self.pair(a, b | 1 << 31);
    }

    #[inline(always)]
    pub fn one(&mut self, id: u32) {
        self.pair(id, id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: &[(u32, u32)]) -> Tally {
        let mut tally = Tally::default();
        pairs.iter().for_each(|&(a, b)| tally.pair(a, b));
        tally
    }

    #[test]
    fn neither_the_order_of_pairs_nor_that_within_one_counts() {
        assert_eq!(tally(&[(1, 2), (7, 3)]), tally(&[(3, 7), (2, 1)]));
        assert_eq!(tally(&[(1, 2)]).plus(tally(&[(3, 7)])), tally(&[(3, 7), (1, 2)]));
    }

    /// What mistakes look like: partners exchanged, which leaves count and sum of ids as they are; or a neighbor taken
    /// for another.
    #[test]
    fn exchanged_partners_are_seen() {
        for base in [0, 1000, 499_000] {
            for (a, b) in (0..24).flat_map(|a| (0..24).map(move |b| (base + a, base + b))) {
                for (c, d) in (1..24).flat_map(|c| (1..24).map(move |d| (a + c, b + d))) {
                    assert_ne!(tally(&[(a, b), (c, d)]), tally(&[(a, d), (c, b)]), "{a} {b} {c} {d}");
                    assert_ne!(tally(&[(a, b), (c, d)]), tally(&[(a, b + 1), (c, d - 1)]), "{a} {b} {c} {d}");
                }
            }
        }
    }
}
