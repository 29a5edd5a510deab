//! The insides of a structure.

use std::ops::ControlFlow;

use eframe::egui::Color32;
use quadrille::structures::{AnyStructure, Node, NodeKind, StructureKind};
use quadrille::{Aabb, Index, Scalar};

use super::{Overlay, Overlays, fade};
use crate::render::{Line, Picture, Rectangle};
use crate::theme::{BLUE, GREEN, ORANGE, Theme, scale};

/// Lists this long or longer are yellow.
const LONGEST: f32 = 64.0;
/// Leaves this deep or deeper are yellow.
const DEEPEST: f32 = 12.0;

/// How a leaf or a cell that lists so many boxes is filled.
fn by_population(population: f32) -> Color32 {
    scale((population + 1.0).log2() / (LONGEST + 1.0).log2()).gamma_multiply(0.55)
}

/// How a leaf of this depth is filled.
fn by_depth(depth: f32) -> Color32 {
    scale(depth / DEEPEST).gamma_multiply(0.55)
}

/// What the fills of leaves and cells stand for, if `overlays` show any: a title, and amounts with their colors, the last of which is
/// that of all above it, too.
pub fn fills(overlays: Overlays) -> Option<(&'static str, [(u8, Color32); 7])> {
    if overlays.has(Overlay::Population) {
        Some(("boxes listed", [1, 2, 4, 8, 16, 32, 64].map(|count| (count, by_population(count.into())))))
    } else if overlays.has(Overlay::Depth) {
        Some(("depth", [0, 2, 4, 6, 8, 10, 12].map(|depth| (depth, by_depth(depth.into())))))
    } else {
        None
    }
}

/// Adds what `overlays` show of a structure. `flat` tells where its coordinates are in the picture, `walls` are those of
/// the world there, `shown` is what is seen of it, `points` how long a unit is on the screen.
pub fn add_structure<S: Scalar>(
    picture: &mut Picture,
    (index, flat): (&Index<AnyStructure<S>>, impl Fn(&Aabb<S>) -> Aabb),
    overlays: Overlays,
    theme: Theme,
    walls: &Aabb,
    shown: &Aabb,
    points: f32,
) {
    const OF_STRUCTURE: [Overlay; 5] =
        [Overlay::Cells, Overlay::Population, Overlay::Depth, Overlay::Hulls, Overlay::Tight];
    if OF_STRUCTURE.into_iter().any(|overlay| overlays.has(overlay)) {
        let border = Border::of(index, &flat, walls);
        let _: ControlFlow<()> = index.visit_nodes(|node| {
            let bounds = border.extend(flat(&node.bounds));
            if bounds.intersects(shown) {
                add_node(picture, &node, &bounds, overlays, theme, points);
            }
            ControlFlow::Continue(())
        });
    }
    if overlays.has(Overlay::Pyramid) {
        add_pyramid(picture, index, &flat, shown);
    }
    if overlays.has(Overlay::Order) {
        add_order(picture, index, &flat);
    }
}

/// Leaves and cells at the border of a quadtree or a grid also hold everything beyond: they are drawn up to the walls of
/// the world.
struct Border {
    own: Aabb,
    walls: Aabb,
}

