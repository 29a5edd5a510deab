//! A table of hostile cases: every fault known of public quadtrees and grids, as a test that it is not ours.

use std::ops::ControlFlow::Continue;

use quadrille::{Aabb, At, Inside, Overlaps, Scalar};

use crate::any_index::AnyIndex;
use crate::subjects::Subject;
use crate::twins::Twins;

/// A box from plain numbers; rounded for integers.
pub(crate) fn rect<S: Scalar>(edges: [f64; 4]) -> Aabb<S> {
    edges.map(S::from_f64).into()
}

/// A repeatable stream of numbers in `[0, 1)`: the 31-bit linear congruential generator of ANSI C's example, its upper
/// bits.
pub(crate) fn numbers(seed: u32) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        f64::from(state >> 8) / f64::from(1 << 24)
    }
}

/// `n` boxes with lower corners in a rectangle of the given size and sides up to `side`.
pub(crate) fn scattered<S: Scalar>(n: usize, size: [f64; 2], side: f64) -> Vec<Aabb<S>> {
    let mut next = numbers(7);
    let one = |_| {
        let (x, y) = (next() * size[0], next() * size[1]);
        rect([x, y, x + next() * side, y + next() * side])
    };
    (0..n).map(one).collect()
}

/// Bulk-built and one by one, with every choice of options, before and after `maintain`: all must agree with brute
/// force.
fn all_agree<S: Scalar>(subject: &Subject<S>, boxes: &[Aabb<S>]) {
    for options in subject.all_options() {
        Twins::holding(options, boxes).agree();
        let mut twins = Twins::inserted(options, boxes);
        twins.agree();
        twins.maintain();
        twins.agree();
    }
}

/// The oracle, too, is tested: against the sentences that define the queries.
pub(crate) fn answers_are_what_the_queries_say<S: Scalar>(subject: &Subject<S>) {
    let boxes = scattered::<S>(100, [60.0, 60.0], 20.0);
    let asked: Aabb<S> = rect([20.0, 15.0, 45.0, 40.0]);
    let ids = |accepts: &dyn Fn(&Aabb<S>) -> bool| {
        (0..).zip(&boxes).filter(|(_, bounds)| accepts(bounds)).map(|(id, _)| id).collect::<Vec<u32>>()
    };
    let apart = |a: &Aabb<S>, b: &Aabb<S>| (0..2).any(|axis| a.max[axis] < b.min[axis] || b.max[axis] < a.min[axis]);
    let overlapping = ids(&|bounds| !apart(bounds, &asked));
    let inside =
        ids(&|bounds| (0..2).all(|axis| bounds.min[axis] >= asked.min[axis] && bounds.max[axis] <= asked.max[axis]));
    let under = ids(&|bounds| !apart(bounds, &Aabb::from_point(asked.min)));
    assert!(
        overlapping.len() > inside.len() && inside.len() > 1 && under.len() > 1,
        "the case distinguishes the queries"
    );
    for options in subject.all_options() {
        let index = options.with_boxes(&boxes).expect("valid boxes");
        let sorted = |mut ids: Vec<u32>| {
            ids.sort_unstable();
            ids
        };
        assert_eq!(sorted(index.query(Overlaps(asked))), overlapping);
        assert_eq!(sorted(index.query(Inside(asked))), inside);
        assert_eq!(sorted(index.query(At(asked.min))), under);
        let pairs =
            (0..100).flat_map(|b| (0..b).map(move |a| (a, b))).filter(|&(a, b)| !apart(&boxes[a], &boxes[b])).count();
        assert_eq!(index.pairs_count(), pairs);
    }
}

/// Half of a box's width taken where half of its height was meant: narrow worlds were then divided in the wrong places
/// and a box was listed three times instead of once.
pub(crate) fn a_narrow_world_costs_as_little_as_a_square_one<S: Scalar>(subject: &Subject<S>) {
    let listings_and_work = |size| {
        let boxes = scattered::<S>(4000, size, 2.0);
        let index = subject.holding(&boxes);
        let work: usize = boxes.iter().step_by(10).map(|&bounds| index.query_work(Overlaps(bounds)).boxes).sum();
        (index.stats().listed, work)
    };
    let square = listings_and_work([1024.0, 1024.0]);
    for narrow in [[256.0, 4096.0], [4096.0, 256.0]] {
        let (listed, work) = listings_and_work(narrow);
        assert!(2 * listed <= 3 * square.0, "{listed} listings in {narrow:?}, {} in a square", square.0);
        assert!(work <= 3 * square.1, "{work} boxes compared in {narrow:?}, {} in a square", square.1);
    }
}

