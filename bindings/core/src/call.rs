//! How a call works: on how many threads, until its caller wants it to stop, and with errors when memory runs out.

use quadrille::internals::is_free;
use std::cell::Cell;
use std::ops::Range;
#[cfg(feature = "threads")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::threads::Threads;

/// Seconds between two checks whether a call may continue. A higher value makes calls slower to stop, with a lower one
/// checks cost time.
const PERIOD: Duration = Duration::from_millis(50);

/// The most answers between two looks at the clock: less than a millisecond.
const CHUNK: usize = 1 << 16;

/// Queries between two checks of the clock; each may take milliseconds.
const ROWS: usize = 8;

/// How a call works.
#[derive(Clone, Copy, Default)]
pub struct Call<'a> {
    threads: Threads,
    may_go_on: Option<&'a dyn Fn() -> bool>,
}

impl<'a> Call<'a> {
    /// On this many threads, while `may_go_on` returns true. It is called on the caller's thread, about twenty times a
    /// second.
    pub fn new(threads: Threads, may_go_on: &'a dyn Fn() -> bool) -> Self {
        Self { threads, may_go_on: Some(may_go_on) }
    }

    /// To the end, on this many threads.
    pub fn on(threads: Threads) -> Self {
        Self { threads, may_go_on: None }
    }

    /// What work on the caller's own thread checks.
    pub fn pulse(&self) -> Pulse<'a> {
        match self.may_go_on {
            Some(may_go_on) => Pulse(Kind::Asks { may_go_on, last: Cell::new(Instant::now()) }),
            None => Pulse(Kind::Endless),
        }
    }

    /// The number of parts for work that cannot be divided by rows.
    pub(crate) fn parts(&self) -> usize {
        self.threads.parts()
    }

    /// Calls `work` for a chunk of `0..rows` on each thread and returns the results in order: for work to which each chunk
    /// adds something.
    pub(crate) fn share_evenly<R: Send>(&self, rows: usize, work: Work<'_, Range<usize>, R>) -> Result<Vec<R>, Error> {
        let parts = self.threads.count();
        self.each(parts, &|part, pulse| work(part * rows / parts..(part + 1) * rows / parts, pulse))
    }

    /// Calls `work` for each number below `parts` and returns the results in order.
    ///
    /// `work` comes as a trait object so that it is compiled once, for one thread and for several.
    pub(crate) fn each<R: Send>(&self, parts: usize, work: Work<'_, usize, R>) -> Result<Vec<R>, Error> {
        match self.threads {
            #[cfg(feature = "threads")]
            Threads::Some(threads) if threads.get() > 1 && parts > 1 => self.each_in_pool(threads, parts, work),
            _ => {
                let pulse = self.pulse();
                (0..parts).map(|part| work(part, &pulse)).collect()
            }
        }
    }

    /// Calls `work` for chunks of `0..rows` and returns the results in order.
    pub(crate) fn share<R: Send>(&self, rows: usize, work: Work<'_, Range<usize>, R>) -> Result<Vec<R>, Error> {
        let chunk = self.threads.chunk(rows);
        let rows_of = |number: usize| number * chunk..rows.min((number + 1) * chunk);
        self.each(rows.div_ceil(chunk).max(1), &|number, pulse| work(rows_of(number), pulse))
    }

    #[cfg(feature = "threads")]
    fn each_in_pool<R: Send>(
        &self,
        threads: std::num::NonZeroUsize,
        parts: usize,
        work: Work<'_, usize, R>,
    ) -> Result<Vec<R>, Error> {
        let is_stopped = AtomicBool::new(false);
        let work = |part: usize| work(part, &Pulse(Kind::Told(&is_stopped)));
        let is_stopped = &is_stopped;
        let look = self.may_go_on.map(|may_go_on| {
            move || {
                // Not called again after the answer was no, while running parts reach their next check.
                let stops = is_stopped.load(Ordering::Relaxed) || !may_go_on();
                is_stopped.store(stops, Ordering::Relaxed);
            }
        });
        crate::threads::each(threads, parts, PERIOD, look.as_ref().map(|look| look as &dyn Fn()), &work)
            .into_iter()
            .collect()
    }
}

