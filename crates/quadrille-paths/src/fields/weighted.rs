//! Cheapest paths on weighted terrain, many on the same map: A* that jumps over uniform ground.
//!
//! A cell is *plain* if it and all cells around it are free and cost the same. Among plain cells nothing forces a turn,
//! and of equally cheap paths only the one that goes diagonally first need be searched. So from a cell that is not
//! plain the search jumps across plain ones to the next that are not, along rows, columns and diagonals, 64 cells at a
//! time; it stops only beside walls and where the ground changes. This is the jump point search of D. Harabor and A.
//! Grastien (2011, 2014) for weights, as in M. Carlson and others, *Optimal Pathfinding on Weighted Grid Maps*, AAAI
//! 2023, with a simpler choice of the cells to stop at. There, a turn is skipped if another path from the previous cell
//! is legal and costs less, or costs the same and goes diagonally first.
//!
//! The lower bound on the cost of the rest of a path is a straight line over the lightest ground and, after some
//! searches, what [`landmarks`](crate::landmarks::cells) reveal about walls and heavy ground.

use crate::fields::flow::FlowField;
use crate::grid::{Bitmap, Cell, CellRect, ConnectedGrid, CostRule, Direction, Fixed, Grid, GridError, Length, Stamp};
use crate::landmarks::{Costs, Landmarks};
use crate::map::{AgentClass, Link, LinkSearch, LinkedPath, PathMap, TerrainMap, Weights};
use crate::open_list::OpenList;
use crate::path::{Path, Waypoints};
use crate::walks::{Directions, ahead, steps_to_set};

/// Cheapest paths of agents of one size and ability on weighted terrain.
///
/// Keeps four bytes per cell, and 24 more as working memory. If the terrain has a class for the agents, its map says
/// where they can stand; if not, that is kept here, in a bit for each cell and twelve bytes for each run of free
/// cells within a row. Under the Manhattan rule it does not jump, and is plain A* with landmarks.
///
/// If there are many searches between edits that make ground cheaper or remove walls, it makes up to 16 landmarks, one
/// by one, each when searches have taken as long as making one does: about as long as plain A* over the whole map. They
/// take 32 more bytes per cell, and make searches up to three times as fast. Doors that close and open again do not
/// invalidate them.
///
/// ```
/// use quadrille_paths::{AgentClass, Cell, CostRule, TerrainMap, TerrainSet, WeightedPaths};
///
/// let walker = AgentClass { size: 1, walkable: TerrainSet::of(&[0, 1]) };
/// let mut map = TerrainMap::new((60, 40), |cell| u8::from(cell.x > 20), CostRule::Octile, &[walker])?;
/// let mut weights = [1; TerrainSet::KINDS as usize];
/// weights[1] = 4;
/// let mut paths = WeightedPaths::new(&map, walker, &weights)?;
/// let (from, to) = (Cell::new(5, 30), Cell::new(40, 30));
/// assert_eq!(paths.path(&map, from, to).unwrap().1.straight, 15 + 4 * 20);
/// map.set(Cell::new(30, 30), 0);
/// assert_eq!(paths.path(&map, from, to).unwrap().1.straight, 15 + 4 * 19 + 1);
/// # Ok::<(), quadrille_paths::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WeightedPaths {
    agent: AgentClass,
    by_kind: Weights,
    /// The state of the terrain to which everything here belongs.
    stamp: Stamp,
    /// Where the agents can stand, if the terrain has no map for them.
    own: Option<ConnectedGrid>,
    costs: WeightedGrid,
}

/// The cells as searches read them.
#[derive(Clone, Debug)]
struct WeightedGrid {
    /// By cell.
    weights: Vec<u32>,
    /// No free cell has a smaller weight.
    least: u32,
    /// Set if a cell is not plain, by rows and by columns.
    rows: Bitmap,
    columns: Bitmap,
    landmarks: Landmarks,
    memory: Memory,
}

/// The state of a cell in a search.
#[derive(Clone, Copy, Debug)]
struct Node {
    cost: Fixed,
    /// The search that wrote the rest.
    search: u16,
    /// The directions in which the cheapest paths arrive, and those of them already expanded.
    arrivals: Directions,
    done: Directions,
    /// The cell from which it was reached, diagonally first.
    parent: u32,
}

