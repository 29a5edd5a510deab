//! Paints balloons over hills at sunset: a picture of our own, for `quadrille art` to redraw.
//!
//! ```text
//! cargo run --release -p quadrille-cli --example balloons -- balloons.png
//! ```

use std::error::Error;
use std::f32::consts::PI;

use image::{Rgb, RgbImage};

/// A color, each part from 0 to 255.
type Color = [f32; 3];

/// Pixels of the picture. Points on it go from 0 to 1 downward and from 0 to 4/3 to the right.
const WIDTH: u32 = 1440;
const HEIGHT: u32 = 1080;
/// Each pixel is the mean of this many samples per side.
const POINTS: u32 = 3;

const SUN: [f32; 2] = [0.92, 0.56];

/// A balloon: the middle of its envelope, the radius of that, and the colors of its gores by turns.
struct Balloon {
    center: [f32; 2],
    radius: f32,
    colors: &'static [Color],
}

const CREAM: Color = [250.0, 236.0, 206.0];
const RED: Color = [205.0, 52.0, 48.0];
const ORANGE: Color = [240.0, 128.0, 40.0];
const TEAL: Color = [24.0, 128.0, 132.0];
const NAVY: Color = [34.0, 58.0, 120.0];
const PLUM: Color = [128.0, 44.0, 104.0];
const GOLD: Color = [248.0, 190.0, 60.0];

/// The nearest first.
const BALLOONS: [Balloon; 4] = [
    Balloon { center: [0.40, 0.33], radius: 0.2, colors: &[RED, CREAM, ORANGE, CREAM] },
    Balloon { center: [1.06, 0.22], radius: 0.098, colors: &[TEAL, GOLD, NAVY] },
    Balloon { center: [0.76, 0.42], radius: 0.05, colors: &[PLUM, CREAM] },
    Balloon { center: [1.2, 0.47], radius: 0.026, colors: &[RED, GOLD] },
];

/// A ridge of hills: its height, how rough it is, its color, and a number that makes it differ from the others.
struct Ridge {
    top: f32,
    rise: f32,
    color: Color,
    seed: f32,
}

/// The nearest first.
const RIDGES: [Ridge; 5] = [
    Ridge { top: 0.93, rise: 0.05, color: [20.0, 30.0, 38.0], seed: 1.0 },
    Ridge { top: 0.85, rise: 0.06, color: [44.0, 56.0, 74.0], seed: 7.3 },
    Ridge { top: 0.77, rise: 0.07, color: [86.0, 84.0, 112.0], seed: 3.1 },
    Ridge { top: 0.70, rise: 0.07, color: [142.0, 112.0, 136.0], seed: 5.7 },
    Ridge { top: 0.64, rise: 0.05, color: [204.0, 142.0, 136.0], seed: 9.9 },
];

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "balloons.png".into());
    paint().save(path)?;
    Ok(())
}

pub(crate) fn paint() -> RgbImage {
    RgbImage::from_fn(WIDTH, HEIGHT, |x, y| Rgb(pixel(x, y)))
}

fn pixel(x: u32, y: u32) -> [u8; 3] {
    let place = |pixel: u32, part: u32| (pixel as f32 + (part as f32 + 0.5) / POINTS as f32) / HEIGHT as f32;
    let points = (0..POINTS * POINTS).map(|point| color_at([place(x, point % POINTS), place(y, point / POINTS)]));
    let sum = points.fold([0.0; 3], |sum, color| [0, 1, 2].map(|part| sum[part] + color[part]));
    sum.map(|part: f32| (part / (POINTS * POINTS) as f32).round() as u8)
}

/// The color of a point: of what is nearest.
fn color_at(point: [f32; 2]) -> Color {
    let balloon = BALLOONS.iter().find_map(|balloon| balloon.color_at(point));
    let (near, far) = RIDGES.split_at(1);
    let hidden = || far.iter().find_map(|ridge| ridge.color_at(point)).unwrap_or_else(|| sky(point));
    trees(point).or_else(|| near[0].color_at(point)).or(balloon).unwrap_or_else(hidden)
}

/// `a` at 0, `b` at 1.
fn mix(a: Color, b: Color, amount: f32) -> Color {
    let amount = amount.clamp(0.0, 1.0);
    [0, 1, 2].map(|part| a[part] + (b[part] - a[part]) * amount)
}

