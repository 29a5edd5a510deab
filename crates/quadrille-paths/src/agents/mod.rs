//! What agents need around paths while the map changes.
//!
//! | file | for |
//! |---|---|
//! | `path_queue` | many requests within a budget per frame |
//! | `watch` | whether a path is still free |

mod path_queue;
mod watch;

pub use path_queue::{PathQueue, Ticket};
pub use watch::PathWatch;
