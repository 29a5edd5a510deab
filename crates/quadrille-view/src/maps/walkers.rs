//! Agents that walk to the goal of a route: each on its own path, or all along one flow field.

use std::fmt;
use std::str::FromStr;

use quadrille_paths::{Cell, Path, PathMap, PathWatch, Scratch};
use quadrille_scenes::Random;

use super::land::middle;
use super::route::Route;

/// What agents go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Guide {
    /// Each has a path from the start, watches it, and looks for another when an edit breaks it. Who arrives starts again.
    #[default]
    Path,
    /// All read the flow field of the goal, from wherever they are. Who arrives begins again anywhere.
    Flow,
}

impl Guide {
    /// Both, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Path, Self::Flow];

    /// Its name in menus and in shared views.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Flow => "flow",
        }
    }
}

impl fmt::Display for Guide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Guide {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|guide| guide.name() == name)
            .ok_or_else(|| "agents go by a path or by the flow".into())
    }
}

/// How an agent is faring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// On its way.
    Walking,
    /// On a new way since a little while, because an edit broke the old one.
    Rerouted,
    /// There is no way to the goal.
    Stuck,
}

/// Steps for which an agent is shown as rerouted: about a second.
const REROUTED_STEPS: u8 = 60;

/// Cells that an agent walks in one step, before each one's own pace is applied.
const PACE: f32 = 0.2;

/// Places tried before an agent is put on the goal instead of on a random cell with a way to it.
const TRIES: usize = 32;

/// All agents of a map. What they do depends on the seed, the map's edits and the number of steps only.
#[derive(Clone, Debug)]
pub struct Walkers {
    guide: Guide,
    walkers: Vec<Walker>,
    random: Random,
    scratch: Scratch,
    tally: Tally,
}

/// What has happened to agents so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How often one reached the goal.
    pub arrived: u64,
    /// How often one had to look for a new path because an edit broke the rest of its own.
    pub rerouted: u64,
}

#[derive(Clone, Debug)]
struct Walker {
    /// The cell it left last, and the one it walks to; the same where there is no way.
    here: Cell,
    next: Cell,
    /// How much of the way between them it has walked, from 0 to 1.
    along: f32,
    /// Cells a step.
    pace: f32,
    /// Where in its cell it walks, so that a crowd does not go in single file.
    aside: [f32; 2],
    errand: Option<Errand>,
    /// Steps for which it is still shown as rerouted.
    rerouted: u8,
}

/// A path under watch, and how far along it an agent is.
#[derive(Clone, Debug)]
struct Errand {
    path: Path,
    watch: PathWatch,
    /// The number of the cell it walks from.
    at: usize,
}

impl Walkers {
    /// So many agents. Those with paths are spread along the route, the others over the map.
    #[must_use]
    pub fn new(seed: u64, count: usize, guide: Guide, map: &PathMap, route: &Route) -> Self {
        let (random, scratch) = (Random::new(seed), Scratch::new());
        let mut all = Self { guide, walkers: Vec::with_capacity(count), random, scratch, tally: Tally::default() };
        for number in 0..count {
            let walker = all.begun(map, route, number as f64 / count as f64);
            all.walkers.push(walker);
        }
        all
    }

    /// Moves all agents by one step.
    pub fn step(&mut self, map: &PathMap, route: &Route) {
        let mut walkers = std::mem::take(&mut self.walkers);
        for walker in &mut walkers {
            self.step_one(walker, map, route);
        }
        self.walkers = walkers;
    }

    /// Where the agents are, on the plane of the map, and how they fare.
    pub fn places(&self) -> impl ExactSizeIterator<Item = ([f32; 2], Mood)> {
        self.walkers.iter().map(|walker| (walker.place(), walker.mood()))
    }

    /// What has happened to them.
    #[must_use]
    pub const fn tally(&self) -> Tally {
        self.tally
    }

    /// What they go by.
    #[must_use]
    pub const fn guide(&self) -> Guide {
        self.guide
    }

