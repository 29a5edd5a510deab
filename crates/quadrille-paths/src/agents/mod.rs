//! What agents need around paths while the map changes.
//!
//! | file | for |
//! |---|---|
//! | `path_queue` | many requests within a budget per frame |
//! | `watch` | whether a path is still free |

pub(crate) mod path_queue;
pub(crate) mod watch;
