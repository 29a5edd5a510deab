//! **Every workload, defined once**: named, seeded scenes of moving boxes of any size, for the tests, benchmarks,
//! pictures and the command of [`quadrille`].
//!
//! A [`Scene`] is made from a [`SceneKind`], a number of boxes and a seed. It is stepped without a simulation: boxes
//! fly straight and bounce off the walls, or jump, turn, explode and so on, as a [`Motion`] says. *Frame k of scene s
//! with n boxes and seed x* is one exact set of boxes, bit for bit the same on every machine: the random generator is
//! fixed (PCG-XSH-RR 64/32), and all arithmetic is `+ - * /` and square root. [`city`] is a map of cells for those who
//! walk, [`sim`] lets discs collide.
//!
//! ```
//! use quadrille::structures::Quadtree;
//! use quadrille::Index;
//! use quadrille_scenes::{Scene, SceneKind};
//!
//! let mut scene = Scene::new(SceneKind::Uniform, 1000, 1);
//! let mut index = Index::<Quadtree>::from_boxes(&scene.boxes().collect::<Vec<_>>())?;
//! for _ in 0..10 {
//!     scene.step();
//!     for (id, bounds) in (0..).zip(scene.boxes()) {
//!         index.update(id, bounds)?;
//!     }
//!     index.maintain();
//! }
//! assert!(index.pairs_count() > 300);
//! # Ok::<(), quadrille::Error>(())
//! ```

#![forbid(unsafe_code)]

mod body;
pub mod city;
mod fps;
mod hash;
mod kind;
mod motion;
mod own;
mod random;
mod scene;
pub mod sim;

pub use body::{Body, advance, keep_within};
pub use hash::Fnv1a;
pub use kind::{SceneKind, UnknownScene};
pub use motion::{Motion, UnknownMotion};
pub use random::Random;
pub use scene::Scene;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
