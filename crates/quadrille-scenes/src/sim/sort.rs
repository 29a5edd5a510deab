//! Sorting pairs of ids.

use quadrille::internals::sort_by_bits;

/// Sorts pairs of ids below `n` by the first, then by the second. `spare` is memory to keep between calls.
///
/// A radix sort by the first ids, for more than 2048 agents in two passes; the few pairs with the same first id are then sorted among
/// themselves.
pub fn sort_pairs(pairs: &mut Vec<(u32, u32)>, spare: &mut Vec<(u32, u32)>, n: usize) {
    let bits = usize::BITS - n.leading_zeros();
    sort_by_bits(pairs, spare, 0..bits, |&(first, _)| first.into());
    for alike in pairs.chunk_by_mut(|a, b| a.0 == b.0) {
        alike.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::sort_pairs;

    /// Pairs that come in a scattered order, many with the same first or second id.
    fn scattered(count: u32, n: u32) -> Vec<(u32, u32)> {
        let id = |i: u32, factor: u32| (i.wrapping_mul(factor) >> 7) % n;
        (0..count).map(|i| (id(i, 0x9e37_79b1), id(i, 0x85eb_ca77))).collect()
    }

    #[test]
    fn same_order_as_the_standard_sort() {
        let mut spare = Vec::new();
        for n in [1, 2, 3, 2047, 2048, 2049, 100_000, u32::MAX] {
            for count in [0, 1, 2, 1000] {
                let mut pairs = scattered(count, n);
                let mut expected = pairs.clone();
                expected.sort_unstable();
                sort_pairs(&mut pairs, &mut spare, n as usize);
                assert_eq!(pairs, expected, "{count} pairs of ids below {n}");
            }
        }
    }
}
