//! Pictures without a GPU: an image of how many agents there are in each place, made by the processor.

use eframe::egui::{Color32, ColorImage, Rect};
use quadrille_scenes::sim::Simulation;

use crate::camera::Camera;
use crate::theme::{Theme, scale};

/// Points of the screen that a pixel of the image is wide. Finer: slower, and few agents share a pixel.
const GRAIN: f32 = 3.0;

/// An image of what the camera shows: paper where there are no agents, then from violet to yellow, on a logarithmic
/// scale up to the most crowded place.
#[must_use]
pub fn image(simulation: &Simulation, camera: Camera, screen: Rect, theme: Theme) -> ColorImage {
    let [width, height] = [screen.width(), screen.height()].map(|side| ((side / GRAIN) as usize).max(1));
    let mut counts = vec![0_u32; width * height];
    for agent in simulation.agents() {
        let place = (camera.place(screen, agent.position) - screen.min) / GRAIN;
        // Casts saturate, and NaN is nowhere.
        let (column, row) = (place.x as usize, place.y as usize);
        if place.x >= 0.0 && place.y >= 0.0 && column < width && row < height {
            counts[row * width + column] += 1;
        }
    }
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let color = |count: u32| match count {
        0 => theme.paper(),
        count => shade(count, most),
    };
    ColorImage::new([width, height], counts.into_iter().map(color).collect())
}

/// One agent alone is no longer dark, so that it is seen on paper as well as at night.
fn shade(count: u32, most: u32) -> Color32 {
    const ALONE: f32 = 0.35;
    let crowd = (count as f32).ln() / (most as f32).ln().max(1.0);
    scale(ALONE + (1.0 - ALONE) * crowd)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::screen;
    use quadrille_scenes::{Scene, SceneKind};

    #[test]
    fn agents_are_seen_where_they_are_and_nowhere_else() {
        let scene = Scene::new(SceneKind::Clustered, 3_000, 1);
        let simulation = Simulation::new(&scene, quadrille::AnyOptions::default()).expect("default options are valid");
        let screen = screen(600.0, 400.0);
        let camera = Camera::fit(&simulation.world(), screen.size());
        let image = image(&simulation, camera, screen, Theme::Light);
        assert_eq!(image.size, [200, 133]);
        let shown = |at: [f32; 2]| {
            let place = camera.place(screen, at) / GRAIN;
            image.pixels[place.y as usize * 200 + place.x as usize]
        };
        assert!(simulation.agents().all(|agent| shown(agent.position) != Theme::Light.paper()));
        let empty = image.pixels.iter().filter(|&&color| color == Theme::Light.paper()).count();
        assert!(empty > image.pixels.len() / 2, "{empty}");
    }
}
