//! Answers in order: the nearest first, the first hit first. Written once for all structures.
//!
//! **The search.** A structure walks in an order of its own, which for a question with a favourite place may begin at the far end. So the
//! search probes first: it asks only about the cell of the question's origin, then about windows around it that grow, starting with the
//! size of that cell (or the usual distance between boxes, where there is none), until enough has been found. The worst of these bounds the real search, which is then complete by
//! construction, whatever the probes saw. On 10,000 boxes spread evenly, in a `Quadtree`, the nearest of a point takes 12 boxes looked
//! at on average, where 8 are in the cells that touch the right circle; the first box hit by a ray takes 35, where 11 are in the
//! cells on the way. Without the probes it is hundreds.

use alloc::vec::Vec;
use arrayvec::ArrayVec;

use super::Index;
use crate::error::Error;
use crate::geometry::{Aabb, Contact, Scalar, Sweep, sqrt_above};
use crate::question::{Best, Distance, Filtered, Hit, Near, Ranked, Shelf};
use crate::structure::Structure;

/// Windows that are tried, each four times as wide as the one before: the last reaches 256 cells to every side. More would help only
/// where a question starts far from everything, and there a search without bounds does as well.
const MOST_PROBES: usize = 6;

/// First batch of [`Index::query_in_order`]; each later one is this many times as large, so that all together cost little more than the last.
const FIRST_BATCH: usize = 8;
const BATCH_GROWTH: usize = 4;

/// # Questions in order
///
/// Least rank first, and lower id first where ranks are equal; the same for every structure.
impl<I: Structure> Index<I> {
    /// The first answer: the nearest box, the first one hit. `None` if there is none.
    ///
    /// ```
    /// use quadrille::{Aabb, Index, Near, Quadtree, Sweep};
    ///
    /// let boxes = [[1.0, 1.0, 2.0, 2.0], [4.0, 0.0, 5.0, 9.0], [8.0, 0.0, 9.0, 9.0]].map(Aabb::from);
    /// let index = Index::<Quadtree>::from_boxes(&boxes)?;
    ///
    /// let nearest = index.query_first(Near::point([7.0, 3.0])).unwrap();
    /// assert_eq!((nearest.id, nearest.rank.squared()), (2, 1.0));
    ///
    /// let hit = index.query_first(Sweep::segment([0.0, 4.0], [10.0, 4.0])).unwrap();
    /// assert_eq!((hit.id, hit.rank.time(), hit.rank.normal()), (1, 0.4, [-1, 0]));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    #[doc(alias = "nearest")]
    #[doc(alias = "cast")]
    #[doc(alias = "raycast")]
    pub fn query_first<Q: Ranked<I::Scalar>>(&self, question: Q) -> Option<Hit<Q::Rank>> {
        let mut first = ArrayVec::<_, 1>::new();
        self.fill(&question, 1, &mut first);
        first.pop()
    }

    /// Fills `hits` with the first `most` answers, in order; what was there before is dropped. With room enough in
    /// `hits`, nothing is allocated. `usize::MAX` gives all answers; zero none.
    #[doc(alias = "knn")]
    pub fn query_first_into<Q: Ranked<I::Scalar>>(&self, question: Q, most: usize, hits: &mut Vec<Hit<Q::Rank>>) {
        hits.clear();
        if most < self.len() {
            self.fill(&question, most, hits);
        } else {
            hits.extend(self.query(&question).filter_map(|id| {
                let rank = question.rank(&self.get(id)?)?;
                Some(Hit { id, rank })
            }));
            hits.sort_unstable_by(Hit::order);
        }
    }

    /// All answers in order, lazily. Allocates a buffer, and asks again for four times as many whenever that is used up: take what
    /// you need, or [`query_first_into`](Self::query_first_into) if you know how many.
    pub fn query_in_order<Q: Ranked<I::Scalar>>(&self, question: Q) -> impl Iterator<Item = Hit<Q::Rank>> {
        let (mut hits, mut next, mut most) = (Vec::new(), 0, 0);
        core::iter::from_fn(move || {
            if next == hits.len() && next == most {
                most = if most == 0 { FIRST_BATCH } else { most * BATCH_GROWTH };
                self.query_first_into(&question, most, &mut hits);
            }
            let hit = hits.get(next).copied()?;
            next += 1;
            Some(hit)
        })
    }

    /// Puts the first `most` answers on a shelf, together with what is there already.
    pub(super) fn fill<Q: Ranked<I::Scalar>, H: Shelf<Q::Rank>>(&self, question: &Q, most: usize, shelf: &mut H) {
        if most == 0 || self.is_empty() || !question.bounds().is_ordered() {
            return;
        }
        let origin = question.origin();
        let (mut window, mut margin, mut looked_at) = (origin, None, 0);
        for _ in 0..MOST_PROBES {
            let probe = Best::new(question, most, shelf, window);
            self.query_count(&probe);
            let (cell_size, looked_at_before) = (probe.cell_size(), looked_at);
            looked_at = probe.looked_at();
            // A window that shows something, but no more than a quarter of it did, seems to hold all there is.
            let is_exhausted = looked_at > 0 && looked_at == looked_at_before;
            if shelf.len() == most || is_exhausted || window.contains(&question.bounds()) {
                break;
            }
            let next = margin.map_or_else(|| cell_size.unwrap_or_else(|| self.spacing()), quadruple);
            margin = Some(next);
            window = origin.with_margin(next);
        }
        let last = shelf.last().filter(|_| shelf.len() == most).map(|last| last.rank);
        let bounds = last.map_or(question.bounds(), |last| question.bounds_up_to(&last));
        if !window.contains(&bounds) {
            self.query_count(&Best::new(question, most, shelf, bounds));
        }
    }
}

