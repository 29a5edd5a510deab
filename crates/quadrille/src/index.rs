//! Floor 5: boxes under ids, the same for all structures.

mod collection;
#[cfg(feature = "serde")]
mod restored;

use alloc::borrow::Cow;
use alloc::vec::Vec;
pub use collection::IndexIter;
#[cfg(feature = "serde")]
pub(crate) use restored::Unvalidated;

use core::ops::ControlFlow;

use crate::ask::{Ids, View, faces};
use crate::error::{Corruption, Error};
use crate::executor::{CHUNK, Executor, Serial};
use crate::geometry::Aabb;
use crate::kernel::{self, AreValid};
use crate::query::Overlaps;
use crate::storage::{Agreement, Boxes, Layers, MOST_BOXES};
use crate::structure::{Node, Stats, Structure};

/// Boxes under ids, arranged by the structure `I`: `Index<Quadtree>`, `Index<LooseGrid<f64>>`, …
///
/// In the manual: `docs/getting-started.md`.
///
/// - **Ids** are dense `u32` values, handed out by [`insert`](Self::insert), last freed first.
///   [`from_boxes`](Self::from_boxes) numbers from 0. All structures give the same ids for the same calls. For
///   payloads, and handles that detect staleness, use [`Space`](crate::Space).
/// - **Queries** take `&self` and allocate nothing, except [`query_in_order`](Self::query_in_order) and
///   [`impacts`](Self::impacts). Each comes as an iterator ([`query`](Self::query)), with a
///   visitor that may stop early ([`query_visit`](Self::query_visit)), and as a count
///   ([`query_count`](Self::query_count)). Each structure documents its order of answers; the order is the same for the
///   same calls.
/// - **[`maintain`](Self::maintain)** once per frame keeps a structure fast and small. Answers are exact without it.
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
    /// When more boxes than this are inserted, check whether the structure still fits them. The limit doubles, so
    /// inserting one box at a time costs a constant number of rebuilds per box.
    outgrown_at: usize,
}

/// The first check of whether the structure fits the boxes.
const FIRST_LOOK: usize = 16;

impl<I: Structure> Default for Index<I> {
    /// An empty index with the structure's default options, which follow the data.
    fn default() -> Self {
        Self::new(I::Options::default()).expect("default options are valid")
    }
}

/// # Create, change, remove
impl<I: Structure> Index<I> {
    /// An empty index.
    ///
    /// # Errors
    /// Names the option, its value and the rule it breaks.
    ///
    /// ```
    /// use quadrille::{Grid, GridOptions, Index};
    ///
    /// let index = Index::<Grid>::new(GridOptions::default().with_cell([2.0, 2.0]))?;
    /// assert!(index.is_empty());
    /// assert!(Index::<Grid>::new(GridOptions::default().with_cell([-2.0, 2.0])).is_err());
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn new(options: I::Options) -> Result<Self, Error> {
        Ok(Self { boxes: Boxes::new(), structure: I::new(options)?, outgrown_at: FIRST_LOOK })
    }

    /// Bulk loads an index with default options; ids are positions. Faster than inserting boxes one by one.
    ///
    /// # Errors
    /// If a box is NaN, infinite or inverted: names its position and the value.
    ///
    /// ```
    /// use quadrille::{Aabb, FrameTree, Index};
    ///
    /// let index = Index::<FrameTree>::from_boxes(&[Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::from_point([5.0, 5.0])])?;
    /// assert_eq!((index.len(), index.get(1)), (2, Some(Aabb::from_point([5.0, 5.0]))));
    /// assert!(Index::<FrameTree>::from_boxes(&[Aabb::from_point([f32::NAN, 0.0])]).is_err());
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn from_boxes(boxes: &[Aabb<I::Scalar>]) -> Result<Self, Error> {
        Self::with_boxes(I::Options::default(), boxes)
    }