/// The working memory of searches.
#[derive(Clone, Debug, Default)]
struct Memory {
    nodes: Vec<Node>,
    search: u16,
    open: OpenList,
    expanded: u64,
}

impl WeightedPaths {
    /// Prepares for an agent, which need not be of one of the classes, on weighted terrain; weights are as for
    /// [`TerrainMap::cheapest_path`].
    ///
    /// # Errors
    /// Returns the same errors as [`TerrainMap::cheapest_path`].
    pub fn new(map: &TerrainMap, agent: AgentClass, weights: &Weights) -> Result<Self, GridError> {
        let costs = WeightedGrid::new(map.bounds(), map.weights(agent, weights)?);
        let mut paths = Self { agent, by_kind: *weights, stamp: map.stamp(), own: None, costs };
        if map.paths(agent).is_none() {
            paths.own = Some(ConnectedGrid::new(map.standing(agent)?, map.rule()));
        }
        if let Some(cells) = cells_for(agent, map, paths.own.as_ref()) {
            paths.costs.renew(cells, map.bounds());
        }
        Ok(paths)
    }

    /// Brings everything up to date with the terrain after edits. [`path`](Self::path) does so, too. Returns whether the
    /// terrain has changed.
    ///
    /// On another map, a clone included, it starts over. If that map is too large for the weights, no path is found
    /// until it is given one that fits.
    pub fn repair(&mut self, map: &TerrainMap) -> bool {
        if self.stamp == map.stamp() {
            return false;
        }
        if !self.stamp.is_same_map(map.stamp()) {
            if let Ok(renewed) = Self::new(map, self.agent, &self.by_kind) {
                *self = renewed;
            }
            return true;
        }
        let agent = self.agent;
        let parts = map.parts(agent, map.edits_since(self.stamp, agent).as_deref());
        self.own = self.own.take().filter(|_| map.paths(agent).is_none());
        if let Some(own) = &mut self.own {
            for &rect in &parts {
                own.edit(rect, &mut map.can_stand_in(agent, rect));
            }
        }
        let Some(cells) = cells_for(agent, map, self.own.as_ref()) else { return false };
        let (grid, costs) = (cells.grid(), &mut self.costs);
        let mut is_cheaper = map.renew_weights((agent, &self.by_kind), grid, &parts, &mut costs.weights);
        for rect in parts {
            let mut freed = rect.cells().filter(|cell| grid.is_free(*cell)).map(|cell| grid.index(cell));
            is_cheaper |= freed.any(|cell| !costs.landmarks.is_known(cell));
            costs.renew(cells, rect.widened(1, 1).clamped(grid.width(), grid.height()));
        }
        if is_cheaper {
            costs.landmarks.clear();
        }
        self.stamp = map.stamp();
        true
    }

    /// A cheapest path and its cost: the result of [`TerrainMap::cheapest_path`] on the current terrain.
    pub fn path(&mut self, map: &TerrainMap, from: Cell, to: Cell) -> Option<(Path, Length)> {
        let (cells, costs) = self.ready(map)?;
        costs.path(cells, from, to).map(|(cost, walk)| (walk.lay(cells.rule()), cost))
    }

