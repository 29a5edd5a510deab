//! A quadtree with four boxes to a leaf: how it splits, answers, follows a box, and merges.

use std::path::Path;

use quadrille::{Aabb, Index, NodeKind, Quadtree, QuadtreeOptions, Subdivision};
use quadrille_draw::Canvas;
use quadrille_draw::palette::{GREEN, INK, ORANGE, PAPER, SKY, VERMILION};

use super::{Listed, WORLD, board, lists, panel, some_boxes, trace};
use crate::Done;
use crate::easel::{Easel, Random, save};

pub(super) fn draw(folder: &Path) -> Done {
    save(&split()?, folder, "steps-quadtree-split.png")?;
    save(&query()?, folder, "steps-quadtree-query.png")?;
    save(&update()?, folder, "steps-quadtree-update.png")?;
    save(&removal()?, folder, "steps-quadtree-remove.png")?;
    Ok(())
}

pub(super) fn small_leaves() -> QuadtreeOptions {
    QuadtreeOptions::default().with_world(WORLD).with_subdivision(Subdivision::Adaptive { capacity: 4, max_depth: 6 })
}

fn leaves(tree: &Index<Quadtree>) -> Vec<Listed> {
    lists(tree).into_iter().filter(|listed| listed.node.kind == NodeKind::Leaf).collect()
}

/// Leaves with how many boxes each lists.
pub(super) fn outlines(easel: &mut Easel, tree: &Index<Quadtree>) {
    for Listed { node, ids } in leaves(tree) {
        easel.edges(&node.bounds, INK, 1.5);
        let corner = [node.bounds.min[0] + 1.2, node.bounds.max[1] - 1.5];
        easel.label(&ids.len().to_string(), corner, PAPER.mix(INK, 170));
    }
}

/// Boxes that come one by one.
fn split() -> Result<Canvas, quadrille::Error> {
    let mut tree = Index::<Quadtree>::new(small_leaves())?;
    let centers =
        [[9.0, 33.0], [24.0, 40.0], [41.0, 10.0], [52.0, 36.0], [22.0, 30.0], [32.5, 31.0], [11.0, 42.0], [26.0, 34.5]];
    let mut panels = Vec::new();
    for (k, center) in centers.into_iter().enumerate() {
        let id = tree.insert(Aabb::from_center(center, [1.6, 1.6]))?;
        let words = match k {
            3 => "1. four boxes: one leaf, and it is full",
            4 => "2. the fifth: the leaf splits, its boxes go to the children they touch",
            5 => "3. a box on the line goes to both sides: two leaves list it",
            7 => "4. more of them in one corner: only that leaf splits",
            _ => continue,
        };
        let mut easel = panel();
        for (other, bounds) in tree.iter() {
            easel.tile(&bounds, if other == id { VERMILION } else { SKY }, 170);
        }
        outlines(&mut easel, &tree);
        panels.push((easel, words.to_owned()));
    }
    Ok(board(&panels, 2))
}

fn crowd() -> Result<(Vec<Aabb>, Index<Quadtree>), quadrille::Error> {
    let mut random = Random(29);
    let mut boxes = some_boxes(&mut random, 26, [1.5, 4.0]);
    boxes.extend((0..24).map(|_| {
        Aabb::from_center([random.between(36.0, 58.0), random.between(26.0, 44.0)], [random.between(0.6, 1.4); 2])
    }));
    let tree = Index::with_boxes(small_leaves(), &boxes)?;
    Ok((boxes, tree))
}

