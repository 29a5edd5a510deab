//! Distances between boxes on the ellipsoid WGS 84, and bounds of them that cost little.
//!
//! **Bounds.** Reduced latitudes map the ellipsoid to a sphere of radius 1. The length of a step there, times a
//! factor between the shorter and the longer half axis, is its length on the ellipsoid. So this holds for every path, and
//! for the shortest.
//!
//! **Exact distances.** Two boxes without a common longitude are nearest on the two meridians that face each other, for
//! distances grow with the difference in longitude. One of the two points is an end of its side: if neither was, both
//! could move nearer to a pole, and to each other. The distance from a point to those along a meridian is convex as far
//! as [`CONVEX`], because the ellipsoid's curvature is nowhere above the inverse square of its shorter half axis
//! (Hessian comparison). Hence the nearest is found by descent: there, the geodesic meets the meridian at a right
//! angle. Beyond [`CONCAVE`], the distance is concave, and least at an end. Between the two, it is taken at many
//! points, and the most that it may bend between them is subtracted: it is never too long. All of this holds for any
//! geodesic.
//!
//! Geodesics are those of Charles Karney, *Algorithms for geodesics*, 2013: exact to 15 nanometers.

use std::f64::consts::FRAC_PI_2;
use std::iter::successors;
use std::sync::LazyLock;

use geographiclib_rs::{DirectGeodesic, Geodesic, InverseGeodesic};
use quadrille::Aabb;

use super::chord::{Solid, greatest_over, least_over};
use super::ellipsoid::{ERROR, LONGER, Point, SHORTER, SLACK};
use super::longitude::{TURN, degrees_between};

pub(super) static EARTH: LazyLock<Geodesic> = LazyLock::new(Geodesic::wgs84);

/// Distances from a point to a geodesic are convex up to this, in meters, and concave from there on.
pub(super) const CONVEX: f64 = FRAC_PI_2 * SHORTER;
pub(super) const CONCAVE: f64 = FRAC_PI_2 * LONGER * LONGER / SHORTER;
/// Meters: geodesics that are longer are divided, so that nothing of one is near the other side of the earth.
pub(super) const MAX_LENGTH: f64 = 500_000.0;
/// Into how many parts a geodesic is divided whose distances are neither convex nor concave, and how much less, in
/// meters, the least may be than all those at their ends: 6 cm. For a least distance between two ends is about
/// [`CONVEX`] less half of [`MAX_LENGTH`], or more; there, its second derivative is 8e-9 per meter at most, and a part is
/// 8 km long.
const PARTS: u32 = 64;
pub(super) const BENT: f64 = 0.1;
/// Meters: from longer chords on, the factor between the half axes tells more than the chord. Less than [`CONVEX`] by
/// more than [`MAX_LENGTH`].
const FAR: f64 = 8.5e6;
/// Degrees: the chord bounds of wider boxes are useless.
const WIDE: f64 = 2.0;

/// A box of degrees with what its bounds are computed from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Zone {
    pub(super) bounds: Aabb<f64>,
    /// The reduced latitudes of its south and its north, in radians.
    reduced: [f64; 2],
    pub(super) solid: Solid,
}

