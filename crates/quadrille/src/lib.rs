//! **quadrille answers *what is near what* for many things that move, in 2D, every frame.**

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod error;
mod geometry;
mod index;
mod interop;
mod question;
pub mod region;
#[cfg(feature = "snapshot")]
pub mod snapshot;
mod space;
mod storage;
mod structure;

pub use error::{Corruption, Error};
pub use geometry::{
    Aabb, BoundsError, Contact, ConvexPolygon, Fraction, PolygonError, Ratio, Scalar, Sweep, Wide, morton,
};
pub use index::{Impact, Index, NearestPair, Periodic};
pub use question::{
    Answers, At, Counted, Distance, Filtered, Hit, Inside, Movable, Near, OnLayers, Overlaps, Question, Ranked, Work,
};
#[cfg(feature = "snapshot")]
pub use snapshot::SnapshotError;
pub use space::{Events, Handle, Keyed, Margin, Mobility, Space};
pub use storage::{Agreement, Boxes, Layers};
pub use structure::{
    AnyOptions, AnyStructure, BruteForce, EnclosingQuadtree, EnclosingQuadtreeOptions, Grid, GridOptions, LooseGrid,
    LooseGridOptions, LooseQuadtree, LooseQuadtreeOptions, Node, NodeKind, Part, Quadtree, QuadtreeOptions, Stats,
    Structure, StructureKind, Subdivision, UnknownStructure,
};

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ReadmeDoctests;
