//! A picture of tracks and encounters: tracks thin, encounters bold, the closest labeled.

use std::collections::BTreeMap;

use quadrille::Aabb;
use quadrille_draw::{Camera, Canvas, Color, palette, text_size};
use quadrille_files::Fixes;
use quadrille_tracks::{Encounter, FlatMap, Found, Position, Tracks, Units};

use super::Answer;
use super::frame::Frame;
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
/// Width of the strokes of tracks and of encounters.
const THIN: f32 = 1.0;
const BOLD: f32 = 3.5;

/// Draws all tracks and all encounters, and labels the closest.
pub(super) fn draw(answer: Answer<'_>, tracks: &Tracks) -> Canvas {
    let map = Map::new(answer);
    let mut canvas = Canvas::new(map.size[0], map.size[1], palette::PAPER);
    for (set, file) in answer.files.iter().enumerate() {
        for track in (0..).take(file.ids.len()) {
            for path in tracks.path(track, set == 1, f64::NEG_INFINITY, f64::INFINITY) {
                map.line(&mut canvas, &path, THIN, TRACKS[set]);
            }
        }
    }
    spans(&answer.found.encounters, answer.files.len() > 1, |track, second, [start, end]| {
        for path in tracks.path(track, second, start, end) {
            map.line(&mut canvas, &path, BOLD, MET);
        }
    });
    map.draw_frame(&mut canvas);
    label_all(&mut canvas, &map, tracks, answer);
    canvas
}

/// From when to when each track met any other; those of the second file are marked. No time comes twice, however many
/// it met then.
fn spans(encounters: &[Encounter], are_two_files: bool, mut visit: impl FnMut(u32, bool, [f64; 2])) {
    let mut last = BTreeMap::new();
    // In order of their starts.
    for met in encounters {
        for (track, second) in [(met.a, false), (met.b, are_two_files)] {
            let span = last.entry((second, track)).or_insert([met.start, met.end]);
            if met.start > span[1] {
                visit(track, second, std::mem::replace(span, [met.start, met.end]));
            }
            span[1] = span[1].max(met.end);
        }
    }
    last.into_iter().for_each(|((second, track), span)| visit(track, second, span));
}

/// Maps positions to pixels.
struct Map {
    camera: Camera,
    size: [u16; 2],
    flat: FlatMap,
    frame: Frame,
    /// What is inside the frame, in pixels.
    inside: Aabb,
}

impl Map {
    fn new(answer: Answer<'_>) -> Self {
        let sets: Vec<_> = answer.files.iter().map(Fixes::columns).collect();
        let flat = FlatMap::new(answer.units(), &sets);
        let [min, max] = flat.bounds();
        let world = Aabb::new(min, max);
        let frame = Frame::new(&flat, answer.units());
        let [before, after] = frame.margins();
        let inner = size(world.size(), [0, 1].map(|axis| f64::from(before[axis] + after[axis])));
        let far = [0, 1].map(|axis| before[axis] + f32::from(inner[axis]));
        Self {
            camera: Camera::fit(&world, &Canvas::new(inner[0], inner[1], HALO)),
            size: [0, 1].map(|axis| (far[axis] + after[axis]) as u16),
            flat,
            frame,
            inside: Aabb::new(before, far),
        }
    }

    fn pixel(&self, position: &Position) -> [f32; 2] {
        self.place([position.x, position.y])
    }

    /// The pixel of an x and a y, or of a longitude and a latitude.
    fn place(&self, position: [f64; 2]) -> [f32; 2] {
        let pixel = self.camera.project(self.flat.project(position));
        [0, 1].map(|axis| pixel[axis] + self.inside.min[axis])
    }

