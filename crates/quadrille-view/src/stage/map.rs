//! Where a map is shown, and the mouse on it.

use eframe::egui::{PointerButton, Pos2, Rect, Response, Sense, Stroke, Ui};

use super::zoom_by_wheel;
use crate::camera::Camera;
use crate::maps::{HANDLE, MapMode, Paint, add_map, flip, paint_handles};
use crate::render::{Picture, gpu};
use crate::state::View;
use crate::theme::{ORANGE, SKY};

/// Shows the map in all the room there is, and lets the mouse paint, move the handles (left button), pan (the others) and zoom
/// (wheel). Gives the room.
pub(crate) fn show(ui: &mut Ui, mode: &mut MapMode, view: &mut View) -> Rect {
    let (response, painter) = ui.allocate_painter(ui.available_size(), Sense::click_and_drag());
    let screen = response.rect;
    let mut camera = camera(mode, view, screen);
    if look(ui, &response, &mut camera, mode) {
        view.camera = Some(camera);
    }
    touch(ui, &response, camera, mode);
    view.walk = mode.walk();

    let shown = camera.shown(screen);
    let mut picture = Picture::on(view.theme.paper(), &shown);
    add_map(&mut picture, mode, view.theme, &shown, camera.scale(screen));
    painter.add(gpu::shape(picture, screen, camera, 0));
    paint_handles(&painter, mode, camera, screen, view.theme);
    if let Some(place) = response.hover_pos() {
        let color = if paint_of(ui, mode) == Paint::Wall { ORANGE } else { SKY };
        painter.circle_stroke(place, mode.brush.radius * camera.scale(screen), Stroke::new(1.5, color));
    }
    mode.fade();
    screen
}

/// What is shown of the map.
fn camera(mode: &MapMode, view: &View, screen: Rect) -> Camera {
    view.camera.unwrap_or_else(|| Camera::fit(&mode.bounds(), screen.size()))
}

/// Where a point of the map is on the screen.
pub(crate) fn place(mode: &MapMode, view: &View, screen: Rect, point: [f32; 2]) -> Pos2 {
    camera(mode, view, screen).place(screen, flip(mode, point))
}

/// Moves the camera by the wheel and the other buttons; `true` if it has moved.
fn look(ui: &Ui, response: &Response, camera: &mut Camera, mode: &MapMode) -> bool {
    let screen = response.rect;
    let before = *camera;
    if response.dragged_by(PointerButton::Secondary) || response.dragged_by(PointerButton::Middle) {
        camera.pan(screen, response.drag_delta());
    }
    zoom_by_wheel(ui, response, camera, &mode.bounds());
    *camera != before
}

/// The left button paints or moves a handle. With Shift, the brush does the opposite.
fn touch(ui: &Ui, response: &Response, camera: Camera, mode: &mut MapMode) {
    let chosen = mode.brush.paint;
    mode.brush.paint = paint_of(ui, mode);
    let point = response.interact_pointer_pos().map(|place| flip(mode, camera.point(response.rect, place)));
    let (is_pressed, is_down) = ui.input(|input| (input.pointer.primary_pressed(), input.pointer.primary_down()));
    match point.filter(|_| response.is_pointer_button_down_on() && is_down) {
        Some(point) if is_pressed => mode.press(point, reach(camera, response.rect)),
        Some(point) => mode.drag(point),
        None => mode.release(),
    }
    mode.brush.paint = chosen;
}

fn paint_of(ui: &Ui, mode: &MapMode) -> Paint {
    match (mode.brush.paint, ui.input(|input| input.modifiers.shift)) {
        (paint, false) => paint,
        (Paint::Wall, true) => Paint::Floor,
        (Paint::Floor, true) => Paint::Wall,
    }
}

/// How near to the middle of a handle the mouse takes it, in cells.
fn reach(camera: Camera, screen: Rect) -> f32 {
    HANDLE / camera.scale(screen)
}
