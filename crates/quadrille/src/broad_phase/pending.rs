//! What has changed since the last step.

use alloc::vec::Vec;

use crate::error::Corruption;

/// Ids for the next step to examine: a list, and for each id what has happened to it. Noting a change then takes one
/// look at a byte, and nothing more if the id is already listed.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Pending {
    /// Those to which something has happened, each once.
    ids: Vec<u32>,
    /// By id.
    states: Vec<State>,
}

/// What has happened to a box since the last step; the greater, the more there is to examine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum State {
    #[default]
    AtRest,
    /// It is listed, and has gone.
    Gone,
    Moved,
    /// Its fat box has changed too, or it is new.
    Refitted,
}

impl Pending {
    /// Notes that a box has changed, and whether its fat box has.
    #[inline(always)]
    pub(super) fn note(&mut self, id: u32, is_refitted: bool) {
        if self.states.len() <= id as usize {
            self.make_id(id);
        }
        let state = &mut self.states[id as usize];
        if *state == State::AtRest {
            self.ids.push(id);
        }
        *state = (*state).max(if is_refitted { State::Refitted } else { State::Moved });
    }

    #[cold]
    fn make_id(&mut self, id: u32) {
        self.states.resize(id as usize + 1, State::AtRest);
    }

    /// Notes that a box was removed: what happened to it before does not matter.
    pub(super) fn forget(&mut self, id: u32) {
        if let Some(state) = self.states.get_mut(id as usize) {
            *state = (*state).min(State::Gone);
        }
    }

    /// Nothing is left to examine.
    pub(super) fn clear(&mut self) {
        for id in self.ids.drain(..) {
            self.states[id as usize] = State::AtRest;
        }
    }

    /// Has the box of an id changed?
    #[inline]
    pub(super) fn has_moved(&self, id: u32) -> bool {
        self.states.get(id as usize).is_some_and(|&state| state >= State::Moved)
    }

    /// Has its fat box?
    #[inline]
    pub(super) fn is_refitted(&self, id: u32) -> bool {
        self.states.get(id as usize) == Some(&State::Refitted)
    }

    /// Ids whose boxes have changed.
    pub(super) fn moved(&self) -> impl Iterator<Item = u32> {
        self.ids.iter().copied().filter(|&id| self.has_moved(id))
    }

    /// Ids whose fat boxes have changed.
    pub(super) fn refitted(&self) -> impl Iterator<Item = u32> {
        self.ids.iter().copied().filter(|&id| self.is_refitted(id))
    }

    /// The list has the ids to which something has happened, and no other.
    pub(super) fn validate(&self) -> Result<(), Corruption> {
        let mut listed = self.ids.clone();
        listed.sort_unstable();
        let changed = (0..).zip(&self.states).filter(|&(_, &state)| state != State::AtRest);
        Corruption::unless(changed.map(|(id, _)| id).eq(listed), || {
            "boxes that changed are not those that are listed".into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_id_is_examined_once_for_the_most_that_happened_to_it() {
        let mut pending = Pending::default();
        for (id, is_refitted) in [(1, true), (2, false), (1, false), (4, false), (3, true), (4, true)] {
            pending.note(id, is_refitted);
        }
        assert_eq!(pending.moved().collect::<Vec<u32>>(), [1, 2, 4, 3]);
        assert_eq!(pending.refitted().collect::<Vec<u32>>(), [1, 4, 3]);
        pending.forget(4);
        assert!(!pending.has_moved(4) && !pending.is_refitted(4));
        assert_eq!(pending.moved().collect::<Vec<u32>>(), [1, 2, 3]);
        pending.note(4, false);
        assert_eq!(pending.moved().collect::<Vec<u32>>(), [1, 2, 4, 3]);
        assert_eq!(pending.refitted().collect::<Vec<u32>>(), [1, 3]);
        assert_eq!(pending.validate(), Ok(()));
        pending.clear();
        assert_eq!((pending.moved().count(), pending.validate()), (0, Ok(())));
    }

    #[test]
    fn what_has_gone_before_it_changed_is_not_listed() {
        let mut pending = Pending::default();
        pending.forget(7);
        pending.note(9, true);
        pending.forget(7);
        assert_eq!((pending.moved().collect::<Vec<u32>>(), pending.validate()), (alloc::vec![9], Ok(())));
    }

    #[test]
    fn validation_finds_ids_that_are_lost_or_listed_twice() {
        let mut pending = Pending::default();
        (1..=3).for_each(|id| pending.note(id, true));
        let with = |ids: &[u32]| Pending { ids: ids.to_vec(), ..pending.clone() };
        assert_eq!(with(&[3, 1, 2]).validate(), Ok(()));
        for ids in [&[1, 2][..], &[1, 2, 2], &[1, 2, 4], &[1, 2, 3, 3], &[1, 2, 9]] {
            assert!(with(ids).validate().is_err(), "{ids:?}");
        }
    }
}
