//! An enclosing quadtree: where boxes come to rest, and what a query has to look at.

use std::cell::RefCell;
use std::path::Path;

use quadrille::{Aabb, EnclosingQuadtree, Index, TreeOptions};
use quadrille_draw::Canvas;
use quadrille_draw::palette::{GREEN, INK, ORANGE, PAPER, SKY, VERMILION};

use super::{Listed, WORLD, board, lists, panel, some_boxes, trace};
use crate::Done;
use crate::easel::{Easel, Random, Watched, save};

pub(super) fn draw(folder: &Path) -> Done {
    save(&insert()?, folder, "steps-enclosing-quadtree-insert.png")?;
    save(&query()?, folder, "steps-enclosing-quadtree-query.png")?;
    Ok(())
}

fn options() -> TreeOptions {
    TreeOptions::default().with_world(WORLD).with_capacity(4).with_max_depth(5)
}

/// Small boxes away from the middle lines of large nodes.
fn crowd() -> Vec<Aabb> {
    some_boxes(&mut Random(31), 70, [1.0, 2.4])
}

fn outlines(easel: &mut Easel, tree: &Index<EnclosingQuadtree>) {
    for Listed { node, .. } in lists(tree) {
        easel.edges(&node.bounds, PAPER.mix(INK, 150), if node.depth == 0 { 2.5 } else { 1.0 });
    }
}

fn insert() -> Result<Canvas, quadrille::Error> {
    let tree = Index::<EnclosingQuadtree>::with_boxes(options(), &crowd())?;
    let mut panels = Vec::new();
    for (center, half, words) in [
        ([12.0, 44.8], [1.2, 1.2], "1. a small box sinks as long as one quarter encloses it"),
        ([46.0, 13.0], [7.0, 5.0], "2. a large box stops sooner"),
        ([32.3, 40.0], [1.2, 1.2], "3. a small box on the middle line of the world stays at the root"),
        ([31.0, 24.0], [26.0, 17.0], "4. a giant stays at the root, too: on one list, however large it is"),
    ] {
        let mut tree = tree.clone();
        let id = tree.insert(Aabb::from_center(center, half))?;
        let mut easel = panel();
        for Listed { node, .. } in lists(&tree).iter().filter(|listed| listed.ids.contains(&id)) {
            easel.fill(&node.bounds, ORANGE, 70);
        }
        tree.iter().filter(|(other, _)| *other != id).for_each(|(_, bounds)| easel.tile(&bounds, SKY, 120));
        outlines(&mut easel, &tree);
        tree.get(id).iter().for_each(|bounds| easel.edges(bounds, VERMILION, 3.0));
        panels.push((easel, words.to_owned()));
    }
    Ok(board(&panels, 2))
}

/// Boxes all over, and some on the middle lines.
fn query() -> Result<Canvas, quadrille::Error> {
    let mut boxes = crowd();
    boxes.extend((0..14).map(|k| Aabb::from_center([32.0, 2.0 + 3.3 * k as f32], [0.8, 0.8])));
    boxes.extend((0..18).map(|k| Aabb::from_center([2.0 + 3.5 * k as f32, 24.0], [0.8, 0.8])));
    let tree = Index::<EnclosingQuadtree>::with_boxes(options(), &boxes)?;
    let asked = [Aabb::new([38.0, 29.0], [46.0, 35.0]), Aabb::new([27.0, 29.0], [35.0, 35.0])];
    let words = ["beside the lines: the boxes on them are skipped", "across a line: those nearby on it are looked at"];
    let panels = asked.iter().zip(words).zip(1..).map(|((rect, words), k)| {
        let looked_at = RefCell::default();
        let found: Vec<u32> = tree.query(Watched { rect: *rect, looked_at: &looked_at }).collect();
        let looked_at = looked_at.into_inner();
        let mut easel = panel();
        for cell in trace(&tree, *rect).entered {
            easel.fill(&cell, ORANGE, 25);
        }
        outlines(&mut easel, &tree);
        for (id, bounds) in tree.iter() {
            let (color, amount) = match (found.contains(&id), looked_at.contains(&id)) {
                (true, _) => (VERMILION, 200),
                (false, true) => (ORANGE, 200),
                _ => (SKY, 90),
            };
            easel.tile(&bounds, color, amount);
        }
        easel.edges(rect, GREEN, 2.5);
        (easel, format!("{k}. {words}: {} boxes, {} answers", looked_at.len(), found.len()))
    });
    Ok(board(&panels.collect::<Vec<_>>(), 2))
}
