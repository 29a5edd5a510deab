//! What has changed since the last step.

use crate::error::Corruption;
use crate::storage::IdSet;

/// Ids for the next step to examine.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Pending {
    /// Those whose boxes changed.
    pub(super) moved: IdSet,
    /// Those of them whose fat boxes changed, or that are new.
    pub(super) refitted: IdSet,
}

impl Pending {
    /// A box has changed; so has its fat box, or not.
    #[inline]
    pub(super) fn note(&mut self, id: u32, is_refitted: bool) {
        self.moved.insert(id);
        if is_refitted {
            self.refitted.insert(id);
        }
    }

    pub(super) fn forget(&mut self, id: u32) {
        self.moved.remove(id);
        self.refitted.remove(id);
    }

    pub(super) fn validate(&self) -> Result<(), Corruption> {
        self.moved.validate()?;
        self.refitted.validate()?;
        let has_moved = |&id: &u32| self.moved.contains(id);
        Corruption::unless(self.refitted.as_slice().iter().all(has_moved), || "a refit without a move".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_for_a_refit_has_moved() {
        let mut pending = Pending::default();
        pending.note(1, true);
        pending.note(2, false);
        assert_eq!(pending.validate(), Ok(()));
        pending.refitted.insert(3);
        assert!(pending.validate().is_err());
    }
}
