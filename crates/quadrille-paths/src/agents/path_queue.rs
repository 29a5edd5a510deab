//! Requests for paths, answered within a budget per frame.
//!
//! A search that does not fit into the rest of a frame is suspended and resumed in the next. If the map has meanwhile
//! changed where the search has looked, or is a different map, the search restarts, so that each path is a shortest one
//! on the map as it is when the path is returned. With each restart it may do twice as much work in one go, so every
//! search ends, however often and wherever the map is edited.

use core::cmp::Reverse;
use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use crate::grid::{Cell, Stamp};
use crate::map::PathMap;
use crate::path::Path;
use crate::search::{Footing, Scratch};
use crate::shared::Unique;

/// Names a request of a [`PathQueue`]. Tickets are ordered as their requests are started: more urgent ones first, then
/// earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket {
    priority: Reverse<i32>,
    number: u64,
    /// The [`Unique`] number of its queue, so that no other takes the ticket for its own.
    queue: u64,
}

impl Ticket {
    /// The number of requests made in its queue before it.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.number
    }
}

/// Requests for paths on one map.
///
/// Those of the highest priority come first, and among equals the earliest. A long search does not block others: up to
/// four searches of the same priority take turns.
///
/// ```
/// use quadrille_paths::{Cell, CostRule, Grid, PathMap, PathQueue};
///
/// let map = PathMap::new(Grid::open(100, 100)?, CostRule::Octile);
/// let mut queue = PathQueue::new();
/// let ticket = queue.push(Cell::new(3, 3), Cell::new(90, 60));
/// let urgent = queue.push_urgent(Cell::new(3, 3), Cell::new(3, 60), 1);
/// let mut answers = Vec::new();
/// while !queue.is_empty() {
///     // Once a frame.
///     queue.run(&map, 1000, |ticket, path| answers.push((ticket, path)));
/// }
/// assert_eq!([answers[0].0, answers[1].0], [urgent, ticket]);
/// assert_eq!(answers[1].1.as_ref().unwrap().length().diagonal, 57);
/// # Ok::<(), quadrille_paths::GridError>(())
/// ```
///
/// A clone has the same requests with the same tickets; later tickets of either are unknown to the other.
#[derive(Clone, Debug, Default)]
pub struct PathQueue {
    number: Unique,
    waiting: BTreeMap<Ticket, Ends>,
    /// Searches that take turns; among those of one priority, the first is the next.
    turns: VecDeque<Turn>,
    /// Working memory of searches that have ended.
    spare: Vec<Scratch>,
    next: u64,
}

/// Start and goal.
type Ends = (Cell, Cell);

/// A request whose search has begun or is about to.
#[derive(Clone, Debug)]
struct Turn {
    ticket: Ticket,
    ends: Ends,
    scratch: Scratch,
    /// The map on which it was suspended, and what it depends on there; `None` before it has begun.
    put_down: Option<(Stamp, Footing)>,
    /// How often it was restarted.
    restarts: u32,
}

/// How a turn ended.
enum Outcome {
    Found(Option<Path>),
    PutDown,
}

impl PathQueue {
    /// How many searches take turns.
    const TURNS: usize = 4;
    /// How many corners a search examines before it is another's turn.
    const SLICE: u64 = 512;

    /// A queue without requests.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Requests a shortest path, with priority 0.
    pub fn push(&mut self, from: Cell, to: Cell) -> Ticket {
        self.push_urgent(from, to, 0)
    }

    /// Requests a shortest path. It comes before all requests of a lower priority, and may displace one that is in
    /// progress, which then restarts later.
    pub fn push_urgent(&mut self, from: Cell, to: Cell, priority: i32) -> Ticket {
        let ticket = Ticket { priority: Reverse(priority), number: self.next, queue: self.number.number() };
        self.next += 1;
        self.waiting.insert(ticket, (from, to));
        ticket
    }

    /// Withdraws a request. Returns whether it was still waiting for its answer; a ticket of another queue changes
    /// nothing.
    pub fn cancel(&mut self, ticket: Ticket) -> bool {
        let place = self.turns.iter().position(|turn| turn.ticket == ticket);
        if let Some(turn) = place.and_then(|place| self.turns.remove(place)) {
            self.spare.push(turn.scratch);
            return true;
        }
        self.waiting.remove(&ticket).is_some()
    }

