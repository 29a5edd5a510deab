//! Boxes under ids that move, come and go, with events.

use quadrille::internals::is_free;
use quadrille::snapshot::SnapshotError;
use quadrille::structures::{AnyStructure, StructureKind};
use quadrille::{Aabb, Events, Index, Layers, Part, Scalar, Structure};

use crate::call::{Call, Column, check_room_for_boxes, room};
use crate::error::Error;
use crate::queries::{bounds, pairs_of_part, pairs_that};
use crate::rows::{Rows, check_distance, check_stored};

/// Boxes under ids, in a structure, and the pairs as of the last call for events.
///
/// Every call is all or nothing: if a row is rejected, nothing changes.
#[derive(Clone, Debug)]
pub struct Collection<I: Structure> {
    all: Index<I>,
    /// Ids are below this.
    slots: usize,
    /// Grows with every change.
    version: u64,
    /// Single changes since the structure was last maintained.
    unsettled: usize,
    /// There was memory for this many boxes when that was last checked.
    roomy: usize,
    /// How many more steps need no check, as there was far more memory than their pairs need.
    unchecked: u32,
    /// ... unless there are more boxes than this.
    roomy_for: usize,
}

/// Bytes per pair while events are found, with room to spare.
const BYTES_OF_A_PAIR: usize = 96;

/// If there is no memory for all pairs of so few boxes, nothing works.
const FEW: usize = 256;

/// If there is memory for this many times the current pairs, the next steps are not checked. With a higher value, more
/// memory must be free, which WebAssembly never gives back; with a lower one, a sudden growth of pairs is sooner too much.
const ROOM: usize = if cfg!(target_family = "wasm") { 2 } else { 16 };
const UNCHECKED: u32 = 64;

/// If more than one box in this many was changed by single calls, the structure is maintained immediately: a pass costs
/// as much as a few dozen changes per this many boxes.
const UNSETTLED: usize = 8;

/// In a structure chosen by name at run time.
pub type AnyCollection<S> = Collection<AnyStructure<S>>;

impl<I: Structure> Default for Collection<I> {
    /// Nothing yet, with less code than [`new`](Self::new).
    fn default() -> Self {
        Self::over(Index::default())
    }
}

impl<I: Structure> Collection<I> {
    /// These boxes, whose ids are their rows, with these layers, on all if none are given.
    ///
    /// # Errors
    /// Returns an error if a row is NaN, infinite or inverted, or there is not one entry of layers for each row.
    pub fn new(
        options: impl Into<I::Options>,
        rows: Rows<'_, I::Scalar>,
        layers: Option<&[Layers]>,
    ) -> Result<Self, Error> {
        check_stored(rows)?;
        check_room_for_boxes(rows.len())?;
        check_layers(rows.len(), layers)?;
        let boxes = rows.to_boxes()?;
        let mut all = Self::over(Index::with_boxes(options.into(), &boxes)?);
        all.give(0..rows.len() as u32, layers)?;
        Ok(all)
    }

    fn over(all: Index<I>) -> Self {
        let slots = all.iter().last().map_or(0, |(id, _)| id as usize + 1);
        Self { all, slots, version: 0, unsettled: 0, roomy: slots, unchecked: 0, roomy_for: 0 }
    }

    /// The boxes, for queries.
    pub fn index(&self) -> &Index<I> {
        &self.all
    }

    /// Ids are below this.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// A number that changes with every change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// All ids in use, ascending.
    pub fn ids(&self) -> Vec<u32> {
        self.index().iter().map(|(id, _)| id).collect()
    }

    /// The boxes with these ids.
    ///
    /// # Errors
    /// Returns an error if an id is not in use.
    pub fn boxes(&self, ids: &[i64]) -> Result<Vec<Aabb<I::Scalar>>, Error> {
        self.all_in_use(ids, |_, bounds| bounds)
    }

