//! Indices and spaces: what they promise beyond the answers of a structure, and in worlds that wrap.

mod exact;

every_day! {
    mod asking;
    mod bad_queries;
    mod events_by_id;
    mod collections;
    mod events;
    mod far_askers;
    mod format;
    mod interop;
    mod known_truths;
    mod lives;
    mod program;
    #[cfg(feature = "snapshot")]
    mod snapshots;
    mod space;
}

#[cfg(not(quadrille_other_scalar))]
#[test]
fn programs_in_bytes_find_no_difference_to_brute_force() {
    crate::oracle::for_all(proptest::collection::vec(proptest::prelude::any::<u8>(), 3..300), |bytes| {
        program::run(&bytes);
    });
}
