//! Floor 5: boxes, and a structure that arranges them.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::ask::{Ids, View};
use crate::compiled::Compiler;
use crate::error::{Cause, Corruption, Error};
use crate::executor::{CHUNK, Executor, Serial};
use crate::geometry::Aabb;
use crate::kernel::{self, AreValid};
use crate::memory::clone_by_field;
use crate::storage::{Boxes, Layers, MOST_BOXES};
use crate::structure::{Stats, Structure};

/// Boxes by id, arranged by a structure, which learns of every change. What is public about them is in an
/// [`Index`](crate::Index).
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "I: serde::Serialize", deserialize = "I: serde::Deserialize<'de>"))
)]
pub struct Arranged<I: Structure> {
    pub(crate) boxes: Boxes<I::Scalar>,
    pub(crate) structure: I,
    /// When more boxes than this are inserted, check whether the structure still fits them. The limit doubles, so
    /// inserting one box at a time costs a constant number of rebuilds per box.
    outgrown_at: usize,
    /// Deferred work has been done since the last step of events.
    is_maintained: bool,
}

clone_by_field!([I: Structure] Arranged<I> { boxes, structure, outgrown_at, is_maintained });

/// The first check of whether the structure fits the boxes.
const FIRST_LOOK: usize = 16;

/// Boxes of a frame that are checked at once. More: more are looked at one by one around a free id. Fewer: more calls.
const FEW: usize = 64;

/// # Change
impl<I: Structure> Arranged<I> {
    pub(crate) fn new(options: I::Options) -> Result<Self, Error> {
        let structure = I::Compiler::empty(options)?;
        Ok(Self { boxes: Boxes::new(), structure, outgrown_at: FIRST_LOOK, is_maintained: false })
    }

    /// Bulk loads boxes; ids are positions.
    ///
    /// # Errors
    /// Returns an error if an option breaks a rule, or a box cannot be stored. The message names its position.
    pub(crate) fn with_boxes(
        options: I::Options,
        boxes: &[Aabb<I::Scalar>],
        executor: &impl Executor,
    ) -> Result<Self, Error> {
        let mut all = Self::new(options)?;
        all.load(boxes, executor)?;
        all.rebuild(executor);
        Ok(all)
    }

    /// Stores the first boxes of all, if there are none yet, and does not arrange them yet. One thread checks some
    /// thousand at a time and copies them while they are in a fast cache. After an error, some have been stored.
    fn load<E: Executor>(&mut self, boxes: &[Aabb<I::Scalar>], executor: &E) -> Result<(), Error> {
        self.boxes.reserve(boxes.len());
        let some = if E::IS_ALONE { CHUNK } else { boxes.len().max(1) };
        for (number, boxes) in boxes.chunks(some).enumerate() {
            let boxes = self.admit_all(boxes, executor).map_err(|error| error.behind(number * some))?;
            self.boxes.extend(&boxes, executor)?;
        }
        Ok(())
    }

    /// Arranges boxes that have been admitted, and their layers, if there are any, where there are no boxes yet.
    pub(crate) fn fill(&mut self, boxes: &[Aabb<I::Scalar>], layers: &[Layers]) -> Result<(), Error> {
        self.boxes.extend(boxes, &Serial)?;
        if !layers.is_empty() {
            self.boxes.set_first_layers(layers);
        }
        self.rebuild(&Serial);
        Ok(())
    }

    /// Stores a box that has been [admitted](Self::admit).
    pub(crate) fn insert(&mut self, bounds: Aabb<I::Scalar>, layers: Layers) -> Result<u32, Error> {
        I::Compiler::insert(self, bounds, layers)
    }

    /// The same, compiled where it is called.
    #[inline]
    pub(crate) fn insert_here(&mut self, bounds: Aabb<I::Scalar>, layers: Layers) -> Result<u32, Error> {
        let id = self.boxes.insert(bounds)?;
        if layers != Layers::ALL {
            let is_first = !self.boxes.has_layers();
            self.boxes.set_layers(id, layers);
            if is_first {
                self.rebuild(&Serial);
                return Ok(id);
            }
        }
        self.structure.insert(&self.boxes, id);
        if self.boxes.len() > self.outgrown_at {
            self.outgrown_at = 2 * self.boxes.len();
            if !self.structure.fits(&self.boxes) {
                I::Compiler::build(&mut self.structure, &self.boxes);
            }
        }
        Ok(id)
    }

    /// Removes the box of an id and returns it, if the id is in use.
    pub(crate) fn remove(&mut self, id: u32) -> Option<Aabb<I::Scalar>> {
        I::Compiler::remove(self, id)
    }

    /// The same, compiled where it is called.
    #[inline]
    pub(crate) fn remove_here(&mut self, id: u32) -> Option<Aabb<I::Scalar>> {
        self.boxes.get(id)?;
        self.structure.remove(&self.boxes, id);
        self.boxes.remove(id)
    }

