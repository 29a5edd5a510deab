//! The shapes of a file as lines.

use eframe::egui::Color32;
use quadrille::Aabb;
use quadrille_shapes::{Geometries, Part};

use crate::render::{Line, add_way};

/// The points of all shapes in the picture, one line or ring after the other.
#[derive(Debug)]
pub(super) struct Outlines {
    places: Vec<[f32; 2]>,
    /// Where each line ends.
    ends: Vec<u32>,
    /// The lines of each shape, by the number of its box: where they end.
    shapes: Vec<u32>,
}

impl Outlines {
    /// The lines and rings of all shapes. Points have none; a shape that equals its box is drawn as a box.
    pub(super) fn new(all: &Geometries, count: usize, place: impl Fn([f64; 2]) -> [f32; 2]) -> Self {
        let mut outlines = Self { places: Vec::new(), ends: Vec::new(), shapes: Vec::new() };
        for number in (0..).take(count.min(all.len())) {
            for (part, places) in all.parts(number).filter(|(part, _)| *part != Part::Point && !all.is_box(number)) {
                outlines.places.extend(places.iter().map(|at| place(*at)));
                let is_ring = matches!(part, Part::Shell | Part::Hole);
                outlines.places.extend(places.first().filter(|_| is_ring).map(|at| place(*at)));
                outlines.ends.push(outlines.places.len() as u32);
            }
            outlines.shapes.push(outlines.ends.len() as u32);
        }
        outlines
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether a shape has lines to draw instead of its box.
    pub(super) fn has(&self, id: u32) -> bool {
        !self.lines_of(id).is_empty()
    }

    /// Adds the visible part of a shape. Parts of a line shorter than `step` are merged with the next.
    pub(super) fn add(&self, lines: &mut Vec<Line>, id: u32, style: (f32, Color32), shown: &Aabb, step: f32) {
        for line in self.lines_of(id) {
            let start = line.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
            add_way(lines, &self.places[start..self.ends[line] as usize], style, shown, step);
        }
    }

    fn lines_of(&self, id: u32) -> std::ops::Range<usize> {
        let Some(&end) = self.shapes.get(id as usize) else { return 0..0 };
        let start = id.checked_sub(1).map_or(0, |before| self.shapes[before as usize]);
        start as usize..end as usize
    }
}
