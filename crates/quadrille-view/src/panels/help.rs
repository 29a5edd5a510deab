//! A short help over the picture.

use eframe::egui::{Align2, Grid, RichText, Ui, Vec2, Window};

use crate::app::App;

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
    ("Escape", "clear the query"),
    ("Wheel", "zoom about the pointer"),
    ("Right button", "pan, with any tool"),
    ("F", "fit: all of the world"),
    ("T", "light or dark"),
    ("C", "copy figures as JSON"),
    ("P, G", "save a PNG; start or stop a GIF"),
    ("H", "this help"),
];

/// Shows the help, if it is wanted.
pub(super) fn show(app: &mut App, ui: &Ui) {
    let mut is_open = app.shows_help;
    let window = Window::new("Help").open(&mut is_open).anchor(Align2::CENTER_CENTER, Vec2::ZERO).collapsible(false);
    window.resizable(false).show(ui.ctx(), |ui| {
        ui.label("Agents move and collide; the structure finds which of them are near each other.\nDrop a map or a file of tracks on the window to see it.");
        ui.label("Choose a scene and a structure on the left, ask with the tools above,\nread what it costs on the right.");
        ui.add_space(6.0);
        Grid::new("keys").num_columns(2).spacing([18.0, 3.0]).show(ui, |ui| {
            for (key, what) in KEYS {
                ui.label(RichText::new(key).strong());
                ui.label(what);
                ui.end_row();
            }
        });
        ui.add_space(6.0);
        ui.label(RichText::new("A view as text: scene, n, seed, structure, beside, maintain, speed, steps, paused,\noverlays, density, camera, tool, nearest, ask, light,\nmap, guide, walkers, ends, rule, map-tool, map-ask, painted,\nwithin, vertical, for, gap, max-gap, max-speed, at, rate; such as\nscene=mixed,n=20000,structure=quadtree:capacity=4,beside=grid").small());
    });
    app.shows_help = is_open;
}
