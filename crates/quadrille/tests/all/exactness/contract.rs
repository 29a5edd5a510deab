//! What the traits [`Query`] and [`Ranked`] promise to structures, for every query of the library on random boxes
//! and cells: a structure that relies on nothing else finds everything.

use std::cell::Cell;

use quadrille::{
    Aabb, Agreement, At, ConvexPolygon, Filtered, Inside, Layers, Near, OnLayers, Overlaps, Query, Ranked, Scalar,
    Sweep, forward,
};

use super::draw::{Draw, Kind, Plain, instances};

/// Numbers to make a query, boxes and cells of.
const POOL: usize = 8;

/// Divisions on the way from the whole plane to the smallest cell.
const MOST_DIVISIONS: usize = 7;

fn is_ordered<S: Scalar>(bounds: &Aabb<S>) -> bool {
    bounds.min[0] <= bounds.max[0] && bounds.min[1] <= bounds.max[1]
}

/// What two boxes have in common; not ordered if that is nothing.
fn common<S: Scalar>(a: &Aabb<S>, b: &Aabb<S>) -> Aabb<S> {
    let greater = |a: S, b: S| if a > b { a } else { b };
    let lesser = |a: S, b: S| if a < b { a } else { b };
    let axis = |axis: usize| (greater(a.min[axis], b.min[axis]), lesser(a.max[axis], b.max[axis]));
    let (x, y) = (axis(0), axis(1));
    Aabb::new([x.0, y.0], [x.1, y.1])
}

/// One case: a pool of numbers, and a source of more choices.
struct Case<'a, S> {
    draw: &'a mut Draw,
    pool: [S; POOL],
    /// How many boxes were accepted, so that a test which never saw one does not pass.
    accepted: &'a Cell<u64>,
}

