//! Fifty thousand bullets fly among ships: a bullet that meets a ship disappears, and the ship is hit.

use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_quadrille::{Began, BoundingBox, Layers};
use bevy_transform::components::Transform;
use quadrille_scenes::Random;

use crate::{anywhere, app, at};

/// The motion in a frame.
#[derive(Component, Debug)]
pub struct Bullet(pub Vec2);

/// The number of hits.
#[derive(Component, Debug, Default)]
pub struct Ship {
    /// Bullets that met it.
    pub hits: u32,
}

const BULLETS: u32 = 1;
const SHIPS: u32 = 2;
/// Half of the side of the world.
pub const HALF: f32 = 1000.0;

/// How many bullets fly about a hundred ships. Layers keep bullets from meeting bullets.
pub fn game(bullets: u32) -> App {
    let (mut app, mut random) = (app(), Random::new(4));
    for _ in 0..bullets {
        let bounding = BoundingBox::new(Vec2::splat(0.5)).with_layers(Layers::new(BULLETS, SHIPS));
        let place = at(anywhere(&mut random, HALF));
        app.world_mut().spawn((Bullet(anywhere(&mut random, 3.0)), bounding, place));
    }
    for _ in 0..100 {
        let bounding = BoundingBox::new(Vec2::splat(12.0)).with_layers(Layers::new(SHIPS, BULLETS));
        app.world_mut().spawn((Ship::default(), bounding, at(anywhere(&mut random, HALF))));
    }
    app.add_systems(Update, (hit, fly).chain());
    app
}

/// Handles the contacts that began in the last frame: always a bullet and a ship.
fn hit(mut began: MessageReader<Began>, mut ships: Query<&mut Ship>, mut commands: Commands) {
    for &Began { a, b, .. } in began.read() {
        let (ship, bullet) = if ships.contains(a) { (a, b) } else { (b, a) };
        if let Ok(mut ship) = ships.get_mut(ship) {
            ship.hits += 1;
            commands.entity(bullet).try_despawn();
        }
    }
}

/// Bullets turn back at the edge of the world.
fn fly(mut bullets: Query<(&mut Bullet, &mut Transform)>) {
    for (mut bullet, mut place) in &mut bullets {
        let next = place.translation.truncate() + bullet.0;
        let is_out = next.abs().cmpgt(Vec2::splat(HALF));
        bullet.0 = Vec2::select(is_out, -bullet.0, bullet.0);
        place.translation = next.extend(0.0);
    }
}

/// Runs it, and returns what happened.
pub fn report(frames: usize) -> String {
    let mut app = game(50_000);
    (0..frames).for_each(|_| app.update());
    let left = app.world_mut().query::<&Bullet>().iter(app.world()).count();
    format!("50,000 bullets, 100 ships: {left} bullets are left after {frames} frames")
}
