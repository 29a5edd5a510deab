//! Spatial indexes for Bevy 0.16: bevy_spatial and bevy_quadtree.

mod quadtree;
mod spatial;

pub use quadtree::quadtree;
pub use spatial::spatial;

use bevy::prelude::*;
use bevy_rivals_scene::{Lap, Run, Scene, time};

/// What an entity moves by in a frame.
#[derive(Component)]
struct Step(Vec3);

/// The lap that is being run.
#[derive(Resource, Default)]
struct Running(Lap);

fn drift(mut all: Query<(&Step, &mut Transform)>) {
    all.iter_mut().for_each(|(step, mut place)| place.translation += step.0);
}

/// An app whose entities move, and have whatever else `bundle` gives them.
fn app<B: Bundle>(scene: &Scene, bundle: impl Fn() -> B) -> App {
    let mut app = App::new();
    app.add_plugins(TransformPlugin).init_resource::<Running>().add_systems(PreUpdate, drift);
    for (&[x, y], &[dx, dy]) in scene.places.iter().zip(&scene.steps) {
        app.world_mut().spawn((Step(Vec3::new(dx, dy, 0.0)), Transform::from_xyz(x, y, 0.0), bundle()));
    }
    app
}

fn run(mut app: App) -> Run {
    app.finish();
    Box::new(move || {
        let (frame, ()) = time(|| app.update());
        Lap { frame, ..app.world().resource::<Running>().0 }
    })
}

/// Bevy without any index.
pub fn alone(scene: &Scene) -> Run {
    run(app(scene, || ()))
}
