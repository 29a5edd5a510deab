//! bevy_spatial: a k-d tree of points, rebuilt in every frame.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::{TimePlugin, TimeUpdateStrategy};
use bevy_rivals_scene::{Question, REACH, Run, Scene, time, whole_square};
use bevy_spatial::kdtree::KDTree2;
use bevy_spatial::{AutomaticUpdate, SpatialAccess, SpatialSet, SpatialStructure};

use crate::{Running, app, run};

/// Is in the tree.
#[derive(Component)]
struct Tracked;

type Tree = KDTree2<Tracked>;

/// Its app, if it can answer the question: it knows points only.
pub fn spatial(scene: &Scene, question: Question) -> Option<Run> {
    let mut app = app(scene, || Tracked);
    // It follows once in so much time: here once a frame.
    app.add_plugins(TimePlugin).insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(2)));
    let frequency = Duration::from_millis(1);
    app.add_plugins(
        AutomaticUpdate::<Tracked>::new().with_spatial_ds(SpatialStructure::KDTree2).with_frequency(frequency),
    );
    match question {
        Question::Near => app.add_systems(Update, near.after(SpatialSet)),
        Question::Nearest => app.add_systems(Update, nearest.after(SpatialSet)),
        Question::Overlapping => return None,
    };
    Some(run(app))
}

fn near(tree: Res<Tree>, all: Query<&Transform>, mut running: ResMut<Running>) {
    let ask = |place: &Transform| tree.within_distance(place.translation.truncate(), REACH).len() as u64;
    (running.0.asking, running.0.found) = time(|| all.iter().map(ask).sum());
}

fn nearest(tree: Res<Tree>, all: Query<&Transform>, mut running: ResMut<Running>) {
    let ask = |place: &Transform| {
        let here = place.translation.truncate();
        tree.k_nearest_neighbour(here, 2).last().map_or(0, |(there, _)| whole_square(there.distance(here)))
    };
    (running.0.asking, running.0.found) = time(|| all.iter().map(ask).sum());
}
