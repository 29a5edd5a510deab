//! Spaces: everything that can be asked of them, while their indices hold fat boxes, and in worlds that wrap.

#[path = "../questions/erased.rs"]
mod erased;
mod events;
mod exact;
#[cfg(feature = "snapshot")]
#[path = "../suite/forge.rs"]
mod forge;
#[path = "../suite/landscape.rs"]
mod landscape;
#[path = "../questions/oracle.rs"]
mod oracle;
mod program;
#[cfg(feature = "snapshot")]
mod snapshots;

#[test]
fn programs_in_bytes_find_no_difference_to_brute_force() {
    oracle::for_all(proptest::collection::vec(proptest::prelude::any::<u8>(), 3..300), |bytes| program::run(&bytes));
}
