//! The picture: one or two panes with the same agents, the mouse in them, and answers to queries.

mod answer;
pub(crate) mod boxes;
pub(crate) mod chooser;
mod hand;
mod key;
pub(crate) mod map;
pub(crate) mod tracks;

use eframe::egui::{self, Align2, Area, FontId, Frame, Id, PointerButton, Pos2, Rect, Response, Sense, Ui, vec2};
use quadrille::Aabb;
use web_time::Duration;

use crate::app::{App, Changes};
use crate::camera::Camera;
use crate::figures::usual;
use crate::labels::{grouped, plural};
use crate::overlay::{Marks, add_agents, add_structure};
use crate::render::{Picture, density, gpu};
use crate::state::{Look, View};
use crate::theme::{ORANGE, Theme};
use crate::tools::Answer;

/// Points between two panes.
const GAP: f32 = 3.0;

/// What a view shows of a world: all of it, unless it says otherwise.
pub(crate) fn camera_of(view: &View, world: &Aabb, pane: Rect) -> Camera {
    view.camera.map_or_else(|| Camera::fit(world, pane.size()), |camera| camera.within(world))
}

/// Moves the camera by a drag, if it is one that pans, and by the wheel.
fn look(ui: &Ui, response: &Response, view: &mut View, world: &Aabb, pans: bool) {
    let before = camera_of(view, world, response.rect);
    let mut camera = before;
    if pans {
        camera.pan(response.rect, response.drag_delta());
    }
    zoom_by_wheel(ui, response, &mut camera, world);
    if camera != before {
        view.camera = Some(camera);
    }
}

/// Is it dragged with a button that always pans?
fn pans(response: &Response) -> bool {
    response.dragged_by(PointerButton::Secondary) || response.dragged_by(PointerButton::Middle)
}

/// Zooms by the wheel or by two fingers; what is under the pointer stays there.
fn zoom_by_wheel(ui: &Ui, response: &Response, camera: &mut Camera, world: &Aabb) {
    let Some(place) = response.hover_pos() else { return };
    let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
    let factor = (scroll * 0.005).exp() * pinch;
    if factor != 1.0 {
        camera.zoom(response.rect, place, factor, world);
    }
}

/// Shows the picture in the available room.
pub(crate) fn show(app: &mut App, ui: &mut Ui) {
    let room = ui.available_rect_before_wrap();
    let panes = split(room, app.world.indices().count());
    for (number, &pane) in panes.iter().enumerate() {
        let response = ui.interact(pane, Id::unique(("pane", number)), Sense::click_and_drag());
        hand::follow(app, ui, &response);
    }
    hand::carry(app, ui);
    for (number, &pane) in panes.iter().enumerate() {
        show_pane(app, ui, pane, number);
    }
    if app.world.steps < app.view.steps {
        let text = format!("step {} of {}", app.world.steps, app.view.steps);
        label(ui, room.center_bottom() - vec2(0.0, 24.0), Align2::CENTER_BOTTOM, &text, 18.0, room.width());
    }
    app.stage.panes = panes;
    if let Some(took) = app.ease.took {
        say_eased(app, ui, room, took);
    }
}

/// Says why there is an image instead of discs, and offers discs again.
fn say_eased(app: &mut App, ui: &Ui, room: Rect, took: Duration) {
    let place = room.center_bottom() - vec2(0.0, 12.0);
    let mut is_refused = false;
    Area::new(Id::unique("eased")).pivot(Align2::CENTER_BOTTOM).fixed_pos(place).show(ui.ctx(), |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.label(format!("Discs took {} ms to draw, so this is their density.", took.as_millis()));
                is_refused = ui.button("Discs again").clicked();
            });
        });
    });
    if is_refused {
        app.change(Changes { view: View { look: Look::Discs, ..app.view.clone() }, restart: false });
    }
}

/// Side by side in a wide room, one above the other in a tall one.
fn split(room: Rect, count: usize) -> Vec<Rect> {
    if count < 2 {
        return vec![room];
    }
    let (first, second) = if room.width() >= room.height() {
        let middle = room.center().x;
        (room.with_max_x(middle - GAP / 2.0), room.with_min_x(middle + GAP / 2.0))
    } else {
        let middle = room.center().y;
        (room.with_max_y(middle - GAP / 2.0), room.with_min_y(middle + GAP / 2.0))
    };
    vec![first, second]
}

/// What is shown of the world in a pane.
fn camera(app: &App, pane: Rect) -> Camera {
    camera_of(&app.view, &app.world.simulation().world(), pane)
}

