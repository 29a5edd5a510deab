//! What the forms of a query promise to each other. Programs written from the documentation once found it broken.

use quadrille::internals::Counted;
use quadrille::structures::{LooseGrid, Periodic, PeriodicOptions, StructureKind};
use quadrille::{
    Aabb, Agreement, Answers, DynQuery, Filtered, FrameTree, Index, Inside, Layers, Near, OnLayers, Overlaps, Query,
    Structure, Sweep, Work,
};

use crate::erased::asked;
use crate::tested::{KINDS, Tested, options};

fn torus(kind: StructureKind, wraps: [bool; 2], boxes: &[Aabb]) -> Index<Periodic<Tested>> {
    let world = Aabb::new([0.0, 0.0], [10.0, 10.0]);
    let options = PeriodicOptions::new(world).with_wraps(wraps).with_structure(options(kind));
    Index::with_boxes(options, boxes).expect("valid boxes")
}

fn assert_many_is_one_by_one<I: quadrille::Structure<Scalar = f32>, Q: Query<f32>>(index: &Index<I>, queries: &[Q]) {
    let asked: &[_] = &queries.iter().map(asked).collect::<Vec<_>>();
    let mut answers = Answers::new();
    index.query_many(asked, &mut answers);
    for (at, query) in asked.iter().enumerate() {
        let alone: Vec<u32> = index.query(*query).collect();
        assert_eq!(answers.of(at), alone, "query {at} of {}, in the same order", asked.len());
    }
}

/// In a world larger than the cache, queries run in another order if most find something.
#[test]
fn many_queries_in_a_large_world_find_what_each_finds_alone() {
    // A field, 500 in a row, in no order; neither are the queries, one for each four boxes. A share of them find nothing.
    let place = |k: u64| {
        let k = k * 2_654_435_761 % 200_000;
        [k / 500, k % 500].map(|at| at as f32 * 2.0)
    };
    let boxes: Vec<Aabb> = (0..200_000).map(place).map(|min| Aabb::new(min, min.map(|edge| edge + 1.0))).collect();
    for share in [2, 8] {
        let mut asked: Vec<_> = (0..50_001)
            .map(|k| place(k).map(|edge| if k % 10 < share { edge + 1.5 } else { edge + 0.5 }))
            .map(|at| Overlaps(Aabb::from_point(at)))
            .collect();
        asked[17] = Overlaps(Aabb { min: [f32::NAN; 2], max: [9.0; 2] });
        assert_many_is_one_by_one(&Index::<FrameTree>::from_boxes(&boxes).expect("valid boxes"), &asked);
        assert_many_is_one_by_one(&Index::<LooseGrid>::from_boxes(&boxes).expect("valid boxes"), &asked);
    }
}

#[test]
fn endless_queries_asked_at_once_find_on_a_torus_what_each_finds_alone() {
    let index = torus(StructureKind::Quadtree, [true, false], &[Aabb::new([1.0, 1.2], [2.0, 1.3])]);
    let rays = [Sweep::ray([0.0, 0.0], [1.0, 0.01]), Sweep::ray([9.0, 8.0], [-1.0, 0.01])];
    assert_eq!(index.query(rays[0]).collect::<Vec<_>>(), [0]);
    assert_many_is_one_by_one(&index, &rays);

    let index = torus(
        StructureKind::Grid,
        [true, true],
        &[Aabb::new([1.0, 1.2], [2.0, 1.3]), Aabb::new([9.0, 9.0], [10.5, 10.5])],
    );
    let strips = [[100.0, 4.0, f32::INFINITY, 5.0], [f32::NEG_INFINITY, 8.0, 0.0, 9.0], [0.0, 0.0, 1.0, 1.5]];
    assert_many_is_one_by_one(&index, &strips.map(|strip| Overlaps(strip.into())));
}

#[test]
fn queries_asked_at_once_find_what_each_finds_alone() {
    // Boxes of many sizes and many small queries next to each other: a box is in several cells of a tree or a grid.
    let boxes: Vec<Aabb> = (0..400_u32)
        .map(|k| {
            let [x, y] = [k * 7919 % 97, k * 104_729 % 89].map(|at| at as f32 / 5.0);
            Aabb::new([x, y], [x + (k % 7) as f32, y + (k % 5) as f32 * 0.5])
        })
        .collect();
    let asked: Vec<_> = (0..600_u32)
        .map(|k| Overlaps(Aabb::from_center([(k % 25) as f32 * 0.8, (k / 25) as f32 * 0.8], [0.7, 0.9])))
        .collect();
    for kind in KINDS {
        let index = Index::<Tested>::with_boxes(options(*kind), &boxes).unwrap();
        assert_many_is_one_by_one(&index, &asked);
    }
    assert_many_is_one_by_one(&torus(StructureKind::Grid, [true, true], &boxes), &asked);
}

#[test]
fn the_error_of_a_motion_names_the_motion() {
    let mut index = Index::<Tested>::with_boxes(
        options(StructureKind::Quadtree),
        &[[0.0; 4], [1.0; 4], [3e38, 0.0, 3e38, 0.0]].map(Aabb::from),
    )
    .unwrap();
    index.remove(0);
    let far = |length| move |id| if id == 2 { [length, 0.0] } else { [0.0; 2] };
    let error = index.impacts(far(1e38), &mut vec![]).unwrap_err();
    assert_eq!(error.position(), Some(2), "{error}");

    let mut index = torus(StructureKind::Quadtree, [true, true], &[[0.0; 4], [1.0; 4], [3.0; 4]].map(Aabb::from));
    index.remove(1);
    let error = index.impacts(far(11.0), &mut vec![]).unwrap_err();
    assert_eq!(error.position(), Some(2), "{error}");
}

