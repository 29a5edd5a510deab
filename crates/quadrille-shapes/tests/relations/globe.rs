//! Shapes at the antimeridian and around poles, written in every way that files do, beside the same shapes elsewhere.

use fastrand::Rng;
use quadrille_shapes::globe::{Edges, Globe, Set, narrow_boxes};
use quadrille_shapes::{Geometries, Part};

type Point = [f64; 2];

/// A star around a point, with a corner wherever it crosses the longitude of 180.
fn star(random: &mut Rng, [x, y]: Point, wide: f64) -> Vec<Point> {
    let count = random.usize(3..30);
    let mut corner = |number: usize| {
        let angle = number as f64 / count as f64 * std::f64::consts::TAU;
        let far = wide * (0.4 + 0.6 * random.f64());
        [x + far * angle.cos(), y + far * angle.sin()]
    };
    let corners = (0..count).map(&mut corner).collect();
    cut(&closed(corners))
}

fn closed(mut corners: Vec<Point>) -> Vec<Point> {
    corners.push(corners[0]);
    corners
}

/// With a point wherever a line crosses a longitude of 180, or 180 and a multiple of 360.
fn cut(line: &[Point]) -> Vec<Point> {
    let mut points = vec![line[0]];
    for ends in line.windows(2) {
        let [from, to] = [ends[0], ends[1]];
        let border = ((from[0].max(to[0]) - 180.0) / 360.0).floor() * 360.0 + 180.0;
        if from[0].min(to[0]) < border && border < from[0].max(to[0]) {
            points.push([border, from[1] + (border - from[0]) / (to[0] - from[0]) * (to[1] - from[1])]);
        }
        points.push(to);
    }
    points
}

/// The half of a star around a point on the antimeridian, where it crosses that twice, with a third point there.
fn half(star: &[Point], is_in: impl Fn(f64) -> bool) -> Vec<Point> {
    let start = star.iter().position(|[x, _]| !is_in(*x)).unwrap_or(0);
    let around = star[start..].iter().chain(&star[1..start.max(1)]);
    let mut half: Vec<_> = around.copied().filter(|[x, _]| is_in(*x)).collect();
    let [first, last] = [half[0], half[half.len() - 1]];
    half.push([180.0, f64::midpoint(first[1], last[1])]);
    closed(half)
}

/// A ring around the north pole.
fn cap(random: &mut Rng) -> Vec<Point> {
    let (mut at, mut ring) = (random.f64() * 360.0 - 180.0, Vec::new());
    let end = at + 360.0;
    while at < end {
        ring.push([at, 50.0 + 20.0 * random.f64()]);
        at += 5.0 + 120.0 * random.f64();
    }
    ring.push([end, ring[0][1]]);
    cut(&ring)
}

/// Shapes at longitudes that go on beyond 180.
fn shape(random: &mut Rng) -> Vec<(Part, Vec<Point>)> {
    let (wide, middle) = (1.0 + 30.0 * random.f64(), [170.0 + 20.0 * random.f64(), 80.0 * random.f64() - 40.0]);
    let mut parts = match random.u32(..6) {
        0 => vec![(Part::Line, star(random, middle, wide))],
        // A side along the antimeridian.
        1 => vec![(Part::Shell, half(&star(random, [180.0, middle[1]], wide), |x| x <= 180.0))],
        2 => vec![(Part::Shell, half(&star(random, [180.0, middle[1]], wide), |x| x >= 180.0))],
        3 => vec![(Part::Shell, cap(random))],
        4 => vec![(Part::Shell, cap(random)), (Part::Hole, star(random, [middle[0], 80.0], 5.0))],
        _ => vec![(Part::Shell, star(random, middle, wide)), (Part::Hole, star(random, middle, wide * 0.3))],
    };
    // The other pole, and the other direction.
    if random.bool() {
        parts.iter_mut().flat_map(|part| &mut part.1).for_each(|point| point[1] = -point[1]);
    }
    if random.bool() {
        parts.iter_mut().for_each(|part| part.1.reverse());
    }
    parts
}

