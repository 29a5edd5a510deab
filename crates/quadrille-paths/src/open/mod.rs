//! Open lists: queues of what is to be looked at next, nearest first.
//!
//! | file | queue |
//! |---|---|
//! | `open_list` | of searches from corner to corner: buckets a quarter wide |
//! | `buckets` | of searches whose steps may cost more: buckets in a ring, and a heap behind it |

pub(crate) mod buckets;
pub(crate) mod open_list;
