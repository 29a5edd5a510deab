//! What began and what ended since the last step, by ids.

use super::Index;
use crate::error::Error;
use crate::events::{Events, Mobility};
use crate::structure::Structure;

/// # Events
impl<I: Structure> Index<I> {
    /// Finds the pairs that began and ended since the last call, and writes them to `events`. On the first
    /// call, all current pairs begin. [`staying`](Self::staying) gives the pairs that did neither.
    ///
    /// The cost is one query for each box that was updated, inserted or removed, all of them at once. If these are many,
    /// it is one walk over all pairs and a comparison of each with the last ones. So to let a box sleep, do not update
    /// it; and a world that never moves is best kept in an index of its own, with [`pairs_with`](Self::pairs_with)
    /// between the two.
    ///
    /// In detail:
    /// - Events compare the boxes at one call with those at the next. A contact that began and ended in between is not
    ///   reported.
    /// - Removing a box ends its contacts; a new box under the same id begins its own. So a pair may be in both lists.
    /// - Two [`Fixed`](Mobility::Fixed) boxes never have events. If a moving box touches a fixed one and is then fixed
    ///   too, their contact ends.
    /// - [`clear`](Self::clear) ends all contacts.
    /// - After many single changes it calls [`maintain`](Self::maintain) first, unless you have.
    ///
    /// ```
    /// use quadrille::{Aabb, Events, Index};
    ///
    /// let mut index = <Index>::default();
    /// let a = index.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]))?;
    /// let b = index.insert(Aabb::new([0.5, 0.0], [1.5, 1.0]))?;
    /// let mut events = Events::default();
    /// index.step_events(&mut events);
    /// assert_eq!(events.begin, [(a, b)]);
    /// index.update(b, Aabb::new([5.0, 0.0], [6.0, 1.0]))?;
    /// index.step_events(&mut events);
    /// assert_eq!((events.begin, events.end), (vec![], vec![(a, b)]));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn step_events(&mut self, events: &mut Events<u32>) {
        self.step(events, |id| id, |id| id);
    }

    /// [`step_events`](Self::step_events) with other names for ids: those in use now, and those of boxes that overlapped
    /// at the last step.
    pub(crate) fn step<N>(&mut self, events: &mut Events<N>, name: impl Fn(u32) -> N, name_before: impl Fn(u32) -> N) {
        self.all.begin_step(self.motion.are_many());
        self.motion.step(&self.all, events, name, name_before);
    }

    /// The pairs that overlap now and also did at the previous step, as of the last [`step_events`](Self::step_events).
    /// In order of ids. Sorts all contacts, in a list that it allocates.
    pub fn staying(&self) -> impl Iterator<Item = (u32, u32)> {
        self.motion.touching(false)
    }

    /// The pairs that overlap as of the last [`step_events`](Self::step_events), new ones included; otherwise like
    /// [`staying`](Self::staying).
    ///
    /// ```
    /// use quadrille::{Aabb, Events, Index};
    ///
    /// let mut index = <Index>::from_boxes(&[Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([0.5, 0.5], [2.0, 2.0])])?;
    /// index.step_events(&mut Events::default());
    /// assert_eq!(index.contacts().collect::<Vec<_>>(), [(0, 1)]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn contacts(&self) -> impl Iterator<Item = (u32, u32)> {
        self.motion.touching(true)
    }

    /// Sets whether a box can meet fixed boxes. A new one is [`Moving`](Mobility::Moving).
    ///
    /// # Errors
    /// Returns an error if the id is not in use.
    ///
    /// ```
    /// use quadrille::{Aabb, Events, Index, Mobility};
    ///
    /// let mut index = <Index>::from_boxes(&[Aabb::new([0.0, 0.0], [9.0, 1.0]), Aabb::new([0.0, 0.0], [1.0, 9.0])])?;
    /// for wall in [0, 1] {
    ///     index.set_mobility(wall, Mobility::Fixed)?;
    /// }
    /// let mut events = Events::default();
    /// index.step_events(&mut events);
    /// assert!(events.begin.is_empty(), "fixed boxes have no events with each other");
    /// assert_eq!(index.pairs_count(), 1, "but overlap they do");
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn set_mobility(&mut self, id: u32, mobility: Mobility) -> Result<(), Error> {
        self.all.known(id)?;
        self.motion.set(&mut self.all, id, mobility);
        Ok(())
    }

    /// Whether a box can meet fixed boxes; `None` if the id is not in use.
    #[must_use]
    pub fn mobility(&self, id: u32) -> Option<Mobility> {
        self.get(id).map(|_| self.motion.of(id))
    }
}
