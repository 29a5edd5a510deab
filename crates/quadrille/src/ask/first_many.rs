//! The first few answers to many queries.
//!
//! Queries run along a curve, and each begins with the answers to the one before it: if there are enough, and all are
//! answers here too, the search ends at the farthest of them. If the next query is near, a frame tree is not walked
//! again: the packs around the last one are listed once for all queries among them.

use alloc::vec::Vec;

use super::best::Best;
use super::{Answers, Ids, Resolver, View};
use crate::geometry::{Scalar, sqrt_above};
use crate::query::{Hit, Ranked};
use crate::structure::{Around, Structure};

/// A query is near the one before if the answers to that one are at most this many times as far from it: four in
/// squares.
const NEXT: f64 = 4.0;

/// The squared radius of a list of packs, in squares of the last answer's distance from the query in the middle; and how
/// far from that one queries may be, as a fraction of this distance. Less: lists are made more often. More: longer lists.
const REACH: f64 = 2.0;
const MARGIN: f64 = 0.75;

/// What the last query found.
struct Known<S: Scalar, K> {
    hits: Vec<Hit<K>>,
    around: Option<Around<S>>,
}

impl<I: Structure, R: Resolver> View<'_, I, R> {
    /// The first `most` answers to each of many queries.
    pub(crate) fn first_many<Q: Ranked<I::Scalar>>(
        self,
        queries: &[Q],
        most: usize,
        answers: &mut Answers<Hit<Q::Rank, R::Name>>,
    ) {
        let mut known = Known { hits: Vec::new(), around: None };
        answers.one_by_one(queries, true, Ranked::origin, |query, names| {
            // In a world that wraps, the nearest image of a box may be another one.
            if most < self.boxes.len() && I::AROUND.is_none() {
                self.next(query, most, &mut known);
            } else {
                self.first_into(query, most, &mut known.hits, Ids);
            }
            names.extend(known.hits.iter().map(|hit| Hit {
                id: self.resolver.name(hit.id),
                rank: hit.rank,
                thing: (),
            }));
        });
    }

    /// The first `most` answers to the next query.
    fn next<Q: Ranked<I::Scalar>>(self, query: &Q, most: usize, known: &mut Known<I::Scalar, Q::Rank>) {
        let last = known.hits.last().filter(|_| known.hits.len() == most).map(|hit| hit.rank);
        let limit = last.and_then(|_| self.last_of(query, &known.hits));
        known.hits.clear();
        let squares = last.zip(limit).and_then(|(last, limit)| query.square(&last).zip(query.square(&limit)));
        if !squares.is_some_and(|squares| self.among(query, most, known, limit, squares)) {
            self.fill(query, most, &mut known.hits, Ids, limit);
        }
    }

    /// Answers a query from the listed packs, given the squared distances of the last answers from the last query and
    /// from this one. `false` if it is too far away.
    fn among<Q: Ranked<I::Scalar>>(
        self,
        query: &Q,
        most: usize,
        known: &mut Known<I::Scalar, Q::Rank>,
        limit: Option<Q::Rank>,
        (last, square): (f64, f64),
    ) -> bool {
        let Some(tree) = self.structure.as_frame_tree() else { return false };
        let origin = query.origin();
        if !known.around.as_ref().is_some_and(|around| around.holds(&origin, square)) {
            known.around = None;
            if square > NEXT * last {
                return false;
            }
            let margin = I::Scalar::at_least(MARGIN * sqrt_above(square));
            known.around = tree.around(origin.with_margin(margin), REACH * square);
        }
        let Known { hits, around: Some(around) } = known else { return false };
        let best = Best::new(query, most, hits, Ids, query.bounds()).up_to(limit).once();
        tree.narrow_among(around, self.boxes, &&best, square);
        true
    }

    /// The greatest rank of boxes that answered another query; `None` if one of them does not answer this one.
    fn last_of<Q: Ranked<I::Scalar>>(self, query: &Q, others: &[Hit<Q::Rank>]) -> Option<Q::Rank> {
        let mut ranks =
            others.iter().map(|other| query.answer(other.id, self.boxes.at(other.id), self.boxes.layers(other.id)));
        let first = ranks.next()??;
        ranks.try_fold(first, |last, rank| rank.map(|rank| if rank > last { rank } else { last }))
    }
}