/// Part of a call: its work, and what to check now and then.
pub(crate) type Work<'a, P, R> = &'a (dyn Fn(P, &Pulse<'_>) -> Result<R, Error> + Sync);

/// Checked by work now and then: may it continue?
pub struct Pulse<'a>(Kind<'a>);

enum Kind<'a> {
    Endless,
    /// On the thread of the caller.
    Asks {
        may_go_on: &'a dyn Fn() -> bool,
        last: Cell<Instant>,
    },
    /// On another thread.
    #[cfg(feature = "threads")]
    Told(&'a AtomicBool),
}

impl Pulse<'_> {
    /// Takes well under a microsecond.
    ///
    /// # Errors
    /// Returns an error if the caller wants the call to stop.
    pub fn beat(&self) -> Result<(), Error> {
        let goes_on = match &self.0 {
            Kind::Endless => true,
            Kind::Asks { last, .. } if last.get().elapsed() < PERIOD => true,
            Kind::Asks { may_go_on, last } => {
                let goes_on = may_go_on();
                last.set(Instant::now());
                goes_on
            }
            #[cfg(feature = "threads")]
            Kind::Told(is_stopped) => !is_stopped.load(Ordering::Relaxed),
        };
        if goes_on { Ok(()) } else { Err(Error::stopped()) }
    }

    /// A check every few rows.
    pub(crate) fn beat_at_row(&self, row: usize) -> Result<(), Error> {
        if row % ROWS == 0 { self.beat() } else { Ok(()) }
    }

    /// A check every few thousand answers.
    #[inline]
    pub(crate) fn beat_at_answer(&self, answer: usize) -> Result<(), Error> {
        if answer % CHUNK == 0 { self.beat() } else { Ok(()) }
    }
}

/// Answers that grow while there is memory and the call may continue.
pub(crate) struct Column<'a, T> {
    all: Vec<T>,
    /// How many fit before the next check.
    until: usize,
    /// Bytes that the work on the next answers may take.
    spare: usize,
    pulse: &'a Pulse<'a>,
}

impl<'a, T> Column<'a, T> {
    pub(crate) fn new(pulse: &'a Pulse<'a>) -> Self {
        Self::behind(Vec::new(), pulse)
    }

    /// Appends answers.
    pub(crate) fn behind(all: Vec<T>, pulse: &'a Pulse<'a>) -> Self {
        Self { until: all.len(), all, spare: 0, pulse }
    }

    /// Answers that leave enough memory for work on this many boxes: without it, that work would end the process.
    #[cfg(feature = "shapes")]
    pub(crate) fn beside(boxes: usize, pulse: &'a Pulse<'a>) -> Self {
        Self { spare: boxes.saturating_mul(BYTES_OF_A_BOX), ..Self::new(pulse) }
    }

