//! Drawing: boxes, the nodes of the structure behind them, and answers.

use bevy_color::Color;
use bevy_ecs::entity::Entity;
use bevy_ecs::query::QueryFilter;
use bevy_gizmos::config::GizmoConfigGroup;
use bevy_gizmos::gizmos::GizmoBuffer;
use bevy_math::Vec2;
use bevy_math::bounding::{Aabb2d, BoundingVolume};
use std::ops::ControlFlow;

use crate::{Boxes, Marker};

/// What [`Gizmos`](bevy_gizmos::gizmos::Gizmos) can draw of boxes, for one frame.
pub trait BoxGizmos {
    /// A rectangle.
    fn aabb(&mut self, bounds: Aabb2d, color: impl Into<Color>);

    /// The boxes of all entities that pass the filter.
    fn boxes<F: QueryFilter + 'static, M: Marker>(&mut self, boxes: &Boxes<'_, '_, F, M>, color: impl Into<Color>) {
        let color = color.into();
        boxes.iter().for_each(|(_, bounds)| self.aabb(bounds, color));
    }

    /// The nodes of the structure.
    fn nodes<F: QueryFilter + 'static, M: Marker>(&mut self, boxes: &Boxes<'_, '_, F, M>, color: impl Into<Color>) {
        let color = color.into();
        let _ = boxes.boxes.space.index().visit_nodes(|node| {
            self.aabb(Aabb2d { min: node.bounds.min.into(), max: node.bounds.max.into() }, color);
            ControlFlow::<()>::Continue(())
        });
    }

    /// The boxes of these entities, such as answers to a query.
    fn answers<F: QueryFilter + 'static, M: Marker>(
        &mut self,
        boxes: &Boxes<'_, '_, F, M>,
        answers: impl IntoIterator<Item = Entity>,
        color: impl Into<Color>,
    ) {
        let color = color.into();
        answers.into_iter().filter_map(|entity| boxes.bounds(entity)).for_each(|bounds| self.aabb(bounds, color));
    }

    /// What is [seen](Boxes::visible) from a point.
    fn outline(&mut self, corners: &[Vec2], color: impl Into<Color>);
}

impl<Config: GizmoConfigGroup, Clear: 'static + Send + Sync> BoxGizmos for GizmoBuffer<Config, Clear> {
    fn aabb(&mut self, bounds: Aabb2d, color: impl Into<Color>) {
        self.rect_2d(bounds.center(), bounds.half_size() * 2.0, color);
    }

    fn outline(&mut self, corners: &[Vec2], color: impl Into<Color>) {
        self.linestrip_2d(corners.iter().chain(corners.first()).copied(), color);
    }
}
