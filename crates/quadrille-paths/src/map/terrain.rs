//! Maps of terrain, walked by agents of several sizes and abilities.

use core::cell::OnceCell;

use crate::grid::{Cell, CellRect, CostRule, Direction, Edits, Grid, GridError, Length, Stamp, by_patch, patches};
use crate::map::PathMap;
use crate::path::Path;
use crate::search::{AStar, Reach, ReachSearch};

/// A kind of terrain: a number that the caller chooses. Kinds from [`TerrainSet::KINDS`] up are walls for everyone.
pub type Terrain = u8;

/// A set of kinds of terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct TerrainSet(u64);

impl TerrainSet {
    /// How many kinds a set can distinguish: 0 to 63.
    pub const KINDS: u8 = 64;

    /// The set of these kinds; those from [`KINDS`](Self::KINDS) up are left out.
    #[must_use]
    pub fn of(kinds: &[Terrain]) -> Self {
        Self(kinds.iter().filter(|kind| **kind < Self::KINDS).fold(0, |bits, kind| bits | 1 << kind))
    }

    /// Whether a kind is in the set.
    #[must_use]
    pub const fn contains(self, kind: Terrain) -> bool {
        kind < Self::KINDS && self.0 >> kind & 1 == 1
    }

    /// Whether all kinds of this set are in the other.
    const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The number of kinds in the set.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no kind is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// For each kind of terrain, by what entering a cell of it is multiplied; 0 counts as 1.
pub type Weights = [u32; TerrainSet::KINDS as usize];

/// Agents of one size and ability: they share a [`PathMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AgentClass {
    /// The agent covers `size` x `size` cells; its position is its top left cell.
    pub size: u32,
    /// Where it can walk.
    pub walkable: TerrainSet,
}

impl AgentClass {
    /// The cells that it covers at a position.
    #[must_use]
    pub const fn under(self, cell: Cell) -> CellRect {
        let side = if self.size == 0 { 1 } else { self.size };
        CellRect::new(cell.x, cell.y, side, side)
    }

    /// The positions, perhaps some off the map, from which it covers a cell of a rectangle: to its left and above.
    #[must_use]
    pub fn touching(self, rect: CellRect) -> CellRect {
        rect.widened(self.size.saturating_sub(1), 0)
    }

    /// Whether it can stand and walk wherever the other can.
    fn can_follow(self, other: Self) -> bool {
        self.size.max(1) <= other.size.max(1) && other.walkable.is_subset(self.walkable)
    }
}

/// A map of terrain with a [`PathMap`] for each class of agents; edits update all of them.
#[derive(Clone, Debug)]
pub struct TerrainMap {
    width: u32,
    height: u32,
    rule: CostRule,
    /// By cell, row by row.
    terrain: Vec<Terrain>,
    classes: Vec<(AgentClass, PathMap)>,
    edits: Edits,
}

impl TerrainMap {
    /// The largest number of classes of agents: each has its own map.
    pub const MAX_CLASSES: usize = GridError::MAX_CLASSES;

    /// A map whose terrain is given by a function, called row by row, for these classes of agents; equal ones count
    /// once.
    ///
    /// # Errors
    /// Returns an error if a side exceeds [`Grid::MAX_SIDE`], or there are more than [`Grid::MAX_CELLS`] cells or
    /// [`MAX_CLASSES`](Self::MAX_CLASSES) classes.
    pub fn new(
        (width, height): (u32, u32),
        mut terrain: impl FnMut(Cell) -> Terrain,
        rule: CostRule,
        classes: &[AgentClass],
    ) -> Result<Self, GridError> {
        let mut distinct = Vec::new();
        for class in classes {
            if distinct.contains(class) {
                continue;
            }
            if distinct.len() == Self::MAX_CLASSES {
                return Err(GridError::TooManyClasses { count: classes.len() });
            }
            distinct.push(*class);
        }
        let bounds = Grid::blocked(width, height)?.bounds();
        let terrain = bounds.cells().map(&mut terrain).collect();
        let mut map = Self { width, height, rule, terrain, classes: Vec::new(), edits: Edits::new(width, height) };
        for class in distinct {
            map.add_class(class)?;
        }
        Ok(map)
    }

