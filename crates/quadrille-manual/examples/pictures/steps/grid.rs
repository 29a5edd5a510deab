//! A grid: lower corners, levels by size, what a query visits, and what exists of an almost empty grid.

use std::ops::ControlFlow::Continue;
use std::path::Path;

use quadrille::{Aabb, Grid, GridOptions, Index};
use quadrille_draw::Canvas;
use quadrille_draw::palette::{BLUE, GREEN, INK, ORANGE, PAPER, SKY, VERMILION};

use super::{Listed, WORLD, board, lists, panel, some_boxes, trace};
use crate::Done;
use crate::easel::{Easel, Random, save};

/// Widths of the cells of the finest level, and of the next.
const FINE: f32 = 4.0;
const COARSE: f32 = 16.0;

pub(super) fn draw(folder: &Path) -> Done {
    save(&steps()?, folder, "steps-grid.png")?;
    save(&rows()?, folder, "steps-grid-rows.png")?;
    Ok(())
}

fn lattice(easel: &mut Easel, side: f32, amount: u8, width: f32) {
    let lines = |axis: usize| (1..(WORLD.max[axis] / side) as u16).map(move |k| f32::from(k) * side);
    lines(0).for_each(|x| easel.line([x, 0.0], [x, WORLD.max[1]], PAPER.mix(INK, amount), width));
    lines(1).for_each(|y| easel.line([0.0, y], [WORLD.max[0], y], PAPER.mix(INK, amount), width));
}

/// The cells that a query visits on a level, as one rectangle: those it touches, and one row and one column before them.
fn visited(asked: &Aabb, side: f32) -> Aabb {
    let low = asked.min.map(|edge| ((edge / side).floor() - 1.0).max(0.0) * side);
    Aabb::new(low, asked.max.map(|edge| ((edge / side).floor() + 1.0) * side))
}

fn steps() -> Result<Canvas, quadrille::Error> {
    const ASKED: Aabb = Aabb { min: [33.0, 18.0], max: [42.0, 26.0] };
    let mut boxes = some_boxes(&mut Random(61), 70, [1.0, 3.6]);
    boxes.extend([[8.0, 5.0], [25.0, 26.0], [44.0, 30.0]].map(|min| Aabb::from_size(min, [11.0, 9.0])));
    let grid = Index::<Grid>::with_boxes(GridOptions::default().with_world(WORLD).with_cell([FINE; 2]), &boxes)?;
    // Cells of the two levels, by how wide they are.
    let is_fine = |listed: &&Listed| listed.node.bounds.width() < COARSE;
    let all: Vec<Listed> = lists(&grid).into_iter().filter(|listed| !listed.ids.is_empty()).collect();
    let fine: Vec<u32> = all.iter().filter(is_fine).flat_map(|listed| listed.ids.clone()).collect();
    let found = trace(&grid, ASKED).found;

    let level = |is_in: &dyn Fn(u32) -> bool, side: f32| {
        let mut easel = panel();
        lattice(&mut easel, side, 90, 1.0);
        for (id, bounds) in (0..).zip(&boxes) {
            easel.tile(bounds, SKY, if is_in(id) { 150 } else { 30 });
            if is_in(id) {
                easel.dot(bounds.min, VERMILION, 5.0);
            }
        }
        easel
    };
    let looks = |is_in: &dyn Fn(u32) -> bool, side: f32| {
        let area = visited(&ASKED, side);
        let begins =
            |bounds: &Aabb| (0..2).all(|axis| area.min[axis] <= bounds.min[axis] && bounds.min[axis] < area.max[axis]);
        let mut easel = panel();
        easel.fill(&area, ORANGE, 50);
        lattice(&mut easel, side, 90, 1.0);
        let mut looked_at = 0;
        for (id, bounds) in (0..).zip(&boxes).filter(|(id, _)| is_in(*id)) {
            let is_seen = begins(bounds);
            looked_at += usize::from(is_seen);
            let color = if found.contains(&id) {
                VERMILION
            } else if is_seen {
                ORANGE
            } else {
                SKY
            };
            easel.tile(bounds, color, if is_seen { 190 } else { 70 });
            easel.dot(bounds.min, INK, 4.0);
        }
        easel.edges(&ASKED, GREEN, 2.5);
        (easel, looked_at)
    };
    let (is_small, is_large) = (|id: u32| fine.contains(&id), |id: u32| !fine.contains(&id));
    let (third, small) = looks(&is_small, FINE);
    let (fourth, large) = looks(&is_large, COARSE);
    let panels = [
        (level(&is_small, FINE), "1. a box is on the list of one cell: that of its lower corner".to_owned()),
        (
            level(&is_large, COARSE),
            "2. a box that covers three columns or rows goes to cells four times as wide".to_owned(),
        ),
        (third, format!("3. a query (green) reads its cells, one row below and one column to the left: {small} boxes")),
        (fourth, format!("4. the same on the coarser level: {large}; {} answers (orange)", found.len())),
    ];
    Ok(board(&panels, 2))
}

/// Two crowds in a large empty world.
fn rows() -> Result<Canvas, quadrille::Error> {
    const CELL: f32 = 0.5;
    let mut random = Random(67);
    let mut some = |count: usize, low: [f32; 2], high: [f32; 2]| -> Vec<Aabb> {
        (0..count)
            .map(|_| Aabb::from_center([0, 1].map(|axis| random.between(low[axis], high[axis])), [0.2, 0.2]))
            .collect()
    };
    let mut boxes = some(260, [3.0, 33.0], [17.0, 44.0]);
    boxes.extend(some(120, [46.0, 6.0], [58.0, 12.0]));
    let grid = Index::<Grid>::with_boxes(GridOptions::default().with_world(WORLD).with_cell([CELL; 2]), &boxes)?;
    let all = lists(&grid);
    let used: Vec<&Listed> = all.iter().filter(|listed| !listed.ids.is_empty()).collect();

    let mut first = panel();
    used.iter().for_each(|cell| first.fill(&cell.node.bounds, SKY, 220));
    let mut second = panel();
    let mut bands: Vec<f32> = used.iter().map(|cell| cell.node.bounds.min[1]).collect();
    bands.sort_by(f32::total_cmp);
    bands.dedup();
    for &y in &bands {
        second.fill(&Aabb::new([0.0, y], [WORLD.max[0], y + CELL]), ORANGE, 110);
    }
    used.iter().for_each(|cell| second.fill(&cell.node.bounds, SKY, 220));
    let mut third = panel();
    let mut blocks = 0;
    let _ = grid.visit_pyramid(|height, bounds| {
        if height == 1 {
            third.edges(&bounds, BLUE, 1.0);
            blocks += 1;
        }
        Continue::<()>(())
    });
    used.iter().for_each(|cell| third.fill(&cell.node.bounds, SKY, 220));
    let total = (WORLD.max[0] / CELL * WORLD.max[1] / CELL) as u32;
    let panels = [
        (first, format!("1. {total} cells, of which {} list boxes", used.len())),
        (second, format!("2. a row has memory only if something is in it: {} of {}", bands.len(), WORLD.max[1] / CELL)),
        (third, format!("3. a bit for each 64 cells of a row: queries skip all but {blocks} such runs")),
    ];
    Ok(board(&panels, 3))
}
