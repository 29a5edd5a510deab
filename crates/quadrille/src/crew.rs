//! Who does work that can be divided: one thread, or those of a pool. What comes of it is the same.

/// How many elements of a long list are a job: enough for it not to matter that beginning one costs as much as a few hundred.
pub(crate) const STRETCH: usize = 16_384;

/// One thread or several that share a list of jobs.
pub trait Crew: Sync {
    /// Does every job. What comes of them is in `results` afterwards as if they had been done in a row.
    ///
    /// A job adds to the results that it is given: those of the jobs before it, or, where jobs are done at the same time, none; `join`
    /// then adds what came of the later jobs to what came of the earlier ones.
    fn share<J: Send, R: Send + Default>(
        &self,
        jobs: impl IntoIterator<Item = J>,
        results: &mut R,
        work: impl Fn(J, &mut R) + Sync + Send,
        join: impl Fn(&mut R, R),
    );
}

/// The calling thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alone;

impl Crew for Alone {
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
}
