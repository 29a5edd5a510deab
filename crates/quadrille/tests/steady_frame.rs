//! Once a structure has grown to what its boxes need, a frame allocates nothing: not to update all of them, not to maintain, not
//! to ask. A test binary of its own, for the counting allocator replaces the usual one.

use std::hint::black_box;
use std::ops::ControlFlow::Continue;

use allocation_counter::measure;
use quadrille::{Aabb, AnyStructure, Index, Inside, Overlaps, StructureKind};

const BOXES: u16 = 5000;
const PERIOD: u16 = 60;

/// Box `k` in frame `t`: on its way from its home to a place 15 away and back, over and over, so that what one period needs is
/// what every later one needs. One in 500 is large.
fn place(k: u16, t: u16) -> Aabb {
    let [x, y, turn] = [7919, 6007, 4201].map(|prime| f32::from(k.wrapping_mul(prime) % 1000));
    let way = f32::from((t % PERIOD).min(PERIOD - t % PERIOD)) / 2.0;
    let (dx, dy) = (turn / 500.0 - 1.0, 1.0 - turn / 500.0);
    let half = if k % 500 == 0 { 60.0 } else { 7.0 };
    Aabb::from_center([x + way * dx, y + way * dy], [half; 2])
}

fn frame(index: &mut Index<AnyStructure>, t: u16) {
    for k in 0..BOXES {
        assert!(index.update(k.into(), place(k, t)).is_ok());
    }
    index.maintain();
    let mut last = (0, 0);
    let _ = index.pairs_visit(|a, b| {
        last = (a, b);
        Continue::<()>(())
    });
    black_box(last);
    let asked = place(t, t);
    black_box((index.pairs().last(), index.pairs_count()));
    black_box((index.query(Overlaps(asked)).last(), index.query_count(Inside(asked)), index.pairs_with(index).nth(9)));
}

#[test]
fn the_allocator_counts() {
    assert_eq!(measure(|| drop(black_box(vec![1_u8]))).count_total, 1);
}

#[test]
fn a_steady_frame_allocates_nothing() {
    for &kind in StructureKind::ALL {
        let mut index = Index::<AnyStructure>::new(kind.into()).expect("default options");
        (0..BOXES).for_each(|k| assert!(index.insert(place(k, 0)).is_ok()));
        assert!(index.pairs_count() > usize::from(BOXES), "boxes that do not meet prove nothing");
        (0..PERIOD).for_each(|t| frame(&mut index, t));
        for t in 0..PERIOD {
            let counted = measure(|| frame(&mut index, t));
            assert_eq!(counted.count_total, 0, "{kind} in frame {t}: {counted:?}");
        }
        index.validate().expect("a sound structure");
    }
}
