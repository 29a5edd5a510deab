//! A published benchmark's data, drawn again number by number, has the numbers of pairs that its own program finds.
//!
//! P. Vigier, *Quadtree and collision detection*, 2019: boxes in the unit square with sides up to a hundredth, drawn
//! from C++'s default engine. That program's boxes are **open**: those that only touch do not intersect. Ours are
//! closed, so we find its pairs and the touching ones besides. Coordinates are `float`s, of which there are few enough
//! between 0 and 1 that among half a million pairs of neighbors nine share an edge exactly.

use quadrille::structures::StructureKind;
use quadrille::{Aabb, Index};

use crate::tested::{KINDS, Tested, options};

/// `std::minstd_rand0`, which is `std::default_random_engine` of libstdc++: S. Park, K. Miller, *Random number
/// generators: good ones are hard to find*, 1988. Seed 1; numbers from 1 to 2^31 - 2.
struct MinStd(u64);

impl MinStd {
    fn next(&mut self) -> u64 {
        self.0 = self.0 * 16_807 % 2_147_483_647;
        self.0
    }

    /// `std::uniform_real_distribution<float>(0, high)`. The engine has more numbers than a float has steps, so one
    /// draw is enough; it counts from 0, is divided by how many numbers there are (2^31 - 2, 2^31 as a float) and
    /// kept below 1.
    fn below(&mut self, high: f32) -> f32 {
        // Casts: rounded to float exactly as C++ does it.
        let drawn = (self.next() - 1) as f32 / 2_147_483_648.0;
        drawn.min(1.0 - f32::EPSILON / 2.0) * high
    }
}

/// The first `n` boxes: left, top, width, height, in this order, cut off at the square's edge.
fn published_boxes(n: usize) -> Vec<Aabb> {
    let mut engine = MinStd(1);
    let one = |_| {
        let [left, top] = [engine.below(1.0), engine.below(1.0)];
        let [width, height] = [engine.below(0.01).min(1.0 - left), engine.below(0.01).min(1.0 - top)];
        Aabb::new([left, top], [left + width, top + height])
    };
    (0..n).map(one).collect()
}

fn open(a: &Aabb, b: &Aabb) -> bool {
    (0..2).all(|axis| a.min[axis] < b.max[axis] && b.min[axis] < a.max[axis])
}

/// (pairs of open boxes, pairs of closed boxes), by every structure but brute force for large sets.
fn pairs_of_published_boxes(n: usize) -> (usize, usize) {
    let boxes = published_boxes(n);
    let kinds = KINDS.iter().filter(|&&kind| kind != StructureKind::BruteForce || n <= 10_000);
    let count = |&kind: &StructureKind| {
        let index = Index::<Tested>::with_boxes(options(kind), &boxes).expect("valid boxes");
        let is_open = |&(a, b): &(u32, u32)| open(&boxes[a as usize], &boxes[b as usize]);
        (index.pairs().filter(is_open).count(), index.pairs_count())
    };
    let counts: Vec<_> = kinds.map(count).collect();
    assert!(counts.iter().all(|one| *one == counts[0]), "the structures differ: {counts:?}");
    counts[0]
}

#[test]
fn the_engine_is_the_standard_one() {
    let mut engine = MinStd(1);
    (1..10_000).for_each(|_| {
        engine.next();
    });
    assert_eq!(engine.next(), 1_043_618_065, "the 10,000th number, as the C++ standard gives it");
}

#[test]
fn ten_thousand_published_boxes_make_5014_open_pairs() {
    assert_eq!(pairs_of_published_boxes(10_000), (5_014, 5_014));
}

#[test]
fn a_hundred_thousand_published_boxes_make_495053_open_pairs() {
    assert_eq!(pairs_of_published_boxes(100_000), (495_053, 495_053 + 9));
}
