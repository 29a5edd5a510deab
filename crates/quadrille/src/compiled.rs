//! What is heavy and generic over numbers alone is compiled with this library, and not in every crate that uses it.
//!
//! Rust compiles a generic function in each crate that calls it. So a game of seventy lines compiled all of a frame tree
//! again after each changed line. But a function of a trait that is implemented for one type is compiled where it is defined:
//! a [`Scalar`](crate::Scalar) is sealed with such functions, and containers call a frame tree through them. Those of
//! `f32`, which most programs use, are compiled here; those of others where they are called, lest a program that uses one
//! scalar waits for three. Nor should a game wait for what few call: what checks a snapshot or
//! clones is `#[inline]`, which leaves it to the crate that calls it.

use core::ops::ControlFlow;

use crate::arranged::Arranged;
use crate::error::Error;
use crate::events::{Contacts, Motion, Scene};
use crate::geometry::{Aabb, Scalar};
use crate::kernel;
use crate::query::DynQuery;
use crate::storage::{Boxes, Layers};
use crate::structure::{Advance, Casting, Descent, Exactly, FrameTree, InReach, Roughly, Structure};

/// What seals a scalar: the calls of a frame tree over it, and its walks.
pub trait Compiled<S: Scalar>:
    Compiler<FrameTree<S>>
    + for<'c, 'a, 't> Walks<&'c mut Advance<'a, 't, S>, bool>
    + for<'a, 't> Walks<Casting<'a, 't, S>, ()>
    + for<'a> Walks<InReach<'a, S>, u32>
    + for<'a, 't> Walks<Descent<'a, 't, S, Roughly>, ControlFlow<()>>
    + for<'a, 't> Walks<Descent<'a, 't, S, Exactly>, ControlFlow<()>>
{
}

/// Runs a walk of a frame tree, and decides where that is compiled. Walks see queries through pointers.
pub trait Walks<Walk, Output> {
    fn walk(walk: Walk) -> Output;
}

/// Calls what is heavy in a structure, and decides where that is compiled.
pub trait Compiler<I: Structure> {
    /// [`Structure::new`].
    fn empty(options: I::Options) -> Result<I, Error>;
    /// [`Structure::build`].
    fn build(structure: &mut I, boxes: &Boxes<I::Scalar>);
    /// All that [`Structure::search`] finds, in its order.
    fn visit(structure: &I, boxes: &Boxes<I::Scalar>, query: &dyn DynQuery<I::Scalar>, visit: &mut dyn FnMut(u32));
    /// [`Arranged::insert`].
    fn insert(all: &mut Arranged<I>, bounds: Aabb<I::Scalar>, layers: Layers) -> Result<u32, Error>;
    /// [`Arranged::remove`].
    fn remove(all: &mut Arranged<I>, id: u32) -> Option<Aabb<I::Scalar>>;
    /// [`Motion::take_frame`].
    fn take_frame(motion: &mut Motion<I>, all: &mut Arranged<I>, frame: &mut [Aabb<I::Scalar>]) -> Result<(), Error>;
    /// [`Structure::set_fixed`].
    fn set_fixed(structure: &mut I, boxes: &Boxes<I::Scalar>, id: u32, is_fixed: bool);
    /// [`Structure::maintain`].
    fn maintain(structure: &mut I, boxes: &Boxes<I::Scalar>);
    /// [`Contacts::step`], which may be the first.
    fn step(contacts: &mut Option<Contacts<I>>, scene: Scene<'_, I>);
}

/// Where it is called.
#[derive(Debug)]
pub struct Caller;

macro_rules! compiler {
    ($how:meta, [$($generics:tt)*] $by:ty => $I:ty, $S:ty) => {
        impl<$($generics)*> Compiler<$I> for $by {
            #[$how]
            fn empty(options: <$I as Structure>::Options) -> Result<$I, Error> {
                <$I>::new(options)
            }

            #[$how]
            fn build(structure: &mut $I, boxes: &Boxes<$S>) {
                structure.build(boxes);
            }

            #[$how]
            fn visit(structure: &$I, boxes: &Boxes<$S>, query: &dyn DynQuery<$S>, visit: &mut dyn FnMut(u32)) {
                structure.search(boxes, query).for_each(visit);
            }

            #[$how]
            fn insert(all: &mut Arranged<$I>, bounds: Aabb<$S>, layers: Layers) -> Result<u32, Error> {
                all.insert_here(bounds, layers)
            }

            #[$how]
            fn remove(all: &mut Arranged<$I>, id: u32) -> Option<Aabb<$S>> {
                all.remove_here(id)
            }

            #[$how]
            fn take_frame(motion: &mut Motion<$I>, all: &mut Arranged<$I>, frame: &mut [Aabb<$S>]) -> Result<(), Error> {
                motion.take_frame(all, frame)
            }

            #[$how]
            fn set_fixed(structure: &mut $I, boxes: &Boxes<$S>, id: u32, is_fixed: bool) {
                structure.set_fixed(boxes, id, is_fixed);
            }

            #[$how]
            fn maintain(structure: &mut $I, boxes: &Boxes<$S>) {
                structure.maintain(boxes);
            }

            #[$how]
            fn step(contacts: &mut Option<Contacts<$I>>, scene: Scene<'_, $I>) {
                contacts.get_or_insert_with(Contacts::before_the_first_step).step(scene);
            }
        }
    };
}

// A module for the web is linked as one, and smaller without.
compiler!(cfg_attr(not(target_family = "wasm"), inline(never)), [] f32 => FrameTree<f32>, f32);
compiler!(inline, [] f64 => FrameTree<f64>, f64);
compiler!(inline, [] i32 => FrameTree<i32>, i32);
compiler!(inline, [I: Structure] Caller => I, I::Scalar);

macro_rules! walks {
    ($how:meta, $S:ty) => {
        walks!($how, $S, &'c mut Advance<'a, 't, $S> => bool, Casting<'a, 't, $S> => (), InReach<'a, $S> => u32);
        walks!($how, $S, Descent<'a, 't, $S, Roughly> => ControlFlow<()>, Descent<'a, 't, $S, Exactly> => ControlFlow<()>);
    };
    ($how:meta, $S:ty, $($Walk:ty => $Output:ty),*) => {$(
        impl<'c, 'a, 't> Walks<$Walk, $Output> for $S {
            #[$how]
            fn walk(walk: $Walk) -> $Output {
                kernel::dispatch(walk)
            }
        }
    )*};
}

walks!(cfg_attr(not(target_family = "wasm"), inline(never)), f32);
walks!(inline, f64);
walks!(inline, i32);

impl Compiled<f32> for f32 {}
impl Compiled<f64> for f64 {}
impl Compiled<i32> for i32 {}
