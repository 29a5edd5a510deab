//! Maps of free and blocked cells, and of terrain.

use std::cell::RefCell;
use std::rc::Rc;

use quadrille_bindings::{MapSize, check_class, class_of, rule_named};
use quadrille_paths::{AStar, AgentClass, Cell, CellRect, Grid, PathMap, Scratch, TerrainMap};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::border::{Answer, Given, cell_on, cells_on, refused, weights};

/// A map that finds paths, with working memory.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Map {
    ground: Ground,
    size: MapSize,
    scratch: Scratch,
    /// Where parts of the last answer start.
    pub(crate) starts: Vec<u32>,
    /// Whether the last search for a path was completed.
    pub(crate) is_known: bool,
}

/// The map that finds paths.
#[derive(Debug)]
enum Ground {
    Own(Box<PathMap>),
    /// The map of a class of agents, which changes with its terrain.
    Class(Rc<RefCell<TerrainMap>>, AgentClass),
}

#[wasm_bindgen]
impl Map {
    /// A map of rows of cells, free where not 0.
    #[wasm_bindgen(constructor)]
    pub fn new(free: &[u8], width: f64, rule: &str) -> Answer<Map> {
        let size = MapSize::of_rows(free.len(), Given(width))?;
        let rule = rule_named(rule)?;
        let is_free = |cell: Cell| free[size.bounds().index(cell)] != 0;
        let grid = Grid::from_fn(size.width, size.height, is_free).map_err(refused)?;
        Ok(Self::on(Ground::Own(PathMap::new(grid, rule).into()), size))
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.size.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.size.height
    }

    /// The name of its rule.
    pub fn rule(&mut self) -> String {
        self.ask(|map, _| map.rule().name().into())
    }

    /// How often it was changed.
    pub fn version(&mut self) -> f64 {
        self.ask(|map, _| map.version() as f64)
    }

    /// Whether it has cells of its own instead of terrain.
    pub fn is_own(&self) -> bool {
        matches!(self.ground, Ground::Own(_))
    }

    /// Frees or blocks cells. Returns how many changed.
    pub fn set(&mut self, cells: &[f64], free: bool) -> Answer<u32> {
        let cells = cells_on(self.size, cells, "cells")?;
        let map = self.own()?;
        Ok(cells.into_iter().filter(|cell| map.set(*cell, free)).count() as u32)
    }

    /// Frees or blocks a rectangle.
    pub fn fill(&mut self, x: f64, y: f64, width: u32, height: u32, free: bool) -> Answer<bool> {
        let rect = self.size.rect([Given(x), Given(y)], [width, height])?;
        Ok(self.own()?.fill(rect, free))
    }

    /// Replaces the cells of a rectangle, row by row, free where not 0.
    pub fn edit(&mut self, x: f64, y: f64, width: f64, free: &[u8]) -> Answer<bool> {
        let MapSize { width, height } = MapSize::of_rows(free.len(), Given(width))?;
        let rect = self.size.rect([Given(x), Given(y)], [width, height])?;
        Ok(self.own()?.edit(rect, |cell| free[rect.index(cell)] != 0))
    }

    /// The index of the first of some cells that could no longer reach another if a rectangle were blocked.
    pub fn would_close(&mut self, rect: &[f64], from: &[f64], to_x: f64, to_y: f64) -> Answer<Option<u32>> {
        let (rect, (from, to)) = (sides(self.size, rect)?, starts_and_goal(self.size, from, [to_x, to_y])?);
        Ok(self.own()?.would_close(rect, &from, to).map(|place| place as u32))
    }

    /// Its cells, row by row: 1 where free.
    pub fn cells(&mut self) -> Vec<u8> {
        let all = self.size.bounds();
        self.ask(|map, _| all.cells().map(|cell| map.grid().is_free(cell).into()).collect())
    }

    /// Moves what searches have found to where it is read fastest.
    pub fn maintain(&mut self) {
        match &mut self.ground {
            Ground::Own(map) => map.maintain(),
            Ground::Class(terrain, _) => terrain.borrow_mut().maintain(),
        }
    }

