//! A question and its answer, drawn into a pane.

use eframe::egui::emath::Rot2;
use eframe::egui::epaint::{Mesh, PathStroke};
use eframe::egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, vec2};
use quadrille::{Aabb, AnyStructure, Index};

use crate::camera::Camera;
use crate::render::{Picture, Rectangle};
use crate::theme::{ORANGE, Theme, YELLOW};
use crate::tools::{Answer, Ask, Tool};

/// Hits that get a number. More would cover each other.
const NUMBERED: usize = 20;

/// Nodes and cells that are filled, of those looked at. A light looks at more than anyone can see.
const MOST_CELLS: usize = 20_000;

/// Adds the nodes and cells that were looked at, faint, behind the agents.
pub(super) fn add_cells(picture: &mut Picture, answer: &Answer, shown: &Aabb) {
    // Cells at the border of the world are endless, which is more than a GPU can draw.
    let most = shown.with_margin(shown.size()[0]);
    let mut cells: Vec<Aabb> =
        answer.cells.iter().take(MOST_CELLS).filter_map(|cell| cell.intersection(&most)).collect();
    // A cell that was compared several times is painted once.
    let edges = |cell: &Aabb| [cell.min, cell.max].concat().into_iter().map(f32::to_bits).collect::<Vec<_>>();
    cells.sort_by_cached_key(edges);
    cells.dedup();
    let (fill, stroke) = (ORANGE.gamma_multiply(0.05).to_array(), ORANGE.gamma_multiply(0.55).to_array());
    picture.under.extend(cells.into_iter().map(|Aabb { min, max }| Rectangle { min, max, fill, stroke }));
}

/// Draws the question's shape, and what shows the order of the answer.
pub(super) fn paint(
    painter: &Painter,
    theme: Theme,
    camera: Camera,
    pane: Rect,
    ask: &Ask,
    answer: &Answer,
    index: &Index<AnyStructure>,
) {
    let place = |point: [f32; 2]| camera.place(pane, point);
    let (from, to) = (place(ask.from), place(ask.to));
    let color = theme.answer();
    let (stroke, fill) = (Stroke::new(2.0, color), color.gamma_multiply(0.10));
    match ask.tool {
        Tool::Pan | Tool::Grab => {}
        Tool::Rectangle => {
            painter.rect(Rect::from_two_pos(from, to), 0.0, fill, stroke, StrokeKind::Middle);
        }
        Tool::Point => cross(painter, to, stroke),
        Tool::Circle => {
            painter.circle(from, ask.reach() * camera.scale(pane), fill, stroke);
            painter.circle_filled(from, 3.0, color);
        }
        Tool::Nearest => {
            let middles = answer.found.iter().filter_map(|&id| index.get(id));
            for bounds in middles {
                painter.line_segment([to, place(nearest_point(&bounds, ask.to))], Stroke::new(1.5, color));
            }
            painter.circle_filled(to, 4.0, color);
        }
        Tool::Ray => arrow(painter, from, to, stroke),
        Tool::Sweep => {
            let start = camera.rect(pane, &ask.swept());
            painter.rect(start, 0.0, fill, stroke, StrokeKind::Middle);
            painter.rect(start.translate(to - from), 0.0, fill, stroke, StrokeKind::Middle);
            arrow(painter, from, to, stroke);
        }
        Tool::Cone => {
            let corners = ask.cone().map(|cone| cone.corners().iter().map(|&corner| place(corner)).collect());
            painter.add(Shape::convex_polygon(corners.unwrap_or_default(), fill, PathStroke::new(2.0, color)));
        }
        Tool::Light => {
            painter.add(star(from, answer.lit.iter().map(|&corner| place(corner)), YELLOW.gamma_multiply(0.28)));
            painter.circle_filled(from, 5.0, YELLOW);
            painter.circle_stroke(from, 5.0, Stroke::new(1.0, theme.ink()));
        }
    }
    number_hits(painter, theme, (from, to), answer);
}

/// Where each hit is on the way, and its number.
fn number_hits(painter: &Painter, theme: Theme, (from, to): (Pos2, Pos2), answer: &Answer) {
    for (number, time) in (1..).zip(answer.times.iter().take(NUMBERED)) {
        let hit = from + (to - from) * *time as f32;
        painter.circle_filled(hit, 4.0, theme.ink());
        painter.circle_filled(hit, 2.5, theme.answer());
        let font = FontId::proportional(13.0);
        painter.text(hit + vec2(5.0, -5.0), Align2::LEFT_BOTTOM, format!("{number}"), font, theme.ink());
    }
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

/// The point of a box that is nearest to another point.
fn nearest_point(bounds: &Aabb, [x, y]: [f32; 2]) -> [f32; 2] {
    [x.max(bounds.min[0]).min(bounds.max[0]), y.max(bounds.min[1]).min(bounds.max[1])]
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
