//! Well-known binary with bytes and coordinates changed at random: nothing crashes, and answers agree with each other.

use geo::{Geometry, LineString, Polygon};
use proptest::prelude::*;
use proptest::sample::Index as Point;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use quadrille_shapes::{
    Geometries, Part, Predicate, Taker, distance, in_common, is_within, join, join_within, read_wkb, relate,
};

use crate::made::any_geometry;

/// A change of some bytes.
#[derive(Clone, Debug)]
enum Change {
    Byte(Point, u8),
    /// The number this many points before the end.
    Number(usize, f64),
    /// A number becomes another one: corners fall on each other.
    Copy(usize, usize),
    Cut(Point),
}

/// Numbers beyond determinants, and none.
const STRANGE: [f64; 12] =
    [0.0, -0.0, 1.5, 1e-300, 5e-324, 1e300, f64::MAX, f64::MIN, f64::NAN, f64::INFINITY, 0.1 + 0.2, 1e16];

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        2 => (any::<Point>(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        4 => (0..20_usize, prop::sample::select(&STRANGE[..])).prop_map(|(at, number)| Change::Number(at, number)),
        6 => (0..20_usize, -6..6_i32).prop_map(|(at, number)| Change::Number(at, number.into())),
        6 => (0..20_usize, 0..20_usize).prop_map(|(from, to)| Change::Copy(from, to)),
        1 => any::<Point>().prop_map(Change::Cut),
    ]
}

fn mutated() -> impl Strategy<Value = Vec<u8>> {
    (any_geometry(), prop::collection::vec(change(), 0..4)).prop_map(|(geometry, changes)| {
        let mut bytes = Vec::new();
        write(&mut bytes, &geometry);
        changes.iter().for_each(|one| apply(&mut bytes, one));
        bytes
    })
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    let point = |bytes: &Vec<u8>, number: usize| bytes.len().checked_sub(8 * (number + 1));
    match *change {
        Change::Byte(at, byte) if !bytes.is_empty() => *at.get_mut(bytes) = byte,
        Change::Number(at, number) => {
            if let Some(at) = point(bytes, at) {
                bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
            }
        }
        Change::Copy(from, to) => {
            if let (Some(from), Some(to)) = (point(bytes, from), point(bytes, to)) {
                bytes.copy_within(from..from + 8, to);
            }
        }
        Change::Cut(at) if !bytes.is_empty() => bytes.truncate(at.index(bytes.len())),
        Change::Byte(..) | Change::Cut(_) => {}
    }
}

fn write(out: &mut Vec<u8>, geometry: &Geometry<f64>) {
    let begin = |out: &mut Vec<u8>, kind: u32| {
        out.push(1);
        out.extend(kind.to_le_bytes());
    };
    let count = |out: &mut Vec<u8>, count: usize| out.extend((count as u32).to_le_bytes());
    let line = |out: &mut Vec<u8>, line: &LineString<f64>| {
        count(out, line.0.len());
        line.0.iter().for_each(|at| out.extend([at.x, at.y].into_iter().flat_map(f64::to_le_bytes)));
    };
    let all = |out: &mut Vec<u8>, kind, parts: Vec<Geometry<f64>>| {
        begin(out, kind);
        count(out, parts.len());
        parts.iter().for_each(|part| write(out, part));
    };
    match geometry {
        Geometry::Point(at) => {
            out.extend([1, 1, 0, 0, 0]);
            out.extend([at.x(), at.y()].into_iter().flat_map(f64::to_le_bytes));
        }
        Geometry::LineString(one) => {
            out.extend([1, 2, 0, 0, 0]);
            line(out, one);
        }
        Geometry::Polygon(one) => {
            out.extend([1, 3, 0, 0, 0]);
            let rings = |one: &Polygon<f64>| -> Vec<LineString<f64>> {
                std::iter::once(one.exterior()).chain(one.interiors()).cloned().collect()
            };
            count(out, rings(one).len());
            rings(one).iter().for_each(|ring| line(out, ring));
        }
        Geometry::MultiPoint(many) => all(out, 4, many.iter().copied().map(Geometry::from).collect()),
        Geometry::MultiLineString(many) => all(out, 5, many.iter().cloned().map(Geometry::from).collect()),
        Geometry::MultiPolygon(many) => all(out, 6, many.iter().cloned().map(Geometry::from).collect()),
        other => panic!("{other:?} is not made"),
    }
}

/// All numbers of a geometry.
#[derive(Default)]
struct Numbers(Vec<f64>);

