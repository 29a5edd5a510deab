//! An answer of the region tree, drawn on the map.

use eframe::egui::{Align2, Color32, FontId, Painter, Rect, Stroke, StrokeKind};
use quadrille::Aabb;
use quadrille::region::{Direction, Leaf};

use super::ask::{MapAnswer, letters};
use super::draw::{flip, rectangle};
use super::land::square;
use super::mode::MapMode;
use crate::camera::Camera;
use crate::render::Picture;
use crate::theme::{BLUE, GREEN, ORANGE, PURPLE, SKY, Theme, VERMILION, YELLOW};

/// A leaf has letters in it if it is this many points wide for each.
const LETTER: f32 = 11.0;

/// The color of a direction: all eight inks of the palette.
pub fn color_of(direction: Direction, theme: Theme) -> Color32 {
    [VERMILION, GREEN, BLUE, ORANGE, PURPLE, YELLOW, SKY, theme.ink()][direction as usize]
}

/// Lights the leaves of an answer.
pub fn add_answer(picture: &mut Picture, mode: &MapMode, answer: &MapAnswer, theme: Theme) {
    let mut light = |cells: Aabb<i32>, color: Color32, opacity: f32| {
        picture.under.push(rectangle(mode, cells, color.gamma_multiply(opacity), color));
    };
    match answer {
        MapAnswer::Range { leaves, .. } => leaves.iter().for_each(|leaf| light(leaf.rect, theme.answer(), 0.3)),
        MapAnswer::Covering { node, .. } => light(node.bounds, ORANGE, 0.2),
        MapAnswer::Neighbors { leaf, around } => {
            light(leaf.rect, theme.ink(), 0.5);
            by_leaf(around).iter().for_each(|(leaf, directions)| light(leaf.rect, color_of(directions[0], theme), 0.5));
        }
    }
}

/// Each neighbor with its directions: a large one touches a side and lies beyond corners too. None touches two sides.
fn by_leaf(around: &[Vec<Leaf>; 8]) -> Vec<(Leaf, Vec<Direction>)> {
    const STRAIGHT: usize = 4;
    let all = Direction::ALL.into_iter().zip(around);
    let all = all.flat_map(|(direction, leaves)| leaves.iter().map(move |leaf| (*leaf, vec![direction])));
    let straight: usize = around[..STRAIGHT].iter().map(Vec::len).sum();
    let mut neighbors: Vec<(Leaf, Vec<Direction>)> = all.clone().take(straight).collect();
    for (leaf, direction) in all.skip(straight) {
        match neighbors.iter_mut().find(|neighbor| neighbor.0.id == leaf.id) {
            Some((_, directions)) => directions.extend(direction),
            None => neighbors.push((leaf, direction)),
        }
    }
    neighbors
}

/// Outlines the query and the node that contains it; names the directions of neighbors.
pub fn paint_answer(painter: &Painter, mode: &MapMode, answer: &MapAnswer, camera: Camera, screen: Rect, theme: Theme) {
    let place = |cells: Aabb<i32>| {
        let Aabb { min, max } = square(cells);
        Rect::from_two_pos(camera.project(screen, flip(mode, min)), camera.project(screen, flip(mode, max)))
    };
    let outline = |cells, color| painter.rect_stroke(place(cells), 0.0, Stroke::new(2.5, color), StrokeKind::Middle);
    match answer {
        MapAnswer::Range { cells, .. } => {
            outline(*cells, theme.ink());
        }
        MapAnswer::Covering { cells, node, .. } => {
            outline(node.bounds, ORANGE);
            outline(*cells, theme.ink());
        }
        MapAnswer::Neighbors { leaf, around } => {
            outline(leaf.rect, theme.ink());
            for (leaf, directions) in by_leaf(around) {
                let text = directions.into_iter().map(letters).collect::<Vec<_>>().join(" ");
                if place(leaf.rect).width() >= LETTER * text.len() as f32 {
                    let font = FontId::proportional(13.0);
                    painter.text(place(leaf.rect).center(), Align2::CENTER_CENTER, text, font, theme.ink());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::{MapKind, MapTool, Walk};
    use quadrille_paths::Cell;

    #[test]
    fn every_neighbor_is_lit_once_in_the_color_of_its_first_direction() {
        let mode = MapMode::built_in(MapKind::Caves, 1, Walk::default());
        let answer = MapTool::Neighbors.answer(&mode.land, [Cell::new(64, 64); 2]).expect("every cell has a leaf");
        let MapAnswer::Neighbors { leaf, around } = &answer else { panic!("neighbors were asked for") };
        let neighbors = by_leaf(around);
        assert!(around.iter().map(Vec::len).sum::<usize>() > neighbors.len(), "one touches a side and a corner");
        let mut picture = Picture::default();
        add_answer(&mut picture, &mode, &answer, Theme::Dark);
        let lit = |cells: Aabb<i32>, color: Color32| {
            let same = rectangle(&mode, cells, color.gamma_multiply(0.5), color);
            picture.under.iter().filter(|one| **one == same).count()
        };
        assert_eq!(picture.under.len(), neighbors.len() + 1);
        assert_eq!(lit(leaf.rect, Theme::Dark.ink()), 1);
        assert!(neighbors.iter().all(|(leaf, directions)| lit(leaf.rect, color_of(directions[0], Theme::Dark)) == 1));
    }

    #[test]
    fn a_range_lights_its_leaves_and_a_covering_node_itself() {
        let mode = MapMode::built_in(MapKind::Rooms, 1, Walk::default());
        let ends = [Cell::new(3, 3), Cell::new(70, 30)];
        for (tool, count) in [(MapTool::Range, None), (MapTool::Covering, Some(1))] {
            let answer = tool.answer(&mode.land, ends).expect("it asks something");
            let mut picture = Picture::default();
            add_answer(&mut picture, &mode, &answer, Theme::Light);
            let expected = count.unwrap_or_else(|| mode.land.tree.leaves_in(Aabb::new([3, 3], [70, 30])).count());
            assert_eq!(picture.under.len(), expected, "{tool}");
        }
    }
}
