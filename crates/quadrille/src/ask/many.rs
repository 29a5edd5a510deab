//! Many queries at once.

use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use super::{OnExactBoxes, Resolver, View, push_all};
use crate::geometry::{Aabb, Scalar, morton};
use crate::kernel;
use crate::query::Query;
use crate::storage::Layers;
use crate::structure::Structure;

/// The most queries that share a descent. Fewer: more descents. More: each box found is compared with more queries.
const LARGEST_GROUP: usize = 8;

/// If a group finds more boxes than this, its queries run one by one, and so do the next until one of them finds no
/// more than its share of these. With many answers, comparing each with several queries costs more than a descent (2.5
/// times as much with 1,000 answers a query, measured 2026-11-22).
const MOST_SHARED: usize = 64;

/// Neighbors share a descent while their common bounds are at most this many times as large as their own bounds
/// together. Less: fewer descents are shared. More: boxes far from most of the queries are compared.
const MOST_WASTE: f64 = 2.0;

/// If a frame tree has more than this many boxes per query, queries run one by one in the given order: they are too far
/// apart to share a descent or the cache.
const SCATTERED: usize = 4;

/// How many queries ahead one is prefetched: more than a group holds.
const SOON: usize = 12;

/// The answers to many queries, query by query: ids, handles or keys. Keep it from frame to
/// frame: once it has grown, it allocates nothing.
///
/// In the manual: `docs/cookbook/moving.md#a-flock`.
///
/// ```
/// use quadrille::{Aabb, Answers, At, Index, Quadtree};
///
/// let index = Index::<Quadtree>::from_boxes(&[[0.0, 0.0, 2.0, 2.0], [5.0, 5.0, 6.0, 6.0]].map(Aabb::from))?;
/// let mut answers = Answers::new();
/// index.query_many(&[At([1.0, 1.0]), At([3.0, 3.0]), At([5.5, 5.5])], &mut answers);
/// assert_eq!(answers.iter().collect::<Vec<_>>(), [&[0][..], &[], &[1]]);
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Answers<N = u32> {
    /// Where the answers of each query are.
    ranges: Vec<Range<usize>>,
    names: Vec<N>,
    /// Ids that a group of queries has found together.
    candidates: Vec<u32>,
    order: Arrangement,
}

impl<N> Default for Answers<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<N> Answers<N> {
    /// A buffer without answers.
    #[must_use]
    pub const fn new() -> Self {
        Self { ranges: Vec::new(), names: Vec::new(), candidates: Vec::new(), order: Arrangement::new() }
    }

    /// How many queries there were.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// `true` if there were no queries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The answers to the query at this position; empty if there was no such query. Their order depends on the
    /// whole set of queries asked, and on nothing else.
    #[must_use]
    pub fn of(&self, query: usize) -> &[N] {
        self.ranges.get(query).map_or(&[], |range| &self.names[range.clone()])
    }

    /// Drops all contents, and keeps the memory.
    #[cfg(feature = "rayon")]
    pub(crate) fn clear(&mut self) {
        self.ranges.clear();
        self.names.clear();
    }

    /// Adds the answers to the next queries, one after the other; `ends` says where those to each query end.
    #[cfg(feature = "rayon")]
    pub(crate) fn append(&mut self, ends: &[usize], mut names: Vec<N>) {
        let (start, mut first) = (self.names.len(), 0);
        for &end in ends {
            self.ranges.push(start + first..start + end);
            first = end;
        }
        self.names.append(&mut names);
    }

    /// The answers to all queries, in the order of the queries.
    pub fn iter(&self) -> impl Iterator<Item = &[N]> {
        (0..self.len()).map(|query| {
            self.prefetch(query + SOON);
            self.of(query)
        })
    }

    /// Prefetches the answers to a later query: they may lie anywhere in memory.
    #[inline]
    fn prefetch(&self, query: usize) {
        if let Some(range) = self.ranges.get(query) {
            kernel::prefetch(&self.names, range.start);
            kernel::prefetch(&self.names, range.end.saturating_sub(1));
        }
    }
}

