//! Exactness where it is hardest: extremes of the numbers, queries from far away, ties, forged snapshots.
//!
//! What is expected here is computed by plain arithmetic that shares nothing with the library. A test body is compiled
//! once per scalar, not per structure: structures are behind a trait object.

mod contract;
mod draw;
mod held;
mod orders;
mod truth;
#[cfg(not(quadrille_every_container))]
mod within;

// What says itself which scalars it is about.
#[cfg(not(quadrille_other_scalar))]
mod faults;
#[cfg(all(feature = "snapshot", not(quadrille_other_scalar)))]
mod snapshots;
