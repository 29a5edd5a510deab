//! Landmarks: distances from a few cells, from which lower bounds for all others follow.
//!
//! | file | bounds |
//! |---|---|
//! | `cells` | from every cell, over weighted terrain |
//! | `corners` | from every corner, on maps without weights |

pub(crate) mod cells;
pub(crate) mod corners;
