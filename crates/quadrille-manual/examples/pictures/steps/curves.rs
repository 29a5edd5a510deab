//! Three orders of the same 64 places: row by row, Morton's, and Hilbert's as a frame tree has it.

use std::path::Path;

use quadrille::{Aabb, FrameTree, Index, morton};
use quadrille_draw::palette::{INK, PAPER, VERMILION};

use super::{MANY, board, lists};
use crate::Done;
use crate::easel::{Easel, save};

const SIDE: u16 = 8;

pub(super) fn draw(folder: &Path) -> Done {
    let rows = (0..SIDE * SIDE).map(|k| [f32::from(k % SIDE), f32::from(k / SIDE)]).collect();
    let codes = (0..u64::from(SIDE * SIDE)).map(morton::decode).map(|(x, y)| [x as f32, y as f32]).collect();
    let orders: [(Vec<[f32; 2]>, &str); 3] = [
        (rows, "row by row: long thin packs"),
        (codes, "Morton: squares, but jumps (orange)"),
        (hilbert()?, "Hilbert: squares, and no jump"),
    ];
    let panels: Vec<_> = orders.into_iter().map(|(order, words)| (panel(&order), words.to_owned())).collect();
    Ok(save(&board(&panels, 3), folder, "steps-curves.png")?)
}

/// The places in the order in which a frame tree has its boxes. It makes a cell for every other box and one more along
/// each axis: 112 boxes, two in most places, get the 8 by 8 cells of the picture.
fn hilbert() -> Result<Vec<[f32; 2]>, quadrille::Error> {
    let boxes: Vec<Aabb> =
        (0..112_u16).map(|k| Aabb::from_point([f32::from(k % SIDE), f32::from(k / SIDE % SIDE)])).collect();
    let tree = Index::<FrameTree>::from_boxes(&boxes)?;
    let mut places: Vec<[f32; 2]> =
        lists(&tree).iter().flat_map(|listed| &listed.ids).map(|&id| boxes[id as usize].min).collect();
    places.dedup();
    Ok(places)
}

/// Every place in the color of its run of sixteen, the first run of twelve so that runs are not whole squares anyway,
/// and the order as a line.
fn panel(order: &[[f32; 2]]) -> Easel {
    assert_eq!(order.len(), usize::from(SIDE * SIDE), "an order has every place once");
    let mut easel = Easel::new([232, 232], &Aabb::new([-0.6, -0.6], [7.6, 7.6]));
    for (k, &place) in order.iter().enumerate() {
        easel.fill(&Aabb::from_center(place, [0.5, 0.5]), MANY[(k + 4) / 16], 90);
    }
    for ends in order.windows(2) {
        let is_jump = (ends[0][0] - ends[1][0]).abs() + (ends[0][1] - ends[1][1]).abs() > 1.0;
        let (color, width) = if is_jump { (VERMILION, 2.0) } else { (INK, 2.0) };
        easel.line(ends[0], ends[1], color, width);
    }
    for &place in order {
        easel.dot(place, INK, 6.0);
    }
    easel.dot(order[0], PAPER, 3.0);
    easel
}
