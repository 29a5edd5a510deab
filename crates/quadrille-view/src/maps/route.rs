//! What leads from one handle to the other: a path under watch, and the flow field toward the goal.

use quadrille_paths::{Cell, FlowField, Path, PathMap, PathWatch, Scratch};
use web_time::{Duration, Instant};

use super::guide::Guide;

/// The path between the handles and, if agents follow it, the flow field toward the goal, both kept exact while the map
/// changes. Agents with goals of their own need neither.
#[derive(Clone, Debug)]
pub struct Route {
    /// Where it starts and where it leads.
    pub ends: [Cell; 2],
    guide: Guide,
    /// The version of the map that all this is for.
    version: u64,
    path: Option<Watched>,
    /// The flow field toward the goal, if agents follow it.
    pub field: Option<FlowField>,
    /// The path that an edit broke, until it has been shown long enough.
    pub broken: Option<BrokenPath>,
    scratch: Scratch,
    /// Corners that the last search expanded.
    pub expanded: u64,
    /// What the last search took.
    pub path_took: Option<Duration>,
    /// What the field took, or its last repair.
    pub field_took: Option<Duration>,
}

#[derive(Clone, Debug)]
struct Watched {
    path: Path,
    watch: PathWatch,
}

/// The last path that an edit has broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenPath {
    /// As it was found.
    pub path: Path,
    /// The last cell on it that can still be reached.
    pub upto: Cell,
}

impl Route {
    /// The route from the first end to the second on the map as it is, for agents that go by this guide.
    pub fn new(map: &PathMap, ends: [Cell; 2], guide: Guide) -> Self {
        let mut route = Self {
            ends,
            guide,
            version: map.version(),
            path: None,
            field: None,
            broken: None,
            scratch: Scratch::new(),
            expanded: 0,
            path_took: None,
            field_took: None,
        };
        route.lead(map);
        route
    }

    /// A shortest path; `None` if there is none.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_ref().map(|watched| &watched.path)
    }

    /// The next cell on the way to the goal by the field.
    pub(super) fn next(&self, cell: Cell) -> Option<Cell> {
        self.field.as_ref()?.next(cell)
    }

    /// Follows edits of the map. Returns whether one has broken the path; either way the path is a shortest one again.
    pub fn follow(&mut self, map: &PathMap) -> bool {
        if self.version == map.version() {
            return false;
        }
        self.version = map.version();
        let broken = self.path.take().and_then(|mut watched| {
            let upto = watched.watch.check(map)?;
            Some(BrokenPath { path: watched.path, upto })
        });
        let is_broken = broken.is_some();
        self.broken = broken.or(self.broken.take());
        self.lead(map);
        is_broken
    }

    /// Finds the path and the field.
    fn lead(&mut self, map: &PathMap) {
        match self.guide {
            Guide::Each => return,
            Guide::Path => {}
            Guide::Flow => self.field_took = Some(timed(|| self.renew_field(map)).1),
        }
        self.search(map);
    }

    fn renew_field(&mut self, map: &PathMap) {
        match &mut self.field {
            Some(field) => {
                field.repair(map);
            }
            none => *none = Some(FlowField::new(map, self.ends[1], map.grid().bounds())),
        }
    }

    fn search(&mut self, map: &PathMap) {
        let (path, took) = timed(|| map.path(self.ends[0], self.ends[1], &mut self.scratch));
        self.path_took = Some(took);
        // Whether there is a path at all is known without a search.
        self.expanded = if path.is_some() { self.scratch.expanded() } else { 0 };
        self.path = path.map(|path| Watched { watch: PathWatch::new(map, &path), path });
    }
}

/// The result of some work, and how long it took.
pub(super) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

#[cfg(test)]
mod tests {
    use quadrille_paths::{CellRect, CostRule, Grid};

    use super::*;

    fn open_map() -> PathMap {
        PathMap::new(Grid::open(20, 10).expect("a legal side"), CostRule::Octile)
    }

    const ENDS: [Cell; 2] = [Cell::new(1, 4), Cell::new(18, 4)];

    #[test]
    fn the_path_stays_a_shortest_one_and_the_field_agrees_with_it() {
        let mut map = open_map();
        let mut route = Route::new(&map, ENDS, Guide::Flow);
        for wall in [CellRect::new(9, 2, 1, 6), CellRect::new(12, 0, 1, 8), CellRect::new(9, 4, 1, 1)] {
            map.fill(wall, wall.height == 1);
            route.follow(&map);
            let path = route.path().expect("there is a way around");
            path.validate(map.grid(), map.rule()).expect("it is legal");
            assert_eq!(map.path(ENDS[0], ENDS[1], &mut Scratch::new()).as_ref(), Some(path));
            assert_eq!(route.field.as_ref().and_then(|field| field.length(ENDS[0])), Some(path.length()));
        }
    }

    #[test]
    fn an_edit_on_the_path_breaks_it_and_the_break_is_told() {
        let mut map = open_map();
        let mut route = Route::new(&map, ENDS, Guide::Flow);
        map.set(Cell::new(5, 8), false);
        assert!(!route.follow(&map), "that was beside it");
        assert_eq!(route.broken, None);
        map.set(Cell::new(10, 4), false);
        assert!(route.follow(&map));
        assert_eq!(route.broken.as_ref().map(|broken| broken.upto), Some(Cell::new(9, 4)));
        assert!(!route.follow(&map), "nothing has changed since");
        route.broken = None;
        assert_eq!(route.broken, None);
    }

    #[test]
    fn no_way_is_no_path_until_there_is_one() {
        let mut map = open_map();
        map.fill(CellRect::new(10, 0, 1, 10), false);
        let mut route = Route::new(&map, ENDS, Guide::Flow);
        assert_eq!((route.path(), route.expanded), (None, 0));
        map.set(Cell::new(10, 9), true);
        assert!(!route.follow(&map), "a path that was not there cannot break");
        assert!(route.path().is_some());
    }
}
