//! Answers in order, the nearest first, the first hit first, and what stands on them: written once for all structures, for ids, handles and
//! keys.
//!
//! **The search.** A structure walks in an order of its own, which for a question with a favourite place may begin at the far end. So the
//! search probes first: it asks only about the cell of the question's origin, then about windows around it that grow, starting with the
//! size of that cell (or the usual distance between boxes, where there is none), until enough has been found. The worst of these bounds the real search, which is then complete by
//! construction, whatever the probes saw. On 10,000 boxes spread evenly, in a `Quadtree`, the nearest of a point takes 12 boxes looked
//! at on average, where 8 are in the cells that touch the right circle; the first box hit by a ray takes 35, where 11 are in the
//! cells on the way. Without the probes it is hundreds.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::Index;
use crate::error::Error;
use crate::geometry::{Aabb, Contact, Scalar, Sweep, sqrt_above};
use crate::question::{
    Answers, AnyOf, Best, Distance, Exactly, Filtered, Hit, Near, OnLayers, Question, Ranked, Shelf,
};
use crate::structure::Structure;

/// Windows that are tried, each four times as wide as the one before: the last reaches 256 cells to every side. More would help only
/// where a question starts far from everything, and there a search without bounds does as well.
const MOST_PROBES: usize = 6;

/// First batch of [`View::in_order`]; each later one is this many times as large, so that all together cost little more than the last.
const FIRST_BATCH: usize = 8;
const BATCH_GROWTH: usize = 4;

/// Two boxes that are nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestPair<S: Scalar = f32, N = u32, M = N> {
    /// A box of this set; in one set, the lower id.
    pub a: N,
    /// A box of the other set; in one set, the higher id.
    pub b: M,
    /// How far they are apart.
    pub distance: Distance<S>,
}

/// Two boxes that touch while both move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact<S: Scalar = f32, N = u32> {
    /// The lower id.
    pub a: N,
    /// The higher id.
    pub b: N,
    /// When they first touch, and on which side of `b`.
    pub contact: Contact<S>,
}

/// What is known above an index about its ids: their boxes themselves, and their names.
pub(crate) trait Register<S>: Copy {
    /// What answers are called: ids, handles, keys.
    type Name: Ord + Copy;

    /// The box of an id itself, which lies in the one that the index has and is `seen`, perhaps moved by whole worlds.
    fn exact(&self, id: u32, seen: &Aabb<S>) -> Aabb<S>;

    /// The name of an id in use.
    fn name(&self, id: u32) -> Self::Name;
}

/// Nothing more is known.
impl<S: Scalar> Register<S> for () {
    type Name = u32;

    #[inline]
    fn exact(&self, _id: u32, seen: &Aabb<S>) -> Aabb<S> {
        *seen
    }

    #[inline]
    fn name(&self, id: u32) -> u32 {
        id
    }
}

/// An index as those see it who know this register.
#[derive(Clone, Copy)]
pub(crate) struct View<'a, I: Structure, R> {
    pub(crate) index: &'a Index<I>,
    pub(crate) register: R,
}

