//! Random numbers that are the same everywhere: SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, *Fast splittable
//! pseudorandom number generators*, 2014).

/// Scatters the bits of a number; one-to-one.
#[inline]
pub(crate) const fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

/// The step between seeds: 2^64 divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Uniform in `0..n` (but for a part in 2^64 / n); `n` is not zero.
    #[expect(clippy::cast_possible_truncation, reason = "less than n, which is a usize")]
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(STEP);
        ((u128::from(mix(self.0)) * n as u128) >> 64) as usize
    }
}
