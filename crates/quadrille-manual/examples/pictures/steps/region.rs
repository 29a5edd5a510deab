//! A region tree: leaves that split and merge as walls come, and the neighbors of a leaf.

use std::path::Path;

use quadrille::Aabb;
use quadrille::region::{AllSame, Direction, Leaf, RegionQuadtree};
use quadrille_draw::Canvas;
use quadrille_draw::palette::{GREEN, INK, ORANGE, PAPER, SKY, VERMILION};

use super::board;
use crate::Done;
use crate::easel::{Easel, save};

/// Cells of the map, and pixels of a panel.
const MAP: [u32; 2] = [16, 12];
const PANEL: [u16; 2] = [352, 264];

type Map = RegionQuadtree<(), AllSame>;

pub(super) fn draw(folder: &Path) -> Done {
    save(&edits()?, folder, "steps-region-quadtree.png")?;
    save(&neighbors()?, folder, "steps-region-neighbors.png")?;
    Ok(())
}

/// Cells count down from the top; the world of pictures goes up.
fn on_paper(rect: Aabb<i32>) -> Aabb {
    let height = MAP[1] as f32;
    let [left, top, right, bottom] =
        [rect.min[0], rect.min[1], rect.max[0] + 1, rect.max[1] + 1].map(|side| side as f32);
    Aabb::new([left, height - bottom], [right, height - top])
}

fn easel(map: &Map) -> Easel {
    let mut easel = Easel::new(PANEL, &Aabb::new([0.0, 0.0], MAP.map(|side| side as f32)));
    for leaf in map.leaves().filter(|leaf| leaf.occupied > 0) {
        easel.fill(&on_paper(leaf.rect), INK, 120);
    }
    easel
}

fn outlines(easel: &mut Easel, map: &Map) {
    map.leaves().for_each(|leaf| easel.edges(&on_paper(leaf.rect), PAPER.mix(INK, 170), 1.5));
}

fn edits() -> Result<Canvas, quadrille::Error> {
    let mut map = Map::new(MAP[0], MAP[1], AllSame)?;
    let mut panels = Vec::new();
    let show = |map: &Map, words: &str| {
        let mut easel = easel(map);
        outlines(&mut easel, map);
        let count = map.leaves().count();
        (easel, format!("{words}: {count} {}", if count == 1 { "leaf" } else { "leaves" }))
    };
    panels.push(show(&map, "1. an empty map"));
    map.insert([9, 4], ())?;
    panels.push(show(&map, "2. a wall: leaves split around it until each is all wall or all floor"));
    for cell in [[8, 4], [8, 3], [9, 3]] {
        map.insert(cell, ())?;
    }
    panels.push(show(&map, "3. three more walls: their leaves merge with the first"));
    map.remove([8, 3], ());
    panels.push(show(&map, "4. one of them falls: removing splits"));
    Ok(board(&panels, 2))
}

fn neighbors() -> Result<Canvas, quadrille::Error> {
    let walls = [[6, 1], [7, 2], [11, 3], [12, 3], [11, 9], [2, 7], [13, 6], [10, 0]];
    let map = Map::from_objects(MAP[0], MAP[1], AllSame, walls.map(|cell| (cell, ())))?;
    let asked = map.leaf_at([9, 7]).expect("on the map");
    let east: Vec<Leaf> = map.neighbors(asked.rect, Direction::East).collect();
    let strip = Aabb::new([asked.rect.max[0] + 1, asked.rect.min[1]], [asked.rect.max[0] + 1, asked.rect.max[1]]);

    let mut first = easel(&map);
    first.fill(&on_paper(asked.rect), VERMILION, 200);
    first.fill(&on_paper(strip), ORANGE, 160);
    outlines(&mut first, &map);

    let mut second = easel(&map);
    second.fill(&on_paper(asked.rect), VERMILION, 200);
    for (k, leaf) in east.iter().enumerate() {
        second.fill(&on_paper(leaf.rect), ORANGE, 150);
        second.label(&(k + 1).to_string(), on_paper(leaf.rect).center(), INK);
    }
    outlines(&mut second, &map);

    let mut third = easel(&map);
    for (k, direction) in Direction::ALL.into_iter().enumerate() {
        let color = if k < 4 { [ORANGE, SKY][k % 2] } else { GREEN };
        for leaf in map.neighbors(asked.rect, direction) {
            third.fill(&on_paper(leaf.rect), color, 140);
        }
    }
    third.fill(&on_paper(asked.rect), VERMILION, 200);
    outlines(&mut third, &map);
    let words = [
        "1. the cells to the right of a leaf (orange): a strip (amber)".to_owned(),
        "2. look up the leaf of the strip's first cell, then of its next cell behind that leaf, and so on".to_owned(),
        "3. all eight directions: along the sides, and at most one leaf at each corner (green)".to_owned(),
    ];
    Ok(board(&[first, second, third].into_iter().zip(words).collect::<Vec<_>>(), 3))
}
