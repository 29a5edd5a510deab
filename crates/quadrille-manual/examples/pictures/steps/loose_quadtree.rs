//! A loose quadtree: the leaf of the center, hulls, a query, and hulls that grow and shrink.

use std::path::Path;

use quadrille::{Aabb, Index, LooseQuadtree, TreeOptions};
use quadrille_draw::Canvas;
use quadrille_draw::palette::{BLUE, GREEN, INK, ORANGE, PAPER, SKY, VERMILION};

use super::{Listed, MANY, WORLD, board, lists, panel, some_boxes, trace};
use crate::Done;
use crate::easel::{Easel, Random, save};

pub(super) fn draw(folder: &Path) -> Done {
    let boxes = some_boxes(&mut Random(53), 44, [1.5, 6.0]);
    save(&steps(&boxes)?, folder, "steps-loose-quadtree.png")?;
    save(&update(&boxes)?, folder, "steps-loose-quadtree-update.png")?;
    Ok(())
}

fn tree(boxes: &[Aabb]) -> Result<Index<LooseQuadtree>, quadrille::Error> {
    let options = TreeOptions::default().with_world(WORLD).with_capacity(4).with_max_depth(5);
    Index::with_boxes(options, boxes)
}

/// Leaves with boxes.
fn leaves(tree: &Index<LooseQuadtree>) -> Vec<Listed> {
    lists(tree).into_iter().filter(|listed| !listed.ids.is_empty()).collect()
}

/// The cell at a depth that has a point: the world, halved again and again.
fn cell(point: [f32; 2], depth: u32) -> Aabb {
    (0..depth).fold(WORLD, |cell, _| {
        let middle = cell.center();
        let is_upper = [0, 1].map(|axis| point[axis] >= middle[axis]);
        let side = |axis: usize| {
            if is_upper[axis] { [middle[axis], cell.max[axis]] } else { [cell.min[axis], middle[axis]] }
        };
        let (x, y) = (side(0), side(1));
        Aabb::new([x[0], y[0]], [x[1], y[1]])
    })
}

fn cells(easel: &mut Easel, tree: &Index<LooseQuadtree>) {
    for Listed { node, ids } in leaves(tree) {
        if let Some(bounds) = ids.first().and_then(|id| tree.get(*id)) {
            easel.edges(&cell(bounds.center(), node.depth), PAPER.mix(INK, 110), 1.0);
        }
    }
}

fn steps(boxes: &[Aabb]) -> Result<Canvas, quadrille::Error> {
    const ASKED: Aabb = Aabb { min: [13.0, 26.0], max: [22.0, 34.0] };
    let tree = tree(boxes)?;
    let leaves = leaves(&tree);
    let found = trace(&tree, ASKED);

    let mut first = panel();
    cells(&mut first, &tree);
    for (k, Listed { ids, .. }) in leaves.iter().enumerate() {
        for &id in ids {
            first.tile(&boxes[id as usize], MANY[k % MANY.len()], 150);
            first.dot(boxes[id as usize].center(), INK, 4.0);
        }
    }

    let mut second = panel();
    for (k, Listed { node, ids }) in leaves.iter().enumerate() {
        let color = MANY[k % MANY.len()];
        ids.iter().for_each(|&id| second.fill(&boxes[id as usize], color, 90));
        second.edges(&node.bounds, color.mix(INK, 60), 2.0);
    }

    let mut third = panel();
    boxes.iter().for_each(|bounds| third.tile(bounds, SKY, 50));
    let entered: Vec<&Listed> = leaves.iter().filter(|leaf| leaf.node.bounds.intersects(&ASKED)).collect();
    for Listed { node, ids } in &entered {
        for &id in ids {
            let is_found = found.found.contains(&id);
            third.tile(&boxes[id as usize], if is_found { VERMILION } else { ORANGE }, 180);
        }
        third.edges(&node.bounds, BLUE, 1.5);
    }
    third.edges(&ASKED, GREEN, 2.5);
    let looked_at: usize = entered.iter().map(|leaf| leaf.ids.len()).sum();
    let words = [
        "1. a box lives in the leaf that has its center (dot)".to_owned(),
        format!("2. a node is as large as its boxes: {} leaves with their hulls", leaves.len()),
        format!(
            "3. a query (green) enters {} hulls (blue) and compares {looked_at} boxes: {} answers (orange)",
            entered.len(),
            found.found.len()
        ),
    ];
    Ok(board(&[first, second, third].into_iter().zip(words).collect::<Vec<_>>(), 3))
}

/// A box that moves: within the hull, and beyond it.
fn update(boxes: &[Aabb]) -> Result<Canvas, quadrille::Error> {
    let mut tree = tree(boxes)?;
    let mover = tree.insert(Aabb::from_center([15.6, 12.4], [1.3, 1.3]))?;
    tree.maintain();
    let mut panels = Vec::new();
    for (center, words) in [
        ([15.6, 12.4], "1. a box and the hull of its leaf (blue)"),
        ([12.0, 15.0], "2. it moves within the hull: only the box is overwritten"),
        ([40.0, 22.0], "3. it leaves the hull: another leaf takes it, and hulls on the way grow; the old hull stays"),
    ] {
        let old = tree.get(mover);
        tree.update(mover, Aabb::from_center(center, [1.3, 1.3]))?;
        panels.push((with_mover(&tree, mover, old), words.to_owned()));
    }
    tree.maintain();
    let words = "4. maintain fits all hulls again, and merges and splits leaves";
    panels.push((with_mover(&tree, mover, None), words.to_owned()));
    Ok(board(&panels, 2))
}

fn with_mover(tree: &Index<LooseQuadtree>, mover: u32, old: Option<Aabb>) -> Easel {
    let mut easel = panel();
    tree.iter().for_each(|(_, bounds)| easel.tile(&bounds, SKY, 70));
    for Listed { node, ids } in leaves(tree) {
        let is_home = ids.contains(&mover);
        easel.edges(&node.bounds, if is_home { BLUE } else { PAPER.mix(INK, 90) }, if is_home { 3.0 } else { 1.0 });
    }
    if let (Some(old), Some(new)) = (old, tree.get(mover)) {
        easel.edges(&old, VERMILION, 1.5);
        easel.line(old.center(), new.center(), VERMILION, 1.5);
    }
    tree.get(mover).iter().for_each(|bounds| easel.tile(bounds, VERMILION, 200));
    easel
}
