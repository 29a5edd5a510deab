//! Programs of edits and queries on weighted terrain, run beside a relaxation of steps on cells of their own.

use quadrille_paths::{
    AgentClass, Cell, CellRect, CostRule, FlowField, Grid, Length, PathWatch, Terrain, TerrainMap, TerrainSet,
    WeightedPaths,
};

use super::common::{noise, relaxed};

/// One line of a program.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Fill with one kind of ground.
    Fill(CellRect, Terrain),
    Ask(Cell, Cell),
    /// Make a field toward a cell, which from then on is repaired before each use.
    Lead(Cell),
}

/// Kinds of ground; the last is a wall.
pub(crate) const KINDS: Terrain = 4;

/// Random terrain, and the steps applied to it.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) seed: u64,
    /// Side of the patches of one kind of ground; of the agent.
    pub(crate) patch: u32,
    pub(crate) size: u32,
    /// By kind, walls excepted.
    pub(crate) weights: [u32; KINDS as usize - 1],
    /// At which step the map gets a class for the agent; before that it has none.
    pub(crate) class_at: usize,
    pub(crate) steps: Vec<Step>,
}

impl Program {
    /// Runs it; panics where an answer is not the least cost, or a path is not legal.
    pub(crate) fn check(&self, rule: CostRule) {
        let agent = AgentClass { size: self.size, walkable: TerrainSet::of(&[0, 1, 2]) };
        let mut by_kind = [1; TerrainSet::KINDS as usize];
        by_kind[..self.weights.len()].copy_from_slice(&self.weights);
        let patch = |cell: Cell| Cell::new(cell.x / self.patch, cell.y / self.patch);
        let first = |cell: Cell| (noise(patch(cell), self.seed) % u64::from(KINDS)) as Terrain;
        let mut ground = Ground { size: self.size, by_kind, width: self.width, height: self.height, kinds: Vec::new() };
        ground.kinds = ground.bounds().cells().map(first).collect();
        let mut map = TerrainMap::new((self.width, self.height), first, rule, &[]).unwrap();
        let mut paths = WeightedPaths::new(&map, agent, &by_kind).unwrap();
        // Of the whole map or, for an agent that gets its class late, of a part.
        let height = if self.class_at > self.steps.len() / 2 { self.height.div_ceil(2) } else { self.height };
        let asked = CellRect::new(0, 0, self.width, height);
        let led = |map: &TerrainMap, goals: &[Cell]| FlowField::weighted(map, agent, &by_kind, goals, asked).unwrap();
        let (mut field, mut watched) = (led(&map, &[]), None);
        for (number, step) in self.steps.iter().enumerate() {
            if number == self.class_at {
                map.add_class(agent).unwrap();
            }
            match *step {
                Step::Fill(rect, kind) => {
                    map.fill(rect, kind);
                    ground.fill(rect, kind);
                }
                Step::Lead(goal) => field = led(&map, &[goal]),
                Step::Ask(from, to) => {
                    let (grid, costs) = (ground.grid(), ground.costs(from, rule));
                    let cost = |cell: Cell| costs.get((cell.y * self.width + cell.x) as usize).copied().flatten();
                    let found = paths.path(&map, from, to);
                    assert_eq!(found.as_ref().map(|found| found.1), cost(to), "{rule:?} {from} {to}");
                    field.repair_weighted(&map);
                    let least = field.goals().first().and_then(|goal| cost(*goal)).filter(|_| asked.contains(from));
                    assert_eq!(field.length(from), least, "{rule:?} the field from {from}");
                    // Watches are for the map of a class.
                    let Some(now) = map.paths(agent) else { continue };
                    if let Some((path, mut watch)) = watched.take() {
                        let is_whole = quadrille_paths::Path::validate(&path, &grid, rule).is_ok();
                        assert_eq!(PathWatch::check(&mut watch, now).is_none(), is_whole, "{rule:?} the watch");
                    }
                    if let Some((path, cost)) = found {
                        path.validate(&grid, rule).unwrap();
                        assert_eq!((path.cells().first(), path.cells().last()), (Some(&from), Some(&to)));
                        let steps = path.cells().windows(2);
                        let steps = steps.map(|pair| weighed(rule.distance(pair[0], pair[1]), ground.weight(pair[1])));
                        assert_eq!(steps.fold(Length::ZERO, |sum, step| sum + step), cost);
                        watched = Some((path.clone(), PathWatch::new(now, &path)));
                    }
                }
            }
        }
    }
}

/// What the map should be, cell by cell.
struct Ground {
    width: u32,
    height: u32,
    size: u32,
    by_kind: [u32; TerrainSet::KINDS as usize],
    kinds: Vec<Terrain>,
}

impl Ground {
    fn bounds(&self) -> CellRect {
        CellRect::new(0, 0, self.width, self.height)
    }

    fn kind(&self, cell: Cell) -> Option<Terrain> {
        self.bounds().contains(cell).then(|| self.kinds[(cell.y * self.width + cell.x) as usize])
    }

    fn fill(&mut self, rect: CellRect, kind: Terrain) {
        for cell in rect.cells().filter(|cell| self.bounds().contains(*cell)).collect::<Vec<_>>() {
            self.kinds[(cell.y * self.width + cell.x) as usize] = kind;
        }
    }

    /// The kinds under an agent; `None` off the map.
    fn under(&self, cell: Cell) -> impl Iterator<Item = Option<Terrain>> {
        CellRect::new(cell.x, cell.y, self.size, self.size).cells().map(|cell| self.kind(cell))
    }

    /// Where the agent can stand.
    fn grid(&self) -> Grid {
        let is_free = |cell| self.under(cell).all(|kind| kind.is_some_and(|kind| kind + 1 < KINDS));
        Grid::from_fn(self.width, self.height, is_free).unwrap()
    }

    /// How often a step to a cell counts.
    fn weight(&self, to: Cell) -> u32 {
        self.under(to).flatten().map(|kind| self.by_kind[usize::from(kind)]).max().unwrap_or(1).max(1)
    }

    /// The least cost of every cell from one.
    fn costs(&self, from: Cell, rule: CostRule) -> Vec<Option<Length>> {
        let (grid, bounds) = (self.grid(), self.bounds());
        let weights: Vec<u32> = bounds.cells().map(|cell| self.weight(cell)).collect();
        relaxed(&grid, from, |cell, way, next| {
            let weight = weights.get((next.y * self.width + next.x) as usize);
            weight.filter(|_| grid.can_step(cell, way, rule)).map(|weight| weighed(rule.distance(cell, next), *weight))
        })
    }
}

fn weighed(Length { straight, diagonal }: Length, weight: u32) -> Length {
    Length { straight: straight * weight, diagonal: diagonal * weight }
}