    #[inline]
    pub(crate) fn push(&mut self, answer: T) -> Result<(), Error> {
        if self.all.len() >= self.until {
            self.look_around()?;
        }
        self.all.push(answer);
        Ok(())
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn into_answers(self) -> Vec<T> {
        self.all
    }

    #[cold]
    fn look_around(&mut self) -> Result<(), Error> {
        self.pulse.beat()?;
        let is_full = self.all.len() == self.all.capacity();
        if self.all.try_reserve(1).is_err() || is_full && !is_free(self.spare) {
            return Err(Error::memory(self.all.len()));
        }
        self.until = self.all.capacity().min(self.all.len() + CHUNK);
        Ok(())
    }
}

/// An empty vector with room for this many.
///
/// # Errors
/// Returns an error if there is no memory for them.
pub fn room<T>(many: usize) -> Result<Vec<T>, Error> {
    let mut all = Vec::new();
    all.try_reserve_exact(many).map_err(|_| Error::memory(many))?;
    Ok(all)
}

/// This many times the same.
///
/// # Errors
/// Returns an error if there is no memory for them.
pub(crate) fn filled<T: Clone>(value: T, many: usize) -> Result<Vec<T>, Error> {
    let mut all = room(many)?;
    all.resize(many, value);
    Ok(all)
}

/// Where each list begins, if they follow each other.
///
/// # Errors
/// Returns an error if there is no memory for them.
pub(crate) fn starts_of(counts: &[u32]) -> Result<Vec<usize>, Error> {
    let (mut starts, mut end) = (room(counts.len())?, 0);
    starts.extend(counts.iter().map(|&count| {
        end += count as usize;
        end - count as usize
    }));
    Ok(starts)
}

/// At which place each row is, by the rows at each place.
///
/// # Errors
/// Returns an error if there is no memory for them.
pub(crate) fn places_of(rows: &[u32]) -> Result<Vec<u32>, Error> {
    let mut places = filled(0, rows.len())?;
    (0..).zip(rows).for_each(|(place, &row)| places[row as usize] = place);
    Ok(places)
}

/// The contents of all parts, in order.
pub(crate) fn joined<T: Copy>(mut parts: Vec<Vec<T>>) -> Result<Vec<T>, Error> {
    if parts.len() == 1 {
        return Ok(parts.swap_remove(0));
    }
    let mut all = room(parts.iter().map(Vec::len).sum())?;
    for part in parts {
        all.extend_from_slice(&part);
    }
    Ok(all)
}

/// Bytes per box while an index is built, with room to spare.
const BYTES_OF_A_BOX: usize = 256;

/// Checks that there is memory for an index of this many boxes, by reserving all of it and releasing it: without
/// memory, the library itself would end the process.
pub(crate) fn check_room_for_boxes(boxes: usize) -> Result<(), Error> {
    if is_free(boxes.saturating_mul(BYTES_OF_A_BOX)) { Ok(()) } else { Err(Error::memory_for_boxes(boxes)) }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use quadrille::Index;

    use super::*;
    use crate::ErrorKind::{Memory, Stopped};
    use crate::{
        Rows, Seams, Wanted, nearest, neighbors, pairs, pairs_between, pairs_in, query, suppress, within,
        within_between, within_each,
    };

    /// All kinds of thread counts.
    fn threads() -> Vec<Threads> {
        vec![
            Threads::One,
            #[cfg(feature = "threads")]
            Threads::Some(std::num::NonZeroUsize::MIN.saturating_add(1)),
        ]
    }

    /// Kinds of errors of calls that are stopped at the second check.
    fn stopped(work: impl Fn(Call<'_>) -> Result<(), Error>) -> Vec<Option<crate::ErrorKind>> {
        let kinds = threads().into_iter().map(|threads| {
            let looks = Cell::new(0);
            let may_go_on = || looks.replace(looks.get() + 1) < 1;
            let kind = work(Call::new(threads, &may_go_on)).err().map(|error| error.kind());
            assert_eq!(looks.get(), 2, "a call that is to stop checks no more");
            kind
        });
        kinds.collect()
    }

    #[test]
    fn calls_stop_when_they_are_told_to() {
        // 60,000 boxes in one spot: seconds of work for each.
        let (crowd, all) = (vec![0.0_f32; 4 * 60_000], vec![Some(Stopped); threads().len()]);
        let rows = Rows::Boxes(&crowd);
        let index =
            Index::with_boxes(quadrille::structures::AnyOptions::FrameTree, &rows.to_boxes().expect("borrowed"))
                .expect("boxes");
        assert_eq!(stopped(|call| pairs(rows, call).map(drop)), all);
        assert_eq!(stopped(|call| pairs_in::<quadrille::structures::AnyStructure<f32>>(&index, call).map(drop)), all);
        assert_eq!(stopped(|call| within(rows, 1.0, false, call).map(drop)), all);
        assert_eq!(stopped(|call| pairs_between(rows, rows, call).map(drop)), all);
        assert_eq!(stopped(|call| within_between(rows, rows, 1.0, false, call).map(drop)), all);
        let in_the_open = Wanted { r: 1.0, seams: Seams::default(), once: false, distances: true };
        assert_eq!(stopped(|call| neighbors(rows, None, in_the_open, call).map(drop)), all);
        let in_a_box = Wanted { seams: Seams::new([0.0; 2], [9.0; 2]).expect("a size"), ..in_the_open };
        let points = Rows::Points(&crowd);
        assert_eq!(stopped(|call| neighbors(points, Some(points), in_a_box, call).map(drop)), all);
        assert_eq!(stopped(|call| query(&index, rows, None, call).map(drop)), all);
        assert_eq!(stopped(|call| within_each(&index, rows, &[1.0], None, call).map(drop)), all);
        assert_eq!(stopped(|call| nearest(&index, rows, 200, None, None, call).map(drop)), all);
        let (sizes, scores) =
            (crowd.iter().zip(0..).map(|(_, n)| if n % 4 < 2 { 0.0 } else { n as f32 }), vec![0.0; 60_000]);
        let sizes: Vec<f32> = sizes.collect();
        assert_eq!(stopped(|call| suppress(&sizes, &scores, 1.0, call).map(drop)), all);
    }

    #[test]
    fn what_no_memory_holds_is_an_error() {
        assert_eq!(room::<u64>(usize::MAX / 16).map_err(|error| error.kind()), Err(Memory));
        assert_eq!(check_room_for_boxes(usize::MAX / 1000).map_err(|error| error.kind()), Err(Memory));
        assert_eq!(check_room_for_boxes(1000), Ok(()));
    }
}
