//! Executors run a list of jobs, one after another or on several threads, with identical results.

use alloc::vec::Vec;

/// How many elements of a long list make one job. More: of 100,000 boxes, many threads have nothing to do. Fewer: the
/// start of a job, some hundred instructions, counts.
pub(crate) const CHUNK: usize = 4096;

/// One thread or several.
pub trait Executor: Sync {
    /// There is only one thread: what makes more work so that it can be shared is not worth it.
    const IS_ALONE: bool = false;

    /// Runs every job, and leaves in `results` what one thread would have left there.
    ///
    /// A job adds to the results it is given: those of the jobs before it, or none if jobs run at the same time.
    /// `join` then appends the results of later jobs to those of earlier ones.
    fn share<J: Send, R: Send + Default>(
        &self,
        jobs: impl IntoIterator<Item = J>,
        results: &mut R,
        work: impl Fn(J, &mut R) + Sync + Send,
        join: impl Fn(&mut R, R),
    );

    /// Makes a list this long; what is new in it is `with`. Memory is touched for the first time by the threads that
    /// fill it: that takes as long as a pass over the boxes.
    fn resize<T: Copy + Send + Sync>(&self, list: &mut Vec<T>, len: usize, with: T);

    /// Appends these.
    fn append<T: Copy + Send + Sync>(&self, list: &mut Vec<T>, more: &[T]);
}

/// The calling thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Serial;

impl Executor for Serial {
    const IS_ALONE: bool = true;

    #[inline]
    fn share<J: Send, R: Send + Default>(
        &self,
        jobs: impl IntoIterator<Item = J>,
        results: &mut R,
        work: impl Fn(J, &mut R) + Sync + Send,
        _join: impl Fn(&mut R, R),
    ) {
        jobs.into_iter().for_each(|job| work(job, results));
    }

    #[inline]
    fn resize<T: Copy + Send + Sync>(&self, list: &mut Vec<T>, len: usize, with: T) {
        list.resize(len, with);
    }

    #[inline]
    fn append<T: Copy + Send + Sync>(&self, list: &mut Vec<T>, more: &[T]) {
        list.extend_from_slice(more);
    }
}
