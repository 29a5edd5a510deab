//! **Discs that move and bounce off walls and off each other**, simulated over any structure of [`quadrille`].
//!
//! The structure finds the broad-phase pairs; it changes the speed and nothing else. On the command line, this is
//! `quadrille sim`.
//!
//! ```
//! use quadrille::structures::StructureKind;
//! use quadrille_scenes::{Scene, SceneKind};
//! use quadrille_scenes::sim::Simulation;
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

mod agent;
mod report;
mod simulation;
mod sort;

pub use agent::{Agent, collide};
pub use report::{StepReport, Timings};
pub use simulation::Simulation;
pub use sort::sort_pairs;
