//! How far apart two edges are.
//!
//! **Two geodesics** that do not cross are nearest at an end of one. Between points within both, the shortest way would
//! meet both at right angles; moved along, it becomes shorter on one side or the other, for the ellipsoid is curved
//! outward everywhere (second variation).
//!
//! **Two ends** are mostly the nearest points of two edges. Along curves that are passed in the time 1, away from ends at
//! the distance f, it grows at first by f' of each, which the angles between them and the geodesic tell. Later it grows
//! less: by no more than the accelerations along the earth, and, because the earth is curved, by tan(f / 2R) / R times
//! the squares of the speeds, with the shorter half axis for R (the index form of a geodesic, no less than that of a
//! sphere as curved as the earth is anywhere). Half of what belongs to an edge, less its f', is how much nearer its
//! points may be than the end. So one geodesic bounds the distance from below, and mostly tells that the ends are
//! nearest.
//!
//! **Parts of parallels and meridians** are boxes of degrees, whose distances `measure.rs` has.
//!
//! **All other edges** are halved if they are not geodesics, as in `edge.rs`. Chords tell which halves matter.

use geographiclib_rs::InverseGeodesic;

use super::chord::{Spot, bend, chord_to_edge, least_over, segments_apart, spot, square};
use super::edge::{Edges, bounds, course, error_of, growth};
use super::ellipsoid::{ERROR, LONGER, Point, SHORTER, SLACK};
use super::measure::{CONVEX, EARTH, distance, to_geodesic};

/// An edge that is no longer than [`MAX_LENGTH`](super::measure::MAX_LENGTH), with what its bounds are computed from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    edges: Edges,
    ends: [Point; 2],
    spots: [Spot; 2],
    /// How far it may be from the straight segment through the earth between its ends.
    bent: f64,
}

impl Edge {
    pub(super) fn new(edges: Edges, ends: [Point; 2], spots: [Spot; 2]) -> Self {
        Self { edges, ends, spots, bent: bend(ends) }
    }

    /// How far a geodesic may be from it.
    fn error(&self) -> f64 {
        error_of(self.edges, self.ends)
    }

    /// It is straight in degrees.
    fn halves(&self) -> [Self; 2] {
        let ([from, to], [start, end]) = (self.ends, self.spots);
        let middle = [0, 1].map(|axis| f64::midpoint(from[axis], to[axis]));
        let between = spot(middle);
        [([from, middle], [start, between]), ([middle, to], [between, end])]
            .map(|(ends, spots)| Self::new(self.edges, ends, spots))
    }

    /// Whether it is a part of a parallel or a meridian: facing borders may be as near all along.
    fn is_box(&self) -> bool {
        self.edges == Edges::Straight && (0..2).any(|axis| self.ends[0][axis] == self.ends[1][axis])
    }

    /// At least its greatest speed, if it is passed in the time 1.
    fn speed(&self) -> f64 {
        let [x, y] = [0, 1].map(|axis| (self.ends[1][axis] - self.ends[0][axis]).to_radians());
        1.01 * LONGER * x.hypot(y)
    }
}

/// Two edges, how far apart the segments between their ends are, and a lower bound of what is measured between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    a: Edge,
    b: Edge,
    pub(super) chord: f64,
    pub(super) least: f64,
}

impl Pair {
    pub(super) fn new(a: Edge, b: Edge) -> Self {
        let chord = segments_apart(a.spots, b.spots);
        let least = (least_over((chord - a.bent - b.bent - SLACK).max(0.0)) - ERROR - SLACK).max(0.0);
        Self { a, b, chord, least }
    }

    /// Meters between two edges, or `limit`, if that is less: too short by [`ERROR`] at most (around 10,000 km, by ten
    /// centimeters), and never too long.
    pub(super) fn measure(&self, limit: f64) -> f64 {
        let Self { a, b, .. } = self;
        let (length, bound) = self.between_ends();
        let limit = limit.min(length);
        if let Some(least) = bound.filter(|least| *least >= limit.min(length - ERROR / 2.0)) {
            return limit.min(least).max(0.0);
        }
        if a.is_box() && b.is_box() {
            return limit.min(distance(&bounds(a.edges, a.ends), &bounds(b.edges, b.ends)));
        }
        let errors = [a.error(), b.error()];
        let error = errors[0] + errors[1];
        let is_geodesic = 2.0 * error <= ERROR;
        if is_geodesic || bound.is_none() {
            let least = (self.between_geodesics() - error - SLACK).clamp(0.0, limit);
            if is_geodesic || least >= limit {
                return least;
            }
        }
        // The one that is less like a geodesic.
        let mut halves = match errors[0] >= errors[1] {
            true => a.halves().map(|half| Self::new(half, *b)),
            false => b.halves().map(|half| Self::new(*a, half)),
        };
        halves.sort_unstable_by(|one, other| one.chord.total_cmp(&other.chord));
        halves.iter().fold(limit, |limit, pair| if pair.least < limit { pair.measure(limit) } else { limit })
    }

