//! quadrille beside its rivals: the same frames, the same answers, in one process.
//!
//! ```text
//! cargo run --release -- [--task frames] [--scene uniform,…] [--n 20000,100000] [--frames 30] [--clock wall|cpu]
//!                        [--budget SECONDS] [--only NAME,…] [--save NAME]
//! ```
//!
//! Every task checks that all contenders find the same. `--save NAME` writes `../results/DATE-NAME.csv` and `.svg`.

mod clock;
mod contenders;
mod memory;
mod race;
mod report;
mod tally;
mod tasks;

use std::time::Duration;

use clock::Clock;
use quadrille_scenes::SceneKind;
use tasks::{Conditions, TASKS};

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
    let tasks = flag("--task");
    let wanted = |name: &str| if tasks.is_empty() { name == "frames" } else { tasks.iter().any(|task| task == name) };
    let mut csv = report::header(clock);
    let mut outcomes = Vec::new();
    for &(_, run) in TASKS.iter().filter(|(name, _)| wanted(name)) {
        for &scene in &scenes {
            for &n in &sizes {
                let frames = number("--frames", 30);
                let budget = Duration::from_secs(number("--budget", 5) as u64);
                let on = Conditions { scene, n, frames, clock, budget, only: flag("--only") };
                let mut outcome = run(&on);
                report::print(&on, &mut outcome);
                csv += &report::csv(&on, &outcome);
                outcomes.push((on, outcome));
            }
        }
    }
    if let Some(name) = flag("--save").first() {
        let path = format!("{}/../results/{}-{name}", env!("CARGO_MANIFEST_DIR"), report::date());
        std::fs::write(format!("{path}.csv"), csv).expect("results/ can be written");
        std::fs::write(format!("{path}.svg"), report::svg(&outcomes, clock)).expect("results/ can be written");
    }
}
