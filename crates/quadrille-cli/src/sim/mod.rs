//! `quadrille sim`: agents that move and collide.

mod picture;
mod report;

use std::time::Duration;

use clap::{ArgGroup, Args};
use quadrille::structures::AnyOptions;
use quadrille_scenes::sim::{Simulation, StepReport};
use quadrille_scenes::{Scene, SceneKind};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::clock::timed;
use crate::failure::Failure;
use crate::output::{self, Target};
use crate::text::count;
use crate::{memory, names, progress};
use picture::{Film, Nodes};
use report::Report;

/// Simulate agents that move and collide, and measure the time.
///
/// Discs bounce off the walls and off each other; a structure finds the overlapping pairs in each step. The same scene
/// and seed end in the same state with every structure, so structures differ only in time and memory.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("picture").args(["png", "gif"]).multiple(true))]
pub(crate) struct Sim {
    /// The scene: sizes and positions of the agents
    #[arg(long, value_name = "NAME", default_value = "uniform", value_parser = names::one_of(SceneKind::ALL, SceneKind::name))]
    scene: SceneKind,
    /// Number of agents, at most 100 million
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = names::number(1..=100_000_000), allow_negative_numbers = true)]
    agents: u32,
    /// Number of steps, at most a million
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = names::number(1..=1_000_000), allow_negative_numbers = true)]
    steps: u32,
    /// Structure to find the pairs with; parameters follow it: quadtree:capacity=8:depth=10, quadtree:fixed=4,
    /// grid:cell=4, loose-grid:loose=4:tight=8
    #[arg(long, value_name = "STRUCTURE", default_value = "frame-tree", value_parser = names::Structure)]
    index: AnyOptions,
    /// Random seed of the scene
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = names::seed, allow_negative_numbers = true)]
    seed: u64,
    /// Number of threads. The result does not depend on it; one thread does all the bouncing
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = names::number(1..=1024), allow_negative_numbers = true)]
    threads: u32,
    /// Renumber the agents along a space-filling curve before the first step and again after every N steps: neighbors
    /// are then adjacent in memory, which is faster. The order decides who bounces first, so the final state
    /// differs from a run without it
    #[arg(long, value_name = "N", value_parser = names::number(1..=1_000_000), allow_negative_numbers = true)]
    renumber: Option<u32>,
    /// Draw the last step: agents in contact in dark orange, others in light blue
    #[arg(long, value_name = "FILE", value_parser = output::picture("png"))]
    png: Option<Target>,
    /// Draw an animation of all steps, or of 100 evenly spaced ones
    #[arg(long, value_name = "FILE", value_parser = output::picture("gif"))]
    gif: Option<Target>,
    /// Draw the structure's nodes over the agents
    #[arg(long, requires = "picture")]
    show_nodes: bool,
    /// Write statistics as JSON; `-` is standard output, and the report then goes to standard error
    #[arg(long, value_name = "FILE")]
    json: Option<Target>,
}

const EXAMPLES: &str = "\
Examples:
  quadrille sim
  quadrille sim --scene clustered --agents 20000 --index loose-quadtree
  quadrille sim --scene mixed --agents 1500 --steps 100 --png mixed.png --show-nodes
  quadrille sim --agents 2000 --gif agents.gif
  quadrille sim --agents 20000 --index quadtree:fixed=6
  quadrille sim --agents 2000000 --steps 60 --threads 2
  quadrille sim --agents 500000 --index loose-grid --renumber 100
  quadrille sim --steps 60 --json figures.json";

/// Memory that an agent takes at least, structure and pairs included, and twice for a moment: while the agents of the
/// scene become those of the simulation. Measured at ten million: 120 at the peak.
const BYTES_AN_AGENT: u64 = 100;

impl Sim {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let targets = [&self.png, &self.gif, &self.json];
        output::check(&targets, &[])?;

        let agents = count(self.agents.into(), "agent");
        memory::require(u64::from(self.agents) * BYTES_AN_AGENT, &format!("{agents} need"))?;
        let scene = Scene::new(self.scene, self.agents as usize, self.seed);
        let mut simulation = Simulation::new(&scene, self.index)?;
        let nodes = if self.show_nodes { Nodes::Shown } else { Nodes::Hidden };
        let mut film = self.gif.as_ref().map(|_| Film::new(&simulation, self.steps, nodes)).transpose()?;
        let steps = self.simulate(&mut simulation, film.as_mut())?;

        if let Some(png) = &self.png {
            let picture = picture::still(&simulation, nodes);
            png.write(|file| quadrille_draw::write_png(&picture, file))?;
        }
        if let (Some(gif), Some(film)) = (&self.gif, film) {
            let bytes = film.finish()?;
            gif.write(|file| file.write_all(&bytes))?;
        }
        let report = Report::new(self, &simulation, &steps);
        output::report(&report.to_string(), &report, &self.json, &targets)
    }

    fn simulate(&self, simulation: &mut Simulation, mut film: Option<&mut Film>) -> Result<Vec<StepReport>, Failure> {
        let progress = progress::bar(self.steps.into(), "steps");
        let mut steps = Vec::with_capacity(self.steps as usize);
        let pool = (self.threads > 1).then(|| self.pool()).transpose()?;
        for number in 1..=self.steps {
            let is_due = self.renumber.is_some_and(|every| (number - 1) % every == 0);
            let renumbering = if is_due { timed(|| simulation.renumber()).0 } else { Duration::ZERO };
            let mut step = match &pool {
                Some(pool) => pool.install(|| simulation.par_step()),
                None => simulation.step(),
            };
            step.timings.movement += renumbering;
            steps.push(step);
            if let Some(film) = &mut film {
                film.show(number, simulation)?;
            }
            progress.inc(1);
        }
        progress.finish_and_clear();
        Ok(steps)
    }

    fn pool(&self) -> Result<ThreadPool, Failure> {
        let pool = ThreadPoolBuilder::new().num_threads(self.threads as usize).build();
        pool.map_err(|error| Failure::Bad(format!("{} threads: {error}", self.threads)))
    }
}
