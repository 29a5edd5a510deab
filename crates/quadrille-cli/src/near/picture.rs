//! A picture of tracks and encounters: tracks thin, encounters bold, the closest labeled.

use quadrille::Aabb;
use quadrille_draw::{Camera, Canvas, Color, palette, text_size};
use quadrille_files::Fixes;
use quadrille_tracks::{Encounter, FlatMap, Found, Position, Tracks};

use super::Answer;
use crate::text::count;

/// Pixels of the longer side.
const LONGER_SIDE: f64 = 1600.0;
/// The least pixels of the shorter side: room for labels.
const MIN_SIDE: f64 = 600.0;
/// Tracks of one file, or of the first; and those of the second.
const TRACKS: [Color; 2] = [Color([0xB4, 0xC6, 0xD4]), Color([0xE3, 0xCB, 0x9A])];
/// Where they met.
const MET: Color = palette::VERMILION;
const CLOSEST: Color = palette::INK;
const HALO: Color = Color([0xFF, 0xFF, 0xFF]);

/// Draws all tracks and all encounters, and labels the closest.
pub(super) fn draw(answer: Answer<'_>, tracks: &Tracks) -> Canvas {
    let map = Map::new(answer);
    let mut canvas = Canvas::new(map.size[0], map.size[1], palette::PAPER);
    for (set, file) in answer.files.iter().enumerate() {
        for track in (0..).take(file.ids.len()) {
            for path in tracks.path(track, set == 1, f64::NEG_INFINITY, f64::INFINITY) {
                map.line(&mut canvas, &path, 1.0, TRACKS[set]);
            }
        }
    }
    for met in &answer.found.encounters {
        for (track, second) in [(met.a, false), (met.b, answer.files.len() > 1)] {
            for path in tracks.path(track, second, met.start, met.end) {
                map.line(&mut canvas, &path, 3.5, MET);
            }
        }
    }
    label_all(&mut canvas, &map, tracks, answer);
    canvas
}

/// Maps positions to pixels.
struct Map {
    camera: Camera,
    size: [u16; 2],
    flat: FlatMap,
}

impl Map {
    fn new(answer: Answer<'_>) -> Self {
        let sets: Vec<_> = answer.files.iter().map(Fixes::columns).collect();
        let flat = FlatMap::new(answer.units(), &sets);
        let [min, max] = flat.bounds();
        let world = Aabb::new(min, max);
        let size = size(world.size());
        Self { camera: Camera::fit(&world, &Canvas::new(size[0], size[1], HALO)), size, flat }
    }

    fn pixel(&self, position: &Position) -> [f32; 2] {
        self.camera.project(self.flat.project([position.x, position.y]))
    }

    /// Draws a path, except where it leaves the map on one side and enters on the other. A dot if it stands still.
    fn line(&self, canvas: &mut Canvas, path: &[Position], width: f32, color: Color) {
        /// Steps shorter than this are drawn with the next one.
        const STEP: f32 = 0.7;
        let Some(first) = path.first() else { return };
        let flat = |position: &Position| self.flat.project([position.x, position.y]);
        let mut last = flat(first);
        let mut from = self.pixel(first);
        canvas.stroke([from; 2], width, color);
        for (number, position) in path.iter().enumerate().skip(1) {
            let to = self.pixel(position);
            let is_torn = self.flat.is_torn(last, flat(position));
            last = flat(position);
            if is_torn {
                from = to;
            } else if (to[0] - from[0]).hypot(to[1] - from[1]) >= STEP || number + 1 == path.len() {
                stroke(canvas, from, to, width, color);
                from = to;
            }
        }
    }
}

/// A straight stroke made of short ones, because a stroke costs the area of its bounding box.
fn stroke(canvas: &mut Canvas, from: [f32; 2], to: [f32; 2], width: f32, color: Color) {
    const SHORT: f32 = 24.0;
    let parts = ((to[0] - from[0]).hypot(to[1] - from[1]) / SHORT).ceil().clamp(1.0, 1000.0);
    let at = |share: f32| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * share);
    let mut part = 0.0;
    while part < parts {
        canvas.stroke([at(part / parts), at((part + 1.0) / parts)], width, color);
        part += 1.0;
    }
}

