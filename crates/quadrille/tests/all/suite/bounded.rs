//! Depth and memory stay within a stated multiple of what is stored, whatever comes in, and queries stay cheap where
//! they can.

use quadrille::structures::{LooseQuadtree, Quadtree, QuadtreeOptions, TreeOptions};
use quadrille::{Aabb, Overlaps, Scalar};

use super::hostile::{numbers, rect, scattered};
use crate::any_index::{AnyIndex, Setup};
use crate::subjects::Subject;

/// Bytes a box that no structure exceeds with its default options, the box itself (16 or 32) included. The costliest is
/// a leaf-listed tree: at most eight listings a box and spare capacity on everything, for vectors double.
const MOST_BYTES_A_BOX: usize = 400;
/// Beside that: nodes and cells that are there before the first box.
const BASE_BYTES: usize = 1 << 17;
const MOST_DEPTH: usize = 24;

/// Built in bulk and one by one (with a `maintain` at the end), both are sound and within bounds.
fn stays_within_bounds<S: Scalar>(subject: &Subject<S>, boxes: &[Aabb<S>]) {
    let bulk = subject.holding(boxes);
    let mut grown = subject.empty();
    boxes.iter().for_each(|&bounds| assert!(grown.insert(bounds).is_ok()));
    for index in [&bulk, &grown] {
        let stats = index.validate().expect("a sound structure");
        assert!(stats.bytes_reserved <= MOST_BYTES_A_BOX * boxes.len() + BASE_BYTES, "{stats:?}");
        assert!(stats.depth <= MOST_DEPTH, "{stats:?}");
    }
    grown.maintain();
    grown.validate().expect("a sound structure");
}

pub(crate) fn giants_that_cover_everything_stay_within_bounds<S: Scalar>(subject: &Subject<S>) {
    let mut boxes = vec![rect([0.0, 0.0, 1000.0, 1000.0]); 5000];
    boxes.extend(scattered(5000, [1000.0, 1000.0], 0.0));
    stays_within_bounds(subject, &boxes);
    boxes.reverse();
    stays_within_bounds(subject, &boxes);
}

pub(crate) fn piles_stay_within_bounds<S: Scalar>(subject: &Subject<S>) {
    stays_within_bounds(subject, &[rect([7.0, 7.0, 7.0, 7.0]); 10_000]);
    stays_within_bounds(subject, &[rect([7.0, 7.0, 9.0, 9.0]); 10_000]);
    // A thousand piles of ten, each enough to divide a leaf but never to be divided.
    let piles: Vec<_> = scattered(1000, [1000.0, 1000.0], 0.0).into_iter().flat_map(|point| [point; 10]).collect();
    stays_within_bounds(subject, &piles);
}

pub(crate) fn bundles_of_needles_stay_within_bounds<S: Scalar>(subject: &Subject<S>) {
    let mut next = numbers(11);
    let bundle = |k: usize| {
        let t = next() * 1000.0;
        rect(if k % 2 == 0 { [0.0, t, 1000.0, t] } else { [t, 0.0, t, 1000.0] })
    };
    stays_within_bounds(subject, &(0..4000).map(bundle).collect::<Vec<_>>());
}

pub(crate) fn extremes_of_the_number_type_stay_within_bounds<S: Scalar>(subject: &Subject<S>) {
    let mut next = numbers(13);
    let (lowest, highest) = (S::from_f64(f64::MIN), S::from_f64(f64::MAX));
    let mut boxes = vec![Aabb::new([lowest; 2], [highest; 2]); 1000];
    for _ in 0..1000 {
        let (x, y) = (10_f64.powf(next() * 60.0 - 30.0), -10_f64.powf(next() * 60.0 - 30.0));
        boxes.push(rect([x, y, x, y]));
        boxes.push(Aabb::new([lowest, lowest], [lowest, highest]));
        boxes.push(Aabb::from_point([highest; 2]));
    }
    stays_within_bounds(subject, &boxes);
}

pub(crate) fn reserving_makes_room_and_clearing_keeps_it<S: Scalar>(subject: &Subject<S>) {
    let mut index = subject.empty();
    index.reserve(1000);
    let reserved = index.stats().bytes_reserved;
    assert!(reserved >= 1000 * size_of::<Aabb<S>>(), "{reserved}");
    scattered(1000, [100.0, 100.0], 1.0).into_iter().for_each(|bounds| assert!(index.insert(bounds).is_ok()));
    let full = index.stats().bytes_reserved;
    index.clear();
    assert_eq!(index.validate().expect("a sound structure").bytes_reserved, full);
}

