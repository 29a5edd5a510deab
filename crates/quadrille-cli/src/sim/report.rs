//! The cost of a simulation.

use std::fmt;
use std::time::Duration;

use indicatif::{BinaryBytes, HumanCount};
use quadrille_advise::parameters::write_structure;
use quadrille_scenes::sim::{Simulation, StepReport, Timings};
use serde::Serialize;

use super::Sim;
use crate::{memory, output, table, text};

/// The statistics of a run. `--json` writes exactly this: see docs/cli-json.md.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    scene: &'static str,
    index: String,
    agents: u32,
    steps: u32,
    seed: u64,
    threads: u32,
    renumber: Option<u32>,
    /// Milliseconds per step: its sum, then its phases.
    #[serde(serialize_with = "output::by_name")]
    ms: [(&'static str, Spread); 5],
    pairs: Pairs,
    /// A string, because not every JSON reader keeps 64 bits of a number.
    state_hash: String,
    bytes: Bytes,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Spread {
    median: f64,
    p95: f64,
    max: f64,
    #[serde(skip)]
    total: f64,
}

#[derive(Debug, Serialize)]
struct Pairs {
    last: usize,
    total: usize,
}

#[derive(Debug, Serialize)]
struct Bytes {
    index: usize,
    agents: usize,
    peak_rss: Option<u64>,
}

impl Report {
    pub(super) fn new(asked: &Sim, simulation: &Simulation, steps: &[StepReport]) -> Self {
        let spread = |phase: fn(&Timings) -> Duration| Spread::of(steps.iter().map(|step| phase(&step.timings)));
        Self {
            scene: asked.scene.name(),
            index: write_structure(&asked.index),
            agents: asked.agents,
            steps: asked.steps,
            seed: asked.seed,
            threads: asked.threads,
            renumber: asked.renumber,
            ms: [
                ("step", spread(Timings::total)),
                ("move", spread(|timings| timings.movement)),
                ("index", spread(|timings| timings.index)),
                ("pairs", spread(|timings| timings.pairs)),
                ("respond", spread(|timings| timings.respond)),
            ],
            pairs: Pairs {
                last: steps.last().map_or(0, |step| step.pairs),
                total: steps.iter().map(|step| step.pairs).sum(),
            },
            state_hash: format!("{:016x}", simulation.state_hash()),
            bytes: Bytes {
                index: simulation.index().stats().bytes_reserved,
                agents: simulation.bytes(),
                peak_rss: memory::peak_rss(),
            },
        }
    }
}

impl Spread {
    /// There is at least one time. A quantile is the least time that this share of the times does not exceed.
    fn of(times: impl Iterator<Item = Duration>) -> Self {
        let mut times: Vec<f64> = times.map(|time| time.as_nanos() as f64 / 1e6).collect();
        times.sort_unstable_by(f64::total_cmp);
        let quantile = |percent: usize| times.get((times.len() * percent).div_ceil(100).saturating_sub(1)).copied();
        let [median, p95, max] = [50, 95, 100].map(|percent| quantile(percent).unwrap_or(0.0));
        Self { median, p95, max, total: times.iter().sum() }
    }

    fn row(&self, name: String) -> [String; 4] {
        [name, format!("{:.3}", self.median), format!("{:.3}", self.p95), format!("{:.3}", self.max)]
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ms, pairs, bytes, .. } = self;
        let count = |number: usize| HumanCount(number as u64).to_string();
        let size = |bytes: usize| BinaryBytes(bytes as u64).to_string();
        let agents = f64::from(self.agents);
        let run = [
            ("scene", format!("{}, seed {}", self.scene, self.seed)),
            ("agents", count(self.agents as usize)),
            ("steps", count(self.steps as usize)),
            ("index", self.index.clone()),
            ("threads", count(self.threads as usize)),
            (
                "renumbered",
                self.renumber.map_or("never".into(), |every| format!("every {}", text::count(every.into(), "step"))),
            ),
        ];
        let [(step, sum), phases @ ..] = ms;
        let phases = phases.iter().map(|(name, spread)| spread.row(format!("  {name}")));
        let rows = [sum.row((*step).into())].into_iter().chain(phases);
        let results = [
            ("speed", format!("{:.1} steps per second", f64::from(self.steps) * 1e3 / sum.total)),
            ("pairs", format!("{} in the last step, {} in all", count(pairs.last), count(pairs.total))),
            ("index", format!("{}, {:.1} bytes per agent", size(bytes.index), bytes.index as f64 / agents)),
            ("agents", format!("{}, {:.1} bytes per agent", size(bytes.agents), bytes.agents as f64 / agents)),
            ("peak RSS", bytes.peak_rss.map_or("-".into(), |bytes| BinaryBytes(bytes).to_string())),
            ("state", self.state_hash.clone()),
        ];
        f.write_str(&table::facts(run))?;
        writeln!(f)?;
        f.write_str(&table::figures(output::width(), ["ms per step", "median", "p95", "max"], rows))?;
        writeln!(f)?;
        f.write_str(&table::facts(results))
    }
}
