//! Pairs between two frame trees, which are walked at once: those that brute force finds, whatever the sizes, with
//! holes, tails, layers and margins, in one order for all forms.

use std::ops::ControlFlow::Continue;

use quadrille::structures::BruteForce;
use quadrille::{Aabb, Agreement, FrameTree, Index, Layers, Part, Structure};

/// Box `k` of a set: small ones and a few large ones, in a world of 200 x 200.
fn place(k: u32, seed: u32) -> Aabb {
    let bits = (u64::from(k) << 8 | u64::from(seed)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let bits = (bits ^ bits >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let part = |shift: u32| (bits >> shift & 0xFFF) as f32 / 4096.0;
    let size = if k % 301 == 0 { 60.0 } else { 3.0 };
    Aabb::new([part(8) * 200.0, part(20) * 200.0], [part(8) * 200.0 + part(32) * size, part(20) * 200.0 + size])
}

/// This many boxes, of which some have gone, others have come and others have moved, and which may be on layers.
fn set<I: Structure<Scalar = f32, Options = ()>>(len: u32, seed: u32, has_layers: bool, is_changed: bool) -> Index<I> {
    let boxes: Vec<Aabb> = (0..len).map(|k| place(k, seed)).collect();
    let mut index = Index::<I>::from_boxes(&boxes).expect("valid boxes");
    if is_changed {
        (0..len).step_by(5).for_each(|id| assert!(index.remove(id).is_some()));
        (0..len / 4).for_each(|k| assert!(index.insert(place(k, seed + 1)).is_ok()));
        (1..len).step_by(5).for_each(|id| assert!(index.update(id, place(id, seed + 2)).is_ok()));
    }
    if has_layers {
        let ids: Vec<u32> = index.iter().map(|(id, _)| id).collect();
        for id in ids {
            index
                .set_layers(id, Layers { own: 1 << (id % 3), mask: [0b011, 0b100, 0b111][id as usize % 3] })
                .expect("an id in use");
        }
    }
    index
}

fn sorted(mut pairs: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    pairs.sort_unstable();
    pairs
}

/// The pairs of all three parts.
fn in_parts<I: Structure<Scalar = f32>>(a: &Index<I>, b: &Index<I>) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for part in Part::all(3) {
        let _ = a.pairs_with_part_visit(b, part, |a, b| {
            pairs.push((a, b));
            Continue::<()>(())
        });
    }
    pairs
}

#[test]
fn pairs_of_two_sets_are_those_of_brute_force() {
    for [one, other] in [
        [3000, 700],
        [700, 3000],
        [5, 6000],
        [6000, 5],
        [40, 6000],
        [6000, 40],
        [0, 300],
        [300, 0],
        [256, 257],
        [20, 16],
    ] {
        for case in 0..8 {
            let [is_changed, here, there] = [0, 1, 2].map(|bit| case >> bit & 1 == 1);
            let (mut a, b) =
                (set::<FrameTree>(one, 1, here, is_changed), set::<FrameTree>(other, 9, there, is_changed));
            let (mut c, d) =
                (set::<BruteForce>(one, 1, here, is_changed), set::<BruteForce>(other, 9, there, is_changed));
            for agreement in [Agreement::Both, Agreement::Either] {
                a.set_agreement(agreement);
                c.set_agreement(agreement);
                let found: Vec<_> = a.pairs_with(&b).collect();
                assert_eq!(sorted(found.clone()), sorted(c.pairs_with(&d).collect()), "{one} and {other}, case {case}");
                let mut visited = Vec::new();
                let _ = a.pairs_with_visit(&b, |a, b| {
                    visited.push((a, b));
                    Continue::<()>(())
                });
                assert!(visited == found && in_parts(&a, &b) == found, "{one} and {other}, case {case}");
                assert!(in_parts(&c, &d) == c.pairs_with(&d).collect::<Vec<_>>(), "{one} and {other}, case {case}");
            }
        }
    }
}

/// A set beside itself: every pair both ways, and each box with itself.
#[test]
fn a_set_beside_itself_has_each_pair_twice() {
    let set = set::<FrameTree>(2000, 3, false, true);
    let ids = set.iter().map(|(id, _)| (id, id));
    let expected = set.pairs().flat_map(|(a, b)| [(a, b), (b, a)]).chain(ids);
    assert_eq!(sorted(set.pairs_with(&set).collect()), sorted(expected.collect()));
}
