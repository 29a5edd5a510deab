//! Joins of files: boxes first, then true shapes; and tiles, where there are more boxes than fit in memory.

use std::path::Path;

use quadrille::{Aabb, FrameTree, Index, Overlaps, pairs_of};
use quadrille_draw::Canvas;
use quadrille_draw::palette::{BLUE, INK, ORANGE, PAPER, SKY, VERMILION};

use super::{WORLD, board, panel, some_boxes};
use crate::Done;
use crate::easel::{Random, save};

pub(super) fn draw(folder: &Path) -> Done {
    save(&join()?, folder, "steps-join.png")?;
    save(&tiles(), folder, "steps-tiles.png")?;
    Ok(())
}

/// Corners of a zone, counterclockwise.
type Zone = [[f32; 2]; 3];

const ZONES: [Zone; 3] = [
    [[6.0, 6.0], [28.0, 10.0], [12.0, 30.0]],
    [[36.0, 22.0], [60.0, 26.0], [44.0, 45.0]],
    [[40.0, 4.0], [61.0, 5.0], [58.0, 18.0]],
];

fn bounds(zone: &Zone) -> Aabb {
    Aabb::from_points(*zone)
}

fn contains(zone: &Zone, at: [f32; 2]) -> bool {
    (0..3).all(|k| {
        let (a, b) = (zone[k], zone[(k + 1) % 3]);
        (b[0] - a[0]) * (at[1] - a[1]) >= (b[1] - a[1]) * (at[0] - a[0])
    })
}

fn join() -> Result<Canvas, quadrille::Error> {
    let mut random = Random(71);
    let points: Vec<[f32; 2]> = (0..70).map(|_| [random.between(2.0, 62.0), random.between(2.0, 46.0)]).collect();
    let index = Index::<FrameTree>::from_boxes(&points.iter().map(|at| Aabb::from_point(*at)).collect::<Vec<_>>())?;
    let candidates: Vec<(usize, u32)> = ZONES
        .iter()
        .enumerate()
        .flat_map(|(k, zone)| index.query(Overlaps(bounds(zone))).map(move |id| (k, id)))
        .collect();
    let answers: Vec<u32> = candidates
        .iter()
        .filter(|(zone, point)| contains(&ZONES[*zone], points[*point as usize]))
        .map(|(_, point)| *point)
        .collect();
    let show = |color: &dyn Fn(u32) -> quadrille_draw::Color, with_boxes: bool| {
        let mut easel = panel();
        for zone in &ZONES {
            if with_boxes {
                easel.fill(&bounds(zone), ORANGE, 50);
            }
            easel.path(&[zone[0], zone[1], zone[2], zone[0]], BLUE, 2.0);
        }
        for (id, at) in (0..).zip(&points) {
            easel.dot(*at, color(id), 6.0);
        }
        easel
    };
    let gray = PAPER.mix(INK, 120);
    let is_candidate = |id: u32| candidates.iter().any(|(_, point)| *point == id);
    let panels = [
        (show(&|_| gray, false), format!("1. two files: {} points and {} zones", points.len(), ZONES.len())),
        (
            show(&|id| if is_candidate(id) { ORANGE } else { gray }, true),
            format!("2. boxes first (amber): {} candidates", candidates.len()),
        ),
        (
            show(
                &|id| match (answers.contains(&id), is_candidate(id)) {
                    (true, _) => VERMILION,
                    (false, true) => ORANGE,
                    _ => gray,
                },
                false,
            ),
            format!("3. then the true shapes: {} answers (orange)", answers.len()),
        ),
    ];
    Ok(board(&panels, 3))
}

/// Halves a rectangle until few enough boxes touch each part.
fn divide(tile: Aabb, boxes: &[Aabb], most: usize, tiles: &mut Vec<Aabb>) {
    if boxes.iter().filter(|one| one.intersects(&tile)).count() <= most {
        return tiles.push(tile);
    }
    let middle = tile.center();
    let (low, high) = if tile.width() >= tile.height() {
        (Aabb::new(tile.min, [middle[0], tile.max[1]]), Aabb::new([middle[0], tile.min[1]], tile.max))
    } else {
        (Aabb::new(tile.min, [tile.max[0], middle[1]]), Aabb::new([tile.min[0], middle[1]], tile.max))
    };
    divide(low, boxes, most, tiles);
    divide(high, boxes, most, tiles);
}

fn tiles() -> Canvas {
    let boxes = some_boxes(&mut Random(73), 80, [2.0, 7.0]);
    let mut tiles = Vec::new();
    divide(WORLD, &boxes, 22, &mut tiles);
    let copies: usize = tiles.iter().map(|tile| boxes.iter().filter(|one| one.intersects(tile)).count()).sum();

    let mut first = panel();
    boxes.iter().for_each(|bounds| first.tile(bounds, SKY, 130));
    tiles.iter().for_each(|tile| first.edges(tile, INK, 2.0));

    let mut second = panel();
    for bounds in &boxes {
        let is_copied = tiles.iter().filter(|tile| tile.intersects(bounds)).count() > 1;
        second.tile(bounds, if is_copied { ORANGE } else { SKY }, if is_copied { 190 } else { 60 });
    }
    tiles.iter().for_each(|tile| second.edges(tile, INK, 2.0));

    let mut third = panel();
    boxes.iter().for_each(|bounds| third.tile(bounds, SKY, 40));
    tiles.iter().for_each(|tile| third.edges(tile, INK, 2.0));
    let pairs = pairs_of(&boxes).expect("valid boxes");
    for (a, b) in &pairs {
        let (a, b) = (boxes[*a as usize], boxes[*b as usize]);
        let corner = [0, 1].map(|axis| a.min[axis].max(b.min[axis]));
        third.edges(&a, BLUE, 1.0);
        third.edges(&b, BLUE, 1.0);
        third.dot(corner, VERMILION, 6.0);
    }
    let words = [
        format!("1. {} boxes in {} tiles, each small enough for memory", boxes.len(), tiles.len()),
        format!("2. a box is copied to each tile that it touches (amber): {copies} copies"),
        format!(
            "3. {} pairs, each reported by the tile with the lower left corner (dot) of what the two share",
            pairs.len()
        ),
    ];
    board(&[first, second, third].into_iter().zip(words).collect::<Vec<_>>(), 3)
}
