//! What began and what ended since the last step, as handles.

use super::{Space, handle, handles};
use crate::error::Error;
use crate::events::{Events, Mobility};
use crate::storage::{Handle, sort_by_slot};
use crate::structure::Structure;

/// # Events
impl<T, I: Structure> Space<T, I> {
    /// Finds the pairs that began and ended since the last call, and writes them to `events`. On the first
    /// call, all current pairs begin. See [`Index::step_events`](crate::Index::step_events) for what it costs and what
    /// it compares.
    ///
    /// Removing a thing ends its contacts under its old handle. A new thing in the same slot begins its own. If you
    /// need the payload when its contacts end, [`retire`](Self::retire) the thing instead of removing it.
    ///
    /// ```
    /// use quadrille::{Aabb, Events, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// let door = space.insert(Aabb::new([0.0, 0.0], [2.0, 2.0]), "door")?;
    /// let hero = space.insert(Aabb::new([1.0, 0.0], [2.0, 1.0]), "hero")?;
    /// let mut events = Events::default();
    /// space.step_events(&mut events);
    /// assert_eq!(events.begin, [(door, hero)]);
    ///
    /// space.update(hero, Aabb::new([5.0, 0.0], [6.0, 1.0]))?;
    /// space.step_events(&mut events);
    /// assert!(events.begin.is_empty());
    /// assert_eq!(events.end, [(door, hero)]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn step_events(&mut self, events: &mut Events) {
        // Dropped when all is done: a drop may panic.
        let _forgotten = core::mem::replace(&mut self.retired, core::mem::take(&mut self.leaving));
        let Self { boxes, slots, former, .. } = self;
        sort_by_slot(former);
        let name = |id: u32| handle(&slots[id as usize], id);
        let name_before = |id| former.binary_search_by_key(&id, |handle| handle.slot).map_or(name(id), |at| former[at]);
        boxes.step(events, name, name_before);
        former.clear();
    }

    /// The pairs that overlap now and also did at the previous step, as of the last [`step_events`](Self::step_events).
    /// In order of ids. Sorts all contacts, in a list that it allocates.
    pub fn staying(&self) -> impl Iterator<Item = (Handle, Handle)> {
        self.boxes.staying().map(|pair| handles(&self.slots, pair))
    }

    /// The pairs that overlap as of the last [`step_events`](Self::step_events), new ones included; otherwise like
    /// [`staying`](Self::staying).
    pub fn contacts(&self) -> impl Iterator<Item = (Handle, Handle)> {
        self.boxes.contacts().map(|pair| handles(&self.slots, pair))
    }

    /// Removes a thing from the space but keeps it available through [`retired`](Self::retired) until the
    /// [`step_events`](Self::step_events) after the one that ends its contacts. `false` if the handle is stale. Nothing
    /// else drops it: a program that no longer calls [`step_events`](Self::step_events) keeps all that it retires.
    ///
    /// ```
    /// use quadrille::{Aabb, Events, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// let a = space.insert(Aabb::new([0.0, 0.0], [2.0, 2.0]), "a")?;
    /// let b = space.insert(Aabb::new([1.0, 1.0], [3.0, 3.0]), "b")?;
    /// let mut events = Events::default();
    /// space.step_events(&mut events);
    /// space.retire(b);
    /// space.step_events(&mut events);
    /// assert_eq!(events.end, [(a, b)]);
    /// assert_eq!((space.get(b), space.retired(b)), (None, Some(&"b")));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn retire(&mut self, handle: Handle) -> bool {
        let thing = self.remove(handle);
        thing.map(|thing| self.leaving.insert(handle, thing)).is_some()
    }

    /// A retired thing whose last events the last [`step_events`](Self::step_events) reported, or the next one will
    /// report.
    #[must_use]
    pub fn retired(&self, handle: Handle) -> Option<&T> {
        self.leaving.get(&handle).or_else(|| self.retired.get(&handle))
    }

    /// Sets whether a thing can meet fixed things. A new thing is [`Moving`](Mobility::Moving).
    ///
    /// # Errors
    /// Returns an error if the handle is stale.
    ///
    /// ```
    /// use quadrille::{Aabb, Events, Mobility, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// let wall = space.insert(Aabb::new([0.0, 0.0], [1.0, 9.0]), "wall")?;
    /// let other = space.insert(Aabb::new([0.0, 0.0], [9.0, 1.0]), "wall")?;
    /// space.set_mobility(wall, Mobility::Fixed)?;
    /// space.set_mobility(other, Mobility::Fixed)?;
    /// let mut events = Events::default();
    /// space.step_events(&mut events);
    /// assert!(events.begin.is_empty(), "scenery has no contacts with scenery");
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn set_mobility(&mut self, handle: Handle, mobility: Mobility) -> Result<(), Error> {
        self.check(handle)?;
        self.boxes.set_mobility(handle.slot, mobility)
    }

    /// Whether a thing can meet fixed things; `None` if the handle is stale.
    #[must_use]
    pub fn mobility(&self, handle: Handle) -> Option<Mobility> {
        self.boxes.mobility(handle.slot).filter(|_| self.contains(handle))
    }
}
