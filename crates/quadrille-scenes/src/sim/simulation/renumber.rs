//! Neighbors in space made neighbors in memory.

use quadrille::{Index, morton};

use super::Simulation;
use crate::sim::sort::sort_pairs;

impl Simulation {
    /// Renumbers all agents [along a Morton curve](morton::order), so that agents near each other are near in memory
    /// and a step fetches fewer cache lines. Because agents move on, it pays to repeat this every hundred steps or so.
    ///
    /// Contacts and the index stay the same except for the numbers. The simulation continues differently than it would
    /// have, because collisions are resolved in order of ids, but in the same way with every structure.
    ///
    /// The cost is a sort of all agents and a rebuild of the index.
    pub fn renumber(&mut self) {
        let centers: Vec<_> = self.agents.iter().map(|agent| agent.position).collect();
        let old_ids = morton::order(&centers);
        let mut new_ids = vec![0; old_ids.len()];
        for (new, &old) in (0..).zip(&old_ids) {
            new_ids[old as usize] = new;
        }
        self.agents = old_ids.iter().map(|&old| self.agents[old as usize]).collect();
        self.boxes = old_ids.iter().map(|&old| self.boxes[old as usize]).collect();
        for pair in &mut self.pairs {
            let (a, b) = (new_ids[pair.0 as usize], new_ids[pair.1 as usize]);
            *pair = (a.min(b), a.max(b));
        }
        sort_pairs(&mut self.pairs, &mut self.spare, self.agents.len());
        self.index = Index::with_boxes(self.index.options(), &self.boxes).expect("options and boxes were valid before");
    }
}

#[cfg(test)]
mod tests {
    use crate::sim::agent::Agent;
    use crate::{Scene, SceneKind};
    use quadrille::structures::{AnyOptions, StructureKind};

    use super::*;

    /// What can be said of agents without their numbers.
    fn unnumbered(simulation: &Simulation) -> Vec<[u32; 5]> {
        let bits = |agent: &Agent| {
            let ([x, y], [u, v]) = (agent.position, agent.velocity);
            [x, y, u, v, agent.radius].map(f32::to_bits)
        };
        let mut agents: Vec<_> = simulation.agents().map(bits).collect();
        agents.sort_unstable();
        agents
    }

    #[test]
    fn agents_contacts_and_boxes_are_the_same_under_other_numbers() {
        let scene = Scene::new(SceneKind::Pile, 500, 2);
        let mut simulation = Simulation::new(&scene, AnyOptions::BruteForce).expect("there are no options");
        simulation.step();
        let before = simulation.clone();
        simulation.renumber();
        assert_ne!(simulation.state_hash(), before.state_hash(), "numbers are others");
        assert_eq!(unnumbered(&simulation), unnumbered(&before));
        assert!(!before.contacts().is_empty() && simulation.contacts().is_sorted());
        let meetings = |simulation: &Simulation| {
            let center = |id: u32| simulation.agents().nth(id as usize).expect("it exists").position.map(f32::to_bits);
            let mut meetings: Vec<_> = simulation
                .contacts()
                .iter()
                .map(|&(a, b)| (center(a).min(center(b)), center(a).max(center(b))))
                .collect();
            meetings.sort_unstable();
            meetings
        };
        assert_eq!(meetings(&simulation), meetings(&before));
        let boxes = |simulation: &Simulation| {
            let mut boxes: Vec<_> =
                simulation.index().iter().map(|(_, b)| <[f32; 4]>::from(b).map(f32::to_bits)).collect();
            boxes.sort_unstable();
            boxes
        };
        assert_eq!(boxes(&simulation), boxes(&before));
    }

    #[test]
    fn neighbors_in_memory_are_neighbors_in_space() {
        let scene = Scene::new(SceneKind::Uniform, 1000, 1);
        let mut simulation = Simulation::new(&scene, StructureKind::Grid.into()).expect("default options are valid");
        let length = |simulation: &Simulation| {
            let centers: Vec<_> = simulation.agents().map(|agent| agent.position).collect();
            centers.windows(2).map(|two| (two[0][0] - two[1][0]).abs() + (two[0][1] - two[1][1]).abs()).sum::<f32>()
        };
        let before = length(&simulation);
        simulation.renumber();
        assert!(length(&simulation) < before / 8.0, "{} and {before}", length(&simulation));
    }

    #[test]
    fn every_structure_goes_the_same_way_afterwards() {
        let scene = Scene::new(SceneKind::Clustered, 300, 4);
        let hash = |kind: StructureKind| {
            let mut simulation = Simulation::new(&scene, kind.into()).expect("default options are valid");
            for _ in 0..3 {
                simulation.renumber();
                simulation.step();
                simulation.step();
            }
            simulation.state_hash()
        };
        let expected = hash(StructureKind::BruteForce);
        StructureKind::ALL.iter().for_each(|&kind| assert_eq!(hash(kind), expected, "{kind}"));
    }

    #[test]
    fn no_agents_at_all_may_be_renumbered() {
        let scene = Scene::new(SceneKind::Uniform, 0, 1);
        let mut simulation = Simulation::new(&scene, AnyOptions::default()).expect("default options are valid");
        simulation.renumber();
        assert_eq!(simulation.len(), 0);
    }
}
