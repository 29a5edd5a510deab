//! Queries that are run after each mutation.

use core::hint::black_box;
use core::ops::ControlFlow;

use quadrille::structures::AnyStructure;
use quadrille::{Aabb, At, Index, Near, Overlaps, Sweep};

/// How often each query is run, except all pairs.
pub const ASKED: usize = 32;

type Query = fn(&Index<AnyStructure>, &[Aabb]);

/// Queries by name: all pairs once, the others [`ASKED`] times.
pub const QUERIES: [(&str, Query); 10] = [
    ("pairs", |index, _| {
        let mut pairs = 0;
        let _ = index.pairs_visit(|_, _| {
            pairs += 1;
            // Piles of pairs are not cliffs.
            if pairs < 64 * index.len() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        black_box(pairs);
    }),
    ("small rectangle", |index, places| each(places, |place| index.query(Overlaps(place)).take(64).count())),
    ("point", |index, places| each(places, |place| index.query(At(place.center())).take(64).count())),
    ("point elsewhere", |index, places| {
        each(places, |place| index.query(At(place.max.map(|edge| edge + 3.0))).take(64).count())
    }),
    ("circle", |index, places| {
        each(places, |place| index.query(Near::point(place.center()).within(2.0)).take(64).count())
    }),
    ("nearest", |index, places| each(places, |place| index.query_first(Near::point(place.center())))),
    ("nearest from afar", |index, places| each(places, |place| index.query_first(Near::point(afar(index, place))))),
    ("ten in order", |index, places| {
        each(places, |place| index.query_in_order(Near::point(place.center())).take(10).count())
    }),
    ("ten in order from afar", |index, places| {
        each(places, |place| index.query_in_order(Near::point(afar(index, place))).take(10).count());
    }),
    ("ray", |index, places| {
        each(places, |place| index.query_first(Sweep::segment(place.center(), place.center().map(|at| at + 30.0))))
    }),
];

fn each<R>(places: &[Aabb], ask: impl Fn(Aabb) -> R) {
    for &place in places {
        black_box(ask(place));
    }
}

/// A point off the corner of most of the world.
fn afar(index: &Index<AnyStructure>, place: Aabb) -> [f32; 2] {
    let side = 6.0 * (index.len() as f32).sqrt();
    [place.min[0] - side, place.min[1] - 1.1 * side]
}
