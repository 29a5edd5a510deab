//! Indices of the scalars that distances are known of, and what all questions ask of them.

use std::ops::ControlFlow;

use quadrille::{Aabb, Index, Near, Structure};

use crate::number::Number;

/// A structure of a scalar that distances are known of.
pub trait Arranged: Structure<Scalar: Number> {}

impl<I: Structure<Scalar: Number>> Arranged for I {}

/// Visits what is near, once compiled for all who ask.
pub(crate) fn visit_near<I: Arranged>(
    index: &Index<I>,
    question: Near<I::Scalar>,
    visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    index.query_visit(question, visit)
}

#[inline]
pub(crate) fn bounds<I: Arranged>(index: &Index<I>, id: u32) -> Aabb<I::Scalar> {
    index.get(id).expect("an answer is an id in use")
}
