//! Pairs on the earth: coordinates are degrees of longitude and latitude, distances meters on the ellipsoid WGS 84.
//!
//! Candidates come from boxes of degrees that are surely wide enough; bounds of their distance decide, or the distance
//! itself (`measure.rs`). The nearest are found best first (`tree.rs`). Places on either side of the antimeridian or of
//! a pole are near each other.

mod edge;
mod measure;
mod outlines;
mod tree;

use std::ops::ControlFlow;

use quadrille::{Aabb, AnyStructure, Index, Overlaps, StructureKind};
use quadrille_files::Shapes;
use quadrille_shapes::reach_of_boxes;

use self::measure::{Zone, distance};
use self::outlines::Outlines;
use self::tree::{Search, Tree};
use super::Sets;
use super::question::{Asked as AskedFor, Edges, Question};
use crate::failure::Failure;

/// Meters: the mean radius of the earth.
const RADIUS: f64 = 6_371_008.8;
/// A sphere of that radius measures distances wrong by half of this at most.
const SLACK: f64 = 1.01;

/// The boxes of one or two sets, ready for a question.
#[derive(Debug)]
pub(super) struct Globe<'a> {
    pub(super) question: Question,
    first: &'a [Aabb<f64>],
    second: &'a [Aabb<f64>],
    /// The second set, or the only one.
    asked: Asked,
    is_one_set: bool,
    /// Lines and polygons, where places are compared with them.
    outlines: Option<Sided>,
}

/// Geometries of the first set or of the second.
#[derive(Debug)]
struct Sided {
    all: Outlines,
    is_first: bool,
    /// Boxes with all of the edges, too.
    boxes: Vec<Aabb<f64>>,
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
        let question = asked.question;
        let other = sets.other();
        check(sets.first)?;
        check(other)?;
        let outlines = Sided::of(sets, asked.edges);
        let boxes = outlines.as_ref().filter(|sided| !sided.is_first).map_or(&other.boxes, |sided| &sided.boxes);
        let asked = if let Question::Nearest { .. } = question {
            Asked::Tree(Tree::new(boxes)?)
        } else {
            let turned: Vec<_> = boxes.iter().map(turned).collect();
            Asked::Index(Index::with_boxes(structure.into(), &turned)?)
        };
        let (first, second) = (sets.first.boxes.as_slice(), other.boxes.as_slice());
        Ok(Self { question, first, second, asked, is_one_set: sets.second.is_none(), outlines })
    }

    /// Meters between the two of a pair.
    pub(super) fn distance_between(&self, a: u32, b: u32) -> f64 {
        self.distance_below(a, b, f64::INFINITY)
    }

    /// Whether geometries themselves are compared.
    pub(super) fn is_refined(&self) -> bool {
        self.outlines.is_some()
    }

    /// The distance, or `limit`, if that is less.
    fn distance_below(&self, a: u32, b: u32, limit: f64) -> f64 {
        let (first, second) = (&self.first[a as usize], &self.second[b as usize]);
        match &self.outlines {
            None => distance(first, second),
            Some(Sided { all, is_first: true, .. }) => all.distance(a, second.min, limit),
            Some(Sided { all, is_first: false, .. }) => all.distance(b, first.min, limit),
        }
    }

    /// The boxes of the first set, with all of their edges.
    fn askers(&self) -> &[Aabb<f64>] {
        self.outlines.as_ref().filter(|sided| sided.is_first).map_or(self.first, |sided| &sided.boxes)
    }

    /// Whether the two of a pair are no farther apart than `most`. `zone` is that of the first.
    fn is_within(&self, zone: &Zone, a: u32, b: u32, most: f64) -> bool {
        if self.is_refined() {
            return self.distance_below(a, b, reach_of_boxes(most)) <= most;
        }
        is_within(zone, &self.second[b as usize], most)
    }

    pub(super) fn visit<B>(&self, visit: &mut impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        match (&self.asked, self.question) {
            (Asked::Tree(tree), Question::Nearest { count, most }) => {
                let mut search = Search::default();
                (0..).zip(self.askers()).try_for_each(|(a, bounds)| {
                    let own = self.is_one_set.then_some(a);
                    let found = tree.nearest(bounds, count as usize, most, own, &mut search, |b, limit| {
                        self.distance_below(a, b, limit)
                    });
                    found.into_iter().try_for_each(|found| visit(a, found.number))
                })
            }
            (Asked::Index(index), Question::Within(most)) => {
                let mut candidates = Vec::new();
                (0..).zip(self.askers()).try_for_each(|(a, bounds)| {
                    candidates_within(index, bounds, most, &mut candidates);
                    let others = candidates.iter().copied().filter(|b| !self.is_one_set || a < *b);
                    let zone = Zone::new(*bounds);
                    let near = others.filter(|b| self.is_within(&zone, a, *b, most));
                    near.into_iter().try_for_each(|b| visit(a, b))
                })
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

impl Sided {
    /// None unless one set has only places, and the other geometries.
    fn of(sets: Sets<'_>, edges: Edges) -> Option<Self> {
        let (first, second) = (sets.first, sets.second?);
        let is_first = second.has_only_places();
        let (places, shapes) = if is_first { (second, first) } else { (first, second) };
        if !places.has_only_places() || shapes.has_only_places() {
            return None;
        }
        let all = Outlines::new(shapes.geometries.as_ref()?, edges);
        let boxes = (0..).zip(&shapes.boxes).map(|(number, around)| all.grown(number, around)).collect();
        Some(Self { all, is_first, boxes })
    }
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
