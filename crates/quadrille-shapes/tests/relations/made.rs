//! Random geometries that are valid, on a small grid.

use geo::line_intersection::{LineIntersection, line_intersection};
use geo::{Coord, Geometry, Line, LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon, Validation};
use proptest::collection::vec;
use proptest::prelude::*;
use quadrille_shapes::{Fault, Geometries, Part};

/// Even numbers, so that the middle of an edge is on the grid too.
const SIDE: i8 = 6;

fn coord() -> impl Strategy<Value = Coord<f64>> {
    (0..=SIDE, 0..=SIDE).prop_map(|(x, y)| Coord { x: 2.0 * f64::from(x), y: 2.0 * f64::from(y) })
}

fn line() -> impl Strategy<Value = LineString<f64>> {
    let is_line = |coords: &Vec<Coord<f64>>| coords.iter().any(|coord| *coord != coords[0]);
    let closed = |(mut coords, is_closed): (Vec<Coord<f64>>, bool)| {
        if is_closed {
            coords.push(coords[0]);
        }
        LineString(coords)
    };
    (vec(coord(), 2..6).prop_filter("of some length", is_line), prop::bool::weighted(0.2)).prop_map(closed)
}

/// A star, mostly: points around their middle.
fn ring() -> impl Strategy<Value = LineString<f64>> {
    vec(coord(), 3..8).prop_map(|mut coords| {
        let count = coords.len() as f64;
        let (x, y) = coords.iter().fold((0.0, 0.0), |(x, y), coord| (x + coord.x / count, y + coord.y / count));
        coords.sort_by(|a, b| (a.y - y).atan2(a.x - x).total_cmp(&(b.y - y).atan2(b.x - x)));
        coords.dedup();
        LineString::from_iter(coords.iter().copied().chain([coords[0]]))
    })
}

/// Whether a ring meets itself nowhere, and has an area.
fn is_simple(ring: &LineString<f64>) -> bool {
    let edges: Vec<_> = ring.lines().collect();
    let count = edges.len();
    let meet = |one: usize, other: usize| match line_intersection(edges[one], edges[other]) {
        None => false,
        Some(LineIntersection::SinglePoint { intersection, .. }) => {
            let is_next = |one: usize, other: usize| (one + 1) % count == other && edges[one].end == intersection;
            !is_next(one, other) && !is_next(other, one)
        }
        Some(LineIntersection::Collinear { .. }) => true,
    };
    count >= 3 && (0..count).all(|one| (0..one).all(|other| !meet(one, other)))
}

fn polygon() -> impl Strategy<Value = Polygon<f64>> {
    (ring(), vec(ring(), 0..4)).prop_filter_map("valid shells", |(shell, holes)| {
        let mut polygon = Polygon::new(shell, Vec::new());
        if !is_simple(polygon.exterior()) {
            return None;
        }
        for hole in holes {
            let with_hole = Polygon::new(polygon.exterior().clone(), [polygon.interiors(), &[hole]].concat());
            if with_hole.interiors().iter().all(is_simple) && with_hole.is_valid() {
                polygon = with_hole;
            }
        }
        Some(polygon)
    })
}

fn polygons() -> impl Strategy<Value = MultiPolygon<f64>> {
    vec(polygon(), 1..5).prop_map(|polygons| {
        let mut all = MultiPolygon(Vec::new());
        for polygon in polygons {
            let with_polygon = MultiPolygon([all.0.as_slice(), &[polygon]].concat());
            if with_polygon.is_valid() {
                all = with_polygon;
            }
        }
        all
    })
}

pub(crate) fn any_geometry() -> impl Strategy<Value = Geometry<f64>> {
    prop_oneof![
        1 => coord().prop_map(|coord| Point(coord).into()),
        1 => vec(coord(), 1..6).prop_map(|coords| MultiPoint::from_iter(coords).into()),
        2 => line().prop_map(Geometry::from),
        2 => vec(line(), 1..4).prop_map(|lines| MultiLineString(lines).into()),
        3 => polygon().prop_map(Geometry::from),
        2 => rectangle().prop_map(Geometry::from),
        2 => polygons().prop_map(Geometry::from),
    ]
}

