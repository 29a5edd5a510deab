//! Encounters as they grow.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::approach::{Approach, Closest, Reach};
use crate::encounter::Encounter;
use crate::error::Error;
use crate::ground::Ground;
use crate::limits::Limits;
use crate::memory::push;

/// Two tracks within the limits, gaps bridged: an encounter in the units of the computation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting {
    pub(crate) pair: [u32; 2],
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) closest: Closest,
}

impl Meeting {
    pub(crate) fn new(pair: [u32; 2], approach: &Approach) -> Self {
        Self { pair, start: approach.start, end: approach.end, closest: approach.closest }
    }

    /// Extends it by a later one, if the time between is not too long.
    pub(crate) fn extend(&mut self, next: &Self, gap: f64) -> bool {
        let goes_on = next.start - self.end <= gap;
        if goes_on {
            self.end = self.end.max(next.end);
            if next.closest.chord_squared < self.closest.chord_squared {
                self.closest = next.closest;
            }
        }
        goes_on
    }

    /// As it is reported, with the tracks' names.
    pub(crate) fn encounter<G: Ground<D>, const D: usize>(&self, names: [u32; 2], reach: &Reach) -> Encounter {
        Encounter {
            a: names[0],
            b: names[1],
            start: self.start,
            end: self.end,
            closest_time: self.closest.time,
            closest_distance: G::length(self.closest.chord_squared.sqrt()),
            closest_vertical: reach.vertical.is_finite().then_some(self.closest.height),
        }
    }
}

/// All meetings so far, and the last one of each pair of runs.
#[derive(Debug, Default)]
pub(crate) struct Meetings {
    list: Vec<Meeting>,
    last: HashMap<u64, usize, BuildHasherDefault<Multiply>>,
}

impl Meetings {
    /// Two runs are within the limits. They are added in order of time for each pair of runs.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(crate) fn add(&mut self, runs: [u32; 2], meeting: &Meeting, gap: f64) -> Result<(), Error> {
        const ENCOUNTERS: &str = "encounters";
        self.last.try_reserve(1).map_err(|_| Error::no_memory(ENCOUNTERS, self.list.len() + 1))?;
        let key = u64::from(runs[0]) << 32 | u64::from(runs[1]);
        let position = self.last.entry(key).or_insert(usize::MAX);
        if self.list.get_mut(*position).is_some_and(|last| last.extend(meeting, gap)) {
            return Ok(());
        }
        *position = self.list.len();
        push(&mut self.list, *meeting, ENCOUNTERS)
    }

    /// Joined across runs, by pair and time; and how many pairs there are.
    pub(crate) fn finish(self, limits: &Limits) -> (Vec<Meeting>, usize) {
        drop(self.last);
        let mut list = self.list;
        list.sort_unstable_by(|a, b| a.pair.cmp(&b.pair).then(a.start.total_cmp(&b.start)));
        list.dedup_by(|next, last| last.pair == next.pair && last.extend(next, limits.gap));
        list.retain(|meeting| meeting.end - meeting.start >= limits.lasting);
        let pairs = list.chunk_by(|a, b| a.pair == b.pair).count();
        (list, pairs)
    }
}

/// A hash of two numbers by one multiplication with 2⁶⁴ / φ (Knuth, *The Art of Computer Programming* 3, 6.4), folded.
#[derive(Debug, Default)]
pub(crate) struct Multiply(u64);

impl Hasher for Multiply {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        let product = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ (product >> 32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