impl<I: Structure, R: Resolver<I::Scalar>> View<'_, I, R> {
    /// Many queries at once.
    pub(crate) fn many<Q: Query<I::Scalar>>(self, queries: &[Q], answers: &mut Answers<R::Name>) {
        if self.structure.as_frame_tree().is_some() && self.boxes.len() / SCATTERED > queries.len() {
            return answers.one_by_one(queries, false, Query::bounds, |query, names| self.add_answers(query, names));
        }
        self.in_groups(queries, answers);
    }

    /// Adds the answers to a query.
    pub(crate) fn add_answers<Q: Query<I::Scalar>>(self, query: &Q, names: &mut Vec<R::Name>) {
        if query.bounds().is_ordered() {
            // As `query` asks it, so that both are compiled once.
            let asked = OnExactBoxes(query.clone(), self.resolver.exact_boxes());
            self.structure.collect(self.boxes, asked, |id| self.resolver.name(id), names);
        }
    }

    /// Finds what answers any of several queries, unless that is too much to compare with each of them.
    fn is_shared<Q: Query<I::Scalar>>(self, group: &AnyOf<'_, '_, I::Scalar, Q>, candidates: &mut Vec<u32>) -> bool {
        candidates.clear();
        let all = self.visit_ids(group, |id| {
            if candidates.len() == MOST_SHARED {
                return ControlFlow::Break(());
            }
            candidates.push(id);
            ControlFlow::Continue(())
        });
        all.is_continue()
    }

    /// One group of queries after another: what answers any of a group is found together, and then compared with each.
    fn in_groups<Q: Query<I::Scalar>>(self, queries: &[Q], answers: &mut Answers<R::Name>) {
        let is_answer =
            |query: &Q, id: u32| query.accepts(id, &self.resolver.exact(id, self.boxes.at(id)), self.boxes.layers(id));
        // In a world that wraps, each query wraps in its own way.
        let may_share = I::AROUND.is_none();
        answers.begin(queries.len());
        let Answers { ranges, names, candidates, order } = answers;
        order.arrange(queries, Query::bounds);
        // How many answers the last query had that was asked alone.
        let (mut start, mut found) = (0, 0);
        loop {
            let most = if may_share && found <= MOST_SHARED / LARGEST_GROUP { LARGEST_GROUP } else { 1 };
            let Some(group) = order.group(queries, start, most) else { break };
            (start..start + group.members.len()).for_each(|at| order.prefetch(at, queries));
            start += group.members.len();
            if group.members.len() == 1 || !self.is_shared(&group, candidates) {
                for (number, query) in group.members() {
                    found = record(&mut ranges[number as usize], names, |names| self.add_answers(query, names));
                }
                continue;
            }
            for (number, query) in group.members() {
                let answers = candidates.iter().filter(|&&id| is_answer(query, id));
                let answers = answers.map(|&id| self.resolver.name(id));
                record(&mut ranges[number as usize], names, |names| push_all(names, answers));
            }
        }
    }
}

impl<N> Answers<N> {
    /// Drops the old contents; so far, no query has an answer.
    fn begin(&mut self, queries: usize) {
        self.names.clear();
        self.ranges.clear();
        self.ranges.resize(queries, 0..0);
    }

    /// Drops the old contents and collects what `answer` adds for each query, in Morton order of their areas if they
    /// are to be arranged, or else as they come.
    pub(super) fn one_by_one<S: Scalar, Q: Query<S>>(
        &mut self,
        queries: &[Q],
        is_arranged: bool,
        area: impl Fn(&Q) -> Aabb<S>,
        mut answer: impl FnMut(&Q, &mut Vec<N>),
    ) {
        self.begin(queries.len());
        let Self { ranges, names, order, .. } = self;
        let mut ask = |number: usize| {
            record(&mut ranges[number], names, |names| answer(&queries[number], names));
        };
        if is_arranged {
            order.arrange(queries, area);
            for (at, &key) in order.keys.iter().enumerate() {
                order.prefetch(at, queries);
                ask(morton::number_of(key) as usize);
            }
        } else {
            (0..queries.len()).for_each(ask);
        }
    }
}

