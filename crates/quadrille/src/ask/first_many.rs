//! The first few answers to many queries, one after the other along a curve: what one has read is still in the cache for
//! the next.

use alloc::vec::Vec;

use super::{Answers, Ids, Resolver, View};
use crate::query::{Hit, Ranked};
use crate::structure::Structure;

impl<I: Structure, R: Resolver> View<'_, I, R> {
    /// The first `most` answers to each of many queries.
    pub(crate) fn first_many<Q: Ranked<I::Scalar>>(
        self,
        queries: &[Q],
        most: usize,
        answers: &mut Answers<Hit<Q::Rank, R::Name>>,
    ) {
        let mut hits = Vec::new();
        answers.one_by_one(queries, true, Ranked::origin, |query, names| {
            self.first_into(query, most, &mut hits, Ids);
            names.extend(hits.iter().map(|hit| Hit { id: self.resolver.name(hit.id), rank: hit.rank, thing: () }));
        });
    }
}
