//! What is sorted along the curve is all there, once, and neighbors are near.

use alloc::vec::Vec;

use super::{Curve, along, spread_of};
use crate::executor::{Executor, Serial};
use crate::geometry::{Aabb, Scalar};
use crate::kernel::LANES;
use crate::storage::{Boxes, NONE};
use crate::structure::frame_tree::order::levels::Sixteen;

/// Places side by side follow each other, from the corner of the square on.
#[test]
fn the_curve_goes_from_place_to_place() {
    let mut places: Vec<(u32, [u32; 2])> =
        (0..256).flat_map(|x| (0..256).map(move |y| (along(x, y), [x, y]))).collect();
    places.sort_unstable();
    let is_step = |pair: &[(u32, [u32; 2])]| {
        let [(first, [x, y]), (next, [right, up])] = [pair[0], pair[1]];
        next == first + 1 && x.abs_diff(right) + y.abs_diff(up) == 1
    };
    assert!(places[0].0 == 0 && places.windows(2).all(is_step));
    let quarters = [[0, 0], [0, 1], [1, 1], [1, 0]].map(|[x, y]| along(x << 15, y << 15) >> 30);
    assert!(quarters == [0, 1, 2, 3] || quarters == [0, 3, 2, 1], "{quarters:?}");
}

/// Jobs that run in any order, each with nothing from the one before.
struct Apart;

impl Executor for Apart {
    fn share<J: Send, R: Send + Default>(
        &self,
        jobs: impl IntoIterator<Item = J>,
        results: &mut R,
        work: impl Fn(J, &mut R) + Sync + Send,
        join: impl Fn(&mut R, R),
    ) {
        let jobs: Vec<J> = jobs.into_iter().collect();
        let mut done: Vec<R> = jobs.iter().map(|_| R::default()).collect();
        jobs.into_iter().zip(&mut done).rev().for_each(|(job, done)| work(job, done));
        done.into_iter().for_each(|done| join(results, done));
    }

    fn resize<T: Copy + Send + Sync>(&self, list: &mut Vec<T>, len: usize, with: T) {
        list.resize(len, with);
    }

    fn append<T: Copy + Send + Sync>(&self, list: &mut Vec<T>, more: &[T]) {
        list.extend_from_slice(more);
    }
}

/// Several chunks of ids and many squares, evenly and in crowds.
#[test]
fn jobs_that_know_nothing_of_each_other_sort_as_one() {
    let even = |k: u32| [k * 7919 % 100_003, k * 5_009 % 100_019].map(f64::from);
    let crowded = |k: u32| even(k).map(|at| if k % 3 == 0 { at } else { at / 1000.0 });
    for place in [&even as &dyn Fn(u32) -> [f64; 2], &crowded] {
        let (order, boxes) = sorted::<f64>((0..70_000).map(place));
        let (packs, mut apart) = copied(&boxes);
        Curve::default().sort(&boxes, [1.0, 1.0], Some(&packs), &mut apart, &Apart);
        assert_eq!(order, apart);
        check((order, boxes));
    }
}

fn sorted<S: Scalar>(points: impl Iterator<Item = [f64; 2]>) -> (Vec<u32>, Boxes<S>) {
    let mut boxes = Boxes::new();
    for point in points {
        boxes.insert(Aabb::from_point(point.map(S::from_f64))).expect("room");
    }
    for id in (0..boxes.slots() as u32).step_by(7) {
        boxes.remove(id);
    }
    let (packs, mut order) = copied(&boxes);
    Curve::default().sort(&boxes, [1.0, 1.0], Some(&packs), &mut order, &Serial);
    (order, boxes)
}

/// Boxes in packs, in the order of their ids, and holes among them.
fn copied<S: Scalar>(boxes: &Boxes<S>) -> (Vec<Sixteen<S>>, Vec<u32>) {
    let ids = boxes.iter().map(|(id, _)| id);
    let mut order: Vec<u32> = Vec::new();
    for id in ids {
        order.push(id);
        if id % 25 == 0 {
            order.resize(order.len().next_multiple_of(LANES), NONE);
        }
    }
    order.resize(order.len().next_multiple_of(LANES), NONE);
    let mut packs = Vec::new();
    packs.resize(order.len() / LANES, Sixteen::EMPTY);
    for (slot, &id) in order.iter().enumerate().filter(|&(_, &id)| id != NONE) {
        packs[slot / LANES].set(slot % LANES, boxes.at(id));
    }
    (packs, order)
}

