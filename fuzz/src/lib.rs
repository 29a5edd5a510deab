//! Fuzzing runs the random programs of the library's test suite, on inputs that a fuzzer breeds instead of drawing
//! them.
//!
//! `cargo +nightly fuzz run quadtree` (one target a structure over `f32`, and `integers` for all of them over `i32`;
//! for maps see [`maps`], for other files [`files`], for geometries [`shapes`], for snapshots [`snapshots`], for spaces
//! with all their queries and events [`space`]).

pub mod files;
pub mod maps;
pub mod shapes;
pub mod snapshots;

#[path = "../../crates/quadrille/tests/all/any_index.rs"]
#[expect(dead_code, reason = "the suite asks more of an index than programs do")]
mod any_index;
#[path = "../../crates/quadrille/tests/all/erased.rs"]
mod erased;
#[path = "../../crates/quadrille/tests/all/forge.rs"]
mod forge;
#[path = "../../crates/quadrille/tests/all/landscape.rs"]
mod landscape;
#[path = "../../crates/quadrille/tests/all/program.rs"]
mod program;
#[path = "../../crates/quadrille/tests/all/sound.rs"]
mod sound;
#[path = "../../crates/quadrille/tests/all/containers/program.rs"]
mod space_program;
#[path = "../../crates/quadrille/tests/all/subjects.rs"]
#[expect(dead_code, reason = "the suite asks for default options and names, too")]
mod subjects;
#[path = "../../crates/quadrille/tests/all/twins.rs"]
#[expect(dead_code, reason = "the suite asks more of the twins than programs do")]
mod twins;

use any_index::{Setup, Storable};
use landscape::Landscape;
use program::{Program, STEP_BYTES};
use quadrille::{AnyStructure, EnclosingQuadtree, FrameTree, Grid, LooseGrid, LooseQuadtree, Quadtree};
use subjects::Set;

/// Targets that run a program on one structure.
macro_rules! programs {
    // Brute force is what the others are compared with.
    (; brute_force BruteForce, $oracle:literal; $($name:ident $structure:ident $(($options:ident: $type:ident))?, $what:literal;)*) => {
        programs! { $($name: $structure),* }
    };
    ($($name:ident: $structure:ty),* $(,)?) => {$(
        /// Runs the program in a fuzzer's input.
        ///
        /// # Panics
        /// If the structure and brute force do not agree, or `validate` finds a fault.
        pub fn $name(bytes: &[u8]) {
            run::<$structure>(bytes);
        }
    )*};
}

// Compiled here, once: the targets themselves are links only.
quadrille::structures!(programs!);
programs! { integers: AnyStructure<i32> }

/// A byte chooses options, one the landscape, then come steps; what is left over is ignored.
fn run<I: Set<Options: Send + Sync> + Storable + Send + 'static>(bytes: &[u8]) {
    if let Some((options, program)) = decode::<I>(bytes) {
        program.run(&Setup::new::<I>(options));
    }
}

fn decode<I: Set>(bytes: &[u8]) -> Option<(I::Options, Program<I::Scalar>)> {
    let [options, landscape, steps @ ..] = bytes else { return None };
    let all_options = I::all_options();
    let options = &all_options[usize::from(*options) % all_options.len()];
    let landscape = Landscape::ALL[usize::from(*landscape) % Landscape::ALL.len()];
    let steps: Vec<_> = steps.as_chunks::<STEP_BYTES>().0.to_vec();
    Some((options.clone(), Program::decode(landscape, &steps)))
}

/// Runs the program in a fuzzer's input on a space over a structure and over brute force, in worlds that wrap and in
/// others.
///
/// # Panics
/// If answers or events differ, or `validate` finds a fault.
pub fn space(bytes: &[u8]) {
    space_program::run(bytes);
}
