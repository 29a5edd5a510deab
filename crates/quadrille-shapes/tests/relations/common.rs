//! What two have in common, beside the overlays of the crate `geo`, and where nothing may be rounded.

use geo::line_intersection::{LineIntersection, line_intersection};
use geo::{Area, BooleanOps, Coord, Distance, Euclidean, Geometry, Length, Line, MultiLineString, MultiPolygon, Point};
use proptest::prelude::*;
use quadrille_shapes::{Fault, Geometries, Part, Predicate, in_common};

use crate::made::{meets_itself, pair};
use crate::stored;

fn polygons(one: &Geometry<f64>) -> Option<MultiPolygon<f64>> {
    match one {
        Geometry::Polygon(one) => Some(one.clone().into()),
        Geometry::MultiPolygon(all) => Some(all.clone()),
        _ => None,
    }
}

fn lines(one: &Geometry<f64>) -> Option<MultiLineString<f64>> {
    match one {
        Geometry::LineString(one) => Some(one.clone().into()),
        Geometry::MultiLineString(all) => Some(all.clone()),
        _ => None,
    }
}

/// The length of what lines have in common that do not go over themselves.
fn along(a: &MultiLineString<f64>, b: &MultiLineString<f64>) -> f64 {
    let edges =
        |all: &MultiLineString<f64>| all.iter().flat_map(|line| line.lines().collect::<Vec<_>>()).collect::<Vec<_>>();
    let (a, b) = (edges(a), edges(b));
    let pairs = a.iter().flat_map(|one| b.iter().map(move |other| line_intersection(*one, *other)));
    pairs
        .map(|how| {
            if let Some(LineIntersection::Collinear { intersection }) = how {
                Euclidean.length(&intersection)
            } else {
                0.0
            }
        })
        .sum()
}

/// The length of an edge in polygons: it is cut wherever it meets theirs, and the middle of each piece decides.
fn inside(edge: Line<f64>, area: &MultiPolygon<f64>) -> f64 {
    let rings = area.iter().flat_map(|one| one.interiors().iter().chain([one.exterior()]));
    let meetings = rings.flat_map(|ring| ring.lines().filter_map(move |other| line_intersection(edge, other)));
    let ends = meetings.flat_map(|how| match how {
        LineIntersection::SinglePoint { intersection, .. } => [intersection; 2],
        LineIntersection::Collinear { intersection } => [intersection.start, intersection.end],
    });
    let along = |at: &Coord<f64>| (at.x - edge.start.x).hypot(at.y - edge.start.y);
    let mut cuts: Vec<_> = ends.chain([edge.start, edge.end]).collect();
    cuts.sort_by(|a, b| along(a).total_cmp(&along(b)));
    let pieces = cuts.windows(2).map(|ends| Line::new(ends[0], ends[1]));
    let is_inside = |piece: &Line<f64>| Euclidean.distance(&Point((piece.start + piece.end) / 2.0), area) < 1e-9;
    pieces.filter(is_inside).map(|piece| Euclidean.length(&piece)).sum()
}

