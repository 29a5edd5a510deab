//! Pairs on their way out: a thread collects and prepares them, then passes them to the thread that takes them.

use std::ops::ControlFlow;
use std::sync::mpsc::SyncSender;

use quadrille::Aabb;

use crate::Error;

/// How many pairs are passed on together.
pub(crate) const BATCH: usize = 1 << 13;

/// Two boxes by their rows: `a` is from the first set, or is the lower row if there is only one set and no direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair<V> {
    /// A row of the first set.
    pub a: u32,
    /// A row of the second set, or of the only one.
    pub b: u32,
    /// What `judge` returned, such as their distance.
    pub value: V,
}

/// Why a thread stops early.
#[derive(Debug)]
pub(crate) enum Stop {
    Failed(Error),
    /// The receiver of pairs is gone.
    Unwanted,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// The query: which sets, in which direction, and the function that judges pairs.
pub(crate) struct Asked<J> {
    pub(crate) is_one_set: bool,
    pub(crate) is_directed: bool,
    pub(crate) judge: J,
}

/// A box and its row.
pub type Named = (u32, Aabb<f64>);

/// The pairs that a thread has found.
pub(crate) struct Found<'a, J, V, P, T> {
    asked: &'a Asked<J>,
    pairs: Vec<Pair<V>>,
    prepare: &'a P,
    to: SyncSender<T>,
}

impl<'a, J, V, P, T> Found<'a, J, V, P, T>
where
    J: Fn(&Aabb<f64>, &Aabb<f64>) -> Option<V>,
    P: Fn(&[Pair<V>]) -> T,
{
    pub(crate) fn new(asked: &'a Asked<J>, prepare: &'a P, to: SyncSender<T>) -> Self {
        Self { asked, pairs: Vec::with_capacity(BATCH + 2), prepare, to }
    }

    /// Passes on what has been collected.
    pub(crate) fn hand_on(&mut self) -> ControlFlow<Stop> {
        let prepared = (self.prepare)(&self.pairs);
        self.pairs.clear();
        match self.to.send(prepared) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(Stop::Unwanted),
        }
    }

    /// Judges two boxes that may be a pair; with two sets, the first box is of the first set.
    pub(crate) fn judge(&mut self, first: Named, second: Named) -> ControlFlow<Stop> {
        let Asked { is_one_set, is_directed, judge, .. } = self.asked;
        let (first, second) = if *is_one_set && second.0 < first.0 { (second, first) } else { (first, second) };
        if let Some(value) = judge(&first.1, &second.1) {
            self.pairs.push(Pair { a: first.0, b: second.0, value });
        }
        if *is_one_set && *is_directed {
            if let Some(value) = judge(&second.1, &first.1) {
                self.pairs.push(Pair { a: second.0, b: first.0, value });
            }
        }
        if self.pairs.len() < BATCH { ControlFlow::Continue(()) } else { self.hand_on() }
    }
}

/// The result of a walk that may have been stopped.
pub(crate) fn ended(walk: ControlFlow<Stop>) -> Result<(), Stop> {
    walk.break_value().map_or(Ok(()), Err)
}
