//! The right panel: what a view costs.

use std::collections::VecDeque;

use eframe::egui::{Color32, ProgressBar, RichText, Ui};
use quadrille_scenes::sim::StepReport;

use super::statistics::statistics;
use super::{boxes, chart, map, tracks};
use crate::app::{App, Changes, Subject};
use crate::figures::{StructureFigures, usual};
use crate::labels::{grouped, swatch};
use crate::theme::{BLUE, GREEN, ORANGE, SKY};
use crate::world::REMEMBERED;

/// The phases of a step, with their colors.
const PHASES: [(&str, Color32); 4] = [("move", SKY), ("update", BLUE), ("pairs", ORANGE), ("respond", GREEN)];

/// Rows of advice that are shown.
const ROWS: usize = 6;

/// Shows the figures.
pub(super) fn show(app: &mut App, ui: &mut Ui) {
    ui.add_space(6.0);
    if app.is_choosing() {
        return;
    }
    match app.subject {
        Subject::View => readings(app, ui),
        Subject::Tracks => tracks::readings(app, ui),
        Subject::Boxes => boxes::readings(app, ui),
    }
    ui.add_space(8.0);
    if ui.button("Copy figures as JSON").on_hover_text("Key C").clicked() {
        ui.ctx().copy_text(app.figures_json());
    }
    if app.shows_view() && app.map.is_none() {
        advice(app, ui);
    }
}

/// Of a map or of agents.
fn readings(app: &App, ui: &mut Ui) {
    ui.horizontal(|ui| {
        let steps = grouped(usize::try_from(app.steps()).unwrap_or(usize::MAX));
        ui.label(RichText::new(format!("step {steps}")).strong());
        ui.label(if app.pace > 0.0 { format!("{:.0} per second", app.pace) } else { "paused".into() });
    });
    let frame = if app.frame_ms > 0.0 { format!("{:.0} ms per frame", app.frame_ms) } else { "drawn on demand".into() };
    ui.label(RichText::new(frame).weak()).on_hover_text(format!("drawn by {}", app.graphics));
    if let Some(map) = &app.map {
        ui.add_space(4.0);
        return map::readings(ui, map);
    }
    legend(ui);
    for (number, (figures, reports)) in app.figures.structures.iter().zip(app.world.reports()).enumerate() {
        // The two may be of one kind.
        ui.push_id(number, |ui| structure(ui, figures, reports));
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
    let mut rows = Vec::new();
    if let Some(last) = figures.last {
        let [update, pairs, step] = [
            usual(reports, |report| report.timings.index),
            usual(reports, |report| report.timings.pairs),
            usual(reports, |report| report.timings.total()),
        ];
        rows.push(("update", format!("{update:.2} ms")));
        rows.push(("pairs", format!("{pairs:.2} ms")));
        rows.push(("step", format!("{step:.2} ms")));
        rows.push(("pairs found", grouped(last.pairs)));
        rows.push(("contacts", grouped(last.contacts)));
    }
    statistics(ui, figures, rows);
}

/// *Why is this slow?*
fn advice(app: &mut App, ui: &mut Ui) {
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
            if let Some(row) = verdict.rows.iter().find(|row| row.options == own) {
                let (ms, ratio) = (row.ms.total(), row.ratio);
                ui.label(format!("Update and pairs take {ms:.2} ms here, {ratio:.1} times the fastest:"));
            }
            for row in verdict.rows.iter().take(ROWS) {
                let text = format!("{:.2} ms  {}", row.ms.total(), row.options.kind());
                if ui.selectable_label(row.options == own, text).on_hover_text("Click to use it").clicked() {
                    chosen = Some(row.options);
                }
            }
        }
    }
    if let Some(structure) = chosen {
        let view = crate::state::View { structure, ..app.view.clone() };
        app.change(Changes { view, restart: false });
    }
}
