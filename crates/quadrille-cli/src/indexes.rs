//! `quadrille indexes`: the structures, and which is for what.

use clap::Args;
use quadrille::structures::StructureKind;
use quadrille_advise::Manual;
use quadrille_scenes::sim::Simulation;
use quadrille_scenes::{Scene, SceneKind};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{self, Target};
use crate::table;

/// List the structures: what each is best for, when to avoid it, and what it costs.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Indexes {
    /// Write the list as JSON; `-` is standard output, and the table then goes to standard error
    #[arg(long, value_name = "FILE")]
    json: Option<Target>,
}

const EXAMPLES: &str = "\
Bytes a box are measured now, on a uniform scene.

Examples:
  quadrille indexes
  quadrille indexes --json indexes.json";

/// What `--json` writes: see docs/cli-json.md.
#[derive(Debug, Serialize)]
struct List {
    /// Boxes that bytes were measured with.
    boxes: usize,
    indexes: Vec<Entry>,
}

#[derive(Debug, Serialize)]
struct Entry {
    name: &'static str,
    best_for: &'static str,
    avoid_for: &'static str,
    #[serde(serialize_with = "output::by_name")]
    cost: [(&'static str, &'static str); 6],
    /// In use, the box itself included.
    bytes_per_box: f64,
}

impl Indexes {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        output::check(&[&self.json], &[])?;
        let scene = Scene::new(SceneKind::Uniform, BOXES, SEED);
        let entries = StructureKind::ALL.iter().map(|&kind| Entry::of(kind, &scene));
        let list = List { boxes: BOXES, indexes: entries.collect::<Result<_, _>>()? };
        output::report(&list.table(), &list, &self.json, &[&self.json])
    }
}

/// Boxes that bytes are measured with: enough that fixed costs do not count.
const BOXES: usize = 10_000;
const SEED: u64 = 1;

impl Entry {
    /// The index is that of a simulation, which is compiled already.
    fn of(kind: StructureKind, scene: &Scene) -> Result<Self, Failure> {
        let simulation = Simulation::new(scene, kind.into())?;
        let bytes_per_box = simulation.index().stats().bytes_used as f64 / simulation.len() as f64;
        let Manual { best_for, avoid_for, cost, .. } = quadrille_advise::manual(kind);
        Ok(Self { name: kind.name(), best_for, avoid_for, cost: cost.all(), bytes_per_box })
    }
}

impl List {
    fn table(&self) -> String {
        let row = |entry: &Entry| {
            [
                entry.name.into(),
                entry.best_for.into(),
                entry.avoid_for.into(),
                entry.cost.map(|(operation, cost)| format!("{operation}: {cost}")).join("\n"),
                format!("{:.0}", entry.bytes_per_box),
            ]
        };
        let columns = [("structure", 19), ("best for", 20), ("avoid for", 20), ("cost", 33), ("bytes/ box", 8)];
        table::texts(output::width(), columns, self.indexes.iter().map(row))
    }
}
