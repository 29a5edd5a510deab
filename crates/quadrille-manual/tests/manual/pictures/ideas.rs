//! Drawings of ideas: overlaps, edges and events with their words, and one map under three rules.

use quadrille::Aabb;
use quadrille::region::{AllSame, AtMost, RegionQuadtree, Rule, SmallestSide};
use quadrille_draw::palette::{BLUE, INK, ORANGE, PAPER, SKY, VERMILION};
use quadrille_draw::{Canvas, Color, text_size};

use super::easel::{beside, labeled};
use super::{Done, Picture};

const WIDTH: u16 = 720;

pub(super) fn draw() -> Done<Vec<Picture>> {
    Ok(vec![
        ("concept-broad-phase.png", broad_phase()),
        ("concept-edges.png", edges()),
        ("concept-events.png", events()),
        ("design-regions.png", regions()?),
    ])
}

/// Words in the middle of a column.
fn centered(canvas: &mut Canvas, words: &str, middle: f32, top: f32) {
    canvas.write(words, [(middle - text_size(words)[0] / 2.0).round(), top], INK);
}

fn rectangle([x, y]: [f32; 2], [width, height]: [f32; 2]) -> Aabb {
    Aabb::new([x, y], [x + width, y + height])
}

/// A filled rectangle with edges.
fn tile(canvas: &mut Canvas, rect: &Aabb, fill: Color, edge: Color) {
    canvas.fill_rounded(rect, 0.0, fill);
    frame(canvas, rect, 1.0, edge);
}

fn frame(canvas: &mut Canvas, rect: &Aabb, width: f32, color: Color) {
    let Aabb { min: [left, top], max: [right, bottom] } = *rect;
    let corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
    for (number, &from) in corners.iter().enumerate() {
        canvas.stroke([from, corners[(number + 1) % 4]], width, color);
    }
}

/// Two discs in their boxes, three times.
fn broad_phase() -> Canvas {
    const SIDE: f32 = 78.0;
    let mut canvas = Canvas::new(WIDTH, 196, PAPER);
    let (pale, loose) = (PAPER.mix(ORANGE, 100), SKY);
    let columns = [
        ("candidate: boxes overlap", [68.0, -66.0], pale, loose),
        ("hit: discs touch, too", [64.0, -32.0], pale, VERMILION),
        ("neither", [92.0, -58.0], PAPER, loose),
    ];
    for (column, (words, off, corners, disc)) in (0_u8..).zip(columns) {
        let middle = 120.0 + 240.0 * f32::from(column);
        let left = middle - (SIDE + off[0]) / 2.0;
        let boxes = [[left, 78.0], [left + off[0], 78.0 + off[1]]].map(|corner| rectangle(corner, [SIDE; 2]));
        for rect in &boxes {
            canvas.fill_rounded(rect, 0.0, corners);
        }
        for rect in &boxes {
            canvas.stroke([rect.center(); 2], SIDE, disc);
        }
        for rect in &boxes {
            frame(&mut canvas, rect, 1.5, INK);
        }
        centered(&mut canvas, words, middle, 170.0);
    }
    canvas
}

/// What shares no more than an edge, a corner or a point.
fn edges() -> Canvas {
    let mut canvas = Canvas::new(WIDTH, 170, PAPER);
    let blue = (PAPER.mix(SKY, 140), BLUE);
    let amber = (PAPER.mix(ORANGE, 150), ORANGE.mix(INK, 60));
    let tiles = [
        ([22.0, 28.0], [68.0, 78.0], blue),
        ([90.0, 46.0], [68.0, 78.0], amber),
        ([212.0, 72.0], [58.0, 58.0], blue),
        ([270.0, 14.0], [58.0, 58.0], amber),
        ([396.0, 24.0], [106.0, 96.0], blue),
        ([576.0, 24.0], [106.0, 96.0], blue),
    ];
    for (corner, size, (fill, edge)) in tiles {
        tile(&mut canvas, &rectangle(corner, size), fill, edge);
    }
    canvas.stroke([[90.0, 46.0], [90.0, 106.0]], 5.0, VERMILION);
    for dot in [[270.0, 72.0], [502.0, 62.0]] {
        canvas.stroke([dot; 2], 11.0, VERMILION);
    }
    let [x, y] = [629.0, 72.0];
    for turn in [-1.0, 1.0] {
        canvas.stroke([[x - 6.0, y - 6.0 * turn], [x + 6.0, y + 6.0 * turn]], 2.5, VERMILION);
    }
    for (words, middle) in
        [("an edge", 90.0), ("a corner", 270.0), ("a point on an edge", 449.0), ("a box of no size", 629.0)]
    {
        centered(&mut canvas, words, middle, 144.0);
    }
    canvas
}

