//! Agents that walk to the goal of a route: each on its own path, or all along one flow field.

use quadrille_paths::{Cell, PathMap, Scratch};
use quadrille_scenes::Random;

use super::guide::Guide;
use super::route::Route;
use super::walker::{Errand, Tally, Walker, any_cell};

/// What agents need that follow a route.
#[derive(Clone, Debug)]
pub(super) struct Followers {
    guide: Guide,
    random: Random,
    scratch: Scratch,
}

impl Followers {
    pub(super) fn new(guide: Guide, random: Random) -> Self {
        Self { guide, random, scratch: Scratch::new() }
    }

    /// Moves an agent by one step.
    pub(super) fn step(&mut self, walker: &mut Walker, tally: &mut Tally, map: &PathMap, route: &Route) {
        let [_, goal] = route.ends;
        // Walled in, or put on the goal because there was no other place.
        if !map.grid().is_free(walker.here) || walker.here == goal {
            *walker = self.begun(map, route, 0.0);
        }
        walker.calm_down();
        self.mind_edits(walker, tally, map, route);
        walker.along += walker.pace;
        while walker.along >= 1.0 && !walker.is_still() {
            walker.along -= 1.0;
            walker.here = walker.next;
            if walker.here == goal {
                tally.arrived += 1;
                *walker = self.begun(map, route, 0.0);
                return;
            }
            walker.next = self.next(walker, map, route);
        }
    }

    /// Finds another path immediately if the old one is broken or leads to an old goal.
    fn mind_edits(&mut self, walker: &mut Walker, tally: &mut Tally, map: &PathMap, route: &Route) {
        let Some(errand) = &mut walker.errand else {
            if walker.is_still() || !map.grid().is_free(walker.next) {
                self.turn_back(walker, map, route);
            }
            return;
        };
        let is_elsewhere = errand.goal() != route.ends[1];
        if !is_elsewhere && errand.watch.check(map).is_none() {
            return;
        }
        let rest = errand.path.cells()[errand.at..].to_vec();
        self.turn_back(walker, map, route);
        let is_same = walker.errand.as_ref().is_some_and(|errand| errand.path.cells() == rest);
        if !is_elsewhere && !is_same {
            tally.rerouted += 1;
            walker.begin_detour();
        }
    }

    /// Plans again from the cell left last.
    fn turn_back(&mut self, walker: &mut Walker, map: &PathMap, route: &Route) {
        walker.errand = None;
        let next = self.next(walker, map, route);
        walker.head_for(next);
    }

    /// The next cell; the same if there is no path.
    fn next(&mut self, walker: &mut Walker, map: &PathMap, route: &Route) -> Cell {
        let next = match self.guide {
            Guide::Flow => route.next(walker.here),
            _ => self.next_on_path(walker, map, route),
        };
        next.unwrap_or(walker.here)
    }

    fn next_on_path(&mut self, walker: &mut Walker, map: &PathMap, route: &Route) -> Option<Cell> {
        match &mut walker.errand {
            Some(errand) => errand.at += 1,
            None => {
                let path = map.path(walker.here, route.ends[1], &mut self.scratch);
                walker.errand = path.map(|path| Errand::new(map, path));
            }
        }
        walker.errand.as_ref().map(Errand::next)
    }

    /// A new agent; with a path, it has walked this part of it (from 0 to 1) already.
    pub(super) fn begun(&mut self, map: &PathMap, route: &Route, part: f64) -> Walker {
        let errand = route.path().filter(|_| self.guide == Guide::Path).map(|path| Errand {
            at: (part * (path.cells().len() - 1) as f64) as usize,
            ..Errand::new(map, path.clone())
        });
        let here = match (&errand, self.guide) {
            (Some(errand), _) => errand.path.cells()[errand.at],
            (None, Guide::Flow) => self.anywhere(map, route),
            _ => route.ends[0],
        };
        let mut walker = Walker::new(here, &mut self.random);
        walker.next = errand.as_ref().map(Errand::next).or_else(|| route.next(here)).unwrap_or(here);
        walker.errand = errand;
        walker
    }

    /// A random cell with a way to the goal; if none is found, the goal.
    fn anywhere(&mut self, map: &PathMap, route: &Route) -> Cell {
        any_cell(&mut self.random, map, |cell| route.next(cell).is_some()).unwrap_or(route.ends[1])
    }
}
