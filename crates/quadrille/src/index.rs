//! Floor 5: boxes under ids, the same for all structures.

mod collection;
#[cfg(feature = "serde")]
mod restored;

use alloc::vec::Vec;
pub use collection::IndexIter;
#[cfg(feature = "serde")]
pub(crate) use restored::Unvalidated;

use core::ops::ControlFlow;

use crate::ask::{Impact, View, faces};
use crate::error::{Corruption, Error};
use crate::executor::{Executor, STRETCH, Serial};
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, AreValid};
use crate::question::{Hit, Overlaps, Ranked};
use crate::storage::{Agreement, Boxes, Layers, MOST_BOXES};
use crate::structure::{Node, Stats, Structure};

/// Boxes under ids, arranged by the structure `I`: `Index<Quadtree>`, `Index<LooseGrid<f64>>`, …
///
/// - **Ids** are dense `u32`, handed out by [`insert`](Self::insert), last freed first;
///   [`from_boxes`](Self::from_boxes) numbers from 0. All structures give the same ids for the same calls. For payloads
///   and handles that know when they are stale, use [`Space`](crate::Space).
/// - **Questions** take `&self` and allocate nothing. Each comes as an iterator ([`query`](Self::query)), with a
///   visitor that may stop early ([`query_visit`](Self::query_visit)), and as a count
///   ([`query_count`](Self::query_count)). The order of answers is the structure's own, documented there, and the same
///   for the same calls.
/// - **`maintain`** once a frame keeps a structure fast and small. Answers are right without it.
///
/// ```
/// use quadrille::{Aabb, Index, Overlaps, Quadtree};
///
/// let mut index = Index::<Quadtree>::default();
/// let a = index.insert(Aabb::new([0.0, 0.0], [2.0, 2.0]))?;
/// let b = index.insert(Aabb::new([5.0, 5.0], [6.0, 6.0]))?;
/// index.update(b, Aabb::new([1.0, 1.0], [3.0, 3.0]))?;
/// index.maintain();
///
/// assert_eq!(index.pairs().collect::<Vec<_>>(), [(a, b)]);
/// assert_eq!(index.query(Overlaps(Aabb::new([2.5, 2.5], [9.0, 9.0]))).collect::<Vec<_>>(), [b]);
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Unvalidated<I>"))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "I: serde::Serialize", deserialize = "I: serde::Deserialize<'de>"))
)]
pub struct Index<I: Structure> {
    boxes: Boxes<I::Scalar>,
    structure: I,
    /// Inserting beyond this many boxes looks whether the structure still suits them. Doubles, so that inserting one
    /// by one costs a constant number of rebuilds a box.
    outgrown_at: usize,
}

/// First look at whether the structure suits the boxes.
const FIRST_LOOK: usize = 16;

impl<I: Structure> Default for Index<I> {
    /// An empty index with the structure's default options, which follow the data.
    fn default() -> Self {
        Self::new(I::Options::default()).expect("default options are valid")
    }
}

/// # Life
impl<I: Structure> Index<I> {
    /// An empty index.
    ///
    /// # Errors
    /// Names the option, its value and the rule it breaks.
    pub fn new(options: I::Options) -> Result<Self, Error> {
        Ok(Self { boxes: Boxes::new(), structure: I::new(options)?, outgrown_at: FIRST_LOOK })
    }

    /// An index of many boxes at once, with default options; ids are their positions. Faster than inserting one by one.
    ///
    /// # Errors
    /// If a box is NaN, infinite or inverted: names its position and the value.
    pub fn from_boxes(boxes: &[Aabb<I::Scalar>]) -> Result<Self, Error> {
        Self::with_boxes(I::Options::default(), boxes)
    }

    /// An index of many boxes at once; ids are their positions.
    ///
    /// # Errors
    /// If an option breaks a rule, or a box is NaN, infinite or inverted: names its position and the value.
    pub fn with_boxes(options: I::Options, boxes: &[Aabb<I::Scalar>]) -> Result<Self, Error> {
        let mut index = Self::new(options)?;
        index.check_all_with(boxes, &Serial)?;
        let admit = |bounds: &Aabb<I::Scalar>| index.structure.admit(*bounds, bounds.min).unwrap_or(*bounds);
        index.boxes.extend(boxes.iter().map(admit))?;
        index.rebuild();
        Ok(index)
    }

