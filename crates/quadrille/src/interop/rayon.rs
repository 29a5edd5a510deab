//! rayon: many queries at once, and all pairs, on all cores, with the answers of one thread in the same order.

use alloc::vec::Vec;
use core::mem::take;

use rayon::prelude::*;

use crate::ask::{Answers, Resolver, View, push_all};
use crate::error::Error;
use crate::executor::{CHUNK, Executor};
use crate::geometry::Aabb;
use crate::index::Index;
use crate::query::Query;
use crate::structure::{Part, Structure};

/// Pairs are divided into this many parts per thread. More: threads that finish early find something to do. Fewer:
/// trees are walked less often. To find the start of its part, a thread walks past everything before it, which takes
/// about a twentieth of the time of the pairs themselves.
const PARTS_PER_THREAD: usize = 4;

/// Queries that one job answers into one list. More: fewer lists. Fewer: threads that finish early find something to
/// do.
const QUERIES_PER_JOB: usize = 64;

/// Collects what `find` puts into a list for each part, in order.
fn collect_parts<R: Send + Clone>(find: impl Fn(Part, &mut Vec<R>) + Sync) -> Vec<R> {
    let parts: Vec<Part> = Part::all(PARTS_PER_THREAD * rayon::current_num_threads()).collect();
    let found = parts.into_par_iter().map(|part| {
        let mut found = Vec::new();
        find(part, &mut found);
        found
    });
    joined(found.collect())
}

/// The contents of all lists, in order: one list is filled by all threads, for which its memory is new.
fn joined<R: Send + Clone>(lists: Vec<Vec<R>>) -> Vec<R> {
    let mut all = Vec::new();
    let Some(first) = lists.iter().flatten().next() else { return all };
    let len = lists.iter().map(Vec::len).sum();
    all.par_extend(rayon::iter::repeat_n(first.clone(), len).with_min_len(CHUNK));
    let mut rest = &mut all[..];
    let cut_off = |list: &Vec<R>| {
        let (places, after) = take(&mut rest).split_at_mut(list.len());
        rest = after;
        places
    };
    let places: Vec<&mut [R]> = lists.iter().map(cut_off).collect();
    places.into_par_iter().zip(lists).for_each(|(places, list)| {
        places.iter_mut().zip(list).for_each(|(place, one)| *place = one);
    });
    all
}

/// The threads of the pool.
struct Parallel;

impl Executor for Parallel {
    fn share<J: Send, R: Send + Default>(
        &self,
        jobs: impl IntoIterator<Item = J>,
        results: &mut R,
        work: impl Fn(J, &mut R) + Sync + Send,
        join: impl Fn(&mut R, R),
    ) {
        let jobs: Vec<J> = jobs.into_iter().collect();
        let done = jobs.into_par_iter().map(|job| {
            let mut result = R::default();
            work(job, &mut result);
            result
        });
        done.collect::<Vec<R>>().into_iter().for_each(|result| join(results, result));
    }

    fn resize<T: Copy + Send + Sync>(&self, list: &mut Vec<T>, len: usize, with: T) {
        list.truncate(len);
        let more = rayon::iter::repeat_n(with, len - list.len());
        list.par_extend(more.with_min_len(CHUNK));
    }

    fn append<T: Copy + Send + Sync>(&self, list: &mut Vec<T>, more: &[T]) {
        list.par_extend(more.par_iter().copied().with_min_len(CHUNK));
    }
}

/// # On all cores
///
/// Needs the `rayon` feature.
impl<I: Structure> Index<I> {
    /// Does what [`from_boxes`](Self::from_boxes) does, with the same result. Faster only in structures that can be
    /// processed in parts: [`FrameTree`](crate::FrameTree).
    ///
    /// # Errors
    /// Returns an error if a box is NaN, infinite or inverted. The message names its position and the value.
    pub fn par_from_boxes(boxes: &[Aabb<I::Scalar>]) -> Result<Self, Error> {
        Self::with_boxes_by(I::Options::default(), boxes, &Parallel)
    }

    /// Does what [`update_all`](Self::update_all) does, with the same result. Faster only in structures that can be
    /// processed in parts: [`FrameTree`](crate::FrameTree).
    ///
    /// # Errors
    /// Returns an error if a box is NaN, infinite or inverted (the message names its position and the value), or if an id is not in
    /// use. Nothing has changed in that case.
    pub fn par_update_all(&mut self, boxes: &[Aabb<I::Scalar>]) -> Result<(), Error> {
        self.update_all_with(boxes, &Parallel)
    }
}

impl<I: Structure, R: Resolver + Sync> View<'_, I, R> {
    pub(crate) fn par_query<Q: Query<I::Scalar> + Sync>(self, queries: &[Q], answers: &mut Answers<R::Name>)
    where
        R::Name: Send,
    {
        let found = queries.par_chunks(QUERIES_PER_JOB).map(|queries| {
            let mut names = Vec::new();
            let find = |query: &Q| {
                self.add_answers(query, &mut names);
                names.len()
            };
            let ends: Vec<usize> = queries.iter().map(find).collect();
            (ends, names)
        });
        answers.clear();
        found.collect::<Vec<_>>().into_iter().for_each(|(ends, names)| answers.append(&ends, names));
    }

    pub(crate) fn par_pairs(self) -> Vec<(R::Name, R::Name)>
    where
        R::Name: Send + Clone,
    {
        collect_parts(|part, found| {
            push_all(found, self.id_pairs(part).map(|(a, b)| (self.resolver.name(a), self.resolver.name(b))));
        })
    }
}
