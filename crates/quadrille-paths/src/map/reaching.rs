//! What can be reached, computed in slices.

use crate::grid::{Cell, CellRect, GridError, Stamp};
use crate::map::PathMap;
use crate::map::terrain::{AgentClass, TerrainMap, Weights};
use crate::search::{Reach, ReachSearch};

/// A [`Reach`] that is computed in slices: for a budget per frame.
///
/// [`go_on`](Self::go_on) returns it when it is done, exact for the map as it is then. If an edit meanwhile changed a cell
/// that may be within the budget, the next call begins again, with twice its share each time: so it is done even
/// if such edits come every frame.
///
/// ```
/// use quadrille_paths::{Cell, CostRule, Grid, PathMap};
///
/// let mut map = PathMap::new(Grid::open(300, 200)?, CostRule::Octile);
/// let from = Cell::new(10, 10);
/// let mut growing = map.begin_reach(from, 60.0, map.grid().bounds());
/// assert!(growing.go_on(&map, 500).is_none());
/// map.set(Cell::new(12, 10), false);
/// let reach = loop {
///     if let Some(reach) = growing.go_on(&map, 500) {
///         break reach; // after several frames
///     }
/// };
/// assert_eq!(reach.cost(Cell::new(12, 10)), None);
/// assert!(reach.iter().eq(map.reach(from, 60.0, map.grid().bounds()).iter()));
/// # Ok::<(), quadrille_paths::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GrowingReach {
    asked: (Cell, f64, CellRect),
    /// The agents, if it is one of terrain.
    agent: Option<(AgentClass, Weights)>,
    /// The state of the map that the search sees.
    stamp: Stamp,
    /// How often edits have made it begin again.
    restarts: u32,
    /// None once it is done.
    search: Option<ReachSearch>,
}

impl PathMap {
    /// [`reach`](Self::reach), computed in slices.
    #[must_use]
    pub fn begin_reach(&self, from: Cell, budget: f64, within: CellRect) -> GrowingReach {
        let asked = (from, budget, within);
        let search = Some(self.reaching(asked));
        GrowingReach { asked, agent: None, stamp: self.stamp(), restarts: 0, search }
    }
}

impl TerrainMap {
    /// [`reach`](Self::reach), computed in slices.
    ///
    /// # Errors
    /// Returns the same errors as [`cheapest_path`](Self::cheapest_path).
    pub fn begin_reach(
        &self,
        agent: AgentClass,
        weights: &Weights,
        budget: (Cell, f64, CellRect),
    ) -> Result<GrowingReach, GridError> {
        let search = Some(self.reaching(agent, weights, budget)?);
        Ok(GrowingReach { asked: budget, agent: Some((agent, *weights)), stamp: self.stamp(), restarts: 0, search })
    }
}

impl GrowingReach {
    /// Visits about `cells` more cells, and returns what can be reached once that is known; later calls return `None`. With
    /// 0 it makes no progress. One of terrain needs [`go_on_weighted`](Self::go_on_weighted) instead, and makes no
    /// progress here.
    ///
    /// Cells are visited one by one, some ten thousand in a millisecond, until they turn out to be many; then they are
    /// filled a run at a time, some hundred thousand in a millisecond, and a call may exceed `cells` by some runs.
    pub fn go_on(&mut self, map: &PathMap, cells: usize) -> Option<Reach> {
        if self.agent.is_some() {
            return None;
        }
        let edits = map.edits().since(self.stamp);
        if self.is_void(map.stamp(), edits) {
            self.search = Some(map.reaching(self.asked));
        }
        self.take(cells)
    }

    /// The same for one of terrain. One that is not makes no progress here.
    ///
    /// On another map that is too large for the weights, nothing can be reached.
    pub fn go_on_weighted(&mut self, map: &TerrainMap, cells: usize) -> Option<Reach> {
        let (agent, weights) = self.agent?;
        let edits = map.edits_since(self.stamp, agent);
        if self.is_void(map.stamp(), edits) {
            let nothing = (self.asked.0, self.asked.1, CellRect::default());
            let again = map.reaching(agent, &weights, self.asked);
            self.search = again.or_else(|_| map.reaching(agent, &[1; 64], nothing)).ok();
        }
        self.take(cells)
    }

    /// Whether it has to begin again on the map as it is, which was edited in some rectangles or is another one.
    fn is_void(&mut self, now: Stamp, edits: Option<Vec<CellRect>>) -> bool {
        let Some(search) = self.search.as_ref().filter(|_| self.stamp != now) else { return false };
        let is_read = |edits: Vec<CellRect>| edits.iter().any(|edit| edit.intersects(&search.reach.bounds()));
        let is_void = edits.is_none_or(is_read);
        self.stamp = now;
        self.restarts += u32::from(is_void);
        is_void
    }

    fn take(&mut self, cells: usize) -> Option<Reach> {
        let share = cells.saturating_mul(1 << self.restarts.min(31));
        let is_done = share > 0 && self.search.as_mut()?.go_on(share);
        self.search.take_if(|_| is_done).map(|search| search.reach)
    }
}
