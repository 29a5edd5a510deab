//! A query and its answer, drawn into a pane.

use eframe::egui::emath::Rot2;
use eframe::egui::epaint::{Mesh, PathStroke};
use eframe::egui::{Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, vec2};
use quadrille::structures::AnyStructure;
use quadrille::{Aabb, Index};

use crate::camera::Camera;
use crate::render::{Picture, Rectangle};
use crate::theme::{ORANGE, Theme, YELLOW};
use crate::tools::{Answer, Ask, Tool};

/// Hits that get a number. More would cover each other.
const NUMBERED: usize = 20;

/// The most visited nodes and cells that are filled. A light visits more than anyone can see.
const MOST_CELLS: usize = 20_000;

/// Adds the nodes and cells that were visited, faint, behind the agents.
pub(super) fn add_cells(picture: &mut Picture, answer: &Answer, shown: &Aabb) {
    // Cells at the border of the world are endless, which is more than a GPU can draw.
    let most = shown.with_margin(shown.size()[0]);
    let mut cells: Vec<Aabb> =
        answer.cells.iter().take(MOST_CELLS).filter_map(|cell| cell.intersection(&most)).collect();
    // A cell that was compared several times is painted once.
    let edges = |cell: &Aabb| [cell.min, cell.max].concat().into_iter().map(f32::to_bits).collect::<Vec<_>>();
    cells.sort_by_cached_key(edges);
    cells.dedup();
    let (fill, stroke) = (ORANGE.gamma_multiply(0.05), ORANGE.gamma_multiply(0.55));
    picture.under.extend(cells.into_iter().map(|cell| Rectangle::new(cell, fill, stroke)));
}

/// Draws the query's shape, and what shows the order of the answer.
pub(super) fn paint(pen: &Pen<'_>, ask: &Ask, answer: &Answer, index: &Index<AnyStructure>) {
    let (from, to) = (pen.project(ask.from), pen.project(ask.to));
    let (stroke, fill) = (pen.stroke(), pen.fill());
    match ask.tool {
        Tool::Pan | Tool::Grab | Tool::Add | Tool::Remove => {}
        Tool::Rectangle => {
            pen.painter.rect(Rect::from_two_pos(from, to), 0.0, fill, stroke, StrokeKind::Middle);
        }
        Tool::Point => cross(pen.painter, to, stroke),
        Tool::Circle => {
            pen.painter.circle(from, ask.reach() * pen.camera.scale(pen.pane), fill, stroke);
            pen.painter.circle_filled(from, 3.0, stroke.color);
        }
        Tool::Nearest => pen.nearest(ask, answer, index),
        Tool::Ray => arrow(pen.painter, from, to, stroke),
        Tool::Sweep => pen.sweep(ask),
        Tool::Cone => {
            let corners = ask.cone().map(|cone| cone.corners().iter().map(|&corner| pen.project(corner)).collect());
            let outline = PathStroke::new(stroke.width, stroke.color);
            pen.painter.add(Shape::convex_polygon(corners.unwrap_or_default(), fill, outline));
        }
        Tool::Light => pen.light(ask, answer),
    }
    number_hits(pen.painter, pen.theme, (from, to), answer);
}

/// What draws into a pane.
pub(super) struct Pen<'a> {
    pub(super) painter: &'a Painter,
    pub(super) theme: Theme,
    pub(super) camera: Camera,
    pub(super) pane: Rect,
}

