//! A structure chosen by name at run time.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::{
    BruteForce, EnclosingQuadtree, FrameTree, Grid, GridOptions, LooseGrid, LooseGridOptions, LooseQuadtree, Node,
    Part, Quadtree, QuadtreeOptions, Stats, Structure, TreeOptions,
};
use crate::error::{Corruption, Error};
use crate::executor::Executor;
use crate::geometry::{Aabb, Scalar};
use crate::query::{Narrowing, Query};
use crate::storage::Boxes;

/// The structures, once: module and type of each, its options unless it has none, and what it is in a few words.
/// `structures!(then! arguments)` calls `then! { arguments; the list }`; the suite and the fuzzers read it so too.
#[doc(hidden)]
#[macro_export]
macro_rules! structures {
    ($then:ident! $($arguments:tt)*) => {
        $then! {
            $($arguments)*;
            brute_force BruteForce, "the oracle";
            quadtree Quadtree(options: QuadtreeOptions), "boxes in every leaf they touch";
            enclosing_quadtree EnclosingQuadtree(options: TreeOptions),
                "boxes in the smallest node that encloses them";
            loose_quadtree LooseQuadtree(options: TreeOptions), "boxes in the leaf of their center";
            grid Grid(options: GridOptions), "boxes in the cell of their lower corner";
            loose_grid LooseGrid(options: LooseGridOptions),
                "boxes in the cell of their center, cells found through a second grid";
            frame_tree FrameTree, "boxes in last frame's order, sixteen to a pack";
        }
    };
}

/// The types that have a variant for each structure.
macro_rules! enums {
    (; $($module:ident $name:ident $(($options:ident: $type:ident))?, $what:literal;)*) => {
        /// The structures by name.
        ///
        /// In the manual: `docs/choosing.md`.
        ///
        /// ```
        /// use quadrille::structures::{AnyStructure, StructureKind};
        /// use quadrille::Index;
        ///
        /// let kind: StructureKind = "quadtree".parse()?;
        /// let index = Index::<AnyStructure>::new(kind.into()).expect("default options are valid");
        /// assert_eq!(index.options().kind(), kind);
        /// # Ok::<(), quadrille::structures::UnknownStructure>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum StructureKind {
            $(#[doc = concat!("[`", stringify!($name), "`], ", $what, ".")] $name,)*
        }

        crate::names!(StructureKind, UnknownStructure, "structure": $($name <$name as Structure>::NAME),*);

        /// Options of one of the structures. They determine which one an [`AnyStructure`] is.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        #[expect(missing_docs, reason = "each variant is the structure of that name")]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum AnyOptions<S = f32> {
            $($name $(($type<S>))?,)*
        }

        impl<S> AnyOptions<S> {
            /// The structure that these options are for.
            #[must_use]
            pub const fn kind(&self) -> StructureKind {
                match self {
                    $(Self::$name { .. } => StructureKind::$name,)*
                }
            }
        }

        impl<S> From<StructureKind> for AnyOptions<S> {
            /// The default options of that structure.
            fn from(kind: StructureKind) -> Self {
                match kind {
                    $(StructureKind::$name => Self::$name $(($type::default()))?,)*
                }
            }
        }

        /// One of the structures, chosen at run time: `Index<AnyStructure>`. Gives exactly the answers of the structure
        /// inside.
        ///
        /// In the manual: `docs/cookbook/data.md#choose-the-structure-at-run-time`.
        ///
        /// A closed enum costs one branch per call. A trait object would have to box an iterator for every query.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        #[expect(missing_docs, reason = "each variant is the structure of that name")]
        #[allow(
            clippy::large_enum_variant,
            reason = "there is one for each index, beside megabytes of boxes; sizes vary with features"
        )]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
        pub enum AnyStructure<S = f32> {
            $($name($name<S>),)*
        }

        impl<S: Scalar> AnyStructure<S> {
            fn with_options(options: AnyOptions<S>) -> Result<Self, Error> {
                Ok(match options {
                    // Without options: `()`.
                    $(AnyOptions::$name $(($options))? => Self::$name(Structure::new(($($options)?))?),)*
                })
            }

            #[allow(clippy::redundant_pattern, reason = "only some structures have options")]
            fn any_options(&self) -> AnyOptions<S> {
                match self {
                    $(Self::$name($($options @)? _) => AnyOptions::$name $(($options.options()))?,)*
                }
            }
        }

        /// The iterator of one of the structures, whose types have their names.
        enum AnyIter<$($name),*> {
            $($name($name),)*
        }

        impl<T, $($name: Iterator<Item = T>),*> Iterator for AnyIter<$($name),*> {
            type Item = T;

            #[inline]
            fn next(&mut self) -> Option<T> {
                match self {
                    $(Self::$name(iter) => iter.next(),)*
                }
            }

            #[inline]
            fn fold<R, H: FnMut(R, T) -> R>(self, start: R, fold: H) -> R {
                match self {
                    $(Self::$name(iter) => iter.fold(start, fold),)*
                }
            }
        }
    };
}

structures!(enums!);

impl<S> Default for AnyOptions<S> {
    fn default() -> Self {
        StructureKind::FrameTree.into()
    }
}

