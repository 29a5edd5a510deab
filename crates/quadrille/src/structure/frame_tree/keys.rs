//! Squares of distances, or times, that say whose they are.
//!
//! ```text
//! the square or the time, but for its last bits (58 or more)   number (6 or fewer)
//! ```
//!
//! So the least of them is found without a branch, and says where to go next. What the bits are worth is less than what
//! rounding may have added.

use core::array;

use super::found::lesser;
use crate::kernel::LANES;

/// A key that stands for nothing. No square has it: the greatest one is [`f64::MAX`].
pub(super) const TAKEN: f64 = f64::INFINITY;

/// The bits of a number.
const BITS: u32 = 6;

/// The most numbers.
pub(super) const MOST: usize = 1 << BITS;

/// What is left of a node on the way down.
pub(super) struct Left {
    pub(super) level: usize,
    pub(super) node: usize,
    /// How far its hulls are, or when they are hit; [taken](TAKEN) are those that have been looked at, or never will be.
    pub(super) keys: [f64; LANES],
}

impl Left {
    /// The place of the hull, or box, that a key of these stands for, which is looked at now.
    #[inline(always)]
    pub(super) fn take(&mut self, key: f64) -> usize {
        let lane = number_of(key);
        self.keys[lane] = TAKEN;
        self.node * LANES + lane
    }
}

/// The keys of sixteen squares, numbered from `first` on.
#[inline(always)]
pub(super) fn number(squares: &[f64; LANES], first: usize) -> [f64; LANES] {
    debug_assert!(first + LANES <= MOST, "{first}");
    array::from_fn(|lane| of(squares[lane], first + lane))
}

/// The key of one square.
#[inline(always)]
pub(super) fn of(square: f64, number: usize) -> f64 {
    f64::from_bits(lesser(square, f64::MAX).to_bits() >> BITS << BITS | number as u64)
}

/// The least of sixteen keys.
#[inline(always)]
pub(super) fn least(keys: &[f64; LANES]) -> f64 {
    let eight: [f64; LANES / 2] = array::from_fn(|k| lesser(keys[k], keys[k + LANES / 2]));
    let four: [f64; LANES / 4] = array::from_fn(|k| lesser(eight[k], eight[k + LANES / 4]));
    lesser(lesser(four[0], four[2]), lesser(four[1], four[3]))
}

/// The number of a key.
#[inline(always)]
pub(super) fn number_of(key: f64) -> usize {
    key.to_bits() as usize % MOST
}

#[cfg(test)]
mod tests {
    use super::{LANES, MOST, TAKEN, least, number, number_of};

    #[test]
    fn the_least_key_is_that_of_the_least_square_whatever_it_is() {
        let squares = [
            0.0,
            f64::from_bits(MOST as u64),
            f64::MIN_POSITIVE,
            1e-20,
            1.0,
            1.000_001,
            3e38,
            1e300,
            f64::MAX,
            f64::INFINITY,
        ];
        for (place, square) in (0..MOST - LANES).cycle().zip(squares.iter().cycle()).take(MOST * squares.len()) {
            let others = squares.map(|other| if other > *square { other } else { f64::INFINITY });
            let mut all = [f64::INFINITY; LANES];
            all[..others.len()].copy_from_slice(&others);
            let lane = LANES - 1 - place % 6;
            all[lane] = *square;
            let key = least(&number(&all, place));
            assert!(number_of(key) == place + lane || *square >= f64::MAX, "{square:e} in {lane} from {place}");
            assert!(
                key < TAKEN && (square - key).abs() <= square * 1e-13 + 1e-300 || *square > 1e308,
                "{key:e} for {square:e}"
            );
        }
        assert_eq!(least(&[TAKEN; LANES]), TAKEN);
    }
}
