//! Many queries at once.

use alloc::vec::Vec;
use core::ops::Range;

use super::{Resolver, View};
use crate::geometry::{Aabb, Scalar, morton};
use crate::kernel;
use crate::query::{Overlaps, Query};
use crate::structure::Structure;

/// From this many boxes on they do not fit in most processors' caches (ten megabytes and more), and queries may be run
/// in an order of their own, so that each finds what it reads in the cache.
const BEYOND_CACHE: usize = 200_000;

/// With more boxes than this per query, neighboring queries are too far apart to read the same.
const SCATTERED: usize = 4;

/// How many queries are tried to see whether most of them find anything. Those that find nothing read little, and putting
/// them in order costs more than it saves.
const TRIED: usize = 256;

/// How many queries ahead one is prefetched.
const SOON: usize = 12;

/// The answers to many queries, query by query: ids or handles. Keep it from frame to
/// frame: once it has grown, it allocates nothing.
///
/// In the manual: `docs/cookbook/moving.md#a-flock`.
///
/// ```
/// use quadrille::structures::Quadtree;
/// use quadrille::{Aabb, Answers, At, Index};
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
        Self { ranges: Vec::new(), names: Vec::new(), order: Arrangement::new() }
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

    /// The answers to the query at this position, in the order in which it has them by itself; empty if there was no
    /// such query.
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

    /// Prefetches the answers to a later query: they may be anywhere in memory.
    #[inline]
    fn prefetch(&self, query: usize) {
        if let Some(range) = self.ranges.get(query) {
            kernel::prefetch(&self.names, range.start);
            kernel::prefetch(&self.names, range.end.saturating_sub(1));
        }
    }
}

impl<I: Structure, R: Resolver> View<'_, I, R> {
    /// Many queries at once.
    pub(crate) fn many<Q: Query<I::Scalar>>(self, queries: &[Q], answers: &mut Answers<R::Name>) {
        let is_arranged = self.is_order_worthwhile(queries);
        answers.one_by_one(queries, is_arranged, Query::bounds, |query, names| self.add_answers(query, names));
    }

    /// Are queries answered sooner in an order in which neighbors are adjacent?
    fn is_order_worthwhile<Q: Query<I::Scalar>>(self, queries: &[Q]) -> bool {
        // Not the query itself, whose state may change while it runs.
        let finds = |query: &&Q| self.ids(Overlaps(query.bounds())).next().is_some();
        self.boxes.len() >= BEYOND_CACHE
            && queries.len() >= self.boxes.len() / SCATTERED
            && 2 * queries.iter().step_by(queries.len() / TRIED).filter(finds).count() > TRIED
    }

    /// Adds the answers to a query.
    pub(crate) fn add_answers<Q: Query<I::Scalar>>(self, query: &Q, names: &mut Vec<R::Name>) {
        if query.bounds().is_ordered() {
            self.structure.collect(self.boxes, query.clone(), |id| self.resolver.name(id), names);
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

    /// Drops the old contents. Each of the two of a pair answers the query with the number of the other; answers ascend.
    pub(super) fn both_ways(&mut self, queries: usize, pairs: &[(u32, u32)], name: impl Fn(u32) -> N)
    where
        N: Copy + Ord,
    {
        self.begin(queries);
        let Self { ranges, names, .. } = self;
        let both = || pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        both().for_each(|(query, _)| ranges[query as usize].end += 1);
        let mut start = 0;
        for range in &mut *ranges {
            let count = range.end;
            *range = start..start;
            start += count;
        }
        if let Some(&(some, _)) = pairs.first() {
            names.resize(start, name(some));
        }
        for (query, answer) in both() {
            let end = &mut ranges[query as usize].end;
            names[*end] = name(answer);
            *end += 1;
        }
        ranges.iter().for_each(|range| names[range.clone()].sort_unstable());
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
        let Self { ranges, names, order } = self;
        let mut ask = |number: usize| {
            let first = names.len();
            answer(&queries[number], names);
            ranges[number] = first..names.len();
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

    /// Prefetches a later query: queries may be anywhere in memory.
    #[inline]
    fn prefetch<Q>(&self, at: usize, queries: &[Q]) {
        if let Some(&soon) = self.keys.get(at + SOON) {
            // Where it begins, and where it ends.
            let soon = morton::number_of(soon) as usize;
            kernel::prefetch(queries, soon);
            kernel::prefetch(queries, soon + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;
    use core::cell::Cell;

    use super::{Answers, BEYOND_CACHE, SCATTERED};
    use crate::query::{At, Query};
    use crate::{Aabb, Index, Layers};

    /// The first box at a point, and no other.
    #[derive(Clone)]
    struct First(At, Cell<bool>);

    impl Query<f32> for First {
        fn bounds(&self) -> Aabb {
            self.0.bounds()
        }

        fn accepts(&self, id: u32, bounds: &Aabb, layers: Layers) -> bool {
            self.0.accepts(id, bounds, layers) && !self.1.replace(true)
        }
    }

    /// Whether an order pays is found out without the queries that are asked later: the state of none has changed.
    #[test]
    fn queries_with_state_have_their_answers_among_many_too() {
        let place = |k: usize| [k % 512, k / 512].map(|at| at as f32);
        let boxes: Vec<Aabb> = (0..BEYOND_CACHE).map(|k| Aabb::from_point(place(k))).collect();
        let index = <Index>::from_boxes(&boxes).expect("points");
        let asked = (0..BEYOND_CACHE / SCATTERED).map(|k| First(At(place(k)), Cell::new(false)));
        let asked: Vec<First> = asked.collect();
        let mut answers = Answers::new();
        index.query_many(&asked.iter().collect::<Vec<_>>(), &mut answers);
        assert!((0..).zip(answers.iter()).all(|(id, found)| found == [id]));
    }
}
