//! A map of free and blocked cells or of terrain, with one set of calls for both.

use quadrille_paths::{
    AStar, AgentClass, Cell, CellRect, FlowField, Grid, GridError, GrowingField, GrowingReach, Length, Link,
    LinkedPath, Path, PathMap, Reach, Scratch, TerrainMap, TerrainSet, WeightedPaths, Weights, first_wall,
};

use crate::cells::{CellPaths, MapSize, Reaching, ends_of, paths_between, rule_named};
use crate::error::Error;

/// Agents that walk on terrain. They need not be of a class that has a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Their size, and the kinds on which they walk.
    pub class: AgentClass,
    /// What entering a cell costs them.
    pub weights: Weights,
}

/// A map of a byte per cell, row by row: of free and blocked cells, all but 0 free, or of kinds of terrain.
///
/// Calls about terrain name agents, calls about free and blocked cells do not; otherwise they are errors.
#[derive(Debug)]
pub struct Ground {
    kind: Kind,
    size: MapSize,
}

#[derive(Debug)]
enum Kind {
    Cells(Box<PathMap>),
    Terrain(TerrainMap),
}

/// Working memory of queries of one map, with data kept for the agents of the last one.
#[derive(Debug, Default)]
pub struct Working {
    /// For maps of free and blocked cells.
    pub scratch: Scratch,
    astar: AStar,
    /// The agents of the last query.
    last: Option<Agent>,
    /// Built when they query again.
    ready: Option<WeightedPaths>,
}

impl Ground {
    /// Takes values row by row; with classes of agents, if only an empty list, they are kinds of terrain.
    ///
    /// # Errors
    /// Returns an error if the rule is unknown, there are too many classes, or the map is too large.
    pub fn new(values: &[u8], size: MapSize, rule: &str, classes: Option<&[AgentClass]>) -> Result<Self, Error> {
        let (rule, value) = (rule_named(rule)?, |cell| values[size.bounds().index(cell)]);
        let kind = match classes {
            None => {
                let grid = Grid::from_fn(size.width, size.height, |cell| value(cell) != 0)?;
                Kind::Cells(PathMap::new(grid, rule).into())
            }
            Some(classes) => Kind::Terrain(TerrainMap::new((size.width, size.height), value, rule, classes)?),
        };
        Ok(Self { kind, size })
    }

    /// Its sides.
    pub const fn size(&self) -> MapSize {
        self.size
    }

