//! Cheapest paths on terrain.

use std::cell::RefCell;
use std::rc::Rc;

use quadrille_bindings::{Ground, MapSize};
use quadrille_paths::{Length, WeightedPaths};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::border::{Answer, cell_on, flat, links, refused};
use crate::map::Map;
use crate::queries::legs;

/// Cheapest paths of agents of one kind, with the cost of the last.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Weighted {
    ground: Rc<RefCell<Ground>>,
    size: MapSize,
    paths: WeightedPaths,
    cost: f64,
    /// Where legs of the last linked path start.
    starts: Vec<u32>,
}

#[wasm_bindgen]
impl Weighted {
    /// For the agents of a map, of a class or not, with weights by kind.
    #[wasm_bindgen(constructor)]
    pub fn new(map: &Map, by_kind: &[f64]) -> Answer<Weighted> {
        let (ground, agent) = (map.ground.clone(), map.agent(by_kind)?);
        let paths = WeightedPaths::new(ground.borrow().terrain()?, agent.class, &agent.weights).map_err(refused)?;
        Ok(Self { ground, size: map.size, paths, cost: f64::INFINITY, starts: Vec::new() })
    }

    /// The cells of a cheapest path.
    pub fn path(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) -> Answer<Option<Vec<i32>>> {
        let (from, to) = (cell_on(self.size, [x0, y0], "from")?, cell_on(self.size, [x1, y1], "to")?);
        let found = self.paths.path(self.ground.borrow().terrain()?, from, to);
        self.cost = found.as_ref().map_or(f64::INFINITY, |(_, cost): &(_, Length)| cost.as_f64());
        Ok(found.map(|(path, _)| flat(path.cells())))
    }

    /// The cells of a cheapest path that may take links; [`starts`](Self::starts) are as those of a map.
    pub fn linked_path(&mut self, x0: f64, y0: f64, x1: f64, y1: f64, numbers: &[f64]) -> Answer<Option<Vec<i32>>> {
        let (from, to) = (cell_on(self.size, [x0, y0], "from")?, cell_on(self.size, [x1, y1], "to")?);
        let links = links(self.size, numbers)?;
        let found = self.paths.linked_path(self.ground.borrow().terrain()?, from, to, &links);
        let Some((path, cost)) = found else { return Ok(None) };
        let (cells, starts) = legs(&path)?;
        (self.cost, self.starts) = (cost.as_f64(), starts);
        Ok(Some(cells))
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
