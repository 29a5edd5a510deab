//! All answers in order, lazily.
//!
//! A frame tree walks once: see `frame_tree/walks/in_order.rs`. Other structures repeat the search for the first few
//! answers, for four times as many each time: all of these searches together look at a third more than the last one.
//! Beyond some hundreds, which a sorted list does not hold cheaply, all answers are found and sorted.

use alloc::vec::Vec;
use core::iter::{FusedIterator, from_fn};

use super::{Ids, Resolver, View};
use crate::query::{Hit, Ranked};
use crate::structure::Structure;

/// So many answers are looked for at first,
const FIRST: usize = 8;

/// and no more than this, unless it is all.
const MAX_FIRST: usize = 512;

impl<'a, I: Structure, R: Resolver> View<'a, I, R> {
    /// All answers.
    pub(crate) fn in_order<Q: Ranked<I::Scalar>>(
        self,
        query: Q,
    ) -> impl FusedIterator<Item = Hit<Q::Rank, R::Name, R::Thing>> + use<'a, I, R, Q> {
        let (walked, repeated) = match self.structure.as_frame_tree() {
            Some(tree) => (Some(tree.in_order(self.boxes, query)), None),
            None => (None, Some(self.repeated(query))),
        };
        let hits = walked.into_iter().flatten().chain(repeated.into_iter().flatten());
        hits.map(move |hit| self.hit(hit))
    }

    fn repeated<Q: Ranked<I::Scalar>>(self, query: Q) -> impl Iterator<Item = Hit<Q::Rank>> + use<'a, I, R, Q> {
        // How many have been yielded; `None` if that is all.
        let mut yielded = Some(0);
        let searches = from_fn(move || {
            let before = yielded?;
            let most = if 4 * before > MAX_FIRST { usize::MAX } else { FIRST.max(4 * before) };
            let mut first = Vec::new();
            self.first_into(&query, most, &mut first, Ids);
            yielded = Some(first.len()).filter(|found| *found == most);
            Some(first.into_iter().skip(before))
        });
        searches.flatten()
    }
}