    fn step_one(&mut self, walker: &mut Walker, map: &PathMap, route: &Route) {
        let [_, goal] = route.ends();
        // Walled in, or put on the goal for want of another place.
        if !map.grid().is_free(walker.here) || walker.here == goal {
            *walker = self.begun(map, route, 0.0);
        }
        walker.rerouted = walker.rerouted.saturating_sub(1);
        self.mind_edits(walker, map, route);
        walker.along += walker.pace;
        while walker.along >= 1.0 && !walker.is_stuck() {
            walker.along -= 1.0;
            walker.here = walker.next;
            if walker.here == goal {
                self.tally.arrived += 1;
                *walker = self.begun(map, route, 0.0);
                return;
            }
            self.turn(walker, map, route);
        }
    }

    /// Looks for another way at once if the old one is broken or leads to where the goal was.
    fn mind_edits(&mut self, walker: &mut Walker, map: &PathMap, route: &Route) {
        let Some(errand) = &mut walker.errand else {
            if walker.is_stuck() || !map.grid().is_free(walker.next) {
                self.turn_back(walker, map, route);
            }
            return;
        };
        let is_elsewhere = errand.path.cells().last() != route.ends().last();
        if !is_elsewhere && errand.watch.check(map).is_none() {
            return;
        }
        let rest = errand.path.cells()[errand.at..].to_vec();
        self.turn_back(walker, map, route);
        let is_same = walker.errand.as_ref().is_some_and(|errand| errand.path.cells() == rest);
        if !is_elsewhere && !is_same {
            self.tally.rerouted += 1;
            walker.rerouted = REROUTED_STEPS;
        }
    }

    /// Plans again from the cell left last. An agent that continues to the same cell as before keeps its position; others step back.
    fn turn_back(&mut self, walker: &mut Walker, map: &PathMap, route: &Route) {
        let before = walker.next;
        walker.errand = None;
        self.turn(walker, map, route);
        if walker.next != before {
            walker.along = 0.0;
        }
    }

    /// Sets the next cell, or stays where there is no way.
    fn turn(&mut self, walker: &mut Walker, map: &PathMap, route: &Route) {
        let next = match self.guide {
            Guide::Flow => route.field().next(walker.here),
            Guide::Path => self.next_on_path(walker, map, route),
        };
        walker.next = next.unwrap_or(walker.here);
    }

    fn next_on_path(&mut self, walker: &mut Walker, map: &PathMap, route: &Route) -> Option<Cell> {
        match &mut walker.errand {
            Some(errand) => errand.at += 1,
            None => {
                let path = map.path(walker.here, route.ends()[1], &mut self.scratch);
                walker.errand = path.map(|path| Errand::new(map, path));
            }
        }
        let Errand { path, at, .. } = walker.errand.as_ref()?;
        path.cells().get(at + 1).or(path.cells().last()).copied()
    }

    /// A new agent; with a path, it has walked this part of it (from 0 to 1) already.
    fn begun(&mut self, map: &PathMap, route: &Route, part: f64) -> Walker {
        let errand = route.path().filter(|_| self.guide == Guide::Path).map(|path| Errand {
            at: (part * (path.cells().len() - 1) as f64) as usize,
            ..Errand::new(map, path.clone())
        });
        let here = match (&errand, self.guide) {
            (Some(errand), _) => errand.path.cells()[errand.at],
            (None, Guide::Path) => route.ends()[0],
            (None, Guide::Flow) => self.anywhere(map, route),
        };
        let next = match &errand {
            Some(errand) => errand.path.cells().get(errand.at + 1).copied(),
            None => route.field().next(here),
        };
        let next = next.unwrap_or(here);
        let [pace, x, y] = [(0.8, 1.2), (-0.35, 0.35), (-0.35, 0.35)].map(|(lo, hi)| self.random.between(lo, hi));
        Walker { here, next, along: 0.0, pace: PACE * pace, aside: [x, y], errand, rerouted: 0 }
    }

    /// A random cell with a way to the goal, found by trying.
    fn anywhere(&mut self, map: &PathMap, route: &Route) -> Cell {
        let (width, height) = (map.grid().width(), map.grid().height());
        let mut cells = (0..TRIES).map(|_| Cell::new(self.random.below(width), self.random.below(height)));
        cells.find(|cell| route.field().length(*cell).is_some()).unwrap_or(route.ends()[1])
    }
}

impl Walker {
    fn place(&self) -> [f32; 2] {
        let (here, next) = (middle(self.here), middle(self.next));
        [0, 1].map(|axis| here[axis] + (next[axis] - here[axis]) * self.along + self.aside[axis])
    }

