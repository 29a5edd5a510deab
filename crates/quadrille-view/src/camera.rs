//! Which part of the world is shown.

use eframe::egui::{Pos2, Rect, Vec2, vec2};
use quadrille::Aabb;

/// A point of the world in the middle of the picture, and how much of the world around it. World y points **up**,
/// screen y down.
///
/// Says nothing about pixels, so that a shared view looks alike in windows of all sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The point of the world in the middle.
    pub center: [f32; 2],
    /// Units of the world along the shorter side of the picture.
    pub extent: f32,
}

/// Share of the picture left free around a world that is fitted in.
const MARGIN: f32 = 0.04;
/// The smallest and largest extent, and the way of the center from that of the world at most, as shares of the world's
/// side. Nearer: the digits of `f32` show. Farther: nothing can be seen.
const NEAREST: f32 = 1e-4;
const FARTHEST: f32 = 8.0;

impl Camera {
    /// Shows all of `world`, in the middle and as large as fits a picture of this size.
    pub fn fit(world: &Aabb, size: Vec2) -> Self {
        let [width, height] = world.size();
        let shorter = size.min_elem().max(1.0);
        let extent = (width * shorter / size.x.max(1.0)).max(height * shorter / size.y.max(1.0)) / (1.0 - 2.0 * MARGIN);
        Self { center: world.center(), extent: if extent.is_finite() && extent > 0.0 { extent } else { 1.0 } }
    }

    /// The nearest camera that is not too far from `world`, too near or too high to be drawn: an address may have any
    /// numbers.
    #[must_use]
    pub fn within(self, world: &Aabb) -> Self {
        let (side, middle) = (longer_side(world), world.center());
        let far = side * FARTHEST;
        Self {
            center: [0, 1].map(|axis| self.center[axis].clamp(middle[axis] - far, middle[axis] + far)),
            extent: self.extent.clamp(side * NEAREST, far),
        }
    }

    /// Points of the screen per unit of the world.
    pub fn scale(&self, screen: Rect) -> f32 {
        screen.size().min_elem().max(1.0) / self.extent
    }

    /// Where a point of the world is on the screen.
    pub fn project(&self, screen: Rect, [x, y]: [f32; 2]) -> Pos2 {
        let scale = self.scale(screen);
        screen.center() + vec2(x - self.center[0], self.center[1] - y) * scale
    }

    /// Which point of the world is shown there.
    pub fn point(&self, screen: Rect, place: Pos2) -> [f32; 2] {
        let from_middle = (place - screen.center()) / self.scale(screen);
        [self.center[0] + from_middle.x, self.center[1] - from_middle.y]
    }

    /// Where a rectangle of the world is on the screen.
    pub fn rect(&self, screen: Rect, bounds: &Aabb) -> Rect {
        Rect::from_two_pos(self.project(screen, bounds.min), self.project(screen, bounds.max))
    }

    /// What is shown of the world.
    pub fn shown(&self, screen: Rect) -> Aabb {
        Aabb::from_corners(self.point(screen, screen.min), self.point(screen, screen.max))
    }

    /// Follows a drag by `way` on the screen.
    pub fn pan(&mut self, screen: Rect, way: Vec2) {
        let scale = self.scale(screen);
        self.center = [self.center[0] - way.x / scale, self.center[1] + way.y / scale];
    }

    /// Zooms in by `factor`; the point of the world at `place` stays there.
    pub fn zoom(&mut self, screen: Rect, place: Pos2, factor: f32, world: &Aabb) {
        let kept = self.point(screen, place);
        self.extent = Self { extent: self.extent / factor, ..*self }.within(world).extent;
        let moved = self.point(screen, place);
        self.center = [self.center[0] + kept[0] - moved[0], self.center[1] + kept[1] - moved[1]];
    }
}

/// The longer side of a world; 1 if it has no size.
pub(crate) fn longer_side(world: &Aabb) -> f32 {
    let [width, height] = world.size();
    Some(width.max(height)).filter(|side| *side > 0.0).unwrap_or(1.0)
}

/// A screen of this size.
#[cfg(test)]
pub(crate) fn screen(width: f32, height: f32) -> Rect {
    Rect::from_min_size(Pos2::ZERO, vec2(width, height))
}

