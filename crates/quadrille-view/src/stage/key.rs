//! The key of a picture: which amounts the fills of leaves and cells stand for.

use eframe::egui::{Align2, FontId, Painter, Rect, Ui, pos2, vec2};

use crate::overlay::{Overlays, fills};
use crate::theme::Theme;

/// Width and height of the field of one color.
const FIELD: [f32; 2] = [30.0, 12.0];
/// Between the plate's edge and what is on it.
const BORDER: f32 = 8.0;
/// Height of a line of text.
const LINE: f32 = 17.0;

/// Draws it in the lower right corner of a pane, if overlays fill anything and there is room.
pub(super) fn show(ui: &Ui, overlays: Overlays, pane: Rect) {
    let Some((title, steps)) = fills(overlays) else { return };
    let size = vec2(FIELD[0] * steps.len() as f32, FIELD[1] + 2.0 * LINE) + vec2(BORDER, BORDER) * 2.0;
    let plate = Align2::RIGHT_BOTTOM.anchor_size(pane.right_bottom() - vec2(10.0, 10.0), size);
    if !pane.contains_rect(plate) {
        return;
    }
    let painter = ui.painter().with_clip_rect(pane);
    painter.rect_filled(plate, 5.0, ui.visuals().panel_fill.gamma_multiply(0.92));
    let corner = plate.min + vec2(BORDER, BORDER);
    write(ui, &painter, Rect::from_min_size(corner, vec2(size.x - 2.0 * BORDER, LINE)), title);
    for (number, (amount, color)) in steps.into_iter().enumerate() {
        let field = Rect::from_min_size(corner + vec2(FIELD[0] * number as f32, LINE + 2.0), FIELD.into());
        // As over the paper of the picture.
        painter.rect_filled(field, 0.0, Theme::of(ui).paper());
        painter.rect_filled(field, 0.0, color);
        let more = if number + 1 == steps.len() { "+" } else { "" };
        let below = Rect::from_min_size(pos2(field.left(), field.bottom()), vec2(FIELD[0], LINE));
        write(ui, &painter, below, &format!("{amount}{more}"));
    }
}

fn write(ui: &Ui, painter: &Painter, place: Rect, text: &str) {
    painter.text(place.center(), Align2::CENTER_CENTER, text, FontId::proportional(13.0), ui.visuals().text_color());
}
