//! The public query methods, the same for an index, a broad phase, a space and a keyed set.

/// `faces! { impl [generics] Container; … }` writes the methods of a container that has a `view`. `item` is what an
/// answer is, `name` is how a stored answer is identified, `thing` is the payload that comes with a name, `one` is how
/// a caller names one box and how its id is found, `other` is another set of the same kind, and `par` is what parallel
/// queries require.
macro_rules! faces {
    (
        impl [$($generics:tt)*] $Container:ty;
        item $Item:ty; name $Name:ty; thing $Thing:ty;
        one $one:ident: $One:ty => |$this:ident| $id:expr;
        other [$($other:tt)*] $Other:ty; item $OtherItem:ty; name $OtherName:ty;
        par [$($par:tt)*];
    ) => {
        /// # Queries
        #[allow(clippy::needless_lifetimes, reason = "payloads come with lifetimes")]
        impl<$($generics)*> $Container {
            /// Returns all boxes that `query` accepts, each once, lazily.
            ///
            /// ```
            /// use quadrille::{Aabb, FrameTree, Index, Overlaps};
            ///
            /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([4.0, 0.0], [5.0, 1.0]), Aabb::new([4.5, 0.5], [6.0, 2.0])];
            /// let index = Index::<FrameTree>::from_boxes(&boxes)?;
            /// let view = Aabb::new([3.0, 0.0], [10.0, 10.0]);
            /// let mut found: Vec<u32> = index.query(Overlaps(view)).collect();
            /// found.sort_unstable();
            /// assert_eq!(found, [1, 2]);
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            #[inline]
            pub fn query<'a, Q: $crate::query::Query<I::Scalar>>(
                &'a self,
                query: Q,
            ) -> impl Iterator<Item = $Item> {
                self.view().query(query)
            }

            /// Calls `visit` for each box that `query` accepts, until it breaks.
            ///
            /// ```
            /// use quadrille::{Aabb, FrameTree, Index, Overlaps};
            ///
            /// use core::ops::ControlFlow;
            ///
            /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([4.0, 0.0], [5.0, 1.0]), Aabb::new([4.5, 0.5], [6.0, 2.0])];
            /// let index = Index::<FrameTree>::from_boxes(&boxes)?;
            /// let any = index.query_visit(Overlaps(Aabb::new([3.0, 0.0], [10.0, 10.0])), |id| ControlFlow::Break(id));
            /// assert!(any.is_break(), "there is one: the walk ends there");
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            #[inline]
            pub fn query_visit<'a, Q: $crate::query::Query<I::Scalar>, B>(
                &'a self,
                query: Q,
                visit: impl FnMut($Item) -> core::ops::ControlFlow<B>,
            ) -> core::ops::ControlFlow<B> {
                self.view().query_visit(query, visit)
            }

            /// How many boxes `query` accepts.
            ///
            /// ```
            /// use quadrille::{Aabb, At, FrameTree, Index};
            ///
            /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([4.0, 0.0], [5.0, 1.0]), Aabb::new([4.5, 0.5], [6.0, 2.0])];
            /// let index = Index::<FrameTree>::from_boxes(&boxes)?;
            /// assert_eq!(index.query_count(At([4.75, 0.75])), 2);
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            pub fn query_count<Q: $crate::query::Query<I::Scalar>>(&self, query: Q) -> usize {
                self.view().ids(query).count()
            }

            /// How many nodes and boxes the structure looks at to answer `query`.
            pub fn query_work<Q: $crate::query::Query<I::Scalar>>(&self, query: Q) -> $crate::query::Work {
                self.view().query_work(&query)
            }

            /// Answers many queries at once and writes the answers into `answers`, query by query. Old contents are
            /// dropped.
            ///
            /// As fast as separate queries into one list if they find little, and faster if they find much. With 200,000
            /// boxes and more, and a query for every four of them or more, queries that find something run in Morton
            /// order, so that each finds what it reads in the cache. If they come in random order, grids and quadtrees
            /// are then 1.7 to 3.3 times as fast, and a [`FrameTree`](crate::FrameTree) 1.1 to 1.3 times (300,000 boxes,
            /// AMD EPYC, 2026-11-27).
            ///
            /// Each query has its answers in the order of [`query`](Self::query).
            ///
            /// ```
            /// use quadrille::{Aabb, At, FrameTree, Index};
            ///
            /// use quadrille::Answers;
            ///
            /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([4.0, 0.0], [5.0, 1.0]), Aabb::new([4.5, 0.5], [6.0, 2.0])];
            /// let index = Index::<FrameTree>::from_boxes(&boxes)?;
            /// let mut answers = Answers::new();
            /// index.query_many(&[At([0.5, 0.5]), At([2.0, 2.0]), At([4.2, 0.2])], &mut answers);
            /// let counts: Vec<usize> = answers.iter().map(<[u32]>::len).collect();
            /// assert_eq!(counts, [1, 0, 1]);
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            pub fn query_many<Q: $crate::query::Query<I::Scalar>>(
                &self,
                queries: &[Q],
                answers: &mut $crate::ask::Answers<$Name>,
            ) {
                self.view().many(queries, answers);
            }

            /// Restricts the query to answers that pass a test. The result is a query like any other, but valid
            /// for this set only.
            ///
            /// ```
            /// use quadrille::{Aabb, Near, Space};
            ///
            /// let mut space = Space::<u32>::default();
            /// space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), 7)?;
            /// space.insert(Aabb::new([2.0, 0.0], [3.0, 1.0]), 8)?;
            /// let nearest_even = space.query_first(space.filtered(Near::point([0.0, 0.0]), |(_, thing)| thing % 2 == 0));
            /// assert_eq!(nearest_even.map(|hit| *hit.thing), Some(8));
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            pub fn filtered<'a, Q>(
                &'a self,
                query: Q,
                test: impl Fn($Item) -> bool + Clone,
            ) -> $crate::query::Filtered<Q, impl Fn(u32) -> bool + Clone> {
                self.view().filtered(query, test)
            }

            /// Everything that forms a [pair](Self::pairs) with one box: every box that overlaps it and whose layers
            /// meet its own, but not the box itself. Each comes once, lazily, in the structure's order of answers.
            /// Empty if there is no such box.
            ///
            /// Costs as much as [`Overlaps`](crate::Overlaps). For the neighbors of all boxes use
            /// [`pairs`](Self::pairs): it is a single walk, and far cheaper.
            ///
            /// ```
            /// use quadrille::{Aabb, FrameTree, Index};
            ///
            /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([4.0, 0.0], [5.0, 1.0]), Aabb::new([4.5, 0.5], [6.0, 2.0])];
            /// let index = Index::<FrameTree>::from_boxes(&boxes)?;
            /// assert_eq!(index.neighbors(1).collect::<Vec<_>>(), [2]);
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            #[inline]
            pub fn neighbors<'a>(&'a self, $one: $One) -> impl Iterator<Item = $Item> {
                let $this = self;
                self.view().neighbors($id)
            }
        }

        /// # Queries in order
        ///
        /// Lowest rank first; for equal ranks, lower id first. The order is the same for every structure.
        #[allow(clippy::needless_lifetimes, reason = "payloads come with lifetimes")]
        impl<$($generics)*> $Container {
            /// The first answer: the nearest box, the first one hit. `None` if there is none.
            ///
            /// ```
            /// use quadrille::{Aabb, FrameTree, Index, Near, Sweep};
            ///
            /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([4.0, 0.0], [5.0, 1.0]), Aabb::new([4.5, 0.5], [6.0, 2.0])];
            /// let index = Index::<FrameTree>::from_boxes(&boxes)?;
            /// let nearest = index.query_first(Near::point([2.0, 0.0])).expect("there are boxes");
            /// assert_eq!((nearest.id, nearest.rank.to_f64()), (0, 1.0));
            /// let hit = index.query_first(Sweep::segment([2.0, 0.5], [10.0, 0.5])).expect("it is in the way");
            /// assert_eq!((hit.id, hit.rank.time()), (1, 0.25));
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            #[doc(alias = "nearest")]
            #[doc(alias = "cast")]
            #[doc(alias = "raycast")]
            pub fn query_first<'a, Q: $crate::query::Ranked<I::Scalar>>(
                &'a self,
                query: Q,
            ) -> Option<$crate::query::Hit<Q::Rank, $Name, $Thing>> {
                self.view().first(&query)
            }

            /// Fills `hits` with the first `most` answers, in order, and drops its old contents. Allocates nothing if
            /// `hits` has enough capacity. `usize::MAX` gives all answers, zero gives none.
            ///
            /// ```
            /// use quadrille::structures::Quadtree;
            /// use quadrille::{Aabb, Index, Near};
            ///
            /// let index = Index::<Quadtree>::from_boxes(&[[1.0; 4], [9.0; 4], [3.0; 4]].map(Aabb::from))?;
            /// let mut nearest = Vec::new();
            /// index.query_first_few(Near::point([0.0, 0.0]), 2, &mut nearest);
            /// assert_eq!(nearest.iter().map(|hit| hit.id).collect::<Vec<_>>(), [0, 2]);
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            #[doc(alias = "knn")]
            pub fn query_first_few<Q: $crate::query::Ranked<I::Scalar>>(
                &self,
                query: Q,
                most: usize,
                hits: &mut alloc::vec::Vec<$crate::query::Hit<Q::Rank, $Name>>,
            ) {
                self.view().first_few(&query, most, hits);
            }

            /// The first `most` answers to each of many queries, as [`query_first_few`](Self::query_first_few) gives
            /// them. Old contents of `answers` are dropped.
            ///
            /// The queries run in an order along a curve: what one has read is still in the cache for the next.
            ///
            /// ```
            /// use quadrille::{Aabb, Answers, FrameTree, Index, Near};
            ///
            /// let index = Index::<FrameTree>::from_boxes(&[[1.0; 4], [9.0; 4], [3.0; 4]].map(Aabb::from))?;
            /// let mut nearest = Answers::new();
            /// index.query_first_many(&[[0.0, 0.0], [8.0, 8.0]].map(Near::point), 2, &mut nearest);
            /// let ids: Vec<Vec<u32>> = nearest.iter().map(|hits| hits.iter().map(|hit| hit.id).collect()).collect();
            /// assert_eq!(ids, [[0, 2], [1, 2]]);
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            pub fn query_first_many<Q: $crate::query::Ranked<I::Scalar>>(
                &self,
                queries: &[Q],
                most: usize,
                answers: &mut $crate::ask::Answers<$crate::query::Hit<Q::Rank, $Name>>,
            ) {
                self.view().first_many(queries, most, answers);
            }

            /// All answers in order, lazily: take what you need. Walks outward from where the query starts and looks
            /// at a few times as many boxes as you take. Allocates a buffer. If you know how many answers you need,
            /// [`query_first_few`](Self::query_first_few) is faster. A test that rejects most answers is cheapest as
            /// part of the query: see [`filtered`](Self::filtered).
            ///
            /// ```
            /// use quadrille::{Aabb, FrameTree, Index, Near};
            ///
            /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([4.0, 0.0], [5.0, 1.0]), Aabb::new([4.5, 0.5], [6.0, 2.0])];
            /// let index = Index::<FrameTree>::from_boxes(&boxes)?;
            /// let ids: Vec<u32> = index.query_in_order(Near::point([9.0, 0.0])).map(|hit| hit.id).collect();
            /// assert_eq!(ids, [2, 1, 0]);
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            #[doc(alias = "nearest_neighbor_iter")]
            pub fn query_in_order<'a, Q: $crate::query::Ranked<I::Scalar>>(
                &'a self,
                query: Q,
            ) -> impl core::iter::FusedIterator<Item = $crate::query::Hit<Q::Rank, $Name, $Thing>> {
                self.view().in_order(query)
            }
        }

        /// # Pairs
        ///
        /// Boxes whose layers do not meet never form a pair. Touching counts as overlapping.
        #[allow(clippy::needless_lifetimes, reason = "payloads come with lifetimes")]
        impl<$($generics)*> $Container {
            /// All pairs of overlapping boxes, each once, the lower id first, lazily.
            ///
            /// ```
            /// use quadrille::{Aabb, FrameTree, Index};
            ///
            /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([4.0, 0.0], [5.0, 1.0]), Aabb::new([4.5, 0.5], [6.0, 2.0])];
            /// let index = Index::<FrameTree>::from_boxes(&boxes)?;
            /// assert_eq!(index.pairs().collect::<Vec<_>>(), [(1, 2)]);
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            #[inline]
            pub fn pairs<'a>(&'a self) -> impl Iterator<Item = ($Item, $Item)> {
                self.view().pairs()
            }

            /// Calls `visit` for each pair of overlapping boxes, the lower id first, until it breaks.
            ///
            /// ```
            /// use quadrille::{Aabb, FrameTree, Index};
            ///
            /// use core::ops::ControlFlow;
            ///
            /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([4.0, 0.0], [5.0, 1.0]), Aabb::new([4.5, 0.5], [6.0, 2.0])];
            /// let index = Index::<FrameTree>::from_boxes(&boxes)?;
            /// let mut pairs = Vec::new();
            /// let _ = index.pairs_visit(|a, b| {
            ///     pairs.push((a, b));
            ///     ControlFlow::<()>::Continue(())
            /// });
            /// assert_eq!(pairs, [(1, 2)]);
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            #[inline]
            pub fn pairs_visit<'a, B>(
                &'a self,
                visit: impl FnMut($Item, $Item) -> core::ops::ControlFlow<B>,
            ) -> core::ops::ControlFlow<B> {
                self.view().pairs_visit($crate::structure::Part::WHOLE, visit)
            }

            /// Calls `visit` for each pair in one part of [`pairs`](Self::pairs), until it breaks. All parts, one after
            /// another, give all pairs in the same order. Use this with your own threads; with the `rayon` feature
            /// there is `par_pairs`.
            #[inline]
            pub fn pairs_part_visit<'a, B>(
                &'a self,
                part: $crate::structure::Part,
                visit: impl FnMut($Item, $Item) -> core::ops::ControlFlow<B>,
            ) -> core::ops::ControlFlow<B> {
                self.view().pairs_visit(part, visit)
            }

            /// How many pairs of boxes overlap.
            ///
            /// ```
            /// use quadrille::{Aabb, FrameTree, Index};
            ///
            /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([4.0, 0.0], [5.0, 1.0]), Aabb::new([4.5, 0.5], [6.0, 2.0])];
            /// let index = Index::<FrameTree>::from_boxes(&boxes)?;
            /// assert_eq!(index.pairs_count(), 1);
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            #[must_use]
            pub fn pairs_count(&self) -> usize {
                self.view().id_pairs($crate::structure::Part::WHOLE).count()
            }

            /// All pairs of a box here and an overlapping box in `other`, each once, lazily. This set's agreement
            /// decides which layers meet.
            ///
            /// Two [`FrameTree`](crate::FrameTree)s are searched together, in the order of their packs, whichever is
            /// the smaller, unless boxes here are few and far apart. With any other structure, and then, `other` gets one
            /// query for each box here, in the order of ids here: call it on the smaller set.
            ///
            /// ```
            /// use quadrille::{Aabb, FrameTree, Index};
            ///
            /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([4.0, 0.0], [5.0, 1.0]), Aabb::new([4.5, 0.5], [6.0, 2.0])];
            /// let index = Index::<FrameTree>::from_boxes(&boxes)?;
            /// let bullets = Index::<FrameTree>::from_boxes(&[Aabb::from_point([0.5, 0.5]), Aabb::from_point([9.0, 9.0])])?;
            /// assert_eq!(index.pairs_with(&bullets).collect::<Vec<_>>(), [(0, 0)]);
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            pub fn pairs_with<'a, $($other)*>(
                &'a self,
                other: &'a $Other,
            ) -> impl Iterator<Item = ($Item, $OtherItem)> {
                self.view().pairs_with(other.view())
            }

            /// Calls `visit` for each overlapping pair between two sets, until it breaks: see
            /// [`pairs_with`](Self::pairs_with).
            pub fn pairs_with_visit<'a, $($other)*, B>(
                &'a self,
                other: &'a $Other,
                visit: impl FnMut($Item, $OtherItem) -> core::ops::ControlFlow<B>,
            ) -> core::ops::ControlFlow<B> {
                self.view().pairs_with_visit(other.view(), $crate::structure::Part::WHOLE, visit)
            }

            /// Calls `visit` for each pair in one part of [`pairs_with`](Self::pairs_with), until it breaks. All parts,
            /// one after another, give all pairs in the same order: for your own threads.
            pub fn pairs_with_part_visit<'a, $($other)*, B>(
                &'a self,
                other: &'a $Other,
                part: $crate::structure::Part,
                visit: impl FnMut($Item, $OtherItem) -> core::ops::ControlFlow<B>,
            ) -> core::ops::ControlFlow<B> {
                self.view().pairs_with_visit(other.view(), part, visit)
            }

            /// All pairs of boxes no farther apart than `distance`, each once, the lower id first. Distances are
            /// compared as in [`Near`](crate::Near), so these are the pairs that a query around each box finds. For a
            /// negative distance or NaN, there are none.
            ///
            /// A [`FrameTree`](crate::FrameTree) gives the pairs in its own order, as it does those that overlap. For
            /// any other structure, each call makes a `FrameTree` of all boxes. In a [world that
            /// wraps](crate::structures::Periodic), pairs within the world come before those across seams, for some thousand
            /// boxes at a time; and if the distance is so large that most boxes are near a seam, each box gets a query, in
            /// the order of ids.
            ///
            /// ```
            /// use quadrille::{Aabb, FrameTree, Index};
            ///
            /// let index = Index::<FrameTree>::from_boxes(&[[0.0; 4], [3.0, 4.0, 5.0, 5.0], [9.0; 4]].map(Aabb::from))?;
            /// assert_eq!(index.pairs_within(5.0).collect::<Vec<_>>(), [(0, 1)]);
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            pub fn pairs_within<'a>(&'a self, distance: impl Into<f64>) -> impl Iterator<Item = ($Item, $Item)> {
                self.view().pairs_within(distance.into())
            }

            /// Lists of neighbors: for each id, all boxes that form a pair with it in
            /// [`pairs_within`](Self::pairs_within), in ascending order; none for an id that is not in use. Old
            /// contents of `neighbors` are dropped.
            ///
            /// ```
            /// use quadrille::{Aabb, Answers, FrameTree, Index};
            ///
            /// let index = Index::<FrameTree>::from_boxes(&[[0.0; 4], [3.0, 4.0, 5.0, 5.0], [9.0; 4]].map(Aabb::from))?;
            /// let mut neighbors = Answers::new();
            /// index.neighbors_within(6.0, &mut neighbors);
            /// assert_eq!(neighbors.iter().collect::<Vec<_>>(), [&[1][..], &[0, 2], &[1]]);
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            pub fn neighbors_within(&self, distance: impl Into<f64>, neighbors: &mut $crate::ask::Answers<$Name>) {
                self.view().neighbors_within(distance.into(), neighbors);
            }

            /// All pairs of a box here and one in `other` that are no farther apart than `distance`, each once, lazily.
            /// This set's agreement decides which layers meet.
            ///
            /// If `other` is a [`FrameTree`](crate::FrameTree), it is searched together with a `FrameTree` of the boxes
            /// here, which the call makes unless they are in one already; pairs are in the order of these two.
            /// With any other structure, `other` gets one query for each box here, in the order of ids here: call it
            /// on the smaller set.
            pub fn pairs_with_within<'a, $($other)*>(
                &'a self,
                other: &'a $Other,
                distance: impl Into<f64>,
            ) -> impl Iterator<Item = ($Item, $OtherItem)> {
                self.view().pairs_with_within(other.view(), distance.into())
            }

            /// Finds all pairs of boxes that touch during a step in which each box moves along its `motion`; one that
            /// does not move has the motion zero. Writes them to `impacts`, ordered by first touch, then by ids.
            /// No speed is too high: the whole path of both boxes is compared. Boxes that touch at the start meet at time
            /// 0, with the [normal](crate::Contact::normal) `[0, 0]` unless they move into each other.
            ///
            /// The cost is that of building an index of the paths.
            ///
            /// ```
            /// use quadrille::structures::Quadtree;
            /// use quadrille::{Aabb, Index};
            ///
            /// let index = Index::<Quadtree>::from_boxes(&[[0.0, 0.0, 1.0, 1.0], [5.0, 0.0, 6.0, 1.0]].map(Aabb::from))?;
            /// let (speeds, mut impacts) = ([[8.0, 0.0], [0.0, 0.0]], Vec::new());
            /// index.impacts(|id| speeds[id as usize], &mut impacts)?;
            /// assert_eq!((impacts[0].a, impacts[0].b), (0, 1));
            /// assert_eq!((impacts[0].contact.time(), impacts[0].contact.normal()), (0.5, [-1, 0]));
            /// # Ok::<(), quadrille::Error>(())
            /// ```
            ///
            /// # Errors
            /// Returns an error if a motion is NaN or leads beyond the range of numbers; in a [world that
            /// wraps](crate::structures::Periodic), also if a path is longer than the world. The position in the message is
            /// the id of the box.
            pub fn impacts(
                &self,
                motion: impl Fn($Name) -> [I::Scalar; 2],
                impacts: &mut alloc::vec::Vec<$crate::ask::Impact<I::Scalar, $Name>>,
            ) -> Result<(), $crate::error::Error> {
                self.view().impacts(motion, impacts)
            }
        }

        /// # On all cores
        ///
        /// Needs the `rayon` feature.
        #[cfg(feature = "rayon")]
        impl<$($generics)*> $Container
        where
            $($par)*
        {
            /// Answers many queries at once and writes the answers into `answers`, query by query: the same answers in
            /// the same order as [`query`](Self::query) gives one by one. Old contents are dropped.
            pub fn par_query<Q: $crate::query::Query<I::Scalar> + Sync>(
                &self,
                queries: &[Q],
                answers: &mut $crate::ask::Answers<$Name>,
            ) {
                self.view().par_query(queries, answers);
            }

            /// The pairs of [`pairs`](Self::pairs), in the same order.
            #[must_use]
            pub fn par_pairs(&self) -> alloc::vec::Vec<($Name, $Name)> {
                self.view().par_pairs()
            }
        }
    };
}

pub(crate) use faces;
