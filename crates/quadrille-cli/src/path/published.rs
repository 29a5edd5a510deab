//! Benchmark files: compares every answer with the published one.

use std::path::{Path, PathBuf};

use indicatif::{BinaryBytes, HumanCount, ProgressIterator};
use quadrille_paths::benchmark::{self, Mismatch, Report, Summary};
use quadrille_paths::movingai::{Command, Patch, Query, Scenario, Trace};
use quadrille_paths::{CostRule, Length, PathMap, Scratch};
use serde::Serialize;

use super::{FindPath, map_file, picture};
use crate::clock::{ms, timed};
use crate::failure::Failure;
use crate::{output, progress, table, text};

/// What `--json` writes: see docs/cli-json.md.
#[derive(Debug, Serialize)]
struct Figures {
    rows: usize,
    solved: usize,
    unsolvable: usize,
    mismatched: usize,
    blocked: usize,
    /// Microseconds per query.
    #[serde(serialize_with = "output::by_name")]
    us: [(&'static str, f64); 4],
    expanded: u64,
    build_ms: f64,
    bytes: usize,
    patches: Option<Patches>,
}

#[derive(Debug, Serialize)]
struct Patches {
    count: usize,
    ms: f64,
}

/// Runs the queries of a scenario on a map.
pub(super) fn run(asked: &FindPath, map: &Path, scen: &Path) -> Result<(), Failure> {
    let grid = map_file::read(map)?;
    let scenario = Scenario::parse(&map_file::name(scen), &map_file::bytes(scen)?)?;
    scenario.check(&grid)?;
    let (build, map) = timed(|| PathMap::new(grid, CostRule::Octile));
    let queries = scenario.queries();
    let queries = &queries[..limit(asked).min(queries.len())];
    let bar = progress::bar(queries.len() as u64, "queries");
    let report = benchmark::run(&map, queries.iter().progress_with(bar.clone()), asked.method.into());
    bar.finish_and_clear();
    draw(asked, &map, queries.last())?;
    finish(asked, scen, &report, &Figures::new(&report, ms(build), map.bytes(), None))
}

/// Replays a trace from its map without walls.
pub(super) fn replay(asked: &FindPath, file: &Path) -> Result<(), Failure> {
    let (name, bytes) = (map_file::name(file), map_file::bytes(file)?);
    let patch_file = match &asked.patch {
        Some(patch_file) => patch_file.clone(),
        None => beside(file, &Trace::patch_file(&name, &bytes)?)?,
    };
    let patches = Patch::parse_all(&map_file::name(&patch_file), &map_file::bytes(&patch_file)?)?;
    let trace = Trace::parse(&name, &bytes, &patches)?;
    let (build, map) = timed(|| trace.open_map());
    let mut map = map.map_err(|error| Failure::in_file(file, error))?;
    let commands = up_to_query(trace.commands(), limit(asked));
    let bar = progress::bar(commands.len() as u64, "commands");
    let report = benchmark::replay(&mut map, commands.iter().progress_with(bar.clone()), &patches, asked.method.into());
    bar.finish_and_clear();
    let last = commands.iter().rev().find_map(|command| match command {
        Command::Query(query) => Some(query),
        Command::Patch { .. } => None,
    });
    draw(asked, &map, last)?;
    let laid = Patches { count: report.patches, ms: ms(report.patch_time) };
    finish(asked, file, &report, &Figures::new(&report, ms(build), map.bytes(), Some(laid)))
}

/// Draws the map, with a query and its path if there is one, if a picture was requested.
fn draw(asked: &FindPath, map: &PathMap, query: Option<&Query>) -> Result<(), Failure> {
    let Some(png) = &asked.png else { return Ok(()) };
    let path = query.and_then(|query| map.path(query.from, query.to, &mut Scratch::new()));
    let line: Vec<_> = path.iter().flat_map(quadrille_paths::Path::turns).map(picture::middle).collect();
    let picture = picture::draw(map.grid(), &line, query.map(|query| [query.from, query.to]), 1)?;
    png.write(|file| quadrille_draw::write_png(&picture, file))
}

fn limit(asked: &FindPath) -> usize {
    asked.limit.map_or(usize::MAX, |limit| limit as usize)
}

/// The patch file that a trace states, or the one of the trace's own name: published files have been renamed together.
/// A foreign trace cannot name files outside its own folder.
fn beside(trace: &Path, stated: &str) -> Result<PathBuf, Failure> {
    if Path::new(stated).file_name() != Some(stated.as_ref()) {
        let what = format!("the patch {stated:?} is not beside it; name the file with --patch");
        return Err(Failure::in_file(trace, what));
    }
    let (stated, own) = (trace.with_file_name(stated), trace.with_extension("patch"));
    Ok(if !stated.is_file() && own.is_file() { own } else { stated })
}

/// The commands before the first query beyond the limit.
fn up_to_query(commands: &[Command], limit: usize) -> &[Command] {
    let queries = commands.iter().enumerate().filter(|(_, command)| matches!(command, Command::Query(_)));
    let end = queries.map(|(position, _)| position).nth(limit).unwrap_or(commands.len());
    &commands[..end]
}

/// Reports the figures, then fails if an answer was not the published one or a query could not be run.
fn finish(asked: &FindPath, file: &Path, report: &Report, figures: &Figures) -> Result<(), Failure> {
    output::report(&figures.table(asked), figures, &asked.json, &[&asked.png, &asked.json])?;
    let wrong = report.mismatches.first().map(|first| wrong(first, report.mismatches.len() - 1));
    let is_blocked = "an endpoint is blocked, yet a length is published";
    let others = report.blocked.len().saturating_sub(1);
    let blocked = report.blocked.first().map(|first| fault(first, is_blocked, others, "have a blocked endpoint"));
    let faults: Vec<String> = wrong.into_iter().chain(blocked).collect();
    if faults.is_empty() {
        Ok(())
    } else {
        Err(Failure::Mismatch(format!("{}:{}", file.display(), faults.join("; line "))))
    }
}

/// What is wrong with an answer, and how many more are wrong.
fn wrong(Mismatch { query, found }: &Mismatch, others: usize) -> String {
    let length = |length: Option<f64>| length.map_or("no path".into(), |length| length.to_string());
    let found = length(found.map(Length::as_f64));
    let published = length(query.shortest.map(|published| published.length));
    fault(query, &format!("found {found}, published {published}"), others, "differ")
}

/// The line of a query, what is wrong with it, and how many more rows have that fault.
fn fault(Query { line, from, to, .. }: &Query, what: &str, others: usize, have_it: &str) -> String {
    let rest = if others == 0 { String::new() } else { format!("; {others} more rows {have_it}") };
    format!("{line}: from {from} to {to}: {what}{rest}")
}

impl Figures {
    fn new(report: &Report, build_ms: f64, bytes: usize, patches: Option<Patches>) -> Self {
        let Summary { mean, p50, p99, max } = report.summary();
        Self {
            rows: report.queries,
            solved: report.solved,
            unsolvable: report.unsolvable,
            mismatched: report.mismatches.len(),
            blocked: report.blocked.len(),
            us: [("mean", mean), ("p50", p50), ("p99", p99), ("max", max)],
            expanded: report.expanded,
            build_ms,
            bytes,
            patches,
        }
    }

    fn table(&self, asked: &FindPath) -> String {
        let count = |number: usize| HumanCount(number as u64);
        let (solved, unsolvable) = (count(self.solved), count(self.unsolvable));
        let lengths = match self.mismatched {
            0 => "all match the published lengths".into(),
            mismatched => format!("{} differ from the published lengths", count(mismatched)),
        };
        let blocked = (self.blocked > 0).then(|| {
            (
                "blocked",
                format!("{} of the rows start or end on a blocked cell and could not be run", count(self.blocked)),
            )
        });
        let answers = [
            ("rows", format!("{}: {solved} with a path, {unsolvable} without", count(self.rows))),
            ("lengths", lengths),
        ];
        let row = std::iter::once("query".into()).chain(self.us.map(|(_, time)| format!("{time:.1}")));
        let patches =
            self.patches.as_ref().map(|patches| ("patches", format!("{}, {:.1} ms", count(patches.count), patches.ms)));
        let cost = [
            ("expanded", text::count(self.expanded, asked.method.node())),
            ("build", format!("{:.1} ms, {}", self.build_ms, BinaryBytes(self.bytes as u64))),
        ];
        let times = table::figures(output::width(), ["µs", "mean", "median", "p99", "max"], [row]);
        let (answers, cost) =
            (table::facts(answers.into_iter().chain(blocked)), table::facts(cost.into_iter().chain(patches)));
        format!("{answers}\n{times}\n{cost}")
    }
}
