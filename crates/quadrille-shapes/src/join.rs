//! All pairs of two sets by filter and refine: a join of boxes offers candidates, and then the edges of each pair decide.

use std::ops::ControlFlow;

use quadrille::{Aabb, PairsInParts, Part};

use crate::batch::has_room;
use crate::distance::{is_within, reach_of_boxes};
use crate::fault::Fault;
use crate::geometries::Geometries;
use crate::point_in_polygon_batch::PointsInPolygons;
use crate::predicate::Predicate;

/// What is to hold between the two geometries of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation {
    /// A predicate holds.
    Holds(Predicate),
    /// They are no farther apart than this. Nothing is if it is negative or NaN.
    Within(f64),
}

/// One side of a join: geometries, and the boxes around them under the same numbers.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The geometries.
    pub all: &'a Geometries,
    /// Their boxes.
    pub boxes: &'a [Aabb<f64>],
}

/// What is done with each pair, until it breaks.
type Visit<'v, E> = &'v mut dyn FnMut(u32, u32) -> ControlFlow<E>;

/// The refinement of a join: candidates are [offered](Self::offer), and those that are related are visited, some of them
/// later, the last by [`finish`](Self::finish).
///
/// ```
/// use std::ops::ControlFlow;
/// use quadrille_shapes::{Side, Fault, Geometries, Joiner, Predicate, Relation};
///
/// let boxes = [[0.0, 0.0, 4.0, 4.0], [1.0, 1.0, 2.0, 2.0], [4.0, 4.0, 5.0, 5.0]].map(quadrille::Aabb::from);
/// let all = Geometries::from_boxes(&boxes)?;
/// let mut joiner = Joiner::new(Side { all: &all, boxes: &boxes }, None, Relation::Holds(Predicate::Contains));
/// let mut found = Vec::new();
/// let mut visit = |i, j| { found.push((i, j)); ControlFlow::Continue(()) };
/// let stopped: ControlFlow<Fault> = [(0, 1), (0, 2)].into_iter().try_for_each(|(i, j)| joiner.offer(i, j, &mut visit));
/// assert!(stopped.is_continue() && joiner.finish(&mut visit).is_continue());
/// assert_eq!(found, [(0, 1)]);
/// # Ok::<(), Fault>(())
/// ```
#[derive(Debug)]
pub struct Joiner<'a> {
    a: Side<'a>,
    b: Side<'a>,
    is_one_set: bool,
    relation: Relation,
    batch: Option<PointsInPolygons<'a>>,
    /// The pairs that intersect, if the query is for all others.
    met: Option<Vec<(u32, u32)>>,
}

impl<'a> Joiner<'a> {
    /// A join of two sets, or (`None`) within one. Candidates are all pairs whose boxes overlap, or of
    /// [`Within`](Relation::Within) those that are no farther apart than [`reach_of_boxes`]; each is offered once, within
    /// one set in one order only.
    #[must_use]
    pub fn new(a: Side<'a>, b: Option<Side<'a>>, relation: Relation) -> Self {
        let met = (relation == Relation::Holds(Predicate::Disjoint)).then(Vec::new);
        let relation = if met.is_some() { Relation::Holds(Predicate::Intersects) } else { relation };
        let batch = match (b, relation) {
            (Some(b), Relation::Holds(predicate)) => PointsInPolygons::new(a.all, b.all, predicate),
            _ => None,
        };
        Self { a, b: b.unwrap_or(a), is_one_set: b.is_none(), relation, batch, met }
    }

    /// Takes a candidate.
    ///
    /// # Errors
    /// Returns an error if `visit` breaks, if the predicate does not support a geometry (see [`Predicate::holds`]), or if memory
    /// runs out.
    ///
    /// # Panics
    /// Panics if there is no such number.
    pub fn offer<E: From<Fault>>(&mut self, i: u32, j: u32, visit: Visit<'_, E>) -> ControlFlow<E> {
        let Some(mut met) = self.met.take() else { return self.judge(i, j, visit) };
        let ended = self.judge(i, j, &mut |i, j| add(&mut met, (i, j)));
        self.met = Some(met);
        ended
    }

    /// Visits the pairs that are not decided yet: of [`Disjoint`](Predicate::Disjoint) all of them, in order.
    ///
    /// # Errors
    /// Returns the same errors as [`offer`](Self::offer).
    pub fn finish<E: From<Fault>>(mut self, visit: Visit<'_, E>) -> ControlFlow<E> {
        let Some(mut met) = self.met.take() else { return self.decide_batch(visit) };
        self.decide_batch(&mut |i, j| add::<E>(&mut met, (i, j)))?;
        met.sort_unstable();
        let mut met = met.into_iter().peekable();
        (0..self.a.all.len() as u32).try_for_each(|i| {
            let others = if self.is_one_set { i + 1 } else { 0 }..self.b.all.len() as u32;
            others.filter(|j| met.next_if_eq(&(i, *j)).is_none()).try_for_each(|j| visit(i, j))
        })
    }

