//! Spaces as read from a file, before they have been validated.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use serde::Deserialize;

use super::{Contacts, FatBoxes, Handle, Slot, Space};
use crate::error::Corruption;
use crate::index::{self, Index};
use crate::storage::IdSet;
use crate::structure::Structure;

/// The fields of a [`Space`], in the same order.
#[derive(Deserialize)]
#[serde(rename = "Space", bound = "T: Deserialize<'de>, I: Deserialize<'de>")]
pub(crate) struct Unvalidated<T, I: Structure> {
    index: index::Unvalidated<I>,
    slots: Vec<Slot<T>>,
    fat: FatBoxes<I::Scalar>,
    fixed: IdSet,
    contacts: Option<Contacts>,
    ended: Vec<(Handle, Handle)>,
    #[serde(with = "crate::serial::pairs")]
    leaving: BTreeMap<Handle, T>,
    #[serde(with = "crate::serial::pairs")]
    retired: BTreeMap<Handle, T>,
}

impl<T, I: Structure> TryFrom<Unvalidated<T, I>> for Space<T, I> {
    type Error = Corruption;

    fn try_from(unvalidated: Unvalidated<T, I>) -> Result<Self, Corruption> {
        let Unvalidated { index, slots, fat, fixed, contacts, ended, leaving, retired } = unvalidated;
        let index = Index::try_from(index)?;
        let space = Self { index, slots, fat, frame: Vec::new(), fixed, contacts, ended, leaving, retired };
        space.validate_things().map(|()| space)
    }
}
