//! bevy_sparse_grid_2d: a hash grid, without a plugin. A system fills it again in every frame, and looks closer at what
//! shares a cell.

use bevy_app::PostUpdate;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_math::bounding::{Aabb2d, IntersectsVolume};
use bevy_rivals_scene::{HALF, Question, REACH, Run, Scene, time};
use bevy_sparse_grid_2d::SparseGrid2d;
use bevy_transform::components::Transform;

use crate::world::{self, Running};

/// Cells as wide as what is asked for, or twice as wide as a box.
#[derive(Resource, Default)]
struct Grid(SparseGrid2d<2>);

/// Its app, if it can answer the question: it has no search for the nearest.
pub(crate) fn run(scene: &Scene, question: Question) -> Option<Run> {
    let mut app = world::app(scene, || ());
    app.init_resource::<Grid>();
    match question {
        Question::Near => app.add_systems(PostUpdate, (fill_points, near).chain()),
        Question::Overlapping => app.add_systems(PostUpdate, (fill_boxes, overlapping).chain()),
        Question::Nearest => return None,
    };
    Some(world::run(app))
}

fn fill_points(mut grid: ResMut<Grid>, all: Query<(Entity, &Transform)>) {
    grid.0.soft_clear();
    all.iter().for_each(|(entity, place)| grid.0.insert_point(place.translation.truncate(), entity));
}

fn fill_boxes(mut grid: ResMut<Grid>, all: Query<(Entity, &Transform)>) {
    grid.0.soft_clear();
    all.iter().for_each(|(entity, place)| grid.0.insert_aabb(bounds(place), entity));
}

fn bounds(place: &Transform) -> Aabb2d {
    Aabb2d::new(place.translation.truncate(), Vec2::splat(HALF))
}

fn near(grid: Res<Grid>, all: Query<&Transform>, mut running: ResMut<Running>) {
    let ask = |place: &Transform| {
        let here = place.translation.truncate();
        let is_near = |other: &Entity| {
            all.get(*other).is_ok_and(|other| other.translation.truncate().distance_squared(here) <= REACH * REACH)
        };
        // Its cells are half-open, so a little more.
        grid.0.aabb_iter(Aabb2d::new(here, Vec2::splat(REACH + 1.0 / 128.0))).filter(is_near).count() as u64
    };
    (running.0.asking, running.0.found) = time(|| all.iter().map(ask).sum());
}

fn overlapping(grid: Res<Grid>, all: Query<&Transform>, mut running: ResMut<Running>) {
    let ask = |place: &Transform| {
        let own = bounds(place);
        let overlaps = |other: &Entity| all.get(*other).is_ok_and(|other| bounds(other).intersects(&own));
        let around = Aabb2d::new(place.translation.truncate(), Vec2::splat(HALF + 1.0 / 128.0));
        grid.0.query_aabb(around).into_iter().filter(overlaps).count() as u64
    };
    (running.0.asking, running.0.found) = time(|| all.iter().map(ask).sum());
}
