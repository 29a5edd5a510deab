//! Flow fields: from every cell the path to the nearest of some goals, for many agents.
//!
//! A flow field is the forest that E. Dijkstra's search (*A note on two problems in connexion with graphs*, 1959) grows
//! from the goals. It stores only lengths: the next step follows from them. Its open list has buckets as wide as the
//! shortest step (R. Dial, *Algorithm 360*, 1969), so a cell taken from the first bucket is final. If all steps cost
//! the same and much of the map has to be visited, it opens only corners and the ends of links, and fills runs of cells
//! between them (see [`sweep`](crate::walks::sweep)).
//!
//! After an edit the field is repaired in place. The lengths are those of a field made from scratch.
//!
//! A link is one more step out of the cell where it is entered, and so one more step back into it when its far end is
//! settled. It costs at least as much as a step, so all of the above holds for it as well.
//!
//! | file | contents |
//! |---|---|
//! | this one | making and querying fields |
//! | `settle` | the search for the lengths |
//! | `repair` | which lengths edits change |
//! | `growing` | fields that are made in slices |
//! | `links` | the links of a field, by their ends |

pub(crate) mod growing;
mod links;
mod repair;
mod settle;

use self::links::Ends;
use self::settle::Rest;
use crate::grid::{Cell, CellRect, CostRule, Direction, Fixed, Grid, GridError, Length, Lengths, Stamp};
use crate::map::{AgentClass, Link, LinkError, PathMap, TerrainMap, Weights};
use crate::open_list::OpenList;

/// The lengths of shortest paths to the nearest of some goals, exact for every requested cell.
///
/// It reflects its map as it was when the field was made or last [repaired](Self::repair): compare
/// [`version`](Self::version) with the map's.
#[derive(Clone, Debug)]
pub struct FlowField {
    goals: Vec<Cell>,
    /// The number of steps that each goal begins with.
    starts: Vec<u16>,
    /// The index of each goal's cell, once and in order, and the length with which it begins.
    sources: Vec<(u32, Fixed)>,
    rule: CostRule,
    /// The state of the map that it reflects.
    stamp: Stamp,
    grid: Grid,
    /// By cell, row by row, the length of a shortest path: final for requested cells.
    lengths: Lengths,
    /// By cell, what entering it costs in steps; none if all cost one.
    weights: Vec<u32>,
    /// What the weights were derived from.
    weighting: Option<Weighting>,
    links: Ends,
    /// The requested cells, as given, and those of them that lie on the map.
    wanted: CellRect,
    asked: CellRect,
    /// Whether all reachable cells have been settled, not only requested ones.
    is_complete: bool,
    open: OpenList,
    /// What is left of making it.
    rest: Rest,
}

/// What the weights of a field's cells are derived from.
#[derive(Clone, Debug)]
struct Weighting {
    agent: AgentClass,
    by_kind: Weights,
    /// The state of the terrain.
    stamp: Stamp,
}

impl FlowField {
    /// The field toward `goal` for the cells of a rectangle, which may be the whole map; its part off the map is
    /// ignored. Empty if the goal is blocked or off the map.
    ///
    /// Visits every cell that is nearer to the goal than the farthest requested one, or all of them if that is faster.
    /// Reserves eight bytes for every cell of the map; if only cells near the goal are requested, most of that memory is
    /// never touched.
    #[must_use]
    pub fn new(map: &PathMap, goal: Cell, asked: CellRect) -> Self {
        Self::to_nearest(map, &[goal], asked)
    }

    /// The field toward the nearest of several goals. Those that are blocked or off the map are ignored.
    #[must_use]
    pub fn to_nearest(map: &PathMap, goals: &[Cell], asked: CellRect) -> Self {
        Self::made(map, at_zero(goals), asked, &[])
    }