    /// Prefetches what an update of an id reads first.
    #[inline(always)]
    pub(crate) fn prefetch(&self, id: u32) {
        self.boxes.prefetch(id);
        self.structure.as_frame_tree().into_iter().for_each(|tree| tree.prefetch_slot(id));
    }

    /// Prefetches what an update of an id writes.
    #[inline(always)]
    pub(crate) fn prefetch_place(&self, id: u32) {
        self.structure.as_frame_tree().into_iter().for_each(|tree| tree.prefetch_place(id));
    }

    /// Moves or resizes the box of an id, which is `old`, to one that has been [admitted](Self::admit).
    #[inline]
    pub(crate) fn replace(&mut self, id: u32, old: Aabb<I::Scalar>, bounds: Aabb<I::Scalar>) {
        self.boxes.set(id, bounds);
        self.structure.update(&self.boxes, id, old);
    }

    /// Makes the contents exactly these boxes, which have been [admitted](Self::admit), under the ids 0, 1, 2, ….
    pub(crate) fn set_all(&mut self, boxes: &[Aabb<I::Scalar>]) -> Result<(), Error> {
        let beyond = (boxes.len()..self.boxes.slots()).rev().map(|id| id as u32);
        let dead: Vec<u32> = beyond.filter(|&id| self.boxes.get(id).is_some()).collect();
        for id in dead {
            self.remove(id);
        }
        self.boxes.cut_off(boxes.len());
        let born = boxes.len() - self.boxes.len();
        // If more boxes are new than old, one bulk load is less work.
        let at_once = 2 * born > boxes.len();
        if born > 0 {
            self.boxes.reuse_first(boxes.len());
        }
        for _ in 0..born {
            let bounds = boxes[self.boxes.next_id()];
            if at_once {
                self.boxes.insert(bounds)?
            } else {
                self.insert(bounds, Layers::ALL)?
            };
        }
        if at_once {
            (0..).zip(boxes).for_each(|(id, &bounds)| self.boxes.set(id, bounds));
            self.rebuild(&Serial);
        } else {
            self.take_all(boxes, &Serial);
        }
        Ok(())
    }

    /// Whether all ids from `given` on are free.
    ///
    /// # Errors
    /// Returns an error if one is in use.
    pub(crate) fn check_last(&self, given: usize) -> Result<(), Error> {
        if given == self.boxes.len() && self.boxes.slots() == given {
            return Ok(());
        }
        let mut left = (given..self.boxes.slots()).map(|id| id as u32);
        left.find(|&id| self.boxes.get(id).is_some()).map_or(Ok(()), |id| Err(Cause::TooFew { given, id }.into()))
    }

    /// Replaces the boxes of the lowest ids by boxes that have been admitted, and calls `maintain`. Free ids get the
    /// empty box.
    pub(crate) fn take_all(&mut self, boxes: &[Aabb<I::Scalar>], executor: &impl Executor) {
        self.structure.update_all(&mut self.boxes, boxes, executor);
        self.maintain_with(executor);
    }

