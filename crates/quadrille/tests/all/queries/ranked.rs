//! Nearest boxes.

use quadrille::internals::Counted;
use quadrille::structures::{AnyStructure, StructureKind};
use quadrille::{Aabb, Filtered, Index, Near, Scalar, Sweep};

use super::scene::scenes;
use crate::erased::{asked, ranked};
use crate::oracle::{Frame, distance_squared, for_all, points, rects};

fn the_nearest_come_first<S: Scalar>() {
    for_all((scenes(), rects(), 0_i64..60, 0_usize..12), |(scene, target, cutoff, most)| {
        let near = Near::<S>::aabb(scene.frame.aabb(target)).within(scene.frame.length::<S>(cutoff).to_f64());
        let mut expected: Vec<_> =
            scene.boxes().into_iter().map(|(id, rect)| (distance_squared(target, rect), id)).collect();
        expected.retain(|&(squared, _)| squared <= cutoff * cutoff);
        expected.sort_unstable();
        let ids: Vec<u32> = expected.iter().map(|&(_, id)| id).collect();
        let unit = scene.frame.length::<f64>(1);
        let near = ranked(&near);
        for index in scene.indices::<S>() {
            let lazily: Vec<_> = index.query_in_order(near).collect();
            assert_eq!(lazily.iter().map(|hit| hit.id).collect::<Vec<_>>(), ids, "{:?}", index.options());
            for (hit, (squared, _)) in lazily.iter().zip(&expected) {
                assert_eq!(hit.rank.squared(), *squared as f64 * unit * unit);
            }
            let mut few = vec![lazily.first().copied(); 3].into_iter().flatten().collect();
            index.query_first_few(near, most, &mut few);
            assert_eq!(few, lazily[..most.min(lazily.len())], "the first {most} of {:?}", index.options());
            assert_eq!(index.query_first(near), lazily.first().copied());
        }
    });
}

fn without_a_limit_all_come_in_order<S: Scalar>() {
    for_all((scenes(), points()), |(scene, center)| {
        let boxes = scene.boxes().into_iter();
        let mut expected: Vec<_> = boxes.map(|(id, rect)| (distance_squared([center; 2], rect), id)).collect();
        expected.sort_unstable();
        for index in scene.indices::<S>() {
            let near = Near::point(scene.frame.point(center));
            assert!(index.query_in_order(ranked(&near)).map(|hit| hit.id).eq(expected.iter().map(|&(_, id)| id)));
            let even = expected.iter().find(|(_, id)| id % 2 == 0).map(|&(_, id)| id);
            assert_eq!(index.query_first(ranked(&Filtered(near, |id| id % 2 == 0))).map(|hit| hit.id), even);
        }
    });
}

/// Boxes of one step, three steps apart.
fn lattice<S: Scalar>(kind: StructureKind, side: i64) -> Index<AnyStructure<S>> {
    let places = (0..side * side).map(|k| [4 * (k % side), 4 * (k / side)]);
    let boxes: Vec<Aabb<S>> = places.map(|[x, y]| Frame::ALL[0].aabb([[x, y], [x + 1, y + 1]])).collect();
    Index::with_boxes(kind.into(), &boxes).expect("valid boxes")
}

