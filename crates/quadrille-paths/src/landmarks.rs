//! Cheapest paths on weighted terrain, many on the same map: A* with landmarks.
//!
//! Of some places far apart, the landmarks, it is known what the way to them costs from each cell. No way to the goal costs less than by how
//! much a landmark is farther from here than from the goal: an estimate that knows of walls and of heavy ground, which the distance without
//! walls does not. A. Goldberg and C. Harrelson, *Computing the Shortest Path: A\* Search Meets Graph Theory*, SODA 2005; on grids
//! N. Sturtevant and others, *Memory-Based Heuristics for Explicit State Spaces*, IJCAI 2009. What the ways cost is a [`FlowField`] for each
//! landmark, repaired in place after edits; so every path is a cheapest one on the map as it is.

use std::sync::Arc;

use crate::buckets::Buckets;
use crate::cell::{Cell, Direction};
use crate::cost::{CostRule, Length};
use crate::fixed::Fixed;
use crate::flow::FlowField;
use crate::grid::{Grid, GridError};
use crate::map::PathMap;
use crate::path::Path;
use crate::terrain::{AgentClass, TerrainMap, TerrainSet};

/// Landmarks for cheapest paths of one class of agents.
///
/// Making them costs a flow field for each; they keep eight bytes a cell each, and four for all. They pay from some dozens of paths on. For
/// one path there is [`TerrainMap::cheapest_path`].
///
/// ```
/// use quadrille_paths::{AgentClass, Cell, CostRule, Landmarks, TerrainMap, TerrainSet};
///
/// let walker = AgentClass { size: 1, walkable: TerrainSet::of(&[0, 1]) };
/// let mut map = TerrainMap::new((60, 40), |cell| u8::from(cell.x > 20), CostRule::Octile, &[walker])?;
/// let mut weights = [1; TerrainSet::KINDS as usize];
/// weights[1] = 4;
/// let mut landmarks = Landmarks::new(&map, walker, &weights, Landmarks::USUAL)?.unwrap();
/// let (from, to) = (Cell::new(5, 30), Cell::new(40, 30));
/// assert_eq!(landmarks.path(&map, from, to).unwrap().1.straight, 15 + 4 * 20);
/// map.set(Cell::new(30, 30), 0);
/// assert!(landmarks.repair(&map));
/// assert_eq!(landmarks.path(&map, from, to).unwrap().1.straight, 15 + 4 * 19 + 1);
/// # Ok::<(), quadrille_paths::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Landmarks {
    agent: AgentClass,
    by_kind: [u32; TerrainSet::KINDS as usize],
    /// Of the terrain.
    version: u64,
    /// By cell.
    weights: Arc<Vec<u32>>,
    /// The least weight.
    least: u32,
    fields: Vec<FlowField>,
    memory: Memory,
}

/// What a search knows of a cell.
#[derive(Clone, Copy, Debug)]
struct Node {
    cost: Fixed,
    /// The search that wrote the rest, times [`ONE_SEARCH`]; whether the cell is closed; the direction of the last step to it.
    state: u32,
}

/// In a node's state: the bits of the direction, and the bit for a closed cell. Above them the search is counted.
const ARRIVAL: u32 = 0b0111;
const IS_CLOSED: u32 = 0b1000;
const ONE_SEARCH: u32 = 0b1_0000;

/// The working memory of searches.
#[derive(Clone, Debug, Default)]
struct Memory {
    nodes: Vec<Node>,
    search: u32,
    open: Buckets,
}

impl Landmarks {
    /// As many as have been found to pay on city and game maps.
    pub const USUAL: usize = 8;
    /// How many of them a search asks: those that know most about its ends.
    const ASKED: usize = 3;
    /// Cells that are looked at to find the largest component.
    const PROBES: usize = 64;

