//! The simulation: four phases per step.

mod renumber;
#[cfg(feature = "rayon")]
mod shared;

use crate::{Fnv1a, Scene, keep_within};
use quadrille::structures::{AnyOptions, AnyStructure};
use quadrille::{Aabb, Error, Index};

use crate::sim::agent::{Agent, collide};
use crate::sim::report::{StepReport, Timings, timed};
use crate::sim::sort::sort_pairs;

/// Discs in a world with walls. One step is the unit of time.
///
/// Agents have ids from 0, the same as the scene's boxes and the index's. The state after a number of steps depends
/// only on the scene, not on the structure, the machine or the build. A steady step allocates nothing.
#[derive(Clone, Debug)]
pub struct Simulation {
    world: Aabb,
    /// By id.
    agents: Vec<Agent>,
    /// The square of each agent, as stored in the index.
    boxes: Vec<Aabb>,
    index: Index<AnyStructure>,
    /// Pairs of ids, ascending: first all that overlap, and after the response only those whose discs touch.
    pairs: Vec<(u32, u32)>,
    /// For sorting.
    spare: Vec<(u32, u32)>,
}

/// # Life
impl Simulation {
    /// A simulation of the scene's current frame. Boxes become discs: see [`Agent`].
    ///
    /// # Errors
    /// Returns an error if an option of the structure breaks a rule. The message names the option, its value and the rule.
    pub fn new(scene: &Scene, options: AnyOptions) -> Result<Self, Error> {
        Self::with_agents(scene.world(), scene.bodies().iter().map(Agent::from).collect(), options)
    }

    fn with_agents(world: Aabb, agents: Vec<Agent>, options: AnyOptions) -> Result<Self, Error> {
        let boxes: Vec<Aabb> = agents.iter().map(Agent::bounds).collect();
        let index = Index::with_boxes(options, &boxes)?;
        Ok(Self { world, agents, boxes, index, pairs: Vec::new(), spare: Vec::new() })
    }

    /// Advances all agents by one step: they move, the index follows, overlapping pairs are found, and those that touch
    /// bounce, in the order of their ids.
    pub fn step(&mut self) -> StepReport {
        self.step_by([Self::advance, Self::update_index, Self::find_pairs])
    }

    /// The same step, except that the index puts off its cleanup until [`maintain`](Self::maintain). Agents go the same
    /// way.
    pub fn step_unmaintained(&mut self) -> StepReport {
        self.step_by([Self::advance, Self::update_boxes, Self::find_pairs])
    }

    /// Lets the index clean up what steps without maintenance, or removals, have left: see [`Index::maintain`].
    pub fn maintain(&mut self) {
        self.index.maintain();
    }

    /// A step whose first three phases are passed in: agents move, the index follows, pairs are found.
    pub(crate) fn step_by(&mut self, [advance, update_index, find_pairs]: [fn(&mut Self); 3]) -> StepReport {
        let movement = timed(|| advance(self));
        let index = timed(|| update_index(self));
        let pairs = timed(|| find_pairs(self));
        let found = self.pairs.len();
        let respond = timed(|| self.respond());
        StepReport { pairs: found, contacts: self.pairs.len(), timings: Timings { movement, index, pairs, respond } }
    }

    fn advance(&mut self) {
        for (agent, bounds) in self.agents.iter_mut().zip(&mut self.boxes) {
            agent.advance(&self.world);
            *bounds = agent.bounds();
        }
    }

    /// Updates the index with the positions of all agents, which moved or were pushed in the last response.
    fn update_index(&mut self) {
        self.index.update_all(&self.boxes).expect("walls keep agents finite, and none is ever removed");
    }

    /// The same without maintenance.
    fn update_boxes(&mut self) {
        for (id, bounds) in (0..).zip(&self.boxes) {
            self.index.update(id, *bounds).expect("walls keep agents finite, and ids are dense");
        }
    }

    fn find_pairs(&mut self) {
        let Self { index, pairs, spare, agents, .. } = self;
        pairs.clear();
        index.pairs().for_each(|pair| pairs.push(pair));
        sort_pairs(pairs, spare, agents.len());
    }

    /// One pair after another, each seeing what the last one did. This is why the order matters.
    fn respond(&mut self) {
        let Self { world, agents, pairs, .. } = self;
        let mut touching = 0;
        for from in (0..pairs.len()).step_by(AHEAD) {
            let upto = pairs.len().min(from + AHEAD);
            fetch(agents, &pairs[from..upto]);
            for at in from..upto {
                let (low, high) = pairs[at];
                let (first, second) = agents.split_at_mut(high as usize);
                pairs[touching] = (low, high);
                touching += usize::from(collide(&mut first[low as usize], &mut second[0], (low, high), world));
            }
        }
        pairs.truncate(touching);
    }
}

/// Pairs whose agents are fetched together.
const AHEAD: usize = 64;

