//! Shortest paths by quadrille and by others: the same maps, the same queries, in one process, on one thread.
//!
//! ```text
//! cargo run --release -p paths -- FOLDER [OUT [ROWS]]
//! cargo run --release -p paths -- all FOLDER [OUT]
//! cargo run --release -p paths -- crowds FOLDER
//! cargo run --release -p paths -- explosions FOLDER
//! cargo run --release -p paths -- landmarks FOLDER
//! ```
//!
//! FOLDER holds benchmark files, `NAME.map` with `NAME.map.scen`, and traces with their patches. ROWS (60) rows of each
//! file are run, spread evenly. Figures go to OUT.csv, too.
//!
//! With `all`: all rows of each file, and 1,000 queries on the maps made here, by plain A*, quadrille and block-based
//! jump point search. With `crowds`: flow fields beside a plain search of their kind, cheapest paths on weighted terrain
//! beside plain A*, and taut paths. With `explosions`: 3,000 cells of a map change, and 500 units find a new path. With
//! `landmarks`: maps that make landmarks by themselves beside maps without any.
//!
//! Every answer is walked step by step and compared with plain A* under the rule that the contender follows. Rules
//! differ: `grid_pathfinding` and `hierarchical_pathfinding` cut corners, so that they are compared with a plain A* and a
//! quadrille that do; the latter counts each step as 1, diagonal or not, so that its paths are longer by our measure
//! than by its own.

mod block_jps;
mod contenders;
mod crowds;
mod explosions;
mod landmarks;
mod maps;
mod report;
mod tasks;
mod times;

use std::alloc::System;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

use contenders::{ENTRIES, OF_ALL_ROWS};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static MEMORY: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let part = arguments.next_if(|first| ["all", "crowds", "explosions", "landmarks"].contains(&first.as_str()));
    let folder = PathBuf::from(arguments.next().ok_or("the folder with the .map and .scen files?")?);
    let out = arguments.next();
    match part.as_deref() {
        Some("crowds") => return crowds::run(&folder),
        Some("explosions") => return explosions::run(&folder),
        Some("landmarks") => return landmarks::run(&folder),
        _ => {}
    }
    let mut csv = report::head() + report::COLUMNS;
    print!("{csv}");
    let mut faults = Vec::new();
    let mut note = |mut new: Vec<tasks::Outcome>| {
        faults.extend(new.iter().filter_map(tasks::Outcome::fault));
        new.sort_by_key(|outcome| outcome.task);
        let lines = report::lines(&new);
        print!("{lines}");
        csv += &lines;
    };
    if part.is_some() {
        for map in maps::published(&folder, usize::MAX)?.iter().chain(&maps::made(1_000)?) {
            note(tasks::queries(map, &ENTRIES[..OF_ALL_ROWS]));
        }
    } else {
        let rows = arguments.next().map_or(Ok(60), |rows| rows.parse())?;
        for map in maps::published(&folder, rows)?.iter().chain(&maps::made(rows)?) {
            note(tasks::queries(map, &ENTRIES));
            note(tasks::hopeless(map));
            note(tasks::edits(map, tasks::ONE_CELL));
            note(tasks::edits(map, tasks::BUILDING));
        }
        for recording in maps::recordings(&folder)? {
            note(tasks::trace(&recording)?);
        }
    }
    if let Some(out) = out {
        fs::write(format!("{out}.csv"), csv)?;
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("; ").into()) }
}
