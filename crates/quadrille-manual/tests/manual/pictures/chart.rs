//! The chart of the README: a whole frame by each contender, from a file of results.

use quadrille::Aabb;
use quadrille_draw::palette::{INK, ORANGE, PAPER, SKY};
use quadrille_draw::{Canvas, text_size};

use super::Done;

/// Named in the README.
const RESULTS: &str = include_str!("../../../../../bench/results/2026-11-25-frames-all.csv");
const SCENE: [&str; 3] = ["frames", "uniform", "100000"];
/// Beyond these milliseconds a bar is cut off.
const LONGEST: f32 = 50.0;

pub(super) fn draw() -> Done<Canvas> {
    const LEFT: f32 = 184.0;
    const BAR: f32 = 400.0;
    const ROOM: f32 = 22.0;
    let bars = bars()?;
    let mut canvas = Canvas::new(720, ((bars.len() + 1) as f32 * ROOM) as u16, PAPER);
    for (row, (name, is_ours, ms)) in bars.iter().enumerate() {
        let top = row as f32 * ROOM + 2.0;
        canvas.write(name, [LEFT - 8.0 - text_size(name)[0], top + 1.0], INK);
        let length = (ms / LONGEST).min(1.0) * BAR;
        let bar = Aabb::new([LEFT, top], [LEFT + length, top + ROOM - 5.0]);
        canvas.fill_rounded(&bar, 2.0, if *is_ours { ORANGE } else { SKY });
        let more = if *ms > LONGEST { " >>" } else { "" };
        canvas.write(&format!("{ms:.1} ms{more}"), [LEFT + length + 6.0, top + 1.0], INK);
    }
    let unit = "100,000 moving boxes: new positions and all overlapping pairs, one thread; less is better";
    canvas.write(unit, [4.0, bars.len() as f32 * ROOM + 3.0], PAPER.mix(INK, 180));
    Ok(canvas)
}

/// Name, whether it is ours, and milliseconds a frame.
type Bar = (String, bool, f32);

/// The frame tree, and every other library in its best mode here.
fn bars() -> Result<Vec<Bar>, std::num::ParseFloatError> {
    let mut bars: Vec<Bar> = Vec::new();
    for line in RESULTS.lines() {
        let cells: Vec<&str> = line.split(',').collect();
        let [name, side, ns] = match cells[..] {
            [task, scene, boxes, name, side, _, ns, ..] if [task, scene, boxes] == SCENE => [name, side, ns],
            _ => continue,
        };
        let is_ours = side == "quadrille";
        let library = name.split(' ').next().unwrap_or(name);
        let is_known = bars.iter().any(|(known, ..)| known.split(' ').next() == Some(library));
        // Lines come fastest first, so the first of a library is its best.
        if !is_known && (!is_ours || name == "frame-tree") {
            let shown = if is_ours { "quadrille FrameTree" } else { name };
            bars.push((shown.to_owned(), is_ours, ns.parse::<f32>()? * 100_000.0 / 1e6));
        }
    }
    Ok(bars)
}
