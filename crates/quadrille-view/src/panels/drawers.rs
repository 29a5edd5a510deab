//! Narrow windows, such as upright phones: a bar on top, and a drawer below the picture, closed at first.

use eframe::egui::{Frame, Panel, ScrollArea, Ui};

use super::{figures, settings};
use crate::app::{App, Drawer};

/// Shows the bar, and the open drawer. The picture keeps the upper half of the window.
pub(super) fn show(app: &mut App, ui: &mut Ui, clear: Frame) {
    let half = ui.available_height() / 2.0;
    Panel::top("bar").frame(clear).show(ui, |ui| bar(app, ui));
    let Some(drawer) = app.drawer else { return };
    Panel::bottom("drawer").exact_size(half).resizable(false).frame(clear).show(ui, |ui| {
        // Each drawer scrolls by itself.
        ScrollArea::vertical().id_salt(drawer as u8).auto_shrink(false).show(ui, |ui| match drawer {
            Drawer::Settings => settings::show(app, ui),
            Drawer::Figures => figures::show(app, ui),
        });
    });
}

fn bar(app: &mut App, ui: &mut Ui) {
    ui.horizontal(|ui| {
        for (drawer, name) in [(Drawer::Settings, "Settings"), (Drawer::Figures, "Figures")] {
            let is_open = app.drawer == Some(drawer);
            if ui.selectable_label(is_open, name).clicked() {
                app.drawer = if is_open { None } else { Some(drawer) };
            }
        }
    });
}
