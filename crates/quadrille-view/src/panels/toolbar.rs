//! The row of tools over the picture.

use eframe::egui::{DragValue, RichText, Ui};

use crate::app::App;
use crate::state::NEAREST;
use crate::tools::Tool;

/// Shows the tools, and how to use the chosen one.
pub(super) fn show(app: &mut App, ui: &mut Ui) {
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        for (number, tool) in Tool::ALL.iter().copied().enumerate() {
            let key = if number < 10 { format!("\nKey {}", (number + 1) % 10) } else { String::new() };
            let button = ui.selectable_label(app.view.tool == tool, capitalised(tool.name()));
            if button.on_hover_text(format!("{}{key}", tool.help())).clicked() {
                app.view.tool = tool;
            }
        }
    });
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(app.view.tool.help()).weak());
        if app.view.tool == Tool::Nearest {
            ui.add(DragValue::new(&mut app.view.nearest).range(NEAREST).prefix("how many: "));
        }
        if app.view.ask.is_some() && ui.small_button("Clear").on_hover_text("Key Escape").clicked() {
            app.view.ask = None;
        }
    });
    if let Some(ask) = &mut app.view.ask {
        ask.most = app.view.nearest;
    }
    ui.add_space(2.0);
}

/// A name as the first word of a label.
pub(super) fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