    /// A whole frame: from now on there are exactly these boxes, whose ids are their rows, with these layers. Ids
    /// beyond them are removed, ids that were not in use are filled. If no layers are given, boxes that stay keep
    /// theirs.
    ///
    /// # Errors
    /// Returns an error if a row is NaN, infinite or inverted, or there is not one entry of layers for each row.
    pub fn update(&mut self, rows: Rows<'_, I::Scalar>, layers: Option<&[Layers]>) -> Result<(), Error> {
        check_room_for_boxes(rows.len())?;
        check_layers(rows.len(), layers)?;
        let boxes = rows.to_boxes()?;
        // The library names the box; the check names the row and the array.
        self.all.set_all(&boxes).or_else(|error| check_stored(rows).and(Err(error.into())))?;
        self.give(0..rows.len() as u32, layers)?;
        (self.slots, self.unsettled) = (rows.len(), 0);
        self.version += 1;
        Ok(())
    }

    /// Sets the layers of boxes, in the same order, where they differ.
    fn give(&mut self, ids: impl Iterator<Item = u32>, layers: Option<&[Layers]>) -> Result<(), Error> {
        let all = ids.zip(layers.unwrap_or_default().iter().copied());
        let changes: Vec<_> = all.filter(|&(id, layers)| self.layers_of(id) != layers).collect();
        Ok(self.all.set_layers_batch(&changes)?)
    }

    /// Updates the boxes with these ids, which must all be different.
    ///
    /// # Errors
    /// Returns an error if an id is not in use or is given twice, a row is NaN, infinite or inverted, or there is not
    /// one row for each id.
    pub fn set(&mut self, ids: &[i64], rows: Rows<'_, I::Scalar>) -> Result<(), Error> {
        if ids.len() != rows.len() {
            return Err(Error::value(format!("there are {} ids and {} boxes", ids.len(), rows.len())));
        }
        check_stored(rows)?;
        let ids = self.all_different(ids)?;
        self.check_room_to_settle(ids.len())?;
        let mut changes = room(ids.len())?;
        changes.extend(ids.iter().zip(0..).map(|(&id, row)| (id, rows.get(row))));
        self.all.update_batch(&changes)?;
        self.settle(ids.len());
        Ok(())
    }

    /// Adds boxes with these layers, on all if none are given, and returns their ids. Freed ids are reused, the last
    /// freed first.
    ///
    /// # Errors
    /// Returns an error if a row is NaN, infinite or inverted, if there is not one entry of layers for each row, or if
    /// there would be more than 2^31 - 1 boxes.
    pub fn insert(&mut self, rows: Rows<'_, I::Scalar>, layers: Option<&[Layers]>) -> Result<Vec<u32>, Error> {
        check_stored(rows)?;
        check_layers(rows.len(), layers)?;
        let left = (i32::MAX as usize).saturating_sub(self.index().len());
        if rows.len() > left {
            return Err(Error::value(format!("there is room for {left} more boxes, not for {}", rows.len())));
        }
        self.check_room_for(rows.len())?;
        self.check_room_to_settle(rows.len())?;
        let mut ids: Vec<u32> = room(rows.len())?;
        for row in 0..rows.len() {
            ids.push(self.all.insert(rows.get(row))?);
        }
        self.give(ids.iter().copied(), layers)?;
        self.slots = ids.iter().fold(self.slots, |slots, &id| slots.max(id as usize + 1));
        self.settle(rows.len());
        Ok(ids)
    }

    /// Removes the boxes with these ids, which must all be different.
    ///
    /// # Errors
    /// Returns an error if an id is not in use, or is given twice.
    pub fn remove(&mut self, ids: &[i64]) -> Result<(), Error> {
        let ids = self.all_different(ids)?;
        self.check_room_to_settle(ids.len())?;
        for &id in &ids {
            self.all.remove(id);
        }
        self.settle(ids.len());
        Ok(())
    }

    /// Sets the layers of the boxes with these ids, which must all be different, row by row.
    ///
    /// # Errors
    /// Returns an error if an id is not in use or is given twice, or there is not one entry of layers for each id.
    pub fn set_layers(&mut self, ids: &[i64], layers: &[Layers]) -> Result<(), Error> {
        check_layers(ids.len(), Some(layers))?;
        check_room_for_boxes(ids.len())?;
        let changes: Vec<_> = self.all_different(ids)?.into_iter().zip(layers.iter().copied()).collect();
        self.all.set_layers_batch(&changes)?;
        self.version += 1;
        Ok(())
    }

