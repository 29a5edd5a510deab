//! Runs the command as people do, and looks at what it prints, writes and refuses.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod bench;
mod help;
mod pairs;
mod real_data;
mod room;
mod sim;
