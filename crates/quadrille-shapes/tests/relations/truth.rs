//! The matrix by plain arithmetic: fractions of whole numbers, all edges with all edges, samples of everything.
//!
//! Edges are cut wherever they meet others. Samples are the points where they are cut, the middle of each piece, and a
//! point beside it on either side, nearer than anything else can be. Where each sample is, is asked of all edges.

use geo::{Coord, Geometry, LineString};

/// A point: two numerators, one denominator that is positive.
#[derive(Clone, Copy, Debug)]
struct Fraction {
    x: i128,
    y: i128,
    d: i128,
}

type Whole = (i128, i128);

/// A geometry, taken apart.
#[derive(Default)]
struct Parts {
    points: Vec<Whole>,
    lines: Vec<Vec<Whole>>,
    /// Polygons of rings.
    polygons: Vec<Vec<Vec<Whole>>>,
}

const INTERIOR: usize = 0;
const BOUNDARY: usize = 1;
const EXTERIOR: usize = 2;

pub(crate) fn matrix(a: &Geometry<f64>, b: &Geometry<f64>) -> String {
    let [a, b] = [a, b].map(parts);
    let edges: Vec<_> = [&a, &b].into_iter().flat_map(Parts::edges).collect();
    let mut nodes: Vec<Fraction> = edges.iter().flat_map(|(from, to)| [whole(*from), whole(*to)]).collect();
    nodes.extend(a.points.iter().chain(&b.points).map(|point| whole(*point)));
    for (number, one) in edges.iter().enumerate() {
        nodes.extend(edges[..number].iter().filter_map(|other| crossing(*one, *other)));
    }
    let mut cells = [[-1; 3]; 3];
    cells[EXTERIOR][EXTERIOR] = 2;
    let mut note = |point: Fraction, dimension: i32| {
        let cell = &mut cells[a.locate(point)][b.locate(point)];
        *cell = dimension.max(*cell);
    };
    nodes.iter().for_each(|node| note(*node, 0));
    for (from, to) in edges {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let along = |point: &Fraction| ((point.x - from.0 * point.d) * dx + (point.y - from.1 * point.d) * dy, point.d);
        let mut cuts: Vec<&Fraction> = nodes.iter().filter(|node| is_on(**node, (from, to))).collect();
        let order = |a: &&Fraction, b: &&Fraction| {
            let ((a, d), (b, e)) = (along(a), along(b));
            (a * e).cmp(&(b * d))
        };
        cuts.sort_by(order);
        cuts.dedup_by(|a, b| order(&&**a, &&**b).is_eq());
        for piece in cuts.windows(2) {
            let (a, b) = (piece[0], piece[1]);
            let middle = Fraction { x: a.x * b.d + b.x * a.d, y: a.y * b.d + b.y * a.d, d: 2 * a.d * b.d };
            note(middle, 1);
            // A thousand millionth beside it.
            const FINE: i128 = 1_000_000_000;
            for (x, y) in [(-dy, dx), (dy, -dx)] {
                let beside = Fraction {
                    x: middle.x * FINE + x * middle.d,
                    y: middle.y * FINE + y * middle.d,
                    d: middle.d * FINE,
                };
                note(beside, 2);
            }
        }
    }
    cells.iter().flatten().map(|cell| if *cell < 0 { 'F' } else { char::from(b'0' + *cell as u8) }).collect()
}

impl Parts {
    fn edges(&self) -> impl Iterator<Item = (Whole, Whole)> {
        self.lines.iter().chain(self.polygons.iter().flatten()).flat_map(|line| edges(line))
    }