/// Rounding toward zero instead of down: what lies just below zero was found just above it.
pub(crate) fn nothing_is_found_on_the_wrong_side_of_zero<S: Scalar>(subject: &Subject<S>) {
    let boxes = [-0.75, -0.5, -0.25, 0.0, 0.25, 0.5].map(|x| rect::<S>([x, x, x, x]));
    all_agree(subject, &boxes);
    let index = subject.holding(&boxes);
    let below = boxes.iter().filter(|bounds| bounds.max[0] < S::ZERO).count();
    let lowest = S::from_f64(-100.0);
    assert_eq!(
        index.query_count(Inside(Aabb::new([lowest; 2], [S::ZERO; 2]))),
        below + index.query_count(At([S::ZERO; 2]))
    );
}

/// Halves of odd sizes dropped a unit on every level, and what lay in the last rows belonged to no leaf and vanished;
/// halves of size one went on being divided in place.
pub(crate) fn a_world_of_odd_size_has_no_gaps<S: Scalar>(subject: &Subject<S>) {
    for [width, height] in [[13, 7], [1, 31], [65, 3]] {
        let points = (0..=height).flat_map(|y| (0..=width).map(move |x| [x, y].map(f64::from)));
        let boxes: Vec<Aabb<S>> = points.map(|[x, y]| rect([x, y, x, y])).collect();
        for options in subject.all_options() {
            let mut twins = Twins::holding(options, &boxes);
            boxes.iter().for_each(|bounds| assert_eq!(twins.subject.query_count(At(bounds.min)), 1));
            twins.maintain();
            twins.agree();
        }
    }
}

/// A rule for dividing lines that treats the two sides differently in one place and alike in another.
pub(crate) fn boxes_that_end_or_start_on_a_dividing_line_are_found_from_both_sides<S: Scalar>(subject: &Subject<S>) {
    let mut boxes = vec![];
    for line in [0.0, 16.0, 32.0, 40.0, 48.0, 64.0] {
        for other in [0.0, 24.0, 32.0] {
            boxes.push(rect::<S>([line - 8.0, other, line, other + 8.0]));
            boxes.push(rect([line, other, line + 8.0, other + 8.0]));
            boxes.push(rect([other, line, other, line]));
        }
    }
    all_agree(subject, &boxes);
}

/// Removing what is gone entered its place in the free list again, and two boxes shared it afterward.
pub(crate) fn removing_twice_gives_nothing_and_harms_nothing<S: Scalar>(subject: &Subject<S>) {
    for options in subject.all_options() {
        let mut twins = Twins::holding(options, &scattered(30, [50.0, 50.0], 5.0));
        for id in [3, 17, 29] {
            assert!(twins.remove(id).is_some());
            assert_eq!(twins.remove(id), None);
        }
        assert_eq!(twins.remove(30), None, "never given out");
        assert_eq!(twins.remove(u32::MAX), None);
        twins.agree();
        let again: Vec<u32> = (0..4).map(|k| twins.insert(rect([k.into(); 4])).expect("a valid box")).collect();
        assert_eq!(again, [29, 17, 3, 30], "last freed first, then new ones");
        twins.agree();
    }
}

/// Cleaning up took one level a call, never began at an inner node that became empty, and merged one level only: a tree
/// emptied at once stayed as large as it was.
pub(crate) fn one_maintain_collapses_an_emptied_index<S: Scalar>(subject: &Subject<S>) {
    for options in subject.all_options() {
        let mut twins = Twins::empty(options);
        twins.maintain();
        let nodes = twins.subject.stats().nodes;
        for bounds in scattered(2000, [64.0, 64.0], 1.0) {
            twins.insert(bounds).expect("a valid box");
        }
        (0..2000).for_each(|id| assert!(twins.remove(id).is_some()));
        twins.maintain();
        assert!(
            twins.agree().nodes <= nodes,
            "{options:?}: {} nodes for nothing, at first {nodes}",
            twins.subject.stats().nodes
        );
    }
}

