//! All agents of a map, however they find their way.

use quadrille_paths::PathMap;
use quadrille_scenes::Random;

use super::crowd::Crowd;
use super::followers::Followers;
use super::guide::Guide;
use super::route::Route;
use super::walker::{Mood, Tally, Walker};

/// All agents of a map. What they do depends only on the seed, the map's edits and the number of steps.
#[derive(Clone, Debug)]
pub struct Agents {
    pub(super) walkers: Vec<Walker>,
    pub(super) lead: Lead,
    /// What has happened to them.
    pub tally: Tally,
}

/// What leads them.
#[derive(Clone, Debug)]
pub(super) enum Lead {
    /// A route, to its goal.
    Route(Box<Followers>),
    /// Goals of their own.
    Crowd(Crowd),
}

impl Agents {
    /// This many agents. Those with paths are spread along the route, the others over the map.
    pub fn new(seed: u64, count: usize, guide: Guide, map: &PathMap, route: &Route) -> Self {
        let random = Random::new(seed);
        let mut lead = match guide {
            Guide::Path | Guide::Flow => Lead::Route(Box::new(Followers::new(guide, random))),
            Guide::Each => Lead::Crowd(Crowd::new(random)),
        };
        let walkers = (0..count).map(|number| match &mut lead {
            Lead::Route(followers) => followers.begun(map, route, number as f64 / count as f64),
            Lead::Crowd(crowd) => crowd.begun(map),
        });
        Self { walkers: walkers.collect(), lead, tally: Tally::default() }
    }

    /// Moves all agents by one step; the map has had this many edits.
    pub fn step(&mut self, map: &PathMap, route: &Route, edits: usize) {
        let Self { walkers, lead, tally } = self;
        match lead {
            Lead::Route(followers) => walkers.iter_mut().for_each(|walker| followers.step(walker, tally, map, route)),
            Lead::Crowd(crowd) => {
                walkers.iter_mut().for_each(|walker| crowd.step(walker, tally, map));
                crowd.answer(walkers, map, edits);
            }
        }
    }

    /// Where the agents are, on the plane of the map, and their moods.
    pub fn places(&self) -> impl ExactSizeIterator<Item = ([f32; 2], Mood)> {
        self.walkers.iter().map(|walker| (walker.place(), walker.mood()))
    }
}

#[cfg(test)]
mod tests {
    use quadrille_paths::{Cell, CellRect, CostRule, Grid};

    use super::*;
    use crate::maps::land::cell_at;

    const ENDS: [Cell; 2] = [Cell::new(1, 4), Cell::new(38, 4)];

    fn open_map() -> PathMap {
        PathMap::new(Grid::open(40, 10).expect("a legal side"), CostRule::Octile)
    }

    struct World {
        map: PathMap,
        route: Route,
        walkers: Agents,
    }

    impl World {
        fn new(guide: Guide) -> Self {
            let map = open_map();
            let route = Route::new(&map, ENDS, guide);
            let walkers = Agents::new(1, 30, guide, &map, &route);
            Self { map, route, walkers }
        }

        /// Steps, and nobody is ever inside a wall.
        fn run(&mut self, steps: usize) {
            for _ in 0..steps {
                self.route.follow(&self.map);
                self.walkers.step(&self.map, &self.route, 0);
                for (place, _) in self.walkers.places() {
                    let cell = cell_at(self.map.grid(), place).expect("on the map");
                    assert!(self.map.grid().is_free(cell), "{place:?} is in a wall");
                }
            }
        }

        fn count(&self, mood: Mood) -> usize {
            self.walkers.places().filter(|place| place.1 == mood).count()
        }
    }

    #[test]
    fn all_walk_and_arrive() {
        for &guide in Guide::ALL {
            let mut world = World::new(guide);
            world.run(400);
            assert!(world.walkers.tally.arrived >= 30, "{guide:?}: {:?}", world.walkers.tally);
            assert_eq!(world.walkers.tally.rerouted, 0);
            assert_eq!(world.count(Mood::Walking), 30);
        }
    }

    #[test]
    fn a_wall_across_the_way_makes_those_before_it_turn_and_no_others() {
        let mut world = World::new(Guide::Path);
        let wall = CellRect::new(20, 1, 1, 9);
        let before = world.walkers.places().filter(|(place, _)| place[0] < 19.0).count() as u64;
        world.map.fill(wall, false);
        world.run(1);
        let rerouted = world.walkers.tally.rerouted;
        assert!(rerouted.abs_diff(before) <= 1, "{rerouted} of {before}: who stood at the wall may go either way");
        assert_eq!(world.count(Mood::Rerouted) as u64, rerouted);
        let arrived = world.walkers.tally.arrived;
        world.run(600);
        assert!(world.walkers.tally.arrived > arrived + 30, "they go around it");
        assert_eq!(world.walkers.tally.rerouted, rerouted);
    }

    #[test]
    fn who_has_no_way_stands_and_goes_on_when_there_is_one() {
        for guide in [Guide::Path, Guide::Flow] {
            let mut world = World::new(guide);
            world.map.fill(CellRect::new(20, 0, 1, 10), false);
            world.run(300);
            assert!(world.count(Mood::Stuck) > 0, "{guide:?}");
            let arrived = world.walkers.tally.arrived;
            world.map.fill(CellRect::new(20, 0, 1, 10), true);
            world.run(400);
            assert_eq!(world.count(Mood::Stuck), 0, "{guide:?}");
            assert!(world.walkers.tally.arrived > arrived + 20, "{guide:?}");
        }
    }

    #[test]
    fn walls_on_everything_harm_nobody() {
        for &guide in Guide::ALL {
            let mut world = World::new(guide);
            world.map.fill(world.map.grid().bounds(), false);
            for _ in 0..10 {
                world.route.follow(&world.map);
                world.walkers.step(&world.map, &world.route, 0);
            }
            assert_eq!(world.count(Mood::Stuck), 30, "{guide:?}");
            world.map.fill(world.map.grid().bounds(), true);
            world.run(400);
            assert_eq!(world.count(Mood::Walking), 30, "{guide:?}");
        }
    }

    #[test]
    fn the_goal_can_move() {
        for guide in [Guide::Path, Guide::Flow] {
            let mut world = World::new(guide);
            world.run(10);
            world.route = Route::new(&world.map, [ENDS[0], Cell::new(20, 8)], guide);
            world.run(300);
            assert!(world.walkers.tally.arrived > 30, "{guide:?}");
            assert_eq!(world.walkers.tally.rerouted, 0, "no edit broke anything");
        }
    }

    #[test]
    fn a_door_that_shuts_reroutes_those_with_goals_of_their_own() {
        let mut world = World::new(Guide::Each);
        world.run(20);
        world.map.fill(CellRect::new(20, 0, 1, 9), false);
        world.run(1);
        let rerouted = world.walkers.tally.rerouted;
        assert!(rerouted > 0 && rerouted < 30, "some had to cross, others had not: {rerouted}");
        assert_eq!(world.count(Mood::Rerouted) as u64, rerouted);
        world.run(200);
        assert_eq!(world.walkers.tally.rerouted, rerouted);
        assert_eq!(world.count(Mood::Walking), 30);
    }

    #[test]
    fn a_seed_is_a_crowd() {
        for &guide in Guide::ALL {
            let (mut one, mut other) = (World::new(guide), World::new(guide));
            one.run(100);
            other.run(100);
            assert!(one.walkers.places().eq(other.walkers.places()), "{guide:?}");
        }
    }
}
