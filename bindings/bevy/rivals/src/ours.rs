//! bevy_quadrille.

use bevy_app::PostUpdate;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_quadrille::{BoundingBox, BoxSystems, Boxes, QuadrillePlugin};
use bevy_rivals_scene::{HALF, Question, REACH, Run, Scene, time, whole_square};
use bevy_transform::components::Transform;

use crate::world::{self, Running};

pub(crate) fn run(scene: &Scene, question: Question) -> Run {
    let half = if question == Question::Overlapping { HALF } else { 0.0 };
    let mut app = world::app(scene, || BoundingBox::new(Vec2::splat(half)));
    app.add_plugins(QuadrillePlugin::default());
    match question {
        Question::Near => app.add_systems(PostUpdate, near.after(BoxSystems)),
        Question::Nearest => app.add_systems(PostUpdate, nearest.after(BoxSystems)),
        Question::Overlapping => app.add_systems(PostUpdate, overlapping.after(BoxSystems)),
    };
    world::run(app)
}

fn near(boxes: Boxes, all: Query<&Transform>, mut running: ResMut<Running>) {
    let ask = |place: &Transform| boxes.near(place.translation.truncate(), REACH).count() as u64;
    (running.0.asking, running.0.found) = time(|| all.iter().map(ask).sum());
}

fn nearest(boxes: Boxes, all: Query<Entity, With<BoundingBox>>, mut running: ResMut<Running>) {
    let ask = |own| boxes.nearest_to(own).map_or(0, |(_, distance)| whole_square(distance));
    (running.0.asking, running.0.found) = time(|| all.iter().map(ask).sum());
}

fn overlapping(boxes: Boxes, all: Query<Entity, With<BoundingBox>>, mut running: ResMut<Running>) {
    let ask = |own| boxes.neighbors(own).count() as u64 + 1;
    (running.0.asking, running.0.found) = time(|| all.iter().map(ask).sum());
}