/// Reads the later agent of each pair, so that memory fetches many at once. Bounces alone would wait for one after the other: the processor
/// mispredicts half of them.
fn fetch(agents: &[Agent], pairs: &[(u32, u32)]) {
    let read = pairs.iter().fold(0, |all, &(_, high)| all ^ agents[high as usize].radius.to_bits());
    std::hint::black_box(read);
}

/// # Interventions
impl Simulation {
    /// Moves the boxes to another structure, or to other options. The simulation continues as if nothing had happened.
    ///
    /// # Errors
    /// Returns an error if an option of the structure breaks a rule: then nothing changes.
    pub fn rearrange(&mut self, options: AnyOptions) -> Result<(), Error> {
        let boxes: Vec<Aabb> = self.index.iter().map(|(_, bounds)| bounds).collect();
        self.index = Index::with_boxes(options, &boxes)?;
        Ok(())
    }

    /// Puts an agent somewhere else within the walls and lets it move on from there. The index is updated in the next
    /// step. Returns `false`, and changes nothing, if there is no such agent or a number is NaN or infinite.
    pub fn throw(&mut self, id: u32, position: [f32; 2], velocity: [f32; 2]) -> bool {
        let is_finite = position.iter().chain(&velocity).all(|number| number.is_finite());
        let agent = self.agents.get_mut(id as usize).filter(|_| is_finite);
        if let Some(agent) = agent {
            agent.position = keep_within(position, [agent.radius; 2], &self.world);
            agent.velocity = velocity;
            return true;
        }
        false
    }
}

/// # Coming and going
impl Simulation {
    /// Adds an agent within the walls, under the next id; the index has it at once. `None`, and nothing changes, if a
    /// number of it is NaN or infinite, its radius is not positive, or there is no room in the index.
    pub fn add(&mut self, agent: Agent) -> Option<u32> {
        let numbers = agent.position.into_iter().chain(agent.velocity).chain([agent.radius]);
        if !(numbers.into_iter().all(f32::is_finite) && agent.radius > 0.0) {
            return None;
        }
        let agent = Agent { position: keep_within(agent.position, [agent.radius; 2], &self.world), ..agent };
        let id = self.index.insert(agent.bounds()).ok()?;
        debug_assert_eq!(id as usize, self.agents.len(), "ids are dense, and the least that is free is taken");
        self.agents.push(agent);
        self.boxes.push(agent.bounds());
        Some(id)
    }

    /// Removes an agent; the last one gets its id. The index is updated at once, and cleans up in the next step. `None`
    /// if there is no such agent.
    pub fn remove(&mut self, id: u32) -> Option<Agent> {
        let slot = id as usize;
        self.agents.get(slot)?;
        let last = self.agents.len() - 1;
        let moved = self.index.get(u32::try_from(last).ok()?)?;
        self.index.update(id, moved).ok()?;
        self.index.remove(u32::try_from(last).ok()?)?;
        self.boxes.swap_remove(slot);
        self.pairs.retain(|(low, high)| ![*low as usize, *high as usize].iter().any(|one| [slot, last].contains(one)));
        Some(self.agents.swap_remove(slot))
    }
}

/// # Looking
impl Simulation {
    /// The walls.
    pub fn world(&self) -> Aabb {
        self.world
    }

    /// How many agents there are.
    pub fn len(&self) -> usize {
        self.agents.len()
    }

    /// `true` if there are no agents.
    pub fn is_empty(&self) -> bool {
        self.agents.is_empty()
    }

    /// The agents in the order of their ids.
    pub fn agents(&self) -> impl ExactSizeIterator<Item = &Agent> {
        self.agents.iter()
    }

    /// Which discs touched in the last step, as (lower id, higher id), ascending.
    pub fn contacts(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// The index, holding each agent's bounding square as it was in the last step *before* the response.
    pub fn index(&self) -> &Index<AnyStructure> {
        &self.index
    }

    /// One number for the whole state: FNV-1a (64 bits) over the bits of x, y, velocity x and velocity y of every agent
    /// in order of ids, lowest byte first.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fnv1a::default();
        for Agent { position: [x, y], velocity: [u, v], .. } in &self.agents {
            for value in [x, y, u, v] {
                hash.add(*value);
            }
        }
        hash.finish()
    }