/// Width and height of the picture for a world of this size.
fn size(world: [f64; 2]) -> [u16; 2] {
    let longer = world[0].max(world[1]);
    world.map(|side| {
        let pixels = if longer > 0.0 { side / longer * LONGER_SIDE } else { MIN_SIDE };
        pixels.clamp(MIN_SIDE, LONGER_SIDE).round() as u16
    })
}

/// Writes the labels beside the positions of closest approach, where they cover neither each other nor these positions.
fn label_all(canvas: &mut Canvas, map: &Map, tracks: &Tracks, answer: Answer<'_>) {
    let closest = answer.closest();
    let positions: Vec<_> = closest
        .iter()
        .enumerate()
        .filter_map(|(number, met)| {
            let path = tracks.path(met.a, false, met.closest_time, met.closest_time);
            Some((map.pixel(path.first()?.first()?), label(answer, number, met)))
        })
        .collect();
    let mut taken: Vec<Aabb> = positions.iter().map(|(position, _)| around(*position, [14.0, 14.0])).collect();
    let legend = legend(answer);
    let corner = [8.0, f32::from(canvas.height()) - text_size(&legend)[1] - 8.0];
    taken.push(write(canvas, &legend, corner));
    let labels: Vec<_> = positions
        .iter()
        .map(|(position, text)| {
            let label = free_position(canvas, *position, text_size(text), &taken);
            taken.push(label);
            label
        })
        .collect();
    for ((position, _), label) in positions.iter().zip(&labels) {
        stroke(canvas, *position, label.center(), 1.5, CLOSEST);
    }
    for (position, _) in &positions {
        for (width, color) in [(13.0, HALO), (10.0, CLOSEST), (5.0, MET)] {
            canvas.stroke([*position; 2], width, color);
        }
    }
    for ((_, text), label) in positions.iter().zip(&labels) {
        write(canvas, text, label.min.map(|side| side + BORDER));
    }
}

fn legend(answer: Answer<'_>) -> String {
    let Found { tracks, encounters, pairs, .. } = answer.found;
    let count = |number: usize, noun| count(number as u64, noun);
    format!("{}, {} of {}", count(*tracks, "track"), count(encounters.len(), "encounter"), count(*pairs, "pair"))
}

/// As in the table of the closest: `3: A and B, 12.5 m`.
fn label(answer: Answer<'_>, number: usize, met: &Encounter) -> String {
    const MAX_LETTERS: usize = 24;
    let [a, b] = answer.names(met).map(|id| id.chars().take(MAX_LETTERS).collect::<String>());
    format!("{}: {a} and {b}, {}", number + 1, answer.distance_in_words(met))
}

/// Pixels between a label's letters and its edge.
const BORDER: f32 = 4.0;

/// Writes on white, and returns what is covered.
fn write(canvas: &mut Canvas, text: &str, corner: [f32; 2]) -> Aabb {
    let size = text_size(text);
    let label = Aabb::new(corner.map(|side| side - BORDER), [0, 1].map(|axis| corner[axis] + size[axis] + BORDER));
    canvas.fill_rounded(&label, 4.0, CLOSEST);
    canvas.fill_rounded(&Aabb::new(label.min.map(|side| side + 1.0), label.max.map(|side| side - 1.0)), 3.0, HALO);
    canvas.write(text, corner, CLOSEST);
    label
}

/// A free place for a label, as near to a position as possible: places on rings around it are tried.
fn free_position(canvas: &Canvas, position: [f32; 2], size: [f32; 2], taken: &[Aabb]) -> Aabb {
    let picture = Aabb::new([2.0; 2], [canvas.width(), canvas.height()].map(|side| f32::from(side) - 2.0));
    let size = size.map(|side| side + 2.0 * BORDER);
    let rings =
        (1_u8..=24).flat_map(|ring| (0_u8..16).map(move |turn| (f32::from(ring) * 22.0, f32::from(turn) / 16.0)));
    let mut boxes = rings.map(|(away, turn)| {
        let (sin, cos) = (turn * std::f32::consts::TAU).sin_cos();
        around([position[0] + cos * (away + size[0] / 2.0), position[1] + sin * (away + size[1] / 2.0)], size)
    });
    let is_free = |label: &Aabb| picture.contains(label) && !taken.iter().any(|other| other.intersects(label));
    boxes.find(is_free).unwrap_or_else(|| around(position, size))
}

fn around(center: [f32; 2], size: [f32; 2]) -> Aabb {
    Aabb::from_center(center, size.map(|side| side / 2.0))
}
