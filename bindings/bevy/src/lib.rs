//! **What is near what, by entity**: [`quadrille`] as a plugin of Bevy. The box of every entity with a [`BoundingBox`]
//! follows its `GlobalTransform`. In systems, [`Boxes`] finds what overlaps, what is nearest and what a ray hits;
//! [`Began`] and [`Ended`] report contacts that begin and end. Answers are exact: no pair is missed, none comes twice,
//! and what has been despawned is never an answer.
//!
//! ```
//! use bevy_app::{App, Update};
//! use bevy_ecs::prelude::*;
//! use bevy_math::Vec2;
//! use bevy_quadrille::{Began, BoundingBox, Boxes, QuadrillePlugin};
//! use bevy_transform::{TransformPlugin, components::Transform};
//!
//! #[derive(Component)]
//! struct Hero;
//!
//! fn look_around(heroes: Query<(Entity, &Transform), With<Hero>>, boxes: Boxes) {
//!     for (hero, place) in &heroes {
//!         let others = boxes.near(place.translation.truncate(), 5.0).filter(|&other| other != hero);
//!         println!("{} within five meters", others.count());
//!     }
//! }
//!
//! fn greet(mut began: MessageReader<Began>) {
//!     for met in began.read() {
//!         println!("{} meets {}", met.a, met.b);
//!     }
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((TransformPlugin, QuadrillePlugin::default())).add_systems(Update, (look_around, greet));
//! app.world_mut().spawn((Hero, BoundingBox::new(Vec2::splat(0.5)), Transform::from_xyz(1.0, 2.0, 0.0)));
//! app.update();
//! ```
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `paths` | exact shortest paths on maps of cells, for entities: [`paths`] |
//! | `drawn` | boxes taken from sprites and meshes: [`DrawnBox`] |
//! | `gizmos` | draws boxes, nodes and answers: [`BoxGizmos`] |
//! | `multi_threaded` | systems that run in parallel, as in Bevy |
//!
//! The README says which versions of Bevy, Rust and Avian this crate goes with.

mod bounding_box;
mod boxes;
#[cfg(feature = "drawn")]
mod drawn;
mod follow;
#[cfg(feature = "gizmos")]
mod gizmos;
#[cfg(feature = "paths")]
pub mod paths;
mod plugin;
mod sight;
mod space;

pub use bounding_box::BoundingBox;
pub use boxes::Boxes;
#[cfg(feature = "drawn")]
pub use drawn::{DrawnBox, DrawnBoxesPlugin};
pub use follow::{Began, Ended};
#[cfg(feature = "gizmos")]
pub use gizmos::BoxGizmos;
pub use plugin::{BoxSystems, QuadrillePlugin};
pub use quadrille::{self, Layers, Near, OnLayers, Overlaps, Query as BoxQuery, Ranked, Sweep};
pub use space::Marker;

/// The examples of the README are tests.
#[cfg(all(doctest, feature = "paths"))]
#[doc = include_str!("../README.md")]
struct Readme;
