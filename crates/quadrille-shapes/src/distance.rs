//! Distances: the least between edges, by branch and bound over the boxes of runs.

use quadrille::{Aabb, Near};

use crate::edge_chain::{self, Chain};
use crate::geometries::Geometries;
use crate::intersects::do_intersect;
use crate::parts::Row;
use crate::point_location::Location;
use crate::runs::{FAN, Run, Runs};
use crate::segment_intersection::{Point, side};

/// The distance between geometry `i` of `a` and geometry `j` of `b`: zero exactly if they intersect, otherwise wrong by
/// less than 1e-15 of the coordinates.
///
/// # Panics
/// Panics if there is no such number.
#[must_use]
pub fn distance(a: &Geometries, i: u32, b: &Geometries, j: u32) -> f64 {
    nearest((a, i, &a.bounds(i)), (b, j, &b.bounds(j)), f64::INFINITY, 0.0)
}

/// Whether the [`distance`] is at most `most`.
///
/// # Panics
/// Panics if there is no such number.
#[must_use]
pub fn is_within(a: &Geometries, i: u32, b: &Geometries, j: u32, most: f64) -> bool {
    most >= 0.0 && nearest((a, i, &a.bounds(i)), (b, j, &b.bounds(j)), reach_of_boxes(most), most) <= most
}

/// The greatest computed distance between the boxes of two geometries that are this far apart: a little more, because
/// distances are rounded.
#[must_use]
pub fn reach_of_boxes(distance: f64) -> f64 {
    distance * (1.0 + 8.0 * f64::EPSILON) + f64::MIN_POSITIVE
}

/// The boxes that may be no farther from one than `most`.
pub(crate) fn near(bounds: Aabb<f64>, most: f64) -> Near<f64> {
    let near = Near::aabb(bounds);
    if most == f64::INFINITY { near } else { near.within(reach_of_boxes(most)) }
}

/// A geometry, by its number, and the box around it.
pub(crate) type Bounded<'a> = (&'a Geometries, u32, &'a Aabb<f64>);

/// The distance if it is at most `limit`, otherwise something greater than that.
pub(crate) fn distance_below(a: Bounded<'_>, b: Bounded<'_>, limit: f64) -> f64 {
    nearest(a, b, reach_of_boxes(limit), 0.0)
}

/// The same from a point.
pub(crate) fn distance_from(point: Point, (all, number, bounds): Bounded<'_>, limit: f64) -> f64 {
    if bounds.contains_point(point) && all.locate(number, point) != Location::Exterior {
        return 0.0;
    }
    let mut search = Search { best: reach_of_boxes(limit), enough: 0.0 };
    search.approach_all(point, &all.row(number, bounds));
    search.found(&Aabb::from_point(point), bounds)
}

/// The distance if it is less than `limit`, otherwise some number that is not; the search ends once it is at most
/// `enough`.
fn nearest((a, i, box_a): Bounded<'_>, (b, j, box_b): Bounded<'_>, limit: f64, enough: f64) -> f64 {
    if box_a.intersects(box_b) && do_intersect(a, i, b, j) {
        return 0.0;
    }
    let mut search = Search { best: limit, enough };
    let [ours, theirs] = [a.row(i, box_a), b.row(j, box_b)];
    match (a.only_point(i), b.only_point(j)) {
        (Some(point), _) => search.approach_all(point, &theirs),
        (None, Some(point)) => search.approach_all(point, &ours),
        (None, None) => search.descend_all(&ours, &theirs),
    }
    search.found(box_a, box_b)
}

struct Search {
    best: f64,
    enough: f64,
}

impl Search {
    /// However small, it is not rounded to zero, and never to less than that of the boxes around both.
    fn found(&self, a: &Aabb<f64>, b: &Aabb<f64>) -> f64 {
        self.best.max(apart(a, b)).max(f64::from_bits(1))
    }

    /// Searches a geometry for what is nearest to a point. The same as for a geometry of this single point, in fewer
    /// steps: most queries are points.
    fn approach_all(&mut self, point: Point, parts: &Row<'_>) {
        let here = Aabb::from_point(point);
        self.approach(&here, &parts.runs, parts.runs.whole(), &mut |search, run| {
            parts.visit(run, &mut |chain| {
                search.approach(&here, &chain.runs, chain.whole(), &mut |search, run| {
                    let edges = chain.edges(run).map(|number| chain.edge(number));
                    search.best = edges.fold(search.best, |best, edge| best.min(to_edge(point, edge)));
                });
            });
        });
    }

    /// Searches a run for leaves that may be nearer to a point.
    fn approach(&mut self, here: &Aabb<f64>, runs: &Runs<'_>, run: Run, leaf: &mut impl FnMut(&mut Self, Run)) {
        if self.best <= self.enough || !self.may_be_nearer(here, runs.hull(run)) {
            return;
        }
        if run.is_leaf() {
            leaf(self, run);
        } else {
            nearest_first(runs, run, here, &mut |child| self.approach(here, runs, child, leaf));
        }
    }

