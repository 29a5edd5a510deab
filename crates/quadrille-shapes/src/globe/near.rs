//! Points that are near each other: the straight way through the earth decides all but those about as far apart as allowed.

use quadrille::Aabb;

use super::chord::{Spot, deciding_squares, spot, square};
use super::longitude::TURN;
use super::measure::{Zone, distance};

/// Meters: the mean radius of the earth.
const RADIUS: f64 = 6_371_008.8;
/// A sphere of that radius measures distances wrong by half of this at most.
const SLACK: f64 = 1.01;

/// The points of one or two sets that may be within a distance of each other: those whose [boxes](Self::boxes) overlap.
/// Made by
/// [`Globe::near_points`](super::Globe::near_points).
#[derive(Clone, Debug)]
pub struct NearPoints<'a> {
    bounds: Bounds,
    first: Places<'a>,
    /// None: the first.
    second: Option<Places<'a>>,
}

/// Bounds of distances, compared with the greatest that is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    most: f64,
    squares: [f64; 2],
}

/// The points of a set, and copies, a turn to the east, of those near the antimeridian.
#[derive(Clone, Debug)]
struct Places<'a> {
    points: &'a [Aabb<f64>],
    boxes: Vec<Aabb<f64>>,
    spots: Vec<Spot>,
    /// The numbers of the points that are copied.
    copied: Vec<u32>,
}

impl<'a> NearPoints<'a> {
    /// No farther apart than `most` meters.
    pub(super) fn new(first: &'a [Aabb<f64>], second: Option<&'a [Aabb<f64>]>, most: f64) -> Self {
        let places = |points| Places::new(points, most);
        Self { bounds: Bounds::new(most), first: places(first), second: second.map(places) }
    }

    /// Boxes of degrees around the points of the first set and, if there are two, around those of the second. Two of
    /// them overlap if the points may be near each other.
    #[must_use]
    pub fn boxes(&self) -> (&[Aabb<f64>], Option<&[Aabb<f64>]>) {
        (&self.first.boxes, self.second.as_ref().map(|second| &second.boxes[..]))
    }

    /// Whether the points in two boxes, by position, are near each other.
    #[must_use]
    pub fn are_near(&self, a: u32, b: u32) -> bool {
        let (first, second) = (&self.first, self.other());
        self.bounds.is_within(square(first.spots[a as usize], second.spots[b as usize])).unwrap_or_else(|| {
            let [a, b] = [&first.points[first.number(a) as usize], &second.points[second.number(b) as usize]];
            is_within(&Zone::new(*a), b, self.bounds.most)
        })
    }

    /// The numbers of the points in two boxes: in one set, the lower one first. Near the antimeridian and the poles, a
    /// pair may be found twice.
    #[must_use]
    pub fn numbers(&self, a: u32, b: u32) -> (u32, u32) {
        let [a, b] = [self.first.number(a), self.other().number(b)];
        if self.second.is_some() { (a, b) } else { (a.min(b), a.max(b)) }
    }

    fn other(&self) -> &Places<'a> {
        self.second.as_ref().unwrap_or(&self.first)
    }
}

impl Bounds {
    pub(super) fn new(most: f64) -> Self {
        Self { most, squares: deciding_squares(most) }
    }

    /// Whether points this far apart, the square of the chord, are surely within the distance, or surely not.
    #[inline]
    pub(super) fn is_within(&self, square: f64) -> Option<bool> {
        let [surely, perhaps] = self.squares;
        if square <= surely { Some(true) } else { (square > perhaps).then_some(false) }
    }
}

impl<'a> Places<'a> {
    fn new(points: &'a [Aabb<f64>], most: f64) -> Self {
        let boxes = Vec::with_capacity(points.len());
        let mut places = Self { points, boxes, spots: spots(points), copied: Vec::new() };
        let mut copies = Vec::new();
        for (number, point) in (0..).zip(points) {
            let point = turned(point);
            let reach = reach(&point, most);
            // Each reaches half of the way to the other.
            let half = |reach: [f64; 2]| [0, 1].map(|axis| f64::midpoint(point.min[axis], reach[axis]));
            let bounds = Aabb::new(half(reach.min), half(reach.max));
            places.boxes.push(bounds);
            let is_around = reach.max[0] - reach.min[0] > TURN;
            if reach.min[0] < -TURN / 2.0 && !is_around {
                places.copied.push(number);
                places.spots.push(places.spots[number as usize]);
                copies.push(bounds.with_offset([TURN, 0.0]));
            }
        }
        places.boxes.append(&mut copies);
        places
    }