impl<I: Structure> Index<I> {
    /// About how far apart boxes are, judging by a few: for a question that starts where there is no cell.
    fn spacing(&self) -> I::Scalar {
        const SAMPLE: usize = 16;
        let step = self.boxes.places().div_ceil(SAMPLE).max(1);
        let hull = Aabb::from_boxes(self.boxes.sample(step));
        let [width, height] = hull.size().map(Scalar::to_f64);
        let count = self.len() as f64;
        I::Scalar::at_least(sqrt_above(hull.area() / count).max(width / count).max(height / count))
    }
}

fn quadruple<S: Scalar>(margin: S) -> S {
    let double = margin.plus(margin);
    double.plus(double)
}

/// Two boxes that are nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestPair<S: Scalar = f32> {
    /// A box of this set; in one set, the lower id.
    pub a: u32,
    /// A box of the other set; in one set, the higher id.
    pub b: u32,
    /// How far they are apart.
    pub distance: Distance<S>,
}

/// Two boxes that touch while both move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact<S: Scalar = f32> {
    /// The lower id.
    pub a: u32,
    /// The higher id.
    pub b: u32,
    /// When they first touch, and on which side of `b`.
    pub contact: Contact<S>,
}

/// # Pairs by distance and time
impl<I: Structure> Index<I> {
    /// The two boxes that are nearest to each other; of several such pairs the one with the lowest ids. `None` if there are fewer
    /// than two boxes. Costs one nearest question a box, within the least distance so far.
    #[must_use]
    pub fn nearest_pair(&self) -> Option<NearestPair<I::Scalar>> {
        self.nearest_pair_by(self, |a, b| a < b)
    }

    /// The box here and the box in `other` that are nearest to each other; of several such pairs the one with the lowest ids, `a` before
    /// `b`. `None` if one of the sets is empty. Ask the smaller set about the larger one.
    #[must_use]
    pub fn nearest_pair_with<J: Structure<Scalar = I::Scalar>>(
        &self,
        other: &Index<J>,
    ) -> Option<NearestPair<I::Scalar>> {
        self.nearest_pair_by(other, |_, _| true)
    }

    fn nearest_pair_by<J: Structure<Scalar = I::Scalar>>(
        &self,
        other: &Index<J>,
        is_asked: impl Fn(u32, u32) -> bool + Copy,
    ) -> Option<NearestPair<I::Scalar>> {
        let mut best: Option<NearestPair<I::Scalar>> = None;
        for (a, bounds) in self.iter() {
            let near = best.map_or(Near::aabb(bounds), |best| Near::aabb(bounds).within_distance(best.distance));
            let nearest = other.query_first(Filtered(near, move |b| is_asked(a, b)));
            // As near as the best is not better: its ids are lower.
            let Some(Hit { id: b, rank: distance }) =
                nearest.filter(|hit| best.is_none_or(|best| hit.rank < best.distance))
            else {
                continue;
            };
            best = Some(NearestPair { a, b, distance });
            if distance.squared() == 0.0 {
                break;
            }
        }
        best
    }

    /// All pairs of boxes that touch during a step in which box `id` moves along `motions[id]` (and stays where it is if there is no such
    /// entry), into `impacts`, in order of first touch, then of ids. No speed is too high: what is compared is the whole way of both.
    ///
    /// Builds an index of the ways, which is what it costs.
    ///
    /// # Errors
    /// If a motion is NaN or leads out of the numbers: names its position.
    pub fn impacts_into(&self, motions: &[[I::Scalar; 2]], impacts: &mut Vec<Impact<I::Scalar>>) -> Result<(), Error> {
        impacts.clear();
        for (position, &motion) in motions.iter().enumerate() {
            Aabb::from_point(motion).check().map_err(|error| Error::at(error, position))?;
        }
        let motion = |id: u32| motions.get(id as usize).copied().unwrap_or([I::Scalar::ZERO; 2]);
        let ids: Vec<u32> = self.iter().map(|(id, _)| id).collect();
        let ways: Vec<_> = self.iter().map(|(id, bounds)| bounds.union(&bounds.with_offset(motion(id)))).collect();
        for (a, b) in Self::with_boxes(self.options(), &ways)?.pairs() {
            let (a, b) = (ids[a as usize], ids[b as usize]);
            if let (Some(first), Some(second)) = (self.get(a), self.get(b)) {
                let contact = Sweep::relative(first, motion(a), motion(b)).contact(&second);
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
