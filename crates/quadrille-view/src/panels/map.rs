//! The controls and the figures of a map.

use eframe::egui::{ComboBox, Id, Slider, Ui};
use quadrille::region::Direction;

use super::seed;
use super::toolbar::capitalised;
use crate::labels::{grouped, meaning, swatch, table};
use crate::maps::{
    BRUSH, DOORS, Guide, MOST_WALLS, MapFigures, MapKind, MapMode, MapRule, MapTool, Paint, SMALLEST_SIDE, WALKERS,
    color_of, letters,
};
use crate::state::View;
use crate::theme::{GREEN, ORANGE, PURPLE, SKY, Theme, VERMILION, YELLOW};

/// The controls under their heading. The caller applies changes to the view; choosing a map reloads it even if it is
/// already shown.
pub(crate) fn controls(ui: &mut Ui, heading: Id, mode: &mut MapMode, view: &mut View) -> Option<MapKind> {
    let chosen = choose_map(ui, heading, mode, view);
    ui.separator();
    choose_tool(ui, view);
    if view.map_tool == MapTool::Paint {
        choose_brush(ui, mode);
    }
    ui.separator();
    choose_rule(ui, view);
    ui.separator();
    choose_walkers(ui, mode, view);
    chosen
}

fn choose_map(ui: &mut Ui, heading: Id, mode: &MapMode, view: &mut View) -> Option<MapKind> {
    let mut chosen = None;
    let choice = ComboBox::from_id_salt("map").selected_text(&mode.title).width(200.0).show_ui(ui, |ui| {
        for &kind in MapKind::ALL {
            if ui.selectable_label(mode.title == kind.name(), kind.name()).clicked() {
                chosen = Some(kind);
            }
        }
    });
    choice.response.labelled_by(heading);
    seed(ui, view);
    ui.weak("Or drop a file here: a .map of MovingAI, or a PNG picture (dark pixels are walls).");
    chosen
}

fn choose_brush(ui: &mut Ui, mode: &mut MapMode) {
    ui.horizontal(|ui| {
        ui.selectable_value(&mut mode.brush.paint, Paint::Wall, "Draw walls");
        ui.selectable_value(&mut mode.brush.paint, Paint::Floor, "Erase");
    });
    ui.add(Slider::new(&mut mode.brush.radius, BRUSH).logarithmic(true).text("brush").fixed_decimals(1));
}

fn choose_tool(ui: &mut Ui, view: &mut View) {
    ui.horizontal_wrapped(|ui| {
        for (key, tool) in (1..).zip(MapTool::ALL.iter().copied()) {
            let help = format!("{}\nKey {key}", tool.help());
            ui.selectable_value(&mut view.map_tool, tool, capitalised(tool.name())).on_hover_text(help);
        }
    });
    ui.weak(view.map_tool.help());
    if view.map_tool == MapTool::Neighbors {
        ui.horizontal_wrapped(|ui| {
            let theme = Theme::of(ui);
            for direction in Direction::ALL {
                swatch(ui, color_of(direction, theme));
                ui.label(letters(direction));
            }
        });
    }
}

fn choose_rule(ui: &mut Ui, view: &mut View) {
    ui.label("A leaf is");
    for rule in MapRule::ALL {
        let is_chosen = view.rule.name() == rule.name();
        if ui.radio(is_chosen, rule_label(rule)).on_hover_text(format!("rule={rule}")).clicked() && !is_chosen {
            view.rule = rule;
        }
    }
    match &mut view.rule {
        MapRule::AllSame => {}
        MapRule::AtMost(walls) => {
            ui.add(Slider::new(walls, MOST_WALLS).logarithmic(true).text("walls"));
        }
        MapRule::Side(side) => {
            ui.add(Slider::new(side, SMALLEST_SIDE).logarithmic(true).text("cells"));
        }
    }
}

const fn rule_label(rule: MapRule) -> &'static str {
    match rule {
        MapRule::AllSame => "all wall or all floor",
        MapRule::AtMost(_) => "few walls",
        MapRule::Side(_) => "uniform or small",
    }
}

