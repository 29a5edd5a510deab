//! Changing things that queries and pairs find.

use core::mem;

use super::Space;
use crate::storage::Handle;
use crate::structure::Structure;

/// # Changing things
///
/// Boxes change with [`update`](Self::update) only.
impl<T, I: Structure> Space<T, I> {
    /// Mutable access to a thing, or `None` if the handle is stale.
    ///
    /// ```
    /// use quadrille::{Aabb, Space};
    ///
    /// let mut space = Space::<u32>::default();
    /// let cat = space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), 9)?;
    /// *space.get_mut(cat).expect("it is there") -= 1; // one life
    /// assert_eq!(space[cat], 8);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    #[must_use]
    pub fn get_mut(&mut self, handle: Handle) -> Option<&mut T> {
        if !self.contains(handle) {
            return None;
        }
        self.slots[handle.slot as usize].thing.as_mut()
    }

    /// Mutable access to several things at once. `None` if a handle is stale or appears twice.
    ///
    /// ```
    /// use quadrille::{Aabb, Space};
    ///
    /// let mut space = Space::<i32>::default();
    /// let a = space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), 10)?;
    /// let b = space.insert(Aabb::new([5.0, 5.0], [6.0, 6.0]), 20)?;
    /// let [first, second] = space.get_disjoint_mut([b, a]).unwrap();
    /// core::mem::swap(first, second);
    /// assert_eq!((space[a], space[b]), (20, 10));
    /// assert!(space.get_disjoint_mut([a, a]).is_none());
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    #[must_use]
    pub fn get_disjoint_mut<const N: usize>(&mut self, handles: [Handle; N]) -> Option<[&mut T; N]> {
        if !handles.iter().all(|&handle| self.contains(handle)) {
            return None;
        }
        let mut order: [usize; N] = core::array::from_fn(|k| k);
        order.sort_unstable_by_key(|&k| handles[k].slot);
        let mut things = [const { None }; N];
        let (mut rest, mut passed) = (&mut self.slots[..], 0);
        for k in order {
            let skipped = (handles[k].slot as usize).checked_sub(passed)?;
            let (slot, after) = mem::take(&mut rest).split_at_mut(skipped).1.split_first_mut()?;
            things[k] = slot.thing.as_mut();
            (rest, passed) = (after, passed + skipped + 1);
        }
        Some(things.map(|thing| thing.expect("each handle was found good")))
    }
}
