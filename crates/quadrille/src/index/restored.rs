//! An index as read from a file, before it has been validated.

use serde::Deserialize;

use super::Index;
use crate::arranged::Arranged;
use crate::error::Corruption;
use crate::events::Motion;
use crate::structure::Structure;

/// The fields of an [`Index`], in the same order.
#[derive(Deserialize)]
#[serde(rename = "Index", bound = "I: Deserialize<'de>")]
pub(crate) struct Unvalidated<I: Structure> {
    all: Arranged<I>,
    motion: Motion<I>,
}

impl<I: Structure> TryFrom<Unvalidated<I>> for Index<I> {
    type Error = Corruption;

    fn try_from(Unvalidated { mut all, motion }: Unvalidated<I>) -> Result<Self, Corruption> {
        all.restore()?;
        motion.validate(&all)?;
        motion.restore(&mut all);
        Ok(Self { motion, ..Self::over(all) })
    }
}
