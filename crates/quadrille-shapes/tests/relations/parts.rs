//! Shapes of one part to a hundred thousand, as many as fill a run and one more or less, beside their parts one by one.

use fastrand::Rng;
use geo::{Coord, Geometry, LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon};
use quadrille_shapes::{Geometries, Predicate, distance, in_common, is_within, join, join_within, relate};

use crate::{stored, truth};

/// Where the parts are: in any order all over a square, or nearly or exactly at one place.
#[derive(Clone, Copy, Debug)]
enum Spread {
    Scattered,
    NearlyEqual,
    Equal,
}

const SPREADS: [Spread; 3] = [Spread::Scattered, Spread::NearlyEqual, Spread::Equal];

/// The corners of the parts: even numbers, so that the middle of an edge is a whole number.
fn corners(random: &mut Rng, count: usize, spread: Spread) -> Vec<[f64; 2]> {
    let side = (count as f64).sqrt().ceil() as usize;
    let corner = |number: usize| match spread {
        Spread::Scattered => [8 * (number % side), 8 * (number / side)],
        Spread::NearlyEqual => [100, 100 + 2 * (number % 2)],
        Spread::Equal => [100, 100],
    };
    let mut all: Vec<_> = (0..count).map(|number| corner(number).map(|at| at as f64)).collect();
    random.shuffle(&mut all);
    all
}

fn line(points: &[[f64; 2]], [x, y]: [f64; 2]) -> LineString<f64> {
    points.iter().map(|point| Coord { x: x + point[0], y: y + point[1] }).collect()
}

fn points(random: &mut Rng, count: usize, spread: Spread) -> Geometry<f64> {
    MultiPoint::from(corners(random, count, spread)).into()
}

fn lines(random: &mut Rng, count: usize, spread: Spread) -> Geometry<f64> {
    let corners = corners(random, count, spread);
    let mut one = |at| line(&[[0.0, 0.0], [2.0 * f64::from(random.u8(1..6)), 2.0 * f64::from(random.u8(..6))]], at);
    MultiLineString(corners.into_iter().map(&mut one).collect()).into()
}

/// Squares, some with a hole, and triangles that touch the next one at a corner. Only apart are several valid.
fn islands(random: &mut Rng, count: usize) -> Geometry<f64> {
    let corners = corners(random, count, Spread::Scattered);
    let square = |at, side: f64| line(&[[0.0, 0.0], [side, 0.0], [side, side], [0.0, side], [0.0, 0.0]], at);
    let one = |[x, y]: [f64; 2]| match random.u8(..3) {
        0 => Polygon::new(square([x, y], 6.0), vec![square([x + 2.0, y + 2.0], 2.0)]),
        1 => Polygon::new(line(&[[0.0, 0.0], [8.0, 0.0], [0.0, 4.0], [0.0, 0.0]], [x, y]), Vec::new()),
        _ => Polygon::new(square([x, y], 4.0), Vec::new()),
    };
    MultiPolygon(corners.into_iter().map(one).collect()).into()
}

fn parts(all: &Geometry<f64>) -> Vec<Geometry<f64>> {
    match all {
        Geometry::MultiPoint(all) => all.iter().map(|one| (*one).into()).collect(),
        Geometry::MultiLineString(all) => all.iter().cloned().map(Geometry::from).collect(),
        Geometry::MultiPolygon(all) => all.iter().cloned().map(Geometry::from).collect(),
        other => vec![other.clone()],
    }
}

/// Points, lines and islands of this many parts.
fn all_kinds(random: &mut Rng, count: usize) -> Vec<Geometry<f64>> {
    let mut all = vec![islands(random, count)];
    for spread in SPREADS {
        all.extend([points(random, count, spread), lines(random, count, spread)]);
    }
    all
}

#[test]
fn matrices_of_many_parts_are_those_of_plain_arithmetic() {
    let mut random = Rng::with_seed(1);
    for counts in [[16, 17], [17, 1], [15, 17], [17, 18], [33, 17]] {
        let [ours, theirs] = counts.map(|count| all_kinds(&mut random, count));
        for (a, b) in ours.iter().flat_map(|a| theirs.iter().map(move |b| (a, b))) {
            let all = stored(&[a, b]);
            let found = relate(&all, 0, &all, 1).map(|matrix| matrix.to_string());
            assert_eq!(found, Ok(truth::matrix(a, b)), "{a:?} {b:?}");
            let found = relate(&all, 1, &all, 0).map(|matrix| matrix.to_string());
            assert_eq!(found, Ok(truth::matrix(b, a)), "{b:?} {a:?}");
        }
    }
}

