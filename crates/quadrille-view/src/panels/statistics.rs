//! A structure in numbers and histograms.

use eframe::egui::{Grid, RichText, Ui};

use super::chart;
use crate::figures::StructureFigures;
use crate::labels::grouped;
use crate::theme::{PURPLE, SKY};

/// What took how long, then a structure in numbers, and its histograms.
pub(super) fn statistics(ui: &mut Ui, figures: &StructureFigures, times: Vec<(&str, String)>) {
    Grid::new(&figures.structure).num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
        let mut row = |name: &str, text: String| {
            ui.label(RichText::new(name).weak());
            ui.label(text);
            ui.end_row();
        };
        times.into_iter().for_each(|(name, text)| row(name, text));
        let stats = figures.stats;
        row("boxes", grouped(stats.boxes));
        row("nodes", grouped(stats.nodes));
        row("depth", stats.depth.to_string());
        row("listed", grouped(stats.listed));
        row("longest list", grouped(stats.longest_list));
        row("memory", format!("{} KiB", grouped(stats.bytes_reserved / 1024)));
        row("per box", format!("{:.0} bytes", stats.bytes_reserved as f64 / stats.boxes.max(1) as f64));
    });
    ui.add_space(4.0);
    ui.label(RichText::new("leaves and cells that list 0, 1, 2 … boxes").small().weak());
    chart::standing(ui, 36.0, &figures.lists, PURPLE);
    if figures.depths.len() > 1 {
        ui.label(RichText::new("leaves and cells at depth 0, 1, 2 …").small().weak());
        chart::standing(ui, 36.0, &figures.depths, SKY);
    }
}