/// Gives a query the names that `add` adds, and says how many.
#[inline]
fn record<N>(range: &mut Range<usize>, names: &mut Vec<N>, add: impl FnOnce(&mut Vec<N>)) -> usize {
    let first = names.len();
    add(names);
    *range = first..names.len();
    range.len()
}

/// Queries in an order in which neighbors are adjacent.
#[derive(Clone, Debug)]
struct Arrangement {
    /// Morton codes and query numbers, sorted.
    keys: Vec<u64>,
    /// Memory to sort with.
    spare: Vec<u64>,
}

impl Arrangement {
    const fn new() -> Self {
        Self { keys: Vec::new(), spare: Vec::new() }
    }

    /// Sorts queries by the center of their areas. Queries that can find nothing are left out.
    fn arrange<S: Scalar, Q: Query<S>>(&mut self, queries: &[Q], area: impl Fn(&Q) -> Aabb<S>) {
        let middle = |query: &Q| area(query).center().map(|part| part.to_f64().clamp(-1e300, 1e300));
        let asked = (0..).zip(queries).filter(|(_, query)| query.bounds().is_ordered());
        morton::sort(asked.map(|(number, query)| (number, middle(query))), &mut self.keys, &mut self.spare);
    }

    /// Prefetches a later query: they may lie anywhere in memory.
    #[inline]
    fn prefetch<Q>(&self, at: usize, queries: &[Q]) {
        if let Some(&soon) = self.keys.get(at + SOON) {
            // Where it begins, and where it ends.
            let soon = morton::number_of(soon) as usize;
            kernel::prefetch(queries, soon);
            kernel::prefetch(queries, soon + 1);
        }
    }

    /// The queries from a position on that are asked together, at most `most`, and their common bounds; `None` at the
    /// end.
    fn group<'a, S: Scalar, Q: Query<S>>(
        &self,
        queries: &'a [Q],
        start: usize,
        most: usize,
    ) -> Option<AnyOf<'a, '_, S, Q>> {
        let bounds = |at: usize| Some(queries[morton::number_of(*self.keys.get(at)?) as usize].bounds());
        let (mut end, mut common) = (start + 1, bounds(start)?);
        let mut covered = common.area();
        while let Some(next) = bounds(end).filter(|_| end - start < most) {
            let (union, both) = (common.union(&next), covered + next.area());
            // Bounds without a numeric area, such as those of a query about everything, are asked alone.
            if union.area().partial_cmp(&(MOST_WASTE * both)).is_none_or(core::cmp::Ordering::is_gt) {
                break;
            }
            (end, common, covered) = (end + 1, union, both);
        }
        Some(AnyOf { queries, members: &self.keys[start..end], bounds: common })
    }
}

/// Several queries as one: a box is an answer if it is an answer to any of them.
#[derive(Clone, Debug)]
struct AnyOf<'a, 'b, S, Q> {
    queries: &'a [Q],
    /// Their keys in the [arrangement](Arrangement).
    members: &'b [u64],
    bounds: Aabb<S>,
}

impl<'a, S: Scalar, Q: Query<S>> AnyOf<'a, '_, S, Q> {
    /// The queries with their numbers.
    #[inline]
    fn members(&self) -> impl Iterator<Item = (u32, &'a Q)> {
        self.members.iter().map(|&key| morton::number_of(key)).map(|number| (number, &self.queries[number as usize]))
    }
}

impl<S: Scalar, Q: Query<S>> Query<S> for AnyOf<'_, '_, S, Q> {
    #[inline]
    fn bounds(&self) -> Aabb<S> {
        self.bounds
    }

    #[inline]
    fn reaches(&self, cell: &Aabb<S>) -> bool {
        // Bounds are not compared one by one: almost all of the common bounds belongs to some query, and a walk that
        // turns nothing down is cheaper.
        self.members().any(|(_, query)| query.reaches(cell))
    }

    #[inline]
    fn wants(&self, layers: Layers) -> bool {
        self.members().any(|(_, query)| query.wants(layers))
    }

    #[inline]
    fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool {
        // Bounds alone would not do, although each query is asked afterward: a box that is accepted must have been
        // reached.
        self.bounds.intersects(bounds) && self.members().any(|(_, query)| query.accepts(id, bounds, layers))
    }
}
