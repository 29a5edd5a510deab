//! Everything around the picture.

mod chart;
mod figures;
mod help;
mod settings;
mod toolbar;

use eframe::egui::{CentralPanel, Color32, Frame, Panel, ScrollArea, Sense, Ui, Vec2};
use quadrille::StructureKind;
use quadrille_scenes::SceneKind;

use crate::app::App;
use crate::camera::Camera;
use crate::maps;
use crate::render::{Picture, gpu};
use crate::stage;
use crate::state::View;

/// What people have done to the settings.
#[derive(Clone, Debug)]
pub(crate) struct Changes {
    pub(crate) view: View,
    pub(crate) restart: bool,
}

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
    if app.map.is_none() {
        Panel::top("tools").frame(clear).show(ui, |ui| toolbar::show(app, ui));
    }
    CentralPanel::default().frame(Frame::NONE).show(ui, |ui| match &mut app.map {
        Some(map) => app.stage.panes = vec![maps::stage::show(ui, map, &mut app.view)],
        None => stage::show(app, ui),
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

/// The structure after this one, round and round.
pub(crate) fn next_structure(kind: StructureKind) -> StructureKind {
    next(StructureKind::ALL, kind)
}

/// The scene after this one, round and round.
pub(crate) fn next_scene(kind: SceneKind) -> SceneKind {
    next(SceneKind::ALL, kind)
}

fn next<T: Copy + PartialEq>(all: &[T], one: T) -> T {
    let after = all.iter().cycle().skip_while(|&&other| other != one).nth(1);
    after.copied().unwrap_or(one)
}

/// A small square of a colour, before what it means.
pub(crate) fn swatch(ui: &mut Ui, color: Color32) {
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(9.0), Sense::hover());
    ui.painter().rect_filled(rect, 2.0, color);
}

/// A number with its digits in groups of three: 100,000.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        let texts = [0, 12, 999, 1_000, 12_345, 1_000_000].map(grouped);
        assert_eq!(texts, ["0", "12", "999", "1,000", "12,345", "1,000,000"]);
    }

    #[test]
    fn going_on_and_on_comes_round() {
        let mut kind = SceneKind::Uniform;
        for &expected in SceneKind::ALL.iter().skip(1).chain([&SceneKind::Uniform]) {
            kind = next_scene(kind);
            assert_eq!(kind, expected);
        }
        assert_eq!(StructureKind::ALL.last().copied().map(next_structure), StructureKind::ALL.first().copied());
    }
}