    /// A cheapest path that may take links, and its cost; `None` if there is none, or an end is blocked or off the map.
    ///
    /// The cost of a link is counted in straight steps over ground of weight 1. Like
    /// [`PathMap::linked_path`](crate::PathMap::linked_path), meant for some dozens of links.
    ///
    /// ```
    /// use quadrille_paths::{AgentClass, Cell, CostRule, Link, TerrainMap, TerrainSet, WeightedPaths};
    ///
    /// let walker = AgentClass { size: 1, walkable: TerrainSet::of(&[0, 1]) };
    /// let swamp = |cell: Cell| u8::from((10..20).contains(&cell.x));
    /// let map = TerrainMap::new((30, 9), swamp, CostRule::Octile, &[walker])?;
    /// let mut weights = [1; TerrainSet::KINDS as usize];
    /// weights[1] = 4;
    /// let mut paths = WeightedPaths::new(&map, walker, &weights)?;
    /// let ferry = Link { from: Cell::new(9, 4), to: Cell::new(20, 4), steps: 15 };
    /// let (path, cost) = paths.linked_path(&map, Cell::new(4, 4), Cell::new(25, 4), &[ferry]).unwrap();
    /// assert_eq!((path.taken(), cost.straight), (&[0][..], 5 + 15 + 5));
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    pub fn linked_path(
        &mut self,
        map: &TerrainMap,
        from: Cell,
        to: Cell,
        links: &[Link],
    ) -> Option<(LinkedPath, Length)> {
        let (cells, costs) = self.ready(map)?;
        let lightest = costs.least;
        let walk = &mut |from, to| costs.path(cells, from, to);
        let found = LinkSearch { cells, lightest, walk, links, from, goals: &[to] }.path();
        found.map(|(_, path, cost)| (path, cost))
    }

    /// Brings it up to date with the terrain: where the agents can stand, and the weights that searches read.
    fn ready<'a>(&'a mut self, map: &'a TerrainMap) -> Option<(&'a ConnectedGrid, &'a mut WeightedGrid)> {
        self.repair(map);
        let cells = cells_for(self.agent, map, self.own.as_ref()).filter(|_| self.stamp == map.stamp())?;
        Some((cells, &mut self.costs))
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.costs.bytes() + self.own.as_ref().map_or(0, ConnectedGrid::bytes)
    }
}

/// Where agents can stand: on the cells of the map of their class or, if they have none, on their own.
fn cells_for<'a>(agent: AgentClass, map: &'a TerrainMap, own: Option<&'a ConnectedGrid>) -> Option<&'a ConnectedGrid> {
    map.paths(agent).map(PathMap::cells).or(own)
}

impl WeightedGrid {
    /// Cells with some weights, none of them known to be plain yet.
    fn new(bounds: CellRect, weights: Vec<u32>) -> Self {
        Self {
            weights,
            least: u32::MAX,
            rows: Bitmap::filled(bounds.width, bounds.height),
            columns: Bitmap::filled(bounds.height, bounds.width),
            landmarks: Landmarks::default(),
            memory: Memory::default(),
        }
    }

    /// The cost of a cheapest path, and where it turns.
    fn path(&mut self, cells: &ConnectedGrid, from: Cell, to: Cell) -> Option<(Length, Waypoints)> {
        let (grid, rule) = (cells.grid(), cells.rule());
        if !cells.is_reachable(from, to) {
            return None;
        }
        self.make_landmark(cells, to);
        // Jumps stop at the goal.
        let is_plain = self.is_plain(to);
        self.set_plain(to, false);
        let mut memory = core::mem::take(&mut self.memory);
        memory.begin(grid);
        let goal = self.landmarks.costs(grid.index(to));
        let cost = Search { costs: self, grid, rule, from, to, goal, best: Fixed::MAX, memory: &mut memory }.cost();
        self.landmarks.note_work(memory.expanded);
        let found = (cost != Fixed::MAX).then(|| (cost.length(), memory.trace(grid, rule, from, to)));
        self.memory = memory;
        self.set_plain(to, is_plain);
        found
    }

    /// Makes a landmark within reach of a cell, if it is time for one.
    fn make_landmark(&mut self, cells: &ConnectedGrid, from: Cell) {
        let (grid, components) = (cells.grid(), cells.components());
        let Some(target) = self.landmarks.next_target(grid.bounds()) else { return };
        let label = components.label(from);
        let Some(cell) = label.and_then(|label| components.nearest(Some(label), target, cells.rule())) else { return };
        let weights = core::mem::take(&mut self.weights);
        let (lengths, weights) = FlowField::weighted_lengths(grid, cells.rule(), cell, weights);
        self.weights = weights;
        self.landmarks.add(lengths.iter());
    }

