//! Queries in order, from far away from all boxes: what they find is what brute force finds.

use quadrille::internals::Counted;
use quadrille::structures::{EnclosingQuadtree, Grid, GridOptions, LooseGrid, LooseQuadtree, Quadtree};
use quadrille::{Aabb, Filtered, FrameTree, Hit, Index, Layers, Near, Ranked, Structure, Sweep, Work};

use crate::erased::ranked;

/// A ten by ten lattice of small boxes.
fn lattice() -> Vec<Aabb> {
    (0..100).map(|k| Aabb::from_center([(k % 10) as f32, (k / 10) as f32], [0.1, 0.1])).collect()
}

/// By itself, so that it is compiled once for all structures.
fn sort<K: PartialOrd>(answers: &mut [(u32, K)]) {
    answers.sort_by(|a, b| a.1.partial_cmp(&b.1).expect("ranks have an order").then(a.0.cmp(&b.0)));
}

fn agree<I: Structure<Scalar = f32>, Q: Ranked<f32>>(index: &Index<I>, query: Q)
where
    Q::Rank: PartialEq,
{
    let answers = index.iter().filter(|(id, bounds)| query.accepts(*id, bounds, Layers::ALL));
    let mut expected: Vec<(u32, Q::Rank)> =
        answers.map(|(id, bounds)| (id, query.rank(&bounds).expect("accepted"))).collect();
    sort(&mut expected);
    let plain = |hit: Hit<Q::Rank>| (hit.id, hit.rank);
    assert_eq!(index.query_first(ranked(&query)).map(plain), expected.first().copied(), "{}", I::NAME);
    assert!(index.query_in_order(ranked(&query)).map(plain).eq(expected.iter().copied()), "{}", I::NAME);
    for most in [1, 3, 99, 100] {
        let mut hits = Vec::new();
        index.query_first_few(ranked(&query), most, &mut hits);
        let hits: Vec<_> = hits.into_iter().map(plain).collect();
        assert_eq!(hits, expected[..most.min(expected.len())], "{} first {most}", I::NAME);
    }
}

fn far_askers<I: Structure<Scalar = f32>>() {
    let boxes = lattice();
    let index = Index::<I>::from_boxes(&boxes).expect("valid boxes");
    for distance in (0..25).map(|power| 0.37 * 3_f32.powi(power)) {
        for from in [[-distance, 5.0], [4.5, 9.0 + distance], [9.0 + distance, -distance]] {
            agree(&index, Near::point(from));
            for further in [0.5, 1.0, 4.0, 12.0] {
                agree(&index, Near::point(from).within(distance + further));
            }
            agree(&index, Sweep::segment(from, [20.0, 5.0]));
            agree(&index, Sweep::ray(from, [4.5 - from[0], 4.5 - from[1]]));
        }
    }
}

#[test]
fn far_askers_find_what_brute_force_finds() {
    far_askers::<Quadtree>();
    far_askers::<LooseQuadtree>();
    far_askers::<EnclosingQuadtree>();
    far_askers::<LooseGrid>();
    far_askers::<Grid>();
    far_askers::<FrameTree>();
}

/// Of 40,000 boxes and as many cells as suit them, those near the edge that is nearest.
fn few_are_looked_at<I: Structure<Scalar = f32>>() {
    let place = |k: u16| [f32::from(k % 200), f32::from(k / 200)];
    let boxes: Vec<Aabb> = (0..40_000).map(|k| Aabb::from_center(place(k), [0.1, 0.1])).collect();
    let index = Index::<I>::from_boxes(&boxes).expect("valid boxes");
    for from in [[-300.0, -280.0], [-1000.0, 100.0], [100.0, 700.0]] {
        let asked = Counted::new(Near::point(from));
        assert!(index.query_first(ranked(&&asked)).is_some());
        let Work { boxes, nodes, .. } = asked.work();
        assert!(boxes + nodes < 4_000, "{} looks at {boxes} and {nodes} nodes from {from:?}", I::NAME);
    }
}

#[test]
fn far_askers_look_at_what_is_near() {
    few_are_looked_at::<Quadtree>();
    few_are_looked_at::<LooseQuadtree>();
    few_are_looked_at::<EnclosingQuadtree>();
    few_are_looked_at::<LooseGrid>();
    few_are_looked_at::<Grid>();
    few_are_looked_at::<FrameTree>();
}

/// Distances of integers are up to twice as long as the greatest integer.
#[test]
fn askers_from_the_other_end_of_the_integers_find_the_nearest() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..30 {
        let mut point = || Aabb::from_point([(); 2].map(|()| i32::MIN + random.i32(0..3000)));
        let boxes: Vec<_> = (0..40).map(|_| point()).collect();
        let near = Near::point([i32::MAX, i32::MIN + 1500]);
        let distances = (0..).zip(&boxes).map(|(id, bounds)| (id, near.distance(bounds).expect("all are near")));
        let mut expected: Vec<(u32, _)> = distances.collect();
        sort(&mut expected);
        let index = Index::<Grid<i32>>::from_boxes(&boxes).expect("points");
        let mut hits = Vec::new();
        for most in [1, 5] {
            index.query_first_few(near, most, &mut hits);
            let hits: Vec<_> = hits.iter().map(|hit| (hit.id, hit.rank)).collect();
            assert_eq!(hits, expected[..most], "{boxes:?}");
        }
    }
}

#[test]
fn cells_of_uneven_size_do_not_hide_the_nearest() {
    let options = GridOptions::default().with_cell([7, 1_000_000]);
    let boxes = [
        [15035, 10017, 15039, 10020],
        [28, 29, 34, 32],
        [10002, 15011, 10002, 15014],
        [5007, 5010, 5007, 5010],
        [10018, 7, 10018, 8],
    ]
    .map(Aabb::<i32>::from);
    let index = Index::<Grid<i32>>::with_boxes(options, &boxes).unwrap();
    let nearest = index.query_first(Filtered(Near::aabb(boxes[1]), |id| id != 1)).unwrap();
    assert_eq!((nearest.id, nearest.rank.squared()), (3, 49_511_213.0));
}
