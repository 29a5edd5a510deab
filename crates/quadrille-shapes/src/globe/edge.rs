//! Distances from points to edges on the ellipsoid, and between edges: geodesics, or straight in degrees.
//!
//! The distance to a **geodesic** is convex, or concave, as `measure.rs` tells, and found downhill. An edge that is
//! **straight in degrees** is nearly a geodesic if it is short. If not, it is halved: of a curve that is
//! passed in the time 1, both ends of which are those of a geodesic, no point is farther from that than an eighth of
//! its greatest acceleration. Half of it is taken for the ellipsoid's sake.
//!
//! **The end of an edge** is mostly the nearest point of it. Along a curve that is passed in the time 1, the distance f
//! grows at the beginning by f', which the angle between the curve and the geodesic that arrives tells. Later it grows
//! less by no more than the curve's acceleration along the earth, as long as distances are convex. So if f' is at least
//! half of that, no point is nearer than the beginning.

use std::cell::Cell;

use geographiclib_rs::{DirectGeodesic, InverseGeodesic};
use quadrille::Aabb;

use super::chord::{Spot, chord_to_edge, least_over, radii, spot, square};
use super::ellipsoid::{ERROR, LONGER, Point, SLACK};
use super::measure::{CONVEX, EARTH, MAX_LENGTH, Zone, to_geodesic};

/// What the edge between two points is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Edges {
    /// Straight in degrees of longitude and latitude, as GeoJSON has them, and GeoParquet by default.
    #[default]
    Straight,
    /// Geodesics: the shortest ways on the earth.
    Geodesic,
}

quadrille::names!(Edges, UnknownEdges, "edges":
    Straight "straight",
    Geodesic "geodesic",
);

/// Adds the points of an edge but its first, which are no farther apart than [`MAX_LENGTH`]. Longitudes go on beyond 180.
pub(super) fn divide(edges: Edges, [from, to]: [Point; 2], points: &mut Vec<Point>) {
    let [length, azimuth] = course(from, to);
    let straight = (to[0] - from[0]).abs().hypot(to[1] - from[1]).to_radians() * LONGER;
    let whole = if edges == Edges::Geodesic { length } else { straight };
    let count = (whole / MAX_LENGTH).ceil();
    let mut part = 1.0;
    while part < count {
        let share = part / count;
        let at = match edges {
            Edges::Straight => [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis])),
            Edges::Geodesic => {
                let (latitude, longitude): (f64, f64) = EARTH.direct(from[1], from[0], azimuth, length * share);
                let before = points.last().map_or(from[0], |last| last[0]);
                [before + turn_along(to[0] - from[0], longitude - before), latitude]
            }
        };
        points.push(at);
        part += 1.0;
    }
    points.push(to);
}

/// A difference of longitudes, taken the short way around.
fn shorter_turn(degrees: f64) -> f64 {
    degrees - (degrees / 360.0).round() * 360.0
}

/// A difference of longitudes on the way along a geodesic that goes this many degrees eastward. Over a pole, it is half
/// a turn, which is as short either way around.
fn turn_along(step: f64, degrees: f64) -> f64 {
    let turn = shorter_turn(degrees);
    if turn.abs() > 90.0 && turn * step < 0.0 { turn + 360_f64.copysign(step) } else { turn }
}

/// How far, in meters, a geodesic may be from the edge straight in degrees between the same points.
fn deviation([from, to]: [Point; 2]) -> f64 {
    let [x, y] = [0, 1].map(|axis| (to[axis] - from[axis]).abs().to_radians());
    let [from, to] = [from[1].abs().to_radians(), to[1].abs().to_radians()];
    // At its highest latitude, and at its lowest, which may be the equator.
    let (sin, cos) = (from.max(to).sin(), (from.min(to) - y).max(0.0).cos());
    LONGER / 4.0 * x * sin * (x * cos).hypot(2.0 * y)
}

/// A box of degrees that contains an edge.
pub(super) fn bounds(edges: Edges, edge: [Point; 2]) -> Aabb<f64> {
    let straight = Aabb::from_corners(edge[0], edge[1]);
    match edges {
        Edges::Straight => straight,
        Edges::Geodesic => {
            let more = (deviation(edge) / LONGER * 1.01).to_degrees();
            let [south, north] = [straight.min[1] - more, straight.max[1] + more].map(|at| at.clamp(-90.0, 90.0));
            Aabb::new([straight.min[0], south], [straight.max[0], north])
        }
    }
}

