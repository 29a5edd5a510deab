//! Bounds of distances by the straight way through the earth: sharper than those of `measure.rs`, and cheaper, where
//! things are no farther apart than a quarter of the earth.
//!
//! Let h be the square of the chord from a point to where a geodesic from there is after the length t. Then
//! h'' = 2 - 2 k d, with the geodesic's curvature k, and how deep the point is below the plane that touches the
//! ellipsoid at the other end, d. The ellipsoid is nowhere flatter than a sphere of the radius [`FLATTEST`], and so lies
//! within the one that touches it there (Wilhelm Blaschke, *Kreis und Kugel*, 1916): k is 1 / FLATTEST at least, d is
//! h / (2 FLATTEST). So h'' is no more than 2 - h / FLATTEST^2, and h no more than the square of that sphere's chord,
//! for which the two are equal (Sturm's comparison). A geodesic is no shorter, then, than the arc of such a sphere over
//! the same chord; by two centimeters at 100 km, by 20 m at 1,000 km. That holds for all that are no longer than half of
//! such a sphere's circle, and no shortest way is.
//!
//! A sphere of the radius [`SHARPEST`] lies within the ellipsoid wherever it touches it, so a shortest way is no longer
//! than the arc of that one.
//!
//! **Edges.** A curve that is passed in the time 1 is no farther from the straight way between its ends than an eighth
//! of its greatest acceleration, in space.

use std::f64::consts::{FRAC_PI_2, PI};

use quadrille::Aabb;

use super::ellipsoid::{LONGER, Point, SHORTER, SLACK};

/// Meters from the middle of the earth.
pub(super) type Spot = [f64; 3];

/// The greatest radius of curvature: at the poles.
const FLATTEST: f64 = LONGER * LONGER / SHORTER;
/// The least radius of curvature: of meridians, at the equator.
const SHARPEST: f64 = SHORTER * SHORTER / LONGER;
/// Square of the eccentricity.
const ECCENTRIC: f64 = 1.0 - (SHORTER / LONGER) * (SHORTER / LONGER);

/// A box around all points of a box of degrees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solid {
    pub(super) min: Spot,
    max: Spot,
}

/// Where a point is.
pub(super) fn spot([longitude, latitude]: Point) -> Spot {
    let ([sin, cos], [radius, height]) = (directions(longitude), parallel(latitude));
    [radius * cos, radius * sin, height]
}

/// The radius of a parallel, and how far it is above the equator.
fn parallel(latitude: f64) -> [f64; 2] {
    let [sin, cos] = directions(latitude);
    let normal = radii(sin)[0];
    [normal * cos, normal * (1.0 - ECCENTRIC) * sin]
}

/// The radii of curvature eastward and northward, given the sine of the latitude.
pub(super) fn radii(sin: f64) -> [f64; 2] {
    let square = 1.0 - ECCENTRIC * sin * sin;
    let normal = LONGER / square.sqrt();
    [normal, normal * (1.0 - ECCENTRIC) / square]
}

fn directions(degrees: f64) -> [f64; 2] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    [sin, cos]
}

/// The least and the greatest cosine in a range of degrees.
fn cosines(from: f64, to: f64) -> [f64; 2] {
    let ends = [from, to].map(|degrees| directions(degrees)[1]);
    let has = |degrees: f64| ((to - degrees) / 360.0).floor() * 360.0 + degrees >= from;
    [if has(180.0) { -1.0 } else { ends[0].min(ends[1]) }, if has(0.0) { 1.0 } else { ends[0].max(ends[1]) }]
}

impl Solid {
    pub(super) fn new(bounds: &Aabb<f64>) -> Self {
        let ([west, south], [east, north]) = (bounds.min, bounds.max);
        if west == east && south == north {
            let only = spot([west, south]);
            return Self { min: only, max: only };
        }
        let [lower, upper] = [south, north].map(parallel);
        // The widest parallel is the one nearest to the equator.
        let widest = if south <= 0.0 && north >= 0.0 { LONGER } else { lower[0].max(upper[0]) };
        let narrowest = lower[0].min(upper[0]);
        let across = |[least, most]: [f64; 2]| {
            [least * if least < 0.0 { widest } else { narrowest }, most * if most < 0.0 { narrowest } else { widest }]
        };
        let [x, y] = [cosines(west, east), cosines(west - 90.0, east - 90.0)].map(across);
        Self { min: [x[0], y[0], lower[1]], max: [x[1], y[1], upper[1]] }
    }

