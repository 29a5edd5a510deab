//! A grid as programs write it by hand for whole frames: in every frame a counting sort of the boxes by the cell of their lower corner, and
//! cells of one size, the best of a few by trial.

use std::time::Instant;

use quadrille::Aabb;

use super::Frames;
use super::hand_grid::ByCell;
use crate::tally::Tally;

/// How many boxes there are for each cell, in the sizes that are tried.
const TRIED: [f32; 8] = [0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];

#[derive(Default)]
pub struct ByHand {
    side: f32,
    by_cell: ByCell,
}

/// With the side whose frames are the fastest.
pub fn new(boxes: &[Aabb]) -> ByHand {
    let area = Aabb::from_boxes(boxes).size().iter().product::<f32>() / boxes.len().max(1) as f32;
    let tried = TRIED.map(|boxes_per_cell| {
        let mut grid = ByHand { side: (area * boxes_per_cell).sqrt(), ..ByHand::default() };
        let laps = [(); 4].map(|()| {
            let begun = Instant::now();
            grid.frame(boxes, &mut Tally::default());
            begun.elapsed()
        });
        (laps.into_iter().min(), grid)
    });
    tried.into_iter().min_by_key(|(lap, _)| *lap).expect("some are tried").1
}

impl Frames for ByHand {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        let hull = Aabb::from_boxes(boxes);
        let [width, height] = hull.size();
        // No more cells than four for each box, however far these fly.
        let side = self.side.max((width * height / (4.0 * boxes.len() as f32)).sqrt()).max(f32::MIN_POSITIVE);
        let place = |axis: usize, at: f32| ((at - hull.min[axis]) / side) as usize;
        let [columns, rows] = [0, 1].map(|axis| place(axis, hull.max[axis]) + 1);
        let cell = |aabb: &Aabb| place(1, aabb.min[1]) * columns + place(0, aabb.min[0]);
        self.by_cell.sort(boxes, columns * rows, cell);
        let ByCell { starts, sorted, .. } = &self.by_cell;

        // How far to the left of a box the corner of one that overlaps it can be, with what rounding may cost.
        let widest = boxes.iter().map(|aabb| aabb.size()[0]).fold(0.0, f32::max);
        let reach = widest + 4.0 * f32::EPSILON * hull.min[0].abs().max(hull.max[0].abs());
        for (at, (one, a)) in sorted.iter().enumerate() {
            let [last, above] = [place(0, one.max[0]), place(1, one.max[1])];
            let first = place(0, one.min[0] - reach);
            let own = place(1, one.min[1]);
            for row in own..=above {
                let from = if row == own { at + 1 } else { starts[row * columns + first] as usize };
                let to = starts[row * columns + last + 1] as usize;
                for (other, b) in &sorted[from..to] {
                    if one.intersects(other) {
                        pairs.pair(*a, *b);
                    }
                }
            }
        }
    }
}