    /// So many landmarks for an agent on weighted terrain, far apart in the largest component; weights are as for
    /// [`TerrainMap::cheapest_path`]. `None` if no class fits.
    ///
    /// # Errors
    /// As for [`TerrainMap::cheapest_path`].
    pub fn new(
        map: &TerrainMap,
        agent: AgentClass,
        weights: &[u32; TerrainSet::KINDS as usize],
        count: usize,
    ) -> Result<Option<Self>, GridError> {
        let Some(paths) = map.paths(agent) else { return Ok(None) };
        let by_cell = Arc::new(map.weights(agent, weights)?);
        let least = by_cell.iter().copied().min().unwrap_or(1);
        let field = |goal: Cell| FlowField::with_weights(paths, &[goal], paths.grid().bounds(), Arc::clone(&by_cell));
        let mut fields: Vec<FlowField> = Vec::new();
        if let Some(first) = central(paths).filter(|_| count > 0) {
            let mut nearest: Vec<Fixed> = field(first).lengths().to_vec();
            while fields.len() < count {
                let reached = nearest.iter().enumerate().filter(|(_, length)| **length != Fixed::MAX);
                let Some((farthest, _)) = reached.max_by_key(|(_, length)| **length) else { break };
                let width = paths.grid().width() as usize;
                let next = field(Cell::new((farthest % width) as u32, (farthest / width) as u32));
                let is_first = fields.is_empty();
                for (known, length) in nearest.iter_mut().zip(next.lengths()) {
                    *known = if is_first { *length } else { (*known).min(*length) };
                }
                fields.push(next);
            }
        }
        let (by_kind, version, memory) = (*weights, map.version(), Memory::default());
        Ok(Some(Self { agent, by_kind, version, weights: by_cell, least, fields, memory }))
    }

    /// Brings all up to date with the terrain after edits; needed before the next path. Returns whether the terrain has changed.
    pub fn repair(&mut self, map: &TerrainMap) -> bool {
        let Some(paths) = map.paths(self.agent).filter(|_| self.version != map.version()) else { return false };
        let edits = map.edits_since(self.version, self.agent);
        self.version = map.version();
        // Nobody else may hold the weights while they are changed.
        self.fields.iter_mut().for_each(|field| field.set_weights(Arc::default()));
        let by_cell: &mut Vec<u32> = Arc::make_mut(&mut self.weights);
        map.renew_weights(self.agent, &self.by_kind, edits.as_deref(), by_cell);
        let new_least =
            edits.iter().flatten().flat_map(|rect| rect.clamped(paths.grid().width(), paths.grid().height()).cells());
        let weight = |cell: Cell| self.weights[index(paths.grid(), cell)];
        self.least = match &edits {
            Some(_) => new_least.map(weight).fold(self.least, u32::min),
            None => self.weights.iter().copied().min().unwrap_or(1),
        };
        for field in &mut self.fields {
            field.set_weights(Arc::clone(&self.weights));
            field.catch_up(paths, edits.clone());
        }
        true
    }

    /// A cheapest path and its cost, as [`TerrainMap::cheapest_path`] has it; [repairs](Self::repair) first if the terrain has changed.
    pub fn path(&mut self, map: &TerrainMap, from: Cell, to: Cell) -> Option<(Path, Length)> {
        self.repair(map);
        let paths = map.paths(self.agent)?;
        paths.is_reachable(from, to).then(|| self.search(paths.grid(), paths.rule(), from, to))?
    }

