//! What is shown before there are tracks or boxes: how to get some.

use eframe::egui::{RichText, Ui, vec2};

use crate::app::{App, Subject};

/// The invitation for a kind of file.
struct Invitation {
    question: &'static str,
    what: &'static str,
    example: &'static str,
    show_example: fn(&mut App),
    file: &'static str,
}

const TRACKS: Invitation = Invitation {
    question: "Who came near whom, when, and for how long?",
    what: "Play tracks of ships, aircraft, buses, animals or people, and see their encounters.",
    example: "Two hours of ships and ferries in a strait, made up",
    show_example: App::show_example_tracks,
    file: "Or drop a file on the window: a table with an id, a time and a place in each row.",
};

const BOXES: Invitation = Invitation {
    question: "What overlaps what, and how do structures divide it?",
    what: "See the boxes, points or shapes of a file, colored by how many others each overlaps.",
    example: "A town with houses and flood areas, made up",
    show_example: App::show_example_boxes,
    file: "Or drop a file on the window: CSV with corners, WKT or points, GeoJSON, FlatGeobuf.",
};

/// Shows how to get tracks or boxes.
pub(crate) fn show(app: &mut App, ui: &mut Ui) {
    let Invitation { question, what, example, show_example, file } =
        if app.subject == Subject::Boxes { BOXES } else { TRACKS };
    let room = ui.available_size();
    ui.add_space(room.y * 0.2);
    ui.vertical_centered(|ui| {
        ui.set_max_width((room.x - 32.0).min(460.0));
        ui.label(RichText::new(question).strong().size(18.0));
        ui.add_space(6.0);
        ui.label(what);
        ui.add_space(18.0);
        if ui.add(eframe::egui::Button::new("Show an example").min_size(vec2(160.0, 30.0))).clicked() {
            show_example(app);
        }
        ui.weak(example);
        ui.add_space(18.0);
        ui.label(file);
        open_by_path(app, ui);
    });
}

/// A field for the path of a file.
#[cfg(not(target_arch = "wasm32"))]
fn open_by_path(app: &mut App, ui: &mut Ui) {
    use eframe::egui::{Key, TextEdit};

    ui.add_space(6.0);
    let field = TextEdit::singleline(&mut app.typed_path).hint_text("or type its path").desired_width(300.0);
    let is_entered = ui.add(field).lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    ui.add_space(4.0);
    let is_clicked = ui.button("Open").clicked();
    if (is_entered || is_clicked) && !app.typed_path.trim().is_empty() {
        let path = app.typed_path.trim().to_owned();
        app.take_file(&path, std::fs::read(&path).map_err(|error| error.to_string()));
    }
}

/// A page has no paths.
#[cfg(target_arch = "wasm32")]
fn open_by_path(_: &mut App, _: &mut Ui) {}
