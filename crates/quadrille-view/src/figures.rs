//! The costs of a view, in numbers: for the panel, for the clipboard, and for tests.

use std::collections::VecDeque;

use quadrille_advise::parameters::write_structure;
use quadrille_scenes::sim::StepReport;
use serde::{Serialize, Serializer};
use web_time::Duration;

use crate::boxes::BoxFigures;
use crate::maps::MapFigures;
pub use crate::structure_figures::{DEEP, LONG_LIST, StructureFigures};
use crate::structure_figures::{RECENT, median};
use crate::tracks::TrackFigures;
use crate::world::World;

/// The median time of the last steps, in milliseconds. Zero before the first.
pub fn usual(reports: &VecDeque<StepReport>, time: impl Fn(&StepReport) -> Duration) -> f64 {
    median(reports.iter().rev().take(RECENT).map(time)).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}

/// The figures of a world.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// How many agents.
    pub agents: usize,
    /// Steps since the first frame.
    pub steps: u64,
    /// One number for the state of all agents: [`quadrille_scenes::sim::Simulation::state_hash`].
    #[serde(serialize_with = "as_hex")]
    pub state_hash: u64,
    /// One structure, or two.
    pub structures: Vec<StructureFigures>,
}

impl Figures {
    /// Takes all figures.
    pub fn new(world: &World) -> Self {
        let structures = world.indices().zip(world.reports());
        Self {
            agents: world.simulation().len(),
            steps: world.steps,
            state_hash: world.simulation().state_hash(),
            structures: structures
                .map(|(index, reports)| {
                    StructureFigures::new(write_structure(&index.options()), index, reports.back().copied())
                })
                .collect(),
        }
    }
}

/// The cost of a view at one moment: for the clipboard, for reports and for scripts on a page.
#[derive(Debug, Serialize)]
pub(crate) struct Report<'a> {
    pub(crate) view: &'a str,
    pub(crate) messages: &'a [&'a str],
    /// The graphics API and the name of the GPU.
    pub(crate) graphics: &'a str,
    /// Milliseconds from frame to frame.
    pub(crate) frame_ms: f64,
    #[serde(flatten)]
    pub(crate) figures: &'a Figures,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) map: Option<MapFigures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tracks: Option<TrackFigures<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) boxes: Option<BoxFigures<'a>>,
}

/// Any plain data as JSON.
pub(crate) fn to_json(data: &impl Serialize) -> String {
    serde_json::to_string(data).expect("all keys are strings")
}

/// As 16 hexadecimal digits, because numbers in JSON are doubles.
fn as_hex<S: Serializer>(hash: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{hash:016x}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::structures::StructureKind;
    use quadrille_scenes::sim::Simulation;
    use quadrille_scenes::{Scene, SceneKind};

    #[test]
    fn figures_are_those_of_the_library_for_the_same_seed() {
        for &kind in StructureKind::ALL {
            let mut world =
                World::new(SceneKind::Clustered, 1_500, 9, kind.into(), None).expect("default options are valid");
            let mut library = Simulation::new(&Scene::new(SceneKind::Clustered, 1_500, 9), kind.into())
                .expect("default options are valid");
            let mut last = None;
            for _ in 0..10 {
                world.step();
                last = Some(library.step());
            }
            let figures = Figures::new(&world);
            assert_eq!((figures.agents, figures.steps, figures.state_hash), (1_500, 10, library.state_hash()));
            let [one] = &figures.structures[..] else { panic!("one structure is shown") };
            assert_eq!(one.stats, library.index().stats(), "{kind}");
            let found = |report: Option<StepReport>| report.map(|report| (report.pairs, report.contacts));
            assert_eq!(found(one.last), found(last), "{kind}");
            let listed: usize =
                one.lists.iter().enumerate().take(LONG_LIST).map(|(length, lists)| length * lists).sum();
            assert!(listed <= one.stats.listed, "{kind}");
            assert_eq!(one.lists.iter().sum::<usize>(), one.depths.iter().sum::<usize>(), "{kind}");
        }
    }

    #[test]
    fn json_says_it_all_and_escapes_what_is_strange() {
        let mut world =
            World::new(SceneKind::Uniform, 100, 1, StructureKind::Grid.into(), Some(AnyOptions::BruteForce))
                .expect("default options are valid");
        let report = Report {
            view: "n=100",
            messages: &["a \"b\"\n"],
            graphics: "Vulkan: x",
            frame_ms: 12.5,
            figures: &Figures::new(&world),
            map: None,
            tracks: None,
            boxes: None,
        };
        let json: serde_json::Value = serde_json::from_str(&to_json(&report)).expect("it is JSON");
        assert_eq!(json["messages"], serde_json::json!(["a \"b\"\n"]));
        assert_eq!(
            (&json["view"], &json["graphics"], &json["frame_ms"]),
            (&"n=100".into(), &"Vulkan: x".into(), &12.5.into())
        );
        assert_eq!(json["state_hash"], format!("{:016x}", world.simulation().state_hash()));
        assert_eq!((&json["agents"], &json["steps"]), (&100.into(), &0.into()));
        let [one, other] = ["grid", "brute-force"];
        assert_eq!([&json["structures"][0]["structure"], &json["structures"][1]["structure"]], [one, other]);
        assert_eq!(json["structures"][0]["boxes"], 100);
        assert!(json.get("map").is_none() && json["structures"][0].get("ms").is_none(), "{json}");
        world.step();
        let stepped: serde_json::Value = serde_json::from_str(&to_json(&Figures::new(&world))).expect("it is JSON");
        assert!(stepped["structures"][1]["ms"]["pairs"].as_f64().is_some_and(|ms| ms > 0.0), "{stepped}");
    }

    use quadrille::structures::AnyOptions;
}