    /// The number of the point in a box.
    fn number(&self, position: u32) -> u32 {
        let points = self.points.len() as u32;
        if position < points { position } else { self.copied[(position - points) as usize] }
    }
}

/// Where points are.
pub(super) fn spots(points: &[Aabb<f64>]) -> Vec<Spot> {
    points.iter().map(|point| spot(point.min)).collect()
}

/// Whether two boxes are no farther apart than `most`. The distance is only measured if its bounds do not decide.
pub(super) fn is_within(zone: &Zone, other: &Aabb<f64>, most: f64) -> bool {
    let [least, greatest] = zone.bounds_of_distance(&Zone::new(*other));
    least <= most && (greatest <= most || distance(&zone.bounds, other) <= most)
}

/// The same box with its west in [-180, 180).
pub(super) fn turned(bounds: &Aabb<f64>) -> Aabb<f64> {
    let west = bounds.min[0];
    let turns = ((west + 180.0) / 360.0).floor() * 360.0;
    if turns == 0.0 { *bounds } else { bounds.with_offset([-turns, 0.0]) }
}

/// A box of degrees that holds everything within `most` meters of `bounds`, with longitudes that are not wrapped.
pub(super) fn reach(bounds: &Aabb<f64>, most: f64) -> Aabb<f64> {
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

#[cfg(test)]
mod tests {
    use super::super::{Edges, Globe, Set};
    use super::*;

    #[test]
    fn near_points_are_those_of_all_distances_anywhere_on_the_earth() {
        let mut random = fastrand::Rng::with_seed(51);
        for (middle, wide, most) in [
            ([8.0, 47.0], 0.004, 50.0),
            ([180.0, -10.0], 0.02, 300.0),
            ([-180.0, 70.0], 30.0, 500_000.0),
            ([0.0, 90.0], 0.01, 200.0),
            ([20.0, -89.0], 40.0, 900_000.0),
            ([0.0, 0.0], 360.0, 9_500_000.0),
            ([5.0, 5.0], 1.0, 0.0),
            ([5.0, 5.0], 300.0, f64::INFINITY),
        ] {
            let mut some = |count: usize| -> Vec<_> {
                let mut at = |axis: usize| middle[axis] + (random.f64() - 0.5) * wide;
                let place = |[x, y]: [f64; 2]| Aabb::from_point([x, if y > 90.0 { 180.0 - y } else { y.max(-90.0) }]);
                let mut all: Vec<_> = (0..count).map(|_| place([at(0), at(1).clamp(-100.0, 100.0)])).collect();
                all.push(all[0]);
                all
            };
            let (ours, theirs) = (some(60), some(50));
            for second in [None, Some(Set::of_boxes(&theirs))] {
                let globe = Globe::new(Set::of_boxes(&ours), second, Edges::Straight).unwrap();
                let near = globe.near_points(most).unwrap();
                let (boxes, others) = near.boxes();
                let mut found = Vec::new();
                for (a, here) in (0..).zip(boxes) {
                    let first = if second.is_some() { 0 } else { a + 1 };
                    let there = (0..).zip(others.unwrap_or(boxes)).skip(first as usize);
                    let candidates = there.filter(|(b, there)| here.intersects(there) && near.are_near(a, *b));
                    found.extend(candidates.map(|(b, _)| near.numbers(a, b)));
                }
                found.sort_unstable();
                found.dedup();
                let rows = |from: u32| from..second.map_or(ours.len(), |_| theirs.len()) as u32;
                let all = (0..ours.len() as u32)
                    .flat_map(|a| rows(if second.is_some() { 0 } else { a + 1 }).map(move |b| (a, b)));
                let expected: Vec<_> = all.filter(|(a, b)| globe.distance(*a, *b) <= most).collect();
                assert_eq!(found, expected, "{middle:?} {most}");
                assert!(most == 0.0 || expected.len() > 40, "{middle:?} {}", expected.len());
            }
        }
        let wide = [Aabb::new([0.0, 0.0], [1.0, 1.0])];
        assert!(Globe::new(Set::of_boxes(&wide), None, Edges::Straight).unwrap().near_points(1.0).is_none());
    }
}
