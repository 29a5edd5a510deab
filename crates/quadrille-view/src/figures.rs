//! The costs of a view, in numbers: for the panel, for the clipboard, and for tests.

use std::collections::VecDeque;
use std::fmt::Write;
use std::ops::ControlFlow;

use quadrille::{AnyStructure, Index, NodeKind, Stats};
use quadrille_advise::parameters::write_structure;
use quadrille_sim::StepReport;
use web_time::Duration;

use crate::world::World;

/// Lists as long as this or longer are counted together.
pub const LONG_LIST: usize = 32;
/// Leaves as deep as this or deeper are counted together.
pub const DEEP: usize = 24;

/// The figures of one structure.
#[derive(Clone, Debug, PartialEq)]
pub struct StructureFigures {
    /// Which structure, with its parameters.
    pub structure: String,
    /// What it says of itself.
    pub stats: Stats,
    /// The last step; `None` before the first.
    pub last: Option<StepReport>,
    /// How many leaves and cells there are at each depth.
    pub depths: Vec<usize>,
    /// How many leaves and cells list 0, 1, 2, … boxes.
    pub lists: Vec<usize>,
}

impl StructureFigures {
    /// Walks the whole structure.
    #[must_use]
    pub fn new(index: &Index<AnyStructure>, last: Option<StepReport>) -> Self {
        let (mut depths, mut lists) = (Vec::new(), Vec::new());
        let _: ControlFlow<()> = index.visit_nodes(|node| {
            if node.kind != NodeKind::Branch {
                count(&mut depths, (node.depth as usize).min(DEEP));
                count(&mut lists, node.population.min(LONG_LIST));
            }
            ControlFlow::Continue(())
        });
        Self { structure: write_structure(&index.options()), stats: index.stats(), last, depths, lists }
    }
}

/// What something usually takes, in milliseconds: the median of the last steps, which a hiccup of the machine does not move. Zero before the first.
#[must_use]
pub fn usual(reports: &VecDeque<StepReport>, time: impl Fn(&StepReport) -> Duration) -> f64 {
    const RECENT: usize = 31;
    let mut times: Vec<Duration> = reports.iter().rev().take(RECENT).map(time).collect();
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}

fn count(counts: &mut Vec<usize>, place: usize) {
    if counts.len() <= place {
        counts.resize(place + 1, 0);
    }
    counts[place] += 1;
}

/// The figures of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// How many agents.
    pub agents: usize,
    /// Steps since the first frame.
    pub steps: u64,
    /// One number for the state of all agents: [`quadrille_sim::Simulation::state_hash`].
    pub state_hash: u64,
    /// One structure, or two.
    pub structures: Vec<StructureFigures>,
}

impl Figures {
    /// Takes all figures.
    #[must_use]
    pub fn new(world: &World) -> Self {
        let structures = world.indices().zip(world.reports());
        Self {
            agents: world.simulation().len(),
            steps: world.steps(),
            state_hash: world.simulation().state_hash(),
            structures: structures
                .map(|(index, reports)| StructureFigures::new(index, reports.back().copied()))
                .collect(),
        }
    }

    /// As a JSON object; `graphics` is what draws, `frame_ms` is the time from frame to frame, `shown` is what is shown instead of a world, if
    /// anything is: its key and its object. The hash is a string of 16 hexadecimal digits, for the numbers of JSON have not room enough.
    #[must_use]
    pub fn to_json(
        &self,
        view: &str,
        messages: &[String],
        graphics: &str,
        frame_ms: f64,
        shown: Option<(&str, String)>,
    ) -> String {
        let Self { agents, steps, state_hash, structures } = self;
        let mut json = format!("{{\"view\":{},\"messages\":[", quoted(view));
        json += &messages.iter().map(|message| quoted(message)).collect::<Vec<_>>().join(",");
        let _ = write!(
            json,
            "],\"graphics\":{},\"frame_ms\":{frame_ms:.3},\"agents\":{agents},\"steps\":{steps},\"state_hash\":\"{state_hash:016x}\",\"structures\":[",
            quoted(graphics)
        );
        json += &structures.iter().map(StructureFigures::to_json).collect::<Vec<_>>().join(",");
        json + "]" + &shown.map_or_else(String::new, |(key, object)| format!(",\"{key}\":{object}")) + "}"
    }
}

impl StructureFigures {
    fn to_json(&self) -> String {
        let Stats { boxes, nodes, leaves, depth, listed, longest_list, bytes_used, bytes_reserved, .. } = self.stats;
        let mut json = format!(
            "{{\"structure\":{},\"boxes\":{boxes},\"nodes\":{nodes},\"leaves\":{leaves},",
            quoted(&self.structure)
        );
        let _ = write!(json, "\"depth\":{depth},\"listed\":{listed},\"longest_list\":{longest_list},");
        let _ = write!(json, "\"bytes_used\":{bytes_used},\"bytes_reserved\":{bytes_reserved},");
        if let Some(StepReport { pairs, contacts, timings }) = self.last {
            let [movement, index, finding, respond] =
                [timings.movement, timings.index, timings.pairs, timings.respond].map(|time| time.as_secs_f64() * 1e3);
            let _ = write!(
                json,
                "\"pairs\":{pairs},\"contacts\":{contacts},\"ms\":{{\"movement\":{movement},\"index\":{index},"
            );
            let _ = write!(json, "\"pairs\":{finding},\"respond\":{respond}}},");
        }
        let _ = write!(json, "\"depths\":{:?},\"lists\":{:?}}}", self.depths, self.lists);
        json
    }
}

/// A JSON string.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::StructureKind;
    use quadrille_scenes::{Scene, SceneKind};
    use quadrille_sim::Simulation;

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
        let world = World::new(SceneKind::Uniform, 100, 1, StructureKind::Grid.into(), Some(AnyOptions::BruteForce))
            .expect("default options are valid");
        let json = Figures::new(&world).to_json("n=100", &["a \"b\"\n".into()], "Vulkan: x", 12.5, None);
        assert!(
            json.starts_with(r#"{"view":"n=100","messages":["a \"b\"\u000a"],"graphics":"Vulkan: x","frame_ms":12.500,"agents":100,"steps":0,"state_hash":""#),
            "{json}"
        );
        assert!(
            json.contains(r#"{"structure":"grid","boxes":100,"#)
                && json.contains(r#"{"structure":"brute-force","boxes":100,"#)
        );
        let depth = json
            .chars()
            .fold(0, |depth, letter| depth + i32::from("{[".contains(letter)) - i32::from("}]".contains(letter)));
        assert_eq!(depth, 0);
    }

    use quadrille::AnyOptions;
}
