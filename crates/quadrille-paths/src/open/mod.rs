//! Open lists: queues of what is to be looked at next, nearest first.
//!
//! | file | queue |
//! |---|---|
//! | `open_list` | of searches for one goal: buckets of a fixed width |
//! | `buckets` | of searches outward from goals: buckets in a ring |

pub(crate) mod buckets;
pub(crate) mod open_list;