    /// The square of the least chord between points of two.
    pub(super) fn square_to(&self, other: &Self) -> f64 {
        let gap = |axis: usize| (self.min[axis] - other.max[axis]).max(other.min[axis] - self.max[axis]).max(0.0);
        (0..3).map(|axis| gap(axis) * gap(axis)).sum()
    }
}

/// A lower bound, in meters, of geodesics over a chord.
pub(super) fn least_over(chord: f64) -> f64 {
    let half = (chord / (2.0 * FLATTEST)).min(1.0);
    // The first terms of the arc's series, none of which is negative.
    let arc = if half < 0.1 { half * (1.0 + half * half * (1.0 / 6.0 + half * half * 0.075)) } else { half.asin() };
    2.0 * FLATTEST * arc
}

/// An upper bound, in meters, of the shortest path over a chord.
pub(super) fn greatest_over(chord: f64) -> f64 {
    if chord < SHARPEST { 2.0 * SHARPEST * (chord / (2.0 * SHARPEST)).asin() + SLACK } else { f64::INFINITY }
}

/// Squares of chords: over the first and shorter ones, ways are surely no longer than `most` meters; over those longer than
/// the second, they surely are.
pub(super) fn deciding_squares(most: f64) -> [f64; 2] {
    let chord = |radius: f64, arc: f64| 2.0 * radius * (arc / (2.0 * radius)).min(FRAC_PI_2).sin();
    let surely = chord(SHARPEST, most - 2.0 * SLACK).min(SHARPEST) - SLACK;
    let perhaps = if most < PI * FLATTEST { chord(FLATTEST, most) + 2.0 * SLACK } else { f64::INFINITY };
    [if surely > 0.0 { surely * surely } else { -1.0 }, perhaps * perhaps]
}

/// A lower bound of the chord to any point of an edge, and how much less it may be than the chord to the straight
/// segment between the ends.
pub(super) fn chord_to_edge(from: Spot, ends: [Spot; 2], edge: [Point; 2]) -> [f64; 2] {
    let bent = bend(edge);
    [(to_straight(from, ends) - bent - SLACK).max(0.0), bent]
}

/// The greatest distance, in meters, of points of an edge from the straight segment between its ends. Of one that is
/// straight in degrees, the acceleration along the earth is no more than `LONGER` (4 x^2 + 2 y^2), with twice what a
/// sphere has for the ellipsoid's sake, that toward its middle 1.02 `LONGER` (x^2 + y^2). That of a geodesic is less.
pub(super) fn bend([from, to]: [Point; 2]) -> f64 {
    let [x, y] = [0, 1].map(|axis| (to[axis] - from[axis]).to_radians());
    0.65 * LONGER * (x * x + y * y)
}

/// The square of a chord.
pub(super) fn square(a: Spot, b: Spot) -> f64 {
    let course = minus(a, b);
    dot(course, course)
}

fn minus(a: Spot, b: Spot) -> Spot {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: Spot, b: Spot) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The least chord between two straight segments: from an end of one to the other, or within both. Of segments that are
/// nearly parallel, the points within are uncertain, but then an end is as near as rounding allows.
pub(super) fn segments_apart(a: [Spot; 2], b: [Spot; 2]) -> f64 {
    let ends = [to_straight(a[0], b), to_straight(a[1], b), to_straight(b[0], a), to_straight(b[1], a)];
    let of_ends = ends.into_iter().fold(f64::INFINITY, f64::min);
    let (u, v, w) = (minus(a[1], a[0]), minus(b[1], b[0]), minus(a[0], b[0]));
    let (uu, uv, vv, uw, vw) = (dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w));
    let whole = uu * vv - uv * uv;
    let (s, t) = ((uv * vw - vv * uw) / whole, (uu * vw - uv * uw) / whole);
    // Of parallel segments, neither is a number.
    if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
        let rest = [0, 1, 2].map(|axis| w[axis] + s * u[axis] - t * v[axis]);
        of_ends.min(dot(rest, rest).sqrt())
    } else {
        of_ends
    }
}