impl Pen<'_> {
    fn project(&self, point: [f32; 2]) -> Pos2 {
        self.camera.project(self.pane, point)
    }

    fn stroke(&self) -> Stroke {
        Stroke::new(2.0, self.theme.answer())
    }

    fn fill(&self) -> Color32 {
        self.theme.answer().gamma_multiply(0.10)
    }

    /// A line to each of the nearest boxes.
    fn nearest(&self, ask: &Ask, answer: &Answer, index: &Index<AnyStructure>) {
        let (to, color) = (self.project(ask.to), self.theme.answer());
        for bounds in answer.found.iter().filter_map(|&id| index.get(id)) {
            self.painter.line_segment([to, self.project(bounds.nearest_point(ask.to))], Stroke::new(1.5, color));
        }
        self.painter.circle_filled(to, 4.0, color);
    }

    /// The moving box at both ends of its path, and the path.
    fn sweep(&self, ask: &Ask) {
        let (from, to) = (self.project(ask.from), self.project(ask.to));
        let start = self.camera.rect(self.pane, &ask.swept());
        for rect in [start, start.translate(to - from)] {
            self.painter.rect(rect, 0.0, self.fill(), self.stroke(), StrokeKind::Middle);
        }
        arrow(self.painter, from, to, self.stroke());
    }

    /// The lamp, and what it lights.
    fn light(&self, ask: &Ask, answer: &Answer) {
        let from = self.project(ask.from);
        let corners = answer.lit.iter().map(|&corner| self.project(corner));
        self.painter.add(star(from, corners, YELLOW.gamma_multiply(0.28)));
        self.painter.circle_filled(from, 5.0, YELLOW);
        self.painter.circle_stroke(from, 5.0, Stroke::new(1.0, self.theme.ink()));
    }
}

/// Where each hit is on the path, and its number on a plate, unless it would cover another.
fn number_hits(painter: &Painter, theme: Theme, (from, to): (Pos2, Pos2), answer: &Answer) {
    let hits: Vec<Pos2> = answer.times.iter().take(NUMBERED).map(|time| from + (to - from) * *time as f32).collect();
    for hit in &hits {
        painter.circle_filled(*hit, 4.0, theme.ink());
        painter.circle_filled(*hit, 2.5, theme.answer());
    }
    let mut taken: Vec<Rect> = Vec::new();
    for (number, hit) in (1..).zip(hits) {
        let galley = painter.layout_no_wrap(format!("{number}"), FontId::proportional(13.0), theme.ink());
        let Some(plate) = free_plate(hit, galley.size() + vec2(6.0, 0.0), &taken) else { continue };
        taken.push(plate);
        painter.line_segment([hit, plate.center()], Stroke::new(1.0, theme.ink().gamma_multiply(0.6)));
        painter.rect_filled(plate, 3.0, theme.paper().gamma_multiply(0.9));
        painter.galley(plate.min + vec2(3.0, 0.0), galley, theme.ink());
    }
}

/// The nearest free spot for a label beside a place; `None` if all spots near it are taken.
fn free_plate(place: Pos2, size: Vec2, taken: &[Rect]) -> Option<Rect> {
    const RINGS: u8 = 4;
    const TURNS: u8 = 8;
    let rings = (1..=RINGS).flat_map(|ring| (0..TURNS).map(move |turn| (f32::from(ring), f32::from(turn))));
    let mut plates = rings.map(|(ring, turn)| {
        // The first one is above, to the right.
        let way = Rot2::from_angle((turn - 1.0) * std::f32::consts::TAU / f32::from(TURNS)) * vec2(1.0, 0.0);
        Rect::from_center_size(place + way * 16.0 * ring, size)
    });
    plates.find(|plate| !taken.iter().any(|other| other.intersects(*plate)))
}

/// A line with a small head, however long it is.
fn arrow(painter: &Painter, from: Pos2, to: Pos2, stroke: Stroke) {
    const HEAD: f32 = 11.0;
    painter.line_segment([from, to], stroke);
    let back = (from - to).normalized() * HEAD;
    for side in [0.45, -0.45] {
        painter.line_segment([to, to + Rot2::from_angle(side) * back], stroke);
    }
}

fn cross(painter: &Painter, at: Pos2, stroke: Stroke) {
    for arm in [vec2(8.0, 0.0), vec2(0.0, 8.0)] {
        painter.line_segment([at - arm, at + arm], stroke);
    }
}

/// A polygon all of whose corners can be seen from `eye`, as a fan of triangles.
fn star(eye: Pos2, corners: impl Iterator<Item = Pos2>, color: Color32) -> Mesh {
    let mut mesh = Mesh::default();
    mesh.colored_vertex(eye, color);
    corners.for_each(|corner| mesh.colored_vertex(corner, color));
    let last = u32::try_from(mesh.vertices.len()).unwrap_or(u32::MAX) - 1;
    for corner in 1..=last {
        let next = if corner == last { 1 } else { corner + 1 };
        mesh.add_triangle(0, corner, next);
    }
    mesh
}
