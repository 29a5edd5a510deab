//! Sorting pairs of ids.

use std::mem::{replace, swap};

/// Bits of a digit. Two digits hold the ids of four million agents, and the 2048 marks of a pass fit in the fastest
/// cache. One bit less is a pass more for large scenes, one more is slow on small ones.
const DIGIT: u32 = 11;

/// Sorts pairs of ids below `n` by the first, then by the second. `spare` is memory to keep between calls.
///
/// Radix sort from the last digit to the first (Harold Seward, *Information sorting in the application of electronic
/// digital computers to business operations*, 1954): each pass deals all pairs out by one digit and keeps the order
/// within equal digits. Four passes for more than 2048 agents, which take about half as long as the comparison sort of
/// the standard library when there are fewer pairs than agents, the usual case, and no longer than that when there are
/// many more.
pub fn sort_pairs(pairs: &mut Vec<(u32, u32)>, spare: &mut Vec<(u32, u32)>, n: usize) {
    let bits = usize::BITS - n.leading_zeros();
    sort_by_part(pairs, spare, bits, |&(_, second)| second);
    sort_by_part(pairs, spare, bits, |&(first, _)| first);
}

/// Sorts by one part of the pair, of this many bits; stable.
fn sort_by_part(
    pairs: &mut Vec<(u32, u32)>,
    spare: &mut Vec<(u32, u32)>,
    bits: u32,
    part: impl Fn(&(u32, u32)) -> u32,
) {
    spare.resize(pairs.len(), (0, 0));
    for shift in (0..bits).step_by(DIGIT as usize) {
        deal(pairs, spare, |pair| (part(pair) >> shift) as usize % (1 << DIGIT));
        swap(pairs, spare);
    }
}

/// One pass: `to` becomes `from`, sorted by digit, with equal digits in the order they had.
fn deal(from: &[(u32, u32)], to: &mut [(u32, u32)], digit: impl Fn(&(u32, u32)) -> usize) {
    let mut marks = [0; 1 << DIGIT];
    for pair in from {
        marks[digit(pair)] += 1;
    }
    // How many there are of each digit becomes where they start.
    let mut start = 0;
    for mark in &mut marks {
        start += replace(mark, start);
    }
    for pair in from {
        let mark = &mut marks[digit(pair)];
        to[*mark] = *pair;
        *mark += 1;
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