    /// Meters between the nearest ends, and a lower bound for all points of the two edges, if one is proven.
    fn between_ends(&self) -> (f64, Option<f64>) {
        let Self { a, b, .. } = self;
        let all = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[i, j]| (square(a.spots[i], b.spots[j]), i, j));
        let [first, rest @ ..] = all;
        let (_, i, j) = rest.into_iter().fold(first, |best, one| if one.0 < best.0 { one } else { best });
        let (from, to) = ([a.ends[i], a.ends[1 - i]], [b.ends[j], b.ends[1 - j]]);
        let (length, leaving, arriving, _): (f64, f64, f64, f64) =
            EARTH.inverse(from[0][1], from[0][0], to[0][1], to[0][0]);
        let farthest = length + a.speed() + b.speed();
        // At a pole, directions depend on longitudes.
        if length == 0.0 || farthest > CONVEX || from[0][1].abs() > 89.0 || to[0][1].abs() > 89.0 {
            return (length, (length == 0.0).then_some(0.0));
        }
        let curved = (farthest / SHORTER / 2.0).tan() / SHORTER;
        let nearer = |edge: &Edge, ends, azimuth| {
            // A deviation is an eighth of the acceleration.
            let slower = 4.0 * edge.error() + edge.speed() * edge.speed() * curved / 2.0;
            (slower - growth(edge.edges, ends, azimuth)).max(0.0)
        };
        (length, Some(length - nearer(a, from, leaving + 180.0) - nearer(b, to, arriving)))
    }

    /// Meters between the geodesics between their ends.
    fn between_geodesics(&self) -> f64 {
        let Self { a, b, least, .. } = self;
        if *least == 0.0 && do_cross(a.ends, b.ends) {
            return 0.0;
        }
        let mut all = [(a, 0, b), (a, 1, b), (b, 0, a), (b, 1, a)].map(|(one, end, other)| {
            let [chord, _] = chord_to_edge(one.spots[end], other.spots, other.ends);
            (least_over(chord) - SLACK, one.ends[end], other.ends)
        });
        all.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        all.into_iter().fold(
            f64::INFINITY,
            |best, (least, point, ends)| {
                if least < best { best.min(to_geodesic(point, ends)) } else { best }
            },
        )
    }
}

/// Whether two geodesics that are short cross: the ends of each are on both sides of the other. If an end is nearer to
/// the other geodesic than the rounding error, either answer is fine.
fn do_cross(a: [Point; 2], b: [Point; 2]) -> bool {
    let courses = [a, b].map(|[from, to]| course(from, to));
    let do_divide = |[length, azimuth]: [f64; 2], from: Point, ends: [Point; 2]| {
        let sides = ends.map(|end| {
            let [far, direction] = course(from, end);
            if far > courses[0][0] + courses[1][0] { 0.0 } else { far * (direction - azimuth).to_radians().sin() }
        });
        length > 0.0 && sides[0].abs() > SLACK && sides[1].abs() > SLACK && (sides[0] > 0.0) != (sides[1] > 0.0)
    };
    do_divide(courses[0], a[0], b) && do_divide(courses[1], b[0], a)
}

#[cfg(test)]
mod tests {
    use super::super::edge::tests::least_of_samples;
    use super::super::edge::{divide, to_point};
    use super::super::measure::Zone;
    use super::*;

    /// The slow way: zones and geodesics only.
    fn slowly(edges: [Edges; 2], [a, b]: [[Point; 2]; 2], limit: f64) -> f64 {
        let errors = [error_of(edges[0], a), error_of(edges[1], b)];
        let error = errors[0] + errors[1];
        if 2.0 * error <= ERROR {
            return (between_geodesics(a, b) - error - SLACK).clamp(0.0, limit);
        }
        let least = Zone::new(bounds(edges[0], a)).least(&Zone::new(bounds(edges[1], b)));
        if least >= limit || between_geodesics(a, b) - error - SLACK >= limit {
            return limit;
        }
        if errors[0] >= errors[1] {
            halves(a, b[0]).into_iter().fold(limit, |limit, half| slowly(edges, [half, b], limit))
        } else {
            halves(b, a[0]).into_iter().fold(limit, |limit, half| slowly(edges, [a, half], limit))
        }
    }

