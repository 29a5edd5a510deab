//! Spaces as they come out of a file, before anybody has looked whether they make sense.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use serde::Deserialize;

use super::{Contacts, Events, FatBoxes, Handle, Keyed, Slot, Space};
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
    #[serde(with = "crate::interop::serde::pairs")]
    leaving: BTreeMap<Handle, T>,
    #[serde(with = "crate::interop::serde::pairs")]
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

/// The one field of a [`Keyed`] that is stored.
#[derive(Deserialize)]
#[serde(rename = "Keyed", bound = "K: Deserialize<'de>, I: Deserialize<'de>")]
pub(crate) struct UnvalidatedKeyed<K, I: Structure> {
    space: Unvalidated<K, I>,
}

impl<K: Ord + Copy, I: Structure> TryFrom<UnvalidatedKeyed<K, I>> for Keyed<K, I> {
    type Error = Corruption;

    fn try_from(UnvalidatedKeyed { space }: UnvalidatedKeyed<K, I>) -> Result<Self, Corruption> {
        let space = Space::try_from(space)?;
        let handles: BTreeMap<K, Handle> = space.iter().map(|(handle, &key)| (key, handle)).collect();
        Corruption::unless(handles.len() == space.len(), || "a key has several boxes".into())?;
        Ok(Self { space, handles, events: Events::default() })
    }
}
