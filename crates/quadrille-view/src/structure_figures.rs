//! A structure in numbers.

use std::ops::ControlFlow;

use quadrille::structures::{AnyStructure, NodeKind};
use quadrille::{Index, Scalar, Stats};
use quadrille_scenes::sim::{StepReport, Timings};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// Lists as long as this or longer are counted together.
pub const LONG_LIST: usize = 32;
/// Leaves as deep as this or deeper are counted together.
pub const DEEP: usize = 24;

/// The figures of one structure.
#[derive(Clone, Debug, PartialEq)]
pub struct StructureFigures {
    /// Which structure, with its parameters.
    pub structure: String,
    /// Its own statistics.
    pub stats: Stats,
    /// The last step; `None` before the first.
    pub last: Option<StepReport>,
    /// How many leaves and cells there are at each depth.
    pub depths: Vec<usize>,
    /// How many leaves and cells list 0, 1, 2, … boxes.
    pub lists: Vec<usize>,
}

impl StructureFigures {
    /// Walks the whole structure, which is called `structure`.
    pub fn new<S: Scalar>(structure: String, index: &Index<AnyStructure<S>>, last: Option<StepReport>) -> Self {
        let (mut depths, mut lists) = (Vec::new(), Vec::new());
        let _: ControlFlow<()> = index.visit_nodes(|node| {
            if node.kind != NodeKind::Branch {
                count(&mut depths, (node.depth as usize).min(DEEP));
                count(&mut lists, node.population.min(LONG_LIST));
            }
            ControlFlow::Continue(())
        });
        Self { structure, stats: index.stats(), last, depths, lists }
    }
}

fn count(counts: &mut Vec<usize>, place: usize) {
    if counts.len() <= place {
        counts.resize(place + 1, 0);
    }
    counts[place] += 1;
}

impl Serialize for StructureFigures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Stats { boxes, nodes, leaves, depth, listed, longest_list, bytes_used, bytes_reserved, .. } = self.stats;
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("structure", &self.structure)?;
        for (name, number) in [
            ("boxes", boxes),
            ("nodes", nodes),
            ("leaves", leaves),
            ("depth", depth),
            ("listed", listed),
            ("longest_list", longest_list),
            ("bytes_used", bytes_used),
            ("bytes_reserved", bytes_reserved),
        ] {
            object.serialize_entry(name, &number)?;
        }
        if let Some(StepReport { pairs, contacts, timings }) = self.last {
            object.serialize_entry("pairs", &pairs)?;
            object.serialize_entry("contacts", &contacts)?;
            object.serialize_entry("ms", &Phases::from(timings))?;
        }
        object.serialize_entry("depths", &self.depths)?;
        object.serialize_entry("lists", &self.lists)?;
        object.end()
    }
}

/// What the phases of a step took, in milliseconds.
#[derive(Debug, Serialize)]
struct Phases {
    movement: f64,
    index: f64,
    pairs: f64,
    respond: f64,
}

impl From<Timings> for Phases {
    fn from(Timings { movement, index, pairs, respond }: Timings) -> Self {
        let [movement, index, pairs, respond] = [movement, index, pairs, respond].map(|time| time.as_secs_f64() * 1e3);
        Self { movement, index, pairs, respond }
    }
}