    /// Stores a box and returns its id.
    ///
    /// # Errors
    /// If the box is NaN, infinite or inverted (names the value), or if there are 2^31 - 1 boxes already.
    pub fn insert(&mut self, bounds: Aabb<I::Scalar>) -> Result<u32, Error> {
        let bounds = self.admit(bounds)?;
        self.insert_admitted(bounds)
    }

    /// Stores a box that has been [admitted](Self::admit).
    pub(crate) fn insert_admitted(&mut self, bounds: Aabb<I::Scalar>) -> Result<u32, Error> {
        let id = self.boxes.insert(bounds)?;
        self.structure.insert(&self.boxes, id);
        if self.boxes.len() > self.outgrown_at {
            self.outgrown_at = 2 * self.boxes.len();
            if !self.structure.fits(&self.boxes) {
                self.structure.build(&self.boxes);
            }
        }
        Ok(id)
    }

    /// Removes a box and returns it, or `None` if the id is not in use. The id may be given out again.
    pub fn remove(&mut self, id: u32) -> Option<Aabb<I::Scalar>> {
        self.boxes.get(id)?;
        self.structure.remove(&self.boxes, id);
        self.boxes.remove(id)
    }

    /// Gives a box a new place and size and returns what it was.
    ///
    /// # Errors
    /// If the box is NaN, infinite or inverted (names the value), or if the id is not in use.
    pub fn update(&mut self, id: u32, bounds: Aabb<I::Scalar>) -> Result<Aabb<I::Scalar>, Error> {
        let bounds = self.admit(bounds)?;
        self.update_admitted(id, bounds)
    }

    /// Gives a box a place that has been [admitted](Self::admit).
    pub(crate) fn update_admitted(&mut self, id: u32, bounds: Aabb<I::Scalar>) -> Result<Aabb<I::Scalar>, Error> {
        let old = self.boxes.get(id).ok_or_else(|| Error::unknown_id(id, self.boxes.places()))?;
        self.boxes.set(id, bounds);
        self.structure.update(&self.boxes, id, old);
        Ok(old)
    }

    /// Gives the boxes 0, 1, 2, … new places and sizes, all of them, and does [`maintain`](Self::maintain): a whole
    /// frame in one call. The same as updating one after the other, but faster in structures that take all at once.
    /// Where boxes come and go between frames, see [`set_all`](Self::set_all).
    ///
    /// # Errors
    /// If a box is NaN, infinite or inverted (names its position and the value), if an id is not in use, or if one in
    /// use is given no box. Nothing has changed then.
    pub fn update_all(&mut self, boxes: &[Aabb<I::Scalar>]) -> Result<(), Error> {
        self.update_all_with(boxes, &Serial)
    }

    pub(crate) fn update_all_with(&mut self, boxes: &[Aabb<I::Scalar>], executor: &impl Executor) -> Result<(), Error> {
        self.check_all_with(boxes, executor)?;
        let unused = self.boxes.first_free().map_or(self.boxes.places(), |id| id as usize);
        if unused < boxes.len() {
            return Err(Error::unknown_id(u32::try_from(unused).unwrap_or(u32::MAX), self.boxes.places()));
        }
        self.check_last(boxes.len())?;
        self.take_all(boxes, executor);
        Ok(())
    }

