//! The left panel: what to show, and how.

use eframe::egui::{Button, Checkbox, Id, RichText, Slider, Ui};
use quadrille::structures::{AnyOptions, QuadtreeOptions, StructureKind, Subdivision};
use quadrille_advise::parameters::{Parameter, Value, parameters, set_parameter};
use quadrille_scenes::SceneKind;

use super::map::controls;
use super::toolbar::capitalised;
use super::{choose, seed, tracks};
use crate::app::{App, Changes, Subject};
use crate::maps::MapKind;
use crate::maps::painted::write_runs;
use crate::overlay::Overlay;
use crate::round::next;
use crate::state::{AGENTS, Look, SPEED, View};
use crate::theme::Theme;

/// Shows the settings; changes take effect immediately.
pub(super) fn show(app: &mut App, ui: &mut Ui) {
    let mut changes = Changes { view: app.view.clone(), restart: false };
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        ui.label(RichText::new("quadrille").strong().size(20.0));
        if ui.small_button("?").on_hover_text("Help, key H").clicked() {
            app.shows_help = true;
        }
    });
    subject(app, ui, &mut changes.view);
    if !app.is_choosing() && app.subject != Subject::Boxes {
        run(app, ui, &mut changes);
    }
    shown(app, ui, &mut changes.view);
    let (each, has_looks) = match app.subject {
        Subject::View => ("Discs", changes.view.map.is_none()),
        Subject::Tracks => ("", false),
        Subject::Boxes => ("Each", app.sheet.is_some()),
    };
    looks(ui, &mut changes.view, has_looks.then_some(each));
    share(app, ui);
    let is_map_due = app.map.is_some() != changes.view.map.is_some();
    if changes.restart || is_map_due || changes.view != app.view {
        app.change(changes);
    }
}

/// The settings of what is shown: tracks, boxes, a map, or agents.
fn shown(app: &mut App, ui: &mut Ui, view: &mut View) {
    if let Some(player) = app.tracks_mut() {
        heading(ui, "Tracks");
        tracks::controls(ui, player, view);
        if ui.button("Other tracks").on_hover_text("An example, or a file of yours").clicked() {
            app.player = None;
        }
    } else if app.is_choosing() {
        // The stage says how to get tracks or boxes.
    } else if let Some(sheet) = app.boxes() {
        heading(ui, "Boxes");
        ui.weak(sheet.title());
        if ui.button("Other boxes").on_hover_text("An example, or a file of yours").clicked() {
            app.sheet = None;
        }
        structures(ui, view);
        overlays(ui, view, Overlay::OF_BOXES);
    } else if let Some(map) = &mut app.map {
        let label = heading(ui, "Map");
        if let Some(kind) = controls(ui, label, map, view) {
            (view.map, view.walk.ends) = (Some(kind), None);
            (view.camera, view.map_ask) = (None, None);
            app.map = None;
        }
    } else {
        scene(ui, view);
        structures(ui, view);
        upkeep(app, ui, view);
        overlays(ui, view, Overlay::ALL);
    }
}

fn heading(ui: &mut Ui, text: &str) -> Id {
    ui.add_space(10.0);
    ui.label(RichText::new(text).strong()).id
}

/// Agents that collide, a map, or tracks or boxes of a file.
fn subject(app: &mut App, ui: &mut Ui, view: &mut View) {
    let before = (view.map.is_some(), app.subject);
    ui.horizontal(|ui| {
        // So that four fit into the panel.
        ui.spacing_mut().item_spacing.x = 2.0;
        let is_view = app.shows_view();
        let is_map = view.map.is_some() && is_view;
        if ui.selectable_label(!is_map && is_view, "Agents").clicked() {
            (view.map, app.subject) = (None, Subject::View);
        }
        if ui.selectable_label(is_map, "Maps").on_hover_text("Key M").clicked() && !is_map {
            (view.map, app.subject) = (view.map.or_else(|| Some(MapKind::default())), Subject::View);
        }
        for (subject, name) in [(Subject::Tracks, "Tracks"), (Subject::Boxes, "Boxes")] {
            let label = ui.selectable_label(app.subject == subject, name);
            if label.on_hover_text("An example, or a file of yours").clicked() {
                app.subject = subject;
            }
        }
    });
    if (view.map.is_some(), app.subject) != before {
        (view.camera, view.ask) = (None, None);
    }
}

fn run(app: &mut App, ui: &mut Ui, changes: &mut Changes) {
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let word = if changes.view.paused { "Run" } else { "Pause" };
        if ui.add(Button::new(word).min_size([58.0, 24.0].into())).on_hover_text("Space").clicked() {
            changes.view.paused = !changes.view.paused;
        }
        if ui.add(Button::new("Step").min_size([50.0, 24.0].into())).on_hover_text("One step, key .").clicked() {
            app.single_step();
            changes.view = app.view.clone();
        }
        if ui.add(Button::new("Restart").min_size([60.0, 24.0].into())).on_hover_text("Key R").clicked() {
            match app.tracks_mut() {
                Some(player) => player.seek(f64::NEG_INFINITY),
                None => changes.restart = true,
            }
        }
    });
    if app.shows_view() {
        ui.add(Slider::new(&mut changes.view.speed, SPEED).logarithmic(true).text("steps/s"));
    }
}

