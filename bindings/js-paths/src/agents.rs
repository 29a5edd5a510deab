//! Queues of requests, and watched paths.

use quadrille_bindings::{Answered, Requests, path_on};
use quadrille_paths::PathWatch;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::border::{Answer, Given, amount, cell_on, flat, given, links, now, refused};
use crate::map::Map;
use crate::queries::starts_of;

/// Requests for paths, with the last answers.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Queue {
    requests: Requests,
    answered: Vec<f64>,
    starts: Vec<u32>,
}

#[wasm_bindgen]
impl Queue {
    /// An empty queue.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Requests a path, and returns its number. A cell off the map counts as unreachable.
    pub fn push(&mut self, x0: f64, y0: f64, x1: f64, y1: f64, priority: f64) -> Answer<f64> {
        let urgency = priority as i32;
        if f64::from(urgency) != priority {
            return Err(refused(format!("a priority is a whole number of 32 bits, not {}", Given(priority))));
        }
        Ok(self.requests.push([[x0, y0].map(Given), [x1, y1].map(Given)], ["from", "to"], urgency)? as f64)
    }

    /// Cancels a request. Returns whether it was waiting.
    pub fn cancel(&mut self, number: f64) -> bool {
        let is_number = number.fract() == 0.0 && number >= 0.0;
        is_number && self.requests.cancel(number as u64)
    }

    /// How many requests are waiting.
    pub fn waiting(&self) -> usize {
        self.requests.waiting()
    }

    /// Answers requests until none is left or this many corners have been expanded. Returns the cells of all answers.
    pub fn run(&mut self, map: &Map, corners: f64) -> Answer<Vec<i32>> {
        let corners = amount("budget", corners)? as u64;
        let answered = map.look(|map| self.requests.run(map, corners))?;
        Ok(self.keep(answered))
    }

    /// The same for some milliseconds.
    pub fn run_for(&mut self, map: &Map, milliseconds: f64) -> Answer<Vec<i32>> {
        if milliseconds.is_nan() || milliseconds < 0.0 {
            return Err(refused(format!("milliseconds are zero or more, not {}", Given(milliseconds))));
        }
        let start = now();
        let answered = map.look(|map| self.requests.run_while(map, || now() - start < milliseconds))?;
        Ok(self.keep(answered))
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
    fn keep(&mut self, Answered { numbers, paths }: Answered) -> Vec<i32> {
        self.answered = numbers.into_iter().map(|number| number as f64).collect();
        self.starts = starts_of(&paths);
        flat(&paths.cells)
    }
}

/// A watched path.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Watch(PathWatch);

#[wasm_bindgen]
impl Watch {
    /// Starts watching a path: the cells of its legs, where these start and end, and the links taken between them, by
    /// their positions among all links. Without starts, there is one leg.
    #[wasm_bindgen(constructor)]
    pub fn new(map: &Map, cells: &[f64], starts: &[u32], taken: &[u32], all: &[f64]) -> Answer<Watch> {
        if starts.is_empty() {
            let path = map.look(|map| path_on(map, &given(cells)))?;
            return Ok(Self(map.look(|map| PathWatch::new(map, &path))));
        }
        let links = links(map.size, all)?;
        let legs = starts.windows(2).map(|ends| {
            let part = cells.get(ends[0] as usize..ends[1] as usize);
            let part =
                part.ok_or_else(|| refused(format!("a path of {} numbers has no part {ends:?}", cells.len())))?;
            Ok(map.look(|map| path_on(map, &given(part)))?)
        });
        let taken = taken.iter().map(|link| {
            let told = || refused(format!("the path takes link {link}, but there are {}", links.len()));
            links.get(*link as usize).copied().ok_or_else(told)
        });
        let (taken, legs) = (taken.collect::<Answer<Vec<_>>>()?, legs.collect::<Answer<Vec<_>>>()?);
        Ok(Self(map.look(|map| PathWatch::linked(map, &legs, &taken))))
    }

    /// The last cell that can be reached, if edits have broken it.
    pub fn check(&mut self, map: &Map) -> Option<Vec<i32>> {
        map.look(|map| self.0.check(map)).map(|cell| flat(&[cell]))
    }

    /// The cells of a path that is shorter than the rest of this one from a cell.
    pub fn shorter(&mut self, map: &mut Map, x: f64, y: f64) -> Answer<Option<Vec<i32>>> {
        let here = cell_on(map.size, [x, y], "cell")?;
        Ok(map.ask(|map, scratch| self.0.shorter(map, here, scratch)).map(|path| flat(path.cells())))
    }
}
