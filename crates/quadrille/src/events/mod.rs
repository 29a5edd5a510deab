//! Floor 6: which pairs began and which ended since the last step, on top of boxes that a structure arranges.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | what changes, and which boxes are fixed |
//! | `contacts.rs` | one step: from what changed to what began and ended |
//! | `scene.rs` | what a step reads: boxes, and all that decides about their contacts |
//! | `pending.rs` | what has changed since the last step |
//! | `last.rs` | the pairs of the last step, and how those of this one differ |
//! | `asking.rs` | batched queries for boxes that have changed, or that move among fixed ones |

mod asking;
mod contacts;
mod last;
mod pending;
mod scene;

use alloc::vec::Vec;

use crate::arranged::Arranged;
use crate::compiled::Compiler;
use crate::error::{Corruption, Error};
use crate::executor::Serial;
use crate::geometry::Aabb;
use crate::memory::clone_by_field;
use crate::storage::{Handle, IdSet};
use crate::structure::Structure;
pub(crate) use contacts::Contacts;
pub(crate) use scene::Scene;

/// Whether a box has contacts with fixed boxes, and events about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Mobility {
    /// Has contacts with everything.
    #[default]
    Moving,
    /// Scenery: fixed boxes have no contacts or events with each other. A fixed box can still be updated.
    /// Queries and pairs do not tell fixed boxes from others.
    Fixed,
}

/// What changed between two steps. Keep it and pass it in again: then a steady frame allocates nothing.
///
/// In the manual: `docs/concepts.md#events`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Events<N = Handle> {
    /// Pairs that overlap now and did not at the last step, the lower id first, in order of ids.
    pub begin: Vec<(N, N)>,
    /// Pairs that overlapped at the last step and do not now, in order of ids. One or both things may have been
    /// removed.
    pub end: Vec<(N, N)>,
}

impl<N> Default for Events<N> {
    fn default() -> Self {
        Self { begin: Vec::new(), end: Vec::new() }
    }
}

/// What moves: which boxes are fixed, and the contacts of the last step with all that has changed since then. Costs
/// nothing until it is first used.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = ""))]
pub struct Motion<I: Structure> {
    /// Boxes that never meet each other.
    fixed: IdSet,
    /// Present from the first step on.
    contacts: Option<Contacts<I>>,
}

clone_by_field!([I: Structure] Motion<I> { fixed, contacts });

/// # Before a change
impl<I: Structure> Motion<I> {
    pub(crate) const fn new() -> Self {
        Self { fixed: IdSet::new(), contacts: None }
    }

    /// Notes that a box is about to change, or to be stored under a new id. Not inlined, so that an
    /// update that notes nothing can be.
    #[inline(never)]
    pub(crate) fn note(&mut self, all: &Arranged<I>, id: u32) {
        if let Some(contacts) = &mut self.contacts {
            contacts.note(Scene { all, fixed: &self.fixed }, id);
        }
    }

    /// Notes which boxes of a frame, whose boxes are about to replace all, differ from those here.
    pub(crate) fn note_frame(&mut self, all: &Arranged<I>, frame: &[Aabb<I::Scalar>]) {
        let Self { fixed, contacts: Some(contacts) } = self else { return };
        if !contacts.pending.is_many && contacts.would_be_many(Scene { all, fixed }, frame) {
            return contacts.pending.note_all();
        }
        for (id, bounds) in (0..).zip(frame).filter(|(_, bounds)| bounds.is_ordered()) {
            if contacts.pending.is_many {
                return;
            }
            if all.boxes.get(id) != Some(*bounds) {
                contacts.note(Scene { all, fixed }, id);
            }
        }
    }

    /// Replaces all boxes by those of a frame, by id.
    #[inline]
    pub(crate) fn take_frame(&mut self, all: &mut Arranged<I>, frame: &mut [Aabb<I::Scalar>]) -> Result<(), Error> {
        all.admit_frame(frame)?;
        self.note_frame(all, frame);
        all.take_all(frame, &Serial);
        Ok(())
    }

