//! The narrowest box around the earth that holds a geometry, whose longitudes may continue beyond the antimeridian.
//!
//! Each line or ring covers an arc of longitudes: an edge takes the short way around, so one from 179 to -179 crosses the antimeridian. The
//! largest gap that all arcs leave is outside the box. So a polygon that was cut in two at the antimeridian (RFC 7946, 3.1.9) is as narrow
//! as one that was not.

use quadrille::Aabb;

/// Degrees around the earth.
const ROUND: f64 = 360.0;

/// The lines and rings of one geometry.
#[derive(Debug, Default)]
pub(crate) struct Arcs {
    /// West and east of each; the east may be beyond 180.
    done: Vec<[f64; 2]>,
    open: Option<Part>,
    /// Latitudes that are reached because a ring goes around a pole.
    poles: Vec<f64>,
}

/// A line or ring that goes on.
#[derive(Debug)]
struct Part {
    first: [f64; 2],
    last: [f64; 2],
    /// Degrees that have to be added to a longitude, for the ways that crossed the antimeridian: a multiple of 360.
    turned: f64,
    west: f64,
    east: f64,
    south: f64,
    north: f64,
}

impl Arcs {
    /// What comes now does not belong to the line before.
    pub(crate) fn begin_part(&mut self) {
        let Some(part) = self.open.take() else { return };
        self.done.push([part.west, part.east]);
        if part.turned != 0.0 && part.first == part.last {
            self.poles.push(if part.south + part.north >= 0.0 { 90.0 } else { -90.0 });
        }
    }

    /// The next position of the line or ring.
    pub(crate) fn add(&mut self, longitude: f64, latitude: f64) {
        let position = [longitude, latitude];
        let Some(part) = &mut self.open else {
            let (west, south) = (longitude, latitude);
            let (first, last) = (position, position);
            self.open = Some(Part { first, last, turned: 0.0, west, east: west, south, north: south });
            return;
        };
        let step = longitude - part.last[0];
        // From -180 to 180 is once around: an edge of a map of the whole earth.
        if step.abs() > ROUND / 2.0 && step.abs() < ROUND {
            part.turned -= ROUND.copysign(step);
        }
        part.last = position;
        part.west = part.west.min(longitude + part.turned);
        part.east = part.east.max(longitude + part.turned);
        part.south = part.south.min(latitude);
        part.north = part.north.max(latitude);
    }

    /// The narrowest box, given the one on the plane; that one if no other is narrower.
    pub(crate) fn narrowed(mut self, plane: Aabb<f64>) -> Aabb<f64> {
        self.begin_part();
        let [west, east] = narrowest(self.done, [plane.min[0], plane.max[0]]);
        let all = Aabb::new([west, plane.min[1]], [east, plane.max[1]]);
        self.poles.iter().fold(all, |all, pole| all.union(&Aabb::from_point([west, *pole])))
    }
}

/// West and east of what holds all arcs and leaves out their largest gap; `plane` if that is no wider. The west is in [-180, 180).
fn narrowest(mut arcs: Vec<[f64; 2]>, plane: [f64; 2]) -> [f64; 2] {
    // Callers that need longitudes report what is none.
    if plane[0] < -ROUND || plane[1] > ROUND || arcs.is_empty() {
        return plane;
    }
    for [west, east] in &mut arcs {
        let turns = ((*west + ROUND / 2.0) / ROUND).floor() * ROUND;
        *west -= turns;
        *east -= turns;
    }
    arcs.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut reached = f64::NEG_INFINITY;
    let (mut widest, mut best) = (f64::NEG_INFINITY, plane);
    let after = [arcs[0][0] + ROUND, arcs[0][1] + ROUND];
    for [west, east] in arcs.into_iter().chain([after]) {
        let gap = west - reached;
        if reached > f64::NEG_INFINITY && gap >= widest {
            (widest, best) = (gap, [west - ROUND, reached]);
        }
        reached = reached.max(east);
    }
    if widest <= 0.0 {
        return [-ROUND / 2.0, ROUND / 2.0];
    }
    let [mut west, mut east] = best;
    if west < -ROUND / 2.0 {
        (west, east) = (west + ROUND, east + ROUND);
    }
    if east - west < plane[1] - plane[0] { [west, east] } else { plane }
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
        // No longitude: not turned into one.
        assert_eq!(narrowed(&[&[[500.0, 0.0]]]), Aabb::from_point([500.0, 0.0]));
    }

    #[test]
    fn a_ring_around_a_pole_has_the_pole() {
        let arctic = [[0.0, 70.0], [90.0, 60.0], [180.0, 70.0], [-90.0, 75.0], [0.0, 70.0]];
        assert_eq!(narrowed(&[&arctic]), Aabb::new([-180.0, 60.0], [180.0, 90.0]));
        let antarctic = arctic.map(|[x, y]| [-x, -y]);
        assert_eq!(narrowed(&[&antarctic]), Aabb::new([-180.0, -90.0], [180.0, -60.0]));
    }
}