/// Whether an edge is north of a point whose longitude is between those of its ends.
pub(super) fn is_north(edges: Edges, [from, to]: [Point; 2], point: Point) -> bool {
    let bounds = bounds(edges, [from, to]);
    if point[1] < bounds.min[1] || point[1] > bounds.max[1] {
        return point[1] < bounds.min[1];
    }
    match edges {
        Edges::Straight => from[1] + (point[0] - from[0]) / (to[0] - from[0]) * (to[1] - from[1]) > point[1],
        Edges::Geodesic => {
            let azimuth = |to: Point| course(from, to)[1];
            // South is to the right of an eastward edge.
            (shorter_turn(azimuth(point) - azimuth(to)) > 0.0) == (to[0] > from[0])
        }
    }
}

/// Meters between two points.
pub(super) fn to_point(from: Point, to: Point) -> f64 {
    EARTH.inverse(from[1], from[0], to[1], to[0])
}

/// A point that distances are measured from.
pub(super) struct Here {
    pub(super) point: Point,
    pub(super) zone: Zone,
    /// The point measured last, and the [course](course_to) there: of two edges, it is an end of both.
    last: Cell<Option<(Point, [f64; 2])>>,
}

impl Here {
    pub(super) fn new(point: Point) -> Self {
        Self::of(Zone::new(Aabb::from_point(point)))
    }

    /// For the zone of a point.
    pub(super) fn of(zone: Zone) -> Self {
        Self { point: zone.bounds.min, zone, last: Cell::new(None) }
    }

    fn spot(&self) -> Spot {
        self.zone.solid.min
    }

    /// Meters to a point, and the azimuth of the geodesic on arrival, in degrees.
    fn course_to(&self, point: Point) -> [f64; 2] {
        let known = self.last.get().filter(|(last, _)| *last == point);
        known.map_or_else(
            || {
                let [x, y] = self.point;
                let (length, _, arriving, _): (f64, f64, f64, f64) = EARTH.inverse(y, x, point[1], point[0]);
                self.last.set(Some((point, [length, arriving])));
                [length, arriving]
            },
            |(_, course)| course,
        )
    }

    /// A lower bound of what is measured to an edge, whose ends are at these spots.
    pub(super) fn least_to(&self, edges: Edges, edge: [Point; 2], ends: [Spot; 2]) -> f64 {
        let [chord, bent] = chord_to_edge(self.spot(), ends, edge);
        let sharp = least_over(chord) - ERROR;
        // For a long edge, its box may give a better bound.
        if bent > 3e-3 * chord { sharp.max(Zone::new(bounds(edges, edge)).least(&self.zone)) } else { sharp.max(0.0) }
    }
}

/// Meters from a point to an edge, whose ends are at these spots, or `limit`, if that is less: too short by [`ERROR`] at
/// most (around 10,000 km, by ten centimeters), and never too long.
pub(super) fn to_edge(edges: Edges, here: &Here, edge: [Point; 2], ends: [Spot; 2], limit: f64) -> f64 {
    let (end, is_nearest) = to_end(edges, here, edge, ends);
    let limit = limit.min(end);
    if is_nearest {
        return limit;
    }
    let deviation = error_of(edges, edge);
    let near = to_geodesic(here.point, edge) - deviation - SLACK;
    // Along a meridian and the equator, straight edges are geodesics. The geodesic may be nearer by that much, which is
    // subtracted.
    if 2.0 * deviation <= ERROR || near >= limit {
        return near.clamp(0.0, limit);
    }
    halves(edge, here.point).into_iter().fold(limit, |limit, half| {
        let ends = half.map(spot);
        if here.least_to(edges, half, ends) < limit { to_edge(edges, here, half, ends, limit) } else { limit }
    })
}

