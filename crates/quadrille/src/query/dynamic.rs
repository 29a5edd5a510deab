//! Queries of a type that is chosen at run time.

use core::fmt::Debug;

use super::{Query, Ranked};
use crate::forward;
use crate::geometry::{Aabb, Scalar};
use crate::storage::Layers;

/// Any [`Query`], behind a pointer: queries of several types can be stored in one list, and a program is compiled for
/// one of them only. `&dyn DynQuery<S>` is a query.
///
/// Each call of the query goes through the pointer. If the type is known, use the query itself: it is faster.
///
/// ```
/// use quadrille::{Aabb, At, DynQuery, Index, Near, Overlaps};
///
/// let index = Index::<quadrille::FrameTree>::from_boxes(&[[0.0, 0.0, 2.0, 2.0], [5.0, 5.0, 6.0, 6.0]].map(Aabb::from))?;
/// let queries: [Box<dyn DynQuery<f32>>; 3] =
///     [Box::new(At([1.0, 1.0])), Box::new(Near::point([4.0, 5.0]).within(1.0)), Box::new(Overlaps(Aabb::EVERYTHING))];
/// assert_eq!(queries.map(|query| index.query_count(&*query)), [1, 1, 2]);
/// # Ok::<(), quadrille::Error>(())
/// ```
pub trait DynQuery<S: Scalar>: object::Query<S> {}

impl<S: Scalar, Q: Query<S>> DynQuery<S> for Q {}

/// Any [`Ranked`] query with ranks of type `R`, behind a pointer: see [`DynQuery`]. `&dyn DynRanked<S, R>` is a ranked
/// query.
pub trait DynRanked<S: Scalar, R>: DynQuery<S> + object::Ranked<S, Rank = R> {}

impl<S: Scalar, Q: Ranked<S>> DynRanked<S, Q::Rank> for Q {}

macro_rules! ask_through_pointers {
    ($(dyn $($auto:ident)*;)*) => {$(
        impl<S: Scalar> Query<S> for &(dyn DynQuery<S> $(+ $auto)* + '_) {
            forward!(Query<S>, |query| **query);
        }

        impl<S: Scalar, R> Query<S> for &(dyn DynRanked<S, R> $(+ $auto)* + '_) {
            forward!(Query<S>, |query| **query);
        }

        impl<S: Scalar, R: Copy + PartialOrd + Debug> Ranked<S> for &(dyn DynRanked<S, R> $(+ $auto)* + '_) {
            type Rank = R;

            forward!(Ranked<S>, |query| **query);

            fn answer(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> Option<R> {
                (**self).answer(id, bounds, layers)
            }
        }
    )*};
}

ask_through_pointers! {
    dyn;
    dyn Send;
    dyn Sync;
    dyn Send Sync;
}

/// The methods, without `Clone`, and with the rank as a parameter: pointers to traits can have neither.
mod object {
    use crate::forward;
    use crate::geometry::{Aabb, Scalar, Sweep};
    use crate::query::Near;
    use crate::storage::Layers;

    pub trait Query<S: Scalar> {
        fn bounds(&self) -> Aabb<S>;
        fn extent(&self) -> Aabb<S>;
        fn reaches(&self, cell: &Aabb<S>) -> bool;
        fn wants(&self, layers: Layers) -> bool;
        fn covers(&self, hull: &Aabb<S>) -> bool;
        fn circle(&self) -> Option<Near<S>>;
        fn admits(&self, id: u32, layers: Layers) -> bool;
        fn admits_all(&self) -> bool;
        fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool;
    }

    impl<S: Scalar, Q: crate::query::Query<S>> Query<S> for Q {
        forward!(Query<S>, |query| *query);
    }

    pub trait Ranked<S: Scalar> {
        type Rank;

        fn rank(&self, bounds: &Aabb<S>) -> Option<Self::Rank>;
        fn answer(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> Option<Self::Rank>;
        fn origin(&self) -> Aabb<S>;
        fn bounds_up_to(&self, last: &Self::Rank) -> Aabb<S>;
        fn square(&self, rank: &Self::Rank) -> Option<f64>;
        fn is_by_distance(&self) -> bool;
        fn sweep(&self) -> Option<Sweep<S>>;
        fn time(&self, rank: &Self::Rank) -> Option<f64>;
    }

    impl<S: Scalar, Q: crate::query::Ranked<S>> Ranked<S> for Q {
        type Rank = Q::Rank;

        forward!(Ranked<S>, |query| *query);

        fn answer(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> Option<Self::Rank> {
            (*self).answer(id, bounds, layers)
        }
    }
}
