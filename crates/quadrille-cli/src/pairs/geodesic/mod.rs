//! Pairs on the earth: coordinates are degrees of longitude and latitude, distances meters on the ellipsoid WGS 84.
//!
//! Candidates come from boxes of degrees that are surely wide enough; bounds of their distance decide, or the distance
//! itself (`measure.rs`). Lines and polygons are compared edge by edge (`outlines.rs`, `between.rs`, `edge.rs`). The
//! nearest are found best first (`tree.rs`). Places on either side of the antimeridian or of a pole are near each
//! other.

mod between;
mod edge;
mod measure;
mod outlines;
mod tree;

use std::borrow::Cow;
use std::ops::ControlFlow;

use quadrille::{Aabb, AnyStructure, Index, Overlaps, StructureKind};
use quadrille_files::Shapes;
use quadrille_shapes::{Geometries, Part, reach_of_boxes};

use self::measure::{Zone, distance};
use self::outlines::Outlines;
use self::tree::{Search, Tree};
use super::Sets;
use super::query::{Asked as AskedFor, Edges, Query};
use crate::failure::Failure;

/// Meters: the mean radius of the earth.
const RADIUS: f64 = 6_371_008.8;
/// A sphere of that radius measures distances wrong by half of this at most.
const SLACK: f64 = 1.01;

/// One or two sets, ready for a query.
#[derive(Debug)]
pub(super) struct Globe<'a> {
    pub(super) query: Query,
    first: Side<'a>,
    /// None: the first.
    second: Option<Side<'a>>,
    /// The second set, or the only one.
    asked: Asked,
}

/// A set.
#[derive(Debug)]
struct Side<'a> {
    /// With all of the edges, too.
    boxes: Cow<'a, [Aabb<f64>]>,
    /// Lines and polygons, or boxes that are compared with such; none where boxes are all there is to compare, or
    /// places.
    outlines: Option<Outlines>,
}

/// What finds boxes.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is only one")]
enum Asked {
    /// What overlaps; the west of each box is in [-180, 180).
    Index(Index<AnyStructure<f64>>),
    /// What is nearest.
    Tree(Tree),
}

impl<'a> Globe<'a> {
    pub(super) fn new(asked: AskedFor, sets: Sets<'a>, structure: StructureKind) -> Result<Self, Failure> {
        let query = asked.query;
        let both = [Some(sets.first), sets.second];
        both.into_iter().flatten().try_for_each(check)?;
        let are_outlines = both.into_iter().flatten().any(has_outlines);
        let [first, second] =
            both.map(|shapes| shapes.map(|shapes| Side::new(shapes, are_outlines, asked.edges)).transpose());
        // There is a first one.
        let (first, second) = (first?.unwrap_or_default(), second?);
        let boxes = &second.as_ref().unwrap_or(&first).boxes;
        let asked = if let Query::Nearest { .. } = query {
            Asked::Tree(Tree::new(boxes)?)
        } else {
            let turned: Vec<_> = boxes.iter().map(turned).collect();
            Asked::Index(Index::with_boxes(structure.into(), &turned)?)
        };
        Ok(Self { query, first, second, asked })
    }

    /// Meters between the two of a pair.
    pub(super) fn distance_between(&self, a: u32, b: u32) -> f64 {
        self.distance_below(a, b, f64::INFINITY)
    }

    /// Whether geometries themselves are compared.
    pub(super) fn is_refined(&self) -> bool {
        self.first.outlines.is_some() || self.other().outlines.is_some()
    }

