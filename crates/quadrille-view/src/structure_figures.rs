//! A structure in numbers.

use std::ops::ControlFlow;

use quadrille::structures::{AnyStructure, NodeKind};
use quadrille::{Index, Scalar, Stats};
use quadrille_scenes::sim::StepReport;
use serde::{Serialize, Serializer};
use serde_json::json;
use web_time::Duration;

/// Lists as long as this or longer are counted together.
pub const LONG_LIST: usize = 32;
/// Leaves as deep as this or deeper are counted together.
pub const DEEP: usize = 24;

/// How many of the last steps or frames make a median.
pub(crate) const RECENT: usize = 31;

/// The median of some times: robust against a hiccup of the machine. `None` if there are none.
pub(crate) fn median(times: impl Iterator<Item = Duration>) -> Option<Duration> {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

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
        let stats = &self.stats;
        let mut all = json!({
            "structure": self.structure, "boxes": stats.boxes, "nodes": stats.nodes, "leaves": stats.leaves,
            "depth": stats.depth, "listed": stats.listed, "longest_list": stats.longest_list,
            "bytes_used": stats.bytes_used, "bytes_reserved": stats.bytes_reserved,
            "depths": self.depths, "lists": self.lists,
        });
        if let Some(StepReport { pairs, contacts, timings }) = self.last {
            let ms = |time: Duration| time.as_secs_f64() * 1e3;
            (all["pairs"], all["contacts"]) = (pairs.into(), contacts.into());
            all["ms"] = json!({
                "movement": ms(timings.movement), "index": ms(timings.index),
                "pairs": ms(timings.pairs), "respond": ms(timings.respond),
            });
        }
        all.serialize(serializer)
    }
}
