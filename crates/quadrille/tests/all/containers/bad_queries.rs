//! Queries that make no sense, and limits without limit: a documented answer or an error, whatever the
//! query and the container.

use crate::erased::{asked, ranked};
use crate::tested::{KINDS, Tested, options};
use quadrille::structures::{Periodic, PeriodicOptions, StructureKind};
use quadrille::{
    Aabb, Answers, ConvexPolygon, Index, Inside, Layers, Near, OnLayers, Overlaps, Query, Ranked, Space, Sweep,
};

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;
const SIDE: u16 = 6;
const COUNT: usize = (SIDE * SIDE) as usize;

/// Boxes of size one at (0, 0), (3, 0), … (15, 15).
fn boxes() -> Vec<Aabb> {
    let corner = |k: u16| [f32::from(k % SIDE) * 3.0, f32::from(k / SIDE) * 3.0];
    (0..SIDE * SIDE).map(corner).map(|[x, y]| Aabb::new([x, y], [x + 1.0, y + 1.0])).collect()
}

/// All queries.
type Everybody = (Index<Tested>, Space<u32, Tested>, Index<Periodic<Tested>>);

/// Every container, over every structure.
fn everybody() -> Vec<Everybody> {
    let world = Aabb::new([-50.0; 2], [50.0; 2]);
    let periodic = |structure| PeriodicOptions::new(world).with_structure(structure);
    let with = |kind: StructureKind| {
        let things = boxes().into_iter().zip(0..);
        (
            Index::with_boxes(options(kind), &boxes()).expect("valid boxes"),
            Space::with_items(options(kind), things).expect("valid boxes"),
            Index::with_boxes(periodic(options(kind)), &boxes()).expect("valid boxes"),
        )
    };
    KINDS.iter().map(|&kind| with(kind)).collect()
}

/// All find this many, one by one and many at once.
fn finds(what: &str, query: &impl Query<f32>, count: usize) {
    let query = asked(query);
    for (index, space, torus) in everybody() {
        let mut answers = Answers::new();
        index.query_many(&[query; 3], &mut answers);
        let many = answers.iter().map(<[u32]>::len).collect::<Vec<_>>();
        let counts = [index.query_count(query), space.query_count(query), torus.query_count(query)];
        assert_eq!((counts, many), ([count; 3], vec![count; 3]), "{what}: {:?}", index.options());
    }
}

/// The same, and in order.
fn finds_in_order(what: &str, query: &impl Ranked<f32>, count: usize) {
    finds(what, query, count);
    let query = ranked(query);
    for (index, space, torus) in everybody() {
        let mut hits = vec![];
        for most in [0, 1, usize::MAX] {
            index.query_first_few(query, most, &mut hits);
            assert_eq!(hits.len(), most.min(count), "{what}, the first {most}");
        }
        let counts = [
            index.query_in_order(query).count(),
            space.query_in_order(query).count(),
            torus.query_in_order(query).count(),
        ];
        assert_eq!(counts, [count; 3], "{what} in order: {:?}", index.options());
        assert_eq!(index.query_first(query).is_some(), count > 0);
    }
}

#[test]
fn places_and_distances() {
    let bad = [
        Aabb::from_point([NAN, 0.0]),
        Aabb::from_point([0.0, INF]),
        Aabb::new([2.0, 0.0], [1.0, 9.0]),
        Aabb::new([0.0, -INF], [1.0, NAN]),
        Aabb::EMPTY,
    ];
    for target in bad {
        finds_in_order("near what is no box", &Near::aabb(target), 0);
        finds_in_order("near what is no box, within a limit", &Near::aabb(target).within(5.0), 0);
    }
    for target in [bad[0], bad[2], bad[3], bad[4]] {
        finds("what is no rectangle", &Overlaps(target), 0);
        finds("within what is no rectangle", &Inside(target), 0);
    }
    let near = Near::point([0.5, 0.5]);
    for (distance, count) in [(NAN, 0), (-1.0, 0), (-INF, 0), (0.0, 1), (-0.0, 1), (INF, COUNT), (f32::MAX, COUNT)] {
        finds_in_order("a distance", &near.within(distance), count);
    }
    finds_in_order("without a limit", &near, COUNT);
    finds_in_order("on no layer", &OnLayers::new(near, 0), 0);
}

#[test]
fn ways() {
    let start = Aabb::from_point([0.5, 0.5]);
    for (what, sweep, count) in [
        ("no direction", Sweep::ray([0.5, 0.5], [0.0, 0.0]), 1),
        ("no direction, beside everything", Sweep::ray([2.0, 2.0], [0.0, -0.0]), 0),
        ("no way", Sweep::segment([0.5, 0.5], [0.5, 0.5]), 1),
        ("from nowhere", Sweep::ray([NAN, 0.0], [1.0, 0.0]), 0),
        ("to nowhere", Sweep::segment([0.0, 0.0], [NAN, 3.0]), 0),
        ("from infinity", Sweep::ray([-INF, 0.5], [1.0, 0.0]), 0),
        ("a direction that is none", Sweep::ray([0.5, 0.5], [NAN, 1.0]), 0),
        ("an endless motion in no time", Sweep::new(start, [INF, 0.0]), 0),
        ("an inverted mover", Sweep::new(Aabb::new([1.0, 1.0], [0.0, 0.0]), [5.0, 0.0]), 0),
        ("along the edges of a row", Sweep::segment([-1.0, 1.0], [20.0, 1.0]), SIDE.into()),
    ] {
        finds_in_order(what, &sweep, count);
    }
}

