//! Segments, rays and moving boxes, against exact fractions.

use proptest::prelude::*;
use quadrille::structures::Quadtree;
use quadrille::{Aabb, Contact, Impact, Index, Scalar, Sweep};

use super::scene::{Scene, agree, scenes};
use crate::erased::ranked;
use crate::oracle::{Frame, Point, Rect, Time, compare, first_contact, for_all, points, rects};

/// The sides at which the mover arrives just then.
fn arrivals(start: Rect, motion: Point, rect: Rect, (n, d): Time) -> Vec<[i8; 2]> {
    let mut sides = Vec::new();
    for axis in 0..2 {
        let (way, moved) = (motion[axis], n * motion[axis]);
        let mut side = [0, 0];
        side[axis] = -(way.signum() as i8);
        if (way > 0 && start[1][axis] * d + moved == rect[0][axis] * d)
            || (way < 0 && start[0][axis] * d + moved == rect[1][axis] * d)
        {
            sides.push(side);
        }
    }
    sides
}

fn check_contact<S: Scalar>(contact: &Contact<S>, start: Rect, motion: Point, rect: Rect, time: Time) {
    assert_eq!(contact.time(), time.0 as f64 / time.1 as f64);
    let sides = arrivals(start, motion, rect, time);
    assert_eq!(contact.normal(), sides.first().copied().unwrap_or([0, 0]), "{start:?} along {motion:?} to {rect:?}");
}

/// All forms of the query on all structures.
fn check<S: Scalar>(scene: &Scene, sweep: &Sweep<S>, start: Rect, motion: Point, is_endless: bool) {
    let contact = |rect| first_contact(start, motion, rect, is_endless);
    agree(scene, sweep, |_, rect| contact(rect).is_some());
    let boxes = scene.boxes();
    let mut expected: Vec<_> = boxes.iter().filter_map(|&(id, rect)| Some((contact(rect)?, id, rect))).collect();
    expected.sort_by(|a, b| compare(a.0, b.0).then(a.1.cmp(&b.1)));
    let sweep = ranked(sweep);
    for index in scene.indices::<S>() {
        let mut hits = Vec::new();
        index.query_first_few(sweep, usize::MAX, &mut hits);
        assert_eq!(hits.len(), expected.len());
        for (hit, &(time, id, rect)) in hits.iter().zip(&expected) {
            assert_eq!(hit.id, id, "{:?}", index.options());
            check_contact(&hit.rank, start, motion, rect, time);
        }
        assert_eq!(index.query_first(sweep).map(|hit| hit.id), hits.first().map(|hit| hit.id), "{:?}", index.options());
        let lazily: Vec<u32> = index.query_in_order(sweep).map(|hit| hit.id).collect();
        assert_eq!(lazily, expected.iter().map(|&(_, id, _)| id).collect::<Vec<_>>());
        for most in [0, 1, 2, 5] {
            let mut few = Vec::new();
            index.query_first_few(sweep, most, &mut few);
            assert_eq!(few, hits[..most.min(hits.len())], "the first {most} of {:?}", index.options());
        }
    }
}

/// Straight and slanted ways, short ones and none at all.
fn motions() -> impl Strategy<Value = Point> {
    prop_oneof![4 => points(), 1 => [0_i64..1, -40_i64..40], 1 => [-40_i64..40, 0_i64..1], 1 => [0_i64..1, 0_i64..1]]
}

