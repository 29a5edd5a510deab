//! Requests for paths, answered within a budget per frame.
//!
//! A search that does not fit what is left of a frame is put down and taken up in the next. If the map has changed
//! meanwhile where the search has looked, or is another one, it begins again, so that each path is a shortest one on
//! the map as it is when the path is handed out. Each time it may do twice as much at once: so every search comes to
//! its end, however often and wherever the map is edited.

use core::cmp::Reverse;
use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use crate::grid::cell::Cell;
use crate::grid::edits::Stamp;
use crate::map::PathMap;
use crate::path::Path;
use crate::search::corner::{Footing, Scratch};

/// Names a request of a [`PathQueue`]. Tickets are ordered as requests are started: more urgent ones first, then
/// earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket {
    priority: Reverse<i32>,
    number: u64,
}

impl Ticket {
    /// How many requests were made before it, in its queue.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.number
    }
}

/// Requests for paths on one map.
///
/// Those of the highest priority come first, and among equals the earliest; but a long search does not block others: up
/// to four searches of the same priority take turns.
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
#[derive(Clone, Debug, Default)]
pub struct PathQueue {
    waiting: BTreeMap<Ticket, Ends>,
    /// Searches that take turns; of those of one priority, the next is the first.
    turns: VecDeque<Turn>,
    /// Working memory of searches that have ended.
    spare: Vec<Scratch>,
    next: u64,
}

/// From where to where.
type Ends = (Cell, Cell);

/// A request that is being searched for, or is about to be.
#[derive(Clone, Debug)]
struct Turn {
    ticket: Ticket,
    ends: Ends,
    scratch: Scratch,
    /// On which map it was put down, and what it rests on there; nothing before it is begun.
    put_down: Option<(Stamp, Footing)>,
    /// How often it was begun again.
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
    /// How many corners a search looks at before others have their turn.
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

    /// Requests a shortest path. It comes before all requests of a lower priority, and may take the turn of one that is
    /// in progress, which then begins again later.
    pub fn push_urgent(&mut self, from: Cell, to: Cell, priority: i32) -> Ticket {
        let ticket = Ticket { priority: Reverse(priority), number: self.next };
        self.next += 1;
        self.waiting.insert(ticket, (from, to));
        ticket
    }

    /// Withdraws a request. Returns whether it was still waiting for its answer.
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

    /// Answers requests until none is left or the budget is spent, and hands out paths, or that there is none. Returns
    /// what is left of the budget.
    ///
    /// The budget is in corners that a search may look at, about ten thousand in a millisecond, so that the same calls
    /// give the same answers in the same frames everywhere. What the start of a search sees counts as well. With a
    /// budget of 0 nothing is done; with any other, at least one corner is looked at.
    ///
    /// A search continues after edits that do not affect it. A search that edits have restarted `n` times may look at
    /// `2^n` times as many corners at once, beyond the budget if need be. So every request is answered eventually.
    pub fn run(&mut self, map: &PathMap, budget: u64, mut answer: impl FnMut(Ticket, Option<Path>)) -> u64 {
        let mut left = budget;
        while left > 0 {
            let Some(used) = self.take_turn(map, left, &mut answer) else { break };
            left = left.saturating_sub(used);
        }
        left
    }

    /// The same with a limit of time. Looks at the clock at least every 512 corners, about a twentieth of a millisecond;
    /// a start that sees very far takes longer, and so does a search that edits have restarted.
    ///
    /// Answers depend on how fast the machine is. Where there is no clock, as in a browser's module, use
    /// [`run_while`](Self::run_while).
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

    /// Continues the search whose turn it is, for this many corners at most. Returns how many it took, or nothing
    /// if there is no request.
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

    /// Gives turns to waiting requests, those of less urgent ones too if there are no others.
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
    /// Starts or resumes the search, and runs it until it ends or has looked at this many corners. Returns how many.
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
        // A slice that a start has used up leaves at least one corner.
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
