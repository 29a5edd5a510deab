//! Random numbers of the kinds that break geometry.

use quadrille::internals::Random;
use quadrille::{Aabb, Scalar};

/// How often to repeat something: `usual` times, or as often as the environment's `QUADRILLE_INSTANCES` says. For
/// long runs: `QUADRILLE_INSTANCES=10000000 cargo test --release -p quadrille --test all exactness::contract`.
pub(crate) fn instances(usual: u64) -> u64 {
    let Ok(count) = std::env::var("QUADRILLE_INSTANCES") else { return usual };
    count.parse().unwrap_or_else(|_| panic!("QUADRILLE_INSTANCES is {count:?}, which is no number"))
}

/// The environment's `QUADRILLE_SEED`, which gives other cases than the usual ones; 0 without it.
fn seed() -> u64 {
    let Ok(seed) = std::env::var("QUADRILLE_SEED") else { return 0 };
    seed.parse().unwrap_or_else(|_| panic!("QUADRILLE_SEED is {seed:?}, which is no number"))
}

/// A scalar as plain numbers.
pub(crate) trait Plain: Scalar {
    /// The greatest, the least, and what lies around zero.
    const EXTREMES: &[Self];

    /// Some finite number made of these bits: all exponents are equally likely.
    fn of_bits(bits: u64) -> Self;

    /// The number this many steps further in the order of all finite numbers, clamped to them.
    fn step(self, steps: i64) -> Self;
}

macro_rules! plain_float {
    ($float:ident, $bits:ident, $signed:ident) => {
        impl Plain for $float {
            const EXTREMES: &[Self] = &[
                $float::MAX,
                $float::MIN,
                $float::MAX / 2.0,
                $float::MIN / 2.0,
                $float::MIN_POSITIVE,
                -$float::MIN_POSITIVE,
                0.0,
                -0.0,
                1.0,
                -1.0,
            ];

            fn of_bits(bits: u64) -> Self {
                let number = Self::from_bits(bits as $bits);
                if number.is_finite() { number } else { 1.0 }
            }

            fn step(self, steps: i64) -> Self {
                // Bits of negative floats descend.
                let order =
                    |bits: $bits| if bits as $signed >= 0 { bits as $signed } else { $signed::MIN - bits as $signed };
                let most = order($float::MAX.to_bits());
                let place = (order(self.to_bits()) + steps as $signed).clamp(-most, most);
                Self::from_bits(if place >= 0 { place as $bits } else { ($signed::MIN - place) as $bits })
            }
        }
    };
}

plain_float!(f32, u32, i32);
plain_float!(f64, u64, i64);

impl Plain for i32 {
    const EXTREMES: &[Self] = &[i32::MAX, i32::MIN, i32::MAX / 2, i32::MIN / 2, 0, 1, -1, 1 << 24];

    fn of_bits(bits: u64) -> Self {
        bits as i32 >> (bits >> 59)
    }

    fn step(self, steps: i64) -> Self {
        self.saturating_add(steps as i32)
    }
}

/// A seeded source of random things.
pub(crate) struct Draw(Random);

/// What numbers that belong together are like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A few small integers: everything touches something.
    Ties,
    /// Between -100 and 100.
    Even,
    /// Of all sizes.
    Wide,
    /// At the ends of the numbers, and around zero.
    Extreme,
    /// A few steps from one number of any size.
    Beside,
    /// Small integers around a number that is large.
    Far,
}

impl Kind {
    pub(crate) const ALL: [Self; 6] = [Self::Ties, Self::Even, Self::Wide, Self::Extreme, Self::Beside, Self::Far];
}

impl Draw {
    pub(crate) fn new(number: u64) -> Self {
        Self(Random::new(number.wrapping_add(seed() << 32)))
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// Below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0.below(end)
    }

    /// Once in this many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// From `low` to `high`, both included.
    pub(crate) fn integer(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// From `low` to `high`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn of<T: Copy>(&mut self, choice: &[T]) -> T {
        choice[self.below(choice.len())]
    }

    fn number<S: Plain>(&mut self, kind: Kind, base: S) -> S {
        match kind {
            Kind::Ties => S::from_f64(self.integer(-3, 3) as f64),
            Kind::Even => S::from_f64(self.between(-100.0, 100.0)),
            Kind::Wide => S::of_bits(self.bits()),
            Kind::Extreme => {
                let steps = self.integer(-2, 2);
                self.of(S::EXTREMES).step(steps)
            }
            Kind::Beside => base.step(self.integer(-4, 4)),
            Kind::Far => S::from_f64(base.to_f64() + self.integer(-9, 9) as f64),
        }
    }

    /// Numbers of one kind.
    pub(crate) fn numbers<S: Plain, const N: usize>(&mut self, kind: Kind) -> [S; N] {
        let base = match kind {
            Kind::Far => S::from_f64(self.of(&[-1.0, 1.0]) * self.of(&[1e3, 1e6, 1.6e7, 2e9])),
            _ => S::of_bits(self.bits()),
        };
        [(); N].map(|()| self.number(kind, base))
    }

    /// A point with coordinates among these.
    pub(crate) fn point<S: Scalar>(&mut self, pool: &[S]) -> [S; 2] {
        [self.of(pool), self.of(pool)]
    }

    /// A box with edges among these.
    pub(crate) fn aabb<S: Scalar>(&mut self, pool: &[S]) -> Aabb<S> {
        let [x, y] = [(); 2].map(|()| {
            let (a, b) = (self.of(pool), self.of(pool));
            if a <= b { (a, b) } else { (b, a) }
        });
        Aabb::new([x.0, y.0], [x.1, y.1])
    }
}
