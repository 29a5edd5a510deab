//! Landmarks that a map makes by itself, beside a map without any: all searches, including those that make
//! and try landmarks, some of which are dropped again.

use std::error::Error;
use std::path::Path;

use quadrille_advise::Clock;
use quadrille_paths::{CostRule, Length, PathMap, Scratch};

use crate::maps::{self, Map};

/// How many rows of each file are run, and how often.
const ROWS: usize = 200;
const ROUNDS: usize = 24;
/// How often all is played, each from new maps; the least time of each round counts.
const PLAYS: usize = 3;
/// One call of `maintain` after this many paths: a frame.
const FRAME: usize = 5;

/// One map while queries run on it.
struct Played {
    paths: PathMap,
    /// The least time of each round, in milliseconds.
    rounds: [f64; ROUNDS],
    corners: u64,
    /// The sum of all lengths.
    length: Length,
    is_automatic: bool,
}

/// The same rows again and again, from a new map on.
pub fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    println!("map,searches,none_us,automatic_us,ratio,none_corners,automatic_corners,landmarks");
    let mut all = maps::published(folder, ROWS)?;
    all.extend(maps::made(ROWS)?);
    for map in &all {
        let [none, automatic] = play(map);
        assert_eq!(none.length, automatic.length, "{}: paths are as long", map.name);
        let searches = ROUNDS * map.queries.len();
        let mean = |all: f64| all / searches as f64;
        let [none_ms, automatic_ms] = [&none, &automatic].map(|played| played.rounds.iter().sum::<f64>());
        println!(
            "{:?},{searches},{:.2},{:.2},{:.3},{:.1},{:.1},{}",
            map.name,
            mean(1e3 * none_ms),
            mean(1e3 * automatic_ms),
            automatic_ms / none_ms,
            mean(none.corners as f64),
            mean(automatic.corners as f64),
            automatic.paths.landmark_count()
        );
    }
    Ok(())
}

/// Without landmarks, and with those that a map makes by itself, by turns.
fn play(map: &Map) -> [Played; 2] {
    let new = |is_automatic| {
        let paths = PathMap::new(map.grid.clone(), CostRule::Octile);
        Played { paths, rounds: [f64::INFINITY; ROUNDS], corners: 0, length: Length::ZERO, is_automatic }
    };
    let (mut both, mut scratch) = ([false, true].map(new), Scratch::new());
    for _ in 0..PLAYS {
        let before = both.each_ref().map(|played| played.rounds);
        both = [false, true].map(new);
        for round in 0..ROUNDS {
            for (played, before) in both.iter_mut().zip(before) {
                let clock = Clock::start();
                played.ask(map, &mut scratch);
                played.rounds[round] = clock.ms().min(before[round]);
            }
        }
    }
    both
}

impl Played {
    /// Runs all rows once.
    fn ask(&mut self, map: &Map, scratch: &mut Scratch) {
        for (index, &(from, to)) in map.queries.iter().enumerate() {
            let path = std::hint::black_box(self.paths.path(from, to, scratch));
            self.corners += scratch.expanded();
            self.length = self.length + path.map_or(Length::ZERO, |path| path.length());
            if self.is_automatic && index % FRAME == 0 {
                self.paths.maintain();
            }
        }
    }
}