    /// The field toward several goals of unequal worth: each starts with a number of steps instead of 0, as if it were
    /// that far behind its cell. The larger the number, the worse the goal. Goals that are blocked or off the map are
    /// ignored.
    ///
    /// With many goals this spreads influence, and leads away from danger:
    ///
    /// ```
    /// use quadrille_paths::{Cell, CostRule, FlowField, Grid, PathMap};
    ///
    /// let map = PathMap::new(Grid::open(30, 9)?, CostRule::Octile);
    /// // Far from the wolf is good: where it is far away, the field begins with few steps.
    /// let (wolf, sheep) = (Cell::new(8, 4), Cell::new(12, 4));
    /// let fear = FlowField::new(&map, wolf, map.grid().bounds());
    /// let starts: Vec<(Cell, u16)> = fear.iter().map(|(cell, far)| (cell, 40 - (1.2 * far.as_f64()) as u16)).collect();
    /// let flight = FlowField::with_starts(&map, &starts, map.grid().bounds());
    /// assert_eq!(flight.next(sheep).unwrap().x, 13);
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    #[must_use]
    pub fn with_starts(map: &PathMap, starts: &[(Cell, u16)], asked: CellRect) -> Self {
        Self::made(map, starts.iter().copied(), asked, &[])
    }

    /// The field toward the nearest of several goals for agents that may also take links. A link is ignored while one
    /// of its ends is blocked. [`link`](Self::link) says when the next step is a link.
    ///
    /// Always computes the whole map, because links may lead through any part of it. Takes as long as a field without
    /// links, or with hundreds of links up to about twice as long.
    ///
    /// ```
    /// use quadrille_paths::{Cell, CostRule, FlowField, Grid, Link, PathMap};
    ///
    /// let map = PathMap::new(Grid::open(30, 9)?, CostRule::Octile);
    /// let goal = Cell::new(29, 4);
    /// let teleport = Link { from: Cell::new(5, 4), to: Cell::new(27, 4), steps: 1 };
    /// let field = FlowField::linked(&map, &[goal], map.grid().bounds(), &[teleport])?;
    /// assert_eq!(field.length(Cell::new(2, 4)).unwrap().straight, 3 + 1 + 2);
    /// assert_eq!((field.link(teleport.from), field.next(teleport.from)), (Some(0), Some(teleport.to)));
    /// assert_eq!(field.link(Cell::new(2, 4)), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a link costs no step, or the links together cost more than can be counted.
    pub fn linked(map: &PathMap, goals: &[Cell], asked: CellRect, links: &[Link]) -> Result<Self, LinkError> {
        LinkError::check(links, map.grid())?;
        Ok(Self::made(map, at_zero(goals), asked, links))
    }

    /// The field toward the nearest of several goals for an agent on terrain, if entering a cell costs what the step
    /// costs times the weight of the heaviest terrain then under the agent. [`length`](Self::length) is that cost. The
    /// agent need not be of one of the classes.
    ///
    /// # Errors
    /// Returns the same errors as [`TerrainMap::cheapest_path`].
    pub fn weighted(
        map: &TerrainMap,
        agent: AgentClass,
        weights: &Weights,
        goals: &[Cell],
        asked: CellRect,
    ) -> Result<Self, GridError> {
        let starts: Vec<(Cell, u16)> = at_zero(goals).collect();
        Self::weighted_with_starts(map, agent, weights, &starts, asked)
    }