    /// Bulk loads an index; ids are positions.
    ///
    /// # Errors
    /// If an option breaks a rule, or a box is NaN, infinite or inverted: names its position and the value.
    ///
    /// ```
    /// use quadrille::{Aabb, Index, Quadtree, QuadtreeOptions, Subdivision};
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
        let mut index = Self::new(options)?;
        index.load(boxes, executor)?;
        index.rebuild(executor);
        Ok(index)
    }

    /// Bulk loads an index of boxes that have [layers](Self::set_layers); ids are positions.
    ///
    /// # Errors
    /// As [`with_boxes`](Self::with_boxes), or if there is not one entry of layers for each box.
    pub fn with_boxes_and_layers(
        options: I::Options,
        boxes: &[Aabb<I::Scalar>],
        layers: &[Layers],
    ) -> Result<Self, Error> {
        check_layers(boxes.len(), layers)?;
        let mut index = Self::new(options)?;
        index.load(boxes, &Serial)?;
        index.boxes.set_first_layers(layers);
        index.rebuild(&Serial);
        Ok(index)
    }

    /// Stores the first boxes of all, in an index that has none, and does not arrange them yet. One thread checks some
    /// thousand at a time and copies them while they are in a fast cache. After an error, some have been stored.
    fn load<E: Executor>(&mut self, boxes: &[Aabb<I::Scalar>], executor: &E) -> Result<(), Error> {
        self.boxes.reserve(boxes.len());
        let some = if E::IS_ALONE { CHUNK } else { boxes.len().max(1) };
        for (number, boxes) in boxes.chunks(some).enumerate() {
            let boxes = self.admit_all_with(boxes, executor).map_err(|error| error.behind(number * some))?;
            self.boxes.extend(&boxes, executor)?;
        }
        Ok(())
    }

    /// Stores a box and returns its id.
    ///
    /// # Errors
    /// If the box is NaN, infinite or inverted (names the value), or if there are already 2^31 - 1 boxes.
    ///
    /// ```
    /// use quadrille::{Aabb, FrameTree, Index};
    ///
    /// let mut index = Index::<FrameTree>::default();
    /// let id = index.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]))?;
    /// assert_eq!(id, 0);
    /// assert!(index.insert(Aabb::new([1.0, 0.0], [0.0, 1.0])).is_err(), "inverted");
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn insert(&mut self, bounds: Aabb<I::Scalar>) -> Result<u32, Error> {
        let bounds = self.admit(bounds)?;
        self.insert_admitted(bounds, Layers::ALL)
    }

    /// Stores a box that has been [admitted](Self::admit).
    pub(crate) fn insert_admitted(&mut self, bounds: Aabb<I::Scalar>, layers: Layers) -> Result<u32, Error> {
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
                self.structure.build(&self.boxes);
            }
        }
        Ok(id)
    }

    /// Removes a box and returns it, or `None` if the id is not in use. The id may be reused.
    ///
    /// ```
    /// use quadrille::{Aabb, FrameTree, Index};
    ///
    /// let mut index = Index::<FrameTree>::from_boxes(&[Aabb::from_point([0.0, 0.0]), Aabb::from_point([5.0, 5.0])])?;
    /// assert_eq!(index.remove(0), Some(Aabb::from_point([0.0, 0.0])));
    /// assert_eq!((index.remove(0), index.len()), (None, 1));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn remove(&mut self, id: u32) -> Option<Aabb<I::Scalar>> {
        self.boxes.get(id)?;
        self.structure.remove(&self.boxes, id);
        self.boxes.remove(id)
    }

    /// Moves or resizes a box and returns the old one.
    ///
    /// # Errors
    /// If the box is NaN, infinite or inverted (names the value), or if the id is not in use.
    ///
    /// ```
    /// use quadrille::{Aabb, FrameTree, Index};
    ///
    /// let mut index = Index::<FrameTree>::from_boxes(&[Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([5.0, 0.0], [6.0, 1.0])])?;
    /// index.update(0, Aabb::new([4.5, 0.0], [5.5, 1.0]))?;
    /// assert_eq!(index.pairs_count(), 1);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn update(&mut self, id: u32, bounds: Aabb<I::Scalar>) -> Result<Aabb<I::Scalar>, Error> {
        let bounds = self.admit(bounds)?;
        let old = self.boxes.get(id).ok_or_else(|| self.unknown(id))?;
        self.replace(id, old, bounds);
        Ok(old)
    }

    /// Moves or resizes the box of an id, which is `old`, to one that has been [admitted](Self::admit).
    #[inline]
    pub(crate) fn replace(&mut self, id: u32, old: Aabb<I::Scalar>, bounds: Aabb<I::Scalar>) {
        self.boxes.set(id, bounds);
        self.structure.update(&self.boxes, id, old);
    }

    /// Replaces all boxes, 0, 1, 2, …, and calls [`maintain`](Self::maintain): a whole frame in one call. The result is
    /// the same as updating one by one, but structures that can take all boxes at once are faster. If boxes come and go
    /// between frames, see [`set_all`](Self::set_all).
    ///
    /// ```
    /// use quadrille::{Aabb, FrameTree, Index};
    ///
    /// let mut boxes = [[0.0, 0.0, 1.0, 1.0], [5.0, 0.0, 6.0, 1.0]].map(Aabb::from);
    /// let mut index = Index::<FrameTree>::from_boxes(&boxes)?;
    /// boxes[1] = Aabb::new([0.5, 0.0], [1.5, 1.0]);
    /// index.update_all(&boxes)?;
    /// assert_eq!(index.pairs().collect::<Vec<_>>(), [(0, 1)]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a box is NaN, infinite or inverted (names its position and the value), if an id is not in use, or if an id in
    /// use gets no box. Nothing has changed in that case.
    pub fn update_all(&mut self, boxes: &[Aabb<I::Scalar>]) -> Result<(), Error> {
        self.update_all_with(boxes, &Serial)
    }

    pub(crate) fn update_all_with(&mut self, boxes: &[Aabb<I::Scalar>], executor: &impl Executor) -> Result<(), Error> {
        let boxes = self.admit_frame_with(boxes, executor)?;
        self.take_all(&boxes, executor);
        Ok(())
    }

    /// Boxes that can replace all, in the form in which they are stored.
    ///
    /// # Errors
    /// If one cannot be stored, an id is free, or an id in use gets no box.
    fn admit_frame_with<'a>(
        &self,
        boxes: &'a [Aabb<I::Scalar>],
        executor: &impl Executor,
    ) -> Result<Cow<'a, [Aabb<I::Scalar>]>, Error> {
        let admitted = self.admit_all_with(boxes, executor)?;
        let unused = self.boxes.first_free().map_or(self.boxes.slots(), |id| id as usize);
        if unused < boxes.len() {
            return Err(self.unknown(u32::try_from(unused).unwrap_or(u32::MAX)));
        }
        self.check_last(boxes.len()).map(|()| admitted)
    }

    /// [`update_all`](Self::update_all), with the [layers](Self::set_layers) of all boxes too: cheaper than setting
    /// them one by one.
    ///
    /// ```
    /// use quadrille::{Aabb, FrameTree, Index, Layers};
    ///
    /// let boxes = [[0.0, 0.0, 1.0, 1.0]; 3].map(Aabb::from);
    /// let mut index = Index::<FrameTree>::from_boxes(&boxes)?;
    /// let (bullet, enemy) = (Layers { own: 1, mask: 2 }, Layers { own: 2, mask: 1 });
    /// index.update_all_with_layers(&boxes, &[bullet, bullet, enemy])?;
    /// assert_eq!(index.pairs_count(), 2, "bullets do not meet each other");
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`update_all`](Self::update_all), or if there is not one entry of layers for each box. Nothing has changed in
    /// that case.
    pub fn update_all_with_layers(&mut self, boxes: &[Aabb<I::Scalar>], layers: &[Layers]) -> Result<(), Error> {
        check_layers(boxes.len(), layers)?;
        let boxes = self.admit_frame_with(boxes, &Serial)?;
        let is_first = !self.boxes.has_layers();
        self.boxes.set_first_layers(layers);
        if is_first {
            self.structure.update_all(&mut self.boxes, &boxes, &Serial);
            self.rebuild(&Serial);
        } else {
            self.take_all(&boxes, &Serial);
        }
        Ok(())
    }

    /// Makes the contents exactly these boxes, under the ids 0, 1, 2, …, and calls [`maintain`](Self::maintain): a
    /// whole frame in one call when boxes come and go, for programs that keep their objects in their own list. As fast
    /// as [`update_all`](Self::update_all), plus one insertion or removal for each box by which the count changes.
    /// Boxes that stay keep their layers.
    ///
    /// # Errors
    /// If a box is NaN, infinite or inverted (names its position and the value), or if there are more than 2^31 - 1.
    /// Nothing has changed in that case.
    ///
    /// ```
    /// use quadrille::{Aabb, FrameTree, Index};
    ///
    /// let mut index = Index::<FrameTree>::default();
    /// index.set_all(&[Aabb::from_point([0.0, 0.0]), Aabb::from_point([1.0, 0.0])])?;
    /// index.set_all(&[Aabb::from_point([2.0, 0.0])])?; // the next frame has one box only
    /// assert_eq!((index.len(), index.get(1)), (1, None));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn set_all(&mut self, boxes: &[Aabb<I::Scalar>]) -> Result<(), Error> {
        let boxes = self.admit_all(boxes)?;
        self.set_all_admitted(&boxes)
    }

    /// [`set_all`](Self::set_all) with boxes that have been admitted.
    pub(crate) fn set_all_admitted(&mut self, boxes: &[Aabb<I::Scalar>]) -> Result<(), Error> {
        let beyond = (boxes.len()..self.boxes.slots()).rev().map(|id| id as u32);
        let dead: Vec<u32> = beyond.filter(|&id| self.boxes.get(id).is_some()).collect();
        for id in dead {
            self.remove(id);
        }
        self.boxes.cut_off(boxes.len());
        let born = boxes.len() - self.len();
        // Where more boxes are new than old, one bulk load is less work.
        let at_once = 2 * born > boxes.len();
        if born > 0 {
            self.boxes.reuse_first(boxes.len());
        }
        for _ in 0..born {
            let id = self.boxes.insert(boxes[self.boxes.next_id()])?;
            if !at_once {
                self.structure.insert(&self.boxes, id);
            }
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
    /// If one is in use.
    pub(crate) fn check_last(&self, given: usize) -> Result<(), Error> {
        if given == self.len() && self.boxes.slots() == given {
            return Ok(());
        }
        let mut left = (given..self.boxes.slots()).map(|id| id as u32);
        left.find(|&id| self.boxes.get(id).is_some()).map_or(Ok(()), |id| Err(Error::too_few(given, id)))
    }

    /// Replaces the boxes of the lowest ids by boxes that have been admitted, and calls `maintain`. Free ids get the
    /// empty box.
    pub(crate) fn take_all(&mut self, boxes: &[Aabb<I::Scalar>], executor: &impl Executor) {
        self.structure.update_all(&mut self.boxes, boxes, executor);
        self.maintain_with(executor);
    }

    /// Boxes in the form in which they are stored, for an index of these and no others.
    ///
    /// # Errors
    /// If one cannot be stored (names its position), or if there are too many.
    pub(crate) fn admit_all<'a>(&self, boxes: &'a [Aabb<I::Scalar>]) -> Result<Cow<'a, [Aabb<I::Scalar>]>, Error> {
        let admitted = self.admit_all_with(boxes, &Serial)?;
        if boxes.len() > MOST_BOXES { Err(Error::full(MOST_BOXES)) } else { Ok(admitted) }
    }

    fn admit_all_with<'a>(
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

    /// The box in the form in which it is stored.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub(crate) fn admit(&self, bounds: Aabb<I::Scalar>) -> Result<Aabb<I::Scalar>, Error> {
        let bounds = bounds.check()?;
        self.structure.admit(bounds, bounds.min)
    }

    /// A box around an admitted one, in the form in which it is stored; `None` if it cannot be stored.
    pub(crate) fn admit_around(&self, inner: &Aabb<I::Scalar>, bounds: Aabb<I::Scalar>) -> Option<Aabb<I::Scalar>> {
        self.structure.admit(bounds, inner.min).ok().filter(|bounds| bounds.contains(inner))
    }

    /// Removes all boxes and keeps the memory. Ids start at 0 again.
    pub fn clear(&mut self) {
        self.boxes.clear();
        self.structure.clear();
        self.outgrown_at = FIRST_LOOK;
    }

    /// Reserves memory for `additional` more boxes.
    pub fn reserve(&mut self, additional: usize) {
        self.boxes.reserve(additional);
        self.structure.reserve(additional);
    }

    /// Sets the layers of a box and returns the old ones. From now on the box appears in [`pairs`](Self::pairs) only
    /// with boxes whose layers are compatible ([`Layers::meets`]), and queries limited to some layers
    /// ([`OnLayers`](crate::OnLayers)) find it only if it is on one of them. The first call rebuilds the structure, so
    /// that its nodes hold the union of the layers below (8 bytes per node). A later call leaves the box where it is
    /// and lets these unions grow; [`maintain`](Self::maintain) shrinks them. To set the layers of all boxes at once,
    /// see [`update_all_with_layers`](Self::update_all_with_layers).
    ///
    /// ```
    /// use quadrille::{Aabb, Index, Layers, Quadtree};
    ///
    /// const PLAYERS: u32 = 1;
    /// const BULLETS: u32 = 2;
    /// let mut index = Index::<Quadtree>::from_boxes(&[[0.0, 0.0, 2.0, 2.0]; 3].map(Aabb::from))?;
    /// index.set_layers(0, Layers::new(PLAYERS, PLAYERS | BULLETS))?;
    /// for bullet in 1..=2 {
    ///     index.set_layers(bullet, Layers::new(BULLETS, PLAYERS))?;
    /// }
    /// assert_eq!(index.pairs_count(), 2, "bullets do not meet each other");
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the id is not in use.
    pub fn set_layers(&mut self, id: u32, layers: Layers) -> Result<Layers, Error> {
        self.boxes.get(id).ok_or_else(|| self.unknown(id))?;
        let old = self.boxes.layers(id);
        if self.boxes.has_layers() {
            self.boxes.set_layers(id, layers);
            self.structure.set_layers(&self.boxes, id);
        } else {
            self.boxes.set_layers(id, layers);
            self.rebuild(&Serial);
        }
        Ok(old)
    }

    /// Sets the layers of many boxes: see [`set_layers`](Self::set_layers). Rebuilds the structure at most once. All or
    /// nothing: if one id is rejected, nothing changes.
    ///
    /// # Errors
    /// If an id is not in use.
    pub fn set_layers_batch(&mut self, changes: &[(u32, Layers)]) -> Result<(), Error> {
        if let Some((id, _)) = changes.iter().find(|(id, _)| self.boxes.get(*id).is_none()) {
            return Err(self.unknown(*id));
        }
        if self.boxes.has_layers() {
            return changes.iter().try_for_each(|&(id, layers)| self.set_layers(id, layers).map(|_| ()));
        }
        changes.iter().for_each(|&(id, layers)| self.boxes.set_layers(id, layers));
        if self.boxes.has_layers() {
            self.rebuild(&Serial);
        }
        Ok(())
    }

    /// Sets when the layers of two boxes meet. The default: when [both](Agreement::Both) agree.
    pub fn set_agreement(&mut self, agreement: Agreement) {
        self.boxes.set_agreement(agreement);
    }

    /// Does the work that updates and removals put off: merges, shrinks, frees, sorts, and fits the structure to the
    /// data again if the data has drifted. Call it once per frame. Answers are exact without it; it is for speed and
    /// memory only.
    ///
    /// ```
    /// use quadrille::{Aabb, Index, LooseQuadtree, Overlaps};
    ///
    /// let mut index = Index::<LooseQuadtree>::from_boxes(&[Aabb::from_point([0.0, 0.0]), Aabb::from_point([9.0, 9.0])])?;
    /// for step in 0..8_u8 {
    ///     index.update(0, Aabb::from_point([f32::from(step), 0.0]))?;
    /// }
    /// index.maintain(); // once a frame, after its single updates
    /// assert_eq!(index.query_count(Overlaps(Aabb::new([6.0, 0.0], [8.0, 1.0]))), 1);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn maintain(&mut self) {
        self.maintain_with(&Serial);
    }

    pub(crate) fn maintain_with(&mut self, executor: &impl Executor) {
        if self.structure.fits(&self.boxes) {
            self.structure.maintain_with(&self.boxes, executor);
        } else {
            self.rebuild(executor);
        }
    }

    fn rebuild(&mut self, executor: &impl Executor) {
        self.outgrown_at = FIRST_LOOK.max(2 * self.boxes.len());
        self.structure.build_with(&self.boxes, executor);
    }
}

