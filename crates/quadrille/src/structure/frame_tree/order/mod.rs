//! The order of boxes and the hulls above them. Nothing here depends on queries.

pub(super) mod curve;
pub(super) mod degradation;
pub(super) mod least_ids;
pub(super) mod levels;