    fn locate(&self, point: Fraction) -> usize {
        if !self.polygons.is_empty() {
            let rings = || self.polygons.iter().flatten();
            if rings().flat_map(|ring| edges(ring)).any(|edge| is_on(point, edge)) {
                return BOUNDARY;
            }
            let crossed = rings().flat_map(|ring| edges(ring)).filter(|edge| is_crossed(point, *edge)).count();
            return if crossed % 2 == 1 { INTERIOR } else { EXTERIOR };
        }
        let is_at = |other: &Whole| other.0 * point.d == point.x && other.1 * point.d == point.y;
        let is_met = self.points.iter().any(is_at)
            || self.lines.iter().flat_map(|line| edges(line)).any(|edge| is_on(point, edge));
        let ends =
            self.lines.iter().flat_map(|line| line.first().into_iter().chain(line.last())).filter(|end| is_at(end));
        match (is_met, ends.count() % 2) {
            (false, _) => EXTERIOR,
            (true, 0) => INTERIOR,
            (true, _) => BOUNDARY,
        }
    }
}

fn edges(line: &[Whole]) -> impl Iterator<Item = (Whole, Whole)> {
    line.windows(2).map(|edge| (edge[0], edge[1])).filter(|(from, to)| from != to)
}

fn whole((x, y): Whole) -> Fraction {
    Fraction { x, y, d: 1 }
}

/// Positive if the point is to the left.
fn side(point: Fraction, (from, to): (Whole, Whole)) -> i128 {
    (to.0 - from.0) * (point.y - from.1 * point.d) - (to.1 - from.1) * (point.x - from.0 * point.d)
}

fn is_on(point: Fraction, (from, to): (Whole, Whole)) -> bool {
    let is_between = |value, a: i128, b: i128| a.min(b) * point.d <= value && value <= a.max(b) * point.d;
    side(point, (from, to)) == 0 && is_between(point.x, from.0, to.0) && is_between(point.y, from.1, to.1)
}

/// Whether a ray to the right crosses an edge.
fn is_crossed(point: Fraction, (from, to): (Whole, Whole)) -> bool {
    let is_above = |(_, y): Whole| y * point.d > point.y;
    is_above(from) != is_above(to) && (side(point, (from, to)) > 0) == is_above(to)
}

/// Where two edges meet that are not parallel.
fn crossing(one: (Whole, Whole), other: (Whole, Whole)) -> Option<Fraction> {
    let ((p, q), (r, s)) = (one, other);
    let cross = |a: Whole, b: Whole| a.0 * b.1 - a.1 * b.0;
    let minus = |a: Whole, b: Whole| (a.0 - b.0, a.1 - b.1);
    let d = cross(minus(q, p), minus(s, r));
    let t = cross(minus(r, p), minus(s, r));
    let sign = d.signum();
    let point = Fraction { x: sign * (p.0 * d + t * (q.0 - p.0)), y: sign * (p.1 * d + t * (q.1 - p.1)), d: d.abs() };
    (d != 0 && is_on(point, one) && is_on(point, other)).then_some(point)
}

fn parts(geometry: &Geometry<f64>) -> Parts {
    let whole = |coord: &Coord<f64>| (coord.x as i128, coord.y as i128);
    let line = |line: &LineString<f64>| line.0.iter().map(whole).collect::<Vec<_>>();
    let mut parts = Parts::default();
    match geometry {
        Geometry::Point(point) => parts.points.push(whole(&point.0)),
        Geometry::MultiPoint(points) => parts.points.extend(points.iter().map(|point| whole(&point.0))),
        Geometry::LineString(one) => parts.lines.push(line(one)),
        Geometry::MultiLineString(lines) => {
            let (lines, specks): (Vec<_>, Vec<_>) =
                lines.iter().map(line).partition(|line| edges(line).next().is_some());
            parts.lines = lines;
            // A line of no length is a point.
            parts.points = specks.into_iter().map(|speck| speck[0]).collect();
        }
        Geometry::Polygon(one) => {
            parts.polygons.push([one.exterior()].into_iter().chain(one.interiors()).map(line).collect());
        }
        Geometry::MultiPolygon(all) => {
            let rings = all.iter().map(|one| [one.exterior()].into_iter().chain(one.interiors()).map(line).collect());
            parts.polygons.extend(rings);
        }
        other => unreachable!("{other:?} is not made"),
    }
    parts
}
