//! The moving world of Bevy 0.19.

use bevy_app::{App, PreUpdate};
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_rivals_scene::{Lap, Run, Scene, time};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

/// What an entity moves by in a frame.
#[derive(Component)]
struct Step(Vec3);

/// The lap that is being run.
#[derive(Resource, Default)]
pub(crate) struct Running(pub(crate) Lap);

fn drift(mut all: Query<(&Step, &mut Transform)>) {
    all.iter_mut().for_each(|(step, mut place)| place.translation += step.0);
}

/// An app whose entities move, and have whatever else `bundle` gives them.
pub(crate) fn app<B: Bundle>(scene: &Scene, bundle: impl Fn() -> B) -> App {
    let mut app = App::new();
    app.add_plugins(TransformPlugin).init_resource::<Running>().add_systems(PreUpdate, drift);
    for (&[x, y], &[dx, dy]) in scene.places.iter().zip(&scene.steps) {
        app.world_mut().spawn((Step(Vec3::new(dx, dy, 0.0)), Transform::from_xyz(x, y, 0.0), bundle()));
    }
    app
}

pub(crate) fn run(mut app: App) -> Run {
    app.finish();
    Box::new(move || {
        let (frame, ()) = time(|| app.update());
        Lap { frame, ..app.world().resource::<Running>().0 }
    })
}
