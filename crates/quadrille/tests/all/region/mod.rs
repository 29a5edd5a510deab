//! Region quadtrees against a map of cells, by facts, faults and golden numbers.

mod facts;
mod faults;
mod golden;
mod oracle;
#[cfg(feature = "snapshot")]
mod snapshots;
