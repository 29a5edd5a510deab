//! A short help over the picture.

use eframe::egui::{Align2, Grid, RichText, Ui, Vec2, Window};

use crate::app::App;
use crate::state::View;

/// Width of the help, in points, if the window has room for it.
const WIDTH: f32 = 420.0;
/// Points around it in a narrow window.
const ASIDE: f32 = 24.0;

const KEYS: [(&str, &str); 17] = [
    ("Space", "run or pause"),
    (".", "one step"),
    ("R", "restart"),
    ("N", "next scene; next encounter of tracks"),
    ("S", "next structure"),
    ("B", "compare with another structure, or not"),
    ("M", "maps, or agents again"),
    ("U", "maintain once: the structures clean up"),
    ("1 … 9, 0", "tools; on a map 1 … 4"),
    ("Escape", "close what is open; clear the query or the box clicked"),
    ("Wheel", "zoom about the pointer"),
    ("Right button", "pan, with any tool"),
    ("F", "fit: all of the world"),
    ("T", "light or dark, whatever the system has"),
    ("C", "copy figures as JSON"),
    ("P, G", "save a PNG; start or stop a GIF"),
    ("H", "this help"),
];

/// Shows the help, if it is open.
pub(super) fn show(app: &mut App, ui: &Ui) {
    let mut is_open = app.shows_help;
    let room = ui.ctx().content_rect().size() - Vec2::splat(2.0 * ASIDE);
    let window = Window::new("Help").open(&mut is_open).anchor(Align2::CENTER_CENTER, Vec2::ZERO).collapsible(false);
    window.resizable(false).vscroll(true).default_height(room.y).max_height(room.y).show(ui.ctx(), |ui| {
        ui.set_width(room.x.min(WIDTH));
        ui.label("Agents move and collide; the structure finds which of them are near each other.");
        ui.label("Choose a scene and a structure in the settings, query it with the tools, and read what it costs in the figures.");
        ui.label("Drop a map, or a file of tracks or of boxes, on the window to see it.");
        ui.add_space(6.0);
        Grid::new("keys").num_columns(2).spacing([18.0, 3.0]).show(ui, |ui| {
            for (key, what) in KEYS {
                ui.label(RichText::new(key).strong());
                ui.label(what);
                ui.end_row();
            }
        });
        ui.add_space(6.0);
        let keys = View::keys().collect::<Vec<_>>().join(", ");
        ui.label(format!("A view as text: {keys}; such as scene=mixed,n=20000,structure=quadtree:capacity=4,beside=grid"));
    });
    app.shows_help = is_open;
}
