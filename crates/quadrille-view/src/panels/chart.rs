//! Small charts: a running history, and a histogram.

use eframe::egui::{Align2, Color32, FontId, Rect, Sense, Ui, Vec2, pos2, vec2};

/// Stacked bars, the newest at the right. The scale ends at twice the median, or at the highest bar if that is lower,
/// so that one slow moment does not flatten the rest. `most` bars fill the width.
pub(super) fn running(
    ui: &mut Ui,
    height: f32,
    most: usize,
    colors: &[Color32],
    bars: impl Iterator<Item = Vec<f32>> + Clone,
) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    plate(ui, rect);
    let mut sums: Vec<f32> = bars.clone().map(|parts| parts.iter().sum()).collect();
    sums.sort_by(f32::total_cmp);
    let count = sums.len();
    let highest = sums.last().zip(sums.get(count / 2)).map_or(0.0, |(most, usual)| most.min(2.0 * usual));
    let write = |place, anchor, text: String| {
        ui.painter().text(place, anchor, text, FontId::proportional(10.0), ui.visuals().text_color());
    };
    if highest <= 0.0 {
        write(rect.center(), Align2::CENTER_CENTER, "no step yet".into());
        return;
    }
    let width = rect.width() / most as f32;
    for (number, parts) in bars.enumerate() {
        let left = rect.right() - (count - number) as f32 * width;
        let mut bottom = rect.bottom();
        for (part, &color) in parts.iter().zip(colors) {
            let top = (bottom - part / highest * (rect.height() - 4.0)).max(rect.top());
            ui.painter().rect_filled(Rect::from_min_max(pos2(left, top), pos2(left + width, bottom)), 0.0, color);
            bottom = top;
        }
    }
    write(rect.left_top() + vec2(4.0, 2.0), Align2::LEFT_TOP, format!("{highest:.2} ms"));
}

/// Bars over the numbers 0, 1, 2, … on a logarithmic scale, so that a single long list is seen beside a million short
/// ones.
pub(super) fn standing(ui: &mut Ui, height: f32, counts: &[usize], color: Color32) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    plate(ui, rect);
    let high = |count: usize| (count as f32 + 1.0).ln();
    let highest = counts.iter().copied().map(high).fold(1.0, f32::max);
    let width = rect.width() / counts.len().max(1) as f32;
    for (number, &count) in counts.iter().enumerate() {
        let size = Vec2::new((width - 1.0).max(1.0), high(count) / highest * (rect.height() - 2.0));
        let corner = pos2(rect.left() + number as f32 * width, rect.bottom() - size.y);
        ui.painter().rect_filled(Rect::from_min_size(corner, size), 0.0, color);
    }
    let pointed = response.hover_pos().map(|at| ((at.x - rect.left()) / width) as usize);
    if let Some((number, &count)) = pointed.and_then(|number| Some((number, counts.get(number)?))) {
        response.on_hover_text(format!("{number}: {count}"));
    }
}

fn plate(ui: &Ui, rect: Rect) {
    ui.painter().rect_filled(rect, 3.0, ui.visuals().extreme_bg_color);
}
