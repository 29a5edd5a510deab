//! Walls from far away: an image with a pixel for each point of the screen, where leaves would be smaller than that.

use std::ops::Range;

use eframe::egui::{Color32, ColorImage};
use quadrille::Aabb;
use quadrille_paths::{Cell, Grid};

/// An image of the part of a map that is `shown`, in the plane of the map, where a cell is `points` points of the
/// screen long. The more of its cells are walls, the darker a pixel is; cells off the map are paper.
pub(super) fn image(grid: &Grid, shown: &Aabb, points: f32, [paper, wall]: [Color32; 2]) -> ColorImage {
    let [columns, rows] = [(0, grid.width()), (1, grid.height())].map(|(axis, side)| {
        let pixels = (shown.size()[axis] * points).round().max(1.0) as u32;
        (0..pixels).map(|pixel| cells(shown.min[axis], points, pixel, side)).collect::<Vec<_>>()
    });
    let mut pixels = Vec::with_capacity(columns.len() * rows.len());
    for row in &rows {
        pixels.extend(columns.iter().map(|column| match (walls(grid, column, row), column.len() * row.len()) {
            (0, _) => paper,
            (walls, cells) if walls == cells => wall,
            (walls, cells) => paper.lerp_to_gamma(wall, walls as f32 / cells as f32),
        }));
    }
    ColorImage::new([columns.len(), rows.len()], pixels)
}

/// The cells along an axis that begin within a pixel, or the one in which it lies; none off the map. So each cell has a
/// pixel, and a wall one cell thick does not get lost between two.
fn cells(first: f32, points: f32, pixel: u32, side: u32) -> Range<u32> {
    let [from, to] = [pixel, pixel + 1].map(|pixel| (first + pixel as f32 / points).floor());
    let at = |place: f32| place.clamp(0.0, side as f32) as u32;
    if to > from { at(from)..at(to) } else { at(from)..at(from + 1.0) }
}

/// How many cells of a rectangle are walls.
fn walls(grid: &Grid, columns: &Range<u32>, rows: &Range<u32>) -> usize {
    let walls_in = |y| columns.clone().filter(|x| !grid.is_free(Cell::new(*x, y))).count();
    rows.clone().map(walls_in).sum()
}
