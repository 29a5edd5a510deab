//! An index as read from a file, before it has been validated.

use serde::Deserialize;

use super::Index;
use crate::error::Corruption;
use crate::storage::Boxes;
use crate::structure::Structure;

/// The fields of an [`Index`], in the same order.
#[derive(Deserialize)]
#[serde(rename = "Index", bound = "I: Deserialize<'de>")]
pub(crate) struct Unvalidated<I: Structure> {
    boxes: Boxes<I::Scalar>,
    structure: I,
    outgrown_at: usize,
}

impl<I: Structure> TryFrom<Unvalidated<I>> for Index<I> {
    type Error = Corruption;

    fn try_from(Unvalidated { boxes, structure, outgrown_at }: Unvalidated<I>) -> Result<Self, Corruption> {
        let mut index = Self { boxes, structure, outgrown_at };
        index.boxes.validate()?;
        index.structure.restore(&index.boxes);
        index.validate().map(|_| index)
    }
}
