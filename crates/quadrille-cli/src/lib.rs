//! The `quadrille` command: joins of files, encounters of tracks, paths on maps, a simulation, and measurements of the
//! structures. A library, so that tests link what is compiled once; `main.rs` calls it.
//!
//! | file | contents |
//! |---|---|
//! | `sim/`, `indexes.rs` | subcommands that need nothing but the library |
//! | `pairs/`, `near/`, `path/`, `art/`, `bench/`, `view.rs` | the others, which the feature `full` adds, as by default |
//! | `manuals.rs` | `completions` and `man`, from the definitions that `--help` shows |
//! | `names.rs`, `quantity.rs` | names, numbers and quantities on the command line |
//! | `output.rs`, `records.rs`, `image_file.rs` | results: all files or none; records as CSV, JSON or Parquet; PNG and JPEG |
//! | `table.rs`, `text.rs`, `progress.rs` | what people see: tables, words made harmless, progress |
//! | `failure.rs`, `interrupt.rs` | how a run can end early |
//! | `memory.rs`, `clock.rs` | memory of this process; time |

#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "full"), allow(dead_code, reason = "what only the subcommands that are left out need"))]

#[cfg(feature = "full")]
mod art;
#[cfg(feature = "full")]
mod bench;
mod clock;
mod failure;
#[cfg(feature = "full")]
mod image_file;
mod indexes;
mod interrupt;
mod manuals;
mod memory;
mod names;
#[cfg(feature = "full")]
mod near;
mod output;
#[cfg(feature = "full")]
mod pairs;
#[cfg(feature = "full")]
mod path;
mod progress;
#[cfg(feature = "full")]
mod quantity;
#[cfg(feature = "full")]
mod records;
mod sim;
mod table;
mod text;
#[cfg(feature = "full")]
mod view;

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};

use failure::Failure;

/// Join CSV and GeoJSON files by overlap or distance, find close encounters in tracks, find paths on grid maps, and
/// measure which spatial index suits your boxes.
///
/// Every answer is exact: each pair once, none missed.
#[derive(Debug, Parser)]
#[command(name = "quadrille", version, propagate_version = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[cfg(feature = "full")]
    #[command(flatten)]
    Full(Box<Full>),
    Sim(sim::Sim),
    Indexes(indexes::Indexes),
    Completions(manuals::Completions),
    Man(manuals::Man),
}

/// What the feature `full` adds.
#[cfg(feature = "full")]
#[derive(Debug, Subcommand)]
enum Full {
    #[command(aliases = ["join", "sjoin"])]
    Pairs(pairs::Pairs),
    Near(near::Near),
    Path(path::FindPath),
    Art(art::Art),
    Bench(bench::Bench),
    View(view::View),
}

/// The names of these subcommands, if they are left out.
const LEFT_OUT: &[&str] = if cfg!(feature = "full") { &[] } else { &["pairs", "near", "path", "art", "bench", "view"] };

#[cfg(not(feature = "full"))]
const EXAMPLES: &str = "\
Examples:
  quadrille sim                             100,000 agents collide
  quadrille sim --agents 2000 --gif a.gif   animate 2,000 of them
  quadrille indexes                         the structures, and when to use which

This build leaves out pairs, near, path, art, bench and view; one without --no-default-features has them.";

#[cfg(feature = "full")]
const EXAMPLES: &str = "\
Examples:
  quadrille pairs shops.csv zones.geojson --inside --out in.csv
                                            which points are in which zones
  quadrille pairs buildings.csv             which boxes of a file overlap
  quadrille near ships.csv --within 500m --out met.csv
                                            which tracks came near each other, and when
  quadrille path city.png --from 3,4 --to 90,60 --png path.png
                                            the shortest path on a map
  quadrille art photo.jpg --out art.png     a picture redrawn by a quadtree
  quadrille bench --scene clustered         which structure is fastest for a scene
  quadrille sim                             100,000 agents collide
  quadrille sim --agents 2000 --gif a.gif   animate 2,000 of them
  quadrille indexes                         the structures, and when to use which
  quadrille view                            the structures at work, in a window

`quadrille COMMAND --help` shows every option, with examples.";

/// What `quadrille` as a command says about itself and takes.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Does what the arguments of this process say.
pub fn main() -> ExitCode {
    interrupt::watch();
    let ended = run();
    output::abandon();
    let (what, code) = match ended {
        Ok(()) | Err(Failure::ClosedPipe) => return ExitCode::SUCCESS,
        Err(Failure::Bad(what)) => (what, ExitCode::from(2)),
        Err(Failure::Mismatch(what)) => (what, ExitCode::FAILURE),
    };
    output::complain(&format!("quadrille: {}\n", text::one_line(&what)));
    code
}

fn run() -> Result<(), Failure> {
    match Cli::try_parse() {
        Ok(Cli { command: Some(Command::Sim(sim)) }) => sim.run(),
        #[cfg(feature = "full")]
        Ok(Cli { command: Some(Command::Full(full)) }) => full.run(),
        Ok(Cli { command: Some(Command::Indexes(indexes)) }) => indexes.run(),
        Ok(Cli { command: Some(Command::Completions(completions)) }) => completions.run(Cli::command()),
        Ok(Cli { command: Some(Command::Man(man)) }) => man.run(Cli::command()),
        Ok(Cli { command: None }) => output::print(&Cli::command().render_help().to_string()),
        Err(help) if matches!(help.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            output::print(&help.to_string())
        }
        Err(wrong) => Err(Failure::Bad(left_out(&wrong).unwrap_or_else(|| in_one_line(wrong)))),
    }
}

#[cfg(feature = "full")]
impl Full {
    fn run(self) -> Result<(), Failure> {
        match self {
            Self::Pairs(pairs) => pairs.run(),
            Self::Near(near) => near.run(),
            Self::Path(path) => path.run(),
            Self::Art(art) => art.run(),
            Self::Bench(bench) => bench.run(),
            Self::View(view) => view.run(),
        }
    }
}

/// How to get the subcommand, if it was requested and is [left out](LEFT_OUT).
fn left_out(wrong: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(name)) = wrong.get(ContextKind::InvalidSubcommand) else { return None };
    let is_left_out = LEFT_OUT.contains(&name.as_str());
    is_left_out.then(|| format!("this build lacks `{name}`: build it without --no-default-features"))
}

/// Clap's message about wrong arguments, in one line, without the usage and the hint about help.
fn in_one_line(mut wrong: clap::Error) -> String {
    // It does not say which.
    if wrong.kind() == ErrorKind::InvalidUtf8 {
        let all: Vec<_> = std::env::args_os().filter(|argument| argument.to_str().is_none()).collect();
        return format!("an argument other than the name of a file is not UTF-8: {all:?}");
    }
    // It advises to pass an unknown option as the name of a file.
    if wrong.kind() == ErrorKind::UnknownArgument {
        wrong.remove(ContextKind::Suggested);
    }
    let mut message = wrong.to_string();
    for (_, value) in wrong.context() {
        // A line break inside an argument does not end the message.
        if let ContextValue::String(value) = value {
            message = message.replace(value.as_str(), &text::one_line(value));
        }
    }
    let lines = message.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let words = lines.filter(|line| !line.is_empty() && !line.starts_with("For more information"));
    let line = words.collect::<Vec<_>>().join(" ");
    line.strip_prefix("error: ").unwrap_or(&line).into()
}
