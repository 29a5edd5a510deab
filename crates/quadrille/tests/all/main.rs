//! All that the library promises, in one binary: what several of these tests instantiate is compiled once.

#![cfg_attr(quadrille_every_container, allow(dead_code, reason = "exactness alone is tested in every container"))]

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

mod exactness;

#[cfg(not(quadrille_every_container))]
mod containers;
#[cfg(not(quadrille_every_container))]
mod queries;
#[cfg(not(quadrille_every_container))]
mod region;
#[cfg(not(quadrille_every_container))]
mod steady_frame;
#[cfg(not(quadrille_every_container))]
mod structures;
#[cfg(not(quadrille_every_container))]
mod suite;
