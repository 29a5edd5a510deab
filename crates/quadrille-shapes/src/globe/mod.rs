//! Distances on the earth: coordinates are degrees of longitude and latitude, distances meters on the ellipsoid WGS 84.
//!
//! [`Globe`] holds one or two sets of points, lines, polygons or boxes and finds the pairs [within a
//! distance](Globe::visit_within) and the [nearest](Globe::nearest). Points on opposite sides of the antimeridian or of
//! a pole are near each other. The caller says what [edges](Edges) are. They take the short way around the earth, except
//! in a ring around a whole map: there, those along a parallel from -180 to 180, or back, between two edges along the
//! antimeridian that are both north or both south of it, go all the way around, and no other edge may exceed 180 degrees.
//! Distances are never too long. They are too short by a micrometer at most between boxes, and by a millimeter between
//! points, lines and polygons; about 10,000 km away, by ten centimeters.
//!
//! ```
//! use quadrille_shapes::globe::{Edges, Globe, Set, narrow_boxes};
//! use quadrille_shapes::{Geometries, Part};
//!
//! let mut route = Geometries::new();
//! route.part(Part::Line);
//! [[-0.45, 51.47], [-73.78, 40.64]].into_iter().for_each(|[x, y]| route.vertex(x, y));
//! route.finish()?;
//! let mut islands = Geometries::new();
//! islands.part(Part::Point);
//! islands.vertex(-31.13, 39.45);
//! islands.finish()?;
//!
//! let [of_route, of_islands] = [&route, &islands].map(narrow_boxes);
//! let sets = [Set::of(&route, &of_route), Set::of(&islands, &of_islands)];
//! let far = |edges| Globe::new(sets[0], Some(sets[1]), edges).map(|globe| (globe.distance(0, 0) / 1000.0).round());
//! assert_eq!(far(Edges::Geodesic)?, 1540.0);
//! assert_eq!(far(Edges::Straight)?, 816.0);
//! # Ok::<(), quadrille_shapes::Fault>(())
//! ```

// How: candidates come from boxes of degrees that are surely wide enough; bounds of their distance decide, or the distance
// itself. Lines and polygons are compared edge by edge. The nearest are found best first.
//
// | file | contents |
// |---|---|
// | `ellipsoid.rs` | WGS 84, and how exact distances on it are |
// | `longitude.rs`, `arcs.rs` | longitudes that differ by whole turns; the narrowest box around the earth |
// | `measure.rs`, `chord.rs` | distances between boxes, and bounds of them: along the sphere, and straight through the earth |
// | `near.rs` | points that are near each other |
// | `edge.rs`, `pair.rs` | how far a point is from an edge, and two edges from each other |
// | `outlines.rs`, `between.rs` | how far a point is from lines and polygons, and these from each other |
// | `tree.rs` | the nearest boxes, best first |

mod arcs;
mod between;
mod chord;
mod edge;
mod ellipsoid;
mod longitude;
mod measure;
mod near;
mod outlines;
mod pair;
mod tree;

use std::borrow::Cow;
use std::ops::ControlFlow;

use quadrille::{Aabb, Index, Overlaps, Structure};

use self::chord::square;
use self::edge::Here;
use self::measure::Zone;
use self::near::{Bounds, is_within, reach, spots, turned};
use self::outlines::Outlines;
use self::tree::{Search, Tree};
use crate::batch::Kept;
use crate::best::Wanted;
use crate::distance::reach_of_boxes;
use crate::fault::{Fault, OffEarth};
use crate::geometries::{Geometries, Part};

pub use self::arcs::Arcs;
pub use self::edge::{Edges, UnknownEdges};
pub use self::longitude::{TURN, moved_up};
pub use self::near::NearPoints;

/// About how many points the geometries of a batch have: some hundred thousand distances to single points.
const AT_ONCE: usize = 1 << 20;

/// A set of geometries or boxes on the earth, by number.
#[derive(Clone, Copy, Debug)]
pub struct Set<'a> {
    boxes: &'a [Aabb<f64>],
    shapes: Option<&'a Geometries>,
}