/// One entry of layers for each of `boxes` boxes.
///
/// # Errors
/// If there are more or fewer.
fn check_layers(boxes: usize, layers: &[Layers]) -> Result<(), Error> {
    if layers.len() == boxes {
        return Ok(());
    }
    let given = alloc::format!("{} entries for {boxes} boxes", layers.len());
    Err(Error::option("layers", given, "there is one entry for each box"))
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
    ///
    /// ```
    /// use quadrille::{Aabb, FrameTree, Index};
    ///
    /// let index = Index::<FrameTree>::from_boxes(&[Aabb::from_point([3.0, 4.0])])?;
    /// assert_eq!(index.get(0).map(|bounds| bounds.min), Some([3.0, 4.0]));
    /// assert_eq!(index.get(7), None);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn get(&self, id: u32) -> Option<Aabb<I::Scalar>> {
        self.boxes.get(id)
    }

    /// The layers of a box, [`Layers::ALL`] unless set; `None` if the id is not in use.
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
        self.structure.offsets(&Overlaps(*a)).any(|offset| a.intersects(&b.with_offset(offset)))
    }

    /// When the layers of two boxes meet.
    #[must_use]
    pub fn agreement(&self) -> Agreement {
        self.boxes.agreement()
    }

    #[cold]
    pub(crate) fn unknown(&self, id: u32) -> Error {
        Error::unknown_id(id, self.boxes.slots())
    }

    /// The id of the next box to be inserted.
    ///
    /// # Errors
    /// If there are already 2^31 - 1 boxes.
    pub(crate) fn next_id(&self) -> Result<u32, Error> {
        let id = self.boxes.next_id();
        if id < MOST_BOXES { Ok(id as u32) } else { Err(Error::full(MOST_BOXES)) }
    }

    /// All ids are below this.
    pub(crate) fn slots(&self) -> usize {
        self.boxes.slots()
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
    par [];
}

