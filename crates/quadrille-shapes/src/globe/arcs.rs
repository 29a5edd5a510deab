//! The narrowest box around the earth that holds a geometry, whose longitudes may continue beyond the antimeridian.
//!
//! Each line or ring covers an arc of longitudes, because its edges go the shorter way around: see `longitude.rs`. The
//! largest gap that all arcs leave is outside the box. So a polygon that was cut in two at the
//! antimeridian (RFC 7946, 3.1.9) is as narrow as one that was not.

use std::cmp::Ordering;

use quadrille::Aabb;

use super::ellipsoid::Point;
use super::longitude::{TURN, degrees_between, moved_up, turns};

/// The narrowest box of degrees around the lines and rings of one geometry, whose longitudes may continue beyond 180.
///
/// An edge goes the shorter way around: one from 179 to -179 crosses the antimeridian, one from 180 to -180 goes along
/// it. Only a side of a map of the whole earth, whose neighbors go along the antimeridian in the same direction, goes
/// once around. Half a turn goes as it is written.
#[derive(Clone, Debug, Default)]
pub struct Arcs {
    /// West and east of each; the east may be beyond 180.
    done: Vec<[Longitude; 2]>,
    /// The points of the last line or ring.
    open: Vec<Point>,
    /// Whether any of them crosses the antimeridian.
    has_crossed: bool,
    /// Latitudes that are reached because a ring goes around a pole.
    poles: Vec<f64>,
}

/// A longitude of the file, and a multiple of 360 that it is moved by. The sum is not computed, because it would be
/// rounded, and the same longitude in another geometry would not.
#[derive(Clone, Copy, Debug)]
struct Longitude {
    own: f64,
    moved: f64,
}

impl Longitude {
    fn moved_by(self, degrees: f64) -> Self {
        Self { moved: self.moved + degrees, ..self }
    }

    /// Degrees eastward to another: negative if that is to the west.
    fn to(self, other: Self) -> f64 {
        degrees_between(self.own, other.own, other.moved - self.moved)
    }

    fn order(&self, other: &Self) -> Ordering {
        0.0_f64.total_cmp(&(self.to(*other) + 0.0))
    }

    fn lesser(self, other: Self) -> Self {
        if self.to(other) < 0.0 { other } else { self }
    }

    fn greater(self, other: Self) -> Self {
        if self.to(other) > 0.0 { other } else { self }
    }
}

impl Arcs {
    /// Begins a line or ring of its own: the next position is not connected to the last one.
    pub fn begin_part(&mut self) {
        let Some(first) = self.open.first() else { return };
        let mut here = Longitude { own: first[0], moved: 0.0 };
        let [mut west, mut east] = [here; 2];
        for (point, turn) in self.open[1..].iter().zip(turns(&self.open)) {
            here = Longitude { own: point[0], moved: here.moved - turn };
            self.has_crossed |= turn != 0.0;
            (west, east) = (west.lesser(here), east.greater(here));
        }
        self.done.push([west, east]);
        if here.moved != 0.0 && self.open.first() == self.open.last() {
            let latitudes = || self.open.iter().map(|point| point[1]);
            let (south, north) = (latitudes().fold(90.0, f64::min), latitudes().fold(-90.0, f64::max));
            self.poles.push(if south + north >= 0.0 { 90.0 } else { -90.0 });
        }
        self.open.clear();
    }

    /// The next position of the line or ring.
    pub fn add(&mut self, longitude: f64, latitude: f64) {
        self.open.push([longitude, latitude]);
    }

    /// The narrowest box, or `plane`, the box of the plain coordinates, if no other is narrower. Its west is a
    /// longitude of the geometry; so is its east, perhaps moved by a full turn.
    #[must_use]
    pub fn narrowed(mut self, plane: Aabb<f64>) -> Aabb<f64> {
        self.begin_part();
        let sides = [plane.min[0], plane.max[0]];
        // Callers that need longitudes report invalid ones.
        let [west, east] = if sides[0] < -TURN || sides[1] > TURN || self.done.is_empty() {
            sides
        } else {
            let [west, east] = narrowest(self.done);
            if self.has_crossed || east - west < sides[1] - sides[0] { [west, east] } else { sides }
        };
        let all = Aabb::new([west, plane.min[1]], [east, plane.max[1]]);
        self.poles.iter().fold(all, |all, pole| all.union(&Aabb::from_point([west, *pole])))
    }
}

