//! What a lamp lights: the visibility polygon of a point among walls, over the ray queries of an index, drawn to a
//! PNG.
//!
//! `cargo run --release -p quadrille-draw --example visibility -- lamp.png`
//!
//! The lit region is a star around the lamp, and its border turns only where walls end or cross. So a ray is sent to
//! each such point and one a hair to either side of it; what they hit, in order of angle, are the corners of the
//! polygon. The index knows boxes, in order of entry: each wall's own crossing is computed here, and the search ends as
//! soon as the next box begins beyond the nearest crossing.

#![expect(clippy::print_stdout, reason = "says what was written where")]

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

use quadrille::structures::LooseQuadtree;
use quadrille::{Aabb, Index, Sweep};
use quadrille_draw::{Camera, Canvas, Disc, draw_discs, palette, write_png};

type Point = [f64; 2];
type Wall = [Point; 2];

const WORLD: Aabb<f64> = Aabb { min: [0.0, 0.0], max: [160.0, 90.0] };
const LAMP: Point = [71.3, 42.7];

/// How far to the side of such a point a ray passes, in radians. Larger: thin slits of light are lost. Smaller:
/// rounding decides.
const HAIR: f64 = 1e-6;

fn main() -> Result<(), Box<dyn Error>> {
    let walls = walls(60);
    let boxes: Vec<Aabb<f64>> = walls.iter().map(|&[from, to]| Aabb::from_corners(from, to)).collect();
    let index = Index::<LooseQuadtree<f64>>::from_boxes(&boxes)?;
    let lit = visible(&index, &walls, LAMP);

    let mut canvas = Canvas::new(1280, 720, palette::INK);
    let camera = Camera::fit(&WORLD, &canvas);
    let corners: Vec<[f32; 2]> = lit.iter().map(|&corner| camera.project(corner)).collect();
    fill(&mut canvas, &corners);
    for [from, to] in walls.iter().map(|wall| wall.map(|end| camera.project(end))) {
        canvas.stroke([from, to], 1.5, palette::VERMILION);
    }
    draw_discs(&mut canvas, &camera, &[Disc { center: LAMP, radius: 0.8, touching: true }]);
    let path = std::env::args().nth(1).unwrap_or_else(|| "visibility.png".into());
    write_png(&canvas, BufWriter::new(File::create(&path)?))?;
    println!(
        "{path}: {} walls, {} corners, {:.1} % of the room is lit",
        walls.len(),
        lit.len(),
        100.0 * area(&lit) / WORLD.area()
    );
    Ok(())
}

/// The four sides of the room and `count` walls in it, some of them crossing.
fn walls(count: usize) -> Vec<Wall> {
    let Aabb { min: [left, bottom], max: [right, top] } = WORLD;
    let corners = [[left, bottom], [right, bottom], [right, top], [left, top]];
    let sides = (0..4).map(|k| [corners[k], corners[(k + 1) % 4]]);
    let mut state = 2_u32;
    let mut random = move |most: f64| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24) * most
    };
    let inner = (0..count).map(|_| {
        let from = [2.0 + random(156.0), 2.0 + random(86.0)];
        let way = [random(16.0) - 8.0, random(16.0) - 8.0];
        [from, [(from[0] + way[0]).clamp(1.0, 159.0), (from[1] + way[1]).clamp(1.0, 89.0)]]
    });
    sides.chain(inner).collect()
}

/// The corners of what is visible from `eye`, counter-clockwise.
fn visible(index: &Index<LooseQuadtree<f64>>, walls: &[Wall], eye: Point) -> Vec<Point> {
    let crossings = index.pairs().filter_map(|(a, b)| meeting(walls[a as usize], walls[b as usize]));
    let turns = walls.iter().flatten().copied().chain(crossings);
    let directions = turns.map(|turn| (turn[1] - eye[1]).atan2(turn[0] - eye[0]));
    let mut angles: Vec<f64> = directions.flat_map(|angle| [angle - HAIR, angle, angle + HAIR]).collect();
    angles.sort_by(f64::total_cmp);
    angles.dedup();
    angles.iter().filter_map(|angle| first_hit(index, walls, eye, [angle.cos(), angle.sin()])).collect()
}

/// Where a ray first meets a wall.
fn first_hit(index: &Index<LooseQuadtree<f64>>, walls: &[Wall], eye: Point, direction: Point) -> Option<Point> {
    let mut nearest: Option<f64> = None;
    for hit in index.query_in_order(Sweep::ray(eye, direction)) {
        if nearest.is_some_and(|nearest| nearest < hit.rank.time()) {
            break;
        }
        let crossing = crossing(eye, direction, walls[hit.id as usize]);
        nearest = nearest.into_iter().chain(crossing).min_by(f64::total_cmp);
    }
    nearest.map(|time| [eye[0] + time * direction[0], eye[1] + time * direction[1]])
}

/// Where two walls cross.
fn meeting([from, to]: Wall, other: Wall) -> Option<Point> {
    let way = [to[0] - from[0], to[1] - from[1]];
    let time = crossing(from, way, other).filter(|&time| time <= 1.0)?;
    Some([from[0] + time * way[0], from[1] + time * way[1]])
}

/// When a ray crosses a wall, in units of its direction; never if it runs along it.
fn crossing(eye: Point, direction: Point, [from, to]: Wall) -> Option<f64> {
    let cross = |a: Point, b: Point| a[0] * b[1] - a[1] * b[0];
    let (along, start) = ([to[0] - from[0], to[1] - from[1]], [from[0] - eye[0], from[1] - eye[1]]);
    let slant = cross(direction, along);
    let (time, part) = (cross(start, along) / slant, cross(start, direction) / slant);
    (slant != 0.0 && time >= 0.0 && (0.0..=1.0).contains(&part)).then_some(time)
}

/// Twice the sum of the triangles over the edges, halved.
fn area(corners: &[Point]) -> f64 {
    let edges = corners.iter().zip(corners.iter().cycle().skip(1));
    edges.map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>() / 2.0
}

/// Fills a polygon row by row: between the first crossing of an edge and the second, the third and the fourth, and so
/// on.
fn fill(canvas: &mut Canvas, corners: &[[f32; 2]]) {
    for row in 0..canvas.height() {
        let y = f32::from(row) + 0.5;
        let edges = corners.iter().zip(corners.iter().cycle().skip(1));
        let crossed = edges.filter(|(a, b)| (a[1] <= y) != (b[1] <= y));
        let mut crossings: Vec<f32> = crossed.map(|(a, b)| a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])).collect();
        crossings.sort_by(f32::total_cmp);
        for pair in crossings.chunks_exact(2) {
            canvas.outline(&Aabb::new([pair[0], y], [pair[1], y]), palette::YELLOW, 255);
        }
    }
}