impl<I: Structure> Index<I> {
    /// The index as seen by itself.
    pub(crate) fn view(&self) -> View<'_, I, Ids<()>> {
        self.view_by(Ids(()))
    }

    /// The index as seen through a resolver that knows more about its ids.
    pub(crate) fn view_by<R>(&self, resolver: R) -> View<'_, I, R> {
        View { boxes: &self.boxes, structure: &self.structure, resolver }
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
        self.structure.visit_lists(&self.boxes, visit)
    }

    /// Visits what the structure knows about emptiness above its cells, until `visit(height, rectangle)` breaks: the
    /// non-empty blocks of a grid's occupancy pyramid, smallest first. Visits nothing if the structure has no pyramid.
    pub fn visit_pyramid<B>(&self, visit: impl FnMut(u32, Aabb<I::Scalar>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.structure.visit_pyramid(visit)
    }

    /// Counts and byte sizes. Walks the whole structure.
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

    /// Checks every link, count, bound and free list, and returns the [`stats`](Self::stats).
    ///
    /// # Errors
    /// Says which parts contradict each other. This is always a bug in this library: please report it.
    pub fn validate(&self) -> Result<Stats, Corruption> {
        self.boxes.validate()?;
        self.structure.validate(&self.boxes)?;
        Ok(self.stats())
    }
}