    fn halves([from, to]: [Point; 2], point: Point) -> [[Point; 2]; 2] {
        let middle = [0, 1].map(|axis| f64::midpoint(from[axis], to[axis]));
        let (one, other) = ([from, middle], [middle, to]);
        if to_point(point, from) <= to_point(point, to) { [one, other] } else { [other, one] }
    }

    fn between_geodesics(a: [Point; 2], b: [Point; 2]) -> f64 {
        if do_cross(a, b) {
            return 0.0;
        }
        let of_a = to_geodesic(a[0], b).min(to_geodesic(a[1], b));
        of_a.min(to_geodesic(b[0], a)).min(to_geodesic(b[1], a))
    }

    #[test]
    fn edges_are_as_far_apart_as_the_slow_way_says() {
        let mut random = fastrand::Rng::with_seed(27);
        let (mut ends, mut crossed) = (0, 0);
        for round in 0..480 {
            let edges = [0, 1].map(|bit| if round >> bit & 1 == 0 { Edges::Straight } else { Edges::Geodesic });
            let wide = [1e-4, 0.01, 0.3, 3.0][round / 4 % 4];
            let apart = wide * [0.0, 1.0, 1.0, 30.0, 1000.0][round / 16 % 5];
            let middle = [random.f64() * 360.0 - 180.0, random.f64() * 176.0 - 88.0];
            let mut near = |at: Point| [0, 1].map(|axis| at[axis] + (random.f64() - 0.5) * wide);
            let a = [near(middle), near(middle)];
            let aside =
                [middle[0] + apart * random.f64(), (middle[1] + apart * (random.f64() - 0.5)).clamp(-89.0, 89.0)];
            let mut near = |at: Point| [0, 1].map(|axis| at[axis] + (random.f64() - 0.5) * wide);
            let b = if round % 7 == 0 { [a[1], near(aside)] } else { [near(aside), near(aside)] };
            let mut b = b.map(|[x, y]| [x, y.clamp(-89.9, 89.9)]);
            let mut a = a;
            // Along a parallel or a meridian.
            if round % 5 == 0 {
                a[1][round / 5 % 2] = a[0][round / 5 % 2];
                b[1][round / 10 % 2] = b[0][round / 10 % 2];
            }
            let pair = Pair::new(Edge::new(edges[0], a, a.map(spot)), Edge::new(edges[1], b, b.map(spot)));
            let (found, slow) = (pair.measure(f64::INFINITY), slowly(edges, [a, b], f64::INFINITY));
            let error = if slow > 9.4e6 { 0.2 } else { ERROR };
            assert!((found - slow).abs() <= error + 1e-6, "{edges:?} {a:?} {b:?}: {found}, but {slow}");
            assert!(pair.least <= found && pair.least <= slow, "{edges:?} {a:?} {b:?}");
            assert_eq!(pair.measure(found / 2.0), found / 2.0);
            let (length, least) = pair.between_ends();
            assert!(least.is_none_or(|least| least <= slow + ERROR), "{edges:?} {a:?} {b:?}: {least:?}, but {slow}");
            // A bound right below a limit is no distance.
            let limit = least.unwrap_or(0.0).max(0.0) + ERROR / 4.0;
            assert!(limit > found - 2.0 * error || pair.measure(limit) == limit, "{edges:?} {a:?} {b:?}");
            ends += usize::from(least == Some(length));
            crossed += usize::from(found == 0.0);
            if edges[0] == edges[1] && round % 16 == 0 {
                let least = least_of_samples(edges[0], [a, b]);
                assert!(found <= least + 1e-6, "{edges:?} {a:?} {b:?}: {found}, but {least}");
            }
        }
        assert!(ends > 80 && crossed > 20, "{ends} {crossed}");
    }

    #[test]
    fn far_edges_are_measured_by_their_ends() {
        let mut points = vec![[0.0, 0.0]];
        divide(Edges::Straight, [[0.0, 0.0], [1.0, 3.0]], &mut points);
        let edge = |a: Point, b: Point| Edge::new(Edges::Straight, [a, b], [a, b].map(spot));
        let pair = Pair::new(edge(points[0], points[1]), edge([-5.0, -2.0], [-6.0, -4.0]));
        let far = to_point(points[0], [-5.0, -2.0]);
        assert_eq!(pair.between_ends(), (far, Some(far)));
    }
}