    /// Makes the boxes exactly these, under the ids 0, 1, 2, …, and does [`maintain`](Self::maintain): a whole frame in
    /// one call, where boxes come and go between frames, for those who keep things in a list of their own. As fast
    /// as [`update_all`](Self::update_all), and an insertion or a removal for each box more or less than before;
    /// what stays keeps its layers.
    ///
    /// # Errors
    /// If a box is NaN, infinite or inverted (names its position and the value), or if there are more than 2^31 - 1.
    /// Nothing has changed then.
    pub fn set_all(&mut self, boxes: &[Aabb<I::Scalar>]) -> Result<(), Error> {
        self.check_all_with(boxes, &Serial)?;
        if boxes.len() > MOST_BOXES {
            return Err(Error::full(MOST_BOXES));
        }
        let born = self.boxes.claim_below(boxes.len());
        let mut dead = self.boxes.places().saturating_sub(boxes.len()) - self.boxes.free_places();
        for id in (boxes.len()..self.boxes.places()).rev() {
            if dead == 0 {
                break;
            }
            dead -= usize::from(self.remove(id as u32).is_some());
        }
        // Where more are born than are there, all at once is less work.
        let at_once = 2 * born.len() > boxes.len();
        for id in born {
            let bounds = boxes[id as usize];
            self.boxes.put(id, self.structure.admit(bounds, bounds.min)?);
            if !at_once {
                self.structure.insert(&self.boxes, id);
            }
        }
        if at_once {
            for (id, &bounds) in (0..).zip(boxes) {
                self.boxes.set(id, self.structure.admit(bounds, bounds.min)?);
            }
            self.rebuild();
        } else {
            self.take_all(boxes, &Serial);
        }
        Ok(())
    }

    /// Whether all ids from `given` on are free.
    ///
    /// # Errors
    /// If one is in use.
    pub(crate) fn check_last(&self, given: usize) -> Result<(), Error> {
        if given == self.len() && self.boxes.places() == given {
            return Ok(());
        }
        let mut left = (given..self.boxes.places()).map(|id| id as u32);
        left.find(|&id| self.boxes.get(id).is_some()).map_or(Ok(()), |id| Err(Error::too_few(given, id)))
    }

    /// Gives the lowest ids new boxes that have been checked, and does `maintain`; free ones are given the empty box.
    pub(crate) fn take_all(&mut self, boxes: &[Aabb<I::Scalar>], executor: &impl Executor) {
        self.structure.update_all(&mut self.boxes, boxes, executor);
        self.maintain_with(executor);
    }

    /// Looks whether all boxes can be stored.
    ///
    /// # Errors
    /// If one cannot be: names its position.
    fn check_all_with(&self, boxes: &[Aabb<I::Scalar>], executor: &impl Executor) -> Result<(), Error> {
        let mut is_bad = false;
        let look = |boxes: &[Aabb<I::Scalar>], is_bad: &mut bool| {
            *is_bad |= !kernel::dispatch(AreValid(boxes));
        };
        executor.share(boxes.chunks(STRETCH), &mut is_bad, look, |is_bad, more| *is_bad |= more);
        for (position, bounds) in boxes.iter().enumerate() {
            let admitted = if is_bad { self.admit(*bounds) } else { self.structure.admit(*bounds, bounds.min) };
            admitted.map_err(|error| Error::at(error, position))?;
        }
        Ok(())
    }

    /// The box as it is to be stored.
    ///
    /// # Errors
    /// If it cannot be.
    pub(crate) fn admit(&self, bounds: Aabb<I::Scalar>) -> Result<Aabb<I::Scalar>, Error> {
        let bounds = bounds.check()?;
        self.structure.admit(bounds, bounds.min)
    }

    /// A box around one that is admitted, as it is to be stored; `None` if it cannot be.
    pub(crate) fn admit_around(&self, inner: &Aabb<I::Scalar>, bounds: Aabb<I::Scalar>) -> Option<Aabb<I::Scalar>> {
        self.structure.admit(bounds, inner.min).ok().filter(|bounds| bounds.contains(inner))
    }

    /// Removes all boxes and keeps the memory. Ids start from 0 again.
    pub fn clear(&mut self) {
        self.boxes.clear();
        self.structure.clear();
        self.outgrown_at = FIRST_LOOK;
    }

    /// Makes room for `additional` more boxes.
    pub fn reserve(&mut self, additional: usize) {
        self.boxes.reserve(additional);
        self.structure.reserve(additional);
    }

