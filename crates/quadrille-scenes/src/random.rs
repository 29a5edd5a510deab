//! Random numbers that are the same bits everywhere.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;

/// PCG-XSH-RR 64/32 (O'Neill, *PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random
/// Number Generation*, 2014) and conversions of our own to floats, since those of other crates change with their
/// versions.
///
/// ```
/// let mut random = quadrille_scenes::Random::new(7);
/// assert!((0..100).all(|_| random.below(6) < 6));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Random(Pcg32);

/// Which of the generator's 2^63 sequences is used. Any odd-looking number does; changing it changes every scene.
const STREAM: u64 = 0x0a02_bdbf_7bb3_c0a7;

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Pcg32::new(seed, STREAM))
    }

    /// Uniform in [0, 1): the upper 24 bits, which fit an `f32`, so that the conversion is exact.
    pub fn unit(&mut self) -> f32 {
        (self.0.next_u32() >> 8) as f32 * (1.0 / (1 << 24) as f32)
    }

    /// Uniform in [lo, hi].
    pub fn between(&mut self, lo: f32, hi: f32) -> f32 {
        lo + (hi - lo) * self.unit()
    }

    /// A whole number in [0, `n`), as uniform as 32 bits allow; 0 if `n` is 0. The upper part of a product: D. Lemire,
    /// *Fast Random Integer Generation in an Interval*, 2019, without its rejection of the few numbers too many.
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(n)) >> 32) as u32
    }

    /// A point uniform in the square from `margin` to `side - margin` on both axes.
    pub(crate) fn in_square(&mut self, side: f32, margin: f32) -> [f32; 2] {
        [self.between(margin, side - margin), self.between(margin, side - margin)]
    }

    /// A point uniform in the disc around the origin: drawn from the square until it lies in the disc.
    pub(crate) fn in_disc(&mut self, radius: f32) -> [f32; 2] {
        loop {
            let [x, y] = [self.between(-1.0, 1.0), self.between(-1.0, 1.0)];
            if x * x + y * y <= 1.0 {
                return [x * radius, y * radius];
            }
        }
    }

    /// A point on the unit circle, every direction alike: a point of the disc, not too near the middle, pushed
    /// outward.
    pub(crate) fn on_circle(&mut self) -> [f32; 2] {
        loop {
            let [x, y] = self.in_disc(1.0);
            let length = (x * x + y * y).sqrt();
            if length > 0.125 {
                return [x / length, y / length];
            }
        }
    }

    /// Nearly Gaussian with mean 0 and deviation 1, never beyond ±6: the sum of twelve uniform numbers, less its mean.
    pub(crate) fn gaussian(&mut self) -> f32 {
        (0..12).map(|_| self.unit()).sum::<f32>() - 6.0
    }
}
