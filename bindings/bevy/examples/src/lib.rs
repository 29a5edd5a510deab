//! Small games without a window. Each module builds an [`App`](bevy_app::App) of some hundred frames; `cargo run --
//! NAME` runs one and prints what happened, and the tests check what must be true of each.

pub mod bullet_storm;
pub mod city;
pub mod flock;
pub mod picking;
pub mod tower_defence;

use bevy_app::App;
use bevy_math::Vec2;
use bevy_quadrille::QuadrillePlugin;
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use quadrille_scenes::Random;

/// An app with transforms and boxes.
fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TransformPlugin, QuadrillePlugin::default()));
    app
}

/// A point of a square that reaches `half` to each side of the origin.
fn anywhere(random: &mut Random, half: f32) -> Vec2 {
    let mut part = || (random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0) * half;
    Vec2::new(part(), part())
}

fn at(point: Vec2) -> Transform {
    Transform::from_translation(point.extend(0.0))
}
