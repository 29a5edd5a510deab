//! Single changes of many boxes in a frame tree without `maintain`: whatever they are, queries look at a few times as
//! much as after it, and all pairs are found. When a tail in order of arrival, and hulls that only grew, were all there
//! was, they looked at a part of all boxes.

use quadrille::structures::LooseGrid;
use quadrille::{Aabb, At, FrameTree, Index, Layers};

const N: u32 = 20_000;

/// Boxes of size 1 in a square of 280 x 280, one set of them for each seed.
fn place(k: u32, seed: u32) -> Aabb {
    let scrambled = |salt: u64| {
        let bits = (u64::from(k) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let bits = bits.wrapping_add((u64::from(seed) + 1).wrapping_mul(salt));
        let bits = (bits ^ bits >> 31).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        ((bits ^ bits >> 29) >> 40) as f32 / (1 << 24) as f32 * 280.0
    };
    let min = [scrambled(0x94D0_49BB_1331_11EB), scrambled(0xD6E8_FEB8_6659_FD93)];
    Aabb::new(min, min.map(|edge| edge + 1.0))
}

/// What is looked at to answer 200 queries.
fn looked_at(index: &Index<FrameTree>) -> usize {
    let work = (0..200).map(|k| index.query_work(At(place(k * 97, 1).min)));
    work.map(|work| work.nodes + work.boxes).sum()
}

/// Changes a frame tree, and compares what queries look at with what they look at after `maintain`.
#[track_caller]
fn stay_cheap(change: impl Fn(&mut Index<FrameTree>)) {
    let boxes: Vec<Aabb> = (0..N).map(|k| place(k, 0)).collect();
    let mut index = Index::<FrameTree>::from_boxes(&boxes).expect("valid boxes");
    change(&mut index);
    index.validate().expect("a sound index");
    let now: Vec<(u32, Aabb)> = index.iter().collect();
    let other = Index::<LooseGrid>::from_boxes(&now.iter().map(|&(_, bounds)| bounds).collect::<Vec<_>>());
    let other = other.expect("valid boxes");
    let expected = other.pairs().map(|(a, b)| (now[a as usize].0, now[b as usize].0));
    let mut expected: Vec<_> = expected.collect();
    let mut pairs: Vec<_> = index.pairs().collect();
    pairs.sort_unstable();
    expected.sort_unstable();
    assert!(pairs == expected, "{} pairs of {}", pairs.len(), expected.len());
    let before = looked_at(&index);
    index.maintain();
    let after = looked_at(&index);
    assert!(before <= 10 * after, "{before} nodes and boxes, {after} after maintain");
}

fn update(index: &mut Index<FrameTree>, id: u32, bounds: Aabb) {
    index.update(id, bounds).expect("a box in use");
}

#[test]
fn boxes_that_come() {
    stay_cheap(|index| (0..N / 5).for_each(|k| assert!(index.insert(place(k, 1)).is_ok())));
    stay_cheap(|index| (0..N).for_each(|k| assert!(index.insert(place(k, 1)).is_ok())));
    stay_cheap(|index| {
        index.clear();
        (0..N).for_each(|k| assert!(index.insert(place(k, 1)).is_ok()));
    });
}

#[test]
fn boxes_that_go_and_come_again() {
    stay_cheap(|index| {
        (0..N).for_each(|id| assert!(index.remove(id).is_some() && index.insert(place(id, 1)).is_ok()));
    });
    stay_cheap(|index| {
        (0..N).step_by(2).for_each(|id| assert!(index.remove(id).is_some()));
        (0..N / 2).for_each(|k| assert!(index.insert(place(k, 1)).is_ok()));
    });
    stay_cheap(|index| {
        (32..N).for_each(|id| assert!(index.remove(id).is_some()));
        index.maintain();
        (32..N).for_each(|k| assert!(index.insert(place(k, 1)).is_ok()));
    });
}

#[test]
fn boxes_that_move_far() {
    for part in [1, 10, 100] {
        stay_cheap(|index| (0..N).step_by(part).for_each(|id| update(index, id, place(id, 1))));
    }
    stay_cheap(|index| (0..N).for_each(|id| update(index, id, place(id, 0).with_offset([1000.0, 0.0]))));
}

#[test]
fn boxes_that_move_a_little_again_and_again() {
    stay_cheap(|index| {
        for round in 0..20 {
            for id in 0..N {
                let by = place(id, round).min.map(|edge| edge / 280.0 - 0.5);
                let old = index.get(id).expect("a box in use");
                update(index, id, old.with_offset(by));
            }
        }
    });
}

#[test]
fn boxes_that_grow_or_gather_and_then_do_not() {
    for all_over in [place(0, 0).with_margin(300.0), place(7, 1)] {
        stay_cheap(|index| {
            (0..N).for_each(|id| update(index, id, all_over));
            (0..N).for_each(|id| update(index, id, place(id, 0)));
        });
    }
}

#[test]
fn boxes_whose_layers_change() {
    stay_cheap(|index| {
        (0..N).for_each(|id| assert!(index.set_layers(id, Layers { own: 1 << (id % 3), mask: 7 }).is_ok()));
    });
}