    /// Bytes held for agents and pairs, without the index.
    pub fn bytes(&self) -> usize {
        let pairs = self.pairs.capacity() + self.spare.capacity();
        let agents = self.agents.capacity() * size_of::<Agent>() + self.boxes.capacity() * size_of::<Aabb>();
        agents + pairs * size_of::<(u32, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::structures::StructureKind;

    #[test]
    fn agents_come_and_go_with_every_structure() {
        for &kind in StructureKind::ALL {
            let world = Aabb::new([0.0; 2], [100.0; 2]);
            let mut simulation = Simulation::with_agents(world, Vec::new(), kind.into()).expect("defaults are valid");
            let disc = |x: f32| Agent { position: [x, 50.0], velocity: [0.0; 2], radius: 1.0 };
            let added: Vec<_> = (0..40_u8).map(|x| simulation.add(disc(f32::from(x) * 3.0))).collect();
            assert_eq!(added, (0..40).map(Some).collect::<Vec<_>>(), "{kind}");
            assert_eq!(simulation.add(Agent { radius: 0.0, ..disc(1.0) }), None, "{kind}");
            assert_eq!(simulation.add(disc(f32::NAN)), None, "{kind}");
            simulation.step();
            assert_eq!(simulation.remove(3).map(|agent| agent.position), Some([9.0, 50.0]), "{kind}");
            assert_eq!((simulation.remove(39), simulation.len()), (None, 39), "{kind}");
            for _ in 0..30 {
                simulation.remove(0).expect("there are some");
                simulation.step();
            }
            // Away from the others: the response pushes discs that touch, and the index learns of it in the next step.
            let alone = Agent { position: [7.0, 20.0], ..disc(7.0) };
            assert_eq!(simulation.add(alone), Some(9), "{kind}");
            simulation.step();
            simulation.index().validate().expect("the index is sound");
            let boxes: Vec<Aabb> = simulation.agents().map(Agent::bounds).collect();
            assert_eq!(simulation.index().iter().map(|(_, bounds)| bounds).collect::<Vec<_>>(), boxes, "{kind}");
        }
    }

    #[test]
    fn maintenance_never_changes_the_course_of_things_and_is_put_off_until_it_is_asked_for() {
        let scene = Scene::new(crate::SceneKind::Clustered, 300, 3);
        for &kind in StructureKind::ALL {
            let mut steady = Simulation::new(&scene, kind.into()).expect("default options are valid");
            let mut unmaintained = steady.clone();
            for step in 0..30 {
                assert_eq!(unmaintained.step_unmaintained().pairs, steady.step().pairs, "{kind}, step {step}");
                unmaintained.index().validate().expect("the index is sound");
            }
            unmaintained.maintain();
            unmaintained.index().validate().expect("the index is sound");
            assert_eq!(unmaintained.state_hash(), steady.state_hash(), "{kind}");
        }
        let mut crowd = Simulation::new(&scene, StructureKind::Quadtree.into()).expect("default options are valid");
        let nodes = crowd.index().stats().nodes;
        while crowd.len() > 1 {
            crowd.remove(0).expect("there is one");
        }
        crowd.step_unmaintained();
        assert!(crowd.index().stats().nodes >= nodes && nodes > 50, "empty leaves stay: {nodes} nodes before");
        crowd.maintain();
        assert_eq!(crowd.index().stats().nodes, 1);
    }

    #[test]
    fn two_coincident_discs_are_found_parted_and_left_alone() {
        for &kind in StructureKind::ALL {
            let agent = Agent { position: [5.0, 5.0], velocity: [0.0; 2], radius: 1.0 };
            let world = Aabb::new([0.0; 2], [10.0; 2]);
            let mut simulation =
                Simulation::with_agents(world, vec![agent; 2], kind.into()).expect("default options are valid");
            assert_eq!(simulation.step().contacts, 1, "{kind}");
            assert_eq!(simulation.contacts(), [(0, 1)], "{kind}");
            // Rounding may leave them a hair's breadth too near for one more push; then they rest.
            simulation.step();
            let resting = simulation.state_hash();
            assert_eq!(simulation.step().contacts, 0, "{kind}");
            assert_eq!(simulation.state_hash(), resting, "{kind}");
        }
    }
    #[test]
    fn another_structure_in_the_middle_changes_nothing() {
        let scene = Scene::new(crate::SceneKind::Mixed, 200, 3);
        let [mut steady, mut changing] =
            [0; 2].map(|_: u8| Simulation::new(&scene, AnyOptions::BruteForce).expect("there are no options"));
        for &kind in StructureKind::ALL {
            changing.rearrange(kind.into()).expect("default options are valid");
            assert_eq!(changing.step().pairs, steady.step().pairs, "{kind}");
        }
        assert_eq!(changing.state_hash(), steady.state_hash());
    }

    #[test]
    fn what_is_thrown_flies_from_there_and_never_out_of_the_walls() {
        let agent = Agent { position: [5.0, 5.0], velocity: [0.0; 2], radius: 1.0 };
        let world = Aabb::new([0.0; 2], [10.0; 2]);
        let mut simulation =
            Simulation::with_agents(world, vec![agent], AnyOptions::BruteForce).expect("there are no options");
        assert!(simulation.throw(0, [99.0, 4.0], [-0.5, 0.0]));
        simulation.step();
        assert_eq!(simulation.agents().next().map(|agent| agent.position), Some([8.5, 4.0]));
        assert!(!simulation.throw(1, [1.0; 2], [0.0; 2]) && !simulation.throw(0, [f32::NAN, 0.0], [0.0; 2]));
        assert_eq!(simulation.agents().next().map(|agent| agent.position), Some([8.5, 4.0]));
    }
}
