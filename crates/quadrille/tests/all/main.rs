//! All that the library promises, in one binary: what several of these tests instantiate is compiled once.

#![cfg_attr(
    any(quadrille_every_container, quadrille_other_scalar),
    allow(dead_code, unused_macros, reason = "a sweep has a part of the tests, over other types")
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
mod twins;

/// One test a scalar for each generic sentence. In every container: for those scalars that the setting names, because to
/// compile them for one takes minutes.
macro_rules! for_each_scalar {
    ($($sentence:ident),* $(,)?) => {
        #[cfg(any(not(quadrille_every_container), quadrille_every_container = "f32"))]
        mod f32 { $(#[test] fn $sentence() { super::$sentence::<f32>(); })* }
        #[cfg(any(not(quadrille_every_container), quadrille_every_container = "f64"))]
        mod f64 { $(#[test] fn $sentence() { super::$sentence::<f64>(); })* }
        #[cfg(any(not(quadrille_every_container), quadrille_every_container = "i32"))]
        mod i32 { $(#[test] fn $sentence() { super::$sentence::<i32>(); })* }
    };
}

/// Compiled for one scalar: `f32`, or the one that `--cfg quadrille_other_scalar` names. To compile every structure for one
/// more takes minutes. What depends on the scalar, `exactness` asks of all three every day.
macro_rules! for_one_scalar {
    ($($item:item)*) => {
        #[cfg(not(quadrille_other_scalar))]
        mod f32 { type S = f32; $($item)* }
        #[cfg(quadrille_other_scalar = "f64")]
        mod f64 { type S = f64; $($item)* }
        #[cfg(quadrille_other_scalar = "i32")]
        mod i32 { type S = i32; $($item)* }
    };
}

/// One test for each generic sentence, over one scalar.
macro_rules! for_a_scalar {
    ($($sentence:ident),* $(,)?) => {
        for_one_scalar! { $(#[test] fn $sentence() { super::$sentence::<S>(); })* }
    };
}

/// Not in a sweep, which has a part of the tests over other types.
macro_rules! every_day {
    ($($module:item)*) => { $(#[cfg(not(any(quadrille_every_container, quadrille_other_scalar)))] $module)* };
}

#[cfg(not(quadrille_other_scalar))]
mod exactness;
#[cfg(not(quadrille_every_container))]
mod queries;
#[cfg(not(quadrille_every_container))]
mod suite;
every_day! {
    mod containers;
    mod region;
    mod steady_frame;
    mod structures;
}
