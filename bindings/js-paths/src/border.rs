//! Numbers in, arrays out, errors.

use std::fmt;

use quadrille_bindings::{Error, MapSize, Number, check_amount, links_on, weights_by_kind};
use quadrille_paths::{Cell, CellRect, Link, Weights};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// A `RangeError`.
    #[wasm_bindgen(js_name = RangeError)]
    #[derive(Debug)]
    pub type Refusal;

    #[wasm_bindgen(constructor, js_class = "RangeError")]
    fn new(message: &str) -> Refusal;

    /// A number as text.
    #[wasm_bindgen(js_name = String)]
    fn text(number: f64) -> String;

    /// Milliseconds of a clock that never goes back.
    #[wasm_bindgen(js_namespace = performance)]
    pub(crate) fn now() -> f64;
}

/// An error with its text.
#[cold]
pub(crate) fn refused(why: impl std::fmt::Display) -> Refusal {
    Refusal::new(&why.to_string())
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        refused(error)
    }
}

/// An answer, or why there is none.
pub(crate) type Answer<T> = Result<T, Refusal>;

/// A number from JavaScript, formatted by JavaScript, because Rust's formatting of `f64` takes several kilobytes.
#[derive(Clone, Copy)]
pub(crate) struct Given(pub(crate) f64);

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self.0))
    }
}

impl Number for Given {
    fn to_u32(self) -> Option<u32> {
        self.0.to_u32()
    }
}

/// Numbers from JavaScript.
pub(crate) fn given(numbers: &[f64]) -> Vec<Given> {
    numbers.iter().copied().map(Given).collect()
}

/// One cell on a map.
pub(crate) fn cell_on(size: MapSize, xy: [f64; 2], name: &str) -> Result<Cell, Error> {
    size.cell(xy.map(Given), name)
}

/// Cells on a map, two numbers each.
pub(crate) fn cells_on(size: MapSize, numbers: &[f64], name: &str) -> Result<Vec<Cell>, Error> {
    size.cells(&given(numbers), name)
}

/// Cells in JavaScript's form: x, y, x, y, …
pub(crate) fn flat(cells: &[Cell]) -> Vec<i32> {
    let mut numbers = Vec::with_capacity(2 * cells.len());
    for cell in cells {
        numbers.extend([cell.x as i32, cell.y as i32]);
    }
    numbers
}

/// The requested part of a map: all of it, or four numbers, clipped to the map.
pub(crate) fn part(numbers: &[f64]) -> Answer<CellRect> {
    match *numbers {
        [] => Ok(CellRect::new(0, 0, u32::MAX, u32::MAX)),
        // A start below 0 becomes 0, and the side shrinks.
        [x, y, width, height] if numbers.iter().all(|number| number.fract() == 0.0) => {
            let (right, bottom) = ((x + width.max(0.0)) as u32, (y + height.max(0.0)) as u32);
            Ok(CellRect::new(x as u32, y as u32, right.saturating_sub(x as u32), bottom.saturating_sub(y as u32)))
        }
        _ => {
            let numbers: Vec<String> = given(numbers).iter().map(Given::to_string).collect();
            let numbers = numbers.join(", ");
            Err(refused(format!("a rectangle is four whole numbers: x, y, width, height, not [{numbers}]")))
        }
    }
}

/// Links, five numbers each: from x, y, to x, y, and the steps that it costs.
pub(crate) fn links(size: MapSize, numbers: &[f64]) -> Result<Vec<Link>, Error> {
    links_on(size, &given(numbers))
}

/// Weights by kind of terrain; kinds without one weigh 1.
pub(crate) fn weights(numbers: &[f64]) -> Result<Weights, Error> {
    weights_by_kind(&given(numbers))
}

/// Checks a number that is an amount of what it is called.
pub(crate) fn amount(name: &str, number: f64) -> Result<f64, Error> {
    check_amount(name, number, Given(number)).map(|()| number)
}
