//! Floor 7: boxes under ids, with one interface for all structures.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | boxes that come, go and move; looking up |
//! | `options.rs` | what a new box can start with |
//! | `events.rs` | which pairs began and ended, and what is fixed |
//! | `collection.rs` | iterators, `Extend`, `retain` |
//! | `restored.rs` | an index read from a file, before it is validated |

mod collection;
mod events;
mod options;
#[cfg(feature = "serde")]
mod restored;

use alloc::vec::Vec;
use core::ops::ControlFlow;

pub use collection::IndexIter;
pub use options::BoxOptions;
#[cfg(feature = "serde")]
pub(crate) use restored::Unvalidated;

use crate::arranged::Arranged;
use crate::ask::{Ids, View, faces};
use crate::compiled::Compiler;
use crate::error::{Cause, Corruption, Error};
use crate::events::{Mobility, Motion};
use crate::executor::{Executor, Serial};
use crate::geometry::Aabb;
use crate::memory::{clone_by_field, clone_nothing};
use crate::storage::{Agreement, Layers, MOST_BOXES};
use crate::structure::{FrameTree, Node, Stats, Structure};

/// In a batch, boxes are prefetched this many changes ahead, and what holds them in the structure this many. More: some
/// have left the cache again. Fewer: they have not come yet.
const SOON: usize = 16;
const NEXT: usize = 8;

/// Boxes under ids, arranged by the structure `I`: a [`FrameTree`] unless you name another one, as in
/// `Index<Quadtree>` or `Index<LooseGrid<f64>>`.
///
/// In the manual: `docs/getting-started.md`.
///
/// - **Ids** are dense `u32` values, handed out by [`insert`](Self::insert), last freed first.
///   [`from_boxes`](Self::from_boxes) numbers from 0. All structures give the same ids for the same calls. For
///   payloads, and handles that detect staleness, use [`Space`](crate::Space).
/// - **Whole frames** go in by one call: [`update_all`](Self::update_all), or [`set_all`](Self::set_all) if boxes come
///   and go. Single changes are followed by [`maintain`](Self::maintain) once per frame, which keeps a structure fast
///   and small. Answers are exact without it.
/// - **Queries** take `&self` and allocate nothing, except [`query_in_order`](Self::query_in_order),
///   [`query_first_many`](Self::query_first_many), [`impacts`](Self::impacts) and those
///   [within a distance](Self::pairs_within). Each comes as an iterator ([`query`](Self::query)), with a
///   visitor that may stop early ([`query_visit`](Self::query_visit)), and as a count
///   ([`query_count`](Self::query_count)). The same calls give the same answers in the same order, in one version of
///   this library.
/// - **Events**: [`step_events`](Self::step_events) reports which pairs began and ended since the last step.
///   They cost nothing until the first call.
///
/// ```
/// use quadrille::{Aabb, Index, Overlaps};
///
/// let mut index = <Index>::default();
/// let a = index.insert(Aabb::new([0.0, 0.0], [2.0, 2.0]))?;
/// let b = index.insert(Aabb::new([5.0, 5.0], [6.0, 6.0]))?;
/// index.update(b, Aabb::new([1.0, 1.0], [3.0, 3.0]))?;
/// index.maintain();
///
/// assert_eq!(index.pairs().collect::<Vec<_>>(), [(a, b)]);
/// assert_eq!(index.query(Overlaps(Aabb::new([2.5, 2.5], [9.0, 9.0]))).collect::<Vec<_>>(), [b]);
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Unvalidated<I>"))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "I: serde::Serialize", deserialize = "I: serde::Deserialize<'de>"))
)]
pub struct Index<I: Structure = FrameTree> {
    all: Arranged<I>,
    pub(crate) motion: Motion<I>,
    /// The boxes of a frame, if they are not the caller's. Kept to reuse its memory.
    #[cfg_attr(feature = "serde", serde(skip))]
    frame: Frame<I::Scalar>,
}

clone_by_field!([I: Structure] Index<I> { all, motion, frame });

/// The boxes of a frame.
#[derive(Debug, Default)]
struct Frame<S>(Vec<Aabb<S>>);

