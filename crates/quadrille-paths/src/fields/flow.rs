//! Flow fields: from every cell the path to the nearest of some goals, for many agents.
//!
//! A flow field is the forest that E. Dijkstra's search (*A note on two problems in connexion with graphs*, 1959) grows
//! from the goals. It stores only lengths: the next step is read off them. Its open list has buckets as wide as the
//! shortest step (R. Dial, *Algorithm 360*, 1969), so a cell that comes out of the first bucket is final. Where all
//! cells of the map are asked for and cost the same, the search opens only corners and lays runs of cells between them
//! (see [`sweep`](crate::walks::sweep)).
//!
//! After an edit the field is repaired in place: cells whose length no neighbor accounts for any more lose it, nearest
//! to the goals first, and the search goes on from what is left around them, and from around the edit (G. Ramalingam
//! and T. Reps, *An Incremental Algorithm for a Generalization of the Shortest-Path Problem*, 1996). The lengths are
//! those of a field made from scratch.
//!
//! A link is one more way out of the cell where it is entered, and so one more way back into it when its far end is
//! settled. It costs at least a step, so all of the above holds for it as well.

use core::ops::Range;

use crate::grid::cell::{Cell, CellRect, Direction};
use crate::grid::cost::{CostRule, Length};
use crate::grid::edits::Stamp;
use crate::grid::fixed::Fixed;
use crate::grid::lengths::Lengths;
use crate::grid::{Grid, GridError};
use crate::map::PathMap;
use crate::map::links::{Link, LinkError};
use crate::map::terrain::{AgentClass, TerrainMap, TerrainSet};
use crate::open_list::OpenList;
use crate::walks::sweep::Sweep;

/// The lengths of shortest paths to the nearest of some goals, exact for every requested cell.
///
/// It shows its map as it was when the field was made or last [repaired](Self::repair): compare
/// [`version`](Self::version) with the map's.
#[derive(Clone, Debug)]
pub struct FlowField {
    goals: Vec<Cell>,
    /// With how many steps each of them begins.
    starts: Vec<u16>,
    /// The number of each goal's cell on the map, once and in order, and the length with which it begins.
    sources: Vec<(u32, Fixed)>,
    rule: CostRule,
    /// The map that it is a picture of.
    stamp: Stamp,
    grid: Grid,
    /// By cell, row by row, the length of a shortest path: final for asked cells.
    lengths: Lengths,
    /// By cell, what entering it costs in steps; none where all cost one.
    weights: Vec<u32>,
    /// Where the weights are from.
    weighting: Option<Weighting>,
    links: Ends,
    /// The cells asked for, as given, and those of them that lie on the map.
    wanted: CellRect,
    asked: CellRect,
    /// Whether all cells that can be reached have been settled, not only asked ones.
    is_complete: bool,
    open: OpenList,
}

/// If more than one in this many cells has changed, making a field from scratch takes no longer than a repair.
const WORTH_A_SWEEP: usize = 32;
/// The same of a field with weights or links, which takes longer to make.
const WORTH_A_SEARCH: usize = 4;

/// The links of a field, found by the cells of their ends. Those with an end off the map are left out.
#[derive(Clone, Debug, Default)]
struct Ends {
    links: Vec<Link>,
    /// Cells, each with the number of a link that begins or ends there, sorted.
    entries: Vec<(u32, usize)>,
    exits: Vec<(u32, usize)>,
}

/// What the weights of a field's cells follow from.
#[derive(Clone, Debug)]
struct Weighting {
    agent: AgentClass,
    by_kind: [u32; TerrainSet::KINDS as usize],
    /// The terrain that they are of.
    stamp: Stamp,
}

impl FlowField {
    /// The field toward `goal` for the cells of a rectangle, which may be the whole map; its part off the map is
    /// ignored. Empty if the goal is blocked or off the map.
    ///
    /// Visits every cell that is nearer to the goal than the farthest requested one, and reserves eight bytes for every
    /// cell of the map; if only a small part of a large map is requested, most of that memory is never touched.
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
    /// that far behind its cell. The worse a goal, the larger the number. Goals that are blocked or off the map are
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
    /// Always computes the whole map, because links may lead through any part of it. Takes somewhat longer than a field
    /// without links; the number of links matters little.
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
    /// If a link costs no step, or the links together cost more than can be counted.
    pub fn linked(map: &PathMap, goals: &[Cell], asked: CellRect, links: &[Link]) -> Result<Self, LinkError> {
        LinkError::check(links, map.grid())?;
        Ok(Self::made(map, at_zero(goals), asked, links))
    }

