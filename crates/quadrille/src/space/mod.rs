//! Floor 5: a set of things with places, on top of an [`Index`].

mod handle;

use alloc::vec::Vec;
use core::ops::ControlFlow;

pub use handle::Handle;

use crate::error::{Corruption, Error};
use crate::geometry::Aabb;
use crate::index::Index;
use crate::question::Question;
use crate::structure::{Quadtree, Structure};
use handle::Generation;

/// Things of type `T`, each with a box, arranged by the structure `I`; questions give back handles and things.
///
/// A [`Handle`] stays good while its thing is in the space and is found out afterwards. The space adds 4 bytes a thing (and
/// the thing itself) to the index below.
///
/// ```
/// use quadrille::{Aabb, Overlaps, Space};
///
/// let mut space = Space::<&str>::default();
/// let cat = space.insert(Aabb::from_center([0.0, 0.0], [0.5, 0.5]), "cat")?;
/// let mouse = space.insert(Aabb::from_center([9.0, 0.0], [0.1, 0.1]), "mouse")?;
///
/// space.update(mouse, Aabb::from_center([0.4, 0.2], [0.1, 0.1]))?;
/// let met: Vec<_> = space.pairs().map(|((_, a), (_, b))| (*a, *b)).collect();
/// assert_eq!(met, [("cat", "mouse")]);
///
/// assert_eq!(space.remove(mouse), Some("mouse"));
/// assert_eq!(space.get(mouse), None, "the handle is stale");
/// assert_eq!(space.query(Overlaps(Aabb::EVERYTHING)).collect::<Vec<_>>(), [(cat, &"cat")]);
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Space<T, I: Structure = Quadtree> {
    index: Index<I>,
    /// By id.
    slots: Vec<Slot<T>>,
}

/// A place for one thing.
#[derive(Clone, Debug)]
struct Slot<T> {
    /// Of the thing that is here, or of the next one.
    generation: Generation,
    thing: Option<T>,
}

impl<T, I: Structure> Default for Space<T, I> {
    /// An empty space with the structure's default options, which follow the data.
    fn default() -> Self {
        Self { index: Index::default(), slots: Vec::new() }
    }
}

/// # Life
impl<T, I: Structure> Space<T, I> {
    /// An empty space.
    ///
    /// # Errors
    /// Names the option, its value and the rule it breaks.
    pub fn new(options: I::Options) -> Result<Self, Error> {
        Ok(Self { index: Index::new(options)?, slots: Vec::new() })
    }

    /// A space of many things at once, faster than inserting one by one. Ids are positions.
    ///
    /// # Errors
    /// If an option breaks a rule, or a box is NaN, infinite or inverted: names its position and the value.
    pub fn with_items(
        options: I::Options,
        items: impl IntoIterator<Item = (Aabb<I::Scalar>, T)>,
    ) -> Result<Self, Error> {
        let (boxes, slots): (Vec<_>, _) = items
            .into_iter()
            .map(|(bounds, thing)| (bounds, Slot { generation: Generation::FIRST, thing: Some(thing) }))
            .unzip();
        Ok(Self { index: Index::with_boxes(options, &boxes)?, slots })
    }

    /// Puts a thing into the space.
    ///
    /// # Errors
    /// If the box is NaN, infinite or inverted (names the value), or if there are 2^31 things already. The thing is dropped.
    pub fn insert(&mut self, bounds: Aabb<I::Scalar>, thing: T) -> Result<Handle, Error> {
        let slot = self.index.insert(bounds)?;
        if slot as usize == self.slots.len() {
            self.slots.push(Slot { generation: Generation::FIRST, thing: None });
        }
        let place = &mut self.slots[slot as usize];
        place.thing = Some(thing);
        Ok(Handle { slot, generation: place.generation })
    }

    /// Takes a thing out of the space; `None` if the handle is stale.
    pub fn remove(&mut self, handle: Handle) -> Option<T> {
        let slot = self.slot_mut(handle)?;
        slot.generation = slot.generation.next();
        let thing = slot.thing.take();
        self.index.remove(handle.slot);
        thing
    }

    /// Gives a thing a new box and returns what it was.
    ///
    /// # Errors
    /// If the box is NaN, infinite or inverted (names the value), or if the handle is stale.
    pub fn update(&mut self, handle: Handle, bounds: Aabb<I::Scalar>) -> Result<Aabb<I::Scalar>, Error> {
        if self.get(handle).is_none() {
            let current = self.slots.get(handle.slot as usize).map_or(0, |slot| slot.generation.get());
            return Err(Error::stale_handle(handle.slot, handle.generation.get(), current));
        }
        self.index.update(handle.slot, bounds)
    }

    /// Takes everything out and keeps the memory. All handles are stale then.
    pub fn clear(&mut self) {
        self.index.clear();
        for slot in self.slots.iter_mut().filter(|slot| slot.thing.is_some()) {
            *slot = Slot { generation: slot.generation.next(), thing: None };
        }
    }