    fn draw_frame(&self, canvas: &mut Canvas) {
        self.frame.draw(canvas, &self.inside, |position| self.place(position));
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

/// Width and height of the map of a world of this size, in a picture with these margins.
fn size(world: [f64; 2], margins: [f64; 2]) -> [u16; 2] {
    let scale = |axis: usize| (LONGER_SIDE - margins[axis]) / world[axis];
    let scale = scale(0).min(scale(1));
    [0, 1].map(|axis| {
        let pixels = if scale.is_finite() { world[axis] * scale } else { MIN_SIDE };
        pixels.clamp(MIN_SIDE - margins[axis], LONGER_SIDE - margins[axis]).round() as u16
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
    let [left, bottom] = [map.inside.min[0], map.inside.max[1]];
    taken.push(draw_legend(canvas, &legend(answer), [left + EDGE, bottom - EDGE]));
    taken.extend(map.scale_bar(canvas));
    let labels: Vec<_> = positions
        .iter()
        .map(|(position, text)| {
            let label = free_position(&map.inside, *position, text_size(text), &taken);
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
        plate(canvas, label);
        canvas.write(text, label.min.map(|side| side + BORDER), CLOSEST);
    }
}

/// What the strokes mean: their color and width.
type Meaning = (Color, f32, String);

fn legend(answer: Answer<'_>) -> Vec<Meaning> {
    let Found { tracks, encounters, pairs, .. } = answer.found;
    let count = |number: usize, noun| count(number as u64, noun);
    let mut meanings = match answer.files {
        [_] => vec![(TRACKS[0], THIN, count(*tracks, "track"))],
        files => {
            let places = ["first", "second"].into_iter().zip(files).zip(TRACKS);
            let text = |place, file: &Fixes| format!("{} of the {place} file", count(file.ids.len(), "track"));
            places.map(|((place, file), color)| (color, THIN, text(place, file))).collect()
        }
    };
    let met = format!("{} of {}", count(encounters.len(), "encounter"), count(*pairs, "pair"));
    meanings.push((MET, BOLD, met));
    meanings
}

/// Draws a legend whose lower left corner is there, and returns what it covers.
fn draw_legend(canvas: &mut Canvas, meanings: &[Meaning], [left, bottom]: [f32; 2]) -> Aabb {
    const SAMPLE: f32 = 28.0;
    const GAP: f32 = 8.0;
    let [width, line] = meanings
        .iter()
        .map(|(.., text)| text_size(text))
        .fold([0.0; 2], |most, [width, line]| [f32::max(most[0], width), f32::max(most[1], line)]);
    let height = line * meanings.len() as f32 + 2.0 * BORDER;
    let label = Aabb::new([left, bottom - height], [left + SAMPLE + GAP + width + 2.0 * BORDER, bottom]);
    plate(canvas, &label);
    for (row, (color, thickness, text)) in (0_u8..).zip(meanings) {
        let top = label.min[1] + BORDER + f32::from(row) * line;
        let from = [left + BORDER + 2.0, top + line / 2.0];
        // Thicker than on the map, where many lie beside each other.
        canvas.stroke([from, [from[0] + SAMPLE - 4.0, from[1]]], thickness + 1.0, *color);
        canvas.write(text, [left + BORDER + SAMPLE + GAP, top], CLOSEST);
    }
    label
}

impl Map {
    /// Draws a bar that is a round number of meters or kilometers long, if the map is of the earth, in the lower right corner.
    /// Returns what it covers.
    fn scale_bar(&self, canvas: &mut Canvas) -> Option<Aabb> {
        let [right, bottom] = self.inside.max;
        let (length, text) = self.frame.bar(&self.camera, self.inside.size()[0] / 4.0)?;
        let [width, line] = text_size(&text);
        let size = [length.max(width) + 6.0 * BORDER, line + 4.0 * BORDER];
        let corner = [right - EDGE - size[0], bottom - EDGE - size[1]];
        let label = Aabb::new(corner, [right - EDGE, bottom - EDGE]);
        plate(canvas, &label);
        let middle = label.center()[0];
        canvas.write(&text, [middle - width / 2.0, corner[1] + BORDER], CLOSEST);
        let [from, to] = [middle - length / 2.0, middle + length / 2.0];
        let y = label.max[1] - 2.0 * BORDER;
        canvas.stroke([[from, y], [to, y]], 2.0, CLOSEST);
        for end in [from, to] {
            canvas.stroke([[end, y - BORDER], [end, y + BORDER]], 2.0, CLOSEST);
        }
        Some(label)
    }
}

/// As in the table of the closest, but no more exact than positions are: `3: A and B, 12 m`.
fn label(answer: Answer<'_>, number: usize, met: &Encounter) -> String {
    const MAX_LETTERS: usize = 24;
    let [a, b] = answer.names(met).map(|id| id.chars().take(MAX_LETTERS).collect::<String>());
    let distance = match answer.units() {
        Units::Degrees if met.closest_distance < 10.0 => format!("{:.1} m", met.closest_distance),
        Units::Degrees if met.closest_distance < 1000.0 => format!("{:.0} m", met.closest_distance),
        Units::Degrees => format!("{:.1} km", met.closest_distance / 1000.0),
        Units::Plane => answer.distance_in_words(met),
    };
    format!("{}: {a} and {b}, {distance}", number + 1)
}

/// Pixels between a label's letters and its edge.
const BORDER: f32 = 4.0;
/// Pixels between the frame and what is in its corners.
const EDGE: f32 = 8.0;

/// White with a border.
fn plate(canvas: &mut Canvas, rect: &Aabb) {
    canvas.fill_rounded(rect, 4.0, CLOSEST);
    canvas.fill_rounded(&Aabb::new(rect.min.map(|side| side + 1.0), rect.max.map(|side| side - 1.0)), 3.0, HALO);
}

/// A free place for a label, as near to a position as possible: places on rings around it are tried.
fn free_position(inside: &Aabb, position: [f32; 2], size: [f32; 2], taken: &[Aabb]) -> Aabb {
    let inside = Aabb::new(inside.min.map(|side| side + 2.0), inside.max.map(|side| side - 2.0));
    let size = size.map(|side| side + 2.0 * BORDER);
    let rings =
        (1_u8..=24).flat_map(|ring| (0_u8..16).map(move |turn| (f32::from(ring) * 22.0, f32::from(turn) / 16.0)));
    let mut boxes = rings.map(|(away, turn)| {
        let (sin, cos) = (turn * std::f32::consts::TAU).sin_cos();
        around([position[0] + cos * (away + size[0] / 2.0), position[1] + sin * (away + size[1] / 2.0)], size)
    });
    let is_free = |label: &Aabb| inside.contains(label) && !taken.iter().any(|other| other.intersects(label));
    boxes.find(is_free).unwrap_or_else(|| around(position, size))
}

fn around(center: [f32; 2], size: [f32; 2]) -> Aabb {
    Aabb::from_center(center, size.map(|side| side / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mark for each unit of time within an encounter is taken once.
    #[test]
    fn every_time_of_an_encounter_is_drawn_once() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..200 {
            let are_two_files = round % 2 == 1;
            let mut marks = [[[false; 100]; 6]; 2];
            let mut starts: Vec<_> = (0..round % 40).map(|_| random.u8(..90)).collect();
            starts.sort_unstable();
            let encounters: Vec<_> = starts
                .into_iter()
                .map(|start| {
                    let (end, [a, b]) = (start + random.u8(..10), [random.u32(..3), random.u32(3..6)]);
                    for (set, track) in [(0, a), (usize::from(are_two_files), b)] {
                        marks[set][track as usize][start.into()..=end.into()].fill(true);
                    }
                    let [start, end] = [start, end].map(f64::from);
                    Encounter { a, b, start, end, closest_time: start, closest_distance: 0.0, closest_vertical: None }
                })
                .collect();
            spans(&encounters, are_two_files, |track, second, [start, end]| {
                for mark in &mut marks[usize::from(second)][track as usize][start as usize..=end as usize] {
                    assert!(std::mem::take(mark), "{track} is drawn twice from {start} to {end}, or met nobody then");
                }
            });
            assert!(marks.iter().flatten().flatten().all(|mark| !mark), "an encounter is not drawn");
        }
    }
}