    /// The field toward the nearest of several goals for an agent on terrain, where entering a cell costs what the step
    /// costs times the weight of the heaviest terrain then under the agent. [`length`](Self::length) is that cost. The
    /// agent need not be of one of the classes.
    ///
    /// # Errors
    /// As for [`TerrainMap::cheapest_path`].
    pub fn weighted(
        map: &TerrainMap,
        agent: AgentClass,
        weights: &[u32; TerrainSet::KINDS as usize],
        goals: &[Cell],
        asked: CellRect,
    ) -> Result<Self, GridError> {
        let weighting = Weighting { agent, by_kind: *weights, stamp: map.stamp() };
        let by_cell = map.weights(agent, weights)?;
        let paths = map.paths(agent);
        let grid = paths.map_or_else(|| map.standing(agent), |paths| Ok(paths.grid().clone()))?;
        let mut field = Self::blank(grid, map.rule(), at_zero(goals), asked);
        (field.weights, field.weighting) = (by_cell, Some(weighting));
        field.stamp = paths.map_or(map.stamp(), PathMap::stamp);
        field.make(paths);
        Ok(field)
    }

    /// The lengths from all cells to a goal, where entering a cell costs a number of steps, given by cell; the weights
    /// are given back.
    pub(crate) fn weighted_lengths(grid: &Grid, rule: CostRule, goal: Cell, weights: Vec<u32>) -> (Lengths, Vec<u32>) {
        let mut field = Self { weights, ..Self::blank(grid.clone(), rule, at_zero(&[goal]), grid.bounds()) };
        field.make(None);
        (field.lengths, field.weights)
    }

