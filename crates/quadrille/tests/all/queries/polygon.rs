//! Convex polygons and wedges, against the half-planes of the exact common part.

use proptest::prelude::*;
use quadrille::structures::Quadtree;
use quadrille::{Aabb, ConvexPolygon, Index, PolygonError, Scalar};

use super::scene::{agree, scenes};
use crate::oracle::{Frame, Point, Rect, for_all, points};

fn cross(a: Point, b: Point, c: Point) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Andrew's monotone chain; all corners, counter-clockwise, none on a straight edge.
fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_unstable();
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for point in points {
            while chain.len() >= 2 && cross(chain[chain.len() - 2], chain[chain.len() - 1], point) <= 0 {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut points.iter().copied());
    lower.extend(half(&mut points.iter().rev().copied()));
    lower
}

/// Do two segments share a point?
fn segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool {
    let on = |a: Point, b: Point, p: Point| {
        cross(a, b, p) == 0 && (0..2).all(|k| p[k] >= a[k].min(b[k]) && p[k] <= a[k].max(b[k]))
    };
    let side = |a, b, p| cross(a, b, p).signum();
    (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0)
        || on(a, b, c)
        || on(a, b, d)
        || on(c, d, a)
        || on(c, d, b)
}

/// They overlap if edges meet, or one holds a corner of the other: no separating axes here.
fn overlap(polygon: &[Point], [min, max]: Rect) -> bool {
    let corners = [min, [max[0], min[1]], max, [min[0], max[1]]];
    let edges = |corners: &[Point]| -> Vec<(Point, Point)> {
        (0..corners.len()).map(|k| (corners[k], corners[(k + 1) % corners.len()])).collect()
    };
    let in_box = |p: Point| (0..2).all(|k| min[k] <= p[k] && p[k] <= max[k]);
    let in_polygon = |p: Point| polygon.len() >= 3 && edges(polygon).iter().all(|&(a, b)| cross(a, b, p) >= 0);
    polygon.iter().copied().any(in_box)
        || corners.into_iter().any(in_polygon)
        || edges(polygon).iter().any(|&(a, b)| edges(&corners).iter().any(|&(c, d)| segments_meet(a, b, c, d)))
}

fn polygons_find_what_they_overlap<S: Scalar>() {
    for_all((scenes(), prop::collection::vec(points(), 1..9), any::<bool>()), |(scene, corners, is_reversed)| {
        let corners = hull(corners);
        let mut given: Vec<[S; 2]> = corners.iter().map(|&corner| scene.frame.point(corner)).collect();
        if is_reversed {
            given.reverse();
        }
        let polygon = ConvexPolygon::new(&given).expect("the hull is convex");
        agree(&scene, &polygon, |_, rect| overlap(&corners, rect));
    });
}

fn wedges_see_what_they_overlap<S: Scalar>() {
    for_all((scenes(), points(), points(), 0_i64..4), |(scene, apex, axis, spread)| {
        let far =
            [-spread, spread].map(|side| [apex[0] + axis[0] - side * axis[1], apex[1] + axis[1] + side * axis[0]]);
        // At the third scale this would leave the range of `i32`.
        if far.iter().flatten().all(|part| part.abs() < 64) {
            let wedge = ConvexPolygon::<S>::wedge(scene.frame.point(apex), scene.frame.vector(axis), spread as f64)
                .expect("it has an area");
            let corners = hull(vec![apex, far[0], far[1]]);
            agree(&scene, &wedge, |_, rect| overlap(&corners, rect));
        }
    });
}

fn what_is_no_convex_polygon_is_refused<S: Scalar>() {
    let frame = Frame::ALL[0];
    let polygon = |corners: &[Point]| {
        let corners: Vec<[S; 2]> = corners.iter().map(|&corner| frame.point(corner)).collect();
        ConvexPolygon::new(&corners).map(|polygon| polygon.corners().len())
    };
    assert_eq!(polygon(&[]), Err(PolygonError::Corners(0)));
    assert_eq!(polygon(&[[0, 0]; 17]), Err(PolygonError::Corners(17)));
    assert_eq!(polygon(&[[0, 0]; 16]), Ok(16), "a point, sixteen times");
    assert_eq!(polygon(&[[0, 0], [4, 0], [1, 1], [0, 4]]), Err(PolygonError::NotConvex), "dented");
    assert_eq!(polygon(&[[0, 0], [4, 4], [4, 0], [0, 4]]), Err(PolygonError::NotConvex), "a bow tie");
    let star = [[0, 10], [6, -8], [-10, 3], [10, 3], [-6, -8]];
    assert_eq!(polygon(&star), Err(PolygonError::NotConvex), "turns one way, but goes round twice");
    assert_eq!(polygon(&[[0, 0], [2, 0], [4, 0], [4, 4]]), Ok(4), "straight angles are convex");
    for spread in [-1.0, f64::NAN, f64::INFINITY] {
        let [zero, one] = [0.0, 1.0].map(S::from_f64);
        assert_eq!(ConvexPolygon::wedge([zero; 2], [one; 2], spread), Err(PolygonError::Spread));
    }
    let [zero, end] = [S::ZERO, S::HIGHEST.finite()];
    assert_eq!(ConvexPolygon::wedge([zero; 2], [end; 2], 1.0), Err(PolygonError::NotFinite(1)), "beyond the range");
    assert_eq!(ConvexPolygon::wedge([end; 2], [zero, end], 0.0), Err(PolygonError::NotFinite(1)), "beyond the range");
    if !S::HIGHEST.is_finite() {
        for bad in [S::from_f64(f64::NAN), S::HIGHEST] {
            let corners = [[S::ZERO; 2], [S::ZERO, bad]];
            assert_eq!(ConvexPolygon::new(&corners), Err(PolygonError::NotFinite(1)));
            assert_eq!(ConvexPolygon::wedge([S::ZERO; 2], corners[1], 1.0), Err(PolygonError::NotFinite(1)));
        }
    }
}

/// Edges that no number type expresses exactly: what brute force accepts, trees find.
fn rounding_loses_nothing<S: Scalar>() {
    let (mut seed, mut boxes) = (1_u32, Vec::new());
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(seed >> 8) / 1e5
    };
    for _ in 0..3_000 {
        let corner = [random(), random()];
        let aabb = Aabb::new(corner.map(S::from_f64), corner.map(|part| S::from_f64(part + 0.3)));
        boxes.push(aabb);
    }
    let index = Index::<Quadtree<S>>::from_boxes(&boxes).expect("valid boxes");
    for _ in 0..300 {
        // The apex and the axis put edges right through corners of boxes.
        let (apex, through) = (boxes[(random() * 10.0) as usize].max, boxes[(random() * 10.0) as usize].min);
        let axis = [0, 1].map(|k| through[k].minus(apex[k]));
        let wedge = ConvexPolygon::wedge(apex, axis, random() / 500.0).expect("finite");
        let expected = (0..).zip(&boxes).filter(|(_, aabb)| wedge.intersects(aabb)).map(|(id, _)| id);
        let mut found: Vec<u32> = index.query(&wedge).collect();
        found.sort_unstable();
        assert!(found.iter().copied().eq(expected), "{wedge:?}");
    }
}

for_a_scalar! {
    polygons_find_what_they_overlap,
    wedges_see_what_they_overlap,
    what_is_no_convex_polygon_is_refused,
    rounding_loses_nothing,
}
