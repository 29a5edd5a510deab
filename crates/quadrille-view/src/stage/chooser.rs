//! What the tracks mode shows before there are tracks: how to get some.

use eframe::egui::{RichText, Ui, vec2};

use crate::app::App;

/// Shows the ways to tracks.
pub(crate) fn show(app: &mut App, ui: &mut Ui) {
    let room = ui.available_size();
    ui.add_space(room.y * 0.2);
    ui.vertical_centered(|ui| {
        ui.set_max_width((room.x - 32.0).min(460.0));
        ui.label(RichText::new("Who came near whom, when, and for how long?").strong().size(18.0));
        ui.add_space(6.0);
        ui.label("Play tracks of ships, aircraft, buses, animals or people, and see their encounters.");
        ui.add_space(18.0);
        if ui.add(eframe::egui::Button::new("Play an example").min_size(vec2(160.0, 30.0))).clicked() {
            app.show_example_tracks();
        }
        ui.weak("Two hours of ships and ferries in a strait, made up");
        ui.add_space(18.0);
        ui.label("Or drop a file on the window: a table with an id, a time and a place in each row.");
        open_by_path(app, ui);
    });
}

/// A field for the path of a file.
#[cfg(not(target_arch = "wasm32"))]
fn open_by_path(app: &mut App, ui: &mut Ui) {
    use eframe::egui::{Key, TextEdit};

    ui.add_space(6.0);
    let field = TextEdit::singleline(&mut app.tracks_path).hint_text("or type its path").desired_width(300.0);
    let is_entered = ui.add(field).lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    ui.add_space(4.0);
    let is_clicked = ui.button("Open").clicked();
    if (is_entered || is_clicked) && !app.tracks_path.trim().is_empty() {
        let path = app.tracks_path.trim().to_owned();
        app.take_file(&path, std::fs::read(&path).map_err(|error| error.to_string()));
    }
}

/// A page has no paths.
#[cfg(target_arch = "wasm32")]
fn open_by_path(_: &mut App, _: &mut Ui) {}
