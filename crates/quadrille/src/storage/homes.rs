//! Lists for structures in which every box has exactly one home.

use alloc::vec::Vec;

use super::lists::List;
use super::{Boxes, Lists, NONE, add_bytes, bytes_of};
use crate::error::Corruption;
use crate::geometry::Scalar;

/// [`Lists`] of boxes together with the home of each box, 4 bytes per box, so that a box can be removed, or confirmed
/// to be in the right place, without a descent from the root. Homes (nodes, cells) keep the head of their list,
/// [`NONE`] when empty.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Homes {
    lists: Lists,
    /// By id; [`NONE`] for a box that is in no list.
    homes: Vec<u32>,
}

impl Homes {
    pub(crate) const fn new() -> Self {
        Self { lists: Lists::new(), homes: Vec::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.lists.clear();
        self.homes.clear();
    }

    pub(crate) fn reserve(&mut self, additional: usize) {
        self.lists.reserve(additional);
        self.homes.reserve(additional);
    }

    /// Puts `id`, which is in no list, in front of the list of `home`.
    pub(crate) fn push(&mut self, head: &mut u32, home: u32, id: u32) {
        if self.homes.len() <= id as usize {
            self.homes.resize(id as usize + 1, NONE);
        }
        debug_assert_eq!(self.homes[id as usize], NONE, "{id} is in a list already");
        self.homes[id as usize] = home;
        self.lists.push(head, id);
    }

    /// Takes `id` out of its list; `head` is the head of the list of [`of`](Self::of)`(id)`. Costs the length of the
    /// list.
    pub(crate) fn take(&mut self, head: &mut u32, id: u32) {
        let is_listed = self.lists.take(head, id);
        debug_assert!(is_listed, "the head belongs to another list than that of {id}");
        self.homes[id as usize] = NONE;
    }

    /// Takes the first box out of a list.
    pub(crate) fn pop(&mut self, head: &mut u32) -> Option<u32> {
        let id = self.lists.pop(head)?;
        self.homes[id as usize] = NONE;
        Some(id)
    }

    /// Where the box lives; [`NONE`] if it is in no list.
    #[inline]
    pub(crate) fn of(&self, id: u32) -> u32 {
        self.homes.get(id as usize).copied().unwrap_or(NONE)
    }

    /// The ids of a list, front to back.
    #[inline]
    pub(crate) fn list(&self, head: u32) -> List<'_> {
        self.lists.list(head)
    }

    pub(crate) fn bytes(&self) -> [usize; 2] {
        add_bytes([self.lists.bytes(), bytes_of(&self.homes)])
    }

    /// The lists of these (home, head) are sound, and every box is in exactly one of them, once, and stores its home.
    pub(crate) fn validate<S: Scalar>(
        &self,
        boxes: &Boxes<S>,
        lists: impl Iterator<Item = (u32, u32)> + Clone,
    ) -> Result<(), Corruption> {
        self.lists.validate(lists.clone().map(|(_, head)| head))?;
        let mut expected = self.homes.clone();
        for (home, head) in lists {
            for id in self.list(head) {
                Corruption::unless(boxes.get(id).is_some(), || alloc::format!("box {id} is listed and gone"))?;
                let is_right = expected.get_mut(id as usize).is_some_and(|at| core::mem::replace(at, NONE) == home);
                Corruption::unless(is_right, || {
                    alloc::format!("box {id} is listed in {home}, says {}, or is listed twice", self.of(id))
                })?;
            }
        }
        let (listed, boxes) = (self.lists.len(), boxes.len());
        Corruption::unless(listed == boxes && expected.iter().all(|&home| home == NONE), || {
            alloc::format!("{listed} boxes listed of {boxes}, or one that believes to be listed and is not")
        })
    }
}