    /// Gives a box layers, and returns what they were: from now on [`pairs`](Self::pairs) are only those that
    /// [meet](Layers::meets), and questions [on layers](crate::OnLayers) see the box or not. The first call rebuilds the
    /// structure, to keep unions of layers in its nodes (8 bytes a node); each other one costs a removal and
    /// an insertion.
    ///
    /// # Errors
    /// If the id is not in use.
    pub fn set_layers(&mut self, id: u32, layers: Layers) -> Result<Layers, Error> {
        self.boxes.get(id).ok_or_else(|| Error::unknown_id(id, self.boxes.places()))?;
        let old = self.boxes.layers(id);
        if self.boxes.has_layers() {
            self.structure.remove(&self.boxes, id);
            self.boxes.set_layers(id, layers);
            self.structure.insert(&self.boxes, id);
        } else {
            self.boxes.set_layers(id, layers);
            self.rebuild();
        }
        Ok(old)
    }

    /// Gives many boxes layers: see [`set_layers`](Self::set_layers). The structure is rebuilt at most once. All or
    /// none: nothing has changed if one of the ids is refused.
    ///
    /// # Errors
    /// If an id is not in use.
    pub fn set_layers_batch(&mut self, changes: &[(u32, Layers)]) -> Result<(), Error> {
        if let Some((id, _)) = changes.iter().find(|(id, _)| self.boxes.get(*id).is_none()) {
            return Err(Error::unknown_id(*id, self.boxes.places()));
        }
        if self.boxes.has_layers() {
            return changes.iter().try_for_each(|&(id, layers)| self.set_layers(id, layers).map(|_| ()));
        }
        changes.iter().for_each(|&(id, layers)| self.boxes.set_layers(id, layers));
        if self.boxes.has_layers() {
            self.rebuild();
        }
        Ok(())
    }

    /// Says when the layers of two boxes meet. At the start: if [both](Agreement::Both) want to.
    pub fn set_agreement(&mut self, agreement: Agreement) {
        self.boxes.set_agreement(agreement);
    }

    /// Does the work that updates and removals put off: merges, shrinks, frees, sorts, and fits the structure to the
    /// data again if it has drifted away. Once a frame is usual; never needed for a right answer, only for speed and
    /// memory.
    pub fn maintain(&mut self) {
        self.maintain_with(&Serial);
    }

    pub(crate) fn maintain_with(&mut self, executor: &impl Executor) {
        if self.structure.fits(&self.boxes) {
            self.structure.maintain_with(&self.boxes, executor);
        } else {
            self.rebuild();
        }
    }

    fn rebuild(&mut self) {
        self.outgrown_at = FIRST_LOOK.max(2 * self.boxes.len());
        self.structure.build(&self.boxes);
    }
}

/// # Looking up
impl<I: Structure> Index<I> {
    /// How many boxes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.boxes.len()
    }

    /// `true` if there are no boxes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    /// The box with this id, or `None` if the id is not in use.
    #[must_use]
    #[inline]
    pub fn get(&self, id: u32) -> Option<Aabb<I::Scalar>> {
        self.boxes.get(id)
    }

    /// The layers of a box, [`Layers::ALL`] unless it has been given others; `None` if the id is not in use.
    #[must_use]
    pub fn layers(&self, id: u32) -> Option<Layers> {
        self.get(id).map(|_| self.boxes.layers(id))
    }

    /// Do the layers of two boxes meet?
    pub(crate) fn meet(&self, a: u32, b: u32) -> bool {
        self.boxes.meet(a, b)
    }

    /// Do two boxes of this world share a point?
    pub(crate) fn touch(&self, a: &Aabb<I::Scalar>, b: &Aabb<I::Scalar>) -> bool {
        self.structure.ways(&Overlaps(*a)).any(|way| a.intersects(&b.with_offset(way)))
    }

    /// When the layers of two boxes meet.
    #[must_use]
    pub fn agreement(&self) -> Agreement {
        self.boxes.agreement()
    }

    /// Ids are below this.
    pub(crate) fn places(&self) -> usize {
        self.boxes.places()
    }

    /// The structure's options, as given.
    #[must_use]
    pub fn options(&self) -> I::Options {
        self.structure.options()
    }
}

