//! Running benchmark files: every query is timed, and its path is walked step by step and compared with the published
//! length.

use std::time::{Duration, Instant};

use crate::formats::movingai::{Command, Patch, Query};
use crate::grid::{Cell, Length};
use crate::map::PathMap;
use crate::path::Path;
use crate::search::{AStar, Scratch};

/// How to find the paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Method {
    /// [`PathMap::path`].
    #[default]
    Exact,
    /// [`AStar::path`], the plain search over cells.
    AStar,
}

/// The results of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Queries run.
    pub queries: usize,
    /// Queries with a path.
    pub solved: usize,
    /// Queries without.
    pub unsolvable: usize,
    /// Queries with a published path that start or end on a blocked cell: there is nothing to find, and they are
    /// neither solved nor unsolvable.
    pub blocked: Vec<Query>,
    /// Queries whose answer is not the published one or is no legal path.
    pub mismatches: Vec<Mismatch>,
    /// Nodes expanded by all queries: corners for [`Method::Exact`], cells for [`Method::AStar`].
    pub expanded: u64,
    /// How long each query took, in the order of the file; blocked ones are left out.
    pub times: Vec<Duration>,
    /// Patches applied, and how long they took, including the maintenance that they left.
    pub patches: usize,
    /// See [`patches`](Self::patches).
    pub patch_time: Duration,
}

/// An answer that is not as published.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mismatch {
    /// The query.
    pub query: Query,
    /// The length found, if there was a path.
    pub found: Option<Length>,
}

/// Times of many queries, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Summary {
    /// The mean.
    pub mean: f64,
    /// The median.
    pub p50: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The largest.
    pub max: f64,
}

impl Report {
    /// The times in short; all zero without queries.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let mut times: Vec<f64> = self.times.iter().map(|time| time.as_secs_f64() * 1e6).collect();
        times.sort_by(f64::total_cmp);
        let Some(max) = times.last().copied() else { return Summary::default() };
        let at = |hundredths: usize| times[(times.len() * hundredths).div_ceil(100) - 1];
        Summary { mean: times.iter().sum::<f64>() / times.len() as f64, p50: at(50), p99: at(99), max }
    }
}

/// Runs queries on a map that does not change.
#[must_use]
pub fn run<'a>(map: &PathMap, queries: impl IntoIterator<Item = &'a Query>, method: Method) -> Report {
    let (mut finder, mut report) = (Finder::new(method), Report::default());
    for query in queries {
        finder.ask(map, query, &mut report);
    }
    report
}

/// Replays commands of a trace on its map, which starts [without walls](crate::formats::movingai::Trace::open_map):
/// applies the patches and runs the queries. `patches` are those that the trace was parsed with.
#[must_use]
pub fn replay<'a>(
    map: &mut PathMap,
    commands: impl IntoIterator<Item = &'a Command>,
    patches: &[Patch],
    method: Method,
) -> Report {
    let (mut finder, mut report) = (Finder::new(method), Report::default());
    let mut is_maintained = true;
    for command in commands {
        let start = Instant::now();
        match command {
            Command::Patch { patch, at } => {
                patches[*patch].apply(map, *at);
                is_maintained = false;
                report.patches += 1;
            }
            Command::Query(query) => {
                if !core::mem::replace(&mut is_maintained, true) && method == Method::Exact {
                    map.maintain();
                }
                report.patch_time += start.elapsed();
                finder.ask(map, query, &mut report);
                continue;
            }
        }
        report.patch_time += start.elapsed();
    }
    report
}

/// A method of finding paths, with its working memory.
struct Finder {
    method: Method,
    scratch: Scratch,
    astar: AStar,
}

impl Finder {
    fn new(method: Method) -> Self {
        Self { method, scratch: Scratch::new(), astar: AStar::new() }
    }

    fn find(&mut self, map: &PathMap, from: Cell, to: Cell) -> Option<Path> {
        match self.method {
            Method::Exact => map.path(from, to, &mut self.scratch),
            Method::AStar => self.astar.path(map.grid(), map.rule(), from, to),
        }
    }

    fn ask(&mut self, map: &PathMap, query: &Query, report: &mut Report) {
        report.queries += 1;
        if query.has_blocked_end(map.grid()) {
            return report.blocked.push(*query);
        }
        let start = Instant::now();
        let path = self.find(map, query.from, query.to);
        report.times.push(start.elapsed());
        report.expanded += match self.method {
            Method::Exact => self.scratch.expanded(),
            Method::AStar => self.astar.expanded(),
        };
        *(if path.is_some() { &mut report.solved } else { &mut report.unsolvable }) += 1;
        if !is_right(map, query, path.as_ref()) {
            report.mismatches.push(Mismatch { query: *query, found: path.map(|path| path.length()) });
        }
    }
}

/// Whether an answer is as published, and a legal path from start to goal.
fn is_right(map: &PathMap, query: &Query, path: Option<&Path>) -> bool {
    match (path, query.shortest) {
        (None, None) => true,
        (Some(path), Some(published)) => {
            let ends = (path.cells().first(), path.cells().last());
            published.matches(path.length())
                && ends == (Some(&query.from), Some(&query.to))
                && path.validate(map.grid(), map.rule()).is_ok()
        }
        _ => false,
    }
}
