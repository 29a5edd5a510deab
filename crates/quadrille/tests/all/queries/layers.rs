//! Layers and masks in every query, and pruning by them.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use quadrille::internals::Counted;
use quadrille::structures::{AnyStructure, BruteForce, StructureKind};
use quadrille::{Aabb, Agreement, Index, Layers, Near, OnLayers, Overlaps, Scalar, Sweep};

use super::scene::scenes;
use crate::erased::{asked, ranked};
use crate::oracle::{Frame, Rect, distance_squared, first_contact, for_all, rects};

fn layers() -> impl Strategy<Value = Layers> {
    (0_u32..8, 0_u32..8).prop_map(|(own, mask)| Layers { own, mask })
}

fn agreements() -> impl Strategy<Value = Agreement> {
    prop_oneof![Just(Agreement::Both), Just(Agreement::Either)]
}

/// The rule, once more: bit by bit.
fn meet(a: Layers, b: Layers, agreement: Agreement) -> bool {
    let sees = |a: Layers, b: Layers| (0..32).any(|bit| a.mask >> bit & 1 == 1 && b.own >> bit & 1 == 1);
    match agreement {
        Agreement::Both => sees(a, b) && sees(b, a),
        Agreement::Either => sees(a, b) || sees(b, a),
    }
}

fn overlap(a: Rect, b: Rect) -> bool {
    distance_squared(a, b) == 0
}

fn every_query_sees_only_what_its_layers_meet<S: Scalar>() {
    let changes = vec((0_u32..60, layers(), prop::option::of(rects())), 0..40);
    for_all((scenes(), changes, any::<bool>(), rects(), layers(), agreements()), |case| {
        let (scene, changes, is_maintained, place, own, agreement) = case;
        let mut boxes: BTreeMap<u32, (Rect, Layers)> =
            scene.boxes().into_iter().map(|(id, rect)| (id, (rect, Layers::ALL))).collect();
        for (id, layers, rect) in &changes {
            if let Some(held) = boxes.get_mut(id) {
                *held = (rect.unwrap_or(held.0), *layers);
            }
        }
        let seen = || boxes.iter().filter(|(_, (_, layers))| meet(own, *layers, agreement));
        let overlapping: Vec<u32> = seen().filter(|(_, (rect, _))| overlap(place, *rect)).map(|(&id, _)| id).collect();
        let nearest = seen().map(|(&id, &(rect, _))| (distance_squared(place, rect), id)).min().map(|(_, id)| id);
        let way = [17, -5];
        let on: Vec<u32> = boxes
            .iter()
            .filter(|(_, (rect, layers))| layers.own & own.mask != 0 && overlap(place, *rect))
            .map(|(&id, _)| id)
            .collect();
        let hit: Vec<u32> = seen()
            .filter(|(_, (rect, _))| first_contact(place, way, *rect, false).is_some())
            .map(|(&id, _)| id)
            .collect();
        let pairs: Vec<(u32, u32)> = boxes
            .iter()
            .flat_map(|a| boxes.range(a.0 + 1..).map(move |b| (a, b)))
            .filter(|((_, a), (_, b))| overlap(a.0, b.0) && meet(a.1, b.1, agreement))
            .map(|((&a, _), (&b, _))| (a, b))
            .collect();
        for mut index in scene.indices::<S>() {
            index.set_agreement(agreement);
            for (id, layers, rect) in &changes {
                let was = index.layers(*id);
                assert_eq!(index.set_layers(*id, *layers).ok(), was);
                if let Some(rect) = rect {
                    let _ = index.update(*id, scene.frame.aabb(*rect));
                }
            }
            if is_maintained {
                index.maintain();
            }
            index.validate().expect("a sound index");
            assert!(boxes.iter().all(|(&id, &(_, layers))| index.layers(id) == Some(layers)));
            let bounds = scene.frame.aabb(place);
            let sorted = |mut ids: Vec<u32>| {
                ids.sort_unstable();
                ids
            };
            let overlaps = OnLayers::with_agreement(Overlaps(bounds), own, agreement);
            assert_eq!(sorted(index.query(asked(&overlaps)).collect()), overlapping, "{:?}", index.options());
            let on_layers = OnLayers::new(Overlaps(bounds), own.mask);
            assert_eq!(sorted(index.query(asked(&on_layers)).collect()), on, "{:?}", index.options());
            let near = OnLayers::with_agreement(Near::aabb(bounds), own, agreement);
            assert_eq!(index.query_first(ranked(&near)).map(|hit| hit.id), nearest, "{:?}", index.options());
            let sweep = Sweep::new(bounds, scene.frame.vector(way));
            let sweep = OnLayers::with_agreement(sweep, own, agreement);
            assert_eq!(
                sorted(index.query_in_order(ranked(&sweep)).map(|hit| hit.id).collect()),
                hit,
                "{:?}",
                index.options()
            );
            let mut found: Vec<_> = index.pairs().collect();
            found.sort_unstable();
            assert_eq!(found, pairs, "{:?}", index.options());
            let mut between: Vec<_> = index.pairs_with(&index).filter(|(a, b)| a < b).collect();
            between.sort_unstable();
            assert_eq!(between, pairs, "{:?}", index.options());
        }
    });
}