    /// Makes room for `additional` more things.
    pub fn reserve(&mut self, additional: usize) {
        self.index.reserve(additional);
        self.slots.reserve((self.len() + additional).saturating_sub(self.slots.len()));
    }

    /// Does deferred work: see [`Index::maintain`].
    pub fn maintain(&mut self) {
        self.index.maintain();
    }
}

/// # Looking up
impl<T, I: Structure> Space<T, I> {
    /// How many things there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// `true` if there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The thing, or `None` if the handle is stale.
    #[must_use]
    pub fn get(&self, handle: Handle) -> Option<&T> {
        let slot = self.slots.get(handle.slot as usize)?;
        slot.thing.as_ref().filter(|_| slot.generation == handle.generation)
    }

    /// The thing, to be changed, or `None` if the handle is stale. Its box changes with [`update`](Self::update) only.
    #[must_use]
    pub fn get_mut(&mut self, handle: Handle) -> Option<&mut T> {
        self.slot_mut(handle)?.thing.as_mut()
    }

    /// The box of a thing, or `None` if the handle is stale.
    #[must_use]
    pub fn bounds(&self, handle: Handle) -> Option<Aabb<I::Scalar>> {
        self.get(handle)?;
        self.index.get(handle.slot)
    }

    /// All handles with their things, in order of ids.
    pub fn iter(&self) -> impl Iterator<Item = (Handle, &T)> {
        (0..).zip(&self.slots).filter_map(|(slot, place)| {
            let handle = Handle { slot, generation: place.generation };
            place.thing.as_ref().map(|thing| (handle, thing))
        })
    }

    /// All handles with their things to be changed, in order of ids.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Handle, &mut T)> {
        (0..).zip(&mut self.slots).filter_map(|(slot, place)| {
            let handle = Handle { slot, generation: place.generation };
            place.thing.as_mut().map(|thing| (handle, thing))
        })
    }

    /// The index below: boxes by id, nodes, figures.
    #[must_use]
    pub fn index(&self) -> &Index<I> {
        &self.index
    }

    fn slot_mut(&mut self, handle: Handle) -> Option<&mut Slot<T>> {
        let slot = self.slots.get_mut(handle.slot as usize)?;
        (slot.thing.is_some() && slot.generation == handle.generation).then_some(slot)
    }

    /// What is known to be at an id that the index has given.
    fn at(&self, id: u32) -> (Handle, &T) {
        let slot = &self.slots[id as usize];
        let thing = slot.thing.as_ref().expect("the index knows only ids of things that are in the space");
        (Handle { slot: id, generation: slot.generation }, thing)
    }
}

/// # Questions
impl<T, I: Structure> Space<T, I> {
    /// The things whose boxes `question` accepts, each once, lazily.
    pub fn query<Q: Question<I::Scalar>>(&self, question: Q) -> impl Iterator<Item = (Handle, &T)> {
        self.index.query(question).map(|id| self.at(id))
    }

    /// Calls `visit` for each thing whose box `question` accepts, until it breaks.
    pub fn query_visit<Q: Question<I::Scalar>, B>(
        &self,
        question: Q,
        mut visit: impl FnMut(Handle, &T) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.index.query_visit(question, |id| {
            let (handle, thing) = self.at(id);
            visit(handle, thing)
        })
    }

    /// How many things have a box that `question` accepts.
    pub fn query_count<Q: Question<I::Scalar>>(&self, question: Q) -> usize {
        self.index.query_count(question)
    }

    /// All pairs of things whose boxes overlap, each once, the lower id first, lazily.
    pub fn pairs(&self) -> impl Iterator<Item = ((Handle, &T), (Handle, &T))> {
        self.index.pairs().map(|(a, b)| (self.at(a), self.at(b)))
    }

    /// Calls `visit` for each pair of things whose boxes overlap, the lower id first, until it breaks.
    pub fn pairs_visit<B>(
        &self,
        mut visit: impl FnMut((Handle, &T), (Handle, &T)) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.index.pairs_visit(|a, b| visit(self.at(a), self.at(b)))
    }

    /// How many pairs of things have overlapping boxes.
    #[must_use]
    pub fn pairs_count(&self) -> usize {
        self.index.pairs_count()
    }

    /// All pairs of a thing here and a thing in `other` whose boxes overlap, each once, lazily.
    pub fn pairs_with<'a, U, J: Structure<Scalar = I::Scalar>>(
        &'a self,
        other: &'a Space<U, J>,
    ) -> impl Iterator<Item = ((Handle, &'a T), (Handle, &'a U))> {
        self.index.pairs_with(&other.index).map(|(a, b)| (self.at(a), other.at(b)))
    }

    /// Checks the index below, and that it and the things agree.
    ///
    /// # Errors
    /// Says what contradicts what. Always a bug of this library: please report it.
    pub fn validate(&self) -> Result<(), Corruption> {
        self.index.validate()?;
        let ids = self.index.iter().map(|(id, _)| id);
        Corruption::unless(ids.eq(self.iter().map(|(handle, _)| handle.id())), || {
            "the index and the space hold different ids".into()
        })
    }
}
