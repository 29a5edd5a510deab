//! Messages, in a strip of their own below the picture: they cover nothing.

use eframe::egui::{Button, Frame, Panel, ScrollArea, Ui};

use crate::app::App;

/// Height of the strip, in points, at most: about five lines. More messages scroll.
const MAX_HEIGHT: f32 = 110.0;

/// Shows the messages; a click closes one.
pub(super) fn show(app: &mut App, ui: &mut Ui, frame: Frame) {
    if app.notices.is_empty() {
        return;
    }
    let mut closed = None;
    Panel::bottom("messages").resizable(false).frame(frame).show(ui, |ui| {
        ScrollArea::vertical().max_height(MAX_HEIGHT).show(ui, |ui| {
            for (index, text) in app.notices.texts().enumerate() {
                let message = ui.add(Button::new(format!("× {text}")).frame(false).wrap());
                if message.on_hover_text("Click or press Escape to close").clicked() {
                    closed = Some(index);
                }
            }
        });
    });
    closed.into_iter().for_each(|index| app.notices.close(index));
}