    /// The layers of the boxes with these ids.
    ///
    /// # Errors
    /// Returns an error if an id is not in use.
    pub fn layers(&self, ids: &[i64]) -> Result<Vec<Layers>, Error> {
        self.all_in_use(ids, |id, _| self.layers_of(id))
    }

    fn layers_of(&self, id: u32) -> Layers {
        self.index().layers(id).unwrap_or_default()
    }

    /// All pairs of a box of these and one of the others that overlap and whose layers meet. Their order is
    /// that of the library, the same on any number of threads.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub fn pairs_with(&self, other: &Self, call: Call<'_>) -> Result<Vec<(u32, u32)>, Error> {
        let sets = (self.index(), other.index());
        let all = sets.0.len() + sets.1.len();
        pairs_that(&sets, all, call, usize::MAX, &|_, _| true).map(Option::unwrap_or_default)
    }

    /// All pairs of these that are no farther apart than `distance` and whose layers meet, and how far apart they are.
    ///
    /// # Errors
    /// Returns an error if the distance is negative or NaN, or memory runs out.
    pub fn pairs_within(&self, distance: f64) -> Result<PairsApart, Error> {
        check_distance(distance)?;
        check_room_for_boxes(self.index().len())?;
        apart((self, self), self.index().pairs_within(distance))
    }

    /// The same of a box of these and one of the others.
    ///
    /// # Errors
    /// As for [`pairs_within`](Self::pairs_within).
    pub fn pairs_with_within(&self, other: &Self, distance: f64) -> Result<PairsApart, Error> {
        check_distance(distance)?;
        apart((self, other), self.index().pairs_with_within(other.index(), distance))
    }

    /// Does the work that single changes postpone; answers are right without it.
    pub fn maintain(&mut self) {
        self.all.maintain();
        self.unsettled = 0;
        // The order of answers may change.
        self.version += 1;
    }

    /// The contacts that have begun and ended since the last call, sorted; in the first call, all current contacts
    /// start.
    pub fn events(&mut self) -> Events<u32> {
        let mut events = Events::default();
        self.all.step_events(&mut events);
        // The order of answers may change, as in `maintain`.
        self.version += 1;
        events
    }

    /// All pairs come in this many parts, one at a time, so that they need not be in memory together.
    pub fn parts(&self) -> usize {
        // Each part walks past the earlier ones, so there are few.
        (self.index().len() / 4096).clamp(1, 64)
    }

    /// Adds the pairs of one of `of` parts to `pairs`.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub fn pairs_of_part(&self, number: usize, of: usize, pairs: &mut Vec<(u32, u32)>) -> Result<(), Error> {
        Part::all(of).nth(number).map_or(Ok(()), |part| pairs_of_part(self.index(), part, pairs))
    }

    /// Checks that there is memory for the pairs that [`events`](Self::events) finds: without it, that would end the
    /// process. Counts them now and then: pairs that become sixteen times as many, in WebAssembly twice as many, within
    /// 64 steps are not foreseen.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub fn check_room_for_events(&mut self) -> Result<(), Error> {
        let boxes = self.index().len();
        if boxes <= FEW || (self.unchecked > 0 && boxes <= self.roomy_for) {
            self.unchecked = self.unchecked.saturating_sub(1);
            return Ok(());
        }
        let pairs = self.index().pairs_count();
        let is_room = |times: usize| is_free(pairs.saturating_mul(times * BYTES_OF_A_PAIR));
        if !is_room(1) {
            return Err(Error::memory(pairs));
        }
        // Counting takes a third of a step: with room for many more pairs, it is not repeated soon.
        if is_room(ROOM) {
            (self.unchecked, self.roomy_for) = (UNCHECKED, 2 * boxes);
        }
        Ok(())
    }

    /// Checks that there is memory for more boxes, whenever there have become twice as many.
    fn check_room_for(&mut self, more: usize) -> Result<(), Error> {
        let all = self.slots + more;
        if all > self.roomy {
            check_room_for_boxes(2 * all)?;
            self.roomy = 2 * all;
        }
        Ok(())
    }

    /// Checks that there is memory to maintain the structure after this many changes.
    fn check_room_to_settle(&self, changes: usize) -> Result<(), Error> {
        if self.unsettled + changes > self.index().len() / UNSETTLED { self.check_room_to_maintain() } else { Ok(()) }
    }

    /// Checks that there is memory to maintain the structure: without it, that would end the process.
    ///
    /// # Errors
    /// Returns an error if there is not.
    pub fn check_room_to_maintain(&self) -> Result<(), Error> {
        check_room_for_boxes(self.index().len())
    }

    /// Counts single changes; maintains after many.
    fn settle(&mut self, changes: usize) {
        self.version += 1;
        self.unsettled += changes;
        if self.unsettled > self.index().len() / UNSETTLED {
            self.maintain();
        }
    }

    /// Something of each of these ids and its box.
    fn all_in_use<T>(&self, ids: &[i64], of: impl Fn(u32, Aabb<I::Scalar>) -> T) -> Result<Vec<T>, Error> {
        let mut all = room(ids.len())?;
        for (row, &id) in ids.iter().enumerate() {
            let found = u32::try_from(id).ok().and_then(|id| Some(of(id, self.all.get(id)?)));
            all.push(found.ok_or_else(|| Error::id(row, id, self.slots()))?);
        }
        Ok(all)
    }

    /// Ids in use, each at most once: two boxes for one id would be ambiguous.
    fn all_different(&self, ids: &[i64]) -> Result<Vec<u32>, Error> {
        let ids = self.all_in_use(ids, |id, _| id)?;
        // Most lists of ids ascend.
        if ids.is_sorted_by(|one, next| one < next) {
            return Ok(ids);
        }
        let mut sorted = room(ids.len())?;
        sorted.extend_from_slice(&ids);
        sorted.sort_unstable();
        match sorted.windows(2).find(|two| two[0] == two[1]) {
            Some(twice) => Err(Error::value(format!("the id {} is given twice", twice[0]))),
            None => Ok(ids),
        }
    }
}

