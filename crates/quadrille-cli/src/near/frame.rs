//! The frame of a map: a border with degrees or coordinates, and a scale.

use quadrille::Aabb;
use quadrille_draw::{Camera, Canvas, palette, text_size};
use quadrille_tracks::{FlatMap, Units};

/// Meters of a degree of latitude: the mean from the equator to a pole.
const DEGREE: f64 = 111_133.0;
/// Pixels between the border of the picture and the frame where nothing is written.
const MARGIN: f32 = 12.0;
/// Pixels of a tick, and between a tick and its text.
const TICK: f32 = 6.0;

/// What is written around a map.
pub(super) struct Frame {
    units: Units,
    /// The corner with the least coordinates, through which both axes go.
    corner: [f64; 2],
    /// The coordinates of x and of y that have a tick, with their texts.
    ticks: [Vec<(f64, String)>; 2],
}

impl Frame {
    pub(super) fn new(flat: &FlatMap, units: Units) -> Self {
        let [least, most] = flat.bounds().map(|corner| flat.unproject(corner));
        Self { units, corner: least, ticks: [0, 1].map(|axis| ticks(least[axis], most[axis], units, axis)) }
    }

    /// Pixels to the left and above, then to the right and below.
    pub(super) fn margins(&self) -> [[f32; 2]; 2] {
        let widths = self.ticks[1].iter().map(|(_, text)| text_size(text)[0]);
        [[widths.fold(0.0, f32::max) + 2.0 * TICK + MARGIN / 2.0, MARGIN], [MARGIN, text_size("0")[1] + 2.0 * TICK]]
    }

    /// Draws the frame around `inside`; `place` tells the pixel of coordinates.
    pub(super) fn draw(&self, canvas: &mut Canvas, inside: &Aabb, place: impl Fn([f64; 2]) -> [f32; 2]) {
        let [min, max] = [inside.min, inside.max];
        let corners = [min, [max[0], min[1]], max, [min[0], max[1]]];
        for (number, &from) in corners.iter().enumerate() {
            canvas.stroke([from, corners[(number + 1) % 4]], 1.0, palette::INK);
        }
        for (at, text) in &self.ticks[0] {
            let x = place([*at, self.corner[1]])[0];
            canvas.stroke([[x, max[1]], [x, max[1] + TICK]], 1.0, palette::INK);
            canvas.write(text, [x - text_size(text)[0] / 2.0, max[1] + TICK + 2.0], palette::INK);
        }
        for (at, text) in &self.ticks[1] {
            let y = place([self.corner[0], *at])[1];
            let [width, height] = text_size(text);
            canvas.stroke([[min[0] - TICK, y], [min[0], y]], 1.0, palette::INK);
            canvas.write(text, [min[0] - 2.0 * TICK - width, y - height / 2.0], palette::INK);
        }
    }

    /// The pixels of a round number of meters, at most `longest`, and that number in words. None on a plane, whose unit is unknown.
    pub(super) fn bar(&self, camera: &Camera, longest: f32) -> Option<(f32, String)> {
        let meter = f64::from(camera.length(1.0 / DEGREE));
        let meters = round_below(f64::from(longest) / meter);
        if self.units != Units::Degrees || !meters.is_finite() || self.ticks[1].is_empty() {
            return None;
        }
        let text = if meters >= 1000.0 { format!("{} km", meters / 1000.0) } else { format!("{meters} m") };
        Some(((meters * meter) as f32, text))
    }
}

/// About six round coordinates between two; none if there is nothing between these.
fn ticks(least: f64, most: f64, units: Units, axis: usize) -> Vec<(f64, String)> {
    let step = round_below((most - least) / 4.0);
    if !(step.is_finite() && step > 0.0) {
        return Vec::new();
    }
    let digits = (-step.log10().floor()).max(0.0) as usize;
    let first = (least / step).ceil();
    let all = (0_u8..10).map(|number| (first + f64::from(number)) * step).take_while(|at| *at <= most);
    all.map(|at| (at, text(at, digits, units, axis))).collect()
}

fn text(at: f64, digits: usize, units: Units, axis: usize) -> String {
    if units == Units::Plane {
        return format!("{at:.digits$}");
    }
    // Longitudes go on beyond the antimeridian.
    let at = if axis == 0 { (at + 180.0).rem_euclid(360.0) - 180.0 } else { at };
    let side = [["E", "W"], ["N", "S"]][axis][usize::from(at < 0.0)];
    format!("{:.digits$}° {side}", at.abs())
}

/// The largest of 1, 2, 5, 10, 20, 50 and so on that is no larger; of smaller numbers, too.
fn round_below(number: f64) -> f64 {
    let power = 10_f64.powf(number.log10().floor());
    [5.0, 2.0].into_iter().map(|times| times * power).find(|round| *round <= number).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let texts = |least, most, units, axis| {
            ticks(least, most, units, axis).into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!(texts(45.8, 47.9, Units::Degrees, 1), ["46.0° N", "46.5° N", "47.0° N", "47.5° N"]);
        assert_eq!(
            texts(170.0, 200.0, Units::Degrees, 0),
            ["170° E", "175° E", "180° W", "175° W", "170° W", "165° W", "160° W"]
        );
        assert_eq!(texts(-3.0, 7.0, Units::Plane, 0), ["-2", "0", "2", "4", "6"]);
        assert!(texts(3.0, 3.0, Units::Plane, 0).is_empty() && texts(0.0, f64::MAX, Units::Plane, 1).len() > 1);
    }

    #[test]
    fn bars_are_round() {
        assert_eq!([0.07, 1.0, 4.9, 5.0, 37.0, 9_999.0].map(round_below), [0.05, 1.0, 2.0, 5.0, 20.0, 5_000.0]);
    }
}