/// Meters to the nearer end of an edge, and whether no other point of the edge is surely nearer.
fn to_end(edges: Edges, here: &Here, edge: [Point; 2], ends: [Spot; 2]) -> (f64, bool) {
    let far = ends.map(|end| square(end, here.spot()));
    let [near, other] = if far[0] <= far[1] { edge } else { [edge[1], edge[0]] };
    let [length, arriving] = here.course_to(near);
    // At a pole, directions depend on longitudes.
    if length + MAX_LENGTH > CONVEX || near[1].abs() > 89.0 {
        return (length, false);
    }
    // A deviation is an eighth of the acceleration.
    (length, length == 0.0 || growth(edges, [near, other], arriving) >= 4.0 * error_of(edges, edge))
}

/// How fast, at the beginning of an edge that is passed in the time 1, the distance grows from where a geodesic comes
/// that arrives with this azimuth.
pub(super) fn growth(edges: Edges, [near, other]: [Point; 2], arriving: f64) -> f64 {
    let [east, north] = match edges {
        Edges::Straight => {
            let (sin, cos) = near[1].to_radians().sin_cos();
            let [of_parallel, of_meridian] = radii(sin);
            [(other[0] - near[0]).to_radians() * of_parallel * cos, (other[1] - near[1]).to_radians() * of_meridian]
        }
        Edges::Geodesic => {
            let [length, azimuth] = course(near, other);
            let (sin, cos) = azimuth.to_radians().sin_cos();
            [length * sin, length * cos]
        }
    };
    let (sin, cos) = arriving.to_radians().sin_cos();
    east * sin + north * cos
}

/// How far a geodesic may be from an edge.
pub(super) fn error_of(edges: Edges, edge: [Point; 2]) -> f64 {
    if edges == Edges::Geodesic { 0.0 } else { deviation(edge) }
}

/// The halves of an edge that is straight in degrees, the one whose end is nearer to a point first.
fn halves([from, to]: [Point; 2], point: Point) -> [[Point; 2]; 2] {
    let middle = [0, 1].map(|axis| f64::midpoint(from[axis], to[axis]));
    let (one, other) = ([from, middle], [middle, to]);
    if to_point(point, from) <= to_point(point, to) { [one, other] } else { [other, one] }
}

