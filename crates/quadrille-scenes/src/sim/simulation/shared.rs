//! The phases of a step that several threads can share.

use rayon::prelude::*;

use super::Simulation;
use crate::sim::report::StepReport;
use crate::sim::sort::sort_pairs;

/// Agents that one thread moves in one go: enough for it not to matter what handing them over costs.
const CHUNK: usize = 8192;

/// # On all cores
///
/// Needs the `rayon` feature.
impl Simulation {
    /// Does what [`step`](Self::step) does, with the same result, on the threads of rayon's pool. One thread does all
    /// the bouncing, because each pair sees what the last one did. All of them update the index if it is a
    /// [`FrameTree`](quadrille::FrameTree).
    pub fn par_step(&mut self) -> StepReport {
        self.step_by([Self::par_advance, Self::par_update_index, Self::par_find_pairs])
    }

    fn par_advance(&mut self) {
        let Self { world, agents, boxes, .. } = self;
        agents.par_chunks_mut(CHUNK).zip(boxes.par_chunks_mut(CHUNK)).for_each(|(agents, boxes)| {
            for (agent, bounds) in agents.iter_mut().zip(boxes) {
                agent.advance(world);
                *bounds = agent.bounds();
            }
        });
    }

    fn par_update_index(&mut self) {
        self.index.par_update_all(&self.boxes).expect("walls keep agents finite, and none is ever removed");
    }

    fn par_find_pairs(&mut self) {
        self.pairs = self.index.par_pairs();
        sort_pairs(&mut self.pairs, &mut self.spare, self.agents.len());
    }
}

#[cfg(test)]
mod tests {
    use crate::{Scene, SceneKind};
    use quadrille::structures::StructureKind;

    use super::Simulation;

    #[test]
    fn threads_share_a_step_and_nothing_else_changes() {
        let scene = Scene::new(SceneKind::Clustered, 20_000, 1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("three threads");
        for kind in [StructureKind::FrameTree, StructureKind::LooseGrid] {
            let mut alone = Simulation::new(&scene, kind.into()).expect("default options are valid");
            let mut shared = alone.clone();
            for _ in 0..5 {
                let (expected, report) = (alone.step(), pool.install(|| shared.par_step()));
                assert_eq!((report.pairs, report.contacts), (expected.pairs, expected.contacts), "{kind}");
                assert_eq!(shared.state_hash(), alone.state_hash(), "{kind}");
            }
        }
    }
}
