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
    for shift in bits.step_by(DIGIT as usize) {
        pass(items, spare, |item| (key(item) >> shift) as usize % (1 << DIGIT));
        swap(items, spare);
    }
}

/// One pass: `to` becomes `from`, sorted by digit, with equal digits in the order they had.
fn pass<T: Copy>(from: &[T], to: &mut [T], digit: impl Fn(&T) -> usize) {
    let mut marks = [0; 1 << DIGIT];
    for item in from {
        marks[digit(item)] += 1;
    }
    // How many there are of each digit becomes where they start.
    let mut start = 0;
    for mark in &mut marks {
        start += replace(mark, start);
    }
    for item in from {
        let mark = &mut marks[digit(item)];
        to[*mark] = *item;
        *mark += 1;
    }
}
