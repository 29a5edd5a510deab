//! A map, the quads of its region quadtree, and a path.

use quadrille::Aabb;
use quadrille::region::{AllSame, Leaf, RegionQuadtree};
use quadrille_draw::{Canvas, Color, palette};
use quadrille_paths::{Cell, Grid};

use crate::failure::Failure;

/// Pixels of the longer side that small maps are enlarged to, by whole numbers.
const COMFORTABLE_SIDE: u32 = 1080;
/// The most pixels of the longer side: cells of larger maps are smaller than a pixel.
const MAX_SIDE: u32 = 2048;

/// Walls, and the joints between their quads.
const WALL: Color = Color([0x3B, 0x46, 0x54]);
const WALL_JOINT: Color = Color([0x52, 0x60, 0x72]);
/// Free ground, and the joints between its quads.
const GROUND: Color = palette::PAPER;
const GROUND_JOINT: Color = Color([0xB4, 0xCF, 0xDD]);
/// The tint of small quads of ground, and its maximum strength.
const TINT: Color = palette::SKY;
const MAX_TINT: u32 = 110;
const PATH: Color = palette::VERMILION;
const START: Color = palette::BLUE;
const GOAL: Color = palette::VERMILION;
/// A line around path and ends that sets them off from everything below.
const HALO: Color = Color([0xFF, 0xFF, 0xFF]);

/// Smallest quad, in pixels, that gets a gap around it.
const JOINTED_SIDE: f32 = 4.0;

/// Draws a map with the quads in which all cells are alike, the ends of a query, and the line of the path that
/// answers it, if there is one: points of which (0, 0) is the map's top left corner and 1 the side of a cell.
///
/// An agent of several cells walks along the middle of what it covers.
pub(super) fn draw(
    ground: &Grid,
    line: &[[f64; 2]],
    ends: Option<[Cell; 2]>,
    agent_size: u32,
) -> Result<Canvas, Failure> {
    let (width, height) = (ground.width(), ground.height());
    let scale = scale(width.max(height));
    let quads = RegionQuadtree::from_fn(width, height, AllSame, |[x, y]| {
        (!ground.is_free(Cell::new(x.unsigned_abs(), y.unsigned_abs()))).then_some(())
    })?;
    let mut canvas = Canvas::new(side(width, scale), side(height, scale), GROUND);
    let depths = || quads.leaves().filter(|leaf| leaf.occupied == 0).map(|leaf| leaf.depth);
    let (first, last) = (depths().min().unwrap_or(0), depths().max().unwrap_or(0));
    for leaf in quads.leaves() {
        let tint = leaf.depth.saturating_sub(first) * MAX_TINT / (last - first).max(1);
        draw_quad(&mut canvas, &leaf, u8::try_from(tint).unwrap_or(u8::MAX), scale);
    }
    let scaled = |point: [f64; 2]| point.map(|at| (at as f32 + (agent_size - 1) as f32 / 2.0) * scale);
    draw_path(&mut canvas, &line.iter().map(|point| scaled(*point)).collect::<Vec<_>>(), scale);
    if let Some([start, goal]) = ends {
        draw_end(&mut canvas, scaled(middle(start)), scale, START);
        draw_end(&mut canvas, scaled(middle(goal)), scale, GOAL);
    }
    Ok(canvas)
}

/// The middle of a cell.
pub(super) fn middle(cell: Cell) -> [f64; 2] {
    [cell.x, cell.y].map(|at| f64::from(at) + 0.5)
}

/// Pixels per cell: a whole number if there is room for one.
fn scale(longer_side: u32) -> f32 {
    if longer_side <= MAX_SIDE {
        (COMFORTABLE_SIDE / longer_side.max(1)).max(1) as f32
    } else {
        MAX_SIDE as f32 / longer_side as f32
    }
}

fn side(cells: u32, scale: f32) -> u16 {
    (cells as f32 * scale).round() as u16
}

fn draw_quad(canvas: &mut Canvas, leaf: &Leaf, tint: u8, scale: f32) {
    let scaled = |cell: i32| cell as f32 * scale;
    let rect = Aabb { min: leaf.rect.min.map(scaled), max: leaf.rect.max.map(|cell| scaled(cell + 1)) };
    let is_wall = leaf.occupied > 0;
    let (fill, joint) = if is_wall { (WALL, WALL_JOINT) } else { (GROUND.mix(TINT, tint), GROUND_JOINT) };
    let [width, height] = rect.size();
    if width.min(height) < JOINTED_SIDE {
        canvas.fill_rounded(&rect, 0.0, fill);
    } else {
        canvas.fill_rounded(&rect, 0.0, joint);
        let inner = Aabb { min: rect.min, max: rect.max.map(|edge| edge - 1.0) };
        canvas.fill_rounded(&inner, 0.0, fill);
    }
}

fn draw_path(canvas: &mut Canvas, turns: &[[f32; 2]], scale: f32) {
    let width = (scale * 0.35).clamp(3.0, 7.0);
    for (width, color) in [(width + 3.0, HALO), (width, PATH)] {
        for pair in turns.windows(2) {
            canvas.stroke([pair[0], pair[1]], width, color);
        }
    }
}

fn draw_end(canvas: &mut Canvas, center: [f32; 2], scale: f32, color: Color) {
    let width = (scale * 0.9).clamp(12.0, 22.0);
    for (width, color) in [(width + 4.0, HALO), (width, color), (width * 0.4, HALO)] {
        canvas.stroke([center; 2], width, color);
    }
}
