//! Pictures of the chapters on designs, two of them moving.

use std::fs::File;
use std::io::BufWriter;
use std::ops::ControlFlow::Continue;
use std::path::Path;

use quadrille::region::{AllSame, AtMost, RegionQuadtree, Rule, SmallestSide};
use quadrille::{
    Aabb, EnclosingQuadtree, Index, LooseQuadtree, NodeKind, Quadtree, QuadtreeOptions, Structure, Subdivision,
    TreeOptions,
};
use quadrille_draw::palette::{BLUE, GREEN, INK, ORANGE, PAPER, SKY, VERMILION};
use quadrille_draw::{Animation, Canvas, Color, Disc, draw_discs, draw_nodes};
use quadrille_paths::movingai::TileMap;
use quadrille_paths::{Cell, CostRule, Grid, PathMap, Scratch};

use crate::Done;
use crate::easel::{Easel, Random, beside, save};

const HALF: [u16; 2] = [352, 264];
const WORLD: Aabb = Aabb { min: [0.0, 0.0], max: [64.0, 48.0] };
const GIF_INKS: [Color; 6] = [PAPER, INK, SKY, BLUE, ORANGE, VERMILION];

pub(crate) fn draw(folder: &Path) -> Done {
    save(&two_strategies()?, folder, "design-two-strategies.png")?;
    save(&fixed()?, folder, "design-fixed.png")?;
    save(&regions()?, folder, "design-regions.png")?;
    save(&neighbors()?, folder, "design-neighbors.png")?;
    save(&corners()?, folder, "design-corners.png")?;
    cleanup(&folder.join("design-cleanup.gif"))?;
    loose(&folder.join("design-loose.gif"))
}

fn adaptive(capacity: u32, max_depth: u8) -> QuadtreeOptions {
    QuadtreeOptions::default().with_world(WORLD).with_subdivision(Subdivision::Adaptive { capacity, max_depth })
}

/// Boxes and nodes of an index; boxes that `strange` picks stand out.
fn panel<I: Structure<Scalar = f32>>(index: &Index<I>, strange: impl Fn(u32) -> bool) -> Canvas {
    let mut easel = Easel::new(HALF, &WORLD);
    for (id, bounds) in index.iter() {
        easel.tile(&bounds, if strange(id) { VERMILION } else { SKY }, 120);
    }
    draw_nodes(&mut easel.canvas, &easel.camera, index);
    easel.canvas
}

/// Left, a giant listed in every leaf it touches; right, small boxes on middle lines that cannot sink.
fn two_strategies() -> Result<Canvas, quadrille::Error> {
    let mut random = Random(11);
    let mut boxes: Vec<Aabb> = (0..70)
        .map(|_| Aabb::from_center([random.between(1.5, 62.5), random.between(1.5, 46.5)], [0.7, 0.7]))
        .collect();
    let giant = boxes.len() as u32;
    boxes.push(Aabb::new([9.0, 7.0], [51.0, 41.0]));
    let listed = Index::<Quadtree>::with_boxes(adaptive(4, 6), &boxes)?;
    let mut left = Easel::new(HALF, &WORLD);
    let _ = listed.visit_lists(|node, mut ids| {
        if node.kind == NodeKind::Leaf && (&mut ids).any(|id| id == giant) {
            left.fill(&node.bounds, ORANGE, 90);
        }
        Continue::<()>(())
    });
    for (id, bounds) in listed.iter() {
        if id == giant {
            left.edges(&bounds, VERMILION, 2.5);
        } else {
            left.tile(&bounds, SKY, 120);
        }
    }
    draw_nodes(&mut left.canvas, &left.camera, &listed);

    boxes.pop();
    boxes.extend((0..22).map(|k| Aabb::from_center([32.0, 1.5 + 2.1 * k as f32], [0.7, 0.7])));
    boxes.extend((0..28).map(|k| Aabb::from_center([2.0 + 2.2 * k as f32, 24.0], [0.7, 0.7])));
    let options = TreeOptions::default().with_world(WORLD).with_capacity(4).with_max_depth(6);
    let enclosing = Index::<EnclosingQuadtree>::with_boxes(options, &boxes)?;
    Ok(beside(&[left.canvas, panel(&enclosing, |id| id >= giant)]))
}

/// 4, 16 and 64 leaves, whatever is in them.
fn fixed() -> Result<Canvas, quadrille::Error> {
    let mut random = Random(5);
    let boxes: Vec<Aabb> = (0..60)
        .map(|_| Aabb::from_center([random.between(1.0, 63.0) * random.unit(), random.between(1.5, 46.5)], [0.8, 0.8]))
        .collect();
    let panels: Result<Vec<Canvas>, quadrille::Error> = [1, 2, 3]
        .into_iter()
        .map(|depth| {
            let options = QuadtreeOptions::default().with_world(WORLD).with_subdivision(Subdivision::Fixed(depth));
            let index = Index::<Quadtree>::with_boxes(options, &boxes)?;
            let ball = boxes[17];
            let mut easel = Easel::new([232, 174], &WORLD);
            let _ = index.visit_nodes(|node| {
                if node.kind == NodeKind::Leaf && node.bounds.intersects(&ball) {
                    easel.fill(&node.bounds, ORANGE, 90);
                }
                Continue::<()>(())
            });
            boxes.iter().for_each(|bounds| easel.tile(bounds, SKY, 140));
            easel.tile(&ball, VERMILION, 200);
            draw_nodes(&mut easel.canvas, &easel.camera, &index);
            Ok(easel.canvas)
        })
        .collect();
    Ok(beside(&panels?))
}