impl Zone {
    pub(super) fn new(bounds: Aabb<f64>) -> Self {
        let reduced = |degrees: f64| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            (SHORTER / LONGER * sin).atan2(cos)
        };
        Self { bounds, reduced: latitudes(&bounds).map(reduced), solid: Solid::new(&bounds) }
    }

    /// A cheap lower bound, in meters, of distances measured between the contents of two zones, which may be too short
    /// by [`ERROR`].
    pub(super) fn roughly(&self, other: &Self) -> f64 {
        let chord = self.solid.square_to(&other.solid).sqrt();
        let least = if chord < FAR { least_over(chord) - SLACK } else { self.bounds_of_distance(other)[0] };
        (least - ERROR).max(0.0)
    }

    /// The greatest difference, in meters, of distances measured from two of its points.
    pub(super) fn greatest(&self, other: &Self) -> f64 {
        greatest_over(self.solid.square_to(&other.solid).sqrt()) + BENT + ERROR
    }

    /// A tighter bound than [`roughly`](Self::roughly).
    pub(super) fn least(&self, other: &Self) -> f64 {
        let roughly = self.roughly(other);
        let is_wide = |zone: &Self| zone.bounds.size().into_iter().any(|side| side > WIDE);
        if is_wide(self) || is_wide(other) {
            return roughly.max(self.bounds_of_distance(other)[0] - ERROR);
        }
        roughly
    }

    /// A lower and an upper bound of the distance to another box, in meters.
    pub(super) fn bounds_of_distance(&self, other: &Self) -> [f64; 2] {
        let angle = self.angle(other);
        [(angle * SHORTER - SLACK).max(0.0), angle * LONGER + SLACK]
    }

    /// The angle between the nearest points on the sphere, in radians.
    fn angle(&self, other: &Self) -> f64 {
        let gap = longitudes_between(&self.bounds, &other.bounds).to_radians();
        let haversine = if gap == 0.0 {
            haversine(latitudes_between(self.reduced, other.reduced).map_or(0.0, |[from, to]| to - from))
        } else {
            let feet = sides(self.reduced, other.reduced);
            feet.map(|(end, range)| on_sphere(end, foot(end, range, gap), gap)).fold(1.0, f64::min)
        };
        2.0 * haversine.sqrt().asin()
    }
}

/// The greatest distance that may belong to this lower bound.
pub(super) fn greatest_for(least: f64) -> f64 {
    (least + SLACK) * (LONGER / SHORTER) + SLACK
}

/// The best lower bound, to a hundredth of a millimeter; `None` if that is not proven.
pub(super) fn sharp_bound(a: &Aabb<f64>, b: &Aabb<f64>) -> Option<f64> {
    let distance = distance(a, b);
    (distance < CONVEX).then(|| (distance - 10.0 * SLACK).max(0.0))
}

/// Meters between the nearest points of two boxes; between [`CONVEX`] and [`CONCAVE`], too short by [`BENT`] at most.
pub(super) fn distance(a: &Aabb<f64>, b: &Aabb<f64>) -> f64 {
    let (ours, theirs) = (latitudes(a), latitudes(b));
    let gap = longitudes_between(a, b);
    if gap == 0.0 {
        return latitudes_between(ours, theirs).map_or(0.0, |[from, to]| along_geodesic(from, to, 0.0));
    }
    let mut least = f64::INFINITY;
    for (end, range) in sides(ours, theirs) {
        least = to_meridian(end, range, gap, least);
    }
    least
}

/// Meters from a latitude to the nearest on a part of the meridian that is `gap` degrees of longitude away; or `known`,
/// if that is less.
fn to_meridian(end: f64, [low, high]: [f64; 2], gap: f64, known: f64) -> f64 {
    if low == high {
        return along_geodesic(end, low, gap).min(known);
    }
    let start = foot(end.to_radians(), [low, high].map(f64::to_radians), gap.to_radians()).to_degrees();
    let start = start.clamp(low, high);
    let [least, _] =
        Zone::new(Aabb::from_point([0.0, end])).bounds_of_distance(&Zone::new(Aabb::new([gap, low], [gap, high])));
    if least > known {
        return known;
    }
    let near = descend(end, [low, high], gap, start).min(known);
    if near <= CONVEX {
        return near;
    }
    let near = [low, high].map(|other| along_geodesic(end, other, gap)).into_iter().fold(near, f64::min);
    if least >= CONCAVE {
        return near;
    }
    let parts = ((high - low).to_radians() * LONGER / MAX_LENGTH).ceil();
    let at = |part: f64| [gap, low + (high - low) * part / parts];
    let parts = successors(Some(0.0), |part| Some(part + 1.0)).take_while(|part| *part < parts);
    parts.map(|part| to_geodesic([0.0, end], [at(part), at(part + 1.0)])).fold(near, f64::min).max(least)
}