    /// Finds the plain cells of a rectangle on the map, and the least weight.
    fn renew(&mut self, cells: &ConnectedGrid, rect: CellRect) {
        let grid = cells.grid();
        for cell in rect.cells() {
            let weight = self.weights[grid.index(cell)];
            let is_alike = |direction: Direction| {
                cell.step(direction).is_some_and(|next| self.weights[grid.index(next)] == weight)
            };
            let is_open = cells.rule() != CostRule::Manhattan && grid.is_free(cell) && grid.walls_around(cell) == 0;
            self.set_plain(cell, is_open && Direction::ALL.into_iter().all(is_alike));
            if grid.is_free(cell) {
                self.least = self.least.min(weight);
            }
        }
    }

    fn is_plain(&self, cell: Cell) -> bool {
        !self.rows.get(cell.x as usize + 1, cell.y as usize + 1)
    }

    fn set_plain(&mut self, cell: Cell, is_plain: bool) {
        let (x, y) = (cell.x as usize + 1, cell.y as usize + 1);
        self.rows.set(x, y, !is_plain);
        self.columns.set(y, x, !is_plain);
    }

    /// How many steps it is from a plain cell straight on to the first that is not plain.
    fn walk(&self, from: Cell, direction: Direction) -> u32 {
        steps_to_set(&self.rows, &self.columns, from, direction)
    }

    fn bytes(&self) -> usize {
        let bits = self.rows.bytes() + self.columns.bytes() + self.landmarks.bytes();
        bits + self.memory.open.bytes()
            + self.weights.capacity() * size_of::<u32>()
            + self.memory.nodes.capacity() * size_of::<Node>()
    }
}

/// One search.
struct Search<'a> {
    costs: &'a WeightedGrid,
    grid: &'a Grid,
    rule: CostRule,
    from: Cell,
    to: Cell,
    /// The cost from the goal to each landmark.
    goal: Costs,
    /// The cost of the cheapest path so far.
    best: Fixed,
    memory: &'a mut Memory,
}

