//! Everything around the picture: panels at its sides, or drawers if the window is narrow.

mod boxes;
mod chart;
mod drawers;
mod figures;
mod help;
mod map;
mod messages;
mod settings;
mod statistics;
mod toolbar;
mod tracks;

use eframe::egui::{CentralPanel, Color32, ComboBox, DragValue, Frame, Id, Panel, ScrollArea, Ui};

use crate::app::{App, Subject};
use crate::camera::Camera;
use crate::render::{Picture, gpu};
use crate::stage;
use crate::state::View;

/// A window narrower than this, in points, has no room for panels on both sides of a picture.
const NARROW: f32 = 700.0;

/// Shows the whole window.
pub(crate) fn show(app: &mut App, ui: &mut Ui) {
    background(ui);
    let clear = Frame::side_top_panel(ui.style()).fill(Color32::TRANSPARENT);
    if ui.available_width() < NARROW {
        drawers::show(app, ui, clear);
    } else {
        sides(app, ui, clear);
    }
    if app.map.is_none() && app.shows_view() {
        Panel::top("tools").frame(clear).show(ui, |ui| toolbar::show(app, ui));
    }
    messages::show(app, ui, clear);
    CentralPanel::default().frame(Frame::NONE).show(ui, |ui| picture(app, ui));
    help::show(app, ui);
}

fn sides(app: &mut App, ui: &mut Ui, clear: Frame) {
    Panel::left("settings").exact_size(236.0).resizable(false).frame(clear).show(ui, |ui| {
        ScrollArea::vertical().show(ui, |ui| settings::show(app, ui));
    });
    Panel::right("figures").exact_size(248.0).resizable(false).frame(clear).show(ui, |ui| {
        ScrollArea::vertical().show(ui, |ui| figures::show(app, ui));
    });
}

fn picture(app: &mut App, ui: &mut Ui) {
    if app.is_choosing() {
        app.stage.panes.clear();
        stage::chooser::show(app, ui);
    } else if let Some(player) = app.player.as_mut().filter(|_| app.subject == Subject::Tracks) {
        app.stage.panes = vec![stage::tracks::show(ui, player, &mut app.view)];
    } else if let Some(sheet) = app.sheet.as_mut().filter(|_| app.subject == Subject::Boxes) {
        app.stage.panes = stage::boxes::show(ui, sheet, &mut app.view);
    } else if let Some(map) = &mut app.map {
        app.stage.panes = vec![stage::map::show(ui, map, &mut app.view)];
    } else {
        stage::show(app, ui);
    }
}

/// Centers the camera, if it was moved, on a place.
fn bring(view: &mut View, place: Option<[f32; 2]>) {
    if let Some((center, camera)) = place.zip(view.camera.as_mut()) {
        camera.center = center;
    }
}

/// A choice of one of several by name.
fn choose<T: Copy + PartialEq>(ui: &mut Ui, label: Id, all: &[T], name: fn(T) -> &'static str, chosen: &mut T) {
    let choice = ComboBox::from_id_salt(label).selected_text(name(*chosen)).width(200.0).show_ui(ui, |ui| {
        for &one in all {
            ui.selectable_value(chosen, one, name(one));
        }
    });
    choice.response.labelled_by(label);
}

fn seed(ui: &mut Ui, view: &mut View) {
    ui.horizontal(|ui| {
        let number = ui.add(DragValue::new(&mut view.seed));
        number.labelled_by(ui.label("seed").id);
    });
}

/// The sheet behind all panels, drawn like a picture: see [`crate::render`].
fn background(ui: &Ui) {
    /// The panes are 0 and 1.
    const BEHIND: usize = 2;
    let (rect, camera) = (ui.max_rect(), Camera { center: [0.0; 2], extent: 1.0 });
    let sheet = Picture::on(ui.visuals().panel_fill, &camera.shown(rect));
    ui.painter().add(gpu::shape(sheet, rect, camera, BEHIND));
}