#[test]
fn polygons() {
    let refused = |corners: &[[f32; 2]]| ConvexPolygon::new(corners).expect_err("no convex polygon").to_string();
    assert!(refused(&[]).contains('0') && refused(&[[0.0; 2]; 17]).contains("17"));
    assert!(!refused(&[[0.0, 0.0], [1.0, NAN], [1.0, 1.0]]).is_empty());
    assert!(!refused(&[[0.0, 0.0], [INF, 0.0], [1.0, 1.0]]).is_empty());
    assert!(!refused(&[[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]]).is_empty(), "a dent");
    assert!(!refused(&[[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 4.0]]).is_empty(), "it crosses itself");
    for spread in [NAN, -1.0, INF] {
        assert!(ConvexPolygon::wedge([0.0_f32; 2], [9.0, 0.0], spread.into()).is_err(), "{spread}");
    }
    let clockwise = ConvexPolygon::new(&[[0.0, 0.0], [0.0, 4.0], [4.0, 4.0], [4.0, 0.0]]).expect("turned round");
    finds("inside out", &clockwise, 4);
    finds("one corner", &ConvexPolygon::new(&[[3.5, 3.5]]).expect("a point"), 1);
}

#[test]
fn motions_and_batches() {
    for (index, mut space, mut torus) in everybody() {
        let (mut impacts, first) = (Vec::new(), |x| move |id| if id == 0 { [x, 0.0] } else { [0.0; 2] });
        for bad in [[NAN, 0.0], [0.0, INF]] {
            let motion = |id| if id == 1 { bad } else { [0.0; 2] };
            let error = index.impacts(motion, &mut impacts).expect_err("no motion");
            assert_eq!(error.position(), Some(1));
            assert!(error.to_string().contains("of the motion is"), "{error}");
        }
        assert!(index.impacts(first(f32::MAX), &mut impacts).is_ok(), "no motion is too far");
        assert!(torus.impacts(first(101.0), &mut impacts).is_err(), "but round the world");
        let mut answers = Answers::new();
        index.query_many::<Overlaps>(&[], &mut answers);
        assert!(answers.is_empty() && answers.of(0).is_empty() && answers.of(usize::MAX).is_empty());
        assert!(torus.insert(Aabb::new([0.0; 2], [101.0, 1.0])).is_err(), "larger than the world");

        let handles: Vec<_> = space.iter().map(|(handle, _)| handle).collect();
        space.remove(handles[3]);
        let batch = [(handles[2], Layers::NONE), (handles[3], Layers::NONE)];
        let error = space.set_layers_batch(&batch).expect_err("a stale handle").to_string();
        assert!(error.contains("stale"), "{error}");
        assert_eq!(space.layers(handles[2]), Some(Layers::ALL), "all or none");
        let [before, now] = [space.bounds(handles[2]), Some(Aabb::from_point([1.0, 1.0]))];
        let moves = [(handles[2], now.unwrap()), (handles[3], now.unwrap())];
        let error = space.update_batch(&moves).expect_err("a stale handle").to_string();
        assert!(error.contains("stale"), "{error}");
        let moves = [(handles[2], now.unwrap()), (handles[1], Aabb::from_point([NAN, 1.0]))];
        let error = space.update_batch(&moves).expect_err("a bad box").to_string();
        assert!(error.contains("NaN"), "{error}");
        assert_eq!(space.bounds(handles[2]), before, "all or none");
        assert_eq!((space.update_batch(&moves[..1]), space.bounds(handles[2])), (Ok(()), now));
        let large = Aabb::new([0.0; 2], [101.0, 1.0]);
        let (was, small) = (torus.get(0), Aabb::from_point([1.0; 2]));
        assert!(torus.update_batch(&[(0, small), (0, large)]).is_err(), "larger than the world");
        assert!(torus.update_batch(&[(0, small), (99, small)]).is_err(), "no such id");
        assert_eq!((torus.get(0), torus.update_batch(&[])), (was, Ok(())));
        assert!(torus.set_layers_batch(&[(0, Layers::NONE), (99, Layers::NONE)]).is_err());
        assert_eq!((torus.layers(0), torus.set_layers_batch(&[])), (Some(Layers::ALL), Ok(())));
    }
}

#[test]
fn worlds() {
    let new = |world| Index::<Periodic<Tested>>::new(PeriodicOptions::new(world).with_wraps([true, false]));
    for (world, words) in [
        (Aabb::new([0.0, 0.0], [NAN, 1.0]), "NaN"),
        (Aabb::new([0.0, 0.0], [INF, 1.0]), "not finite"),
        (Aabb::new([1.0, 0.0], [0.0, 1.0]), "inverted"),
        (Aabb::new([1.0, 0.0], [1.0, 1.0]), "a world that wraps has a size"),
        // All numbers in it are the same on the lattice.
        (Aabb::new([1_048_575.94, 0.0], [1_048_576.0, 1.0]), "a world that wraps has a size"),
        (Aabb::new([0.0, 0.0], [f32::MAX, 1.0]), "18 worlds"),
    ] {
        let error = new(world).expect_err("no world that wraps").to_string();
        assert!(error.contains(words), "{error}, but not {words}");
    }
    assert!(new(Aabb::new([0.0, 5.0], [1.0, 5.0])).is_ok(), "an axis that does not wrap needs no size");
}
