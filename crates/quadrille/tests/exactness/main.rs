//! Exactness where it is hardest: extremes of the numbers, questions from far away, ties, forged snapshots.
//!
//! What is expected here is computed by plain arithmetic, which shares nothing with the library. A test is compiled once a scalar, not once
//! a structure: structures stand behind [`subject::Held`].

mod faults;
