//! All that the library promises, in one binary: what several of these tests instantiate is compiled once.

#![cfg_attr(
    any(quadrille_every_container, quadrille_every_structure, quadrille_other_scalar),
    allow(dead_code, unused_imports, unused_macros, reason = "a sweep has a part of the tests, over other types")
)]
#![cfg_attr(
    not(quadrille_every_structure),
    allow(clippy::unit_arg, clippy::semicolon_if_nothing_returned, reason = "the options of a frame tree are a unit")
)]

mod any_index;
mod erased;
#[cfg(feature = "snapshot")]
mod forge;
#[cfg(feature = "snapshot")]
mod forgeries;
mod landscape;
mod oracle;
mod program;
#[cfg(feature = "snapshot")]
mod sound;
mod subjects;
mod tested;
mod twins;

/// Compiled for one scalar: `f32`, or the one that a sweep names. To compile every structure for one more takes minutes.
macro_rules! for_one_scalar {
    ($($item:item)*) => {
        #[cfg(any(not(any(quadrille_every_container, quadrille_other_scalar)), quadrille_every_container = "f32"))]
        mod f32 { type S = f32; $($item)* }
        #[cfg(any(quadrille_every_container = "f64", quadrille_other_scalar = "f64"))]
        mod f64 { type S = f64; $($item)* }
        #[cfg(any(quadrille_every_container = "i32", quadrille_other_scalar = "i32"))]
        mod i32 { type S = i32; $($item)* }
    };
}

/// One test for each generic sentence, over one scalar.
macro_rules! for_a_scalar {
    ($($sentence:ident),* $(,)?) => {
        for_one_scalar! { $(#[test] fn $sentence() { super::$sentence::<S>(); })* }
    };
}

/// Not in a sweep over other scalars or containers, which has a part of the tests.
macro_rules! every_day {
    ($($module:item)*) => { $(#[cfg(not(any(quadrille_every_container, quadrille_other_scalar)))] $module)* };
}

#[cfg(not(quadrille_every_container))]
mod containers;
every_day! {
    mod steady_frame;
}
/// What containers are built on has no part in the sweep of containers over every structure: compiled, it would be the same as by day.
#[cfg(not(quadrille_every_structure))]
mod exactness;
#[cfg(not(any(quadrille_every_container, quadrille_every_structure)))]
mod queries;
#[cfg(not(any(quadrille_every_container, quadrille_every_structure)))]
mod suite;
#[cfg(not(quadrille_every_structure))]
every_day! {
    mod region;
    mod structures;
}
/// Its frames of this scalar, which is not that of the binary of its own.
#[cfg(quadrille_other_scalar)]
#[path = "../whole_frames.rs"]
mod whole_frames;
