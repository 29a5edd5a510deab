//! quadrille compared with its rivals: the same frames, the same answers, in one process.
//!
//! ```text
//! cargo run --release -p frames -- [--task NAME,…] [--scene NAME,…] [--n 20000,100000,500000] [--frames 30] [--clock wall|cpu]
//!                                  [--motion NAME,…] [--speed WIDTHS,…] [--order NAME,…] [--only PART,…] [--sizes 1] [--one-in 20]
//!                                  [--budget SECONDS] [--save NAME]
//! ```
//!
//! Tasks: `frames` by default, or `first`, `moves`, `agents`, `queries`, `small-queries`, `surroundings`,
//! `nearest`, `within`, `churn`, `events`, `sets`, `join`, `apart`, `layers-…`, `singles-…`, `steps`, `steps-in-order`
//! (`tasks.rs` describes each). `--only`: contenders whose names contain one of these. `--sizes`: boxes of `frames`
//! scaled by this factor. `--motion`: how boxes move, `drift` by default. `--speed`: they fly straight on by this many
//! mean widths a frame instead. `--order`: how the boxes of `first` are handed in (`as-drawn`, `sorted`, `reversed`,
//! `shuffled`, `equal`, `giant`, `line`). `--one-in`: in `events`, one box in this many moves. `--budget`: a contender
//! that has run for longer sits out the rest, and if one lap took longer, also with more boxes of the same scene: give
//! numbers of boxes in ascending order. `--save` writes `../results/DATE-NAME.csv`, which the crate `charts` draws.
//! Every task checks that all contenders find the same.

mod clock;
mod conditions;
mod contenders;
mod events;
mod first;
mod layers;
mod memory;
mod order;
mod outcome;
mod race;
mod report;
mod sets;
mod singles;
mod steps;
mod tally;
mod tasks;

use std::time::Duration;

use clock::Clock;
use conditions::{Conditions, Variation};
use order::Order;
use quadrille_scenes::{Motion, SceneKind};
use tasks::TASKS;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// The value after a flag, split at commas.
fn flag(name: &str) -> Vec<String> {
    let value = std::env::args().skip_while(|argument| argument != name).nth(1).unwrap_or_default();
    value.split(',').filter(|part| !part.is_empty()).map(String::from).collect()
}

fn number(name: &str, default: usize) -> usize {
    flag(name).first().map_or(default, |value| value.parse().expect("a number"))
}

/// The values after a flag, or the one that is meant without it.
fn all<T: std::str::FromStr>(name: &str, default: T) -> Vec<T> {
    let given: Vec<T> =
        flag(name).iter().map(|one| one.parse().unwrap_or_else(|_| panic!("{name} {one}: no such value"))).collect();
    if given.is_empty() { vec![default] } else { given }
}

/// Every combination of what the flags say.
fn variations() -> Vec<Variation> {
    let mut variations = Vec::new();
    let speeds: Vec<Option<f32>> =
        all("--speed", f32::NAN).into_iter().map(|speed| (!speed.is_nan()).then_some(speed)).collect();
    for size in all("--sizes", 1.0) {
        for motion in all("--motion", Motion::Drift) {
            for &speed in &speeds {
                for order in all("--order", Order::AsDrawn) {
                    variations.push(Variation { size, motion, speed, order });
                }
            }
        }
    }
    variations
}

fn main() {
    let clock = if flag("--clock").first().is_some_and(|clock| clock == "cpu") { Clock::Cpu } else { Clock::Wall };
    let mut scenes: Vec<SceneKind> = flag("--scene").iter().map(|name| name.parse().expect("a scene")).collect();
    if scenes.is_empty() {
        scenes = SceneKind::ALL.to_vec();
    }
    let mut sizes: Vec<usize> = flag("--n").iter().map(|n| n.parse().expect("a number")).collect();
    if sizes.is_empty() {
        sizes = vec![20_000, 100_000, 500_000];
    }
    let variations = variations();
    let mut tasks = flag("--task");
    if tasks.is_empty() {
        tasks = vec!["frames".into()];
    }
    for task in &tasks {
        assert!(TASKS.iter().any(|(name, _)| name == task), "no task is called {task}");
    }
    let mut csv = report::header(clock);
    for &(_, run) in TASKS.iter().filter(|(name, _)| tasks.iter().any(|task| task == name)) {
        for &scene in &scenes {
            let mut aside = Vec::new();
            for (n, variation) in sizes.iter().flat_map(|&n| variations.iter().map(move |one| (n, one.clone()))) {
                let (frames, one_in) = (number("--frames", 30), number("--one-in", 20));
                let budget = Duration::from_secs(number("--budget", 5) as u64);
                let on = Conditions { scene, n, variation, frames, one_in, clock, budget, only: flag("--only"), aside };
                let mut outcome = run(&on);
                report::print(&on, &mut outcome);
                csv += &report::csv(&on, &outcome);
                aside = on.aside.clone();
                aside.extend(outcome.figures.iter().filter(|one| one.longest > budget).map(|one| one.name));
            }
        }
    }
    if let Some(name) = flag("--save").first() {
        let path = format!("{}/../results/{}-{name}.csv", env!("CARGO_MANIFEST_DIR"), report::date());
        std::fs::write(path, csv).expect("results/ can be written");
    }
}