    /// Boxes in the form in which they are stored, for a set of these and no others.
    ///
    /// # Errors
    /// Returns an error if one cannot be stored. The message names its position.
    pub(crate) fn admit_all<'a>(
        &self,
        boxes: &'a [Aabb<I::Scalar>],
        executor: &impl Executor,
    ) -> Result<Cow<'a, [Aabb<I::Scalar>]>, Error> {
        let mut is_bad = false;
        let look = |boxes: &[Aabb<I::Scalar>], is_bad: &mut bool| {
            *is_bad |= !kernel::dispatch(AreValid(boxes));
        };
        executor.share(boxes.chunks(CHUNK), &mut is_bad, look, |is_bad, more| *is_bad |= more);
        if is_bad {
            for (position, bounds) in boxes.iter().enumerate() {
                self.admit(*bounds).map_err(|error| Error::at(error, position))?;
            }
        }
        self.structure.admit_all(boxes)
    }

    /// Brings the boxes of a frame, by id, into the form in which they are stored. Those at free ids become empty.
    ///
    /// # Errors
    /// Returns an error if one cannot be stored. The message names its position.
    pub(crate) fn admit_frame(&self, frame: &mut [Aabb<I::Scalar>]) -> Result<(), Error> {
        let is_full = self.boxes.len() == self.boxes.slots();
        for (number, (frame, boxes)) in frame.chunks_mut(FEW).zip(self.boxes.all().chunks(FEW)).enumerate() {
            let are_used = || is_full || boxes.iter().fold(true, |all, bounds| all & bounds.is_ordered());
            if I::AROUND.is_none() && kernel::dispatch(AreValid(frame)) && are_used() {
                continue;
            }
            for ((id, bounds), old) in (number * FEW..).zip(frame).zip(boxes) {
                if !old.is_ordered() {
                    *bounds = Aabb::EMPTY;
                } else if I::AROUND.is_some() || !bounds.is_valid() {
                    *bounds = self.admit(*bounds).map_err(|error| Error::at(error, id))?;
                }
            }
        }
        Ok(())
    }

    /// The box in the form in which it is stored.
    ///
    /// # Errors
    /// Returns an error if it cannot be stored.
    pub(crate) fn admit(&self, bounds: Aabb<I::Scalar>) -> Result<Aabb<I::Scalar>, Error> {
        let bounds = bounds.check()?;
        self.structure.admit(bounds)
    }

    /// Removes all boxes and keeps the memory. Ids start at 0 again.
    pub(crate) fn clear(&mut self) {
        self.boxes.clear();
        self.structure.clear();
        self.outgrown_at = FIRST_LOOK;
    }

    pub(crate) fn reserve(&mut self, additional: usize) {
        self.boxes.reserve(additional);
        self.structure.reserve(additional);
    }

    /// Sets the layers of ids in use, and tells `changed` whose are others. Those set first rebuild the structure, once.
    pub(crate) fn set_layers(&mut self, changes: &[(u32, Layers)], mut changed: impl FnMut(&Self, u32)) {
        let had_layers = self.boxes.has_layers();
        for &(id, layers) in changes {
            if self.boxes.layers(id) == layers {
                continue;
            }
            changed(self, id);
            self.boxes.set_layers(id, layers);
            if had_layers {
                self.structure.set_layers(&self.boxes, id);
            }
        }
        if !had_layers && self.boxes.has_layers() {
            self.rebuild(&Serial);
        }
    }

    /// Notes that the box of an id in use is fixed, or no longer.
    pub(crate) fn set_fixed(&mut self, id: u32, is_fixed: bool) {
        I::Compiler::set_fixed(&mut self.structure, &self.boxes, id, is_fixed);
    }

    /// Does deferred work.
    pub(crate) fn maintain_with<E: Executor>(&mut self, executor: &E) {
        self.is_maintained = true;
        if !self.structure.fits(&self.boxes) {
            self.rebuild(executor);
        } else if E::IS_ALONE {
            I::Compiler::maintain(&mut self.structure, &self.boxes);
        } else {
            self.structure.maintain_with(&self.boxes, executor);
        }
    }

    /// A step of events begins, before which much has changed, or little. Much is first put in order, unless that has
    /// been done since the last step.
    pub(crate) fn begin_step(&mut self, is_much: bool) {
        if is_much && !self.is_maintained {
            self.maintain_with(&Serial);
        }
        self.is_maintained = false;
    }

    fn rebuild<E: Executor>(&mut self, executor: &E) {
        self.outgrown_at = FIRST_LOOK.max(2 * self.boxes.len());
        if E::IS_ALONE {
            I::Compiler::build(&mut self.structure, &self.boxes);
        } else {
            self.structure.build_with(&self.boxes, executor);
        }
    }
}

/// # Look
impl<I: Structure> Arranged<I> {
    /// The box of an id in use.
    ///
    /// # Errors
    /// Returns an error if it is not in use.
    #[inline]
    pub(crate) fn known(&self, id: u32) -> Result<Aabb<I::Scalar>, Error> {
        self.boxes.get(id).ok_or_else(|| self.unknown(id))
    }

    #[cold]
    pub(crate) fn unknown(&self, id: u32) -> Error {
        Cause::UnknownId { id, slots: self.boxes.slots() }.into()
    }

    /// The id of the next box to be inserted.
    ///
    /// # Errors
    /// Returns an error if there are already 2^31 - 1 boxes.
    pub(crate) fn next_id(&self) -> Result<u32, Error> {
        let id = self.boxes.next_id();
        if id < MOST_BOXES { Ok(id as u32) } else { Err(Cause::Full { most: MOST_BOXES }.into()) }
    }

    /// The boxes, resolved by their ids.
    pub(crate) fn view(&self) -> View<'_, I, Ids> {
        self.view_by(Ids)
    }

    /// The boxes, with a resolver for handles.
    pub(crate) fn view_by<R>(&self, resolver: R) -> View<'_, I, R> {
        View { boxes: &self.boxes, structure: &self.structure, resolver }
    }

    pub(crate) fn stats(&self) -> Stats {
        let stats = self.structure.stats(&self.boxes);
        let [used, reserved] = self.boxes.bytes();
        Stats {
            boxes: self.boxes.len(),
            bytes_used: stats.bytes_used + used,
            bytes_reserved: stats.bytes_reserved + reserved,
            ..stats
        }
    }

    /// Fills in what a snapshot omits, and checks everything.
    #[cfg(feature = "serde")]
    pub(crate) fn restore(&mut self) -> Result<(), Corruption> {
        self.boxes.validate()?;
        self.structure.restore(&self.boxes);
        self.validate()
    }

    /// Checks every link, count, bound and free list, and that each box is where the world has it.
    pub(crate) fn validate(&self) -> Result<(), Corruption> {
        self.boxes.validate()?;
        self.structure.validate(&self.boxes)?;
        let is_admitted = |(_, bounds)| self.admit(bounds) == Ok(bounds);
        Corruption::unless(self.boxes.iter().all(is_admitted), || "a box is out of its world".into())
    }
}