/// A rectangle along the axes.
fn rectangle() -> impl Strategy<Value = Polygon<f64>> {
    (coord(), coord())
        .prop_filter_map("no area", |(a, b)| (a.x != b.x && a.y != b.y).then(|| geo::Rect::new(a, b).to_polygon()))
}

/// Two geometries; the second may be the first in other words, or a line along it.
pub(crate) fn pair() -> impl Strategy<Value = (Geometry<f64>, Geometry<f64>)> {
    prop_oneof![
        4 => (any_geometry(), any_geometry()),
        1 => any_geometry().prop_map(|one| { let other = in_other_words(&one); (one, other) }),
        1 => polygons().prop_map(|one| { let edges = edges_of(&one); (one.into(), edges) }),
        1 => polygons().prop_map(|one| { let edges = edges_of(&one); (edges, one.into()) }),
    ]
}

/// The same points: backwards, with the middles of all edges.
fn in_other_words(one: &Geometry<f64>) -> Geometry<f64> {
    let turned = |line: &LineString<f64>| {
        let edges = line.0.windows(2).flat_map(|edge| [edge[0], (edge[0] + edge[1]) / 2.0]);
        LineString(edges.chain(line.0.last().copied()).rev().collect())
    };
    let polygon =
        |one: &Polygon<f64>| Polygon::new(turned(one.exterior()), one.interiors().iter().map(turned).collect());
    match one {
        Geometry::LineString(line) => turned(line).into(),
        Geometry::MultiLineString(lines) => MultiLineString(lines.0.iter().rev().map(turned).collect()).into(),
        Geometry::Polygon(one) => polygon(one).into(),
        Geometry::MultiPolygon(all) => MultiPolygon(all.0.iter().rev().map(polygon).collect()).into(),
        other => other.clone(),
    }
}

/// All edges of polygons, or all but those of the first hole or shell.
fn edges_of(polygons: &MultiPolygon<f64>) -> Geometry<f64> {
    let rings = polygons.iter().flat_map(|one| one.interiors().iter().chain([one.exterior()]));
    MultiLineString::from_iter(rings.cloned()).into()
}

/// Whether an edge of lines is met by another one of them elsewhere than where both end, or goes back along it.
pub(crate) fn meets_itself(one: &Geometry<f64>) -> bool {
    let edges: Vec<_> = match one {
        Geometry::LineString(line) => line.lines().collect(),
        Geometry::MultiLineString(lines) => lines.iter().flat_map(LineString::lines).collect(),
        _ => return false,
    };
    let ends_at = |edge: Line<f64>, point| edge.start == point || edge.end == point;
    let meet = |a, b| match line_intersection(a, b) {
        Some(LineIntersection::SinglePoint { intersection, .. }) => {
            !ends_at(a, intersection) || !ends_at(b, intersection)
        }
        Some(LineIntersection::Collinear { intersection }) => intersection.start != intersection.end,
        None => false,
    };
    edges.iter().enumerate().any(|(number, a)| edges[..number].iter().any(|b| meet(*a, *b)))
}

/// Gives a geometry to the store.
pub(crate) fn push(all: &mut Geometries, geometry: &Geometry<f64>) -> Result<bool, Fault> {
    give(all, geometry);
    all.finish()
}

fn give(all: &mut Geometries, geometry: &Geometry<f64>) {
    let mut part = |part, coords: &[Coord<f64>]| {
        all.part(part);
        coords.iter().for_each(|coord| all.vertex(coord.x, coord.y));
    };
    match geometry {
        Geometry::Point(point) => part(Part::Point, &[point.0]),
        Geometry::MultiPoint(points) => points.iter().for_each(|point| part(Part::Point, &[point.0])),
        Geometry::LineString(line) => part(Part::Line, &line.0),
        Geometry::MultiLineString(lines) => lines.iter().for_each(|line| part(Part::Line, &line.0)),
        Geometry::Polygon(polygon) => give(all, &MultiPolygon(vec![polygon.clone()]).into()),
        Geometry::MultiPolygon(polygons) => {
            for polygon in polygons {
                part(Part::Shell, &polygon.exterior().0);
                polygon.interiors().iter().for_each(|hole| part(Part::Hole, &hole.0));
            }
        }
        Geometry::GeometryCollection(members) => {
            all.collection();
            members.iter().for_each(|member| give(all, member));
        }
        other => unreachable!("{other:?} is not made"),
    }
}