impl Border {
    fn of<S: Scalar>(index: &Index<AnyStructure<S>>, flat: impl Fn(&Aabb<S>) -> Aabb, walls: &Aabb) -> Self {
        let is_endless = matches!(index.options().kind(), StructureKind::Quadtree | StructureKind::Grid);
        let mut own: Option<Aabb> = None;
        let _: ControlFlow<()> = index.visit_nodes(|node| {
            let bounds = flat(&node.bounds);
            own = Some(own.map_or(bounds, |own| own.union(&bounds)));
            if is_endless { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let own = own.unwrap_or(*walls);
        Self { own, walls: if is_endless { own.union(walls) } else { own } }
    }

    fn extend(&self, Aabb { min, max }: Aabb) -> Aabb {
        let side = |side: f32, own: f32, wall: f32| if side == own { wall } else { side };
        Aabb::new(
            [0, 1].map(|axis| side(min[axis], self.own.min[axis], self.walls.min[axis])),
            [0, 1].map(|axis| side(max[axis], self.own.max[axis], self.walls.max[axis])),
        )
    }
}

/// Only the tight cells of a loose grid list nothing: every other cell that is reported has boxes.
fn is_tight<S>(node: &Node<S>) -> bool {
    node.kind == NodeKind::Cell && node.population == 0
}

fn add_node<S>(picture: &mut Picture, node: &Node<S>, bounds: &Aabb, overlays: Overlays, theme: Theme, points: f32) {
    let is_hull = node.kind == NodeKind::Hull;
    let size = bounds.size();
    let opacity = fade(size[0].max(size[1]) * points);
    let mut add = |fill: Color32, stroke: Color32| {
        // Outlines of very small cells are transparent: drawing them would only cost time.
        if fill == Color32::TRANSPARENT && stroke == Color32::TRANSPARENT {
            return;
        }
        let layer = if fill == Color32::TRANSPARENT { &mut picture.over } else { &mut picture.under };
        layer.push(Rectangle::new(*bounds, fill, stroke));
    };
    let lists = node.population > 0 || node.kind == NodeKind::Leaf;
    if node.population > 0 && overlays.has(Overlay::Population) {
        add(by_population(node.population as f32), Color32::TRANSPARENT);
    } else if lists && overlays.has(Overlay::Depth) {
        add(by_depth(node.depth as f32), Color32::TRANSPARENT);
    }
    if is_tight(node) {
        if overlays.has(Overlay::Tight) {
            add(Color32::TRANSPARENT, GREEN.gamma_multiply(0.5 * opacity));
        }
    } else if is_hull {
        if overlays.has(Overlay::Hulls) || overlays.has(Overlay::Cells) {
            add(Color32::TRANSPARENT, ORANGE.gamma_multiply(0.7 * opacity));
        }
    } else if node.kind != NodeKind::Branch && overlays.has(Overlay::Cells) {
        add(Color32::TRANSPARENT, theme.ink().gamma_multiply(0.26 * opacity));
    }
}

/// Each level of the pyramid is a translucent layer: paint is thick where cells are occupied; where there is none, a
/// query stops at the top level.
fn add_pyramid<S: Scalar>(
    picture: &mut Picture,
    index: &Index<AnyStructure<S>>,
    flat: impl Fn(&Aabb<S>) -> Aabb,
    shown: &Aabb,
) {
    let _: ControlFlow<()> = index.visit_pyramid(|height, bounds| {
        let bounds = flat(&bounds);
        if shown.intersects(&bounds) {
            let color = if height == 1 { GREEN } else { BLUE };
            picture.under.push(Rectangle::new(bounds, color.gamma_multiply(0.18), color.gamma_multiply(0.6)));
        }
        ControlFlow::Continue(())
    });
}

/// A line from the middle of each listed box to that of the next.
fn add_order<S: Scalar>(picture: &mut Picture, index: &Index<AnyStructure<S>>, flat: impl Fn(&Aabb<S>) -> Aabb) {
    let count = index.len().max(1) as f32;
    let mut last: Option<[f32; 2]> = None;
    let mut place = 0.0_f32;
    let _: ControlFlow<()> = index.visit_lists(|_, list| {
        for bounds in list.filter_map(|id| index.get(id)) {
            let center = flat(&bounds).center();
            if let Some(from) = last.replace(center) {
                picture.lines.push(Line { from, to: center, width: 1.2, color: scale(place / count) });
            }
            place += 1.0;
        }
        ControlFlow::Continue(())
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::structures::Node;
    use quadrille_scenes::{Scene, SceneKind};

    fn drawn(kind: StructureKind, overlays: &[Overlay]) -> (Picture, Index<AnyStructure>, Aabb) {
        let scene = Scene::new(SceneKind::Uniform, 500, 3);
        let boxes: Vec<Aabb> = scene.boxes().collect();
        let index = Index::with_boxes(kind.into(), &boxes).expect("default options are valid");
        let mut picture = Picture::default();
        let overlays = overlays.iter().copied().collect();
        add_structure(
            &mut picture,
            (&index, |bounds| *bounds),
            overlays,
            Theme::Dark,
            &scene.world(),
            &scene.world(),
            10.0,
        );
        (picture, index, scene.world())
    }

    fn nodes(index: &Index<AnyStructure>, is_wanted: impl Fn(&Node) -> bool) -> Vec<Aabb> {
        let mut nodes = Vec::new();
        let _: ControlFlow<()> = index.visit_nodes(|node| {
            if is_wanted(&node) {
                nodes.push(node.bounds);
            }
            ControlFlow::Continue(())
        });
        nodes
    }

    fn rectangles(layer: &[Rectangle]) -> Vec<Aabb> {
        layer.iter().map(|rectangle| Aabb::new(rectangle.min, rectangle.max)).collect()
    }

    #[test]
    fn outlines_too_small_to_be_seen_are_not_drawn() {
        let (_, index, world) = drawn(StructureKind::Quadtree, &[]);
        for (points, is_drawn) in [(1e-3, false), (10.0, true)] {
            let mut picture = Picture::default();
            let overlays = Overlays::from_iter([Overlay::Cells]);
            add_structure(&mut picture, (&index, |bounds| *bounds), overlays, Theme::Dark, &world, &world, points);
            assert_eq!(!picture.over.is_empty(), is_drawn, "{points}");
        }
    }

    #[test]
    fn outlines_are_where_the_structure_says_its_leaves_are() {
        let (picture, index, _) = drawn(StructureKind::EnclosingQuadtree, &[Overlay::Cells]);
        let leaves = nodes(&index, |node| node.kind == NodeKind::Leaf);
        assert!(leaves.len() > 12);
        assert_eq!(rectangles(&picture.over), leaves);
    }

    #[test]
    fn leaves_and_cells_at_the_border_reach_the_walls() {
        let boxes: Vec<Aabb> = Scene::new(SceneKind::Uniform, 500, 3).boxes().collect();
        for kind in [StructureKind::Quadtree, StructureKind::Grid] {
            let index = Index::with_boxes(kind.into(), &boxes).expect("default options are valid");
            let own = nodes(&index, |node| matches!(node.kind, NodeKind::Leaf | NodeKind::Cell));
            let walls = own.iter().fold(own[0], |all, one| all.union(one)).with_margin(5.0);
            let mut picture = Picture::default();
            let overlays = Overlays::from_iter([Overlay::Cells]);
            add_structure(&mut picture, (&index, |bounds| *bounds), overlays, Theme::Dark, &walls, &walls, 10.0);
            let drawn = rectangles(&picture.over);
            assert_eq!(drawn.len(), own.len(), "{kind}");
            assert_eq!(drawn.iter().fold(drawn[0], |all, one| all.union(one)), walls, "{kind}");
            let moved = drawn.iter().zip(&own).filter(|(drawn, own)| drawn != own).count();
            assert!(moved < own.len() && drawn.iter().zip(&own).all(|(drawn, own)| drawn.contains(own)), "{kind}");
        }
    }

    #[test]
    fn loose_and_tight_rectangles_are_told_apart() {
        let (picture, index, _) = drawn(StructureKind::LooseGrid, &[Overlay::Hulls]);
        assert_eq!(rectangles(&picture.over), nodes(&index, |node| node.kind == NodeKind::Hull));
        let (picture, index, world) = drawn(StructureKind::LooseGrid, &[Overlay::Tight]);
        let tight = nodes(&index, |node| node.kind == NodeKind::Cell && node.bounds.intersects(&world));
        assert!(!tight.is_empty());
        assert_eq!(rectangles(&picture.over), tight);
    }

    #[test]
    fn the_pyramid_is_what_the_grid_says_and_trees_have_none() {
        let (picture, index, world) = drawn(StructureKind::Grid, &[Overlay::Pyramid]);
        let mut expected = Vec::new();
        let _: ControlFlow<()> = index.visit_pyramid(|_, bounds| {
            expected.push(bounds);
            ControlFlow::Continue(())
        });
        expected.retain(|bounds| bounds.intersects(&world));
        assert!(!expected.is_empty());
        assert_eq!(rectangles(&picture.under), expected);
        assert_eq!(drawn(StructureKind::Quadtree, &[Overlay::Pyramid]).0, Picture::default());
    }

    #[test]
    fn fills_follow_population_and_depth() {
        let (picture, index, _) = drawn(StructureKind::Quadtree, &[Overlay::Population]);
        assert_eq!(picture.under.len(), nodes(&index, |node| node.kind == NodeKind::Leaf && node.population > 0).len());
        let (by_depth, ..) = drawn(StructureKind::Quadtree, &[Overlay::Depth]);
        assert_ne!(picture.under, by_depth.under);
    }

    #[test]
    fn the_order_is_a_curve_through_every_listed_box() {
        for &kind in StructureKind::ALL {
            let (picture, index, _) = drawn(kind, &[Overlay::Order]);
            assert_eq!(picture.lines.len(), index.stats().listed.max(1) - 1, "{kind}");
            assert!(picture.lines.windows(2).all(|two| two[0].to == two[1].from), "{kind}");
        }
    }

    #[test]
    fn nothing_is_drawn_that_nobody_asked_for() {
        for &kind in StructureKind::ALL {
            let (picture, ..) = drawn(kind, &[]);
            assert_eq!(picture, Picture::default(), "{kind}");
        }
    }
}