clone_nothing!([S: Default] Frame<S>);

impl<I: Structure> Default for Index<I> {
    /// An empty index with the structure's default options, which follow the data.
    fn default() -> Self {
        Self::new(I::Options::default()).expect("default options are valid")
    }
}

/// # Create, change, remove
impl<I: Structure> Index<I> {
    /// An empty index; [`default`](Self::default) gives one with default options.
    ///
    /// # Errors
    /// Returns an error that names the option, its value and the rule it breaks.
    ///
    /// ```
    /// use quadrille::structures::{Grid, GridOptions};
    /// use quadrille::Index;
    ///
    /// let index = Index::<Grid>::new(GridOptions::default().with_cell([2.0, 2.0]))?;
    /// assert!(index.is_empty());
    /// assert!(Index::<Grid>::new(GridOptions::default().with_cell([-2.0, 2.0])).is_err());
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn new(options: I::Options) -> Result<Self, Error> {
        Arranged::new(options).map(Self::over)
    }

    fn over(all: Arranged<I>) -> Self {
        Self { all, motion: Motion::new(), frame: Frame::default() }
    }

    /// Bulk loads an index with default options; ids are positions. Faster than inserting boxes one by one.
    ///
    /// # Errors
    /// Returns an error if a box is NaN, infinite or inverted. The message names its position and the value.
    ///
    /// ```
    /// use quadrille::{Aabb, Index};
    ///
    /// let index = <Index>::from_boxes(&[Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::from_point([5.0, 5.0])])?;
    /// assert_eq!((index.len(), index.get(1)), (2, Some(Aabb::from_point([5.0, 5.0]))));
    /// assert!(<Index>::from_boxes(&[Aabb::from_point([f32::NAN, 0.0])]).is_err());
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn from_boxes(boxes: &[Aabb<I::Scalar>]) -> Result<Self, Error> {
        Self::with_boxes(I::Options::default(), boxes)
    }

