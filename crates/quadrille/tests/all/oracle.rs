//! What the library is compared with, and shares nothing with: plain sums over integers on a grid.

use std::cmp::Ordering;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use quadrille::{Aabb, Scalar};

/// A point on the grid.
pub(crate) type Point = [i64; 2];

/// A box on the grid: lower and upper corner.
pub(crate) type Rect = [Point; 2];

/// Where the grid lies in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Width of a grid step. A power of two.
    unit: f64,
    /// The place of the grid's zero, in steps.
    origin: Point,
}

impl Frame {
    /// Plain; so far out that coordinates take all 24 bits of an `f32`; and over the whole range of an `i32`.
    pub(crate) const ALL: [Self; 3] = [
        Self { unit: 1.0, origin: [0, 0] },
        Self { unit: 64.0, origin: [8_000_000, -8_000_000] },
        Self { unit: 16_777_216.0, origin: [0, 0] },
    ];

    pub(crate) fn length<S: Scalar>(self, steps: i64) -> S {
        S::from_f64(steps as f64 * self.unit)
    }

    pub(crate) fn vector<S: Scalar>(self, steps: Point) -> [S; 2] {
        steps.map(|steps| self.length(steps))
    }

    pub(crate) fn point<S: Scalar>(self, [x, y]: Point) -> [S; 2] {
        self.vector([x + self.origin[0], y + self.origin[1]])
    }

    pub(crate) fn aabb<S: Scalar>(self, [min, max]: Rect) -> Aabb<S> {
        Aabb::new(self.point(min), self.point(max))
    }
}

pub(crate) fn points() -> impl Strategy<Value = Point> {
    [-24_i64..24, -24_i64..24]
}

/// Small boxes, many of zero size; needles; a few giants.
pub(crate) fn rects() -> impl Strategy<Value = Rect> {
    let size = prop_oneof![6 => [0_i64..4, 0_i64..4], 1 => [0_i64..1, 0_i64..30], 1 => [0_i64..30, 0_i64..1], 1 => [20_i64..60, 20_i64..60]];
    (points(), size).prop_map(|([x, y], [w, h])| [[x, y], [x + w, y + h]])
}

/// The same cases in every run, so that a failure is a failure for everybody, or those of a `PROPTEST_RNG_SEED`, which
/// CI changes from day to day. More of them: `PROPTEST_CASES=10000`.
pub(crate) fn config() -> Config {
    let config = Config { failure_persistence: None, ..Config::default() };
    match config.rng_seed {
        RngSeed::Random => Config { rng_seed: RngSeed::Fixed(7), ..config },
        RngSeed::Fixed(_) => config,
    }
}

/// Whether there is more time than by day, as in CI: what grows with a power of its size is then tried in full.
pub(crate) fn is_thorough() -> bool {
    Config::default().cases >= 256
}

/// Runs `check` on cases drawn from `strategy`.
pub(crate) fn for_all<V: std::fmt::Debug>(strategy: impl Strategy<Value = V>, check: impl Fn(V)) {
    let outcome = TestRunner::new(config()).run(&strategy, |case| {
        check(case);
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

/// The square of the distance between two boxes, in grid steps.
pub(crate) fn distance_squared(a: Rect, b: Rect) -> i64 {
    (0..2).map(|axis| (a[0][axis] - b[1][axis]).max(b[0][axis] - a[1][axis]).max(0).pow(2)).sum()
}

/// A time: numerator and positive denominator.
pub(crate) type Time = (i64, i64);

pub(crate) fn compare(a: Time, b: Time) -> Ordering {
    (a.0 * b.1).cmp(&(b.0 * a.1))
}

/// Do the boxes overlap at this time?
fn overlap_at(start: Rect, motion: Point, rect: Rect, (n, d): Time) -> bool {
    (0..2).all(|axis| {
        let moved = n * motion[axis];
        start[0][axis] * d + moved <= rect[1][axis] * d && rect[0][axis] * d <= start[1][axis] * d + moved
    })
}

/// The first time at which the boxes overlap: the start, or a time at which an edge meets an edge. Tries them all.
pub(crate) fn first_contact(start: Rect, motion: Point, rect: Rect, is_endless: bool) -> Option<Time> {
    let mut times = vec![(0, 1)];
    for axis in 0..2 {
        let way = motion[axis];
        for distance in [rect[0][axis] - start[1][axis], rect[1][axis] - start[0][axis]] {
            if way != 0 {
                times.push((distance * way.signum(), way.abs()));
            }
        }
    }
    times.retain(|&time| {
        compare(time, (0, 1)).is_ge()
            && (is_endless || compare(time, (1, 1)).is_le())
            && overlap_at(start, motion, rect, time)
    });
    times.into_iter().min_by(|&a, &b| compare(a, b))
}

/// 60 steps wide, 64 high.
pub(crate) const WORLD: Rect = [[-20, -20], [40, 44]];

pub(crate) fn moved(rect: Rect, [x, y]: Point) -> Rect {
    rect.map(|corner| [corner[0] + x, corner[1] + y])
}

/// All images of a box, far enough for every query asked here.
pub(crate) fn images(rect: Rect, wraps: [bool; 2]) -> impl Iterator<Item = Rect> {
    let turns = move |axis: usize| if wraps[axis] { -8..=8 } else { 0..=0_i64 };
    turns(1).flat_map(move |row| turns(0).map(move |column| moved(rect, [60 * column, 64 * row])))
}
