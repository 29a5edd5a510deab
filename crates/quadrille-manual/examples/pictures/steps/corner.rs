//! The corner rule: which of several leaves reports a box.

use std::path::Path;

use quadrille::{Aabb, Index, NodeKind, Quadtree, QuadtreeOptions, Subdivision};
use quadrille_draw::palette::{GREEN, INK, ORANGE, SKY, VERMILION};

use super::{WORLD, board, lists, panel};
use crate::Done;
use crate::easel::{Easel, save};

const BOX: Aabb = Aabb { min: [12.0, 9.0], max: [44.0, 33.0] };

pub(super) fn draw(folder: &Path) -> Done {
    let options = QuadtreeOptions::default().with_world(WORLD).with_subdivision(Subdivision::Fixed(2));
    let tree = Index::<Quadtree>::with_boxes(options, &[BOX])?;
    let asked = [Aabb::new([20.0, 15.0], [58.0, 42.0]), Aabb::new([36.0, 3.0], [61.0, 20.0])];
    let mut panels = vec![(listed(&tree), "1. one box (blue), listed in every leaf that it touches".to_owned())];
    for (k, asked) in asked.into_iter().enumerate() {
        assert_eq!(tree.query(quadrille::Overlaps(asked)).count(), 1, "the box is one answer");
        let words = format!(
            "{}. {} of them the query visits (green); the one with the lower left corner of the shared part (orange) reports the box",
            k + 2,
            leaves(&tree).filter(|(bounds, is_listed)| *is_listed && bounds.intersects(&asked)).count(),
        );
        panels.push((reported(&tree, asked), words));
    }
    Ok(save(&board(&panels, 3), folder, "steps-corner-rule.png")?)
}

/// Leaves, and whether each lists the box.
fn leaves(tree: &Index<Quadtree>) -> impl Iterator<Item = (Aabb, bool)> {
    let leaves = lists(tree).into_iter().filter(|listed| listed.node.kind == NodeKind::Leaf);
    leaves.map(|listed| (listed.node.bounds, !listed.ids.is_empty()))
}

fn listed(tree: &Index<Quadtree>) -> Easel {
    let mut easel = panel();
    for (bounds, is_listed) in leaves(tree) {
        easel.fill(&bounds, ORANGE, if is_listed { 80 } else { 0 });
    }
    easel.fill(&BOX, SKY, 150);
    leaves(tree).for_each(|(bounds, _)| easel.edges(&bounds, INK, 1.0));
    easel.edges(&BOX, INK, 2.0);
    easel
}

fn reported(tree: &Index<Quadtree>, asked: Aabb) -> Easel {
    let mut easel = panel();
    let shared = BOX.intersection(&asked).expect("they overlap");
    // Cells are half open: what lies on a line belongs to the cell above or to the right of it.
    let has_corner =
        |cell: &Aabb| (0..2).all(|axis| cell.min[axis] <= shared.min[axis] && shared.min[axis] < cell.max[axis]);
    for (bounds, is_listed) in leaves(tree).filter(|(bounds, _)| bounds.intersects(&asked)) {
        let (color, amount) = if has_corner(&bounds) { (VERMILION, 120) } else { (ORANGE, 80) };
        easel.fill(&bounds, color, if is_listed { amount } else { 0 });
    }
    easel.fill(&shared, SKY, 130);
    leaves(tree).for_each(|(bounds, _)| easel.edges(&bounds, INK, 1.0));
    easel.edges(&BOX, INK, 2.0);
    easel.edges(&asked, GREEN, 2.5);
    easel.dot(shared.min, INK, 13.0);
    easel.dot(shared.min, VERMILION, 10.0);
    easel
}