impl<'a> Set<'a> {
    /// Geometries, with the box around each from [`narrow_boxes`].
    #[must_use]
    pub fn of(shapes: &'a Geometries, boxes: &'a [Aabb<f64>]) -> Self {
        Self { boxes, shapes: Some(shapes) }
    }

    /// Boxes, whose longitudes may go on beyond 180 degrees.
    #[must_use]
    pub fn of_boxes(boxes: &'a [Aabb<f64>]) -> Self {
        Self { boxes, shapes: None }
    }

    /// Whether there are lines or polygons.
    fn has_outlines(&self) -> bool {
        self.shapes.is_some() && !self.has_only_points()
    }

    /// Whether no box has an extent.
    fn has_only_points(&self) -> bool {
        self.boxes.iter().all(|bounds| bounds.min == bounds.max)
    }

    /// Checks that all of it is on the earth.
    ///
    /// # Errors
    /// Returns the same errors as [`Globe::new`].
    pub fn check(&self) -> Result<(), Fault> {
        (0..).zip(self.boxes).try_for_each(|(number, bounds)| {
            OffEarth::of(bounds).map_or(Ok(()), |what| Err(Fault::OffEarth(number, what)))
        })
    }
}

/// A lower bound, in meters, of all distances between what is in one box and what is in another.
#[must_use]
pub fn least_between(one: &Aabb<f64>, other: &Aabb<f64>) -> f64 {
    Zone::new(*one).least(&Zone::new(*other))
}

/// The narrowest box of degrees around each geometry: see [`Arcs`].
#[must_use]
pub fn narrow_boxes(all: &Geometries) -> Vec<Aabb<f64>> {
    let narrow = |number| {
        let mut arcs = Arcs::default();
        for (_, points) in all.parts(number) {
            arcs.begin_part();
            points.iter().for_each(|[x, y]| arcs.add(*x, *y));
        }
        arcs.narrowed(all.bounds(number))
    };
    (0..all.len() as u32).map(narrow).collect()
}

/// One or two sets on the earth, ready for queries.
#[derive(Clone, Debug)]
pub struct Globe<'a> {
    first: Side<'a>,
    /// None: the first.
    second: Option<Side<'a>>,
}

/// The boxes of a set, ready for nearest queries.
#[derive(Clone, Debug)]
pub struct NearestOnGlobe(Tree);

/// A set.
#[derive(Clone, Debug)]
struct Side<'a> {
    /// With all of the edges, too.
    boxes: Cow<'a, [Aabb<f64>]>,
    /// Lines and polygons, or boxes that are compared with such; none if boxes are all there is to compare, or
    /// points.
    outlines: Option<Outlines>,
}

impl<'a> Globe<'a> {
    /// Compares two sets, or one with itself.
    ///
    /// # Errors
    /// Returns an error if a latitude is beyond a pole, a longitude is beyond 360 degrees, or memory runs out.
    pub fn new(first: Set<'a>, second: Option<Set<'a>>, edges: Edges) -> Result<Self, Fault> {
        first.check()?;
        second.iter().try_for_each(Set::check)?;
        let are_outlines = first.has_outlines() || second.is_some_and(|second| second.has_outlines());
        let side = |set| Side::new(set, are_outlines, edges);
        Ok(Self { first: side(first)?, second: second.map(side).transpose()? })
    }

    /// The distance in meters between one of the first set and one of the second.
    ///
    /// # Panics
    /// Panics if there is no such number.
    #[must_use]
    pub fn distance(&self, a: u32, b: u32) -> f64 {
        self.distance_below(a, b, f64::INFINITY)
    }

    /// Whether lines and polygons are compared by their edges, and not only by their boxes.
    #[must_use]
    pub fn compares_shapes(&self) -> bool {
        self.first.outlines.is_some() || self.other().outlines.is_some()
    }

    fn has_only_points(&self) -> bool {
        self.first.has_only_points() && self.other().has_only_points()
    }