/// Ten giants among small boxes: each listed everywhere, or each keeping its cell from being divided, they once made
/// every query a search through everything.
pub(crate) fn a_few_giants_do_not_degenerate_the_structure<S: Scalar>(subject: &Subject<S>) {
    let small = scattered::<S>(5000, [1000.0, 1000.0], 2.0);
    let giants = [rect([0.0, 0.0, 1000.0, 1000.0]); 10];
    let worked = |boxes: &[Aabb<S>]| {
        let index = subject.holding(boxes);
        small.iter().step_by(50).map(|&bounds| index.query_work(Overlaps(bounds)).boxes).sum::<usize>()
    };
    // 100 queries: the giants are found by each of them, and what little they drag along is within 60 boxes a
    // query.
    let (without, with) = (worked(&small), worked(&[&giants[..], &small].concat()));
    assert!(with <= without + 100 * (10 + 60), "{with} boxes compared, {without} without giants");
}

/// A thousand boxes; every fourth is removed. A sample of every fourth, to fit the world, would see none at all.
pub(crate) fn gaps_among_the_ids_do_not_blind_the_fit<S: Scalar>(subject: &Subject<S>) {
    for step in [2, 3, 4, 5] {
        let boxes: Vec<_> =
            scattered::<f64>(1000, [1000.0, 1000.0], 2.0).iter().map(|one| one.with_offset([5000.0; 2])).collect();
        let mut index = subject.empty();
        boxes.iter().for_each(|&bounds| assert!(index.insert(rect(bounds.into())).is_ok()));
        let worked = |index: &AnyIndex<S>| {
            let asked = boxes.iter().skip(1).step_by(60);
            asked.map(|&bounds| index.query_work(Overlaps(rect(bounds.into()))).boxes).sum::<usize>()
        };
        index.maintain();
        let before = worked(&index);
        (0..1000).step_by(step).for_each(|id| assert!(index.remove(id).is_some()));
        index.maintain();
        assert!(
            worked(&index) <= 2 * before,
            "{} boxes compared, {before} before every {step}th was removed",
            worked(&index)
        );
    }
}

/// A row in which each box overlaps many that came just before it and few of all: a leaf of such is no heap.
fn rows_that_come_in_order_are_divided(options: &Setup<f32>) {
    let row: Vec<Aabb> = (0..4000).map(|k| 4.0 * k as f32).map(|x| Aabb::new([x, 0.0], [x + 400.0, 400.0])).collect();
    let worked = |stride: usize| {
        let mut index = options.empty();
        (0..row.len()).for_each(|k| assert!(index.insert(row[k * stride % row.len()]).is_ok()));
        let asked = row.iter().step_by(50).map(|bounds| Aabb::from_point(bounds.min));
        asked.map(|point| index.query_work(Overlaps(point)).boxes).sum::<usize>()
    };
    let (in_order, shuffled) = (worked(1), worked(1237));
    assert!(in_order <= 2 * shuffled, "{in_order} boxes compared, {shuffled} if they come in another order");
    assert!(in_order < 80 * 1000, "{in_order} boxes compared by 80 queries, where each has a hundred answers");
}

/// Five hundred boxes in one place stay in one node, and the boxes around them are parted from them all the same.
fn heaps_stay_together(options: &Setup<f32>) {
    let heap = [Aabb::new([700.0, 600.0], [704.0, 604.0]); 500];
    let mut index = options.with_boxes(&heap).expect("valid boxes");
    let alone = index.validate().expect("a sound structure");
    assert_eq!((alone.depth, alone.leaves, alone.longest_list), (0, 1, 500), "{alone:?}");
    let others = scattered::<f32>(2000, [1000.0, 1000.0], 4.0);
    let boxes = [&others[..1000], &heap, &others[1000..]].concat();
    let bulk = options.with_boxes(&boxes).expect("valid boxes");
    others.iter().for_each(|&bounds| assert!(index.insert(bounds).is_ok()));
    for index in [&bulk, &index] {
        let stats = index.validate().expect("a sound structure");
        assert!((3..=12).contains(&stats.depth), "{stats:?}");
        let far = others.iter().filter(|other| !other.with_margin(100.0).intersects(&heap[0]));
        let worked: Vec<usize> = far.map(|&bounds| index.query_work(Overlaps(bounds)).boxes).collect();
        let mean = worked.iter().sum::<usize>() / worked.len();
        assert!(worked.len() > 1000 && mean < 100, "{mean} boxes compared far from the heap");
    }
}

fn tight(world: Aabb) -> QuadtreeOptions {
    QuadtreeOptions::default().with_world(world)
}

fn loose(world: Aabb) -> TreeOptions {
    TreeOptions::default().with_world(world)
}

#[test]
fn heaps_stay_together_in_trees() {
    let world = Aabb::new([0.0, 0.0], [1000.0, 1000.0]);
    heaps_stay_together(&Setup::new::<Quadtree>(tight(world)));
    heaps_stay_together(&Setup::new::<LooseQuadtree>(loose(world)));
}

#[test]
fn rows_that_come_in_order_are_divided_by_trees() {
    let world = Aabb::new([0.0, 0.0], [16_400.0, 16_400.0]);
    rows_that_come_in_order_are_divided(&Setup::new::<Quadtree>(tight(world)));
    rows_that_come_in_order_are_divided(&Setup::new::<LooseQuadtree>(loose(world)));
}
