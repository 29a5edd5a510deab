//! The right panel: what a view costs.

use std::collections::VecDeque;

use eframe::egui::{Color32, Grid, ProgressBar, RichText, Ui};
use quadrille_scenes::sim::StepReport;

use super::{chart, map, tracks};
use crate::app::{App, Changes};
use crate::figures::{StructureFigures, usual};
use crate::labels::{grouped, swatch};
use crate::theme::{BLUE, GREEN, ORANGE, PURPLE, SKY};
use crate::world::REMEMBERED;

/// The phases of a step, with their colors.
const PHASES: [(&str, Color32); 4] = [("move", SKY), ("update", BLUE), ("pairs", ORANGE), ("respond", GREEN)];

/// Rows of advice that are shown.
const ROWS: usize = 6;

/// Shows the figures.
pub(super) fn show(app: &mut App, ui: &mut Ui) {
    ui.add_space(6.0);
    if app.is_choosing_tracks() {
        return;
    }
    if app.shows_tracks {
        tracks::readings(app, ui);
        copy(app, ui);
        return;
    }
    ui.horizontal(|ui| {
        ui.label(
            RichText::new(format!("step {}", grouped(usize::try_from(app.steps()).unwrap_or(usize::MAX)))).strong(),
        );
        ui.label(if app.pace > 0.0 { format!("{:.0} per second", app.pace) } else { "paused".into() });
    });
    let frame = if app.frame_ms > 0.0 { format!("{:.0} ms per frame", app.frame_ms) } else { "drawn on demand".into() };
    ui.label(RichText::new(frame).weak()).on_hover_text(format!("drawn by {}", app.graphics));
    if let Some(map) = &app.map {
        ui.add_space(4.0);
        map::readings(ui, map);
        copy(app, ui);
        return;
    }
    legend(ui);
    for (figures, reports) in app.figures.structures.iter().zip(app.world.reports()) {
        structure(ui, figures, reports);
    }
    copy(app, ui);
    advice(app, ui);
}

fn copy(app: &App, ui: &mut Ui) {
    ui.add_space(8.0);
    if ui.button("Copy figures as JSON").on_hover_text("Key C").clicked() {
        ui.ctx().copy_text(app.figures_json());
    }
}

fn legend(ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (name, color) in PHASES {
            swatch(ui, color);
            ui.label(RichText::new(name).small());
            ui.add_space(6.0);
        }
    });
}

fn milliseconds(report: &StepReport) -> [f32; 4] {
    let timings = report.timings;
    [timings.movement, timings.index, timings.pairs, timings.respond].map(|time| time.as_secs_f32() * 1e3)
}

fn structure(ui: &mut Ui, figures: &StructureFigures, reports: &VecDeque<StepReport>) {
    ui.add_space(8.0);
    ui.label(RichText::new(&figures.structure).strong());
    let bars = reports.iter().map(|report| milliseconds(report).to_vec());
    chart::running(ui, 72.0, REMEMBERED, &PHASES.map(|(_, color)| color), bars);
    Grid::new(&figures.structure).num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
        let mut row = |name: &str, text: String| {
            ui.label(RichText::new(name).weak());
            ui.label(text);
            ui.end_row();
        };
        if let Some(last) = figures.last {
            let [update, pairs, step] = [
                usual(reports, |report| report.timings.index),
                usual(reports, |report| report.timings.pairs),
                usual(reports, |report| report.timings.total()),
            ];
            row("update", format!("{update:.2} ms"));
            row("pairs", format!("{pairs:.2} ms"));
            row("step", format!("{step:.2} ms"));
            row("pairs found", grouped(last.pairs));
            row("contacts", grouped(last.contacts));
        }
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

/// *Why is this slow?*
fn advice(app: &mut App, ui: &mut Ui) {
    app.advisor.go_on();
    ui.add_space(4.0);
    if let Some(progress) = app.advisor.progress() {
        ui.add(ProgressBar::new(progress).text("Measuring every structure …"));
    } else if ui.button("Why is this slow?").on_hover_text("Measures every structure on the next steps").clicked() {
        app.advisor.ask(app.world.simulation());
    }
    let mut chosen = None;
    match &app.advisor.verdict {
        None => {}
        Some(Err(what)) => {
            ui.label(what);
        }
        Some(Ok(verdict)) => {
            let own = app.view.structure;
            let place = verdict.rows.iter().position(|(options, ..)| *options == own);
            if let Some((_, _, ms, ratio)) = place.map(|place| &verdict.rows[place]) {
                ui.label(format!("Update and pairs take {ms:.2} ms here, {ratio:.1} times the fastest:"));
            }
            for (options, description, ms, _) in verdict.rows.iter().take(ROWS) {
                let text = format!("{ms:.2} ms  {description}");
                if ui.selectable_label(*options == own, text).on_hover_text("Click to use it").clicked() {
                    chosen = Some(*options);
                }
            }
        }
    }
    if let Some(structure) = chosen {
        let view = crate::state::View { structure, ..app.view.clone() };
        app.change(Changes { view, restart: false });
    }
}
