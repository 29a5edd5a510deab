//! Boxes drift, hulls degrade, and a frame tree sorts.

use std::path::Path;

use quadrille::{Aabb, FrameTree, Index};
use quadrille_draw::Canvas;
use quadrille_draw::palette::{INK, ORANGE, PAPER, SKY, VERMILION};

use super::{MANY, WORLD, board, labeled, lists, panel, some_boxes, stacked};
use crate::Done;
use crate::easel::{Easel, Random, save};

const FRAMES: u16 = 120;

struct Frame {
    panel: Easel,
    /// The degradation that has added up since the last sort, as the structure has it.
    degradation: f32,
    is_sorted: bool,
}

pub(super) fn draw(folder: &Path) -> Done {
    let frames = frames()?;
    let sorts: Vec<usize> = (1..frames.len()).filter(|&frame| frames[frame].is_sorted).collect();
    let chart = labeled(
        &chart(&frames),
        "degradation, frame by frame: at the line, boxes are sorted (orange), and it is zero again",
    );
    let first = *sorts.first().ok_or("no sort in all frames: the picture has nothing to show")?;
    let mut shown = vec![(0, "sorted".to_owned())];
    shown.push((first / 2, "boxes have drifted, hulls have grown".to_owned()));
    shown.push((first - 1, "the last frame in this order".to_owned()));
    shown.push((first, "sorted again".to_owned()));
    let mut frames: Vec<Option<Easel>> = frames.into_iter().map(|frame| Some(frame.panel)).collect();
    let panels: Vec<(Easel, String)> = shown
        .into_iter()
        .filter_map(|(at, words)| Some((frames[at].take()?, format!("frame {at}: {words}"))))
        .collect();
    Ok(save(&stacked(&[board(&panels, 2), chart]), folder, "steps-frame-tree-degradation.png")?)
}

fn frames() -> Result<Vec<Frame>, Box<dyn std::error::Error>> {
    let mut random = Random(71);
    let mut boxes = some_boxes(&mut random, 320, [0.7, 2.0]);
    let speeds: Vec<[f32; 2]> = boxes.iter().map(|_| [0, 1].map(|_| random.between(-0.16, 0.16))).collect();
    let mut tree = Index::<FrameTree>::from_boxes(&boxes)?;
    let mut frames = vec![show(&tree, false)?];
    for _ in 1..FRAMES {
        for (bounds, speed) in boxes.iter_mut().zip(&speeds) {
            *bounds = bounds.with_offset(*speed);
            for axis in 0..2 {
                // Out on one side, in on the other would jump: it stays at the border instead.
                let over =
                    (bounds.max[axis] - WORLD.max[axis]).max(0.0) + (bounds.min[axis] - WORLD.min[axis]).min(0.0);
                let mut back = [0.0; 2];
                back[axis] = -over;
                *bounds = bounds.with_offset(back);
            }
        }
        let before = order(&tree);
        tree.update_all(&boxes)?;
        let is_sorted = order(&tree) != before;
        frames.push(show(&tree, is_sorted)?);
    }
    Ok(frames)
}

fn order(tree: &Index<FrameTree>) -> Vec<u32> {
    lists(tree).into_iter().flat_map(|listed| listed.ids).collect()
}

fn show(tree: &Index<FrameTree>, is_sorted: bool) -> Result<Frame, serde_json::Error> {
    let mut panel = panel();
    let packs: Vec<_> = lists(tree).into_iter().filter(|listed| listed.node.population > 0).collect();
    for (k, pack) in packs.iter().enumerate() {
        let color = MANY[k % MANY.len()];
        for &id in &pack.ids {
            tree.get(id).into_iter().for_each(|bounds| panel.fill(&bounds, color, 150));
        }
    }
    for (k, pack) in packs.iter().enumerate() {
        panel.edges(&pack.node.bounds, MANY[k % MANY.len()].mix(INK, 90), 1.2);
    }
    let held = serde_json::to_value(tree)?;
    let degradation = held["structure"]["degradation"]["sum"].as_f64().unwrap_or(f64::NAN) as f32;
    Ok(Frame { panel, degradation, is_sorted })
}

/// A bar for each frame; the line at which sorting pays.
fn chart(frames: &[Frame]) -> Canvas {
    const SORTING: f32 = 2.0;
    let mut easel = Easel::new([720, 130], &Aabb::new([0.0, -0.1], [f32::from(FRAMES), 21.0]));
    for (frame, Frame { degradation, is_sorted, .. }) in (0..).map(|frame: u16| f32::from(frame)).zip(frames) {
        let height = degradation / SORTING * 18.0;
        let bar = Aabb::new([frame + 0.1, 0.0], [frame + 0.9, height.max(0.15)]);
        easel.fill(&bar, if *degradation > 0.6 * SORTING { ORANGE } else { SKY }, 220);
        if *is_sorted {
            easel.line([frame + 0.5, 0.0], [frame + 0.5, 20.5], VERMILION, 2.0);
        }
    }
    easel.line([0.0, 18.0], [f32::from(FRAMES), 18.0], PAPER.mix(INK, 160), 1.5);
    easel.canvas
}