    /// The name of its rule.
    pub fn rule(&self) -> &'static str {
        match &self.kind {
            Kind::Cells(map) => map.rule().name(),
            Kind::Terrain(map) => map.rule().name(),
        }
    }

    /// A number that grows with every change.
    pub fn version(&self) -> u64 {
        match &self.kind {
            Kind::Cells(map) => map.version(),
            Kind::Terrain(map) => map.version(),
        }
    }

    /// The values of a rectangle on the map, row by row; 1 where free.
    ///
    /// # Errors
    /// Returns an error if there is no memory for them.
    pub fn values(&self, rect: CellRect) -> Result<Vec<u8>, Error> {
        let mut values = crate::room(rect.width as usize * rect.height as usize)?;
        match &self.kind {
            Kind::Cells(map) => values.extend(rect.cells().map(|cell| u8::from(map.grid().is_free(cell)))),
            Kind::Terrain(map) => values.extend(rect.cells().filter_map(|cell| map.terrain(cell))),
        }
        Ok(values)
    }

    /// Sets cells to a value. Returns how many changed.
    pub fn set(&mut self, cells: &[Cell], value: u8) -> usize {
        match &mut self.kind {
            Kind::Cells(map) => map.edit_cells(cells, |_| value != 0),
            Kind::Terrain(map) => map.edit_cells(cells, |_| value),
        }
    }

    /// Sets a rectangle to a value. Returns whether that changed anything.
    pub fn fill(&mut self, rect: CellRect, value: u8) -> bool {
        self.edit_by(rect, |_| value)
    }

    /// Sets the cells of a rectangle, row by row. Returns whether that changed anything.
    pub fn edit(&mut self, rect: CellRect, values: &[u8]) -> bool {
        self.edit_by(rect, |cell| values[rect.index(cell)])
    }

    fn edit_by(&mut self, rect: CellRect, value: impl Fn(Cell) -> u8) -> bool {
        match &mut self.kind {
            Kind::Cells(map) => map.edit(rect, |cell| value(cell) != 0),
            Kind::Terrain(map) => map.edit(rect, value),
        }
    }

    /// Moves what searches have found to where it is read fastest, and makes landmarks if searches are hard, for about a
    /// millisecond per call.
    pub fn maintain(&mut self) {
        const CORNERS: u64 = 10_000;
        match &mut self.kind {
            Kind::Cells(map) => map.maintain_for(CORNERS),
            Kind::Terrain(map) => map.maintain_for(CORNERS),
        };
    }

    /// The map of free and blocked cells, or that of a class of agents.
    ///
    /// # Errors
    /// Returns an error if there are no such agents.
    pub fn map(&self, class: Option<AgentClass>) -> Result<&PathMap, Error> {
        match (&self.kind, class) {
            (Kind::Cells(map), None) => Ok(map),
            (Kind::Cells(_), Some(_)) => Err(has_no_agents()),
            (Kind::Terrain(map), Some(class)) => map.paths(class).ok_or_else(|| has_no_class(class)),
            (Kind::Terrain(_), None) => Err(needs_agents()),
        }
    }

    /// The map of free and blocked cells.
    ///
    /// # Errors
    /// Returns an error if the map is one of terrain.
    pub fn map_mut(&mut self) -> Result<&mut PathMap, Error> {
        match &mut self.kind {
            Kind::Cells(map) => Ok(map),
            Kind::Terrain(_) => Err(needs_agents()),
        }
    }

    /// The terrain.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn terrain(&self) -> Result<&TerrainMap, Error> {
        match &self.kind {
            Kind::Cells(_) => Err(has_no_agents()),
            Kind::Terrain(map) => Ok(map),
        }
    }

    /// Gives a class of agents a map of its own.
    ///
    /// # Errors
    /// Returns an error if there are too many classes already, or there is no terrain.
    pub fn add_class(&mut self, class: AgentClass) -> Result<(), Error> {
        match &mut self.kind {
            Kind::Cells(_) => Err(has_no_agents()),
            Kind::Terrain(map) => Ok(map.add_class(class)?),
        }
    }

    /// Which of some starts would be the first to be cut off from a goal, for a class that has a map, if a rectangle
    /// got a value.
    ///
    /// # Errors
    /// Returns an error if there are no such agents.
    pub fn would_close(
        &mut self,
        class: Option<AgentClass>,
        (rect, value): (CellRect, u8),
        starts: &[Cell],
        goal: Cell,
    ) -> Result<Option<usize>, Error> {
        self.map(class)?;
        Ok(match (&mut self.kind, class) {
            (Kind::Cells(map), _) if value == 0 => map.would_close(rect, starts, goal),
            (Kind::Terrain(map), Some(class)) => map.would_close(class, (rect, value), starts, goal),
            _ => None,
        })
    }

    /// A cheapest path with its cost from each start to the goal in the same row.
    ///
    /// # Errors
    /// Returns an error if there are not as many goals as starts, the agents are wrong, weights are so heavy that costs
    /// might not fit, or partial or limited paths of agents are requested; or if there is no memory.
    pub fn paths(
        &self,
        agent: Option<&Agent>,
        ends: (&[Cell], &[Cell]),
        reaching: Reaching,
        working: &mut Working,
    ) -> Result<CellPaths, Error> {
        let Some(agent) = agent else {
            return paths_between(self.map(None)?, ends, reaching, &mut working.scratch);
        };
        let ends = ends_of(ends)?;
        if reaching != Reaching::Goal {
            return Err(Error::value("paths of agents lead to their goal, however long they are"));
        }
        let (map, mut paths) = (self.terrain()?, CellPaths::new());
        for ends in ends {
            let found = working.path(map, agent, ends)?;
            paths.push(found.as_ref().map(|(path, cost)| (path, cost.as_f64())))?;
        }
        Ok(paths)
    }

    /// A cheapest path that may take links, and its cost.
    ///
    /// # Errors
    /// Returns an error if the agents are wrong, or weights so heavy that costs might not fit.
    pub fn linked_path(
        &self,
        agent: Option<&Agent>,
        (from, to): (Cell, Cell),
        links: &[Link],
        working: &mut Working,
    ) -> Result<Option<(LinkedPath, f64)>, Error> {
        let Some(agent) = agent else {
            let path = self.map(None)?.linked_path(from, to, links, &mut working.scratch);
            return Ok(path.map(|path| {
                let length = path.length().as_f64();
                (path, length)
            }));
        };
        let map = self.terrain()?;
        working.note(agent);
        let path = working.ready(map, agent)?.linked_path(map, from, to, links);
        Ok(path.map(|(path, cost)| (path, cost.as_f64())))
    }

    /// The first blocked cell on the straight line between two.
    ///
    /// # Errors
    /// There are no such agents.
    pub fn first_wall(&self, class: Option<AgentClass>, (from, to): (Cell, Cell)) -> Result<Option<Cell>, Error> {
        let map = self.map(class)?;
        Ok(first_wall(map.grid(), map.rule(), from, to))
    }

    /// A path led around obstacles that are at most `radius` columns and rows from its start.
    ///
    /// # Errors
    /// There are no such agents.
    pub fn detour(
        &self,
        class: Option<AgentClass>,
        (path, obstacles): (&[Cell], &[Cell]),
        radius: u32,
        working: &mut Working,
    ) -> Result<Option<Path>, Error> {
        let (map, from) = (self.map(class)?, path.first().copied().unwrap_or_default());
        let side = |at: u32| at.saturating_add(radius).saturating_add(1) - at.saturating_sub(radius);
        let (x, y) = (from.x.saturating_sub(radius), from.y.saturating_sub(radius));
        let within = CellRect::new(x, y, side(from.x), side(from.y));
        Ok(map.detour(path, obstacles, within, &mut working.astar))
    }

    /// The cells of a rectangle that can be reached within a budget.
    ///
    /// # Errors
    /// Returns an error if the agents are wrong, or weights so heavy that costs might not fit.
    pub fn reach(&self, agent: Option<&Agent>, from: Cell, budget: f64, within: CellRect) -> Result<Reach, Error> {
        match agent {
            None => Ok(self.map(None)?.reach(from, budget, within)),
            Some(agent) => Ok(self.terrain()?.reach(agent.class, &agent.weights, (from, budget, within))?),
        }
    }

    /// The costs and steps from the cells of a rectangle to the cheapest of some goals, each of which begins with a number
    /// of steps.
    ///
    /// # Errors
    /// Returns an error if the agents are wrong, or weights so heavy that costs might not fit.
    pub fn field(&self, agent: Option<&Agent>, goals: &[(Cell, u16)], within: CellRect) -> Result<FlowField, Error> {
        let Some(Agent { class, weights }) = agent else {
            return Ok(FlowField::with_starts(self.map(None)?, goals, within));
        };
        Ok(FlowField::weighted_with_starts(self.terrain()?, *class, weights, goals, within)?)
    }

    /// [`reach`](Self::reach), computed in slices.
    ///
    /// # Errors
    /// Returns the same errors.
    pub fn begin_reach(
        &self,
        agent: Option<&Agent>,
        from: Cell,
        budget: f64,
        within: CellRect,
    ) -> Result<GrowingReach, Error> {
        match agent {
            None => Ok(self.map(None)?.begin_reach(from, budget, within)),
            Some(agent) => Ok(self.terrain()?.begin_reach(agent.class, &agent.weights, (from, budget, within))?),
        }
    }

    /// [`field`](Self::field), made in slices.
    ///
    /// # Errors
    /// Returns the same errors.
    pub fn begin_field(
        &self,
        agent: Option<&Agent>,
        goals: &[(Cell, u16)],
        within: CellRect,
    ) -> Result<GrowingField, Error> {
        let Some(Agent { class, weights }) = agent else {
            return Ok(FlowField::begin(self.map(None)?, goals, within));
        };
        Ok(FlowField::begin_weighted(self.terrain()?, *class, weights, goals, within)?)
    }

    /// Goes on for about this many cells; returns the field once it is done.
    ///
    /// # Errors
    /// Returns an error if it is one of agents and this has none, or the other way round.
    pub fn go_on_field(
        &self,
        is_of_agents: bool,
        growing: &mut GrowingField,
        cells: usize,
    ) -> Result<Option<FlowField>, Error> {
        Ok(match is_of_agents {
            false => growing.go_on(self.map(None)?, cells),
            true => growing.go_on_weighted(self.terrain()?, cells),
        })
    }

    /// Goes on for about this many cells; returns what can be reached once that is known.
    ///
    /// # Errors
    /// As [`go_on_field`](Self::go_on_field).
    pub fn go_on_reach(
        &self,
        is_of_agents: bool,
        growing: &mut GrowingReach,
        cells: usize,
    ) -> Result<Option<Reach>, Error> {
        Ok(match is_of_agents {
            false => growing.go_on(self.map(None)?, cells),
            true => growing.go_on_weighted(self.terrain()?, cells),
        })
    }
}

