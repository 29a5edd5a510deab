//! Worlds of sensors, which do not push each other, evolve in the same way whichever broad phase finds the pairs: both
//! must have the same contacts after every step.

use std::collections::BTreeSet;
use std::time::Duration;

use avian_quadrille::QuadrilleBroadPhasePlugin;
use avian2d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use quadrille_scenes::Random;

fn app(is_ours: bool) -> App {
    let plugins = PhysicsPlugins::default().build();
    let plugins = if is_ours {
        plugins.disable::<BvhBroadPhasePlugin>().add(QuadrilleBroadPhasePlugin::<()>::default())
    } else {
        plugins
    };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, plugins)).insert_resource(Gravity::ZERO);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(1.0 / 60.0)));
    app.finish();
    app
}

fn below(random: &mut Random, most: u32) -> f32 {
    random.below(most * 8) as f32 / 8.0
}

/// The number of the body: entities have different ids in the two worlds.
#[derive(Component)]
struct Number(usize);

fn spawn(world: &mut World, random: &mut Random) -> Entity {
    let body = [RigidBody::Dynamic, RigidBody::Dynamic, RigidBody::Kinematic, RigidBody::Static];
    let at = Transform::from_xyz(below(random, 30), below(random, 30), 0.0);
    let layers = CollisionLayers::from_bits(1 + random.below(3), 1 + random.below(3));
    let collider = Collider::rectangle(0.5 + below(random, 3), 0.5 + below(random, 3));
    let number = Number(world.query::<&Number>().iter(world).map(|number| number.0 + 1).max().unwrap_or(0));
    let mut entity = world.spawn((number, at, collider, layers, Sensor, SleepingDisabled));
    if random.below(8) > 0 {
        let body = body[random.below(4) as usize];
        entity.insert(body);
        if body != RigidBody::Static {
            entity.insert(LinearVelocity(Vec2::new(below(random, 20) - 10.0, below(random, 20) - 10.0)));
        }
    }
    entity.id()
}

fn change(world: &mut World, all: &mut Vec<Entity>, random: &mut Random) {
    let one = random.below(all.len() as u32) as usize;
    match random.below(8) {
        0 | 1 => all.push(spawn(world, random)),
        2 => drop(world.despawn(all.swap_remove(one))),
        3 => world.entity_mut(all[one]).get_mut::<Transform>().expect("all have one").translation.x = below(random, 30),
        4 => {
            let layers = CollisionLayers::from_bits(1 + random.below(3), 1 + random.below(3));
            world.entity_mut(all[one]).insert(layers);
        }
        5 => {
            let is_disabled = world.entity(all[one]).contains::<ColliderDisabled>();
            let mut entity = world.entity_mut(all[one]);
            if is_disabled {
                entity.remove::<ColliderDisabled>()
            } else {
                entity.insert(ColliderDisabled)
            };
        }
        6 => {
            // Avian 0.7 panics when a body loses its `RigidBody`, so none does.
            if world.entity(all[one]).contains::<RigidBody>() {
                let body = [RigidBody::Dynamic, RigidBody::Kinematic, RigidBody::Static][random.below(3) as usize];
                world.entity_mut(all[one]).insert(body);
            }
        }
        _ => {
            if let Some(mut speed) = world.get_mut::<LinearVelocity>(all[one]) {
                speed.0 = -speed.0;
            }
        }
    }
}

fn contacts(app: &App) -> BTreeSet<(usize, usize)> {
    let graph = app.world().resource::<ContactGraph>();
    let pairs = graph.active_pairs().iter().chain(graph.sleeping_pairs());
    // A collider that was despawned keeps its contacts until the next step.
    let number = |entity: Entity| app.world().get::<Number>(entity).map(|number| number.0);
    let numbers = pairs.filter_map(|pair| number(pair.collider1).zip(number(pair.collider2)));
    numbers.map(|(a, b)| (a.min(b), a.max(b))).collect()
}

fn run(is_ours: bool, seed: u64) -> Vec<BTreeSet<(usize, usize)>> {
    let (mut app, mut random) = (app(is_ours), Random::new(seed));
    let mut all: Vec<Entity> = (0..60).map(|_| spawn(app.world_mut(), &mut random)).collect();
    let steps = (0..60).map(|step| {
        // Quiet steps, in which few boxes move, take another path through the code than busy ones.
        for _ in 0..if step % 20 < 10 { random.below(4) } else { 0 } {
            change(app.world_mut(), &mut all, &mut random);
        }
        if step == 40 {
            let mut speeds = app.world_mut().query::<(&Number, &mut LinearVelocity)>();
            for (_, mut speed) in speeds.iter_mut(app.world_mut()).filter(|(number, _)| number.0 > 5) {
                speed.0 = Vec2::ZERO;
            }
        }
        app.update();
        contacts(&app)
    });
    steps.collect()
}

#[test]
fn contacts_are_those_of_avians_own_broad_phase() {
    let mut met = 0;
    for seed in 0..20 {
        let (theirs, ours) = (run(false, seed), run(true, seed));
        for (step, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            assert_eq!(ours, theirs, "seed {seed}, step {step}");
            met += ours.len();
        }
    }
    assert!(met > 10_000, "{met}");
}
