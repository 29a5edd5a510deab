//! Ways around what is in the way of one unit, without an edit of the map.

use crate::grid::{Cell, CellRect, Direction};
use crate::map::PathMap;
use crate::path::Path;
use crate::search::AStar;

impl PathMap {
    /// The rest of a path, from where a unit is, led around cells that are blocked for this query only: where other units
    /// are. The map does not change.
    ///
    /// `path` holds the cells from the one in which the unit is to its goal. Only obstacles in the rectangle `within`
    /// count, and only there does the path change: it is the shortest of all that stay in the rectangle up to the last
    /// cell of `path` before that leaves it, and then goes on as `path` does, unchecked. If that
    /// cell is taken, the last one before it that is not takes its place, and taken cells from there to where `path` leaves
    /// the rectangle stay; those at the end of `path`, if they lie in the rectangle, are left out. A path without
    /// obstacles in its way is returned as it is. So for a rectangle that holds the whole map, and a shortest path to a
    /// goal that is not taken, the answer is a shortest path of the map with these obstacles.
    ///
    /// `None` if there is no such path: wait, or widen the rectangle; also if the cells are not side by side. An obstacle
    /// blocks like a wall, and diagonal steps beside it follow the rule. The unit's own cell may be among the obstacles.
    /// For agents of several cells, on the map of their class, the obstacles are all positions at which they would cover a
    /// part of one (see [`AgentClass::touching`](crate::AgentClass::touching)).
    ///
    /// Takes some microseconds for a square of 33 x 33 cells around the unit; plain A* on a part of the map.
    ///
    /// ```
    /// use quadrille_paths::{AStar, Cell, CellRect, CostRule, Grid, PathMap, Scratch};
    ///
    /// let map = PathMap::new(Grid::open(60, 20)?, CostRule::Octile);
    /// let path = map.path(Cell::new(2, 9), Cell::new(50, 9), &mut Scratch::new()).unwrap();
    /// let others = [Cell::new(4, 8), Cell::new(4, 9), Cell::new(4, 10)];
    /// let near = CellRect::new(0, 1, 19, 17);
    /// let around = map.detour(path.cells(), &others, near, &mut AStar::new()).unwrap();
    /// assert!(around.cells().iter().all(|cell| !others.contains(cell)));
    /// assert_eq!(around.cells().last(), path.cells().last());
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    #[must_use]
    pub fn detour(&self, path: &[Cell], obstacles: &[Cell], within: CellRect, astar: &mut AStar) -> Option<Path> {
        let (from, window) = (*path.first()?, within.common(&self.grid().bounds()));
        if !window.contains(from) || !self.grid().is_free(from) {
            return None;
        }
        let local = |cell: Cell| Cell::new(cell.x - window.x, cell.y - window.y);
        let mut part = self.grid().part(window);
        for cell in obstacles {
            // One off the window is off the part as well.
            part.set(Cell::new(cell.x.wrapping_sub(window.x), cell.y.wrapping_sub(window.y)), false);
        }
        part.set(local(from), true);
        let inside = path.iter().take_while(|cell| window.contains(**cell)).count();
        let is_legal = |pair: &[Cell]| {
            let direction = Direction::between(pair[0], pair[1]);
            direction.is_some_and(|direction| part.can_step(local(pair[0]), direction, self.rule()))
        };
        if path[..inside].windows(2).all(is_legal) {
            return Path::of_cells(path.to_vec()).ok();
        }
        let join = path[..inside].iter().rposition(|cell| part.is_free(local(*cell))).filter(|join| *join > 0)?;
        let around = astar.path(&part, self.rule(), local(from), local(path[join]))?;
        let rest = if inside < path.len() { &path[join + 1..] } else { &[] };
        let mut cells = Vec::with_capacity(around.cells().len() + rest.len());
        cells.extend(around.cells().iter().map(|cell| Cell::new(cell.x + window.x, cell.y + window.y)));
        cells.extend_from_slice(rest);
        Path::of_cells(cells).ok()
    }
}
