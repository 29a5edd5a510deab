//! The controls and the figures of tracks.

use eframe::egui::{DragValue, RichText, ScrollArea, Slider, Ui};

use super::bring;
use crate::app::App;
use crate::labels::{grouped, meaning, plural, table};
use crate::state::View;
use crate::theme::{ORANGE, Theme, VERMILION};
use crate::tracks::Player;

/// Closest encounters that are listed.
const LISTED: usize = 30;

/// Rate and limits of encounters.
pub(super) fn controls(ui: &mut Ui, player: &mut Player, view: &mut View) {
    ui.weak(&player.title);
    let mut rate = player.rate;
    ui.add(Slider::new(&mut rate, player.rates()).logarithmic(true).text(player.moments.rate_unit()).max_decimals(1));
    if rate != player.rate {
        view.rate = Some(rate);
    }
    ui.horizontal(|ui| {
        for (word, is_next) in [("Previous", false), ("Next encounter", true)] {
            let button = ui.add_enabled(!player.found.encounters.is_empty(), eframe::egui::Button::new(word));
            if button.on_hover_text("Where it is closest").clicked() {
                view.paused = true;
                bring(view, player.seek_encounter(is_next));
            }
        }
    });
    ui.separator();
    let mut meet = view.meet;
    limit(ui, "within", player.unit(), &mut meet.within);
    if player.has_heights {
        limit(ui, "vertical", "", &mut meet.vertical);
    }
    limit(ui, "for at least", "", &mut meet.lasting);
    limit(ui, "gap", "", &mut meet.gap);
    view.meet = meet;
}

/// A check box, and a number if it is checked.
fn limit(ui: &mut Ui, name: &str, unit: &str, limit: &mut Option<f64>) {
    ui.horizontal(|ui| {
        let mut is_set = limit.is_some();
        if ui.checkbox(&mut is_set, name).changed() {
            *limit = is_set.then_some(1.0);
        }
        if let Some(number) = limit {
            // Fast enough for any unit.
            let speed = (*number / 100.0).max(0.01);
            let mut draft = *number;
            let drag = DragValue::new(&mut draft).range(0.0..=f64::MAX).speed(speed).suffix(unit).max_decimals(3);
            let response = ui.add(drag.update_while_editing(false));
            if response.changed() {
                *number = draft;
            }
        }
    });
}

/// Counts, the legend, and the closest encounters.
pub(super) fn readings(app: &mut App, ui: &mut Ui) {
    let App { player: Some(player), view, .. } = app else { return };
    figures(ui, player);
    ui.separator();
    legend(ui, player);
    if player.meet.within.is_none() {
        ui.weak("Tick \"within\" on the left to find encounters.");
        return;
    }
    ui.separator();
    if let Some(place) = chosen_encounter(ui, player) {
        view.paused = true;
        bring(view, player.show_encounter(place));
    }
}

fn figures(ui: &mut Ui, player: &Player) {
    let found = &player.found;
    let mut rows = vec![("tracks", player.count()), ("fixes", player.fixes)];
    if player.meet.within.is_some() {
        let (skipped, met) = (found.skipped.total(), found.encounters.len());
        rows.extend([("skipped fixes", skipped), ("pairs that met", found.pairs), ("encounters", met)]);
    }
    table(ui, "tracks", rows.into_iter().map(|(name, count)| (name, grouped(count))));
}

fn legend(ui: &mut Ui, player: &Player) {
    let meanings =
        [(Theme::of(ui).agent(), "a track"), (VERMILION, "tracks that meet"), (ORANGE, "encounters over time")];
    let second = (player.files() > 1).then_some((ORANGE, "a track of the second file"));
    for (color, text) in meanings.into_iter().chain(second) {
        meaning(ui, color, text);
    }
}

/// Lists the closest encounters. Returns the position of one that is clicked.
fn chosen_encounter(ui: &mut Ui, player: &Player) -> Option<usize> {
    let closest = player.closest(LISTED);
    ui.label(RichText::new(format!("The closest {}", plural(closest.len(), "encounter"))).strong());
    let mut chosen = None;
    ScrollArea::vertical().id_salt("closest").max_height(320.0).show(ui, |ui| {
        for &place in closest {
            let met = &player.found.encounters[place];
            let [a, b] = player.ends(met).map(|who| player.name(who));
            let text = format!("{a} – {b}: {}", player.distance(met.closest_distance));
            let (at, lasted) = (player.moments.show(met.closest_time), player.moments.duration(met.duration()));
            let button = ui.selectable_label(player.focus() == Some(met), text);
            if button.on_hover_text(format!("{at}, lasted {lasted}")).clicked() {
                chosen = Some(place);
            }
        }
    });
    chosen
}