    fn search(&mut self, grid: &Grid, rule: CostRule, from: Cell, to: Cell) -> Option<(Path, Length)> {
        let (start, goal) = (index(grid, from), index(grid, to));
        let asked = asked(&self.fields, start, goal);
        let memory = &mut self.memory;
        memory.begin(grid);
        let search = memory.search;
        let estimate = |cell: Cell, index: usize| {
            let without_walls = Fixed::of(rule.distance(cell, to).times(self.least));
            asked.iter().map(|(lengths, goal)| lengths[index].beyond(*goal)).fold(without_walls, Fixed::max)
        };
        memory.nodes[start] = Node { cost: Fixed::ZERO, state: search };
        memory.open.push(estimate(from, start), start as u32);
        let mut best = if start == goal { Fixed::ZERO } else { Fixed::MAX };
        while let Some((bucket, item)) = memory.open.pop() {
            // One bucket more than the goal's: estimates are rounded.
            if bucket > best.bucket().saturating_add(1) {
                break;
            }
            let node = &mut memory.nodes[item as usize];
            if node.state & IS_CLOSED != 0 {
                continue;
            }
            node.state |= IS_CLOSED;
            let (cost, cell) = (node.cost, Cell::new(item % grid.width(), item / grid.width()));
            let mut legal = rule.legal_steps(grid.walls_around(cell));
            while legal != 0 {
                let arrival = legal.trailing_zeros();
                legal &= legal - 1;
                let way = Direction::ALL[arrival as usize];
                let (dx, dy) = way.delta();
                let next = Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy));
                let number = index(grid, next);
                let cost = cost + Fixed::of_step(way, self.weights[number]);
                let node = &mut memory.nodes[number];
                if node.state / ONE_SEARCH == search / ONE_SEARCH && node.cost <= cost {
                    continue;
                }
                *node = Node { cost, state: search | arrival };
                if number == goal {
                    best = cost;
                } else {
                    memory.open.push(cost + estimate(next, number), number as u32);
                }
            }
        }
        (best != Fixed::MAX).then(|| (memory.trace(grid, rule, from, to), best.length()))
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let lengths: usize = self.fields.iter().map(|field| size_of_val(field.lengths())).sum();
        lengths + size_of_val(&self.weights[..]) + self.memory.nodes.capacity() * size_of::<Node>()
    }
}

impl Memory {
    fn begin(&mut self, grid: &Grid) {
        let cells = grid.width() as usize * grid.height() as usize;
        self.search = self.search.wrapping_add(ONE_SEARCH);
        if self.search == 0 || self.nodes.len() != cells {
            self.nodes.clear();
            self.nodes.resize(cells, Node { cost: Fixed::ZERO, state: 0 });
            self.search = ONE_SEARCH;
        }
        self.open.clear();
    }

    /// The way the search came to the goal.
    fn trace(&self, grid: &Grid, rule: CostRule, from: Cell, to: Cell) -> Path {
        let back = |cell: &Cell| {
            let arrival = self.nodes[index(grid, *cell)].state & ARRIVAL;
            cell.step(Direction::ALL[arrival as usize].turned(4)).filter(|_| *cell != from)
        };
        let mut cells: Vec<Cell> = core::iter::successors(Some(to), back).collect();
        cells.reverse();
        let steps = cells.windows(2).map(|pair| rule.distance(pair[0], pair[1]));
        let length = steps.fold(Length::ZERO, |sum, step| sum + step);
        Path::new(cells, length)
    }
}

/// The landmarks that know the highest lower bounds of a way, each with its distance from the goal.
fn asked(fields: &[FlowField], start: usize, goal: usize) -> Vec<(&[Fixed], Fixed)> {
    let known = fields.iter().map(FlowField::lengths).filter(|lengths| lengths[goal] != Fixed::MAX);
    let mut known: Vec<_> = known.map(|lengths| (lengths[start].beyond(lengths[goal]), lengths)).collect();
    known.sort_by_key(|(bound, _)| core::cmp::Reverse(*bound));
    known.into_iter().take(Landmarks::ASKED).map(|(_, lengths)| (lengths, lengths[goal])).collect()
}

/// A free cell of the component to which most of some cells, spread evenly, belong; if there is a free one.
fn central(paths: &PathMap) -> Option<Cell> {
    let (components, bounds) = (paths.components(), paths.grid().bounds());
    let free = || bounds.cells().filter(|cell| paths.grid().is_free(*cell));
    let every = (paths.grid().count_free() as usize / Landmarks::PROBES).max(1);
    let size = |cell: &Cell| components.label(*cell).map(|label| components.count_cells(label, bounds));
    let mut best: Option<(u64, Cell)> = None;
    let mut labels = Vec::new();
    for cell in free().step_by(every) {
        let label = components.label(cell);
        if !labels.contains(&label) {
            labels.push(label);
            best = best.max(size(&cell).map(|size| (size, cell)));
        }
    }
    best.map(|(_, cell)| cell)
}

const fn index(grid: &Grid, cell: Cell) -> usize {
    cell.y as usize * grid.width() as usize + cell.x as usize
}