/// A query around another one that passes on only what it must.
#[derive(Clone)]
struct Wrapped<Q>(Q);

impl<Q: Query<f32>> Query<f32> for Wrapped<Q> {
    fn bounds(&self) -> Aabb {
        self.0.bounds()
    }

    fn accepts(&self, id: u32, bounds: &Aabb, layers: Layers) -> bool {
        self.0.accepts(id, bounds, layers)
    }
}

#[test]
fn a_wrapper_that_passes_on_only_what_it_must_changes_no_answer() {
    let boxes: Vec<Aabb> = (0..60).map(|k| Aabb::from_center([(k % 8) as f32, (k / 8) as f32], [0.6, 0.3])).collect();
    for kind in KINDS {
        let mut index = Index::<Tested>::with_boxes(options(*kind), &boxes).unwrap();
        for id in 0..60 {
            index.set_layers(id, Layers { own: 1 << (id % 3), mask: if id % 7 == 0 { 0 } else { !0 } }).unwrap();
        }
        let check = |query: OnLayers<Near>| {
            let mut found: Vec<u32> = index.query(asked(&query)).collect();
            let mut wrapped: Vec<u32> = index.query(asked(&Wrapped(query))).collect();
            found.sort_unstable();
            wrapped.sort_unstable();
            assert_eq!(found, wrapped, "{kind:?}");
            assert!(!found.is_empty() && found.iter().all(|id| id % 3 == 1) && found.iter().any(|id| id % 7 == 0));
        };
        check(OnLayers::new(Near::point([3.0, 3.0]).within(2.5), 2));
        check(OnLayers::new(Near::point([3.0, 3.0]), 2));
    }
}

/// Nodes visited and boxes compared depend on the query, and on no wrapper that lets everything pass; hulls that lie
/// in a rectangle need no comparison of their boxes. Through a wrapper that lost a method, one of the two would change.
/// But where boxes are on layers, a wrapper that may reject some is asked about more hulls than a query that admits all.
fn check_wrappers<I: Structure<Scalar = f32>, Q: Query<f32> + Copy>(index: &Index<I>, query: Q) -> Work {
    let (work, answers) = (index.query_work(query), index.query(query).collect::<Vec<_>>());
    // Behind a pointer, which is a wrapper as well, so that the structure is compiled once for all of them.
    let have_layers = index.iter().any(|(id, _)| index.layers(id) != Some(Layers::ALL));
    let check = |wrapped: &dyn DynQuery<f32>, admits_all: bool| {
        let (found, mut through) = (index.query(wrapped).collect::<Vec<_>>(), index.query_work(wrapped));
        assert_eq!((&found, wrapped.admits_all()), (&answers, admits_all), "{}", I::NAME);
        if have_layers && !admits_all {
            through.nodes = through.nodes.min(work.nodes);
        }
        assert_eq!(through, work, "{}", I::NAME);
    };
    check(&&query, true);
    check(&Filtered(query, |_| true), false);
    check(&OnLayers::with_agreement(query, Layers::ALL, Agreement::Either), false);
    check(&&Counted::new(query), true);
    work
}

fn check_wrappers_of(kind: StructureKind, has_hulls: bool) {
    let boxes: Vec<Aabb> = (0..2000).map(|k| Aabb::from_center([(k % 50) as f32, (k / 50) as f32], [0.4; 2])).collect();
    let (most, few) = (Aabb::new([-0.5, -0.5], [30.0, 41.0]), Aabb::new([7.0, 7.0], [9.0, 8.0]));
    let mut index = Index::<Tested>::with_boxes(options(kind), &boxes).expect("valid boxes");
    for with_layers in [false, true] {
        for id in (0..2000).step_by(3).filter(|_| with_layers) {
            index.set_layers(id, Layers { own: 2, mask: 1 }).expect("an id in use");
        }
        let work = check_wrappers(&index, Overlaps(most));
        assert_eq!(work.found, 31 * 40, "{kind}");
        assert_eq!(work.boxes < work.found, has_hulls, "{kind}: {work:?}");
        check_wrappers(&index, Overlaps(few));
        check_wrappers(&index, Near::point([9.0, 9.0]).within(3.0));
    }
    assert_eq!(index.query_count(Inside(most)), 30 * 40, "{kind}");
    for id in (0..2000).step_by(2) {
        index.remove(id).expect("an id in use");
    }
    assert_eq!(check_wrappers(&index, Overlaps(most)).found, 15 * 40, "{kind}");
}

#[test]
fn a_wrapper_that_admits_everything_changes_neither_answers_nor_work() {
    for &kind in KINDS {
        match kind {
            StructureKind::FrameTree | StructureKind::LooseGrid | StructureKind::LooseQuadtree => {
                check_wrappers_of(kind, true);
            }
            StructureKind::Grid => check_wrappers_of(kind, false),
            _ => {}
        }
    }
    let boxes: Vec<Aabb> = (0..10).map(|k| Aabb::from_center([k as f32, 0.0], [0.4; 2])).collect();
    let torus = torus(StructureKind::LooseGrid, [true, true], &boxes);
    assert_eq!(check_wrappers(&torus, Overlaps(Aabb::new([-8.0, -1.0], [9.5, 1.0]))).found, 10);
}
