//! The chart of the README: a whole frame by each contender, from a file of results.

use quadrille::Aabb;
use quadrille_draw::palette::{GREEN, INK, ORANGE, PAPER, SKY};
use quadrille_draw::{Canvas, Color, text_size};

use super::Done;

/// Named in the README.
const RESULTS: &str = include_str!("../../../../../bench/results/2026-11-29-frames-all.csv");
const SCENE: [&str; 3] = ["frames", "uniform", "100000"];
/// A contender that is no library. It has a bar as soon as the results have it.
const BY_HAND: &str = "grid by hand";

/// Pixels to the left of the bars, above them, and of one and its gap.
const LEFT: f32 = 184.0;
const TOP: f32 = 24.0;
const ROOM: f32 = 22.0;
/// The first line of the axis, in milliseconds; each one after it is ten times as much.
const FIRST: f32 = 0.1;
const LINES: u8 = 5;
/// Pixels between two.
const DECADE: f32 = 115.0;

pub(super) fn draw() -> Done<Canvas> {
    let bars = bars()?;
    let below = TOP + bars.len() as f32 * ROOM;
    let mut canvas = Canvas::new(720, (below + 2.0 * ROOM) as u16, PAPER);
    draw_axis(&mut canvas, below);
    for (row, (name, color, ms)) in bars.iter().enumerate() {
        let top = TOP + row as f32 * ROOM + 2.0;
        canvas.write(name, [LEFT - 8.0 - text_size(name)[0], top + 1.0], INK);
        let bar = Aabb::new([LEFT, top], [place(*ms), top + ROOM - 5.0]);
        canvas.fill_rounded(&bar, 2.0, *color);
        write_on_paper(&mut canvas, &format!("{ms:.1} ms"), [bar.max[0] + 6.0, top + 1.0]);
    }
    let what = "100,000 moving boxes: new positions and all overlapping pairs, one thread; less is better";
    let how = format!("logarithmic axis; {}", machine().ok_or("the results name no machine")?);
    for (row, text) in [what, &how].into_iter().enumerate() {
        canvas.write(text, [4.0, below + row as f32 * ROOM + 3.0], PAPER.mix(INK, 180));
    }
    Ok(canvas)
}

/// The pixel of so many milliseconds.
fn place(ms: f32) -> f32 {
    LEFT + (ms / FIRST).log10() * DECADE
}

fn draw_axis(canvas: &mut Canvas, below: f32) {
    for line in 0..LINES {
        let ms = FIRST * 10_f32.powi(line.into());
        let x = place(ms).round() + 0.5;
        let text = if line == 0 { format!("{ms} ms") } else { format!("{ms:.0} ms") };
        canvas.write(&text, [x - text_size(&text)[0] / 2.0, 3.0], PAPER.mix(INK, 180));
        canvas.stroke([[x, TOP - 4.0], [x, below]], 1.0, PAPER.mix(INK, 60));
    }
}

/// Lines of the axis do not cross it.
fn write_on_paper(canvas: &mut Canvas, text: &str, corner: [f32; 2]) {
    let size = text_size(text);
    canvas.fill_rounded(&Aabb::new(corner, [0, 1].map(|axis| corner[axis] + size[axis])), 0.0, PAPER);
    canvas.write(text, corner, INK);
}

/// The processor and the date, from the first line of the results.
fn machine() -> Option<String> {
    let parts: Vec<&str> = RESULTS.lines().next()?.split(", ").collect();
    Some(format!("{}, {}", parts.get(2)?, parts.first()?.trim_start_matches("# date ")))
}

/// Name, color and milliseconds a frame.
type Bar = (String, Color, f32);

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
            let (shown, color) = match name {
                _ if is_ours => ("quadrille FrameTree", ORANGE),
                BY_HAND => (name, GREEN),
                _ => (name, SKY),
            };
            bars.push((shown.to_owned(), color, ns.parse::<f32>()? * 100_000.0 / 1e6));
        }
    }
    Ok(bars)
}
