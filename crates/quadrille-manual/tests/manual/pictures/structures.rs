//! One picture a structure: the same boxes, the same rectangle, the nodes, and the boxes that were looked at.

use std::cell::RefCell;
use std::ops::ControlFlow::Continue;

use quadrille::structures::{
    BruteForce, EnclosingQuadtree, Grid, GridOptions, LooseGrid, LooseGridOptions, LooseQuadtree, NodeKind, Quadtree,
    QuadtreeOptions, Subdivision, TreeOptions,
};
use quadrille::{Aabb, FrameTree, Index, Structure};
use quadrille_draw::palette::{GREEN, INK, ORANGE, PAPER, PURPLE, SKY, VERMILION};
use quadrille_draw::{Canvas, draw_nodes};

use super::easel::{Easel, Random, Watched};
use super::{Done, Picture};

const SIZE: [u16; 2] = [720, 405];
const WORLD: Aabb = Aabb { min: [0.0, 0.0], max: [160.0, 90.0] };
const ASKED: Aabb = Aabb { min: [92.0, 30.0], max: [122.0, 54.0] };

/// Few boxes a node, so that there is something to see in a small picture.
const CAPACITY: u32 = 6;
const MAX_DEPTH: u8 = 8;

pub(super) fn draw() -> Done<Vec<Picture>> {
    let (world, capacity, max_depth) = (Some(WORLD), CAPACITY, MAX_DEPTH);
    let adaptive =
        QuadtreeOptions::default().with_world(world).with_subdivision(Subdivision::Adaptive { capacity, max_depth });
    let tree = TreeOptions::default().with_world(world).with_capacity(capacity).with_max_depth(max_depth);
    let grid = GridOptions::default().with_world(world).with_cell([8.0, 8.0]);
    let double =
        LooseGridOptions::default().with_world(world).with_loose_cell([8.0, 8.0]).with_tight_cell([16.0, 16.0]);
    let boxes = boxes();
    Ok(vec![
        ("structure-brute-force.png", picture::<BruteForce>(Default::default(), &boxes)?),
        ("structure-quadtree.png", picture::<Quadtree>(adaptive, &boxes)?),
        ("structure-enclosing-quadtree.png", picture::<EnclosingQuadtree>(tree, &boxes)?),
        ("structure-loose-quadtree.png", picture_of_hulls::<LooseQuadtree>(tree, &boxes)?),
        ("structure-grid.png", picture::<Grid>(grid, &boxes)?),
        ("structure-loose-grid.png", picture_of_hulls::<LooseGrid>(double, &boxes)?),
        ("structure-frame-tree.png", picture::<FrameTree>(Default::default(), &boxes)?),
    ])
}

/// Some spread evenly, some in two crowds, three giants.
fn boxes() -> Vec<Aabb> {
    let mut random = Random(7);
    let mut some = |count: usize, middle: [f32; 2], spread: [f32; 2], sizes: [f32; 2]| -> Vec<Aabb> {
        let one = |_| {
            let half = [0, 1].map(|_| random.between(sizes[0], sizes[1]) / 2.0);
            let place = [0, 1].map(|axis| {
                let off = random.between(-spread[axis], spread[axis]) + random.between(-spread[axis], spread[axis]);
                let edge = WORLD.max[axis] - half[axis] - 0.5;
                (middle[axis] + off / 2.0).clamp(half[axis] + 0.5, edge)
            });
            Aabb::from_center(place, half)
        };
        (0..count).map(one).collect()
    };
    let mut boxes = some(70, [80.0, 45.0], [110.0, 62.0], [1.5, 4.0]);
    boxes.extend(some(60, [38.0, 62.0], [22.0, 16.0], [1.0, 3.0]));
    boxes.extend(some(60, [110.0, 34.0], [26.0, 18.0], [1.0, 3.5]));
    boxes.extend(some(3, [80.0, 45.0], [70.0, 34.0], [16.0, 26.0]));
    boxes
}

fn picture<I: Structure<Scalar = f32>>(options: I::Options, boxes: &[Aabb]) -> Result<Canvas, quadrille::Error> {
    let index = Index::<I>::with_boxes(options, boxes)?;
    let mut easel = boxes_of(&index);
    draw_nodes(&mut easel.canvas, &easel.camera, &index);
    easel.edges(&ASKED, GREEN, 2.5);
    Ok(easel.canvas)
}

/// Hulls of lists in purple, what is above or behind them in gray.
fn picture_of_hulls<I: Structure<Scalar = f32>>(
    options: I::Options,
    boxes: &[Aabb],
) -> Result<Canvas, quadrille::Error> {
    let index = Index::<I>::with_boxes(options, boxes)?;
    let mut easel = boxes_of(&index);
    let mut hulls = Vec::new();
    let _ = index.visit_nodes(|node| {
        if node.kind == NodeKind::Hull {
            hulls.push(node.bounds);
        } else {
            easel.edges(&node.bounds, PAPER.mix(INK, 70), 1.0);
        }
        Continue::<()>(())
    });
    hulls.iter().for_each(|hull| easel.edges(hull, PURPLE, 1.5));
    easel.edges(&ASKED, GREEN, 2.5);
    Ok(easel.canvas)
}

/// All boxes: found, tested and rejected, or neither.
fn boxes_of<I: Structure<Scalar = f32>>(index: &Index<I>) -> Easel {
    let mut easel = Easel::new(SIZE, &WORLD);
    let looked_at = RefCell::new(Vec::new());
    let found: Vec<u32> = index.query(Watched { rect: ASKED, looked_at: &looked_at }).collect();
    let mut looked_at = looked_at.into_inner();
    looked_at.extend(in_touched_hulls(index));
    for (id, bounds) in index.iter() {
        let (color, amount) = if found.contains(&id) {
            (VERMILION, 190)
        } else if looked_at.contains(&id) {
            (ORANGE, 150)
        } else {
            (SKY, 70)
        };
        easel.fill(&bounds, color, amount);
        let rect = easel.camera.rect(&bounds);
        easel.canvas.outline(&rect, PAPER.mix(color, amount).mix(INK, 90), 255);
    }
    easel
}

/// The boxes in lists whose hull the rectangle touches. A frame tree compares sixteen of them at once and shows the query none.
fn in_touched_hulls<I: Structure<Scalar = f32>>(index: &Index<I>) -> Vec<u32> {
    let mut boxes = Vec::new();
    let _ = index.visit_lists(|node, ids| {
        if node.kind == NodeKind::Hull && node.bounds.intersects(&ASKED) {
            boxes.extend(ids);
        }
        Continue::<()>(())
    });
    boxes
}
