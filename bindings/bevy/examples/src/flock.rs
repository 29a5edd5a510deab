//! Birds that fly as their neighbors do. Each queries what is near it.

use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_quadrille::{BoundingBox, Boxes};
use bevy_transform::components::Transform;
use quadrille_scenes::Random;

use crate::{anywhere, app, at};

/// How fast a bird flies in a frame.
#[derive(Component, Debug, Clone, Copy)]
pub struct Velocity(pub Vec2);

/// How far a bird sees.
const SIGHT: f32 = 6.0;
/// Half of the side of the world.
const HALF: f32 = 40.0;
/// How far it flies in a frame.
const SPEED: f32 = 0.3;

/// A flock of this many birds in a square that wraps around.
pub fn game(birds: u32) -> App {
    let (mut app, mut random) = (app(), Random::new(1));
    for _ in 0..birds {
        let heading = anywhere(&mut random, 1.0).normalize_or(Vec2::X);
        let place = at(anywhere(&mut random, HALF));
        app.world_mut().spawn((Velocity(heading * SPEED), BoundingBox::new(Vec2::splat(0.2)), place));
    }
    app.add_systems(Update, (steer, fly).chain());
    app
}

/// Steers in the direction of the neighbors, a little toward their middle, and away from those too close.
fn steer(mut birds: Query<(Entity, &Transform, &mut Velocity)>, boxes: Boxes) {
    let before: bevy_ecs::entity::EntityHashMap<(Vec2, Vec2)> =
        birds.iter().map(|(bird, place, velocity)| (bird, (place.translation.truncate(), velocity.0))).collect();
    for (bird, place, mut velocity) in &mut birds {
        let here = place.translation.truncate();
        let mut turn = Vec2::ZERO;
        for (other, flight) in boxes.near_entity(bird, SIGHT).filter_map(|other| before.get(&other)) {
            let away = here - *other;
            turn += *flight - away * 0.003 + away / away.length_squared().max(0.1) * 0.1;
        }
        velocity.0 = (velocity.0 + turn * 0.3).normalize_or(Vec2::X) * SPEED;
    }
}

fn fly(mut birds: Query<(&mut Transform, &Velocity)>) {
    for (mut place, velocity) in &mut birds {
        let next = place.translation.truncate() + velocity.0;
        // Birds that leave on one side come in on the other.
        place.translation = ((next + HALF).rem_euclid(Vec2::splat(2.0 * HALF)) - HALF).extend(0.0);
    }
}

/// How well the directions agree: 1 if all birds fly the same way, about 0 if each flies its own way.
pub fn order(app: &mut App) -> f32 {
    let mut birds = app.world_mut().query::<&Velocity>();
    let flights: Vec<Vec2> = birds.iter(app.world()).map(|velocity| velocity.0 / SPEED).collect();
    flights.iter().sum::<Vec2>().length() / flights.len() as f32
}

/// Runs it, and returns what happened.
pub fn report(frames: usize) -> String {
    let mut app = game(400);
    let before = order(&mut app);
    (0..frames).for_each(|_| app.update());
    format!("400 birds: order {before:.2} at first, {:.2} after {frames} frames", order(&mut app))
}
