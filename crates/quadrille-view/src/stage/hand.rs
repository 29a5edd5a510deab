//! What the mouse does in a pane: pan, zoom, draw a query, grab and throw.

use eframe::egui::{PointerButton, Response, Ui};
use quadrille::Near;

use super::{camera, look, pans};
use crate::app::{App, Held};
use crate::camera::{Camera, longer_side};
use crate::tools::{Ask, Tool};

/// How far from an agent a click still counts, in points.
const NEARLY: f32 = 12.0;

/// Fastest throw, per step, as a share of the world's side.
const FASTEST: f32 = 0.01;

/// Follows the mouse in a pane.
pub(super) fn follow(app: &mut App, ui: &Ui, response: &Response) {
    let pans = pans(response) || app.view.tool == Tool::Pan && response.dragged();
    look(ui, response, &mut app.view, &app.world.simulation().world(), pans);
    if response.double_clicked() && app.view.tool == Tool::Pan {
        app.view.camera = None;
    }
    match app.view.tool {
        _ if pans => {}
        Tool::Grab => grab(app, ui, response),
        Tool::Add => add(app, response),
        Tool::Remove => remove(app, response),
        tool if tool.asks() => ask(app, response),
        _ => {}
    }
}

/// A press begins a query, a release ends it.
fn ask(app: &mut App, response: &Response) {
    let Some(pointer) = response.interact_pointer_pos() else { return };
    let camera = camera(app, response.rect);
    let to = camera.point(response.rect, pointer);
    let (tool, most) = (app.view.tool, app.view.nearest);
    let is_new = response.drag_started_by(PointerButton::Primary) || response.clicked();
    let from = match app.view.ask {
        Some(ask) if !is_new && ask.tool == tool => ask.from,
        _ => origin(response, camera).unwrap_or(to),
    };
    if is_new || response.dragged_by(PointerButton::Primary) {
        app.view.ask = Some(Ask { tool, from, to, most });
    }
}

/// Where the button went down: egui reports a drag a few points after that.
fn origin(response: &Response, camera: Camera) -> Option<[f32; 2]> {
    let at = response.ctx.input(|input| input.pointer.press_origin());
    at.map(|at| camera.point(response.rect, at))
}

fn grab(app: &mut App, ui: &Ui, response: &Response) {
    let camera = camera(app, response.rect);
    let simulation = app.world.simulation();
    let Some(pointer) = response.interact_pointer_pos() else { return };
    let place = camera.point(response.rect, pointer);
    if response.drag_started_by(PointerButton::Primary) {
        let nearly = NEARLY / camera.scale(response.rect);
        let near = Near::point(origin(response, camera).unwrap_or(place)).within(nearly);
        let nearest = simulation.index().query_first(near);
        app.stage.held = nearest.map(|hit| Held { id: hit.id, place, velocity: [0.0; 2] });
    }
    let per_step = f32::from(u16::try_from(app.view.speed).unwrap_or(u16::MAX)) * camera.scale(response.rect);
    let motion = ui.input(|input| input.pointer.velocity()) / per_step;
    let (speed, fastest) = (motion.length(), longer_side(&simulation.world()) * FASTEST);
    let motion = if speed > fastest { motion * (fastest / speed) } else { motion };
    if let Some(held) = &mut app.stage.held {
        (held.place, held.velocity) = (place, [motion.x, -motion.y]);
    }
    if response.drag_stopped()
        && let Some(Held { id, place, velocity }) = app.stage.held.take()
    {
        app.world.throw(id, place, velocity);
    }
}

/// A click adds a disc like the others; a drag sets the radius of a new one, from its center to its rim.
fn add(app: &mut App, response: &Response) {
    /// If there are no others.
    const USUAL: f32 = 1.0;
    let camera = camera(app, response.rect);
    let Some(to) = response.interact_pointer_pos().map(|at| camera.point(response.rect, at)) else { return };
    if response.drag_stopped_by(PointerButton::Primary) {
        let from = origin(response, camera).unwrap_or(to);
        app.world.add(from, (to[0] - from[0]).hypot(to[1] - from[1]));
    } else if response.clicked() {
        let radius = app.world.simulation().agents().next().map_or(USUAL, |agent| agent.radius);
        app.world.add(to, radius);
    }
}

/// Removes the agent at the mouse or near it.
fn remove(app: &mut App, response: &Response) {
    let Some(at) = response.interact_pointer_pos().filter(|_| response.clicked()) else { return };
    let camera = camera(app, response.rect);
    let near = Near::point(camera.point(response.rect, at)).within(NEARLY / camera.scale(response.rect));
    let nearest = app.world.simulation().index().query_first(near).map(|hit| hit.id);
    nearest.into_iter().for_each(|id| {
        app.world.remove(id);
    });
}

/// Keeps the dragged agent at the mouse, whatever bumps into it. It is let go if another tool is chosen meanwhile, or
/// the button comes up where no pane is told.
pub(super) fn carry(app: &mut App, ui: &Ui) {
    app.stage.held.take_if(|_| app.view.tool != Tool::Grab || !ui.input(|input| input.pointer.primary_down()));
    if let Some(Held { id, place, .. }) = app.stage.held {
        app.world.throw(id, place, [0.0; 2]);
    }
}