fn whole_subtrees_are_passed_by<S: Scalar>() {
    let frame = Frame::ALL[0];
    let rare = Layers::new(2, 0);
    for &kind in StructureKind::ALL.iter().filter(|&&kind| kind != StructureKind::BruteForce) {
        let boxes: Vec<Aabb<S>> = (0..10_000).map(|k| frame.aabb([[k % 100, k / 100]; 2])).collect();
        let mut index = Index::<AnyStructure<S>>::with_boxes(kind.into(), &boxes).expect("valid boxes");
        for id in 0..10_000 {
            index.set_layers(id, if id % 1000 == 0 { rare } else { Layers { own: 1, mask: !0 } }).expect("known ids");
        }
        let everything = Overlaps(Aabb::EVERYTHING);
        let on_layer = |mask| OnLayers::new(everything, mask);
        let widened = index.query_work(asked(&on_layer(2)));
        index.maintain();
        // All boxes, but by their layers: without, a few nodes hold everything.
        let (all, some) = (index.query_work(asked(&on_layer(3))), index.query_work(asked(&on_layer(2))));
        eprintln!("{kind}: {all:?}, on a layer with ten boxes {some:?}, before maintain {widened:?}");
        assert_eq!((all.found, some.found, widened.found), (10_000, 10, 10));
        assert!(some.nodes * 10 < all.nodes, "{kind}: {some:?} of {all:?}");
        assert_eq!(index.query_work(asked(&on_layer(4))).nodes, 0, "nothing is on that layer");
        let near = |mask| Counted::new(OnLayers::new(Near::point(frame.point([50; 2])), mask));
        let (far, none) = (near(2), near(4));
        assert!(index.query_first(ranked(&far)).is_some() && index.query_first(ranked(&none)).is_none());
        assert!(far.work().boxes < 1000 && none.work().boxes == 0, "{kind}: {:?}, {:?}", far.work(), none.work());
    }
}

fn ids_are_known_and_clearing_forgets_layers<S: Scalar>() {
    for &kind in StructureKind::ALL {
        let mut index = Index::<AnyStructure<S>>::new(kind.into()).expect("default options");
        assert!(index.set_layers(0, Layers::NONE).is_err());
        let id = index.insert(Aabb::default()).expect("a valid box");
        assert_eq!(index.set_layers(id, Layers::NONE), Ok(Layers::ALL));
        assert_eq!(index.pairs_count(), 0);
        let other = index.insert(Aabb::default()).expect("a valid box");
        assert_eq!((index.layers(id), index.layers(other)), (Some(Layers::NONE), Some(Layers::ALL)));
        assert_eq!(index.pairs_count(), 0, "the one meets nothing");
        index.remove(id);
        assert_eq!(index.layers(id), None);
        assert_eq!(index.insert(Aabb::default()), Ok(id));
        assert_eq!((index.layers(id), index.pairs_count()), (Some(Layers::ALL), 1), "a new box has no old layers");
        index.set_layers(id, Layers::NONE).expect("a known id");
        index.clear();
        assert_eq!((index.insert(Aabb::default()), index.layers(0)), (Ok(0), Some(Layers::ALL)));
        index.validate().expect("a sound index");
    }
}