    /// Adds landmarks up to this number, and returns how many there are.
    pub fn add_landmarks(&mut self, count: u32) -> Answer<u32> {
        let map = self.own()?;
        map.add_landmarks(count as usize);
        Ok(map.landmark_count() as u32)
    }

    /// Bytes in the module's memory.
    pub fn bytes(&mut self) -> usize {
        self.ask(|map, _| map.bytes())
    }

    /// Where parts of the last answer start, and where the last one ends.
    pub fn starts(&mut self) -> Vec<u32> {
        core::mem::take(&mut self.starts)
    }
}

impl Map {
    fn on(ground: Ground, size: MapSize) -> Self {
        Self { ground, size, scratch: Scratch::new(), starts: Vec::new(), is_known: true }
    }

    pub(crate) const fn size(&self) -> MapSize {
        self.size
    }

    /// Queries the map with its own working memory. If searches are hard, landmarks are made for later ones.
    pub(crate) fn ask<R>(&mut self, work: impl FnOnce(&PathMap, &mut Scratch) -> R) -> R {
        let Self { ground, scratch, .. } = self;
        let answer = ground.look(|map| work(map, scratch));
        if let Ground::Own(map) = ground {
            map.maintain();
        }
        answer
    }

    /// Queries it without working memory.
    pub(crate) fn look<R>(&self, work: impl FnOnce(&PathMap) -> R) -> R {
        self.ground.look(work)
    }

    /// The terrain that it belongs to.
    pub(crate) fn terrain(&self) -> Answer<(&Rc<RefCell<TerrainMap>>, AgentClass)> {
        match &self.ground {
            Ground::Own(_) => Err(refused("weights are of kinds of terrain, and this map has none: make a TerrainMap")),
            Ground::Class(terrain, agent) => Ok((terrain, *agent)),
        }
    }

    fn own(&mut self) -> Answer<&mut PathMap> {
        match &mut self.ground {
            Ground::Own(map) => Ok(map),
            Ground::Class(..) => Err(refused("the map of a class of agents changes with its terrain: edit that")),
        }
    }
}

impl Ground {
    fn look<R>(&self, work: impl FnOnce(&PathMap) -> R) -> R {
        match self {
            Self::Own(map) => work(map),
            Self::Class(terrain, agent) => {
                let terrain = terrain.borrow();
                work(terrain.paths(*agent).expect("its class was there when it was made, and classes stay"))
            }
        }
    }
}

/// A map of terrain, with the maps of some classes of agents.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Terrain {
    map: Rc<RefCell<TerrainMap>>,
    size: MapSize,
    astar: AStar,
}

#[wasm_bindgen]
impl Terrain {
    /// A map of rows of kinds, for classes of agents by size and the bits of the kinds on which they walk.
    #[wasm_bindgen(constructor)]
    pub fn new(kinds: &[u8], width: f64, rule: &str, sizes: &[u32], walkable: &[u64]) -> Answer<Terrain> {
        let size = MapSize::of_rows(kinds.len(), Given(width))?;
        let rule = rule_named(rule)?;
        let classes: Vec<AgentClass> = sizes.iter().zip(walkable).map(|(size, bits)| class_of(*size, *bits)).collect();
        let kind = |cell: Cell| kinds[size.bounds().index(cell)];
        let map = TerrainMap::new((size.width, size.height), kind, rule, &classes).map_err(refused)?;
        Ok(Self { map: Rc::new(map.into()), size, astar: AStar::new() })
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.size.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.size.height
    }

    /// How often it was changed.
    pub fn version(&self) -> f64 {
        self.map.borrow().version() as f64
    }

    /// Changes the kind of cells. Returns how many changed.
    pub fn set(&mut self, cells: &[f64], kind: u8) -> Answer<u32> {
        let cells = cells_on(self.size, cells, "cells")?;
        let mut map = self.map.borrow_mut();
        Ok(cells.into_iter().filter(|cell| map.set(*cell, kind)).count() as u32)
    }

    /// Changes the kind of a rectangle.
    pub fn fill(&mut self, x: f64, y: f64, width: u32, height: u32, kind: u8) -> Answer<bool> {
        let rect = self.size.rect([Given(x), Given(y)], [width, height])?;
        Ok(self.map.borrow_mut().fill(rect, kind))
    }

