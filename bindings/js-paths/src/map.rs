//! Maps of free and blocked cells, and of terrain.

use std::cell::{RefCell, RefMut};
use std::rc::Rc;

use quadrille_bindings::{Agent, CellPaths, Ground, MapSize, Reaching, Working, class_of};
use quadrille_paths::{AgentClass, Cell, CellRect, FlowField, Path, PathMap, Scratch};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::border::{Answer, Given, cell_on, cells_on, refused, weights};

/// A map, or the part of a terrain map for some agents, with working memory.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Map {
    /// The map that agents share.
    pub(crate) ground: Rc<RefCell<Ground>>,
    /// The agents whose map it is.
    pub(crate) class: Option<AgentClass>,
    pub(crate) size: MapSize,
    working: Working,
    /// Where parts of the last answer start.
    pub(crate) starts: Vec<u32>,
    /// Whether the last search for a path was completed.
    pub(crate) is_known: bool,
}

#[wasm_bindgen]
impl Map {
    /// A map of rows of cells, free where not 0; with classes of agents, of kinds of terrain. Each class is a size and the
    /// bits of the kinds on which it walks.
    #[wasm_bindgen(constructor)]
    pub fn new(values: &[u8], width: f64, rule: &str, classes: Option<Vec<u64>>) -> Answer<Map> {
        let size = MapSize::of_rows(values.len(), Given(width))?;
        let classes = classes.map(|classes| classes.chunks_exact(2).map(agents).collect::<Vec<_>>());
        let ground = Ground::new(values, size, rule, classes.as_deref())?;
        Ok(Self::on(Rc::new(ground.into()), None, size))
    }

    /// The map of agents on this terrain, whether or not they have a class.
    pub fn of_agents(&self, class: &[u64]) -> Map {
        Self::on(self.ground.clone(), Some(agents(class)), self.size)
    }

    /// The map of a class of agents.
    pub fn of_class(&self, class: &[u64]) -> Answer<Map> {
        self.ground.borrow().map(Some(agents(class)))?;
        Ok(self.of_agents(class))
    }

    /// Gives a class of agents a map of its own.
    pub fn add_class(&mut self, class: &[u64]) -> Answer<()> {
        Ok(self.own()?.add_class(agents(class))?)
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
    pub fn rule(&self) -> String {
        self.ground.borrow().rule().into()
    }

    /// A number that grows with every change.
    pub fn version(&self) -> f64 {
        match self.class {
            None => self.ground.borrow().version() as f64,
            Some(_) => self.look(|map| map.version() as f64),
        }
    }

    /// Sets cells. Returns how many changed.
    pub fn set(&mut self, cells: &[f64], value: u8) -> Answer<u32> {
        let cells = cells_on(self.size, cells, "cells")?;
        Ok(self.own()?.set(&cells, value) as u32)
    }

    /// Sets a rectangle.
    pub fn fill(&mut self, x: f64, y: f64, width: u32, height: u32, value: u8) -> Answer<bool> {
        let rect = self.size.rect([Given(x), Given(y)], [width, height])?;
        Ok(self.own()?.fill(rect, value))
    }

    /// Replaces the cells of a rectangle, row by row.
    pub fn edit(&mut self, x: f64, y: f64, width: f64, values: &[u8]) -> Answer<bool> {
        let MapSize { width, height } = MapSize::of_rows(values.len(), Given(width))?;
        let rect = self.size.rect([Given(x), Given(y)], [width, height])?;
        Ok(self.own()?.edit(rect, values))
    }

    /// The index of the first of some cells that could no longer reach another if a rectangle were blocked or, for
    /// agents, became terrain of a kind.
    pub fn would_close(
        &mut self,
        rect: &[f64],
        kind: Option<u8>,
        from: &[f64],
        to_x: f64,
        to_y: f64,
    ) -> Answer<Option<u32>> {
        let (rect, from) = (sides(self.size, rect)?, cells_on(self.size, from, "from")?);
        let to = cell_on(self.size, [to_x, to_y], "to")?;
        let (class, mut ground) = match kind {
            Some(_) => (self.class, self.ground.borrow_mut()),
            None => (None, self.own()?),
        };
        Ok(ground.would_close(class, (rect, kind.unwrap_or(0)), &from, to)?.map(|row| row as u32))
    }

    /// Its cells, row by row: 1 where free, or kinds.
    pub fn cells(&self) -> Answer<Vec<u8>> {
        let all = self.size.bounds();
        match self.class {
            None => Ok(self.ground.borrow().values(all)?),
            Some(_) => Ok(self.look(|map| all.cells().map(|cell| map.grid().is_free(cell).into()).collect())),
        }
    }

    /// Moves what searches have found to where it is read fastest.
    pub fn maintain(&mut self) {
        self.ground.borrow_mut().maintain();
    }

    /// Adds landmarks up to this number, and returns how many there are.
    pub fn add_landmarks(&mut self, count: u32) -> Answer<u32> {
        let mut ground = self.own()?;
        let map = ground.map_mut()?;
        map.add_landmarks(count as usize);
        Ok(map.landmark_count() as u32)
    }

    /// Bytes in the module's memory.
    pub fn bytes(&self) -> usize {
        self.look(PathMap::bytes)
    }

    /// Where parts of the last answer start, and where the last one ends.
    pub fn starts(&mut self) -> Vec<u32> {
        core::mem::take(&mut self.starts)
    }
}

impl Map {
    fn on(ground: Rc<RefCell<Ground>>, class: Option<AgentClass>, size: MapSize) -> Self {
        Self { ground, class, size, working: Working::default(), starts: Vec::new(), is_known: true }
    }