/// As a file may have it: each longitude moved by whole turns, some points on the antimeridian twice.
fn written(random: &mut Rng, points: &[Point], is_ring: bool) -> Vec<Point> {
    let mut all = Vec::new();
    for &[x, y] in points {
        let turned = (x + 180.0).rem_euclid(360.0) - 180.0;
        let others: Vec<_> = [-360.0, 0.0, 360.0].map(|turn| [turned + turn, y]).to_vec();
        let others: Vec<_> = others.into_iter().filter(|[x, _]| x.abs() <= 360.0).collect();
        let again = if turned == -180.0 { random.usize(1..3) } else { 1 };
        // Most are as they should be, but either of 180 and -180.
        let is_odd = random.u8(..8) == 0;
        let good: Vec<_> = others.iter().copied().filter(|[x, _]| x.abs() <= 180.0 || is_odd).collect();
        all.extend((0..again).map(|_| good[random.usize(..good.len())]));
    }
    if is_ring {
        all.pop();
        all.push(all[0]);
    }
    all
}

fn push(all: &mut Geometries, parts: &[(Part, Vec<Point>)]) {
    for (part, points) in parts {
        all.part(*part);
        points.iter().for_each(|[x, y]| all.vertex(*x, *y));
    }
    assert_eq!(all.finish(), Ok(true));
}

fn distances(parts: &[(Part, Vec<Point>)], points: &[Point], edges: Edges) -> Vec<f64> {
    let mut shapes = Geometries::new();
    push(&mut shapes, parts);
    let mut places = Geometries::new();
    points.iter().for_each(|point| push(&mut places, &[(Part::Point, vec![*point])]));
    let boxes = [&shapes, &places].map(narrow_boxes);
    let sets = [Set::of(&shapes, &boxes[0]), Set::of(&places, &boxes[1])];
    let globe = Globe::new(sets[0], Some(sets[1]), edges).expect("all is on the earth");
    (0..points.len() as u32).map(|place| globe.distance(0, place)).collect()
}

#[test]
fn shapes_at_the_antimeridian_are_what_they_are_elsewhere_however_they_are_written() {
    let mut random = Rng::with_seed(5);
    let [mut inside, mut outside] = [0; 2];
    for round in 0..120 {
        let edges = [Edges::Straight, Edges::Geodesic][round % 2];
        let shape = shape(&mut random);
        let middle = shape[0].1[0];
        let points: Vec<Point> = (0..12)
            .map(|_| {
                [middle[0] + 60.0 * (random.f64() - 0.5), (middle[1] + 60.0 * (random.f64() - 0.5)).clamp(-90.0, 90.0)]
            })
            .chain([[0.0, 90.0], [180.0, -90.0], [180.0, middle[1]]])
            .collect();
        // Away from it, no point is on it.
        let by = -100.0 - 50.0 * random.f64();
        let turned = |[x, y]: Point| [(x + by + 180.0).rem_euclid(360.0) - 180.0, y];
        let mut moved = shape.clone();
        for (part, points) in &mut moved {
            points.iter_mut().for_each(|point| *point = turned(*point));
            let last = points.len() - 1;
            points[last] = if *part == Part::Line { points[last] } else { points[0] };
        }
        let expected = distances(&moved, &points.iter().copied().map(turned).collect::<Vec<_>>(), edges);
        for _ in 0..3 {
            let as_in_files: Vec<_> =
                shape.iter().map(|(part, points)| (*part, written(&mut random, points, *part != Part::Line))).collect();
            let places: Vec<_> = points.iter().map(|[x, y]| [(x + 180.0).rem_euclid(360.0) - 180.0, *y]).collect();
            for ((found, expected), place) in distances(&as_in_files, &places, edges).iter().zip(&expected).zip(&places)
            {
                *(if *found == 0.0 { &mut inside } else { &mut outside }) += 1;
                assert!(
                    (found - expected).abs() < 2e-3,
                    "{edges:?} {as_in_files:?} {place:?}: {found}, but {expected}"
                );
            }
        }
    }
    assert!(inside > 1_000 && outside > 1_000, "{inside} {outside}");
}