fn plus(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

fn segments_hit_what_they_touch_in_order<S: Scalar>() {
    for_all((scenes(), points(), motions()), |(scene, from, motion)| {
        let sweep = Sweep::<S>::segment(scene.frame.point(from), scene.frame.point(plus(from, motion)));
        check(&scene, &sweep, [from, from], motion, false);
    });
}

fn rays_hit_what_they_touch_in_order<S: Scalar>() {
    for_all((scenes(), points(), motions()), |(scene, from, motion)| {
        let sweep = Sweep::<S>::ray(scene.frame.point(from), scene.frame.vector(motion));
        check(&scene, &sweep, [from, from], motion, true);
    });
}

fn moving_boxes_hit_what_they_touch_in_order<S: Scalar>() {
    for_all((scenes(), rects(), motions()), |(scene, start, motion)| {
        let sweep = Sweep::<S>::new(scene.frame.aabb(start), scene.frame.vector(motion));
        check(&scene, &sweep, start, motion, false);
    });
}

fn movers_meet_movers<S: Scalar>() {
    for_all((scenes(), prop::collection::vec(motions(), 0..70)), |(scene, motions)| {
        let boxes = scene.boxes();
        let motion = |id: u32| motions.get(id as usize).copied().unwrap_or([0, 0]);
        let mut expected = Vec::new();
        for (k, &(a, first)) in boxes.iter().enumerate() {
            for &(b, second) in &boxes[k + 1..] {
                let relative = [0, 1].map(|axis| motion(a)[axis] - motion(b)[axis]);
                let time = first_contact(first, relative, second, false);
                expected.extend(time.map(|time| (time, a, b, first, relative, second)));
            }
        }
        expected.sort_by(|x, y| compare(x.0, y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        for index in scene.indices::<S>() {
            let mut impacts = Vec::new();
            // A way that leads out of the numbers is refused; saturating `i32` ways still cover everything there is.
            index.impacts(|id| scene.frame.vector(motion(id)), &mut impacts).expect("finite motions");
            assert_eq!(impacts.len(), expected.len());
            for (Impact { a, b, contact, .. }, &(time, x, y, first, relative, second)) in impacts.iter().zip(&expected)
            {
                assert_eq!((*a, *b), (x, y), "{:?}", index.options());
                check_contact(contact, first, relative, second, time);
            }
        }
    });
}

fn a_bullet_tunnels_through_nothing<S: Scalar>() {
    // A wall without thickness, far from everything else, and a motion a thousand times as long as the boxes are wide.
    let frame = Frame::ALL[0];
    let boxes: Vec<Aabb<S>> = (0..1000).map(|k| frame.aabb([[k, 7], [k, 9]])).collect();
    let index = Index::<Quadtree<S>>::from_boxes(&boxes).expect("valid boxes");
    let bullet = Sweep::new(frame.aabb([[-5, 8], [-4, 8]]), frame.vector([2_000, 0]));
    assert_eq!(index.query_count(bullet), 1000);
    assert_eq!(index.query_first(bullet).map(|hit| (hit.id, hit.rank.time())), Some((0, 0.002)));
}

fn bad_sweeps_hit_nothing<S: Scalar>() {
    let index = Index::<Quadtree<S>>::from_boxes(&[Aabb::default(); 3]).expect("valid boxes");
    let [zero, one] = [0.0, 1.0].map(S::from_f64);
    assert_eq!(index.query_count(Sweep::segment([zero; 2], [zero; 2])), 3, "a segment without length is a point");
    assert_eq!(index.query_count(Sweep::ray([zero; 2], [zero; 2])), 3, "so is a ray");
    assert_eq!(index.query_count(Sweep::ray([one; 2], [zero; 2])), 0);
    assert_eq!(index.query_count(Sweep::new(Aabb::new([one; 2], [zero; 2]), [one; 2])), 0, "inverted");
    assert!(index.query_first(Sweep::new(Aabb::new([one; 2], [zero; 2]), [one; 2])).is_none());
    if !S::HIGHEST.is_finite() {
        for bad in [S::from_f64(f64::NAN), S::HIGHEST, S::LOWEST] {
            assert_eq!(index.query_count(Sweep::segment([zero, bad], [zero; 2])), 0);
            assert_eq!(index.query_count(Sweep::segment([zero; 2], [bad, zero])), 0);
            assert_eq!(index.query_count(Sweep::ray([zero; 2], [bad, zero])), 0);
            assert_eq!(index.query_count(Sweep::new(Aabb::default(), [bad, zero])), 0);
            let motion = |id| [zero, if id == 1 { bad } else { zero }];
            let error = index.impacts(motion, &mut Vec::new()).expect_err("a motion is NaN");
            assert_eq!(error.position(), Some(1));
        }
    }
}

fn the_whole_range_of_numbers_is_swept<S: Scalar>() {
    let [low, high] = [f64::MIN, f64::MAX].map(|edge| S::from_f64(S::from_f64(edge).to_f64() / 2.0));
    let corners = [[low, low], [high, low], [low, high], [high, high]].map(Aabb::from_point);
    let index = Index::<Quadtree<S>>::from_boxes(&corners).expect("valid boxes");
    let diagonal = Sweep::segment([low, low], [high, high]);
    let found: Vec<u32> = index.query_in_order(diagonal).map(|hit| hit.id).collect();
    assert_eq!(found, [0, 3]);
    assert_eq!(index.query_count(Sweep::new(Aabb::new([low, low], [low, high]), [high, S::ZERO])), 2);
}

for_a_scalar! {
    segments_hit_what_they_touch_in_order,
    rays_hit_what_they_touch_in_order,
    moving_boxes_hit_what_they_touch_in_order,
    movers_meet_movers,
    a_bullet_tunnels_through_nothing,
    bad_sweeps_hit_nothing,
    the_whole_range_of_numbers_is_swept,
}
