//! The plugin.

use std::marker::PhantomData;

use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_transform::TransformSystems;

use crate::follow::{Began, Ended, follow, trigger};
use crate::space::{BoxSpace, Marker};

/// When boxes follow their entities.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub struct BoxSystems;

/// Follows every [`BoundingBox`](crate::BoundingBox), answers [`Boxes`](crate::Boxes), writes [`Began`] and [`Ended`].
/// For several sets of boxes add one for each marker.
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

    /// In another schedule, such as `FixedUpdate`. Outside of `PostUpdate`, a `GlobalTransform` is that of the last
    /// frame unless you propagate it yourself before [`BoxSystems`].
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
        if self.triggers {
            app.add_systems(self.schedule, trigger::<M>.after(BoxSystems));
        }
    }
}
