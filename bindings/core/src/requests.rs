//! Requests for paths, under numbers that other languages can store.

use std::time::{Duration, Instant};

use quadrille_paths::{Path, PathMap, PathQueue, Ticket};

use crate::cells::{CellPaths, MapSize, Number};
use crate::error::Error;

/// Requests for paths, each with a number.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    queue: PathQueue,
    /// Those that are waiting, in the order of their numbers.
    tickets: Vec<Ticket>,
}

/// Answers: the numbers of some requests, and their paths in the same order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answered {
    /// The numbers of the requests.
    pub numbers: Vec<u64>,
    /// Their paths. An existing path has at least one cell.
    pub paths: CellPaths,
}

/// Receives answers.
type Hear<'a> = &'a mut dyn FnMut(Ticket, Option<Path>);

impl Requests {
    /// Requests a path, and returns the request's number. The size of the map is known only when the request is
    /// answered: cells off the map cannot be reached. `names` is what the caller calls the two.
    ///
    /// # Errors
    /// Returns an error if a cell is on no map.
    pub fn push<N: Number>(&mut self, [from, to]: [[N; 2]; 2], names: [&str; 2], priority: i32) -> Result<u64, Error> {
        let (from, to) = (MapSize::ANY.cell(from, names[0])?, MapSize::ANY.cell(to, names[1])?);
        let ticket = self.queue.push_urgent(from, to, priority);
        self.tickets.push(ticket);
        Ok(ticket.number())
    }

    /// Cancels a request. Returns whether it was waiting.
    pub fn cancel(&mut self, number: u64) -> bool {
        let at = self.tickets.binary_search_by_key(&number, |ticket| ticket.number());
        at.is_ok_and(|at| self.queue.cancel(self.tickets.remove(at)))
    }

    /// How many requests are waiting.
    pub fn waiting(&self) -> usize {
        self.tickets.len()
    }

    /// Answers requests until none is left or this many corners have been expanded.
    ///
    /// # Errors
    /// Returns an error if memory runs out: then these requests are never answered.
    pub fn run(&mut self, map: &PathMap, corners: u64) -> Result<Answered, Error> {
        self.answer(|queue, hear| {
            queue.run(map, corners, hear);
        })
    }

    /// The same while `is_time_left` returns true.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_while(&mut self, map: &PathMap, is_time_left: impl FnMut() -> bool) -> Result<Answered, Error> {
        self.answer(|queue, hear| queue.run_while(map, is_time_left, hear))
    }

    /// The same until this much time has passed.
    ///
    /// # Errors
    /// Returns an error if seconds are negative or NaN, and as [`run`](Self::run).
    pub fn run_for(&mut self, map: &PathMap, seconds: f64) -> Result<Answered, Error> {
        if seconds.is_nan() || seconds < 0.0 {
            return Err(Error::value(format!("`seconds` is zero or more, not {seconds}")));
        }
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let start = Instant::now();
        self.run_while(map, || start.elapsed() < time)
    }

    fn answer(&mut self, run: impl FnOnce(&mut PathQueue, Hear<'_>)) -> Result<Answered, Error> {
        let mut answered = Answered { numbers: Vec::new(), paths: CellPaths::new() };
        let mut room = Ok(());
        run(&mut self.queue, &mut |ticket, path| {
            answered.numbers.push(ticket.number());
            if room.is_ok() {
                room = answered.paths.push(path.as_ref().map(|path| (path, path.length().as_f64())));
            }
        });
        let mut gone = answered.numbers.clone();
        gone.sort_unstable();
        self.tickets.retain(|ticket| gone.binary_search(&ticket.number()).is_err());
        room.map(|()| answered)
    }
}

#[cfg(test)]
mod tests {
    use quadrille_paths::{CostRule, Grid};

    use super::*;

    #[test]
    fn requests_are_answered_once_and_canceled_by_their_numbers() {
        let map = PathMap::new(Grid::from_fn(9, 5, |cell| cell.x != 4).unwrap(), CostRule::Octile);
        let mut requests = Requests::default();
        let push =
            |requests: &mut Requests, to: [i64; 2], priority| requests.push([[0, 0], to], ["from", "to"], priority);
        for (number, (to, priority)) in [([3, 0], 0), ([8, 0], 0), ([0, 4], 1), ([90, 4], 0)].into_iter().enumerate() {
            assert_eq!(push(&mut requests, to, priority), Ok(number as u64));
        }
        assert!(push(&mut requests, [-1, 0], 0).is_err() && requests.waiting() == 4);
        assert!(requests.cancel(0) && !requests.cancel(0) && !requests.cancel(7));
        assert_eq!(requests.run(&map, 0).unwrap().numbers, []);
        let answered = requests.run(&map, 1_000).unwrap();
        // The urgent one first; behind the wall and off the map there is no path.
        assert_eq!((answered.numbers, answered.paths.starts), (vec![2, 1, 3], vec![0, 5, 5, 5]));
        assert!(requests.waiting() == 0 && !requests.cancel(1));
        assert_eq!(push(&mut requests, [1, 0], 0), Ok(4));
        assert_eq!(requests.run_while(&map, || true).unwrap().numbers, [4]);
        assert!(requests.run_for(&map, -1.0).is_err() && requests.run_for(&map, f64::NAN).is_err());
        assert_eq!(push(&mut requests, [1, 0], 0), Ok(5));
        assert_eq!(requests.run_for(&map, f64::INFINITY).map(|answered| answered.numbers), Ok(vec![5]));
    }
}