fn choose_walkers(ui: &mut Ui, mode: &MapMode, view: &mut View) {
    ui.horizontal_wrapped(|ui| {
        for &guide in Guide::ALL {
            ui.selectable_value(&mut view.walk.guide, guide, label(guide)).on_hover_text(help(guide));
        }
    });
    ui.add(Slider::new(&mut view.walk.walkers, WALKERS).text("agents"));
    if !mode.doors().is_empty() {
        let doors = Slider::new(&mut view.walk.doors, DOORS).text("doors/s");
        ui.add(doors).on_hover_text("Doors that open or close in 60 steps");
    }
}

const fn label(guide: Guide) -> &'static str {
    match guide {
        Guide::Path => "A path each",
        Guide::Flow => "One flow field",
        Guide::Each => "A goal each",
    }
}

const fn help(guide: Guide) -> &'static str {
    match guide {
        Guide::Path => "Every agent follows its own shortest path, and finds another when an edit breaks it.",
        Guide::Flow => "All agents read the same field: the distance to B from every cell, from yellow to violet.",
        Guide::Each => {
            "Every agent has its own goal. Paths come from a queue, which answers as many per frame as there is time for."
        }
    }
}

/// The figures of the map.
pub(crate) fn readings(ui: &mut Ui, mode: &MapMode) {
    let figures = MapFigures::new(mode);
    table(ui, "map figures", rows(&figures));
    ui.separator();
    legend(ui, mode);
}

fn rows(figures: &MapFigures) -> Vec<(&'static str, String)> {
    let number = |name| grouped(figures.number(name) as usize);
    let ms = |name| figures.ms(name).map_or_else(|| "none yet".into(), |ms| format!("{ms:.3} ms"));
    let mut rows = vec![
        ("cells", number("cells")),
        ("leaves of the tree", number("leaves")),
        ("  created, removed", format!("{}, {}", number("leaves_created"), number("leaves_removed"))),
        ("  last edit", ms("edit")),
    ];
    if figures.number("nodes") > 0 {
        rows.extend([("  all nodes", number("nodes")), ("  bytes", number("tree_bytes"))]);
    }
    if figures.guide.has_ends() {
        let length = figures.length.map_or_else(|| "none".into(), |length| format!("{length:.1}"));
        rows.extend([
            ("path from A to B", length),
            ("  found in", ms("path")),
            ("  corners expanded", format!("{} of {}", number("corners_expanded"), number("corners"))),
            ("  broken by edits", number("path_breaks")),
        ]);
    }
    if figures.guide == Guide::Flow {
        rows.push(("flow field made in", ms("flow_field")));
    }
    rows.extend([
        ("arrivals", number("agents_arrived")),
        ("agents rerouted", number("agents_rerouted")),
        ("agents stuck", number("agents_stuck")),
    ]);
    if figures.guide == Guide::Each {
        rows.push(("agents in the queue", number("agents_waiting")));
    }
    if figures.number("frames") > 0 {
        rows.extend([
            ("last frame", ms("frame")),
            ("  median", ms("frame_median")),
            ("  longest", ms("frame_longest")),
            ("  above 4 ms", format!("{} of {}", number("long_frames"), number("frames"))),
        ]);
    }
    rows
}

fn legend(ui: &mut Ui, mode: &MapMode) {
    let meanings = [
        (mode.walk.guide.has_ends(), GREEN, "a shortest path from A to B"),
        (mode.walk.guide.has_ends(), VERMILION, "a path that an edit broke"),
        (!mode.doors().is_empty(), SKY, "open doors"),
        (!mode.doors().is_empty(), VERMILION, "closed doors"),
        (true, ORANGE, "new leaves; rerouted agents"),
        (mode.walk.guide == Guide::Each, YELLOW, "agents that wait for a path"),
        (true, PURPLE, "agents that are stuck"),
    ];
    for (_, color, text) in meanings.into_iter().filter(|meaning| meaning.0) {
        meaning(ui, color, text);
    }
}
