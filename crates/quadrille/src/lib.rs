//! **quadrille answers *what is near what* for many things that move, in 2D, every frame.**

#![no_std]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

mod error;
mod geometry;
mod index;
mod kernel;
mod question;
mod space;
mod storage;
mod structure;

pub use error::{Corruption, Error};
pub use geometry::{
    Aabb, BoundsError, Contact, ConvexPolygon, Fraction, PolygonError, Ratio, Scalar, Sweep, Wide, morton,
};
pub use index::{Impact, Index, NearestPair};
pub use question::{At, Counted, Distance, Filtered, Hit, Inside, Near, Overlaps, Question, Ranked, Work};
pub use space::{Events, Handle, Keyed, Margin, Mobility, Space};
pub use storage::Boxes;
pub use structure::{
    AnyOptions, AnyStructure, BruteForce, EnclosingQuadtree, EnclosingQuadtreeOptions, FrameTree, Grid, GridOptions,
    LooseGrid, LooseGridOptions, LooseQuadtree, LooseQuadtreeOptions, Node, NodeKind, Quadtree, QuadtreeOptions, Stats,
    Structure, StructureKind, Subdivision, UnknownStructure,
};

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ReadmeDoctests;
