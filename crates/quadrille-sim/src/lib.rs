//! **Discs that move, bounce off the walls and off each other**, over any structure of quadrille.
//!
//! ```
//! use quadrille::StructureKind;
//! use quadrille_scenes::{Scene, SceneKind};
//! use quadrille_sim::Simulation;
//!
//! let scene = Scene::new(SceneKind::Uniform, 1000, 1);
//! let mut one = Simulation::new(&scene, StructureKind::BruteForce.into())?;
//! let mut other = Simulation::new(&scene, StructureKind::Quadtree.into())?;
//! for _ in 0..10 {
//!     assert_eq!(one.step().pairs, other.step().pairs);
//! }
//! assert_eq!(one.state_hash(), other.state_hash(), "the structure changes the speed and nothing else");
//! # Ok::<(), quadrille::Error>(())
//! ```

#![forbid(unsafe_code)]

mod agent;
mod report;
mod simulation;
mod sort;

pub use agent::{Agent, collide};
pub use report::{StepReport, Timings};
pub use simulation::Simulation;
pub use sort::sort_pairs;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
