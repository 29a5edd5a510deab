//! The world on screen: a simulation, perhaps the same one over a second structure, and the costs of their steps.

use std::collections::VecDeque;

use quadrille::structures::{AnyOptions, AnyStructure};
use quadrille::{Error, Index};
use quadrille_scenes::sim::{Agent, Simulation, StepReport};
use quadrille_scenes::{Scene, SceneKind};

/// Steps that are remembered for the chart.
pub const REMEMBERED: usize = 240;

/// Worlds of fewer agents are as large as one of this many: there is room to add more by hand.
const FEWEST: usize = 30;

/// A simulation under observation.
#[derive(Debug)]
pub struct World {
    first: Observed,
    /// The same agents over another structure: both do the same work, so their times can be compared.
    beside: Option<Observed>,
    /// Steps since the first frame.
    pub steps: u64,
}

/// A simulation, and what its last steps cost, oldest first.
#[derive(Debug)]
struct Observed {
    simulation: Simulation,
    reports: VecDeque<StepReport>,
}

impl World {
    /// The scene's first frame.
    ///
    /// # Errors
    /// Returns an error if an option of a structure breaks a rule. The message names the option, its value and the rule.
    pub fn new(
        kind: SceneKind,
        agents: usize,
        seed: u64,
        structure: AnyOptions,
        beside: Option<AnyOptions>,
    ) -> Result<Self, Error> {
        let mut simulation = Simulation::new(&Scene::new(kind, agents.max(FEWEST), seed), structure)?;
        if agents < FEWEST {
            while simulation.len() > agents {
                simulation.remove(0);
            }
            simulation.rearrange(structure)?;
        }
        let mut world = Self { first: Observed::new(simulation), beside: None, steps: 0 };
        world.set_beside(beside)?;
        Ok(world)
    }

    /// One step of the simulation, with each structure.
    pub fn step(&mut self) {
        self.step_by(Simulation::step);
    }

    /// One step after which no structure cleans up: see [`Simulation::step_unmaintained`].
    pub fn step_unmaintained(&mut self) {
        self.step_by(Simulation::step_unmaintained);
    }

    /// Lets each structure clean up.
    pub fn maintain(&mut self) {
        self.all_mut().for_each(|one| one.simulation.maintain());
    }

    fn step_by(&mut self, step: fn(&mut Simulation) -> StepReport) {
        self.steps += 1;
        self.all_mut().for_each(|one| one.step_by(step));
    }

    /// Arranges the same boxes in another structure.
    ///
    /// # Errors
    /// Returns an error if an option breaks a rule: then nothing changes.
    pub fn set_structure(&mut self, options: AnyOptions) -> Result<(), Error> {
        if options != self.simulation().index().options() {
            self.first.simulation.rearrange(options)?;
            self.first.reports.clear();
        }
        Ok(())
    }

    /// Puts a second structure beside the first, or takes it away.
    ///
    /// # Errors
    /// Returns an error if an option breaks a rule: then nothing changes.
    pub fn set_beside(&mut self, options: Option<AnyOptions>) -> Result<(), Error> {
        if options != self.beside.as_ref().map(|beside| beside.simulation.index().options()) {
            let rearranged = |options| {
                let mut simulation = self.simulation().clone();
                simulation.rearrange(options).map(|()| Observed::new(simulation))
            };
            self.beside = options.map(rearranged).transpose()?;
        }
        Ok(())
    }

    /// Moves an agent by hand: see [`Simulation::throw`].
    pub fn throw(&mut self, id: u32, position: [f32; 2], velocity: [f32; 2]) -> bool {
        self.all_mut().all(|one| one.simulation.throw(id, position, velocity))
    }

    /// Adds a resting disc by hand: see [`Simulation::add`].
    pub fn add(&mut self, position: [f32; 2], radius: f32) -> bool {
        self.all_mut().all(|one| one.simulation.add(Agent { position, velocity: [0.0; 2], radius }).is_some())
    }

    /// Removes an agent by hand: see [`Simulation::remove`].
    pub fn remove(&mut self, id: u32) -> bool {
        self.all_mut().all(|one| one.simulation.remove(id).is_some())
    }

    /// The simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.first.simulation
    }

    /// The structures side by side; one, or two.
    pub fn indices(&self) -> impl Iterator<Item = &Index<AnyStructure>> {
        self.all().map(|one| one.simulation.index())
    }

    /// The last steps of each structure, oldest first.
    pub fn reports(&self) -> impl Iterator<Item = &VecDeque<StepReport>> {
        self.all().map(|one| &one.reports)
    }

    fn all(&self) -> impl Iterator<Item = &Observed> {
        std::iter::once(&self.first).chain(&self.beside)
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Observed> {
        std::iter::once(&mut self.first).chain(&mut self.beside)
    }
}

impl Observed {
    fn new(simulation: Simulation) -> Self {
        Self { simulation, reports: VecDeque::new() }
    }

    fn step_by(&mut self, step: fn(&mut Simulation) -> StepReport) {
        if self.reports.len() == REMEMBERED {
            self.reports.pop_front();
        }
        self.reports.push_back(step(&mut self.simulation));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::structures::StructureKind;

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
            let found: Vec<_> =
                world.reports().map(|reports| reports.back().map(|report| (report.pairs, report.contacts))).collect();
            assert_eq!(found[0], found[1]);
        }
    }

    #[test]
    fn what_is_thrown_is_thrown_on_both_sides() {
        let mut world = world(StructureKind::Grid, Some(StructureKind::FrameTree));
        let center = world.simulation().world().center();
        assert!(world.throw(5, center, [0.25, 0.0]) && !world.throw(9999, center, [0.0; 2]));
        for _ in 0..20 {
            world.step();
        }
        let states: Vec<_> = world.all().map(|one| one.simulation.state_hash()).collect();
        assert_eq!(states[0], states[1]);
    }

    #[test]
    fn boxes_are_added_to_an_empty_world_and_removed_on_both_sides() {
        let beside = Some(StructureKind::Grid.into());
        let mut world = World::new(SceneKind::Uniform, 0, 1, StructureKind::Quadtree.into(), beside).expect("defaults");
        assert!(world.simulation().is_empty() && world.simulation().world().area() > 0.0);
        let center = world.simulation().world().center();
        assert!(world.add(center, 1.0) && world.add([0.0; 2], 2.0) && !world.add(center, 0.0));
        world.step();
        assert!(world.remove(0) && !world.remove(7));
        world.step();
        assert!(world.indices().all(|index| index.len() == 1));
        assert_eq!(world.simulation().agents().next().map(|agent| agent.radius), Some(2.0));
        let few = World::new(SceneKind::Uniform, 3, 1, StructureKind::Quadtree.into(), None).expect("defaults");
        assert_eq!(few.simulation().len(), 3);
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
        assert_eq!(changing.steps, StructureKind::ALL.len() as u64);
    }

    #[test]
    fn memory_of_the_past_is_bounded() {
        let mut world =
            World::new(SceneKind::Uniform, 10, 1, AnyOptions::BruteForce, None).expect("there are no options");
        (0..REMEMBERED + 50).for_each(|_| world.step());
        assert_eq!(world.reports().map(VecDeque::len).collect::<Vec<_>>(), [REMEMBERED]);
    }
}