    fn other(&self) -> &Side<'a> {
        self.second.as_ref().unwrap_or(&self.first)
    }

    /// The distance, or `limit`, if that is less.
    fn distance_below(&self, a: u32, b: u32, limit: f64) -> f64 {
        let (first, second) = (&self.first.boxes[a as usize], &self.other().boxes[b as usize]);
        let distance = match (&self.first.outlines, &self.other().outlines) {
            (None, None) => measure::distance(first, second),
            (Some(all), None) => all.distance(a, &Here::new(second.min), limit),
            (None, Some(all)) => all.distance(b, &Here::new(first.min), limit),
            (Some(all), Some(others)) => all.between(a, others, b, limit),
        };
        // Zero has one sign.
        distance + 0.0
    }

    /// The boxes of the second set, or of the only one, from which to build the index for
    /// [`visit_within`](Self::visit_within).
    #[must_use]
    pub fn boxes_to_ask(&self) -> Vec<Aabb<f64>> {
        self.other().boxes.iter().map(turned).collect()
    }

    /// Visits each of the first set, by number, with all others that are no farther away than `most` meters. Within one
    /// set, these are only those with greater numbers, so that each pair comes once. `index` holds the [boxes to
    /// ask](Self::boxes_to_ask).
    pub fn visit_within<I: Structure<Scalar = f64>, B>(
        &self,
        index: &Index<I>,
        most: f64,
        mut visit: impl FnMut(u32, &[u32]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut candidates = Vec::new();
        let (spots, chords) =
            (if self.has_only_points() { spots(&self.other().boxes) } else { Vec::new() }, Bounds::new(most));
        (0..).zip(&*self.first.boxes).try_for_each(|(a, bounds)| {
            // By number, whatever may be no farther away.
            candidates.clear();
            let reach = reach(&turned(bounds), most);
            for turn in [-TURN, 0.0, TURN] {
                let _ = index.query_visit(Overlaps(reach.with_offset([turn, 0.0])), |b| {
                    candidates.push(b);
                    ControlFlow::<()>::Continue(())
                });
            }
            candidates.sort_unstable();
            candidates.dedup();
            let zone = Zone::new(*bounds);
            let is_near = |b: u32| spots.get(b as usize).and_then(|at| chords.is_within(square(zone.solid.min, *at)));
            candidates.retain(|b| {
                (self.second.is_some() || a < *b) && is_near(*b).unwrap_or_else(|| self.is_within(&zone, a, *b, most))
            });
            visit(a, &candidates)
        })
    }

    /// Prepares the search for points that are no farther apart than `most` meters; `None` if not all are points.
    #[must_use]
    pub fn near_points(&self, most: f64) -> Option<NearPoints<'_>> {
        self.has_only_points()
            .then(|| NearPoints::new(&self.first.boxes, self.second.as_ref().map(|all| &*all.boxes), most))
    }

    /// Whether the two of a pair are no farther apart than `most`. `zone` is that of the first.
    fn is_within(&self, zone: &Zone, a: u32, b: u32, most: f64) -> bool {
        let other = &self.other().boxes[b as usize];
        if self.compares_shapes() {
            let [least, _] = zone.bounds_of_distance(&Zone::new(*other));
            return least <= most && self.distance_below(a, b, reach_of_boxes(most)) <= most;
        }
        is_within(zone, other, most)
    }

    /// Prepares nearest queries about the second set, or the only one.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub fn nearest(&self) -> Result<NearestOnGlobe, Fault> {
        Tree::new(&self.other().boxes).map(NearestOnGlobe)
    }

    /// Visits each of the first set with the nearest to it and their distances in meters: the nearest first, equal
    /// distances by number. `nearest` comes from the same globe.
    pub fn visit_nearest<B>(
        &self,
        nearest: &NearestOnGlobe,
        wanted: Wanted,
        visit: impl FnMut(u32, &[(u32, f64)]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        // Along a curve, one begins with what the one before it has found.
        let mut memory = Search::default();
        let search = |a, _, _| self.nearest_with(&nearest.0, a, wanted, &mut memory);
        Kept::default().visit(self.first.boxes.iter().map(Aabb::center), self.at_once(), search, visit)
    }

    /// How many are measured before the first of them is visited: fewer if geometries are large.
    fn at_once(&self) -> usize {
        let size =
            |side: &Side<'_>| side.outlines.as_ref().map_or(1, |all| all.count_vertices() / side.boxes.len().max(1));
        (AT_ONCE / (size(&self.first) + size(self.other())).max(1)).max(1)
    }

    /// The nearest to one of the first set, as [`visit_nearest`](Self::visit_nearest) gives them.
    ///
    /// # Panics
    /// Panics if there is no such number.
    #[must_use]
    pub fn nearest_to(&self, nearest: &NearestOnGlobe, a: u32, wanted: Wanted) -> Vec<(u32, f64)> {
        self.nearest_with(&nearest.0, a, wanted, &mut Search::default())
    }

    fn nearest_with(&self, tree: &Tree, a: u32, wanted: Wanted, search: &mut Search) -> Vec<(u32, f64)> {
        let zone = Zone::new(self.first.boxes[a as usize]);
        match &self.other().outlines {
            Some(all) if self.first.outlines.is_none() => {
                let here = Here::of(zone);
                let (least, measure) = (|b| Some(all.least(b, &here)), |b, limit| all.distance(b, &here, limit) + 0.0);
                tree.nearest((a, &zone), wanted, search, least, measure)
            }
            _ => tree.nearest((a, &zone), wanted, search, |_| None, |b, limit| self.distance_below(a, b, limit)),
        }
    }

    /// For each of the first set, a box of degrees that holds everything within `most` meters of it. Its west is in
    /// [-180, 180), unless it reaches around the earth.
    #[must_use]
    pub fn reaches(&self, most: f64) -> Vec<Aabb<f64>> {
        self.first.boxes.iter().map(|bounds| turned(&reach(&turned(bounds), most))).collect()
    }
}