impl<S: Plain> Case<'_, S> {
    /// A line to divide a cell by: among the numbers, on or beside the edges of the box and of the query.
    fn line(&mut self, axis: usize, edges: &[Aabb<S>; 2]) -> S {
        let line = match self.draw.below(3) {
            0 => self.draw.of(&self.pool),
            1 => self.draw.of(&[edges[0].min[axis], edges[0].max[axis]]),
            _ => self.draw.of(&[edges[1].min[axis], edges[1].max[axis]]),
        };
        let steps = self.draw.integer(-1, 1);
        if line.is_finite() { line.step(steps) } else { line }
    }

    /// Has the box, which is accepted, a point in `shared` such that all cells which hold it are open, from `cell`
    /// down? Cells are halved as trees and grids do it, at any lines.
    fn is_open(
        &mut self,
        shared: &Aabb<S>,
        edges: &[Aabb<S>; 2],
        cell: Aabb<S>,
        left: usize,
        open: &impl Fn(&Aabb<S>) -> bool,
    ) -> bool {
        if !open(&cell) {
            return false;
        }
        if left == 0 {
            return true;
        }
        let axis = self.draw.below(2);
        let line = self.line(axis, edges);
        if !(cell.min[axis] < line && line < cell.max[axis]) {
            return self.is_open(shared, edges, cell, left - 1, open);
        }
        let (mut lower, mut upper) = (cell, cell);
        (lower.max[axis], upper.min[axis]) = (line, line);
        // The line belongs to the upper half.
        (shared.min[axis] < line && self.is_open(shared, edges, lower, left - 1, open))
            || (shared.max[axis] >= line && self.is_open(shared, edges, upper, left - 1, open))
    }

    /// A box that holds another, as hulls of groups do.
    fn hull(&mut self, inner: &Aabb<S>) -> Aabb<S> {
        let other = self.draw.aabb(&self.pool);
        let mut hull = *inner;
        for axis in 0..2 {
            if other.min[axis] < hull.min[axis] {
                hull.min[axis] = if self.draw.once_in(4) { S::LOWEST } else { other.min[axis] };
            }
            if other.max[axis] > hull.max[axis] {
                hull.max[axis] = if self.draw.once_in(4) { S::HIGHEST } else { other.max[axis] };
            }
        }
        hull
    }

    fn check<Q: Query<S> + std::fmt::Debug>(&mut self, query: &Q) {
        let (bounds, aabb) = (query.bounds(), self.draw.aabb(&self.pool));
        if !is_ordered(&bounds) || !query.accepts(0, &aabb, Layers::ALL) {
            return;
        }
        self.accepted.set(self.accepted.get() + 1);
        let shared = common(&bounds, &aabb);
        assert!(is_ordered(&shared), "{query:?} accepts {aabb:?} outside its bounds {bounds:?}");
        let hull = self.hull(&aabb);
        assert!(query.reaches(&hull), "{query:?} accepts {aabb:?} and does not reach {hull:?}");
        let is_open =
            self.is_open(&shared, &[aabb, bounds], Aabb::EVERYTHING, MOST_DIVISIONS, &|cell| query.reaches(cell));
        assert!(is_open, "{query:?} accepts {aabb:?} and reaches no cells that hold a point of it");
    }

    /// Of what lies in a covered hull, exactly what is admitted is accepted.
    fn check_covered<Q: Query<S> + std::fmt::Debug>(&mut self, query: &Q, id: u32, layers: Layers) {
        let aabb = self.draw.aabb(&self.pool);
        let hull = self.hull(&aabb);
        if is_ordered(&aabb) && query.covers(&hull) {
            self.accepted.set(self.accepted.get() + 1);
            assert_eq!(
                query.accepts(id, &aabb, layers),
                query.admits(id, layers),
                "{query:?} covers {hull:?}; {aabb:?} lies in it"
            );
        }
    }

    fn check_ranked<Q: Ranked<S> + std::fmt::Debug>(&mut self, query: &Q) {
        self.check(query);
        let (bounds, aabb, other) = (query.bounds(), self.draw.aabb(&self.pool), self.draw.aabb(&self.pool));
        if !is_ordered(&bounds) {
            for asked in [aabb, other, Aabb::EVERYTHING] {
                assert!(
                    query.rank(&asked).is_none() && !query.accepts(0, &asked, Layers::ALL),
                    "{query:?} finds {asked:?}"
                );
            }
            return;
        }
        let rank = query.rank(&aabb);
        assert_eq!(
            rank.is_some(),
            query.accepts(0, &aabb, Layers::ALL),
            "{query:?} has no rank for {aabb:?}, or should have none"
        );
        let Some(rank) = rank else { return };
        self.accepted.set(self.accepted.get() + 1);
        let as_early = |cell: &Aabb<S>| query.reaches(cell) && query.rank(cell).is_some_and(|first| first <= rank);
        let hull = self.hull(&aabb);
        assert!(as_early(&hull), "{query:?} ranks {hull:?} behind {aabb:?}, which lies in it");
        let shared = common(&bounds, &aabb);
        let is_open = self.is_open(&shared, &[aabb, bounds], Aabb::EVERYTHING, MOST_DIVISIONS, &as_early);
        assert!(is_open, "{query:?} ranks all cells that hold a point of {aabb:?} behind it");
        for last in query.rank(&other).into_iter().chain([rank]).filter(|last| rank <= *last) {
            let bounds = query.bounds_up_to(&last);
            let is_within = is_ordered(&bounds) && is_ordered(&common(&bounds, &aabb));
            assert!(is_within, "{query:?}: {aabb:?} of rank {rank:?} is outside {bounds:?}, the bounds up to {last:?}");
            // And so it is for what lies in these bounds alone, as in a window.
            let shared = common(&bounds, &aabb);
            let is_open = self.is_open(&shared, &[aabb, bounds], Aabb::EVERYTHING, MOST_DIVISIONS, &as_early);
            assert!(is_open, "{query:?}: no cell within {bounds:?} holds a point of {aabb:?} and ranks before it");
        }
    }

    fn near(&mut self) -> Near<S> {
        let near = if self.draw.once_in(2) {
            Near::point(self.draw.point(&self.pool))
        } else {
            Near::aabb(self.draw.aabb(&self.pool))
        };
        match self.draw.below(4) {
            0 => near,
            1 => near.with_offset(self.draw.point(&self.pool)),
            _ => near.within(self.draw.of(&self.pool)),
        }
    }

    fn sweep(&mut self) -> Sweep<S> {
        let (start, way) = (self.draw.aabb(&self.pool), self.draw.point(&self.pool));
        match self.draw.below(5) {
            0 => Sweep::segment(start.min, way),
            1 => Sweep::ray(start.max, way),
            2 => Sweep::endless(start, way).with_offset(self.draw.point(&self.pool)),
            3 => Sweep::segment(start.min, start.max).with_offset(way),
            _ => Sweep::new(start, way),
        }
    }

    fn polygon(&mut self) -> Option<ConvexPolygon<S>> {
        let corners: Vec<_> = (0..1 + self.draw.below(4)).map(|_| self.draw.point(&self.pool)).collect();
        match self.draw.below(3) {
            0 => ConvexPolygon::wedge(corners[0], self.draw.point(&self.pool), self.draw.between(0.0, 2.0)).ok(),
            1 => {
                let Aabb { min, max } = self.draw.aabb(&self.pool);
                ConvexPolygon::new(&[min, [max[0], min[1]], max, [min[0], max[1]]]).ok()
            }
            _ => ConvexPolygon::new(&corners).ok(),
        }
    }
}