/// Meters from one point to another, and the azimuth at the start, in degrees.
pub(super) fn course(from: Point, to: Point) -> [f64; 2] {
    let (length, azimuth, _, _): (f64, f64, f64, f64) = EARTH.inverse(from[1], from[0], to[1], to[0]);
    [length, azimuth]
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::measure::BENT;
    use super::*;

    /// A point of an edge, computed independently of the code under test.
    pub(in super::super) fn at(edges: Edges, [from, to]: [Point; 2], share: f64) -> Point {
        match edges {
            Edges::Straight => [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis])),
            Edges::Geodesic => {
                let (length, azimuth, _, _): (f64, f64, f64, f64) = EARTH.inverse(from[1], from[0], to[1], to[0]);
                let (latitude, longitude): (f64, f64) = EARTH.direct(from[1], from[0], azimuth, length * share);
                [from[0] + shorter_turn(longitude - from[0]), latitude]
            }
        }
    }

    /// The least of many samples, and of finer ones around it.
    pub(in super::super) fn by_samples(edges: Edges, point: Point, edge: [Point; 2]) -> f64 {
        let (mut range, mut least) = ([0.0, 1.0], f64::INFINITY);
        for round in 0..14 {
            let count = if round == 0 { 600 } else { 12 };
            let share =
                |step: i32| (range[0] + (range[1] - range[0]) * f64::from(step) / f64::from(count)).clamp(0.0, 1.0);
            let all = (0..=count).map(|step| (to_point(point, at(edges, edge, share(step))), step));
            let (far, best) = all.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            least = least.min(far);
            range = [share(best - 2), share(best + 2)];
        }
        least
    }

    /// The least between many samples of two edges, and of finer ones around them.
    pub(in super::super) fn least_of_samples(edges: Edges, pair: [[Point; 2]; 2]) -> f64 {
        let (mut ranges, mut least) = ([[0.0, 1.0]; 2], f64::INFINITY);
        for round in 0..34 {
            let count: i32 = if round == 0 { 30 } else { 8 };
            let share = |side: usize, step: i32| {
                let [from, to]: [f64; 2] = ranges[side];
                (from + (to - from) * f64::from(step) / f64::from(count)).clamp(0.0, 1.0)
            };
            let points = [0, 1].map(|side| -> Vec<Point> {
                (0..=count).map(|step| at(edges, pair[side], share(side, step))).collect()
            });
            let all = (0..=count).flat_map(|i| (0..=count).map(move |j| (i, j)));
            let far = |(i, j): (i32, i32)| to_point(points[0][i as usize], points[1][j as usize]);
            let (best, steps) = all.map(|steps| (far(steps), steps)).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            least = least.min(best);
            ranges = [[share(0, steps.0 - 2), share(0, steps.0 + 2)], [share(1, steps.1 - 2), share(1, steps.1 + 2)]];
        }
        least
    }

    #[test]
    fn distances_to_edges_are_those_to_the_nearest_of_many_samples() {
        let mut random = fastrand::Rng::with_seed(21);
        for round in 0..240 {
            let wide = [0.001, 0.1, 4.0, 60.0][round % 4];
            let edges = [Edges::Straight, Edges::Geodesic][round / 4 % 2];
            let from = [random.f64() * 360.0 - 180.0, (random.f64() * 180.0 - 90.0).clamp(-89.9, 89.9)];
            let mut near = |wide: f64| {
                let y = from[1] + (random.f64() - 0.5) * wide;
                [from[0] + (random.f64() - 0.5) * 2.0 * wide, y.clamp(-89.99, 89.99)]
            };
            let (to, point) = (near(wide), near([wide, 180.0][round / 8 % 2]));
            let mut points = vec![from];
            divide(edges, [from, to], &mut points);
            assert_eq!(points.last(), Some(&to));
            let pieces = points.windows(2).map(|edge| [edge[0], edge[1]]);
            let found = pieces
                .fold(f64::INFINITY, |least, edge| to_edge(edges, &Here::new(point), edge, edge.map(spot), least));
            let least = by_samples(edges, point, [from, to]);
            assert!(found <= least + 1e-6, "{edges:?} {from:?} {to:?} {point:?}: {found}, but {least}");
            let error = if (9.9e6..1.02e7).contains(&least) { BENT + ERROR } else { ERROR };
            assert!(found >= least - error - 1e-4, "{edges:?} {from:?} {to:?} {point:?}: {found}, but {least}");
        }
    }

    #[test]
    fn about_a_quarter_of_the_earth_away_distances_are_never_too_long() {
        let mut random = fastrand::Rng::with_seed(24);
        for _ in 0..60 {
            let middle = [random.f64() * 360.0 - 180.0, random.f64() * 170.0 - 85.0];
            let azimuth = random.f64() * 360.0;
            let ahead = |turn: f64, far: f64| {
                let (latitude, longitude): (f64, f64) = EARTH.direct(middle[1], middle[0], azimuth + turn, far);
                [longitude, latitude]
            };
            // The nearest point is anywhere between the ends.
            let (point, share) = (ahead(90.0, 9.3e6 + random.f64() * 8.5e5), random.f64());
            let edge = [ahead(180.0, share * MAX_LENGTH), ahead(0.0, (1.0 - share) * MAX_LENGTH)];
            let found = to_edge(Edges::Geodesic, &Here::new(point), edge, edge.map(spot), f64::INFINITY);
            let least = by_samples(Edges::Geodesic, point, edge);
            assert!((-1e-6..=BENT + ERROR).contains(&(least - found)), "{point:?} {edge:?}: {found}, but {least}");
        }
    }

    #[test]
    fn boxes_of_edges_have_all_of_them() {
        let mut random = fastrand::Rng::with_seed(22);
        for _ in 0..3_000 {
            let from = [random.f64() * 360.0, random.f64() * 179.0 - 89.5];
            let to = [from[0] + random.f64() * 8.0 - 4.0, (from[1] + random.f64() * 8.0 - 4.0).clamp(-90.0, 90.0)];
            let mut points = vec![from];
            divide(Edges::Geodesic, [from, to], &mut points);
            for edge in points.windows(2).map(|edge| [edge[0], edge[1]]) {
                let bounds = bounds(Edges::Geodesic, edge);
                for part in 0..=20 {
                    let [_, latitude] = at(Edges::Geodesic, edge, f64::from(part) / 20.0);
                    assert!(bounds.min[1] - 1e-12 <= latitude && latitude <= bounds.max[1] + 1e-12, "{edge:?}");
                }
            }
        }
    }
}