faces! {
    impl [I: Structure] Index<I>;
    item u32; name u32; thing ();
    one id: u32 => |_index| Some(id);
    other [J: Structure<Scalar = I::Scalar>] Index<J>; item u32; name u32;
    par [] [];
}

/// # Questions with buffers of the caller
impl<I: Structure> Index<I> {
    /// Fills `hits` with the first `most` answers, in order; what was there before is dropped. With room enough in
    /// `hits`, nothing is allocated. `usize::MAX` gives all answers; zero none.
    #[doc(alias = "knn")]
    pub fn query_first_into<Q: Ranked<I::Scalar>>(&self, question: Q, most: usize, hits: &mut Vec<Hit<Q::Rank>>) {
        self.view().first_into(&question, most, hits, |id| id);
    }

    /// All pairs of boxes that touch during a step in which box `id` moves along `motions[id]` (and stays where it is
    /// if there is no such entry), into `impacts`, in order of first touch, then of ids. No speed is too high: what
    /// is compared is the whole way of both.
    ///
    /// Builds an index of the ways, which is what it costs.
    ///
    /// # Errors
    /// If a motion is NaN or leads out of the numbers: names its position. In a [world that wraps](crate::Periodic), if
    /// a way is longer than the world.
    pub fn impacts_into(&self, motions: &[[I::Scalar; 2]], impacts: &mut Vec<Impact<I::Scalar>>) -> Result<(), Error> {
        self.view().impacts_into(motion_of(motions), impacts)
    }

    /// The index as it is.
    fn view(&self) -> View<'_, I, ()> {
        self.view_by(())
    }

    /// The index as those see it who know more of its ids.
    pub(crate) fn view_by<R>(&self, resolver: R) -> View<'_, I, R> {
        View { boxes: &self.boxes, structure: &self.structure, resolver }
    }
}

/// Motions by id; what has none stays where it is.
pub(crate) fn motion_of<S: Scalar>(motions: &[[S; 2]]) -> impl Fn(u32) -> [S; 2] {
    |id| motions.get(id as usize).copied().unwrap_or([S::ZERO; 2])
}

/// # Looking inside
impl<I: Structure> Index<I> {
    /// Shows every node or cell of the structure, until `visit` breaks: for drawing and teaching.
    pub fn visit_nodes<B>(&self, mut visit: impl FnMut(Node<I::Scalar>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.visit_lists(|node, _| visit(node))
    }

    /// Shows every node or cell of the structure together with the ids listed in this very node, until `visit` breaks:
    /// for working through all boxes neighbourhood by neighbourhood, in the order in which they lie in memory. A
    /// structure that lists a box in several places shows it as often.
    pub fn visit_lists<B>(
        &self,
        visit: impl FnMut(Node<I::Scalar>, &mut dyn Iterator<Item = u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.structure.visit_lists(&self.boxes, visit)
    }

    /// Shows what the structure knows of emptiness above its cells, until `visit(height, rectangle)` breaks: parts of a
    /// grid that are not empty, as its occupancy pyramid has them, the smallest first. Nothing for structures that
    /// keep no such thing.
    pub fn visit_pyramid<B>(&self, visit: impl FnMut(u32, Aabb<I::Scalar>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.structure.visit_pyramid(visit)
    }

    /// Counts and bytes. Walks the whole structure.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let stats = self.structure.stats(&self.boxes);
        let [used, reserved] = self.boxes.bytes();
        Stats {
            boxes: self.boxes.len(),
            bytes_used: stats.bytes_used + used,
            bytes_reserved: stats.bytes_reserved + reserved,
            ..stats
        }
    }

    /// Checks every link, count, bound and free list, and returns the figures.
    ///
    /// # Errors
    /// Says what contradicts what. Always a bug of this library: please report it.
    pub fn validate(&self) -> Result<Stats, Corruption> {
        self.boxes.validate()?;
        self.structure.validate(&self.boxes)?;
        Ok(self.stats())
    }
}
