//! quadrille compared with its rivals: the same frames, the same answers, in one process. `--help` says what can be
//! chosen.

mod bullets;
mod casts;
mod clock;
mod conditions;
mod contenders;
mod events;
mod first;
mod layers;
mod memory;
mod outcome;
mod race;
mod report;
mod sets;
mod singles;
mod steps;
mod tally;
mod tasks;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use clock::Clock;
use conditions::{Conditions, Variation};
use contenders::Library;
use quadrille_scenes::{Motion, SceneKind};
use tasks::TASKS;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// Measures quadrille and its rivals at the same work, and checks that all find the same.
#[derive(Debug, Parser)]
#[command(
    after_help = "Example:\n  cargo run --release -p frames -- --clock cpu --scene uniform,pile --n 20000,100000 --save frames"
)]
struct Arguments {
    /// What is measured; `tasks.rs` describes each
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', default_value = "frames", value_parser = PossibleValuesParser::new(TASKS.iter().map(|(name, _)| *name)))]
    task: Vec<String>,
    /// Scenes; all by default
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    scene: Vec<SceneKind>,
    /// Numbers of boxes; ascending, so that what is too slow for few boxes sits out the larger numbers
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "20000,100000,500000")]
    n: Vec<NonZeroUsize>,
    /// Frames, or laps of a task that has none
    #[arg(long, default_value_t = 30)]
    frames: usize,
    /// What is measured
    #[arg(long, value_enum, default_value = "wall")]
    clock: Clock,
    /// How boxes move
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', default_value = "drift")]
    motion: Vec<Motion>,
    /// Boxes fly straight on by this many mean widths a frame instead
    #[arg(long, value_name = "WIDTHS,…", value_delimiter = ',')]
    speed: Vec<f32>,
    /// Contenders whose names contain one of these; all by default
    #[arg(long, value_name = "PART,…", value_delimiter = ',')]
    only: Vec<String>,
    /// Boxes of `frames` are scaled by these factors
    #[arg(long, value_name = "FACTOR,…", value_delimiter = ',', default_value = "1")]
    sizes: Vec<f32>,
    /// In `events`, one box in this many moves
    #[arg(long, value_name = "N", default_value = "20")]
    one_in: NonZeroUsize,
    /// A contender that has run for longer sits out the rest; if one lap took longer, also more boxes of the same scene
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    budget: u64,
    /// Libraries that take part as shared objects; see bench/entrants
    #[arg(long, value_name = "FILE")]
    entrant: Vec<PathBuf>,
    /// Write ../results/DATE-NAME.csv
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
}

impl Arguments {
    /// The libraries that take part.
    fn entrants(&self) -> Result<Vec<&'static Library>, String> {
        let all: Vec<&Library> = self.entrant.iter().map(|path| Library::load(path)).collect::<Result<_, _>>()?;
        let is_twice = |(at, one): &(usize, &&'static Library)| all[..*at].iter().any(|other| other.name == one.name);
        match all.iter().enumerate().find(is_twice) {
            Some((at, one)) => {
                Err(format!("{} is refused: `{}` is the name of another", self.entrant[at].display(), one.name))
            }
            None => Ok(all),
        }
    }

    /// Every combination of what scenes are made into.
    fn variations(&self) -> Vec<Variation> {
        let mut speeds: Vec<Option<f32>> = self.speed.iter().copied().map(Some).collect();
        if speeds.is_empty() {
            speeds.push(None);
        }
        let moved = || self.motion.iter().flat_map(|&motion| speeds.iter().map(move |&speed| (motion, speed)));
        let all =
            self.sizes.iter().flat_map(|&size| moved().map(move |(motion, speed)| Variation { size, motion, speed }));
        all.collect()
    }
}

/// Exit codes: 1 if answers are wrong, 2 if an entrant is refused.
fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.entrants() {
        Ok(entrants) => run(&arguments, &entrants),
        Err(refusal) => {
            eprintln!("error: {refusal}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments, entrants: &[&'static Library]) -> ExitCode {
    let Arguments { frames, clock, .. } = *arguments;
    let one_in = arguments.one_in.get();
    let budget = Duration::from_secs(arguments.budget);
    let scenes = if arguments.scene.is_empty() { SceneKind::ALL } else { &arguments.scene };
    let variations = arguments.variations();
    let mut csv = report::header(clock);
    let mut is_right = true;
    for &(task, run) in TASKS.iter().filter(|(name, _)| arguments.task.iter().any(|wanted| wanted == name)) {
        for &scene in scenes {
            let mut aside = Vec::new();
            for (n, variation) in
                arguments.n.iter().flat_map(|&n| variations.iter().map(move |one| (n.get(), one.clone())))
            {
                let only = arguments.only.clone();
                let entrants = entrants.to_vec();
                let on = Conditions { scene, n, variation, frames, one_in, clock, budget, only, aside, entrants };
                let mut outcome = run(&on);
                report::print(task, &on, &mut outcome);
                csv += &report::csv(task, &on, &outcome);
                is_right &= outcome.faults.is_empty();
                aside = on.aside.clone();
                aside.extend(outcome.figures.iter().filter(|one| one.longest > budget).map(|one| one.name));
            }
        }
    }
    if let Some(name) = &arguments.save {
        let path = format!("{}/../results/{}-{name}.csv", env!("CARGO_MANIFEST_DIR"), machine::date());
        std::fs::write(path, csv).expect("results/ can be written");
    }
    if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