/// A box whose layers change is where it was: queries look at no more than before, and pairs are those of brute
/// force.
fn changing_layers_moves_no_box<S: Scalar>() {
    let frame = Frame::ALL[0];
    let boxes: Vec<Aabb<S>> = (0..5000).map(|k| frame.aabb([[k % 71, k / 71], [k % 71 + 1, k / 71 + 1]])).collect();
    let layers = |id: u32| Layers { own: 1 << (id % 3), mask: if id % 7 == 0 { 0 } else { !(1 << (id % 2)) } };
    let expected = |agreement| {
        let met = |a: u32, b: u32| meet(layers(a), layers(b), agreement);
        let all = Index::<BruteForce<S>>::from_boxes(&boxes).expect("valid boxes");
        all.pairs().filter(|&(a, b)| met(a, b)).collect::<Vec<_>>()
    };
    for &kind in StructureKind::ALL {
        let mut index = Index::<AnyStructure<S>>::with_boxes(kind.into(), &boxes).expect("valid boxes");
        index.set_layers(0, layers(0)).expect("a known id");
        let work = |index: &Index<AnyStructure<S>>, corner: i64| {
            index.query_work(asked(&Overlaps(frame.aabb([[corner, corner], [corner + 3, corner + 3]]))))
        };
        let before = [0, 20, 50].map(|corner| work(&index, corner));
        (1..5000).for_each(|id| assert_eq!(index.set_layers(id, layers(id)), Ok(Layers::ALL)));
        // A loose quadtree may bring a box that rounding had put into the neighboring leaf to its own.
        if kind != StructureKind::LooseQuadtree {
            assert_eq!([0, 20, 50].map(|corner| work(&index, corner)), before, "{kind}");
        }
        for agreement in [Agreement::Both, Agreement::Either] {
            index.set_agreement(agreement);
            let mut pairs: Vec<_> = index.pairs().collect();
            pairs.sort_unstable();
            assert_eq!(pairs, expected(agreement), "{kind}");
        }
        index.validate().expect("a sound index");
    }
}

/// In bulk: just after an index is built, and with a whole frame.
fn all_layers_at_once_are_the_same_as_one_by_one<S: Scalar>() {
    for_all(
        (scenes(), vec(layers(), 60..61), vec(layers(), 60..61), agreements()),
        |(scene, first, then, agreement)| {
            let rects: Vec<Rect> = scene.boxes().into_iter().map(|(_, rect)| rect).collect();
            let boxes: Vec<Aabb<S>> = rects.iter().map(|&rect| scene.frame.aabb(rect)).collect();
            let layers = [&first[..boxes.len()], &then[..boxes.len()]];
            for &kind in StructureKind::ALL {
                let by_id = |layers: &[Layers]| -> Vec<(u32, Layers)> { (0..).zip(layers.iter().copied()).collect() };
                let mut index = Index::<AnyStructure<S>>::with_boxes(kind.into(), &boxes).expect("valid boxes");
                index.set_layers_batch(&by_id(layers[0])).expect("ids in use");
                let mut later = Index::<AnyStructure<S>>::with_boxes(kind.into(), &boxes).expect("valid boxes");
                for (round, layers) in layers.into_iter().enumerate() {
                    index.set_layers_batch(&by_id(layers)).expect("ids in use");
                    later.set_layers_batch(&by_id(layers)).expect("ids in use");
                    index.update_all(&boxes).expect("a frame");
                    for index in [&mut index, &mut later] {
                        index.set_agreement(agreement);
                        index.validate().expect("a sound index");
                        assert!((0..).zip(layers).all(|(id, &layers)| index.layers(id) == Some(layers)));
                        let mut pairs: Vec<_> = index.pairs().collect();
                        pairs.sort_unstable();
                        let all = (0..boxes.len()).flat_map(|a| (a + 1..boxes.len()).map(move |b| (a, b)));
                        let met =
                            all.filter(|&(a, b)| overlap(rects[a], rects[b]) && meet(layers[a], layers[b], agreement));
                        assert!(pairs.into_iter().eq(met.map(|(a, b)| (a as u32, b as u32))), "{kind}, round {round}");
                    }
                }
                let too_many: Vec<_> =
                    (0..).zip(first.iter().copied()).chain([(boxes.len() as u32, Layers::ALL)]).collect();
                assert!(index.set_layers_batch(&too_many).is_err());
                assert!(
                    (0..).zip(layers[1]).all(|(id, &layers)| index.layers(id) == Some(layers)),
                    "nothing has changed"
                );
            }
        },
    );
}

for_a_scalar! {
    changing_layers_moves_no_box,
    all_layers_at_once_are_the_same_as_one_by_one,
    every_query_sees_only_what_its_layers_meet,
    whole_subtrees_are_passed_by,
    ids_are_known_and_clearing_forgets_layers,
}
