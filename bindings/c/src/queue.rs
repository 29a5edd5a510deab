//! Requests for paths, answered within a budget.

use quadrille_bindings::{self as core, Answered, Requests};
use quadrille_paths::PathMap;

use crate::status::Fault;

/// Requests, and those that were last answered.
#[derive(Default)]
pub(crate) struct Queue {
    requests: Requests,
    pub(crate) numbers: Vec<u64>,
    /// How many cells the path of each has.
    pub(crate) counts: Vec<u32>,
    pub(crate) cells: Vec<[u32; 2]>,
}

impl Queue {
    pub(crate) fn push(&mut self, ends: [[i64; 2]; 2], priority: i32) -> Result<u64, Fault> {
        Ok(self.requests.push(ends, ["start", "goal"], priority)?)
    }

    pub(crate) fn cancel(&mut self, number: u64) -> bool {
        self.requests.cancel(number)
    }

    pub(crate) fn waiting(&self) -> usize {
        self.requests.waiting()
    }

    pub(crate) fn run(&mut self, map: &PathMap, corners: u64) -> Result<(), Fault> {
        let answered = self.requests.run(map, corners)?;
        self.keep(answered)
    }

    pub(crate) fn run_for(&mut self, map: &PathMap, seconds: f64) -> Result<(), Fault> {
        let answered = self.requests.run_for(map, seconds)?;
        self.keep(answered)
    }

    fn keep(&mut self, Answered { numbers, paths }: Answered) -> Result<(), Fault> {
        let mut cells = core::room(paths.cells.len())?;
        cells.extend(paths.cells.iter().map(|cell| [cell.x, cell.y]));
        (self.numbers, self.cells) = (numbers, cells);
        self.counts = paths.starts.windows(2).map(|ends| (ends[1] - ends[0]) as u32).collect();
        Ok(())
    }
}
