//! A broad phase as read from a file, before it has been validated.

use alloc::vec::Vec;

use serde::Deserialize;

use super::BroadPhase;
use super::contacts::Contacts;
use super::margin::FatBoxes;
use crate::error::Corruption;
use crate::index::{self, Index};
use crate::storage::IdSet;
use crate::structure::Structure;

/// The fields of a [`BroadPhase`], in the same order.
#[derive(Deserialize)]
#[serde(rename = "BroadPhase", bound = "I: Deserialize<'de>")]
pub(crate) struct Unvalidated<I: Structure> {
    index: index::Unvalidated<I>,
    fat: FatBoxes<I::Scalar>,
    fixed: IdSet,
    contacts: Option<Contacts<I>>,
}

impl<I: Structure> TryFrom<Unvalidated<I>> for BroadPhase<I> {
    type Error = Corruption;

    fn try_from(unvalidated: Unvalidated<I>) -> Result<Self, Corruption> {
        let Unvalidated { index, fat, fixed, contacts } = unvalidated;
        let all = Self { index: Index::try_from(index)?, fat, frame: Vec::new(), fixed, contacts };
        all.validate_state().map(|()| all)
    }
}