/// Boxes looked at for the first few answers must be a small multiple of those that are looked at when one knows
/// beforehand how far they are; by a `Quadtree`, if the structure looks at fewer.
fn searches_in_order_look_at_few_boxes<S: Scalar>() {
    let frame = Frame::ALL[0];
    let usual = lattice::<S>(StructureKind::Quadtree, 100);
    for &kind in StructureKind::ALL.iter().filter(|&&kind| kind != StructureKind::BruteForce) {
        let index = lattice::<S>(kind, 100);
        for most in [1, 10] {
            let (mut nearest, mut cast, mut circle, mut segment) = (0, 0, 0, 0);
            for k in 0..100 {
                let from = [4 * ((k * 37) % 99) + 2, 4 * ((k * 91) % 99) + 2];
                let mut found = Vec::new();
                let near = Counted::new(Near::<S>::point(frame.point(from)));
                index.query_first_few(ranked(&near), most, &mut found);
                nearest += near.work().boxes;
                let radius = (1..).find(|r| (r * r) as f64 >= found[most - 1].rank.squared()).unwrap_or(0);
                let known = Near::<S>::point(frame.point(from)).within(frame.length::<S>(radius).to_f64());
                circle += index.query_work(asked(&known)).boxes.max(usual.query_work(asked(&known)).boxes);

                let mut found = Vec::new();
                let [dx, dy] = [(k * 29) % 101 - 50, (k * 53) % 97 - 48];
                let ray = Counted::new(Sweep::<S>::ray(frame.point(from), frame.vector([dx, dy])));
                index.query_first_few(ranked(&ray), most, &mut found);
                cast += ray.work().boxes;
                let Some(last) = found.get(most - 1) else { continue };
                let way = (dx as f64 * last.rank.time()) as i64 + dx.signum();
                let known = Sweep::<S>::segment(frame.point(from), frame.point([from[0] + way, from[1] + 1]));
                segment += index.query_work(asked(&known)).boxes.max(usual.query_work(asked(&known)).boxes);
            }
            eprintln!(
                "{kind}: boxes looked at for the first {most}, and at least: nearest {nearest}/{circle}, cast {cast}/{segment}"
            );
            assert!(nearest < 20 * circle && cast < 25 * segment, "{kind}: {nearest}/{circle} {cast}/{segment}");
        }
    }
}

/// From far outside of the world no box is much nearer than the others, and yet few are looked at.
fn few_boxes_are_looked_at_from_afar<S: Scalar>() {
    for &kind in StructureKind::ALL.iter().filter(|&&kind| kind != StructureKind::BruteForce) {
        let index = lattice::<S>(kind, 100);
        for from in [[-1000, -900], [1400, 1300]] {
            let near = Counted::new(Near::<S>::point(Frame::ALL[0].point(from)));
            assert_eq!(index.query_in_order(ranked(&near)).take(10).count(), 10);
            let (boxes, most) = (near.work().boxes, if kind == StructureKind::FrameTree { 500 } else { 7500 });
            assert!(boxes < most, "{kind}: {boxes} boxes looked at for the first ten");
        }
    }
}

/// A frame tree opens no more hulls than the first ten need, though a tenth of all boxes lies so far off that the rest
/// looks like one spot, and though few boxes are left of many.
fn a_search_in_order_needs_no_usual_distance<S: Scalar>() {
    let frame = Frame::ALL[0];
    let mut index = lattice::<S>(StructureKind::FrameTree, 100);
    for id in (0..10_000).step_by(10) {
        let bounds = index.get(id).expect("a box");
        index.update(id, bounds.with_offset(frame.vector([100_000, 0]))).expect("a box");
    }
    let looked_at = |index: &Index<AnyStructure<S>>, from| {
        let near = Counted::new(Near::<S>::point(frame.point(from)));
        assert_eq!(index.query_in_order(ranked(&near)).take(10).count(), 10);
        near.work().boxes
    };
    let boxes = [[-1000, -900], [201, 202]].map(|from| looked_at(&index, from));
    assert!(boxes.iter().all(|&boxes| boxes < 500), "{boxes:?} boxes looked at for the first ten");
    index.retain(|id, _| id % 500 == 1);
    assert!(looked_at(&index, [201, 202]) <= 20, "no more than there are");
}

fn empty_sets_and_no_answers<S: Scalar>() {
    for &kind in StructureKind::ALL {
        let index = Index::<AnyStructure<S>>::new(kind.into()).expect("default options");
        let near = Near::point([S::ZERO; 2]);
        assert!(index.query_first(ranked(&near)).is_none());
        assert_eq!(index.query_in_order(ranked(&near)).count(), 0);
        let mut hits = Vec::new();
        lattice::<S>(kind, 3).query_first_few(ranked(&near), usize::MAX, &mut hits);
        assert_eq!(hits.len(), 9, "more than there are");
        lattice::<S>(kind, 3).query_first_few(ranked(&Filtered(near, |_| false)), 5, &mut hits);
        assert!(hits.is_empty(), "what was there before is dropped");
    }
}

for_a_scalar! {
    the_nearest_come_first,
    a_search_in_order_needs_no_usual_distance,
    without_a_limit_all_come_in_order,
    searches_in_order_look_at_few_boxes,
    few_boxes_are_looked_at_from_afar,
    empty_sets_and_no_answers,
}
