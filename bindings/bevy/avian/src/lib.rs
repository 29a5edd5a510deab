//! **A broad phase for Avian's 2D physics that asks [`quadrille`]**, in place of Avian's own:
//!
//! ```
//! use avian_quadrille::QuadrilleBroadPhasePlugin;
//! use avian2d::prelude::*;
//! use bevy::prelude::*;
//!
//! let plugins = PhysicsPlugins::default().build().disable::<BvhBroadPhasePlugin>();
//! App::new().add_plugins((MinimalPlugins, plugins.add(QuadrilleBroadPhasePlugin::<()>::default())));
//! ```
//!
//! Finds the same pairs as Avian's `BvhBroadPhasePlugin`, in another order, and so that the same calls give the same
//! order on any number of threads. Avian's own trees stay: its spatial queries need them.

mod boxes;
mod broad_phase;

pub use broad_phase::QuadrilleBroadPhasePlugin;