/// Meters from a point to the geodesic between two others, no longer than [`MAX_LENGTH`]; if distances are neither
/// convex nor concave, too short by [`BENT`] at most.
pub(super) fn to_geodesic(point: Point, [from, to]: [Point; 2]) -> f64 {
    let (whole, azimuth, _, _): (f64, f64, f64, f64) = EARTH.inverse(from[1], from[0], to[1], to[0]);
    let measure = |at: f64| {
        let (latitude, longitude, azimuth): (f64, f64, f64) = EARTH.direct(from[1], from[0], azimuth, at);
        let (length, _, arriving, _): (f64, f64, f64, f64) = EARTH.inverse(point[1], point[0], latitude, longitude);
        (length, (arriving - azimuth).to_radians().cos())
    };
    let ends = [0.0, whole].map(|at| measure(at).0);
    let (least, most) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    if least - whole >= CONCAVE || whole == 0.0 {
        return least;
    }
    // No point is farther away than the nearer end plus half the length.
    if most + whole / 2.0 <= CONVEX {
        // As on the plane, from the lengths of the sides.
        let foot = (whole * whole + ends[0] * ends[0] - ends[1] * ends[1]) / (2.0 * whole);
        return descend_along([0.0, whole], foot.clamp(0.0, whole), LONGER, measure).min(least);
    }
    let at = |part: u32| measure(whole * f64::from(part) / f64::from(PARTS)).0;
    (1..PARTS).map(at).fold(least, f64::min) - BENT
}

/// The least distance to a part of a meridian that is found downhill from a latitude.
fn descend(end: f64, range: [f64; 2], gap: f64, start: f64) -> f64 {
    descend_along(range, start, 1_f64.to_degrees(), |at| {
        let (length, _, azimuth, _): (f64, f64, f64, f64) = EARTH.inverse(end, 0.0, at, gap);
        (length, azimuth.to_radians().cos())
    })
}

/// The least distance to a part of a geodesic that is found downhill from a point: Newton's method on the sphere, or
/// bisection if that leads astray. `unit` is a radian in the unit of points. `measure` returns the distance of a
/// point, and how much it grows per step.
pub(super) fn descend_along([low, high]: [f64; 2], start: f64, unit: f64, measure: impl Fn(f64) -> (f64, f64)) -> f64 {
    const MAX_STEPS: usize = 64;
    let (mut at, mut least) = (start, f64::INFINITY);
    // The interval so far: northward from one end and southward from the other, it goes downhill.
    let [mut south, mut north] = [None, None];
    for _ in 0..MAX_STEPS {
        let (length, slope) = measure(at);
        least = least.min(length);
        // A right triangle of the point, the foot and here.
        let step = ((length / LONGER).tan() * slope).atan();
        if step.abs() * LONGER <= 1e-7 * length {
            break;
        }
        *(if slope > 0.0 { &mut north } else { &mut south }) = Some(at);
        let mut next = (at - step * unit).clamp(low, high);
        if south.is_some_and(|south| next <= south) || north.is_some_and(|north| next >= north) {
            next = south.unwrap_or(low) / 2.0 + north.unwrap_or(high) / 2.0;
        }
        if next == at {
            break;
        }
        at = next;
    }
    least
}

fn along_geodesic(from: f64, to: f64, longitudes: f64) -> f64 {
    EARTH.inverse(from, 0.0, to, longitudes)
}

fn latitudes(bounds: &Aabb<f64>) -> [f64; 2] {
    [bounds.min[1], bounds.max[1]]
}

/// The gap between two ranges of latitudes, from south to north; `None` if they overlap.
fn latitudes_between(one: [f64; 2], other: [f64; 2]) -> Option<[f64; 2]> {
    [[one[1], other[0]], [other[1], one[0]]].into_iter().find(|[from, to]| from < to)
}