/// Children that are freed one by one and taken four at a time, nodes that are never freed: memory grew without end.
pub(crate) fn memory_does_not_grow_under_churn<S: Scalar>(subject: &Subject<S>) {
    for options in subject.all_options() {
        let mut index = options.empty();
        let mut next = numbers(3);
        let mut bounds = move || {
            let (x, y) = (next() * 64.0, next() * 64.0);
            rect(if next() < 0.01 { [0.0, 0.0, 64.0, 64.0] } else { [x, y, x + 1.0, y + 1.0] })
        };
        let mut round = |index: &mut AnyIndex<S>| {
            let ids: Vec<u32> = (0..500).map(|_| index.insert(bounds()).expect("a valid box")).collect();
            ids.iter().for_each(|&id| assert!(index.update(id, bounds()).is_ok()));
            index.maintain();
            ids.iter().for_each(|&id| assert!(index.remove(id).is_some()));
            index.maintain();
            index.validate().expect("a sound structure").bytes_reserved
        };
        let early = (0..10).map(|_| round(&mut index)).max();
        let late = (0..60).map(|_| round(&mut index)).max();
        assert!(late <= early.map(|bytes| 2 * bytes), "{early:?} bytes, later {late:?}");
    }
}

/// A copy of a small buffer that once was large kept the large one's capacity and wrote beyond its end.
pub(crate) fn a_clone_is_equal_and_independent<S: Scalar>(subject: &Subject<S>) {
    for options in subject.all_options() {
        let mut twins = Twins::holding(options, &scattered(300, [64.0, 64.0], 4.0));
        (5..300).for_each(|id| assert!(twins.remove(id).is_some()));
        let before = twins.clone();
        let answers: Vec<u32> = before.subject.query(Overlaps(Aabb::EVERYTHING));
        twins.clear();
        assert_eq!(before.subject.query(Overlaps(Aabb::EVERYTHING)), answers, "and in the same order");
        let mut copy = before.clone();
        scattered(300, [64.0, 64.0], 4.0).into_iter().for_each(|bounds| assert!(copy.insert(bounds).is_ok()));
        before.agree();
        copy.agree();
    }
}

/// Comparing every element of a leaf with every other reported each pair twice, and once more for every leaf the two
/// share; a loose cell that several searched cells name was searched as often.
pub(crate) fn a_box_or_pair_that_spans_many_cells_is_reported_once<S: Scalar>(subject: &Subject<S>) {
    let mut boxes = scattered::<S>(200, [64.0, 64.0], 3.0);
    boxes.extend(
        [[0.0, 0.0, 64.0, 64.0], [1.0, 1.0, 63.0, 64.0], [0.0, 30.0, 64.0, 31.0], [30.0, 0.0, 31.0, 64.0]].map(rect),
    );
    all_agree(subject, &boxes);
}

/// A cell grew around a new box but was entered only where the box was, and everything inside the grown rectangle but
/// outside those places was lost.
pub(crate) fn a_box_in_the_empty_corner_of_a_grown_cell_is_found<S: Scalar>(subject: &Subject<S>) {
    let around = |x: f64, y: f64, half: f64| rect::<S>([x - half, y - half, x + half, y + half]);
    all_agree(
        subject,
        &[around(10.0, 10.0, 1.0), around(90.0, 90.0, 1.0), around(90.0, 10.0, 1.0), around(10.0, 90.0, 1.0)],
    );
    all_agree(
        subject,
        &[
            rect([0.0, 44.0, 100.0, 46.0]),
            rect([44.0, 0.0, 46.0, 100.0]),
            around(80.0, 80.0, 1.0),
            around(20.0, 80.0, 1.0),
        ],
    );
    all_agree(subject, &scattered(100, [100.0, 100.0], 60.0));
}

/// Absolute coordinates where relative ones were meant: with an origin other than zero all was lost until the next
/// clean-up. And columns counted with rows.
pub(crate) fn worlds_away_from_the_origin_lose_nothing<S: Scalar>(subject: &Subject<S>) {
    for [x, y] in [[1000.0, -3000.0], [-1e6, 1e6], [2e9, -2e9]] {
        let boxes: Vec<_> =
            scattered::<f64>(60, [300.0, 20.0], 5.0).iter().map(|bounds| bounds.with_offset([x, y])).collect();
        all_agree(subject, &boxes.iter().map(|&bounds| rect(bounds.into())).collect::<Vec<_>>());
    }
}

