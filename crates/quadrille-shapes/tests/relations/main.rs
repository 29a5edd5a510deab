//! Every predicate, beside two others: plain arithmetic on whole numbers (`truth.rs`), and the crate `geo`.
//!
//! All coordinates lie on a small grid, so that edges share points, lie on each other and end on each other in most
//! cases.

mod common;
mod globe;
mod large;
mod made;
mod mutated;
mod parts;
mod stored;
mod suites;
mod truth;

use std::ops::ControlFlow;

use geo::coordinate_position::CoordPos;
use geo::relate::IntersectionMatrix;
use geo::{Distance, Euclidean, Geometry, Relate};
use proptest::prelude::*;
use quadrille::{FrameTree, Index};
use quadrille_shapes::{Geometries, Nearest, Predicate, Wanted, distance, is_within, join, join_within, relate};

use made::{any_geometry, meets_itself, pair};

/// The answers of another implementation.
fn of_geo(predicate: Predicate, matrix: &IntersectionMatrix) -> bool {
    match predicate {
        Predicate::Intersects => matrix.is_intersects(),
        Predicate::Disjoint => matrix.is_disjoint(),
        Predicate::Contains => matrix.is_contains(),
        Predicate::Within => matrix.is_within(),
        Predicate::Covers => matrix.is_covers(),
        Predicate::CoveredBy => matrix.is_coveredby(),
        Predicate::Touches => matrix.is_touches(),
        Predicate::Crosses => matrix.is_crosses(),
        Predicate::Overlaps => matrix.is_overlaps(),
        Predicate::Equals => matrix.is_equal_topo(),
    }
}

/// A matrix as text.
fn text(matrix: &IntersectionMatrix) -> String {
    use CoordPos::{Inside, OnBoundary, Outside};
    let all = [Inside, OnBoundary, Outside];
    let cells = all.iter().flat_map(|a| all.iter().map(|b| matrix.get(*a, *b)));
    cells
        .map(|dimensions| match dimensions {
            geo::dimensions::Dimensions::Empty => 'F',
            geo::dimensions::Dimensions::ZeroDimensional => '0',
            geo::dimensions::Dimensions::OneDimensional => '1',
            geo::dimensions::Dimensions::TwoDimensional => '2',
        })
        .collect()
}

fn stored(geometries: &[&Geometry<f64>]) -> Geometries {
    let mut all = Geometries::new();
    geometries.iter().for_each(|one| assert_eq!(made::push(&mut all, one), Ok(true), "{one:?}"));
    all
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 20_000, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn matrices_are_those_of_plain_arithmetic((a, b) in pair()) {
        let all = stored(&[&a, &b]);
        let expected = truth::matrix(&a, &b);
        prop_assert_eq!(relate(&all, 0, &all, 1).map(|matrix| matrix.to_string()), Ok(expected));
    }

    #[test]
    fn predicates_are_those_of_another_implementation((a, b) in pair()) {
        // Where a line crosses itself is rounded there, and its end within itself is no boundary.
        prop_assume!(!meets_itself(&a) && !meets_itself(&b));
        let all = stored(&[&a, &b]);
        let theirs = a.relate(&b);
        prop_assert_eq!(relate(&all, 0, &all, 1).map(|matrix| matrix.to_string()), Ok(text(&theirs)));
        for &predicate in Predicate::ALL {
            prop_assert_eq!(predicate.holds(&all, 0, &all, 1), Ok(of_geo(predicate, &theirs)), "{}", predicate);
        }
    }

    #[test]
    fn distances_are_those_of_another_implementation((a, b) in pair(), most in 0.0..4.0) {
        let all = stored(&[&a, &b]);
        let found = distance(&all, 0, &all, 1);
        prop_assert!((found - Euclidean.distance(&a, &b)).abs() <= 1e-12, "{}", found);
        prop_assert_eq!(found == 0.0, Predicate::Intersects.holds(&all, 0, &all, 1) == Ok(true));
        prop_assert_eq!(is_within(&all, 0, &all, 1, most), found <= most);
        prop_assert!(is_within(&all, 0, &all, 1, found));
    }

    #[test]
    fn joins_are_all_pairs(a in prop::collection::vec(any_geometry(), 0..8), b in prop::collection::vec(any_geometry(), 0..8), most in 0.0..4.0) {
        let [a, b] = [a, b].map(|list| stored(&list.iter().collect::<Vec<_>>()));
        let all: Vec<_> = (0..a.len() as u32).flat_map(|i| (0..b.len() as u32).map(move |j| (i, j))).collect();
        let sorted = |mut pairs: Vec<_>| { pairs.sort_unstable(); pairs };
        for &predicate in Predicate::ALL {
            let expected: Vec<_> = all.iter().copied().filter(|&(i, j)| predicate.holds(&a, i, &b, j) == Ok(true)).collect();
            prop_assert_eq!(join(&a, &b, predicate).map(sorted), Ok(expected), "{}", predicate);
        }
        let expected: Vec<_> = all.into_iter().filter(|&(i, j)| is_within(&a, i, &b, j, most)).collect();
        prop_assert_eq!(join_within(&a, &b, most).map(sorted), Ok(expected));
    }

    #[test]
    fn the_nearest_are_those_of_brute_force(all in prop::collection::vec(any_geometry(), 0..15), count in 0..6_usize, most in prop_oneof![Just(f64::INFINITY), 0.0..6.0], has_ties in any::<bool>(), but_itself in any::<bool>()) {
        let all = stored(&all.iter().collect::<Vec<_>>());
        let index = Index::<FrameTree<f64>>::from_boxes(&all.boxes()).unwrap();
        let (nearest, wanted) = (Nearest::new(&all, &index), Wanted { count, most, has_ties, but_itself });
        let mut each = Vec::new();
        let _ = nearest.to_each(&all, wanted, |i, found| {
            each.push((i, found.to_vec()));
            ControlFlow::<()>::Continue(())
        });
        prop_assert_eq!(each.len(), all.len());
        for (i, (number, found)) in (0..all.len() as u32).zip(each) {
            let others = (0..all.len() as u32).filter(|j| !but_itself || i != *j).map(|j| (j, distance(&all, i, &all, j)));
            let mut expected: Vec<_> = others.filter(|(_, distance)| *distance <= most).collect();
            expected.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            let last = count.checked_sub(1).and_then(|last| expected.get(last)).map(|last| last.1);
            let is_wanted = |at: usize, far: f64| at < count || has_ties && Some(far) == last;
            let expected: Vec<_> = (0..).zip(expected).filter(|(at, (_, far))| is_wanted(*at, *far)).map(|(_, one)| one).collect();
            prop_assert_eq!(nearest.to(&all, i, wanted), &expected[..]);
            prop_assert_eq!((number, found), (i, expected));
        }
    }
}
