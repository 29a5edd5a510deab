//! Pairs on the earth: coordinates are degrees of longitude and latitude, distances meters on the ellipsoid WGS 84.
//!
//! Candidates come from boxes of degrees that are surely wide enough; the geodesic decides (Charles Karney, *Algorithms
//! for geodesics*, 2013: exact to 15 nanometers). Places on either side of the antimeridian or of a pole are near each
//! other.
//!
//! The distance of two boxes is that between two of their points. They are the nearest on a sphere; on the ellipsoid,
//! others may be nearer by a thousandth of the distance.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use geographiclib_rs::{Geodesic, InverseGeodesic};
use quadrille::{Aabb, AnyStructure, Index, Near, Overlaps, StructureKind};
use quadrille_files::Shapes;

use super::Sets;
use super::question::Question;
use crate::failure::Failure;

/// Meters: the mean radius of the earth.
const RADIUS: f64 = 6_371_008.8;
/// A sphere of that radius measures distances wrong by half of this at most.
const SLACK: f64 = 1.01;

static EARTH: LazyLock<Geodesic> = LazyLock::new(Geodesic::wgs84);

/// The boxes of one or two sets, ready for a question.
#[derive(Debug)]
pub(super) struct Globe<'a> {
    pub(super) question: Question,
    first: &'a [Aabb<f64>],
    second: &'a [Aabb<f64>],
    /// The second set or the only one; the west of each box is in [-180, 180).
    asked: Index<AnyStructure<f64>>,
    is_one_set: bool,
}

impl<'a> Globe<'a> {
    pub(super) fn new(question: Question, sets: Sets<'a>, structure: StructureKind) -> Result<Self, Failure> {
        let other = sets.other();
        check(sets.first)?;
        check(other)?;
        let turned: Vec<_> = other.boxes.iter().map(turned).collect();
        let asked = Index::with_boxes(structure.into(), &turned)?;
        let (first, second) = (sets.first.boxes.as_slice(), other.boxes.as_slice());
        Ok(Self { question, first, second, asked, is_one_set: sets.second.is_none() })
    }

    pub(super) fn visit<B>(&self, visit: &mut impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut candidates = Vec::new();
        for (a, bounds) in (0..).zip(self.first) {
            match self.question {
                Question::Nearest { count, most } => {
                    let count = count as usize;
                    let most = self.most_for_nearest(a, bounds, count).min(most);
                    let mut found = self.near(a, bounds, most, &mut candidates);
                    found.sort_by(|(d, b), (e, c)| d.total_cmp(e).then(b.cmp(c)));
                    found.into_iter().take(count).try_for_each(|(_, b)| visit(a, b))?;
                }
                Question::Within(most) => {
                    let found = self.near(a, bounds, most, &mut candidates).into_iter();
                    found.filter(|(_, b)| !self.is_one_set || a < *b).try_for_each(|(_, b)| visit(a, b))?;
                }
                Question::Overlap | Question::Inside | Question::Contains => {}
            }
        }
        ControlFlow::Continue(())
    }

    /// Others no farther away than `most`, with their distances, by number.
    fn near(&self, a: u32, bounds: &Aabb<f64>, most: f64, candidates: &mut Vec<u32>) -> Vec<(f64, u32)> {
        candidates.clear();
        let reach = reach(&turned(bounds), most);
        for turn in [-360.0, 0.0, 360.0] {
            let _ = self.asked.query_visit(Overlaps(reach.with_offset([turn, 0.0])), |b| {
                candidates.push(b);
                ControlFlow::<()>::Continue(())
            });
        }
        candidates.sort_unstable();
        candidates.dedup();
        let others = candidates.iter().filter(|b| !self.is_one_set || **b != a);
        let far = others.map(|&b| (distance(bounds, &self.second[b as usize]), b));
        far.filter(|(distance, _)| *distance <= most).collect()
    }

    /// A distance within which there are at least `count` others, if there are that many: that of the nearest in
    /// degrees.
    fn most_for_nearest(&self, a: u32, bounds: &Aabb<f64>, count: usize) -> f64 {
        let mut hits = Vec::new();
        self.asked.query_first_into(Near::aabb(turned(bounds)), count + usize::from(self.is_one_set), &mut hits);
        let others = hits.iter().map(|hit| hit.id).filter(|b| !self.is_one_set || *b != a).take(count);
        let distances: Vec<_> = others.map(|b| distance(bounds, &self.second[b as usize])).collect();
        if distances.len() < count { f64::INFINITY } else { distances.into_iter().fold(0.0, f64::max) }
    }
}

/// Fails unless all boxes are on the globe.
fn check(shapes: &Shapes) -> Result<(), Failure> {
    for (number, bounds) in (0..).zip(&shapes.boxes) {
        let ([west, south], [east, north]) = (bounds.min, bounds.max);
        let what = if south < -90.0 || north > 90.0 {
            format!("latitude {} is beyond a pole", if south < -90.0 { south } else { north })
        } else if west < -360.0 || east > 360.0 {
            format!("{} is not a longitude", if west < -360.0 { west } else { east })
        } else {
            continue;
        };
        let row = shapes.row(number);
        return Err(Failure::Bad(format!(
            "{}: row {row} (from 0): {what}; --metric geodesic needs degrees",
            shapes.name
        )));
    }
    Ok(())
}

/// The same box with its west in [-180, 180).
fn turned(bounds: &Aabb<f64>) -> Aabb<f64> {
    let west = bounds.min[0];
    let turns = ((west + 180.0) / 360.0).floor() * 360.0;
    if turns == 0.0 { *bounds } else { bounds.with_offset([-turns, 0.0]) }
}

