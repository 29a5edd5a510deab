//! The measurements, as a table and as JSON.

use std::fmt;

use indicatif::{BinaryBytes, HumanCount};
use quadrille::Scalar;
use quadrille_advise::{Advice, Operation, Row};
use serde::Serialize;

use super::Bench;
use crate::{output, table};

/// The statistics of a run. `--json` writes exactly this: see docs/cli-json.md.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    scene: Option<&'static str>,
    motion: Option<&'static str>,
    file: Option<String>,
    boxes: usize,
    steps: u32,
    seed: Option<u64>,
    rows: Vec<Figures>,
    best: Best,
}

#[derive(Debug, Serialize)]
struct Best {
    #[serde(flatten)]
    figures: Figures,
    code: String,
}

#[derive(Clone, Debug, Serialize)]
struct Figures {
    index: &'static str,
    #[serde(serialize_with = "output::by_name")]
    ms: Times,
    ratio: f64,
    bytes: usize,
}

/// Milliseconds in total and of each operation, if it is measured.
type Times = [(&'static str, Option<f64>); Operation::ALL.len() + 1];

impl Report {
    pub(super) fn new<S: Scalar>(asked: &Bench, boxes: usize, advice: &Advice<S>) -> Self {
        let is_scene = asked.boxes.is_none();
        Self {
            scene: is_scene.then(|| asked.scene.name()),
            motion: is_scene.then(|| asked.motion.name()),
            file: asked.boxes.as_ref().map(|path| path.display().to_string()),
            boxes,
            steps: asked.steps,
            seed: is_scene.then_some(asked.seed),
            rows: advice.rows.iter().map(Figures::of).collect(),
            best: Best { figures: Figures::of(&advice.best), code: advice.best.code() },
        }
    }
}

impl Figures {
    fn of<S: Scalar>(row: &Row<S>) -> Self {
        let of = |operation: &Operation| (operation.name(), row.ms.of(*operation));
        Self {
            index: row.options.kind().name(),
            ms: std::array::from_fn(|number| match number.checked_sub(1) {
                None => ("total", Some(row.ms.total())),
                Some(number) => of(&Operation::ALL[number]),
            }),
            ratio: row.ratio,
            bytes: row.bytes,
        }
    }

    fn row(&self) -> impl Iterator<Item = String> {
        let times = self.ms.iter().map(|(_, time)| time.map_or("-".into(), |ms| format!("{ms:.3}")));
        let name = [self.index.into(), format!("{:.2}", self.ratio)];
        name.into_iter().chain(times).chain([BinaryBytes(self.bytes as u64).to_string()])
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scene = self.scene.zip(self.seed).map(|(scene, seed)| ("scene", format!("{scene}, seed {seed}")));
        let motion = self.motion.map(|motion| ("motion", motion.to_string()));
        let run = [
            ("boxes", HumanCount(self.boxes as u64).to_string()),
            ("steps", HumanCount(self.steps.into()).to_string()),
        ];
        let file = self.file.as_ref().map(|file| ("file", file.clone()));
        f.write_str(&table::facts(scene.into_iter().chain(motion).chain(file).chain(run)))?;
        writeln!(f)?;
        let heading =
            ["ms per step", "ratio", "total", "first", "update", "pairs", "query", "nearest", "cast", "bytes"];
        f.write_str(&table::figures(output::width(), heading, self.rows.iter().map(Figures::row)))?;
        writeln!(f, "\nAll answers agree. The fastest:\n\n  {}", self.best.code)
    }
}