fn to_straight(from: Spot, [start, end]: [Spot; 2]) -> f64 {
    let (along, course) = (minus(end, start), minus(from, start));
    let whole = dot(along, along);
    let share = if whole > 0.0 { (dot(along, course) / whole).clamp(0.0, 1.0) } else { 0.0 };
    let rest = [0, 1, 2].map(|axis| course[axis] - share * along[axis]);
    dot(rest, rest).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::edge::tests::at;
    use super::super::edge::{Edges, divide};
    use super::super::measure::distance;
    use super::super::measure::tests::random_box;
    use super::*;

    fn chord(a: Spot, b: Spot) -> f64 {
        square(a, b).sqrt()
    }

    #[test]
    fn no_geodesic_is_shorter_than_its_chord_tells_and_near_ones_hardly_longer() {
        let mut random = fastrand::Rng::with_seed(41);
        for round in 0..20_000 {
            let a = random_box(&mut random, 0.0).min;
            let wide = [1e-4, 0.1, 10.0, 360.0][round % 4];
            let near = [0, 1].map(|axis| a[axis] + (random.f64() - 0.5) * wide);
            let b = [near[0], near[1].clamp(-90.0, 90.0)];
            let (least, far) =
                (least_over(chord(spot(a), spot(b))), distance(&Aabb::from_point(a), &Aabb::from_point(b)));
            let most = greatest_over(chord(spot(a), spot(b)));
            assert!(least <= far + 1e-7 && far <= most, "{a:?} {b:?}: {least} to {most}, but {far}");
            let short = 1e-7 + 2.2e-17 * far.powi(3);
            assert!(far > 1e6 || far - least <= short, "{a:?} {b:?}: {least}, but {far}");
            for limit in [far * 0.999, far, far * 1.001] {
                let ([surely, perhaps], square) = (deciding_squares(limit), square(spot(a), spot(b)));
                let is_open = square > surely && square <= perhaps;
                assert!(is_open || (square <= surely) == (far <= limit), "{a:?} {b:?} {limit}");
                assert!(!is_open || limit == far || !(1.0..1e6).contains(&far), "{a:?} {b:?} {limit}");
            }
        }
    }

    #[test]
    fn solids_have_all_places_of_their_boxes() {
        let mut random = fastrand::Rng::with_seed(42);
        for round in 0..4_000 {
            let bounds = random_box(&mut random, [0.01, 3.0, 100.0, 360.0][round % 4]);
            let solid = Solid::new(&bounds);
            for corner in 0..24 {
                // Corners, sides, and the axes of space.
                let mut share = |n: usize| [0.0, 1.0, random.f64()][n % 3];
                let [u, v] = [share(corner), share(corner / 3)];
                let mut point = [0, 1].map(|axis| bounds.min[axis] + [u, v][axis] * bounds.size()[axis]);
                let quarter = (point[0] / 90.0).round() * 90.0;
                if corner > 17 && quarter >= bounds.min[0] && quarter <= bounds.max[0] {
                    point[0] = quarter;
                }
                let here = spot(point);
                let is_in =
                    (0..3).all(|axis| solid.min[axis] - 1e-6 <= here[axis] && here[axis] <= solid.max[axis] + 1e-6);
                assert!(is_in, "{bounds:?} {point:?} {solid:?} {here:?}");
                let own = Solid::new(&Aabb::from_point(point));
                assert!(own.square_to(&solid) < 1e-9 && solid.square_to(&own) < 1e-9);
            }
        }
    }

    #[test]
    fn no_place_of_an_edge_is_nearer_than_its_chord_tells() {
        let mut random = fastrand::Rng::with_seed(43);
        for round in 0..2_000 {
            let edges = [Edges::Straight, Edges::Geodesic][round % 2];
            let wide = [1e-3, 0.1, 4.0, 60.0][round / 2 % 4];
            let from = random_box(&mut random, 0.0).min;
            let mut near = |wide: f64| {
                [
                    from[0] + (random.f64() - 0.5) * 2.0 * wide,
                    (from[1] + (random.f64() - 0.5) * wide).clamp(-90.0, 90.0),
                ]
            };
            let (to, point) = (near(wide), near(wide));
            let mut points = vec![from];
            divide(edges, [from, to], &mut points);
            for edge in points.windows(2).map(|edge| [edge[0], edge[1]]) {
                let [least, bent] = chord_to_edge(spot(point), edge.map(spot), edge);
                for part in 0..=40 {
                    let far = chord(spot(at(edges, edge, f64::from(part) / 40.0)), spot(point));
                    assert!(least <= far, "{edges:?} {edge:?} {point:?}: {least}, but {far}");
                }
                assert!(bent <= 20.0 || wide > 0.1, "{edge:?}: {bent}");
            }
        }
    }
}
