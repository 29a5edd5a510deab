//! Requests for paths, answered within a budget per frame.
//!
//! A search that does not fit what is left of a frame is put down and taken up in the next. If the map has changed meanwhile, or is another
//! one, it begins again, so that each path is a shortest one on the map as it is when the path is handed out.

use std::collections::VecDeque;

use crate::grid::cell::Cell;
use crate::grid::edits::Stamp;
use crate::map::PathMap;
use crate::path::Path;
use crate::search::corner::Scratch;

/// Names a request of a [`PathQueue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(u64);

/// Requests for paths on one map, first in, first out.
///
/// ```
/// use quadrille_paths::{Cell, CostRule, Grid, PathMap, PathQueue};
///
/// let map = PathMap::new(Grid::open(100, 100)?, CostRule::Octile);
/// let mut queue = PathQueue::new();
/// let ticket = queue.push(Cell::new(3, 3), Cell::new(90, 60));
/// let mut answers = Vec::new();
/// while !queue.is_empty() {
///     // Once a frame.
///     queue.run(&map, 1000, |ticket, path| answers.push((ticket, path)));
/// }
/// assert_eq!(answers[0].0, ticket);
/// assert_eq!(answers[0].1.as_ref().unwrap().length().diagonal, 57);
/// # Ok::<(), quadrille_paths::GridError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PathQueue {
    waiting: VecDeque<(Ticket, Cell, Cell)>,
    /// Whether the first of them has been begun, and on which map.
    begun: Option<Stamp>,
    next: u64,
    scratch: Scratch,
}

impl PathQueue {
    /// What it takes to begin a search and to lay a path, in corners: a search that finds its goal at once costs about as much as one
    /// that looks at so many.
    const BEGIN: u64 = 16;

    /// A queue without requests.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for a shortest path.
    pub fn push(&mut self, from: Cell, to: Cell) -> Ticket {
        let ticket = Ticket(self.next);
        self.next += 1;
        self.waiting.push_back((ticket, from, to));
        ticket
    }

    /// Takes a request back. Returns whether it was still waiting.
    pub fn cancel(&mut self, ticket: Ticket) -> bool {
        let Ok(place) = self.waiting.binary_search_by_key(&ticket, |request| request.0) else { return false };
        if place == 0 {
            self.begun = None;
        }
        self.waiting.remove(place).is_some()
    }

    /// How many requests are waiting.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether no request is waiting.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Answers requests until none is left or the budget is spent, and hands out paths, or that there is none. Returns what is left of the
    /// budget.
    ///
    /// The budget is in corners that a search may look at, some ten thousand to a millisecond, so that the same calls give the same
    /// answers in the same frames everywhere. With a budget of 0 nothing is done; with any other, at least one corner is looked at, so
    /// that every request is answered in the end.
    pub fn run(&mut self, map: &PathMap, budget: u64, mut answer: impl FnMut(Ticket, Option<Path>)) -> u64 {
        let mut left = budget;
        while left > 0 {
            let Some(&(ticket, from, to)) = self.waiting.front() else { break };
            let is_begun = self.begun == Some(map.stamp());
            let search = if is_begun {
                Some(map.resume(&mut self.scratch))
            } else {
                left = left.saturating_sub(Self::BEGIN);
                map.search(from, to, &mut self.scratch)
            };
            let Some(mut search) = search else {
                self.finish(ticket, None, &mut answer);
                continue;
            };
            let before = search.expanded();
            let is_done = search.go_on(left.max(1));
            left = left.saturating_sub(search.expanded() - before);
            if is_done {
                let path = search.found().map(|waypoints| waypoints.lay(map.rule()));
                self.finish(ticket, path, &mut answer);
            } else {
                self.begun = Some(map.stamp());
            }
        }
        left
    }

    fn finish(&mut self, ticket: Ticket, path: Option<Path>, answer: &mut impl FnMut(Ticket, Option<Path>)) {
        self.waiting.pop_front();
        self.begun = None;
        answer(ticket, path);
    }
}
