//! Sorting by whole numbers.

use alloc::vec::Vec;
use core::mem::{replace, swap};
use core::ops::Range;

/// Bits of a digit. Two digits hold four million ids, and the 2,048 marks of a pass fit in the fastest cache. One bit
/// less is a pass more for large scenes, one more is slow on small ones.
const DIGIT: u32 = 11;

/// Sorts by some bits of a key; items with equal bits keep their order. `spare` is memory to keep between calls.
///
/// Radix sort from the last digit to the first (Harold Seward, *Information sorting in the application of electronic
/// digital computers to business operations*, 1954): each pass deals all items out by one digit and keeps the order
/// within equal digits.
pub fn sort_by_bits<T: Copy>(items: &mut Vec<T>, spare: &mut Vec<T>, bits: Range<u32>, key: impl Fn(&T) -> u64) {
    let Some(&some) = items.first() else { return };
    spare.resize(items.len(), some);
    // As few digits as possible, and of one size: a short one would take as long as the others.
    let digits = bits.len().div_ceil(DIGIT as usize).max(1);
    let digit = bits.len().div_ceil(digits).max(1);
    for shift in bits.step_by(digit) {
        pass(items, spare, |item| (key(item) >> shift) as usize % (1 << digit));
        swap(items, spare);
    }
}

/// One pass: `to` becomes `from`, sorted by digit, with equal digits in the order they had. The remainders tell
/// the compiler that there is a mark for each digit.
fn pass<T: Copy>(from: &[T], to: &mut [T], digit: impl Fn(&T) -> usize) {
    let mut marks = [0; 1 << DIGIT];
    for item in from {
        marks[digit(item) % (1 << DIGIT)] += 1;
    }
    // How many there are of each digit becomes where they start.
    let mut start = 0;
    for mark in &mut marks {
        start += replace(mark, start);
    }
    for item in from {
        let mark = &mut marks[digit(item) % (1 << DIGIT)];
        to[*mark] = *item;
        *mark += 1;
    }
}

/// Sorts numbers by some bits. Not generic, so it is compiled once. A few are sorted by comparison, without memory: the
/// marks alone would take longer.
#[inline(never)]
pub(crate) fn sort_numbers(numbers: &mut Vec<u64>, spare: &mut Vec<u64>, bits: Range<u32>) {
    const FEW: usize = 16;
    if numbers.len() <= FEW && !bits.is_empty() {
        let mask = u64::MAX >> (u64::BITS - bits.end);
        return numbers.sort_by_key(|number| (number & mask) >> bits.start);
    }
    sort_by_bits(numbers, spare, bits, |&number| number);
}

/// Sorts by the upper halves; keys arrive in the order of their lower halves. Few keys are sorted by comparison,
/// because one digit of a radix sort costs as much as comparison-sorting some hundred keys.
pub(crate) fn sort_keys(keys: &mut Vec<u64>, spare: &mut Vec<u64>) {
    const FEW: usize = 512;
    if keys.len() < FEW {
        keys.sort_unstable();
    } else {
        sort_numbers(keys, spare, 32..64);
    }
}

/// Sorts pairs of ids, the first one in the upper half. Few are sorted by comparison.
pub(crate) fn sort_pairs(pairs: &mut Vec<u64>, spare: &mut Vec<u64>) {
    const FEW: usize = 2048;
    if pairs.len() < FEW {
        return pairs.sort_unstable();
    }
    // They change places with each other: each has room for as many.
    spare.clear();
    spare.reserve_exact(pairs.capacity());
    let used = pairs.iter().fold(0, |used, pair| used | pair);
    for (half, used) in [(0, used & u64::from(u32::MAX)), (u32::BITS, used >> u32::BITS)] {
        sort_numbers(pairs, spare, half..half + used.checked_ilog2().map_or(0, |bit| bit + 1));
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{sort_by_bits, sort_keys, sort_numbers, sort_pairs};

    #[test]
    fn few_are_sorted_as_many_are() {
        let (mut random, mut spare) = (fastrand::Rng::with_seed(2), Vec::new());
        for n in 0..40 {
            let mut numbers: Vec<u64> = (0..n).map(|_| random.u64(..) & 0x7000_0007_0000_0007).collect();
            for bits in [0..64, 32..64, 62..64, 0..3, 32..35, 7..7] {
                let mut expected = numbers.clone();
                sort_by_bits(&mut expected, &mut spare, bits.clone(), |&number| number);
                sort_numbers(&mut numbers, &mut spare, bits.clone());
                assert_eq!(numbers, expected, "{n} numbers by the bits {bits:?}");
            }
        }
    }

    #[test]
    fn counting_sorts_as_comparing_does() {
        let (mut random, mut spare) = (fastrand::Rng::with_seed(1), Vec::new());
        for n in [0, 1, 2, 511, 512, 513, 5000, 600] {
            let mut keys: Vec<u64> = (0..n).map(|id| random.u64(..) >> (id % 3 * 9) >> 32 << 32 | id).collect();
            let mut expected = keys.clone();
            expected.sort_unstable();
            let mut pairs = keys.clone();
            sort_keys(&mut keys, &mut spare);
            assert_eq!(keys, expected, "{n} keys");
            fastrand::shuffle(&mut pairs);
            sort_pairs(&mut pairs, &mut spare);
            assert_eq!(pairs, expected, "{n} pairs");
        }
    }
}
