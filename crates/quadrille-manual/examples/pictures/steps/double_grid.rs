//! A loose grid: boxes in loose cells, hulls, tight cells that list hulls, a query, and a hull that grows.

use std::path::Path;

use quadrille::{Aabb, Index, LooseGrid, LooseGridOptions};
use quadrille_draw::Canvas;
use quadrille_draw::palette::{BLUE, GREEN, INK, ORANGE, PAPER, SKY, VERMILION};

use super::{Listed, MANY, WORLD, board, lists, panel, some_boxes, trace};
use crate::Done;
use crate::easel::{Easel, Random, save};

const LOOSE: f32 = 8.0;
const TIGHT: f32 = 16.0;

pub(super) fn draw(folder: &Path) -> Done {
    let boxes = some_boxes(&mut Random(47), 60, [1.5, 5.0]);
    let options = LooseGridOptions::default().with_world(WORLD).with_loose_cell([LOOSE; 2]).with_tight_cell([TIGHT; 2]);
    let grid = Index::<LooseGrid>::with_boxes(options, &boxes)?;
    save(&steps(&boxes, &grid), folder, "steps-loose-grid.png")?;
    save(&growth(options)?, folder, "steps-loose-grid-update.png")?;
    Ok(())
}

fn lattice(easel: &mut Easel, side: f32, amount: u8, width: f32) {
    let lines = |axis: usize| (1..(WORLD.max[axis] / side) as u16).map(move |k| f32::from(k) * side);
    lines(0).for_each(|x| easel.line([x, 0.0], [x, WORLD.max[1]], PAPER.mix(INK, amount), width));
    lines(1).for_each(|y| easel.line([0.0, y], [WORLD.max[0], y], PAPER.mix(INK, amount), width));
}

fn tight_cells() -> impl Iterator<Item = Aabb> {
    let [columns, rows] = WORLD.max.map(|side| (side / TIGHT) as u16);
    (0..rows).flat_map(move |y| (0..columns).map(move |x| [x, y])).map(|at| {
        let min = at.map(|k| f32::from(k) * TIGHT);
        Aabb::new(min, min.map(|side| side + TIGHT))
    })
}

/// Half open, as columns and rows are.
fn covers(hull: &Aabb, cell: &Aabb) -> bool {
    (0..2).all(|axis| hull.min[axis] < cell.max[axis] && cell.min[axis] <= hull.max[axis])
}

fn steps(boxes: &[Aabb], grid: &Index<LooseGrid>) -> Canvas {
    const ASKED: Aabb = Aabb { min: [26.0, 18.0], max: [36.0, 29.0] };
    let hulls: Vec<Listed> = lists(grid).into_iter().filter(|listed| !listed.ids.is_empty()).collect();
    let found = trace(grid, ASKED);

    let mut first = panel();
    lattice(&mut first, LOOSE, 90, 1.0);
    for (k, Listed { ids, .. }) in hulls.iter().enumerate() {
        for &id in ids {
            first.tile(&boxes[id as usize], MANY[k % MANY.len()], 150);
            first.dot(boxes[id as usize].center(), INK, 4.0);
        }
    }

    let mut second = panel();
    lattice(&mut second, LOOSE, 50, 1.0);
    for (k, Listed { node, ids }) in hulls.iter().enumerate() {
        let color = MANY[k % MANY.len()];
        ids.iter().for_each(|&id| second.fill(&boxes[id as usize], color, 90));
        second.edges(&node.bounds, color.mix(INK, 60), 2.0);
    }

    let mut third = panel();
    for (k, Listed { node, .. }) in hulls.iter().enumerate() {
        third.edges(&node.bounds, MANY[k % MANY.len()].mix(PAPER, 60), 1.2);
    }
    lattice(&mut third, TIGHT, 255, 2.5);
    for cell in tight_cells() {
        let listed = hulls.iter().filter(|hull| covers(&hull.node.bounds, &cell)).count();
        third.label(&format!("{listed} hulls"), cell.center(), INK);
    }

    let mut fourth = panel();
    tight_cells().filter(|cell| covers(&ASKED, cell)).for_each(|cell| fourth.fill(&cell, ORANGE, 50));
    let entered = |hull: &&Listed| hull.node.bounds.intersects(&ASKED);
    for Listed { node, ids } in hulls.iter().filter(entered) {
        ids.iter().for_each(|&id| {
            let is_found = found.found.contains(&id);
            fourth.tile(&boxes[id as usize], if is_found { VERMILION } else { ORANGE }, 180);
        });
        fourth.edges(&node.bounds, BLUE, 1.5);
    }
    lattice(&mut fourth, TIGHT, 200, 1.5);
    fourth.edges(&ASKED, GREEN, 2.5);
    let looked_at: usize = hulls.iter().filter(entered).map(|hull| hull.ids.len()).sum();
    let words = [
        "1. a box lives in the one loose cell that has its center (dot)".to_owned(),
        format!("2. each loose cell has the hull of its boxes: {} hulls", hulls.len()),
        "3. each tight cell lists the hulls that reach into it".to_owned(),
        format!(
            "4. a query (green) reads tight cells, then hulls (blue), then {looked_at} boxes: {} answers (orange)",
            found.found.len()
        ),
    ];
    board(&[first, second, third, fourth].into_iter().zip(words).collect::<Vec<_>>(), 2)
}

