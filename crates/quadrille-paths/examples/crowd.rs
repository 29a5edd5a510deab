//! A thousand agents in a city of a million cells, where 64 doors open and close each second: how long does a frame
//! take?
//!
//! Each agent walks a path to its own goal, one cell per frame. An agent that arrives, or comes to a closed door,
//! requests its next path from a queue and waits for it: a frame answers no more requests than its budget allows.
//!
//! ```text
//! cargo run --release -p quadrille-paths --example crowd [SECONDS]
//! ```

use std::time::Instant;

use quadrille_paths::{Cell, CostRule, Grid, GridError, Path, PathMap, PathQueue, PathWatch, Ticket};
use quadrille_scenes::Random;
use quadrille_scenes::city::{self, SIDE};

const AGENTS: usize = 1000;
const DOORS: u32 = 64;
const FRAMES_A_SECOND: u32 = 60;
/// Corners that searches may examine per frame.
const BUDGET: u64 = 8_000;
/// The cost of an edit, in corners that could be examined in the same time: a frame that changes many doors leaves more
/// searches to the next.
const EDIT: u64 = 100;

/// One agent: where it is, and the path that it follows, unless it is waiting for one.
struct Agent {
    cell: Cell,
    walk: Option<(Path, PathWatch, usize)>,
    waits_for: Option<Ticket>,
}

fn free_cell(random: &mut Random, grid: &Grid) -> Cell {
    loop {
        let cell = Cell::new(random.below(SIDE), random.below(SIDE));
        if grid.is_free(cell) {
            return cell;
        }
    }
}

/// The door of one of the houses.
fn door(random: &mut Random) -> Cell {
    let [x, y] = city::door([random.below(city::HOUSES), random.below(city::HOUSES)]);
    Cell::new(x, y)
}

/// What happened in some seconds.
#[derive(Debug)]
pub struct Walked {
    /// What each frame took, in milliseconds.
    pub times: Vec<f64>,
    /// How often an agent reached its goal.
    pub arrived: u32,
    /// How often one was rerouted at a door.
    pub rerouted: u32,
}

/// When the doors of a second change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doors {
    /// One or two in each frame.
    Spread,
    /// All in its first frame.
    AtOnce,
}

impl Doors {
    /// How many change in a frame.
    fn in_frame(self, frame: u32) -> u32 {
        match self {
            Self::Spread => (frame + 1) * DOORS / FRAMES_A_SECOND - frame * DOORS / FRAMES_A_SECOND,
            Self::AtOnce if frame % FRAMES_A_SECOND == 0 => DOORS,
            Self::AtOnce => 0,
        }
    }
}

/// Lets agents walk for some seconds, timed by a clock that returns milliseconds.
///
/// # Errors
/// None: the map is not too large.
pub fn walk(seconds: u32, doors: Doors, clock: &mut impl FnMut() -> f64) -> Result<Walked, GridError> {
    let mut random = Random::new(1);
    let mut map = PathMap::new(Grid::from_fn(SIDE, SIDE, |cell| city::is_free([cell.x, cell.y]))?, CostRule::Octile);
    let mut queue = PathQueue::new();
    let place = |random: &mut Random| Agent { cell: free_cell(random, map.grid()), walk: None, waits_for: None };
    let mut agents: Vec<Agent> = (0..AGENTS).map(|_| place(&mut random)).collect();
    let (mut times, mut arrived, mut rerouted) = (Vec::new(), 0, 0);
    let mut answers = Vec::new();
    for frame in 0..seconds * FRAMES_A_SECOND {
        let start = clock();
        let edits = doors.in_frame(frame);
        for _ in 0..edits {
            let door = door(&mut random);
            map.set(door, !map.grid().is_free(door));
        }
        for agent in &mut agents {
            if let Some((path, watch, at)) = &mut agent.walk {
                if watch.check(&map).is_none() && *at + 1 < path.cells().len() {
                    *at += 1;
                    agent.cell = path.cells()[*at];
                    continue;
                }
                *(if *at + 1 == path.cells().len() { &mut arrived } else { &mut rerouted }) += 1;
                agent.walk = None;
            }
            if agent.waits_for.is_none() {
                agent.waits_for = Some(queue.push(agent.cell, free_cell(&mut random, map.grid())));
            }
        }
        queue.run(&map, BUDGET - EDIT * u64::from(edits), |ticket, path| answers.push((ticket, path)));
        for (ticket, path) in answers.drain(..) {
            if let Some(agent) = agents.iter_mut().find(|agent| agent.waits_for == Some(ticket)) {
                agent.walk = path.map(|path| (PathWatch::new(&map, &path), path)).map(|(watch, path)| (path, watch, 0));
                agent.waits_for = None;
            }
        }
        times.push(clock() - start);
    }
    Ok(Walked { times, arrived, rerouted })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds: u32 = std::env::args().nth(1).map_or(Ok(10), |seconds| seconds.parse())?;
    for doors in [Doors::Spread, Doors::AtOnce] {
        let start = Instant::now();
        let Walked { times, arrived, rerouted } = walk(seconds, doors, &mut || start.elapsed().as_secs_f64() * 1e3)?;
        let worst = times.iter().copied().fold(0.0, f64::max);
        let slow = times.iter().filter(|time| **time > 4.0).count();
        eprintln!(
            "{doors:?}: {} frames, {:.2} ms on average, {worst:.2} at most, {slow} above 4 ms; {arrived} arrived, {rerouted} rerouted",
            times.len(),
            times.iter().sum::<f64>() / times.len() as f64
        );
    }
    Ok(())
}
