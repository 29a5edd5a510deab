//! Once a structure has grown to what its boxes need, a frame allocates nothing: not to update all of them, one by one
//! or at once, not in `maintain`, not in queries. The allocator that counts, a thread at a time, replaces the usual one in
//! the whole test binary.

use std::hint::black_box;
use std::ops::ControlFlow::Continue;

use allocation_counter::measure;
use quadrille::structures::{Periodic, PeriodicOptions, StructureKind};
use quadrille::{
    Aabb, Answers, ConvexPolygon, Events, FrameTree, Handle, Hit, Index, Inside, Near, Overlaps, Ranked, Space,
    Structure, Sweep,
};

use crate::erased::{asked, ranked};
use crate::tested::{KINDS, Tested, options};

const BOXES: u16 = 5000;
const PERIOD: u16 = 60;

/// Box `k` in frame `t`: on its way from its home to a place 15 away and back, over and over, so that what one period
/// needs is what every later one needs. One in 500 is large.
fn place(k: u16, t: u16) -> Aabb {
    let [x, y, turn] = [7919, 6007, 4201].map(|prime| f32::from(k.wrapping_mul(prime) % 1000));
    let way = f32::from((t % PERIOD).min(PERIOD - t % PERIOD)) / 2.0;
    let (dx, dy) = (turn / 500.0 - 1.0, 1.0 - turn / 500.0);
    let half = if k % 500 == 0 { 60.0 } else { 7.0 };
    Aabb::from_center([x + way * dx, y + way * dy], [half; 2])
}

/// A frame: boxes are updated one by one, in every other frame all at once.
fn frame(index: &mut Index<Tested>, boxes: &mut Vec<Aabb>, t: u16) {
    let count = index.len() as u16;
    if t % 2 == 0 {
        for k in 0..count {
            assert!(index.update(k.into(), place(k, t)).is_ok());
        }
        index.maintain();
    } else {
        boxes.clear();
        boxes.extend((0..count).map(|k| place(k, t)));
        assert!(index.update_all(boxes).is_ok());
    }
    let mut last = (0, 0);
    let _ = index.pairs_visit(|a, b| {
        last = (a, b);
        Continue::<()>(())
    });
    black_box(last);
    let here = place(t, t);
    black_box((index.pairs().last(), index.pairs_count()));
    black_box((
        index.query(asked(&Overlaps(here))).last(),
        index.query_count(asked(&Inside(here))),
        index.pairs_with(index).nth(9),
    ));
}

/// What queries are answered into, kept from frame to frame.
struct Buffers<N> {
    nearest: Vec<Hit<<Near as Ranked<f32>>::Rank, N>>,
    hit: Vec<Hit<<Sweep as Ranked<f32>>::Rank, N>>,
    answers: Answers<N>,
}

impl<N> Default for Buffers<N> {
    fn default() -> Self {
        Self { nearest: Vec::new(), hit: Vec::new(), answers: Answers::new() }
    }
}

fn queries(t: u16) -> (Near, Sweep, ConvexPolygon, [Overlaps; 20]) {
    let from = place(t, t).center();
    let wedge = [from, [from[0] + 90.0, from[1] - 30.0], [from[0] + 90.0, from[1] + 30.0]];
    let many = core::array::from_fn(|k| Overlaps(place(k as u16, t)));
    (Near::point(from), Sweep::segment(from, [500.0; 2]), ConvexPolygon::new(&wedge).expect("a wedge"), many)
}

/// Queries in order, of other shapes, and many at once.
fn ask(index: &Index<Tested>, t: u16, buffers: &mut Buffers<u32>) {
    let (near, sweep, wedge, many) = queries(t);
    index.query_first_few(ranked(&near), 20, &mut buffers.nearest);
    index.query_first_few(ranked(&sweep), 20, &mut buffers.hit);
    index.query_many(&many.each_ref().map(asked), &mut buffers.answers);
    black_box((index.query_first(ranked(&near)), index.query_first(ranked(&sweep))));
    black_box((index.query_count(asked(&wedge)), index.query_count(asked(&sweep))));
    black_box(index.neighbors(t.into()).count());
}

