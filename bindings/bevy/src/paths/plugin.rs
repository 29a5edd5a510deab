//! The plugin.

use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::prelude::*;

use super::answers::{run_requests, take_requests};
use super::budget::PathBudget;
use super::crowd::follow_maps;
use super::route::check_routes;

/// When paths are found and routes checked.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub struct PathSystems;

/// Answers every [`PathRequest`](super::PathRequest), watches every [`Route`](super::Route), leads every
/// [`Crowd`](super::Crowd). It runs in `PostUpdate`, so requests and changes from `Update` are handled in the same
/// frame.
#[derive(Debug, Default)]
pub struct PathsPlugin {
    /// How much work may be done in a frame.
    pub budget: PathBudget,
}

impl Plugin for PathsPlugin {
    fn build(&self, app: &mut App) {
        let systems = (follow_maps, check_routes, take_requests, run_requests).chain();
        app.insert_resource(self.budget).add_systems(PostUpdate, systems.in_set(PathSystems));
    }
}
