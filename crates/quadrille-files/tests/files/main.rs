//! Files of binary formats, whole, cut short and damaged; in one binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod binary;
mod mutated;
