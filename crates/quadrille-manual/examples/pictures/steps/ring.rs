//! Sixteen boxes in a ring: the pairs of a pack in the order in which a frame tree finds them.

use std::path::Path;

use quadrille::{Aabb, FrameTree, Index};
use quadrille_draw::palette::{INK, PAPER, SKY, VERMILION};

use super::board;
use crate::Done;
use crate::easel::{Easel, save};

pub(super) fn draw(folder: &Path) -> Done {
    // All overlap, so all 120 pairs are reported, and the order in which they come shows how they were compared.
    let tree = Index::<FrameTree>::from_boxes(&[Aabb::from_center([0.0, 0.0], [1.0, 1.0]); 16])?;
    let pairs: Vec<(u32, u32)> = tree.pairs().collect();
    assert_eq!(pairs.len(), 120, "sixteen boxes that overlap");
    let panels: Vec<_> = [1, 2, 5, 8]
        .into_iter()
        .map(|distance| {
            let met: Vec<(u32, u32)> = pairs.iter().copied().filter(|&pair| apart(pair) == distance).collect();
            let words = match met.len() {
                16 => format!("{distance} apart: 16 pairs, 2 comparisons"),
                count => format!("{distance} apart: {count} pairs, 1 comparison"),
            };
            (ring(&met), words)
        })
        .collect();
    Ok(save(&board(&panels, 4), folder, "steps-frame-tree-ring.png")?)
}

/// How many steps around the ring, the shorter way.
fn apart((a, b): (u32, u32)) -> u32 {
    (b - a).min(16 + a - b)
}

fn ring(pairs: &[(u32, u32)]) -> Easel {
    const TAU: f64 = std::f64::consts::TAU;
    let mut easel = Easel::new([176, 176], &Aabb::new([-1.2, -1.2], [1.2, 1.2]));
    let place = |k: u32| {
        let (sin, cos) = (TAU * f64::from(k) / 16.0).sin_cos();
        [sin as f32, cos as f32]
    };
    for &(a, b) in pairs {
        easel.line(place(a), place(b), VERMILION, 1.5);
    }
    for k in 0..16 {
        easel.dot(place(k), INK, 17.0);
        easel.dot(place(k), PAPER.mix(SKY, 120), 15.0);
        easel.label(&k.to_string(), place(k), INK);
    }
    easel
}