fn expected(a: &Geometry<f64>, b: &Geometry<f64>) -> f64 {
    match (polygons(a), polygons(b), lines(a), lines(b)) {
        (Some(a), Some(b), ..) => a.intersection(&b).unsigned_area(),
        (Some(area), _, _, Some(line)) | (_, Some(area), Some(line), _) => {
            line.iter().flat_map(|one| one.lines().collect::<Vec<_>>()).map(|edge| inside(edge, &area)).sum()
        }
        (_, _, Some(a), Some(b)) => along(&a, &b),
        _ => 0.0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 20_000, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn what_is_in_common_is_that_of_another_implementation((a, b) in pair()) {
        prop_assume!(!meets_itself(&a) && !meets_itself(&b));
        let all = stored(&[&a, &b]);
        let found = in_common(&all, 0, &all, 1).unwrap();
        // That one rounds coordinates to 32 bits.
        prop_assert!((found - expected(&a, &b)).abs() <= 1e-6, "{} instead of {}", found, expected(&a, &b));
        prop_assert!((found - in_common(&all, 1, &all, 0).unwrap()).abs() <= 1e-12);
        if Predicate::Touches.holds(&all, 0, &all, 1) == Ok(true) && polygons(&a).is_some() && polygons(&b).is_some() {
            prop_assert_eq!(found, 0.0);
        }
    }
}

fn part(all: &mut Geometries, part: Part, points: impl IntoIterator<Item = [f64; 2]>) {
    all.part(part);
    points.into_iter().for_each(|[x, y]| all.vertex(x, y));
}

fn ring(count: usize, [x, y]: [f64; 2], radius: impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
    let at = |number: usize| {
        let angle = (number % count) as f64 / count as f64 * std::f64::consts::TAU;
        [x + radius(angle) * angle.cos(), y + radius(angle) * angle.sin()]
    };
    (0..=count).map(at).collect()
}

fn area(ring: &[[f64; 2]]) -> f64 {
    let [x0, y0] = ring[0];
    ring.windows(2).map(|e| (e[0][0] - x0) * (e[1][1] - y0) - (e[1][0] - x0) * (e[0][1] - y0)).sum::<f64>() / 2.0
}

#[test]
fn large_shapes_far_from_the_origin_have_all_their_area_in_common_with_themselves() {
    // A coast with bays, ten thousand edges, in meters; the same, moved; the sea around it.
    let at = [4e6, 5e6];
    let coast = ring(10_000, at, |angle| 1e5 * (1.0 + 0.3 * (57.0 * angle).sin() * (401.0 * angle).cos()));
    let whole = area(&coast);
    let sea = |by: f64| {
        [[-1e6, -1e6], [1e6, -1e6], [1e6, 1e6], [-1e6, 1e6], [-1e6, -1e6]].map(|[x, y]| [at[0] + x + by, at[1] + y])
    };
    let mut all = Geometries::new();
    part(&mut all, Part::Shell, coast.iter().copied());
    assert_eq!(all.finish(), Ok(true));
    part(&mut all, Part::Shell, sea(0.0));
    part(&mut all, Part::Hole, coast.iter().copied());
    assert_eq!(all.finish(), Ok(true));
    part(&mut all, Part::Shell, sea(1e6));
    assert_eq!(all.finish(), Ok(true));
    part(&mut all, Part::Line, coast.iter().copied());
    assert_eq!(all.finish(), Ok(true));
    let common = |i, j| in_common(&all, i, &all, j).unwrap();
    assert!((common(0, 0) / whole - 1.0).abs() < 1e-12, "{} {whole}", common(0, 0));
    assert_eq!(common(0, 1), 0.0);
    assert!((common(1, 1) / (4e12 - whole) - 1.0).abs() < 1e-12);
    // Halves make a whole.
    assert!(((common(0, 2) + common(1, 2)) / 2e12 - 1.0).abs() < 1e-12);
    let length: f64 = coast.windows(2).map(|e| (e[1][0] - e[0][0]).hypot(e[1][1] - e[0][1])).sum();
    for other in [0, 1, 3] {
        assert!((common(3, other) / length - 1.0).abs() < 1e-12, "{other}");
    }
}

#[test]
fn points_and_collections_have_nothing_to_measure() {
    let mut all = Geometries::new();
    part(&mut all, Part::Point, [[0.0, 0.0]]);
    assert_eq!(all.finish(), Ok(true));
    part(&mut all, Part::Line, [[-1.0, 0.0], [1.0, 0.0], [-1.0, 0.0]]);
    assert_eq!(all.finish(), Ok(true));
    all.collection();
    part(&mut all, Part::Point, [[0.0, 0.0]]);
    part(&mut all, Part::Line, [[0.0, 0.0], [1.0, 0.0]]);
    assert_eq!(all.finish(), Ok(true));
    assert_eq!(in_common(&all, 0, &all, 1), Ok(0.0));
    assert_eq!(in_common(&all, 1, &all, 2), Err(Fault::Mixed(2)));
    // Both ways count, each once.
    assert_eq!(in_common(&all, 1, &all, 1), Ok(4.0));
}

#[test]
fn what_is_huge_or_tiny_has_as_much_in_common_as_what_is_not() {
    let square =
        |[x, y]: [f64; 2], [wide, high]: [f64; 2]| [[x, y], [x + wide, y], [x + wide, y + high], [x, y + high], [x, y]];
    // The second power of the first two, and of the last two, is no number.
    for [wide, high] in
        [[1e200, 1e200], [1e300, 1e-290], [1e-200, 1e200], [1e-170, 1e-130], [1e-320, 1e300], [1.0, 1.0]]
    {
        let mut all = Geometries::new();
        part(&mut all, Part::Shell, square([0.0, 0.0], [wide, high]));
        assert_eq!(all.finish(), Ok(true));
        part(&mut all, Part::Shell, square([wide / 2.0, high / 2.0], [wide, high]));
        assert_eq!(all.finish(), Ok(true));
        part(&mut all, Part::Shell, square([wide, 0.0], [wide, high]));
        assert_eq!(all.finish(), Ok(true));
        let common = |i, j| in_common(&all, i, &all, j).unwrap();
        let area = wide * high / 4.0;
        assert!(common(0, 1) == area || (common(0, 1) / area - 1.0).abs() < 1e-3, "{} {area}", common(0, 1));
        assert_eq!(common(0, 2), 0.0);
    }
    for size in [1e300, 1e200, 1.0, 1e-200, 1e-300] {
        let mut all = Geometries::new();
        part(&mut all, Part::Shell, square([0.0, 0.0], [size, size]));
        assert_eq!(all.finish(), Ok(true));
        part(&mut all, Part::Line, [[-size, -size], [size / 2.0, size / 2.0]]);
        assert_eq!(all.finish(), Ok(true));
        for (i, j, length) in [(0, 1, 0.5_f64.sqrt()), (1, 0, 0.5_f64.sqrt()), (1, 1, 4.5_f64.sqrt())] {
            let found = in_common(&all, i, &all, j).unwrap() / size;
            assert!((found / length - 1.0).abs() < 1e-12, "{size}: {found} {length}");
        }
    }
    // No product is a number, but there is an area.
    let mut all = Geometries::new();
    part(&mut all, Part::Shell, square([0.0, 0.0], [1e-200, 1e-200]));
    assert_eq!(all.finish(), Ok(true));
    assert_eq!(in_common(&all, 0, &all, 0), Ok(f64::from_bits(1)));
}

/// The only two geometries, each of one part.
fn two(kind: Part, a: &[[f64; 2]], b: &[[f64; 2]]) -> Geometries {
    let mut all = Geometries::new();
    for points in [a, b] {
        part(&mut all, kind, points.iter().copied());
        assert_eq!(all.finish(), Ok(true));
    }
    all
}

#[test]
fn a_tiny_length_along_a_line_is_not_lost() {
    let tiny = [[0.0, 0.0], [1e-170, 0.0]];
    let all = two(Part::Line, &tiny, &[[0.0, 0.0], [1.0, 0.0]]);
    assert_eq!([in_common(&all, 0, &all, 1), in_common(&all, 1, &all, 0)], [Ok(1e-170); 2]);
}

#[test]
fn what_rounding_would_make_zero_is_not() {
    let corner = [[0.0, 0.0], [0.4, 0.0], [0.0, 0.4], [0.0, 0.0]];
    let beyond = |y: f64| [[1.0, 1.0], [0.0, y], [0.4, 0.0], [1.0, 1.0]];
    let all = two(Part::Shell, &corner, &beyond(0.399_999_999_999_999_97));
    for (i, j) in [(0, 1), (1, 0)] {
        let area = in_common(&all, i, &all, j).unwrap();
        assert!(0.0 < area && area < 1e-16, "{area}");
    }
    // The same, so large that it is scaled.
    let large = |ring: [[f64; 2]; 4]| ring.map(|at| at.map(|number| number * 2_f64.powi(400)));
    let all = two(Part::Shell, &large(corner), &large(beyond(0.399_999_999_999_999_97)));
    assert!(in_common(&all, 0, &all, 1).unwrap() > 0.0);
    // Those that only share an edge have no area in common.
    let all = two(Part::Shell, &corner, &beyond(0.4));
    assert_eq!(in_common(&all, 0, &all, 1), Ok(0.0));
}
