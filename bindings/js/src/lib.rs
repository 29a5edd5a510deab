//! quadrille for JavaScript: the functions that `quadrille.js` calls. The public interface is documented in
//! `package/quadrille.d.ts`.
//!
//! **The border.** Numbers go in as arguments, or are written by JavaScript into the [room for boxes](Core::room_for).
//! Answers stay here, in [columns](Core::column) that are reused, and JavaScript reads them in place. A call that may
//! fail returns how many answers there are, or [`REFUSED`], and then [`refusal`](Core::refusal) says why: an exception
//! costs more than a query.

mod desk;

use quadrille::FrameTree;
use quadrille_bindings::Error;
use wasm_bindgen::prelude::wasm_bindgen;

use desk::Desk;

/// Returned instead of a number of answers: nothing has changed, and there is an error to read.
pub const REFUSED: i32 = -1;

/// Boxes under ids, with the last answers.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Core {
    any: Any,
    refusal: String,
}

/// One structure, in two precisions. Each further one would add a fifth to what a page loads; a quadtree was slower
/// both for windows and for single changes (November 2026).
#[derive(Debug)]
enum Any {
    F32(Box<Desk<FrameTree<f32>>>),
    F64(Box<Desk<FrameTree<f64>>>),
}

macro_rules! each {
    ($core:expr, $desk:ident => $result:expr) => {
        match &mut $core.any {
            Any::F32($desk) => $result,
            Any::F64($desk) => $result,
        }
    };
}

#[wasm_bindgen]
impl Core {
    /// Nothing yet, in this precision.
    #[wasm_bindgen(constructor)]
    pub fn new(is_double: bool) -> Self {
        let any = if is_double { Any::F64(Desk::new().into()) } else { Any::F32(Desk::new().into()) };
        Self { any, refusal: String::new() }
    }

    /// Makes room for this number of boxes and returns its address.
    pub fn room_for(&mut self, boxes: usize) -> *const u8 {
        let room = each!(self, desk => desk.room_for(boxes));
        room.unwrap_or_else(|error| {
            self.refuse(&error);
            std::ptr::null()
        })
    }

    /// The address of a column of answers.
    pub fn column(&mut self, column: u32) -> *const u8 {
        each!(self, desk => desk.column(column).0)
    }

    /// How many numbers there are in a column.
    pub fn filled(&mut self, column: u32) -> usize {
        each!(self, desk => desk.column(column).1)
    }

    /// Why the last call returned [`REFUSED`].
    pub fn refusal(&self) -> String {
        self.refusal.clone()
    }

    /// From now on there are exactly the boxes in the room for boxes.
    pub fn update(&mut self) -> i32 {
        let done = each!(self, desk => desk.update());
        self.count(done)
    }

    /// Adds the boxes in the room for boxes; their ids become the column.
    pub fn insert(&mut self) -> i32 {
        let done = each!(self, desk => desk.insert());
        self.count(done)
    }

    /// Updates the boxes with these ids from the room for boxes.
    pub fn set(&mut self, ids: &[f64]) -> i32 {
        let done = each!(self, desk => desk.set(ids));
        self.count(done)
    }

    /// Removes the boxes with these ids.
    pub fn remove(&mut self, ids: &[f64]) -> i32 {
        let done = each!(self, desk => desk.remove(ids));
        self.count(done)
    }

    /// Adds one box and returns its id.
    pub fn insert_one(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) -> i32 {
        let done = each!(self, desk => desk.insert_one([x0, y0, x1, y1]));
        self.count(done)
    }

    /// Updates one box.
    pub fn set_one(&mut self, id: f64, x0: f64, y0: f64, x1: f64, y1: f64) -> i32 {
        let done = each!(self, desk => desk.set_one(id, [x0, y0, x1, y1]));
        self.count(done)
    }

    /// Removes one box.
    pub fn remove_one(&mut self, id: f64) -> i32 {
        let done = each!(self, desk => desk.remove(&[id]));
        self.count(done)
    }