impl Working {
    /// A cheapest path and its cost. Repeated queries for the same agents share cached data.
    fn path(&mut self, map: &TerrainMap, agent: &Agent, ends: (Cell, Cell)) -> Result<Option<(Path, Length)>, Error> {
        if self.note(agent) {
            return Ok(self.ready(map, agent)?.path(map, ends.0, ends.1));
        }
        Ok(map.cheapest_path(agent.class, &agent.weights, ends, &mut self.astar)?)
    }

    /// Records the agents of a query, and returns whether the last query was for the same. Data for others is dropped.
    fn note(&mut self, agent: &Agent) -> bool {
        let is_known = self.last == Some(*agent);
        if !is_known {
            (self.last, self.ready) = (Some(*agent), None);
        }
        is_known
    }

    /// The data cached for the agents of the last query.
    fn ready(&mut self, map: &TerrainMap, agent: &Agent) -> Result<&mut WeightedPaths, Error> {
        let paths = match self.ready.take() {
            Some(paths) => paths,
            None => WeightedPaths::new(map, agent.class, &agent.weights)?,
        };
        Ok(self.ready.insert(paths))
    }
}

impl From<GridError> for Error {
    fn from(error: GridError) -> Self {
        Self::value(error.to_string())
    }
}

#[cold]
fn has_no_agents() -> Error {
    Error::value("this map has free and blocked cells and no terrain: call without agents and weights")
}

