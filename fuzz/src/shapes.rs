//! Geometries of any bytes, and joins of them: nothing crashes, and answers that must agree do.
//!
//! Target `shapes`: the bytes are a file of well-known text, or one geometry in WKB. It gets farther from geometries that
//! are right: `QUADRILLE_TARGET=shapes cargo +nightly fuzz run any fuzz/corpus/shapes fuzz/seeds/shapes`.

use std::io::Cursor;

use quadrille_files::{Choice, Shapes, Source};
use quadrille_shapes::{Geometries, Predicate, distance, in_common, is_within, join, join_within, relate};

/// At most this many geometries are compared, each with each.
const MOST: usize = 12;

/// Reads geometries, and tests all predicates on all pairs.
///
/// # Panics
/// If a pair is found by one way only, or an answer changes with the order of the two.
pub fn shapes(bytes: &[u8]) {
    let choice = Choice { has_geometries: true, skips_invalid: true, ..Choice::default() };
    let read = Source::from_reader("f", Cursor::new(bytes.to_vec()));
    let read = read.and_then(|source| Shapes::from_source(source, &choice)).ok().and_then(|shapes| shapes.geometries);
    let mut all = read.unwrap_or_default();
    let _ = all.push_wkb(bytes);
    if all.len() <= MOST {
        ask(&all);
    }
}

fn ask(all: &Geometries) {
    let pairs = || (0..all.len() as u32).flat_map(|i| (0..all.len() as u32).map(move |j| (i, j)));
    for &predicate in Predicate::ALL {
        let expected: Result<Vec<_>, _> =
            pairs().map(|(i, j)| predicate.holds(all, i, all, j).map(|holds| holds.then_some((i, j)))).collect();
        let Ok(expected) = expected else { continue };
        let mut found = join(all, all, predicate).expect("each pair can be asked");
        found.sort_unstable();
        let expected: Vec<_> = expected.into_iter().flatten().collect();
        // Products of huge coordinates are no numbers.
        assert!(!is_tame(all) || found == expected, "{predicate}: {found:?}, but {expected:?}");
    }
    let near = join_within(all, all, 1.0).expect("there is memory");
    for (i, j) in near {
        let (matrix, far, common) = (relate(all, i, all, j), distance(all, i, all, j), in_common(all, i, all, j));
        if !is_tame(all) {
            continue;
        }
        assert!(is_within(all, i, all, j, far) && far <= 1.0, "{far}");
        assert_eq!(matrix.is_ok(), common.is_ok());
        assert!(common.is_err() || common.is_ok_and(|common| common >= 0.0));
        assert_eq!(Predicate::Intersects.holds(all, i, all, j), Predicate::Intersects.holds(all, j, all, i));
    }
}

/// Whether determinants of the coordinates neither overflow nor vanish.
fn is_tame(all: &Geometries) -> bool {
    let numbers = |number| all.parts(number).flat_map(|(_, places)| places.iter().flatten().copied());
    let is_tame = |number: f64| number == 0.0 || (1e-60..1e60).contains(&number.abs());
    (0..all.len() as u32).all(|number| numbers(number).all(is_tame))
}
