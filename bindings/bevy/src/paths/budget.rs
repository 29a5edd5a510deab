//! How much work may be done in a frame.

use std::time::Duration;

use bevy_ecs::prelude::*;

/// How much work for paths may be done in a frame. It is a resource: change it at any time.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathBudget {
    /// A number of corners to expand, about ten thousand per millisecond: the same answers in the same frames
    /// everywhere.
    Corners(u64),
    /// A duration: depends on how fast the machine is.
    Time(Duration),
}

impl Default for PathBudget {
    /// Ten thousand corners.
    fn default() -> Self {
        Self::Corners(10_000)
    }
}

impl PathBudget {
    /// An equal part of it.
    pub(super) fn part(self, parts: usize) -> Self {
        match self {
            Self::Corners(corners) => Self::Corners(corners.div_ceil(parts.max(1) as u64)),
            Self::Time(time) => Self::Time(time / u32::try_from(parts.max(1)).unwrap_or(u32::MAX)),
        }
    }

    /// Whether there is any.
    pub(super) fn is_some(self) -> bool {
        !matches!(self, Self::Corners(0) | Self::Time(Duration::ZERO))
    }
}