fn every_box_is_listed_once<S: Scalar>() {
    let far = S::HIGHEST.to_f64().min(f64::MAX) * 0.99;
    let power = |k: i32| (0..k.abs()).fold(1.0, |power, _| if k < 0 { power / 2.0 } else { power * 2.0 });
    let spreads: [fn(f64) -> [f64; 2]; 5] = [
        |_| [3.0, 4.0],
        |k| [k * 7919.0 % 1009.0, k * 104_729.0 % 1013.0],
        |k| [k, 0.0],
        |k| [0.0, -k * k],
        |k| [k % 2.0 * 1e6 + k * 7919.0 % 31.0, k % 3.0 * 1e6 + k * 104_729.0 % 37.0],
    ];
    for spread in spreads {
        for count in [0, 1, 2, 40, 3000] {
            check(sorted::<S>((0..count).map(|k| spread(f64::from(k)))));
        }
    }
    // Closer and closer to a corner, and one at each end of the numbers.
    check(sorted::<S>((0..2000).map(|k| [power(k % 40 - 20), power(k / 40 - 25)])));
    let ends = [[far, far], [-far, -far], [far, -far]].into_iter();
    check(sorted::<S>(ends.chain((0..2000).map(|k| [f64::from(k % 50), f64::from(k / 50)]))));
}

fn check<S: Scalar>((mut order, boxes): (Vec<u32>, Boxes<S>)) {
    order.sort_unstable();
    assert!(order.into_iter().eq(boxes.iter().map(|(id, _)| id)));
}

#[test]
fn every_box_is_listed_once_however_boxes_are_spread() {
    every_box_is_listed_once::<f32>();
    every_box_is_listed_once::<f64>();
    every_box_is_listed_once::<i32>();
}

/// Even if half of all boxes are a thousand times as close to each other as the others, packs of neighbors in
/// the order are small.
#[test]
fn crowds_are_in_order_too() {
    let point = |k: u32| {
        let spread = if k % 2 == 0 { 1.0 } else { 1e-3 };
        [k * 7919 % 10_007, k * 104_729 % 10_009].map(|at| f64::from(at) * spread)
    };
    let (order, boxes) = sorted::<f64>((0..20_000).map(point));
    let size = |ids: &[u32]| {
        let hull = ids.iter().fold(Aabb::EMPTY, |hull, &id| hull.union(boxes.at(id)));
        hull.max[0] - hull.min[0] + hull.max[1] - hull.min[1]
    };
    let mut sizes: Vec<f64> = order.chunks(16).map(size).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let (close, wide) = (sizes[sizes.len() / 4], sizes[sizes.len() * 3 / 4]);
    // 16 of 8,571 boxes in a square cover a side of 1/23 each; some packs lie around a corner.
    assert!(close < 10.0 * 4.0 / 23.0 && wide < 10_000.0 * 4.0 / 23.0, "{close} {wide}");
}

/// Where boxes come row by row, as those of a map do, the sample hides no column.
#[test]
fn no_period_hides_where_boxes_are() {
    for columns in [16, 31, 32, 48, 64, 100, 128, 200, 256] {
        let mut boxes = Boxes::<f64>::new();
        for k in 0..65_536 {
            boxes.insert(Aabb::from_point([columns - 1 - k % columns, k / columns].map(f64::from))).expect("room");
        }
        let ids: Vec<u32> = boxes.iter().map(|(id, _)| id).collect();
        let (packs, _) = copied(&boxes);
        for packs in [None, Some(&*packs)] {
            // Of half the middles.
            let [low, high] = spread_of(&boxes, packs, &ids);
            assert!(
                low[0] < 1.0 && high[0] > f64::from(columns) / 2.0 - 1.5,
                "{low:?} to {high:?} of {columns} columns"
            );
        }
    }
}

/// Holes among boxes far from the origin do not stretch the grid to it.
#[test]
fn holes_are_nowhere() {
    let (_, boxes) =
        sorted::<i32>((0..300).map(|k| [f64::from(1_000_000_000 + k % 20), f64::from(-1_000_000_000 - k / 20)]));
    let (packs, order) = copied(&boxes);
    assert!(order.contains(&NONE));
    assert_eq!(spread_of(&boxes, Some(&packs), &order), spread_of(&boxes, None, &order));
}