/// `each!(any, one => expression)`: the expression with `one` as the structure inside.
macro_rules! each {
    ($any:expr, $one:ident => $result:expr) => {
        structures!(each! $any, $one => $result)
    };
    ($any:expr, $one:ident => $result:expr; $($module:ident $name:ident $(($options:ident: $type:ident))?, $what:literal;)*) => {
        match $any {
            $(AnyStructure::$name($one) => $result,)*
        }
    };
}

/// `each!` for an expression that is an iterator, of another type in each structure.
macro_rules! each_iter {
    ($any:expr, $one:ident => $result:expr) => {
        structures!(each_iter! $any, $one => $result)
    };
    ($any:expr, $one:ident => $result:expr; $($module:ident $name:ident $(($options:ident: $type:ident))?, $what:literal;)*) => {
        match $any {
            $(AnyStructure::$name($one) => AnyIter::$name($result),)*
        }
    };
}

/// Methods with these signatures that do what the structure inside does: `inside!(self, one => expression)` is the
/// expression with `one` as that structure.
macro_rules! pass_on {
    ($inside:ident!) => {};
    ($inside:ident! fn $name:ident $(<$($generic:ident $(: $bound:path)?),*>)? (
        &mut $this:ident $(, $argument:ident: $type:ty)*
    ) $(-> $result:ty)?; $($rest:tt)*) => {
        fn $name $(<$($generic $(: $bound)?),*>)? (&mut $this $(, $argument: $type)*) $(-> $result)? {
            $inside!($this, one => one.$name($($argument),*))
        }
        pass_on! { $inside! $($rest)* }
    };
    ($inside:ident! fn $name:ident $(<$($generic:ident $(: $bound:path)?),*>)? (
        &$this:ident $(, $argument:ident: $type:ty)*
    ) $(-> $result:ty)?; $($rest:tt)*) => {
        fn $name $(<$($generic $(: $bound)?),*>)? (&$this $(, $argument: $type)*) $(-> $result)? {
            $inside!($this, one => one.$name($($argument),*))
        }
        pass_on! { $inside! $($rest)* }
    };
}
pub(super) use pass_on;

impl<S: Scalar> Structure for AnyStructure<S> {
    const NAME: &'static str = "any";
    type Scalar = S;
    type Options = AnyOptions<S>;
    type Askers = super::FrameTree<S>;
    type Compiler = crate::compiled::Caller;

    fn new(options: Self::Options) -> Result<Self, Error> {
        Self::with_options(options)
    }

    fn options(&self) -> Self::Options {
        self.any_options()
    }

    pass_on! { each!
        fn build_with(&mut self, boxes: &Boxes<S>, executor: &impl Executor);
        fn fits(&self, boxes: &Boxes<S>) -> bool;
        fn insert(&mut self, boxes: &Boxes<S>, id: u32);
        fn remove(&mut self, boxes: &Boxes<S>, id: u32);
        fn update(&mut self, boxes: &Boxes<S>, id: u32, old: Aabb<S>);
        fn update_all(&mut self, boxes: &mut Boxes<S>, now: &[Aabb<S>], executor: &impl Executor);
        fn set_layers(&mut self, boxes: &Boxes<S>, id: u32);
        fn set_fixed(&mut self, boxes: &Boxes<S>, id: u32, is_fixed: bool);
        fn clear(&mut self);
        fn reserve(&mut self, additional: usize);
        fn maintain_with(&mut self, boxes: &Boxes<S>, executor: &impl Executor);
        fn restore(&mut self, boxes: &Boxes<S>);
        fn hull(&self) -> Option<&Aabb<S>>;
        fn narrow<Q: Narrowing<S>>(&self, boxes: &Boxes<S>, query: &Q) -> bool;
        fn visit<Q: Query<S>, B>(
            &self, boxes: &Boxes<S>, query: Q, visit: impl FnMut(u32) -> ControlFlow<B>
        ) -> ControlFlow<B>;
        fn collect<Q: Query<S>, N>(&self, boxes: &Boxes<S>, query: Q, name: impl Fn(u32) -> N, names: &mut Vec<N>);
        fn visit_pairs<B>(
            &self, boxes: &Boxes<S>, part: Part, visit: impl FnMut(u32, u32) -> ControlFlow<B>
        ) -> ControlFlow<B>;
        fn as_frame_tree(&self) -> Option<&FrameTree<S>>;
        fn visit_lists<B>(
            &self, boxes: &Boxes<S>, visit: impl FnMut(Node<S>, &mut dyn Iterator<Item = u32>) -> ControlFlow<B>
        ) -> ControlFlow<B>;
        fn visit_pyramid<B>(&self, visit: impl FnMut(u32, Aabb<S>) -> ControlFlow<B>) -> ControlFlow<B>;
        fn stats(&self, boxes: &Boxes<S>) -> Stats;
        fn validate(&self, boxes: &Boxes<S>) -> Result<(), Corruption>;
    }

    fn search<Q: Query<S>>(&self, boxes: &Boxes<S>, query: Q) -> impl Iterator<Item = u32> {
        each_iter!(self, one => one.search(boxes, query))
    }

    fn search_pairs(&self, boxes: &Boxes<S>, part: Part) -> impl Iterator<Item = (u32, u32)> {
        each_iter!(self, one => one.search_pairs(boxes, part))
    }
}
