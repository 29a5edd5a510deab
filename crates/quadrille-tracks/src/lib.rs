//! **Which tracks came near each other, when, how near and for how long**: encounters of ships, aircraft, buses,
//! animals and people.
//!
//! A *fix* says where a track was at one time. Between two fixes a track moves straight at constant speed. Two tracks
//! have an *encounter* while they are within a distance of each other and, if requested, within a vertical distance *at
//! the same time*. Every encounter is found once, over its whole length: the times at which it begins and ends are
//! solved for, not sampled.
//!
//! - [`encounters`] answers for fixes in memory, given as slices.
//! - [`Tracks`] stores the tracks for several queries, gives the position of each at any time, and takes two sets
//!   ([`Tracks::of_two`]), such as ships and buoys.
//! - [`Stream`] takes one fix at a time, reports encounters as they begin and end, and finds the same encounters.
//!
//! The command `quadrille near` answers from files, read with `quadrille-files`. `docs/encounters.md` is the manual.
//!
//! ```
//! use quadrille_tracks::{Fixes, Limits, Rules, Units, encounters};
//!
//! // Two ships pass each other on a plane in meters; fixes every ten seconds, at different times.
//! let fixes = Fixes {
//!     track: &[1, 2, 1, 2],
//!     time: &[0.0, 5.0, 10.0, 15.0],
//!     x: &[0.0, 95.0, 100.0, -5.0],
//!     y: &[0.0, 30.0, 0.0, 30.0],
//!     z: None,
//! };
//! let found = encounters(&fixes, &Rules::new(Units::Plane), &Limits::within(50.0))?;
//! let met = &found.encounters[0];
//! assert_eq!((met.a, met.b, met.start, met.end), (1, 2, 5.25, 9.25));
//! assert_eq!((met.closest_time, met.closest_distance), (7.25, 30.0));
//! # Ok::<(), quadrille_tracks::Error>(())
//! ```
//!
//! # What the answers mean
//!
//! - **Limits are closed**: touching the limit counts, if only for an instant. Decisions are made in `f64`, so a
//!   distance that differs from the limit by less than rounding (about 10⁻¹⁵ of the coordinates: a nanometer on the
//!   globe) may fall on either side.
//! - **[`Units::Plane`]**: coordinates, distances and heights share one unit of your choice; speed is that unit per
//!   unit of time. Products of four lengths must not vanish: choose a unit in which those that matter exceed 10⁻⁷⁰.
//! - **[`Units::Degrees`]**: `x` is longitude and `y` latitude on the WGS 84 ellipsoid, distances are in meters, times
//!   in seconds. A track follows the great circle from fix to fix. Distances differ from those along the ellipsoid
//!   (geodesics) by at most 0.5 mm, plus 10⁻⁷ of the distance, plus 1.1·10⁻¹⁷ m⁻² times its cube: 1.4 mm at 5 nautical
//!   miles, 2 cm at 100 km. There are no exceptions at the poles or where the longitude jumps from 180° to -180°.
//! - **No fix, no track**: before its first fix and after its last, a track is nowhere. With [`Rules::max_gap`], it is
//!   also nowhere between two fixes that are farther apart in time. A single fix is an instant.
//!
//! # How it works, and where
//!
//! | file | contents |
//! |---|---|
//! | `fixes.rs`, `rules.rs`, `limits.rs` | the input, how fixes become tracks, and what counts as an encounter |
//! | `ground/` | a plane or the globe: what a position is, and how far apart two are |
//! | `motion.rs` | tracks as points in space and time, in pieces that are straight |
//! | `approach.rs` | when two points that move straight are within the limits, in closed form |
//! | `flat.rs`, `slabs.rs` | the broad phase: boxes that runs of pieces sweep, in slabs of time |
//! | `meetings.rs`, `encounter.rs` | approaches that follow each other are one encounter; the results |
//! | `tracks.rs` | tracks in memory, and their queries |
//! | `recent.rs`, `stream.rs` | the same from one fix at a time |
//! | `flat_map.rs` | a flat map of tracks, for pictures |
//! | `memory.rs`, `error.rs` | memory reserved before it is used; errors in the input |

#![forbid(unsafe_code)]

mod approach;
mod encounter;
mod error;
mod fixes;
mod flat;
mod flat_map;
mod ground;
mod limits;
mod meetings;
mod memory;
mod motion;
mod recent;
mod rules;
mod slabs;
mod stream;
mod tracks;

pub use encounter::{Encounter, Found};
pub use error::Error;
pub use fixes::{Fix, Fixes};
pub use flat_map::FlatMap;
pub use limits::Limits;
pub use rules::{Rules, Skipped, Units, UnknownUnits};
pub use stream::{Event, Stream};
pub use tracks::{Position, Tracks, encounters};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