/// Each end of one range, and the other range, in which its foot is. If one of the two is a point, it is the only end.
fn sides(one: [f64; 2], other: [f64; 2]) -> impl Iterator<Item = (f64, [f64; 2])> {
    let ends = |range: [f64; 2]| range.into_iter().take(if range[0] == range[1] { 1 } else { 2 });
    let (is_point, is_met_by_point) = (one[0] == one[1], other[0] == other[1]);
    let ours = ends(one).take(if is_met_by_point && !is_point { 0 } else { 2 });
    let theirs = ends(other).take(if is_point { 0 } else { 2 });
    ours.map(move |end| (end, other)).chain(theirs.map(move |end| (end, one)))
}

/// The latitude on a part of a meridian that is nearest to another, this many radians of longitude away, on the sphere.
fn foot(end: f64, [low, high]: [f64; 2], gap: f64) -> f64 {
    let (sin, cos) = end.sin_cos();
    if low == high {
        low
    } else if gap < FRAC_PI_2 {
        sin.atan2(cos * gap.cos()).clamp(low, high)
    } else if on_sphere(end, low, gap) < on_sphere(end, high, gap) {
        low
    } else {
        high
    }
}

/// The haversine of the angle between two latitudes this many radians of longitude apart: it grows with the distance.
fn on_sphere(from: f64, to: f64, gap: f64) -> f64 {
    haversine(to - from) + from.cos() * to.cos() * haversine(gap)
}

fn haversine(angle: f64) -> f64 {
    (angle / 2.0).sin().powi(2)
}

/// Degrees of longitude between two boxes, the short way around; zero exactly if they share a meridian.
fn longitudes_between(a: &Aabb<f64>, b: &Aabb<f64>) -> f64 {
    let (from_a, from_b) = (eastward(a, b), eastward(b, a));
    from_a.min(from_b).max(0.0)
}