    /// Makes a map for a class of agents, unless it has one.
    ///
    /// # Errors
    /// Returns an error if there are [`MAX_CLASSES`](Self::MAX_CLASSES) classes already.
    pub fn add_class(&mut self, class: AgentClass) -> Result<(), GridError> {
        if self.paths(class).is_some() {
            return Ok(());
        }
        if self.classes.len() == Self::MAX_CLASSES {
            return Err(GridError::TooManyClasses { count: Self::MAX_CLASSES + 1 });
        }
        self.classes.push((class, PathMap::new(self.standing(class)?, self.rule)));
        Ok(())
    }

    /// The whole map.
    #[must_use]
    pub const fn bounds(&self) -> CellRect {
        CellRect::new(0, 0, self.width, self.height)
    }

    /// Which steps are legal and what they cost.
    #[must_use]
    pub const fn rule(&self) -> CostRule {
        self.rule
    }

    /// The classes of agents, in the order in which they were given.
    pub fn classes(&self) -> impl Iterator<Item = AgentClass> {
        self.classes.iter().map(|(class, _)| *class)
    }

    /// The terrain of a cell, if it lies on the map.
    #[must_use]
    pub fn terrain(&self, cell: Cell) -> Option<Terrain> {
        (cell.x < self.width && cell.y < self.height).then(|| self.kind(cell))
    }

    /// The map of a class of agents; `None` if exactly this class is not among those given.
    /// [`class_for`](Self::class_for) finds a class whose map will do.
    ///
    /// ```
    /// use quadrille_paths::{AgentClass, CostRule, TerrainMap, TerrainSet};
    ///
    /// let class = |kinds: &[u8]| AgentClass { size: 1, walkable: TerrainSet::of(kinds) };
    /// let map = TerrainMap::new((9, 9), |_| 0, CostRule::Octile, &[class(&[0]), class(&[0, 1])])?;
    /// // No class walks on terrain 2, so this agent gets the paths of a class that avoids it.
    /// let agent = class(&[0, 1, 2]);
    /// assert!(map.paths(agent).is_none());
    /// assert_eq!(map.class_for(agent), Some(class(&[0, 1])));
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    #[must_use]
    pub fn paths(&self, agent: AgentClass) -> Option<&PathMap> {
        self.classes.iter().find(|(class, _)| *class == agent).map(|(_, map)| map)
    }

    /// The class whose paths this agent can use: its own class if it is there, otherwise, of the classes of its size
    /// that walk on fewer kinds of terrain, the one with the most kinds, the earliest among equals. The paths may be
    /// longer than the agent's own would be.
    #[must_use]
    pub fn class_for(&self, agent: AgentClass) -> Option<AgentClass> {
        let fits = |class: &AgentClass| class.size == agent.size && class.walkable.is_subset(agent.walkable);
        let fitting = self.classes.iter().rev().map(|(class, _)| *class).filter(fits);
        fitting.max_by_key(|class| class.walkable.len())
    }