    /// Bulk loads an index; ids are positions.
    ///
    /// # Errors
    /// Returns an error if an option breaks a rule, or a box is NaN, infinite or inverted. The message names its position
    /// and the value.
    ///
    /// ```
    /// use quadrille::structures::{Quadtree, QuadtreeOptions, Subdivision};
    /// use quadrille::{Aabb, Index};
    ///
    /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([4.0, 0.0], [5.0, 1.0])];
    /// let adaptive = Subdivision::Adaptive { capacity: 8, max_depth: 6 };
    /// let index = Index::<Quadtree>::with_boxes(QuadtreeOptions::default().with_subdivision(adaptive), &boxes)?;
    /// assert_eq!(index.get(1), Some(boxes[1]));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn with_boxes(options: I::Options, boxes: &[Aabb<I::Scalar>]) -> Result<Self, Error> {
        Self::with_boxes_by(options, boxes, &Serial)
    }

    pub(crate) fn with_boxes_by(
        options: I::Options,
        boxes: &[Aabb<I::Scalar>],
        executor: &impl Executor,
    ) -> Result<Self, Error> {
        Arranged::with_boxes(options, boxes, executor).map(Self::over)
    }

    /// Stores a box and returns its id. Ids of removed boxes are reused, last freed first.
    ///
    /// # Errors
    /// Returns an error if the box is NaN, infinite or inverted (the message names the value), or if there are already 2^31 - 1
    /// boxes.
    ///
    /// ```
    /// use quadrille::{Aabb, Index};
    ///
    /// let mut index = <Index>::default();
    /// let id = index.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]))?;
    /// assert_eq!(id, 0);
    /// assert!(index.insert(Aabb::new([1.0, 0.0], [0.0, 1.0])).is_err(), "inverted");
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn insert(&mut self, bounds: Aabb<I::Scalar>) -> Result<u32, Error> {
        self.insert_with(bounds, BoxOptions::new())
    }

    /// Stores a box with its layers and mobility, and returns its id: cheaper than setting them afterward.
    ///
    /// # Errors
    /// Returns the same errors as [`insert`](Self::insert).
    ///
    /// ```
    /// use quadrille::{Aabb, BoxOptions, Index, Mobility};
    ///
    /// let mut index = <Index>::default();
    /// let wall = BoxOptions::new().with_mobility(Mobility::Fixed);
    /// let id = index.insert_with(Aabb::new([0.0, 0.0], [9.0, 1.0]), wall)?;
    /// assert_eq!(index.mobility(id), Some(Mobility::Fixed));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn insert_with(&mut self, bounds: Aabb<I::Scalar>, options: BoxOptions) -> Result<u32, Error> {
        let bounds = self.all.admit(bounds)?;
        self.motion.note(&self.all, self.all.next_id()?);
        let id = self.all.insert(bounds, options.layers)?;
        if options.mobility == Mobility::Fixed {
            self.motion.set(&mut self.all, id, Mobility::Fixed);
        }
        Ok(id)
    }

    /// Removes a box and returns it, or `None` if the id is not in use. The id may be reused. Its contacts end in the
    /// next [`step_events`](Self::step_events).
    ///
    /// ```
    /// use quadrille::{Aabb, Index};
    ///
    /// let mut index = <Index>::from_boxes(&[Aabb::from_point([0.0, 0.0]), Aabb::from_point([5.0, 5.0])])?;
    /// assert_eq!(index.remove(0), Some(Aabb::from_point([0.0, 0.0])));
    /// assert_eq!((index.remove(0), index.len()), (None, 1));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn remove(&mut self, id: u32) -> Option<Aabb<I::Scalar>> {
        self.motion.note_gone(&self.all, id);
        self.all.remove(id)
    }

    /// Moves or resizes a box and returns the old one.
    ///
    /// # Errors
    /// Returns an error if the box is NaN, infinite or inverted (the message names the value), or if the id is not in use.
    ///
    /// ```
    /// use quadrille::{Aabb, Index};
    ///
    /// let mut index = <Index>::from_boxes(&[Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([5.0, 0.0], [6.0, 1.0])])?;
    /// index.update(0, Aabb::new([4.5, 0.0], [5.5, 1.0]))?;
    /// assert_eq!(index.pairs_count(), 1);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    #[inline]
    pub fn update(&mut self, id: u32, bounds: Aabb<I::Scalar>) -> Result<Aabb<I::Scalar>, Error> {
        let bounds = self.all.admit(bounds)?;
        // If memory is read alternately, each read waits for the one before.
        self.all.prefetch(id);
        let old = self.all.known(id)?;
        self.replace(id, old, bounds);
        Ok(old)
    }

    /// Replaces a box that is `old` by one that has been admitted.
    #[inline(always)]
    fn replace(&mut self, id: u32, old: Aabb<I::Scalar>, bounds: Aabb<I::Scalar>) {
        if self.motion.has_stepped() && old != bounds {
            self.motion.note(&self.all, id);
        }
        self.all.replace(id, old, bounds);
    }

    /// Moves or resizes many boxes, one after the other, as [`update`](Self::update) would. But where that waits for
    /// memory, this fetches what comes next: faster if there are more boxes than fit in a cache. If most boxes move,
    /// [`update_all`](Self::update_all) is. All or nothing: if one is rejected, nothing changes.
    ///
    /// # Errors
    /// Returns an error if a box is NaN, infinite or inverted, or if an id is not in use. The message names it.
    ///
    /// ```
    /// use quadrille::{Aabb, Index};
    ///
    /// let mut index = <Index>::from_boxes(&[0.0, 5.0, 9.0].map(|x| Aabb::from_center([x, 0.0], [1.0; 2])))?;
    /// index.update_batch(&[(2, Aabb::from_center([1.0, 0.0], [1.0; 2])), (1, Aabb::from_point([0.5, 0.0]))])?;
    /// assert_eq!(index.pairs_count(), 3);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn update_batch(&mut self, changes: &[(u32, Aabb<I::Scalar>)]) -> Result<(), Error> {
        self.update_some(changes.iter().copied())
    }

    /// The same for what comes from elsewhere.
    pub(crate) fn update_some(
        &mut self,
        changes: impl Iterator<Item = (u32, Aabb<I::Scalar>)> + Clone,
    ) -> Result<(), Error> {
        for (id, bounds) in changes.clone() {
            if !self.all.boxes.contains(id) {
                return Err(self.all.unknown(id));
            }
            self.all.admit(bounds)?;
        }
        let [mut soon, mut next] = [SOON, NEXT].map(|ahead| changes.clone().skip(ahead));
        for (id, bounds) in changes {
            soon.next().into_iter().for_each(|(id, _)| self.all.prefetch(id));
            next.next().into_iter().for_each(|(id, _)| self.all.prefetch_place(id));
            let (old, bounds) = (*self.all.boxes.at(id), self.all.structure.admit(bounds)?);
            self.replace(id, old, bounds);
        }
        Ok(())
    }

    /// Replaces all boxes, 0, 1, 2, …, and calls [`maintain`](Self::maintain): a whole frame in one call. Entries at
    /// free ids are skipped, whatever they contain. The result is the same as updating one by one, but structures that
    /// can take all boxes at once are faster. If boxes come and go between frames, see [`set_all`](Self::set_all).
    ///
    /// ```
    /// use quadrille::{Aabb, Index};
    ///
    /// let mut boxes = [[0.0, 0.0, 1.0, 1.0], [5.0, 0.0, 6.0, 1.0]].map(Aabb::from);
    /// let mut index = <Index>::from_boxes(&boxes)?;
    /// boxes[1] = Aabb::new([0.5, 0.0], [1.5, 1.0]);
    /// index.update_all(&boxes)?;
    /// assert_eq!(index.pairs().collect::<Vec<_>>(), [(0, 1)]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a box is NaN, infinite or inverted (the message names its position and the value), if an id in use gets
    /// no box, or if there are more boxes than ids. Nothing has changed in that case.
    pub fn update_all(&mut self, boxes: &[Aabb<I::Scalar>]) -> Result<(), Error> {
        self.update_all_with(boxes, &Serial)
    }

    pub(crate) fn update_all_with(&mut self, boxes: &[Aabb<I::Scalar>], executor: &impl Executor) -> Result<(), Error> {
        let slots = self.slots();
        if boxes.len() > slots {
            return Err(Cause::TooMany { given: boxes.len(), slots }.into());
        }
        self.all.check_last(boxes.len())?;
        if self.len() < slots {
            return self.take_frame(|frame| frame.extend_from_slice(boxes));
        }
        let boxes = self.all.admit_all(boxes, executor)?;
        self.motion.note_frame(&self.all, &boxes);
        self.all.take_all(&boxes, executor);
        Ok(())
    }

    /// Replaces all boxes by those that `fill` puts into a frame, by id.
    pub(crate) fn take_frame(&mut self, fill: impl FnOnce(&mut Vec<Aabb<I::Scalar>>)) -> Result<(), Error> {
        let mut frame = core::mem::take(&mut self.frame.0);
        frame.clear();
        fill(&mut frame);
        I::Compiler::take_frame(&mut self.motion, &mut self.all, &mut frame)?;
        self.frame.0 = frame;
        Ok(())
    }

    /// Makes the contents exactly these boxes, under the ids 0, 1, 2, …, and calls [`maintain`](Self::maintain): a
    /// whole frame in one call when boxes come and go, for programs that keep their objects in their own list. As fast
    /// as [`update_all`](Self::update_all), plus one insertion or removal for each box by which the count changes.
    /// Boxes that stay keep their layers, mobility and contacts.
    ///
    /// # Errors
    /// Returns an error if a box is NaN, infinite or inverted (the message names its position and the value), or if there are more
    /// than 2^31 - 1. Nothing has changed in that case.
    ///
    /// ```
    /// use quadrille::{Aabb, Index};
    ///
    /// let mut index = <Index>::default();
    /// index.set_all(&[Aabb::from_point([0.0, 0.0]), Aabb::from_point([1.0, 0.0])])?;
    /// index.set_all(&[Aabb::from_point([2.0, 0.0])])?; // the next frame has one box only
    /// assert_eq!((index.len(), index.get(1)), (1, None));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn set_all(&mut self, boxes: &[Aabb<I::Scalar>]) -> Result<(), Error> {
        if boxes.len() > MOST_BOXES {
            return Err(Cause::Full { most: MOST_BOXES }.into());
        }
        let boxes = self.all.admit_all(boxes, &Serial)?;
        (boxes.len()..self.slots()).for_each(|id| self.motion.note_gone(&self.all, id as u32));
        self.motion.note_frame(&self.all, &boxes);
        self.all.set_all(&boxes)
    }

    /// Removes all boxes and keeps the memory. Ids start at 0 again. All contacts end in the next
    /// [`step_events`](Self::step_events).
    pub fn clear(&mut self) {
        (0..self.slots()).for_each(|id| self.motion.note_gone(&self.all, id as u32));
        self.all.clear();
    }

    /// Reserves memory for `additional` more boxes.
    pub fn reserve(&mut self, additional: usize) {
        self.all.reserve(additional);
    }

    /// Sets the layers of a box and returns the old ones. From now on the box appears in [`pairs`](Self::pairs) only
    /// with boxes whose layers are compatible ([`Layers::meets`]), and queries limited to some layers
    /// ([`OnLayers`](crate::OnLayers)) find it only if it is on one of them. Contacts begin and end accordingly in the
    /// next [`step_events`](Self::step_events).
    ///
    /// The first call rebuilds the structure, so that its nodes hold the union of the layers below (8 bytes per node).
    /// A later call leaves the box where it is and lets these unions grow; [`maintain`](Self::maintain) shrinks them.
    /// Layers that a box has already cost nothing. For many boxes at once, use [`set_layers_batch`](Self::set_layers_batch).
    ///
    /// ```
    /// use quadrille::{Aabb, Index, Layers};
    ///
    /// const PLAYERS: u32 = 1;
    /// const BULLETS: u32 = 2;
    /// let mut index = <Index>::from_boxes(&[[0.0, 0.0, 2.0, 2.0]; 3].map(Aabb::from))?;
    /// index.set_layers(0, Layers::new(PLAYERS, PLAYERS | BULLETS))?;
    /// for bullet in 1..=2 {
    ///     index.set_layers(bullet, Layers::new(BULLETS, PLAYERS))?;
    /// }
    /// assert_eq!(index.pairs_count(), 2, "bullets do not meet each other");
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the id is not in use.
    pub fn set_layers(&mut self, id: u32, layers: Layers) -> Result<Layers, Error> {
        let old = self.layers(id).ok_or_else(|| self.all.unknown(id))?;
        self.all.set_layers(&[(id, layers)], |all, id| self.motion.note(all, id));
        Ok(old)
    }

    /// Sets the layers of many boxes: see [`set_layers`](Self::set_layers). Rebuilds the structure at most once. All or
    /// nothing: if one id is rejected, nothing changes.
    ///
    /// # Errors
    /// Returns an error if an id is not in use.
    pub fn set_layers_batch(&mut self, changes: &[(u32, Layers)]) -> Result<(), Error> {
        changes.iter().try_for_each(|&(id, _)| self.all.known(id).map(drop))?;
        self.all.set_layers(changes, |all, id| self.motion.note(all, id));
        Ok(())
    }

    /// Sets when the layers of two boxes meet. The default: when [both](Agreement::Both) agree.
    pub fn set_agreement(&mut self, agreement: Agreement) {
        self.all.boxes.set_agreement(agreement);
        self.motion.note_all();
    }

    /// When the layers of two boxes meet.
    #[must_use]
    pub fn agreement(&self) -> Agreement {
        self.all.boxes.agreement()
    }

    /// Does the work that updates and removals put off: merges, shrinks, frees, sorts, and fits the structure to the
    /// data again if the data has drifted. Call it once per frame. Answers are exact without it; it is for speed and
    /// memory only.
    ///
    /// ```
    /// use quadrille::{Aabb, Index, Overlaps};
    ///
    /// let mut index = <Index>::from_boxes(&[Aabb::from_point([0.0, 0.0]), Aabb::from_point([9.0, 9.0])])?;
    /// for step in 0..8_u8 {
    ///     index.update(0, Aabb::from_point([f32::from(step), 0.0]))?;
    /// }
    /// index.maintain(); // once a frame, after its single updates
    /// assert_eq!(index.query_count(Overlaps(Aabb::new([6.0, 0.0], [8.0, 1.0]))), 1);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn maintain(&mut self) {
        self.all.maintain_with(&Serial);
    }
}

