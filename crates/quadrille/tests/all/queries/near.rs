//! Circles and boxes near boxes.

use quadrille::structures::Quadtree;
use quadrille::{Aabb, Index, Near, Scalar};

use super::scene::{agree, scenes};
use crate::oracle::{distance_squared, for_all, points, rects};

fn circles_find_what_is_within_their_radius<S: Scalar>() {
    for_all((scenes(), points(), 0_i64..30), |(scene, center, radius)| {
        let circle = Near::<S>::point(scene.frame.point(center)).within(scene.frame.length::<S>(radius).to_f64());
        agree(&scene, &circle, |_, rect| distance_squared([center, center], rect) <= radius * radius);
    });
}

fn boxes_find_what_is_within_a_distance<S: Scalar>() {
    for_all((scenes(), rects(), 0_i64..30), |(scene, target, distance)| {
        let near = Near::<S>::aabb(scene.frame.aabb(target)).within(scene.frame.length::<S>(distance).to_f64());
        agree(&scene, &near, |_, rect| distance_squared(target, rect) <= distance * distance);
    });
}

fn without_a_limit_everything_is_near<S: Scalar>() {
    for_all((scenes(), points()), |(scene, center)| {
        agree(&scene, &Near::<S>::point(scene.frame.point(center)), |_, _| true);
    });
}

fn bad_distances_and_targets_find_nothing<S: Scalar>() {
    let index = Index::<Quadtree<S>>::from_boxes(&[Aabb::default(); 3]).expect("valid boxes");
    let [zero, one] = [0.0, 1.0].map(S::from_f64);
    let minus_one = zero.minus(one);
    assert_eq!(index.query_count(Near::point([zero; 2]).within(zero)), 3, "touching counts");
    assert_eq!(index.query_count(Near::point([zero; 2]).within(minus_one)), 0);
    assert_eq!(index.query_count(Near::aabb(Aabb::new([one; 2], [zero; 2])).within(one)), 0);
    assert_eq!(index.query_count(Near::aabb(Aabb::new([one; 2], [zero; 2]))), 0);
    if !S::HIGHEST.is_finite() {
        let nan = S::from_f64(f64::NAN);
        assert_eq!(index.query_count(Near::point([zero; 2]).within(nan)), 0);
        assert_eq!(index.query_count(Near::point([zero, nan]).within(one)), 0);
        assert_eq!(index.query_count(Near::point([zero, S::HIGHEST]).within(one)), 0);
    }
    assert_eq!(index.query_count(Near::point([one; 2]).within(S::HIGHEST)), 3);
}

for_a_scalar! {
    circles_find_what_is_within_their_radius,
    boxes_find_what_is_within_a_distance,
    without_a_limit_everything_is_near,
    bad_distances_and_targets_find_nothing,
}