/// A frame of a space: everything moves; events, and the same queries.
fn live<I: Structure<Scalar = f32>>(
    space: &mut Space<u32, I>,
    handles: &[Handle],
    t: u16,
    events: &mut Events,
    buffers: &mut Buffers<Handle>,
) {
    for (k, &handle) in (0..).zip(handles) {
        assert!(space.update(handle, place(k, t)).is_ok());
    }
    space.maintain();
    space.step_events(events);
    let (near, sweep, wedge, many) = queries(t);
    space.query_first_few(ranked(&near), 20, &mut buffers.nearest);
    space.query_first_few(ranked(&sweep), 20, &mut buffers.hit);
    space.query_many(&many.each_ref().map(asked), &mut buffers.answers);
    black_box((space.query_first(ranked(&near)), space.query_count(asked(&wedge))));
    black_box(space.pairs_count());
    black_box(space.neighbors(handles[usize::from(t)]).count());
}

fn a_space_lives_without_allocating<I: Structure<Scalar = f32>>(options: I::Options) {
    let mut space = Space::<u32, I>::new(options).expect("valid options");
    let handles: Vec<_> = (0..BOXES / 5).map(|k| space.insert(place(k, 0), k.into()).expect("a valid box")).collect();
    let (mut events, mut buffers) = (Events::default(), Buffers::default());
    (0..2 * PERIOD).for_each(|t| live(&mut space, &handles, t, &mut events, &mut buffers));
    let mut changes = 0;
    for t in 0..PERIOD {
        let counted = measure(|| live(&mut space, &handles, t, &mut events, &mut buffers));
        assert_eq!(counted.count_total, 0, "frame {t}: {counted:?}");
        changes += events.begin.len() + events.end.len();
    }
    assert!(changes > 1000, "a frame without events proves nothing");
}

#[test]
fn a_steady_frame_of_a_space_allocates_nothing() {
    for &kind in KINDS {
        a_space_lives_without_allocating::<Tested>(options(kind));
    }
    let world = Aabb::new([0.0; 2], [1024.0; 2]);
    let options = PeriodicOptions::new(world).with_structure(options(StructureKind::Quadtree));
    a_space_lives_without_allocating::<Periodic<Tested>>(options);
}

fn a_few_move_without_allocating<I: Structure<Scalar = f32>>(options: I::Options) {
    let mut space = Space::<u32, I>::new(options).expect("valid options");
    let handles: Vec<_> = (0..1000).map(|k| space.insert(place(k, 0), k.into()).expect("a valid box")).collect();
    let (mut events, mut changes) = (Events::default(), 0);
    let mut frame = |space: &mut Space<u32, I>, t: u16| {
        for (k, &handle) in (0..).zip(&handles).filter(|(k, _)| k % 50 == t % 50) {
            assert!(space.update(handle, place(k, t)).is_ok());
        }
        space.maintain();
        space.step_events(&mut events);
        changes += events.begin.len() + events.end.len();
    };
    (0..10 * PERIOD).for_each(|t| frame(&mut space, t));
    for t in 0..5 * PERIOD {
        let counted = measure(|| frame(&mut space, t));
        assert_eq!(counted.count_total, 0, "frame {t}: {counted:?}");
    }
    assert!(changes > 1000, "frames without events prove nothing");
}

#[test]
fn events_of_a_few_that_move_allocate_nothing() {
    for &kind in KINDS {
        a_few_move_without_allocating::<Tested>(options(kind));
    }
    let options = PeriodicOptions::new(Aabb::new([0.0; 2], [1024.0; 2]));
    a_few_move_without_allocating::<Periodic<FrameTree>>(options);
}

#[test]
fn the_allocator_counts() {
    assert_eq!(measure(|| drop(black_box(vec![1_u8]))).count_total, 1);
}

#[test]
fn a_steady_frame_allocates_nothing() {
    for &kind in KINDS {
        let mut index = Index::<Tested>::new(options(kind)).expect("default options");
        // Brute force, whose frames grow with the square, has no memory that the last boxes could need.
        let count = if kind == StructureKind::BruteForce { BOXES / 5 } else { BOXES };
        (0..count).for_each(|k| assert!(index.insert(place(k, 0)).is_ok()));
        assert!(index.pairs_count() > index.len() / 5, "boxes that do not meet prove nothing");
        let (mut boxes, mut buffers) = (Vec::new(), Buffers::default());
        let mut frame = |index: &mut Index<Tested>, t| {
            frame(index, &mut boxes, t);
            ask(index, t, &mut buffers);
        };
        (0..PERIOD).for_each(|t| frame(&mut index, t));
        for t in 0..PERIOD {
            let counted = measure(|| frame(&mut index, t));
            assert_eq!(counted.count_total, 0, "{kind} in frame {t}: {counted:?}");
        }
        index.validate().expect("a sound structure");
    }
}