/// Every empty cell was entered at the world's lower corner, where queries then waded through thousands of them.
pub(crate) fn a_query_in_an_empty_corner_looks_at_little<S: Scalar>(subject: &Subject<S>) {
    let mut index = subject.holding(&scattered(5000, [1000.0, 1000.0], 1.0));
    (0..5000).filter(|id| id % 50 != 0).for_each(|id| assert!(index.remove(id).is_some()));
    index.maintain();
    for corner in [[0.0, 0.0, 1.0, 1.0], [999.0, 999.0, 1000.0, 1000.0], [-10.0, -10.0, -5.0, -5.0]] {
        let work = index.query_work(Overlaps(rect(corner)));
        assert!(work.nodes + work.boxes <= 100 + 64, "{work:?} for a corner with next to nothing in it");
    }
}

/// Cell numbers by a cast, undefined for what is huge and one cell off below zero; border cells whose outside was
/// forgotten.
pub(crate) fn boxes_and_queries_outside_the_world_are_held_and_answered<S: Scalar>(subject: &Subject<S>) {
    let far = [-1e30, -2e9, -300.0, -1.0, 0.5, 65.0, 1e5, 2e9, 1e30];
    let boxes: Vec<_> = far.iter().flat_map(|&x| far.map(|y| rect::<S>([x, y, x + 2.0, y + 2.0]))).collect();
    all_agree(subject, &boxes);
    for options in subject.all_options() {
        let twins = Twins::holding(options, &scattered(40, [64.0, 64.0], 4.0));
        far.iter().for_each(|&x| twins.agree_about(rect([x, -1e30, x + 60.0, 1e30])));
    }
}

/// An update of an id that is unknown searched a list without end, or wrote beyond it.
pub(crate) fn updating_an_unknown_id_is_an_error_and_changes_nothing<S: Scalar>(subject: &Subject<S>) {
    for options in subject.all_options() {
        let mut twins = Twins::holding(options, &scattered(20, [64.0, 64.0], 4.0));
        assert!(twins.remove(7).is_some());
        for id in [7, 20, u32::MAX] {
            let error = twins.update(id, rect([1.0; 4])).expect_err("an unknown id");
            assert!(error.to_string().contains(&id.to_string()), "{error}");
            assert_eq!(twins.subject.get(id), None);
        }
        twins.agree();
    }
}

/// The number of cells rounded the wrong way: the last strip of the world had no column.
pub(crate) fn a_world_that_is_no_multiple_of_a_cell_is_covered_to_its_edge<S: Scalar>(subject: &Subject<S>) {
    let edge = [0.0, 8.69, 8.7, 8.71, 63.9, 64.0, 306.9, 307.0, 307.1];
    all_agree(subject, &edge.iter().flat_map(|&x| edge.map(|y| rect::<S>([x, y, x, y]))).collect::<Vec<_>>());
}

/// A box that moved was kept at its old place, for it was copied before it was written to.
pub(crate) fn a_box_that_moves_is_found_at_its_new_place_only<S: Scalar>(subject: &Subject<S>) {
    for options in subject.all_options() {
        let mut twins = Twins::holding(options, &scattered(60, [64.0, 128.0], 4.0));
        for (id, bounds) in (0..60).zip(scattered::<S>(60, [-500.0, 900.0], 30.0)) {
            let bounds = Aabb::from_corners(bounds.min, bounds.max);
            let old = twins.update(id, bounds).expect("a valid box");
            twins.agree_about(old);
            twins.agree_about(bounds);
            twins.agree_on_pairs();
        }
        twins.agree();
    }
}

