//! Paths against plain A* and against definitions, in one binary: linking is most of what a small one costs.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod agents;
mod benchmarks;
mod common;
mod edits;
mod files;
mod landmarks;
mod lengths;
mod many;
mod slices;
mod taut;
mod units;