/// How far places are from a polygon.
fn from_ring(ring: &[Point], places: &[Point]) -> Vec<f64> {
    distances(&[(Part::Shell, ring.to_vec())], places, Edges::Straight)
}

#[test]
fn a_ring_from_one_side_of_the_map_to_the_other_holds_the_pole() {
    let ring = [[-180.0, 60.0], [-90.0, 60.0], [0.0, 60.0], [90.0, 60.0], [180.0, 60.0], [-180.0, 60.0]];
    assert_eq!(from_ring(&ring, &[[0.0, 90.0], [45.0, 75.0], [-135.0, 75.0], [180.0, 61.0]]), [0.0; 4]);
    assert!(from_ring(&ring, &[[0.0, 59.0], [-180.0, 59.0], [100.0, -80.0]]).iter().all(|far| *far > 1e5));
}

#[test]
fn a_polygon_over_the_antimeridian_may_name_it_by_both_its_longitudes() {
    let east = [[-180.0, -20.0], [-178.0, -20.0], [-178.0, -15.0], [-180.0, -15.0]];
    let west = [[180.0, -15.0], [177.0, -15.0], [177.0, -20.0], [180.0, -20.0], [-180.0, -20.0]];
    let fiji = [&east[..], &west].concat();
    let places = [[179.0, -17.0], [-179.0, -17.0], [180.0, -17.0], [-180.0, -16.0]];
    assert_eq!(from_ring(&fiji, &places), [0.0; 4]);
    assert!(from_ring(&fiji, &[[0.0, -17.0], [176.0, -17.0], [-177.0, -17.0]]).iter().all(|far| *far > 1e5));
}

#[test]
fn the_sides_of_a_map_go_once_around() {
    let map =
        |south: f64, north: f64| [[-180.0, south], [180.0, south], [180.0, north], [-180.0, north], [-180.0, south]];
    let places = [[0.0, 0.0], [-180.0, 5.0], [179.0, -9.0]];
    assert_eq!(from_ring(&map(-90.0, 90.0), &places), [0.0; 3]);
    assert_eq!(from_ring(&map(-10.0, 10.0), &places), [0.0; 3]);
    assert!(from_ring(&map(-10.0, 10.0), &[[0.0, 11.0], [180.0, 89.0], [90.0, -20.0]]).iter().all(|far| *far > 1e5));
    // A coast that is cut at the edge of the map, and a side with more points.
    let coast = [
        [-180.0, -80.0],
        [-60.0, -70.0],
        [60.0, -70.0],
        [180.0, -80.0],
        [180.0, -85.0],
        [-180.0, -85.0],
        [-180.0, -80.0],
    ];
    assert_eq!(from_ring(&coast, &[[0.0, -80.0], [180.0, -84.0]]), [0.0; 2]);
    assert!(from_ring(&coast, &[[0.0, -89.0], [180.0, -79.0]]).iter().all(|far| *far > 1e5));
}

#[test]
fn an_edge_over_a_pole_goes_half_around_and_not_once_more() {
    // Beside an edge over the north pole, and between two to the south pole, on the side that is not inside.
    let over = [[0.0, 80.0], [180.0, 80.0], [90.0, 60.0], [0.0, 80.0]];
    let sector = [[0.0, -90.0], [180.0, -60.0], [160.0, -60.0], [0.0, -90.0]];
    for (ring, inside, outside, far) in
        [(over, [90.0, 75.0], [-90.0, 75.0], 1_675e3), (sector, [170.0, -70.0], [-90.0, -70.0], 2_233e3)]
    {
        // Mirrored, and in the other direction.
        for (sign, is_back) in [(1.0, false), (1.0, true), (-1.0, false), (-1.0, true)] {
            let mut ring = ring.map(|[x, y]| [sign * x, y]);
            if is_back {
                ring.reverse();
            }
            let places = [inside, outside].map(|[x, y]| [sign * x, y]);
            let found = distances(&[(Part::Shell, ring.to_vec())], &places, Edges::Geodesic);
            assert_eq!(found[0], 0.0, "{ring:?}");
            assert!((found[1] - far).abs() < 2e3, "{ring:?}: {}", found[1]);
        }
    }
}
