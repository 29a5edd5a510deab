//! Queries behind a reference to a trait object, so that every structure is compiled for one type of query a
//! scalar and not for each of them: a tenth of the time to build.

use quadrille::{DynQuery, DynRanked, Query, Ranked, Scalar};

/// Any query.
pub(crate) fn asked<S: Scalar, Q: Query<S>>(query: &Q) -> &(dyn DynQuery<S> + '_) {
    query
}

/// Any query with ranks of type `R`.
pub(crate) fn ranked<S: Scalar, Q: Ranked<S>>(query: &Q) -> &(dyn DynRanked<S, Q::Rank> + '_) {
    query
}