fn in_covered_hulls_what_is_admitted_is_accepted<S: Plain>() {
    for_all::<S>(6, |case| {
        let (one, other) = (case.draw.aabb(&case.pool), case.draw.aabb(&case.pool));
        let bounds = case.hull(&one).union(&other);
        let mut bits = || (case.draw.bits() & case.draw.bits()) as u32 | 1 << case.draw.below(32);
        let [asked, layers] = [(); 2].map(|()| Layers { own: bits(), mask: bits() });
        for id in 0..2 {
            case.check_covered(&Overlaps(bounds), id, layers);
            case.check_covered(&Inside(bounds), id, layers);
            case.check_covered(&Filtered(Overlaps(bounds), |id| id == 1), id, layers);
            case.check_covered(&OnLayers::with_agreement(Inside(bounds), asked, Agreement::Both), id, layers);
        }
    });
}

/// Some thousands of cases of every kind of numbers.
fn for_all<S: Plain>(seed: u64, check: impl Fn(&mut Case<'_, S>)) {
    let (mut draw, accepted, count) = (Draw::new(seed), Cell::new(0), instances(6_000));
    for number in 0..count {
        let kind = Kind::ALL[number as usize % Kind::ALL.len()];
        let pool = draw.numbers(kind);
        check(&mut Case { draw: &mut draw, pool, accepted: &accepted });
    }
    assert!(accepted.get() > count / 20, "only {} boxes were accepted in {count} cases", accepted.get());
}

fn rectangles_are_reached_wherever_they_accept<S: Plain>() {
    for_all::<S>(1, |case| {
        let (bounds, point) = (case.draw.aabb(&case.pool), case.draw.point(&case.pool));
        case.check(&Overlaps(bounds));
        case.check(&At(point));
        case.check(&Inside(bounds));
    });
}

fn near_is_reached_ranked_and_bounded<S: Plain>() {
    for_all::<S>(2, |case| {
        let near = case.near();
        case.check_ranked(&near);
    });
}

fn sweeps_are_reached_ranked_and_bounded<S: Plain>() {
    for_all::<S>(3, |case| {
        let sweep = case.sweep();
        case.check_ranked(&sweep);
    });
}

fn polygons_are_reached_wherever_they_accept<S: Plain>() {
    for_all::<S>(4, |case| {
        if let Some(polygon) = case.polygon() {
            case.check(&polygon);
            let moved = polygon.with_offset(case.draw.point(&case.pool));
            case.check(&moved);
        }
    });
}

/// What is turned down for all layers in a cell is turned down for each of them.
fn layers_are_wanted_of_a_union_if_of_a_part<S: Plain>() {
    for_all::<S>(5, |case| {
        let (near, aabb) = (case.near(), case.draw.aabb(&case.pool));
        // One bit in four, and at least one, so that everything meets what is on all layers.
        let mut bits = || (case.draw.bits() & case.draw.bits()) as u32 | 1 << case.draw.below(32);
        let [asked, part, rest] = [(); 3].map(|()| Layers { own: bits(), mask: bits() });
        let union = Layers { own: part.own | rest.own, mask: part.mask | rest.mask };
        let agreement = [Agreement::Both, Agreement::Either][case.draw.below(2)];
        let on = OnLayers::with_agreement(near, asked, agreement);
        let accepts = on.accepts(0, &aabb, part);
        assert!(on.wants(union) || !accepts, "{asked:?} accepts {part:?} and does not want {union:?}");
        let (is_wanted, wants) = (asked.own & part.mask != 0, asked.mask & part.own != 0);
        let meet = if agreement == Agreement::Both { is_wanted && wants } else { is_wanted || wants };
        assert_eq!(accepts, near.accepts(0, &aabb, part) && meet);
        let on_layers = OnLayers::new(near, asked.mask);
        assert_eq!(on_layers.accepts(0, &aabb, part), near.accepts(0, &aabb, part) && wants);
        assert!(on_layers.wants(union) || !on_layers.accepts(0, &aabb, part));
        case.accepted.set(case.accepted.get() + u64::from(accepts));
        // What is wrapped around a query changes nothing else.
        case.check_ranked(&Wrapped(on));
        case.check_ranked(&Wrapped(Filtered(near, |_| true)));
    });
}

/// A wrapper that shows what is in it.
#[derive(Clone)]
struct Wrapped<Q>(Q);

impl<Q> std::fmt::Debug for Wrapped<Q> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a wrapper")
    }
}

impl<S: Scalar, Q: Query<S>> Query<S> for Wrapped<Q> {
    forward!(Query<S>, |wrapped| wrapped.0, except wants, covers, admits);
}

impl<S: Scalar, Q: Ranked<S>> Ranked<S> for Wrapped<Q> {
    type Rank = Q::Rank;

    forward!(Ranked<S>, |wrapped| wrapped.0);
}

for_a_scalar! {
    rectangles_are_reached_wherever_they_accept,
    near_is_reached_ranked_and_bounded,
    sweeps_are_reached_ranked_and_bounded,
    polygons_are_reached_wherever_they_accept,
    layers_are_wanted_of_a_union_if_of_a_part,
    in_covered_hulls_what_is_admitted_is_accepted,
}
