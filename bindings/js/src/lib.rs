//! quadrille for JavaScript: the functions that `quadrille.js` calls. The public interface is documented in
//! `package/quadrille.d.ts`.
//!
//! **The border.** Numbers go in as arguments, or are written by JavaScript into the [room for boxes](Core::room_for).
//! Answers stay here, in [columns](Core::column) that are reused, and JavaScript reads them in place. A call that may
//! fail returns how many answers there are, or [`REFUSED`], and then [`refusal`](Core::refusal) says why: an exception
//! costs more than a query.

mod desk;

use quadrille_bindings::Error;
use wasm_bindgen::prelude::wasm_bindgen;

use desk::Desk;

/// Returned instead of a number of answers: nothing has changed, and there is an error to read.
pub const REFUSED: i32 = -1;

/// Boxes under ids, with the last answers.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Core {
    desk: Desk,
    refusal: String,
}

#[wasm_bindgen]
impl Core {
    /// Nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes room for this number of boxes and returns its address.
    pub fn room_for(&mut self, boxes: usize) -> *const u8 {
        self.desk.room_for(boxes).unwrap_or_else(|error| {
            self.refuse(&error);
            std::ptr::null()
        })
    }

    /// The address of a column of answers.
    pub fn column(&mut self, column: u32) -> *const u8 {
        self.desk.column(column).0
    }

    /// How many numbers there are in a column.
    pub fn filled(&mut self, column: u32) -> usize {
        self.desk.column(column).1
    }

    /// Why the last call returned [`REFUSED`].
    pub fn refusal(&self) -> String {
        self.refusal.clone()
    }

    /// All pairs of a box of these and one of the others.
    pub fn pairs_with(&mut self, others: &Self) -> i32 {
        let done = self.desk.pairs_with(&others.desk);
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

/// Calls that a desk answers with a number, or refuses.
macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) = |$desk:ident| $work:expr;)*) => {
        #[wasm_bindgen]
        impl Core {$(
            $(#[$doc])*
            pub fn $name(&mut self, $($argument: $type),*) -> i32 {
                let $desk = &mut self.desk;
                let done = $work;
                self.count(done)
            }
        )*}
    };
}

calls! {
    /// From now on there are exactly the boxes in the room for boxes.
    update() = |desk| desk.update();

    /// Adds the boxes in the room for boxes; their ids become the column.
    insert() = |desk| desk.insert();

    /// Updates the boxes with these ids from the room for boxes.
    set(ids: &[f64]) = |desk| desk.set(ids);

    /// Removes the boxes with these ids.
    remove(ids: &[f64]) = |desk| desk.remove(ids);

    /// Adds one box and returns its id.
    insert_one(x0: f64, y0: f64, x1: f64, y1: f64) = |desk| desk.insert_one([x0, y0, x1, y1]);

    /// Updates one box.
    set_one(id: f64, x0: f64, y0: f64, x1: f64, y1: f64) = |desk| desk.set_one(id, [x0, y0, x1, y1]);

    /// Removes one box.
    remove_one(id: f64) = |desk| desk.remove(&[id]);

    /// Sets the layers of the boxes with these ids: those that they are on and those that they meet, one entry each or
    /// one for all.
    set_layers(ids: &[f64], own: &[u32], mask: &[u32]) = |desk| desk.set_layers(Some(ids), own, mask);

    /// Sets the layers of all boxes, in the order of ids.
    set_all_layers(own: &[u32], mask: &[u32]) = |desk| desk.set_layers(None, own, mask);

    /// The layers of the box with an id, as the first of the column of layers.
    layers(id: f64) = |desk| desk.layers(id);

    /// Does the work that single changes postpone.
    maintain() = |desk| Ok(desk.maintain());

    /// The box with an id, as the first of the column of boxes.
    get(id: f64) = |desk| desk.get(id);

    /// How many boxes there are.
    size() = |desk| Ok(desk.len() as i32);

    /// All ids in use, ascending.
    ids() = |desk| Ok(desk.ids());

    /// All pairs.
    pairs() = |desk| desk.pairs();

    /// Contacts that began and ended since the last call. Returns how many began.
    events() = |desk| desk.events();

    /// The boxes that overlap a box; the first `most`. If `seen` has layers, here and below, only boxes on one of them.
    search(x0: f64, y0: f64, x1: f64, y1: f64, most: u32, seen: Option<u32>)
        = |desk| desk.search([x0, y0, x1, y1], most, seen);

    /// The boxes that overlap each of the boxes in the room for boxes.
    search_many(seen: Option<u32>) = |desk| desk.search_many(seen);

    /// The boxes within `distance` of a point.
    within(x: f64, y: f64, distance: f64, seen: Option<u32>) = |desk| desk.within([x, y], distance, seen);

    /// The `most` boxes that are nearest to a point.
    nearest(x: f64, y: f64, most: f64, distance: f64, seen: Option<u32>)
        = |desk| desk.nearest([x, y], most, distance, seen);

    /// The first box that a moving point hits. Returns how many there are: one or none. Time and normal are three
    /// ranks.
    cast(x: f64, y: f64, way_x: f64, way_y: f64, latest: f64, seen: Option<u32>)
        = |desk| desk.cast([x, y], [way_x, way_y], latest, seen);

    /// The bounds of all nodes or cells.
    nodes() = |desk| desk.nodes();
}