    fn judge<E: From<Fault>>(&mut self, i: u32, j: u32, visit: Visit<'_, E>) -> ControlFlow<E> {
        let predicate = match self.relation {
            Relation::Within(most) if is_within(self.a.all, i, self.b.all, j, most) => return visit(i, j),
            Relation::Within(_) => return ControlFlow::Continue(()),
            Relation::Holds(predicate) => predicate,
        };
        let boxes = [&self.a.boxes[i as usize], &self.b.boxes[j as usize]];
        if predicate.is_possible(boxes[0], boxes[1]) {
            if self.batch.as_mut().is_some_and(|batch| batch.takes(i, j, boxes)) {
                let is_full = self.batch.as_ref().is_some_and(PointsInPolygons::is_full);
                return if is_full { self.decide_batch(visit) } else { ControlFlow::Continue(()) };
            }
            self.decide(predicate, i, j, visit)?;
        }
        // A self-join yields each pair once: a directed predicate must be tried both ways.
        if self.is_one_set && predicate.is_directed() && predicate.is_possible(boxes[1], boxes[0]) {
            self.decide(predicate, j, i, visit)?;
        }
        ControlFlow::Continue(())
    }

    fn decide<E: From<Fault>>(&self, predicate: Predicate, i: u32, j: u32, visit: Visit<'_, E>) -> ControlFlow<E> {
        match predicate.holds(self.a.all, i, self.b.all, j) {
            Ok(true) => visit(i, j),
            Ok(false) => ControlFlow::Continue(()),
            Err(fault) => ControlFlow::Break(fault.into()),
        }
    }

    fn decide_batch<E>(&mut self, visit: Visit<'_, E>) -> ControlFlow<E> {
        self.batch.as_mut().map_or(ControlFlow::Continue(()), |batch| batch.decide(visit))
    }
}

/// All pairs of a geometry of `a` and one of `b` for which a predicate holds, by their numbers, in no particular order.
///
/// # Errors
/// Returns an error if the predicate does not support one of them (see [`Predicate::holds`]), or if memory runs out.
pub fn join(a: &Geometries, b: &Geometries, predicate: Predicate) -> Result<Vec<(u32, u32)>, Fault> {
    join_while(a, b, Relation::Holds(predicate), &mut || true)
}

/// All pairs that are no farther apart than `most`.
///
/// # Errors
/// Returns an error if memory runs out.
pub fn join_within(a: &Geometries, b: &Geometries, most: f64) -> Result<Vec<(u32, u32)>, Fault> {
    join_while(a, b, Relation::Within(most), &mut || true)
}

/// All pairs that are related, until `may_go_on`, which is called for each pair of boxes, returns `false`.
///
/// # Errors
/// Returns the same errors as [`join`], and [`Fault::Stopped`].
pub fn join_while(
    a: &Geometries,
    b: &Geometries,
    relation: Relation,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<(u32, u32)>, Fault> {
    let [of_a, of_b] = [a, b].map(Geometries::boxes);
    let candidates = match relation {
        Relation::Within(most) => PairsInParts::between_within(&of_a, &of_b, reach_of_boxes(most)),
        Relation::Holds(_) => PairsInParts::between(&of_a, &of_b),
    };
    let candidates = candidates.map_err(|_| Fault::Memory)?;
    let mut go_on = || if may_go_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(Fault::Stopped) };
    let mut joiner = Joiner::new(Side { all: a, boxes: &of_a }, Some(Side { all: b, boxes: &of_b }), relation);
    let mut pairs = Vec::new();
    let found = candidates.part_visit(Part::WHOLE, |i, j| {
        go_on()?;
        joiner.offer(i, j, &mut |i, j| add(&mut pairs, (i, j)))
    });
    let found = match found {
        ControlFlow::Continue(()) => joiner.finish(&mut |i, j| {
            go_on()?;
            add(&mut pairs, (i, j))
        }),
        stopped => stopped,
    };
    found.break_value().map_or(Ok(pairs), Err)
}

/// Adds a pair, if there is memory for it and for the work on the next ones.
fn add<E: From<Fault>>(pairs: &mut Vec<(u32, u32)>, pair: (u32, u32)) -> ControlFlow<E> {
    if !has_room(pairs, 1) {
        return ControlFlow::Break(Fault::Memory.into());
    }
    pairs.push(pair);
    ControlFlow::Continue(())
}

impl Geometries {
    /// The boxes of all geometries.
    #[must_use]
    pub fn boxes(&self) -> Vec<Aabb<f64>> {
        (0..self.len() as u32).map(|number| self.bounds(number)).collect()
    }
}
