//! A query that records the cells and boxes it was compared with.

use std::cell::{Cell, RefCell};

use quadrille::{Aabb, Layers, Query, Ranked, forward};

use super::Answer;

/// Forwards everything to a query; keeps the rectangles and counts the boxes that were compared with it. Query by
/// reference.
#[derive(Clone, Debug)]
pub(super) struct Witness<Q> {
    query: Q,
    cells: RefCell<Vec<Aabb>>,
    boxes: Cell<usize>,
}

impl<Q> Witness<Q> {
    pub(super) fn new(query: Q) -> Self {
        Self { query, cells: RefCell::default(), boxes: Cell::new(0) }
    }

    /// What was found, and what was visited.
    pub(super) fn into_answer(self, found: Vec<u32>) -> Answer {
        let cells = self.cells.into_inner();
        Answer { found, nodes: cells.len(), cells, boxes: self.boxes.get(), ..Answer::default() }
    }
}

impl<Q: Query<f32>> Query<f32> for Witness<Q> {
    forward!(Query<f32>, |witness| witness.query, except reaches, circle, accepts);

    fn reaches(&self, cell: &Aabb) -> bool {
        self.cells.borrow_mut().push(*cell);
        self.query.reaches(cell)
    }

    fn accepts(&self, id: u32, bounds: &Aabb, layers: Layers) -> bool {
        self.boxes.set(self.boxes.get() + 1);
        self.query.accepts(id, bounds, layers)
    }
}

impl<Q: Ranked<f32>> Ranked<f32> for Witness<Q> {
    type Rank = Q::Rank;

    forward!(Ranked<f32>, |witness| witness.query);
}