/// A shortcut for boxes that stay in their cell took one that ends on the cell's upper line for one of them, on one axis.
pub(crate) fn boxes_that_move_onto_dividing_lines_are_found_from_both_sides<S: Scalar>(subject: &Subject<S>) {
    for options in subject.all_options() {
        let mut next = numbers(3);
        let mut some = || {
            let [x, y, width, height] = [16.0, 16.0, 3.0, 3.0].map(|most| 4.0 * (next() * most).floor());
            rect::<S>([x, y, x + width, y + height])
        };
        let boxes: Vec<Aabb<S>> = (0..40).map(|_| some()).collect();
        let mut twins = Twins::holding(options, &boxes);
        for turn in 0..400 {
            let bounds = some();
            let old = twins.update(turn % 40, bounds).expect("a valid box");
            twins.agree_about(old);
            for corner in [bounds.min, bounds.max] {
                twins.agree_about(Aabb::from_point(corner));
            }
        }
        twins.agree();
    }
}

/// Children's boxes computed from a center and a half size missed the parent's edge by a rounding error, and what stuck
/// out was dropped: needle-thin queries at the corners of boxes found nothing.
pub(crate) fn needle_thin_queries_at_the_corners_of_boxes_find_them<S: Scalar>(subject: &Subject<S>) {
    for (origin, size) in [([0.1, -0.3], [0.7, 1.1]), ([1e3 / 3.0, 7e4 / 9.0], [1e5 / 7.0, 1e3 / 3.0])] {
        let moved = |bounds: &Aabb<f64>| rect::<S>(bounds.with_offset(origin).into());
        let boxes: Vec<_> = scattered::<f64>(300, size, size[0] / 50.0).iter().map(moved).collect();
        for options in subject.all_options() {
            let twins = Twins::inserted(options, &boxes);
            for Aabb { min, max } in &boxes {
                for corner in [*min, *max, [min[0], max[1]], [max[0], min[1]]] {
                    let high = S::from_f64(1e9);
                    twins.agree_on(At(corner));
                    twins.agree_on(Overlaps(Aabb::new(corner, [corner[0], high])));
                    twins.agree_on(Overlaps(Aabb::new(corner, [high, corner[1]])));
                }
            }
        }
    }
}

/// Open boxes: a point did not find itself, two points at one place were no pair, and neighbors that touch were
/// strangers.
pub(crate) fn touching_is_overlapping_and_a_point_finds_itself<S: Scalar>(subject: &Subject<S>) {
    let boxes =
        [[5.0, 5.0, 5.0, 5.0], [5.0, 5.0, 5.0, 5.0], [5.0, 5.0, 9.0, 9.0], [1.0, 1.0, 5.0, 5.0], [9.0, 0.0, 12.0, 5.0]];
    let boxes = boxes.map(rect::<S>);
    all_agree(subject, &boxes);
    let index = subject.holding(&boxes);
    assert_eq!(index.query_count(At(boxes[0].min)), 4);
    assert_eq!(index.query_count(Inside(boxes[0])), 2);
    assert_eq!(index.pairs_count(), 7, "all of the first four with each other, the third with the last at a corner");
}

/// What came before a division stayed where it was and was never returned again.
pub(crate) fn no_division_loses_what_was_there_before<S: Scalar>(subject: &Subject<S>) {
    for options in subject.all_options() {
        let mut twins = Twins::empty(options);
        for bounds in scattered(80, [64.0, 64.0], 6.0) {
            twins.insert(bounds).expect("a valid box");
            twins.agree_about(Aabb::EVERYTHING);
            twins.agree_on_contents();
        }
        twins.agree();
    }
}

/// Coordinates rounded to whole cells: hits up to half a cell away were missed, and neighbors were found that did not
/// touch.
pub(crate) fn a_box_ends_exactly_where_it_ends<S: Scalar>(subject: &Subject<S>) {
    let bounds: Aabb<S> = rect([10.3, 20.7, 33.1, 41.9]);
    let beyond = |value: S| {
        // The next number of the type: halve the way to a larger one until nothing lies between.
        let mut next = value.plus(S::from_f64(1.0));
        while value < value.midpoint(next) && value.midpoint(next) < next {
            next = value.midpoint(next);
        }
        next
    };
    for options in subject.all_options() {
        let index = options.with_boxes(&[bounds]).expect("a valid box");
        assert_eq!(index.query_count(At(bounds.max)), 1);
        assert_eq!(index.query_count(At([beyond(bounds.max[0]), bounds.max[1]])), 0);
        assert_eq!(index.query_count(At([bounds.max[0], beyond(bounds.max[1])])), 0);
        assert_eq!(index.query_count(Inside(Aabb::new(bounds.min, bounds.max))), 1);
        assert_eq!(index.query_count(Inside(Aabb::new([beyond(bounds.min[0]), bounds.min[1]], bounds.max))), 0);
    }
}

