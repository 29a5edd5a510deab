//! Flow fields.

use quadrille_bindings::goals_begun;
use quadrille_paths::{Cell, Direction, FlowField, GrowingField, Length};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::border::{Answer, cell_on, cells_on, flat, given, links, part, refused};
use crate::map::Map;

/// A cell's direction other than the eight: there is no path, the cell is a goal, or the next step is a link.
const NONE: i8 = -1;
const GOAL: i8 = 8;
const LINK: i8 = 9;

/// The paths from every cell to the nearest of some goals.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Field {
    field: FlowField,
    is_weighted: bool,
    /// The map's cells.
    size: quadrille_bindings::MapSize,
}

#[wasm_bindgen]
impl Field {
    /// Begins the field of a map toward goals, with links, or with starts and weights. Agents without a map always have
    /// weights.
    pub fn begin(
        map: &Map,
        goals: &[f64],
        rect: &[f64],
        starts: &[f64],
        by_link: &[f64],
        by_kind: &[f64],
        is_weighted: bool,
    ) -> Answer<SlowField> {
        let size = map.size;
        let (goals, asked) = (cells_on(size, goals, "goals")?, part(rect)?);
        let is_plain = starts.is_empty() && by_kind.is_empty();
        if !by_link.is_empty() && !is_plain {
            return Err(refused("a field has links, or starts and weights, but not two of them"));
        }
        let is_weighted = is_weighted || !by_kind.is_empty();
        let begun = if starts.is_empty() { vec![0.0; goals.len()] } else { starts.to_vec() };
        let begun = goals_begun(&goals, &given(&begun))?;
        let field = if !by_link.is_empty() {
            let links = links(size, by_link)?;
            map.look(|map| FlowField::begin_linked(map, &goals, asked, &links)).map_err(refused)?
        } else if is_weighted {
            map.ground.borrow().begin_field(Some(&map.agent(by_kind)?), &begun, asked)?
        } else {
            map.look(|map| FlowField::begin(map, &begun, asked))
        };
        Ok(SlowField { field, is_weighted })
    }

    /// Updates it. Returns whether anything had changed.
    pub fn repair(&mut self, map: &Map) -> Answer<bool> {
        self.size = map.size;
        map.repair(&mut self.field, self.is_weighted)
    }

    /// The version of the map that it reflects.
    pub fn version(&self) -> f64 {
        self.field.version() as f64
    }

    /// The length of a shortest path, or infinity.
    pub fn length(&self, x: f64, y: f64) -> Answer<f64> {
        Ok(self.field.length(cell_on(self.size, [x, y], "cell")?).map_or(f64::INFINITY, Length::as_f64))
    }

    /// The lengths from all cells, row by row, or infinity.
    pub fn lengths(&self) -> Vec<f32> {
        let length = |cell| self.field.length(cell).map_or(f32::INFINITY, |length| length.as_f64() as f32);
        self.size.bounds().cells().map(length).collect()
    }

    /// The directions of all cells, row by row.
    pub fn directions(&self) -> Vec<i8> {
        self.size.bounds().cells().map(|cell| self.direction(cell)).collect()
    }

    /// The next cells of some; -1, -1 where there is no path.
    pub fn next(&self, cells: &[f64]) -> Answer<Vec<i32>> {
        let cells = cells_on(self.size, cells, "cells")?;
        let mut next = Vec::with_capacity(2 * cells.len());
        for cell in cells {
            next.extend(self.field.next(cell).map_or([-1, -1], |cell| [cell.x as i32, cell.y as i32]));
        }
        Ok(next)
    }

    /// The link to take from a cell, or -1.
    pub fn link(&self, x: f64, y: f64) -> Answer<i32> {
        Ok(self.field.link(cell_on(self.size, [x, y], "cell")?).map_or(-1, |link| link as i32))
    }

    /// The cells of a shortest path.
    pub fn path(&self, x: f64, y: f64) -> Answer<Option<Vec<i32>>> {
        let cells: Vec<Cell> = self.field.path(cell_on(self.size, [x, y], "cell")?).collect();
        Ok((!cells.is_empty()).then(|| flat(&cells)))
    }
}

/// A field that is made in slices.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SlowField {
    field: GrowingField,
    is_weighted: bool,
}

#[wasm_bindgen]
impl SlowField {
    /// Goes on for some cells; returns the field once it is done.
    pub fn go_on(&mut self, map: &Map, cells: u32) -> Answer<Option<Field>> {
        let (size, is_weighted, cells) = (map.size, self.is_weighted, cells as usize);
        let ground = map.ground.borrow();
        let field = match ground.map(map.class) {
            Ok(map) if !is_weighted => self.field.go_on(map, cells),
            _ => self.field.go_on_weighted(ground.terrain()?, cells),
        };
        Ok(field.map(|field| Field { field, is_weighted, size }))
    }
}

impl Field {
    fn direction(&self, cell: Cell) -> i8 {
        let Some(next) = self.field.next(cell) else { return NONE };
        if next == cell {
            GOAL
        } else if self.field.link(cell).is_some() {
            LINK
        } else {
            Direction::between(cell, next).map_or(NONE, |direction| direction as i8)
        }
    }
}
