//! Where a map is shown, and the mouse on it.

use eframe::egui::{Rect, Response, Sense, Stroke, Ui};
use quadrille_paths::Cell;

use super::{camera_of, draw, look, pans, titles};
use crate::camera::Camera;
use crate::maps::{HANDLE, MapMode, MapTool, Paint, add_answer, add_map, flip, paint_answer, paint_handles, sheet};
use crate::state::View;
use crate::theme::{ORANGE, SKY, Theme};

/// Shows the map in the available room; the left button paints, moves the handles or queries, the others pan, the wheel
/// zooms. Returns the room.
pub(crate) fn show(ui: &mut Ui, mode: &mut MapMode, view: &mut View) -> Rect {
    let (response, painter) = ui.allocate_painter(ui.available_size(), Sense::click_and_drag());
    let screen = response.rect;
    look(ui, &response, view, &mode.bounds(), pans(&response));
    let camera = camera_of(view, &mode.bounds(), screen);
    if view.map_tool == MapTool::Paint {
        touch(ui, &response, camera, mode);
        view.walk = mode.walk;
    } else {
        ask(ui, &response, camera, mode, view);
    }
    let answer = view.map_ask.and_then(|ends| view.map_tool.answer(&mode.land, ends));

    let (shown, points) = (camera.shown(screen), camera.scale(screen));
    let theme = Theme::of(ui);
    let mut picture = sheet(mode, theme, &shown, points);
    add_map(&mut picture, mode, theme, &shown, points);
    answer.iter().for_each(|answer| add_answer(&mut picture, mode, answer, theme));
    draw(ui, picture, screen, camera, 0);
    paint_handles(&painter, mode, camera, screen, theme);
    if let Some(answer) = answer {
        paint_answer(&painter, mode, &answer, camera, screen, theme);
        titles(ui, screen, (answer.summary(), 14.0), None);
    }
    if let Some(place) = response.hover_pos().filter(|_| view.map_tool == MapTool::Paint) {
        let color = if paint_of(ui, mode) == Paint::Wall { ORANGE } else { SKY };
        painter.circle_stroke(place, mode.brush.radius * camera.scale(screen), Stroke::new(1.5, color));
    }
    mode.fade();
    screen
}

/// The left button paints or moves a handle. With Shift, the brush does the opposite.
fn touch(ui: &Ui, response: &Response, camera: Camera, mode: &mut MapMode) {
    let chosen = mode.brush.paint;
    mode.brush.paint = paint_of(ui, mode);
    let point = response.interact_pointer_pos().map(|place| flip(mode, camera.point(response.rect, place)));
    match (Button::of(ui, response), point) {
        (Button::Pressed, Some(point)) => mode.press(point, reach(camera, response.rect)),
        (Button::Clicked, Some(point)) => {
            mode.press(point, reach(camera, response.rect));
            mode.release();
        }
        (Button::Down, Some(point)) => mode.drag(point),
        _ => mode.release(),
    }
    mode.brush.paint = chosen;
}

/// The left button goes down at one cell and is let go at another; off the map, the nearest cell counts.
// Casts: clamped to the map, whose sides fit 24 bits.
fn ask(ui: &Ui, response: &Response, camera: Camera, mode: &MapMode, view: &mut View) {
    let button = Button::of(ui, response);
    let Some(pointer) = response.interact_pointer_pos().filter(|_| button != Button::Up) else { return };
    let point = flip(mode, camera.point(response.rect, pointer));
    let [x, y] = [0, 1].map(|axis| point[axis].clamp(0.0, mode.bounds().max[axis] - 1.0) as u32);
    let to = Cell::new(x, y);
    let from = view.map_ask.filter(|_| button == Button::Down).map_or(to, |ends| ends[0]);
    view.map_ask = Some([from, to]);
}

/// What the left button did on the map in this frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Button {
    Up,
    /// It went down, and is down.
    Pressed,
    /// It has been down since an earlier frame.
    Down,
    /// It went down and up again: frames can be longer than clicks.
    Clicked,
}

impl Button {
    fn of(ui: &Ui, response: &Response) -> Self {
        let (is_pressed, is_down) = ui.input(|input| (input.pointer.primary_pressed(), input.pointer.primary_down()));
        match (is_pressed, is_down) {
            (true, false) if response.clicked() => Self::Clicked,
            (_, true) if !response.is_pointer_button_down_on() => Self::Up,
            (true, true) => Self::Pressed,
            (false, true) => Self::Down,
            (_, false) => Self::Up,
        }
    }
}

fn paint_of(ui: &Ui, mode: &MapMode) -> Paint {
    match (mode.brush.paint, ui.input(|input| input.modifiers.shift)) {
        (paint, false) => paint,
        (Paint::Wall, true) => Paint::Floor,
        (Paint::Floor, true) => Paint::Wall,
    }
}

/// How near the center of a handle a press grabs it, in cells.
fn reach(camera: Camera, screen: Rect) -> f32 {
    HANDLE / camera.scale(screen)
}
