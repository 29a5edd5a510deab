//! How long Avian's broad phase takes, and this one: `cargo run --release --example measure`.
//!
//! Both run in the same process, a step each in turn. Times are what Avian's `CollisionDiagnostics` says, wall clock, on
//! as many threads as Bevy takes; "step" is the whole update.

use std::time::{Duration, Instant};

use avian_quadrille::QuadrilleBroadPhasePlugin;
use avian2d::collider_tree::MovedProxies;
use avian2d::collision::CollisionDiagnostics;
use avian2d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use quadrille_scenes::Random;

const WARM_UP: usize = 20;
const STEPS: usize = 100;

/// Discs that cover a fifth of a square and fly at up to `speed` radii in a second, or fall into a box.
fn app(is_ours: bool, count: u32, speed: f32, falls: bool) -> App {
    let plugins = PhysicsPlugins::default().build();
    let plugins = if is_ours {
        plugins.disable::<BvhBroadPhasePlugin>().add(QuadrilleBroadPhasePlugin::<()>::default())
    } else {
        plugins
    };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, plugins));
    app.insert_resource(Gravity(if falls { Vec2::new(0.0, -30.0) } else { Vec2::ZERO }));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(1.0 / 60.0)));
    let mut random = Random::new(u64::from(count));
    let side = (count as f32 * core::f32::consts::PI * 5.0).sqrt();
    let mut part = |scale: f32| (random.below(1 << 20) as f32 / (1 << 20) as f32 - 0.5) * scale;
    for _ in 0..count {
        let at = Transform::from_xyz(part(side), part(side), 0.0);
        let velocity = LinearVelocity(Vec2::new(part(2.0 * speed), part(2.0 * speed)));
        app.world_mut().spawn((RigidBody::Dynamic, Collider::circle(1.0), at, velocity));
    }
    for [x, y, width, height] in
        [[0.0, -0.5, 1.0, 0.01], [-0.5, 0.0, 0.01, 1.0], [0.5, 0.0, 0.01, 1.0], [0.0, 0.5, 1.0, 0.01]]
    {
        let wall = Collider::rectangle(width * side * 1.02, height * side * 1.02);
        app.world_mut().spawn((RigidBody::Static, wall, Transform::from_xyz(x * side * 1.02, y * side * 1.02, 0.0)));
    }
    app.finish();
    app
}

#[derive(Default)]
struct Times {
    broad: Duration,
    narrow: Duration,
    step: Duration,
    moved: usize,
    contacts: u64,
}

fn step(app: &mut App, times: &mut Times) {
    times.moved += app.world().resource::<MovedProxies>().proxies().len();
    let start = Instant::now();
    app.update();
    times.step += start.elapsed();
    let told = app.world().resource::<CollisionDiagnostics>();
    times.broad += told.broad_phase;
    times.narrow += told.narrow_phase;
    times.contacts += u64::from(told.contact_count);
}

fn main() {
    let per_step = |time: Duration| time.as_secs_f64() * 1000.0 / STEPS as f64;
    println!("scene,bodies,broad phase,moved,contacts,broad ms,narrow ms,step ms");
    for (scene, speed, falls) in [("slow", 3.0, false), ("fast", 60.0, false), ("fall", 3.0, true)] {
        for count in [1_000, 10_000, 50_000] {
            let mut apps = [false, true].map(|is_ours| app(is_ours, count, speed, falls));
            (0..WARM_UP).for_each(|_| apps.iter_mut().for_each(App::update));
            let mut times = [Times::default(), Times::default()];
            for _ in 0..STEPS {
                apps.iter_mut().zip(&mut times).for_each(|(app, times)| step(app, times));
            }
            for (name, times) in ["avian", "quadrille"].iter().zip(&times) {
                let [broad, narrow, step] = [times.broad, times.narrow, times.step].map(per_step);
                let (moved, contacts) = (times.moved / STEPS, times.contacts / STEPS as u64);
                println!("{scene},{count},{name},{moved},{contacts},{broad:.3},{narrow:.3},{step:.3}");
            }
        }
    }
}
