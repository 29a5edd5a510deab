//! The figures of a map: for the panel and for tests.

use std::collections::BTreeMap;

use serde::Serialize;
use web_time::Duration;

use super::guide::Guide;
use super::mode::MapMode;
use super::walker::Mood;

/// Nodes and bytes are counted only in trees of at most this many leaves, because it takes a walk through the whole
/// tree in each frame.
const COUNTED: usize = 50_000;

/// The figures of a map on the screen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapFigures {
    #[serde(rename = "map")]
    title: String,
    #[serde(flatten)]
    numbers: BTreeMap<&'static str, u64>,
    /// The length of the path from handle to handle; `None` if there is none.
    #[serde(rename = "path_length")]
    pub length: Option<f64>,
    /// How agents find their way.
    pub guide: Guide,
    /// The last time of each, in milliseconds.
    ms: BTreeMap<&'static str, Option<f64>>,
}

impl MapFigures {
    /// Takes all figures.
    pub fn new(mode: &MapMode) -> Self {
        let (land, route) = (&mode.land, &mode.route);
        let (map, churn, tally) = (&land.paths, land.churn, mode.walkers.tally);
        let cells = u64::from(map.grid().width()) * u64::from(map.grid().height());
        let (doors, frames) = (mode.doors(), &mode.frames);
        let open = doors.iter().filter(|door| map.grid().is_free(**door)).count();
        let mut numbers = BTreeMap::from([
            ("steps", mode.steps),
            ("cells", cells),
            ("walls", cells - map.grid().count_free()),
            ("leaves", land.tree.leaf_count() as u64),
            ("leaves_created", churn.created as u64),
            ("leaves_removed", churn.removed as u64),
            ("edits", map.version()),
            ("corners", map.corner_count() as u64),
            ("corners_expanded", route.expanded),
            ("path_breaks", mode.path_breaks),
            ("agents", mode.walkers.places().len() as u64),
            ("agents_stuck", mode.count(Mood::Stuck) as u64),
            ("agents_waiting", mode.count(Mood::Waiting) as u64),
            ("agents_arrived", tally.arrived),
            ("agents_rerouted", tally.rerouted),
            ("doors_open", open as u64),
            ("doors_closed", (doors.len() - open) as u64),
            ("frames", frames.count),
            ("long_frames", frames.long),
        ]);
        if land.tree.leaf_count() <= COUNTED {
            let tree = land.tree.stats();
            numbers.extend([("nodes", tree.nodes as u64), ("tree_bytes", tree.bytes_reserved as u64)]);
        }
        let length = route.path().map(|path| path.length().as_f64());
        let took = [
            ("edit", mode.edit_took),
            ("path", route.path_took),
            ("flow_field", route.field_took),
            ("frame", frames.last()),
            ("frame_median", frames.median()),
            ("frame_longest", frames.longest),
        ];
        let ms = took.map(|(name, took)| (name, took.map(|took: Duration| took.as_secs_f64() * 1e3))).into();
        Self { title: mode.title.clone(), numbers, length, guide: mode.walk.guide, ms }
    }

    /// One of the numbers, by its name in JSON; 0 if unknown.
    pub fn number(&self, name: &str) -> u64 {
        self.numbers.get(name).copied().unwrap_or(0)
    }

    /// What the last `edit`, `path` or `flow_field` took, in milliseconds, and the part of the map in the last `frame`,
    /// with `frame_median` and `frame_longest`; `None` before the first.
    pub fn ms(&self, name: &str) -> Option<f64> {
        self.ms.get(name).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::{MapKind, Walk};

    #[test]
    fn figures_are_those_of_the_library() {
        let walk = Walk { guide: Guide::Flow, ..Walk::default() };
        let mut mode = MapMode::built_in(MapKind::Field, 1, walk);
        let before = MapFigures::new(&mode);
        assert_eq!((before.number("cells"), before.number("leaves"), before.number("edits")), (16_384, 1, 0));
        assert_eq!(before.ms("edit"), None);
        let json = serde_json::to_value(&before).expect("all keys are strings");
        assert!(json["ms"]["edit"].is_null() && json["ms"]["path"].is_number(), "{json}");
        assert_eq!((&json["map"], &json["guide"], &json["leaves"]), (&"field".into(), &"flow".into(), &1.into()));
        mode.press([40.5, 80.5], 0.0);
        mode.drag([80.5, 40.5]);
        let after = MapFigures::new(&mode);
        assert_eq!(after.number("leaves"), mode.land.tree.leaf_count() as u64);
        assert_eq!(after.number("leaves"), 1 + after.number("leaves_created") - after.number("leaves_removed"));
        assert_eq!((after.number("edits"), after.number("path_breaks")), (2, 1));
        assert!(after.length > before.length);
        assert!(["edit", "path", "flow_field"].into_iter().all(|name| after.ms(name).is_some()));
        assert_eq!(after.number("nodes"), mode.land.tree.stats().nodes as u64);
    }
}
