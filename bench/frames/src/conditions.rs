//! How a task is run, and on which scene.

use std::time::Duration;

use quadrille::Aabb;
use quadrille_scenes::{Motion, Scene, SceneKind};

use crate::clock::Clock;
use crate::contenders::Library;

/// How to run a task.
pub struct Conditions {
    pub scene: SceneKind,
    pub n: usize,
    pub variation: Variation,
    pub frames: usize,
    /// In the task `events`, one box in this many moves.
    pub one_in: usize,
    pub clock: Clock,
    pub budget: Duration,
    /// Parts of names of contenders; none means all.
    pub only: Vec<String>,
    /// Contenders that do not take part, because one lap with fewer boxes of the scene took them longer than the
    /// budget.
    pub aside: Vec<&'static str>,
    /// Contenders in shared objects.
    pub entrants: Vec<&'static Library>,
}

/// What a scene is made into.
#[derive(Clone)]
pub struct Variation {
    /// Factor by which the task `frames` scales the width and height of boxes.
    pub size: f32,
    /// How they move in tasks made of frames,
    pub motion: Motion,
    /// unless they fly straight on, by this many mean widths a frame.
    pub speed: Option<f32>,
}

impl Conditions {
    /// Frame 0.
    pub fn scene(&self) -> Scene {
        let scene = Scene::new(self.scene, self.n, SEED).with_motion(self.variation.motion);
        match self.variation.speed {
            None => scene,
            Some(speed) => {
                let widths = scene.boxes().map(|aabb| f64::from(aabb.size()[0])).sum::<f64>();
                let mean = (widths / self.n as f64) as f32;
                scene.with_speed(speed * mean)
            }
        }
    }

    /// The scene's name, and what it is made into.
    pub fn name(&self) -> String {
        let mut name = self.scene.to_string();
        let Variation { motion, speed, .. } = &self.variation;
        match (speed, motion) {
            (Some(speed), _) => name += &format!(" at {speed}"),
            (None, Motion::Drift) => {}
            (None, motion) => name += &format!(" {motion}"),
        }
        name
    }
}

pub const SEED: u64 = 1;

pub fn boxes_of(scene: &Scene) -> Vec<Aabb> {
    scene.boxes().collect()
}
