//! The public methods that ask, the same for an index, a space and a set of keys.

/// `faces! { impl [generics] Container; … }`: the methods of a container that has a `view`. `item` is what an answer
/// is, `name` what it is called where it is kept, `thing` what comes with a name, `one` how one box is named and its id
/// found, `other` another set of the same kind, `par` what parallel questions demand of both.
macro_rules! faces {
    (
        impl [$($generics:tt)*] $Container:ty;
        item $Item:ty; name $Name:ty; thing $Thing:ty;
        one $one:ident: $One:ty => |$this:ident| $id:expr;
        other [$($other:tt)*] $Other:ty; item $OtherItem:ty; name $OtherName:ty;
        par [$($par:tt)*] [$($other_par:tt)*];
    ) => {
        /// # Questions
        #[allow(
            clippy::needless_lifetimes,
            clippy::elidable_lifetime_names,
            clippy::multiple_bound_locations,
            reason = "payloads come with lifetimes; parallel forms need more bounds"
        )]
        impl<$($generics)*> $Container {
            /// What `question` accepts, each once, lazily.
            #[inline]
            pub fn query<'a, Q: $crate::question::Question<I::Scalar>>(
                &'a self,
                question: Q,
            ) -> impl Iterator<Item = $Item> {
                self.view().query(question)
            }

            /// Calls `visit` for what `question` accepts, until it breaks.
            #[inline]
            pub fn query_visit<'a, Q: $crate::question::Question<I::Scalar>, B>(
                &'a self,
                question: Q,
                visit: impl FnMut($Item) -> core::ops::ControlFlow<B>,
            ) -> core::ops::ControlFlow<B> {
                self.view().query_visit(question, visit)
            }

            /// How many boxes `question` accepts.
            pub fn query_count<Q: $crate::question::Question<I::Scalar>>(&self, question: Q) -> usize {
                self.view().ids(question).count()
            }

            /// How many nodes and boxes must be looked at to answer `question`.
            pub fn query_work<Q: $crate::question::Question<I::Scalar>>(&self, question: Q) -> $crate::question::Work {
                self.view().query_work(question)
            }

            /// Asks many questions at once and puts the answers into `answers`, question by question; what was there
            /// before is dropped.
            ///
            /// The questions are asked in the order of a Morton curve, so that each finds the memory that it needs
            /// already at hand, and neighbours with few answers share a descent. What is near each of 100,000 boxes in
            /// random order takes a third of the time of asking one by one in a [`Quadtree`](crate::Quadtree) or a
            /// [`LooseGrid`](crate::LooseGrid), half in a [`Grid`](crate::Grid), and as long in a
            /// [`FrameTree`](crate::FrameTree). A few questions strewn over many boxes gain nothing.
            ///
            /// The order of the answers to one question is the same for the same questions, but need not be that of
            /// [`query`](Self::query), as questions that share a descent share its order.
            pub fn query_many<Q: $crate::question::Question<I::Scalar>>(
                &self,
                questions: &[Q],
                answers: &mut $crate::ask::Answers<$Name>,
            ) {
                self.view().many(questions, answers);
            }

            /// The question, about those answers only that pass a test: a question like any other, to be asked of this
            /// very set.
            pub fn filtered<'a, Q>(
                &'a self,
                question: Q,
                test: impl Fn($Item) -> bool + Clone,
            ) -> $crate::question::Filtered<Q, impl Fn(u32) -> bool + Clone> {
                self.view().filtered(question, test)
            }

            /// What is a [pair](Self::pairs) with one: all that overlaps it and whose layers meet its own, but not
            /// itself, each once, lazily, in the order in which the structure answers questions. Nothing if there is no
            /// such one.
            ///
            /// Costs what [`Overlaps`](crate::Overlaps) costs. For the neighbours of all boxes ask for
            /// [`pairs`](Self::pairs): that is one walk, and cheaper by far.
            #[inline]
            pub fn neighbours<'a>(&'a self, $one: $One) -> impl Iterator<Item = $Item> {
                let $this = self;
                self.view().neighbours($id)
            }
        }

        /// # Questions in order
        ///
        /// Least rank first, and lower id first where ranks are equal; the same for every structure.
        #[allow(
            clippy::needless_lifetimes,
            clippy::elidable_lifetime_names,
            clippy::multiple_bound_locations,
            reason = "payloads come with lifetimes; parallel forms need more bounds"
        )]
        impl<$($generics)*> $Container {
            /// The first answer: the nearest box, the first one hit. `None` if there is none.
            #[doc(alias = "nearest")]
            #[doc(alias = "cast")]
            #[doc(alias = "raycast")]
            pub fn query_first<'a, Q: $crate::question::Ranked<I::Scalar>>(
                &'a self,
                question: Q,
            ) -> Option<$crate::question::Hit<Q::Rank, $Name, $Thing>> {
                self.view().first(&question)
            }

            /// All answers in order, lazily: take what you need. Walks outward from where the question starts, and
            /// looks at a few times as many boxes as are taken. Allocates a buffer. If you know how many you need,
            /// [`query_first_into`](Self::query_first_into) is faster; a test that refuses most answers costs least as
            /// part of the question: see [`filtered`](Self::filtered).
            #[doc(alias = "nearest_neighbor_iter")]
            pub fn query_in_order<'a, Q: $crate::question::Ranked<I::Scalar>>(
                &'a self,
                question: Q,
            ) -> impl core::iter::FusedIterator<Item = $crate::question::Hit<Q::Rank, $Name, $Thing>> {
                self.view().in_order(question)
            }
        }

        /// # Pairs
        ///
        /// Boxes whose layers do not meet are no pair. Touching counts.
        #[allow(
            clippy::needless_lifetimes,
            clippy::elidable_lifetime_names,
            clippy::multiple_bound_locations,
            reason = "payloads come with lifetimes; parallel forms need more bounds"
        )]
        impl<$($generics)*> $Container {
            /// All pairs of overlapping boxes, each once, the lower id first, lazily.
            #[inline]
            pub fn pairs<'a>(&'a self) -> impl Iterator<Item = ($Item, $Item)> {
                self.view().pairs()
            }

            /// Calls `visit` for each pair of overlapping boxes, the lower id first, until it breaks.
            #[inline]
            pub fn pairs_visit<'a, B>(
                &'a self,
                visit: impl FnMut($Item, $Item) -> core::ops::ControlFlow<B>,
            ) -> core::ops::ControlFlow<B> {
                self.view().pairs_visit($crate::structure::Part::WHOLE, visit)
            }

            /// Calls `visit` for each pair in one part of [`pairs`](Self::pairs), until it breaks. The parts one after
            /// the other are the whole, in the same order: for threads of your own. With the feature `rayon` there is
            /// `par_pairs`.
            #[inline]
            pub fn pairs_part_visit<'a, B>(
                &'a self,
                part: $crate::structure::Part,
                visit: impl FnMut($Item, $Item) -> core::ops::ControlFlow<B>,
            ) -> core::ops::ControlFlow<B> {
                self.view().pairs_visit(part, visit)
            }

            /// How many pairs of boxes overlap.
            #[must_use]
            pub fn pairs_count(&self) -> usize {
                self.view().id_pairs($crate::structure::Part::WHOLE).count()
            }

            /// All pairs of a box here and an overlapping box in `other`, each once, in the order of ids here, lazily.
            /// Layers decide by the agreement of this set. Costs one question to `other` a box: ask the smaller set
            /// about the larger one.
            pub fn pairs_with<'a, $($other)*>(
                &'a self,
                other: &'a $Other,
            ) -> impl Iterator<Item = ($Item, $OtherItem)> {
                self.view().pairs_with(other.view())
            }

            /// Calls `visit` for each pair of overlapping boxes of two sets, until it breaks: see
            /// [`pairs_with`](Self::pairs_with).
            pub fn pairs_with_visit<'a, $($other)*, B>(
                &'a self,
                other: &'a $Other,
                mut visit: impl FnMut($Item, $OtherItem) -> core::ops::ControlFlow<B>,
            ) -> core::ops::ControlFlow<B> {
                self.view().pairs_with(other.view()).try_for_each(|(a, b)| visit(a, b))
            }

            /// How many pairs of a box here and a box in `other` overlap.
            #[must_use]
            pub fn pairs_with_count<$($other)*>(&self, other: &$Other) -> usize {
                self.view().pairs_with(other.view()).count()
            }

            /// The two boxes that are nearest to each other; of several such pairs the one with the lowest ids. `None`
            /// if there are fewer than two boxes. Costs one nearest question a box, within the least distance so far.
            #[must_use]
            pub fn nearest_pair(&self) -> Option<$crate::ask::NearestPair<I::Scalar, $Name>> {
                self.view().nearest_pair()
            }

            /// The box here and the box in `other` that are nearest to each other; of several such pairs the one with
            /// the lowest ids, `a` before `b`. `None` if one of the sets is empty. Layers decide by the agreement of
            /// this set. Ask the smaller set about the larger one.
            #[must_use]
            pub fn nearest_pair_with<$($other)*>(
                &self,
                other: &$Other,
            ) -> Option<$crate::ask::NearestPair<I::Scalar, $Name, $OtherName>> {
                self.view().nearest_pair_with(other.view())
            }
        }

        /// # On all cores
        ///
        /// With the feature `rayon`.
        #[cfg(feature = "rayon")]
        #[allow(
            clippy::needless_lifetimes,
            clippy::elidable_lifetime_names,
            clippy::multiple_bound_locations,
            reason = "payloads come with lifetimes; parallel forms need more bounds"
        )]
        impl<$($generics)*> $Container
        where
            $($par)*
        {
            /// What [`query`](Self::query) finds, for each of many questions: the same answers in the same order as one
            /// by one.
            #[must_use]
            pub fn par_query<Q: $crate::question::Question<I::Scalar> + Sync>(
                &self,
                questions: &[Q],
            ) -> alloc::vec::Vec<alloc::vec::Vec<$Name>> {
                self.view().par_query(questions)
            }

            /// What [`pairs`](Self::pairs) finds, in the same order.
            #[must_use]
            pub fn par_pairs(&self) -> alloc::vec::Vec<($Name, $Name)> {
                self.view().par_pairs()
            }

            /// What [`pairs_with`](Self::pairs_with) finds, in the same order.
            #[must_use]
            pub fn par_pairs_with<$($other)*>(
                &self,
                other: &$Other,
            ) -> alloc::vec::Vec<($Name, $OtherName)>
            where
                $($other_par)*
            {
                self.view().par_pairs_with(other.view())
            }
        }
    };
}

pub(crate) use faces;
