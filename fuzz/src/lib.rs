//! Fuzzing runs the random programs of the library's test suite, on inputs that a fuzzer breeds instead of drawing them.
//!
//! `cargo +nightly fuzz run quadtree` (one target a structure over `f32`, and `integers` for all of them over `i32`; for maps
//! see [`maps`], for snapshots [`snapshots`], for spaces with all their questions and events [`space`]).

pub mod maps;
pub mod snapshots;

#[path = "../../crates/quadrille/tests/suite/any_index.rs"]
#[expect(dead_code, reason = "the suite asks more of an index than programs do")]
mod any_index;
#[path = "../../crates/quadrille/tests/questions/erased.rs"]
mod erased;
#[path = "../../crates/quadrille/tests/suite/forge.rs"]
mod forge;
#[path = "../../crates/quadrille/tests/suite/landscape.rs"]
mod landscape;
#[path = "../../crates/quadrille/tests/suite/program.rs"]
mod program;
#[path = "../../crates/quadrille/tests/suite/sound.rs"]
mod sound;
#[path = "../../crates/quadrille/tests/spaces/program.rs"]
mod space_program;
#[path = "../../crates/quadrille/tests/suite/subjects.rs"]
#[expect(dead_code, reason = "the suite asks for default options and names, too")]
mod subjects;
#[path = "../../crates/quadrille/tests/suite/twins.rs"]
#[expect(dead_code, reason = "the suite asks more of the twins than programs do")]
mod twins;

use any_index::{Setup, Storable};
use landscape::Landscape;
use program::{Program, STEP_BYTES};
use subjects::Set;

/// Runs the program in a fuzzer's input: a byte for the options, one for the landscape, then steps; what is left over is
/// ignored.
///
/// # Panics
/// If the structure and brute force do not agree, or `validate` finds a fault.
#[expect(private_bounds, reason = "the bounds are the suite's own traits")]
pub fn run<I: Set<Options: Send + Sync> + Storable + Send + 'static>(bytes: &[u8]) {
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

/// Runs the program in a fuzzer's input on a space over a structure and over brute force, in worlds that wrap and in others.
///
/// # Panics
/// If answers or events differ, or `validate` finds a fault.
pub fn space(bytes: &[u8]) {
    space_program::run(bytes);
}
