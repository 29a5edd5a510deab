//! Floor 2: queries. A query is a value. Structures use only its bounds, what it reaches and what it accepts.
//!
//! | file | contents |
//! |---|---|
//! | `overlaps.rs` | boxes that overlap a rectangle or lie under a point |
//! | `inside.rs` | boxes that lie in a rectangle |
//! | `near.rs` | boxes within a distance, nearest first |
//! | `sweep.rs` | boxes hit by a ray, a segment or a moving box, first contact first |
//! | `polygon.rs` | boxes that overlap a convex polygon |
//! | `forward.rs` | what a query around another one passes on |
//! | `filtered.rs` | a query about boxes that pass a test |
//! | `on_layers.rs` | a query about some layers |
//! | `work.rs` | a query that counts what it looks at |
//! | `ranked.rs` | queries whose answers have an order |
//! | `dynamic.rs` | queries of a type that is chosen at run time |

mod dynamic;
mod filtered;
mod forward;
mod inside;
mod near;
mod on_layers;
mod overlaps;
mod polygon;
mod ranked;
mod sweep;
mod work;

pub use dynamic::{DynQuery, DynRanked};
pub use filtered::Filtered;
pub use inside::Inside;
pub use near::{Distance, Near};
pub use on_layers::OnLayers;
pub use overlaps::{At, Overlaps};
pub use ranked::{Hit, Narrowing, Ranked};
pub use work::{Counted, Work};

use crate::forward;
use crate::geometry::{Aabb, Scalar};
use crate::storage::{Boxes, Layers};

/// Which boxes to find. Every structure can run every query.
///
/// In the manual: `docs/cookbook/asking.md#a-query-of-your-own`.
///
/// A structure prunes with [`bounds`](Self::bounds) and [`reaches`](Self::reaches) and decides with
/// [`accepts`](Self::accepts). Implement the trait for your own shape, and every structure finds exactly its boxes, each
/// once. `Clone` must be cheap, because searches keep a copy. If a query has state that changes while it runs, keep
/// that state in a `Cell` and pass the query by reference (`&Q` is a query too).
///
/// **Wrappers.** A query around another one must forward only [`bounds`](Self::bounds) and
/// [`accepts`](Self::accepts). Forwarding the other methods does not change the answers; it makes them faster:
/// [`forward!`](crate::forward) writes them. A wrapper that forwards [`covers`](Self::covers) or
/// [`circle`](Self::circle) but accepts fewer boxes must also write [`admits`](Self::admits).
///
/// **Queries that shrink.** A query may reach and accept less and less while it runs, as a nearest-neighbor search
/// does once it has found something near. It must never reach or accept more again, and it must reject a box that it
/// has accepted before: a structure that lists boxes in several places may offer a box again.
///
/// ```
/// use quadrille::structures::Quadtree;
/// use quadrille::{Aabb, At, Index, Inside, Overlaps};
///
/// let boxes = [[0.0, 0.0, 2.0, 2.0], [1.0, 1.0, 3.0, 3.0], [5.0, 5.0, 6.0, 6.0]].map(Aabb::from);
/// let index = Index::<Quadtree>::from_boxes(&boxes)?;
/// assert_eq!(index.query_count(Overlaps([1.5, 1.5, 9.0, 9.0].into())), 3);
/// assert_eq!(index.query(Inside([0.5, 0.5, 4.0, 4.0].into())).collect::<Vec<_>>(), [1]);
/// assert_eq!(index.query_count(At([2.0, 2.0])), 2);
/// # Ok::<(), quadrille::Error>(())
/// ```
///
/// A box alone is not a query; the compiler's message says how to wrap it:
///
/// ```compile_fail
/// # let index = quadrille::Index::<quadrille::structures::Quadtree>::default();
/// index.query(quadrille::Aabb::new([0.0, 0.0], [1.0, 1.0]));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a query about boxes of `{S}`",
    label = "wrap it: `Overlaps(rectangle)`, `Inside(rectangle)`, `At(point)`, `Near::point(point).within(distance)`",
    note = "a query says what is asked: `index.query(Overlaps(rectangle))`; its numbers are of the index's scalar"
)]
pub trait Query<S: Scalar>: Clone {
    /// Every accepted box intersects these bounds. Called once. Inverted or NaN bounds find nothing.
    fn bounds(&self) -> Aabb<S>;

