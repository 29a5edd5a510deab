//! Changing things that queries and pairs find.

use core::mem;

use super::{Slot, Space, handle};
use crate::query::Query;
use crate::storage::Handle;
use crate::structure::{Part, Structure};

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
        self.slots[handle.slot as usize].1.as_mut()
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
            things[k] = slot.1.as_mut();
            (rest, passed) = (after, passed + skipped + 1);
        }
        Some(things.map(|thing| thing.expect("each handle was found good")))
    }

    /// Calls `visit` with each thing whose box `query` accepts, mutably.
    ///
    /// ```
    /// use quadrille::{Aabb, Near, Space};
    ///
    /// let mut space = Space::<i32>::default();
    /// let near = space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), 100)?;
    /// let far = space.insert(Aabb::new([50.0, 5.0], [51.0, 6.0]), 100)?;
    /// space.query_mut(Near::point([2.0, 0.0]).within(3.0), |_, health| *health -= 30);
    /// assert_eq!((space[near], space[far]), (70, 100));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn query_mut<Q: Query<I::Scalar>>(&mut self, query: Q, mut visit: impl FnMut(Handle, &mut T)) {
        let Self { boxes, slots, .. } = self;
        for id in boxes.view().ids(query) {
            let (handle, thing) = at_mut(&mut slots[id as usize], id);
            visit(handle, thing);
        }
    }

    /// Calls `visit` with each pair of things whose boxes overlap, the lower id first, both mutably.
    ///
    /// ```
    /// use quadrille::{Aabb, Space};
    ///
    /// let mut space = Space::<f32>::default();
    /// let a = space.insert(Aabb::new([0.0, 0.0], [2.0, 2.0]), 1.0)?;
    /// let b = space.insert(Aabb::new([1.0, 1.0], [3.0, 3.0]), 5.0)?;
    /// space.pairs_mut(|(_, speed), (_, other)| core::mem::swap(speed, other));
    /// assert_eq!((space[a], space[b]), (5.0, 1.0));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn pairs_mut(&mut self, mut visit: impl FnMut((Handle, &mut T), (Handle, &mut T))) {
        let Self { boxes, slots, .. } = self;
        boxes.view().id_pairs(Part::WHOLE).for_each(|(a, b)| {
            let (lower, upper) = slots.split_at_mut(b as usize);
            visit(at_mut(&mut lower[a as usize], a), at_mut(&mut upper[0], b));
        });
    }
}

/// The handle and the thing in a slot, at an id that the index returned.
fn at_mut<T>(slot: &mut Slot<T>, id: u32) -> (Handle, &mut T) {
    let handle = handle(slot, id);
    (handle, slot.1.as_mut().expect("the index knows only ids of things that are in the space"))
}
