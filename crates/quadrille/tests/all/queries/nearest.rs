//! The nearest few among thousands, one by one and many at once, against sorting all of them.

use std::ops::Range;

use quadrille::{Aabb, Answers, Distance, Filtered, FrameTree, Hit, Index, Layers, Near, OnLayers, Ranked, Scalar};

/// Whole numbers on a coarse grid, so that many boxes are equally far away.
type Rect = [i64; 4];

fn distance_squared([low, left, high, right]: Rect, other: Rect) -> i64 {
    let gap = |min: i64, max: i64, low: i64, high: i64| (low - max).max(min - high).max(0).pow(2);
    gap(low, high, other[0], other[2]) + gap(left, right, other[1], other[3])
}

/// An index with holes, strays and latecomers, and what it holds.
struct World<S: Scalar> {
    index: Index<FrameTree<S>>,
    rects: Vec<Option<Rect>>,
    unit: f64,
}

impl<S: Scalar> World<S> {
    fn new(unit: f64, side: i64, random: &mut fastrand::Rng) -> Self {
        let mut rect = |sides: Range<i64>| -> Rect {
            let [x, y, w, h] = [random.i64(0..side), random.i64(0..side), random.i64(sides.clone()), random.i64(sides)];
            [x, y, x + w, y + h]
        };
        let mut rects: Vec<Option<Rect>> =
            (0..2000).map(|k| Some(rect(if k % 2 == 0 { 0..1 } else { 0..4 }))).collect();
        let boxes: Vec<Aabb<S>> = rects.iter().flatten().map(|&rect| Self::aabb(unit, rect)).collect();
        let mut index = Index::from_boxes(&boxes).expect("valid boxes");
        for id in (0..2000).step_by(7) {
            index.remove(id).expect("a known id");
            rects[id as usize] = None;
        }
        for id in (1..2000).step_by(11).filter(|id| id % 7 != 0) {
            let moved = rect(0..2);
            index.update(id, Self::aabb(unit, moved)).expect("a known id");
            rects[id as usize] = Some(moved);
        }
        for id in (0..2000).filter(|id| id % 7 != 0) {
            index.set_layers(id, Layers { own: 1 << (id % 3), mask: !0 }).expect("a known id");
        }
        Self { index, rects, unit }
    }

    fn aabb(unit: f64, rect: Rect) -> Aabb<S> {
        rect.map(|edge| S::from_f64(edge as f64 * unit)).into()
    }

    /// The nearest that pass a test, by sorting all.
    fn sorted(&self, target: Rect, most: usize, passes: impl Fn(u32) -> bool) -> Vec<u32> {
        let all = (0..).zip(&self.rects).filter_map(|(id, rect)| Some((distance_squared(target, (*rect)?), id)));
        let mut all: Vec<(i64, u32)> = all.filter(|&(_, id)| passes(id)).collect();
        all.sort_unstable();
        all.iter().take(most).map(|&(_, id)| id).collect()
    }

    fn check<Q: Ranked<S, Rank = Distance<S>>>(
        &self,
        targets: &[Rect],
        most: usize,
        query: impl Fn(Near<S>) -> Q,
        passes: impl Fn(u32) -> bool + Copy,
    ) {
        let queries: Vec<Q> = targets.iter().map(|&rect| query(Near::aabb(Self::aabb(self.unit, rect)))).collect();
        let ids = |hits: &[Hit<Distance<S>>]| -> Vec<u32> { hits.iter().map(|hit| hit.id).collect() };
        let (mut many, mut few) = (Answers::new(), Vec::new());
        self.index.query_first_many(&queries, most, &mut many);
        for ((query, &target), at_once) in queries.iter().zip(targets).zip(many.iter()) {
            let expected = self.sorted(target, most, passes);
            self.index.query_first_few(query, most, &mut few);
            assert_eq!(ids(&few), expected, "{most} of {target:?} in units of {:e}", self.unit);
            assert_eq!(ids(at_once), expected, "{most} of {target:?} at once, in units of {:e}", self.unit);
            if most == 1 {
                assert_eq!(self.index.query_first(query).map(|hit| hit.id), expected.first().copied());
            }
        }
    }
}

fn the_nearest_of_thousands_are_those_that_sorting_finds<S: Scalar>() {
    let mut random = fastrand::Rng::with_seed(3);
    // Where squares of `f32` vanish, and where they are infinite.
    let units: &[f64] = if S::HIGHEST.is_finite() { &[1.0] } else { &[1.0, 2_f64.powi(-80), 2_f64.powi(80)] };
    for &unit in units {
        for side in [6, 90, 4000] {
            let world = World::<S>::new(unit, side, &mut random);
            let own: Vec<Rect> = world.rects.iter().flatten().copied().step_by(9).collect();
            let mut point = || [random.i64(-side..2 * side), random.i64(-side..2 * side)];
            let strewn: Vec<Rect> = (0..40).map(|_| point()).map(|[x, y]| [x, y, x, y]).collect();
            for targets in [own, strewn] {
                for most in [1, 2, 8, 9, 16, 17] {
                    world.check(&targets, most, |near| near, |_| true);
                }
                world.check(&targets, 8, |near| Filtered(near, |id| id % 10 == 1), |id| id % 10 == 1);
                world.check(&targets, 3, |near| OnLayers::new(near, 2), |id| id % 3 == 1);
                world.check(&targets, 4, |near| near.within(1e300), |_| true);
            }
        }
    }
}

for_a_scalar! {
    the_nearest_of_thousands_are_those_that_sorting_finds,
}