    /// The query's place in a [world that wraps](crate::structures::Periodic): by default its bounds. A search for what
    /// is near returns its start; a moving query its whole path, as if it went on forever.
    fn extent(&self) -> Aabb<S> {
        self.bounds()
    }

    /// Does the shape touch `cell`? Called for each node and cell that intersects [`bounds`](Self::bounds). Cells at the
    /// border of the world extend to infinity. This affects speed only, never what is accepted: every accepted box must
    /// have a point that lies in the bounds and in no rejected cell.
    fn reaches(&self, cell: &Aabb<S>) -> bool {
        let _ = cell;
        true
    }

    /// Can a box with some of these layers be an answer? Called for nodes and cells, with the union of all layers in
    /// them. This affects speed only, never what is accepted: if it rejects the union, [`accepts`](Self::accepts) must
    /// reject each box in it.
    fn wants(&self, layers: Layers) -> bool {
        let _ = layers;
        true
    }

    /// Is every box within this rectangle accepted if its id and layers are [admitted](Self::admits)? Called for hulls
    /// of many boxes, which are then not compared one by one. This affects speed only: `false` is always correct.
    #[inline]
    fn covers(&self, hull: &Aabb<S>) -> bool {
        let _ = hull;
        false
    }

    /// A [`Near`] that accepts the same boxes, apart from the ids and layers that [`admits`](Self::admits) rejects. Many
    /// boxes are then compared at once. This affects speed only: `None` is always correct.
    #[inline]
    fn circle(&self) -> Option<Near<S>> {
        None
    }

    /// Is a box with this id and these layers accepted, if it lies in a [covered](Self::covers) rectangle or in the
    /// [circle](Self::circle)? Called there instead of [`accepts`](Self::accepts), and must agree with it.
    #[inline]
    fn admits(&self, id: u32, layers: Layers) -> bool {
        let _ = (id, layers);
        true
    }

    /// Are boxes with any id and any layers [admitted](Self::admits) and [wanted](Self::wants)? Neither is called then.
    /// This affects speed only: `false` is always correct.
    #[inline]
    fn admits_all(&self) -> bool {
        false
    }

    /// Is this box, on these layers, an answer? This alone decides. It may be called with boxes outside
    /// [`bounds`](Self::bounds), and must reject them.
    fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool;
}

impl<S: Scalar, Q: Query<S>> Query<S> for &Q {
    forward!(Query<S>, |query| **query);
}

/// Is the box with this id an answer? The final test for every candidate in every structure.
#[inline]
pub(crate) fn is_answer<S: Scalar, Q: Query<S>>(query: &Q, boxes: &Boxes<S>, id: u32) -> bool {
    query.accepts(id, boxes.at(id), boxes.layers(id))
}

/// The same for candidates in a hull, which the query covers or not.
#[inline]
pub(crate) fn is_answer_in<S: Scalar, Q: Query<S>>(query: &Q, is_covered: bool, boxes: &Boxes<S>, id: u32) -> bool {
    if is_covered { query.admits(id, boxes.layers(id)) } else { is_answer(query, boxes, id) }
}

/// The boxes that form a pair with one that has these bounds and layers.
#[inline]
pub(crate) fn partners<S: Scalar>(boxes: &Boxes<S>, bounds: Aabb<S>, layers: Layers) -> OnLayers<Overlaps<S>> {
    OnLayers::with_agreement(Overlaps(bounds), layers, boxes.agreement())
}
