//! Cell maps: a region quadtree over a grid of cells.
//!
//! Start with [`RegionQuadtree`], which is the manual. From the bottom up:
//!
//! | file | contents |
//! |---|---|
//! | `frame` | where the nodes of a map of any size are, and which cell comes next in Morton order |
//! | `pages` | the look-up table from cell to leaf |
//! | `leaves` | leaves by number and generation |
//! | `shape` | the three together: which leaves there are and where |
//! | `objects` | the ordered set of all objects |
//! | `rule`, `census` | when to divide, and the counts to decide it by |
//! | `tree`, `bulk` | what changes a tree, singly and in batches |
//! | `queries`, `neighbors`, `check` | its queries |
//! | `restored` | how it is written and read |

mod bulk;
mod census;
mod check;
mod frame;
mod leaves;
mod neighbors;
mod objects;
mod pages;
mod queries;
#[cfg(feature = "serde")]
mod restored;
mod rule;
mod shape;
mod tree;

pub use check::RegionStats;
pub use leaves::{Leaf, LeafChange, LeafId};
pub use neighbors::Direction;
#[cfg(feature = "snapshot")]
pub(crate) use restored::Unvalidated;
pub use rule::{AllSame, AtMost, Region, Rule, SmallestSide};
pub use tree::RegionQuadtree;