/// A box that moves: within the hull, beyond it, and on.
fn growth(options: LooseGridOptions) -> Result<Canvas, quadrille::Error> {
    let centers = [[26.0, 27.5], [29.5, 29.5], [27.0, 26.5], [10.0, 10.0], [52.0, 38.0_f32]];
    let boxes = centers.map(|center| Aabb::from_center(center, [1.6, 1.6]));
    let mut grid = Index::<LooseGrid>::with_boxes(options, &boxes)?;
    let hulls = |grid: &Index<LooseGrid>| -> Vec<Aabb> {
        lists(grid).iter().filter(|listed| !listed.ids.is_empty()).map(|listed| listed.node.bounds).collect()
    };
    let mut panels = Vec::new();
    for (center, words) in [
        ([28.0, 28.5], "1. moves within the hull: the box is overwritten"),
        ([31.0, 27.5], "2. the hull grows over a tight line: the tight cell that it enters (green) lists it"),
        ([34.0, 27.5], "3. the center is in another loose cell: the box moves there, and the old hull stays as it is"),
    ] {
        let before = hulls(&grid);
        let old = grid.get(2);
        grid.update(2, Aabb::from_center(center, [1.6, 1.6]))?;
        panels.push((grown(&grid, &before, &hulls(&grid), old), words.to_owned()));
    }
    let before = hulls(&grid);
    grid.maintain();
    let words = "4. maintain shrinks the hull: the tight cell that it leaves (amber) drops it";
    panels.push((grown(&grid, &before, &hulls(&grid), None), words.to_owned()));
    Ok(board(&panels, 2))
}

fn grown(grid: &Index<LooseGrid>, before: &[Aabb], after: &[Aabb], old: Option<Aabb>) -> Easel {
    let mut easel = panel();
    let lists = |hulls: &[Aabb], cell: &Aabb| hulls.iter().filter(|hull| covers(hull, cell)).count();
    for cell in tight_cells() {
        let (was, is) = (lists(before, &cell), lists(after, &cell));
        match was.cmp(&is) {
            std::cmp::Ordering::Less => easel.fill(&cell, GREEN, 80),
            std::cmp::Ordering::Greater => easel.fill(&cell, ORANGE, 80),
            std::cmp::Ordering::Equal => {}
        }
    }
    lattice(&mut easel, LOOSE, 60, 1.0);
    lattice(&mut easel, TIGHT, 255, 2.5);
    for (id, bounds) in grid.iter() {
        easel.tile(&bounds, if id == 2 { VERMILION } else { SKY }, 170);
    }
    after.iter().for_each(|hull| easel.edges(hull, BLUE, 2.0));
    old.iter().for_each(|old| easel.edges(old, VERMILION, 1.2));
    easel
}