    fn made(map: &PathMap, goals: impl Iterator<Item = (Cell, u16)>, asked: CellRect, links: &[Link]) -> Self {
        let mut field = Self::blank(map.grid().clone(), map.rule(), goals, asked);
        (field.links.links, field.stamp) = (links.to_vec(), map.stamp());
        field.make(Some(map));
        field
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
        }
    }

    /// The first of the goals, or of no goals the cell (0, 0).
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

    /// The link to take from a requested cell, by its index in the given list; `None` where the next cell is adjacent,
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

    /// Brings the field up to date with its map after edits. Returns whether the map has changed.
    ///
    /// The cost depends on how many cells have changed their length: for a door, a small part of making the field. If
    /// there are many, if the map no longer remembers all edits since, or if the field covers only a part of the map,
    /// it is made from scratch. Weights stay as they were.
    ///
    /// On another map, a clone included, it is made from scratch for the same goals and cells. If that is impossible,
    /// because it has the weights of some terrain, or links that together would be too long, no cell has a length.
    pub fn repair(&mut self, map: &PathMap) -> bool {
        let is_changed = self.stamp != map.stamp();
        if !is_changed {
            return false;
        }
        let can_move = self.weights.is_empty() && LinkError::check(&self.links.links, map.grid()).is_ok();
        if can_move || self.stamp.is_same_map(map.stamp()) {
            let edits = map.edits().since(self.stamp);
            self.show(map);
            self.catch_up(Some(map), edits);
        } else {
            self.void(map.stamp());
        }
        true
    }

    /// The same for a [weighted](Self::weighted) field, whose weights follow the terrain. One that is not weighted
    /// stays as it is.
    ///
    /// On another map no cell has a length if it is too large for the weights.
    pub fn repair_weighted(&mut self, map: &TerrainMap) -> bool {
        let Some(weighting) = self.weighting.as_mut().filter(|weighting| weighting.stamp != map.stamp()) else {
            return false;
        };
        let (agent, by_kind) = (weighting.agent, weighting.by_kind);
        let then = core::mem::replace(&mut weighting.stamp, map.stamp());
        if !then.is_same_map(map.stamp()) {
            match Self::weighted(map, agent, &by_kind, &self.goals, self.wanted) {
                Ok(renewed) => *self = renewed,
                Err(_) => self.void(self.stamp),
            }
            return true;
        }
        let (edits, paths) = (map.edits_since(then, agent), map.paths(agent));
        let parts = map.parts(edits.as_deref());
        if let Some(paths) = paths {
            self.show(paths);
        } else {
            for cell in parts.iter().copied().flat_map(CellRect::cells) {
                self.grid.set(cell, map.can_stand(agent, cell));
            }
            self.stamp = map.stamp();
        }
        map.renew_weights((agent, &by_kind), &self.grid, &parts, &mut self.weights);
        self.catch_up(paths, edits);
        true
    }

    /// Takes the length from every cell: there can be no such field on this map.
    fn void(&mut self, stamp: Stamp) {
        self.stamp = stamp;
        self.is_complete = false;
        self.lengths = Lengths::none(self.lengths.len());
        if let Some(weighting) = &mut self.weighting {
            weighting.stamp = Stamp::default();
        }
    }

    /// Takes over the cells of a map.
    fn show(&mut self, map: &PathMap) {
        (self.grid, self.rule, self.stamp) = (map.grid().clone(), map.rule(), map.stamp());
    }

    /// Brings the lengths up to date after edits within some rectangles, or unknown ones.
    fn catch_up(&mut self, map: Option<&PathMap>, edits: Option<Vec<CellRect>>) {
        let most = self.lengths.len() / if self.is_plain() { WORTH_A_SWEEP } else { WORTH_A_SEARCH };
        let is_mended = edits.filter(|_| self.is_complete).is_some_and(|edits| self.mend(&edits, most));
        if !is_mended {
            self.make(map);
        }
    }

    /// Makes the field from scratch, on cells of whatever number. With their map, if there is one, it is done sooner.
    fn make(&mut self, map: Option<&PathMap>) {
        self.asked = self.wanted.clamped(self.grid.width(), self.grid.height());
        self.links = Ends::new(core::mem::take(&mut self.links.links), &self.grid);
        self.sources = self.sources_on_map();
        self.open.clear();
        self.is_complete = self.asked == self.grid.bounds() || !self.links.links.is_empty();
        if self.is_complete {
            self.lengths.renew(self.grid.count());
        } else {
            self.lengths = Lengths::none(self.grid.count());
        }
        self.start(map);
    }

    /// Finds the lengths that edits have changed; gives up, and returns false, if these are more than `most`.
    fn mend(&mut self, edits: &[CellRect], most: usize) -> bool {
        let Some(lost) = self.lose(edits, most) else { return false };
        for &index in &lost {
            self.reopen(index);
        }
        for rect in edits {
            for cell in rect.widened(1, 1).clamped(self.grid.width(), self.grid.height()).cells() {
                let index = self.grid.index(cell);
                if self.grid.is_free(cell) && self.lengths.get(index) == Fixed::MAX {
                    self.reopen(index as u32);
                } else if self.grid.is_free(cell) {
                    // Steps from here may have become legal.
                    self.open.push(self.lengths.get(index), index as u32);
                }
            }
        }
        self.open_goals();
        self.grow(most)
    }

    /// Whether all steps cost the same, and there are no others.
    fn is_plain(&self) -> bool {
        self.weights.is_empty() && self.links.links.is_empty()
    }

    /// Settles the requested cells, from the goals outward.
    fn start(&mut self, map: Option<&PathMap>) {
        if let Some(map) = map.filter(|_| self.is_complete && self.is_plain()) {
            let sources = self.sources.iter().map(|(item, start)| (self.grid.cell(*item), *start));
            let free = sources.filter(|(cell, _)| self.grid.is_free(*cell));
            return Sweep::lay(&self.grid, map.walks(), free, &mut self.lengths);
        }
        self.open_goals();
        if self.is_complete {
            self.grow(usize::MAX);
            return;
        }
        self.grow_until(map.map_or_else(|| self.count_free(), |map| self.count_connected(map)));
        self.open.clear();
    }

    /// How many requested cells are connected to a goal.
    fn count_connected(&self, map: &PathMap) -> u64 {
        let components = map.components();
        let labels = self.goals.iter().filter_map(|goal| components.label(*goal));
        let mut labels: Vec<u64> = labels.map(u64::from).collect();
        labels.sort_unstable();
        labels.dedup();
        labels.into_iter().map(|label| components.count_cells(label as u32, self.asked)).sum()
    }

    /// How many requested cells may at most be connected to a goal.
    fn count_free(&self) -> u64 {
        self.asked.cells().filter(|cell| self.grid.is_free(*cell)).count() as u64
    }

    fn open_goals(&mut self) {
        for source in 0..self.sources.len() {
            let (item, start) = self.sources[source];
            if self.grid.is_free(self.grid.cell(item)) {
                self.relax(item, start);
            }
        }
    }

    /// The goals on the map by their numbers, each with the least length with which it begins.
    fn sources_on_map(&self) -> Vec<(u32, Fixed)> {
        let goals = self.goals.iter().zip(&self.starts).filter(|(goal, _)| self.grid.contains(**goal));
        let mut sources: Vec<u64> =
            goals.map(|(goal, steps)| (self.grid.index(*goal) as u64) << 16 | u64::from(*steps)).collect();
        sources.sort_unstable();
        sources.dedup_by_key(|source| *source >> 16);
        let start = |steps: u16| Fixed::of_step(Direction::North, steps.into());
        sources.into_iter().map(|source| ((source >> 16) as u32, start(source as u16))).collect()
    }

    /// Whether a settled cell is a goal to which no other is nearer than its own start.
    fn is_source(&self, item: u32) -> bool {
        let place = self.sources.binary_search_by_key(&item, |source| source.0);
        place.is_ok_and(|place| self.sources[place].1 == self.lengths.get(item as usize))
    }

    /// Settles cells in the order of their lengths. One that was opened twice in its bucket is settled twice, for
    /// nothing. Returns false if it has settled `most` and others are left.
    fn grow(&mut self, mut most: usize) -> bool {
        while let Some((bucket, item)) = self.open.pop() {
            let here = self.lengths.get(item as usize);
            // A cell that was opened again with a shorter length has been settled since.
            if here.bucket() == bucket {
                if most == 0 {
                    return false;
                }
                most -= 1;
                self.relax_neighbors(item, here);
            }
        }
        true
    }

    /// The same, until a number of requested cells are settled.
    fn grow_until(&mut self, mut missing: u64) {
        let mut is_settled = vec![false; self.lengths.len()];
        while missing > 0 {
            let Some((_, item)) = self.open.pop() else { return };
            if !core::mem::replace(&mut is_settled[item as usize], true) {
                missing -= u64::from(self.asked.contains(self.grid.cell(item)));
                self.relax_neighbors(item, self.lengths.get(item as usize));
            }
        }
    }

    #[inline]
    fn relax_neighbors(&mut self, item: u32, here: Fixed) {
        let weight = self.weights.get(item as usize).copied().unwrap_or(1);
        let mut legal = self.rule.legal_steps(self.grid.walls_around(self.grid.cell(item)));
        while legal != 0 {
            let direction = Direction::ALL[legal.trailing_zeros() as usize];
            legal &= legal - 1;
            let next = self.beside(item, direction);
            self.relax(next, here + Fixed::of_step(direction, weight));
        }
        for place in Ends::at(&self.links.exits, item) {
            let Link { from, steps, .. } = self.links.links[self.links.exits[place].1];
            if self.grid.is_free(from) {
                self.relax(self.grid.index(from) as u32, here + Fixed::of_step(Direction::North, steps.into()));
            }
        }
    }

    #[inline]
    fn relax(&mut self, item: u32, length: Fixed) {
        if length < self.lengths.get(item as usize) {
            self.lengths.set(item as usize, length);
            self.open.push(length, item);
        }
    }

    /// Takes the length from every cell that has lost its way to a goal by some edits, and returns those cells; `None`
    /// if these are more than `most`.
    fn lose(&mut self, edits: &[CellRect], most: usize) -> Option<Vec<u32>> {
        let mut lost = Vec::new();
        for rect in edits {
            for cell in rect.widened(1, 1).clamped(self.grid.width(), self.grid.height()).cells() {
                let index = self.grid.index(cell);
                if self.lengths.get(index) != Fixed::MAX {
                    self.open.push(self.lengths.get(index), index as u32);
                }
            }
        }
        while let Some((_, item)) = self.open.pop() {
            let (cell, here) = (self.grid.cell(item), self.lengths.get(item as usize));
            if here == Fixed::MAX || self.grid.is_free(cell) && (self.is_source(item) || self.step(cell).is_some()) {
                continue;
            }
            self.lengths.set(item as usize, Fixed::MAX);
            lost.push(item);
            if lost.len() > most {
                return None;
            }
            // Paths through this cell are longer than its own. Steps that an edit made illegal lead to cells opened
            // above.
            for direction in self.legal_directions(cell) {
                self.doubt(self.beside(item, direction), here);
            }
            for place in Ends::at(&self.links.exits, item) {
                let Link { from, .. } = self.links.links[self.links.exits[place].1];
                self.doubt(self.grid.index(from) as u32, here);
            }
        }
        Some(lost)
    }

    /// Opens a cell if its path may have led through one that has lost a shorter length.
    fn doubt(&mut self, item: u32, lost: Fixed) {
        let length = self.lengths.get(item as usize);
        if length != Fixed::MAX && lost < length {
            self.open.push(length, item);
        }
    }

    /// Gives a free cell the shortest length that its neighbors and links allow.
    fn reopen(&mut self, item: u32) {
        let cell = self.grid.cell(item);
        if !self.grid.is_free(cell) {
            return;
        }
        let by_direction = |direction: Direction| {
            let next = self.beside(item, direction) as usize;
            let weight = self.weights.get(next).copied().unwrap_or(1);
            (self.lengths.get(next) != Fixed::MAX).then(|| self.lengths.get(next) + Fixed::of_step(direction, weight))
        };
        let by_link = self.links.entered_at(item).filter_map(|link| self.length_by(link));
        if let Some(length) = self.legal_directions(cell).filter_map(by_direction).chain(by_link).min() {
            self.relax(item, length);
        }
    }

    /// The length of the path through a link, if its far end has one.
    fn length_by(&self, link: usize) -> Option<Fixed> {
        let Link { to, steps, .. } = self.links.links[link];
        let rest = self.lengths.get(self.grid.index(to));
        (rest != Fixed::MAX).then(|| rest + Fixed::of_step(Direction::North, steps.into()))
    }

    /// The next cell of a settled one; `None` for a goal.
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
        let length = self.lengths.get(self.grid.index(cell));
        let is_nearer = |next: &(Direction, Cell)| {
            let index = self.grid.index(next.1);
            let (rest, weight) = (self.lengths.get(index), self.weights.get(index).copied().unwrap_or(1));
            rest != Fixed::MAX && rest + Fixed::of_step(next.0, weight) == length
        };
        self.legal_directions(cell)
            .filter_map(|direction| Some((direction, cell.step(direction)?)))
            .find(is_nearer)
            .map(|(_, next)| next)
    }

    /// The legal steps out of a cell. A step is legal in both directions or in neither.
    fn legal_directions(&self, cell: Cell) -> impl Iterator<Item = Direction> + use<> {
        let legal = self.rule.legal_steps(self.grid.walls_around(cell));
        Direction::ALL.into_iter().filter(move |direction| legal >> *direction as u8 & 1 == 1)
    }

    /// The index of the neighbor in a direction, which must be on the map.
    #[inline]
    fn beside(&self, item: u32, direction: Direction) -> u32 {
        item.wrapping_add_signed(self.grid.stride(direction))
    }
}

