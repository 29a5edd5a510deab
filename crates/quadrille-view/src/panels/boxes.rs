//! The figures of the boxes of a file.

use eframe::egui::{RichText, ScrollArea, Ui};

use super::bring;
use super::statistics::statistics;
use crate::app::App;
use crate::boxes::{Sheet, color};
use crate::labels::{grouped, meaning, table};
use crate::theme::{Theme, VERMILION};

/// How many of the boxes that a picked one overlaps are listed.
const LISTED: usize = 200;

/// Counts, the legend, the picked box, and each structure.
pub(super) fn readings(app: &mut App, ui: &mut Ui) {
    let App { sheet: Some(sheet), view, .. } = app else { return };
    counts(ui, sheet);
    ui.separator();
    legend(ui, sheet);
    ui.separator();
    if let Some(id) = picked(ui, sheet) {
        sheet.pick(Some(id));
        bring(view, Some(sheet.rects[id as usize].center()));
    }
    for (number, arranged) in sheet.structures().enumerate() {
        ui.add_space(8.0);
        ui.label(RichText::new(&arranged.figures.structure).strong());
        let pairs = arranged.pairs_ms.map_or_else(|| "not measured".into(), |ms| format!("{ms:.2} ms"));
        let rows = vec![("build", format!("{:.2} ms", arranged.build_ms)), ("pairs", pairs)];
        // The two may be of one kind.
        ui.push_id(number, |ui| statistics(ui, &arranged.figures, rows));
    }
}

fn counts(ui: &mut Ui, sheet: &Sheet) {
    ui.label(RichText::new(sheet.title()).strong());
    ui.weak(sheet.source());
    let mut rows = vec![("boxes", sheet.count() as u64)];
    if sheet.skipped() > 0 {
        rows.push(("rows without one", sheet.skipped()));
    }
    rows.extend([("pairs that overlap", sheet.pairs), ("most of one box", sheet.most.into())]);
    let number = |count: u64| grouped(usize::try_from(count).unwrap_or(usize::MAX));
    table(ui, "boxes", rows.into_iter().map(|(name, count)| (name, number(count))));
    if sheet.has_shapes() {
        ui.weak("Shapes are drawn; what overlaps are the boxes around them.");
    }
}

/// What the colors mean: none, one, some, the most.
fn legend(ui: &mut Ui, sheet: &Sheet) {
    let theme = Theme::of(ui);
    let most = sheet.most;
    let middle = f64::from(most).sqrt().round() as u32;
    let mut steps = vec![0, 1, middle, most];
    steps.sort_unstable();
    steps.dedup();
    for partners in steps.into_iter().filter(|step| *step <= most) {
        let text = match partners {
            0 => "overlaps no other".into(),
            count => format!("overlaps {}", grouped(count as usize)),
        };
        meaning(ui, color(partners, most, theme), text);
    }
    meaning(ui, VERMILION, "the box clicked, and those it overlaps");
}

/// The picked box, and those that it overlaps. Returns one that is clicked.
fn picked(ui: &mut Ui, sheet: &Sheet) -> Option<u32> {
    let Some(picked) = &sheet.picked else {
        ui.weak("Click a box to see what it overlaps.");
        return None;
    };
    ui.label(RichText::new(sheet.name(picked.id)).strong());
    let bounds = sheet.bounds(picked.id);
    ui.label(format!("x {} to {}", bounds.min[0], bounds.max[0]));
    ui.label(format!("y {} to {}", bounds.min[1], bounds.max[1]));
    let count = grouped(picked.partners.len());
    ui.label(if picked.partners.is_empty() { "overlaps no other".into() } else { format!("overlaps {count}:") });
    let mut chosen = None;
    ScrollArea::vertical().id_salt("partners").max_height(160.0).show(ui, |ui| {
        for &id in picked.partners.iter().take(LISTED) {
            if ui.selectable_label(false, sheet.name(id)).clicked() {
                chosen = Some(id);
            }
        }
        if picked.partners.len() > LISTED {
            ui.weak(format!("and {} more", grouped(picked.partners.len() - LISTED)));
        }
    });
    chosen
}