impl Search<'_> {
    /// The cost of a cheapest path.
    fn cost(mut self) -> Fixed {
        let start = self.grid.index(self.from) as u32;
        if self.from == self.to {
            return Fixed::ZERO;
        }
        let search = self.memory.search;
        self.memory.nodes[start as usize] = Node { cost: Fixed::ZERO, search, arrivals: 0, done: 0, parent: start };
        for direction in self.legal(self.from) {
            self.go(start, Fixed::ZERO, self.from, direction);
        }
        while let Some((bucket, item)) = self.memory.open.pop() {
            // One bucket past the goal's, in case rounding puts something cheaper after it.
            if bucket > self.best.bucket().saturating_add(1) {
                break;
            }
            let node = &mut self.memory.nodes[item as usize];
            let arrivals = node.arrivals & !node.done;
            node.done = node.arrivals;
            if arrivals != 0 {
                let cost = node.cost;
                self.memory.expanded += 1;
                self.expand(item, cost, arrivals);
            }
        }
        self.best
    }

    fn estimate(&self, cell: Cell) -> Fixed {
        let straight = Fixed::of(self.rule.distance(cell, self.to).times(self.costs.least));
        straight.max(self.costs.landmarks.bound(self.grid.index(cell), &self.goal))
    }

    /// The legal steps out of a cell.
    fn legal(&self, cell: Cell) -> impl Iterator<Item = Direction> + use<> {
        Direction::of(self.rule.legal_steps(self.grid.walls_around(cell)))
    }

    fn expand(&mut self, item: u32, cost: Fixed, arrivals: Directions) {
        let here = self.grid.cell(item);
        for direction in self.legal(here) {
            if Direction::of(arrivals).any(|came| !self.is_needless(here, came, direction)) {
                self.go(item, cost, here, direction);
            }
        }
    }

    /// Whether a path that enters a cell in one direction and leaves it in another could just as well have taken
    /// another route from the previous cell.
    fn is_needless(&self, here: Cell, came: Direction, direction: Direction) -> bool {
        let side = match (direction as usize + 8 - came as usize) % 8 {
            0 => return false,
            1 | 2 => 1,
            6 | 7 => 7,
            // Back, or half back on either side: the direct step is legal and costs less.
            _ => return true,
        };
        if self.rule == CostRule::Manhattan {
            return false;
        }
        let is_sharp = direction == came.turned(2 * side);
        let (before, target) = (ahead(here, came.turned(4), 1), ahead(here, direction, 1));
        let first = came.turned(side);
        let other = ahead(before, first, 1);
        if !self.grid.can_step(before, first, self.rule) {
            return false;
        }
        let step = |direction: Direction, to: Cell| Fixed::of_step(direction, self.costs.weights[self.grid.index(to)]);
        let with = step(came, here) + step(direction, target);
        if other == target {
            // A diagonal step in place of two straight ones, which costs more if the ground is heavy there.
            return step(first, other) < with;
        }
        let second = if is_sharp { first } else { came };
        let without = step(first, other) + step(second, target);
        self.grid.can_step(other, second, self.rule) && (without < with || without == with && first.is_diagonal())
    }

    /// Takes a step and jumps on across plain cells.
    fn go(&mut self, parent: u32, cost: Fixed, from: Cell, direction: Direction) {
        let mut here = ahead(from, direction, 1);
        let weight = self.costs.weights[self.grid.index(here)];
        let mut cost = cost + Fixed::of_step(direction, weight);
        let (dx, dy) = direction.delta();
        while self.costs.is_plain(here) {
            if !direction.is_diagonal() {
                return self.walk(parent, cost, here, direction, weight);
            }
            self.walk(parent, cost, here, Direction::toward(dx, 0), weight);
            self.walk(parent, cost, here, Direction::toward(0, dy), weight);
            here = ahead(here, direction, 1);
            cost = cost + Fixed::of_step(direction, weight);
        }
        self.open(parent, cost, here, direction);
    }

    /// Walks straight on from a plain cell; all cells entered have the same weight.
    fn walk(&mut self, parent: u32, cost: Fixed, from: Cell, direction: Direction, weight: u32) {
        let steps = self.costs.walk(from, direction);
        self.open(
            parent,
            cost + Fixed::of_step(direction, weight * steps),
            ahead(from, direction, steps as usize),
            direction,
        );
    }

    /// Records a path to a cell if it is the cheapest so far.
    fn open(&mut self, parent: u32, cost: Fixed, cell: Cell, direction: Direction) {
        let number = self.grid.index(cell);
        let node = &mut self.memory.nodes[number];
        let arrival = 1 << direction as u8;
        if node.search != self.memory.search || cost < node.cost {
            *node = Node { cost, search: self.memory.search, arrivals: arrival, done: 0, parent };
        } else if cost == node.cost && node.arrivals & arrival == 0 {
            node.arrivals |= arrival;
        } else {
            return;
        }
        if cell == self.to {
            self.best = cost;
        } else {
            let total = cost + self.estimate(cell);
            if total.bucket() <= self.best.bucket().saturating_add(1) {
                self.memory.open.push(total, number as u32);
            }
        }
    }
}

impl Memory {
    fn begin(&mut self, grid: &Grid) {
        let cells = grid.count();
        self.search = self.search.wrapping_add(1);
        if self.search == 0 || self.nodes.len() != cells {
            self.nodes.clear();
            self.nodes.resize(cells, Node { cost: Fixed::ZERO, search: 0, arrivals: 0, done: 0, parent: 0 });
            self.search = 1;
        }
        self.open.clear();
        self.expanded = 0;
    }

    /// Where the path that the search has found may turn: between two of these, it goes diagonally first.
    fn trace(&self, grid: &Grid, rule: CostRule, from: Cell, to: Cell) -> Waypoints {
        let parent = |here: &Cell| Some(grid.cell(self.nodes[grid.index(*here)].parent)).filter(|_| *here != from);
        let mut stops: Vec<Cell> = core::iter::successors(Some(to), parent).collect();
        stops.reverse();
        let legs = stops.windows(2).map(|pair| rule.distance(pair[0], pair[1]));
        let length = legs.fold(Length::ZERO, |sum, leg| sum + leg);
        Waypoints::new(stops, length)
    }
}