/// West and east of the range that holds all arcs and leaves out their largest gap; the whole earth if there is no gap.
fn narrowest(mut arcs: Vec<[Longitude; 2]>) -> [f64; 2] {
    for [west, east] in &mut arcs {
        let turns = ((west.own + west.moved + TURN / 2.0) / TURN).floor() * TURN;
        (*west, *east) = (west.moved_by(-turns), east.moved_by(-turns));
    }
    arcs.sort_by(|a, b| a[0].order(&b[0]));
    let after = arcs[0].map(|side| side.moved_by(TURN));
    // The first may lie within another that goes on beyond 180.
    let mut reached = arcs.iter().map(|arc| arc[1].moved_by(-TURN)).fold(arcs[0][1], Longitude::greater);
    let (mut widest, mut best) = (0.0, None);
    for [west, east] in arcs.into_iter().skip(1).chain([after]) {
        let gap = reached.to(west);
        if gap > 0.0 && gap >= widest {
            (widest, best) = (gap, Some([west.moved_by(-TURN), reached]));
        }
        reached = reached.greater(east);
    }
    let Some([west, east]) = best else { return [-TURN / 2.0, TURN / 2.0] };
    [west.own, moved_up(east.own, east.moved - west.moved)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrowed(parts: &[&[[f64; 2]]]) -> Aabb<f64> {
        let mut arcs = Arcs::default();
        for part in parts {
            arcs.begin_part();
            part.iter().for_each(|[x, y]| arcs.add(*x, *y));
        }
        let all = parts.iter().copied().flatten().fold(Aabb::EMPTY, |all, at| all.union(&Aabb::from_point(*at)));
        arcs.narrowed(all)
    }

    fn ring([west, south]: [f64; 2], [east, north]: [f64; 2]) -> Vec<[f64; 2]> {
        vec![[west, south], [east, south], [east, north], [west, north], [west, south]]
    }

    #[test]
    fn what_crosses_the_antimeridian_is_narrow_cut_or_not() {
        let fiji = Aabb::new([177.0, -20.0], [182.0, -15.0]);
        assert_eq!(narrowed(&[&ring([177.0, -20.0], [180.0, -15.0]), &ring([-180.0, -20.0], [-178.0, -15.0])]), fiji);
        assert_eq!(narrowed(&[&ring([177.0, -20.0], [-178.0, -15.0])]), fiji);
        assert_eq!(narrowed(&[&ring([-183.0, -20.0], [-178.0, -15.0])]), fiji.with_offset([-360.0, 0.0]));
        assert_eq!(narrowed(&[&[[177.0, -20.0]], &[[-178.0, -15.0]]]), fiji);
        // Parts in any order, one of them within another.
        let parts =
            [ring([-180.0, 1.0], [-170.0, 2.0]), ring([170.0, 0.0], [175.0, 1.0]), ring([160.0, 0.0], [180.0, 3.0])];
        let parts = parts.each_ref().map(Vec::as_slice);
        assert_eq!(narrowed(&parts), Aabb::new([160.0, 0.0], [190.0, 3.0]));
    }

    #[test]
    fn what_does_not_cross_stays_as_it_is() {
        for (min, max) in [([-10.0, 40.0], [20.0, 60.0]), ([350.0, 0.0], [355.0, 1.0]), ([-90.0, 0.0], [90.0, 1.0])] {
            assert_eq!(narrowed(&[&ring(min, max)]), Aabb::new(min, max));
        }
        // The whole earth; a continent cut at the edge of the map, its pole given.
        assert_eq!(narrowed(&[&ring([-180.0, -90.0], [180.0, 90.0])]), Aabb::new([-180.0, -90.0], [180.0, 90.0]));
        let antarctica =
            [[-180.0, -80.0], [-60.0, -70.0], [60.0, -70.0], [180.0, -80.0], [180.0, -90.0], [-180.0, -90.0]];
        assert_eq!(narrowed(&[&antarctica]), Aabb::new([-180.0, -90.0], [180.0, -70.0]));
        // Not a longitude, and not turned into one.
        assert_eq!(narrowed(&[&[[500.0, 0.0]]]), Aabb::from_point([500.0, 0.0]));
    }

    /// A number of the kind that files have: with two decimals, with six, or with all that there are.
    fn decimal(random: &mut fastrand::Rng, from: f64, to: f64) -> f64 {
        let number = from + (to - from) * random.f64();
        let digits = [1e2, 1e6, f64::INFINITY][random.usize(..3)];
        if digits.is_finite() { (number * digits).round() / digits } else { number }
    }

    #[test]
    fn longitudes_of_any_digits_stay_as_they_are() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..20_000 {
            let west = decimal(&mut random, -180.0, 180.0);
            let east = decimal(&mut random, west, (west + 170.0).min(180.0));
            assert_eq!(narrowed(&[&[[west, 0.0]]]), Aabb::from_point([west, 0.0]));
            assert_eq!(narrowed(&[&ring([west, 0.0], [east, 1.0])]), Aabb::new([west, 0.0], [east, 1.0]));
        }
    }

    #[test]
    fn what_crosses_begins_at_its_own_longitude_and_is_never_too_short() {
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..20_000 {
            let (west, east) = (decimal(&mut random, 100.0, 179.99), decimal(&mut random, -180.0, -81.0));
            let whole = narrowed(&[&ring([west, 0.0], [east, 1.0])]);
            assert_eq!(whole.min, [west, 0.0]);
            assert!(degrees_between(whole.max[0], east, TURN) <= 0.0 && whole.max[0] - (east + TURN) < 1e-12);
            let cut: [&[_]; 2] = [&ring([-180.0, 0.0], [east, 1.0]), &ring([west, 0.0], [180.0, 1.0])];
            assert_eq!(narrowed(&cut), whole);
        }
    }

    #[test]
    fn a_line_far_across_the_antimeridian_is_not_taken_for_one_that_does_not_cross() {
        // The short ways from 100 to -100 and from -100 to 0: 260 degrees, though the longitudes span only 200.
        assert_eq!(narrowed(&[&[[0.0, 0.0], [100.0, 0.0], [-100.0, 1.0]]]), Aabb::new([0.0, 0.0], [260.0, 1.0]));
    }

    #[test]
    fn a_ring_around_a_pole_has_the_pole() {
        let arctic = [[0.0, 70.0], [90.0, 60.0], [180.0, 70.0], [-90.0, 75.0], [0.0, 70.0]];
        assert_eq!(narrowed(&[&arctic]), Aabb::new([-180.0, 60.0], [180.0, 90.0]));
        let antarctic = arctic.map(|[x, y]| [-x, -y]);
        assert_eq!(narrowed(&[&antarctic]), Aabb::new([-180.0, -90.0], [180.0, -60.0]));
    }

    #[test]
    fn all_parts_are_in_the_box_whichever_of_them_cross() {
        // An island in a lake: its box ends at the shore.
        let (shore, island) = (ring([177.0, -20.0], [-175.0, -15.0]), ring([-179.0, -18.0], [-178.0, -17.0]));
        assert_eq!(narrowed(&[&shore, &island]), Aabb::new([177.0, -20.0], [185.0, -15.0]));
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..20_000 {
            let parts: Vec<_> = (0..random.usize(1..5))
                .map(|_| [random.i32(-180..180), random.i32(1..179)].map(f64::from))
                .map(|[west, wide]| [[west, 0.0], [(west + wide + 180.0).rem_euclid(360.0) - 180.0, 1.0]])
                .collect();
            let whole = narrowed(&parts.iter().map(|part| &part[..]).collect::<Vec<_>>());
            for part in &parts {
                let inside = (part[0][0] - whole.min[0]).rem_euclid(360.0);
                let wide = (part[1][0] - part[0][0]).rem_euclid(360.0);
                let is_around = whole.size()[0] == 360.0;
                assert!(is_around || inside + wide <= whole.size()[0], "{parts:?}: {whole:?}");
            }
        }
    }
}