    /// How many requests are waiting for an answer.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len() + self.turns.len()
    }

    /// Whether no request is waiting.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.turns.is_empty()
    }

    /// Answers requests until none is left or the budget is spent, and passes on each path, or `None` if there is none.
    /// Returns what is left of the budget.
    ///
    /// The budget is a number of corners that searches may examine, about ten thousand per millisecond, so that the
    /// same calls give the same answers in the same frames everywhere. What is seen from the start of a search also
    /// counts. A budget of 0 does nothing; any other examines at least one corner.
    ///
    /// A search continues after edits that do not affect it. A search that edits have restarted `n` times may examine
    /// `2^n` times as many corners in one go, beyond the budget if necessary. So every request is answered eventually.
    pub fn run(&mut self, map: &PathMap, budget: u64, mut answer: impl FnMut(Ticket, Option<Path>)) -> u64 {
        let mut left = budget;
        while left > 0 {
            let Some(used) = self.take_turn(map, left, &mut answer) else { break };
            left = left.saturating_sub(used);
        }
        left
    }

    /// The same with a time limit. Checks the clock at least every 512 corners, about a twentieth of a millisecond; a
    /// start that sees very far takes longer, and so does a search that edits have restarted.
    ///
    /// Which requests are answered depends on how fast the machine is. If there is no clock, as in a browser's
    /// module, use [`run_while`](Self::run_while).
    pub fn run_for(&mut self, map: &PathMap, time: Duration, answer: impl FnMut(Ticket, Option<Path>)) {
        let start = Instant::now();
        self.run_while(map, || start.elapsed() < time, answer);
    }

    /// The same while `is_time_left` returns true; it is called at least every 512 corners.
    pub fn run_while(
        &mut self,
        map: &PathMap,
        mut is_time_left: impl FnMut() -> bool,
        mut answer: impl FnMut(Ticket, Option<Path>),
    ) {
        while is_time_left() && self.take_turn(map, u64::MAX, &mut answer).is_some() {}
    }

    /// Continues the search whose turn it is, for at most this many corners. Returns how many it took, or `None` if
    /// there is no request.
    fn take_turn(&mut self, map: &PathMap, left: u64, answer: &mut impl FnMut(Ticket, Option<Path>)) -> Option<u64> {
        self.admit();
        let place = (0..self.turns.len()).min_by_key(|place| (self.turns[*place].ticket.priority, *place))?;
        let mut turn = self.turns.remove(place)?;
        let (used, outcome) = turn.go_on(map, left.min(Self::SLICE));
        match outcome {
            Outcome::PutDown => self.turns.push_back(turn),
            Outcome::Found(path) => {
                self.spare.push(turn.scratch);
                answer(turn.ticket, path);
            }
        }
        Some(used)
    }

    /// Gives turns to waiting requests, to less urgent ones only if there are no others.
    fn admit(&mut self) {
        while let Some(first) = self.waiting.first_entry() {
            let ticket = *first.key();
            if self.turns.len() == Self::TURNS {
                let least_urgent = (0..Self::TURNS).max_by_key(|place| self.turns[*place].ticket);
                let less_urgent = least_urgent.filter(|place| self.turns[*place].ticket.priority > ticket.priority);
                let Some(turn) = less_urgent.and_then(|place| self.turns.remove(place)) else { return };
                self.waiting.insert(turn.ticket, turn.ends);
                self.spare.push(turn.scratch);
            }
            let Some(ends) = self.waiting.remove(&ticket) else { return };
            let scratch = self.spare.pop().unwrap_or_default();
            self.turns.push_back(Turn { ticket, ends, scratch, put_down: None, restarts: 0 });
        }
    }
}

impl Turn {
    /// Starts or resumes the search, and runs it until it ends or has examined this many corners. Returns how many.
    fn go_on(&mut self, map: &PathMap, corners: u64) -> (u64, Outcome) {
        if !map.is_reachable(self.ends.0, self.ends.1) {
            return (1, Outcome::Found(None));
        }
        let put_down = self.put_down.take();
        let is_restart = put_down.is_some();
        let taken_up = put_down.filter(|(then, footing)| {
            *then == map.stamp()
                || then.is_same_map(map.stamp()) && map.resume(&mut self.scratch).outlasts(then.version(), footing)
        });
        let (mut used, footing) = match taken_up {
            Some((_, footing)) => (0, Some(footing)),
            None => {
                self.restarts += u32::from(is_restart);
                let search = map.search(self.ends.0, self.ends.1, &mut self.scratch);
                (search.map_or(0, |search| search.work()), None)
            }
        };
        let mut search = map.resume(&mut self.scratch);
        let before = search.work();
        // Even if the start has used up the slice, at least one corner is left.
        let most = corners.saturating_sub(used).max(1).saturating_mul(1 << self.restarts.min(63));
        let is_done = search.go_on(most);
        used += search.work() - before;
        if is_done {
            return (used.max(1), Outcome::Found(search.found().map(|waypoints| waypoints.lay(map.rule()))));
        }
        self.put_down = Some((map.stamp(), footing.unwrap_or_else(|| search.footing())));
        (used.max(1), Outcome::PutDown)
    }
}
