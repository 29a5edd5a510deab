//! Deferred cleanup: what moves leave behind, and what one pass makes of it.

use std::path::Path;

use quadrille::{Aabb, Index, Quadtree};
use quadrille_draw::Canvas;
use quadrille_draw::palette::{INK, PAPER, SKY};

use super::{Listed, board, lists, panel, quadtree};
use crate::Done;
use crate::easel::{Easel, Random, save};

pub(super) fn draw(folder: &Path) -> Done {
    save(&steps()?, folder, "steps-cleanup.png")?;
    Ok(())
}

fn show(tree: &Index<Quadtree>) -> Easel {
    let mut easel = panel();
    tree.iter().for_each(|(_, bounds)| easel.tile(&bounds, SKY, 140));
    for Listed { node, .. } in lists(tree) {
        easel.edges(&node.bounds, PAPER.mix(INK, 150), 1.0);
    }
    easel
}

/// A crowd that walks from one corner to another.
fn steps() -> Result<Canvas, quadrille::Error> {
    let mut random = Random(23);
    let starts: Vec<[f32; 2]> = (0..50).map(|_| [random.between(2.0, 19.0), random.between(2.0, 15.0)]).collect();
    let at =
        |start: [f32; 2], part: f32| Aabb::from_center([start[0] + 41.0 * part, start[1] + 29.0 * part], [0.6, 0.6]);
    let boxes: Vec<Aabb> = starts.iter().map(|&start| at(start, 0.0)).collect();
    let mut tree = Index::<Quadtree>::with_boxes(quadtree::small_leaves(), &boxes)?;
    let mut panels = Vec::new();
    let nodes = |tree: &Index<Quadtree>| tree.stats().nodes;
    panels.push((show(&tree), format!("1. a crowd: {} nodes", nodes(&tree))));
    for (part, words) in [(0.5, "2. it walks: new leaves split, old ones stay"), (1.0, "3. and on")] {
        for step in 0_u8..10 {
            let part = part - 0.5 + 0.05 * f32::from(step + 1);
            for (id, &start) in (0..).zip(&starts) {
                tree.update(id, at(start, part))?;
            }
        }
        panels.push((show(&tree), format!("{words}: {} nodes", nodes(&tree))));
    }
    tree.maintain();
    panels.push((show(&tree), format!("4. maintain, once: {} nodes", nodes(&tree))));
    Ok(board(&panels, 2))
}
