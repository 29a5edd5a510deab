//! Exactness where it is hardest: extremes of the numbers, queries from far away, ties, forged snapshots.
//!
//! What is expected here is computed by plain arithmetic that shares nothing with the library. A test body is compiled
//! once a scalar, not once a structure: structures stand behind a trait object.

mod contract;
mod draw;
mod faults;
mod held;
mod orders;
#[cfg(feature = "snapshot")]
mod snapshots;
mod truth;
mod within;