    /// Sets the layers of the boxes with these ids: those that they are on and those that they meet, one entry each or
    /// one for all.
    pub fn set_layers(&mut self, ids: &[f64], own: &[u32], mask: &[u32]) -> i32 {
        let done = each!(self, desk => desk.set_layers(Some(ids), own, mask));
        self.count(done)
    }

    /// Sets the layers of all boxes, in the order of ids.
    pub fn set_all_layers(&mut self, own: &[u32], mask: &[u32]) -> i32 {
        let done = each!(self, desk => desk.set_layers(None, own, mask));
        self.count(done)
    }

    /// The layers of the box with an id, as the first of the column of layers.
    pub fn layers(&mut self, id: f64) -> i32 {
        let done = each!(self, desk => desk.layers(id));
        self.count(done)
    }

    /// Does the work that single changes postpone.
    pub fn maintain(&mut self) {
        each!(self, desk => desk.maintain());
    }

    /// The box with an id, as the first of the column of boxes.
    pub fn get(&mut self, id: f64) -> i32 {
        let done = each!(self, desk => desk.get(id));
        self.count(done)
    }

    /// How many boxes there are.
    pub fn size(&mut self) -> usize {
        each!(self, desk => desk.len())
    }

    /// All ids in use, ascending.
    pub fn ids(&mut self) -> i32 {
        each!(self, desk => desk.ids())
    }

    /// All pairs.
    pub fn pairs(&mut self) -> i32 {
        let done = each!(self, desk => desk.pairs());
        self.count(done)
    }

    /// All pairs of a box of these and one of the others.
    pub fn pairs_with(&mut self, others: &Self) -> i32 {
        let done = match (&mut self.any, &others.any) {
            (Any::F32(desk), Any::F32(others)) => desk.pairs_with(others),
            (Any::F64(desk), Any::F64(others)) => desk.pairs_with(others),
            _ => Err(Error::value("two sets need the same precision: one is of float32, the other of float64")),
        };
        self.count(done)
    }

    /// Contacts that began and ended since the last call. Returns how many began.
    pub fn events(&mut self) -> i32 {
        each!(self, desk => desk.events())
    }

    /// The boxes that overlap a box; the first `most`. If `seen` has layers, here and below, only boxes on one of them.
    pub fn search(&mut self, x0: f64, y0: f64, x1: f64, y1: f64, most: u32, seen: Option<u32>) -> i32 {
        let done = each!(self, desk => desk.search([x0, y0, x1, y1], most, seen));
        self.count(done)
    }

    /// The boxes that overlap each of the boxes in the room for boxes.
    pub fn search_many(&mut self, seen: Option<u32>) -> i32 {
        let done = each!(self, desk => desk.search_many(seen));
        self.count(done)
    }

    /// The boxes within `distance` of a point.
    pub fn within(&mut self, x: f64, y: f64, distance: f64, seen: Option<u32>) -> i32 {
        let done = each!(self, desk => desk.within([x, y], distance, seen));
        self.count(done)
    }

    /// The `most` boxes that are nearest to a point.
    pub fn nearest(&mut self, x: f64, y: f64, most: f64, distance: f64, seen: Option<u32>) -> i32 {
        let done = each!(self, desk => desk.nearest([x, y], most, distance, seen));
        self.count(done)
    }

    /// The first box that a moving point hits. Returns how many there are: one or none. Time and normal are three
    /// ranks.
    pub fn cast(&mut self, x: f64, y: f64, way_x: f64, way_y: f64, latest: f64, seen: Option<u32>) -> i32 {
        let done = each!(self, desk => desk.cast([x, y], [way_x, way_y], latest, seen));
        self.count(done)
    }

    /// The bounds of all nodes or cells.
    pub fn nodes(&mut self) -> i32 {
        let done = each!(self, desk => desk.nodes());
        self.count(done)
    }

    fn count(&mut self, done: Result<i32, Error>) -> i32 {
        done.unwrap_or_else(|error| {
            self.refuse(&error);
            REFUSED
        })
    }

    #[cold]
    fn refuse(&mut self, error: &Error) {
        self.refusal = error.to_string();
    }
}