fn show_pane(app: &mut App, ui: &Ui, pane: Rect, number: usize) {
    let camera = camera(app, pane);
    let App { view, world, stage, .. } = app;
    let Some(index) = world.indices().nth(number) else { return };
    let answer = view.ask.map(|ask| ask.answer(index));
    let (shown, points, theme) = (camera.shown(pane), camera.scale(pane), Theme::of(ui));

    let mut picture = match view.look {
        Look::Discs => Picture::on(theme.paper(), &shown),
        Look::Density => {
            let places = world.simulation().agents().map(|agent| Aabb::from_point(agent.position));
            let image = density::image(places, camera, pane, theme);
            Picture { image: Some(image), ..Picture::default() }
        }
    };
    let walls = world.simulation().world();
    add_structure(&mut picture, (index, |bounds| *bounds), view.overlays, theme, &walls, &shown, points);
    answer.iter().for_each(|answer| answer::add_cells(&mut picture, answer, &shown));
    if view.look == Look::Discs {
        let marks = Marks {
            found: answer.as_ref().map_or(&[], |answer| &answer.found),
            grabbed: stage.held.map(|held| held.id),
        };
        add_agents(&mut picture, world.simulation(), view.overlays, marks, theme, &shown, points);
    }
    draw(ui, picture, pane, camera, number);
    let painter = ui.painter().with_clip_rect(pane);
    let walls = camera.rect(pane, &walls);
    painter.rect_stroke(walls, 0.0, (1.5, theme.ink().gamma_multiply(0.6)), egui::StrokeKind::Outside);
    if let (Some(ask), Some(answer)) = (&view.ask, &answer) {
        answer::paint(&answer::Pen { painter: &painter, theme, camera, pane }, ask, answer, index);
    }
    key::show(ui, app.view.overlays, pane);
    caption(ui, app, pane, number, answer.as_ref());
}

/// Draws a picture in a pane, and says if a GPU cannot hold all of it.
fn draw(ui: &Ui, picture: Picture, pane: Rect, camera: Camera, number: usize) {
    let left_out = gpu::left_out(&picture, gpu::MOST_BYTES);
    ui.painter().with_clip_rect(pane).add(gpu::shape(picture, pane, camera, number));
    if left_out > 0 {
        let text = format!("{} are not drawn: zoom in", plural(left_out, "thing"));
        label(ui, pane.center_bottom() - vec2(0.0, 60.0), Align2::CENTER_BOTTOM, &text, 15.0, pane.width());
    }
}

/// Which structure this is, what a step takes with it, and what was visited for an answer.
fn caption(ui: &Ui, app: &App, pane: Rect, number: usize, answer: Option<&Answer>) {
    let Some(figures) = app.figures.structures.get(number) else { return };
    let reports = app.world.reports().nth(number).filter(|reports| !reports.is_empty());
    let time = reports.map(|reports| format!("   {:.2} ms per step", usual(reports, |report| report.timings.total())));
    let visited = answer.map(|answer| {
        let boxes = share(answer.boxes, figures.stats.boxes, "boxes");
        let nodes = share(answer.nodes, figures.stats.nodes, "nodes");
        format!("{boxes}, {nodes}: {} found", grouped(answer.found.len()))
    });
    titles(ui, pane, (format!("{}{}", figures.structure, time.unwrap_or_default()), 15.0), visited);
}

/// *412 of 100,000 boxes visited*; where a query consists of many, each several times: *250 boxes visited 13,334
/// times*.
fn share(visits: usize, all: usize, what: &str) -> String {
    let (visits, is_again, all) = (grouped(visits), visits > all, grouped(all));
    if is_again { format!("{all} {what} visited {visits} times") } else { format!("{visits} of {all} {what} visited") }
}

/// A title of some size in the upper left corner of a pane, and a line below it.
fn titles(ui: &Ui, pane: Rect, (title, size): (String, f32), line: Option<String>) {
    let (mut place, width) = (pane.left_top() + vec2(12.0, 10.0), pane.width() - 24.0);
    for (text, size) in [(title, size)].into_iter().chain(line.map(|line| (line, 14.0))) {
        place = label(ui, place, Align2::LEFT_TOP, &text, size, width).left_bottom() + vec2(0.0, 10.0);
    }
}

/// Text on a plate, so that it can be read over anything; in several lines if it is wider than `width`.
fn label(ui: &Ui, place: Pos2, anchor: Align2, text: &str, size: f32, width: f32) -> Rect {
    let visuals = ui.visuals();
    let ink = visuals.text_color();
    let galley = ui.painter().layout(text.into(), FontId::proportional(size), ink, width);
    let rect = anchor.anchor_size(place, galley.size());
    let plate = rect.expand2(vec2(6.0, 3.0));
    ui.painter().rect_filled(plate, 5.0, visuals.panel_fill.gamma_multiply(0.88));
    ui.painter().galley(rect.min, galley, ORANGE);
    rect
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_are_a_share_of_all_or_several_times_all() {
        assert_eq!(share(412, 100_000, "boxes"), "412 of 100,000 boxes visited");
        assert_eq!(share(250, 250, "boxes"), "250 of 250 boxes visited");
        assert_eq!(share(13_334, 250, "boxes"), "250 boxes visited 13,334 times");
    }
}