    /// Queries the map with its own working memory. If searches are hard, landmarks are made for later ones.
    pub(crate) fn ask<R>(&mut self, work: impl FnOnce(&PathMap, &mut Scratch) -> R) -> R {
        let answer = work(paths_of(&self.ground.borrow(), self.class), &mut self.working.scratch);
        if self.class.is_none() {
            self.maintain();
        }
        answer
    }

    /// Queries it without working memory.
    pub(crate) fn look<R>(&self, work: impl FnOnce(&PathMap) -> R) -> R {
        work(paths_of(&self.ground.borrow(), self.class))
    }

    /// A path led around obstacles near its start.
    pub(crate) fn around(&mut self, led: (&[Cell], &[Cell]), radius: u32) -> Answer<Option<Path>> {
        Ok(self.ground.borrow().detour(self.class, led, radius, &mut self.working)?)
    }

    /// A cheapest path of agents.
    pub(crate) fn cheapest(&mut self, agent: &Agent, (from, to): (Cell, Cell)) -> Answer<CellPaths> {
        let ends: (&[Cell], &[Cell]) = (&[from], &[to]);
        Ok(self.ground.borrow().paths(Some(agent), ends, Reaching::Goal, &mut self.working)?)
    }

    /// Its agents, with these weights for kinds of terrain.
    pub(crate) fn agent(&self, by_kind: &[f64]) -> Answer<Agent> {
        let told = || refused("weights are of kinds of terrain, and this map has none: make a TerrainMap");
        Ok(Agent { class: self.class.ok_or_else(told)?, weights: weights(by_kind)? })
    }

    fn own(&mut self) -> Answer<RefMut<'_, Ground>> {
        match self.class {
            None => Ok(self.ground.borrow_mut()),
            Some(_) => Err(refused("the map of a class of agents changes with its terrain: edit that")),
        }
    }

    /// Updates a flow field. Returns whether anything had changed.
    pub(crate) fn repair(&self, field: &mut FlowField, is_weighted: bool) -> Answer<bool> {
        let ground = self.ground.borrow();
        match ground.map(self.class) {
            Ok(map) if !is_weighted => Ok(field.repair(map)),
            _ => Ok(field.repair_weighted(ground.terrain()?)),
        }
    }
}

/// The map of free and blocked cells, or of a class. Terrain itself has no paths.
fn paths_of(ground: &Ground, class: Option<AgentClass>) -> &PathMap {
    ground.map(class).expect("its class was there when it was made, and classes stay")
}

/// A class of agents by its size and the bits of the kinds on which it walks.
fn agents(class: &[u64]) -> AgentClass {
    class_of(class[0] as u32, class[1])
}

/// A rectangle on a map, as x, y, width and height.
fn sides(size: MapSize, rect: &[f64]) -> Answer<CellRect> {
    let [x, y, width, height] = *rect else { return Err(refused("a rectangle is x, y, width, height")) };
    Ok(size.rect([Given(x), Given(y)], [width as u32, height as u32])?)
}
