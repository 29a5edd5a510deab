//! Many queries at once, against asking one by one; and lists shown node by node.

use std::collections::BTreeSet;
use std::ops::ControlFlow::Continue;

use proptest::collection::vec;
use quadrille::{Aabb, Answers, Layers, Near, OnLayers, Overlaps, Scalar};

use super::scene::scenes;
use crate::erased;
use crate::oracle::{Frame, distance_squared, for_all, points, rects};

fn sorted(ids: &[u32]) -> Vec<u32> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids
}

fn many_rectangles_are_answered_as_one_by_one<S: Scalar>() {
    for_all((scenes(), vec((rects(), 0_u32..4), 0..40)), |(scene, asked)| {
        let boxes = scene.boxes();
        let on = |(rect, mask)| OnLayers::new(Overlaps(scene.frame.aabb::<S>(rect)), mask);
        let queries: Vec<_> = asked.iter().map(|&one| on(one)).collect();
        let queries: Vec<_> = queries.iter().map(erased::asked).collect();
        // Kept from call to call.
        let mut answers = Answers::new();
        for mut index in scene.indices::<S>() {
            for &(id, _) in boxes.iter().filter(|(id, _)| id % 3 == 0) {
                index.set_layers(id, Layers { own: 1, mask: !0 }).expect("a known id");
            }
            index.query_many(&queries, &mut answers);
            assert_eq!((answers.len(), answers.iter().count()), (asked.len(), asked.len()));
            for (number, &(rect, mask)) in asked.iter().enumerate() {
                let own = |id: u32| if id % 3 == 0 { 1 } else { !0 };
                let expected =
                    boxes.iter().filter(|&&(id, other)| own(id) & mask != 0 && distance_squared(rect, other) == 0);
                let expected: Vec<u32> = expected.map(|&(id, _)| id).collect();
                assert_eq!(sorted(answers.of(number)), expected, "query {number} to {:?}", index.options());
            }
            assert!(answers.of(asked.len()).is_empty(), "there was no such query");
        }
    });
}

fn many_circles_are_answered_as_one_by_one<S: Scalar>() {
    for_all((scenes(), vec((points(), 0_i64..12), 0..40)), |(scene, asked)| {
        let circle = |(center, radius)| {
            Near::<S>::point(scene.frame.point(center)).within(scene.frame.length::<S>(radius).to_f64())
        };
        let queries: Vec<_> = asked.iter().map(|&one| circle(one)).collect();
        let queries: Vec<_> = queries.iter().map(erased::asked).collect();
        let (boxes, mut answers) = (scene.boxes(), Answers::new());
        for index in scene.indices::<S>() {
            index.query_many(&queries, &mut answers);
            for (number, &(center, radius)) in asked.iter().enumerate() {
                let is_near = |rect| distance_squared([center; 2], rect) <= radius * radius;
                let expected: Vec<u32> = boxes.iter().filter(|(_, rect)| is_near(*rect)).map(|&(id, _)| id).collect();
                assert_eq!(sorted(answers.of(number)), expected, "query {number} to {:?}", index.options());
            }
        }
    });
}

fn queries_that_find_nothing_and_everything_are_in_their_place<S: Scalar>() {
    for_all(scenes(), |scene| {
        let mut queries = vec![Overlaps(Aabb::EMPTY), Overlaps(Aabb::EVERYTHING), Overlaps(Aabb::EMPTY)];
        queries.push(Overlaps(Aabb::from_point([S::from_f64(f64::NAN); 2])));
        queries.extend([Overlaps(Aabb::EVERYTHING); 20]);
        let queries: Vec<_> = queries.iter().map(erased::asked).collect();
        let (count, mut answers) = (scene.boxes().len(), Answers::new());
        for index in scene.indices::<S>() {
            index.query_many(&queries, &mut answers);
            for number in [0, 2] {
                assert!(answers.of(number).is_empty());
            }
            assert!((4..24).chain([1]).all(|number| answers.of(number).len() == count));
            index.query_many(&queries[..0], &mut answers);
            assert!(answers.is_empty());
        }
    });
}

fn lists_hold_every_box_in_nodes_that_touch_it<S: Scalar>() {
    for_all(scenes(), |scene| {
        let boxes = scene.boxes();
        for index in scene.indices::<S>() {
            let (mut seen, mut listed) = (BTreeSet::new(), 0);
            let end = index.visit_lists(|node, ids| {
                let ids: Vec<u32> = ids.collect();
                assert_eq!(ids.len(), node.population);
                listed += ids.len();
                seen.extend(ids);
                Continue::<()>(())
            });
            assert_eq!(end, Continue(()));
            assert!(seen.iter().copied().eq(boxes.iter().map(|&(id, _)| id)), "{:?}", index.options());
            assert_eq!(listed, index.stats().listed, "{:?}", index.options());
        }
    });
}

fn neighbors_share_a_descent<S: Scalar>() {
    let frame = Frame::ALL[0];
    let boxes: Vec<Aabb<S>> = (0..10_000).map(|k| frame.aabb([[k % 100, k / 100]; 2])).collect();
    let index = quadrille::Index::<quadrille::structures::Quadtree<S>>::from_boxes(&boxes).expect("valid boxes");
    let queries: Vec<_> =
        boxes.iter().map(|bounds| Near::aabb(*bounds).within(frame.length::<S>(1).to_f64())).collect();
    let mut answers = Answers::new();
    index.query_many(&queries, &mut answers);
    let inner = |k: usize| (1..99).contains(&(k % 100)) && (1..99).contains(&(k / 100));
    assert!(answers.iter().enumerate().filter(|&(k, _)| inner(k)).all(|(_, found)| found.len() == 5));
}

/// Some neighbors find more together than is compared with each of them, and others beside them nothing.
fn crowds_and_deserts_are_answered_as_one_by_one<S: Scalar>() {
    let frame = Frame::ALL[0];
    let places = (0..10_000).map(|k| [k % 100, k / 100]).filter(|[x, y]| x / 20 % 2 == y / 20 % 2);
    let boxes: Vec<Aabb<S>> = places.map(|place| frame.aabb([place; 2])).collect();
    let around = |k: i64| {
        let ([x, y], reach) = ([k * 7 % 100, k * 3 % 100], [0, 1, 3, 9][k as usize % 4]);
        Overlaps(frame.aabb([[x - reach, y - reach], [x + reach, y + reach]]))
    };
    let queries: Vec<_> = (0..3000).map(around).collect();
    let queries: Vec<_> = queries.iter().map(erased::asked).collect();
    let mut answers = Answers::new();
    for &kind in quadrille::structures::StructureKind::ALL {
        let options = quadrille::structures::AnyOptions::from(kind);
        let index = quadrille::Index::<quadrille::structures::AnyStructure<S>>::with_boxes(options, &boxes)
            .expect("valid boxes");
        index.query_many(&queries, &mut answers);
        for (number, query) in queries.iter().enumerate() {
            let one_by_one: Vec<u32> = index.query(*query).collect();
            assert_eq!(sorted(answers.of(number)), sorted(&one_by_one), "query {number} to {kind}");
        }
    }
}

for_a_scalar! {
    many_rectangles_are_answered_as_one_by_one,
    many_circles_are_answered_as_one_by_one,
    queries_that_find_nothing_and_everything_are_in_their_place,
    lists_hold_every_box_in_nodes_that_touch_it,
    neighbors_share_a_descent,
    crowds_and_deserts_are_answered_as_one_by_one,
}
