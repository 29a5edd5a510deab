//! Agents with goals of their own: each requests a path from a queue, watches it while walking, and requests another
//! when a door closes on it.
//!
//! A step answers only as many requests as its budget allows, so that no frame is long, however many there are.

use quadrille_paths::{Cell, PathMap, PathQueue};
use quadrille_scenes::Random;

use super::walker::{Errand, Tally, Walker, any_cell};

/// Corners that the searches of a step may expand: about ten thousand per millisecond.
const BUDGET: u64 = 8_000;
/// Corners that could be expanded in the time of an edit: a step that changes many doors leaves more searches to the
/// next.
const EDIT: u64 = 100;

/// What agents need that have goals of their own.
#[derive(Clone, Debug)]
pub(super) struct Crowd {
    queue: PathQueue,
    random: Random,
}

impl Crowd {
    pub(super) fn new(random: Random) -> Self {
        Self { queue: PathQueue::new(), random }
    }

    /// Moves an agent by one step.
    pub(super) fn step(&mut self, walker: &mut Walker, tally: &mut Tally, map: &PathMap) {
        walker.calm_down();
        if !map.grid().is_free(walker.here) {
            // Walled in: another agent replaces it.
            if let Some(ticket) = walker.waits_for {
                self.queue.cancel(ticket);
            }
            *walker = self.begun(map);
        }
        if !map.grid().is_free(walker.next) {
            walker.head_for(walker.here);
        }
        if let Some(errand) = walker.errand.take_if(|errand| errand.watch.check(map).is_some()) {
            tally.rerouted += 1;
            walker.begin_detour();
            self.ask(walker, errand.goal(), map);
        } else if walker.errand.is_some() {
            tally.arrived += u64::from(walk(walker));
        }
        if walker.errand.is_none() && walker.waits_for.is_none() {
            let goal = self.free_cell(map);
            self.ask(walker, goal, map);
        }
    }

    /// Requests a path. If there is none, which is known immediately, the next step chooses another goal.
    fn ask(&mut self, walker: &mut Walker, goal: Cell, map: &PathMap) {
        if map.is_reachable(walker.here, goal) {
            walker.waits_for = Some(self.queue.push(walker.here, goal));
        } else {
            walker.head_for(walker.here);
        }
    }

    /// Passes on the paths for which there is time in a step with this many edits.
    pub(super) fn answer(&mut self, walkers: &mut [Walker], map: &PathMap, edits: usize) {
        let budget = BUDGET.saturating_sub(EDIT * edits as u64).max(EDIT);
        self.queue.run(map, budget, |ticket, path| {
            if let Some(walker) = walkers.iter_mut().find(|walker| walker.waits_for == Some(ticket)) {
                walker.waits_for = None;
                walker.errand = path.map(|path| Errand::new(map, path));
                walker.head_for(walker.errand.as_ref().map_or(walker.here, Errand::next));
            }
        });
    }

    /// A new agent, anywhere on the map.
    pub(super) fn begun(&mut self, map: &PathMap) -> Walker {
        let here = self.free_cell(map);
        Walker::new(here, &mut self.random)
    }

    /// A random free cell; if none is found, the first one, and the next step tries again.
    fn free_cell(&mut self, map: &PathMap) -> Cell {
        any_cell(&mut self.random, map, |cell| map.grid().is_free(cell)).unwrap_or_default()
    }
}

/// Continues along the path; `true` at its end.
fn walk(walker: &mut Walker) -> bool {
    walker.along += walker.pace;
    while let Some(errand) = walker.errand.as_mut().filter(|_| walker.along >= 1.0 || walker.here == walker.next) {
        walker.here = walker.next;
        walker.along -= 1.0;
        errand.at += 1;
        walker.next = errand.next();
        if walker.here == errand.goal() {
            (walker.errand, walker.along) = (None, 0.0);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use quadrille_paths::{CostRule, Grid, Scratch};

    use super::*;
    use crate::maps::agents::{Agents, Lead};
    use crate::maps::land::Land;
    use crate::maps::route::Route;
    use crate::maps::{Guide, MapKind};

    /// Agents, and the route that they do not need.
    fn crowd(count: usize, map: &PathMap) -> (Agents, Route) {
        let route = Route::new(map, [Cell::default(); 2], Guide::Each);
        (Agents::new(1, count, Guide::Each, map, &route), route)
    }

    fn queued(agents: &Agents) -> usize {
        match &agents.lead {
            Lead::Crowd(crowd) => crowd.queue.len(),
            Lead::Route(_) => 0,
        }
    }

    fn land(kind: MapKind) -> Land {
        Land::new(kind.grid(1).expect("a legal side")).expect("it has cells")
    }

    #[test]
    fn paths_that_are_handed_out_are_shortest_on_the_map_as_it_is() {
        let mut land = land(MapKind::Rooms);
        let (mut crowd, route) = crowd(60, &land.paths);
        let (mut random, mut scratch, mut checked) = (Random::new(2), Scratch::new(), 0);
        for _ in 0..600 {
            land.toggle(Cell::new(random.below(128), random.below(128)));
            crowd.step(&land.paths, &route, 1);
            let map = &land.paths;
            for errand in crowd.walkers.iter().filter_map(|walker| walker.errand.as_ref()) {
                errand.path.validate(map.grid(), map.rule()).expect("nobody holds a broken path");
            }
            // Paths not yet followed have just been found.
            for walker in crowd.walkers.iter().filter(|walker| walker.along == 0.0) {
                let Some(errand) = walker.errand.as_ref().filter(|errand| errand.at == 0) else { continue };
                let fresh = map.path(walker.here, errand.goal(), &mut scratch);
                assert_eq!(Some(errand.path.length()), fresh.map(|path| path.length()));
                checked += 1;
            }
        }
        let Tally { arrived, rerouted } = crowd.tally;
        assert!(checked > 100 && arrived > 50 && rerouted > 30, "{checked} {arrived} {rerouted}");
    }

    #[test]
    fn who_asks_beyond_the_budget_waits_and_is_answered_in_the_end() {
        let land = land(MapKind::Caves);
        let (mut crowd, route) = crowd(5_000, &land.paths);
        crowd.step(&land.paths, &route, 0);
        let waiting = |crowd: &Agents| crowd.walkers.iter().filter(|walker| walker.waits_for.is_some()).count();
        let at_first = waiting(&crowd);
        assert!(at_first > 1_000 && at_first == queued(&crowd), "{at_first}");
        (0..400).for_each(|_| crowd.step(&land.paths, &route, 0));
        assert!(waiting(&crowd) < at_first / 4, "{} of {at_first}", waiting(&crowd));
        assert!(crowd.tally.arrived > 1_000);
    }

    #[test]
    fn who_is_walled_in_while_waiting_leaves_the_queue() {
        let mut map = PathMap::new(Grid::open(40, 10).expect("a legal side"), CostRule::Octile);
        let (mut crowd, route) = crowd(5_000, &map);
        crowd.step(&map, &route, 80);
        assert!(queued(&crowd) > 0);
        map.fill(map.grid().bounds(), false);
        crowd.step(&map, &route, 0);
        assert!(queued(&crowd) == 0 && crowd.walkers.iter().all(|walker| walker.waits_for.is_none()));
    }
}
