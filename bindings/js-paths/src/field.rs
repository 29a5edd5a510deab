//! Flow fields.

use quadrille_paths::{Cell, Direction, FlowField, Length};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::border::{Answer, flat, links, part, refused, steps, weights};
use crate::map::Map;

/// What a cell's direction is, beside the eight: there is no path, it is a goal, a link is to be taken.
const NONE: i8 = -1;
const GOAL: i8 = 8;
const LINK: i8 = 9;

/// The way to the nearest of some goals from every cell.
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
    /// The field of a map towards goals; of starts, links and weights, one may be given.
    #[wasm_bindgen(constructor)]
    pub fn new(
        map: &Map,
        goals: &[f64],
        rect: &[f64],
        starts: &[f64],
        by_link: &[f64],
        by_kind: &[f64],
    ) -> Answer<Field> {
        let size = map.size();
        let (goals, asked) = (size.cells(goals, "goals")?, part(rect)?);
        let given = [starts, by_link, by_kind].iter().filter(|numbers| !numbers.is_empty()).count();
        if given > 1 {
            return Err(refused("a field has starts, links or weights, but not two of them"));
        }
        let field = if !starts.is_empty() {
            let starts = begun(&goals, starts)?;
            map.look(|map| FlowField::with_starts(map, &starts, asked))
        } else if !by_link.is_empty() {
            let links = links(size, by_link)?;
            map.look(|map| FlowField::linked(map, &goals, asked, &links)).map_err(refused)?
        } else if by_kind.is_empty() {
            map.look(|map| FlowField::to_nearest(map, &goals, asked))
        } else {
            let (terrain, agent) = map.terrain()?;
            let field = FlowField::weighted(&terrain.borrow(), agent, &weights(by_kind)?, &goals, asked);
            field.map_err(refused)?.ok_or_else(|| refused("its class is gone"))?
        };
        Ok(Self { field, is_weighted: !by_kind.is_empty(), size })
    }

    /// Brings it up to date. Gives whether anything had changed.
    pub fn repair(&mut self, map: &Map) -> Answer<bool> {
        self.size = map.size();
        if !self.is_weighted {
            return Ok(map.look(|map| self.field.repair(map)));
        }
        let (terrain, _) = map.terrain()?;
        Ok(self.field.repair_weighted(&terrain.borrow()))
    }

    /// The version of the map of which it is a picture.
    pub fn version(&self) -> f64 {
        self.field.version() as f64
    }

    /// The length of a shortest path, or infinity.
    pub fn length(&self, x: f64, y: f64) -> Answer<f64> {
        Ok(self.field.length(self.size.cell([x, y], "cell")?).map_or(f64::INFINITY, Length::as_f64))
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
        let cells = self.size.cells(cells, "cells")?;
        let mut next = Vec::with_capacity(2 * cells.len());
        for cell in cells {
            next.extend(self.field.next(cell).map_or([-1, -1], |cell| [cell.x as i32, cell.y as i32]));
        }
        Ok(next)
    }

    /// The link to take from a cell, or -1.
    pub fn link(&self, x: f64, y: f64) -> Answer<i32> {
        Ok(self.field.link(self.size.cell([x, y], "cell")?).map_or(-1, |link| link as i32))
    }

    /// The cells of a shortest path.
    pub fn path(&self, x: f64, y: f64) -> Answer<Option<Vec<i32>>> {
        let cells: Vec<Cell> = self.field.path(self.size.cell([x, y], "cell")?).collect();
        Ok((!cells.is_empty()).then(|| flat(&cells)))
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
            Direction::between(cell, next).map_or(NONE, |way| way as i8)
        }
    }
}

/// Goals with the steps that they begin with.
fn begun(goals: &[Cell], starts: &[f64]) -> Answer<Vec<(Cell, u16)>> {
    if goals.len() != starts.len() {
        return Err(refused(format!("there are {} goals and {} starts", goals.len(), starts.len())));
    }
    let begun = goals.iter().zip(starts).enumerate().map(|(row, (goal, start))| {
        let start = steps(*start).map_err(|error| refused(format!("start {row}: {error}")))?;
        Ok((*goal, start))
    });
    begun.collect()
}
