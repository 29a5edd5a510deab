//! Queues of requests, and watched paths.

use std::collections::HashMap;

use quadrille_bindings::{CellPaths, MapSize};
use quadrille_paths::{Path, PathQueue, PathWatch, Ticket};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::border::{Answer, budget, flat, now, path, refused};
use crate::map::Map;
use crate::queries::starts_of;

/// Requests for paths, with the last answers.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Queue {
    queue: PathQueue,
    /// The tickets of requests without an answer, by their numbers.
    tickets: HashMap<u64, Ticket>,
    answered: Vec<f64>,
    starts: Vec<u32>,
}

#[wasm_bindgen]
impl Queue {
    /// A queue without requests.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for a path, and gives its number. A cell that is not on the map is answered as one that cannot be reached.
    pub fn push(&mut self, x0: f64, y0: f64, x1: f64, y1: f64, priority: f64) -> Answer<f64> {
        // The size of the map is known only when it runs.
        let any = MapSize { width: u32::MAX, height: u32::MAX };
        let (from, to) = (any.cell([x0, y0], "from")?, any.cell([x1, y1], "to")?);
        let urgency = priority as i32;
        if f64::from(urgency) != priority {
            return Err(refused(format!("a priority is a whole number of 32 bits, not {priority}")));
        }
        let ticket = self.queue.push_urgent(from, to, urgency);
        self.tickets.insert(ticket.number(), ticket);
        Ok(ticket.number() as f64)
    }

    /// Takes a request back. Gives whether it was waiting.
    pub fn cancel(&mut self, number: f64) -> bool {
        let is_number = number.fract() == 0.0 && number >= 0.0;
        let ticket = is_number.then(|| self.tickets.remove(&(number as u64))).flatten();
        ticket.is_some_and(|ticket| self.queue.cancel(ticket))
    }

    /// How many requests are waiting.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Answers requests until none is left or so many corners have been looked at. Gives the cells of all answers.
    pub fn run(&mut self, map: &Map, corners: f64) -> Answer<Vec<i32>> {
        let corners = budget(corners)?;
        self.answer(|queue, answer| {
            map.look(|map| queue.run(map, corners, answer));
        })
    }

    /// The same for some milliseconds.
    pub fn run_for(&mut self, map: &Map, milliseconds: f64) -> Answer<Vec<i32>> {
        if milliseconds.is_nan() || milliseconds < 0.0 {
            return Err(refused(format!("milliseconds are a number from 0 on, not {milliseconds}")));
        }
        let start = now();
        self.answer(|queue, answer| map.look(|map| queue.run_while(map, || now() - start < milliseconds, answer)))
    }

    /// The numbers of the requests that the last run has answered.
    pub fn answered(&mut self) -> Vec<f64> {
        core::mem::take(&mut self.answered)
    }

    /// Where the paths of the last run start.
    pub fn starts(&mut self) -> Vec<u32> {
        core::mem::take(&mut self.starts)
    }
}

impl Queue {
    fn answer(&mut self, run: impl FnOnce(&mut PathQueue, &mut dyn FnMut(Ticket, Option<Path>))) -> Answer<Vec<i32>> {
        let mut paths = CellPaths::new();
        let (answered, tickets) = (&mut self.answered, &mut self.tickets);
        answered.clear();
        run(&mut self.queue, &mut |ticket, path| {
            tickets.remove(&ticket.number());
            answered.push(ticket.number() as f64);
            paths.push(path.as_ref().map(Path::cells));
        });
        self.starts = starts_of(&paths);
        Ok(flat(&paths.cells))
    }
}

/// A path that is looked after.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Watch(PathWatch);

#[wasm_bindgen]
impl Watch {
    /// Begins to watch a path.
    #[wasm_bindgen(constructor)]
    pub fn new(map: &Map, cells: &[f64]) -> Answer<Watch> {
        let path = path(cells)?;
        Ok(Self(map.look(|map| PathWatch::new(map, &path))))
    }

    /// The last cell that can be reached, if edits have broken it.
    pub fn check(&mut self, map: &Map) -> Option<Vec<i32>> {
        map.look(|map| self.0.check(map)).map(|cell| flat(&[cell]))
    }

    /// The cells of a path that is shorter than what is left from a cell.
    pub fn shorter(&mut self, map: &mut Map, x: f64, y: f64) -> Answer<Option<Vec<i32>>> {
        let here = map.size().cell([x, y], "cell")?;
        Ok(map.ask(|map, scratch| self.0.shorter(map, here, scratch)).map(|path| flat(path.cells())))
    }
}