#[cfg(test)]
mod tests {
    use eframe::egui::pos2;

    use super::*;

    const WORLD: Aabb = Aabb { min: [10.0, 20.0], max: [110.0, 70.0] };

    #[test]
    fn the_world_fits_in_and_its_middle_is_in_the_middle() {
        for (width, height) in [(800.0, 600.0), (300.0, 900.0), (1.0, 1.0)] {
            let screen = screen(width, height);
            let camera = Camera::fit(&WORLD, screen.size());
            let shown = camera.rect(screen, &WORLD);
            assert!(screen.contains_rect(shown), "{screen} {shown}");
            assert!((shown.center() - screen.center()).length() < 1e-3);
            let filled = (shown.size() / screen.size()).max_elem();
            assert!((filled - (1.0 - 2.0 * MARGIN)).abs() < 1e-3, "{filled}");
        }
    }

    #[test]
    fn y_points_up() {
        let screen = screen(100.0, 100.0);
        let camera = Camera { center: [0.0; 2], extent: 10.0 };
        assert_eq!(camera.project(screen, [1.0, 2.0]), pos2(60.0, 30.0));
        assert_eq!(camera.point(screen, pos2(60.0, 30.0)), [1.0, 2.0]);
        assert_eq!(camera.shown(screen), Aabb::new([-5.0; 2], [5.0; 2]));
    }

    #[test]
    fn zooming_keeps_what_is_under_the_pointer() {
        let screen = screen(800.0, 600.0);
        let mut camera = Camera::fit(&WORLD, screen.size());
        let pointer = pos2(123.0, 456.0);
        let before = camera.point(screen, pointer);
        for factor in [1.5, 2.0, 0.25, 3.0] {
            camera.zoom(screen, pointer, factor, &WORLD);
            let after = camera.point(screen, pointer);
            assert!((0..2).all(|axis| (before[axis] - after[axis]).abs() < 1e-3), "{before:?} {after:?}");
        }
        camera.zoom(screen, pointer, 1e30, &WORLD);
        assert!(camera.extent >= 100.0 * NEAREST * 0.99);
    }

    #[test]
    fn panning_moves_the_world_with_the_hand() {
        let screen = screen(800.0, 600.0);
        let mut camera = Camera::fit(&WORLD, screen.size());
        let before = camera.project(screen, [50.0, 50.0]);
        camera.pan(screen, vec2(30.0, -40.0));
        assert!((camera.project(screen, [50.0, 50.0]) - before - vec2(30.0, -40.0)).length() < 1e-3);
    }

    #[test]
    fn a_camera_of_an_address_can_be_drawn_whatever_its_numbers() {
        let numbers = [0.0, 1e-45, 1e-9, 50.0, 1e4, 1e30, f32::MAX];
        for (x, y, extent) in numbers.into_iter().flat_map(|x| numbers.map(|extent| (x, -x, extent))) {
            let screen = screen(800.0, 600.0);
            let camera = Camera { center: [x, y], extent }.within(&WORLD);
            let shown = camera.shown(screen);
            let scale = camera.scale(screen);
            for (side, pixels) in shown.size().into_iter().zip([800.0, 600.0]) {
                assert!((side * scale - pixels).abs() < 0.05 * pixels, "{x} {extent}: {shown:?}");
            }
            assert!(!camera.project(screen, [50.0, 50.0]).any_nan());
            assert_eq!(camera.within(&WORLD), camera);
        }
        let near = Camera { center: [60.0, 60.0], extent: 20.0 };
        assert_eq!(near.within(&WORLD), near);
    }

    #[test]
    fn a_world_without_size_can_be_shown() {
        let (world, screen) = (Aabb::from_point([7.0, 7.0]), screen(10.0, 10.0));
        let mut camera = Camera::fit(&world, screen.size());
        assert_eq!(camera, Camera { center: [7.0; 2], extent: 1.0 });
        camera.zoom(screen, screen.center(), 2.0, &world);
        assert_eq!(camera, Camera { center: [7.0; 2], extent: 0.5 });
    }
}
