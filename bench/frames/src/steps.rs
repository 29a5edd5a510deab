//! The loop of a simulation: agents move, the index follows, pairs are found, those that touch bounce.

use std::ops::ControlFlow::Continue;
use std::time::Duration;

use quadrille::{Aabb, FrameTree, Index};
use quadrille_scenes::Scene;
use quadrille_scenes::sim::{Agent, collide, sort_pairs};

use crate::conditions::{Conditions, SEED};
use crate::contenders::{Lists, STEPS};
use crate::outcome::Outcome;
use crate::race::{WARM_UP, runners};
use crate::tally::Tally;

/// Everything but the index.
struct Loop {
    world: Aabb,
    agents: Vec<Agent>,
    boxes: Vec<Aabb>,
    pairs: Vec<(u32, u32)>,
    spare: Vec<(u32, u32)>,
}

impl Loop {
    fn new(world: Aabb, agents: Vec<Agent>) -> Self {
        let boxes = agents.iter().map(Agent::bounds).collect();
        Self { world, agents, boxes, pairs: Vec::new(), spare: Vec::new() }
    }

    fn step(&mut self, index: &mut dyn Lists) {
        for (agent, bounds) in self.agents.iter_mut().zip(&mut self.boxes) {
            agent.advance(&self.world);
            *bounds = agent.bounds();
        }
        self.pairs.clear();
        index.list(&self.boxes, &mut self.pairs);
        sort_pairs(&mut self.pairs, &mut self.spare, self.agents.len());
        for &(low, high) in &self.pairs {
            let (upto, from) = self.agents.split_at_mut(high as usize);
            collide(&mut upto[low as usize], &mut from[0], (low, high), &self.world);
        }
    }

    /// The state, to be compared with that of others.
    fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for (id, agent) in (0..).zip(&self.agents) {
            let [x, y] = agent.position.map(f32::to_bits);
            tally.pair(x.wrapping_mul(31).wrapping_add(id), y);
        }
        tally
    }
}

/// Agents in the order of the scene.
pub fn as_they_come(on: &Conditions) -> Outcome {
    let scene = Scene::new(on.scene, on.n, SEED);
    race(on, scene.world(), scene.bodies().iter().map(Agent::from).collect())
}

/// Agents in the order in which a frame tree keeps them: neighbors in space are neighbors in memory.
pub fn in_order(on: &Conditions) -> Outcome {
    let scene = Scene::new(on.scene, on.n, SEED);
    let agents: Vec<Agent> = scene.bodies().iter().map(Agent::from).collect();
    let boxes: Vec<Aabb> = agents.iter().map(Agent::bounds).collect();
    let tree = Index::<FrameTree>::from_boxes(&boxes).expect("scenes are valid");
    let mut ordered = Vec::with_capacity(agents.len());
    let _ = tree.visit_lists(|_, ids| {
        ordered.extend(ids.map(|id| agents[id as usize]));
        Continue::<()>(())
    });
    race(on, scene.world(), ordered)
}

fn race(on: &Conditions, world: Aabb, agents: Vec<Agent>) -> Outcome {
    let first: Vec<Aabb> = agents.iter().map(Agent::bounds).collect();
    let mut runners = runners(STEPS, on, &first);
    let mut loops: Vec<(&str, Loop)> =
        runners.iter().map(|runner| (runner.name, Loop::new(world, agents.clone()))).collect();
    let mut answers = 0;
    for frame in 0..WARM_UP + on.frames {
        let next = usize::from(frame > 0 && runners.len() > 1);
        runners.rotate_left(next);
        loops.rotate_left(next);
        for (runner, (name, state)) in runners.iter_mut().zip(&mut loops) {
            assert_eq!(runner.name, *name, "loops and contenders go together");
            // No budget: a contender that sat out a step would be in another state than the rest.
            runner.lap(on.clock, Duration::MAX, |contender| state.step(contender));
        }
        let expected = loops.first().map(|(_, state)| (state.tally(), state.pairs.len()));
        for (name, state) in &loops {
            assert_eq!(Some((state.tally(), state.pairs.len())), expected, "{name} is in another state than the rest");
        }
        answers = expected.map_or(0, |(_, pairs)| pairs);
    }
    Outcome::of("box", &runners, on.n, answers as f64)
}