fn scene(ui: &mut Ui, view: &mut View) {
    let label = heading(ui, "Scene");
    let before = view.scene;
    choose(ui, label, SceneKind::ALL, SceneKind::name, &mut view.scene);
    if view.scene != before {
        (view.camera, view.ask) = (None, None);
    }
    let agents = view.agents;
    ui.add(Slider::new(&mut view.agents, AGENTS).logarithmic(true).text("agents"));
    if view.agents != agents {
        view.camera = None;
    }
    seed(ui, view);
}

fn structures(ui: &mut Ui, view: &mut View) {
    let label = heading(ui, "Structure");
    structure(ui, label, &mut view.structure);
    let mut compares = view.beside.is_some();
    ui.add_space(4.0);
    let another = ui.add(Checkbox::new(&mut compares, "Another one beside it")).on_hover_text("Key B");
    if another.changed() {
        view.beside = compares.then(|| next(StructureKind::ALL, view.structure.kind()).into());
    }
    if let Some(beside) = &mut view.beside {
        structure(ui, another.id, beside);
    }
}

/// When structures clean up: merge leaves, shrink hulls, sort.
fn upkeep(app: &mut App, ui: &mut Ui, view: &mut View) {
    ui.horizontal(|ui| {
        ui.checkbox(&mut view.maintains, "maintain")
            .on_hover_text("Structures clean up in every step. Without it, leaves that are empty or could merge stay.");
        if ui.button("Maintain once").on_hover_text("Key U").clicked() {
            app.maintain();
        }
    });
}

fn structure(ui: &mut Ui, label: Id, options: &mut AnyOptions) {
    let mut kind = options.kind();
    choose(ui, label, StructureKind::ALL, StructureKind::name, &mut kind);
    if kind != options.kind() {
        *options = kind.into();
    }
    if let AnyOptions::Quadtree(tree) = options {
        let mut is_fixed = matches!(tree.subdivision, Subdivision::Fixed(_));
        if ui.checkbox(&mut is_fixed, "fixed depth").changed() {
            tree.subdivision =
                if is_fixed { Subdivision::Fixed(6) } else { QuadtreeOptions::<f32>::default().subdivision };
        }
    }
    for parameter in parameters(options) {
        show_parameter(ui, options, &parameter);
    }
}

/// A slider for a parameter; a length that follows the data has a tick instead.
fn show_parameter(ui: &mut Ui, options: &mut AnyOptions, Parameter { name, help, value, range }: &Parameter) {
    let changed = match *value {
        Value::Whole(before) => {
            let mut whole = before;
            let range = *range.start() as u32..=*range.end() as u32;
            ui.add(Slider::new(&mut whole, range).text(*name)).on_hover_text(*help);
            (whole != before).then_some(Value::Whole(whole))
        }
        Value::Length(before) => {
            /// Where a slider begins: two agents of the usual scenes.
            const BEGINNING: f32 = 4.0;
            let mut length = before;
            let mut follows = before.is_none();
            if ui.checkbox(&mut follows, format!("{name} follows the data")).on_hover_text(*help).changed() {
                length = (!follows).then_some(BEGINNING);
            }
            if let Some(side) = &mut length {
                ui.add(Slider::new(side, range.clone()).logarithmic(true).text(*name)).on_hover_text(*help);
            }
            (length != before).then_some(Value::Length(length))
        }
    };
    if let Some(value) = changed {
        let is_set = set_parameter(options, name, value);
        debug_assert!(is_set, "{name} is a parameter of {options:?}");
    }
}

fn overlays(ui: &mut Ui, view: &mut View, offered: &[Overlay]) {
    heading(ui, "Overlays");
    for &overlay in offered {
        let mut is_shown = view.overlays.has(overlay);
        if ui.checkbox(&mut is_shown, capitalised(overlay.name())).on_hover_text(overlay.help()).changed() {
            view.overlays.set(overlay, is_shown);
        }
    }
}

/// `each` is what is drawn one by one; maps and tracks have one look.
fn looks(ui: &mut Ui, view: &mut View, each: Option<&str>) {
    heading(ui, "Look");
    ui.horizontal(|ui| {
        if let Some(each) = each {
            ui.selectable_value(&mut view.look, Look::Discs, each);
            ui.selectable_value(&mut view.look, Look::Density, "Density")
                .on_hover_text("An image made without the GPU");
        }
        if ui.button("Fit").on_hover_text("All of the world, key F").clicked() {
            view.camera = None;
        }
    });
    ui.horizontal(|ui| {
        ui.selectable_value(&mut view.theme, None, "System").on_hover_text("As the system has it");
        ui.selectable_value(&mut view.theme, Some(Theme::Light), "Light").on_hover_text("Key T");
        ui.selectable_value(&mut view.theme, Some(Theme::Dark), "Dark").on_hover_text("Key T");
    });
}

fn share(app: &mut App, ui: &mut Ui) {
    heading(ui, "Share");
    if ui.button("Copy this view as text").on_hover_text("Give it to quadrille-view as an argument").clicked() {
        ui.ctx().copy_text(app.state_text());
        if app.map.as_ref().is_some_and(|map| write_runs(&map.painted()).is_none()) {
            app.say("what is painted is too much for a text: it is left out".into());
        }
    }
    ui.horizontal(|ui| {
        if ui.button("Save PNG").on_hover_text("Key P").clicked() {
            app.recorder.save_png(ui.ctx());
        }
        let word = if app.recorder.is_filming() { "Stop GIF" } else { "Record GIF" };
        if ui.button(word).on_hover_text("Key G").clicked() {
            app.recorder.toggle_gif();
        }
    });
}