fn sky([x, y]: [f32; 2]) -> Color {
    const STOPS: [Color; 4] = [[46.0, 62.0, 118.0], [124.0, 98.0, 150.0], [238.0, 142.0, 122.0], [252.0, 206.0, 132.0]];
    let stop = (y / 0.66 * 3.0).clamp(0.0, 2.999);
    let background = mix(STOPS[stop as usize], STOPS[stop as usize + 1], stop.fract());
    let distance = (x - SUN[0]).hypot(y - SUN[1]);
    let glow = (-distance * 7.0).exp();
    let sun = ((0.075 - distance) * 200.0).clamp(0.0, 1.0);
    mix(mix(background, [255.0, 226.0, 150.0], 0.8 * glow), [255.0, 248.0, 220.0], sun)
}

impl Ridge {
    fn height_at(&self, x: f32) -> f32 {
        let wave = |length: f32, shift: f32| ((x / length + shift + self.seed) * PI).sin();
        let peaks = 1.0 - wave(0.31, 0.0).abs() + 0.5 * wave(0.13, 1.3) + 0.2 * wave(0.047, 2.1);
        self.top - self.rise * (peaks - 0.5)
    }

    /// Nothing of it is higher up than this. Above, which is most of the picture, its height is not computed.
    fn summit(&self) -> f32 {
        self.top - 1.21 * self.rise
    }

    /// Farther down in the valleys there is mist.
    fn color_at(&self, [x, y]: [f32; 2]) -> Option<Color> {
        if y < self.summit() {
            return None;
        }
        let depth = y - self.height_at(x);
        let mist = mix(self.color, [230.0, 172.0, 150.0], 0.25);
        (depth >= 0.0).then(|| mix(self.color, mist, depth / 0.12))
    }
}

/// Firs on the nearest ridge.
fn trees([x, y]: [f32; 2]) -> Option<Color> {
    const SPACING: f32 = 0.034;
    const HIGHEST: f32 = 0.08;
    if y < RIDGES[0].summit() - HIGHEST {
        return None;
    }
    let number = (x / SPACING).floor();
    let of_tree = |seed: f32| (((number + seed) * 12.9898).sin() * 43_758.547).fract().abs();
    let middle = (number + 0.35 + 0.3 * of_tree(0.0)) * SPACING;
    let height = 0.03 + 0.05 * of_tree(0.5);
    let above = RIDGES[0].height_at(middle) + 0.004 - y;
    let branches = 0.75 + 0.25 * (above / height * 5.0).fract();
    let width = 0.24 * (height - above) * (1.7 - branches);
    ((0.0..height).contains(&above) && (x - middle).abs() < width).then_some([16.0, 26.0, 30.0])
}

impl Balloon {
    fn color_at(&self, point: [f32; 2]) -> Option<Color> {
        let [x, y] = [0, 1].map(|axis| (point[axis] - self.center[axis]) / self.radius);
        self.envelope([x, y]).or_else(|| basket([x, y]))
    }

    /// A ball above, narrowing to the mouth below; in radii from its middle.
    fn envelope(&self, [x, y]: [f32; 2]) -> Option<Color> {
        const MOUTH: f32 = 1.32;
        let width = if y < 0.0 { (1.0 - y * y).max(0.0).sqrt() } else { (1.0 - (y / 1.52).powi(2)).powf(0.9) };
        if !(-1.0..MOUTH).contains(&y) || x.abs() > width {
            return None;
        }
        let across = x / width;
        let gore = (across.asin() / PI + 0.5) * 10.0;
        let color = self.colors[gore as usize % self.colors.len()];
        let is_belt = (y - 0.1 - 0.1 * (gore.fract() * PI).sin()).abs() < 0.075;
        let color = if is_belt { self.colors[(gore as usize + 1) % self.colors.len()] } else { color };
        let toward_sun = 0.5 + 0.5 * (across * 0.8 + y * 0.35);
        let seam = 1.0 - 0.12 * ((gore.fract() - 0.5).abs() * 2.0).powi(8);
        let lit = mix([40.0, 30.0, 70.0], color, (0.5 + 0.6 * toward_sun) * seam);
        Some(mix(lit, [255.0, 226.0, 170.0], 0.35 * (toward_sun - 0.55).max(0.0)))
    }
}

/// The basket and its ropes; in radii from the middle of the envelope.
fn basket([x, y]: [f32; 2]) -> Option<Color> {
    let rope = 0.3 - (y - 1.32) * 0.35;
    if (1.32..1.66).contains(&y) && (x.abs() - rope).abs() < 0.018 {
        return Some([70.0, 52.0, 44.0]);
    }
    let is_rim = (1.64..1.69).contains(&y);
    ((1.64..1.92).contains(&y) && x.abs() < if is_rim { 0.21 } else { 0.185 }).then_some(if is_rim {
        [96.0, 62.0, 40.0]
    } else {
        [140.0, 92.0, 54.0]
    })
}
