//! rayon: many questions at once, and all pairs, on all cores. The answers are those of one thread, in the same order.

use alloc::vec::Vec;
use core::ops::ControlFlow::{self, Continue};

use rayon::prelude::*;

use crate::index::Index;
use crate::question::Question;
use crate::space::{Handle, Space};
use crate::structure::{Part, Structure};

/// Pairs are divided into this many parts for each thread. More: threads that are done early find something to do. Fewer: trees
/// are walked less often, for to find the beginning of its part a thread walks past what comes before, which takes about
/// a twentieth of the time that the pairs themselves take.
const PARTS_PER_THREAD: usize = 4;

/// Collects what `find` puts into a list for each part, in order.
fn collect_parts<R: Send + Clone>(find: impl Fn(Part, &mut Vec<R>) + Sync) -> Vec<R> {
    let parts: Vec<Part> = Part::all(PARTS_PER_THREAD * rayon::current_num_threads()).collect();
    let found = parts.into_par_iter().map(|part| {
        let mut found = Vec::new();
        find(part, &mut found);
        found
    });
    found.collect::<Vec<_>>().concat()
}

/// # On all cores
///
/// With the feature `rayon`.
impl<I: Structure> Index<I> {
    /// What [`query`](Self::query) finds, for each of many questions: the same answers in the same order as one by one.
    #[must_use]
    pub fn par_query<Q: Question<I::Scalar> + Sync>(&self, questions: &[Q]) -> Vec<Vec<u32>> {
        questions.par_iter().map(|question| self.query(question.clone()).collect()).collect()
    }

    /// What [`pairs`](Self::pairs) finds, in the same order.
    #[must_use]
    pub fn par_pairs(&self) -> Vec<(u32, u32)> {
        collect_parts(|part, found| {
            let _: ControlFlow<()> = self.pairs_part_visit(part, |a, b| {
                found.push((a, b));
                Continue(())
            });
        })
    }

    /// What [`pairs_with`](Self::pairs_with) finds, in the same order.
    #[must_use]
    pub fn par_pairs_with<J: Structure<Scalar = I::Scalar>>(&self, other: &Index<J>) -> Vec<(u32, u32)> {
        collect_parts(|part, found| {
            for (a, bounds) in part.of(self.iter(), self.len()) {
                found.extend(other.query(self.partners(a, bounds)).map(|b| (a, b)));
            }
        })
    }
}

/// # On all cores
///
/// With the feature `rayon`.
impl<T: Sync, I: Structure> Space<T, I> {
    /// What [`query`](Self::query) finds, for each of many questions: the same answers in the same order as one by one.
    #[must_use]
    pub fn par_query<Q: Question<I::Scalar> + Sync>(&self, questions: &[Q]) -> Vec<Vec<Handle>> {
        let ask = |question: &Q| self.query(question.clone()).map(|(handle, _)| handle).collect();
        questions.par_iter().map(ask).collect()
    }

    /// What [`pairs`](Self::pairs) finds, in the same order.
    #[must_use]
    pub fn par_pairs(&self) -> Vec<(Handle, Handle)> {
        collect_parts(|part, found| {
            let _: ControlFlow<()> = self.pairs_part_visit(part, |(a, _), (b, _)| {
                found.push((a, b));
                Continue(())
            });
        })
    }

    /// What [`pairs_with`](Self::pairs_with) finds, in the same order.
    #[must_use]
    pub fn par_pairs_with<U: Sync, J: Structure<Scalar = I::Scalar>>(
        &self,
        other: &Space<U, J>,
    ) -> Vec<(Handle, Handle)> {
        collect_parts(|part, found| {
            for (a, _) in part.of(self.iter(), self.len()) {
                found.extend(self.partners_in(other, a).map(|(b, _)| (a, b)));
            }
        })
    }
}
