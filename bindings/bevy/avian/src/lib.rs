//! **A broad phase for Avian's 2D physics that uses [`quadrille`]** in place of Avian's own:
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
//! It finds the same pairs as Avian's `BvhBroadPhasePlugin`, in another order, which is the same for the same calls on
//! any number of threads. Avian's own trees stay, because its spatial queries need them.

mod boxes;
mod broad_phase;

pub use broad_phase::QuadrilleBroadPhasePlugin;