/// # Looking up
impl<I: Structure> Index<I> {
    /// How many boxes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.boxes.len()
    }

    /// `true` if there are no boxes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.boxes.is_empty()
    }

    /// `true` if the id is in use.
    #[must_use]
    pub fn contains(&self, id: u32) -> bool {
        self.all.boxes.contains(id)
    }

    /// The box with this id, or `None` if the id is not in use.
    ///
    /// ```
    /// use quadrille::{Aabb, Index};
    ///
    /// let index = <Index>::from_boxes(&[Aabb::from_point([3.0, 4.0])])?;
    /// assert_eq!(index.get(0).map(|bounds| bounds.min), Some([3.0, 4.0]));
    /// assert_eq!(index.get(7), None);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn get(&self, id: u32) -> Option<Aabb<I::Scalar>> {
        self.all.boxes.get(id)
    }

    /// The layers of a box, [`Layers::ALL`] unless set; `None` if the id is not in use.
    #[must_use]
    pub fn layers(&self, id: u32) -> Option<Layers> {
        self.get(id).map(|_| self.all.boxes.layers(id))
    }

    /// The structure's options, as given.
    #[must_use]
    pub fn options(&self) -> I::Options {
        self.all.structure.options()
    }

    /// All ids are below this.
    pub(crate) fn slots(&self) -> usize {
        self.all.boxes.slots()
    }
}