    /// Notes that everything may have changed.
    pub(crate) fn note_all(&mut self) {
        self.contacts.iter_mut().for_each(|contacts| contacts.pending.note_all());
    }

    /// Notes that a box is about to be removed. A new one under its id is not fixed.
    pub(crate) fn note_gone(&mut self, all: &Arranged<I>, id: u32) {
        if let Some(contacts) = self.contacts.as_mut().filter(|_| all.boxes.get(id).is_some()) {
            contacts.note_gone(Scene { all, fixed: &self.fixed }, id);
        }
        self.fixed.remove(id);
    }

    /// Sets whether a box can meet fixed boxes.
    pub(crate) fn set(&mut self, all: &mut Arranged<I>, id: u32, mobility: Mobility) {
        self.note(all, id);
        all.set_fixed(id, mobility == Mobility::Fixed);
        match mobility {
            Mobility::Fixed => self.fixed.insert(id),
            Mobility::Moving => drop(self.fixed.remove(id)),
        }
    }
}

/// # A step
impl<I: Structure> Motion<I> {
    /// Finds what began and what ended since the last step, under these names for ids: those in use now, and those of
    /// boxes that overlapped at the last step.
    pub(crate) fn step<N>(
        &mut self,
        all: &Arranged<I>,
        events: &mut Events<N>,
        name: impl Fn(u32) -> N,
        name_before: impl Fn(u32) -> N,
    ) {
        let Self { fixed, contacts } = self;
        I::Compiler::step(contacts, Scene { all, fixed });
        events.begin.clear();
        events.end.clear();
        let Some([begun, ended]) = contacts.as_ref().map(Contacts::last) else { return };
        events.begin.extend(begun.map(|(a, b)| (name(a), name(b))));
        events.end.extend(ended.map(|(a, b)| (name_before(a), name_before(b))));
    }

    /// The contacts as of the last step, with or without those that began in it.
    pub(crate) fn touching(&self, with_new: bool) -> impl Iterator<Item = (u32, u32)> + use<'_, I> {
        self.contacts.iter().flat_map(move |contacts| contacts.touching(with_new))
    }

    /// Marks the fixed boxes in a structure that has been restored.
    #[cfg(feature = "serde")]
    pub(crate) fn restore(&self, all: &mut Arranged<I>) {
        self.fixed.as_slice().iter().for_each(|&id| all.set_fixed(id, true));
    }

    pub(crate) fn of(&self, id: u32) -> Mobility {
        if self.fixed.contains(id) { Mobility::Fixed } else { Mobility::Moving }
    }

    /// `true` once there has been a step.
    #[inline]
    pub(crate) fn has_stepped(&self) -> bool {
        self.contacts.is_some()
    }

    /// `true` if so much has changed since the last step that the next one walks over all pairs.
    pub(crate) fn are_many(&self) -> bool {
        self.contacts.as_ref().is_some_and(|contacts| contacts.pending.is_many)
    }

    /// `true` if a box under this id has been removed since the last step.
    pub(crate) fn has_gone(&self, id: u32) -> bool {
        self.contacts.as_ref().is_some_and(|contacts| contacts.pending.gone.contains(id))
    }

    /// The ids for which that is `true`.
    pub(crate) fn gone(&self) -> &[u32] {
        self.contacts.as_ref().map_or(&[], |contacts| contacts.pending.gone.as_slice())
    }

    /// Checks that fixed boxes and contacts agree with boxes that are sound.
    pub(crate) fn validate(&self, all: &Arranged<I>) -> Result<(), Corruption> {
        self.fixed.validate()?;
        let is_in_use = |&id: &u32| all.boxes.get(id).is_some();
        Corruption::unless(self.fixed.as_slice().iter().all(is_in_use), || "something fixed is gone".into())?;
        self.contacts.as_ref().map_or(Ok(()), |contacts| contacts.validate(Scene { all, fixed: &self.fixed }))
    }

    #[cfg(test)]
    pub(crate) fn contacts(&self) -> &Contacts<I> {
        self.contacts.as_ref().expect("there has been a step")
    }
}