/// A crowd walks from one corner to another; left without `maintain`, right with it.
fn cleanup(path: &Path) -> Done {
    const FRAMES: u16 = 60;
    let mut random = Random(23);
    let starts: Vec<[f32; 2]> = (0..90).map(|_| [random.between(2.0, 18.0), random.between(2.0, 16.0)]).collect();
    let at = |start: [f32; 2], frame: u16| {
        let part = f32::from(frame.min(45)) / 45.0;
        Aabb::from_center([start[0] + 42.0 * part, start[1] + 28.0 * part], [0.6, 0.6])
    };
    let boxes: Vec<Aabb> = starts.iter().map(|&start| at(start, 0)).collect();
    let mut lazy = Index::<Quadtree>::with_boxes(adaptive(4, 7), &boxes)?;
    let mut tidy = lazy.clone();
    let mut animation = None;
    for frame in 0..FRAMES {
        for (id, &start) in (0..).zip(&starts) {
            lazy.update(id, at(start, frame))?;
            tidy.update(id, at(start, frame))?;
        }
        tidy.maintain();
        if frame == 55 {
            lazy.maintain();
        }
        let canvas = beside(&[panel(&lazy, |_| false), panel(&tidy, |_| false)]);
        push(&mut animation, path, &canvas)?;
    }
    finish(animation)
}

/// Hulls follow their boxes, grow, and shrink when `maintain` is called, every twentieth frame.
fn loose(path: &Path) -> Done {
    let mut random = Random(41);
    let mut boxes: Vec<(Aabb, [f32; 2])> = (0..60)
        .map(|_| {
            let middle = [random.between(6.0, 58.0), random.between(6.0, 42.0)];
            let speed = [random.between(-0.35, 0.35), random.between(-0.35, 0.35)];
            (Aabb::from_center(middle, [random.between(0.6, 1.6), random.between(0.6, 1.6)]), speed)
        })
        .collect();
    let options = TreeOptions::default().with_world(WORLD).with_capacity(6).with_max_depth(6);
    let first: Vec<Aabb> = boxes.iter().map(|&(bounds, _)| bounds).collect();
    let mut index = Index::<LooseQuadtree>::with_boxes(options, &first)?;
    let mut animation = None;
    for frame in 0..60_u16 {
        for (id, (bounds, speed)) in (0..).zip(&mut boxes) {
            for (axis, speed) in speed.iter_mut().enumerate() {
                if bounds.min[axis] < 1.0 {
                    *speed = speed.abs();
                } else if bounds.max[axis] > WORLD.max[axis] - 1.0 {
                    *speed = -speed.abs();
                }
            }
            *bounds = bounds.with_offset(*speed);
            index.update(id, *bounds)?;
        }
        if frame % 20 == 19 {
            index.maintain();
        }
        let mut easel = Easel::new([480, 360], &WORLD);
        let _ = index.visit_nodes(|node| {
            if node.kind == NodeKind::Hull || node.population > 0 {
                easel.fill(&node.bounds, ORANGE, 40);
            }
            Continue::<()>(())
        });
        boxes.iter().for_each(|(bounds, _)| easel.tile(bounds, SKY, 160));
        draw_nodes(&mut easel.canvas, &easel.camera, &index);
        push(&mut animation, path, &easel.canvas)?;
    }
    finish(animation)
}

type Film = Option<Animation<BufWriter<File>>>;

fn push(film: &mut Film, path: &Path, canvas: &Canvas) -> Done {
    let film = match film {
        Some(film) => film,
        None => film.insert(Animation::new(BufWriter::new(File::create(path)?), canvas, &GIF_INKS, 10)?),
    };
    Ok(film.push(canvas)?)
}

fn finish(film: Film) -> Done {
    film.map(Animation::finish).transpose()?;
    Ok(())
}

/// The walls of the garden that the command draws too.
fn garden() -> Result<Grid, Box<dyn std::error::Error>> {
    let file = include_bytes!("../../../quadrille-cli/tests/maps/garden.map");
    Ok(TileMap::parse("garden.map", file)?.ground()?)
}

fn walls(grid: &Grid) -> Vec<[i32; 2]> {
    let [width, height] = [grid.width(), grid.height()];
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
    cells.filter(|&cell| !grid.is_free(cell)).map(|cell| [cell.x as i32, cell.y as i32]).collect()
}

