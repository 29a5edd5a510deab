//! A thousand discs that push each other apart: a whole frame in one call, then all pairs.
//!
//! `cargo run --release -p quadrille --example bounce`

#![expect(clippy::print_stdout, reason = "shows what happens")]

use quadrille::{Aabb, FrameTree, Index};

const RADIUS: f32 = 0.5;

fn main() -> Result<(), quadrille::Error> {
    // Closer together than they are wide.
    let mut places: Vec<[f32; 2]> = (0..1000_u16).map(|k| [f32::from(k % 40) * 0.7, f32::from(k / 40) * 0.7]).collect();
    let boxes =
        |places: &[[f32; 2]]| places.iter().map(|at| Aabb::from_center(*at, [RADIUS, RADIUS])).collect::<Vec<_>>();
    let mut index = Index::<FrameTree>::from_boxes(&boxes(&places))?;
    for frame in 0..=60 {
        index.update_all(&boxes(&places))?;
        let mut touching = 0;
        for (a, b) in index.pairs() {
            let (a, b) = (a as usize, b as usize);
            let way = [places[b][0] - places[a][0], places[b][1] - places[a][1]];
            let distance = way[0].hypot(way[1]).max(1e-6);
            // Boxes overlap before discs do.
            if distance < 2.0 * RADIUS {
                touching += 1;
                let push = 0.25 * (2.0 * RADIUS - distance) / distance;
                for axis in 0..2 {
                    places[a][axis] -= push * way[axis];
                    places[b][axis] += push * way[axis];
                }
            }
        }
        if frame % 20 == 0 {
            println!("frame {frame}: {touching} pairs of discs overlap");
        }
    }
    Ok(())
}
