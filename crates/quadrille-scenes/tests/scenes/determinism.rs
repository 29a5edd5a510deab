//! One state for one seed: whatever the structure, the machine and the build.

use quadrille::structures::StructureKind;
use quadrille_scenes::sim::Simulation;
use quadrille_scenes::{Scene, SceneKind};

fn simulation(scene: SceneKind, n: usize, structure: StructureKind) -> Simulation {
    Simulation::new(&Scene::new(scene, n, 1), structure.into()).expect("default options are valid")
}

/// The state after 60 steps of 500 agents and all pairs found on the way.
fn run(scene: SceneKind, structure: StructureKind) -> (u64, usize) {
    let mut simulation = simulation(scene, 500, structure);
    let pairs = (0..60).map(|_| simulation.step().pairs).sum();
    simulation.index().validate().expect("the structure is sound");
    (simulation.state_hash(), pairs)
}

#[test]
fn golden_states_are_the_same_for_every_structure() {
    let golden = [
        (SceneKind::Uniform, (0xa132_c479_dcc7_ec22, 4_221)),
        (SceneKind::Mixed, (0x832a_a1db_552c_296a, 6_757)),
        (SceneKind::Clustered, (0xdedb_7380_114d_d062, 8_379)),
        (SceneKind::Still, (0x00f2_9816_b139_3236, 10_462)),
        (SceneKind::Pile, (0x9d25_34ff_53dd_0679, 35_855)),
        (SceneKind::FpsUniform, (0x11e9_9adb_fc16_5789, 4_294)),
        (SceneKind::FpsSphere, (0x1b9a_a2f9_7fb3_5c09, 1_643)),
        (SceneKind::FpsSkewed, (0xb0f1_6ed2_fe09_9918, 5_404)),
    ];
    assert!(golden.iter().map(|(scene, _)| scene).eq(SceneKind::ALL), "one line for each scene");
    for (scene, expected) in golden {
        for &structure in StructureKind::ALL {
            let found = run(scene, structure);
            assert_eq!(found, expected, "{scene} with {structure}: {:#018x}, {}", found.0, found.1);
        }
    }
}

#[test]
fn no_agents_and_one_agent_are_simulated_too() {
    for &scene in SceneKind::ALL {
        for &structure in StructureKind::ALL {
            for n in [0, 1] {
                let mut simulation = simulation(scene, n, structure);
                for _ in 0..60 {
                    let report = simulation.step();
                    assert_eq!((report.pairs, report.contacts), (0, 0), "{scene} with {structure}");
                }
                assert_eq!(simulation.agents().len(), n);
                assert!(simulation.agents().all(|agent| agent.velocity.iter().all(|v| v.is_finite())));
            }
        }
    }
}

#[test]
fn a_copy_goes_the_same_way() {
    let mut one = simulation(SceneKind::Mixed, 300, StructureKind::BruteForce);
    one.step();
    let mut other = one.clone();
    for _ in 0..10 {
        one.step();
        other.step();
    }
    assert_eq!(one.state_hash(), other.state_hash());
}

#[test]
fn the_hash_sees_every_agent() {
    let states = [499, 500].map(|n| simulation(SceneKind::Pile, n, StructureKind::BruteForce).state_hash());
    assert_ne!(states[0], states[1]);
}