impl Taker for Numbers {
    fn collection(&mut self) {}

    fn part(&mut self, _: Part) {}

    fn vertex(&mut self, x: f64, y: f64) {
        self.0.extend([x, y]);
    }
}

/// Whether determinants of the coordinates neither overflow nor vanish.
fn is_tame(bytes: &[u8]) -> bool {
    let mut numbers = Numbers::default();
    let _ = read_wkb(bytes, &mut numbers);
    numbers.0.into_iter().map(f64::abs).all(|number| number == 0.0 || (1e-60..1e60).contains(&number))
}

proptest! {
    #[test]
    fn nothing_crashes_whatever_is_read(a in mutated(), b in mutated()) {
        let mut all = Geometries::new();
        let read = [&a, &b].map(|bytes| all.push_wkb(bytes));
        prop_assert_eq!(all.len(), read.iter().filter(|read| **read == Ok(true)).count());
        let is_tame = is_tame(&a) && is_tame(&b);
        for (i, j) in (0..all.len() as u32).flat_map(|i| (0..all.len() as u32).map(move |j| (i, j))) {
            let holds = |predicate: Predicate, i, j| predicate.holds(&all, i, &all, j);
            let found: Vec<_> = Predicate::ALL.iter().map(|predicate| holds(*predicate, i, j)).collect();
            let (matrix, far) = (relate(&all, i, &all, j).map(|matrix| matrix.to_string()), distance(&all, i, &all, j));
            if !is_tame {
                continue;
            }
            prop_assert_eq!(found[0].map(|intersects| !intersects), found[1]);
            prop_assert_eq!(&found[0], &holds(Predicate::Intersects, j, i));
            prop_assert_eq!(found[0] == Ok(true), far == 0.0, "{}", far);
            prop_assert!(is_within(&all, i, &all, j, far));
            prop_assert!(in_common(&all, i, &all, j).is_ok_and(|measure| measure >= 0.0) || found[8].is_err());
            let turned = relate(&all, j, &all, i).map(|matrix| {
                let cells: Vec<char> = matrix.to_string().chars().collect();
                [0, 3, 6, 1, 4, 7, 2, 5, 8].map(|cell| cells[cell]).iter().collect::<String>()
            });
            prop_assert_eq!(matrix.is_ok(), turned.is_ok());
            if let (Ok(matrix), Ok(turned)) = (matrix, turned) {
                prop_assert_eq!(matrix, turned);
            }
        }
        for &predicate in Predicate::ALL {
            let _ = join(&all, &all, predicate);
        }
        let _ = join_within(&all, &all, 1.0);
    }
}

/// How many geometries are joined with each other at once.
const AT_ONCE: usize = 10;

#[test]
#[ignore = "takes minutes"]
fn nothing_crashes_on_a_million_mutated_geometries() {
    let mut runner = TestRunner::deterministic();
    let mut drawn = |strategy: BoxedStrategy<Geometry<f64>>| strategy.new_tree(&mut runner).unwrap().current();
    let written = |geometry: Geometry<f64>| {
        let mut bytes = Vec::new();
        write(&mut bytes, &geometry);
        bytes
    };
    let seeds: Vec<Vec<u8>> = (0..2_000).map(|_| written(drawn(any_geometry().boxed()))).collect();
    let mut runner = TestRunner::deterministic();
    let changes: Vec<Change> = (0..20_000).map(|_| change().new_tree(&mut runner).unwrap().current()).collect();
    let mut random = fastrand::Rng::with_seed(0);
    let mut below = |count: usize| random.usize(..count);
    let (mut all, mut read, mut pairs) = (Geometries::new(), 0_u64, 0_u64);
    for _ in 0..1_000_000 / AT_ONCE {
        all.clear();
        for _ in 0..AT_ONCE {
            let mut bytes = seeds[below(seeds.len())].clone();
            (0..=below(3)).for_each(|_| apply(&mut bytes, &changes[below(changes.len())]));
            read += u64::from(all.push_wkb(&bytes) == Ok(true));
        }
        for &predicate in Predicate::ALL {
            pairs += join(&all, &all, predicate).map_or(0, |pairs| pairs.len() as u64);
        }
        for (i, j) in join_within(&all, &all, 1.0).unwrap() {
            let _ = (relate(&all, i, &all, j), distance(&all, i, &all, j), in_common(&all, i, &all, j));
        }
    }
    println!("{read} of a million were geometries; {pairs} pairs");
}
