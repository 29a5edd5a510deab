//! `quadrille bench`: which structure is fastest for a scene, or for a file of boxes.

mod report;

use std::path::{Path, PathBuf};

use clap::Args;
use quadrille::{Aabb, Scalar};
use quadrille_advise::{Advice, Boxes, Error, Operation, Search};
use quadrille_files::{Choice, Shapes};
use quadrille_scenes::{Motion, Scene, SceneKind};

use crate::failure::Failure;
use crate::output::{self, Target};
use crate::text::count;
use crate::{memory, names, progress};
use report::Report;

/// Find the fastest structure for a scene, or for the boxes in a file.
///
/// Every structure does the same work, with its default options, and all answers are compared. Per step: `first` builds
/// the structure from scratch and finds all pairs, `update` moves the boxes, `pairs` finds all pairs of overlapping
/// boxes, `query` finds what overlaps 1,000 rectangles as large as the boxes, `nearest` finds the box nearest to
/// each of 200 points, and `cast` the first box hit by each of 200 rays.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Bench {
    /// The scene: sizes and positions of the boxes
    #[arg(long, value_name = "NAME", default_value = "uniform", value_parser = names::one_of(SceneKind::ALL, SceneKind::name))]
    scene: SceneKind,
    /// How the boxes move
    #[arg(long, value_name = "NAME", default_value = "drift", value_parser = names::one_of(Motion::ALL, Motion::name))]
    motion: Motion,
    /// Number of boxes, at most a million
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = names::number(1..=1_000_000), allow_negative_numbers = true)]
    agents: u32,
    /// Random seed of the scene
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = names::seed, allow_negative_numbers = true)]
    seed: u64,
    /// Use the boxes in a file instead, read as `pairs` reads them; they do not move
    #[arg(long, value_name = "FILE", conflicts_with_all = SCENE)]
    boxes: Option<PathBuf>,
    /// A file is given as --boxes FILE
    #[arg(hide = true, value_name = "FILE", value_parser = |file: &str| Err::<String, _>(format!("use --boxes {file}")))]
    _file: Option<String>,
    /// Columns to read, by name or by number from 1: two for points, four for boxes, three for circles, or one for
    /// geometries
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "boxes", conflicts_with_all = SCENE)]
    columns: Vec<String>,
    /// Does the first row hold column names? yes or no [default: detected]
    #[arg(long, value_name = "ANSWER", value_parser = names::yes_or_no, requires = "boxes", conflicts_with_all = SCENE)]
    header: Option<bool>,
    /// Number of steps, at most 1,000
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = names::number(1..=1_000), allow_negative_numbers = true)]
    steps: u32,
    /// Operations to measure [default: all except `first`; for a file, also without `update`]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = names::one_of(Operation::ALL, Operation::name))]
    ops: Vec<Operation>,
    /// Write statistics as JSON; `-` is standard output, and the table then goes to standard error
    #[arg(long, value_name = "FILE")]
    json: Option<Target>,
}

/// Options of a scene.
const SCENE: [&str; 4] = ["scene", "motion", "agents", "seed"];

const EXAMPLES: &str = "\
Examples:
  quadrille bench
  quadrille bench --scene clustered --agents 100000 --ops update,pairs
  quadrille bench --motion jumps --ops update,pairs
  quadrille bench --boxes buildings.csv --ops first
  quadrille bench --boxes buildings.csv --ops query,nearest
  quadrille bench --scene mixed --json figures.json";

impl Bench {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let targets = [&self.json];
        output::check(&targets, &self.boxes.as_deref().map_or(vec![], |path| vec![path]))?;

        let report = match &self.boxes {
            Some(path) => self.file(path)?,
            None => self.measure(&self.scene_frames()?, Operation::FRAME)?,
        };
        output::report(&report.to_string(), &report, &self.json, &targets)
    }

    /// The frames of the scene: one to begin with, and one for each step.
    fn scene_frames(&self) -> Result<Vec<Vec<Aabb>>, Failure> {
        let frames = u64::from(self.steps) + 1;
        let (agents, steps) = (count(self.agents.into(), "box"), count(self.steps.into(), "step"));
        let what = format!("{steps} of {agents} need");
        memory::require(frames * u64::from(self.agents) * size_of::<Aabb>() as u64, &what)?;
        let mut scene = Scene::new(self.scene, self.agents as usize, self.seed).with_motion(self.motion);
        let first = scene.boxes().collect();
        let rest = (0..self.steps).map(|_| {
            scene.step();
            scene.boxes().collect()
        });
        Ok(std::iter::once(first).chain(rest).collect())
    }

    /// The boxes of a file, once for each step.
    fn file(&self, path: &Path) -> Result<Report, Failure> {
        if self.ops.contains(&Operation::Update) {
            return Err(Failure::Bad("--ops update is for scenes: the boxes of a file do not move".into()));
        }
        let choice = Choice { columns: self.columns.clone(), header: self.header, ..Choice::default() };
        let boxes = Shapes::read(path, &choice)?.boxes;
        let still = Operation::FRAME.iter().copied().filter(|&operation| operation != Operation::Update);
        self.measure(&vec![boxes.as_slice(); self.steps as usize], &still.collect::<Vec<_>>())
    }

    fn measure<S: Scalar, F: Boxes<S>>(&self, frames: &[F], usual: &[Operation]) -> Result<Report, Failure> {
        let operations = if self.ops.is_empty() { usual } else { &self.ops };
        let advice = search(frames, operations).map_err(|error| Failure::Bad(error.to_string()))?;
        Ok(Report::new(self, frames.first().map_or(0, |frame| frame.as_ref().len()), &advice))
    }
}

/// The search, with a progress bar.
fn search<S: Scalar, F: Boxes<S>>(frames: &[F], operations: &[Operation]) -> Result<Advice<S>, Error> {
    let progress = progress::bar(0, "turns");
    let mut search = Search::new(frames, operations)?;
    let advice = loop {
        if let Some(advice) = search.turn()? {
            break advice;
        }
        let (done, all) = search.turns();
        progress.set_length(all as u64);
        progress.set_position(done as u64);
    };
    progress.finish_and_clear();
    Ok(advice)
}