fn query() -> Result<Canvas, quadrille::Error> {
    const ASKED: Aabb = Aabb { min: [39.0, 27.0], max: [46.0, 34.0] };
    let (boxes, tree) = crowd()?;
    let found = trace(&tree, ASKED);
    let touched: Vec<Listed> =
        leaves(&tree).into_iter().filter(|leaf| found.entered.contains(&leaf.node.bounds)).collect();
    let listed: usize = touched.iter().map(|leaf| leaf.ids.len()).sum();
    let start = found.entered.iter().copied().reduce(|a, b| if a.area() >= b.area() { a } else { b });

    let mut first = panel();
    outlines(&mut first, &tree);
    start.iter().for_each(|node| first.edges(node, ORANGE, 4.0));
    first.edges(&ASKED, GREEN, 2.5);

    let mut second = panel();
    touched.iter().for_each(|leaf| second.fill(&leaf.node.bounds, ORANGE, 90));
    outlines(&mut second, &tree);
    second.edges(&ASKED, GREEN, 2.5);

    let mut third = panel();
    for (id, bounds) in (0..).zip(&boxes) {
        let is_listed = touched.iter().any(|leaf| leaf.ids.contains(&id));
        let (color, amount) = match (found.found.contains(&id), is_listed) {
            (true, _) => (VERMILION, 190),
            (false, true) => (ORANGE, 170),
            _ => (SKY, 60),
        };
        third.tile(bounds, color, amount);
    }
    for Listed { node, .. } in &touched {
        third.edges(&node.bounds, INK, 1.5);
    }
    third.edges(&ASKED, GREEN, 2.5);
    let words = [
        "1. down to the smallest node that encloses the query (green)".to_owned(),
        format!("2. from there to each leaf that it touches: {}", touched.len()),
        format!("3. their lists have {listed} entries; {} boxes are answers (orange), each once", found.found.len()),
    ];
    Ok(board(&[first, second, third].into_iter().zip(words).collect::<Vec<_>>(), 3))
}

fn update() -> Result<Canvas, quadrille::Error> {
    let (_, mut tree) = crowd()?;
    let mover = tree.insert(Aabb::from_center([12.0, 20.0], [1.4, 1.4]))?;
    let mut panels = Vec::new();
    for (center, words) in [
        ([14.0, 16.5], "1. it stays in its leaf: only the box is overwritten"),
        ([16.2, 14.0], "2. it reaches over a line: the leaf that it enters (green) lists it, too"),
        ([20.0, 9.0], "3. it leaves: the old leaves (amber) drop it, the new one (green) lists it"),
    ] {
        let before = leaves(&tree);
        let old = tree.get(mover);
        let new = Aabb::from_center(center, [1.4, 1.4]);
        tree.update(mover, new)?;
        let mut easel = panel();
        let has = |leaves: &[Listed], bounds: &Aabb| {
            leaves.iter().any(|leaf| leaf.node.bounds == *bounds && leaf.ids.contains(&mover))
        };
        let after = leaves(&tree);
        for leaf in &after {
            let bounds = leaf.node.bounds;
            match (has(&before, &bounds), has(&after, &bounds)) {
                (false, true) => easel.fill(&bounds, GREEN, 90),
                (true, false) => easel.fill(&bounds, ORANGE, 90),
                (true, true) => easel.fill(&bounds, SKY, 50),
                _ => {}
            }
        }
        tree.iter().filter(|(id, _)| *id != mover).for_each(|(_, bounds)| easel.tile(&bounds, SKY, 90));
        outlines(&mut easel, &tree);
        if let Some(old) = old {
            easel.edges(&old, VERMILION, 1.5);
            easel.line(old.center(), new.center(), VERMILION, 1.5);
        }
        easel.tile(&new, VERMILION, 200);
        panels.push((easel, words.to_owned()));
    }
    Ok(board(&panels, 3))
}

fn removal() -> Result<Canvas, quadrille::Error> {
    let (boxes, mut tree) = crowd()?;
    let mut panels = Vec::new();
    let show = |tree: &Index<Quadtree>| {
        let mut easel = panel();
        tree.iter().for_each(|(_, bounds)| easel.tile(&bounds, SKY, 140));
        outlines(&mut easel, tree);
        easel
    };
    let nodes = |tree: &Index<Quadtree>| tree.stats().nodes;
    panels.push((show(&tree), format!("1. {} boxes, {} nodes", tree.len(), nodes(&tree))));
    for id in (0..boxes.len() as u32).filter(|id| id % 4 != 0) {
        tree.remove(id);
    }
    panels.push((show(&tree), format!("2. {} boxes left; remove only unlinks: {} nodes", tree.len(), nodes(&tree))));
    tree.maintain();
    panels.push((show(&tree), format!("3. maintain merges what is nearly empty: {} nodes", nodes(&tree))));
    Ok(board(&panels, 3))
}
