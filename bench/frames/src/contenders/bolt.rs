//! `bolt-quadtree`: every box is relocated, then one query per box. (Its own walk over all pairs is not used: of the
//! 7893 pairs among 20,000 boxes of `uniform` it reports 7419.) It does not count touching as overlapping. Its tree is
//! as deep as leaves of a quarter of its default capacity need; its default depth of 6 is meant for a few thousand
//! boxes.

use quadrille::Aabb;
use quadtree::quadtree::{Config, EntityTypeUpdate, QuadTree};
use quadtree::shapes::Rectangle;

use super::Agents;
use crate::tally::Tally;

pub struct Bolt(QuadTree);

pub fn new(boxes: &[Aabb]) -> Bolt {
    let world = Aabb::from_boxes(boxes);
    // Room to move in: boxes beyond the edge would be kept in the root.
    let world = world.with_margin((world.size()[0] + world.size()[1]) / 64.0);
    let [width, height] = world.size();
    let depth = 3.max((boxes.len().ilog2() / 2).saturating_sub(2)) as usize;
    let config = Config {
        pool_size: boxes.len(),
        max_depth: depth,
        min_size: width.min(height) / (1 << depth) as f32,
        auto_expand_bounds: true,
        ..Config::default()
    };
    let mut tree = QuadTree::new_with_config(Rectangle::new(world.min[0], world.min[1], width, height), config)
        .expect("a world with an area");
    for (id, aabb) in (0..).zip(boxes) {
        let [[x0, y0], [x1, y1]] = [aabb.min, aabb.max];
        tree.insert_rect_extent(id, x0, y0, x1, y1, None).expect("scenes are valid");
    }
    Bolt(tree)
}

impl Agents for Bolt {
    fn moves(&mut self, boxes: &[Aabb]) {
        for (id, aabb) in (0..).zip(boxes) {
            let [[x0, y0], [x1, y1]] = [aabb.min, aabb.max];
            self.0.relocate_rect_extent(id, x0, y0, x1, y1, EntityTypeUpdate::Preserve).expect("scenes are valid");
        }
        self.0.update();
    }

    fn asks(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        for (a, bounds) in (0..).zip(boxes) {
            let [[x0, y0], [x1, y1]] = [bounds.min, bounds.max];
            let found = |b| pairs.once(a, b);
            self.0.collisions_rect_extent_with(x0, y0, x1, y1, found).expect("scenes are valid");
        }
    }
}