    /// A cheapest path for an agent, if entering a cell costs what the step costs times the weight of the heaviest
    /// terrain then under the agent, and its cost in counted steps. `None` as for [`PathMap::path`].
    ///
    /// `weights` are by kind of terrain; a weight of 0 counts as 1. This is plain A*: exact, but slow. For many paths
    /// of one agent see [`WeightedPaths`](crate::WeightedPaths). The agent need not be of one of the classes: if it is
    /// not, the terrain is examined cell by cell, which takes longer, but no memory. If there is no path even for a
    /// class that can stand wherever the agent can, the call returns at once.
    ///
    /// ```
    /// use quadrille_paths::{AStar, AgentClass, Cell, CostRule, TerrainMap, TerrainSet};
    ///
    /// let map = TerrainMap::new((9, 9), |cell| u8::from(cell.x == 4), CostRule::Octile, &[])?;
    /// let ends = (Cell::new(0, 0), Cell::new(8, 0));
    /// let mut path = |kinds: &[u8]| {
    ///     let agent = AgentClass { size: 1, walkable: TerrainSet::of(kinds) };
    ///     map.cheapest_path(agent, &[1; 64], ends, &mut AStar::new())
    /// };
    /// assert!(path(&[0])?.is_none());
    /// assert_eq!(path(&[0, 1])?.unwrap().1.straight, 8);
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the largest weight times the number of cells exceeds 31 bits, in which costs are counted.
    pub fn cheapest_path(
        &self,
        agent: AgentClass,
        weights: &Weights,
        ends: (Cell, Cell),
        astar: &mut AStar,
    ) -> Result<Option<(Path, Length)>, GridError> {
        self.check_weights(weights, 0)?;
        let mut wider = self.classes.iter().filter(|(class, _)| class.can_follow(agent));
        if !wider.all(|(_, paths)| paths.is_reachable(ends.0, ends.1)) {
            return Ok(None);
        }
        let least = weights.iter().copied().min().unwrap_or(1).max(1);
        let (paths, under) = (self.paths(agent), self.by_tile(agent, weights));
        let weight = |index: usize| under(self.bounds().cell(index as u32));
        let can_stand = |cell| self.bounds().contains(cell) && under(cell) > 0;
        let walls_around = |cell: Cell| {
            let is_wall = |direction: &Direction| !cell.step(*direction).is_some_and(can_stand);
            let looked_at =
                || Direction::ALL.into_iter().filter(is_wall).fold(0, |walls, wall| walls | 1 << wall as u8);
            paths.map_or_else(looked_at, |paths| paths.grid().walls_around(cell))
        };
        Ok(astar.cheapest((self.bounds(), can_stand, walls_around), self.rule, ends, least, weight))
    }

    /// The cells that an agent can reach at a cost of at most `budget`: [`PathMap::reach`], with the costs of
    /// [`cheapest_path`](Self::cheapest_path). The agent need not be of one of the classes.
    ///
    /// # Errors
    /// Returns the same errors as [`cheapest_path`](Self::cheapest_path).
    pub fn reach(
        &self,
        agent: AgentClass,
        weights: &Weights,
        budget: (Cell, f64, CellRect),
    ) -> Result<Reach, GridError> {
        Ok(self.reaching(agent, weights, budget)?.found())
    }

    /// Begins a search for what can be reached.
    pub(crate) fn reaching(
        &self,
        agent: AgentClass,
        weights: &Weights,
        asked: (Cell, f64, CellRect),
    ) -> Result<ReachSearch, GridError> {
        self.check_weights(weights, 0)?;
        let reach = Reach::none(self.rule, asked, self.bounds());
        let bounds = reach.bounds();
        let at = |cell: Cell| Cell::new(bounds.x + cell.x, bounds.y + cell.y);
        let part = match self.paths(agent) {
            Some(paths) => paths.grid().part(bounds),
            None => {
                let can_stand = self.can_stand_in(agent, bounds);
                Grid::from_fn(bounds.width, bounds.height, |cell| can_stand(at(cell)))?
            }
        };
        let by_cell = self.weights_in(agent, weights, bounds);
        Ok(ReachSearch::new(reach, part, by_cell, None))
    }

    /// [`PathMap::would_close`] for a class of agents, if a rectangle became terrain of some kind. `None` for a class
    /// without a map.
    #[must_use]
    pub fn would_close(
        &mut self,
        agent: AgentClass,
        (rect, kind): (CellRect, Terrain),
        from: &[Cell],
        to: Cell,
    ) -> Option<usize> {
        let rect = rect.clamped(self.width, self.height);
        let before: Vec<Terrain> = rect.cells().map(|cell| self.kind(cell)).collect();
        self.lay(rect, &mut |_| kind);
        let place = self.classes.iter().position(|(class, _)| *class == agent);
        let closed = place.and_then(|place| {
            let rect = agent.touching(rect).clamped(self.width, self.height);
            let mut can_stand = self.can_stand_in(agent, rect);
            self.classes[place].1.would_close_by(rect, &mut can_stand, from, to)
        });
        let mut before = before.into_iter();
        self.lay(rect, &mut |_| before.next().unwrap_or(kind));
        closed
    }

