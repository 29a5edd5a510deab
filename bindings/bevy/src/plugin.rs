//! The plugin.

use std::marker::PhantomData;

use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_transform::TransformSystems;
use bevy_transform::systems::{mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms};

use crate::follow::{Began, Ended, fall_asleep, follow, trigger, wake};
use crate::space::{BoxSpace, Marker};

/// When boxes follow their entities.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub struct BoxSystems;

/// Follows every [`BoundingBox`](crate::BoundingBox), provides [`Boxes`](crate::Boxes), and writes [`Began`] and
/// [`Ended`]. For several sets of boxes, add one for each marker.
pub struct QuadrillePlugin<M: Marker = ()> {
    schedule: InternedScheduleLabel,
    triggers: bool,
    marker: PhantomData<fn() -> M>,
}

impl Default for QuadrillePlugin {
    /// Once a frame in `PostUpdate`, after transforms have been propagated.
    fn default() -> Self {
        Self::marked()
    }
}

impl<M: Marker> QuadrillePlugin<M> {
    /// For another set of boxes: `QuadrillePlugin::<Ships>::marked()`. Once a frame in `PostUpdate`, after transforms
    /// have been propagated.
    pub fn marked() -> Self {
        Self { schedule: PostUpdate.intern(), triggers: false, marker: PhantomData }
    }

    /// Runs it in another schedule, such as `FixedPostUpdate`. Transforms are propagated there too, just before, so
    /// boxes are where earlier systems have moved their entities. In `FixedUpdate` and `Update`, let those systems run
    /// before [`TransformSystems::Propagate`].
    #[must_use]
    pub fn in_schedule(self, schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern(), ..self }
    }

    /// Triggers [`Began`] and [`Ended`] for observers too. Each costs a command.
    #[must_use]
    pub fn with_observers(self) -> Self {
        Self { triggers: true, ..self }
    }
}

impl<M: Marker> Plugin for QuadrillePlugin<M> {
    fn build(&self, app: &mut App) {
        app.init_resource::<BoxSpace<M>>().add_message::<Began<M>>().add_message::<Ended<M>>();
        app.add_systems(self.schedule, follow::<M>.in_set(BoxSystems).after(TransformSystems::Propagate));
        app.add_observer(fall_asleep::<M>).add_observer(wake::<M>);
        propagate(app, self.schedule);
        if self.triggers {
            app.add_systems(self.schedule, trigger::<M>.after(BoxSystems));
        }
    }
}

/// The schedules in which transforms are propagated.
#[derive(Resource)]
struct Propagating(Vec<InternedScheduleLabel>);

impl Default for Propagating {
    /// Bevy's own schedules.
    fn default() -> Self {
        Self(vec![PostUpdate.intern()])
    }
}

/// Propagates transforms in a schedule, once for all sets of boxes.
fn propagate(app: &mut App, schedule: InternedScheduleLabel) {
    let mut propagating = app.world_mut().get_resource_or_init::<Propagating>();
    if !propagating.0.contains(&schedule) {
        propagating.0.push(schedule);
        let systems = (mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms).chain();
        app.add_systems(schedule, systems.in_set(TransformSystems::Propagate));
    }
}
