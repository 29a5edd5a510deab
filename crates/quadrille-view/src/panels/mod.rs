//! Everything around the picture.

mod chart;
mod figures;
mod help;
mod map;
mod settings;
mod toolbar;
mod tracks;

use eframe::egui::{CentralPanel, Color32, Frame, Panel, ScrollArea, Ui};

use crate::app::App;
use crate::camera::Camera;
use crate::render::{Picture, gpu};
use crate::stage;

/// Shows the whole window.
pub(crate) fn show(app: &mut App, ui: &mut Ui) {
    background(ui);
    let clear = Frame::side_top_panel(ui.style()).fill(Color32::TRANSPARENT);
    Panel::left("settings").exact_size(236.0).resizable(false).frame(clear).show(ui, |ui| {
        ScrollArea::vertical().show(ui, |ui| settings::show(app, ui));
    });
    Panel::right("figures").exact_size(248.0).resizable(false).frame(clear).show(ui, |ui| {
        ScrollArea::vertical().show(ui, |ui| figures::show(app, ui));
    });
    if app.map.is_none() && !app.shows_tracks {
        Panel::top("tools").frame(clear).show(ui, |ui| toolbar::show(app, ui));
    }
    CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
        if app.shows_tracks
            && let Some(player) = &mut app.player
        {
            app.stage.panes = vec![stage::tracks::show(ui, player, &mut app.view)];
        } else if let Some(map) = &mut app.map {
            app.stage.panes = vec![stage::map::show(ui, map, &mut app.view)];
        } else {
            stage::show(app, ui);
        }
    });
    messages(app, ui);
    help::show(app, ui);
}

/// The sheet behind all panels, drawn like a picture: see [`crate::render`].
fn background(ui: &Ui) {
    /// The panes are 0 and 1.
    const BEHIND: usize = 2;
    let (rect, camera) = (ui.max_rect(), Camera { center: [0.0; 2], extent: 1.0 });
    let sheet = Picture::on(ui.visuals().panel_fill, &camera.shown(rect));
    ui.painter().add(gpu::shape(sheet, rect, camera, BEHIND));
}

/// What went wrong, until it is closed.
fn messages(app: &mut App, ui: &Ui) {
    if app.messages.is_empty() {
        return;
    }
    let (mut is_open, mut is_read) = (true, false);
    let at = eframe::egui::pos2(260.0, 60.0);
    eframe::egui::Window::new("Message").open(&mut is_open).default_pos(at).collapsible(false).show(ui.ctx(), |ui| {
        for message in &app.messages {
            ui.label(message);
        }
        is_read = ui.button("Close").clicked();
    });
    if is_read || !is_open {
        app.messages.clear();
    }
}