/// Cells count down from the top; the world of pictures goes up.
fn on_paper(grid: &Grid, rect: Aabb<i32>) -> Aabb {
    let height = grid.height() as f32;
    let [left, top, right, bottom] =
        [rect.min[0], rect.min[1], rect.max[0] + 1, rect.max[1] + 1].map(|side| side as f32);
    Aabb::new([left, height - bottom], [right, height - top])
}

fn easel_for(grid: &Grid, width: u16) -> Easel {
    let world = Aabb::new([0.0, 0.0], [grid.width() as f32, grid.height() as f32]);
    let height = f32::from(width) * world.height() / world.width();
    Easel::new([width, height as u16], &world)
}

fn leaves<R: Rule>(grid: &Grid, rule: R, width: u16) -> Result<Canvas, quadrille::Error> {
    let cells = walls(grid).into_iter().map(|cell| (cell, ()));
    let map = RegionQuadtree::from_objects(grid.width(), grid.height(), rule, cells)?;
    let mut easel = easel_for(grid, width);
    for [x, y] in walls(grid) {
        easel.fill(&on_paper(grid, Aabb::new([x, y], [x, y])), INK, 150);
    }
    for leaf in map.leaves() {
        let rect = easel.camera.rect(&on_paper(grid, leaf.rect));
        easel.canvas.outline(&rect, BLUE, 150);
    }
    Ok(easel.canvas)
}

/// One map under three rules.
fn regions() -> Result<Canvas, Box<dyn std::error::Error>> {
    let grid = garden()?;
    Ok(beside(&[
        leaves(&grid, AllSame, 232)?,
        leaves(&grid, AtMost { objects: 40, slack: 0 }, 232)?,
        leaves(&grid, (AllSame, SmallestSide(5)), 232)?,
    ]))
}

/// A leaf, its neighbors in eight directions, and the smallest node that covers it and another.
fn neighbors() -> Result<Canvas, Box<dyn std::error::Error>> {
    use quadrille::region::Direction;
    let grid = garden()?;
    let cells = walls(&grid).into_iter().map(|cell| (cell, ()));
    let map = RegionQuadtree::from_objects(grid.width(), grid.height(), AllSame, cells)?;
    let mut easel = easel_for(&grid, 540);
    for leaf in map.leaves() {
        easel.fill(&on_paper(&grid, leaf.rect), INK, if leaf.occupied > 0 { 110 } else { 0 });
    }
    let middle = map.leaf_at([58, 24]).ok_or("off the map")?;
    let colors = [ORANGE, SKY, ORANGE, SKY, GREEN, GREEN, GREEN, GREEN];
    for (direction, color) in Direction::ALL.into_iter().zip(colors) {
        for leaf in map.neighbors(middle.rect, direction) {
            easel.fill(&on_paper(&grid, leaf.rect), color, if leaf.occupied > 0 { 200 } else { 110 });
        }
    }
    easel.fill(&on_paper(&grid, middle.rect), VERMILION, 220);
    for leaf in map.leaves() {
        let rect = easel.camera.rect(&on_paper(&grid, leaf.rect));
        easel.canvas.outline(&rect, INK, 90);
    }
    Ok(easel.canvas)
}

/// Left, the leaves that a path over leaves would search; right, the corners, and the path by way of some of them.
fn corners() -> Result<Canvas, Box<dyn std::error::Error>> {
    let grid = garden()?;
    let left = leaves(&grid, AllSame, 352)?;
    let mut easel = easel_for(&grid, 352);
    for [x, y] in walls(&grid) {
        easel.fill(&on_paper(&grid, Aabb::new([x, y], [x, y])), INK, 150);
    }
    let middle = |cell: Cell| on_paper(&grid, Aabb::from_point([cell.x as i32, cell.y as i32])).center();
    let is_free = |x: i64, y: i64| match (u32::try_from(x), u32::try_from(y)) {
        (Ok(x), Ok(y)) => grid.is_free(Cell::new(x, y)),
        _ => false,
    };
    let is_corner = |x: i64, y: i64| {
        let turn = |dx: i64, dy: i64| !is_free(x + dx, y + dy) && is_free(x + dx, y) && is_free(x, y + dy);
        is_free(x, y) && [(1, 1), (1, -1), (-1, 1), (-1, -1)].into_iter().any(|(dx, dy)| turn(dx, dy))
    };
    let map = PathMap::new(grid.clone(), CostRule::Octile);
    let path = map.path(Cell::new(8, 7), Cell::new(68, 36), &mut Scratch::new()).ok_or("no path")?;
    for step in path.cells().windows(2) {
        easel.line(middle(step[0]), middle(step[1]), GREEN, 3.0);
    }
    let cells = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| Cell::new(x, y)));
    let dots: Vec<Disc> = cells
        .filter(|cell| is_corner(cell.x.into(), cell.y.into()))
        .map(|cell| Disc { center: middle(cell), radius: 0.6, touching: true })
        .collect();
    draw_discs(&mut easel.canvas, &easel.camera, &dots);
    Ok(beside(&[left, easel.canvas]))
}
