//! **Which structure for me?** Give the boxes of a few frames and the operations that matter; every structure does the work, with its
//! default options and a few around them, and the fastest is told, with the measurements.
//!
//! ```
//! use quadrille_advise::{Operation, advise};
//! use quadrille_scenes::{Scene, SceneKind};
//!
//! let mut scene = Scene::new(SceneKind::Clustered, 500, 1);
//! let mut frames = Vec::new();
//! for _ in 0..3 {
//!     frames.push(scene.boxes().collect());
//!     scene.step();
//! }
//! let advice = advise(&frames, &[Operation::Update, Operation::Pairs])?;
//! println!("{:.3} ms with {}", advice.best.ms.total(), advice.best.code());
//! # Ok::<(), quadrille_advise::Error>(())
//! ```
//!
//! **What is tried.** First every structure with its defaults, for a frame or two. Those that are hopeless even so (many times slower
//! than the fastest) take part with their defaults alone; of the others a few variants are added, each with one parameter changed:
//! capacity, depth, the size of cells. Brute force takes part up to 2,000 boxes.
//!
//! **What it costs.** About thirty times as long as the frames take with a usual structure, and a kilobyte a box while it runs.
//!
//! Answers of all structures are compared, by number and by a checksum that does not depend on their order. Questions follow from
//! the boxes: the same frames give the same questions. Times are of the processor (on Unix; of the clock on the wall elsewhere), so that other programs do
//! not count; but they still wear the caches out. Build with `--release`, and do not trust a difference of a few percent.

#![forbid(unsafe_code)]

mod advice;
mod answer;
mod candidates;
mod clock;
mod error;
mod operation;
mod race;
mod random;
mod settings;
mod workload;

pub use advice::{Advice, Row, Times};
pub use clock::Clock;
pub use error::Error;
pub use operation::{Operation, UnknownOperation};
pub use settings::{Setting, Value};

use quadrille::{Aabb, AnyOptions, Scalar};

/// A structure that is this many times slower than the fastest with their defaults will not win by its options. More: more
/// candidates, and slow ones. Fewer: one that could win might not be tuned; options seldom buy more than a factor of 2.
const HOPELESS: f64 = 4.0;

/// Frames of the heat: one with updates.
const HEAT: usize = 2;

/// Measures all structures on some frames and tells the best.
///
/// All frames hold the same boxes in the same order. Updates happen from the second frame on: with one frame alone they take no
/// time. Frames without boxes are allowed: everything is fast then.
///
/// # Errors
/// If there is no frame or no operation; if a frame differs from the first in length, or a box is NaN, infinite or inverted: names
/// the frame. If two structures disagree, which is a bug of the library: names both.
pub fn advise<S: Scalar>(frames: &[Vec<Aabb<S>>], operations: &[Operation]) -> Result<Advice<S>, Error> {
    advise_visit(frames, operations, |_, _| ())
}

/// The same, and calls `progress(turns done, turns in all)` after each turn, which is one frame with one candidate. The number in all
/// grows once, when the heat is over and it is clear how many candidates there are.
///
/// # Errors
/// As of [`advise`].
pub fn advise_visit<S: Scalar>(
    frames: &[Vec<Aabb<S>>],
    operations: &[Operation],
    mut progress: impl FnMut(usize, usize),
) -> Result<Advice<S>, Error> {
    workload::check(frames)?;
    if operations.is_empty() {
        return Err(Error::no_operations());
    }
    let heat = &frames[..frames.len().min(HEAT)];
    let defaults = candidates::defaults(frames[0].len());
    let (mut done, in_heat) = (0, defaults.len() * heat.len());
    let mut turn = |all: usize| {
        done += 1;
        progress(done, all);
    };
    let rows = race::race(&defaults, heat, operations, &mut || turn(in_heat + defaults.len() * frames.len()))?;
    let candidates = with_variants(defaults.clone(), Advice::new(rows), &frames[0]);
    let in_all = in_heat + candidates.len() * frames.len();
    let rows = race::race(&candidates, frames, operations, &mut || turn(in_all))?;
    Ok(Advice::new(rows).expect("there is always a candidate"))
}

/// Adds variants of the structures that did well in the heat.
fn with_variants<S: Scalar>(
    mut candidates: Vec<AnyOptions<S>>,
    heat: Option<Advice<S>>,
    boxes: &[Aabb<S>],
) -> Vec<AnyOptions<S>> {
    let rows = heat.into_iter().flat_map(|advice| advice.rows);
    for row in rows.filter(|row| row.ratio <= HOPELESS) {
        candidates.extend(candidates::variants(row.options.kind(), boxes));
    }
    candidates
}