/// Goals that begin with no steps.
fn at_zero(goals: &[Cell]) -> impl Iterator<Item = (Cell, u16)> {
    goals.iter().map(|goal| (*goal, 0))
}

impl Ends {
    fn new(links: Vec<Link>, grid: &Grid) -> Self {
        let on_map = |link: &Link| grid.contains(link.from) && grid.contains(link.to);
        let sorted = |end: fn(&Link) -> Cell| {
            let ends = (0..).zip(&links).filter(|(_, link)| on_map(link));
            let mut ends: Vec<u64> = ends.map(|(number, link)| (grid.index(end(link)) as u64) << 32 | number).collect();
            ends.sort_unstable();
            ends.into_iter().map(|end| ((end >> 32) as u32, end as u32 as usize)).collect()
        };
        let (entries, exits) = (sorted(|link| link.from), sorted(|link| link.to));
        Self { links, entries, exits }
    }

    /// The links that are entered in a cell.
    fn entered_at(&self, cell: u32) -> impl Iterator<Item = usize> {
        self.entries[Self::at(&self.entries, cell)].iter().map(|end| end.1)
    }

    /// The range of a cell's entries among some ends.
    fn at(ends: &[(u32, usize)], cell: u32) -> Range<usize> {
        let first = ends.partition_point(|end| end.0 < cell);
        first..first + ends[first..].iter().take_while(|end| end.0 == cell).count()
    }
}