/// Degrees from the east of one box to the west of another, the next one to the east of its west; negative if it comes
/// before its east.
fn eastward(from: &Aabb<f64>, to: &Aabb<f64>) -> f64 {
    let ([west, east], next) = ([from.min[0], from.max[0]], to.min[0]);
    let mut moved = ((west - next) / TURN).ceil() * TURN;
    // Rounding may have led to the turn before or after.
    if degrees_between(west, next, moved) < 0.0 {
        moved += TURN;
    } else if degrees_between(west, next, moved - TURN) >= 0.0 {
        moved -= TURN;
    }
    degrees_between(east, next, moved)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn random_box(random: &mut fastrand::Rng, widest: f64) -> Aabb<f64> {
        let (west, south) = (random.f64() * 360.0 - 180.0, random.f64() * 180.0 - 90.0);
        let (width, height) = (random.f64() * widest, (random.f64() * widest).min(90.0 - south));
        Aabb::new([west, south], [west + width, south + height])
    }

    #[test]
    fn known_distances() {
        let point = |lon, lat| Aabb::from_point([lon, lat]);
        // The first example of GeographicLib: Wellington to Salamanca.
        let far = distance(&point(174.81, -41.32), &point(-5.50, 40.96));
        assert!((far - 19_959_679.267).abs() < 0.001, "{far}");
        let across = distance(&point(179.999, 0.0), &point(-179.999, 0.0));
        assert!((across - 222.639).abs() < 0.001, "{across}");
        assert_eq!(distance(&Aabb::new([170.0, -10.0], [190.0, 10.0]), &point(-175.0, 0.0)), 0.0);
    }

    /// A search that does not use feet of perpendiculars: a grid on either side, and a finer one around its best point, again and
    /// again.
    fn by_search(a: &Aabb<f64>, b: &Aabb<f64>) -> f64 {
        let gap = longitudes_between(a, b);
        let (mut ranges, mut least) = ([latitudes(a), latitudes(b)], f64::INFINITY);
        for _ in 0..12 {
            let at = |range: [f64; 2], step: u32| range[0] + (range[1] - range[0]) * f64::from(step) / 12.0;
            let all = (0..13).flat_map(|from| (0..13).map(move |to| [from, to]));
            let length = |[from, to]: [u32; 2]| along_geodesic(at(ranges[0], from), at(ranges[1], to), gap);
            let all = all.map(|best| (length(best), best));
            let (length, best) = all.min_by(|one, other| one.0.total_cmp(&other.0)).unwrap();
            least = least.min(length);
            ranges = [0, 1].map(|side| {
                [best[side].saturating_sub(3), (best[side] + 3).min(12)].map(|step| at(ranges[side], step))
            });
        }
        least
    }

    #[test]
    fn distances_of_boxes_are_as_short_as_any_search_finds() {
        let mut random = fastrand::Rng::with_seed(5);
        for round in 0..120 {
            let widest = [0.01, 1.0, 40.0, 120.0][round % 4];
            let a = random_box(&mut random, widest);
            let mut b = random_box(&mut random, widest);
            if round % 2 == 0 {
                // As near as boxes are in most files.
                b = b.with_offset([a.min[0] - b.min[0] + widest * 2.0 * random.f64(), 0.0]);
                let south =
                    (a.min[1] - b.min[1] + widest * (random.f64() - 0.5)).clamp(-90.0 - b.min[1], 90.0 - b.max[1]);
                b = b.with_offset([0.0, south]);
            }
            let (found, least) = (distance(&a, &b), by_search(&a, &b));
            assert!(found <= least + 1e-6, "{a:?} {b:?}: {found}, but {least}");
            assert!((found - distance(&b, &a)).abs() < 1e-6, "{a:?} {b:?}");
        }
    }

    #[test]
    fn a_quarter_of_the_earth_away_the_nearest_may_be_anywhere_on_a_meridian() {
        // From the equator, all points of this meridian are 10,000 km away, give or take some kilometers.
        for (latitude, gap) in [(0.0, 90.0), (0.0, 89.95), (0.05, 89.9), (0.1, 89.85), (-0.08, 90.1), (0.3, 89.7)] {
            let (a, b) = (Aabb::from_point([0.0, latitude]), Aabb::new([gap, -80.0], [gap + 1.0, 85.0]));
            let step = |step: u32| -80.0 + 165.0 * f64::from(step) / 10_000.0;
            let least = (0..=10_000).map(|at| along_geodesic(latitude, step(at), gap)).fold(f64::INFINITY, f64::min);
            let found = distance(&a, &b);
            assert!((0.0..=BENT).contains(&(least - found)), "{latitude} {gap}: {found}, but {least}");
        }
    }

    #[test]
    fn distances_lie_between_their_bounds() {
        let mut random = fastrand::Rng::with_seed(6);
        for round in 0..4_000 {
            let widest = [0.0, 1e-6, 0.01, 20.0][round % 4];
            let [a, b] = [(); 2].map(|()| random_box(&mut random, widest));
            let [least, greatest] = Zone::new(a).bounds_of_distance(&Zone::new(b));
            let found = distance(&a, &b);
            assert!(
                least <= found && found <= greatest && greatest <= greatest_for(least) + SLACK,
                "{a:?} {b:?} {found}"
            );
            assert!(sharp_bound(&a, &b).is_none_or(|sharp| sharp <= found && found - sharp <= 2e-5));
        }
    }

    #[test]
    fn boxes_that_share_a_meridian_are_at_no_distance_however_it_is_written() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..20_000 {
            let digits = [1e2, 1e6, 1e15][random.usize(..3)];
            let side = ((random.f64() * 360.0 - 180.0) * digits).round() / digits;
            let (one, other) = (Aabb::new([side - 1.0, 0.0], [side, 1.0]), Aabb::new([side, 0.5], [side + 1.0, 2.0]));
            assert_eq!(distance(&one, &other), 0.0, "{side}");
            // The next number to the east is not shared any more.
            let next = f64::from_bits(side.to_bits().wrapping_add_signed(if side > 0.0 { 1 } else { -1 }));
            assert!(longitudes_between(&one, &Aabb::new([next, 0.5], [next + 1.0, 2.0])) > 0.0, "{side}");
            // Nor is it lost by a turn.
            if !(-180.0..=-128.0).contains(&side) {
                continue;
            }
            let turned = Aabb::new([170.0, 0.0], [side + 360.0, 1.0]);
            assert_eq!(distance(&turned, &other), 0.0, "{side}");
        }
    }
}
