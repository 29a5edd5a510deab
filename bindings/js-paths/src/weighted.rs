//! Cheapest paths on terrain.

use std::cell::RefCell;
use std::rc::Rc;

use quadrille_bindings::{MapSize, class_of};
use quadrille_paths::{AgentClass, Length, TerrainMap, WeightedPaths};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::border::{Answer, cell_on, flat, links, refused, weights};
use crate::map::{Map, Terrain};
use crate::queries::legs;

/// Cheapest paths of agents of one kind, with the cost of the last.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Weighted {
    terrain: Rc<RefCell<TerrainMap>>,
    size: MapSize,
    paths: WeightedPaths,
    cost: f64,
    /// Where legs of the last linked path start.
    starts: Vec<u32>,
}

#[wasm_bindgen]
impl Weighted {
    /// For a class of agents, with weights by kind.
    #[wasm_bindgen(constructor)]
    pub fn new(map: &Map, by_kind: &[f64]) -> Answer<Weighted> {
        let (terrain, agent) = map.terrain()?;
        Self::on(terrain, map.size(), agent, by_kind)
    }

    /// For agents of any kind.
    pub fn of_agent(terrain: &Terrain, size: u32, walkable: u64, by_kind: &[f64]) -> Answer<Weighted> {
        Self::on(terrain.map(), terrain.size(), class_of(size, walkable), by_kind)
    }

    /// The cells of a cheapest path.
    pub fn path(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) -> Answer<Option<Vec<i32>>> {
        let (from, to) = (cell_on(self.size, [x0, y0], "from")?, cell_on(self.size, [x1, y1], "to")?);
        let found = self.paths.path(&self.terrain.borrow(), from, to);
        self.cost = found.as_ref().map_or(f64::INFINITY, |(_, cost): &(_, Length)| cost.as_f64());
        Ok(found.map(|(path, _)| flat(path.cells())))
    }

    /// The cells of a cheapest path that may take links; [`starts`](Self::starts) are as those of a map.
    pub fn linked_path(&mut self, x0: f64, y0: f64, x1: f64, y1: f64, numbers: &[f64]) -> Answer<Option<Vec<i32>>> {
        let (from, to) = (cell_on(self.size, [x0, y0], "from")?, cell_on(self.size, [x1, y1], "to")?);
        let found = self.paths.linked_path(&self.terrain.borrow(), from, to, &links(self.size, numbers)?);
        Ok(found.map(|(path, cost)| {
            self.cost = cost.as_f64();
            let (cells, starts) = legs(&path);
            self.starts = starts;
            cells
        }))
    }

    /// Where legs of the last linked path start, and then the links taken.
    pub fn starts(&mut self) -> Vec<u32> {
        core::mem::take(&mut self.starts)
    }

    /// What the last path costs.
    pub fn cost(&self) -> f64 {
        self.cost
    }
}

impl Weighted {
    fn on(terrain: &Rc<RefCell<TerrainMap>>, size: MapSize, agent: AgentClass, by_kind: &[f64]) -> Answer<Self> {
        let paths = WeightedPaths::new(&terrain.borrow(), agent, &weights(by_kind)?).map_err(refused)?;
        Ok(Self { terrain: terrain.clone(), size, paths, cost: f64::INFINITY, starts: Vec::new() })
    }
}
