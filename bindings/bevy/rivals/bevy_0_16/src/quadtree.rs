//! bevy_quadtree: a loose quadtree of shapes over a fixed part of the world.

use bevy::math::Rect;
use bevy::prelude::*;
use bevy_quadtree::{CollisionRect, Contain, Contained, Overlap, QOr, QuadTree, QuadTreePlugin};
use bevy_rivals_scene::{HALF, Question, Run, Scene, time};

use crate::{Running, app, run};

/// Its app, if it can answer the question: it knows overlaps only. The world is 640 wide and high, which holds 50,000.
pub fn quadtree(scene: &Scene, question: Question) -> Option<Run> {
    if question != Question::Overlapping {
        return None;
    }
    let mut app = app(scene, || CollisionRect::from(Rect::from_center_half_size(Vec2::ZERO, Vec2::splat(HALF))));
    app.add_plugins(QuadTreePlugin::<(CollisionRect, GlobalTransform), 16, 8, 640, 640>::default());
    // It follows in `Update` where transforms were propagated in the frame before.
    app.add_systems(PostUpdate, overlapping);
    Some(run(app))
}

fn overlapping(tree: Res<QuadTree>, all: Query<&CollisionRect>, mut running: ResMut<Running>) {
    let ask = |own: &CollisionRect| tree.query::<QOr<(Overlap, Contain, Contained)>>(own).len() as u64;
    (running.0.asking, running.0.found) = time(|| all.iter().map(ask).sum());
}
