//! Scenes and simulations are what they are said to be, the same on every machine; in one binary.

mod determinism;
mod golden;
mod motions;
mod physics;
mod scenes;
