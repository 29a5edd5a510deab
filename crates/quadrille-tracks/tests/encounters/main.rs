//! Encounters held against brute force, against a library of geodesics, and against cases worked out by hand.

mod brute_force;
mod globe;
mod known;
mod oracle;
mod stream;
