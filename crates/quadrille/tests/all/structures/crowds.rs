//! Crowds on one spot and on one line: what is quadratic for a careless structure. Counted work where work can be
//! counted.

use quadrille::structures::{
    AnyOptions, AnyStructure, BruteForce, EnclosingQuadtree, QuadtreeOptions, StructureKind, TreeOptions,
};
use quadrille::{Aabb, Index, Overlaps};

use crate::erased::asked;

/// A whole number below `limit` for each `k`, without a pattern.
fn scrambled(k: usize, limit: usize) -> usize {
    let bits = (k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let bits = (bits ^ bits >> 31).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((bits >> 33) % limit as u64) as usize
}

/// The numbers below `n`, each once: upward, downward, and without a pattern.
fn orders(n: usize) -> [Vec<u32>; 3] {
    let up: Vec<u32> = (0..n as u32).collect();
    let mut mixed = up.clone();
    (1..n).for_each(|at| mixed.swap(at, scrambled(at, at + 1)));
    [up.clone(), up.into_iter().rev().collect(), mixed]
}

fn each(mut check: impl FnMut(StructureKind)) {
    StructureKind::ALL.iter().for_each(|&kind| check(kind));
}

/// 100,000 boxes on one spot are removed one by one. A structure that looked through the heap for each of them would
/// look at 5 · 10^9 ids, several times over: this test would take minutes instead of seconds.
#[test]
fn heaps_are_cleared_away_one_by_one() {
    let n = 100_000;
    let heap = vec![Aabb::new([5.0, 5.0], [6.0, 6.0]); n];
    each(|kind| {
        for order in orders(n) {
            let mut index = Index::<AnyStructure>::with_boxes(kind.into(), &heap).expect("valid boxes");
            let (first, rest) = order.split_at(n - 300);
            first.iter().for_each(|&id| assert!(index.remove(id).is_some(), "{kind}"));
            index.validate().unwrap_or_else(|fault| panic!("{kind}: {fault}"));
            let mut left: Vec<u32> = index.query(asked(&Overlaps(heap[0]))).collect();
            let mut expected = rest.to_vec();
            left.sort_unstable();
            expected.sort_unstable();
            assert_eq!(left, expected, "{kind}");
        }
    });
}

/// Where the world is given, nothing is ever rebuilt: a tree divides a heap that has come apart in `maintain`, or
/// queries would look at all of it for good.
#[test]
fn heaps_that_come_apart_are_divided() {
    let n = 20_000;
    let world = Some(Aabb::new([0.0, 0.0], [1000.0, 1000.0]));
    let spot = Aabb::new([500.0, 500.0], [501.0, 501.0]);
    let place = |id: u32| Aabb::from_center([(id % 141) as f32 * 7.0, (id / 141) as f32 * 7.0], [0.5; 2]);
    let trees = [
        AnyOptions::Quadtree(QuadtreeOptions::default().with_world(world)),
        AnyOptions::EnclosingQuadtree(TreeOptions::default().with_world(world)),
        AnyOptions::LooseQuadtree(TreeOptions::default().with_world(world)),
    ];
    for options in trees {
        let mut index = Index::<AnyStructure>::with_boxes(options, &vec![spot; n]).expect("valid boxes");
        (0..n as u32).for_each(|id| assert!(index.update(id, place(id)).is_ok()));
        index.maintain();
        index.validate().unwrap_or_else(|fault| panic!("{options:?}: {fault}"));
        let work = index.query_work(asked(&Overlaps(place(7777))));
        assert!(work.found == 1 && work.boxes < 200, "{options:?}: {work:?}");
    }
}

/// The same boxes are moved away, each to a place of its own, and back again.
#[test]
fn heaps_are_moved_away_one_by_one() {
    let n = 100_000;
    let spot = Aabb::new([500.0, 500.0], [501.0, 501.0]);
    let place = |id: u32| Aabb::from_center([(id % 317) as f32 * 5.0, (id / 317) as f32 * 5.0], [0.5; 2]);
    each(|kind| {
        let [.., order] = orders(n);
        let mut index = Index::<AnyStructure>::with_boxes(kind.into(), &vec![spot; n]).expect("valid boxes");
        order.iter().for_each(|&id| assert!(index.update(id, place(id)).is_ok()));
        index.validate().unwrap_or_else(|fault| panic!("{kind}: {fault}"));
        index.maintain();
        assert_eq!(index.query_count(asked(&Overlaps(place(77_777)))), 1, "{kind}");
        order.iter().for_each(|&id| assert!(index.update(id, spot).is_ok()));
        index.validate().unwrap_or_else(|fault| panic!("{kind}: {fault}"));
        assert_eq!(index.query_count(asked(&Overlaps(spot))), n, "{kind}");
    });
}

/// One box in ten is tiny and on the vertical or the horizontal middle line of the world, the others are anywhere.
fn straddlers(n: usize, axis: usize) -> (TreeOptions, Vec<Aabb>) {
    let side = (n as f32 * 20.0).sqrt();
    let at = |k: usize| side * (scrambled(k, 1 << 20) as f32 / (1 << 20) as f32);
    let boxes = (0..n).map(|k| {
        let mut center = [at(2 * k), at(2 * k + 1)];
        if k % 10 == 0 {
            center[axis] = side / 2.0;
        }
        Aabb::from_center(center, [0.25; 2])
    });
    (TreeOptions::default().with_world(Aabb::new([0.0; 2], [side; 2])), boxes.collect())
}

/// Nodes and boxes visited per box, when each box is queried for what it overlaps.
fn work(index: &Index<EnclosingQuadtree>) -> f64 {
    let worked = index.iter().map(|(_, bounds)| index.query_work(asked(&Overlaps(bounds))));
    worked.map(|work| work.nodes + work.boxes).sum::<usize>() as f64 / index.len() as f64
}

#[test]
fn boxes_on_a_middle_line_pass_each_other_by() {
    for axis in 0..2 {
        let worked = [2_000, 32_000].map(|n| {
            let (options, boxes) = straddlers(n, axis);
            let bulk = Index::<EnclosingQuadtree>::with_boxes(options, &boxes).expect("valid boxes");
            let mut single = Index::<EnclosingQuadtree>::new(options).expect("valid options");
            boxes.iter().for_each(|&one| assert!(single.insert(one).is_ok()));
            for index in [&bulk, &single] {
                let stats = index.validate().expect("a sound tree");
                assert!(stats.longest_list <= 4 * 32, "{stats:?}");
            }
            [work(&bulk), work(&single)]
        });
        let [with_few, with_many] = worked;
        for (few, many) in with_few.into_iter().zip(with_many) {
            assert!(many <= 1.5 * few, "axis {axis}: {many} looked at with 32,000 boxes, {few} with 2,000");
        }
    }
}

/// Boxes come to divided lines, move along them, leave and come back; the lines are halved and joined again, and
/// nothing is lost.
#[test]
fn lines_are_divided_and_mended() {
    let n = 3_000;
    for axis in 0..2 {
        let (options, mut boxes) = straddlers(n, axis);
        boxes.iter_mut().step_by(3).for_each(|one| {
            let mut center = one.center();
            center[axis] = options.world.expect("a world").center()[axis];
            *one = Aabb::from_center(center, [0.25; 2]);
        });
        let first = boxes.clone();
        let mut index = Index::<EnclosingQuadtree>::with_boxes(options, &boxes).expect("valid boxes");
        for round in 0..40 {
            for k in 0..n {
                let id = k as u32;
                boxes[k] = match (round / 10 + k) % 4 {
                    0 => boxes[k].with_offset([0.3, -0.3]),
                    1 if round % 10 == 3 => first[scrambled(k + round, n)].with_offset([7.0, 7.0]),
                    2 => first[(k + round) % n],
                    _ => boxes[k],
                };
                index.update(id, boxes[k]).expect("a valid box");
            }
            if round % 2 == 0 {
                index.maintain();
            }
            index.validate().unwrap_or_else(|fault| panic!("axis {axis} round {round}: {fault}"));
            let mut pairs: Vec<_> = index.pairs().collect();
            pairs.sort_unstable();
            let brute = Index::<BruteForce>::from_boxes(&boxes).expect("valid boxes");
            assert!(brute.pairs().eq(pairs.iter().copied()), "axis {axis} round {round}");
            for at in (0..n).step_by(71) {
                let around = Overlaps(boxes[at].with_margin(3.0));
                let mut found: Vec<_> = index.query(asked(&around)).collect();
                found.sort_unstable();
                assert!(brute.query(asked(&around)).eq(found), "axis {axis} round {round} box {at}");
            }
        }
        // A line that has become empty is updated.
        (0..n as u32 - 5).for_each(|id| assert!(index.remove(id).is_some()));
        index.maintain();
        assert_eq!(index.validate().expect("a sound tree").nodes, 1);
    }
}
