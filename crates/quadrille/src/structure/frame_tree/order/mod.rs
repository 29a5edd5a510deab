//! The order of boxes and the hulls above them. Nothing here knows a query.

pub(super) mod curve;
pub(super) mod degradation;
pub(super) mod least_ids;
pub(super) mod levels;