/// A box of degrees that has all that is no farther from `bounds` than `most` meters, its longitudes not wrapped.
fn reach(bounds: &Aabb<f64>, most: f64) -> Aabb<f64> {
    let angle = most / RADIUS * SLACK + 1e-12;
    let [south, north] = [bounds.min[1], bounds.max[1]].map(f64::to_radians);
    let (lowest, highest) = ((south - angle).to_degrees(), (north + angle).to_degrees());
    if lowest <= -90.0 || highest >= 90.0 {
        return Aabb::new([-1000.0, lowest.max(-100.0)], [1000.0, highest.min(100.0)]);
    }
    // A circle touches the meridians nearer to the pole than its middle is: a right-angled triangle with the pole.
    let wide = (angle.sin() / south.abs().max(north.abs()).cos()).min(1.0).asin().to_degrees() + 1e-9;
    Aabb::new([bounds.min[0] - wide, lowest], [bounds.max[0] + wide, highest])
}

/// Meters between the nearest points of two boxes (see the top of this file).
pub(super) fn distance(a: &Aabb<f64>, b: &Aabb<f64>) -> f64 {
    let ([south, north], [other_south, other_north]) = ([a.min[1], a.max[1]], [b.min[1], b.max[1]]);
    let gap = longitudes_between(a, b);
    if south == north && other_south == other_north {
        return along_geodesic(south, other_south, gap);
    }
    if gap == 0.0 {
        let apart = (other_south - north).max(south - other_north);
        let (from, to) = if other_south > north { (north, other_south) } else { (other_north, south) };
        return if apart <= 0.0 { 0.0 } else { along_geodesic(from, to, 0.0) };
    }
    // The nearest points lie on the two meridians that face each other, and one of them is an end: of each end, the
    // foot on the other.
    let feet = |ends: [f64; 2], [low, high]: [f64; 2]| {
        ends.map(|end| {
            let (sin, cos) = end.to_radians().sin_cos();
            let foot = sin.atan2(cos * gap.to_radians().cos()).to_degrees().clamp(low, high);
            [foot, low, high].map(|other| (end, other))
        })
    };
    let ours = feet([south, north], [other_south, other_north]);
    let theirs = feet([other_south, other_north], [south, north]).map(|pairs| pairs.map(|(end, other)| (other, end)));
    let pairs = ours.iter().chain(&theirs).flatten();
    let nearest = pairs.min_by(|(a, b), (c, d)| on_sphere(*a, *b, gap).total_cmp(&on_sphere(*c, *d, gap)));
    nearest.map_or(0.0, |(from, to)| along_geodesic(*from, *to, gap))
}

/// Degrees of longitude between two boxes, the short way around; zero if they share a meridian.
fn longitudes_between(a: &Aabb<f64>, b: &Aabb<f64>) -> f64 {
    let eastward = |from: f64, to: f64| (to - from).rem_euclid(360.0);
    let ([west, east], [other_west, other_east]) = ([a.min[0], a.max[0]], [b.min[0], b.max[0]]);
    if eastward(west, other_west) <= east - west || eastward(other_west, west) <= other_east - other_west {
        return 0.0;
    }
    eastward(east, other_west).min(eastward(other_east, west))
}

/// The haversine of the angle between two latitudes that many degrees of longitude apart: it grows with the distance.
fn on_sphere(from: f64, to: f64, longitudes: f64) -> f64 {
    let haversine = |degrees: f64| (degrees.to_radians() / 2.0).sin().powi(2);
    haversine(to - from) + from.to_radians().cos() * to.to_radians().cos() * haversine(longitudes)
}

fn along_geodesic(from: f64, to: f64, longitudes: f64) -> f64 {
    EARTH.inverse(from, 0.0, to, longitudes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers without pattern in [0, 1) (Marsaglia's xorshift).
    struct Random(u64);

    impl Random {
        fn unit(&mut self) -> f64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }

        fn bounds(&mut self, widest: f64) -> Aabb<f64> {
            let (west, south) = (self.unit() * 360.0 - 180.0, self.unit() * 180.0 - 90.0);
            let (width, height) = (self.unit() * widest, (self.unit() * widest).min(90.0 - south));
            Aabb::new([west, south], [west + width, south + height])
        }
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

    #[test]
    fn distances_of_boxes_are_never_too_short_and_hardly_too_long() {
        let mut random = Random(5);
        for _ in 0..150 {
            let (a, b) = (random.bounds(40.0), random.bounds(40.0));
            let found = distance(&a, &b);
            let steps = |bounds: &Aabb<f64>, axis: usize, step: u32| {
                bounds.min[axis] + (bounds.max[axis] - bounds.min[axis]) * f64::from(step) / 40.0
            };
            let gap = longitudes_between(&a, &b);
            let mut least = f64::INFINITY;
            for from in 0..=40 {
                for to in 0..=40 {
                    least = least.min(along_geodesic(steps(&a, 1, from), steps(&b, 1, to), gap));
                }
            }
            assert!(found <= least * 1.001 + 1e-6, "{a:?} {b:?}: {found}, but {least}");
        }
    }

    #[test]
    fn reach_has_all_that_is_near() {
        let mut random = Random(11);
        for _ in 0..20_000 {
            let (a, b) = (random.bounds(3.0), Aabb::from_point(random.bounds(0.0).min));
            let a = turned(&a);
            let far = distance(&a, &b);
            let reach = reach(&a, far);
            let is_reached =
                [-360.0, 0.0, 360.0].iter().any(|turn| reach.with_offset([*turn, 0.0]).intersects(&turned(&b)));
            assert!(is_reached, "{a:?} {b:?} {far}");
        }
    }
}