    fn is_stuck(&self) -> bool {
        self.next == self.here
    }

    fn mood(&self) -> Mood {
        match self {
            _ if self.is_stuck() => Mood::Stuck,
            Self { rerouted: 1.., .. } => Mood::Rerouted,
            _ => Mood::Walking,
        }
    }
}

impl Errand {
    fn new(map: &PathMap, path: Path) -> Self {
        Self { watch: PathWatch::new(map, &path), path, at: 0 }
    }
}

#[cfg(test)]
mod tests {
    use quadrille_paths::{CellRect, CostRule, Grid};

    use super::*;
    use crate::maps::land::cell_at;

    const ENDS: [Cell; 2] = [Cell::new(1, 4), Cell::new(38, 4)];

    fn open_map() -> PathMap {
        PathMap::new(Grid::open(40, 10).expect("a legal side"), CostRule::Octile)
    }

    struct World {
        map: PathMap,
        route: Route,
        walkers: Walkers,
    }

    impl World {
        fn new(guide: Guide) -> Self {
            let map = open_map();
            let route = Route::new(&map, ENDS);
            let walkers = Walkers::new(1, 30, guide, &map, &route);
            Self { map, route, walkers }
        }

        /// Steps, and checks that no agent is ever inside a wall.
        fn run(&mut self, steps: usize) {
            for _ in 0..steps {
                self.route.follow(&self.map);
                self.walkers.step(&self.map, &self.route);
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
        for guide in Guide::ALL {
            let mut world = World::new(guide);
            world.run(400);
            assert!(world.walkers.tally().arrived >= 30, "{guide:?}: {:?}", world.walkers.tally());
            assert_eq!(world.walkers.tally().rerouted, 0);
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
        let rerouted = world.walkers.tally().rerouted;
        assert!(rerouted.abs_diff(before) <= 1, "{rerouted} of {before}: who stood at the wall may go either way");
        assert_eq!(world.count(Mood::Rerouted) as u64, rerouted);
        let arrived = world.walkers.tally().arrived;
        world.run(600);
        assert!(world.walkers.tally().arrived > arrived + 30, "they go around it");
        assert_eq!(world.walkers.tally().rerouted, rerouted);
    }

    #[test]
    fn who_has_no_way_stands_and_goes_on_when_there_is_one() {
        for guide in Guide::ALL {
            let mut world = World::new(guide);
            world.map.fill(CellRect::new(20, 0, 1, 10), false);
            world.run(300);
            assert!(world.count(Mood::Stuck) > 0, "{guide:?}");
            let arrived = world.walkers.tally().arrived;
            world.map.fill(CellRect::new(20, 0, 1, 10), true);
            world.run(400);
            assert_eq!(world.count(Mood::Stuck), 0, "{guide:?}");
            assert!(world.walkers.tally().arrived > arrived + 20, "{guide:?}");
        }
    }

    #[test]
    fn walls_on_everything_harm_nobody() {
        for guide in Guide::ALL {
            let mut world = World::new(guide);
            world.map.fill(world.map.grid().bounds(), false);
            for _ in 0..10 {
                world.route.follow(&world.map);
                world.walkers.step(&world.map, &world.route);
            }
            assert_eq!(world.count(Mood::Stuck), 30, "{guide:?}");
            world.map.fill(world.map.grid().bounds(), true);
            world.run(400);
            assert_eq!(world.count(Mood::Walking), 30, "{guide:?}");
        }
    }

    #[test]
    fn the_goal_can_move() {
        for guide in Guide::ALL {
            let mut world = World::new(guide);
            world.run(10);
            world.route = Route::new(&world.map, [ENDS[0], Cell::new(20, 8)]);
            world.run(300);
            assert!(world.walkers.tally().arrived > 30, "{guide:?}");
            assert_eq!(world.walkers.tally().rerouted, 0, "no edit broke anything");
        }
    }

    #[test]
    fn a_seed_is_a_crowd() {
        for guide in Guide::ALL {
            let (mut one, mut other) = (World::new(guide), World::new(guide));
            one.run(100);
            other.run(100);
            assert!(one.walkers.places().eq(other.walkers.places()), "{guide:?}");
        }
    }
}