    /// The number of edits so far that changed something.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.edits.stamp().version()
    }

    /// The current state of this terrain.
    pub(crate) const fn stamp(&self) -> Stamp {
        self.edits.stamp()
    }

    /// Rectangles that contain all positions of an agent at which something under it has changed since then; `None` on
    /// another map.
    pub(crate) fn edits_since(&self, then: Stamp, agent: AgentClass) -> Option<Vec<CellRect>> {
        let edits = self.edits.since(then)?.into_iter();
        Some(edits.map(|rect| agent.touching(rect)).collect())
    }

    /// By cell, the weight of the heaviest terrain under an agent there.
    pub(crate) fn weights(&self, agent: AgentClass, weights: &Weights) -> Result<Vec<u32>, GridError> {
        self.check_weights(weights, 0)?;
        Ok(self.weights_in(agent, weights, self.bounds()))
    }

    /// The weights of the cells of a rectangle on the map, row by row. In time proportional to it and its surroundings,
    /// however large the agent is but for a logarithm: the heaviest under it across, then down, over twice as many cells
    /// at a time.
    fn weights_in(&self, agent: AgentClass, weights: &Weights, rect: CellRect) -> Vec<u32> {
        let size = agent.size.min(self.width.max(self.height)).max(1);
        let held = self.under_all(agent, rect);
        let mut heaviest: Vec<u32> = held.cells().map(|cell| weight_of(weights, self.kind(cell))).collect();
        let (mut side, width) = (1, held.width.max(1) as usize);
        while side < size {
            let more = side.min(size - side);
            heaviest.chunks_mut(width).for_each(|row| raise(row, more as usize));
            raise(&mut heaviest, more as usize * width);
            side += more;
        }
        rect.cells().map(|cell| heaviest[held.index(cell)]).collect()
    }

    /// Brings weights by cell up to date where an agent can stand, in some [parts](Self::parts). Returns whether one of
    /// them has become less.
    pub(crate) fn renew_weights(
        &self,
        (agent, weights): (AgentClass, &Weights),
        standing: &Grid,
        parts: &[CellRect],
        by_cell: &mut [u32],
    ) -> bool {
        let mut is_less = false;
        let renewed = parts.iter().flat_map(|rect| rect.cells().zip(self.weights_in(agent, weights, *rect)));
        for (cell, weight) in renewed.filter(|(cell, _)| standing.is_free(*cell)) {
            is_less |= weight < core::mem::replace(&mut by_cell[self.index(cell)], weight);
        }
        is_less
    }

    /// The parts of an agent's rectangles that lie on the map; all of it if they are unknown, or more cells than the map has
    /// are under the agent there.
    pub(crate) fn parts(&self, agent: AgentClass, edits: Option<&[CellRect]>) -> Vec<CellRect> {
        let clamped = |rect: &CellRect| rect.clamped(self.width, self.height);
        let read = |parts: &[CellRect]| parts.iter().map(|part| self.under_all(agent, *part).count()).sum::<usize>();
        let parts = edits.map(|edits| edits.iter().map(clamped).collect::<Vec<CellRect>>());
        parts.filter(|parts| read(parts) <= self.terrain.len()).unwrap_or_else(|| vec![self.bounds()])
    }

    /// Where an agent can stand.
    pub(crate) fn standing(&self, agent: AgentClass) -> Result<Grid, GridError> {
        self.standing_within(agent, self.bounds())
    }

    /// The weight of a cell on the map for an agent, 0 where it cannot stand. What is under large ones is worked out for a
    /// tile of cells when the first of them is asked for.
    fn by_tile(&self, agent: AgentClass, weights: &Weights) -> impl Fn(Cell) -> u32 {
        let weight_in = move |rect: CellRect| {
            let can_stand = self.can_stand_in(agent, rect);
            let by_cell = rect.cells().zip(self.weights_in(agent, weights, rect));
            by_cell.map(|(cell, weight)| if can_stand(cell) { weight } else { 0 }).collect::<Vec<u32>>()
        };
        let side = agent.size.max(TILE);
        let (columns, rows) = (self.width.div_ceil(side), self.height.div_ceil(side));
        let tiles = vec![OnceCell::new(); if agent.size > 1 { (columns * rows) as usize } else { 0 }];
        move |cell| match tiles.get((cell.y / side * columns + cell.x / side) as usize) {
            Some(tile) => {
                let at = |place: u32| place / side * side;
                let rect = CellRect::new(at(cell.x), at(cell.y), side, side).clamped(self.width, self.height);
                tile.get_or_init(|| weight_in(rect))[rect.index(cell)]
            }
            None => {
                let kind = self.kind(cell);
                if agent.walkable.contains(kind) { weight_of(weights, kind) } else { 0 }
            }
        }
    }

    /// Fails if costs might not fit 31 bits, for paths of which some begin with a number of steps.
    pub(crate) fn check_weights(&self, weights: &Weights, start: u64) -> Result<(), GridError> {
        let weight = weights.iter().copied().max().unwrap_or(1);
        let cells = self.terrain.len() as u64;
        let is_too_heavy = cells.saturating_mul(u64::from(weight)).saturating_add(start) > GridError::MAX_COST;
        if is_too_heavy { Err(GridError::TooHeavy { weight, cells }) } else { Ok(()) }
    }

    /// Changes the terrain of one cell. Returns whether that changed anything; off the map it does not.
    pub fn set(&mut self, cell: Cell, kind: Terrain) -> bool {
        self.edit(CellRect::one(cell), |_| kind)
    }

    /// Changes the terrain of the part of a rectangle that lies on the map. Returns whether that changed anything.
    pub fn fill(&mut self, rect: CellRect, kind: Terrain) -> bool {
        self.edit(rect, |_| kind)
    }

    /// Sets the terrain of the part of a rectangle that lies on the map by a function. Returns whether that changed
    /// anything.
    pub fn edit(&mut self, rect: CellRect, mut kind: impl FnMut(Cell) -> Terrain) -> bool {
        let rect = rect.clamped(self.width, self.height);
        let is_changed = self.lay(rect, &mut kind);
        if is_changed {
            self.update_classes(rect);
            self.edits.note(rect);
        }
        is_changed
    }

    /// Changes the terrain of some cells; those off the map are ignored. Returns how many changed. As
    /// [`PathMap::edit_cells`], for what does not fill a rectangle. The function may be called twice for a cell, and must
    /// say the same of it.
    ///
    /// ```
    /// use quadrille_paths::{AgentClass, Cell, CostRule, TerrainMap, TerrainSet};
    ///
    /// let walker = AgentClass { size: 1, walkable: TerrainSet::of(&[0]) };
    /// let mut map = TerrainMap::new((30, 20), |_| 0, CostRule::Octile, &[walker])?;
    /// let craters = [Cell::new(4, 4), Cell::new(25, 9), Cell::new(4, 4)];
    /// assert_eq!(map.edit_cells(&craters, |_| 7), 2);
    /// assert!(!map.paths(walker).unwrap().grid().is_free(craters[1]));
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    pub fn edit_cells(&mut self, cells: &[Cell], mut kind: impl FnMut(Cell) -> Terrain) -> usize {
        let bounds = self.bounds();
        let mut changes = |cell: &Cell| bounds.contains(*cell) && self.kind(*cell) != kind(*cell);
        let changed = by_patch(cells.iter().copied().filter(&mut changes).collect());
        for patch in patches(&changed) {
            let Some(rect) = CellRect::holding(patch.iter().copied()) else { continue };
            let before: Vec<Terrain> = rect.cells().map(|cell| self.kind(cell)).collect();
            self.edit(rect, |cell| if patch.contains(&cell) { kind(cell) } else { before[rect.index(cell)] });
        }
        changed.len()
    }

    /// Sets the kinds of a rectangle on the map, row by row, without updating anything else. Returns whether that
    /// changed anything.
    fn lay(&mut self, rect: CellRect, kind: &mut dyn FnMut(Cell) -> Terrain) -> bool {
        let mut is_changed = false;
        for cell in rect.cells() {
            let (index, kind) = (self.index(cell), kind(cell));
            is_changed |= core::mem::replace(&mut self.terrain[index], kind) != kind;
        }
        is_changed
    }

    /// [`PathMap::maintain`] for all classes.
    pub fn maintain(&mut self) {
        for (_, map) in &mut self.classes {
            map.maintain();
        }
    }

    /// [`PathMap::maintain_for`] for all classes, each with its share of the work. Returns whether a landmark is not
    /// finished.
    pub fn maintain_for(&mut self, corners: u64) -> bool {
        let share = corners.div_ceil(self.classes.len().max(1) as u64);
        self.classes.iter_mut().fold(false, |is_begun, (_, map)| map.maintain_for(share) | is_begun)
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.terrain.capacity()
            + self.edits.bytes()
            + self.classes.iter().map(|(_, map)| size_of::<(AgentClass, PathMap)>() + map.bytes()).sum::<usize>()
    }

    /// Brings the maps of all classes up to date.
    fn update_classes(&mut self, rect: CellRect) {
        for place in 0..self.classes.len() {
            let class = self.classes[place].0;
            let rect = class.touching(rect).clamped(self.width, self.height);
            let can_stand = self.can_stand_in(class, rect);
            self.classes[place].1.edit(rect, can_stand);
        }
    }

    /// Whether everything under an agent at a position in a rectangle on the map is on the map and walkable for it. Each
    /// cell is looked at once.
    pub(crate) fn can_stand_in(&self, agent: AgentClass, rect: CellRect) -> impl Fn(Cell) -> bool + use<> {
        let standing = self.standing_within(agent, self.under_all(agent, rect));
        move |cell| standing.as_ref().is_ok_and(|grid| grid.is_free(Cell::new(cell.x - rect.x, cell.y - rect.y)))
    }

    /// Where an agent can stand within a rectangle on the map.
    fn standing_within(&self, agent: AgentClass, rect: CellRect) -> Result<Grid, GridError> {
        let is_walkable = |cell: Cell| agent.walkable.contains(self.kind(Cell::new(rect.x + cell.x, rect.y + cell.y)));
        Ok(Grid::from_fn(rect.width, rect.height, is_walkable)?.with_clearance(agent.size))
    }

    /// The cells on the map under an agent at any position in a rectangle.
    fn under_all(&self, agent: AgentClass, rect: CellRect) -> CellRect {
        rect.widened(0, agent.size.saturating_sub(1)).clamped(self.width, self.height)
    }

    /// The terrain of a cell on the map.
    pub(crate) fn kind(&self, cell: Cell) -> Terrain {
        #[cfg(test)]
        crate::open_list::work::note();
        self.terrain[self.index(cell)]
    }

    const fn index(&self, cell: Cell) -> usize {
        self.bounds().index(cell)
    }
}

/// The side of the tiles of cells for which a search works out what is under agents, if they are not larger.
const TILE: u32 = 16;

/// What a kind of terrain weighs.
fn weight_of(weights: &Weights, kind: Terrain) -> u32 {
    weights.get(usize::from(kind)).copied().unwrap_or(1).max(1)
}

/// Gives each cell the weight of the one so many cells behind it, if that is heavier.
fn raise(weights: &mut [u32], ahead: usize) {
    for at in ahead..weights.len() {
        weights[at - ahead] = weights[at - ahead].max(weights[at]);
    }
}
