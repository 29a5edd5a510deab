//! The arrays of a quadtree, with their links drawn: nodes in blocks of four, lists in blocks of six ids, free blocks in a
//! chain. All numbers are those of a real tree.

use std::path::Path;

use quadrille::{Aabb, Index, Quadtree};
use quadrille_draw::Color;
use quadrille_draw::palette::{BLUE, GREEN, INK, ORANGE, PAPER, SKY, VERMILION};
use serde_json::Value;

use super::quadtree::{outlines, small_leaves};
use super::{board, labeled, panel, stacked};
use crate::Done;
use crate::easel::{Easel, beside, save};

const NONE: u64 = u32::MAX as u64;
const BRANCH: u64 = u32::MAX as u64;

pub(super) fn draw(folder: &Path) -> Done {
    let mut tree = Index::<Quadtree>::new(small_leaves())?;
    let centers = [
        [9.0, 33.0],
        [24.0, 40.0],
        [41.0, 10.0],
        [52.0, 36.0],
        [22.0, 30.0],
        [32.5, 31.0],
        [11.0, 42.0],
        [26.0, 34.5],
        [48.0, 30.0],
        [58.0, 42.0],
        [44.0, 42.0],
        [10.0, 10.0_f32],
    ];
    for center in centers {
        tree.insert(Aabb::from_center(center, [1.6, 1.6]))?;
    }
    let full = state(&tree, "12 boxes")?;
    for id in [1, 4, 6, 7] {
        tree.remove(id);
    }
    tree.maintain();
    let fewer =
        state(&tree, "4 boxes removed, then maintain: four leaves became one, and what they had is free (green)")?;
    Ok(save(&stacked(&[full, fewer]), folder, "steps-quadtree-memory.png")?)
}

fn state(tree: &Index<Quadtree>, words: &str) -> Result<quadrille_draw::Canvas, serde_json::Error> {
    let held = serde_json::to_value(tree)?;
    let held = &held["structure"];
    let mut plane = panel();
    for (id, bounds) in tree.iter() {
        plane.tile(&bounds, SKY, 150);
        plane.label(&id.to_string(), bounds.center(), INK);
    }
    outlines(&mut plane, tree);
    let plane = board(&[(plane, words.to_owned())], 1);
    let arrays = stacked(&[
        labeled(
            &nodes(held).canvas,
            "nodes: a root, then blocks of four; a branch has the number of its first child, a leaf the first block of its list and how many boxes that has",
        ),
        labeled(
            &blocks(held).canvas,
            "the pool of lists: blocks of ids; the last line of each is the next block of its chain",
        ),
    ]);
    Ok(beside(&[plane, arrays]))
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A row of cells, with room above for the arcs of links.
fn row(cells: usize, lines: usize) -> Easel {
    let world = Aabb::new([-0.1, -0.9], [cells as f32 * 1.0 + 0.1, lines as f32 * 0.6 + 1.6]);
    let height = 520.0 * world.height() / world.width();
    Easel::new([520, height as u16], &world)
}

fn cell(easel: &mut Easel, at: usize, lines: &[(String, Color)], fill: (Color, u8)) {
    let x = at as f32;
    let bounds = Aabb::new([x + 0.04, 0.0], [x + 0.96, 0.6 * lines.len() as f32]);
    easel.fill(&bounds, fill.0, fill.1);
    easel.edges(&bounds, INK, 1.0);
    for (line, (text, color)) in lines.iter().rev().enumerate() {
        easel.label(text, [x + 0.5, 0.6 * line as f32 + 0.3], *color);
    }
    easel.label(&at.to_string(), [x + 0.5, -0.4], PAPER.mix(INK, 140));
}

/// An arc above the row, from one cell to another.
fn link(easel: &mut Easel, [from, to]: [usize; 2], top: f32, color: Color) {
    let [start, end] = [from as f32 + 0.5, to as f32 + 0.5];
    let height = 0.35 + 0.1 * (end - start).abs().min(9.0);
    let points: Vec<[f32; 2]> = (0..=24_u8)
        .map(|step| {
            let part = f32::from(step) / 24.0;
            [start + (end - start) * part, top + 0.06 + height * 4.0 * part * (1.0 - part)]
        })
        .collect();
    easel.path(&points, color, 1.8);
    easel.dot([end, top + 0.06], color, 6.0);
}

fn nodes(held: &Value) -> Easel {
    let (nodes, free) = (array(&held["nodes"]["nodes"]), array(&held["nodes"]["free"]));
    let is_free = |at: usize| free.iter().map(number).any(|first| (first..first + 4).contains(&(at as u64)));
    let mut easel = row(nodes.len().max(17), 2);
    for (at, node) in nodes.iter().enumerate() {
        let (first, count) = (number(&node["first"]), number(&node["count"]));
        let shown = |value: u64| if value == NONE { "-".to_owned() } else { value.to_string() };
        let lines = if is_free(at) {
            [(" ".to_owned(), INK), (" ".to_owned(), INK)]
        } else if count == BRANCH {
            link(&mut easel, [at, first as usize], 1.2, VERMILION);
            [(shown(first), VERMILION), ("br".to_owned(), INK)]
        } else {
            [(shown(first), BLUE), (count.to_string(), INK)]
        };
        let fill = if is_free(at) {
            (GREEN, 110)
        } else if count == BRANCH {
            (ORANGE, 90)
        } else {
            (PAPER, 0)
        };
        cell(&mut easel, at, &lines, fill);
    }
    easel
}

fn blocks(held: &Value) -> Easel {
    let blocks = array(&held["lists"]["blocks"]);
    let mut free = Vec::new();
    let mut at = number(&held["lists"]["free"]);
    while at != NONE && free.len() <= blocks.len() {
        free.push(at as usize);
        at = number(&blocks[at as usize]["next"]);
    }
    let mut easel = row(blocks.len().max(17), 7);
    for (at, block) in blocks.iter().enumerate() {
        let is_free = free.contains(&at);
        let next = number(&block["next"]);
        let mut lines: Vec<(String, Color)> = array(&block["ids"])
            .iter()
            .rev()
            .map(|id| (if number(id) == NONE || is_free { " ".to_owned() } else { number(id).to_string() }, INK))
            .collect();
        lines.push((if next == NONE { "-".to_owned() } else { next.to_string() }, VERMILION));
        if next != NONE {
            link(&mut easel, [at, next as usize], 4.2, if is_free { GREEN } else { VERMILION });
        }
        cell(&mut easel, at, &lines, if is_free { (GREEN, 110) } else { (PAPER, 0) });
    }
    if let Some(&first) = free.first() {
        easel.label("free", [first as f32 + 0.5, 5.55], GREEN);
    }
    easel
}
