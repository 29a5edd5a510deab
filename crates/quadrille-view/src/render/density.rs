//! Pictures without a GPU: an image of how many agents or boxes there are in each place, made by the processor.

use eframe::egui::{Color32, ColorImage, Rect};
use quadrille::Aabb;

use crate::camera::Camera;
use crate::theme::{Theme, scale};

/// Points of the screen that a pixel of the image is wide. Finer: slower, and few agents share a pixel.
const GRAIN: f32 = 3.0;

/// An image of how many boxes cover each place that the camera shows: paper where there are none, then from violet to
/// yellow, on a logarithmic scale up to the most crowded place. A box that is smaller than a place covers one.
///
/// A box adds to its corners only: sums from place to place, along rows and then along columns, do the rest, so a large
/// box costs no more than a small one.
pub fn image(boxes: impl IntoIterator<Item = Aabb>, camera: Camera, screen: Rect, theme: Theme) -> ColorImage {
    let [width, height] = [screen.width(), screen.height()].map(|side| ((side / GRAIN) as usize).max(1));
    // A column and a row more, for boxes that end at the border.
    let stride = width + 1;
    let mut sums = vec![0_i64; stride * (height + 1)];
    for bounds in boxes {
        let rect = camera.rect(screen, &bounds);
        let [from, to] = [rect.min, rect.max].map(|corner| (corner - screen.min) / GRAIN);
        if to.x < 0.0 || to.y < 0.0 || from.x >= width as f32 || from.y >= height as f32 {
            continue;
        }
        // Casts saturate at 0.
        let [left, top] = [from.x as usize, from.y as usize];
        let (right, bottom) = ((to.x as usize).min(width - 1) + 1, (to.y as usize).min(height - 1) + 1);
        for (column, row, sign) in [(left, top, 1), (right, top, -1), (left, bottom, -1), (right, bottom, 1)] {
            sums[row * stride + column] += sign;
        }
    }
    for row in sums.chunks_mut(stride) {
        (1..stride).for_each(|column| row[column] += row[column - 1]);
    }
    (stride..sums.len()).for_each(|place| sums[place] += sums[place - stride]);
    let count = |row: &[i64]| row[..width].iter().map(|sum| u32::try_from(*sum).unwrap_or(0)).collect::<Vec<_>>();
    colored([width, height], &sums.chunks(stride).take(height).flat_map(count).collect::<Vec<_>>(), theme)
}

fn colored(size: [usize; 2], counts: &[u32], theme: Theme) -> ColorImage {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let color = |count: &u32| match *count {
        0 => theme.paper(),
        count => shade(count, most),
    };
    ColorImage::new(size, counts.iter().map(color).collect())
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
    fn places_are_covered_by_as_many_boxes_as_brute_force_counts() {
        let screen = screen(90.0, 60.0);
        let camera = Camera { center: [0.0; 2], extent: 20.0 };
        let boxes: Vec<Aabb> = (0..40_u16)
            .map(|number| {
                let [x, y] = [5, 7].map(|step| f32::from(number * step % 37) - 18.0);
                Aabb::from_size([x, y], [f32::from(number % 9), f32::from(number % 4) * 3.0])
            })
            .collect();
        let image = image(boxes.iter().copied(), camera, screen, Theme::Light);
        let covers = |bounds: &Aabb, column: usize, row: usize| {
            let rect = camera.rect(screen, bounds);
            let is = |from: f32, to: f32, place: usize| {
                let place = place as f32;
                (from / GRAIN).max(0.0).floor() <= place && place <= (to / GRAIN).floor() && to >= 0.0
            };
            is(rect.min.x, rect.max.x, column) && is(rect.min.y, rect.max.y, row)
        };
        let counts: Vec<u32> = (0..30 * 20)
            .map(|place| boxes.iter().filter(|bounds| covers(bounds, place % 30, place / 30)).count() as u32)
            .collect();
        assert!(counts.contains(&0) && counts.iter().any(|count| *count > 2), "{counts:?}");
        assert_eq!(image, colored([30, 20], &counts, Theme::Light));
    }

    #[test]
    fn agents_are_seen_where_they_are_and_nowhere_else() {
        let scene = Scene::new(SceneKind::Clustered, 3_000, 1);
        let screen = screen(600.0, 400.0);
        let camera = Camera::fit(&scene.world(), screen.size());
        let image =
            image(scene.bodies().iter().map(|body| Aabb::from_point(body.center)), camera, screen, Theme::Light);
        assert_eq!(image.size, [200, 133]);
        let shown = |at: [f32; 2]| {
            let place = camera.project(screen, at) / GRAIN;
            image.pixels[place.y as usize * 200 + place.x as usize]
        };
        assert!(scene.bodies().iter().all(|body| shown(body.center) != Theme::Light.paper()));
        let empty = image.pixels.iter().filter(|&&color| color == Theme::Light.paper()).count();
        assert!(empty > image.pixels.len() / 2, "{empty}");
    }
}
