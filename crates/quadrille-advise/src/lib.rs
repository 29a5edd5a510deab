//! **Which structure is fastest for your boxes?** Pass the boxes of a few frames and the operations that matter. Every
//! structure of [`quadrille`] does the work with its default options, and the fastest is reported
//! along with all measurements. On the command line, this is `quadrille bench`; the manual page is `docs/choosing.md`.
//!
//! ```
//! use quadrille_advise::{Operation, advise};
//! use quadrille_scenes::{Scene, SceneKind};
//!
//! let mut scene = Scene::new(SceneKind::Clustered, 500, 1);
//! let mut frames: Vec<Vec<_>> = Vec::new();
//! for _ in 0..3 {
//!     frames.push(scene.boxes().collect());
//!     scene.step();
//! }
//! let advice = advise(&frames, &[Operation::Update, Operation::Pairs])?;
//! println!("{:.3} ms with {}", advice.best.ms.total(), advice.best.code());
//! # Ok::<(), quadrille_advise::Error>(())
//! ```
//!
//! **Cost.** About ten times as long as the frames take with a typical structure. Brute force takes part up to 2,000 boxes.
//!
//! The answers of all structures are compared, by count and by a checksum that does not depend on their order.
//! Queries are derived from the boxes: the same frames give the same queries. Times are CPU times on Unix
//! (wall-clock times elsewhere), so other programs do not count directly, although they still compete for caches. Build
//! with `--release`, and do not trust differences of a few percent.
//!
//! | file | contents |
//! |---|---|
//! | `search`, `race` | who takes part; turns, laps and answers that must agree |
//! | `workload`, `operation`, `answer` | the moves and queries; their names; a checksum of the answers |
//! | `advice`, `error` | the rows, and why there are none |
//! | `manual` | what each structure is for, measured, and what it costs |
//! | `parameters` | options of structures as sliders and text |
//! | `clock` | the time of this thread |

#![forbid(unsafe_code)]

mod advice;
mod answer;
mod clock;
mod error;
mod manual;
mod operation;
pub mod parameters;
mod race;
mod search;
mod workload;

pub use advice::{Advice, Row, Times};
pub use clock::Clock;
pub use error::Error;
pub use manual::{Costs, Manual, manual};
pub use operation::{Operation, UnknownOperation};
pub use search::Search;

use quadrille::{Aabb, Scalar};

/// The boxes of a frame: owned, or borrowed so that many frames can share them.
pub trait Boxes<S: Scalar>: AsRef<[Aabb<S>]> + Clone {}
impl<S: Scalar, F: AsRef<[Aabb<S>]> + Clone> Boxes<S> for F {}

/// Measures all structures on some frames and names the fastest.
///
/// All frames hold the same boxes in the same order. Updates happen from the second frame on: with a single frame they
/// take no time. Frames without boxes are allowed: everything is fast then.
///
/// # Errors
/// Returns an error if there is no frame, no operation, or only updates of one frame; if a frame differs from the first
/// in length, or a box in it is NaN, infinite or inverted (the message names the frame); or if two structures disagree,
/// which is a bug in the library.
pub fn advise<S: Scalar, F: Boxes<S>>(frames: &[F], operations: &[Operation]) -> Result<Advice<S>, Error> {
    let mut search = Search::new(frames, operations)?;
    loop {
        if let Some(advice) = search.turn()? {
            return Ok(advice);
        }
    }
}

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
