//! A grid as programs write it by hand: boxes sorted by the cell of their lower corner, cells as wide as the distance
//! and the largest box together, so that whatever is near lies in the nine cells around.

use quadrille::Aabb;

use super::{Apart, are_near};
use crate::tally::Tally;

pub struct Grid {
    origin: [f32; 2],
    side: f32,
    columns: [usize; 2],
    by_cell: ByCell,
}

/// A counting sort of boxes by cell, whose memory is reused.
#[derive(Default)]
pub struct ByCell {
    /// The cell of each box.
    cells: Vec<u32>,
    /// Where the boxes of a cell begin; one more at the end.
    pub starts: Vec<u32>,
    /// Boxes with their numbers, cell by cell.
    pub sorted: Vec<(Aabb, u32)>,
}

impl ByCell {
    pub fn sort(&mut self, boxes: &[Aabb], cells: usize, cell: impl Fn(&Aabb) -> usize) {
        self.cells.clear();
        self.starts.clear();
        self.starts.resize(cells + 1, 0);
        for aabb in boxes {
            let cell = cell(aabb);
            self.cells.push(cell as u32);
            self.starts[cell] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.sorted.resize(boxes.len(), (Aabb::EMPTY, 0));
        for ((id, aabb), cell) in (0..).zip(boxes).zip(&self.cells) {
            let start = &mut self.starts[*cell as usize];
            *start -= 1;
            self.sorted[*start as usize] = (*aabb, id);
        }
    }
}

pub struct ByHand;

impl Grid {
    /// For distances up to `distance` from boxes with sides up to `largest`.
    pub fn new(boxes: &[Aabb], distance: f32, largest: f32) -> Self {
        let hull = Aabb::from_boxes(boxes);
        // No more cells than four for each box: cells may be wider than they need to be.
        let least = (hull.size()[0] * hull.size()[1] / (4.0 * boxes.len() as f32)).sqrt();
        let side = (distance + largest).max(least) * 1.0001;
        let columns = hull.size().map(|size| (size / side) as usize + 1);
        let mut grid = Self { origin: hull.min, side, columns, by_cell: ByCell::default() };
        let mut by_cell = ByCell::default();
        by_cell.sort(boxes, columns[0] * columns[1], |aabb| grid.cell(aabb));
        grid.by_cell = by_cell;
        grid
    }

    fn column(&self, axis: usize, at: f32) -> usize {
        (((at - self.origin[axis]) / self.side).max(0.0) as usize).min(self.columns[axis] - 1)
    }

    fn cell(&self, aabb: &Aabb) -> usize {
        self.column(1, aabb.min[1]) * self.columns[0] + self.column(0, aabb.min[0])
    }

    /// Visits the boxes in the nine cells around one.
    pub fn around(&self, aabb: &Aabb, mut visit: impl FnMut(&Aabb, u32)) {
        let [x, y] = [0, 1].map(|axis| {
            let at = |by: f32| self.column(axis, aabb.min[axis] + by * self.side);
            at(-1.0)..=at(1.0)
        });
        for y in y {
            let row = y * self.columns[0];
            let start = |at: usize| self.by_cell.starts[row + at] as usize;
            self.by_cell.sorted[start(*x.start())..start(x.end() + 1)].iter().for_each(|(other, id)| visit(other, *id));
        }
    }
}

/// The longest side of all.
pub fn largest(boxes: &[Aabb]) -> f32 {
    boxes.iter().flat_map(Aabb::size).fold(0.0, f32::max)
}

impl Apart for ByHand {
    fn within(&mut self, boxes: &[Aabb], distance: f32, pairs: &mut Tally) {
        let grid = Grid::new(boxes, distance, largest(boxes));
        for (one, a) in &grid.by_cell.sorted {
            grid.around(one, |other, b| {
                if *a < b && are_near(one, other, distance) {
                    pairs.pair(*a, b);
                }
            });
        }
    }

    fn across(&mut self, [one, other]: [&[Aabb]; 2], distance: f32, pairs: &mut Tally) {
        let grid = Grid::new(other, distance, largest(one).max(largest(other)));
        for (a, one) in (0..).zip(one) {
            grid.around(one, |other, b| {
                if are_near(one, other, distance) {
                    pairs.across(a, b);
                }
            });
        }
    }
}
