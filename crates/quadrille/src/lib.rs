//! **Which of many moving boxes touch, every frame: a broad phase and spatial index for 2D.**
//!
//! A [`FrameTree`], quadtrees and grids share one interface: overlaps, all pairs, the k nearest, ray and box casts,
//! layers and masks. Every answer is what brute force finds, each pair once. The same calls give the same answers in
//! the same order, in one version of this library; *which* order is specified only for ranked queries and for events.
//!
//! - [`Space`] stores things under handles and reports which contacts begin and end. If all move, call
//!   [`update_each`](Space::update_each).
//! - [`Index`] does the same for boxes alone, under dense ids: for programs with tables of their own. If all move, call
//!   [`update_all`](Index::update_all).
//! - A [`Query`] is a value ([`Overlaps`], [`At`], [`Near`], [`Sweep`], …). Every structure runs every query.
//! - [`structures`] has quadtrees and grids beside the [`FrameTree`]. Each documents what it is best for and what to
//!   avoid; [`AnyStructure`](structures::AnyStructure) is chosen by name at run time, and a world in
//!   [`Periodic`](structures::Periodic) wraps around.
//! - [`region`] has quadtrees of cell maps.
//!
//! An [`Index`] is [`Send`] and [`Sync`], and so is a [`Space`] if its things are; queries take `&self`. Whether y points
//! up or down makes no difference. The only `unsafe` code is that for SIMD.
//!
//! The manual is in the repository: `docs/getting-started.md`, the cookbook (`docs/cookbook/overview.md`), and
//! `docs/coming-from.md` for users of other libraries.
//!
//! ```
//! use quadrille::{Aabb, Near, Space};
//!
//! let mut space = Space::<&str>::default();
//! let cat = space.insert(Aabb::from_center([0.0, 0.0], [0.5, 0.5]), "cat")?;
//! let mouse = space.insert(Aabb::from_center([9.0, 0.0], [0.1, 0.1]), "mouse")?;
//!
//! let nearest = space.query_first(Near::point([8.0, 0.0])).expect("there are two");
//! assert_eq!(nearest.id, mouse);
//! space.update(mouse, Aabb::from_center([0.4, 0.2], [0.1, 0.1]))?;
//! let met: Vec<_> = space.pairs().map(|((a, _), (b, _))| (a, b)).collect();
//! assert_eq!(met, [(cat, mouse)]);
//! # Ok::<(), quadrille::Error>(())
//! ```
//!
//! # Features
//!
//! | feature | what it adds |
//! |---------|--------------|
//! | `std` (default) | SIMD instructions detected at run time ([`FrameTree`]). Without it the library needs only `core` and an allocator, and no math functions beyond those in `core`. `serde` and glam also work without the standard library |
//! | `serde` | `Serialize` and `Deserialize` for indices, spaces, options, boxes, handles, …; input is validated. Read data with the version of this library that wrote them: they do not record it |
//! | `snapshot` | a binary format with a version and a checksum: `to_bytes`, `from_bytes` and the module `snapshot` |
//! | `rayon` | `par_query` and `par_pairs` of [`Index`] and [`Space`], `par_from_boxes` and `par_update_all` of [`Index`]: all cores, with the answers of one core in the same order |
//! | `mint` | converts [`Aabb`] from and to corners of type `Point2` and `Vector2` |
//! | `glam-0_32`, `glam-0_33`, `glam-0_34` | the same for `Vec2`, `DVec2` and `IVec2` of that version of glam |
//!
//! With `serde`, any format that keeps floats exactly keeps everything. JSON does so through `serde_json` with its
//! feature `float_roundtrip`, but it cannot express infinite numbers, which occur if boxes span the whole range of
//! `f64`.

#![no_std]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

mod arranged;
mod ask;
mod compiled;
mod error;
mod events;
mod executor;
mod geometry;
mod index;
mod interop;
mod kernel;
mod memory;
mod names;
mod pairs_of;
mod query;
mod radix;
mod random;
pub mod region;
#[cfg(feature = "serde")]
mod serial;
mod setters;
#[cfg(feature = "snapshot")]
pub mod snapshot;
mod space;
mod storage;
mod structure;

pub use ask::{Answers, Impact};
pub use error::{Corruption, Error, ErrorKind};
pub use events::{Events, Mobility};
pub use geometry::{Aabb, BoundsError, Contact, ConvexPolygon, PolygonError, Scalar, Sweep, morton};
pub use index::{BoxOptions, Index, IndexIter};
pub use pairs_of::{PairsInParts, pairs_between, pairs_of};
pub use query::{
    At, Distance, DynQuery, DynRanked, Filtered, Hit, Inside, Near, OnLayers, Overlaps, Query, Ranked, Work,
};
pub use space::{Space, SpaceIter, SpaceIterMut};
pub use storage::{Agreement, Handle, Layers};
pub use structure::{FrameTree, Part, Stats, Structure};

/// All structures, what chooses one of them by name, and worlds that wrap around.
pub mod structures {
    pub use crate::structure::{
        AnyOptions, AnyStructure, BruteForce, EnclosingQuadtree, FrameTree, Grid, GridOptions, LooseGrid,
        LooseGridOptions, LooseQuadtree, Node, NodeKind, Periodic, PeriodicOptions, Quadtree, QuadtreeOptions,
        StructureKind, Subdivision, TreeOptions, UnknownStructure,
    };
}

/// Types in the signatures of public traits, and the counter behind `query_work`. Programs rarely name them.
pub mod internals {
    #[doc(hidden)]
    pub use alloc::string::String;

    pub use crate::geometry::{AnySquare, Fraction, Ratio, Square, Wide};
    #[doc(hidden)]
    pub use crate::kernel::bits;
    #[doc(hidden)]
    pub use crate::memory::is_free;
    #[doc(hidden)]
    pub use crate::names::are_same;
    pub use crate::query::Counted;
    // Nobody outside implements it, so that its page would be empty.
    #[doc(hidden)]
    pub use crate::query::Narrowing;
    pub use crate::radix::sort_by_bits;
    #[doc(hidden)]
    pub use crate::random::{Random, mix};
    pub use crate::storage::Boxes;
}

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ReadmeDoctests;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct PageDoctests;