    /// The same toward goals of unequal worth, as for [`with_starts`](Self::with_starts): each starts with a number of
    /// steps over ground of weight 1.
    ///
    /// ```
    /// use quadrille_paths::{AgentClass, Cell, CostRule, FlowField, TerrainMap, TerrainSet};
    ///
    /// let sheep = AgentClass { size: 1, walkable: TerrainSet::of(&[0, 1]) };
    /// let map = TerrainMap::new((30, 9), |cell| u8::from(cell.x < 10), CostRule::Octile, &[sheep])?;
    /// let mut weights = [1; TerrainSet::KINDS as usize];
    /// weights[1] = 4; // the swamp in the west
    /// let refuges = [(Cell::new(0, 4), 0), (Cell::new(29, 4), 20)];
    /// let field = FlowField::weighted_with_starts(&map, sheep, &weights, &refuges, map.bounds())?;
    /// assert_eq!(field.next(Cell::new(12, 4)).unwrap().x, 13, "17 steps and 20, instead of 2 and 40");
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    ///
    /// # Errors
    /// The largest weight times the number of cells must fit 31 bits, together with the largest start.
    pub fn weighted_with_starts(
        map: &TerrainMap,
        agent: AgentClass,
        weights: &Weights,
        starts: &[(Cell, u16)],
        asked: CellRect,
    ) -> Result<Self, GridError> {
        let mut field = Self::blank_weighted(map, (agent, weights), starts, asked)?;
        field.make(map.paths(agent), usize::MAX);
        Ok(field)
    }

    /// The lengths from all cells to a goal, if entering a cell costs a number of steps, given by cell; also returns
    /// the weights.
    pub(crate) fn weighted_lengths(grid: &Grid, rule: CostRule, goal: Cell, weights: Vec<u32>) -> (Lengths, Vec<u32>) {
        let mut field = Self { weights, ..Self::blank(grid.clone(), rule, at_zero(&[goal]), grid.bounds()) };
        field.make(None, usize::MAX);
        (field.lengths, field.weights)
    }

    fn made(map: &PathMap, goals: impl Iterator<Item = (Cell, u16)>, asked: CellRect, links: &[Link]) -> Self {
        let mut field = Self::blank_of(map, goals, asked, links);
        field.make(Some(map), usize::MAX);
        field
    }

    /// A field without lengths.
    fn blank_of(map: &PathMap, goals: impl Iterator<Item = (Cell, u16)>, asked: CellRect, links: &[Link]) -> Self {
        let mut field = Self::blank(map.grid().clone(), map.rule(), goals, asked);
        (field.links.links, field.stamp) = (links.to_vec(), map.stamp());
        field
    }

    /// A weighted field without lengths.
    fn blank_weighted(
        map: &TerrainMap,
        (agent, weights): (AgentClass, &Weights),
        starts: &[(Cell, u16)],
        asked: CellRect,
    ) -> Result<Self, GridError> {
        let latest = starts.iter().map(|(_, start)| *start).max().unwrap_or(0);
        map.check_weights(weights, latest.into())?;
        let weighting = Weighting { agent, by_kind: *weights, stamp: map.stamp() };
        let by_cell = map.weights(agent, weights)?;
        let paths = map.paths(agent);
        let grid = paths.map_or_else(|| map.standing(agent), |paths| Ok(paths.grid().clone()))?;
        let mut field = Self::blank(grid, map.rule(), starts.iter().copied(), asked);
        (field.weights, field.weighting) = (by_cell, Some(weighting));
        field.stamp = paths.map_or(map.stamp(), PathMap::stamp);
        Ok(field)
    }

    /// A field without lengths, weights or links.
    fn blank(grid: Grid, rule: CostRule, goals: impl Iterator<Item = (Cell, u16)>, asked: CellRect) -> Self {
        let (goals, starts) = goals.unzip();
        Self {
            goals,
            starts,
            sources: Vec::new(),
            rule,
            stamp: Stamp::default(),
            grid,
            lengths: Lengths::default(),
            weights: Vec::new(),
            weighting: None,
            links: Ends::default(),
            wanted: asked,
            asked: CellRect::default(),
            is_complete: false,
            open: OpenList::default(),
            rest: Rest::Nothing,
        }
    }

    /// The first of the goals, or the cell (0, 0) if there are none.
    #[must_use]
    pub fn goal(&self) -> Cell {
        self.goals.first().copied().unwrap_or_default()
    }

    /// All goals, as given.
    #[must_use]
    pub fn goals(&self) -> &[Cell] {
        &self.goals
    }

