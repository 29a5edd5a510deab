//! Spaces as read from a file, before they have been validated.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use serde::Deserialize;

use super::{Slot, Space};
use crate::error::Corruption;
use crate::index::{self, Index};
use crate::storage::Handle;
use crate::structure::Structure;

/// The fields of a [`Space`], in the same order.
#[derive(Deserialize)]
#[serde(rename = "Space", bound = "T: Deserialize<'de>, I: Deserialize<'de>")]
pub(crate) struct Unvalidated<T, I: Structure> {
    boxes: index::Unvalidated<I>,
    #[serde(with = "crate::serial::slots")]
    slots: Vec<Slot<T>>,
    former: Vec<Handle>,
    #[serde(with = "crate::serial::pairs")]
    leaving: BTreeMap<Handle, T>,
    #[serde(with = "crate::serial::pairs")]
    retired: BTreeMap<Handle, T>,
}

impl<T, I: Structure> TryFrom<Unvalidated<T, I>> for Space<T, I> {
    type Error = Corruption;

    fn try_from(unvalidated: Unvalidated<T, I>) -> Result<Self, Corruption> {
        let Unvalidated { boxes, slots, former, leaving, retired } = unvalidated;
        let space = Self { boxes: Index::try_from(boxes)?, slots, former, leaving, retired };
        space.validate_things().map(|()| space)
    }
}