impl<'a, I: Structure, R: Register<I::Scalar>> View<'a, I, R> {
    /// A question about the boxes themselves.
    #[inline]
    pub(crate) fn exactly<Q: Question<I::Scalar>>(&self, question: Q) -> impl Question<I::Scalar> + use<'a, I, R, Q> {
        let register = self.register;
        Exactly(question, move |id, seen: &Aabb<I::Scalar>| register.exact(id, seen))
    }

    /// Ids with their boxes themselves.
    fn iter(&self) -> impl Iterator<Item = (u32, Aabb<I::Scalar>)> {
        self.index.iter().map(|(id, seen)| (id, self.register.exact(id, &seen)))
    }

    fn bounds(&self, id: u32) -> Option<Aabb<I::Scalar>> {
        self.index.get(id).map(|seen| self.register.exact(id, &seen))
    }

    /// The rank of a box that is an answer.
    fn rank<Q: Ranked<I::Scalar>>(&self, question: &Q, id: u32) -> Option<Q::Rank> {
        let bounds = self.bounds(id)?;
        let ranks = self.index.structure.ways(question).filter_map(|way| question.rank(&bounds.with_offset(way)));
        ranks.reduce(|least, rank| if rank < least { rank } else { least })
    }

    /// The first answer.
    pub(crate) fn first<Q: Ranked<I::Scalar>>(&self, question: &Q) -> Option<Hit<Q::Rank, R::Name>> {
        let mut first = ArrayVec::<_, 1>::new();
        self.fill(question, 1, &mut first);
        first.pop()
    }

    /// The first `most` answers.
    pub(crate) fn first_into<Q: Ranked<I::Scalar>>(
        &self,
        question: &Q,
        most: usize,
        hits: &mut Vec<Hit<Q::Rank, R::Name>>,
    ) {
        hits.clear();
        if most < self.index.len() {
            self.fill(question, most, hits);
        } else {
            let found = self.index.query(self.exactly(question));
            hits.extend(
                found.filter_map(|id| Some(Hit { id: self.register.name(id), rank: self.rank(question, id)? })),
            );
            hits.sort_unstable_by(Hit::order);
        }
    }

    /// All answers.
    pub(crate) fn in_order<Q: Ranked<I::Scalar>>(self, question: Q) -> impl Iterator<Item = Hit<Q::Rank, R::Name>> {
        let (mut hits, mut next, mut most) = (Vec::new(), 0, 0);
        core::iter::from_fn(move || {
            if next == hits.len() && next == most {
                most = if most == 0 { FIRST_BATCH } else { most * BATCH_GROWTH };
                self.first_into(&question, most, &mut hits);
            }
            let hit = hits.get(next).copied()?;
            next += 1;
            Some(hit)
        })
    }

    /// Puts the first `most` answers on an empty shelf.
    fn fill<Q: Ranked<I::Scalar>, H: Shelf<Q::Rank, R::Name>>(&self, question: &Q, most: usize, shelf: &mut H) {
        if most == 0 || self.index.is_empty() || !question.bounds().is_ordered() {
            return;
        }
        let origin = question.origin();
        let (mut window, mut margin, mut looked_at) = (origin, None, 0);
        for probes in 1..=MOST_PROBES {
            let probe = Best::new(question, most, shelf, |id| self.register.name(id), window);
            self.index.query_count(self.exactly(&probe));
            let (cell_size, looked_at_before) = (probe.cell_size(), looked_at);
            looked_at = probe.looked_at();
            // A window that shows something, but no more than a quarter of it did, seems to hold all there is: unless both are
            // smaller than the usual distance between boxes, as they are where the cell is the hull of a single small box.
            let is_exhausted = looked_at > 0
                && looked_at == looked_at_before
                && margin.is_some_and(|margin| margin >= self.index.spacing());
            // The window always is the last one that was asked about, for what lies in it is not asked about again.
            if shelf.len() == most || is_exhausted || probes == MOST_PROBES || window.contains(&question.bounds()) {
                break;
            }
            let next = margin.map_or_else(|| cell_size.unwrap_or_else(|| self.index.spacing()), quadruple);
            margin = Some(next);
            window = origin.with_margin(next);
        }
        let last = shelf.last().filter(|_| shelf.len() == most).map(|last| last.rank);
        let bounds = last.map_or(question.bounds(), |last| question.bounds_up_to(&last));
        if !window.contains(&bounds) {
            self.index.query_count(self.exactly(&Best::new(
                question,
                most,
                shelf,
                |id| self.register.name(id),
                bounds,
            )));
        }
    }

    /// Many questions at once.
    pub(crate) fn many<Q: Question<I::Scalar>>(&self, questions: &[Q], answers: &mut Answers<R::Name>) {
        let boxes = &self.index.boxes;
        let is_answer =
            |question: &Q, id: u32| question.accepts(id, &self.register.exact(id, boxes.at(id)), boxes.layers(id));
        let find = |group: &AnyOf<'_, '_, I::Scalar, Q>, found: &mut Vec<u32>| {
            let mut list = |id| {
                found.push(id);
                ControlFlow::Continue::<()>(())
            };
            let _ = match group.alone() {
                Some(question) => self.index.query_visit(self.exactly(question), &mut list),
                None => self.index.query_visit(self.exactly(group), &mut list),
            };
        };
        // In a world that wraps, each question has its own ways round the world.
        let may_share = I::AROUND.is_none();
        answers.collect(questions, may_share, find, is_answer, |id| self.register.name(id));
    }

    /// The nearest pair in this set.
    pub(crate) fn nearest_pair(&self) -> Option<NearestPair<I::Scalar, R::Name>> {
        self.nearest_pair_by(self, |a, b| a < b)
    }

    /// The nearest pair between this set and another.
    pub(crate) fn nearest_pair_with<J: Structure<Scalar = I::Scalar>, O: Register<I::Scalar>>(
        &self,
        other: &View<'_, J, O>,
    ) -> Option<NearestPair<I::Scalar, R::Name, O::Name>> {
        self.nearest_pair_by(other, |_, _| true)
    }

    fn nearest_pair_by<J: Structure<Scalar = I::Scalar>, O: Register<I::Scalar>>(
        &self,
        other: &View<'_, J, O>,
        is_asked: impl Fn(u32, u32) -> bool + Copy,
    ) -> Option<NearestPair<I::Scalar, R::Name, O::Name>> {
        let mut best: Option<NearestPair<I::Scalar, R::Name, O::Name>> = None;
        for (a, bounds) in self.iter() {
            let near = best.map_or(Near::aabb(bounds), |best| Near::aabb(bounds).within_distance(best.distance));
            let asked = Filtered(near, move |b| is_asked(a, b));
            let boxes = &self.index.boxes;
            let nearest = other.first(&OnLayers::with_agreement(asked, boxes.layers(a), boxes.agreement()));
            // As near as the best is not better: its ids are lower.
            let Some(Hit { id: b, rank: distance }) =
                nearest.filter(|hit| best.is_none_or(|best| hit.rank < best.distance))
            else {
                continue;
            };
            best = Some(NearestPair { a: self.register.name(a), b, distance });
            if distance.squared() == 0.0 {
                break;
            }
        }
        best
    }

    /// The pairs that touch while box `id` moves along `motions[id]`.
    pub(crate) fn impacts_into(
        &self,
        motions: &[[I::Scalar; 2]],
        impacts: &mut Vec<Impact<I::Scalar, R::Name>>,
    ) -> Result<(), Error> {
        impacts.clear();
        for (position, &motion) in motions.iter().enumerate() {
            Aabb::from_point(motion).check().map_err(|error| Error::at(error, position))?;
        }
        let motion = |id: u32| motions.get(id as usize).copied().unwrap_or([I::Scalar::ZERO; 2]);
        let ids: Vec<u32> = self.index.iter().map(|(id, _)| id).collect();
        let ways: Vec<_> = self.iter().map(|(id, bounds)| bounds.union(&bounds.with_offset(motion(id)))).collect();
        for (&id, way) in ids.iter().zip(&ways) {
            self.index.admit(*way).map_err(|error| Error::at(error, id as usize))?;
        }
        for (a, b) in Index::<I>::with_boxes(self.index.options(), &ways)?.pairs() {
            let (a, b) = (ids[a as usize], ids[b as usize]);
            if let Some(first) = self.bounds(a).filter(|_| self.index.meet(a, b)) {
                let contact = self.rank(&Sweep::relative(first, motion(a), motion(b)), b);
                let (a, b) = (self.register.name(a), self.register.name(b));
                impacts.extend(contact.map(|contact| Impact { a, b, contact }));
            }
        }
        impacts.sort_unstable_by(|one, other| {
            let by_time = one.contact.partial_cmp(&other.contact).unwrap_or(core::cmp::Ordering::Equal);
            by_time.then((one.a, one.b).cmp(&(other.a, other.b)))
        });
        Ok(())
    }
}

impl<I: Structure> Index<I> {
    /// The index as it is.
    pub(super) fn view(&self) -> View<'_, I, ()> {
        View { index: self, register: () }
    }

    /// About how far apart boxes are, judging by a few: for a question that starts where there is no cell.
    fn spacing(&self) -> I::Scalar {
        const SAMPLE: usize = 16;
        let hull = Aabb::from_boxes(self.boxes.sample(SAMPLE, 0));
        let [width, height] = hull.size().map(Scalar::to_f64);
        let count = self.len() as f64;
        I::Scalar::at_least(sqrt_above(hull.area() / count).max(width / count).max(height / count))
    }
}

fn quadruple<S: Scalar>(margin: S) -> S {
    let double = margin.plus(margin);
    double.plus(double)
}