    /// The map's version when the field was made or last repaired.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.stamp.version()
    }

    /// The length of a shortest path from a requested cell; `None` if there is none, or the cell was not requested.
    #[must_use]
    pub fn length(&self, cell: Cell) -> Option<Length> {
        let length = self.asked.contains(cell).then(|| self.lengths.get(self.grid.index(cell)))?;
        (length != Fixed::MAX).then(|| length.length())
    }

    /// All requested cells from which there is a path, row by row, with its length.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, Length)> {
        self.asked.cells().filter_map(|cell| Some((cell, self.length(cell)?)))
    }

    /// The next cell on a shortest path from a requested cell; for a goal, the goal itself; `None` as for
    /// [`length`](Self::length). Among several, the first clockwise from north; if the path continues through a
    /// [`link`](Self::link), its far end.
    ///
    /// It may lie outside the requested cells; [`path`](Self::path) continues from there.
    #[must_use]
    pub fn next(&self, cell: Cell) -> Option<Cell> {
        self.length(cell).map(|_| self.step(cell).unwrap_or(cell))
    }

    /// The link to take from a requested cell, by its index in the given list; `None` if the next cell is adjacent,
    /// and as for [`length`](Self::length).
    #[must_use]
    pub fn link(&self, cell: Cell) -> Option<usize> {
        self.length(cell)?;
        let is_over = self.is_source(self.grid.index(cell) as u32) || self.step_beside(cell).is_some();
        if is_over { None } else { self.step_by_link(cell) }
    }

    /// All cells of a shortest path from a requested cell, both ends included, and the ends of links; none if there is
    /// no path.
    pub fn path(&self, from: Cell) -> impl Iterator<Item = Cell> {
        core::iter::successors(self.next(from).map(|_| from), |cell| self.step(*cell))
    }

    /// Whether a settled cell is a goal to which no other is nearer than its own start.
    fn is_source(&self, item: u32) -> bool {
        let place = self.sources.binary_search_by_key(&item, |source| source.0);
        place.is_ok_and(|place| self.sources[place].1 == self.lengths.get(item as usize))
    }

    /// The length of the path through a link, if its far end has a length.
    fn length_by(&self, link: usize) -> Option<Fixed> {
        let Link { to, steps, .. } = self.links.links[link];
        let rest = self.lengths.get(self.grid.index(to));
        (rest != Fixed::MAX).then(|| rest + Fixed::of_step(Direction::North, steps.into()))
    }

    /// The cell after a settled one; `None` for a goal.
    fn step(&self, cell: Cell) -> Option<Cell> {
        if self.is_source(self.grid.index(cell) as u32) {
            return None;
        }
        self.step_beside(cell).or_else(|| self.step_by_link(cell).map(|link| self.links.links[link].to))
    }

    /// The link that leads on from a settled cell, if one does.
    fn step_by_link(&self, cell: Cell) -> Option<usize> {
        let length = self.lengths.get(self.grid.index(cell));
        self.links.entered_at(self.grid.index(cell) as u32).find(|link| self.length_by(*link) == Some(length))
    }

    /// The neighbor of a settled cell that comes next on its path, if one does.
    fn step_beside(&self, cell: Cell) -> Option<Cell> {
        let index = self.grid.index(cell);
        let length = self.lengths.get(index);
        let mut steps = self.grid.steps(cell, index as u32, self.rule);
        let is_nearer = |step: &(Direction, u32)| self.length_beside(*step) == Some(length);
        steps.find(is_nearer).and_then(|(direction, _)| cell.step(direction))
    }

    /// The length by way of a neighbor, if there is a path from there.
    #[inline]
    fn length_beside(&self, (direction, next): (Direction, u32)) -> Option<Fixed> {
        let rest = self.lengths.get(next as usize);
        let weight = self.weights.get(next as usize).copied().unwrap_or(1);
        (rest != Fixed::MAX).then(|| rest + Fixed::of_step(direction, weight))
    }
}

/// Goals that begin with no steps.
fn at_zero(goals: &[Cell]) -> impl Iterator<Item = (Cell, u16)> {
    goals.iter().map(|goal| (*goal, 0))
}