#[cold]
fn needs_agents() -> Error {
    Error::value("this map is one of terrain: name the agents")
}

#[cold]
fn has_no_class(class: AgentClass) -> Error {
    let kinds = (0..TerrainSet::KINDS).filter(|kind| class.walkable.contains(*kind));
    let kinds = kinds.map(|kind| kind.to_string()).collect::<Vec<_>>().join(", ");
    Error::value(format!("the terrain has no class of agents of size {} that walk on {kinds}", class.size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::tests::told;
    use crate::class_of;

    const SIZE: MapSize = MapSize { width: 9, height: 3 };
    const ENDS: (Cell, Cell) = (Cell::new(0, 1), Cell::new(8, 1));

    fn agent(size: u32, walkable: u64) -> Agent {
        Agent { class: class_of(size, walkable), weights: [1; 64] }
    }

    #[test]
    fn links_are_taken_where_the_ground_is_heavier() {
        let kinds: Vec<u8> = SIZE.bounds().cells().map(|cell| u8::from((3..6).contains(&cell.x))).collect();
        let mut walker = agent(1, 0b11);
        let ground = Ground::new(&kinds, SIZE, "octile", Some(&[walker.class])).unwrap();
        let working = &mut Working::default();
        let ferry = Link { from: Cell::new(2, 1), to: Cell::new(6, 1), steps: 5 };
        for (weight, cost, taken) in [(1, 8.0, 0), (3, 9.0, 1)] {
            walker.weights[1] = weight;
            let (path, length) = ground.linked_path(Some(&walker), ENDS, &[ferry], working).unwrap().unwrap();
            assert_eq!((length, path.taken().len()), (cost, taken), "{weight}");
        }
        // There is no map for agents that walk only on the lightest kind: only the link leads across.
        let dry = agent(1, 0b1);
        let (path, length) = ground.linked_path(Some(&dry), ENDS, &[ferry], working).unwrap().unwrap();
        assert_eq!((length, path.taken()), (9.0, &[0][..]));
        assert!(told(ground.map(Some(class_of(2, 0b1010)))).ends_with("of size 2 that walk on 1, 3"));
    }

    #[test]
    fn agents_without_a_map_find_the_same_paths_again_after_an_edit() {
        let mut ground = Ground::new(&[0; 27], SIZE, "octile", Some(&[])).unwrap();
        let (small, large, working) = (agent(1, 0b1), agent(2, 0b1), &mut Working::default());
        let mut cost = |ground: &Ground, agent| {
            let found = ground.paths(Some(agent), (&[ENDS.0], &[ENDS.1]), Reaching::Goal, working);
            found.unwrap().lengths[0]
        };
        for _ in 0..3 {
            assert_eq!((cost(&ground, &small), cost(&ground, &small)), (8.0, 8.0));
            assert_eq!(cost(&ground, &large), f64::INFINITY, "it would stand beyond the edge");
        }
        ground.fill(CellRect::new(4, 0, 1, 3), 1);
        assert_eq!([&large, &small, &small].map(|agent| cost(&ground, agent)), [f64::INFINITY; 3]);
    }

    #[test]
    fn units_of_both_kinds_of_maps_run_into_the_same() {
        let walker = agent(1, 0b10);
        for class in [None, Some(walker.class)] {
            let classes = class.map(|class| [class]);
            let mut ground = Ground::new(&[1; 27], SIZE, "octile", classes.as_ref().map(<[_; 1]>::as_slice)).unwrap();
            let working = &mut Working::default();
            let path: Vec<Cell> = (0..9).map(|x| Cell::new(x, 1)).collect();
            let around = ground.detour(class, (&path, &path[2..3]), 5, working).unwrap().unwrap();
            assert_eq!((around.cells().last(), around.length().diagonal), (path.last(), 2));
            assert_eq!(ground.detour(class, (&path, &path[1..2]), 0, working), Ok(Path::of_cells(path.clone()).ok()));
            assert_eq!(ground.detour(class, (&[], &[]), u32::MAX, working), Ok(None));
            assert_eq!(ground.map(class).map(|map| map.free_places(ENDS.0, 4, 2, Some(ENDS.1)).len()), Ok(4));
            assert_eq!(ground.first_wall(class, ENDS), Ok(None));
            ground.fill(CellRect::new(4, 0, 1, 3), 0);
            assert_eq!(ground.first_wall(class, ENDS), Ok(Some(Cell::new(4, 1))));
            let link = Link { from: Cell::new(3, 1), to: Cell::new(5, 1), steps: 4 };
            let goals = [Cell::new(4, 1), ENDS.1, ENDS.1];
            let map = ground.map(class).unwrap();
            let (nearest, path) = map.nearest_linked(ENDS.0, &goals, &[link], &mut working.scratch).unwrap();
            assert_eq!((goals[nearest], path.length().straight, path.taken()), (ENDS.1, 10, &[0][..]));
            let others = if class.is_some() { None } else { Some(walker.class) };
            assert!(told(ground.detour(others, (&[], &[]), 1, working)).starts_with("this map"));
            assert!(told(ground.first_wall(others, ENDS)).starts_with("this map"));
            assert!(told(ground.map(others)).starts_with("this map"));
        }
    }

    #[test]
    fn both_kinds_of_maps_answer_alike_and_refuse_what_is_the_other_ones() {
        let values = [1; 27];
        let walker = agent(1, 0b10);
        let mut both = [None, Some(walker)].map(|agent| {
            let classes = agent.map(|agent: Agent| [agent.class]);
            let ground = Ground::new(&values, SIZE, "manhattan", classes.as_ref().map(<[_; 1]>::as_slice)).unwrap();
            (ground, agent)
        });
        for (ground, agent) in &mut both {
            let (agent, working) = (agent.as_ref(), &mut Working::default());
            let class = agent.map(|agent| agent.class);
            assert_eq!((ground.rule(), ground.version(), ground.size()), ("manhattan", 0, SIZE));
            let wall = CellRect::new(4, 0, 1, 3);
            assert_eq!(ground.would_close(class, (wall, 0), &[ENDS.0], ENDS.1), Ok(Some(0)));
            assert_eq!(ground.would_close(class, (wall, 1), &[ENDS.0], ENDS.1), Ok(None));
            assert_eq!(ground.set(&[Cell::new(4, 0), Cell::new(4, 0), Cell::new(4, 1)], 0), 2);
            ground.maintain();
            assert_eq!(ground.values(CellRect::new(3, 0, 2, 3)), Ok(vec![1, 0, 1, 0, 1, 1]));
            let ends = (&[ENDS.0][..], &[ENDS.1][..]);
            assert_eq!(ground.paths(agent, ends, Reaching::Goal, working).unwrap().lengths, [10.0]);
            let reach = ground.reach(agent, ENDS.0, 1.0, SIZE.bounds()).unwrap();
            assert_eq!(reach.iter().count(), 4);
            let field = ground.field(agent, &[(ENDS.1, 5), (Cell::new(8, 2), 9)], SIZE.bounds()).unwrap();
            assert_eq!(field.length(ENDS.0).map(Length::as_f64), Some(15.0));
            let (mut slow, mut slow_reach) = (
                ground.begin_field(agent, &[(ENDS.1, 5), (Cell::new(8, 2), 9)], SIZE.bounds()).unwrap(),
                ground.begin_reach(agent, ENDS.0, 1.0, SIZE.bounds()).unwrap(),
            );
            let is_of_agents = agent.is_some();
            assert!(told(ground.go_on_field(!is_of_agents, &mut slow, 9)).starts_with("this map"));
            assert!(told(ground.go_on_reach(!is_of_agents, &mut slow_reach, 9)).starts_with("this map"));
            let mut made = (0..).find_map(|_| ground.go_on_field(is_of_agents, &mut slow, 1).unwrap());
            assert!(made.take().is_some_and(|made| made.iter().eq(field.iter())));
            let mut found = (0..).find_map(|_| ground.go_on_reach(is_of_agents, &mut slow_reach, 1).unwrap());
            assert!(found.take().is_some_and(|found| found.iter().eq(reach.iter())));
            assert_eq!(ground.map(class).map(|map| map.is_reachable(ENDS.0, ENDS.1)), Ok(true));
            assert!(ground.edit(wall, &[0; 3]) && !ground.fill(wall, 0));
            assert_eq!(ground.paths(agent, ends, Reaching::Goal, working).unwrap().starts, [0, 0]);
            let others = if agent.is_some() { None } else { Some(&walker) };
            assert!(told(ground.map(others.map(|agent| agent.class))).starts_with("this map"));
            assert!(told(ground.paths(others, ends, Reaching::Goal, working)).starts_with("this map"));
            assert!(told(ground.linked_path(others, ENDS, &[], working)).starts_with("this map"));
            assert!(
                told(ground.paths(agent, (ends.0, &[]), Reaching::Goal, working)).ends_with("1 starts and 0 goals")
            );
        }
        let [(cells, _), (terrain, _)] = &mut both;
        assert!(cells.map_mut().is_ok() && cells.terrain().is_err() && cells.add_class(walker.class).is_err());
        assert!(terrain.map_mut().is_err() && terrain.add_class(class_of(2, 1)).is_ok());
        let near = terrain.paths(Some(&walker), (&[], &[]), Reaching::AsNear, &mut Working::default());
        assert!(told(near).starts_with("paths of agents lead to their goal"));
    }
}