faces! {
    impl [I: Structure] Index<I>;
    item u32; name u32; thing ();
    one id: u32 => |_index| Some(id);
    other [J: Structure<Scalar = I::Scalar>] Index<J>; item u32; name u32;
    par [];
}

impl<I: Structure> Index<I> {
    /// The boxes, resolved by their ids.
    pub(crate) fn view(&self) -> View<'_, I, Ids> {
        self.all.view()
    }

    /// The boxes, with a resolver for handles.
    pub(crate) fn view_by<R>(&self, resolver: R) -> View<'_, I, R> {
        self.all.view_by(resolver)
    }
}

/// # Looking inside
impl<I: Structure> Index<I> {
    /// Visits every node or cell of the structure, until `visit` breaks: for drawing and teaching.
    pub fn visit_nodes<B>(&self, mut visit: impl FnMut(Node<I::Scalar>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.visit_lists(|node, _| visit(node))
    }

    /// Visits every node or cell of the structure with the ids listed in that node, until `visit` breaks. Use it to
    /// process all boxes neighborhood by neighborhood, in memory order. A structure that lists a box in several places
    /// visits it that many times.
    pub fn visit_lists<B>(
        &self,
        visit: impl FnMut(Node<I::Scalar>, &mut dyn Iterator<Item = u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.all.structure.visit_lists(&self.all.boxes, visit)
    }

    /// Visits the non-empty blocks of a grid's occupancy pyramid above its cells, smallest first, until
    /// `visit(height, rectangle)` breaks. Visits nothing if the structure has no pyramid.
    pub fn visit_pyramid<B>(&self, visit: impl FnMut(u32, Aabb<I::Scalar>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.all.structure.visit_pyramid(visit)
    }

    /// Counts and byte sizes. Walks the whole structure.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.all.stats()
    }

    /// Checks every link, count, bound and free list, and that contacts agree with the boxes.
    ///
    /// The cost grows with the number of nodes and boxes. With events it also grows with the number of overlapping boxes:
    /// about twice as much per pair as collecting all [`pairs`](Self::pairs).
    ///
    /// # Errors
    /// Returns an error that says which parts contradict each other. This is always a bug in this library: please report it.
    pub fn validate(&self) -> Result<Stats, Corruption> {
        self.all.validate()?;
        self.motion.validate(&self.all)?;
        Ok(self.stats())
    }
}