    fn other(&self) -> &Side<'a> {
        self.second.as_ref().unwrap_or(&self.first)
    }

    /// The distance, or `limit`, if that is less.
    fn distance_below(&self, a: u32, b: u32, limit: f64) -> f64 {
        let (first, second) = (&self.first.boxes[a as usize], &self.other().boxes[b as usize]);
        match (&self.first.outlines, &self.other().outlines) {
            (None, None) => distance(first, second),
            (Some(all), None) => all.distance(a, second.min, limit),
            (None, Some(all)) => all.distance(b, first.min, limit),
            (Some(all), Some(others)) => all.between(a, others, b, limit),
        }
    }

    /// Whether the two of a pair are no farther apart than `most`. `zone` is that of the first.
    fn is_within(&self, zone: &Zone, a: u32, b: u32, most: f64) -> bool {
        let other = &self.other().boxes[b as usize];
        if self.is_refined() {
            let [least, _] = zone.bounds_of_distance(&Zone::new(*other));
            return least <= most && self.distance_below(a, b, reach_of_boxes(most)) <= most;
        }
        is_within(zone, other, most)
    }

    pub(super) fn visit<B>(&self, visit: &mut impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        match (&self.asked, self.query) {
            (Asked::Tree(tree), Query::Nearest { count, most }) => {
                let mut search = Search::default();
                (0..).zip(&*self.first.boxes).try_for_each(|(a, bounds)| {
                    let own = self.second.is_none().then_some(a);
                    let found = tree.nearest(bounds, count as usize, most, own, &mut search, |b, limit| {
                        self.distance_below(a, b, limit)
                    });
                    found.into_iter().try_for_each(|found| visit(a, found.number))
                })
            }
            (Asked::Index(index), Query::Within(most)) => {
                let mut candidates = Vec::new();
                (0..).zip(&*self.first.boxes).try_for_each(|(a, bounds)| {
                    candidates_within(index, bounds, most, &mut candidates);
                    let others = candidates.iter().copied().filter(|b| self.second.is_some() || a < *b);
                    let zone = Zone::new(*bounds);
                    let near = others.filter(|b| self.is_within(&zone, a, *b, most));
                    near.into_iter().try_for_each(|b| visit(a, b))
                })
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

impl Default for Side<'_> {
    fn default() -> Self {
        Self { boxes: Cow::Borrowed(&[]), outlines: None }
    }
}

impl<'a> Side<'a> {
    fn new(shapes: &'a Shapes, are_outlines: bool, edges: Edges) -> Result<Self, Failure> {
        let boxes = Cow::Borrowed(shapes.boxes.as_slice());
        if !are_outlines || shapes.has_only_places() {
            return Ok(Self { boxes, outlines: None });
        }
        let outlines = match &shapes.geometries {
            Some(geometries) => Outlines::new(geometries, edges),
            // Their sides are parallels and meridians.
            None => Outlines::new(&geometries(shapes)?, Edges::Straight),
        };
        let boxes = (0..).zip(&shapes.boxes).map(|(number, around)| outlines.grown(number, around)).collect();
        Ok(Self { boxes: Cow::Owned(boxes), outlines: Some(outlines) })
    }
}

/// Whether there are lines or polygons.
fn has_outlines(shapes: &Shapes) -> bool {
    shapes.geometries.is_some() && !shapes.has_only_places()
}

/// Boxes as geometries, none of whose edges is so long that the other way around the earth is shorter.
fn geometries(shapes: &Shapes) -> Result<Geometries, Failure> {
    let mut all = Geometries::new();
    for Aabb { min: [west, south], max: [east, north] } in &shapes.boxes {
        let along = |latitude: f64| [0.0, 1.0, 2.0, 3.0].map(|third| [west + (east - west) * third / 3.0, latitude]);
        let (lower, mut upper) = (along(*south), along(*north));
        upper.reverse();
        let ring = [&lower[..], &upper, &lower[..1]].concat();
        let (part, places) = match (west == east, south == north) {
            (true, true) => (Part::Point, &ring[..1]),
            (true, false) => (Part::Line, &ring[3..5]),
            (false, true) => (Part::Line, &ring[..4]),
            (false, false) => (Part::Shell, &ring[..]),
        };
        all.part(part);
        places.iter().for_each(|[x, y]| all.place(*x, *y));
        all.finish().map_err(|fault| Failure::Bad(format!("{}: {fault}", shapes.name)))?;
    }
    Ok(all)
}

/// Collects whatever may be no farther away than `most`, by number.
fn candidates_within(index: &Index<AnyStructure<f64>>, bounds: &Aabb<f64>, most: f64, candidates: &mut Vec<u32>) {
    candidates.clear();
    let reach = reach(&turned(bounds), most);
    for turn in [-360.0, 0.0, 360.0] {
        let _ = index.query_visit(Overlaps(reach.with_offset([turn, 0.0])), |b| {
            candidates.push(b);
            ControlFlow::<()>::Continue(())
        });
    }
    candidates.sort_unstable();
    candidates.dedup();
}

/// Whether two boxes are no farther apart than `most`. The distance is only measured where its bounds do not decide.
fn is_within(zone: &Zone, other: &Aabb<f64>, most: f64) -> bool {
    let [least, greatest] = zone.bounds_of_distance(&Zone::new(*other));
    least <= most && (greatest <= most || distance(&zone.bounds, other) <= most)
}

/// Fails unless all boxes are on the globe.
fn check(shapes: &Shapes) -> Result<(), Failure> {
    for (number, bounds) in (0..).zip(&shapes.boxes) {
        let ([west, south], [east, north]) = (bounds.min, bounds.max);
        let what = if south < -90.0 || north > 90.0 {
            format!("latitude {} is beyond a pole", if south < -90.0 { south } else { north })
        } else if west.abs() > 360.0 || east > west + 360.0 {
            // The east may be a turn ahead: of what crosses the antimeridian, or Greenwich from 350 degrees on.
            format!("{} is not a longitude", if west.abs() > 360.0 { west } else { east })
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

#[cfg(test)]
mod tests {
    use super::*;

    use super::measure::tests::random_box;

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
}