impl<'a> Side<'a> {
    fn has_only_points(&self) -> bool {
        self.outlines.is_none() && self.boxes.iter().all(|bounds| bounds.min == bounds.max)
    }

    fn new(set: Set<'a>, are_outlines: bool, edges: Edges) -> Result<Self, Fault> {
        let boxes = Cow::Borrowed(set.boxes);
        if !are_outlines || set.has_only_points() {
            return Ok(Self { boxes, outlines: None });
        }
        let outlines = match set.shapes {
            Some(shapes) => Outlines::new(shapes, edges),
            // Their sides are parallels and meridians.
            None => Outlines::new(&geometries(set.boxes)?, Edges::Straight),
        };
        let boxes = (0..).zip(set.boxes).map(|(number, around)| outlines.grown(number, around)).collect();
        Ok(Self { boxes: Cow::Owned(boxes), outlines: Some(outlines) })
    }
}

/// Boxes as geometries, none of whose edges is so long that the other way around the earth is shorter.
fn geometries(boxes: &[Aabb<f64>]) -> Result<Geometries, Fault> {
    let mut all = Geometries::new();
    for Aabb { min: [west, south], max: [east, north] } in boxes {
        let along = |latitude: f64| [0.0, 1.0, 2.0, 3.0].map(|third| [west + (east - west) * third / 3.0, latitude]);
        let (lower, mut upper) = (along(*south), along(*north));
        upper.reverse();
        let ring = [&lower[..], &upper, &lower[..1]].concat();
        let (part, points) = match (west == east, south == north) {
            (true, true) => (Part::Point, &ring[..1]),
            (true, false) => (Part::Line, &ring[3..5]),
            (false, true) => (Part::Line, &ring[..4]),
            (false, false) => (Part::Shell, &ring[..]),
        };
        all.part(part);
        points.iter().for_each(|[x, y]| all.vertex(*x, *y));
        all.finish()?;
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::measure::distance;
    use super::measure::tests::random_box;
    use super::*;

    #[test]
    fn reach_has_all_that_is_near() {
        let mut random = fastrand::Rng::with_seed(11);
        for _ in 0..20_000 {
            let (a, b) = (random_box(&mut random, 3.0), Aabb::from_point(random_box(&mut random, 0.0).min));
            let a = turned(&a);
            let far = distance(&a, &b);
            let reach = reach(&a, far);
            let is_reached =
                [-360.0, 0.0, 360.0].iter().any(|turn| reach.with_offset([*turn, 0.0]).intersects(&turned(&b)));
            assert!(is_reached, "{a:?} {b:?} {far}");
        }
    }

    /// Points, lines and triangles around a point.
    fn crowd(random: &mut fastrand::Rng, [x, y]: [f64; 2], wide: f64) -> Geometries {
        let mut all = Geometries::new();
        for number in 0..24 {
            let at = [x + (random.f64() - 0.5) * 8.0 * wide, y + (random.f64() - 0.5) * 8.0 * wide];
            let mut near = || [0, 1].map(|axis| at[axis] + (random.f64() - 0.5) * wide);
            let corners = [near(), near(), near()];
            let (part, points) = match number % 3 {
                0 => (Part::Point, &corners[..1]),
                1 => (Part::Line, &corners[..2]),
                _ => (Part::Shell, &[corners[0], corners[1], corners[2], corners[0]][..]),
            };
            all.part(part);
            points.iter().for_each(|[x, y]| all.vertex(x - (x / 360.0).round() * 360.0, y.clamp(-89.9, 89.9)));
            assert_eq!(all.finish(), Ok(true));
        }
        all
    }

    #[test]
    fn pairs_and_nearest_are_those_of_all_distances() {
        let mut random = fastrand::Rng::with_seed(41);
        for round in 0..8 {
            let wide = [0.01, 2.0][round % 2];
            let middle = [[179.9, 10.0], [-180.0, -70.0], [8.0, 65.0], [0.0, 88.0]][round / 2];
            let edges = [Edges::Straight, Edges::Geodesic][round / 2 % 2];
            let [ours, theirs] = [(); 2].map(|()| crowd(&mut random, middle, wide));
            let boxes = [&ours, &theirs].map(narrow_boxes);
            let second = (round % 4 < 2).then_some(Set::of(&theirs, &boxes[1]));
            let globe = Globe::new(Set::of(&ours, &boxes[0]), second, edges).unwrap();
            let far: Vec<Vec<f64>> = (0..24).map(|a| (0..24).map(|b| globe.distance(a, b)).collect()).collect();
            let most = wide * 100_000.0;
            let index = Index::<quadrille::FrameTree<f64>>::from_boxes(&globe.boxes_to_ask()).unwrap();
            let mut found = Vec::new();
            let _ = globe.visit_within(&index, most, |a, others| {
                found.extend(others.iter().map(|b| (a as usize, *b as usize)));
                ControlFlow::<()>::Continue(())
            });
            let all = (0..24).flat_map(|a| (0..24).map(move |b| (a, b)));
            let expected: Vec<_> = all.filter(|(a, b)| (second.is_some() || a < b) && far[*a][*b] <= most).collect();
            assert!(expected.len() > 20 && expected.len() < 400, "{}", expected.len());
            assert_eq!(found, expected);
            let reaches = globe.reaches(most);
            let nearest = globe.nearest().unwrap();
            let wanted = Wanted { count: 5, most, has_ties: round % 2 == 0, but_itself: second.is_none() };
            let _ = globe.visit_nearest(&nearest, wanted, |a, found| {
                let mut all: Vec<_> = (0..24).map(|b| (far[a as usize][b as usize], b)).collect();
                all.retain(|(far, b)| *far <= most && (second.is_some() || *b != a));
                all.iter().for_each(|(_, b)| {
                    let there = globe.boxes_to_ask()[*b as usize];
                    let turns = [-360.0, 0.0, 360.0].map(|turn| there.with_offset([turn, 0.0]));
                    assert!(turns.iter().any(|there| reaches[a as usize].intersects(there)), "{a} {b}");
                });
                all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let last = all.get(4).map(|last| last.0);
                let ties = all.iter().skip(5).take_while(|(far, _)| wanted.has_ties && Some(*far) == last).count();
                all.truncate(5 + ties);
                let numbers = |all: &[(f64, u32)]| all.iter().map(|(_, b)| *b).collect::<Vec<_>>();
                assert_eq!(found.iter().map(|(b, _)| *b).collect::<Vec<_>>(), numbers(&all));
                assert_eq!(globe.nearest_to(&nearest, a, wanted), found);
                assert!(found.iter().zip(&all).all(|(found, all)| (found.1 - all.0).abs() < 1e-5));
                ControlFlow::<()>::Continue(())
            });
        }
    }

    #[test]
    fn many_places_find_what_brute_force_finds_each_with_what_the_one_before_has_found() {
        let mut random = fastrand::Rng::with_seed(17);
        for (round, (middle, wide)) in
            [([8.0, 60.0], 0.01), ([179.9, 0.0], 3.0), ([0.0, 88.0], 1.0), ([-60.0, -20.0], 14.0)]
                .into_iter()
                .enumerate()
        {
            let mut points = Geometries::new();
            for number in 0..150 {
                let [x, y] = [0, 1].map(|axis| middle[axis] + (random.f64() - 0.5) * 10.0 * wide);
                // Some queries are at the same place, and some on the other side of the earth.
                let x = if number % 29 == 0 { x + 180.0 } else { x };
                let again = if number % 5 == 0 { 2 } else { 1 };
                for _ in 0..again {
                    points.part(Part::Point);
                    points.vertex((x + 180.0).rem_euclid(360.0) - 180.0, y.clamp(-90.0, 90.0));
                    assert_eq!(points.finish(), Ok(true));
                }
            }
            let shapes = crowd(&mut random, middle, wide);
            let [of_places, of_shapes] = [&points, &shapes].map(narrow_boxes);
            let sets = [Set::of(&points, &of_places), Set::of(&shapes, &of_shapes)];
            // Of one set, too: then points are all there is.
            let second = Some(sets[1]).filter(|_| round != 3);
            let globe = Globe::new(sets[0], second, [Edges::Straight, Edges::Geodesic][round % 2]).unwrap();
            let count = second.map_or(points.len(), |_| shapes.len()) as u32;
            let wanted = Wanted { count: 3, most: f64::INFINITY, has_ties: round == 1, but_itself: second.is_none() };
            let mut number = 0;
            let _ = globe.visit_nearest(&globe.nearest().unwrap(), wanted, |a, found| {
                assert_eq!(a, number);
                number += 1;
                let mut all: Vec<_> =
                    (0..count).filter(|b| second.is_some() || *b != a).map(|b| (b, globe.distance(a, b))).collect();
                all.sort_by(|one, other| one.1.total_cmp(&other.1).then(one.0.cmp(&other.0)));
                let ties = all.iter().skip(3).take_while(|one| wanted.has_ties && one.1 == all[2].1).count();
                all.truncate(3 + ties);
                assert_eq!(found, all, "{round} {a}");
                ControlFlow::<()>::Continue(())
            });
            assert_eq!(number as usize, points.len());
        }
    }

    #[test]
    fn what_is_not_on_the_earth_is_refused_with_its_number() {
        let good = [Aabb::from_point([8.0, 47.0]), Aabb::new([170.0, -90.0], [190.0, 90.0])];
        for (bad, what) in [
            (Aabb::from_point([8.0, 90.5]), OffEarth::Latitude(90.5)),
            (Aabb::from_point([8.0, -91.0]), OffEarth::Latitude(-91.0)),
            (Aabb::from_point([500.0, 0.0]), OffEarth::Longitude(500.0)),
            (Aabb::new([0.0, 0.0], [361.0, 1.0]), OffEarth::Longitude(361.0)),
        ] {
            let boxes = [good[0], good[1], bad];
            let told = Globe::new(Set::of_boxes(&good), Some(Set::of_boxes(&boxes)), Edges::Straight).err();
            assert_eq!(told, Some(Fault::OffEarth(2, what)));
        }
        assert!(Globe::new(Set::of_boxes(&good), None, Edges::Straight).is_ok());
    }
}
