//! Chains of thousands of edges, whose runs have boxes on several levels, beside all edges one by one.

use std::f64::consts::TAU;

use geo::{Coord, Geometry, Intersects, LineString, Polygon};
use proptest::prelude::*;
use quadrille_shapes::{Geometries, Part, Predicate, distance, join};

use crate::made::push;

/// A star with teeth around a point, snapped to whole numbers.
fn star(middle: [i32; 2], teeth: &[i32]) -> Polygon<f64> {
    let coords = teeth.iter().enumerate().map(|(number, radius)| {
        let (sin, cos) = (number as f64 / teeth.len() as f64 * TAU).sin_cos();
        let at = |middle: i32, course: f64| f64::from(middle) + (f64::from(*radius) * course).round();
        Coord { x: at(middle[0], cos), y: at(middle[1], sin) }
    });
    Polygon::new(LineString::from_iter(coords), Vec::new())
}

fn stars() -> impl Strategy<Value = Polygon<f64>> {
    let middle = prop::array::uniform2(-9000..9000_i32);
    (middle, prop::collection::vec(3000..5000_i32, 3..700)).prop_map(|(middle, teeth)| star(middle, &teeth))
}

/// Whether a point is in a polygon, by all edges.
fn has(polygon: &Polygon<f64>, [x, y]: [f64; 2]) -> bool {
    let whole = |number: f64| number as i64;
    let mut is_odd = false;
    for edge in polygon.exterior().lines() {
        let ([ax, ay], [bx, by]) = ([edge.start.x, edge.start.y].map(whole), [edge.end.x, edge.end.y].map(whole));
        let (x, y) = (whole(x), whole(y));
        let side = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        let is_between = ax.min(bx) <= x && x <= ax.max(bx) && ay.min(by) <= y && y <= ay.max(by);
        if side == 0 && is_between {
            return true;
        }
        is_odd ^= (ay > y) != (by > y) && (side > 0) == (by > y);
    }
    is_odd
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn points_in_large_polygons_are_found(polygon in stars(), offsets in prop::collection::vec(prop::array::uniform2(-6000..6000_i32), 100)) {
        let mut zones = Geometries::new();
        prop_assert_eq!(push(&mut zones, &polygon.clone().into()), Ok(true));
        let bounds = zones.bounds(0);
        let beside = offsets.iter().map(|[x, y]| [(bounds.center()[0]).round() + f64::from(*x), bounds.center()[1].round() + f64::from(*y)]);
        // Corners, and what is level with them.
        let corners = polygon.exterior().coords().map(|coord| [coord.x, coord.y]);
        let level = polygon.exterior().coords().zip(&offsets).map(|(coord, [x, _])| [coord.x + f64::from(*x), coord.y]);
        let mut points = Geometries::new();
        for (number, point) in (0..).zip(beside.chain(corners).chain(level)) {
            prop_assert_eq!(push(&mut points, &Geometry::Point(point.into())), Ok(true));
            let holds = Predicate::Intersects.holds(&zones, 0, &points, number);
            prop_assert_eq!(holds, Ok(has(&polygon, point)), "{:?}", point);
        }
        // Many at once are decided otherwise; so few that it would not pay are not.
        for &predicate in Predicate::ALL {
            for [a, b] in [[&zones, &points], [&points, &zones]] {
                let pairs = (0..a.len() as u32).flat_map(|i| (0..b.len() as u32).map(move |j| (i, j)));
                let expected: Vec<_> = pairs.filter(|(i, j)| predicate.holds(a, *i, b, *j) == Ok(true)).collect();
                let mut found = join(a, b, predicate).unwrap();
                found.sort_unstable();
                prop_assert_eq!(found, expected, "{}", predicate);
            }
        }
    }

    #[test]
    fn large_polygons_and_lines_meet_where_they_do(a in stars(), b in stars()) {
        let mut all = Geometries::new();
        let edges: [Geometry<f64>; 2] = [a.exterior().clone().into(), b.exterior().clone().into()];
        for one in [&a.clone().into(), &b.clone().into(), &edges[0], &edges[1]] {
            prop_assert_eq!(push(&mut all, one), Ok(true));
        }
        let do_edges_meet = a.exterior().lines().any(|one| b.exterior().lines().any(|other| one.intersects(&other)));
        let of = |polygon: &Polygon<f64>| { let first = polygon.exterior().0[0]; [first.x, first.y] };
        let do_meet = do_edges_meet || has(&a, of(&b)) || has(&b, of(&a));
        prop_assert_eq!(Predicate::Intersects.holds(&all, 2, &all, 3), Ok(do_edges_meet));
        prop_assert_eq!(Predicate::Intersects.holds(&all, 0, &all, 1), Ok(do_meet));
        let least = a.exterior().lines().flat_map(|one| b.exterior().lines().map(move |other| {
            use geo::{Distance, Euclidean};
            Euclidean.distance(&one, &other)
        }));
        let least = least.fold(f64::INFINITY, f64::min);
        prop_assert!((distance(&all, 2, &all, 3) - least).abs() <= 1e-9 * least);
    }
}

#[test]
fn many_points_in_polygons_that_overlap_are_found_as_one_is() {
    let mut zones = Geometries::new();
    for [x, y] in [[0.0, 0.0], [1.0, 1.0]] {
        zones.part(Part::Shell);
        let ring = [[0.0, 0.0], [4.0, 0.0], [5.0, 4.0], [0.0, 4.0], [0.0, 0.0]];
        ring.into_iter().for_each(|point| zones.vertex(x + point[0], y + point[1]));
    }
    assert_eq!(zones.finish(), Ok(true));
    let mut points = Geometries::new();
    for number in 0..49 {
        assert_eq!(
            push(&mut points, &Geometry::Point((f64::from(number % 7), f64::from(number / 7)).into())),
            Ok(true)
        );
    }
    for predicate in [Predicate::Contains, Predicate::Covers, Predicate::Intersects, Predicate::Touches] {
        let expected: Vec<_> = (0..49).filter(|j| predicate.holds(&zones, 0, &points, *j) == Ok(true)).collect();
        let mut found: Vec<_> = join(&zones, &points, predicate).unwrap().into_iter().map(|(_, j)| j).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{predicate}");
    }
}

/// Teeth that go up and down all the way: each point is level with all edges.
#[test]
fn many_points_in_a_comb_are_found_as_one_is() {
    let mut comb = Geometries::new();
    comb.part(Part::Shell);
    (0..1200).for_each(|number| comb.vertex(f64::from(number), if number % 2 == 0 { 0.0 } else { 100.0 }));
    [[1200.0, -1.0], [0.0, -1.0], [0.0, 0.0]].iter().for_each(|[x, y]| comb.vertex(*x, *y));
    assert_eq!(comb.finish(), Ok(true));
    let mut points = Geometries::new();
    for number in 0..500 {
        let point = (f64::from(number * 7 % 1200), f64::from(number % 102 - 1));
        assert_eq!(push(&mut points, &Geometry::Point(point.into())), Ok(true));
    }
    for predicate in [Predicate::Contains, Predicate::Covers, Predicate::Touches] {
        let expected: Vec<_> = (0..500).filter(|j| predicate.holds(&comb, 0, &points, *j) == Ok(true)).collect();
        let mut found: Vec<_> = join(&comb, &points, predicate).unwrap().into_iter().map(|(_, j)| j).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{predicate}");
        assert!(!found.is_empty(), "{predicate}");
    }
    // Long edges that all lie along each other.
    assert_eq!(Predicate::Equals.holds(&comb, 0, &comb, 0), Ok(true));
}
