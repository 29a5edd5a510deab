//! What all queries need from an index.

use std::ops::ControlFlow;

use quadrille::{Aabb, Index, Near, Structure};

use crate::among::Among;

/// Visits what is near; compiled once for all callers.
pub(crate) fn visit_near<I: Structure>(
    index: &Index<I>,
    query: Among<Near<I::Scalar>>,
    visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    index.query_visit(query, visit)
}

#[inline]
pub(crate) fn bounds<I: Structure>(index: &Index<I>, id: u32) -> Aabb<I::Scalar> {
    index.get(id).expect("an answer is an id in use")
}