/// Points, lines and triangles on the same square, some beyond it.
fn askers(random: &mut Rng, count: usize, wide: f64) -> Geometries {
    let mut one = |number: usize| -> Geometry<f64> {
        let mut at = || [0, 1].map(|_| (random.f64() * 1.2 - 0.1) * wide);
        let [x, y] = if number % 5 == 4 { at().map(f64::round) } else { at() };
        match number % 3 {
            0 => Point::new(x, y).into(),
            1 => line(&[[0.0, 0.0], [1.0, 2.5]], [x, y]).into(),
            _ => Polygon::new(line(&[[0.0, 0.0], [3.0, 0.0], [0.0, 3.0], [0.0, 0.0]], [x, y]), Vec::new()).into(),
        }
    };
    stored(&(0..count).map(&mut one).collect::<Vec<_>>().iter().collect::<Vec<_>>())
}

#[test]
fn what_meets_or_is_near_many_parts_is_what_meets_or_is_near_one() {
    let mut random = Rng::with_seed(2);
    for count in [1, 15, 16, 17, 255, 256, 257, 4_095, 4_096, 4_097, 100_000] {
        for whole in all_kinds(&mut random, count) {
            let each = parts(&whole);
            let (whole, each) = (stored(&[&whole]), stored(&each.iter().collect::<Vec<_>>()));
            let bounds = whole.bounds(0);
            assert_eq!(bounds, each.boxes().iter().fold(bounds, |all, one| all.union(one)));
            let askers = askers(&mut random, if count > 5_000 { 4 } else { 20 }, bounds.max[0].max(20.0));
            let most = 3.0;
            let (mut near, mut met) = (Vec::new(), Vec::new());
            for i in 0..askers.len() as u32 {
                let far = |j| distance(&askers, i, &each, j);
                let least = (0..each.len() as u32).map(far).fold(f64::INFINITY, f64::min);
                assert_eq!(distance(&askers, i, &whole, 0), least, "{count}: {i}");
                assert_eq!(distance(&whole, 0, &askers, i), least);
                assert_eq!(is_within(&whole, 0, &askers, i, most), least <= most);
                near.extend((least <= most).then_some((0, i)));
                met.extend((least == 0.0).then_some((0, i)));
            }
            let sorted = |mut pairs: Vec<_>| {
                pairs.sort_unstable();
                pairs
            };
            assert_eq!(join_within(&whole, &askers, most).map(sorted), Ok(near), "{count}");
            assert_eq!(join(&whole, &askers, Predicate::Intersects).map(sorted), Ok(met.clone()), "{count}");
            let apart = (0..askers.len() as u32).map(|i| (0, i)).filter(|pair| !met.contains(pair)).collect();
            assert_eq!(join(&whole, &askers, Predicate::Disjoint), Ok(apart), "{count}");
        }
    }
}

#[test]
fn two_shapes_of_many_parts_are_as_near_as_their_nearest_parts_and_share_what_these_do() {
    let mut random = Rng::with_seed(3);
    for counts in [[16, 17], [17, 257], [256, 255], [257, 300]] {
        let [ours, theirs] = counts.map(|count| all_kinds(&mut random, count));
        for (number, (a, b)) in ours.iter().flat_map(|a| theirs.iter().map(move |b| (a, b))).enumerate() {
            let [of_a, of_b] = [a, b].map(|all| stored(&parts(all).iter().collect::<Vec<_>>()));
            let [a, b] = [a, b].map(|all| stored(&[all]));
            let pairs = || (0..of_a.len() as u32).flat_map(|i| (0..of_b.len() as u32).map(move |j| (i, j)));
            let least = pairs().map(|(i, j)| distance(&of_a, i, &of_b, j)).fold(f64::INFINITY, f64::min);
            assert_eq!(distance(&a, 0, &b, 0), least, "{counts:?} {number}");
            assert_eq!(Predicate::Intersects.holds(&a, 0, &b, 0), Ok(least == 0.0));
            let shared: f64 = pairs().map(|(i, j)| in_common(&of_a, i, &of_b, j).unwrap()).sum();
            let found = in_common(&a, 0, &b, 0).unwrap();
            // Lines may run along several others, but lie in islands once.
            if number % 7 == 0 || number < 7 {
                assert!((found - shared).abs() <= 1e-9 * shared.max(1.0), "{counts:?} {number}: {found}, but {shared}");
            }
        }
    }
}

#[test]
fn a_street_with_many_others_along_it_is_compared_with_few_of_them_whichever_way_it_runs() {
    let street = |is_upright: bool, points: [[f64; 2]; 2]| {
        line(&points.map(|[x, y]| if is_upright { [y, x] } else { [x, y] }), [0.0; 2])
    };
    for is_upright in [false, true] {
        // Half of them end there, half of them cross it: with all pairs of these, this would take minutes.
        let sides = (0..100_000).map(f64::from).map(|x| street(is_upright, [[x, x % 2.0 - 1.0], [x, 1.0]]));
        let along = street(is_upright, [[-1.0, 0.0], [1e6, 0.0]]);
        let all = stored(&[&along.into(), &MultiLineString::from_iter(sides).into()]);
        assert_eq!(relate(&all, 0, &all, 1).map(|matrix| matrix.to_string()), Ok("001FF0102".into()));
    }
}
