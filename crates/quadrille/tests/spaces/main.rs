//! Spaces: everything that can be asked of them, while their indices hold fat boxes, and in worlds that wrap.

#[path = "../questions/erased.rs"]
mod erased;
mod exact;
#[cfg(feature = "snapshot")]
#[path = "../suite/forge.rs"]
mod forge;
#[path = "../questions/oracle.rs"]
mod oracle;
#[cfg(feature = "snapshot")]
mod snapshots;
