//! What the plugin costs: `cargo run --release`, or under callgrind with `-- plugin` and `-- hand`.
//!
//! Both move 50,000 entities with transforms, let Bevy propagate these, and find the contacts that began and ended. The
//! hand-written one is a system that passes all boxes to a [`Space`] and reads its events. They take turns, frame by
//! frame, on one thread, and must find the same. Times are CPU time of the thread: lower quartile of each round, in
//! milliseconds.

use std::time::Duration;

use bevy_app::{App, PostUpdate, Update};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_quadrille::quadrille::{Aabb, Events, Space};
use bevy_quadrille::{Began, BoundingBox, Ended, QuadrillePlugin};
use bevy_transform::components::{GlobalTransform, Transform};
use bevy_transform::{TransformPlugin, TransformSystems};
use cpu_time::ThreadTime;
use quadrille_scenes::Random;

const COUNT: u32 = 50_000;
const ROUNDS: usize = 5;
const FRAMES: usize = 40;
const WARM_UP: usize = 10;

#[derive(Component)]
struct Velocity(Vec2);

/// The place of a box in the hand-written frame.
#[derive(Component)]
struct Place(usize);

#[derive(Resource, Default)]
struct Found {
    began: usize,
    ended: usize,
}

/// Boxes that cover a fifth of a square and drift by up to a fifth of their size in a frame.
fn app() -> App {
    let (mut app, mut random) = (App::new(), Random::new(1));
    app.add_plugins(TransformPlugin).init_resource::<Found>().add_systems(Update, drift);
    let side = (COUNT as f32 * 5.0).sqrt();
    let mut part = |scale: f32| random.below(1 << 20) as f32 / (1 << 20) as f32 * scale;
    for place in 0..COUNT as usize {
        let velocity = Velocity(Vec2::new(part(0.4) - 0.2, part(0.4) - 0.2));
        app.world_mut().spawn((velocity, Place(place), Transform::from_xyz(part(side), part(side), 0.0)));
    }
    app
}

fn drift(mut all: Query<(&Velocity, &mut Transform)>) {
    all.iter_mut().for_each(|(velocity, mut place)| place.translation += velocity.0.extend(0.0));
}

fn plugin() -> App {
    let mut app = app();
    let all: Vec<Entity> = app.world_mut().query_filtered::<Entity, With<Place>>().iter(app.world()).collect();
    for entity in all {
        app.world_mut().entity_mut(entity).insert(BoundingBox::new(Vec2::splat(0.5)));
    }
    app.add_plugins(QuadrillePlugin::default()).add_systems(Update, count);
    app
}

fn count(mut began: MessageReader<Began>, mut ended: MessageReader<Ended>, mut found: ResMut<Found>) {
    found.began += began.read().count();
    found.ended += ended.read().count();
}

#[derive(Resource, Default)]
struct Hand {
    space: Space<Entity>,
    frame: Vec<Aabb>,
    events: Events,
}

fn hand() -> App {
    let mut app = app();
    let mut hand = Hand::default();
    let all: Vec<(Entity, Transform)> = app
        .world_mut()
        .query_filtered::<(Entity, &Transform), With<Place>>()
        .iter(app.world())
        .map(|(a, b)| (a, *b))
        .collect();
    for (entity, place) in all {
        let bounds = Aabb::from_center(place.translation.truncate().to_array(), [0.5, 0.5]);
        hand.space.insert(bounds, entity).expect("finite");
        hand.frame.push(bounds);
    }
    app.insert_resource(hand);
    app.add_systems(PostUpdate, step.after(TransformSystems::Propagate));
    app
}

fn step(mut hand: ResMut<Hand>, all: Query<(&GlobalTransform, &Place)>, mut found: ResMut<Found>) {
    let hand = &mut *hand;
    for (at, place) in &all {
        hand.frame[place.0] = Aabb::from_center(at.translation().truncate().to_array(), [0.5, 0.5]);
    }
    hand.space.update_all(&hand.frame).expect("finite");
    hand.space.step_events(&mut hand.events);
    found.began += hand.events.begin.len();
    found.ended += hand.events.end.len();
}

fn frame(app: &mut App) -> Duration {
    let start = ThreadTime::now();
    app.update();
    start.elapsed()
}

fn lower_quartile(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 4].as_secs_f64() * 1000.0
}

fn main() {
    if let Some(alone) = std::env::args().nth(1) {
        let mut app = if alone == "plugin" { plugin() } else { hand() };
        return (0..20).for_each(|_| app.update());
    }
    let mut apps = [plugin(), hand(), app()];
    (0..WARM_UP).for_each(|_| apps.iter_mut().for_each(App::update));
    println!("entities,round,plugin_ms,by_hand_ms,bevy_alone_ms,plugin_to_by_hand");
    for round in 1..=ROUNDS {
        let mut times: [Vec<Duration>; 3] = Default::default();
        for _ in 0..FRAMES {
            apps.iter_mut().zip(&mut times).for_each(|(app, times)| times.push(frame(app)));
        }
        let [plugin, hand, alone] = times.map(lower_quartile);
        println!("{COUNT},{round},{plugin:.2},{hand:.2},{alone:.2},{:.2}", plugin / hand);
    }
    // The plugin's messages of the last frame have not been read yet.
    apps[0].update();
    let [plugin, hand] = [&apps[0], &apps[1]].map(|app| app.world().resource::<Found>());
    assert_eq!((plugin.began, plugin.ended), (hand.began, hand.ended), "both find the same");
}