/// Pairs, and how far apart each is.
pub type PairsApart = (Vec<[u32; 2]>, Vec<f64>);

fn apart<I: Structure>(
    (here, there): (&Collection<I>, &Collection<I>),
    found: impl Iterator<Item = (u32, u32)>,
) -> Result<PairsApart, Error> {
    let pulse = Call::default().pulse();
    let (mut pairs, mut distances) = (Column::new(&pulse), Column::new(&pulse));
    // `for_each` keeps no pairs that have not been taken: they would need memory that nobody has requested.
    let mut held = Ok(());
    found.for_each(|(a, b)| {
        if held.is_ok() {
            let distance = bounds(here.index(), a).distance(&bounds(there.index(), b));
            held = pairs.push([a, b]).and_then(|()| distances.push(distance));
        }
    });
    held?;
    Ok((pairs.into_answers(), distances.into_answers()))
}

fn check_layers(boxes: usize, layers: Option<&[Layers]>) -> Result<(), Error> {
    match layers {
        Some(layers) if layers.len() != boxes => {
            Err(Error::value(format!("there are {boxes} boxes and {} entries of layers", layers.len())))
        }
        _ => Ok(()),
    }
}

impl<S: Scalar> AnyCollection<S> {
    /// The structure's name.
    pub fn kind(&self) -> StructureKind {
        self.index().options().kind()
    }

    /// Everything as bytes, including the state for events.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        check_room_for_boxes(self.slots)?;
        Ok(self.all.to_bytes()?)
    }

    /// What these bytes are a snapshot of.
    ///
    /// # Errors
    /// Returns an error that says what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        Index::from_bytes(bytes).map(Self::over)
    }
}
