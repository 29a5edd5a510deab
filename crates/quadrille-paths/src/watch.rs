//! Paths under watch: an agent that holds a path learns when an edit breaks it.

use crate::cell::{Cell, CellRect};
use crate::map::PathMap;
use crate::path::Path;

/// A path that an agent walks, with the version of the map up to which it is known to be whole.
///
/// Looking after a watched path costs a comparison while the map has not changed, a test of bounds for each straight
/// stretch and each edit if it has, and a walk along those stretches that an edit has come near to.
///
/// ```
/// use quadrille_paths::{Cell, CostRule, Grid, PathMap, PathWatch, Scratch};
///
/// let mut map = PathMap::new(Grid::open(20, 20)?, CostRule::Octile);
/// let path = map.path(Cell::new(0, 3), Cell::new(9, 3), &mut Scratch::new()).unwrap();
/// let mut watch = PathWatch::new(&map, &path);
/// map.set(Cell::new(5, 6), false);
/// assert_eq!(watch.check(&map), None);
/// map.set(Cell::new(5, 3), false);
/// assert_eq!(watch.check(&map), Some(Cell::new(4, 3)));
/// # Ok::<(), quadrille_paths::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PathWatch {
    /// First cell, turns, last cell.
    turns: Vec<Cell>,
    version: u64,
    /// The last cell before the break.
    broken: Option<Cell>,
}

impl PathWatch {
    /// Begins to watch a path that was found on the map as it is.
    #[must_use]
    pub fn new(map: &PathMap, path: &Path) -> Self {
        Self { turns: path.turns().collect(), version: map.version(), broken: None }
    }

    /// The last cell that can be reached on the path, if edits have broken it (the first, if that itself is blocked);
    /// `None` while it is whole.
    ///
    /// A broken path stays broken, even if the map is mended: find a new one. A whole path is legal, but after an
    /// edit that freed cells there may be a shorter one.
    pub fn check(&mut self, map: &PathMap) -> Option<Cell> {
        if self.broken.is_none() && self.version != map.version() {
            let blocked_start = self.turns.first().filter(|cell| !map.grid().is_free(**cell)).copied();
            let mut stretches = self.turns.windows(2);
            self.broken = blocked_start.or_else(|| stretches.find_map(|pair| self.break_in(map, pair[0], pair[1])));
            self.version = map.version();
        }
        self.broken
    }

    /// The cell of a straight stretch after which the first illegal step comes, if an edit has made one illegal.
    fn break_in(&self, map: &PathMap, from: Cell, to: Cell) -> Option<Cell> {
        let (x, y) = (from.x.min(to.x), from.y.min(to.y));
        let bounds = CellRect::new(x, y, from.x.max(to.x) - x + 1, from.y.max(to.y) - y + 1);
        if !map.edits_since(self.version).any(|edit| edit.intersects(&bounds)) {
            return None;
        }
        let mut here = from;
        for (way, next) in map.rule().steps(from, to) {
            if !map.grid().can_step(here, way, map.rule()) {
                return Some(here);
            }
            here = next;
        }
        None
    }
}