/// A box passes another one.
fn events() -> Canvas {
    let mut canvas = Canvas::new(WIDTH, 190, PAPER);
    let steps = [("no contact", 6.0, 62.0), ("begin", 46.0, 62.0), ("stay", 78.0, 62.0), ("end", 122.0, 62.0)];
    for (number, (words, passing, standing)) in (0_u8..).zip(steps) {
        let left = 4.0 + 180.0 * f32::from(number);
        frame(&mut canvas, &rectangle([left, 4.0], [168.0, 156.0]), 1.0, PAPER.mix(INK, 110));
        let is_contact = words == "begin" || words == "stay";
        let [strong, pale] = if is_contact { [VERMILION, VERMILION] } else { [BLUE, SKY] };
        let other = rectangle([left + standing, 78.0], [44.0, 62.0]);
        tile(&mut canvas, &other, PAPER.mix(strong, 110), strong);
        let one = rectangle([left + passing, 46.0], [32.0, 62.0]);
        tile(&mut canvas, &one, PAPER.mix(pale, 110), pale);
        let [tail, tip] = [[left + passing + 2.0, 28.0], [left + passing + 30.0, 28.0]];
        canvas.stroke([tail, tip], 2.5, INK);
        for side in [-9.0, 9.0] {
            canvas.stroke([[tip[0] - 10.0, tip[1] + side], tip], 2.5, INK);
        }
        centered(&mut canvas, words, left + 84.0, 168.0);
    }
    canvas
}

const MAP: [u32; 2] = [32, 24];

/// A house with two doors, a rock, a wall and four pillars.
fn is_wall([x, y]: [i32; 2]) -> bool {
    let is_house = (2..=13).contains(&x) && (2..=10).contains(&y);
    let is_inside = (3..=12).contains(&x) && (3..=9).contains(&y) && x != 8;
    let is_door = (x == 8 && (5..=6).contains(&y)) || (y == 10 && (4..=5).contains(&x));
    let is_rock = (x - 23).pow(2) + (y - 7).pow(2) <= 20;
    let is_pillar = (y == 17 || y == 21) && (x == 5 || x == 10);
    is_house && !is_inside && !is_door || is_rock || is_pillar || (x == 18 && y >= 15)
}

fn regions() -> Done<Canvas> {
    Ok(beside(&[
        map(AllSame, "AllSame")?,
        map(AtMost { objects: 8, slack: 0 }, "AtMost 8")?,
        map((AllSame, SmallestSide(4)), "AllSame, side 4")?,
    ]))
}

fn map(rule: impl Rule, name: &str) -> Done<Canvas> {
    const CELL: f32 = 7.0;
    let tree = RegionQuadtree::from_fn(MAP[0], MAP[1], rule, |cell| is_wall(cell).then_some(()))?;
    let [width, height] = MAP.map(|side| side as u16 * CELL as u16 + 4);
    let mut canvas = Canvas::new(width, height, PAPER);
    let square = |min: [i32; 2], max: [i32; 2]| {
        Aabb::new(min.map(|at| at as f32 * CELL + 2.0), max.map(|at| (at + 1) as f32 * CELL + 2.0))
    };
    for (cell, ()) in tree.iter() {
        canvas.fill_rounded(&square(cell, cell), 0.0, PAPER.mix(INK, 110));
    }
    for leaf in tree.leaves() {
        frame(&mut canvas, &square(leaf.rect.min, leaf.rect.max), 1.0, BLUE);
    }
    Ok(labeled(&canvas, &format!("{name}: {} leaves", tree.leaf_count())))
}