    /// Searches the parts of two geometries.
    fn descend_all(&mut self, a: &Row<'_>, b: &Row<'_>) {
        self.descend((&a.runs, a.runs.whole()), (&b.runs, b.runs.whole()), &mut |search, run_a, run_b| {
            a.visit(run_a, &mut |one| {
                if search.may_be_nearer(one.bounds, b.runs.hull(run_b)) {
                    b.visit(run_b, &mut |other| search.compare_chains(one, other));
                }
            });
        });
    }

    fn compare_chains(&mut self, a: &Chain<'_>, b: &Chain<'_>) {
        self.descend((&a.runs, a.whole()), (&b.runs, b.whole()), &mut |search, run_a, run_b| {
            search.compare(a, run_a, b, run_b);
        });
    }

    /// Searches two runs for leaves that may be nearer to each other.
    fn descend(
        &mut self,
        (a, run_a): (&Runs<'_>, Run),
        (b, run_b): (&Runs<'_>, Run),
        leaves: &mut impl FnMut(&mut Self, Run, Run),
    ) {
        let (hull_a, hull_b) = (a.hull(run_a), b.hull(run_b));
        if self.best <= self.enough || !self.may_be_nearer(hull_a, hull_b) {
            return;
        }
        if run_a.is_leaf() && run_b.is_leaf() {
            leaves(self, run_a, run_b);
        } else if run_a.is_above(run_b) {
            nearest_first(a, run_a, hull_b, &mut |child| self.descend((a, child), (b, run_b), leaves));
        } else {
            nearest_first(b, run_b, hull_a, &mut |child| self.descend((a, run_a), (b, child), leaves));
        }
    }

    fn may_be_nearer(&self, a: &Aabb<f64>, b: &Aabb<f64>) -> bool {
        apart(a, b) < reach_of_boxes(self.best)
    }

    fn compare(&mut self, a: &Chain<'_>, run_a: Run, b: &Chain<'_>, run_b: Run) {
        for edge_a in a.edges(run_a).map(|number| a.edge(number)) {
            let box_a = edge_chain::hull(&edge_a);
            if !self.may_be_nearer(&box_a, b.hull(run_b)) {
                continue;
            }
            for edge_b in b.edges(run_b).map(|number| b.edge(number)) {
                if self.may_be_nearer(&box_a, &edge_chain::hull(&edge_b)) {
                    self.best = self.best.min(between(edge_a, edge_b));
                }
            }
        }
    }
}

/// Visits the parts of a run, the nearest to a box first.
fn nearest_first(runs: &Runs<'_>, run: Run, to: &Aabb<f64>, visit: &mut dyn FnMut(Run)) {
    let mut children = [(f64::INFINITY, run); FAN];
    let mut count = 0;
    for (slot, child) in children.iter_mut().zip(runs.children(run)) {
        *slot = (apart(runs.hull(child), to), child);
        count += 1;
    }
    let children = &mut children[..count];
    children.sort_by(|a, b| a.0.total_cmp(&b.0));
    children.iter().for_each(|(_, child)| visit(*child));
}

/// How far apart two boxes are: as [`Aabb::distance`], except for the last digit, which only has to be within
/// [`reach_of_boxes`].
pub(crate) fn apart(a: &Aabb<f64>, b: &Aabb<f64>) -> f64 {
    let gap = |axis: usize| (a.min[axis] - b.max[axis]).max(b.min[axis] - a.max[axis]).max(0.0);
    length([gap(0), gap(1)])
}

/// The length of a vector, right except for the last digit.
#[inline]
pub(crate) fn length([x, y]: [f64; 2]) -> f64 {
    let square = x * x + y * y;
    // Beyond these, squares vanish or are infinite.
    if (1e-280..1e300).contains(&square) { square.sqrt() } else { x.hypot(y) }
}

/// The distance between two edges that do not meet: an end of one of them is nearest.
fn between(a: [Point; 2], b: [Point; 2]) -> f64 {
    match (a[0] == a[1], b[0] == b[1]) {
        (true, _) => to_edge(a[0], b),
        (false, true) => to_edge(b[0], a),
        (false, false) => {
            let of_a = to_edge(a[0], b).min(to_edge(a[1], b));
            of_a.min(to_edge(b[0], a)).min(to_edge(b[1], a))
        }
    }
}

fn to_edge(point: Point, [from, to]: [Point; 2]) -> f64 {
    let minus = |a: Point, b: Point| [a[0] - b[0], a[1] - b[1]];
    let (along, [x, y]) = (minus(to, from), minus(point, from));
    let position = x * along[0] + y * along[1];
    let square = along[0] * along[0] + along[1] * along[1];
    if position <= 0.0 {
        length([x, y])
    } else if position >= square {
        length(minus(point, to))
    } else {
        side(from, to, point).abs() / length(along)
    }
}
