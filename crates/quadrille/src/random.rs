//! Floor 0: numbers that look random, the same bits everywhere. SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, *Fast
//! splittable pseudorandom number generators*, 2014) with D. Stafford's constants.

/// The step between states: 2^64 divided by the golden ratio.
pub(crate) const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Scatters the bits of a number; one-to-one.
#[must_use]
#[inline]
pub const fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

/// This crate's generator for numbers that must never change: samples, workloads, maps of benches. For this project
/// only: any release may change it.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The number at a position in the numbers of seed 0.
    #[must_use]
    #[inline]
    pub const fn at(position: u64) -> u64 {
        mix(position.wrapping_add(1).wrapping_mul(STEP))
    }

    /// The next number.
    #[inline]
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// Uniform in `0..n` (but for a part in 2^64 / n); 0 if `n` is 0.
    #[inline]
    pub const fn below(&mut self, n: usize) -> usize {
        ((self.bits() as u128 * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// The first numbers of seed 1234567, as in the implementations that others compare with.
    #[test]
    fn numbers_are_those_of_splitmix64() {
        let mut random = Random::new(1_234_567);
        let numbers = [(); 3].map(|()| random.bits());
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
        let mut first = Random::new(0);
        assert!((0..9).all(|position| first.bits() == Random::at(position)));
        assert!((0..99).all(|_| first.below(6) < 6) && first.below(0) == 0);
    }
}
