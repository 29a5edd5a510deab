//! What holds in every scene, step after step.

use quadrille::structures::StructureKind;
use quadrille_scenes::sim::{Agent, Simulation};
use quadrille_scenes::{Scene, SceneKind};

fn simulation(scene: SceneKind, n: usize) -> Simulation {
    Simulation::new(&Scene::new(scene, n, 1), StructureKind::Quadtree.into()).expect("default options are valid")
}

/// Kinetic energy, if every agent has mass 1.
fn energy(simulation: &Simulation) -> f64 {
    let squares = simulation.agents().flat_map(|agent| agent.velocity).map(|v| f64::from(v) * f64::from(v));
    squares.sum::<f64>() / 2.0
}

/// Overlap of two discs as a share of the sum of their radii.
fn overlap(a: &Agent, b: &Agent) -> f64 {
    let [x, y] = [0, 1].map(|axis| f64::from(a.position[axis]) - f64::from(b.position[axis]));
    1.0 - x.hypot(y) / (f64::from(a.radius) + f64::from(b.radius))
}

/// Elastic bounces neither make nor lose energy. The tolerance is what rounding may do: each bounce is off by some
/// 10^-7 of its energy, either way, and an agent bounces at most a few dozen times in 500 steps.
#[test]
fn energy_stays_over_500_steps() {
    for &scene in SceneKind::ALL {
        let mut simulation = simulation(scene, 500);
        let start = energy(&simulation);
        assert!(start > 0.0, "{scene}");
        for step in 0..500 {
            simulation.step();
            let change = energy(&simulation) / start - 1.0;
            assert!(change.abs() < 1e-6, "{scene}: energy has changed by {change:e} in step {step}");
        }
    }
}

#[test]
fn nothing_leaves_the_world_over_500_steps() {
    for &scene in SceneKind::ALL {
        let mut simulation = simulation(scene, 500);
        let world = simulation.world();
        for step in 0..500 {
            simulation.step();
            for (id, Agent { position, radius, .. }) in simulation.agents().enumerate() {
                let inside =
                    |axis: usize| (world.min[axis] + radius..=world.max[axis] - radius).contains(&position[axis]);
                assert!(inside(0) && inside(1), "{scene}: agent {id} is at {position:?} in step {step}");
            }
        }
    }
}

#[test]
fn heaps_burst() {
    let mut simulation = simulation(SceneKind::Pile, 1000);
    assert!(simulation.step().pairs > 15_000);
    for _ in 0..300 {
        simulation.step();
    }
    assert!(simulation.step().pairs < 500);
}

#[test]
fn discs_are_pushed_apart_until_hardly_any_overlap_is_left() {
    for &scene in SceneKind::ALL {
        let mut simulation = simulation(scene, 500);
        for _ in 0..300 {
            simulation.step();
        }
        let agents: Vec<_> = simulation.agents().collect();
        let worst = simulation
            .contacts()
            .iter()
            .map(|&(low, high)| overlap(agents[low as usize], agents[high as usize]))
            .fold(0.0, f64::max);
        assert!(worst < 0.25, "{scene}: two discs overlap by {worst}");
    }
}

#[test]
fn contacts_are_ascending_pairs_of_discs_that_touch() {
    for &scene in SceneKind::ALL {
        let mut simulation = simulation(scene, 500);
        for _ in 0..20 {
            let report = simulation.step();
            let contacts = simulation.contacts();
            assert_eq!(contacts.len(), report.contacts, "{scene}");
            assert!(report.contacts <= report.pairs, "{scene}");
            assert!(contacts.iter().all(|(low, high)| low < high), "{scene}");
            assert!(contacts.is_sorted_by(|a, b| a < b), "{scene}");
        }
    }
}

#[test]
fn memory_settles() {
    let mut simulation = simulation(SceneKind::Uniform, 2000);
    let bytes = [100, 100].map(|steps| {
        for _ in 0..steps {
            simulation.step();
        }
        simulation.bytes()
    });
    assert_eq!(bytes[0], bytes[1]);
    assert!(bytes[0] < 64 * 2000, "{} bytes for 2000 agents", bytes[0]);
}

#[test]
fn the_whole_step_takes_as_long_as_its_parts() {
    let timings = simulation(SceneKind::Uniform, 100).step().timings;
    assert_eq!(timings.total(), timings.movement + timings.index + timings.pairs + timings.respond);
}