    /// Replaces the kinds of a rectangle, row by row.
    pub fn edit(&mut self, x: f64, y: f64, width: f64, kinds: &[u8]) -> Answer<bool> {
        let MapSize { width, height } = MapSize::of_rows(kinds.len(), Given(width))?;
        let rect = self.size.rect([Given(x), Given(y)], [width, height])?;
        Ok(self.map.borrow_mut().edit(rect, |cell| kinds[rect.index(cell)]))
    }

    /// Its kinds, row by row.
    pub fn cells(&self) -> Vec<u8> {
        let map = self.map.borrow();
        self.size.bounds().cells().filter_map(|cell| map.terrain(cell)).collect()
    }

    /// As for a map, for a class of agents, if a rectangle became terrain of some kind.
    #[expect(clippy::too_many_arguments, reason = "wasm-bindgen takes no tuples")]
    pub fn would_close(
        &mut self,
        size: u32,
        walkable: u64,
        rect: &[f64],
        kind: u8,
        from: &[f64],
        to_x: f64,
        to_y: f64,
    ) -> Answer<Option<u32>> {
        let agent = self.known(size, walkable)?;
        let (rect, (from, to)) = (sides(self.size, rect)?, starts_and_goal(self.size, from, [to_x, to_y])?);
        let closed = self.map.borrow_mut().would_close(agent, (rect, kind), &from, to);
        Ok(closed.map(|place| place as u32))
    }

    /// Gives a class of agents a map of its own.
    pub fn add_class(&mut self, size: u32, walkable: u64) -> Answer<()> {
        self.map.borrow_mut().add_class(class_of(size, walkable)).map_err(refused)
    }

    /// The cells of a cheapest path of an agent, whether or not it has a map, and then its cost.
    #[expect(clippy::too_many_arguments, reason = "wasm-bindgen takes no tuples")]
    pub fn path(
        &mut self,
        size: u32,
        walkable: u64,
        x0: f64,
        y0: f64,
        x1: f64,
        y1: f64,
        by_kind: &[f64],
    ) -> Answer<Option<Vec<f64>>> {
        let ends = (cell_on(self.size, [x0, y0], "from")?, cell_on(self.size, [x1, y1], "to")?);
        let Self { map, astar, .. } = self;
        let found = map.borrow().cheapest_path(class_of(size, walkable), &weights(by_kind)?, ends, astar);
        Ok(found.map_err(refused)?.map(|(path, cost)| {
            let cells = path.cells().iter().flat_map(|cell| [f64::from(cell.x), f64::from(cell.y)]);
            cells.chain([cost.as_f64()]).collect()
        }))
    }

    /// The map of a class of agents.
    pub fn paths(&self, size: u32, walkable: u64) -> Answer<Map> {
        let agent = self.known(size, walkable)?;
        Ok(Map::on(Ground::Class(self.map.clone(), agent), self.size))
    }
}

impl Terrain {
    /// The terrain, which the maps of its classes share.
    pub(crate) const fn map(&self) -> &Rc<RefCell<TerrainMap>> {
        &self.map
    }

    pub(crate) const fn size(&self) -> MapSize {
        self.size
    }

    /// A class of agents that has a map.
    fn known(&self, size: u32, walkable: u64) -> Answer<AgentClass> {
        let agent = class_of(size, walkable);
        check_class(&self.map.borrow(), agent)?;
        Ok(agent)
    }
}

/// A rectangle on a map, as x, y, width and height.
fn sides(size: MapSize, rect: &[f64]) -> Answer<CellRect> {
    let [x, y, width, height] = *rect else { return Err(refused("a rectangle is x, y, width, height")) };
    Ok(size.rect([Given(x), Given(y)], [width as u32, height as u32])?)
}

/// Starts, and the goal that they may reach.
fn starts_and_goal(size: MapSize, from: &[f64], to: [f64; 2]) -> Answer<(Vec<Cell>, Cell)> {
    Ok((cells_on(size, from, "from")?, cell_on(size, to, "to")?))
}
