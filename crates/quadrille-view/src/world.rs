//! What is being looked at: a simulation, perhaps a second structure for the very same boxes, and what their steps cost.

use std::collections::VecDeque;

use quadrille::{AnyOptions, AnyStructure, Error, Index};
use quadrille_scenes::{Scene, SceneKind};
use quadrille_sim::{Simulation, StepReport, Timings};
use web_time::Instant;

/// Steps that are remembered for the chart.
pub const REMEMBERED: usize = 240;

/// A simulation under observation.
#[derive(Debug)]
pub struct World {
    simulation: Simulation,
    beside: Option<Beside>,
    steps: u64,
    reports: VecDeque<StepReport>,
}

/// A second structure that is told the same boxes in each step and asked for the same pairs.
#[derive(Debug)]
struct Beside {
    index: Index<AnyStructure>,
    reports: VecDeque<StepReport>,
}

impl World {
    /// The scene's first frame.
    ///
    /// # Errors
    /// If an option of a structure breaks a rule: names it, its value and the rule.
    pub fn new(
        kind: SceneKind,
        agents: usize,
        seed: u64,
        structure: AnyOptions,
        beside: Option<AnyOptions>,
    ) -> Result<Self, Error> {
        let simulation = Simulation::new(&Scene::new(kind, agents, seed), structure)?;
        let mut world = Self { simulation, beside: None, steps: 0, reports: VecDeque::new() };
        world.set_beside(beside)?;
        Ok(world)
    }

    /// One step of the simulation, and of the second structure.
    pub fn step(&mut self) {
        let report = self.simulation.step();
        self.steps += 1;
        remember(&mut self.reports, report);
        if let Some(beside) = &mut self.beside {
            let own = beside.step(&self.simulation);
            remember(&mut beside.reports, StepReport { contacts: report.contacts, ..own });
        }
    }

    /// Arranges the same boxes in another structure.
    ///
    /// # Errors
    /// If an option breaks a rule: then nothing changes.
    pub fn set_structure(&mut self, options: AnyOptions) -> Result<(), Error> {
        if options != self.simulation.index().options() {
            self.simulation.rearrange(options)?;
            self.reports.clear();
        }
        Ok(())
    }

    /// Puts a second structure beside the first, or takes it away.
    ///
    /// # Errors
    /// If an option breaks a rule: then nothing changes.
    pub fn set_beside(&mut self, options: Option<AnyOptions>) -> Result<(), Error> {
        if options != self.beside.as_ref().map(|beside| beside.index.options()) {
            let boxes: Vec<_> = self.simulation.index().iter().map(|(_, bounds)| bounds).collect();
            let index = options.map(|options| Index::with_boxes(options, &boxes)).transpose()?;
            self.beside = index.map(|index| Beside { index, reports: VecDeque::new() });
        }
        Ok(())
    }

    /// Moves an agent by hand: see [`Simulation::throw`].
    pub fn throw(&mut self, id: u32, position: [f32; 2], velocity: [f32; 2]) -> bool {
        self.simulation.throw(id, position, velocity)
    }

    /// The simulation.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The structures side by side; one, or two.
    pub fn indices(&self) -> impl Iterator<Item = &Index<AnyStructure>> {
        std::iter::once(self.simulation.index()).chain(self.beside.iter().map(|beside| &beside.index))
    }

    /// The last steps of each structure, oldest first.
    pub fn reports(&self) -> impl Iterator<Item = &VecDeque<StepReport>> {
        std::iter::once(&self.reports).chain(self.beside.iter().map(|beside| &beside.reports))
    }

    /// Steps since the first frame.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }
}

impl Beside {
    /// Follows the boxes that the simulation's own index holds, and counts the pairs.
    fn step(&mut self, simulation: &Simulation) -> StepReport {
        let start = Instant::now();
        for (id, bounds) in simulation.index().iter() {
            if self.index.get(id) != Some(bounds) {
                self.index.update(id, bounds).expect("the other index holds it too, and none is ever removed");
            }
        }
        self.index.maintain();
        let index = start.elapsed();
        let start = Instant::now();
        let pairs = self.index.pairs_count();
        StepReport { pairs, contacts: 0, timings: Timings { index, pairs: start.elapsed(), ..Timings::default() } }
    }
}

fn remember(reports: &mut VecDeque<StepReport>, report: StepReport) {
    if reports.len() == REMEMBERED {
        reports.pop_front();
    }
    reports.push_back(report);
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::StructureKind;

    fn world(structure: StructureKind, beside: Option<StructureKind>) -> World {
        let beside = beside.map(Into::into);
        World::new(SceneKind::Mixed, 600, 2, structure.into(), beside).expect("default options are valid")
    }

    #[test]
    fn two_structures_hold_the_same_boxes_and_find_the_same_pairs() {
        let mut world = world(StructureKind::Grid, Some(StructureKind::LooseQuadtree));
        for _ in 0..20 {
            world.step();
            let boxes: Vec<Vec<_>> = world.indices().map(|index| index.iter().collect()).collect();
            assert_eq!(boxes[0], boxes[1]);
            let last: Vec<_> = world.reports().map(|reports| reports.back().map(|report| report.pairs)).collect();
            assert_eq!(last[0], last[1]);
        }
    }

    #[test]
    fn changing_structures_does_not_change_the_course_of_things() {
        let mut steady = world(StructureKind::Quadtree, None);
        let mut changing = world(StructureKind::Quadtree, None);
        for &kind in StructureKind::ALL {
            changing.set_structure(kind.into()).expect("default options are valid");
            changing.set_beside(Some(kind.into())).expect("default options are valid");
            steady.step();
            changing.step();
        }
        assert_eq!(changing.simulation().state_hash(), steady.simulation().state_hash());
        assert_eq!(changing.steps(), StructureKind::ALL.len() as u64);
    }

    #[test]
    fn memory_of_the_past_is_bounded() {
        let mut world =
            World::new(SceneKind::Uniform, 10, 1, AnyOptions::BruteForce, None).expect("there are no options");
        (0..REMEMBERED + 50).for_each(|_| world.step());
        assert_eq!(world.reports().map(VecDeque::len).collect::<Vec<_>>(), [REMEMBERED]);
    }
}