/// Answers in the order of addresses, or disturbed by what other memory did: two runs of one program differed.
pub(crate) fn the_same_calls_give_the_same_answers_in_the_same_order<S: Scalar>(subject: &Subject<S>) {
    for options in subject.all_options() {
        let run = |_| {
            let mut index = options.empty();
            let boxes = scattered(200, [64.0, 64.0], 6.0);
            boxes.iter().for_each(|&bounds| assert!(index.insert(bounds).is_ok()));
            (0..200).step_by(3).for_each(|id| assert!(index.remove(id).is_some()));
            (1..200).step_by(3).for_each(|id| assert!(index.update(id, boxes[id as usize - 1]).is_ok()));
            let before: Vec<_> = index.pairs();
            index.maintain();
            let answers: Vec<_> = index.query(Overlaps(Aabb::EVERYTHING));
            (before, index.pairs(), answers)
        };
        assert_eq!(run(1), run(2));
    }
}

/// The same box twice broke an assertion.
pub(crate) fn the_same_box_many_times_is_many_boxes<S: Scalar>(subject: &Subject<S>) {
    for edges in [[3.0, 3.0, 3.0, 3.0], [0.0, 0.0, 64.0, 64.0], [16.0, 16.0, 32.0, 48.0]] {
        all_agree(subject, &[rect(edges); 40]);
    }
}

/// A query is answered about nothing, and about one box, as about many.
pub(crate) fn empty_and_single_indices_answer_everything<S: Scalar>(subject: &Subject<S>) {
    all_agree(subject, &[]);
    all_agree(subject, &[rect([3.0, 4.0, 5.0, 6.0])]);
    for options in subject.all_options() {
        let mut twins = Twins::inserted(options, &[rect([3.0, 4.0, 5.0, 6.0])]);
        twins.agree_on_pairs_with(&Twins::empty(options));
        Twins::empty(options).agree_on_pairs_with(&twins);
        twins.clear();
        twins.agree();
        assert_eq!(twins.insert(rect([1.0; 4])), Ok(0), "ids start from 0 again");
        twins.agree();
    }
}

/// Rectangles for drawing that were not those in use, or inside out for what is empty.
pub(crate) fn nodes_show_true_rectangles_and_every_listing<S: Scalar>(subject: &Subject<S>) {
    for options in subject.all_options() {
        for n in [0, 1, 500] {
            let mut index = options.with_boxes(&scattered(n, [64.0, 64.0], 3.0)).expect("valid boxes");
            (0..index.len() as u32).step_by(2).for_each(|id| assert!(index.remove(id).is_some()));
            index.maintain();
            let (mut population, mut deepest) = (0, 0);
            let end = index.visit_nodes(|node| {
                assert!(node.bounds.is_ordered(), "{node:?} is inside out");
                population += node.population;
                deepest = deepest.max(node.depth as usize);
                Continue::<()>(())
            });
            assert_eq!(end, Continue(()));
            let stats = index.stats();
            assert!(population >= index.len() && population <= stats.listed, "{population} boxes shown: {stats:?}");
            assert!(deepest <= stats.depth, "{deepest}: {stats:?}");
        }
    }
}

/// Marks on elements during queries: two threads that queried disturbed each other.
pub(crate) fn threads_ask_at_once_and_get_the_same_answers<S: Scalar>(subject: &Subject<S>) {
    const fn is_send_and_sync<T: Send + Sync>(_: &T) {}
    for options in subject.all_options() {
        let boxes = scattered(400, [64.0, 64.0], 6.0);
        let index = options.with_boxes(&boxes).expect("valid boxes");
        is_send_and_sync(&index);
        let ask = || {
            let found: Vec<Vec<u32>> = boxes.iter().map(|&bounds| index.query(Overlaps(bounds))).collect();
            (found, index.pairs())
        };
        let expected = ask();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().for_each(|thread| assert_eq!(thread.join().expect("no panic"), expected));
        });
    }
}
