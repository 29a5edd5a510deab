//! Fuzzing runs the random programs of the library's test suite, on inputs that a fuzzer breeds instead of drawing
//! them.
//!
//! `QUADRILLE_TARGET=quadtree cargo +nightly fuzz run any fuzz/corpus/quadtree` (one target a structure over `f32`, and
//! `integers` for all of them over `i32`; for maps see [`maps`], for other files [`files`], for geometries [`shapes`],
//! for snapshots [`snapshots`], for spaces with all their queries and events `space`). One binary has all: [`chosen`].

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
/// Containers are fuzzed over every structure.
mod tested {
    pub(crate) use quadrille::structures::{AnyOptions, AnyStructure as Tested, StructureKind};

    pub(crate) const KINDS: &[StructureKind] = StructureKind::ALL;

    pub(crate) fn options(kind: StructureKind) -> AnyOptions {
        kind.into()
    }
}
#[path = "../../crates/quadrille/tests/all/twins.rs"]
#[expect(dead_code, reason = "the suite asks more of the twins than programs do")]
mod twins;

use std::env;
use std::sync::LazyLock;

use any_index::{Setup, Storable};
use landscape::Landscape;
use program::{Program, STEP_BYTES};
use quadrille::structures::{AnyOptions, AnyStructure, EnclosingQuadtree, Grid, LooseGrid, LooseQuadtree, Quadtree};
use quadrille::{FrameTree, Scalar};
use subjects::Set;

/// Targets that run a program on one structure. It is that of an [`AnyStructure`], so that what all targets run is
/// compiled once for it, and not once more for itself.
macro_rules! programs {
    // Brute force is what the others are compared with.
    (; brute_force BruteForce, $oracle:literal; $($name:ident $structure:ident $(($options:ident: $type:ident))?, $what:literal;)*) => {$(
        /// Runs the program in a fuzzer's input.
        ///
        /// # Panics
        /// If the structure and brute force do not agree, or `validate` finds a fault.
        pub fn $name(bytes: &[u8]) {
            run::<$structure, _>(bytes, programs!(@any $structure $($options)?));
        }
    )*};
    (@any $structure:ident) => { |()| AnyOptions::$structure };
    (@any $structure:ident $options:ident) => { AnyOptions::$structure };
}

/// All targets by their names. `.ci/fuzz` reads them here.
const TARGETS: [(&str, fn(&[u8])); 18] = [
    ("enclosing_quadtree", enclosing_quadtree),
    ("file", files::file),
    ("frame_tree", frame_tree),
    ("grid", grid),
    ("integers", integers),
    ("loose_grid", loose_grid),
    ("loose_quadtree", loose_quadtree),
    ("map_edits", maps::map_edits),
    ("map_file", maps::map_file),
    ("map_snapshot", snapshots::tamper_with_map),
    ("patch_file", maps::patch_file),
    ("quadtree", quadtree),
    ("scen_file", maps::scen_file),
    ("shapes", shapes::shapes),
    ("snapshot", snapshots::tamper),
    ("space", space_program::run),
    ("terrain_edits", maps::terrain_edits),
    ("trace_file", maps::trace_file),
];

/// Runs the target that the variable `QUADRILLE_TARGET` names.
///
/// # Panics
/// If there is no target of that name, or as the target does.
pub fn chosen(bytes: &[u8]) {
    static CHOSEN: LazyLock<fn(&[u8])> = LazyLock::new(|| {
        let wanted = env::var("QUADRILLE_TARGET").expect("QUADRILLE_TARGET names a target");
        let found = TARGETS.iter().find(|(name, _)| *name == wanted);
        found.unwrap_or_else(|| panic!("no target {wanted}: it needs a line in fuzz/src/lib.rs")).1
    });
    CHOSEN(bytes);
}

// Compiled here, once: the targets themselves are links only.
quadrille::structures!(programs!);

/// Runs the program in a fuzzer's input on any structure, over integers.
///
/// # Panics
/// If the structure and brute force do not agree, or `validate` finds a fault.
pub fn integers(bytes: &[u8]) {
    run::<AnyStructure<i32>, _>(bytes, |options| options);
}

/// A byte chooses options, one the landscape, then come steps; what is left over is ignored.
fn run<I: Set<Scalar = S>, S: Scalar>(bytes: &[u8], any: impl Fn(I::Options) -> AnyOptions<S>)
where
    AnyStructure<S>: Storable<Scalar = S, Options = AnyOptions<S>>,
{
    if let Some((options, program)) = decode::<I>(bytes) {
        program.run(&Setup::new::<AnyStructure<S>>(any(options)));
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
